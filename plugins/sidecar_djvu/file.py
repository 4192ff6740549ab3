"""A DjVu file: its chunks, the pages it holds, its outline (DjVu 3 specification, chapter 8)."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from sidecar.api import DamagedError, UnsupportedError
from sidecar_djvu.bzz import unpack_bzz

_MAGIC = b"AT&T"
_MAX_CHUNK = 16 * 2**20
"""Bytes of one unpacked chunk: a page of text holds thousands."""
_MAX_BOOKMARKS = 20_000
_MAX_DEPTH = 32
_PAGE = 1
"""Kind of a component file."""
_USUAL_DPI = 300


class Chunk(NamedTuple):
    """One chunk: its name, and where its content lies."""

    kind: bytes
    start: int
    end: int


class _Bookmark(NamedTuple):
    """An entry of the outline; `level` 1 is the highest."""

    title: str
    target: str
    level: int


@dataclass
class Component:
    """A file within the document: a page, or what pages share."""

    name: str = ""
    is_page: bool = True
    chunks: list[Chunk] = field(default_factory=list[Chunk])


class DjvuFile:
    """The components of a document in their order, and its outline. Raises FormatError."""

    def __init__(self, data: bytes, name: str) -> None:
        self.data = data
        self._name = name
        if not data.startswith(_MAGIC):
            raise DamagedError(f"{name} is not a DjVu document.")
        whole = next(self._chunks(len(_MAGIC), len(data)), None)
        if whole is None or whole.kind != b"FORM" or whole.end - whole.start < 4:
            raise DamagedError(f"{name} is a damaged DjVu document: it ends within its header.")
        kind = data[whole.start : whole.start + 4]
        inner = [*self._chunks(whole.start + 4, whole.end)]
        self.bookmarks: list[_Bookmark] = []
        if kind in (b"DJVU", b"BM44", b"PM44"):
            self.components = [Component(chunks=inner)]
        elif kind == b"DJVM":
            self.components = self._listed(inner)
            outline = next((chunk for chunk in inner if chunk.kind == b"NAVM"), None)
            if outline is not None:
                self.bookmarks = self._outline(self.content(outline, packed=True))
        else:
            raise UnsupportedError(f"{name} is a part of a DjVu document that holds no page.")

    def content(self, chunk: Chunk, *, packed: bool) -> bytes:
        """The bytes of a chunk. Raises ValueError where they cannot be unpacked."""
        raw = self.data[chunk.start : chunk.end]
        return unpack_bzz(raw, _MAX_CHUNK) if packed else raw

    def text_of(self, component: Component, kind: bytes) -> bytes:
        """What the chunks of a kind (`TXT` or `ANT`) say, packed or not. Raises ValueError as `content` does."""
        found = [chunk for chunk in component.chunks if chunk.kind in (kind + b"z", kind + b"a")]
        return b"".join(self.content(chunk, packed=chunk.kind.endswith(b"z")) for chunk in found)

    def size(self, component: Component) -> tuple[float, float]:
        """Width and height of a page in points; 0 where it does not say."""
        chunk = next((one for one in component.chunks if one.kind == b"INFO"), None)
        if chunk is None or chunk.end - chunk.start < 4:
            return 0.0, 0.0
        width, height = struct.unpack_from(">HH", self.data, chunk.start)
        dpi = struct.unpack_from("<H", self.data, chunk.start + 6)[0] if chunk.end - chunk.start >= 8 else 0
        scale = 72 / (dpi if 25 <= dpi <= 6000 else _USUAL_DPI)
        return round(width * scale, 1), round(height * scale, 1)

    def _chunks(self, at: int, end: int) -> Iterator[Chunk]:
        """Chunks side by side; one that is cut off goes as far as the file does."""
        while at + 8 <= end:
            kind, length = struct.unpack_from(">4sI", self.data, at)
            yield Chunk(kind, at + 8, min(at + 8 + length, end))
            at += 8 + length + length % 2

    def _listed(self, inner: list[Chunk]) -> list[Component]:
        """The components that the directory lists, else all there are."""
        forms = {chunk.start - 8: chunk for chunk in inner if chunk.kind == b"FORM"}
        directory = next((chunk for chunk in inner if chunk.kind == b"DIRM"), None)
        listed = self._directory(directory) if directory is not None else []
        found: list[Component] = []
        for offset, component in listed or [(offset, Component()) for offset in forms]:
            chunk = forms.get(offset)
            if chunk is None:
                continue
            kind = self.data[chunk.start : chunk.start + 4]
            component.is_page = component.is_page and kind in (b"DJVU", b"BM44", b"PM44")
            component.chunks = [*self._chunks(chunk.start + 4, chunk.end)]
            found.append(component)
        return found

    def _directory(self, chunk: Chunk) -> list[tuple[int, Component]]:
        """The directory (8.3.2); nothing where it is damaged: the pages themselves lie there all the same."""
        raw = self.data[chunk.start : chunk.end]
        if len(raw) < 3:
            return []
        if not raw[0] & 0x80:
            raise UnsupportedError(f"{self._name} only lists the files of its pages, which are read themselves.")
        count = int.from_bytes(raw[1:3], "big")
        if len(raw) < 3 + 4 * count:
            return []
        offsets = struct.unpack_from(f">{count}I", raw, 3)
        try:
            rest = unpack_bzz(raw[3 + 4 * count :], _MAX_CHUNK)
        except ValueError:
            return []
        flags = rest[3 * count : 4 * count]
        names = rest[4 * count :].split(b"\0")
        found: list[tuple[int, Component]] = []
        at = 0
        for offset, flag in zip(offsets, flags, strict=False):
            name = names[at].decode("utf-8", "replace") if at < len(names) else ""
            at += 1 + bool(flag & 0x80) + bool(flag & 0x40)
            found.append((offset, Component(name, flag & 0x3F == _PAGE)))
        return found

    def _outline(self, data: bytes) -> list[_Bookmark]:
        """The outline (8.3.3), as far as it can be read."""
        found: list[_Bookmark] = []
        at = 2
        open_levels: list[int] = []
        while at + 4 <= len(data) and len(found) < _MAX_BOOKMARKS:
            children = data[at]
            texts: list[str] = []
            at += 1
            for _ in range(2):
                length = int.from_bytes(data[at : at + 3], "big")
                texts.append(data[at + 3 : at + 3 + length].decode("utf-8", "replace"))
                at += 3 + length
            found.append(_Bookmark(" ".join(texts[0].split()), texts[1], len(open_levels) + 1))
            if open_levels:
                open_levels[-1] -= 1
            if children and len(open_levels) < _MAX_DEPTH:
                open_levels.append(children)
            while open_levels and not open_levels[-1]:
                open_levels.pop()
        return found
