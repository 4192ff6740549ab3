"""WordPerfect 5 and 6: text, letters with marks, tables, notes, headers, what the file says of itself, damage."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sidecar_wordperfect import WordperfectFormat
from support.formats.plugin_reading import of, read
from support.office_old.wordperfect_binary import document_5, document_6, group_5, group_6

from sidecar.api import (
    DamagedError,
    EncryptedError,
    FormatError,
    Limits,
    Note,
    Paragraph,
    Source,
    Table,
    UnsupportedError,
)

WPD = WordperfectFormat()
SOFT, HARD, CELL, ROW, OFF = (group_6(0xD0, kind) for kind in (1, 4, 0x0A, 0x0B, 0x11))


@pytest.mark.parametrize(("text", "shown"), [
    (b"One\x80line\xcftwo\xccNext", ["One line two", "Next"]),
    (b"Soft" + SOFT + b"line" + HARD + b"hard", ["Soft line", "hard"]),
    (b"K\x05kap\x16\x80\xf0\x1f\x01\xf0\x80\xf0\x20\x04\xf0q\xf0\x1f\x04\xf0", ["Käkapø ä “q”"]),
    (b"a\x81b\x84c\x82d", ["a\u00a0b-cd"]),
    (b"tab" + group_6(0xE0, 0) + b"bed", ["tab\tbed"]),
    (b"bold\x80\xf2\x0c\xf2word\xf3\x0c\xf3\x80end", ["bold word end"]),
    (b"kept\x80\xf1\0\0\0\xf1gone\xf1\1\0\0\xf1here", ["kept here"]),
    (b"\xf0\xff\x09\xf0?", ["\ufffd?"]),
])  # fmt: skip
def test_text_of_wordperfect_6(text: bytes, shown: list[str]) -> None:
    assert [block.text for block in of(read(WPD, document_6(text), "a.wpd"), Paragraph)] == shown


def test_tables_and_notes_of_wordperfect_6() -> None:
    table = ROW + b"Name" + CELL + b"Seen" + ROW + b"Weka" + CELL + b"2" + OFF
    notes = group_6(0xD7, 0, [1]) + group_6(0xD7, 1) + group_6(0xD6, 0, [2]) + group_6(0xD6, 4, [2])
    notes += group_6(0xDF, 0, [3]) + group_6(0xD7, 2, [9])
    made = document_6(
        b"Before" + notes + HARD + table + b"After", texts=[b"A\x80note", b"Head", b"Box"],
        facts={5: "Ann", 17: "Birds", 2: "account"},
    )  # fmt: skip
    found = read(WPD, made, "a.wpd")
    assert [block.text for block in of(found, Paragraph)] == ["Before", "After"]
    assert of(found, Table)[0].rows == (("Name", "Seen"), ("Weka", "2"))
    assert [(note.kind, note.text) for note in of(found, Note)] == [
        ("footnote", "A note"), ("header", "Head"), ("textbox", "Box"),
    ]  # fmt: skip
    assert (found.title, found.metadata) == ("Birds", {"author": "Ann"})


def test_text_tables_and_notes_of_wordperfect_5() -> None:
    footnote = group_5(0xD6, 0, bytes(3) + b"\0" + bytes(11) + b"A note")
    header = group_5(0xD5, 0, bytes(7) + b"\1" + bytes(10) + b"Head")
    table = group_5(0xDC, 1) + b"Name" + group_5(0xDC, 0) + b"Seen" + group_5(0xDC, 2)
    text = b"One\rline\x0aK\xc0\x1f\x01\xc0kapo" + footnote + header + b"\x0a" + table
    found = read(WPD, document_5(text + b"\xc3\x0c\xc3End"), "a.wp")
    assert [block.text for block in of(found, Paragraph)] == ["One line", "Käkapo", "End"]
    assert of(found, Table)[0].rows == (("Name", "Seen"),)
    assert [(note.kind, note.text) for note in of(found, Note)] == [("footnote", "A note"), ("header", "Head")]


@pytest.mark.parametrize(("data", "error"), [
    (document_6(b"x", key=7), EncryptedError), (b"\xffWPC", DamagedError), (b"words and words and", UnsupportedError),
])  # fmt: skip
def test_what_cannot_be_read_says_why(data: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        WPD.parse(Source.of_bytes(data, "a.wpd"), Limits())


def test_scores_and_long_text() -> None:
    assert WPD.score(Source.of_bytes(document_5(b""), "a")) == 92
    assert WPD.score(Source.of_bytes(b"words", "a.wpd")) == 0
    found = read(WPD, document_6(b"word\x80" * 100), "a.wpd", Limits(max_text_chars=20))
    assert [notice.code for notice in found.notices] == ["truncated_at"]


@example(codes=b"\xdf\0\0\1\x80", newer=True)
@given(codes=st.binary(max_size=60), newer=st.booleans())
def test_any_codes_end_in_a_document_or_a_sentence(codes: bytes, newer: bool) -> None:
    with contextlib.suppress(FormatError):
        read(WPD, document_6(codes, texts=[codes]) if newer else document_5(codes), "a.wpd")
