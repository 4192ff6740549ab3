"""How text objects look (ISO 32000-1, 9.3), and which characters the glyphs of a font draw where no ToUnicode tells."""

import ctypes
import io
import re
import struct
from itertools import islice
from typing import NamedTuple

from sidecar.toolkit.fonts.sfnt import character_ranges, read_table
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.encodings import ADOBE_PIECES, DeclaredEncoding, declared_names, misread_signs
from sidecar_pdf.pdfium.font_programs import program_names
from sidecar_pdf.pdfium.geometry import Vector

_MATH_FONT = re.compile(
    r"CMMI|CMSY|CMBSY|CMEX|MSAM|MSBM|Math|Symbol|StandardSym|MTSY|MTMI|Euclid|EU[FSR][MB]\d|EUEX|rsfs|stmary|BBM|bbold"
    r"|KaTeX_|dsrom|esint|wasy\d|^r?[tp]x(?:b?mi|b?sy|b?ex)|NewTXB?MI|NewPXB?MI|TXMI", re.IGNORECASE
)  # fmt: skip
_EXTENSION_FONT = re.compile(r"CMEX|MathExtension|^r?[tp]xb?ex|esint|EUEX|MTEX|PazoMathExt", re.IGNORECASE)
_SYMBOL_FONT = re.compile(r"CMB?SY|MathSymbols|^r?[tp]xb?sy|MTSY|MS[AB]M\d", re.IGNORECASE)
"""Fonts of TeX's that have no letters, or capital ones alone."""
_LIKELY, _LIKELY_SIGN = frozenset("()[]{}|/\\"), frozenset("{}|/\\*±×÷·¬§¶°")
"""Characters before U+0250 that such fonts have."""
_MONO_FONT = re.compile(
    r"Mono(?!Prop|type)|NimbusMon|Courier|Cursor|Consol|Typewriter|(?:CM|LM|EC|SF|t1x|tcx|tx)[a-z]{0,2}tt|Menlo|Monaco"
    r"|^(?:EC|SF)(?:ST|IT|TC)\d|(?<!Uni)(?<!Bar)Code|Letter ?Gothic|Andale", re.IGNORECASE
)  # fmt: skip
_PROPORTIONAL_FONT = re.compile(
    r"Arial|Helvetica|Times|Calibri|Cambria|Verdana|Tahoma|Georgia"
    r"|Mincho|SimSun|MingLiU|Batang|Ryumin|HeiseiMin|STSong|MSung|MyeongJo", re.IGNORECASE,
)  # fmt: skip
"""Names of fonts that are none of typewriters, whatever their flags say; those of East Asia for running text are of
fixed pitch, as are all characters of their scripts."""
_BOLD_FONT = re.compile(
    r"Bold|Black|Heavy|Demi|CMBX|CMB\d|NimbusRomNo9L-Medi|-Medi$|\+.*BX\d|^(?:SF|EC)(?:B[XLIM]|S[XO]|XC|RB)\d"
    r"|^(?:CMSSBX|CMSSDC)\d|^Lin(?:Libertine|Biolinum)T?(?:B|BI|Z|ZI)$|^[rt]1?[tp]xb|^Adv\w*\.BI?$",
    re.IGNORECASE,
)
"""Names of bold fonts, those of TeX's families among them: SFSX is Computer Modern's bold sans in cm-super."""
_UPRIGHT_FONT = re.compile(
    r"Regu(?:lar)?|[-_](?:Roman|Rom|Book|Light|Thin|Normal|Text)|Ital|Oblique|Slant|^(?:CM|EC|SF|LM)[A-Z]{1,6}\d+$"
    r"|^(?:Courier|Helvetica|Times|Arial|CourierNew|TimesNewRoman)(?:PS)?(?:MT)?(?:[-,]|$)"
    r"|^(?:Tahoma|Verdana|Georgia|Calibri|Cambria|SegoeUI|SymbolMT|DroidSansFallback|MS-[PU]?(?:Gothic|Mincho))$",
    re.IGNORECASE,
)
"""Names of fonts that are not bold where they do not say so. The weight of others is worked out from the width of their
stems, which Ghostscript takes from the widest: no font that such a name had was bold of 62 with the stems of one."""
_ITALIC_FONT = re.compile(r"Italic|Oblique|CMTI|CMSL|-Ital?$|ReguItal", re.IGNORECASE)
_SLANTED_FONT = re.compile(r"CMMI|CMMIB|MTMI|LMMathItalic|LMMI|EURM|New[TP]XB?MI|[tp]xb?mi|RSFS", re.IGNORECASE)
_MAX_FONT_FILE = 32 << 20
_MAX_PAIRS = 200_000
"""Characters of all subtables of a `cmap` together: a font has 65,535 glyphs, a hostile one may claim billions."""
_FACE = re.compile(r"[-,].*|(?:Bold|Italic|Regular|Medium|Light|Roman|Oblique|Semi|Demi|Black|Book|PS|MT|\d)++$")
"""What a font's name says beside its family."""
_FIXED_PITCH, _ITALIC, _FORCE_BOLD = 1, 1 << 6, 1 << 18
"""Flags of a font descriptor (ISO 32000-1, table 123)."""
# Thousandths of the type size.
_SAME_WIDTH = 2.0  # between two widths of one glyph
_OVERHANG = 80.0  # by which a letter's ink reaches over its width: that of TeX's "ff" does by 66
_NARROWER = 0.9
"""Of the width of a broad letter, from which on a narrow one is as wide."""
_BOLD_WEIGHT, _MAX_WEIGHT = 600, 900
"""From this weight on a font counts as bold (ISO 32000-1, table 122: 400 is normal, 700 bold). There is none over the
last: it comes from stems that are none, which xdvipdfmx writes for Chinese type of any weight."""
_FILL_AND_STROKE = 2
"""The text rendering mode by which programs embolden fonts that have no bold (ISO 32000-1, 9.3.6)."""
_STROKED = frozenset((1, 5))
"""Those of text that is drawn by its outlines alone."""
_TRANSPARENT, _NEAR_WHITE = 8, 250
"""Of 255: opacity under which, and shade over which, text cannot be seen on white paper."""


