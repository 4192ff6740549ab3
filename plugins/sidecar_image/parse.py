"""Reads one picture file: a page for each frame that is a page (a TIFF's are; a GIF's are one film)."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field

from sidecar.api.errors import DamagedError, NotFoundError, UnsupportedError
from sidecar.api.formats import Limits, Payload, Source
from sidecar.api.model import AnyBlock, Element, Embed, Figure, Notice, Paragraph, ParsedDocument, Part
from sidecar.toolkit.metafiles import METAFILES, metafile_lines
from sidecar.toolkit.ocr import UNSURE_READING, picture_reader
from sidecar.toolkit.pictures import EXTENSIONS, HEAD_BYTES, ImageInfo, sniff_image, sniff_video_picture
from sidecar.toolkit.text import decode, without_surrogates
from sidecar.toolkit.unpacking import unpack
from sidecar.toolkit.visible import hidden_notice, visible

_MIN_PIXELS = 48
"""Icons: words of a readable size do not fit."""
_PAGE_WORDS = 100
"""What a page is taken to show whose words are read elsewhere, or not at all."""
_OCR_SHARE = 0.5
"""Of the time a parse may take, what OCR may use."""


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The picture as a document of pages. Raises FormatError."""
    info = _info(source, limits)
    if info.media_type == "image/svg+xml":
        return _drawing(source, info, limits)
    if info.media_type in METAFILES:
        return _metafile(source, info, limits)
    if info.media_type == "image/heic":
        raise UnsupportedError(f"{source.name} is a HEIC photo, which cannot be read here; save it as JPEG or PNG.")
    return _pixels(source, info, limits)


def open_embedded(source: Source, ref: str, limits: Limits) -> Payload:
    """The file itself, whose reference is "file". Raises NotFoundError for any other."""
    if ref != "file":
        raise NotFoundError(f"{source.name} is a picture and holds only itself.")
    info = _info(source, limits)
    data = source.read(limits.max_file_bytes)
    if data[:2] == b"\x1f\x8b":
        data = _unzipped(source, limits)
    return Payload(data, info.media_type, source.name, info.width, info.height)


def _info(source: Source, limits: Limits) -> ImageInfo:
    source.check_size(limits)
    head = source.head
    coded = sniff_video_picture(head)
    if coded:
        return ImageInfo(coded, 0, 0)
    data = _unzipped(source, limits) if head[:2] == b"\x1f\x8b" else source.read(limits.max_file_bytes)[:HEAD_BYTES]
    info = sniff_image(data[:HEAD_BYTES])
    if info is None:
        raise DamagedError(f"{source.name} is not a picture of a kind known here.")
    return info


def _unzipped(source: Source, limits: Limits) -> bytes:
    """A compressed drawing (.svgz), under the expansion limit."""
    most = min(limits.max_expanded_bytes, 64 * 2**20)
    return unpack(source.read(), most, source.name)


@dataclass(frozen=True)
class _Seen:
    """What reading found: a page a frame, metadata (title and description among it), remarks."""

    parts: tuple[Part, ...]
    metadata: dict[str, str] = field(default_factory=dict[str, str])
    notices: tuple[Notice, ...] = ()
    looks: str = ""


def _document(source: Source, seen: _Seen, info: ImageInfo, size: int) -> ParsedDocument:
    metadata, parts = seen.metadata, seen.parts
    name = source.name
    alt = metadata.get("title") or metadata.get("description") or ""
    embed = Embed(
        kind="image", id=0, name=name or f"image{EXTENSIONS.get(info.media_type, '')}", media_type=info.media_type,
        ref="file", size=size, width=info.width, height=info.height, alt=alt, part=1, block=1,
        looks=seen.looks,
    )  # fmt: skip
    seen_blocks = map(visible, parts[0].blocks)
    text = "\n".join(block.text for block in seen_blocks if isinstance(block, Paragraph) and block.text)
    element = Element(
        type="figure", label="Figure p1-1", generated=True, part=1, block=1, page=1, caption=alt, context=text[:600],
        text=text[:20_000], embed=("image", 0),
    )  # fmt: skip
    facts = {"width": str(info.width), "height": str(info.height)} if info.width else {}
    return ParsedDocument(
        title=metadata.get("title", ""), description=metadata.get("description", ""), media_type=info.media_type,
        metadata=facts | {key: value for key, value in metadata.items() if key not in ("title", "description")},
        parts=parts, elements=(element,), embedded=(embed,), notices=seen.notices,
    )  # fmt: skip


