"""An element (figure, table, equation, diagram, chart) shown by itself: its text, caption and what stands around it."""

import msgspec

from sidecar.api import EMBED_SCHEMES, Element, format_uri
from sidecar.toolkit.provenance import escape_frame_lines, escape_script_links
from sidecar.views.blocks.html import element as tag
from sidecar.views.blocks.html import join, page
from sidecar.views.blocks.markdown import flaw_remark
from sidecar.views.blocks.tables import json_text, uncertainty
from sidecar.views.inline import flat
from sidecar.views.sources import Origin


def render_element(element: Element, origin: Origin, part_kind: str, suffix: str) -> str:
    """An element for a suffix: "md", "txt", "html" or "json"."""
    renders = {"md": _markdown, "txt": _text, "html": _html, "json": _json}
    return renders[suffix](element, origin, part_kind)


def _markdown(element: Element, origin: Origin, part_kind: str) -> str:
    """Label, caption, LaTeX, text, context, and links to its picture, its data and the part it stands in."""
    pieces = [f"# {flat(element.label)}"]
    if element.caption:
        pieces.append(f"*{flat(element.caption)}*")
    if element.latex:
        pieces.append(f"$${element.latex}$$")
    if remark := _remark(element):
        pieces.append(f"*{remark}*")
    if element.text:
        pieces.append(element.text)
    if element.context:
        pieces.append("## Context\n\n" + element.context)
    links = "\n".join(f"- {name}: {uri}" for name, uri in _links(element, origin.doc, part_kind))
    return "\n\n".join([origin.markdown(), escape_frame_lines(escape_script_links("\n\n".join(pieces))), links])


def _text(element: Element, origin: Origin, part_kind: str) -> str:
    """The same without markup."""
    pieces = [element.label, element.caption, element.latex, _remark(element), element.text]
    if element.context:
        pieces.append(f"Context: {element.context}")
    pieces += [f"{name}: {uri}" for name, uri in _links(element, origin.doc, part_kind)]
    return "\n\n".join([origin.line(), *(escape_frame_lines(piece) for piece in pieces if piece)])


def _html(element: Element, origin: Origin, part_kind: str) -> str:
    """The same as a page."""
    body = [tag("p", origin.line(), class_="source"), tag("h1", element.label)]
    body += [tag("p", tag("em", element.caption))] if element.caption else []
    body += [tag("pre", element.latex)] if element.latex else []
    body += [tag("p", remark)] if (remark := _remark(element)) else []
    body += [tag("pre", element.text)] if element.text else []
    body += [tag("h2", "Context"), tag("p", element.context)] if element.context else []
    links = (tag("li", f"{name}: ", tag("a", uri, href=uri)) for name, uri in _links(element, origin.doc, part_kind))
    body.append(tag("ul", *links))
    return page(element.label, join(*body, between="\n"))


def _json(element: Element, origin: Origin, part_kind: str) -> str:
    """Everything known about it."""
    record: dict[str, object] = {"source": origin.record()} | msgspec.to_builtins(element)
    record["links"] = dict(_links(element, origin.doc, part_kind))
    return json_text(record)


def _remark(element: Element) -> str:
    """What is said of an element that may not be as the page shows it."""
    return uncertainty(element.confidence) or flaw_remark(element.flaw, "its picture")


def _links(element: Element, doc: str, part_kind: str) -> list[tuple[str, str]]:
    links: list[tuple[str, str]] = []
    if element.box is not None or element.embed is not None or part_kind in {"page", "slide"}:
        query = {"page": str(element.page)} if element.page is not None and element.generated else None
        links.append(("picture", format_uri("element", doc, element.label, suffix="png", query=query)))
    if element.embed is not None:
        kind, number = element.embed
        links.append(("data" if kind == "chart" else kind, format_uri(EMBED_SCHEMES[kind], doc, number)))
    if part_kind:
        links.append((part_kind, format_uri(part_kind, doc, element.part)))
    return links
