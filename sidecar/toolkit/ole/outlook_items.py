"""What an item of Outlook says in properties of its own kind: a contact its numbers, an appointment its time and place,
a receipt what it is about.

Says which properties those are and how they are shown ([MS-OXPROPS], [MS-OXOCAL], [MS-OXOCNTC], [MS-OXOTASK],
[MS-OXOJRNL]); where the properties stand is the business of who reads messages, envelopes and data files."""

import codecs
import struct
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

from sidecar.toolkit.ole.properties import file_time
from sidecar.toolkit.text import code_page

NAMED: Final = 0x10000
"""Added to the number by which a property is named (its LID): the id that a file gives it differs from file to file."""
Identity = int | str
"""A property: its id, NAMED and its number, or the string that names it."""

_WINDOWS_CODE_PAGES: Final = {
    number: windows
    for windows, numbers in {
        932: (50220, 50221, 50222, 51932), 936: (51936, 52936, 54936), 949: (50225, 51949), 1250: (28592,),
        1251: (20866, 21866, 28595), 1252: (20127, 28591, 28605), 1253: (28597,), 1254: (28599,), 1255: (28598, 38598),
        1256: (28596,), 1257: (28594, 28603),
    }.items()
    for number in numbers
}  # fmt: skip
"""Code pages of mail → that of the same script in Windows."""
_UTF_8: Final = 65001
_KEYWORDS: Final = "Keywords"
_SHORT, _LONG, _DOUBLE, _BOOLEAN, _BINARY = 0x02, 0x03, 0x05, 0x0B, 0x102
_STRING8, _UNICODE, _TIME = 0x1E, 0x1F, 0x40
_ONE_OFF: Final = bytes.fromhex("812B1FA4BEA310199D6E00DD010F5402")
_ONE_OFF_UNICODE: Final = 0x8000
_NO_DATE: Final = datetime(4501, 1, 1, tzinfo=UTC)
"""What Outlook writes for a date that is not set ([MS-OXOTASK] 2.2.2.2.2.5)."""
_MAX_MEMBERS: Final = 2000

