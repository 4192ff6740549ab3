"""No text makes a pattern of ours, or a format, work without end: digits, blanks or underscores in a row are parted by
a repeated group in exponentially many ways, or looked through again from each of them. One constant of eighteen digits
in a formula cost a real workbook, and a picture within a style sheet would cost a page."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from sidecar_html import HtmlFormat

from sidecar.api import Limits, Source
from sidecar.store.analysis import cjk_phrase
from sidecar.store.chinese import each_spelling
from sidecar.store.queries.functions import as_number
from sidecar.store.queries.statements import TOKEN
from sidecar.toolkit.ooxml.chartvalues import is_date_format
from sidecar.toolkit.ooxml.mathsymbols import latex_of
from sidecar.toolkit.tables.cells import heading_unit
from sidecar.toolkit.tables.numbers import read_number

ROOT = Path(__file__).parents[2]
LONG = 100_000
DEADLINE = 240
"""Seconds by the clock, after which work is stopped that would not end: exponential work takes years."""
PATTERN_SECONDS, TEXT_SECONDS = 10, 30
"""Of processor time, which a busy machine lengthens far less than time by the clock: for one pattern, which takes 0.25
at most, and for one text, which takes 0.02 to 4. A pattern whose work grows with the square takes 140 and more, which
may end before the deadline."""
BEGIN = r"""
import time
most, last, begun = float(%r), "", 0.0
def begin(name):
    global last, begun
    spent = time.process_time() - begun
    assert not last or spent < most, f"{last} takes {spent:.1f} s of processor time"
    print(name, flush=True)
    last, begun = name, time.process_time()
"""
LONG_RUNS = r"""
from importlib import import_module
from sidecar.api import Limits, ParsedDocument, Part, Source, Table
from sidecar.toolkit.tables.finding import find_relations
n, style = 400_000, "<style>.a{"
parts = "From: a@b.c\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=Q\n\n--Q\n\nme@x.y " + "A" * n
book = "<article xmlns='http://docbook.org/ns/docbook'><informaltable><tgroup><tbody>"
html = parts + "\n--Q\nContent-Type: text/html\n\n"
rest = "</tbody></tgroup></informaltable></article>"
for plugin, name, text in (
    ("sidecar_text:TextFormat", "a.org", "a" + " " * n + "b\n\n* a" + " " * n + "b"),
    ("sidecar_text:TextFormat", "b.org", "* b\n\n" + "[" * n),
    ("sidecar_html:HtmlFormat", "nested.html", style + ".b{top:0} background:url(data:x," + "A" * n + ")}</style><p>b"),
    ("sidecar_markdown:MarkdownFormat", "a.md", "1. one\n" * 40_000 + "\nx\n\n" + "![a](b)\n" * 40_000),
    ("sidecar_text:TextFormat", "sections.tex", "\\begin{document}" + "\\section{a}" * 60_000),
    ("sidecar_xml:XmlFormat", "rows.dbk", book + "<row><entry>a</entry><entry>b</entry></row>" * 25_000 + rest),
    ("sidecar_mail:MailFormat", "styles.eml", html + "<style>" * 60_000 + "\n--Q--\n"),
    ("sidecar_text:CsvFormat", "blanks.csv", "a;b\n1,5;1" + " " * n + "x\n2;3\n"),
    ("sidecar_html:HtmlFormat", "selector.html", "<style>a" + " " * n + "i{display:none}</style><p>b"),
    ("sidecar_mail:MailFormat", "a.eml", parts + "\n--Q\nContent-Type: text/html\n\n<p>me@x.y b\n--Q--\n"),
):
    begin(name)
    module, _, of = plugin.partition(":")
    assert getattr(import_module(module), of)().parse(Source.of_bytes(text.encode(), name), Limits()).parts
