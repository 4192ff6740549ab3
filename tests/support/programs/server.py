"""A sidecar in a subprocess as the fault tests start it: by configuration file or folders, and under limits."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import pytest
from support.clients.harness import Raw
from support.clients.waiting import DEADLINE, pauses
from support.programs import program

MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
"""What every request of that era says of who sends it."""


class Server(Raw):
    """A serving sidecar. Its standard error goes to a file, which `errors` reads, so that it cannot fill a pipe."""

    def __init__(
        self,
        *arguments: str,
        environment: Mapping[str, str] | None = None,
        before: Callable[[], None] | None = None,
        modern: bool = False,
    ) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed in __exit__
        self.process = program.start(
            "serve",
            *arguments,
            stderr=self._errors.fileno(),
            environment={**os.environ, "DOCSIDECAR_CONFIG": "/nonexistent/config.toml", **(environment or {})},
            before=before,
        )
        self._number = 0
        self.heard: list[str] = []
        """Methods of the notifications that came, oldest first."""
        self._meta = {"_meta": MODERN} if modern else {}
        if not modern:
            self.initialize()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *details: object) -> None:
        super().__exit__(*details)
        self._errors.close()

    def answer(self) -> dict[str, Any]:
        """The next line that is not a notification; those are kept in `heard`."""
        assert self.process.stdout is not None
        while True:
            line = self.process.stdout.readline()
            assert line, f"the sidecar closed its output; it wrote {self.errors()}"
            message: dict[str, Any] = json.loads(line)
            if "method" not in message:
                return message
            self.heard.append(message["method"])

    def request(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """The whole answer: `result` or `error`."""
        self._number += 1
        self.send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": {**params, **self._meta}})
        return self.answer()

    def tool(self, name: str, **arguments: Any) -> dict[str, Any]:
        """The result of a tool call: structured content, or `{"error": text}` when it failed."""
        answer = self.request("tools/call", {"name": name, "arguments": arguments})
        if "error" in answer:
            return {"error": answer["error"]["message"]}
        result = answer["result"]
        if result.get("isError"):
            return {"error": result["content"][0]["text"]}
        return result["structuredContent"]

    def text(self, uri: str, **arguments: Any) -> str:
        """What the tool `read` shows."""
        result = self.request("tools/call", {"name": "read", "arguments": {"uri": uri, **arguments}})["result"]
        return "\n".join(block["text"] for block in result["content"] if block["type"] == "text")

    def status(self) -> dict[str, Any]:
        return self.tool("get_library_status")

    def until(self, check: Callable[[dict[str, Any]], object], what: str) -> dict[str, Any]:
        """The library's status once it is as wanted; the deadline is the test's failure."""
        deadline, pause = time.monotonic() + DEADLINE, pauses()
        while not check(found := self.status()):
            assert time.monotonic() < deadline, f"not within {DEADLINE} s: {what}; the status is {found}"
            time.sleep(next(pause))
        return found

    def until_indexed(self, count: int) -> dict[str, Any]:
        return self.until(lambda s: s.get("state") == "idle" and s["indexed"] == count, f"{count} indexed, idle")

    def errors(self) -> str:
        """What it wrote to standard error so far."""
        with Path(f"/proc/self/fd/{self._errors.fileno()}").open("rb") as file:
            return file.read().decode("utf-8", "replace")

    def end(self) -> int:
        """Close its input and wait for it."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(DEADLINE)


@contextmanager
def own_file_system(place: Path, megabytes: int) -> Generator[Path]:
    """A file system of that size mounted at a directory, a new one where there is none; skips where it cannot be."""
    place.mkdir(exist_ok=True)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(place)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"a file system cannot be mounted here: {mounted.stderr.decode().strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def one_sentence(text: str) -> bool:
    """Fit to be shown to a user: one line that ends as a sentence does, and no inside of the program."""
    return bool(text) and text.endswith((".", "!", "?", ")")) and "\n" not in text and "Traceback" not in text


def log_of(data: Path) -> str:
    return (data / "docsidecar.log").read_text("utf-8")


__all__ = ["Server", "log_of", "one_sentence", "own_file_system"]
