"""What a group of an RTF file inherits and gives back: the properties of characters and of the paragraph (RTF 1.9.1,
"Font (Character) Formatting Properties", "Paragraph Formatting Properties"), where its text goes, and the field it is
in, with what a form says of it ("Fields", "Form Fields"). The control words whose meaning is one of a kind:
destinations by what becomes of them, characters, formats of pictures. What a paragraph is when it ends: a heading, an
item, a paragraph. Words that do something are in `reader`."""

import re
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass

from sidecar.api.model import AnyBlock, Heading, ListItem, NoteKind, Paragraph, SpanKind
from sidecar.toolkit.hidden import MIN_POINTS, similar_colours
from sidecar.toolkit.word.conventions import (
    FARTHEST_RAISED,
    KINDS,
    OFF_PAGE,
    UNANSWERED,
    FormField,
    displayed_equations,
    field_text,
    hyperlink,
    moment,
    role,
)
from sidecar.toolkit.word.rtf.header import Header
from sidecar.toolkit.word.rtf.lists import LIST_TABLES
from sidecar.toolkit.word.rtf.mathematics import MathTree
from sidecar.toolkit.word.rtf.row_head import RowHead
from sidecar.toolkit.word.rtf.shapes import SHAPE_WORDS, RtfShape
from sidecar.toolkit.word.story import Mark, Story, shifted

FORM = frozenset(["ffname", "ffdeftext", "ffhelptext", "ffstattext", "ffl"])
"""Destinations of texts in `formfield`."""
_BULLET = re.compile(r"([•◦▪·‣]|\d{1,3}[.)]|[a-z][.)])[ \xa0]*\t+")


@dataclass
class Field:
    """A field; `link` is known once its instruction was read, and `shown`, which stands for a result that is not there:
    then no more characters than `chars` were read when the field ends."""

    link: str = ""
    shown: str = ""
    chars: int = 0
    form: FormField | None = None

    def say(self, destination: str, text: str, chars: int) -> None:
        """A text that the field has: its instruction, `chars` characters before its result, or one of `FORM`."""
        if destination in FORM:
            self._form_text(destination, text.strip())
            return
        self.link, self.chars = self.link or hyperlink(text), chars
        self.shown = self.form.shown() if self.form is not None else field_text(text)

    def form_number(self, word: str, number: int) -> None:
        """A word with a number in `formfield`."""
        form = self.form = self.form or FormField()
        if word == "fftype" and 0 <= number < len(KINDS):
            form.kind = KINDS[number]
        elif word == "ffdefres" or (word == "ffres" and number != UNANSWERED):
            form.value = number

    def _form_text(self, word: str, text: str) -> None:
        form = self.form = self.form or FormField()
        if word == "ffl":
            form.choices.append(text)
        elif word == "ffname":
            form.name = text
        elif word == "ffdeftext":
            form.default = text
        else:
            form.help.append(text)


