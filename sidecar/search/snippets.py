"""The stretch of a passage that shows why it was found, matches marked with `**`, at most 240 characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from sidecar.search.words import key
from sidecar.store.analysis import cjk_runs

MAX_CHARS = 240
_SPACES = re.compile(r"\s+")


def snippet(text: str, marks: Sequence[str], limit: int = MAX_CHARS) -> str:
    """`marks` are words (any form of them is marked), beginnings of words with a star, and CJK runs (their parts of two
    characters and more are)."""
    text = unicodedata.normalize("NFC", _SPACES.sub(" ", text.replace("**", "*"))).strip()
    found = matches(text, marks)
    start, end = _window(text, found, limit)
    while True:
        pieces = _marked(text, [one for one in found if start <= one[0] and one[1] <= end], start, end)
        shown = ("… " if start else "") + pieces + (" …" if end < len(text) else "")
        if len(shown) <= limit or end - start < 20:
            return shown[:limit]
        end = _word_edge(text, start, end - (len(shown) - limit))


def matches(text: str, marks: Sequence[str]) -> list[tuple[int, int, str]]:
    """(start, end, which mark) of every match, in order, none overlapping."""
    found: list[tuple[int, int, str]] = []
    named: list[str] = []
    for mark in marks:
        held = cjk_runs(mark)
        for run in held:
            found += _run_matches(text, run)
        if not held:
            named.append(mark)
    if named:
        folded = _fold(text)
        beginnings = [mark for mark in named if mark.endswith("*")]
        found += _word_matches(folded, [mark for mark in named if not mark.endswith("*")])
        found += _prefix_matches(folded, beginnings)
        if not found:
            found = _prefix_matches(folded, named)
    found.sort(key=lambda one: (one[0], -one[1]))
    kept: list[tuple[int, int, str]] = []
    for one in found:
        if not kept or one[0] >= kept[-1][1]:
            kept.append(one)
    return kept


def _fold(text: str) -> str:
    """Case and accents off, one character for one, so that places in the folded text are places in the text."""
    return text.lower() if text.isascii() else "".join(map(_fold_character, text))


@lru_cache(maxsize=4096)
def _fold_character(character: str) -> str:
    plain = "".join(
        one for one in unicodedata.normalize("NFKD", character) if not unicodedata.combining(one)
    ).casefold()
    return plain if len(plain) == 1 else character


_REST = r"[^\W_]*(?:(?<=[0-9])[.\-:/,][0-9]+)*"


def _word_matches(folded: str, marks: Sequence[str]) -> list[tuple[int, int, str]]:
    """Words of the text that are a form of a mark. Only those that begin like one are stemmed, which is what costs.
    The pattern knows first letters only: to compile one with all beginnings takes longer than to find the matches."""
    wanted: dict[str, str] = {}
    begins: set[str] = set()
    found: list[tuple[int, int, str]] = []
    for mark in marks:
        stem = key(mark)
        if stem.isascii():
            begins.add(stem[: max(1, min(3, len(stem) - 1))])
            wanted[stem] = mark
        else:  # marks of vowels belong to a word, which no pattern knows
            exactly = re.compile(rf"(?<![^\W_]){re.escape(_fold(mark))}(?![^\W_])")
            found += [(*one.span(), mark) for one in exactly.finditer(folded)]
    if not wanted:
        return found
    letters = "".join(sorted({begin[0] for begin in begins}))
    for one in re.finditer(rf"(?<![^\W_])[{letters}]{_REST}", folded):
        word = one[0]
        if word[:3] in begins or word[:2] in begins or word[:1] in begins:
            mark = wanted.get(word) or wanted.get(key(word))
            if mark is not None:
                found.append((*one.span(), mark))
    return found


def _run_matches(text: str, run: str) -> list[tuple[int, int, str]]:
    """The longest parts of the run at each place of the text, of two characters at least where it has them."""
    found: list[tuple[int, int, str]] = []
    at, shortest = 0, min(2, len(run))
    while at < len(text):
        length = 0
        begin = run.find(text[at : at + shortest])
        while begin >= 0:
            here = shortest
            while begin + here < len(run) and text[at + here : at + here + 1] == run[begin + here]:
                here += 1
            length = max(length, here)
            begin = run.find(text[at : at + shortest], begin + 1)
        if length and at + length <= len(text):
            found.append((at, at + length, run))
        at += length or 1
    return found


def _prefix_matches(folded: str, marks: Sequence[str]) -> list[tuple[int, int, str]]:
    """Words that begin as a mark does: what a query word that stands nowhere was taken for."""
    starts = {_fold(mark.rstrip("*")): mark for mark in marks if len(mark) > 2}
    if not starts:
        return []
    pattern = re.compile(
        r"(?<![^\W_])(" + "|".join(re.escape(start) for start in sorted(starts, reverse=True)) + r")\w*"
    )
    return [(*one.span(), starts[one[1]]) for one in pattern.finditer(folded)]


def _window(text: str, found: list[tuple[int, int, str]], limit: int) -> tuple[int, int]:
    """The stretch of at most `limit` characters with the most different marks, then the most matches."""
    if len(text) + 4 * len(found) <= limit:
        return 0, len(text)
    room = max(20, limit - 40)
    best, start = (0, 0), 0
    for number, (begin, _, _) in enumerate(found):
        inside = [mark for _, end, mark in found[number:] if end - begin <= room]
        score = (len(set(inside)), len(inside))
        if score > best:
            best, start = score, begin
    start = _word_edge(text, 0, max(0, start - 30)) if start > 30 else 0
    return start, _word_edge(text, start, min(len(text), start + limit))


def _word_edge(text: str, start: int, end: int) -> int:
    """`end` moved back to a space, where one is near; text without spaces is cut anywhere."""
    if end >= len(text):
        return len(text)
    space = text.rfind(" ", max(start, end - 30), end)
    return space + 1 if space > start else max(start, end)


def _marked(text: str, found: list[tuple[int, int, str]], start: int, end: int) -> str:
    pieces: list[str] = []
    for begin, stop, _ in found:
        pieces += [text[start:begin], "**", text[begin:stop], "**"]
        start = stop
    pieces.append(text[start:end])
    return "".join(pieces).strip()
