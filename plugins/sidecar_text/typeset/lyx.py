"""Reads a document of LyX (.lyx): headings, paragraphs, items, listings, tables, formulas, notes, captions. What LyX
hands to TeX as it is stands as code; an author's own notes are hidden, as on the page.

After LyX's file format as the program writes it (lib/lyx2lyx, versions 2.0 to 2.4)."""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from sidecar.api import AnyBlock, Code, Equation, Figure, Heading, ListItem, Note, Paragraph, Span, Table

_HEADINGS: Final = {
    "Part": 1, "Chapter": 1, "Addchap": 1, "Section": 2, "Addsec": 2, "Subsection": 3, "Subsubsection": 4,
    "Paragraph": 5, "Subparagraph": 6, "Title": 1, "Frame": 2, "BeginFrame": 2,
}  # fmt: skip
_ITEMS: Final = frozenset(("Itemize", "Enumerate", "Description", "Labeling", "List", "Bibliography"))
_LISTINGS: Final = frozenset(("LyX-Code", "Verbatim", "Verbatim*", "Chunk", "Scrap", "Code"))
_FACTS: Final = {"Author": "author", "Date": "created", "Institute": "institute"}
_SPECIAL: Final = {
    "ldots": "…", "endofsentence": ".", "menuseparator": "⇒", "nobreakdash": "-", "slash": "/", "softhyphen": "",
    "ligaturebreak": "", "breakableslash": "/", "allowbreak": "", "LyX": "LyX", "TeX": "TeX", "LaTeX": "LaTeX",
    "LaTeX2e": "LaTeX2e",
}  # fmt: skip
_IN_LINE: Final = frozenset(("Flex", "Text", "Phantom", "script", "Preview"))
"""Insets that stand among the words of a line."""
_SPECIAL_CHARACTER: Final = re.compile(r"\\SpecialChar (\w+) ?")
_QUOTES: Final = {"ld": "“", "rd": "”", "ls": "‘", "rs": "’"}
_CELL: Final = re.compile(r"<cell\b")
_VALUE: Final = re.compile(r'(\w+)[ \t]+"?(.*?)"?$')
_MAX_DEPTH: Final = 60
"""Insets in one another; of deeper ones the text is read alone."""


@dataclass
class _OpenParagraph:
    """A paragraph that is being filled: its text, its formulas, and what stands behind it."""

    pieces: list[str] = field(default_factory=list[str])
    spans: list[Span] = field(default_factory=list[Span])
    after: list[AnyBlock] = field(default_factory=list[AnyBlock])
    length: int = 0

    def add(self, text: str) -> None:
        """More text."""
        self.pieces.append(text)
        self.length += len(text)

    def formula(self, latex: str) -> None:
        """A formula among the words."""
        self.spans.append(Span("math", self.length, self.length + len(latex), latex))
        self.add(latex)


def read_lyx(text: str) -> tuple[list[AnyBlock], dict[str, str]]:
    """The blocks of the document, and its title and author."""
    reader = _LyxReader(text.split("\n"))
    blocks = list(reader.flow("\\end_body", 0))
    return blocks, reader.facts


