"""A number of more digits than Python makes one of (4,300), or than a character has, fails no file: where a reader
counts with it, it is as good as none. Whole documents were refused for one width, level or length."""

from __future__ import annotations

import pytest
from sidecar_calendar import CalendarFormat
from sidecar_html import HtmlFormat
from sidecar_markdown import MarkdownFormat
from sidecar_text import TextFormat

from sidecar.api import Limits, Source

MANY = "9" * 5_000
EVENT = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:kept\nDTSTART:20240101\nDURATION:P{}D\nEND:VEVENT\nEND:VCALENDAR\n"
FILES = {
    "a.html": (HtmlFormat(), "<h1 aria-level={}>kept</h1><img src=a alt=b width={}>"),
    "a.md": (MarkdownFormat(), "+++\na = {}\n+++\n\nkept\n"),
    "a.pod": (TextFormat(), "=pod\n\nkept E<99999999999> E<{}>\n\n=cut\n"),
    "a.rst": (TextFormat(), ".. csv-table:: t\n   :header-rows: {}\n\n   kept,b\n   c,d\n"),
    "a.ics": (CalendarFormat(), EVENT),
}


@pytest.mark.parametrize("name", FILES)
def test_a_number_of_many_digits_fails_no_file(name: str) -> None:
    plugin, text = FILES[name]
    document = plugin.parse(Source.of_bytes(text.replace("{}", MANY).encode(), name), Limits())
    assert "kept" in repr(document.parts)
