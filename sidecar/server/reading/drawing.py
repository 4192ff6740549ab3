"""Functions run in worker processes for the server: open embedded bytes, draw parts, scale, crop and convert pictures.

Imported only there. Pillow is imported inside the functions, so that a worker which never draws never loads it."""

from __future__ import annotations

import hashlib
import io
import math
import os
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec

from sidecar.api import (
    DrawsPictures,
    FormatPlugin,
    LimitError,
    Limits,
    OpensEmbedded,
    Payload,
    Source,
    UnavailableError,
    UsageError,
)
from sidecar.toolkit.drawn.pages import LaysOutPages
from sidecar.workers.opening import open_below

if TYPE_CHECKING:
    from PIL.Image import Image as Raster

PICTURE_TYPES = {"png": "image/png", "jpeg": "image/jpeg", "webp": "image/webp"}
_POINTS_PER_INCH = 72
DPI = 144
"""Resolution of a page's picture when no size is asked for."""
_MIN_DPI, _MAX_DPI = 18, 600
"""What a size asked for may lead to."""
_FLOOR_DPI = 9
"""A huge page is drawn at this at least, whatever the limits on pixels."""
_SHRINK, _SMALLEST_SIDE = 0.75, 64
"""A picture of too many bytes is made smaller by this factor again and again, down to this many pixels."""
_QUALITY = 85
"""Of JPEG and WebP, where artefacts are not seen yet."""
MAX_SIDE = 4096
"""Longest side of a picture we make, in pixels."""
_MAX_PICTURE_BYTES = 4 * 2**20
"""A picture we make is scaled down until it is no larger; clients refuse more than about 5 MB."""
_VECTORS = {
    "image/svg+xml": ".svg", "image/x-emf": ".emf", "image/emf": ".emf", "image/x-wmf": ".wmf", "image/wmf": ".wmf",
}  # fmt: skip
_CROP_MARGIN = 8.0
"""Points left around an element's box."""


@dataclass(frozen=True)
class FileRef:
    """A file as the index knows it: `sha256` of the content that was indexed. Size and time save hashing it again.

    It is opened below `folder` ("" for the directory it lies in); links in there are followed where `follow_links` says
    so, never out of it. `member` is the name below `path` of what is wanted in an archive, "" for the file itself, and
    `holder` the plugin that opens the archive; all else is said of the member then."""

    path: str
    size: int
    mtime_ns: int
    sha256: str
    media_type: str
    folder: str = ""
    follow_links: bool = False
    member: str = ""
    holder: FormatPlugin | None = None


@dataclass(frozen=True)
class PictureOptions:
    """How a picture is wanted: longest side in pixels (0: as it is), and "png", "jpeg", "webp" or "" (as it is)."""

    side: int = 0
    format: str = ""


@dataclass(frozen=True)
class PictureRegion:
    """What to draw: part `part` of `points` size (it tells the resolution at which a size is reached without
    scaling up), with a `box` (in points) only that region and a margin."""

    part: int
    points: tuple[float, float] = (0.0, 0.0)
    box: tuple[float, float, float, float] | None = None


def open_bytes(plugin: FormatPlugin, file: FileRef, ref: str, limits: Limits) -> Payload:
    """The bytes behind an `Embed.ref`. Raises UnavailableError, FormatError."""
    if not isinstance(plugin, OpensEmbedded):
        raise UnavailableError(f"The format {plugin.name} cannot open what is embedded in its files.")
    with _opened(file, limits) as source:
        return plugin.open_embedded(source, ref, limits)


def open_picture(plugin: FormatPlugin, file: FileRef, ref: str, limits: Limits, options: PictureOptions) -> Payload:
    """An embedded picture, scaled and converted as the options say."""
    return convert(open_bytes(plugin, file, ref, limits), options, limits)


def draw_part(
    plugin: FormatPlugin, file: FileRef, region: PictureRegion, limits: Limits, options: PictureOptions
) -> Payload:
    """The picture of a page or slide, or of a region of it. Raises UnavailableError where nothing draws it."""
    if not isinstance(plugin, DrawsPictures):
        raise UnavailableError(f"Pictures of {plugin.name} files cannot be drawn here; read the text instead.")
    if file.media_type in _VECTORS and region.box is None:
        with _opened(file, limits) as source:
            whole = Payload(source.read(limits.max_file_bytes), file.media_type, source.name)
        return convert(whole, PictureOptions(options.side, options.format or "png"), limits)
    with _opened(file, limits) as source:
        return _pictured(lambda dpi: plugin.picture(source, region.part, dpi, limits), region, limits, options)


