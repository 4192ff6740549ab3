"""The bytes inside a Word file: what no text shows, embedded fonts, places of all, and the way back to the bytes.

Pictures, charts and attached objects are registered while the text is read, so ids follow the text."""

import posixpath
from typing import get_args

from sidecar.api import AnyBlock, Embed, EmbedKind, Figure, NotFoundError, Payload, Source
from sidecar.toolkit.ooxml.chart import chart_text
from sidecar.toolkit.ooxml.embedded import OCTETS, open_part
from sidecar.toolkit.ooxml.embeds import EmbedKey, EmbedRegister
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.visible import visible
from sidecar_docx.body.text import text_of
from sidecar_docx.qualified_names import R_ID, W

_KINDS: tuple[EmbedKind, ...] = get_args(EmbedKind)
_FONT_FORMS = {"embedRegular": "", "embedBold": " Bold", "embedItalic": " Italic", "embedBoldItalic": " Bold Italic"}


def add_fonts(register: EmbedRegister) -> None:
    """Register the fonts `fontTable.xml` embeds (§17.8.3); their keys go into the ref. Raises FormatError."""
    table, package = "word/fontTable.xml", register.package
    relations = package.relationships(table) if table in package else {}
    if not relations:
        return
    for font in package.xml(table).iterchildren(f"{W}font"):
        for form, style in _FONT_FORMS.items():
            node = font.find(W + form)
            relation = relations.get(node.get(R_ID, "")) if node is not None else None
            if node is None or relation is None or relation.external or relation.target not in package:
                continue
            key = node.get(f"{W}fontKey", "")
            media_type, suffix = _font_type(_clear(package.read(relation.target, 64), key))
            register.add(
                "font", f"{relation.target}#{key}", name=f"{font.get(f'{W}name', 'font')}{style}{suffix}",
                media_type=media_type, size=package.size(relation.target),
            )  # fmt: skip


def chart_words(register: EmbedRegister) -> dict[EmbedKey, str]:
    """What each chart says, by its embed."""
    return {entry.key: chart_text(entry.chart) for entry in register.entries if entry.chart is not None}


def placed(register: EmbedRegister, parts: list[list[AnyBlock]]) -> tuple[Embed, ...]:
    """All embeds by kind, each at the first figure that shows it."""
    places: dict[EmbedKey, tuple[int, int]] = {}
    for number, blocks in enumerate(parts, 1):
        for index, block in enumerate(blocks, 1):
            if isinstance(block, Figure) and block.embed is not None:
                places.setdefault(block.embed, (number, index))
    known: dict[tuple[int, int, int], str] = {}
    for entry in register.entries:
        if entry.key in places:
            part, block = places[entry.key]
            near = (_nearest(parts[part - 1], part, block - 1, step, known) for step in (-1, 1))
            entry.place(part, block, context=next(filter(None, near), ""))
    return tuple(entry.done() for entry in sorted(register.entries, key=lambda entry: _KINDS.index(entry.kind)))


def _nearest(blocks: list[AnyBlock], part: int, index: int, step: int, known: dict[tuple[int, int, int], str]) -> str:
    """The text just before (`step` -1) or after (1) a block: up to 200 characters. `known` keeps what was found from
    each block on, or thousands of pictures in a row would each look at all the others."""
    text, passed, at = "", list[tuple[int, int, int]](), index + step
    while not text and 0 <= at < len(blocks) and (part, at, step) not in known:
        passed.append((part, at, step))
        text = " ".join(text_of(visible(blocks[at])).split())[:200]
        at += step
    text = text or known.get((part, at, step), "")
    known.update(dict.fromkeys(passed, text))
    return text


def open_ref(source: Source, package: Package, ref: str) -> Payload:
    """The bytes behind an `Embed.ref`: unwrapped from OLE, fonts de-obfuscated.

    Raises:
        NotFoundError: the package has no such part.
        FormatError: the part is damaged."""
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
