"""What a search for elements says of the kind that is wanted: "the Mercator projection diagram" asks for the Mercator
projection, and for a drawing. Taken as words, "diagram" and "figure" match little but labels, which say nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sidecar.api import ElementType
from sidecar.search.query import Query

FITS = 1.2
"""What an element of the kind asked for counts more."""
_DRAWN: frozenset[ElementType] = frozenset(("figure", "diagram", "chart"))
_KINDS: Mapping[str, frozenset[ElementType]] = {
    **dict.fromkeys(("figure", "fig", "picture", "image", "drawing", "illustration", "photo", "photograph"), _DRAWN),
    **dict.fromkeys(("diagram", "schematic"), frozenset[ElementType](("diagram", "figure"))),
    **dict.fromkeys(("chart", "graph", "plot"), frozenset[ElementType](("chart", "figure"))),
    "table": frozenset[ElementType](("table",)),
    **dict.fromkeys(("equation", "formula"), frozenset[ElementType](("equation",))),
}


def kinds_asked(asked: Query) -> tuple[Query, frozenset[ElementType]]:
    """The query without the words that name kinds of elements, and those kinds, none when none is named.

    A word that a number follows ("Figure 8-1", "Table 5") belongs to a label and stays, and so does one that is all the
    query says.
    """
    kinds: set[ElementType] = set()
    kept: list[str] = []
    for at, term in enumerate(asked.terms):
        word = term.strip('"').lower()
        named = _KINDS.get(word) or _KINDS.get(word.removesuffix("s"))
        following = asked.terms[at + 1] if at + 1 < len(asked.terms) else ""
        if named and not any(char.isdigit() for char in following):
            kinds |= named
        else:
            kept.append(term)
    if not kept and not asked.required:
        return asked, frozenset(kinds)
    return replace(asked, terms=tuple(kept)), frozenset(kinds)
