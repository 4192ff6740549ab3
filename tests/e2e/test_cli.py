"""The command line as a user and a script meet it: real subprocesses, exit codes, answers on stdout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image
from support.clients.rendering import write_quill
from support.programs import program


class Cli:
    """A home of its own for each test."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.folder = home / "documents"
        self.folder.mkdir()
        (self.folder / "notes.md").write_text("# Animals\n\nThe capybara rests by the river.\n")
        (self.folder / "list.csv").write_text("animal,count\nnarwhal,12\n")
        self.environment = {
            **os.environ,
            "DOCSIDECAR_CONFIG": str(home / "config.toml"),
            "DOCSIDECAR_DATA_DIR": str(home / "data"),
        }
        self.environment.pop("DOCSIDECAR_FOLDERS", None)

    def run(self, *words: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        return program.run_well(*words, environment=self.environment, code=code)


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path)


def test_add_index_search_read_remove(cli: Cli) -> None:
    assert "Watching" in cli.run("add", str(cli.folder)).stdout
    report = json.loads(cli.run("index", "--once", "--json").stdout)
    assert report["files"] == 2
    assert report["states"] == {"indexed": 2}
    assert report["failures"] == []
    found = json.loads(cli.run("search", "capybaras", "--json").stdout)["results"]
    assert [hit["document_slug"] for hit in found] == ["notes"]
    assert "**capybara**" in found[0]["snippet"]
    assert "capybara" in cli.run("read", found[0]["uri"]).stdout
    assert "chapter://notes/1" in cli.run("read", "document://notes").stdout
    target = cli.home / "out.csv"
    cli.run("read", "sheet://list/1.csv", "-o", str(target))
    assert target.read_text().splitlines()[0] == "animal,count"
    status = json.loads(cli.run("status", "--json").stdout)
    assert status["indexed"] == 2
    assert status["folders"] == [{"path": str(cli.folder)}]
    doc_id = found[0]["doc_id"]
    assert "capybara" in cli.run("read", f"document://{doc_id}.md").stdout
    cli.run("remove", str(cli.folder))
    assert "nothing is indexed yet" in cli.run("search", "capybaras", code=1).stderr
    for name in (doc_id, "notes"):
        assert "capybara" not in cli.run("read", f"document://{name}.md", code=1).stdout
    assert "no folder is watched" in cli.run("index", "--once", code=1).stderr
    assert "No folder is watched yet" in cli.run("status").stdout


def test_secrets_are_listed_with_how_to_allow_them(cli: Cli) -> None:
    (cli.folder / "server.pem").write_text("-----BEGIN PRIVATE KEY-----\nnarwhal\n")
    cli.run("add", str(cli.folder))
    report = json.loads(cli.run("index", "--once", "--json").stdout)
    assert report["states"] == {"indexed": 2, "secret": 1}
    status = cli.run("status").stdout
    assert f"secret: {cli.folder / 'server.pem'}" in status
    assert "secrets = true" in status


@pytest.mark.parametrize("place", ["~", "~/..", "/"])
def test_adding_everything_one_has_comes_with_a_warning(cli: Cli, place: str) -> None:
    cli.environment |= {"HOME": str(cli.home), "USERPROFILE": str(cli.home)}
    done = cli.run("add", place.replace("~", str(cli.home)))
    assert "holds everything you have" in done.stderr
    assert "docsidecar remove" in done.stderr
    assert "Watching" in done.stdout
    assert "holds everything" not in cli.run("add", str(cli.folder)).stderr


def test_a_second_run_reads_nothing_again(cli: Cli) -> None:
    cli.run("add", str(cli.folder))
    assert json.loads(cli.run("index", "--once", "--json").stdout)["read"] == 2
    assert json.loads(cli.run("index", "--once", "--json").stdout)["read"] == 0


def test_folder_option_needs_no_configuration(cli: Cli) -> None:
    out = cli.run("--folder", str(cli.folder), "index", "--once").stdout
    assert out.startswith("2 files in")
    assert "narwhal" in cli.run("search", "--folder", str(cli.folder), "narwhal").stdout


