"""The searchable text of blocks: every word a reader could see in them, captions, notes, charts and cells included.

What is indexed, and what patterns are matched against. Not how blocks are shown, nor how the text is cut into passages.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from sidecar.api.model import (
    AnyBlock,
    Cell,
    ChartData,
    Code,
    Embed,
    EmbedKind,
    Equation,
    Figure,
    Heading,
    ListItem,
    Note,
    Paragraph,
    Span,
    Table,
)
from sidecar.store.letters import has_small_figures
from sidecar.toolkit.cell_references import CellRange
from sidecar.toolkit.text import with_raised
from sidecar.views.inline import apply_spans, is_mark, marker_text

_TYPED_DIGITS: Final = 7
"""Digits that people type into a cell at most; calculated values have 15 to 17."""
_BETWEEN_DIGITS: Final = {at: None for at in range(128) if not chr(at).isdigit()}
_NUMBER: Final = re.compile(r"\d+")
_DELETED: Final = re.compile(r"\[-.*?-\] ?", re.DOTALL)
_INSERTED: Final = re.compile(r"\[\+(.*?)\+\]", re.DOTALL)
_CHANGES: Final = {"ins": ("[+", "+]"), "del": ("[-", "-]")}
_MARKED: Final = {**_CHANGES, "strike": ("~~", "~~")}
_TOLD: Final = {*_MARKED, "sup"}
"""Spans without which the text of a cell reads otherwise."""
_FORMULA_CHARS: Final = 300
_LINK_CHARS: Final = 300
_CHART_NUMBERS: Final = 200
_CHART_NAMES: Final = 400
"""Category names of one chart that are searchable; a chart of a whole sheet has its cells indexed already."""

_PLACED: Final = re.compile(r"^\[([A-Z]{1,3}[0-9]{1,7}(?::[A-Z]{1,3}[0-9]{1,7})?)\] (.*)", re.MULTILINE)
_WORD_LETTERS: Final = 4
"""Of a word that no unit is: "m²" and "cm³" are searched as they are."""
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_PAGE = re.compile(r"(?:page=|slide-)[0-9]+")
_PAGE_BEGINS = ("page=", "slide-")
_PLACE_IN_PAGES = re.compile(r"\.x?html?#")

Embeds = Mapping[tuple[EmbedKind, int], Embed]


def block_text(block: AnyBlock, embeds: Embeds) -> str:
    """The text of any block but a table, whose rows are taken one by one (`row_texts`)."""
    return _TEXTS[type(block)](block, embeds)


def placed(text: str, cells: CellRange) -> str:
    """What stands over cells of a sheet, a comment or a chart, as its passage says it in each of its lines:
    `[C137] Kim: ask again`."""
    return "\n".join(f"[{cells}] {line}" for line in text.split("\n"))


def placed_at(text: str) -> list[tuple[str, str]]:
    """A sheet's passage taken apart: ("", what stands over no cells), then (cells, text) of what is `placed`."""
    return [("", _PLACED.sub("", text)), *_PLACED.findall(text)]


def links_and_formulas(block: AnyBlock) -> tuple[list[str], list[str]]:
    """Where a block's links lead: addresses without their scheme, and names of places that people gave. And the LaTeX
    of the formulas within a text, which shows their plain form; an equation of its own says both."""
    links: list[str] = []
    if isinstance(block, Table):
        spans: list[Span] = []
        for cell in block.cells:
            if cell.link:
                links.append(_target(cell.link))
            if cell.spans:
                links += [_target(span.value) for span in cell.spans if span.kind == "link"]
                spans += cell.spans
        return [*filter(None, links)], [span.value for span in spans if span.kind == "math"]
    if isinstance(block, (Figure, Equation, Code)):
        return [], []
    links += [_target(span.value) for span in block.spans if span.kind == "link"]
    return [*filter(None, links)], [span.value for span in block.spans if span.kind == "math"]


def _target(url: str) -> str:
    """What of an address is searched, "" for nothing."""
    _, colon, rest = url.partition("://")
    if not colon:
        rest = url.removeprefix("mailto:").removeprefix("#")
        if "#" in rest and _PLACE_IN_PAGES.search(rest):
            return ""  # between the files of one book, whose names are its program's
        if rest.startswith(_PAGE_BEGINS) and _PAGE.fullmatch(rest):
            return ""  # what a table of contents and an index are full of
    # Names with an underscore are Word's own; a colon opens "data:" and "javascript:".
    return rest if len(rest) <= _LINK_CHARS and not rest.startswith("_") and ":" not in rest[:12] else ""


