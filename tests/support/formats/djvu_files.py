"""DjVu documents written chunk by chunk (DjVu 3 specification, chapter 8). What BZZ packs was packed by `bzz`, the tool
of DjVuLibre, from what is said beside it."""

from __future__ import annotations

import struct
from collections.abc import Sequence

__all__ = ["DIRECTORY", "NOTES", "OUTLINE", "TEXT", "chunk", "document", "page", "text"]

TEXT = bytes.fromhex(
    "ffffac98ba13641420e897cbdd5182a74898fab4aff1f83716ea70f1de521113bc89c4ab176fbc876cf0b32d8c24c7f3a49af9f220a54f397f"
    "ec43be491e6b360b39f02b7f"
)
""""The kakapo can-", "not fly.", end of a paragraph, "It climbs — höher als gedacht.", end of a column; then zones."""
DIRECTORY = bytes.fromhex("ffffd1bf8a1fbd7cc7f3cd0a950e05b0aefeac8bad64441fdd73a5bc8b018a76f66520df")
"""Three files: shared.iff, which is not a page, p0001.djvu and p0002.djvu."""
OUTLINE = bytes.fromhex(
    "ffffb2fe85d1c19f797d3154193f203c7825c599def2671de7686c8d594bdb8e2ed6b3b13298b20bb39be517656bad1de243663817f1a99b66"
    "cc359395a19de55a25b4c88f"
)
""""Birds" to #p0001.djvu, below it "Flight" to #2, then "Elsewhere" to https://example.org/."""
NOTES = bytes.fromhex(
    "ffff3cfeb6ce7c7ddb8bdc75275c7f6cdec01b772f81787c95d69072e49c2649ee9cd2e188ed793206cc7ae54d7b2c40c924e8f2f4868570e5"
    "4e3d4c4a928552226e14056ad67908f524e15e8ae45226ae2d6468f7448c3ba7b33b2804ba45ff2c4131e8ac090adee64e6f770454918b6bc9"
    "5cba0cd4b1d8197e59d6d02a9213bfd1bbac43d7686e8e999209dcc45f"
)
"""Properties (author R. Parrot, title: A "night" bird), a link to https://example.org/kakapo, one to the next page."""


def chunk(kind: bytes, content: bytes) -> bytes:
    """A chunk, on an even place as the next must be."""
    return struct.pack(">4sI", kind, len(content)) + content + bytes(len(content) % 2)


def text(said: str) -> bytes:
    """A text chunk that is not packed."""
    raw = said.encode()
    return chunk(b"TXTa", len(raw).to_bytes(3, "big") + raw)


def page(*chunks: bytes) -> bytes:
    """A page of 2,550 by 3,300 dots, 300 to the inch."""
    info = struct.pack(">HHBB", 2550, 3300, 26, 0) + struct.pack("<H", 300) + b"\x16\x01"
    return b"DJVU" + chunk(b"INFO", info) + b"".join(chunks)


def document(pages: Sequence[bytes], *, shared: bytes = b"", outline: bytes = b"", bundled: bool = True) -> bytes:
    """A file of one page, or one of two pages that lists them after what they share."""
    if len(pages) == 1:
        return b"AT&T" + chunk(b"FORM", pages[0])
    files = [chunk(b"FORM", content) for content in (b"DJVI" + shared, *pages)]
    head = bytes((0x81 if bundled else 1,)) + struct.pack(">H", len(files))
    size = len(head) + 4 * len(files) + len(DIRECTORY)
    between = chunk(b"NAVM", outline) if outline else b""
    at = 16 + 8 + size + size % 2 + len(between)
    places: list[int] = []
    for one in files:
        places.append(at)
        at += len(one)
    listed = chunk(b"DIRM", head + struct.pack(f">{len(places)}I", *places) + DIRECTORY)
    return b"AT&T" + chunk(b"FORM", b"DJVM" + listed + between + b"".join(files))
