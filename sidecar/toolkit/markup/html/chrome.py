"""Tells a page's content from what surrounds it (navigation, banners, cookie notices, footers).

The rule is subtractive: everything stays except what is clearly chrome by its role, tag or class together with its link
density, and when that would leave next to nothing, everything stays. (Scoring that picks one best container, as
Readability does, loses articles that are spread over several.)"""

import re
from dataclasses import dataclass
from functools import lru_cache

from sidecar.toolkit.xml import XmlElement, etree

_ENOUGH = 250
"""Characters below which what is left is not believed to be the whole content."""

_LENGTH = etree.XPath("string-length(normalize-space(.))")
_ROLE_MAIN = etree.XPath(".//@role[.='main']/..")  # half the time of asking each element
_REGIONS = ("nav", "aside", "header", "footer", "dialog", "menu")
_BOXES = frozenset(("div", "section", "ul", "ol", "table", "form", "p", "span", "dl", "td"))
_HAS_H1 = etree.XPath("boolean(.//h1)")

# Words of class and id, matched as whole words: "main-nav" and "navbar" are, "navigate-to-success" is not.
_SURE = re.compile(
    r"(?:^|[\s_-])(?:cookie\w*|gdpr|consent|skip-?(?:link|nav|to-content)|breadcrumbs?|mw-editsection|mw-jump-link|navbox\w*|"
    r"catlinks|printfooter|nav(?:header|footer)|headerlink|advert\w*|adsbygoogle|share-?(?:buttons?|bar|links?)|social-?(?:links?|share|media|icons?))"
    r"(?:$|[\s_-])",
    re.IGNORECASE,
)
_LIKELY = re.compile(
    r"(?:^|[\s_-])(?:nav\w*|menu\w*|side-?bar\w*|toc|tableofcontents|related\w*|recommend\w*|promo\w*|sponsor\w*|newsletter|"
    r"subscribe|pagination|pager|toolbar|footer\w*|masthead|top-?bar|banner|popup|modal|social|sharing|share|portlet|language-?(?:list|selector))(?:$|[\s_-])",
    re.IGNORECASE,
)
_ROLES = frozenset(("navigation", "search", "menu", "menubar", "toolbar", "dialog", "alertdialog"))
_PAGE_ROLES = frozenset(("banner", "contentinfo"))
"""Landmarks of the page only outside its main part (WAI-ARIA 1.2 §5.3.4); inside, pages use them for anything."""


@dataclass(frozen=True)
class MainContent:
    """The element to read, the elements in it to leave out, those of them that lie in no other one of them, in order,
    and how many characters all that leaves out."""

    root: XmlElement
    left_out: frozenset[XmlElement]
    outermost: tuple[XmlElement, ...] = ()
    left_out_chars: int = 0


def find_content(body: XmlElement) -> MainContent:
    """The content of a page's `body`."""
    everything = MainContent(body, frozenset())
    total = _LENGTH(body)
    if total < _ENOUGH:
        return everything
    root = _main(body, total)
    within = total if root is body else _LENGTH(root)
    out: set[XmlElement] = set()
    outermost: list[XmlElement] = []
    lost = 0.0
    for node in root.iter(*_REGIONS, *_BOXES):
        size = _is_chrome(node, within, in_main=root is not body)
        if size is not None and node is not root:
            out.add(node)
            if not any(ancestor in out for ancestor in node.iterancestors()):
                outermost.append(node)
                lost += size
    if within - lost < min(_ENOUGH, 0.5 * total):
        return everything
    return MainContent(root, frozenset(out), tuple(outermost), int(total - within + lost))


def _main(body: XmlElement, total: float) -> XmlElement:
    """The one element that holds the content by the page's own word, or the body."""
    mains: list[XmlElement] = list(body.iter("main")) or _ROLE_MAIN(body)
    articles: list[XmlElement] = [] if mains else [one for one in body.iter("article") if not _in_article(one)]
    found = mains or articles
    if len(found) == 1 or (mains and all(mains[0] in node.iterancestors() for node in mains[1:])):
        size = _LENGTH(found[0])
        # A main that holds little while the rest of the page holds much is mislabelled (a shell filled by script).
        if size >= 0.4 * total or (size >= (_ENOUGH if mains else 4 * _ENOUGH) and size >= 0.1 * total):
            return found[0]
    return body


def _in_article(node: XmlElement) -> bool:
    return next(node.iterancestors("article"), None) is not None


def _is_chrome(node: XmlElement, total: float, *, in_main: bool) -> float | None:
    """The text length of an element that is chrome, None for content."""
    get = node.get
    role, words, own = get("role", ""), get("class"), get("id")
    sure, likely = _named(words) if words else (False, False)
    if own and not sure:
        also_sure, also_likely = _named(own)
        sure, likely = also_sure, likely or also_likely
    tag = node.tag
    if not sure and not likely and not role and tag in _BOXES:
        return None
    if tag == "nav" or role in _ROLES or (role in _PAGE_ROLES and not in_main) or sure:
        size = _LENGTH(node)
        # Some pages mark their very body as a "banner"; nothing that holds half of the text is chrome.
        return size if size <= 0.5 * total and not (role == "banner" and _HAS_H1(node)) else None
    if tag in ("header", "footer", "aside", "dialog", "menu") or likely:
        if tag == "header" and _HAS_H1(node):
            return None
        size = _LENGTH(node)
        if size > 0.5 * total:
            return None
        if tag == "footer" and not in_main and not _in_article(node):
            return size
        return size if not size or sum(_LENGTH(link) for link in node.iter("a")) >= 0.5 * size else None
    return None


@lru_cache(maxsize=4096)
def _named(words: str) -> tuple[bool, bool]:
    """Whether a class or id surely, and whether it likely, names chrome. A page has few of them, on many elements."""
    return _SURE.search(words) is not None, _LIKELY.search(words) is not None


def text_length(node: XmlElement) -> float:
    """Characters of text in an element, white space collapsed."""
    return _LENGTH(node)
