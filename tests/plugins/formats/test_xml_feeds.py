"""Feeds: each entry a chapter with its date, author, link and text."""

import pytest
from sidecar_text import TextFormat
from sidecar_xml import XmlFormat
from support.formats.plugin_reading import of, read

from sidecar.api import Heading, ListItem, Paragraph, ParsedDocument, Source

XML = XmlFormat()
RSS = """<?xml version="1.0" encoding="UTF-8"?><?xml-stylesheet href="a.xsl"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Harbour &amp; news</title><link>https://example.org/</link>
<atom:link href="https://example.org/rss" rel="self"/><description>All about berths</description><language>en</language>
<item><title>Berth 7 opens</title><link>https://example.org/7</link><pubDate>Mon, 06 Sep 2021 16:45:00 +0200</pubDate>
<dc:creator>Ann</dc:creator><category>ports</category>
<description>&lt;p&gt;A &lt;b&gt;new&lt;/b&gt; berth &amp;amp; quay.
&lt;/p&gt;</description><enclosure url="https://example.org/7.mp3" type="audio/mpeg" length="1"/></item>
<item><title>Berth 8 closes</title><guid>https://example.org/8</guid><pubDate>yesterday</pubDate>
<description>Closed for [&#8230;]</description>
<content:encoded><![CDATA[<h1>Why</h1><p>Closed for <i>repair</i>.</p><ul><li>one</li></ul>]]></content:encoded></item>
<item><description>Ships &lt; 10 m may pass.

Others wait.</description></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">Ex&lt;b&gt;ample&lt;/b&gt;</title>
<link href="http://example.org/"/><updated>2003-12-13T18:30:02Z</updated><author><name>John Doe</name></author>
<entry><title>Robots</title><link href="http://example.org/a" rel="alternate"/><link rel="edit" href="http://x/edit"/>
<published>2003-12-12T10:00:00Z</published><updated>2003-12-13T18:30:02Z</updated><author><name>Ann</name></author>
<category term="news"/><summary>In short.</summary>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>AT&amp;T bought <b>by SBC</b></p></div></content>
</entry></feed>"""
RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
 xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="https://example.org/"><title>Old feed</title></channel>
<item rdf:about="https://example.org/1"><title>One</title><link>https://example.org/1</link><dc:date>2004-05-06</dc:date>
</item></rdf:RDF>"""


def _texts(document: ParsedDocument, part: int) -> list[str]:
    return [block.text for block in document.parts[part].blocks if isinstance(block, Heading | Paragraph | ListItem)]


def test_entries_of_rss() -> None:
    document = read(XML, RSS, "news.xml")
    assert (document.title, document.description) == ("Harbour & news", "All about berths")
    assert document.metadata == {"language": "en", "entries": "3"}
    assert [part.title for part in document.parts] == ["Berth 7 opens", "Berth 8 closes", "Untitled"]
    about = "2021-09-06 16:45 · Ann · #ports · https://example.org/7 · https://example.org/7.mp3"
    assert _texts(document, 0) == ["Berth 7 opens", about, "A new berth & quay."]
    links = [span.value for block in of(document, Paragraph) for span in block.spans if span.kind == "link"]
    assert links == ["https://example.org/7", "https://example.org/7.mp3", "https://example.org/8"]
    assert _texts(document, 1) == [
        "Berth 8 closes", "yesterday · https://example.org/8", "Why", "Closed for repair.", "one",
    ]  # fmt: skip
    assert _texts(document, 2) == ["Untitled", "Ships < 10 m may pass.", "Others wait."]


def test_entries_of_atom() -> None:
    document = read(XML, ATOM, "robots.atom")
    assert document.title == "Example"
    assert document.metadata == {"modified": "2003-12-13 18:30", "author": "John Doe", "entries": "1"}
    about = "2003-12-12 10:00 · Ann · #news · http://example.org/a"
    assert _texts(document, 0) == ["Robots", about, "In short.", "AT&T bought by SBC"]


def test_entries_of_rss_1() -> None:
    document = read(XML, RDF, "old.rdf")
    assert document.title == "Old feed"
    assert _texts(document, 0) == ["One", "2004-05-06 · https://example.org/1"]


@pytest.mark.parametrize("text", [RDF.replace("purl.org/rss", "example.org/x"), ATOM.replace("2005/Atom", "2005/X")])
def test_other_files_with_such_roots_are_no_feeds(text: str) -> None:
    source = Source.of_bytes(text.encode(), "data.xml")
    assert XML.score(source) == 0
    assert TextFormat().score(source)
