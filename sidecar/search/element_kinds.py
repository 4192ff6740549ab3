"""Kinds of elements that a query names ("the Mercator projection diagram"), and by how much those count more."""

from collections.abc import Mapping
from dataclasses import replace

from sidecar.api import ElementType
from sidecar.search.query import Query
from sidecar.toolkit.captions import chart_named, kind_named

_FITS = 1.2
"""What an element of the kind asked for counts more."""
_MAY_FIT = 1.1
"""What a picture counts more that may show a thing of the kind."""
_KINDS: Mapping[ElementType, Mapping[ElementType, float]] = {
    "figure": {"figure": _FITS, "diagram": _FITS, "chart": _FITS}, "diagram": {"diagram": _FITS, "figure": _MAY_FIT},
    "chart": {"chart": _FITS, "figure": _MAY_FIT}, "table": {"table": _FITS}, "equation": {"equation": _FITS},
}  # fmt: skip
"""What may be meant where a kind is named, and how much more it counts."""
_LOOKS = frozenset(("drawing", "screenshot", "photo", "photograph", "logo", "icon"))
"""What pictures are searched by that look so (`toolkit.ocr.kinds`): such a word stays in the query."""
_FIGURES: Mapping[str, ElementType] = dict.fromkeys(("fig", "picture", "image", *_LOOKS), "figure")
_CALLED: Mapping[str, ElementType] = {"schematic": "diagram", "plot": "chart", **_FIGURES}
"""What no caption opens with."""
_PLURALS = ("s", "n", "en", "er")


def kinds_asked(asked: Query) -> tuple[Query, Mapping[ElementType, float]]:
    """The query without the words that name kinds of elements, and by how much those kinds count more, none when none
    is named: "the Mercator projection diagram" asks for the Mercator projection, and for a drawing. Taken as words,
    "diagram" and "figure" match little but labels, which say nothing. A "bar" before "chart" says which.

    A word that a number follows ("Figure 8-1", "Table 5") belongs to a label and stays, and so does one that is all the
    query says."""
    kinds: dict[ElementType, float] = {}
    kept: list[str] = []
    for at, term in enumerate(asked.terms):
        kind = _kind_of(term.strip('"').lower())
        following = asked.terms[at + 1] if at + 1 < len(asked.terms) else ""
        if kind is None or any(char.isdigit() for char in following):
            kept.append(term)
            continue
        for one, more in _KINDS[kind].items():
            kinds[one] = max(more, kinds.get(one, more))
        kept += [term] if term.strip('"').lower() in _LOOKS else []
        before = asked.terms[at - 1] if at else ""
        if kind == "chart" and kept[-1:] == [before] and (name := chart_named(before.strip('"'))):
            kept[-1] = f'"{name}"'
    if not kept and not asked.required:
        return asked, kinds
    return replace(asked, terms=tuple(kept)), kinds


def _kind_of(word: str) -> ElementType | None:
    """The kind of element that a word names, in the singular or plural."""
    if (called := _CALLED.get(word)) is not None:
        return called
    for ending in ("", *_PLURALS):
        if (kind := kind_named(word.removesuffix(ending))) is not None:
            return kind
    return None
