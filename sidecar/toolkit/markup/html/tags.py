"""What HTML tags mean for text: headings, lists, quotes, code, links and marks (HTML Living Standard §4.3 to §4.5).

Pictures, formulas and form controls are in `objects`, tables in `tables`."""

import re
from collections.abc import Callable

from sidecar.api.model import Code, Heading, SpanKind
from sidecar.toolkit.cell_references import column_name
from sidecar.toolkit.markup.html import objects
from sidecar.toolkit.markup.html.chrome import text_length
from sidecar.toolkit.markup.html.reader import MAX_DEPTH, Handler, HtmlReader
from sidecar.toolkit.markup.html.tables import foster, is_layout, read_table
from sidecar.toolkit.markup.notes import is_way_back, raised_number
from sidecar.toolkit.text import roman
from sidecar.toolkit.xml import XmlElement, unsigned

_PERMALINKS = frozenset(("¶", "#", "§", "🔗", "⚓", "⚓︎"))
"""What stands beside headings as a link to themselves."""
_HEADS = ("h1", "h2", "h3", "h4", "h5", "h6", "summary", "legend", "dt")
_LABELLED = (*_HEADS, "td", "th")
_ENDS = frozenset(".)")
"""What ends the number of an item."""
_WORD_LIST = re.compile(r"mso-list:\s?l\d+ level([1-9])")
_OPENS = ("aria-expanded", "aria-controls")
_ACCORDION = re.compile(r"accordion|collaps", re.IGNORECASE)
_MENU = re.compile(r"nav|menu|drop-?down|hamburger|toggler|burger|search|close", re.IGNORECASE)
"""Classes of buttons that open parts of a page, and of those that open menus."""


def silent(reader: HtmlReader, node: XmlElement) -> None:
    """Never shown to a reader as text."""


def heading(reader: HtmlReader, node: XmlElement) -> None:
    """`h1` to `h6`."""
    reader.flush()
    anchor = node.get("id") or ""
    if not anchor:
        for below in node.iter("a", "span"):
            anchor = below.get("id") or below.get("name") or ""
            if anchor:
                break
    anchor = anchor or reader.anchor
    reader.children(node)
    reader.anchor = ""
    text, spans = reader.line.finish_line()
    if text:
        # A level of its own (ARIA) or the tag's digit.
        depth = min(max(unsigned(node.get("aria-level") or node.tag[1:], 2), 1), 9)
        reader.blocks.append(
            Heading(text=text.replace("\n", " "), spans=spans, level=depth, anchor=anchor, hidden=reader.hidden)
        )
    reader.flush()


def line_break(reader: HtmlReader, node: XmlElement) -> None:
    """`br`; broken pages put content into it."""
    reader.line.line_break()
    if node.text or len(node):
        reader.children(node)


def _ruby_text(reader: HtmlReader, node: XmlElement) -> None:
    """The pronunciation above characters, in brackets behind them."""
    reader.line.add_exact("(")
    reader.children(node)
    reader.line.add_exact(")")


def quoted(reader: HtmlReader, node: XmlElement) -> None:
    """`q`."""
    reader.line.add("“")
    reader.children(node)
    reader.line.add_exact("”")


def list_(reader: HtmlReader, node: XmlElement) -> None:
    """`ul` and `ol`, with the numbers a browser would show."""
    reader.flush()
    kept = reader.in_item, reader.marker, reader.ordered
    reader.list_level += 1
    ordered = node.tag == "ol"
    number = _start(node)
    step = -1 if node.get("reversed") is not None else 1
    numbering = node.get("type") or "1"
    if node.text:
        reader.line.add(node.text)
    for child in node:
        if child.tag == "li" and child not in reader.special:
            reader.flush()
            value = child.get("value") or ""
            if ordered and value.lstrip("-").isdecimal() and value.isascii():
                number = int(value[:9])
            reader.marker = f"{_numeral(number, numbering)}." if ordered else "•"
            reader.in_item, reader.ordered = True, ordered
            number += step
            _item(reader, child)
        elif child.tag in ("ul", "ol") and child not in reader.special:
            _item(reader, child, list_)  # a list right inside a list: wrong, and common
        elif child in reader.special:
            reader.in_item, reader.ordered, reader.marker = True, ordered, "•"
            reader.special_child(child)
        else:
            reader.element(child)
        if child.tail:
            reader.line.add(child.tail)
    reader.flush()
    reader.list_level -= 1
    reader.in_item, reader.marker, reader.ordered = kept


