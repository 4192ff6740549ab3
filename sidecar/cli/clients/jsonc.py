"""Edits one value of a JSON text and keeps every other character: comments, trailing commas, indentation, line ends.

Reads JSON (RFC 8259) with `//` and `/* */` comments and trailing commas, as VS Code, Zed and opencode write it."""

import contextlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from sidecar.cli.clients.syntax import SyntaxFault, fault_at

_TOKEN = re.compile(
    r"""(?P<gap>(?:[ \t\r\n]++|//[^\r\n]*|/\*.*?\*/)+)
    |(?P<string>"(?:[^"\\\x00-\x1f]|\\.)*")
    |(?P<scalar>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.])|(?:true|false|null)(?!\w))
    |(?P<mark>[{}\[\],:])""",
    re.VERBOSE | re.DOTALL,
)
_SAME_LINE = re.compile(r"(?:[ \t]*(?:/\*[^\r\n]*?\*/|//[^\r\n]*))+")
_MAX_DEPTH = 200  # levels of nesting; settings have about ten, and Python's stack bounds recursion


@dataclass(frozen=True)
class _Node:
    """A value and where it stands; `members` is None for all but objects."""

    start: int
    end: int
    value: object
    members: "tuple[_Member, ...] | None" = None


@dataclass(frozen=True)
class _Member:
    """One member of an object. `comma` is the place of the comma behind it, if there is one."""

    key: str
    start: int
    node: _Node
    comma: int | None


def read(text: str) -> dict[str, object]:
    """The data of the text; nothing but blanks and comments is an empty object.

    Raises:
        SyntaxFault: it is not JSON, or not an object."""
    with contextlib.suppress(ValueError, RecursionError):  # most files are plain JSON, and some have many megabytes
        data = json.loads(text)
        if isinstance(data, dict):
            return cast("dict[str, object]", data)
    root = _parse(text)
    return {} if root is None else cast("dict[str, object]", root.value)


def put(text: str, path: Sequence[str], value: object) -> str:
    """The text with that value at that path; objects on the way are made. Raises SyntaxFault."""
    root = _parse(text)
    if root is None:
        lead = text.rstrip() + _newline(text) if text.strip() else ""
        return lead + _render(_nested(path, value), "  ", "", _newline(text)) + _newline(text)
    style = _JsonStyle(text, root)
    node = root
    for depth, key in enumerate(path):
        if node.members is None:
            raise fault_at(text, node.start, f"{'.'.join(path[:depth])} is not an object")
        member = _member(text, node, key)
        if member is None:
            return style.insert(node, key, _nested(path[depth + 1 :], value))
        node = member.node
    return text[: node.start] + style.render(value, node.start) + text[node.end :]


def remove(text: str, path: Sequence[str], *, prune: bool) -> str:
    """The text without what is at that path, which must be there; `prune` takes out its object too if it is empty.

    Raises:
        SyntaxFault: it is not JSON."""
    root = _parse(text)
    node = root
    chain: list[tuple[_Node, _Member]] = []
    for key in path:
        member = _member(text, node, key) if node is not None else None
        if node is None or member is None:
            raise KeyError(".".join(path))
        chain.append((node, member))
        node = member.node
    while prune and len(chain) > 1 and len(chain[-1][0].members or ()) == 1:
        chain.pop()
    return _without(text, *chain[-1])


def _without(text: str, node: _Node, member: _Member) -> str:
    members = node.members or ()
    index = members.index(member)
    line = text.rfind("\n", 0, member.start)
    own_line = not text[line + 1 : member.start].strip(" \t") and line > node.start
    start = line - (text[line - 1] == "\r") if own_line else member.start
    end = member.node.end if member.comma is None else member.comma + 1
    if len(members) == 1:
        inside = text[node.start + 1 : start] + text[end : node.end - 1]
        return text[: node.start + 1] + (inside if inside.strip() else "") + text[node.end - 1 :]
    if member.comma is not None:
        if not own_line:
            end += len(text[end:]) - len(text[end:].lstrip(" \t"))
        return text[:start] + text[end:]
    comma = members[index - 1].comma or start
    if not own_line:
        start = comma + 1
    return text[:comma] + text[comma + 1 : start] + text[end:]


