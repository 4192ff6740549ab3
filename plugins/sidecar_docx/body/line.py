"""One paragraph's text with its spans while it is read; what of the XML becomes text, `paragraph` says."""

from sidecar.api.model import AnyBlock, Span
from sidecar.toolkit.ooxml.hidden_text import HiddenKind
from sidecar_docx.body.context import StoryState
from sidecar_docx.body.fields import ComplexField
from sidecar_docx.styles.run_properties import HIDDEN, hidden_by, mask_spans

_LINE_BREAKS = frozenset({None, "textWrapping"})


class Line:
    """The paragraph being read."""

    __slots__ = (
        "anchor", "commented", "covered", "displayed", "floats", "hidden", "length", "masks", "maths", "parts",
        "sequence", "spans", "story",
    )  # fmt: skip

    def __init__(self, story: StoryState) -> None:
        self.story = story
        self.parts: list[str] = []
        self.length = 0
        self.spans: list[Span] = []
        self.commented: set[str] = set()
        """The comments that have a span."""
        self.masks: list[tuple[int, int, int]] = []
        self.floats: list[AnyBlock] = []
        self.maths: list[tuple[int, int, str]] = []
        self.displayed: list[int] = []
        """Indexes into `maths` of displayed equations."""
        self.sequence = False
        """Whether a SEQ field numbers it, as Word's captions are."""
        self.anchor = ""
        self.hidden: set[HiddenKind] = set()
        """Why some of its text is not seen; known when it is finished."""
        self.covered = 0
        """Characters of it that a picture in front covers."""
        for frame in story.fields:
            frame.start = 0
        for number in story.open_comments:
            story.open_comments[number] = 0

    def add(self, text: str, mask: int = 0) -> None:
        """Append shown text, unless a field code is being read."""
        if self.story.codes_open:
            frame = self.story.fields[-1]
            frame.held.append(text)
            if frame.in_code:
                frame.code.append(text)
            return
        end = self.length + len(text)
        self.parts.append(text)
        if mask:
            self.masks.append((self.length, end, mask))
        self.length = end

    def since(self, start: int) -> str:
        """The text from a place where a piece of it began."""
        pieces, at = 0, self.length
        while at > start and pieces < len(self.parts):
            pieces += 1
            at -= len(self.parts[-pieces])
        return "".join(self.parts[len(self.parts) - pieces :])

    def add_break(self, kind: str | None, mask: int) -> None:
        """A line break; a page or column break is a line's end where it stands between words."""
        if kind in _LINE_BREAKS or (self.length and not self.parts[-1].endswith((" ", "\n"))):
            self.add("\n", mask)

    def close(self, frame: ComplexField) -> None:
        """Span the result of a field up to here."""
        meaning = frame.meaning
        if meaning.kind and meaning.value and self.length > frame.start and not self.story.codes_open:
            self.spans.append(Span(meaning.kind, frame.start, self.length, meaning.value))

    def finish(self, behind: int) -> tuple[str, list[Span]]:
        """The text and all spans, on a background of `behind`; what stays open (fields, comment ranges) goes on in the
        next paragraph."""
        story = self.story
        for frame in list(story.fields) if story.fields else ():
            if frame.in_code:
                # A field code that does not end in its paragraph is a broken field, not a lost paragraph.
                story.fields.remove(frame)
                story.codes_open -= 1
                if not story.codes_open:
                    self.add("".join(frame.held))
            else:
                self.close(frame)
        for number, start in story.open_comments.items():
            self.comment(number, start)
        text = "".join(self.parts)
        spans = mask_spans(self._seen(text, behind)) if self.masks else []
        spans += self.spans
        if self.maths:
            spans += [Span("math", start, end, source) for start, end, source in self.maths]
        return text, spans

    def _seen(self, text: str, behind: int) -> list[tuple[int, int, int]]:
        """The masks, with those of text that is not seen made hidden."""
        made: list[tuple[int, int, int]] = []
        for start, end, mask in self.masks:
            kind = hidden_by(mask, behind)
            if kind is not None and (kind == "formatting" or text[start:end].strip()):
                self.hidden.add(kind)
                made.append((start, end, mask | HIDDEN))
            else:
                made.append((start, end, mask))
        return made

    def comment(self, number: str, start: int) -> None:
        """Span what a comment is about, from `start` to here."""
        if self.length > start:
            self.story.document.commented(number, "".join(self.parts)[start : self.length])
            self.spans.append(Span("comment", start, self.length, number))
            self.commented.add(number)
