"""Writers of binary containers for samples: zip packages with a stored first member, OLE compound files, PDF."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

__all__ = ["compound_file", "make_pdf", "make_zip"]

_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def make_zip(members: Mapping[str, bytes], stored: Sequence[str] = ()) -> bytes:
    """A zip of the members in order. Times are fixed, so that the same members give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        for name, data in members.items():
            info = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_STORED if name in stored else zipfile.ZIP_DEFLATED
            package.writestr(info, data)
    return out.getvalue()


@dataclass
class _Entry:
    name: str
    kind: int
    data: bytes = b""
    children: dict[str, _Entry] = field(default_factory=dict)
    number: int = 0
    start: int = _END
    right: int = _FREE


def compound_file(streams: Mapping[str, bytes]) -> bytes:
    """An OLE compound file (MS-CFB, version 3) of streams by path ("storage/stream").

    Siblings hang as a list on their right links: a valid, unbalanced tree.
    """
    root = _Entry("Root Entry", 5)
    for path, data in streams.items():
        at = root
        *folders, name = path.split("/")
        for folder in folders:
            at = at.children.setdefault(folder, _Entry(folder, 1))
        at.children[name] = _Entry(name, 2, data)
    entries: list[_Entry] = []
    _number(root, entries)
    mini = bytearray()
    mini_fat: list[int] = []
    fat: list[int] = []
    body = bytearray()

    def store(data: bytes) -> int:
        if not data:
            return _END
        first, count = len(fat), -(-len(data) // 512)
        fat.extend(range(first + 1, first + count))
        fat.append(_END)
        body.extend(data.ljust(count * 512, b"\0"))
        return first

    for entry in entries:
        if entry.kind != 2 or not entry.data:
            continue
        if len(entry.data) >= 4096:
            entry.start = store(entry.data)
            continue
        entry.start, count = len(mini_fat), -(-len(entry.data) // 64)
        mini_fat.extend(range(entry.start + 1, entry.start + count))
        mini_fat.append(_END)
        mini.extend(entry.data.ljust(count * 64, b"\0"))
    root.start, root.data = store(bytes(mini)), bytes(mini)
    directory = store(b"".join(map(_directory_entry, entries)).ljust(-(-len(entries) // 4) * 512, b"\0"))
    mini_table = struct.pack(f"<{len(mini_fat)}I", *mini_fat)
    mini_start = store(mini_table.ljust(-(-len(mini_table) // 512) * 512, b"\xff"))
    tables = -(-(len(fat) + 1) // 127)
    positions = list(range(len(fat), len(fat) + tables))
    fat += [_FAT] * tables
    body += struct.pack(f"<{len(fat)}I", *fat).ljust(tables * 512, b"\xff")
    header = struct.pack(
        "<8s16xHHHHH6xIIIIIIIII", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0x3E, 3, 0xFFFE, 9, 6, 0, tables, directory,
        0, 4096, mini_start, -(-len(mini_table) // 512), _END, 0,
    )  # fmt: skip
    difat = struct.pack("<109I", *(positions + [_FREE] * (109 - tables)))
    return header + difat + bytes(body)


def _number(entry: _Entry, entries: list[_Entry]) -> None:
    entry.number = len(entries)
    entries.append(entry)
    ordered = sorted(entry.children.values(), key=lambda child: (len(child.name), child.name.upper()))
    for child in ordered:
        _number(child, entries)
    for child, following in pairwise(ordered):
        child.right = following.number


def _directory_entry(entry: _Entry) -> bytes:
    name = entry.name.encode("utf-16-le") + b"\0\0"
    first = min((child.number for child in entry.children.values()), default=_FREE)
    size = len(entry.data) if entry.kind in (2, 5) else 0
    start = entry.start if entry.kind in (2, 5) else 0
    return struct.pack(
        "<64sHBBIII36xIQ", name, len(name), entry.kind, 1, _FREE, entry.right, first, start & 0xFFFFFFFF, size
    )  # fmt: skip


def make_pdf(pages: Sequence[str]) -> bytes:
    """A PDF of one line of Helvetica a page, with title and outline (ISO 32000-1)."""
    count = len(pages)
    objects: list[bytes] = [
        b"<< /Type /Catalog /Pages 2 0 R /Outlines 4 0 R >>",
        f"<< /Type /Pages /Kids [{' '.join(f'{6 + 2 * n} 0 R' for n in range(count))}] /Count {count} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Type /Outlines /First 5 0 R /Last 5 0 R /Count 1 >>",
        b"<< /Title (First) /Parent 4 0 R /Dest [6 0 R /Fit] >>",
    ]
    for number, text in enumerate(pages):
        stream = f"BT /F1 18 Tf 72 700 Td ({text}) Tj ET".encode()
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {7 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n".encode() + stream + b"\nendstream")
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    offsets: list[int] = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{offset:010} 00000 n \n".encode() for offset in offsets)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)
