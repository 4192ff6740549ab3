"""Printing for people and programs: tables, JSON, and one-sentence complaints on stderr."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Sequence
from typing import Any

import msgspec

NO_FOLDER = "no folder is watched yet; add one with `docsidecar add FOLDER`, or use --folder DIR."


def complain(message: str, code: int) -> int:
    """Say what is wrong on stderr; gives the exit code back."""
    print(f"docsidecar: {message}", file=sys.stderr)
    return code


def asking() -> bool:
    """Whether a person can be asked: who types at a terminal and sees what is said there."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def agreed(question: str, *, default: bool) -> bool:
    """Ask a person yes or no; an empty line means the default, the end of input no."""
    print(f"docsidecar: {question} [{'Y/n' if default else 'y/N'}] ", end="", file=sys.stderr, flush=True)
    answer = sys.stdin.readline()
    return answer.strip().lower() in ("y", "yes") or (default and answer == "\n")


def print_json(value: Any) -> None:
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
    """Print aligned columns; numbers are set right."""
    cells = [[show(str(value)) for value in row] for row in rows]
    widths = [max(len(name), *(len(row[i]) for row in cells)) if cells else len(name) for i, name in enumerate(header)]
    right = [bool(rows) and all(isinstance(row[i], int | float) for row in rows) for i in range(len(header))]
    for line in [list(header), ["-" * width for width in widths], *cells]:
        padded = (
            text.rjust(width) if r else text.ljust(width) for text, width, r in zip(line, widths, right, strict=True)
        )
        print("  ".join(padded).rstrip())
