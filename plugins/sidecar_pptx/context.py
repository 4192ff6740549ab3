"""What is shared while a presentation is read: by its slides (`PresentationState`), and by the shapes of one slide
(`Page`).

Not responsible for reading anything."""

from dataclasses import dataclass, field

from sidecar.api import AnyBlock, Limits, Note, Notice
from sidecar.toolkit.ooxml.embeds import EmbedRegister
from sidecar.toolkit.ooxml.package import Package, Relationship
from sidecar.toolkit.word.mathtype.equations import PartEquations
from sidecar_pptx.elements import ElementCandidate
from sidecar_pptx.layouts import Layouts
from sidecar_pptx.links import Links
from sidecar_pptx.shapes import Shape
from sidecar_pptx.visibility import Visibility


@dataclass
class PresentationState:
    """`numbers` gives the 1-based number of a slide part (by lower-case name); sizes in points."""

    package: Package
    limits: Limits
    embeds: EmbedRegister
    layouts: Layouts
    numbers: dict[str, int]
    width: float
    height: float
    rtl: bool
    authors: dict[str, str]
    notices: list[Notice] = field(default_factory=list[Notice])
    seen_words: set[str] = field(default_factory=set[str])
    """Text of layouts, masters and notes headers already given once."""

    def __post_init__(self) -> None:
        self.equations = PartEquations(self.package)

    def damaged(self, message: str, part: int | None = None) -> None:
        """Note a part that could not be read; the rest of the presentation survives."""
        self.notices.append(Notice(code="damaged_part", message=message, part=part))


@dataclass
class Page:
    """One slide being written: its blocks so far, and the elements found among them."""

    presentation: PresentationState
    number: int
    relationships: dict[str, Relationship]
    links: Links
    visibility: Visibility
    blocks: list[AnyBlock] = field(default_factory=list[AnyBlock])
    found: list[ElementCandidate] = field(default_factory=list[ElementCandidate])

    def related(self, relationship_id: str | None) -> Relationship | None:
        """The relationship with that id; None for an id that is missing or unknown."""
        return self.relationships.get(relationship_id or "")

    def describe(self, shape: Shape, text: str) -> None:
        """Alt text of something that is not a picture, as a note beside it."""
        self.blocks.append(
            Note(
                kind="annotation",
                text=shape.alt,
                target=text[:200] or shape.name,
                page=self.number,
                box=shape.box,
                hidden=shape.hidden,
            )
        )
