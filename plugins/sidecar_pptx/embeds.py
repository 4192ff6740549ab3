"""The register of everything embedded in a presentation: each part once, numbered within its kind, its type told by
its bytes. Not responsible for opening them again.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field

from sidecar.api import ChartData, Embed, EmbedKind, Limits
from sidecar.toolkit.ooxml.embedded import file_facts
from sidecar.toolkit.ooxml.package import Package

EmbedKey = tuple[EmbedKind, int]


@dataclass
class Entry:
    """An embed in the making; where it stands is filled in when the slide is done."""

    kind: EmbedKind
    id: int
    name: str
    media_type: str
    ref: str = ""
    size: int = 0
    width: int = 0
    height: int = 0
    alt: str = ""
    part: int | None = None
    block: int = 0
    context: str = ""
    hidden: bool = False
    chart: ChartData | None = None

    def done(self) -> Embed:
        return Embed(**{name: getattr(self, name) for name in Embed.__struct_fields__})


@dataclass
class Embeds:
    package: Package
    limits: Limits
    entries: list[Entry] = field(default_factory=list[Entry])
    full: bool = False
    """Whether something was left out because of `limits.max_embedded`."""
    _by_ref: dict[tuple[EmbedKind, str], Entry] = field(default_factory=dict[tuple[EmbedKind, str], Entry])
    _counts: dict[EmbedKind, int] = field(default_factory=dict[EmbedKind, int])

    def add(self, kind: EmbedKind, ref: str, *, name: str = "", media_type: str = "", **more: object) -> Entry | None:
        """The entry of a part, made on first sight. None when the limit is reached."""
        key = (kind, ref.lower())
        known = self._by_ref.get(key)
        if known is not None:
            return known
        if len(self.entries) >= self.limits.max_embedded:
            self.full = True
            return None
        number = self._counts.get(kind, 0)
        self._counts[kind] = number + 1
        entry = Entry(kind, number, name or posixpath.basename(ref), media_type, ref)
        for field_name, value in more.items():
            setattr(entry, field_name, value)
        self.entries.append(entry)
        self._by_ref[key] = entry
        return entry

    def known(self, kind: EmbedKind, ref: str) -> bool:
        return (kind, ref.lower()) in self._by_ref

    def file(self, kind: EmbedKind, ref: str, alt: str = "", part: int | None = None) -> Entry | None:
        """A picture, sound or film that is a part of the package: type and size told by its first bytes."""
        if self.known(kind, ref):
            entry = self.add(kind, ref)
            if entry is not None and alt and not entry.alt:
                entry.alt = alt
            return entry
        if ref not in self.package:
            return None
        facts = file_facts(self.package, ref)
        entry = self.add(kind, ref, media_type=facts.media_type)
        if entry is not None:
            entry.size, entry.width, entry.height = facts.size, facts.width, facts.height
            entry.alt, entry.part = alt, part
        return entry
