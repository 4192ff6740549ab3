"""What HTML tags mean for text: headings, lists, quotes, code, links and marks (HTML Living Standard §4.3 to §4.5).

Pictures, formulas and form controls are in `objects`, tables in `tables`.
"""

from __future__ import annotations

from sidecar.api.model import Code, Heading, SpanKind
from sidecar.toolkit.markup.html import objects
from sidecar.toolkit.markup.html.tables import is_layout, read_table
from sidecar.toolkit.markup.html.walk import DEEPEST, Handler, Walk
from sidecar.toolkit.xml import XmlElement

__all__ = ["HANDLERS", "SILENT"]


def silent(walk: Walk, node: XmlElement) -> None:
    """Never shown to a reader as text."""


def heading(walk: Walk, node: XmlElement) -> None:
    walk.flush()
    anchor = node.get("id") or ""
    if not anchor:
        for below in node.iter("a", "span"):
            anchor = below.get("id") or below.get("name") or ""
            if anchor:
                break
    anchor = anchor or walk.anchor
    walk.children(node)
    walk.anchor = ""
    text, spans = walk.line.take()
    if text:
        # A level of its own (ARIA) or the tag's digit.
        level = node.get("aria-level") or node.tag[1:]
        depth = min(max(int(level), 1), 9) if level.isascii() and level.isdecimal() else 2
        walk.blocks.append(
            Heading(text=text.replace("\n", " "), spans=spans, level=depth, anchor=anchor, hidden=walk.hidden)
        )
    walk.flush()


def line_break(walk: Walk, node: XmlElement) -> None:
    walk.line.line_break()
    if node.text or len(node):
        walk.children(node)


def ruby_text(walk: Walk, node: XmlElement) -> None:
    walk.line.add_exact("(")
    walk.children(node)
    walk.line.add_exact(")")


def quoted(walk: Walk, node: XmlElement) -> None:
    walk.line.add("“")
    walk.children(node)
    walk.line.add_exact("”")


def list_(walk: Walk, node: XmlElement) -> None:
    walk.flush()
    kept = walk.in_item, walk.marker, walk.ordered
    walk.list_level += 1
    ordered = node.tag == "ol"
    number = _start(node)
    step = -1 if node.get("reversed") is not None else 1
    numbering = node.get("type") or "1"
    for child in node:
        if child.tag == "li" and child not in walk.special:
            value = child.get("value") or ""
            if ordered and value.lstrip("-").isdecimal() and value.isascii():
                number = int(value[:9])
            walk.marker = f"{_numeral(number, numbering)}." if ordered else "•"
            walk.in_item, walk.ordered = True, ordered
            number += step
            _item(walk, child)
        elif child.tag in ("ul", "ol") and child not in walk.special:
            list_(walk, child)  # a list right inside a list: wrong, and common
        elif child in walk.special:
            walk.in_item, walk.ordered, walk.marker = True, ordered, "•"
            walk.special_child(child)
        else:
            walk.element(child)
            walk.flush()
    walk.list_level -= 1
    walk.in_item, walk.marker, walk.ordered = kept


def _item(walk: Walk, node: XmlElement) -> None:
    walk.depth += 1
    if walk.depth > DEEPEST:
        walk.line.add(" ".join(node.itertext()))
    else:
        walk.children(node)
    walk.depth -= 1
    walk.flush()


def loose_item(walk: Walk, node: XmlElement) -> None:
    """An `li` outside any list."""
    walk.flush()
    kept = walk.in_item
    walk.in_item, walk.marker = True, "•"
    walk.block(node)
    walk.in_item = kept


def quote(walk: Walk, node: XmlElement) -> None:
    walk.flush()
    kept, walk.style = walk.style, "quote"
    walk.children(node)
    walk.flush()
    walk.style = kept


def preformatted(walk: Walk, node: XmlElement) -> None:
    walk.flush()
    for line_end in node.iter("br"):
        line_end.tail = "\n" + (line_end.tail or "")
    text = "".join(node.itertext()).strip("\n").rstrip()
    if text.strip():
        walk.blocks.append(Code(text=text, language=_language(node), hidden=walk.hidden))


def rule(walk: Walk, node: XmlElement) -> None:
    walk.flush()


def table(walk: Walk, node: XmlElement) -> None:
    walk.flush()
    if walk.depth > DEEPEST - 20 or is_layout(node):
        walk.children(node)
        walk.flush()
        return
    walk.blocks += read_table(node, walk, hidden=walk.hidden)
    walk.flush()


def cell(walk: Walk, node: XmlElement) -> None:
    """A cell of a table used for layout, or outside any table."""
    walk.block(node)


def term(walk: Walk, node: XmlElement) -> None:
    """A term of a description list: an item without marker, its definitions one level below."""
    _described(walk, node, 0)


