"""Tables of Textile, Typst and wiki text: rows, spans, heads, captions, and what is none."""

import pytest
from sidecar_text import TextFormat
from support.formats.plugin_reading import of, read
from support.formats.processor import processor_limit

from sidecar.api import Merge, Paragraph, Table
from sidecar.toolkit.tables.finding import find_relations

TEXT = TextFormat()
ROWS = (("Part", "Size", ""), ("", "mm", "inch"), ("Bolt", "5", "0.2"), ("Nut", "a | b", "x\ny"))
MERGES = (Merge(0, 0, 2, 1), Merge(0, 1, 1, 2))
WIKI = """\
Before.
{| class="wikitable"
|+ class="t" | What '''fits'''
|-
! rowspan="2" | Part !! colspan=2 | [[Size of parts|Size]]
|-
! mm
! inch
|- style="color:red"
| Bolt || 5
| 0.2
|-
| ''Nut'' || a &#124; b || x<br />y
|}
After."""
TEXTILE = """\
Before.

table(t#x). a summary
|=. What "fits":https://example.org
|^.
|_/2. Part |_\\2. "Size":https://example.org |
|_. mm |_. inch |
|-.
|Bolt |>. 5 |{color:red}. 0.2 |
|Nut |a - b |x
y |

After."""
TYPST = """\
Before.

#figure(
  table(
    columns: (auto, 1fr, 2fr),
    fill: (x, y) => if y == 0 { gray },
    table.header(
      table.cell(rowspan: 2)[Part], table.cell([*Size*], colspan: 2),
      [mm], [inch], // a remark, with a comma
    ),
    table.hline(),
    [Bolt], "5", [0.2],
    [Nut], [a | b], [x \\ y],
  ),
  caption: [What *fits*],
) <sizes>

After."""


@pytest.mark.parametrize(("name", "text"), [("a.wiki", WIKI), ("a.textile", TEXTILE), ("a.typ", TYPST)])
def test_rows_spans_heads_and_captions(name: str, text: str) -> None:
    found = read(TEXT, text, name)
    (table,) = of(found, Table)
    rows = ROWS if name != "a.textile" else (*ROWS[:3], ("Nut", "a - b", "x\ny"))
    assert table.rows == rows
    assert (table.header_rows, table.merges, table.caption) == (2, MERGES, "What fits")
    assert [block.text for block in of(found, Paragraph)] == ["Before.", "After."]
    (relation,) = find_relations(found)
    assert [column.title for column in relation.columns] == ["Part", "Size mm", "Size inch"]


def test_heads_of_rows_and_what_stands_in_no_cell() -> None:
    found = read(TEXT, "{|\nLoose.\n! A\n| 1\n|-\n! B\n|\n{|\n| inner || cell\n|}\n|} behind\n", "a.wiki")
    (table,) = of(found, Table)
    assert (table.rows, table.header_rows, table.header_cols) == ((("A", "1"), ("B", "inner   cell")), 0, 1)
    assert [block.text for block in of(found, Paragraph)] == ["Loose.\nbehind"]


def test_content_of_typst_behind_the_call_and_signs_in_it() -> None:
    text = '#table(columns: 2)[5" (a][$[0,1)$, ok][`]`][\\] 4]\n'
    (table,) = of(read(TEXT, text, "a.typ"), Table)
    assert table.rows == (('5" (a', "$[0,1)$, ok"), ("`]`", "\\] 4"))
    (table,) = of(read(TEXT, "#figure(caption: [Two])[\n  #table(columns: 2, [a], [b])\n]\n", "a.typ"), Table)
    assert (table.rows, table.caption) == ((("a", "b"),), "Two")
    (table,) = of(read(TEXT, "#table(columns: (1fr,) * 3, [a], [b], [c], [d])\n", "a.typ"), Table)
    assert table.rows == (("a", "b", "c"), ("d", "", ""))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.typ", "#table(columns: 2, ..rows.flatten())\n"),
        ("a.typ", "#table(columns: n, [a], [b])\n"),
        ("a.typ", "#table(columns: (1fr,) + (auto, auto), [a], [b])\n"),
        ("a.typ", "#figure(caption: [c])[ #table(columns: 2, [a], [b]) behind ]\n"),
        ("a.typ", '#figure(image("a.png"), caption: [words])\n'),
        ("a.typ", "#table(columns: 2, [a], [b)\n"),
        ("a.typ", "#table(columns: 2, [a],\n\n[b]"),
        ("a.wiki", "{|\n| no end || words\n"),
        ("a.textile", "|no end\n\n|words\n"),
        ("a.textile", "|a|b|\nprose\n"),
    ],
)
def test_what_is_no_table_stays_as_it_is_written(name: str, text: str) -> None:
    found = read(TEXT, text, name)
    assert not of(found, Table)
    words = " ".join(block.text for part in found.parts for block in part.blocks if isinstance(block, Paragraph))
    assert all(line.strip() in words for line in text.splitlines())


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("a.typ", "#table(\n"), ("a.typ", "#table([\n"), ("a.typ", '#table("\n'), ("a.typ", "#table(table(\n"),
        ("a.typ", "#table(rows)\n"), ("a.typ", "#table(columns: 500, table.cell(rowspan: 999, colspan: 500)[])\n"),
        ("a.wiki", "{|\n"), ("a.wiki", "{|\n|a\n"), ("a.wiki", "{|\n|colspan=999|x\n|}\n"), ("a.wiki", "{|\n|\n[[||"),
        ("a.textile", "|a\n"), ("a.textile", "|_(\n"), ("a.textile", "|\\999/999. a|\n"),
        ("a.textile", "table((((\n|a|\n"),
        ("a.textile", "|=. a          \n"), ("a.wiki", "|a=b "), ("a.textile", "(((\n"),
    ],
)  # fmt: skip
def test_much_of_it_takes_no_long_time(name: str, unit: str) -> None:
    with processor_limit(10):
        read(TEXT, unit * (400_000 // len(unit)), name)
