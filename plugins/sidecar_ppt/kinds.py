"""The kinds of records in a presentation ([MS-PPT] 2.13.24, RecordType), and of text and placeholders in them."""

from __future__ import annotations

DOCUMENT, SLIDE, SLIDE_HEAD, NOTES, NOTES_HEAD = 0x03E8, 0x03EE, 0x03EF, 0x03F0, 0x03F1
DOCUMENT_HEAD, SLIDE_PLACE, MASTER, SHOW_INFO = 0x03E9, 0x03F3, 0x03F8, 0x03F9
MACROS, DRAWING = 0x0400, 0x040C
SLIDE_LIST = 0x0FF0
TEXT_HEAD, TEXT_WIDE, TEXT_LOOKS, TEXT_NARROW, OUTLINE_TEXT = 0x0F9F, 0x0FA0, 0x0FA1, 0x0FA8, 0x0F9E
STRING = 0x0FBA
FONT, SOUND, SOUND_DATA = 0x0FB7, 0x07E6, 0x07E7
LINK, LINK_HEAD, OBJECT, OBJECT_HEAD, OBJECT_STORAGE = 0x0FD7, 0x0FD3, 0x0FCC, 0x0FC3, 0x1011
ACTION, ACTION_HEAD, ACTION_RANGE = 0x0FF2, 0x0FF3, 0x0FDF
SLIDE_NUMBER, DATE, GENERIC_DATE, HEADER, FOOTER = 0x0FD8, 0x0FF7, 0x0FF8, 0x0FF9, 0x0FFA
PLACEHOLDER, OBJECT_REFERENCE = 0x0BC3, 0x0BC1
EDGES, EDGES_HEAD = 0x0FD9, 0x0FDA
TAGS, TAG, TAG_DATA = 0x1388, 0x138A, 0x138B
DOCUMENT_TAGS = 0x07D0
TEXT_NUMBERS, OUTLINE_NUMBERS, OUTLINE_NUMBERS_HEAD = 0x0FAC, 0x0FAE, 0x0FAF
COMMENT, COMMENT_HEAD = 0x2EE0, 0x2EE1
EDIT, NUMBERS = 0x0FF5, 0x1772
GROUP, SHAPE, GROUP_BOX, CHILD_ANCHOR, ANCHOR, CLIENT_DATA, TEXT_BOX = (
    0xF003, 0xF004, 0xF009, 0xF00F, 0xF010, 0xF011, 0xF00D,
)  # fmt: skip

TITLES = frozenset([0, 6])
"""Kinds of text ([MS-PPT] 2.13.33): a title, one in the middle."""
SUBTITLE = 5
BODIES = frozenset([1, 7, 8])
"""Text with bullets where nothing else is said."""

EDGE_PLACES = {0x07: "footer", 0x08: "number", 0x09: "footer", 0x0A: "header"}
"""Placeholders ([MS-PPT] 2.13.21) on a page's edges: date, slide number, footer, header."""
NOTES_EDGES = frozenset([0x07, 0x08, 0x09, 0x0A, 0x05, 0x0B])
"""Those of a notes page that are no notes: its edges and the picture of the slide."""