def row_texts(table: Table) -> list[str]:
    """One line a row: its filled cells with nested tables, and in angle brackets what its cells hold beyond what they
    show: formulas, each once of those that differ in their numbers only, dates in ISO form, numbers as one types
    them."""
    # A line that is broken within its cell is one row all the same: a snippet tells what its columns are called.
    lines = [" | ".join(filter(None, row)).replace("\n", " ") for row in rows_with_changes(table)]
    seen: set[str] = set()
    for cell in table.cells:
        extra = ""
        if cell.table is not None:
            extra = "\n".join(line for line in row_texts(cell.table) if line)
        elif (cell.value is not None or cell.formula) and 0 <= cell.row < len(lines):
            row = table.rows[cell.row]
            extra = _beyond(cell, row[cell.col] if cell.col < len(row) else "", lines[cell.row], seen)
        if extra and 0 <= cell.row < len(lines):
            lines[cell.row] = f"{lines[cell.row]} {extra}" if lines[cell.row] else extra
    return lines


def rows_with_changes(table: Table) -> Sequence[Sequence[str]]:
    """The rows, tracked changes and raised figures marked in their cells."""
    changed = [cell for cell in table.cells if cell.spans and any(span.kind in _TOLD for span in cell.spans)]
    if not changed:
        return table.rows
    rows = [list(row) for row in table.rows]
    for cell in changed:
        if 0 <= cell.row < len(rows) and 0 <= cell.col < len(rows[cell.row]):
            rows[cell.row][cell.col] = _text_to_find(rows[cell.row][cell.col], cell.spans)
    return rows


def _text_to_find(text: str, spans: Sequence[Span]) -> str:
    """The text with its tracked changes marked, `[-ninety-] [+sixty+]`, and who made them, and what is struck through,
    `~~ninety~~`. The marks of notes are left out, and what is raised stands apart from the word before it: "wells"
    would not find `wells1` and `wells¹`. Behind a number it is written raised: 10⁵ is not 105."""
    if spans:
        powers = [one for one in spans if one.kind == "sup" and text[one.start - 1 : one.start].isdigit()]
        text = with_raised(text, [(one.start, one.end) for one in powers])
    written = [
        span for span in spans
        if span.kind in _MARKED or is_mark(span) or (span.kind == "sup" and _is_word_before(text, span.start))
    ] if spans else []  # fmt: skip
    found = apply_spans(text, written, _CHANGED) if written else text
    if has_small_figures(found):  # asked first: a seventh of the time that the pattern takes to find nothing
        found = _RAISED.sub(lambda raised: _apart(found, raised), found)
    if not written:
        return found
    authors = ", ".join(dict.fromkeys(span.value for span in written if span.value and span.kind in _CHANGES))
    return f"{found} (changed by {authors})" if authors else found


def _apart(text: str, raised: re.Match[str]) -> str:
    return f" {raised[0]}" if _is_word_before(text, raised.start()) else raised[0]


def _is_word_before(text: str, at: int) -> bool:
    """Whether a word, which is no unit, ends at a place."""
    return at >= _WORD_LETTERS and text[at - _WORD_LETTERS : at].isalpha()


def formula_text(formula: str) -> str:
    """A formula as one types it."""
    return formula if formula[:1] in "={" else f"={formula}"


def accepted(text: str) -> str:
    """A text with its tracked changes accepted: what is deleted left out, what is inserted unmarked, as is what is
    struck through, which may be a choice of looks."""
    if "[-" not in text and "[+" not in text and "~~" not in text:
        return text
    return _INSERTED.sub(r"\1", _DELETED.sub("", text)).replace("~~", "")


def _beyond(cell: Cell, shown: str, line: str, seen: set[str]) -> str:
    """What a cell holds that its row does not show, in angle brackets; "" for nothing anybody would search. A number
    is told where separators part the very digits it is typed with, and where it is shown rounded if somebody typed it:
    one that was calculated is searched as shown.
    `told` are the formulas of the table so far, without their numbers."""
    words: list[str] = []
    if cell.formula:
        alike = _NUMBER.sub("", cell.formula)
        if alike not in seen:
            seen.add(alike)
            words.append(formula_text(cell.formula)[:_FORMULA_CHARS])
    value = cell.value
    if isinstance(value, str):
        if value not in line:
            words.append(value.removesuffix("T00:00:00"))
    elif value is not None and not isinstance(value, bool):
        typed = f"{value:.15g}"
        if typed not in line and (_is_parted(value, typed, shown) or (not cell.formula and _is_rounded(typed, shown))):
            words.append(typed)
    return f"\u27e8{' '.join(words)}\u27e9" if words else ""


