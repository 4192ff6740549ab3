"""The maps name what is really there: files, rooms, functions."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CORE = ROOT / "sidecar"
MAP = (CORE / "README.md").read_text("utf-8")
GUIDE = (ROOT / "plugins" / "README.md").read_text("utf-8")
ROOMS = ("sidecar", "plugins", "tests", "packaging", ".ci", ".github")
FILES = sorted(set(re.findall(r"`((?:[\w.]+/)*\w+\.py)", MAP)))


def places(name: str) -> list[Path]:
    """The files a map may mean by a name: below the core, at the top, or the one module of that name."""
    exact = [base / name for base in (CORE, ROOT) if (base / name).is_file()]
    return exact or [path for path in CORE.rglob("*.py") if path.as_posix().endswith("/" + name)]


@pytest.mark.parametrize("name", FILES)
def test_a_file_on_the_map_is_there(name: str) -> None:
    assert places(name), f"{name} is on the map and nowhere else; mend sidecar/README.md"


@pytest.mark.parametrize(("name", "function"), re.findall(r"`((?:\w+/)*\w+\.py): (?:\w+\.)?(\w+)`", MAP))
def test_a_function_on_the_map_is_there(name: str, function: str) -> None:
    assert any(f"def {function}(" in path.read_text("utf-8") for path in places(name)), f"no {function} in {name}"


@pytest.mark.parametrize(("name", "named"), re.findall(r"`((?:\w+/)+\w+\.py): (\w+)`", GUIDE))
def test_what_the_way_of_a_pdf_names_is_there(name: str, named: str) -> None:
    text = (ROOT / "plugins" / "sidecar_pdf" / name).read_text("utf-8")
    assert re.search(rf"^(?:def|class) {named}\b", text, re.MULTILINE), f"no {named} in {name}"


@pytest.mark.parametrize("way", ["A save's way", "A read's way"])
def test_the_hops_of_a_way_are_as_many_as_is_said(way: str) -> None:
    """An arrow is one, and so is each next line; what is on its way through a pipe is not."""
    told, steps = MAP.partition(f"## {way}")[2].partition("\n## ")[0].split("\n1. ")
    lines = steps.split("\n\n")[0]
    hops = len(re.findall(r"→(?!\s+pipe)", lines)) + len(re.findall(r"^\d+\. ", lines, re.MULTILINE))
    assert [int(number) for number in re.findall(r"^(\d+)(?= hops| of them)", told, re.MULTILINE)] == [hops]


def test_every_room_is_on_the_map() -> None:
    rooms = {path.parent.name for path in CORE.glob("*/**/__init__.py")}
    assert len(rooms) > 30, "nothing is looked through"
    assert rooms - set(re.findall(r"`(?:\w+/)*(\w+)/`", MAP)) == set()


@cache
def parsed() -> dict[Path, list[ast.stmt]]:
    """What each module of the product holds at its top, read once for all that look through it."""
    paths = [path for room in ("sidecar", "plugins") for path in (ROOT / room).rglob("*.py")]
    assert len(paths) > 500, "nothing is looked through"
    return {path.relative_to(ROOT): ast.parse(path.read_bytes()).body for path in paths}


def undocumented(body: Sequence[ast.stmt]) -> Iterator[str]:
    """Public functions and classes, and these' public methods, without a docstring."""
    for one in body:
        if not isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or one.name.startswith("_"):
            continue
        marks = {mark.id for mark in one.decorator_list if isinstance(mark, ast.Name)}
        if ast.get_docstring(one) is None and not marks & {"overload", "override"}:
            yield one.name
        if isinstance(one, ast.ClassDef):
            yield from undocumented(one.body)


def test_every_public_definition_has_a_docstring() -> None:
    bare = {path: list(undocumented(body)) for path, body in parsed().items()}
    assert {str(path): names for path, names in bare.items() if names} == {}


def test_every_plugin_is_on_the_map_of_plugins_and_there() -> None:
    plugins = {path.parent.name for path in (ROOT / "plugins").glob("*/__init__.py")}
    assert set(re.findall(r"`(sidecar_\w+)`", GUIDE)) == plugins


@pytest.mark.parametrize("map_of", ["sidecar", "plugins", "tests", ""])
def test_a_path_on_a_map_is_there(map_of: str) -> None:
    told = (ROOT / map_of / ("README.md" if map_of else "CONTRIBUTING.md")).read_text("utf-8")
    told = re.sub(r"^```.*?^```", "", told, flags=re.MULTILINE | re.DOTALL)
    named = set(re.findall(r"`([\w./-]+)`", told)) | set(re.findall(r"\]\(([\w./-]+)\)", told))
    paths = {name for name in named if name.endswith((".py", ".md", ".toml", ".yml", ".json", "/"))}
    assert paths, "nothing is looked through"
    there = [path for room in ROOMS for path in ROOT.glob(f"{room}/**/*")]
    ends = {f"/{path.relative_to(ROOT).as_posix()}{'/' if path.is_dir() else ''}" for path in [*ROOT.iterdir(), *there]}
    named = {name: f"/{name.removeprefix('../')}" for name in paths}
    assert [name for name, end in named.items() if not any(path.endswith(end) for path in ends)] == []


