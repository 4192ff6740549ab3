"""What is different between two versions of a document: their lines compared, and the words of those that changed.

Lines that there is one of are matched first (the patience diff of Bram Cohen), so that time grows hardly faster than
they do. What lines are made of is their reader's business."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final, Literal

from sidecar.toolkit.answers.budget import shorten

_CLOSELY: Final = 40_000
"""Lines times lines that are matched closely, in a time that grows with this; longer stretches of lines that come again
and again are matched by which one of its kind each is."""
_ALIKE: Final = 0.5
"""With this share of words in common two lines are one that was changed, not one that went and one that came."""
_PAIRED: Final = 60
"""Lines that stand in one changed stretch; in longer ones only those at the same place are compared."""
_LINE_CHARS: Final = 300
_MARKED_CHARS: Final = 900
_LINE_WORDS: Final = 1500
"""Longer lines are told as removed and added."""
_AROUND: Final = 60
"""Characters shown before and after a change in a line."""
_WORDS: Final = re.compile(r"\d+(?:[.,:/’'-]\d+)+|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\w+|\s+|[^\w\s]")


@dataclass(frozen=True)
class PlacedLine:
    """A line, where it leads, and the part it stands in, in words ("chapter 2: Term")."""

    text: str
    uri: str
    part: str


@dataclass(frozen=True)
class LineChange:
    """A line that came, went, moved, or says something else than it `was`. `at` is where it stands, in the former
    version for one that went."""

    kind: Literal["added", "removed", "changed", "moved"]
    at: PlacedLine
    was: str = ""

    def text(self) -> str:
        """The line, not all of a long one; of one that says something else, `_marked`."""
        if self.kind == "changed":
            return shorten(_marked(self.was, self.at.text), _MARKED_CHARS)
        return shorten(self.at.text, _LINE_CHARS)


def differences(old: Sequence[PlacedLine], new: Sequence[PlacedLine]) -> list[LineChange]:
    """What became of the old lines, in the order of the new ones."""
    same = _same([_key(line) for line in old], [_key(line) for line in new])
    found: list[LineChange] = []
    i = j = 0
    for i_same, j_same in [*same, (len(old), len(new))]:
        found += _changes_between(old[i:i_same], new[j:j_same])
        i, j = i_same + 1, j_same + 1
    return _moved(found)


def _marked(old: str, new: str) -> str:
    """The new line with the words that went and came, `[-ninety-] [+sixty+]`; long stretches that stayed left out."""
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    lines: list[str] = []
    codes = _joined(before, SequenceMatcher(None, before, after, autojunk=False).get_opcodes())
    for number, (kind, i, i_end, j, j_end) in enumerate(codes):
        gone, came = "".join(before[i:i_end]), "".join(after[j:j_end])
        if kind == "equal":
            lines.append(_unchanged_text(came, first=number == 0, last=number == len(codes) - 1))
        else:
            pieces = [f"[-{gone}-]" if gone else "", f"[+{came}+]" if came else ""]
            lines.append(" ".join(filter(None, pieces)))
    return "".join(lines)


def changes_markdown(changes: Sequence[LineChange], first: int, max_chars: int) -> tuple[list[str], int]:
    """The changes from number `first` on (from 1) as a list under the titles of their parts, as many as fit, and the
    number of the next one; 0 where these were the last."""
    lines: list[str] = []
    room = max_chars
    part = ""
    for number, one in enumerate(changes[first - 1 :], first):
        made = [] if one.at.part == part else ["", f"## {one.at.part}", ""]
        part = one.at.part
        made.append(f"- {one.kind}: {one.text()} ({one.at.uri})")
        room -= sum(len(line) + 1 for line in made)
        if room < 0 and lines:
            return lines, number
        lines += made
    return lines, 0


def _key(line: PlacedLine) -> str:
    return " ".join(line.text.split())


def _same(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Indexes of lines that are the same in both, rising in both: those there is one of in each first, then what stands
    between two of them."""
    if len(old) * len(new) <= _CLOSELY:
        return _between(old, new)
    pairs = _rising(_once(old), _once(new))
    found: list[tuple[int, int]] = []
    i = j = 0
    for i_next, j_next in [*pairs, (len(old), len(new))]:
        found += [(i + one, j + other) for one, other in _between(old[i:i_next], new[j:j_next])]
        found.append((i_next, j_next))
        i, j = i_next + 1, j_next + 1
    return found[:-1]


