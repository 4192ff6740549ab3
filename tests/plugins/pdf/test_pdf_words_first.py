"""The words of pages without their layout: of a document whose words are wanted first, and of pages that there is no
time to lay out. What readers do not see is not among them."""

from __future__ import annotations

import pytest
from sidecar_pdf import PdfFormat
from sidecar_pdf.reading import document as reading
from support.formats.pdf_builder import Pdf, grid, lines, text
from support.trials.hidden_attacks import SEEN, Attack, attacks

from sidecar.api import Heading, Limits, Note, ParsedDocument, Source, Table
from sidecar.toolkit.answers.notices import lacking_text
from sidecar.toolkit.visible import visible

PROSE = [
    "The survey of the lower river was carried out in the dry months, and its sound-",
    "ings were compared with those of the older chart wherever both could be had.",
    "Where they differ by more than a fathom the newer of the two was taken.",
]
PDF_ATTACKS = [one for one in attacks() if one.name.endswith(".pdf")]


def parsed(data: bytes, limits: Limits) -> ParsedDocument:
    return PdfFormat().parse(Source.of_bytes(data, "river.pdf"), limits)


def report(pages: int) -> bytes:
    """Each page has a heading, prose and a ruled table."""
    pdf = Pdf()
    for number in range(1, pages + 1):
        cells = "".join(text(75 + 100 * (at % 3), 585 - 20 * (at // 3), f"cell {number} {at}") for at in range(9))
        table = grid([72, 172, 272, 372], [600, 580, 560, 540]) + cells
        pdf.page(text(72, 720, f"{number} Soundings", size=16, font="F2") + lines(72, 690, PROSE) + table)
    return pdf.bytes()


def dense(field: str = "") -> bytes:
    """A page with a table of sixty cells, and a field of a form."""
    cells = "".join(text(75 + 100 * (at % 3), 585 - 20 * (at // 3), f"cell {at}") for at in range(60))
    table = grid([72, 172, 272, 372], [600 - 20 * row for row in range(21)]) + cells
    pdf = Pdf()
    fields = f"[{pdf.add(field)} 0 R]" if field else "[]"
    pdf.catalog = f"/AcroForm << /Fields {fields} >>"
    pdf.page(table, more=f"/Annots {fields}")
    return pdf.bytes()


def words(document: ParsedDocument) -> list[str]:
    """Those that readers see, in any order."""
    found: list[str] = []
    for part in document.parts:
        for block in map(visible, part.blocks):
            rows = block.rows if isinstance(block, Table) else ((getattr(block, "text", ""),),)
            found += [block.number] if isinstance(block, Heading) else []
            found += " ".join(cell for row in rows for cell in row).split()
    return sorted(found)


def blocks_of(document: ParsedDocument, kind: type) -> int:
    return sum(isinstance(block, kind) for part in document.parts for block in part.blocks)


def test_words_come_without_layout_and_say_so() -> None:
    data = report(5)
    whole, first = parsed(data, Limits(ocr=False)), parsed(data, Limits(ocr=False, words_only=True))
    assert [notice.code for notice in first.notices] == ["words_only"]
    assert lacking_text(first.notices, 5, 400) == "only its words so far"
    assert [notice.code for notice in whole.notices] == []
    assert (blocks_of(whole, Table), blocks_of(whole, Heading)) == (5, 5)
    assert (blocks_of(first, Table), blocks_of(first, Heading)) == (0, 0)
    assert len(first.parts) == len(whole.parts) == 5
    assert words(first) == words(whole)
    assert "soundings" in words(first), "a word broken at the end of a line is one"


def test_a_short_document_with_little_on_it_is_laid_out_at_once() -> None:
    document = parsed(report(3), Limits(ocr=False, words_only=True))
    assert blocks_of(document, Table) == 3
    assert not document.notices


def test_the_words_of_a_short_document_with_much_on_it_come_first() -> None:
    data = dense()
    whole, first = parsed(data, Limits(ocr=False)), parsed(data, Limits(ocr=False, words_only=True))
    assert [notice.code for notice in first.notices] == ["words_only"]
    assert (blocks_of(whole, Table), blocks_of(first, Table)) == (1, 0)
    assert words(first) == words(whole)


def test_what_a_form_says_is_among_the_first_words() -> None:
    field = "<< /Type /Annot /Subtype /Widget /FT /Tx /T (river) /V (Orinoco) /Rect [72 40 200 60] >>"
    whole, first = (parsed(dense(field), Limits(ocr=False, words_only=only)) for only in (False, True))
    assert [notice.code for notice in first.notices] == ["words_only"]
    for document in (whole, first):
        notes = [block.text for part in document.parts for block in part.blocks if isinstance(block, Note)]
        assert "Orinoco" in " ".join([*notes, *words(document)])


def test_pages_without_time_for_their_layout_give_their_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_PLAIN_SHARE", 1e9)  # as if the rest took longer than there is
    document = parsed(report(70), Limits(ocr=False))
    assert len(document.parts) == 70
    assert blocks_of(document, Table) == 64
    assert "69" in words(document)
    assert [(notice.code, notice.part) for notice in document.notices] == [("truncated_at", 65)]
    assert "Of the pages from 65 to 70 only the words were read" in document.notices[0].message


@pytest.mark.parametrize("attack", PDF_ATTACKS, ids=lambda attack: attack.name)
def test_what_readers_do_not_see_is_not_among_the_words(attack: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_WORDS_FIRST", 1)
    whole, first = (parsed(attack.data, Limits(ocr=False, words_only=only)) for only in (False, True))
    hidden = attack.needle not in " ".join(words(whole))
    assert hidden or attack.needle in " ".join(words(first))
    if hidden:
        assert attack.needle not in " ".join(words(first)), attack.technique
    for word in SEEN.split():
        assert (word in words(whole)) == (word in words(first))
