"""A third party's plugin package is installed beside us, found, held to the contract, and used from end to end."""

from __future__ import annotations

import asyncio
import base64
import importlib.metadata
import json
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from contract.mutations import bad_cases
from contract.pictures import PNG
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import BlobResourceContents, TextContent, TextResourceContents
from support.clients.harness import DEADLINE

TESTS = Path(__file__).parent.parent
PANCAKES = (
    "title: Pancakes\nservings: 4\n\n[ingredients]\n250 g flour\n2 eggs\nsome salt\n\n[steps]\nMix.\nFry slowly.\n\n"
    f"[photo]\n{base64.b64encode(PNG).decode()}\n\n[photo]\nsmudged\n"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample plugin installed by pip, as a user's environment would have it."""
    work = tmp_path_factory.mktemp("sample")
    # A copy, since setuptools builds inside the source folder.
    source = Path(shutil.copytree(TESTS / "sample_plugin", work / "source"))
    target = work / "site"
    offline = ["--no-build-isolation"] if _builds_wheels() else []
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check", *offline]
    done = subprocess.run(
        [*command, "--target", str(target), str(source)], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    return target


def _builds_wheels() -> bool:
    """Whether the setuptools at hand builds wheels by itself (70.1); pip fetches one for the build otherwise."""
    try:
        major = importlib.metadata.version("setuptools").partition(".")[0]
    except importlib.metadata.PackageNotFoundError:
        return False
    return major.isdecimal() and int(major) > 70


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "pancakes.recipe").write_text(PANCAKES)
    (folder / "broken.recipe").write_text("no section here\n")
    (folder / "notes.txt").write_text("Just notes.\n")
    return tmp_path


def environment(site: Path, home: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(site), str(TESTS)]),
        "DOCSIDECAR_CONFIG": str(home / "config.toml"),
        "DOCSIDECAR_DATA_DIR": str(home / "data"),
    }


def cli(site: Path, home: Path, *words: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "sidecar.cli.main", *words],
        capture_output=True, text=True, env=environment(site, home), timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, (done.stdout, done.stderr)
    return json.loads(done.stdout)


def test_it_keeps_the_contract(site: Path, home: Path, tmp_path: Path) -> None:
    spoiled = bad_cases({"pancakes.recipe": PANCAKES.encode()}, (".recipe",), {})
    cases = [(case.label, case.name, case.data) for case in spoiled]
    file = tmp_path / "cases"
    file.write_bytes(pickle.dumps(cases))
    done = subprocess.run(
        [sys.executable, str(TESTS / "contract" / "run_cases.py"), "recipe", "30", str(file)],
        capture_output=True, text=True, timeout=300, check=False, env=environment(site, home),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    *broken, last = [json.loads(line) for line in done.stdout.splitlines()]
    assert not broken, broken
    assert last["outcomes"]["ParsedDocument"] > 10
    assert last["outcomes"]["DamagedError"] > 10


def test_it_is_listed_as_a_third_partys(site: Path, home: Path) -> None:
    listed = json.dumps(cli(site, home, "plugins", "--json"))
    assert "docsidecar-recipes" in listed
    assert '"recipe"' in listed
    assert '"recipes"' in listed


def check_files_are_found(site: Path, home: Path) -> None:
    """Index the folder from the command line, and search it."""
    report = cli(site, home, "--folder", str(home / "documents"), "index", "--once", "--json")
    assert report["files"] == 3
    assert report["states"] == {"indexed": 2, "damaged": 1}
    assert "no [section]" in report["failures"][0]["reason"]
    found = cli(site, home, "--folder", str(home / "documents"), "search", "flour", "--json")["results"]
    assert [hit["document_slug"] for hit in found] == ["pancakes"]
    assert found[0]["uri"] == "section://pancakes/ingredients"


async def test_its_files_are_found_and_its_tool_answers_a_real_client(site: Path, home: Path) -> None:
    check_files_are_found(site, home)
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "sidecar.cli.main", "--folder", str(home / "documents"), "serve"],
        env=environment(site, home),
    )

    async with asyncio.timeout(DEADLINE), Client(parameters) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert {"scale_recipe", "search_documents"} <= tools
        answer = await client.call_tool("scale_recipe", {"document_slug": "pancakes", "servings": 6})
        assert not answer.is_error, answer.content
        assert answer.structured_content["ingredients"] == [
            {"amount": 375.0, "unit": "g", "ingredient": "flour"},
            {"amount": 3.0, "unit": "", "ingredient": "eggs"},
        ]
        (picture,) = (await client.read_resource("image://pancakes/photo-3")).contents
        assert isinstance(picture, BlobResourceContents)
        assert (picture.mime_type, base64.b64decode(picture.blob)) == ("image/png", PNG)
        (document,) = (await client.read_resource("document://pancakes")).contents
        assert isinstance(document, TextResourceContents)
        assert "Notice: The photo is not a picture in base64." in document.text
        (ingredients,) = (await client.read_resource("element://pancakes/Table c1-1")).contents
        assert isinstance(ingredients, TextResourceContents)
        assert "250\tg\tflour" in ingredients.text
        refused = await client.call_tool("scale_recipe", {"document_slug": "notes", "servings": 6})
        assert refused.is_error
        said = refused.content[0]
        assert isinstance(said, TextContent)
        assert said.text.startswith("Error:")
        assert "is not a recipe" in said.text


def test_in_the_plugin_directory_it_is_off_until_allowed_by_name(site: Path, home: Path) -> None:
    nothing = home / "nothing"
    place = home / "plugins" / "recipes"
    shutil.copytree(site, place)
    listed = cli(nothing, home, "plugins", "--json")
    assert listed["not_allowed"] == ["recipes"]
    assert "docsidecar-recipes" not in json.dumps(listed["formats"])
    (home / "config.toml").write_text('[plugins]\nallowed = ["recipes"]\n')
    listed = cli(nothing, home, "plugins", "--json")
    assert (listed["not_allowed"], listed["failures"]) == ([], [])
    assert "docsidecar-recipes" in json.dumps(listed["formats"])
    check_files_are_found(nothing, home)


def test_what_may_not_be_imported_from_the_plugin_directory_says_why(home: Path) -> None:
    directory = home / "elsewhere"
    for name in ("native", "open"):
        (directory / name / "package").mkdir(parents=True)
    (directory / "native" / "package" / "fast.so").write_bytes(b"\x7fELF")
    (directory / "open").chmod(0o777)
    config = home / "config.toml"
    allowed = ["native", "open", "missing", "../documents"]
    config.write_text(f'[plugins]\ndirectory = "elsewhere"\nallowed = {json.dumps(allowed)}\n')
    done = subprocess.run(
        [sys.executable, "-m", "sidecar.cli.main", "plugins", "--json"],
        capture_output=True, text=True, env=environment(home, home), timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    reasons = {failure["name"]: failure["reason"] for failure in json.loads(done.stdout)["failures"]}
    expected = {"native": "native code", "missing": "no folder missing", "../documents": "without slashes"}
    if os.name != "nt":
        expected["open"] = "everybody may write"
    assert {name: part for name, part in expected.items() if part in reasons.get(name, "")} == expected
    for wrong, says in (("allowed = 3", "list of plugin names"), ("directory = 3", "path of a folder")):
        config.write_text(f"[plugins]\n{wrong}\n")
        done = subprocess.run(
            [sys.executable, "-m", "sidecar.cli.main", "plugins"],
            capture_output=True, text=True, env=environment(home, home), timeout=300, check=False,
        )  # fmt: skip
        assert done.returncode == 2
        assert says in done.stderr
