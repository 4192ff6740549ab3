"""What an address asks for beside the thing it names: where to begin, which switches, how a picture is wanted."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sidecar.api import Address, NotFoundError, UsageError, parse_uri
from sidecar.api.uris import SUFFIXES
from sidecar.server.reading.drawing import MAX_SIDE, PICTURE_TYPES, PictureOptions
from sidecar.toolkit.text import did_you_mean
from sidecar.toolkit.visible import ASK

LAST_BLOCK = 2**31 - 1
"""Beyond every block of a part."""
_THUMB_SIDE = 256
"""Pixels of `?size=thumb`."""
_MIN_SIDE = 16
_NUMBER_DIGITS = 9
_PARAGRAPHS = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")
_ALIKE = 0.75
"""So near (difflib) is what was meant: the marks around a name are alike in all of them."""
_ASKED = ("range", "formulas", "from", "part", "page", "size", "format", ASK, "changes")
"""What an address may ask for beside what it names."""


def address_of(uri: str, others: Sequence[str]) -> Address:
    """The address that a URI is, `others` being resources and schemes (`tour://`) beside those of documents.

    Raises:
        NotFoundError: an unknown scheme or a malformed URI names no resource, and what it asks for that there is not
            would have something else read; the sentence has the near name.
    """
    try:
        address = parse_uri(uri)
        _check_query(address)
    except UsageError as error:
        scheme, apart, _ = uri.strip().lower().partition("://")
        if not apart or scheme in SUFFIXES:
            raise NotFoundError(str(error), uri=uri) from error
        also = f"Also {', '.join(others[:8])}." if others else ""
        schemes = [f"{one}://" for one in (*SUFFIXES, *(other.partition("://")[0] for other in others))]
        near = did_you_mean(f"{scheme}://", schemes, alike=_ALIKE)
        raise NotFoundError(" ".join(filter(None, (str(error), also, near.capitalize()))), uri=uri) from error
    return address


def _check_query(address: Address) -> None:
    for name in address.query:
        if name not in _ASKED:
            there = f"there are {', '.join(f'?{one}=' for one in _ASKED)}."
            hint = did_you_mean(f"?{name}=", [f"?{one}=" for one in _ASKED], there, alike=_ALIKE)
            raise UsageError(f"?{name[:40]}= is not understood; {hint}")


def selector_of(address: Address) -> int | str:
    """The number when the part or thing was named by one, else its name."""
    return number_or_name(address.path[0])


def number_or_name(text: str) -> int | str:
    """Digits as a number, anything else as the name it is."""
    return int(text) if text.isdecimal() and len(text) <= _NUMBER_DIGITS else text


def first_block(address: Address) -> int | None:
    """`?from=N` of a part: its blocks from N on; None when it is not said. Raises UsageError for what is not a
    number."""
    text = address.query.get("from", "")
    if not text:
        return None
    if not text.isdecimal() or len(text) > len(str(LAST_BLOCK)) or not 1 <= int(text) <= LAST_BLOCK:
        raise UsageError(f"from={text[:20]} is not a block number.")
    return int(text)


def paragraphs_asked(address: Address) -> tuple[int, int]:
    """The first and last of the paragraphs that a `paragraph` address names: `5`, or `5-8`. Raises UsageError."""
    asked = address.path[1]
    found = _PARAGRAPHS.fullmatch(asked.replace("–", "-"))
    if found is None:
        raise UsageError(
            f"paragraph {asked[:20]!r} is not a number, nor a range such as 5-8; "
            "the form is paragraph://{doc}/{n}/{m}."
        )
    first, last = int(found[1]), int(found[2] or found[1])
    if not 1 <= first <= last:
        raise UsageError(f"paragraphs {asked[:20]!r} are not a range; write the lower number first, from 1 on.")
    return first, last


def first_part_and_block(address: Address) -> tuple[int, int]:
    """`?from=7` (part) or `?from=7.812` (block of that part) of a document; (1, 1) when it is not said. Raises
    UsageError for what is neither."""
    text = address.query.get("from", "")
    if not text:
        return 1, 1
    part, _, block = text.partition(".")
    whole = part.isdecimal() and (not block or block.isdecimal())
    if not whole or max(len(part), len(block)) > _NUMBER_DIGITS or int(part) < 1:
        raise UsageError(f"from={text[:20]} is not a part's number.")
    return int(part), max(int(block or 1), 1)


def flag(address: Address, name: str) -> bool:
    """Whether a switch of the query is on: `?formulas=1`."""
    return address.query.get(name, "").lower() in {"1", "true", "yes"}


def hidden_wanted(address: Address) -> bool:
    """`?hidden=1`: text hidden from readers is asked for."""
    return flag(address, ASK)


def with_hidden(address: Address) -> str:
    """The URI of the same thing with its hidden text."""
    if ASK in address.query:
        return str(replace(address, query={**address.query, ASK: "1"}))
    return f"{address}{'&' if address.query else '?'}{ASK}=1"


def kept_query(address: Address, query: Mapping[str, str] | None = None) -> dict[str, str]:
    """The query of a URI to go on with: what is asked for hidden text stays asked for."""
    return {**(query or {}), **({ASK: "1"} if hidden_wanted(address) else {})}


def page_of(address: Address) -> int | None:
    """`?page=N`, which tells elements of one label apart."""
    page = address.query.get("page", "")
    return int(page) if page.isdecimal() and len(page) <= _NUMBER_DIGITS else None


def picture_options(address: Address) -> PictureOptions:
    """`?size=thumb` or a pixel count, `?format=png|jpeg|webp`; any other value is an error."""
    side = 0
    size = address.query.get("size", "")
    if size == "thumb":
        side = _THUMB_SIDE
    elif size:
        if not size.isdecimal() or len(size) > _NUMBER_DIGITS or not _MIN_SIDE <= int(size) <= MAX_SIDE:
            raise UsageError(f"size={size[:20]} is not thumb or a number of pixels from {_MIN_SIDE} to {MAX_SIDE}.")
        side = int(size)
    form = address.query.get("format", "").lower()
    form = "jpeg" if form == "jpg" else form
    if form and form not in PICTURE_TYPES:
        raise UsageError(f"format={form[:20]} is not png, jpeg or webp.")
    return PictureOptions(side, form)