def test_nothing_found_and_unknown_things_have_their_exit_codes(cli: Cli) -> None:
    cli.run("add", str(cli.folder))
    cli.run("index", "--once")
    assert "Nowhere in the texts: zebra." in cli.run("search", "zebra", code=1).stderr
    assert "notes" in cli.run("read", "document://note", code=1).stderr
    assert "no such scheme" in cli.run("read", "ftp://x", code=1).stderr
    assert "1 to 50" in cli.run("search", "x", "--limit", "99", code=2).stderr
    assert "not among" in cli.run("remove", str(cli.home), code=1).stderr
    cli.run("serve", "--no-such-option", code=2)


def test_a_broken_configuration_is_told_with_its_line(cli: Cli) -> None:
    (cli.home / "config.toml").write_text("[index]\nworker = 2\n")
    for words in (["config", "check"], ["search", "x"], ["index", "--once"]):
        error = cli.run(*words, code=2).stderr
        assert "config.toml:2" in error
        assert "workers" in error
    assert "PROBLEM" in cli.run("doctor", code=1).stdout


def test_what_no_tool_and_no_client_takes_is_told(cli: Cli) -> None:
    cli.run("add", str(cli.folder))
    file = cli.home / "config.toml"
    wrong = (
        '[server]\ntools = ["serch_documents"]\n[server.client_rules.zed]\npicture = "text"\ngives = "all"\nlinks = 1\n'
    )
    file.write_text(file.read_text() + wrong)
    told = cli.run("config", "check", code=1).stderr
    assert 'did you mean "search_documents"?' in told, "as the setting has to say it, not the command"
    assert "server.client_rules.zed.picture: unknown key; did you mean `pictures`?" in told
    assert "server.client_rules.zed.gives: expected 'text' or 'structured' or 'both' or 'unknown', got 'all'." in told
    assert "server.client_rules.zed.links: expected true or false, got 1." in told
    assert "server.client_rules.zed.picture" in cli.run("doctor", code=1).stdout


def test_config_commands(cli: Cli) -> None:
    cli.run("add", str(cli.folder))
    assert cli.run("config", "path").stdout.strip() == str(cli.home / "config.toml")
    shown = json.loads(cli.run("config", "show").stdout)
    assert shown["folders"][0]["path"] == str(cli.folder)
    assert "1 folder(s) watched" in cli.run("config", "check").stdout


def test_plugins_and_doctor(cli: Cli) -> None:
    listed = json.loads(cli.run("plugins", "--json").stdout)
    names = {entry["name"] for entry in listed["formats"]}
    assert {"text", "csv", "markdown", "html", "docx", "xlsx", "pptx", "pdf"} <= names
    assert listed["failures"] == []
    findings = json.loads(cli.run("doctor", "--json").stdout)
    assert all(finding["level"] != "problem" for finding in findings), findings
    assert "docx" in cli.run("plugins").stdout


def test_help_names_every_command(cli: Cli) -> None:
    text = cli.run("--help").stdout
    for command in ("serve", "index", "search", "read", "status", "plugins", "config", "add", "remove", "doctor"):
        assert f"\n    {command} " in text
        assert cli.run(command, "--help").stdout


def test_one_path_is_a_line_even_when_a_name_is_not(cli: Cli) -> None:
    (cli.folder / "evil\nname.docx").write_bytes(b"not a document")
    cli.run("add", str(cli.folder))
    shown = cli.run("index", "--once")
    assert "evil\ufffdname.docx" in shown.stderr


def test_listing_outlines_patterns_and_whole_documents(cli: Cli) -> None:
    nothing = cli.run("--folder", str(cli.folder), "search", "capybara", code=1)
    assert "nothing is indexed yet; `docsidecar index --once`" in nothing.stderr
    for command in ("grep", "outline"):
        assert "nothing is indexed yet" in cli.run(command, "capybara", code=1).stderr
    cli.run("add", str(cli.folder))
    cli.run("index", "--once")
    listed = cli.run("list").stdout
    assert all(name in listed for name in ("notes.md", "list.csv", "indexed"))
    assert "notes.md" not in cli.run("list", "--type", "csv").stdout
    assert json.loads(cli.run("list", "--in", "documents", "--json").stdout)["total"] == 2
    assert "no document is there" in cli.run("list", "--state", "damaged", code=1).stderr
    assert "did you mean state:damaged?" in cli.run("list", "--state", "damagd", code=2).stderr
    for name in ("notes", "notes.md", str(cli.folder / "notes.md")):
        assert "chapter://notes/1" in cli.run("outline", name).stdout
    assert "The capybara rests by the river." in cli.run("grep", "CAPY.*river", "-i").stdout
    assert "no match" in cli.run("grep", "wombat", code=1).stderr
    assert "The capybara rests by the river." in cli.run("read", "notes").stdout
    found = cli.run("search", "capybara").stdout
    assert "**" in found, "bold is for terminals"
    assert str(cli.folder / "notes.md") in found.splitlines()[2], "which file it is"


