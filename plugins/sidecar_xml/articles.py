"""Articles in JATS and help pages in Mallard before they become HTML: references told field by field are parted by
points, reviews and answers get their title, and a figure that stands in another's words comes after it (JATS 1.3:
`element-citation`, `sub-article`, `response`, `fig`); ways through menus get their arrows, code its lines, and terms
stand before what they mean (Mallard 1.1)."""

from collections.abc import Iterator

from sidecar.toolkit.xml import XmlElement, etree, words_of

_BY_FIELDS = ("element-citation", "nlm-citation")
_WITHIN = ("sub-article", "response")
_FLOATS = ("fig", "table-wrap")
_LISTED = {
    "keywords": "front/article-meta/kwd-group/kwd",
    "subjects": "front/article-meta/article-categories//subject",
    "affiliations": "front/article-meta//aff",
}
"""Facts that an article tells several of."""
_BETWEEN = {"guiseq": " ▸ ", "menuchoice": " ▸ ", "keyseq": "+", "keycombo": "+"}
"""What stands between menus one goes through, and between keys pressed together, in Mallard and DocBook."""
_INLINE = ("p", "title", "subtitle", "desc", "cite", "app", "cmd", "em", "gui", "hi", "input", "link", "output", "span")
_SAID = frozenset(("warning", "tip", "important", "danger", "caution"))
"""Styles of a note that say what it is."""


def prepare_article(root: XmlElement) -> dict[str, str]:
    """Change the tree of an article, its elements without namespaces, in place; what is told of it several times."""
    for name in root.iter("name"):
        _join(name, " ")
    for citation in root.iter(*_BY_FIELDS):
        _part_fields(citation)
    for inner in [one for one in root.iter(*_FLOATS) if next(one.iterancestors(*_FLOATS), None) is not None]:
        _move_behind(inner, list(inner.iterancestors(*_FLOATS))[-1])
    for article in list(root.iter(*_WITHIN)):
        _name(article)
    listed = {name: [words_of(node, " ") for node in root.iterfind(path)] for name, path in _LISTED.items()}
    return {name: "; ".join(dict.fromkeys(filter(None, found))) for name, found in listed.items() if any(found)}


def prepare_help_page(root: XmlElement) -> None:
    """Change the tree of a page of Mallard, its elements without namespaces, in place."""
    join_steps(root)
    for note in root.iter("note"):
        note.tag = next((style for style in note.get("style", "").split() if style in _SAID), "note")
    for code in root.iter("code"):
        above = code.getparent()
        code.tag = "code" if above is None or above.tag in _INLINE else "screen"
    for link in root.iter("link"):
        page, _, section = link.get("xref", "").partition("#")
        link.set("href", link.get("href") or f"{page and page + '.page'}{section and '#' + section}")
        if not link.text and not len(link) and next(link.iterancestors("info"), None) is None:
            link.text = page.replace("-", " ")
    for picture in root.iter("media"):
        picture.set("href", picture.get("src", ""))
        picture.set("alt", words_of(picture, " "))
        for held in list(picture):
            picture.remove(held)
        picture.text = None
    for item in list(root.iterfind(".//terms/item")):
        for term in item.findall("title"):
            term.tag = "term"
            item.addprevious(term)
        item.tag = "definition"


def join_steps(root: XmlElement) -> None:
    """What stands between the steps of a way through menus and the keys of a shortcut, in place."""
    for sequence in root.iter(*_BETWEEN):
        sequence.text = (sequence.text or "").strip()
        pressed_after = "seq" in (sequence.get("action"), sequence.get("type", "")[:3])
        for step in sequence:
            step.tail = (
                (" " if pressed_after else _BETWEEN[sequence.tag])
                if step.getnext() is not None
                else (step.tail or "").strip()
            )


def _part_fields(citation: XmlElement) -> None:
    """Fields that nothing parts ("Lee", "B", "2020") as others print them: `Lee B. 2020.`"""
    if (citation.text or "").strip() or any((field.tail or "").strip() for field in citation):
        return  # it has its points
    for people in citation.iter("person-group"):
        _join(people, ", ")
    _join(citation, ". ")
    for first in citation.iterchildren("fpage"):
        behind = first.getnext()
        if behind is not None and behind.tag == "lpage":
            first.tail = "–"


def _join(node: XmlElement, between: str) -> None:
    fields = [field for field in node if isinstance(field.tag, str)]
    for field in fields[:-1]:
        field.tail = field.tail if (field.tail or "").strip() else between


def _move_behind(inner: XmlElement, outer: XmlElement) -> None:
    above = inner.getparent()
    if above is None:
        return
    before, tail = inner.getprevious(), inner.tail or ""
    if before is not None:
        before.tail = f"{before.tail or ''}{tail}"
    else:
        above.text = f"{above.text or ''}{tail}"
    inner.tail = None
    outer.addnext(inner)  # lxml carries what follows `outer` along with it
    inner.tail, outer.tail = outer.tail, None


def _name(article: XmlElement) -> None:
    """A review's title and people, which its head holds, before its words."""
    head = next(article.iterchildren("front-stub", "front"), None)
    if head is None:
        return
    title = next(head.iter("article-title"), None)
    people = list(dict.fromkeys(_people(head)))
    made = [etree.Element("title"), etree.Element("p")]
    made[0].text = (
        words_of(title, " ") if title is not None else (article.get("article-type") or "").replace("-", " ").title()
    )
    made[1].text = "; ".join(people)
    article.remove(head)
    for at, one in enumerate(one for one in made if one.text):
        article.insert(at, one)


def _people(head: XmlElement) -> Iterator[str]:
    """Who wrote it: names, given ones first, and what they were there."""
    for contributor in head.iter("contrib"):
        surname, given = (
            " ".join(words_of(one, " ") for one in contributor.iter(tag)) for tag in ("surname", "given-names")
        )
        others = [words_of(one, " ") for one in contributor.iter("string-name", "collab", "role")]
        person = ", ".join(filter(None, (f"{given} {surname}".strip(), *others)))
        if person:
            yield person
