"""Small marks around text: bookmarks as anchors, and what content controls offer besides what they show."""

from __future__ import annotations

from sidecar.api.model import Note
from sidecar.toolkit.xml import XmlElement
from sidecar_docx.names import VAL, W


def better_anchor(now: str, name: str) -> str:
    """Of two bookmarks at one place, the one a person named (Word's own begin with an underscore)."""
    if not name or name == "_GoBack":
        return now
    return name if not now or (now.startswith("_") and not name.startswith("_")) else now


def form_note(properties: XmlElement) -> Note | None:
    """What a drop-down content control offers, as a note; its chosen value is in the text already (§17.5.2.15)."""
    for kind in ("dropDownList", "comboBox"):
        node = properties.find(W + kind)
        if node is None:
            continue
        items = [item.get(f"{W}displayText") or item.get(VAL, "") for item in node.iterchildren(f"{W}listItem")]
        title = properties.find(f"{W}alias")
        if title is None:
            title = properties.find(f"{W}tag")
        items = [item for item in items if item]
        if items:
            return Note(kind="form", text=", ".join(items), target=title.get(VAL, "") if title is not None else "")
    return None
