"""A flat OpenDocument file holds what the package it stands for would."""

from __future__ import annotations

import base64
import os
from pathlib import Path

import pytest
from sidecar_odf.plugin import OdfFormat
from sidecar_xlsx.plugin import XlsxFormat
from support.office_old.excel_binary import PNG

from sidecar.api import DamagedError, Figure, Heading, Limits, Paragraph, ParsedDocument, Source, Table
from sidecar.ingest.reading.detect import detector_of
from sidecar.ingest.reading.files import read_file
from sidecar.ingest.reading.jobs import Job, Loader

_NAMES = ("office", "text", "table", "style", "meta", "drawing")
_SPACES = " ".join(
    f'xmlns:{"draw" if name == "drawing" else name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in _NAMES
)
_TEXT = """<text:h text:outline-level="1">Retry policy</text:h><text:p>Wait ten seconds.</text:p>
<text:p><draw:frame draw:name="Plan"><draw:image><office:binary-data>{picture}</office:binary-data></draw:image>
</draw:frame></text:p>"""
_SHEET = """<table:table table:name="Sales"><table:table-row>
<table:table-cell office:value-type="string"><text:p>Ada</text:p></table:table-cell>
<table:table-cell office:value-type="float" office:value="12.5"><text:p>12.50</text:p></table:table-cell>
</table:table-row></table:table>"""


def flat(kind: str, inside: str) -> bytes:
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<office:document {_SPACES} office:version="1.3" '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/" office:mimetype="application/vnd.oasis.opendocument.{kind}">'
        "<office:meta><dc:title>Plan of the year</dc:title></office:meta>"
        f"<office:body><office:{kind}>{inside}</office:{kind}></office:body></office:document>"
    ).encode()


TEXT = flat("text", _TEXT.format(picture=base64.encodebytes(PNG).decode()))
SHEET = flat("spreadsheet", _SHEET)


def test_a_text_has_its_headings_facts_and_pictures() -> None:
    source = Source.of_bytes(TEXT, "plan.fodt")
    document: ParsedDocument = OdfFormat().parse(source, Limits())
    blocks = document.parts[0].blocks
    assert document.title == "Plan of the year"
    assert [block.text for block in blocks if isinstance(block, Heading)] == ["Retry policy"]
    assert any(isinstance(block, Figure) for block in blocks)
    (picture,) = document.embedded
    assert OdfFormat().open_embedded(source, picture.ref, Limits()).data == PNG


def test_words_of_cells_that_a_merge_covers_are_hidden_and_not_lost() -> None:
    under = "<table:covered-table-cell><text:p>under it</text:p></table:covered-table-cell>"
    over = f'<table:table-cell table:number-columns-spanned="2"><text:p>over both</text:p></table:table-cell>{under}'
    cells = "".join(f"<table:table-cell><text:p>{text}</text:p></table:table-cell>" for text in ("left", "right"))
    rows = "".join(f"<table:table-row>{row}</table:table-row>" for row in (over, cells))
    document = OdfFormat().parse(
        Source.of_bytes(flat("text", f"<table:table>{rows}</table:table>"), "x.fodt"), Limits()
    )
    table, words = document.parts[0].blocks
    assert isinstance(table, Table)
    assert table.rows == (("over both", ""), ("left", "right"))
    assert words == Paragraph(text="under it", hidden=True)
    assert [notice.code for notice in document.notices] == ["hidden_content"]


def test_a_text_without_headings_has_those_it_shows_by_their_looks() -> None:
    lines = ("Chapter 1 Sails", "They are white.", "And wide.", "Chapter 2 Oars", "They are not.", "Mostly.")
    inside = "".join(f"<text:p>{line}</text:p>" for line in lines)
    document = OdfFormat().parse(Source.of_bytes(flat("text", inside), "plan.fodt"), Limits())
    assert [part.title for part in document.parts] == ["Chapter 1 Sails", "Chapter 2 Oars"]


def test_a_spreadsheet_has_its_cells() -> None:
    document = XlsxFormat().parse(Source.of_bytes(SHEET, "sales.fods"), Limits())
    (table,) = [block for block in document.parts[0].blocks if isinstance(block, Table)]
    assert (document.title, document.parts[0].name, table.rows) == ("Plan of the year", "Sales", (("Ada", "12.50"),))


@pytest.mark.parametrize(
    ("name", "data", "plugin"),
    [
        ("plan.fodt", TEXT, "odf"),
        ("plan.xml", TEXT, "odf"),
        ("sales.fods", SHEET, "xlsx"),
        ("sales.xml", SHEET, "xlsx"),
    ],
)
def test_it_is_told_by_its_content(tmp_path: Path, name: str, data: bytes, plugin: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    outcome = read_file(Job(os.fsencode(path)), detector_of(Loader()), Limits())
    assert (outcome.kind, outcome.plugin) == ("read", plugin), outcome.reason


@pytest.mark.parametrize("cut", [400, 800, len(TEXT) - 200])
def test_a_file_that_is_cut_short_is_read_as_far_as_it_goes_or_refused(cut: int) -> None:
    try:
        document = OdfFormat().parse(Source.of_bytes(TEXT[:cut], "plan.fodt"), Limits())
    except DamagedError as error:
        assert "plan.fodt" in str(error)
    else:
        assert document.parts


def test_a_picture_that_is_no_base64_leaves_the_text() -> None:
    damaged = flat("text", _TEXT.format(picture="?"))
    document = OdfFormat().parse(Source.of_bytes(damaged, "plan.fodt"), Limits())
    assert any(isinstance(block, Heading) for block in document.parts[0].blocks)


def test_a_namespace_that_is_no_address_leaves_the_text() -> None:
    damaged = TEXT.replace(b'xmlns:dc="http', 'xmlns:dc="ht\u202etp'.encode())
    document = OdfFormat().parse(Source.of_bytes(damaged, "plan.fodt"), Limits())
    assert any(isinstance(block, Heading) for block in document.parts[0].blocks)
