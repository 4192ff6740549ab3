"""Translations that programs exchange: a row a text."""

from sidecar_xml import XmlFormat
from support.formats.plugin_reading import of, read

from sidecar.api import Heading, Table

XML = XmlFormat()
XLIFF_1 = """<?xml version="1.0"?><xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file original="menu.txt" source-language="en" target-language="de" datatype="plaintext"><body><group>
<trans-unit id="7" resname="open"><source>Open <ph id="1">&lt;b&gt;</ph>file</source>
<target>Datei <g id="2">öffnen</g></target>
<note>In the menu</note><note>Short</note></trans-unit></group>
<trans-unit id="8"><source>Quay</source></trans-unit></body></file></xliff>"""
XLIFF_2 = """<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="fr"><file id="f1">
<unit id="u1"><notes><note>Greeting</note></notes><segment><source>Hello.</source><target>Bonjour.</target></segment>
<segment><source>World.</source><target>Monde.</target></segment></unit></file></xliff>"""
TMX = """<?xml version="1.0"?><!DOCTYPE tmx SYSTEM "tmx14.dtd"><tmx version="1.4"><header srclang="en"/><body>
<tu><tuv xml:lang="en"><seg>Hello <bpt i="1">{b}</bpt>you</seg></tuv><tuv xml:lang="de"><seg>Hallo du</seg></tuv></tu>
<tu><tuv xml:lang="en"><seg>Quay</seg></tuv><tuv xml:lang="fr"><seg>Quai</seg></tuv></tu></body></tmx>"""


def test_texts_of_xliff_with_their_translations_and_notes() -> None:
    document = read(XML, XLIFF_1, "menu.xlf")
    assert [one.text for one in of(document, Heading)] == ["menu.txt"]
    (table,) = of(document, Table)
    assert table.header_rows == 1
    assert table.rows == (
        ("ID", "en", "de", "Note"), ("open", "Open file", "Datei öffnen", "In the menu; Short"), ("8", "Quay", "", ""),
    )  # fmt: skip


def test_segments_of_xliff_2() -> None:
    (table,) = of(read(XML, XLIFF_2, "greeting.xliff"), Table)
    assert table.rows == (
        ("ID", "en", "fr", "Note"), ("u1", "Hello.", "Bonjour.", "Greeting"), ("u1", "World.", "Monde.", "Greeting"),
    )  # fmt: skip


def test_a_memory_of_translations_has_a_column_a_language() -> None:
    (table,) = of(read(XML, TMX, "memory.tmx"), Table)
    assert table.rows == (("en", "de", "fr"), ("Hello you", "Hallo du", ""), ("Quay", "", "Quai"))
