"""Rendered artifacts as they are kept: one cache entry each, all pages in it, bounded by count, bytes and age.

Also serves them as `render://{id}` resources. Knows nothing of how they are made."""

import asyncio
import contextlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, cast

from sidecar.api import Cache, CacheEntry, NotFoundError, ResourceContent, ResourceEntry, Services, Template
from sidecar_render.model import MEDIA_TYPES, OFFICE, Diagnostic, OutputFormat, Rendering
from sidecar_render.settings import RenderSettings

_MARK = "rendered.changed"
_FOLLOW_SECONDS = 1.0
_URI = re.compile(r"render://([0-9a-f]{16})(?:/([0-9]{1,6}))?")


@dataclass(frozen=True)
class Artifact:
    """What is known of an artifact without its bytes. `created` is in seconds since the epoch."""

    id: str
    form: OutputFormat
    size: int
    pages: int
    sizes: tuple[int, ...]
    title: str
    quill: str
    created: float
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def uri(self) -> str:
        """`render://{id}`."""
        return f"render://{self.id}"

    @property
    def media_type(self) -> str:
        """The type of its pages."""
        return MEDIA_TYPES[self.form]

    @property
    def name(self) -> str:
        """A file name: the title's words, and the format."""
        stem = re.sub(r"[^\w]+", "-", self.title.lower()).strip("-")[:60].strip("-") or f"rendering-{self.id[:6]}"
        return f"{stem}.{self.form.lower()}"

    @property
    def extent(self) -> str:
        """ "3 pages", "5 slides": how much of it there is, in what its format counts."""
        unit = {"XLSX": "sheet", "PPTX": "slide", "CSV": "table", "DOCX": "document"}.get(self.form, "page")
        return f"1 {unit}" if self.pages == 1 else f"{self.pages} {unit}s"

    @property
    def time(self) -> str:
        """When it was made, ISO 8601 in UTC."""
        return datetime.fromtimestamp(self.created, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def page_uri(self, number: int) -> str:
        """The URI of one page, from 1; an artifact of a single item has none but its own."""
        return f"{self.uri}/{number}" if len(self.sizes) > 1 else self.uri

    def record(self) -> dict[str, object]:
        """As one of a tool answer's `artifacts`."""
        fields: dict[str, object] = {
            "format": self.form, "mime_type": self.media_type, "size_bytes": self.size, "resource_uri": self.uri,
            "pages": self.pages,
        }  # fmt: skip
        if len(self.sizes) > 1:
            fields["page_uris"] = f"{self.uri}/1 to {self.uri}/{len(self.sizes)}"
        return fields

    def entry(self) -> ResourceEntry:
        """As a line of `resources/list`."""
        quill = "" if self.form in OFFICE else f", quill {self.quill}"
        return ResourceEntry(
            uri=self.uri, name=self.name, title=self.title or self.name,
            description=f"Rendered {self.form}, {self.extent}{quill}", media_type=self.media_type,
            size=self.size, modified=self.time,
            metadata={"quill": self.quill, "rendered": self.time, "pages": self.pages},
        )  # fmt: skip


class Artifacts:
    """Implements `api.ResourceProvider` over the cache named "render"."""

    schemes: tuple[str, ...] = ("render",)
    templates: tuple[Template, ...] = (
        Template("render://{id}", "render", "Rendered document", "A document made by render_document"),
        Template("render://{id}/{page}", "render-page", "Rendered page", "One page of a rendered SVG or PNG, from 1"),
    )

    def __init__(self, settings: RenderSettings) -> None:
        self._settings = settings
        self._seen = 0

    def _cache(self, services: Services) -> Cache:
        held = self._settings
        age = held.max_age_days * 86_400
        return services.cache("render", max_entries=held.max_entries, max_bytes=held.max_bytes, max_age=age)

    async def get(self, services: Services, identity: str) -> tuple[Artifact, tuple[bytes, ...]] | None:
        """An artifact and its items: one for PDF, one a page for SVG and PNG."""
        found = await self._cache(services).get(identity)
        if found is None:
            return None
        artifact = _artifact(found[0])
        edges = accumulate(artifact.sizes, initial=0)
        return artifact, tuple(found[1][start:end] for start, end in pairwise(edges))

    async def put(
        self, services: Services, identity: str, form: OutputFormat, quill: str, rendering: Rendering
    ) -> Artifact:
        """Keep a rendering, and tell clients that the list of resources changed."""
        metadata: dict[str, object] = {
            "form": form, "pages": rendering.pages, "sizes": list(map(len, rendering.data)), "quill": quill,
            "title": rendering.title, "warnings": [item.record() for item in rendering.warnings],
        }  # fmt: skip
        entry = await self._cache(services).put(identity, b"".join(rendering.data), metadata)
        self._changed(services)
        return _artifact(entry)

    async def clear(self, services: Services, older_than: float | None) -> int:
        """Drop artifacts made more than `older_than` seconds ago, or all; gives how many."""
        count = await self._cache(services).clear(older_than)
        if count:
            self._changed(services)
        return count

    async def follow(self, services: Services) -> None:
        """Tell clients when another sidecar on the data directory made or dropped artifacts, until cancelled.

        The others leave their mark on a file, which is looked at once a second: one `stat` costs nothing, and nothing
        is read from the index while nothing happens."""
        self._seen = _mark(services.data_dir)
        while True:
            await asyncio.sleep(_FOLLOW_SECONDS)
            now = _mark(services.data_dir)
            if now != self._seen:
                self._seen = now
                services.resources_changed()

    def _changed(self, services: Services) -> None:
        """The list of artifacts is another one: tell the own clients, and through the file the other sidecars."""
        with contextlib.suppress(OSError):  # where nothing can be written, the others learn of it when they list
            (services.data_dir / _MARK).write_bytes(b"")
        self._seen = _mark(services.data_dir)
        services.resources_changed()

    async def summary(self, services: Services) -> dict[str, object]:
        """For `get_library_status`."""
        entries = await self._cache(services).entries()
        return {"artifacts": len(entries), "bytes": sum(entry.size for entry in entries)}

    async def entries(self, services: Services, after: str, limit: int) -> Sequence[ResourceEntry]:
        """See `api.ResourceProvider.entries`."""
        known = sorted((_artifact(entry) for entry in await self._cache(services).entries()), key=lambda one: one.uri)
        return [artifact.entry() for artifact in known if artifact.uri > after][:limit]

    async def read(self, services: Services, uri: str) -> tuple[ResourceContent, ...]:
        """See `api.ResourceProvider.read`; `render://{id}` gives every page, `render://{id}/{n}` one."""
        match = _URI.fullmatch(uri.strip())
        if match is None:
            raise NotFoundError(f"{uri[:80]} is not a rendered document; the form is render://{{id}}.", uri=uri)
        found = await self.get(services, match[1])
        if found is None:
            raise NotFoundError(f"{uri} is not kept any more, or never was; render the document again.", uri=uri)
        artifact, items = found
        if match[2] is None:
            return tuple(_content(artifact, number, item) for number, item in enumerate(items, 1))
        number = int(match[2])
        if not 1 <= number <= len(items):
            held = f"pages 1 to {len(items)}" if len(items) > 1 else "a single item, its own URI"
            raise NotFoundError(f"{artifact.uri} has {held}; there is no {uri}.", uri=uri)
        return (_content(artifact, number, items[number - 1]),)

    async def complete(
        self, services: Services, template: str, variable: str, value: str, others: Mapping[str, str]
    ) -> Sequence[str]:
        """See `api.ResourceProvider.complete`."""
        entries = [_artifact(entry) for entry in await self._cache(services).entries()]
        if variable == "id":
            return [artifact.id for artifact in entries if artifact.id.startswith(value)]
        pages = next((len(artifact.sizes) for artifact in entries if artifact.id == others.get("id")), 0)
        return [str(number) for number in range(1, pages + 1) if str(number).startswith(value)]


def _mark(data_dir: Path) -> int:
    """When artifacts were last made or dropped by any sidecar, in nanoseconds; 0 for never."""
    try:
        return (data_dir / _MARK).stat().st_mtime_ns
    except OSError:
        return 0


def _content(artifact: Artifact, number: int, item: bytes) -> ResourceContent:
    uri = artifact.page_uri(number)
    if artifact.form in ("SVG", "CSV"):
        return ResourceContent(uri, artifact.media_type, text=item.decode("utf-8", "replace"))
    return ResourceContent(uri, artifact.media_type, data=item)


def _artifact(entry: CacheEntry) -> Artifact:
    about = entry.metadata
    sizes = tuple(int(size) for size in cast(Sequence[Any], about["sizes"]))
    warnings = tuple(Diagnostic.of(item) for item in cast(Sequence[Mapping[str, object]], about["warnings"]))
    return Artifact(
        entry.key, cast(OutputFormat, about["form"]), entry.size, int(about["pages"]), sizes, str(about["title"]),
        str(about["quill"]), entry.created, warnings,
    )  # fmt: skip
