"""The objects that R serialises (R Internals 1.8, versions 2 and 3; `serialize.c` of R): vectors with their attributes,
lists and pairs. Of functions, environments and pointers nothing is kept.

They are written in R's binary forms, or as words (`ascii = TRUE`)."""

import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import Final

from sidecar.toolkit.text import without_surrogates
from sidecar.toolkit.unpacking import Cursor

_SYMBOL, _PAIRS, _CLOSURE, _ENVIRONMENT, _PROMISE, _LANGUAGE, _SPECIAL, _BUILTIN, _CHARS = range(1, 10)
_LOGICAL, _INTEGER, _REAL, _COMPLEX, _STRINGS = 10, 13, 14, 15, 16
_DOTS, _LIST, _EXPRESSION, _BYTECODE, _POINTER, _WEAK, _RAW, _S4 = 17, 19, 20, 21, 22, 23, 24, 25
_ALTREP, _ATTRIBUTED_PAIRS, _ATTRIBUTED_LANGUAGE, _REPEATED, _DEFINED = 238, 239, 240, 243, 244
_PERSISTENT, _PACKAGE, _NAMESPACE, _REFERENCE = 247, 248, 249, 255
_CONSTANTS: Final = frozenset((241, 242, 250, 251, 252, 253, 254))
"""NULL, the usual environments, and what stands for no value."""
_PAIR_KINDS: Final = frozenset((_PAIRS, _CLOSURE, _PROMISE, _LANGUAGE, _DOTS))
_HAS_ATTRIBUTES, _HAS_TAG = 0x200, 0x400
_LATIN_1: Final = 1 << 2
_NA: Final = -(1 << 31)
_NA_REAL_LOW: Final = 1954
"""The low word of the number that is NA, all of whose other bits are those of a NaN."""
_MAX_DEPTH: Final = 200
_WORD: Final = re.compile(rb"\s*+(\S++)")
_ESCAPE: Final = re.compile(rb"\\(?:([0-7]{1,3})|(.))", re.DOTALL)
_SIGNS: Final = {b"n": b"\n", b"t": b"\t", b"v": b"\v", b"b": b"\b", b"r": b"\r", b"f": b"\f", b"a": b"\a"}
_MIN_CELLS, _MAX_CELLS = 100_000, 1_000_000
"""Cells that are shown of any file; of a large one as many as it has bytes, since R keeps 1, 2, 3, … in short."""

Values = Sequence["str | int | float | bool | RObject | None"]


def most_cells(size: int) -> int:
    """How many cells are shown of a file of `size` bytes."""
    return min(_MAX_CELLS, max(_MIN_CELLS, size))


@dataclass
class RObject:
    """A vector, or a list whose values are objects; None among values is NA. `names` of pairs are their tags."""

    kind: str
    values: Values = ()
    attributes: dict[str, "RObject"] = field(default_factory=dict[str, "RObject"])
    names: tuple[str, ...] = ()

    def strings(self, attribute: str) -> list[str]:
        """The texts of an attribute."""
        found = self.attributes.get(attribute)
        return ["" if one is None else str(one) for one in found.values] if found and found.kind == "text" else []


_NOTHING: Final = RObject("nothing")


def read_objects(data: bytes) -> RObject:
    """What an unpacked file holds; of several objects pairs. Raises EOFError, ValueError or struct.error for damage."""
    at = 5 if data[:3] in (b"RDX", b"RDB", b"RDA") else 0
    form = data[at : at + 2]
    if form not in (b"X\n", b"B\n", b"A\n"):
        raise ValueError("its objects are not in a serialization format of R")
    reader = (
        _WordReader(data, at + 2, "<")
        if form == b"A\n"
        else _ObjectReader(data, at + 2, ">" if form == b"X\n" else "<")
    )
    version, _, _ = reader.integers(3)
    if version == 3:
        reader.string(reader.integer())
    elif version != 2:
        raise ValueError(f"its objects are of version {version}")
    return reader.item(0)


