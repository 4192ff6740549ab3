"""`completion/complete`: values for every variable of every template, in the light of the variables already given."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from sidecar.api import NotFoundError
from sidecar.api.uris import EMBED_KINDS, OFFICE_TYPES
from sidecar.server.long_work import in_thread
from sidecar.server.ports import Backend

if TYPE_CHECKING:
    from sidecar.store import Documents

MAX_VALUES = 100
"""The protocol allows no more values in one answer."""

_MAX_ATTACHED = 1000
"""Attached documents that are looked at for one answer."""
_PLURALS = {"chapters": "chapter", "slides": "slide", "pages": "page", "sheets": "sheet"}


async def complete(
    backend: Backend, template: str, variable: str, value: str, others: Mapping[str, str]
) -> tuple[list[str], int]:
    """Up to `MAX_VALUES` values that begin with (then: contain) what was typed, and how many there are. Never fails for
    an unknown document: there is then nothing to offer."""
    scheme = template.partition("://")[0].lower()
    for provider in backend.features.providers:
        if scheme in provider.schemes:
            values = await provider.complete(backend.services, template, variable, value, others)
            return list(values)[:MAX_VALUES], len(values)
    if variable == "doc":
        slugs = await backend.documents.slugs(value.strip(), MAX_VALUES + 1)
        return list(slugs)[:MAX_VALUES], len(slugs)
    doc = others.get("doc", "")
    values_of = _VALUES.get(variable)
    if not doc or values_of is None:
        return [], 0
    try:
        values = await values_of(backend.documents, scheme, doc, others)
    except NotFoundError:
        return [], 0
    if variable == "id" and _kind(scheme, others) == "embed":
        attached = await backend.services.library.embedded(doc, (EMBED_KINDS["embed"],), limit=_MAX_ATTACHED)
        values = [*values, *(f"{item.embed.id}.md" for item in attached.embeds if item.text_uri)]
    return await in_thread(len(values), lambda: matching(map(str, values), value))


def matching(values: Iterable[str], typed: str) -> tuple[list[str], int]:
    """At most `MAX_VALUES` of those that begin with what was typed, then that contain it, and their number."""
    wanted = typed.strip().casefold()
    begins: list[str] = []
    contains: list[str] = []
    for value in values:
        folded = value.casefold()
        if folded.startswith(wanted):
            begins.append(value)
        elif wanted in folded:
            contains.append(value)
    found = [*begins, *contains]
    return found[:MAX_VALUES], len(found)


async def _numbers(documents: Documents, scheme: str, doc: str, others: Mapping[str, str]) -> Sequence[str | int]:
    version = await documents.resolve(doc)
    if scheme == "chapter" and version.part_kind != "chapter":
        return await documents.chapters(doc)
    return range(1, version.parts + 1) if scheme in {"paragraph", version.part_kind} else ()


async def _paragraphs(documents: Documents, scheme: str, doc: str, others: Mapping[str, str]) -> Sequence[str]:
    n = others.get("n", "")
    if not n.isdecimal():
        return []
    segments = (await documents.part(doc, int(n))).part.segments
    return [str(m) for m in range(1, segments[-1].last_block + 1)] if segments else []


async def _names(documents: Documents, scheme: str, doc: str, others: Mapping[str, str]) -> Sequence[str]:
    parts = (await documents.outline(doc)).parts
    return [part.name or str(part.n) for part in parts if part.kind == scheme]


async def _ranges(documents: Documents, scheme: str, doc: str, others: Mapping[str, str]) -> Sequence[str]:
    version = await documents.resolve(doc)
    if version.part_kind != _PLURALS.get(scheme) or not version.parts:
        return []
    whole = f"1-{version.parts}"
    steps = [f"{first}-{min(first + 9, version.parts)}" for first in range(1, version.parts, 10)]
    return list(dict.fromkeys([whole, *steps]))


async def _ids(documents: Documents, scheme: str, doc: str, others: Mapping[str, str]) -> Sequence[str | int]:
    if scheme == "section":
        return [section.id for section in (await documents.outline(doc)).sections]
    kind = _kind(scheme, others)
    if kind not in {"image", "chart", "media", "embed", "font"}:
        if kind in {"slide", "page", "chapter", "sheet"}:
            return await _numbers(documents, kind, doc, others)
        return []
    named = await documents.embed_names(doc, EMBED_KINDS[kind])
    return [str(number) for number, _ in named] + [name for _, name in named if name]


def _kind(scheme: str, others: Mapping[str, str]) -> str:
    """The scheme, of `office://` the one its type stands for."""
    return OFFICE_TYPES.get(others.get("type", ""), "") if scheme == "office" else scheme


async def _labels(documents: Documents, scheme: str, doc: str, others: Mapping[str, str]) -> Sequence[str]:
    return await documents.labels(doc)


async def _types(documents: Documents, scheme: str, doc: str, others: Mapping[str, str]) -> Sequence[str]:
    names = {"attachment": "embed"}
    embeds = (await documents.embeds(doc)).embeds
    part_kind = (await documents.resolve(doc)).part_kind
    return list(
        dict.fromkeys([names.get(embed.kind, embed.kind) for embed in embeds] + ([part_kind] if part_kind else []))
    )


_VALUES: Mapping[str, Callable[[Documents, str, str, Mapping[str, str]], Awaitable[Sequence[str | int]]]] = {
    "n": _numbers, "m": _paragraphs, "name": _names, "range": _ranges, "id": _ids, "label": _labels, "type": _types,
}  # fmt: skip
