"""How many tokens a text costs a model, estimated from its characters; and the opening words of a text.

An estimate on purpose: a real tokenizer costs tens of megabytes and differs by model. Weights follow the o200k
splitting rules: a common word is one token with its leading space, digits go in groups of up to three, punctuation
mostly stands alone, and scripts that are rarer in training text split finer."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sidecar.api.records import DocumentInfo

OPENING_CHARS: Final = 100
"""How much of a text stands for it where it has no description."""
_EMPTY_SHEET_TOKENS: Final = 16
"""Its name, and that no cell has anything in it."""
_MARK_TOKENS: Final = 8
"""The line before each of several pages or slides."""
_PICTURE_TOKENS: Final = 11
"""The link to the picture that a page is."""
_SOURCE_TOKENS: Final = 17
"""`*Source: title (file), chapter 3 of 9: part; uri, doc_id 0123456789ab.*` without what is named in it."""


def _every(low: int, high: int) -> bytes:
    return bytes(range(low, high + 1))


_LETTERS: Final = _every(0x41, 0x5A) + _every(0x61, 0x7A)
_DIGITS: Final = _every(0x30, 0x39)
_PUNCTUATION: Final = _every(0x21, 0x2F) + _every(0x3A, 0x40) + _every(0x5B, 0x60) + _every(0x7B, 0x7E)
_UNCOUNTED: Final = _every(0x00, 0x20) + b"\x7f" + _every(0x80, 0xBF)
"""Spaces, control characters, and the bytes behind a lead byte: out of the way of the classes after them."""

# UTF-8 lead bytes, each standing for one character of the scripts named.
_WEIGHTS: Final[tuple[tuple[bytes, float], ...]] = (
    (_LETTERS, 0.235),
    (_DIGITS, 0.45),
    (_PUNCTUATION, 0.75),
    (b"\n\t", 0.4),
    (_UNCOUNTED, 0.0),
    (_every(0xC2, 0xCB), 0.45),  # Latin with marks
    (_every(0xCC, 0xD5), 0.30),  # Greek, Cyrillic, Armenian
    (_every(0xD6, 0xDF), 0.40),  # Hebrew, Arabic, Syriac
    (_every(0xE0, 0xE1), 0.50),  # Devanagari, Thai and their neighbours
    (b"\xe2", 0.90),  # typographic punctuation, symbols, mathematics
    (_every(0xE3, 0xE9), 0.80),  # Kana, Han
    (_every(0xEA, 0xED), 0.60),  # Hangul
    (_every(0xEE, 0xEF), 1.00),  # private use, full-width forms
    (_every(0xF0, 0xF4), 2.00),  # emoji, rare Han, mathematical alphabets
)
_ASCII: Final = tuple(weight for _, weight in _WEIGHTS[:4])
"""What the bytes of plain ASCII weigh, by class; all others weigh nothing."""


def estimate_tokens(text: str) -> int:
    """About how many tokens `text` costs: 4 to 5 characters of English each, 1.2 of Chinese. 0 only for ""."""
    return estimate_encoded(text.encode("utf-8", "surrogatepass"))


def estimate_encoded(data: bytes) -> int:
    """The same of a text in UTF-8.

    Works at about a gigabyte a second: one pass of `bytes.translate` a class of characters, over what no class
    before it has, until nothing is left."""
    if not data:
        return 0
    total = 0.0
    left = data
    for members, weight in _WEIGHTS[:4] if data.isascii() else _WEIGHTS:
        rest = left.translate(None, members)
        total += (len(left) - len(rest)) * weight
        left = rest
        if not left:
            break
    return max(1, round(total))


def counted(data: bytes) -> list[int]:
    """How many bytes of a text in UTF-8 are of each class of characters that has a weight: those of two pieces sum up
    to those of both together, see `estimate_counted`."""
    counts: list[int] = []
    for members, _ in _WEIGHTS[: len(_ASCII)] if data.isascii() else _WEIGHTS:
        rest = data.translate(None, members)
        counts.append(len(data) - len(rest))
        data = rest
    return counts


def _every_class(counts: list[int]) -> list[int]:
    return counts + [0] * (len(_WEIGHTS) - len(counts))


def estimate_counted(one: list[int], other: list[int]) -> int:
    """What `estimate_encoded` gives for a text of two pieces that have so many bytes of each class."""
    if len(one) == len(other) == len(_ASCII):
        first, second, third, fourth = _ASCII
        total = (one[0] + other[0]) * first + (one[1] + other[1]) * second
        return max(1, round(total + (one[2] + other[2]) * third + (one[3] + other[3]) * fourth))
    total = 0.0
    for (_, weight), here, there in zip(_WEIGHTS, _every_class(one), _every_class(other), strict=True):
        total += (here + there) * weight
    return max(1, round(total))


def reading_tokens(tokens: int, *named: str, without_text: int = 0) -> int:
    """What reading `tokens` costs with the line that says where they are from. `named` is what that line names:
    the document's title and file, the part, the address; `without_text` is what a document gives that has none."""
    return (tokens or without_text) + _SOURCE_TOKENS + estimate_tokens(" ".join(named))


def document_tokens(info: "DocumentInfo", doc: str) -> int:
    """What reading all of a document costs by the name `doc`; one without text gives names of sheets, marks between
    pages and links to pictures."""
    pictures = info.embedded.get("image", 0)
    if pictures and any(notice.code == "no_text_layer" for notice in info.notices):
        pictures = info.parts  # of a scan each page is one
    mark = _EMPTY_SHEET_TOKENS if info.part_kind == "sheet" else 0
    if info.part_kind in ("page", "slide") and info.parts > 1:
        mark = _MARK_TOKENS
    blank = info.parts * mark + _PICTURE_TOKENS * pictures
    return reading_tokens(info.tokens, info.title, info.name, doc, without_text=blank)


def first_words(text: str) -> str:
    """The first `OPENING_CHARS` characters, white space run together, followed by "..." where the text has more. ""
    where there is no text.

    Only the first few times as many are looked at, so that a long text costs nothing."""
    looked_at = OPENING_CHARS * 8
    joined = " ".join(text[:looked_at].split())
    opening = joined[:OPENING_CHARS].rstrip()
    return f"{opening}..." if len(joined) > OPENING_CHARS or (opening and len(text) > looked_at) else opening
