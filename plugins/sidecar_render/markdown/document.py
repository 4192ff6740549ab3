"""Plain Markdown as the data that the default quill's plate draws.

Why not quillmark's own Markdown: in 0.113 it drops pictures, footnotes and formulas, and reads tilde fences as cards.
Why data and not generated Typst: what is never code needs no escaping, so no document can break out of its place. The
engine still is quillmark, and the look still is a quill. Not responsible for the look, nor for fetching pictures."""

from collections.abc import Callable

from sidecar_render.markdown.blocks import Body, MarkdownReader
from sidecar_render.markdown.images import Asset
from sidecar_render.markdown.pagination import on_their_own_pages


def picture_sources(markdown: str) -> tuple[str, ...]:
    """The addresses of all pictures the Markdown shows, each once, in order."""
    found: dict[str, None] = {}

    def collect(source: str) -> str:
        found[source] = None
        return ""

    read_body(markdown, 0, collect)
    return tuple(found)


def read_body(
    markdown: str, offset: int, pictures: Callable[[str], Asset | str], *, formulas: bool = True, title: str = "",
    lang: str = "",
) -> Body:  # fmt: skip
    """Read the Markdown, which begins after `offset` lines of its file. `pictures` gives what is at an address, or why
    it cannot be shown.

    A single first-level heading at the very start becomes the title, unless `title` says there is one; a heading that
    repeats that title is dropped."""
    walk = MarkdownReader(pictures, formulas=formulas, lang=lang)
    walk.env["footnotes"] = {}
    walk.body.blocks = walk.text(markdown, offset, 0)
    body = walk.body
    first = body.blocks[0] if body.blocks else None
    if isinstance(first, dict) and first["k"] == "h" and first["n"] == 1:
        alone = sum(isinstance(node, dict) and node["k"] == "h" and node["n"] == 1 for node in body.blocks) == 1
        if first["plain"].strip() == title.strip() or (alone and not title and len(first["plain"]) <= 200):
            body.title = first["plain"].strip()
            del body.blocks[0]
            body.anchors.pop(first["id"], None)
            body.headings.remove(first)
    highest = min((heading["n"] for heading in body.headings), default=1)
    for heading in body.headings:  # below a title, the sections are the first level, whatever they were written as
        heading["n"] -= highest - 1
    body.blocks = on_their_own_pages(body.blocks)
    return body
