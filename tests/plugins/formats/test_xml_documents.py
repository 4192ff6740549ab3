"""Books, articles and help in FictionBook, DocBook, JATS and Mallard: chapters, notes, tables, figures, and what is
none of them."""

from __future__ import annotations

import pytest
from contract.pictures import PNG
from sidecar_xml import XmlFormat
from support.formats.plugin_reading import of, read
from support.formats.xml_documents import DOCBOOK, FICTION, JATS, MALLARD

from sidecar.api import (
    Code,
    Equation,
    Figure,
    Heading,
    Limits,
    ListItem,
    Merge,
    Note,
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
    assert texts == ["Motto", "A fine day.[1]", "First line", "Second line", "The end."]
    assert [(note.kind, note.id, note.text) for note in document.parts[0].blocks if isinstance(note, Note)] == [
        ("footnote", "1", "The footnote."),
    ]  # fmt: skip
    assert of(document, Table)[0].rows == (("a",), ("1",))
    figure = of(document, Figure)[0]
    assert (figure.embed, figure.alt) == (("image", 0), "Logo")
    source = Source.of_bytes(FICTION.encode(), "book.fb2")
    assert XML.open_embedded(source, document.embedded[0].ref, Limits()).data == PNG
    with pytest.raises(NotFoundError):
        XML.open_embedded(source, "data:7", Limits())


def test_a_page_of_help_in_mallard() -> None:
    document = read(XML, MALLARD, "files-lost.page")
    assert (document.title, document.description) == ("Find a lost file", "Find what is lost.")
    assert document.metadata == {"author": "Bo Lee"}
    assert [(heading.text, heading.level) for heading in of(document, Heading)] == [("Find a lost file", 1), ("How", 2)]
    assert [block.text for block in of(document, Paragraph)] == [
        "Choose Files ▸ Search, press Ctrl+F or see files search; run ls.", "Tip", "Look in the trash.",
    ]  # fmt: skip
    assert [(item.text, item.marker) for item in of(document, ListItem)] == [
        ("Open it.", "1."), ("Type.", "2."), ("Trash", "•"), ("What was removed.", "•"),
    ]  # fmt: skip
    assert [code.text for code in of(document, Code)] == ["ls -l\ncd .."]
    assert [(figure.alt, figure.source) for figure in of(document, Figure)] == [("The trash", "figures/trash.png")]
    assert of(document, Table)[0].rows == (("a", "1"),)
    bare = '<page xmlns="http://projectmallard.org/1.0/"><guiseq/><terms><item/></terms><media/><link/></page>'
    assert read(XML, bare, "empty.page").title == ""
    assert XML.score(Source.of_bytes(b"<page><title>Of another kind</title></page>", "a.page")) == 0


def test_an_article_in_docbook() -> None:
    document = read(XML, DOCBOOK, "guide.xml")
    assert (document.title, document.metadata) == ("Guide", {"created": "2024-03-01", "author": "Bo Lee"})
    assert [heading.text for heading in of(document, Heading)] == ["Start", "End"]
    texts = [block.text for block in of(document, Paragraph)]
    assert texts == ["Run make, see this. [1]", "Mind", "the gap", "Done."]
    assert [(note.id, note.text) for note in of(document, Note)] == [("1", "Only once.")]
    assert [(item.text, item.marker) for item in of(document, ListItem)] == [
        ("First", "1."), ("Term", "•"), ("Meaning", "•"),
    ]  # fmt: skip
    assert [(code.text, code.language) for code in of(document, Code)] == [("ls -l", "sh")]
    table = of(document, Table)[0]
    assert (table.caption, table.header_rows) == ("Prices", 1)
    assert table.rows == (("Both", ""), ("x", "1"), ("", "2"))
    assert table.merges == (Merge(0, 0, 1, 2), Merge(1, 0, 2, 1))
    assert [figure.caption for figure in of(document, Figure)] == ["A plan"]


def test_the_entities_of_a_document_are_written_out() -> None:
    declared = '<!ENTITY we "Ann &amp; Co"><!-- <!ENTITY we "x"> --><!ENTITY us \'<emphasis>&we;</emphasis>\'>'
    text = f"<!DOCTYPE article PUBLIC '-//OASIS//DTD DocBook' 'x' [{declared}<!ENTITY % p 'q'>]><article><para>" + (
        "By &us;&hellip; on &kde;.</para><programlisting><![CDATA[&us;]]></programlisting></article>"
    )
    document = read(XML, text, "guide.xml")
    assert of(document, Paragraph)[0].text == "By Ann & Co… on kde."
    assert of(document, Code)[0].text == "&us;"


def test_entities_that_grow_in_one_another_stay_names() -> None:
    grows = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    text = f"<!DOCTYPE article PUBLIC '-//OASIS//DTD DocBook' 'x' [<!ENTITY a0 'hahaha'>{grows}<!ENTITY r '&r;'>]>"
    document = read(XML, f"{text}<article><para>&a11; &a2; &r; {'&a3;' * 3000}</para></article>", "guide.xml")
    said = of(document, Paragraph)[0].text
    assert said.count("hahaha") >= 100
    assert len(said) < 10_000_000


def test_what_looks_like_a_document_type_in_the_text_declares_nothing() -> None:
    inner = "<![CDATA[" + "<!DOCTYPE article [" * 100_000 + "<!ENTITY we 'x'>] >]]>"
    document = read(
        XML, f"<article xmlns='http://docbook.org/ns/docbook'><para>By &we;.{inner}</para></article>", "a.xml"
    )
    assert of(document, Paragraph)[0].text.startswith("By we.")


def test_a_long_name_that_every_row_names_is_told_in_short() -> None:
    rows = "%R\t1\t7\n" * 50_000
    xer = f"ERMHDR\t8\n%T\tRSRC\n%F\trsrc_id\trsrc_name\n%R\t7\t{'Ann ' * 20_000}\n%T\tTASK\n%F\ttask_id\ttask_name\n"
    document = read(XML, f"{xer}%R\t1\tDig\n%T\tTASKRSRC\n%F\ttask_id\trsrc_id\n{rows}", "plan.xer")
    (tasks, _) = of(document, Table)
    assert tasks.rows[1][0] == "Dig"
    assert len(tasks.rows[1][1]) < 250


def test_titles_in_the_information_of_docbook_and_notes_without_one() -> None:
    document = read(
        XML,
        "<book xmlns='http://docbook.org/ns/docbook' version='5.0'><info><title>The book</title>"
        "<subtitle>Of all</subtitle><author><personname>Bo Lee</personname></author>"
        "<legalnotice><para>Free.</para></legalnotice></info>"
        "<chapter><info><title>One</title><author><personname>Al</personname></author></info>"
        "<para>See <citerefentry><refentrytitle>ls</refentrytitle><manvolnum>1</manvolnum></citerefentry>.</para>"
        "<note><para>Wait.</para></note><tip><info><title>Do</title></info><para>Rest.</para></tip>"
        "<mediaobject><imageobject><imagedata fileref='a.png'/></imageobject>"
        "<textobject><phrase>A plan</phrase></textobject></mediaobject></chapter></book>",
        "book.xml",
    )
    assert (document.title, document.metadata["author"]) == ("The book", "Bo Lee")
    assert [heading.text for heading in of(document, Heading)] == ["One"]
    said = ["Of all", "Free.", "See ls(1).", "Note", "Wait.", "Do", "Rest."]
    assert [block.text for block in of(document, Paragraph)] == said
    assert of(document, Figure)[0].alt == "A plan"


def test_a_link_without_words_in_docbook_says_what_it_leads_to() -> None:
    links = "".join(
        f"<para>See <{link}/>.</para>"
        for link in ("xref linkend='a'", "xref linkend='b'", "xref linkend='b' endterm='t'", "link linkend='c'",
                     "xref linkend='p'", "xref linkend='none'")
    )  # fmt: skip
    found = read(
        XML,
        f"<book xmlns='http://docbook.org/ns/docbook'><title>Book</title><chapter><title>One</title>{links}</chapter>"
        "<chapter xml:id='a'><title>The <emphasis>second</emphasis></title><para xml:id='p'>x</para></chapter>"
        "<chapter xml:id='b' xreflabel='Third'><title>The third</title><titleabbrev xml:id='t'>Ch. 3</titleabbrev>"
        f"<para>y</para></chapter><chapter xml:id='c'><info><title>{'Long ' * 50}</title></info><para>z</para>"
        "</chapter></book>",
        "a.xml",
    )
    said = [one.text for one in of(found, Paragraph) if one.text.startswith("See")]
    assert said[:3] == ["See The second.", "See Third.", "See Ch. 3."]
    assert said[3].startswith("See Long Long") and len(said[3]) < 210
    assert said[4:] == ["See [p].", "See [none]."]


def test_abstracts_of_a_docbook_and_of_its_chapters_are_text() -> None:
    document = read(
        XML,
        "<!DOCTYPE book PUBLIC '-//OASIS//DTD DocBook XML V4.5//EN' ''>"
        "<book><bookinfo><title>The book</title><abstract><para>Wombats at large.</para></abstract></bookinfo>"
        "<chapter><chapterinfo><abstract><para>Burrows first.</para></abstract></chapterinfo><title>One</title>"
        "<para>Dig.</para></chapter></book>",
        "index.docbook",
    )
    assert [block.text for block in of(document, Paragraph)] == ["Wombats at large.", "Burrows first.", "Dig."]
    assert document.description == "Wombats at large."


def test_a_docbook_whose_document_type_is_a_file_of_its_own() -> None:
    document = read(
        XML,
        '<?xml version="1.0"?><!DOCTYPE book SYSTEM "local.dtd"><!-- Template --><book id="index" lang="en">'
        "<bookinfo><title>Manual of &app;</title><revhistory><revision><revnumber>V2</revnumber> <date>May 2016</date>"
        "<revdescription><para>All anew.</para></revdescription></revision></revhistory></bookinfo>"
        "<chapter><title>One</title><para>Dig &amp; rest.</para>"
        "</chapter></book>",
        "index.docbook",
    )
    assert document.title == "Manual of app"
    assert [heading.text for heading in of(document, Heading)] == ["One"]
    assert [item.text for item in of(document, ListItem)] == ["V2 May 2016", "All anew."]
    assert [block.text for block in of(document, Paragraph)] == ["Dig & rest."]


def test_what_the_head_of_a_manual_page_in_docbook_tells() -> None:
    document = read(
        XML,
        "<!DOCTYPE refentry PUBLIC '-//OASIS//DTD DocBook XML V4.2//EN' ''>"
        "<refentry><refentryinfo><productname>burrow</productname><author><firstname>Bo</firstname>"
        "<surname>Lee</surname></author></refentryinfo><refmeta><refentrytitle>dig</refentrytitle>"
        "<manvolnum>1</manvolnum><refmiscinfo class='manual'>User commands</refmiscinfo></refmeta>"
        "<refnamediv><refname>dig</refname><refpurpose>make a hole</refpurpose></refnamediv></refentry>",
        "dig.docbook",
    )
    assert document.title == "dig"
    assert [heading.text for heading in of(document, Heading)] == ["dig(1)"]
    assert document.metadata == {"product": "burrow", "manual": "User commands", "author": "Bo Lee"}


def test_synopses_keys_and_menus_in_docbook_have_what_parts_them() -> None:
    document = read(
        XML,
        "<refentry xmlns='http://docbook.org/ns/docbook' id='r'><refmeta><refentrytitle>dig</refentrytitle></refmeta>"
        "<refsynopsisdiv><cmdsynopsis id='c'>\n<command>dig</command>"
        "<arg>-v</arg>\n<arg choice='plain' rep='repeat'><replaceable>PLACE</replaceable></arg>"
        "<group choice='req'><arg choice='plain'>-a</arg><arg>-b <replaceable>X</replaceable></arg></group><sbr/>"
        "<arg rep='repeat'>-w</arg></cmdsynopsis><funcsynopsis><funcprototype><funcdef>int <function>dug</function>"
        "</funcdef><paramdef>int <parameter>by</parameter></paramdef><varargs/></funcprototype>"
        "<funcprototype><funcdef>int <function>left</function></funcdef><void/></funcprototype></funcsynopsis>"
        "</refsynopsisdiv><para>Press <keycombo><keycap>Ctrl</keycap><keycap>D</keycap></keycombo>, then <keycombo "
        "action='seq'><keycap>g</keycap> <keycap>i</keycap></keycombo>, or choose <menuchoice><guimenu>Hole</guimenu>"
        "<guimenuitem>Fill<optional>s</optional></guimenuitem></menuchoice>: <xref linkend='c'/>, <xref linkend='r'/>."
        "</para></refentry>",
        "dig.xml",
    )
    assert [heading.text for heading in of(document, Heading)] == ["dig", "Synopsis"]
    assert [block.text for block in of(document, Paragraph)] == [
        "dig [-v] PLACE... {-a | -b X}\n[-w...]",
        "int dug(int by, ...);",
        "int left(void);",
        "Press Ctrl+D, then g i, or choose Hole ▸ Fill[s]: dig, dig.",
    ]


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


def test_footnotes_of_an_article_stand_where_they_are_called() -> None:
    notes = '<fn id="n1"><p>As <italic>seen</italic>.</p></fn><fn id="n2"><p>Alone.</p></fn>'
    called = '<sec><title>One</title><p>Wombats<xref ref-type="fn" rid="n1">a</xref> dig.<break/>Deep.</p></sec>'
    body = f"<body>{called}<sec><title>Two</title><p>More.</p></sec></body><back><fn-group>{notes}</fn-group></back>"
    document = read(XML, f'<article dtd-version="1.1">{body}</article>', "a.xml")
    whole = [block.text for block in document.parts[0].blocks if isinstance(block, (Paragraph, Note))]
    assert whole == ["Wombats[a] dig.\nDeep.", "As seen."]
    assert "Alone." in [block.text for block in of(document, Paragraph)]


def test_fields_of_a_reference_are_parted_and_reviews_are_chapters() -> None:
    person = "<name><surname>{}</surname><given-names>{}</given-names></name>"
    article = f"""<article dtd-version="1.3" article-type="research-article"><front><article-meta><title-group>
        <article-title>On wombats</article-title></title-group><contrib-group><aff>University of Perth</aff>
        </contrib-group>        <kwd-group><kwd>burrows</kwd><kwd>marsupials</kwd></kwd-group></article-meta></front>
        <body><sec><title>Methods</title><fig><label>Figure 1</label><caption><p>The burrow<fig><label>Figure 1a</label>
        <caption><p>Its door</p></caption><graphic href="b.png"/></fig> at night</p>
        </caption><graphic href="a.png"/></fig></sec></body>
        <back><ref-list><title>References</title><ref><element-citation><person-group>{person.format("Lee", "B")}{
        person.format("Ray", "C")
    }</person-group><year>2020</year><source>Acta</source><fpage>7</fpage><lpage>9</lpage>
        <pub-id>10.1/abc</pub-id></element-citation></ref>
        <ref><mixed-citation>{
        person.format("Fox", "D")
    }, <year>2021</year>: told.</mixed-citation></ref></ref-list></back>
        <sub-article article-type="decision-letter"><front-stub><title-group><article-title>Decision letter
        </article-title></title-group><contrib-group>
        <contrib>{person.format("Poe", "Ann")}<role>Editor</role></contrib></contrib-group>
        </front-stub><body><p>We liked it.</p></body></sub-article></article>"""
    document = read(XML, article.encode(), "paper.nxml")
    assert document.metadata == {"keywords": "burrows; marsupials", "affiliations": "University of Perth"}
    assert [item.text for item in of(document, ListItem)] == [
        "Lee B, Ray C. 2020. Acta. 7–9. 10.1/abc",
        "Fox D, 2021: told.",
    ]
    assert [figure.caption for figure in of(document, Figure)] == ["Figure 1 The burrow at night", "Figure 1a Its door"]
    assert document.parts[-1].title == "Decision letter"
    review = document.parts[-1].blocks
    assert [block.text for block in review if isinstance(block, Paragraph)] == ["Ann Poe, Editor", "We liked it."]


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


XER = "\r\n".join("\t".join(line) for line in (
    ("ERMHDR", "20.12", "2024-03-01", "Project"),
    ("%T", "PROJECT"), ("%F", "proj_id", "proj_short_name"), ("%R", "1", "HALL"),
    ("%T", "PROJWBS"), ("%F", "wbs_id", "proj_id", "parent_wbs_id", "wbs_name", "proj_node_flag"),
    ("%R", "10", "1", "", "New hall", "Y"), ("%R", "11", "1", "10", "Ground", "N"),
    ("%R", "12", "1", "11", "Pits", "N"),
    ("%R", "13", "1", "13", "Circle", "N"),
    ("%T", "TASK"),
    ("%F", "task_id", "wbs_id", "task_code", "task_name", "status_code", "target_drtn_hr_cnt", "target_start_date",
     "target_end_date", "act_start_date"),
    ("%R", "5", "12", "A100", "Dig", "TK_Active", "80", "2024-03-01 08:00", "2024-03-12 17:00", "2024-03-02 09:30"),
    ("%R", "6", "13", "A110", "Pour", "TK_NotStart", "8", "2024-03-13 08:00", "2024-03-13 17:00", ""),
    ("%T", "TASKPRED"), ("%F", "task_id", "pred_task_id", "pred_type"), ("%R", "6", "5", "PR_SS"),
    ("%T", "RSRC"), ("%F", "rsrc_id", "rsrc_short_name", "rsrc_name"), ("%R", "7", "EX", "Digger"),
    ("%T", "TASKRSRC"), ("%F", "task_id", "rsrc_id"), ("%R", "5", "7"), ("%E",),
))  # fmt: skip


def test_a_plan_of_primavera() -> None:
    document = read(XML, XER, "hall.xer")
    assert [heading.text for heading in of(document, Heading)] == ["HALL – New hall", "Activities", "Resources"]
    activities, resources = of(document, Table)
    assert activities.rows == (
        ("ID", "Activity", "Division", "Start", "Finish", "Hours", "Status", "After", "Who"),
        ("A100", "Dig", "Ground / Pits", "2024-03-02 09:30", "2024-03-12", "80", "In Progress", "", "Digger"),
        ("A110", "Pour", " / ".join(["Circle"] * 50), "2024-03-13", "2024-03-13", "8", "Not Started", "A100 SS", ""),
    )
    assert resources.rows == (("Resource", "Name"), ("EX", "Digger"))


def test_a_plan_of_primavera_in_xml() -> None:
    document = read(
        XML,
        "<APIBusinessObjects xmlns='http://xmlns.oracle.com/Primavera/P6/V20.12/API/BusinessObjects'>"
        "<Resource><ObjectId>7</ObjectId><Id>EX</Id><Name>Digger</Name></Resource>"
        "<Project><Id>HALL</Id><Name>New hall</Name>"
        "<WBS><ObjectId>11</ObjectId><Name>Ground</Name></WBS><Activity><ObjectId>5</ObjectId><Id>A100</Id><Name>Dig</Name>"
        "<WBSObjectId>11</WBSObjectId><PlannedStartDate>2024-03-01T08:00:00</PlannedStartDate><Status>Completed</Status>"
        "</Activity><ResourceAssignment><ActivityObjectId>5</ActivityObjectId><ResourceObjectId>7</ResourceObjectId>"
        "</ResourceAssignment></Project></APIBusinessObjects>",
        "hall.xml",
    )
    assert document.title == "New hall"
    assert of(document, Table)[0].rows == (
        ("ID", "Activity", "Division", "Start", "Status", "Who"),
        ("A100", "Dig", "Ground", "2024-03-01", "Completed", "Digger"),
    )
