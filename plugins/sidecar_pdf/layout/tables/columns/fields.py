"""Tells lines of labels and the values beside them, as lists of parameters and forms hold them, from other text."""

from statistics import median

from sidecar_pdf.layout.tables.columns.told import are_told
from sidecar_pdf.text.segments import Segment, has_letters

# Points.
SAME_EDGE = 2.0  # between the edges of what begins, or ends, at one place
PAIR_SPREAD = 1.0  # distance of names and values from their edges
# Counts and shares.
_PAIR, _MIN_ROWS = 2, 3  # lines, where the file tells their pieces apart, and where it does not
PAIRED_ROWS = 0.8  # lines of exactly two pieces, or with what else tells labels


def are_fields(body: list[list[Segment]], *, typed: bool = False) -> bool:
    """Whether lines are labels, in bold or with a colon, or `typed`: names in typewriter type before text that is not;
    and their values, which begin at one place. Two lines with colons are where the file tells the pieces
    apart, and so are labels that all end at one place and begin at others."""
    told = are_told(body)
    if len(body) < (_PAIR if told else _MIN_ROWS):
        return False
    rows = [sorted(row, key=lambda s: s.x0) for row in body]
    if told and not typed and _end_level(rows):
        return True
    if any(len(row) % 2 for row in body):
        return False
    labels = [s for row in rows for s in row[::2]]
    values = [row[1].x0 for row in rows]
    colons = sum(s.text.endswith((":", "：")) for s in labels)
    if len(body) < _MIN_ROWS and colons < len(labels):
        return False  # of two lines bold type alone tells nothing: paragraphs open with it too
    bold = all(s.style.bold for s in labels) and not any(s.style.bold for row in rows for s in row[1::2])
    usual = sum(abs(value - median(values)) < SAME_EDGE for value in values)
    if typed:
        named = all(has_letters([label]) for label in labels)  # no boxes to tick
        return named and usual == len(values) and all(s.style.mono == (s is row[0]) for row in rows for s in row)
    return (bold or colons >= PAIRED_ROWS * len(labels)) and usual >= PAIRED_ROWS * len(values)


def are_labelled(texts: list[list[str]]) -> bool:
    """Whether each row is a label with a colon and what it says."""
    return all(len(row) == 2 and row[0].endswith((":", "：")) for row in texts)


def _end_level(rows: list[list[Segment]]) -> bool:
    """Whether labels of letters that begin at different places all end at one, and the values behind them begin at
    one."""
    starts, ends, values = ([getattr(row[at], side) for row in rows] for at, side in ((0, "x0"), (0, "x1"), (1, "x0")))
    even = max(ends) - min(ends) < PAIR_SPREAD and max(values) - min(values) < PAIR_SPREAD
    return even and max(starts) - min(starts) > rows[0][0].style.size and has_letters([row[0] for row in rows])
