"""One AsciiDoc text with its marks, links, macros, notes and attributes read."""

import re
from collections.abc import Mapping
from typing import Final

from sidecar.api import Note, Span, SpanKind
from sidecar.toolkit.markup.inline import Inline

_MAX_VALUE_CHARS: Final = 200
"""Of an attribute, which a text may name any number of times."""
_MAX_ADDED_CHARS: Final = 1_000_000
"""By values of attributes, of a document."""
_MAX_DEPTH: Final = 4
_REFERENCE: Final = re.compile(r"(\\?)\{([\w-]{1,60})\}")
_CHARACTERS: Final = {
    "nbsp": "\u00a0", "sp": " ", "empty": "", "blank": "", "zwsp": "", "wj": "", "apos": "'", "quot": '"', "lt": "<",
    "gt": ">", "amp": "&", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "deg": "°", "plus": "+",
    "brvbar": "¦", "vbar": "|", "startsb": "[", "endsb": "]", "caret": "^", "asterisk": "*", "tilde": "~",
    "backslash": "\\", "backtick": "`", "two-colons": "::", "two-semicolons": ";;", "cpp": "C++", "pp": "++",
    "litdd": "--", "asciidoctor": "",
}  # fmt: skip
"""Attributes that are always defined."""
_TOKEN: Final = re.compile(
    r"\\(?P<escaped>[*_`#^~+\[(]|https?:|link:|<<)"
    r"|\+\+\+(?P<triple>(?:(?!\+\+\+)[^\n]){1,500}+)\+\+\+|\+\+(?P<double>(?:(?!\+\+)[^\n]){1,500}+)\+\+"
    r"|``(?P<codes>[^`\n]{1,500}+)``|\*\*(?P<bolds>[^*]{1,500}+)\*\*|__(?P<italics>[^_]{1,500}+)__"
    r"|(?<![\w`\"'])`(?P<code>[^`]{1,500}+)`(?![\w\"'])|(?<!\w)[\"']`(?P<quoted>[^`]{1,500}+)`[\"'](?!\w)"
    r"|(?<![\w*])\*(?P<bold>[^\s*][^*]{0,500}+)(?<!\s)\*(?!\w)|(?<![\w_])_(?P<italic>[^\s_](?:[^_]|(?<=\w)_(?=\w)){0,500}+)(?<!\s)_(?!\w)"
    r"|(?:\[[^\[\]\n]{0,100}+\])?##(?P<marks>[^#]{1,500}+)##"
    r"|(?:(?<!\w)\[[^\[\]\n]{1,100}+\]|(?<![\w&]))#(?P<mark>[^\s#][^#]{0,500}+)(?<!\s)#(?!\w)"
    r"|\^(?P<sup>[^\s^]{1,200}+)\^|~(?P<sub>[^\s~]{1,200}+)~"
    r"|(?<![\w+])\+(?P<plain>[^\s+][^+\n]{0,500}+)(?<!\s)\+(?![\w+])"
    r"|<<(?P<target>[^<>,\n]{1,200}+)(?:,\s*(?P<reference>[^<>]{0,500}+))?>>"
    r"|\(\(\((?P<index>[^()]{1,300}+)\)\)\)|\(\((?P<term>[^()]{1,300}+)\)\)|\[\[(?P<anchor>[^\[\]]{1,200}+)\]\]"
    r"|(?<![\w<])<?(?P<url>(?:https?|ftp|irc)://[^\s\[\]<>\"]{1,2000}+)>?(?P<shown>\[[^\[\]]{0,500}+\])?"
    r"|(?<![\w:])(?P<macro>link|xref|mailto|image|icon|kbd|btn|menu|footnote|footnoteref|stem|latexmath|asciimath|pass|"
    r"indexterm2?|anchor|eqref|ref):(?P<path>[^\s:\[\]][^\s\[\]]{0,1000}+)?\[(?P<inside>(?:\\\]|[^\]]){0,1000}+)\]"
    r"|[ \t]\+(?P<break>\n)"
)
_KINDS: Final[dict[str, SpanKind]] = {
    "codes": "code", "code": "code", "bolds": "bold", "bold": "bold", "italics": "italic", "italic": "italic",
    "sup": "sup", "sub": "sub",
}  # fmt: skip
_PLUS: Final = re.compile(r"\+(.{1,500})\+", re.DOTALL)
_SHOWN: Final = re.compile(r"(?:\"([^\"]*+)\"|([^,=\"]*+))(?:,.*=.*)?$", re.DOTALL)
"""The text of a macro that attributes may follow."""


