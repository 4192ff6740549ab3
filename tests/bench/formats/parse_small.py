"""Bench of the small formats: files a second against peers on the same corpus files, one process, in one run.

    python tests/bench/formats/parse_small.py [--peers PYTHON] [--rounds N]

`--peers` is a Python that has markitdown and kreuzberg installed. Files come from DOCSIDECAR_CORPUS. The best of the
rounds counts. `wall` is elapsed seconds, `cpu` processor seconds of the process (a peer may use several threads).
markitdown hands Markdown and plain text through unparsed; we parse them. Prints ratios; asserts nothing.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

from sidecar.api import FormatError, FormatPlugin, Limits, Source

_KINDS = {
    "markdown": (".md",), "html": (".html", ".htm"), "text": (".rst", ".txt", ".org", ".json"), "csv": (".csv", ".tsv"),
    "mail": (".eml", ".msg"), "notebook": (".ipynb",), "epub": (".epub",), "odf": (".odt", ".odp"),
}  # fmt: skip
_PEER = """
import json, logging, sys, time, warnings
warnings.simplefilter("ignore")
logging.disable()
name, rounds, files = sys.argv[1], int(sys.argv[2]), json.loads(sys.stdin.read())
if name == "markitdown":
    from markitdown import MarkItDown
    read = MarkItDown(enable_plugins=False).convert
else:
    import kreuzberg
    read = kreuzberg.extract_file_sync
answer = {}
for kind, paths in files.items():
    best = (1e9, 1e9, 0)
    for _ in range(rounds):
        wall, cpu, done = time.perf_counter(), time.process_time(), 0
        for path in paths:
            try:
                read(path)
                done += 1
            except Exception:
                pass
        best = min(best, (time.perf_counter() - wall, time.process_time() - cpu, done))
    answer[kind] = best
print(json.dumps(answer))
"""


def ours(plugin: FormatPlugin, files: list[Path], rounds: int) -> tuple[float, float, int]:
    """Best wall seconds of the rounds, processor seconds of that round, files read."""
    best = (1e9, 1e9, 0)
    for _ in range(rounds):
        wall, cpu, done = time.perf_counter(), time.process_time(), 0
        for file in files:
            source = Source.of(file)
            try:
                plugin.score(source)
                plugin.parse(source, Limits())
                done += 1
            except FormatError:
                pass
        best = min(best, (time.perf_counter() - wall, time.process_time() - cpu, done))
    return best


def peers(python: str, name: str, files: dict[str, list[Path]], rounds: int) -> dict[str, Any]:
    done = subprocess.run(
        [python, "-c", _PEER, name, str(rounds)], text=True, capture_output=True, check=True, encoding="utf-8",
        input=json.dumps({kind: list(map(str, paths)) for kind, paths in files.items()}),
    )  # fmt: skip
    return json.loads(done.stdout.strip().splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", default="", help="a Python with markitdown and kreuzberg")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    corpus = Path(os.environ.get("DOCSIDECAR_CORPUS", "../shared/corpus")) / "docs"
    files = {kind: sorted(path for path in corpus.rglob("*") if path.suffix.lower() in suffixes and path.is_file())
             for kind, suffixes in _KINDS.items()}  # fmt: skip
    files = {kind: paths for kind, paths in files.items() if paths}
    if not files:
        print(f"no files under {corpus}; set DOCSIDECAR_CORPUS")
        return
    plugins = {entry.name: entry.load()() for entry in importlib.metadata.entry_points(group="docsidecar.formats")}
    mine = {kind: ours(plugins[kind], paths, options.rounds) for kind, paths in files.items()}
    others = {
        name: peers(options.peers, name, files, options.rounds) for name in ("markitdown", "kreuzberg") if options.peers
    }
    for kind, (wall, cpu, done) in mine.items():
        line = f"{kind:9} {done:4} of {len(files[kind]):4} files  {done / wall:7.0f} files/s"
        for name, answer in others.items():
            peer_wall, peer_cpu, peer_done = answer[kind]
            if not peer_done:
                line += f"   {name} reads none"
                continue
            rate, cpu_rate = (done / wall) / (peer_done / peer_wall), (done / cpu) / (peer_done / peer_cpu)
            line += f"   {name} {peer_done / peer_wall:6.0f}/s: wall x {rate:5.1f}, cpu x {cpu_rate:5.1f}"
        print(line)


if __name__ == "__main__":
    main()
