"""Inline Markdown that needs no parser: plain words with code spans, emphasis, links and breaks of the simple kind.

Only what can have one reading is taken; anything else is left to markdown-it-py (a test holds both against each other).
"""

from __future__ import annotations

import re

from sidecar.api.model import Span
from sidecar.toolkit.markup.inline import Inline

__all__ = ["quick_inline"]

_INNER = r"[^*_`\[\]<&!$~\\\n]"
_WORDS = rf"[^\W_](?:{_INNER}*[^\W_])?"
"""What emphasis may hold here: between letters or digits, so that its marks flank on both sides whatever is around."""
_TOKEN = re.compile(
    r"(?<!`)`(?P<code>[^`\n]+)`(?!`)"
    rf"|(?<!\*)\*\*(?P<strong>{_WORDS})\*\*(?!\*)"
    rf"|(?<!\*)\*(?P<emphasis>{_WORDS})\*(?!\*)"
    rf"|(?<![\w_])_(?P<under>{_WORDS})_(?![\w_])"
    r"|(?<![!\]])\[(?P<text>[^\[\]\n]+)\]\((?P<url>(?:[^()\s<>\\&]|&(?!#?\w+;))*)\)"
    r"|<(?P<auto>https?://[^\s<>&\\]+)>"
    r"|&(?P<entity>amp|lt|gt|quot);"
    r"|(?P<hard> {2,})\n[ \t]*"
    r"| *(?P<line>\n)[ \t]*"
)
# What may be left between tokens: specials only where they cannot mean anything.
_LEFT = re.compile(
    r"(?:[^\\`*_~!\[\]<&$\n]++|(?<=[^\W_])_+(?=[^\W_])|!(?!\[)|&(?![#\w])|<(?=[\s=\d])|(?<!~)~(?!~)|(?<=\s)\*(?=\s)|\$(?=\D))*+"
)
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"'}


def quick_inline(content: str, *, references: bool) -> tuple[str, tuple[Span, ...]] | None:
    """Text and spans, or None. `references` says whether a word in brackets may name a link or a note."""
    if content.count("$") > 1 or "\\" in content:
        return None
    line = Inline()
    return line.take() if _fill(line, content, references=references, linked=False) else None


def _fill(line: Inline, content: str, *, references: bool, linked: bool) -> bool:
    at = 0
    for token in _TOKEN.finditer(content):
        if token.start() > at:
            if not _plain(content, at, token.start(), references=references):
                return False
            line.add_exact(content[at : token.start()])
        at = token.end()
        kind = token.lastgroup
        start = len(line)
        if kind == "line":
            line.add(" ")
        elif kind == "code":
            line.add_exact(_code(token["code"]))
            line.span("code", start)
        elif kind == "url":
            # Links hold no links, and a text that is left to the parser leaves the whole line to it.
            if linked or not _fill(line, token["text"], references=references, linked=True):
                return False
            line.span("link", start, token["url"])
        elif kind == "strong":
            line.add_exact(token["strong"])
            line.span("bold", start)
        elif kind in ("emphasis", "under"):
            line.add_exact(token[kind])
            line.span("italic", start)
        elif kind == "hard":
            line.line_break()
        elif kind == "entity":
            line.add_exact(_ENTITIES[token["entity"]])
        elif linked:
            return False
        else:
            line.add_exact(token["auto"])
            line.span("link", start, token["auto"])
    if at < len(content):
        if not _plain(content, at, len(content), references=references):
            return False
        line.add_exact(content[at:])
    return True


def _plain(content: str, start: int, end: int, *, references: bool) -> bool:
    """Whether a stretch can only be read as the characters it has."""
    found = _LEFT.match(content, start, end)
    if found is not None and found.end() == end:
        return True
    if references or "](" in content:
        return False
    # A word in brackets is a link only when it is defined somewhere, and there are no definitions.
    stretch = content[start:end].replace("[", "(").replace("]", ")")
    return "![" not in content and _LEFT.fullmatch(stretch) is not None


def _code(body: str) -> str:
    """A blank at both ends is padding (CommonMark §6.1)."""
    return body[1:-1] if len(body) > 2 and body[0] == body[-1] == " " and body.strip(" ") else body
