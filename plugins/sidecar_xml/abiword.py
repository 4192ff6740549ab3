"""Makes an AbiWord document (AWML 1.0) elements of HTML, in place."""

import re
from typing import Final

from sidecar.toolkit.xml import XmlElement, etree, words_of

_HEADING: Final = re.compile(r"(?:Numbered |Chapter )?Heading (\d)|Title", re.IGNORECASE)
_LOOKS: Final = (
    ("strong", re.compile(r"font-weight:\s*bold")), ("em", re.compile(r"font-style:\s*italic")),
    ("s", re.compile(r"text-decoration:[^;]*line-through")), ("u", re.compile(r"text-decoration:[^;]*underline")),
    ("sup", re.compile(r"text-position:\s*superscript")), ("sub", re.compile(r"text-position:\s*subscript")),
)  # fmt: skip
_PLACE: Final = re.compile(r"(left|right|top|bot)-attach:\s*(\d{1,4})")
_HIDDEN: Final = re.compile(r"display:\s*none")
_NAMES: Final = {
    "dc.title": "title", "dc.creator": "author", "dc.subject": "subject", "dc.description": "description",
    "dc.date": "created", "dc.language": "language", "dc.publisher": "publisher", "abiword.keywords": "keywords",
}  # fmt: skip
_DROPPED: Final = frozenset(
    ("styles", "lists", "pagesize", "metadata", "rdf", "history", "revisions", "data", "ignoredwords", "xmpp")
)


def abiword_as_html(root: XmlElement) -> dict[str, str]:
    """The body in place of what the program keeps: sections, paragraphs, tables, notes at the end. Gives what the
    document says of itself."""
    facts = _facts(root)
    pictures = {
        one.get("name", ""): f"data:{one.get('mime-type', 'image/png')};base64,{''.join((one.text or '').split())}"
        for one in root.iterfind("data/d")
    }
    notes: list[XmlElement] = []
    for node in list(root.iter()):
        if not isinstance(node.tag, str):
            continue
        if node.tag in _DROPPED:
            node.tag = "template"
        elif node.tag in ("foot", "endnote", "end") and node.getparent() is not None:
            _note(node, notes)
        elif node.tag in ("table", "cell"):
            _cells(node)
        else:
            _renamed(node, pictures)
    root.extend(notes)
    return facts


def _renamed(node: XmlElement, pictures: dict[str, str]) -> None:
    props = node.get("props", "")
    if node.tag == "p":
        heading = _HEADING.match(node.get("style", ""))
        is_item = node.get("listid", "0") not in ("", "0")
        node.tag = f"h{heading[1] or 1}" if heading else "li" if is_item else "p"
        if "field" in (one.tag for one in node[:1]) and is_item:
            node[0].tag = "template"  # the number of the item
    elif node.tag == "c":
        node.tag = next((tag for tag, look in _LOOKS if look.search(props)), "span")
    elif node.tag == "image":
        node.tag = "img"
        node.set("src", pictures.get(node.get("dataid", ""), node.get("dataid", "")))
        node.set("alt", node.get("alt") or node.get("title") or "")
    elif node.tag in ("cbr", "pbr"):
        node.tag = "br"
    elif node.tag in ("section", "frame"):
        node.tag = "div"
    if _HIDDEN.search(props):
        node.set("style", "display:none")


def _note(node: XmlElement, notes: list[XmlElement]) -> None:
    """A note in a text: its number stays, its words go to the end."""
    made = etree.Element("p")
    made.text = f"[{len(notes) + 1}] {words_of(node)}"
    notes.append(made)
    tail = node.tail
    node.clear()
    node.tag, node.text, node.tail = "span", f"[{len(notes)}]", tail


def _cells(table: XmlElement) -> None:
    """The rows of a table, whose cells tell between which lines they are."""
    if table.tag == "cell":
        table.tag = "td"
        return
    rows: dict[int, list[tuple[int, XmlElement]]] = {}
    for cell in list(table.iterchildren("cell")):
        place = {name: int(number) for name, number in _PLACE.findall(cell.get("props", ""))}
        top, left = place.get("top", len(rows)), place.get("left", 0)
        cell.set("colspan", str(max(place.get("right", left + 1) - left, 1)))
        cell.set("rowspan", str(max(place.get("bot", top + 1) - top, 1)))
        rows.setdefault(top, []).append((left, cell))
    for top in sorted(rows):
        row = etree.SubElement(table, "tr")
        row.extend(cell for _, cell in sorted(rows[top], key=lambda one: one[0]))


def _facts(root: XmlElement) -> dict[str, str]:
    """What the document says of itself."""
    found: dict[str, str] = {}
    for one in root.iterfind("metadata/m"):
        name, text = _NAMES.get(one.get("key", ""), ""), words_of(one)
        if name and text:
            found[name] = text
    return found
