"""Writes the configuration file: commented on the first `add`, then edited as text so that comments survive."""

import json
import os
import re
import tempfile
import tomllib
from collections.abc import MutableSequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from sidecar.api import ConfigError, UsageError

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

TEMPLATE = """\
# DocSidecar configuration. Changes take effect at once in running sidecars; `docsidecar config check` verifies them.

# One [[folders]] table for each folder to watch. `include` and `exclude` take patterns as in .gitignore:
#   include = ["*.docx", "reports/"]     only these
#   exclude = ["drafts/", "*.tmp.docx"]  all but these
#   recursive = false                    not the folders inside
#   secrets = true                       private keys, credentials, .env files … too
#   context = "Signed contracts"         a sentence on what lies there, for results and lists

# [index]
# workers = 0              # worker processes; 0 means one a core
# settle_seconds = 0.3     # a file must rest this long before it is read
# rescan_seconds = 300     # a full scan repairs what a watch missed
# retention_versions = 3   # how many old versions of a document stay readable
# hidden = false           # index hidden files and folders too
# follow_symlinks = false  # follow links inside the folder (links that leave it are never followed)
# gitignore = true         # respect .gitignore (.docsidecarignore is always respected)

# [limits]
# max_file_bytes = 536870912
# max_seconds = 120        # longest time one file may take
# max_memory_bytes = 2147483648
# ocr = true               # read the words of scans and pictures

# [server]
# tools = ["all"]          # or names of tools, or a set: "minimal", "reading", "library"
# budget_tokens = 8000     # no answer of a tool costs more

# [plugins]
# disabled = []            # names as `docsidecar plugins` lists them

# [log]
# level = "info"
"""


def add_folder(file: Path, folder: Path) -> bool:
    """Append a folder to the configuration file, making the file if need be; False when it is there already.

    Raises:
        UsageError: the folder does not exist or is not a folder.
        ConfigError: the file cannot be read or written, or is broken."""
    path = Path(os.path.normpath(folder.expanduser().absolute()))
    if not os.path.exists(path):  # noqa: PTH110 - pathlib's raises where a mount is broken, or a name too long
        raise UsageError(f"the folder {path} does not exist; check the spelling.")
    if not os.path.isdir(path):  # noqa: PTH112
        raise UsageError(f"{path} is a file; name the folder it lies in.")
    text = _read(file)
    if any(_same(entry, path, file) for entry in _entries(text, file)):
        return False
    text, quoted = text or TEMPLATE, _quote(str(path))
    document, listed = _list_of_folders(text)
    if listed is None:
        _write(file, f"{text.rstrip()}\n\n[[folders]]\npath = {quoted}\n")
    else:
        listed.append(str(path))
        _write(file, document.as_string())
    return True


def remove_folder(file: Path, folder: Path) -> bool:
    """Take a folder's table out of the configuration file; False when it is not there. Raises ConfigError."""
    path = Path(os.path.normpath(folder.expanduser().absolute()))
    text = _read(file)
    for number, entry in enumerate(_entries(text, file)):
        if _same(entry, path, file):
            document, listed = _list_of_folders(text)
            if listed is None:
                _write(file, _without(text, number))
            else:
                del listed[number]
                _write(file, document.as_string())
            return True
    return False


def _list_of_folders(text: str) -> "tuple[TOMLDocument, MutableSequence[object] | None]":
    """Valid TOML, and in it the list of what `folders = …` names, one path made one too; None where tables or nothing
    name the folders, whose remarks tomlkit would not keep."""
    import tomlkit
    from tomlkit.items import AoT

    document = tomlkit.parse(text)
    folders: object = document.get("folders")
    if folders is None or isinstance(folders, AoT):
        return document, None
    if not isinstance(folders, list):
        document["folders"] = [folders]
    return document, cast("MutableSequence[object]", document["folders"])


def _without(text: str, number: int) -> str:
    """The text without its n-th `[[folders]]` table: from its header to the next header or comment block."""
    lines = text.splitlines(keepends=True)
    headers = [i for i, line in enumerate(lines) if re.match(r"\s*\[\[\s*folders\s*\]\]", line)]
    start = headers[number]
    end = next((i for i in range(start + 1, len(lines)) if re.match(r"\s*(\[|#)", lines[i])), len(lines))
    return "".join(lines[:start] + lines[end:]).rstrip() + "\n"


def _entries(text: str, file: Path) -> list[str]:
    try:
        document: dict[str, object] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = f"it is not valid TOML, so it is left untouched: {error}; mend it, then try again."
        raise ConfigError(message, file=str(file)) from error
    listed: object = document.get("folders", [])
    folders = cast("list[object]", listed) if isinstance(listed, list) else [listed]
    return [
        str(cast("dict[str, object]", item).get("path", "")) if isinstance(item, dict) else str(item)
        for item in folders
    ]


def _same(entry: str, path: Path, file: Path) -> bool:
    named = Path(os.path.normpath(file.parent / Path(os.path.expandvars(entry)).expanduser()))
    return os.path.normcase(named) == os.path.normcase(path)


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"it cannot be read: {error}.", file=str(file)) from error


def _write(file: Path, text: str) -> None:
    """Replace the file in one step: a running sidecar never sees half of it."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=file.name, suffix=".new")
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        Path(name).replace(file)
    except OSError as error:
        raise ConfigError(f"it cannot be written: {error.strerror}.", file=str(file)) from error


def _quote(text: str) -> str:
    # A JSON string is a valid TOML basic string, except that TOML knows no surrogates.
    if any("\ud800" <= ch <= "\udfff" for ch in text):
        raise UsageError(
            f"the folder name {text!r} is not valid Unicode and cannot stand in a configuration file; use --folder."
        )
    return json.dumps(text, ensure_ascii=False)
