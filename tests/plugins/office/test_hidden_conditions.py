"""Cells of OpenDocument spreadsheets and of .xls whose looks depend on conditions: which of them nobody sees."""

from __future__ import annotations

import io
import zipfile

import pytest
from sidecar_xlsx import XlsxFormat
from support.office_old.excel_binary import painted_where, styled_xls

from sidecar.api import Limits, ParsedDocument, Source
from sidecar.toolkit.visible import visible

_URN = "urn:oasis:names:tc:opendocument:xmlns"
_NAMES = {"office": "office", "style": "style", "table": "table", "text": "text", "fo": "xsl-fo-compatible"}
WHITE = '<style:text-properties fo:color="#ffffff"/>'
DARK = '<style:table-cell-properties fo:background-color="#203864"/>'


def sheet(condition: str, applied: str, own: str = "", beside: str = "") -> ParsedDocument:
    """Of one cell, B4, with "Words." in a style of its own, and another one in its place under a condition; `beside`
    as LibreOffice writes one outside of styles."""
    spaces = " ".join(f'xmlns:{short}="{_URN}:{name}:1.0"' for short, name in _NAMES.items())
    spaces += ' xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"'
    attributes = f'style:condition="{condition}" style:apply-style-name="A" style:base-cell-address="Data.B4"'
    styles = (
        f'<style:style style:name="A" style:display-name="Unseen A" style:family="table-cell">{applied}</style:style>'
        f'<style:style style:name="ce1" style:family="table-cell">{own}<style:map {attributes}/></style:style>'
    )
    cell = '<table:table-cell/><table:table-cell table:style-name="ce1"><text:p>Words.</text:p></table:table-cell>'
    rows = f'<table:table-row table:number-rows-repeated="3"/><table:table-row>{cell}</table:table-row>'
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr(
            "content.xml",
            f"<office:document-content {spaces}><office:automatic-styles>{styles}</office:automatic-styles>"
            f'<office:body><office:spreadsheet><table:table table:name="Data">{rows}{beside}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
        )
    return XlsxFormat().parse(Source.of_bytes(out.getvalue(), "a.ods"), Limits(ocr=False))


def shown(document: ParsedDocument) -> str:
    return str([visible(block) for part in document.parts for block in part.blocks])


@pytest.mark.parametrize(
    ("condition", "applied", "own"),
    [
        ("is-true-formula(1)", WHITE, ""),
        ("is-true-formula(LEN([.B4])&gt;0)", WHITE, ""),
        ("is-true-formula(NOT(ISBLANK([.$B4])))", DARK, '<style:text-properties fo:color="#203864"/>'),
        ("cell-content()!=&quot;z&quot;", WHITE, ""),
        ("is-true-formula(MOD(ROW();2)=0)", WHITE, ""),
        ("is-true-formula(MOD(ROW(),3))", WHITE, ""),
        ("is-true-formula(ISEVEN(ROW()))", WHITE, ""),
        ("is-true-formula(NOT(ISERROR(SEARCH(&quot;WORD&quot;;[.B4]))))", WHITE, ""),
        ("is-true-formula(ISNUMBER(FIND(&quot;rd&quot;;[.$B4])))", WHITE, ""),
        ("cell-content()=&quot;z&quot;", '<style:text-properties fo:color="#000000"/>', WHITE),
    ],
)
def test_words_that_a_condition_hides_or_does_not_show_are_flagged(condition: str, applied: str, own: str) -> None:
    document = sheet(condition, applied, own)
    assert [notice.code for notice in document.notices] == ["hidden_content"]
    assert "Words." not in shown(document)


