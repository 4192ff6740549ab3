"""Builders for store and search tests: prepared documents from a few words, without any parser."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence

from sidecar.api import Element, Embed, Heading, Paragraph
from sidecar.api.model import AnyBlock, encode_blocks
from sidecar.store import FileStat, Indexed, PartRecord, PassageRecord, Prepared, SectionRecord, Segment

FOLDER = b"/library"


def sha(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def prepare(
    chapters: Sequence[tuple[str, Sequence[str]]],
    *,
    title: str = "",
    elements: Sequence[Element] = (),
    embedded: Sequence[Embed] = (),
    plugin: str = "text",
    plugin_version: str = "1",
    format: str = "text",  # noqa: A002  # the record's own word
) -> Prepared:
    """A document of (heading, paragraphs) chapters: one part, section, segment each; one passage a paragraph."""
    parts: list[PartRecord] = []
    sections: list[SectionRecord] = []
    passages: list[PassageRecord] = []
    for n, (heading, paragraphs) in enumerate(chapters, 1):
        blocks: list[AnyBlock] = [Heading(text=heading), *(Paragraph(text=text) for text in paragraphs)]
        segment = Segment(1, len(blocks), -1, -1, encode_blocks(blocks))
        chars = sum(map(len, paragraphs))
        parts.append(PartRecord(n, "chapter", heading, "", False, 0, 0, chars // 4, chars, 0, 0, {}, (segment,)))
        sections.append(SectionRecord(f"s{n}", n, 1, heading, n, 1, n, len(blocks), chars // 4))
        passages += [PassageRecord(n, at, at, f"s{n}", heading, text, 0) for at, text in enumerate(paragraphs, 2)]
    digest = sha(repr((chapters, title, len(elements), len(embedded))))
    return Prepared(
        sha256=digest, size=len(repr(chapters)), title=title, description="", format=format, media_type="text/plain",
        plugin=plugin, plugin_version=plugin_version, metadata={"author": "Snyder"}, part_kind="chapter",
        parts=tuple(parts), tokens=sum(part.tokens for part in parts), sections=tuple(sections),
        passages=tuple(passages), elements=tuple(elements),
        embedded=tuple(embedded), notices=(),
    )  # fmt: skip


def file_path(name: str, folder: bytes = FOLDER) -> bytes:
    return folder + b"/" + os.fsencode(name)


def indexed(name: str, prepared: Prepared, *, folder: bytes = FOLDER, mtime: int = 1) -> Indexed:
    return Indexed(
        path=file_path(name, folder), folder=folder, stat=FileStat(prepared.size, mtime), prepared=prepared,
        sha256=prepared.sha256, plugin=prepared.plugin, plugin_version=prepared.plugin_version,
    )  # fmt: skip


def note(name: str, text: str, *, folder: bytes = FOLDER, mtime: int = 1) -> Indexed:
    """A one-chapter, one-paragraph document."""
    return indexed(name, prepare([("Start", [text])]), folder=folder, mtime=mtime)
