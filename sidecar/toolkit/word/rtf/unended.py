"""Tables of an RTF file's head whose groups were never ended: where the text begins all the same."""

from collections.abc import Sequence

from sidecar.toolkit.word.rtf.header import TABLES
from sidecar.toolkit.word.rtf.lists import LIST_TABLES
from sidecar.toolkit.word.rtf.state import GroupState

_DECLARING = frozenset([*TABLES, *LIST_TABLES])
_BODY = frozenset(["par", "sectd", "sect", "trowd", "cell", "row", "page"])
"""Words that no table of the file's head has: they begin or end pieces of the text."""


def leave_head(states: Sequence[GroupState], word: str, depth: int) -> None:
    """Let what follows be text, in all groups that are open, where a word says that text begins within a table of the
    file's head, whose group then was never ended. `depth` is how many groups that table stands in: in its own group,
    the properties of a paragraph are nobody's."""
    own = len(states) - 1 == depth
    if states[-1].destination in _DECLARING and (word in _BODY or (own and word == "pard")):
        for state in states:
            if state.destination in _DECLARING:
                state.destination = ""
                state.default_paragraph()