class _ObjectReader(Cursor):
    def __init__(self, data: bytes, at: int, order: str) -> None:
        super().__init__(data, at)
        self._order = order
        self._most = most_cells(len(data)) + 1
        self._references: list[RObject | str] = []

    def integer(self) -> int:
        return self.integers(1)[0]

    def integers(self, count: int) -> Sequence[int]:
        return struct.unpack(f"{self._order}{count}i", self.read(4 * count))

    def string(self, size: int) -> bytes:
        return self.read(size)

    def _length(self) -> int:
        length = self.integer()
        if length == -1:
            high, low = self.integers(2)
            length = (high & 0xFFFFFFFF) << 32 | low & 0xFFFFFFFF
        if length < 0:
            raise ValueError("a vector has no length")
        return length

    def item(self, depth: int) -> RObject:
        """The next object. A symbol is a text."""
        if depth > _MAX_DEPTH:
            raise ValueError("its objects are nested too deeply")
        flags = self.integer()
        kind = flags & 0xFF
        if kind in _PAIR_KINDS:
            return self._pairs(flags, depth)
        if kind in _CONSTANTS:
            return _NOTHING
        if kind == _REFERENCE:
            return self._referred(flags >> 8 or self.integer())
        if kind in (_SYMBOL, _ENVIRONMENT, _POINTER, _WEAK, _NAMESPACE, _PACKAGE, _PERSISTENT):
            return self._referable(kind, flags, depth)
        if kind == _ALTREP:
            return self._compact(depth)
        found = self._vector(kind, flags, depth)
        if flags & _HAS_ATTRIBUTES and kind != _CHARS:
            found.attributes = self._attributes(depth)
        return found

    def _referred(self, number: int) -> RObject:
        found = self._references[number - 1] if 0 < number <= len(self._references) else ""
        return found if isinstance(found, RObject) else RObject("text", (found,))

    def _referable(self, kind: int, flags: int, depth: int) -> RObject:
        """A symbol or what is not a value, which later places may refer to."""
        if kind == _SYMBOL:
            self._references.append(symbol := self.item(depth + 1))
            return symbol
        self._references.append(_NOTHING)
        if kind == _ENVIRONMENT:
            self.integer()
            for _ in range(4):
                self.item(depth + 1)
            return _NOTHING
        if kind == _POINTER:
            self.item(depth + 1)
            self.item(depth + 1)
        elif kind != _WEAK:  # names of packages: a zero, how many, and each as a text
            self.integer()
            for _ in range(self._length()):
                self.item(depth + 1)
            return _NOTHING
        if flags & _HAS_ATTRIBUTES:
            self.item(depth + 1)
        return _NOTHING

    def _attributes(self, depth: int) -> dict[str, RObject]:
        found = self.item(depth + 1)
        return {name: one for name, one in zip(found.names, found.values, strict=False) if isinstance(one, RObject)}

    def _pairs(self, flags: int, depth: int) -> RObject:
        """Values with their tags, up to the end of the chain."""
        names: list[str] = []
        values: list[RObject] = []
        first = flags & 0xFF
        attributes: dict[str, RObject] = {}
        at = self.at
        while flags & 0xFF in _PAIR_KINDS:
            if flags & _HAS_ATTRIBUTES:
                attributes = self._attributes(depth)
            tag = self.item(depth + 1) if flags & _HAS_TAG else _NOTHING
            values.append(self.item(depth + 1))
            names.append(str(tag.values[0]) if tag.kind == "text" and tag.values else "")
            if flags & 0xFF == _CLOSURE:
                self.item(depth + 1)
                return _NOTHING
            at = self.at
            flags = self.integer()
        self.at = at
        self.item(depth + 1)
        return RObject("pairs", values, attributes, tuple(names)) if first == _PAIRS else _NOTHING

    def _vector(self, kind: int, flags: int, depth: int) -> RObject:
        if kind == _CHARS:
            return RObject("text", (self._chars(flags),))
        if kind in (_SPECIAL, _BUILTIN):
            self.string(self.integer())
            return _NOTHING
        if kind == _S4:
            return RObject("S4")
        if kind == _BYTECODE:
            self.integer()
            self._bytecode(depth)
            return RObject("nothing")
        length = self._length()
        if kind in (_LOGICAL, _INTEGER):
            whole = self.integers(length)
            if kind == _INTEGER:
                return RObject("integer", [None if one == _NA else one for one in whole])
            return RObject("logical", [None if one == _NA else bool(one) for one in whole])
        if kind == _REAL:
            return RObject("real", self.reals(length))
        if kind == _COMPLEX:
            read = [float("nan") if one is None else one for one in self.reals(2 * length)]
            pairs = zip(read[::2], read[1::2], strict=True)
            return RObject("text", [f"{real:g}{imaginary:+g}i" for real, imaginary in pairs])
        if kind == _STRINGS:
            self._check(length)
            return RObject("text", [self._chars(self.integer()) for _ in range(length)])
        if kind in (_LIST, _EXPRESSION):
            self._check(length)
            return RObject("list", [self.item(depth + 1) for _ in range(length)])
        if kind == _RAW:
            self.skip(length)
            return RObject("raw")
        raise ValueError(f"an object is of an unknown kind ({kind})")

    def _check(self, length: int) -> None:
        """Whether as many values may follow, each of a byte at least."""
        if length > self.left:
            raise EOFError("it is cut short")

    def skip(self, count: int) -> None:
        """Go over bytes that are not text."""
        self.read(count)

    def reals(self, length: int) -> list[float | None]:
        data = self.read(8 * length)
        values: list[float | None] = list(struct.unpack(f"{self._order}{length}d", data))
        low = 4 if self._order == ">" else 0
        for at, value in enumerate(values):
            if (
                value is not None
                and isnan(value)
                and struct.unpack_from(f"{self._order}I", data, 8 * at + low)[0] == _NA_REAL_LOW
            ):
                values[at] = None
        return values

    def _chars(self, flags: int) -> str | None:
        length = self.integer()
        if length == -1:
            return None
        data = self.string(length)
        if flags >> 12 & _LATIN_1:
            return data.decode("latin-1")
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            return without_surrogates(data.decode("cp1252", "replace"))

    def _compact(self, depth: int) -> RObject:
        """A vector that R keeps in a form of its own (ALTREP): a row of numbers, numbers as texts, or a wrapped one."""
        info, state, attributes = self.item(depth + 1), self.item(depth + 1), self.item(depth + 1)
        name = str(info.values[0].values[0]) if info.values and isinstance(info.values[0], RObject) else ""
        found = _NOTHING
        if name in ("compact_intseq", "compact_realseq") and len(state.values) == 3:
            count, first, step = (int(one) if isinstance(one, (int, float)) else 0 for one in state.values)
            row = range(first, first + min(count, self._most) * step, step) if step else ()
            found = RObject("integer", row)
        elif state.values and isinstance(inner := state.values[0], RObject):
            found = RObject(inner.kind, inner.values, dict(inner.attributes))
            if name == "deferred_string":
                found = RObject("text", [None if one is None else str(one) for one in inner.values])
        given = zip(attributes.names, attributes.values, strict=False)
        found.attributes |= {key: one for key, one in given if isinstance(one, RObject)}
        return found

    def _bytecode(self, depth: int) -> None:
        """Go over a compiled function."""
        self.item(depth + 1)
        for _ in range(self._length()):
            kind = self.integer()
            if kind == _BYTECODE:
                if depth > _MAX_DEPTH:
                    raise ValueError("its functions are nested too deeply")
                self._bytecode(depth + 1)
            else:
                self._code(kind, depth)

    def _code(self, kind: int, depth: int) -> None:
        """Go over a constant of a compiled function, which may be code itself."""
        if depth > _MAX_DEPTH:
            raise ValueError("its functions are nested too deeply")
        while kind in (_LANGUAGE, _PAIRS, _DEFINED, _ATTRIBUTED_LANGUAGE, _ATTRIBUTED_PAIRS):
            if kind == _DEFINED:
                self.integer()
                kind = self.integer()
            if kind in (_ATTRIBUTED_LANGUAGE, _ATTRIBUTED_PAIRS):
                self.item(depth + 1)
            self.item(depth + 1)
            self._code(self.integer(), depth + 1)
            kind = self.integer()
        if kind == _REPEATED:
            self.integer()
        else:
            self.item(depth + 1)


class _WordReader(_ObjectReader):
    """The same of what is written as words with white space between."""

    def _words(self, count: int) -> list[bytes]:
        found: list[bytes] = []
        if count > self.left:
            raise EOFError("it is cut short")
        while len(found) < count:
            word = _WORD.match(self.data, self.at)
            if word is None:
                raise EOFError("it is cut short")
            self.at = word.end()
            found.append(word[1])
        return found

    def integers(self, count: int) -> Sequence[int]:
        return [_NA if word == b"NA" else int(word) for word in self._words(count)]

    def reals(self, length: int) -> list[float | None]:
        return [None if word == b"NA" else float(word) for word in self._words(length)]

    def string(self, size: int) -> bytes:
        if not size:
            return b""
        return _ESCAPE.sub(_unescaped, self._words(1)[0])

    def skip(self, count: int) -> None:
        self._words(count)


def _unescaped(found: re.Match[bytes]) -> bytes:
    return bytes([int(found[1], 8) & 0xFF]) if found[1] else _SIGNS.get(found[2], found[2])