def _page(number: int, info: ImageInfo, alt: str, paragraphs: Sequence[Paragraph]) -> Part:
    """A page at 96 dpi: 0.75 points a pixel."""
    blocks: list[AnyBlock] = [Figure(embed=("image", 0), alt=alt, page=number)]
    blocks += paragraphs
    return Part(kind="page", blocks=tuple(blocks), width=info.width * 0.75, height=info.height * 0.75)


def _pixels(source: Source, info: ImageInfo, limits: Limits) -> ParsedDocument:
    from sidecar.toolkit.ocr.kinds import kind_and_colours
    from sidecar.toolkit.ocr.pictures import read_paragraphs, reading_errors, taken_by_camera
    from sidecar_image.drawing import open_image
    from sidecar_image.exif import read_facts
    from sidecar_image.pages import frames_of, is_page

    image = open_image(source, limits)
    metadata = read_facts(image)
    info = ImageInfo(info.media_type, image.width, image.height)
    frames = frames_of(image)
    worth = min(image.size) >= _MIN_PIXELS and not taken_by_camera(image)
    reader = picture_reader("", limits.max_seconds * _OCR_SHARE) if limits.ocr and worth else None
    notices: list[Notice] = []
    parts: list[Part] = []
    like = ""
    for number in range(1, min(frames, limits.max_parts) + 1):
        words: tuple[str, ...] = ()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                if number == 1:
                    image.load()
                else:
                    image.seek(number - 1)
                if reader and image.width * image.height <= limits.max_pixels:
                    words = read_paragraphs(reader, image)
                if number == 1 and image.width * image.height <= limits.max_pixels:
                    read = len(" ".join(words).split())
                    like = kind_and_colours(image, _PAGE_WORDS if reader is None and is_page(image) else read)
        except reading_errors() as error:
            if number == 1:
                raise DamagedError(f"{source.name} is a broken picture: {error}.") from error
            notices.append(Notice("damaged_part", f"Page {number} cannot be read: {error}."))
            break
        shape = ImageInfo(info.media_type, image.width, image.height)
        alt = metadata.get("title") or metadata.get("description") or "" if number == 1 else ""
        parts.append(_page(number, shape, alt, [Paragraph(text=text, page=number) for text in words]))
    if reader and any(len(part.blocks) > 1 for part in parts):
        errors = f"; {UNSURE_READING}" if reader.unsure else " and may hold mistakes."
        notices.append(Notice("ocr", f"The text was read from the picture by OCR{errors}"))
    if reader and (reader.failure or reader.seconds <= 0):
        why = reader.failure or "the time for OCR was used up"
        notices.append(Notice("no_text_layer", f"The picture could not be searched for all of its text: {why}."))
    return _document(source, _Seen(tuple(parts), metadata, tuple(notices), like), info, source.size)


def _drawing(source: Source, info: ImageInfo, limits: Limits) -> ParsedDocument:
    """An SVG drawing: its title, description and words (SVG 2 §5.8, §11)."""
    from sidecar.toolkit.markup.svg import read_svg
    from sidecar.toolkit.xml import outermost, parse_xml, words_of

    data = _unzipped(source, limits) if source.head[:2] == b"\x1f\x8b" else source.read(limits.max_file_bytes)
    size = len(data)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        data = decode(data, source.name).text.encode()
    root = parse_xml(data, source.name)
    nodes = [*root.iter("*")]  # held: for each that is let go of, lxml goes up through all that are above it
    for node in nodes:
        node.tag = node.tag.rpartition("}")[2].lower()
    metadata: dict[str, str] = {}
    for key, tag in (("title", "title"), ("description", "desc")):
        texts = (words_of(node) for node in outermost(root, tag))
        if text := next(filter(None, texts), ""):
            metadata[key] = text[:2000]
    alt = metadata.get("title") or metadata.get("description") or ""
    words: list[Paragraph] = []
    chars = 0
    for text, spans in read_svg(root):
        if chars < limits.max_text_chars:
            words.append(Paragraph(text=without_surrogates(text), spans=spans, page=1))
            chars += len(text)
    part = _page(1, info, alt, words)
    return _document(source, _Seen((part,), metadata, hidden_notice(words, 1)), info, size)


def _metafile(source: Source, info: ImageInfo, limits: Limits) -> ParsedDocument:
    """A Windows metafile: the words it draws."""
    lines = metafile_lines(source.read(limits.max_file_bytes))
    page = _page(1, info, "", [Paragraph(text=line, page=1) for line in lines])
    return _document(source, _Seen((page,)), info, source.size)
