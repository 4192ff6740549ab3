"""HTML elements that are not text: pictures, inline drawings, figures, formulas and form controls."""

from msgspec.structs import replace

from sidecar.api.model import Figure, Paragraph, Table
from sidecar.toolkit.markup.grid import cell_content
from sidecar.toolkit.markup.html.chrome import text_length
from sidecar.toolkit.markup.html.mathml import read_math
from sidecar.toolkit.markup.html.reader import HtmlReader
from sidecar.toolkit.markup.svg import read_svg
from sidecar.toolkit.visible import visible
from sidecar.toolkit.xml import XmlElement, unsigned, words_of

_ICON = 32
"""Pixels up to which a picture with alternative text is an icon in the line, not a figure."""
_WRITTEN = frozenset(("text", "search", "email", "number", "date", "tel", "url"))
_PRESSED = frozenset(("submit", "reset", "button", "image"))
"""Types of fields that one writes in, and of those that are buttons (HTML Living Standard §4.10.5.1)."""


def picture(reader: HtmlReader, node: XmlElement) -> None:
    """An `img`: a figure, or its words in the line."""
    src = node.get("src") or node.get("data-src") or node.get("xlink:href") or node.get("href") or ""
    alt = " ".join((node.get("alt") or node.get("title") or "").split())
    if "mwe-math" in (node.get("class") or "") or alt.startswith(r"{\displaystyle"):
        return  # the picture of a formula whose MathML stands beside it
    if _tiny(node) or node.get("aria-hidden") == "true":
        return
    if alt and ((len(alt) <= 4 and not alt.isascii()) or (_side(node) <= _ICON and src[:5].lower() != "data:")):
        reader.line.add(f" {alt} ")  # an emoji drawn as a picture, an icon in the line: its text stands for it
        return
    key = reader.pictures.add(src, alt)
    if key or alt:
        outside = "" if key or src[:5].lower() == "data:" else src
        reader.figure(Figure(embed=key, alt=alt, source=outside, hidden=reader.hidden))


def drawing(reader: HtmlReader, node: XmlElement) -> None:
    """Inline SVG: its title and its words."""
    title = next((child.text or "" for child in node.iter("title")), "")
    words, unseen = "", ""
    if next(node.iter("text"), None) is not None:
        # What the page lays behind the drawing is not known.
        drawn = [Paragraph(text=text, spans=spans) for text, spans in read_svg(node, None)]
        shown = [one.text for one in map(visible, drawn) if isinstance(one, Paragraph)]
        words = " ".join(filter(None, shown))
        unseen = " ".join(one.text for one, left in zip(drawn, shown, strict=True) if one.text != left)
    if unseen:
        reader.figure(Figure(text=unseen, hidden=True))
    if words or (title.strip() and node.get("aria-hidden") != "true"):
        reader.figure(Figure(alt=" ".join(title.split()), text=words, hidden=reader.hidden))


def figure_element(reader: HtmlReader, node: XmlElement) -> None:
    """A `figure`: its caption goes to the one table or picture in it, else stands as a paragraph."""
    reader.flush()
    captions = [child for child in node.iter("figcaption") if next(child.iterancestors("figure")) is node]
    inner = reader.inner()
    for child in captions:
        inner.block(child)
    caption, spans, *_ = cell_content(inner.blocks, markers=False)
    caption = caption.replace("\n", " ")
    first = len(reader.blocks)
    reader.leave_out(frozenset(captions))
    reader.children(node)
    reader.flush()
    if not caption:
        return
    for at in range(first, len(reader.blocks)):
        block = reader.blocks[at]
        if isinstance(block, Figure):
            # A caption that only repeats the alternative text adds nothing.
            reader.blocks[at] = replace(block, caption=caption, alt="" if block.alt == caption else block.alt)
            return
        if isinstance(block, Table):
            # A table's own caption element is the nearer one.
            reader.blocks[at] = replace(block, caption=block.caption or caption)
            return
    if any(child.tag in ("img", "svg", "video", "canvas", "picture", "iframe") for child in node.iter()):
        reader.blocks.append(Figure(caption=caption, hidden=reader.hidden))
    else:
        reader.blocks.append(Paragraph(text=caption, spans=spans, style="caption", hidden=reader.hidden))


def math(reader: HtmlReader, node: XmlElement) -> None:
    """MathML."""
    text, latex = read_math(node)
    reader.formula(text, latex, display=node.get("display") == "block")


def field(reader: HtmlReader, node: XmlElement) -> None:
    """A form control: its value, or else what stands in it until somebody writes; the label of a button. Passwords and
    hidden fields show nothing."""
    kind = (node.get("type") or "text").lower()
    if node.tag == "input" and kind in ("checkbox", "radio"):
        reader.line.add("☑ " if node.get("checked") is not None else "☐ ")
    elif node.tag == "textarea" and text_length(node):
        reader.block(node)
    elif node.tag == "textarea" or kind in _WRITTEN:
        reader.line.add(f" {node.get('value') or node.get('placeholder') or ''} ")
    elif kind in _PRESSED:
        reader.line.add(f" {node.get('alt' if kind == 'image' else 'value') or ''} ")


def choice(reader: HtmlReader, node: XmlElement) -> None:
    """A `select`: the options chosen, or the first, and in brackets behind them what else there is to choose. In a
    table with heads the choice alone is the value."""
    options = list(node.iter("option"))
    chosen = [one for one in options if one.get("selected") is not None] or options[:1]
    others = [one for one in options if one.get("selected") is None and one is not chosen[0]]
    label = ", ".join(filter(None, map(_option, chosen)))
    rest = "" if reader.values_only else ", ".join(filter(None, map(_option, others)))
    reader.line.add(f" {label} ({rest}) " if rest else f" {label} ")


def _option(node: XmlElement) -> str:
    """An option's words, behind the label of the group it begins."""
    text = words_of(node) or (node.get("label") or "").strip()
    group = node.getparent()
    if group is None or group.tag != "optgroup" or next(group.iterchildren("option")) is not node:
        return text
    label = (group.get("label") or "").strip()
    return f"{label}: {text}" if label else text


def _tiny(node: XmlElement) -> bool:
    """A spacer or a tracking pixel."""
    return any((node.get(side) or "").rstrip("px") in ("0", "1", "2") for side in ("width", "height"))


def _side(node: XmlElement) -> int:
    """The longer side in pixels as the page declares it; a large number when it does not."""
    sides = [(node.get(side) or "").rstrip("px") for side in ("width", "height")]
    return max(unsigned(side, 9999) for side in sides)
