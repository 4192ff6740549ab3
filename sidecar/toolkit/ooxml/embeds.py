"""The register of everything embedded in an Office document: each part once, numbered within its kind, its type told by
its bytes. Not responsible for finding embeds in the text, nor for opening them again (`embedded`)."""

import posixpath
from dataclasses import dataclass, field

from sidecar.api import ChartData, Embed, EmbedKind, Limits, Notice
from sidecar.toolkit.ole.vba import VBA_TYPE, macros_notice
from sidecar.toolkit.ooxml.embedded import file_facts, object_facts
from sidecar.toolkit.ooxml.package import Package

_RELATIONSHIPS = "application/vnd.openxmlformats-package.relationships+xml"

EmbedKey = tuple[EmbedKind, int]
"""An embed by its kind and its number within that kind, as blocks and elements refer to it."""


@dataclass
class EmbedEntry:
    """An embed in the making; `size` in bytes, `width` and `height` in pixels, `part` and `block` 1-based."""

    kind: EmbedKind
    id: int
    name: str
    media_type: str
    ref: str
    size: int = 0
    width: int = 0
    height: int = 0
    alt: str = ""
    part: int | None = None
    block: int = 0
    context: str = ""
    hidden: bool = False
    chart: ChartData | None = None

    @property
    def key(self) -> EmbedKey:
        """What a figure that shows it refers to."""
        return self.kind, self.id

    def place(self, part: int, block: int, *, alt: str = "", context: str = "", hidden: bool = False) -> None:
        """Remember where it first stands; further places change nothing."""
        if not self.block:
            self.part, self.block, self.hidden = part, block, hidden
            self.context = self.context or context
            self.alt = self.alt or alt

    def done(self) -> Embed:
        """The finished record."""
        return Embed(**{name: value for name, value in vars(self).items() if name in Embed.__struct_fields__})


@dataclass
class EmbedRegister:
    """Embeds in the order found, at most `limits.max_embedded` of them."""

    package: Package
    limits: Limits
    unique_names: bool = False
    """Whether names that occur twice within a kind are told apart: "logo.png", "logo-2.png"."""
    entries: list[EmbedEntry] = field(default_factory=list[EmbedEntry])
    full: bool = False
    """Whether something was left out because of `limits.max_embedded`."""
    _by_ref: dict[tuple[EmbedKind, str], EmbedEntry] = field(default_factory=dict[tuple[EmbedKind, str], EmbedEntry])
    _counts: dict[EmbedKind, int] = field(default_factory=dict[EmbedKind, int])
    _names: set[tuple[EmbedKind, str]] = field(default_factory=set[tuple[EmbedKind, str]])

    def find(self, kind: EmbedKind, ref: str) -> EmbedEntry | None:
        """The entry of a part registered as that kind; part names compare without case (ECMA-376 part 2 §6.2.2)."""
        return self._by_ref.get((kind, ref.lower()))

    def knows(self, ref: str) -> bool:
        """Whether a part is registered as a picture, sound, film or attachment."""
        return any(self.find(kind, ref) for kind in ("image", "media", "attachment"))

    def add(self, kind: EmbedKind, ref: str, *, name: str, media_type: str, size: int = 0) -> EmbedEntry | None:
        """The entry of a part, made on first sight; an empty `ref` is always new. None when the register is full."""
        known = self.find(kind, ref) if ref else None
        if known is not None:
            return known
        if len(self.entries) >= self.limits.max_embedded:
            self.full = True
            return None
        number = self._counts.get(kind, 0)
        self._counts[kind] = number + 1
        if self.unique_names:
            name = self._unique(kind, name)
        entry = EmbedEntry(kind, number, name, media_type, ref, size)
        self.entries.append(entry)
        if ref:
            self._by_ref[kind, ref.lower()] = entry
        return entry

    def file(self, ref: str, kind: EmbedKind | None = None, *, strict: bool = False) -> EmbedEntry | None:
        """A picture, sound or film that is a part of the package, of the kind its bytes tell unless given; None when it
        is absent or the register is full. Raises FormatError for a part that cannot be unpacked when `strict`."""
        known = self.find(kind, ref) if kind else self.find("image", ref) or self.find("media", ref)
        if known is not None or ref not in self.package:
            return known
        facts = file_facts(self.package, ref, strict=strict)
        kind = kind or ("media" if facts.is_media else "image")
        entry = self.add(kind, ref, name=facts.name, media_type=facts.media_type, size=facts.size)
        if entry is not None:
            entry.width, entry.height = facts.width, facts.height
        return entry

    def attachment(self, ref: str) -> EmbedEntry | None:
        """An embedded file or OLE object, under the name and type of what is inside; None as for `file`."""
        known = self.find("attachment", ref)
        if known is not None or ref not in self.package:
            return known
        facts = object_facts(self.package, ref)
        return self.add("attachment", ref, name=facts.name, media_type=facts.media_type, size=facts.size)

    def add_unplaced(self, *, attachments: bool = False) -> None:
        """Register the media (and `attachments`) that lie in the package unshown: part of the file all the same."""
        for name in self.package.names("/media/", *(("/embeddings/",) if attachments else ())):
            if name.endswith("/") or self.knows(name):
                continue
            if "/media/" not in name.lower():
                self.attachment(name)
            elif self.package.content_type(name) != _RELATIONSHIPS:
                self.file(name)

    def macros(self, what: str) -> Notice | None:
        """Register the source of the package's macros; what is to be said of them in a file, `what` it is."""
        projects = [name for name in self.package.names("vbaproject.bin") if name.lower().endswith("vbaproject.bin")]
        readable = [name for name in projects if object_facts(self.package, name).media_type == VBA_TYPE]
        for name in readable:
            self.attachment(name)
        return macros_notice(what, shown=bool(readable)) if projects else None

    def done(self) -> tuple[Embed, ...]:
        """All records, in the order found."""
        return tuple(entry.done() for entry in self.entries)

    def _unique(self, kind: EmbedKind, name: str) -> str:
        stem, suffix = posixpath.splitext(name)
        turn = 1
        while (kind, name.casefold()) in self._names:
            turn += 1
            name = f"{stem}-{turn}{suffix}"
        self._names.add((kind, name.casefold()))
        return name
