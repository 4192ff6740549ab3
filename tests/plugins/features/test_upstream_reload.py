"""The `[upstream.NAME]` tables change while we run: servers come, go and are connected anew, and clients are told."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest
from support.upstream.gathering import QUICK, gathering, stdio, until

from sidecar.api import NotFoundError
from sidecar.registry import load_features


async def test_servers_come_and_go(tmp_path: Path) -> None:
    zoo, farm = stdio("good", tmp_path / "zoo.json"), stdio("good", tmp_path / "farm.json")

    async with gathering(tmp_path / "data", {}) as g:
        features = g.application.features
        assert "resources" not in features.tools
        await g.reconfigure({"zoo": zoo})
        await g.reaches("zoo", "connected", resources=5)
        assert "resources" in features.tools
        for what in ("tools", "list"):
            await g.hears(what)
        assert await g.text("upstream://zoo/note://short") == "Grass."
        pid = await g.server_pid("zoo")

        g.told.clear()
        await g.reconfigure({"zoo": zoo, "farm": farm})
        await g.reaches("farm", "connected", resources=5)
        assert await g.server_pid("zoo") == pid  # what stays the same stays connected
        await g.hears("list")
        assert "tools" not in g.told
        assert len(await g.entries()) == 10

        await g.reconfigure({"farm": farm})
        assert set(await g.entries()) == {uri for uri in await g.entries() if uri.startswith("upstream://farm/")}
        with pytest.raises(NotFoundError, match="no upstream server 'zoo'"):
            await g.read("upstream://zoo/note://short")
        await until(lambda: gone(pid))
        assert (await g.application.library.status())["upstream"].keys() == {"farm"}

        pid = await g.server_pid("farm")
        g.told.clear()
        await g.reconfigure({})
        assert "resources" not in features.tools
        assert {"tools", "list"} <= set(g.told)
        assert "upstream" not in await g.application.library.status()
        await until(lambda: gone(pid))
        with pytest.raises(Exception, match="upstream"):
            await g.read("upstream://farm/note://short")

        await g.reconfigure({"zoo": zoo})
        await g.reaches("zoo", "connected", resources=5)


async def test_a_changed_server_is_connected_anew(tmp_path: Path) -> None:
    world = tmp_path / "world.json"

    async with gathering(tmp_path / "data", {"zoo": stdio("good", world, env={"LEVEL": "one"})}) as g:
        await g.reaches("zoo", "connected", resources=5)
        pid = await g.server_pid("zoo")
        await g.reconfigure({"zoo": stdio("good", world, env={"LEVEL": "two"})})
        assert len(await g.entries()) == 5  # only a value changed: the list is known

        async def two() -> bool:
            found = await g.status("zoo")
            return found["state"] == "connected" and await g.server_pid("zoo") != pid

        await until(two)
        assert await g.text("upstream://zoo/control://environment/LEVEL") == "two"
        await until(lambda: gone(pid))

        await g.reconfigure({"zoo": {"command": "no-such-command-anywhere", **QUICK}})
        assert await g.entries() == {}  # another program: what the former one listed is not its
        await g.reaches("zoo", "down")


async def test_a_mistake_leaves_the_servers_as_they_are(tmp_path: Path) -> None:
    zoo = stdio("good", tmp_path / "world.json")

    async with gathering(tmp_path / "data", {"zoo": zoo}) as g:
        await g.reaches("zoo", "connected", resources=5)
        pid = await g.server_pid("zoo")
        await g.reconfigure({"zoo": {"comand": "x"}})
        status = await g.application.library.status()
        assert "upstream.zoo.comand: unknown key; did you mean `command`" in status["config"]["error"]
        assert await g.server_pid("zoo") == pid
        await g.reconfigure({"zoo": zoo})
        assert (await g.application.library.status())["config"]["error"] is None
        assert await g.server_pid("zoo") == pid


def test_a_mistake_at_the_start_may_be_set_right_later() -> None:
    features = load_features(frozenset(), {"upstream": {"tables": {"zoo": {}}}})
    assert [failure.name for failure in features.failures] == ["upstream"]
    others = set(features.tools)
    assert features.reconfigure({"upstream": {"tables": {"zoo": {"command": "x"}}}}) == ()
    assert features.failures == []
    assert set(features.tools) == others | {"resources"}
    (refused,) = features.reconfigure({"upstream": {"tables": {"zoo": {"url": "x"}}}})
    assert "upstream.zoo.url" in refused.reason
    assert set(features.tools) == others | {"resources"}
    assert features.reconfigure({}) == ()
    assert set(features.tools) == others


async def test_an_unset_variable_may_be_set_right_by_the_configuration(tmp_path: Path) -> None:
    world = tmp_path / "world.json"

    async with gathering(tmp_path / "data", {"zoo": stdio("good", world, env={"A": "${NO_SUCH_VARIABLE_42}"})}) as g:
        await g.reaches("zoo", "misconfigured")
        await g.reconfigure({"zoo": stdio("good", world, env={"A": "${NO_SUCH_VARIABLE_42:-none}"})})
        await g.reaches("zoo", "connected", resources=5)


async def test_a_description_of_ours_follows_the_text(tmp_path: Path) -> None:
    async with gathering(tmp_path / "data", {"zoo": stdio("good", tmp_path / "world.json")}) as g:
        await g.reaches("zoo", "connected", resources=5)
        await g.describes("upstream://zoo/note://short", "Grass.")
        await g.read("upstream://zoo/control://update/note://short=Reeds and roots.")
        await g.describes("upstream://zoo/note://short", "Reeds and roots.")
        await g.read("upstream://zoo/control://update/note://told=Spoken.")
        await g.hears("upstream://zoo/note://told")
        assert (await g.entries())["upstream://zoo/note://told"].description == "Told already."


async def gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
