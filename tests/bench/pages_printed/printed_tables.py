"""Tables of office and HTML files, printed, as we read them from the page, against what their sources say.

    python tests/bench/pages_printed/printed_tables.py FILES PRINTED [--half worked|held] [--list KIND]

FILES is a folder of docx, doc, odt, rtf, xlsx, ods, xls and html, whatever lies in it; PRINTED gets the PDFs, printed
without tags by LibreOffice and Chromium where that was not done before (`printed_files`). What they need and is absent
is said, and such files are not counted. Nobody writes the truth down: it is what our own readers of the sources give,
as far as it stands on the page (`printed_truth`), so it is large and noisy, good for finding classes of faults and for
telling a change, and no figure to boast with. Half of the files, by a hash of their names, are `held` back.

A row is right where its cells are ours, letter for letter but for white space and the shapes of dashes and quotes, in
the order of the table and with as many columns as the rest of the table uses. `capped` counts at most twelve rows of a
table, so that a long one is not all. A table of ours that holds no table's words but those of paragraphs is invented;
of sheets none can be. `--list` shows the rows that are wrong in one way: `absent` (no table of ours), `moved` (the
right cells, with others empty between), `columns` (cells put together or cut), `rows` (rows put together or cut),
`other`.

First figures, by the scripts this grew out of, on 1,174 files out of packages and the corpus: before any work on them
4,263 of 5,775 rows and 230 of 458 tables whole, held; after work on the other half 4,321 and 254. There 2,784 of 3,752
and 174 of 359 became 2,962 and 215. This bench counts a few rows more or less.

A second set, of web pages that were in no other: of the HTML documentation in 15 Debian packages (apache2-doc,
bind9-doc, erlang-doc, freetds-doc, ghc-doc, grass-doc, libboost1.74-doc, libhdf5-doc, libreoffice-help-en-us,
netcdf-doc, postfix-doc, postgresql-doc-15, python3.11-doc, qtbase5-doc-html and rsyslog-doc) up to eight files each
that hold tables of data, drawn by a hash of their places, printed under their own style sheets by Chromium (half),
LibreOffice and WeasyPrint, and named PACKAGE__WAY__FILE. First counts: rows 576 of 968, capped .757, 71 of 114 tables
whole, and held 728 of 1,036, .721, 76 of 135; after the work on the former 600, .793, 82, and held, counted once, as
before: what was mended does not occur there. One table of the former has 208 rows. Of tables that say the same words
only the first was found; since each is given to its own, 604 of 968 and 766 of 1,036. Once rows that white, dashes or
a panel part were read, 692 and, held, counted once, 841, .792, 86 whole.

A third set, drawn and printed by `printed_packages`, of the documentation in ant-doc, cmake-doc, courier-doc,
dbus-1-doc, debian-policy, exim4-doc-html, fftw-docs, fp-docs-3.2.2, gap-doc, git-doc, graphviz-doc, libglib2.0-doc,
libtiff-doc, libxml2-doc, maint-guide, nodejs-doc, ntpsec-doc, octave-doc, proftpd-doc, python-django-doc,
python-sqlalchemy-doc, singular-doc, slurm-wlm-doc, sqlite3-doc, wireshark-doc and wx3.2-doc. First counts, before any
work on it: rows 808 of 1,216, capped .656, 96 of 236 tables whole, and held 882 of 1,666, .515, 101 of 386, of which
243 are not found: in the former half most of these are two to four parameters of a function, without a head or a rule.
After the same work 893 and 103, held, counted once.

A fourth set, drawn likewise, of cups-server-common, derby-doc, plplot-doc, privoxy, tomcat10-docs and xapian-doc: rows
275 of 343, 25 of 41 tables whole, and held 113 of 171, 20 of 34, neither half looked into. What was mended after those
counts, in tables that office programs print, changed none of them.
"""

from __future__ import annotations

