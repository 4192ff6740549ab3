"""Exports of Outlook for Mac: their folders, messages with files, appointments and contacts."""

from __future__ import annotations

import io
import zipfile

import pytest
from contract.conformance import outcome
from sidecar_mail import MailFormat
from sidecar_pst import PstFormat
from support.formats.plugin_reading import of, read
from support.formats.processor import processor_limit

from sidecar.api import DamagedError, LimitError, Limits, NotFoundError, Paragraph, Source, Table

PST = PstFormat()
FOLDER = "Accounts/ann@example.org/com.microsoft.__Messages/Inbox/Projects"
MESSAGE = """<?xml version="1.0" encoding="UTF-8"?><emails elementCount="1"><email xml:space="preserve">
<OPFMessageCopySubject>Budget &amp; plan</OPFMessageCopySubject>
<OPFMessageCopySentTime>2024-03-01T10:30:00</OPFMessageCopySentTime>
<OPFMessageCopyFromAddresses><emailAddress OPFContactEmailAddressName="Ann Byron"
 OPFContactEmailAddressAddress="ann@example.org"/></OPFMessageCopyFromAddresses>
<OPFMessageCopyToAddresses><emailAddress OPFContactEmailAddressName="Bob"
 OPFContactEmailAddressAddress="bob@example.org"/>
<emailAddress OPFContactEmailAddressAddress="eve@example.org"/></OPFMessageCopyToAddresses>
<OPFMessageCopyBody>See the attached zebra.</OPFMessageCopyBody>
<OPFMessageCopyHTMLBody>&lt;html&gt;
&lt;body&gt;&lt;p&gt;See the attached &lt;b&gt;zebra&lt;/b&gt;.&lt;/p&gt;
&lt;/body&gt;&lt;/html&gt;</OPFMessageCopyHTMLBody>
<OPFMessageCopyAttachmentList><messageAttachment OPFAttachmentName="notes.txt" OPFAttachmentContentType="text/plain"
 OPFAttachmentURL="com.microsoft.__Attachments/1_notes.txt"/></OPFMessageCopyAttachmentList></email></emails>"""
CALENDAR = """<appointments><appointment><OPFCalendarEventCopySummary>Review</OPFCalendarEventCopySummary>
<OPFCalendarEventCopyUUID>17</OPFCalendarEventCopyUUID>
<OPFCalendarEventCopyStartTime>2024-03-04T09:00:00</OPFCalendarEventCopyStartTime>
<OPFCalendarEventCopyLocation>Room 7</OPFCalendarEventCopyLocation><OPFCalendarEventCopyAttendeeList>
<appointmentAttendee OPFCalendarAttendeeAddress="bob@example.org" OPFCalendarAttendeeName="Bob"/>
</OPFCalendarEventCopyAttendeeList>
<OPFCalendarEventCopyDescription>&lt;p&gt;Bring okapis&lt;/p&gt;</OPFCalendarEventCopyDescription></appointment>
<appointment><OPFCalendarEventCopySummary>Lunch</OPFCalendarEventCopySummary></appointment></appointments>"""
CONTACTS = """<contacts><contact><OPFContactCopyDisplayName>Ada Lovelace</OPFContactCopyDisplayName>
<OPFContactCopyBusinessCompany>Analytical Engines</OPFContactCopyBusinessCompany><OPFContactCopyEmailAddressList>
<contactEmailAddress OPFContactEmailAddressAddress="ada@example.org"/></OPFContactCopyEmailAddressList></contact>
</contacts>"""
MEMBERS = {
    f"{FOLDER}/message_00000.xml": MESSAGE,
    "com.microsoft.__Attachments/1_notes.txt": "attached okapi",
    "Local/com.microsoft.__Calendar/Calendar/Calendar.xml": CALENDAR,
    "Local/Address Book/Contacts.xml": CONTACTS,
    "Categories.xml": "<categories><category/></categories>",
}


def export(members: dict[str, str], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packing) as made:
        for name, text in members.items():
            made.writestr(name, text)
    return out.getvalue()


