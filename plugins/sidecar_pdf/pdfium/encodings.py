"""Ligatures and signs by the names that an encoding's `/Differences` give their glyphs (ISO 32000-1, 9.6.6), where
pdfium does not know them (`glyph_names`).

Encodings are looked for in the file's own bytes, packed objects included, and only where letters lack. pypdf was
measured instead: its walk through the fonts of all pages of the corpus took 15 % longer and refused 20 of 293 files."""

import re
import unicodedata
import zlib
from collections.abc import Iterator, Set
from typing import NamedTuple

from sidecar_pdf.pdfium.glyph_names import meaning, sign

_OBJECT = re.compile(rb"obj\b")
_NUMBER = re.compile(rb"(?<!\d)(\d{1,8})\s+\d{1,5}\s+$")
_END = re.compile(rb"endobj|stream\r?\n")
_LONGEST_HEAD, _LONGEST = 32, 20_000
"""Bytes of an object's number, and of its text."""
_PACKED = re.compile(rb"/Type\s*/ObjStm\b")
_PAIR = re.compile(rb"(?<!\d)(\d{1,9})\s++(\d{1,9})")
_NUMBERS = re.compile(rb"/(N|First)\s+(\d{1,9})\b")
_BASE = re.compile(rb"/BaseFont\s*/(?:[A-Z]{6}\+)?([^\s/<>\[\]()]{1,100})")
_ENCODING = re.compile(rb"/Encoding\s+(\d{1,8})\s+\d{1,5}\s+R")
_FIRST = re.compile(rb"/FirstChar\s+(\d{1,3})\b")
_WIDTHS = re.compile(rb"/Widths\s*(?:(\d{1,8})\s+\d{1,5}\s+R|\[([^\]]*)\])")
_TO_UNICODE = re.compile(rb"/ToUnicode\s+(\d{1,8})\s+\d{1,5}\s+R")
_MAPPED = re.compile(rb"<\s*([0-9A-Fa-f]+)\s*>|(\[)|(\])")
_MAX_MAP = 1 << 18
"""Bytes of a ToUnicode map of one font of 256 codes."""
ADOBE_PIECES, _PIECES = ("\uf8e6", "\uf8fe"), ("⎛", "⎮")
"""The pieces of tall delimiters where Adobe's Symbol has them, and in Unicode."""
_PRIVATE_PIECES = range(ord(ADOBE_PIECES[0]), ord(ADOBE_PIECES[1]) + 1)
_WRITTEN_BELOW = "\u0250"
"""Characters that wrong ToUnicode maps give are codes, and so before this one."""
_DINGBATS = "\u2460\u27bf"
"""From circled figures to the last of the dingbats."""
_DIFFERENCES = re.compile(rb"/Differences\s*\[([^\]]*)\]")
_TOKEN = re.compile(rb"(\d{1,3})|/([^\s/<>\[\]()]{1,60})")
_MAX_PACKED, _MAX_UNPACKED = 2_000, 64 << 20
_DRAWN = b"/Type3"
_MATRIX = re.compile(rb"/FontMatrix\s*\[\s*(-?[\d.]+)")
_CODE_NAME = re.compile(rb"a(\d{1,3})")
_ESCAPED = re.compile(rb"#([0-9A-Fa-f]{2})")
_SMALL_LETTERS, _MIN_LETTERS = frozenset(range(97, 123)), 8
"""Codes, and how many of them a font for text has at least: one for mathematics has few."""
_PRINTED = frozenset(range(33, 127))
_SAME_WIDTH = 2.0
"""Thousandths of the type size by which the widths of a typewriter's glyphs differ at most."""
_WORD_MARK = 23
"""The code of T1's mark between the parts of a compound word, which has no width and draws nothing."""
_STOPS, _DIGITS = frozenset(b",-."), frozenset(b"0123456789")
"""Codes that fonts for mathematics have other signs at, or hardly use."""
_STEMMED, _SEVERAL_STEMMED = frozenset(b"bdhnpqu"), 3
"""Codes of letters that are as wide as one another in upright type for text, and not in type for mathematics."""
_OT1_OWN, _T1_OWN = frozenset(range(11, 16)), frozenset((*range(16, 19), 21, 22, *range(27, 32), *range(128, 256)))
_OT1 = {
    **dict(enumerate(("ff", "fi", "fl", "ffi", "ffl", *"ıȷ`´ˇ˘¯˚¸ßæœø"), 11)),
    29: "Æ", 30: "Œ", 31: "Ø", 34: "”", 39: "’", 60: "¡", 62: "¿", 92: "“", 96: "‘", 123: "–", 124: "—", 125: "˝",
    127: "¨",
}  # fmt: skip
_T1 = {
    **dict(enumerate(("“", "”", "„", "«", "»", "–", "—"), 16)),
    **dict(enumerate(("ff", "fi", "fl", "ffi", "ffl"), 27)), 39: "’", 96: "‘",
    **dict(enumerate("ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£", 128)), 215: "Œ", 223: "SS",
    247: "œ", 255: "ß",
}  # fmt: skip
_TS1 = {42: "∗", 132: "†", 133: "‡", 136: "•", 151: "™", 191: "€", **{code: chr(code) for code in range(162, 191)}}
"""TeX's encodings of text, and of signs beside it, where they differ from Latin-1 (Companion to the LaTeX fonts:
`encguide.pdf`)."""


