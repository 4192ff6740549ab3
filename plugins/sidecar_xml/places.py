"""Makes headings and lists of HTML of places and ways: KML (OGC 2.3) and GPX 1.1. What they are called, what is said of
them and where single points lie; the points of lines are left out."""

from collections.abc import Iterator
from typing import Final

from sidecar.toolkit.xml import XmlElement, etree
from sidecar_xml.diagrams import plain_label

_GROUPS: Final = frozenset(("Document", "Folder"))
_FEATURES: Final = frozenset(("Placemark", "GroundOverlay", "PhotoOverlay", "ScreenOverlay", "NetworkLink", "Tour"))
_TEXTS: Final = ("description", "Snippet", "address", "phoneNumber")
_MAX_DEPTH: Final = 6
_FACTS: Final = {"name": "title", "desc": "description", "time": "created", "keywords": "keywords"}


def kml_as_html(root: XmlElement, name: str) -> XmlElement:
    """A heading a folder, an item a place."""
    body = etree.Element("body")
    pending = [(child, 1) for child in reversed(root)]
    while pending:
        node, depth = pending.pop()
        if node.tag in _GROUPS:
            title = _text(node, "name", name)
            if title:
                etree.SubElement(body, f"h{min(depth, _MAX_DEPTH)}").text = title
            description = _text(node, "description", name)
            if description:
                etree.SubElement(body, "p").text = description
            pending += [(child, depth + bool(title)) for child in reversed(node)]
        elif node.tag in _FEATURES:
            _item(body, "; ".join(_feature(node, name)))
    return body


def _feature(node: XmlElement, name: str) -> Iterator[str]:
    """What is told of a place: its name and where it is, the rest after that."""
    where = _point(node.findtext("Point/coordinates") or "")
    title = _text(node, "name", name)
    yield from filter(None, (f"{title} ({where})" if title and where else title or where,))
    yield from filter(None, (_text(node, tag, name) for tag in _TEXTS))
    for data in node.iterfind("ExtendedData//Data"):
        value = _text(data, "value", name)
        if value:
            yield f"{_text(data, 'displayName', name) or data.get('name', '')}: {value}"
    for data in node.iterfind("ExtendedData//SimpleData"):
        if data.text and data.text.strip():
            yield f"{data.get('name', '')}: {plain_label(data.text, name)}"
    times = [node.findtext(path) or "" for path in ("TimeStamp/when", "TimeSpan/begin", "TimeSpan/end")]
    if any(times):
        yield " – ".join(filter(None, times))


def gpx_as_html(root: XmlElement, name: str) -> XmlElement:
    """An item a waypoint, a heading a route or track with what is said of it."""
    body = etree.Element("body")
    for point in root.iterchildren("wpt"):
        _item(body, _waypoint(point, name))
    for way in root.iterchildren("rte", "trk"):
        etree.SubElement(body, "h2").text = _text(way, "name", name) or ("Route" if way.tag == "rte" else "Track")
        facts = [_text(way, field, name) for field in ("desc", "cmt", "type")]
        points = list(way.iter("rtept", "trkpt"))
        times = [time for point in points[:1] + points[-1:] if (time := point.findtext("time"))]
        count = f"{len(points):,} point" + ("s" if len(points) != 1 else "")
        facts += [count, " – ".join(dict.fromkeys(times))]
        etree.SubElement(body, "p").text = "; ".join(filter(None, facts))
        for point in way.iterchildren("rtept"):
            if point.find("name") is not None:
                _item(body, _waypoint(point, name))
    return body


def gpx_facts(root: XmlElement) -> dict[str, str]:
    """What the file says of itself."""
    found = {ours: " ".join((root.findtext(f"metadata/{theirs}") or "").split()) for theirs, ours in _FACTS.items()}
    found["author"] = " ".join((root.findtext("metadata/author/name") or "").split())
    return {key: value for key, value in found.items() if value}


def _waypoint(point: XmlElement, name: str) -> str:
    where = f"{point.get('lat', '')}, {point.get('lon', '')}"
    facts = [_text(point, field, name) for field in ("desc", "cmt", "type")]
    height = point.findtext("ele")
    facts += [f"{height.strip()} m" if height else "", point.findtext("time") or ""]
    return "; ".join(filter(None, (f"{_text(point, 'name', name)} ({where})".strip(), *dict.fromkeys(facts))))


def _text(node: XmlElement, field: str, name: str) -> str:
    return plain_label(node.findtext(field) or "", name)


def _point(coordinates: str) -> str:
    """Latitude and longitude of a single point, which are written the other way round."""
    parts = coordinates.strip().split(",")
    return f"{parts[1].strip()}, {parts[0].strip()}" if 2 <= len(parts) <= 3 else ""


def _item(body: XmlElement, text: str) -> None:
    """An item of the list that ends the body, which may begin with it."""
    last = next(body.iterchildren(reversed=True), None)
    if last is None or last.tag != "ul":
        last = etree.SubElement(body, "ul")
    if text:
        etree.SubElement(last, "li").text = text