class Attributes:
    """What a document defines, and the notes that stand in its texts."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}
        self.notes: list[Note] = []
        """Those of the texts read since they were last taken."""
        self._count = 0
        self._room = _MAX_ADDED_CHARS

    def define(self, name: str, value: str) -> None:
        """Give an attribute its value."""
        self._values[name.lower()] = value[:_MAX_VALUE_CHARS]

    def remove(self, name: str) -> None:
        """Take an attribute away."""
        self._values.pop(name.lower(), None)

    def defines(self, names: str) -> bool:
        """Whether one (`a,b`) or all (`a+b`) of the attributes are defined."""
        if "+" in names:
            return all(map(self.defines, names.split("+")))
        return any(name.lower() in self._values or name.lower() in _CHARACTERS for name in names.split(","))

    def resolved(self, text: str) -> str:
        """The text with values for the names of attributes; those of others stay."""
        return _REFERENCE.sub(self._value, text) if "{" in text else text

    def _value(self, found: re.Match[str]) -> str:
        if found[1]:
            return found[0][1:]
        name = found[2].lower()
        value = self._values.get(name, _CHARACTERS.get(name, found[0]))
        self._room -= len(value)
        return value if self._room > 0 else found[0]

    def note(self, text: str, spans: tuple[Span, ...]) -> str:
        """Keep a footnote; what it is called."""
        self._count += 1
        self.notes.append(Note(kind="footnote", id=str(self._count), text=text, spans=spans))
        return str(self._count)


def read_inline(text: str, attributes: Attributes) -> tuple[str, tuple[Span, ...]]:
    """What a reader sees of a text, with the spans of its marks; its footnotes are added to the attributes' notes."""
    line = Inline()
    _add(line, attributes.resolved(text), attributes, 0)
    return line.finish_line()


def _add(line: Inline, text: str, attributes: Attributes, depth: int) -> None:
    at = 0
    for token in _TOKEN.finditer(text) if depth < _MAX_DEPTH else ():
        line.add(text[at : token.start()])
        at = token.end()
        _token(line, token, attributes, depth)
    line.add(text[at:])


def _token(line: Inline, token: re.Match[str], attributes: Attributes, depth: int) -> None:
    name = token.lastgroup or ""
    start = line.length
    given = token.groupdict()
    if given["macro"]:
        _macro(line, given, attributes, depth)
    elif given["url"]:
        _link(line, given["url"], _shown((given["shown"] or "")[1:-1]), attributes, depth)
    elif given["target"]:
        _link(line, f"#{given['target'].removeprefix('#')}", given["reference"] or given["target"], attributes, depth)
    elif name == "break":
        line.line_break()
    elif name in ("escaped", "triple", "double", "plain"):
        line.add_exact(token[name])
    elif name in ("codes", "code"):
        passed = _PLUS.fullmatch(token[name])
        line.add(passed[1] if passed else token[name])
        line.span("code", start)
    elif name == "quoted":
        line.add_exact("“" if token[0][0] == '"' else "‘")
        _add(line, token[name], attributes, depth + 1)
        line.add_exact("”" if token[0][0] == '"' else "’")
    elif name not in ("index", "anchor"):
        _add(line, token[name], attributes, depth + 1)
        if name in _KINDS:
            line.span(_KINDS[name], start)


def _macro(line: Inline, given: Mapping[str, str], attributes: Attributes, depth: int) -> None:
    name, path, inside = given["macro"], given["path"] or "", (given["inside"] or "").replace("\\]", "]")
    start = line.length
    if name in ("link", "mailto"):
        url = f"mailto:{path}" if name == "mailto" else path
        _link(line, url, _shown(inside) or path, attributes, depth)
    elif name == "xref":
        _link(line, path if "." in path else f"#{path.removeprefix('#')}", _shown(inside) or path, attributes, depth)
    elif name in ("footnote", "footnoteref"):
        if inside:
            shown, spans = read_inline(inside, attributes) if depth < _MAX_DEPTH else (inside, ())
            number = attributes.note(shown, spans)
            line.add_exact(f"[{number}]")
            line.span("note", start, number)
    elif name in ("stem", "latexmath", "asciimath"):
        line.add(inside)
        line.span("math", start, inside)
    elif name == "menu":
        line.add(" › ".join((path, *filter(None, (one.strip() for one in inside.split(">"))))))
    elif name == "image":
        line.add(_shown(inside.partition(",")[0]))
    elif name in ("kbd", "btn", "pass", "indexterm2"):
        line.add(inside)


def _link(line: Inline, url: str, shown: str, attributes: Attributes, depth: int) -> None:
    start = line.length
    trailing = "" if shown else url[len(url.rstrip(".,;:!?)")) :] * (not url.endswith(")") or "(" not in url)
    url = url.removesuffix(trailing) if trailing else url
    _add(line, shown or url, attributes, depth + 1) if shown else line.add_exact(url)
    line.span("link", start, url)
    line.add_exact(trailing)


def _shown(inside: str) -> str:
    """The text of a link's or picture's brackets."""
    found = _SHOWN.match(inside)
    text = inside if found is None else found[1] or found[2] or ""
    return text.strip().removesuffix("^")
