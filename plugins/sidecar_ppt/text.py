"""Text of a presentation: paragraphs with their levels and bullets, the looks of characters, links ([MS-PPT] 2.9)."""

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sidecar.api.model import Span, SpanKind
from sidecar.toolkit.ole.officeart import Record, records
from sidecar.toolkit.ooxml.hidden_text import similar_colours
from sidecar.toolkit.visible import invisible_spans, trimmed
from sidecar.toolkit.word.number_formats import AutoNumbers
from sidecar.toolkit.word.symbols import bullet
from sidecar_ppt.file import BODIES, BODY, SUBTITLE, Kind
from sidecar_ppt.numbers import read_numberings

_LOOKS: tuple[tuple[int, SpanKind], ...] = ((1, "bold"), (2, "italic"), (4, "underline"))
_PARAGRAPH_FIELDS = (
    (0x000F, 2), (0x0080, 2), (0x0010, 2), (0x0040, 2), (0x0020, 4), (0x0800, 2), (0x1000, 2), (0x2000, 2),
    (0x4000, 2), (0x0100, 2), (0x0400, 2), (0x8000, 2),
)  # fmt: skip
"""Bits of a paragraph's mask and the bytes of what they announce, in the order it stands ([MS-PPT] 2.9.20)."""
_LATER_FIELDS = ((0x10000, 2), (0xE0000, 2), (0x200000, 2))
_TABS = 0x100000
_STYLE_LEVELS = 5
"""Levels of text that a master describes."""
_OF_TEXT = -2
"""Stands for a bullet's font that is the one of the text."""
_BULLET_FLAGS, _BULLET, _BULLET_FONT = 0x000F, 0x0080, 0x0010
_CHARACTER_FIELDS = (
    (0x010000, 2), (0x200000, 2), (0x400000, 2), (0x800000, 2), (0x020000, 2), (0x040000, 4), (0x080000, 2),
)  # fmt: skip
"""The same of characters, after their style (2.9.14)."""
_NUMBER_RUN = 0x3C00
"""Bits of a character's style that number a run of the StyleTextProp9Atom (pp9rt, [MS-PPT] 2.9.15)."""
_MIN_POINTS = 2
"""Type smaller than this cannot be read."""
_STYLE_BITS, _POSITION, _SIZE, _COLOUR = 0xFFFF, 0x080000, 0x020000, 0x040000
_PLAIN = 0xFE
"""Index of a colour that is told by itself ([MS-PPT] 2.12.2)."""


@dataclass(frozen=True)
class SlideFields:
    """What stands for other text: the slide's number, date, header and footer; link targets and fonts by number."""

    number: str = ""
    date: str = ""
    header: str = ""
    footer: str = ""
    links: Mapping[int, str] = field(default_factory=dict[int, str])
    fonts: tuple[str, ...] = ()


class Line(NamedTuple):
    """One paragraph; `marker` is its bullet or number, "" for none."""

    text: str
    level: int
    marker: str
    spans: tuple[Span, ...]
    ordered: bool = False


@dataclass
class Paragraphs:
    """How many characters, how deep, and whether and with what they begin; None, "" and -1 where that is not said."""

    count: int
    level: int
    has_bullet: bool | None = None
    sign: str = ""
    font: int = -1


TextStyles = Mapping[int, Sequence[Paragraphs]]
"""Kind of text → what a master says of its paragraphs, level by level."""


