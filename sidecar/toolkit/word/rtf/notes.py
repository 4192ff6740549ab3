"""What an RTF file sets apart from its text: headers and footers, footnotes, comments, text boxes (RTF 1.9.1,
"Footnotes", "Comments (Annotations)", "Headers and Footers")."""

from sidecar.api.model import Figure, Note, NoteKind
from sidecar.toolkit.word.conventions import moment
from sidecar.toolkit.word.story import Mark, Story

ABOUT_COMMENTS = frozenset(["atnauthor", "atnid", "atnref", "atndate"])
"""Destinations that tell of the comment that follows, or in which they stand."""


class Notes:
    """The notes of a file, numbered by kind; where they are referred to, their mark stands in the line."""

    def __init__(self) -> None:
        self.edges: dict[tuple[str, str], Note] = {}
        """Headers and footers, each once, by kind and text."""
        self.is_endnote = False
        """Whether the footnote being read says it stands at the end."""
        self.facts: dict[str, str] = {}
        """By the names of `ABOUT_COMMENTS`."""
        self._ranges: dict[str, tuple[Story, int]] = {}
        self._counts: dict[str, int] = {}

    def begin(self, kind: NoteKind) -> None:
        """A note begins; a comment's author stands before it, its date within."""
        self.is_endnote = False
        if kind == "comment":
            self.facts.pop("atndate", None)
            self.facts.pop("atnref", None)

    def begin_range(self, reference: str, story: Story) -> None:
        """The text a comment is about begins."""
        self._ranges[reference] = story, sum(len(piece) for piece, _ in story.line)

    def end(self, kind: NoteKind, outer: Story, inner: Story) -> None:
        """Add a finished note to the story it stands in."""
        text, spans = inner.text()
        if kind in ("header", "footer"):
            if text and not text.isdecimal():  # a bare page number
                self.edges.setdefault((kind, text), Note(kind=kind, text=text, spans=spans))
            return
        outer.after += [block for block in inner.blocks if isinstance(block, (Figure, Note))]
        if kind == "textbox":
            outer.after += [Note(kind=kind, text=text, spans=spans)] if text else []
            return
        if kind == "footnote" and self.is_endnote:
            kind, self.is_endnote = "endnote", False
        number = self._counts[kind] = self._counts.get(kind, 0) + 1
        identity = f"{kind}{number}"
        author = date = ""
        if kind == "comment":
            story, start = self._ranges.pop(self.facts.get("atnref", ""), (outer, -1))
            _mark_from(outer, start if story is outer else 0, Mark("comment", identity))
            author = self.facts.get("atnauthor") or self.facts.get("atnid") or ""
            date = moment(_integer(self.facts.get("atndate", "")))
            self.facts = {}
        else:
            outer.line.append((f"[{number}]", frozenset({Mark("note", identity)})))
        outer.after.append(Note(kind=kind, id=identity, text=text, spans=spans, author=author, date=date))


def _mark_from(story: Story, start: int, mark: Mark) -> None:
    """Mark the paragraph being read from a character on; a mark of no length where `start` is negative."""
    if start < 0:
        story.line.append(("", frozenset({mark})))
        return
    at = 0
    for number, (piece, marks) in enumerate(story.line):
        if at >= start:
            story.line[number] = piece, marks | {mark}
        at += len(piece)


def _integer(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        return 0
