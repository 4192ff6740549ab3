"""Tagged PDFs: what the structure tree says, where the page does not contradict it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import pytest
from support.formats.pdf_builder import Pdf, grid, lines, text
from support.formats.pdf_prose import read_pdf

from sidecar.api import Heading, ListItem, Merge, Note, Paragraph, ParsedDocument, Table

PROSE = [
    "The survey covers every station along the river from its",
    "source to the delta, and each was visited twice a year by",
    "the same two observers, who noted depth and temperature.",
]


@dataclass
class Tagged:
    """A page and the structure elements its marked content belongs to."""

    content: str = ""
    elements: list[tuple[str, str, str, list[int]]] = field(default_factory=list[tuple[str, str, str, list[int]]])
    """Path of an element from the root ("Table/0/TR/1/TD/0"), its type, its attributes, its marked content."""
    count: int = 0

    def mark(self, drawn: str) -> int:
        """Draws something as marked content; its identifier."""
        self.content += f"/Span << /MCID {self.count} >> BDC\n{drawn}EMC\n"
        self.count += 1
        return self.count - 1

    def artifact(self, drawn: str) -> None:
        self.content += f"/Artifact << /Type /Pagination >> BDC\n{drawn}EMC\n"

    def add(self, path: str, kind: str, drawn: str = "", attributes: str = "") -> None:
        self.elements.append((path, kind, attributes, [self.mark(drawn)] if drawn else []))

    def table(self, name: str, x: list[float], tops: list[float], rows: list[list[str]], *, header: int = 1) -> None:
        """A table of texts; an empty one has no content at all."""
        self.add(name, "Table")
        for r, row in enumerate(rows):
            self.add(f"{name}/{r}", "TR")
            for c, cell in enumerate(row):
                drawn = text(x[c], tops[r], cell) if cell else ""
                self.add(f"{name}/{r}/{c}", "TH" if r < header else "TD", drawn)

    def document(self) -> ParsedDocument:
        pdf = Pdf()
        page = pdf.page(self.content, more="/StructParents 0")
        root = len(pdf.objects) + 1
        numbers = {path: root + 1 + at for at, (path, *_) in enumerate(self.elements)}
        parent = {path: numbers.get(path.rpartition("/")[0], root) for path in numbers}
        top = " ".join(f"{numbers[path]} 0 R" for path in numbers if parent[path] == root)
        owners = {content: numbers[path] for path, _, _, own in self.elements for content in own}
        tree = " ".join(f"{owners[at]} 0 R" if at in owners else "null" for at in range(self.count))
        pdf.add(f"<< /Type /StructTreeRoot /K [{top}] /ParentTree << /Nums [0 [{tree}]] >> >>")
        for path, kind, attributes, own in self.elements:
            kids = [f"{number} 0 R" for other, number in numbers.items() if parent[other] == numbers[path]]
            kids += [str(content) for content in own]
            pdf.add(
                f"<< /Type /StructElem /S /{kind} /P {parent[path]} 0 R /Pg {page} 0 R /K [{' '.join(kids)}]"
                f" {f'/A << /O /Table {attributes} >>' if attributes else ''} >>"
            )
        pdf.catalog = f"/MarkInfo << /Marked true >> /StructTreeRoot {root} 0 R"
        return read_pdf(pdf)


def tables(document: ParsedDocument) -> list[Table]:
    return [block for block in document.parts[0].blocks if isinstance(block, Table)]


ROWS = [
    ["Ship of the line", "Dues in euro", "Length"],
    ["Anna of the northern shore", "1,200", "22"],
    ["Berta", "", "31"],
    ["Clara", "900", "19"],
]
COLUMNS, TOPS = [72.0, 200.0, 262.0], [600.0, 586.0, 572.0, 558.0]


def test_a_tagged_table_has_its_cells_where_no_rules_tell_them() -> None:
    page = Tagged()
    page.add("P", "P", lines(72, 700, PROSE))
    page.table("T", COLUMNS, TOPS, ROWS)
    (table,) = tables(page.document())
    assert [list(row) for row in table.rows] == ROWS
    assert table.header_rows == 1
    assert table.confidence > 0.98


def test_spans_come_from_the_tags() -> None:
    page = Tagged()
    page.add("T", "Table")
    page.add("T/0", "TR")
    page.add("T/0/0", "TH", text(72, 600, "Station"), "/RowSpan 2")
    page.add("T/0/1", "TH", text(180, 600, "Depth in metres"), "/ColSpan 2")
    page.add("T/1", "TR")
    page.add("T/1/1", "TH", text(172, 586, "Low"))
    page.add("T/1/2", "TH", text(252, 586, "High"))
    for at, row in enumerate((("Upper", "1.2", "3.4"), ("Lower", "2.2", "4.4")), 2):
        page.add(f"T/{at}", "TR")
        for c, cell in enumerate(row):
            page.add(f"T/{at}/{c}", "TD", text((72, 172, 252)[c], 600 - 14 * at, cell))
    (table,) = tables(page.document())
    assert [list(row) for row in table.rows] == [
        ["Station", "Depth in metres", ""], ["", "Low", "High"], ["Upper", "1.2", "3.4"], ["Lower", "2.2", "4.4"],
    ]  # fmt: skip
    assert set(table.merges) == {Merge(0, 0, 2, 1), Merge(0, 1, 1, 2)}
    assert table.header_rows == 2


def test_a_title_over_tagged_heads_is_one_of_them_and_a_label_of_rows_under_them_is_none() -> None:
    page = Tagged()
    page.add("T", "Table")
    page.add("T/0", "TR")
    page.add("T/0/0", "TD", text(100, 614, "Power of cars by the drive they have"), "/ColSpan 3")
    for at, (y, cells) in enumerate(((600, ("Drive", "2016", "2017")), (572, ("awd", "652", "680")))):
        page.add(f"T/{2 * at + 1}", "TR")
        for c, cell in enumerate(cells):
            page.add(f"T/{2 * at + 1}/{c}", "TD" if at else "TH", text(72 + 80 * c, y, cell))
    page.add("T/2", "TR")
    page.add("T/2/0", "TH", text(72, 586, "Northern works"), "/ColSpan 3")
    page.elements.sort(key=lambda element: element[0])
    (found,) = tables(page.document())
    assert (found.rows[1], found.rows[2]) == (("Drive", "2016", "2017"), ("Northern works", "", ""))
    assert found.header_rows == 2


@pytest.mark.parametrize("middle", [True, False])
def test_a_header_alone_in_the_middle_of_the_first_row_reaches_over_all_columns(middle: bool) -> None:
    """Word says of no cell that it spans columns; a name left of the middle is that of its own."""
    rows = [["Flow", "m", "30.34", "35.30"], ["Stock", "kg", "5.95", "6.16"], ["Depth", "m", "0.98", "0.94"]]
    page = Tagged()
    page.add("T", "Table")
    page.add("T/0", "TR")
    page.add("T/0/0", "TH", text(160 if middle else 130, 614, "Input"))
    for at, cells in enumerate(rows, 1):
        page.add(f"T/{at}", "TR")
        for c, cell in enumerate(cells):
            page.add(f"T/{at}/{c}", "TD", text((72, 132, 202, 272)[c], 614 - 14 * at, cell))
    (found,) = tables(page.document())
    title = ["Input", "", "", ""] if middle else ["", "Input", "", ""]
    assert [list(cells) for cells in found.rows] == [title, *rows]
    assert (Merge(0, 0, 1, 4) in found.merges) == middle


def test_tags_that_the_page_contradicts_are_not_used() -> None:
    xs, ys = [70.0, 150.0, 230.0, 310.0], [540.0, 556.0, 572.0, 588.0]
    rows = [["Name", "Dues", "Length"], ["Anna", "1,200", "22"], ["Berta", "700", "31"]]
    page = Tagged(content=grid(xs, ys))
    page.add("T", "Table")
    for r, row in enumerate(rows):
        page.add(f"T/{r}", "TR")
        for c, cell in reversed(list(enumerate(row))):  # against the order in which the columns stand
            page.add(f"T/{r}/{c}", "TD", text(xs[c] + 4, 576 - 16 * r, cell))
    (table,) = tables(page.document())
    assert [list(row) for row in table.rows] == rows


def test_headings_lists_and_notes_come_from_the_tags() -> None:
    page = Tagged()
    page.add("A", "H1", text(72, 740, "Rivers of the north", size=11))
    page.add("B", "P", lines(72, 715, PROSE))
    page.add("C", "H2", text(72, 660, "Their stations"))
    page.add("D", "P", lines(72, 640, PROSE))
    page.add("E", "P", text(72, 590, "Only set in bold", font="F2"))
    page.add("F", "P", lines(72, 570, PROSE))
    page.add("G", "LI", text(72, 520, "~ the first of them"))
    page.add("H", "Note", text(72, 200, "7 Noted by the observers themselves.", size=10))
    blocks = page.document().parts[0].blocks
    assert [(b.text, b.level) for b in blocks if isinstance(b, Heading)] == [
        ("Rivers of the north", 1), ("Their stations", 2),
    ]  # fmt: skip
    assert "Only set in bold" in [b.text for b in blocks if isinstance(b, Paragraph)]
    assert [b.text for b in blocks if isinstance(b, ListItem)] == ["the first of them"]
    assert [b.text for b in blocks if isinstance(b, Note)] == ["Noted by the observers themselves."]


def test_sentences_in_the_type_of_the_text_are_no_headings_though_tags_say_so() -> None:
    page = Tagged()
    page.add("A", "H1", text(72, 740, "Rivers of the north", size=14))
    page.add("B", "P", lines(72, 715, PROSE * 3))
    page.add("C", "H2", text(72, 560, "The second of them is just as long as the first one."))
    page.add("D", "H2", text(72, 520, "Their stations"))
    page.add("E", "P", lines(72, 500, PROSE))
    blocks = page.document().parts[0].blocks
    assert [b.text for b in blocks if isinstance(b, Heading)] == ["Rivers of the north", "Their stations"]


def test_a_name_that_begins_small_is_a_title_in_the_type_of_tagged_headings() -> None:
    page = Tagged()
    page.add("A", "P", text(72, 760, "riverd User Guide 2024", size=14))
    for at, name in enumerate(("Starting", "Stopping")):
        page.add(f"B{at}", "H1", text(72, 700 - 140 * at, name, size=14))
        page.add(f"C{at}", "P", lines(72, 680 - 140 * at, PROSE * 2))
    blocks = page.document().parts[0].blocks
    assert [b.text for b in blocks if isinstance(b, Heading)] == ["riverd User Guide 2024", "Starting", "Stopping"]


def test_a_large_bold_title_is_one_though_its_tag_is_a_paragraph() -> None:
    """Word processors call the title of a document, and that of its contents, a paragraph."""
    page = Tagged()
    page.add("A", "P", text(72, 770, "The gauges that were lost", size=18, font="F2"))
    page.add("H", "H1", text(72, 725, "A report", size=24))
    for at, name in enumerate(("Starting", "Stopping")):
        page.add(f"I{at}", "H2", text(72, 690 - 140 * at, name, size=14))
        page.add(f"J{at}", "P", lines(72, 670 - 140 * at, PROSE * 2))
    blocks = page.document().parts[0].blocks
    found = [b.text for b in blocks if isinstance(b, Heading)]
    assert found == ["The gauges that were lost", "A report", "Starting", "Stopping"]


def test_artifacts_at_the_edge_are_no_text_of_the_page() -> None:
    page = Tagged()
    page.artifact(text(72, 770, "Report of the survey"))
    page.artifact(text(72, 690, "1") + text(72, 678, "2"))
    page.add("B", "P", lines(90, 690, PROSE))
    part = page.document().parts[0]
    assert part.metadata == {"header": "Report of the survey"}
    assert "1" in " ".join(getattr(block, "text", "") for block in part.blocks)


PIECES = [
    ("H1", text(72, 740, "Tides of the lower river", size=16)),
    ("P", lines(72, 710, PROSE)),
    ("P", lines(72, 660, [*PROSE[:2], "and that was all."])),
    ("LI", text(84, 610, "\267 one gauge of each kind")),
    ("LI", text(84, 596, "\267 two of the other kind")),
    ("H2", text(72, 560, "Dues", size=13)),
    ("P", lines(72, 540, PROSE)),
    ("Note", text(72, 80, "1 See the annual report of the office, and what it says.", size=7)),
]
COUNT = len(PIECES)


def tagged(elements: list[tuple[str, str, list[int]]], *, artifacts: bool = False) -> list[tuple[str, str]]:
    """What is read of the pieces under elements given as `(path, type, marked content)`."""
    page = Tagged()
    for _, drawn in PIECES:
        if artifacts:
            page.artifact(drawn)
        else:
            page.mark(drawn)
    page.elements = [(path, kind, "", own) for path, kind, own in elements]
    return [(type(b).__name__, b.text) for b in page.document().parts[0].blocks if not isinstance(b, Table)]


def each(kind: str) -> list[tuple[str, str, list[int]]]:
    return [(str(at), kind, [at]) for at in range(COUNT)]


@cache
def sane() -> list[tuple[str, str]]:
    """What is read of the pieces under the elements that they are."""
    return tagged([(str(at), kind, [at]) for at, (kind, _) in enumerate(PIECES)])


DEEP = ["/".join("0" * depth) for depth in range(1, 120)]


@pytest.mark.parametrize(
    "elements",
    [
        pytest.param(each("H1"), id="headings all of the first level"),
        pytest.param(each("P"), id="paragraphs all"),
        pytest.param(each("Note"), id="notes all"),
        pytest.param(each("LI"), id="items all"),
        pytest.param(each("Lies"), id="unknown"),
        pytest.param([(str(COUNT - at), PIECES[at][0], [at]) for at in reversed(range(COUNT))], id="from the end"),
        pytest.param([("0", "P", [*range(COUNT)])], id="one paragraph"),
        pytest.param([("0", "H1", [*range(COUNT)])], id="one heading"),
        pytest.param([("0", "P", [])], id="nothing held"),
        pytest.param(
            [(path, "Sect", []) for path in DEEP] + [(f"{DEEP[-1]}/{at}", PIECES[at][0], [at]) for at in range(COUNT)],
            id="deep",
        ),
        pytest.param(
            [("0", "Table", []), ("0/0", "TR", []), *((f"0/0/{at}", "TD", [at]) for at in range(COUNT))],
            id="one row of a table",
        ),
        pytest.param(
            [("0", "Table", []), *((f"0/{at}", "TR", []) for at in range(COUNT // 2))]
            + [(f"0/{at // 2}/{at % 2}", "TD", [at]) for at in range(COUNT)],
            id="two columns of a table",
        ),
    ],
)
def test_a_senseless_tree_makes_the_text_no_worse(elements: list[tuple[str, str, list[int]]]) -> None:
    kinds = ["Heading", "Paragraph", "Paragraph", "ListItem", "ListItem", "Heading", "Paragraph", "Note"]
    assert [kind for kind, _ in sane()] == kinds
    assert tagged(elements) == sane()


def test_text_all_marked_as_artifacts_is_text() -> None:
    assert len(tagged([("0", "P", [])], artifacts=True)) == COUNT


def test_tables_within_the_cells_of_a_table_that_lays_out_the_page_are_kept() -> None:
    tagged, xs, tops = Tagged(), [160.0, 260.0, 460.0], [660.0, 640.0, 620.0, 600.0]
    rows = [("Argument", "What it is"), ("context", "the opaque structure"), ("name", "that of the value")]
    inner = grid(xs, tops) + "".join(
        text(x + 4, y - 14, cell) for y, row in zip(tops, rows, strict=False) for x, cell in zip(xs, row, strict=False)
    )
    cells = {
        "SYNOPSIS": text(160, 700, "value = get_value(context, name);"),
        "ARGUMENTS": inner,
        "RETURNS": text(160, 580, "the value of the name, or nothing."),
    }
    tagged.add("T", "Table")
    for at, ((name, drawn), y) in enumerate(zip(cells.items(), (700, 650, 580), strict=True)):
        tagged.add(f"T/{at}", "TR")
        tagged.add(f"T/{at}/0", "TD", text(72, y, name))
        tagged.add(f"T/{at}/1", "TD", drawn)
    (found,) = (block for block in tagged.document().parts[0].blocks if isinstance(block, Table))
    assert found.rows == tuple(rows)


def test_links_to_the_pages_before_and_after_are_no_table() -> None:
    page = Tagged()
    page.add("T", "Table")
    page.add("T/0", "TR")
    page.add("T/0/0", "TH", text(260, 740, "Installing the tools"), "/ColSpan 3")
    page.add("T/1", "TR")
    for at, (x, link) in enumerate(((72, "Prev"), (260, "Chapter 5. Procedures"), (520, "Next"))):
        page.add(f"T/1/{at}", "TD", text(x, 724, link))
    page.add("P", "P", lines(72, 680, PROSE))
    page.table("U", COLUMNS, TOPS, ROWS)
    (table,) = tables(page.document())
    assert [list(row) for row in table.rows] == ROWS


def test_a_value_before_and_after_another_is_a_row() -> None:
    rows = [["Previous", "Balance", "Next"], ["1,204", "1,310", "1,480"]]
    page = Tagged()
    page.add("P", "P", lines(72, 700, PROSE))
    page.table("T", COLUMNS, TOPS, rows)
    (table,) = tables(page.document())
    assert [list(row) for row in table.rows] == rows
