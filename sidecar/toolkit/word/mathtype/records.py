"""The byte stream of an equation (MathType's MTEF, versions 2 to 5) as a tree of lines, characters and templates.

Sources: "MathType MTEF v.3 (Equation Editor 3.x)" and "MathType MTEF v.5", Design Science 1999 and 2000. What a
template means is `templates`' affair; sizes, colours and nudges say nothing about words and are passed over."""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TypeAlias

_MAX_BYTES = 2**18
"""Of one equation; those of real documents have some hundred."""
_MAX_DEPTH = 40
"""Slots inside one another."""


class BrokenEquationError(ValueError):
    """The bytes are not those of an equation, or end in the middle."""


class _Tag(IntEnum):
    END, LINE, CHAR, TEMPLATE, PILE, MATRIX, EMBELLISHMENT, RULER, FONT, SIZE = range(10)
    FULL, SUB, SUB2, SYMBOL, SUB_SYMBOL, COLOUR, COLOUR_DEF, FONT_DEF, PREFERENCES, ENCODING_DEF = range(10, 20)
    FUTURE = 100


class Face(IntEnum):
    """The styles of characters; explicit fonts have numbers below 0."""

    TEXT, FUNCTION, VARIABLE, LOWER_GREEK, UPPER_GREEK, SYMBOL, VECTOR, NUMBER, USER1, USER2, EXTRA, TEXT_FAR_EAST = (
        range(1, 13)
    )


@dataclass(frozen=True)
class Char:
    """A character: its code (Unicode with private areas, or its place in the font), its face, its embellishments."""

    code: int
    face: int
    marks: tuple[int, ...] = ()
    place: int = 0
    """In its font, where that is told besides."""


@dataclass
class Line:
    """A slot: what stands in it, left to right."""

    objects: list["Node"] = field(default_factory=list["Node"])


@dataclass
class Pile:
    """Lines one below the other."""

    lines: list[Line]


@dataclass
class Matrix:
    """Cells by rows."""

    columns: int
    cells: list[Line]


@dataclass
class Template:
    """A fraction, root, fence …: `slots` in the order of its class, `chars` the fence or operator itself."""

    selector: int
    variation: int
    slots: list[Line]
    chars: list[Char]


Node: TypeAlias = Char | Line | Pile | Matrix | Template

_NUDGE = 0x8
_LINE_NULL, _RULER_FOLLOWS, _SPACING_FOLLOWS = 0x1, 0x2, 0x4
_EMBELLISHED_3, _EMBELLISHED_5 = 0x2, 0x1
_PLACE_8, _PLACE_16, _NO_CODE = 0x4, 0x10, 0x20
_CMYK, _NAMED = 0x1, 0x4
_FIRST_WITH_OPTIONS = 5
"""The version from which a byte of options follows the tag; before, they are its upper half."""
_FIRST_WIDE = 3
"""The version from which characters have 16 bits."""
_LARGE_DELTA, _POINTS = 100, 101
_ORDINARY = range(2, 6)


def read_equation(data: bytes) -> tuple[int, list[Node]]:
    """The version of an MTEF stream, and what stands in it.

    Raises:
        BrokenEquationError: it is not one that can be followed to its end."""
    if not data or data[0] not in _ORDINARY or len(data) > _MAX_BYTES:
        raise BrokenEquationError
    reader = _RecordReader(data)
    try:
        return data[0], reader.whole()
    except IndexError as error:
        raise BrokenEquationError from error


