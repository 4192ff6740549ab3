"""Avro object container files and SPSS's portable files, written record by record."""

from __future__ import annotations

import json
from typing import Any

AVRO_SYNC = bytes(range(16))
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRST"


def avro_long(value: int) -> bytes:
    """A long as Avro writes it: zigzag, in bytes of seven bits."""
    left = (value << 1) ^ (value >> 63)
    out = bytearray()
    while left >= 0x80:
        out.append(left & 0x7F | 0x80)
        left >>= 7
    return bytes([*out, left])


def avro_text(value: str | bytes) -> bytes:
    """A text or bytes behind their length."""
    data = value.encode() if isinstance(value, str) else value
    return avro_long(len(data)) + data


def avro(schema: Any, rows: list[bytes], codec: str = "null", pack: Any = bytes) -> bytes:
    """A file of one block of rows."""
    facts = {"avro.schema": json.dumps(schema).encode(), "avro.codec": codec.encode()}
    head = avro_long(len(facts)) + b"".join(avro_text(key) + avro_text(value) for key, value in facts.items())
    block = avro_long(len(rows)) + avro_text(pack(b"".join(rows)))
    return b"Obj\1" + head + avro_long(0) + AVRO_SYNC + block + AVRO_SYNC


def portable_number(value: int) -> str:
    """A whole number to the base of 30."""
    sign, left, digits = "-" * (value < 0), abs(value), ""
    while left:
        left, digit = divmod(left, 30)
        digits = _DIGITS[digit] + digits
    return f"{sign}{digits or '0'}/"


def portable_string(value: str) -> str:
    """A text behind its length."""
    return portable_number(len(value)) + value


def portable_variable(name: str, width: int, shown_as: int, label: str = "") -> str:
    """A variable: of no width a number."""
    shown = (portable_number(shown_as) + portable_number(8) + portable_number(2)) * 2
    described = "7" + portable_number(width) + portable_string(name) + shown
    return described + ("C" + portable_string(label) if label else "")


def portable(records: str, ending: str = "\r\n") -> bytes:
    """A file of these records, in lines of 80 characters."""
    text = ("ASCII SPSS PORT FILE".ljust(40) * 5) + "0" * 256 + "SPSSPORTA" + portable_string("20240301")
    text += portable_string("101500") + records
    text += "Z" * (80 - len(text) % 80)
    return "".join(text[at : at + 80].rstrip(" ") + ending for at in range(0, len(text), 80)).encode("latin-1")
