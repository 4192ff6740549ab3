"""Makes the entries of a feed HTML, each a chapter with its date, author, link and text: RSS 0.9 to 2.0 (rssboard.org)
and Atom (RFC 4287)."""

import re
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from typing import Final

from sidecar.toolkit.markup.html import parse_html
from sidecar.toolkit.xml import XmlElement, etree, words_of
from sidecar_xml.diagrams import plain_label

_MARKUP: Final = re.compile(r"<[A-Za-z/!]|&#?\w{2,8};")
_GAP: Final = re.compile(r"\n[^\S\n]*+\n")
_BELOW: Final = {f"h{level}": f"h{level + 1}" for level in range(1, 6)}
_DATES: Final = ("published", "issued", "pubDate", "date", "updated", "modified")
"""Elements that hold when an entry appeared, that of its last change after these."""
_TEXTS: Final = ("encoded", "content", "description", "summary")
"""Elements that may hold an entry's text, the whole before what sums it up."""
_FACTS: Final = (
    ("title", ("title",)), ("description", ("description", "subtitle", "tagline")), ("language", ("language",)),
    ("modified", ("lastBuildDate", "updated", "pubDate", "modified")),
)  # fmt: skip


def feed_as_html(root: XmlElement, name: str) -> XmlElement:
    """A body with a heading, a line about it and the text of each entry. Raises DamagedError."""
    body = etree.Element("body")
    for entry in root.iter("item", "entry"):
        etree.SubElement(body, "h1").text = _line(entry, "title", name) or "Untitled"
        _about(etree.SubElement(body, "p"), entry, name)
        texts = [found for tag in _TEXTS for found in entry.iterchildren(tag) if len(found) or found.text]
        boxes = [_text_box(text, name) for text in texts]
        if boxes:
            whole = words_of(boxes[0])
            body.extend(box for box in boxes[1:] if words_of(box).rstrip(".…[] ") not in whole)
            body.append(boxes[0])
    return body


def feed_facts(root: XmlElement) -> dict[str, str]:
    """What the feed says of itself."""
    channel = next(root.iter("channel"), root)
    facts = {
        ours: next((text for tag in theirs if (text := _line(channel, tag, "feed"))), "") for ours, theirs in _FACTS
    }
    facts["modified"] = _day(facts["modified"])
    facts["author"] = ", ".join(_authors(channel))
    facts["entries"] = str(sum(1 for _ in root.iter("item", "entry")))
    return {key: text for key, text in facts.items() if text}


def _about(line: XmlElement, entry: XmlElement, name: str) -> None:
    """When, by whom and about what an entry is, and where it leads."""
    facts = [_day(next((day for tag in _DATES if (day := _line(entry, tag, name))), "")), ", ".join(_authors(entry))]
    facts += dict.fromkeys(
        f"#{about}" for one in entry.iterchildren("category", "subject")
        if (about := one.get("label") or one.get("term") or words_of(one))
    )  # fmt: skip
    facts += [_line(entry, "duration", name)]
    line.text = " · ".join(filter(None, facts))
    last: XmlElement = None  # to ask a line how many there are takes time that grows with them
    for url in _links(entry):
        if last is not None:
            last.tail = " · "
        elif line.text:
            line.text += " · "
        last = etree.SubElement(line, "a", href=url)
        last.text = url


def _authors(node: XmlElement) -> Iterator[str]:
    found = (
        words_of(one if named is None else named)
        for one in node.iterchildren("author", "creator", "managingEditor") for named in (one.find("name"),)
    )  # fmt: skip
    yield from dict.fromkeys(filter(None, found))


def _links(entry: XmlElement) -> Iterator[str]:
    """The page of an entry, and what is attached to it."""
    links = [one for one in entry.iterchildren("link") if one.get("rel", "alternate") in ("alternate", "enclosure")]
    found = [(one.get("href") or one.text or "").strip() for one in links]
    found += [one.get("url", "").strip() for one in entry.iterchildren("enclosure")]
    identity = next(entry.iterchildren("guid"), None)
    if not any(found) and identity is not None and identity.get("isPermaLink", "true") == "true":
        found.append((identity.text or "").strip())
    yield from dict.fromkeys(filter(None, found))


def _day(text: str) -> str:
    """A moment as ISO 8601 writes it to the minute, as it is written where that fails."""
    if text[:4].isdecimal():
        return text[:16].replace("T", " ")
    try:
        return parsedate_to_datetime(text).isoformat(" ", "minutes")[:16]
    except (ValueError, TypeError, IndexError, OverflowError):
        return text


def _line(node: XmlElement, tag: str, name: str) -> str:
    found = node.find(tag)
    if found is None:
        return ""
    text = "".join(found.itertext())
    return plain_label(text, name) if _MARKUP.search(text) else " ".join(text.split())


def _text_box(text: XmlElement, name: str) -> XmlElement:
    """A box with an entry's text: elements of XHTML as they are, markup written as text read, other text as it is."""
    box = etree.Element("div")
    kind = text.get("type", "")
    written = text.text or ""
    if len(text):
        box.text = written
        box.extend(list(text))
    elif kind not in ("text", "text/plain") and _MARKUP.search(written):
        box.extend(list(parse_html(written, name)))
    else:
        for paragraph in _GAP.split(written):
            etree.SubElement(box, "p").text = " ".join(paragraph.split())
    for heading in box.iter(*_BELOW):  # the entry's own is above them
        heading.tag = _BELOW[heading.tag]
    return box
