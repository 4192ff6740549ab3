"""The stretch of a passage that shows why it was found, matches marked with `**`, at most 400 characters."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from itertools import pairwise

from sidecar.search.words import key
from sidecar.store.analysis import cjk_runs, is_cjk, may_vary
from sidecar.store.chinese import is_japanese, simplified
from sidecar.store.inflection import pattern as forms_of
from sidecar.store.letters import regular_places

_MAX_CHARS = 400
_CELLS = " | "
_NONE: Set[str] = frozenset()
_NAME_CHARS = 40
_HEADER_CHARS = 100
_EDGE = 60
"""How much of a snippet is left behind the first match, and for its marks."""
_DIGITS = re.compile(r"^[\W\d]*\d[\W\d]*$")
"""A cell that is a number: a row that has one is not a heading row."""
_NUMBER = re.compile(r"(?:§\s?)?(?:\d+(?:\.\d+)*[.)]?|\([\da-z]{1,4}\)|[a-z]\))\s", re.IGNORECASE)
"""A clause's own number: "8.3 ", "(b) ", "§ 12 "."""


def snippet(text: str, marks: Sequence[str], limit: int = _MAX_CHARS) -> str:
    """`marks` are words (any form of them is marked), beginnings of words with a star, and CJK runs (their parts of two
    characters and more are)."""
    text = unicodedata.normalize("NFC", text.replace("**", "*"))
    lines = list(filter(None, (" ".join(line.split()) for line in text.split("\n"))))
    text = " ".join(lines)
    found = matches(text, marks)
    if found and _CELLS in text:
        lines = _explained(lines, _best_rows(lines, found))
        text = " ".join(lines)
        found = matches(text, marks)
    start, end = _window(text, found, limit)
    clause, number = _clause(text, lines, next((one for one in found if one[0] >= start), None), start, limit)
    # Each match is shown with four characters around it.
    if clause >= start or _within(found, start, end) <= _within(found, clause, clause + limit - 4 * len(found)):
        start = clause
    end = _word_edge(text, start, min(len(text), start + limit)) if len(text) > limit else end
    while True:
        pieces = _marked(text, [one for one in found if start <= one[0] and one[1] <= end], start, end)
        shown = (f"{number}… " if start else "") + pieces + (" …" if end < len(text) else "")
        if len(shown) <= limit or end - start < 20:
            return shown[:limit]
        end = _word_edge(text, start, end - (len(shown) - limit))


def _line_at(lines: Sequence[str], place: int) -> int:
    """Which of the lines, one space between them, a place is in."""
    for number, line in enumerate(lines):
        if place <= len(line):
            return number
        place -= len(line) + 1
    return len(lines) - 1


def _best_rows(lines: Sequence[str], found: Sequence[tuple[int, int, str]]) -> Set[int]:
    """The numbers of the table rows that hold most of the marks: a row that holds one of two says less than one that
    holds both. A heading row counts only where no other has a mark: it is shown with each."""
    by_row: dict[int, set[str]] = {}
    for begin, _, mark in found:
        if _CELLS in lines[number := _line_at(lines, begin)]:
            by_row.setdefault(number, set()).add(mark)
    below = {number: marks for number, marks in by_row.items() if number and _CELLS in lines[number - 1]}
    by_row = below or by_row
    most = max(map(len, by_row.values()), default=0)
    return {number for number, marks in by_row.items() if len(marks) == most}


