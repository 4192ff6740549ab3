"""WordPerfect documents written byte by byte."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

__all__ = ["document_5", "document_6", "group_5", "group_6"]

_SUMMARY, _TEXT = 0x12, 0x08


def group_6(code: int, kind: int, referred: Sequence[int] = ()) -> bytes:
    """A function of variable size of WordPerfect 6; `referred` are numbers of texts in the prefix."""
    more = struct.pack("<B", len(referred)) + struct.pack(f"<{len(referred)}H", *referred) if referred else b""
    size = 5 + len(more) + 2 + 3
    head = struct.pack("<BBHB", code, kind, size, 0x80 if referred else 0)
    return head + more + bytes(2) + struct.pack("<HB", size, code)


def group_5(code: int, kind: int, data: bytes = b"") -> bytes:
    """A function of variable size of WordPerfect 5."""
    size = len(data) + 4
    return struct.pack("<BBH", code, kind, size) + data + struct.pack("<HBB", size, kind, code)


def document_6(
    text: bytes, *, texts: Sequence[bytes] = (), facts: Mapping[int, str] | None = None, key: int = 0
) -> bytes:
    """A document of WordPerfect 6; `texts` are kept in its prefix from number 1."""
    packets = [(_TEXT, struct.pack("<HII", 1, 0, len(one)) + one) for one in texts]
    said = b""
    for number, value in (facts or {}).items():
        words = b"".join(bytes((ord(one), 0)) for one in f"Name\0{value}\0")
        said += struct.pack("<HHH", 6 + len(words), number, 0) + words
    packets.append((_SUMMARY, said))
    place = 16 + 14 * (len(packets) + 1)
    entries = b""
    for kind, data in packets:
        entries += struct.pack("<BBHHII", 0, kind, 1, 0, len(data), place)
        place += len(data)
    head = struct.pack("<4sIBBBBHH", b"\xffWPC", place, 1, 10, 2, 1, key, 16)
    index = struct.pack("<HH", 0, len(packets) + 1).ljust(14, b"\0")
    return head + index + entries + b"".join(data for _, data in packets) + text


def document_5(text: bytes) -> bytes:
    """A document of WordPerfect 5.1."""
    return struct.pack("<4sIBBBBHH", b"\xffWPC", 16, 1, 10, 0, 1, 0, 0) + text
