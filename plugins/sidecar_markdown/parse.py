"""Reads one Markdown file: front matter, blocks, chapters."""

from sidecar.api import Limits, NotFoundError, ParsedDocument, Payload, Source
from sidecar.toolkit.markup.chapters import elements_of, place_embeds, split_chapters
from sidecar.toolkit.markup.markdown import markdown_parser, read_markdown
from sidecar.toolkit.markup.pictures import Pictures, open_data_url
from sidecar.toolkit.text import read_text, without_surrogates
from sidecar.toolkit.visible import comment_notes, comments_notice, hidden_notice, source_comments
from sidecar_markdown.front import split_front_matter


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The file as a document of chapters. Raises FormatError."""
    return _parse(source, limits, "")[0]


def open_embedded(source: Source, ref: str, limits: Limits) -> Payload:
    """The picture whose `data:` URL is the n-th distinct one (`data:n`). Raises NotFoundError."""
    url = _parse(source, limits, ref)[1] if ref.startswith("data:") else ""
    if not url:
        raise NotFoundError(f"{source.name} holds no embedded file {ref!r}.")
    return open_data_url(url, f"{source.name}: {ref}")


def _parse(source: Source, limits: Limits, wanted: str) -> tuple[ParsedDocument, str]:
    decoded, notices = read_text(source, limits)
    front, body = split_front_matter(without_surrogates(decoded.text))
    pictures = Pictures(limits.max_embedded, wanted=wanted)
    blocks = read_markdown(markdown_parser(), body, pictures)
    comments = source_comments(body, markdown=True)
    chapters = split_chapters([*blocks, *comment_notes(comments)], front.title, limits.max_parts)
    document = ParsedDocument(
        title=chapters.title,
        description=front.description,
        metadata=front.metadata,
        parts=chapters.parts,
        elements=elements_of(chapters.parts),
        embedded=place_embeds(chapters.parts, pictures.embedded),
        notices=(*notices, *hidden_notice(blocks), *comments_notice(comments), *pictures.notices()),
    )
    return document, pictures.found_url
