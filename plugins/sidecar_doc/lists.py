"""The lists of a Word file ([MS-DOC] 2.4.6.3, 2.9.131, 2.9.148–2.9.150): their levels, and the marker of each item."""

import struct
from contextlib import suppress
from dataclasses import dataclass, field, replace

from sidecar.toolkit.word.numbering import FORMS, LEVELS, Counters, Level, Marker
from sidecar.toolkit.word.symbols import bullet
from sidecar_doc.file import DocFile, Place
from sidecar_doc.formatting import left_indent, modifiers

_LIST_BYTES, _OVERRIDE_BYTES, _LEVEL_BYTES, _CHANGE_BYTES = 28, 16, 28, 8
_SIMPLE, _LEGAL = 1, 4
_FONT = 0x4A4F
"""The modifier that names the font of plain characters (sprmCRgFtc0)."""


@dataclass
class _List:
    abstract: str
    levels: dict[int, Level] = field(default_factory=dict[int, Level])
    starts: dict[int, int] = field(default_factory=dict[int, int])


class Lists:
    """The lists by the number that paragraphs know them by (`ilfo`, from 1), and their counters."""

    def __init__(self, file: DocFile, fonts: list[str]) -> None:
        self._fonts = fonts
        self._counters = Counters()
        self._lists: list[_List] = []
        with suppress(struct.error, IndexError):  # what was read so far counts; the text is there all the same
            self._read(file)

    def next(self, number: int, level: int) -> Marker | None:
        """Count one paragraph of a list and give its marker; None for a list that is not there."""
        if not 1 <= number <= len(self._lists):
            return None
        own = self._lists[number - 1]
        if not own.levels:
            return None
        return self._counters.next(str(number), own.abstract, own.levels, own.starts, level)

    def indent(self, number: int, level: int) -> int | None:
        """How far in the items of a list stand at a level, in twips; None where it does not say."""
        own = self._lists[number - 1].levels.get(level) if 1 <= number <= len(self._lists) else None
        return own.indent if own is not None else None

    def _read(self, file: DocFile) -> None:
        definitions = self._definitions(file.table_from(Place.LISTS))
        data = file.table(Place.LIST_OVERRIDES)
        if not data:
            return
        count = struct.unpack_from("<I", data)[0]
        heads = [struct.unpack_from("<i8xB", data, 4 + _OVERRIDE_BYTES * n) for n in range(count)]
        self._lists = [_List(str(name), dict(definitions.get(name, {}))) for name, _ in heads]
        at = 4 + _OVERRIDE_BYTES * count
        for (_, changes), own in zip(heads, self._lists, strict=True):
            at += 4
            for _ in range(min(changes, LEVELS)):
                start, flags = struct.unpack_from("<iI", data, at)
                at += _CHANGE_BYTES
                index = flags & 0xF
                if flags & 0x20:
                    own.levels[index], at = self._level(data, at)
                if flags & 0x10:
                    own.starts[index] = own.levels[index].start if flags & 0x20 else start

    def _definitions(self, data: bytes) -> dict[int, dict[int, Level]]:
        """The levels by the identifier of their definition; they stand one after another behind all heads."""
        if not data:
            return {}
        count = struct.unpack_from("<H", data)[0]
        heads = [struct.unpack_from("<i22xB", data, 2 + _LIST_BYTES * n) for n in range(count)]
        at = 2 + _LIST_BYTES * count
        found: dict[int, dict[int, Level]] = {}
        for name, flags in heads:
            levels = found[name] = {}
            for index in range(1 if flags & _SIMPLE else LEVELS):
                levels[index], at = self._level(data, at)
        return found

    def _level(self, data: bytes, at: int) -> tuple[Level, int]:
        """One level (LVL) and where the next thing stands."""
        start, form, flags = struct.unpack_from("<iBB", data, at)
        characters, paragraph, restart = data[at + 24], data[at + 25], data[at + 26]
        at += _LEVEL_BYTES
        indent = left_indent({modifier.kind: modifier for modifier in modifiers(data[at : at + paragraph])})
        at += paragraph
        looks = data[at : at + characters]
        at += characters
        length = struct.unpack_from("<H", data, at)[0]
        text = data[at + 2 : at + 2 + length * 2].decode("utf-16-le", "replace")
        at += 2 + length * 2
        named = FORMS.get(form, "decimal")
        if named == "bullet":
            return Level(start, named, bullet(text, self._font(looks)), indent=indent), at
        # The place of another level's number is a character with that level's number, from 0.
        shown = "".join(f"%{ord(char) + 1}" if ord(char) < LEVELS else char for char in text)
        level = Level(start, named, shown, legal=bool(flags & _LEGAL), indent=indent)
        return (replace(level, restart=restart) if flags & 8 else level), at

    def _font(self, looks: bytes) -> str:
        number = next((modifier.value for modifier in modifiers(looks) if modifier.kind == _FONT), -1)
        return self._fonts[number] if 0 <= number < len(self._fonts) else ""
