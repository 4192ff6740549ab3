"""LibreOffice conversion: real conversions where it is installed, and every way it can fail with a stand-in."""

from __future__ import annotations

import gzip
import io
import os
import re
import shutil
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from contract.containers import make_zip
from PIL import Image
from support.clients.waiting import DEADLINE, wait_for

from sidecar.api import DamagedError, Limits, NotFoundError, Payload, Source, UnavailableError
from sidecar.toolkit.programs.libreoffice import as_pdf, convert, draw_page, draw_pdf_page
from sidecar.toolkit.programs.outward_links import without_outward_links
from sidecar.toolkit.programs.process_tree import run_tree

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in programs are shell scripts")
_ODF = "urn:oasis:names:tc:opendocument:xmlns"
_LINKING: dict[str, Callable[[str], bytes]] = {
    "rtf": lambda uri: r'{\rtf1 {\field\flddirty{\*\fldinst INCLUDEPICTURE "URI" \\d}{\fldrslt x}} here}'.replace(
        "URI", uri
    ).encode(),
    "odp": lambda uri: make_zip(
        {
            "mimetype": b"application/vnd.oasis.opendocument.presentation",
            "content.xml": (
                f'<office:document-content xmlns:office="{_ODF}:office:1.0" xmlns:draw="{_ODF}:drawing:1.0" '
                f'xmlns:svg="{_ODF}:svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" '
                'office:version="1.3"><office:body><office:presentation><draw:page draw:name="p">'
                '<draw:frame svg:x="1cm" svg:y="1cm" svg:width="9cm" svg:height="6cm">'
                f'<draw:image xlink:href="{uri}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/>'
                "</draw:frame></draw:page></office:presentation></office:body></office:document-content>"
            ).encode(),
            "META-INF/manifest.xml": (
                f'<manifest:manifest xmlns:manifest="{_ODF}:manifest:1.0"><manifest:file-entry manifest:full-path="/" '
                'manifest:media-type="application/vnd.oasis.opendocument.presentation"/><manifest:file-entry '
                'manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>'
            ).encode(),
        },
        stored=("mimetype",),
    ),
    "svg": lambda uri: (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="300" height="200">'
        f'<image xlink:href="{uri}" width="300" height="200"/></svg>'
    ).encode(),
}
"""Documents that show a picture of another file."""
RTF = rb"{\rtf1\ansi Hello drawn world.\par\page Second page.\par}"


@pytest.fixture
def own_temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder of the test's own, so that lock, profile and cache are not the user's."""
    folder = tmp_path / "temp"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    """Put a program named soffice first on PATH that does `body` with its output folder in $out."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "soffice"
    program.write_text(
        f'#!/bin/sh\nwhile [ $# -gt 0 ]; do [ "$1" = --outdir ] && out=$2; shift; done\nmkdir -p "$out"\n{body}\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin")


def test_without_libreoffice_the_error_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sidecar.toolkit.programs.libreoffice.find_soffice", lambda: None)
    with pytest.raises(UnavailableError, match="install LibreOffice"):
        convert(Source.of_bytes(RTF, "a.rtf"), "pdf", Limits())


def test_a_hanging_libreoffice_is_killed_with_its_children(
    own_temp: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = tmp_path / "children"
    stand_in(tmp_path, monkeypatch, f'sleep 300 & echo $! > "{marker}.new"; mv "{marker}.new" "{marker}"; wait')
    seconds = 1
    while not marker.exists():  # on a busy machine the stand-in has not even begun by then
        with pytest.raises(UnavailableError, match=f"within {seconds} s"):
            convert(Source.of_bytes(RTF, "a.rtf"), "pdf", Limits(max_seconds=seconds))
        seconds *= 2
    assert gone(int(marker.read_text()))


def test_a_daemon_left_behind_goes_too(tmp_path: Path) -> None:
    done = run_tree(["/bin/sh", "-c", "sleep 300 & echo $! > pid; exit 7"], seconds=20, cwd=tmp_path)
    assert done is not None
    assert done.returncode == 7
    assert gone(int((tmp_path / "pid").read_text()))


def test_the_tree_dies_with_a_killed_parent(tmp_path: Path) -> None:
    import signal
    import subprocess

    code = (
        "import sys; from pathlib import Path; from sidecar.toolkit.programs.process_tree import run_tree;"
        "run_tree(['/bin/sh', '-c', 'echo $$ > pid.new; mv pid.new pid; exec sleep 300'], seconds=200,"
        " cwd=Path(sys.argv[1]))"
    )
    parent = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], cwd=Path(__file__).parents[3])
    wait_for((tmp_path / "pid").exists, "the program runs")
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    assert gone(int((tmp_path / "pid").read_text()))


