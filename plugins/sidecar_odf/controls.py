"""What controls of forms show (ODF 1.3 part 3, §13): labels, what is filled in, and what is chosen."""

from typing import Final

from sidecar.api import Note
from sidecar.toolkit.xml import XmlElement, local_name
from sidecar_odf.names import DRAW, FORM, TEXT

_BOXES: Final = frozenset(("checkbox", "radio"))
_LISTS: Final = frozenset(("listbox", "combobox"))
_UNSEEN: Final = frozenset(("hidden", "form", "properties", "password"))
_MOST_OPTIONS: Final = 100


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
    text = _shown(control).strip()
    return Note(kind="form", text=text, target=control.get(f"{FORM}name", ""), page=page) if text else None


def _shown(control: XmlElement) -> str:
    kind, label = local_name(control), control.get(f"{FORM}label") or ""
    if kind in _BOXES:
        state = control.get(f"{FORM}current-state") or control.get(f"{FORM}state") or ""
        is_set = state == "checked" or control.get(f"{FORM}current-selected") == "true"
        return f"{'☑' if is_set else '☐'} {label}" if label else ""
    if kind in _LISTS:
        options = [(one.get(f"{FORM}label") or "", one.get(f"{FORM}current-selected") == "true") for one in control]
        chosen = [name for name, is_chosen in options if is_chosen]
        value = control.get(f"{FORM}current-value") or ""
        return value or ", ".join(filter(None, chosen or [name for name, _ in options[:_MOST_OPTIONS]]))
    filled = control.get(f"{FORM}current-value") or control.get(f"{FORM}value") or ""
    lines = "\n".join("".join(line.itertext()) for line in control.iter(f"{TEXT}p"))
    return "\n".join(dict.fromkeys(filter(None, (label, filled, lines))))