def lay_out_part(
    plugin: FormatPlugin, file: FileRef, region: PictureRegion, limits: Limits, options: PictureOptions,
    targets: Mapping[str, str],
) -> Payload:  # fmt: skip
    """As `draw_part`, drawn from what the file says by the drawers at `targets`: where no program draws it. Raises
    UnavailableError."""
    from sidecar.toolkit.programs.libreoffice import draw_pdf_page, put_in_cache, recall
    from sidecar.workers.main import resolve

    if not isinstance(plugin, LaysOutPages):
        raise UnavailableError(f"Pictures of {plugin.name} files cannot be drawn here; read the text instead.")
    draw_chart = resolve(targets["chart"]) if "chart" in targets else None
    typeset = f"{file.sha256}-{plugin.name}-{plugin.version}.pages"
    with _opened(file, limits) as source:
        pages, number = recall(typeset), region.part
        if not pages:
            drawing = plugin.layout(source, region.part, limits)
            pages = msgspec.msgpack.encode(resolve(targets["page"])(drawing, draw_chart))
            if drawing.flow:
                put_in_cache(typeset, pages)  # its other pages are likely to be asked for
            else:
                number = 1
        data, note = msgspec.msgpack.decode(pages, type=tuple[bytes, str])
        made = _pictured(lambda dpi: draw_pdf_page(data, source.name, number, dpi, limits), region, limits, options)
    return replace(made, note=note)


def _pictured(
    draw: Callable[[int], Payload], region: PictureRegion, limits: Limits, options: PictureOptions
) -> Payload:
    """What `draw` gives for the resolution that the options call for, cropped to the region and converted."""
    points, box = region.points, region.box
    dpi = DPI
    longest = max(points) if box is None else max(box[2] - box[0], box[3] - box[1])
    if options.side and longest > 0:
        dpi = max(_MIN_DPI, min(_MAX_DPI, math.ceil(options.side * _POINTS_PER_INCH / longest)))
    if max(points) > 0:
        most = math.sqrt(limits.max_pixels / (points[0] * points[1])) * _POINTS_PER_INCH
        dpi = max(_FLOOR_DPI, min(dpi, int(most)))
        if box is None:
            dpi = max(_FLOOR_DPI, min(dpi, int(MAX_SIDE * _POINTS_PER_INCH / max(points))))
    drawn = draw(dpi)
    if box is not None:
        drawn = _crop(drawn, points, box, limits)
    return convert(drawn, PictureOptions(options.side, options.format or "png"), limits)


def convert(payload: Payload, options: PictureOptions, limits: Limits) -> Payload:
    """The picture at the size and in the format asked for; unchanged when it is so already.

    Raises:
        UnavailableError: the picture cannot be read, or is a vector drawing and there is no LibreOffice to draw it."""
    wanted = PICTURE_TYPES.get(options.format, "")
    if options.format and not wanted:
        raise UsageError(f"format {options.format!r} is not png, jpeg or webp.")
    if (
        not options.side
        and (not wanted or wanted == payload.media_type)
        and len(payload.data) <= _MAX_PICTURE_BYTES * 8
    ):
        return payload
    image = _open(_drawn_vector(payload, limits), limits)
    if options.side and options.side < max(image.size):
        image.thumbnail((options.side, options.side))
    kind = wanted or (payload.media_type if payload.media_type in PICTURE_TYPES.values() else "image/png")
    data = _encode(image, kind)
    while len(data) > _MAX_PICTURE_BYTES and max(image.size) > _SMALLEST_SIDE:
        image.thumbnail((int(image.width * _SHRINK) or 1, int(image.height * _SHRINK) or 1))
        data = _encode(image, kind)
    return Payload(data, kind, payload.name, image.width, image.height)


def _drawn_vector(payload: Payload, limits: Limits) -> Payload:
    """A vector picture drawn by LibreOffice, white margins off; any other picture as it is."""
    suffix = _VECTORS.get(payload.media_type)
    if suffix is None:
        return payload
    data = payload.data
    if suffix == ".svg":
        from sidecar.toolkit.programs.outward_links import SVG_REACHES_OUT
        from sidecar.toolkit.xml import etree, read_xml

        # Written anew, in ASCII and not compressed: as it comes, what is looked for may be spelled otherwise.
        if not SVG_REACHES_OUT.search(data):
            source = Source.of_bytes(data, payload.name or "The SVG")
            data = bytes(etree.tostring(read_xml(source, limits).getroottree()))
        if SVG_REACHES_OUT.search(data):
            raise UnavailableError("This SVG refers to things outside itself, so it is not drawn; read it as it is.")
    from PIL import ImageChops

    from sidecar.toolkit.programs.libreoffice import draw_page

    drawn = draw_page(Source.of_bytes(data, f"picture{suffix}"), 1, DPI, limits)
    if suffix == ".svg":
        return drawn
    image = _open(drawn, limits).convert("RGB")  # a metafile comes on a whole sheet of paper
    frame = ImageChops.invert(image).getbbox()
    image = image.crop(frame) if frame is not None else image
    return Payload(_encode(image, "image/png"), "image/png", payload.name, image.width, image.height)


