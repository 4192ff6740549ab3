"""What a page says about itself: title, description, language, author, dates (HTML §4.2, Open Graph, Dublin Core)."""

from dataclasses import dataclass

from sidecar.toolkit.xml import XmlElement

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
class PageFacts:
    """Title and description, "" where the page has none; metadata by our names."""

    title: str
    description: str
    metadata: dict[str, str]


def read_facts(root: XmlElement) -> PageFacts:
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
            title = " ".join("".join(node.itertext()).split())
            break
    title = title or next((metas[name] for name in _TITLES if name in metas), "")
    description = next((metas[name] for name in _DESCRIPTIONS if name in metas), "")
    return PageFacts(title, description, facts)
