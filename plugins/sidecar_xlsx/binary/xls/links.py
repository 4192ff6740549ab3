"""Where a hyperlink leads ([MS-XLS] 2.4.140 HLINK, [MS-OSHARED] 2.3.7.1)."""

from typing import Final

from sidecar_xlsx.binary.xls.records import RecordReader

_MONIKER, _DISPLAY, _FRAME, _LOCATION, _AS_TEXT = 0x1, 0x10, 0x80, 0x8, 0x100
_URL: Final = bytes.fromhex("e0c9ea79f9bace118c8200aa004ba90b")
_FILE: Final = bytes.fromhex("0303000000000000c000000000000046")
_FILE_TAIL: Final = 24
"""Bytes between a file's short path and its long one: a version and what is kept for later."""


def read_link(data: bytes) -> tuple[str, str, str]:
    """The target (an address or a path, "" for this workbook), the place in it, and the text shown."""
    strings = RecordReader((data,), "", 0, 4)
    flags = strings.number(4)
    display = _text(strings) if flags & _DISPLAY else ""
    if flags & _FRAME:
        _text(strings)
    target = ""
    if flags & _MONIKER:
        target = _text(strings) if flags & _AS_TEXT else _moniker(strings)
    location = _text(strings) if flags & _LOCATION else ""
    return target, location, display


def _text(strings: RecordReader) -> str:
    return _ended(strings.take(2 * strings.number(4)))


def _ended(raw: bytes) -> str:
    return raw.decode("utf-16-le", "replace").partition("\0")[0]


def _moniker(strings: RecordReader) -> str:
    kind = strings.take(16)
    if kind == _URL:
        return _ended(strings.take(strings.number(4)))
    if kind != _FILE:
        return ""
    up = strings.number(2)
    short = strings.take(strings.number(4)).partition(b"\0")[0].decode("cp1252", "replace")
    strings.skip(_FILE_TAIL)
    long = ""
    if strings.number(4):
        size = strings.number(4)
        strings.skip(2)
        long = _ended(strings.take(size))
    return "../" * min(up, 20) + (long or short).replace("\\", "/")
