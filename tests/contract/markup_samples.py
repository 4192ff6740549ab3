"""Sound files for the formats that are text: plain, delimited, Markdown, HTML, mail, notebooks."""

from __future__ import annotations

import base64
import json
import plistlib
import struct
from email.message import EmailMessage

from contract.containers import compound_file
from contract.pictures import PNG, make_png

__all__ = [
    "calendar_files",
    "csv_files",
    "envelope",
    "html_files",
    "mail_files",
    "markdown_files",
    "notebook_files",
    "text_files",
]

_DATA_URL = "data:image/png;base64," + base64.b64encode(PNG).decode()

_PROSE = """A Title
=======

The first paragraph
runs over two lines.

- one
- two
  going on

name      size
alpha     1
beta      2

Chapter 2

Ümläute und 汉字.
"""

_RST = """:Author: Ann

=====
Title
=====

Text with *emphasis*, ``code`` and `a link <http://example.org>`_ [1]_.

.. [1] A footnote.

Section
-------

.. code-block:: python

   print(1)

+---+---+
| a | b |
+===+===+
| 1 | 2 |
+---+---+

=== ===
x   y
=== ===
1   2
=== ===

1. one
2. two

term
   definition

.. image:: a.png
   :alt: An image
"""

_ORG = """#+TITLE: Org
* One
Text /italic/ [[http://example.org][link]].
- [ ] do
** Two
| a | b |
|---+---|
| 1 | 2 |
#+begin_src sh
ls
#+end_src
"""


def text_files() -> dict[str, bytes]:
    code = "".join(f"def function_{n}(value):\n    return value + {n}\n\n\n" for n in range(60))
    return {
        "prose.txt": _PROSE.encode(),
        "latin.txt": "Straße, Äpfel und Öfen, größer als früher.\n".encode("cp1252") * 5,
        "wide.txt": _PROSE.encode("utf-16"),
        "doc.rst": _RST.encode(),
        "notes.org": _ORG.encode(),
        "module.py": code.encode(),
        "data.json": b'{"key": [1, 2, {"inner": "value"}]}',
        "Makefile": b"all:\n\tcc main.c\n",
        "talk.srt": b"1\n00:00:01,000 --> 00:00:02,500\nGood morning.\n\n2\n00:00:03,000 --> 00:00:04,000\nAll.\n",
        "talk.vtt": b"WEBVTT\n\n00:01.000 --> 00:02.500\n<v Ada>Good morning.\n",
        "talk.ttml": b'<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="1s">Hello</p></div></body></tt>',
        "drawing.eps": b"%!PS-Adobe-3.0 EPSF-3.0\n/T {moveto show} def (Order) 72 700 T (placed) 72 600 T\n",
        "report.lyx": b"#LyX 2.3\n\\begin_body\n\\begin_layout Section\nStart\n\\end_layout\n\\end_body\n",
        "copy.man": b".TH COPY 1\n.SH NAME\ncopy \\- put files elsewhere\n",
        "copy.pod": b"=head1 NAME\n\ncopy - put B<files> elsewhere\n",
        "copy.texi": b"@settitle Copy\n@chapter Start\nPut @emph{files} elsewhere.\n",
        "settings.plist": plistlib.dumps({"name": "Kiwi", "seen": [1, 2]}, fmt=plistlib.FMT_BINARY),
    }


def csv_files() -> dict[str, bytes]:
    long = "id,name,amount\n" + "".join(f"{n},row {n},{n * 1.5}\n" for n in range(700))
    return {
        "long.csv": long.encode(),
        "semicolons.csv": 'Name;Größe\n"a;b";1,5\n"two\nlines";2\nragged\n'.encode("cp1252"),
        "tabs.tsv": b"a\tb\tc\n1\t2\t3\n4\t5\t6\n",
        "pipes.psv": b"a|b\n1|2\n3|4\n",
        "birds.jsonl": b'{"name": "Kiwi", "seen": {"year": 2019}}\n{"name": "Kea", "seen": {"year": 2020}}\n',
    }


def markdown_files() -> dict[str, bytes]:
    text = f"""---
title: "The title"
tags: [one, two]
---
# Guide

Intro with **bold**, *italic*, `code`, [link](http://example.org), $x^2$ and a note[^1].

## First

- item
  - inner
- [x] done

1. one
2. two

| a | b |
|---|---|
| **1** | [l](u) |

```python
print(1)
```

## Second

> quoted

$$
\\int x
$$

![drawn]({_DATA_URL})
![outside](pictures/a.png "Figure 3: The outside")

<details><summary>More</summary>hidden text</details>

[^1]: The *note*.
"""
    return {
        "guide.md": text.encode(),
        "plain.markdown": b"just text\n",
        "toml.md": b'+++\ntitle = "T"\n+++\n\n# H\n\ntext\n',
    }