def _explained(lines: Sequence[str], wanted: Set[int]) -> list[str]:
    """The lines; of a table the rows that are `wanted`, with what the heading row, its first line, calls each cell."""
    shown: list[str] = []
    at = 0
    while at < len(lines):
        after = next((n for n in range(at, len(lines)) if _CELLS not in lines[n]), len(lines))
        rows = [number for number in range(at + 1, after) if number in wanted]
        if rows:
            header = lines[at].split(_CELLS)
            named = not any(_DIGITS.search(name) for name in header)
            shown += [lines[at]] if at in wanted and not named else []
            headed = not named
            for before, number in pairwise((at, *rows)):
                if number > before + 1:
                    shown.append("…")
                elif before in rows:  # two rows in one line run together else
                    shown[-1] += ";"
                shown.append(_row(lines[number], header if named else [], headed=headed))
                headed = headed or len(lines[number].split(_CELLS)) != len(header)
        else:
            shown += lines[at:after]
        shown += lines[after : after + 1]
        at = after + 1
    return shown


def _row(line: str, header: Sequence[str], *, headed: bool) -> str:
    """The row with the names of its cells, or behind all of them unless a row above was `headed` by them."""
    cells = line.split(_CELLS)
    if not header:
        return line
    if len(cells) != len(header):  # empty cells are left out, so which is which cannot be told
        return line if headed else f"({_CELLS.join(header)[:_HEADER_CHARS]}) {line}"
    return _CELLS.join(f"{name[:_NAME_CHARS]}: {cell}" for name, cell in zip(header, cells, strict=True))


def _clause(
    text: str, lines: Sequence[str], match: tuple[int, int, str] | None, start: int, limit: int
) -> tuple[int, str]:
    """Where to begin, so that a line with its number is shown from its beginning where there is room; else the number
    to show before the stretch."""
    if match is None or not start:
        return start, ""
    begin = sum(len(line) + 1 for line in lines[: _line_at(lines, match[0])])
    if begin >= start or match[1] - begin <= limit - _EDGE:
        return begin, ""
    number = _NUMBER.match(text, begin)
    return start, number[0] if number else ""


def _within(found: Sequence[tuple[int, int, str]], start: int, end: int) -> Set[str]:
    """The marks that stand in a stretch of the text."""
    return {mark for begin, stop, mark in found if start <= begin and stop <= end}


def matches(text: str, marks: Sequence[str]) -> list[tuple[int, int, str]]:
    """(start, end, which mark) of every match, in order, none overlapping."""
    known = tuple(marks)
    _, named, beginnings = _kinds(known)
    return _apart(_whole(text, known) or _prefix_matches(_fold(text), (*named, *beginnings)))


