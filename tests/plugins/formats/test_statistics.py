"""Data sets of Stata, SPSS and SAS: texts for values, dates, missing values, long texts, byte orders, damaged ones."""

from __future__ import annotations

import random
import struct

import pytest
from sidecar_statistics import StatisticsFormat
from support.databases.statistics_files import SasVariable, ibm, sas, spss, stata, stata_old, transport
from support.formats.plugin_reading import read, read_broken

from sidecar.api import DamagedError, EncryptedError, Limits, ParsedDocument, Source, Table

STATISTICS = StatisticsFormat()
SEX = {1: "female", 2: "male", 2147483622: "not asked"}


def rows(document: ParsedDocument, part: int = 0) -> list[tuple[str, ...]]:
    return [row for table in document.parts[part].blocks if isinstance(table, Table) for row in table.rows]


def number(value: float, order: str = "<") -> bytes:
    return struct.pack(f"{order}d", value)


@pytest.mark.parametrize("order", ["<", ">"])
def test_a_data_set_of_stata_shows_texts_for_values_dates_and_long_texts(order: str) -> None:
    variables = [
        ("id", 65528, "%12.0g", "", "Number of the bird"),
        ("sex", 65530, "%8.0g", "sexes", "Sex"),
        ("seen", 65527, "%td", "", ""),
        ("month", 65529, "%tm", "", ""),
        ("weight", 65526, "%9.2f", "", ""),
        ("place", 12, "%12s", "", ""),
        ("note", 32768, "%9s", "", ""),
    ]
    layout = f"{order}ibfhd12s"

    def pointer(variable: int, case: int) -> bytes:
        name = "little" if order == "<" else "big"
        return variable.to_bytes(2, name) + case.to_bytes(6, name)

    cases = [
        struct.pack(layout, 7, 1, 22000.0, 700, 2.5, "Te Papa é".encode().ljust(12, b"\0")) + pointer(7, 1),
        struct.pack(layout, 2147483621, 102, 2.0**127, 32741, 2.0**1023, bytes(12)) + pointer(7, 1),
        struct.pack(layout, -3, 2, -1.0, -1, 2.0**1023 * (1 + 26 / 4096), b"x".ljust(12, b"\0")) + pointer(0, 0),
    ]
    data = stata(variables, cases, order=order, labels={"sexes": SEX}, long={(7, 1): "Long " * 3}, title="Birds")
    document = read(STATISTICS, data, "birds.dta")
    assert rows(document) == [
        ("id", "sex", "seen", "month", "weight", "place", "note"),
        ("7", "female", "2020-03-26", "2018-05", "2.5", "Te Papa é", "Long Long Long"),
        ("", "not asked", "", "", "", "", "Long Long Long"),
        ("-3", "male", "1959-12-31", "1959-12", ".z", "x", ""),
    ]
    assert rows(document, 1)[:3] == [
        ("Variable", "Label", "Values"),
        ("id", "Number of the bird", ""),
        ("sex", "Sex", "1 = female; 2 = male; .a = not asked"),
    ]
    assert (document.title, document.metadata["rows"]) == ("Birds", "3")


@pytest.mark.parametrize(("release", "kinds"), [(108, b"b\x83"), (111, b"\xfb\4"), (115, b"\xfb\4")])
def test_older_releases_of_stata_have_their_own_types_and_missing_values(release: int, kinds: bytes) -> None:
    variables = [("sex", kinds[0], "%8.0g", "sexes", "Größe"), ("place", kinds[1], "%4s", "", "")]
    cases = [b"\1Kiwi", b"\x7f\0\0\0\0"]
    data = stata_old(variables, cases, release=release, labels={"sexes": {1: "female"}})
    document = read(STATISTICS, data, "old.dta")
    assert rows(document) == [("sex", "place"), ("female", "Kiwi"), (".z" if release > 112 else "", "")]
    assert rows(document, 1)[1] == ("sex", "Größe", "1 = female")


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("packing", [0, 1, 2])
def test_a_data_set_of_spss_is_read_however_it_is_packed(packing: int, order: str) -> None:
    variables = [
        ("SEX", 0, 5, "Sex", {number(1, order): b"female"}),
        ("SEEN", 0, 20, "", {}),
        ("AT", 0, 22, "", {}),
        ("TOOK", 0, 21, "", {}),
        ("PLACE", 12, 1, "", {}),
    ]
    missing = number(-float.fromhex("0x1.fffffffffffffp+1023"), order)
    unix = 12_219_379_200  # seconds from the first day of these dates to 1970
    slots = [number(value, order) for value in (1, unix + 18_294 * 86_400, unix + 86_401.5, 3_661)]
    slots += [b"K\xc3\xa4rnten", b" See".ljust(8)]
    slots += [number(2.25, order), missing, missing, missing, b"Graz    ", b" " * 8]
    data = spss(variables, slots, packing=packing, order=order, further={20: b"UTF-8", 13: b"SEX=Sex of the bird"})
    document = read(STATISTICS, data, "birds.sav")
    assert rows(document) == [
        ("Sex of the bird", "SEEN", "AT", "TOOK", "PLACE"),
        ("female", "2020-02-02", "1970-01-02 00:00:01.500", "01:01:01", "Kärnten See"),
        ("2.25", "", "", "", "Graz"),
    ]
    assert rows(document, 1)[1] == ("Sex of the bird", "Sex", "1 = female")
    assert document.title == "Birds of the shore"


