"""Footnotes of a Word file, in a part of their own (ECMA-376 part 1 §17.11), which python-docx does not write."""

from collections.abc import Iterator, Sequence
from typing import Any

from docx.enum.style import WD_STYLE_TYPE
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.parts.story import StoryPart
from docx.shared import Pt
from docx.text.paragraph import Paragraph

from sidecar.api import AnyBlock, Note, Span, Table

KINDS = ("footnote", "endnote")
_SEPARATORS = (("separator", -1), ("continuationSeparator", 0))
"""What Word draws between text and notes, and the numbers it gives them."""


class Notes:
    """The notes of a text, found by where it refers to them; several documents of one export count from 1 each."""

    def __init__(self, blocks: Sequence[AnyBlock]) -> None:
        self._by_id: dict[str, list[tuple[int, Note]]] = {}
        for at, block in enumerate(blocks):
            if isinstance(block, Note) and block.kind in KINDS:
                self._by_id.setdefault(block.id, []).append((at, block))
        self._referred = {
            id(note)
            for at, block in enumerate(blocks)
            for span in _spans(block)
            if span.kind == "note" and (note := self.find(span.value, at)) is not None
        }

    def find(self, number: str, at: int) -> Note | None:
        """The note that block `at` calls `number`: the next one of that number, else the last before."""
        known = self._by_id.get(number, ())
        return next((note for place, note in known if place >= at), known[-1][1] if known else None)

    def unreferred(self) -> list[Note]:
        """Notes that nothing in the text refers to, in order."""
        placed = sorted((place, note) for known in self._by_id.values() for place, note in known)
        return [note for _, note in placed if id(note) not in self._referred]


def _spans(block: AnyBlock) -> Iterator[Span]:
    yield from getattr(block, "spans", ())
    for cell in block.cells if isinstance(block, Table) else ():
        yield from cell.spans


class FootnotesPart:
    """The part, made when the first note is written."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self._part: Any = None
        self._numbers: dict[int, int] = {}

    def number(self, note: Note) -> int | None:
        """The number a note was given; None for one that is not written yet."""
        return self._numbers.get(id(note))

    def paragraphs(self, note: Note) -> list[Any]:
        """Empty paragraphs for the lines of a note, the first behind its mark, to be filled."""
        if self._part is None:
            self._part = self._made()
        self._numbers[id(note)] = number = len(self._numbers) + 1
        node = OxmlElement("w:footnote")
        node.set(qn("w:id"), str(number))
        self._part.element.append(node)
        made: list[Any] = []
        for line in range(note.text.count("\n") + 1):
            node.append(OxmlElement("w:p"))
            paragraph: Any = Paragraph(node[-1], self._part)
            paragraph.style = "footnote text"
            if not line:
                paragraph.add_run(style="footnote reference")._r.append(OxmlElement("w:footnoteRef"))
                paragraph.add_run(" ")
            made.append(paragraph)
        return made

    def _made(self) -> Any:
        styles = self._document.styles
        text = styles.add_style("footnote text", WD_STYLE_TYPE.PARAGRAPH)
        text.font.size, text.paragraph_format.space_after = Pt(9), Pt(0)
        styles.add_style("footnote reference", WD_STYLE_TYPE.CHARACTER).font.superscript = True
        root = OxmlElement("w:footnotes")
        kept = OxmlElement("w:footnotePr")
        for kind, number in _SEPARATORS:
            note, line, run = OxmlElement("w:footnote"), OxmlElement("w:p"), OxmlElement("w:r")
            note.set(qn("w:type"), kind)
            note.set(qn("w:id"), str(number))
            run.append(OxmlElement(f"w:{kind}"))
            line.append(run)
            note.append(line)
            root.append(note)
            kept.append(OxmlElement("w:footnote"))
            kept[-1].set(qn("w:id"), str(number))
        self._document.settings.element.find(qn("w:compat")).addprevious(kept)
        main = self._document.part
        part = StoryPart(PackURI("/word/footnotes.xml"), CONTENT_TYPE.WML_FOOTNOTES, root, main.package)
        main.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
        return part