_APPOINTMENT: Final[dict[str, tuple[Identity, ...]]] = {
    "Start": (NAMED + 0x820D, 0x0060), "End": (NAMED + 0x820E, 0x0061), "All day": (NAMED + 0x8215,),
    "Location": (NAMED + 0x8208,), "Recurrence": (NAMED + 0x8232,), "Show time as": (NAMED + 0x8205,),
    "Required attendees": (NAMED + 0x823B,), "Optional attendees": (NAMED + 0x823C,),
    "Time zone": (NAMED + 0x8234,),
}  # fmt: skip
_REPORT: Final[dict[str, tuple[Identity, ...]]] = {
    "Report": (0x1001,), "Reported": (0x0032,), "Message": (0x0049,), "Message sent": (0x004E,),
    "Message to": (0x0074,), "Message cc": (0x0073,),
}  # fmt: skip
"""Of a receipt, and of what says that a message did not arrive ([MS-OXOMSG] 2.2.2): it has no subject of its own."""
_FACTS: Final[dict[str, dict[str, tuple[Identity, ...]]]] = {
    "IPM.CONTACT": {
        "Name": (0x3001,), "File as": (NAMED + 0x8005,), "Nickname": (0x3A4F,), "Company": (0x3A16,),
        "Department": (0x3A18,), "Title": (0x3A17,), "Profession": (0x3A46,), "Office": (0x3A19,),
        "Manager": (0x3A4E,), "Assistant": (0x3A30,), "Email": (NAMED + 0x8083,), "Email 2": (NAMED + 0x8093,),
        "Email 3": (NAMED + 0x80A3,), "Web page": (NAMED + 0x802B, 0x3A51), "Personal page": (0x3A50,),
        "Instant messaging": (NAMED + 0x8062,), "Business phone": (0x3A08,), "Business phone 2": (0x3A1B,),
        "Company phone": (0x3A57,), "Home phone": (0x3A09,), "Home phone 2": (0x3A2F,), "Mobile phone": (0x3A1C,),
        "Primary phone": (0x3A1A,), "Other phone": (0x3A1F,), "Car phone": (0x3A1E,), "Radio": (0x3A1D,),
        "Callback": (0x3A02,), "Assistant's phone": (0x3A2E,), "Pager": (0x3A21,), "Business fax": (0x3A24,),
        "Home fax": (0x3A25,), "Other fax": (0x3A23,), "Telex": (0x3A2C,),
        "Business address": (NAMED + 0x801B,), "Home address": (NAMED + 0x801A,), "Other address": (NAMED + 0x801C,),
        "Birthday": (0x3A42,), "Anniversary": (0x3A41,), "Spouse": (0x3A48,), "Children": (0x3A58,),
        "Hobbies": (0x3A43,), "Account": (0x3A00,), "Customer number": (0x3A4A,), "Government number": (0x3A07,),
        "Referred by": (0x3A47,), "User field 1": (NAMED + 0x804F,), "User field 2": (NAMED + 0x8050,),
        "User field 3": (NAMED + 0x8051,), "User field 4": (NAMED + 0x8052,),
    },
    "REPORT.": _REPORT, "IPM.MICROSOFT MAIL.READ RECEIPT": _REPORT, "IPM.MICROSOFT MAIL.NON-DELIVERY": _REPORT,
    "IPM.APPOINTMENT": _APPOINTMENT, "IPM.SCHEDULE.MEETING": _APPOINTMENT, "IPM.MICROSOFT SCHEDULE": _APPOINTMENT,
    "IPM.TASK": {
        "Status": (NAMED + 0x8101,), "Complete": (NAMED + 0x8102,), "Start": (NAMED + 0x8104,),
        "Due": (NAMED + 0x8105,), "Completed": (NAMED + 0x810F,), "Owner": (NAMED + 0x811F,),
        "Total work": (NAMED + 0x8111,), "Actual work": (NAMED + 0x8110,),
    },
    "IPM.ACTIVITY": {
        "Entry type": (NAMED + 0x8712, NAMED + 0x8700), "Start": (NAMED + 0x8706,), "End": (NAMED + 0x8708,),
        "Duration": (NAMED + 0x8707,),
    },
    "IPM.DISTLIST": {"Name": (NAMED + 0x8053, 0x3001), "Members": (NAMED + 0x8054,)},
}  # fmt: skip
"""Class of an item, in capitals → what is shown, and the properties that say it, the first that does."""
_EVERYWHERE: Final[dict[str, tuple[Identity, ...]]] = {
    "Companies": (NAMED + 0x8539,), "Contacts": (NAMED + 0x853A,), "Billing": (NAMED + 0x8535,),
    "Mileage": (NAMED + 0x8534,), "Categories": (_KEYWORDS,),
}  # fmt: skip
"""Of items of every kind."""
_CHOICES: Final[dict[Identity, tuple[str, ...]]] = {
    NAMED + 0x8101: ("Not started", "In progress", "Completed", "Waiting on someone else", "Deferred"),
    NAMED + 0x8205: ("Free", "Tentative", "Busy", "Out of office", "Working elsewhere"),
}
_MINUTES: Final = frozenset({NAMED + 0x8707, NAMED + 0x8110, NAMED + 0x8111})
_SHARES: Final = frozenset({NAMED + 0x8102})
_DAYS: Final = frozenset({NAMED + 0x8104, NAMED + 0x8105, NAMED + 0x810F, 0x3A41, 0x3A42})
"""Of these only the day is meant ([MS-OXOTASK] 2.2.2.2.2.4)."""

_SENT_CODECS: Final = {
    20127: "ascii", 20866: "koi8_r", 21866: "koi8_u", 28605: "iso8859_15", 38598: "iso8859_8", 50220: "iso2022_jp",
    50221: "iso2022_jp_ext", 50222: "iso2022_jp", 50225: "iso2022_kr", 51932: "euc_jp", 51936: "gb18030",
    51949: "euc_kr", 52936: "hz", 54936: "gb18030", _UTF_8: "utf-8",
    **{28590 + part: f"iso8859_{part}" for part in range(1, 12)},
}  # fmt: skip
"""Code pages that Python knows by other names than their numbers."""


