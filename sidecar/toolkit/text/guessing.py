"""In which encoding bytes are that do not say it: UTF-16 and UTF-32 by where their NUL bytes stand, others by a guess.

What bytes declare comes first, in `decoding`."""

import re

SAMPLE = 65_536
"""Bytes shown to charset-normalizer; it takes about 1 ms for each kilobyte."""
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
_HANGUL, _MIN_HANGUL = 0.9, 6
"""Share of the signs beyond ASCII that makes a text Korean, and this many of them."""
_GUESSED = [
    "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "iso8859_2", "iso8859_5",
    "iso8859_6", "koi8_r", "koi8_u", "cp437", "cp850", "cp866", "mac_roman", "mac_cyrillic", "cp932", "euc_jp",
    "gb18030", "big5", "cp949", "euc_kr", "tis_620",
]  # fmt: skip
_ITALIAN = "àèéìòù"
"""Letters that end words in Italian."""
_RIVALS = {"cp1250": ("cp1250", "iso8859_2"), "mac_cyrillic": ("cp1251", "mac_cyrillic")}
"""What a guess stands for, and what it is where the text has fewer oddities in that."""


def wide_encoding(data: bytes) -> str | None:
    """The UTF-16 or UTF-32 form whose NUL bytes would stand where these do, None where none fits."""
    sample = data[: SAMPLE // 4 * 4]
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
        if error.start < len(sample) - 4:  # a surrogate pair cut by the sample's end is not a fault
            return False
        text = sample[: error.start].decode(encoding)
    if not text or _UNPRINTABLE.search(text):
        return False
    return len(re.findall(_COMMON_SCRIPTS, text)) > 0.95 * len(text)


def guessed_encoding(data: bytes, first_fault: int) -> str:
    """An encoding for bytes that are neither UTF-8, which they are not at `first_fault`, nor declared; not all of them
    need be right in it."""
    loose = data.decode("utf-8", "replace")
    if loose.count("\ufffd") * 20 <= sum(map(_is_beyond_ascii, loose[:1_000_000])):
        return "utf-8"  # with a few broken bytes
    # The non-ASCII lines tell most, and the first of them may stand a megabyte into the file.
    start = max(data.rfind(b"\n", 0, first_fault) + 1, first_fault - SAMPLE // 4)
    sample = data[start : start + SAMPLE]
    from charset_normalizer import from_bytes

    found = from_bytes(sample, cp_isolation=_GUESSED, enable_fallback=False)
    guesses = [one.encoding for one in found if one.encoding != "tis_620" or _is_thai(str(one))]
    encoding = guesses[0] if guesses else "cp1252"
    if _is_korean(sample):
        encoding = "cp949"
    elif encoding != "cp1252" and (_is_western(sample, encoding) or _is_italian(sample)):
        encoding = "cp1252"  # the commoner of several that read the same
    elif encoding != "cp1252":
        encoding = _less_odd(sample, *_RIVALS.get(encoding, (encoding, encoding)))
        encoding = _less_odd(sample, encoding, "cp1252")
    return encoding


def _is_beyond_ascii(character: str) -> bool:
    return character > "\x7f"


def _is_thai(text: str) -> bool:
    return len(re.findall(_NOT_THAI, text)) * 50 <= len(re.findall("[\u0e01-\u0e59]", text))


def _is_korean(sample: bytes) -> bool:
    """Whether all but a few signs beyond ASCII are Hangul in EUC-KR. Bytes of other languages do not pair that way, and
    the guess takes short texts for Thai."""
    signs = [char for char in sample.decode("euc_kr", "replace") if char > "\x7f"]
    return sum("\uac00" <= char <= "\ud7a3" for char in signs) > _HANGUL * max(len(signs), _MIN_HANGUL)


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


def _is_italian(sample: bytes) -> bool:
    """Whether all letters beyond ASCII are vowels with a grave accent, or é, that end words: Western European, in which
    "Agliè" is no "Aglič"; of other languages some would stand within words."""
    words = [word for word in re.findall(r"[^\W\d_]+", sample.decode("cp1252", "replace")) if not word.isascii()]
    return bool(words) and all(word[:-1].isascii() and word[-1] in _ITALIAN for word in words)


def _is_western(sample: bytes, encoding: str) -> bool:
    """Whether the bytes read the same in Western European."""
    try:
        return sample.decode(encoding) == sample.decode("cp1252")
    except UnicodeDecodeError:
        return False
