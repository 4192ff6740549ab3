"""Numbers as list markers show them: in Word's formats (ECMA-376 part 1 §17.18.59 ST_NumberFormat) and PowerPoint's
(§20.1.10.61 ST_TextAutonumberScheme), whose paragraphs are counted here too. Formats not here count in decimals."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from sidecar.toolkit.text import roman

_ONE_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TEN_WORDS = "- - twenty thirty forty fifty sixty seventy eighty ninety"
_ONES, _TENS = _ONE_WORDS.split(), _TEN_WORDS.split()
_ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip
_LAST_WORD = re.compile(r"[a-z]+$")
_ALPHABETS = {
    "russianLower": "абвгдежзиклмнопрстуфхцчшщэюя",
    "russianUpper": "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ",
    "hebrew2": "אבגדהוזחטיכלמנסעפצקרשת",
    "arabicAlpha": "أبتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "arabicAbjad": "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ",
    "aiueo": "ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜｦﾝ",
    "aiueoFullWidth": "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン",
    "iroha": "ｲﾛﾊﾆﾎﾍﾄﾁﾘﾇﾙｦﾜｶﾖﾀﾚｿﾂﾈﾅﾗﾑｳヰﾉｵｸﾔﾏｹﾌｺｴﾃｱｻｷﾕﾒﾐｼヱﾋﾓｾｽ",
    "ganada": "가나다라마바사아자차카타파하",
    "chosung": "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ",
    "ideographTraditional": "甲乙丙丁戊己庚辛壬癸",
    "ideographZodiac": "子丑寅卯辰巳午未申酉戌亥",
}
_CJK_NAMES = (
    "chineseCounting chineseCountingThousand japaneseCounting ideographDigital taiwaneseCounting "
    "taiwaneseCountingThousand japaneseDigitalTenThousand taiwaneseDigital koreanDigital2"
)
_CJK_COUNTING = frozenset(_CJK_NAMES.split())
_ENCLOSED = {
    "decimalEnclosedCircle": 0x2460, "decimalEnclosedCircleChinese": 0x2460, "decimalEnclosedParen": 0x2474,
    "decimalEnclosedFullstop": 0x2488,
}  # fmt: skip
"""The sign that stands for one; those for two to twenty follow it."""
_FULL_WIDTH = {ord(digit): 0xFF10 + int(digit) for digit in "0123456789"}
_DIGITS = "〇一二三四五六七八九"
_HANGUL_DIGITS = "영일이삼사오육칠팔구"


def format_number(value: int, form: str) -> str:
    """`value` in the number format `form` ("decimal", "lowerRoman", …); "" for "none" and "bullet"."""
    write = _FORMATS.get(form)
    if write is not None:
        return write(value)
    first = _ENCLOSED.get(form)
    if first is not None and 1 <= value <= 20:
        return chr(first + value - 1)
    alphabet = _ALPHABETS.get(form)
    if alphabet and value >= 1:
        return alphabet[(value - 1) % len(alphabet)] * min((value - 1) // len(alphabet) + 1, 10)
    return str(value)


def _letters(value: int, upper: bool) -> str:
    """a … z, aa, bb, … zz, aaa (§17.18.59), not the base 26 of spreadsheets."""
    if value < 1:
        return str(value)
    letter = chr((65 if upper else 97) + (value - 1) % 26)
    return letter * min((value - 1) // 26 + 1, 30)


def _roman(value: int, upper: bool) -> str:
    if not 1 <= value < 40_000:
        return str(value)
    return roman(value).upper() if upper else roman(value)


def _ordinal_suffix(value: int) -> str:
    if 10 <= value % 100 <= 20:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")


def _words(value: int) -> str:
    if not 0 <= value < 1_000_000:
        return str(value)
    if value >= 1000:
        thousands, rest = divmod(value, 1000)
        return f"{_words(thousands)} thousand" + (f" {_words(rest)}" if rest else "")
    if value < 20:
        return _ONES[value]
    if value < 100:
        tens, ones = divmod(value, 10)
        return _TENS[tens] + (f"-{_ONES[ones]}" if ones else "")
    hundreds, rest = divmod(value, 100)
    return f"{_ONES[hundreds]} hundred" + (f" {_words(rest)}" if rest else "")


def _ordinal_words(words: str) -> str:
    """Only the last word of a number is told as an ordinal: "one hundred twenty-first"."""
    last = _LAST_WORD.search(words)
    if last is not None and last[0] in _ORDINALS:
        return words[: last.start()] + _ORDINALS[last[0]]
    return words[:-1] + "ieth" if words.endswith("y") else words + "th"


def _cjk(value: int, digital: bool) -> str:
    if value < 1 or value > 9999 or digital:
        return "".join(_DIGITS[int(digit)] for digit in str(max(value, 0)))
    made = ""
    pending_zero = False
    for worth, sign in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        count, value = divmod(value, worth)
        if count:
            if pending_zero:
                made += "〇"
            made += ("" if worth == 10 and count == 1 and not made else _DIGITS[count]) + sign
        pending_zero = bool(made) and not count and value > 0
    return made


def _hangul(value: int) -> str:
    """Numbers as Korean says them: 일, 이, … 십, 십일: a single thousand, hundred or ten has no one before it."""
    if not 1 <= value <= 9999:
        return _hangul_digits(value)
    made = ""
    for worth, sign in ((1000, "천"), (100, "백"), (10, "십"), (1, "")):
        count, value = divmod(value, worth)
        if count:
            made += ("" if worth > 1 and count == 1 else _HANGUL_DIGITS[count]) + sign
    return made


def _hangul_digits(value: int) -> str:
    return "".join(_HANGUL_DIGITS[int(digit)] for digit in str(max(value, 0)))


def _hebrew(value: int) -> str:
    if not 1 <= value < 1000:
        return str(value)
    made = ""
    for worth, sign in zip(
        (400, 300, 200, 100, 90, 80, 70, 60, 50, 40, 30, 20, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1),
        "תשרקצפעסנמלכיטחזוהדגבא",
        strict=True,
    ):
        while value >= worth:
            if value in (15, 16):
                return made + ("טו" if value == 15 else "טז")
            made += sign
            value -= worth
    return made


_FORMATS: dict[str, Callable[[int], str]] = {
    **dict.fromkeys(("", "decimal"), str),
    **dict.fromkeys(("none", "bullet"), lambda value: ""),
    "lowerLetter": lambda value: _letters(value, upper=False),
    "upperLetter": lambda value: _letters(value, upper=True),
    "lowerRoman": lambda value: _roman(value, upper=False),
    "upperRoman": lambda value: _roman(value, upper=True),
    "decimalZero": lambda value: f"{value:02d}",
    "ordinal": lambda value: f"{value}{_ordinal_suffix(value)}",
    "cardinalText": lambda value: _words(value).capitalize(),
    "ordinalText": lambda value: _ordinal_words(_words(value)).capitalize(),
    "numberInDash": lambda value: f"- {value} -",
    **dict.fromkeys(("decimalFullWidth", "decimalFullWidth2"), lambda value: str(value).translate(_FULL_WIDTH)),
    "hex": lambda value: f"{value:X}",
    **{form: partial(_cjk, digital="igital" in form) for form in _CJK_COUNTING},
    "koreanCounting": _hangul,
    "koreanDigital": _hangul_digits,
    "hebrew1": _hebrew,
}
"""How each format writes a number."""

_SCHEME = re.compile(r"(alphaLc|alphaUc|romanLc|romanUc|arabic|circleNum)\w*?(ParenBoth|ParenR|Period|Plain)?$")
_SCHEME_FORMS = {
    "alphaLc": "lowerLetter", "alphaUc": "upperLetter", "romanLc": "lowerRoman", "romanUc": "upperRoman",
    "arabic": "decimal", "circleNum": "decimalEnclosedCircle",
}  # fmt: skip
_SHAPES = {"ParenBoth": "({})", "ParenR": "{})", "Period": "{}.", "Plain": "{}"}


def _auto_number(number: int, scheme: str) -> str:
    """A number in an `ST_TextAutonumberScheme`: `(2, "alphaLcParenR")` → "b)". Schemes of scripts whose digits we do
    not draw are shown in Arabic digits."""
    match = _SCHEME.match(scheme)
    form, shape = (_SCHEME_FORMS[match[1]], match[2] or "Plain") if match else ("decimal", "Period")
    return _SHAPES[shape].format(format_number(number, form))


@dataclass
class AutoNumbers:
    """The running numbers of one text body of a presentation (§21.1.2.4.1): by level, until a paragraph of that level
    or of one above has no number or another scheme."""

    _counts: dict[int, tuple[str, int, int]] = field(default_factory=dict[int, tuple[str, int, int]])

    def stop(self, level: int) -> None:
        """A paragraph without a number: those of its level and deeper ones begin anew behind it."""
        self._counts = {at: count for at, count in self._counts.items() if at < level}

    def next(self, level: int, scheme: str, first: int) -> str:
        """The marker of the next paragraph that is numbered."""
        kept = self._counts.get(level)
        number = kept[2] + 1 if kept is not None and kept[:2] == (scheme, first) else first
        self.stop(level)
        self._counts[level] = (scheme, first, number)
        return _auto_number(number, scheme)
