"""Quills on disk: found, checked, told apart by version and content. Runs in the worker; draws nothing.

A folder of quills holds `NAME/Quill.yaml`, or `NAME/VERSION/Quill.yaml` for several versions of one."""

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import cast

import yaml

from sidecar.toolkit.text import few
from sidecar_render.model import DEFAULT_QUILL

BUILTIN = Path(__file__).parents[1] / "quill"
_FILES = 2000
_NAMED = 12
_CONFIG_BYTES = 1 << 20
_FILE_KEYS = ("file", "dir", "path")
"""Endings of the keys of `Quill.yaml` that name files."""
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_VERSION = re.compile(r"\d+(?:\.\d+){0,2}")


class QuillFault(Exception):
    """A quill cannot be used; the message says why, in one sentence."""


@dataclass(frozen=True)
class FoundQuill:
    """One quill's folder. `name` is the folder's when the configuration cannot be read; then `error` says why."""

    name: str
    version: str
    path: Path
    error: str = ""


def find_quills(folders: Sequence[str]) -> list[FoundQuill]:
    """The built-in quill, then the user's by name and version, broken ones included. Earlier folders win."""
    found = {(DEFAULT_QUILL, "1.0.0"): _builtin()}
    for folder in folders:
        for path in _candidates(Path(folder)):
            quill = _read(path)
            if quill.name == DEFAULT_QUILL:
                error = f"the name {DEFAULT_QUILL} is the built-in quill's; give it another in Quill.yaml."
                quill = FoundQuill(path.name, quill.version, path, error)
            found.setdefault((quill.name, quill.version or str(path)), quill)
    return sorted(found.values(), key=lambda quill: (quill.name != DEFAULT_QUILL, quill.name, _numbers(quill.version)))


@lru_cache(maxsize=1)
def _builtin() -> FoundQuill:
    return _read(BUILTIN)


def resolve_quill(quills: Sequence[FoundQuill], reference: str) -> FoundQuill:
    """The quill a reference names: `name`, `name@latest`, `name@2`, `name@2.1`, `name@2.1.0`; the newest that fits.

    Raises:
        QuillFault: no such quill or version, or it is broken; names what there is."""
    name, _, selector = reference.strip().partition("@")
    same = [quill for quill in quills if quill.name == name]
    if not same:
        names = list(dict.fromkeys(quill.name for quill in quills if not quill.error))
        near = get_close_matches(name[:60].lower(), names, 3, 0.7)
        meant = f" (did you mean {' or '.join(near)}?)" if near else ""
        known = f"there are {few(names, _NAMED)}"
        raise QuillFault(f"There is no quill {name[:60]!r}{meant}; {known}. list_quills tells more.")
    usable = [quill for quill in same if not quill.error]
    if not usable:
        raise QuillFault(f"The quill {name} cannot be used: {same[0].error}")
    selector = selector.strip()
    if selector and selector != "latest":
        wanted = selector.split(".")
        fitting = [quill for quill in usable if quill.version.split(".")[: len(wanted)] == wanted]
        if not fitting:
            versions = ", ".join(quill.version for quill in usable)
            raise QuillFault(f"The quill {name} has no version {selector[:20]}; there is {versions}.")
        usable = fitting
    return max(usable, key=lambda quill: _numbers(quill.version))


def digest_of(path: Path, max_bytes: int) -> str:
    """The SHA-256 of everything in a quill's folder.

    Raises:
        QuillFault: it holds a link, is larger than `max_bytes`, or cannot be read."""
    if path == BUILTIN:
        return _builtin_digest()
    return _digest(path, max_bytes)


@lru_cache(maxsize=1)
def _builtin_digest() -> str:
    return _digest(BUILTIN, 1 << 30)


def _digest(path: Path, max_bytes: int) -> str:
    total = hashlib.sha256()
    size = 0
    try:
        files = sorted(_files(path, path))
        for name, file in files:
            data = file.read_bytes()
            size += len(data)
            if size > max_bytes:
                raise QuillFault(f"The quill {path.name} holds more than {max_bytes / 2**20:,.0f} MB; make it smaller.")
            total.update(f"{len(name)}:{name}:{len(data)}:".encode("utf-8", "surrogateescape") + data)
    except OSError as error:
        raise QuillFault(f"The quill {path.name} cannot be read: {error.strerror or error}.") from error
    return total.hexdigest()


