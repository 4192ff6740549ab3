"""Outlook data files: folders and items in both layouts and every encoding, items as messages, damage, and limits."""

from __future__ import annotations

import os
import random
import struct
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sidecar_mail import MailFormat
from sidecar_pst import PstFormat
from support.formats.plugin_reading import of, read
from support.office_old.outlook_data import Attached, Mail, pst

from sidecar.api import (
    DamagedError,
    Embed,
    EncryptedError,
    FormatError,
    Limits,
    Note,
    NotFoundError,
    Paragraph,
    ParsedDocument,
    Source,
    Table,
    UnsupportedError,
)
from sidecar.ingest.reading.detect import detector_of
from sidecar.ingest.reading.files import read_file
from sidecar.ingest.reading.jobs import Job, Loader

PST, MAIL = PstFormat(), MailFormat()
LAYOUTS = pytest.mark.parametrize(("ansi", "crypt"), [(ansi, crypt) for ansi in (False, True) for crypt in (0, 1, 2)])


def opened(data: bytes, embed: Embed) -> ParsedDocument:
    """The item as a message, read as any other."""
    payload = PST.open_embedded(Source.of_bytes(data, "a.pst"), embed.ref, Limits())
    return read(MAIL, payload.data, payload.name)


def item(data: bytes, name: str) -> ParsedDocument:
    document = read(PST, data, "a.pst")
    return opened(data, next(one for one in document.embedded if one.name == name))


@LAYOUTS
def test_folders_and_their_items(ansi: bool, crypt: int) -> None:
    start = datetime(2024, 1, 1, tzinfo=UTC)
    many = [Mail(f"Number {at}", f"Text {at}. " * at * 3, date=start + timedelta(days=at)) for at in range(400)]
    data = pst({"Inbox": [Mail("Résumé", "Café")], "Inbox/Old": many}, ansi=ansi, crypt=crypt)
    document = read(PST, data, "a.pst")
    assert document.title == "Mail of Ann"
    assert [part.title for part in document.parts] == ["Inbox", "Inbox/Old"]
    rows = [row for table in of(document, Table) for row in table.rows if row[0].startswith("Number")]
    assert rows[0][:3] == ("Number 399", "Ann", "2025-02-03 00:00")
    assert len(rows) == 400
    assert document.embedded[0].name == "Inbox/Old/Number 399.eml", "the latest is read first"
    message = opened(data, document.embedded[0])
    assert " ".join(one.text for one in of(message, Paragraph)).split() == ("Text 399. " * 399 * 3).split()
    assert [one.text for one in of(item(data, "Inbox/Résumé.eml"), Paragraph)] == ["Café"]


@pytest.mark.parametrize(
    ("page", "codec"), [(20866, "koi8-r"), (28595, "iso8859-5"), (1251, "cp1251"), (65001, "utf-8")]
)
def test_html_is_in_the_code_page_that_the_item_was_sent_in(page: int, codec: str) -> None:
    html = "<p>Добрый день</p>".encode(codec)
    data = pst({"Inbox": [Mail("Hello", "", more={0x1013: html, 0x3FDE: page})]}, ansi=True, crypt=0)
    assert [one.text for one in of(item(data, "Inbox/Hello.eml"), Paragraph)] == ["Добрый день"]


@LAYOUTS
def test_an_item_has_people_bodies_and_attached_files(ansi: bool, crypt: int) -> None:
    files = [Attached("notes é.txt", b"attached", "text/plain"), Attached("big.bin", bytes(range(256)) * 4000),
             Attached("pic.png", b"\x89PNG", "image/png", "logo@x")]  # fmt: skip
    inner = Attached(message=Mail("Inner", "Deep words", attached=[Attached("deep.txt", b"deep")]))
    mail = Mail("RE: Plans", "Body\r\nsecond", to=[("Bob", "bob@example.org"), ("Eva", "")], cc=[("Cy", "cy@x.org")],
                attached=[*files, inner], more={0x1013: b"<p>Body <b>second</b> third</p>", 0x3FDE: 65001})  # fmt: skip
    data = pst({"Inbox": [mail]}, ansi=ansi, crypt=crypt)
    message = item(data, "Inbox/RE_ Plans.eml")
    [head, inner_head] = of(message, Note)
    assert head.text == (
        "From: Ann <ann@example.org>\nTo: Bob <bob@example.org>, Eva\nCc: Cy <cy@x.org>\n"
        "Date: Fri, 01 Mar 2024 09:30:00 +0000 (2024-03-01)"
    )
    assert "From: Ann" in inner_head.text
    assert [part.title for part in message.parts] == ["RE: Plans", "Inner"]
    assert "Body second third" in [one.text for one in of(message, Paragraph)]
    names = [(one.name, one.size) for one in message.embedded]
    assert names == [("notes é.txt", 8), ("big.bin", 1_024_000), ("pic.png", 4), ("deep.txt", 4)]


def test_a_body_in_compressed_rtf_is_read() -> None:
    rtf = rb"{\rtf1\ansi Only \b formatted\b0  words}"
    packed = struct.pack("<IIII", len(rtf) + 12, len(rtf), 0x414C454D, 0) + rtf
    data = pst({"Inbox": [Mail("Rich", more={0x1009: packed})]})
    assert [one.text for one in of(item(data, "Inbox/Rich.eml"), Paragraph)] == ["Only formatted words"]