@pytest.mark.parametrize("packing", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
def test_folders_list_their_items_and_messages_are_read_with_their_files(packing: int) -> None:
    source = Source.of_bytes(export(MEMBERS, packing), "archive.olm")
    assert PST.score(source) == 95
    found = PST.parse(source, Limits())
    assert [part.title for part in found.parts] == ["Address Book", "Calendar", "ann@example.org/Inbox/Projects"]
    rows = {row[0]: row for table in of(found, Table) for row in table.rows}
    assert rows["Budget & plan"][1:3] == ("Ann Byron <ann@example.org>", "2024-03-01 10:30")
    names = {one.name: one.ref for one in found.embedded}
    assert sorted(names) == [
        "Address Book/Ada Lovelace.eml", "Calendar/Lunch.eml", "Calendar/Review.eml",
        "ann@example.org/Inbox/Projects/Budget & plan.eml",
    ]  # fmt: skip
    data = PST.open_embedded(source, names["ann@example.org/Inbox/Projects/Budget & plan.eml"], Limits()).data
    mail = read(MailFormat(), data, "message.eml")
    assert mail.title == "Budget & plan"
    assert mail.metadata["to"] == "Bob <bob@example.org>, eve@example.org"
    assert mail.metadata["created"] == "2024-03-01T10:30:00+00:00"
    assert [one.text for one in of(mail, Paragraph)] == ["See the attached zebra."]
    assert [one.name for one in mail.embedded] == ["notes.txt"]
    held = MailFormat().open_embedded(Source.of_bytes(data, "m.eml"), mail.embedded[0].ref, Limits())
    assert held.data == b"attached okapi"


def test_appointments_and_contacts_are_messages_of_their_facts() -> None:
    source = Source.of_bytes(export(MEMBERS), "archive.olm")
    found = PST.parse(source, Limits())
    texts = {
        one.name.rpartition("/")[2]: [block.text for block in of(read(MailFormat(), PST.open_embedded(
            source, one.ref, Limits()).data, "m.eml"), Paragraph)]
        for one in found.embedded
    }  # fmt: skip
    assert texts["Ada Lovelace.eml"] == [
        "Display name: Ada Lovelace\nBusiness company: Analytical Engines\nE-mail: ada@example.org"
    ]
    review = "\n".join(texts["Review.eml"])
    for fact in ("Location: Room 7", "Attendee: Bob <bob@example.org>", "Start time: 2024-03-04", "Bring okapis"):
        assert fact in review


def test_what_is_no_export_is_refused_and_bombs_are_left_alone() -> None:
    with pytest.raises(DamagedError, match="no item"):
        read(PST, export({"other.txt": "x"}), "archive.olm")
    with pytest.raises(NotFoundError):
        PST.open_embedded(Source.of_bytes(export(MEMBERS), "archive.olm"), "nothing", Limits())
    bomb = {**MEMBERS, "com.microsoft.__Attachments/1_notes.txt": "\0" * 2**24}
    source = Source.of_bytes(export(bomb), "archive.olm")
    found = PST.parse(source, Limits())
    ref = next(one.ref for one in found.embedded if "Budget" in one.name)
    with pytest.raises(LimitError):
        PST.open_embedded(source, ref, Limits(max_ratio=50))


def test_spoiled_exports_give_a_document_or_one_sentence() -> None:
    data = export(MEMBERS)
    for at in range(0, len(data), 61):
        for spoiled in (data[:at], data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]):
            outcome(PST, Source.of_bytes(spoiled, "archive.olm"), Limits())


def test_a_long_list_of_contacts_is_read_once_for_all_of_them() -> None:
    """They are one member of the export, which to open one had read again: a minute for 5,000."""
    one = CONTACTS.removeprefix("<contacts>").removesuffix("\n</contacts>")
    many = "".join(one.replace("Ada", f"Ada {number}") for number in range(8_000))
    source = Source.of_bytes(export({"Local/Address Book/Contacts.xml": f"<contacts>{many}</contacts>"}), "a.olm")
    with processor_limit(4.0):
        embedded = PST.parse(source, Limits()).embedded
        for number in (*range(100), 7_999):
            name = embedded[number].name.rpartition("/")[2].removesuffix(".eml")
            assert f"Subject: {name}".encode() in PST.open_embedded(source, embedded[number].ref, Limits()).data