def test_its_directories_may_have_any_name_whatever_the_locale(
    own_temp: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, monkeypatch, 'printf %s "$LC_ALL" > "$out/document.pdf"')
    monkeypatch.setenv("LC_ALL", "C")
    assert convert(Source.of_bytes(RTF, "a.rtf"), "pdf", Limits()) == b"C.UTF-8"


def test_no_output_means_damaged(own_temp: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, monkeypatch, "exit 0")
    with pytest.raises(DamagedError, match=r"cannot read a\.rtf"):
        convert(Source.of_bytes(RTF, "a.rtf"), "pdf", Limits(max_seconds=20))


def test_pdfs_are_made_once_and_the_cache_stays_small(
    own_temp: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, monkeypatch, f'echo run >> "{tmp_path}/runs"; printf pdf > "$out/document.pdf"')
    monkeypatch.setattr("sidecar.toolkit.programs.libreoffice.CACHE_FILES", 2)
    for name in ("a", "a", "b", "c"):
        assert as_pdf(Source.of_bytes(name.encode(), "x.rtf"), Limits(max_seconds=20)) == b"pdf"
    assert len((tmp_path / "runs").read_text().split()) == 3
    assert len(list(own_temp.glob("docsidecar-office-*/converted/*.pdf"))) == 2
    assert not list(own_temp.glob("docsidecar-office-*/job-*"))


def test_a_folder_open_to_others_is_refused(own_temp: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, monkeypatch, "exit 0")
    (own_temp / f"docsidecar-office-{os.getuid()}").mkdir()
    (own_temp / f"docsidecar-office-{os.getuid()}").chmod(0o777)
    with pytest.raises(UnavailableError, match="remove it"):
        convert(Source.of_bytes(RTF, "a.rtf"), "pdf", Limits())


@pytest.mark.tool("soffice")
def test_libreoffice_converts_and_draws_for_real(own_temp: Path, tmp_path: Path) -> None:
    source = Source.of_bytes(RTF, "hello.rtf")
    assert convert(source, "docx", Limits()).startswith(b"PK\x03\x04")
    drawn = draw_page(source, 2, 72, Limits())
    assert (drawn.media_type, drawn.data[:4]) == ("image/png", b"\x89PNG")
    assert 500 < drawn.width < 700
    picture = tmp_path / "page.png"
    picture.write_bytes(drawn.data)
    with Image.open(picture) as image:
        dark, _ = image.convert("L").getextrema()
        assert isinstance(dark, int)
        assert dark < 100, "the page is blank"
    assert draw_page(source, 1, 600, Limits(max_pixels=10_000)).width <= 100
    with pytest.raises(NotFoundError, match="no page 3"):
        draw_page(source, 3, 72, Limits())
    shutil.rmtree(own_temp)


def shows_no_secret(drawn: Payload) -> None:
    with Image.open(io.BytesIO(drawn.data)) as image:
        colours = image.convert("RGB").getcolors(1 << 24)
    assert colours
    assert (255, 0, 255) not in {colour for _, colour in colours}


@pytest.mark.tool("soffice")
@pytest.mark.parametrize("kind", ["rtf", "odp", "svg"])
def test_a_document_shows_no_file_beside_it(kind: str, own_temp: Path, tmp_path: Path) -> None:
    """LibreOffice follows some links whatever its settings say: a hostile document could have a picture of the user's
    drawn into its page."""
    secret = tmp_path / "secret.png"
    Image.new("RGB", (300, 200), (255, 0, 255)).save(secret)
    data = _LINKING[kind](secret.as_uri())
    try:
        drawn = draw_page(Source.of_bytes(data, f"a.{kind}"), 1, 36, Limits())
    except DamagedError:  # as it says of an SVG whose picture it cannot read
        return
    told = run_tree(["/bin/cat", str(secret)], seconds=20, cwd=own_temp, readable=[str(own_temp)])
    if told is not None and told.returncode == 0:
        pytest.skip("this system has no means to keep a program from reading files")
    shows_no_secret(drawn)


def _odp(uri: str, change: Callable[[bytes], bytes], more: dict[str, bytes] | None = None) -> bytes:
    with zipfile.ZipFile(io.BytesIO(_LINKING["odp"](uri))) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    return make_zip(parts | {"content.xml": change(parts["content.xml"])} | (more or {}), stored=("mimetype",))


def _rtf(field: str) -> Callable[[str], bytes]:
    whole = r"{\rtf1 {\field\flddirtyFIELD{\fldrslt x}} here}".replace("FIELD", field)
    return lambda uri: whole.replace("INCLUDED", f'INCLUDEPICTURE "{uri}" \\\\d').encode()