def html_files() -> dict[str, bytes]:
    page = f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>The page</title>
<meta name="description" content="What it is"><style>p {{}}</style></head><body>
<nav><a href="/">Home</a> <a href="/x">Else</a></nav>
<main><h1 id="top">Heading</h1><p>A paragraph with <b>bold</b>, <a href="http://example.org">a link</a>, H<sub>2</sub>O
and <math><msup><mi>x</mi><mn>2</mn></msup></math>, long enough to count as the content of the page by any measure.</p>
<h2>List</h2><ol start="3"><li>three<ul><li>inner</li></ul></li><li>four</li></ol>
<dl><dt>term</dt><dd>what it is</dd></dl>
<table><caption>Table 1: Numbers</caption><thead><tr><th>a</th><th colspan="2">b</th></tr></thead>
<tr><td rowspan="2">1</td><td>2</td><td><a href="u">3</a></td></tr>
<tr><td>4</td><td><table><tr><th>n</th></tr></table></td></tr></table>
<figure><img src="{_DATA_URL}" alt="drawn"><figcaption>Figure 1. A picture</figcaption></figure>
<pre><code class="language-python">print(1)</code></pre><blockquote>quoted</blockquote>
<p style="display:none">unseen</p></main><footer>All rights reserved</footer></body></html>"""
    saved = f"""From: <Saved by Blink>
Snapshot-Content-Location: http://example.org/
MIME-Version: 1.0
Content-Type: multipart/related; boundary="----=_b"

------=_b
Content-Type: text/html
Content-Location: http://example.org/

<html><body><h1>Saved</h1><img src="a.png" alt="it"></body></html>
------=_b
Content-Type: image/png
Content-Transfer-Encoding: base64
Content-Location: http://example.org/a.png

