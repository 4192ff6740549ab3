"""Pieces of text where a metafile draws them, put together into lines in reading order. No record is known here."""

import math
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

_NARROW = frozenset("iljtfrI.,;:'!|()[]-")
_SAME_LINE = 0.35
"""Of the size of type: how far baselines of one line may be apart."""
_WORD_GAP = 0.22
"""Of the size of type: the gap from which two pieces are two words; a space is 0.25 in most fonts."""
_LINE_GAP = 0.9
"""Of the size of type: the gap from which two pieces of a line are cells or labels apart."""
_PITCH = 0.6, 1.9
"""From baseline to baseline of one text, of its size of type."""
_SAME_ROW = 0.5
"""Of the size of type: how far first baselines of texts in a row may be apart."""
_SHADOW = 0.25
"""Of the size of type: how far a text may be from its shadow."""
_TURNS = 5.0
"""Degrees within which texts run the same way."""


class MetafileText(NamedTuple):
    """A text drawn at one go. Lengths are of the device, along its own direction and downwards from it."""

    text: str
    left: float
    right: float
    base: float
    em: float
    angle: float
    """Degrees its direction is turned anticlockwise."""


def turned(x: float, y: float, angle: float) -> tuple[float, float]:
    """A point of the device in the directions of text at that angle: along it and down from it."""
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return x * cos - y * sin, x * sin + y * cos


def width_of(text: str) -> float:
    """About how wide a text is in an average font, of its size of type, for records that do not say it."""
    return sum(
        0.3 if one in _NARROW or one.isspace()
        else 1.0 if unicodedata.east_asian_width(one) in "WF"
        else 0.66 if one.isupper()
        else 0.53
        for one in text
    )  # fmt: skip


def lines_of(pieces: Iterable[MetafileText]) -> list[str]:
    """The lines a looker-on reads: those that run across first, then those that are turned."""
    ways: dict[int, list[MetafileText]] = {}
    drawn: dict[str, MetafileText] = {}
    for piece in pieces:
        before = drawn.get(piece.text)
        drawn[piece.text] = piece
        if before is None or not _same_place(piece, before):
            ways.setdefault(round(piece.angle / _TURNS) % round(360 / _TURNS), []).append(piece)
    return [line for way in sorted(ways, key=bool) for line in _rows(_blocks(ways[way]))]


def _same_place(one: MetafileText, other: MetafileText) -> bool:
    """Whether a text was drawn once more where it stood: as its shadow, or bold."""
    near = _SHADOW * one.em
    return abs(one.left - other.left) < near and abs(one.base - other.base) < near


class _DrawnLine:
    """Pieces side by side."""

    def __init__(self, first: MetafileText) -> None:
        self.pieces = [first]
        self.left, self.right, self.base, self.em = first.left, first.right, first.base, first.em

    def takes(self, piece: MetafileText, gap: float = _LINE_GAP) -> bool:
        """Whether a piece goes on in this line; it is put there if so."""
        em = max(self.em, piece.em)
        if abs(piece.base - self.base) > _SAME_LINE * em:
            return False
        if max(piece.left - self.right, self.left - piece.right) > gap * em:
            return False
        self.pieces.append(piece)
        self.left, self.right = min(self.left, piece.left), max(self.right, piece.right)
        self.em = em
        return True

    def text(self) -> str:
        """Its words, from the right where most of their letters run so."""
        backwards = _backwards(self.pieces)
        pieces = sorted(self.pieces, key=lambda piece: -piece.right if backwards else piece.left)
        made, before = pieces[0].text, pieces[0]
        for piece in pieces[1:]:
            gap = before.left - piece.right if backwards else piece.left - before.right
            made += (" " if gap > _WORD_GAP * min(piece.em, before.em) else "") + piece.text
            before = piece
        return " ".join(made.split())


class _Block:
    """Lines one beneath the other that were drawn one after the other: a paragraph, a label, a cell."""

    def __init__(self, first: MetafileText) -> None:
        self.lines = [_DrawnLine(first)]

    def takes(self, piece: MetafileText) -> bool:
        last = self.lines[-1]
        if last.takes(piece):
            return True
        em = max(last.em, piece.em)
        below = _PITCH[0] * em < piece.base - last.base < _PITCH[1] * em
        if not below or min(last.right, piece.right) <= max(last.left, piece.left) or min(last.em, piece.em) < 0.7 * em:
            return False
        self.lines.append(_DrawnLine(piece))
        return True


def _blocks(pieces: Sequence[MetafileText]) -> list[_Block]:
    blocks: list[_Block] = []
    for piece in pieces:
        if not blocks or not blocks[-1].takes(piece):
            blocks.append(_Block(piece))
    return blocks


def _rows(blocks: Sequence[_Block]) -> Iterator[str]:
    """The lines of the blocks from the top to the bottom; those that begin on one baseline are a row, from the side
    most of their letters begin at, and single lines in it are one line, as cells of a table are."""
    rows: list[list[_Block]] = []
    for block in sorted(blocks, key=lambda one: one.lines[0].base):
        first = block.lines[0]
        if rows and first.base - rows[-1][0].lines[0].base <= _SAME_ROW * max(first.em, rows[-1][0].lines[0].em):
            rows[-1].append(block)
        else:
            rows.append([block])
    for row in rows:
        backwards = sum(_backwards(block.lines[0].pieces) for block in row) * 2 > len(row)
        row.sort(key=lambda one: -one.lines[0].right if backwards else one.lines[0].left)
        for single, alike in groupby(row, lambda one: len(one.lines) == 1):
            texts = [line.text() for block in alike for line in block.lines]
            yield from filter(None, [" ".join(filter(None, texts))] if single else texts)


def _backwards(pieces: Sequence[MetafileText]) -> bool:
    """Whether most of the letters run from the right to the left."""
    letters = [one for piece in pieces for one in piece.text if one.isalpha()]
    return 2 * sum(unicodedata.bidirectional(one) in ("R", "AL") for one in letters) > len(letters)
