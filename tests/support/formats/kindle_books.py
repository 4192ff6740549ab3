"""Kindle books made record by record: plain, packed as PalmDOC does, or by prefix codes; MOBI, KF8, PalmDOC alone."""

from __future__ import annotations

import struct

from contract.pictures import PNG

__all__ = ["kindle", "palm_text"]


def _database(records: list[bytes], mark: bytes) -> bytes:
    at = 78 + 8 * len(records) + 2
    head = b"A book".ljust(32, b"\0") + bytes(28) + mark + bytes(8) + struct.pack(">H", len(records))
    listed = b""
    for number, record in enumerate(records):
        listed += struct.pack(">II", at, number)
        at += len(record)
    return head + listed + b"\0\0" + b"".join(records)


def _palmdoc(data: bytes) -> bytes:
    """Letters as they are, spaces before letters in one byte, and what was there up to ten bytes long."""
    out, at = bytearray(), 0
    while at < len(data):
        length = next((n for n in range(10, 3, -1) if data[at : at + n] in data[max(at - 2000, 0) : at]), 0)
        if length and at + length <= len(data):
            distance = at - data.rindex(data[at : at + length], max(at - 2000, 0), at)
            out += (0x8000 | distance << 3 | length - 3).to_bytes(2, "big")
            at += length
        elif data[at] == 0x20 and at + 1 < len(data) and 0x40 <= data[at + 1] < 0x80:
            out.append(data[at + 1] ^ 0x80)
            at += 2
        elif data[at] >= 0x80:
            out += bytes((1, data[at]))
            at += 1
        else:
            out.append(data[at])
            at += 1
    return bytes(out)


def _huffman(data: bytes) -> tuple[bytes, list[bytes]]:
    """Codes of eight bits, one a byte, the last of which stands for two bytes packed again; and the tables."""
    phrases = [bytes([byte]) for byte in range(255)]
    # The highest code is the first phrase.
    packed = bytes(255 - phrases.index(bytes([byte])) for byte in data.replace(b"ee", b"\xff").replace(b"\xff", b"ee"))
    short = struct.pack(">256I", *(255 << 8 | 0x80 | 8 for _ in range(256)))
    huff = b"HUFF" + struct.pack(">III", 24, 24, 24 + 1024) + bytes(8) + short + struct.pack(">64I", *[0] * 64)
    bodies, offsets, at = b"", b"", 2 * 256
    for phrase in [*phrases, bytes([255 - ord("e")] * 2)]:
        offsets += struct.pack(">H", at)
        flag = 0x8000 if len(phrase) == 1 else 0
        bodies += struct.pack(">H", len(phrase) | flag) + phrase
        at += 2 + len(phrase)
    cdic = b"CDIC" + struct.pack(">III", 16, 256, 8) + offsets + bodies
    return packed.replace(bytes([255 - ord("e")] * 2), b"\0"), [huff, cdic]


def kindle(html: str, *, packing: str = "palmdoc", version: int = 6, locked: bool = False, cut: int = 0) -> bytes:
    """A book with a title, an author and one picture; `cut` is where the first flow of a KF8 book ends."""
    text = html.encode()
    pieces = [text[at : at + 4096] for at in range(0, len(text), 4096)]
    tables: list[bytes] = []
    packed = [_palmdoc(piece) for piece in pieces] if packing == "palmdoc" else pieces
    if packing == "huffman":
        made = [_huffman(piece) for piece in pieces]
        packed, tables = [one for one, _ in made], made[0][1]
    records = [piece + b"\x00\x82" for piece in packed]  # one trailing entry of two bytes
    first_picture = 1 + len(records)
    huff = first_picture + 1
    exth = b""
    for kind, value in ((100, "Ann Smith"), (100, "Bob"), (503, "The book"), (524, "en")):
        exth += struct.pack(">II", kind, 8 + len(value)) + value.encode()
    exth = b"EXTH" + struct.pack(">II", 12 + len(exth), 4) + exth
    head = bytearray(248)
    code = {"plain": 1, "palmdoc": 2, "huffman": 17480}[packing]
    struct.pack_into(">HxxIHHH", head, 0, code, len(text), len(records), 4096, int(locked))
    head[16:20] = b"MOBI"
    struct.pack_into(">III", head, 20, 232, 2, 65001)
    struct.pack_into(">I", head, 36, version)
    struct.pack_into(">I", head, 104, version)
    struct.pack_into(">I", head, 108, first_picture)
    struct.pack_into(">II", head, 112, huff, len(tables))
    struct.pack_into(">I", head, 128, 0x40)
    struct.pack_into(">H", head, 242, 2)
    last = huff + len(tables)
    struct.pack_into(">I", head, 192, last)
    flows = b"FDST" + struct.pack(">IIII", 12, 1, 0, cut or len(text))
    return _database([bytes(head) + exth, *records, PNG, *tables, flows], b"BOOKMOBI")


def palm_text(text: str) -> bytes:
    """A text of PalmDOC itself."""
    packed = _palmdoc(text.encode("cp1252"))
    return _database([struct.pack(">HxxIHHHH", 2, len(text), 1, 4096, 0, 0), packed], b"TEXtREAd")
