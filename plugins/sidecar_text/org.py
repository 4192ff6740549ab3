"""Org files (Org Syntax 9.7): headings, drawers and keywords, lists, tables, blocks, links and emphasis."""

import re
from bisect import bisect
from collections.abc import Callable

from sidecar.api import AnyBlock, Figure, Heading, ListItem, Note, Paragraph, Span, SpanKind
from sidecar.toolkit.markup.code import code_blocks
from sidecar.toolkit.markup.grid import table_windows
from sidecar.toolkit.markup.inline import Inline

_HEADING = re.compile(r"(\*+)[ \t]+(.*?)(?:(?<![ \t])[ \t]++(:[\w@#%:]++(?<=:)))?$")
_KEYWORD = re.compile(r"[ \t]*#\+(\w+):[ \t]*(.*)$")
_BEGIN = re.compile(r"[ \t]*#\+begin_(\w+)(?:[ \t]+(\S+))?", re.IGNORECASE)
_DRAWER = re.compile(r"[ \t]*:([\w-]+):[ \t]*$")
_NOT_EXPORTED = ("properties", "logbook")
"""Drawers whose content is not text of the document (Org manual 2.7, `org-export-with-drawers`)."""
_MAX_DEPTH = 20
"""Blocks inside one another; each holds a copy of its lines."""
_ITEM = re.compile(r"([ \t]*)([-+]|\d+[.)]|(?<=[ \t])\*)[ \t]+(?:\[([ xX-])\][ \t]+)?(.*)$")
_FOOTNOTE = re.compile(r"\[fn:([\w-]+)\][ \t]*(.*)$")
_INCLUDED = re.compile(r"\"([^\"]++)\"|(\S+)")
_PICTURE = re.compile(r"[ \t]*\[\[(?:file:)?([^\]]+\.(?:png|jpe?g|gif|svg|webp))\]\][ \t]*$", re.IGNORECASE)
_TOKEN = re.compile(
    r"\[\[(?P<url>[^\[\]\n]+)\](?:\[(?P<text>[^\]\n]+)\])?\]|\[fn:(?P<note>[\w-]+)\]"
    r"|(?<![\w*/_=~+])(?P<mark>[*/_=~+])(?P<body>[^\s*/_=~+](?:[^\n]{0,1000}?\S)?)(?P=mark)(?![\w])"
)
_MARKS: dict[str, SpanKind] = {"*": "bold", "/": "italic", "_": "underline", "=": "code", "~": "code", "+": "strike"}
_FACTS = {"title": "title", "author": "author", "date": "created", "language": "language", "keywords": "keywords",
          "filetags": "keywords", "description": "description", "email": "email"}  # fmt: skip


def read_org(text: str) -> tuple[list[AnyBlock], dict[str, str]]:
    """The blocks of an Org file, and its metadata (`title` among it)."""
    return _read(text.split("\n"), 0)


def _read(lines: list[str], depth: int) -> tuple[list[AnyBlock], dict[str, str]]:
    blocks: list[AnyBlock] = []
    metadata: dict[str, str] = {}
    ends = [number for number, line in enumerate(lines) if line.strip().lower() == ":end:"]
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.strip() or line.lstrip().startswith("# ") or line.strip() == "#":
            at += 1
        elif begin := _BEGIN.match(line):
            at = _block(lines, at, begin, blocks, depth)
        elif keyword := _KEYWORD.match(line):
            blocks += _keyword(keyword[1].lower(), keyword[2].strip(), metadata)
            at += 1
        elif drawer := _DRAWER.match(line):
            behind = bisect(ends, at) if drawer[1].lower() in _NOT_EXPORTED else len(ends)
            at = ends[behind] + 1 if behind < len(ends) else at + 1
        elif heading := _HEADING.match(line.rstrip()):
            shown, spans = _inline(heading[2])
            blocks += [Heading(text=shown, spans=spans, level=min(len(heading[1]), 9))] if shown else []
            tags = ", ".join(filter(None, (heading[3] or "").split(":")))
            blocks += [Paragraph(text=f"Tags: {tags}")] if tags else []
            at += 1
        elif line.lstrip().startswith("|"):
            end = _run(lines, at, lambda other: other.lstrip().startswith("|"))
            _table(lines[at:end], blocks)
            at = end
        elif f"{line.strip()} ".startswith(": "):
            end = _run(lines, at, lambda other: other.lstrip().startswith(":"))
            blocks.extend(code_blocks("\n".join(other.lstrip()[2:] for other in lines[at:end]), ""))
            at = end
        elif picture := _PICTURE.match(line):
            blocks.append(Figure(source=picture[1]))
            at += 1
        else:
            at = _prose(lines, at, blocks)
    return blocks, metadata


