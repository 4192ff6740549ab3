"""Cells and formulas of .xls and .xlsb against those that LibreOffice finds in the same files when it converts them to
.xlsx. What LibreOffice reads as text or cannot convert is left out.

    python tests/bench/formats/binary_workbooks.py DIR
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from sidecar_xlsx.plugin import XlsxFormat

from sidecar.api import Limits, ParsedDocument, SidecarError, Source, Table
from sidecar.toolkit.programs.libreoffice import convert

LIMITS = Limits(ocr=False)
Place = tuple[str, int, int]


def cells(document: ParsedDocument) -> Iterator[tuple[Place, str, str]]:
    """Every cell with a text or a formula: its place, its text, its formula."""
    for part in document.parts:
        for table in part.blocks:
            if not isinstance(table, Table):
                continue
            formulas = {(cell.row, cell.col): cell.formula for cell in table.cells if cell.formula}
            for r, row in enumerate(table.rows):
                for c, text in enumerate(row):
                    if text or (r, c) in formulas:
                        yield (part.name, table.first_row + r, table.first_col + c), text, formulas.get((r, c), "")


def squeezed(texts: Mapping[Place, str]) -> dict[Place, str]:
    """Without spaces, in capitals: programs differ in those."""
    return {place: "".join(text.split()).upper() for place, text in texts.items() if text}


def main(folder: Path) -> int:
    """Print found and missed by format."""
    xlsx = XlsxFormat()
    counts: Counter[tuple[str, str]] = Counter()
    for path in sorted((*folder.rglob("*.xls"), *folder.rglob("*.xlsb"))):
        source = Source.of_bytes(path.read_bytes(), path.name)
        try:
            ours = list(cells(xlsx.parse(source, LIMITS)))
            made = convert(source, "xlsx", LIMITS)
            theirs = list(cells(xlsx.parse(Source.of_bytes(made, "made.xlsx"), LIMITS)))
        except SidecarError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            continue
        if {place[0] for place, _, _ in ours}.isdisjoint({place[0] for place, _, _ in theirs}) and theirs:
            print(f"{path.name}: LibreOffice does not see a workbook in it", file=sys.stderr)
            continue
        texts = {place: text for place, text, _ in theirs}, {place: text for place, text, _ in ours}
        formulas = {place: formula for place, _, formula in theirs}, {place: formula for place, _, formula in ours}
        for what, (expected, read) in (("cells", texts), ("formulas", formulas)):
            wanted, found = squeezed(expected), squeezed(read)
            same = sum(found.get(place) == text for place, text in wanted.items())
            counts[path.suffix, f"{what} as there"] += same
            counts[path.suffix, f"{what} there"] += sum(place in found for place in wanted)
            counts[path.suffix, f"{what} expected"] += len(wanted)
    for (suffix, what), count in sorted(counts.items()):
        print(f"{suffix:6} {what:20} {count:,}")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
