"""Fitting an answer into its token budget: how many entries of a list may go out, and how long their texts may be.

An answer's cost is that of the half that the client gives its model, its text or its structured content, and of both
together where that is not known (`Paid`). Each costs the larger of two measures: the estimate of its tokens, and its
bytes as JSON on the wire over 4, which is how clients that do not tokenize reckon. A picture costs what it costs to
see."""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, cast

import msgspec

from sidecar.api.contents import Paid, Result, Text
from sidecar.toolkit.answers.tokens import counted, estimate_counted, estimate_encoded, estimate_tokens
from sidecar.toolkit.answers.windows import cut

FRAME_TOKENS = 120
"""What stands around the list: counts, remarks, the continuation."""
ENVELOPE_TOKENS = 50
"""What the protocol puts around any answer: ids, types, flags."""
BLOCK_TOKENS = 8
"""A text block's own JSON: its type and its keys."""
PICTURE_TOKENS = 1600
"""What a picture costs a model at most: providers bill by area and scale large ones down to about this."""
_PIXELS_A_TOKEN = 750
"""Anthropic's rule: width x height / 750."""
_TILE, _TILE_TOKENS, _BASE_TOKENS = 512, 170, 85
"""OpenAI's rule: 85, and 170 for each begun square of 512 pixels."""


def text_tokens(text: str) -> int:
    """What a text costs as a block of an answer: the estimate, or its bytes over 4 where those are more."""
    return _text_tokens(text) if len(text) <= _REMEMBERED else _text_tokens.__wrapped__(text)


_REMEMBERED = 2000
"""Of texts up to this long it is remembered what they cost: an answer is fitted in many tries, of the same texts."""


@lru_cache(maxsize=256)
def _text_tokens(text: str) -> int:
    return max(estimate_tokens(text), _quarter(_compact(text)))


@lru_cache(maxsize=256)
def _json_tokens(data: bytes) -> int:
    return max(estimate_encoded(data), _quarter(data))


def json_tokens(value: object) -> int:
    """What a JSON value costs in tokens, written compactly."""
    data = _compact(value)
    return _json_tokens(data) if len(data) <= _REMEMBERED else _json_tokens.__wrapped__(data)


def answer_tokens(value: object, paid: Paid = "both", line: Callable[[Any], str] | None = None) -> int:
    """What a JSON value costs that goes out as structured content and as text: its JSON, or what `line` makes of it."""
    cost = json_tokens(value) if paid != "text" else 0
    return cost + (text_tokens(line(value) if line else _compact(value).decode()) if paid != "structured" else 0)


def whole_answer_tokens(result: Result, paid: Paid) -> int:
    """What an answer of texts costs, with what the protocol puts around it."""
    text_cost = sum(text_tokens(one.text) + BLOCK_TOKENS for one in result.contents if isinstance(one, Text))
    structured_cost = json_tokens(result.structured) if result.structured is not None else 0
    return ENVELOPE_TOKENS + (text_cost if paid != "structured" else 0) + (structured_cost if paid != "text" else 0)


def picture_cost(width: int, height: int) -> int:
    """What seeing a picture of that size in pixels costs: the larger of what two large providers bill.

    `PICTURE_TOKENS` where a side is unknown (below 1)."""
    if width < 1 or height < 1:
        return PICTURE_TOKENS
    tiles = math.ceil(width / _TILE) * math.ceil(height / _TILE)
    area = math.ceil(width * height / _PIXELS_A_TOKEN)
    return min(PICTURE_TOKENS, max(area, _BASE_TOKENS + _TILE_TOKENS * tiles))


