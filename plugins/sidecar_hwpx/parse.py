"""Reads an OWPML document (KS X 6101, and what Hancom writes), or an older one written as such: facts, styles, and
sections as blocks. Elements are told by their local names: only the namespaces changed from version to version."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sidecar.api import DamagedError, EncryptedError, Limits, Source
from sidecar.api.model import (
    AnyBlock,
    Equation,
    Figure,
    Heading,
    ListItem,
    Merge,
    Note,
    NoteKind,
    Notice,
    Paragraph,
    ParsedDocument,
    Span,
    SpanKind,
)
from sidecar.toolkit.markup.chapters import elements_of, place_embeds, split_chapters
from sidecar.toolkit.markup.grid import table_windows
from sidecar.toolkit.markup.inline import Inline
from sidecar.toolkit.metafiles.figures import with_drawn_words
from sidecar.toolkit.ooxml.embeds import EmbedRegister
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.visible import hidden_notice
from sidecar.toolkit.xml import XmlElement, local_name, unsigned, words_of
from sidecar_hwpx.hwp import packed

_MIN_HEIGHT = 200
"""Hundredths of a point: smaller type is not meant to be read."""
_MAX_DEPTH = 40
"""Tables and boxes in one another."""
_MAX_PLACES = 200
"""Places of a table for each cell there is: two cells may say that they stand ten thousand rows and columns apart."""
_BREAKS = {"lineBreak": "\n", "tab": "\t", "nbSpace": "\u00a0", "fwSpace": " ", "hyphen": "-"}
_MARKS: Mapping[str, SpanKind] = {"bold": "bold", "italic": "italic", "underline": "underline", "strikeout": "strike"}
_NOTES: Mapping[str, NoteKind] = {
    "footNote": "footnote", "endNote": "endnote", "header": "header", "footer": "footer", "hiddenComment": "comment",
}  # fmt: skip
_CHANGES: Mapping[str, SpanKind] = {"insert": "ins", "delete": "del"}


@dataclass(frozen=True)
class HeaderProperties:
    """Outline levels, list markers and characters' looks by their ids, and who made which change."""

    levels: Mapping[str, int] = field(default_factory=dict[str, int])
    lists: Mapping[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])
    marks: Mapping[str, tuple[SpanKind, ...]] = field(default_factory=dict[str, tuple[SpanKind, ...]])
    changes: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])

    @classmethod
    def of(cls, head: XmlElement | None) -> "HeaderProperties":
        """As the header says."""
        found = cls({}, {}, {}, {})
        if head is None:
            return found
        levels, lists, marks, changes = dict(found.levels), dict(found.lists), dict(found.marks), dict(found.changes)
        authors = {
            one.get("id", ""): one.get("name", "") for one in head.iter() if local_name(one) == "trackChangeAuthor"
        }
        for one in head.iter():
            key, name = one.get("id", "") if isinstance(one.tag, str) else "", local_name(one)
            if name == "paraPr":
                heading = next((child for child in one if local_name(child) == "heading"), None)
                kind = heading.get("type", "") if heading is not None else ""
                level = unsigned(heading.get("level")) if heading is not None and kind else 0
                if kind == "OUTLINE":
                    levels[key] = min(level + 1, 9)
                elif kind in ("NUMBER", "BULLET"):
                    lists[key] = (kind, level)
            elif name == "charPr":
                marks[key] = _marks(one)
            elif name == "trackChange":
                changes[key] = (authors.get(one.get("authorID", ""), ""), one.get("date", ""))
        return cls(levels, lists, marks, changes)


def _marks(properties_id: XmlElement) -> tuple[SpanKind, ...]:
    found: list[SpanKind] = []
    for child in properties_id:
        kind = _MARKS.get(local_name(child))
        if kind and child.get("type", child.get("shape", "")) not in ("NONE",):
            found.append(kind)
    if unsigned(properties_id.get("height"), _MIN_HEIGHT) < _MIN_HEIGHT:
        found.append("hidden")
    return tuple(found)


