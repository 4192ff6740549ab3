"""What a file asks for grows with its size and no faster: things that lie in one another, that are told of each other,
that span what is not there, or that a few bytes say of very many."""

from __future__ import annotations

import gzip
import importlib.metadata
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from support.databases.r_files import compact, frame, integers, rds, texts
from support.formats.pdf_builder import Pdf, text
from support.formats.processor import processor_limit
from support.office.docx_files import styled

from sidecar.api import FormatPlugin, LimitError, Limits, Source, Table
from sidecar.ingest.reading.detect import detector_of
from sidecar.ingest.reading.files import read_file
from sidecar.ingest.reading.jobs import Job, Loader, encode
from sidecar.toolkit.xml import etree, flatten

MOST = 5.0
"""Seconds of the processor for what takes two at most; it took six and more."""
XLIFF = '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="m"><body>'
DOCBOOK = '<article xmlns="http://docbook.org/ns/docbook"><title>t</title>'


def captions(count: int) -> bytes:
    """A page of so many captions of figures that are not there."""
    page = Pdf()
    page.page("".join(text(50, 800 - at * 780 / count, f"Figure {at}. x", size=3) for at in range(count)))
    return page.bytes()


def figures(count: int) -> bytes:
    """A page of so many small pictures in rows of forty, each above its caption."""
    page = Pdf()
    content = ""
    for at in range(count):
        x, y = 20 + at % 40 * 90, 20 + at // 40 * 90
        content += text(x, y, f"Figure {at}. x", size=8)
        content += f"q 60 0 0 60 {x} {y + 12} cm BI /W 1 /H 1 /CS /G /BPC 8 ID a EI Q\n"
    page.page(content, box="0 0 4000 4000")
    return page.bytes()


def columns(count: int) -> bytes:
    """A page of twelve lines of so many words far from one another."""
    page = Pdf()
    content = "".join(text(10 + at * 12, 10 + line * 14, "ab", size=5) for line in range(12) for at in range(count))
    page.page(content, box="0 0 14000 400")
    return page.bytes()


FILES: dict[str, Callable[[], str | bytes]] = {
    "units.xlf": lambda: XLIFF + '<trans-unit id="1"><source>a' * 14_000,
    "notes.dbk": lambda: DOCBOOK + "<para>" + "<footnote>a" * 12_000,
    "infos.dbk": lambda: DOCBOOK + "<section>" + "<info/>" * 40_000,
    "links.rss": lambda: (
        '<rss version="2.0"><channel><item>' + "".join(f"<link>http://c/{one}</link>" for one in range(20_000))
    ),
    "map.mm": lambda: '<map version="1.0">' + '<node TEXT="a">' * 20_000,
    "deep.svg": lambda: '<svg xmlns="http://www.w3.org/2000/svg">' + "<g>" * 200_000 + "<text>a",
    "marks.org": lambda: "* a\n\n" + "<i>a</i>" * 12_000,
    "captions.pdf": lambda: captions(8_000),
    "columns.pdf": lambda: columns(800),
    "figures.pdf": lambda: figures(1_000),
    "rows.html": lambda: "<table>" + "<tr><td rowspan=65000>a</td></tr>" * 20_000 + "</table>",
}


def plugin_of(name: str) -> FormatPlugin:
    """The format plugin of that name."""
    return next(iter(importlib.metadata.entry_points(group="docsidecar.formats", name=name))).load()()


@pytest.mark.parametrize("name", FILES)
def test_time_grows_with_the_file(name: str) -> None:
    suffix, made = name.partition(".")[2], FILES[name]()
    plugin = plugin_of({"html": "html", "svg": "image", "org": "text", "pdf": "pdf"}.get(suffix, "xml"))
    data = made if isinstance(made, bytes) else made.encode()
    with processor_limit(MOST):
        document = plugin.parse(Source.of_bytes(data, name), Limits(ocr=False))
    assert document.parts


def test_a_note_of_many_segments_is_kept_once() -> None:
    unit = f"<unit id='u'><notes><note>{'long ' * 20_000}</note></notes>{'<segment><source>H</source></segment>' * 900}"
    whole = (
        f"<xliff xmlns='urn:oasis:names:tc:xliff:document:2.0' version='2.0'><file id='f'>{unit}</unit></file></xliff>"
    )
    document = plugin_of("xml").parse(Source.of_bytes(whole.encode(), "a.xliff"), Limits())
    rows = [row for part in document.parts for block in part.blocks if isinstance(block, Table) for row in block.rows]
    assert [sum("H" in row for row in rows), sum("long long" in cell for row in rows for cell in row)] == [900, 1]


def test_what_lies_too_deep_is_put_beside_one_another_in_its_order_and_records_stay_whole() -> None:
    record = "<record>a<name>b</name>c</record>d"
    root = etree.fromstring("<r>" + "<x>0" * 50 + record * 3 + "</x>1" * 50 + "</r>")
    words = "".join(root.itertext())
    assert flatten(root, 20)
    assert "".join(root.itertext()) == words
    assert max(sum(1 for _ in node.iterancestors()) for node in root.iter()) <= 30
    assert [[one.tag for one in node] for node in root.iter("record")] == [["name"]] * 3
    assert not flatten(root, 30)


@pytest.mark.parametrize(
    "value",
    [
        frame({f"n{one}": compact(1e9, 1, 1) for one in range(50)}),
        frame({"kind": integers(*[1] * 3_000, levels=texts("L" * 60_000), class_=texts("factor"))}),
    ],
)
def test_of_a_small_file_no_more_is_kept_than_files_hold(tmp_path: Path, value: bytes) -> None:
    path = tmp_path / "a.rds"
    path.write_bytes(rds(value))
    found = read_file(Job(os.fsencode(path)), detector_of(Loader()), Limits())
    assert found.prepared is not None
    assert "truncated_at" in repr(found.prepared)
    assert sum(map(len, encode(found))) < 25_000_000


def test_markup_of_which_no_tree_fits_is_refused_before_it_is_made() -> None:
    """A tree takes 130 bytes for a tag of four: 300 KB, packed, were three gigabytes."""
    diagram = '<dia:diagram xmlns:dia="http://www.lysator.liu.se/~alla/dia/">' + "<dia:a/>" * 3_000_000
    with pytest.raises(LimitError, match="too large"):
        plugin_of("xml").parse(Source.of_bytes(gzip.compress(diagram.encode()), "a.dia"), Limits())
    empty = styled("<w:p/>" * 500_000)
    with pytest.raises(LimitError, match="max_memory_bytes"):
        plugin_of("docx").parse(Source.of_bytes(empty, "a.docx"), Limits(max_memory_bytes=50_000_000))