class _RecordReader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._version = data[0]
        self._at = 5
        if self._version >= _FIRST_WITH_OPTIONS:
            self._text()  # the program's key
            self._at += 1

    def whole(self) -> list[Node]:
        """The outermost list, which some programs do not end."""
        found: list[Node] = []
        while self._at < len(self._data):
            tag, options = self._tag()
            if tag == _Tag.END:
                break
            node = self._record(tag, options, 0)
            if node is not None:
                found.append(node)
        return found

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _word(self) -> int:
        low = self._byte()
        return low | self._byte() << 8

    def _unsigned(self) -> int:
        value = self._byte()
        return self._word() if value == 0xFF else value

    def _text(self) -> bytes:
        end = self._data.find(b"\0", self._at)
        if end < 0:
            raise BrokenEquationError
        text, self._at = self._data[self._at : end], end + 1
        return text

    def _tag(self) -> tuple[int, int]:
        value = self._byte()
        if self._version < _FIRST_WITH_OPTIONS:
            return value & 0xF, value >> 4
        with_options = (*range(_Tag.LINE, _Tag.RULER), _Tag.COLOUR_DEF, _Tag.PREFERENCES)
        return value, self._byte() if value in with_options else 0

    def _objects(self, depth: int) -> list[Node]:
        """What stands up to the END record."""
        if depth > _MAX_DEPTH:
            raise BrokenEquationError
        found: list[Node] = []
        while True:
            tag, options = self._tag()
            if tag == _Tag.END:
                return found
            node = self._record(tag, options, depth)
            if node is not None:
                found.append(node)

    def _record(self, tag: int, options: int, depth: int) -> Node | None:
        if tag in (_Tag.LINE, _Tag.CHAR, _Tag.TEMPLATE, _Tag.PILE, _Tag.MATRIX) and options & _NUDGE:
            self._nudge()
        match tag:
            case _Tag.LINE:
                return self._line(options, depth)
            case _Tag.CHAR:
                return self._char(options)
            case _Tag.TEMPLATE:
                return self._template(depth)
            case _Tag.PILE:
                self._at += 2
                if options & _RULER_FOLLOWS:
                    self._ruler()
                return Pile(_slots(self._objects(depth + 1)))
            case _Tag.MATRIX:
                return self._matrix(depth)
            case _:
                self._skip_record(tag, options)
                return None

    def _nudge(self) -> None:
        self._at += 2
        if self._data[self._at - 2 : self._at] == b"\x80\x80":
            self._at += 4

    def _line(self, options: int, depth: int) -> Line:
        if options & _SPACING_FOLLOWS:
            self._at += 2
        if options & _RULER_FOLLOWS:
            self._ruler()
        return Line() if options & _LINE_NULL else Line(self._objects(depth + 1))

    def _ruler(self) -> None:
        if self._byte() & 0xF != _Tag.RULER:
            raise BrokenEquationError
        self._at += 3 * self._byte()

    def _char(self, options: int) -> Char:
        face = self._byte() - 128
        if self._version < _FIRST_WITH_OPTIONS:
            code = self._word() if self._version >= _FIRST_WIDE else self._byte()
            return Char(code, face, self._embellishments() if options & _EMBELLISHED_3 else ())
        code = 0 if options & _NO_CODE else self._word()
        place = self._byte() if options & _PLACE_8 else self._word() if options & _PLACE_16 else 0
        return Char(code, face, self._embellishments() if options & _EMBELLISHED_5 else (), place)

    def _embellishments(self) -> tuple[int, ...]:
        found: list[int] = []
        while True:
            tag, options = self._tag()
            if tag == _Tag.END:
                return tuple(found)
            if tag != _Tag.EMBELLISHMENT:
                self._skip_record(tag, options)
                continue
            if options & _NUDGE:
                self._nudge()
            found.append(self._byte())

    def _template(self, depth: int) -> Template:
        selector, variation = self._byte(), self._byte()
        if self._version >= _FIRST_WITH_OPTIONS and variation & 0x80:
            variation = variation & 0x7F | self._byte() << 8
        self._at += 1  # how a fence is centred, or whether an integral grows
        objects = self._objects(depth + 1)
        return Template(selector, variation, _slots(objects), [one for one in objects if isinstance(one, Char)])

    def _matrix(self, depth: int) -> Matrix:
        self._at += 3
        rows, columns = self._byte(), self._byte()
        for count in (rows, columns):
            self._at += (2 * (count + 1) + 7) // 8  # the lines between them, two bits each
        return Matrix(columns, _slots(self._objects(depth + 1)))

    def _skip_record(self, tag: int, options: int) -> None:
        """A record that says nothing about words."""
        if tag == _Tag.RULER:
            self._at += 3 * self._byte()
        elif tag == _Tag.SIZE:
            first = self._byte()
            self._at += {_POINTS: 2, _LARGE_DELTA: 3}.get(first, 1)
        elif _Tag.FULL <= tag <= _Tag.SUB_SYMBOL:
            pass
        elif self._version < _FIRST_WITH_OPTIONS:
            if tag != _Tag.FONT:
                raise BrokenEquationError
            self._at += 2
            self._text()
        else:
            self._definition(tag, options)

    def _definition(self, tag: int, options: int) -> None:
        """A record of version 5 that defines what others refer to by its number."""
        if tag == _Tag.FONT:
            self._unsigned()
            self._at += 1
        elif tag == _Tag.COLOUR:
            self._unsigned()
        elif tag == _Tag.COLOUR_DEF:
            self._at += 8 if options & _CMYK else 6
            if options & _NAMED:
                self._text()
        elif tag == _Tag.FONT_DEF:
            self._unsigned()
            self._text()
        elif tag == _Tag.PREFERENCES:
            self._preferences()
        elif tag == _Tag.ENCODING_DEF:
            self._text()
        elif tag >= _Tag.FUTURE:
            self._at += self._unsigned()
        else:
            raise BrokenEquationError

    def _preferences(self) -> None:
        for _ in range(2):  # sizes and spaces
            self._dimensions()
        for _ in range(self._byte()):
            if self._unsigned():
                self._at += 1

    def _dimensions(self) -> None:
        """Passes over numbers, as many as the byte before them says, in half bytes, each ended by 0xF."""
        left = self._byte()
        while left:
            value = self._byte()
            left -= value >> 4 == 0xF
            if left:
                left -= value & 0xF == 0xF


def _slots(objects: list[Node]) -> list[Line]:
    """Lines, and piles where a line was expected."""
    return [
        one if isinstance(one, Line) else Line([one])
        for one in objects
        if isinstance(one, (Line, Pile, Matrix, Template))
    ]
