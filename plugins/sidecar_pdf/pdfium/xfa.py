"""What a dynamic form says that is XML and no page (XML Forms Architecture 3.3; ISO 32000-1, 12.7.8): the words of its
template and the values of its data. Viewers without XFA show a page that asks to wait."""

from __future__ import annotations

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
_STATIC, _FIELDS = "draw", frozenset(("field", "exclGroup"))


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
    for node in template.iter():
        kind = local_name(node)
        if kind == _STATIC:
            text = _text_of(node)
            if text:
                yield text
        elif kind in _FIELDS:
            name = str(node.get("name") or "")
            caption = " ".join(_text_of(child) for child in node if local_name(child) == "caption") or name
            waiting = values.get(name, [])
            value = waiting.pop(0) if waiting else ""
            if caption or value:
                yield f"{caption.rstrip(':')}: {value}".rstrip()


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