class Value(NamedTuple):
    """A property's type without the flag of several ([MS-OXCDATA] 2.11.1), and what it holds, each as bytes."""

    kind: int = 0
    data: Sequence[bytes] = ()


def strings_codec(own: int, sent: int) -> str:
    """The codec of a message's strings that are not Unicode, "" where nothing tells: by its `own` code page
    (PidTagMessageCodepage) or by that it was `sent` in (PidTagInternetCodepage), 0 for none. Mail may be sent in UTF-8
    or in a code page of Unix, but Windows keeps strings in its own ([MS-OXCMSG] 2.2.1)."""
    number = own or _WINDOWS_CODE_PAGES.get(sent, sent)
    return code_page(number) if number not in (0, _UTF_8) else ""


def sent_codec(sent: int) -> str:
    """The codec of what a message holds as it was `sent` (its HTML), by PidTagInternetCodepage ([MS-OXCMSG] 2.2.56.6);
    "" where it names none."""
    named = _SENT_CODECS.get(sent, f"cp{sent}")
    try:
        return codecs.lookup(named).name if sent else ""
    except LookupError:
        return ""


def facts(kind: str, value: Callable[[Identity], Value], codec: str) -> Iterator[tuple[str, str]]:
    """`(what, text)` of an item of that message class, in the order in which people are shown them. `value` gives a
    property, `Value()` where the item has none; `codec` is that of strings that are not Unicode."""
    wanted = next((found for name, found in _FACTS.items() if kind.upper().startswith(name)), {})
    for name, identities in (*wanted.items(), *_EVERYWHERE.items()):
        for identity in identities:
            if text := _value_text(identity, value(identity), codec):
                yield name, text
                break


def _value_text(identity: Identity, value: Value, codec: str) -> str:
    shown = [_one(identity, value.kind, data, codec) for data in value.data[:_MAX_MEMBERS]]
    return ", ".join(filter(None, shown))


def _one(identity: Identity, kind: int, data: bytes, codec: str) -> str:
    if kind in (_STRING8, _UNICODE):
        return _line(_text(data, "utf-16-le" if kind == _UNICODE else codec))
    if kind == _TIME:
        return _time(data, identity in _DAYS)
    if kind == _BINARY:
        return _member(data, codec)
    if kind == _BOOLEAN:
        return "yes" if data[:1] not in (b"", b"\0") else ""
    return _number(identity, kind, data)


def _number(identity: Identity, kind: int, data: bytes) -> str:
    if kind == _DOUBLE and len(data) >= 8:
        share: float = struct.unpack_from("<d", data)[0]
        return f"{share:.0%}" if identity in _SHARES and 0 <= share <= 1 else ""
    if kind not in (_SHORT, _LONG):
        return ""
    number = int.from_bytes(data[: 2 if kind == _SHORT else 4], "little", signed=True)
    if identity in _MINUTES:
        return f"{number} minutes" if number > 0 else ""
    choices = _CHOICES.get(identity, ())
    return choices[number] if 0 <= number < len(choices) else ""


def _time(data: bytes, day: bool) -> str:
    time = file_time(data)
    if time is None or time == _NO_DATE:
        return ""
    return time.date().isoformat() if day else time.isoformat(" ", "minutes")


def _member(data: bytes, codec: str) -> str:
    """Who is meant by a one-off entry id ([MS-OXCDATA] 2.2.5.1): "Ann <ann@example.org>"."""
    at = data.find(_ONE_OFF, 0, 64)
    if at < 0 or len(data) < at + 20:
        return ""
    flags = int.from_bytes(data[at + 18 : at + 20], "little")
    texts = _text(data[at + 20 :], "utf-16-le" if flags & _ONE_OFF_UNICODE else codec).split("\0")
    name, address = _line(texts[0]), _line(texts[2]) if len(texts) > 2 else ""
    if not address or address == name:
        return name
    return f"{name} <{address}>" if name else address


def _text(data: bytes, codec: str) -> str:
    whole = data[: len(data) // 2 * 2] if codec == "utf-16-le" else data
    return whole.decode(codec, "replace").encode("utf-8", "replace").decode().rstrip("\0")


def _line(text: str) -> str:
    return " ".join(text.replace("\0", " ").split())
