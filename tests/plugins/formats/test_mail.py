"""Mail: MIME messages good and bad, Outlook files, mailboxes, attachments and messages inside messages."""

from __future__ import annotations

import base64
import binascii
import contextlib
import struct
from collections.abc import Mapping
from datetime import UTC, datetime
from email.message import EmailMessage

import pytest
from contract.conformance import check_embedded
from contract.containers import compound_file
from contract.markup_samples import envelope, mail_files, mapi_properties, tnef_file
from contract.pictures import PNG
from sidecar_mail import MailFormat
from support.formats.plugin_reading import of, read

from sidecar.api import DamagedError, EncryptedError, Figure, Heading, Limits, Note, Paragraph, Source, Table
from sidecar.toolkit.word.outlook_rtf import rtf_text, unpack_rtf

MAIL = MailFormat()


def test_a_letter_with_everything() -> None:
    data = mail_files()["letter.eml"]
    document = read(MAIL, data, "letter.eml")
    assert document.title == "Grüße"
    assert document.metadata["author"] == "Ann <ann@example.org>"
    assert document.metadata["created"] == "2026-01-01T10:00:00+01:00"
    assert [(part.kind, part.title) for part in document.parts] == [("message", "Grüße"), ("message", "Inner")]
    assert of(document, Heading)[0].text == "Grüße"
    header = of(document, Note)[0]
    assert header.kind == "header"
    assert "To: Bo <bo@example.org>" in header.text
    assert [(one.text, one.style) for one in of(document, Paragraph)] == [
        ("Hello,", ""), ("quoted before", "quote"), ("the answer.", ""), ("The inner message.", ""),
    ]  # fmt: skip
    assert [(embed.kind, embed.name, embed.media_type) for embed in document.embedded] == [
        ("image", "a.png", "image/png"), ("attachment", "t.csv", "text/csv"),
    ]  # fmt: skip
    source = Source.of_bytes(data, "letter.eml")
    assert check_embedded(MAIL, source, document) == 2
    assert MAIL.open_embedded(source, document.embedded[1].ref, Limits()).data == b"a,b\n1,2\n"
    assert [figure.embed for figure in of(document, Figure)] == [("image", 0), ("attachment", 0)]


def test_an_html_only_message_and_its_inline_picture() -> None:
    message = EmailMessage()
    message["From"], message["Subject"] = "a@example.org", "s"
    message.set_content(
        "<h1>News</h1><table><tr><th>a</th><th>b</th></tr></table><img src='cid:pic' alt='P'>", subtype="html"
    )
    message.add_related(PNG, "image", "png", cid="<pic>", filename="p.png")
    document = read(MAIL, message.as_bytes(), "a.eml")
    assert [heading.text for heading in of(document, Heading)] == ["s", "News"]
    assert of(document, Table)[0].rows == (("a", "b"),)
    assert [(figure.embed, figure.alt) for figure in of(document, Figure)] == [(("image", 0), "P")]
    assert len(document.embedded) == 1


def test_the_body_that_says_more_is_shown() -> None:
    def body(text: str, html: str) -> list[str]:
        message = EmailMessage()
        message["From"], message["Subject"] = "a@example.org", "s"
        message.set_content(text)
        message.add_alternative(html, subtype="html")
        return [one.text for one in of(read(MAIL, message.as_bytes(), "a.eml"), Paragraph) if not one.hidden]

    bare = "Please find the figures of the quarter below."
    assert body(bare, f"<p>{bare}</p><p>Emma Pearson, Events Specialist</p>")[-1] == "Emma Pearson, Events Specialist"
    assert body(f"{bare}\n\nSee also: the minutes", f"<p>{bare}</p>") == [bare, "See also: the minutes"]


def test_an_html_only_message_of_short_words_keeps_them() -> None:
    head = b"From: a@example.org\nSubject: s\nContent-Type: text/html; charset=utf-8\n\n"
    parsed = MailFormat().parse(Source.of_bytes(head + b"<p>Yes, do so.</p>", "a.eml"), Limits())
    assert [block.text for block in parsed.parts[0].blocks if isinstance(block, Paragraph)] == ["Yes, do so."]


