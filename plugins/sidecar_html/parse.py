"""Reads one web page: decode, find the content, read it, cut chapters. Nothing is fetched and nothing runs. What a page
says about itself: title, description, language, author, dates (HTML §4.2, Open Graph, Dublin Core)."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urljoin

from sidecar.api.errors import NotFoundError
from sidecar.api.formats import Limits, Payload, Source
from sidecar.api.model import NAVIGATION, AnyBlock, Figure, Heading, Notice, Paragraph, ParsedDocument, Part
from sidecar.toolkit.hidden import find_hidden, is_plain
from sidecar.toolkit.markup.chapters import block_text, elements_of, place_embeds, split_chapters
from sidecar.toolkit.markup.html import declared_encoding, depth_notice, parse_html, read_html
from sidecar.toolkit.markup.html.chrome import MainContent, find_content
from sidecar.toolkit.markup.pictures import Pictures, open_data_url, payload
from sidecar.toolkit.text import decode
from sidecar.toolkit.visible import comment_notes, comments_notice, hidden_notice, source_comments
from sidecar.toolkit.xml import XmlElement, words_of
from sidecar_html.mhtml import SavedPage, is_mhtml
from sidecar_html.webarchive import WebArchive, is_webarchive

_NAMES = {
    "author": "author", "article:author": "author", "dc.creator": "author", "dcterms.creator": "author",
    "keywords": "keywords", "news_keywords": "keywords", "dc.subject": "keywords",
    "article:published_time": "created", "dc.date": "created", "dcterms.created": "created", "date": "created",
    "citation_publication_date": "created", "article:modified_time": "modified", "last-modified": "modified",
    "dcterms.modified": "modified", "og:site_name": "site", "application-name": "site", "generator": "application",
    "dc.publisher": "publisher", "publisher": "publisher", "og:url": "url", "dc.rights": "rights",
    "copyright": "rights", "dc.language": "language", "content-language": "language",
}  # fmt: skip
_TITLES = ("og:title", "dc.title", "citation_title", "twitter:title")
_DESCRIPTIONS = ("description", "og:description", "dc.description", "twitter:description")


@dataclass(frozen=True)
class _PageFacts:
    """Title and description, "" where the page has none; metadata by our names."""

    title: str
    description: str
    metadata: dict[str, str]


def _read_facts(root: XmlElement) -> _PageFacts:
    """The facts of a whole page (`html` element)."""
    metas: dict[str, str] = {}
    for node in root.iter("meta"):
        name = (node.get("name") or node.get("property") or node.get("http-equiv") or "").strip().lower()
        value = " ".join((node.get("content") or "").split())
        if name and value:
            metas.setdefault(name, value)
    facts: dict[str, str] = {}
    for name, key in _NAMES.items():
        if name in metas and key not in facts:
            facts[key] = metas[name][:1000]
    language = root.get("lang") or root.get("xml:lang") or ""
    if language.strip():
        facts["language"] = language.strip()[:35]
    for link in root.iter("link"):
        if "canonical" in (link.get("rel") or "").lower().split() and link.get("href"):
            facts["url"] = link.get("href").strip()
            break
    title = ""
    for node in root.iter("title"):
        if node.getparent() is None or node.getparent().tag != "svg":
            title = words_of(node)
            break
    title = title or next((metas[name] for name in _TITLES if name in metas), "")
    description = next((metas[name] for name in _DESCRIPTIONS if name in metas), "")
    return _PageFacts(title, description, facts)


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The page as a document of chapters. Raises FormatError."""
    return _parse(source, limits, "")[0]


def open_embedded(source: Source, ref: str, limits: Limits) -> Payload:
    """A picture of the page: `data:n` is its n-th data URL, `mime:n` a file saved with it. Raises NotFoundError."""
    kind, _, number = ref.partition(":")
    saved = _saved(source, source.read(limits.max_file_bytes)) if kind == "mime" and number.isdecimal() else None
    if saved is not None:
        try:
            data, media_type = saved.read(int(number))
        except IndexError:
            raise NotFoundError(f"{source.name} holds no saved file {ref}.") from None
        return payload(data, media_type)
    return open_data_url(_parse(source, limits, ref)[1] if kind == "data" else "", source.name, ref)


