"""Blocks as HTML that shows the structure and can do no harm: everything goes through `markup.element`. HTML that is
escaped by construction: only `Markup` passes unescaped, and only `element` makes `Markup`."""

from collections.abc import Iterable
from html import escape

from sidecar.api import AnyBlock, Code, Equation, Figure, Heading, ListItem, Note, Paragraph, Span, Table
from sidecar.toolkit.provenance import SAFE_SCHEMES
from sidecar.views.blocks.charts import chart_facts, chart_rows
from sidecar.views.blocks.markdown import NOTE_TITLES, Embeds, flaw_remark, is_box_in_text, note_head, picture_uri
from sidecar.views.blocks.repeats import chart_of, without_repeats
from sidecar.views.blocks.tables import cell_text, covered, uncertainty
from sidecar.views.embedded import reading_uri
from sidecar.views.inline import apply_spans, marker_text
from sidecar.views.searchable import is_page_number

_VOID = frozenset({"br", "img", "meta", "hr", "col"})


class Markup(str):
    """Text that is HTML already. Made by `element` and `join` only."""

    __slots__ = ()


def element(name: str, *children: str, **attributes: str | int | bool) -> Markup:
    """`<name …>children</name>`: children that are not `Markup` are escaped, and so are all attribute values.

    An attribute given False or "" is left out; a trailing `_` in its name is dropped (`class_`)."""
    text = [f"<{name}"]
    for key, value in attributes.items():
        if value is False or value == "":
            continue
        text.append(f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"' if value is not True else f" {key}")
    text.append(">")
    if name not in _VOID:
        text += [child if isinstance(child, Markup) else escape(child, quote=False) for child in children]
        text.append(f"</{name}>")
    return Markup("".join(text))


def join(*children: str, between: str = "") -> Markup:
    """The children one after another; those that are not `Markup` are escaped."""
    return Markup(
        between.join(child if isinstance(child, Markup) else escape(child, quote=False) for child in children)
    )


def safe_link(url: str) -> str:
    """The URL when following it can do no harm (web, mail, our own schemes, a place on the page), else ""."""
    if url.startswith("#"):
        return url
    scheme, colon, _ = url.strip().partition(":")
    # A scheme hidden by control characters or spaces ("java\tscript:") is not in the list, so it is refused.
    return url.strip() if colon and scheme.lower() in SAFE_SCHEMES else ""


def page(title: str, *body: str) -> str:
    """A whole HTML document without scripts and without anything fetched from elsewhere: a plain text, as data that
    a worker can send."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content="default-src 'none'; style-src 'unsafe-inline'"),
        element("title", title),
        element(
            "style",
            Markup(
                "body{font:1em/1.5 sans-serif;max-width:50em;margin:2em auto;padding:0 1em}"
                "table{border-collapse:collapse}"
                "td,th{border:1px solid #999;padding:.2em .5em;vertical-align:top}del{color:#a00}ins{color:#070}"
                ".source,.hidden,aside{color:#666}pre{overflow:auto}"
            ),
        ),
    )
    return f"<!DOCTYPE html>\n{element('html', head, element('body', *body))}\n"


_MAX_CHART_ROWS = 200
"""A chart inside a page shows at most this many categories."""
_TAGS = {"bold": "strong", "italic": "em", "underline": "u", "strike": "s", "code": "code", "sub": "sub", "sup": "sup"}


def blocks_html(
    blocks: Iterable[AnyBlock], doc: str, embeds: Embeds | None = None, *, formulas: bool = False
) -> Markup:
    """The blocks as HTML elements; lists nest by level, notes stand in sections of their own after the body."""
    body: list[Markup] = []
    items: list[ListItem] = []
    boxes: list[Note] = []
    notes: dict[str, list[Note]] = {}
    for block in without_repeats(tuple(blocks)):
        if isinstance(block, ListItem):
            items.append(block)
            continue
        if isinstance(block, Note) and is_box_in_text(block) and items:
            boxes.append(block)  # one anchored in a list follows it
            continue
        if items:
            body += [_list(items), *map(_box, boxes)]
            items, boxes = [], []
        if isinstance(block, Note):
            if is_box_in_text(block):
                body.append(_box(block))
            elif not is_page_number(block):
                notes.setdefault(block.kind, []).append(block)
            continue
        shown = _block(block, doc, embeds or {}, formulas)
        body.append(element("div", shown, class_="hidden", title="hidden in the document") if block.hidden else shown)
    if items:
        body += [_list(items), *map(_box, boxes)]
    for kind, title in NOTE_TITLES.items():
        if kind in notes:
            body.append(element("aside", element("h2", title), *map(_note, notes[kind]), class_=kind))
    return join(*body, between="\n")


def table_html(table: Table, *, formulas: bool = False) -> Markup:
    """The table with its merged regions as row and column spans."""
    details = {(cell.row, cell.col): cell for cell in table.cells}
    merged = {(merge.row, merge.col): merge for merge in table.merges}
    width = max((len(row) for row in table.rows), default=0)
    skipped = {(row, col) for _, row, col in covered(table, range(width))}
    hidden_rows, hidden_cols = set(table.hidden_rows), set(table.hidden_cols)
    lines: list[Markup] = []
    for r, row in enumerate(table.rows):
        cells: list[Markup] = []
        for c in range(width):
            if (r, c) in skipped:
                continue
            cell = details.get((r, c))
            text = cell_text(row[c] if c < len(row) else "", cell)
            shown = _inline(text, cell.spans) if cell is not None and cell.spans else _lines(text)
            if cell is not None:
                link = safe_link(cell.link) if cell.link else ""
                if link:
                    shown = element("a", shown, href=link, rel="noreferrer noopener")
                if formulas and cell.formula:
                    shown = join(shown, " ", element("code", cell.formula))
                if cell.table is not None:
                    shown = join(shown, table_html(cell.table, formulas=formulas))
            merge = merged.get((r, c))
            cells.append(
                element(
                    "th" if r < table.header_rows else "td",
                    shown,
                    rowspan=min(merge.rows, len(table.rows) - r) if merge and merge.rows > 1 else False,
                    colspan=merge.cols if merge and merge.cols > 1 else False,
                    class_="hidden" if c in hidden_cols or r in hidden_rows else "",
                )
            )
        lines.append(element("tr", *cells))
    caption = " — ".join(text for text in (table.caption, table.name) if text)
    remark = uncertainty(table.confidence, table.flaws) if table.lines else ""
    if remark:
        lines_shown = element("pre", "\n".join(table.lines))
        return join(*([element("p", caption)] if caption else []), element("p", remark), lines_shown, between="\n")
    return element("table", *([element("caption", caption)] if caption else []), join(*lines, between="\n"))


def _block(block: AnyBlock, doc: str, embeds: Embeds, formulas: bool) -> Markup:
    if isinstance(block, Paragraph):
        tag = {"quote": "blockquote", "title": "h1", "subtitle": "h2"}.get(block.style, "p")
        return element(tag, _inline(block.text, block.spans), id=block.anchor)
    if isinstance(block, Heading):
        text = _inline(block.text, block.spans)
        return element(
            f"h{min(max(block.level, 1), 6)}", *([f"{block.number} "] if block.number else []), text, id=block.anchor
        )
    if isinstance(block, Table):
        return table_html(block, formulas=formulas)
    if isinstance(block, Figure):
        return _figure(block, doc, embeds)
    if isinstance(block, Equation):
        shown = element("p", element("code", block.latex or block.text), f" {block.label}" if block.label else "")
        uri = picture_uri(block, doc)
        return join(shown, element("p", element("em", flaw_remark(block.flaw, uri)))) if block.flaw else shown
    if isinstance(block, Code):
        return element("pre", element("code", block.text))
    return Markup("")


def _figure(block: Figure, doc: str, embeds: Embeds) -> Markup:
    children: list[Markup] = []
    if block.embed is not None:
        kind, number = block.embed
        embed = embeds.get(block.embed)
        uri = reading_uri(doc, kind, number, embed, "html")
        chart = chart_of(block, embeds)
        known = (block.alt, chart.title if chart is not None else "", embed.name if embed is not None else "")
        name = "; ".join(dict.fromkeys(text for text in known if text))
        if kind == "image":
            children.append(element("img", src=uri, alt=name or "image"))
        else:
            children.append(element("a", name or uri, href=uri))
        if chart is not None:
            children.append(element("p", chart_facts(chart)))
            children += [element("p", text) for text in chart.texts]
            rows, left = chart_rows(chart, _MAX_CHART_ROWS)
            if rows:
                children.append(table_html(Table(rows=tuple(rows), header_rows=1)))
            if left:
                children.append(element("p", f"{left:,} more at the chart's own URI."))
    else:
        link = safe_link(block.source)
        shown = block.alt or block.source or "figure"
        children.append(
            element("a", shown, href=link, rel="noreferrer noopener") if link else element("p", f"[{shown}]")
        )
    if block.text:
        children.append(element("p", _lines(block.text)))
    if block.caption:
        children.append(element("figcaption", block.caption))
    return element("figure", *children)


def _list(items: list[ListItem]) -> Markup:
    """Nested lists; the marker the reader of the document sees is kept in front of the text."""
    lines: list[Markup] = []
    at = 0
    while at < len(items):
        item = items[at]
        inner: list[ListItem] = []
        following = at + 1
        while following < len(items) and items[following].level > item.level:
            inner.append(items[following])
            following += 1
        text = _inline(item.text, item.spans)
        head = join(f"{marker} ", text) if (marker := marker_text(item)) else text
        shown = element("div", head, class_="hidden") if item.hidden else head
        lines.append(element("li", shown, *([_list(inner)] if inner else [])))
        at = following
    style = "list-style:none" if items[0].ordered else ""
    return element("ol" if items[0].ordered else "ul", *lines, style=style)


def _note(note: Note) -> Markup:
    who = note_head(note)
    about = f' on "{note.target}"' if note.target else ""
    head = element("strong", f"{who}{about}: ") if who or about else Markup("")
    return element("p", head, _inline(note.text, note.spans), class_="hidden" if note.hidden else "")


def _box(note: Note) -> Markup:
    return element("aside", _note(note), class_=note.kind)


def _lines(text: str) -> Markup:
    return join(*text.split("\n"), between="<br>") if "\n" in text else join(text)


def _inline(text: str, spans: tuple[Span, ...]) -> Markup:
    return Markup(apply_spans(text, spans, _HTML)) if spans else _lines(text)


def _halves(tag: str, **attributes: str) -> tuple[str, str]:
    closing = f"</{tag}>"
    return element(tag, **attributes).removesuffix(closing), closing


class _Html:
    """Tags written in halves: every value in them goes through `element` or is a constant."""

    def text(self, text: str) -> str:
        return _lines(text)

    def around(self, span: Span) -> tuple[str, str]:
        match span.kind:
            case "link":
                link = safe_link(span.value)
                return _halves("a", href=link, rel="noreferrer noopener") if link else ("", "")
            case "ins" | "del":
                return _halves(span.kind, title=" ".join(part for part in (span.value, span.date[:10]) if part))
            case "comment":
                opening, closing = ("<mark>", "</mark>") if span.start < span.end else ("", "")
                return opening, f"{closing}<sup>[{join(span.value)}]</sup>"
            case "hidden":
                return '<span class="hidden" title="hidden in the document">', "</span>"
            case "math":
                return "<code>" + (join(span.value) if span.value else ""), "</code>"
            case "note":
                return f"<sup>[{join(span.value)}]</sup>" if span.value else "", ""
            case _:
                tag = _TAGS.get(span.kind)
                return (f"<{tag}>", f"</{tag}>") if tag else ("", "")

    def replaces(self, span: Span) -> bool:
        if span.kind == "note":
            return span.end - span.start <= 4 and bool(span.value)
        return span.kind == "math" and bool(span.value)


_HTML = _Html()
