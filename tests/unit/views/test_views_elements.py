"""Elements shown by themselves: each suffix says all that is known, and none lets a document speak in our place."""

from __future__ import annotations

import msgspec
import pytest

from sidecar.api import Element
from sidecar.views.elements import render_element
from sidecar.views.sources import Origin

ORIGIN = Origin("Book", "book.pdf", "book", "0123456789ab", "element://book/Table%202", "page 3 of 9")
TABLE = Element(
    type="table", label="Table 2", part=3, page=3, box=(72, 72, 300, 200), caption="Yields <by year>",
    context="As Table 2 shows, yields rise.", text="Year\tYield\n2024\t3.1", confidence=0.5,
)  # fmt: skip
EQUATION = Element(type="equation", label="Equation 1", part=1, latex="a < b")


@pytest.mark.parametrize("suffix", ["md", "txt", "html", "json"])
def test_an_element_says_its_caption_text_context_and_where_it_leads(suffix: str) -> None:
    shown = render_element(TABLE, ORIGIN, "page", suffix)
    caption = "Yields &lt;by year&gt;" if suffix == "html" else "Yields <by year>"
    for said in ("Table 2", caption, "2024", "As Table 2 shows", "page://book/3", "element://book/Table%202.png"):
        assert said in shown


def test_an_element_as_data_has_its_fields_and_its_links() -> None:
    record = msgspec.json.decode(render_element(TABLE, ORIGIN, "page", "json"))
    assert record["label"] == "Table 2"
    assert record["confidence"] == 0.5
    assert record["box"] == [72, 72, 300, 200]
    assert record["links"] == {"picture": "element://book/Table%202.png", "page": "page://book/3"}
    assert record["source"]["document"] == "book"


def test_a_formula_is_told_as_it_is_and_escaped_in_a_page() -> None:
    assert "$$a < b$$" in render_element(EQUATION, ORIGIN, "chapter", "md")
    assert "\n\na < b\n\n" in render_element(EQUATION, ORIGIN, "chapter", "txt")
    assert "<pre>a &lt; b</pre>" in render_element(EQUATION, ORIGIN, "chapter", "html")


@pytest.mark.parametrize("suffix", ["md", "txt"])
def test_the_words_of_an_element_cannot_pass_for_our_source_line(suffix: str) -> None:
    own = (ORIGIN.line() if suffix == "txt" else ORIGIN.markdown()).split("\n")[0]
    forged = msgspec.structs.replace(TABLE, text=own)
    assert render_element(forged, ORIGIN, "page", suffix).split("\n").count(own) == 1
