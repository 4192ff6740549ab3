"""Calendars and contacts as documents: a chapter for each event, task, journal entry and contact, with its own date.
What a contact says (vCard: RFC 6350 §6, RFC 2426, vCard 2.1)."""

from collections.abc import Iterator, Sequence

from sidecar.api.errors import DamagedError
from sidecar.api.formats import Limits, Payload, Source
from sidecar.api.model import AnyBlock, Figure, Heading, ListItem, Notice, Paragraph, ParsedDocument, Part
from sidecar.toolkit.markup.chapters import place_embeds
from sidecar.toolkit.markup.pictures import Pictures, open_data_url
from sidecar.toolkit.text import decode
from sidecar.toolkit.visible import hidden_notice, invisible_spans
from sidecar_calendar.events import event_facts, event_metadata
from sidecar_calendar.lines import Component, Property, read_components, values
from sidecar_calendar.times import format_time, moment

_FIELDS = (
    ("EMAIL", "Email"), ("TEL", "Phone"), ("IMPP", "Messaging"), ("X-SOCIALPROFILE", "Profile"), ("TITLE", "Title"),
    ("ROLE", "Role"), ("NICKNAME", "Nickname"), ("URL", "Address on the web"), ("LANG", "Language"),
    ("CATEGORIES", "Categories"), ("RELATED", "Related"), ("X-ABRELATEDNAMES", "Related"), ("GENDER", "Gender"),
    ("TZ", "Time zone"), ("GEO", "Position"), ("MEMBER", "Member"), ("KIND", "Kind"),
)  # fmt: skip
_SKIPPED_TYPES = frozenset(("internet", "pref", "voice", "x400"))
"""Types of addresses and numbers that say nothing to a reader."""


def _contact_name(card: Component) -> str:
    """The name as it is shown, else put together from its parts; else the organization's or an address."""
    if shown_name := card.text("FN"):
        return shown_name
    for prop in card.all("N"):
        family, given, middle, before, after = (*values(prop, parts=True), "", "", "", "", "")[:5]
        return " ".join(filter(None, (before, given, middle, family, after)))
    return ", ".join(part for one in card.all("ORG") for part in values(one, parts=True) if part) or card.text("EMAIL")


def _contact_facts(card: Component) -> tuple[list[tuple[str, str]], list[str]]:
    """`(name, value)` of what it says in fields, and its notes."""
    return list(_facts(card)), [one.text for one in card.all("NOTE")]


def _facts(card: Component) -> Iterator[tuple[str, str]]:
    shown_name = set(card.text("FN").lower().split())
    for prop in card.all("N") if shown_name else ():
        own = " ".join(filter(None, values(prop, parts=True)))
        if set(own.lower().split()) - shown_name:  # the name that is shown may be a nickname
            yield "Name", own
    for prop in card.all("ORG"):
        yield "Organization", ", ".join(filter(None, values(prop, parts=True)))
    labels = {one.group: one.text.strip("_$!<>") for one in card.all("X-ABLABEL") if one.group}
    for key, name in _FIELDS:
        for prop in card.all(key):
            value = prop.text
            for scheme in ("mailto:", "tel:"):
                value = value.removeprefix(scheme)
            yield f"{name}{_kind(prop, labels)}", value
    for prop in card.all("ADR"):
        yield f"Postal address{_kind(prop, labels)}", ", ".join(filter(None, values(prop, parts=True)))
    for key, name in (("BDAY", "Birthday"), ("ANNIVERSARY", "Anniversary"), ("X-ABDATE", "Date")):
        for prop in card.all(key):
            yield f"{name}{_kind(prop, labels)}", format_time(prop) if moment(prop) else prop.text


def _kind(prop: Property, labels: dict[str, str]) -> str:
    own = labels.get(prop.group, "")
    types = [one.lower() for one in prop.parameters.get("TYPE", ())]
    label = own or ", ".join(dict.fromkeys(one for one in types if one not in _SKIPPED_TYPES and "=" not in one))
    return f" ({label})" if label else ""


