"""Cells of workbooks that hold more than their plain value: pictures, entities of data types, errors of today."""

import io
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
import xlsxwriter
from sidecar_xlsx import XlsxFormat
from support.office.docx_files import png

from sidecar.api import Figure, Limits, ParsedDocument, Source, Table


def _placed(tmp_path: Path, cells: Mapping[str, str]) -> bytes:
    """A workbook with a picture, of that alternative text, in each of those cells."""
    out = io.BytesIO()
    with xlsxwriter.Workbook(out) as book:
        sheet = book.add_worksheet("Berths")
        sheet.write_row("A1", ["Berth", "Seen"])
        for number, (name, alt) in enumerate(cells.items()):
            picture = tmp_path / f"{number}.png"
            picture.write_bytes(png(7 + number))
            sheet.write("A" + name[1:], f"row {name[1:]}")
            sheet.embed_image(name, str(picture), {"description": alt})
    return out.getvalue()


def _changed(data: bytes, changes: Mapping[str, tuple[str, str]]) -> bytes:
    """The package with the pattern replaced in each of those parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(out, "w") as after:
        for name in before.namelist():
            content = before.read(name)
            if name in changes:
                pattern, new = changes[name]
                content, count = re.subn(pattern.encode(), new.encode(), content, flags=re.DOTALL)
                assert count
            after.writestr(name, content)
    return out.getvalue()


def _read(data: bytes) -> ParsedDocument:
    return XlsxFormat().parse(Source.of_bytes(data, "berths.xlsx"), Limits())


def _rows(document: ParsedDocument) -> tuple[tuple[str, ...], ...]:
    return next(block for block in document.parts[0].blocks if isinstance(block, Table)).rows


def test_a_picture_in_a_cell_is_a_figure_there_and_no_error(tmp_path: Path) -> None:
    document = _read(_placed(tmp_path, {"B2": "A red & blue berth", "B4": ""}))
    assert "#VALUE!" not in str(_rows(document))
    assert _rows(document)[1] == ("row 2", "A red & blue berth")
    figures = [block for block in document.parts[0].blocks if isinstance(block, Figure)]
    assert [(figure.anchor, figure.alt) for figure in figures] == [("B2", "A red & blue berth"), ("B4", "")]
    payload = XlsxFormat().open_embedded(
        Source.of_bytes(_placed(tmp_path, {"B2": "x"}), "berths.xlsx"), document.embedded[0].ref, Limits()
    )
    assert payload.data == png()


@pytest.mark.parametrize(
    ("keys", "values", "shown"),
    [
        ('<k n="colOffset" t="i"/><k n="errorType" t="i"/>', "<v>1</v><v>8</v>", "#SPILL!"),
        ('<k n="errorType" t="i"/>', "<v>13</v>", "#CALC!"),
        ('<k n="%EntityId" t="s"/><k n="_DisplayString" t="s"/>', "<v>7</v><v>Emden &lt;Port&gt;</v>", "Emden <Port>"),
        ('<k n="WebImageIdentifier" t="i"/><k n="Text" t="s"/>', "<v>0</v><v>A quay</v>", "A quay"),
        ('<k n="errorType" t="i"/>', "<v>99</v>", "#VALUE!"),
    ],
)
def test_a_cell_shows_its_rich_value(tmp_path: Path, keys: str, values: str, shown: str) -> None:
    data = _changed(
        _placed(tmp_path, {"B2": "x"}),
        {
            "xl/richData/rdrichvaluestructure.xml": ("<s .*</s>", f'<s t="_any">{keys}</s>'),
            "xl/richData/rdrichvalue.xml": ("<rv .*</rv>", f'<rv s="0">{values}</rv>'),
            "xl/worksheets/sheet1.xml": ('(<c r="B2"[^>]*>)', r"\1<f>SOMETHING(A2)</f>"),
        },
    )
    document = _read(data)
    assert _rows(document)[1] == ("row 2", shown)
    cell = next(block for block in document.parts[0].blocks if isinstance(block, Table)).cells[0]
    assert (cell.row, cell.col, cell.formula) == (1, 1, "=SOMETHING(A2)")


def test_metadata_of_other_kinds_between_does_not_shift_values(tmp_path: Path) -> None:
    data = _changed(
        _placed(tmp_path, {"B2": "one", "B3": "two"}),
        {"xl/metadata.xml": ('<valueMetadata count="2">', '<valueMetadata count="3"><bk><rc t="9" v="0"/></bk>')},
    )
    # `vm` 1 is now nothing we know, 2 is what 1 was: the third row's cell shows the first picture.
    assert [row[1] for row in _rows(_read(data))] == ["Seen", "#VALUE!", "one"]


def test_a_picture_that_wps_office_placed_is_a_figure(tmp_path: Path) -> None:
    data = _placed(tmp_path, {"B2": "x"})
    kind = "http://www.wps.cn/officeDocument/2020/cellImage"
    data = _changed(
        data,
        {
            "xl/_rels/workbook.xml.rels": (
                "</Relationships>",
                f'<Relationship Id="rIdW" Type="{kind}" Target="cellimages.xml"/></Relationships>',
            ),
            "xl/worksheets/sheet1.xml": (
                '<c r="B2".*?</c>',
                '<c r="B2" t="str"><f>_xlfn.DISPIMG(&quot;ID_0A&quot;,1)</f><v>=DISPIMG(&quot;ID_0A&quot;,1)</v></c>',
            ),
        },
    )
    out = io.BytesIO(data)
    drawing = "http://schemas.openxmlformats.org/drawingml/2006"
    related = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    with zipfile.ZipFile(out, "a") as package:
        package.writestr(
            "xl/cellimages.xml",
            f'<etc:cellImages xmlns:etc="http://www.wps.cn/officeDocument/2017/etCustomData" xmlns:r="{related}" '
            f'xmlns:xdr="{drawing}/spreadsheetDrawing" xmlns:a="{drawing}/main"><etc:cellImage><xdr:pic><xdr:nvPicPr>'
            '<xdr:cNvPr id="1" name="ID_0A" descr="A quay"/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rId1"/>'
            "</xdr:blipFill></xdr:pic></etc:cellImage></etc:cellImages>",
        )
        package.writestr(
            "xl/_rels/cellimages.xml.rels",
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship '
            f'Id="rId1" Type="{related}/image" Target="media/image1.png"/></Relationships>',
        )
    document = _read(out.getvalue())
    assert _rows(document)[1] == ("row 2", "A quay")
    figures = [block for block in document.parts[0].blocks if isinstance(block, Figure)]
    assert [(figure.anchor, figure.alt) for figure in figures] == [("B2", "A quay")]
