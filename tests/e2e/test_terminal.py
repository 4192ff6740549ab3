"""What a person at a terminal meets: the greeting, what `add` says beforehand, the status that follows, completion."""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support.clients.harness import COMMAND, DEADLINE
from support.programs import program

from sidecar.cli.progress import Bar

PROGRAM = list(COMMAND[:-1])
posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")


class Home:
    """A person's home folder with documents, and nothing set up."""

    def __init__(self, home: Path) -> None:
        self.documents, self.config, self.data = home / "Documents", home / "config.toml", home / "data"
        self.documents.mkdir()
        (self.documents / "notes.md").write_text("# Animals\n\nThe capybara rests by the river.\n")
        self.environment = {
            **os.environ, "HOME": str(home), "USERPROFILE": str(home), "DOCSIDECAR_CONFIG": str(self.config),
            "DOCSIDECAR_DATA_DIR": str(self.data), "TERM": "xterm", "XDG_CONFIG_HOME": str(home / "c"),
        }  # fmt: skip
        self.environment.pop("DOCSIDECAR_FOLDERS", None)

    def run(self, *words: str, code: int = 0, given: str = "") -> str:
        done = program.run(*words, environment=self.environment, given=given)
        assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr
        return done.stdout


def heed_interrupts() -> None:
    """As a shell starts a program in the foreground, though these tests were started in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal:
    """A program at a pseudo-terminal: what it shows, and what is typed."""

    def __init__(self, home: Home, *words: str) -> None:
        import pty

        self._ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [*PROGRAM, *words], stdin=theirs, stdout=theirs, stderr=theirs, env=home.environment,
            start_new_session=True, preexec_fn=heed_interrupts,  # noqa: PLW1509 - one thread, and nowhere else
        )  # fmt: skip
        os.close(theirs)
        self.shown = ""

    def until(self, text: str) -> None:
        """Wait until the text has been shown since the last call."""
        self._wait(lambda: text in self.shown, text)
        self.shown = self.shown.partition(text)[2]

    def type(self, line: str) -> None:
        os.write(self._ours, line.encode() + b"\n")

    def end(self) -> int:
        """Wait for the end of the program; its exit code."""
        self._wait(lambda: self.process.poll() is not None, "the end")
        os.close(self._ours)
        return self.process.wait()

    def _wait(self, met: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + 2 * DEADLINE
        while not met():
            assert time.monotonic() < deadline, (what, self.shown)
            if select.select([self._ours], [], [], 0.05)[0]:
                try:
                    self.shown += os.read(self._ours, 10_000).decode(errors="replace")
                except OSError:  # Linux: the other side is closed
                    assert met() or self.process.wait(DEADLINE) is not None


@posix
def test_a_terminal_shows_what_is_being_made(tmp_path: Path) -> None:
    home = Home(tmp_path)
    for words, step, made in (
        (("render", str(home.documents / "notes.md"), "-o", str(tmp_path / "a.pdf")), "rendering notes.md …", "a.pdf"),
        (("export", "# Title\n\nText.", "-o", str(tmp_path / "b.docx")), "making b.docx …", "b.docx"),
    ):
        terminal = Terminal(home, *words)
        terminal.until(step)
        terminal.until(str(tmp_path / made))
        assert terminal.end() == 0


@posix
def test_from_the_greeting_to_an_indexed_folder_by_saying_yes(tmp_path: Path) -> None:
    home = Home(tmp_path)
    terminal = Terminal(home)
    terminal.until(f"Which folder holds your documents? [{home.documents}]")
    terminal.type("")
    terminal.until("1 document, ")
    terminal.until(f"Watching {home.documents}")
    terminal.until("index it now? [Y/n]")
    terminal.type("")
    terminal.until("indexed: 1")
    terminal.until("connect your assistant now? [Y/n]")
    terminal.type("n")
    terminal.until("docsidecar help")
    assert terminal.end() == 0
    assert "capybara" in home.run("search", "capybara")
    again = Terminal(home)
    again.until(f"Watched: {home.documents}")
    again.until("docsidecar search")
    assert again.end() == 0


@posix
def test_a_person_who_says_nothing_changes_nothing(tmp_path: Path) -> None:
    home = Home(tmp_path)
    terminal = Terminal(home)
    terminal.until("Which folder")
    terminal.type("\x04")
    terminal.until("Nothing is changed")
    assert terminal.end() == 0
    assert not home.config.exists()


def test_without_a_terminal_an_assistant_is_served(tmp_path: Path) -> None:
    request = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
    home = Home(tmp_path)
    assert home.run(given=request) == home.run("serve", given=request)
    assert home.run(given=request).startswith('{"jsonrpc":"2.0","id":1')


def test_add_says_what_indexing_comes_to_and_what_is_not_read(tmp_path: Path) -> None:
    home = Home(tmp_path)
    (home.documents / "server.pem").write_text("-----BEGIN PRIVATE KEY-----\n")
    (home.documents / "plan.gdoc").write_text("{}")
    (home.documents / "program.exe").write_bytes(b"MZ")
    (home.documents / "large.txt").write_bytes(b"word " * 1000)
    (home.documents / "ignored").mkdir()
    (home.documents / "ignored" / "more.md").write_text("more")
    (home.documents / ".gitignore").write_text("ignored/\n")
    home.config.write_text("[limits]\nmax_file_bytes = 4000\n")
    said = home.run("add", str(home.documents))
    assert "1 document, 0.0 MB: 1 md." in said
    assert "takes about 5 seconds" in said
    for what, name in (("secrets", "server.pem"), ("cloud", "plan.gdoc"), ("too large", "large.txt")):
        line = next(line for line in said.splitlines() if what in line)
        assert str(home.documents / name) in line
    assert "1 file of kinds that nobody reads" in said
    assert said.index("1 document") < said.index("Watching")


@posix
def test_the_status_follows_what_is_read_and_what_fails(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.run("add", str(home.documents))
    home.run("index", "--once")
    watching = Terminal(home, "status", "--watch")
    plain = subprocess.Popen(
        [*PROGRAM, "status", "--watch"], stdout=subprocess.PIPE, text=True, env=home.environment,
        preexec_fn=heed_interrupts,  # noqa: PLW1509 - see there
    )  # fmt: skip
    assert plain.stdout is not None
    try:
        assert plain.stdout.readline().startswith("All 1 documents are searchable")
        watching.until("All 1 documents are searchable")
        watching.until("embedding")
        watching.until("%")
        (home.documents / "broken.docx").write_bytes(b"PK\x03\x04 not a document")
        home.run("index", "--once", "--embed")
        lines = iter(plain.stdout.readline, "")
        assert str(home.documents / "broken.docx") in next(line for line in lines if line.startswith("damaged: "))
        watching.until("damaged: ")
        watching.until("broken.docx")
        plain.send_signal(signal.SIGINT)
        watching.process.send_signal(signal.SIGINT)
        assert plain.wait(2 * DEADLINE) == 0
        assert watching.end() == 0
    finally:
        for process in (plain, watching.process):
            process.kill()
        plain.stdout.close()


def test_a_bar_is_plain_lines_elsewhere_than_on_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    bar = Bar("reading", "files")
    bar.show(0, 0)
    bar.show(1, 1200, "a.md")
    bar.show(2, 1200, "b.md")
    bar.close()
    Bar("reading", "files", quiet=True).show(1, 2)
    assert capsys.readouterr().err == "reading: 1/1,200 files  a.md\n", "a line at most every few seconds"


@posix
def test_index_draws_a_bar_on_standard_error_only(tmp_path: Path) -> None:
    import pty

    home = Home(tmp_path)
    for number in range(300):
        (home.documents / f"{number}.md").write_text(f"text {number}\n" * 200)
    ours, theirs = pty.openpty()
    command = [*PROGRAM, "--folder", str(home.documents), "index", "--once"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env=home.environment)
    os.close(theirs)
    seen = b""
    while select.select([ours], [], [], 2 * DEADLINE)[0]:
        try:
            seen += os.read(ours, 10_000)
        except OSError:  # closed
            break
    os.close(ours)
    out = process.communicate(timeout=2 * DEADLINE)[0].decode()
    assert process.returncode == 0
    assert "reading" in seen.decode()
    assert "/301 files" in seen.decode()
    assert out.splitlines()[1] == "  indexed: 301"
    assert "\x1b" not in out


@pytest.fixture
def path_with_program(tmp_path: Path) -> str:
    """A PATH on which `docsidecar` is this checkout's."""
    if os.name == "nt":
        pytest.skip("bash and fish are asked on POSIX systems")
    place = tmp_path / "bin"
    place.mkdir()
    program = place / "docsidecar"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m sidecar.cli.main "$@"\n')
    program.chmod(0o755)
    return f"{place}{os.pathsep}{os.environ['PATH']}"


