"""Gathering from well-behaved servers: listing, reading, caching, notices, templates, completion, the tool."""

from __future__ import annotations

import asyncio
import base64
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.upstream.gathering import (
    HERE,
    QUICK,
    Gathering,
    gathering,
    http_server,
    modern,
    offer,
    reserved_port,
    stdio,
)

from sidecar.api import NotFoundError, Text, UnavailableError

PLAIN = "The capybara rests by the river. " * 8
Table = Callable[[Path], dict[str, Any]]


@pytest.fixture(params=["stdio", "http"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[dict[str, Any]]:
    """The table of a well-behaved server of the handshake era, over each transport."""
    world = tmp_path / "world.json"
    if request.param == "stdio":
        yield stdio("good", world)
        return
    with http_server(str(HERE / "server.py"), "http", "good", str(world)) as (url, _):
        yield {"url": url, **QUICK}


async def test_resources_appear_and_read_as_what_they_are(tmp_path: Path, server: dict[str, Any]) -> None:
    async def scenario() -> None:
        async with gathering(tmp_path / "data", {"zoo": server}) as g:
            found = await g.reaches("zoo", "connected", resources=5)
            assert found == {
                "state": "connected", "era": "2025-06-18", "resources": 5, "title": "test good", "templates": 1,
            }  # fmt: skip
            listed = await g.entries(2)
            assert set(listed) == {
                f"upstream://zoo/{uri}"
                for uri in ("note://plain", "note://short", "note://told", "data://bytes", "many://items")
            }
            told = listed["upstream://zoo/note://told"]
            assert (told.name, told.description, told.media_type, dict(told.metadata)) == (
                "told", "Told already.", "text/plain", {"server": "zoo"},
            )  # fmt: skip
            assert await g.text("upstream://zoo/note://plain") == PLAIN
            (data,) = await g.read("upstream://zoo/data://bytes")
            assert (data.data, data.media_type) == (b"\0\1\2", "application/x-thing")
            items = await g.read("upstream://zoo/many://items")
            assert [item.text for item in items] == ["one", "two"]
            assert items[1].uri == "upstream://zoo/many://items/1"
            with pytest.raises(NotFoundError, match=r"no resource note://plane.*upstream://zoo/note://plain"):
                await g.read("upstream://zoo/note://plane")
            with pytest.raises(NotFoundError, match="did you mean zoo"):
                await g.read("upstream://zo/note://plain")
            assert await g.text("upstream://ZOO/note://short") == "Grass."

    await scenario()


async def test_a_text_without_description_gets_its_beginning(tmp_path: Path, server: dict[str, Any]) -> None:
    async def scenario() -> None:
        async with gathering(tmp_path / "data", {"zoo": server}) as g:
            await g.reaches("zoo", "connected", resources=5)
            uri = "upstream://zoo/note://plain"
            g.told.clear()
            while not (await g.entries())[uri].description:
                await g.hears("list")
                g.told.clear()
            await g.describes(uri, PLAIN[:100] + "...")
            await g.describes("upstream://zoo/note://short", "Grass.")
            listed = await g.entries()
            assert listed["upstream://zoo/data://bytes"].description == ""

    await scenario()


async def test_their_changes_are_passed_on(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with gathering(tmp_path / "data", {"zoo": stdio("good", tmp_path / "world.json")}) as g:
            await g.reaches("zoo", "connected", resources=5)
            g.told.clear()
            await g.read("upstream://zoo/control://add/note://new")
            await g.reaches("zoo", "connected", resources=6)
            await g.hears("list")
            assert await g.text("upstream://zoo/note://new") == "This is note://new."
            await g.read("upstream://zoo/control://update/note://new=Changed.")
            await g.hears("upstream://zoo/note://new")
            assert await g.text("upstream://zoo/note://new") == "Changed."

    await scenario()


@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_a_server_of_2026_is_listened_to(tmp_path: Path, transport: str) -> None:
    world = tmp_path / "world.json"
    offer(world, {"note://a": "The first note."})

    async def scenario(table: dict[str, Any]) -> None:
        async with gathering(tmp_path / "data", {"new": table}) as g:
            assert (await g.reaches("new", "connected", resources=1))["era"] == "2026-07-28"
            assert await g.text("upstream://new/note://a") == "The first note."
            await g.read("upstream://new/control://add/note://b")
            await g.reaches("new", "connected", resources=2)
            g.told.clear()
            while "upstream://new/note://a" not in g.told:
                # What is listened to is renewed after each listing: until it is, nobody hears.
                await g.read("upstream://new/control://update/note://a=Another.")
                await asyncio.wait({asyncio.ensure_future(g.more.wait())}, timeout=0.5)
                g.more.clear()
            assert await g.text("upstream://new/note://a") == "Another."

    if transport == "stdio":
        await scenario(modern(world))
        return
    with http_server(str(HERE / "modern.py"), str(world), "http") as (url, _):
        await scenario({"url": url, **QUICK})


async def test_what_changes_between_listing_and_listening_is_not_missed(tmp_path: Path) -> None:
    """The news of it come while nobody hears them, or only whoever listened before."""
    world = tmp_path / "world.json"
    offer(world, {"note://fixed": "Fixed.", "control://grow": "2"})

    async def scenario() -> None:
        async with gathering(tmp_path / "data", {"zoo": modern(world)}) as g:
            found = await g.reaches("zoo", "connected", resources=4)
            assert found["era"] == "2026-07-28"
            assert {f"upstream://zoo/note://grown/{number}" for number in (1, 2)} <= set(await g.entries())

    await scenario()


async def test_lists_and_contents_survive_a_restart_without_the_server(tmp_path: Path) -> None:
    table = stdio("good", tmp_path / "world.json", env={"TEST_MODE": "good"})

    async def first() -> None:
        async with gathering(tmp_path / "data", {"zoo": table, "gone": table}) as g:
            for name in ("zoo", "gone"):
                await g.reaches(name, "connected", resources=5)
            await g.read("upstream://zoo/note://short")

    async def second() -> None:
        # The same server by its fingerprint, but now it never answers.
        async with gathering(tmp_path / "data", {"zoo": {**table, "env": {"TEST_MODE": "silent"}}}) as g:
            listed = await g.entries()
            assert len(listed) == 5
            assert all(uri.startswith("upstream://zoo/") for uri in listed)
            assert await g.text("upstream://zoo/note://short") == "Grass."
            assert (await g.status("zoo"))["state"] in {"waiting", "connecting"}

    async def third() -> None:
        async with gathering(tmp_path / "data", {"zoo": {**table, "args": ["-c", "raise SystemExit(5)"]}}) as g:
            found = await g.reaches("zoo", "down")
            assert found["resources"] == 0  # another server under the same name: nothing of the former is shown
            with pytest.raises(UnavailableError, match=r"zoo is not reachable: it ended with exit code 5"):
                await g.read("upstream://zoo/note://short")

    await first()
    await second()
    await third()


async def test_what_was_read_answers_while_the_server_is_down(tmp_path: Path) -> None:
    world = tmp_path / "world.json"

    async def scenario() -> None:
        async with gathering(tmp_path / "data", {"zoo": stdio("good", world, retry_seconds=100)}) as g:
            await g.reaches("zoo", "connected", resources=5)
            await g.read("upstream://zoo/note://short")
            with pytest.raises(UnavailableError):
                await g.read("upstream://zoo/control://die")
            found = await g.reaches("zoo", "down")
            assert found["error"] == "it ended with exit code 9"
            assert found["retry_in"] > 10
            assert found["resources"] == 5
            assert await g.text("upstream://zoo/note://short") == "Grass."
            with pytest.raises(UnavailableError, match=r"tried again in \d+ seconds"):
                await g.read("upstream://zoo/note://told")

    await scenario()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals")
async def test_what_a_server_wrote_before_it_was_killed_is_no_reason(tmp_path: Path) -> None:
    dies = "import os, sys; print('note 13 is torn', file=sys.stderr, flush=True); os.kill(os.getpid(), 9)"
    table = {**stdio("good", tmp_path / "world.json"), "args": ["-c", dies]}
    async with gathering(tmp_path / "data", {"zoo": table}) as g:
        found = await g.reaches("zoo", "down")
        assert found["error"] == "it ended with SIGKILL; it last wrote: note 13 is torn"


async def test_a_server_that_was_killed_comes_back_with_what_it_has_then(tmp_path: Path) -> None:
    world = tmp_path / "world.json"

    async def scenario() -> None:
        async with gathering(tmp_path / "data", {"zoo": stdio("good", world)}) as g:
            await g.reaches("zoo", "connected", resources=5)
            offer(world, {"note://only": {"name": "only", "mimeType": "text/plain", "text": "Alone."}})
            with pytest.raises(UnavailableError):
                await g.read("upstream://zoo/control://die")
            await g.reaches("zoo", "connected", resources=1)
            assert await g.text("upstream://zoo/note://only") == "Alone."

    await scenario()


async def test_an_http_server_that_was_restarted_is_found_again(tmp_path: Path) -> None:
    world = tmp_path / "world.json"
    command = (str(HERE / "server.py"), "http", "good", str(world))

    async def scenario(port: int) -> None:
        with http_server(*command, port=port) as (url, _):
            servers = {"zoo": {"url": url, **QUICK}}
            context = gathering(tmp_path / "data", servers)
            g = await context.__aenter__()
            await g.reaches("zoo", "connected", resources=5)
            await g.read("upstream://zoo/note://short")
        try:
            assert await g.text("upstream://zoo/note://short") == "Grass."
            await g.reaches("zoo", "down")
            offer(world, {"note://only": {"name": "only", "mimeType": "text/plain", "text": "Alone."}})
            with http_server(*command, port=port):
                await g.reaches("zoo", "connected", resources=1)
                assert await g.text("upstream://zoo/note://only") == "Alone."
        finally:
            await context.__aexit__(None, None, None)

    with reserved_port() as port:
        await scenario(port)


async def test_templates_and_their_completion(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with gathering(tmp_path / "data", {"zoo": stdio("good", tmp_path / "world.json")}) as g:
            await g.reaches("zoo", "connected", resources=5)
            provider = g.application.features.providers[-1]
            templates = [template.uri_template for template in provider.templates]
            assert templates == ["upstream://{server}/{+uri}", "upstream://zoo/note://{word}"]

            async def complete(template: str, variable: str, value: str, **others: str) -> list[str]:
                return list(await provider.complete(g.application.services, template, variable, value, others))

            assert await complete(templates[0], "server", "Z") == ["zoo"]
            assert await complete(templates[0], "uri", "note://p", server="zoo") == ["note://plain"]
            assert await complete(templates[0], "+uri", "items", server="zoo") == ["many://items"]
            assert await complete(templates[0], "uri", "", server="none") == []
            assert await complete(templates[1], "word", "pl") == ["plain", "plane"]

    await scenario()


async def test_servers_are_listed_before_the_tool_tells_how_much_they_have(tmp_path: Path) -> None:
    one, other = (stdio("good", tmp_path / f"{name}.json") for name in ("one", "other"))
    async with gathering(tmp_path / "data", {"farm": one, "zoo": other}) as g:
        assert "resources" not in await g.status("zoo")  # not known yet, which is not none
        answer = (await g.call("resources")).structured
        assert answer is not None
        assert [(one["server_name"], one["resources"]) for one in answer["servers"]] == [("farm", 5), ("zoo", 5)]
    async with gathering(tmp_path / "other", {"zoo": other}) as g:
        assert (await g.status("zoo"))["state"] == "idle"
        answer = (await g.call("resources", uri="note://short")).structured  # whose it is, nobody has listed yet
        assert answer is not None
        assert answer["result"] == "Grass."


async def test_the_tool_answers_in_the_shape_of_the_content(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with gathering(tmp_path / "data", {"zoo": stdio("good", tmp_path / "world.json")}) as g:
            await g.reaches("zoo", "connected", resources=5)

            async def value(**arguments: Any) -> Any:
                structured = (await g.call("resources", **arguments)).structured
                assert structured is not None
                return structured

            assert (await value(server_name="zoo", uri="note://short"))["result"] == "Grass."
            assert (await value(uri="note://short"))["result"] == "Grass."  # it is listed by one server
            assert (await value(server_name="zoo", uri="upstream://zoo/note://short"))["result"] == "Grass."
            assert (await value(server_name="zoo", uri="data://bytes"))["result"] == {
                "uri": "upstream://zoo/data://bytes", "mime_type": "application/x-thing", "size": 3,
                "blob": base64.b64encode(b"\0\1\2").decode(),
            }  # fmt: skip
            assert (await value(server_name="zoo", uri="many://items"))["result"] == ["one", "two"]
            servers = (await value())["servers"]
            assert [(one["server_name"], one["resources"]) for one in servers] == [("zoo", 5)]
            uris = await value(server_name="zoo")
            assert (uris["total"], len(uris["resources"]), uris["templates"]) == (5, 5, ["note://{word}"])
            rest = await value(server_name="zoo", start=3)
            assert [one["uri"] for one in rest["resources"]] == [one["uri"] for one in uris["resources"]][3:]

    await scenario()


async def test_the_tool_stays_within_its_budget(tmp_path: Path) -> None:
    world = tmp_path / "world.json"
    offered: dict[str, Any] = {
        f"note://number/{n}": {"name": f"number {n}", "description": "word " * 50, "text": "x"} for n in range(500)
    }
    offered["note://long"] = {"name": "long", "description": "Long.", "text": "It goes on and on.\n" * 10_000}
    offered["data://large"] = {
        "name": "l",
        "mimeType": "application/x",
        "blob": base64.b64encode(b"x" * 99_999).decode(),
    }
    offer(world, offered)

    async def scenario(g: Gathering) -> None:
        from sidecar.server.contents import cost_of

        await g.reaches("zoo", "connected", resources=502)
        seen: list[str] = []
        start: int | None = 0
        while start is not None:
            answer = await g.call("resources", budget=2000, server_name="zoo", start=start)
            assert answer.structured is not None
            assert cost_of(answer.contents, answer.structured) <= 2000
            seen += [one["uri"] for one in answer.structured["resources"]]
            start = answer.structured.get("next_start")
        assert sorted(seen) == sorted(offered)
        text = await g.call("resources", budget=2000, server_name="zoo", uri="note://long")
        assert cost_of(text.contents, text.structured) <= 2000
        assert text.structured is not None
        head = text.structured["result"]
        assert offered["note://long"]["text"].startswith(head)
        assert f"start_offset={len(head)}" in text.structured["remark"]
        blob = await g.call("resources", budget=2000, server_name="zoo", uri="data://large")
        assert blob.structured is not None
        assert blob.structured["result"]["size"] == 99_999
        assert "blob" not in blob.structured["result"]
        window = await g.call("read", uri="note://long", server="zoo", start_offset=len(head), max_bytes=38)
        assert window.structured is not None
        assert window.contents[0] == Text("It goes on and on.\n" * 2)
        embedded = await g.call("read_embedded", uri="note://number/7", server="zoo")
        assert embedded.contents[0].content.text == "x"  # pyright: ignore[reportAttributeAccessIssue]

    async def main() -> None:
        async with gathering(tmp_path / "data", {"zoo": stdio("good", world)}) as g:
            await scenario(g)

    await main()


async def test_without_servers_nothing_is_registered(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with gathering(tmp_path / "data", {}) as g:
            features = g.application.features
            assert "resources" not in features.tools
            assert not any(provider.templates for provider in features.providers if "upstream" in provider.schemes)
            with pytest.raises(NotFoundError, match=r"no server 'zoo': none is configured. Write .*\[upstream.NAME\]"):
                await g.application.library.read("upstream://zoo/x")
            assert "upstream" not in await g.application.library.status()

    await scenario()
