"""What the codes of a Type 1 font stand for, from the names of its glyphs: pdfium knows the names of single letters,
and leaves out ligatures of other names, such as `f_i` or `T_h` (Adobe Type 1 Font Format, 2.2; Adobe Glyph List
Specification, 2)."""

from __future__ import annotations

import re

_ENTRY = re.compile(rb"dup\s+(\d{1,3})\s*/([A-Za-z0-9_.]{1,60})\s+put")
_HEAD = 40_000
"""Bytes in which the encoding stands, in clear text."""
_LIGATURES = {"ff": "ff", "fi": "fi", "fl": "fl", "ffi": "ffi", "ffl": "ffl", "longs_t": "ſt", "germandbls": "ß"}


def ligatures(program: bytes) -> dict[int, str]:
    """`{code: letters}` of the ligatures in the encoding of a font program; empty for fonts of other kinds."""
    if b"FontType 1" not in program[:_HEAD] and not program.startswith(b"%!"):
        return {}
    found: dict[int, str] = {}
    for code, name in _ENTRY.findall(program[:_HEAD]):
        letters = letters_of(name.decode("ascii"))
        if letters and int(code) < 256:
            found[int(code)] = letters
    return found


def letters_of(name: str) -> str:
    """What a glyph name says, where it is that of a ligature; "" of others."""
    base = name.partition(".")[0]
    if base in _LIGATURES:
        return _LIGATURES[base]
    parts = base.split("_")
    if len(parts) < 2 or any(part != "longs" and not (len(part) == 1 and part.isalpha()) for part in parts):
        return ""
    return "".join("ſ" if part == "longs" else part for part in parts)


_PAIRS, _TRIPLES = 0x10_0000, 0x10_4000
"""Where in plane 16, which is for private use, ligatures are kept while characters must keep their positions."""
_STAND_IN = re.compile("[\U00100000-\U001040ff]")


def stand_in(letters: str) -> str:
    """One character for the letters of a ligature; "" for those beyond two letters, or three that begin with "ff"."""
    if len(letters) == 2 and all(ord(char) < 128 for char in letters):
        return chr(_PAIRS + ord(letters[0]) * 128 + ord(letters[1]))
    if len(letters) == 3 and letters.startswith("ff") and ord(letters[2]) < 128:
        return chr(_TRIPLES + ord(letters[2]))
    return letters if len(letters) == 1 else ""


def expanded(token: str) -> str:
    """A word with letters again for what `stand_in` put in their place."""
    return _STAND_IN.sub(_spelled, token)


def _spelled(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"ff{chr(code - _TRIPLES)}" if code >= _TRIPLES else chr((code - _PAIRS) // 128) + chr((code - _PAIRS) % 128)