class _BodyReader:
    """Blocks so far. `files` are the package's files by id, for pictures."""

    def __init__(self, properties: HeaderProperties, files: Mapping[str, str], embeds: EmbedRegister) -> None:
        self.blocks: list[AnyBlock] = []
        self._properties, self._files, self._embeds = properties, files, embeds
        self._notes = self._depth = 0
        self._fields: dict[str, tuple[int, str]] = {}
        """Where each open field begins, and what it leads to, by its id."""
        self._change: tuple[int, str] | None = None
        self._numbers: dict[str, int] = {}

    def section(self, root: XmlElement) -> None:
        """Everything of a section, in order."""
        for node in root:
            if local_name(node) == "p":
                self._paragraph(node)

    def _paragraph(self, node: XmlElement) -> None:
        line, after = Inline(), list[AnyBlock]()
        self._fields, self._change = {}, None
        for run in node:
            if local_name(run) != "run":
                continue
            start = line.length
            for child in run:
                self._child(child, line, after)
            for kind in self._properties.marks.get(run.get("charPrIDRef", ""), ()):
                line.span(kind, start)
        text, spans = line.finish_line()
        if text:
            self.blocks.append(self._block(node.get("paraPrIDRef", ""), text, spans))
        self.blocks += after

    def _block(self, properties_id: str, text: str, spans: tuple[Span, ...]) -> AnyBlock:
        if properties_id in self._properties.levels:
            return Heading(text=text.replace("\n", " "), spans=spans, level=self._properties.levels[properties_id])
        if properties_id not in self._properties.lists:
            self._numbers.clear()
            return Paragraph(text=text, spans=spans)
        kind, level = self._properties.lists[properties_id]
        number = self._numbers[properties_id] = self._numbers.get(properties_id, 0) + 1
        ordered = kind == "NUMBER"
        return ListItem(text=text, spans=spans, level=level, ordered=ordered, marker=f"{number}." if ordered else "•")

    def _child(self, node: XmlElement, line: Inline, after: list[AnyBlock]) -> None:
        name = local_name(node)
        if name == "t":
            self._text(node, line)
        elif name == "ctrl":
            for control in node:
                self._control(control, line, after)
        elif name == "tbl":
            after += self._table(node)
        elif name == "equation":
            script = next((one.text or "" for one in node if local_name(one) == "script"), "").strip()
            after += [Equation(text=script, latex="")] if script else []
        elif name == "pic":
            after += self._picture(node)
        elif name not in ("secPr", "linesegarray"):
            after += self._drawn(node)

    def _text(self, node: XmlElement, line: Inline) -> None:
        line.add_exact(node.text or "")
        for child in node:
            name = local_name(child)
            line.add_exact(_BREAKS.get(name, ""))
            for change, kind in _CHANGES.items():
                if name == f"{change}Begin":
                    self._change = line.length, child.get("TcId", "")
                elif name == f"{change}End" and self._change:
                    author, date = self._properties.changes.get(self._change[1], ("", ""))
                    line.span(kind, self._change[0], author, date)
                    self._change = None
            line.add_exact(child.tail or "")

    def _control(self, node: XmlElement, line: Inline, after: list[AnyBlock]) -> None:
        name = local_name(node)
        if name in _NOTES:
            self._notes += 1
            kind, key = _NOTES[name], f"{name}-{self._notes}"
            text = self._words(node)
            if text and kind in ("footnote", "endnote"):
                start = line.length
                line.add_exact(f"[{node.get('number') or self._notes}]")
                line.span("note", start, key)
            after += [Note(kind=kind, id=key, text=text)] if text else []
        elif name == "fieldBegin":
            given = {one.get("name", ""): one.text or "" for one in node.iter() if local_name(one).endswith("Param")}
            kind = node.get("type", "")
            if kind == "MEMO" and (text := self._words(node)):
                self._notes += 1
                after.append(Note(kind="comment", id=f"memo-{self._notes}", text=text, author=given.get("Author", ""),
                                  date=given.get("CreateDateTime", "")))  # fmt: skip
            target = given.get("Path") or given.get("Command", "").partition(";")[0].replace("\\:", ":")
            self._fields[node.get("id", "")] = line.length, target if kind == "HYPERLINK" else ""
        elif name == "fieldEnd":
            start, target = self._fields.pop(node.get("beginIDRef", ""), (0, ""))
            if target:
                line.span("link", start, target)

    def _inside(self, node: XmlElement) -> list[AnyBlock]:
        """The blocks of the paragraphs in a cell, a note or a box."""
        inner = _BodyReader(self._properties, self._files, self._embeds)
        inner._depth, inner._notes = self._depth + 1, self._notes + 1000 * (self._depth + 1)
        if inner._depth >= _MAX_DEPTH:
            text = words_of(node)
            return [Paragraph(text=text)] if text else []
        for one in node.iter():
            if local_name(one) in ("subList", "paraList"):
                inner.section(one)
                break
        return inner.blocks

    def _words(self, node: XmlElement) -> str:
        return "\n".join(text for block in self._inside(node) if (text := getattr(block, "text", "")))

    def _table(self, node: XmlElement) -> list[AnyBlock]:
        cells: dict[tuple[int, int], str] = {}
        merges: list[Merge] = []
        heads, others = set[int](), list[AnyBlock]()
        for row in (one for one in node if local_name(one) == "tr"):
            for cell in (one for one in row if local_name(one) == "tc"):
                facts = {local_name(one): one for one in cell}
                at, size = facts.get("cellAddr"), facts.get("cellSpan")
                r, c = _number(at, "rowAddr"), _number(at, "colAddr")
                blocks = self._inside(cell)
                cells[r, c] = "\n".join(text for block in blocks if (text := getattr(block, "text", "")))
                others += [block for block in blocks if not getattr(block, "text", "")]
                high, wide = max(_number(size, "rowSpan"), 1), max(_number(size, "colSpan"), 1)
                if high > 1 or wide > 1:
                    merges.append(Merge(r, c, high, wide))
                if cell.get("header") == "1":
                    heads.add(r)
        if not any(cells.values()):
            return others
        height, width = max(r for r, _ in cells) + 1, max(c for _, c in cells) + 1
        if height * width > _MAX_PLACES * len(cells):  # numbers that are not places: the cells one after the other
            return [*table_windows([(text,) for text in cells.values()]), *others]
        rows = [tuple(cells.get((r, c), "") for c in range(width)) for r in range(height)]
        head = next((r for r in range(height) if r not in heads), height)
        caption = next((self._words(one) for one in node if local_name(one) == "caption"), "")
        merges = [one for one in merges if one.row + one.rows <= height and one.col + one.cols <= width]
        return [*table_windows(rows, header_rows=head, merges=merges, caption=caption), *others]

    def _picture(self, node: XmlElement) -> list[AnyBlock]:
        image = next((one for one in node.iter() if local_name(one) == "img"), None)
        target = self._files.get(image.get("binaryItemIDRef", ""), "") if image is not None else ""
        entry = self._embeds.file(target) if target else None
        comment = next((one.text or "" for one in node if local_name(one) == "shapeComment"), "").strip()
        caption = next((self._words(one) for one in node if local_name(one) == "caption"), "")
        return [Figure(embed=entry.key, alt=comment, caption=caption)] if entry is not None else []

    def _drawn(self, node: XmlElement) -> list[AnyBlock]:
        """What boxes and groups of shapes say."""
        found: list[AnyBlock] = []
        for one in node:
            name = local_name(one)
            if name == "drawText":
                found += self._inside(one)
            elif name == "pic":
                found += self._picture(one)
            elif name == "mainText" and one.text:
                found.append(Paragraph(text=one.text))
            elif len(one) and self._depth >= _MAX_DEPTH:
                found += [Paragraph(text=text)] if (text := words_of(one)) else []
            elif len(one):
                self._depth += 1
                found += self._drawn(one)
                self._depth -= 1
        return found


