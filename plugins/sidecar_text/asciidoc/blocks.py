"""The blocks of an AsciiDoc file: its head, headings, lists, delimited blocks, tables and paragraphs.

What stands under a condition is shown where the file itself defines the attribute that is asked for."""

import re
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from sidecar.api import AnyBlock, Equation, Figure, Heading, ListItem, Paragraph, Span
from sidecar.toolkit.markup.code import code_blocks
from sidecar_text.asciidoc.inline import Attributes, read_inline
from sidecar_text.asciidoc.tables import read_table

_HEADING: Final = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*?)(?<![ \t])(?:[ \t]+\1)?[ \t]*$")
_UNDERLINES: Final = "=-~^+"
"""What headings are underlined with, by their level."""
_UNDERLINE: Final = re.compile(r"([=\-~^+])\1+[ \t]*$")
_ATTRIBUTE: Final = re.compile(r":(!?)([\w-]+)!?:(?:[ \t]+(.*))?$")
_GIVEN: Final = re.compile(r"\[(?!\[)((?:[^\[\]\"]|\"[^\"]*+\"|\[[^\[\]]*+\])*+)\][ \t]*$")
_ANCHOR: Final = re.compile(r"\[\[[^\]]*+\]\][ \t]*$")
_TITLE: Final = re.compile(r"\.([^\s.].*)$")
_FENCE: Final = re.compile(r"(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|`{3,}|--|[|,:!]={3,})(\w*)[ \t]*$")
_ITEM: Final = re.compile(
    r"[ \t]*(\*{1,9}|-|\.{1,9}|\d{1,9}\.|[A-Za-z]\.|[ivxIVX]{1,9}\)|<(?:\d{1,9}|\.)>)[ \t]+(\S.*)$"
)
_CHECK: Final = re.compile(r"\[([ xX*])\][ \t]+")
_TERM: Final = re.compile(r"[ \t]*([^\s/].*?)(:{2,4}|;;)(?:[ \t]+(\S.*))?$")
_MACRO: Final = re.compile(r"(image|video|audio|include|toc|stem)::([^\s\[]*+)\[(.*)\][ \t]*$")
_PICTURE: Final = re.compile(r"(image):([^\s:\[]++)\[([^\[\]]*+)\][ \t]*$")
_CONDITION: Final = re.compile(r"(ifdef|ifndef|ifeval|endif)::([^\s\[]*+)\[(.*)\][ \t]*$")
_ADMONITION: Final = re.compile(r"(NOTE|TIP|IMPORTANT|WARNING|CAUTION)(?::[ \t]+|$)")
_BREAK: Final = re.compile(r"(?:'{3,}|<{3,}|(?:- ?){3}|(?:\* ?){3})[ \t]*$")
_TAG: Final = re.compile(r"<[^<>]*+>")
_AUTHOR: Final = re.compile(r"([^\W\d_][^<>\n]*?)[ \t]*(?:<([^<>\s]+)>)?$")
_REVISION: Final = re.compile(r"v?(\d[\w.-]*)(?:,[ \t]*([^:\n]+))?(?::.*)?$")
_FACTS: Final = {"author": "author", "revdate": "created", "lang": "language", "keywords": "keywords",
                 "description": "description", "email": "email", "revnumber": "version"}  # fmt: skip
_MAX_LINE_CHARS: Final = 4_000
"""Characters of a line that may be anything but text."""
_MAX_DEPTH: Final = 12
"""Blocks in one another; each holds a copy of its lines."""


def read_asciidoc(text: str) -> tuple[list[AnyBlock], dict[str, str]]:
    """The blocks of an AsciiDoc file, and its metadata."""
    reader = _AsciiDocReader()
    lines = [line.rstrip() for line in text.split("\n")]
    reader.read(lines[reader.head(lines) :], 0)
    return reader.blocks, reader.facts