CODECS: Mapping[str, str] = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}
"""The character set of the whole file, where it is not `ansi`."""
SKIP = "skip"
"""The destination of what shows nothing."""
KEPT = frozenset([
    "fldinst", "bkmkstart", "atnid", "atnauthor", "atnref", "atndate", "atrfstart", "atrfend", "sn", "sv",
    "listtext", "pntext", "objdata", "objclass", "propname", "staticval", "leveltext", *FORM,
])  # fmt: skip
"""Read as a text that is looked at when its group ends."""
PASSING = frozenset(["info", "upr", "picprop", "userprops", "formfield", *LIST_TABLES])
"""Destinations whose own text is nothing, but what stands in them may be; `upr`: a text in the code page, then the same
in Unicode, which `ud` begins."""
SKIPPED = frozenset([
    "nonshppict", "nonesttables", "pntxta", "pntxtb", "generator", "xe", "tc", "tcn", "rxe", "txe", "xmlns",
    "filetbl", "rsidtbl", "themedata", "colorschememapping", "latentstyles",
    "datastore", "datafield", "fontemb", "private", "template", "mmathPr", "pgptbl", "wgrffmtfilter",
    "ftnsep", "ftnsepc", "aftnsep", "aftnsepc", "ftncn", "aftncn", "htmltag", "mhtmltag",
    "blipuid", "defchp", "defpap", "listpicture", "falt", "panose", "shprslt", "buptim", "bkmkend",
])  # fmt: skip
"""Destinations that show nothing."""
STARRED = frozenset([
    "fldinst", "fldrslt", "bkmkstart", "atnid", "atnauthor", "atnref", "atndate", "atrfstart", "atrfend", "annotation",
    "shppict", "shpinst", "picprop", "objdata", "objclass", "nesttableprops", "revtbl", "ud", "footnote", "do",
    "dptxbxtext", "company", "manager", "category", "moMath", "moMathPara", "listtext", "pntext", "userprops",
    "formfield", "hlinkbase", "listtable", "listoverridetable", *FORM,
])  # fmt: skip
"""Destinations behind `\\*` that are read; a reader passes over those it does not know."""
STORIES: Mapping[str, NoteKind] = {
    "header": "header", "headerl": "header", "headerr": "header", "headerf": "header", "footer": "footer",
    "footerl": "footer", "footerr": "footer", "footerf": "footer", "footnote": "footnote", "annotation": "comment",
    "shptxt": "textbox", "dptxbxtext": "textbox",
}  # fmt: skip
CHARACTERS = {
    "tab": "\t", "line": "\n", "lbr": "\n", "softline": "\n", "page": "\n", "column": "\n", "emdash": "—",
    "endash": "–",
    "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "emspace": "\u2003",
    "enspace": "\u2002", "qmspace": "\u2005", "zwj": "\u200d", "zwnj": "\u200c",
    "ltrmark": "\u200e", "rtlmark": "\u200f",
    "\\~": "\u00a0", "\\_": "-", "\\\t": "\t",
}  # fmt: skip
_TOGGLES: Mapping[str, SpanKind] = {
    "b": "bold", "i": "italic", "ul": "underline", "uld": "underline", "uldb": "underline", "ulw": "underline",
    "ulwave": "underline", "uldash": "underline", "ulth": "underline", "strike": "strike", "striked": "strike",
    "super": "sup", "sub": "sub", "v": "hidden",
}  # fmt: skip
PICTURES = {"pngblip": "image/png", "jpegblip": "image/jpeg", "emfblip": "image/x-emf", "wmetafile": "image/x-wmf",
             "dibitmap": "image/bmp", "wbitmap": "image/bmp", "macpict": "image/x-pict"}  # fmt: skip


_WHITE = (255, 255, 255)
_UNKNOWN_COLOUR = -1
"""A background that is no one colour."""
_MAX_TABLE_DEPTH = 20
_HALF_POINTS = 24
"""The size of type where nothing is said."""