def picture_side(budget: int) -> int:
    """The longest side in pixels of a picture that costs no more than `budget` tokens; 0 where any size does.

    Small on purpose where the budget is: 512 pixels cost 350 tokens, 256 no less than 255."""
    if budget >= PICTURE_TOKENS:
        return 0
    across = max(math.isqrt(max(budget - _BASE_TOKENS, 0) // _TILE_TOKENS), 1)
    return max(min(across * _TILE, math.isqrt(max(budget, 0) * _PIXELS_A_TOKEN)), 64)


def fit(
    entries: Sequence[Mapping[str, object]],
    budget: int,
    *,
    frame: Mapping[str, object] | None = None,
    paid: Paid = "both",
    line: Callable[[Any], str] | None = None,
) -> int:
    """How many of the entries, from the first, fit into `budget` tokens as records and as text (see `answer_tokens`).

    `frame` is what stands around them, remarks and the continuation included; without it, `FRAME_TOKENS` a half are
    left for that. At least one always fits: an empty answer would say that nothing was found."""
    room = _room(budget, frame, paid)
    count = _begun(room, (answer_tokens(entry, paid, line) for entry in entries), paid)
    return _unrounded(entries, count, room, paid) if line is None else count


def _room(budget: int, frame: Mapping[str, object] | None, paid: Paid) -> int:
    """What is left of a budget for the entries."""
    around = FRAME_TOKENS * (2 if paid == "both" else 1) if frame is None else answer_tokens(frame, paid)
    return budget - ENVELOPE_TOKENS - BLOCK_TOKENS - around


def _begun(room: int, costs: Iterable[int], paid: Paid) -> int:
    """How many entries of these costs there is room for, one at least of any."""
    count = 0
    for number, cost in enumerate(costs, 1):
        room -= cost + (2 if paid == "both" else 1)  # and the comma after it
        if room < 0:
            return max(count, 1)
        count = number
    return count


def _unrounded(entries: Sequence[Mapping[str, object]], count: int, room: int, paid: Paid) -> int:
    """How many of the first `count` there is room for, as what each is rounded by adds up."""
    while count > 1 and answer_tokens(list(entries[:count]), paid) > room:
        count -= 1
    return count


def within_tokens(text: str, tokens: int, cost: Callable[[str], int]) -> tuple[str, int]:
    """The beginning of a text that costs no more than `tokens`, and what it costs."""
    while (spent := cost(text)) > tokens and text:
        text, _ = cut(text, int(len(text) * tokens / spent * 0.95))
    return text, spent


def shorten(text: str, chars: int) -> str:
    """At most `chars` characters, cut at a word's end, with an ellipsis when something was cut."""
    if len(text) <= chars:
        return text
    begun = text[: max(chars - 1, 1)]
    head, space, _ = begun.rpartition(" ")
    return (head if space and len(head) > chars // 2 else begun).rstrip() + "…"


@lru_cache(maxsize=256)
def shorten_around(text: str, chars: int) -> str:
    """As `shorten`, but of a text whose matches are marked `**so**` the stretch that holds the most different of them,
    with the number of the clause that it stands in."""
    if len(text) <= chars:
        return text
    marked = _marks(text)
    room, around = chars - 2, min(_AROUND, chars // 4)
    begins = (0, *(one[0] for one in marked))
    held = [[one for one in marked if at <= one[0] and one[1] <= at + room - around] for at in begins]
    most = max(held, key=lambda one: (len({word for _, _, word in one}), len(one)))
    if most is held[0]:
        return shorten(text, chars)
    first, last = most[0][0], most[-1][1]
    start = max(0, min(first - min(around, (room - (last - first)) // 3), len(text) - room))
    sentences = [text.find(end, start, first) + len(end) for end in _ENDS if end in text[start:first]]
    start = min(sentences, default=text.rfind(" ", 0, start) + 1)
    number = next((one[1] for one in reversed([*_CLAUSE.finditer(text, 0, start)])), "")
    return f"{number}… {shorten(text[start:].lstrip('… '), room - len(number))}"


@lru_cache(maxsize=64)
def _marks(text: str) -> list[tuple[int, int, str]]:
    """The matches of a text, which is shortened again and again until an answer fits."""
    return [(one.start(), one.end(), one[1].lower()) for one in _MARKED.finditer(text)]


_MARKED = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
_CLAUSE = re.compile(r"(?:^|(?<=[.;:…] ))((?:§ ?)?(?:[0-9]+(?:[.][0-9]+)*[.)]|[(][0-9a-z]{1,4}[)]) )")
"""A clause's own number, which is shown where its beginning does not fit."""
_AROUND = 30
"""How many characters are shown behind the last of them, and at most before the first."""
_ENDS = (". ", "? ", "! ", "… ", ": ")
"""What a sentence, a row or a name ends in."""


@dataclass
class FitCache:
    """What trying to fit the same entries has come to, for a call with less room than those before: the entries made
    with their costs, by their number and the length of their texts, and the first of the ways that did not fail."""

    made: dict[tuple[int, int], tuple[dict[str, Any], int]] = field(
        default_factory=dict[tuple[int, int], tuple[dict[str, Any], int]]
    )
    around: dict[tuple[int, str], "_Around"] = field(default_factory=dict[tuple[int, str], "_Around"])
    """What stands around the text of an entry, by its number and the key of the text."""
    longest: dict[int, int] = field(default_factory=dict[int, int])
    """Characters of the longest text of each entry."""
    way: int = 0


class _Around:
    """What an entry costs beside one of its texts, so that for each length of it only that is looked at. `line` writes
    the text as it is."""

    _MARK = "\ue000"
    """Stands for the text; an entry that has it elsewhere is reckoned anew each time."""

    def __init__(self, entry: Mapping[str, object], name: str, paid: Paid, line: Callable[[Any], str]) -> None:
        self._name, self._line = name, line
        self._paid: Paid = paid
        mark = self._MARK.encode()
        record, text = _compact({**entry, name: self._MARK}), line({**entry, name: self._MARK})
        self._whole = record.count(mark) != 1 or text.count(self._MARK) != 1
        self._record = counted(record.replace(mark, b"")), len(record) - len(mark)
        written = text.replace(self._MARK, "")
        self._line_size = counted(written.encode("utf-8", "surrogatepass")), len(_compact(written))

    def cost(self, entry: Mapping[str, Any]) -> int:
        """What `answer_tokens` gives for it."""
        text: str = entry.get(self._name, "")
        encoded = _compact(text)[1:-1]
        if self._whole or not text:
            return answer_tokens(entry, self._paid, self._line)
        counts, cost = counted(encoded), 0
        if self._paid != "text":
            cost = self._tokens(*self._record, counts, len(encoded))
        if self._paid != "structured":
            plain = text.encode("utf-8", "surrogatepass")
            cost += self._tokens(*self._line_size, counts if plain == encoded else counted(plain), len(encoded))
        return cost

    def _tokens(self, around: list[int], size: int, counts: list[int], length: int) -> int:
        return max(estimate_counted(around, counts), -(-(size + length) // 4))


def fit_texts(
    entries: Sequence[Mapping[str, Any]],
    keys: str | Sequence[str],
    budget: int,
    lengths: Sequence[int] = (240, 190, 150, 120, 95, 75, 60),
    *,
    full: int | None = None,
    frame: Mapping[str, object] | None = None,
    paid: Paid = "both",
    line: Callable[[Any], str] | None = None,
    least: int | None = None,
    sure: int | None = None,
    known: FitCache | None = None,
    as_it_is: bool = False,
) -> list[dict[str, Any]]:
    """As many entries as fit, the texts under `keys` shortened only as far as it takes until all of them do, or the
    `least` best, the best one's last, and by more than a step only until `sure` of them do; the last ones go when
    nothing helps. Where there is room for all, the texts are `full` characters long, or the best one's is, or that is
    where those behind the `sure` ones have to be short for it. `known` keeps what was found out from one call to
    the next, of the same entries in less room. `as_it_is`: `line` writes the texts as they are."""
    names = (keys,) if isinstance(keys, str) else keys
    wanted = len(entries) if least is None else min(least, len(entries))
    longest, behind = lengths[0], least if sure is None or least is None else sure
    ways = _ways(lengths, full, best=least is not None, spared=behind is not None and behind < wanted)
    room = _room(budget, frame, paid)
    tries = FitCache() if known is None else known
    ready = tries.made

    def made(at: int, chars: int) -> tuple[dict[str, Any], int]:
        """An entry with texts of `chars` characters, and what it costs."""
        entry = dict(entries[at])
        cut = [name for name in names if len(entry.get(name, "")) > chars]
        for name in cut:
            entry[name] = shorten_around(entry[name], chars)
        if as_it_is and line is not None and len(cut) <= 1:
            name = cut[0] if cut else names[0]
            if (at, name) not in tries.around:
                tries.around[at, name] = _Around(entry, name, paid, line)
            cost = tries.around[at, name].cost(entry)
        else:
            cost = answer_tokens(entry, paid, line)
        ready[at, chars] = entry, cost
        return ready[at, chars]

    def costs(first: int, others: int, last: int, shown: list[dict[str, Any]]) -> Iterator[int]:
        """What each entry costs with texts of these lengths; they come into `shown`."""
        for at in range(len(entries)):
            if (longer := tries.longest.get(at)) is None:
                longer = tries.longest[at] = max([len(entries[at].get(name, "")) for name in names])
            chars = (others if at < (behind or at) else last) if at else first
            length = min(chars, longer)
            entry, cost = ready.get((at, length)) or made(at, length)
            shown.append(entry)
            yield cost

    shown: list[dict[str, Any]] = []
    for way in range(tries.way, len(ways)):  # those before failed
        tries.way, (first, others, last) = way, ways[way]
        shown = []
        del shown[_begun(room, costs(first, others, last, shown), paid) :]
        count = len(shown) if line else _unrounded(shown, len(shown), room, paid)
        shown = shown[:count]
        if count >= (wanted if first <= longest or others != last else len(entries)) or (
            sure is not None and first <= lengths[1] and count >= (min(sure, 2) if 2 * first <= longest else sure)
        ):
            break
    return shown


def _ways(lengths: Sequence[int], full: int | None, *, best: bool, spared: bool) -> list[tuple[int, int, int]]:
    """The ways in which `fit_texts` shortens, the one that shortens least first: the characters of the first text, of
    the others, and of those behind the sure ones."""
    longest, shortest = lengths[0], lengths[-1]
    ways = [(chars, chars, chars) for chars in lengths]
    if best:
        ways = [*((longest, chars, chars) for chars in lengths), *((one, shortest, shortest) for one in lengths[1:])]
    if full is None:
        return ways
    last_first = ((full, longest, chars) for chars in lengths[1:]) if spared else ()
    return [(full, full, full), (full, longest, longest), *last_first, *ways]


def next_start(start: int, given: int, there: int) -> dict[str, int]:
    """`{"next_start": …}` where entries are left out: `given` of the `there` entries from `start` on go out."""
    return {"next_start": start + given} if given < there else {}


def abridge(
    record: Mapping[str, object], budget: int, *, whole: Sequence[str] = (), frame: Mapping[str, object] | None,
    paid: Paid = "both",
) -> dict[str, Any]:  # fmt: skip
    """The record with long texts shortened and long lists and tables cut, only as far as it takes to fit `budget` as
    record and as JSON text; `frame` is added when something was. What stands under the keys `whole` stays as it is,
    and so do addresses: a shortened URI leads nowhere."""
    if answer_tokens(record, paid) + ENVELOPE_TOKENS + BLOCK_TOKENS <= budget:
        return dict(record)
    kept = frozenset(whole)
    shown = dict(record)
    for chars, items in _STEPS:
        shown = {key: value if key in kept else _abridged(key, value, chars, items) for key, value in record.items()}
        shown |= frame or {}
        if answer_tokens(shown, paid) + ENVELOPE_TOKENS + BLOCK_TOKENS <= budget:
            break
    return shown


_STEPS = (
    (4000, 400), (2000, 200), (1000, 100), (500, 50), (300, 30), (200, 20), (120, 12), (80, 8), (60, 4), (40, 2),
    (20, 0),
)  # fmt: skip


def _abridged(key: str, value: object, chars: int, items: int) -> object:
    if isinstance(value, str):
        return value if key.endswith(_ADDRESSES) or _is_uri(value) else shorten(value, chars)
    if isinstance(value, Mapping):
        table = cast(Mapping[str, object], value)
        shown = list(table.items())[: max(items, 0 if key == "metadata" else 10)]
        return {name: _abridged(name, one, chars, items) for name, one in shown}
    if isinstance(value, (list, tuple)):
        return [_abridged(key, one, chars, items) for one in list(cast(Sequence[object], value))[: max(items, 1)]]
    return value


_MAX_URI_CHARS = 1000
_ADDRESSES = ("uri", "slug", "doc_id", "path", "folder")


def _is_uri(text: str) -> bool:
    """Whether it is an address and nothing else: a text may begin with one. An upstream server's may hold a second."""
    scheme, found, rest = text[:_MAX_URI_CHARS].partition("://")
    named = bool(found) and len(scheme) < 20 and scheme.isalpha() and rest.count("://") <= 1
    return named and len(text) < _MAX_URI_CHARS and not any(map(str.isspace, text))


def _compact(value: object) -> bytes:
    try:
        return _encode(value)
    except UnicodeEncodeError:  # half a surrogate pair, which goes out as "?"
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str).encode("utf-8", "replace")


_encode = msgspec.json.Encoder(enc_hook=str).encode


def _quarter(data: bytes) -> int:
    return -(-len(data) // 4)