def test_a_date_is_shown_as_written_and_in_figures() -> None:
    def header(date: str) -> str:
        return of(read(MAIL, f"From: a@example.org\nDate: {date}\n\nbody\n".encode(), "a.eml"), Note)[0].text

    assert "Date: Fri, 16 Dec 2022 17:04:16 -0500 (2022-12-16)" in header("Fri, 16 Dec 2022 17:04:16 -0500")
    assert header("2022-12-16T17:04:16-05:00").endswith("Date: 2022-12-16T17:04:16-05:00")
    assert header("some day").endswith("Date: some day")


@pytest.mark.parametrize(
    ("header", "shown"),
    [
        (b"=?utf-8?B?R3LDvMOfZQ==?=", "Grüße"),
        (b"=?iso-8859-1?Q?Gr=FC=DFe?= again", "Grüße again"),
        ("Grüße".encode("cp1252"), "Grüße"),
        ("Grüße".encode(), "Grüße"),
        (b"=?no-such-charset?Q?x?=", "x"),
        (b"=?utf-8?B?broken", "=?utf-8?B?broken"),
        (b"folded\r\n over lines", "folded over lines"),
    ],
)
def test_subjects_as_they_come(header: bytes, shown: str) -> None:
    document = read(MAIL, b"From: a@example.org\r\nSubject: " + header + b"\r\n\r\nbody\r\n", "a.eml")
    assert document.title == shown


def test_a_mislabelled_body_is_read_all_the_same() -> None:
    head = b"From: a@example.org\r\nSubject: s\r\nContent-Type: text/plain; charset=us-ascii\r\n\r\n"
    assert of(read(MAIL, head + "Grüße".encode(), "a.eml"), Paragraph)[0].text == "Grüße"
    assert of(read(MAIL, head + "Größe und Maß".encode("cp1252"), "a.eml"), Paragraph)[0].text == "Größe und Maß"


def test_a_message_saved_as_utf16() -> None:
    document = read(MAIL, "From: a@example.org\r\nSubject: s\r\n\r\nbody\r\n".encode("utf-16"), "a.eml")
    assert (document.title, of(document, Paragraph)[0].text) == ("s", "body")


def test_an_encrypted_message_says_so() -> None:
    document = read(MAIL, (
        "From: a@example.org\nSubject: secret\nMIME-Version: 1.0\nContent-Type: multipart/encrypted; "
        "boundary=b\n\n--b\n"
        "Content-Type: application/pgp-encrypted\n\nVersion: 1\n--b\nContent-Type: application/octet-stream\n\n"
        "xxxx\n--b--\n"
    ), "a.eml")  # fmt: skip
    assert [notice.code for notice in document.notices] == ["encrypted"]


def test_mailboxes() -> None:
    data = mail_files()["box.mbox"]
    document = read(MAIL, data, "box.mbox")
    assert len(document.parts) == 2
    assert document.metadata["messages"] == "2"
    cut = read(MAIL, data, "box.mbox", Limits(max_parts=1))
    assert (len(cut.parts), cut.notices[0].code) == (1, "truncated_at")


def test_outlook() -> None:
    data = mail_files()["outlook.msg"]
    document = read(MAIL, data, "outlook.msg")
    assert (document.title, document.media_type) == ("Outlook subject", "application/vnd.ms-outlook")
    assert (document.metadata["author"], document.metadata["to"]) == ("Ann <ann@example.org>", "Bo <bo@example.org>")
    assert [one.text for one in of(document, Paragraph)] == ["Body of the Outlook message.", "Second paragraph."]
    source = Source.of_bytes(data, "outlook.msg")
    assert MAIL.open_embedded(source, document.embedded[0].ref, Limits()).data == PNG


