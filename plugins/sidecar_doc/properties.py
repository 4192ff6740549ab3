"""What the properties of characters and paragraphs mean here ([MS-DOC] 2.6.1–2.6.3): marks of a stretch of text, a
paragraph's style and level, the cells of a row."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from sidecar.api.model import SpanKind
from sidecar.toolkit.ooxml.hidden_text import MIN_POINTS, similar_colours
from sidecar.toolkit.word.conventions import FARTHEST_RAISED, OFF_PAGE, moment
from sidecar.toolkit.word.story import Mark, Row
from sidecar.toolkit.word.symbols import CHARSETS, symbol
from sidecar_doc.file import DocFile, Place
from sidecar_doc.formatting import Modifier, Style, left_indent, modifiers
from sidecar_doc.rows import FLAT, PALETTE, UNKNOWN_COLOUR, RowLook, look_of, rgb, row_of, shading, signed

_TOGGLES: dict[int, SpanKind] = {0x0835: "bold", 0x0836: "italic", 0x0837: "strike", 0x2A53: "strike", 0x083C: "hidden"}
_AS_STYLE, _NOT_AS_STYLE = 0x80, 0x81
_INSERTED, _DELETED, _INSERTED_BY, _INSERTED_ON, _DELETED_BY, _DELETED_ON = (
    0x0801, 0x0800, 0x4804, 0x6805, 0x4863, 0x6864,
)  # fmt: skip
_STYLE, _UNDERLINE, _RAISED, _SIZE, _COLOUR, _SHADES, _SPECIAL = (
    0x4A30, 0x2A3E, 0x2A48, 0x4A43, 0x6870, (0x4866, 0xCA71, 0x2A0C), 0x0855,
)  # fmt: skip
_PICTURE, _OBJECT, _IS_OBJECT, _IS_DATA, _SYMBOL = 0x6A03, 0x680E, 0x080A, 0x0806, 0x6A09
_COLOUR_INDEX, _SCALE, _SPREAD = 0x2A42, 0x4852, 0x8840
_RELIEF = (0x0858, 0x0854)
"""Embossed, engraved: edges in light and shade show what has the colour of the page."""
_P_SHADES, _P_LEFT, _P_LINE, _P_ACROSS, _P_DOWN = (0xC64D, 0x442D), (0x840F, 0x845E), 0x6412, 0x8418, 0x8419
_P_STYLE, _P_OUTLINE, _P_LIST, _P_LEVEL = 0x4600, 0x2640, 0x460B, 0x260A
_IN_TABLE, _ROW_END, _DEPTH, _INNER_CELL, _INNER_ROW_END = 0x2416, 0x2417, 0x6649, 0x244B, 0x244C
_P_HEIGHT, _AT_LEAST, _P_DROP_CAP = 0x442B, 0x8000, 0x442C
_POSITION = 0x4845
_FONT = 0x4A4F
_CHARSET_AT = 3
"""Where the character set of a font stands in its entry."""
_MAX_TABLE_DEPTH = 20
_BODY = 9
"""The outline level of text."""
_MAX_KEPT = 20_000
"""Formats remembered; files of real programs have some hundreds."""


class Font(NamedTuple):
    """A font's name and, in files of Word 6, the codec of text in it."""

    name: str
    codec: str = ""


class Characters(NamedTuple):
    """A stretch of equally formatted text. `special` says that its control characters stand for something: `picture`
    and `form` (offsets in the data stream), `stored` (the number of an object), `symbol` (the character it shows).
    `codec` is that of its font, "" for the file's."""

    marks: frozenset[Mark] = frozenset()
    special: bool = False
    picture: int = -1
    stored: int = -1
    form: int = -1
    symbol: str = ""
    codec: str = ""


@dataclass(frozen=True)
class ParagraphProperties:
    """A paragraph: its style, `outline` from 1 (0 for text), the list (from 1) and level it counts in, how many tables
    it stands in, and whether it ends a cell or a row of an inner table, or a row (`row` is that row's head)."""

    style: Style = field(default_factory=Style)
    background: int | None = None
    """The colour behind it, None for none."""
    unseen: bool = False
    """It stands off the page or in lines without height."""
    number: int = 0
    outline: int = 0
    list: int = 0
    level: int = 0
    indent: int | None = None
    """How far in it stands in twips, None where its list may say that."""
    initial: bool = False
    """It is the first letter of the next paragraph, set large ([MS-DOC] 2.9.48)."""
    depth: int = 0
    ends_row: bool = False
    ends_inner_cell: bool = False
    ends_inner_row: bool = False
    row: Row = field(default_factory=Row)
    look: RowLook = field(default_factory=RowLook)


@dataclass
class _CharacterProperties:
    """The properties of characters while they are put together."""

    toggles: dict[SpanKind, bool] = field(default_factory=dict[SpanKind, bool])
    underline: bool = False
    raised: int = 0
    half_points: int = 20
    ink: int = UNKNOWN_COLOUR
    font: int = 0
    background: int | None = None
    inserted: bool = False
    deleted: bool = False
    values: dict[int, int] = field(default_factory=dict[int, int])
    """Plain numbers by modifier."""


