"""Which cell styles of an OpenDocument spreadsheet hide what is in their cells (ODF 1.3 part 3 §16.2, §20): words in
the colour of the background, or too small to read. Not responsible for hidden rows, columns and sheets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sidecar.toolkit.ooxml.hidden_text import LEAST_POINTS, WHITE, HiddenKind, hex_colour, similar_colours
from sidecar.toolkit.xml import XmlElement

_NS = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
_STYLE, _FO = _NS % "style", _NS % "xsl-fo-compatible"
_FAMILY, _NAME = f"{_STYLE}family", f"{_STYLE}name"
_DEEPEST = 10
"""Styles that inherit from one another."""


class _Appearance(NamedTuple):
    """What a style says itself; None where it says nothing."""

    parent: str
    colour: int | None
    background: int | None
    points: float | None


def hidden_cell_styles(roots: Iterable[XmlElement]) -> Mapping[str, HiddenKind]:
    """The names of the cell styles that hide, and how."""
    appearances: dict[str, _Appearance] = {}
    for root in roots:
        for style in root.iter(f"{_STYLE}style"):
            if style.get(_FAMILY) == "table-cell" and (appearance := _appearance(style)) is not None:
                appearances[style.get(_NAME, "")] = appearance
    return {name: kind for name in appearances if (kind := _hidden_by(name, appearances)) is not None}


def _appearance(style: XmlElement) -> _Appearance | None:
    """None of a style that depends on a condition."""
    said = {child.tag: child for child in reversed(style)}
    if f"{_STYLE}map" in said:
        return None
    text, cell = said.get(f"{_STYLE}text-properties"), said.get(f"{_STYLE}table-cell-properties")
    background = cell.get(f"{_FO}background-color") if cell is not None else None
    size = text.get(f"{_FO}font-size", "") if text is not None else ""
    try:
        points = float(size.removesuffix("pt")) if size.endswith("pt") else None
    except ValueError:
        points = None
    colour = _colour(text.get(f"{_FO}color")) if text is not None else None
    return _Appearance(style.get(f"{_STYLE}parent-style-name", ""), colour, _colour(background), points)


def _colour(value: str | None) -> int | None:
    return hex_colour(value[1:]) if value is not None and value.startswith("#") else None


def _hidden_by(name: str, appearances: Mapping[str, _Appearance]) -> HiddenKind | None:
    colour: int | None = None
    background: int | None = None
    points: float | None = None
    for _ in range(_DEEPEST):
        appearance = appearances.get(name)
        if appearance is None:
            break
        colour = appearance.colour if colour is None else colour
        background = appearance.background if background is None else background
        points = appearance.points if points is None else points
        name = appearance.parent
    if points is not None and points < LEAST_POINTS:
        return "size"
    return (
        "colour"
        if colour is not None and similar_colours(colour, WHITE if background is None else background)
        else None
    )