@pytest.mark.parametrize(
    ("condition", "applied", "own"),
    [
        ("cell-content()=&quot;z&quot;", WHITE, ""),
        ("is-true-formula(0)", WHITE, ""),
        ("is-true-formula(MOD(ROW();2)=1)", WHITE, ""),
        ("is-true-formula(MOD(ROW();2)=0)", DARK, WHITE),
        ("is-true-formula(MOD(ROW();0)=0)", WHITE, ""),
        ("is-true-formula(MOD(COLUMN();2)=0)", WHITE, ""),
        ("is-true-formula(ISODD(ROW()))", WHITE, ""),
        ("is-true-formula(NOT(ISERROR(SEARCH(&quot;zebra&quot;;[.B4]))))", WHITE, ""),
        ("is-true-formula(NOT(ISERROR(SEARCH(&quot;word&quot;;[.C4]))))", WHITE, ""),
        ("is-true-formula(LEN([.C4])&gt;0)", WHITE, ""),
        ("is-true-formula(1)", DARK, WHITE),
        ("cell-content-is-between(1,2)", WHITE, ""),
        ("", WHITE, ""),
    ],
)
def test_words_that_are_seen_or_may_be_stay(condition: str, applied: str, own: str) -> None:
    document = sheet(condition, applied, own)
    assert not document.notices
    assert "Words." in shown(document)


TRUE, FALSE, Z = b"\x1d\x01", b"\x1d\x00", b"\x17\x01\x00z"
"""Tokens of formulas: truth and its opposite, the text z."""
BLACK, WHITE_INK = 8, 9


def book(condition: bytes, ink: int = BLACK) -> ParsedDocument:
    data = styled_xls(("Shown.", "Words."), ink, condition=condition)
    return XlsxFormat().parse(Source.of_bytes(data, "a.xls"), Limits(ocr=False))


def _beside(value: str, area: str = "&apos;Data x&apos;.A2:&apos;Data x&apos;.C9", name: str = "Unseen A") -> str:
    told = f'calcext:apply-style-name="{name}" calcext:value="{value}" calcext:base-cell-address="Data.B4"'
    return (
        f'<calcext:conditional-formats><calcext:conditional-format calcext:target-range-address="{area}">'
        f"<calcext:condition {told}/></calcext:conditional-format></calcext:conditional-formats>"
    )


@pytest.mark.parametrize(
    "beside",
    [
        _beside("contains-text(&quot;ord&quot;)"), _beside("begins-with(&quot;W&quot;)"), _beside("!=&quot;z&quot;"),
        _beside("formula-is(LEN(TRIM([.B4]))&gt;0)"), _beside("is-no-error"), _beside("is-no-error", "Data.A1 Data.B4"),
    ],
)  # fmt: skip
def test_words_that_a_condition_beside_the_styles_hides_are_flagged(beside: str) -> None:
    document = sheet("cell-content()=&quot;z&quot;", WHITE, "", beside)
    assert "Words" not in shown(document)
    assert "Words" in str(document.parts)


@pytest.mark.parametrize(
    "beside",
    [
        _beside("contains-text(&quot;z&quot;)"), _beside("&gt;5"), _beside("top-elements(3)"),
        _beside("is-no-error", "Data.A1:Data.A9"), _beside("is-no-error", name="Other"), _beside("is-no-error", "none"),
    ],
)  # fmt: skip
def test_words_that_a_condition_beside_the_styles_may_show_stay(beside: str) -> None:
    assert "Words" in shown(sheet("cell-content()=&quot;z&quot;", WHITE, "", beside))


@pytest.mark.parametrize(
    "condition",
    [
        painted_where(TRUE, ink=WHITE_INK),
        painted_where(TRUE, ink=WHITE_INK, more=True),
        painted_where(Z, 4, ink=WHITE_INK),
        painted_where(TRUE, behind=BLACK, more=True),
        painted_where(TRUE, front=BLACK),
    ],
)
def test_words_of_an_xls_that_a_condition_hides_are_flagged(condition: bytes) -> None:
    document = book(condition)
    assert [notice.code for notice in document.notices] == ["hidden_content"]
    assert "Words." not in shown(document)
    assert "Shown." in shown(document)


@pytest.mark.parametrize(
    "condition",
    [
        painted_where(FALSE, ink=WHITE_INK),
        painted_where(Z, 3, ink=WHITE_INK),
        painted_where(Z, 5, ink=WHITE_INK),
        painted_where(TRUE, ink=WHITE_INK, behind=BLACK, more=True),
        painted_where(TRUE),
        painted_where(TRUE, ink=WHITE_INK)[:-30],
    ],
)
def test_words_of_an_xls_that_are_seen_or_may_be_stay(condition: bytes) -> None:
    document = book(condition)
    assert not document.notices
    assert "Words." in shown(document)
