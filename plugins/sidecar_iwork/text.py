"""Reads a text storage (`TSWP.StorageArchive`): paragraphs with their styles, lists, links, notes, comments, changes.

What a stretch is stands in tables beside the text, each entry holding from its character on until the next. Characters
are counted in UTF-16."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Final

from sidecar.api import AnyBlock, Heading, ListItem, Note, NoteKind, Paragraph, SpanKind
from sidecar.toolkit.times import iso_utc
from sidecar.toolkit.word.conventions import role
from sidecar.toolkit.word.number_formats import format_number
from sidecar.toolkit.word.story import Mark, Story
from sidecar_iwork.objects import Objects
from sidecar_iwork.wire import Message

STORAGES: Final = (2001, 2005)
_TEXT, _PARA_STYLE, _PARA_DATA, _LIST_STYLE, _CHAR_STYLE, _ATTACHMENT, _FIELD = 3, 5, 6, 7, 8, 9, 11
_FOOTNOTE, _INSERTION, _DELETION, _HIGHLIGHT = 16, 21, 22, 23
_HYPERLINK, _NUMBER_KINDS = 2032, range(2006, 2011)
_ATTACHED, _NOTE_MARK = "￼", "\x0e"
_ENDS = re.compile("[\n\r\u2029\x04\x05\x0c]")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0e-\x1f]")
NAMED_HEADING = re.compile(r"(heading|überschrift|titre|título|encabezado|intestazione|kop|rubrik)\s*(\d?)", re.I)
"""Names of styles for headings, as the templates and their translations have them."""
_NUMBERED, _STRING = 3, 2
_NUMBER_FORMS = ("decimal", "upperRoman", "lowerRoman", "upperLetter", "lowerLetter")
_LOOKS: tuple[tuple[int, SpanKind], ...] = ((1, "bold"), (2, "italic"), (11, "underline"), (12, "strike"))
"""Fields of a character style (`TSWP.CharacterStylePropertiesArchive`)."""
_CHANGES: tuple[tuple[int, SpanKind], ...] = ((_INSERTION, "ins"), (_DELETION, "del"))
_EPOCH = datetime(2001, 1, 1, tzinfo=UTC)
"""Where Apple's absolute time begins."""
_MAX_STEPS: Final = 32
"""Of a chain of styles; a longer one goes in a circle."""


def moment(seconds: float | None) -> str:
    """Apple's absolute time as ISO 8601, "" for none."""
    if seconds is None:
        return ""
    try:
        return iso_utc(_EPOCH + timedelta(seconds=seconds))
    except (OverflowError, ValueError):
        return ""


@dataclass
class _AttributeTable:
    """Where stretches begin, and the object each refers to (0 none)."""

    starts: list[int] = field(default_factory=list[int])
    values: list[Message] = field(default_factory=list[Message])

    def at(self, index: int) -> Message:
        """The entry that holds for a character."""
        place = bisect_right(self.starts, index) - 1
        return self.values[place] if place >= 0 else Message()


class StorageReader:
    """Makes blocks of storages. `draw` gives the blocks of a drawable that stands in the text."""

    def __init__(self, objects: Objects, draw: Callable[[int], list[AnyBlock]]) -> None:
        self._objects = objects
        self._draw = draw
        self._notes = 0
        self._open: set[int] = set()

    def blocks(self, storage: int) -> list[AnyBlock]:
        """The blocks of a storage; those of what it holds follow the paragraph it stands in."""
        stored = self._objects.get(storage)
        if storage in self._open or stored.kind not in STORAGES:
            return []
        self._open.add(storage)
        try:
            return _StorageReading(self, self._objects, stored).blocks()
        finally:
            self._open.discard(storage)

    def plain(self, storage: int) -> str:
        """The text of a storage without its structure, one line a paragraph."""
        return lines_of(self.blocks(storage))

    def drawn(self, number: int) -> list[AnyBlock]:
        """The blocks of a drawable."""
        return self._draw(number)

    def note(self, kind: NoteKind, text: str, author: str = "", date: str = "", target: str = "") -> Note:
        """A note with an id of its own."""
        self._notes += 1
        return Note(kind=kind, text=text, id=str(self._notes), author=author, date=date, target=target)

    def comment(self, number: int, target: str) -> list[AnyBlock]:
        """A comment (`TSD.CommentStorageArchive`) and its answers."""
        stored = self._objects.get(number)
        author = self._objects.get(stored.ref(3)).text(1)
        if not stored.text(1):
            return []
        found: list[AnyBlock] = [
            self.note("comment", stored.text(1), author, moment(stored.message(2).double(1)), target)
        ]
        if number not in self._open:
            self._open.add(number)
            for answer in stored.refs(4):
                found += self.comment(answer, "")
            self._open.discard(number)
        return found