def test_a_command_that_runs_one_test_selects_one() -> None:
    told = [(ROOT / name).read_text("utf-8") for name in ("CONTRIBUTING.md", "tests/README.md", "plugins/README.md")]
    selected = re.findall(r"pytest [^\n]*?(tests/\S+\.py) -k (\w+)", "\n".join(told))
    assert selected, "nothing is looked through"
    for path, word in selected:
        assert re.search(rf"def test_\w*{word}", (ROOT / path).read_text("utf-8")), (
            f"-k {word} selects nothing of {path}"
        )


def test_no_room_has_more_than_fifteen_modules() -> None:
    rooms = {path.parent for room in ("sidecar", "plugins") for path in (ROOT / room).rglob("*.py")}
    assert len(rooms) > 60, "nothing is looked through"
    assert [str(room.relative_to(ROOT)) for room in rooms if len(list(room.glob("*.py"))) > 15] == []


def test_no_two_classes_of_a_plugin_or_of_a_room_of_the_core_have_one_name() -> None:
    named = Counter(
        ("/".join(path.parts[:2]), node.name)
        for path, body in parsed().items()
        for node in body
        if isinstance(node, ast.ClassDef)
    )
    assert len(named) > 500, "nothing is looked through"
    assert [one for one, times in named.items() if times > 1] == []


def test_the_import_rule_knows_every_plugin() -> None:
    plugins = {path.parent.name for path in (ROOT / "plugins").glob("*/__init__.py")}
    rule = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    assert plugins <= set(rule["root_packages"])
    contracts = {contract["name"]: contract for contract in rule["contracts"]}
    assert plugins == set(contracts["plugins never import one another"]["modules"])
    assert plugins == set(contracts["plugins know only the api"]["source_modules"])
    assert plugins <= set(contracts["no circle between neighbours, modules or rooms"]["ancestors"])


def test_every_bench_is_on_the_map_of_tests() -> None:
    told = (ROOT / "tests" / "README.md").read_text("utf-8").partition("## Benches")[2]
    named = re.findall(r"`([\w*]+)`", told)
    rooms = [path for path in (ROOT / "tests" / "bench").iterdir() if any(path.glob("*.py"))]
    benches = [path for room in rooms for path in room.glob("*.py")]
    assert benches, "nothing is looked through"
    assert [path.name for path in rooms if f"`{path.name}/`" not in told] == []
    assert [path.name for path in benches if not any(fnmatch(path.stem, known) for known in named)] == []
    assert not list((ROOT / "tests" / "bench").glob("*.py")), "a bench lies in a room"
    assert [room.name for room in rooms if len(list(room.glob("*.py"))) > 15] == []


def test_what_tests_share_lies_in_rooms_on_their_map() -> None:
    told = (ROOT / "tests" / "README.md").read_text("utf-8").partition("## What tests share")[2].partition("\n## ")[0]
    support = ROOT / "tests" / "support"
    rooms = [path for path in support.iterdir() if any(path.glob("*.py"))]
    assert rooms, "nothing is looked through"
    assert [room.name for room in rooms if f"`{room.name}/`" not in told] == []
    assert not list(support.glob("*.py")), "a helper lies in a room"
    assert [room.name for room in rooms if len(list(room.glob("*.py"))) > 15] == []


ELSEWHERE = {
    "sidecar/toolkit/platform",  # one module a system
    "sidecar/ingest/watching/watch.py", "sidecar/ingest/watching/inotify.py",  # which watcher there is
    "sidecar/cli/clients/command.py", "sidecar/cli/clients/table.py",  # where other programs keep their settings
}  # fmt: skip


def test_only_the_room_of_systems_asks_which_one_it_is() -> None:
    asking = re.compile(r"\bsys\.platform\b|\bos\.name\b|\bplatform\.system\(")
    found = [
        path.relative_to(ROOT).as_posix()
        for base in (CORE, ROOT / "plugins")
        for path in base.rglob("*.py")
        if asking.search(path.read_text("utf-8"))
    ]
    assert found, "nothing is looked through"
    assert [path for path in found if not any(path.startswith(known) for known in ELSEWHERE)] == []
