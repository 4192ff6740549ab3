"""dBase tables written byte by byte, as dBASE III, Visual FoxPro and, with version 4, dBASE 7 do."""

from __future__ import annotations

import struct
from collections.abc import Sequence

__all__ = ["dbase"]

Field = tuple[str, str, int, int]
"""Name, type, size in bytes, decimals."""


def dbase(
    fields: Sequence[Field],
    records: Sequence[Sequence[bytes]],
    *,
    version: int = 3,
    driver: int = 3,
    deleted: Sequence[int] = (),
    encoding: str = "cp1252",
) -> bytes:
    """A table; each record's values are given as their bytes, and padded with blanks."""
    level_7 = version & 7 == 4
    described = bytes(36 if level_7 else 0) + b"".join(
        name.encode(encoding).ljust(32, b"\0") + kind.encode() + bytes((size, decimals)) + bytes(13) if level_7 else
        name.encode(encoding).ljust(11, b"\0") + kind.encode() + bytes(4) + bytes((size % 256, decimals or size // 256))
        + bytes(14)
        for name, kind, size, decimals in fields
    )  # fmt: skip
    header = 32 + len(described) + 1
    width = 1 + sum(size for _, _, size, _ in fields)
    start = struct.pack("<BBBBIHH17xB2x", version, 124, 2, 29, len(records), header, width, driver)
    rows = (
        (b"*" if number in deleted else b" ")
        + b"".join(value.ljust(size) for value, (_, _, size, _) in zip(record, fields, strict=True))
        for number, record in enumerate(records)
    )
    return start + described + b"\r" + b"".join(rows) + b"\x1a"
