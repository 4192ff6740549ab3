"""A format plugin that misbehaves on request. Worker processes load it by name."""

from __future__ import annotations

import ctypes
import os
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec

from sidecar.api import (
    AttachedBounds,
    DamagedError,
    Embed,
    Limits,
    Notice,
    Paragraph,
    ParsedDocument,
    Part,
    Payload,
    Source,
)
from sidecar.registry import FormatEntry, Formats

LOADER = "support.indexes.plain_format:load"


class PlainFormat:
    """Paragraphs of UTF-8 text. The first word of a file may ask for trouble."""

    name = "plain"
    version = "1"
    media_types: tuple[str, ...] = ("text/plain",)
    suffixes: tuple[str, ...] = (".txt", ".md")

    def score(self, source: Source) -> int:
        if source.suffix == ".odd":
            raise RuntimeError("score must not do this")
        return 60 if source.suffix in self.suffixes else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        text = source.read(limits.max_file_bytes).decode("utf-8", "surrogateescape")
        words = text.split()
        if words[:1] == ["ONCE"]:
            mark = Path(tempfile.gettempdir()) / words[1]
            if not mark.exists():
                mark.touch()
                trouble("SPIN")
        if words[:1] == ["SCAN"]:
            return scanned(_path(words[1]), limits)
        if words[:1] == ["LONG"]:
            return laid_out(_path(words[1]), text, limits)
        if words[:1] == ["LETTER"]:
            return letter(text)
        trouble(words[0] if words else "")
        blocks = tuple(Paragraph(text=line) for line in text.splitlines() if line.strip())
        return ParsedDocument(parts=(Part(kind="chapter", blocks=blocks),))

    attached = AttachedBounds(count=16, bytes=2**20, chars=400_000, seconds=20.0)

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        return Payload(source.read().removeprefix(b"LETTER "), "text/plain", ref)


class BetterFormat(PlainFormat):
    """A plugin installed later, which reads Markdown better."""

    name = "better"
    suffixes: tuple[str, ...] = (".md",)

    def score(self, source: Source) -> int:
        return 80 if source.suffix == ".md" else 0


def _path(word: str) -> Path:
    """Of a `file:` URI, whose path may hold spaces, or the word itself."""
    return Path(unquote(urlsplit(word).path))


def scanned(gate: Path, limits: Limits) -> ParsedDocument:
    """A page without a text layer; recognising it takes until the gate is there."""
    notice = Notice("no_text_layer", "Page 1 has no text layer.", part=1)
    if not limits.ocr:
        return ParsedDocument(parts=(Part(kind="page"),), notices=(notice,))
    trouble(gate.name)
    while not (gate.exists() and gate.stat().st_size):  # it is there before its text is
        time.sleep(0.01)
    text = gate.read_text("utf-8")
    return ParsedDocument(parts=(Part(kind="page", blocks=(Paragraph(text=text),)),), notices=(notice,))


def laid_out(gate: Path, text: str, limits: Limits) -> ParsedDocument:
    """A document whose words can be had at once; laying it out takes until the gate is there."""
    notices = (Notice("words_only", "Only its words are read so far."),) if limits.words_only else ()
    while not (limits.words_only or gate.exists()):
        time.sleep(0.01)
    text = text if limits.words_only else f"laid out\n{text}"
    blocks = tuple(Paragraph(text=line) for line in text.splitlines())
    return ParsedDocument(parts=(Part(kind="page", blocks=blocks),), notices=notices)


def letter(text: str) -> ParsedDocument:
    """A message; what follows the first word is attached to it."""
    attached = Embed(kind="attachment", id=0, name="inner.txt", media_type="text/plain", ref="inner.txt", part=1)
    part = Part(kind="message", blocks=(Paragraph(text="the letter itself"),))
    return ParsedDocument(parts=(part,), embedded=(msgspec.structs.replace(attached, size=len(text)),))


def trouble(word: str) -> None:
    if word == "SEGFAULT":
        ctypes.string_at(0)
    elif word == "HANG":
        time.sleep(3600)
    elif word == "SPIN":
        while True:
            pass
    elif word == "EAT":
        hoard = [bytearray(1 << 24) for _ in range(1 << 12)]
        raise AssertionError(len(hoard))
    elif word == "RAISE":
        raise KeyError("a fault in the plugin")
    elif word == "DAMAGED":
        raise DamagedError("the file is torn in two.")
    elif word == "DEEP":
        trouble(word)
    elif word == "EXIT":
        os._exit(7)
    elif word == "PRINT":
        print("this must not reach the wire", flush=True)
        os.write(1, b"nor this\n")


def entry(plugin: Any) -> FormatEntry:
    return FormatEntry(plugin.name, plugin.version, plugin.suffixes, plugin.media_types, plugin, "docsidecar", True)


def load(disabled: frozenset[str], settings: Mapping[str, Any]) -> Formats:
    """What a worker calls. `settings` may ask for another version of the plugin, and for a second one."""
    plugin = PlainFormat()
    plugin.version = settings.get("plain", {}).get("version", plugin.version)
    better = (entry(BetterFormat()),) if settings.get("plain", {}).get("better") else ()
    return Formats((entry(plugin), *better))