def test_outlook_with_a_large_body_a_nested_message_and_a_date() -> None:
    def wide(text: str) -> bytes:
        return text.encode("utf-16-le")

    # 1 January 2026 in 100-nanosecond steps since 1601 (property 0x0039, PT_SYSTIME 0x0040).
    sent = struct.pack("<HHIQ", 0x40, 0x39, 6, 134116992000000000)
    nested = "__attach_version1.0_#00000000/__substg1.0_3701000D"
    data = compound_file(
        {
            "__properties_version1.0": bytes(32) + sent,
            "__substg1.0_0037001F": wide("Outer"),
            "__substg1.0_10130102": b"<html><body><h1>Heading</h1>"
            + b"<p>A paragraph of some length.</p>" * 300
            + b"</body></html>",
            "__attach_version1.0_#00000000/__properties_version1.0": bytes(8),
            f"{nested}/__properties_version1.0": bytes(24),
            f"{nested}/__substg1.0_0037001F": wide("Nested"),
            f"{nested}/__substg1.0_1000001E": "Grüße".encode("cp1252"),
        }
    )
    document = read(MAIL, data, "a.msg")
    assert [part.title for part in document.parts] == ["Outer", "Nested"]
    assert document.metadata["created"] == "2026-01-01T00:00:00+00:00"
    assert len(of(document, Paragraph)) == 301
    assert of(document, Paragraph)[-1].text == "Grüße"


@pytest.mark.parametrize(
    ("own", "sent", "codec", "said"),
    [
        (0, 950, "cp950", "格式測試"),
        (0, 20866, "cp1251", "Ответ"),
        (1251, 65001, "cp1251", "Ответ"),
        (0, 65001, "cp1252", "Grüße"),
    ],
)
def test_strings_of_an_outlook_message_are_in_the_code_page_that_it_was_sent_in_where_it_tells_no_other(
    own: int, sent: int, codec: str, said: str
) -> None:
    pages = b"".join(struct.pack("<HHIQ", 3, tag, 6, page) for tag, page in ((0x3FFD, own), (0x3FDE, sent)) if page)
    recipient = "__recip_version1.0_#00000000"
    data = compound_file({
        "__properties_version1.0": bytes(32) + pages, "__substg1.0_0037001E": said.encode(codec),
        "__substg1.0_1000001E": b"Body", f"{recipient}/__properties_version1.0": bytes(8),
        f"{recipient}/__substg1.0_3001001E": said.encode(codec),
    })  # fmt: skip
    document = read(MAIL, data, "a.msg")
    assert (document.title, document.metadata["to"]) == (said, said)


@pytest.mark.parametrize(
    ("stored", "told"),
    [
        ({"0C1F": "/O=QUAY/CN=RECIPIENTS/CN=ANN"}, "Ann </O=QUAY/CN=RECIPIENTS/CN=ANN>"),
        ({"0C1F": "/O=QUAY/CN=RECIPIENTS/CN=ANN", "0065": "ann@example.org"}, "Ann <ann@example.org>"),
        ({}, "Ann"),
    ],
)
def test_a_sender_without_an_address_of_the_internet_has_the_one_within_the_organisation(
    stored: dict[str, str], told: str
) -> None:
    texts = {"0C1A": "Ann", "1000": "body"} | stored
    streams = {f"__substg1.0_{tag}001F": text.encode("utf-16-le") for tag, text in texts.items()}
    document = read(MAIL, compound_file({"__properties_version1.0": bytes(32), **streams}), "a.msg")
    assert document.metadata["author"] == told


@pytest.mark.parametrize(("page", "codec"), [(20866, "koi8-r"), (51932, "euc-jp"), (28592, "iso8859-2")])
def test_html_of_an_outlook_message_is_in_the_code_page_that_it_was_sent_in(page: int, codec: str) -> None:
    said = {"koi8-r": "Да", "euc-jp": "はい", "iso8859-2": "Łódź"}[codec]
    data = compound_file({
        "__properties_version1.0": bytes(32) + struct.pack("<HHIQ", 3, 0x3FDE, 6, page),
        "__substg1.0_10130102": f"<p>{said}</p>".encode(codec),
    })  # fmt: skip
    assert [one.text for one in of(read(MAIL, data, "a.msg"), Paragraph)] == [said]


