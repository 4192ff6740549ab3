"""Books and articles in FictionBook, DocBook and JATS: chapters, notes, tables, figures, and what is none of them."""

from __future__ import annotations

import pytest
from contract.pictures import PNG
from sidecar_xml import XmlFormat
from support.formats.plugin_reading import of, read
from support.formats.xml_documents import DOCBOOK, FICTION, JATS

from sidecar.api import (
    Code,
    Equation,
    Figure,
    Heading,
    Limits,
    ListItem,
    Merge,
    NotFoundError,
    Paragraph,
    Source,
    Table,
)

XML = XmlFormat()


def test_comments_and_declarations_may_stand_before_the_first_element() -> None:
    before = b"<?xml version='1.0'?>" + b"<!-- - -- <a> -->\n<?pi ?>" * 40 + b"<!DOCTYPE article [<!ENTITY a 'b'>]>\n"
    assert XML.score(Source.of_bytes(before + b"<article dtd-version='1.1'><body/></article>", "a.xml")) == 85
    assert XML.score(Source.of_bytes(before + b"<other/>", "a.xml")) == 0


def test_a_book_in_fictionbook() -> None:
    document = read(XML, FICTION, "book.fb2")
    assert (document.title, document.description) == ("Field report", "What we saw.")
    assert document.metadata == {"language": "en", "genre": "prose", "author": "Ann Smith"}
    assert [part.title for part in document.parts] == ["Chapter One", "Two"]
    texts = [block.text for block in of(document, Paragraph)]
    assert texts == ["Motto", "A fine day.[1]", "First line", "Second line", "The end.", "1", "The footnote."]
    assert of(document, Table)[0].rows == (("a",), ("1",))
    figure = of(document, Figure)[0]
    assert (figure.embed, figure.alt) == (("image", 0), "Logo")
    source = Source.of_bytes(FICTION.encode(), "book.fb2")
    assert XML.open_embedded(source, document.embedded[0].ref, Limits()).data == PNG
    with pytest.raises(NotFoundError):
        XML.open_embedded(source, "data:7", Limits())


def test_an_article_in_docbook() -> None:
    document = read(XML, DOCBOOK, "guide.xml")
    assert (document.title, document.metadata) == ("Guide", {"created": "2024-03-01", "author": "Bo Lee"})
    assert [heading.text for heading in of(document, Heading)] == ["Start", "End"]
    texts = [block.text for block in of(document, Paragraph)]
    assert texts == ["Run make, see this. [1]", "Mind", "the gap", "Done.", "[1] Only once."]
    assert [(item.text, item.marker) for item in of(document, ListItem)] == [
        ("First", "1."), ("Term", "•"), ("Meaning", "•"),
    ]  # fmt: skip
    assert [(code.text, code.language) for code in of(document, Code)] == [("ls -l", "sh")]
    table = of(document, Table)[0]
    assert (table.caption, table.header_rows) == ("Prices", 1)
    assert table.rows == (("Both", ""), ("x", "1"), ("", "2"))
    assert table.merges == (Merge(0, 0, 1, 2), Merge(1, 0, 2, 1))
    assert [figure.caption for figure in of(document, Figure)] == ["A plan"]


def test_an_article_in_jats() -> None:
    document = read(XML, JATS, "paper.nxml")
    assert document.title == "On wombats"
    assert document.metadata == {"journal": "Acta", "doi": "10.1/x", "author": "Bo Lee", "created": "2024-03-01"}
    assert [part.title for part in document.parts][-3:] == ["Methods", "Results", "References"]
    texts = [block.text for block in of(document, Paragraph)]
    assert texts == ["In short.", "We counted.", "Seven."]
    assert [item.text for item in of(document, ListItem)] == ["once", "Smith 2020"]
    assert [figure.caption for figure in of(document, Figure)] == ["Figure 1 The burrow"]
    assert [table.caption for table in of(document, Table)] == ["Table 1 Counts"]
    assert [formula.text for formula in of(document, Equation)] == ["a"]


@pytest.mark.parametrize(
    ("data", "score"),
    [
        (FICTION.encode(), 85),
        (FICTION.replace("UTF-8", "UTF-16").encode("utf-16"), 85),
        (DOCBOOK.encode(), 85),
        (JATS.encode(), 85),
        (b'<section xmlns="http://docbook.org/ns/docbook"><para>x</para></section>', 85),
        (b"<article><h1>A page</h1></article>", 0),
        (b"<?xml version='1.0'?><book><title>Any XML</title></book>", 0),
        (b"", 0),
    ],
)
def test_what_is_one(data: bytes, score: int) -> None:
    assert XML.score(Source.of_bytes(data, "a.xml")) == score


OPML = """<?xml version="1.0"?><opml version="2.0"><head><title>Reading</title><ownerName>Ann</ownerName></head><body>
<outline text="Birds &lt;b&gt;here&lt;/b&gt;" _note="Seen in May"><outline text="Kakapo" Status="rare">
<outline text="Nest"/>
</outline><outline type="rss" text="News" xmlUrl="http://x.org/feed" htmlUrl="http://x.org/" description="Of birds"/>
</outline>%s</body></opml>"""


