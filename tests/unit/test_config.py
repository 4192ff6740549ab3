"""The configuration: precedence, errors with line and key, and what is said about folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from sidecar.api import ConfigError
from sidecar.cli.config import describe
from sidecar.config import Folder, Overrides, fallback, load
from sidecar.toolkit.settings import find_line, mask


def write(path: Path, text: str) -> Overrides:
    path.write_text(text, "utf-8")
    return Overrides(config=path)


def test_missing_file_is_an_empty_configuration(tmp_path: Path) -> None:
    config = load(Overrides(), {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)})
    assert config.error is None
    assert config.server.budget_tokens == 8000


def test_a_named_file_that_is_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="docsidecar add"):
        load(Overrides(config=tmp_path / "none.toml"), {})


def test_everything_is_read(tmp_path: Path) -> None:
    overrides = write(
        tmp_path / "config.toml",
        """
[index]
workers = 3
settle_seconds = 1.5
[limits]
max_seconds = 9.0
ocr = false
[server]
tools = ["minimal"]
budget_tokens = 4000
[log]
level = "debug"
[plugins]
disabled = ["csv"]
[plugins.pdf]
columns = 2
[upstream.files]
command = "npx"
[[folders]]
path = "here"
include = ["*.docx"]
exclude = ["drafts/"]
recursive = false
""",
    )
    config = load(overrides, {})
    assert config.index.workers == 3
    assert config.index.settle_seconds == 1.5
    assert config.limits.max_seconds == 9.0
    assert not config.limits.ocr
    assert config.server.tools == ("minimal",)
    assert config.log.level == "debug"
    assert config.plugins_disabled == {"csv"}
    assert config.plugin_settings["pdf"] == {"columns": 2}
    assert config.feature_settings()["upstream"]["tables"]["files"]["command"] == "npx"
    (folder,) = config.folders
    assert folder.path == tmp_path / "here"
    assert folder.include == ("*.docx",)
    assert not folder.recursive


def test_arguments_win_over_environment_which_wins_over_the_file(tmp_path: Path) -> None:
    overrides = write(tmp_path / "config.toml", f'[[folders]]\npath = "{tmp_path.as_posix()}"\n')
    environment = {"DOCSIDECAR_DATA_DIR": str(tmp_path / "environment")}
    assert load(overrides, environment).data_dir == tmp_path / "environment"
    said = Overrides(config=overrides.config, data_dir=tmp_path / "argument", folders=(tmp_path / "other",))
    config = load(said, environment)
    assert config.data_dir == tmp_path / "argument"
    assert [folder.path for folder in config.folders] == [tmp_path / "other"]


def test_folder_sets_have_data_directories_of_their_own(tmp_path: Path) -> None:
    def data_dir(*names: str) -> Path:
        return load(Overrides(folders=tuple(tmp_path / name for name in names)), {}).data_dir

    assert data_dir("a", "b") == data_dir("b", "a")
    assert data_dir("a", "b") != data_dir("a")


@pytest.mark.parametrize(
    ("text", "line", "key", "words"),
    [
        ("[index]\nworker = 2\n", 2, "index.worker", "did you mean `workers`?"),
        ("\n[[folders]]\npath = 'a'\n[[folders]]\npaht = 'b'\n", 5, "folders.paht", "did you mean `path`?"),
        ("[[folders]]\nrecursive = true\n", 1, "folders.path", "is required"),
        ("workers = 2\n", 1, "workers", "write it below [index]"),
        ("[index]\nhidden = 'no'\n", 2, "index.hidden", "expected true or false, got 'no'."),
        ("[index]\nrescan_seconds = 'never'\n", 2, "index.rescan_seconds", "expected a number, got 'never'."),
        ("[folder]\npath = 'a'\n", 1, "folder", "did you mean `folders`?"),
        ("[index]\nworkers = 'two'\n", 2, "index.workers", "expected a whole number, got 'two'."),
        ("[log]\n# how much\nlevel = 'loud'\n", 3, "log.level", "'debug', 'info', 'warning' or 'error'"),
        ("[server]\nbudget_tokens = 1\n", 2, "server.budget_tokens", "expected 500 or more, got 1."),
        ("[index\n", 1, None, "not valid TOML"),
        ('folders = ["C:\\Users\\me"]\n', 1, None, "write paths in 'single quotes'"),
        ('folders = ["C:\\me"]\n', 1, None, "write paths in 'single quotes'"),
        ("[[folders]]\npath = 'a'\n[[folders]]\npath = \"b\\u0000\"\n", 4, "folders.path", "NUL"),
        ("[plugins]\ndisabled = 5\n", 2, "plugins.disabled", "a list of plugin names"),
        ("folders = [5]\n", 1, "folders", "expected the path of a folder, or a table [[folders]], got 5."),
        ("[[folders]]\npath = 5\n", 2, "folders.path", "expected a path"),
        ("[[folders]]\npath = 'a'\nexclude = 5\n", 3, "folders.exclude", "expected a list"),
        ("[plugins]\ndisable = ['pdf']\n", 2, "plugins.disable", "`disabled`"),
        ("[plugins]\n'a\u202e31m' = 1\n", 1, "plugins.a\ufffd31m", "[plugins.a\ufffd31m]"),
        ('"\\u001b[31m\\u202eb" = 1\n', None, "\ufffd[31m\ufffdb", "unknown key"),
        ("[log]\n" + ".".join(["a"] * 100_000) + " = 1\n", 2, None, "more than 64 names"),
        ("x = {a" + ' . "\\""' * 100_000 + " = 1}\n", 1, None, "more than 64 names"),
    ],
)
def test_a_fault_is_told_with_line_key_and_what_was_expected(
    tmp_path: Path, text: str, line: int, key: str | None, words: str
) -> None:
    overrides = write(tmp_path / "config.toml", text)
    with pytest.raises(ConfigError) as caught:
        load(overrides, {})
    assert caught.value.line == line
    assert caught.value.key == key
    assert words in caught.value.message
    assert line is None or f"config.toml:{line}" in str(caught.value)


def test_one_thing_is_a_list_of_it_and_a_path_is_a_folder(tmp_path: Path) -> None:
    for folders in ("'a'", "['a']", "{path = 'a'}", "[{path = 'a'}]"):
        text = f"folders = {folders}\n[server]\ntools = 'minimal'\n[plugins]\ndisabled = 'pdf'\n"
        config = load(write(tmp_path / "config.toml", text), {})
        assert config.folders == (Folder(tmp_path / "a"),)
        assert config.server.tools == ("minimal",)
        assert config.plugins_disabled == {"pdf"}
    config = load(write(tmp_path / "config.toml", "[[folders]]\npath = 'a'\nexclude = 'drafts/'\n"), {})
    assert config.folders[0].exclude == ("drafts/",)


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = " + "9" * 10_000, "a = 2020-13-45"])
def test_what_no_reader_of_toml_takes_is_told_too(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError, match="not valid TOML"):
        load(write(tmp_path / "config.toml", text), {})


def test_a_configuration_of_megabytes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"config\.toml: it is larger than 1,048,576 bytes"):
        load(write(tmp_path / "config.toml", "#" * 2**20 + "\n"), {})


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    assert load(write(tmp_path / "config.toml", "\ufeff[index]\nworkers = 3\n"), {}).index.workers == 3


def test_serving_goes_on_with_a_broken_file(tmp_path: Path) -> None:
    overrides = write(tmp_path / "config.toml", "folders = 3")
    with pytest.raises(ConfigError) as caught:
        load(overrides, {})
    config = fallback(caught.value, overrides, {})
    assert config.error is caught.value
    assert config.folders == ()


def test_folder_problems_are_sentences(tmp_path: Path) -> None:
    file = tmp_path / "file.txt"
    file.write_text("x")
    config = load(Overrides(folders=(tmp_path, tmp_path / "none", file)), {})
    missing, not_folder = config.folder_problems()
    assert "does not exist" in missing
    assert "is a file" in not_folder


def test_tables_at_the_top_are_the_core_s_or_of_a_feature_plugin_that_takes_such(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    config = load(write(file, "[upstream.own]\nx = 1\n[plugins.upstream]\ny = 2\n"), {})
    assert config.feature_settings()["upstream"] == {"y": 2, "tables": {"own": {"x": 1}}}
    for text, words in (
        ("[pdf.own]\nx = 1\n", "unknown key"),
        ("[semantic.own]\nx = 1\n", "semantic: unknown key"),
        ("[upstrem.own]\nx = 1\n", "did you mean `upstream`"),
        ("\n[upstream]\nx = 1\n", r"config.toml:3: upstream.x: expected a table; .* \[plugins.upstream\]"),
    ):
        with pytest.raises(ConfigError, match=words):
            load(write(file, text), {})


def test_secrets_are_masked(tmp_path: Path) -> None:
    overrides = write(
        tmp_path / "config.toml",
        '[upstream.web]\nurl = "http://localhost"\n[upstream.web.headers]\nAuthorization = "Bearer hush"\n',
    )
    shown = describe(load(overrides, {}))
    assert "hush" not in str(shown)
    assert shown["upstream"]["web"]["url"] == "http://localhost"


def test_secrets_in_arguments_and_addresses_are_masked() -> None:
    shown = mask(
        {"a": {"args": ["--token", "hush1", "--api-key=hush2", "stay"], "url": "http://me:hush3@host/?key=hush4&x=1"}}
    )
    assert "hush" not in str(shown)
    assert shown["a"]["args"][3] == "stay"
    assert shown["a"]["url"].endswith("&x=1")


def test_lines_are_found_in_arrays_of_tables() -> None:
    text = "[[folders]]\npath = 'a'\n\n[[folders]]\npath = 'b'\nrecursive = 3\n"
    assert find_line(text, ("folders", 1, "recursive")) == 6
    assert find_line(text, ("folders", 0, "path")) == 2
    assert find_line(text, ("folders", 1, "include")) == 4
