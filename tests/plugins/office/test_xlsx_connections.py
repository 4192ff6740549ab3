"""Where the data of workbooks come from: connections, and queries of Power Query."""

import base64
import io
import struct
import zipfile

import xlsxwriter
from sidecar_xlsx import XlsxFormat
from support.formats.plugin_reading import of, read

from sidecar.api import Code, Heading, Paragraph

XLSX = XlsxFormat()
QUERIES = (
    'section Section1;\r\n\r\nshared Ships = let\r\n  Source = Sql.Database("harbour", "ships")\r\nin\r\n  Source;'
    '\r\n\r\nshared #"Ships ""old""" = Ships;'
)
CONNECTION = (
    '<connection id="1" name="Ledger" description="The ledger of the port" type="1">'
    '<dbPr connection="DSN=ledger;UID=ann;PWD=s3cret;Database=port" command="SELECT * FROM berths"/></connection>'
    '<connection id="2" name="Query - Ships" type="5">'
    '<dbPr connection="Provider=Microsoft.Mashup.OleDb.1;Location=Ships"'
    ' command="SELECT * FROM [Ships]"/></connection>'
)


def _mashup(queries: str = QUERIES) -> bytes:
    """A part that holds queries, as Excel writes it."""
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as packed:
        packed.writestr("Formulas/Section1.m", queries)
    data = struct.pack("<II", 0, len(inner.getvalue())) + inner.getvalue() + struct.pack("<I", 0) * 3
    written = base64.b64encode(data).decode()
    xml = (
        f'<?xml version="1.0" encoding="utf-16"?><DataMashup xmlns="http://schemas.microsoft.com/DataMashup">{written}'
    )
    return f"{xml}</DataMashup>".encode("utf-16")


def _workbook(mashup: bytes = b"", connections: str = "") -> bytes:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out) as book:
        book.add_worksheet("Berths").write("A1", "Depth")
    with zipfile.ZipFile(out) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    if mashup:
        schema = '<ds:schemaRef ds:uri="http://schemas.microsoft.com/DataMashup"/>'
        properties = f'<ds:datastoreItem xmlns:ds="http://schemas.openxmlformats.org/x">{schema}</ds:datastoreItem>'
        parts |= {"customXml/item1.xml": mashup, "customXml/itemProps1.xml": properties.encode()}
    if connections:
        parts["xl/connections.xml"] = (
            f'<connections xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">{connections}</connections>'
        ).encode()
        kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/connections"
        related = f'<Relationship Id="rIdC" Type="{kind}" Target="connections.xml"/></Relationships>'
        name = "xl/_rels/workbook.xml.rels"
        parts[name] = parts[name].replace(b"</Relationships>", related.encode())
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as package:
        for name, content in parts.items():
            package.writestr(name, content)
    return packed.getvalue()


def test_queries_and_connections_are_a_part_of_their_own() -> None:
    document = read(XLSX, _workbook(_mashup(), CONNECTION), "port.xlsx")
    assert [part.title for part in document.parts] == ["Berths", "Queries and connections"]
    assert [one.text for one in of(document, Heading)] == ["Ships", 'Ships "old"', "Ledger"]
    assert [(one.text, one.language) for one in of(document, Code)] == [
        ('let\n  Source = Sql.Database("harbour", "ships")\nin\n  Source', "powerquery"), ("Ships", "powerquery"),
        ("SELECT * FROM berths", "sql"),
    ]  # fmt: skip
    assert [one.text for one in of(document, Paragraph)] == [
        "The ledger of the port", "DSN=ledger;UID=ann;PWD=…;Database=port",
    ]  # fmt: skip
    assert "external_content" in [notice.code for notice in document.notices]


def test_damaged_queries_are_told_and_the_sheets_are_read() -> None:
    for mashup in (_mashup()[:400] + "</DataMashup>".encode("utf-16-le"), _mashup("nothing")):
        document = read(XLSX, _workbook(mashup), "port.xlsx")
        assert [part.title for part in document.parts] == ["Berths"]
    codes = [notice.code for notice in read(XLSX, _workbook(_mashup()[:401]), "port.xlsx").notices]
    assert codes == ["damaged_part"]


def test_a_workbook_without_them_has_its_sheets_alone() -> None:
    assert [part.title for part in read(XLSX, _workbook(), "port.xlsx").parts] == ["Berths"]
