"""Layouts and masters: what a slide's placeholders inherit, and the visible words the layouts add themselves.

ECMA-376 part 1 §19.3.1.39, §19.3.1.42. Each is read once per document, and only when a slide asks. Not responsible
for the slides.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sidecar.api import Box, DamagedError
from sidecar.api.ooxml.drawing import A, body_text
from sidecar.api.ooxml.package import Package
from sidecar.api.xml import XmlElement
from sidecar_pptx.bullets import Styles
from sidecar_pptx.shapes import P, flat, own_box, shape_tree

_SP, _PIC, _FRAME = f"{P}sp", f"{P}pic", f"{P}graphicFrame"
_PH = f"{P}ph"
_TITLES = frozenset({"title", "ctrTitle"})
_MASTER_TYPE = {"ctrTitle": "title", "subTitle": "body", "obj": "body"}
"""Which master placeholder a layout's one inherits from; content kinds (chart, tbl, pic …) take the body's."""
_OWN_TYPE = frozenset({"title", "body", "dt", "ftr", "sldNum", "hdr"})


@dataclass
class Layout:
    """A layout, or a master (which has no `master`)."""

    name: str
    root: XmlElement
    master: Layout | None
    _told: bool = False
    _by_idx: dict[str, XmlElement] = field(default_factory=dict[str, XmlElement])
    _by_type: dict[str, XmlElement] = field(default_factory=dict[str, XmlElement])

    def __post_init__(self) -> None:
        for place in self.root.iter(_PH):
            owner = place.getparent().getparent()
            shape = owner.getparent() if owner is not None else None
            if shape is not None and shape.tag in (_SP, _PIC, _FRAME):
                self._by_idx.setdefault(place.get("idx", "0"), shape)
                self._by_type.setdefault(place.get("type", "obj"), shape)

    def _chain(self, place: tuple[str, str]) -> list[XmlElement]:
        """The shapes a placeholder inherits from, nearest first."""
        kind, idx = place
        found: list[XmlElement] = []
        if self.master is None:
            return found
        if kind in _TITLES:
            here = self._by_type.get(kind)
            for other in _TITLES:
                here = self._by_type.get(other) if here is None else here
        elif kind in _OWN_TYPE and kind != "body":
            here = self._by_type.get(kind)
        else:
            here = self._by_idx.get(idx)
            if here is None:
                here = self._by_type.get(kind)
        if here is not None:
            found.append(here)
            inherited = here.find(f".//{_PH}")
            kind = inherited.get("type", "obj") if inherited is not None else kind
        above = _MASTER_TYPE.get(kind, kind)
        parent = self.master._by_type.get(above if above in _OWN_TYPE else "body")
        if parent is not None:
            found.append(parent)
        return found

    def box(self, place: tuple[str, str]) -> Box | None:
        """Where a placeholder stands that says nothing itself."""
        for node in self._chain(place):
            box = own_box(node)
            if box is not None:
                return box
        return None

    def prompt(self, place: tuple[str, str]) -> str:
        """The prompt a layout shows in an empty placeholder, unless its author wrote it ("hasCustomPrompt")."""
        chain = self._chain(place)
        if not chain:
            return ""
        asked = chain[0].find(f".//{_PH}")
        if asked is not None and asked.get("hasCustomPrompt") in {"1", "true"}:
            return ""
        return body_text(chain[0].find(f"{P}txBody"))

    def styles(self, place: tuple[str, str] | None) -> Styles:
        """The list styles that reach a placeholder (or a plain text box, for None), nearest first."""
        found: list[XmlElement] = []
        if place is not None:
            for node in self._chain(place):
                style = node.find(f"{P}txBody/{A}lstStyle")
                if style is not None and len(style):
                    found.append(style)
        above = self.master or self
        if place is None:
            wanted = "otherStyle"
        elif place[0] in _TITLES:
            wanted = "titleStyle"
        else:
            wanted = "otherStyle" if place[0] in {"dt", "ftr", "sldNum", "hdr"} else "bodyStyle"
        style = above.root.find(f"{P}txStyles/{P}{wanted}")
        if style is not None:
            found.append(style)
        return tuple(found)

    def take_words(self) -> list[str]:
        """The visible text of the layout itself, everything it draws that is no placeholder: once, then nothing."""
        if self._told:
            return []
        self._told = True
        found: list[str] = []
        for shape in flat(shape_tree(self.root)):
            if shape.place is None and not shape.hidden:
                text = body_text(shape.node.find(f"{P}txBody"))
                found += [text] if text else []
        return found

    @property
    def shows_master(self) -> bool:
        return self.root.get("showMasterSp", "1") not in {"0", "false"}


class Layouts:
    """The layouts and masters of one package, read when first asked for; a damaged one is as good as none."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._read: dict[str, Layout | None] = {}
        self.damaged: list[str] = []

    def layout(self, name: str) -> Layout | None:
        if name not in self._read:
            self._read[name] = self._open(name, "slideMaster")
        return self._read[name]

    def _open(self, name: str, above: str) -> Layout | None:
        try:
            root = self._package.xml(name)
        except DamagedError:
            self.damaged.append(name)
            return None
        master: Layout | None = None
        if above:
            for relationship in self._package.related(name, above)[:1]:
                key = relationship.target
                if key not in self._read:
                    self._read[key] = self._open(key, "")
                master = self._read[key]
        return Layout(name, root, master)