def test_an_object_of_another_program_in_an_outlook_message_is_a_file() -> None:
    nested = "__attach_version1.0_#00000000/__substg1.0_3701000D"
    data = compound_file({
        "__properties_version1.0": bytes(32), "__substg1.0_0037001F": "Outer".encode("utf-16-le"),
        "__attach_version1.0_#00000000/__properties_version1.0": bytes(8),
        "__attach_version1.0_#00000000/__substg1.0_3001001F": "Costs".encode("utf-16-le"),
        f"{nested}/Workbook": b"cells" * 1000, f"{nested}/\x01CompObj": b"",
    })  # fmt: skip
    document = read(MAIL, data, "a.msg")
    assert [part.title for part in document.parts] == ["Outer"]
    [embed] = document.embedded
    assert (embed.name, embed.media_type) == ("Costs.xls", "application/vnd.ms-excel")
    assert MAIL.open_embedded(Source.of_bytes(data, "a.msg"), embed.ref, Limits()).data.startswith(b"\xd0\xcf\x11\xe0")


def outlook_item(kind: str, values: Mapping[int | str, tuple[int, bytes | list[bytes]]]) -> bytes:
    """An item of that class; properties by their id, from 0x10000 on by the number that names them, or by a name."""
    streams = {"__substg1.0_001A001F": kind.encode("utf-16-le")}
    fixed, entries, strings = bytes(32), b"", b""
    for key, (type_, value) in values.items():
        identity = key if isinstance(key, int) and key < 0x10000 else 0x8000 + len(entries) // 8
        if isinstance(key, str):
            entries += struct.pack("<IHH", len(strings), 5, identity - 0x8000)
            strings += struct.pack("<I", 2 * len(key)) + key.encode("utf-16-le")
        elif key >= 0x10000:
            entries += struct.pack("<IHH", key - 0x10000, 6, identity - 0x8000)
        for number, one in enumerate(value if isinstance(value, list) else ()):
            streams[f"__substg1.0_{identity:04X}{type_:04X}-{number:08X}"] = one
        if isinstance(value, bytes) and type_ in (0x1E, 0x1F, 0x102):
            streams[f"__substg1.0_{identity:04X}{type_:04X}"] = value
        fixed += struct.pack("<HHI8s", type_, identity, 6, value[:8] if isinstance(value, bytes) else b"")
    named = {"__nameid_version1.0/__substg1.0_00030102": entries, "__nameid_version1.0/__substg1.0_00040102": strings}
    return compound_file(streams | named | {"__properties_version1.0": fixed})


def wide(text: str) -> bytes:
    return text.encode("utf-16-le")


