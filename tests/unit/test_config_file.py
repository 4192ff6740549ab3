"""Editing the configuration file: comments survive, broken files are left alone, everything written can be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from sidecar.api import ConfigError, UsageError
from sidecar.cli.config_file import add_folder, remove_folder
from sidecar.config import Overrides, load


def test_first_add_writes_a_commented_file_that_is_right(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "config.toml"
    assert add_folder(file, tmp_path)
    assert "# workers = 0" in file.read_text()
    assert [folder.path for folder in load(Overrides(config=file), {}).folders] == [tmp_path]


def test_every_commented_setting_is_a_valid_one(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    add_folder(file, tmp_path)
    live = "\n".join(
        line[2:] if line.startswith(("# [", "# ")) and (" = " in line or line.startswith("# [")) else line
        for line in file.read_text().splitlines()
        if not line.startswith(("#   ", "# One [["))
    )
    file.write_text(live)
    assert load(Overrides(config=file), {}).error is None


def test_adding_twice_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    add_folder(file, tmp_path)
    before = file.read_text()
    assert not add_folder(file, tmp_path / "." / "x" / "..")
    assert file.read_text() == before


@pytest.mark.parametrize("name", ["plain", "with space", 'quo"te', "back\\slash", "日本語", "new\nline", "brack]et"])
def test_any_folder_name_can_be_added_and_removed(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    other = tmp_path / "other"
    other.mkdir()
    file = tmp_path / "config.toml"
    file.write_text("# mine\n[index]\nworkers = 1  # few\n")
    add_folder(file, folder)
    add_folder(file, other)
    assert [item.path for item in load(Overrides(config=file), {}).folders] == [folder, other]
    assert remove_folder(file, folder)
    assert [item.path for item in load(Overrides(config=file), {}).folders] == [other]
    assert "workers = 1  # few" in file.read_text()
    assert not remove_folder(file, folder)


def test_a_missing_folder_and_a_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        add_folder(tmp_path / "config.toml", tmp_path / "none")
    (tmp_path / "f").write_text("")
    with pytest.raises(UsageError, match="is a file"):
        add_folder(tmp_path / "config.toml", tmp_path / "f")


def test_a_broken_file_is_left_untouched(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[index\n")
    with pytest.raises(ConfigError, match="left untouched"):
        add_folder(file, tmp_path)
    assert file.read_text() == "[index\n"


@pytest.mark.parametrize(
    ("text", "added", "left"),
    [
        ("folders = {a}  # mine\n", "folders = [{a}, {c}]  # mine\n", "folders = [{c}]  # mine\n"),
        ("folders = [{a}]\n[index]\n", "folders = [{a}, {c}]\n[index]\n", "folders = [{c}]\n[index]\n"),
        ("folders = []\n", "folders = [{c}]\n", "folders = [{c}]\n"),
        ("folders = [\n  {a},\n]\n", "folders = [\n  {a},\n  {c},\n]\n", "folders = [\n  {c},\n]\n"),
        ("folders = [{a}  # a ]\n]\n", "folders = [{a},  # a ]\n    {c}\n]\n", "folders = [\n    {c}\n]\n"),
        ("folders = [{{path = {a}}}]\n", "folders = [{{path = {a}}}, {c}]\n", "folders = [{c}]\n"),
    ],
)
def test_a_list_of_paths_is_edited_as_it_is_written(tmp_path: Path, text: str, added: str, left: str) -> None:
    file, named = tmp_path / "config.toml", {name: f'"{tmp_path / name}"' for name in "ac"}
    for name in named:
        (tmp_path / name).mkdir()
    file.write_text(text.format(**named))
    assert add_folder(file, tmp_path / "c")
    assert not add_folder(file, tmp_path / "c")
    assert file.read_text() == added.format(**named)
    assert tmp_path / "c" in [folder.path for folder in load(Overrides(file), {}).folders]
    assert remove_folder(file, tmp_path / "a") == ("{a}" in text)
    assert file.read_text() == left.format(**named)
