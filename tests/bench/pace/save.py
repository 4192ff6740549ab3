"""From saving a 50-page docx to being told of it and finding it, against a floor: reading and hashing the same file.

python tests/bench/pace/save.py [ROUNDS]          (default 15; hold: p50 at most 600 ms)

Each round writes the document anew with a word of its own, atomically as Office does (a temporary file, then a
rename), waits for `resources/updated`, then searches the word. What is timed begins when the rename has returned.
"""

from __future__ import annotations

import hashlib
import json
import os
import queue
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.shared.rawclient import HELLO
from docx import Document

SIDECAR = [sys.executable, "-m", "sidecar.cli.main"]
PAGES = 50
PARAGRAPHS_A_PAGE = 9
TEXT = "The survey of the northern shore was completed in autumn, and its findings are set out in the table below. " * 3


class Session:
    """A client that keeps notifications apart from answers."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.answers: queue.Queue[dict[str, Any]] = queue.Queue()
        self.told: queue.Queue[tuple[float, dict[str, Any]]] = queue.Queue()
        self.number = 0
        threading.Thread(target=self._read, daemon=True).start()
        self.request("initialize", HELLO)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            message = json.loads(line)
            if "id" in message:
                self.answers.put(message)
            else:
                self.told.put((time.perf_counter(), message))

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        return self.answers.get(timeout=60)["result"]

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return self.request("tools/call", {"name": tool, "arguments": arguments})["structuredContent"]

    def until_idle(self) -> None:
        while self.call("get_library_status")["state"] != "idle":
            time.sleep(0.05)

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(10)


def write(path: Path, word: str) -> None:
    document = Document()
    for page in range(PAGES):
        document.add_heading(f"Chapter {page + 1}", 1)
        for _ in range(PARAGRAPHS_A_PAGE):
            document.add_paragraph(TEXT)
    document.add_paragraph(f"The secret of this round is {word}.")
    document.save(str(path))


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    told: list[float] = []
    found: list[float] = []
    floor: list[float] = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "documents"
        folder.mkdir()
        target = folder / "survey.docx"
        write(target, "nothing")
        session = Session([*SIDECAR, "serve", "--folder", str(folder), "--data-dir", str(Path(scratch) / "data")])
        session.until_idle()
        session.request("resources/subscribe", {"uri": "document://survey"})
        for number in range(rounds):
            word = f"quokka{number}x"
            write(Path(scratch) / "next.docx", word)
            while not session.told.empty():
                session.told.get()
            started = time.perf_counter()
            (Path(scratch) / "next.docx").replace(target)
            saved = time.perf_counter()
            hashlib.sha256(target.read_bytes()).digest()
            floor.append(time.perf_counter() - saved)
            while True:
                at, message = session.told.get(timeout=30)
                if message["method"] == "notifications/resources/updated":
                    break
            told.append(at - started)
            while not session.call("search_documents", query=word)["results"]:
                pass
            found.append(time.perf_counter() - started)
        session.close()
    answer = {
        "rounds": rounds,
        "document_bytes": len(TEXT) * PAGES * PARAGRAPHS_A_PAGE,
        "notified_ms": {"p50": round(statistics.median(told) * 1000), "max": round(max(told) * 1000)},
        "searchable_ms": {"p50": round(statistics.median(found) * 1000), "max": round(max(found) * 1000)},
        "floor_read_and_hash_ms": round(statistics.median(floor) * 1000, 2),
        "ratio_to_floor": round(statistics.median(found) / statistics.median(floor), 1),
        "load": os.getloadavg()[0],
    }
    print(json.dumps(answer, indent=2))


if __name__ == "__main__":
    main()