class _AsciiDocReader:
    def __init__(self) -> None:
        self.blocks: list[AnyBlock] = []
        self.facts: dict[str, str] = {}
        self._attributes = Attributes()
        self._given = ""  # of the block that follows, as brackets give it
        self._caption = ""
        self._lists: list[str] = []  # the marks of the lists that are open, the outermost first
        self._attached = False  # what follows belongs to the item before it
        self._count = 0  # of the numbered items of the innermost list

    def head(self, lines: list[str]) -> int:
        """Read the title with the lines of authors and of the revision; the line behind them."""
        at = next((number for number, line in enumerate(lines) if line and not line.startswith((":", "//", "["))), 0)
        found = _HEADING.match(lines[at]) if lines else None
        if found is None or len(found[1]) != 1:
            return 0
        for line in lines[:at]:
            if attribute := _ATTRIBUTE.match(line):
                self._define(attribute)
        self._heading(found[2], 1)
        person = _AUTHOR.match(lines[at + 1]) if at + 1 < len(lines) and len(lines[at + 1]) < _MAX_LINE_CHARS else None
        if person is None or lines[at + 1].startswith(":"):
            return at + 1
        self.facts["author"] = person[1]
        self._attributes.define("author", person[1])
        if person[2]:
            self.facts["email"] = person[2]
        revision = _REVISION.match(lines[at + 2]) if at + 2 < len(lines) else None
        if revision is None:
            return at + 2
        self.facts["version"] = revision[1]
        if revision[2]:
            self.facts["created"] = revision[2]
        return at + 3

    def read(self, lines: list[str], depth: int) -> None:
        """Add the blocks of these lines, which lie in that many others."""
        at = 0
        while at < len(lines):
            line = lines[at]
            if not line or _BREAK.match(line):
                at += 1
            elif line == "+":
                self._attached = True
                at += 1
            elif len(line) > _MAX_LINE_CHARS:
                at = self._prose(lines, at)
            else:
                at = self._line(lines, at, line, depth)

    def _line(self, lines: list[str], at: int, line: str, depth: int) -> int:
        """Read what begins in a line; the line behind it."""
        if line.startswith("//") and not line.startswith("///"):
            return at + 1
        if fence := _FENCE.match(line):
            return self._fenced(lines, at, fence, depth)
        if condition := _CONDITION.match(line):
            return self._condition(lines, at, condition)
        if (given := _GIVEN.match(line)) or _ANCHOR.match(line):
            if given and len(self._given) < _MAX_LINE_CHARS:
                self._given = f"{self._given},{given[1]}" if self._given else given[1]
            return at + 1
        if title := _TITLE.match(line):
            self._caption = title[1]
            return at + 1
        if attribute := _ATTRIBUTE.match(line):
            self._define(attribute)
            return at + 1
        if macro := _MACRO.match(line):
            self._macro(macro)
            return at + 1
        return self._text(lines, at, line)

    def _text(self, lines: list[str], at: int, line: str) -> int:
        """Read a heading, an item, a term or a paragraph; the line behind it."""
        if heading := _HEADING.match(line):
            self._heading(heading[2], len(heading[1]))
            return at + 1
        if _is_underlined(lines, at):
            self._heading(line, _UNDERLINES.index(lines[at + 1][0]) + 1)
            return at + 2
        if item := _ITEM.match(line):
            return self._item(lines, at, item[1], item[2])
        if (term := _TERM.match(line)) and self._term(term):
            return self._defined(lines, at, term[3] or "")
        return self._prose(lines, at)

    def _define(self, attribute: re.Match[str]) -> None:
        name, value = attribute[2], attribute[3] or ""
        if attribute[1]:
            self._attributes.remove(name)
            return
        value = self._attributes.resolved(value)
        self._attributes.define(name, value)
        if (fact := _FACTS.get(name.lower())) and value.strip():
            self.facts[fact] = value.strip()

    def _condition(self, lines: list[str], at: int, found: re.Match[str]) -> int:
        """Go behind what is not shown; what is shown after a condition is read as any other."""
        kind, names, text = found.groups()
        shown = kind not in ("ifdef", "ifndef") or self._attributes.defines(names) == (kind == "ifdef")
        if text and kind in ("ifdef", "ifndef"):
            if shown:
                self._paragraph([text])
            return at + 1
        depth = 0 if shown else 1
        while depth and at + 1 < len(lines):
            at += 1
            if inner := _CONDITION.match(lines[at][:_MAX_LINE_CHARS]):
                depth += -1 if inner[1] == "endif" else 1 if not inner[3] or inner[1] == "ifeval" else 0
        return at + 1

    def _heading(self, text: str, level: int) -> None:
        self._add_captioned([], keep_lists=False)
        shown, spans = read_inline(text, self._attributes)
        if shown:
            self.blocks.append(Heading(text=shown, spans=spans, level=level))
        self._notes()

    def _macro(self, found: re.Match[str]) -> None:
        name, path, inside = found.groups()
        path = self._attributes.resolved(path)
        if name == "image":
            alt = inside.split(",")[0].strip(' "')
            caption = read_inline(self._caption, self._attributes)[0]
            self._caption = ""
            self._add_captioned([Figure(source=path, alt=alt if "=" not in alt else "", caption=caption)])
        elif name == "stem":
            self._add_captioned([Equation(text=inside, latex=inside)])
        elif name != "toc":
            self._add_captioned([Paragraph(text=path, spans=(Span("link", 0, len(path), path),))] if path else [])

    def _fenced(self, lines: list[str], at: int, fence: re.Match[str], depth: int) -> int:
        """A block between two lines that are alike; the line behind it."""
        mark, language = fence[1], fence[2]
        end = next((n for n in range(at + 1, len(lines)) if lines[n] == mark), len(lines))
        body = lines[at + 1 : end]
        given, self._given = self._given, ""
        style, *more = [one.strip(' "') for one in given.split(",")]
        style = style.partition("%")[0].partition(".")[0].partition("#")[0]
        if mark[0] == "/":
            self._caption = ""
        elif mark[0] in "|,:!":
            caption = read_inline(self._caption, self._attributes)[0]
            self._caption = ""
            self._add_captioned(read_table(mark, body, given, caption, self._attributes))
        elif style in ("stem", "latexmath", "asciimath"):
            latex = "\n".join(body).strip()
            self._add_captioned([Equation(text=latex, latex=latex)] if latex else [])
        elif mark[0] == "+":
            self._add_captioned([])
            self._paragraph([_TAG.sub(" ", line) for line in body])
        elif (
            mark[0] in "`."
            or (mark[0] == "-" and len(mark) > 2)
            or style in ("source", "listing")
            or depth == _MAX_DEPTH
        ):
            named = language or (more[0] if more and "=" not in more[0] and style in ("source", "") else "")
            self._add_captioned([*code_blocks("\n".join(body).strip("\n"), named)] if any(body) else [])
        else:
            self._compound(body, style, more, mark[0], depth)
        return end + 1

    def _compound(self, body: list[str], style: str, more: list[str], mark: str, depth: int) -> None:
        """What lies in an example, a sidebar, a quotation or an open block."""
        label = [_label(style)] if style in _ADMONITIONS else []
        self._add_captioned(label)
        lists, self._lists, self._attached = self._lists, [], False
        first = len(self.blocks)
        if style == "verse":
            self._paragraph([f"{line} +" for line in body])
        else:
            self.read(body, depth + 1)
        if mark == "_" or style in ("quote", "verse"):
            self.blocks[first:] = [
                replace(block, style="quote") if isinstance(block, Paragraph) else block
                for block in self.blocks[first:]
            ]
            source = ", ".join(one for one in more if one and "=" not in one)
            self.blocks += [Paragraph(text=f"— {source}", style="quote")] if source else []
        self._lists, self._attached, self._given, self._caption = lists, False, "", ""

    def _add_captioned(self, blocks: Sequence[AnyBlock], *, keep_lists: bool = True) -> None:
        """Add blocks, before them their title; a list before them ends unless they are attached to its item."""
        if not (keep_lists and self._attached):
            self._lists.clear()
        self._attached = False
        if self._caption:
            shown, spans = read_inline(self._caption, self._attributes)
            self.blocks.append(Paragraph(text=shown, spans=spans, style="caption"))
        self._caption = self._given = ""
        self.blocks += blocks

    def _notes(self) -> None:
        """Add the footnotes of what was read last."""
        self.blocks += self._attributes.notes
        self._attributes.notes.clear()

    def _nested(self, mark: str) -> int:
        """How deep a list of that mark lies in those that are open."""
        if mark in self._lists:
            del self._lists[self._lists.index(mark) + 1 :]
        else:
            self._lists.append(mark)
            self._count = 0
        return len(self._lists) - 1

    def _item(self, lines: list[str], at: int, mark: str, text: str) -> int:
        kind = "." if mark[0].isalnum() else "<" if mark[0] == "<" else mark
        if self._caption:
            self._add_captioned([])
        level = self._nested(kind)
        self._attached, self._given = False, ""
        self._count += 1
        ordered = kind[0] in ".<"
        marker = mark if mark[0].isalnum() else f"{self._count}." if ordered else "•"
        if not ordered and (check := _CHECK.match(text)):
            marker, text = "☑" if check[1] in "xX*" else "☐", text[check.end() :]
        end = self._end_of_text(lines, at)
        shown, spans = read_inline("\n".join([text, *(line.strip() for line in lines[at + 1 : end])]), self._attributes)
        if shown:
            self.blocks.append(ListItem(text=shown, spans=spans, level=min(level, 9), marker=marker, ordered=ordered))
        self._notes()
        return end

    def _term(self, found: re.Match[str]) -> bool:
        """Add a term that is explained; False where it is none."""
        shown, spans = read_inline(found[1], self._attributes)
        if not shown:
            return False
        level = self._nested(found[2])
        self._attached, self._given = False, ""
        spans = (Span("bold", 0, len(shown)), *(span for span in spans if span.kind != "bold"))
        self.blocks.append(ListItem(text=shown, spans=spans, level=min(level, 8)))
        return True

    def _defined(self, lines: list[str], at: int, text: str) -> int:
        """Add what explains the term in that line; the line behind it."""
        end = at + 1
        if not text:
            while end < len(lines) and not lines[end]:
                end += 1
            if end == len(lines) or _begins(lines, end) or len(lines[end]) > _MAX_LINE_CHARS:
                return end
            text = lines[end].strip()
            at, end = end, end + 1
        end = self._end_of_text(lines, at)
        shown, spans = read_inline("\n".join([text, *(line.strip() for line in lines[at + 1 : end])]), self._attributes)
        if shown:
            self.blocks.append(ListItem(text=shown, spans=spans, level=min(len(self._lists), 9)))
        self._notes()
        return end

    def _prose(self, lines: list[str], at: int) -> int:
        """A paragraph, or lines that are set in as a listing; the line behind them."""
        if lines[at][0] in " \t" and len(lines[at]) <= _MAX_LINE_CHARS:
            end = next((n for n in range(at, len(lines)) if not lines[n] or lines[n] == "+"), len(lines))
            width = min(len(line) - len(line.lstrip()) for line in lines[at:end])
            self._add_captioned([*code_blocks("\n".join(line[width:] for line in lines[at:end]), "")])
            return end
        end = self._end_of_text(lines, at)
        self._paragraph(lines[at:end])
        return end

    def _paragraph(self, lines: list[str]) -> None:
        style, *more = self._given.split(",")
        label = _ADMONITION.match(lines[0]) if lines else None
        if label is not None:
            lines = [lines[0][label.end() :], *lines[1:]]
        elif style.strip() == "verse":
            lines = [f"{line} +" for line in lines]
        elif style.strip() in ("source", "listing", "literal"):
            self._add_captioned([*code_blocks("\n".join(lines), more[0].strip() if more else "")])
            return
        elif len(lines) == 1 and (picture := _PICTURE.match(lines[0])):
            self._macro(picture)
            return
        name = label[1] if label else style.strip()
        attached = self._attached and len(self._lists)
        self._add_captioned([_label(name)] if name in _ADMONITIONS else [])
        shown, spans = read_inline("\n".join(lines), self._attributes)
        if shown and attached and not label:  # goes on with the item
            self.blocks.append(ListItem(text=shown, spans=spans, level=min(attached - 1, 9), marker=""))
        elif shown:
            quote = "quote" if style.strip() in ("quote", "verse") else ""
            self.blocks.append(Paragraph(text=shown, spans=spans, style=quote))
        self._notes()

    def _end_of_text(self, lines: list[str], at: int) -> int:
        """The line behind the text that begins in that one."""
        end = at + 1
        while end < len(lines) and lines[end] and lines[end] != "+" and not _begins(lines, end, within=True):
            end += 1
        return end


_ADMONITIONS: Final = frozenset(("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"))


def _label(name: str) -> Paragraph:
    shown = name.capitalize()
    return Paragraph(text=shown, spans=(Span("bold", 0, len(shown)),))


def _is_underlined(lines: list[str], at: int) -> bool:
    """Whether a heading and the line under it, about as long, stand there."""
    below = lines[at + 1] if at + 1 < len(lines) else ""
    return (
        _UNDERLINE.match(below) is not None and abs(len(below) - len(lines[at])) <= 2 and lines[at][0] not in " \t."
        and any(map(str.isalnum, lines[at]))
    )  # fmt: skip


def _begins(lines: list[str], at: int, *, within: bool = False) -> bool:
    """Whether a line is not text that goes on; `within` a text, headings and titles are words."""
    line = lines[at]
    if len(line) > _MAX_LINE_CHARS:
        return False
    if _FENCE.match(line) or _ITEM.match(line) or _GIVEN.match(line) or _CONDITION.match(line) or line.startswith("//"):
        return True
    term = _TERM.match(line)
    return term is not None or (not within and _HEADING.match(line) is not None)
