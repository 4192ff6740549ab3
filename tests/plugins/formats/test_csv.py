"""Delimited tables: dialects, encodings, headers, windows, and files that are not what they should be."""

from __future__ import annotations

from pathlib import Path

import pytest
from contract.conformance import check_document
from sidecar_text import CsvFormat, TextFormat, delimited
from support.formats.plugin_reading import of, read

from sidecar.api import TABLE_WINDOW, Limits, ParsedDocument, Source, Table

CSV = CsvFormat()


def rows(document: ParsedDocument) -> list[tuple[str, ...]]:
    return [row for table in of(document, Table) for row in table.rows]


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.csv", "x,y\n1,2\n", [("x", "y"), ("1", "2")]),
        ("a.csv", "x;y\n1,5;2\n2,5;3\n", [("x", "y"), ("1,5", "2"), ("2,5", "3")]),
        (
            "a.csv",
            "x;y\nA, B, C;1\nD, E, F;2\nG, H, I;3\n",
            [("x", "y"), ("A, B, C", "1"), ("D, E, F", "2"), ("G, H, I", "3")],
        ),
        ("a.csv", "x, y\n1, 2\n", [("x", " y"), ("1", " 2")]),
        ("a.csv", "x\ty\n1\t2\n", [("x", "y"), ("1", "2")]),
        ("a.tsv", "a,b\tc\n1,2\t3\n", [("a,b", "c"), ("1,2", "3")]),
        ("a.psv", "x|y\n1|2\n", [("x", "y"), ("1", "2")]),
        (
            "a.csv",
            'x,y\n"a, b","two\nlines"\n"say ""hi""",2\n',
            [("x", "y"), ("a, b", "two\nlines"), ('say "hi"', "2")],
        ),
        (
            "a.csv",
            'who, town\n"Ann B.",  "Bonn, Rhein"\n"Bo", "Graz"\n',
            [("who", "town"), ("Ann B.", "Bonn, Rhein"), ("Bo", "Graz")],
        ),
        (
            "a.csv",
            'x,y\n"say \\"hi\\", then go","C:\\\\"\n"a\\tb",2\n',
            [("x", "y"), ('say "hi", then go', "C:\\"), ("a\\tb", "2")],
        ),
        ("a.csv", 'x,y\n"C:\\",2\n"D:\\",3\n', [("x", "y"), ("C:\\", "2"), ("D:\\", "3")]),
        ("a.csv", 'x,y\n1, a "b"\n2, c\n', [("x", "y"), ("1", ' a "b"'), ("2", " c")]),
        ("a.csv", "sep=;\nx;y\n1;2\n", [("x", "y"), ("1", "2")]),
        ("a.csv", "'a,b','c'\n'd','e'\n'f','g'\n", [("a,b", "c"), ("d", "e"), ("f", "g")]),
        ("a.csv", "it,''\na,'007\nb,'word\nc,'x\n", [("it", "''"), ("a", "'007"), ("b", "'word"), ("c", "'x")]),
        ("a.csv", "one\ntwo\n", [("one",), ("two",)]),
        ("a.csv", "Sales\n\nx,y\n1,2\n3,4\n\n", [("Sales",), (), ("x", "y"), ("1", "2"), ("3", "4")]),
        (
            "a.csv",
            "Sales\nof 2024\nall\nx;y\n1;2;3\n4;5;6\nz;w\n",
            [("Sales",), ("of 2024",), ("all",), ("x", "y"), ("1", "2", "3"), ("4", "5", "6"), ("z", "w")],
        ),
        ("a.csv", "x,y\r\n1\r\n1,2,3\r\n", [("x", "y"), ("1",), ("1", "2", "3")]),
    ],
)
def test_dialects(name: str, data: str, expected: list[tuple[str, ...]]) -> None:
    assert rows(read(CSV, data, name)) == expected


TABLES = [
    "Region\tSales\nNorth\t12\nSouth\t7\nWest\t9\n",
    "Members of the club\n\nN3JT;1;2009-12-30\nA61AD;2;2009-12-27\nN1DG;2;2009-12-27\nK6RB;3;2009-12-29\n",
    'id|what|sum\n1|"two\nlines"|5\n2||7\n3|x|9\n',
    "a,b,c,d\n1,2,3,4\n1,,3,4\n5,6,7,8\n5,6,7,8\n5,6,7,9\n",
]
PROSE = [
    "\tAn indented list\n\tof lines\n\tand more\n\tand more\n",
    "Dear Ann, dear Bob, dear Cid, dear Dan,\n" * 8,
    "Key\tvalue\nAnother line of text.\nOne more.\nKey\tvalue\n",
    "one; two; three\n" * 6,
    "a\tb\n1\t2\n",
]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
def test_plain_text_that_is_a_table_and_nothing_else_is_read_as_one(encoding: str) -> None:
    for text in [*TABLES, TABLES[0] + "East\t4\n" * 2000 + "The end.\n"]:  # the last beyond what is looked at
        source = Source.of_bytes(text.encode(encoding), "a.txt")
        assert CSV.score(source) > TextFormat().score(source) and len(rows(CSV.parse(source, Limits()))) > 3
    for text in PROSE:
        assert CSV.score(Source.of_bytes(text.encode(encoding), "a.txt")) == 0


@pytest.mark.parametrize(
    ("data", "header"),
    [
        ("name,age\nann,3\nbo,4\n", 1),
        ("name,city\nann,rome\nbo,oslo\n", 1),
        ("ann,3\nbo,4\n", 0),
        ("1,2\n3,4\n", 0),
        ("a,a\nx,y\n", 0),
        ("only,row\n", 0),
        ("gene1,red\ngene2,blue\ngene3,green\n", 0),
        ("# made by a program\nann,3\nbo,4\n", 0),
    ],
)
def test_header_row(data: str, header: int) -> None:
    assert of(read(CSV, data, "a.csv"), Table)[0].header_rows == header


