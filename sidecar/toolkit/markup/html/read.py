"""The entry to the HTML walk: an element in, blocks out."""

from __future__ import annotations

from dataclasses import dataclass

from sidecar.api.model import AnyBlock
from sidecar.toolkit.markup.html.tags import HANDLERS, SILENT
from sidecar.toolkit.markup.html.walk import Walk
from sidecar.toolkit.markup.pictures import Pictures
from sidecar.toolkit.xml import XmlElement

__all__ = ["HtmlBlocks", "read_html"]


@dataclass(frozen=True)
class HtmlBlocks:
    blocks: tuple[AnyBlock, ...]
    hidden: bool
    """Whether some of the blocks or spans are hidden."""


def read_html(
    root: XmlElement,
    pictures: Pictures,
    left_out: frozenset[XmlElement] = frozenset(),
    hidden: frozenset[XmlElement] = frozenset(),
) -> HtmlBlocks:
    """The blocks of everything below `root` but the elements `left_out`; those `hidden` are flagged."""
    walk = Walk(HANDLERS, SILENT, pictures, left_out, hidden)
    walk.children(root)
    walk.flush()
    return HtmlBlocks(tuple(walk.blocks), walk.saw_hidden)
