"""Markdown is read as CommonMark says, on anything: every letter, heading and listing it finds, and no other."""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from contract.markup_samples import markdown_files
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from sidecar.api import Code, Equation, Figure, Heading, Table
from sidecar.toolkit.markup.markdown import make_markdown_parser, markdown_parser, read_markdown
from sidecar.toolkit.markup.pictures import Pictures

PARSER = markdown_parser()
COMMONMARK = MarkdownIt("commonmark").enable(["table", "strikethrough"])
EXTENDED = make_markdown_parser().enable("inline")
OURS = {
    "html_block", "html_inline", "math_block", "math_block_label", "math_inline", "math_inline_double",
    "footnote_def", "footnote_ref", "admonition", "container",
}  # fmt: skip
CORPUS = Path(os.environ.get("DOCSIDECAR_CORPUS", "../shared/corpus"))

WORDS = [
    "word", "Ünï", "汉字", "x2", "1999", "a_b_c", "it's", "(so)", "50%", "-", "—", "&", "<", ">", "=", "*", "_",
    "~", "$5", "!", "[x]", "]",
]  # fmt: skip
INLINE = [
    "`code`", "`` a ` b ``", "**bold**", "*em*", "_em_", "__strong__", "***both***", "**a*b**", "[l](u)",
    "[l](u \"t\")", "[`c`](u)", "[**b**](u?a=1&b=2)", "[l](u_(x))", "![p](s)", "[ref]", "[ref][r]", "[^n]",
    "<http://e.org>", "<b>", "&amp;", "&copy;", "\\*", "$x$", "a*b*c", "snake_case_", "_a", "~~s~~", "~x~",
    "  \nnext", "\\\nnext", "[a](b)[c](d)", "[[3]](#n)", "http://e.org/a_b_c", "``", "**", "[", "](",
    "<!-- c -->", "&#65;", "&x", "\t",
]  # fmt: skip
LINES = [
    "# Head", "## Head ##", "####### no", "#no", "Setext\n===", "Setext\n---", "***", "---", "- item", "-no",
    "* item", "+ item", "1. one", "2. two", "3) three", "10. ten", "  - inner", "    - inner", "   1. inner",
    "   2. inner", "- [ ] do", "- [x] done", "-", "1.", "> quote", ">quote", "```", "```py", "~~~", "  ```",
    "- ```", "    code", "\tcode", "| a | b |\n|---|---|\n| 1 | 2 |", "| a |\n|---|", "|---|",
    "a | b\n--- | ---\n1 | 2", "| a | b |\n|---|", "| a \\| b |\n|---|", "<div>", "</div>", "<!-- a", "-->",
    "<!-- whole -->", "<pre>", "</pre>", "<b>x</b>", "[ref]: http://e.org", "[^n]: note", "$$", "$$x$$",
    "!!! note", "=== \"T\"", ":::", ":::tip T", "![p](s)", "**Bold** start", "*em* start", "`code` start",
    "_x_ y", "[l](u) start", "  continued", "   # no", "\\# no", "    ", "\u00a0", "&nbsp;", "$5 is money",
    "-- dash", "+1", "~ tilde", "<http://e.org> start", "é", "😀 smile", "1986\\. A year", "|",
]  # fmt: skip

inline = st.lists(st.sampled_from(WORDS + INLINE), min_size=1, max_size=8).map(" ".join) | st.lists(
    st.sampled_from(INLINE), min_size=1, max_size=4
).map("".join)
line = (
    st.sampled_from(LINES)
    | inline
    | st.tuples(st.sampled_from(["- ", "1. ", "> ", "  ", "    ", "# ", "| "]), inline).map("".join)
)
document = st.lists(st.tuples(line, st.sampled_from(["\n", "\n", "\n\n", "\n\n\n"])).map("".join), max_size=14).map(
    "".join
)


@dataclass
class Content:
    letters: Counter[str] = field(default_factory=Counter[str])
    headings: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    listings: list[str] = field(default_factory=list[str])

    def add(self, text: str) -> str:
        """The letters and digits of a text, counted; the mark of a task is none."""
        found = "".join(re.findall(r"\w", re.sub(r"\[[xX]\]", "", text)))
        self.letters.update(found)
        return found


def rendered(text: str) -> Content | None:
    """What plain CommonMark shows; None where the text has what only our dialect or HTML knows."""
    extended = EXTENDED.parse(text)
    directives = any(block.type == "fence" and block.info.startswith("{") for block in extended)
    if directives or any(token.type in OURS for block in extended for token in (block, *(block.children or ()))):
        return None
    content, level = Content(), 0
    for token in COMMONMARK.parse(text):
        if token.type in ("fence", "code_block"):
            content.add(token.content)
            if token.content.strip():
                content.listings.append(token.content.rstrip("\n"))
        elif token.type == "heading_open":
            level = int(token.tag[1:])
        elif token.type == "inline":
            shown = "".join(
                " " if child.type in ("softbreak", "hardbreak") else child.content for child in token.children or ()
            )
            letters = content.add(shown)
            beside = [child.content for child in token.children or () if child.type != "image"]
            if level and letters and any(map(str.strip, beside)):  # a picture alone is a figure, not a heading
                content.headings.append((level, letters))
            level = 0
    return content


def read(text: str) -> Content:
    content = Content()
    for block in read_markdown(PARSER, text, Pictures(100)):
        if isinstance(block, Table):
            for cell in (cell for row in block.rows for cell in row):
                content.add(cell)
        elif isinstance(block, Figure):
            content.add(block.alt)
        else:
            letters = content.add(block.text)
            if isinstance(block, Heading) and letters:
                content.headings.append((block.level, letters))
            if isinstance(block, Code) and not isinstance(block, Equation):
                content.listings.append(block.text)
    return content


def same(text: str) -> None:
    ours, expected = read(text), rendered(text)
    if expected is not None:
        assert ours == expected


@settings(max_examples=600)
@given(inline)
def test_any_line(text: str) -> None:
    same(text)


@settings(max_examples=600)
@given(document)
@example("- ```\n> quote\n  ```\n\n# Head\n")
def test_any_document(text: str) -> None:
    same(text)


@settings(max_examples=300)
@given(st.text(alphabet="ab \n*_`[]()!<>#-+=|~$&\\1.:\t", max_size=60))
@example(">1\n>")  # the next line is the end of the text
def test_any_characters(text: str) -> None:
    same(text)


def test_samples() -> None:
    for data in markdown_files().values():
        same(data.decode())


@pytest.mark.corpus
def test_the_corpus() -> None:
    files = sorted(CORPUS.rglob("*.md"))
    assert files
    for file in files:
        same(file.read_text("utf-8", "replace"))
