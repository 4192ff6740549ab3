"""Images and attached files: which of them a document holds, each once, and their bytes when asked for."""

import ctypes
import hashlib
import io
from dataclasses import dataclass, field

from PIL import Image

from sidecar.api import Embed, LimitError, Limits, NotFoundError, Payload, Source
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.graphics import PlacedImage
from sidecar_pdf.pdfium.info import Attachment, read_attachment
from sidecar_pdf.pdfium.pages import annotation_at, loaded, opened

_IMAGE = "image"
_FILE = "file"
_MIN_PIXELS = 3
_MIN_POINTS = 5.0
_BGR, _GRAY, _BGRA = 2, 1, 4


@dataclass(frozen=True)
class PageImages:
    """The images of a page that became embedded objects: `(placed, embed id)`."""

    ids: dict[tuple[int, ...], int]

    def of(self, images: list[PlacedImage]) -> tuple[int, ...]:
        """The embed ids of these images, each once, in order."""
        return tuple(dict.fromkeys(self.ids[i.path] for i in images if i.path in self.ids))


@dataclass
class EmbeddedImages:
    """Collects the images of a document page by page. The same image used again (a logo) is kept once."""

    limit: int
    found: list[Embed] = field(default_factory=list[Embed])
    uses: list[int] = field(default_factory=list[int])
    """On how many pages each image stands."""
    left_out: int = 0
    _keys: dict[tuple[int, int, int], list[tuple[bytes, int]]] = field(
        default_factory=dict[tuple[int, int, int], list[tuple[bytes, int]]]
    )

    def add_page(self, number: int, images: list[PlacedImage]) -> PageImages:
        """Registers the images of page `number` (1-based); artefacts of a pixel or a hairline are skipped."""
        ids: dict[tuple[int, ...], int] = {}
        counted: set[int] = set()
        width, height = ctypes.c_uint(), ctypes.c_uint()
        for image in images:
            if image.box[2] - image.box[0] < _MIN_POINTS or image.box[3] - image.box[1] < _MIN_POINTS:
                continue
            if not raw.image_size(image.handle, width, height) or min(width.value, height.value) < _MIN_PIXELS:
                continue
            size = raw.image_raw(image.handle, None, 0)
            known = self._keys.setdefault((width.value, height.value, size), [])
            digest = hashlib.blake2b(raw.octets(raw.image_raw, image.handle), digest_size=16).digest()
            at = next((index for other, index in known if other == digest), None)
            if at is None:
                if len(self.found) >= self.limit:
                    self.left_out += 1
                    continue
                at = len(self.found)
                known.append((digest, at))
                media_type = _media_type(image.handle)
                suffix = {"image/jpeg": "jpg", "image/jp2": "jp2"}.get(media_type, "png")
                self.found.append(
                    Embed(
                        kind="image",
                        id=at,
                        name=f"image{at + 1}.{suffix}",
                        media_type=media_type,
                        ref=f"{_IMAGE}:{number}:{'.'.join(map(str, image.path))}",
                        size=size if suffix != "png" else 0,
                        width=width.value,
                        height=height.value,
                        part=number,
                    )
                )
                self.uses.append(0)
            ids[image.path] = at
            if at not in counted:
                counted.add(at)
                self.uses[at] += 1
        return PageImages(ids)


def attachment_embeds(attachments: list[Attachment]) -> list[Embed]:
    """Attached files as embedded objects, numbered from 0."""
    return [
        Embed(kind="attachment", id=at, name=a.name, media_type=a.media_type, ref=f"{_FILE}:{a.place}", size=a.size)
        for at, a in enumerate(attachments)
    ]


def _media_type(image: int) -> str:
    """The type the bytes will have: JPEG and JPEG 2000 are handed out as they are, all else as PNG."""
    filters = [raw.string(raw.image_filter, image, at, encoding="utf-8") for at in range(raw.image_filters(image))]
    if filters in (["DCTDecode"], ["DCT"]):
        return "image/jpeg"
    return "image/jp2" if filters == ["JPXDecode"] else "image/png"