import argparse
import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from printed_files import KINDS, kind_of, print_all
from printed_truth import Cells, PrintedTable, Truth, folded, trimmed, truth_of, words_in
from sidecar_pdf import PdfFormat

from sidecar.api import Limits, Source, Table

WAYS = ("absent", "moved", "columns", "rows", "other")
MOST_ROWS = 12  # of a table, that `capped` counts
OF_TABLE, OF_TEXT = 0.5, 0.6  # of the words of a table of ours, that make it one of a table, and invented
OTHER_PAGE = 0.8  # what the words of a table on another page count
MUCH_MORE = 1.15  # times the letters of a row, more than which hold those of others as well


@dataclass
class Found:
    """A table of ours: its page from 0, its rows as they are compared, and its words."""

    page: int
    rows: Cells
    words: Counter[str]


@dataclass
class Tally:
    """What was counted of the tables of one kind of file."""

    tables: int = 0
    whole: int = 0
    rows: int = 0
    right: int = 0
    capped: float = 0.0
    capped_rows: int = 0
    invented: int = 0
    wrong: Counter[str] = field(default_factory=Counter[str])

    def add(self, table: PrintedTable, ways: Sequence[str]) -> None:
        """Counts a table whose rows are right (an empty way) or wrong in some way."""
        right = ways.count("")
        self.tables += 1
        self.whole += right == len(table.rows)
        self.rows += len(table.rows)
        self.right += right
        self.capped += right / len(table.rows) * min(len(table.rows), MOST_ROWS)
        self.capped_rows += min(len(table.rows), MOST_ROWS)
        self.wrong.update(way for way in ways if way)

    def line(self, name: str) -> str:
        """What was counted, in a line."""
        ways = ", ".join(f"{self.wrong[way]} {way}" for way in WAYS if self.wrong[way])
        return (
            f"  {name:6} rows {self.right}/{self.rows} = {self.right / max(self.rows, 1):.3f}  capped "
            f"{self.capped / max(self.capped_rows, 1):.3f}  tables whole {self.whole}/{self.tables}  invented "
            f"{self.invented}  wrong rows: {ways or 'none'}"
        )


def read(pdf: Path) -> list[Found]:
    """The tables we find in a PDF."""
    parts = PdfFormat().parse(Source.of(pdf), Limits(ocr=False)).parts
    return [
        Found(page, as_compared(rows), Counter(words_in(rows)))
        for page, part in enumerate(parts) for block in part.blocks if isinstance(block, Table)
        if (rows := trimmed(list(map(list, block.rows))))
    ]  # fmt: skip


def as_compared(rows: Cells) -> Cells:
    """The cells of rows as they are compared."""
    return [[folded(cell) for cell in row] for row in rows]


def assigned(truth: Truth, ours: Iterable[Found]) -> tuple[dict[int, list[Found]], int]:
    """Our tables by the one of the truth with most of their words, of several that have them all by the one with fewest
    others, and that has no table yet; and how many hold nothing but running text."""
    own: dict[int, list[Found]] = defaultdict(list)
    bags = [Counter(words_in(table.rows)) for table in truth.tables]
    invented = 0
    for found in ours:
        shares = [
            (
                share(found.words, bag) * (1.0 if found.page in table.pages else OTHER_PAGE),
                share(bag, found.words),
                -len(own[at]),
                -at,
            )
            for at, (bag, table) in enumerate(zip(bags, truth.tables, strict=True))
        ]
        best, *_, at = max(shares, default=(0.0, 0.0, 0, 0))
        if best >= OF_TABLE:
            own[-at].append(found)
        elif truth.paragraphs is not None and share(found.words, truth.others) < OF_TABLE:
            invented += share(found.words, truth.paragraphs) >= OF_TEXT
    return own, invented


def share(words: Counter[str], bag: Counter[str]) -> float:
    """The share of words that a bag of words holds."""
    return (words & bag).total() / max(words.total(), 1)


