"""The bytes inside a Word file: images, charts, media, attached objects and fonts, numbered and named.

Registered while the text is read, so ids follow the text; what no text shows is added at the end. Bytes are opened
later by `open_ref`.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from typing import get_args

from sidecar.api.errors import FormatError, NotFoundError
from sidecar.api.formats import Limits, Payload, Source
from sidecar.api.model import AnyBlock, ChartData, Embed, EmbedKind, Figure
from sidecar.toolkit.ooxml.chart import chart_text
from sidecar.toolkit.ooxml.embedded import OCTETS, object_facts, open_part
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.pictures import HEAD_BYTES, sniff_image
from sidecar_docx.fold import text_of
from sidecar_docx.names import R_ID, W

_FIRST_BYTES = 4096
_SKIPPED_MEDIA = frozenset({"application/vnd.openxmlformats-package.relationships+xml"})
_FONT_FORMS = {"embedRegular": "", "embedBold": " Bold", "embedItalic": " Italic", "embedBoldItalic": " Bold Italic"}


@dataclass
class Draft:
    """An embed before its place in the text is known."""

    kind: EmbedKind
    id: int
    name: str
    media_type: str
    ref: str
    size: int = 0
    width: int = 0
    height: int = 0
    alt: str = ""
    hidden: bool = False
    chart: ChartData | None = None


@dataclass
class Embeds:
    """Everything embedded in one document, by kind and in order of first appearance."""

    package: Package
    limits: Limits
    drafts: dict[EmbedKind, list[Draft]] = field(default_factory=lambda: {kind: [] for kind in get_args(EmbedKind)})
    _known: dict[tuple[EmbedKind, str], Draft] = field(default_factory=dict[tuple[EmbedKind, str], Draft])
    _names: set[tuple[EmbedKind, str]] = field(default_factory=set[tuple[EmbedKind, str]])
    _count: int = 0

    def picture(self, part: str, alt: str = "") -> tuple[EmbedKind, int] | None:
        """Register an image (or, by its declared type, a sound or film) part; None when it is not in the package."""
        if part not in self.package:
            return None
        declared = self.package.content_type(part)
        kind: EmbedKind = "media" if declared.startswith(("video/", "audio/")) else "image"
        known = self._known.get((kind, part))
        if known is None:
            info = None
            if kind == "image":
                info = sniff_image(self.package.read(part, _FIRST_BYTES))
                if info is not None and info.width == 0 and self.package.size(part) > _FIRST_BYTES:
                    # Directories and frames may stand late: a long JPEG preamble, a TIFF with its directory last.
                    most = None if info.media_type == "image/tiff" else HEAD_BYTES * 4
                    info = sniff_image(self.package.read(part, most)) or info
            known = self.add(kind, posixpath.basename(part), info.media_type if info else declared or OCTETS, part)
            if known is None:
                return None
            if info is not None:
                known.width, known.height = info.width, info.height
        known.alt = known.alt or alt
        return known.kind, known.id

    def attachment(self, part: str, shown_name: str = "") -> tuple[EmbedKind, int] | None:
        """Register an embedded object's part under the name and type of the file inside it."""
        if part not in self.package:
            return None
        known = self._known.get(("attachment", part))
        if known is None:
            facts = object_facts(self.package, part)
            known = self.add("attachment", shown_name or facts.name, facts.media_type, part)
            if known is None:
                return None
            known.size = facts.size
        return known.kind, known.id

    def add(self, kind: EmbedKind, name: str, media_type: str, ref: str) -> Draft | None:
        """Register anything; None once `max_embedded` is reached. Names stay unique within their kind."""
        if self._count >= self.limits.max_embedded:
            return None
        stem, suffix = posixpath.splitext(name)
        turn = 1
        while (kind, name.casefold()) in self._names:
            turn += 1
            name = f"{stem}-{turn}{suffix}"
        self._names.add((kind, name.casefold()))
        self._count += 1
        draft = Draft(kind, len(self.drafts[kind]), name, media_type, ref, self.package.size(ref.partition("#")[0]))
        self.drafts[kind].append(draft)
        self._known[kind, ref] = draft
        return draft

    def add_fonts(self) -> None:
        """Register the fonts `fontTable.xml` embeds (§17.8.3); their keys go into the ref."""
        table = "word/fontTable.xml"
        if table not in self.package:
            return
        relations = self.package.relationships(table)
        if not relations:
            return
        for font in self.package.xml(table).iterchildren(f"{W}font"):
            for form, look in _FONT_FORMS.items():
                node = font.find(W + form)
                relation = relations.get(node.get(R_ID, "")) if node is not None else None
                if node is None or relation is None or relation.external or relation.target not in self.package:
                    continue
                ref = f"{relation.target}#{node.get(f'{W}fontKey', '')}"
                media_type, suffix = _font_type(_clear(self.package.read(relation.target, 64), ref.partition("#")[2]))
                self.add("font", f"{font.get(f'{W}name', 'font')}{look}{suffix}", media_type, ref)

    def add_unplaced(self) -> None:
        """Register what lies in the package and no text showed: it is part of the file all the same."""
        for name in list(self.package.names()):
            low = name.lower()
            if low.endswith("/") or any((kind, name) in self._known for kind in ("image", "media", "attachment")):
                continue
            if "/media/" in low and self.package.content_type(name) not in _SKIPPED_MEDIA:
                try:
                    self.picture(name)
                except FormatError:
                    self.add("image", posixpath.basename(name), self.package.content_type(name) or OCTETS, name)

    def chart_words(self) -> dict[tuple[EmbedKind, int], str]:
        """What each chart says, by its embed."""
        return {
            ("chart", draft.id): chart_text(draft.chart) for draft in self.drafts["chart"] if draft.chart is not None
        }

    def placed(self, parts: list[list[AnyBlock]]) -> tuple[Embed, ...]:
        """All embeds, each at the first figure that shows it."""
        places: dict[tuple[EmbedKind, int], tuple[int, int]] = {}
        for number, blocks in enumerate(parts, 1):
            for index, block in enumerate(blocks, 1):
                if isinstance(block, Figure) and block.embed is not None:
                    places.setdefault(block.embed, (number, index))
        made: list[Embed] = []
        for kind in self.drafts:
            for draft in self.drafts[kind]:
                part, block = places.get((kind, draft.id), (None, 0))
                context = _around(parts[part - 1], block - 1) if part is not None else ""
                made.append(
                    Embed(
                        kind=kind, id=draft.id, name=draft.name, media_type=draft.media_type, ref=draft.ref,
                        size=draft.size, width=draft.width, height=draft.height, alt=draft.alt, part=part,
                        block=block, context=context, hidden=draft.hidden, chart=draft.chart,
                    )
                )  # fmt: skip
        return tuple(made)


