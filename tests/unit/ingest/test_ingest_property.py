"""Whatever is done to the files, the index ends up equal to the disk: followed live, and found by one scan."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.indexes.indexer import rig, running

DIRECTORIES = ("", "d", "d/e", "f")
NAMES = ("a.txt", "b.txt", "c.md", "data.bin", "~$a.txt")
WORDS = ("alpha", "beta", "gamma", "delta")

directory = st.sampled_from(DIRECTORIES)
name = st.sampled_from(NAMES)
operation = st.one_of(
    st.tuples(st.just("write"), directory, name, st.sampled_from(WORDS)),
    st.tuples(st.just("append"), directory, name, st.sampled_from(WORDS)),
    st.tuples(st.just("replace"), directory, name, st.sampled_from(WORDS)),
    st.tuples(st.just("delete"), directory, name, st.just("")),
    st.tuples(st.just("rename"), directory, name, name),
    st.tuples(st.just("move"), directory, name, directory),
    st.tuples(st.just("mkdir"), directory, st.just(""), st.just("")),
    st.tuples(st.just("move_directory"), directory, st.just(""), directory),
    st.tuples(st.just("delete_directory"), directory, st.just(""), st.just("")),
    st.tuples(st.just("pause"), st.just(""), st.just(""), st.just("")),
)


def act(root: Path, step: tuple[str, str, str, str]) -> None:
    """Do it where it can be done; what cannot (a file that is not there) is skipped, as a user's click would be."""
    kind, where, what, other = step
    place = root / where
    file = place / what
    if kind in ("write", "append", "replace", "mkdir"):
        place.mkdir(parents=True, exist_ok=True)
    if kind == "write":
        file.write_text(other)
    elif kind == "append":
        with file.open("a") as handle:
            handle.write(f" {other}")
    elif kind == "replace":
        temporary = place / f"{what}.tmp"
        temporary.write_text(f"{other} anew")
        temporary.replace(file)
    elif kind == "delete":
        file.unlink(missing_ok=True)
    elif kind == "rename" and file.exists():
        file.replace(place / other)
    elif kind == "move" and file.exists() and (root / other).is_dir():
        file.replace(root / other / what)
    elif kind == "move_directory" and where and place.is_dir():
        target = root / other / "moved" if other else root / "moved"
        if not target.exists() and target.parent.is_dir() and place not in (target, *target.parents):
            place.rename(target)
    elif kind == "delete_directory" and where and place.is_dir():
        shutil.rmtree(place)


def on_disk(root: Path) -> dict[bytes, str]:
    return {
        os.fsencode(path): path.read_text()
        for path in root.rglob("*")
        if path.is_file() and path.suffix in (".txt", ".md") and not path.name.startswith("~$")
    }


@settings(max_examples=25)
@given(st.lists(operation, min_size=1, max_size=14))
def test_followed_live(steps: list[tuple[str, str, str, str]]) -> None:
    async def scenario(base: Path) -> None:
        root = base / "docs"
        root.mkdir()
        async with rig(base / "data", root, settle_seconds=0.02) as r, running(r):
            for step in steps:
                act(root, step)
                await asyncio.sleep(0.06 if step[0] == "pause" else 0)

            async def equal() -> bool:
                return await r.texts() == on_disk(root)

            await r.until(equal, f"the index equals {on_disk(root)} after {steps}")

    with tempfile.TemporaryDirectory() as base:
        asyncio.run(scenario(Path(base)))


@settings(max_examples=25)
@given(st.lists(st.lists(operation, min_size=1, max_size=8), min_size=1, max_size=3))
def test_found_by_a_scan(rounds: list[list[tuple[str, str, str, str]]]) -> None:
    async def scenario(base: Path) -> None:
        root = base / "docs"
        root.mkdir()
        async with rig(base / "data", root) as r:
            for steps in rounds:
                for step in steps:
                    act(root, step)
                await r.indexer.scan_once()
                assert await r.texts() == on_disk(root)

    with tempfile.TemporaryDirectory() as base:
        asyncio.run(scenario(Path(base)))


@pytest.mark.parametrize("files", [200])
async def test_a_tree_unpacked_and_moved_away_at_once(tmp_path: Path, files: int) -> None:
    root = tmp_path / "docs"
    root.mkdir()

    async with rig(tmp_path / "data", root) as r, running(r):
        for number in range(files):
            place = root / "new" / f"d{number % 7}" / f"e{number % 3}"
            place.mkdir(parents=True, exist_ok=True)
            (place / f"{number}.txt").write_text(f"number {number}")

        async def equal() -> bool:
            return await r.texts() == on_disk(root)

        await r.until(equal, "all files of the new tree are indexed")
        (root / "new").rename(root / "newer")
        await r.until(equal, "the tree is indexed under its new name")
        assert {change.kind for change in await r.changes()} == {"added", "renamed"}
        (root / "newer").rename(tmp_path / "away")
        await r.until(equal, "nothing is left")