def test_an_outline_in_opml() -> None:
    document = read(XML, OPML % '<outline text="Fish"><outline text="Eel"/></outline>', "list.opml")
    assert (document.title, document.metadata) == ("Reading", {"author": "Ann"})
    assert [part.title for part in document.parts] == ["Birds here", "Fish"]
    assert [block.text for block in of(document, Paragraph)] == ["Seen in May"]
    items = of(document, ListItem)
    assert [(item.text, item.level) for item in items] == [
        ("Kakapo (Status: rare)", 0), ("Nest", 1), ("News http://x.org/feed: Of birds", 0), ("Eel", 0),
    ]  # fmt: skip
    assert [span.value for span in items[2].spans] == ["http://x.org/", "http://x.org/feed"]


def test_an_outline_with_characters_that_xml_has_not_is_read() -> None:
    document = read(XML, OPML % '<outline text="Fish &#3;net" note="a&#x1f;b&#xFFFE;c&#12;"/>', "list.opml")
    assert "Fish net" in "".join(block.text for block in document.parts[0].blocks if isinstance(block, ListItem))


def test_an_outline_with_single_items_at_the_top_is_one_list() -> None:
    document = read(XML, OPML % '<outline text="Loose"/>', "list.opml")
    assert [(item.text, item.level) for item in of(document, ListItem)][0::5] == [("Birds here", 0), ("Loose", 0)]
    assert XML.score(Source.of_bytes(OPML.encode(), "list.xml")) == 85


def test_outlines_of_very_many_or_very_deep_items_are_read() -> None:
    deep = read(XML, "<opml><body>" + '<outline text="a">' * 3_000 + "kowhai" + "</outline>" * 3_000, "list.opml")
    assert of(deep, Heading)
    wide = read(XML, "<opml><body>" + '<outline text="a"/>' * 20_000 + "</body></opml>", "list.opml")
    assert len(of(wide, ListItem)) == 20_000


PLAN = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Project xmlns="http://schemas.microsoft.com/project"><Name>C:\\plans\\Move.mpp</Name><Author>Ann</Author>
<Tasks><Task><UID>0</UID><ID>0</ID><Name>Move</Name><OutlineLevel>0</OutlineLevel></Task>
<Task><UID>4</UID><ID>1</ID><Name>Pack the &lt;archive&gt;</Name>
<OutlineNumber>1</OutlineNumber><OutlineLevel>1</OutlineLevel>
<Start>2024-03-01T08:00:00</Start><Finish>2024-03-04T12:30:00</Finish><Duration>PT12H30M0S</Duration>
<PercentComplete>50</PercentComplete><Notes>Two vans
are enough.</Notes></Task>
<Task><UID>5</UID><ID>2</ID><IsNull>1</IsNull></Task>
<Task><UID>6</UID><ID>3</ID><Name>Drive</Name><OutlineNumber>2</OutlineNumber><OutlineLevel>1</OutlineLevel>
<Start>2024-03-05T08:00:00</Start><Duration>PT8H0M0S</Duration><PercentComplete>0</PercentComplete>
<PredecessorLink><PredecessorUID>4</PredecessorUID></PredecessorLink></Task></Tasks>
<Resources><Resource><UID>0</UID></Resource><Resource><UID>1</UID><Name>Bob</Name><Group>Drivers</Group></Resource></Resources>
<Assignments><Assignment><TaskUID>6</TaskUID><ResourceUID>1</ResourceUID></Assignment>
<Assignment><TaskUID>4</TaskUID><ResourceUID>-65535</ResourceUID></Assignment></Assignments></Project>"""


def test_a_plan_of_microsoft_project() -> None:
    assert XML.score(Source.of_bytes(PLAN.encode(), "move.xml")) == 85
    build = b'<Project xmlns="http://schemas.microsoft.com/developer/msbuild/2003"/>'
    assert XML.score(Source.of_bytes(build, "a.csproj")) == 0
    document = read(XML, PLAN, "move.xml")
    assert (document.title, document.metadata) == ("Move", {"author": "Ann"})
    tasks, resources = of(document, Table)
    assert tasks.rows == (
        ("No.", "Task", "Start", "Finish", "Duration", "Done", "After", "Who", "Notes"),
        ("0", "Move", "", "", "", "", "", "", ""),
        (
            "1",
            "Pack the <archive>",
            "2024-03-01",
            "2024-03-04 12:30",
            "12 h 30 min",
            "50 %",
            "",
            "",
            "Two vans are enough.",
        ),
        ("2", "Drive", "2024-03-05", "", "8 h", "0 %", "1", "Bob", ""),
    )  # fmt: skip
    assert resources.rows == (("Resource", "Group"), ("Bob", "Drivers"))
