"""Several windows on one data directory, and the command line beside them: each has connections of its own, made when
they are first used and closed when idle."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import psutil
import pytest
from support.programs import program
from support.upstream.gathering import gathering, offer, stdio, until, write_config

from sidecar.api import UnavailableError


def one_of(world: Path, **settings: Any) -> dict[str, dict[str, Any]]:
    return {"zoo": stdio("good", world, **settings)}


async def gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


async def test_each_window_has_its_own_servers(tmp_path: Path) -> None:
    data, world = tmp_path / "data", tmp_path / "world.json"

    async with gathering(data, one_of(world)) as one, gathering(data, one_of(world)) as two:
        for window in (one, two):
            await window.reaches("zoo", "connected", resources=5)
        assert await one.running_pid("zoo") != await two.running_pid("zoo")
        for window, number in ((one, 6), (two, 7)):
            window.told.clear()
            await window.read(f"upstream://zoo/control://add/note://new{number}")
            await window.reaches("zoo", "connected", resources=number)
            await window.hears("list")
            assert await window.text(f"upstream://zoo/note://new{number}") == f"This is note://new{number}."
            await window.read(f"upstream://zoo/control://update/note://new{number}=Changed.")
            await window.hears(f"upstream://zoo/note://new{number}")
            assert await window.said_now("zoo", f"note://new{number}") == "Changed."
            await window.describes(f"upstream://zoo/note://new{number}", "Changed.")
        assert await one.text("upstream://zoo/note://new7") == "Changed."


async def test_a_window_that_comes_late_knows_everything_at_once(tmp_path: Path) -> None:
    data, world = tmp_path / "data", tmp_path / "world.json"
    offer(world, {f"note://{n:04}": {"name": str(n), "text": f"Text {n}."} for n in range(450)})

    async with gathering(data, one_of(world)) as one:
        await one.reaches("zoo", "connected", resources=450)
        await one.describes("upstream://zoo/note://0021", "Text 21.")
        async with gathering(data, one_of(world)) as two:
            assert len(await two.entries()) == 450
            found = await two.reaches("zoo", "connected", resources=450)
            assert found == await one.status("zoo")
            assert two.application.workers.pids() == []
            await two.describes("upstream://zoo/note://0021", "Text 21.")


async def test_a_window_that_ends_takes_nothing_from_another(tmp_path: Path) -> None:
    data, world = tmp_path / "data", tmp_path / "world.json"

    async with AsyncExitStack() as later:
        async with gathering(data, one_of(world)) as one:
            await one.reaches("zoo", "connected", resources=5)
            two = await later.enter_async_context(gathering(data, one_of(world)))
            await two.reaches("zoo", "connected", resources=5)
            first, second = await one.running_pid("zoo"), await two.running_pid("zoo")
            psutil.Process(first).kill()  # whose server it is starts it again, and the other does not notice

            async def again() -> bool:
                found = await one.status("zoo")
                return found["state"] == "connected" and await one.server_pid("zoo") != first

            await until(again)
            assert await two.running_pid("zoo") == second
        assert await two.running_pid("zoo") == second
        assert await two.text("upstream://zoo/note://short") == "Grass."


async def test_windows_with_other_credentials(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
            assert await one.running_pid("zoo") != await two.running_pid("zoo")
            assert await one.running_pid("secret") != await two.running_pid("secret")
            assert await one.said_now("secret", "control://environment/TEST_TOKEN") == "the-first"
            assert await two.said_now("secret", "control://environment/TEST_TOKEN") == "the-second"


async def test_what_is_kept_for_one_window_is_not_shown_to_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, world = tmp_path / "data", tmp_path / "world.json"
    given = {"env": {"TEST_TOKEN": "${UPSTREAM_TEST_TOKEN}", "TEST_MODE": "${UPSTREAM_TEST_MODE}"}}
    tables = {"secret": stdio("good", world, **given)}
    token, uri = "control://environment/TEST_TOKEN", "upstream://secret/control://environment/TEST_TOKEN"

    monkeypatch.setenv("UPSTREAM_TEST_MODE", "good")
    monkeypatch.setenv("UPSTREAM_TEST_TOKEN", "the-first")
    async with gathering(data, tables) as one:
        await one.reaches("secret", "connected", resources=5)
        assert await one.said_now("secret", token) == "the-first"
    monkeypatch.setenv("UPSTREAM_TEST_TOKEN", "the-second")
    monkeypatch.setenv("UPSTREAM_TEST_MODE", "exits")
    async with gathering(data, tables) as two:
        await two.reaches("secret", "down")
        assert await two.entries() == {}
        with pytest.raises(UnavailableError, match="secret"):
            await two.read(uri)


async def test_nobody_else_can_reach_the_servers_through_us(tmp_path: Path) -> None:
    data = tmp_path / "data"

    async with gathering(data, one_of(tmp_path / "world.json")) as g:
        await g.reaches("zoo", "connected", resources=5)
        assert not list(data.glob("upstream-*"))
        ours = [psutil.Process(), *psutil.Process().children(recursive=True)]
        listening: list[int] = []
        for process in ours:
            with contextlib.suppress(psutil.NoSuchProcess):  # it has ended meanwhile
                listening += [one.laddr.port for one in process.net_connections() if one.status == "LISTEN"]
        assert listening == []


async def test_a_server_runs_only_while_it_is_used(tmp_path: Path) -> None:
    before = psutil.Process().children(recursive=True)  # what the tests fork their programs from is one of ours too
    async with gathering(tmp_path / "data", one_of(tmp_path / "world.json", idle_seconds=0.5)) as g:
        assert (await g.status("zoo"))["state"] == "idle"
        assert not set(psutil.Process().children(recursive=True)).difference(before)
        await g.reaches("zoo", "connected", resources=5)
        pid = await g.server_pid("zoo")

        async def idle() -> bool:
            return (await g.status("zoo"))["state"] == "idle"

        await until(idle)
        await until(lambda: gone(pid))
        assert (await g.status("zoo"))["resources"] == 5
        again = await g.running_pid("zoo")
        assert again != pid
        await until(idle)

        # A client that subscribed wants to hear of changes for as long as it is there.
        subscribed = {"upstream://zoo/note://new"}
        g.application.signals.subscribed = lambda: subscribed
        await g.read("upstream://zoo/control://add/note://new")
        pid = await g.running_pid("zoo")
        await asyncio.sleep(1.0)  # twice as long as it would take to be closed
        assert not await gone(pid)
        await g.read("upstream://zoo/control://update/note://new=Changed.")
        await g.hears("upstream://zoo/note://new")
        subscribed.clear()
        await until(lambda: gone(pid))


async def test_the_command_line_reads_live(tmp_path: Path) -> None:
    config, data, world = tmp_path / "config.toml", tmp_path / "data", tmp_path / "world.json"
    table = stdio("good", world, env={"TEST_MODE": "good"})
    write_config(config, {"zoo": table, "never": stdio("exits", world)})

    def read(uri: str) -> subprocess.CompletedProcess[str]:
        return program.run("read", uri, "--config", str(config), "--data-dir", str(data), environment=os.environ)

    assert read("upstream://zoo/note://short").stdout == "Grass.\n"
    offer(world, {"note://short": {"name": "short", "mimeType": "text/plain", "text": "Reeds."}})
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
            assert int(pid.stdout) != await g.running_pid("zoo")
            await until(lambda: gone(int(pid.stdout)))

    async def nothing_left() -> bool:
        running = psutil.process_iter(["cmdline"])
        return not [one for one in running if str(world) in " ".join(one.info["cmdline"] or ())]

    await beside()
    await until(nothing_left)
