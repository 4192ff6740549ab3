"""Traditional and simplified Chinese: characters that are written for one another, so that a query in either finds
texts in both.

The index keeps texts as they are written, and a query's runs are looked for in each spelling: in Japanese some of these
characters are words of their own (机 a desk, 機 a machine), and whether a text is Japanese is not known of a title.

The characters are those of Open Chinese Convert (`characters/NOTICE`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from sidecar.store.analysis import cjk_phrase, phrased

_CHARACTERS = Path(__file__).with_name("characters") / "chinese.txt"
"""A line each: a simplified character and the traditional ones it stands for."""
_MAX_SPELLINGS = 16
"""Spellings of a run that are looked for one by one."""
_PAIR = 2
_MAX_RUN_CHARS = 200
"""Characters of a run; between two marks no sentence has as many, and each more costs the square."""
_KANA = re.compile("[\u3040-\u30ff\u31f0-\u31ff]")


@cache
def _alike() -> Mapping[str, str]:
    """Character → it and those it is written for."""
    lines = _CHARACTERS.read_text("utf-8").split()
    return {one: one + line.replace(one, "") for line in lines for one in line}


@cache
def _simplified() -> Mapping[int, str]:
    return {ord(one): line[0] for line in _CHARACTERS.read_text("utf-8").split() for one in line[1:]}


def is_japanese(text: str) -> bool:
    """Whether there is any kana."""
    return _KANA.search(text) is not None


def simplified(text: str) -> str:
    """The text in simplified characters, one for one."""
    return text.translate(_simplified())


def spellings(run: str, known: Callable[[str], bool] = bool) -> list[str]:
    """The run and what else it may be written as, in traditional and simplified characters or some of each: as many of
    these as all pairs are `known` of. A single character, a run with kana and what is not a sentence have no others."""
    if not _PAIR <= len(run) <= _MAX_RUN_CHARS or is_japanese(run):
        return [run]
    made = [""]
    for one in run:
        others = _alike().get(one, one)
        made = [begun + other for begun in made for other in others if not begun or known(begun[-1] + other)][
            : _MAX_SPELLINGS + 1
        ]
    return list(dict.fromkeys((run, *made)))


def each_spelling(expression: str) -> str:
    """The FTS5 expression for any spelling of a run, where it is that of a run; any other as it is. Of a run with too
    many spellings each pair is looked for."""
    run = phrased(expression)
    several = spellings(run)
    if len(several) == 1:
        return expression
    if len(several) > _MAX_SPELLINGS and len(run) > _PAIR:
        return f"({' AND '.join(each_spelling(cjk_phrase(run[at : at + 2])) for at in range(len(run) - 1))})"
    return f"({' OR '.join(map(cjk_phrase, several))})"
