"""Explicit markup of reStructuredText: directives for what they show, footnotes, citations, targets, comments."""

import csv
import io
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from msgspec.structs import replace

from sidecar.api import AnyBlock, Equation, Figure, Note, Paragraph, Span, Table
from sidecar.toolkit.markup.code import code_blocks
from sidecar_text.rst.tables import TextGrid

_DIRECTIVE = re.compile(r"\.\. ([\w:.+-]+) ?::(?:[ \t]+(.*)|$)")
_NOTE = re.compile(r"\.\. \[(\#?[\w.-]*|\*)\](?:[ \t]+(.*)|$)")
_TARGET = re.compile(r"\.\. _(`[^`]+`|[^:]+):")
_OPTION = re.compile(r":([\w-]+):(?:[ \t]+(.*)|$)")
_CODE_POINT = re.compile(r"(?:0x|x|\\x|U\+|u|\\u)([0-9A-Fa-f]{1,6})|&#x([0-9A-Fa-f]{1,6});", re.IGNORECASE)
_LOOKS = re.compile(r"[a-z][a-z0-9_-]*(?: +[a-z][a-z0-9_-]*)*")
_SILENT = frozenset([
    "sectnum", "raw", "meta", "index", "highlight", "currentmodule", "default-role", "include",
    "sidebar-toc", "tabularcolumns", "role", "default-domain", "py:currentmodule", "module", "replace", "unicode",
    "date", "testsetup", "testcleanup", "cog",
])  # fmt: skip
_CODE = {
    "code-block": "", "code": "", "sourcecode": "", "parsed-literal": "", "literalinclude": "", "prompt": "",
    "doctest": "python", "testcode": "python", "testoutput": "", "ipython": "python", "graphviz": "dot",
    "digraph": "dot", "uml": "", "mermaid": "mermaid", "productionlist": "", "highlights": "", "code-cell": "",
    "command-output": "",
}  # fmt: skip
_TITLED = {
    "note": "Note", "warning": "Warning", "tip": "Tip", "important": "Important", "caution": "Caution",
    "danger": "Danger", "hint": "Hint", "attention": "Attention", "error": "Error", "seealso": "See also",
    "todo": "Todo", "versionadded": "New in version", "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
}  # fmt: skip


class BodyReader(Protocol):
    """What explicit markup needs of the reader that comes upon it."""

    blocks: list[AnyBlock]

    def inline(self, text: str) -> tuple[str, tuple[Span, ...]]:
        """Text and spans of inline markup."""
        ...

    def paragraph(self, text: str, style: str = "") -> None:
        """Add a paragraph of inline markup."""

    def table(self, grid: TextGrid, caption: str = "") -> None:
        """Add a table whose cells still hold inline markup."""

    def inner(self, lines: list[str], level: int = 0) -> list[AnyBlock]:
        """The blocks of an indented body, read on its own."""
        ...

    def anchored(self, name: str) -> None:
        """Give the heading that follows a name."""


@dataclass(frozen=True)
class _Directive:
    name: str
    argument: str
    options: dict[str, str]
    body: list[str]


def explicit(into: BodyReader, line: str, body: list[str], level: int) -> None:
    """One explicit block: its first line, and the lines below it, dedented."""
    if line.startswith(".. |"):
        return  # what a name stands for is shown where the name is
    note = _NOTE.match(line)
    if note:
        text, spans = into.inline("\n".join([note[2] or "", *body]))
        into.blocks.append(Note(kind="footnote", id=note[1], text=text, spans=spans))
        return
    target = _TARGET.match(line)
    if target:
        into.anchored(target[1].strip("`"))
        return
    directive = _DIRECTIVE.match(line)
    if directive is None:
        return  # a comment
    name, argument = directive[1].lower(), directive[2] or ""
    options: dict[str, str] = {}
    while body and body[0]:
        option = _OPTION.match(body[0])
        if option is None:
            break
        options[option[1]] = option[2] or ""
        body = body[1:]
    _show(into, _Directive(name, argument.strip(), options, body), level)


def picture(source: str, lines: Iterable[str], name: str) -> Figure:
    """A picture that a name in the text stands for, by its address and its options; the name is said in its stead where
    these say nothing (docutils does so)."""
    options = {option[1]: option[2] or "" for option in map(_OPTION.match, lines) if option}
    return Figure(alt=options.get("alt", name), source=source.strip())


def characters(codes: str) -> str:
    """What `unicode::` stands for: code points and texts, joined without the blanks between, up to a comment."""
    return "".join(map(_character, codes.partition(" .. ")[0].split()))


def _character(code: str) -> str:
    found = _CODE_POINT.fullmatch(code)
    number = int(found[1] or found[2], 16) if found else sys.maxunicode + 1
    return chr(number) if number <= sys.maxunicode and not 0xD800 <= number < 0xE000 else code


def _show(into: BodyReader, directive: _Directive, level: int) -> None:
    name = directive.name
    if name in _SILENT:
        return
    if name in _CODE:
        _code(into, directive)
    elif name in _TITLED or name.endswith("admonition"):
        _titled(into, directive, level)
    else:
        _SHOWN.get(name, _described)(into, directive, level)


