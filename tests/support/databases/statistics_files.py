"""Data sets of Stata, SPSS and SAS written field by field, after `help dta`, PSPP's "System File Format" and Shotwell's
"SAS7BDAT Database Binary Format"."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping, Sequence
from math import isnan

__all__ = ["SasVariable", "SpssVariable", "StataVariable", "ibm", "sas", "spss", "stata", "stata_old", "transport"]

StataVariable = tuple[str, int, str, str, str]
"""Name, type, format, name of the texts for its values, label."""
SpssVariable = tuple[str, int, int, str, Mapping[bytes, bytes]]
"""Name, width (0: a number), format, label, texts for values of eight bytes."""
SasVariable = tuple[str, int, int, str, str]
"""Name, kind (1: a number, 2: a text), size, format, label."""


def _fields(texts: Sequence[str], size: int, encoding: str = "utf-8") -> bytes:
    return b"".join(text.encode(encoding).ljust(size, b"\0") for text in texts)


def _labels(name: str, texts: Mapping[int, str], size: int, order: str, encoding: str) -> bytes:
    starts: list[int] = []
    written = b""
    for text in texts.values():
        starts.append(len(written))
        written += text.encode(encoding) + b"\0"
    table = struct.pack(f"{order}2i{2 * len(starts)}i", len(starts), len(written), *starts, *texts) + written
    return struct.pack(f"{order}i", len(table)) + _fields([name], size) + bytes(3) + table


def stata(
    variables: Sequence[StataVariable],
    cases: Sequence[bytes],
    *,
    order: str = "<",
    labels: Mapping[str, Mapping[int, str]] | None = None,
    long: Mapping[tuple[int, int], str] | None = None,
    title: str = "",
) -> bytes:
    """Release 118."""
    count = len(variables)
    head = (
        b"<header><release>118</release><byteorder>" + (b"LSF" if order == "<" else b"MSF") + b"</byteorder><K>"
        + struct.pack(f"{order}H", count) + b"</K><N>" + struct.pack(f"{order}Q", len(cases)) + b"</N><label>"
        + struct.pack(f"{order}H", len(title)) + title.encode() + b"</label><timestamp>\0</timestamp></header>"
    )  # fmt: skip
    gso = b"".join(
        b"GSO" + struct.pack(f"{order}IQBI", *key, 130, len(text.encode()) + 1) + text.encode() + b"\0"
        for key, text in (long or {}).items()
    )
    tables = b"".join(
        b"<lbl>" + _labels(name, texts, 129, order, "utf-8") + b"</lbl>" for name, texts in (labels or {}).items()
    )
    sections = [
        ("variable_types", struct.pack(f"{order}{count}H", *(one[1] for one in variables))),
        ("varnames", _fields([one[0] for one in variables], 129)),
        ("sortlist", bytes(2 * (count + 1))),
        ("formats", _fields([one[2] for one in variables], 57)),
        ("value_label_names", _fields([one[3] for one in variables], 129)),
        ("variable_labels", _fields([one[4] for one in variables], 321)),
        ("characteristics", b""),
        ("data", b"".join(cases)),
        ("strls", gso),
        ("value_labels", tables),
    ]
    places = [0, len(b"<stata_dta>" + head)]
    at = places[1] + 14 * 8 + len("<map></map>")
    for tag, content in sections:
        places.append(at)
        at += len(content) + 2 * len(tag) + 5
    places += [at, at + len("</stata_dta>")]
    body = b"".join(f"<{tag}>".encode() + content + f"</{tag}>".encode() for tag, content in sections)
    return b"<stata_dta>" + head + b"<map>" + struct.pack(f"{order}14Q", *places) + b"</map>" + body + b"</stata_dta>"


def stata_old(
    variables: Sequence[StataVariable],
    cases: Sequence[bytes],
    *,
    release: int = 114,
    order: str = "<",
    labels: Mapping[str, Mapping[int, str]] | None = None,
) -> bytes:
    """Releases 108 to 115."""
    name, shown = (33, 49 if release >= 114 else 12) if release >= 110 else (9, 12)
    head = struct.pack(f"{order}4BHI", release, 2 if order == "<" else 1, 1, 0, len(variables), len(cases))
    described = (
        bytes(one[1] for one in variables) + _fields([one[0] for one in variables], name)
        + bytes(2 * (len(variables) + 1)) + _fields([one[2] for one in variables], shown)
        + _fields([one[3] for one in variables], name) + _fields([one[4] for one in variables], 81, "cp1252")
    )  # fmt: skip
    tables = b"".join(_labels(key, texts, name, order, "cp1252") for key, texts in (labels or {}).items())
    end = bytes(5 if release >= 110 else 3)
    return head + b"Birds".ljust(81, b"\0") + bytes(18) + described + end + b"".join(cases) + tables


def spss(
    variables: Sequence[SpssVariable],
    slots: Sequence[bytes],
    *,
    cases: int = -1,
    packing: int = 0,
    order: str = "<",
    further: Mapping[int, bytes] | None = None,
) -> bytes:
    """A system file: plain, by codes (`packing` 1, every value written out) or deflated (2)."""
    head = b"$FL3" if packing == 2 else b"$FL2"
    head += b"@(#) SPSS DATA FILE".ljust(60) + struct.pack(f"{order}5i", 2, 0, packing, 0, cases)
    head += struct.pack(f"{order}d", 100.0) + b"01 Jan 2610:00:00" + b"Birds of the shore".ljust(64) + bytes(3)
    described, tables, slot = b"", b"", 0
    for name, width, shown, label, texts in variables:
        slot += 1
        first = slot
        described += struct.pack(
            f"{order}6i", 2, width, bool(label), 0, shown << 16, shown << 16
        ) + name.encode().ljust(8)
        if label:
            described += struct.pack(f"{order}i", len(label)) + label.encode() + bytes(-len(label) % 4)
        for _ in range(-(-width // 8) - 1):
            described += struct.pack(f"{order}6i", 2, -1, 0, 0, 0, 0) + bytes(8)
            slot += 1
        if texts:
            tables += struct.pack(f"{order}2i", 3, len(texts))
            for value, text in texts.items():
                tables += value + bytes([len(text)]) + text + bytes(-(len(text) + 1) % 8)
            tables += struct.pack(f"{order}3i", 4, 1, first)
    more = b"".join(
        struct.pack(f"{order}4i", 7, kind, 1, len(content)) + content for kind, content in (further or {}).items()
    )
    head += described + tables + more + struct.pack(f"{order}2i", 999, 0)
    if not packing:
        return head + b"".join(slots)
    codes = b""
    for first in range(0, len(slots), 8):
        group = slots[first : first + 8]
        codes += (b"\xfd" * len(group)).ljust(8, b"\xfc" if first + 8 >= len(slots) else b"\0") + b"".join(group)
    if packing == 1:
        return head + codes
    half = len(codes) // 2
    blocks = [zlib.compress(codes[:half]), zlib.compress(codes[half:])]
    start = len(head) + 24
    trailer = start + sum(map(len, blocks))
    listed = struct.pack(f"{order}2q2i", -100, 0, half, 2)
    listed += struct.pack(f"{order}2q2i", start, start, half, len(blocks[0]))
    listed += struct.pack(f"{order}2q2i", start + half, start + len(blocks[0]), len(codes) - half, len(blocks[1]))
    return head + struct.pack(f"{order}3q", len(head), trailer, len(listed)) + b"".join(blocks) + listed


def sas(
    variables: Sequence[SasVariable],
    cases: Sequence[bytes],
    *,
    wide: bool = True,
    order: str = "<",
    packing: bytes = b"",
    encoding: int = 20,
    page: int = 8192,
) -> bytes:
    """A .sas7bdat: a page of records and one of cases; with `packing` (its name) the cases are records, too."""
    word, number = (8, f"{order}q") if wide else (4, f"{order}i")
    texts = bytearray(struct.pack(f"{order}H", 0) + bytes(18) + packing.ljust(8, b"\0"))

    def kept(text: str) -> bytes:
        start = len(texts)
        raw = text.encode()
        texts.extend(raw + bytes(-len(raw) % 4))
        return struct.pack(f"{order}3H", 0, start, len(raw))

    def signed(value: int, rest: bytes) -> bytes:
        top = 0 if value >> 24 in (0xF7, 0xF6) else 0xFFFFFFFF
        return (top << 32 | value if wide else value).to_bytes(word, "little" if order == "<" else "big") + rest

    row = sum(size for _, _, size, _, _ in variables)
    sizes = bytearray(100 * word)
    for at, value in ((5, row), (6, len(cases)), (15, 0)):
        struct.pack_into(number, sizes, at * word, value)
    sizes[:word] = signed(0xF7F7F7F7, b"")
    names, places, looks, at = bytearray(8), bytearray(8), list[bytes](), 0
    for name, kind, size, form, label in variables:
        names += kept(name) + bytes(2)
        places += struct.pack(number, at) + struct.pack(f"{order}iHBB", size, 0, kind, 0)
        looks.append(signed(0xFFFFFBFE, bytes(2 * word + 22) + kept(form) + kept(label) + bytes(18)))
        at += size
    struct.pack_into(f"{order}H", texts, 0, len(texts))
    records = [
        (bytes(sizes), 0, 0), (signed(0xF6F6F6F6, struct.pack(number, len(variables)) + bytes(word)), 0, 0),
        (signed(0xFFFFFFFD, bytes(texts)), 0, 1), (signed(0xFFFFFFFF, bytes(names) + bytes(word + 4)), 0, 1),
        (signed(0xFFFFFFFC, bytes(places) + bytes(word + 4)), 0, 1), *((one, 0, 0) for one in looks),
    ]  # fmt: skip
    if packing:
        records += [(case, 4, 1) for case in cases]
    bits = 32 if wide else 16
    described = bytearray(page)
    struct.pack_into(f"{order}3H", described, bits, 0, len(records), len(records))
    end = page
    for position, (data, how, what) in enumerate(records):
        end -= len(data)
        described[end : end + len(data)] = data
        pointer = struct.pack(number, end) + struct.pack(number, len(data)) + bytes((how, what))
        start = bits + 8 + position * 3 * word
        described[start : start + len(pointer)] = pointer
    plain = bytearray(page)
    struct.pack_into(f"{order}3H", plain, bits, 0x0100, len(cases), 0)
    body = b"".join(cases)
    plain[bits + 8 : bits + 8 + len(body)] = body
    head = bytearray(1024)
    head[:32] = bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011")
    head[32], head[35], head[37], head[39], head[70] = (0x33 if wide else 0x22, 0x33, order == "<", 0x32, encoding)
    head[84:92], head[92:100], head[156:164] = b"SAS FILE", b"BIRDS   ", b"DATA    "
    struct.pack_into(f"{order}2i", head, 200, 1024, page)
    struct.pack_into(number, head, 208, 1 if packing else 2)
    return bytes(head + described + (b"" if packing else plain))


def ibm(value: float, size: int = 8) -> bytes:
    """A number as IBM's machines have it, its last bytes left out; NaN as SAS's missing value."""
    if isnan(value):
        return b"." + bytes(size - 1)
    if not value:
        return bytes(size)
    exponent, fraction = 64, abs(value)
    while fraction >= 1:
        fraction, exponent = fraction / 16, exponent + 1
    while fraction < 1 / 16:
        fraction, exponent = fraction * 16, exponent - 1
    whole = (exponent | (0x80 if value < 0 else 0)) << 56 | int(fraction * 2**56)
    return whole.to_bytes(8, "big")[:size]


def transport(
    variables: Sequence[tuple[str, int, str, str]], cases: Sequence[bytes], *, version: int = 5, label: str = "",
    more: bytes = b"",
) -> bytes:  # fmt: skip
    """A transport file of SAS: names, sizes (below 0 of texts), formats and labels of variables, and cases."""

    def head(kind: str, tail: str) -> bytes:
        return f"HEADER RECORD*******{kind:<8}HEADER RECORD!!!!!!!{tail:<30}  ".encode()

    def record(*fields: tuple[str, int]) -> bytes:
        return "".join(text.ljust(size) for text, size in fields).encode().ljust(80)

    kinds = ("LIBV8", "MEMBV8", "DSCPTV8", "NAMSTV8", "OBSV8") if version == 8 else (
        "LIBRARY", "MEMBER", "DSCRPTR", "NAMESTR", "OBS"
    )  # fmt: skip
    stamp = ("01JAN26:00:00:00", 16)
    described, place = b"", 0
    for number, (name, size, form, text) in enumerate(variables, 1):
        described += struct.pack(">4h", 1 if size > 0 else 2, 0, abs(size), number)
        described += name[:8].ljust(8).encode() + text.ljust(40).encode() + form.ljust(8).encode() + bytes(8)
        described += b" " * 8 + bytes(4) + struct.pack(">i", place) + name.ljust(32).encode() + bytes(20)
        place += abs(size)
    body = b"".join(cases)
    return b"".join([
        head(kinds[0], "0" * 30), record(("SAS", 8), ("SAS", 8), ("SASLIB", 8), ("9.4", 8), ("X64", 32), stamp),
        record(stamp), head(kinds[1], "000000000000000001600000000140"), head(kinds[2], "0" * 30),
        record(("SAS", 8), ("BIRDS", 32 if version == 8 else 8), ("SASDATA", 8), ("9.4", 8), ("X64", 8)),
        record(stamp, ("", 16), (label, 40)), head(kinds[3], f"000000{len(variables):04}" + "0" * 20),
        described.ljust(-(-len(described) // 80) * 80), head(kinds[4], "0" * 30),
        body.ljust(-(-len(body) // 80) * 80), more,
    ])  # fmt: skip
