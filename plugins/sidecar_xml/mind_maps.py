"""Makes mind maps lists and headings of HTML: those of FreeMind and Freeplane (.mm), and of XMind (.xmind) and
MindManager (.mmap), which are packages."""

from typing import Final

import msgspec

from sidecar.api import DamagedError
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.text.strings import NO_XML
from sidecar.toolkit.xml import XmlElement, etree, words_of
from sidecar_xml.outlines import outline_as_html

_MAX_DEPTH: Final = 60
_CONTENT: Final = ("content.json", "content.xml")
"""The text of a map of XMind, of 2020 and newer, and of older ones."""
_MINDMANAGER: Final = "Document.xml"


class _Topic(msgspec.Struct):
    """A topic of XMind as its JSON has it; what is not told is empty."""

    title: str = ""
    href: str = ""
    labels: list[str] = []
    children: dict[str, list["_Topic"]] = {}
    notes: dict[str, dict[str, object]] = {}


class _Sheet(msgspec.Struct):
    title: str = ""
    rootTopic: _Topic = msgspec.field(default_factory=_Topic)  # noqa: N815 - as the file names it


def freemind_as_html(root: XmlElement) -> XmlElement:
    """The map's nodes as an outline."""
    body = etree.Element("body")
    for node in root.iterfind("node"):
        _node(node, body, 0)
    outline_as_html(body)
    return body


def _node(node: XmlElement, above: XmlElement, depth: int) -> None:
    """A node and those below it; its text, and notes and details, may be pages of HTML."""
    rich = {one.get("TYPE", ""): words_of(one) for one in node.iterfind("richcontent")}
    made = etree.SubElement(above, "outline", text=node.get("TEXT") or rich.get("NODE", ""))
    notes = [rich[kind] for kind in ("DETAILS", "NOTE") if rich.get(kind)]
    notes += [f"{one.get('NAME', '')}: {one.get('VALUE', '')}" for one in node.iterfind("attribute")]
    if notes:
        made.set("_note", "\n".join(notes))
    if node.get("LINK"):
        made.set("url", node.get("LINK"))
    for below in node.iterfind("node"):
        _node(below, _place(made, depth), depth + 1)


def xmind_as_html(package: Package, name: str) -> XmlElement:
    """The sheets of a map of XMind, a heading each. Raises DamagedError."""
    content = next((one for one in _CONTENT if one in package), "")
    if not content:
        raise DamagedError(f"{name} is not an XMind map: it has no content.")
    body = etree.Element("body")
    if content.endswith("json"):
        try:
            sheets = msgspec.json.decode(package.read(content), type=list[_Sheet])
        except (msgspec.DecodeError, RecursionError) as error:
            raise DamagedError(f"{name} is damaged: its content cannot be read.") from error
        for sheet in sheets:
            _topic(sheet.rootTopic, _headed(body, sheet.title), 0)
    else:
        for sheet in package.xml(content).iterfind("{*}sheet"):
            for topic in sheet.iterfind("{*}topic"):
                _old_topic(topic, _headed(body, sheet.findtext("{*}title") or ""), 0)
    for part in body:
        outline_as_html(part)
    return body


def mindmanager_as_html(package: Package, name: str) -> XmlElement:
    """The topics of a map of MindManager, then those that float on it. Raises DamagedError."""
    if _MINDMANAGER not in package:
        raise DamagedError(f"{name} is not a MindManager map: it has no {_MINDMANAGER}.")
    root = package.xml(_MINDMANAGER)
    body = etree.Element("body")
    for path in ("{*}OneTopic/{*}Topic", "{*}FloatingTopics/{*}Topic"):
        for topic in root.iterfind(path):
            _mindmanager_topic(topic, body, 0)
    outline_as_html(body)
    return body


def _mindmanager_topic(topic: XmlElement, above: XmlElement, depth: int) -> None:
    """A topic, with its notes, its task and what it is labelled with, and those below it."""
    text = topic.find("{*}Text")
    made = etree.SubElement(above, "outline", text=text.get("PlainText", "") if text is not None else "")
    notes = [line for one in topic.iterfind("{*}NotesGroup/{*}NotesXhtmlData") for line in _note_lines(one)]
    notes += [one.get("TextLabelName", "") for one in topic.iterfind("{*}TextLabels/{*}TextLabel")]
    for task in topic.iterfind("{*}Task"):
        facts = (("Start", "StartDate"), ("Due", "DeadlineDate"), ("Done", "TaskPercentage"), ("Who", "Resources"))
        shown = [(label, task.get(key, "").partition("T")[0]) for label, key in facts]
        notes.append("; ".join(f"{label}: {value}{' %' * (label == 'Done')}" for label, value in shown if value))
    link = next((one.get("Url", "") for one in topic.iterfind("{*}Hyperlink")), "")
    _finish(made, link, notes)
    for below in topic.iterfind("{*}SubTopics/{*}Topic"):
        _mindmanager_topic(below, _place(made, depth), depth + 1)


def _note_lines(note: XmlElement) -> list[str]:
    """The lines of a note, which is a page of XHTML; older programs keep its plain text beside it, or that alone."""
    for one in note.iter("{*}p", "{*}li", "{*}br", "{*}div", "{*}tr"):
        one.tail = f"\n{one.tail or ''}"
    text = "".join(note.itertext()) or note.get("PreviewPlainText", "")
    return [line for line in (" ".join(line.split()) for line in text.splitlines()) if line]


def _headed(body: XmlElement, title: str) -> XmlElement:
    section = etree.SubElement(body, "div")
    if title.strip():
        etree.SubElement(section, "h1").text = NO_XML.sub("", title)
    return etree.SubElement(section, "div")


def _topic(topic: _Topic, above: XmlElement, depth: int) -> None:
    made = etree.SubElement(above, "outline", text=NO_XML.sub("", topic.title))
    notes = [", ".join(topic.labels), str(topic.notes.get("plain", {}).get("content") or "")]
    _finish(made, topic.href, notes)
    for kind in topic.children:
        for below in topic.children[kind]:
            _topic(below, _place(made, depth), depth + 1)


def _old_topic(topic: XmlElement, above: XmlElement, depth: int) -> None:
    made = etree.SubElement(above, "outline", text=topic.findtext("{*}title") or "")
    notes = [", ".join(one.text or "" for one in topic.iterfind("{*}labels/{*}label"))]
    notes.append(topic.findtext("{*}notes/{*}plain") or "")
    _finish(made, topic.get("{http://www.w3.org/1999/xlink}href") or "", notes)
    for below in topic.iterfind("{*}children/{*}topics/{*}topic"):
        _old_topic(below, _place(made, depth), depth + 1)


def _place(made: XmlElement, depth: int) -> XmlElement:
    """Where the topics below one stand: in it, or beside it where it is as deep as any is shown."""
    return made if depth < _MAX_DEPTH else made.getparent()


def _finish(made: XmlElement, link: str, notes: list[str]) -> None:
    if any(notes):
        made.set("_note", NO_XML.sub("", "\n".join(filter(None, notes))))
    if link:
        made.set("url", NO_XML.sub("", link))
