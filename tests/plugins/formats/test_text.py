"""Plain text, code, reStructuredText and Org."""

from __future__ import annotations

from importlib.metadata import entry_points

import pytest
from sidecar_text import TextFormat
from support.formats.plugin_reading import blocks, of, read, spans

from sidecar.api import (
    Code,
    Equation,
    Figure,
    Heading,
    Limits,
    ListItem,
    Merge,
    Note,
    Paragraph,
    Source,
    Table,
    UnsupportedError,
)

TEXT = TextFormat()
FORMATS = {entry.name: entry.load()() for entry in entry_points(group="docsidecar.formats")}


def test_headings_without_a_blank_line_between_are_as_many_as_there_are() -> None:
    document = read(TEXT, "Name\n====\n" * 1_500 + "the end\n", "notes.txt")
    assert len(of(document, Heading)) == 1_500
    assert [one.text for one in of(document, Paragraph)] == ["the end"]


def test_prose_has_paragraphs_headings_lists_and_columns() -> None:
    document = read(TEXT, (
        "The Title\n=========\n\nOne paragraph\nin two lines.\n\nChapter 2: Winds\n\n"
        "- first\n- second\n  continued\n    - deeper\n\n"
        "name      size\nalpha     1\nbeta      22\n"
    ), "a.txt")  # fmt: skip
    assert [part.title for part in document.parts] == ["The Title", "Chapter 2: Winds"]
    assert of(document, Paragraph)[0].text == "One paragraph\nin two lines."
    assert [(item.text, item.level, item.marker) for item in of(document, ListItem)] == [
        ("first", 0, "-"), ("second\ncontinued", 0, "-"), ("deeper", 1, "-"),
    ]  # fmt: skip
    assert of(document, Code)[0].text == "name      size\nalpha     1\nbeta      22"


def test_indentation_that_means_something_is_kept() -> None:
    document = read(TEXT, "Like this:\n\n    def f():\n        return 1\n\nAn indented\nfirst line.\n", "a.txt")
    assert of(document, Code)[0].text == "    def f():\n        return 1"


def test_code_comes_in_addressable_blocks_cut_between_functions() -> None:
    source = "".join(f"def f{n}():\n    a = {n}\n    b = a\n    return b\n\n\n" for n in range(60))
    document = read(TEXT, source, "m.py")
    found = of(document, Code)
    assert all(block.language == "python" and block.text.count("\n") < 100 for block in found)
    assert all(block.text.startswith("def ") for block in found)
    assert found[0].anchor == "L1"
    lines = source.split("\n")
    for block in found:
        assert lines[int(block.anchor[1:]) - 1] == block.text.split("\n")[0]
    assert "".join("".join(block.text.split()) for block in found) == "".join(source.split())


def test_one_endless_line_is_cut() -> None:
    document = read(TEXT, "[" + "1," * 60_000 + "1]", "a.json")
    assert all(len(block.text) <= 16_000 for block in of(document, Code))
    assert "".join(block.text for block in of(document, Code)) == "[" + "1," * 60_000 + "1]"
    document = read(TEXT, "word " * 5000, "a.txt")
    assert all(len(block.text) <= 4000 for block in of(document, Paragraph))


def test_names_and_first_lines_tell_the_language() -> None:
    for name, data, language in (
        ("Makefile", "all:\n", "makefile"), ("Dockerfile.dev", "FROM x\n", "dockerfile"),
        ("run", "#!/usr/bin/env python3\n1\n", "python"),
        ("a.toml", "a = 1\n", "toml"), ("a.txt", "<?xml version='1.0'?><a><b/></a>", "xml"),
        ("x.unknown", '{"a": [1]}', "json"),
    ):  # fmt: skip
        assert of(read(TEXT, data, name), Code)[0].language == language, name


def test_scores() -> None:
    assert TEXT.score(Source.of_bytes(b"x", "README")) == 50
    assert TEXT.score(Source.of_bytes(b"x", "a.docx")) == 10
    assert TEXT.score(Source.of_bytes(bytes(100), "a.txt")) == 0
    assert TEXT.score(Source.of_bytes(rb"{\rtf1 x}", "a.txt")) == 0
    assert TEXT.score(Source.of_bytes(b"%PDF-1.4\n", "a.pdf")) == 0