class _JsonStyle:
    """How a text is laid out, and new members laid out alike."""

    def __init__(self, text: str, root: _Node) -> None:
        self._text = text
        self._newline = _newline(text)
        self._flat = "\n" not in text.strip() and bool(root.members)
        first = root.members[0].start if root.members else 0
        self._unit = self._indent(first) or "  "

    def _indent(self, place: int) -> str:
        """The blanks its line begins with."""
        line = self._text.rfind("\n", 0, place) + 1
        return re.match(r"[ \t]*", self._text[line:place])[0]  # pyright: ignore[reportOptionalSubscript] - matches ""

    def render(self, value: object, place: int) -> str:
        """The value as it is written at that place."""
        return self._compact(value) if self._flat else _render(value, self._unit, self._indent(place), self._newline)

    def _compact(self, value: object) -> str:
        tight = not re.search(r'"\s*:[ \t]', self._text)
        return json.dumps(value, ensure_ascii=False, separators=(",", ":") if tight else None)

    def insert(self, node: _Node, key: str, value: object) -> str:
        """The text with a new last member in that object."""
        text, members = self._text, node.members or ()
        last = members[-1] if members else None
        if self._flat or (last is not None and "\n" not in text[node.start : last.start]):
            return self._insert_flat(node, last, key, value)
        base = self._indent(node.start)
        indent = self._indent(last.start) if last is not None else base + self._unit
        rendered = _render(value, self._unit, indent, self._newline)
        added = f"{self._newline}{indent}{json.dumps(key, ensure_ascii=False)}: {rendered}"
        if last is None:
            place = node.start + 1 + len(text[node.start + 1 : node.end - 1].rstrip())
            rest = text[place : node.end - 1]
            closing = rest if "\n" in rest else self._newline + base
            return text[:place] + added + closing + text[node.end - 1 :]
        behind = last.node.end if last.comma is None else last.comma + 1
        remark = _SAME_LINE.match(text, behind)
        place = remark.end() if remark else behind
        comma = "," if last.comma is None else ""
        return text[:behind] + comma + text[behind:place] + added + ("" if comma else ",") + text[place:]

    def _insert_flat(self, node: _Node, last: _Member | None, key: str, value: object) -> str:
        text = self._text
        added = self._compact({key: value})[1:-1]
        if last is None:
            return text[: node.start + 1] + added + text[node.end - 1 :]
        space = "" if self._compact([0, 0]) == "[0,0]" else " "
        if last.comma is not None:
            return text[: last.comma + 1] + space + added + "," + text[last.comma + 1 :]
        return text[: last.node.end] + "," + space + added + text[last.node.end :]


def _render(value: object, unit: str, indent: str, newline: str) -> str:
    return json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", newline + indent)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _nested(path: Sequence[str], value: object) -> object:
    for key in reversed(path):
        value = {key: value}
    return value


def _member(text: str, node: _Node, key: str) -> _Member | None:
    found = [member for member in node.members or () if member.key == key]
    if len(found) > 1:
        raise fault_at(text, found[1].start, f"{json.dumps(key)} stands here a second time")
    return found[0] if found else None


def _parse(text: str) -> _Node | None:
    return _JsoncParser(text).document()


class _JsoncParser:
    """Recursive descent over tokens; positions are offsets into the text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._next()  # sets the first token

    _kind = ""
    _start = _end = 0

    def _next(self) -> None:
        self._start = self._end
        while True:
            found = _TOKEN.match(self._text, self._start)
            if found is None:
                self._kind = "end" if self._start == len(self._text) else "bad"
                self._end = self._start
                return
            self._end = found.end()
            self._kind = str(found.lastgroup)
            if self._is("mark"):
                self._kind = found[0]
            if not self._is("gap"):
                return
            self._start = self._end

    def _is(self, *kinds: str) -> bool:
        return self._kind in kinds

    def _fault(self, expected: str) -> SyntaxFault:
        found = self._text[self._start : self._start + 1]
        reason = "the text ends" if not found else f"there is {found!r}"
        if self._text.startswith("/*", self._start):
            reason = "a comment is not closed"
        elif found == '"' and self._is("bad"):
            reason = "a string is not closed"
        return fault_at(self._text, self._start, f"expected {expected}, but {reason}")

    def document(self) -> _Node | None:
        if self._is("end"):
            return None
        if not self._is("{"):
            raise self._fault("an object, { … }")
        node = self._value(0)
        if not self._is("end"):
            raise self._fault("the end of the file")
        return node

    def _value(self, depth: int) -> _Node:
        if depth > _MAX_DEPTH:
            raise fault_at(self._text, self._start, f"it is nested more than {_MAX_DEPTH} levels deep")
        if self._is("{"):
            return self._object(depth)
        if self._is("["):
            return self._array(depth)
        if not self._is("string", "scalar"):
            raise self._fault("a value")
        start, end = self._start, self._end
        value = self._scalar()
        return _Node(start, end, value)

    def _scalar(self) -> object:
        try:
            value = json.loads(self._text[self._start : self._end])
        except json.JSONDecodeError as error:
            raise fault_at(self._text, self._start + error.pos, error.msg) from error
        self._next()
        return value

    def _object(self, depth: int) -> _Node:
        start = self._start
        members: list[_Member] = []
        self._next()
        while not self._is("}"):
            if not self._is("string"):
                raise self._fault('a name in double quotes or "}"')
            key_start = self._start
            key = str(self._scalar())
            if not self._is(":"):
                raise self._fault('":"')
            self._next()
            node = self._value(depth + 1)
            members.append(_Member(key, key_start, node, self._comma("}")))
        end = self._end
        self._next()
        return _Node(start, end, {member.key: member.node.value for member in members}, tuple(members))

    def _array(self, depth: int) -> _Node:
        start = self._start
        items: list[object] = []
        self._next()
        while not self._is("]"):
            items.append(self._value(depth + 1).value)
            self._comma("]")
        end = self._end
        self._next()
        return _Node(start, end, items)

    def _comma(self, closing: str) -> int | None:
        if self._is(","):
            place = self._start
            self._next()
            return place
        if not self._is(closing):
            raise self._fault(f'"," or "{closing}"')
        return None