def _files(folder: Path, root: Path) -> list[tuple[str, Path]]:
    found: list[tuple[str, Path]] = []
    waiting = [folder]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                name = os.path.relpath(entry.path, root).replace(os.sep, "/")
                if entry.is_symlink():
                    raise QuillFault(f"The quill {root.name} holds a link, {name}; put the file itself there.")
                if entry.is_dir():
                    waiting.append(Path(entry.path))
                elif not entry.is_file():
                    raise QuillFault(f"The quill {root.name} holds {name}, which is not a regular file; remove it.")
                else:
                    found.append((name, Path(entry.path)))
                if len(found) > _FILES:
                    raise QuillFault(f"The quill {root.name} holds more than {_FILES:,} files; make it smaller.")
    return found


def _candidates(folder: Path) -> list[Path]:
    found: list[Path] = []
    for path in _folders(folder):
        if (path / "Quill.yaml").exists():
            found.append(path)
        else:
            found += [below for below in _folders(path) if (below / "Quill.yaml").exists()]
    return found


def _folders(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))[:500]
    except OSError:
        return []


def _read(path: Path) -> FoundQuill:
    file = path / "Quill.yaml"
    try:
        if file.stat().st_size > _CONFIG_BYTES:
            return FoundQuill(path.name, "", path, "its Quill.yaml is larger than 1 MB.")
        values = _values(file)
    except OSError as error:
        return FoundQuill(path.name, "", path, f"its Quill.yaml cannot be read: {error.strerror or error}.")
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        reason = str(getattr(error, "problem", "") or error).partition("\n")[0]
        mark = getattr(error, "problem_mark", None)
        place = f" in line {mark.line + 1}" if mark is not None else ""
        return FoundQuill(path.name, "", path, f"its Quill.yaml is not YAML{place}: {reason}.")
    about = values.get("quill")
    if about is None:
        return FoundQuill(path.name, "", path, "its Quill.yaml has no `quill:` section.")
    name, version = (about.get(key, "") for key in ("name", "version"))
    if not _NAME.fullmatch(name) or not _VERSION.fullmatch(version):
        return FoundQuill(path.name, "", path, "its Quill.yaml needs quill.name in snake_case and quill.version 1.0.0.")
    outside = _named_outside(values)
    if outside:
        return FoundQuill(name, version, path, f"its Quill.yaml names a file outside the quill, {outside}.")
    return FoundQuill(name, version, path)


def plate_of(quill: Path) -> str:
    """The path of the quill's plate, below its folder. Raises QuillFault, OSError."""
    name = _values(quill / "Quill.yaml").get("typst", {}).get("plate_file", "") or "plate.typ"
    if _is_outside(name):
        raise QuillFault(f"The quill {quill.name} names a file outside it, typst.plate_file: {name[:80]}.")
    return name


def _values(file: Path) -> dict[str, dict[str, str]]:
    """The sections of a `Quill.yaml`, with those of their entries that are text. Raises OSError, yaml.YAMLError,
    UnicodeDecodeError, RecursionError."""
    read: object = yaml.load(file.read_text("utf-8"), Loader=yaml.BaseLoader)  # noqa: S506 - text, lists, dicts only
    sections: dict[object, object] = cast("dict[object, object]", read) if isinstance(read, dict) else {}
    return {
        str(name): {
            str(key): value for key, value in cast("dict[object, object]", section).items() if isinstance(value, str)
        }
        for name, section in sections.items()
        if isinstance(section, dict)
    }


def _named_outside(values: Mapping[str, Mapping[str, str]]) -> str:
    """The first entry that names a file which does not lie in the quill, as "typst.plate_file: /x"; "" for none."""
    for name, section in values.items():
        for key, value in section.items():
            if key.endswith(_FILE_KEYS) and _is_outside(value):
                return f"{name}.{key}: {value[:80]}"
    return ""


def _is_outside(name: str) -> bool:
    """Whether a path leads out of the folder it is named in, on any system."""
    return any(path.anchor or ".." in path.parts for path in (PurePosixPath(name), PureWindowsPath(name)))


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(piece) for piece in version.split(".") if piece.isdigit())
