"""Sidecars that gather from one another over HTTP, where no environment variable tells who started whom."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from sidecar_upstream.servers import instance_record, parse_instance
from support.programs.server import log_of
from support.upstream.gathering import (
    HERE,
    QUICK,
    gathering,
    http_server,
    offer,
    reserved_port,
    sidecar,
    stdio,
    until,
    write_config,
)

from sidecar.api import UnavailableError

BRIDGE = str(HERE / "bridge.py")


def at(port: int) -> dict[str, Any]:
    return {"url": f"http://127.0.0.1:{port}/mcp", **QUICK}


@pytest.mark.parametrize("name", ["docsidecar", "some bridge"])
async def test_a_sidecar_behind_a_bridge_is_not_its_own_upstream(tmp_path: Path, name: str) -> None:
    config, data = tmp_path / "me.toml", tmp_path / "me"

    async def scenario(tables: dict[str, Any]) -> None:
        async with gathering(data, tables) as g:
            found = await g.reaches("me", "refused")
            assert found["error"] == "It is this sidecar itself; remove it from the configuration."
            assert found["resources"] == 0
            await g.reaches("zoo", "connected", resources=5)
            with pytest.raises(UnavailableError, match="me is not used: It is this sidecar itself"):
                await g.read("upstream://me/tour://library")
            assert {uri.split("/")[2] for uri in await g.entries()} == {"zoo"}

    with reserved_port() as port:
        tables = {"me": at(port), "zoo": stdio("good", tmp_path / "world.json")}
        write_config(config, tables)
        with http_server(BRIDGE, name, *sidecar(config, data, "serve"), port=port):
            await scenario(tables)


@pytest.mark.parametrize("name", ["docsidecar", "some bridge"])
async def test_two_sidecars_behind_bridges_do_not_gather_from_each_other(tmp_path: Path, name: str) -> None:
    """Whichever sees it first refuses, be it a window of ours or a sidecar behind a bridge; what one lists of the other
    does not come back to it."""

    async def scenario(tables: dict[str, dict[str, Any]]) -> None:
        async with gathering(tmp_path / "a", tables["a"]) as a, gathering(tmp_path / "b", tables["b"]) as b:

            async def settled() -> list[dict[str, Any]]:
                for window in (a, b):
                    await window.entries()
                found = [await a.status("b"), await b.status("a")]
                if not {one["state"] for one in found} <= {"connected", "refused"}:
                    return []
                logs = log_of(tmp_path / "a") + log_of(tmp_path / "b")
                return found if "is refused: It gathers from this sidecar in turn" in logs else []

            found = await until(settled)
            refused = [one for one in found if one["state"] == "refused"]
            assert all("It gathers from this sidecar in turn" in one["error"] for one in refused)
            assert all(one["resources"] == 0 for one in refused)
            await a.reaches("zoo", "connected", resources=5)

            async def none_came_back() -> bool:  # but for a moment, where one was listed while the other refused it
                lists = [await window.entries() for window in (a, b)]
                return not [uri for listed in lists for uri in listed if uri.count("upstream://") > 2]

            await until(none_came_back)

    with ExitStack() as stack:
        ports = {one: stack.enter_context(reserved_port()) for one in ("a", "b")}
        tables = {"a": {"b": at(ports["b"]), "zoo": stdio("good", tmp_path / "world.json")}, "b": {"a": at(ports["a"])}}
        for one, table in tables.items():
            write_config(tmp_path / f"{one}.toml", table)
        for one, port in ports.items():
            command = sidecar(tmp_path / f"{one}.toml", tmp_path / one, "serve")
            stack.enter_context(http_server(BRIDGE, name, *command, port=port))
        await scenario(tables)


async def test_a_sidecar_behind_a_bridge_is_gathered_from(tmp_path: Path) -> None:
    write_config(tmp_path / "other.toml", {"zoo": stdio("good", tmp_path / "world.json")})

    async def scenario(url: str) -> None:
        async with gathering(tmp_path / "mine", {"other": {"url": url, **QUICK}}) as g:

            async def through() -> bool:
                return "upstream://other/upstream://zoo/note://short" in await g.entries()

            await until(through)
            assert await g.text("upstream://other/upstream://zoo/note://short") == "Grass."

    with http_server(BRIDGE, "bridge", *sidecar(tmp_path / "other.toml", tmp_path / "other", "serve")) as (url, _):
        await scenario(url)


async def test_what_a_sidecar_reaches_is_known_until_it_says_otherwise(tmp_path: Path) -> None:
    """A circle would close unseen where an answer that is not an answer counted as "I gather from nobody"."""
    said, world = instance_record("other", {"behind"}), tmp_path / "world.json"
    tour, instance = "tour://library", "upstream://.instance"

    def say(reach: dict[str, Any] | None) -> None:
        offer(world, {tour: {"name": "tour"}, **({instance: reach} if reach is not None else {})})

    say({"name": "instance", "text": said})
    async with gathering(tmp_path / "mine", {"other": stdio("good", world)}) as g:

        async def reached(after: str) -> set[str]:
            await g.read(f"upstream://other/control://add/note://{after}")  # its list has changed, so it is asked anew

            async def listed() -> bool:
                return f"upstream://other/note://{after}" in await g.entries()

            await until(listed)
            return set(parse_instance(await g.text(instance))[1:])

        await g.reaches("other", "connected")
        assert await reached("sound") == {"other", "behind"}
        bad_answers = {
            "shapeless": {"name": "instance", "text": "of no such shape"},
            "empty": {"name": "instance", "items": []},
        }
        for name, bad in bad_answers.items():  # each with a note of its own: another's may be listed yet
            say(bad)
            assert await reached(name) == {"other", "behind"}, bad
        say(None)
        assert await reached("nobody") == set()
