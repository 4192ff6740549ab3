"""The program tesseract, as both readers of pictures call it: a stand-in for it shows what is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image
from support.clients.harness import alive
from support.clients.waiting import wait_for

from sidecar.api import ParsedDocument
from sidecar.toolkit.ocr.reading import PictureReader, find_tesseract, installed_languages
from sidecar.toolkit.ocr.words import Recognition

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a POSIX shell script")

READING = """
import sys
from PIL import Image
from sidecar.api import Limits, Source
from support.formats.recognised import parse
parse(sys.argv[1], float(sys.argv[2]))
"""
FORMATS = ["pdf", "image"]


def stand_in(place: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """A program named tesseract which is found first."""
    program = place / "bin" / "tesseract"
    program.parent.mkdir()
    languages = 'if [ "$1" = --list-langs ]; then echo rus; echo eng; exit; fi'
    program.write_text(f"#!/bin/sh\n{languages}\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


def parsed(name: str, seconds: float = 60.0, *, known: bool = False) -> ParsedDocument:
    """A scanned page, or a picture, of letters that the networks aboard know or not."""
    from support.formats.recognised import parse

    return parse(name, seconds, known=known)


def hangs(place: Path) -> str:
    """A program that starts another, and neither ends."""
    return f"sleep 300 & cd '{place}'; echo $! $$ > new; mv new pids; wait"


def assert_gone(place: Path) -> None:
    pids = {int(pid) for pid in (place / "pids").read_text().split()}
    wait_for(lambda: not alive(pids), f"{pids} are gone")


def test_what_takes_too_long_is_ended_with_all_it_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from support.formats.recognised import picture

    stand_in(tmp_path, monkeypatch, hangs(tmp_path))
    program = find_tesseract()
    assert program is not None
    seconds = 0.5
    while not (tmp_path / "pids").exists():  # on a busy machine it has not even begun by then
        assert program.recognize(picture(), seconds).timed_out
        seconds *= 2
    assert_gone(tmp_path)


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_stays_when_the_reader_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    stand_in(tmp_path, monkeypatch, hangs(tmp_path))
    tests = Path(__file__).parents[2]
    path = os.pathsep.join(map(str, (tests, tests.parent, tests.parent / "plugins")))
    reader = subprocess.Popen(
        [sys.executable, "-c", READING, name, "300"], cwd=tests, env={**os.environ, "PYTHONPATH": path}
    )
    try:
        wait_for(lambda: reader.poll() is not None or (tmp_path / "pids").exists(), "the program runs")
        assert reader.poll() is None
    finally:
        reader.send_signal(signal.SIGKILL)
        reader.wait()
    assert_gone(tmp_path)


@pytest.mark.parametrize("name", FORMATS)
def test_what_fails_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    stand_in(tmp_path, monkeypatch, "echo no such language >&2; exit 1")
    assert any("no such language" in notice.message for notice in parsed(name).notices)


@pytest.mark.parametrize("name", FORMATS)
def test_words_come_from_its_table_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    head = "level page_num block_num par_num line_num word_num left top width height conf text".replace(" ", "\t")
    row = "5\t1\t1\t1\t1\t1\t100\t100\t300\t40\t96.0\tkowhai"
    stand_in(tmp_path, monkeypatch, f"echo noise; echo warning >&2; printf '{head}\n{row}\n' > words.tsv")
    text = str(parsed(name))
    assert "kowhai" in text
    assert "noise" not in text
    assert "warning" not in text


@pytest.mark.parametrize("name", FORMATS)
def test_what_the_networks_aboard_are_sure_of_is_not_read_by_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    stand_in(tmp_path, monkeypatch, "echo no such language >&2; exit 1")
    document = parsed(name, known=True)
    assert "The survey of rivers" in str(document.parts)
    assert not any("unsure" in one.message or "no such language" in one.message for one in document.notices)


@pytest.mark.parametrize("name", FORMATS)
def test_an_unsure_reading_is_told_where_it_is_not_installed(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("PATH", "")
    assert any(one.code == "ocr" and "unsure" in one.message for one in parsed(name).notices)


def test_the_languages_it_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, monkeypatch, "exit 1")
    found = [find_tesseract(language) for language in ("", "ru-RU", "uk", "de", "en")]
    assert found[0] is not None
    assert installed_languages(found[0].program) == ["rus", "eng"]
    assert [one and one.language for one in found] == ["rus+eng", "rus+eng", "rus+eng", "eng", "eng"]


@pytest.mark.parametrize(("timed_out", "left"), [(False, [40, 30, 20]), (True, [10, 0, 0])])
def test_a_document_has_so_much_work_of_it_and_what_it_does_not_end_counts_whole(
    timed_out: bool, left: list[float]
) -> None:
    class Reader:
        name, done = "reader", 0

        def clock(self) -> float:
            return self.done * 10

        def recognize(self, image: Image.Image, seconds: float) -> Recognition:
            self.done += 1
            return Recognition(timed_out=timed_out)

    reader, seconds = PictureReader(Reader(), 50), []
    for _ in left:
        reader.read(Image.new("L", (9, 9)))
        seconds.append(reader.seconds)
    assert seconds == left
