"""The Markdown dialect: markdown-it-py's CommonMark with the extensions files really use, as block and inline rules.

Extensions: `$…$` and `$$…$$` (Pandoc's rule for what is a formula), `[^1]` footnotes, `!!! note` admonitions and
`=== "Tab"` (MkDocs), `:::` containers (Docusaurus, Quarto, MyST), `[[links]]` of wikis and Obsidian, `==marks==`.

Formulas are mdit-py-plugins' (the same ones on the corpus, 4 % slower). Its footnotes, admonitions and containers are
not used: indexing and rendering both need a note's source, which it does not keep; it knows no tabs; and it looks for
the end of each container anew, in quadratic time where none is closed.

A reader of plain paragraphs, lists and tables that went round markdown-it was tried: it read the corpus' Markdown in
0.6 of the time, which made indexing it take 12 % less processor time, and it disagreed with markdown-it on nested
fences. One reader that is right was worth more (`tests/bench/formats/parse_small.py` has the pace)."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TypeVar

from markdown_it import MarkdownIt
from markdown_it.common.utils import normalizeReference
from markdown_it.parser_block import RuleFuncBlockType
from markdown_it.parser_inline import RuleFuncInlineType
from markdown_it.ruler import RuleOptionsType, Ruler
from markdown_it.rules_block import StateBlock, lheading, table
from markdown_it.rules_inline import StateInline
from mdit_py_plugins.dollarmath import dollarmath_plugin

MAX_NESTING = 100
"""Levels of blocks in blocks; a list in a list takes two. markdown-it leaves out what lies deeper, and CommonMark's own
20 are fewer than people nest."""
_INLINE_NESTING = 20
"""Levels of links, pictures and emphasis in one another. As many `[` in a row cost this many times their number."""
_FOOTNOTE = re.compile(r"\[\^([^\]\s]{1,80})\]:[ \t]*")
_REFERENCE = re.compile(r"\[\^([^\]\s]{1,80})\]")
_ADMONITION = re.compile(r"(?:!!!|\?\?\?\+?)[ \t]+([\w-]+)[^\"\n]*(?:\"([^\"\n]*)\")?|===\+?!?[ \t]+\"([^\"\n]*)\"")
_CONTAINER = re.compile(r":{3,}[ \t]*(?:\{?\.?([\w-]*)\}?)?[ \t]*(.*)")
_TITLE = re.compile(r"\btitle=\"([^\"]*)\"")
YAML_BLOCK = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
"""Front matter in YAML at the head of a file, as Jekyll began it."""
_SOON = 12
"""Lines of a paragraph that are looked through before markdown-it is asked, which takes longer."""
_WIKI_LINK = re.compile(r"(!?)\[\[(?![ \t])([^\[\]|\n]{1,300}+)(?:\|([^\[\]\n]{0,300}+))?\]\](?![(\[])")
_LETTER = re.compile(r"[^\W\d_]")
_PICTURE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|bmp|avif)$", re.IGNORECASE)
_MARKED = re.compile(r"(?<![\w=])==(?=[^\s=])[^=\n]{1,500}+(?<=\S)==(?![\w=])")
_MARK_END = "mark_end"
_OTHERS: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}


@cache
def markdown_parser() -> MarkdownIt:
    """The parser, made once: that takes as long as reading a page, and it keeps nothing of a text.

    Its block tokens hold their inline text unparsed: most of it is plain, and parsing it is half the time. Its rules
    are only asked where a line, or a piece of one, begins with what they look for: to ask all was a third of the time.
    """
    parser = make_markdown_parser()
    parser.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    parser.block.ruler.at("lheading", _lheading)
    parser.block.ruler = _RulesByCharacter(parser.block.ruler, _BLOCK_STARTS, _block_rule)
    return parser


@cache
def inline_parser() -> MarkdownIt:
    """The parser of what `markdown_parser` left unparsed."""
    parser = make_markdown_parser(_INLINE_NESTING)
    parser.inline.ruler.before("link", "wiki_link", _wiki_link)
    parser.inline.ruler.before("link", "mark", _mark)
    parser.inline.ruler = _RulesByCharacter(parser.inline.ruler, _INLINE_STARTS, _inline_rule)
    return parser


_BLOCK_STARTS = {
    "math_block": "$", "footnote_def": "[", "admonition": "!?=", "container": ":", "fence": "`~", "blockquote": ">",
    "hr": "*-_", "list": "*-+0123456789", "reference": "[", "html_block": "<", "heading": "#",
}  # fmt: skip
"""The characters after the indentation of a line; rules that are not here may begin with any."""
_INLINE_STARTS = {
    "text": "", "newline": "\n", "math_inline": "$", "escape": "\\", "backticks": "`", "strikethrough": "~",
    "emphasis": "*_", "footnote_ref": "[", "link": "[", "image": "!", "autolink": "<", "html_inline": "<",
    "entity": "&", "wiki_link": "[!", "mark": "=",
}  # fmt: skip
"""The characters that end plain text; what begins with none of them is plain."""
_Rule = TypeVar("_Rule")


class _RulesByCharacter(Ruler[_Rule]):
    """The rules of another ruler, each chain of them one rule that asks those for the first character."""

    def __init__(
        self,
        ruler: Ruler[_Rule],
        starts: Mapping[str, str],
        combined: Callable[[Mapping[str, Sequence[_Rule]], Sequence[_Rule]], _Rule],
    ) -> None:
        super().__init__()
        self.__rules__ = ruler.__rules__
        self._chains: dict[str, list[_Rule]] = {}
        for chain in ("", "paragraph", "reference", "blockquote", "list"):
            rules = [
                (rule.name, rule.fn) for rule in self.__rules__ if rule.enabled and (not chain or chain in rule.alt)
            ]
            others = [rule for name, rule in rules if not starts.get(name)]
            by_character = {
                character: [rule for name, rule in rules if character in starts.get(name, character)]
                for character in "".join(starts.values())
            }
            self._chains[chain] = [combined(by_character, others)]

    def getRules(self, chainName: str = "") -> list[_Rule]:  # noqa: N802, N803 (markdown-it's names)
        """The rule of a chain."""
        return self._chains.get(chainName, [])


def _block_rule(
    by_character: Mapping[str, Sequence[RuleFuncBlockType]], others: Sequence[RuleFuncBlockType]
) -> RuleFuncBlockType:
    def ask(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        at = state.bMarks[start] + state.tShift[start]
        for rule in by_character.get(state.src[at : at + 1], others):  # noqa: SIM110 (a generator takes longer)
            if rule(state, start, end, silent):
                return True
        return False

    return ask


def _inline_rule(
    by_character: Mapping[str, Sequence[RuleFuncInlineType]], others: Sequence[RuleFuncInlineType]
) -> RuleFuncInlineType:
    def ask(state: StateInline, silent: bool) -> bool:
        for rule in by_character.get(state.src[state.pos], others):  # noqa: SIM110 (a generator takes longer)
            if rule(state, silent):
                return True
        return False

    return ask


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """markdown-it's, asked where the next line may be that of dashes."""
    if start + 2 > end:
        return False
    at = state.bMarks[start + 1] + state.tShift[start + 1]
    return at < state.eMarks[start + 1] and state.src[at] in "|-:" and table(state, start, end, silent)


