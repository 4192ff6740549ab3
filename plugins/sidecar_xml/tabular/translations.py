"""Makes translations tables of HTML, a row a text with what it is in the other languages: XLIFF 1.2 and 2.0 (OASIS) and
TMX 1.4 (LISA). Codes of the program that a text is for are left out of it."""

from collections.abc import Iterator
from typing import Final

from sidecar.toolkit.xml import XmlElement, etree
from sidecar_xml.tabular.tables import add_table

_CODES: Final = frozenset(("bpt", "ept", "ph", "it", "ut", "x", "bx", "ex"))
_MAX_LANGUAGES: Final = 60
_MAX_REPEATED: Final = 200
"""Characters of a note that stands beside each segment of its unit; a longer one stands beside the first."""


def xliff_as_html(root: XmlElement) -> XmlElement:
    """A table a file: the texts, their translations, and what is noted of them."""
    body = etree.Element("body")
    for file in root.iterchildren("file"):
        heading = file.get("original") or file.get("id") or ""
        if heading:
            etree.SubElement(body, "h2").text = heading
        rows = [*_units(file)]
        head = (
            "ID", file.get("source-language") or root.get("srcLang") or "Source",
            file.get("target-language") or root.get("trgLang") or "Target", "Note",
        )  # fmt: skip
        add_table(body, "", head, rows)
    return body


def _units(file: XmlElement) -> Iterator[tuple[str, ...]]:
    for unit in file.iter("trans-unit", "unit"):
        notes = "; ".join(
            filter(None, (_text(note) for path in ("note", "notes/note") for note in unit.iterfind(path)))
        )
        name = unit.get("resname") or unit.get("name") or unit.get("id") or ""
        for segment in [unit] if unit.tag == "trans-unit" else unit.iterchildren("segment"):
            source, target = segment.find("source"), segment.find("target")
            yield name, _text(source), _text(target), notes
            notes = notes if len(notes) <= _MAX_REPEATED else ""


def tmx_as_html(root: XmlElement) -> XmlElement:
    """One table, a column a language."""
    body = etree.Element("body")
    units = [
        [(one.get("lang", ""), _text(one.find("seg"))) for one in unit.iterchildren("tuv")] for unit in root.iter("tu")
    ]
    languages = [*dict.fromkeys(language for unit in units for language, _ in unit)][:_MAX_LANGUAGES]
    add_table(body, "", languages, [[*map(dict(unit).get, languages)] for unit in units])
    return body


def _text(node: XmlElement | None) -> str:
    """The words of a text without the codes in it."""
    if node is None:
        return ""
    for code in [*node.iter(*_CODES)]:
        code.clear(keep_tail=True)
    return " ".join("".join(node.itertext()).split())
