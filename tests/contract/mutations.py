"""Makes bad files out of good ones: cut short, flipped, renamed, hollowed. Deterministic, so that a failure repeats."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from support.office.docx_files import packed

__all__ = ["Case", "bad_cases"]

_CUTS = 14
_FLIPS = 16


@dataclass(frozen=True)
class Case:
    label: str
    name: str
    data: bytes


def bad_cases(samples: Mapping[str, bytes], suffixes: tuple[str, ...], foreign: Mapping[str, bytes]) -> Iterator[Case]:
    """Cases for one plugin: its own `samples` by file name, its suffixes, and sound files of other formats."""
    some = suffixes[0]
    yield Case("empty", f"empty{some}", b"")
    yield Case("blank", f"blank{some}", b" \n\t\r\n")
    yield Case("one byte", f"one{some}", b"\x00")
    yield Case("NUL bytes", f"nul{some}", bytes(5000))
    yield Case("0xFF bytes", f"ff{some}", b"\xff" * 5000)
    chance = random.Random(20260101)
    for number in range(6):
        yield Case(f"random {number}", f"random{some}", chance.randbytes(10 ** (number % 5) + number))
    for name, data in foreign.items():
        yield Case(f"foreign {name}", f"foreign{some}", data)
    for name, data in samples.items():
        yield from _spoiled(name, data, chance)


def _spoiled(name: str, data: bytes, chance: random.Random) -> Iterator[Case]:
    stem, dot, suffix = name.rpartition(".")
    yield Case(f"{name} renamed", f"{stem or 'bare'}.unknown", data)
    yield Case(f"{name} without suffix", stem or "bare", data)
    yield Case(f"{name} twice", name, data + data)
    yield Case(f"{name} behind noise", name, b"noise\n" + data)
    yield Case(f"{name} with a tail", name, data + chance.randbytes(2000))
    cuts = {1, 2, 4, 7, 16, len(data) - 1, len(data) - 5} | {len(data) * at // _CUTS for at in range(1, _CUTS)}
    for cut in sorted(cut for cut in cuts if 0 < cut < len(data)):
        yield Case(f"{name} cut at {cut}", name, data[:cut])
    for number in range(_FLIPS):
        yield Case(f"{name} flipped {number}", name, _flipped(data, chance, 1 + number % 4 * 20))
    if data.startswith(b"PK") and dot and suffix:
        yield from _inner(name, data, chance)


def _flipped(data: bytes, chance: random.Random, count: int) -> bytes:
    spoiled = bytearray(data)
    for _ in range(count):
        spoiled[chance.randrange(len(spoiled))] ^= 1 << chance.randrange(8)
    return bytes(spoiled)


def _inner(name: str, data: bytes, chance: random.Random) -> Iterator[Case]:
    """A zip package whose members are spoiled behind a valid zip: the checksums hold, the content does not."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        members = {info.filename: package.read(info) for info in package.infolist()}
    for member, content in members.items():
        yield Case(f"{name} without {member}", name, packed({k: v for k, v in members.items() if k != member}))
        if not content:
            continue
        for label, spoiled in (
            ("emptied", b""),
            ("halved", content[: len(content) // 2]),
            ("flipped", _flipped(content, chance, 12)),
            ("random", chance.randbytes(min(len(content), 4000))),
            ("replaced", b"<?xml version='1.0'?><unrelated><thing a='1'>text</thing></unrelated>"),
        ):
            yield Case(f"{name} with {member} {label}", name, packed({**members, member: spoiled}))
