"""Cursors of `resources/list`: where the next page begins, by key and not by offset, so that changes never shift it."""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass
from typing import Any

__all__ = ["Cursor", "decode_cursor", "encode_cursor"]

_VERSION = 1


@dataclass(frozen=True)
class Cursor:
    """`stage` counts the sources that are listed one after the other, `after` is the last key given in that one."""

    stage: int
    after: str


def encode_cursor(cursor: Cursor) -> str:
    """Opaque to clients; the inverse of `decode_cursor`."""
    record = json.dumps([_VERSION, cursor.stage, cursor.after], ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(record.encode("utf-8", "surrogatepass")).decode().rstrip("=")


def decode_cursor(text: str) -> Cursor:
    """Raises ValueError for anything `encode_cursor` did not make."""
    try:
        padded = text + "=" * (-len(text) % 4)
        record: Any = json.loads(base64.b64decode(padded, b"-_", validate=True).decode("utf-8", "surrogatepass"))
    except (binascii.Error, UnicodeError, ValueError, RecursionError) as error:
        raise ValueError("not a cursor of this server") from error
    match record:
        case [1, int(stage), str(after)] if not isinstance(stage, bool) and stage >= 0:
            found = Cursor(stage, after)
        case _:
            raise ValueError("not a cursor of this server")
    if encode_cursor(found) != text.rstrip("="):
        raise ValueError("not a cursor of this server")
    return found