_ENTRIES = {"VEVENT": "Event", "VTODO": "Task", "VJOURNAL": "Journal entry", "VFREEBUSY": "Free and busy times"}
_FILES = ("ATTACH", "PHOTO", "LOGO", "SOUND", "KEY", "IMAGE")
_TYPES = {"PHOTO": "image", "LOGO": "image", "IMAGE": "image", "SOUND": "audio"}


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The file as a document. Raises FormatError."""
    return _parse(source, limits, Pictures(limits.max_embedded))


def open_embedded(source: Source, ref: str, limits: Limits) -> Payload:
    """A picture or file that is written into it. Raises NotFoundError."""
    pictures = Pictures(limits.max_embedded, wanted=ref)
    _parse(source, limits, pictures)
    return open_data_url(pictures.found_url, source.name, ref)


def _parse(source: Source, limits: Limits, pictures: Pictures) -> ParsedDocument:
    decoded, remarks = decode(source.read(limits.max_file_bytes), source.name).within(limits)
    notices = list(remarks)
    outer = [one for one in read_components(decoded.text) if one.name in ("VCALENDAR", "VCARD")]
    if not outer:
        raise DamagedError(f"{source.name} holds no calendar and no contact.")
    if not all(one.closed for one in outer):
        notices.append(Notice("damaged_part", "The file ends before its last entry does; what there is was read."))
    found = list(_entries(outer))
    if len(found) > limits.max_parts:
        notices.append(Notice("truncated_at", f"Only {limits.max_parts:,} of {len(found):,} entries were read."))
    parts = tuple(_part(one, pictures) for one in found[: limits.max_parts])
    notices += (*hidden_notice([block for part in parts for block in part.blocks]), *pictures.notices())
    calendar = next((one for one in outer if one.name == "VCALENDAR"), outer[0])
    title = calendar.text("NAME", "X-WR-CALNAME") or (parts[0].title if len(parts) == 1 else "")
    return ParsedDocument(
        title=" ".join(title.split()),
        description=calendar.text("X-WR-CALDESC", "DESCRIPTION") if calendar.name == "VCALENDAR" else "",
        media_type="text/calendar" if calendar.name == "VCALENDAR" else "text/vcard",
        metadata=dict(parts[0].metadata) if len(parts) == 1 else {},
        parts=parts,
        embedded=place_embeds(parts, pictures.embedded),
        notices=tuple(notices),
    )


def _entries(outer: Sequence[Component]) -> Iterator[Component]:
    """Contacts and what calendars hold, those behind each that stand in it, as where an end is missing."""
    pending = list(reversed(outer))
    while pending:
        one = pending.pop()
        if one.name == "VCARD" or one.name in _ENTRIES:
            yield one
        pending += reversed(one.children)


def _part(entry: Component, pictures: Pictures) -> Part:
    is_contact = entry.name == "VCARD"
    title = _contact_name(entry) if is_contact else entry.text("SUMMARY") or _ENTRIES[entry.name]
    title = " ".join(title.split())
    facts, texts = _contact_facts(entry) if is_contact else event_facts(entry)
    blocks: list[AnyBlock] = [Heading(text=title, level=1)] if title else []
    blocks += [
        ListItem(text=line, spans=tuple(invisible_spans(line)))
        for line in (f"{name}: {' '.join(value.split())}" for name, value in facts if value.strip())
    ]
    for text in (piece.strip() for one in texts for piece in one.split("\n\n")):
        if text:
            blocks.append(Paragraph(text=text, spans=tuple(invisible_spans(text))))
    for prop in entry.all(*_FILES):
        blocks += _file(prop, title, pictures)
    metadata = {} if is_contact else event_metadata(entry)
    return Part(kind="chapter", title=title, blocks=tuple(blocks), metadata=metadata)


def _file(prop: Property, title: str, pictures: Pictures) -> Sequence[AnyBlock]:
    """A file written into the entry, or where it lies."""
    value = prop.value.strip()
    named = prop.parameter("FILENAME") or prop.parameter("X-FILENAME")
    encoding = prop.parameter("ENCODING").upper()
    if encoding in ("B", "BASE64") or "BASE64" in (one.upper() for one in prop.parameters.get("TYPE", ())):
        types = [one.lower() for one in (*prop.parameters.get("FMTTYPE", ()), *prop.parameters.get("MEDIATYPE", ()))]
        short = [one.lower() for one in prop.parameters.get("TYPE", ()) if one.upper() != "BASE64"]
        kind = next(iter(types), "") or f"{_TYPES.get(prop.name, 'application')}/{next(iter(short), 'octet-stream')}"
        value = f"data:{kind};base64,{''.join(value.split())}"
    if value[:5].lower() != "data:":
        address = f"{named}: {value}" if named else value
        return [ListItem(text=f"{'Picture' if prop.name in _TYPES else 'File'}: {address}")]
    embed = pictures.add(value, named or title)
    return [Figure(embed=embed, alt=named or title)] if embed else []
