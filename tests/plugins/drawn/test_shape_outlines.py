"""Outlines of shapes on slides that are drawn without LibreOffice: presets (presetShapeDefinitions of ECMA-376 part 1
§20.1.9.18) in a box twice as wide as high, and paths of a shape's own."""

import io
import math
from typing import Any

import pytest
from pptx import Presentation
from pptx.oxml import parse_xml
from pptx.util import Pt
from sidecar_pptx import PptxFormat

from sidecar.api import Limits, Source
from sidecar.toolkit.drawn.model import ShapeItem

NS = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
CORNERS: dict[str, list[tuple[float, float]]] = {
    "triangle": [(0.5, 0), (1, 1), (0, 1)],
    "trapezoid": [(0.125, 0), (0.875, 0), (1, 1), (0, 1)],
    "parallelogram": [(0.125, 0), (1, 0), (0.875, 1), (0, 1)],
    "hexagon": [(0.125, 0), (0.875, 0), (1, 0.5), (0.875, 1), (0.125, 1), (0, 0.5)],
    "octagon": [(0.146445, 0), (0.853555, 0), (1, 0.29289), (1, 0.70711), (0.853555, 1), (0.146445, 1), (0, 0.70711),
                (0, 0.29289)],
    "homePlate": [(0, 0), (0.75, 0), (1, 0.5), (0.75, 1), (0, 1)],
    "chevron": [(0, 0), (0.75, 0), (1, 0.5), (0.75, 1), (0, 1), (0.25, 0.5)],
    "plus": [(0.125, 0), (0.875, 0), (0.875, 0.25), (1, 0.25), (1, 0.75), (0.875, 0.75), (0.875, 1), (0.125, 1),
             (0.125, 0.75), (0, 0.75), (0, 0.25), (0.125, 0.25)],
    "rightArrow": [(0, 0.25), (0.75, 0.25), (0.75, 0), (1, 0.5), (0.75, 1), (0.75, 0.75), (0, 0.75)],
}  # fmt: skip


def outline(geometry: str) -> ShapeItem:
    """The shape of that `a:prstGeom` or `a:custGeom`, laid out in a box of 200 by 100 points."""
    deck: Any = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    shape = slide.shapes.add_shape(1, Pt(0), Pt(0), Pt(200), Pt(100))
    old = shape._element.spPr.prstGeom
    old.getparent().replace(old, parse_xml(geometry))
    out = io.BytesIO()
    deck.save(out)
    page = PptxFormat().layout(Source.of_bytes(out.getvalue(), "a.pptx"), 1, Limits())
    (found,) = [item for item in page.items if isinstance(item, ShapeItem)]
    return found


def preset(name: str, adjustments: str = "") -> ShapeItem:
    return outline(f'<a:prstGeom {NS} prst="{name}"><a:avLst>{adjustments}</a:avLst></a:prstGeom>')


@pytest.mark.parametrize("name", CORNERS)
def test_a_preset_has_the_corners_the_standard_gives_it(name: str) -> None:
    (ring,) = preset(name).rings
    assert [pytest.approx(point) for point in CORNERS[name]] == list(ring)


@pytest.mark.parametrize(
    ("name", "corners"),
    [
        ("line", [(0, 0), (1, 1)]),
        ("straightConnector1", [(0, 0), (1, 1)]),
        ("bentConnector2", [(0, 0), (1, 0), (1, 1)]),
        ("bentConnector3", [(0, 0), (0.5, 0), (0.5, 1), (1, 1)]),
    ],
)
def test_a_connector_leads_from_corner_to_corner(name: str, corners: list[tuple[float, float]]) -> None:
    found = preset(name)
    assert not found.rings
    (line,) = found.lines
    assert list(line) == [pytest.approx(point) for point in corners]


def test_an_arc_is_a_quarter_of_the_ellipse_and_a_pie_the_rest() -> None:
    (arc,) = preset("arc").lines
    assert [arc[0], arc[-1]] == [pytest.approx((0.5, 0)), pytest.approx((1, 0.5))]
    ((middle, *edge),) = preset("pie").rings
    assert middle == (0.5, 0.5)
    assert [edge[0], edge[-1]] == [pytest.approx((1, 0.5)), pytest.approx((0.5, 0))]
    assert len(edge) > 2 * len(arc)
    assert [math.dist(point, middle) for point in (*arc, *edge)] == pytest.approx([0.5] * (len(arc) + len(edge)))


@pytest.mark.parametrize(("name", "side"), [("leftBracket", 0.0), ("rightBrace", 1.0)])
def test_a_bracket_stands_open_to_one_side(name: str, side: float) -> None:
    (line,) = preset(name).lines
    assert [x == side for x, _ in line] == [False, True, True, False]


@pytest.mark.parametrize(("name", "share"), [("star4", 0.25), ("star5", 0.38196), ("star6", 0.57736), ("star8", 0.75)])
def test_the_inner_corners_of_a_star_lie_where_the_standard_says(name: str, share: float) -> None:
    (ring,) = preset(name).rings
    assert len(ring) == 2 * int(name[4:])
    assert [math.dist(point, (0.5, 0.5)) * 2 for point in ring[1::2]] == pytest.approx([share] * int(name[4:]))


@pytest.mark.parametrize("formula", ["val 10000", "val -5", "val --5", "val", "*/ w 1 2", "val 9999999999"])
def test_an_adjustment_moves_a_corner_or_is_left_alone(formula: str) -> None:
    (ring,) = preset("chevron", f'<a:gd name="adj" fmla="{formula}"/>').rings
    assert ring[1][0] == pytest.approx({"val 10000": 0.95, "val -5": 1.0}.get(formula, 0.75), abs=1e-3)


def test_a_path_of_its_own_is_followed_along_lines_curves_and_arcs() -> None:
    steps = (
        '<a:moveTo><a:pt x="0" y="0"/></a:moveTo><a:lnTo><a:pt x="100" y="0"/></a:lnTo><a:lnTo><a:pt x="100" y="50"/>'
        '</a:lnTo><a:arcTo wR="50" hR="50" stAng="0" swAng="5400000"/><a:quadBezTo><a:pt x="0" y="100"/>'
        '<a:pt x="0" y="50"/></a:quadBezTo><a:close/>'
    )
    found = outline(f'<a:custGeom {NS}><a:pathLst><a:path w="100" h="100">{steps}</a:path></a:pathLst></a:custGeom>')
    (ring,) = found.rings
    assert ring[:3] == ((0, 0), (1, 0), (1, 0.5))
    assert any(point == pytest.approx((0.5, 1.0)) for point in ring), "the arc ends a quarter on"
    assert any(point == pytest.approx((0.125, 0.875)) for point in ring), "the curve passes its middle"
    assert ring[-1] == pytest.approx((0, 0.5))
