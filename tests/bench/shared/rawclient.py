"""A client for measuring: blocking pipes and bare lines, so that what is timed is the server."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Sequence
from typing import Any

import psutil

HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


class RawClient:
    """One server in a subprocess. `greeting` is the time from its start to its answer to `initialize`, in seconds."""

    def __init__(self, command: Sequence[str], env: dict[str, str] | None = None) -> None:
        started = time.perf_counter()
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
        )
        self._id = 0
        self.instructions: str = self.request("initialize", HELLO).get("instructions", "")
        self.greeting = time.perf_counter() - started
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The result; raises RuntimeError for an error."""
        self._id += 1
        self._send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        assert self._process.stdout is not None
        while True:
            message: dict[str, Any] = json.loads(self._process.stdout.readline())
            if message.get("id") == self._id:
                break
        if "error" in message:
            raise RuntimeError(message["error"]["message"])
        return message["result"]

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The structured content of a tool's answer."""
        return self.request("tools/call", {"name": tool, "arguments": arguments})["structuredContent"]

    def resident(self) -> int:
        """Bytes of the serving process alone, its workers not counted."""
        return psutil.Process(self._process.pid).memory_info().rss

    def cpu_seconds(self) -> float:
        """Processor time of the serving process and its children so far."""
        process = psutil.Process(self._process.pid)
        times = [process.cpu_times(), *(child.cpu_times() for child in process.children(recursive=True))]
        return sum(found.user + found.system for found in times)

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(10)

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()