def test_long_tables_come_in_windows() -> None:
    data = "id,name\n" + "".join(f"{n},row {n}\n" for n in range(1000))
    document = read(CSV, data, "long.csv")
    tables = of(document, Table)
    assert [table.first_row for table in tables] == [0, 256, 512, 768]
    assert all(len(table.rows) <= TABLE_WINDOW for table in tables)
    assert [table.header_rows for table in tables] == [1, 0, 0, 0]
    assert rows(document)[1000] == ("999", "row 999")
    assert (document.parts[0].kind, document.parts[0].title) == ("sheet", "long")
    assert document.metadata == {"rows": "1001", "columns": "2", "delimiter": ","}
    assert len(document.elements) == 1


def test_encodings() -> None:
    assert rows(read(CSV, "Größe;Maß\n1;2\n".encode("cp1252"), "a.csv"))[0] == ("Größe", "Maß")
    assert rows(read(CSV, "名前,年齢\n佐藤太郎,30\n三木英子,25\n".encode("cp932"), "a.csv"))[1] == ("佐藤太郎", "30")
    assert rows(read(CSV, "a,b\n1,2\n".encode("utf-16"), "a.csv")) == [("a", "b"), ("1", "2")]


def test_large_files_are_streamed_to_the_same_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes("\ufeffid,näme\n".encode() + "".join(f'{n},"ä\n{n}"\n' for n in range(3000)).encode())
    whole = CSV.parse(Source.of(path), Limits())
    monkeypatch.setattr(delimited, "_STREAMED", 100)
    streamed = CSV.parse(Source.of(path), Limits())
    assert streamed == whole
    cut = CSV.parse(Source.of(path), Limits(max_text_chars=1000))
    check_document(cut)
    assert [notice.code for notice in cut.notices] == ["truncated_at"]
    assert 10 < int(cut.metadata["rows"]) < 200


def test_too_many_cells_are_cut_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "_MAX_CELLS", 600)
    document = read(CSV, "a,b\n" * 2000, "a.csv")
    assert document.notices[0].code == "truncated_at"
    assert len(rows(document)) == 512


def test_an_empty_file_is_an_empty_document() -> None:
    assert read(CSV, b"", "a.csv").parts == ()


def test_json_lines_of_records_that_are_alike_are_a_table() -> None:
    data = (
        '{"name": "Kākāpō", "seen": {"year": 2019, "by": null}, "tags": ["a", 1], "ok": true}\n\n'
        '{"name": "Kea \\ud800", "weight": 2.5, "seen": {"year": 2020}, "tags": [], "ok": false}\n'
        "no record\n"
    )
    assert CSV.score(Source.of_bytes(data.encode(), "birds.jsonl")) == 0  # its third line is none
    document = read(CSV, data, "birds.ndjson")
    assert rows(document) == [
        ("name", "seen.year", "seen.by", "tags", "ok", "weight"),
        ("Kākāpō", "2019", "", '["a", 1]', "true", ""),
        ("Kea \ufffd", "2020", "", "[]", "false", "2.5"),
    ]
    assert [notice.code for notice in document.notices] == ["damaged_part"]
    assert (document.parts[0].kind, of(document, Table)[0].header_rows) == ("sheet", 1)


@pytest.mark.parametrize(
    ("data", "score"),
    [
        ('{"a": 1, "b": 2}\n{"a": 3, "b": 4}\n', 70),
        ('{"a": 1, "b": 2}\n' * 5_000, 70),
        ('{"a": 1, "b": 2}\n{"b": 3, "c": 4, "d": 5}\n', 0),
        ('{"a": 1}\n', 0),
        ("[1, 2]\n[3, 4]\n", 0),
    ],
)
def test_json_lines_that_differ_stay_source(data: str, score: int) -> None:
    assert CSV.score(Source.of_bytes(data.encode(), "a.jsonl")) == score


def test_a_json_array_of_records_that_are_alike_is_a_table_and_any_other_source() -> None:
    plots = ' [\n {"plot": "P01", "cover": 12.5, "site": {"name": "Fen"}},\n {"plot": "P02", "site": {"name": "Moor"}}]'
    assert CSV.score(Source.of_bytes(plots.encode(), "plots.json")) == 60
    document = read(CSV, plots, "plots.json")
    assert rows(document) == [("plot", "cover", "site.name"), ("P01", "12.5", "Fen"), ("P02", "", "Moor")]
    assert CSV.score(Source.of_bytes(b'{"plot": 1}', "plots.json")) == 0
    tree = '[{"name": "a", "children": [{"name": "b"}]}, {"name": "c", "children": []}]'
    differing = '[{"a": 1, "b": 2}, {"c": 3, "d": 4}]'
    for source in (tree, differing, '[{"only": 1}]', '[{"a": 1}, 2]', '[{"cut": 1}, {"cut"'):
        assert read(CSV, source, "a.json").parts[0].kind != "sheet", source


@pytest.mark.parametrize(("data", "claimed"), [(b"a,b\n1,on\0e\n2,two\n", True), (b"a,b\n1\0\0,o\0ne\n", False)])
def test_a_table_with_a_stray_nul_is_one(data: bytes, claimed: bool) -> None:
    assert (CSV.score(Source.of_bytes(data, "a.csv")) > 0) == claimed
    if claimed:
        assert rows(read(CSV, data, "a.csv")) == [("a", "b"), ("1", "one"), ("2", "two")]
