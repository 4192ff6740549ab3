"""Our entry in a client's file: read, put in or brought up to date, and taken out again; nothing else is touched."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from sidecar.cli.clients import jsonc, toml
from sidecar.cli.clients.files import Backups, ClientFileError, FileText, decode, read_bytes, replace
from sidecar.cli.clients.syntax import Syntax, SyntaxFault, value_at
from sidecar.cli.clients.table import Assistant

_SYNTAXES: Mapping[str, Syntax] = {"jsonc": jsonc, "toml": toml}
NAME = "docsidecar"
"""What our entry is called in every client."""


@dataclass(frozen=True)
class EntryChange:
    """What a file is and what it is to be; None is not a file."""

    file: Path
    before: bytes | None
    after: bytes | None

    @property
    def needed(self) -> bool:
        """Whether the two differ."""
        return self.before != self.after

    def diff(self) -> str:
        """The change as a unified diff."""
        old, new = (decode(content or b"").text.splitlines() for content in (self.before, self.after))
        return "\n".join(difflib.unified_diff(old, new, str(self.file), str(self.file), n=1, lineterm=""))

    def carry_out(self, backups: Backups) -> Path | None:
        """Write it; gives where the file as it was is kept, None where there was none. Raises ClientFileError."""
        kept = backups.save(self.file, self.before) if self.before is not None else None
        replace(self.file, self.before, self.after)
        return kept


def entry_in(client: Assistant, file: Path) -> dict[str, object] | None:
    """Our entry as it stands in the file, None where it does not. Raises ClientFileError."""
    content = read_bytes(file)
    if content is None:
        return None
    try:
        data = _syntax(client).read(decode(content).text)
    except SyntaxFault as fault:
        raise _refusal(file, fault) from fault
    found = value_at(data, _path(client, data))
    return cast("dict[str, object]", found) if isinstance(found, dict) else None


def installed(client: Assistant, file: Path, command: tuple[str, ...]) -> EntryChange:
    """The file with our entry starting that command: a new one as a whole, of one that is there only the command and
    its arguments, so that what the user added stays. Raises ClientFileError."""
    before = read_bytes(file)
    try:
        text = decode(before or b"")
        return EntryChange(file, before, FileText(_with_entry(client, text.text, command), text.mark).encoded())
    except SyntaxFault as fault:
        raise _refusal(file, fault, " Mend it and try again, or paste what --print shows.") from fault
    except UnicodeEncodeError as error:
        raise ClientFileError(f"a path in {command} is not valid Unicode and cannot stand in {file}.") from error


def uninstalled(client: Assistant, file: Path, backups: Backups) -> EntryChange:
    """The file without our entry: as it was before, to the byte, where nothing else changed since; a file that we made
    is not a file again. Raises ClientFileError."""
    before = read_bytes(file)
    entry = entry_in(client, file)
    if before is None or entry is None:
        return EntryChange(file, before, before)
    syntax = _syntax(client)
    try:
        text = decode(before)
        command = client.starts(entry)
        earlier = [kept for kept in (_decoded(content) for content in backups.of(file)) if kept is not None]
        clean = [kept for kept in earlier if _at_ours(client, kept.text) is None]
        for kept in clean:
            if FileText(_with_entry(client, kept.text, command), kept.mark) == text:
                return EntryChange(file, before, kept.encoded())
        if not clean and _with_entry(client, "", command) == text.text:
            return EntryChange(file, before, None)
        path = _path(client, syntax.read(text.text))
        prune = bool(clean) and value_at(syntax.read(clean[0].text), path[:-1]) is None
        return EntryChange(file, before, FileText(syntax.remove(text.text, path, prune=prune), text.mark).encoded())
    except SyntaxFault as fault:
        raise _refusal(file, fault) from fault


def snippet(client: Assistant, command: tuple[str, ...]) -> str:
    """What a user would paste into an empty file."""
    return _with_entry(client, "", command).rstrip("\n")


def _with_entry(client: Assistant, text: str, command: tuple[str, ...]) -> str:
    syntax = _syntax(client)
    data = syntax.read(text)
    path = _path(client, data)
    entry = client.entry(command[0], command[1:]) if command else {}
    present = value_at(data, path)
    if not isinstance(present, dict):
        edited = syntax.put(text, path, {**client.fixed, **entry})
        wanted: dict[str, object] = {**client.fixed, **entry}
    else:
        edited, wanted = text, {**cast("dict[str, object]", present), **entry}
        for key, value in entry.items():
            if wanted.get(key) != cast("dict[str, object]", present).get(key):
                edited = syntax.put(edited, (*path, key), value)
    # What was written is read again: an edit that would say anything else is none.
    if value_at(syntax.read(edited), path) != wanted or _without(syntax.read(edited), path) != _without(data, path):
        raise SyntaxFault("it is laid out in a way that cannot be edited safely", 1, 1)
    return edited


def _without(data: Mapping[str, object], path: tuple[str, ...]) -> dict[str, object]:
    """The data without what is at the path and the empty objects above it."""
    key, rest = path[0], path[1:]
    others = {name: value for name, value in data.items() if name != key}
    inner = data.get(key)
    if rest and isinstance(inner, dict) and (below := _without(cast("dict[str, object]", inner), rest)):
        others[key] = below
    return others


def _path(client: Assistant, data: Mapping[str, object]) -> tuple[str, ...]:
    """Where our entry stands. opencode 2 may keep servers one level deeper, in `mcp.servers`."""
    servers = value_at(data, (*client.key, "servers"))
    if client.joined and isinstance(servers, dict) and "type" not in servers:
        return (*client.key, "servers", NAME)
    return (*client.key, NAME)


def _at_ours(client: Assistant, text: str) -> object:
    data = _syntax(client).read(text)
    return value_at(data, _path(client, data))


def _decoded(content: bytes) -> FileText | None:
    try:
        return decode(content)
    except SyntaxFault:
        return None


def _syntax(client: Assistant) -> Syntax:
    return _SYNTAXES[client.syntax]


def _refusal(file: Path, fault: SyntaxFault, remedy: str = "") -> ClientFileError:
    return ClientFileError(
        f"{file}:{fault.line}:{fault.column}: {fault} (line {fault.line}, column {fault.column}); the file is left as "
        f"it is.{remedy}"
    )
