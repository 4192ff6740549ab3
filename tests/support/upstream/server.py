"""A server for the tests of gathering: well-behaved, or hostile in the way its first argument says.

Speaks the handshake era by hand, with the standard library only, over stdio or (`http MODE`) streamable HTTP on a free
port, which it prints. What it offers stands in a JSON file (second argument), read anew at each request; reading
`control://…` makes it do things.
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

Message = dict[str, Any]

WORLD: dict[str, Message] = {
    "note://plain": {"name": "plain", "mimeType": "text/plain", "text": "The capybara rests by the river. " * 8},
    "note://short": {"name": "short", "mimeType": "text/plain", "text": "Grass."},
    "note://told": {"name": "told", "description": "Told already.", "mimeType": "text/plain", "text": "No matter."},
    "data://bytes": {"name": "bytes", "mimeType": "application/x-thing", "blob": base64.b64encode(b"\0\1\2").decode()},
    "many://items": {"name": "items", "mimeType": "text/plain", "items": ["one", "two"]},
}
ENORMOUS = 50 * 2**20


class Server:
    """`send` puts a message on the wire."""

    def __init__(self, mode: str, world: Path) -> None:
        self.mode = mode
        self.world = world
        self.lock = threading.Lock()

    def send(self, message: Message | str) -> None:
        text = message if isinstance(message, str) else json.dumps(message)
        with self.lock:
            sys.stdout.write(text + "\n")
            sys.stdout.flush()

    def notify(self, method: str, **params: Any) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def offered(self) -> dict[str, Message]:
        return json.loads(self.world.read_text()) if self.world.exists() else WORLD

    def change(self, uri: str, entry: Message | None) -> None:
        offered = self.offered()
        if entry is None:
            offered.pop(uri, None)
        else:
            offered[uri] = entry
        beside = self.world.with_suffix(".new")
        beside.write_text(json.dumps(offered))
        beside.replace(self.world)

    def answer(self, message: Message) -> Message | str | None:
        """What goes back; None for nothing."""
        method, request = message.get("method", ""), message.get("id")
        if request is None or self.mode == "silent":
            return None
        try:
            result = self.result(method, message.get("params") or {})
        except PermissionError as error:
            return {"jsonrpc": "2.0", "id": request, "error": {"code": -32000, "message": str(error)}}
        except LookupError as error:
            code = -32002 if method == "resources/read" else -32601
            return {"jsonrpc": "2.0", "id": request, "error": {"code": code, "message": str(error)}}
        if isinstance(result, str):
            return f'{{"jsonrpc":"2.0","id":{json.dumps(request)},"result":{result}}}'
        return None if result is None else {"jsonrpc": "2.0", "id": request, "result": result}

    def result(self, method: str, params: Message) -> Message | str | None:
        match method:
            case "initialize":
                return {
                    "protocolVersion": "2025-06-18",
                    "capabilities": {"resources": {"listChanged": True, "subscribe": True}},
                    "serverInfo": {"name": f"test {self.mode}", "version": "1"},
                }
            case "resources/list":
                return self.listing(params)
            case "resources/templates/list":
                template = {"uriTemplate": "note://{word}", "name": "note", "description": "A note"}
                return {"resourceTemplates": [template]}
            case "resources/read":
                return self.read(params["uri"])
            case "completion/complete":
                return {"completion": {"values": ["plain", "plane"]}}
            case "ping" | "resources/subscribe" | "resources/unsubscribe":
                return {}
            case _:
                raise LookupError(f"no method {method}")

    def listing(self, params: Message) -> Message | str:
        if self.mode == "many":
            entries = ",".join(f'{{"uri":"item://{n:06d}","name":"item {n}"}}' for n in range(100_000))
            return f'{{"resources":[{entries}]}}'
        if self.mode == "endless":
            page = int(params.get("cursor") or 0)
            return {"resources": [{"uri": f"page://{page}", "name": str(page)}], "nextCursor": str(page + 1)}
        if self.mode == "circular":
            return {"resources": [{"uri": "page://0", "name": "0"}], "nextCursor": "again"}
        if self.mode == "hollow":
            page = int((params.get("cursor") or "0").rpartition(" ")[2]) + 1
            return {"resources": [], "nextCursor": f"{'-' * 9000} {page}"}
        if self.mode == "echo":
            token = os.environ.get("TEST_TOKEN")
            return {"resources": [{"uri": "item://1", "name": f"my {token}", "title": token, "description": token}]}
        if self.mode == "malicious":
            return {"resources": malicious_entries()}
        kept = ("name", "title", "description", "mimeType", "size")
        return {
            "resources": [
                {"uri": uri} | {key: entry[key] for key in kept if key in entry}
                for uri, entry in self.offered().items()
            ]
        }

    def read(self, uri: str) -> Message | str | None:
        if uri.startswith("control://"):
            return self.control(uri.removeprefix("control://"))
        if self.mode == "enormous":
            text = "x" * ENORMOUS
            return f'{{"contents":[{{"uri":"x://y","text":"{text}"}}]}}'
        if self.mode == "never":
            return None
        if self.mode == "echo":
            raise PermissionError("it is not for you")
        if self.mode == "liar":
            return {"contents": LIES[uri]}
        entry = self.offered().get(uri)
        if entry is None:
            raise LookupError(f"no resource {uri}")
        base = {"uri": uri, "mimeType": entry.get("mimeType")}
        if "items" in entry:
            return {
                "contents": [
                    {"uri": f"{uri}/{n}", "mimeType": "text/plain", "text": text}
                    for n, text in enumerate(entry["items"])
                ]
            }
        return {"contents": [base | {key: entry[key] for key in ("text", "blob") if key in entry}]}

    def control(self, order: str) -> Message:
        verb, _, rest = order.partition("/")
        match verb:
            case "add":
                self.change(rest, {"name": rest, "mimeType": "text/plain", "text": f"This is {rest}."})
                self.notify("notifications/resources/list_changed")
            case "update":
                uri, _, text = rest.partition("=")
                self.change(uri, {"name": "updated", "mimeType": "text/plain", "text": text})
                self.notify("notifications/resources/updated", uri=uri)
            case "environment":
                text = os.environ.get(rest, "")
                return {"contents": [{"uri": "x://environment", "text": text}]}
            case "pid" if not order.endswith("/"):
                return {"contents": [{"uri": "x://pid", "text": str(os.getpid())}]}
            case "pid":
                child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
                return {"contents": [{"uri": "x://pid", "text": f"{os.getpid()} {child.pid}"}]}
            case "say":
                sys.stderr.write(rest + "\n")
                sys.stderr.flush()
            case _:
                os._exit(9)
        return {"contents": [{"uri": "x://done", "text": "done"}]}


LIES: dict[str, list[Any]] = {
    "note://plain": [
        {"uri": "file:///etc/passwd", "mimeType": "text/plain", "blob": base64.b64encode(b"text as bytes").decode()}
    ],
    "note://short": [{"uri": "note://short", "mimeType": "image/png", "blob": base64.b64encode(b"GIF89a..").decode()}],
    "note://told": [{"uri": "note://told", "mimeType": "application/json", "text": "{not json"}],
    "data://bytes": [{"uri": "data://bytes", "mimeType": "image/png", "blob": base64.b64encode(b"<html>").decode()}],
    "many://items": [{"uri": 7, "mimeType": ["a"], "text": "typed wrongly"}],
    "lie://base64": [{"uri": "lie://base64", "blob": "***"}],
    "lie://neither": [{"uri": "lie://neither"}],
    "lie://shape": ["a string"],
}


def malicious_entries() -> list[Any]:
    return [
        {"uri": "file:///etc/passwd", "name": "../../../etc/passwd"},
        {"uri": "document://notes", "name": "a\x1b[31mred\x07\u202egnp.exe", "description": "d" * 1_000_000},
        {"uri": "upstream://other/x://y", "name": "n" * 100_000, "title": {"not": "text"}, "size": -5},
        {"uri": "sp ace://ü/%zz?q=<script>", "name": "odd", "mimeType": "not a type", "size": "large"},
        {"uri": "bad://\x00null", "name": "null"},
        {"uri": "bad://new\nline", "name": "line"},
        {"uri": "long://" + "x" * 100_000, "name": "long"},
        {"uri": 5, "name": "number"},
        {"name": "no uri"},
        "not an object",
        None,
    ]


def flood(send: Callable[[str], object]) -> None:
    for number in itertools.count():
        notices: dict[str, Message] = {
            "resources/list_changed": {},
            "resources/updated": {"uri": f"note://{number % 5000}"},
            "message": {"level": "info", "data": "x" * 200},
        }
        for method, params in notices.items():
            send(json.dumps({"jsonrpc": "2.0", "method": f"notifications/{method}", "params": params}))


def over_stdio(server: Server) -> None:
    if server.mode == "exits":
        sys.stderr.write(f"cannot start with {os.environ.get('TEST_TOKEN', 'nothing')}\n")
        sys.exit(3)
    if server.mode == "garbage":
        for _ in range(1000):
            server.send("Welcome to my server!")
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("method") == "server/discover" and server.mode == "dies":
            sys.exit(4)
        answer = server.answer(message)
        if answer is not None:
            server.send(answer)
        if message.get("method") == "notifications/initialized" and server.mode == "flood":
            threading.Thread(target=flood, args=(server.send,), daemon=True).start()
    if server.mode == "stubborn":
        time.sleep(3600)  # does not leave when its input ends


def over_http(server: Server) -> None:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            message = json.loads(self.rfile.read(int(self.headers["content-length"])))
            wanted = os.environ.get("TEST_TOKEN")
            if wanted and self.headers.get("authorization") != f"Bearer {wanted}":
                self.reply(401, b"")
                return
            answer = server.answer(message)
            if answer is None and message.get("id") is not None:
                time.sleep(3600)
            text = answer if isinstance(answer, str) else json.dumps(answer)
            self.reply(202 if answer is None else 200, b"" if answer is None else text.encode())

        def do_GET(self) -> None:
            if server.mode != "flood":
                self.reply(405, b"")
                return
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.end_headers()
            try:
                flood(lambda message: self.wfile.write(b"event: message\ndata: %s\n\n" % message.encode()))
            except OSError:
                self.close_connection = True

        def do_DELETE(self) -> None:
            self.reply(200, b"")

        def reply(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.send_header("mcp-session-id", "session")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class calls it so
            pass

    server.send = lambda message: None  # nobody listens for notifications here
    http = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("TEST_PORT", "0"))), Handler)
    http.daemon_threads = True
    print(http.server_address[1], flush=True)
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    http.serve_forever()


if __name__ == "__main__":
    if sys.argv[1] == "http":
        over_http(Server(sys.argv[2], Path(sys.argv[3])))
    else:
        over_stdio(Server(os.environ.get("TEST_MODE") or sys.argv[1], Path(sys.argv[2])))
