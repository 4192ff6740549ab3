"""Hancom documents of version 5: what stands in them as in OWPML, and what is locked, older or damaged told apart."""

from __future__ import annotations

import random

import pytest
from contract.pictures import PNG
from sidecar_hwpx import HwpxFormat
from support.formats.plugin_reading import of, read, spans
from support.office_old.hancom_binary import (
    BULLETED,
    FIELD_END,
    LEVEL_1,
    LEVEL_2,
    NUMBERED,
    box,
    equation,
    hwp,
    link,
    note,
    para,
    picture,
    table,
)

from sidecar.api import (
    DamagedError,
    EncryptedError,
    Equation,
    Figure,
    FormatError,
    Heading,
    LimitError,
    Limits,
    ListItem,
    Merge,
    Note,
    Paragraph,
    Source,
    Table,
    UnsupportedError,
)

HANCOM = HwpxFormat()


@pytest.mark.parametrize("flags", [0, 1])
def test_headings_lists_and_sections(flags: int) -> None:
    first = para("사업 계획", shape=LEVEL_1) + para("본문 ", (1, "굵은"), " 글") + para("예산", shape=LEVEL_2)
    second = para("하나", shape=NUMBERED) + para("둘", shape=NUMBERED) + para("점", shape=BULLETED)
    document = read(HANCOM, hwp(first, second, flags=flags), "plan.hwp")
    assert document.title == "Plan"
    assert [(one.text, one.level) for one in of(document, Heading)] == [("사업 계획", 1), ("예산", 2)]
    [body] = of(document, Paragraph)
    assert (body.text, spans(body.text, body.spans)) == ("본문 굵은 글", [("bold", "굵은", "")])
    items = [(one.text, one.marker, one.level) for one in of(document, ListItem)]
    assert items == [("하나", "1.", 0), ("둘", "2.", 0), ("점", "•", 1)]


def test_tables_notes_links_boxes_equations_and_pictures() -> None:
    made = table([["합계"], ["a", "b"], ["c", "d"]], wide=2, repeated=True, caption="표 설명")
    body = para("앞", made, "뒤") + para("줄\t칸\n끝", note("fn  ", "각주 글"), note("head", "머리말"))
    body += para(link("http\\://example.org"), "here", FIELD_END) + para(box(para("상자 글", level=3)))
    body += para(equation("x over 2")) + para(picture(1)) + para((2, "tiny"))
    data = hwp(body, picture=PNG)
    document = read(HANCOM, data, "a.hwp")
    [found] = of(document, Table)
    assert found.rows == (("합계", ""), ("a", "b"), ("c", "d"))
    assert (found.header_rows, found.merges, found.caption) == (1, (Merge(0, 0, 1, 2),), "표 설명")
    texts = [one.text for one in of(document, Paragraph)]
    assert texts == ["앞뒤", "줄\t칸\n끝[1]", "here", "상자 글", "tiny"]
    linked = of(document, Paragraph)[2]
    assert spans(linked.text, linked.spans) == [("link", "here", "http://example.org")]
    assert [(one.kind, one.text) for one in of(document, Note)] == [("footnote", "각주 글"), ("header", "머리말")]
    assert [one.text for one in of(document, Equation)] == ["x over 2"]
    assert [notice.code for notice in document.notices] == ["hidden_content"]
    assert len(of(document, Figure)) == 1
    [image] = document.embedded
    opened = HANCOM.open_embedded(Source.of_bytes(data, "a.hwp"), image.ref, Limits())
    assert (opened.data, opened.media_type) == (PNG, "image/png")


def test_it_is_known_by_its_content() -> None:
    data = hwp(para("words"))
    assert HANCOM.score(Source.of_bytes(data, "plan.bin")) == 95
    assert HANCOM.score(Source.of_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "plan.doc")) == 0


def test_what_is_locked_older_or_damaged_is_told_apart() -> None:
    whole = hwp(para("words"))
    for data, error, message in (
        (hwp(para("words"), flags=3), EncryptedError, "protected by a password"),
        (hwp(para("words"), flags=5), EncryptedError, "locked for distribution"),
        (b"HWP Document File V3.00 \x1a\1\2\3\4\5", UnsupportedError, "version 3"),
        (hwp(), DamagedError, "has no text"),
        (whole[:700], DamagedError, "damaged"),
        (b"", DamagedError, "another kind of file than its name says, or damaged from its beginning on"),
    ):
        with pytest.raises(error, match=message):
            HANCOM.parse(Source.of_bytes(data, "a.hwp"), Limits())
    with pytest.raises(LimitError):
        HANCOM.parse(Source.of_bytes(hwp(para("a" * 400_000)), "a.hwp"), Limits(max_file_bytes=100_000))


@pytest.mark.parametrize(("section", "message"), [(bytes(9_000_000), "max_ratio"), (para("") * 200_000, "records")])
def test_small_files_that_unpack_to_very_much_are_refused(section: bytes, message: str) -> None:
    with pytest.raises(LimitError, match=message):
        HANCOM.parse(Source.of_bytes(hwp(section), "a.hwp"), Limits(max_ratio=500))


def test_spoiled_files_give_a_document_or_one_sentence() -> None:
    chance = random.Random(5)
    body = para("앞", table([["a", "b"], ["c", "d"]])) + para("x", note("fn  ", "note"), box(para("in", level=3)))
    whole = hwp(body * 5, picture=PNG, flags=0)
    for _ in range(300):
        spoiled = bytearray(whole)
        for _ in range(chance.randrange(1, 12)):
            spoiled[chance.randrange(512, len(spoiled))] = chance.choice((0, 1, 255, chance.randrange(256)))
        data = bytes(spoiled[: chance.choice((len(spoiled), chance.randrange(len(spoiled))))])
        try:
            read(HANCOM, data, "a.hwp")
        except FormatError as error:
            assert str(error).endswith(".")
