"""Reads a Pages, Keynote or Numbers document: chapters, slides, or a sheet a table; of iWork '09 and before, whose
packages hold one XML file, text by paragraphs (Apple's "iWork Programming Guide", 2005, since withdrawn)."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from sidecar.api.errors import DamagedError, NotFoundError
from sidecar.api.formats import Limits, Payload, Source
from sidecar.api.model import AnyBlock, Heading, ListItem, Note, Notice, Paragraph, ParsedDocument, Part, Table
from sidecar.toolkit.markup.chapters import elements_of, place_embeds, split_chapters
from sidecar.toolkit.markup.grid import table_windows
from sidecar.toolkit.markup.pictures import payload
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.visible import hidden_notice
from sidecar.toolkit.word.conventions import role
from sidecar.toolkit.xml import XmlElement, parse_xml, unsigned, unzipped
from sidecar_iwork.drawables import Drawables
from sidecar_iwork.objects import Objects
from sidecar_iwork.text import NAMED_HEADING, STORAGES
from sidecar_iwork.wire import Message

_PACKED = ".gz"
_KEYNOTE_1, _KEYNOTE = "presentation.apxl", "index.apxl"
_INDEXES = tuple(name + end for name in ("index.xml", _KEYNOTE, _KEYNOTE_1) for end in ("", _PACKED))
_SF, _SFA = "{http://developer.apple.com/namespaces/sf}", "{http://developer.apple.com/namespaces/sfa}"
_KEY = "{http://developer.apple.com/namespaces/keynote2}"
_PLACES = (f"{_KEY}title-placeholder", f"{_KEY}body-placeholder")
_P, _GRID, _ATTACHMENT = f"{_SF}p", f"{_SF}grid", f"{_SF}attachment"
_BETWEEN = {f"{_SF}br": "\n", f"{_SF}lnbr": "\n", f"{_SF}crbr": "\n", f"{_SF}tab": "\t"}
"""What stands for a break between words."""
_STYLE, _STORAGE = f"{_SF}paragraphstyle", f"{_SF}text-storage"
_LEFT_OUT = frozenset((f"{_SF}stylesheet", f"{_KEY}theme-list", f"{_KEY}master-slides", f"{_SF}prototype-drawables"))
_MAX_COLUMNS = 1000


def _parse_legacy(source: Source, package: Package, index: str, limits: Limits) -> ParsedDocument:
    """The whole document. Raises DamagedError."""
    root, index = _root(package, index, limits), index.removesuffix(_PACKED)
    if index == _KEYNOTE_1 and root.tag == "presentation":
        slides = [slide for listed in root.iter("slide-list") for slide in listed.iter("slide")]
        parts = tuple(map(_first_slide, slides[: limits.max_parts]))
        return ParsedDocument(metadata={"application": "Keynote"}, parts=parts, elements=elements_of(parts))
    if not root.tag.startswith("{http://developer.apple.com/namespaces/"):
        raise DamagedError(f"{source.name} is not a Pages, Keynote or Numbers document, whatever its name says.")
    styles = {
        style.get(f"{_SFA}ID", ""): style.get(f"{_SF}name") or style.get(f"{_SF}ident") or ""
        for style in root.iter(_STYLE)
    }
    title = ""
    if index == _KEYNOTE:
        slides = [slide for listed in root.iter(f"{_KEY}slide-list") for slide in listed.iter(f"{_KEY}slide")]
        parts = tuple(_slide(slide, styles) for slide in slides[: limits.max_parts])
        application = "Keynote"
    else:
        chapters = split_chapters([*_blocks(root, styles)], "", limits.max_parts)
        title, parts = chapters.title, chapters.parts
        application = "Numbers" if source.suffix == ".numbers" else "Pages"
    return ParsedDocument(
        title=title, metadata={"application": application}, parts=parts, elements=elements_of(parts),
        notices=tuple(_unseen_notices(parts)),
    )  # fmt: skip


def _root(package: Package, index: str, limits: Limits) -> XmlElement:
    """The document's XML. Raises DamagedError, LimitError."""
    if not index.endswith(_PACKED):
        return package.xml(index)
    return parse_xml(unzipped(package.read(index), f"{index} in the package", limits), index)


