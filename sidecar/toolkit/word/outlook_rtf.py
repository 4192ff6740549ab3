"""The compressed RTF body of an Outlook message (MS-OXRTFCP) and its words."""

import struct

from sidecar.api import DamagedError
from sidecar.toolkit.markup.chapters import block_text
from sidecar.toolkit.word.rtf import read_rtf

_PRELOADED = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript "
    b"\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    b"\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
_MAX_BYTES = 64 * 2**20
"""Bytes of a body."""


def unpack_rtf(data: bytes) -> bytes:
    """The RTF in a PidTagRtfCompressed stream; as much as there is when it is cut short."""
    if len(data) < 16:
        return b""
    _, raw_size, kind, _ = struct.unpack_from("<IIII", data)
    if kind == 0x414C454D:  # "MELA": stored
        return data[16 : 16 + raw_size]
    return _unpacked(data, min(raw_size, _MAX_BYTES)) if kind == 0x75465A4C else b""  # "LZFu"


def _unpacked(data: bytes, size: int) -> bytes:
    """The first `size` bytes that were compressed: literals, and references into the last 4,096 bytes."""
    window = bytearray(4096)
    window[: len(_PRELOADED)] = _PRELOADED
    at = len(_PRELOADED)
    out = bytearray()
    read = 16
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
    """The words of an RTF body, a line a paragraph; "" for what is not RTF."""
    try:
        read = read_rtf(rtf, "The body", 0, _MAX_BYTES)
    except DamagedError:
        return ""
    return "\n".join(map(block_text, read.blocks)).strip()
