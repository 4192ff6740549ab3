"""Layouts and masters: what a slide's placeholders inherit, and the visible words the layouts add themselves.

ECMA-376 part 1 §19.3.1.39, §19.3.1.42. Each is read once per document, and only when a slide asks. Not responsible for
the slides."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from sidecar.api import Box, DamagedError
from sidecar.toolkit.ooxml.drawing import body_text
from sidecar.toolkit.ooxml.namespaces import A, transitional
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.xml import XmlElement, child_of, parse_xml, unsigned
from sidecar_pptx.shapes import P, Shape, flat, own_box, shape_tree

_SP, _PIC, _FRAME = f"{P}sp", f"{P}pic", f"{P}graphicFrame"
_PH, _TX_BODY, _LST_STYLE, _TX_STYLES = f"{P}ph", f"{P}txBody", f"{A}lstStyle", f"{P}txStyles"
_TITLES = frozenset({"title", "ctrTitle"})
_MASTER_TYPE = {"ctrTitle": "title", "subTitle": "body", "obj": "body"}
"""Which master placeholder a layout's one inherits from; content kinds (chart, tbl, pic …) take the body's."""
_OWN_TYPE = frozenset({"title", "body", "dt", "ftr", "sldNum", "hdr"})
_RUN_LOOK, _PARAGRAPH_LOOK = f"{A}rPr", f"{A}pPr"
_USUAL_SIZE = 1800
_BEGINNING = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:<\?xml version=[\"']1\.0[\"'] encoding=[\"']utf-8[\"'](?: standalone=[\"']yes[\"'])?\?>\s*)?"
    rb"<p:sld(?:Layout|Master)\s", re.IGNORECASE,
)  # fmt: skip
"""How programs begin such a part."""
_TEXT, _PLACEHOLDER = b"txBody", re.compile(rb"<p:ph[\s/>]")


Place: TypeAlias = tuple[str, str]
"""Type and idx of a placeholder."""
_Own: TypeAlias = tuple[XmlElement | None, XmlElement | None]
Places: TypeAlias = tuple[dict[str, XmlElement], dict[str, XmlElement]]
"""The placeholder shapes of a layout by idx and by type."""


class LayoutTree:
    """A layout's XML, which presentations made from one template share: nobody changes it. A master's styles of text,
    more than half of it, are left out of `root`: 5 of 128 presentations ask for them."""

    def __init__(self, whole: tuple[bytes, str]) -> None:
        """`whole` is all of the part, and what it is called in errors. Raises DamagedError for what is no XML."""
        self._whole = whole
        self._wordless = holds_only_places(whole[0])
        if not self._wordless:
            self.root = self._parsed()

    @cached_property
    def root(self) -> XmlElement:
        """The part without those styles. What has no words of its own is parsed when something else is asked of it: of
        nearly all masters nothing is, whose places the layouts have."""
        return self._parsed()

    def _parsed(self) -> XmlElement:
        markup, what = self._whole
        return parse_xml(without_element(markup, b"p:txStyles"), what)

    @cached_property
    def text_styles(self) -> XmlElement | None:
        """The `p:txStyles` of a master (§19.3.1.52)."""
        return child_of(parse_xml(*self._whole), _TX_STYLES)  # what begins alike was read before

    @cached_property
    def places(self) -> Places:
        """The placeholder shapes in it."""
        by_idx: dict[str, XmlElement] = {}
        by_type: dict[str, XmlElement] = {}
        for place in self.root.iter(_PH):
            owner = place.getparent().getparent()
            shape = owner.getparent() if owner is not None else None
            if shape is not None and shape.tag in (_SP, _PIC, _FRAME):
                by_idx.setdefault(place.get("idx", "0"), shape)
                by_type.setdefault(place.get("type", "obj"), shape)
        return by_idx, by_type

    @cached_property
    def shapes(self) -> list[Shape]:
        """Every shape in it, those in groups too."""
        return list(flat(shape_tree(self.root)))

    @cached_property
    def words(self) -> list[str]:
        """The visible text of all it draws that is not a placeholder."""
        if self._wordless:
            return []
        texts = (body_text(shape.body) for shape in self.shapes if shape.place is None and not shape.hidden)
        return [text for text in texts if text]


def _read_tree(data: bytes, what: str, _how: str) -> LayoutTree:
    return LayoutTree((transitional(data), what))


def holds_only_places(markup: bytes) -> bool:
    """Whether all text of a layout or master stands in placeholders, as far as its bytes tell: False for what begins
    otherwise than programs begin such a part, or has comments in it."""
    if not _BEGINNING.match(markup) or b"<!" in markup:
        return False
    for piece in markup.split(b"</p:sp>"):  # shapes hold no others
        start = max(piece.rfind(b"<p:sp>"), piece.rfind(b"<p:sp "))
        if _TEXT in piece and (start < 0 or _TEXT in piece[:start] or not _PLACEHOLDER.search(piece, start)):
            return False
    return True


def without_element(markup: bytes, name: bytes) -> bytes:
    """Markup without the first element of that name, which has no attributes and none of its own kind in it: what is
    large and not asked for costs nothing then."""
    end_tag = b"</%b>" % name
    start = markup.find(b"<%b>" % name)
    end = markup.find(end_tag, start)
    if not 0 <= start < end or b"<!" in markup:  # in a comment it would be the beginning of something else
        return markup
    return markup[:start] + markup[end + len(end_tag) :]


@dataclass
class Layout:
    """A layout, or a master (which has no `master`)."""

    part: str
    read: Callable[[], LayoutTree | None]
    master: "Layout | None"
    _text_given: bool = False
    _owned: dict[Place, _Own] = field(default_factory=dict["Place", "_Own"])
    _boxes: dict[Place, Box | None] = field(default_factory=dict["Place", "Box | None"])
    """Both kept: a slide asks several times, and the next one has the same placeholders."""

    @cached_property
    def _tree(self) -> LayoutTree | None:
        """Parsed when first needed."""
        return self.read()

    @property
    def root(self) -> XmlElement | None:
        """The part's XML; None when it is damaged."""
        return self._tree.root if self._tree is not None else None

    @property
    def shapes(self) -> list[Shape]:
        """Every shape of the part, not to be changed."""
        return self._tree.shapes if self._tree is not None else []

    @property
    def shows_master(self) -> bool:
        """Whether the master's shapes are drawn with it (§19.3.1.39, `showMasterSp`)."""
        return self.root is None or self.root.get("showMasterSp", "1") not in {"0", "false"}

    @property
    def _places(self) -> Places:
        return self._tree.places if self._tree is not None else ({}, {})

    def _here(self, place: Place) -> XmlElement | None:
        """This layout's own shape for a placeholder."""
        kind, idx = place
        by_idx, by_type = self._places
        if kind in _TITLES:
            return next((by_type[title] for title in (kind, *_TITLES) if title in by_type), None)
        if kind in _OWN_TYPE and kind != "body":
            return by_type.get(kind)
        return by_idx[idx] if idx in by_idx else by_type.get(kind)

    def _own(self, place: Place) -> _Own:
        """This layout's own shape for a placeholder, and its `p:ph`."""
        known = self._owned.get(place)
        if known is None:
            here = self._here(place)
            known = self._owned[place] = here, next(here.iter(_PH), None) if here is not None else None
        return known

    def chain(self, place: Place) -> Iterator[XmlElement]:
        """The shapes a placeholder inherits from, nearest first; the master is opened only when asked for."""
        here, asked = self._own(place)
        kind = place[0] if asked is None else asked.get("type", "obj")
        if here is not None:
            yield here
        if self.master is not None:
            above = _MASTER_TYPE.get(kind, kind)
            parent = self.master._places[1].get(above if above in _OWN_TYPE else "body")
            if parent is not None:
                yield parent

    def box(self, place: Place) -> Box | None:
        """Where a placeholder stands that says nothing itself."""
        if place not in self._boxes:
            self._boxes[place] = next((box for node in self.chain(place) if (box := own_box(node)) is not None), None)
        return self._boxes[place]

    def prompt(self, place: Place) -> str:
        """The prompt a layout shows in an empty placeholder, unless its author wrote it ("hasCustomPrompt")."""
        here, asked = self._own(place)
        if here is None or (asked is not None and asked.get("hasCustomPrompt") in {"1", "true"}):
            return ""
        return body_text(child_of(here, _TX_BODY))

    def styles(self, place: Place) -> Iterator[XmlElement]:
        """The list styles that reach a placeholder, nearest first. (A plain text box has no bullets to inherit.)"""
        for node in self.chain(place):
            body = child_of(node, _TX_BODY)
            style = child_of(body, _LST_STYLE) if body is not None else None
            if style is not None and len(style):
                yield style
        above = self.master or self
        style = above.text_style("titleStyle" if place[0] in _TITLES else "bodyStyle")
        if style is not None:
            yield style

    def text_style(self, name: str) -> XmlElement | None:
        """A master's style of text: "titleStyle", "bodyStyle" or "otherStyle"."""
        styles = self._tree.text_styles if self._tree is not None else None
        return child_of(styles, P + name) if styles is not None else None

    def own_text(self) -> list[str]:
        """The visible text of the layout itself, everything it draws that is not a placeholder: once, then nothing."""
        if self._text_given:
            return []
        self._text_given = True
        return [*self._tree.words] if self._tree is not None else []


