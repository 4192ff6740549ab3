"""Blocks of text beside others, told by the order in which the file draws them: a box the text runs around, a note in
the margin, a few lines in columns between full ones. Where no strip of white runs down a page, the file still draws
such a block from its first line to its last, and then goes back up to what stands beside it."""

import re
from itertools import pairwise
from typing import NamedTuple, Protocol

from sidecar_pdf.pdfium.geometry import bounding_box
from sidecar_pdf.text.segments import Segment

_MARKER = re.compile(r"\(?\w{1,3}[.)]")

# Chosen on the worked half of tests/bench/layout/pdf_order_latex.py.
_APART = 0.45  # ems of the page, of white between two blocks that stand side by side
_BACK = 0.5  # of the height of a line, by which the foot of one further up lies higher at least
_HUGE = 2.0  # times the height of the line before it: a figure that is looked at as if it were as high as that
_RUNS_ON = 1.3  # of the usual step from line to line, up to which a line carries on a block
_ONE_SIZE, _LEADING = 0.05, 2.4  # of the size of type: by which lines of a column differ; from foot to foot of them
_MIN_LINES = 2  # of a block; of the shorter of two that stand beside the other
_MAX_HEADS = 64  # pieces behind names of columns, among which their first row is looked for
_MIN_CELLS = 3  # of a row of a table, in columns of another
_LINE_WORDS = 1.5  # words of a line, on the average: cells of a table may have fewer
_AUTHOR_LINES = 8  # fewer of which are those of an author
_ONE_EDGE = 2.0  # points between the edges of a head and of what is under it
_LETTERS, _LARGE = 0.6, 1.5  # of the pieces of a block that begin with a letter, or are so many times as large as most


class Placed(Protocol):
    """Anything with a place: a text segment, or a table or figure that moves as one."""

    x0: float
    y0: float
    x1: float
    y1: float
    order: int


class Apart(NamedTuple):
    """Blocks that stand side by side, in their order. `wrapped` tells that the first stands within the text that goes
    on as the second, `noted` that this text was drawn in part before it."""

    blocks: list[list[Segment]]
    wrapped: bool
    noted: bool
    top: float
    bottom: float


class _Block(NamedTuple):
    pieces: list[Segment]
    x0: float
    y0: float
    x1: float
    y1: float


def drawn_apart(drawn: list[Segment], em: float) -> Apart | None:
    """The first blocks drawn one after another that stand side by side, among pieces in the order of the file."""
    for at, (before, after) in enumerate(pairwise(drawn)):
        if _goes_back(before, after) and (found := _beside(drawn, at, em)) is not None:
            return found
    return None


def columns_of(pieces: list[Placed], found: Apart) -> list[list[Placed]] | None:
    """What stands over blocks, each block with what stands within it, and what stands under them; None where anything
    level with them stands in none or several."""
    blocks: list[list[Placed]] = [[*block] for block in found.blocks]
    sides = [(min(p.x0 for p in block), max(p.x1 for p in block)) for block in blocks]
    taken = {id(p) for block in blocks for p in block}
    above, below = list[Placed](), list[Placed]()
    for piece in pieces:
        if id(piece) in taken:
            continue
        if not found.top <= middle_of(piece) <= found.bottom:
            (above if middle_of(piece) < found.top else below).append(piece)
            continue
        within = [at for at, (x0, x1) in enumerate(sides) if piece.x0 < x1 and piece.x1 > x0]
        if len(within) != 1:
            return None
        blocks[within[0]].append(piece)
    heads = _heads_of(above, found, sides)
    taken = set(map(id, heads))
    blocks = [[head, *block] for head, block in zip(heads, blocks, strict=True)] if heads else blocks
    return [[p for p in above if id(p) not in taken], *blocks, below]