def test_a_very_long_text_of_spss_is_one_column() -> None:
    words = ("wader " * 49).encode().ljust(300)
    variables = [("NOTE", 255, 1, "", {}), ("NOTE1", 48, 1, "", {}), ("N", 0, 5, "", {})]
    pieces = words[:255] + b" " + words[255:].ljust(48)
    slots = [pieces[at : at + 8] for at in range(0, len(pieces), 8)] + [number(7)]
    document = read(STATISTICS, spss(variables, slots, further={14: b"NOTE=00300\0\t"}), "long.sav")
    assert rows(document) == [("NOTE", "N"), (words.decode().rstrip(), "7")]


def test_lists_of_texts_that_variables_share_are_shown_as_far_as_there_is_room() -> None:
    variables = [(f"v{number}", 65530, "%8.0g", "places", "") for number in range(50)]
    data = stata(variables, [bytes(50)], labels={"places": dict.fromkeys(range(100), "x" * 100)})
    document = read(STATISTICS, data, "wide.dta", Limits(max_text_chars=60_000))
    assert 2 < len(rows(document, 1)) < 12
    assert [(notice.code, notice.part) for notice in document.notices] == [("truncated_at", 2)]


def test_what_a_file_has_less_than_it_promises_is_said() -> None:
    variables = [("a", 65528, "%8.0g", "", "")]
    data = stata_old([("a", 253, "%8.0g", "", "")], [bytes(4)] * 3)[:-5]
    document = read(STATISTICS, data, "cut.dta")
    assert len(rows(document)) == 2
    assert "Of 3 cases 1 can be read" in document.notices[0].message
    with pytest.raises(DamagedError):
        read(STATISTICS, stata(variables, [bytes(4)])[:200], "cut.dta")
    codes = spss([("A", 0, 5, "", {}), ("B", 0, 5, "", {})], [number(1)] * 3, packing=1)
    assert "1 can be read" in read(STATISTICS, codes, "cut.sav").notices[0].message


def test_an_encrypted_data_set_of_spss_is_said_to_be_one() -> None:
    data = struct.pack("<4H", 28, 0, 0, 0) + b"ENCRYPTEDSAV" + bytes(64)
    assert STATISTICS.score(Source.of_bytes(data, "secret.sav")) > 90
    with pytest.raises(EncryptedError):
        read(STATISTICS, data, "secret.sav")


def test_files_of_other_programs_are_left_alone() -> None:
    assert STATISTICS.score(Source.of_bytes(b"SR\0\4some of IDL", "game.sav")) == 0
    assert STATISTICS.score(Source.of_bytes(b"\x72\2\1\0\1\0", "notes.txt")) == 0


BIRDS: list[SasVariable] = [
    ("id", 1, 8, "", ""),
    ("weight", 1, 5, "BEST", "Weight of the bird"),
    ("seen", 1, 8, "DATE", ""),
    ("at", 1, 8, "DATETIME", ""),
    ("took", 1, 8, "TIME", ""),
    ("place", 2, 12, "$", "Plåce"),
]


def bird(order: str, numbers: tuple[float, ...], place: str) -> bytes:
    """A case; its second number is short of its last three bytes."""
    raw = [number(value, order) for value in numbers]
    raw[1] = raw[1][3:] if order == "<" else raw[1][:5]
    return b"".join(raw) + place.encode().ljust(12)


SAS_ROWS = [
    ("id", "weight", "seen", "at", "took", "place"),
    ("7", "2.5", "2020-03-26", "1991-09-09 01:46:40", "01:01:01.500", "Te Papa é"),
    ("-3", "0.5", "", "1960-01-01 00:00:00", "00:00:00", "x"),
]


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("wide", [True, False])
def test_a_data_set_of_sas_shows_dates_and_short_numbers(wide: bool, order: str) -> None:
    """As pandas reads the same four files."""
    cases = [bird(order, (7, 2.5, 22000, 1e9, 3661.5), "Te Papa é"), bird(order, (-3, 0.5, float("nan"), 0, 0), "x")]
    document = read(STATISTICS, sas(BIRDS, cases, wide=wide, order=order), "birds.sas7bdat")
    assert rows(document) == SAS_ROWS
    assert rows(document, 1)[2] == ("weight", "Weight of the bird", "")
    assert (document.title, document.metadata["rows"], document.metadata["encoding"]) == ("BIRDS", "2", "utf-8")