@contextmanager
def _opened(file: FileRef, limits: Limits) -> Generator[Source]:
    """The file, or the member of it, once it is sure that it still holds what was indexed."""
    if not file.member:
        with _opened_file(file) as source:
            yield source
        return
    whole = replace(file, member="", sha256="")
    with _opened_file(whole) as archive:
        data = _member(file, archive, file.member, limits)
    if hashlib.sha256(data).hexdigest() != file.sha256:
        raise UnavailableError(f"{file.member} has changed since it was indexed; ask again in a moment.")
    yield Source.of_bytes(data, file.member.rpartition("/")[2], file.media_type)


def _member(file: FileRef, archive: Source, name: str, limits: Limits) -> bytes:
    """The bytes of a member of an archive, or of one in an archive in there."""
    holder = file.holder
    if isinstance(holder, OpensEmbedded):
        for embed in holder.parse(archive, limits).embedded:
            if name == embed.name:
                return holder.open_embedded(archive, embed.ref, limits).data
            if name.startswith(f"{embed.name}/"):
                inner = holder.open_embedded(archive, embed.ref, limits).data
                below = name.removeprefix(f"{embed.name}/")
                return _member(file, Source.of_bytes(inner, embed.name.rpartition("/")[2]), below, limits)
    raise UnavailableError(f"{name} is not in its archive any more; ask again in a moment.")


@contextmanager
def _opened_file(file: FileRef) -> Generator[Source]:
    """`sha256` "" takes what is there."""
    directory, name = os.path.split(file.path)
    folder, path = os.fsencode(file.folder or directory), os.fsencode(file.path)
    try:
        descriptor = open_below(folder, path, follow_links=file.follow_links)
    except OSError as error:
        raise UnavailableError(f"{name} cannot be opened: {error.strerror}.") from error
    try:
        status = os.fstat(descriptor)
        source = Source.of_descriptor(descriptor, name, file.media_type)
        if file.sha256 and (status.st_size, status.st_mtime_ns) != (file.size, file.mtime_ns):
            with source.open() as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
            if digest != file.sha256:
                raise UnavailableError(f"{name} has changed since it was indexed; ask again in a moment.")
        yield source
    finally:
        os.close(descriptor)


def _open(payload: Payload, limits: Limits) -> Raster:
    from PIL import Image, UnidentifiedImageError

    Image.MAX_IMAGE_PIXELS = None  # our own limit below names the setting
    try:
        image = Image.open(io.BytesIO(payload.data))
        if image.width * image.height > limits.max_pixels:
            size = f"{image.width} x {image.height}"
            raise LimitError(f"The picture {payload.name} has {size} pixels; max_pixels is {limits.max_pixels:,}.")
        image.load()
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError) as error:
        what = payload.media_type or "unknown"
        raise UnavailableError(
            f"A picture of type {what} cannot be converted here; read it without size and format."
        ) from error
    return image


def _encode(image: Raster, kind: str) -> bytes:
    from PIL import Image

    out = io.BytesIO()
    if kind == "image/jpeg":
        if image.mode not in {"RGB", "L"}:
            flat = image.convert("RGBA")
            background = Image.new("RGB", flat.size, "white")
            background.paste(flat, mask=flat.getchannel("A"))
            image = background
        image.save(out, "JPEG", quality=_QUALITY)
    elif kind == "image/webp":
        image.convert("RGBA" if "A" in image.getbands() or image.mode == "P" else "RGB").save(
            out, "WEBP", quality=_QUALITY
        )
    else:
        if image.mode not in {"1", "L", "LA", "P", "RGB", "RGBA", "I;16"}:
            image = image.convert("RGB")
        image.save(out, "PNG")
    return out.getvalue()


def _crop(
    drawn: Payload, points: tuple[float, float], box: tuple[float, float, float, float], limits: Limits
) -> Payload:
    image = _open(drawn, limits)
    scale_x = image.width / points[0] if points[0] else DPI / _POINTS_PER_INCH
    scale_y = image.height / points[1] if points[1] else DPI / _POINTS_PER_INCH
    left = max(0, int((box[0] - _CROP_MARGIN) * scale_x))
    top = max(0, int((box[1] - _CROP_MARGIN) * scale_y))
    right = min(image.width, math.ceil((box[2] + _CROP_MARGIN) * scale_x))
    bottom = min(image.height, math.ceil((box[3] + _CROP_MARGIN) * scale_y))
    if right - left < 2 or bottom - top < 2:
        return drawn  # the box lies outside the page: the page itself is the best answer
    image = image.crop((left, top, right, bottom))
    return Payload(_encode(image, "image/png"), "image/png", drawn.name, image.width, image.height)
