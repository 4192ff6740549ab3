"""Elements, quotations, lists deep inside one another: no word is lost, and what cannot be shown as it was is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from sidecar_html import HtmlFormat
from sidecar_markdown import MarkdownFormat
from sidecar_text import TextFormat
from support.clients.harness import in_process

from sidecar.api import Limits, ListItem, ParsedDocument, Source

DEEP = {
    "div.html": "<div>" * 20_000 + "kowhai" + "</div>" * 20_000 + "<p>after",
    "quote.html": "<html><body>" + "<blockquote>" * 5_000 + "kowhai" + "</blockquote>" * 5_000 + "<p>after",
    "list.html": "<ul><li>" * 5_000 + "kowhai" + "</ul>" * 5_000 + "<p>after",
    "bare.html": "<p>x</p>" + "<ol start=3>" * 5_000 + "<li>kowhai" + "</ol>" * 5_000 + "<p>after",
    "table.html": "<table><tr><td>" * 3_000 + "kowhai" + "</table>" * 3_000 + "<p>after",
    "bold.html": "<b>" * 20_000 + "kowhai" + "</b>" * 20_000 + "<p>after",
    "quote.md": "> " * 5_000 + "kowhai\n\nafter",
    "list.md": "".join("  " * level + f"- item{level}\n" for level in range(300)) + "  " * 300 + "- kowhai\n\n\nafter",
    "both.md": "> - " * 2_000 + "kowhai\n\nafter",
    "blocks.org": "#+begin_quote\n" * 2_000 + "kowhai\n" + "#+end_quote\n" * 2_000 + "after\n",
}
PLUGINS = {".html": HtmlFormat(), ".md": MarkdownFormat(), ".org": TextFormat()}


def parse(name: str) -> ParsedDocument:
    return PLUGINS[Path(name).suffix].parse(Source.of_bytes(DEEP[name].encode(), name), Limits())


@pytest.mark.parametrize("name", DEEP)
def test_no_word_is_lost(name: str) -> None:
    document = parse(name)
    text = str(document.parts)
    assert "kowhai" in text
    assert "after" in text
    if name.endswith(".html"):
        assert [notice.code for notice in document.notices] == ["damaged_part"]
        assert "nested more than" in document.notices[0].message


def test_lists_as_people_nest_them_keep_their_form() -> None:
    text = "".join("  " * level + f"- item{level}\n" for level in range(30))
    document = MarkdownFormat().parse(Source.of_bytes(text.encode(), "a.md"), Limits())
    items = [block for block in document.parts[0].blocks if isinstance(block, ListItem)]
    assert [item.text for item in items] == [f"item{level}" for level in range(30)]
    html = "<ul><li>a" * 30 + "</ul>" * 30
    assert not HtmlFormat().parse(Source.of_bytes(html.encode(), "a.html"), Limits()).notices


async def test_a_document_in_which_nothing_was_found_says_so(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "nothing.html").write_text("<html><body><script>var a = 1;</script></body></html>")
    (docs / "empty.md").write_text("")
    (docs / "full.md").write_text("words")
    async with in_process(docs, tmp_path / "data") as (application, _, _):
        found = await application.library.documents()
        notices = {info.name: [notice.code for notice in info.notices] for info in found.documents}
        assert notices == {"nothing.html": ["left_out"], "empty.md": [], "full.md": []}
