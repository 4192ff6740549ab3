"""Edits one table of a TOML text and keeps every other character.

Tables stand below headers nearly always: those are found and cut as text, with `tomllib` as the judge of where a
statement ends. tomlkit changes single values and tables in braces; given a whole text it may reorder tables,
and it is imported when it is needed."""

import difflib
import re
import tomllib
from collections.abc import Mapping, MutableMapping, Sequence
from typing import cast

from sidecar.cli.clients.syntax import SyntaxFault, fault_at, value_at

_HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)
_REST = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*(?:#[^\n]*)?\Z")
"""Blank lines and remarks at the end of a text."""


def read(text: str) -> dict[str, object]:
    """The data of the text. Raises SyntaxFault."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        if found := re.search(r"\s*\(at line (\d+), column (\d+)\)$", message):
            raise SyntaxFault(message[: found.start()], int(found[1]), int(found[2])) from error
        reason = re.sub(r"\s*\(at end of document\)$", "", message)
        raise fault_at(text, len(text), reason) from error


def put(text: str, path: Sequence[str], value: object) -> str:
    """The text with that value at that path; a table that is not there yet is appended. Raises SyntaxFault."""
    data = read(text)
    for depth in range(1, len(path)):
        if not isinstance(above := value_at(data, path[:depth]), Mapping) and above is not None:
            raise SyntaxFault(f"{'.'.join(path[:depth])} is not a table", _line_of(text, path[0]), 1)
    if isinstance(value, Mapping) and value_at(data, path) is None:
        if _in_braces(text, path[:-1]):
            return _by_tomlkit(text, path, value)
        newline = "\r\n" if "\r\n" in text else "\n"
        gap = "" if not text.strip() else newline if text.endswith("\n") else newline * 2
        return text + gap + _table(path, cast("Mapping[str, object]", value), newline)
    own = [(start, end) for start, end, exact in _sections(text, path[:-1]) if exact]
    return _in_section(text, *own[0], path[-1], value) if own else _by_tomlkit(text, path, value)


def remove(text: str, path: Sequence[str], *, prune: bool) -> str:
    """The text without the table at that path, which must be there, and those below it; `prune` takes out a table in
    braces above it too if it is empty.

    Raises:
        SyntaxFault: it is not TOML, or cannot be edited."""
    if value_at(read(text), path) is None:
        raise KeyError(".".join(path))
    sections = _sections(text, path)
    if not sections:
        return _by_tomlkit(text, path, None, prune=prune)
    for start, end, _ in reversed(sections):
        rest = _REST.search(text, start, end)
        stop = rest.start() if rest else end  # remarks above the next table are that table's
        blank = re.compile(r"(?:[ \t]*\r?\n)*").match(text, stop, end)
        stop = blank.end() if blank else stop
        before = text[:start]
        if stop == len(text):  # nothing follows: the blank line before it was made with it
            before = re.sub(r"(\A|\n)\r?\n\Z", r"\1", before)
        text = before + text[stop:]
    return text


def _in_braces(text: str, path: Sequence[str]) -> bool:
    import tomlkit
    from tomlkit.items import InlineTable

    return isinstance(value_at(tomlkit.parse(text), path), InlineTable)


def _table(path: Sequence[str], value: Mapping[str, object], newline: str) -> str:
    import tomlkit

    header = ".".join(tomlkit.key(key).as_string() for key in path)
    lines = [f"{tomlkit.key(key).as_string()} = {tomlkit.item(item).as_string()}" for key, item in value.items()]
    return newline.join([f"[{header}]", *lines, ""])


def _sections(text: str, path: Sequence[str]) -> list[tuple[int, int, bool]]:
    """Where the table at that path and those below it stand, from header to header; True for the table itself."""
    names = r"[ \t]*\.[ \t]*".join(f"(?:{re.escape(key)}|\"{re.escape(key)}\"|'{re.escape(key)}')" for key in path)
    header = re.compile(rf"^[ \t]*\[[ \t]*{names}[ \t]*([.\]])", re.MULTILINE)
    found: list[tuple[int, int, bool]] = []
    for match in header.finditer(text):
        if _ends_a_statement(text, match.start()):
            ends = (after.start() for after in _HEADER.finditer(text, match.end()))
            end = next((place for place in ends if _ends_a_statement(text, place)), len(text))
            found.append((match.start(), end, match[1] == "]"))
    return found


def _ends_a_statement(text: str, place: int) -> bool:
    """Whether the line that begins there is in no text or array of several lines."""
    try:
        tomllib.loads(text[:place])
    except tomllib.TOMLDecodeError:
        return False
    return True


def _in_section(text: str, start: int, end: int, key: str, value: object) -> str:
    """The text with a key of the table that stands there set."""
    import tomlkit

    line = re.compile(rf"^[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*=", re.MULTILINE).search(text, start, end)
    if line is None or not _ends_a_statement(text, line.start()):
        place = text.index("\n", start) + 1 if "\n" in text[start:end] else end
        newline = "\r\n" if "\r\n" in text else "\n"
        return text[:place] + f"{key} = {tomlkit.item(value).as_string()}{newline}" + text[place:]
    stop = line.end()
    while stop < end:
        stop = text.find("\n", stop, end) + 1 or end
        if _ends_a_statement(text, stop):
            break
    statement = tomlkit.parse(text[line.start() : stop])
    statement[key] = value
    return text[: line.start()] + statement.as_string() + text[stop:]


def _by_tomlkit(text: str, path: Sequence[str], value: object, *, prune: bool = False) -> str:
    """The whole text edited by tomlkit, None to remove; refused where more than one place came out otherwise."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(text)
        table: MutableMapping[str, object] = document
        for key in path[:-1]:
            table = cast("MutableMapping[str, object]", table[key])
        if value is None:
            del table[path[-1]]
            if prune and len(path) == 2 and not table:
                del document[path[0]]
        elif isinstance(value, Mapping):
            table[path[-1]] = tomlkit.inline_table()
            cast("MutableMapping[str, object]", table[path[-1]]).update(value)
        else:
            table[path[-1]] = value
        edited = document.as_string()
    except (TOMLKitError, KeyError, ValueError) as error:
        raise SyntaxFault(f"it cannot be edited: {error}", _line_of(text, path[0]), 1) from error
    matcher = difflib.SequenceMatcher(None, text.splitlines(True), edited.splitlines(True), autojunk=False)
    if sum(tag != "equal" for tag, *_ in matcher.get_opcodes()) > 1:
        raise SyntaxFault("it is laid out in a way that cannot be edited safely", _line_of(text, path[0]), 1)
    return edited


def _line_of(text: str, key: str) -> int:
    """The line in which a top-level key or a header with it stands first, 1 when it cannot be told."""
    found = re.search(rf"^[ \t\[]*[\"']?{re.escape(key)}\b", text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 1
