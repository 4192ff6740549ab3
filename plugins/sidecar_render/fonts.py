"""Which fonts a text needs: the quill's own where they reach, fonts of the machine for other scripts, honest warnings
where there are none.

The engine sees only fonts inside the quill's folder (and then not the one it brings), and shows nothing for what they
lack, without a word. So coverage is read here from the fonts' `cmap` tables (OpenType 1.9, formats 4, 6 and 12).
"""

from __future__ import annotations

import os
import re
import struct
import sys
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

__all__ = ["FontChoice", "choose_fonts", "covered"]

_INVISIBLE = frozenset(
    "\u200b\u200c\u200d\u2060\ufeff\ufe0e\ufe0f\u00ad\n\t\u200e\u200f\u2028\u2029\u2066\u2067\u2068\u2069"
)
_LARGEST = 64 << 20
_CJK = (
    *("NotoSansCJK-Regular.ttc", "NotoSansCJKsc-Regular.otf", "NotoSansSC-Regular.otf", "SourceHanSansSC-Regular.otf"),
    *("wqy-microhei.ttc", "wqy-zenhei.ttc", "DroidSansFallbackFull.ttf", "DroidSansFallback.ttf", "msyh.ttc"),
    *("PingFang.ttc", "Hiragino Sans GB.ttc", "STHeiti Light.ttc", "Arial Unicode.ttf", "ipag.ttf", "NanumGothic.ttf"),
    *("malgun.ttf", "simsun.ttc", "uming.ttc", "YuGothM.ttc"),
)  # fmt: skip
_BROAD = ("DejaVuSans.ttf", "arial.ttf", "Arial.ttf", "Arial Unicode.ttf", "segoeui.ttf", "LiberationSans-Regular.ttf",
          "FreeSans.ttf")  # fmt: skip
_EMOJI = ("NotoColorEmoji.ttf", "seguiemj.ttf", "Apple Color Emoji.ttc", "Symbola.ttf", "NotoEmoji-Regular.ttf",
          "DejaVuSans.ttf", "seguisym.ttf")  # fmt: skip
_SCRIPTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "CJK": ("Chinese, Japanese or Korean", _CJK), "HIRAGANA": ("Japanese", _CJK), "KATAKANA": ("Japanese", _CJK),
    "HANGUL": ("Korean", ("NotoSansKR-Regular.otf", "malgun.ttf", "NanumGothic.ttf", *_CJK)),
    "IDEOGRAPHIC": ("Chinese, Japanese or Korean", _CJK), "FULLWIDTH": ("Chinese, Japanese or Korean", _CJK),
    "ARABIC": ("Arabic", ("NotoNaskhArabic-Regular.ttf", "NotoSansArabic-Regular.ttf", *_BROAD)),
    "HEBREW": ("Hebrew", ("NotoSansHebrew-Regular.ttf", *_BROAD)),
    "DEVANAGARI": ("Devanagari", ("NotoSansDevanagari-Regular.ttf", "Nirmala.ttf", "mangal.ttf", "Lohit-Devanagari.ttf",
                                  "Kohinoor.ttc", *_BROAD)),
    "THAI": ("Thai", ("NotoSansThai-Regular.ttf", "leelawui.ttf", "tahoma.ttf", "Loma.otf", "Thonburi.ttc", *_BROAD)),
    "BENGALI": ("Bengali", ("NotoSansBengali-Regular.ttf", "Nirmala.ttf", "Lohit-Bengali.ttf")),
    "TAMIL": ("Tamil", ("NotoSansTamil-Regular.ttf", "Nirmala.ttf", "Lohit-Tamil.ttf")),
    "GEORGIAN": ("Georgian", ("NotoSansGeorgian-Regular.ttf", *_BROAD)),
    "ARMENIAN": ("Armenian", ("NotoSansArmenian-Regular.ttf", *_BROAD)),
}  # fmt: skip


@dataclass(frozen=True)
class FontChoice:
    """Fonts of the machine to add, and for each script without one: its name, how many characters, the first."""

    files: tuple[Path, ...] = ()
    missing: tuple[tuple[str, int, str], ...] = ()


