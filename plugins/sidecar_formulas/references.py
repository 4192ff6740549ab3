"""The references in a formula: cells, ranges, other sheets, defined names, structured references of Excel tables.

Reads text only (ECMA-376 part 1 §18.17.2, structured references as Excel writes them); what they lead to is
`workbook`'s."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sidecar.toolkit.cell_references import CellRange, parse_range

_TOKEN = re.compile(
    r""""(?:[^"]|"")*"|(?<![\w.$'])"""
    r"""(?P<sheet>'(?:[^']|'')*'!|(?:\[[^\[\]]*\])?[^\W\d][\w.]*(?::[^\W\d][\w.]*)?!)?(?:"""
    r"""(?P<area>\$?[A-Za-z]{1,3}\$?\d{1,7}(?::\$?[A-Za-z]{1,3}\$?\d{1,7})?(?![\w(.])"""
    r"""|\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}(?![\w(.])|\$?\d{1,7}:\$?\d{1,7}(?![\w.]))"""
    r"""|(?P<table>[^\W\d][\w.]*)?(?P<brackets>\[(?:[^\[\]']|'.|\[(?:[^\[\]']|'.)*\])*\])"""
    r"""|(?P<name>[^\W\d\\][\w.\\?]*)(?![\w(!\[]))"""
)
_INNER = re.compile(r"(:)?\s*\[((?:[^\[\]']|'.)*)\]")
_COMPUTED = re.compile(r"\b(OFFSET|INDIRECT)\s*\(", re.IGNORECASE)


@dataclass(frozen=True)
class Reference:
    """One reference as it is written in a formula. `sheet` is "" for the formula's own; `last_sheet` ends a reference
    through several sheets. Exactly one of `area`, `table` with `columns` and `items`, and `name` says what is meant.

    `book` names another file. `table` is "" inside the table itself, and then `structured` tells it from a name."""

    text: str
    sheet: str = ""
    last_sheet: str = ""
    book: str = ""
    area: CellRange | None = None
    name: str = ""
    structured: bool = False
    table: str = ""
    columns: tuple[tuple[str, str], ...] = ()
    """First and last column of each run of columns; () stands for all of them."""
    items: frozenset[str] = frozenset()
    """"#all", "#data", "#headers", "#totals", "#this row", in lower case."""


def references(formula: str) -> tuple[Reference, ...]:
    """The references of a formula, each once, in the order they stand. Names of functions are none; words that may be
    names are given, and only the workbook knows which are."""
    found: dict[tuple[object, ...], Reference] = {}
    for match in _TOKEN.finditer(formula):
        reference = _reference(match)
        if reference is not None:
            what = reference.area or reference.text.lower()
            found.setdefault((reference.book, reference.sheet.lower(), reference.last_sheet.lower(), what), reference)
    return tuple(found.values())


def references_at(formula: str) -> Iterator[tuple[Reference, int, int]]:
    """The references of a formula as often as they stand there, each with where its range, or what stands for one,
    begins and ends."""
    for match in _TOKEN.finditer(formula):
        reference = _reference(match)
        if reference is not None:
            yield reference, *(match.span("area") if match["area"] else match.span())


def computed_functions(formula: str) -> list[str]:
    """The functions of a formula whose references are known only when it is calculated."""
    return sorted({name.upper() for name in _COMPUTED.findall(formula)})


def _reference(match: re.Match[str]) -> Reference | None:
    if match[0].startswith('"'):
        return None
    sheet, last, book = _sheets(match["sheet"] or "")
    if match["area"]:
        area = parse_range(match["area"])
        return Reference(match[0], sheet, last, book, area) if area is not None else None
    if match["brackets"]:
        columns, items = _structured(match["brackets"][1:-1])
        return Reference(
            match[0], sheet, "", book, structured=True, table=match["table"] or "", columns=columns, items=items
        )
    return Reference(match[0], sheet, last, book, name=match["name"])


def _sheets(prefix: str) -> tuple[str, str, str]:
    """First and last sheet and the file of `'[Book.xlsx]Jan:Mar'!`."""
    text = prefix.removesuffix("!")
    if text.startswith("'"):
        text = text[1:-1].replace("''", "'")
    book, bracket, rest = text.rpartition("]")
    if bracket:
        book, text = book.rpartition("[")[2], rest
    first, _, last = text.partition(":")
    return first, last, book


def _structured(inside: str) -> tuple[tuple[tuple[str, str], ...], frozenset[str]]:
    """Columns and items of what stands between the brackets: `@Amount`, `[#Totals],[Jan]:[Mar]`, `Amount`."""
    items: set[str] = set()
    columns: list[tuple[str, str]] = []
    text = inside.strip()
    if text.startswith("@"):
        items.add("#this row")
        text = text[1:]
    inner = _INNER.findall(text) if text.startswith("[") else [("", text)] if text else []
    for colon, raw in inner:
        name = re.sub(r"'(.)", r"\1", raw).strip()
        if name.startswith("#"):
            items.add(name.lower())
        elif colon and columns:
            columns[-1] = (columns[-1][0], name)
        else:
            columns.append((name, name))
    return tuple(columns), frozenset(items)
