"""XPS documents: lines and paragraphs of glyphs, lists, links, pictures, what is damaged."""

from __future__ import annotations

import pytest
from contract.conformance import check_embedded
from contract.pictures import PNG
from sidecar_xps import XpsFormat
from support.formats.plugin_reading import of, read, spans
from support.formats.xps_files import glyphs, xps

from sidecar.api import DamagedError, Figure, Limits, ListItem, Paragraph, Source

XPS = XpsFormat()


def said(page: str) -> list[str]:
    return [block.text for block in of(read(XPS, xps([page]), "a.xps"), Paragraph)]


@pytest.mark.parametrize(("page", "shown"), [
    (glyphs("Spring", 10, 20) + glyphs("sale", 50, 20), ["Spring sale"]),  # 36 units wide, and a gap
    (glyphs("Spr", 10, 20) + glyphs("ing", 28, 20), ["Spring"]),
    (glyphs("The first line", 10, 20) + glyphs("and the second", 10, 34), ["The first line and the second"]),
    (glyphs("One.", 10, 20) + glyphs("Far below", 10, 60), ["One.", "Far below"]),
    (glyphs("Title", 10, 20, size=24) + glyphs("Text", 10, 40), ["Title", "Text"]),
    (glyphs("Left", 10, 20) + glyphs("Elsewhere", 300, 34), ["Left", "Elsewhere"]),
    (glyphs("Bottom", 10, 500) + glyphs("Top", 10, 20), ["Bottom", "Top"]),
    (glyphs("{}{brace}", 10, 20), ["{brace}"]),
    ('<Canvas RenderTransform="2,0,0,2,0,0">' + glyphs("Big", 5, 10) + "</Canvas>" + glyphs("next", 52, 20, size=24),
     ["Big next"]),
    ('<Glyphs OriginX="nan" OriginY="x" UnicodeString="odd"/><Glyphs/>', ["odd"]),
])  # fmt: skip
def test_glyphs_are_lines_and_lines_paragraphs(page: str, shown: list[str]) -> None:
    assert said(page) == shown


def test_lists_links_and_pictures() -> None:
    page = (
        glyphs("•  Red", 10, 20) + glyphs("• Green", 10, 34)
        + '<Path><Path.Fill><ImageBrush ImageSource="/Resources/1.png"/></Path.Fill></Path>'
        + glyphs("See ", 10, 90) + glyphs("the site", 34, 90, more='FixedPage.NavigateUri="https://example.org/"')
    )  # fmt: skip
    data = xps([page, ""], {"Resources/1.png": PNG})
    found = read(XPS, data, "a.oxps")
    assert [(item.text, item.marker) for item in of(found, ListItem)] == [("Red", "•"), ("Green", "•")]
    assert [figure.embed for figure in of(found, Figure)] == [("image", 0)]
    [text] = of(found, Paragraph)
    assert spans(text.text, text.spans) == [("link", "the site", "https://example.org/")]
    assert [(part.kind, part.name, part.width) for part in found.parts] == [("page", "1", 612), ("page", "2", 612)]
    check_embedded(XPS, Source.of_bytes(data, "a.xps"), found)


def test_what_is_damaged_says_so() -> None:
    two = xps([glyphs("Sound", 1, 2), glyphs("second", 1, 2)])
    before, _, after = two.rpartition("<FixedPage".encode("utf-16-le"))
    found = read(XPS, before + b"\0" * 20 + after, "a.xps")
    assert [notice.code for notice in found.notices] == ["damaged_part"]
    assert len(found.parts) == 2
    for data in (b"", b"PK", xps([])[:200]):
        with pytest.raises(DamagedError):
            XPS.parse(Source.of_bytes(data, "a.xps"), Limits())


def test_long_documents_are_cut_and_said() -> None:
    found = read(XPS, xps([glyphs("words", 1, 2)] * 3), "a.xps", Limits(max_text_chars=5))
    assert (len(found.parts), [notice.code for notice in found.notices]) == (1, ["truncated_at"])
