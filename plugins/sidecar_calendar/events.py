"""What an event, a task or a journal entry of a calendar says (RFC 5545 §3.6, RFC 7986)."""

from collections.abc import Iterator

from sidecar.api import DamagedError
from sidecar.toolkit.markup.chapters import block_text
from sidecar_calendar.lines import Component, Property, values
from sidecar_calendar.times import format_time, iso, recurrence, span_of

_TEXTS = (
    ("Where", "LOCATION"), ("Status", "STATUS"), ("Priority", "PRIORITY"), ("Done, per cent", "PERCENT-COMPLETE"),
    ("Class", "CLASS"), ("Contact", "CONTACT"), ("Address", "URL"), ("Conference", "CONFERENCE"),
    ("Comment", "COMMENT"),
)  # fmt: skip
_STATES = {
    "ACCEPTED": "accepted", "DECLINED": "declined", "TENTATIVE": "tentative", "NEEDS-ACTION": "not answered",
    "DELEGATED": "delegated", "COMPLETED": "done", "IN-PROCESS": "at it",
}  # fmt: skip
_ROLES = {"OPT-PARTICIPANT": "optional", "NON-PARTICIPANT": "for information", "CHAIR": "chair"}


def event_facts(entry: Component) -> tuple[list[tuple[str, str]], list[str]]:
    """`(name, value)` of what it says in fields, and its texts."""
    return list(_facts(entry)), list(_texts(entry))


def event_metadata(entry: Component) -> dict[str, str]:
    """Who invites and when it begins, by the names that documents have for it, so that the same filters find it."""
    organizer = next(iter(entry.all("ORGANIZER")), None)
    when = next(iter(entry.all("DTSTART", "DUE", "COMPLETED", "DTSTAMP")), None)
    found = {"author": _person(organizer) if organizer else "", "created": iso(when)}
    return {key: value[:2000] for key, value in found.items() if value}


def _facts(entry: Component) -> Iterator[tuple[str, str]]:
    yield "When", span_of(entry)
    for name, key in (("Due", "DUE"), ("Done", "COMPLETED"), ("Instead of", "RECURRENCE-ID")):
        yield from ((name, format_time(one)) for one in entry.all(key))
    yield from (("Repeats", recurrence(one.value)) for one in entry.all("RRULE"))
    for name, key in (("Also on", "RDATE"), ("Except", "EXDATE"), ("Busy", "FREEBUSY")):
        days = [
            format_time(Property(key, part, one.parameters)) for one in entry.all(key) for part in one.value.split(",")
        ]
        yield name, ", ".join(days)
    for name, key in _TEXTS:
        yield from ((name, one.text) for one in entry.all(key))
    yield "Categories", ", ".join(word for one in entry.all("CATEGORIES") for word in values(one) if word)
    yield "Resources", ", ".join(word for one in entry.all("RESOURCES") for word in values(one) if word)
    yield "Organizer", ", ".join(map(_person, entry.all("ORGANIZER")))
    yield "Attendees", ", ".join(f"{_person(one)}{_answer(one)}" for one in entry.all("ATTENDEE"))


def _texts(entry: Component) -> Iterator[str]:
    plain = entry.text("DESCRIPTION")
    if plain:
        yield plain
    elif markup := entry.text("X-ALT-DESC"):  # what Outlook writes: HTML
        from sidecar.toolkit.hidden import find_hidden
        from sidecar.toolkit.markup.html import parse_html, read_html
        from sidecar.toolkit.markup.pictures import Pictures

        try:
            root = parse_html(markup, "The description")
        except DamagedError:
            return
        yield from map(block_text, read_html(root, Pictures(0), find_hidden(root)))


def _person(prop: Property) -> str:
    """ "Ann Lee <ann@example.org>", as mails write it."""
    address = prop.value.strip()
    if address[:7].lower() == "mailto:":
        address = address[7:]
    name = prop.parameter("CN")
    return f"{name} <{address}>" if name and name != address and "@" in address else name or address


def _answer(prop: Property) -> str:
    facts = [_ROLES.get(prop.parameter("ROLE").upper(), ""), _STATES.get(prop.parameter("PARTSTAT").upper(), "")]
    summary = ", ".join(filter(None, facts))
    return f" ({summary})" if summary else ""
