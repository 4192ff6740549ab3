"""Books and manuals in DocBook 4 and 5 before they become HTML: what their style sheets write besides the words. Heads
of divisions go before them, links get the words of what they lead to, and synopses of commands and functions their
brackets (DocBook 5.2: `info`, `xref`, `cmdsynopsis`, `funcprototype`)."""

from collections.abc import Callable

from sidecar.toolkit.xml import XmlElement, etree, words_of
from sidecar_xml.articles import join_steps

_ADMONITIONS = frozenset(("note", "warning", "tip", "caution", "important", "danger"))
_TITLE_PAGE = ("subtitle", "edition", "releaseinfo", "copyright", "legalnotice", "abstract", "revhistory")
"""What books show behind their title, of what their `info` holds."""
_MAX_REFERENCE_CHARS = 200
"""Of what a link without words leads to: a few bytes may say the same title thousands of times."""
_TITLES = ("title", "info/title")
_NAMING = {"refentry": ("refmeta/refentrytitle",), "cmdsynopsis": (".//command",), "funcsynopsis": (".//function",)}
"""Where what a link leads to says its name, by its element."""
_BRACKETS = {"opt": ("[", "]"), "req": ("{", "}"), "plain": ("", "")}
"""Around an argument, by its `choice`."""


def prepare_docbook(root: XmlElement) -> None:
    """Change the tree of a document, its elements without namespaces, in place. What DocBook 4 calls by the division it
    is of (`bookinfo`, `refentryinfo`) is called `info`, as in DocBook 5."""
    join_steps(root)
    for node in root.iter():
        if node.tag.endswith("info") and node.tag not in ("releaseinfo", "refmiscinfo", "funcsynopsisinfo"):
            node.tag = "info"
        elif node.tag in _SYNOPSES:
            _SYNOPSES[node.tag](node)
        elif node.tag == "refsynopsisdiv" and not _is_titled(node):
            etree.SubElement(node, "title").text = "Synopsis"
            node.insert(0, node[-1])


def write_cross_references(body: XmlElement) -> None:
    """Links without words say what DocBook's style sheets write there: the words of their `endterm`, else the label or
    the title of what they lead to (DocBook 5.2, `xref`)."""
    named = {node.get("id"): node for node in body.iter() if node.get("id")}
    said: dict[tuple[str | None, str | None], str] = {}
    for link in body.iter("xref", "link"):
        key = link.get("linkend"), link.get("endterm")
        if link.text or len(link) or key[0] not in named:
            continue
        if key not in said:
            goal, term = named[key[0]], named.get(key[1])
            label = goal.get("xreflabel", "") if term is None else ""
            titles = [goal.find(path) for path in _NAMING.get(goal.tag, _TITLES)] if term is None else [term]
            said[key] = label or next((words_of(one, " ") for one in titles if one is not None), "")
        link.text = said[key][:_MAX_REFERENCE_CHARS] or f"[{key[0]}]"


def move_heads(body: XmlElement) -> None:
    """What a division's `info` holds of what is shown goes before it, and a note without a title says what it is."""
    titled = {node.getparent() for node in body.iter("title")}
    for node in list(body.iter()):
        if node.tag == "info" and node.getparent() is not None:
            above: XmlElement = node.getparent()
            own = ("abstract",) if above in titled else ("title", "subtitle", "abstract")
            for held in [one for one in node if one.tag in (own if above is not body else _TITLE_PAGE)]:
                if held.tag == "title":
                    titled.add(above)
                held.tail = None
                node.addprevious(held)
        elif node.tag in _ADMONITIONS and not _is_titled(node):
            label = etree.Element("title")
            label.text = node.tag.capitalize()
            label.tail, node.text = node.text, None
            node.insert(0, label)
        elif node.tag == "refmeta" and (title := node.find("refentrytitle")) is not None:
            title.tag = "title"
            title.tail = None
            if (volume := node.find("manvolnum")) is not None:
                volume.tail = None
                title.append(volume)
            node.addprevious(title)
        if node.tag == "manvolnum":
            node.tag, node.text = "span", f"({node.text or ''})"
        elif node.tag == "refpurpose" and node.text:
            node.text = f" — {node.text.lstrip()}"


def _is_titled(node: XmlElement) -> bool:
    return any(node.find(path) is not None for path in _TITLES)


def _command(synopsis: XmlElement) -> None:
    """What a command is called with, parted by spaces and, at an `sbr`, by lines."""
    _parted(synopsis, " ")


def _choice(argument: XmlElement) -> None:
    """An argument or one of several, in the brackets of its kind; those of a group stand in that one's."""
    within = argument.getparent()
    grouped = argument.tag == "arg" and within is not None and within.tag == "group"
    opened, closed = _BRACKETS.get("plain" if grouped else argument.get("choice", "opt"), _BRACKETS["opt"])
    if argument.tag == "group":
        _parted(argument, " | ")
    _wrap(argument, opened, f"{'...' * (argument.get('rep') == 'repeat')}{closed}")


def _function(prototype: XmlElement) -> None:
    """What a function takes, as C writes it."""
    _parted(prototype, ", ")
    name = prototype.find("funcdef")
    if name is not None:
        name.tail = "("
        _wrap(prototype, "", ");")


def _parted(node: XmlElement, between: str) -> None:
    """The elements of a node that holds no words of its own, with what stands between them."""
    node.text = None
    for one in node:
        behind = one.getnext()
        one.tail = between if behind is not None and "sbr" not in (one.tag, behind.tag) else None


def _wrap(node: XmlElement, before: str, behind: str) -> None:
    node.text = f"{before}{node.text or ''}"
    if len(node):
        node[-1].tail = f"{node[-1].tail or ''}{behind}"
    else:
        node.text += behind


_SYNOPSES: dict[str, Callable[[XmlElement], None]] = {
    "cmdsynopsis": _command,
    "arg": _choice,
    "group": _choice,
    "optional": _choice,
    "funcprototype": _function,
    "void": lambda node: _wrap(node, "void", ""),
    "varargs": lambda node: _wrap(node, "...", ""),
}
"""What is written of each element besides its words."""
