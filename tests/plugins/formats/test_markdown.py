"""Markdown: front matter, chapters, every block and span, extensions, pictures."""

from __future__ import annotations

import base64

import pytest
from contract.conformance import check_embedded
from contract.pictures import PNG
from sidecar_markdown import MarkdownFormat
from support.formats.plugin_reading import blocks, of, read, spans

from sidecar.api import Code, Equation, Figure, Heading, Limits, ListItem, Note, NotFoundError, Paragraph, Source, Table

MD = MarkdownFormat()
DATA_URL = "data:image/png;base64," + base64.b64encode(PNG).decode()


@pytest.mark.parametrize(
    ("text", "title", "parts"),
    [
        ("# A\n\ntext\n\n# B\n\n## C\n", "", ["A", "B"]),
        ("# Title\n\nintro\n\n## A\n\n## B\n", "Title", ["Title", "A", "B"]),
        ("# Title\n\n## A\n\ntext\n\n## B\n", "Title", ["A", "B"]),
        ("# Only\n\ntext\n", "Only", ["Only"]),
        ("just text\n", "", [""]),
        ("before\n\n# A\n\n# B\n", "", ["", "A", "B"]),
        ("[![badge](b.svg)](u)\n\n# Title\n\n## A\n\n## B\n", "Title", ["A", "B"]),
        ("## A\n\n### x\n\n## B\n\n# Late\n", "", ["A", "B", "Late"]),
        ("# T\n\n### deep\n\n### deeper\n", "T", ["deep", "deeper"]),
    ],
)
def test_chapters(text: str, title: str, parts: list[str]) -> None:
    document = read(MD, text, "a.md")
    assert (document.title, [part.title for part in document.parts]) == (title, parts)


def test_nothing_is_lost_when_chapters_are_cut() -> None:
    document = read(MD, "lead\n\n# One\n\na\n\n## In\n\nb\n\n# Two\n\nc\n", "a.md")
    assert [getattr(block, "text", "") for block in blocks(document)] == ["lead", "One", "a", "In", "b", "Two", "c"]


def test_front_matter() -> None:
    document = read(MD, (
        '---\ntitle: "Quoted: title" # no comment\nauthors:\n  - name: Ann\n    url: x\n  - Bo\ndate: '
        '2026-01-02\ntags: [one, "two, three"]\n'
        "description: >\n  folded\n  text\ndraft: true\nempty:\n---\n# H\n"
    ), "a.md")  # fmt: skip
    assert (document.title, document.description) == ("Quoted: title", "folded text")
    assert document.metadata == {
        "author": "Ann, Bo", "created": "2026-01-02", "keywords": "one, two, three", "draft": "true",
    }  # fmt: skip
    toml = read(MD, '+++\ntitle = "T"\ntags = ["a", "b"]\n[author]\nname = "Ann"\n+++\ntext\n', "a.md")
    assert (toml.title, toml.metadata) == ("T", {"keywords": "a, b", "author": "Ann"})
    deep = read(MD, f"+++\na = {'[' * 20_000}\n+++\ntext\n", "a.md")
    assert "text" in repr(deep.parts)


def test_a_rule_is_no_front_matter() -> None:
    document = read(MD, "---\nJust a sentence\n---\nmore\n", "a.md")
    assert "Just a sentence" in [getattr(block, "text", "") for block in blocks(document)]


def test_spans_and_lines() -> None:
    paragraph = of(read(MD, (
        "**bold *both*** ~~gone~~ `co  de` [li*n*k](http://e.org \"t\") <https://auto.org> H<sub>2</sub>O &amp; "
        "\\*no\\*  \nnext"
        " $x^2$ costs $5 and $6\n"
    ), "a.md"), Paragraph)[0]  # fmt: skip
    assert paragraph.text == "bold both gone co  de link https://auto.org H2O & *no*\nnext x^2 costs $5 and $6"
    assert set(spans(paragraph.text, paragraph.spans)) == {
        ("bold", "bold both", ""), ("italic", "both", ""), ("strike", "gone", ""), ("code", "co  de", ""),
        ("link", "link", "http://e.org"), ("italic", "n", ""), ("link", "https://auto.org", "https://auto.org"),
        ("sub", "2", ""), ("math", "x^2", "x^2"),
    }  # fmt: skip


def test_lists() -> None:
    document = read(MD, (
        "- [ ] open\n- [x] done\n\n3. three\n4. four\n   - inner\n\n     going on\n\n     ```sh\n     ls\n     ```\n"
    ), "a.md")  # fmt: skip
    assert [(item.text, item.level, item.marker, item.ordered) for item in of(document, ListItem)] == [
        ("open", 0, "☐", False), ("done", 0, "☑", False), ("three", 0, "3.", True), ("four", 0, "4.", True),
        ("inner", 1, "•", False), ("going on", 1, "", False),
    ]  # fmt: skip
    assert of(document, Code)[0].text == "ls"