def _heads_of(above: list[Placed], found: Apart, sides: list[tuple[float, float]]) -> list[Placed]:
    """The head right over each of the blocks, level with those of the others and at an edge of its block, as over the
    two languages of a contract; none where a block has no such head."""
    last = max(above, key=lambda p: p.y1, default=None)
    if last is None or found.top - last.y1 > _LEADING * (last.y1 - last.y0):
        return []
    level = [p for p in above if p.y0 < middle_of(last) < p.y1]
    heads = [[p for p in level if min(abs(p.x0 - x0), abs(p.x1 - x1)) < _ONE_EDGE and p.x0 < x1] for x0, x1 in sides]
    return [own[0] for own in heads] if len(level) == len(sides) and all(len(own) == 1 for own in heads) else []


def _goes_back(before: Segment, after: Segment) -> bool:
    """Whether the file goes back up to what stands aside, or back to the left on a line."""
    height, line = after.y1 - after.y0, before.y1 - before.y0
    if after.y1 < before.y1 - _BACK * (line if height > _HUGE * line else height):
        return after.x0 >= before.x1 or after.x1 <= before.x0
    return after.x1 <= before.x0 and after.y0 < before.y1


def _beside(drawn: list[Segment], at: int, em: float) -> Apart | None:
    """The block that ends with a piece and those that begin behind it, where they stand side by side."""
    last, head = drawn[at], drawn[at + 1]
    first = _block(drawn, range(at, -1, -1), head.x0, head.x1)
    if first is None:
        return None
    if _is_further(head, last):  # a column further on begins as high as the part of this one that stands beside it
        pieces = first.pieces
        top = next(i for i, p in enumerate(pieces) if p.y1 > head.y0)
        while top and _carries_on(pieces[top - 1], pieces[top]):  # or lower, where a picture stands over it
            top -= 1
        first = _around(pieces[top:])
    blocks, end = [first], at + 1
    while end < len(drawn) and (len(blocks) == 1 or _goes_on(drawn, end, blocks[-1])):
        block = _block(drawn, range(end, len(drawn)), blocks[-1].x0, blocks[-1].x1)
        if block is None or not _stand_apart(blocks[-1], block, em):
            break
        blocks.append(block)
        end += len(block.pieces)
    if len(blocks) == 1 or _are_heads(blocks, drawn[end : end + _MAX_HEADS]):
        return None
    around = [*drawn[max(0, at - _MAX_HEADS) : at + 1 - len(first.pieces)], *drawn[end : end + _MAX_HEADS]]
    if _are_cells(blocks, around):
        return None
    top, bottom = min(block.y0 for block in blocks), max(block.y1 for block in blocks)
    wrapped = len(blocks) == 2 and end < len(drawn) and _runs_on(blocks[1], drawn[end])
    noted = any(_is_beside(piece, first) for piece in drawn[: at + 1 - len(first.pieces)])
    return Apart([block.pieces for block in blocks], wrapped, noted, top, bottom)


def _are_heads(blocks: list[_Block], behind: list[Segment]) -> bool:
    """Whether blocks are names of columns in a few lines: in bold, over a row that is not, which the file draws behind
    them with a piece under each."""
    if not all(p.style.bold for block in blocks for p in block.pieces):
        return False
    foot = max(block.y1 for block in blocks)
    under = [p for p in behind if p.y0 > foot]
    row = [p for p in under if p.y0 < under[0].y1 and p.y1 > under[0].y0]
    near = bool(row) and row[0].y0 - foot < _LEADING * row[0].style.size and not all(p.style.bold for p in row)
    return near and all(any(p.x0 < block.x1 and p.x1 > block.x0 for p in row) for block in blocks)


def _are_cells(blocks: list[_Block], around: list[Segment]) -> bool:
    """Whether blocks are cells of several lines in a row of a table: pieces at least three begin or end at the height
    of their first line where three of another row do, that the file draws before or behind them."""
    first = blocks[0].pieces[0]
    level = [p for block in blocks for p in block.pieces if abs(p.y1 - first.y1) < _ONE_EDGE]
    rows: dict[int, int] = {}
    for piece in around if len(level) >= _MIN_CELLS else ():
        if not piece.y0 < first.y1 < piece.y1 and any(
            min(abs(piece.x0 - own.x0), abs(piece.x1 - own.x1)) < _ONE_EDGE for own in level
        ):
            rows[round(piece.y1 / _ONE_EDGE)] = rows.get(round(piece.y1 / _ONE_EDGE), 0) + 1
    return max(rows.values(), default=0) >= _MIN_CELLS


