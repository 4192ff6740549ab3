"""Sheet views and cell ranges: addresses stay true, merges and notes survive, large sheets say how to go on."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from sidecar.api import AnyBlock, Cell, DocumentInfo, Merge, Note, Notice, Paragraph, Table, UsageError
from sidecar.api.model import PartKind
from sidecar.store.documents.records import PartRecord, SectionRecord
from sidecar.store.documents.views import OutlineView, Version
from sidecar.toolkit.answers.notices import summed_notices
from sidecar.toolkit.cell_references import EVERYWHERE, CellRange, cell_name, column_name, requested_range
from sidecar.views.grid import grid
from sidecar.views.outlines import outline_entries, outline_markdown
from sidecar.views.parts import fitting_blocks
from sidecar.views.sheets import SheetView, sheet_csv, sheet_html, sheet_json, sheet_markdown
from sidecar.views.sources import Origin

ALL = EVERYWHERE
ORIGIN = Origin("Book", "book.xlsx", "book", "0123456789ab", "sheet://book/Data", "sheet 1 of 2: Data")


def part(kind: str = "sheet", n: int = 1, **fields: object) -> PartRecord:
    values: dict[str, object] = {
        "n": n, "kind": kind, "title": "Data", "name": "Data", "hidden": False, "width": 0.0, "height": 0.0,
        "tokens": 10, "chars": 40, "rows": 4, "cols": 3, "metadata": {}, "segments": (),
    } | fields  # fmt: skip
    return PartRecord(**values)  # pyright: ignore[reportArgumentType] - built from a table of fields


def windows(count: int, size: int = 10, width: int = 3) -> list[AnyBlock]:
    """A sheet of `count` rows in windows of `size`, the cell at row r, column c saying "r:c"."""
    return [
        Table(
            rows=tuple(tuple(f"{r + 1}:{c}" for c in range(width)) for r in range(start, min(start + size, count))),
            first_row=start,
            header_rows=1 if start == 0 else 0,
        )
        for start in range(0, count, size)
    ]


def test_columns_are_lettered_as_in_a_spreadsheet() -> None:
    assert [column_name(n) for n in (0, 25, 26, 51, 52, 701, 702, 16383)] == [
        "A", "Z", "AA", "AZ", "BA", "ZZ", "AAA", "XFD",
    ]  # fmt: skip


@given(st.integers(0, 10**6), st.integers(0, 16383), st.integers(0, 1000), st.integers(0, 100))
def test_a_range_reads_back(row: int, col: int, rows: int, cols: int) -> None:
    area = CellRange(row, col, row + rows, col + cols)
    assert requested_range(str(area)) == area
    assert requested_range(f"{cell_name(row + rows, col + cols)}:{cell_name(row, col)}") == area
    assert requested_range(str(area).lower().replace(":", ":$")) == area


@pytest.mark.parametrize(
    ("text", "corner"),
    [
        ("B7", (6, 1, 6, 1)),
        ("3:9", (2, 0, 8, None)),
        ("B:D", (0, 1, None, 3)),
        ("Data!A2:B3", (1, 0, 2, 1)),
        ("A5:", (4, 0, None, None)),
    ],
)
def test_ways_to_write_a_range(text: str, corner: tuple[int, int, int | None, int | None]) -> None:
    area = requested_range(text)
    found = (area.top, area.left, area.bottom, area.right)
    for value, wanted in zip(found, corner, strict=True):
        assert value == wanted if wanted is not None else value > 10**5


@pytest.mark.parametrize("text", ["", "1A", "A1:B2:C3", "A0", "A1;B2", "Ä1", ":", "A1:B0"])
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        requested_range(text)


def test_a_range_across_windows_gives_exactly_its_cells() -> None:
    found = grid(windows(35), requested_range("B9:C12"), 10**6, whole=False)
    view = SheetView(found, part(), ORIGIN)
    assert sheet_json(view)["rows"] == [[f"{r}:{c}" for c in (1, 2)] for r in (9, 10, 11, 12)]
    assert sheet_json(view)["range"] == "B9:C12"
    cut: dict[str, Any] = sheet_json(SheetView(found, part(rows=35), ORIGIN))
    assert cut["next"].endswith("?range=B13:C16")
    text = sheet_markdown(SheetView(found, part(), ORIGIN))
    assert "|  | B | C |" in text
    assert "| 9 | 9:1 | 9:2 |" in text
    assert "13:" not in text
    assert "8:1" not in text


def test_a_large_sheet_is_windowed_and_the_windows_join() -> None:
    blocks = windows(300)
    seen: list[str] = []
    area = ALL
    for _ in range(100):
        found = grid(blocks, area, 600, whole=True)
        answer: dict[str, Any] = sheet_json(SheetView(found, part(rows=300), ORIGIN))
        seen += [row[0] for row in answer["rows"]]
        text = sheet_markdown(SheetView(found, part(rows=300), ORIGIN))
        if "next" not in answer:
            assert "Go on with" not in text
            break
        assert answer["next"] in text
        area = requested_range(answer["next"].partition("range=")[2])
    assert seen == [f"{r}:0" for r in range(1, 301)]


def test_at_least_one_row_is_shown_however_small_the_room() -> None:
    found = grid(windows(5), ALL, 1, whole=True)
    assert len(found.rows) == 1
    assert found.cut_at == 1


def test_merges_formulas_comments_and_hidden_rows() -> None:
    blocks: list[AnyBlock] = [
        Table(
            rows=(("Region", "Sales"), ("North", "1.00 €"), ("", "2.00 €")),
            header_rows=1,
            first_row=2,
            first_col=1,
            merges=(Merge(1, 0, 2, 1),),
            cells=(Cell(1, 1, value=1.0, formula="=SUM(A1:A9)", format='0.00 "€"'),),
            hidden_rows=(2,),
            name="Sales2024",
        ),
        Note(kind="comment", text="Check", author="Ann", target="C4"),
        Note(kind="comment", text="Elsewhere", target="Z99"),
    ]
    whole = grid(blocks, ALL, 10**6, whole=True)
    text = sheet_markdown(SheetView(whole, part(), ORIGIN, formulas=True))
    assert "Table **Sales2024** is B3:C5." in text
    assert "| 4 | North | 1.00 € (=SUM(A1:A9)) |" in text
    assert "| 5 (hidden) | ↑ North | 2.00 € |" in text
    assert "Elsewhere" in text
    answer: dict[str, Any] = sheet_json(SheetView(whole, part(), ORIGIN))
    assert answer["cells"] == [
        {"cell": "C4", "shown": "1.00 €", "value": 1.0, "formula": "=SUM(A1:A9)", "format": '0.00 "€"'}
    ]
    assert (answer["merged"], answer["hidden_rows"]) == (["B4:B5"], [5])
    assert answer["source"]["doc_id"] == "0123456789ab"
    narrow = grid(blocks, requested_range("C4:C4"), 10**6, whole=False)
    shown = sheet_markdown(SheetView(narrow, part(), ORIGIN))
    assert "Check" in shown
    assert "Elsewhere" not in shown


def test_csv_is_the_data_in_place_and_nothing_else() -> None:
    blocks = [Table(rows=(('say "hi"', "1,5"), ("two\nlines", "")), first_row=1, first_col=1)]
    found = grid(blocks, ALL, 10**6, whole=True)
    rows = list(csv.reader(io.StringIO(sheet_csv(found))))
    assert rows == [["", "", ""], ["", 'say "hi"', "1,5"], ["", "two\nlines", ""]]


def test_a_cell_cannot_break_the_html_table() -> None:
    found = grid([Table(rows=(("</td><script>", "b"),))], ALL, 10**6, whole=True)
    html = sheet_html(SheetView(found, part(), ORIGIN))
    assert "<script>" not in html
    assert html.count("<td>") == 2


def outline(count: int, kind: PartKind = "page") -> OutlineView:
    version = Version(
        id=1, doc_id="0123456789ab", sha256="0" * 64, slug="big", current=True, path=b"/x", name="big.pdf", title="Big",
        format="pdf", media_type="application/pdf", plugin="pdf", plugin_version="1", size=1, part_kind=kind,
        parts=count, tokens=1, mtime_ns=0,
    )  # fmt: skip
    parts = tuple(part(kind, n, title=f"Part {n}", name="") for n in range(1, count + 1))
    sections = (
        SectionRecord("intro", 1, 1, "Intro", 1, 1, 2, 9, 100),
        SectionRecord("why", 0, 2, "Why", 1, 4, 1, 9, 50),
        SectionRecord("deep", 0, 3, "Deep", 1, 6, 1, 9, 20),
    )
    return OutlineView(version, parts, sections)


INFO = DocumentInfo(
    "big", "0123456789ab", "Big", "/x/big.pdf", "big.pdf", "/x", "pdf", "application/pdf", 1, 10_000, "page", 9, "", "",
    "indexed",
)  # fmt: skip


def test_an_outline_has_every_part_and_the_sections_down_to_the_depth() -> None:
    entries = outline_entries(outline(2), "big", depth=2, pages=True)
    assert [(entry.level, entry.title, entry.uri) for entry in entries] == [
        (0, "Part 1", "page://big/1"),
        (1, "Intro", "section://big/intro"),
        (2, "Why", "section://big/why"),
        (0, "Part 2", "page://big/2"),
    ]
    assert len(outline_entries(outline(2), "big", depth=0, pages=True)) == 2


def test_the_outline_of_pages_is_that_of_their_headings() -> None:
    view = outline(30)
    later = (SectionRecord("more", 2, 1, "More", 4, 2, 4, 9, 70), SectionRecord("odd", 0, 6, "Odd", 9, 1, 30, 2, 80))
    book = OutlineView(view.version, view.parts, (*view.sections, *later))
    entries = outline_entries(book, "big", depth=2)
    assert [(entry.level, entry.title, entry.uri) for entry in entries] == [
        (0, "Intro (pp. 1-2)", "section://big/intro"),
        (1, "Why (p. 1)", "section://big/why"),
        (2, "Deep (p. 1)", "section://big/deep"),
        (0, "More (p. 4)", "section://big/more"),
        (1, "Odd (pp. 9-30)", "section://big/odd"),
    ]
    assert [entry.level for entry in outline_entries(book, "big", depth=0)] == [0, 0]
    late = OutlineView(view.version, view.parts, later)
    opening = outline_entries(late, "big", depth=2)[0]
    assert (opening.title, opening.uri, opening.level) == ("pages 1-3", "page://big/1-3", 0)
    scan = OutlineView(view.version, view.parts, later[:1])
    assert len(outline_entries(scan, "big", depth=0)) == 30, "one heading in thirty pages leads nowhere"


def test_a_book_tells_its_headings_as_deep_as_there_is_room() -> None:
    book = outline(30)
    text, onward = outline_markdown(book, INFO, ORIGIN, start=1, max_chars=24_000)
    assert not onward
    assert "- [Intro (pp. 1-2)](section://book/intro), about " in text
    assert "    - [Deep (p. 1)](section://book/deep)" in text
    assert text.endswith("\n\nPages: page://book/1-30")
    assert "](page://" not in text
    texts = [outline_markdown(book, INFO, ORIGIN, start=1, max_chars=size)[0] for size in range(0, 1000, 20)]
    assert any(text.endswith("/1-30; 1 deeper heading is not listed") for text in texts)
    assert any(text.endswith("/1-30; 2 deeper headings are not listed") for text in texts)
    assert "](page://book/1)" in texts[0]


def test_what_was_not_read_is_said_before_forty_times_the_same() -> None:
    notices = [Notice("uncertain_table", f"Page {n} holds a table that is uncertain.", n) for n in range(3, 43)]
    notices += [Notice("ocr", "Page 1 was read by OCR.", 1), Notice("truncated_at", "Read up to page 50 of 60.")]
    assert [(one.code, one.message, one.part) for one in summed_notices(notices)] == [
        ("truncated_at", "Read up to page 50 of 60.", None),
        (
            "uncertain_table",
            "Page 3 holds a table that is uncertain. The same of 39 more: 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, ….",
            3,
        ),
        ("ocr", "Page 1 was read by OCR.", 1),
    ]
    text, _ = outline_markdown(outline(2), replace(INFO, notices=tuple(notices)), ORIGIN, start=1, max_chars=24_000)
    assert text.index("Read up to page 50") < text.index("The same of 39 more")


def test_of_many_sheets_with_hidden_rows_the_first_are_named() -> None:
    notices = [Notice("hidden_content", f"The sheet S{n} has {n} hidden rows.", n) for n in range(2, 9)]
    told = [one.message for one in summed_notices([*notices, Notice("macros", "It has macros.")])]
    assert told == ["It has macros.", *(one.message for one in notices[:4]), "The like is said of 3 more: 6, 7, 8."]
    assert [one.message for one in summed_notices(notices[:5])] == [one.message for one in notices[:5]]


def test_a_chapter_does_not_repeat_its_own_heading() -> None:
    view = outline(1, "chapter")
    named = OutlineView(view.version, (part("chapter", 1, title="Intro"),), view.sections)
    assert [entry.title for entry in outline_entries(named, "big", depth=5)] == ["Intro", "Why", "Deep"]


def test_ten_thousand_parts_come_in_windows_that_join() -> None:
    view = outline(10_000)
    start, seen = 1, 0
    for _ in range(200):
        text, continues = outline_markdown(view, INFO, ORIGIN, start=start, max_chars=24_000)
        assert len(text) < 26_000
        assert f"page://book/{start})" in text
        seen += text.count("](page://")
        _, more, onward = text.partition("Go on with document://book?from=")
        if not more:
            assert not continues
            break
        assert continues == f"document://book?from={onward.rstrip(')*')}"
        start = int(onward.rstrip(")*"))
        assert seen == start - 1
    assert seen == 10_000


def test_take_gives_at_least_a_block_and_says_where_to_go_on() -> None:
    blocks = [Paragraph(text="x" * 100) for _ in range(10)]
    piece = part("chapter")
    rest = iter(blocks)
    taken, onward, _ = fitting_blocks(piece, rest, 5, 350)
    assert (len(taken.blocks), onward) == (3, 8)
    assert len(list(rest)) == 6, "no more is asked for than the first that does not fit"
    assert fitting_blocks(piece, blocks, 5, 1)[1] == 6
    assert fitting_blocks(piece, blocks, 5, 10**6)[1] is None