def text_size(run: XmlElement | None, paragraph: XmlElement, styles: Sequence[XmlElement]) -> int:
    """The size of a run in hundredths of a point (§21.1.2.3.9): its own, or what the nearest of the `styles` gives the
    level of its paragraph."""
    looks = [child_of(run, _RUN_LOOK)] if run is not None else []
    own = child_of(paragraph, _PARAGRAPH_LOOK)
    level = unsigned(own.get("lvl")) + 1 if own is not None else 1
    looks += [style.find(f"{A}lvl{min(level, 9)}pPr/{A}defRPr") for style in styles]
    return next((size for one in looks if one is not None and (size := unsigned(one.get("sz")))), _USUAL_SIZE)


class Layouts:
    """The layouts and masters of one package, read when first asked for; a damaged one is as good as none."""

    def __init__(self, package: Package, masters: list[str]) -> None:
        self._package = package
        self._masters = masters
        self._read: dict[str, Layout | None] = {}
        self.damaged: list[str] = []

    def layout(self, name: str) -> Layout | None:
        """The layout in the part `name`; None when it is absent or damaged."""
        if name not in self._read:
            self._read[name] = self._open(name, "slideMaster")
        return self._read[name]

    def _open(self, name: str, above: str) -> Layout | None:
        if name not in self._package:
            self.damaged.append(name)
            return None

        def read() -> LayoutTree | None:
            try:
                return self._package.shared(name, _read_tree)
            except DamagedError:
                self.damaged.append(name)
                return None

        master: Layout | None = None
        if above:
            # With one master there is nothing to ask the layout's relationships.
            known = self._masters if len(self._masters) == 1 else None
            for key in known or [r.target for r in self._package.related(name, above)[:1]]:
                if key not in self._read:
                    self._read[key] = self._open(key, "")
                master = self._read[key]
        return Layout(name, read, master)
