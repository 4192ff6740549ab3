"""Whether the words of a cell are seen: by its style, its runs, and what paints it besides."""

from collections.abc import Sequence
from typing import NamedTuple

from sidecar.api import Span
from sidecar.toolkit.cell_references import CellRange
from sidecar.toolkit.ooxml.hidden_text import HiddenKind, HiddenText, similar_colours
from sidecar_xlsx.cells.conditions import ConditionalLook, crossing, is_invisible
from sidecar_xlsx.cells.strings import Inks
from sidecar_xlsx.cells.styles import CellAppearance, CellStyles, by_number

_STRINGS = frozenset(("s", "str", "inlineStr"))
_DEFAULT = CellAppearance()


def hidden_lines(sheet: str, rows: int, columns: int) -> str:
    """What is said of the rows and columns that an author's program hides; "" of none."""
    counts = ((rows, "row"), (columns, "column"))
    counted = " and ".join(f"{count:,} hidden {what}{'s' if count > 1 else ''}" for count, what in counts if count)
    return f"The sheet {sheet} has {counted}." if counted else ""


class Painted(NamedTuple):
    """What paints cells besides their styles: areas whose background is not told by them, and looks that may hide."""

    areas: Sequence[CellRange] = ()
    paints: Sequence[ConditionalLook] = ()


class CellVisibility:
    """What is seen of the cells of one sheet. Styles go by their number as written in `s`; what is hidden is counted
    in `found`."""

    def __init__(self, styles: CellStyles, painted: Painted, found: HiddenText) -> None:
        self.hidden = by_number(styles.hidden)
        self._hides_strings = by_number(dict.fromkeys(styles.hides_strings, True))
        self._looks = styles.numbered
        self._usual = self._looks.get("", _DEFAULT).ink
        self._painted = painted
        self._found = found
        self.may_hide = bool(self.hidden or self._hides_strings or painted.paints)
        self._row, self._crossing = -1, list[ConditionalLook]()

    @property
    def unsure(self) -> frozenset[str]:
        """The styles whose cells may not be seen."""
        return frozenset((*self.hidden, *self._hides_strings))

    def why(self, row: int, col: int, style: str, kind: str, text: str) -> HiddenKind | None:
        """What hides a cell of a type (§18.18.11), if anything does."""
        why = self.hidden.get(style)
        if why == "formatting":
            return why
        if not text.strip():
            return None
        if why is not None and not (why == "colour" and self._is_painted(row, col)):
            return why
        if style in self._hides_strings and kind in _STRINGS:
            return "formatting"
        if row != self._row and self._painted.paints:  # a sheet has many paints, a row few
            self._row, self._crossing = row, crossing(self._painted.paints, row)
        paints, own = self._crossing, self._looks.get(style, _DEFAULT)
        return "colour" if paints and is_invisible(paints, (row, col), text, own, self._usual) else None

    def flag(self, why: HiddenKind, text: str) -> tuple[Span, ...]:
        """The span that flags a hidden cell, which is counted."""
        self._found.add(why)
        return (Span("hidden", 0, len(text)),) if text else ()

    def lost(self, row: int, col: int, style: str, inks: Inks) -> list[Span]:
        """The runs of a text that have the colour of their cell."""
        background = self._looks.get(style, _DEFAULT).behind
        if background is None or self._is_painted(row, col):
            return []
        lost = [span for span, ink in inks if similar_colours(ink, background)]
        if lost:
            self._found.add("colour")
        return lost

    def _is_painted(self, row: int, col: int) -> bool:
        return any(area.holds(row, col) for area in self._painted.areas)