@dataclass
class GroupState:
    """The properties in force. `destination` is "" where text is the story's."""

    destination: str
    story: Story
    toggles: frozenset[SpanKind] = frozenset()
    font: int = 0
    fallback: int = 1
    """Characters that stand for a `u` one in old readers."""
    half_points: int = _HALF_POINTS
    colour: int = 0
    background: int = 0
    """The colour behind the characters by its number, 0 for none; `paragraph_background` that of the paragraph."""
    paragraph_background: int = 0
    scale: int = 100
    """Per cent of their width that letters have; `spread` is twips between them more than usual."""
    spread: int = 0
    relief: bool = False
    """Whether letters are embossed or engraved."""
    unseen: bool = False
    """Lines without height, or a place off the page."""
    raised: int = 0
    """Half-points by which characters stand above or below their line."""
    shape: RtfShape | None = None
    """The shape whose words are read."""
    inserted: tuple[int, int] | None = None
    """Author and date (DTTM) of the tracked change."""
    deleted: tuple[int, int] | None = None
    field: Field | None = None
    style: int = 0
    outline: int = 0
    in_list: int = 0
    """The number of the list the paragraph belongs to, 0 for none."""
    list_level: int = 0
    indent: int | None = None
    """How far in the paragraph stands in twips, None where that is not said."""
    in_table: bool = False
    initial: int = 0
    """1 or 2 where the paragraph is a drop cap, the first letter of the next one."""
    nesting: int = 1
    """Of the table the paragraph stands in, from 1."""
    replaced: bool = False
    """Whether what its group shows is a picture of an equation that was read."""
    math: MathTree | None = None
    """The equation that the group is part of."""
    on_end: Callable[[], None] | None = None
    """What the end of this group, and of no inner one, has to do."""

    def inner(self) -> "GroupState":
        """The properties in force as a group within this one begins."""
        made = copy(self)
        made.on_end = None
        return made

    @property
    def depth(self) -> int:
        """How many tables the paragraph stands in."""
        return min(max(self.nesting, 1), _MAX_TABLE_DEPTH) if self.in_table else 0

    def plain(self, font: int) -> None:
        """Characters as they are without any property, in the file's font."""
        self.toggles = frozenset()
        self.font, self.half_points, self.colour, self.background = font, _HALF_POINTS, 0, 0
        self.scale, self.spread, self.raised, self.relief = 100, 0, 0, False
        self.inserted = self.deleted = None

    def default_paragraph(self) -> None:
        """A paragraph without any property."""
        self.style = self.outline = self.in_list = self.list_level = self.initial = 0
        self.in_table, self.nesting, self.paragraph_background, self.unseen = False, 1, 0, False
        self.indent = None

    def toggle(self, kind: SpanKind, *, on: bool) -> None:
        """Begin or end a property that is there or not."""
        self.toggles = self.toggles.union([kind]) if on else self.toggles.difference([kind])

    def marks(self, header: Header, row: RowHead) -> frozenset[Mark]:
        """What text in this state is, `row` being the head of the row it may stand in."""
        marks = {Mark(kind) for kind in self.toggles}
        small = min(self.half_points, self.half_points * self.scale // 20) < MIN_POINTS * 2
        heaped = self.spread <= -5 * self.half_points
        outer_table = self.in_table and self.nesting == 1
        away = self.unseen or self.raised >= FARTHEST_RAISED or (self.shape is not None and self.shape.is_unseen)
        lost = self._is_invisible(header, row.background if self.nesting == 1 else _UNKNOWN_COLOUR)
        if small or heaped or away or lost or (outer_table and row.is_flat):
            marks.add(Mark("hidden"))
        if self.field is not None and self.field.link:
            marks.add(Mark("link", self.field.link))
        if self.inserted is not None:
            marks.add(Mark("ins", _author(header, self.inserted[0]), moment(self.inserted[1])))
        if self.deleted is not None:
            marks.add(Mark("del", _author(header, self.deleted[0]), moment(self.deleted[1])))
        return frozenset(marks)

    def _is_invisible(self, header: Header, cell: int) -> bool:
        """Words in the colour of what is behind them."""
        background = self.background or self.paragraph_background or (cell if self.in_table else 0)
        if self.relief or not 0 < self.colour < len(header.colours) or not 0 <= background < len(header.colours):
            return False
        behind = (self.shape.background if self.shape is not None else None) or _WHITE
        return similar_colours(header.colours[self.colour], header.colours[background] if background else behind)


def _author(header: Header, number: int) -> str:
    return header.authors[number] if 0 <= number < len(header.authors) else ""


def _number(name: str) -> Callable[[GroupState, int | None], None]:
    def set_number(state: GroupState, number: int | None) -> None:
        setattr(state, name, min(max(number or 0, 0), 1_000_000))

    return set_number


def _toggle(kind: SpanKind) -> Callable[[GroupState, int | None], None]:
    return lambda state, number: state.toggle(kind, on=number != 0)


def _raised(kind: SpanKind) -> Callable[[GroupState, int | None], None]:
    def raise_by(state: GroupState, number: int | None) -> None:
        state.toggle(kind, on=number is None or number > 0)
        state.raised = number or 0

    return raise_by


def _ends(*kinds: SpanKind) -> Callable[[GroupState, int | None], None]:
    def end(state: GroupState, _number: int | None) -> None:
        state.toggles = state.toggles.difference(kinds)

    return end


def _size(state: GroupState, number: int | None) -> None:
    state.half_points = _HALF_POINTS if number is None else number


def _outline(state: GroupState, number: int | None) -> None:
    state.outline = (number or 0) + 1 if 0 <= (number or 0) < 9 else 0


def _patterned(name: str) -> Callable[[GroupState, int | None], None]:
    """Shading in another colour, of some share."""
    return lambda state, number: setattr(state, name, _UNKNOWN_COLOUR) if number else None


def _relief(state: GroupState, number: int | None) -> None:
    """Edges in light and shade show what has the colour of the page."""
    state.relief = number != 0


def _flat(state: GroupState, number: int | None) -> None:
    state.unseen = state.unseen or -40 < (number or 0) < 0  # negative: exactly so many twips


def _away(state: GroupState, number: int | None) -> None:
    state.unseen = state.unseen or (number or 0) < OFF_PAGE


def _indented(state: GroupState, number: int | None) -> None:
    state.indent = number or 0
    _away(state, number)


def _shape_word(word: str) -> Callable[[GroupState, int | None], None]:
    def say(state: GroupState, number: int | None) -> None:
        if state.shape is not None:
            state.shape.word(word, number)

    return say


def _spread(state: GroupState, number: int | None) -> None:
    state.spread = number or 0


def _in_table(state: GroupState, _number: int | None) -> None:
    state.in_table = True


def _nesting(state: GroupState, number: int | None) -> None:
    state.in_table, state.nesting = bool(number), number or 1


def _revised(state: GroupState, number: int | None) -> None:
    state.inserted = None if number == 0 else (-1, 0)


def _revised_by(state: GroupState, number: int | None) -> None:
    state.inserted = number or 0, state.inserted[1] if state.inserted else 0


def _revised_on(state: GroupState, number: int | None) -> None:
    state.inserted = state.inserted[0] if state.inserted else -1, number or 0


def _deleted(state: GroupState, number: int | None) -> None:
    state.deleted = None if number == 0 else (-1, 0)


def _deleted_by(state: GroupState, number: int | None) -> None:
    state.deleted = number or 0, state.deleted[1] if state.deleted else 0


def _deleted_on(state: GroupState, number: int | None) -> None:
    state.deleted = state.deleted[0] if state.deleted else -1, number or 0


PROPERTIES: Mapping[str, Callable[[GroupState, int | None], None]] = {
    **{word: _toggle(kind) for word, kind in _TOGGLES.items()},
    "ulnone": _ends("underline"), "nosupersub": _ends("sup", "sub"), "fs": _size, "outlinelevel": _outline,
    "f": _number("font"), "cf": _number("colour"), "s": _number("style"), "ilvl": _number("list_level"),
    "ls": _number("in_list"), "dropcapt": _number("initial"), "up": _raised("sup"), "dn": _raised("sub"),
    "uc": _number("fallback"), "cb": _number("background"), "chcbpat": _number("background"),
    "highlight": _number("background"), "cbpat": _number("paragraph_background"),
    "shading": _patterned("paragraph_background"), "chshdng": _patterned("background"),
    "embo": _relief, "impr": _relief, "charscalex": _number("scale"), "expndtw": _spread, "sl": _flat, "li": _indented,
    "posx": _away, "posnegx": _away, "posnegy": _away, "absh": _flat,
    "pard": lambda state, _: state.default_paragraph(), **{word: _shape_word(word) for word in SHAPE_WORDS},
    "intbl": _in_table, "itap": _nesting, "revised": _revised, "revauth": _revised_by, "revdttm": _revised_on,
    "deleted": _deleted, "revauthdel": _deleted_by, "revdttmdel": _deleted_on,
}  # fmt: skip
"""The words that change the state and do nothing else."""


def ended_paragraph(state: GroupState, header: Header) -> list[AnyBlock]:
    """The block of the line that ends in the story, which begins anew; [] where it has no text."""
    story = state.story
    text, spans = story.finish_line()
    anchor, marker = story.anchor, story.marker
    story.anchor = story.marker = ""
    bullet = _BULLET.match(text) if text and not marker else None
    if bullet:  # a list drawn by hand, as pandoc writes them
        marker, text, spans = bullet[1], text[bullet.end() :], shifted(spans, -bullet.end())
    if not text:
        return []
    equations = [] if marker or state.in_list else displayed_equations(text, spans, anchor)
    if equations:
        return [*equations]
    if state.in_list and not marker:
        marker = header.lists.next(state.in_list, state.list_level, header.symbol_fonts)
    style = header.style(state.style)
    level = state.outline or style.outline
    if level and not state.depth:
        return [Heading(text=text.replace("\n", " "), spans=spans, level=level, number=marker, anchor=anchor)]
    if marker or state.in_list:
        # A single letter is a bullet of some symbol font.
        ordered = any(map(str.isdigit, marker)) or (len(marker) > 1 and any(map(str.isalnum, marker)))
        shown = marker if ordered or not marker else "•"
        list_ = str(state.in_list) if state.in_list else f"at {state.indent}"  # one drawn by hand has its indent alone
        depth = story.nesting.level(list_, state.list_level, state.indent)
        return [ListItem(text=text, spans=spans, level=depth, marker=shown, ordered=ordered, anchor=anchor)]
    return [Paragraph(text=text, spans=spans, style=role(style.name), anchor=anchor)]
