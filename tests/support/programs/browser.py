"""A real browser without a window: Chromium, driven by the DevTools protocol over its two pipes."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

DEADLINE = 120.0
"""Seconds anything may take; nothing is asserted about how long it took."""
_LAUNCH = (
    "import os, sys; os.dup2(int(sys.argv[1]), 3); os.dup2(int(sys.argv[2]), 4); os.execvp(sys.argv[3], sys.argv[3:])"
)
_WAIT = """new Promise((resolve, reject) => {
  const until = Date.now() + %d;
  const look = () => {
    let found;
    try { found = (%s); } catch (error) { found = null; }
    if (found) resolve(found === true || typeof found === "string" || typeof found === "number" ? found : true);
    else if (Date.now() > until) reject(new Error("never: " + %s + "; the page: " + document.body.innerText));
    else setTimeout(look, 30);
  };
  look();
})"""


class Browser:
    """One tab. `said` gathers what the console and the log had to say: errors, refused scripts, failed requests;
    `asked` every address that was fetched."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._out, self._in = to_browser, from_browser
        self._buffer = b""
        self._number = 0
        self._session = ""
        self.said: list[str] = []
        self.asked: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.size(1280, 860)

    def size(self, width: int, height: int) -> None:
        """Of the window, in CSS pixels."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def dark(self, *, on: bool = True) -> None:
        """Say that the person prefers dark pages, or light ones."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if on else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def open(self, url: str) -> None:
        """Go to that address; `wait` tells when what is waited for is there."""
        self.call("Page.navigate", url=url)

    def js(self, expression: str) -> Any:
        """The value of an expression in the page; promises are awaited."""
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise AssertionError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def wait(self, condition: str, seconds: float = DEADLINE) -> Any:
        """Until the expression holds in the page, whichever page is loaded meanwhile; gives what it came to."""
        until = time.monotonic() + seconds
        while True:
            try:
                return self.js(_WAIT % (min(seconds, 5) * 1000, condition, json.dumps(condition)))
            except (AssertionError, RuntimeError):  # it was navigated away, or is not there yet
                if time.monotonic() > until:
                    raise

    def press(self, key: str, code: str = "") -> None:
        """A key, pressed and released."""
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        named = {"key": key, "code": code or key, "windowsVirtualKeyCode": {"Enter": 13, "Escape": 27}.get(key, 0)}
        self.call("Input.dispatchKeyEvent", type="keyDown", **named, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **named)

    def type(self, text: str) -> None:
        """Text into what has the focus."""
        self.call("Input.insertText", text=text)

    def screenshot(self, path: Path) -> None:
        """What is to be seen, as a PNG."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """One command of the protocol; gives its result."""
        self._number += 1
        record: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session:
            record["sessionId"] = self._session
        data = json.dumps(record).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        while True:
            message = self._message()
            if message.get("id") == self._number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self._hear(message)

    def _hear(self, message: dict[str, Any]) -> None:
        params = message.get("params", {})
        match message.get("method"):
            case "Runtime.consoleAPICalled" if params["type"] in ("error", "warning"):
                self.said.append(" ".join(str(one.get("value", one.get("description"))) for one in params["args"]))
            case "Runtime.exceptionThrown":
                details = params["exceptionDetails"]
                self.said.append(details.get("exception", {}).get("description") or details["text"])
            case "Network.requestWillBeSent":
                self.asked.append(params["request"]["url"])
            case "Log.entryAdded" if params["entry"]["level"] in ("error", "warning"):
                self.said.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
            case _:
                pass

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            if not select.select([self._in], [], [], DEADLINE)[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self._in, 2**20)
            if not piece:
                raise EOFError("the browser has ended")
            self._buffer += piece
        line, self._buffer = self._buffer.split(b"\0", 1)
        return cast(dict[str, Any], json.loads(line))


@contextmanager
def browser(profile: Path) -> Generator[Browser]:
    """Chromium with a profile of its own in an empty directory."""
    command = [
        "chromium", "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
        "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--disable-extensions",
        "--disable-features=IsolateSandboxedIframes", f"--user-data-dir={profile}", "about:blank",
    ]  # fmt: skip
    ends = os.pipe(), os.pipe()
    # Numbers above those they are moved to, so that moving one never closes the other.
    high = [fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in (ends[0][0], ends[1][1])]
    process = subprocess.Popen(
        [sys.executable, "-c", _LAUNCH, *map(str, high), *command], pass_fds=high, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "HOME": str(profile)},
    )  # fmt: skip
    for fd in (*high, ends[0][0], ends[1][1]):
        os.close(fd)
    try:
        yield Browser(ends[0][1], ends[1][0])
    finally:
        for fd in (ends[0][1], ends[1][0]):
            os.close(fd)
        process.kill()
        process.wait()