@pytest.mark.parametrize("name", ["reader.py", "notes.txt", "guide.md", "guide.rst", "LICENSE"])
@pytest.mark.parametrize(
    "text",
    [
        'MAGIC = b"%PDF-"\n',
        "# The head of a page is `<html>`, of a drawing `<svg`\n",
        'HEAD = b"Content-Type: multipart/related"\nMIME = b"mime-version:"\nfrom: saved by\n',
        "#!/usr/bin/env python3\n# {\\rtf1 and PK\\x03\\x04 are other formats\n",
    ],
)
def test_text_that_speaks_of_a_format_is_text(name: str, text: str) -> None:
    source = Source.of_bytes(text.encode(), name)
    scores = {format_name: plugin.score(source) for format_name, plugin in FORMATS.items()}
    assert max(scores, key=lambda name: scores[name]) == ("markdown" if name == "guide.md" else "text"), scores


@pytest.mark.parametrize("name", ["a.ttf", "a.txt", "a", "a.py", "a.csv", "a.md"])
@pytest.mark.parametrize(
    "head",
    [
        b"\0\1\0\0\0\x10\1\0",
        b"wOF2\0\1\0\0",
        b"PK\3\4\x14\0",
        b"7z\xbc\xaf'\x1c\0\4",
        b"\x7fELF\2\1\1\0",
        b"\0asm\1\0\0\0",
    ],
)
def test_fonts_archives_and_programs_are_no_text(name: str, head: bytes) -> None:
    source = Source.of_bytes(head + "ab".encode("utf-16-le") * 400, name)
    assert all(FORMATS[kind].score(source) == 0 for kind in ("text", "csv", "markdown", "html", "mail"))


def test_binary_behind_a_beginning_of_text_is_unsupported_not_damaged() -> None:
    with pytest.raises(UnsupportedError):
        TEXT.parse(Source.of_bytes(b"a line\n" * 20_000 + bytes(range(256)) * 4000, "a.dat"), Limits())


RST = """
:Author: Ann
:Version: 1.2

======
Manual
======

Intro with *emphasis*, **strong**, ``literal``, `a link <http://example.org>`_, `by name`_,
:func:`~os.path.join`, :ref:`Text <target>`, |sub| and a note [1]_.

.. _by name: http://example.org/named
.. |sub| replace:: substituted
.. [1] The *note*.

.. _here:

First
-----

- bullet

  second paragraph

  1. inner

term
   its definition

Code follows::

    x = 1

      y = 2

.. code-block:: python
   :linenos:

   print(1)

.. note:: Take care.

.. versionadded:: 1.2 New thing.

Second
------

+-----+-----+
| a   | b   |
+=====+=====+
| wide cell |
+-----+-----+
| tall| 1   |
|     +-----+
|     | 2   |
+-----+-----+

===== =====
one   two
===== =====
1     2
===== =====

.. figure:: pic.png
   :alt: The alt

   Figure 3: What it shows

.. math:: x^2

.. contents:: What comes below
   :local:

.. list-table:: Caption
   :header-rows: 1

   * - A
     - B
   * - 1
     - ``2``

.. automodule:: package.module

    quoted text

..

    quoted apart

.. a comment
   of two lines
"""


def test_rst_structure() -> None:
    document = read(TEXT, RST, "manual.rst")
    assert document.title == "Manual"
    assert document.metadata == {"author": "Ann", "version": "1.2"}
    assert [part.title for part in document.parts] == ["Manual", "First", "Second"]
    assert [(heading.text, heading.level, heading.anchor) for heading in of(document, Heading)] == [
        ("Manual", 1, ""), ("First", 2, "here"), ("Second", 2, ""),
    ]  # fmt: skip
    assert {"What comes below", "quoted apart"} <= {block.text for block in of(document, Paragraph)}
    assert not any("comment" in getattr(block, "text", "") for block in blocks(document))


def test_rst_inline_markup() -> None:
    intro = of(read(TEXT, RST, "manual.rst"), Paragraph)[0]
    assert intro.text == (
        "Intro with emphasis, strong, literal, a link, by name, join(), Text, substituted and a note [1]."
    )
    found = spans(intro.text, intro.spans)
    assert ("italic", "emphasis", "") in found
    assert ("bold", "strong", "") in found
    assert ("code", "literal", "") in found
    assert ("link", "a link", "http://example.org") in found
    assert ("link", "by name", "http://example.org/named") in found
    assert ("link", "Text", "#target") in found
    assert ("note", "[1]", "1") in found
    assert of(read(TEXT, RST, "manual.rst"), Note)[0].text == "The note."


@pytest.mark.parametrize("piece", ["[a", "a.", "é-", ":a:"])
def test_rst_reads_a_megabyte_without_a_blank(piece: str) -> None:
    """Each sign may begin something: looking for its end through all that follows took an hour."""
    document = read(TEXT, f"First\n=====\n\n{piece * (1_000_000 // len(piece))} last_\n", "a.rst")
    assert str(document.parts[-1].blocks[-1]).count("last") == 1


