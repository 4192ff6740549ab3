"""What Markdown for rendering understands beyond the shared dialect: definition lists, `^[notes]` and TeX's own
brackets `\\( … \\)`, `\\[ … \\]`, which assistants write. Rules for markdown-it; what they find is drawn elsewhere."""

import re
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

from sidecar.toolkit.markup.markdown import line_text, make_markdown_parser

_DEFINITION = re.compile(r":[ \t]+(?=\S)")
_FORMULA = re.compile(r"[\\^_=<>+*/|]|\A\s*\w{1,3}\s*\Z")
"""What tells a formula from words in brackets that were escaped."""
_NOTE = re.compile(r"\^\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\]){1,4000})\]")
_MAX_FORMULA_CHARS = 4000
_MAX_NESTING = 20
"""Levels of blocks in blocks, as CommonMark's own: laying out a list in fifty lists takes longer than anybody waits."""


@cache
def rendering_parser() -> MarkdownIt:
    """The parser, made once; the shared one stays as it is."""
    parser = make_markdown_parser(_MAX_NESTING)
    parser.block.ruler.before("paragraph", "definitions", _definitions)
    parser.block.ruler.before("fence", "tex_display", _tex_display, {"alt": ["paragraph", "reference", "blockquote"]})
    parser.inline.ruler.before("escape", "tex_inline", _tex_inline)
    parser.inline.ruler.before("link", "inline_note", _inline_note)
    return parser


def _definitions(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Terms with their definitions, as in PHP Markdown Extra and Pandoc. `meta["items"]` is a list of (term, texts)."""
    if silent or not _is_term(state, start, end):
        return False
    items: list[tuple[str, list[str]]] = []
    line = start
    while line < end and _is_term(state, line, end):
        term = line_text(state, line).strip()
        line += 1
        if state.isEmpty(line):
            line += 1
        texts: list[str] = []
        while line < end and not state.isEmpty(line) and (opening := _DEFINITION.match(line_text(state, line))):
            kept = [line_text(state, line)[opening.end() :]]
            line += 1
            while line < end and _continues(state, line, end):
                own = state.getLines(line, line + 1, state.blkIndent + 4, False).rstrip("\n")
                kept.append("" if state.isEmpty(line) else own)
                line += 1
            while kept and not kept[-1]:
                kept.pop()
            texts.append("\n".join(kept))
            if line < end and state.isEmpty(line) and line + 1 < end and _DEFINITION.match(line_text(state, line + 1)):
                line += 1
        items.append((term, texts))
        if line < end and state.isEmpty(line) and line + 1 < end and _is_term(state, line + 1, end):
            line += 1
    token = state.push("definitions", "", 0)
    token.meta["items"] = items
    token.map = [start, line]
    state.line = line
    return True


def _is_term(state: StateBlock, line: int, end: int) -> bool:
    if line + 1 >= end or state.isEmpty(line) or state.sCount[line] >= state.blkIndent + 4:
        return False
    after = line + 2 if state.isEmpty(line + 1) and line + 2 < end else line + 1
    if state.sCount[after] < state.blkIndent or state.isEmpty(after) or _DEFINITION.match(line_text(state, line)):
        return False
    return _DEFINITION.match(line_text(state, after)) is not None


def _continues(state: StateBlock, line: int, end: int) -> bool:
    """Whether a definition's text goes on: a lazy line of its paragraph, or after a blank line an indented one."""
    if state.isEmpty(line):
        return line + 1 < end and not state.isEmpty(line + 1) and state.sCount[line + 1] >= state.blkIndent + 2
    if state.sCount[line] >= state.blkIndent + 2:
        return True
    return (
        not state.isEmpty(line - 1) and not _DEFINITION.match(line_text(state, line)) and not _is_term(state, line, end)
    )


def _tex_display(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    first = line_text(state, start)
    if not first.startswith(r"\[") or state.is_code_block(start):
        return False
    lines: list[str] = [first[2:]]
    last = start
    while r"\]" not in lines[-1]:
        last += 1
        if last >= end or state.isEmpty(last):
            return False
        lines.append(line_text(state, last))
    body, _, rest = lines[-1].partition(r"\]")
    content = "\n".join([*lines[:-1], body]).strip()
    if rest.strip() or not _FORMULA.search(content):
        return False
    if not silent:
        token = state.push("math_block", "math", 0)
        token.content = content
        token.map = [start, last + 1]
        state.line = last + 1
    return True


def _tex_inline(state: StateInline, silent: bool) -> bool:
    if not state.src.startswith(r"\(", state.pos):
        return False
    close = state.src.find(r"\)", state.pos + 2, state.pos + _MAX_FORMULA_CHARS)
    content = state.src[state.pos + 2 : close].strip() if close > 0 else ""
    if not content or not _FORMULA.search(content):
        return False
    if not silent:
        token = state.push("math_inline", "math", 0)
        token.content = content
    state.pos = close + 2
    return True


def _inline_note(state: StateInline, silent: bool) -> bool:
    if not state.src.startswith("^[", state.pos):
        return False
    found = _NOTE.match(state.src, state.pos)
    content = found[1].strip() if found else ""
    if not content or found is None:
        return False
    if not silent:
        notes = state.env.setdefault("footnotes", {})
        label = f"inline note {len(notes)}"
        notes[label] = content
        token = state.push("footnote_ref", "", 0)
        token.content = label
    state.pos = found.end()
    return True
