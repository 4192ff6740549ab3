"""Elements and charts of documents: as records for lists, and shown by themselves as text. Pictures are `pictures`'."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from sidecar.api import (
    Address,
    AmbiguousError,
    Element,
    ElementInfo,
    ElementType,
    ResourceContent,
    UnavailableError,
    format_uri,
)
from sidecar.api.model import PartKind
from sidecar.api.uris import MEDIA_TYPES
from sidecar.server.long_work import in_thread
from sidecar.server.reading.address_query import hidden_wanted, page_of, selector_of
from sidecar.server.reading.text import Contents
from sidecar.store import Documents
from sidecar.store.documents.views import Version
from sidecar.toolkit.visible import ASK
from sidecar.views.blocks.charts import render_chart
from sidecar.views.elements import render_element
from sidecar.views.sources import origin

_ENTRY_BYTES = 100
"""What making an entry of a list takes, in the time of decoding this many bytes."""
Reader = Callable[[str, Address], Awaitable[Contents]]


@dataclass(frozen=True)
class ElementReader:
    """`paragraph` reads a block as text, for an element that is shown with its hidden text."""

    documents: Documents
    paragraph: Reader

    def readers(self) -> Mapping[str, Reader]:
        """Scheme → what reads it."""
        return {"chart": self.chart, "element": self.element}

    async def of_document(self, doc: str, kind: ElementType | None) -> tuple[ElementInfo, ...]:
        """All of a document, or those of a kind."""
        view = await self.documents.elements(doc, kind)

        def work() -> tuple[ElementInfo, ...]:
            times = Counter(element.label for element in view.elements)
            return tuple(_info(view.version, element, times[element.label] > 1) for element in view.elements)

        return await in_thread(len(view.elements) * _ENTRY_BYTES, work)

    async def one(self, doc: str, label: str, page: int | None) -> ElementInfo:
        """The element of that label. Raises NotFoundError, AmbiguousError."""
        version, element = await self.documents.element(doc, label, page)
        return _info(version, element, page is not None)

    async def chart(self, uri: str, address: Address) -> Contents:
        """The data of a chart, as JSON unless another suffix is given. Raises UnavailableError."""
        version, embed = await self.documents.embed(address.doc, "chart", selector_of(address))
        if embed.chart is None:
            raise UnavailableError(f"The data of the chart {embed.name} in {version.name} could not be read.")
        suffix = address.suffix or "json"
        source = origin(version, address.doc, uri, place=f"chart {embed.id}")
        text = render_chart(embed, embed.chart, source, suffix)
        return (ResourceContent(uri, MEDIA_TYPES[suffix], text=text),)

    async def element(self, uri: str, address: Address) -> Contents:
        """An element shown by itself: its text, caption and what stands around it. Raises AmbiguousError where several
        have the label."""
        try:
            version, element = await self.documents.element(address.doc, address.path[0], page_of(address))
        except AmbiguousError as error:
            raise AmbiguousError(f"{error} In a URI, add ?page=N.", choices=error.choices) from error
        suffix = address.suffix or "md"
        if hidden_wanted(address) and element.block and suffix != "json":
            # The element is kept without its hidden text; the block it stands in has it.
            block = Address("paragraph", address.doc, (str(element.part), str(element.block)), suffix, {ASK: "1"})
            return await self.paragraph(uri, block)
        source = origin(version, address.doc, uri, place=element.label)
        text = render_element(element, source, version.part_kind, suffix)
        return (ResourceContent(uri, MEDIA_TYPES[suffix], text=text),)


def _info(version: Version, element: Element, paged: bool) -> ElementInfo:
    """`paged` puts the page into the URI, where the label alone would fit several."""
    query = {"page": str(element.page)} if paged and element.page is not None else None
    doc = version.slug if version.current else version.doc_id
    kind: PartKind = version.part_kind or "chapter"
    return ElementInfo(
        document_slug=version.slug or version.doc_id, doc_id=version.doc_id, type=element.type, label=element.label,
        uri=format_uri("element", doc, element.label, query=query), part=element.part, part_kind=kind,
        page=element.page, box=element.box, caption=element.caption, context=element.context, text=element.text,
        latex=element.latex, generated=element.generated, embed=element.embed, confidence=element.confidence,
        flaw=element.flaw,
    )  # fmt: skip
