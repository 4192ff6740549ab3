"""The tools that search: `search_documents` and `search_visual_elements`."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from sidecar.api import Call, ElementType, Result, Tool, UsageError
from sidecar.api.budget import fit_texts
from sidecar_library.arguments import Arguments, Limit
from sidecar_library.elements import element_fields


class Search(Arguments):
    """Arguments of `search_documents`."""

    query: str = Field(description='words, "phrase", -word, type:pdf, path:x, after:2024-01-31')
    limit: Limit = 10
    document_slug: str | None = None


class SearchElements(Arguments):
    """Arguments of `search_visual_elements`."""

    query: str
    element_type: ElementType | None = None
    limit: Limit = 10
    document_slug: str | None = None


async def search_documents(call: Call, arguments: Search) -> Result:
    """Search the text of all documents."""
    _need_words(arguments.query)
    library = call.services.library
    answer = await library.search(arguments.query, arguments.limit, arguments.document_slug)
    hits: list[dict[str, Any]] = []
    for hit in answer.hits:
        entry: dict[str, Any] = {
            "document_slug": hit.document_slug,
            "doc_id": hit.doc_id,
            "uri": hit.uri,
            "title": hit.title,
        }
        if hit.element_label:
            entry["element_label"] = hit.element_label
        if hit.page:
            entry["page"] = hit.page
        hits.append(entry | {"snippet": hit.snippet, "score": round(hit.score, 4)})
    fitting = fit_texts(hits, "snippet", call.budget)
    structured: dict[str, Any] = {"results": fitting, "mode": answer.mode}
    _add_remarks(structured, len(hits) - len(fitting), answer.remark, await library.progress())
    if not hits and "remark" not in structured:
        structured["remark"] = "Nothing found; try fewer or other words, or find_document for a name."
    return Result(structured=structured)


async def search_visual_elements(call: Call, arguments: SearchElements) -> Result:
    """Search figures, tables, equations, diagrams and charts by what they show."""
    _need_words(arguments.query)
    library = call.services.library
    found = await library.search_elements(
        arguments.query, arguments.element_type, arguments.limit, arguments.document_slug
    )
    entries = [element_fields(element) | {"score": round(element.score, 4)} for element in found]
    fitting = fit_texts(entries, "context", call.budget)
    structured: dict[str, Any] = {"results": fitting}
    _add_remarks(structured, len(entries) - len(fitting), "", await library.progress())
    if not entries and "remark" not in structured:
        structured["remark"] = "No element found; try other words, or leave out element_type."
    return Result(structured=structured)


def _need_words(query: str) -> None:
    if not query.strip():
        raise UsageError("query is empty; say what to look for.")


def _add_remarks(structured: dict[str, Any], omitted: int, *remarks: str) -> None:
    if omitted:
        structured["omitted"] = omitted
    remark = " ".join(filter(None, remarks))
    if remark:
        structured["remark"] = remark


SEARCH_TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "search_documents",
        "Search documents",
        "Search the text of the user's documents. Results carry URIs to read and cite.",
        Search,
        search_documents,
    ),
    Tool(
        "search_visual_elements",
        "Search figures, tables, charts",
        "Find figures, tables, equations, diagrams and charts by caption, content and context.",
        SearchElements,
        search_visual_elements,
    ),
)