class DeclaredEncoding(NamedTuple):
    """What one font declares: what its codes draw, and their widths in thousandths of the type size."""

    names: dict[int, str]
    widths: dict[int, float]
    codes: frozenset[int] = frozenset()
    """All codes of a font of Type 3."""


def declared_names(data: bytes) -> dict[str, list[DeclaredEncoding]]:
    """The fonts of a file by name, without subset tag, as far as their encodings name what pdfium does not know; those
    of Type 3 have none. "" stands for what is known to be none of the letters another font has at a code."""
    if b"/Differences" not in data and b"/ObjStm" not in data:
        return {}
    objects = dict(_objects(data))
    found: dict[str, list[DeclaredEncoding]] = {}
    for body in objects.values():
        base, drawn = _BASE.search(body), _DRAWN in body
        if not base and not drawn:
            continue
        name = base[1].decode("latin-1") if base else ""
        reference = _ENCODING.search(body)
        named = _DIFFERENCES.search(objects.get(int(reference[1]), b"") if reference else body)
        letters = _named(named[1], name) if named else {}
        scale = _scale(body) if drawn else 1.0
        widths = {code: scale * width for code, width in _widths(body, objects).items()} if named else {}
        if named and not base:
            letters |= _numbered(named[1], widths)
        codes = frozenset(code for code, _ in _names(named[1])) if named and not base else frozenset[int]()
        if letters or codes:
            found.setdefault(name, []).append(DeclaredEncoding(letters, widths, codes))
    return found


def misread_signs(data: bytes) -> dict[str, dict[str, str]]:
    """`{font: {character: sign}}`, by name without subset tag, of fonts whose ToUnicode gives their codes, or other
    letters, for what the names of their glyphs call signs, as Ghostscript and TeXmacs write it."""
    places: dict[int, int] = {}
    objects = dict(_objects(data, places))
    found: dict[str, dict[str, set[str]]] = {}
    for body in objects.values():
        base, mapped, reference = _BASE.search(body), _TO_UNICODE.search(body), _ENCODING.search(body)
        named = _DIFFERENCES.search(objects.get(int(reference[1]), b"") if reference else body)
        if not mapped or not named or not (base or _DRAWN in body):
            continue
        given = _given(data, places.get(int(mapped[1]), len(data)))
        meanings = found.setdefault(base[1].decode("latin-1") if base else "", {})
        for code, meant in (_meant if base else _spelled_by_code)(named[1]).items():
            if code in given:
                meanings.setdefault(given[code], set()).add(meant)
    signs = {
        name: {char: meant for char, (meant, *others) in meanings.items() if not others and _differs(char, meant)}
        for name, meanings in found.items()
    }
    return {name: wrong for name, wrong in signs.items() if wrong}


def _meant(differences: bytes) -> dict[int, str]:
    """`{code: character}` of an encoding, as far as its names are signs or letters."""
    named = ((code, name, sign(name) or name) for code, name in _names(differences))
    return {code: meant for code, name, meant in named if len(meant) == 1 or meant != name}


def _spelled_by_code(differences: bytes) -> dict[int, str]:
    """`{code: letters}` of a bitmap font for text whose glyphs are called `/a12` by their codes, which Ghostscript
    takes for the names of dingbats; empty of others."""
    names = list(_names(differences))
    codes = {code for code, name in names if name == f"a{code}"}
    if not codes or any(code not in codes and name != ".notdef" for code, name in names):
        return {}
    letters = _T1 if codes & _T1_OWN and not codes & _OT1_OWN else _OT1
    letters = letters if codes & _SMALL_LETTERS else _TS1
    return {code: letters.get(code, chr(code)) for code in codes if code in letters or code in _PRINTED}


