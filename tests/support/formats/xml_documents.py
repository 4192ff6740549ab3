"""A small book, articles and help in FictionBook, DocBook, JATS and Mallard, as pandoc and publishers write them; notes
and a map."""

from __future__ import annotations

import base64
import hashlib

from contract.pictures import PNG

__all__ = ["DOCBOOK", "EVERNOTE", "FICTION", "FREEMIND", "JATS"]

FICTION = f"""<?xml version="1.0" encoding="UTF-8"?>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink"><description>
<title-info><genre>prose</genre><author><first-name>Ann</first-name><last-name>Smith</last-name></author>
<book-title>Field report</book-title><annotation><p>What we saw.</p></annotation><lang>en</lang>
</title-info></description>
<body><section><title><p>Chapter</p><p>One</p></title><epigraph><p>Motto</p></epigraph><p>A <emphasis>fine</emphasis>
day.<a l:href="#n1" type="note">[1]</a></p><poem><stanza><v>First line</v><v>Second line</v></stanza></poem>
<image l:href="#logo.png" alt="Logo"/><table><tr><th>a</th></tr><tr><td>1</td></tr></table></section>
<section><title><p>Two</p></title><p>The end.</p></section></body>
<body name="notes"><section id="n1"><title><p>1</p></title><p>The footnote.</p></section></body>
<binary id="logo.png" content-type="image/png">{base64.b64encode(PNG).decode()}</binary></FictionBook>"""

DOCBOOK = """<?xml version="1.0"?>
<!DOCTYPE article PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN" "docbookx.dtd">
<article><articleinfo><title>Guide</title><author><firstname>Bo</firstname><surname>Lee</surname></author>
<date>2024-03-01</date></articleinfo>
<sect1 id="a"><title>Start</title>
<para>Run <command>make</command>, see <ulink url="https://example.org">this</ulink>.
<footnote><para>Only once.</para></footnote></para><note><title>Mind</title><para>the gap</para></note>
<orderedlist><listitem><para>First</para></listitem></orderedlist>
<variablelist><varlistentry><term>Term</term><listitem><para>Meaning</para></listitem></varlistentry></variablelist>
<programlisting language="sh">ls -l</programlisting>
<table><title>Prices</title><tgroup cols="2"><colspec colname="c1"/><colspec colname="c2"/><thead><row>
<entry namest="c1" nameend="c2">Both</entry></row></thead><tbody><row><entry morerows="1">x</entry>
<entry>1</entry></row>
<row><entry>2</entry></row></tbody></tgroup></table>
<figure><title>A plan</title><mediaobject><imageobject><imagedata fileref="plan.png"/></imageobject>
<textobject><phrase>not shown</phrase></textobject></mediaobject></figure></sect1>
<sect1><title>End</title><para>Done.<indexterm><primary>not shown</primary></indexterm></para></sect1></article>"""

JATS = """<?xml version="1.0"?>
<article xmlns:mml="http://www.w3.org/1998/Math/MathML" xmlns:xlink="http://www.w3.org/1999/xlink"
article-type="research">
<front><journal-meta><journal-title-group><journal-title>Acta</journal-title></journal-title-group></journal-meta>
<article-meta><article-id pub-id-type="doi">10.1/x</article-id><title-group><article-title>On <italic>wombats</italic>
</article-title></title-group><contrib-group><contrib contrib-type="author"><name><surname>Lee</surname>
<given-names>Bo</given-names></name></contrib></contrib-group><pub-date><day>1</day><month>3</month><year>2024</year>
</pub-date><abstract><p>In short.</p></abstract></article-meta></front>
<body><sec><title>Methods</title><p>We <bold>counted</bold>.</p><list list-type="bullet">
<list-item><p>once</p></list-item>
</list><fig><label>Figure 1</label><caption><p>The burrow</p></caption><graphic xlink:href="burrow.png"/></fig>
<table-wrap><label>Table 1</label><caption><p>Counts</p></caption><table><thead><tr><th>n</th></tr></thead><tbody>
<tr><td>7</td></tr></tbody></table></table-wrap><disp-formula><alternatives><tex-math>not shown</tex-math>
<mml:math display="block"><mml:mi>a</mml:mi></mml:math></alternatives></disp-formula></sec>
<sec><title>Results</title><p>Seven.</p></sec></body>
<back><ref-list><title>References</title><ref><mixed-citation>Smith 2020</mixed-citation></ref></ref-list>
</back></article>"""

_PICTURE = base64.b64encode(PNG).decode()
_DIGEST = hashlib.md5(PNG, usedforsecurity=False).hexdigest()

FREEMIND = """<map version="1.0.1"><node TEXT="Plan"><node TEXT="Buy" LINK="https://example.org/">
<node TEXT="milk"/></node>
<node><richcontent TYPE="NODE"><html><body><p>rich words</p></body></html></richcontent>
<richcontent TYPE="NOTE"><html><body><p>a remark</p></body></html></richcontent></node></node></map>"""

EVERNOTE = f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd"><en-export>
<note><title>Trip</title><content><![CDATA[<?xml version="1.0"?>
<!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd">
<en-note><div>Pack the <b>tent</b></div><div><en-todo checked="true"/>stove</div>
<en-media type="image/png" hash="{_DIGEST}"/>
</en-note>]]></content><created>20240301T101500Z</created><tag>travel</tag>
<note-attributes><author>Ann</author></note-attributes><resource><data encoding="base64">{_PICTURE}</data>
<mime>image/png</mime></resource><resource><data encoding="base64">QSBub3RlLg==</data><mime>text/plain</mime>
<resource-attributes><file-name>list.txt</file-name></resource-attributes></resource></note>
<note><title>Other</title><content><![CDATA[<en-note><ul><li>one</li></ul></en-note>]]></content></note>
</en-export>"""

MALLARD = """<?xml version="1.0" encoding="utf-8"?>
<page xmlns="http://projectmallard.org/1.0/" type="topic" id="files-lost" xml:lang="en">
  <info><link type="guide" xref="files"/><revision date="2024-03-01"/><title type="sort">Sorted</title>
    <credit type="author"><name>Bo Lee</name><email>bo@x.org</email></credit><desc>Find what is lost.</desc></info>
  <title>Find a <em>lost</em> file</title>
  <p>Choose <guiseq><gui>Files</gui> <gui>Search</gui></guiseq>, press <keyseq><key>Ctrl</key><key>F</key></keyseq>
    or see <link xref="files-search#more"/>; run <code>ls</code>.</p>
  <note style="tip"><p>Look in the trash.</p></note>
  <section id="how"><title>How</title>
    <steps><item><p>Open it.</p></item><item><p>Type.</p></item></steps>
    <terms><item><title>Trash</title><p>What was removed.</p></item></terms>
    <code mime="text/x-sh">ls -l
cd ..</code>
    <media type="image" src="figures/trash.png"><p>The trash</p></media>
    <table><tr><td><p>a</p></td><td><p>1</p></td></tr></table>
  </section>
  <comment><p>To be done.</p></comment>
</page>"""
