"""Bytes to text for formats that are text: byte order marks, UTF-8, UTF-16 and UTF-32 without one, then a guess.

Also tells text from binary. Not responsible for what the text means, nor for encodings a format declares by its own
grammar (an HTML meta tag): the format passes those as `declared`."""

import codecs
import difflib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from sidecar.api.errors import DamagedError
from sidecar.api.formats import Limits, Source
from sidecar.api.model import Notice

Record = TypeVar("Record")

_SAMPLE = 65_536
"""Bytes shown to charset-normalizer; it takes about 1 ms for each kilobyte."""
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: its mark begins with the same two bytes
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MARKS = tuple([mark for mark, _ in _BOMS])
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\x0b\x08\x1b\x1a")) + b"\x7f"
UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
"""Control characters but tab and line feed; marks that reorder text, which can make one name look like another."""
_STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control characters, line separators, and marks of direction (Unicode Annex 9, section 2)."""
_ISO_2022 = re.compile(rb"\x1b[$(][A-Z@]")
_UNPRINTABLE = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffe\uffff\ue000-\uf8ff\ud800-\udfff]")
_COMMON_SCRIPTS = (  # compiled when bytes have no declared encoding: every start would pay for it
    "[\\s!-\u06ff\u0900-\u0e7f\u2010-\u203d\u2160-\u2179\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff00-\uffee]"
)
"""Scripts files are written in; bytes read in the wrong order land in Tifinagh, Coptic and unassigned blocks."""
_ODD = re.compile(
    r"(?<=[a-z])[\u00c0-\u00de](?=[a-z])|(?<![^\W\d_])[\u00c0-\u00de](?![^\W\d_])"  # a capital in a word, or alone
    r"|(?<=\d)[\u00c0-\u024f\u0370-\u04ff]|[\u00c0-\u024f\u0370-\u04ff](?=\d)"  # a letter at a figure
    r"|(?<=[A-Za-z])[\u00a1-\u00a9\u00ab-\u00b3\u00b6\u00b8\u00b9\u00bb-\u00bf\u2020-\u2026\u20ac](?=[A-Za-z])"  # sign
    r"|[\u0155\u013a](?![^\W\d_])|(?<=[a-z])\u010ds(?![^\W\d_])"  # letters of Slovak for \u00e0, \u00e5 and \u00e8
    r"|(?<![^\W\d_])\u0402(?![^\W\d_])"  # a Serbian letter alone, which stands for the sign of the euro
    r"|[\u02c6-\u02dd\u2200-\u22ff\u2500-\u25ff\ufb01\ufb02\ufffd]|\u2026(?=[A-Za-z])"  # what is hardly ever written
    r"|(?<=[а-я])[А-Я]|[\x80-\x9f]|[\xa9\xae\xb1\xb6\xbb](?=[^\W\d_])"  # controls, and signs that begin a word
)
"""What text read in another encoding than its own is full of."""
_NOT_THAI = (
    "[\u0e03\u0e05]|(?<![\u0e01-\u0e2e])[\u0e31\u0e34-\u0e3a]|(?<![\u0e01-\u0e3a])[\u0e47-\u0e4e]"
    "|[\u0e40-\u0e44](?![\u0e01-\u0e2e])|[\u0e50-\u0e59](?=[\u0e01-\u0e2e])"
)
"""Two letters out of use, vowels and tones that follow no letter, vowels that none follows, figures in a word: Chinese
read as Thai has one in ten signs."""
_MAC = {
    10000: "mac_roman", 10001: "shift_jis", 10002: "cp950", 10003: "cp949", 10006: "mac_greek", 10007: "mac_cyrillic",
    10008: "gb18030", 10029: "mac_latin2", 10079: "mac_iceland", 10081: "mac_turkish",
}  # fmt: skip
"""Code pages of the Macintosh, which Python knows by other names."""
_HANGUL, _LEAST_HANGUL = 0.9, 6
"""Share of the signs beyond ASCII that makes a text Korean, and so many of them."""
_GUESSED = [
    "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "iso8859_2", "iso8859_5",
    "iso8859_6", "koi8_r", "koi8_u", "cp437", "cp850", "cp866", "mac_roman", "mac_cyrillic", "cp932", "euc_jp",
    "gb18030", "big5", "cp949", "euc_kr", "tis_620",
]  # fmt: skip
_RIVALS = {"cp1250": ("cp1250", "iso8859_2"), "mac_cyrillic": ("cp1251", "mac_cyrillic")}
"""What a guess stands for, and what it is where the text has fewer oddities in that."""

_BINARY = (
    b"\0\1\0\0", b"OTTO\0", b"ttcf\0", b"wOFF\0", b"wOFFOTTO", b"wOF2\0", b"wOF2OTTO",  # fonts
    b"PK\3\4", b"PK\5\6", b"\x1f\x8b\x08", b"BZh91AY&SY", b"\xfd7zXZ\0", b"7z\xbc\xaf'\x1c", b"Rar!\x1a\7",
    b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18",  # archives
    b"\x7fELF", b"MZ\x90\0", b"\xca\xfe\xba\xbe", b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\0asm",  # programs
    b"SQLite format 3\0", b"OggS\0", b"fLaC\0", b"ID3\2", b"ID3\3", b"ID3\4", b"\x1aE\xdf\xa3",  # data, sound, film
)  # fmt: skip
"""What files that are no text begin with; some hold NUL bytes where UTF-16 would have them."""
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


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
            said = f"Only the first {most:,} of {len(text):,} characters were read (max_text_chars)."
            notices += (Notice("truncated_at", said),)
        return replace(self, text=text[:most]), notices


def cut_notice(most: int) -> Notice:
    """The remark on a text of which no more than so many characters were read."""
    return Notice("truncated_at", f"Only the first {most:,} characters were read.")


@lru_cache(8)  # each of the plugins that read text asks
def looks_binary(head: bytes) -> bool:
    """Whether leading bytes are no text in any encoding: NUL bytes outside UTF-16 and UTF-32, or control characters."""
    if head.startswith(_BINARY):
        return True
    if not head or head.startswith(_MARKS):
        return False
    if b"\0" in head:
        return _wide(head) is None
    return len(head) - len(head.translate(None, _CONTROLS)) > len(head) // 200 and _wide(head) is None


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
        DamagedError: the bytes are not text; `name` names them in the message.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            text = data[len(mark) :].decode(encoding, "replace")
            return Decoded(text, encoding)
    controls = len(data[:_SAMPLE]) - len(data[:_SAMPLE].translate(None, _CONTROLS))
    if b"\0" in data[: 4 * _SAMPLE] or controls > len(data[:_SAMPLE]) // 200:
        return _decode_wide(data, name)
    known = _codec(declared)
    if known.startswith(("iso2022", "hz")) or (not known and _ISO_2022.search(data, 0, _SAMPLE)):
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
    return _guess(data, first_fault)


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


def _wide(data: bytes) -> str | None:
    """The UTF-16 or UTF-32 form whose NUL bytes would stand where these do, None where none fits."""
    sample = data[: _SAMPLE // 4 * 4]
    if len(sample) < 4:
        sample = data[: len(data) // 2 * 2]
    if len(sample) < 2:
        return None
    zeros = [sample[lane::4].count(0) for lane in range(4)]
    quarter = max(len(sample) // 4, 1)
    for lanes, low, encoding in (((2, 3), 0, "utf-32-le"), ((0, 1), 3, "utf-32-be")):
        if len(sample) >= 4 and all(zeros[lane] >= 0.99 * quarter for lane in lanes) and zeros[low] < 0.5 * quarter:
            return encoding
    even, odd = zeros[0] + zeros[2], zeros[1] + zeros[3]
    half = len(sample) // 2
    # Latin text has a zero in every other byte; Chinese text only at its spaces and line ends (and in U+4E00).
    for high, low, encoding in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
        if high >= 0.3 * half and high >= 20 * low:
            return encoding
        if (high or (len(sample) >= 16 and not _is_utf8(sample))) and _reads_well(sample, encoding):
            return encoding
    return None


def _is_utf8(sample: bytes) -> bool:
    """Whether the bytes are UTF-8, a character cut by the sample's end aside; by chance UTF-16 hardly ever is."""
    try:
        sample.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start >= len(sample) - 3
    return True


