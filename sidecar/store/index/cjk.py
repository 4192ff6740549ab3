"""Scripts without spaces between words as overlapping pairs of characters, which makes any two or more findable.

They are Chinese, Japanese and Korean (which has spaces, but not between a word and its endings), Thai, Lao, Burmese
and Khmer. SQLite's tokenizer takes a run of them for one word, or splits it at vowel signs. The pairs stand in a column
of their own, for texts and queries alike; each run ends with its last character alone, so that a phrase of pairs never
runs across two runs.
"""

from __future__ import annotations

import re
import unicodedata

_RUN = re.compile(
    "[\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003ffff"
    "\u0e01-\u0e3a\u0e40-\u0eff\u1000-\u109f\u1780-\u17ff\uaa60-\uaa7f]+"
)
_COMPOSED = {"\u0e4d\u0e32": "\u0e33", "\u0ecd\u0eb2": "\u0eb3"}
"""Vowel signs am of Thai and Lao, which compatibility forms take apart but nobody writes so."""


def runs(text: str) -> list[str]:
    """The runs of such characters in `text`, compatibility forms (half-width kana) made regular."""
    return [] if text.isascii() else [_regular(run) for run in _RUN.findall(text)]


def _regular(run: str) -> str:
    run = unicodedata.normalize("NFKC", run)
    for apart, composed in _COMPOSED.items():
        run = run.replace(apart, composed)
    return run


def without_runs(text: str) -> str:
    """`text` with every CJK run blanked."""
    return text if text.isascii() else _RUN.sub(" ", text)


def pairs(text: str) -> str:
    """The search column of a text, "" where it holds no CJK: 東京都 gives "東京 京都 都"."""
    words: list[str] = []
    for run in runs(text):
        words += [run[at : at + 2] for at in range(len(run))]
    return " ".join(words)


def phrase(run: str) -> str:
    """The FTS5 expression a run of a query becomes: a phrase of pairs, or a prefix for a single character."""
    if len(run) == 1:
        return f'cjk : "{run}" *'
    return 'cjk : "' + " ".join(run[at : at + 2] for at in range(len(run) - 1)) + '"'
