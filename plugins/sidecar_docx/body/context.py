"""What is shared while a Word document is read: by the whole of it (`DocumentState`), and by one story (`StoryState`).

Not responsible for reading anything itself; `story` reads, `document` puts together."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from sidecar.api import AnyBlock, Limits, Notice
from sidecar.toolkit.ooxml.embeds import EmbedRegister
from sidecar.toolkit.ooxml.hidden_text import HiddenText
from sidecar.toolkit.ooxml.package import Package, Relationship
from sidecar.toolkit.visible import changes_notice
from sidecar.toolkit.word.mathtype.equations import PartEquations
from sidecar.toolkit.word.number_formats import format_number
from sidecar.toolkit.word.occlusion import Floating
from sidecar.toolkit.xml import XmlElement, child_of
from sidecar_docx.body.fields import ComplexField
from sidecar_docx.qualified_names import R_ID, VAL, W, is_on
from sidecar_docx.styles.numbering import Numbering
from sidecar_docx.styles.run_properties import PAGE
from sidecar_docx.styles.styles import Styles

RunningKind = Literal["header", "footer"]
_MAX_COMMENTS = 100
"""Comments open at once: Word shows no more than a few over one another."""
_RUNNING: dict[str, RunningKind] = {f"{W}headerReference": "header", f"{W}footerReference": "footer"}
NoteKind = Literal["footnote", "endnote", "comment"]


class TextFull(Exception):
    """More text than `max_text_chars`: reading stops and keeps what it has."""


@dataclass(frozen=True)
class NoteReference:
    """A note or comment called from the text before block `position` of the body; `number` is its `w:id`, `shown`
    the id it is shown under."""

    position: int
    kind: NoteKind
    number: str
    shown: str


@dataclass(frozen=True)
class Section:
    """One section and its headers and footers: `(kind, page, part)`, page "default", "first" or "even"."""

    position: int
    running: tuple[tuple[RunningKind, str, str], ...]
    title_page: bool


@dataclass
class DocumentState:
    """One document being read."""

    package: Package
    limits: Limits
    styles: Styles
    numbering: Numbering
    embeds: EmbedRegister
    page: int = PAGE
    """The background of the pages."""
    body: list[AnyBlock] = field(default_factory=list[AnyBlock])
    references: list[NoteReference] = field(default_factory=list[NoteReference])
    sections: list[Section] = field(default_factory=list[Section])
    notices: list[Notice] = field(default_factory=list[Notice])
    prominent: set[int] = field(default_factory=set[int])
    """`id`s of short bold paragraphs: headings, should the document have no others."""
    kept: list[AnyBlock] = field(default_factory=list[AnyBlock])
    changes: int = 0
    hidden: HiddenText = field(default_factory=HiddenText)
    _room: int = -1
    _shown: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    _counts: dict[str, int] = field(default_factory=dict[str, int])
    _commented: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    _external: dict[str, None] = field(default_factory=dict[str, None])
    _section_start: int = 0

    def __post_init__(self) -> None:
        self.equations = PartEquations(self.package)

    def count_text(self, characters: int) -> None:
        """Count shown text. Raises TextFull beyond `max_text_chars`."""
        if self._room < 0:
            self._room = self.limits.max_text_chars
        if characters > self._room:
            raise TextFull
        self._room -= characters

    def refer(self, kind: NoteKind, number: str) -> str:
        """Note a call of a footnote, endnote or comment, and give the id it is shown under: comments keep theirs,
        notes are numbered in the order of their calls, as Word numbers them."""
        shown = self._shown.get((kind, number))
        if shown is None:
            if kind == "comment":
                shown = number
            else:
                self._counts[kind] = self._counts.get(kind, 0) + 1
                # Endnotes count in small Roman numbers unless told otherwise (§17.11.17): never a footnote's id.
                shown = format_number(self._counts[kind], "lowerRoman" if kind == "endnote" else "decimal")
            self._shown[kind, number] = shown
            self.references.append(NoteReference(len(self.body), kind, number, shown))
        return shown

    def commented(self, comment: str, text: str) -> None:
        """Add to the text a comment is about."""
        self._commented.setdefault(comment, []).append(text)

    def target_of(self, comment: str) -> str:
        """The text a comment is about, bounded; "" when it marks none."""
        return " ".join(" ".join(self._commented.get(comment, ())).split())[:1000]

    def external(self, target: str) -> None:
        """Note content that lies outside the file and was not fetched."""
        self._external.setdefault(target)

    def damaged(self, message: str) -> None:
        """Note an optional part that could not be read; the rest of the document survives."""
        self.notices.append(Notice("damaged_part", message))

    def end_section(self, node: XmlElement, relations: Mapping[str, Relationship]) -> None:
        """A `w:sectPr` (§17.6.17) closes the section that began where the last ended; `relations` are of its part."""
        running: list[tuple[RunningKind, str, str]] = []
        for child in node:
            kind = _RUNNING.get(child.tag)
            relation = relations.get(child.get(R_ID, "")) if kind is not None else None
            if kind is not None and relation is not None and not relation.external:
                running.append((kind, child.get(f"{W}type", "default"), relation.target))
        title = child_of(node, f"{W}titlePg")
        self.sections.append(Section(self._section_start, tuple(running), title is not None and is_on(title.get(VAL))))
        self._section_start = len(self.body)

    def close_sections(self) -> None:
        """A body whose last section is not closed still has one."""
        if not self.sections:
            self.sections.append(Section(0, (), title_page=False))

    def remarks(self) -> list[Notice]:
        """All notices, those counted on the way included."""
        found = [*self.notices, *changes_notice(self.changes), *self.hidden.notices()]
        if self._external:
            shown = ", ".join(list(self._external)[:5])
            found.append(Notice("external_content", f"Content outside the file was not fetched: {shown}."))
        return found


class StoryState(ABC):
    """One story (a part of the package) being read: its relationships, open fields and open comment ranges."""

    def __init__(self, document: DocumentState, part: str) -> None:
        self.document = document
        self.part = part
        self.fields: list[ComplexField] = []
        self.codes_open = 0
        """How many of the open fields are still in their code."""
        self.open_comments: dict[str, int] = {}
        self.background = document.page
        """What is behind the text being read, as `run_properties.shading` gives it."""
        self.covered = False
        """Whether a cell is being read that a merge covers: its empty paragraphs are not numbered."""
        self.floating: dict[XmlElement, list[Floating]] = {}
        """The drawings that float, by the paragraph they hang on."""
        self._relations: dict[str, Relationship] | None = None

    def begin_comment(self, number: str, at: int) -> None:
        """What a comment is about begins here, in the text of its paragraph; of more than a hundred that are open no
        more is told than where they stand, since each of them goes on over every paragraph."""
        if len(self.open_comments) < _MAX_COMMENTS:
            self.open_comments[number] = at

    @abstractmethod
    def inner(self, node: XmlElement, depth: int) -> list[AnyBlock]:
        """The blocks of a container that is a text of its own inside this part (cell, text box, note)."""

    @property
    def relations(self) -> dict[str, Relationship]:
        """The part's relationships, asked for when the first is needed."""
        if self._relations is None:
            self._relations = self.document.package.relationships(self.part)
        return self._relations

    def relation(self, relation_id: str) -> Relationship | None:
        """The part's relationship of that id."""
        return self.relations.get(relation_id)

    def link_target(self, relation_id: str | None, anchor: str | None) -> str:
        """A hyperlink's target: URL, `#anchor`, or both; "" when it leads nowhere."""
        relation = self.relation(relation_id) if relation_id else None
        target = relation.target if relation is not None else ""
        return f"{target}#{anchor}" if anchor and "#" not in target else target