def steps(*when: int) -> bytes:
    return struct.pack(
        "<Q", int((datetime(*when, tzinfo=UTC) - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()) * 10**7
    )


def one_off(name: str, address: str) -> bytes:
    head = bytes(4) + bytes.fromhex("812B1FA4BEA310199D6E00DD010F5402") + struct.pack("<HH", 0, 0x8000)
    return head + wide(f"{name}\0SMTP\0{address}\0")


NAMED = 0x10000
ITEMS: dict[str, tuple[dict[int | str, tuple[int, bytes | list[bytes]]], str]] = {
    "IPM.Contact": (
        {0x3001: (0x1F, wide("Ann Lee")), 0x3A16: (0x1E, b"Gazebos\0"), NAMED + 0x8083: (0x1F, wide("ann@example.org")),
         0x3A42: (0x40, steps(1980, 5, 4, 22)), "Keywords": (0x101F, [wide("red"), wide("blue")])},
        "Name: Ann Lee\nCompany: Gazebos\nEmail: ann@example.org\nBirthday: 1980-05-04\nCategories: red, blue",
    ),
    "IPM.Appointment": (
        {NAMED + 0x820D: (0x40, steps(2024, 5, 2, 14)), NAMED + 0x8208: (0x1F, wide("Room 4")),
         NAMED + 0x8215: (0x0B, b"\0"), NAMED + 0x8205: (0x03, b"\2\0\0\0"),
         NAMED + 0x8232: (0x1F, wide("every Monday from 14:00 to 15:00"))},
        "Start: 2024-05-02 14:00+00:00\nLocation: Room 4\nRecurrence: every Monday from 14:00 to 15:00\n"
        "Show time as: Busy",
    ),
    "IPM.Task": (
        {NAMED + 0x8101: (0x03, b"\1\0\0\0"), NAMED + 0x8102: (0x05, struct.pack("<d", 0.5)),
         NAMED + 0x8104: (0x40, steps(4501, 1, 1)), NAMED + 0x8105: (0x40, steps(2024, 5, 2)),
         NAMED + 0x8111: (0x03, struct.pack("<i", 90)), NAMED + 0x811F: (0x1F, wide("Bo"))},
        "Status: In progress\nComplete: 50%\nDue: 2024-05-02\nOwner: Bo\nTotal work: 90 minutes",
    ),
    "IPM.Activity": (
        {NAMED + 0x8712: (0x1F, wide("Phone call")), NAMED + 0x8707: (0x03, struct.pack("<i", 5))},
        "Entry type: Phone call\nDuration: 5 minutes",
    ),
    "IPM.DistList": (
        {NAMED + 0x8053: (0x1F, wide("Crew")),
         NAMED + 0x8054: (0x1102, [one_off("Ann", "ann@example.org"), one_off("Bo", "bo@example.org"), b"broken"])},
        "Name: Crew\nMembers: Ann <ann@example.org>, Bo <bo@example.org>",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", ITEMS)
def test_items_of_outlook_say_what_their_kind_has(kind: str) -> None:
    values, said = ITEMS[kind]
    body: dict[int | str, tuple[int, bytes | list[bytes]]] = {0x1000: (0x1F, wide("The body."))}
    document = read(MAIL, outlook_item(kind, values | body), "a.msg")
    assert [one.text for one in of(document, Paragraph)] == [said, "The body."]
    assert document.title == ("Ann Lee" if kind == "IPM.Contact" else "")


def test_an_envelope_says_where_and_when_a_meeting_is() -> None:
    def value(lid: int, kind: int, data: bytes) -> bytes:
        size = struct.pack("<II", 1, len(data)) if kind == 0x1F else b""
        name = struct.pack("<16sII", bytes(16), 0, lid)
        return struct.pack("<HH", kind, 0x8000) + name + size + data + bytes(-len(data) % 4)

    kind = wide("IPM.Schedule.Meeting.Request")
    said = struct.pack("<IHHII", 3, 0x1F, 0x001A, 1, len(kind)) + kind + bytes(-len(kind) % 4)
    said += value(0x8208, 0x1F, wide("Room 4")) + value(0x820D, 0x40, steps(2024, 5, 2, 14))
    document = read(MAIL, tnef_file(said), "winmail.dat")
    assert [one.text for one in of(document, Paragraph)] == ["Start: 2024-05-02 14:00+00:00\nLocation: Room 4"]


def test_a_receipt_says_what_it_is_about() -> None:
    said = mapi_properties(
        (0x001A, 0x1F, wide("REPORT.IPM.Note.IPNRN")), (0x0049, 0x1F, wide("Plans")),
        (0x004E, 0x40, steps(2024, 5, 2, 14)), (0x0074, 0x1F, wide("ann@example.org; ben@example.org")),
        (0x1001, 0x1F, wide("Message was read on:")),
    )  # fmt: skip
    (paragraph,) = of(read(MAIL, tnef_file(said), "winmail.dat"), Paragraph)
    assert paragraph.text.splitlines() == [
        "Report: Message was read on:", "Message: Plans", "Message sent: 2024-05-02 14:00+00:00",
        "Message to: ann@example.org; ben@example.org",
    ]  # fmt: skip


def test_an_envelope_says_who_it_went_to() -> None:
    def row(kind: int, name: str, address: str) -> bytes:
        return mapi_properties(
            (0x0C15, 3, struct.pack("<I", kind)), (0x3001, 0x1F, wide(name)), (0x39FE, 0x1F, wide(address))
        )

    rows = row(1, "Ann", "ann@example.org") + row(2, "Ben", "ben@example.org") + row(1, "", "cid@example.org")
    table = struct.pack("<I", 3) + rows
    data = tnef_file(mapi_properties((0x0037, 0x1F, wide("Plans"))))
    data += struct.pack("<BHHI", 1, 0x9004, 6, len(table)) + table + struct.pack("<H", sum(table) & 0xFFFF)
    head = of(read(MAIL, data, "winmail.dat"), Note)[0].text
    assert "To: Ann <ann@example.org>, cid@example.org" in head
    assert "Cc: Ben <ben@example.org>" in head


def test_who_is_to_be_answered_is_shown_where_it_is_somebody_else() -> None:
    def header(answered: bytes) -> str:
        data = b"From: a@example.org\nReply-To: " + answered + b"\nSubject: s\nTo: b@example.org\n\nx"
        return of(read(MAIL, data, "a.eml"), Note)[0].text

    assert "Reply-To: List <list@example.org>" in header(b"List <list@example.org>")
    assert "Reply-To" not in header(b"a@example.org")


def der(tag: int, *content: bytes) -> bytes:
    data = b"".join(content)
    size = bytes([len(data)]) if len(data) < 128 else b"\x82" + struct.pack(">H", len(data))
    return bytes([tag]) + size + data


def cms(content: bytes | None, kind: int = 2, endless: bool = False) -> bytes:
    """A SignedData (or with 3 an EnvelopedData); `endless`: in pieces of lengths that are not said (BER)."""

    def of(tag: int, *parts: bytes) -> bytes:
        return bytes([tag]) + b"\x80" + b"".join(parts) + b"\0\0" if endless else der(tag, *parts)

    def octets(data: bytes) -> bytes:
        return of(0x24, *(der(4, data[at : at + 9]) for at in range(0, len(data), 9))) if endless else der(4, data)

    data = der(6, bytes.fromhex("2A864886F70D010701"))
    inner = of(0x30, data, *([of(0xA0, octets(content))] if content is not None else []))
    signed = of(0x30, der(2, b"\1"), der(0x31), inner, der(0x31))
    return of(0x30, der(6, bytes.fromhex(f"2A864886F70D01070{kind}")), of(0xA0, signed))


LETTER = b"Content-Type: text/plain; charset=utf-8\r\n\r\nThe gazebo is signed.\r\n"


@pytest.mark.parametrize("endless", [True, False])
def test_what_is_signed_is_read_out_of_its_envelope(endless: bool) -> None:
    signed = cms(LETTER, endless=endless)
    message = EmailMessage()
    message["From"], message["Subject"] = "a@example.org", "s"
    message.set_content(signed, maintype="application", subtype="pkcs7-mime", params={"smime-type": "signed-data"})
    document = read(MAIL, message.as_bytes(), "a.eml")
    assert [one.text for one in of(document, Paragraph)] == ["The gazebo is signed."]
    assert not document.notices
    assert not document.embedded
    assert MAIL.score(Source.of_bytes(signed, "smime.p7m")) == 90
    assert [one.text for one in of(read(MAIL, signed, "smime.p7m"), Paragraph)] == ["The gazebo is signed."]
    attached = "__attach_version1.0_#00000000/"
    outlook = compound_file({
        "__properties_version1.0": bytes(32), "__substg1.0_001A001F": wide("IPM.Note.SMIME"),
        f"{attached}__properties_version1.0": bytes(8), f"{attached}__substg1.0_37010102": signed,
    })  # fmt: skip
    assert [one.text for one in of(read(MAIL, outlook, "a.msg"), Paragraph)] == ["The gazebo is signed."]


def test_envelopes_without_what_was_signed_say_so() -> None:
    with pytest.raises(DamagedError, match="holds a signature"):
        read(MAIL, cms(None), "smime.p7m")
    with pytest.raises(EncryptedError):
        read(MAIL, cms(b"x", 3), "smime.p7m")
    for size in range(20, 60):  # cut short
        with contextlib.suppress(DamagedError):
            read(MAIL, cms(LETTER, endless=size % 2 == 0)[:size], "smime.p7m")
    with pytest.raises(DamagedError):
        read(MAIL, cms(b"")[:20] + b"\x30\x80" * 5000, "smime.p7m")


def test_files_written_into_a_body_as_text_are_attachments() -> None:
    table = b"animal,count\n" + b"zebra,1\n" * 20
    lines = b"".join(binascii.b2a_uu(table[at : at + 45]) for at in range(0, len(table), 45))
    body = b"Before.\n\nbegin 644 table.csv\n" + lines + b"`\nend\n\nAfter.\n\nbegin 644 of a story\nno end\n"
    data = b"From: a@example.org\nSubject: s\n\n" + body
    document = read(MAIL, data, "a.eml")
    assert [one.text for one in of(document, Paragraph)] == ["Before.", "After.", "begin 644 of a story\nno end"]
    [embed] = document.embedded
    assert (embed.name, embed.media_type) == ("table.csv", "text/csv")
    assert MAIL.open_embedded(Source.of_bytes(data, "a.eml"), embed.ref, Limits()).data == table


def test_reports_and_enriched_text_are_read() -> None:
    report = (
        b"From: m@example.org\nSubject: s\nMIME-Version: 1.0\nContent-Type: multipart/report; boundary=x\n\n"
        b"--x\nContent-Type: text/enriched\n\n<bold>Could</bold> not <color><param>red</param>deliver</color>\n"
        b"--x\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.org\n\n"
        b"Final-Recipient: rfc822; gone@example.org\nStatus: 5.1.1\n\n--x--\n"
    )
    assert [one.text for one in of(read(MAIL, report, "a.eml"), Paragraph)] == [
        "Could not deliver", "Reporting-MTA: dns; mx.example.org",
        "Final-Recipient: rfc822; gone@example.org\nStatus: 5.1.1",
    ]  # fmt: skip


def test_compressed_rtf_is_unpacked_and_read() -> None:
    # The example of MS-OXRTFCP §3.1.1.
    packed = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
    )
    assert unpack_rtf(packed) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
    assert rtf_text(unpack_rtf(packed)) == "hello world"
    assert rtf_text(rb"{\rtf1\ansi{\fonttbl{\f0 Arial;}}\b bold\b0\par Gr\'fc\'dfe \u8364?\tab x{\*\generator y}}") == (
        "bold\nGrüße €\tx"
    )


@pytest.mark.parametrize("data", [b"", b"  \n", b"no headers at all", bytes(300)])
def test_what_is_no_message(data: bytes) -> None:
    with pytest.raises(DamagedError):
        MAIL.parse(Source.of_bytes(data, "a.eml"), Limits())


def test_nesting_without_end_ends() -> None:
    head = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(3000))
    try:
        read(MAIL, b"From: a\nSubject: s\n" + head + b"\nx", "a.eml")
    except DamagedError as error:
        assert "nested too deeply" in str(error)


def test_what_outlook_wraps_is_unwrapped() -> None:
    document = read(MAIL, envelope(), "winmail.dat")
    assert document.media_type == "application/ms-tnef"
    assert document.metadata == {
        "author": "Ann <ann@example.org>", "to": "Bo", "created": "2024-03-01T20:53:20+00:00", "subject": "Café plans",
        "messages": "2",
    }  # fmt: skip
    assert [(part.title, one.text) for part in document.parts for one in part.blocks if isinstance(one, Paragraph)] == [
        ("Café plans", "The gazebo is ready."), ("Inner letter", "The inner body."),
    ]  # fmt: skip
    assert [(one.name, one.media_type) for one in document.embedded] == [
        ("PLAN~1.PNG", "image/png"), ("costs of it.csv", "text/csv"),
    ]  # fmt: skip
    assert check_embedded(MAIL, Source.of_bytes(envelope(), "winmail.dat"), document) == 2


def test_a_mail_shows_what_its_envelope_holds() -> None:
    message = EmailMessage()
    message["From"], message["Subject"] = "a@example.org", "Café plans"
    message.add_attachment(envelope(), maintype="application", subtype="ms-tnef", filename="winmail.dat")
    data = message.as_bytes()
    document = read(MAIL, data, "a.eml")
    assert [one.text for one in of(document, Paragraph)] == ["The gazebo is ready.", "The inner body."]
    assert [one.name for one in document.embedded] == ["PLAN~1.PNG", "costs of it.csv"]
    assert check_embedded(MAIL, Source.of_bytes(data, "a.eml"), document) == 2


@pytest.mark.parametrize("size", [20, 120, 400, 900])
def test_an_envelope_cut_short_is_read_as_far_as_it_goes(size: int) -> None:
    assert read(MAIL, envelope()[:size], "winmail.dat").parts[0].kind == "message"


def test_an_envelope_with_nothing_in_it_says_so() -> None:
    with pytest.raises(DamagedError, match="nothing readable"):
        read(MAIL, envelope()[:6], "winmail.dat")


def test_a_message_file_without_a_message_is_damaged() -> None:
    data = compound_file({"__properties_version1.0": bytes(32), "__substg1.0_8001001F": "own".encode("utf-16-le")})
    with pytest.raises(DamagedError, match="no Outlook message"):
        read(MAIL, data, "a.msg")


def test_a_html_body_that_says_something_else_is_what_is_shown() -> None:
    mail = EmailMessage()
    mail["Subject"], mail["From"] = "Code", "a@example.org"
    mail.set_content("Please open this message in a program that shows pages.\n")
    mail.add_alternative("<p>Kakapo seventeen</p>", subtype="html")
    shown = [block for block in read(MAIL, mail.as_bytes(), "a.eml").parts[0].blocks if not block.hidden]
    assert "Kakapo seventeen" in str(shown)
    assert "Please open" not in str(shown)


def test_names_of_files_in_undeclared_bytes_are_read() -> None:
    data = (
        b"From: a@example.org\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
        b"--b\r\nContent-Type: text/plain\r\n\r\nhello\r\n"
        + b"".join(
            b'--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment;\r\n filename="'
            + name
            + b'"\r\n\r\nx\r\n'
            for name in ("résumé.txt".encode(), "Größe.txt".encode("latin-1"))
        )
        + b"--b--\r\n"
    )
    document = MAIL.parse(Source.of_bytes(data, "a.eml"), Limits())
    assert [embed.name for embed in document.embedded] == ["résumé.txt", "Größe.txt"]


HEAD = b"From: a@example.org\r\nSubject: x\r\nMIME-Version: 1.0\r\n"


def said(data: bytes) -> list[str]:
    document = MAIL.parse(Source.of_bytes(HEAD + data, "a.eml"), Limits())
    return [block.text for part in document.parts for block in part.blocks if isinstance(block, Paragraph)]


def test_texts_beside_an_html_body_are_shown_where_they_stand() -> None:
    parts = (
        b"Content-Type: text/plain\r\n\r\nOn top\r\n", b"Content-Type: text/html\r\n\r\n<p>The page says this.</p>\r\n",
        b"Content-Type: text/plain\r\n\r\nthis page says\r\n\r\nThe list: unsubscribe here\r\n",
    )  # fmt: skip
    mixed = (
        b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
        + b"".join(b"--b\r\n" + one for one in parts)
        + b"--b--\r\n"
    )
    assert said(mixed) == ["On top", "The page says this.", "The list: unsubscribe here"]


def test_a_multipart_body_without_its_boundary_is_text() -> None:
    assert said(b"Content-Type: multipart/mixed; boundary=gone\r\n\r\nAll the words\r\n") == ["All the words"]


def test_an_attached_message_that_is_encoded_is_read() -> None:
    inner = base64.b64encode(b"Subject: deep\r\n\r\nDeep words\r\n")
    data = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n"
    data += b"Content-Transfer-Encoding: base64\r\n\r\n" + inner + b"\r\n--b--\r\n"
    assert said(data) == ["Deep words"]


def test_enriched_text_is_read_without_its_commands() -> None:
    assert said(b"Content-Type: text/enriched\r\n\r\n<bold>Bold</bold> and 1 << 2\r\n") == ["Bold and 1 < 2"]