def _is_parted(value: float, typed: str, shown: str) -> bool:
    """Whether the digits are shown with separators among them; below a thousand none are."""
    return not -1000 < value < 1000 and _digits(typed) == _digits(shown)


def _is_rounded(typed: str, shown: str) -> bool:
    """Whether a number that a person may have typed has more digits than are shown."""
    digits = len(_digits(typed).lstrip("0"))
    return digits <= _TYPED_DIGITS and len(_digits(shown).lstrip("0")) < digits


def _digits(number: str) -> str:
    if number.isascii():
        return number.translate(_BETWEEN_DIGITS).rstrip("0")
    return "".join(filter(str.isdigit, number)).rstrip("0")


class _Changed:
    """How `apply_spans` writes tracked changes, what is struck through or raised, and marks of notes, which it leaves
    out."""

    def text(self, text: str) -> str:
        return text

    def around(self, span: Span) -> tuple[str, str]:
        return _MARKED.get(span.kind, (" ", "") if span.kind == "sup" else ("", ""))

    def replaces(self, span: Span) -> bool:
        return span.kind == "note"


_CHANGED = _Changed()


def _chart_text(chart: ChartData) -> str:
    """Titles, axes, series, categories and numbers of a chart."""
    words = [chart.title, chart.x_title, chart.y_title, chart.y2_title, *(series.name for series in chart.series)]
    words += chart.categories[:_CHART_NAMES]
    words += chart.texts
    values = (value for series in chart.series for value in series.values if value is not None)
    numbers = " ".join(f"{value:.15g}" for value in islice(values, _CHART_NUMBERS))
    return _lines((*words, numbers), " · ")


def embed_text(embed: Embed) -> str:
    """What can be said of an embedded object in words: its alt text, its chart, an attachment's file name."""
    chart = _chart_text(embed.chart) if embed.chart is not None else ""
    name = embed.name if embed.kind in ("attachment", "media", "font") else ""
    return _lines(dict.fromkeys((embed.alt, chart, name)), "\n")


def _lines(pieces: Iterable[str], separator: str) -> str:
    return separator.join([piece for piece in pieces if piece])


def _heading(block: Heading, embeds: Embeds) -> str:
    text = _text_to_find(block.text, block.spans)
    return f"{block.number} {text}" if block.number else text


def _plain(block: Code, embeds: Embeds) -> str:
    return block.text


def _paragraph(block: Paragraph, embeds: Embeds) -> str:
    return _text_to_find(block.text, block.spans)


def _item(block: ListItem, embeds: Embeds) -> str:
    """With the number a reader cites it by, or the box it ticks."""
    text = _text_to_find(block.text, block.spans)
    return f"{marker} {text}" if (marker := marker_text(block)) else text


def _equation(block: Equation, embeds: Embeds) -> str:
    text = " ".join(dict.fromkeys(filter(None, (block.text, block.latex))))
    return f"{text} {block.label}" if block.label else text


def _figure(block: Figure, embeds: Embeds) -> str:
    embed = embeds.get(block.embed) if block.embed is not None else None
    shown = embed_text(embed) if embed is not None else ""
    source = block.source if len(block.source) <= _LINK_CHARS and not block.source.startswith("data:") else ""
    # An attached file's name is its description and what the figure says of it as well.
    pieces = dict.fromkeys((block.caption, block.alt, block.text, *shown.split("\n"), source))
    return _lines(pieces, "\n")


def is_page_number(note: Note) -> bool:
    """Whether a header or footer only counts pages: the number a file keeps is that of some page."""
    return note.kind in {"header", "footer"} and any(
        span.kind == "field" and span.value.split()[:1] in (["PAGE"], ["NUMPAGES"])
        and not (note.text[: span.start] + note.text[span.end :]).strip()
        for span in note.spans
    )  # fmt: skip


def _note(block: Note, embeds: Embeds) -> str:
    if is_page_number(block):
        return ""
    text = _text_to_find(block.text, block.spans)
    return f"{block.author}: {text}" if block.author else text


def _table(block: Table, embeds: Embeds) -> str:
    return _lines((block.caption, block.name, *row_texts(block)), "\n")


_TEXTS: Final[Mapping[type, Callable[[Any, Embeds], str]]] = {
    Heading: _heading, Paragraph: _paragraph, ListItem: _item, Code: _plain, Equation: _equation, Figure: _figure,
    Note: _note, Table: _table,
}  # fmt: skip