def _differs(given: str, meant: str) -> bool:
    """Whether a character that ToUnicode gives is none of those for a sign, a dingbat for a letter, or the piece of a
    tall delimiter for a whole one."""
    if _DINGBATS[0] <= given <= _DINGBATS[1]:
        return not _DINGBATS[0] <= meant <= _DINGBATS[1]
    if ADOBE_PIECES[0] <= given <= ADOBE_PIECES[1]:
        return not _PIECES[0] <= meant <= _PIECES[1]
    return given < _WRITTEN_BELOW and unicodedata.normalize("NFKC", given) != unicodedata.normalize("NFKC", meant)


def _given(data: bytes, start: int) -> dict[int, str]:
    """`{code: character}` of the ToUnicode map whose stream begins at a place (ISO 32000-1, 9.10.3), of codes of one
    byte; empty where it cannot be unpacked."""
    end = data.find(b"endstream", start)
    body = data[start : end if 0 < end < start + _MAX_MAP else start]
    try:
        text = body if b"beginbf" in body else zlib.decompressobj().decompress(body, _MAX_MAP)
    except zlib.error:
        return {}
    found: dict[int, str] = {}
    for block in text.split(b"beginbf")[1:]:
        entries, ended, _ = block.partition(b"endbf")
        step = 2 if entries.startswith(b"char") else 3
        numbers = _numbers(entries) if ended else []
        for entry in zip(*(numbers[at::step] for at in range(step)), strict=False):
            found.update(
                (code, chr(entry[-1] + code - entry[0])) for code in range(entry[0], min(entry[step - 2], 255) + 1)
                if 0 < entry[-1] < 0xD800 or entry[-1] in _PRIVATE_PIECES
            )  # fmt: skip
    return found


def _numbers(entries: bytes) -> list[int]:
    """The numbers of a block of a map; -1 for several characters and for arrays."""
    numbers: list[int] = []
    within = False
    for number, opening, closing in _MAPPED.findall(entries):
        if opening:
            within = True
            numbers.append(-1)
        elif closing:
            within = False
        elif not within:
            numbers.append(int(number, 16) if len(number) <= 4 else -1)
    return numbers


def _scale(body: bytes) -> float:
    """What a width of a Type 3 font is to be multiplied by for thousandths of the type size (ISO 32000-1, 9.6.5)."""
    matrix = _MATRIX.search(body)
    return 1000 * abs(float(matrix[1])) if matrix else 1.0


def _numbered(differences: bytes, widths: dict[int, float]) -> dict[int, str]:
    """What a bitmap font of TeX's draws whose glyphs are called by their codes alone, `/a12` or, by Ghostscript, `/#0c`
    for 12: by the encoding OT1 or T1 where it is one for text, nothing where it may be one for mathematics. That of a
    typewriter, whose glyphs have one width, draws what its codes are in ASCII."""
    codes = _called(differences)
    evident = codes & _STOPS or len(codes & _DIGITS) > 2 or _are_alike(codes & _STEMMED, widths, _SEVERAL_STEMMED)
    text = len(codes & _SMALL_LETTERS) >= _MIN_LETTERS and bool(evident)
    if _are_alike(codes, widths, 1) and len(codes & _PRINTED) >= _MIN_LETTERS:
        mark = {_WORD_MARK: "\u200b"} if _WORD_MARK in codes and not widths.get(_WORD_MARK) else {}
        return mark | {code: chr(code) for code in codes & _PRINTED if code in _OT1}
    letters = _T1 if codes & _T1_OWN and not codes & _OT1_OWN else _OT1
    return {code: letters[code] if text else "" for code in codes if code in letters}


def _are_alike(codes: Set[int], widths: dict[int, float], least: int) -> bool:
    """Whether glyphs, at least so many, are as wide as one another; those that are not used may have no width."""
    wide = [widths[code] for code in codes if widths.get(code)]
    return len(wide) >= least and max(wide) - min(wide) < _SAME_WIDTH


def _called(differences: bytes) -> set[int]:
    """The codes that glyphs are called by, where all are."""
    codes: set[int] = set()
    at = 0
    for number, name in _TOKEN.findall(differences):
        if number:
            at = int(number)
            continue
        if called := _CODE_NAME.fullmatch(name):
            codes.add(int(called[1]))
        elif _ESCAPED.sub(lambda match: bytes([int(match[1], 16)]), name) == bytes([at & 0xFF]):
            codes.add(at)
        elif at and name != b".notdef":  # no name is the character 0
            return set()
        at += 1
    return codes


