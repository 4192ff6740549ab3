"""Inline reStructuredText: emphasis, literals, roles, references, substitutions and footnote marks."""

import re

from sidecar.api import Figure, Span, SpanKind
from sidecar.toolkit.markup.inline import Inline

_START = r"(?<![\w`*\\])"
_TOKEN = re.compile(
    r"(?=[\\`:*|_\[A-Za-z0-9])(?:\\(?P<escape>.)"
    r"|``(?P<literal>(?:[^`]|`(?!`))+)``"
    rf"|{_START}:(?P<role>[\w.+:-]{{1,80}}):`(?P<roled>(?:[^`\\]|\\.)+)`"
    r"|(?<![\w`])_`(?P<target>(?:[^`\\]|\\.)+)`(?!\w)"
    r"|(?<![\w`])`(?P<phrase>(?:[^`\\]|\\.)+)`(?P<link>__?)?(?::(?P<after>[\w.+-]+):)?"
    rf"|{_START}\*\*(?P<strong>\S(?:.{{0,2000}}?\S)?)\*\*(?!\w)"
    rf"|{_START}\*(?P<emphasis>[^\s*](?:[^*]*[^\s*])?)\*(?!\w)"
    r"|\|(?P<substitution>[^|\s](?:[^|\n]*(?:\n[^|\n]+)?[^|\s])?)\|(?:__?)?"
    r"|(?<=\s)\[(?P<note>\#?[\w.-]*|\*)\]_(?!\w)|^\[(?P<note0>\#?[\w.-]*|\*)\]_(?!\w)"
    r"|(?<![\w`.-])(?=(?:[^\W_]|[.-])*+_)(?P<reference>[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)__?(?![\w]))",
    re.DOTALL | re.MULTILINE,
)
_TARGET = re.compile(r"(?P<text>.*?)\s*<(?P<url>[^<>]+)>$", re.DOTALL)
_OBJECTS = frozenset([
    "code", "literal", "samp", "command", "file", "program", "option", "envvar", "kbd", "class", "func", "meth", "attr",
    "mod", "data", "exc", "obj", "const",
])  # fmt: skip
_ROLES: dict[str, SpanKind] = {
    **dict.fromkeys(_OBJECTS, "code"),
    **dict.fromkeys(["ref", "doc", "term", "any", "numref", "download"], "link"),
    **dict.fromkeys(["strong", "guilabel", "menuselection"], "bold"),
    **dict.fromkeys(["emphasis", "title-reference", "title", "t"], "italic"),
    "sub": "sub", "subscript": "sub", "sup": "sup", "superscript": "sup",
}  # fmt: skip
"""The docutils and Sphinx roles that mark their text, and how."""
_SUBSTITUTED = re.compile(r"\|(?P<name>[^|\s](?:[^|\n]*(?:\n[^|\n]+)?[^|\s])?)\|(?:__?)?")
_SUBSTITUTED_CHARS = 1_000_000
"""Characters that names stand for in one document: a long text under a short name would make 100 MB of 60 KB."""
_NUMBERED = frozenset(["pep", "rfc", "cve", "cwe"])
"""The docutils and Sphinx roles that Sphinx shows in capitals before their number."""


class ReferenceNames:
    """What names in the text stand for: link targets and substitutions, keys in lower case with single blanks."""

    def __init__(self) -> None:
        self.links: dict[str, str] = {}
        self.substitutions: dict[str, str] = {}
        self.pictures: dict[str, Figure] = {}
        self._room = _SUBSTITUTED_CHARS

    def link(self, name: str) -> str:
        """The address a name stands for, "" where it is not defined."""
        return self.links.get(fold(name), "")

    def pictures_in(self, text: str) -> list[Figure]:
        """The pictures that names in a run of text stand for."""
        if not self.pictures or "|" not in text:
            return []
        named = (fold(token["name"]) for token in _SUBSTITUTED.finditer(text))
        return [self.pictures[name] for name in named if name in self.pictures]

    def without_pictures(self, text: str) -> str:
        """A run of text without the names that stand for pictures."""
        return _SUBSTITUTED.sub(lambda token: "" if fold(token["name"]) in self.pictures else token[0], text)

    def substituted(self, name: str) -> str:
        """What a name stands for, of a picture what is said in its stead; the name where it is not defined, or where
        names have stood for more than they may."""
        picture = self.pictures.get(fold(name))
        text = self.substitutions.get(fold(name), name) if picture is None else picture.alt
        self._room -= len(text)
        return text if self._room >= 0 else name


