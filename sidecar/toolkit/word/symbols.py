"""Characters as Unicode: those of symbol fonts (`w:sym`, list bullets, text typed in Symbol or Wingdings), and the
codecs of text that is not Unicode, by the character set of its font or by a language.

Symbol fonts live in the private area U+F000–F0FF. What has no counterpart in Unicode here stays as it is."""

import re

CHARSETS = {
    0: "cp1252", 77: "mac_roman", 78: "shift_jis", 79: "cp949", 80: "gb18030", 81: "cp950", 85: "mac_greek",
    86: "mac_turkish", 88: "mac_latin2", 89: "mac_cyrillic", 128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030",
    136: "cp950", 161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257",
    204: "cp1251", 222: "cp874", 238: "cp1250", 254: "cp437", 255: "cp850",
}  # fmt: skip
"""Character set of a font (RTF 1.9.1 `fcharset`, [MS-DOC] 2.9.87 `chs`) → codec; 1 is the file's own, 2 are symbols."""

_LANGUAGES = {
    0x01: "cp1256", 0x02: "cp1251", 0x05: "cp1250", 0x08: "cp1253", 0x0D: "cp1255", 0x0E: "cp1250", 0x15: "cp1250",
    0x18: "cp1250", 0x19: "cp1251", 0x1A: "cp1250", 0x1B: "cp1250", 0x1C: "cp1250", 0x1F: "cp1254", 0x22: "cp1251",
    0x23: "cp1251", 0x24: "cp1250", 0x25: "cp1257", 0x26: "cp1257", 0x27: "cp1257", 0x2F: "cp1251",
}  # fmt: skip


def language_codec(language: int) -> str:
    """The one-byte codec of text in a language (an LCID, [MS-LCID]), where its fonts do not say."""
    return _LANGUAGES.get(language & 0x3FF, "cp1252")


# Adobe's Symbol encoding from 0x22 on; a space keeps the place of what is the same or has no counterpart.
_SYMBOL = dict(
    zip(
        range(0x21, 0x7F),
        "!∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
        strict=True,
    )
) | dict(
    zip(
        range(0xA0, 0xFF),
        "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\uf8ff⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
        strict=True,
    )
)
_WINGDINGS = {
    0x21: "✏", 0x22: "✂", 0x28: "☎", 0x29: "✆", 0x2A: "✉", 0x36: "⌛", 0x41: "✌", 0x43: "👍", 0x44: "👎", 0x45: "☜",
    0x46: "☞", 0x47: "☝", 0x48: "☟", 0x4A: "☺", 0x4B: "😐", 0x4C: "☹", 0x4E: "☠", 0x52: "☼", 0x54: "❄", 0x6C: "●",
    0x6D: "❍", 0x6E: "■", 0x6F: "□", 0x70: "◻", 0x71: "❑", 0x72: "❒", 0x73: "⬧", 0x74: "⧫", 0x75: "◆", 0x76: "❖",
    0x77: "⬥", 0x78: "⌧", 0x9F: "•", 0xA0: "▪", 0xA1: "○", 0xA4: "◉", 0xA7: "▪", 0xA8: "◻", 0xAB: "★", 0xD8: "➢",
    0xDC: "➲", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔", 0xEF: "⇦", 0xF0: "⇨", 0xF1: "⇧", 0xF2: "⇩",
    0xF3: "⬄", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
} | {0x8C + i: chr(0x2776 + i) for i in range(10)} | {0x81 + i: chr(0x2460 + i) for i in range(10)}  # fmt: skip
_WINGDINGS2 = {0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0xA3: "□", 0x4F: "✗", 0x97: "●", 0x98: "●"}
_DINGBATS = {
    0x25: "☎", 0x2A: "☛", 0x2B: "☞", 0x48: "★", 0x6C: "●", 0x6E: "■", 0x73: "▲", 0x74: "▼", 0x75: "◆", 0x77: "◗",
    0xA8: "♣", 0xA9: "♦", 0xAA: "♥", 0xAB: "♠", 0xD5: "→", 0xD6: "↔", 0xD7: "↕",
} | {code: chr(0x2460 + code - 0xAC) for code in range(0xAC, 0xB6)}  # fmt: skip
"""Characters of Zapf Dingbats, and of Monotype Sorts that is encoded alike, that are not in their place in the block of
Unicode that was made after it (Unicode's mapping table VENDORS/ADOBE/zdingbat.txt)."""
_DINGBAT_FONTS = ("monotype sorts", "zapf", "itc zapf", "dingbats")
_PRIVATE = re.compile("[\uf020-\uf0ff]")


def symbol(code: int, font: str) -> str:
    """The character at `code` (0x20–0xFF or its counterpart for private use) of a symbol font, as Unicode."""
    low = code & 0xFF if 0xF000 <= code <= 0xF0FF else code
    name = font.casefold()
    table = _SYMBOL if name == "symbol" else _WINGDINGS2 if name == "wingdings 2" else None
    if table is None and name.startswith("wingdings"):
        table = _WINGDINGS
    if table is None and name.startswith(_DINGBAT_FONTS):
        table = _DINGBATS
        if low not in table and (0x21 <= low <= 0x7E or 0xA1 <= low <= 0xFE):
            return chr(low + (0x26E0 if low < 0xA0 else 0x26C0))
    if table is not None and low in table:
        return table[low]
    if not 0 <= code <= 0x10FFFF or 0xD800 <= code < 0xE000:
        return ""
    return chr(code)


def without_private(text: str) -> str:
    """Text with private-area characters as those of Symbol, the font they nearly always belong to; length unchanged."""
    return _PRIVATE.sub(lambda match: _SYMBOL.get(ord(match[0]) & 0xFF, match[0]), text)


def bullet(text: str, font: str = "") -> str:
    """A bullet's level text as the reader sees it; "•" where the font's sign has no counterpart."""
    if not text.strip():
        return "•"
    sign = text.strip()[0]
    if sign == "o" and len(text.strip()) == 1:
        return "○"
    if 0xF000 <= ord(sign) <= 0xF0FF:
        name = font or ("Symbol" if sign in "\uf0b7\uf02d" else "Wingdings")
        made = symbol(ord(sign), name)
        return "•" if made == "\uf8ff" or 0xE000 <= ord(made[0]) <= 0xF8FF else made
    if font.casefold().startswith(("wingdings", "symbol", *_DINGBAT_FONTS)):
        return symbol(ord(sign), font)
    return text.strip()