def definition(walk: Walk, node: XmlElement) -> None:
    _described(walk, node, 1)


def _described(walk: Walk, node: XmlElement, deeper: int) -> None:
    walk.flush()
    kept = walk.in_item, walk.marker, walk.list_level
    walk.in_item, walk.marker, walk.list_level = True, "", walk.list_level + 1 + deeper
    if deeper:
        walk.children(node)
    else:
        walk.marked("bold", node)
    walk.flush()
    walk.in_item, walk.marker, walk.list_level = kept


def anchor(walk: Walk, node: XmlElement) -> None:
    walk.anchor = node.get("id") or node.get("name") or walk.anchor
    href = (node.get("href") or "").strip()
    if href and not href[:11].lower().startswith(("javascript:", "data:")):
        walk.marked("link", node, href)
    else:
        walk.children(node)


def script(walk: Walk, node: XmlElement) -> None:
    """MathJax keeps formulas in scripts; any other script is code of the page, not content."""
    kind = node.get("type") or ""
    if kind.startswith("math/tex") and node.text:
        latex = " ".join(node.text.split())
        walk.formula(latex, latex, display="display" in kind)


def _mark(kind: SpanKind) -> Handler:
    def handle(walk: Walk, node: XmlElement) -> None:
        walk.marked(kind, node)

    return handle


def _edit(kind: SpanKind) -> Handler:
    def handle(walk: Walk, node: XmlElement) -> None:
        walk.marked(kind, node, date=node.get("datetime") or "")

    return handle


def _start(node: XmlElement) -> int:
    start = node.get("start") or ""
    return int(start[:9]) if start.lstrip("-").isdecimal() and start.isascii() and start != "-" else 1


def _numeral(number: int, numbering: str) -> str:
    if numbering in "aA" and 0 < number < 703:
        letters = ""
        while number:
            number, rest = divmod(number - 1, 26)
            letters = chr(97 + rest) + letters
        return letters if numbering == "a" else letters.upper()
    if numbering in "iI" and 0 < number < 4000:
        roman = ""
        for value, numeral in zip(
            (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
            ("m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"), strict=True,
        ):  # fmt: skip
            roman += numeral * (number // value)
            number %= value
        return roman if numbering == "i" else roman.upper()
    return str(number)


def _language(node: XmlElement) -> str:
    """The language a `pre` or its `code` names in a class: "language-python", "highlight-source-js", "brush: xml"."""
    for holder in (node, *node.iter("code"), node.getparent()):
        if holder is None:
            continue
        words = (holder.get("class") or "").replace("brush:", "language-").replace("- ", "-").split()
        for word in words:
            for prefix in ("language-", "lang-", "highlight-source-", "highlight-", "sourceCode-"):
                if word.startswith(prefix) and word[len(prefix) :] not in ("", "text", "none", "default"):
                    return word[len(prefix) :]
    return node.get("lang") or ""


def _handlers() -> dict[str, Handler]:
    known: dict[str, Handler] = {
        "script": script, "br": line_break, "a": anchor, "rt": ruby_text, "q": quoted,
        "ul": list_, "ol": list_, "menu": list_, "dir": list_, "li": loose_item,
        "dt": term, "dd": definition, "blockquote": quote, "pre": preformatted,
        "listing": preformatted, "xmp": preformatted, "hr": rule, "table": table, "img": objects.picture,
        "image": objects.picture, "svg": objects.drawing, "figure": objects.figure_element, "math": objects.math,
        "input": objects.field, "select": objects.choice,
        "b": _mark("bold"), "strong": _mark("bold"), "i": _mark("italic"), "em": _mark("italic"),
        "cite": _mark("italic"), "dfn": _mark("italic"), "var": _mark("italic"), "u": _mark("underline"),
        "s": _mark("strike"), "strike": _mark("strike"), "del": _edit("del"), "ins": _edit("ins"),
        "code": _mark("code"), "kbd": _mark("code"), "samp": _mark("code"), "tt": _mark("code"),
        "sub": _mark("sub"), "sup": _mark("sup"),
    }  # fmt: skip
    unseen = (
        "style noscript template head title meta link base object embed iframe audio video canvas button datalist rp "
        "map"
    )
    for tag in unseen.split():
        known[tag] = silent
    blocks = (
        "p div section article main aside header footer nav address center details summary fieldset legend form dl "
        "figcaption caption hgroup dialog body html search noframes"
    )
    for tag in blocks.split():
        known[tag] = Walk.block
    for tag in ("tr", "td", "th", "tbody", "thead", "tfoot"):
        known[tag] = cell
    for tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
        known[tag] = heading
    return known


HANDLERS = _handlers()
SILENT: frozenset[Handler] = frozenset((silent, script))