def _objects(data: bytes, ends: dict[int, int] | None = None) -> Iterator[tuple[int, bytes]]:
    """`(number, text)` of the objects that matter here; those packed in streams come after the others. Puts down in
    `ends` where the text of each that is not packed ends, and its stream begins."""
    packed: list[tuple[bytes, int]] = []
    for number, body, end in _unpacked(data):
        if ends is not None:
            ends[number] = end
        if b"/Differences" in body or b"/BaseFont" in body or _DRAWN in body or body.lstrip()[:1] == b"[":
            yield number, body
        elif _PACKED.search(body) and len(packed) < _MAX_PACKED:
            packed.append((body, end))
    left = _MAX_UNPACKED
    for body, start in packed:
        end = data.find(b"endstream", start)
        try:
            text = zlib.decompressobj().decompress(data[start : end if end > 0 else len(data)], left)
        except zlib.error:
            continue
        left -= len(text)
        if left <= 0:
            return
        numbers = {key: int(value) for key, value in _NUMBERS.findall(body)}
        first = numbers.get(b"First", 0)
        places = [(int(number), first + int(at)) for number, at in _PAIR.findall(text[:first])]
        for place, (number, at) in enumerate(places):
            stop = places[place + 1][1] if place + 1 < len(places) else len(text)
            yield number, text[at:stop]


def _unpacked(data: bytes) -> Iterator[tuple[int, bytes, int]]:
    """`(number, text, end)` of each object, less its stream."""
    end = 0
    for match in _OBJECT.finditer(data):
        at = match.start()
        number = _NUMBER.search(data[max(at - _LONGEST_HEAD, end) : at]) if at >= end else None
        stop = _END.search(data, match.end(), match.end() + _LONGEST) if number else None
        if number and stop:
            end = stop.end()
            yield int(number[1]), data[match.end() : stop.start()], end


def _named(differences: bytes, font: str) -> dict[int, str]:
    return {code: letters for code, name in _names(differences) if (letters := meaning(name, font))}


def _names(differences: bytes) -> Iterator[tuple[int, str]]:
    """`(code, name)` of the glyphs of an encoding."""
    code = 0
    for number, name in _TOKEN.findall(differences):
        if number:
            code = int(number)
        else:
            yield code, name.decode("latin-1")
            code += 1


def _widths(body: bytes, objects: dict[int, bytes]) -> dict[int, float]:
    first, widths = _FIRST.search(body), _WIDTHS.search(body)
    if not first or not widths:
        return {}
    text = objects.get(int(widths[1]), b"") if widths[1] else widths[2]
    values = re.findall(rb"-?\d+(?:\.\d+)?", text)
    return {int(first[1]) + at: float(value) for at, value in enumerate(values[:256])}


_PAIRS, _TRIPLES = 0x10_0000, 0x10_4000
"""Where in plane 16, which is for private use, ligatures are kept while characters must keep their positions."""
_MARKED = 0x10_8000
"""Where letters with a mark over them are kept that are not a character together: 1,024 letters for each mark."""
_MARKS = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u20d7"
_LETTERS = 0x400
_PLACEHOLDER = re.compile("[\U00100000-\U001040ff\U00108000-\U0010afff]")


def placeholder(letters: str) -> str:
    """One character for the letters of a ligature; "" for those beyond two letters, or three that begin with "ff"."""
    if len(letters) == 2 and all(ord(char) < 128 for char in letters):
        return chr(_PAIRS + ord(letters[0]) * 128 + ord(letters[1]))
    if len(letters) == 3 and letters.startswith("ff") and ord(letters[2]) < 128:
        return chr(_TRIPLES + ord(letters[2]))
    return letters if len(letters) == 1 else ""


def marked(letter: str, mark: str) -> str:
    """One character for a letter, Latin or Greek, and a combining mark; "" of others."""
    at = _MARKS.find(mark)
    return chr(_MARKED + _LETTERS * at + ord(letter)) if at >= 0 and ord(letter) < _LETTERS else ""


def expand_placeholders(token: str) -> str:
    """A word with letters again for what `placeholder` put in their place."""
    return _PLACEHOLDER.sub(_spelled, token)


def _spelled(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code >= _MARKED:
        return chr((code - _MARKED) % _LETTERS) + _MARKS[(code - _MARKED) // _LETTERS]
    return f"ff{chr(code - _TRIPLES)}" if code >= _TRIPLES else chr((code - _PAIRS) // 128) + chr((code - _PAIRS) % 128)
