"""Lists of references: BibTeX, RIS, PubMed and EndNote as entries with their facts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from sidecar_text import TextFormat
from support.formats.plugin_reading import blocks, of, read

from sidecar.api import Code, Heading, Paragraph

TEXT = TextFormat()


def test_bibtex_has_an_entry_a_chapter() -> None:
    source = r"""% my list
@string{cj = "Computer J."}
@comment{not shown}
@article{knuth84, title = {Literate {P}rogramming \& more}, author = "Donald E. Knuth and
 G{\"o}del, Kurt and \v{C}apek",
  year = 1984, journal = cj # " of UK", pages = {97--111}, abstract = {Programs are {essays}.}, publisher = {}
}
@BOOK(two, title={Stra{\ss}e}, note = "a {"} b")
"""
    document = read(TEXT, source, "refs.bib")
    assert [part.title for part in document.parts] == ["Literate Programming & more", "Straße"]
    assert [one.anchor for one in of(document, Heading)] == ["knuth84", "two"]
    assert [one.text for one in of(document, Paragraph)] == [
        "Author: Donald E. Knuth and Gödel, Kurt and Čapek\nYear: 1984\nJournal: Computer J. of UK\nPages: 97–111\n"
        "Type: article\nKey: knuth84",
        "Programs are essays.",
        'Note: a " b\nType: book\nKey: two',
    ]
    assert document.metadata == {"entries": "2"}


def test_tagged_lists_have_an_entry_a_chapter() -> None:
    ris = (
        "TY  - JOUR\r\nTI  - On termites\r\nAU  - Numbat, A\r\nAU  - Okapi, B\r\nPY  - 2001\r\nSP  - 4\r\nEP  - 9\r\n"
        "\r\n"
        "AB  - They are\r\nmany.\r\nER  - \r\n\r\nTY  - BOOK\r\nT1  - Second\r\nDO  - 10.1/x\r\nER  - \r\n"
    )
    pubmed = "PMID- 17\nTI  - On long\n      titles\nFAU - Okapi, Bea\nAU  - Okapi B\nDP  - 2002 May\n"
    pubmed += "\nPMID- 18\nTI  - Other\n"
    endnote = "%0 Journal Article\n%T Third\n%A Ann\n%D 2003\n\n%0 Book\n%T Fourth\n"
    for name, text, titles, first in (
        ("a.ris", ris, ["On termites", "Second"], "Author: Numbat, A; Okapi, B\nYear: 2001\nPages: 4–9"),
        ("a.nbib", pubmed, ["On long titles", "Other"], "Author: Okapi, Bea\nYear: 2002 May\nPmid: 17"),
        ("a.enw", endnote, ["Third", "Fourth"], "Author: Ann\nYear: 2003"),
    ):
        document = read(TEXT, text, name)
        assert [part.title for part in document.parts] == titles
        assert of(document, Paragraph)[0].text == first
    assert of(read(TEXT, ris, "a.ris"), Paragraph)[1].text == "They are many."


def test_strings_that_double_one_another_stay_small() -> None:
    doubled = '@string{a = "words "}\n' + "@string{a = a # a}\n" * 22 + "@article{k, title = a # { end}}\n"
    (found,) = [part.title for part in read(TEXT, doubled, "refs.bib").parts]
    assert found.endswith("words end") and len(found) < 2_000


def test_what_has_no_entry_is_read_as_text() -> None:
    assert isinstance(blocks(read(TEXT, "just some words\n", "a.bib"))[0], Code)


@given(st.text(alphabet='@book{key, title="x" = #}\\\n', max_size=80))
def test_any_bibtex_ends(text: str) -> None:
    read(TEXT, f"@book{{a, title={{b}}}}\n{text}", "a.bib")
