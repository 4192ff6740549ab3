"""A workbook with a token planted in every place a person can read, and the proof that none is lost."""

from __future__ import annotations

import msgspec
import pytest
from sidecar_xlsx import XlsxFormat
from support.office.docx_files import packed
from support.trials.xlsx_trial import MAIN, PLACES, trial_parts

from sidecar.api import Figure, Limits, Note, OpensEmbedded, ParsedDocument, Source, Table


def parse(parts: dict[str, str | bytes], name: str = "trial.xlsm") -> ParsedDocument:
    return XlsxFormat().parse(Source.of_bytes(packed(parts), name), Limits())


@pytest.fixture(scope="module")
def trial() -> ParsedDocument:
    return parse(trial_parts())


@pytest.mark.parametrize("token", PLACES)
def test_planted_token_is_found(trial: ParsedDocument, token: str) -> None:
    assert token in msgspec.json.encode(trial).decode()


def test_readings_and_twins_are_not_shown(trial: ParsedDocument) -> None:
    text = msgspec.json.encode(trial).decode()
    for token in ("reading", "zqtwinqz", "zqnoteboxqz"):
        assert token not in text


def grid(document: ParsedDocument, part: int) -> dict[str, str]:
    """Shown text by cell name."""
    return {
        f"{chr(65 + table.first_col + c)}{table.first_row + r + 1}": text
        for table in document.parts[part - 1].blocks
        if isinstance(table, Table)
        for r, row in enumerate(table.rows)
        for c, text in enumerate(row)
        if text
    }


def test_cells_hold_what_excel_shows_and_more(trial: ParsedDocument) -> None:
    table = trial.parts[0].blocks[0]
    assert isinstance(table, Table)
    assert len(table.rows) == 7
    assert table.rows[1] == ("tok & link", "1,234.50 €", "3/12/2020", "25.60%")
    assert table.hidden_rows == (2,)
    assert table.hidden_cols == (3,)
    assert [(m.row, m.col, m.rows, m.cols) for m in table.merges] == [(6, 0, 1, 3)]
    cells = {(cell.row, cell.col): cell for cell in table.cells}
    assert cells[1, 0].link == "https://example.org/zqurlqz"
    assert (cells[1, 1].value, cells[1, 1].format) == (1234.5, "#,##0.00\\ [$€-407]")
    assert cells[1, 2].value == "2020-03-12"
    assert cells[2, 1].value is True
    assert cells[2, 2].formula == "=1/0"
    assert cells[3, 0].formula == "=B4*$C$1"
    assert cells[4, 0].formula == "=B5*$C$1"
    assert cells[4, 2].formula == "{=SUM(B4:B5)}"
    assert [(span.kind, span.start, span.end) for span in cells[5, 0].spans] == [("bold", 0, 8)]


def test_threads_name_author_date_and_parent(trial: ParsedDocument) -> None:
    notes = {note.text: note for note in trial.parts[0].blocks if isinstance(note, Note)}
    reply = notes["zqreplyqz"]
    assert (reply.kind, reply.author, reply.target, reply.parent) == ("comment", "zqpersonqz", "C2", "1")
    assert reply.date.startswith("2024-05-07")
    assert (notes["zqcommentqz"].author, notes["zqcommentqz"].target) == ("zqcommentauthorqz", "B2")
    assert notes["zqheaderqz | Page [Page] of [Pages]"].kind == "header"
    assert notes["zqfirstfooterqz"].target == "first page"


def test_hidden_sheets_are_flagged_and_remarked(trial: ParsedDocument) -> None:
    assert [part.hidden for part in trial.parts] == [False, False, True, True, False]
    assert trial.parts[3].metadata["state"] == "veryHidden"
    assert {notice.part for notice in trial.notices if notice.code == "hidden_content"} == {1, 3, 4}
    assert {"macros", "external_content", "pivot_cache"} <= {notice.code for notice in trial.notices}


