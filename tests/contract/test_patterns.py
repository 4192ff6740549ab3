"""No text makes a pattern of ours, or a format, work without end: digits, blanks or underscores in a row are parted by
a repeated group in exponentially many ways, or looked through again from each of them. One constant of eighteen digits
in a formula cost a real workbook, and a picture within a style sheet would cost a page."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
DEADLINE = 120
"""Seconds, for what takes two or three: work that grows with the square takes half an hour, exponential work years."""
LONG_RUNS = r"""
from importlib import import_module
from sidecar.api import Limits, ParsedDocument, Part, Source, Table
from sidecar.toolkit.tables.finding import find_relations
n, style = 400_000, "<style>.a{"
parts = "From: a@b.c\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=Q\n\n--Q\n\nme@x.y " + "A" * n
for plugin, name, text in (
    ("sidecar_text:TextFormat", "a.org", "a" + " " * n + "b\n\n* a" + " " * n + "b"),
    ("sidecar_text:TextFormat", "b.org", "* b\n\n" + "[" * n),
    ("sidecar_html:HtmlFormat", "nested.html", style + ".b{top:0} background:url(data:x," + "A" * n + ")}</style><p>b"),
    ("sidecar_markdown:MarkdownFormat", "a.md", "1. one\n" * 40_000 + "\nx\n\n" + "![a](b)\n" * 40_000),
    ("sidecar_text:CsvFormat", "blanks.csv", "a;b\n1,5;1" + " " * n + "x\n2;3\n"),
    ("sidecar_html:HtmlFormat", "selector.html", "<style>a" + " " * n + "i{display:none}</style><p>b"),
    ("sidecar_mail:MailFormat", "a.eml", parts + "\n--Q\nContent-Type: text/html\n\n<p>me@x.y b\n--Q--\n"),
):
    print(name, flush=True)
    module, _, of = plugin.partition(":")
    assert getattr(import_module(module), of)().parse(Source.of_bytes(text.encode(), name), Limits()).parts
print("a cell of addresses", flush=True)
table = Table(rows=(("a@" * n, "1"), ("y", "2"), ("z", "3")))
assert find_relations(ParsedDocument(parts=(Part(kind="chapter", title="x", blocks=(table,)),)))
print("8 texts")
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
    ("sidecar_text.light_markup", "_HEADING", "= a", " "), ("sidecar_text.light_markup", "_BLOCK", "[source,", " "),
    ("sidecar_text.latex_tables", "_RULE", "", "\\cline["), ("sidecar_pdf.structure.breaks", "_LEADERS", "", ". "),
    ("sidecar_pdf.layout.running", "_CONTENTS", "", ". "), ("sidecar_pdf.structure.page", "_COMPOUND", "", "a"),
    ("sidecar_pdf.pdfium.encodings", "_PAIR", "", "1"), ("sidecar_pdf.pdfium.bombs", "_KIDS", "", "/Kids["),
    ("sidecar_pdf.layout.tables.found", "_SOFT", "", "a"), ("sidecar_pdf.layout.tables.found", "_DOTS", "", "."),
    ("sidecar_pdf.layout.tables.flaws.values", "_ONE_VALUE", "", "a"),
    ("sidecar_pdf.structure.headings.candidates", "_BOX", "", "-"),
    ("sidecar_pdf.structure.headings.candidates", "_ABBREVIATED", "", "a."),
    ("sidecar_pdf.structure.headings.candidates", "_CONTACT", "", "a"),
    ("sidecar_pdf.structure.headings.candidates", "_FILLED_IN", "", ":"),
)
for module, name, start, again in tried:
    print(module, name, flush=True)
    pattern, text = getattr(import_module(module), name), start + again * (n // len(again)) + "\x01"
    assert [*pattern.finditer(text if isinstance(pattern.pattern, str) else text.encode())] is not None
print(len(tried), "patterns")
"""


def finished(script: str, *arguments: str) -> int:
    """How many things the script went through; it names each before it begins."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", script, *arguments], capture_output=True, text=True, timeout=DEADLINE, check=True
        )
    except subprocess.TimeoutExpired as late:
        told = (late.stdout or b"").decode().splitlines()
        raise AssertionError(f"{told[-1] if told else 'the first'} takes without end") from late
    return int(done.stdout.splitlines()[-1].split()[0])


def test_no_pattern_takes_exponentially_long() -> None:
    assert finished(EVERY_PATTERN, str(ROOT)) > 500


def test_patterns_that_search_anywhere_take_time_that_grows_with_the_text() -> None:
    """They are tried from each character of a text, which may be a line of 100 KB; none looks to its end each time."""
    assert finished(LINEAR) == 27


def test_a_long_run_is_looked_through_once() -> None:
    assert finished(LONG_RUNS) == 8
