"""What a contact says (vCard: RFC 6350 §6, RFC 2426, vCard 2.1)."""

from collections.abc import Iterator

from sidecar_calendar.lines import Component, Property, values
from sidecar_calendar.times import moment, shown

_FIELDS = (
    ("EMAIL", "Email"), ("TEL", "Phone"), ("IMPP", "Messaging"), ("X-SOCIALPROFILE", "Profile"), ("TITLE", "Title"),
    ("ROLE", "Role"), ("NICKNAME", "Nickname"), ("URL", "Address on the web"), ("LANG", "Language"),
    ("CATEGORIES", "Categories"), ("RELATED", "Related"), ("X-ABRELATEDNAMES", "Related"), ("GENDER", "Gender"),
    ("TZ", "Time zone"), ("GEO", "Position"), ("MEMBER", "Member"), ("KIND", "Kind"),
)  # fmt: skip
_UNTOLD = frozenset(("internet", "pref", "voice", "x400"))
"""Types of addresses and numbers that say nothing to a reader."""


def contact_name(card: Component) -> str:
    """The name as it is shown, else put together from its parts; else the organization's or an address."""
    if shown_name := card.text("FN"):
        return shown_name
    for prop in card.all("N"):
        family, given, middle, before, after = (*values(prop, parts=True), "", "", "", "", "")[:5]
        return " ".join(filter(None, (before, given, middle, family, after)))
    return ", ".join(part for one in card.all("ORG") for part in values(one, parts=True) if part) or card.text("EMAIL")


def contact_facts(card: Component) -> tuple[list[tuple[str, str]], list[str]]:
    """`(name, value)` of what it says in fields, and its notes."""
    return list(_facts(card)), [one.text for one in card.all("NOTE")]


def _facts(card: Component) -> Iterator[tuple[str, str]]:
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
            yield f"{name}{_kind(prop, labels)}", shown(prop) if moment(prop) else prop.text


def _kind(prop: Property, labels: dict[str, str]) -> str:
    own = labels.get(prop.group, "")
    types = [one.lower() for one in prop.parameters.get("TYPE", ())]
    told = own or ", ".join(dict.fromkeys(one for one in types if one not in _UNTOLD and "=" not in one))
    return f" ({told})" if told else ""
