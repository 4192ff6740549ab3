"""Cuts Markdown into top-level pieces, the plain ones read at once, the rest left to the full parser.

Most of what is written in Markdown is paragraphs, headings, fenced code, simple lists and simple tables. Telling them
needs no more than a look at how each line begins; markdown-it-py tries a dozen rules on every line. Whatever
could be anything else under CommonMark 0.31 is given to it whole, so both ways give the same blocks (a test holds them
against each other).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

__all__ = ["Fence", "Grid", "Head", "Items", "Rest", "Segment", "Text", "split_segments"]


class Head(NamedTuple):
    level: int
    content: str


class Text(NamedTuple):
    """A paragraph."""

    content: str


class Fence(NamedTuple):
    info: str
    body: str


class Items(NamedTuple):
    """A list: `(level, bullet or "3.", content)` of each item."""

    items: list[tuple[int, str, str]]


class Grid(NamedTuple):
    """A table: its heading row first."""

    rows: list[list[str]]


class Rest(NamedTuple):
    """Lines only the full parser can read."""

    content: str


Segment = Head | Text | Fence | Items | Grid | Rest

_ATX = re.compile(r"(#{1,6})(?=[ \t]|$)")
_CLOSING = re.compile(r"[ \t]#+[ \t]*$")
_FENCE = re.compile(r"(`{3,}|~{3,})(.*)$")
_ITEM = re.compile(r"( *)(?:([-*+])|(\d{1,9})([.)]))( {1,4})(?=\S)(.*)$")
_BULLETS = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_PLAIN_FIRST = frozenset("\"'“”‘’(,./;@^{}%&\\])—–…•")
# Line beginnings that look special and are plain text: emphasis, a code span, a picture, a link that is no definition.
_PLAIN = re.compile(
    r"\*{1,2}[^\s*]|_{1,2}[^\s_]|`(?!``)|!\[|\[!\[|\[[^\]\[]+\](?!:)|<https?://|\$(?!\$)|~(?!~~)|[-+](?=[^\s\-+*:|])|!(?!!!)|\?(?!\?\?)"
)
_DELIMITERS = re.compile(r"\|(?:[ \t]*:?-+:?[ \t]*(?:\||$))+[ \t]*$")
_OPENS_HTML = re.compile(r"\s*<(?:!--|!|\?|script|pre|style|textarea)", re.IGNORECASE)


def split_segments(text: str) -> list[Segment] | None:
    """The segments in order; None when the text holds something whose extent only the full parser knows."""
    lines = text.split("\n")
    scan = _Scan(lines)
    while scan.at < len(lines):
        if not scan.step():
            return None
    return scan.segments


@dataclass
class _Scan:
    lines: list[str]
    at: int = 0
    segments: list[Segment] = field(default_factory=list[Segment])

    def step(self) -> bool:
        """Read the next segment. False when it cannot be delimited here."""
        line = self.lines[self.at]
        if not line.strip(" \t"):
            self.at += 1
            return True
        first = line[0]
        if first == "#":
            found = _ATX.match(line)
            if found:
                self.segments.append(Head(len(found[1]), _CLOSING.sub("", line[found.end() :]).strip()))
                self.at += 1
                return True
        elif first in "`~":
            found = _FENCE.match(line)
            if found and not (first == "`" and "`" in found[2]):
                return self._fence(found[1], found[2])
        elif first in "-*+0123456789" and _BULLETS.match(line):
            return self._list() or self._rest(self.at)
        elif first == "|" and self._table():
            return True
        return self._paragraph()

    def _fence(self, mark: str, info: str) -> bool:
        """A fenced block to its closing fence, or to the end of the text (CommonMark §4.5)."""
        close = re.compile(rf" {{0,3}}{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$")
        end = self.at + 1
        while end < len(self.lines) and not close.match(self.lines[end]):
            end += 1
        self.segments.append(Fence(info.strip(), "\n".join(self.lines[self.at + 1 : end])))
        self.at = end + 1
        return True

    def _paragraph(self) -> bool:
        start = end = self.at
        lines = self.lines
        while end < len(lines):
            line = lines[end]
            if not line.strip(" \t"):
                break
            if end > start:
                if line[0] == "#" and _ATX.match(line):
                    break
                if line.startswith(("```", "~~~")) and not (line[0] == "`" and "`" in line[3:].lstrip("`")):
                    break
                line = line.lstrip(" \t")
            if not is_plain(line):
                return self._rest(start)
            end += 1
        self.segments.append(Text("\n".join(lines[start:end]).strip()))
        self.at = end
        return True

    def _table(self) -> bool:
        """A table whose every row begins with a bar and escapes none (GFM §4.10)."""
        lines = self.lines
        end = self.at
        while end < len(lines) and lines[end][:1] == "|" and "\\" not in lines[end]:
            end += 1
        if end - self.at < 2 or (end < len(lines) and lines[end].strip()):
            return False
        if not _DELIMITERS.match(lines[self.at + 1]):
            return False
        rows = [_cells(line) for line in lines[self.at : end]]
        width = len(rows[1])
        if len(rows[0]) != width:
            return False
        del rows[1]
        self.segments.append(Grid([(row + [""] * (width - len(row)))[:width] for row in rows]))
        self.at = end
        return True

    def _list(self) -> bool:
        """A list whose items are single paragraphs, nested by exact indentation; False when it is any other."""
        items: list[tuple[int, str, str]] = []
        stack: list[tuple[int, int, str, int]] = []  # marker column, content column, kind, next number
        lines = self.lines
        at = self.at
        while at < len(lines):
            line = lines[at]
            if not line.strip(" \t"):
                following = at + 1
                while following < len(lines) and not lines[following].strip(" \t"):
                    following += 1
                if following >= len(lines):
                    break
                ahead = lines[following]
                if ahead[0] in " \t":
                    return False  # the item goes on in another block
                if not _BULLETS.match(ahead):
                    break
                again = _ITEM.match(ahead)
                if again is None:
                    return False
                if (again[2] or again[4]) != stack[0][2]:
                    break  # another list
                at = following
                line = ahead
            if "\t" in line:
                return False
            item = _ITEM.match(line)
            if item is None:
                body = line.lstrip(" \t")
                if not is_plain(body) or line[0] == "#" or body.startswith("#"):
                    return False
                level, marker, content = items[-1]
                items[-1] = (level, marker, f"{content}\n{body}")
                at += 1
                continue
            column, kind, content = len(item[1]), item[2] or item[4], item[6]
            number = int(item[3] or 0)
            if (
                not (is_plain(content) or content.startswith("[ ] ") or content[:4].lower() == "[x] ")
                or content[0] == "#"
            ):
                return False
            depth = len(stack)
            while stack and column < stack[-1][0]:
                stack.pop()
            if stack and column == stack[-1][0]:
                if stack[-1][2] != kind:
                    return False
                number = stack[-1][3]
                stack.pop()
            elif stack and (len(stack) < depth or not stack[-1][1] <= column < stack[-1][1] + 4):
                return False
            elif stack and item[3] and number != 1:
                return False  # only a list that begins with 1 may interrupt the paragraph of its parent
            elif not stack and column:
                return False
            stack.append((column, item.start(6), kind, number + 1))
            items.append((len(stack) - 1, f"{number}{kind}" if item[3] else "•", content))
            at += 1
        self.segments.append(Items(items))
        self.at = at
        return True

    def _rest(self, start: int) -> bool:
        """Everything up to a blank line behind which a line begins at the margin with something new."""
        lines = self.lines
        end = self.at if self.at > start else start
        in_list = False
        while end < len(lines):
            line = lines[end]
            if line.strip(" \t"):
                in_list = in_list or _BULLETS.match(line.lstrip(" \t")) is not None
                end = self._behind(end)
                if end < 0:
                    return False
                continue
            following = end + 1
            while following < len(lines) and not lines[following].strip(" \t"):
                following += 1
            if following >= len(lines):
                end = following
                break
            ahead = lines[following]
            if ahead[0] not in " \t" and not (in_list and _BULLETS.match(ahead)):
                break
            end = following
        self.segments.append(Rest("\n".join(lines[start:end]) + "\n"))
        self.at = end
        return True

    def _behind(self, at: int) -> int:
        """Behind a line, and behind what it opens; -1 where that may run on over blank lines to text at the margin."""
        lines = self.lines
        line = lines[at]
        body = line.lstrip(" \t>-*+0123456789.)")
        if body.startswith("$$"):
            return -1
        fence = _FENCE.match(body) if body.startswith(("```", "~~~")) else None
        if fence:
            # Inside a list or a quotation it ends there too: sure only when no line of it stands at the margin.
            end = at + 1
            while end < len(lines) and lines[end][:1] in ("", " ", "\t", ">"):
                if lines[end].lstrip(" \t>").startswith(fence[1]) and not lines[end].strip(" \t>`~"):
                    return end + 1
                end += 1
            return -1
        if _OPENS_HTML.match(body) is None:
            return at + 1
        if not line.startswith("<!--"):
            return -1
        end = at
        while end < len(lines) and lines[end].strip(" \t"):
            if "-->" in lines[end]:  # a comment that ends before the next blank line, as most do
                return at + 1
            end += 1
        return -1


def _cells(line: str) -> list[str]:
    cells = line.strip().split("|")[1:]
    if cells and not cells[-1]:
        cells.pop()
    return [cell.strip() for cell in cells]


def is_plain(line: str) -> bool:
    """Whether a line, blanks before it removed, begins like text: no construct can begin with it, nor underline it."""
    first = line[0]
    if first.isalpha() or first in _PLAIN_FIRST or ord(first) > 0x7F:
        return True
    if first.isdigit():
        return not _BULLETS.match(line)
    if first == "#":
        return not _ATX.match(line)
    return _PLAIN.match(line) is not None
