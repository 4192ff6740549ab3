"""Archives of web pages (WARC): pages are members by their addresses."""

from __future__ import annotations

import gzip
import zlib

import pytest
from contract.conformance import outcome
from sidecar_archive import ArchiveFormat
from support.formats.plugin_reading import of, read

from sidecar.api import DamagedError, LimitError, Limits, Source, Table, UnsupportedError


def record(kind: str, address: str, body: bytes, answer: str = "", date: str = "2024-03-01T10:00:00Z") -> bytes:
    """One record; with the headers of an `answer` before its body, or without."""
    block = f"HTTP/1.1 {answer}\r\n\r\n".encode() + body if answer else body
    head = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {address}\r\nWARC-Date: {date}\r\n"
        f"Content-Type: {'application/http; msgtype=response' if answer else 'text/plain'}\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


HTML = "200 OK\r\nContent-Type: text/html; charset=utf-8"
PAGE = b"<html><title>Zebras</title><body><p>They run.</p></body></html>"
CHUNKS = b"%x\r\n" % 10 + gzip.compress(PAGE)[:10] + b"\r\n%x;x=1\r\n" % (len(gzip.compress(PAGE)) - 10)
WHOLE = b"".join((
    b"WARC/1.1\r\nWARC-Type: warcinfo\r\nContent-Length: 4\r\n\r\nsoft\r\n\r\n",
    record("response", "http://example.org/", b"old", HTML, "2020-01-01T00:00:00Z"),
    record("request", "http://example.org/", b"GET / HTTP/1.1"),
    record("response", "http://example.org/", PAGE, HTML),
    record("response", "http://example.org/list?page=2", CHUNKS + gzip.compress(PAGE)[10:] + b"\r\n0\r\n\r\n",
           f"{HTML}\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip"),
    record("response", "http://example.org/look.css", b"p {}", "200 OK\r\nContent-Type: text/css"),
    record("response", "http://example.org/gone", b"no", "404 Not Found\r\nContent-Type: text/html"),
    record("response", "http://example.org/d.txt", zlib.compress(b"flat")[2:-4],
           "200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: deflate"),
    record("response", "http://example.org/b", b"?", f"{HTML}\r\nContent-Encoding: br"),
    record("resource", "file:///notes/../a.txt", b"a note"),
))  # fmt: skip


@pytest.mark.parametrize(("name", "data"), [
    ("site.warc", WHOLE), ("site.warc.gz", gzip.compress(WHOLE)),
    ("site.warc.gz", gzip.compress(WHOLE[:300]) + gzip.compress(WHOLE[300:])),
])  # fmt: skip
def test_pages_are_members_and_what_is_no_page_is_not(name: str, data: bytes) -> None:
    plugin = ArchiveFormat()
    source = Source.of_bytes(data, name)
    assert plugin.score(source) == 70
    found = plugin.parse(source, Limits())
    refs = {one.name: one.ref for one in found.embedded}
    assert sorted(refs) == [
        "example.org/b.html", "example.org/d.txt", "example.org/index.html", "example.org/list_page=2.html",
        "notes/a.txt",
    ]  # fmt: skip
    rows = [row for table in of(found, Table) for row in table.rows]
    assert ("example.org/look.css", "", "2024-03-01T10:00:00") in rows
    assert [notice.code for notice in found.notices] == ["left_out"]
    held = {one: plugin.open_embedded(source, refs[one], Limits()).data for one in refs if one != "example.org/b.html"}
    assert held == {
        "example.org/d.txt": b"flat", "example.org/index.html": PAGE, "example.org/list_page=2.html": PAGE,
        "notes/a.txt": b"a note",
    }  # fmt: skip
    with pytest.raises(UnsupportedError, match="br"):
        plugin.open_embedded(source, refs["example.org/b.html"], Limits())


def test_a_page_that_unpacks_to_too_much_is_left_alone() -> None:
    packed = gzip.compress(b"\0" * 2**24)
    data = record("response", "http://example.org/", packed, f"{HTML}\r\nContent-Encoding: gzip")
    source = Source.of_bytes(data, "bomb.warc")
    with pytest.raises(LimitError):
        ArchiveFormat().open_embedded(source, "0", Limits(max_ratio=20))


def test_damage_ends_in_what_is_before_it_or_a_sentence() -> None:
    cut = read(ArchiveFormat(), WHOLE[:900] + b"WARC/1.1\r\nno end", "site.warc")
    assert "damaged_part" in {notice.code for notice in cut.notices}
    with pytest.raises(DamagedError, match="no page"):
        read(ArchiveFormat(), b"WARC/1.1\r\n\r\n", "site.warc")
    for at in range(0, len(WHOLE), 41):
        for spoiled in (WHOLE[:at], WHOLE[:at] + b"9" + WHOLE[at + 1 :]):
            outcome(ArchiveFormat(), Source.of_bytes(spoiled, "site.warc"), Limits())