def _item(
    reader: HtmlReader, node: XmlElement, read: Callable[[HtmlReader, XmlElement], None] = HtmlReader.children
) -> None:
    reader.depth += 1
    if reader.depth > MAX_DEPTH:
        reader.line.add(" ".join(node.itertext()))
    else:
        read(reader, node)
    reader.depth -= 1
    reader.flush()


def _loose_item(reader: HtmlReader, node: XmlElement) -> None:
    """An `li` outside any list."""
    reader.flush()
    kept = reader.in_item
    reader.in_item, reader.marker = True, "•"
    reader.block(node)
    reader.in_item = kept


def paragraph(reader: HtmlReader, node: XmlElement) -> None:
    """`p`; Word and Outlook write an item of a list as one, its bullet or number in an element that others ignore."""
    style = node.get("style")
    listed = _WORD_LIST.search(style) if style and "mso-list" in style else None
    if listed is None:
        reader.block(node)
        return
    reader.flush()
    sign = next((one for one in node.iter("span") if "mso-list:ignore" in (one.get("style") or "").lower()), None)
    marker = "" if sign is None else "".join("".join(sign.itertext()).split())
    if sign is not None:
        reader.leave_out(frozenset((sign,)))
    kept = reader.in_item, reader.marker, reader.ordered, reader.list_level
    ordered = marker[-1:] in _ENDS and len(marker) > 1
    reader.in_item, reader.ordered, reader.list_level = True, ordered, int(listed[1]) - 1
    reader.marker = marker if ordered else "•"
    reader.block(node)
    reader.in_item, reader.marker, reader.ordered, reader.list_level = kept


def quote(reader: HtmlReader, node: XmlElement) -> None:
    """`blockquote`."""
    reader.flush()
    kept, reader.style = reader.style, "quote"
    reader.children(node)
    reader.flush()
    reader.style = kept


def _preformatted(reader: HtmlReader, node: XmlElement) -> None:
    """`pre`: code, its line ends kept."""
    reader.flush()
    for line_end in node.iter("br"):
        line_end.tail = "\n" + (line_end.tail or "")
    for button in list(node.iter("button")):  # "copy" beside the code
        tail = button.tail
        button.clear()
        button.tail = tail
    text = "".join(node.itertext()).strip("\n").rstrip()
    if text.strip():
        reader.blocks.append(Code(text=text, language=_language(node), hidden=reader.hidden))


def rule(reader: HtmlReader, node: XmlElement) -> None:
    """`hr`."""
    reader.flush()


def table(reader: HtmlReader, node: XmlElement) -> None:
    """A table of data; one used for layout is read cell by cell."""
    reader.flush()
    strays = foster(node)
    if strays.text or len(strays):
        reader.block(strays)
    if reader.depth > MAX_DEPTH - 20 or is_layout(node):
        reader.children(node)
        reader.flush()
        return
    reader.blocks += read_table(node, reader, hidden=reader.hidden)
    reader.flush()


def cell(reader: HtmlReader, node: XmlElement) -> None:
    """A cell of a table used for layout, or outside any table."""
    reader.block(node)


def button(reader: HtmlReader, node: XmlElement) -> None:
    """A button's label, as the page shows it. One that stands beside the words of a heading or a value of a table is an
    action on them ("Copy link", "+") and is left out; one that opens and closes what it heads has a line of its own."""
    beside = next(node.iterancestors(*_LABELLED), None)
    looks = node.get("class") or ""
    opens = any(node.get(name) is not None for name in _OPENS) or _ACCORDION.search(looks)
    if beside is not None:
        if 2 * text_length(node) >= text_length(beside):
            reader.children(node)
    elif opens and node.get("aria-haspopup") is None and not _MENU.search(looks):
        reader.block(node)
    else:
        reader.line.add(" ")
        reader.children(node)
        reader.line.add(" ")


def term(reader: HtmlReader, node: XmlElement) -> None:
    """A term of a description list: an item, its definitions one level below."""
    _described(reader, node, 0)


def definition(reader: HtmlReader, node: XmlElement) -> None:
    """A definition of a description list."""
    _described(reader, node, 1)