def _between(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    if len(old) * len(new) > _CLOSELY:
        return _rising(_numbered(old), _numbered(new))
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    return [(i + at, j + at) for i, j, size in blocks for at in range(size)]


def _once(lines: Sequence[str]) -> dict[str, int]:
    """Line → its index, of those that there is only one of."""
    times = Counter(lines)
    return {line: index for index, line in enumerate(lines) if times[line] == 1}


def _numbered(lines: Sequence[str]) -> dict[str, int]:
    """Line and which one of its kind it is → its index."""
    times: Counter[str] = Counter()
    found: dict[str, int] = {}
    for index, line in enumerate(lines):
        times[line] += 1
        found[f"{line}\n{times[line]}"] = index
    return found


def _rising(old: dict[str, int], new: dict[str, int]) -> list[tuple[int, int]]:
    """The most pairs of indexes of one line that rise in both (longest increasing subsequence, Schensted's piles)."""
    pairs = [(index, new[line]) for line, index in old.items() if line in new]
    tops: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for number, (_, j) in enumerate(pairs):
        pile = bisect_left(tops, j)
        before.append(ends[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(j)
            ends.append(number)
        else:
            tops[pile], ends[pile] = j, number
    found: list[tuple[int, int]] = []
    number = ends[-1] if ends else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]


def _changes_between(old: Sequence[PlacedLine], new: Sequence[PlacedLine]) -> Iterator[LineChange]:
    """What became of lines that stand between two that are the same."""
    begin = 0
    long = len(old) * len(new) > _PAIRED * _PAIRED
    for index, line in enumerate(new):
        reach = range(index, min(index + 1, len(old))) if long else range(begin, len(old))
        match = next((at for at in reach if at >= begin and _are_similar(old[at].text, line.text)), None)
        if match is None:
            yield LineChange("added", line)
            continue
        yield from (LineChange("removed", one) for one in old[begin:match])
        begin = match + 1
        yield LineChange("changed", line, old[match].text)
    yield from (LineChange("removed", one) for one in old[begin:])


def _are_similar(old: str, new: str) -> bool:
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    if max(len(before), len(after)) > _LINE_WORDS:
        return False
    one, other = (Counter(word for word in words if not word.isspace()) for words in (before, after))
    return 2 * (one & other).total() >= _ALIKE * 2 * max(1, (one.total() + other.total()) / 2)


def _joined(
    before: Sequence[str], codes: Sequence[tuple[str, int, int, int, int]]
) -> list[tuple[str, int, int, int, int]]:
    """The stretches, those that only a space parts made one: a reader takes words together, not letters."""
    made: list[tuple[str, int, int, int, int]] = []
    for number, (kind, i, i_end, j, j_end) in enumerate(codes):
        apart = kind == "equal" and ("".join(before[i:i_end]).strip() or not 0 < number < len(codes) - 1)
        if made and not apart and made[-1][0] != "equal":
            made[-1] = ("replace", made[-1][1], i_end, made[-1][3], j_end)
        else:
            made.append((kind if apart else "replace", i, i_end, j, j_end))
    return made


def _unchanged_text(text: str, *, first: bool, last: bool) -> str:
    """What stayed between two changes, its middle left out where it is long."""
    head = "" if first else text[:_AROUND]
    tail = "" if last else text[-_AROUND:]
    if len(text) <= len(head) + len(tail) + _AROUND:
        return text
    return f"{head} … {tail}".strip(" ") if first or last else f"{head} … {tail}"


def _moved(found: Sequence[LineChange]) -> list[LineChange]:
    """The changes, what went in one place and came in another said once."""
    came = Counter(one.at.text for one in found if one.kind == "added")
    both = came & Counter(one.at.text for one in found if one.kind == "removed")
    gone = both.copy()
    shown: list[LineChange] = []
    for one in found:
        text = one.at.text
        if one.kind == "removed" and gone[text] > 0:
            gone[text] -= 1
        elif one.kind == "added" and both[text] > 0:
            both[text] -= 1
            shown.append(LineChange("moved", one.at))
        else:
            shown.append(one)
    return shown
