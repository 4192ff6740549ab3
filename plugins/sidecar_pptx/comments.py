"""Review comments of a slide as notes: classic (`p:cmLst`, ECMA-376 part 1 §19.4), modern threads ([MS-PPTX] §2.2.4).

Not responsible for where a comment's pin stands; a comment is about a slide, a shape's text or a stretch of it."""

from collections.abc import Callable

from sidecar.api import DamagedError, Note
from sidecar.toolkit.ooxml.drawing import body_text
from sidecar.toolkit.ooxml.package import Package, Relationship
from sidecar.toolkit.xml import XmlElement, unsigned
from sidecar_pptx.shapes import P

_P15 = "{http://schemas.microsoft.com/office/powerpoint/2012/main}"
_P188 = "{http://schemas.microsoft.com/office/powerpoint/2018/8/main}"

_AC = "{http://schemas.microsoft.com/office/drawing/2013/main/command}"
_SHAPES = frozenset({f"{_AC}{kind}Mk" for kind in ("sp", "graphicFrame", "pic", "cxnSp", "grpSp")})
_STRETCHES = frozenset({f"{_AC}txMk"})

TextOf = Callable[[str], str]
"""The text of the slide's shape with that id; "" when there is none."""


def read_authors(package: Package, relationships: dict[str, Relationship]) -> dict[str, str]:
    """Author names by id, of both kinds: a classic id is a number, a modern one a GUID."""
    names: dict[str, str] = {}
    for relationship in relationships.values():
        if relationship.type not in {"commentAuthors", "authors"} or relationship.target not in package:
            continue
        try:
            root = package.xml(relationship.target)
        except DamagedError:
            continue
        for node in root:
            if isinstance(node.tag, str) and node.get("id"):
                names[node.get("id")] = node.get("name", "")
    return names


def read_comments(root: XmlElement, authors: dict[str, str], text_of: TextOf, page: int) -> list[Note]:
    """The comments of one comment part, replies after what they answer (`Note.parent`)."""
    if root.tag.startswith(_P188):
        return _modern(root, authors, text_of, page)
    return [_classic(node, authors, page) for node in root.iterfind(f"{P}cm")]


def _classic(node: XmlElement, authors: dict[str, str], page: int) -> Note:
    author = node.get("authorId", "")
    above = next(node.iter(f"{_P15}parentCm"), None)
    return Note(
        kind="comment",
        text=(node.findtext(f"{P}text") or "").strip(),
        id=f"{author}-{node.get('idx', '')}",
        author=authors.get(author, ""),
        date=node.get("dt", ""),
        parent=f"{above.get('authorId', '')}-{above.get('idx', '')}" if above is not None else "",
        page=page,
    )


def _modern(root: XmlElement, authors: dict[str, str], text_of: TextOf, page: int) -> list[Note]:
    found: list[Note] = []
    for thread in root.iterfind(f"{_P188}cm"):
        target = _target(thread, text_of)
        found.append(_entry(thread, authors, "", target, page))
        found += [
            _entry(reply, authors, thread.get("id", ""), target, page)
            for reply in thread.iterfind(f"{_P188}replyLst/{_P188}reply")
        ]
    return found


def _entry(node: XmlElement, authors: dict[str, str], parent: str, target: str, page: int) -> Note:
    text = body_text(node.find(f"{_P188}txBody"))
    return Note(
        kind="comment",
        text=text,
        id=node.get("id", ""),
        author=authors.get(node.get("authorId", ""), ""),
        date=node.get("created", ""),
        parent=parent,
        target=target,
        page=page,
        resolved=node.get("status") == "resolved",
    )


def _target(thread: XmlElement, text_of: TextOf) -> str:
    """What a thread's moniker points at: a stretch of a shape's text (`ac:txMk cp len`), or the shape's text."""
    shape = stretch = None
    for node in thread:
        if isinstance(node.tag, str) and node.tag.endswith("MkLst"):
            shape = next((mark for mark in node.iter() if mark.tag in _SHAPES), None)
            stretch = next((mark for mark in node.iter() if mark.tag in _STRETCHES), None)
            break
    if shape is None:
        return ""
    text = text_of(shape.get("id", ""))
    start, length = (unsigned(stretch.get(key)) for key in ("cp", "len")) if stretch is not None else (0, 0)
    return text[start : start + length].strip() or text[:200]
