"""Footnotes and endnotes of pages: which elements are notes, by what their author marks references with (DPUB-ARIA 1.1
`doc-noteref`, EPUB Structural Semantics 1.1 `noteref`, GitHub's `data-footnote-ref`), or by two links with the same
number that lead to one another, as Word, Writer and Google Docs save them; notes put where they are called.

Other links stay links: a list of references of an encyclopedia is part of its text."""

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from sidecar.api.model import AnyBlock, Note, NoteKind, Table
from sidecar.toolkit.xml import XmlElement, words_of

_HOLDERS = ("li", "p", "div", "aside", "section", "dd")
"""Elements that a note may be; where a reference leads to another, the nearest of these around it is."""
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_NUMBER = re.compile(r"\d{1,4}|[ivxlc]{1,7}|[a-z]|[^\w\s]{1,3}", re.IGNORECASE)
"""What a reference shows that is told by nothing but that a note leads back to it."""
_MAX_NOTES = 20_000
"""References looked at on a page, each of which may lie deep in it."""
_MAX_LABEL = 12
"""Characters of what a note is called by; a longer text of a reference is a link to be read."""


class PageNote(NamedTuple):
    """What an element that is a note is called, and whether it is shown."""

    id: str
    kind: NoteKind
    hidden: bool


@dataclass(frozen=True)
class PageNotes:
    """The notes of a page by their elements, the references to them with their ids, where links back lead, and those of
    these that say the number again."""

    notes: dict[XmlElement, PageNote] = field(default_factory=dict[XmlElement, PageNote])
    references: dict[XmlElement, str] = field(default_factory=dict[XmlElement, str])
    origins: set[str] = field(default_factory=set[str])
    numbers: set[XmlElement] = field(default_factory=set[XmlElement])


_NONE = PageNotes()


def page_notes(root: XmlElement, hidden: frozenset[XmlElement]) -> PageNotes:
    """The notes below `root` that a reference below it leads to; those in tables stay there."""
    links = [node for node in root.iter("a") if (node.get("href") or "")[:1] == "#"][:_MAX_NOTES]
    answers = _answered(links)
    held_in = Counter(one for back in answers.values() for one in back.iterancestors("div"))
    references = [node for node in links if node in answers or _is_marked(node)]
    if not references:
        return _NONE
    wanted = {(node.get("href") or "")[1:] for node in references}
    named: dict[str, XmlElement] = {}
    for node in root.iter():
        name = node.get("id") or (node.get("name") if node.tag == "a" else None) or ""
        if name in wanted:
            named.setdefault(name, node)
    found = PageNotes()
    labels: dict[str, XmlElement] = {}
    refused: set[XmlElement] = set()
    for node in references:
        name = (node.get("href") or "")[1:]
        target = named.get(name)
        held = _holder(target, held_in) if target is not None else None
        label = words_of(node).strip("[]() ")
        if target is None or held is None or held in refused or not 0 < len(label) <= _MAX_LABEL:
            continue
        if held not in found.notes:
            above = list(held.iterancestors())
            if not _may_be_note(held, above, node, root):
                refused.add(held)  # or all of its words would be looked at for each reference to it
                continue
            called = label if labels.setdefault(label, held) is held else name
            kind: NoteKind = "endnote" if "endnote" in _roles(held) or "rearnote" in _roles(held) else "footnote"
            unseen = target in hidden or not hidden.isdisjoint((held, *above))
            found.notes[held] = PageNote(called, kind, unseen)
        found.references[node] = found.notes[held].id
        if node in answers:
            found.numbers.add(answers[node])
        parent = node.getparent()
        own = (node.get("id"), node.get("name"), parent.get("id") if parent is not None else "")
        found.origins.update(filter(None, own))
    return found


def _answered(links: list[XmlElement]) -> dict[XmlElement, XmlElement]:
    """Links that a later one with the same number leads back to, with that one, which is in no heading."""
    named = {name: node for node in reversed(links) for name in (node.get("id"), node.get("name")) if name}
    found: dict[XmlElement, XmlElement] = {}
    before: set[XmlElement] = set()
    for node in links:
        before.add(node)
        back = named.get((node.get("href") or "")[1:])
        if back is None or back in before or (back.get("href") or "")[1:] not in (node.get("id"), node.get("name")):
            continue
        number = words_of(node).strip("[]() ")
        same = _NUMBER.fullmatch(number) is not None and words_of(back).strip("[]() ") == number
        if same and next(back.iterancestors(*_HEADINGS), None) is None:
            found[node] = back
    return found


def _holder(target: XmlElement, held_in: Counter[XmlElement]) -> XmlElement | None:
    """The element that is the note; a division that holds one note and begins with it is all of it. `held_in` counts
    notes told by their number in each division."""
    held = target if target.tag in _HOLDERS else next(target.iterancestors(*_HOLDERS), None)
    above = held.getparent() if held is not None else None
    if above is None or held_in[above] != 1 or above[0] is not held or (above.text or "").strip():
        return held
    return above


def _is_marked(node: XmlElement) -> bool:
    return "noteref" in _roles(node) or "data-footnote-ref" in node.attrib


def _roles(node: XmlElement) -> str:
    return f"{node.get('role') or ''} {node.get('epub:type') or ''}"


def _may_be_note(held: XmlElement, above: list[XmlElement], reference: XmlElement, root: XmlElement) -> bool:
    """Whether an element with words, with those `above` it, is below `root`, in no table and not around its own
    reference."""
    return (
        root in above
        and not any(one.tag == "table" for one in above)
        and held not in reference.iterancestors()
        and any(map(str.isalnum, words_of(held)))
    )


def is_way_back(node: XmlElement, notes: PageNotes) -> bool:
    """Whether a link does nothing but lead from a note to its reference: "↩", or its number."""
    if node in notes.numbers:
        return True
    marked = "doc-backlink" in _roles(node) or "data-footnote-backref" in node.attrib
    leads = marked or (node.get("href") or "#")[1:] in notes.origins
    return leads and not any(map(str.isalnum, "".join(node.itertext())))


def raised_number(node: XmlElement) -> str:
    """The number that a link to a place shows in superscript and without brackets, as notes in another file are called;
    "" for any other link."""
    if "#" not in (node.get("href") or ""):
        return ""
    above = node.getparent()
    raised = (above is not None and above.tag == "sup") or (len(node) == 1 and node[0].tag == "sup")
    if not (raised or _is_marked(node)):
        return ""
    number = words_of(node)
    return number if _NUMBER.fullmatch(number) and number.isalnum() else ""


def notes_placed(blocks: list[AnyBlock]) -> list[AnyBlock]:
    """The blocks with each note behind the one that first refers to it; those that none refers to at the end, and those
    called as one before them where they are."""
    notes: dict[str, Note] = {}
    for block in blocks:
        if isinstance(block, Note):
            notes.setdefault(block.id, block)
    if not notes:
        return blocks
    placed: list[AnyBlock] = []
    given: set[str] = set()
    for block in blocks:
        if isinstance(block, Note) and notes[block.id] is block:
            continue
        placed.append(block)
        spans = getattr(block, "spans", ())
        if isinstance(block, Table):
            spans = [span for cell in block.cells for span in cell.spans]
        for span in spans:
            if span.kind == "note" and span.value in notes and span.value not in given:
                given.add(span.value)
                placed.append(notes[span.value])
    placed += [note for key, note in notes.items() if key not in given]
    return placed