def _number(node: XmlElement | None, name: str) -> int:
    return min(unsigned(node.get(name)), 10_000) if node is not None else 0


_CONTENTS = "Contents/content.hpf"
_METADATA = {"creator": "author", "lastsaveby": "modified_by", "CreatedDate": "created",
             "ModifiedDate": "modified", "keyword": "keywords", "subject": "subject"}  # fmt: skip


@dataclass(frozen=True)
class _Contents:
    """What the package says of itself (OPF 2.0): facts, sections in order, and the files behind ids."""

    title: str
    facts: Mapping[str, str]
    sections: tuple[str, ...]
    files: Mapping[str, str]


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The document's chapters. Raises FormatError."""
    source = packed(source, limits)
    with Package(source, limits) as package:
        if "META-INF/manifest.xml" in package and b"encryption-data" in package.read("META-INF/manifest.xml"):
            raise EncryptedError(f"{source.name} is protected by a password; save a copy without one to index it.")
        contents = _contents(package, source)
        embeds = EmbedRegister(package, limits)
        head = package.xml("Contents/header.xml") if "Contents/header.xml" in package else None
        reader = _BodyReader(HeaderProperties.of(head), contents.files, embeds)
        notices: list[Notice] = []
        for name in contents.sections:
            try:
                reader.section(package.xml(name))
            except DamagedError as error:
                notices.append(Notice("damaged_part", f"A section could not be read: {error}"))
        embeds.add_unplaced()
        chapters = split_chapters(reader.blocks, contents.title, limits.max_parts)
        document = ParsedDocument(
            title=chapters.title, metadata=dict(contents.facts), parts=chapters.parts,
            elements=elements_of(chapters.parts), embedded=place_embeds(chapters.parts, embeds.done()),
            notices=(*notices, *hidden_notice(reader.blocks)),
        )  # fmt: skip
        return with_drawn_words(document, package.read)


def _contents(package: Package, source: Source) -> _Contents:
    if _CONTENTS not in package:
        sections = tuple(sorted(_named(package), key=lambda name: (len(name), name)))
        if not sections:
            raise DamagedError(f"{source.name} is a zip file but holds no Hancom document.")
        return _Contents("", {}, sections, {})
    root = package.xml(_CONTENTS)
    files = {one.get("id", ""): one.get("href", "") for one in _all(root, "item")}
    listed = (files.get(one.get("idref", ""), "") for one in _all(root, "itemref"))
    sections = tuple(dict.fromkeys(name for name in listed if "section" in name.lower() and name in package))
    facts: dict[str, str] = {}
    for one in _all(root, "meta"):
        key, text = _METADATA.get(one.get("name", ""), ""), (one.text or "").strip()
        if key and text:
            facts[key] = text
    title = next((one.text.strip() for one in _all(root, "title") if one.text), "")
    return _Contents(title, facts, sections or tuple(sorted(_named(package))), files)


def _named(package: Package) -> Iterator[str]:
    return (name for name in package.names() if name.lower().startswith("contents/section"))


def _all(root: XmlElement, name: str) -> Iterator[XmlElement]:
    return (one for one in root.iter() if local_name(one) == name)
