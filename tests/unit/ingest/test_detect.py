"""Files are read as what they are: by content, by suffix where the content only looks like something, or by nobody."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from contract.containers import make_zip

import sidecar
from sidecar.api import Limits
from sidecar.ingest.reading.detect import detector_of
from sidecar.ingest.reading.files import read_file
from sidecar.ingest.reading.jobs import Job, Loader, Outcome


def read(path: Path) -> Outcome:
    return read_file(Job(os.fsencode(path)), detector_of(Loader()), Limits())


@pytest.mark.parametrize("suffix", [".py", ".md", ".txt"])
@pytest.mark.parametrize("mark", ["%PDF-1.7", "<html", "<!DOCTYPE html>", "{\\rtf1", "From: a@b.c\nTo: d@e.f"])
def test_a_text_that_mentions_a_format_is_text(tmp_path: Path, suffix: str, mark: str) -> None:
    path = tmp_path / f"notes{suffix}"
    path.write_text(f"# How to tell formats apart\n\nmagic = {mark!r}\n# or so: {mark}\n")
    outcome = read(path)
    assert (outcome.kind, outcome.plugin) == ("read", "markdown" if suffix == ".md" else "text"), outcome.reason


@pytest.mark.parametrize(
    ("name", "written", "plugin"),
    [
        ("README.doc", b"Installing\n\nUnpack it and run make.\n", "text"),
        ("wide.doc", "\ufeffWörter\n".encode("utf-16-le"), "text"),
        ("notes.rtf", b"no mark of rich text\n", "text"),
        ("export.xls", b"Name\tAmount\nAda\t12\nBob\t3\n", "csv"),
        ("commas.xls", b"Name,Amount\nAda,12\n", "csv"),
        ("two.xls", b"Item\tUnits\nInk\t7\n", "csv"),
        ("one.xls", "Item\tUnits\n".encode("utf-16"), "csv"),
        ("wide.xls", "\ufeffName\tAmount\r\nAda\t12\r\n".encode("utf-16-le"), "csv"),
        ("semicolons.xls", b"Name;Amount\n\nAda;12\n", "csv"),
        ("windows.xls", b"Item;Units\r\nInk;7\r\n", "csv"),
        ("remark.xls", b"nothing to report\n", "text"),
        ("report.xls", b"\xef\xbb\xbf <table><tr><td>Ada</td><td>12</td></tr></table>", "html"),
        ("letter.doc", b"<html><body>Dear Ada</body></html>", "html"),
    ],
)
def test_a_text_named_for_an_office_program_is_read_as_what_it_is(
    tmp_path: Path, name: str, written: bytes, plugin: str
) -> None:
    path = tmp_path / name
    path.write_bytes(written)
    outcome = read(path)
    assert (outcome.kind, outcome.state, outcome.plugin) == ("read", "indexed", plugin), outcome.reason


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("letter.doc", bytes(range(256)) * 8),
        ("table.xls", bytes(range(256)) * 8),
        ("letter.rtf", bytes(range(256)) * 8),
        ("slides.ppt", bytes(range(256)) * 8),
        ("letter.docx", b"no program opens a text under this name\n"),
    ],
)
def test_what_no_program_opens_under_its_name_is_damaged(tmp_path: Path, name: str, written: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(written)
    assert read(path).state == "damaged"


def test_a_package_of_a_zip_that_is_not_known_yet_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "flow.vsdx"
    path.write_bytes(make_zip({"visio/document.xml": b"<x/>"}).replace(b"PK\1\2\x14\3\x14", b"PK\1\2\x14\3\x54"))
    assert read(path).state == "damaged"


def test_all_our_own_sources_are_text() -> None:
    root = Path(sidecar.__file__).parent.parent
    odd = {
        path.name: (outcome.state, outcome.plugin)
        for folder in ("sidecar", "plugins")
        for path in (root / folder).rglob("*.py")
        if path.stat().st_size and ((outcome := read(path)).kind, outcome.plugin) != ("read", "text")
    }
    assert odd == {}


def zipped() -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("readme.txt", "nothing of a document")
    return held.getvalue()


def tarred() -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w:gz") as archive:
        archive.addfile(tarfile.TarInfo("empty"))
    return held.getvalue()


@pytest.mark.parametrize(
    ("name", "make"),
    [("things.zip", zipped), ("things.tar.gz", tarred), ("log.gz", lambda: gzip.compress(b"line\n" * 100))],
)
def test_archives_are_documents_by_their_names(tmp_path: Path, name: str, make: Callable[[], bytes]) -> None:
    (tmp_path / name).write_bytes(make())
    outcome = read(tmp_path / name)
    assert (outcome.state, outcome.plugin) == ("indexed", "archive")


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("font.ttf", lambda: b"\0\1\0\0\0\x0c\0\x80\0\3\0\x40" + os.urandom(4000)),
        ("font.otf", lambda: b"OTTO\0\x0c\0\x80" + os.urandom(4000)),
        ("font.woff2", lambda: b"wOF2\0\1\0\0" + os.urandom(4000)),
        ("library.jar", zipped),
        ("things", zipped),
        ("things.lz4", lambda: b"\x04\x22\x4d\x18" + os.urandom(4000)),
        ("things.cab", lambda: b"MSCF\0\0\0\0" + os.urandom(4000)),
        ("program", lambda: b"\x7fELF\2\1\1" + os.urandom(4000)),
        ("program.exe", lambda: b"MZ\x90\0" + os.urandom(500) + b"%PDF-" + os.urandom(4000)),
        ("program.so", lambda: b"\x7fELF\2\1\1" + b"\0" * 400 + b"<html %PDF-1.4" + os.urandom(4000)),
        ("data.h5", lambda: b"\x89HDF\r\n\x1a\n" + os.urandom(4000)),
        ("cache.bin", lambda: os.urandom(300) + b"%PDF-1.5" + os.urandom(4000)),
        ("setup.msi", lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + os.urandom(4000)),
        ("module.pyc", lambda: b"\xa7\r\r\n" + os.urandom(4000)),
        ("clip.mp4", lambda: b"\0\0\0\x18ftypmp42" + os.urandom(4000)),
    ],
)
def test_what_is_no_document_is_unsupported_and_not_damaged(
    tmp_path: Path, name: str, make: Callable[[], bytes]
) -> None:
    (tmp_path / name).write_bytes(make())
    outcome = read(tmp_path / name)
    assert outcome.state == "unsupported", (outcome.plugin, outcome.reason)
    assert outcome.reason
