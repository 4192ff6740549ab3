"""Bytes to text for formats that are text: byte order marks, UTF-8, UTF-16 and UTF-32 without one, then a guess.

Also tells text from binary. Not responsible for what the text means, nor for encodings a format declares by its own
grammar (an HTML meta tag): the format passes those as `declared`."""

import codecs
import re
from dataclasses import dataclass, replace
from functools import lru_cache

from sidecar.api import DamagedError, Limits, Notice, Source
from sidecar.toolkit.text.guessing import SAMPLE, guessed_encoding, wide_encoding
from sidecar.toolkit.text.strings import without_surrogates

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: its mark begins with the same two bytes
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MARKS = tuple([mark for mark, _ in _BOMS])
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\x0b\x08\x1b\x1a")) + b"\x7f"
_BETWEEN_ZEROS = 2000
"""Bytes of text for each NUL that may stand in it, after the first."""
_ISO_2022 = re.compile(rb"\x1b[$(][A-Z@]")
_MAC = {
    10000: "mac_roman", 10001: "shift_jis", 10002: "cp950", 10003: "cp949", 10006: "mac_greek", 10007: "mac_cyrillic",
    10008: "gb18030", 10029: "mac_latin2", 10079: "mac_iceland", 10081: "mac_turkish",
}  # fmt: skip
"""Code pages of the Macintosh, which Python knows by other names."""
_BINARY = (
    b"\0\1\0\0", b"OTTO\0", b"ttcf\0", b"wOFF\0", b"wOFFOTTO", b"wOF2\0", b"wOF2OTTO",  # fonts
    b"PK\3\4", b"PK\5\6", b"\x1f\x8b\x08", b"BZh91AY&SY", b"\xfd7zXZ\0", b"7z\xbc\xaf'\x1c", b"Rar!\x1a\7",
    b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18",  # archives
    b"\x7fELF", b"MZ\x90\0", b"\xca\xfe\xba\xbe", b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\0asm",  # programs
    b"SQLite format 3\0", b"OggS\0", b"fLaC\0", b"ID3\2", b"ID3\3", b"ID3\4", b"\x1aE\xdf\xa3",  # data, sound, film
)  # fmt: skip
"""What files that are not text begin with; some hold NUL bytes where UTF-16 would have them."""


@dataclass(frozen=True)
class Decoded:
    """Text, the Python name of the encoding it was in, and whether that was inferred rather than known."""

    text: str
    encoding: str
    guessed: bool = False

    def notices(self) -> tuple[Notice, ...]:
        """A remark where the encoding was guessed."""
        if not self.guessed:
            return ()
        return (Notice("encoding_guessed", f"The file does not say its encoding; it was read as {self.encoding}."),)

    def within(self, limits: Limits) -> tuple["Decoded", tuple[Notice, ...]]:
        """The text without lone surrogates, at most `limits.max_text_chars` of it, and what to remark."""
        text, most = without_surrogates(self.text), limits.max_text_chars
        notices = self.notices()
        if len(text) > most:
            message = f"Only the first {most:,} of {len(text):,} characters were read (max_text_chars)."
            notices += (Notice("truncated_at", message),)
        return replace(self, text=text[:most]), notices


def cut_notice(most: int) -> Notice:
    """The remark on a text of which no more than `most` characters were read."""
    return Notice("truncated_at", f"Only the first {most:,} characters were read.")


@lru_cache(8)  # each of the plugins that read text asks
def looks_binary(head: bytes) -> bool:
    """Whether leading bytes are not text in any encoding: NUL bytes outside UTF-16 and UTF-32, or control
    characters."""
    if head.startswith(_BINARY):
        return True
    if not head or head.startswith(_MARKS):
        return False
    if b"\0" in head:
        return wide_encoding(head) is None and not _has_stray_zeros(head)
    return len(head) - len(head.translate(None, _CONTROLS)) > len(head) // 200 and wide_encoding(head) is None