class Style(NamedTuple):
    """How a run of text looks. `size` in points as shown; `mode` is the text rendering mode (ISO 32000-1, 9.3.6);
    `color` is that it is filled with, `0xRRGGBB`; `struck` tells of a line drawn through it (`structure.struck`)."""

    font: str = ""
    size: float = 0.0
    bold: bool = False
    italic: bool = False
    mono: bool = False
    math: bool = False
    white: bool = False
    mode: int = 0
    color: int = 0
    struck: bool = False


NO_STYLE = Style()
"""That of text pdfium generated, such as a space."""


_StyleKey = tuple[int, float, int, tuple[int, ...], float, float]
"""Font, type size, rendering mode and colour of a text object, and where its letters' tops are."""


class Fonts:
    """Styles by font handle, for one document: pdfium keeps a font alive as long as the document."""

    def __init__(self, data: bytes) -> None:
        self.matrix = raw.floats(6)
        """That of the characters of a text object, to be read into before its `style_and_axes` are asked for."""
        self.suspects: frozenset[str] = frozenset()
        """Characters that may be codes of glyphs whose names tell more, in fonts met so far."""
        self.borrowed: frozenset[str] = frozenset()
        """Fonts met so far that draw other signs for some characters (`text.signs`)."""
        self.misread: dict[str, dict[str, str]] = {}
        """By the name of fonts, signs for characters that the file wrongly gives for them; empty until a font met
        shows that."""
        self.blanks_written = False
        """Whether the program that made the document is known to write the blanks between words."""
        self._data = data
        self._declared: dict[str, list[DeclaredEncoding]] | None = None
        self._fonts: dict[int, tuple[str, bool, bool, bool, bool]] = {}
        self._styles: dict[_StyleKey, Style] = {}
        self._size, self._color = raw.floats(1), raw.integers(4)
        self._characters: dict[int, dict[int, str]] = {}
        self._named: dict[int, dict[int, str]] = {}
        self._suspected: set[int] = set()
        self._suspect = False
        self._matched: dict[int, list[DeclaredEncoding]] = {}
        """By the handle of fonts without a name, that of the fonts declared which has the widths of its glyphs."""

    def style_and_axes(self, text_object: int) -> tuple[Style, Vector, Vector]:
        """The style of a text object, and where its text runs to and where its letters' tops are, in page space: the
        rows of `matrix`, which a form around it may have scaled and turned, turned round where the type size is below
        zero (ISO 32000-1, 9.4.4), as Telerik Reporting writes it with a matrix that turns it back."""
        font = raw.text_font(text_object) or 0
        a, b, c, d, *_ = self.matrix.values
        size = self._size.values[0] if raw.text_size(text_object, self._size.address) else 0.0
        mode = raw.text_mode(text_object)
        paint = raw.stroke_color if mode in _STROKED else raw.fill_color
        color = tuple(self._color.values) if paint(text_object, *self._color.addresses) else ()
        key = font, abs(size), mode, color, c, d
        style = self._styles.get(key)
        if style is None:
            style = self._styles[key] = self._style(key)
        return (style, (a, b), (c, d)) if size >= 0 else (style, (-a, -b), (-c, -d))

    def name(self, text_object: int) -> str:
        """The name of the font of a text object, without the tag of a subset."""
        font = (raw.text_font(text_object) if text_object else 0) or 0
        known = self._fonts.get(font)
        if known is None:
            known = self._fonts[font] = _font(font)
        return known[0]

    def set_kind(self, font: int, *, mono: bool, math: bool, italic: bool) -> None:
        """Remembers of a font, by its handle, that it has letters of one width, those of formulas, or slanted ones: a
        font without a name does not tell."""
        name, bold, was_italic, was_mono, was_math = self._fonts[font]
        self._fonts[font] = name, bold, was_italic or italic, was_mono or mono, was_math or math
        self._styles = {key: style for key, style in self._styles.items() if key[0] != font}

    def _style(self, key: _StyleKey) -> Style:
        font, size, mode, color, c, d = key
        known = self._fonts.get(font)
        if known is None:
            known = self._fonts[font] = _font(font)
        name, bold, italic, mono, math = known
        white, filled = False, 0
        if color:
            red, green, blue, alpha = color
            white, filled = is_white(alpha, red, green, blue), red << 16 | green << 8 | blue
        shown = size * (c * c + d * d) ** 0.5
        return Style(name, shown, bold or mode == _FILL_AND_STROKE, italic, mono, math, white, mode, filled)

    def characters(self, text_object: int) -> dict[int, str]:
        """`{glyph: character}` of the font of a text object whose characters pdfium could not make out: read from the
        font file itself, empty where that tells nothing either."""
        font = raw.text_font(text_object) or 0
        known = self._characters.get(font)
        if known is None:
            known = self._characters[font] = _glyph_characters(_font_file(font)) if font else {}
        return known

    def suspect(self, text_object: int) -> None:
        """Remembers the codes of a font that pdfium could not make out, and whose glyphs' names tell more."""
        font = raw.text_font(text_object) or 0
        if font not in self._suspected:
            self._suspected.add(font)
            codes = {
                *self._program_names(font),
                *(code for entry in self._declared_fonts(font) for code in entry.names),
            }
            self.suspects |= {chr(code) for code in codes}

    def named(self, text_object: int, code: int, width: float) -> str:
        """What pdfium could not make out, by its code and the name of its glyph; "" where the file does not tell.
        `width` in thousandths of the type size tells fonts of one name apart."""
        font = raw.text_font(text_object) or 0
        known = self._program_names(font)
        if code in known:
            return known[code]
        declared = self._declared_fonts(font)
        if not _name(font):
            return self._unnamed(font, declared, code, width)
        fonts = [entry for entry in declared if code in entry.names]
        return min(fonts, key=lambda entry: abs(entry.widths.get(code, 0.0) - width)).names[code] if fonts else ""

    def _unnamed(self, font: int, declared: list[DeclaredEncoding], code: int, width: float) -> str:
        """As `named`, of a font without a name, which the widths of its glyphs tell from others."""
        fonts = [entry for entry in self._matched.get(font, declared) if code in entry.codes or code in entry.names]
        if not any(code in entry.names for entry in fonts):
            return ""
        best = min(fonts, key=lambda entry: abs(entry.widths.get(code, 0.0) - width))
        exact = abs(best.widths.get(code, 0.0) - width) < _SAME_WIDTH
        if exact and code in best.names:
            self._matched[font] = [best]
        if exact or len(fonts) == 1:
            return best.names.get(code, "")
        hangs_over = (e for e in fonts if code in e.names and 0 < width - e.widths.get(code, 0.0) < _OVERHANG)
        return next((entry.names[code] for entry in hangs_over if entry.names[code]), "")

    def mark_suspect(self) -> None:
        """Finds out what fonts draw for the characters that the file gives for their codes, where the names of their
        glyphs say something else."""
        if not self._suspect:
            self._suspect = True
            self.misread = misread_signs(self._data) or self.misread

    def _program_names(self, font: int) -> dict[int, str]:
        known = self._named.get(font)
        if known is None:
            known = self._named[font] = program_names(_font_file(font)) if font else {}
        return known

    def _declared_fonts(self, font: int) -> list[DeclaredEncoding]:
        """The encodings the file declares for fonts of this name."""
        if self._declared is None:
            self._declared = declared_names(self._data)
        return self._declared.get(_name(font), [])


