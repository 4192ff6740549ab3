"""How each kind of workbook begins. Imports nothing: the plugin's class needs it, and so does what opens the file."""

from __future__ import annotations

import re
import struct

ZIP = b"PK\x03\x04"
OLDER_SHEETS = {0x009: 2, 0x209: 3, 0x409: 4}
"""Records that sheets of Excel 2, 3 and 4 begin with, as those of all later versions do with `_LATER_SHEETS`."""
_LATER_SHEETS, _EXCEL_5 = 0x809, 5
_SIZES = (4, 6, 8, 16)
"""Bytes of such a record; its second number says what follows: a workbook, sheet, chart, macros, or several of them."""
_CONTENTS = frozenset((0x05, 0x06, 0x10, 0x20, 0x40, 0x100, 0x1000))
"""The last one is what some programs write for a sheet."""
_HEAD_BYTES = 8
ODS = b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"
_XML_2003 = re.compile(
    rb"^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*+(?>(?:<\?.*?\?>|<!--.*?-->)\s*+)*+<(?:\w+:)?Workbook\b[^>]*?"
    rb"[\"']urn:schemas-microsoft-com:office:spreadsheet[\"']",
    re.DOTALL,
)
_GNUMERIC = b"http://www.gnome.org/gnumeric/"
_LOTUS = re.compile(
    rb"\x00\x00\x02\x00(?:[\x04-\x06]\x04|[\x20\x21]\x51|[\x01\x02\x04\x07]\x10)|"
    rb"\x00\x00\x1a\x00[\x00-\x05]\x10",
    re.DOTALL,
)
"""The record that begins a worksheet of Lotus 1-2-3, Works and Quattro Pro, with the versions that are read."""
_SYLK = re.compile(rb"ID;P\w")
_DIF = re.compile(rb"TABLE\r?\n0,\d")


def is_xml_2003(head: bytes) -> bool:
    """Whether a file that begins so is an XML Spreadsheet of Excel 2003."""
    return _XML_2003.match(head.replace(b"\0", b"")) is not None


def excel_version(head: bytes) -> int:
    """Excel's version by the first bytes of a stream of records, which its older files are and newer ones hold: 2 to 4,
    5 for that and all later, 0 where it is not a workbook."""
    if len(head) < _HEAD_BYTES:
        return 0
    kind, size, _, holds = struct.unpack_from("<4H", head)
    if size not in _SIZES or holds not in _CONTENTS:
        return 0
    return _EXCEL_5 if kind == _LATER_SHEETS else OLDER_SHEETS.get(kind, 0)


def exchanged_kind(head: bytes, suffix: str) -> str:
    """Which kind of another program's workbook begins so: "gnumeric", "text" (SYLK, DIF), "lotus"; "" for none."""
    if _GNUMERIC in head[:1000] or (suffix == ".gnumeric" and head.startswith(b"\x1f\x8b")):
        return "gnumeric"
    if _SYLK.match(head) or _DIF.match(head):
        return "text"
    return "lotus" if _LOTUS.match(head) else ""
