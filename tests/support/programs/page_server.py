"""`docsidecar open` in a subprocess, and bare HTTP requests to it: every header and path just as a test wants them."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from support.clients.harness import environment
from support.clients.waiting import wait_for
from support.programs import program

DEADLINE = 240.0
"""Seconds anything may take, on a machine with much else to do; nothing is asserted about how long it took."""


@dataclass(frozen=True)
class Answer:
    """A response; `headers` by their names in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()


@dataclass
class Page:
    """One `docsidecar open`. `room` is the path everything lies below, `token` that of the printed address."""

    folder: Path
    data: Path
    extra_environment: Mapping[str, str] = field(default_factory=dict[str, str])
    browser: bool = False
    cookie: str = ""

    def __enter__(self) -> Page:
        words = ["open", "--folder", str(self.folder), "--data-dir", str(self.data)]
        self.process = program.start(
            *words, *([] if self.browser else ["--no-browser"]), stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            environment={**environment(self.data), **self.extra_environment},
        )  # fmt: skip
        assert self.process.stdout is not None
        line = self.process.stdout.readline().decode()
        found = re.search(r"(http://127\.0\.0\.1:(\d+)/([\w-]+)/\?token=([\w-]+))", line)
        assert found is not None, f"it printed {line!r}"
        self.url, self.port, self.room, self.token = found[1], int(found[2]), found[3], found[4]
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    @property
    def host(self) -> str:
        """The one host name it answers under."""
        return f"127.0.0.1:{self.port}"

    def send(
        self, method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes | None = None
    ) -> Answer:
        """One request on a connection of its own, the path put on the wire as it is."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE)
        try:
            given = {"Host": self.host, **(headers or {})}
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in given.items():
                connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            response = connection.getresponse()
            return Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        finally:
            connection.close()

    def admit(self) -> Answer:
        """Open the page by its first address, and keep the cookie."""
        answer = self.send("GET", f"/{self.room}/?token={self.token}")
        self.cookie = answer.headers["set-cookie"].partition(";")[0]
        return answer

    def get(self, path: str, **headers: str) -> Answer:
        """What lies at a path below the room, asked for with the cookie."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.send("GET", f"/{self.room}/{path}", {"Cookie": self.cookie, **given})

    def post(self, body: bytes, content_type: str = "application/json", **headers: str) -> Answer:
        """A body for the page's requests, with the cookie."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.send(
            "POST", f"/{self.room}/request", {"Cookie": self.cookie, "Content-Type": content_type, **given}, body
        )

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The JSON-RPC response to a request."""
        answer = self.post(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode())
        assert answer.status == 200, answer.text
        return json.loads(answer.body)

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured answer of a tool."""
        answer = self.ask("tools/call", name=tool, arguments=arguments)
        assert not answer["result"].get("isError"), answer
        return answer["result"]["structuredContent"]

    def picture(self, uri: str) -> Answer:
        """The picture of a URI."""
        return self.get(f"picture?uri={quote(uri, safe='')}")

    def indexed(self, count: int) -> dict[str, Any]:
        """Wait until so many documents are indexed and nothing is pending; gives the status."""

        def there() -> dict[str, Any] | None:
            found = self.call("get_library_status")
            return found if found["state"] == "idle" and found["indexed"] == count else None

        return wait_for(there, f"{count} indexed, idle")