def asked_of(shell: str, script: str, path: str) -> str:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    environment = {**os.environ, "PATH": path}
    done = subprocess.run(
        [shell, "-c", script], capture_output=True, text=True, env=environment, timeout=2 * DEADLINE, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_bash_completes_commands_and_options(tmp_path: Path, path_with_program: str) -> None:
    (tmp_path / "script").write_text(Home(tmp_path).run("completion", "bash"))
    script = f"""
        source "{tmp_path}/script"
        complete_line() {{
            COMP_LINE="$*" COMP_POINT=${{#COMP_LINE}} COMP_TYPE=9 COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
            COMP_POINT=${{#COMP_LINE}}
            _python_argcomplete docsidecar
            printf '%s\\n' "${{COMPREPLY[@]}}"
        }}
        complete -p docsidecar
        complete_line docsidecar sta
        complete_line docsidecar forget --a
        complete_line docsidecar uninstall curs
    """
    first, *offered = asked_of("bash", script, path_with_program).split("\n")
    assert "-F _python_argcomplete docsidecar" in first
    assert [word.strip() for word in offered if word] == ["status", "--all", "cursor"]


def test_fish_completes_commands_and_options(tmp_path: Path, path_with_program: str) -> None:
    (tmp_path / "script").write_text(Home(tmp_path).run("completion", "fish"))
    asked = [f'complete -C "docsidecar {words}"' for words in ("sta", "forget --a", "rend")]
    script = "; ".join([f'source "{tmp_path}/script"', *asked])
    lines = asked_of("fish", script, path_with_program).splitlines()
    assert [line.split("\t")[0] for line in lines] == ["status", "--all", "render"], "a plugin's command too"


@pytest.mark.parametrize("shell", ["zsh", "powershell"])
def test_other_shells_get_a_script_that_asks_the_program(shell: str, tmp_path: Path) -> None:
    said = Home(tmp_path).run("completion", shell)
    assert "docsidecar" in said
    assert "_ARGCOMPLETE" in said