{base64.b64encode(PNG).decode()}
------=_b--
"""
    old = "<html><meta charset=iso-8859-1><body><h1>Größe</h1><p>Maß</body></html>"
    return {"page.html": page.encode(), "saved.mhtml": saved.encode(), "old.htm": old.encode("latin-1")}


def mail_files() -> dict[str, bytes]:
    inner = EmailMessage()
    inner["Subject"], inner["From"] = "Inner", "c@example.org"
    inner.set_content("The inner message.")
    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = "Grüße", "Ann <ann@example.org>", "Bo <bo@example.org>"
    message["Date"] = "Thu, 01 Jan 2026 10:00:00 +0100"
    message.set_content("Hello,\n\n> quoted before\n\nthe answer.\n")
    message.add_alternative(f"<p>Hello <b>there</b><img src='{_DATA_URL}' alt='d'></p>", subtype="html")
    message.add_attachment(PNG, maintype="image", subtype="png", filename="a.png")
    message.add_attachment(b"a,b\n1,2\n", maintype="text", subtype="csv", filename="t.csv")
    message.add_attachment(inner)
    plain = b"From: a@example.org\r\nTo: b@example.org\r\nSubject: s\r\n\r\nbody\r\n"
    mbox = (
        b"From a@example.org Thu Jan  1 10:00:00 2026\n"
        + plain
        + b"\nFrom b@example.org Thu Jan  1 11:00:00 2026\n"
        + plain
    )

    def wide(text: str) -> bytes:
        return text.encode("utf-16-le")

    attachment = "__attach_version1.0_#00000000"
    recipient = "__recip_version1.0_#00000000"
    outlook = compound_file(
        {
            "__properties_version1.0": bytes(32),
            "__substg1.0_0037001F": wide("Outlook subject"),
            "__substg1.0_1000001F": wide("Body of the Outlook message.\r\n\r\nSecond paragraph."),
            "__substg1.0_0C1A001F": wide("Ann"),
            "__substg1.0_5D01001F": wide("ann@example.org"),
            f"{recipient}/__properties_version1.0": bytes(8),
            f"{recipient}/__substg1.0_3001001F": wide("Bo"),
            f"{recipient}/__substg1.0_39FE001F": wide("bo@example.org"),
            f"{attachment}/__properties_version1.0": bytes(8),
            f"{attachment}/__substg1.0_3707001F": wide("a.png"),
            f"{attachment}/__substg1.0_37010102": PNG,
        }
    )
    found = {"letter.eml": message.as_bytes(), "plain.eml": plain, "box.mbox": mbox, "outlook.msg": outlook}
    return found | {"winmail.dat": envelope()}


def tnef_file(properties: bytes, *attached: tuple[str, bytes, bytes]) -> bytes:
    """An Outlook envelope ([MS-OXTNEF] 2.1): properties, then `(title, data, properties)` of each attachment."""

    def attribute(level: int, identity: int, kind: int, value: bytes) -> bytes:
        return struct.pack("<BHHI", level, identity, kind, len(value)) + value + struct.pack("<H", sum(value) & 0xFFFF)

    stream = b"\x78\x9f\x3e\x22\x01\x00" + attribute(1, 0x9006, 8, struct.pack("<I", 0x10000))
    stream += attribute(1, 0x9007, 6, struct.pack("<II", 1252, 0)) + attribute(1, 0x8004, 1, b"Caf\xe9 plans\0")
    stream += attribute(1, 0x9003, 6, properties)
    for title, data, more in attached:
        stream += attribute(2, 0x9002, 6, bytes(14)) + attribute(2, 0x8010, 1, title.encode("cp1252") + b"\0")
        stream += attribute(2, 0x800F, 6, data) if data else b""
        stream += attribute(2, 0x9005, 6, more) if more else b""
    return stream


def mapi_properties(*values: tuple[int, int, bytes]) -> bytes:
    """`(id, type, value)` as a list of properties; after a named one, which readers must step over."""
    packed = struct.pack("<IHH", len(values) + 1, 3, 0x8001) + bytes(16) + struct.pack("<II", 1, 6) + b"a\0b\0\0\0\0\0"
    packed += struct.pack("<I", 7)
    for identity, kind, value in values:
        packed += struct.pack("<HH", kind, identity)
        packed += struct.pack("<II", 1, len(value)) if kind in (0x0D, 0x1E, 0x1F, 0x102) else b""
        packed += value + bytes(-len(value) % 4)
    return packed


def envelope() -> bytes:
    """A winmail.dat with an HTML body, a picture by its short name, a table by its long one, and a message."""

    def wide(text: str) -> bytes:
        return text.encode("utf-16-le") + b"\0\0"

    inner = tnef_file(mapi_properties((0x0037, 0x1F, wide("Inner letter")), (0x1000, 0x1F, wide("The inner body."))))
    said = (
        (0x0C1A, 0x1F, wide("Ann")), (0x5D01, 0x1F, wide("ann@example.org")), (0x0E04, 0x1E, b"Bo\0"),
        (0x0039, 0x40, struct.pack("<Q", 133_538_000_000_000_000)),
        (0x1013, 0x102, b"<html><body><p>The <b>gazebo</b> is ready.</p></body></html>"),
    )  # fmt: skip
    return tnef_file(
        mapi_properties(*said),
        ("PLAN~1.PNG", PNG, b""),
        ("COSTS~1.CSV", b"item,euro\ngazebo,1200\n", mapi_properties((0x3707, 0x1F, wide("costs of it.csv")))),
        ("Inner letter", b"", mapi_properties((0x3701, 0x0D, bytes(16) + inner))),
    )


def calendar_files() -> dict[str, bytes]:
    picture = base64.b64encode(PNG).decode()
    calendar = (
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y\r\nX-WR-CALNAME:Team\r\n"
        "BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nBEGIN:STANDARD\r\nDTSTART:19701025T030000\r\nEND:STANDARD\r\n"
        "END:VTIMEZONE\r\nBEGIN:VEVENT\r\nUID:1@x\r\nDTSTART;TZID=Europe/Berlin:20240305T100000\r\n"
        "DTEND;TZID=Europe/Berlin:20240305T113000\r\nSUMMARY:Review of the bri\r\n dge\\, second part\r\n"
        "LOCATION:Room 4\r\nORGANIZER;CN=Ann Lee:mailto:ann@example.org\r\n"
        'ATTENDEE;CN="Bo: the second";PARTSTAT=ACCEPTED:MAILTO:bo@example.org\r\n'
        "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;COUNT=5\r\nEXDATE;TZID=Europe/Berlin:20240319T100000\r\n"
        "DESCRIPTION:Bring the plans.\\nAnd the figures.\\n\\nLunch follows.\r\n"
        f"ATTACH;FMTTYPE=image/png;ENCODING=BASE64;VALUE=BINARY;X-FILENAME=plan.png:{picture}\r\n"
        "BEGIN:VALARM\r\nTRIGGER:-PT15M\r\nACTION:DISPLAY\r\nDESCRIPTION:Reminder\r\nEND:VALARM\r\nEND:VEVENT\r\n"
        "BEGIN:VTODO\r\nSUMMARY:Order gaskets\r\nDUE;VALUE=DATE:20240401\r\nSTATUS:NEEDS-ACTION\r\nEND:VTODO\r\n"
        "BEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20240510\r\nDTEND;VALUE=DATE:20240513\r\nSUMMARY:Fair\r\nEND:VEVENT\r\n"
        "END:VCALENDAR\r\n"
    )
    cards = (
        "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Ríos;Ana;María;Dr.;\r\nFN:Dr. Ana María Ríos\r\nORG:Puentes SA;Diseño\r\n"
        "EMAIL;TYPE=INTERNET,WORK:ana@example.org\r\nTEL;TYPE=CELL,pref:+34 600 000 001\r\n"
        "item1.TEL:+34 600 000 002\r\nitem1.X-ABLabel:_$!<Assistant>!$_\r\n"
        "ADR;TYPE=HOME:;;Calle Mayor 3;Soria;;42001;Spain\r\n"
        "BDAY:1980-02-29\r\nNOTE:Met at the fair\\; likes arches.\r\n"
        f"PHOTO;ENCODING=b;TYPE=PNG:{picture}\r\nEND:VCARD\r\n"
        "BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller;J=\r\n=F6rg\r\n"
        "TEL;WORK;VOICE:+49 30 1\r\nEND:VCARD\r\n"
    )
    return {"team.ics": calendar.encode(), "people.vcf": cards.encode()}


def notebook_files() -> dict[str, bytes]:
    table = "<table><tr><th>a</th></tr><tr><td>1</td></tr></table>"
    outputs = [
        {"output_type": "stream", "name": "stdout", "text": ["1\n"]},
        {"output_type": "execute_result", "data": {"text/html": table, "text/plain": "   a\n0  1"}},
        {"output_type": "display_data", "data": {"image/png": base64.b64encode(make_png(9, 9)).decode()}},
        {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["\x1b[31mE\x1b[0m: v"]},
    ]
    attachments = {"a.png": {"image/png": base64.b64encode(PNG).decode()}}
    title = ["# Title\n", "Text with $x$ ![a](attachment:a.png)."]
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": title, "attachments": attachments},
        {"cell_type": "code", "metadata": {}, "execution_count": 1, "source": "print(1)", "outputs": outputs},
        {"cell_type": "markdown", "metadata": {}, "source": "# Second\n\nmore"},
    ]
    notebook = {"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    heading = {"cell_type": "heading", "level": 1, "source": "Old"}
    old = {"worksheets": [{"cells": [heading, {"cell_type": "code", "input": "x", "outputs": []}]}], "nbformat": 3}
    return {"work.ipynb": json.dumps(notebook).encode(), "old.ipynb": json.dumps(old).encode()}


def rtf_files() -> dict[str, bytes]:
    """A document with a heading, a list, a table in a table, notes, a comment, changes and a picture."""
    picture = PNG.hex().encode()
    return {
        "report.rtf": rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}{\f1\fcharset204 Arial Cyr;}}"
        rb"{\stylesheet{Normal;}{\s1\outlinelevel0 heading 1;}}{\*\revtbl{Unknown;}{Ann;}}{\info{\title The report}}"
        rb"{\header Head\par}\pard\s1 One\par\pard Gr\'fc\'dfe {\f1 \'cf\'f0} {\b bold} \u8364?"
        rb"{\footnote A note.}{\*\atnauthor Ann}{\*\annotation Why?}{\revised\revauth1 new}\par"
        rb"{\listtext 1.\tab}\pard\ls1 item\par\trowd\cellx900\cellx1800\pard\intbl a\cell"
        rb"\pard\intbl\itap2 in\nestcell{\*\nesttableprops\trowd\cellx400\nestrow}\pard\intbl b\cell\row"
        rb"\pard\s1 Two\par\pard{\pict\pngblip " + picture + rb"}Figure 1. The picture\par"
        rb'{\field{\*\fldinst HYPERLINK "http://example.org"}{\fldrslt link}}\par}',
        "old.doc": rb"{\rtf1\mac Old words.\par}",
    }
