"""Reads manuals in Perl's POD (perlpod) and in Texinfo: headings, paragraphs, items and listings, text in the marks of
its letters without them."""

import re
import sys
from collections.abc import Iterator, Sequence
from typing import Final

from sidecar.api import AnyBlock, Code, Heading, ListItem, Paragraph


def words_of(text: str) -> frozenset[str]:
    """The words of a line as a set."""
    return frozenset(text.split())


_POD_CODE: Final = re.compile(r"([A-Z])(?:<<+\s(?P<wide>.{0,2000}?)\s>>+|<(?P<narrow>[^<>]*)>)", re.DOTALL)
_POD_ESCAPES: Final = {"lt": "<", "gt": ">", "verbar": "|", "sol": "/", "quot": '"', "amp": "&"}
_TEXINFO_HEADINGS: Final = {
    "chapter": 1, "unnumbered": 1, "appendix": 1, "majorheading": 1, "chapheading": 1, "top": 1, "section": 2,
    "unnumberedsec": 2, "appendixsec": 2, "heading": 2, "subsection": 3, "unnumberedsubsec": 3, "appendixsubsec": 3,
    "subheading": 3, "subsubsection": 4, "unnumberedsubsubsec": 4, "appendixsubsubsec": 4, "subsubheading": 4,
}  # fmt: skip
_TEXINFO_CODE: Final = words_of("example smallexample lisp smalllisp verbatim display smalldisplay format")
_TEXINFO_LEFT: Final = words_of("ignore menu direntry tex macro rmacro iftex html docbook xml detailmenu titlepage")
_TEXINFO_LISTS: Final = words_of("itemize enumerate table ftable vtable multitable")
_TEXINFO_INLINE: Final = re.compile(r"@([a-zA-Z]+)\{([^{}@]*)\}")
_TEXINFO_WORDS: Final = {
    "dots": "…", "enddots": "…", "copyright": "©", "TeX": "TeX", "LaTeX": "LaTeX", "bullet": "•", "minus": "−",
    "result": "⇒", "equiv": "≡", "error": "error", "print": "-|", "point": "", "expansion": "→", "tie": " ",
    "registeredsymbol": "®", "atchar": "@", "lbracechar": "{", "rbracechar": "}", "comma": ",", "pounds": "£",
    "euro": "€",
}  # fmt: skip
_TEXINFO_LINKS: Final = words_of("xref pxref ref inforef url uref email link")
_TEXINFO_UNSEEN: Final = words_of("anchor footnotestyle cindex vskip image hyphenation errormsg")
_MAX_DEPTH: Final = 20
"""Commands in one another that are resolved."""


class Blocks:
    """The blocks so far, and the lines of the one that is being filled."""

    def __init__(self) -> None:
        self.blocks: list[AnyBlock] = []
        self.lines: list[str] = []
        self.level = 0
        self.term = ""

    def flush(self) -> None:
        """End a paragraph or an item."""
        text = " ".join(" ".join(self.lines).split())
        self.lines = []
        if self.term:
            text = f"{self.term} {text}".strip()
            self.blocks.append(ListItem(text=text, level=max(self.level - 1, 0), marker="•"))
            self.term = ""
        elif text:
            self.blocks.append(Paragraph(text=text))

    def heading(self, text: str, level: int) -> None:
        """A heading, where it says something."""
        self.flush()
        words = " ".join(text.split())
        if words:
            self.blocks.append(Heading(text=words, level=level))

    def code(self, lines: Sequence[str]) -> None:
        """A listing, where it says something."""
        self.flush()
        text = "\n".join(lines).strip("\n").rstrip()
        if text.strip():
            self.blocks.append(Code(text=text))

    def item(self, term: str) -> None:
        """Begin an item that its first words name; the text that follows belongs to it."""
        self.flush()
        self.term = " ".join(term.split()) or "•"


def read_manual(text: str, language: str) -> tuple[list[AnyBlock], dict[str, str]]:
    """The blocks of a manual in "pod" or "texinfo", and what it says of itself."""
    made = Blocks()
    facts = _texinfo(text, made) if language == "texinfo" else _pod(text, made)
    made.flush()
    return made.blocks, facts


