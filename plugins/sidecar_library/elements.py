"""The tools that show: an element's picture and details, a page's picture."""

from typing import Annotated, Any

from pydantic import Field

from sidecar.api import Call, ElementInfo, Image, NotFoundError, Payload, Result, Text, Tool, UnavailableError
from sidecar.api.uris import EMBED_SCHEMES, format_uri
from sidecar.toolkit.answers.budget import ENVELOPE_TOKENS, abridge, json_tokens, picture_side, shorten
from sidecar.toolkit.answers.budget import text_tokens as cost_of_text
from sidecar.toolkit.settings import ToolArguments
from sidecar_library.schemas import PageNumber, Slug

_DRAWN_NAME = "drawn-from-text.png"
"""The name of a picture that was set from an element's text, because its file has none of it."""
_PICTURE_FRAME = ENVELOPE_TOKENS + 80
"""The blocks' own JSON and a remark on size."""
_BEGINNING = 160
"""Characters of an element's own text where nothing else tells what it shows: the head and a row or two of a table."""


class GetElement(ToolArguments):
    """Arguments of the element tools."""

    document_slug: Slug
    element_label: Annotated[str, Field(min_length=1, description='such as "Figure 8-1"')]
    page_number: Annotated[int | None, Field(ge=1)] = None


class GetPageImage(ToolArguments):
    """Arguments of `get_page_image`."""

    document_slug: Slug
    page_number: PageNumber


def element_fields(element: ElementInfo) -> dict[str, object]:
    """An element as a search result: what it is, where it is, and enough to ask for it. Where neither a caption nor
    the text around tells what it shows, how its own text begins does."""
    entry: dict[str, object] = {
        "document_slug": element.document_slug, "doc_id": element.doc_id, "element_label": element.label,
        "element_type": element.type, "page": element.page, "uri": element.uri,
        "caption": shorten(element.caption, 300), "context": _context_of(element),
    }  # fmt: skip
    if not (entry["caption"] or entry["context"]):
        entry["text"] = shorten(_row_by_row(element.text), _BEGINNING)
    return {key: value for key, value in entry.items() if value not in (None, "")}


