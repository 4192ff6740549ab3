"""Files of R: data frames, matrices, vectors and lists as sheets."""

import bz2
import gzip
import lzma
from collections.abc import Callable

import pytest
from sidecar_statistics import StatisticsFormat
from support.databases.r_files import (
    closure,
    compact,
    compiled,
    frame,
    integers,
    listed,
    rda,
    rds,
    reals,
    texts,
    with_references,
)
from support.formats.plugin_reading import read
from support.formats.processor import processor_limit

from sidecar.api import DamagedError, Limits, ParsedDocument, Source, Table

R = StatisticsFormat()
NA = -(1 << 31)
SHIPS = frame(
    {
        "name": texts("Ada", None, "Björn"),
        "length": reals(12.5, 80.0, None),
        "crew": integers(3, NA, 7),
        "moored": integers(1, 0, NA, kind=10),
        "kind": integers(2, 1, NA, levels=texts("barge", "tug"), class_=texts("factor")),
        "built": reals(0.0, 19_000.0, None, class_=texts("Date")),
        "seen": reals(1.5, 86_400.0, None, class_=texts("POSIXct", "POSIXt")),
    }
)
ROWS = (
    ("name", "length", "crew", "moored", "kind", "built", "seen"),
    ("Ada", "12.5", "3", "TRUE", "tug", "1970-01-01", "1970-01-01 00:00:01.500"),
    ("", "80", "", "FALSE", "barge", "2022-01-08", "1970-01-02 00:00:00"),
    ("Björn", "", "7", "", "", "", ""),
)


def _sheets(document: ParsedDocument) -> dict[str, tuple[tuple[str, ...], ...]]:
    return {part.title: block.rows for part in document.parts for block in part.blocks if isinstance(block, Table)}


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, bytes])
@pytest.mark.parametrize("version", [2, 3])
def test_a_data_frame(pack: Callable[[bytes], bytes], version: int) -> None:
    source = Source.of_bytes(pack(rds(SHIPS, version)), "ships.rds")
    assert R.score(source) == 95
    assert _sheets(R.parse(source, Limits())) == {"ships": ROWS}


def test_symbols_that_are_written_once() -> None:
    data = with_references(rds(SHIPS))
    assert len(data) < len(rds(SHIPS)) - 30
    assert _sheets(read(R, data, "ships.rds")) == {"ships": ROWS}


def test_several_objects_and_what_lies_in_lists() -> None:
    port = listed(
        texts("Emden"), reals(7.0), frame({"a": integers(1, 2, 3)}, ["x", "y", "z"]), integers(4, 5),
        names=texts("town", "berths", "table", "numbers"),
    )  # fmt: skip
    matrix = integers(
        1, 2, 3, 4, 5, 6, dim=integers(2, 3), dimnames=listed(texts("r1", "r2"), texts("a", "b", "c"))
    )  # fmt: skip
    named = reals(1.5, 2.0, names=texts("low", "high"))
    document = read(R, rda({"port": port, "m": matrix, "tide": named, "f": closure("x")}, 3), "all.RData")
    assert _sheets(document) == {
        "port": (("Name", "Value"), ("town", "Emden"), ("berths", "7")),
        "port$table": (("", "a"), ("x", "1"), ("y", "2"), ("z", "3")),
        "port$numbers": (("Value",), ("4",), ("5",)),
        "m": (("", "a", "b", "c"), ("r1", "1", "3", "5"), ("r2", "2", "4", "6")),
        "tide": (("Name", "Value"), ("low", "1.5"), ("high", "2")),
    }
    assert [notice.message for notice in document.notices] == ["Functions, environments and the like are not shown: f."]


def test_what_stands_behind_a_compiled_function_is_read() -> None:
    document = read(R, rda({"f": compiled("mean"), "tide": reals(1.5, 2.0)}), "all.RData")
    assert _sheets(document) == {"tide": (("Value",), ("1.5",), ("2",))}


def test_rows_of_numbers_kept_in_short() -> None:
    assert _sheets(read(R, rds(frame({"n": compact(4, 10, -2)})), "a.rds"))["a"] == (
        ("n",), ("10",), ("8",), ("6",), ("4",),
    )  # fmt: skip


def test_numbers_kept_in_short_do_not_multiply_a_file() -> None:
    with processor_limit(20):
        document = read(R, rds(frame({f"n{one}": compact(1e9, 1, 1) for one in range(2_000)})), "a.rds")
        assert "truncated_at" in [notice.code for notice in document.notices]


def test_a_row_of_numbers_has_no_more_than_a_sheet_holds() -> None:
    matrix = compact(1e19, 1, 1, dim=integers(2, 2_000_000_000))
    for value in (matrix, compact(1e19, 1, 1)):
        document = read(R, rds(value), "a.rds")
        rows = [row for part in document.parts for table in part.blocks for row in getattr(table, "rows", ())]
        assert 0 < sum(map(len, rows)) <= 1_100_000


@pytest.mark.parametrize(
    "data",
    [rds(SHIPS)[:200], rds(SHIPS)[:40], gzip.compress(rds(SHIPS))[:-30], rds(b"\0\0\0\x63"),
     b"X\n\0\0\0\x09" + bytes(40),
     rds(b"\0\0\0\x13\0\0\0\1" * 5_000), b"A\n2\n", rds(b"\0\0\0\x10\x7f\xff\xff\xff")],
)  # fmt: skip
def test_damaged_files_are_told(data: bytes) -> None:
    with pytest.raises(DamagedError):
        read(R, data, "a.rds")


def test_objects_written_as_words() -> None:
    words = (
        "A 3 263168 197888 5 UTF-8 787 3 526 3 1 NA -3 1026 1 262153 4 note 16 1 262153 1 x 254 14 3 1.5 NA -Inf "
        "16 3 262153 10 a\\040b\\\\\\012\\303\\251\\\"z 9 -1 262153 0  1026 1 262153 5 names 16 3 "
        "262153 1 i 262153 1 r 262153 1 t 1026 1 262153 5 class 16 1 262153 10 data.frame "
        "1026 1 262153 9 row.names 13 2 NA -3 254"
    )  # fmt: skip
    document = read(R, gzip.compress(words.replace(" ", "\n").encode()), "a.rds")
    assert _sheets(document)["a"] == (("i", "r", "t"), ("1", "1.5", 'a b\\\né"z'), ("", "", ""), ("-3", "-inf", ""))