begin("a cell of addresses")
table = Table(rows=(("a@" * n, "1"), ("y", "2"), ("z", "3")))
assert find_relations(ParsedDocument(parts=(Part(kind="chapter", title="x", blocks=(table,)),)))
begin("11 texts")
"""
DRAWINGS = r"""
import sys
sys.path.insert(0, sys.argv[1] + "/tests")
from sidecar.api import Limits, Source
from sidecar_docx import DocxFormat
from support.office.docx_files import styled
place = '<wp:position{} relativeFrom="page"><wp:posOffset>9</wp:posOffset></wp:position{}>'
inside = "<wp:wrapNone/>" + place.format("H", "H") + place.format("V", "V") + '<wp:extent cx="900000" cy="900000"/>'
box = "<a:graphic><a:graphicData><wps:wsp><wps:txbx><w:txbxContent><w:p><w:r><w:t>a</w:t></w:r></w:p></w:txbxContent>"
box += "</wps:txbx></wps:wsp></a:graphicData></a:graphic>"
run = f'<w:r><w:drawing><wp:anchor behindDoc="0" relativeHeight="5">{inside}{box}</wp:anchor></w:drawing></w:r>'
begin("drawings of a paragraph")
document = DocxFormat().parse(Source.of_bytes(styled(f"<w:p>{run * 4_000}</w:p>"), "a.docx"), Limits(ocr=False))
begin(f"{sum(len(part.blocks) for part in document.parts)} boxes")
"""
EVERY_PATTERN = r"""
import importlib, re, sys
from pathlib import Path
root = Path(sys.argv[1])
unit = ["0", "a", "A", " ", "_", ".", "-", "/", "(", "*", "I", "_a_", "a ", "- ", "1.", "a-", ":"]
known = {}
for base in (root, root / "plugins"):
    for path in base.glob("sidecar*/**/*.py"):
        name = ".".join(path.relative_to(base).with_suffix("").parts).removesuffix(".__init__")
        try:
            module = importlib.import_module(name)
        except ImportError:  # of another system, or of what is not installed
            continue
        known |= {f"{name}.{key}": value for key, value in vars(module).items() if isinstance(value, re.Pattern)}
for name, pattern in known.items():
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    start = re.match(r"[=<#:]*", text)[0]
    for one in dict.fromkeys([*unit, *filter(lambda sign: not sign.isalnum(), text)]):
        tried = start + one * 48 + "\x01"
        print(name, repr(one), flush=True)
        for ways in (pattern.fullmatch, pattern.search):
            ways(tried if isinstance(pattern.pattern, str) else tried.encode())