async def get_element_image(call: Call, arguments: GetElement) -> Result:
    """Caption and picture of an element."""
    library = call.services.library
    element = await library.element(arguments.document_slug, arguments.element_label, arguments.page_number)
    uri = _picture_uri(element)
    fields = abridge({**element_fields(element), "picture": uri}, call.budget * 2 // 3, frame=_cut(element))
    about = _describe(element, call.budget // 3)
    try:
        picture, remark = await _picture(call, uri, cost_of_text(about) + json_tokens(fields))
    except UnavailableError as error:
        # What is known of it answers better than an error, and `read` of its URI is the next step.
        remark = str(error)
        fields = {**fields, "picture": None, "remark": remark}
        known = {key: value for key, value in fields.items() if value is not None}
        return Result((Text(f"{about}\nNo picture: {remark}"),), known)
    if picture.name == _DRAWN_NAME:
        remark = f"Drawn from its text, since {element.document_slug} has no picture of it. {remark}".strip()
    if remark:
        about, fields = f"{about}\n{remark}", {**fields, "remark": remark}
    return Result((Text(about), Image(picture.data, picture.media_type, uri)), fields)


async def get_element_details(call: Call, arguments: GetElement) -> Result:
    """Everything known about an element, without its picture."""
    library = call.services.library
    element = await library.element(arguments.document_slug, arguments.element_label, arguments.page_number)
    structured = element_fields(element) | {
        "caption": element.caption, "part": element.part,
        "part_uri": format_uri(element.part_kind, element.document_slug, element.part), "box": element.box,
        "text": element.text, "latex": element.latex, "label_is_generated": element.generated or None,
        "confidence": element.confidence if element.type == "table" else None, "flaw": element.flaw,
        "picture": _picture_uri(element), "embedded": _embedded_uri(element),
    }  # fmt: skip
    known = {key: value for key, value in structured.items() if value not in (None, "")}
    whole = ("box", "embedded", "picture")
    return Result(structured=abridge(known, call.budget, whole=whole, frame=_cut(element), paid=call.paid))


async def get_page_image(call: Call, arguments: GetPageImage) -> Result:
    """One page or slide as a picture. Raises NotFoundError, UnavailableError."""
    library = call.services.library
    info = await library.document(arguments.document_slug)
    if info.part_kind in ("page", "slide") and arguments.page_number > info.parts:
        kind = info.part_kind
        raise NotFoundError(f"{info.slug} has {info.parts} {kind}s; there is no {kind} {arguments.page_number}.")
    scheme = "slide" if info.part_kind == "slide" else "page"
    uri = format_uri(scheme, info.slug, arguments.page_number, suffix="png")
    total = f" of {info.parts}" if info.part_kind in ("page", "slide") else ""
    name = scheme.capitalize()
    text = f"{name} {arguments.page_number}{total} of {shorten(info.title or info.name, 120)} ({info.slug}). {uri}"
    fields: dict[str, object] = {"document_slug": info.slug, "page": arguments.page_number, "uri": uri}
    if total:
        fields["pages"] = info.parts
    try:
        picture, remark = await _picture(call, uri, cost_of_text(text) + json_tokens(fields))
    except UnavailableError as error:
        if "://" in str(error):
            raise
        part = [arguments.page_number] if total else []
        read = format_uri(scheme if part else "document", info.slug, *part, suffix="" if part else "md")
        raise UnavailableError(f"{error} Its text is at {read}.") from error
    if remark:
        text, fields = f"{text}\n{remark}", {**fields, "remark": remark}
    return Result((Text(text), Image(picture.data, picture.media_type, uri)), fields)


async def _picture(call: Call, uri: str, spent: int) -> tuple[Payload, str]:
    """The picture, no larger than what the budget leaves after `spent` tokens, and a remark on how it was
    made, or that it had to shrink."""
    library = call.services.library
    room = call.budget - spent - cost_of_text(uri) - _PICTURE_FRAME
    side = picture_side(room)
    if not side:
        picture = await library.picture(uri)
        return picture, picture.note
    picture = await library.picture(f"{uri}{'&' if '?' in uri else '?'}size={side}")
    smaller = "Made smaller to fit the budget." if max(picture.width, picture.height) >= side else ""
    return picture, " ".join(filter(None, (picture.note, smaller)))


def _cut(element: ElementInfo) -> dict[str, str]:
    return {"remark": f"Long texts are cut to fit the budget; read {element.uri} for all of it."}


def _embedded_uri(element: ElementInfo) -> str:
    """Where the chart's data or the picture's own bytes are read, "" where it has none."""
    if element.embed is None:
        return ""
    kind, number = element.embed
    return format_uri(EMBED_SCHEMES[kind], element.document_slug, number)


def _row_by_row(text: str) -> str:
    """The text of a table or chart with its rows and cells in one line."""
    rows = (" | ".join(filter(None, map(str.strip, row.split("\t")))) for row in text.splitlines())
    return "; ".join(filter(None, rows))


def _context_of(element: ElementInfo) -> str:
    """The text around it, "" where that only says the caption again."""
    words = " ".join(element.context.split()).strip(" .[]()")
    return "" if words in " ".join(element.caption.split()) else element.context


def _picture_uri(element: ElementInfo) -> str:
    """The URI of an element's picture; the page settles a label that occurs more than once."""
    query = {"page": str(element.page)} if element.page else None
    return format_uri("element", element.document_slug, element.label, suffix="png", query=query)


def _describe(element: ElementInfo, tokens: int) -> str:
    """What is known of an element, in lines, for at most `tokens`."""
    place = f", page {element.page}" if element.page else ""
    text = ""
    for chars in (1000, 500, 250, 120, 60, 0):
        lines = [f"{element.label} ({element.type}) of {element.document_slug}{place}", element.uri]
        if chars:
            lines.insert(1, shorten(element.caption, chars))
            if context := _context_of(element):
                lines.append(f"Context: {shorten(context, chars)}")
            if element.latex:
                lines.append(f"LaTeX: {shorten(element.latex, chars)}")
        text = "\n".join(filter(None, lines))
        if cost_of_text(text) <= tokens:
            break
    return text


ELEMENT_TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "get_element_image", "Show an element", "Picture, caption and context of a figure, table, equation or chart.",
        GetElement, get_element_image, in_app=True,
    ),
    Tool(
        "get_element_details", "Describe an element", "Caption, context, text and LaTeX of an element, no picture.",
        GetElement, get_element_details,
    ),
    Tool("get_page_image", "Show a page", "A page or slide as a picture.", GetPageImage, get_page_image),
)  # fmt: skip