def _described(reader: HtmlReader, node: XmlElement, deeper: int) -> None:
    reader.flush()
    kept = reader.in_item, reader.marker, reader.list_level
    reader.in_item, reader.marker, reader.list_level = True, "•", reader.list_level + 1 + deeper
    if deeper:
        reader.children(node)
    else:
        reader.marked("bold", node)
    reader.flush()
    reader.in_item, reader.marker, reader.list_level = kept


def anchor(reader: HtmlReader, node: XmlElement) -> None:
    """`a`: a link, or a place to link to; a note's number."""
    notes = reader.notes
    if notes.notes:  # most pages have none, and links by the thousand
        if (called := notes.references.get(node)) is not None:
            start = reader.line.length
            reader.line.add_exact(f"[{called}]")
            reader.line.span("note", start, called)
            return
        if is_way_back(node, notes):
            return
    get = node.get
    reader.anchor = get("id") or get("name") or reader.anchor
    href = (get("href") or "").strip()
    if href[:1] == "#" and node.text is not None and not len(node) and node.text.strip() in _PERMALINKS:
        return
    if href and not (href[0] in "jJdD" and href[:11].lower().startswith(("javascript:", "data:"))):
        if reader.line.in_word and (number := raised_number(node)):
            start = reader.line.length
            reader.line.add_exact(f"[{number}]")  # or it would be part of the word before it
            reader.line.span("link", start, href)
        else:
            reader.marked("link", node, href)
    else:
        reader.children(node)


def script(reader: HtmlReader, node: XmlElement) -> None:
    """MathJax keeps formulas in scripts; any other script is code of the page, not content."""
    kind = node.get("type") or ""
    if kind.startswith("math/tex") and node.text:
        latex = " ".join(node.text.split())
        reader.formula(latex, latex, display="display" in kind)


def _mark(kind: SpanKind) -> Handler:
    def handle(reader: HtmlReader, node: XmlElement) -> None:
        reader.marked(kind, node)

    return handle


def _edit(kind: SpanKind) -> Handler:
    def handle(reader: HtmlReader, node: XmlElement) -> None:
        reader.marked(kind, node, date=node.get("datetime") or "")

    return handle


def _start(node: XmlElement) -> int:
    start = node.get("start") or ""
    return int(start[:9]) if start.lstrip("-").isdecimal() and start.isascii() and start != "-" else 1


def _numeral(number: int, numbering: str) -> str:
    if numbering in "aA" and 0 < number < 703:
        return column_name(number - 1) if numbering == "A" else column_name(number - 1).lower()
    if numbering in "iI" and 0 < number < 4000:
        return roman(number) if numbering == "i" else roman(number).upper()
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
        "script": script, "br": line_break, "a": anchor, "rt": _ruby_text, "q": quoted,
        "ul": list_, "ol": list_, "menu": list_, "dir": list_, "li": _loose_item,
        "dt": term, "dd": definition, "blockquote": quote, "pre": _preformatted,
        "listing": _preformatted, "xmp": _preformatted, "hr": rule, "table": table, "img": objects.picture,
        "image": objects.picture, "svg": objects.drawing, "figure": objects.figure_element, "math": objects.math,
        "input": objects.field, "textarea": objects.field, "select": objects.choice, "button": button,
        "b": _mark("bold"), "strong": _mark("bold"), "i": _mark("italic"), "em": _mark("italic"),
        "cite": _mark("italic"), "dfn": _mark("italic"), "var": _mark("italic"), "u": _mark("underline"),
        "s": _mark("strike"), "strike": _mark("strike"), "del": _edit("del"), "ins": _edit("ins"),
        "code": _mark("code"), "kbd": _mark("code"), "samp": _mark("code"), "tt": _mark("code"),
        "sub": _mark("sub"), "sup": _mark("sup"),
    }  # fmt: skip
    unseen = "style noscript template head title meta link base object iframe audio video canvas datalist rp map"
    for tag in unseen.split():
        known[tag] = silent
    blocks = (
        "div section article main aside header footer nav address center details summary fieldset legend form dl "
        "figcaption caption hgroup dialog body html search noframes"
    )
    for tag in blocks.split():
        known[tag] = HtmlReader.block
    known["p"] = paragraph
    for tag in ("tr", "td", "th", "tbody", "thead", "tfoot"):
        known[tag] = cell
    for tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
        known[tag] = heading
    return known


HANDLERS = _handlers()
SILENT: frozenset[Handler] = frozenset((silent, script))
