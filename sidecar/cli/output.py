"""Printing for people and programs: tables, JSON, and one-sentence complaints on stderr."""

import argparse
import json
import os
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import msgspec

NO_FOLDER = "no folder is watched yet; add one with `docsidecar add FOLDER`, or use --folder DIR."

_COMMANDS = {
    "list_documents": "`docsidecar list`", "get_outline": "`docsidecar outline`", "find_document": "`docsidecar list`",
    "get_library_status": "`docsidecar status`", "search_documents": "`docsidecar search`",
}  # fmt: skip
"""What the tools that a sentence names are called on the command line."""
_TOOL = re.compile(rf"(?<!\")\b({'|'.join(_COMMANDS)})\b(?!\")")
"""In quotation marks it is what a setting is to say."""
_MIN_COLUMN = 8
"""No column of a table is cut below this many characters for a narrow terminal."""


class Commands(Protocol):
    """What commands are added to: argparse has no public type for it. `parents` are parsers of its own class."""

    def add_parser(
        self, name: str, *, parents: Iterable[Any] = ..., help: str | None = ...,  # noqa: A002 - its word
        description: str | None = ..., epilog: str | None = ...,
        formatter_class: type[argparse.HelpFormatter] = ...,
    ) -> argparse.ArgumentParser:  # fmt: skip
        """The parser of a command, which is added to theirs."""
        ...


def print_error(message: str, code: int) -> int:
    """Say what is wrong on stderr; gives the exit code back."""
    print(f"docsidecar: {_TOOL.sub(lambda tool: _COMMANDS[tool[1]], message)}", file=sys.stderr)
    return code


def is_interactive() -> bool:
    """Whether a person can be asked: who types at a terminal and sees what is said there."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def confirm(question: str, *, default: bool) -> bool:
    """Ask a person yes or no; an empty line means the default, the end of input no."""
    print(f"docsidecar: {question} [{'Y/n' if default else 'y/N'}] ", end="", file=sys.stderr, flush=True)
    answer = sys.stdin.readline()
    return answer.strip().lower() in ("y", "yes") or (default and answer == "\n")


def print_json(value: object) -> None:
    """Print plain data, dataclasses and structs as indented JSON on stdout."""
    print(json.dumps(msgspec.to_builtins(value), indent=2, ensure_ascii=False))


def show(text: str) -> str:
    """A name fit for a terminal: control characters and undecodable bytes are shown escaped."""
    text = text.replace("\u00a0", " ")
    return "".join(ch if ch.isprintable() else ch.encode("unicode_escape", "surrogatepass").decode() for ch in text)


def emphasised(text: str) -> str:
    """What `**` marks in bold, where standard output is a terminal that may show it (https://no-color.org)."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    return re.sub(r"\*\*(.+?)\*\*", "\033[1m\\1\033[22m", text)


def print_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print aligned columns; numbers are set right. On a terminal that is too narrow texts are cut, the longest first,
    of paths the beginning, and never what stands first, which is what one names a row by."""
    cells = [[show(str(value)) for value in row] for row in rows]
    widths = [max(len(name), *(len(row[i]) for row in cells)) if cells else len(name) for i, name in enumerate(header)]
    if sys.stdout.isatty():
        widths = _fitting(widths, shutil.get_terminal_size().columns)
    right = [bool(rows) and all(isinstance(row[i], int | float) for row in rows) for i in range(len(header))]
    for line in [list(header), ["-" * width for width in widths], *cells]:
        shown = [_cut(text, width) for text, width in zip(line, widths, strict=True)]
        padded = (
            text.rjust(width) if r else text.ljust(width) for text, width, r in zip(shown, widths, right, strict=True)
        )
        print("  ".join(padded).rstrip())


def _fitting(widths: Sequence[int], columns: int) -> list[int]:
    """The widths of a table's columns within `columns` of the terminal, as far as the longest can be made shorter."""
    first, *made = widths
    while first + sum(made) + 2 * len(made) > columns and max(made, default=0) > _MIN_COLUMN:
        made[made.index(max(made))] -= 1
    return [first, *made]


def _cut(text: str, width: int) -> str:
    if len(text) <= width:
        return text
    return f"…{text[1 - width :]}" if "/" in text or "\\" in text else f"{text[: width - 1]}…"
