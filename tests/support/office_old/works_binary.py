"""Publications of Publisher and texts of Works written byte by byte."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from contract.containers import compound_file

__all__ = ["publication", "quill", "works_4"]

_TABLE = 0x18


def quill(chunks: Sequence[tuple[str, bytes]], magic: bytes = b"CHNKINK ", in_table: int = 20) -> bytes:
    """A Quill stream; its chunks by kind, `in_table` in each table."""
    out = bytearray(magic.ljust(_TABLE, b"\0"))
    groups = [chunks[at : at + in_table] for at in range(0, len(chunks), in_table)] or [[]]
    for number, group in enumerate(groups):
        data = len(out) + 8 + 24 * len(group)
        entries, bodies = b"", b""
        for kind, body in group:
            entries += struct.pack("<H4s6x4sII", 24, kind.encode(), kind.encode(), data + len(bodies), len(body))
            bodies += body
        following = data + len(bodies) if number + 1 < len(groups) else 0xFFFFFFFF
        out += struct.pack("<HHI", 8 + len(entries), len(group), following) + entries + bodies
    return bytes(out)


def publication(text: str, *, escher: bytes = b"") -> bytes:
    """A publication of one story, with picture records."""
    streams = {"Quill/QuillSub/CONTENTS": quill([("FDPP", b"..."), ("TEXT", text.encode("utf-16-le"))], in_table=1)}
    return compound_file(streams | {"Contents": b"..", "Escher/EscherDelayStm": escher})


def works_4(text: bytes) -> bytes:
    """A text of Works 4."""
    head = bytearray(b"\x06\xfe".ljust(0x100, b"\0"))
    head[0x26:0x2A] = struct.pack("<I", 0x100 + len(text))
    return compound_file({"MN0": bytes(head) + text + b"formats", "MatOST/MatadorObject": b".."})
