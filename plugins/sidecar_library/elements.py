"""The tools that show: an element's picture and details, a page's picture."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from sidecar.api import Call, ElementInfo, Image, NotFoundError, Result, Text, Tool, UnavailableError, format_uri
from sidecar.api.budget import shorten
from sidecar_library.arguments import Arguments, PageNumber, Slug


class Element(Arguments):
    """Arguments of the element tools."""

    document_slug: Slug
    element_label: Annotated[str, Field(min_length=1, description='such as "Figure 8-1"')]
    page_number: Annotated[int | None, Field(ge=1)] = None


class Page(Arguments):
    """Arguments of `get_page_image`."""

    document_slug: Slug
    page_number: PageNumber


def element_fields(element: ElementInfo) -> dict[str, Any]:
    """An element as a search result: what it is, where it is, and enough to ask for it."""
    entry: dict[str, Any] = {
        "document_slug": element.document_slug,
        "doc_id": element.doc_id,
        "element_label": element.label,
        "element_type": element.type,
        "page": element.page,
        "uri": element.uri,
        "caption": shorten(element.caption, 300),
        "context": element.context,
    }
    return {key: value for key, value in entry.items() if value not in (None, "")}


async def get_element_image(call: Call, arguments: Element) -> Result:
    """Caption and picture of an element."""
    library = call.services.library
    element = await library.element(arguments.document_slug, arguments.element_label, arguments.page_number)
    about = Text(_describe(element))
    uri = picture_uri(element)
    try:
        picture = await library.picture(uri)
    except UnavailableError as error:
        raise UnavailableError(f"{error} What is known of it without a picture: {about.text}") from error
    return Result((about, Image(picture.data, picture.media_type, uri)), {**element_fields(element), "picture": uri})


async def get_element_details(call: Call, arguments: Element) -> Result:
    """Everything known about an element, without its picture."""
    library = call.services.library
    element = await library.element(arguments.document_slug, arguments.element_label, arguments.page_number)
    room = max(call.budget, 1000)  # characters: a quarter of the budget in tokens, twice (text and structured)
    structured = element_fields(element) | {
        "part": element.part,
        "part_uri": format_uri(element.part_kind, element.document_slug, element.part),
        "box": element.box,
        "text": shorten(element.text, room),
        "latex": shorten(element.latex, room // 2),
        "label_is_generated": element.generated or None,
        "picture": picture_uri(element),
    }
    return Result(structured={key: value for key, value in structured.items() if value not in (None, "")})


async def get_page_image(call: Call, arguments: Page) -> Result:
    """One page or slide as a picture."""
    library = call.services.library
    info = await library.document(arguments.document_slug)
    if info.part_kind in ("page", "slide") and arguments.page_number > info.parts:
        kind = info.part_kind
        raise NotFoundError(f"{info.slug} has {info.parts} {kind}s; there is no {kind} {arguments.page_number}.")
    scheme = "slide" if info.part_kind == "slide" else "page"
    uri = format_uri(scheme, info.slug, arguments.page_number, suffix="png")
    picture = await library.picture(uri)
    total = f" of {info.parts}" if info.part_kind in ("page", "slide") else ""
    name = scheme.capitalize()
    text = f"{name} {arguments.page_number}{total} of {info.title or info.name} ({info.slug}). {uri}"
    fields: dict[str, Any] = {"document_slug": info.slug, "page": arguments.page_number, "uri": uri}
    if total:
        fields["pages"] = info.parts
    return Result((Text(text), Image(picture.data, picture.media_type, uri)), fields)


def picture_uri(element: ElementInfo) -> str:
    """The URI of an element's picture; the page settles a label that occurs more than once."""
    query = {"page": str(element.page)} if element.page else None
    return format_uri("element", element.document_slug, element.label, suffix="png", query=query)


def _describe(element: ElementInfo) -> str:
    place = f", page {element.page}" if element.page else ""
    lines = [f"{element.label} ({element.type}) of {element.document_slug}{place}", element.caption, element.uri]
    if element.context and element.context != element.caption:
        lines.append(f"Context: {element.context}")
    if element.latex:
        lines.append(f"LaTeX: {shorten(element.latex, 1000)}")
    return "\n".join(filter(None, lines))


ELEMENT_TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "get_element_image",
        "Show an element",
        "Picture, caption and context of a figure, table, equation or chart.",
        Element,
        get_element_image,
    ),
    Tool(
        "get_element_details",
        "Describe an element",
        "Caption, context, text and LaTeX of an element, no picture.",
        Element,
        get_element_details,
    ),
    Tool("get_page_image", "Show a page", "A page or slide as a picture.", Page, get_page_image),
)
