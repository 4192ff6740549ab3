"""`tour://library`: how to use the library, in under 600 tokens."""

from __future__ import annotations

from sidecar.api import ResourceContent, ResourceEntry, Services

TOUR = ResourceEntry(
    uri="tour://library",
    name="tour",
    title="How to use this library",
    description="How to find, read and show documents here, in one page.",
    media_type="text/markdown",
)

_TEXT = """\
# The library in one page

This sidecar indexes the user's folders and follows every change. {state}

**Find.** `search_documents(query)` searches the text: words, "exact phrases", -word, type:word, folder:reports,
from:anna, after:2024-01-31. `search_visual_elements(query, element_type)` finds figures, tables, equations, charts.
`find_document(name)` finds a document by its name or title, `grep(pattern)` exact places. Every result carries
a `uri` and a `document_slug`.

**Look before you read.** `get_outline(document_slug)` gives the table of contents with a token estimate per part.

**Read.** `read(uri)` gives a window of text and `next_offset` to go on; `read_embedded(uri)` the whole part.
URIs: `document://slug` (outline) · `chapter://slug/2` · `section://slug/id` · `slide://slug/3` · `page://slug/12` ·
`sheet://slug/Name?range=A1:F40` · `chapters://slug/1-3` · `image://slug/0` · `chart://slug/0` ·
`embed://slug/0.md` (an attached document).
Suffixes choose the form: `.md` `.txt` `.html`, `.csv` `.json` for sheets, `.png` for pages, slides, charts.

**Compute.** Never add up what you read: `find_tables(query)`, then `query_tables("SELECT region, sum(x) FROM name GROUP
BY region")` over sheets, CSV, and tables in Word, PDF, HTML. A result's `table` is such a name.

**Show.** `get_element_image(document_slug, "Figure 8-1")` and `get_page_image(document_slug, 12)` give pictures.

**Cite.** Name the document's title, the page or section, and the URI. A slug always means the newest version;
a doc_id (12 hex digits) means exactly that version.

`get_library_status()` tells whether indexing is still going on and which files could not be read.
"""


async def read_tour(services: Services) -> ResourceContent:
    """The tour, with one sentence on what is indexed just now."""
    page = await services.library.documents(page_size=1)
    state = f"It holds {page.total:,} documents. {await services.library.progress()}".strip()
    return ResourceContent(TOUR.uri, TOUR.media_type, text=_TEXT.format(state=state))
