"""Reads a book, article or outline in XML: its elements become those of HTML that mean the same, which the HTML reader
reads.

After FictionBook 2.1's schema, DocBook 5.1 (OASIS), JATS 1.3 (ANSI/NISO Z39.96) and Mallard 1.1."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec

from sidecar.api import AnyBlock, DamagedError, Limits, Notice, ParsedDocument, Payload, Source
from sidecar.toolkit.hidden import find_hidden
from sidecar.toolkit.markup.chapters import elements_of, place_embeds, split_chapters
from sidecar.toolkit.markup.html import read_html
from sidecar.toolkit.markup.pictures import Pictures, open_data_url
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.xml import XmlElement, etree, flatten, parse_xml, read_xml, unzipped, words_of
from sidecar_xml.abiword import abiword_as_html
from sidecar_xml.articles import prepare_article, prepare_help_page
from sidecar_xml.diagrams import dia_as_html, drawio_as_html
from sidecar_xml.docbook import move_heads, prepare_docbook, write_cross_references
from sidecar_xml.entities import write_out
from sidecar_xml.feeds import feed_as_html, feed_facts
from sidecar_xml.mind_maps import freemind_as_html, mindmanager_as_html, xmind_as_html
from sidecar_xml.outlines import evernote_as_html, outline_as_html
from sidecar_xml.places import gpx_as_html, gpx_facts, kml_as_html
from sidecar_xml.tabular.primavera import primavera_as_html, primavera_facts, read_xer, xer_as_html
from sidecar_xml.tabular.projects import project_as_html, project_facts
from sidecar_xml.tabular.translations import tmx_as_html, xliff_as_html
from sidecar_xml.uniform_office import uniform_as_html, uniform_facts, unpacked_uniform
from sidecar_xml.whiteboards import read_board


@dataclass(frozen=True)
class _TagVocabulary:
    """`tags` by what they are in HTML; `sections` have headings, `titles` are these; `body` is where the text is, in
    order, and `dropped` what is not shown. `facts` are paths of metadata from the root, by our names."""

    tags: Mapping[str, str]
    sections: frozenset[str] = frozenset()
    titles: frozenset[str] = frozenset()
    body: tuple[str, ...] = ()
    dropped: frozenset[str] = frozenset()
    facts: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    people: tuple[str, ...] = ()
    """Elements that are a person's, whose words are the name."""


def _vocabulary(written: dict[str, Any]) -> _TagVocabulary:
    tags = {word: tag for tag, words in written.pop("tags", {}).items() for word in words.split()}
    return msgspec.convert({"tags": tags, **written}, _TagVocabulary)


_WRITTEN: Final = tomllib.loads(Path(__file__).with_name("vocabularies.toml").read_text("utf-8"))
_VOCABULARIES: Final[Mapping[str, _TagVocabulary]] = {name: _vocabulary(one) for name, one in _WRITTEN.items()}