def _first_slide(slide: XmlElement) -> Part:
    """A slide of Keynote 1: its title and bullets, then the texts on it."""
    blocks: list[AnyBlock] = []
    title = ""
    for bullet in slide.iter("bullet"):
        level = bullet.get("level", "")
        text = "\n".join(filter(None, map(_text, bullet.iter("content"))))
        if level == "0":
            title = title or text
            blocks.append(Heading(text=text.replace("\n", " ")))
        elif text:
            blocks.append(ListItem(text=text, level=max(unsigned(level, 1) - 1, 0), marker="•"))
    drawn = (text for group in slide.iter("drawables") for content in group.iter("content") if (text := _text(content)))
    blocks += [Paragraph(text=text) for text in drawn]
    speaker_text = "\n".join(filter(None, (_text(notes) for notes in slide.iter("notes"))))
    if speaker_text:
        blocks.append(Note(kind="speaker", text=speaker_text))
    return Part(kind="slide", title=title, blocks=tuple(blocks))


def _slide(slide: XmlElement, styles: dict[str, str]) -> Part:
    blocks: list[AnyBlock] = []
    unseen = dict.fromkeys(_unseen_places(slide))
    title = ""
    for part in slide.iter(f"{_KEY}title-placeholder"):
        if part not in unseen:
            title = " ".join(_text(paragraph) for paragraph in part.iter(_P)).strip()
    if title:
        blocks.append(Heading(text=title))
    notes = [paragraph for part in slide.iter(f"{_KEY}notes") for paragraph in part.iter(_P)]
    for part in unseen:
        blocks += [replace(block, hidden=True) for block in _blocks(part, styles)]
        part.clear()
    blocks += _blocks(slide, styles, left_out=frozenset((f"{_KEY}title-placeholder", f"{_KEY}notes")))
    speaker_text = "\n".join(filter(None, map(_text, notes)))
    if speaker_text:
        blocks.append(Note(kind="speaker", text=speaker_text))
    return Part(kind="slide", title=title, blocks=tuple(blocks), hidden=slide.get(f"{_KEY}hidden") == "true")


def _unseen_places(slide: XmlElement) -> Iterator[XmlElement]:
    """The places for a title and a text that a slide has, but draws in none of its layers: what stands in them is what
    the program writes into new ones, or was left there when they were switched off."""
    drawn = list(slide.iter(f"{_SF}drawables"))
    shown = {node.get(f"{_SFA}IDREF") for layer in drawn for node in layer}
    for place in slide.iter(*_PLACES) if drawn else ():
        if place.get(f"{_SFA}ID") not in shown and next(place.iterancestors(f"{_SF}drawables"), None) is None:
            yield place


def _blocks(node: XmlElement, styles: dict[str, str], left_out: frozenset[str] = frozenset()) -> Iterator[AnyBlock]:
    """Paragraphs and tables below a node, in the order of the file."""
    stack = [node]
    while stack:
        one = stack.pop()
        if not isinstance(one.tag, str) or one.tag in _LEFT_OUT or one.tag in left_out:
            continue
        if one.tag == _P:
            yield from _paragraph(one, styles)
            stack += reversed(list(one.iter(_ATTACHMENT)))
        elif one.tag == _GRID:
            yield from _table(one)
        elif one.tag == _STORAGE and one.get(f"{_SF}kind") in ("header", "footer"):
            text = "\n".join(filter(None, map(_text, one.iter(_P))))
            if text:
                yield Note(kind="header" if one.get(f"{_SF}kind") == "header" else "footer", text=text)
        else:
            stack += reversed(one)


def _paragraph(paragraph: XmlElement, styles: dict[str, str]) -> Iterator[AnyBlock]:
    text = _text(paragraph)
    if not text:
        return
    name = styles.get(paragraph.get(f"{_SF}style", ""), "")
    heading = NAMED_HEADING.match(name)
    if heading:
        yield Heading(text=text, level=min(int(heading[2] or 1), 6))
    else:
        yield Paragraph(text=text, style=role(name))


