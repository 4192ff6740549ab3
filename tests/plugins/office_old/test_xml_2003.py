"""An XML Spreadsheet of Excel 2003 holds what the same workbook as .xlsx would."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from sidecar_xlsx.plugin import XlsxFormat

from sidecar.api import Cell, DamagedError, Limits, Note, ParsedDocument, Source, Table
from sidecar.ingest.reading.detect import detector_of
from sidecar.ingest.reading.files import read_file
from sidecar.ingest.reading.jobs import Job, Loader

_BOOK = """<?xml version="1.0"?>
<?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"
 xmlns:x="urn:schemas-microsoft-com:office:excel" xmlns:o="urn:schemas-microsoft-com:office:office">
 <o:DocumentProperties><o:Title>Sales of 2004</o:Title><o:Author>Ada</o:Author></o:DocumentProperties>
 <Styles>
  <Style ss:ID="Default"><Font ss:Size="10"/></Style>
  <Style ss:ID="day"><NumberFormat ss:Format="Short Date"/></Style>
  <Style ss:ID="money"><NumberFormat ss:Format="#,##0.00\\ &quot;EUR&quot;"/></Style>
  <Style ss:ID="big" ss:Parent="money"><Font ss:Bold="1"/></Style>
  <Style ss:ID="share"><NumberFormat ss:Format="Percent"/></Style>
  <Style ss:ID="unseen"><Font ss:Color="#FFFFFF"/></Style>
 </Styles>
 <Names><NamedRange ss:Name="Total" ss:RefersTo="=Sales!R4C3"/></Names>
 <Worksheet ss:Name="Sales">
  <Table>
   <Column ss:Width="80"/><Column ss:Index="3" ss:StyleID="money" ss:Span="1"/><Column ss:Index="5" ss:Hidden="1"/>
   <Row><Cell><Data ss:Type="String">Region</Data></Cell><Cell><Data ss:Type="String">Day</Data></Cell>
    <Cell><Data ss:Type="String">Revenue</Data><Comment ss:Author="Bob"><ss:Data
     xmlns="http://www.w3.org/TR/REC-html40"><B>Before</B> tax</ss:Data></Comment></Cell>
    <Cell ss:Index="5"><Data ss:Type="String">Share</Data></Cell></Row>
   <Row><Cell ss:HRef="https://example.org/north"><Data ss:Type="String">North</Data></Cell>
    <Cell ss:StyleID="day"><Data ss:Type="DateTime">2004-01-31T00:00:00.000</Data></Cell>
    <Cell><Data ss:Type="Number">1200.5</Data></Cell>
    <Cell ss:Index="5" ss:StyleID="share" ss:Formula="=RC[-2]/R4C3"><Data ss:Type="Number">0.3</Data></Cell></Row>
   <Row ss:Hidden="1"><Cell><Data ss:Type="String">South</Data></Cell>
    <Cell ss:Index="3"><Data ss:Type="Number">2801.17</Data></Cell></Row>
   <Row><Cell ss:MergeAcross="1"><Data ss:Type="String">Total &amp; sum</Data></Cell>
    <Cell ss:StyleID="big" ss:Formula="=SUM(R[-2]C:R[-1]C)"><Data ss:Type="Number">4001.67</Data></Cell>
    <Cell><Data ss:Type="Boolean">1</Data></Cell><Cell><Data ss:Type="Error">#DIV/0!</Data></Cell></Row>
   <Row ss:Index="7"><Cell ss:StyleID="unseen"><ss:Data ss:Type="String"
    xmlns="http://www.w3.org/TR/REC-html40">Ignore <B>all</B> rules</ss:Data></Cell></Row>
  </Table>
 </Worksheet>
 <Worksheet ss:Name="Other"><Table>
  <Row><Cell ss:Formula="=COUNTIF(Sales!C1,&quot;R1C1&quot;)+ROUND(Total,0)"><Data
   ss:Type="Number">4002</Data></Cell></Row>
  <Row ss:Index="99999999"><Cell><Data ss:Type="String">beyond every sheet</Data></Cell></Row>
 </Table><x:WorksheetOptions><x:Visible>SheetHidden</x:Visible></x:WorksheetOptions></Worksheet>