def family(font: str) -> str:
    """The family a font belongs to, as far as its name tells: "CMR" of "CMR10", "Arial" of "Arial-BoldMT"."""
    return _FACE.sub("", font)


def is_unlikely(font: str, char: str) -> bool:
    """Whether a font for mathematics, or of bitmaps, has no such character, so that it may be the code of another."""
    if char >= "\u0250":
        return ADOBE_PIECES[0] <= char <= ADOBE_PIECES[1] if font else "\u2460" <= char <= "\u27bf"
    if _EXTENSION_FONT.search(font):
        return char not in _LIKELY
    if _SYMBOL_FONT.search(font):
        return char not in _LIKELY_SIGN and not (char.isupper() and char.isascii())
    return char < " " or (char > "~" and char not in _LIKELY_SIGN and char not in "µıȷ")


def is_slanted(style: Style) -> bool:
    """Whether letters are set as variables are: in italics, or in a font of TeX's that has no others."""
    return style.italic or _SLANTED_FONT.search(style.font) is not None


def is_white(alpha: int, red: int, green: int, blue: int) -> bool:
    """Whether a colour, each part of 255, cannot be seen on white paper."""
    return alpha < _TRANSPARENT or min(red, green, blue) > _NEAR_WHITE


def _glyph_characters(program: bytes) -> dict[int, str]:
    """`{glyph: character}` of a font program, empty where it has no Unicode map or is not an sfnt (ISO 32000-1, 9.10.2:
    a font without ToUnicode numbers its glyphs). Of several characters drawn by one glyph the lowest is taken; those
    for private use tell nothing and are left out."""
    characters: dict[int, str] = {}
    try:
        ranges = character_ranges(read_table(io.BytesIO(program), b"cmap"))
        for code, glyph in islice((pair for some in ranges for pair in some.glyphs()), _MAX_PAIRS):
            if glyph and not 0xE000 <= code <= 0xF8FF and code > 0x1F and not 0xD800 <= code <= 0xDFFF:
                known = characters.get(glyph)
                if known is None or code < ord(known):
                    characters[glyph] = chr(code)
    except (struct.error, ValueError):
        return {}
    return characters


