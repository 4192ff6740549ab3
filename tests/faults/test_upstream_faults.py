"""Gathering from hostile, slow, dying and lying servers: ours goes on, says what is wrong, leaves nothing behind."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import psutil
import pytest
from support.clients.waiting import DEADLINE
from support.programs import forks
from support.programs.server import Server
from support.upstream.gathering import HERE, QUICK, gathering, http_server, stdio, until, write_config

from sidecar.api import NotFoundError, UnavailableError

SERVER = str(HERE / "server.py")
TRANSPORTS = ("stdio", "http")
RESTARTS = 40
TROUBLES = ("silent", "never", "enormous", "many", "endless", "circular", "malicious", "liar")


class Hostile:
    """Tables of servers in these modes over a transport; HTTP ones run as long as this is entered."""

    def __init__(self, transport: str, world: Path, *modes: str, **settings: Any) -> None:
        self.transport, self.world, self.modes, self.settings = transport, world, modes, settings

    def __enter__(self) -> dict[str, dict[str, Any]]:
        import contextlib

        self.stack = contextlib.ExitStack()
        if self.transport == "stdio":
            return {mode: stdio(mode, self.world, **self.settings) for mode in self.modes}
        tables: dict[str, dict[str, Any]] = {}
        for mode in self.modes:
            url, _ = self.stack.enter_context(http_server(SERVER, "http", mode, str(self.world)))
            tables[mode] = {"url": url, **QUICK, **self.settings}
        return tables

    def __exit__(self, *error: object) -> None:
        self.stack.close()


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_troubled_servers_do_not_touch_a_good_one(tmp_path: Path, transport: str) -> None:
    async def scenario(tables: dict[str, Any]) -> None:
        async with gathering(tmp_path / "data", tables) as g:
            await g.reaches("good", "connected", resources=5)
            await g.reaches("many", "connected", resources=10_000)
            assert await g.text("upstream://good/note://short") == "Grass."
            assert (await g.status("silent"))["state"] in {"connecting", "down"}
            await g.reaches("silent", "down")
            for mode in ("never", "enormous", "many", "endless", "circular", "malicious", "liar"):
                await g.reaches(mode, "connected")
            assert await g.text("upstream://good/note://told") == "No matter."

    with Hostile(
        transport, tmp_path / "world.json", "good", *TROUBLES, start_timeout=DEADLINE, timeout=DEADLINE
    ) as tables:
        tables["silent"]["start_timeout"] = 1.0
        await scenario(tables)


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_no_answer_is_waited_for_only_so_long(tmp_path: Path, transport: str) -> None:
    async def scenario(tables: dict[str, Any]) -> None:
        async with gathering(tmp_path / "data", tables) as g:

            async def told() -> bool:  # on a busy machine it is late with its list too, and is connected to anew
                with pytest.raises(UnavailableError) as late:
                    await g.read("upstream://never/note://plain")
                return "never: it did not answer within 0.5 seconds" in str(late.value)

            await g.reaches("never", "connected")
            await until(told)
            with pytest.raises(UnavailableError, match=r"silent is (not reachable|still coming up)"):
                await g.read("upstream://silent/note://plain")
            found = await g.reaches("silent", "down")
            assert found["error"] == "it did not come up within 0.5 seconds"

    with Hostile(transport, tmp_path / "w.json", "never", "silent", timeout=0.5, start_timeout=0.5) as tables:
        tables["never"]["start_timeout"] = DEADLINE
        await scenario(tables)


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_fifty_megabytes_are_thrown_away_while_they_arrive(tmp_path: Path, transport: str) -> None:
    async def scenario(tables: dict[str, Any]) -> None:
        async with gathering(tmp_path / "data", tables) as g:
            await g.reaches("enormous", "connected", resources=5)
            mine = psutil.Process()
            most = max(_peak_bytes(mine), mine.memory_info().rss + 40 * 2**20)  # other tests may have taken more
            with pytest.raises(UnavailableError, match="max_bytes"):
                await g.read("upstream://enormous/note://plain")
            assert _peak_bytes(mine) <= most
            await g.reaches("enormous", "connected", resources=5)

    with Hostile(transport, tmp_path / "w.json", "enormous", max_bytes=2**20, timeout=DEADLINE) as tables:
        await scenario(tables)


def _peak_bytes(process: psutil.Process) -> int:
    """The most memory it ever had (Linux), or has now."""
    try:
        for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return process.memory_info().rss


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_lists_are_bounded_and_it_is_said(tmp_path: Path, transport: str) -> None:
    async def scenario(tables: dict[str, Any]) -> None:
        async with gathering(tmp_path / "data", tables) as g:
            found = await g.reaches("many", "connected", resources=100)
            assert "more than 100 resources" in found["remark"]
            found = await g.reaches("endless", "connected", resources=100)
            assert "more than 100 resources" in found["remark"]
            found = await g.reaches("circular", "connected", resources=1)
            assert found["remark"] == "its list repeats itself and was cut off"
            assert len(await g.entries(7)) == 201
            cut_off = "its list repeats itself and was cut off"
            await g.reaches("hollow", "connected", resources=0, remark=cut_off)
            with pytest.raises(NotFoundError):
                await g.read("upstream://many/item://099999")  # not listed, and the server says it has none

    with Hostile(transport, tmp_path / "w.json", "many", "endless", "circular", "hollow", max_resources=100) as tables:
        await scenario(tables)


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_malicious_names_and_uris_are_made_harmless(tmp_path: Path, transport: str) -> None:
    async def scenario(tables: dict[str, Any]) -> None:
        async with gathering(tmp_path / "data", tables) as g:
            found = await g.reaches("malicious", "connected", resources=4)
            assert found["remark"] == "7 entries without a usable URI were left out"
            listed = await g.entries()
            assert set(listed) == {
                "upstream://malicious/file:///etc/passwd",
                "upstream://malicious/document://notes",
                "upstream://malicious/upstream://other/x://y",
                "upstream://malicious/sp%20ace://%C3%BC/%zz?q=%3Cscript%3E",
            }
            entry = listed["upstream://malicious/document://notes"]
            assert entry.name == "a [31mred gnp.exe"
            assert len(entry.description) == 500
            assert len(listed["upstream://malicious/upstream://other/x://y"].name) == 200
            odd = listed["upstream://malicious/sp%20ace://%C3%BC/%zz?q=%3Cscript%3E"]
            assert (odd.media_type, odd.size) == ("", None)
            for uri in listed:  # each leads to that server and nowhere else, and it has none of them
                with pytest.raises(NotFoundError, match="upstream server malicious has no resource"):
                    await g.read(uri)

    with Hostile(transport, tmp_path / "w.json", "malicious") as tables:
        await scenario(tables)


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_lies_about_types_are_seen_through(tmp_path: Path, transport: str) -> None:
    async def scenario(tables: dict[str, Any]) -> None:
        async with gathering(tmp_path / "data", tables) as g:
            await g.reaches("liar", "connected", resources=5)

            async def one(uri: str) -> tuple[str, str, Any]:
                (content,) = await g.read(f"upstream://liar/{uri}")
                return content.uri, content.media_type, content.text if content.text is not None else content.data

            assert await one("note://plain") == ("upstream://liar/note://plain", "text/plain", "text as bytes")
            assert (await one("note://short"))[1:] == ("image/gif", b"GIF89a..")
            assert (await one("note://told"))[1:] == ("text/plain", "{not json")
            assert (await one("data://bytes"))[1:] == ("application/octet-stream", b"<html>")
            for uri in ("lie://base64", "lie://neither", "lie://shape", "many://items"):
                with pytest.raises(UnavailableError, match="cannot be read from the upstream server liar"):
                    await g.read(f"upstream://liar/{uri}")
            await g.reaches("liar", "connected", resources=5)

    with Hostile(transport, tmp_path / "w.json", "liar") as tables:
        await scenario(tables)


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_a_flood_of_notices_is_coalesced(tmp_path: Path, transport: str) -> None:
    async def scenario(tables: dict[str, Any]) -> None:
        started = time.monotonic()
        async with gathering(tmp_path / "data", tables) as g:
            await g.reaches("flood", "connected", resources=5)
            await g.hears("upstream://flood/note://0")
            before, began = len(g.told), time.monotonic()
            assert await g.text("upstream://flood/note://short") == "Grass."
            assert await g.text("upstream://flood/note://told") == "No matter."
            # The server sends about as fast as a pipe takes it, and is slowed down to 1,000 messages a second, of which
            # 2,000 come at once and a third are updates. However often its list changed, it is listed with pauses.
            told, lists, now = len(g.told) - before, g.told.count("list"), time.monotonic()
            assert told < 2 * (2000 + 1000 * (now - began))
            assert lists < 50 + 10 * (now - started)

    with Hostile(transport, tmp_path / "w.json", "flood") as tables:
        await scenario(tables)


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("exits", "it ended with exit code 3: cannot start with ***"),
        ("garbage", "it writes something other than MCP to its standard output"),
    ],
)
async def test_a_server_that_is_none_is_told_and_tried_again(tmp_path: Path, mode: str, words: str) -> None:
    table = stdio(mode, tmp_path / "w.json", env={"TEST_TOKEN": "s3cr3t-value"})
    async with gathering(tmp_path / "data", {"bad": table}) as g:
        pauses: list[float] = []
        while len(pauses) < 4:
            found = await g.reaches("bad", "down")
            assert found["error"] == words
            pauses.append(found["retry_in"])
            if len(pauses) < 4:
                await g.reaches("bad", "connecting")
        assert max(pauses) > 0.1  # it began with 0.05 at most


async def test_a_server_that_dies_of_the_newer_greeting_is_greeted_as_of_old(tmp_path: Path) -> None:
    async with gathering(tmp_path / "data", {"old": stdio("dies", tmp_path / "w.json")}) as g:
        await g.reaches("old", "connected", resources=5, era="2025-06-18")


async def test_what_cannot_be_started_is_said(tmp_path: Path) -> None:
    servers = {
        "missing": {"command": "no-such-command-anywhere", **QUICK},
        "nowhere": {"url": "http://127.0.0.1:9/mcp", **QUICK},
        "unset": {"url": "http://127.0.0.1:9/${NO_SUCH_VARIABLE_42}", **QUICK},
    }
    async with gathering(tmp_path / "data", servers) as g:
        found = await g.reaches("missing", "down")
        assert "no-such-command-anywhere is not found; install it" in found["error"]
        assert (await g.reaches("nowhere", "down"))["error"]
        found = await g.reaches("unset", "misconfigured")
        assert "NO_SUCH_VARIABLE_42 is not set" in found["error"]
        with pytest.raises(UnavailableError, match="NO_SUCH_VARIABLE_42"):
            await g.read("upstream://unset/x://y")


async def test_credentials_reach_the_server_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level("DEBUG")
    monkeypatch.setenv("UPSTREAM_TEST_TOKEN", "s3cr3t-value")

    async def scenario(url: str) -> None:
        servers = {
            "web": {"url": url, "headers": {"Authorization": "Bearer ${UPSTREAM_TEST_TOKEN}"}, **QUICK},
            "wrong": {"url": url, "headers": {"Authorization": "Bearer another-s3cr3t"}, **QUICK},
            "local": stdio("good", tmp_path / "w.json", env={"TEST_TOKEN": "${UPSTREAM_TEST_TOKEN}"}),
            "echo": stdio("echo", tmp_path / "w.json", env={"TEST_TOKEN": "${UPSTREAM_TEST_TOKEN}"}),
        }
        async with gathering(tmp_path / "data", servers) as g:
            await g.reaches("web", "connected", resources=5)
            await g.reaches("wrong", "down")
            await g.reaches("local", "connected", resources=5)
            assert await g.text("upstream://local/control://environment/TEST_TOKEN") == "s3cr3t-value"
            await g.read("upstream://local/control://say/my token is s3cr3t-value indeed")

            async def logged() -> bool:
                return "my token is *** indeed" in caplog.text

            await until(logged)
            assert "s3cr3t" not in json.dumps(await g.application.library.status())
            await g.reaches("echo", "connected", resources=1)
            listed = (await g.entries())["upstream://echo/item://1"]
            assert (listed.name, listed.title, listed.description) == ("my ***", "***", "***")
            with pytest.raises(UnavailableError, match="it is not for you"):
                await g.read("upstream://echo/item://1")

    with http_server(SERVER, "http", "good", str(tmp_path / "w.json"), token="s3cr3t-value") as (url, _):
        await scenario(url)
    assert "s3cr3t" not in caplog.text
    out, err = capfd.readouterr()
    assert "s3cr3t" not in out + err
    assert out == ""


async def test_a_server_and_its_children_end_with_us(tmp_path: Path) -> None:
    async def scenario() -> list[int]:
        async with gathering(tmp_path / "data", {"s": stdio("stubborn", tmp_path / "w.json")}) as g:
            await g.reaches("s", "connected", resources=5)
            text = await g.text("upstream://s/control://pid/")
            pids = [int(pid) for pid in text.split()]
            assert len(pids) == 2
            assert all(map(psutil.pid_exists, pids))
            return pids

    pids = await scenario()

    async def gone() -> bool:  # they are killed by then, which takes its time on a busy machine
        return all(map(_gone, pids))

    await until(gone)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a process ask to die with its parent")
@pytest.mark.parametrize("ending", ["end of input", "SIGTERM", "SIGKILL"])
async def test_a_server_ends_however_we_end(tmp_path: Path, ending: str) -> None:
    config = tmp_path / "config.toml"
    table = stdio("stubborn", tmp_path / "w.json")
    arguments = json.dumps(table["args"])
    config.write_text(f'[upstream.s]\ncommand = "{table["command"]}"\nargs = {arguments}\n')

    command = (sys.executable, "-m", "sidecar.cli.main", "serve", "--config", str(config), "--data-dir")
    with forks.programs():
        process = await asyncio.create_subprocess_exec(
            *command, str(tmp_path / "data"), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
    assert process.stdin is not None
    assert process.stdout is not None
    request = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    process.stdin.write(_line(1, "initialize", request))
    await process.stdout.readline()
    process.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    async def pids() -> list[int]:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(_line(2, "resources/read", {"uri": "upstream://s/control://pid/"}))
        while (answer := json.loads(await process.stdout.readline())).get("id") != 2:
            pass
        return [int(pid) for pid in answer["result"]["contents"][0]["text"].split()] if "result" in answer else []

    server = await until(pids)
    below = [child.pid for child in psutil.Process(process.pid).children(recursive=True)]
    assert server[0] in below
    if ending == "end of input":
        process.stdin.close()
    else:
        os.kill(process.pid, signal.Signals[ending])
    await process.wait()
    for pid in below:

        async def gone(pid: int = pid) -> bool:
            return _gone(pid)

        await until(gone)


def _line(number: int, method: str, params: dict[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n"


def _gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def _sidecar(config: Path, data: Path) -> dict[str, Any]:
    arguments = ["-m", "sidecar.cli.main", "serve", "--config", str(config), "--data-dir", str(data)]
    return {"command": sys.executable, "args": arguments, **QUICK}


async def test_a_sidecar_gathers_from_another_but_never_from_itself(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine", tmp_path / "other"
    # `other` gathers from a good server; `itself` is this very data directory; `circle` gathers from it in turn.
    write_config(tmp_path / "other.toml", {"zoo": stdio("good", tmp_path / "w.json")})
    write_config(tmp_path / "circle.toml", {"back": _sidecar(tmp_path / "circle2.toml", mine)})
    write_config(tmp_path / "circle2.toml", {"again": _sidecar(tmp_path / "circle.toml", tmp_path / "third")})
    write_config(tmp_path / "self.toml", {"me": _sidecar(tmp_path / "self.toml", mine)})

    servers = {
        "other": _sidecar(tmp_path / "other.toml", other),
        "circle": _sidecar(tmp_path / "circle.toml", tmp_path / "third"),
        "itself": _sidecar(tmp_path / "self.toml", mine),
    }
    async with gathering(mine, servers) as g:
        found = await g.reaches("itself", "refused")
        assert found["error"] == "It is this sidecar itself; remove it from the configuration."
        found = await g.reaches("circle", "refused")
        assert "It gathers from this sidecar in turn" in found["error"]

        async def through() -> bool:
            return "upstream://other/upstream://zoo/note://short" in await g.entries()

        await until(through)
        assert await g.text("upstream://other/upstream://zoo/note://short") == "Grass."
        with pytest.raises(UnavailableError, match="itself is not used: It is this sidecar itself"):
            await g.read("upstream://itself/tour://library")


@pytest.mark.skipif(sys.platform == "win32", reason="counts file descriptors and kills the POSIX way")
async def test_many_restarts_leave_nothing_behind(tmp_path: Path) -> None:
    """Every other one is killed at the moment it is configured anew, so that connecting is broken off as well."""
    world = tmp_path / "w.json"

    process = psutil.Process()
    others = process.children(recursive=True)  # what the tests fork their programs from, and what it has forked

    def ours() -> set[psutil.Process]:
        return set(process.children(recursive=True)).difference(others)

    async with gathering(tmp_path / "data", {"zoo": stdio("good", world)}) as g:
        await g.reaches("zoo", "connected", resources=5)
        before = process.num_fds()
        for number in range(RESTARTS):
            last = await g.server_pid("zoo")
            if number % 2:
                os.kill(last, signal.SIGKILL)
            await g.reconfigure({"zoo": stdio("good", world, env={"LEVEL": str(number)})})

            async def anew(last: int = last, level: str = str(number)) -> bool:
                try:
                    return (
                        await g.server_pid("zoo") != last
                        and await g.text("upstream://zoo/control://environment/LEVEL") == level
                    )
                except UnavailableError:
                    return False

            await until(anew)

        async def settled() -> bool:
            return len(ours()) == 1 and process.num_fds() < before + RESTARTS // 2

        await until(settled)  # what the index opens when it is first needed is not left behind
        assert not [one for one in ours() if one.status() == psutil.STATUS_ZOMBIE]


def writing(index: Path) -> bool:
    """Whether a process is inside a transaction that writes."""
    with closing(sqlite3.connect(index, isolation_level=None, timeout=0)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return True
    return False


@pytest.mark.skipif(sys.platform == "win32", reason="nothing can be suspended there")
async def test_a_suspended_window_does_not_keep_the_servers_from_others(tmp_path: Path) -> None:
    config, data, world = tmp_path / "config.toml", tmp_path / "data", tmp_path / "world.json"
    table = {"zoo": stdio("good", world)}
    write_config(config, table)

    async def scenario(holder: Server) -> None:
        servers = psutil.Process(holder.process.pid).children()
        while True:
            for process in (*servers, psutil.Process(holder.process.pid)):
                process.suspend()
            while psutil.Process(holder.process.pid).status() != psutil.STATUS_STOPPED:
                pass  # it stops once it is about to run again
            if not writing(data / "index.db"):  # what others may write then is another test's subject
                break
            psutil.Process(holder.process.pid).resume()
        try:
            async with gathering(data, table) as g:
                await g.reaches("zoo", "connected", resources=5)
                assert await g.text("upstream://zoo/note://short") == "Grass."
        finally:
            for process in (*servers, psutil.Process(holder.process.pid)):
                process.resume()

    with Server("--config", str(config), "--data-dir", str(data)) as holder:
        holder.tool("resources", server_name="zoo")
        holder.until(lambda status: status["upstream"]["zoo"]["state"] == "connected", "it gathers")
        await scenario(holder)
        assert holder.end() == 0
