"""Makes the notes of an export of Evernote (.enex; evernote-export4.dtd) chapters of HTML, with their pictures and
files."""

import base64
import binascii
import hashlib
import re
from collections.abc import Iterator
from typing import Final

from sidecar.toolkit.markup.html import parse_html
from sidecar.toolkit.xml import XmlElement, etree

_WHEN: Final = re.compile(r"(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z?")
_FACTS: Final = ("author", "source-url", "location")


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
            tree = parse_html(_markup(content), name)
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


def _markup(content: str) -> str:
    """ENML without its declarations."""
    return re.sub(r"<\?xml.*?\?>|<!DOCTYPE[^>]*>", "", content, flags=re.DOTALL)


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