def _font_file(font: int) -> bytes:
    """The embedded font program, unpacked; empty where the font is not in the file or is overlong."""
    needed = ctypes.c_size_t()
    if raw.font_embedded(font) != 1 or not raw.font_data(font, None, 0, needed) or needed.value > _MAX_FONT_FILE:
        return b""
    buffer = ctypes.create_string_buffer(needed.value)
    return buffer.raw if raw.font_data(font, buffer, needed.value, needed) else b""


def _name(font: int) -> str:
    """The font's name without the tag of a subset."""
    name = raw.string(raw.font_name, font, encoding="utf-8") if font else ""
    return name.partition("+")[2] or name


def _font(font: int) -> tuple[str, bool, bool, bool, bool]:
    if not font:
        return "", False, False, False, False
    name = _name(font)
    flags = max(raw.font_flags(font), 0)
    bold = bool(_BOLD_FONT.search(name))
    if not bold and not _UPRIGHT_FONT.search(name):
        bold = _BOLD_WEIGHT <= raw.font_weight(font) <= _MAX_WEIGHT or bool(flags & _FORCE_BOLD)
    italic = bool(_ITALIC_FONT.search(name)) or bool(flags & _ITALIC)
    mono = bool(_MONO_FONT.search(name)) or (bool(flags & _FIXED_PITCH) and not _varies(font, name))
    return name, bold, italic, mono, bool(_MATH_FONT.search(name))


def _varies(font: int, name: str) -> bool:
    """Whether a broad letter is wider than a narrow one, by the font's name or widths: some programs flag every font as
    of fixed pitch."""
    if _PROPORTIONAL_FONT.search(name):
        return True
    width = ctypes.c_float()
    widths = [width.value for code in b"iW" if raw.glyph_width(font, code, 1.0, width)]
    return len(widths) == 2 and 0 < widths[0] < _NARROWER * widths[1]