def _is_further(piece: Segment, last: Segment) -> bool:
    """Whether a piece stands on the side of another on which the next column does."""
    return piece.x1 <= last.x0 if last.rtl else piece.x0 >= last.x1


def _is_beside(piece: Segment, block: _Block) -> bool:
    level = piece.y0 < block.y1 and piece.y1 > block.y0
    return level and (piece.x1 <= block.x0 or piece.x0 >= block.x1)


def _block(drawn: list[Segment], places: range, x0: float, x1: float) -> _Block | None:
    """The pieces from one on that go down the page, or up, on one side of the strip from x0 to x1."""
    found: list[Segment] = []
    behind = drawn[places[0]].x0 >= x1
    for at in places:
        piece = drawn[at]
        if piece.x0 < x1 if behind else piece.x1 > x0:
            break
        if found and places.step * (piece.y1 - found[-1].y1) < -_BACK * (piece.y1 - piece.y0):
            break
        found.append(piece)
    return _around(found[:: places.step]) if found else None


def _carries_on(above: Segment, below: Segment) -> bool:
    """Whether a line is of the column of the one above it."""
    size = below.style.size
    return abs(above.style.size - size) < _ONE_SIZE * size and below.y1 - above.y1 < _LEADING * size


def _around(pieces: list[Segment]) -> _Block:
    return _Block(pieces, *bounding_box(p.box for p in pieces))


def _goes_on(drawn: list[Segment], at: int, block: _Block) -> bool:
    """Whether one more column begins with a piece."""
    last = drawn[at - 1]
    return _goes_back(last, drawn[at]) and (drawn[at].x1 <= block.x0 if last.rtl else drawn[at].x0 >= block.x1)


def _stand_apart(one: _Block, other: _Block, em: float) -> bool:
    """Whether two blocks of text stand beside each other."""
    if max(other.x0 - one.x1, one.x0 - other.x1) < _APART * em or not (_is_text(one, em) and _is_text(other, em)):
        return False
    shorter, longer = sorted((one, other), key=lambda block: len(block.pieces))
    return sum(longer.y0 < (p.y0 + p.y1) / 2 < longer.y1 for p in shorter.pieces) >= _MIN_LINES


def _is_text(block: _Block, em: float) -> bool:
    """Whether a block has lines of words, some of which a figure in large type may open. Authors side by side, each
    over an address, are told by their rows."""
    count, pieces = len(block.pieces), block.pieces
    if count < _AUTHOR_LINES and any("@" in word.text for piece in pieces for word in piece.words):
        return False
    lines = 1 + sum(
        b.y1 - a.y1 > _BACK * (b.y1 - b.y0) for a, b in pairwise(pieces)
    )  # which wide blanks part in pieces
    words = sum(len(piece.words) for piece in pieces)
    opening = [piece.words[0].text for piece in pieces]
    if len(pieces[0].words) > 1 and _MARKER.fullmatch(opening[0]):
        opening[0] = pieces[0].words[1].text
    large = [p.style.size > _LARGE * em for p in pieces]
    letters = sum(big or text.strip("“„«\"'(")[:1].isalpha() for big, text in zip(large, opening, strict=True))
    return lines >= _MIN_LINES and words >= _LINE_WORDS * lines and letters >= _LETTERS * count


def _runs_on(block: _Block, piece: Segment) -> bool:
    """Whether a piece carries on the lines of a block, right under it."""
    feet = sorted({p.y1 for p in block.pieces})
    steps = sorted(below - above for above, below in pairwise(feet))
    return bool(steps) and 0 < piece.y1 - block.y1 < _RUNS_ON * steps[len(steps) // 2]


def middle_of(piece: Placed) -> float:
    """The height of its middle."""
    return (piece.y0 + piece.y1) / 2
