"""What controls of forms show in OpenDocument (ODF 1.3 part 3, §13): labels, what is filled in, and what is chosen."""

from collections.abc import Mapping
from typing import Final

from sidecar.api import Note
from sidecar.toolkit.xml import XmlElement, local_name, outermost

_BASE = "{urn:oasis:names:tc:opendocument:xmlns:"
_FORM, _TEXT, _DRAW = (f"{_BASE}{name}:1.0}}" for name in ("form", "text", "drawing"))
_BOXES: Final = frozenset(("checkbox", "radio"))
_LISTS: Final = frozenset(("listbox", "combobox"))
_UNSEEN: Final = frozenset(("hidden", "form", "properties", "password"))
_MAX_OPTIONS: Final = 100


def index_controls(root: XmlElement) -> dict[str, XmlElement]:
    """The controls of all forms by the ids that shapes call them by."""
    found: dict[str, XmlElement] = {}
    for form in root.iter(f"{_FORM}form"):
        for node in form.iter():
            name = node.get(f"{_FORM}id") or node.get("{http://www.w3.org/XML/1998/namespace}id") or ""
            if name and isinstance(node.tag, str) and node.tag.startswith(_FORM):
                found[name] = node
    return found


def control_note(shape: XmlElement, controls: Mapping[str, XmlElement], page: int | None) -> Note | None:
    """The control that a shape stands for, None where it shows no words."""
    control = controls.get(shape.get(f"{_DRAW}control", ""))
    if control is None or local_name(control) in _UNSEEN:
        return None
    text = _control_text(control).strip()
    return Note(kind="form", text=text, target=control.get(f"{_FORM}name", ""), page=page) if text else None


def _control_text(control: XmlElement) -> str:
    kind, label = local_name(control), control.get(f"{_FORM}label") or ""
    if kind in _BOXES:
        state = control.get(f"{_FORM}current-state") or control.get(f"{_FORM}state") or ""
        is_set = state == "checked" or control.get(f"{_FORM}current-selected") == "true"
        return f"{'☑' if is_set else '☐'} {label}" if label else ""
    if kind in _LISTS:
        options = [(one.get(f"{_FORM}label") or "", one.get(f"{_FORM}current-selected") == "true") for one in control]
        chosen = [name for name, is_chosen in options if is_chosen]
        value = control.get(f"{_FORM}current-value") or ""
        return value or ", ".join(filter(None, chosen or [name for name, _ in options[:_MAX_OPTIONS]]))
    filled = control.get(f"{_FORM}current-value") or control.get(f"{_FORM}value") or ""
    lines = "\n".join("".join(line.itertext()) for line in outermost(control, f"{_TEXT}p"))
    return "\n".join(dict.fromkeys(filter(None, (label, filled, lines))))