def _apart(found: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    found.sort(key=lambda one: (one[0], -one[1]))
    kept: list[tuple[int, int, str]] = []
    for one in found:
        if not kept or one[0] >= kept[-1][1]:
            kept.append(one)
    return kept


def matched_marks(texts: Iterable[str], marks: Sequence[str], enough: float = 1.0) -> Set[str]:
    """The marks that any of the texts has; a word that only begins like one counts where none has any of them whole.
    No more texts are looked at once they have all marks, or more than the share `enough` of them."""
    known = tuple(marks)
    every = len(set(known))
    whole, begun = _NONE, _NONE
    for text in filter(None, texts):
        held, beginning = _held(text, known)
        if held:
            whole |= held
            if len(whole) == every or len(whole) / len(known) > enough:
                break
        elif not whole:
            begun |= beginning
    return whole or begun


@lru_cache(maxsize=512)
def _held(text: str, marks: tuple[str, ...]) -> tuple[Set[str], Set[str]]:
    """The marks that one text has whole, and where there are none those that words of it begin like: a search looks at
    the same texts several times."""
    runs, named, beginnings = _kinds(marks)
    wanted, pattern, exactly = _forms(named)
    folded = _fold(text)
    if pattern is not None and not (runs or beginnings or exactly or may_vary(text)):
        # none overlap, and most say the same words often
        forms = (wanted.get(word) or wanted.get(key(word)) for word in set(pattern.findall(folded)))
        whole = frozenset(mark for mark in forms if mark is not None)
    else:
        whole = frozenset(mark for _, _, mark in _apart(_whole(text, marks)))
    return whole, _NONE if whole else _begun(folded, (*named, *beginnings))


def _whole(text: str, marks: tuple[str, ...]) -> list[tuple[int, int, str]]:
    """The matches in the text as it is written, and as queries are read (`letters.regular`)."""
    found = _as_written(text, marks)
    if may_vary(text):
        plain, places = regular_places(text)
        other = _as_written(plain, marks) if plain != text else []
        found += [(places[start], places[end], mark) for start, end, mark in other]
    return found


def _as_written(text: str, marks: tuple[str, ...]) -> list[tuple[int, int, str]]:
    runs, named, beginnings = _kinds(marks)
    alike = simplified(text) if runs else ""
    found = [(start, end, run) for run in runs for start, end in _run_matches(text, alike, run)]
    if named or beginnings:
        folded = _fold(text)
        found += _word_matches(folded, named)
        found += _prefix_matches(folded, beginnings)
    return found


@lru_cache(maxsize=16)
def _kinds(marks: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The CJK runs, the words and the beginnings among marks."""
    runs = tuple(run for mark in marks for run in cjk_runs(mark))
    words = [mark for mark in marks if not cjk_runs(mark)]
    named = tuple(mark for mark in words if not mark.endswith("*"))
    return runs, named, tuple(mark for mark in words if mark.endswith("*"))


def _fold(text: str) -> str:
    """Case and accents off and CJK blank, one character for one, so that places are places in the text."""
    return text.lower() if text.isascii() else text.translate(_FOLDED)


class _Folded(dict[int, str]):
    """Code point → what it is folded to, of those met so far."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        bare = "".join(one for one in unicodedata.normalize("NFKD", character) if not unicodedata.combining(one))
        plain = bare.casefold().replace("ı", "i")
        folded = " " if is_cjk(character) else plain if len(plain) == 1 else character
        if len(self) < _FOLDED_AT_ONCE:
            self[code] = folded
        return folded


_FOLDED = _Folded()
_FOLDED_AT_ONCE = 4096
"""How many code points are remembered: more than any script but Chinese needs."""


_REST = r"[^\W_]*(?:(?<=[0-9])[.\-:/,][0-9]+)*"


def _word_matches(folded: str, marks: tuple[str, ...]) -> list[tuple[int, int, str]]:
    """Words of the text that are a form of a mark. Only those that begin like one are stemmed, which is what costs."""
    wanted, pattern, exactly = _forms(marks)
    found = [(*one.span(), mark) for mark, form in exactly for one in form.finditer(folded)]
    for one in pattern.finditer(folded) if pattern is not None else ():
        word = one[0]
        mark = wanted.get(word) or wanted.get(key(word))
        if mark is not None:
            found.append((*one.span(), mark))
    return found


@lru_cache(maxsize=16)
def _forms(
    marks: tuple[str, ...],
) -> tuple[Mapping[str, str], re.Pattern[str] | None, Sequence[tuple[str, re.Pattern[str]]]]:
    """Stem → mark, a pattern for words that begin like one of the stems, and marks whose words no pattern knows, as
    signs of vowels belong to them, with one for just that."""
    stems = {key(mark): mark for mark in marks}
    wanted = {one: mark for one, mark in stems.items() if one.isascii()}
    begins = sorted({stem[: max(1, min(3, len(stem) - 1))] for stem in wanted})
    pattern = re.compile(f"(?:{_at_words(begins)}){_REST}") if begins else None
    others = ((mark, one) for one, mark in stems.items() if one not in wanted)
    forms = ((mark, forms_of(mark.lower()) or re.escape(_fold(one))) for mark, one in others)
    return wanted, pattern, [(mark, re.compile(rf"(?<![^\W_]){form}(?![^\W_])")) for mark, form in forms]


def _run_matches(text: str, alike: str, run: str) -> list[tuple[int, int]]:
    """The longest parts of the run at each place of the text, of two characters at least where it has them; those of a
    Chinese run in the text `alike` in simplified characters."""
    found: list[tuple[int, int]] = []
    shortest = min(2, len(run))
    if len(run) > 1 and not is_japanese(run):
        text, run = alike, simplified(run)
    pieces = _pieces(run, shortest)
    place = pieces.search(text)
    while place is not None:
        at, length = place.start(), 0
        begin = run.find(place[0])
        while begin >= 0:
            here = shortest
            while begin + here < len(run) and text[at + here : at + here + 1] == run[begin + here]:
                here += 1
            length = max(length, here)
            begin = run.find(place[0], begin + 1)
        found.append((at, at + length))
        place = pieces.search(text, at + length)
    return found


@lru_cache(maxsize=16)
def _pieces(run: str, size: int) -> re.Pattern[str]:
    """A pattern for any part of a run that has `size` characters."""
    return re.compile("|".join({re.escape(run[at : at + size]): None for at in range(len(run) - size + 1)}))


def _prefix_matches(folded: str, marks: tuple[str, ...]) -> list[tuple[int, int, str]]:
    """Words that begin as a mark does: what a query word that stands nowhere was taken for."""
    starts, pattern = _beginnings(marks)
    return [(*one.span(), starts[one[1]]) for one in pattern.finditer(folded)] if pattern is not None else []


def _begun(folded: str, marks: tuple[str, ...]) -> Set[str]:
    """The marks that words of the text begin like."""
    starts, pattern = _beginnings(marks)
    return {starts[one] for one in pattern.findall(folded)} if pattern is not None else _NONE


@lru_cache(maxsize=16)
def _beginnings(marks: tuple[str, ...]) -> tuple[Mapping[str, str], re.Pattern[str] | None]:
    """Beginning → mark, and a pattern for words that have one."""
    starts = {_fold(mark.rstrip("*")): mark for mark in marks if len(mark) > 2}
    return starts, re.compile(rf"({_at_words(sorted(starts, reverse=True))})\w*") if starts else None


def _at_words(begins: Sequence[str]) -> str:
    """A pattern for any of these where a word begins. That is looked at behind the letters: a pattern that begins with
    letters is found in half the time of one that begins with a condition."""
    return "|".join(rf"{written}(?<![^\W_]{written})" for written in map(re.escape, begins))


def _window(text: str, found: list[tuple[int, int, str]], limit: int) -> tuple[int, int]:
    """The stretch of at most `limit` characters with the most different marks, then the most matches."""
    if len(text) + 4 * len(found) <= limit:
        return 0, len(text)
    room = max(20, limit - 40)
    best, start = (0, 0), 0
    inside: Counter[str] = Counter()
    after = 0  # the first match that does not end within the room: they are in order, and none overlap
    for number, (begin, _, mark) in enumerate(found):
        while after < len(found) and found[after][1] - begin <= room:
            inside[found[after][2]] += 1
            after += 1
        score = (len(inside), after - number)
        if score > best:
            best, start = score, begin
        if after == number:  # it is longer than the room
            after += 1
        elif inside[mark] > 1:
            inside[mark] -= 1
        else:
            del inside[mark]
    start = _word_edge(text, 0, max(0, start - 30)) if start > 30 else 0
    return start, _word_edge(text, start, min(len(text), start + limit))


def _word_edge(text: str, start: int, end: int) -> int:
    """`end` moved back to a space, where one is near; text without spaces is cut anywhere."""
    if end >= len(text):
        return len(text)
    space = text.rfind(" ", max(start, end - 30), end)
    return space + 1 if space > start else max(start, end)


def _marked(text: str, found: list[tuple[int, int, str]], start: int, end: int) -> str:
    """The stretch with its matches marked, those that touch together, as a word and the Chinese behind it."""
    pieces: list[str] = []
    for begin, stop, _ in found:
        pieces += [text[start:begin], "**", text[begin:stop], "**"]
        start = stop
    pieces.append(text[start:end])
    return "".join(pieces).strip().replace("****", "")
