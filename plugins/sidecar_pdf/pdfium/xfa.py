"""What a dynamic form says that is XML and no page (XML Forms Architecture 3.3; ISO 32000-1, 12.7.8): the words of its
template and the values of its data. Viewers without XFA show a page that asks to wait."""

from collections import defaultdict
from collections.abc import Iterator

from sidecar.api import FormatError
from sidecar.toolkit.text import without_surrogates
from sidecar.toolkit.xml import XmlElement, local_name, parse_xml
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.pages import Opened

_MAX_BYTES = 32 << 20
_MAX_LINES = 5_000
_BREAKS = frozenset(("p", "br", "li", "div"))
_STATIC, _GROUP = "draw", "exclGroup"
_FIELDS = frozenset(("field", _GROUP))


def read_xfa(document: Opened) -> list[str]:
    """The lines of the form in the order of its template, fields as "caption: value", then values no field is for;
    empty where the document has no such form, or a broken one."""
    packets: dict[str, bytes] = {}
    for index in range(raw.xfa_packets(document.handle)):
        name = raw.octets(raw.xfa_packet_name, document.handle, index).rstrip(b"\0").decode("utf-8", "replace")
        if name in {"template", "datasets"}:
            packets[name] = raw.octets_written(raw.xfa_packet, document.handle, index, _MAX_BYTES)
    try:
        template, data = (
            parse_xml(packets[name], f"the form's {name}") if packets.get(name) else None
            for name in ("template", "datasets")
        )
    except FormatError:
        return []
    values: dict[str, list[str]] = defaultdict(list)
    for node in data.iter() if data is not None else ():
        text = _words([node.text or ""])
        if text and not len(node):
            values[local_name(node)].append(text)
    lines = list(_template_lines(template, values)) if template is not None else []
    lines += [f"{name}: {text}" for name, left in values.items() for text in left]
    return lines[:_MAX_LINES]


def _template_lines(template: XmlElement, values: dict[str, list[str]]) -> Iterator[str]:
    """The lines of drawn text and of fields; takes the fields' values out of `values`."""
    buttons: list[XmlElement] = []
    for node in template.iter():
        kind = local_name(node)
        if kind == _STATIC:
            text = _text_of(node)
            if text:
                yield text
        elif kind in _FIELDS and not any(node is button for button in buttons):
            name = str(node.get("name") or "")
            caption = _caption(node)
            waiting = values.get(name, [])
            value = waiting.pop(0) if waiting else ""
            own = [child for child in node if local_name(child) == "field"] if kind == _GROUP else []
            if own:
                buttons += own
                yield from (f"{caption}:",) if caption else ()
                yield from (_marked(child, _caption(child), value) for child in own)
            elif _is_mark(node):
                yield _marked(node, caption or name, value)
            elif caption or name or value:
                yield f"{(caption or name).rstrip(':')}: {_shown(node, value)}".rstrip()


def _caption(node: XmlElement) -> str:
    return " ".join(_text_of(child) for child in node if local_name(child) == "caption")


def _is_mark(node: XmlElement) -> bool:
    """Whether a field is a box or circle to tick."""
    return any(local_name(inner) == "checkButton" for child in node if local_name(child) == "ui" for inner in child)


def _items(node: XmlElement) -> list[list[str]]:
    """The texts of each list of a field: what is shown, and what is saved for it (XFA 3.3, items)."""
    lists = sorted(
        (child for child in node if local_name(child) == "items"), key=lambda child: child.get("save") == "1"
    )
    return [[_words([str(text) for text in entry.itertext()]) for entry in child] for child in lists]


def _marked(node: XmlElement, caption: str, value: str) -> str:
    """A box or circle to tick with its caption: its first item is what a ticked one has as its value."""
    items = _items(node)
    on = items[0][0] if items and items[0] else "1"
    return f"{'[x]' if value == on else '[ ]'} {caption or on}".rstrip()


def _shown(node: XmlElement, value: str) -> str:
    """What is shown for the value of a list."""
    items = _items(node)
    return dict(zip(items[1], items[0], strict=False)).get(value, value) if len(items) > 1 else value


def _text_of(node: XmlElement) -> str:
    """The words of a `value`: plain or rich text."""
    pieces: list[str] = []
    for child in node.iter():
        if local_name(child) in {"text", "exData"}:
            for paragraph in child.iter():
                if local_name(paragraph) in _BREAKS:
                    paragraph.tail = f" {paragraph.tail or ''}"
            pieces.append("".join(child.itertext()))
    return _words(pieces)


def _words(pieces: list[str]) -> str:
    return without_surrogates(" ".join(" ".join(pieces).split()))