def _around(blocks: list[AnyBlock], index: int) -> str:
    """The text just before a block, else just after it: up to 200 characters."""
    for step in (range(index - 1, -1, -1), range(index + 1, len(blocks))):
        for at in step:
            text = " ".join(text_of(blocks[at]).split())
            if text:
                return text[:200]
    return ""


def open_ref(source: Source, package: Package, ref: str, limits: Limits) -> Payload:
    """The bytes behind an `Embed.ref`: unwrapped from OLE, fonts de-obfuscated.

    Raises:
        NotFoundError: the package has no such part.
        FormatError: the part is damaged.
    """
    part, _, key = ref.partition("#")
    if part not in package:
        raise NotFoundError(f"{source.name} holds nothing called {part}.")
    if key or part.lower().endswith(".odttf"):
        data = _clear(package.read(part), key)
        media_type, suffix = _font_type(data)
        return Payload(data, media_type, posixpath.splitext(posixpath.basename(part))[0] + suffix)
    return open_part(package, part)


def _clear(data: bytes, key: str) -> bytes:
    """A font without its obfuscation (§17.8.1): the first 32 bytes are XORed with the GUID's bytes, last one first."""
    digits = "".join(character for character in key if character.isalnum())
    try:
        guid = bytes.fromhex(digits)[::-1]
    except ValueError:
        return data
    if len(guid) != 16 or _font_type(data)[0] != OCTETS:
        return data
    head = bytes(byte ^ guid[index % 16] for index, byte in enumerate(data[:32]))
    return head + data[32:]


def _font_type(data: bytes) -> tuple[str, str]:
    if data.startswith((b"\0\1\0\0", b"true")):
        return "font/ttf", ".ttf"
    if data.startswith(b"OTTO"):
        return "font/otf", ".otf"
    if data.startswith(b"ttcf"):
        return "font/collection", ".ttc"
    return OCTETS, ".odttf"
