"""Objects inside an OpenDocument package: formulas and charts are documents of their own, in folders of their own; and
what controls of forms show (ODF 1.3 part 3, §13): labels, what is filled in, and what is chosen."""

import posixpath
from dataclasses import dataclass, field
from typing import Final

from sidecar.api import DamagedError, Note
from sidecar.toolkit.markup.html.mathml import read_math
from sidecar.toolkit.markup.pictures import InnerFile
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.pictures import HEAD_BYTES
from sidecar.toolkit.xml import XmlElement, local_name, outermost
from sidecar_odf.names import DRAW, FORM, TEXT

_BOXES: Final = frozenset(("checkbox", "radio"))
_LISTS: Final = frozenset(("listbox", "combobox"))
_UNSEEN: Final = frozenset(("hidden", "form", "properties", "password"))
_MAX_OPTIONS: Final = 100


def index_controls(root: XmlElement) -> dict[str, XmlElement]:
    """The controls of all forms by the ids that shapes call them by."""
    found: dict[str, XmlElement] = {}
    for form in root.iter(f"{FORM}form"):
        for node in form.iter():
            name = node.get(f"{FORM}id") or node.get("{http://www.w3.org/XML/1998/namespace}id") or ""
            if name and isinstance(node.tag, str) and node.tag.startswith(FORM):
                found[name] = node
    return found


def control_note(shape: XmlElement, controls: dict[str, XmlElement], page: int | None) -> Note | None:
    """The control that a shape stands for, None where it shows no words."""
    control = controls.get(shape.get(f"{DRAW}control", ""))
    if control is None or local_name(control) in _UNSEEN:
        return None
    text = _control_text(control).strip()
    return Note(kind="form", text=text, target=control.get(f"{FORM}name", ""), page=page) if text else None


def _control_text(control: XmlElement) -> str:
    kind, label = local_name(control), control.get(f"{FORM}label") or ""
    if kind in _BOXES:
        state = control.get(f"{FORM}current-state") or control.get(f"{FORM}state") or ""
        is_set = state == "checked" or control.get(f"{FORM}current-selected") == "true"
        return f"{'☑' if is_set else '☐'} {label}" if label else ""
    if kind in _LISTS:
        options = [(one.get(f"{FORM}label") or "", one.get(f"{FORM}current-selected") == "true") for one in control]
        chosen = [name for name, is_chosen in options if is_chosen]
        value = control.get(f"{FORM}current-value") or ""
        return value or ", ".join(filter(None, chosen or [name for name, _ in options[:_MAX_OPTIONS]]))
    filled = control.get(f"{FORM}current-value") or control.get(f"{FORM}value") or ""
    lines = "\n".join("".join(line.itertext()) for line in outermost(control, f"{TEXT}p"))
    return "\n".join(dict.fromkeys(filter(None, (label, filled, lines))))


@dataclass(frozen=True)
class Objects:
    """Finds what a reference (`xlink:href`) in the content names inside the package."""

    package: Package
    types: dict[str, str]
    """Media types from the manifest, by path in lower case."""
    controls: dict[str, XmlElement] = field(default_factory=dict[str, XmlElement])
    """Those of forms, by their ids."""

    def path(self, href: str) -> str:
        """The path in the package an address leads to."""
        if "://" in href or not href:
            return ""
        return posixpath.normpath(href.removeprefix("./")).lstrip("/")

    def inner(self, href: str) -> InnerFile | None:
        """The picture or attached file a reference names; None when it lies outside or is absent."""
        path = self.path(href)
        if not path or path not in self.package:
            return None
        try:
            head = self.package.read(path, HEAD_BYTES)
        except DamagedError:
            return None
        kind = self.types.get(path.lower(), "")
        kind = kind if kind.count("/") == 1 else ""
        return InnerFile(path, posixpath.basename(path), kind, self.package.size(path), head)

    def content(self, href: str) -> XmlElement | None:
        """The content of an object stored as a document in a folder."""
        path = posixpath.join(self.path(href), "content.xml")
        if path in ("content.xml", "./content.xml") or path not in self.package:
            return None
        try:
            return self.package.xml(path)
        except DamagedError:
            return None

    def formula(self, root: XmlElement) -> tuple[str, str] | None:
        """`(text, LaTeX)` when the object is a formula."""
        for node in (root, *root.iter("{http://www.w3.org/1998/Math/MathML}math")):
            if node.tag == "{http://www.w3.org/1998/Math/MathML}math":
                text, latex = read_math(node)
                return (text, latex) if text else None
        return None