def lines_of(blocks: Iterable[AnyBlock]) -> str:
    """The text of blocks without their structure, one line a paragraph."""
    return "\n".join(filter(None, (getattr(block, "text", "") for block in blocks)))


class _StorageReading:
    def __init__(self, texts: StorageReader, objects: Objects, stored: Message) -> None:
        self._texts, self._objects = texts, objects
        self._text = "".join(stored.texts(_TEXT))
        wide = bool(self._text) and max(self._text) > "\uffff"
        self._index = _utf16_offsets(self._text) if wide else None
        self._tables = {
            number: self._table(stored.message(number))
            for number in (
                _PARA_STYLE, _PARA_DATA, _LIST_STYLE, _CHAR_STYLE, _ATTACHMENT, _FIELD, _FOOTNOTE, _INSERTION,
                _DELETION, _HIGHLIGHT,
            )
        }  # fmt: skip
        self._counters: dict[int, int] = {}
        self._story = Story()
        self._seen_comments: set[int] = set()

    def blocks(self) -> list[AnyBlock]:
        start = 0
        for end in [*(match.start() for match in _ENDS.finditer(self._text)), len(self._text)]:
            self._paragraph(start, end)
            start = end + 1
        return self._story.blocks

    def _table(self, table: Message) -> _AttributeTable:
        found = _AttributeTable()
        for entry in table.messages(1):
            found.starts.append(self._place(entry.number(1)))
            found.values.append(entry)
        return found

    def _place(self, utf16: int) -> int:
        """A character's place in the text from its place in UTF-16."""
        return utf16 if self._index is None else bisect_right(self._index, utf16) - 1

    def _paragraph(self, start: int, end: int) -> None:
        story = self._story
        for begin, stop in self._runs(start, end):
            self._run(begin, stop)
        text, spans = story.finish_line()
        styles = [*self._chain(self._tables[_PARA_STYLE].at(start).ref(2))]
        label, ordered, level = self._label(start, styles) if text else ("", False, 0)
        names = next((named for style in styles if (named := _names(style))), [])
        heading = next((found for name in names if (found := NAMED_HEADING.match(name))), None)
        if not text:
            made: list[AnyBlock] = []
        elif heading is not None:
            made = [
                Heading(text=text, level=min(int(heading[2] or 1), 6), spans=spans, number=label if ordered else "")
            ]
        elif label:
            made = [ListItem(text=text, level=level, marker=label, ordered=ordered, spans=spans)]
        else:
            made = [Paragraph(text=text, style=role(names[0] if names else ""), spans=spans)]
        story.add(made, 0)

    def _runs(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The paragraph cut wherever something begins."""
        cuts = {start, end}
        for table in self._tables.values():
            first = bisect_right(table.starts, start)
            while first < len(table.starts) and table.starts[first] < end:
                cuts.add(table.starts[first])
                first += 1
        cuts |= {at + step for at in range(start, end) if self._text[at] in (_ATTACHED, _NOTE_MARK) for step in (0, 1)}
        places = sorted(cuts)
        return pairwise(places)

    def _run(self, start: int, end: int) -> None:
        text = self._text[start:end]
        if text == _NOTE_MARK:
            self._footnote(start)
            return
        if text == _ATTACHED:
            self._attachment(start)
            return
        text = _CONTROLS.sub("", text.replace("\u2028", "\n").replace("\x0b", "\n"))
        if text:
            self._story.line.append((text, frozenset(self._marks(start, text))))

    def _marks(self, start: int, text: str) -> Iterator[Mark]:
        style = self._objects.get(self._tables[_CHAR_STYLE].at(start).ref(2))
        for one in self._chain(style.id):
            shown = one.message(11)
            for number, kind in _LOOKS:
                if shown.number(number):
                    yield Mark(kind)
            if shown.number(10):
                yield Mark("sup" if shown.number(10) == 1 else "sub")
            break  # a character style names all it changes
        linked = self._objects.get(self._tables[_FIELD].at(start).ref(2))
        if linked.kind == _HYPERLINK and linked.text(2):
            yield Mark("link", linked.text(2))
        for table, kind in _CHANGES:
            number = self._tables[table].at(start).ref(2)
            if number:
                change = self._objects.get(number)
                author = self._objects.get(self._objects.get(change.ref(2)).ref(2)).text(1)
                yield Mark(kind, author, moment(change.message(3).double(1)))
        highlight = self._tables[_HIGHLIGHT].at(start).ref(2)
        if highlight:
            yield from self._comment(highlight, text)

    def _comment(self, highlight: int, text: str) -> Iterator[Mark]:
        if highlight in self._seen_comments:
            return
        self._seen_comments.add(highlight)
        notes = self._texts.comment(self._objects.get(highlight).ref(1), text)
        self._story.after += notes
        if notes and isinstance(notes[0], Note):
            yield Mark("comment", notes[0].id)

    def _footnote(self, at: int) -> None:
        mark = self._objects.get(self._tables[_FOOTNOTE].at(at).ref(2))
        text = self._texts.plain(mark.ref(2))
        if text:
            note = self._texts.note("footnote", text)
            self._story.line.append((f"[{note.id}]", frozenset((Mark("note", note.id),))))
            self._story.after.append(note)

    def _attachment(self, at: int) -> None:
        attached = self._objects.get(self._tables[_ATTACHMENT].at(at).ref(2))
        if attached.kind in _NUMBER_KINDS:
            shown = attached.text(3)
            if shown:
                self._story.line.append((shown, frozenset((Mark("field"),))))
        elif attached.kind:
            self._story.after += self._texts.drawn(attached.ref(1))

    def _chain(self, style: int) -> Iterator[Message]:
        """A style and those it is based on, nearest first."""
        for _ in range(_MAX_STEPS):
            stored = self._objects.get(style)
            if not stored.kind:
                return
            yield stored
            style = stored.message(1).ref(3)

    def _label(self, start: int, styles: list[Message]) -> tuple[str, bool, int]:
        """Bullet or number of a paragraph, whether it counts, and its level."""
        level = self._tables[_PARA_DATA].at(start).number(2)
        chain = [*self._chain(self._tables[_LIST_STYLE].at(start).ref(2))]
        kind = self._of_level(chain, 11, level)
        if not kind or level > 16:
            self._counters.clear()
            return "", False, 0
        if kind != _NUMBERED:
            texts = next((found for style in chain if (found := style.texts(16))), [])
            return (texts[level] if kind == _STRING and level < len(texts) else "") or "•", False, level
        for deeper in [known for known in self._counters if known > level]:
            del self._counters[deeper]
        self._counters[level] = self._counters.get(level, 0) + 1
        form, around = divmod(self._of_level(chain, 15, level), 3)
        number = format_number(self._counters[level], _NUMBER_FORMS[form] if form < len(_NUMBER_FORMS) else "decimal")
        return (f"{number}.", f"({number})", f"{number})")[around], True, level

    @staticmethod
    def _of_level(chain: list[Message], number: int, level: int) -> int:
        values = next((found for style in chain if (found := style.numbers(number))), [])
        return values[level] if level < len(values) else 0


def _names(style: Message) -> list[str]:
    """What a style is called: in the language of the template's maker, then in the user's."""
    own = style.message(1)
    return [name for name in (own.text(2).rpartition("style-")[2], own.text(1)) if name]


def _utf16_offsets(text: str) -> list[int]:
    """Where each character begins in UTF-16."""
    offsets: list[int] = []
    at = 0
    for char in text:
        offsets.append(at)
        at += 1 + (char > "\uffff")
    return offsets
