"""Who draws is a plugin's matter: without the drawers everything else is read, and what cannot be drawn says so."""

from __future__ import annotations

import json
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
from support.clients.harness import xlsx

from sidecar.api import Drawer, UnavailableError
from sidecar.app import Application, open_application
from sidecar.config import Config, Folder
from sidecar.registry import load_features

PLUGINS = frozenset({"charts", "render"})


def opened(tmp_path: Path, disabled: frozenset[str]) -> AbstractAsyncContextManager[Application]:
    folder = tmp_path / "documents"
    folder.mkdir(exist_ok=True)
    (folder / "figures.xlsx").write_bytes(xlsx())
    config = Config(data_dir=tmp_path / "data", folders=(Folder(folder),), plugins_disabled=disabled)
    return open_application(config)


async def text(application: Application, uri: str) -> str:
    (content,) = await application.library.read(uri)
    assert content.text is not None
    return content.text


async def test_without_the_plugins_that_draw_the_rest_works(tmp_path: Path) -> None:
    async with opened(tmp_path, PLUGINS) as application:
        await application.index_once()
        assert not application.features.drawers
        assert not application.features.failures
        assert json.loads(await text(application, "chart://figures/0.json"))["series"]
        assert await text(application, "sheet://figures/1")
        for uri in ("chart://figures/0.png", "chart://figures/0.svg"):
            with pytest.raises(UnavailableError) as told:
                await application.library.read(uri)
            sentence = "No plugin that draws charts is enabled; read the data as .json or .md."
            assert str(told.value) == sentence
        assert "render_markdown" not in application.features.tools
        assert not any("render" in provider.schemes for provider in application.features.providers)


async def test_with_them_charts_are_drawn(tmp_path: Path) -> None:
    async with opened(tmp_path, frozenset()) as application:
        await application.index_once()
        assert set(application.features.drawers) == {"chart", "markdown", "page"}
        (drawn,) = await application.library.read("chart://figures/0.svg")
        assert (drawn.data or b"").startswith(b"<svg")


def test_a_drawer_is_registered_like_anybodys() -> None:
    assert load_features(PLUGINS).drawers == {}
    assert load_features(frozenset({"render"})).drawers == {
        "chart": Drawer("chart", "sidecar_charts.drawing:draw_chart")
    }
