"""The wire itself: what is not a message, what is piped in and left, and a stdout that nobody else may use."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.clients.harness import COMMAND, DEADLINE, Raw, environment, fill
from support.programs import forks


@pytest.fixture
def raw(tmp_path: Path) -> Any:
    fill(tmp_path / "documents")
    with Raw(tmp_path / "documents", tmp_path / "data") as process:
        yield process


@pytest.fixture(scope="module")
def greeted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Raw]:
    """A session for whatever must not end it, which goes on from test to test."""
    place = tmp_path_factory.mktemp("wire")
    fill(place / "documents")
    with Raw(place / "documents", place / "data") as process:
        process.initialize()
        yield process


@pytest.mark.parametrize(
    ("line", "code", "request_id"),
    [
        ("this is not JSON", -32700, None),
        ('{"jsonrpc": "2.0", "id": 1, "method": ', -32700, None),
        (b'\xff\xfe{"id":1}', -32700, None),
        ("[]", -32600, None),
        ('[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, None),
        ("42", -32600, None),
        ('{"hello": "world"}', -32600, None),
        ('{"jsonrpc": "1.0", "id": 7, "method": "ping"}', -32600, 7),
        ('{"jsonrpc": "2.0", "id": "a", "method": 5}', -32600, "a"),
        ('{"jsonrpc": "2.0", "id": 8}', -32600, 8),
        ("[" * 20_000, -32700, None),
    ],
)
def test_what_is_no_message_is_answered_and_the_session_goes_on(
    greeted: Raw, line: str | bytes, code: int, request_id: object
) -> None:
    greeted.send(line)
    answer = greeted.answer()
    assert answer["error"]["code"] == code
    assert answer["id"] == request_id
    assert answer["error"]["message"].endswith(".")
    greeted.send({"jsonrpc": "2.0", "id": 99, "method": "ping"})
    assert greeted.answer() == {"jsonrpc": "2.0", "id": 99, "result": {}}


def test_it_answers_before_and_without_initialize(raw: Raw) -> None:
    raw.send("", "   ", "garbage")
    assert raw.answer()["error"]["code"] == -32700
    raw.send({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    assert raw.answer()["error"]["code"] == -32602
    assert raw.initialize()["result"]["serverInfo"]["name"] == "docsidecar"


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"method": "no/such/method"}, -32601),
        ({"method": "tasks/list"}, -32601),
        ({"method": "tools/call"}, -32602),
        ({"method": "tools/call", "params": {"name": 5}}, -32602),
        ({"method": "resources/read", "params": {}}, -32602),
        ({"method": "resources/read", "params": {"uri": ["a"]}}, -32602),
        ({"method": "completion/complete", "params": {"ref": {}}}, -32602),
    ],
)
def test_wrong_requests_are_refused_by_the_codes_of_json_rpc(greeted: Raw, message: dict[str, Any], code: int) -> None:
    greeted.send({"jsonrpc": "2.0", "id": 5} | message)
    answer = greeted.answer()
    assert (answer["id"], answer["error"]["code"]) == (5, code)


def test_many_requests_at_once_are_each_answered_once(raw: Raw) -> None:
    raw.initialize()
    raw.send(*({"jsonrpc": "2.0", "id": n, "method": "resources/list"} for n in range(200)))
    answers = [raw.answer() for _ in range(200)]
    assert sorted(answer["id"] for answer in answers) == list(range(200))
    assert all("result" in answer for answer in answers)


def test_requests_piped_in_are_answered_although_the_input_ends(tmp_path: Path) -> None:
    fill(tmp_path / "documents")
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "pipe", "version": "1"}}
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    until, answers = time.monotonic() + DEADLINE, dict[int, dict[str, Any]]()
    while "error" in answers.get(2, {"error": ""}):  # on a machine that needs longer than it may to start, it says so
        assert time.monotonic() < until, answers
        with forks.programs():
            done = subprocess.run(
                [*COMMAND, "--folder", str(tmp_path / "documents"), "--data-dir", str(tmp_path / "data")],
                input="\n".join(map(json.dumps, lines)).encode(),  # the last line without its line end
                capture_output=True,
                env=environment(tmp_path / "data"),
                timeout=DEADLINE,
                check=True,
            )
        answers = {message["id"]: message for message in map(json.loads, done.stdout.splitlines())}
        assert answers[1]["result"]["serverInfo"]["name"] == "docsidecar"
    assert len(answers[2]["result"]["tools"]) > 5


def test_input_from_a_file_works_as_well(tmp_path: Path) -> None:
    fill(tmp_path / "documents")
    script = tmp_path / "input.jsonl"
    script.write_text('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    with script.open("rb") as source, (tmp_path / "output").open("wb") as output, forks.programs():
        subprocess.run(
            [*COMMAND, "--folder", str(tmp_path / "documents"), "--data-dir", str(tmp_path / "data")],
            stdin=source,
            stdout=output,
            env=environment(tmp_path / "data"),
            timeout=DEADLINE,
            check=True,
        )
    assert json.loads((tmp_path / "output").read_text()) == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_nothing_but_messages_comes_out(raw: Raw) -> None:
    raw.initialize()
    for number in range(20):
        raw.call("get_library_status", {}, number)
    raw.call("index_document", {"file_path": "/nowhere/at-all.md"}, 21)
    raw.send("broken", {"jsonrpc": "2.0", "id": 22, "method": "ping"})
    assert raw.answer()["error"]["code"] == -32700
    assert raw.process.stdin is not None
    assert raw.process.stdout is not None
    raw.process.stdin.close()
    for line in raw.process.stdout.read().splitlines():
        assert json.loads(line)["jsonrpc"] == "2.0"
    assert raw.process.wait(DEADLINE) == 0