def _text(paragraph: XmlElement) -> str:
    """The words of a paragraph, without those of what is attached to it."""
    out: list[str] = [paragraph.text or ""]
    stack = [iter(paragraph)]
    tails = [""]
    while stack:
        child = next(stack[-1], None)
        if child is None:
            stack.pop()
            out.append(tails.pop())
            continue
        tail = child.tail or ""
        if not isinstance(child.tag, str) or child.tag in _BETWEEN or child.tag == _ATTACHMENT:
            out.append(_BETWEEN.get(str(child.tag), "") + tail)
            continue
        out.append(child.text or "")
        stack.append(iter(child))
        tails.append(tail)
    return "".join(out).strip()


def _table(grid: XmlElement) -> Iterator[AnyBlock]:
    wide = unsigned(grid.get(f"{_SF}numcols"))
    source = next(iter(grid.iter(f"{_SF}datasource")), None)
    if source is None or not 0 < wide <= _MAX_COLUMNS:
        return
    cells = [_cell(cell) for cell in source if isinstance(cell.tag, str)]
    rows = [cells[at : at + wide] for at in range(0, len(cells), wide)]
    if any(map(any, rows)):
        yield from table_windows(rows, header_rows=1 if len(rows) > 1 else 0)


def _cell(cell: XmlElement) -> str:
    shown = next((node.get(f"{_SFA}s") for node in cell.iter(f"{_SF}ct") if node.get(f"{_SFA}s")), None)
    if shown is None:
        shown = "\n".join(filter(None, map(_text, cell.iter(_P))))
    return shown or cell.get(f"{_SF}v") or cell.get(f"{_SF}cell-date") or ""