def judged(table: PrintedTable, ours: Sequence[Found]) -> list[str]:
    """In which way each row of a table is wrong in ours; an empty one where it is right."""
    have = [row for found in ours for row in found.rows]
    ways: list[str] = []
    place = 0
    for row in as_compared(table.rows):
        at = next((at for at in range(place, len(have)) if have[at] == row), None)
        if at is not None:
            place = at + 1
        ways.append("" if at is not None else way_of(row, have))
    return ways


def way_of(row: list[str], have: Cells) -> str:
    """In which way a row that is none of ours is wrong."""
    if not have:
        return "absent"
    cells, letters = [cell for cell in row if cell], "".join(row)
    joined = ["".join(other) for other in have]
    if any([cell for cell in other if cell] == cells for other in have):
        return "moved"
    if letters in joined or any(sorted(text) == sorted(letters) for text in joined):
        return "columns"
    several = any(
        len(text) > MUCH_MORE * len(letters) and all(any(cell in whole for whole in other) for cell in cells)
        for text, other in zip(joined, have, strict=True)
    )
    parts = sum(bool(text) and all(cell in letters for cell in other) for text, other in zip(joined, have, strict=True))
    return "rows" if several or parts else "other"


def is_held(path: Path) -> bool:
    """Whether a file is of the half held back, by a hash of its name."""
    return hashlib.sha1(path.name.encode(), usedforsecurity=False).hexdigest()[0] in "01234567"


@dataclass
class Count:
    """What was counted of all files: tallies by half and kind, and why files were left out."""

    listed: str
    tallies: dict[tuple[str, str], Tally] = field(default_factory=lambda: defaultdict[tuple[str, str], Tally](Tally))
    left: Counter[str] = field(default_factory=Counter[str])

    def add(self, source: Path, pdf: Path) -> None:
        """Counts a file."""
        kind, half = kind_of(source), "held" if is_held(source) else "worked"
        try:
            truth = truth_of(source, pdf, kind)
            ours = read(pdf) if isinstance(truth, Truth) else []
        except Exception as error:  # a damaged source is said and counted, and ends no bench
            truth, ours = f"not read ({type(error).__name__})", []
        if not isinstance(truth, Truth):
            self.left[truth] += 1
            return
        own, invented = assigned(truth, ours)
        both = self.tallies[half, kind], self.tallies[half, "all"]
        for tally in both:
            tally.invented += invented
        for at, table in enumerate(truth.tables):
            ways = judged(table, own[at])
            for tally in both:
                tally.add(table, ways)
            for row, way in zip(table.rows, ways, strict=True):
                if way and way == self.listed:
                    print(f"{source.name}:{min(table.pages) + 1} {row}")

    def report(self) -> None:
        """Prints what was counted."""
        for half in ("worked", "held"):
            print(f"{half}:" if (half, "all") in self.tallies else f"{half}: no file")
            for name in (*dict.fromkeys(KINDS.values()), "all"):
                if (half, name) in self.tallies:
                    print(self.tallies[half, name].line(name))
        for why, count in self.left.most_common():
            print(f"{count} files not counted: {why}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path)
    parser.add_argument("printed", type=Path)
    parser.add_argument("--half", choices=("worked", "held"))
    parser.add_argument("--list", choices=WAYS, default="")
    arguments = parser.parse_args()
    if arguments.list and arguments.half != "worked":
        parser.error("--list is for --half worked: a half that is looked at is held back no longer")
    files = sorted(path for path in arguments.files.resolve().rglob("*") if kind_of(path) and path.is_file())
    if arguments.half:
        files = [path for path in files if is_held(path) == (arguments.half == "held")]
    count = Count(arguments.list)
    for source, pdf, why in print_all(files, arguments.printed.resolve()):
        if pdf is None:
            count.left[why] += 1
        else:
            count.add(source, pdf)
    count.report()


if __name__ == "__main__":
    main()
