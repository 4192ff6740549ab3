"""Makes the pages of a diagram of draw.io (.drawio, diagrams.net) and the layers of one of Dia (.dia) headings and
paragraphs of HTML: the words of each shape, and of each connector with what it leads from and to."""

import base64
import binascii
import zlib
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from sidecar.toolkit.markup.html import parse_html
from sidecar.toolkit.xml import XmlElement, etree, parse_xml, words_of

_MAX_BYTES: Final = 64 * 2**20
"""Bytes that a page's compressed drawing may unpack to."""


def drawio_as_html(root: XmlElement, name: str) -> XmlElement:
    """A body with a heading a page. Raises DamagedError."""
    body = etree.Element("body")
    pages = list(root.iter("diagram")) or [root]
    for page in pages:
        if page.get("name"):
            etree.SubElement(body, "h1").text = page.get("name")
        model = next(page.iter("mxGraphModel"), None)
        if model is None:
            model = _unpacked(page.text or "", name)
        if model is not None:
            _shapes(model, body, name)
    return body


def _unpacked(text: str, name: str) -> XmlElement | None:
    """The drawing of a page that is kept compressed: URL encoding, deflate, base64. None where it is none."""
    try:
        raw = zlib.decompressobj(-15).decompress(base64.b64decode(text.strip(), validate=True), _MAX_BYTES)
    except (binascii.Error, ValueError, zlib.error):
        return None
    return parse_xml(unquote(raw.decode("utf-8", "replace")).encode(), name) if raw else None


def _shapes(model: XmlElement, body: XmlElement, name: str) -> None:
    labels: dict[str, str] = {}
    lines: list[tuple[XmlElement, str]] = []
    for cell in model.iter("mxCell"):
        holder: XmlElement = cell.getparent()
        is_held = holder is not None and holder.tag in ("UserObject", "object")
        own: XmlElement = holder if is_held else cell
        text = plain_label(own.get("label") or own.get("value") or cell.get("value") or "", name)
        more = [
            f"{key}: {value}"
            for key, value in own.attrib.items()
            if is_held and key not in ("label", "id", "placeholders")
        ]
        label = "; ".join(filter(None, (text, *more)))
        labels[own.get("id") or cell.get("id") or ""] = text
        if cell.get("edge") == "1":
            lines.append((cell, label))
        elif label:
            etree.SubElement(body, "p").text = label
    for cell, label in lines:
        ends = [labels.get(cell.get(end, ""), "") for end in ("source", "target")]
        if label or all(ends):
            leads = f"{ends[0]} → {ends[1]}" if all(ends) else ""
            etree.SubElement(body, "p").text = ": ".join(filter(None, (leads, label)))


def plain_label(label: str, name: str) -> str:
    """The words of a label, which may be HTML."""
    if "<" not in label and "&" not in label:
        return " ".join(label.split())
    tree = parse_html(label.replace("<br", " <br").replace("</div", " </div"), name)
    return words_of(tree)


def dia_as_html(root: XmlElement) -> XmlElement:
    """A body with a heading a layer that has a name. Elements go by their local names."""
    body = etree.Element("body")
    labels: dict[str, str] = {}
    for layer in root.iterchildren("layer"):
        if layer.get("name"):
            etree.SubElement(body, "h1").text = layer.get("name")
        lines: list[tuple[XmlElement, str]] = []
        for shape in layer.iter("object"):
            label = "; ".join(_dia_strings(shape))
            labels[shape.get("id", "")] = label
            if shape.find("connections") is not None:
                lines.append((shape, label))
            elif label:
                etree.SubElement(body, "p").text = label
        for line, label in lines:
            ends = [labels.get(one.get("to", ""), "").partition(";")[0] for one in line.iterfind("connections/*")]
            leads = f"{ends[0]} → {ends[-1]}" if len(ends) > 1 and all(ends) else ""
            if leads or label:
                etree.SubElement(body, "p").text = ": ".join(filter(None, (leads, label)))
    return body


def _dia_strings(shape: XmlElement) -> Iterator[str]:
    """The texts of a shape; those of one attribute or operation of a class together. They stand between "#"."""
    for attribute in shape.iterchildren("attribute"):
        if attribute.get("name") == "file":  # where a picture lies
            continue
        for one in attribute:
            texts = [(string.text or "").strip() for string in one.iter("string")]
            shown = [" ".join(text.removeprefix("#").removesuffix("#").split()) for text in texts]
            if any(shown):
                yield ": ".join(filter(None, shown))
