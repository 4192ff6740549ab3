"""Codecs of text that is not Unicode: by the character set of its font, by a language."""

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
