"""What styles of an OpenDocument spreadsheet hide of what is in cells and in the heads of pages (ODF 1.3 part 3 §16.2,
§20): words in the colour of the background, or too small to read. Not responsible for hidden rows, columns and sheets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from sidecar.toolkit.markup.odf_charts import words_of
from sidecar.toolkit.ooxml.hidden_text import LEAST_POINTS, WHITE, HiddenKind, hex_colour, similar_colours
from sidecar.toolkit.xml import XmlElement, count_of

_NS = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
_STYLE, _FO, _TEXT, _OFFICE = (_NS % name for name in ("style", "xsl-fo-compatible", "text", "office"))
_FAMILY, _NAME, _CELL, _RUN = f"{_STYLE}family", f"{_STYLE}name", "table-cell", "text"
_DEEPEST = 10
"""Styles that inherit from one another."""
_MOST_SPACES = 1000  # as `words_of` writes of one element


class _Appearance(NamedTuple):
    """What a style says itself; None where it says nothing."""

    parent: str = ""
    colour: int | None = None
    background: int | None = None
    points: float | None = None

    def over(self, other: _Appearance) -> _Appearance:
        """This appearance, and of the other what this one does not say."""
        return _Appearance(
            "",
            other.colour if self.colour is None else self.colour,
            other.background if self.background is None else self.background,
            other.points if self.points is None else self.points,
        )


class Appearances:
    """The styles of cells and of runs in them, of the files of a workbook."""

    def __init__(self, roots: Iterable[XmlElement]) -> None:
        self._appearances: dict[tuple[str, str], _Appearance] = {}
        for root in roots:
            for style in root.iter(f"{_STYLE}style"):
                family = style.get(_FAMILY, "")
                if family in (_CELL, _RUN) and (appearance := _appearance(style)) is not None:
                    self._appearances[family, style.get(_NAME, "")] = appearance
        self._runs: dict[tuple[str, str], HiddenKind | None] = {}

    @cached_property
    def hidden(self) -> Mapping[str, HiddenKind]:
        """The names of the cell styles that hide, and how."""
        found: dict[str, HiddenKind] = {}
        for family, name in self._appearances:
            kind = _hidden_by(self._whole(family, name)) if family == _CELL else None
            if kind is not None:
                found[name] = kind
        return found

    def hidden_runs(self, paragraph: XmlElement, cell: str = "") -> Iterator[tuple[int, int, HiddenKind]]:
        """Where words of a paragraph, as `words_of` writes them, are not seen in a cell of that style."""
        if paragraph.find(f"{_TEXT}span") is None:
            return
        at = len(paragraph.text or "")
        for child in paragraph:
            end = at + _width(child)
            kind = self._run(child.get(f"{_TEXT}style-name", ""), cell) if child.tag == f"{_TEXT}span" else None
            if kind is not None and end > at:
                yield at, end, kind
            at = end + len(child.tail or "")

    def _run(self, name: str, cell: str) -> HiddenKind | None:
        key = name, cell
        if key not in self._runs:
            run = self._whole(_RUN, name)
            told = run.colour is not None or run.points is not None  # what the cell's style hides, it hides as a whole
            self._runs[key] = _hidden_by(run.over(self._whole(_CELL, cell))) if told else None
        return self._runs[key]

    def _whole(self, family: str, name: str) -> _Appearance:
        """A style with what those it derives from say."""
        whole = _Appearance()
        for _ in range(_DEEPEST):
            appearance = self._appearances.get((family, name))
            if appearance is None:
                break
            whole = whole.over(appearance)
            name = appearance.parent
        return whole


def _width(node: XmlElement) -> int:
    """How many characters `words_of` writes of a child of a paragraph."""
    if node.tag == f"{_TEXT}s":
        return min(count_of(node.get(f"{_TEXT}c")), _MOST_SPACES)
    if node.tag in (f"{_TEXT}tab", f"{_TEXT}line-break"):
        return 1
    return len(words_of(node)) if isinstance(node.tag, str) and node.tag != f"{_OFFICE}annotation" else 0


def _appearance(style: XmlElement) -> _Appearance | None:
    """None of a style that depends on a condition."""
    said = {child.tag: child for child in reversed(style)}
    if f"{_STYLE}map" in said:
        return None
    text, cell = said.get(f"{_STYLE}text-properties"), said.get(f"{_STYLE}table-cell-properties")
    behind = cell if cell is not None else text
    background = behind.get(f"{_FO}background-color") if behind is not None else None
    size = text.get(f"{_FO}font-size", "") if text is not None else ""
    try:
        points = float(size.removesuffix("pt")) if size.endswith("pt") else None
    except ValueError:
        points = None
    colour = _colour(text.get(f"{_FO}color")) if text is not None else None
    if text is not None and text.get(f"{_STYLE}use-window-font-color") == "true":
        colour = None
    is_cell = style.get(_FAMILY) == _CELL
    return _Appearance(
        style.get(f"{_STYLE}parent-style-name", ""), colour,
        WHITE if is_cell and background == "transparent" else _colour(background), points,
    )  # fmt: skip


def _colour(value: str | None) -> int | None:
    return hex_colour(value[1:]) if value is not None and value.startswith("#") else None


def _hidden_by(appearance: _Appearance) -> HiddenKind | None:
    if appearance.points is not None and appearance.points < LEAST_POINTS:
        return "size"
    behind = WHITE if appearance.background is None else appearance.background
    return "colour" if appearance.colour is not None and similar_colours(appearance.colour, behind) else None
