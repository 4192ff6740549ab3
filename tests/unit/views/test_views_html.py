"""HTML views: whatever a document says, it stays text."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.api import Cell, Figure, Heading, ListItem, Merge, Note, Paragraph, Span, Table
from sidecar.api.model import SpanKind
from sidecar.views.blocks.html import blocks_html, element, safe_link, table_html

HOSTILE = st.text(st.sampled_from("<>\"'&/=script onerror:java\n`{}%;-!"), max_size=30)
KINDS: tuple[SpanKind, ...] = ("bold", "link", "ins", "del", "comment", "note", "math", "hidden", "code", "sub")
TAGS = {
    "p", "h1", "h2", "h3", "h4", "h5", "h6", "strong", "em", "u", "s", "code", "sub", "sup", "a", "ins", "del", "mark",
    "span", "table", "caption", "tr", "th", "td", "figure", "figcaption", "img", "ul", "ol", "li", "div", "aside",
    "blockquote", "pre", "br",
}  # fmt: skip
ATTRIBUTES = {"href", "rel", "src", "alt", "class", "title", "id", "style", "rowspan", "colspan"}


class Reader(HTMLParser):
    """Collects tags, attributes and text, and checks that every tag opened is closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in {"br", "img"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert not reader.open
    return reader


@given(
    HOSTILE, HOSTILE, st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 30), st.integers(0, 30)), max_size=4)
)
def test_no_text_becomes_markup(text: str, other: str, spans: list[tuple[SpanKind, int, int]]) -> None:
    marks = tuple(Span(kind, start, end, other, other) for kind, start, end in spans)
    blocks = [
        Paragraph(text=text, spans=marks, anchor=other),
        Heading(text=text, number=other, spans=marks),
        ListItem(text=text, marker=other, ordered=True),
        Table(rows=((text, other),), caption=other, cells=(Cell(0, 0, link=other, formula=other, spans=marks),)),
        Figure(embed=("image", 0), alt=other, caption=text, text=other),
        Note(kind="comment", text=text, id=other, author=other, target=other, spans=marks),
    ]
    reader = read(blocks_html(blocks, other or "doc", formulas=True))
    for tag, attributes in reader.tags:
        assert tag in TAGS
        assert set(attributes) <= ATTRIBUTES
        href = attributes.get("href") or ""
        assert not href or safe_link(href) == href


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:x",
        " javascript:x",
        "java\tscript:x",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "//x",
        "x",
    ],
)  # fmt: skip
def test_unsafe_links_are_left_out(url: str) -> None:
    html = blocks_html([Paragraph(text="click", spans=(Span("link", 0, 5, url),))], "doc")
    assert "href" not in html
    assert read(html).text == "click"


@pytest.mark.parametrize("url", ["https://a.example/b?c=d&e", "mailto:a@b.c", "#top", "chapter://doc/2"])
def test_safe_links_stay(url: str) -> None:
    html = blocks_html([Paragraph(text="click", spans=(Span("link", 0, 5, url),))], "doc")
    assert [attributes["href"] for tag, attributes in read(html).tags if tag == "a"] == [url]


def test_merged_cells_span() -> None:
    table = Table(rows=(("a", "b", ""), ("", "c", "d")), header_rows=1, merges=(Merge(0, 0, 2, 1), Merge(0, 1, 1, 2)))
    cells = [(tag, attributes) for tag, attributes in read(table_html(table)).tags if tag in {"td", "th"}]
    assert cells == [("th", {"rowspan": "2"}), ("th", {"colspan": "2"}), ("td", {}), ("td", {})]


def test_lists_nest() -> None:
    items = [ListItem(text="a"), ListItem(text="b", level=1), ListItem(text="c", level=3), ListItem(text="d")]
    html = blocks_html(items, "doc")
    assert html == "<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ul>"


def test_an_element_escapes_children_and_attributes() -> None:
    assert element("p", "<b>", title='"x"') == '<p title="&quot;x&quot;">&lt;b&gt;</p>'