def test_a_folder_that_is_not_there_is_told_whatever_is_asked(cli: Cli) -> None:
    for command in ("search", "grep", "outline", "read"):
        assert "docsidecar add FOLDER" in cli.run(command, "x", code=1).stderr
        assert "nowhere does not exist" in cli.run("--folder", str(cli.home / "nowhere"), command, "x", code=1).stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_matches_are_bold_on_a_terminal(cli: Cli) -> None:
    import pty

    cli.run("add", str(cli.folder))
    cli.run("index", "--once")
    seen = {}
    for name, more in (("bold", {}), ("plain", {"NO_COLOR": "1"})):
        ours, theirs = pty.openpty()
        environment = {**cli.environment, "TERM": "xterm", **more}
        environment = {key: value for key, value in environment.items() if key != "NO_COLOR" or more}
        subprocess.run(
            [*program.PROGRAM, "search", "capybara"], stdout=theirs, env=environment, timeout=300, check=True
        )
        os.close(theirs)
        seen[name] = os.read(ours, 10_000).decode()
        os.close(ours)
    assert "\033[1mcapybara\033[22m" in seen["bold"]
    assert "**capybara**" in seen["plain"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_a_table_fits_a_narrow_terminal_and_keeps_the_slugs_whole(cli: Cli) -> None:
    import pty

    cli.run("add", str(cli.folder))
    cli.run("index", "--once")
    ours, theirs = pty.openpty()
    environment = {**cli.environment, "COLUMNS": "60"}
    subprocess.run([*program.PROGRAM, "list"], stdout=theirs, env=environment, timeout=300, check=True)
    os.close(theirs)
    lines = os.read(ours, 10_000).decode().splitlines()
    os.close(ours)
    assert max(map(len, lines)) <= 60
    assert any(line.startswith("notes ") and "…" in line for line in lines)
    assert "…" not in cli.run("list").stdout, "whole where a program reads it"


def test_what_is_wrong_with_a_call_is_one_sentence_in_the_words_of_the_command_line(cli: Cli) -> None:
    cli.run("add", str(cli.folder))
    cli.run("index", "--once")
    for words, code, said in (
        (["read"], 2, "read: URI is missing; `docsidecar help read` shows how it is used."),
        (["read", " "], 2, "nothing is named to read; give a URI or a document's slug, which `docsidecar list` shows."),
        (["list", "--nope"], 2, "list: --nope is not understood; `docsidecar help list` shows how it is used."),
        (["list", "nots"], 2, "list: nots is not understood; `docsidecar help list` shows how it is used."),
        (["grep", "x", "--conut"], 2, "grep: --conut is not understood; did you mean `--count`?"),
        (["--vresion"], 2, "--vresion is not understood; did you mean `--version`?"),
        (["config", "pth"], 2, "config: there is no 'pth'; did you mean `path`?"),
        (["search", "x", "--sort", "newset"], 2, "search: --sort is 'newset'; did you mean `newest`?"),
        (
            ["search", "x", "--limit", "y"],
            2,
            "search: --limit is 'y', which is not a number; `docsidecar help search` shows how it is used.",
        ),
        (["forget"], 2, "forget: FOLDER or --all is missing; `docsidecar help forget` shows how it is used."),
        (["grep", "x", "--limit", "0"], 2, "--limit is 0; it must be 1 or more."),
        (["outline", "zzzz"], 1, "There is no document 'zzzz'; `docsidecar list` shows what is there."),
    ):
        assert cli.run(*words, code=code).stderr == f"docsidecar: {said}\n"


def test_filters_files_and_counts_are_options_too(cli: Cli) -> None:
    (cli.folder / "sub").mkdir()
    (cli.folder / "sub" / "river.md").write_text("# River\n\nThe river is slow.\n\nA river mouth.\n")
    cli.run("add", str(cli.folder))
    cli.run("index", "--once")

    def found(*words: str, code: int = 0) -> list[str]:
        hits = json.loads(cli.run("search", "river", *words, "--json", code=code).stdout)["results"]
        return sorted({hit["document_slug"] for hit in hits})

    assert found() == ["notes", "river"]
    assert found("--in", "sub", "--type", "markdown", "--sort", "newest") == ["river"]
    assert found("--before", "2001", code=1) == []
    assert found("--type", "excel", code=1) == []
    assert found("--after", "2001") == ["notes", "river"]
    river, notes = cli.folder / "sub" / "river.md", cli.folder / "notes.md"
    assert cli.run("grep", "slow|rests", "--files-only").stdout.splitlines() == [str(notes), str(river)]
    assert cli.run("grep", "river", "--count").stdout.splitlines() == [f"{notes}: 1", f"{river}: 2"]
    lines = cli.run("grep", "slow", "--context", "1").stdout.splitlines()
    assert lines[-1].endswith("The river is slow.")
    absent = cli.run("search", "zzxcv", code=1)
    assert absent.stderr.startswith("docsidecar: Nowhere in the texts: zzxcv.")
    cli.run("grep", "x", "--context", "11", code=2)


def test_a_mistyped_command_names_the_one_that_was_meant(cli: Cli) -> None:
    assert "there is no command 'serach'; did you mean `search`?" in cli.run("serach", "x", code=2).stderr
    folder = str(cli.folder)
    assert f"`docsidecar add {folder}` watches it" in cli.run(folder, code=2).stderr
    assert f"named by --folder {folder}." in cli.run("index", folder, code=2).stderr
    assert "`docsidecar help` lists the commands." in cli.run("zzz", code=2).stderr
    assert cli.run("help").stdout == cli.run("--help").stdout
    assert cli.run("help", "search").stdout == cli.run("search", "--help").stdout


@pytest.mark.skipif(sys.platform == "win32", reason="makes a symbolic link")
def test_a_file_is_drawn_with_the_pictures_beside_it(cli: Cli) -> None:
    (cli.home / "img").mkdir()
    Image.new("RGB", (40, 30), "red").save(cli.home / "img" / "a b.png")
    Image.new("RGB", (40, 30), "blue").save(cli.home.parent / "outside.png")
    (cli.home / "img" / "link.png").symlink_to(cli.home.parent / "outside.png")
    (cli.home / "draft.md").write_text(
        "![one](img/a%20b.png)\n\n![two](./img/a%20b.png)\n\n![gone](img/c.png)\n\n![out](../outside.png)\n\n"
        "![link](img/link.png)\n\n![root](/etc/x.png)\n\n![host](\\\\host\\share\\x.png)\n"
    )
    made = cli.run("render", str(cli.home / "draft.md"))
    assert made.stdout.strip() == str(cli.home / "draft.pdf")
    told = [line for line in made.stderr.splitlines() if line.startswith("warning: ")]
    assert len(told) == 5, told
    assert f"there is no file {cli.home / 'img' / 'c.png'}" in told[0]
    assert all("lies outside of" in line for line in told[1:]), told
    document = pypdfium2.PdfDocument(cli.home / "draft.pdf")
    shown = [one for page in document for one in page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_IMAGE])]
    assert len(shown) == 2
    document.close()
    # Another picture under the same name is another rendering.
    Image.new("RGB", (400, 300), "green").save(cli.home / "img" / "a b.png")
    before = (cli.home / "draft.pdf").read_bytes()
    cli.run("render", str(cli.home / "draft.md"))
    assert (cli.home / "draft.pdf").read_bytes() != before


def test_quills_of_a_relative_path_are_looked_for_beside_the_configuration_that_is_named(cli: Cli) -> None:
    other = cli.home / "other"
    write_quill(other / "mine", "letter", "Set by a quill beside the other file.")
    (other / "config.toml").write_text("[plugins.render]\nquills = 'mine'\n")
    (cli.home / "draft.md").write_text("Hello.\n")
    words = ("--config", str(other / "config.toml"), "render", str(cli.home / "draft.md"), "--quill", "letter")
    cli.run(*words, "-o", str(cli.home / "draft.pdf"))
    document = pypdfium2.PdfDocument(cli.home / "draft.pdf")
    assert "Set by a quill beside the other file." in document[0].get_textpage().get_text_range()
    document.close()