_CAPTIONED = frozenset(("figure", "table", "informaltable", "example", "fig", "table-wrap"))
_MAX_HEADING_LEVEL = 6
_MAX_DEPTH = 200
"""Elements in one another; much is asked of each and of all below it, in time that grows with how deep they lie."""
_TOO_DEEP = Notice(
    "damaged_part", f"Elements are nested more than {_MAX_DEPTH} deep; the text of those below is kept, their form not."
)
_UTF_16 = (b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")
_PACKED_MAPS = {"xmind": xmind_as_html, "mindmanager": mindmanager_as_html}
_MADE: Mapping[str, Callable[[XmlElement, str], tuple[XmlElement, dict[str, str]]]] = {
    "abiword": lambda root, _: (root, abiword_as_html(root)),
    "project": lambda root, _: (project_as_html(root), project_facts(root)),
    "kml": lambda root, name: (kml_as_html(root, name), {}),
    "gpx": lambda root, name: (gpx_as_html(root, name), gpx_facts(root)),
    "evernote": lambda root, name: (evernote_as_html(root, name), {}),
    "freemind": lambda root, _: (freemind_as_html(root), {}),
    "drawio": lambda root, name: (drawio_as_html(root, name), {}),
    "dia": lambda root, _: (dia_as_html(root), {}),
    "feed": lambda root, name: (feed_as_html(root, name), feed_facts(root)),
    "xliff": lambda root, _: (xliff_as_html(root), {}),
    "tmx": lambda root, _: (tmx_as_html(root), {}),
    "uniform": lambda root, _: (uniform_as_html(root), uniform_facts(root)),
    "primavera": lambda root, _: (primavera_as_html(root), primavera_facts(root)),
}
"""Kind of XML → what makes its root HTML, given the file's name, and tells the document's facts."""
_Bodies = tuple[list[XmlElement], dict[str, str], tuple[Notice, ...]]
_NOTE_BODIES = ("notes", "comments", "footnotes")
"""Names of the bodies of FictionBook that hold what is called from the first one."""
_NOTE_REFERENCE = "doc-noteref"
_OWN_NOTE = "docsidecar-note-"
_ORDERED = frozenset(("order", "arabic", "alpha-lower", "alpha-upper", "roman-lower", "roman-upper"))


def parse(source: Source, limits: Limits, kind: str, wanted: str = "") -> tuple[ParsedDocument, str]:
    """The document's chapters, and the picture whose reference is `wanted`. Raises FormatError."""
    source.check_size(limits)
    pictures = Pictures(limits.max_embedded, wanted=wanted)
    blocks: list[AnyBlock] = []
    facts: dict[str, str] = {}
    notices: tuple[Notice, ...] = ()
    if kind == "board":
        blocks = read_board(source, limits, pictures)
    else:
        read = _vocabulary_bodies if kind in _VOCABULARIES else _bodies
        bodies, facts, notices = read(source, limits, kind)
        for body in bodies:
            blocks += read_html(body, pictures, hidden=find_hidden(body))
    chapters = split_chapters(blocks, facts.pop("title", ""), limits.max_parts)
    document = ParsedDocument(
        title=chapters.title, description=facts.pop("description", ""), metadata=facts, parts=chapters.parts,
        elements=elements_of(chapters.parts), embedded=place_embeds(chapters.parts, pictures.embedded),
        notices=(*pictures.notices(), *notices),
    )  # fmt: skip
    return document, pictures.found_url


def _vocabulary_bodies(source: Source, limits: Limits, kind: str) -> _Bodies:
    """What a vocabulary's words make HTML, and the facts of the document. Raises FormatError."""
    root = _read_with_entities(source, limits)
    vocabulary = _VOCABULARIES[kind]
    notices = _plain_tree(root)
    if kind == "docbook":
        prepare_docbook(root)
    facts = _facts(root, vocabulary)
    if kind == "jats":
        facts |= prepare_article(root)
    elif kind == "mallard":
        prepare_help_page(root)
    urls = {node.get("id", ""): f"data:{node.get('content-type', '')};base64,{node.text or ''}"
            for node in root.iterchildren("binary")}  # fmt: skip
    bodies = [one for path in vocabulary.body for one in root.iterfind(path)] or [root]
    for body in bodies:
        if kind == "opml":
            outline_as_html(body)
        else:
            _as_html(body, vocabulary, urls)
    whole = etree.Element("div")  # one tree: notes are called from another body than theirs
    whole.extend(bodies)
    return [whole], facts, notices


def _read_with_entities(source: Source, limits: Limits) -> XmlElement:
    """The root element, its entities written out."""
    data = source.read(limits.max_file_bytes)
    data = unzipped(data, source.name, limits) if data.startswith(b"\x1f\x8b") else data
    return parse_xml(data if data[:2] in _UTF_16 else write_out(data), source.name)


def _bodies(source: Source, limits: Limits, kind: str) -> _Bodies:
    """The same of what a module of its own makes HTML. Raises FormatError."""
    if kind in _PACKED_MAPS:
        with Package(source, limits) as package:
            return [_PACKED_MAPS[kind](package, source.name)], {}, ()
    if kind == "xer":
        tables = read_xer(source, limits)
        return [xer_as_html(tables)], {}, ()
    if kind == "uniform" and source.head.startswith(b"PK"):
        with Package(source, limits) as package:
            root = unpacked_uniform(package, source.name)
    else:
        root = read_xml(source, limits)
    notices = _plain_tree(root)
    if kind not in _MADE:
        raise DamagedError(f"{source.name} is XML of no kind known here.")
    body, facts = _MADE[kind](root, source.name)
    return [body], facts, notices


def open_embedded(source: Source, ref: str, limits: Limits, kind: str) -> Payload:
    """The n-th picture written into the document (`data:n`). Raises NotFoundError, FormatError."""
    return open_data_url(parse(source, limits, kind, ref)[1] if ref.startswith("data:") else "", source.name, ref)


def _plain_tree(root: XmlElement) -> tuple[Notice, ...]:
    """Elements and XLink's attributes by their local names, no deeper than is shown; processing instructions go. Gives
    what is to be said of it."""
    nodes = list(root.iter())  # held: for each that is let go of, lxml goes up through all that are above it
    for node in nodes:
        if not isinstance(node.tag, str):
            if node.getparent() is not None:
                etree.strip_tags(node.getparent(), node.tag)
            continue
        node.tag = node.tag.rpartition("}")[2].rpartition(":")[2] or "span"  # a prefix stays where nothing declares it
        for name in [name for name in node.attrib if name.startswith("{")]:
            node.set(name.rpartition("}")[2], node.attrib.pop(name))
    return (_TOO_DEEP,) if flatten(root, _MAX_DEPTH) else ()


def _facts(root: XmlElement, vocabulary: _TagVocabulary) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, paths in vocabulary.facts.items():
        text = next((words for path in paths for node in root.iterfind(path) if (words := words_of(node, " "))), "")
        if text:
            found[name] = text
    people = [words for path in vocabulary.people for node in root.iterfind(path) if (words := _name(node))]
    if people:
        found["author"] = ", ".join(dict.fromkeys(people))
    dates = root.findall("front/article-meta/pub-date")
    if dates and "created" not in found:
        date = [dates[0].findtext(part) or "" for part in ("year", "month", "day")]
        found["created"] = "-".join(one.zfill(2) for one in date if one.isdecimal())
    return {name: text for name, text in found.items() if text}


def _name(person: XmlElement) -> str:
    """Given names before the surname, whichever is written first; addresses and the like are not names."""
    given = [words_of(one, " ") for one in person.iter("given-names", "first-name", "firstname", "middle-name")]
    last = [words_of(one, " ") for one in person.iter("surname", "last-name")]
    whole = [words_of(one, " ") for one in person.iter("personname")]
    return " ".join(filter(None, (*given, *last))) or " ".join(whole) or words_of(person, " ")


def _as_html(body: XmlElement, vocabulary: _TagVocabulary, urls: Mapping[str, str]) -> None:
    """Turn everything below the body into elements of HTML, in place."""
    if "info" in vocabulary.dropped:
        write_cross_references(body)
        move_heads(body)
    levels = {body: int(body.tag in vocabulary.sections)}
    notes: list[XmlElement] = []
    for node in list(body.iter()):
        above = node.getparent()
        name = node.tag
        if node is not body:
            levels[node] = levels.get(above, 0) + (name in vocabulary.sections)
        if name in vocabulary.dropped and node is not body:
            node.tag = "template"
        elif name == "footnote":
            _note(node, notes)
        elif (name == "a" and node.get("type") == "note") or (name == "xref" and node.get("ref-type") == "fn"):
            node.set("role", _NOTE_REFERENCE)
        elif name in vocabulary.titles and above is not None and above.tag != "citerefentry":
            _title(node, above, vocabulary, levels)
    body.extend(notes)
    for node in list(body.iter()):
        _renamed(node, vocabulary, urls)
    etree.strip_tags(body, "tgroup")


def _note(node: XmlElement, notes: list[XmlElement]) -> None:
    """A footnote in a text: its number stays, its words go to the end."""
    made = etree.Element("aside", id=f"{_OWN_NOTE}{len(notes) + 1}")
    made.text = node.text
    made.extend(list(node))
    notes.append(made)
    tail = node.tail
    node.clear()
    node.tag, node.text, node.tail = "a", f"{len(notes)}", tail
    node.set("href", f"#{made.get('id')}")
    node.set("role", _NOTE_REFERENCE)


def _title(node: XmlElement, above: XmlElement, vocabulary: _TagVocabulary, levels: Mapping[XmlElement, int]) -> None:
    """A section's title is a heading, a figure's or table's its caption, any other's a line in bold."""
    for inner in node.iter("p", "para"):
        inner.tail = f" {inner.tail or ''}"
        inner.tag = "span"
    noted = any(one.get("name") in _NOTE_BODIES for one in (above, *above.iterancestors("body")))
    if noted and (above.tag == "body" or not words_of(node).strip("[]().* ").strip("0123456789")):
        node.tag = "template"  # "Notes", and a number that stands where the note is called
    elif above.tag in vocabulary.sections and not noted:
        node.tag = f"h{min(max(levels.get(above, 1), 1), _MAX_HEADING_LEVEL)}"
    elif above.tag in _CAPTIONED:
        node.tag = "caption" if above.tag in ("table", "informaltable") else "figcaption"
    else:
        inner = etree.Element("strong")
        inner.text, node.text = node.text, None
        inner.extend(list(node))
        node.insert(0, inner)
        node.tag = "p"


def _renamed(node: XmlElement, vocabulary: _TagVocabulary, urls: Mapping[str, str]) -> None:
    name, above = node.tag, node.getparent()
    made = vocabulary.tags.get(name)
    if made is None:
        _rename_other(node, name, above)
        return
    if name == "list" and node.get("list-type") in _ORDERED:
        made = "ol"
    elif name == "emphasis" and node.get("role") in ("strong", "bold"):
        made = "strong"
    elif name == "entry":
        _cell(node)
        made = "th" if above.getparent() is not None and above.getparent().tag == "thead" else "td"
    elif name == "listitem" and above is not None and above.tag in ("varlistentry", "glossentry"):
        made = "dd"
    elif made == "a":
        node.set("href", node.get("href") or node.get("url") or f"#{node.get('rid') or node.get('linkend') or ''}")
        if not node.text and not len(node) and node.get("linkend"):
            node.text = f"[{node.get('linkend')}]"
    elif made == "img":
        source = node.get("fileref") or node.get("href") or ""
        node.set("src", urls.get(source.removeprefix("#"), source))
        texts = [words for one in _other_forms(node) if (words := words_of(one, " "))]
        node.set("alt", node.get("alt") or next(iter(texts), ""))
    elif made == "pre" and node.get("language"):
        node.set("class", f"language-{node.get('language')}")
    node.tag = made


def _other_forms(picture: XmlElement) -> list[XmlElement]:
    """What stands for a picture where it cannot be shown (DocBook's `textobject`, JATS' `alt-text`, by now dropped)."""
    holder = next(picture.iterancestors("mediaobject", "inlinemediaobject", "div", "fig"), None)
    if holder is None:
        return []
    return [one for one in holder.iterchildren("template") if not one.get("class")]


def _rename_other(node: XmlElement, name: str, above: XmlElement | None) -> None:
    """What has no counterpart of its own in HTML, but in its place."""
    if name in ("caption", "label") and above is not None and above.tag == "figure":
        node.tag = "figcaption"
    elif name == "tex-math":  # where MathML stands beside it, that is read
        node.tag = "template" if above is not None and above.find("math") is not None else "script"
        node.set("type", "math/tex")


def _cell(entry: XmlElement) -> None:
    """The spans of a CALS table's cell (OASIS TM 9502) as HTML's."""
    more = entry.get("morerows", "")
    if more.isdecimal():
        entry.set("rowspan", str(int(more[:4]) + 1))
    first, last = entry.get("namest", ""), entry.get("nameend", "")
    group = next(entry.iterancestors("tgroup", "table", "informaltable"), None) if first and last else None
    columns = [one.get("colname", "") for one in group.iterchildren("colspec", "template")] if group is not None else []
    if first in columns and last in columns:
        entry.set("colspan", str(max(columns.index(last) - columns.index(first) + 1, 1)))
