"""Puts the columns of a table that is read from right to left in the order they are read in."""

from sidecar.api import Merge
from sidecar_pdf.layout.tables.found import FoundTable
from sidecar_pdf.layout.tables.known_flaws import TAGGED


def read_rightwards(table: FoundTable) -> bool:
    """Puts the rightmost column of a table first where most of its pieces with letters run to the left, and tells
    whether it did; of a table whose cells are tagged the file tells the order."""
    worded = [s for s in table.segments if any(map(str.isalpha, s.text))]
    if table.base == TAGGED or 2 * sum(s.rtl for s in worded) <= len(worded):
        return False
    width = len(table.rows[0])
    for merge in table.merges:  # its text stands in the first of its cells
        row, last = table.rows[merge.row], merge.col + merge.cols - 1
        row[merge.col], row[last] = row[last], row[merge.col]
    table.merges = tuple(Merge(m.row, width - m.col - m.cols, m.rows, m.cols) for m in table.merges)
    table.rows, table.columns = [row[::-1] for row in table.rows], table.columns[::-1]
    return True