def fold(name: str) -> str:
    """A name as names are compared: lower case, single blanks."""
    return " ".join(name.lower().split())


def read_inline(text: str, names: ReferenceNames) -> tuple[str, tuple[Span, ...]]:
    """A run of text lines as plain text and spans; line breaks are blanks."""
    if not any(mark in text for mark in "`*_|\\"):
        return " ".join(text.split()), ()
    line = Inline()
    at = 0
    for token in _TOKEN.finditer(text):
        line.add(text[at : token.start()])
        at = token.end()
        _token(token, line, names)
    line.add(text[at:])
    return line.finish_line()


def _token(token: re.Match[str], line: Inline, names: ReferenceNames) -> None:
    start = line.length
    groups = token.groupdict()
    if groups["escape"] is not None:
        line.add_exact("" if groups["escape"].isspace() else groups["escape"])
    elif groups["literal"] is not None:
        line.add_exact(" ".join(groups["literal"].split()))
        line.span("code", start)
    elif groups["target"] is not None:
        line.add_exact(" ".join(groups["target"].replace("\\", "").split()))
    elif groups["role"] is not None or groups["phrase"] is not None:
        _interpreted(groups, line, names)
    elif groups["strong"] is not None:
        line.add_exact(" ".join(groups["strong"].split()))
        line.span("bold", start)
    elif groups["emphasis"] is not None:
        line.add_exact(" ".join(groups["emphasis"].split()))
        line.span("italic", start)
    elif groups["substitution"] is not None:
        line.add_exact(names.substituted(groups["substitution"]))
    elif groups["reference"] is not None:
        target = names.link(groups["reference"])
        line.add_exact(groups["reference"] if target else token[0])
        if target:
            line.span("link", start, target)
    else:
        mark = groups["note"] if groups["note"] is not None else groups["note0"] or ""
        line.add_exact(f"[{mark.lstrip('#') or mark}]")
        line.span("note", start, mark)


def _interpreted(groups: dict[str, str | None], line: Inline, names: ReferenceNames) -> None:
    """`phrase`_, `text <url>`_ and :role:`text <target>`."""
    start = line.length
    role = (groups["role"] or groups["after"] or "").rpartition(":")[2]
    body = " ".join((groups["roled"] or groups["phrase"] or "").replace("\\", "").split())
    found = _TARGET.match(body)
    text, target = (found["text"], found["url"]) if found else (body, "")
    if role in ("math", "eq"):
        line.add_exact(body)
        line.span("math", start, body)
        return
    if role:
        _role(role, body, found, line)
        return
    shown = text or target
    line.add_exact(shown)
    if groups["link"]:
        if target.endswith("_"):
            target = names.link(target[:-1]) or target
        if found:
            names.links.setdefault(fold(text), target)
        target = target or names.link(body)
        if target:
            line.span("link", start, target)
    else:
        line.span("italic", start)


def _role(role: str, body: str, found: re.Match[str] | None, line: Inline) -> None:
    """What a role shows: `found` is its body as text and target, None where it is a name alone (`~` shortens it)."""
    start = line.length
    shown = (found["text"] or found["url"]) if found else body
    if not found and shown.startswith("~"):
        shown = shown.rpartition(".")[2]
    shown = shown.lstrip("!~")
    if not found and role and role not in _ROLES and shown.lstrip("#").isdecimal():
        # A number alone says nothing: issue 2375, PEP 8.
        shown = f"{role.upper() if role in _NUMBERED else role} {shown}"
    line.add_exact(f"{shown}()" if role in ("func", "meth") and not shown.endswith(")") and not found else shown)
    kind = _ROLES.get(role)
    if kind == "link":
        target = (found["url"] if found else "") or body
        line.span(kind, start, target if role == "doc" else f"#{target}")
    elif kind:
        line.span(kind, start)
