"""Documents inside documents: which attachments are some, how what lies inside them is addressed, and their outline.

`doc` of a view is a slug, a doc_id, or the URI of an attached document: what is embedded in that follows its address.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TypeVar

from sidecar.api import EMBED_SCHEMES, Embed, EmbedKind, OutlineEntry, format_uri
from sidecar.store.documents.records import PartRecord, SectionRecord
from sidecar.store.documents.views import Passage
from sidecar.toolkit.answers.tokens import reading_tokens
from sidecar.toolkit.text import media_kind
from sidecar.views.inline import flat
from sidecar.views.sources import part_title

SECTION_TITLE_CHARS = 160
"""A section's title is cut to this in a table of contents."""
_NAME_CHARS = 150
_WORKBOOKS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")

E = TypeVar("E", bound=Embed)


@dataclass(frozen=True)
class Readable:
    """Which files format plugins read: by suffix (lower case, with its dot) and by media type."""

    suffixes: frozenset[str]
    media_types: frozenset[str]

    def __call__(self, name: str, media_type: str) -> bool:
        """Whether the suffix of the name or, where that is nobody's, the media type belongs to some plugin."""
        suffix = PurePath(name).suffix.lower()
        return suffix in self.suffixes or media_kind(media_type) in self.media_types


class AttachedDocument(Embed, frozen=True, tag=False):
    """An attachment that a format plugin reads: its URI may end in `.md`, `.txt` or `.html`."""


def mark_attached_documents(embeds: Iterable[Embed], readable: Readable) -> list[Embed]:
    """The same records, those of attached documents as `AttachedDocument`."""
    return [
        AttachedDocument(**{name: getattr(embed, name) for name in embed.__struct_fields__})
        if embed.kind == "attachment" and embed.ref and readable(embed.name, embed.media_type)
        else embed
        for embed in embeds
    ]


def by_key(embeds: Iterable[Embed]) -> Mapping[tuple[EmbedKind, int], Embed]:
    """As views look them up."""
    return {(embed.kind, embed.id): embed for embed in embeds}


def embed_uri(doc: str, kind: EmbedKind, number: int, suffix: str = "") -> str:
    """The URI of an embedded thing."""
    scheme = EMBED_SCHEMES[kind]
    if "://" in doc:
        return f"{doc}/{scheme}/{number}" + (f".{suffix}" if suffix else "")
    return format_uri(scheme, doc, number, suffix=suffix)


def reading_uri(doc: str, kind: EmbedKind, number: int, embed: Embed | None, suffix: str = "md") -> str:
    """Where a reader goes on: the text of an attached document, the bytes of anything else."""
    return embed_uri(doc, kind, number, suffix if isinstance(embed, AttachedDocument) else "")


def passage_uri(passage: Passage) -> str:
    """Where the words of an attached document stand; "" for a passage of the document itself."""
    if passage.last_block >= 0:
        return ""
    query = {"part": passage.section} if passage.section else None
    return format_uri("embed", passage.slug, -passage.last_block - 1, suffix="md", query=query)


def without_workbooks(embeds: Sequence[E]) -> list[E]:
    """Embedded things without the workbooks that charts keep their data in: such a one stands where its chart does, or
    nowhere, and the chart shows what is in it."""
    charts = {(embed.part, embed.block) for embed in embeds if embed.kind == "chart"}
    if not charts:
        return list(embeds)
    return [
        embed for embed in embeds
        if embed.kind != "attachment" or not embed.name.lower().endswith(_WORKBOOKS)
        or (embed.part is not None and (embed.part, embed.block) not in charts)
    ]  # fmt: skip


def attached_entries(embeds: Sequence[Embed], doc: str) -> Mapping[int, list[OutlineEntry]]:
    """Part number → its attached documents as lines of the outline; 0 those that stand nowhere in particular."""
    found: dict[int, list[OutlineEntry]] = {}
    for embed in without_workbooks(embeds):
        if isinstance(embed, AttachedDocument):
            name = flat(embed.name)[:_NAME_CHARS] or f"file {embed.id}"
            entry = OutlineEntry(embed_uri(doc, "attachment", embed.id, "md"), f"Attachment: {name}", 1, 0)
            found.setdefault(embed.part or 0, []).append(entry)
    return found


def is_named_after(part: PartRecord, section: SectionRecord) -> bool:
    """Whether the title of a part is that heading, which may have its number before it."""
    heading, title = section.title.strip(), part.title.strip()
    return title in {heading, heading.partition(" ")[2]}


def inner_entries(
    uri: str, parts: Sequence[PartRecord], sections: Sequence[SectionRecord], depth: int
) -> list[OutlineEntry]:
    """The outline of an attached document: parts as `?part=3`, sections as `?from=3.12` (block 12 of part 3)."""
    entries: list[OutlineEntry] = []
    inside: dict[int, list[SectionRecord]] = {}
    for section in sections:
        inside.setdefault(section.part, []).append(section)
    for part in parts:
        title = part_title(part) or f"{part.kind} {part.n}"
        tokens = reading_tokens(part.tokens, title, uri)
        entries.append(OutlineEntry(f"{uri}.md?part={part.n}", title, 0, tokens, hidden=part.hidden))
        below = inside.get(part.n, ())
        top = min((section.level for section in below), default=1) - 1
        for section in below:
            if section.level - top <= depth and (section.block > 1 or not is_named_after(part, section)):
                name = flat(section.title)[:SECTION_TITLE_CHARS]
                at = f"{uri}.md?from={part.n}.{section.block}"
                entries.append(OutlineEntry(at, name, section.level - top, reading_tokens(section.tokens, name, at)))
    return entries
