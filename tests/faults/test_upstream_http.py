"""Servers reached over HTTP that lie about everything: each is told with a sentence, what proves who we are goes
nowhere else and is kept nowhere, memory stays bounded, and a good server beside them is gathered from."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import psutil
import pytest
from support.programs.server import one_sentence
from support.upstream.gathering import HERE, gathering
from support.upstream.lying_http import lies

from sidecar.api import UnavailableError

SECRET = "s3cr3t-of-the-tests"
HARMLESS = {"good", "to-the-end", "huge-session", "odd-session", "many-answers"}
"""What can be gathered from all the same."""
LIES = sorted(set(lies(1, "", 1)) - HARMLESS - {"in-a-circle/again"})
SAID = {
    "who-are-you": "it answered 401 Unauthorized; look at `headers` of [upstream.who-are-you]",
    "proxy": "it answered 407 Proxy Authentication Required",
    "says-it-again": "it answered 500 Internal Server Error",
    "says-it-as-error": "it refused the connection: ***",
    "other-host": "/caught not followed",
    "to-itself": "it answered 307 Temporary Redirect to where it had been asked before; look at `url` of [upstream.",
    "in-a-circle": "it answered 308 Permanent Redirect to where it had been asked before; look at `url` of [upstream.",
    "web-page": "text/html",
    "no-json": "its greeting is not valid MCP",
    "wrong-id": "its greeting is not valid MCP",
    "gzip-bomb": "compressed",
    "slow-body": "did not come up within",
}
"""Parts of what is told."""
MAX_BYTES = 200 * 2**20
"""How far memory may grow: with all of them at once, each of which may send 1 MiB."""


@pytest.fixture
def liars(tmp_path: Path) -> Generator[str]:
    """Where they are."""
    command = [sys.executable, str(HERE / "lying_http.py"), str(tmp_path / "caught")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{process.stdout.readline().split()[0]}"
        process.kill()


async def test_every_lie_is_told_and_harms_nobody(
    tmp_path: Path, liars: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    monkeypatch.setenv("TOKEN_OF_THE_TESTS", SECRET)
    settings: dict[str, Any] = {
        "headers": {"Authorization": "Bearer ${TOKEN_OF_THE_TESTS}"}, "max_bytes": 2**20, "retry_seconds": 300.0,
        "start_timeout": 600.0, "timeout": 600.0,
    }  # fmt: skip
    tables = {name: {"url": f"{liars}/{name}", **settings} for name in (*HARMLESS, *LIES)}
    for name in LIES:
        if name.startswith("endless") or name in ("asks-back", "slow-body"):
            tables[name]["start_timeout"] = 1.0

    async def scenario() -> dict[str, str]:
        async with gathering(tmp_path / "data", tables) as g:
            mine = psutil.Process()
            most = mine.memory_info().rss + MAX_BYTES
            told: dict[str, str] = {}
            for name in sorted(HARMLESS):
                await g.reaches(name, "connected", resources=1)
            for name in LIES:
                told[name] = (await g.reaches(name, "down"))["error"]
                with pytest.raises(UnavailableError):
                    await g.read(f"upstream://{name}/note://short")
                assert mine.memory_info().rss < most, name
            assert await g.text("upstream://good/note://short") == "Grass."
            assert SECRET not in json.dumps(await g.application.library.status())
            return told

    told = await scenario()
    assert {name: why for name, why in told.items() if not one_sentence(f"{why}.") or len(why) > 600} == {}
    assert {name: told[name] for name, words in SAID.items() if words not in told[name]} == {}
    assert not (tmp_path / "caught").exists(), "nothing was asked of the other host"
    assert SECRET not in caplog.text
    kept = [file for file in (tmp_path / "data").rglob("*") if file.is_file() and SECRET.encode() in file.read_bytes()]
    assert kept == []
