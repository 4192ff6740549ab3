"""The sentence of context of a watched folder, for whoever reads what lies in it: `context` in the configuration, else
in `.docsidecar.toml` in the folder itself. The file is anybody's who can write there: what it says is bounded, one
line, and shown as a quotation.
"""

from __future__ import annotations

import asyncio
import os
import stat
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sidecar.config import CONTEXT_CHARS, Folder
from sidecar.toolkit.answers.budget import shorten
from sidecar.workers.opening import open_below

_FILE_NAME = ".docsidecar.toml"
_MAX_BYTES = 4096
_MAX_FOLDERS = 3
"""An answer names the contexts of this many folders, those of most of its entries."""
_FRESH_SECONDS = 5.0
_WAIT_SECONDS = 0.25
"""A folder on a slow network does not hold an answer up; what it says comes with the next one."""


@dataclass(frozen=True)
class _Read:
    """What a folder's file said, and when."""

    context: str
    problem: str
    at: float


class FolderContexts:
    """The contexts of the folders watched just now. `folders` gives those; files are read again after five seconds."""

    def __init__(self, folders: Callable[[], Sequence[Folder]]) -> None:
        self._folders = folders
        self._read: dict[Path, _Read] = {}

    async def of(self, paths: Iterable[str]) -> dict[str, str]:
        """Folder → its context, for the folders that most of these absolute paths lie in."""
        folders = {str(folder.path): folder for folder in self._folders()}
        owners = Counter(filter(None, (_owner(path, folders) for path in paths)))
        named = [owner for owner, _ in owners.most_common()]
        await self._refresh([folders[owner] for owner in named])
        contexts = {owner: self._context(folders[owner]) for owner in named}
        return dict([(owner, context) for owner, context in contexts.items() if context][:_MAX_FOLDERS])

    async def status(self, folder: Folder) -> dict[str, str]:
        """`{context}` of a folder, or `{problem}` where its file cannot be used; {} where there is none."""
        await self._refresh([folder])
        if context := self._context(folder):
            return {"context": context}
        known = self._read.get(folder.path)
        return {"problem": known.problem} if known is not None and known.problem else {}

    def _context(self, folder: Folder) -> str:
        known = self._read.get(folder.path)
        return _one_line(folder.context) or (known.context if known is not None else "")

    async def _refresh(self, folders: Iterable[Folder]) -> None:
        now = time.monotonic()
        stale = [
            folder
            for folder in folders
            if not folder.context
            and ((known := self._read.get(folder.path)) is None or now - known.at > _FRESH_SECONDS)
        ]
        if not stale:
            return
        reading = asyncio.ensure_future(asyncio.to_thread(lambda: [read_context(folder.path) for folder in stale]))

        def keep(done: asyncio.Future[list[tuple[str, str]]]) -> None:
            if not done.cancelled() and done.exception() is None:
                for folder, (context, problem) in zip(stale, done.result(), strict=True):
                    self._read[folder.path] = _Read(context, problem, time.monotonic())

        reading.add_done_callback(keep)
        await asyncio.wait({reading}, timeout=_WAIT_SECONDS)


def read_context(folder: Path) -> tuple[str, str]:
    """What `.docsidecar.toml` in a folder says, and why it cannot be used; ("", "") where there is none."""
    place = folder / _FILE_NAME
    try:
        descriptor = open_below(os.fsencode(folder), os.fsencode(place))
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return "", f'{place} is not a file; put `context = "…"` into a text file of that name.'
            raw = file.read(_MAX_BYTES + 1)
    except FileNotFoundError:
        return "", ""
    except OSError as error:
        return "", f"{place} cannot be read: {error.strerror}."
    if len(raw) > _MAX_BYTES:
        return "", f'{place} is larger than {_MAX_BYTES:,} bytes; it holds one line: context = "…".'
    try:
        found: object = tomllib.loads(raw.decode("utf-8-sig")).get("context", "")
    except (ValueError, RecursionError) as error:  # of its bytes, its syntax, or a number of too many digits
        return "", f"{place} is not valid TOML: {error}."
    if not isinstance(found, str):
        return "", f"{place}: context is to be a text in quotation marks."
    return _one_line(found), ""


def _one_line(text: str) -> str:
    """At most `CONTEXT_CHARS` printable characters without line breaks, invisible ones or quotation marks of ours."""
    visible = "".join(ch if ch.isprintable() else " " for ch in text).replace('"', "'")
    return shorten(" ".join(visible.split()), CONTEXT_CHARS)


def _owner(path: str, folders: Iterable[str]) -> str:
    """The innermost of the folders that the path lies in, "" where it lies in none."""
    place = os.path.join(os.path.normcase(path), "")  # noqa: PTH118 - pathlib took 7 % of a search
    above = [folder for folder in folders if place.startswith(os.path.join(os.path.normcase(folder), ""))]  # noqa: PTH118
    return max(above, key=len, default="")
