"""Makes the outline of an OPML file lists and headings of HTML, in place (OPML 2.0, dev.opml.org/spec2.html)."""

from typing import Final

from sidecar.toolkit.xml import XmlElement, etree, parse_xml, words_of

_KNOWN_ATTRIBUTES: Final = frozenset(
    ("text", "title", "description", "_note", "xmlUrl", "htmlUrl", "url", "type", "version", "isComment",
     "isBreakpoint", "expanded"),
)  # fmt: skip
"""What has a place of its own, or says nothing to a reader; programs add attributes for columns of theirs."""


def outline_as_html(body: XmlElement) -> None:
    """Items become list items in lists; where all at the top have items below them, these are headings."""
    headed = all(node.find("outline") is not None for node in body.findall("outline"))
    for node in list(body.iter("outline")):
        below = node.findall("outline")
        heads = headed and node.getparent() is body
        node.tag = "section" if heads else "li"
        words = [_item_text(node)]
        if heads:
            words[0].tag = "h1"
        words += [_element("p", line) for line in node.get("_note", "").splitlines() if line.strip()]
        if below:
            inner = _element("ul")
            inner.extend(below)
            words.append(inner)
        tail = node.tail
        node.clear()
        node.tail = tail
        node.extend(words)
    if not headed:
        items = body.findall("li")
        body.append(_element("ul"))
        body[-1].extend(items)


def _item_text(node: XmlElement) -> XmlElement:
    """What the item says, with the addresses it leads to."""
    said = _element("span")
    text = _plain(node.get("text") or node.get("title") or "")
    place = node.get("htmlUrl") or node.get("url") or node.get("xmlUrl") or ""
    if place:
        said.append(_element("a", text or place, href=place))
    else:
        said.text = text
    feed = node.get("xmlUrl") or ""
    if feed and feed != place:
        _add(said, " ")
        said.append(_element("a", feed, href=feed))
    described = _plain(node.get("description") or "")
    if described and described != text:
        _add(said, f": {described}" if said.text or len(said) else described)
    more = [
        f"{name}: {value}" for name, value in node.attrib.items() if name not in _KNOWN_ATTRIBUTES and value.strip()
    ]
    if more:
        _add(said, f" ({'; '.join(more)})")
    return said


def _add(said: XmlElement, text: str) -> None:
    if len(said):
        said[-1].tail = (said[-1].tail or "") + text
    else:
        said.text = (said.text or "") + text


def _plain(text: str) -> str:
    """Texts may hold markup of HTML, written as text."""
    if "<" not in text or ">" not in text:
        return text
    return words_of(parse_xml(f"<p>{text}</p>".encode(), "outline"))


def _element(tag: str, text: str | None = None, **attributes: str) -> XmlElement:
    made = etree.Element(tag, attributes)
    made.text = text
    return made