def _pod(text: str, made: Blocks) -> dict[str, str]:
    """Paragraphs between blank lines; those that begin with "=" are commands, indented ones listings."""
    is_pod, left = False, ""
    for paragraph in (one.strip("\n") for one in re.split(r"\n[ \t]*\n", text)):
        command = re.match(r"=([a-z]+\d?)[ \t]*(.*)", paragraph, re.DOTALL)
        if command is None:
            if not is_pod or left or not paragraph.strip():
                continue
            if paragraph[0] in " \t":
                made.code(paragraph.split("\n"))
            else:
                made.lines.append(_plain_pod(paragraph))
                made.flush()
            continue
        name, rest = command[1], command[2]
        is_pod = name != "cut"
        if name.startswith("head"):
            made.heading(_plain_pod(rest), int(name[4:] or 1))
        elif name == "over":
            made.level += 1
        elif name == "back":
            made.flush()
            made.level = max(made.level - 1, 0)
        elif name == "item":
            made.item(_plain_pod(rest.removeprefix("*").strip()))
        elif name in ("begin", "end"):
            left = rest.strip() if name == "begin" and not rest.startswith(":") else ""
    return {}


def _plain_pod(text: str) -> str:
    """The text without codes of its letters, the innermost first."""
    for _ in range(_MAX_DEPTH):
        text, count = _POD_CODE.subn(_pod_code, text)
        if not count:
            break
    return text.replace("\x01", "<").replace("\x02", ">")


def _pod_code(found: re.Match[str]) -> str:
    inside = found["wide"] if found["wide"] is not None else found["narrow"]
    # What is shown as such must not be taken for another code.
    inside = inside.replace("<", "\x01").replace(">", "\x02")
    if found[1] == "E":
        known = _POD_ESCAPES.get(inside, "")
        return known.replace("<", "\x01").replace(">", "\x02") or (
            chr(min(int(inside[:9]), sys.maxunicode)) if inside.isdecimal() else inside
        )
    if found[1] in "XZ":
        return ""
    if found[1] == "L":
        named, _, target = inside.rpartition("|")
        page, _, section = target.partition("/")
        section = section.strip('"')
        return named or (f"“{section}” in {page}" if page and section else section or page)
    return inside


def _texinfo(text: str, made: Blocks) -> dict[str, str]:
    """Lines that begin with "@" are commands, environments end with "@end"."""
    facts: dict[str, str] = {}
    lines = (line for line in text.split("\n") if not line.startswith("\\input"))  # TeX's, before the manual begins
    for line in lines:
        command = re.match(r"@([a-zA-Z]+)\b(?!\{)[ \t]*(.*)", line)
        if command is None:
            if line.strip():
                made.lines.append(_plain_texinfo(line))
            else:
                made.flush()
            continue
        name, rest = command[1], command[2]
        if name in ("settitle", "title"):
            facts.setdefault("title", " ".join(_plain_texinfo(rest).split()))
        elif name == "author":
            facts.setdefault("author", _plain_texinfo(rest))
        elif name in _TEXINFO_HEADINGS:
            made.heading(_plain_texinfo(rest), _TEXINFO_HEADINGS[name])
        elif name in _TEXINFO_CODE:
            made.code([one if name == "verbatim" else _plain_texinfo(one) for one in _inside(lines, name)])
        elif name in _TEXINFO_LEFT:
            for _ in _inside(lines, name):
                pass
        elif name in _TEXINFO_LISTS or name == "end":
            made.flush()
            made.level = max(made.level + (1 if name in _TEXINFO_LISTS else -1 if rest in _TEXINFO_LISTS else 0), 0)
        elif name in ("item", "itemx", "tab") or (name.startswith("def") and not name.startswith("defcodeindex")):
            made.item(_plain_texinfo(rest))
    return facts


def _inside(lines: Iterator[str], name: str) -> Iterator[str]:
    for line in lines:
        if line.strip() == f"@end {name}":
            return
        yield line


def _plain_texinfo(text: str) -> str:
    """The text without commands, the innermost first."""
    text = re.sub(r"@c(?:omment)?(?:\s.*)?$", "", text)
    text = text.replace("@@", "\x01").replace("@{", "\x02").replace("@}", "\x03")
    for _ in range(_MAX_DEPTH):
        text, count = _TEXINFO_INLINE.subn(_texinfo_code, text)
        if not count:
            break
    text = re.sub(r"@([*:.!?/ -])", lambda found: found[1] if found[1] in ".!? " else "", text)
    text = text.replace("---", "—").replace("``", "“").replace("''", "”")
    return text.replace("\x01", "@").replace("\x02", "{").replace("\x03", "}")


def _texinfo_code(found: re.Match[str]) -> str:
    name, inside = found[1], found[2]
    if name in _TEXINFO_WORDS and not inside:
        return _TEXINFO_WORDS[name]
    if name in _TEXINFO_UNSEEN:
        return ""
    if name in _TEXINFO_LINKS:
        arguments = [one.strip() for one in inside.split(",")]
        return next((one for one in (arguments[1:2] if name[0] in "ue" else arguments[2:3]) if one), arguments[0])
    return f" ({inside.strip()})" if name == "footnote" else inside