def _figure(into: BodyReader, directive: _Directive, level: int) -> None:
    caption, _, legend = "\n".join(directive.body).strip().partition("\n\n")
    shown, _ = into.inline(caption)
    into.blocks.append(Figure(alt=directive.options.get("alt", ""), caption=shown, source=directive.argument))
    if legend.strip():
        into.blocks.extend(into.inner(legend.split("\n"), level))


def _math(into: BodyReader, directive: _Directive, _level: int) -> None:
    latex = "\n".join(filter(None, [directive.argument, *directive.body])).strip()
    if latex:
        into.blocks.append(Equation(text=latex, latex=latex))


def _condition(into: BodyReader, directive: _Directive, level: int) -> None:
    """What only some of the forms of a document show."""
    into.blocks.extend(into.inner(directive.body, level))


def _class(into: BodyReader, directive: _Directive, level: int) -> None:
    """Of docutils the looks of what follows, by names that are not words for readers; of Sphinx a class described."""
    if not _LOOKS.fullmatch(directive.argument):
        _described(into, directive, level)
    else:
        into.blocks.extend(into.inner(directive.body, level))


def _toctree(into: BodyReader, directive: _Directive, _level: int) -> None:
    if directive.options.get("caption"):
        into.paragraph(directive.options["caption"], "caption")
    entries = filter(None, map(str.strip, directive.body))
    into.blocks.extend(into.inner([f"- :doc:`{entry}`" for entry in entries]))


def _quotation(into: BodyReader, directive: _Directive, level: int) -> None:
    for block in into.inner(directive.body, level):
        into.blocks.append(replace(block, style="quote") if isinstance(block, Paragraph) else block)


def _sidebar(into: BodyReader, directive: _Directive, level: int) -> None:
    into.paragraph(f"**{directive.argument}**" if directive.argument else "")
    into.blocks.extend(into.inner(directive.body, level))


def _described(into: BodyReader, directive: _Directive, level: int) -> None:
    """An object described (`py:function`, `automethod`) or a directive of some extension: show what it says."""
    argument = directive.argument
    if argument:
        into.blocks.append(Paragraph(text=argument, spans=(Span("code", 0, len(argument)),)))
    into.blocks.extend(into.inner(directive.body, level))


def _code(into: BodyReader, directive: _Directive) -> None:
    name, argument = directive.name, directive.argument
    text = "\n".join(directive.body).strip("\n")
    if name in ("parsed-literal", "doctest") and argument:
        text = f"{argument}\n{text}"
    if not text and argument and name == "literalinclude":
        into.paragraph(f"``{argument}``")
    if directive.options.get("caption"):
        into.paragraph(directive.options["caption"], "caption")
    language = "" if name == "parsed-literal" else argument.split(" ", maxsplit=1)[0]
    into.blocks.extend(code_blocks(text, _CODE[name] or language))


def _titled(into: BodyReader, directive: _Directive, level: int) -> None:
    """A box under a title: an admonition, or the version that brought something."""
    name, argument = directive.name, directive.argument
    title, first = (_TITLED[name], argument) if name in _TITLED else (argument or "Note", "")
    if name in ("versionadded", "versionchanged", "deprecated"):
        number, _, first = first.partition(" ")
        title = f"{title} {number}"
    into.blocks.append(Paragraph(text=title, spans=(Span("bold", 0, len(title)),)))
    into.blocks.extend(into.inner([first, *directive.body], level))


def _table(into: BodyReader, directive: _Directive, _level: int) -> None:
    name, title, options, body = directive.name, directive.argument, directive.options, directive.body
    caption, _ = into.inline(title)
    head = options.get("header-rows", "0")
    head_rows = int(head[:6]) if head.isdecimal() else 0
    if name == "csv-table":
        header = [row for row in csv.reader(io.StringIO(options.get("header", "")), skipinitialspace=True) if row]
        rows = [row for row in csv.reader(io.StringIO("\n".join(body)), skipinitialspace=True) if row]
        into.table(TextGrid([*header, *rows], len(header) + head_rows, []), caption)
    elif name == "list-table":
        into.table(TextGrid(_listed(body), head_rows, []), caption)
    else:
        for block in into.inner(body):
            into.blocks.append(
                replace(block, caption=caption) if isinstance(block, Table) and not block.first_row else block
            )


def _listed(body: list[str]) -> list[list[str]]:
    """The rows of a `list-table`: a bullet list of bullet lists."""
    rows: list[list[str]] = []
    for line in body:
        row = re.match(r"[*-] +[*-](?: +(.*)|$)", line)
        cell = re.match(r" +[*-](?: +(.*)|$)", line)
        if row:
            rows.append([row[1] or ""])
        elif cell and rows:
            rows[-1].append(cell[1] or "")
        elif rows and line.strip():
            rows[-1][-1] = f"{rows[-1][-1]}\n{line.strip()}".strip()
    return rows


_SHOWN: Mapping[str, Callable[[BodyReader, _Directive, int], None]] = {
    "image": _figure, "figure": _figure, "math": _math, "table": _table, "csv-table": _table, "list-table": _table,
    "only": _condition, "ifconfig": _condition, "container": _condition, "class": _class, "toctree": _toctree,
    "epigraph": _quotation, "pull-quote": _quotation, "topic": _sidebar, "sidebar": _sidebar, "rubric": _sidebar,
    "contents": _sidebar, "centered": _sidebar,
}  # fmt: skip
