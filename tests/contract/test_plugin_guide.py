"""The guide for plugins shows code that is really there: excerpts of the sample plugin, and examples that run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
SAMPLE = TESTS / "sample_plugin"
GUIDE = (TESTS.parent / "plugins" / "README.md").read_text("utf-8")
FENCES = re.findall(r"^```(\w+)( run)?\n(.*?)^```$", GUIDE, flags=re.MULTILINE | re.DOTALL)
EXCERPTS = [code for _, run, code in FENCES if not run]
EXAMPLES = [code for _, run, code in FENCES if run]


def test_the_guide_shows_both_kinds_of_plugin() -> None:
    assert len(EXCERPTS) >= 7
    assert EXAMPLES


@pytest.mark.parametrize("excerpt", EXCERPTS)
def test_an_excerpt_stands_in_the_sample_plugin(excerpt: str) -> None:
    files = [path.read_text("utf-8") for path in (*SAMPLE.rglob("*.py"), SAMPLE / "pyproject.toml")]
    assert any(excerpt in text for text in files), "the sample plugin has changed; mend plugins/README.md"


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_runs(example: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(example)],
        capture_output=True, text=True, timeout=300, check=False,
        env={**os.environ, "PYTHONPATH": str(SAMPLE)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_every_package_of_the_folder_is_named() -> None:
    packages = {path.name for path in (TESTS.parent / "plugins").iterdir() if (path / "__init__.py").exists()}
    assert packages == set(re.findall(r"`(sidecar_\w+)`", GUIDE))
