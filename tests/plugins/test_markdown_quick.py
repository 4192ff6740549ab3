"""The quick reading of Markdown gives what the full parser gives, on anything."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from contract.markup_samples import markdown_files
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.toolkit.markup.markdown import markdown_parser, read_markdown
from sidecar.toolkit.markup.markdown.segments import Rest, split_segments
from sidecar.toolkit.markup.pictures import Pictures

PARSER = markdown_parser()
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


def same(text: str) -> None:
    quick = read_markdown(PARSER, text, Pictures(100))
    full = read_markdown(PARSER, text, Pictures(100), quick=False)
    assert quick == full


@settings(max_examples=1500, deadline=None)
@given(inline)
def test_any_line(text: str) -> None:
    same(text)


@settings(max_examples=1500, deadline=None)
@given(document)
def test_any_document(text: str) -> None:
    same(text)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab \n*_`[]()!<>#-+=|~$&\\1.:\t", max_size=60))
def test_any_characters(text: str) -> None:
    same(text)


def test_samples() -> None:
    for data in markdown_files().values():
        same(data.decode())


def test_plain_documents_need_no_parser() -> None:
    text = (
        "# T\n\nA paragraph with **bold** and a [link](u).\n\n- one\n  - two\n\n```py\nx\n```\n\n| a |\n|---|\n| 1 |\n"
    )
    segments = split_segments(text)
    assert segments is not None
    assert not [segment for segment in segments if isinstance(segment, Rest)]


@pytest.mark.corpus
def test_the_corpus() -> None:
    files = sorted(CORPUS.rglob("*.md")) if CORPUS.is_dir() else []
    if not files:
        pytest.skip(f"no corpus at {CORPUS}")
    for file in files:
        same(file.read_text("utf-8", "replace"))
