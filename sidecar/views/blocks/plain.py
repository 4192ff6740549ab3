"""Blocks as plain text: no markup, tables as tab-separated lines; boxes of text in their place, other notes last."""

from collections.abc import Iterable

from sidecar.api import AnyBlock, Equation, Figure, Heading, ListItem, Note, Paragraph, Table
from sidecar.toolkit.provenance import escape_frame_lines
from sidecar.views.blocks.charts import TABLE_ROWS, chart_facts
from sidecar.views.blocks.markdown import BOX_MARK, NOTE_TITLES, Embeds, flaw_remark, is_box_in_text, note_head
from sidecar.views.blocks.repeats import chart_of, without_repeats
from sidecar.views.blocks.tables import cell_text, nested_text, uncertainty
from sidecar.views.inline import plain
from sidecar.views.searchable import is_page_number


def blocks_text(
    blocks: Iterable[AnyBlock], embeds: Embeds | None = None, *, formulas: bool = False, paged: bool = False
) -> str:
    """The blocks as text, blank lines between, list items on consecutive lines. Footnotes of a page (`paged`) follow
    its text without a title."""
    body: list[str] = []
    notes: dict[str, list[str]] = {}
    boxes: list[str] = []
    listing = False
    for block in without_repeats(tuple(blocks)):
        text = _block(block, embeds or {}, formulas)
        if not text:
            continue
        if block.hidden:
            text = f"[hidden] {text}"
        if isinstance(block, Note):
            if is_box_in_text(block):
                (boxes if listing else body).append(f"{BOX_MARK} {text}")
            else:
                notes.setdefault(block.kind, []).append(text)
            continue
        is_item = isinstance(block, ListItem)
        if is_item and listing:
            body[-1] += f"\n{text}"
            continue
        if not is_item:
            body += boxes
            boxes.clear()
        body.append(text)
        listing = is_item
    body += boxes
    body.extend(
        (f"{title}:\n" if not paged or kind != "footnote" else "") + "\n".join(dict.fromkeys(notes[kind]))
        for kind, title in NOTE_TITLES.items()
        if kind in notes
    )
    return escape_frame_lines("\n\n".join(body))


def _block(block: AnyBlock, embeds: Embeds, formulas: bool) -> str:
    if isinstance(block, Paragraph):
        return plain(block.text, block.spans)
    if isinstance(block, Heading):
        return f"{block.number} {plain(block.text, block.spans)}".strip()
    if isinstance(block, ListItem):
        return f"{'  ' * min(block.level, 12)}{block.marker} {plain(block.text, block.spans)}"
    if isinstance(block, Table):
        return _table(block, formulas)
    if isinstance(block, Note):
        text = plain(block.text, block.spans)
        if is_page_number(block):
            return ""
        if block.kind not in {"comment", "footnote", "endnote"}:
            about = "" if block.kind in {"header", "footer"} else " ".join(block.target.split())
            return f"{about}: {text}" if about else text
        about = f' on "{block.target}"' if block.target else ""
        head = note_head(block)
        return f"{head}{about}: {text}" if head or about else text
    if isinstance(block, Figure):
        return _figure(block, embeds)
    if isinstance(block, Equation):
        shown = f"{block.text or block.latex} {block.label}".strip()
        remark = flaw_remark(block.flaw, f"the picture of {block.element}")
        return f"{shown}\n{remark}" if remark else shown
    return block.text  # Code


def _table(block: Table, formulas: bool) -> str:
    details = {(cell.row, cell.col): cell for cell in block.cells} if block.cells else {}
    lines = [text for text in (block.caption, block.name) if text]
    remark = uncertainty(block.confidence, block.flaws) if block.lines else ""
    if remark:
        return "\n".join((*lines, remark, *block.lines))
    for r, row in enumerate(block.rows):
        cells: list[str] = []
        for c, text in enumerate(row):
            cell = details.get((r, c))
            shown = text
            if cell is not None:
                shown = plain(text, cell.spans) if text else cell_text(text, cell)
                if formulas and cell.formula:
                    shown = f"{shown} ({cell.formula if cell.formula[:1] in '={' else '=' + cell.formula})"
                if cell.table is not None:
                    shown += " " + nested_text(cell.table)
            cells.append(" ".join(shown.split()))
        lines.append("\t".join(cells).rstrip())
    return "\n".join(lines)


def _figure(block: Figure, embeds: Embeds) -> str:
    embed = embeds.get(block.embed) if block.embed is not None else None
    chart = chart_of(block, embeds)
    known = (block.alt, chart.title if chart is not None else "", embed.name if embed is not None else "")
    name = "; ".join(dict.fromkeys(text for text in known if text))
    lines = [f"[{(block.embed[0] if block.embed else 'figure').capitalize()}{': ' + name if name else ''}]"]
    lines += [text for text in (block.caption, block.text, block.source) if text]
    if chart is not None:
        lines.append(chart_facts(chart))
        if chart.categories:
            lines.append(f"categories: {', '.join(chart.categories[:TABLE_ROWS])}")
        for number, series in enumerate(chart.series, 1):
            values = ", ".join("" if value is None else f"{value:g}" for value in series.values[:TABLE_ROWS])
            lines.append(f"{series.name or f'series {number}'}: {values}")
        lines += chart.texts
    return "\n".join(lines)