class SprmReader:
    """Reads properties of one file, each combination once."""

    def __init__(self, styles: list[Style], fonts: list[Font], authors: list[str]) -> None:
        self._styles = styles
        self._fonts = fonts
        self._authors = authors
        self._characters: dict[tuple[bytes, int, bytes, int, bool], Characters] = {}
        self._paragraphs: dict[tuple[bytes, bytes], ParagraphProperties] = {}
        self._bases: dict[int, _CharacterProperties] = {}

    def paragraph(self, kept: bytes, changes: bytes) -> ParagraphProperties:
        """A paragraph by its run's properties and those of the piece it ends in."""
        found = self._paragraphs.get((kept, changes))
        if found is None:
            found = self._read_paragraph(kept, changes)
            if len(self._paragraphs) < _MAX_KEPT:
                self._paragraphs[kept, changes] = found
        return found

    def characters(
        self, kept: bytes, changes: bytes, paragraph: ParagraphProperties, background: int, *, unseen: bool
    ) -> Characters:
        """A stretch of text in a paragraph that stands on a colour, by its run's properties and those of its piece;
        `unseen`: it stands where nothing is seen."""
        background = paragraph.background if paragraph.background is not None else background
        unseen = unseen or paragraph.unseen
        key = (kept, paragraph.number, changes, background, unseen)
        found = self._characters.get(key)
        if found is None:
            found = self._read_characters(kept + changes, paragraph, background, unseen=unseen)
            if len(self._characters) < _MAX_KEPT:
                self._characters[key] = found
        return found

    def _style(self, number: int) -> Style:
        return self._styles[number] if 0 <= number < len(self._styles) else Style()

    def _read_paragraph(self, kept: bytes, changes: bytes) -> ParagraphProperties:
        number = int.from_bytes(kept[:2], "little")
        own = [*modifiers(kept[2:]), *modifiers(changes)]
        number = next((modifier.value for modifier in own if modifier.kind == _P_STYLE), number)
        style = self._style(number)
        kinds = {modifier.kind: modifier for modifier in [*modifiers(style.paragraph), *own]}

        def value(kind: int, default: int = 0) -> int:
            modifier = kinds.get(kind)
            return modifier.value if modifier is not None else default

        level = value(_P_OUTLINE, _BODY)
        outline = level + 1 if level < _BODY else 0
        if not outline and 1 <= style.known_as <= _BODY and _P_OUTLINE not in kinds:
            outline = style.known_as
        indent = left_indent({modifier.kind: modifier for modifier in own})
        if indent is None and not any(modifier.kind == _P_LIST for modifier in own):
            indent = left_indent(kinds)  # what a list of the paragraph's own says is said after its style
        depth = 0
        if value(_IN_TABLE):
            depth = min(max(value(_DEPTH, 1), 1), _MAX_TABLE_DEPTH)
        ends_row, ends_inner_row = bool(value(_ROW_END)), bool(value(_INNER_ROW_END))
        return ParagraphProperties(
            style=style, number=number, outline=outline, list=value(_P_LIST), level=value(_P_LEVEL), indent=indent,
            depth=depth,
            initial=value(_P_DROP_CAP) & 7 in (1, 2),
            ends_row=ends_row, ends_inner_cell=bool(value(_INNER_CELL)), ends_inner_row=ends_inner_row,
            background=_shade(kinds), unseen=_is_away(kinds), row=row_of(own) if ends_row or ends_inner_row else Row(),
            look=look_of(own) if ends_row else RowLook(),
        )  # fmt: skip

    def _base(self, number: int) -> _CharacterProperties:
        """The look of text in a paragraph style."""
        if number not in self._bases:
            look = _CharacterProperties()
            self._apply(look, self._style(number).characters, _CharacterProperties())
            self._bases[number] = look
        return self._bases[number]

    def _read_characters(
        self, kept: bytes, paragraph: ParagraphProperties, background: int, *, unseen: bool
    ) -> Characters:
        base = self._base(paragraph.number)
        look = replace(base, toggles=dict(base.toggles), values={})
        named = next((modifier.value for modifier in modifiers(kept) if modifier.kind == _STYLE), None)
        if named is not None:
            self._apply(look, self._style(named).characters, base)
            base = replace(look, toggles=dict(look.toggles))
        self._apply(look, kept, base)
        return Characters(
            marks=frozenset(self._marks(look, background, unseen=unseen)),
            special=bool(look.values.get(_SPECIAL)),
            picture=-1 if look.values.get(_IS_OBJECT) or look.values.get(_IS_DATA) else look.values.get(_PICTURE, -1),
            stored=look.values.get(_OBJECT, look.values.get(_PICTURE, -1)) if look.values.get(_IS_OBJECT) else -1,
            form=look.values.get(_PICTURE, -1) if look.values.get(_IS_DATA) else -1,
            symbol=self._symbol(look.values.get(_SYMBOL)),
            codec=self._fonts[look.font].codec if look.font < len(self._fonts) else "",
        )

    def _apply(self, look: _CharacterProperties, kept: bytes, base: _CharacterProperties) -> None:
        for kind, operand in modifiers(kept):
            value = int.from_bytes(operand, "little")
            if kind in _TOGGLES:
                _toggle(look, _TOGGLES[kind], value, base)
            elif kind == _UNDERLINE:
                look.underline = value not in (0, 5)
            elif kind == _RAISED:
                look.raised = value
            elif kind == _SIZE:
                look.half_points = value
            elif kind == _COLOUR:
                look.ink = rgb(operand)
            elif kind == _COLOUR_INDEX:
                look.ink = PALETTE[value] if value < len(PALETTE) else UNKNOWN_COLOUR
            elif kind == _FONT:
                look.font = value
            elif kind in _SHADES:
                look.background = shading(kind, operand)
            elif kind == _INSERTED:
                look.inserted = bool(value)
            elif kind == _DELETED:
                look.deleted = bool(value)
            else:
                look.values[kind] = value

    def _marks(self, look: _CharacterProperties, background: int, *, unseen: bool) -> list[Mark]:
        marks = [Mark(kind) for kind, on in look.toggles.items() if on]
        if look.underline:
            marks.append(Mark("underline"))
        if look.raised in (1, 2):
            marks.append(Mark("sup" if look.raised == 1 else "sub"))
        background = background if look.background is None else look.background
        relief = any(look.values.get(kind) in (1, _NOT_AS_STYLE) for kind in _RELIEF)
        lost = not relief and UNKNOWN_COLOUR not in (look.ink, background) and similar_colours(look.ink, background)
        wide = look.half_points * min(look.values.get(_SCALE, 100), 1000) / 10
        small = min(look.half_points, wide / 2) < MIN_POINTS * 2
        heaped = signed(look.values.get(_SPREAD, 0)) <= -5 * look.half_points
        raised = signed(look.values.get(_POSITION, 0)) >= FARTHEST_RAISED
        if (lost or small or heaped or raised or unseen) and not look.toggles.get("hidden"):
            marks.append(Mark("hidden"))
        if look.inserted:
            marks.append(self._change("ins", look.values.get(_INSERTED_BY), look.values.get(_INSERTED_ON, 0)))
        if look.deleted:
            marks.append(self._change("del", look.values.get(_DELETED_BY), look.values.get(_DELETED_ON, 0)))
        return marks

    def _change(self, kind: SpanKind, author: int | None, date: int) -> Mark:
        known = author is not None and author < len(self._authors)
        return Mark(kind, self._authors[author] if known and author is not None else "", moment(date))

    def _symbol(self, value: int | None) -> str:
        if value is None:
            return ""
        font, code = value & 0xFFFF, value >> 16
        return symbol(code, self._fonts[font].name if font < len(self._fonts) else "")