print(len(known), "patterns")
"""
LINEAR = r"""
from importlib import import_module
n = 400_000
tried = (
    ("sidecar.toolkit.hidden", "_MOVES", "", "translate("),
    ("sidecar.toolkit.markup.html.read", "_TAG", "</A", "a"), ("sidecar.toolkit.markup.svg", "_STEP", "", "scale("),
    ("sidecar.toolkit.markup.style_sheets", "_VARIABLE", "", "-"), ("sidecar.toolkit.settings", "_PAIR", "", "key"),
    ("sidecar.toolkit.visible", "_LINK_COMMENT", "[//]: # (", " "),
    ("sidecar.toolkit.word.conventions", "_RUBY", "\\o(\\s\\up 1(a),", " "),
    ("sidecar.toolkit.markup.html.read", "_META", "<meta charset=", " "),
    ("sidecar_mail.eml", "_TAGS", "", "<param>"), ("sidecar_mail.parse", "_ADDRESS", "", "[cid:"),
    ("sidecar_notebook.parse", "_ANSI", "", "\x1b]"), ("sidecar_xlsx.cells.scanning", "_ATTRIBUTE", "", "a"),
    ("sidecar_text.asciidoc.blocks", "_HEADING", "= a", " "),
    ("sidecar_text.asciidoc.blocks", "_GIVEN", "[source,", " "),
    ("sidecar_text.latex_tables", "_RULE", "", "\\cline["), ("sidecar_pdf.structure.breaks", "_LEADERS", "", ". "),
    ("sidecar_pdf.layout.running", "_CONTENTS", "", ". "), ("sidecar_pdf.text.segments", "_COMPOUND", "", "a"),
    ("sidecar_pdf.structure.columns", "_ENTRY_END", "", "a, "),
    ("sidecar_pdf.pdfium.encodings", "_PAIR", "", "1"), ("sidecar_pdf.pdfium.bombs", "_KIDS", "", "/Kids["),
    ("sidecar_pdf.layout.tables.found", "_SOFT", "", "a"), ("sidecar_pdf.layout.tables.found", "_DOTS", "", "."),
    ("sidecar_pdf.layout.tables.flaws.values", "_ONE_VALUE", "", "a"),
    ("sidecar_pdf.structure.headings.candidates", "_BOX", "", "-"),
    ("sidecar_pdf.structure.headings.candidates", "_ABBREVIATED", "", "a."),
    ("sidecar_pdf.structure.headings.candidates", "CONTACT", "", "a"),
    ("sidecar_pdf.structure.headings.candidates", "_FILLED_IN", "", ":"),
)
for module, name, start, again in tried:
    begin(f"{module} {name}")
    pattern, text = getattr(import_module(module), name), start + again * (n // len(again)) + "\x01"
    assert [*pattern.finditer(text if isinstance(pattern.pattern, str) else text.encode())] is not None
begin(f"{len(tried)} patterns")
"""


def finished(script: str, *arguments: str, seconds: int = DEADLINE) -> int:
    """How many things the script went through; it names each before it begins, and each has so many seconds of
    processor time."""
    run = [sys.executable, "-c", BEGIN % seconds + script, *arguments]
    try:
        done = subprocess.run(run, capture_output=True, text=True, timeout=DEADLINE, check=False)
    except subprocess.TimeoutExpired as late:
        named = (late.stdout or b"").decode().splitlines()
        raise AssertionError(f"{named[-1] if named else 'the first'} takes without end") from late
    assert done.returncode == 0, done.stderr[-2000:]
    return int(done.stdout.splitlines()[-1].split()[0])


def test_no_pattern_takes_exponentially_long() -> None:
    assert finished(EVERY_PATTERN, str(ROOT)) > 500


def test_patterns_that_search_anywhere_take_time_that_grows_with_the_text() -> None:
    """They are tried from each character of a text, which may be a line of 100 KB; none looks to its end each time."""
    assert finished(LINEAR, seconds=PATTERN_SECONDS) == 28


def test_the_drawings_of_a_paragraph_are_looked_at_once() -> None:
    assert finished(DRAWINGS, str(ROOT), seconds=TEXT_SECONDS) >= 4_000


def test_a_long_run_is_looked_through_once() -> None:
    assert finished(LONG_RUNS, seconds=TEXT_SECONDS) == 11


@pytest.mark.parametrize("gap", [" ", "\u00a0", " \u2009"])
def test_gaps_in_what_is_no_number(gap: str) -> None:
    """They could be shared out among four places."""
    assert read_number("(" + gap * LONG + "x") is None
    assert read_number("( " + gap + "- $ " + gap + "5 )") is not None


def test_gaps_in_a_heading() -> None:
    assert heading_unit("[" + " " * LONG + "x") == ""
    assert heading_unit("Weight" + " " * LONG + "(kg)" + " " * LONG) == "kg"


def test_brackets_that_nobody_closes_in_a_query() -> None:
    sql = "SELECT [a b], [" + "[" * LONG
    assert [match[0] for match in TOKEN.finditer(sql)][:3] == ["SELECT", " ", "[a b]"]
    assert "".join(match[0] for match in TOKEN.finditer(sql)) == sql


def test_brackets_that_nobody_closes_in_a_number_format() -> None:
    assert not is_date_format("[" * LONG)
    assert is_date_format("[$-409]d mmm")


def test_a_name_of_many_letters_in_a_formula() -> None:
    """What is before "function application" is a name."""
    assert latex_of("é" * 3 + "sin\u2061" + "a").count("sin") == 1
    assert "a" * 1000 in latex_of("a" * 20_000 + "é\u2061")


def test_signs_before_what_is_no_number() -> None:
    """They could be shared out between two places around the code of a currency."""
    assert as_number("$" * LONG + "x") is None
    assert as_number("€ EUR 1.5") == 1.5


def test_a_run_of_characters_that_is_no_sentence() -> None:
    """Each pair of it was spelt in several ways, on the loop."""
    assert each_spelling(cjk_phrase("漢" * 4000)) == cjk_phrase("漢" * 4000)
    assert "汉字" in each_spelling(cjk_phrase("漢字"))


def test_a_long_value_of_a_style_that_many_rules_use() -> None:
    """Each rule had a copy of it: 500 MB of a page of 750 KB."""
    used = "".join(f".c{number}{{color:var(--a)}}" for number in range(2000))
    page = f"<style>:root{{--a:{'x' * LONG}}}{used} .h{{display:var(--n)}} :root{{--n:none}}</style><p class=h>b<p>c"
    tracemalloc.start()
    document = HtmlFormat().parse(Source.of_bytes(page.encode(), "a.html"), Limits())
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 40 << 20
    assert [block.hidden for block in document.parts[0].blocks] == [True, False]
