"""The texts of a workbook's cells without the rest of it, which come first while many files wait. What readers do not
see is not among them, and nothing is that is not found in the whole workbook."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

import pytest
from sidecar_xlsx import XlsxFormat, workbook
from support.office.docx_files import packed
from support.trials.hidden_attacks import SEEN, Attack, attacks
from support.trials.xlsx_trial import NS, relationships, trial_parts

from sidecar.api import Limits, ParsedDocument, Source, Table
from sidecar.toolkit.answers.notices import lacking_text
from sidecar.toolkit.visible import visible

XLSX_ATTACKS = [one for one in attacks() if one.name.endswith(".xlsx")]
STYLES = (
    f'<styleSheet {NS}><fonts><font/><font><color rgb="FFFFFFFF"/></font></fonts><fills><fill/><fill/></fills>'
    '<cellXfs><xf/><xf fontId="1"/></cellXfs></styleSheet>'
)
FILLER = "".join(f"<row><c><v>{number}</v></c></row>" for number in range(9000))
"""As many rows as a large sheet has."""


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every workbook counts as large."""
    monkeypatch.setattr(workbook, "_WORDS_FIRST_BYTES", 0)


def parsed(data: bytes, *, words: bool) -> ParsedDocument:
    return XlsxFormat().parse(Source.of_bytes(data, "rivers.xlsx"), Limits(ocr=False, words_only=words))


def book(cells: str, after: str = "", filler: str = FILLER, more: Mapping[str, str] = MappingProxyType({})) -> bytes:
    """A workbook of one sheet with these cells in its first row; `more` are further parts."""
    rows = f'<row r="1">{cells}</row>{filler}'
    return packed({
        "_rels/.rels": relationships(("rId1", "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook {NS}><sheets><sheet name="Rivers" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relationships(("rId1", "worksheet", "worksheets/sheet1.xml")),
        "xl/worksheets/sheet1.xml": f"<worksheet {NS}><sheetData>{rows}</sheetData>{after}</worksheet>",
        "xl/styles.xml": STYLES,
        "xl/sharedStrings.xml": f"<sst {NS}><si><t>Oxbow</t></si><si><t>Delta</t></si><si><t>Unused</t></si></sst>",
        **more,
    })  # fmt: skip


def texts(document: ParsedDocument) -> str:
    """What readers see."""
    found: list[str] = []
    for part in document.parts:
        for block in map(visible, part.blocks):
            rows = block.rows if isinstance(block, Table) else ((getattr(block, "text", ""),),)
            found += [cell for row in rows for cell in row]
    return " ".join(found)


def shared(name: str, number: int, style: str = "") -> str:
    return f'<c r="{name}"{style} t="s"><v>{number}</v></c>'


RESULT = '<c r="C1" t="str"><f>A1&amp;" &lt; x"</f><v>Oxbow &lt; x</v></c>'
OWN = '<c r="D1" t="inlineStr"><is><t xml:space="preserve">Weir </t></is></c>'


def test_texts_come_without_tables_and_say_so() -> None:
    data = book(shared("A1", 0) + shared("B1", 1) + RESULT + OWN + '<c r="E1" t="s"/><c r="F1" t="inlineStr"></c>')
    whole, first = (parsed(data, words=words) for words in (False, True))
    assert [notice.code for notice in first.notices] == ["words_only"]
    assert lacking_text(first.notices, 1, 400) == "only its words so far"
    assert not whole.notices
    assert texts(first) == "Oxbow | Delta | Oxbow < x | Weir "
    assert [part.name for part in first.parts] == [part.name for part in whole.parts] == ["Rivers"]
    assert not any(isinstance(block, Table) for block in first.parts[0].blocks)
    assert any(isinstance(block, Table) for block in whole.parts[0].blocks)
    assert not first.elements


def test_a_small_workbook_is_read_whole_at_once() -> None:
    document = parsed(book(shared("A1", 0), filler=""), words=True)
    assert not document.notices
    assert any(isinstance(block, Table) for block in document.parts[0].blocks)


@pytest.mark.parametrize(
    ("cells", "after"),
    [
        (shared("A1", 0) + shared("B1", 1, ' s="1"'), ""),
        (shared("A1", 0) + shared("B1", 1), '<mergeCells><mergeCell ref="A1:B1"/></mergeCells>'),
    ],
    ids=["white", "under a merge"],
)
def test_cells_that_are_not_seen_give_no_words(cells: str, after: str) -> None:
    first = parsed(book(cells, after), words=True)
    assert [notice.code for notice in first.notices] == ["words_only"]
    assert texts(first) == "Oxbow"


@pytest.mark.parametrize(
    "cells",
    [
        '<c r="A1" t="s" s="1"><v>1</v></c>',
        '<c s="1" r="A1" t="s"><v>1</v></c>',
        '<c r="A1" t="inlineStr"><is><r><t>Del</t></r><r><t>ta</t></r></is></c>',
    ],
    ids=["style last", "style first", "rich text"],
)
def test_a_workbook_written_in_another_way_is_read_whole(cells: str) -> None:
    first = parsed(book(cells), words=True)
    assert "words_only" not in {notice.code for notice in first.notices}
    assert texts(first) == texts(parsed(book(cells), words=False))


def test_nothing_is_said_of_tables_and_links_that_the_rows_would_say_otherwise() -> None:
    rels = relationships(("rId1", "table", "../tables/table1.xml"), ("rId2", "hyperlink", "https://example.org/weir"))
    table = f'<table {NS} displayName="Basins" ref="A1:B9"/>'
    after = (
        '<hyperlinks><hyperlink ref="A1" r:id="rId2"/></hyperlinks><tableParts><tablePart r:id="rId1"/></tableParts>'
    )
    more = {"xl/worksheets/_rels/sheet1.xml.rels": rels, "xl/tables/table1.xml": table}
    first = parsed(book(shared("A1", 0) + shared("B1", 1), after, more=more), words=True)
    assert texts(first) == "Oxbow | Delta"
    assert len(first.parts[0].blocks) == 1


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize("attack", XLSX_ATTACKS, ids=lambda attack: attack.name)
def test_what_readers_do_not_see_is_not_among_the_words(attack: Attack) -> None:
    whole, first = (parsed(attack.data, words=words) for words in (False, True))
    if attack.needle not in texts(whole):
        assert attack.needle not in texts(first), attack.technique
    for word in SEEN.split():
        assert (word in texts(whole)) == (word in texts(first))


@pytest.mark.usefixtures("large")
def test_no_word_is_found_first_that_is_not_found_in_the_whole_workbook() -> None:
    data = packed(trial_parts())
    whole, first = (set(re.findall(r"\w+", texts(parsed(data, words=words)))) for words in (False, True))
    assert first
    assert first <= whole
