"""Reads a Pages, Keynote or Numbers document: chapters, slides, or a sheet for each table."""

from collections.abc import Iterator

from sidecar.api import (
    AnyBlock,
    DamagedError,
    Heading,
    Limits,
    Note,
    NotFoundError,
    Notice,
    ParsedDocument,
    Part,
    Payload,
    Source,
    Table,
)
from sidecar.toolkit.markup.chapters import elements_of, place_embeds, split_chapters
from sidecar.toolkit.markup.pictures import payload
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.visible import hidden_notice
from sidecar_iwork.drawables import Drawables
from sidecar_iwork.legacy import INDEXES, parse_legacy
from sidecar_iwork.objects import Objects
from sidecar_iwork.text import STORAGES
from sidecar_iwork.wire import Message

_PAGES_DOCUMENT, _DOCUMENT, _SHOW, _NODE, _SLIDE = 10_000, 1, 2, 4, 5
_BODY, _HEADER, _TEXTBOX = 0, 1, 3
"""Kinds of storages (`TSWP.StorageArchive.KindType`)."""


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The whole document. Raises FormatError."""
    source.check_size(limits)
    with Package(source, limits) as package:
        index = next((name for name in INDEXES if name in package), "")
        if index:
            return parse_legacy(source, package, index, limits)
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
            raise DamagedError(f"{source.name} is no Pages, Keynote or Numbers document, whatever its name says.")
        notices: list[Notice] = []
        if objects.skipped:
            names = ", ".join(objects.skipped[:3]) + ", …" * (len(objects.skipped) > 3)
            notices.append(Notice("damaged_part", f"{len(objects.skipped)} pieces cannot be read: {names}."))
        hidden = [str(number) for number, part in enumerate(parts, 1) if part.hidden]
        if hidden:
            notices.append(Notice("hidden_content", f"Skipped slides: {', '.join(hidden[:20])}."))
        notices += hidden_notice(block for part in parts for block in part.blocks)
        return ParsedDocument(
            title=title,
            metadata={"application": application},
            parts=parts,
            elements=elements_of(parts, drawables.embedded),
            embedded=place_embeds(parts, drawables.embedded),
            notices=(*notices, *drawables.pictures.notices()),
        )


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
    nodes = tree.refs(2) or [*_descendants(objects, tree.ref(1), set())]
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
        said = drawables.texts.plain(objects.get(slide.ref(27)).ref(1))
        if said:
            blocks.append(Note(kind="speaker", text=said))
        parts.append(
            Part(
                kind="slide", title=title, blocks=tuple(blocks), hidden=bool(node.number(4)), width=size.single(1),
                height=size.single(2),
            )
        )  # fmt: skip
    return tuple(parts)


def _descendants(objects: Objects, number: int, seen: set[int]) -> Iterator[int]:
    """The nodes below one, in their order: how the tree was kept once."""
    for child in objects.get(number).refs(1):
        if child not in seen:
            seen.add(child)
            yield child
            yield from _descendants(objects, child, seen)


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
