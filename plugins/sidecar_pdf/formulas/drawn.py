"""Signs of formulas that are drawn as lines and shapes, as browsers draw tall delimiters: a bar before what is put in
is read, others are found, so that a reader is told of them."""

from collections.abc import Sequence

from sidecar.api import Box
from sidecar_pdf.formulas.lines import SCRIPT_SIZE
from sidecar_pdf.pdfium.geometry import bounding_box
from sidecar_pdf.pdfium.graphics import PageGraphics, Rule
from sidecar_pdf.text.glyphs import Glyph

# Ems of the largest glyph, unless said.
_MIN_BAR, _MAX_SIGN = 0.9, 12.0  # height of a tall bar at least; of a sign at most
_MIN_SIGN = 0.4  # of a sign, its longer side
_BESIDE, _TOUCHING = 0.5, 0.1  # from a bar to what stands beside it; by which lines touch
_FRAME = 2.0  # of level lines that make a frame or a table with the upright one that they touch
_MAX_DRAWN = 200  # upright lines, and shapes, of a page: more are a drawing


def drawn_signs(glyphs: Sequence[Glyph], graphics: PageGraphics) -> tuple[list[Glyph], bool]:
    """The tall bars that are drawn as lines among the glyphs of a formula, where a script tells what they are, and
    whether other signs are drawn among them."""
    if not glyphs:
        return [], False
    em = max(glyph.size for glyph in glyphs)
    around = bounding_box((g.x0, g.y0, g.x1, g.y1) for g in glyphs)
    upright = graphics.vertical if len(graphics.vertical) <= _MAX_DRAWN else []
    shapes = graphics.shapes if len(graphics.shapes) <= _MAX_DRAWN else []
    lines = [(x, top, x, foot) for x, top, foot in upright]
    found = [box for box in (*lines, *shapes) if _is_sign(box, around, glyphs, em)]
    found = [box for box in found if box not in lines or not _is_framed(box, graphics.horizontal, em)]
    bars = [box for box in found if box in lines and _is_before_script(box, glyphs, em)]
    signs = [Glyph("|", *box, box[3], em, italic=False, bold=False, math=True) for box in bars]
    return signs, len(found) > len(bars)


def _is_framed(line: Box, level: Sequence[Rule], em: float) -> bool:
    """Whether an upright line is one of a frame or a table."""
    x, top, _, foot = line
    near = _TOUCHING * em
    return any(
        left - near < x < right + near and top - near < y < foot + near and right - left > _FRAME * em
        for y, left, right in level
    )


def _is_sign(box: Box, around: Box, glyphs: Sequence[Glyph], em: float) -> bool:
    """Whether a line or shape stands beside glyphs as a sign does: over none of them, and no piece of one."""
    x0, y0, x1, y1 = box
    longest = max(x1 - x0, y1 - y0)
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    within = around[0] - em < x < around[2] + em and around[1] - em / 2 < y < around[3] + em / 2
    if not within or not _MIN_SIGN * em < longest < _MAX_SIGN * em or y1 - y0 > around[3] - around[1] + 2 * em:
        return False
    near = _TOUCHING * em
    return not any(g.x0 - near < x1 and x0 < g.x1 + near and g.y0 - near < y1 and y0 < g.y1 + near
                   and (x0 < (g.x0 + g.x1) / 2 < x1 or g.x0 < x < g.x1) for g in glyphs)  # fmt: skip


def _is_before_script(bar: Box, glyphs: Sequence[Glyph], em: float) -> bool:
    """Whether an upright line stands behind what is evaluated, and before the smaller type that tells where."""
    x, top, _, foot = bar
    if foot - top < _MIN_BAR * em:
        return False
    level = [g for g in glyphs if g.y0 < foot + em / 2 and top < g.y1]
    least, most = -_TOUCHING * em, _BESIDE * em
    before = any(least < x - g.x1 < most for g in level)
    behind = min((g for g in level if least < g.x0 - x < most), key=lambda g: g.x0, default=None)
    return before and behind is not None and behind.size < SCRIPT_SIZE * em and behind.y0 > (top + foot) / 2
