"""Bench of the PowerPoint plugin: files a second against peers on the same files, and tokens of the trial presentation
found. Prints ratios; asserts nothing.

    python tests/bench/parse_pptx.py [--peers PYTHON]

`--peers` is a Python that has markitdown and kreuzberg installed. Files come from DOCSIDECAR_CORPUS.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from pptx_trial import PLACES, pack, parts, token
from sidecar_pptx import PptxFormat

from sidecar.api import FormatError, Limits, Source

_ROUNDS = 5
_PEER = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
name, rounds = sys.argv[1], int(sys.argv[2])
files, trial = json.loads(sys.stdin.read())
if name == "markitdown":
    from markitdown import MarkItDown
    made = MarkItDown(enable_plugins=False)
    read = lambda path: made.convert(path).text_content
else:
    import kreuzberg
    # Without this, every round after the first reads its cache.
    config = kreuzberg.ExtractionConfig(use_cache=False)
    def read(path):
        result = kreuzberg.extract_file_sync(path, config=config)
        return str(result.content) + str(result.metadata)
best = 1e9
for _ in range(rounds):
    start = time.perf_counter()
    for file in files:
        try:
            read(file)
        except Exception:
            pass
    best = min(best, time.perf_counter() - start)
try:
    text = read(trial)
except Exception as error:
    text = ""
print(json.dumps([best, text]))
"""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--peers", help="a Python with markitdown and kreuzberg")
    chosen = arguments.parse_args()
    corpus = Path(os.environ.get("DOCSIDECAR_CORPUS", Path(__file__).parents[3] / "shared" / "corpus"))
    files = sorted(str(p) for p in corpus.rglob("*.*") if p.suffix.lower() in {".pptx", ".pptm", ".potx", ".ppsx"})
    if not files:
        sys.exit(f"no presentations under {corpus}; set DOCSIDECAR_CORPUS")
    # A linked picture makes kreuzberg refuse the whole file; without it the peers get their chance.
    content = parts()
    slide = str(content["ppt/slides/slide2.xml"])
    content["ppt/slides/slide2.xml"] = slide.replace("<a:blip r:link='rLinked'/>", "<a:blip r:embed='rImage'/>")
    with tempfile.TemporaryDirectory() as folder:
        trial = Path(folder) / "trial.pptx"
        trial.write_bytes(pack(content))
        ours = _ours(files)
        text = repr(PptxFormat().parse(Source.of(trial), Limits()))
        _print("docsidecar", len(files) / ours, 1.0, text)
        for name in ("markitdown", "kreuzberg") if chosen.peers else ():
            given = json.dumps([files, str(trial)])
            command = [chosen.peers, "-c", _PEER, name, str(_ROUNDS)]
            done = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
            seconds, text = json.loads(done.stdout.strip().splitlines()[-1])
            _print(name, len(files) / seconds, seconds / ours, text)


def _ours(files: list[str]) -> float:
    format_, limits, best = PptxFormat(), Limits(), 1e9
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        for file in files:
            try:
                format_.parse(Source.of(file), limits)
            except FormatError:
                continue
        best = min(best, time.perf_counter() - start)
    return best


def _print(name: str, rate: float, ratio: float, text: str) -> None:
    found = sum(token(place) in text for place in PLACES)
    print(f"{name:12} {rate:8.0f} files/s   we are {ratio:5.1f} x   tokens found {found} of {len(PLACES)}")


if __name__ == "__main__":
    main()