def test_rst_numbers_keep_the_name_of_their_role() -> None:
    """A number by itself says nothing; a role that no list knows is a project's own: its name says what is counted."""
    text = "Fixed (:issue:`2375`, :pr:`#2376`) as :pep:`8` asks, :issue:`see here <99>`.\n"
    document = read(TEXT, text, "changes.rst")
    assert of(document, Paragraph)[0].text == "Fixed (issue 2375, pr #2376) as PEP 8 asks, see here."


def test_rst_blocks() -> None:
    document = read(TEXT, RST, "manual.rst")
    assert [(item.text, item.level, item.marker) for item in of(document, ListItem)] == [
        ("bullet", 0, "•"), ("second paragraph", 0, ""), ("inner", 1, "1."), ("term", 0, "•"),
        ("its definition", 1, "•"),
    ]  # fmt: skip
    assert [(code.text, code.language) for code in of(document, Code)] == [
        ("x = 1\n\n  y = 2", ""),
        ("print(1)", "python"),
    ]
    assert of(document, Equation)[0].latex == "x^2"
    figure = of(document, Figure)[0]
    assert (figure.source, figure.alt, figure.caption) == ("pic.png", "The alt", "Figure 3: What it shows")
    assert "Figure 3" in [element.label for element in document.elements]
    texts = [paragraph.text for paragraph in of(document, Paragraph)]
    assert "Note" in texts
    assert "New in version 1.2" in texts
    assert "package.module" in texts


def test_rst_as_docutils_allows_it() -> None:
    """A blank before the colons, names in capitals, what a list announces, targets in titles, narrow columns."""
    text = (
        "The _`first part`\n=================\n\n.. Code-Block :: python\n\n   x = 1\n\n.. |v| Replace :: 2.1\n\n"
        "Version |v|.\n\n* Write::\n\n      Title\n      =====\n\n      - words\n\n"
        "= ====\nA  one\n.. none\n= ====\n\n"
        "===  ===  ===\n  Inputs  Out\n--------  ---\nA    B    C\n===  ===  ===\n"
        "x    y    H\\ :sub:`2`\\ O\n===  ===  ===\n"
    )
    document = read(TEXT, text, "a.rst")
    assert [(type(block).__name__, getattr(block, "text", "")) for block in document.parts[0].blocks] == [
        ("Heading", "The first part"), ("Code", "x = 1"), ("Paragraph", "Version 2.1."), ("ListItem", "Write:"),
        ("Code", "Title\n=====\n\n- words"), ("Table", ""), ("Table", ""),
    ]  # fmt: skip
    assert [table.rows for table in of(document, Table)] == [
        (("A", "one"), ("", "none")), (("Inputs", "", "Out"), ("A", "B", "C"), ("x", "y", "H2O")),
    ]  # fmt: skip
    assert of(document, Table)[1].merges == (Merge(0, 0, 1, 2),)


def test_rst_tables() -> None:
    grid, simple, listed = of(read(TEXT, RST, "manual.rst"), Table)
    assert grid.rows == (("a", "b"), ("wide cell", ""), ("tall", "1"), ("", "2"))
    assert grid.header_rows == 1
    assert set(grid.merges) == {Merge(1, 0, 1, 2), Merge(2, 0, 2, 1)}
    assert (simple.rows, simple.header_rows) == ((("one", "two"), ("1", "2")), 1)
    assert (listed.rows, listed.caption, listed.header_rows) == ((("A", "B"), ("1", "2")), "Caption", 1)


def test_org() -> None:
    document = read(TEXT, (
        "#+TITLE: Notes\n#+AUTHOR: Ann\n* TODO One :tag:\n:PROPERTIES:\n:ID: x\n:END:\nSome /italic/ and *bold* "
        "[[http://e.org][link]].\n"
        "- [X] done\n- open\n  more\n** Two\n| a | b |\n|---+---|\n| 1 | 2 |\n#+BEGIN_SRC sh\nls -l\n#+END_SRC\n"
        "* Three\n"
        "#+begin_quote\nquoted\n#+end_quote\n[[file:pic.png]]\n"
    ), "n.org")  # fmt: skip
    assert (document.title, document.metadata) == ("Notes", {"author": "Ann"})
    assert [part.title for part in document.parts] == ["TODO One", "Three"]
    assert [(item.text, item.marker) for item in of(document, ListItem)] == [("done", "☑"), ("open more", "•")]
    assert (of(document, Table)[0].rows, of(document, Table)[0].header_rows) == ((("a", "b"), ("1", "2")), 1)
    assert (of(document, Code)[0].text, of(document, Code)[0].language) == ("ls -l", "sh")
    tags, first, quoted = of(document, Paragraph)
    assert tags.text == "Tags: tag"
    assert spans(first.text, first.spans)[:2] == [("italic", "italic", ""), ("bold", "bold", "")]
    assert quoted.style == "quote"
    assert of(document, Figure)[0].source == "pic.png"