def _keyword(name: str, value: str, metadata: dict[str, str]) -> list[AnyBlock]:
    """A line `#+NAME: value`: a caption, a file that is included, which is not read, or a fact for the metadata."""
    key = _FACTS.get(name)
    if key and value:
        metadata[key] = value
    if name == "include" and (path := _INCLUDED.match(value)):
        shown = path[1] or path[2]
        return [Paragraph(text=shown, spans=(Span("link", 0, len(shown), shown),))]
    if name != "caption" or not value:
        return []
    shown, spans = _inline(value)
    return [Paragraph(text=shown, spans=spans, style="caption")]


def _run(lines: list[str], at: int, holds: Callable[[str], bool]) -> int:
    while at < len(lines) and holds(lines[at]):
        at += 1
    return at


def _block(lines: list[str], at: int, begin: re.Match[str], blocks: list[AnyBlock], depth: int) -> int:
    kind = begin[1].lower()
    as_it_stands = kind in ("src", "example", "export", "comment")
    if depth == _MAX_DEPTH and not as_it_stands:
        return at + 1  # what is in it goes on as text of the block around it
    closing = f"#+end_{kind}"
    end = next((n for n in range(at + 1, len(lines)) if lines[n].strip().lower() == closing), len(lines))
    body = lines[at + 1 : end]
    if kind in ("src", "example", "export"):
        blocks.extend(code_blocks("\n".join(body), (begin[2] or "") if kind == "src" else ""))
    elif not as_it_stands:
        inner, _ = _read(body, depth + 1)
        blocks.extend(map(_quote, inner) if kind == "quote" else inner)
    return end + 1


def _quote(block: AnyBlock) -> AnyBlock:
    if not isinstance(block, Paragraph):
        return block
    return Paragraph(text=block.text, spans=block.spans, style="quote")


def _table(lines: list[str], blocks: list[AnyBlock]) -> None:
    rows: list[list[str]] = []
    head = 0
    for line in lines:
        row = line.strip()
        if row.startswith("|-"):
            head = head or len(rows)
        else:
            rows.append([_inline(cell)[0] for cell in row.strip("|").split("|")])
    if rows:
        blocks.extend(table_windows(rows, header_rows=head if head < len(rows) else 0))


def _prose(lines: list[str], at: int, blocks: list[AnyBlock]) -> int:
    """A list item or a paragraph, to the next blank line or construct."""
    end = at + 1
    while end < len(lines) and lines[end].strip() and not _starts(lines[end]):
        end += 1
    item = _ITEM.match(lines[at])
    note = _FOOTNOTE.match(lines[at])
    rest = [line.strip() for line in lines[at + 1 : end]]
    if item:
        shown, spans = _inline("\n".join([item[4], *rest]))
        box = {" ": "☐", "-": "☐", "x": "☑", "X": "☑"}.get(item[3] or "", "")
        ordered = item[2][0].isdigit()
        marker = box or (item[2] if ordered else "•")
        level = len(item[1].expandtabs(4)) // 2
        if shown:
            blocks.append(ListItem(text=shown, spans=spans, level=min(level, 9), marker=marker, ordered=ordered))
    elif note:
        shown, spans = _inline("\n".join([note[2], *rest]))
        blocks.append(Note(kind="footnote", id=note[1], text=shown, spans=spans))
    else:
        shown, spans = _inline("\n".join([lines[at].strip(), *rest]))
        if shown:
            blocks.append(Paragraph(text=shown, spans=spans))
    return end


def _starts(line: str) -> bool:
    return bool(
        _HEADING.match(line) or _ITEM.match(line) or _BEGIN.match(line) or _KEYWORD.match(line)
        or line.lstrip().startswith("|") or _FOOTNOTE.match(line) or _DRAWER.match(line)
    )  # fmt: skip


def _inline(text: str) -> tuple[str, tuple[Span, ...]]:
    line = Inline()
    at = 0
    for token in _TOKEN.finditer(text):
        line.add(text[at : token.start()])
        at = token.end()
        start = line.length
        if token["url"] is not None:
            line.add_exact(token["text"] or token["url"].removeprefix("file:"))
            line.span("link", start, token["url"])
        elif token["note"] is not None:
            line.add_exact(f"[{token['note']}]")
            line.span("note", start, token["note"])
        else:
            line.add_exact(token["body"])
            line.span(_MARKS[token["mark"]], start)
    line.add(text[at:])
    return line.finish_line()