@dataclass
class SlideText:
    """One text: its kind ([MS-PPT] 2.13.33), and the records that belong to it."""

    kind: int = 4
    raw: str = ""
    looks: bytes = b""
    numbers: bytes = b""
    """What is said of numbered paragraphs (StyleTextProp9Atom)."""
    replaced: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    links: list[tuple[int, int, str]] = field(default_factory=list[tuple[int, int, str]])
    scheme: Sequence[int] = ()
    """The slide's colours by their number."""
    behind: int | None = None
    """The colour it stands on, None where that is not told."""
    styles: TextStyles = field(default_factory=dict[int, Sequence[Paragraphs]])
    """What the slide's master says of its kinds of text."""

    def lines(self, words: SlideFields) -> list[Line]:
        """The paragraphs, those without words left out."""
        text = self.raw.replace("\x0b", "\n").replace("\x0c", "\n")
        paragraphs, spans, runs = self._read_runs(len(text))
        numberings = read_numberings(self.numbers)
        numbers = AutoNumbers()
        spans += [Span("link", start, min(end, len(text)), target) for start, end, target in self.links]
        lines: list[Line] = []
        at = 0
        for piece in text.split("\r"):
            own = _at(paragraphs, at)
            inside = [_moved(span, at, len(piece)) for span in spans if span.start < at + len(piece) and span.end > at]
            shown, inside = self._filled(piece, at, inside)
            stripped, bare = trimmed(shown, [span for span in inside if span.end > span.start])
            kept = tuple(sorted((*bare, *invisible_spans(stripped)), key=lambda span: (span.start, -span.end)))
            if stripped:
                marker = self._marker(own, words)
                run = next((number for start, number in reversed(runs) if start <= at), 0)
                numbering = numberings[run] if marker and run < len(numberings) else None
                if numbering is not None:
                    marker = numbers.next(own.level, numbering.scheme, numbering.first)
                else:
                    numbers.stop(own.level)
                lines.append(Line(stripped, own.level, marker, kept, numbering is not None))
            at += len(piece) + 1
        return lines

    def _filled(self, piece: str, at: int, spans: list[Span]) -> tuple[str, list[Span]]:
        """A paragraph with the slide's number, date or footer in the places kept for them; spans move along."""
        for place, shown in sorted(self.replaced, reverse=True):
            inner = place - at
            if 0 <= inner < len(piece):
                piece = piece[:inner] + shown + piece[inner + 1 :]
                more = len(shown) - 1
                spans = [
                    Span(s.kind, s.start + more * (s.start > inner), s.end + more * (s.end > inner), s.value, s.date)
                    for s in spans
                ]
        return piece, spans

    def _marker(self, own: Paragraphs, words: SlideFields) -> str:
        levels = self.styles.get(self.kind) or self.styles.get(BODY if self.kind in BODIES else -1) or ()
        if levels:
            own = _styled(own, levels[min(own.level, len(levels) - 1)])
        if not (own.has_bullet if own.has_bullet is not None else self.kind in BODIES):
            return ""
        font = words.fonts[own.font] if 0 <= own.font < len(words.fonts) else ""
        return bullet(own.sign, font) if own.sign else "•"

    def _read_runs(self, length: int) -> tuple[list[Paragraphs], list[Span], list[tuple[int, int]]]:
        """Paragraph runs, then character runs ([MS-PPT] 2.9.44), and from where on which run of `numbers` counts; what
        does not fit ends them."""
        paragraphs: list[Paragraphs] = []
        spans: list[Span] = []
        numbered: list[tuple[int, int]] = []
        data = self.looks
        try:
            at = read = 0
            while read <= length and data:
                run, at = _paragraph_run(data, at)
                paragraphs.append(run)
                read += run.count
            read = 0
            while read <= length and at < len(data):
                count, marks, run, ink, at = _character_run(data, at, self.scheme)
                if ink is not None and self.behind is not None and similar_colours(ink, self.behind):
                    marks.append("hidden")
                numbered.append((read, run))
                spans += [Span(kind, read, min(read + count, length)) for kind in marks if read < length]
                read += count
        except struct.error:
            pass
        return paragraphs, spans, numbered


def read_texts(content: Iterable[Record], words: SlideFields) -> list[SlideText]:
    """The texts in a run of records; each begins with its head."""
    texts: list[SlideText] = []
    pending = ""
    stands_for = {
        Kind.SLIDE_NUMBER: words.number, Kind.DATE: words.date, Kind.GENERIC_DATE: words.date,
        Kind.HEADER: words.header, Kind.FOOTER: words.footer,
    }  # fmt: skip
    for record in content:
        data = record.content
        if record.kind == Kind.TEXT_HEAD and len(data) >= 4:
            texts.append(SlideText(int.from_bytes(data[:4], "little")))
            continue
        if not texts:
            continue
        text = texts[-1]
        if record.kind == Kind.TEXT_WIDE:
            text.raw = data.decode("utf-16-le", "replace")
        elif record.kind == Kind.TEXT_NARROW:
            text.raw = data.decode("latin-1")
        elif record.kind == Kind.TEXT_LOOKS:
            text.looks = data
        elif record.kind == Kind.ACTION:
            pending = link_of(record, words.links)
        elif record.kind == Kind.ACTION_RANGE and len(data) >= 8 and pending:
            start, end = struct.unpack_from("<II", data)
            text.links.append((start, end, pending))
        elif record.kind in stands_for and len(data) >= 4:
            text.replaced.append((int.from_bytes(data[:4], "little"), stands_for[record.kind]))
    return texts


def link_of(action: Record, links: Mapping[int, str]) -> str:
    """Where a click leads, "" for nowhere outside the show."""
    head = next((record for record in records(action.content) if record.kind == Kind.ACTION_HEAD), None)
    return links.get(int.from_bytes(head.content[4:8], "little"), "") if head is not None else ""


