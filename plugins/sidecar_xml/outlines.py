"""Makes outlines and notes HTML: an OPML file lists and headings, in place (OPML 2.0, dev.opml.org/spec2.html); the
notes of an export of Evernote (.enex; evernote-export4.dtd) chapters, with their pictures and files."""

import base64
import binascii
import hashlib
import re
from collections.abc import Iterator
from typing import Final

from sidecar.toolkit.markup.html import parse_html
from sidecar.toolkit.xml import XmlElement, etree, parse_xml, words_of

_KNOWN_ATTRIBUTES: Final = frozenset(
    ("text", "title", "description", "_note", "xmlUrl", "htmlUrl", "url", "type", "version", "isComment",
     "isBreakpoint", "expanded"),
)  # fmt: skip
"""What has a place of its own, or says nothing to a reader; programs add attributes for columns of theirs."""
_WHEN: Final = re.compile(r"(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z?")
_FACTS: Final = ("author", "source-url", "location")


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
    span = _element("span")
    text = _plain(node.get("text") or node.get("title") or "")
    place = node.get("htmlUrl") or node.get("url") or node.get("xmlUrl") or ""
    if place:
        span.append(_element("a", text or place, href=place))
    else:
        span.text = text
    feed = node.get("xmlUrl") or ""
    if feed and feed != place:
        _add(span, " ")
        span.append(_element("a", feed, href=feed))
    described = _plain(node.get("description") or "")
    if described and described != text:
        _add(span, f": {described}" if span.text or len(span) else described)
    more = [
        f"{name}: {value}" for name, value in node.attrib.items() if name not in _KNOWN_ATTRIBUTES and value.strip()
    ]
    if more:
        _add(span, f" ({'; '.join(more)})")
    return span


def _add(span: XmlElement, text: str) -> None:
    if len(span):
        span[-1].tail = (span[-1].tail or "") + text
    else:
        span.text = (span.text or "") + text


def _plain(text: str) -> str:
    """Texts may hold markup of HTML, written as text."""
    if "<" not in text or ">" not in text:
        return text
    return words_of(parse_xml(f"<p>{text}</p>".encode(), "outline"))


def _element(tag: str, text: str | None = None, **attributes: str) -> XmlElement:
    made = etree.Element(tag, attributes)
    made.text = text
    return made


def evernote_as_html(root: XmlElement, name: str) -> XmlElement:
    """A body with a heading and the content of each note. Raises DamagedError."""
    body = etree.Element("body")
    for note in root.iter("note"):
        title = etree.SubElement(body, "h1")
        title.text = " ".join("".join(note.findtext("title") or "").split()) or "Untitled"
        about = ", ".join(_facts(note))
        if about:
            etree.SubElement(body, "p").text = about
        files = {digest: (url, file) for digest, url, file in _files(note)}
        content = note.findtext("content") or ""
        if content.strip():
            tree = parse_html(re.sub(r"<\?xml.*?\?>|<!DOCTYPE[^>]*>", "", content, flags=re.DOTALL), name)
            _media(tree, files)
            etree.SubElement(body, "div").extend(list(tree))
        for url, file in files.values():
            etree.SubElement(etree.SubElement(body, "p"), "img", src=url, alt=file)
    return body


def _facts(note: XmlElement) -> Iterator[str]:
    moment = _WHEN.match(note.findtext("created") or "")
    if moment:
        yield "{}-{}-{}".format(*moment.groups()[:3])
    for name in _FACTS:
        text = " ".join((note.findtext(f"note-attributes/{name}") or "").split())
        if text:
            yield text
    yield from (f"#{(tag.text or '').strip()}" for tag in note.iterfind("tag") if (tag.text or "").strip())


def _files(note: XmlElement) -> Iterator[tuple[str, str, str]]:
    """Each file of a note: the digest by which its text names it, its bytes as a URL, and its name."""
    for one in note.iterfind("resource"):
        data = "".join((one.findtext("data") or "").split())
        try:
            digest = hashlib.md5(base64.b64decode(data, validate=False), usedforsecurity=False).hexdigest()
        except (binascii.Error, ValueError):
            continue
        kind = (one.findtext("mime") or "application/octet-stream").strip()
        yield digest, f"data:{kind};base64,{data}", (one.findtext("resource-attributes/file-name") or "").strip()


def _media(tree: XmlElement, files: dict[str, tuple[str, str]]) -> None:
    """Put pictures where the text names them, and boxes of tasks as signs."""
    for node in list(tree.iter("en-media", "en-todo")):
        if node.tag == "en-todo":
            node.text = f"{'☑' if node.get('checked') == 'true' else '☐'} {node.text or ''}"
            node.tag = "span"
            continue
        url, file = files.pop(node.get("hash", "").lower(), ("", ""))
        node.tag = "img" if url else "span"
        if url:
            node.set("src", url)
            node.set("alt", node.get("alt") or file)
