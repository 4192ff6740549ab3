"""The tools about whole documents: list, find, describe, the library's status, and indexing one file now."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from pydantic import Field

from sidecar.api import (
    Call,
    DocumentInfo,
    DocumentPage,
    Narrowing,
    Result,
    SortKey,
    Text,
    Tool,
    UsageError,
    format_uri,
    slugify,
)
from sidecar.toolkit.answers.budget import abridge, fit_texts, next_start, shorten
from sidecar.toolkit.settings import Start, ToolArguments
from sidecar_library.records import brief, context_lines, document_line, fitted, folder_record, full
from sidecar_library.schemas import DOCUMENT, STATUS, Limit, PageNumber, Slug, check_start

_MAX_LISTED = 500
"""`list_documents` looks at no more; `list_documents_paginated` reaches them all."""

_MAX_PAGE_SIZE = 100
_MAX_ATTACHED = 100
"""How many attachments are looked at for one that is read as text."""
_ROOT, _ENDING = 4, 3
"""Letters at least that the forms of a word of a name have in common, which are all but so many at its end."""
_TABLES = 10
"""Tables of a document that its record names."""


_MAX_UNREAD = 50
"""Files that could not be read, a page of them."""


class Filtered(ToolArguments):
    """Arguments of `list_documents`."""

    folder: Annotated[str | None, Field(description="part of the path")] = None
    type: Annotated[str | None, Field(description="pdf")] = None
    state: Annotated[str | None, Field(description="damaged")] = None
    changed_since: Annotated[str | None, Field(description="yesterday, 2024-01-31")] = None


class Paginated(Filtered):
    """Arguments of `list_documents_paginated`."""

    page: PageNumber = 1
    page_size: Annotated[int, Field(ge=1, le=_MAX_PAGE_SIZE)] = 20
    sort_by: SortKey = "title"
    start: Start = 0


class FindDocument(ToolArguments):
    """Arguments of `find_document`."""

    query: str = Field(min_length=1, description="part of a name or title")
    limit: Limit = 10
    start: Start = 0


class Status(ToolArguments):
    """Arguments of `get_library_status`."""

    start: Start = 0


class GetDocumentInfo(ToolArguments):
    """Arguments of `get_document_info`."""

    document_slug: Slug


class IndexFile(ToolArguments):
    """Arguments of `index_document`."""

    file_path: str = Field(min_length=1, description="a file in a watched folder")


async def list_documents(call: Call, arguments: Filtered) -> Result:
    """List documents by title, as many as the budget allows."""
    sort: SortKey = "title" if arguments.changed_since is None else "modified"
    answer = await _page(call, arguments, 1, _MAX_LISTED, sort)
    frame: dict[str, Any] = {"total": answer.total} | await contexts_of(call, [one.path for one in answer.documents])
    frame |= _changes(arguments, answer)
    entries, count, progress = await _fitting(call, [brief(info) for info in answer.documents], frame)
    remark = ""
    if count < answer.total:
        page, start = divmod(count, _MAX_PAGE_SIZE)
        onward = f"page={page + 1}, page_size={_MAX_PAGE_SIZE}" + (f", start={start}" if start else "")
        given = arguments.model_dump(exclude_none=True) | ({"sort_by": sort} if sort != "title" else {})
        onward += "".join(f", {name}={value!r}" for name, value in given.items())
        remark = f"The first {count} of {answer.total:,}; list_documents_paginated({onward}) goes on."
    return _listed(entries[:count], frame, remark, progress)


async def list_documents_paginated(call: Call, arguments: Paginated) -> Result:
    """One page of the listing; `start` skips what of that page was already given. Raises UsageError."""
    answer = await _page(call, arguments, arguments.page, arguments.page_size, arguments.sort_by)
    if answer.total and arguments.page > answer.pages:
        raise UsageError(f"page {arguments.page} does not exist; the last page of that size is {answer.pages}.")
    check_start(arguments.start, len(answer.documents), "documents on this page")
    frame: dict[str, Any] = {
        "page": answer.page, "pages": answer.pages, "page_size": arguments.page_size, "total": answer.total,
    } | await contexts_of(call, [one.path for one in answer.documents])  # fmt: skip
    frame |= _changes(arguments, answer)
    rest = [brief(info) for info in answer.documents[arguments.start :]]
    entries, count, progress = await _fitting(call, rest, frame)
    remark = ""
    if count < len(rest):
        frame |= next_start(arguments.start, count, len(rest))
        remark = f"{len(rest) - count} more on this page; the same call with start={frame['next_start']} gives them."
    return _listed(entries[:count], frame, remark, progress)


async def find_document(call: Call, arguments: FindDocument) -> Result:
    """Documents by name or title. `limit` counts from the first, whatever `start` is."""
    library = call.services.library
    documents, named = await asyncio.gather(
        library.find(arguments.query, arguments.limit), library.folders(arguments.query)
    )
    found = [brief(info) for info in documents]
    folders = [] if arguments.start else [folder_record(one) for one in named]
    attached = [] if arguments.start or _named(documents, arguments.query) else await library.attached(arguments.query)
    frame: dict[str, Any] = {"folders": folders} if folders else {}
    frame |= await contexts_of(call, [one.path for one in documents])
    if attached:
        frame["attached"] = [
            {"name": shorten(" ".join(one.name.split()), 160), "uri": one.uri, "path": one.path} for one in attached
        ]
    check_start(arguments.start, len(found), "documents found")
    rest = found[arguments.start :]
    entries, count, progress = await _fitting(call, rest, frame)
    unnamed = [] if folders or attached else _unnamed(documents, arguments.query)
    remark = f"No name or title has {' '.join(unnamed)[:60]}; these come near." if unnamed else ""
    if not (found or folders or attached):
        remark = "No name or title comes close; search_documents looks into the text."
    following = next_start(arguments.start, count, len(rest))
    if following:
        remark = f"{len(rest) - count} more; start={following['next_start']} gives them."
    return _listed(entries[:count], frame | following, remark, progress)


def _named(documents: Iterable[DocumentInfo], query: str) -> bool:
    """Whether one of them is called so: then what is attached to others is not what was looked for."""
    wanted = query.strip().casefold()
    return any(wanted in f"{info.path}\n{info.title}\n{info.slug}".casefold() for info in documents)


def _unnamed(documents: Iterable[DocumentInfo], query: str) -> list[str]:
    """The words of the query that none of the documents has in its name or title, whatever their endings."""
    names = "\n".join(f"{info.path}\n{info.title}\n{info.slug}" for info in documents).casefold()
    return [word for word in slugify(query).split("-") if word[: max(_ROOT, len(word) - _ENDING)] not in names]


async def get_document_info(call: Call, arguments: GetDocumentInfo) -> Result:
    """Everything about one document."""
    info = await call.services.library.document(arguments.document_slug)
    return Result(structured=fitted(await _described(call, info), call.budget, call.paid))


async def get_library_status(call: Call, arguments: Status) -> Result:
    """The state of the index, and the files that could not be read, page by page."""
    library = call.services.library
    unread, total = await library.unread(arguments.start, _MAX_UNREAD)
    check_start(arguments.start, total, "files that could not be read")
    cut = {"cut": "Long lists and texts are cut to fit the budget; `docsidecar status` in a terminal says everything."}
    room = call.budget * 2 // 3 if unread else call.budget
    status = abridge(await library.status(), room, whole=("states",), frame=cut, paid=call.paid)
    if not unread:
        return Result(structured=status)
    records = [
        {"path": one.path, "state": one.state, "reason": one.reason} | ({"document_slug": one.slug} if one.slug else {})
        for one in unread
    ]
    around = status | {"unreadable": [], "unreadable_total": total, "next_start": total}
    shown = fit_texts(records, "reason", call.budget, (160, 80), frame=around, paid=call.paid)
    following = next_start(arguments.start, len(shown), total - arguments.start)
    return Result(structured=status | {"unreadable": shown, "unreadable_total": total} | following)


async def index_document(call: Call, arguments: IndexFile) -> Result:
    """Index one file and describe it, without its content."""
    answer = await _described(call, await call.services.library.index(arguments.file_path))
    answer.pop("description", None)  # often the text's opening words, and whoever indexes did not ask to read
    return Result(structured=fitted(answer, call.budget, call.paid))


async def _described(call: Call, info: DocumentInfo) -> dict[str, Any]:
    """`full`, how the first attached document is read as text, and the tables that can be asked."""
    record = full(info)
    for context in (await contexts_of(call, [info.path])).get("contexts", {}).values():
        record["context"] = context
    if info.embedded.get("attachment"):
        attached = await call.services.library.embedded(info.doc_id, ("attachment",), limit=_MAX_ATTACHED)
        first = next((item for item in attached.embeds if item.text_uri), None)
        if first is not None:
            uri = format_uri("embed", info.slug, first.embed.id, suffix="md")
            record["uris"] = record["uris"] | {"first_attachment_text": uri}
    if info.doc_id:
        found = await call.services.library.find_tables("", _TABLES, info.doc_id)
        if found.total:
            record["tables"] = {"total": found.total, "names": [table.name for table in found.tables]}
    return record


async def _page(call: Call, asked: Filtered, page: int, page_size: int, sort_by: SortKey) -> DocumentPage:
    narrowing = Narrowing(asked.folder, asked.type, asked.state, asked.changed_since)
    return await call.services.library.documents(page, page_size, sort_by, narrowing)


def _changes(asked: Filtered, answer: DocumentPage) -> dict[str, Any]:
    """What a list of changes says beside its documents: how to see them, and what is gone."""
    if asked.changed_since is None:
        return {}
    uri = format_uri("document", "SLUG", query={"changes": asked.changed_since})
    return {"changes": f"read {uri} for what changed in one"} | (
        {
            "removed": [
                {"name": shorten(one.name, 60), "uri": format_uri("document", one.doc_id)} for one in answer.removed
            ]
        }
        if answer.removed
        else {}
    )


async def _fitting(
    call: Call, entries: list[dict[str, Any]], frame: dict[str, Any]
) -> tuple[list[dict[str, Any]], int, str]:
    """The entries (titles shorter where that lets in more), how many of them fit, and how far the index is."""
    progress = await call.services.library.progress()
    around = frame | {"documents": [], "next_start": 100, "remark": f"{'x' * 120} {progress}"}
    shown = fit_texts(
        entries, ("title", "reason"), call.budget, (120, 60), frame=around, paid=call.paid, line=document_line
    )
    return shown, len(shown), progress


def _listed(entries: list[dict[str, Any]], frame: dict[str, Any], *remarks: str) -> Result:
    remark = " ".join(filter(None, remarks))
    structured = {"documents": entries} | frame | ({"remark": remark} if remark else {})
    head = f"Page {frame['page']} of {frame['pages']}. " if "pages" in frame else ""
    head += f"{frame['total']:,} document{'s' * (frame['total'] != 1)}. " if "total" in frame else ""
    lines = [
        f"{head}{remark}".strip(),
        *(
            f"Folder {one['path']}: {one['documents']:,} document{'s' * (one['documents'] != 1)}; "
            f"list_documents(folder={one['path']!r})."
            for one in frame.get("folders", ())
        ),
    ]
    lines += [f"In {one['path']}: {one['name']} {one['uri']}" for one in frame.get("attached", ())]
    lines += context_lines(frame)
    if "changes" in frame:
        lines.append(f"R{frame['changes'][1:]}.")
    lines += [f"Removed: {one['name']} ({one['uri']})" for one in frame.get("removed", ())]
    lines += map(document_line, entries)
    return Result((Text("\n".join(filter(None, lines))),), structured)


async def contexts_of(call: Call, paths: Sequence[str]) -> dict[str, Any]:
    """`{contexts: {folder: sentence}}` of the folders those files lie in; {} where none has one."""
    contexts = await call.services.library.contexts(paths)
    return {"contexts": dict(contexts)} if contexts else {}


DOCUMENT_TOOLS: tuple[Tool[Any], ...] = (
    Tool("list_documents", "List documents", "List the documents by title, or what changed.", Filtered, list_documents),
    Tool(
        "list_documents_paginated", "List documents by page", "List the documents page by page.", Paginated,
        list_documents_paginated,
    ),
    Tool("find_document", "Find a document", "Find documents by name or title.", FindDocument, find_document),
    Tool(
        "get_document_info", "Describe a document", "Metadata, counts, notices and URIs of a document.",
        GetDocumentInfo, get_document_info, output=DOCUMENT,
    ),
    Tool(
        "get_library_status", "Library status", "What is indexed, what is pending, what could not be read and why.",
        Status, get_library_status, output=STATUS,
    ),
    Tool(
        "index_document", "Index a file now", "Index one file now; returns doc_id, slug, counts and URIs.", IndexFile,
        index_document, read_only=False,
    ),
)  # fmt: skip
