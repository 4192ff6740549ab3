"""What a style makes of a paragraph or a run, through `basedOn`: level, list, role, run properties (ECMA-376 part 1
§17.7).

Resolved lazily, since a document uses few of the styles it carries. Not responsible for direct formatting."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from sidecar.toolkit.ooxml.namespaces import parse_part
from sidecar.toolkit.xml import XmlElement, child_of, children_by_tag
from sidecar_docx.qualified_names import PPR, RPR, SHD, VAL, W, decimal_attribute
from sidecar_docx.styles.paragraph_properties import left_indent
from sidecar_docx.styles.run_properties import INVISIBLE, mask_of, shading

Role = Literal["", "title", "subtitle", "quote", "caption", "toc", "code"]

# English names are built in and kept by every Word, whatever its language; other writers localise them.
_HEADING = re.compile(
    r"(?:heading|überschrift|titre|título|titulo|titolo|rubrik|kop|overskrift|otsikko|nagłówek|nadpis|címsor|titlu|"
    r"başlık|заголовок|επικεφαλίδα|naslov|标题|標題|見出し|제목|כותרת|عنوان|encabezado|cabeçalho|tiêu đề)\s*([1-9])",
    re.IGNORECASE,
)
_ROLES: dict[str, Role] = {
    "title": "title", "titel": "title", "titre": "title", "título": "title", "titolo": "title", "标题": "title",
    "subtitle": "subtitle", "untertitel": "subtitle", "sous-titre": "subtitle", "subtítulo": "subtitle",
    "quote": "quote", "intense quote": "quote", "block text": "quote", "zitat": "quote", "citation": "quote",
    "quotations": "quote", "block quotation": "quote",
    "caption": "caption", "beschriftung": "caption", "légende": "caption", "epígrafe": "caption",
    "html preformatted": "code", "macro text": "code", "macro": "code", "plain text": "", "code": "code",
    "source code": "code", "preformatted text": "code", "code block": "code", "codeblock": "code",
    "table of figures": "toc", "table of authorities": "toc",
}  # fmt: skip
_TERMS = frozenset({"definition term", "list heading"})
"""What pandoc and LibreOffice call the style of what a list defines."""
_CODE_FONTS = frozenset({"courier new", "consolas", "courier", "menlo", "monaco", "source code pro", "lucida console"})

_PROSE_FONTS = frozenset({
    "times new roman", "times", "arial", "helvetica", "calibri", "cambria", "aptos", "verdana", "tahoma", "georgia",
    "garamond", "trebuchet ms", "segoe ui", "book antiqua", "palatino linotype", "century gothic",
})  # fmt: skip


@dataclass(frozen=True)
class Style:
    """A paragraph or character style resolved. `level` is 1–9 for headings, 0 for body text; `num` the list id."""

    role: Role = ""
    level: int = 0
    num: str = ""
    num_level: int | None = None
    run_mask: int = 0
    """See `run_properties`."""
    size: int = 0
    """Font size in half points, 0 where the style says nothing."""
    is_term: bool = False
    """It is that of a defined term, which heads nothing."""
    fill: int = 0
    """The background of its paragraphs, as `run_properties.shading` gives it."""
    indent: int | None = None
    """How far in its paragraphs stand, in twentieths of a point; None where it does not say."""

    def in_font(self, font: str) -> "Style":
        """The style of a paragraph in that font: what is pasted from web pages keeps their style of listings, and is
        none where it was given a font of prose."""
        return replace(self, role="") if self.role == "code" and font.casefold() in _PROSE_FONTS else self


_PLAIN = Style()
_ON = frozenset({"1", "true", "on"})
_NAME, _BASED_ON, _OUTLINE_LEVEL, _NUM_PR = f"{W}name", f"{W}basedOn", f"{W}outlineLvl", f"{W}numPr"
_SIZE, _FONTS = f"{W}sz", f"{W}rFonts"


def read_styles(data: bytes, what: str, _: str = "") -> "Styles":
    """The styles of a styles part. Raises DamagedError when it is not XML; `what` names it then."""
    start = data.find(b"<w:latentStyles")
    end = data.find(b"</w:latentStyles>", start)
    if 0 <= start < end:  # half of the part as Word writes it, and only for its user interface (§17.7.4.5)
        data = data[:start] + data[end + len(b"</w:latentStyles>") :]
    root = parse_part(data, what)
    return Styles(root.iterchildren(f"{W}style"), root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr"))


class Styles:
    """The styles of one document, by id; shared by documents that have the same definitions."""

    def __init__(self, definitions: Iterable[XmlElement] = (), defaults: XmlElement | None = None) -> None:
        """`defaults` are the run properties all styles begin with (§17.7.5.4)."""
        self._plain = _PLAIN if defaults is None else replace(_PLAIN, run_mask=mask_of(defaults) & INVISIBLE)
        self._definitions: dict[str, XmlElement] = {}
        self._default = ""
        self._resolved: dict[str, Style] = {}
        for node in definitions:
            name = node.get(f"{W}styleId", "")
            self._definitions.setdefault(name, node)
            if node.get(f"{W}default") in _ON and node.get(f"{W}type") == "paragraph":
                self._default = name

    def style(self, name: str | None) -> Style:
        """The style of that id; plain when the id is None or unknown."""
        key = self._default if name is None else name
        known = self._resolved.get(key)
        if known is None:
            known = self._resolve(key)
            self._resolved[key] = known
        return known

    def shades(self, name: str) -> bool:
        """Whether a table style, or one it is based on, shades cells: which ones depends on more than we read."""
        return any(node.find(f".//{SHD}") is not None for node in self._chain(name))

    def heads(self, name: str) -> bool:
        """Whether a table style, or one it is based on, sets the first row apart (§17.7.6.6)."""
        parts = (part for node in self._chain(name) for part in node.iterchildren(f"{W}tblStylePr"))
        return any(
            part.get(f"{W}type") == "firstRow" and next(part.iter(SHD, f"{W}b"), None) is not None for part in parts
        )

    def _resolve(self, name: str) -> Style:
        chain = self._chain(name)
        if not chain:
            # An id without a definition: writers that leave out styles.xml still use the built-in ids.
            found = _HEADING.fullmatch(name)
            return replace(self._plain, level=int(found[1])) if found else self._plain
        style = self._plain
        for node in reversed(chain):
            style = _derived(style, node)
        return style

    def _chain(self, name: str) -> list[XmlElement]:
        """The definition of a style and of those it is based on (§17.7.4.3), nearest first."""
        chain: list[XmlElement] = []
        seen: set[str] = set()
        while name not in seen and len(chain) < 50 and (node := self._definitions.get(name)) is not None:
            seen.add(name)
            chain.append(node)
            parent = child_of(node, _BASED_ON)
            if parent is None:
                break  # a style may have no id, and what is based on none is not based on that
            name = parent.get(VAL, "")
        return chain


def _derived(base: Style, node: XmlElement) -> Style:
    """`base` with what one style definition adds."""
    by_tag = children_by_tag(node)
    label = by_tag.get(_NAME)
    name = label.get(VAL, "").strip().casefold() if label is not None else ""
    role, level, is_term = base.role, base.level, base.is_term or name in _TERMS
    heading = _HEADING.fullmatch(name)
    if heading:
        level = int(heading[1])
    elif name in _ROLES:
        role = _ROLES[name]
    elif name.startswith("toc ") and name[4:].isdecimal():
        role = "toc"
    num, num_level, fill, indent = base.num, base.num_level, base.fill, base.indent
    if (properties := by_tag.get(PPR)) is not None:
        given = children_by_tag(properties)
        outline = given.get(_OUTLINE_LEVEL)
        if outline is not None:
            depth = decimal_attribute(outline.get(VAL), 9)
            level = depth + 1 if 0 <= depth < 9 else 0
        own = left_indent(given.get(f"{W}ind"))
        indent = own if own is not None else indent
        shaded = given.get(SHD)
        fill = shading(shaded) if shaded is not None else fill
        listed = given.get(_NUM_PR)
        if listed is not None:
            number, place = child_of(listed, f"{W}numId"), child_of(listed, f"{W}ilvl")
            num = number.get(VAL, "") if number is not None else num
            num_level = decimal_attribute(place.get(VAL)) if place is not None else num_level
    run_mask, size = base.run_mask, base.size
    if (run := by_tag.get(RPR)) is not None:
        run_mask, given = mask_of(run, run_mask), children_by_tag(run)
        written = given.get(_SIZE)
        size = decimal_attribute(written.get(VAL)) if written is not None else size
        font = given.get(_FONTS)
        monospaced = font is not None and (font.get(f"{W}ascii") or "").casefold() in _CODE_FONTS
        if monospaced and not role and "code" in name and node.get(f"{W}type") == "paragraph":
            role = "code"
    return Style(role, level, num, num_level, run_mask, size, is_term, fill, indent)