def _shade(kinds: Mapping[int, Modifier]) -> int | None:
    kind = next((kind for kind in _P_SHADES if kind in kinds), None)
    return shading(kind, kinds[kind].operand) if kind is not None else None


def _is_away(kinds: Mapping[int, Modifier]) -> bool:
    """Whether a paragraph stands off the page, or its lines have no height."""
    places = [signed(kinds[kind].value) for kind in (*_P_LEFT, _P_ACROSS, _P_DOWN) if kind in kinds]
    line, frame = kinds.get(_P_LINE), kinds.get(_P_HEIGHT)
    flat = line is not None and FLAT < signed(line.value & 0xFFFF) < 0
    low = frame is not None and not frame.value & _AT_LEAST and 0 < frame.value < -FLAT
    return min(places, default=0) < OFF_PAGE or flat or low


def _toggle(look: _CharacterProperties, kind: SpanKind, value: int, base: _CharacterProperties) -> None:
    """Set a property that is there or not, or is as the style has it, or the other way round."""
    of_style = base.toggles.get(kind, False)
    look.toggles[kind] = of_style if value == _AS_STYLE else not of_style if value == _NOT_AS_STYLE else bool(value)


def read_fonts(file: DocFile) -> list[Font]:
    """The fonts by number; the table's entries are not plain strings ([MS-DOC] 2.9.273)."""
    data, layout = file.table(Place.FONTS), file.layout
    found: list[Font] = []
    at = 2 if layout.is_old else 4  # before them stands how many there are, or how long all are
    while at < len(data):
        entry = data[at + 1 : at + 1 + data[at]]
        name = entry[layout.font_name :].decode(file.encoding if layout.is_old else "utf-16-le", "replace")
        codec = CHARSETS.get(entry[_CHARSET_AT], file.encoding) if layout.is_old and len(entry) > _CHARSET_AT else ""
        found.append(Font(name.split("\0", 1)[0], file.encoding if codec == "cp1252" else codec))
        at += 1 + len(entry)
    return found
