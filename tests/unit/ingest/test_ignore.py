"""What is never watched, never opened; checked against git itself where git is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sidecar.ingest.watching.ignore import DirectoryRules, is_hidden, is_placeholder


def scope(root: Path, *, include: tuple[str, ...] = (), exclude: tuple[str, ...] = (), **kinds: bool) -> DirectoryRules:
    options = {"hidden": False, "gitignore": True, **kinds}
    return DirectoryRules.of_folder(include, exclude, **options).ruled_by(os.fsencode(root))


def wanted(root: Path, **options: Any) -> set[str]:
    """Relative paths of all files below `root` that the rules let through, walking as the scan does."""
    found: set[str] = set()
    stack = [(root, scope(root, **options))]
    while stack:
        directory, rules = stack.pop()
        for entry in directory.iterdir():
            name = os.fsencode(entry.name)
            if entry.is_dir():
                if not rules.skips_directory(name):
                    stack.append((entry, rules.inside(name).ruled_by(os.fsencode(entry))))
            elif not rules.skips_file(name):
                found.add(entry.relative_to(root).as_posix())
    return found


def make(root: Path, *paths: str) -> None:
    for path in paths:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(path)


@pytest.mark.parametrize(
    "name",
    ["~$report.docx", ".~lock.report.odt#", "x.tmp", "X.TMP", "film.part", "a.crdownload", "draft~", ".hidden.txt",
     "Thumbs.db", "desktop.ini", ".DS_Store", "notes.txt.swp", "~WRL0005.tmp", "._resource"],
)  # fmt: skip
def test_temporary_and_system_files_are_skipped(tmp_path: Path, name: str) -> None:
    assert scope(tmp_path).skips_file(os.fsencode(name))


@pytest.mark.parametrize(
    "name", ["report.docx", "tmp", "part.txt", "a.partial.txt", "~tilde.txt", "poetry.lock", "é.txt", "名前.md", "x"]
)
def test_ordinary_files_are_not(tmp_path: Path, name: str) -> None:
    assert not scope(tmp_path).skips_file(os.fsencode(name))


@pytest.mark.parametrize("name", [".git", "node_modules", "Node_Modules", "__pycache__", ".venv", "$RECYCLE.BIN", ".x"])
def test_system_folders_are_skipped(tmp_path: Path, name: str) -> None:
    assert scope(tmp_path).skips_directory(os.fsencode(name))


def test_hidden_files_when_they_are_wanted(tmp_path: Path) -> None:
    make(tmp_path, ".config/a.txt", ".b.txt", ".git/config", ".~lock.c.odt#", ".gitignore", "d.txt")
    assert wanted(tmp_path, hidden=True) == {".config/a.txt", ".b.txt", "d.txt"}
    assert wanted(tmp_path) == {"d.txt"}


def test_include_and_exclude_of_the_folder(tmp_path: Path) -> None:
    make(tmp_path, "a.docx", "a.txt", "sub/b.docx", "sub/c.txt", "old/d.docx", "keep/old/e.docx")
    assert wanted(tmp_path, include=("*.docx",), exclude=("/old/",)) == {"a.docx", "sub/b.docx", "keep/old/e.docx"}
    assert wanted(tmp_path, include=("sub/**",)) == {"sub/b.docx", "sub/c.txt"}


def test_ignore_files_nest_and_ours_comes_last(tmp_path: Path) -> None:
    make(tmp_path, "a.log", "b.txt", "x/a.log", "x/keep.log", "x/y/a.log", "x/y/c.txt", "private/p.txt")
    (tmp_path / ".gitignore").write_text("*.log\n# a remark\n")
    (tmp_path / "x" / ".gitignore").write_text("!keep.log\n")
    (tmp_path / "x" / "y" / ".gitignore").write_text("!a.log\n/c.txt\n")
    (tmp_path / ".docsidecarignore").write_text("private/\n!a.log\n")
    assert wanted(tmp_path) == {"a.log", "b.txt", "x/a.log", "x/keep.log", "x/y/a.log"}
    assert wanted(tmp_path, gitignore=False) == {
        "a.log", "b.txt", "x/a.log", "x/keep.log", "x/y/a.log", "x/y/c.txt",
    }  # fmt: skip


def test_a_bad_pattern_and_a_pattern_file_that_is_none_rule_nothing(tmp_path: Path) -> None:
    make(tmp_path, "a.txt", "b.txt")
    (tmp_path / ".gitignore").write_bytes(b"!\n\xff\xfe***/[\nb.txt\n" + b"/")
    (tmp_path / ".docsidecarignore").mkdir()
    assert wanted(tmp_path) == {"a.txt"}


def test_names_that_are_no_text(tmp_path: Path) -> None:
    rules = scope(tmp_path, exclude=("*.log",))
    assert rules.skips_file(b"caf\xe9\n.log")
    assert not rules.skips_file(b"caf\xe9\n.txt")
    assert not rules.skips_directory(b"\xff")


def test_cloud_placeholders_are_told_by_their_attributes() -> None:
    def status(**attributes: int) -> os.stat_result:
        return cast("os.stat_result", SimpleNamespace(**attributes))

    assert is_placeholder(status(st_file_attributes=0x400000))
    assert is_placeholder(status(st_file_attributes=0x1020))
    assert is_placeholder(status(st_flags=0x40000000))
    assert not is_placeholder(status(st_file_attributes=0x20))
    assert not is_placeholder(status())
    assert is_hidden(status(st_file_attributes=0x2))
    assert not is_hidden(status(st_flags=0))


@pytest.mark.parametrize(
    "rule",
    ["*a*a*a*a*b", "*" + "a*" * 14 + "b", "**/*a*a*a*a/**/*a*a*a*a*b", "[a-z]*?a*?a*?a*?a*b", "*" + "a" * 120 + "b"],
)
def test_no_rule_takes_long_whatever_its_stars(tmp_path: Path, rule: str) -> None:
    name = "a" * 250
    make(tmp_path, f"{name}/{name}/{name}.txt", "b.txt")
    (tmp_path / ".gitignore").write_text(f"{rule}\n" * 5000)
    assert wanted(tmp_path) == {f"{name}/{name}/{name}.txt", "b.txt"}


def test_an_ignore_file_is_bounded_in_rules_and_in_what_they_cost(tmp_path: Path) -> None:
    make(tmp_path, "a.txt", "b.txt", "c.txt", "d.txt")
    (tmp_path / ".gitignore").write_text(f"a.txt\n{'x' * 300}\n{'*x' * 20}\nb.txt\n" + "y*z\n" * 998 + "c.txt\n")
    assert wanted(tmp_path) == {"c.txt", "d.txt"}  # the last is one too many


PIECES = st.sampled_from(
    [
        "a",
        "b",
        "ab",
        "*",
        "**",
        "?",
        "[ab]",
        "[!a]",
        "[]a]",
        "[a-]",
        "[[:alpha:]]",
        "a[",
        "\\\\a",
        "a ",
        "***",
        "a*",
        "*.txt",
        "b.txt",
    ]
)
LINE = st.tuples(
    st.sampled_from(["", "", "!", "/"]), st.lists(PIECES, min_size=1, max_size=3), st.sampled_from(["", "", "/"])
)
FILES = ("a", "b.txt", "a.txt", "ab/a", "ab/b.txt", "b/a/a.txt", "b/ab/b", "a*b/a")


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@settings(max_examples=100)
@given(top=st.lists(LINE, max_size=5), inner=st.lists(LINE, max_size=3))
@example(top=[], inner=[("", ["a"], ""), ("!", ["a", "*"], "")])
@example(top=[("", ["b", "*"], ""), ("!", ["b", "a"], "")], inner=[])
@example(top=[("", ["b", "**", "*"], ""), ("!", ["b", "ab"], "/")], inner=[])
def test_the_rules_are_those_of_git(tmp_path_factory: pytest.TempPathFactory, top: list[Any], inner: list[Any]) -> None:
    root = tmp_path_factory.mktemp("tree")
    make(root, *(file for file in FILES if file != "a"), "c/a")
    text = ["\n".join(mark + "/".join(parts) + end for mark, parts, end in lines) + "\n" for lines in (top, inner)]
    (root / ".gitignore").write_text(text[0])
    (root / "b" / ".gitignore").write_text(text[1])
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--others", "--exclude-standard"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split("\0")
    theirs = {path for path in listed if path and not path.endswith(".gitignore")}
    assert wanted(root) == theirs