def choose_fonts(text: str, own: Iterable[Path]) -> FontChoice:
    """What the text needs beyond the quill's `own` fonts."""
    wanted = set(text) - _INVISIBLE
    if all(character < "\u0250" for character in wanted):
        return FontChoice()
    for path in own:
        wanted -= {character for character in wanted if ord(character) in covered(path)}
    files: list[Path] = []
    missing: dict[str, list[str]] = {}
    for character in sorted(wanted):
        script, names = _script(character)
        if not character.isprintable() or any(ord(character) in covered(path) for path in files):
            continue
        found = next((path for path in _installed(names) if ord(character) in covered(path)), None)
        if found is not None:
            files.append(found)
        else:
            missing.setdefault(script, []).append(character)
    return FontChoice(tuple(files), tuple((script, len(some), some[0]) for script, some in missing.items()))


def _script(character: str) -> tuple[str, tuple[str, ...]]:
    word = unicodedata.name(character, "").partition(" ")[0]
    if word in _SCRIPTS:
        return _SCRIPTS[word]
    if unicodedata.category(character) == "So":
        return ("emoji or symbol", _EMOJI)
    if unicodedata.category(character)[0] in "LM":
        script = re.split(r" (?:LETTER|SYLLABLE|VOWEL|SIGN|CHARACTER|DIGIT)", unicodedata.name(character, ""))[
            0
        ].title()
        return (script or "unassigned", (f"NotoSans{script.replace(' ', '')}-Regular.ttf", *_BROAD))
    return ("symbol", (*_BROAD, *_EMOJI))


@lru_cache(maxsize=64)
def _installed(names: tuple[str, ...]) -> tuple[Path, ...]:
    """Those of the named fonts that are on this machine, in that order."""
    if sys.platform == "win32":
        roots = [Path(os.environ.get("WINDIR", r"C:\Windows")) / "Fonts"]
    elif sys.platform == "darwin":
        roots = [Path("/System/Library/Fonts"), Path("/Library/Fonts"), Path.home() / "Library/Fonts"]
    else:
        roots = [Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".local/share/fonts",
                 Path.home() / ".fonts"]  # fmt: skip
    extra = os.environ.get("DOCSIDECAR_FONTS")
    if extra:
        roots.insert(0, Path(extra))
    places: dict[str, Path] = {}
    for root in roots:
        for folder, _, files in os.walk(root):
            for name in files:
                if name in names:
                    places.setdefault(name, Path(folder) / name)
    return tuple(places[name] for name in names if name in places and places[name].stat().st_size <= _LARGEST)


@lru_cache(maxsize=32)
def covered(path: Path) -> frozenset[int]:
    """The code points a font (or the first of a collection) has glyphs for; empty when it cannot be read."""
    try:
        data = path.read_bytes()
        start = struct.unpack_from(">I", data, 12)[0] if data[:4] == b"ttcf" else 0
        tables = struct.unpack_from(">H", data, start + 4)[0]
        for at in range(start + 12, start + 12 + 16 * tables, 16):
            if data[at : at + 4] == b"cmap":
                return _cmap(data, struct.unpack_from(">I", data, at + 8)[0])
    except (OSError, struct.error):
        pass
    return frozenset()


def _cmap(data: bytes, base: int) -> frozenset[int]:
    found: set[int] = set()
    for index in range(struct.unpack_from(">H", data, base + 2)[0]):
        platform, encoding, offset = struct.unpack_from(">HHI", data, base + 4 + 8 * index)
        if (platform, encoding) not in ((0, 3), (0, 4), (0, 6), (3, 1), (3, 10)):
            continue
        at = base + offset
        kind = struct.unpack_from(">H", data, at)[0]
        if kind == 4:
            count = struct.unpack_from(">H", data, at + 6)[0] // 2
            ends = struct.unpack_from(f">{count}H", data, at + 14)
            starts = struct.unpack_from(f">{count}H", data, at + 16 + 2 * count)
            for first, last in zip(starts, ends, strict=True):
                found.update(range(first, min(last, 0xFFFE) + 1))
        elif kind == 6:
            first, count = struct.unpack_from(">HH", data, at + 6)
            found.update(range(first, first + count))
        elif kind == 12:
            for group in range(min(struct.unpack_from(">I", data, at + 12)[0], 100_000)):
                first, last, _ = struct.unpack_from(">III", data, at + 16 + 12 * group)
                found.update(range(first, min(last, 0x10FFFF) + 1))
    return frozenset(found)
