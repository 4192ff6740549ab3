"""What stands on drawn slides besides plain shapes, and slides and texts of formats that tell no looks of their own."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import pptx as library
import pytest
from contract.containers import make_zip
from pptx.oxml import parse_xml
from sidecar_odf.plugin import OdfFormat
from sidecar_pptx.plugin import PptxFormat
from sidecar_rtf.plugin import RtfFormat
from support.clients.harness import picture

from sidecar.api import Limits, NotFoundError, Source
from sidecar.toolkit.drawn.model import PageDrawing, PictureItem, ShapeItem, TableItem, TextBody, TextParagraph, solid

_NAMES = ("office", "text", "style", "table")
_SPACES = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in _NAMES) + (
    ' xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"'
    ' xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"'
    ' xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"'
)


_BOX = "<a:prstGeom prst='rect'/>"


def slide(shapes: str) -> PageDrawing:
    """A slide of a deck made by python-pptx, with these elements in its tree of shapes."""
    deck: Any = library.Presentation()
    page = deck.slides.add_slide(deck.slide_layouts[6])
    tree = page.shapes._spTree
    for element in parse_xml(
        f'<p:spTree xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
        'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
        f'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">{shapes}</p:spTree>'
    ):
        tree.append(element)
    out = io.BytesIO()
    deck.save(out)
    return PptxFormat().layout(Source.of_bytes(out.getvalue(), "deck.pptx"), 1, Limits())


def shape(properties: str, left: int = 100, top: int = 100, wide: int = 200, high: int = 100, tag: str = "sp") -> str:
    """A shape with these properties, its place in points."""
    kind = "Cxn" if tag == "cxnSp" else "Sp"
    return (
        f'<p:{tag}><p:nv{kind}Pr><p:cNvPr id="9" name="one"/><p:cNv{kind}Pr/><p:nvPr/></p:nv{kind}Pr><p:spPr><a:xfrm>'
        f'<a:off x="{left * 12700}" y="{top * 12700}"/><a:ext cx="{wide * 12700}" cy="{high * 12700}"/></a:xfrm>'
        f"{properties}</p:spPr></p:{tag}>"
    )


def shapes_of(drawing: PageDrawing) -> list[ShapeItem]:
    return [item for item in drawing.items if isinstance(item, ShapeItem)]


def test_heads_stand_at_the_ends_of_a_line_that_has_them() -> None:
    line = (
        '<a:prstGeom prst="straightConnector1"/><a:ln w="25400"><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>'
        '<a:headEnd type="none"/><a:tailEnd type="triangle"/></a:ln>'
    )
    drawn, head = shapes_of(slide(shape(line, tag="cxnSp", high=0)))
    assert drawn.lines
    assert not drawn.rings
    assert len(head.rings[0]) == 3
    assert head.fill == solid("#ff0000")
    assert head.box[2] == pytest.approx(300)  # its tip is the end of the line
    assert 290 < head.box[0] < 300


def test_shapes_of_a_group_take_its_fill_where_they_say_so() -> None:
    green = '<a:solidFill><a:srgbClr val="00B050"/></a:solidFill>'
    own = '<a:solidFill><a:srgbClr val="0000FF"/></a:solidFill>'
    place = '<a:off x="1270000" y="1270000"/><a:ext cx="5080000" cy="2540000"/>'
    inner = place.replace("off", "chOff").replace("ext", "chExt")
    group = (
        '<p:grpSp><p:nvGrpSpPr><p:cNvPr id="7" name="all"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>'
        f"<p:grpSpPr><a:xfrm>{place}{inner}</a:xfrm>{green}</p:grpSpPr>"
        + shape(f"{_BOX}<a:grpFill/>")
        + shape(_BOX + own, left=320)
        + "</p:grpSp>"
    )
    assert [one.fill for one in shapes_of(slide(group))] == [solid("#00b050"), solid("#0000ff")]


def test_pictures_that_are_linked_are_counted() -> None:
    linked = (
        '<p:pic><p:nvPicPr><p:cNvPr id="5" name="far"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill>'
        '<a:blip r:link="rId99"/></p:blipFill><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="127000" cy="127000"/>'
        "</a:xfrm></p:spPr></p:pic>"
    )
    filled = shape(f"{_BOX}<a:blipFill><a:blip r:embed='rId98'/></a:blipFill>")
    assert slide(linked + filled).omitted == ("2 linked or missing pictures",)


def words(body: TextBody | None) -> str:
    return "\n".join("".join(run.text for run in one.runs) for one in body.paragraphs) if body is not None else ""


def odp(frames: str, more: dict[str, bytes] | None = None) -> Source:
    content = (
        f"<office:document-content {_SPACES}><office:body><office:presentation><draw:page draw:name='page1'>{frames}"
        "</draw:page></office:presentation></office:body></office:document-content>"
    )
    return Source.of_bytes(make_zip({"content.xml": content.encode(), **(more or {})}), "deck.odp")


def test_a_slide_of_texts_pictures_and_tables_has_them_at_their_places() -> None:
    at = "svg:x='{}pt' svg:y='{}pt' svg:width='{}pt' svg:height='{}pt'"
    title = f"<draw:frame presentation:class='title' {at.format(40, 20, 600, 60)}><draw:text-box><text:p>Plan</text:p>"
    frames = (
        f"{title}</draw:text-box></draw:frame><draw:frame {at.format(40, 120, 300, 80)}><draw:text-box>"
        "<text:p>First</text:p><text:p>Second</text:p></draw:text-box></draw:frame>"
        f"<draw:frame {at.format(400, 120, 128, 64)}><draw:image xlink:href='Pictures/one.png'/></draw:frame>"
        f"<draw:frame {at.format(40, 300, 400, 60)}><table:table><table:table-row>"
        "<table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell>"
        "</table:table-row></table:table></draw:frame>"
        "<presentation:notes><draw:frame><draw:text-box><text:p>Said aloud</text:p></draw:text-box></draw:frame>"
        "</presentation:notes>"
    )
    drawing = OdfFormat().layout(odp(frames, {"Pictures/one.png": picture()}), 1, Limits())
    texts = {words(one.body): one.box for one in shapes_of(drawing)}
    assert texts == {"Plan": (40, 20, 640, 80), "First\nSecond": (40, 120, 340, 200)}
    (shown,) = [item for item in drawing.items if isinstance(item, PictureItem)]
    assert shown.box[:2] == (400, 120)
    (table,) = [item for item in drawing.items if isinstance(item, TableItem)]
    assert sum(table.columns) == pytest.approx(0.88 * drawing.width)  # no place is told of it
    with pytest.raises(NotFoundError, match="has 1 slides"):
        OdfFormat().layout(odp(frames), 2, Limits())


def flowing(drawing: PageDrawing) -> Iterator[str]:
    """The texts of a drawing that flows, those in frames and tables in brackets."""
    for item in drawing.flow:
        if isinstance(item, TextParagraph):
            yield "".join(run.text for run in item.runs)
        elif isinstance(item, TableItem):
            yield f"[{' '.join(words(cell.body) for cell in item.cells)}]"


def test_notes_and_boxes_of_a_text_stand_apart_and_comments_are_counted() -> None:
    text = (
        rb"{\rtf1\ansi Before{\footnote See below.}\par{\shp{\*\shpinst{\shptxt Boxed words\par}}}"
        rb"After{\annotation Checked twice}\par}"
    )
    drawing = RtfFormat().layout(Source.of_bytes(text, "letter.rtf"), 1, Limits())
    shown = list(flowing(drawing))
    assert "[Boxed words]" in shown
    assert shown[-1].endswith("See below.")
    assert shown[-2] == "[]"  # the rule over them
    assert any("comment" in one for one in drawing.omitted)
