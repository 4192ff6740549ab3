"""Several windows on one data directory, and the command line beside them: servers run once, and all read live."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import psutil
import pytest
from support.upstream_support import DEADLINE, Gathering, gathering, sidecar, stdio, until, write_config

from sidecar.api import UnavailableError


async def test_windows_share_the_servers(tmp_path: Path) -> None:
    data, world = tmp_path / "data", tmp_path / "world.json"

    async with gathering(data, {"zoo": stdio("good", world)}) as one, gathering(data, one_of(world)) as two:
        for window in (one, two):
            await window.reaches("zoo", "connected", resources=5)
        assert await one.server_pid("zoo") == await two.server_pid("zoo")
        assert len(one.application.workers.pids()) + len(two.application.workers.pids()) == 1
        one.told.clear()
        two.told.clear()
        await two.read("upstream://zoo/control://add/note://new")
        for window in (one, two):
            await window.reaches("zoo", "connected", resources=6)
            assert "list" in window.told
            assert await window.text("upstream://zoo/note://new") == "This is note://new."
        await one.read("upstream://zoo/control://update/note://new=Changed.")
        for window in (one, two):
            await window.hears("upstream://zoo/note://new")
            assert await window.text("upstream://zoo/note://new") == "Changed."
            await window.describes("upstream://zoo/note://new", "Changed....")


def one_of(world: Path) -> dict[str, dict[str, Any]]:
    return {"zoo": stdio("good", world)}


async def test_a_window_that_comes_late_knows_everything_at_once(tmp_path: Path) -> None:
    data, world = tmp_path / "data", tmp_path / "world.json"
    world.write_text(json.dumps({f"note://{n:04}": {"name": str(n), "text": f"Text {n}."} for n in range(450)}))

    async with gathering(data, one_of(world)) as one:
        await one.reaches("zoo", "connected", resources=450)
        await one.describes("upstream://zoo/note://0021", "Text 21....")
        async with gathering(data, one_of(world)) as two:
            found = await two.reaches("zoo", "connected", resources=450)
            assert found == await one.status("zoo")
            assert two.application.workers.pids() == []
            await two.describes("upstream://zoo/note://0021", "Text 21....")


def test_another_window_takes_over(tmp_path: Path) -> None:
    data, world = tmp_path / "data", tmp_path / "world.json"

    async def scenario() -> None:
        async with AsyncExitStack() as later:
            async with gathering(data, one_of(world)) as one:
                await one.reaches("zoo", "connected", resources=5)
                two = await later.enter_async_context(gathering(data, one_of(world)))
                await two.reaches("zoo", "connected", resources=5)
                (gatherer,) = one.application.workers.pids()
                psutil.Process(gatherer).kill()  # whoever holds the lock starts it again, and the other finds it
                for window in (one, two):
                    await until(lambda window=window: elsewhere(window, gatherer))
                assert await one.server_pid("zoo") == await two.server_pid("zoo")
                (gatherer,) = one.application.workers.pids()
            await until(lambda: elsewhere(two, gatherer))
            assert len(two.application.workers.pids()) == 1
            assert await two.text("upstream://zoo/note://short") == "Grass."

    async def elsewhere(window: Gathering, before: int) -> bool:
        """Whether the server runs under another gatherer than before."""
        try:
            return psutil.Process(await window.server_pid("zoo")).ppid() != before
        except (UnavailableError, psutil.NoSuchProcess):
            return False

    asyncio.run(scenario())


async def test_windows_with_other_credentials_share_nothing_but_what_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, world = tmp_path / "data", tmp_path / "world.json"
    secret = stdio("good", world, env={"TEST_TOKEN": "${UPSTREAM_TEST_TOKEN}"})
    tables = {"secret": secret, "zoo": stdio("good", world)}

    monkeypatch.setenv("UPSTREAM_TEST_TOKEN", "the-first")
    async with gathering(data, tables) as one:
        await one.reaches("secret", "connected")
        monkeypatch.setenv("UPSTREAM_TEST_TOKEN", "the-second")
        async with gathering(data, tables) as two:
            await two.reaches("secret", "connected")
            await two.reaches("zoo", "connected")
            assert await one.server_pid("zoo") == await two.server_pid("zoo")
            assert await one.server_pid("secret") != await two.server_pid("secret")
            assert await one.text("upstream://secret/control://environment/TEST_TOKEN") == "the-first"
            assert await two.text("upstream://secret/control://environment/TEST_TOKEN") == "the-second"


async def test_a_stranger_learns_nothing_from_the_gatherer(tmp_path: Path) -> None:
    data = tmp_path / "data"

    async with gathering(data, one_of(tmp_path / "world.json")) as g:
        await g.reaches("zoo", "connected", resources=5)
        (file,) = data.glob("upstream-*.json")
        if sys.platform != "win32":
            assert file.stat().st_mode & 0o077 == 0
        reader, writer = await asyncio.open_connection("127.0.0.1", json.loads(file.read_bytes())["port"])
        writer.write(os.urandom(64))
        async with asyncio.timeout(DEADLINE):
            said = await reader.read()
        assert len(said) == 64  # a nonce and a proof, and then it hangs up
        writer.close()
        assert await g.text("upstream://zoo/note://short") == "Grass."
    assert not file.exists()


def test_the_command_line_reads_live(tmp_path: Path) -> None:
    config, data, world = tmp_path / "config.toml", tmp_path / "data", tmp_path / "world.json"
    table = stdio("good", world, env={"TEST_MODE": "good"})
    write_config(config, {"zoo": table, "never": stdio("exits", world)})

    def read(uri: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            sidecar(config, data, "read", uri), capture_output=True, text=True, timeout=DEADLINE, check=False
        )

    assert read("upstream://zoo/note://short").stdout == "Grass.\n"
    world.write_text(json.dumps({"note://short": {"name": "short", "mimeType": "text/plain", "text": "Reeds."}}))
    found = read("upstream://zoo/note://short")
    assert (found.stdout, found.stderr, found.returncode) == ("Reeds.\n", "", 0)
    missing = read("upstream://zoo/note://none")
    assert (missing.stdout, missing.returncode) == ("", 1)
    assert "The upstream server zoo has no resource note://none" in missing.stderr
    dead = read("upstream://never/note://short")
    assert dead.returncode == 1
    assert "The upstream server never is not reachable: it ended with exit code 3" in dead.stderr
    write_config(config, {"zoo": {**table, "env": {"TEST_MODE": "exits"}}})
    kept = read("upstream://zoo/note://short")
    assert (kept.stdout, kept.returncode) == ("Reeds.\n", 0)
    assert "The upstream server zoo is not reachable" in kept.stderr
    assert "What follows is what it gave at 20" in kept.stderr

    async def beside() -> None:
        async with gathering(data, {"zoo": table}) as g:
            await g.reaches("zoo", "connected", resources=1)
            write_config(config, {"zoo": table})
            pid = await asyncio.to_thread(read, "upstream://zoo/control://pid")
            assert int(pid.stdout) == await g.server_pid("zoo")

    asyncio.run(beside())
    assert not [one for one in psutil.process_iter(["cmdline"]) if str(world) in " ".join(one.info["cmdline"] or ())]
