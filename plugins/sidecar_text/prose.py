"""Plain prose: paragraphs between blank lines, and the headings, lists and columns people write in plain text."""

import re

from sidecar.api import AnyBlock, Heading, ListItem, Paragraph
from sidecar.toolkit.markup.code import MAX_CHARS, code_blocks
from sidecar.toolkit.visible import invisible_spans

_BLANK = re.compile(r"\n(?:[^\S\n]*\n)+|\f")
_UNDERLINE = re.compile(r"([=\-~^*#])\1{2,}[ \t]*$")
_CHAPTER = re.compile(
    r"[ \t]*(?:chapter|part|book|act|scene|appendix|kapitel|teil|chapitre|partie|capítulo|capitolo|глава|часть)[ \t]+"
    r"(?:[IVXLC]+|\d{1,3}|[A-Z]|one|two|three|four|five|six|seven|eight|nine|ten)\b[.:]?[^\n]{0,80}$",
    re.IGNORECASE,
)
_CJK_CHAPTER = re.compile(r"\s*第[0-9〇零一二三四五六七八九十百千]+[章回节節部卷][^\n]{0,60}$")
_ITEM = re.compile(r"([ \t]*)([-*+•‣◦·]|\d{1,3}[.)]|[a-z][.)]|\(\d{1,3}\))[ \t]+(?=\S)")
_COLUMNS = re.compile(r"\S(?: {3,}|\t+ *)\S")
_LONG = 4000
"""Characters of one paragraph; longer ones (a file without blank lines) are cut at line ends."""


def prose_blocks(text: str) -> list[AnyBlock]:
    """The blocks of a plain text, line breaks kept."""
    blocks: list[AnyBlock] = []
    for chunk in _BLANK.split(text):
        body = chunk.strip("\n").rstrip()
        if body.strip():
            _chunk(body, blocks)
    return blocks


def _chunk(body: str, blocks: list[AnyBlock]) -> None:
    lines = body.split("\n")
    at = 0
    while _is_underlined(lines, at):
        blocks.append(Heading(text=lines[at].strip(), level=1 if lines[at + 1][0] == "=" else 2))
        at += 2
    if at:
        lines = lines[at:]
        if not lines:
            return
        body = "\n".join(lines)
    if len(lines) == 1 and len(body) <= 120 and (_CHAPTER.match(body) or _CJK_CHAPTER.match(body)):
        blocks.append(Heading(text=body.strip(), level=1))
        return
    columns = sum(_COLUMNS.search(line) is not None for line in lines)
    if len(lines) >= 2 and (columns * 2 > len(lines) or _is_indented(lines)):
        blocks.extend(code_blocks(body, ""))  # set in columns: only its own spacing keeps it readable
        return
    item = _ITEM.match(lines[0])
    if item and (len(lines) == 1 or _ITEM.match(lines[1]) or lines[1][:1] in " \t"):
        _items(lines, blocks)
        return
    text = "\n".join(line.strip() for line in lines)
    blocks.extend(_paragraph(piece) for piece in _pieces(text))


def _is_underlined(lines: list[str], at: int) -> bool:
    """Whether a heading and the line under it stand there."""
    return (
        at + 1 < len(lines)
        and _UNDERLINE.match(lines[at + 1]) is not None
        and 1 < len(lines[at].strip()) <= 100
        and bool(lines[at][0].strip())
    )


def _paragraph(text: str) -> Paragraph:
    return Paragraph(text=text, spans=tuple(invisible_spans(text)))


def _is_indented(lines: list[str]) -> bool:
    """Whether indentation means something (code, verse, a drawing) rather than only opening the paragraph."""
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    base = min(indents)
    deeper = sum(indent >= base + 2 for indent in indents[1:])
    return base >= 4 or (deeper >= 2 and deeper * 5 >= len(indents) * 2 and not _ITEM.match(lines[0]))


def _items(lines: list[str], blocks: list[AnyBlock]) -> None:
    indents: list[int] = []
    for line in lines:
        item = _ITEM.match(line)
        if item is None:
            last = blocks[-1]
            if isinstance(last, ListItem) and len(last.text) < _LONG:
                blocks[-1] = ListItem(
                    text=f"{last.text}\n{line.strip()}", level=last.level, marker=last.marker, ordered=last.ordered
                )
            else:
                blocks.extend(_paragraph(piece) for piece in _pieces(line.strip()))
            continue
        indent = len(item[1].expandtabs(4))
        while indents and indents[-1] > indent:
            indents.pop()
        if not indents or indents[-1] < indent:
            indents.append(indent)
        first, *more = _pieces(line[item.end() :].strip())
        marker = item[2]
        blocks.append(
            ListItem(text=first, level=len(indents) - 1, marker=marker, ordered=any(c.isalnum() for c in marker))
        )
        blocks.extend(_paragraph(piece) for piece in more)


def _pieces(text: str) -> list[str]:
    """The text cut into pieces of at most about 4,000 characters, at line ends, else at blanks, else anywhere."""
    pieces: list[str] = []
    at = 0
    while len(text) - at > _LONG:
        cut = text.rfind("\n", at + 1, at + _LONG)
        if cut < 0:
            cut = text.rfind(" ", at + _LONG // 2, at + _LONG)
        if cut < 0:
            cut = at + min(_LONG, MAX_CHARS)
        pieces.append(text[at:cut].strip())
        at = cut
    pieces.append(text[at:].strip())
    return [piece for piece in pieces if piece] or [""]