@pytest.mark.parametrize(
    ("name", "language"),
    [("a.puml", "plantuml"), ("a.mmd", "mermaid"), ("a.gv", "graphviz"), ("a.dot", "graphviz"), ("a.graphml", "xml")],
)
def test_diagrams_written_as_text_keep_their_lines(name: str, language: str) -> None:
    code = of(read(TEXT, "first -> second\nsecond -> third\n", name), Code)
    assert [(block.text, block.language) for block in code] == [("first -> second\nsecond -> third", language)]


def test_text_beyond_the_limit_is_cut_and_said() -> None:
    document = read(TEXT, "word " * 1000, "a.txt", Limits(max_text_chars=100))
    assert [notice.code for notice in document.notices] == ["truncated_at"]
    assert sum(len(paragraph.text) for paragraph in of(document, Paragraph)) <= 100


def test_files_that_org_includes_are_named() -> None:
    document = read(TEXT, '#+INCLUDE: "./next part.org" :minlevel 2\n\n* One\n#+include: other.org\n', "a.org")
    told = [(block.text, [span.value for span in block.spans]) for block in of(document, Paragraph)]
    assert told == [("./next part.org", ["./next part.org"]), ("other.org", ["other.org"])]


def test_org_drawers_are_text_but_for_properties_and_the_log() -> None:
    org = (
        "* One\n:PROPERTIES:\n:ID: x\n:END:\nBefore\n:Remark:\nWithin\n:END:\nBehind\n"
        ":LOGBOOK:\nCLOCK: 2024\n:END:\n:end:\nLast\n"
    )
    assert [block.text for block in of(read(TEXT, org, "a.org"), Paragraph)] == ["Before", "Within", "Behind", "Last"]


def test_captions_and_what_only_some_forms_of_a_document_show_are_read() -> None:
    rst = ".. only:: html\n\n   In pages.\n\n.. code-block:: c\n   :caption: The loop\n\n   for (;;);\n"
    said = [getattr(block, "text", "") for block in blocks(read(TEXT, rst, "a.rst"))]
    assert said == ["In pages.", "The loop", "for (;;);"]
    org = read(TEXT, "#+CAPTION: Birds seen\n| Weka | 2 |\n", "a.org")
    assert [(block.text, block.style) for block in of(org, Paragraph)] == [("Birds seen", "caption")]


def test_rst_names_stand_for_what_is_defined() -> None:
    """Wherever it is defined: texts of several lines, characters, and pictures, shown where they are named."""
    text = (
        "Title\n=====\n\n.. |maturity| image:: https://example.org/beta.png\n   :alt: Beta\n"
        ".. |the state| image:: https://example.org/none.png\n\n|maturity| |the\nstate|\n\n"
        "The |long| is |c| |who| in |maturity|.\n\n.. |long| replace::\n\n   text of *several*\n   lines\n"
        ".. |c| unicode:: 0xA9 .. the sign\n.. |who| unicode:: Ann U+2122\n\nEnd.\n"
    )
    document = read(TEXT, text, "readme.rst")
    found = blocks(document)[1:]
    assert [block.source for block in found if isinstance(block, Figure)] == [
        "https://example.org/beta.png", "https://example.org/none.png", "https://example.org/beta.png",
    ]  # fmt: skip
    assert [block.alt for block in found if isinstance(block, Figure)] == ["Beta", "the state", "Beta"]
    assert [block.text for block in found if isinstance(block, Paragraph)] == [
        "The text of several lines is © Ann™ in Beta.", "End.",
    ]  # fmt: skip


def test_rst_containers_and_lists_of_documents() -> None:
    text = (
        "Title\n=====\n\n.. container:: wide left\n\n   Inside.\n\n.. toctree::\n\n   usage\n   The design <design>\n"
    )
    document = read(TEXT, text, "index.rst")
    assert [block.text for block in of(document, Paragraph)] == ["Inside."]
    assert [block.text for block in of(document, ListItem)] == ["usage", "The design"]
    looks = read(TEXT, "Title\n=====\n\n.. class:: no-web large\n\nText.\n\n.. class:: Bird(name)\n", "index.rst")
    assert [block.text for block in of(looks, Paragraph)] == ["Text.", "Bird(name)"]


def test_a_line_of_many_blanks_leaves_no_block_without_text() -> None:
    document = read(TEXT, ("a" + " " * 60_000 + "b\n") * 3, "a.txt")
    assert " ".join(block.text for block in of(document, Code)).split() == ["a", "b"] * 3
