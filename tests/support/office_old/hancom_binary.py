"""Hancom documents of version 5 (.hwp) written record by record, for tests of what reads them."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

from contract.containers import compound_file

Piece = str | tuple[str, bytes] | tuple[int, str]
"""A piece of a paragraph: its text, a control (its name, the records below it) or text in a look of characters."""
LEVEL_1, LEVEL_2, NUMBERED, BULLETED = 1, 2, 3, 4
"""Shapes of paragraphs; 0 is the body's."""
_WIDE = {"tbl ": 11, "gso ": 11, "eqed": 11, "%hlk": 3, "fn  ": 17, "en  ": 17, "head": 16, "foot": 16, "atno": 18,
         "tcmt": 15, "secd": 2, "cold": 2}  # fmt: skip


def record(kind: int, level: int, data: bytes = b"") -> bytes:
    size = min(len(data), 0xFFF)
    long = struct.pack("<I", len(data)) if size == 0xFFF else b""
    return struct.pack("<I", kind | level << 10 | size << 20) + long + data


def para(*pieces: Piece, shape: int = 0, level: int = 0) -> bytes:
    """A paragraph with its text and controls, at a level of the tree."""
    text, looks, controls = b"", list[tuple[int, int]](), b""
    for piece in pieces:
        look = 0
        if isinstance(piece, tuple) and isinstance(piece[1], bytes):
            code = _WIDE[str(piece[0])]
            text += struct.pack("<H4s8xH", code, str(piece[0]).encode()[::-1], code)
            controls += piece[1]
        else:
            look, words = piece if isinstance(piece, tuple) else (0, piece)
            looks.append((len(text) // 2, int(look)))
            text += str(words).replace("\t", "\t\0\0\0\0\0\0\t").encode("utf-16-le")
        if not looks:
            looks.append((0, 0))
    text += b"\r\0"
    head = struct.pack("<IIHBBHHHI", len(text) // 2, 0, shape, 0, 0, len(looks), 0, 0, 0)
    return (
        record(66, level, head) + record(67, level + 1, text)
        + record(68, level + 1, b"".join(struct.pack("<II", *one) for one in looks)) + controls
    )  # fmt: skip


def inside(*paragraphs: bytes, level: int, cell: bytes = b"") -> bytes:
    """A list of paragraphs made for that level."""
    return record(72, level, struct.pack("<HIH", len(paragraphs), 0, 0) + cell) + b"".join(paragraphs)


def control(name: str, below: bytes, data: bytes = b"", level: int = 1) -> tuple[str, bytes]:
    return name, record(71, level, name.encode()[::-1] + data) + below


def note(name: str, *pieces: Piece) -> tuple[str, bytes]:
    return control(name, inside(para(*pieces, level=2), level=2), bytes(16))


def table(
    rows: Sequence[Sequence[str]], *, wide: int = 1, repeated: bool = False, caption: str = ""
) -> tuple[str, bytes]:
    """A table whose first cell spans `wide` columns."""
    columns = max(map(len, rows))
    below = inside(para(caption, level=2), level=2, cell=bytes(22)) if caption else b""
    below += record(77, 2, struct.pack("<IHH", 4 * repeated, len(rows), columns) + bytes(14 + 2 * len(rows)))
    for r, row in enumerate(rows):
        col = 0
        for text in row:
            span = wide if r == col == 0 else 1
            below += inside(para(text, level=2), level=2, cell=struct.pack("<4H", col, r, span, 1) + bytes(22))
            col += span
    return control("tbl ", below, bytes(40))


def picture(number: int) -> tuple[str, bytes]:
    return control("gso ", record(76, 2, b"cip$" * 2) + record(85, 3, bytes(71) + struct.pack("<H", number)), bytes(40))


def box(*paragraphs: bytes) -> tuple[str, bytes]:
    """A drawn box with paragraphs made for level 3."""
    return control(
        "gso ", record(76, 2, b"cer$" * 2) + inside(*paragraphs, level=3) + record(79, 3, bytes(20)), bytes(40)
    )


def equation(script: str) -> tuple[str, bytes]:
    data = struct.pack("<IH", 0, len(script)) + script.encode("utf-16-le") + bytes(8)
    return control("eqed", record(88, 2, data), bytes(40))


def link(target: str) -> tuple[str, bytes]:
    command = f"{target};1;0;0;".encode("utf-16-le")
    return control("%hlk", b"", struct.pack("<IBH", 0, 0, len(command) // 2) + command + bytes(4))


FIELD_END = "\x04" + "\0" * 6 + "\x04"


def hwp(*sections: bytes, picture: bytes = b"", flags: int = 1) -> bytes:
    """A document of sections, packed unless `flags` say otherwise; `picture` is its first embedded file."""

    def packed(data: bytes) -> bytes:
        if not flags & 1:
            return data
        packer = zlib.compressobj(wbits=-15)
        return packer.compress(data) + packer.flush()

    facts = record(18, 0, struct.pack("<HHH", 1, 1, 3) + "png".encode("utf-16-le")) if picture else b""
    for height, marks in ((1000, 0), (1000, 2), (100, 0)):
        facts += record(21, 0, bytes(42) + struct.pack("<iI", height, marks) + bytes(22))
    for kind, level in ((0, 0), (1, 0), (1, 1), (2, 0), (3, 1)):
        facts += record(25, 0, struct.pack("<I", kind << 23 | level << 25) + bytes(50))
    title = "Plan".encode("utf-16-le") + b"\0\0"
    summary = bytes(28) + bytes(16) + struct.pack("<I", 48)
    summary += struct.pack("<IIII", 24 + len(title), 1, 2, 16) + struct.pack("<II", 31, 5) + title
    head = b"HWP Document File".ljust(32, b"\0") + bytes((0, 0, 0, 5)) + struct.pack("<I", flags)
    streams = {"FileHeader": head.ljust(256, b"\0"), "DocInfo": packed(facts), "\x05HwpSummaryInformation": summary}
    streams |= {f"BodyText/Section{number}": packed(section) for number, section in enumerate(sections)}
    if picture:
        streams["BinData/BIN0001.png"] = packed(picture)
    return compound_file(streams)
