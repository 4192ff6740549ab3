"""The README against the code: every tool and its arguments, every URI scheme, every setting it shows."""

from __future__ import annotations

import re
from importlib.metadata import entry_points
from pathlib import Path

from sidecar.api.uris import SUFFIXES
from sidecar.config import Overrides, load
from sidecar.registry import load_features

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")


def section(title: str) -> str:
    return README.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def test_every_tool_and_argument_is_documented() -> None:
    upstream = {"tables": {"sample": {"command": "true"}}}
    tools = load_features(frozenset(), {"upstream": upstream}).tools
    rows = dict(re.findall(r"^\| `(\w+)\(([^`]*)\)` \|", section("Tools"), re.MULTILINE))
    documented = {name: re.findall(r"(\w+)(?:\?|=[^,]*)?(?:, |$)", text) for name, text in rows.items()}
    assert documented == {name: list(tool.arguments.model_fields) for name, tool in tools.items()}


def test_every_scheme_is_documented() -> None:
    features = load_features()
    schemes = set(SUFFIXES) | {"office", "tour", "skill", "upstream"}
    schemes |= {scheme for provider in features.providers for scheme in provider.schemes}
    assert set(re.findall(r"`(\w+)://", section("Resources"))) == schemes


def test_the_configuration_shown_is_valid(tmp_path: Path) -> None:
    shown = section("Configuration").split("```toml\n", 1)[1].split("```", 1)[0]
    file = tmp_path / "config.toml"
    file.write_text(shown, "utf-8")
    config = load(Overrides(config=file), {})
    assert config.folders[0].exclude == ("drafts/",)
    assert load_features(config.plugins_disabled, config.feature_settings()).failures == []


def test_there_are_exactly_two_set_up_lines() -> None:
    lines = re.findall(r"^python3 -m venv .*$", README, re.MULTILINE)
    assert len(lines) == 2
    assert "pytest" in lines[1]


def test_every_suffix_of_a_format_is_listed() -> None:
    listed = set(re.findall(r"\.[a-z0-9]+", section("Files it reads")))
    formats = [
        entry.load()() for entry in entry_points(group="docsidecar.formats") if entry.module.startswith("sidecar_")
    ]
    known = {suffix for one in formats for suffix in one.suffixes}
    assert len(formats) > 20, "nothing is looked through"
    assert {one for plugin in formats if plugin.name != "text" for one in plugin.suffixes} - listed == set()
    assert listed - known == set()
