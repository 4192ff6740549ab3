"""Writes out the entities of a document type in the text of a document: what the file itself declares, characters by
the names that HTML and the ISO sets of DocBook share, and of any other, which a file elsewhere declares, the name.

XML 1.0 §4.4; the parser is told to expand none, since a few short ones can make gigabytes."""

import re
from html.entities import html5
from typing import Final

_ELEMENT: Final = re.compile(rb"<[A-Za-z_]")
_SUBSET_END: Final = re.compile(rb"\]\s*>")
_DECLARED: Final = re.compile(rb"<!ENTITY\s+([A-Za-z_][\w.:-]*)\s+(?:\"([^\"]*)\"|'([^']*)')\s*>")
_COMMENT: Final = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_REFERENCE: Final = re.compile(rb"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|&([A-Za-z_][\w.:-]*);", re.DOTALL)
_OWN: Final = frozenset((b"amp", b"lt", b"gt", b"quot", b"apos"))
"""What every parser knows (XML 1.0 §4.6)."""
_MAX_DEPTH: Final = 8
"""Entities in one another."""
_MAX_ENTITY_BYTES: Final = 20_000
"""Bytes that one may become; a longer one stays a name."""
_MAX_BYTES: Final = 8 * 2**20
"""Bytes that all of them together may add to a file."""


class _Entities:
    def __init__(self, subset: bytes) -> None:
        found = _DECLARED.findall(_COMMENT.sub(b"", subset))
        self._declared: dict[bytes, bytes] = {}
        for name, double, single in found:
            self._declared.setdefault(name, double or single)  # the first declaration holds (§4.2)
        self._known: dict[bytes, bytes] = {}
        self._room = _MAX_BYTES

    def replaced(self, found: re.Match[bytes]) -> bytes:
        """A reference's text, within the room that is left."""
        name = found[1]
        if name is None or name in _OWN:
            return found[0]
        text = self._text(name, 0)
        if len(text) > self._room:
            return name
        self._room -= len(text)
        return text

    def _text(self, name: bytes, depth: int) -> bytes:
        if name in self._known:
            return self._known[name]
        value = self._declared.get(name)
        if value is None:
            characters = html5.get(f"{name.decode('ascii', 'replace')};", "")
            text = "".join(f"&#{ord(one)};" for one in characters).encode() or name
        elif depth >= _MAX_DEPTH:
            return name
        else:
            text = self._expanded(value, depth + 1)
            text = text if len(text) <= _MAX_ENTITY_BYTES else name
        self._known[name] = text
        return text

    def _expanded(self, value: bytes, depth: int) -> bytes:
        pieces: list[bytes] = []
        size, at = 0, 0
        for found in _REFERENCE.finditer(value):
            name = found[1]
            made = found[0] if name is None or name in _OWN else self._text(name, depth)
            pieces += (value[at : found.start()], made)
            size += len(pieces[-2]) + len(made)
            at = found.end()
            if size > _MAX_ENTITY_BYTES:
                break
        return b"".join((*pieces, value[at:]))


def write_out(data: bytes) -> bytes:
    """The file without references to entities but XML's own five. Its encoding has to be one that ASCII is part of."""
    start, end = _internal_subset(data)
    if data.find(b"&", end) < 0:
        return data
    return data[:end] + _REFERENCE.sub(_Entities(data[start:end]).replaced, data[end:])


def _internal_subset(data: bytes) -> tuple[int, int]:
    """Where the declarations of a file's own document type begin and end; (0, 0) for none. It stands before the root
    element: what looks like one further on is text."""
    root = _ELEMENT.search(data)
    head = data[: root.start()] if root else b""
    declared = head.find(b"<!DOCTYPE")
    opened = data.find(b"[", declared)
    if declared < 0 or opened < 0 or 0 <= data.find(b">", declared) < opened:
        return 0, 0
    closed = _SUBSET_END.search(data, opened)
    return (opened + 1, closed.end()) if closed else (0, 0)
