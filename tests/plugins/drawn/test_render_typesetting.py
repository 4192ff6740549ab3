"""How plain Markdown is set: scripts and their fonts, sides, wide things, further notations, the PDF's own data."""

from __future__ import annotations

import re

import pypdfium2
import pytest
from sidecar_render.markdown.text import language_of
from sidecar_render.model import Rendering
from support.clients.rendering import drawn, inflated

from sidecar.toolkit.fonts.files import choose_fonts


def page_words(markdown: str) -> list[tuple[str, float, float]]:
    """The lines of a rendered page with the left and right edges of each, in points."""
    return words_of(drawn(markdown), 0)


def words_of(rendering: Rendering, page: int = 0) -> list[tuple[str, float, float]]:
    """The lines of a page of it."""
    document = pypdfium2.PdfDocument(rendering.data[0])
    text = document[page].get_textpage()
    boxes = [text.get_rect(at) for at in range(text.count_rects())]
    found = [(text.get_text_bounded(*box), box[0], box[2]) for box in boxes]
    document.close()
    return found


def test_what_runs_right_to_left_leans_on_the_right_in_any_document() -> None:
    left = "Some words of an ordinary document, so that it runs from left to right.\n\n" * 4
    hebrew = "# \u05e9\u05dc\u05d5\u05dd\n\n> \u05e6\u05d9\u05d8\u05d5\u05d8\n\n- \u05d0\u05d7\u05d3\n"
    hebrew += "- \u05e9\u05ea\u05d9\u05d9\u05dd\n"
    rendering = drawn(left + hebrew)
    lines = words_of(rendering)
    if choose_fonts("\u05d0").files:
        assert rendering.warnings == ()
        for word in ("\u05e6\u05d9\u05d8\u05d5\u05d8", "\u05d0\u05d7\u05d3"):
            edge = max(right for text, _, right in lines if word in text or word[::-1] in text)
            assert edge > 480
    else:  # nothing aboard has its letters: that is said, and boxes stand where they would
        assert ["Hebrew" in item.message for item in rendering.warnings] == [True]
    leaning = [right for text, _, right in lines if not text.startswith("Some") and "/" not in text]
    assert len(leaning) >= 6
    assert min(leaning) > 480
    assert all(start < 90 for text, start, _ in lines if text.startswith("Some"))


@pytest.mark.parametrize(
    ("text", "lang"),
    [("plain words", "en"), ("\u4e2d\u6587\u6587\u5b57", "zh"), ("\u65e5\u672c\u8a9e\u306e\u6587\u7ae0", "ja"),
     ("\ud55c\uad6d\uc5b4", "ko"), ("\u05e9\u05dc\u05d5\u05dd", "he"), ("", "en")],
)  # fmt: skip
def test_the_language_is_told_by_the_script(text: str, lang: str) -> None:
    assert language_of(text) == lang


@pytest.mark.skipif(not choose_fonts("\u4e2d").files, reason="no font for Chinese on this machine")
def test_chinese_is_set_with_the_machines_font_and_its_bold() -> None:
    result = drawn("# \u4e2d\u6587\n\n\u6587\u5b57 and **\u7c97\u4f53**\n")
    assert result.warnings == ()
    fonts = set(re.findall(rb"/FontName ?/[A-Z]{6}\+([\w-]+)", inflated(result.data[0])))
    assert sum(b"CJK" in name or b"Source" not in name for name in fonts) >= 1


def test_definition_lists_inline_notes_and_tex_brackets_are_read() -> None:
    text = "\n".join(line for line, _, _ in page_words(
        "Term\n: First meaning.\n: Second.\n\nOther\n\n:   Loose one.\n\n    With a paragraph.\n\n"
        "A claim^[An inline note.] and \\(x^2\\) here, but \\[not maths\\] nor \\(words in brackets\\).\n\n"
        "\\[ a = b \\]\n"
    ))  # fmt: skip
    for words in ("Term", "First meaning.", "Second.", "Loose one.", "With a paragraph.", "An inline note."):
        assert words in text
    assert ": First" not in text
    assert "[not maths]" in text
    assert "(words in brackets)" in text
    assert "^2" not in text
    assert "[ a" not in text


def test_myst_roles_and_directive_options_are_not_shown() -> None:
    text = "\n".join(line for line, _, _ in page_words(
        "See {func}`~os.path.join`, {doc}`the guide <guide>` and {not a role} `code`.\n\n"
        "```{testcode}\n:hide:\n\nprint(1)\n```\n"
    ))  # fmt: skip
    assert "{func}" not in text
    assert "join" in text
    assert "os.path" not in text
    assert "the guide" in text
    assert "{not a role}" in text
    assert ":hide:" not in text
    assert "print(1)" in text.replace("\n", "")


def test_a_wide_table_takes_its_heading_to_its_own_page() -> None:
    table = "|" + "Column of numbers|" * 20 + "\n|" + "---|" * 20 + "\n|" + "12345|" * 20 + "\n"
    document = pypdfium2.PdfDocument(drawn(f"Before.\n\n## Wide\n\n{table}\nAfter.\n").data[0])
    pages = [(page.get_width() > page.get_height(), page.get_textpage().get_text_bounded()) for page in document]
    document.close()
    assert [flipped for flipped, _ in pages] == [False, True, False]
    assert "Wide" in pages[1][1]
    assert "Wide" not in pages[0][1]


def test_a_formula_too_wide_is_made_smaller() -> None:
    terms = " + ".join(f"a_{{{at}}} x^{{{at}}}" for at in range(40))
    assert max(right for _, _, right in page_words(f"$$ f(x) = {terms} $$\n")) < 595 - 60


def test_the_pdf_tells_what_the_document_is() -> None:
    head = "title: Report\nauthor: [Ann, Bob]\ndate: 2026-02-03\nkeywords: [one, two]\ndescription: What it says\n"
    document = pypdfium2.PdfDocument(drawn(f"---\n{head}lang: de\n---\n\n# One\n\n## Two\n\n# Three\n").data[0])
    about = document.get_metadata_dict()
    assert (about["Title"], about["Author"], about["Keywords"]) == ("Report", "Ann, Bob", "one, two")
    assert about["Subject"] == "What it says"
    assert about["CreationDate"].startswith("D:20260203")
    assert [(mark.get_title(), mark.level) for mark in document.get_toc()] == [("One", 0), ("Two", 1), ("Three", 0)]
    document.close()
