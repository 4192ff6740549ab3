"""Texts as they are shown, stored and compared: cleaned, named, told apart. Bytes become texts in `decoding`."""

import difflib
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import msgspec

Record = TypeVar("Record")

UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
"""Control characters but tab and line feed; marks that reorder text, which can make one name look like another."""
_STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control characters, line separators, and marks of direction (Unicode Annex 9, section 2)."""
_TURNING = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters that are not white space, and what turns the direction of all that follows."""
NO_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML cannot hold (XML 1.0 §2.2)."""
_RAISED = re.compile("[0-9]|[-+−–](?=[0-9])")
_SUPERSCRIPTS = dict(zip("0123456789-+−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺⁻⁻", strict=True))
"""Characters of Unicode's block of superscripts, and the three that Latin-1 had before."""
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


COPIED_PROPERTIES = frozenset((
    "appversion", "docsecurity", "hyperlinkschanged", "linksuptodate", "scalecrop", "sharedoc", "shareddoc", "hlinks",
    "headingpairs", "titlesofparts", "mmclips", "hiddenslides", "presentationformat", "slides", "paragraphs", "lines",
    "characterswithspaces",
))  # fmt: skip
"""Names in small letters under which LibreOffice keeps, among the user's own properties, what an Office file's
application said of it (ECMA-376 part 1 §22.2): bookkeeping, and no property of the user's."""


def with_raised(text: str, places: Iterable[tuple[int, int]]) -> str:
    """The text with the figures at these places, and the signs before them, as raised characters, each one for one: of
    a power or the number of a note behind a number, another number is read otherwise."""
    pieces: list[str] = []
    reached = 0
    for begin, end in sorted(places):  # one pass: a hostile text has as many as letters, one within another
        start = max(begin, reached)
        if start < end:
            pieces += (text[reached:start], _RAISED.sub(lambda one: _SUPERSCRIPTS[one[0]], text[start:end]))
            reached = min(end, len(text))
    return "".join((*pieces, text[reached:])) if pieces else text


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
    """The text of one line with U+FFFD for characters that end a line, steer a terminal or turn its direction."""
    return text if text.isprintable() else _STEERING.sub("\ufffd", text)


def without_turning(text: str) -> str:
    """The text without what would turn or hide what stands beside it: for what a document says of itself."""
    return text if text.isprintable() else _TURNING.sub("", text)


def on_one_line(text: str) -> str:
    """The same on one line: for titles, which stand in lines of others."""
    return " ".join(without_turning(text).split())


def clean(value: object, most: int, *, lines: bool = False) -> str:
    """At most `most` characters that can be shown; "" for anything but a text. One line unless `lines`."""
    if not isinstance(value, str):
        return ""
    text = UNSEEN.sub(" ", value[: most * 4])
    text = text.strip() if lines else " ".join(text.split())
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def leading_words(text: str, most: int) -> str:
    """What of a text fits into `most` characters, ended with a whole word where words are not as long as half of it."""
    if len(text) <= most:
        return text
    words = (text[: most + 1].rsplit(maxsplit=1) or [""])[0]
    return words if most // 2 < len(words) <= most else text[:most]


def trailing_words(text: str, most: int) -> str:
    """The end of a text that fits into `most` characters, begun as `leading_words` ends."""
    if len(text) <= most:
        return text
    words = (text[len(text) - most - 1 :].split(maxsplit=1) or [""])[-1]
    return words if most // 2 < len(words) <= most else text[len(text) - most :]


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
    """A search query with the given filters (`folder="reports"`) as one types them; empty ones say nothing."""
    typed = {name: value.replace('"', " ") for name, value in given.items() if value and value.strip()}
    return " ".join((*(f'{name}:"{value}"' for name, value in typed.items()), query))


def few(names: Sequence[str], most: int = 5) -> str:
    """Names in a sentence: the first of many, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")