def test_headings_have_githubs_anchors() -> None:
    document = read(MD, "# A `b` & C!\n\n## Same\n\n## Same\n\n## Own {#mine .x}\n\nSetext\n---\n", "a.md")
    assert [(heading.text, heading.anchor) for heading in of(document, Heading)] == [
        ("A b & C!", "a-b--c"), ("Same", "same"), ("Same", "same-1"), ("Own", "mine"), ("Setext", "setext"),
    ]  # fmt: skip


def test_tables_code_quotes_and_formulas() -> None:
    document = read(MD, (
        "| a | b |\n|---|:-:|\n| [l](u) | x \\| **y** |\n| only |\n\n> quoted\n> on\n\n```{.python .x}\n"
        "print(1)\n```\n\n    indented\n\n"
        "$$\nE = mc^2\n$$ (1)\n\n```math\nx\n```\n"
    ), "a.md")  # fmt: skip
    table = of(document, Table)[0]
    assert (table.rows, table.header_rows) == ((("a", "b"), ("l", "x | y"), ("only", "")), 1)
    assert [(cell.row, cell.col, cell.link) for cell in table.cells if cell.link] == [(1, 0, "u")]
    assert (of(document, Paragraph)[0].text, of(document, Paragraph)[0].style) == ("quoted on", "quote")
    assert [(code.text, code.language) for code in of(document, Code)] == [("print(1)", "python"), ("indented", "")]
    assert [(one.latex, one.label) for one in of(document, Equation)] == [("E = mc^2", "(1)"), ("x", "")]
    assert "Equation (1)" in [element.label for element in document.elements]


def test_long_tables_come_in_windows() -> None:
    document = read(MD, "| n |\n|---|\n" + "".join(f"| {n} |\n" for n in range(600)), "a.md")
    assert [table.first_row for table in of(document, Table)] == [0, 256, 512]
    assert sum(len(table.rows) for table in of(document, Table)) == 601


def test_footnotes_stand_where_they_are_referred_to() -> None:
    document = read(MD, (
        "First[^a] and again[^a].\n\nSecond.\n\n[^a]: The *note*\n    goes on.\n\n    In two paragraphs.\n\n"
        "[^b]: unused\n\n[^x] is none.\n"
    ), "a.md")  # fmt: skip
    kinds = [type(block).__name__ for block in blocks(document)]
    assert kinds == ["Paragraph", "Note", "Paragraph", "Paragraph", "Note"]
    note = of(document, Note)[0]
    assert (note.id, note.text) == ("a", "The note goes on.\nIn two paragraphs.")
    assert spans(note.text, note.spans) == [("italic", "note", "")]
    assert "[^x] is none." in [paragraph.text for paragraph in of(document, Paragraph)]


def test_pictures(tmp_path: object) -> None:
    text = (
        f'![drawn]({DATA_URL})\n\n![outside](pics/a.png "Figure 3: A caption")\n\nIn ![the](b.png) sentence.\n\n'
        f'<img src="{DATA_URL}" alt="again">\n'
    )
    document = read(MD, text, "a.md")
    first, second, third = of(document, Figure)
    assert first.embed == third.embed == ("image", 0)
    assert (second.source, second.alt, second.caption) == ("pics/a.png", "outside", "Figure 3: A caption")
    assert "In the sentence." in [paragraph.text for paragraph in of(document, Paragraph)]
    embed = document.embedded[0]
    assert (embed.media_type, embed.width, embed.height, embed.size, embed.alt) == (
        "image/png",
        40,
        30,
        len(PNG),
        "drawn",
    )
    source = Source.of_bytes(text.encode(), "a.md")
    assert check_embedded(MD, source, document) == 1
    assert MD.open_embedded(source, embed.ref, Limits()).data == PNG
    with pytest.raises(NotFoundError):
        MD.open_embedded(source, "data:7", Limits())
    assert [notice.code for notice in document.notices] == ["external_content"]
    assert "Figure 3" in [element.label for element in document.elements]


def test_extensions_of_site_generators() -> None:
    document = read(MD, (
        '!!! warning "Look out"\n    Body of it.\n\n    - item\n\n??? note\n    Folded.\n\n=== "Tab"\n    In '
        'the tab.\n\n:::tip Hint\nIn the box.\n:::\n\n'
        "```{note}\nIn *MyST*.\n```\n\n<details><summary>More</summary>\n\nHidden **part**.\n\n</details>\n\n"
        "<!-- a comment -->\n"
    ), "a.md")  # fmt: skip
    assert [getattr(block, "text", "") for block in blocks(document)] == [
        "Look out", "Body of it.", "item", "Note", "Folded.", "Tab", "In the tab.", "Hint", "In the box.",
        "Note", "In MyST.",
        "More", "Hidden part.",
    ]  # fmt: skip


