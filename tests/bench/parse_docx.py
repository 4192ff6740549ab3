"""Bench of the Word plugin: files a second against peers on the same files in one run, an 800-page document, and the
trial document's tokens found by each. Prints ratios; asserts nothing.

    python tests/bench/parse_docx.py [--peers PYTHON]

`--peers` is a Python that has markitdown and kreuzberg installed. Files come from DOCSIDECAR_CORPUS.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec
from sidecar_docx import DocxFormat

from sidecar.api import FormatError, Limits, Source

sys.path.insert(0, str(Path(__file__).parents[1]))
from docx_files import cell, numbered, para, row, run, styled, table
from docx_trial import PLACES, token, trial

_ROUNDS = 3
_PEER = """
import json, logging, sys, time, warnings
warnings.simplefilter("ignore")
logging.disable()
name, files = sys.argv[1], json.loads(sys.stdin.read())
if name == "markitdown":
    from markitdown import MarkItDown
    convert = MarkItDown(enable_plugins=False).convert
    read = lambda file: convert(file).markdown
else:
    import kreuzberg
    read = lambda file: kreuzberg.extract_file_sync(file).content
text = read(files[0])
best, done = 1e9, 0
for _ in range(int(sys.argv[2])):
    start, done = time.perf_counter(), 0
    for file in files[1:]:
        try:
            read(file)
            done += 1
        except Exception:
            pass
    best = min(best, time.perf_counter() - start)
print(json.dumps({"seconds": best, "done": done, "trial": text}))
"""


def ours(files: list[Path], rounds: int = _ROUNDS) -> tuple[float, int]:
    """Best seconds of several rounds, and how many files could be read."""
    plugin, limits = DocxFormat(), Limits()
    best, done = 1e9, 0
    for _ in range(rounds):
        start, done = time.perf_counter(), 0
        for file in files:
            try:
                plugin.parse(Source.of(file), limits)
                done += 1
            except FormatError:
                pass
        best = min(best, time.perf_counter() - start)
    return best, done


def peer(python: str, name: str, files: list[Path], rounds: int) -> tuple[float, int, str]:
    """Seconds, files read (the first, the trial, not counted), and the trial's text."""
    done = subprocess.run(
        [python, "-c", _PEER, name, str(rounds)], input=json.dumps([str(file) for file in files]),
        capture_output=True, text=True, check=True, encoding="utf-8",
    )  # fmt: skip
    answer = json.loads(done.stdout.strip().splitlines()[-1])
    return answer["seconds"], answer["done"], answer["trial"]


def write_long(path: Path) -> None:
    """About 800 pages: chapters, sections, formatted paragraphs in several runs, lists and tables."""
    chance = random.Random(7)
    words = [f"w{chance.randrange(10**6):x}" for _ in range(5000)]

    def sentence(count: int) -> str:
        return " ".join(chance.choices(words, k=count))

    body: list[str] = []
    for page in range(800):
        if page % 20 == 0:
            body.append(para(f"Chapter {page // 20 + 1}", "berschrift1"))
        body.append(para(f"Section {page + 1}", "berschrift2"))
        for _ in range(4):
            runs = run(sentence(30) + " ") + run(sentence(5), "<w:b/><w:color w:val='FF0000'/><w:sz w:val='24'/>")
            body.append(para(runs + run(" " + sentence(45))))
        body += [numbered(sentence(12), 2) for _ in range(3)]
        body.append(table(*[row(*[cell(sentence(3)) for _ in range(4)]) for _ in range(5)]))
    path.write_bytes(styled("".join(body)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", help="a Python with markitdown and kreuzberg")
    options = parser.parse_args()
    default = Path(__file__).parents[3] / "shared" / "corpus"
    files = sorted((Path(os.environ.get("DOCSIDECAR_CORPUS", default)) / "docs").rglob("*.docx"))
    with tempfile.TemporaryDirectory() as folder:
        long, tried = Path(folder) / "long.docx", Path(folder) / "trial.docx"
        write_long(long)
        tried.write_bytes(trial())
        seconds, _ = ours([long])
        print(f"800 pages, {long.stat().st_size / 2**20:.1f} MB: {seconds:.2f} s")
        document = msgspec.json.encode(DocxFormat().parse(Source.of(tried), Limits())).decode()
        print(f"docsidecar: {sum(token(place) in document for place in PLACES)} of {len(PLACES)} tokens")
        if not files:
            print("no corpus: DOCSIDECAR_CORPUS names none")
            return
        seconds, done = ours(files)
        rate = done / seconds
        print(f"docsidecar: {done} of {len(files)} files, {rate:.0f} files/s")
        if options.peers:
            for name, rounds in (("markitdown", 1), ("kreuzberg", _ROUNDS)):
                seconds, done, text = peer(options.peers, name, [tried, *files], rounds)
                found = sum(token(place) in text for place in PLACES)
                print(
                    f"{name}: {done} files, {done / seconds:.0f} files/s; docsidecar is {rate / (done / seconds):.1f}"
                    f" times as fast; {found} of {len(PLACES)} tokens"
                )


if __name__ == "__main__":
    main()
