"""Which fonts a text needs: those at hand where they reach, fonts of the machine for other scripts, and the names of
the scripts that no font has. For whoever draws text with an engine that sees only the fonts it is handed.

Coverage is read from the fonts' `cmap` tables, family names from `name` (OpenType 1.9)."""

import os
import re
import shutil
import struct
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from sidecar.toolkit.fonts.sfnt import character_ranges, read_table
from sidecar.toolkit.platform import system

_INVISIBLE = frozenset(
    "\u200b\u200c\u200d\u2060\ufeff\ufe0e\ufe0f\u00ad\n\t\u200e\u200f\u2028\u2029\u2066\u2067\u2068\u2069"
)
_MAX_BYTES = 64 << 20
_MAX_SEARCHED = 1500
_SUFFIXES = (".ttf", ".otf", ".ttc", ".otc")
_UNWANTED = re.compile(r"bold|italic|oblique|light|thin|black|medium|condensed|mono|serif|math", re.IGNORECASE)
_CJK = (
    *("NotoSansCJK-Regular.ttc", "NotoSansCJKsc-Regular.otf", "NotoSansSC-Regular.otf", "SourceHanSansSC-Regular.otf"),
    *("NotoSansCJKjp-Regular.otf", "NotoSansJP-Regular.otf", "wqy-microhei.ttc", "wqy-zenhei.ttc", "msyh.ttc"),
    *("PingFang.ttc", "Hiragino Sans GB.ttc", "STHeiti Light.ttc", "DroidSansFallbackFull.ttf"),
    *("DroidSansFallback.ttf", "Arial Unicode.ttf", "ipag.ttf", "NanumGothic.ttf", "malgun.ttf", "simsun.ttc"),
    *("uming.ttc", "YuGothM.ttc"),
)
_BROAD = ("DejaVuSans.ttf", "arial.ttf", "Arial.ttf", "Arial Unicode.ttf", "segoeui.ttf", "LiberationSans-Regular.ttf",
          "FreeSans.ttf")  # fmt: skip
_EMOJI = ("NotoColorEmoji.ttf", "seguiemj.ttf", "Apple Color Emoji.ttc", "Symbola.ttf", "NotoEmoji-Regular.ttf",
          "DejaVuSans.ttf", "seguisym.ttf")  # fmt: skip
_SCRIPTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "CJK": ("Chinese, Japanese or Korean", _CJK), "HIRAGANA": ("Japanese", _CJK), "KATAKANA": ("Japanese", _CJK),
    "HANGUL": ("Korean", ("NotoSansCJK-Regular.ttc", "NotoSansKR-Regular.otf", "malgun.ttf", "NanumGothic.ttf",
                          *_CJK)),
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
_TWO_WORDS = frozenset([
    "OL", "OLD", "NEW", "TAI", "MEETEI", "LINEAR", "CANADIAN", "CAUCASIAN", "EGYPTIAN",
    "ANATOLIAN", "IMPERIAL", "SYLOTI", "PAHAWH", "SORA", "WARANG", "HANIFI", "MENDE", "PAU",
    "MASARAM", "GUNJALA", "DIVES", "BASSA", "PSALTER", "INSCRIPTIONAL", "ZANABAZAR", "KHITAN", "NYIAKENG",
    "TOLONG",
])  # fmt: skip
"""First words of script names that have a second one (The Unicode Standard 15.0, Scripts.txt)."""


@dataclass(frozen=True)
class Coverage:
    """The code points a font has glyphs for, as ranges in ascending order."""

    starts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()

    def __contains__(self, code: int) -> bool:
        at = bisect_right(self.starts, code) - 1
        return at >= 0 and code <= self.ends[at]

    def __iter__(self) -> Iterator[int]:
        for start, end in zip(self.starts, self.ends, strict=True):
            yield from range(start, end + 1)


_FIGTREE = (
    (0x20, 0x113), (0x116, 0x127), (0x12A, 0x12B), (0x12E, 0x137), (0x139, 0x13E), (0x141, 0x148), (0x14A, 0x14D),
    (0x150, 0x161), (0x164, 0x165), (0x16A, 0x17E), (0x218, 0x21B), (0x2C6, 0x2C7), (0x2D8, 0x2DD), (0x300, 0x304),
    (0x306, 0x308), (0x30A, 0x30C), (0x326, 0x328), (0x1E80, 0x1E85), (0x1E9E, 0x1E9E), (0x1EF2, 0x1EF3),
    (0x2000, 0x200F), (0x2013, 0x2014), (0x2018, 0x201A), (0x201C, 0x201E), (0x2020, 0x2022), (0x2026, 0x202F),
    (0x2039, 0x203A), (0x2044, 0x2044), (0x2070, 0x2070), (0x2074, 0x2079), (0x2080, 0x2089), (0x20AC, 0x20AC),
    (0x20B9, 0x20B9), (0x2122, 0x2122), (0x215B, 0x215E), (0x2190, 0x2193), (0x2196, 0x2199), (0x2212, 0x2212),
    (0x2215, 0x2215), (0x2260, 0x2260), (0x2264, 0x2265),
)  # fmt: skip
ENGINE_FONT = Coverage(*zip(*_FIGTREE, strict=True))
"""What the font aboard the Typst engine of quillmark 0.113, Figtree, can show: found by drawing each character, as the
font itself cannot be asked. The engine uses it only where it is handed no font at all."""


@dataclass(frozen=True)
class FontChoice:
    """Fonts of the machine to add, and for each script without one: its name, how many characters, the first."""

    files: tuple[Path, ...] = ()
    missing: tuple[tuple[str, int, str], ...] = ()