def test_html_in_markdown_is_read() -> None:
    document = read(MD, "<table><tr><th>a</th></tr><tr><td>1</td></tr></table>\n\ntext\n", "a.md")
    assert of(document, Table)[0].rows == (("a",), ("1",))


def test_nesting_without_end_is_survived() -> None:
    for text in (
        ">" * 5000 + "x",
        "- " * 3000 + "x",
        "[" * 5000,
        "*" * 20000,
        "!!! a\n" + "".join("    " * n + "!!! a\n" for n in range(1, 60)),
    ):
        read(MD, text, "a.md")


def test_the_title_of_a_callout_of_quarto_is_told_without_its_attributes() -> None:
    text = '::: {.callout-note title="Mind this"}\nBody.\n:::\n\n::: {.column width="50%"}\nSide.\n:::\n'
    said = [getattr(block, "text", "") for block in blocks(read(MarkdownFormat(), text, "a.qmd"))]
    assert [one for one in said if "=" in one] == []
    assert {"Mind this", "Body.", "Side."} <= set(said)


def test_front_matter_of_blanks_is_read_at_once() -> None:
    """A line of two thousand blanks took seconds, as their cube: what is not YAML is read line by line."""
    text = "---\ntitle: A\n[a" + "\nb" + " " * 20_000 + "x\nauthor name: Ann\n---\ntext\n"
    found = read(MD, text, "a.md")
    assert (found.title, found.metadata.get("author name")) == ("A", "Ann")


def test_links_of_wikis_lead_to_their_pages() -> None:
    document = read(
        MD,
        "[[Other Note|alias]], [[Quay#Depth]] and ![[Tides]]; ![[quay.png|300]] [[1, 2]] [[ -f x ]] [[1]](u) [[ref]]\n"
        "\n[ref]: https://example.org\n",
        "a.md",
    )
    (text,) = of(document, Paragraph)
    assert text.text == "alias, Quay#Depth and Tides;  [[1, 2]] [[ -f x ]] [1] [ref]"
    assert spans(text.text, text.spans) == [
        ("link", "alias", "Other Note"), ("link", "Quay#Depth", "Quay#Depth"), ("link", "Tides", "Tides"),
        ("link", "[1]", "u"), ("link", "ref", "https://example.org"),
    ]  # fmt: skip
    assert [(one.source, one.alt) for one in of(document, Figure)] == [("quay.png", "")]


def test_marked_words_are_shown_without_their_signs() -> None:
    document = read(MD, "A ==marked *word*== but a==b and c==d, x == y, `==code==`.\n", "a.md")
    (text,) = of(document, Paragraph)
    assert text.text == "A marked word but a==b and c==d, x == y, ==code==."
    assert spans(text.text, text.spans) == [("italic", "word", ""), ("code", "==code==", "")]


def test_quotations_that_are_notes_say_which() -> None:
    document = read(MD, "> [!WARNING]\n> Low water.\n\n> [!tip]- At noon\n> - item\n\n> Said [!x]\n", "a.md")
    assert [(one.text, one.style) for one in of(document, Paragraph)] == [
        ("Warning", "quote"), ("Low water.", "quote"), ("Tip: At noon", "quote"), ("Said [!x]", "quote"),
    ]  # fmt: skip
    assert [one.text for one in of(document, ListItem)] == ["item"]


def test_terms_and_what_explains_them() -> None:
    document = read(
        MD,
        "Quay\nWharf\n: A *place*.\n: Where ships lie.\n\nCrane\n\n:   Lifts.\n\nText\n:smile: more\n\n# H\n\n"
        ": alone\n",
        "a.md",
    )
    assert [(one.text, one.level, [span.kind for span in one.spans]) for one in of(document, ListItem)] == [
        ("Quay", 0, ["bold"]), ("Wharf", 0, ["bold"]), ("A place.", 1, ["italic"]), ("Where ships lie.", 1, []),
        ("Crane", 0, ["bold"]), ("Lifts.", 1, []),
    ]  # fmt: skip
    assert [one.text for one in of(document, Paragraph)] == ["Text :smile: more", ": alone"]


def test_modules_of_mdx_are_listings() -> None:
    text = (
        "---\ntitle: T\n---\nimport Tabs from '@theme/Tabs';\nimport { a } from './b';\n\nimport is a word here too\n"
        "\n# Port\n\n```py\n\nimport os\n\n```\n\nexport const meta = {\n  a: 1,\n};\n\nText\nimport x from 'y'\n"
    )
    document = read(MD, text, "a.mdx")
    assert [(one.text, one.language) for one in of(document, Code)] == [
        ("import Tabs from '@theme/Tabs';\nimport { a } from './b';", "js"), ("\nimport os", "py"),
        ("export const meta = {\n  a: 1,\n};", "js"),
    ]  # fmt: skip
    assert [one.text for one in of(document, Paragraph)] == [
        "import is a word here too", "Text import x from 'y'",
    ]  # fmt: skip
    assert of(read(MD, "import a from 'b'\n", "a.md"), Code) == []
