"""Holds every tool's answers over a whole library to the budget, and what is continued to being whole.

usage: answer_budget.py [--data-dir DIR] [--budget N]… [--first N] [--step N] [--pictures N] [--windows N]
                        [--errors FILE] [FOLDER]       (default: docs of the corpus in DOCSIDECAR_CORPUS, OCR off)
Every tool of the library and of reading is called through a client, for every document (every `--step`-th of them)
with arguments that make it answer as much as it can, once for each budget. What an answer costs is counted twice:
as the server estimates it, and as the bytes of the JSON-RPC result over 4, pictures at their visual cost in both. What
comes with a continuation is followed to its end (at most `--windows` windows of a resource), and the pieces must make
up the whole, each thing once. Pictures of pages and elements are asked for spread over the library, `--pictures` of
each; an element shown without one counts as an error. What answers cost without a limit is held to what the README
promises of it: a search, a document in a list, an outline, a window. Prints a row a tool, its largest and average
answer; exits with 1 when an answer is above its budget or a continuation loses or repeats a thing.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from sidecar.api import DocumentInfo, ElementInfo, GrepQuery, Limits, SidecarError
from sidecar.app import Application, open_application
from sidecar.config import Config, Folder
from sidecar.server.handlers import Readiness, build_server
from sidecar.server.notifications import Notifier
from sidecar.store import Filter
from sidecar.toolkit.answers.budget import text_tokens
from sidecar.toolkit.answers.tokens import estimate_tokens
from sidecar.toolkit.pictures import picture_tokens

ENVELOPE = len('{"jsonrpc":"2.0","id":1000000,"result":}')
LONGEST_QUERY = 4000
WORDS = "the report on results of table figure data by year in chart sales and total function image 東京 für données "
QUERIES = (
    "x", "the", "table", "figure", "data", "a report on results by year", "東京", "€", "function", "chart of sales",
    "image", "Introduction", "1", "0.5", "total", "the and of to in a is that it for", '"the of"', "type:pdf the",
    (WORDS * 4)[:400], (WORDS * 40)[:LONGEST_QUERY], "漢" * 1000, "x" * LONGEST_QUERY,
)  # fmt: skip
PATTERNS = (r".", r"\w+", r"^.{300,}", r"\s", r"[^\x00-\x7f]+", r"(?i)table|figure", r"\d+", r"^$|^.*$")
ROOMS = ("library", "defaults", "documents", "pictures")
SUFFIXES = ("", ".md", ".txt", ".html", ".json")
PLURALS = {"chapter": "chapters", "slide": "slides", "page": "pages", "sheet": "sheets"}


@dataclass
class Row:
    """What was seen of one tool at one budget."""

    answers: int = 0
    errors: int = 0
    estimated: int = 0
    wired: int = 0
    wired_in_all: int = 0
    seconds: float = 0.0
    of: dict[str, Any] = field(default_factory=dict[str, Any])
    above: int = 0
    broken: list[str] = field(default_factory=list[str])
    sentences: Counter[str] = field(default_factory=Counter[str])
    asked: dict[str, str] = field(default_factory=dict[str, str])


def costs(result: types.CallToolResult) -> tuple[int, int]:
    """Tokens as estimated from what a model may read, and bytes over 4 of the message; pictures as they are seen."""
    seen = 0
    texts = 0
    if result.structured_content is not None:
        texts += estimate_tokens(json.dumps(result.structured_content, ensure_ascii=False, separators=(",", ":")))
    bare: list[types.ContentBlock] = []
    for block in result.content:
        match block:
            case types.TextContent():
                texts += estimate_tokens(block.text)
            case types.ImageContent():
                seen += picture_tokens(block.data)
                bare.append(block.model_copy(update={"data": ""}))
                continue
            case types.EmbeddedResource(resource=types.TextResourceContents() as text):
                texts += estimate_tokens(text.text) + estimate_tokens(text.uri) + 12
            case types.EmbeddedResource(resource=types.BlobResourceContents() as blob):
                if (blob.mime_type or "") in {"image/png", "image/jpeg", "image/gif", "image/webp"}:
                    seen += picture_tokens(blob.blob)
                    bare.append(block.model_copy(update={"resource": blob.model_copy(update={"blob": ""})}))
                    continue
                texts += len(blob.blob) // 2
            case types.ResourceLink():
                texts += estimate_tokens(block.uri + block.name + (block.title or "") + (block.description or "")) + 12
            case _:
                texts += estimate_tokens(block.model_dump_json())
        bare.append(block)
    wire = result.model_copy(update={"content": bare}).model_dump_json(by_alias=True, exclude_unset=True)
    return texts + seen, -(-(len(wire.encode("utf-8", "replace")) + ENVELOPE) // 4) + seen


class Bench:
    """Asks and keeps the books."""

    def __init__(self, application: Application, client: Client, budget: int, options: argparse.Namespace) -> None:
        self.application = application
        self.client = client
        self.budget = budget
        self.options = options
        self.rows: dict[str, Row] = {}
        self.unfinished = 0

    def hold(self, what: str, most: int, costs: Sequence[int], least: int = 0) -> None:
        """Print what such answers cost; those above `most` or below `least` count as broken."""
        beyond = sum(not least <= cost <= most for cost in costs)
        print(
            f"{what}: {len(costs)} of {min(costs, default=0):,} to {max(costs, default=0):,} tokens, "
            f"{sum(costs) // max(1, len(costs)):,} on average; {beyond} beyond {least:,} to {most:,}",
            flush=True,
        )
        if beyond:
            self.broken(what, f"{beyond} of {len(costs)} beyond {least} to {most}")

    async def ask(self, tool: str, **given: Any) -> types.CallToolResult:
        """One call; its cost is booked."""
        row = self.rows.setdefault(tool, Row())
        begun = time.perf_counter()
        answer = await self.client.call_tool(tool, given)
        row.seconds += time.perf_counter() - begun
        estimated, wired = costs(answer)
        row.answers += 1
        if max(estimated, wired) > max(row.estimated, row.wired):
            row.of = given
        row.estimated, row.wired = max(row.estimated, estimated), max(row.wired, wired)
        row.wired_in_all += wired
        row.above += max(estimated, wired) > self.budget
        blind = tool == "get_element_image" and not any(isinstance(one, types.ImageContent) for one in answer.content)
        if answer.is_error or blind:
            row.errors += 1
            said = "".join(block.text for block in answer.content if isinstance(block, types.TextContent))
            row.sentences[said] += 1
            row.asked.setdefault(said, json.dumps(given, ensure_ascii=False)[:300])
        return answer

    def broken(self, tool: str, what: str) -> None:
        """Book a continuation that loses or repeats something."""
        self.rows.setdefault(tool, Row()).broken.append(what)

    async def all_of(self, tool: str, key: str, whole: list[Any] | None = None, **given: Any) -> list[Any]:
        """Every entry under `key`, `next_start` followed to the end."""
        entries: list[Any] = []
        start = 0
        while True:
            answer = await self.ask(tool, **given, **({"start": start} if start else {}))
            found = answer.structured_content or {}
            entries += found.get(key, [])
            following = found.get("next_start")
            if answer.is_error or following is None:
                break
            if following <= start:
                self.broken(tool, f"{given}: start {start} leads to {following}")
                break
            start = following
        if whole is not None and not answer.is_error and entries != whole:
            self.broken(tool, f"{given}: {len(entries)} entries in pieces, {len(whole)} whole")
        return entries

    async def matches(self, **given: Any) -> None:
        """`grep` with `start` followed to the end; it must come to the number of matches there are."""
        start = found = 0
        while True:
            answer = await self.ask("grep", **given, **({"start": start} if start else {}))
            if answer.is_error or answer.structured_content is None:
                return
            found += answer.structured_content["matches"]
            if "next_start" not in answer.structured_content:
                break
            if answer.structured_content["next_start"] != found:
                self.broken("grep", f"{given}: {found} matches lead to {answer.structured_content['next_start']}")
            start = found
        whole = await self.application.library.grep(
            GrepQuery(pattern=given["pattern"], doc=given["document_slug"], limit=10**6)
        )
        if found != len(whole.hits):
            self.broken("grep", f"{given}: {found} matches in pieces, {len(whole.hits)} whole")

    async def read_to_the_end(self, uri: str) -> None:
        """`read` window by window; the windows' texts must be the resource's."""
        pieces: dict[str, list[str]] = {}
        offset: int | None = 0
        for _ in range(self.options.windows):
            answer = await self.ask("read", uri=uri, **({"start_offset": offset} if offset else {}))
            if answer.is_error or answer.structured_content is None:
                if offset:
                    self.broken("read", f"{uri} from {offset}: an error")
                return
            texts = [block.text for block in answer.content if isinstance(block, types.TextContent)]
            for part, text in zip(answer.structured_content["parts"], texts, strict=False):
                if part["kind"] == "text":
                    pieces.setdefault(part["uri"], []).append(text)
            offset = answer.structured_content.get("next_offset")
            if offset is None:
                break
        else:
            self.unfinished += 1
            return
        whole = await self.client.read_resource(uri)
        texts = {str(one.uri): one.text for one in whole.contents if isinstance(one, types.TextResourceContents)}
        if {name: "".join(found) for name, found in pieces.items()} != texts:
            self.broken("read", f"{uri}: the windows do not make up the whole")


async def of_the_library(bench: Bench, total: int) -> None:
    """Calls that are about no document."""
    for query in QUERIES:
        for limit in (10, 50):
            await bench.all_of("search_documents", "results", query=query, limit=limit)
            await bench.all_of("search_visual_elements", "results", query=query, limit=limit)
        await bench.all_of("find_document", "documents", query=query, limit=50)
    for pattern in (*QUERIES[:12], *PATTERNS):
        for context in (0, 10):
            await bench.ask("grep", pattern=pattern, limit=500, context=context)
    await bench.ask("get_library_status")
    await bench.ask("list_quills")
    first = (await bench.ask("list_documents")).structured_content or {}
    for sort_by in ("title", "date_added", "page_count", "modified", "name"):
        slugs: list[str] = []
        page, start = 1, 0
        while True:
            given = {"page": page, "page_size": 100, "sort_by": sort_by} | ({"start": start} if start else {})
            answer = (await bench.ask("list_documents_paginated", **given)).structured_content or {}
            slugs += [document["slug"] for document in answer.get("documents", [])]
            if "next_start" in answer:
                start = answer["next_start"]
            elif page < answer.get("pages", 0):
                page, start = page + 1, 0
            else:
                break
        if len(slugs) != total or len(set(slugs)) != total:
            bench.broken("list_documents_paginated", f"{sort_by}: {len(set(slugs))} of {total}, {len(slugs)} lines")
        if sort_by == "title" and [one["slug"] for one in first["documents"]] != slugs[: len(first["documents"])]:
            bench.broken("list_documents", "is not how list_documents_paginated begins")


async def of_a_document(bench: Bench, info: DocumentInfo, number: int) -> None:
    """Calls about one document, but for its pictures."""
    slug = info.slug
    await bench.ask("get_document_info", document_slug=slug)
    if number % 10 == 0:  # it answers what get_document_info does, after reading the file anew
        await bench.ask("index_document", file_path=info.path)
    await bench.all_of("search_documents", "results", query="the a of and", document_slug=slug, limit=50)
    await bench.all_of("search_visual_elements", "results", query="table figure of", document_slug=slug, limit=50)
    await bench.ask("grep", pattern=".", document_slug=slug, limit=500, context=10)
    await bench.matches(pattern=r"^.*$", document_slug=slug, limit=500, context=number % 11)
    for suffix in SUFFIXES:
        await bench.read_to_the_end(f"document://{slug}{suffix}")
        await bench.ask("read_embedded", uri=f"document://{slug}{suffix}")
    library = bench.application.library
    try:
        outlines = {depth: (await library.outline(slug, depth)).entries for depth in range(1, 7)}
        items = (await library.embedded(slug)).embeds
        embedded, attached = [item.uri for item in items], [item.text_uri for item in items if item.text_uri]
        images = [item.uri for item in (await library.embedded(slug, ("image",))).embeds]
        elements = await library.elements(slug)
    except SidecarError:  # a document that never could be read has none of them
        return
    for depth, outline in outlines.items():
        entries = await bench.all_of("get_outline", "entries", document_slug=slug, depth=depth)
        if [entry["uri"] for entry in entries] != [entry.uri for entry in outline]:
            bench.broken("get_outline", f"{slug}, depth {depth}: {len(entries)} of {len(outline)}")
    for tool, uris in (("list_embedded_resources", embedded), ("extract_images", images)):
        entries = await bench.all_of(tool, "resources", file_path=slug)
        if [entry["uri"] for entry in entries] != uris:
            bench.broken(tool, f"{slug}: {len(entries)} of {len(uris)}")
    await of_what_it_holds(bench, slug, embedded, attached, elements)
    if info.part_kind:
        await of_its_parts(bench, info, [entry.uri for entry in outlines[1]])


async def of_what_it_holds(
    bench: Bench, slug: str, embedded: Sequence[str], attached: Sequence[str], elements: Sequence[ElementInfo]
) -> None:
    """What is inside a document: some of its embedded files, attached documents and elements."""
    for uri in spread(embedded, 6):
        await bench.ask("read", uri=uri)
        await bench.ask("read_embedded", uri=uri)
    for uri in spread(attached, 4):
        await bench.read_to_the_end(uri)
        await bench.ask("read_embedded", uri=uri)
        await bench.ask("get_outline", document_slug=uri.removesuffix(".md"))
    for element in spread(elements, 12):
        page = {"page_number": element.page} if element.page is not None else {}
        await bench.ask("get_element_details", document_slug=slug, element_label=element.label, **page)
        await bench.read_to_the_end(element.uri)


async def of_its_parts(bench: Bench, info: DocumentInfo, uris: Sequence[str]) -> None:
    """Some parts of a document, each and several at once."""
    for uri in spread(uris, 12):
        await bench.read_to_the_end(uri)
        await bench.ask("read_embedded", uri=uri)
    if plural := PLURALS.get(info.part_kind):
        await bench.read_to_the_end(f"{plural}://{info.slug}/1-{min(info.parts, 5)}")


async def of_defaults(bench: Bench, documents: list[DocumentInfo]) -> None:
    """What answers cost where nothing is said of their length, each kind beside what it is to keep within."""
    asks = json.loads((Path(__file__).parents[1] / "search" / "data" / "questions_corpus.json").read_text("utf-8"))
    texts = [one["ask"] for one in asks] + [query for query in QUERIES if len(query) < 200]
    found = [await bench.ask("search_documents", query=text) for text in texts]
    bench.hold("search without a limit", 700, [costs(answer)[0] for answer in found])
    lines: list[int] = []
    for page in range(1, len(documents) // 100 + 2):
        answer = await bench.ask("list_documents_paginated", page=page, page_size=100)
        texts = "\n".join(block.text for block in answer.content if isinstance(block, types.TextContent)).splitlines()
        lines += [estimate_tokens(line) for line in texts if line.startswith("- ")]
    bench.hold("a document in a list", 40, lines)
    outlines: list[int] = []
    windows: list[int] = []
    for info in documents:
        outlines.append(costs(await bench.ask("get_outline", document_slug=info.slug))[0])
        if info.doc_id and info.tokens > bench.budget:
            answer = await bench.ask("read", uri=f"document://{info.slug}.md")
            windows.append(sum(text_tokens(one.text) for one in answer.content if isinstance(one, types.TextContent)))
    bench.hold("an outline", 2000, outlines)
    bench.hold("a window of a longer text", bench.budget, windows, least=bench.budget * 7 // 8)


async def of_pictures(bench: Bench, documents: list[DocumentInfo]) -> None:
    """Pages and elements as pictures, spread over the library, each kind of document alike."""
    most = bench.options.pictures
    kinds: dict[str, list[DocumentInfo]] = {}
    for info in documents:
        kinds.setdefault(info.format, []).append(info)
    for infos in kinds.values():
        for info in spread(infos, max(most // len(kinds), 1)):
            for number in {1, max((info.parts + 1) // 2, 1), max(info.parts, 1)}:
                await bench.ask("get_page_image", document_slug=info.slug, page_number=number)
    found: dict[tuple[str, str], list[Any]] = {}
    for info in documents:
        try:
            for element in await bench.application.library.elements(info.slug):
                found.setdefault((info.format, element.type), []).append(element)
        except SidecarError:  # never read
            continue
    for elements in found.values():
        for element in spread(elements, max(most // len(found), 1)):
            about: dict[str, Any] = {"document_slug": element.document_slug, "element_label": element.label}
            await bench.ask(
                "get_element_image", **about, **({"page_number": element.page} if element.page is not None else {})
            )


def spread(things: Any, most: int) -> list[Any]:
    """At most that many, evenly over all, the first and the last among them."""
    if len(things) <= most:
        return list(things)
    return [things[round(place * (len(things) - 1) / max(most - 1, 1))] for place in range(most)]


async def drive(application: Application, budget: int, options: argparse.Namespace) -> Bench:
    application.config = replace(
        application.config, server=replace(application.config.server, budget_tokens=budget, max_read_chars=400_000)
    )
    readiness = Readiness()
    readiness.ready(application.backend())
    documents = await application.store.search.documents_listed(1, 100_000, "title", Filter())
    async with Client(build_server(readiness, Notifier())) as client:
        bench = Bench(application, client, budget, options)
        only = set(options.only)
        if "library" in only:
            await of_the_library(bench, documents.total)
        if "defaults" in only:
            await of_defaults(bench, list(documents.documents))
        if "documents" in only:
            for number, info in enumerate(documents.documents[options.first :: options.step]):
                try:
                    await of_a_document(bench, info, number)
                except MCPError as error:
                    bench.broken("read", f"{info.slug}: {error}")
                if number % 200 == 0:
                    print(
                        f"  {number} of {len(documents.documents[options.first :: options.step])}",
                        file=sys.stderr,
                        flush=True,
                    )
        if "pictures" in only:
            await of_pictures(bench, list(documents.documents))
    return bench


async def measure(config: Config, options: argparse.Namespace) -> list[Bench]:
    async with open_application(config) as application:
        begun = time.perf_counter()
        await application.index_once()
        print(f"indexed in {time.perf_counter() - begun:.0f} s", flush=True)
        indexing = asyncio.create_task(application.indexer.run())  # index_document asks whoever indexes
        benches: list[Bench] = []
        try:
            for budget in options.budget:
                benches.append(await drive(application, budget, options))
                report(benches[-1])
        finally:
            indexing.cancel()
            await asyncio.gather(indexing, return_exceptions=True)
        return benches


def report(bench: Bench) -> None:
    print(f"\nbudget {bench.budget:,}; {bench.unfinished} resources longer than {bench.options.windows} windows")
    print(
        f"{'tool':26} {'answers':>8} {'errors':>6} {'estimate':>8} {'bytes/4':>8} {'average':>8} {'above':>5} "
        f"{'seconds':>7}  of"
    )
    for name, row in sorted(bench.rows.items(), key=lambda item: -max(item[1].estimated, item[1].wired)):
        shown = json.dumps(row.of, ensure_ascii=False)[:90]
        print(
            f"{name:26} {row.answers:8} {row.errors:6} {row.estimated:8} {row.wired:8} "
            f"{row.wired_in_all // max(1, row.answers):8} {row.above:5} "
            f"{row.seconds:7.1f}  {shown}"
        )
    for name, row in sorted(bench.rows.items()):
        for what in row.broken[:5]:
            print(f"BROKEN {name} ({len(row.broken)}): {what[:300]}")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--budget", type=int, action="append")
    parser.add_argument("--first", type=int, default=0, help="the first document of every `--step`-th")
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--pictures", type=int, default=300)
    parser.add_argument("--windows", type=int, default=60)
    parser.add_argument("--errors", type=Path, help="write every distinct error there")
    parser.add_argument("--only", action="append", choices=ROOMS)
    options = parser.parse_args()
    options.budget = options.budget or [8000, 1000, 25_000]
    options.only = options.only or list(ROOMS)
    folder: Path = options.folder or Path(os.environ.get("DOCSIDECAR_CORPUS", "../shared/corpus")) / "docs"
    with tempfile.TemporaryDirectory() as scratch:
        data: Path = options.data_dir or Path(scratch)
        config = Config(folders=(Folder(folder.resolve()),), data_dir=data.resolve(), limits=Limits(ocr=False))
        benches = asyncio.run(measure(config, options))
    if options.errors:
        lines = [
            f"{bench.budget} {name} x{count} {row.asked[said]}\n    {said}"
            for bench in benches
            for name, row in sorted(bench.rows.items())
            for said, count in row.sentences.most_common()
        ]
        options.errors.write_text("\n".join(lines) + "\n", encoding="utf-8")
    above = sum(row.above for bench in benches for row in bench.rows.values())
    broken = sum(len(row.broken) for bench in benches for row in bench.rows.values())
    print(f"\n{above} answers above the budget, {broken} broken continuations")
    sys.exit(1 if above or broken else 0)


if __name__ == "__main__":
    main()