def choose_fonts(text: str, own: Iterable[Path] = ()) -> FontChoice:
    """What the text needs beyond the fonts at hand, `own`. Latin text is taken to be covered by those.

    Fonts known to suit a script are preferred; else any regular font of the machine that has the glyph is taken."""
    wanted = set(text) - _INVISIBLE
    if all(character < "\u0250" for character in wanted):
        return FontChoice()
    for path in own:
        coverage = covered(path)
        wanted = {character for character in wanted if ord(character) not in coverage}
    files: list[Path] = []
    missing: dict[str, list[str]] = {}
    for character in sorted(wanted):
        code = ord(character)
        if not character.isprintable() or any(code in covered(path) for path in files):
            continue
        script, names = _script(character)
        found = next((path for path in _installed(names) if code in covered(path)), None)
        if found is None and code in _anywhere():
            found = next((path for path in _others() if code in covered(path)), None)
        if found is not None:
            files.append(found)
        else:
            missing.setdefault(script, []).append(character)
    return FontChoice(tuple(files), tuple((script, len(some), some[0]) for script, some in missing.items()))


def _script(character: str) -> tuple[str, tuple[str, ...]]:
    words = unicodedata.name(character, "").split(" ")
    if words[0] in _SCRIPTS:
        return _SCRIPTS[words[0]]
    if unicodedata.category(character) == "So":
        return ("emoji or symbol", _EMOJI)
    if unicodedata.category(character)[0] in "LM":
        script = " ".join(words[: 2 if words[0] in _TWO_WORDS else 1]).title()
        return (script or "unassigned", (f"NotoSans{script.replace(' ', '')}-Regular.ttf", *_BROAD))
    return ("symbol", (*_BROAD, *_EMOJI))


@lru_cache(maxsize=64)
def _installed(names: tuple[str, ...]) -> tuple[Path, ...]:
    """Those of the named fonts that are on this machine, in that order."""
    places = _fonts_of_machine()
    return tuple(places[name] for name in names if name in places)


@cache
def _others() -> tuple[Path, ...]:
    """All regular sans-serif fonts of the machine, then the rest: for scripts nobody named a font for."""
    paths = list(_fonts_of_machine().values())[:_MAX_SEARCHED]
    return tuple(sorted(paths, key=lambda path: (bool(_UNWANTED.search(path.stem)), path.name)))


@cache
def _anywhere() -> Coverage:
    """What any of `_others` has: a text may hold thousands of characters that none of a thousand fonts has."""
    coverages = [covered(path) for path in _others()]
    return _merged([span for one in coverages for span in zip(one.starts, one.ends, strict=True)])


@cache
def _fonts_of_machine() -> dict[str, Path]:
    """Font files by name."""
    roots = [Path(folder) for folder in system.font_folders()]
    extra = os.environ.get("DOCSIDECAR_FONTS")
    if extra:
        roots.insert(0, Path(extra))
    places: dict[str, Path] = {}
    for root in roots:
        for folder, _, files in os.walk(root):
            for name in files:
                if name.lower().endswith(_SUFFIXES) and name not in places:
                    path = Path(folder) / name
                    if path.is_file() and path.stat().st_size <= _MAX_BYTES:
                        places[name] = path
    return places


def bold_of(path: Path) -> Path | None:
    """The bold font beside a regular one, by the names in use; None when there is none."""
    stem, suffix = path.stem, path.suffix
    names = [stem.replace("-Regular", "-Bold"), f"{stem}-Bold", f"{stem}bd"]
    beside = (path.with_name(name + suffix) for name in names if name != stem)
    return next((bold for bold in beside if bold.is_file() and bold.stat().st_size <= _MAX_BYTES), None)


def copy_font(path: Path, folder: Path) -> None:
    """Copy a font, as the engine follows no links; a collection loads under any suffix the engine takes."""
    target = folder / (path.stem + (".otf" if path.suffix.lower() in (".ttc", ".otc") else path.suffix.lower()))
    if not target.exists():
        shutil.copyfile(path, target)


def family_of(path: Path) -> str:
    """The family name of a font, or of the first of a collection (`name` identifiers 16, then 1); "" when unread."""
    table = _table(path, b"name")
    found: dict[int, str] = {}
    try:
        count, strings = struct.unpack_from(">HH", table, 2)
        for index in range(count):
            platform, _, language, name, length, offset = struct.unpack_from(">6H", table, 6 + 12 * index)
            if platform == 3 and name in (1, 16) and (language == 0x409 or name not in found):
                found[name] = table[strings + offset : strings + offset + length].decode("utf-16-be", "replace")
    except struct.error:
        return ""
    return found.get(16) or found.get(1, "")


@lru_cache(maxsize=2048)
def covered(path: Path) -> Coverage:
    """The code points a font (or the first of a collection) has glyphs for; empty when it cannot be read."""
    try:
        return _merged([(some.first, some.last) for some in character_ranges(_table(path, b"cmap"))])
    except struct.error:
        return Coverage()


def _table(path: Path, tag: bytes) -> bytes:
    """One table of a font file; b"" when there is none."""
    try:
        with path.open("rb") as file:
            return read_table(file, tag)
    except OSError:
        return b""


def _merged(ranges: list[tuple[int, int]]) -> Coverage:
    starts: list[int] = []
    ends: list[int] = []
    for first, last in sorted(ranges):
        if starts and first <= ends[-1] + 1:
            ends[-1] = max(ends[-1], last)
        else:
            starts.append(first)
            ends.append(last)
    return Coverage(tuple(starts), tuple(ends))