def test_chart_without_caches_is_filled_from_its_cells(trial: ParsedDocument) -> None:
    chart = next(embed.chart for embed in trial.embedded if embed.kind == "chart")
    assert chart is not None
    assert (chart.type, chart.title, chart.x_title) == ("column", "zqcharttitleqz", "zqaxisqz")
    assert chart.categories == ("zqcategoryqz", "two")
    assert [(series.name, series.values) for series in chart.series] == [("zqseriesqz", (7.0, 8.0))]


def test_elements_are_labelled(trial: ParsedDocument) -> None:
    labels = {element.label: element for element in trial.elements}
    assert not labels["zqtableqz"].generated
    assert labels["zqtableqz"].type == "table"
    assert {"Table s1-1", "Figure s1-1", "Chart s1-1", "Chart s5-1"} <= set(labels)
    for element in trial.elements:
        block = trial.parts[element.part - 1].blocks[element.block - 1]
        assert isinstance(block, Table if element.type == "table" else Figure)


def test_islands_are_separate_blocks(trial: ParsedDocument) -> None:
    tables = [block for block in trial.parts[1].blocks if isinstance(block, Table)]
    assert [(table.first_row, len(table.rows), table.name) for table in tables] == [(0, 3, "zqtableqz"), (39, 1, "")]


def test_cells_without_names_take_the_next_place(trial: ParsedDocument) -> None:
    assert grid(trial, 3) == {"A1": "zqhiddenqz", "B1": "1"}


def test_embedded_bytes_come_back_with_their_true_type(trial: ParsedDocument) -> None:
    plugin = XlsxFormat()
    assert isinstance(plugin, OpensEmbedded)
    source = Source.of_bytes(packed(trial_parts()), "trial.xlsm")
    by_name = {embed.name: embed for embed in trial.embedded}
    picture = plugin.open_embedded(source, by_name["image1.png"].ref, Limits())
    assert (picture.media_type, picture.width, picture.height) == ("image/png", 3, 2)
    assert (by_name["image1.png"].part, by_name["image1.png"].alt) == (1, "zqaltqz")
    attached = next(embed for embed in trial.embedded if embed.kind == "attachment")
    assert attached.media_type == "application/pdf"
    assert plugin.open_embedded(source, attached.ref, Limits()).data == b"%PDF-1.4 zqattachedqz"
    assert by_name["zqmovieqz.mp4"].kind == "media"


def test_prefixed_markup_reads_the_same() -> None:
    """A sheet the scanner may not touch (namespace prefix, comments, CDATA) gives the same cells."""
    parts = trial_parts()
    plain = str(parts["xl/worksheets/sheet2.xml"])
    tags = ("worksheet", "sheetData", "row", "c", "v", "is", "t", "tableParts", "tablePart")
    odd = plain
    for tag in tags:
        odd = (
            odd.replace(f"<{tag} ", f"<x:{tag} ").replace(f"<{tag}>", f"<x:{tag}>").replace(f"</{tag}>", f"</x:{tag}>")
        )
    odd = odd.replace(f'xmlns="{MAIN}"', f'xmlns:x="{MAIN}"').replace(">two<", "><![CDATA[two]]><!-- c --><")
    expected = grid(parse(parts), 2)
    parts["xl/worksheets/sheet2.xml"] = odd
    assert grid(parse(parts), 2) == expected


@pytest.mark.parametrize("written", ["0000000077", "0" * 5000 + "1", "1e9", "-1", ""])
@pytest.mark.parametrize(
    ("part", "tag", "attribute"),
    [("xl/comments1.xml", "<comment ", "authorId"), ("xl/workbook.xml", "<definedName ", "localSheetId")],
)
def test_a_number_that_counts_into_nothing_loses_only_what_it_names(
    part: str, tag: str, attribute: str, written: str
) -> None:
    parts = trial_parts()
    plain = str(parts[part]).replace(f' {attribute}="0"', "", 1)
    assert tag in plain
    parts[part] = plain.replace(tag, f'{tag}{attribute}="{written}" ', 1)
    text = msgspec.json.encode(parse(parts)).decode()
    assert [token for token in PLACES if token not in text] == (
        ["zqcommentauthorqz"] if attribute == "authorId" else []
    )