_PAGES_DOCUMENT, _DOCUMENT, _SHOW, _NODE, _SLIDE = 10_000, 1, 2, 4, 5
_BODY, _HEADER, _TEXTBOX = 0, 1, 3
"""Kinds of storages (`TSWP.StorageArchive.KindType`)."""


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The whole document. Raises FormatError."""
    source.check_size(limits)
    with Package(source, limits) as package:
        index = next((name for name in _INDEXES if name in package), "")
        if index:
            return _parse_legacy(source, package, index, limits)
        objects = Objects(source, package, limits)
        drawables = Drawables(objects, package, limits.max_embedded)
        pages = next(iter(objects.of_kind(_PAGES_DOCUMENT)), 0)
        document = next(iter(objects.of_kind(_DOCUMENT)), 0)
        title = ""
        if pages:
            application = "Pages"
            chapters = split_chapters(_text_document(objects, drawables, pages), "", limits.max_parts)
            title, parts = chapters.title, chapters.parts
        elif document and objects.of_kind(_NODE) and objects.get(objects.get(document).ref(2)).kind == _SHOW:
            application = "Keynote"
            parts = _slides(objects, drawables, objects.get(objects.get(document).ref(2)), limits)
        elif document:
            application = "Numbers"
            parts = _sheets(objects, drawables, objects.get(document), limits)
        else:
            raise DamagedError(f"{source.name} is not a Pages, Keynote or Numbers document, whatever its name says.")
        notices: list[Notice] = []
        if objects.skipped:
            names = ", ".join(objects.skipped[:3]) + ", …" * (len(objects.skipped) > 3)
            notices.append(Notice("damaged_part", f"{len(objects.skipped)} pieces cannot be read: {names}."))
        return ParsedDocument(
            title=title, metadata={"application": application}, parts=parts,
            elements=elements_of(parts, drawables.embedded), embedded=place_embeds(parts, drawables.embedded),
            notices=(*notices, *_unseen_notices(parts), *drawables.pictures.notices()),
        )  # fmt: skip


def _unseen_notices(parts: Sequence[Part]) -> Iterator[Notice]:
    hidden = [str(number) for number, part in enumerate(parts, 1) if part.hidden]
    if hidden:
        yield Notice("hidden_content", f"Skipped slides: {', '.join(hidden[:20])}.")
    yield from hidden_notice(block for part in parts for block in part.blocks)


def open_embedded(source: Source, ref: str, limits: Limits) -> Payload:
    """A picture or film by its path in the package. Raises NotFoundError."""
    with Package(source, limits) as package:
        if ref not in package:
            raise NotFoundError(f"{source.name} holds no file {ref!r}.")
        return payload(package.read(ref), "", ref.rpartition("/")[2])


def _text_document(objects: Objects, drawables: Drawables, number: int) -> list[AnyBlock]:
    """Pages: the body, what floats on its pages, text boxes found no other way, then headers and footers."""
    document = objects.get(number)
    blocks = drawables.storage(document.ref(4))
    for group in objects.get(document.ref(3)).messages(1):
        for field in (2, 3, 4):
            for entry in group.messages(field):
                blocks += drawables.blocks(entry.ref(1))
    for storage in _left(objects, drawables, _BODY, _TEXTBOX):
        blocks += drawables.storage(storage)
    edges = dict.fromkeys(drawables.texts.plain(storage).strip() for storage in _left(objects, drawables, _HEADER))
    return [*blocks, *(Note(kind="header", text=text) for text in edges if text)]


def _left(objects: Objects, drawables: Drawables, *kinds: int) -> Iterator[int]:
    """The storages of these kinds that belong to the document and were not read yet."""
    for number in objects.of_kind(*STORAGES):
        stored = objects.get(number)
        if stored.number(1) in kinds and stored.number(10) and stored.texts(3) and number not in drawables.seen:
            yield number


def _slides(objects: Objects, drawables: Drawables, show: Message, limits: Limits) -> tuple[Part, ...]:
    tree = show.message(3)
    nodes = tree.refs(2) or [*_descendants(objects, tree.ref(1))]
    size = show.message(4)
    parts: list[Part] = []
    for number in nodes[: limits.max_parts]:
        node = objects.get(number)
        slide = objects.get(node.ref(2))
        if node.kind != _NODE or slide.kind != _SLIDE:
            continue
        title = " ".join(drawables.words(slide.ref(5)).split())
        blocks: list[AnyBlock] = [Heading(text=title)] if title else []
        for drawable in dict.fromkeys([slide.ref(6), slide.ref(30), *slide.refs(42), *slide.refs(7)]):
            if drawable and drawable != slide.ref(20):
                blocks += drawables.blocks(drawable)
        speaker_text = drawables.texts.plain(objects.get(slide.ref(27)).ref(1))
        if speaker_text:
            blocks.append(Note(kind="speaker", text=speaker_text))
        parts.append(
            Part(
                kind="slide", title=title, blocks=tuple(blocks), hidden=bool(node.number(4)), width=size.single(1),
                height=size.single(2),
            )
        )  # fmt: skip
    return tuple(parts)


def _descendants(objects: Objects, root: int) -> Iterator[int]:
    """The nodes below one, in their order: how the tree was kept once. A file may nest them as deep as it has nodes."""
    seen: set[int] = set()
    waiting = [iter(objects.get(root).refs(1))]
    while waiting:
        child = next(waiting[-1], None)
        if child is None:
            waiting.pop()
        elif child not in seen:
            seen.add(child)
            yield child
            waiting.append(iter(objects.get(child).refs(1)))


def _sheets(objects: Objects, drawables: Drawables, document: Message, limits: Limits) -> tuple[Part, ...]:
    """Numbers: a part for each table, since each has cells of its own names; what else is on a sheet goes first."""
    parts: list[Part] = []
    for number in document.refs(1):
        sheet = objects.get(number)
        name = sheet.text(1)
        others: list[AnyBlock] = []
        tables: list[list[AnyBlock]] = []
        for drawable in sheet.refs(2):
            blocks = drawables.blocks(drawable)
            if blocks and isinstance(blocks[0], Table):
                tables.append(blocks)
            else:
                others += blocks
        for place, blocks in enumerate(tables or [[]]):
            shown = blocks if place else [*others, *blocks]
            table = next((block for block in blocks if isinstance(block, Table)), None)
            own = f"{name} – {table.caption}" if table is not None and table.caption and len(tables) > 1 else name
            if shown or not parts:
                parts.append(Part(kind="sheet", name=own, title=own, blocks=tuple(shown)))
    return tuple(parts[: limits.max_parts])