class _LyxReader:
    def __init__(self, lines: list[str]) -> None:
        starts = [at for at, line in enumerate(lines) if line.startswith("\\begin_body")]
        self._lines = iter(lines[starts[0] + 1 :] if starts else lines)
        self.facts: dict[str, str] = {}
        self._notes = 0

    def flow(self, ending: str, depth: int, level: int = 0) -> Iterator[AnyBlock]:
        """The blocks up to a line that ends them."""
        for line in self._lines:
            if line.startswith(ending):
                return
            if line.startswith("\\begin_layout"):
                yield from self._layout(line.partition(" ")[2].strip(), depth, level)
            elif line.startswith("\\begin_deeper"):
                level += 1
            elif line.startswith("\\end_deeper"):
                level = max(level - 1, 0)

    def _layout(self, name: str, depth: int, level: int) -> Iterator[AnyBlock]:
        line = self._filled(depth)
        raw = "".join(line.pieces)
        if name in _LISTINGS:
            yield Code(text=raw.strip("\n"))
            yield from line.after
            return
        lead = len(raw) - len(raw.lstrip())
        text = raw.strip()
        spans = tuple(Span(one.kind, one.start - lead, min(one.end - lead, len(text)), one.value) for one in line.spans)
        kind = name.rstrip("*")
        if kind == "Title" and depth == 0:
            self.facts.setdefault("title", text)
        elif kind in _FACTS and depth == 0:
            self.facts.setdefault(_FACTS[kind], text)
        if not text:
            pass
        elif kind in _HEADINGS and depth == 0:
            yield Heading(text=" ".join(text.split()), level=_HEADINGS[kind])
        elif kind in _ITEMS:
            ordered = kind == "Enumerate"
            yield ListItem(text=text, spans=spans, level=level, ordered=ordered, marker="1." if ordered else "•")
        else:
            yield Paragraph(text=text, spans=spans, style="quote" if kind.startswith("Quot") else "")
        yield from line.after

    def _filled(self, depth: int) -> _OpenParagraph:
        """The text of a paragraph up to its end, and what is inset in it."""
        filled = _OpenParagraph()
        for line in self._lines:
            if line.startswith("\\end_layout"):
                break
            if not line.startswith("\\"):
                filled.add(_SPECIAL_CHARACTER.sub(lambda found: _SPECIAL.get(found[1], ""), line))
                continue
            word, _, rest = line.partition(" ")
            if word == "\\begin_inset":
                self._inset(rest, filled, depth + 1)
            elif word == "\\backslash":
                filled.add("\\")
            elif word == "\\SpecialChar":
                filled.add(_SPECIAL.get(rest.strip("\\{} "), ""))
            elif word == "\\begin_layout":  # some old files lack the end of one
                filled.add(" ")
        return filled

    def _inset(self, what: str, filled: _OpenParagraph, depth: int) -> None:
        kind, _, rest = what.partition(" ")
        if depth > _MAX_DEPTH:
            filled.add(" ".join(self._words()))
        elif kind in ("VSpace", "Argument", "Newpage", "FloatList", "Index", "Nomenclature"):
            self._skip()
        elif kind == "Formula":
            latex = "\n".join([rest, *self._raw()]).strip()
            if latex.startswith("$"):
                filled.formula(latex.strip("$"))
            elif latex:
                filled.after.append(Equation(text=latex, latex=latex.removeprefix("\\[").removesuffix("\\]").strip()))
        elif kind in ("space", "Newline"):
            self._skip()
            filled.add(" " if kind == "space" else "\n")
        elif kind == "Quotes":
            self._skip()
            filled.add(_QUOTES.get(rest.strip()[1:3], '"'))
        elif kind in ("CommandInset", "Graphics", "Include", "External"):
            values = {found[1]: found[2] for line in self._raw() if (found := _VALUE.match(line.strip()))}
            self._command(kind, rest.strip(), values, filled)
        elif kind == "Tabular":
            filled.after += self._table(depth)
        else:
            self._text(kind, rest, filled, depth)

    def _text(self, kind: str, rest: str, filled: _OpenParagraph, depth: int) -> None:
        """An inset of paragraphs."""
        blocks = list(self.flow("\\end_inset", depth))
        if kind in ("Foot", "Marginal"):
            self._notes += 1
            filled.add(f"[{self._notes}]")
            filled.after.append(Note(kind="footnote", text=_words(blocks), id=str(self._notes)))
        elif kind == "Note" and rest.strip() in ("Note", "Comment"):
            filled.after.append(Paragraph(text=_words(blocks), hidden=True))
        elif kind == "ERT":
            code = "\n".join(str(getattr(one, "text", "")) for one in blocks)
            filled.after += [Code(text=code, language="latex")] if code.strip() else []
        elif kind in _IN_LINE and all(isinstance(one, Paragraph) for one in blocks):
            filled.add(_words(blocks))
        elif kind == "listings":
            filled.after.append(Code(text="\n".join(getattr(one, "text", "") for one in blocks)))
        else:
            filled.after += blocks

    def _command(self, kind: str, what: str, values: dict[str, str], filled: _OpenParagraph) -> None:
        """A picture, or a reference: what it shows or names."""
        if kind == "Graphics":
            filled.after.append(Figure(source=values.get("filename", "")))
        elif what == "href":
            filled.add(values.get("name") or values.get("target", ""))
        elif what in ("citation", "ref", "bibitem"):
            filled.add(f"[{values.get('key') or values.get('reference', '')}]")

    def _table(self, depth: int) -> list[AnyBlock]:
        rows: list[list[str]] = []
        after: list[AnyBlock] = []
        for line in self._lines:
            if line.startswith("\\end_inset"):
                break
            if line.startswith("<row"):
                rows.append([])
            elif _CELL.match(line) and rows:
                rows[-1].append("")
            elif line.startswith("\\begin_inset Text") and rows and rows[-1]:
                blocks = list(self.flow("\\end_inset", depth + 1))
                rows[-1][-1] = _words([one for one in blocks if not isinstance(one, Table)])
                after += [one for one in blocks if isinstance(one, Table)]
        kept = tuple(tuple(row) for row in rows if row)
        return [Table(rows=kept), *after] if any(map(any, kept)) else after

    def _raw(self) -> Iterator[str]:
        """The lines of an inset that holds no other."""
        for line in self._lines:
            if line.startswith("\\end_inset"):
                return
            yield line

    def _skip(self) -> None:
        """Leave an inset with all in it."""
        deque(self._words(), 0)

    def _words(self) -> Iterator[str]:
        """The lines of text in an inset and in those below it."""
        depth = 1
        for line in self._lines:
            depth += line.startswith("\\begin_inset") - line.startswith("\\end_inset")
            if not depth:
                return
            if not line.startswith("\\"):
                yield line


def _words(blocks: list[AnyBlock]) -> str:
    return " ".join(text for one in blocks if (text := str(getattr(one, "text", "")).strip()))
