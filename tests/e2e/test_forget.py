"""`docsidecar forget`: of what was indexed no word is left in any file of the data directory, whoever serves it too."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from email.message import EmailMessage
from pathlib import Path

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from support.clients.harness import COMMAND, fill, indexed, status, subprocess_client, text_of, until
from support.programs import program

pytestmark = pytest.mark.anyio

PLANTED = "zqvaultzq"


def plant(folder: Path) -> None:
    """Documents that say the word everywhere: name, title, text, table, sheet, attachment."""
    import docx
    import openpyxl

    folder.mkdir()
    (folder / f"{PLANTED}-name.md").write_text(f"# {PLANTED}title\n\nThe {PLANTED}text. {'common words ' * 300}\n")
    (folder / "edited.txt").write_text(f"First the {PLANTED}first, then more.\n")
    (folder / "removed.txt").write_text(f"Soon gone: {PLANTED}removed.\n")
    (folder / "table.csv").write_text(f"{PLANTED}column,count\n{PLANTED}cell,12\n")
    document = docx.Document()
    document.core_properties.author = f"{PLANTED}author"
    document.add_paragraph(f"Figure 1. A {PLANTED}caption", style="Caption")
    document.save(str(folder / "paper.docx"))
    book = openpyxl.Workbook()
    book.create_sheet(f"{PLANTED}sheet")["A1"] = f"{PLANTED}value"
    book.save(folder / "book.xlsx")
    mail = EmailMessage()
    mail["From"], mail["Subject"] = f"{PLANTED}@example.org", f"{PLANTED}subject"
    mail.set_content("See the file.")
    mail.add_attachment(f"The {PLANTED}attachment.", filename=f"{PLANTED}.txt")
    (folder / "mail.eml").write_bytes(mail.as_bytes())


def files_that_say(data: Path, word: str = PLANTED) -> list[str]:
    found: list[str] = []
    for path in data.iterdir():
        with contextlib.suppress(FileNotFoundError):  # a window replaces and removes files meanwhile
            found += [path.name] if word.encode() in path.read_bytes().lower() else []
    return found


class World:
    """A configuration with a folder to forget and one to keep, and a data directory."""

    def __init__(self, home: Path) -> None:
        self.secret, self.kept, self.data = home / PLANTED, home / "kept", home / "data"
        self.config = home / "config.toml"
        plant(self.secret)
        fill(self.kept)
        folders = "".join(f"[[folders]]\npath = '{path}'\n" for path in (self.secret, self.kept))
        self.config.write_text(f"[index]\nretention_versions = 3\n{folders}", "utf-8")
        self.environment = {**os.environ, "DOCSIDECAR_CONFIG": str(self.config), "DOCSIDECAR_DATA_DIR": str(self.data)}
        self.environment.pop("DOCSIDECAR_FOLDERS", None)

    def run(self, *words: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        return program.run_well(*words, environment=self.environment, code=code)

    def window(self) -> Client:
        """Another process that serves the same data directory."""
        return Client(StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:]], env=self.environment))


async def test_no_word_of_a_folder_is_left_while_windows_serve_and_index(tmp_path: Path) -> None:
    world = World(tmp_path)
    async with world.window() as one, world.window() as other:
        await indexed(one, 12)
        (world.secret / "edited.txt").write_text(f"Now the {PLANTED}second.\n")
        (world.secret / "removed.txt").unlink()
        await indexed(one, 11)
        await until(lambda: _hits(other, f"{PLANTED}second"))
        shown = await one.call_tool("read", {"uri": "embed://mail/0.md"})
        assert f"{PLANTED}attachment" in text_of(shown), "kept in a cache of the index"
        (world.data / "index.db.damaged-1").write_bytes(PLANTED.encode())
        (world.data / "docsidecar.log.1").write_text(f"read {world.secret}\n")
        assert {"index.db.damaged-1", "docsidecar.log.1"} < set(files_that_say(world.data))

        said = world.run("forget", str(world.secret)).stdout

        assert files_that_say(world.data) == []
        assert "6 documents of" in said
        assert "none is left" in said
        assert f"Still watched: {world.kept}" in said
        assert str(world.secret) not in world.config.read_text("utf-8")
        for client in (one, other):
            assert await _hits(client, f"{PLANTED}text") == []
            assert (await _hits(client, "capybara"))[0]["document_slug"] == "notes"
            await until(lambda client=client: _watches_only(client, world.kept))
        (world.kept / "later.txt").write_text("A pangolin came later.\n")
        await until(lambda: _hits(other, "pangolin"))
        assert files_that_say(world.data) == [], "nobody indexes it again"
    assert files_that_say(world.data) == []


async def _watches_only(client: Client, folder: Path) -> bool:
    return (await status(client))["folders"] == [{"path": str(folder)}]


async def _hits(client: Client, query: str) -> list[dict[str, str]]:
    answer = await client.call_tool("search_documents", {"query": f'"{query}"'})
    return (answer.structured_content or {})["results"]


async def test_a_window_that_watches_the_folder_by_its_argument_is_named(tmp_path: Path) -> None:
    world = World(tmp_path)
    async with subprocess_client(world.secret, world.data, "auto") as client:
        await indexed(client, 7)
        said = world.run("forget", str(world.secret), code=1).stderr
        assert f"still watches {world.secret}" in said
        assert "close the window" in said
        assert (await status(client))["indexed"] == 7, "nothing was half forgotten"
    world.run("forget", str(world.secret))
    assert files_that_say(world.data) == []


def test_everything_is_erased_from_every_data_directory(tmp_path: Path) -> None:
    world = World(tmp_path)
    del world.environment["DOCSIDECAR_DATA_DIR"]
    for name in ("XDG_DATA_HOME", "HOME", "LOCALAPPDATA"):
        world.environment[name] = str(tmp_path / "home")
    world.run("index", "--once", "--json")
    world.run("--folder", str(world.secret), "index", "--once", "--json")
    places = [path.parent for path in (tmp_path / "home").rglob("index.db")]
    assert len(places) == 2
    assert all(files_that_say(place) for place in places)

    said = world.run("forget", "--all").stdout

    assert said.count("none is left") == 2
    assert "No folder is watched any more" in said
    for place in places:
        assert files_that_say(place) == files_that_say(place, "capybara") == []
    assert "retention_versions = 3" in world.config.read_text("utf-8"), "settings stay"
    assert "nothing is indexed yet" in world.run("search", "capybara", code=1).stderr


def test_a_folder_inside_a_watched_one_is_refused_until_it_is_excluded(tmp_path: Path) -> None:
    world = World(tmp_path)
    inner = world.kept / "inner"
    inner.mkdir()
    (inner / "deep.txt").write_text(f"The {PLANTED}deep.\n")
    world.run("index", "--once", "--json")
    said = world.run("forget", str(inner), code=1).stderr
    assert f"{inner} lies in the watched folder {world.kept}" in said
    world.config.write_text(f"[[folders]]\npath = '{world.kept}'\nexclude = ['inner/']\n", "utf-8")
    world.run("index", "--once", "--json")
    assert files_that_say(world.data), "what is excluded stays readable for a while"
    world.run("forget", str(inner))
    assert files_that_say(world.data, f"{PLANTED}deep") == []
    assert "capybara" in world.run("search", "capybara").stdout


def test_a_watched_folder_inside_the_forgotten_one_stays(tmp_path: Path) -> None:
    world = World(tmp_path)
    inner = world.secret / "inner"
    inner.mkdir()
    (inner / "stays.txt").write_text("An okapi stays.\n")
    with world.config.open("a", encoding="utf-8") as config:
        config.write(f"[[folders]]\npath = '{inner}'\n")
    world.run("index", "--once", "--json")
    world.run("forget", str(world.secret))
    assert files_that_say(world.data, f"{PLANTED}text") == []
    assert "okapi" in world.run("search", "okapi").stdout


def test_a_folder_that_nobody_knows_is_told_and_nothing_erased(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.run("index", "--once", "--json")
    log = (world.data / "docsidecar.log").read_bytes()
    said = world.run("forget", str(tmp_path / "typo"), code=1).stderr
    assert f"{tmp_path / 'typo'} is not a folder, and nothing of it is indexed" in said
    assert (world.data / "docsidecar.log").read_bytes().startswith(log)
    assert "capybara" in world.run("search", "capybara").stdout


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_a_person_is_asked_first(tmp_path: Path) -> None:
    import pty

    world = World(tmp_path)
    world.run("index", "--once", "--json")
    ours, theirs = pty.openpty()
    command = [*COMMAND[:-1], "forget", str(world.secret)]
    asked = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=world.environment)
    os.close(theirs)
    seen = b""
    while b"[y/N]" not in seen:
        seen += os.read(ours, 1000)
    os.write(ours, b"n\n")
    assert asked.wait(120) == 1
    os.close(ours)
    assert "7 documents" not in seen.decode()
    assert files_that_say(world.data)
    assert str(world.secret) in world.config.read_text("utf-8")
