"""Documents that are small on disk, or can be made quickly, and large to look at."""

from __future__ import annotations

import csv
import hashlib
from pathlib import Path
from typing import Any

from sidecar.api import Element, Embed, Paragraph
from sidecar.api.model import encode_blocks
from sidecar.store import PartRecord, Prepared, SectionRecord, Segment

PAGES = 100_000
THINGS = 20_000
"""Elements and embedded files: no more than a document may have embedded."""


def many_pages() -> Prepared:
    """A document of a hundred thousand pages, every fifth of them with a heading, a table and a file."""
    segment = Segment(1, 1, -1, -1, encode_blocks([Paragraph(text="A line of the page.")]))
    return Prepared(
        sha256=hashlib.sha256(b"many pages").hexdigest(), size=10, title="Pages", description="", format="pdf",
        media_type="application/pdf", plugin="text", plugin_version="1", metadata={}, part_kind="page",
        parts=tuple(
            PartRecord(n, "page", f"Page {n}", "", False, 600, 800, 5, 20, 0, 0, {}, (segment,))
            for n in range(1, PAGES + 1)
        ),
        sections=tuple(SectionRecord(f"s{n}", n, 1, f"Head {n}", n, 1, n, 1, 5) for n in range(1, PAGES + 1, 5)),
        tokens=5 * PAGES, passages=(), notices=(),
        elements=tuple(
            Element(type="table", label=f"Table {n}", part=5 * n, block=1, caption=f"Caption of table {n}", text="Text")
            for n in range(1, THINGS + 1)
        ),
        embedded=tuple(
            Embed(kind=("image", "attachment")[n % 2], id=n // 2, name=f"file{n}.png", media_type="image/png")
            for n in range(THINGS)
        ),
    )  # fmt: skip


def sparse_workbook(path: Path) -> None:
    """Two cells in opposite corners of the largest sheet there is."""
    import openpyxl

    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet.title = "Data"
    sheet["A1"], sheet["XFD1048576"] = "first", "last"
    book.save(path)


def long_csv(path: Path) -> None:
    """A table of three columns."""
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "name", "value"])
        writer.writerows([n, f"name {n}", n * 3.5] for n in range(300_000))


def alike_sections(path: Path) -> None:
    """A text whose sections share their longest words and nothing else."""
    shared = " ".join(f"incomprehensibilities{n}" for n in range(6))
    with path.open("w") as stream:
        for n in range(400):
            own = " ".join(f"w{n}x{m}" for m in range(40))
            stream.write(f"## Section {n}\n\n{shared} {own}\n\n")