def _saved(source: Source, data: bytes) -> SavedPage | WebArchive | None:
    """The page with the files saved with it; None for a page alone."""
    if is_webarchive(source):
        return WebArchive(data, source.name)
    return SavedPage(data, source.name) if is_mhtml(source) else None


def _parse(source: Source, limits: Limits, wanted: str) -> tuple[ParsedDocument, str]:
    """The document, and the data URL whose reference is `wanted`."""
    data = source.read(limits.max_file_bytes)
    saved = _saved(source, data)
    declared = ""
    if saved:
        data, declared = saved.html()
    decoded, remarks = decode(data, source.name, declared or declared_encoding(data)).within(limits)
    text, notices = decoded.text, list(remarks)
    if not text.strip():
        return ParsedDocument(notices=tuple(notices)), ""
    root = parse_html(text, source.name)
    facts = _read_facts(root)
    body = root.find("body")
    body = root if body is None else body
    content = find_content(body)
    pictures = Pictures(limits.max_embedded, saved.resolve if saved else None, wanted)
    comments = source_comments(text)
    hidden = around = find_hidden(body)
    if content.root is not body and not all(map(is_plain, content.root.iterancestors())):
        hidden = find_hidden(content.root)  # what hides a whole page at first, a script undoes
    blocks = read_html(content.root, pictures, content.left_out, hidden)
    notices += (*depth_notice(root), *hidden_notice(blocks), *comments_notice(comments))
    chapters = split_chapters([*blocks, *comment_notes(comments)], "", limits.max_parts)
    parts = chapters.parts
    if aside := _surroundings(body, content, around) if len(parts) < limits.max_parts else []:
        level = min((block.level for block in blocks if isinstance(block, Heading)), default=1)
        # A heading of the highest level, so that the last section of the content ends before it.
        around = (Heading(text="Navigation", level=level), *aside)
        parts += (Part(kind="chapter", title="Navigation", blocks=around, metadata={"kind": NAVIGATION}),)
        notices.append(
            Notice(
                "left_out",
                f"Navigation, banners and footers ({content.left_out_chars:,} characters) stand apart, in the last "
                "chapter.",
                len(parts),
            )
        )
    notices += pictures.notices()
    metadata = dict(facts.metadata)
    if saved and saved.address:
        metadata.setdefault("url", urljoin(saved.address, metadata.get("url", "")))
    document = ParsedDocument(
        title=facts.title or chapters.title, description=facts.description, metadata=metadata, parts=parts,
        elements=elements_of(chapters.parts), embedded=place_embeds(chapters.parts, pictures.embedded),
        notices=tuple(notices),
    )  # fmt: skip
    return document, pictures.found_url


def _surroundings(body: XmlElement, content: MainContent, hidden: frozenset[XmlElement]) -> Sequence[AnyBlock]:
    """What stands around the content, each text (with where it links to) once; its pictures are decoration, and what it
    hides it unfolds for a reader who points at it. `hidden` are the elements the page hides."""
    outside = read_html(body, Pictures(0), hidden | {content.root}) if content.root is not body else []
    for node in content.outermost:
        outside += read_html(node, Pictures(0), hidden)
    found: dict[object, AnyBlock] = {}
    for block in outside:
        text = "" if isinstance(block, Figure) else block_text(block)
        if text.strip():
            # "Read more" of one article is not that of another.
            links = tuple(span.value for span in getattr(block, "spans", ()) if span.kind == "link")
            shown = Paragraph(text=text, spans=block.spans) if isinstance(block, Heading) else block
            found.setdefault((text, links), shown)
    return list(found.values())