def _reads_well(sample: bytes, encoding: str) -> bool:
    try:
        text = sample[: len(sample) // 2 * 2].decode(encoding)
    except UnicodeDecodeError as error:
        if error.start < len(sample) - 4:  # a surrogate pair cut by the sample's end is no fault
            return False
        text = sample[: error.start].decode(encoding)
    if not text or _UNPRINTABLE.search(text):
        return False
    return len(re.findall(_COMMON_SCRIPTS, text)) > 0.95 * len(text)


def _decode_wide(data: bytes, name: str) -> Decoded:
    encoding = _wide(data)
    if encoding:
        return Decoded(data.decode(encoding, "replace"), encoding, guessed=True)
    if data.count(0) <= len(data) // 2000 and not looks_binary(data[:_SAMPLE].replace(b"\0", b"")):
        # A stray NUL (a log written through a crash, a fixed-width field) does not make a text binary.
        return decode(data.replace(b"\0", b""), name)
    raise DamagedError(f"{name} holds binary data, not text.")


def _guess(data: bytes, first_fault: int) -> Decoded:
    """An encoding for bytes that are neither UTF-8 nor declared; always gives text."""
    loose = data.decode("utf-8", "replace")
    if loose.count("\ufffd") * 20 <= sum(map(_is_beyond_ascii, loose[:1_000_000])):
        return Decoded(loose, "utf-8", guessed=True)  # UTF-8 with a few broken bytes
    # The non-ASCII lines tell most, and the first of them may stand a megabyte into the file.
    start = max(data.rfind(b"\n", 0, first_fault) + 1, first_fault - _SAMPLE // 4)
    sample = data[start : start + _SAMPLE]
    from charset_normalizer import from_bytes

    found = from_bytes(sample, cp_isolation=_GUESSED, enable_fallback=False)
    guesses = [one.encoding for one in found if one.encoding != "tis_620" or _is_thai(str(one))]
    encoding = guesses[0] if guesses else "cp1252"
    if _is_korean(sample):
        encoding = "cp949"
    elif encoding != "cp1252" and _same_in(sample, encoding, "cp1252"):
        encoding = "cp1252"  # the commoner of several that read the same
    elif encoding != "cp1252":
        encoding = _less_odd(sample, *_RIVALS.get(encoding, (encoding, encoding)))
        encoding = _less_odd(sample, encoding, "cp1252")
    try:
        return Decoded(data.decode(encoding), encoding, guessed=True)
    except UnicodeDecodeError:
        return Decoded(data.decode(encoding, "replace"), encoding, guessed=True)


def _is_beyond_ascii(character: str) -> bool:
    return character > "\x7f"


def _is_thai(text: str) -> bool:
    return len(re.findall(_NOT_THAI, text)) * 50 <= len(re.findall("[\u0e01-\u0e59]", text))


def _is_korean(sample: bytes) -> bool:
    """Whether all but a few signs beyond ASCII are Hangul in EUC-KR. Bytes of other languages do not pair that way, and
    the guess takes short texts for Thai."""
    signs = [char for char in sample.decode("euc_kr", "replace") if char > "\x7f"]
    return sum("\uac00" <= char <= "\ud7a3" for char in signs) > _HANGUL * max(len(signs), _LEAST_HANGUL)


def _less_odd(sample: bytes, guess: str, common: str) -> str:
    """The common encoding where the sample read in it has fewer oddities than in the guessed one."""
    try:
        read = sample.decode(common)
    except UnicodeDecodeError:
        return guess
    return common if _oddities(read) < _oddities(sample.decode(guess, "replace")) else guess


def _oddities(text: str) -> int:
    """How many signs there are that a text was written in another encoding. Hungarian has more ő and á than ű, which
    stands for the û of French."""
    lowered = text.lower()
    return len(_ODD.findall(text)) + ("ő" not in lowered and "á" not in lowered) * lowered.count("ű")


def _same_in(sample: bytes, one: str, other: str) -> bool:
    try:
        return sample.decode(one) == sample.decode(other)
    except UnicodeDecodeError:
        return False


def roman(number: int) -> str:
    """A positive number in small Roman numerals, thousands as so many m."""
    written = ""
    for value, numeral in _ROMAN:
        written += numeral * (number // value)
        number %= value
    return written


def media_kind(media_type: str) -> str:
    """A media type without its parameters, in small letters."""
    return media_type.partition(";")[0].strip().lower()


def is_textual(media_type: str) -> bool:
    """Whether what is of that media type is text."""
    kind = media_kind(media_type)
    return kind.startswith("text/") or kind.endswith(("json", "xml", "yaml", "toml", "javascript"))


def did_you_mean(
    wanted: str, names: Iterable[str], otherwise: str = "", *, most: int = 1, alike: float = 0.5, mark: str = ""
) -> str:
    """The question whether one of the names was meant that are like what was `wanted` (`alike` is difflib's cutoff),
    each between two of the `mark`; `otherwise` where none is."""
    near = difflib.get_close_matches(wanted, list(names), most, alike)
    return f"did you mean {' or '.join(f'{mark}{one}{mark}' for one in near)}?" if near else otherwise


def without_steering(text: str) -> str:
    """The text of one line with U+FFFD for characters that end a line, steer a terminal or turn the direction of
    writing."""
    return text if text.isprintable() else _STEERING.sub("\ufffd", text)


def clean(value: object, most: int, *, lines: bool = False) -> str:
    """At most `most` characters that can be shown; "" for anything but a text. One line unless `lines`."""
    if not isinstance(value, str):
        return ""
    text = UNSEEN.sub(" ", value[: most * 4])
    text = text.strip() if lines else " ".join(text.split())
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def without_surrogates(text: str) -> str:
    """The text with lone surrogates (JSON escapes, surrogateescape) replaced, so that it can be stored as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def map_texts(record: Record, change: Callable[[str], str]) -> Record:
    """The same structure (structs, tuples, lists, dicts, text) with `change` made to every text in it, keys too."""
    return _mapped(record, change)


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, tuple | list):
        return type(value)([_mapped(item, change) for item in value])  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        return {_mapped(key, change): _mapped(item, change) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, msgspec.Struct):
        return type(value)(**{name: _mapped(getattr(value, name), change) for name in value.__struct_fields__})
    return value


def with_filters(query: str, **given: str | None) -> str:
    """A search query with the filters that are given (`folder="reports"`) as one types them; those that are empty say
    nothing."""
    typed = {name: value.replace('"', " ") for name, value in given.items() if value and value.strip()}
    return " ".join((*(f'{name}:"{value}"' for name, value in typed.items()), query))