_HIDDEN: dict[str, Callable[[str], bytes]] = {
    **_LINKING,
    "signs": lambda uri: _odp(uri, lambda content: content.replace(b"file:", b"&#102;ile:")),
    "entity": lambda uri: _odp(
        uri, lambda content: b'<!DOCTYPE x [<!ENTITY e "%s">]>' % uri.encode() + content.replace(uri.encode(), b"&e;")
    ),
    "utf-16": lambda uri: _odp(
        uri, lambda content: ('<?xml version="1.0" encoding="UTF-16"?>' + content.decode()).encode("utf-16")
    ),
    "prefix": lambda uri: _odp(uri, lambda content: content.replace(b"xlink:", b"q:").replace(b":xlink=", b":q=")),
    "upwards": lambda uri: _odp(
        uri, lambda content: content.replace(uri.encode(), b"%2e%2e/" * 9 + uri.removeprefix("file:///").encode())
    ),
    "in SVG": lambda uri: _odp(
        uri, lambda content: content.replace(uri.encode(), b"Pictures/a"), {"Pictures/a": _LINKING["svg"](uri)}
    ),
    "packed SVG": lambda uri: _odp(
        uri,
        lambda content: content.replace(uri.encode(), b"Pictures/a"),
        {"Pictures/a": gzip.compress(_LINKING["svg"](uri))},
    ),
    "behind bytes": lambda uri: b"no package" + _LINKING["odp"](uri),
    "in a group": _rtf(r"{\*\fldinst {\rtlch\fcs1 \af0 \insrsid12 INCLUDED }}"),
    "behind a page": _rtf(r"{\*\fldinst PAGE}{\*\fldinst INCLUDED}"),
    "behind a bookmark": _rtf(r"{\*\fldinst {\*\bkmkstart PAGE}INCLUDED}"),
    "next line": _rtf("{\\*\\fldinst\r\n INCLUDED}"),
}


@pytest.mark.tool("soffice")
@pytest.mark.parametrize("kind", _HIDDEN)
def test_what_is_drawn_has_no_links_to_files_beside_it(kind: str, own_temp: Path, tmp_path: Path) -> None:
    """Not every system can keep LibreOffice from reading what a document names: here nothing but the bytes does."""
    secret = tmp_path / "secret.png"
    Image.new("RGB", (300, 200), (255, 0, 255)).save(secret)
    given = own_temp / f"a.{kind if kind in _LINKING else 'doc'}"
    given.write_bytes(without_outward_links(_HIDDEN[kind](secret.as_uri()), Limits()))
    command = [
        "soffice",
        f"-env:UserInstallation={(own_temp / 'profile').as_uri()}",
        "--headless",
        "--convert-to",
        "pdf",
    ]
    run_tree([*command, "--outdir", str(own_temp), str(given)], seconds=DEADLINE, cwd=own_temp)
    made = given.with_suffix(".pdf")
    if made.is_file():  # it says of some that it cannot read them
        shows_no_secret(draw_pdf_page(made.read_bytes(), "a", 1, 36, Limits()))


@pytest.mark.parametrize("kind", _HIDDEN)
def test_nothing_that_leads_out_is_handed_to_libreoffice(kind: str) -> None:
    cleaned = without_outward_links(_HIDDEN[kind]("file:///home/me/secret.png"), Limits())
    if cleaned.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(cleaned)) as package:
            cleaned = b"".join(map(package.read, package.namelist()))
    shown = cleaned.replace(b"\0", b"").replace(b"&#102;", b"f")
    assert not re.search(rb"fldinst(?:(?!fldgone).)*INCLUDE", shown, re.DOTALL)
    assert b"href=" not in shown or b"secret.png" not in shown.partition(b"href=")[2]


def test_what_leads_nowhere_else_and_what_is_clicked_stays() -> None:
    linked = _odp("Pictures/1.png", lambda content: content)
    flat = (
        f'<office:document xmlns:office="{_ODF}:office:1.0" xmlns:text="{_ODF}:text:1.0" '
        'xmlns:xlink="http://www.w3.org/1999/xlink"><text:a xlink:href="file:///home/b.odt">b</text:a></office:document>'
    ).encode()
    pages = rb"{\rtf1 {\field{\*\fldinst {\rtlch\fcs1 \af0  PAGE }}{\fldrslt 2}} {\field{\*\fldinst HYPERLINK x}}}"
    related = make_zip(
        {
            "_rels/.rels": b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            b'<Relationship Id="a" Type="http://x/hyperlink" Target="http://y" TargetMode="External"/></Relationships>'
        }
    )
    for data in (linked, flat, pages, related, b"\xd0\xcf\x11\xe0 an old file", b"plain text"):
        assert without_outward_links(data, Limits()) == data


def gone(pid: int) -> bool:
    """Whether the process ends (a zombie counts as ended)."""
    deadline = time.monotonic() + DEADLINE
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").is_file() and Path(f"/proc/{pid}/stat").read_text().split(")")[-1][1] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.02)
    return False
