"""What a paragraph of an RTF file is when it ends: a heading by style or outline level, a list item by its marker, a
paragraph. Not responsible for where it goes."""

import re

from sidecar.api.model import AnyBlock, Heading, ListItem, Paragraph
from sidecar.toolkit.word.conventions import displayed_equations, role
from sidecar.toolkit.word.rtf.header import Header
from sidecar.toolkit.word.rtf.state import State
from sidecar.toolkit.word.story import Story, shifted

_BULLET = re.compile(r"([•◦▪·‣]|\d{1,3}[.)]|[a-z][.)])[ \xa0]*\t+")


def ended_paragraph(story: Story, state: State, header: Header) -> list[AnyBlock]:
    """The block of the line that ends in the story, which begins anew; [] where it has no text."""
    text, spans = story.take_line()
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
        return [ListItem(text=text, spans=spans, level=state.list_level, marker=shown, ordered=ordered, anchor=anchor)]
    return [Paragraph(text=text, spans=spans, style=role(style.name), anchor=anchor)]