def open_embedded(source: Source, ref: str, limits: Limits) -> Payload:
    """The bytes behind `ref`.

    Raises:
        NotFoundError: the document holds nothing under `ref` (it changed, or the reference is not ours).
        LimitError: the image has more pixels than `limits.max_pixels`, or the file more bytes than allowed."""
    kind, _, place = ref.partition(":")
    with opened(source, limits, forms=False) as document:
        page, _, path = place.partition(":")
        if kind == _FILE and page.isdecimal() and not path:
            return _open_file(raw.get_attachment(document.handle, int(page)) or 0, place, source, limits)
        if kind == _FILE and page.isdecimal() and path.isdecimal():
            with loaded(document, int(page) - 1) as handle, annotation_at(handle, int(path)) as note:
                return _open_file((raw.annotation_file(note) or 0) if note else 0, place, source, limits)
        if kind == _IMAGE and page.isdecimal() and all(step.isdecimal() for step in path.split(".")):
            with loaded(document, int(page) - 1) as handle:
                image = _follow(handle, [int(step) for step in path.split(".")]) if handle else 0
                if image:
                    return _open_image(image, source, limits)
    raise NotFoundError(f"{source.name} holds nothing under {ref}.")


def _open_file(handle: int, place: str, source: Source, limits: Limits) -> Payload:
    attachment = read_attachment(handle, place)
    if attachment is None:
        raise NotFoundError(f"{source.name} has no attached file {place}.")
    if attachment.size > limits.max_expanded_bytes:
        raise LimitError(f"{attachment.name} in {source.name} is larger than max_expanded_bytes allows.")
    buffer = ctypes.create_string_buffer(max(attachment.size, 1))
    written = ctypes.c_ulong()
    raw.attachment_file(handle, buffer, attachment.size, written)
    return Payload(buffer.raw[: attachment.size], attachment.media_type, attachment.name)


def _follow(page: int, path: list[int]) -> int:
    """The page object at the end of a path through nested forms; 0 where it leads nowhere."""
    if path[0] >= raw.count_objects(page):
        return 0
    handle = raw.get_object(page, path[0]) or 0
    for step in path[1:]:
        if not handle or raw.object_type(handle) != raw.FORM or step >= raw.count_form_objects(handle):
            return 0
        handle = raw.get_form_object(handle, step) or 0
    return handle if handle and raw.object_type(handle) == raw.IMAGE else 0


def _open_image(image: int, source: Source, limits: Limits) -> Payload:
    width, height = ctypes.c_uint(), ctypes.c_uint()
    raw.image_size(image, width, height)
    media_type = _media_type(image)
    if media_type != "image/png":
        data = raw.octets(raw.image_raw, image)
        suffix = "jpg" if media_type == "image/jpeg" else "jp2"
        return Payload(data, media_type, f"image.{suffix}", width.value, height.value)
    if width.value * height.value > limits.max_pixels:
        raise LimitError(
            f"An image in {source.name} has {width.value:,} × {height.value:,} pixels;"
            f" max_pixels is {limits.max_pixels:,}."
        )
    bitmap = raw.image_bitmap(image) or 0
    if not bitmap:
        raise NotFoundError(f"An image in {source.name} cannot be decoded.")
    try:
        picture = bitmap_image(bitmap)
    finally:
        raw.free_bitmap(bitmap)
    return Payload(png(picture), "image/png", "image.png", picture.width, picture.height)


def bitmap_image(bitmap: int) -> Image.Image:
    """A pdfium bitmap as a Pillow image of its own memory."""
    width, height, stride = raw.bitmap_width(bitmap), raw.bitmap_height(bitmap), raw.bitmap_stride(bitmap)
    data = ctypes.string_at(raw.bitmap_buffer(bitmap), stride * height)
    kind = raw.bitmap_format(bitmap)
    if kind == _GRAY:
        return Image.frombytes("L", (width, height), data, "raw", "L", stride, 1)
    if kind == _BGRA:
        return Image.frombytes("RGBA", (width, height), data, "raw", "BGRA", stride, 1)
    order = "BGR" if kind == _BGR else "BGRX"
    return Image.frombytes("RGB", (width, height), data, "raw", order, stride, 1)


def png(picture: Image.Image) -> bytes:
    """The picture as PNG, compressed lightly: pages are drawn while someone waits."""
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=4)
    return out.getvalue()
