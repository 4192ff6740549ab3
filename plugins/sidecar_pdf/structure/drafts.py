"""What one page yields before the whole document is known: drafts, which `finish` turns into blocks once body size,
running heads and outline are settled. A draft holds text and the few facts that decision needs, not the words.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from sidecar.api import Box, Merge, Note, Span
from sidecar.toolkit.captions import Caption
from sidecar_pdf.pdfium.pages import PageFrame
from sidecar_pdf.text.scan import PlacedImage

DraftKind = Literal["text", "list", "equation", "table", "figure"]
Margin = Literal["", "top", "bottom"]


@dataclass(slots=True)
class Draft:
    kind: DraftKind
    text: str
    box: Box
    size: float = 0.0
    bold: bool = False
    italic: bool = False
    mono: bool = False
    capitals: bool = False
    """Set in small capitals."""
    lines: int = 1
    hidden: bool = False
    alone: bool = False
    """Set apart above and below by more than line spacing."""
    spans: tuple[Span, ...] = ()
    margin: Margin = ""
    marker: str = ""
    label: str = ""
    """An equation's number."""
    caption: Caption | None = None
    code: str = ""
    """The lines as set, where the type is monospaced."""
    rows: list[list[str]] = field(default_factory=list[list[str]])
    merges: tuple[Merge, ...] = ()
    header_rows: int = 0
    images: tuple[int, ...] = ()
    """Positions in the document's embedded images."""
    furniture: bool = False
    """A drawing that belongs to the design of the page: a logo, a banner, printer's marks."""
    column_left: float = 0.0
    drawn: int = 0


@dataclass(slots=True)
class DraftPage:
    """One page: its drafts in reading order, and what annotations added."""

    width: float
    height: float
    frame: PageFrame | None = None
    """Where boxes lie on the page as shown, which is turned where most of its text runs another way."""
    name: str = ""
    drafts: list[Draft] = field(default_factory=list[Draft])
    notes: list[Note] = field(default_factory=list[Note])
    texted: bool = False
    """Whether the page had a text layer with letters in it."""
    drawn: bool = False
    """Whether anything but text is drawn on it."""
    truncated: bool = False
    bits: list[Box] = field(default_factory=list[Box])
    """Small drawings no figure was made of; a caption without a figure may still claim them."""

    def shown(self, box: Box) -> Box:
        """A box of the page as read on the page as shown, to a tenth of a point."""
        x0, y0, x1, y1 = self.frame.shown(box) if self.frame else box
        return round(x0, 1), round(y0, 1), round(x1, 1), round(y1, 1)


@dataclass(frozen=True)
class PageImages:
    """The images of a page that became embedded objects: `(placed, embed id)`."""

    ids: dict[tuple[int, ...], int]

    def of(self, images: list[PlacedImage]) -> tuple[int, ...]:
        return tuple(dict.fromkeys(self.ids[i.path] for i in images if i.path in self.ids))
