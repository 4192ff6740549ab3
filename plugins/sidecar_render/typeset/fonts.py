"""The typefaces of a plain document: ours for Latin, Greek, Cyrillic, code, formulas and emoji, the machine's for other
scripts, each with its bold where there is one, and a warning that names a script nobody has a font for."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sidecar.toolkit.fonts.files import ENGINE_FONT, bold_of, choose_fonts, copy_font, covered, family_of
from sidecar_render.markdown.front_matter import MarkdownSource
from sidecar_render.markdown.text import language_of
from sidecar_render.model import Diagnostic
from sidecar_render.typeset.quills import BUILTIN

_FONTS = BUILTIN / "assets" / "fonts"
_TEXT_FONTS = tuple(
    _FONTS / f"{name}.ttf"
    for name in ("SourceSans3-Regular", "SourceSans3-Italic", "SourceSans3-SemiBold", "SourceSans3-SemiBoldItalic",
                 "SourceCodePro-Regular")
)  # fmt: skip
_TEXT_STYLES = 4
"""How many of them are styles of the text face; the code face follows."""
_LAST_LATIN = "\u024f"
_ENGINE_FONTS = tuple(
    Path(__file__).parents[1] / "engine_fonts" / f"Figtree-{style}.ttf" for style in ("Regular", "Italic", "Bold")
)
"""The fonts aboard the engine of quillmark 0.113, which it uses only where it is handed none: copies of them."""
_MATH_FONT = _FONTS / "NotoSansMath-Regular.ttf"
_EMOJI_FONT = _FONTS / "NotoEmoji-Regular.ttf"
_OTHERS = re.compile(r"[^\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7a3]+")
_TRADITIONAL = frozenset("們這國說時為會個來對學發後過開關點還電書長東門問間見車馬風語話請讓與從實體無處經濟義務圖")
_SIMPLIFIED = frozenset("们这国说时为会个来对学发后过开关点还电书长东门问间见车马风语话请让与从实体无处经济义务图")


@dataclass(frozen=True)
class Typefaces:
    """`families` of the machine's fonts in the order of preference, and the `files` of all fonts."""

    families: tuple[str, ...]
    files: tuple[Path, ...]
    warnings: tuple[Diagnostic, ...]


def machine_fonts(document: MarkdownSource) -> tuple[str, ...]:
    """The names of the machine's fonts that a document takes: with another font installed it is another rendering."""
    rest = set(document.head + document.body) - _text_characters() - _symbols() - _emoji()
    return tuple(path.name for path in choose_fonts("".join(rest)).files)


def typefaces_for(document: MarkdownSource, lang: str, region: str, *, formulas: bool) -> Typefaces:
    """The fonts for a document of the default quill."""
    rest = set(document.head + document.body)
    files = list(_TEXT_FONTS)
    # The text face has a few pictographs, as small as letters; the plate takes all of them from one.
    emoji = any(character == "\u2764" or "\U0001f300" <= character <= "\U0001faff" for character in rest)
    rest -= _emoji() if emoji else frozenset()
    rest -= _text_characters()
    symbols = _symbols()
    if formulas or rest & symbols:
        files.append(_MATH_FONT)
        rest -= symbols
    if emoji or rest & _emoji():
        files.append(_EMOJI_FONT)
        rest -= _emoji()
    choice = choose_fonts("".join(rest))
    families: list[str] = []
    for path in choice.files:
        bold = bold_of(path)
        files += [path] if bold is None else [path, bold]
        families.append(_regional(family_of(path), lang, region, document.body))
    return Typefaces(
        tuple(filter(None, dict.fromkeys(families))),
        tuple(files),
        tuple(_missing(document, *script) for script in choice.missing),
    )


@dataclass(frozen=True)
class AddedFonts:
    """What was put beside a quill's fonts: whether the engine's own are among it, and what is to be said."""

    text: bool = False
    warnings: tuple[Diagnostic, ...] = ()


def add_fonts(quill: Path, home: Path, document: MarkdownSource, *, formulas: bool) -> AddedFonts:
    """Put what the text needs beyond the fonts of a user's `quill` into the one that is rendered, `home`.

    The engine lets go of its own font as soon as it is handed another, so a quill without fonts gets a copy of it."""
    wanted = set(document.head + document.body)
    given, folder = (place / "assets" / "fonts" for place in (quill, home))
    own = sorted(given.iterdir()) if given.is_dir() else []
    if own:
        lacking = {one for one in wanted if one > _LAST_LATIN and not any(ord(one) in covered(path) for path in own)}
    else:
        wanted = lacking = {one for one in wanted if ord(one) not in ENGINE_FONT and one.isprintable()}
    aboard = lacking & _text_characters()  # the same on every machine, so before what this one has
    choice = choose_fonts("".join(wanted - aboard), own)
    needed = [*(_TEXT_FONTS[:_TEXT_STYLES] if aboard else ()), *choice.files, *([_MATH_FONT] if formulas else [])]
    if not needed:
        return AddedFonts(warnings=tuple(_missing(document, *script) for script in choice.missing))
    folder.mkdir(parents=True, exist_ok=True)
    if not own:
        for path in _ENGINE_FONTS:
            copy_font(path, folder)
    for path in needed:
        copy_font(path, folder)
        bold = bold_of(path)
        if bold is not None:
            copy_font(bold, folder)
    return AddedFonts(not own, tuple(_missing(document, *script) for script in choice.missing))


@cache
def _text_characters() -> frozenset[str]:
    return frozenset(map(chr, (code for path in _TEXT_FONTS if "Regular" in path.name for code in covered(path))))


@cache
def _symbols() -> frozenset[str]:
    """What the font for formulas is good for in text; below lie letters of other scripts, made for formulas."""
    return frozenset(chr(code) for code in covered(_MATH_FONT) if code >= 0x2000)


@cache
def _emoji() -> frozenset[str]:
    return frozenset(map(chr, covered(_EMOJI_FONT)))


def _regional(family: str, lang: str, region: str, text: str) -> str:
    """The face of a Noto Sans CJK collection for a language: the same character is drawn differently in each (Unicode
    Standard 15.0, 18.1). Where the language is not said to be one of them, the text tells."""
    if not family.startswith("Noto Sans CJK"):
        return family
    region_code = {"ja": "JP", "ko": "KR", "zh": {"TW": "TC", "HK": "HK", "MO": "HK"}.get(region, "SC")}.get(lang)
    return f"Noto Sans CJK {region_code or _face_for(text[:200_000])}"


def _face_for(text: str) -> str:
    region = {"ja": "JP", "ko": "KR"}.get(language_of(_OTHERS.sub("", text)))
    if region is not None:
        return region
    traditional = sum(text.count(character) for character in _TRADITIONAL - _SIMPLIFIED)
    simplified = sum(text.count(character) for character in _SIMPLIFIED - _TRADITIONAL)
    return "TC" if traditional > simplified else "SC"


def _missing(document: MarkdownSource, script: str, count: int, first: str) -> Diagnostic:
    return Diagnostic(
        f"no font on this machine has the {script} characters of this document ({count} of them, such as"
        f" {first}, U+{ord(first):04X}); empty boxes stand in their places",
        "warning", _line_with(document, first), f"install a font for {script}, such as one of the Noto fonts",
    )  # fmt: skip


def _line_with(document: MarkdownSource, character: str) -> int | None:
    """The line of the document where a character stands first."""
    if character in document.head:
        return 2 + document.head.count("\n", 0, document.head.index(character))
    if character in document.body:
        return document.offset + 1 + document.body.count("\n", 0, document.body.index(character))
    return None