def read_styles(master: bytes) -> TextStyles:
    """What a master says of each kind of text (TextMasterStyleAtom, [MS-PPT] 2.9.35). A level takes from the one above
    it what it does not say itself; what does not fit ends a kind."""
    styles: dict[int, Sequence[Paragraphs]] = {}
    for record in records(master):
        if record.kind != Kind.TEXT_STYLES:
            continue
        data = record.content
        levels: list[Paragraphs] = []
        at = 2
        try:
            for _ in range(min(int.from_bytes(data[:2], "little"), _STYLE_LEVELS)):
                at += 2 if record.instance >= SUBTITLE else 0  # these say first which level they are
                run, at = _paragraph_look(data, at, Paragraphs(0, 0))
                at = _character_run(data, at - 4, ())[-1]  # as a run, but without how many characters
                levels.append(_styled(run, levels[-1]) if levels else run)
        except struct.error:
            pass
        styles[record.instance] = levels
    return styles


def _styled(own: Paragraphs, style: Paragraphs) -> Paragraphs:
    """Paragraphs with what a style says where they say nothing themselves."""
    return Paragraphs(
        own.count,
        own.level,
        own.has_bullet if own.has_bullet is not None else style.has_bullet,
        own.sign or style.sign,
        own.font if own.font != -1 else style.font,
    )


def _paragraph_run(data: bytes, at: int) -> tuple[Paragraphs, int]:
    count, level = struct.unpack_from("<IH", data, at)
    return _paragraph_look(data, at + 6, Paragraphs(count, min(level, 8)))


def _paragraph_look(data: bytes, at: int, run: Paragraphs) -> tuple[Paragraphs, int]:
    """A TextPFException ([MS-PPT] 2.9.20) read into a run."""
    mask = struct.unpack_from("<I", data, at)[0]
    at += 4
    for bit, size in _PARAGRAPH_FIELDS:
        if mask & bit:
            value = struct.unpack_from("<H", data, at)[0]
            if bit == _BULLET_FLAGS:
                run.has_bullet = bool(value & 1) if mask & 1 else None
                run.font = _OF_TEXT if mask & 2 and not value & 2 else -1
            elif bit == _BULLET:
                run.sign = chr(value) if not 0xD800 <= value < 0xE000 else ""
            elif bit == _BULLET_FONT and run.font != _OF_TEXT:
                run.font = value
            at += size
    if mask & _TABS:
        at += 2 + 4 * struct.unpack_from("<H", data, at)[0]
    at += sum(size for bit, size in _LATER_FIELDS if mask & bit)
    return run, at


def _character_run(data: bytes, at: int, scheme: Sequence[int]) -> tuple[int, list[SpanKind], int, int | None, int]:
    """How many characters, how they look, which run of numbers they belong to, their colour where it is told, and where
    the next run begins."""
    count, mask = struct.unpack_from("<II", data, at)
    at += 8
    marks: list[SpanKind] = []
    run, ink = 0, None
    if mask & _STYLE_BITS:
        style = struct.unpack_from("<H", data, at)[0]
        run = (style & mask & _NUMBER_RUN) >> 10
        marks = [kind for bit, kind in _LOOKS if mask & bit and style & bit]
        at += 2
    for bit, size in _CHARACTER_FIELDS:
        if mask & bit:
            if bit == _POSITION:
                raised = struct.unpack_from("<h", data, at)[0]
                if raised:
                    marks.append("sup" if raised > 0 else "sub")
            elif bit == _SIZE and struct.unpack_from("<H", data, at)[0] < _MIN_POINTS:
                marks.append("hidden")
            elif bit == _COLOUR:
                ink = _scheme_colour(data[at : at + 4], scheme)
            at += size
    return count, marks, run, ink, at


def _scheme_colour(written: bytes, scheme: Sequence[int]) -> int | None:
    """A ColorIndexStruct as 0xRRGGBB; None for one that is not told."""
    red, green, blue, index = written.ljust(4, b"\xff")
    if index == _PLAIN:
        return red << 16 | green << 8 | blue
    return scheme[index] if index < len(scheme) else None


def _at(paragraphs: list[Paragraphs], at: int) -> Paragraphs:
    for run in paragraphs:
        if at < run.count:
            return run
        at -= run.count
    return Paragraphs(0, 0)


def _moved(span: Span, by: int, length: int) -> Span:
    return Span(span.kind, max(span.start - by, 0), min(span.end - by, length), span.value, span.date)
