"""Builds one paragraph's text and its spans from runs, collapsing white space as a browser does (CSS Text 3 §4.1).

Knows nothing of any markup."""

from collections.abc import Sequence

from sidecar.api.model import Span, SpanKind
from sidecar.toolkit.visible import invisible_spans


class Inline:
    """A growing line of text with spans over it.

    White space is collapsed across runs, none stands at the start, and `take` trims the end. Spans are offsets in
    the collapsed text; empty ones vanish and those with white edges shrink."""

    __slots__ = ("_parts", "_spaced", "_spans", "generation", "length")

    def __init__(self) -> None:
        self.generation = 0
        """Grows with each `take`, so that a caller with an open span knows its start is gone."""
        self._parts: list[str] = []
        self._spans: list[Span] = []
        self.length = 0
        """Characters of the line so far."""
        self._spaced = True

    @property
    def in_word(self) -> bool:
        """Whether what is added now stands right behind a word or its punctuation."""
        return not self._spaced

    def add(self, text: str) -> None:
        """Append a run, its white space collapsed."""
        words = text.split()
        if not words:
            if not self._spaced and text:
                self._parts.append(" ")
                self.length += 1
                self._spaced = True
            return
        run = " ".join(words) if len(words) > 1 else words[0]
        if len(run) == len(text):  # most have no white space around them
            self._spaced = False
        else:
            if not self._spaced and text[0].isspace():
                run = " " + run
            if text[-1].isspace():
                run += " "
                self._spaced = True
            else:
                self._spaced = False
        self._parts.append(run)
        self.length += len(run)

    def add_exact(self, text: str) -> None:
        """Append a run as it is."""
        if text:
            self._push(text)
            self._spaced = text[-1].isspace()

    def line_break(self) -> None:
        """A line break the reader sees; blanks before it go."""
        while self._parts and self._parts[-1].endswith(" "):
            last = self._parts.pop()
            trimmed = last.rstrip(" ")
            self.length -= len(last) - len(trimmed)
            if trimmed:
                self._parts.append(trimmed)
                break
        if self._parts:
            self._push("\n")
        self._spaced = True

    def span(
        self, kind: SpanKind, start: int, value: str = "", date: str = "", *, generation: int | None = None
    ) -> None:
        """Mark everything from `start` to here; from 0 when the line was taken since `generation`."""
        if generation is not None and generation != self.generation:
            start = 0
        if start < self.length or kind in ("note", "comment"):
            self._spans.append(Span(kind, start, self.length, value, date))

    def finish_line(self) -> tuple[str, tuple[Span, ...]]:
        """The text so far and its spans; starts a new line."""
        self.generation += 1
        self._spaced = True
        if not self._parts:
            return self._lone_marks()
        text = "".join(self._parts).rstrip()
        self._parts.clear()
        self.length = 0
        if not text.isascii():
            self._spans += invisible_spans(text)
        if not self._spans:
            return text, ()
        spans = tuple(_trimmed(self._spans, text))
        self._spans.clear()
        return text, spans

    def _lone_marks(self) -> tuple[str, tuple[Span, ...]]:
        """A line of nothing but marks of notes, see `note_marks`; other spans wait for words."""
        text, marks = note_marks(self._spans)
        if text:
            self._spans.clear()
        return text, marks

    def _push(self, run: str) -> None:
        self._parts.append(run)
        self.length += len(run)


def note_marks(spans: Sequence[Span]) -> tuple[str, tuple[Span, ...]]:
    """The text, with its spans, of a line that only the marks of notes stand on: such a line shows their numbers."""
    text = ""
    marks: list[Span] = []
    for span in spans:
        if span.kind == "note" and span.value:
            shown = f"[{span.value}]"
            marks.append(Span("note", len(text), len(text) + len(shown), span.value))
            text += shown
    return text, tuple(marks)


def _trimmed(spans: list[Span], text: str) -> list[Span]:
    kept: list[Span] = []
    size = len(text)
    for span in spans:
        first, end = span.start, min(span.end, size)
        start = first
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        if start == first and start < end == span.end:
            kept.append(span)
        elif start < end or span.kind in ("note", "comment"):
            kept.append(Span(span.kind, min(start, size), end, span.value, span.date))
    if len(kept) > 1:
        kept.sort(key=_nesting)
    return kept


def _nesting(span: Span) -> tuple[int, int]:
    return span.start, -span.end