def runs(case: bytes) -> bytes:
    """Zeros and blanks as runs, all others as they are."""
    packed, at = b"", 0
    while at < len(case):
        same = 1
        while at + same < len(case) and case[at + same] == case[at] and same < 17:
            same += 1
        if same > 2:
            packed += bytes([(0xF0 if case[at] == 0 else 0xC0) | (same - (2 if case[at] == 0 else 3))])
            packed += b"" if case[at] == 0 else case[at : at + 1]
        else:
            packed += bytes([0x80 | (same - 1)]) + case[at : at + same]
        at += same
    return packed


def test_a_packed_data_set_of_sas() -> None:
    """By runs of a byte, by copies of earlier bytes; pandas reads the first alike."""
    text: list[SasVariable] = [("place", 2, 40, "$", "")]
    cases = [b"Kaka".ljust(40), b"Te Papa".ljust(40, b"\0")]
    document = read(STATISTICS, sas(text, [runs(case) for case in cases], packing=b"SASYZCRL"), "birds.sas7bdat")
    assert rows(document) == [("place",), ("Kaka",), ("Te Papa",)]
    copied = (
        struct.pack(">H", 0x0B00) + b"abcd" + bytes((0x81, 0)) + b"x" + bytes((0x0D,)) + b" " + bytes((0x01,)) + b"y"
    )
    document = read(STATISTICS, sas(text, [copied], packing=b"SASYZCR2"), "birds.sas7bdat")
    assert rows(document) == [("place",), ("abcdabcdabcdx" + " " * 16 + "yyyy",)]


def test_a_damaged_data_set_of_sas() -> None:
    """Cases that are cut off are told; records that lie elsewhere are none."""
    cases = [bird("<", (at, 2.5, 22000, 1e9, 0), "x") for at in range(5)]
    whole = sas(BIRDS, cases)
    cut = whole[: 1024 + 8192 + 32 + 8 + 2 * len(cases[0]) + 3]
    document = read(STATISTICS, cut, "birds.sas7bdat")
    assert len(rows(document)) == 3
    assert [notice.code for notice in document.notices] == ["damaged_part"]
    for data in (whole[:200], whole[:1500], whole[:1024] + bytes(8192), whole[:200] + bytes(88) + whole[288:]):
        with pytest.raises(DamagedError):
            STATISTICS.parse(Source.of_bytes(data, "birds.sas7bdat"), Limits())


BIRD_CASES = [
    ibm(7) + "Tūī".encode().ljust(10) + ibm(2.5, 4) + ibm(21916) + ibm(1893456000.5),
    ibm(-12.375) + b" ".ljust(10) + ibm(float("nan"), 4) + ibm(-1) + b"B" + bytes(7),
    ibm(1e-9) + b"x".ljust(10) + ibm(0, 4) + ibm(float("nan")) + ibm(0),
]
BIRD_VARIABLES = [
    ("IDENTITY_OF_BIRD", 8, "", "Number of the bird"), ("NAME", -10, "", ""), ("WEIGHT", 4, "BEST12", ""),
    ("SEEN", 8, "DATE9", "Day"), ("AT", 8, "DATETIME", ""),
]  # fmt: skip


@pytest.mark.parametrize("version", [5, 8])
def test_a_transport_file_of_sas(version: int) -> None:
    data = transport(BIRD_VARIABLES, BIRD_CASES, version=version, label="Birds of 2020")
    source = Source.of_bytes(data, "birds.xpt")
    assert STATISTICS.score(source) == 95
    document = read(STATISTICS, data, "birds.xpt")
    first = "IDENTITY_OF_BIRD" if version == 8 else "IDENTITY"
    assert rows(document) == [
        (first, "NAME", "WEIGHT", "SEEN", "AT"),
        ("7", "Tūī", "2.5", "2020-01-02", "2020-01-01 00:00:00.500"),
        ("-12.375", "", "", "1959-12-31", ""),
        ("1e-09", "x", "0", "", "1960-01-01 00:00:00"),
    ]
    assert document.title == "Birds of 2020"
    assert rows(document, 1)[1] == (first, "Number of the bird", "")


def test_transport_files_of_several_data_sets_and_damaged_ones() -> None:
    data = transport(BIRD_VARIABLES, BIRD_CASES)
    second = data[240:].replace(b"BIRDS   ", b"OTHER   ")
    document = read(STATISTICS, data + second, "birds.xpt")
    assert document.metadata["datasets"] == "BIRDS, OTHER"
    assert len(rows(document)) == 4
    for cut in (90, 260, 500, 700):
        with pytest.raises(DamagedError):
            STATISTICS.parse(Source.of_bytes(data[:cut], "birds.xpt"), Limits())
    assert len(rows(read(STATISTICS, data[: len(data) - 100], "birds.xpt"))) >= 2
    read_broken(STATISTICS, data, "birds.xpt", random.Random(9), kept=48, times=300)