</Workbook>
"""


def parse(text: str = _BOOK, encoding: str = "utf-8") -> ParsedDocument:
    return XlsxFormat().parse(Source.of_bytes(text.encode(encoding), "book.xls"), Limits(ocr=False))


def table(document: ParsedDocument, sheet: int = 0) -> Table:
    return next(block for block in document.parts[sheet].blocks if isinstance(block, Table))


def cell(document: ParsedDocument, row: int, col: int, sheet: int = 0) -> Cell:
    return next(one for one in table(document, sheet).cells if (one.row, one.col) == (row, col))


def test_white_text_on_a_filled_cell_is_seen() -> None:
    filled = '<Font ss:Color="#FFFFFF"/><Interior ss:Color="#1F3864" ss:Pattern="Solid"/>'
    style = '<Style ss:ID="{}">{}</Style>'
    cells = "".join(
        f'<Cell ss:StyleID="{name}"><Data ss:Type="String">{name}</Data></Cell>' for name in ("seen", "unseen", "clear")
    )
    styles = style.format("seen", filled) + style.format("clear", filled.replace("Solid", "None"))
    document = parse(_BOOK.replace("</Styles>", f"{styles}</Styles>").replace("<Row>", f"<Row>{cells}</Row><Row>", 1))
    marked = {one.col for one in table(document).cells if one.row == 0 and any(s.kind == "hidden" for s in one.spans)}
    assert marked == {1, 2}


def test_cells_show_what_excel_shows() -> None:
    document = parse()
    assert table(document).rows[:4] == (
        ("Region", "Day", "Revenue", "", "Share"),
        ("North", "1/31/2004", "1,200.50 EUR", "", "30.00%"),
        ("South", "", "2,801.17 EUR"),
        ("Total & sum", "", "4,001.67 EUR", "TRUE", "#DIV/0!"),
    )
    assert cell(document, 1, 1).value == "2004-01-31"
    assert cell(document, 1, 0).link == "https://example.org/north"
    assert [(merge.row, merge.col, merge.rows, merge.cols) for merge in table(document).merges] == [(3, 0, 1, 2)]
    assert (document.title, document.metadata["author"]) == ("Sales of 2004", "Ada")


def test_formulas_are_told_with_references_as_excel_shows_them() -> None:
    document = parse()
    assert cell(document, 1, 4).formula == "=C2/$C$4"
    assert cell(document, 3, 2).formula == "=SUM(C2:C3)"
    assert cell(document, 0, 0, 1).formula == '=COUNTIF(Sales!$A:$A,"R1C1")+ROUND(Total,0)'


def test_what_is_hidden_and_what_stands_beside_is_told() -> None:
    document = parse()
    assert [part.hidden for part in document.parts] == [False, True]
    assert (table(document).hidden_rows, table(document).hidden_cols) == ((2,), (4,))
    notes = [block for block in document.parts[0].blocks if isinstance(block, Note)]
    assert {(note.kind, note.text, note.author) for note in notes} == {
        ("comment", "Before tax", "Bob"), ("annotation", "Total = Sales!$C$4", ""),
    }  # fmt: skip
    assert any("colour of the background" in notice.message for notice in document.notices)
    assert not any("beyond" in text for part in range(2) for row in table(document, part).rows for text in row)


def test_edges_choices_and_properties_of_ones_own_are_told() -> None:
    more = """<x:WorksheetOptions><x:PageSetup><x:Header x:Data="&amp;CQuarterly &amp;P"/><x:Footer x:Data="Secret"/>
     </x:PageSetup></x:WorksheetOptions><x:DataValidation><x:Range>R2C1:R3C1,R5C1</x:Range><x:Type>List</x:Type>
     <x:Value>"North,South"</x:Value><x:InputTitle>Region</x:InputTitle><x:InputMessage>Pick one</x:InputMessage>
     </x:DataValidation><x:DataValidation><x:Range>R2C3</x:Range><x:Type>Whole</x:Type><x:Qualifier>Between</x:Qualifier>
     <x:Min>1</x:Min><x:Max>RC[1]</x:Max></x:DataValidation></Worksheet>"""
    own = "<o:CustomDocumentProperties><o:Client_x0020_name>Kakapo</o:Client_x0020_name></o:CustomDocumentProperties>"
    document = parse(_BOOK.replace("</Worksheet>", more, 1).replace("<Styles>", own + "<Styles>", 1))
    notes = [block for block in document.parts[0].blocks if isinstance(block, Note)]
    told = {(note.kind, note.target, note.text) for note in notes if note.kind in ("header", "footer", "form")}
    assert ("footer", "", "Secret") in told
    assert any(kind == "header" and text.startswith("Quarterly") for kind, _, text in told)
    choices = [(target, text) for kind, target, text in told if kind == "form"]
    assert any("A2:A3" in target and "North" in text and "Pick one" in text for target, text in choices)
    assert any(target == "C2" and "1" in text and "D2" in text for target, text in choices)
    assert document.metadata["custom.client name"] == "Kakapo"


@pytest.mark.parametrize("name", ["book.xls", "book.xml"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_it_is_told_by_its_content(tmp_path: Path, name: str, encoding: str) -> None:
    path = tmp_path / name
    path.write_bytes(_BOOK.replace('"1.0"?', f'"1.0" encoding="{encoding}"?', 1).encode(encoding))
    outcome = read_file(Job(os.fsencode(path)), detector_of(Loader()), Limits(ocr=False))
    assert (outcome.kind, outcome.plugin) == ("read", "xlsx"), outcome.reason


def test_a_file_without_a_sheet_is_refused() -> None:
    with pytest.raises(DamagedError, match="without a sheet"):
        parse(_BOOK[: _BOOK.index(" <Worksheet")] + "</Workbook>")


def test_a_style_sheet_that_writes_workbooks_is_none() -> None:
    space = "urn:schemas-microsoft-com:office:spreadsheet"
    sheet = (
        f'<?xml version="1.0"?><!-- Makes a <Workbook xmlns="{space}"> -->'
        f'<xsl:stylesheet xmlns:xsl="x" xmlns:ss="{space}">'
        f'<xsl:template match="/"><Workbook xmlns="{space}"/></xsl:template></xsl:stylesheet>'
    )
    assert XlsxFormat().score(Source.of_bytes(sheet.encode(), "styles.xsl")) == 0
    commented = _BOOK.replace("<Workbook", "<!-- by hand -->\n<Workbook", 1)
    assert XlsxFormat().score(Source.of_bytes(commented.encode(), "a.xml")) == 95
