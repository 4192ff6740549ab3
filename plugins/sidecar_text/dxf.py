"""Drawings in AutoCAD's exchange format (DXF, Autodesk's "DXF Reference"): the words in them, block by block.

A file is pairs of lines, a code and a value. Read are texts, dimensions that are written over, attributes with their
tags, leaders and tables; lines, places and looks are not."""

import re
from collections.abc import Iterator
from typing import Final

from sidecar.api import AnyBlock, Heading, Paragraph

_FORMAT: Final = re.compile(r"\\(?:[ACcHQTWpf][^;\\{}]{0,200};|[LlOoKkNX])|\\F[^;]{0,200};|[{}]")
_STACKED: Final = re.compile(r"\\S([^;]{0,200});")
_UNICODE: Final = re.compile(r"\\U\+([0-9A-Fa-f]{4})")
_SIGNS: Final = {"%%d": "°", "%%p": "±", "%%c": "Ø", "%%u": "", "%%o": "", "%%k": "", "%%%": "%"}
_SIGN: Final = re.compile(r"%%(?:[dpcuokDPCUOK]|%)")
_TEXTS: Final = {
    "TEXT": ("1",), "MTEXT": ("3", "1"), "DIMENSION": ("1",), "MULTILEADER": ("304",), "MLEADER": ("304",),
    "ACAD_TABLE": ("302", "1"), "ARC_DIMENSION": ("1",), "TOLERANCE": ("1",),
}  # fmt: skip
"""Entities with words → the codes these stand under, in order."""
_LONG: Final = 600
"""Characters of a paragraph that following texts are added to: those of a drawing are short."""
_MAX_LAYERS: Final = 50


def is_dxf(text: str) -> bool:
    """Whether a text begins as a drawing does: with a section, or with comments before it."""
    return re.match(r"(?:\s*999\r?\n[^\n]*\n)*\s*0\s*\n\s*SECTION\s*\n", text[:4000]) is not None


def read_dxf(text: str) -> tuple[list[AnyBlock], dict[str, str]]:
    """What the drawing says, then each of its blocks that has words under its name; and the metadata."""
    words: dict[str, list[str]] = {"": []}
    layers: dict[str, None] = {}
    section = block = ""
    for kind, values in _records(text.splitlines()):
        if kind == "SECTION":
            section, block = _first(values, "2"), ""
        elif kind == "BLOCK":
            block = _first(values, "2")
        elif kind == "ENDBLK":
            block = ""
        elif kind == "LAYER" and section == "TABLES":
            layers.setdefault(_first(values, "2"))
        if written := _words(kind, values):
            words.setdefault("" if block.startswith("*") else block, []).append(written)  # a star: the program's own
    blocks: list[AnyBlock] = []
    for name, texts in words.items():
        blocks += [Heading(text=name, level=2)] if name else []
        blocks += _paragraphs(texts)
    shown = [name for name in layers if name not in ("", "0")][:_MAX_LAYERS]
    return blocks, {"layers": ", ".join(shown)} if shown else {}


def _paragraphs(texts: list[str]) -> Iterator[Paragraph]:
    """The texts, short ones together."""
    kept: list[str] = []
    size = 0
    for text in texts:
        if kept and size + len(text) > _LONG:
            yield Paragraph(text="\n".join(kept))
            kept, size = [], 0
        kept.append(text)
        size += len(text)
    if kept:
        yield Paragraph(text="\n".join(kept))


def _records(lines: list[str]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Each thing of the drawing with its codes and values."""
    kind, values = "", list[tuple[str, str]]()
    for at in range(0, len(lines) - 1, 2):
        code, value = lines[at].strip(), lines[at + 1]
        if code == "0":
            if kind:
                yield kind, values
            kind, values = value.strip(), []
        else:
            values.append((code, value))
    if kind:
        yield kind, values


def _first(values: list[tuple[str, str]], wanted: str) -> str:
    return next((value.strip() for code, value in values if code == wanted), "")


def _words(kind: str, values: list[tuple[str, str]]) -> str:
    """What a thing says; "" where that is nothing, or a sign alone."""
    if kind in ("ATTRIB", "ATTDEF"):
        tag, value = _first(values, "2"), _plain(_first(values, "1"))
        value = value or (_plain(_first(values, "3")) if kind == "ATTDEF" else "")
        return (f"{tag}: {value}" if tag else value) if value else ""
    text = "".join(value for wanted in _TEXTS.get(kind, ()) for code, value in values if code == wanted)
    text = "\n".join(line for line in map(str.strip, _plain(text).split("\n")) if line)
    return text if any(map(str.isalnum, text)) else ""


def _plain(text: str) -> str:
    """A text without the codes of its looks."""
    text = (
        _UNICODE.sub(lambda found: chr(int(found[1], 16)), text)
        .encode("utf-16-le", "surrogatepass")
        .decode("utf-16-le", "replace")
    )
    text = text.replace("\\P", "\n").replace("\\~", " ").replace("^J", "\n").replace("^I", "\t")
    text = _STACKED.sub(lambda found: found[1].replace("#", "/").replace("^", "/").strip(), text)
    text = _SIGN.sub(lambda found: _SIGNS[found[0].lower()], text)
    kept = text.replace("\\\\", "\0").replace("\\{", "\1").replace("\\}", "\2")
    return _FORMAT.sub("", kept).replace("\0", "\\").replace("\1", "{").replace("\2", "}")