def test_contacts_and_appointments_say_their_facts() -> None:
    named = {0x8083: 0x8005, 0x820D: 0x8006, 0x8208: 0x8007}
    eva = Mail("Eva", kind="IPM.Contact", more={0x3A16: "Works", 0x3A1C: "+49 1", 0x8005: "eva@w.org"})
    when = datetime(2024, 5, 2, 14, 0, tzinfo=UTC)
    meeting = Mail("Meeting", "Bring cake.", kind="IPM.Appointment", more={0x8006: when, 0x8007: "Room 4"})
    data = pst({"Contacts": [eva], "Calendar": [meeting]}, named=named)
    texts = [
        one.text for name in ("Contacts/Eva.eml", "Calendar/Meeting.eml") for one in of(item(data, name), Paragraph)
    ]
    assert texts == [
        "Company: Works\nEmail: eva@w.org\nMobile phone: +49 1",
        "Start: 2024-05-02 14:00+00:00\nLocation: Room 4",
        "Bring cake.",
    ]


def test_names_are_paths_that_any_system_has_and_each_its_own() -> None:
    mails = [Mail("a/b\\..: c?", "1"), Mail("A/B\\..: C?", "2"), Mail("", "3"), Mail("..", "4")]
    document = read(PST, pst({"In": mails}), "a.pst")
    names = [one.name for one in reversed(document.embedded)]
    assert names == ["In/a_b_.._ c_.eml", "In/A_B_.._ C_ 200024.eml", "In/message.eml", "In.eml"]


def test_what_is_encrypted_damaged_or_of_another_kind_is_told_apart() -> None:
    whole = pst({"Inbox": [Mail("One", "words")]})

    def spoiled(at: int, value: bytes) -> bytes:
        return whole[:at] + value + whole[at + len(value) :]

    for data, error, message in (
        (spoiled(513, b"\x10"), EncryptedError, "information protection"),
        (spoiled(10, b"\x24"), UnsupportedError, "offline store of Outlook 2013"),
        (b"", DamagedError, "is empty"),
        (b"!BDN", DamagedError, "not an Outlook data file"),
        (whole[:4000], DamagedError, "cannot be followed"),
        (spoiled(224, bytes(8)), DamagedError, "cannot be followed"),
    ):
        with pytest.raises(error, match=message):
            PST.parse(Source.of_bytes(data, "a.pst"), Limits())
    with pytest.raises(NotFoundError, match="holds no item"):
        PST.open_embedded(Source.of_bytes(whole, "a.pst"), "21", Limits())


def test_of_more_items_than_may_be_listed_the_last_are() -> None:
    data = pst({"Inbox": [Mail(f"Number {at}") for at in range(9)]})
    document = read(PST, data, "a.pst", replace(Limits(), max_embedded=3))
    assert [one.name for one in document.embedded] == [f"Inbox/Number {at}.eml" for at in (8, 7, 6)]
    assert [one.message for one in document.notices] == ["Only the last 3 of 9 items are listed."]


def mutated(chance: random.Random, data: bytes) -> bytes:
    """Cut, filled, overwritten, or with pages in one another's place."""
    spoiled, how = bytearray(data), chance.randrange(4)
    at = chance.randrange(len(data) - 600)
    if how == 0:
        return data[:at]
    if how == 1:
        spoiled[at : at + 8] = chance.choice((bytes(8), b"\xff" * 8))
    elif how == 2:
        for _ in range(12):
            spoiled[chance.randrange(len(data))] = chance.randrange(256)
    else:
        other = chance.randrange(len(data) - 600) & ~511
        spoiled[at & ~511 : (at & ~511) + 512] = data[other : other + 512]
    return bytes(spoiled)


@pytest.mark.parametrize("ansi", [False, True])
def test_spoiled_files_give_a_document_or_one_sentence(ansi: bool) -> None:
    chance = random.Random(20 + ansi)
    mails: Sequence[Mail] = [Mail(f"S {at}", "words " * at, to=[("B", "b@x.org")], attached=[Attached("n.txt", b"x"),
                             Attached(message=Mail("in", "ner"))]) for at in range(20)]  # fmt: skip
    whole = pst({"Inbox": mails, "Old": [Mail("big", "x" * 20000)]}, ansi=ansi)
    for _ in range(150):
        source = Source.of_bytes(mutated(chance, whole), "a.pst")
        try:
            document = PST.parse(source, Limits())
        except FormatError as error:
            assert str(error).endswith(".")
            continue
        for embed in document.embedded[:2]:
            try:
                PST.open_embedded(source, embed.ref, Limits())
            except (FormatError, NotFoundError) as error:
                assert str(error).endswith(".")


def test_a_file_read_by_its_items_may_be_larger_than_others(tmp_path: Path) -> None:
    path = tmp_path / "large.pst"
    path.write_bytes(pst({"Inbox": [Mail("One", "words"), Mail("Two", "more")]}))
    with path.open("ab") as file:
        file.truncate(50_000_000)
    detector, job = detector_of(Loader()), Job(os.fsencode(path), slow=True)
    read_whole = read_file(job, detector, replace(Limits(), max_file_bytes=1_000_000))
    assert [(one.name, one.kind) for one in read_whole.members] == [
        ("Inbox/Two.eml", "read"), ("Inbox/One.eml", "read"),
    ]  # fmt: skip
    refused = read_file(job, detector, replace(Limits(), max_expanded_bytes=1_000_000))
    assert (refused.state, "max_expanded_bytes" in refused.reason) == ("too_large", True)