def _has_stray_zeros(data: bytes) -> bool:
    """Whether bytes are UTF-8 but for a NUL here and there (a log written through a crash, a field of fixed width)."""
    if not _has_few_zeros(data):
        return False
    text = data.replace(b"\0", b"")
    try:
        codecs.getincrementaldecoder("utf-8")().decode(text)
    except UnicodeDecodeError:
        return False
    return bool(text) and not looks_binary(text)


def _has_few_zeros(data: bytes) -> bool:
    return data.count(0) <= 1 + len(data) // _BETWEEN_ZEROS


def read_text(source: Source, limits: Limits, declared: str = "") -> tuple[Decoded, tuple[Notice, ...]]:
    """The text of a whole file with line ends as `\\n`, at most `limits.max_text_chars` of it, and what to remark.

    Raises:
        LimitError: larger than `limits.max_file_bytes`.
        DamagedError: it is not text.
    """
    decoded, notices = decode(source.read(limits.max_file_bytes), source.name, declared).within(limits)
    if "\r" in decoded.text:
        decoded = replace(decoded, text=decoded.text.replace("\r\n", "\n").replace("\r", "\n"))
    return decoded, notices


def decode(data: bytes, name: str, declared: str = "") -> Decoded:
    """Text from bytes. `declared` is the encoding the format's own grammar names, "" where it names none.

    A mark at the front wins; then UTF-8 where every byte agrees (a page that declares Latin-1 but is valid UTF-8 is
    UTF-8 in practice); then what is declared; then a guess from the bytes.

    Raises:
        DamagedError: the bytes are not text; `name` names them in the message."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            text = data[len(mark) :].decode(encoding, "replace")
            return Decoded(text, encoding)
    controls = len(data[:SAMPLE]) - len(data[:SAMPLE].translate(None, _CONTROLS))
    if b"\0" in data[: 4 * SAMPLE] or controls > len(data[:SAMPLE]) // 200:
        return _decode_wide(data, name)
    known = _codec(declared)
    if known.startswith(("iso2022", "hz")) or (not known and _ISO_2022.search(data, 0, SAMPLE)):
        # Seven-bit encodings are valid UTF-8 too, so they are tried first.
        seven = known or "iso2022_jp"
        try:
            return Decoded(data.decode(seven), seven, guessed=not known)
        except UnicodeDecodeError:
            pass
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError as error:
        first_fault = error.start
    if known and known != "utf-8":
        try:
            return Decoded(data.decode(known), known)
        except UnicodeDecodeError:
            pass
    guessed = guessed_encoding(data, first_fault)
    try:
        return Decoded(data.decode(guessed), guessed, guessed=True)
    except UnicodeDecodeError:
        return Decoded(data.decode(guessed, "replace"), guessed, guessed=True)


def code_page(number: int) -> str:
    """The codec of a Windows code page; cp1252 for what is none."""
    named = _MAC.get(number, f"cp{number}")
    try:
        codecs.lookup(named)
    except LookupError:
        return "cp1252"
    return named


def _codec(label: str) -> str:
    """The Python codec of an encoding label; browsers read Latin-1 and ASCII labels as cp1252 (WHATWG Encoding)."""
    try:
        name = codecs.lookup(label.strip()).name if label.strip() else ""
    except (LookupError, ValueError):
        return ""
    replaced = {"iso8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932",
                "euc_kr": "cp949", "iso8859-9": "cp1254", "tis-620": "cp874"}  # fmt: skip
    name = replaced.get(name, name)
    # Text codecs only: "hex" and "zlib" are codecs to Python too. Wide ones cannot be, there was no NUL byte.
    if name.startswith(("utf-16", "utf-32", "utf-7")):
        return ""
    try:
        b"".decode(name)
    except (LookupError, ValueError, TypeError):
        return ""
    return name


def _decode_wide(data: bytes, name: str) -> Decoded:
    encoding = wide_encoding(data)
    if encoding:
        return Decoded(data.decode(encoding, "replace"), encoding, guessed=True)
    if _has_few_zeros(data) and not looks_binary(data[:SAMPLE].replace(b"\0", b"")):
        return decode(data.replace(b"\0", b""), name)
    raise DamagedError(f"{name} holds binary data, not text.")