def _lheading(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """markdown-it's, asked where a line of the paragraph may underline it, or where that is not soon to be seen: it
    knows where the paragraph ends, which in a list without gaps is the next item."""
    for line in range(start + 1, min(end, start + _SOON)):
        at = state.bMarks[line] + state.tShift[line]
        if at >= state.eMarks[line]:
            return False
        if state.src[at] in "-=":
            return lheading(state, start, end, silent)
    return start + _SOON < end and lheading(state, start, end, silent)


def make_markdown_parser(max_nesting: int = MAX_NESTING) -> MarkdownIt:
    """Another such parser, for whoever adds rules of their own or takes blocks nested less deeply."""
    parser = MarkdownIt("commonmark", {"maxNesting": max_nesting}).enable(["table", "strikethrough"])
    parser.disable(["inline", "text_join"])  # the latter joins what the former has made
    # Links are shown, not followed: they stay as written, whatever their scheme.
    parser.normalizeLink = _as_written
    parser.validateLink = _any_link
    parser.use(
        dollarmath_plugin, allow_space=False, allow_digits=False, double_inline=True, label_normalizer=_bracketed
    )
    parser.block.ruler.before("fence", "footnote_def", _footnote, _OTHERS)
    parser.block.ruler.before("fence", "admonition", _admonition, _OTHERS)
    parser.block.ruler.before("fence", "container", _container, _OTHERS)
    parser.inline.ruler.before("link", "footnote_ref", _footnote_ref)
    return parser


def _as_written(url: str) -> str:
    return url


def _bracketed(label: str) -> str:
    """The number of an equation as it is printed."""
    return f"({label})"


def _any_link(url: str) -> bool:
    return True


def line_text(state: StateBlock, line: int) -> str:
    """A line without what it is indented by."""
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _footnote(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if not state.src.startswith("[^", state.bMarks[start] + state.tShift[start]) or state.is_code_block(start):
        return False
    line = line_text(state, start)
    opening = _FOOTNOTE.match(line)
    if opening is None:
        return False
    if silent:
        return True
    lines = [line[opening.end() :]]
    last = start + 1
    base = state.sCount[start]
    while last < end:
        if state.isEmpty(last):
            if last + 1 >= end or state.isEmpty(last + 1) or state.sCount[last + 1] < base + 2:
                break
            lines.append("")
        elif state.sCount[last] >= base + 2 or (lines[-1] and not _FOOTNOTE.match(line_text(state, last))):
            lines.append(line_text(state, last))  # indented, or a lazy continuation of the paragraph
        else:
            break
        last += 1
    token = state.push("footnote_def", "", 0)
    token.info = opening[1]
    token.content = "\n".join(lines)
    token.map = [start, last]
    state.env.setdefault("footnotes", {})[opening[1]] = token.content
    state.line = last
    return True


def _admonition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    at = state.bMarks[start] + state.tShift[start]
    if state.src[at : at + 3] not in ("!!!", "???", "===") or state.is_code_block(start):
        return False
    opening = _ADMONITION.match(line_text(state, start))
    if opening is None:
        return False
    if silent:
        return True
    base = state.sCount[start]
    last = start + 1
    while last < end and (state.isEmpty(last) or state.sCount[last] >= base + 4):
        last += 1
    token = state.push("admonition", "", 0)
    token.info = next((title for title in (opening[2], opening[3], opening[1]) if title is not None), "")
    token.content = state.getLines(start + 1, last, base + 4, False)
    token.map = [start, last]
    state.line = last
    return True


def _container(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """The fence lines of a container go; what it contains is parsed as if they were not there."""
    if not state.src.startswith(":::", state.bMarks[start] + state.tShift[start]) or state.is_code_block(start):
        return False
    fence = _CONTAINER.match(line_text(state, start))
    if fence is None:
        return False
    if silent:
        return True
    title = re.sub(r"^[\[{].*?[\]}]$", lambda shown: shown[0][1:-1] if shown[0][0] == "[" else "", fence[2].strip())
    if title.endswith("}"):  # attributes, as Quarto has them
        named = _TITLE.search(title)
        title = named[1] if named else ""
    token = state.push("container", "", 0)
    token.info = title or (fence[1] or "")
    token.map = [start, start + 1]
    state.line = start + 1
    return True


def _footnote_ref(state: StateInline, silent: bool) -> bool:
    if not state.src.startswith("[^", state.pos):
        return False
    found = _REFERENCE.match(state.src, state.pos)
    if found is None or found[1] not in state.env.get("footnotes", {}):
        return False
    if not silent:
        token = state.push("footnote_ref", "", 0)
        token.content = found[1]
    state.pos = found.end()
    return True


def _wiki_link(state: StateInline, silent: bool) -> bool:
    """`[[page]]`, `[[page|text]]` and `![[file]]`; what CommonMark takes for a reference in brackets stays one."""
    if not state.src.startswith(("[[", "![["), state.pos):
        return False
    found = _WIKI_LINK.match(state.src, state.pos)
    if found is None or not _LETTER.search(found[2]) or normalizeReference(found[2]) in state.env.get("references", {}):
        return False
    if not silent:
        target = found[2].strip()
        if found[1] and _PICTURE.search(target):
            image = state.push("image", "img", 0)
            image.attrs = {"src": target}
            image.content = found[3] if found[3] and not found[3].strip().isdecimal() else ""
        else:
            state.push("link_open", "a", 1).attrs = {"href": target}
            state.push("text", "", 0).content = (found[3] or target).strip()
            state.push("link_close", "a", -1)
    state.pos = found.end()
    return True


def _mark(state: StateInline, silent: bool) -> bool:
    """The signs around what is marked go: what is between them is read as any other text."""
    if not state.src.startswith("==", state.pos):
        return False
    ends = state.env.get(_MARK_END) == (state.src, state.pos)
    found = None if ends else _MARKED.match(state.src, state.pos)
    if found is None and not ends:
        return False
    if found is not None and not silent:
        state.env[_MARK_END] = (state.src, found.end() - 2)
    if silent and not ends:
        return False
    state.pos += 2
    return True
