"""Runs one plugin over its cases in a process of its own, since a hang or a crash must not take the tests with it.

`python run_cases.py NAME SECONDS CASES` reads cases (a pickled list of `(label, name, bytes)`) and writes one JSON
line per broken promise, then one with the outcomes by kind. Before each case its label goes to stderr; after SECONDS
in one case the process dies with a traceback there.
"""

from __future__ import annotations

import faulthandler
import importlib.metadata
import json
import pickle
import sys
import tempfile
import traceback
from pathlib import Path

from contract.conformance import check_embedded, check_score, outcome

from sidecar.api import FormatError, FormatPlugin, Limits, Source

MEMORY = 3 * 2**30


def run(name: str, seconds: float, cases: list[tuple[str, str, bytes]]) -> None:
    _limit_memory()
    entries = importlib.metadata.entry_points(group="docsidecar.formats", name=name)
    plugin: FormatPlugin = next(iter(entries)).load()()
    outcomes: dict[str, int] = {}
    limits = Limits(max_expanded_bytes=2**28, max_pixels=20_000_000, ocr=False)
    with tempfile.TemporaryDirectory() as folder:
        for label, file_name, data in cases:
            sys.stderr.write(f"{label}\n")
            faulthandler.dump_traceback_later(seconds, exit=True)
            path = Path(folder, file_name)
            path.write_bytes(data)
            for source in (Source.of(path), Source.of_bytes(data, file_name)):
                try:
                    check_score(plugin, source)
                    result = outcome(plugin, source, limits)
                    outcomes[type(result).__name__] = outcomes.get(type(result).__name__, 0) + 1
                    if not isinstance(result, FormatError):
                        check_embedded(plugin, source, result, sound=False)
                except Exception as error:  # every kind: what escaped is the finding
                    sys.stdout.write(json.dumps({"case": label, "error": _told(error)}) + "\n")
                    break
            faulthandler.cancel_dump_traceback_later()
            path.unlink()
    sys.stdout.write(json.dumps({"outcomes": outcomes}) + "\n")


def _told(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}: {error}{where}"


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


if __name__ == "__main__":
    with Path(sys.argv[3]).open("rb") as file:
        run(sys.argv[1], float(sys.argv[2]), pickle.load(file))  # noqa: S301 (written by the test that runs us)
