"""The compressed RTF body of an Outlook message (MS-OXRTFCP) and the text in RTF, enough to read a message by."""

from __future__ import annotations

import re
import struct

__all__ = ["rtf_text", "unpack_rtf"]

_PRELOADED = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript "
    b"\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    b"\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|([^\\{}\r\n]+)"
)
_SKIPPED = frozenset(
    (b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pict", b"object", b"header", b"footer", b"generator",
     b"htmltag", b"listtable", b"listoverridetable", b"rsidtbl", b"themedata", b"datastore", b"mhtmltag")
)  # fmt: skip
_MARKS = {b"par": "\n", b"line": "\n", b"tab": "\t", b"cell": "\t", b"row": "\n", b"emdash": "—", b"endash": "–",
          b"bullet": "•", b"lquote": "‘", b"rquote": "’", b"ldblquote": "“", b"rdblquote": "”"}  # fmt: skip
_MOST = 64 * 2**20


def unpack_rtf(data: bytes) -> bytes:
    """The RTF in a PidTagRtfCompressed stream; as much as there is when it is cut short."""
    if len(data) < 16:
        return b""
    _, raw_size, kind, _ = struct.unpack_from("<IIII", data)
    if kind == 0x414C454D:  # "MELA": stored
        return data[16 : 16 + raw_size]
    if kind != 0x75465A4C:  # "LZFu"
        return b""
    window = bytearray(4096)
    window[: len(_PRELOADED)] = _PRELOADED
    at = len(_PRELOADED)
    out = bytearray()
    read = 16
    size = min(raw_size, _MOST)
    while read < len(data) and len(out) < size:
        control = data[read]
        read += 1
        for bit in range(8):
            if read >= len(data) or len(out) >= size:
                break
            if control >> bit & 1:
                if read + 1 >= len(data):
                    return bytes(out)
                token = data[read] << 8 | data[read + 1]
                read += 2
                offset, length = token >> 4, (token & 15) + 2
                if offset == at:
                    return bytes(out)
                for _ in range(length):
                    byte = window[offset]
                    offset = (offset + 1) % 4096
                    out.append(byte)
                    window[at] = byte
                    at = (at + 1) % 4096
            else:
                out.append(data[read])
                window[at] = data[read]
                at = (at + 1) % 4096
                read += 1
    return bytes(out)


def rtf_text(rtf: bytes) -> str:
    """The plain text of RTF (RTF 1.9.1): words that stand for characters, without destinations that show none."""
    out: list[str] = []
    stack: list[tuple[bool, int]] = []
    skip, fallback = False, 1
    ignore = 0
    starred = False
    encoding = "cp1252"
    for token in _TOKEN.finditer(rtf):
        word, argument, hexadecimal, symbol, brace, text = token.groups()
        if brace == b"{":
            stack.append((skip, fallback))
            starred = False
        elif brace:
            skip, fallback = stack.pop() if stack else (False, 1)
        elif symbol is not None:
            starred = symbol == b"*"
            if symbol in b"\\{}~" and not skip:
                out.append(" " if symbol == b"~" else symbol.decode())
        elif word is not None:
            if starred or word in _SKIPPED:
                skip = True
            elif word == b"ansicpg" and argument:
                encoding = _known(argument.decode())
            elif word == b"uc" and argument:
                fallback = min(max(int(argument), 0), 8)
            elif word == b"u" and argument and not skip:
                out.append(_character(int(argument)))
                ignore = fallback
            elif word in _MARKS and not skip:
                out.append(_MARKS[word])
            starred = False
        elif hexadecimal is not None and not skip:
            if ignore:
                ignore -= 1
            else:
                out.append(bytes.fromhex(hexadecimal.decode()).decode(encoding, "replace"))
        elif text is not None and not skip:
            piece = text.decode(encoding, "replace")
            out.append(piece[ignore:])
            ignore = 0
    return "".join(out).strip()


def _known(number: str) -> str:
    try:
        b"".decode(f"cp{number}")
    except LookupError:
        return "cp1252"
    return f"cp{number}"


def _character(code: int) -> str:
    code &= 0xFFFF
    return "" if 0xD800 <= code < 0xE000 else chr(code)
