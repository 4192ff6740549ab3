"""Block-level reStructuredText (docutils specification): sections, lists, literal blocks, tables, fields, notes."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from sidecar.api import AnyBlock, Cell, Code, Heading, ListItem, Paragraph, Span
from sidecar.toolkit.markup.code import code_blocks
from sidecar.toolkit.markup.grid import table_windows
from sidecar_text.rst import directives
from sidecar_text.rst.inline import ReferenceNames, fold, read_inline
from sidecar_text.rst.tables import TextGrid, is_grid_rule, is_simple_rule, read_grid, read_simple

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1{1,}$")
_BULLET = re.compile(r"([*+\-•‣⁃])( +)(?=\S)")
_ENUMERATED = re.compile(r"(\(?(?:\d{1,4}|[A-Za-z]|[ivxlcdmIVXLCDM]{2,6}|#)[.)])( +)(?=\S)")
_FIELD = re.compile(r":(?!:)((?:[^:\\]|\\.)+):(?:[ \t]+(.*)|$)")
_TARGET = re.compile(r"\.\. _(`[^`]+`|[^:]+|__):(?:[ \t]+(.*))?$")
_SUBSTITUTION = re.compile(r"\.\. \|([^|]+)\| ([\w-]+) ?::[ \t]*(.*)")
_INDENT = re.compile(r"[ ]*")
_MAX_DEPTH = 40
_MAX_SUBSTITUTION_LINES = 100
"""Lines of what a name in the text stands for."""


@dataclass(frozen=True)
class RstDocument:
    """What a file holds; `metadata` is the field list at its head, names in lower case."""

    blocks: list[AnyBlock]
    metadata: dict[str, str]


def read_rst(text: str) -> RstDocument:
    """The blocks of a whole document; the field list at its head becomes metadata."""
    lines = [line.rstrip() for line in text.expandtabs(8).split("\n")]
    names = ReferenceNames()
    for number, line in enumerate(lines):
        _define(line.lstrip(), lines, number, names)
    reader = _BlockReader(names, {}, {})
    reader.lines(lines, 0)
    return RstDocument(reader.blocks, reader.metadata)


def _define(line: str, lines: list[str], number: int, names: ReferenceNames) -> None:
    if not line.startswith(".. "):
        return
    target = _TARGET.match(line)
    if target:
        url = (target[2] or "").strip()
        if not url and number + 1 < len(lines) and "://" in lines[number + 1]:
            url = lines[number + 1].strip()
        name = target[1].strip("`").replace("\\", "")
        names.links.setdefault(fold(name), url or f"#{name}")
        return
    substitution = _SUBSTITUTION.match(line)
    if substitution is None:
        return
    name, body = fold(substitution[1]), [substitution[3], *_continued(lines, number, len(lines[number]) - len(line))]
    kind = substitution[2].lower()
    if kind == "replace":
        names.substitutions[name] = read_inline(" ".join(body), ReferenceNames())[0]
    elif kind == "unicode":
        names.substitutions[name] = directives.characters(substitution[3])
    elif kind == "image":
        names.pictures[name] = directives.picture(substitution[3], body[1:], substitution[1])


def _continued(lines: list[str], number: int, indent: int) -> list[str]:
    """The lines that go on with what begins in a line, without their indentation."""
    found: list[str] = []
    for line in islice(lines, number + 1, number + 1 + _MAX_SUBSTITUTION_LINES):
        if line and len(line) - len(line.lstrip()) <= indent:
            break
        found.append(line.strip())
    return found


class _BlockReader:
    """The state of one reading: blocks so far, names, and the order in which heading adornments appeared."""

    def __init__(self, names: ReferenceNames, levels: dict[str, int], metadata: dict[str, str]) -> None:
        self.blocks: list[AnyBlock] = []
        self.names = names
        self.metadata = metadata
        self._levels = levels
        self._depth = 0
        self._anchor = ""

    def inner(self, lines: list[str], level: int = 0) -> list[AnyBlock]:
        """The blocks of an indented body, read on its own."""
        reader = _BlockReader(self.names, self._levels, self.metadata)
        reader._depth = self._depth + 1
        if reader._depth > _MAX_DEPTH:
            return [Paragraph(text=" ".join(" ".join(lines).split()))]
        reader.lines(lines, level)
        return reader.blocks

    def inline(self, text: str) -> tuple[str, tuple[Span, ...]]:
        return read_inline(text, self.names)

    def paragraph(self, text: str, style: str = "") -> None:
        pictures = self.names.pictures_in(text)
        if pictures and not self.names.without_pictures(text).strip():  # badges under a title, say
            self.blocks.extend(pictures)
            return
        shown, spans = read_inline(text, self.names)
        if shown:
            self.blocks.append(Paragraph(text=shown, spans=spans, style=style))
        self.blocks.extend(pictures)

    def table(self, grid: TextGrid, caption: str = "") -> None:
        """A grid whose cells still hold inline markup."""
        rows: list[list[str]] = []
        cells: list[Cell] = []
        for number, row in enumerate(grid.rows):
            rows.append([])
            for col, text in enumerate(row):
                shown, spans = read_inline(text, self.names)
                rows[-1].append(shown)
                if spans:
                    cells.append(Cell(number, col, spans=spans))
        if rows:
            self.blocks.extend(
                table_windows(rows, header_rows=grid.header_rows, merges=grid.merges, cells=cells, caption=caption)
            )

    def lines(self, lines: list[str], level: int) -> None:
        """Read lines whose base indentation is none; `level` is the list level of items among them."""
        at = 0
        count = len(lines)
        while at < count:
            line = lines[at]
            if not line:
                at += 1
                continue
            if line[0] == " ":
                end = _block_end(lines, at, 1)
                for block in self.inner(_dedented(lines[at:end]), level):
                    self.blocks.append(_as_quote(block))
                at = end
                continue
            at = self._construct(lines, at, level)

    def _construct(self, lines: list[str], at: int, level: int) -> int:
        """Read the construct that begins at an unindented line; where the next one begins."""
        line = lines[at]
        following = lines[at + 1] if at + 1 < len(lines) else ""
        end = self._section(lines, at) or self._drawn(lines, at)
        if end:
            return end
        if line == ".." and not following:
            return at + 1  # an empty comment ends what stands before it and takes nothing of what follows
        if line == ".." or line.startswith(".. "):
            end = _block_end(lines, at + 1, 1)
            directives.explicit(self, line, _dedented(lines[at + 1 : end]), level)
            return end
        if line.startswith("__ "):
            return at + 1
        item = _BULLET.match(line) or _ENUMERATED.match(line)
        if item and (not item[1].isalpha() or item[1][-1] in ".)"):
            return self._item(lines, at, level, item)
        field = _FIELD.match(line)
        if field:
            return self._field(lines, at, field, level)
        if _ADORNMENT.match(line) and len(line) >= 4 and not following:
            return at + 1  # a transition
        return self._text(lines, at, level)

    def _drawn(self, lines: list[str], at: int) -> int:
        """A table, a doctest or lines of verse, told by what every line begins with; 0 where there is none."""
        line = lines[at]
        end = 0
        if is_grid_rule(line):
            end = _while(lines, at, lambda other: other.startswith(("+", "|")))
            self.table(read_grid(lines[at:end]))
        elif is_simple_rule(line):
            end = _simple_end(lines, at)
            if end:
                self.table(read_simple(lines[at:end]))
        elif line.startswith(">>>"):
            end = _while(lines, at, bool)
            self.blocks.extend(code_blocks("\n".join(lines[at:end]), "python"))
        elif line.startswith("| ") or line == "|":
            end = _while(lines, at, lambda other: other.startswith(("|", " ")))
            verse = "\n".join(read_inline(x.lstrip("| "), self.names)[0] for x in lines[at:end]).strip()
            if verse:
                self.blocks.append(Paragraph(text=verse))
        return end

    def _section(self, lines: list[str], at: int) -> int:
        """A heading under (and perhaps over) an adornment; 0 where there is none."""
        line = lines[at]
        following = lines[at + 1] if at + 1 < len(lines) else ""
        over = _ADORNMENT.match(line)
        if over and at + 2 < len(lines) and lines[at + 2] == line and following.strip():
            self._heading(following.strip(), line[0] * 2)
            return at + 3
        under = _ADORNMENT.match(following)
        if under and not over and line.strip() and (len(following) >= len(line) or len(following) >= 4):
            self._heading(line.strip(), following[0])
            return at + 2
        return 0

    def _heading(self, text: str, adornment: str) -> None:
        level = self._levels.setdefault(adornment, len(self._levels) + 1)
        shown, spans = read_inline(text, self.names)
        if shown:
            self.blocks.append(Heading(text=shown, spans=spans, level=min(level, 9), anchor=self._anchor))
        self._anchor = ""

    def anchored(self, name: str) -> None:
        """A target without address names the heading that follows."""
        self._anchor = name

    def _item(self, lines: list[str], at: int, level: int, item: re.Match[str]) -> int:
        width = item.end()
        end = _block_end(lines, at + 1, min(width, 2))
        ordered = not _BULLET.match(lines[at])
        first = lines[at][width:]
        # A literal block that the first line announces is told by its indentation.
        body = [first, *_dedented(lines[at + 1 : end], width if first.endswith("::") else None)]
        inner = self.inner(body, level + 1)
        marker = item[1] if ordered else "•"
        for block in inner:
            if isinstance(block, Paragraph) and not block.style:
                self.blocks.append(
                    ListItem(text=block.text, spans=block.spans, level=level, marker=marker, ordered=ordered)
                )
                marker = ""
            else:
                self.blocks.append(block)
        return end

    def _field(self, lines: list[str], at: int, field: re.Match[str], level: int) -> int:
        end = _block_end(lines, at + 1, 1)
        body = [field[2] or "", *_dedented(lines[at + 1 : end])]
        text = read_inline(" ".join(body), self.names)[0]
        name = field[1].replace("\\", "")
        if not self.blocks and self._depth == 0:
            if text:
                self.metadata[name.lower()] = text[:1000]
            return end
        self.blocks.append(ListItem(text=f"{name}: {text}".strip(), level=level, marker="•"))
        return end

    def _text(self, lines: list[str], at: int, level: int) -> int:
        """A paragraph, a definition, or a paragraph that announces a literal block with `::`."""
        end = at
        while end < len(lines) and lines[end] and (end == at or lines[end][0] != " "):
            if end > at and self._section_at(lines, end):
                break
            end += 1
        body = lines[at:end]
        if end < len(lines) and lines[end].startswith(" ") and end == at + 1 and not body[0].endswith("::"):
            stop = _block_end(lines, end, 1)
            text, spans = read_inline(body[0], self.names)
            self.blocks.append(ListItem(text=text, spans=spans, level=level, marker="•"))
            for number, block in enumerate(self.inner(_dedented(lines[end:stop]), level + 2)):
                self.blocks.append(_as_item(block, level + 1, "" if number else "•"))
            return stop
        last = body[-1]
        if last.endswith("::"):
            body[-1] = "" if last == "::" else last[:-2].rstrip() if last.endswith(" ::") else last[:-1]
            self.paragraph("\n".join(body))
            return self._literal(lines, end)
        self.paragraph("\n".join(body))
        return end

    def _section_at(self, lines: list[str], at: int) -> bool:
        following = lines[at + 1] if at + 1 < len(lines) else ""
        return bool(_ADORNMENT.match(following)) and len(following) >= max(len(lines[at]), 3)

    def _literal(self, lines: list[str], at: int) -> int:
        while at < len(lines) and not lines[at]:
            at += 1
        if at >= len(lines):
            return at
        if lines[at].startswith(" "):
            end = _block_end(lines, at, 1)
            self.blocks.extend(code_blocks("\n".join(_dedented(lines[at:end])).strip("\n"), ""))
            return end
        mark = lines[at][0]
        if mark.isalnum():
            return at
        end = _while(lines, at, lambda other: other.startswith(mark))  # a quoted literal block
        self.blocks.append(Code(text="\n".join(lines[at:end])))
        return end


def _as_quote(block: AnyBlock) -> AnyBlock:
    """A plain paragraph as a quotation; anything else as it is."""
    if isinstance(block, Paragraph) and not block.style:
        return Paragraph(text=block.text, spans=block.spans, style="quote")
    return block


def _as_item(block: AnyBlock, level: int, marker: str) -> AnyBlock:
    if isinstance(block, Paragraph) and not block.style:
        return ListItem(text=block.text, spans=block.spans, level=level, marker=marker)
    return block


def _while(lines: list[str], at: int, holds: Callable[[str], object]) -> int:
    while at < len(lines) and lines[at] and holds(lines[at]):
        at += 1
    return at


def _block_end(lines: list[str], at: int, indent: int) -> int:
    """Where lines indented by at least `indent` end; blank lines between them belong to them."""
    end = at
    while at < len(lines):
        if lines[at]:
            if len(_INDENT.match(lines[at])[0]) < indent:  # pyright: ignore[reportOptionalSubscript]
                break
            end = at + 1
        at += 1
    return max(end, 0)


def _dedented(lines: list[str], most: int | None = None) -> list[str]:
    """Lines without the indentation that all have, or without that many blanks of it."""
    indents = [len(line) - len(line.lstrip(" ")) for line in lines if line]
    least = min([*indents, most] if most is not None else indents, default=0)
    return [line[least:] for line in lines]


def _simple_end(lines: list[str], at: int) -> int:
    """Behind the rule that closes a simple table: the third one, or the second when a blank line follows it."""
    rules = 0
    for number in range(at, min(len(lines), at + 5000)):
        if lines[number] and set(lines[number]) <= {"=", " "}:
            rules += 1
            last = number + 1 >= len(lines) or not lines[number + 1]
            if rules >= 2 and (last or rules == 3):
                return number + 1
    return 0
