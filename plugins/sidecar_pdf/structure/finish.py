"""Turns drafts into parts, blocks and elements, once body size, headings and captions are known."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sidecar.api import (
    TABLE_WINDOW,
    AnyBlock,
    Box,
    Code,
    Element,
    ElementType,
    Equation,
    Figure,
    Heading,
    ListItem,
    Merge,
    Note,
    Paragraph,
    Part,
    Span,
    Table,
)
from sidecar_pdf.structure.binding import Binding, Sides, bind_captions, caption_sides
from sidecar_pdf.structure.drafts import Draft, DraftPage
from sidecar_pdf.structure.furniture import mark_furniture
from sidecar_pdf.structure.headings import Headings, heading_text, number_and_text

_FOOTNOTE = re.compile(r"^(\d{1,3}|[*†‡§¶]{1,3})\s?(?=\S)")
_CONTEXT = 600
_MIN_FIGURE = (64.0, 44.0)
"""Points a figure without a caption must measure to be an element."""
_MIN_PICTURE = (40.0, 36.0)
"""The same for a picture that stands in one place only."""
_DECORATION = 3
"""An image on this many pages is part of the design, not a figure."""


@dataclass(frozen=True)
class Whole:
    """What pages are finished by that only the whole document tells. `uses` counts the pages of each embedded image."""

    headings: Headings
    sides: Sides
    uses: list[int]


def whole(pages: list[DraftPage], headings: Headings, uses: list[int]) -> Whole:
    """Looks over all pages before the first is finished."""
    mark_furniture(pages)
    return Whole(headings, caption_sides(pages, headings.body), uses)


def finish_page(page: DraftPage, number: int, known: Whole) -> tuple[Part, list[Element]]:
    """Page `number` (1-based) as a part, and its elements in order."""
    headings, sides = known.headings, known.sides
    bindings = bind_captions(page, sides)
    captions = {b.target: page.drafts[b.caption].text for b in bindings if b.target is not None}
    blocks: list[AnyBlock] = []
    places: list[int] = []
    levels = _list_levels(page.drafts)
    for at, draft in enumerate(page.drafts):
        places.append(len(blocks) + 1)
        blocks += _blocks(draft, number, page, headings, caption=captions.get(at, ""), level=levels.get(at, 0))
    blocks += page.notes
    title = next((b.text for b in blocks if isinstance(b, Heading)), "")
    _, _, width, height = page.shown((0.0, 0.0, page.width, page.height))
    part = Part(kind="page", title=title[:200], name=page.name, blocks=tuple(blocks), width=width, height=height)
    return part, _elements(page, number, bindings, places, known)


def _blocks(
    draft: Draft, number: int, page: DraftPage, headings: Headings, *, caption: str, level: int
) -> list[AnyBlock]:
    box = page.shown(draft.box)
    hidden = draft.hidden
    if draft.kind == "table":
        return _tables(draft, number, box, caption)
    if draft.kind == "figure":
        embed = ("image", draft.images[0]) if draft.images else None
        return [Figure(page=number, box=box, embed=embed, caption=caption, text=draft.text)]
    if draft.kind == "equation":
        return [Equation(text=draft.text, label=f"({draft.label})" if draft.label else "", page=number, box=box)]
    if draft.margin:
        kind = "header" if draft.margin == "top" else "footer"
        return [Note(kind=kind, text=heading_text(draft), page=number, box=box, hidden=hidden, spans=_shifted(draft))]
    rank = headings.level(draft)
    if rank:
        own, text = number_and_text(heading_text(draft))
        return [Heading(text=text, level=rank, number=own, page=number, box=box, hidden=hidden)]
    footnote = _FOOTNOTE.match(heading_text(draft))
    if (
        footnote and draft.size < 0.93 * headings.body and draft.box[1] > 0.55 * page.height and not draft.caption
        and len(draft.text) > 8 and (draft.kind == "text" or not draft.marker.startswith(("(", "[")))
    ):  # fmt: skip
        text = heading_text(draft)[footnote.end() :].lstrip(".) ")
        return [Note(kind="footnote", text=text, id=f"{number}-{footnote[1]}", page=number, box=box, hidden=hidden)]
    if draft.kind == "list":
        ordered = draft.marker[:1].isalnum() or draft.marker[1:2].isalnum()
        return [
            ListItem(
                text=draft.text, level=level, marker=draft.marker, ordered=ordered, spans=draft.spans, page=number,
                box=box, hidden=hidden,
            )
        ]  # fmt: skip
    if draft.mono and draft.lines >= 2 and not headings.mono:
        return [Code(text=draft.code, page=number, box=box, hidden=hidden)]
    style = "caption" if draft.caption else ""
    return [Paragraph(text=draft.text, style=style, spans=draft.spans, page=number, box=box, hidden=hidden)]


def _shifted(draft: Draft) -> tuple[Span, ...]:
    by = len(draft.marker) + 1 if draft.marker else 0
    return tuple(Span(s.kind, s.start + by, s.end + by, s.value) for s in draft.spans)


def _tables(draft: Draft, number: int, box: Box, caption: str) -> list[AnyBlock]:
    """The table, in windows where it has many rows."""
    tables: list[AnyBlock] = []
    for first in range(0, len(draft.rows), TABLE_WINDOW):
        rows = draft.rows[first : first + TABLE_WINDOW]
        merges = tuple(
            Merge(m.row - first, m.col, min(m.rows, first + len(rows) - m.row), m.cols)
            for m in draft.merges if first <= m.row < first + len(rows)
        )  # fmt: skip
        tables.append(
            Table(
                rows=tuple(tuple(row) for row in rows), header_rows=draft.header_rows if not first else 0,
                first_row=first, merges=merges, caption=caption, page=number, box=box,
            )
        )  # fmt: skip
    return tables


def _list_levels(drafts: list[Draft]) -> dict[int, int]:
    """Depth of each list item, by how far it is indented against the items before it in the same list."""
    levels: dict[int, int] = {}
    stack: list[float] = []
    last = -2
    for at, draft in enumerate(drafts):
        if draft.kind != "list":
            continue
        x = draft.box[0]
        if at - last > 3 or abs(draft.column_left - drafts[last].column_left) > 60:
            stack = []
        last = at
        while stack and x < stack[-1] - 4:
            stack.pop()
        if not stack or x > stack[-1] + 4:
            stack.append(x)
        levels[at] = min(len(stack) - 1, 8)
    return levels


def _elements(page: DraftPage, number: int, bindings: list[Binding], places: list[int], known: Whole) -> list[Element]:
    drafts = page.drafts
    elements: list[Element] = []
    claimed: list[Box] = []
    for binding in bindings:
        draft = drafts[binding.caption]
        caption = draft.caption
        if caption is None:
            continue
        target = drafts[binding.target] if binding.target is not None else None
        claimed.append(binding.box)
        elements.append(
            Element(
                type=caption.type, label=caption.label, part=number, page=number, box=_padded(binding.box, page),
                block=places[binding.target if binding.target is not None else binding.caption], caption=draft.text,
                context=_context(drafts, binding.caption, caption.label), text=_own_text(target),
                embed=("image", target.images[0]) if target and len(target.images) == 1 else None,
            )
        )  # fmt: skip
    bound = {binding.target for binding in bindings}
    ordinals: dict[str, int] = {}
    for at, draft in enumerate(drafts):
        if draft.kind not in {"figure", "table", "equation"} or at in bound:
            continue
        if draft.kind == "equation":
            if not draft.label:
                ordinals["equation"] = ordinals.get("equation", 0) + 1
            elements.append(_equation(page, at, number, places[at], ordinals.get("equation", 0)))
            continue
        if (
            draft.furniture
            or not _meaningful(draft, page, known.uses)
            or any(_covers(box, draft.box) for box in claimed)
        ):
            continue
        kind: ElementType = "table" if draft.kind == "table" else "figure"
        ordinals[kind] = ordinals.get(kind, 0) + 1
        elements.append(
            Element(
                type=kind, label=f"{kind.capitalize()} p{number}-{ordinals[kind]}", part=number, page=number,
                block=places[at],
                box=_padded(draft.box, page), context=_context(drafts, at, ""), text=_own_text(draft), generated=True,
                embed=("image", draft.images[0]) if len(draft.images) == 1 else None,
            )
        )  # fmt: skip
    elements.sort(key=lambda e: e.block)
    return elements


def _equation(page: DraftPage, at: int, number: int, block: int, ordinal: int) -> Element:
    draft = page.drafts[at]
    return Element(
        type="equation", label=f"Equation {draft.label or f'p{number}-{ordinal}'}", generated=not draft.label,
        part=number, page=number, block=block,
        box=_padded(draft.box, page), text=draft.text, context=_context(page.drafts, at, ""),
    )  # fmt: skip


def _meaningful(draft: Draft, page: DraftPage, uses: list[int]) -> bool:
    width, height = draft.box[2] - draft.box[0], draft.box[3] - draft.box[1]
    if draft.kind == "table":
        return len(draft.rows) >= 2
    least = _MIN_PICTURE if draft.images and all(uses[image] == 1 for image in draft.images) else _MIN_FIGURE
    if width < least[0] or height < least[1]:
        return False
    if (
        draft.images
        and all(uses[image] >= _DECORATION for image in draft.images)
        and draft.drawn <= 2 * len(draft.images)
    ):
        return False
    scanned = bool(draft.images) and draft.drawn <= len(draft.images) + 1
    return page.texted or not scanned or width * height < 0.85 * page.width * page.height


def _covers(box: Box, inner: Box) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _padded(box: Box, page: DraftPage) -> Box:
    """Three points of air, so that strokes at the edge are not cut, within the page."""
    return page.shown(
        (max(box[0] - 3, 0.0), max(box[1] - 3, 0.0), min(box[2] + 3, page.width), min(box[3] + 3, page.height))
    )


def _own_text(draft: Draft | None) -> str:
    if draft is None:
        return ""
    if draft.kind == "table":
        return "\n".join("\t".join(cell for cell in row) for row in draft.rows)[:4000]
    return draft.text[:4000]


def _context(drafts: list[Draft], at: int, label: str) -> str:
    """Up to 600 characters around: the paragraph that mentions the label, then the text right before and after."""
    texts = [
        (i, d) for i, d in enumerate(drafts)
        if i != at and d.kind in {"text", "list"} and not (d.margin or d.hidden or d.caption) and len(d.text) > 30
    ]  # fmt: skip
    chosen: list[str] = []
    if label:
        number = re.escape(label.rsplit(" ", 1)[-1])
        mention = re.compile(rf"\b{re.escape(label[:3])}\w*\.?\s*\(?{number}\b", re.IGNORECASE)
        for _, draft in texts:
            match = mention.search(draft.text)
            if match:
                start = max(match.start() - 150, 0)
                chosen.append(draft.text[start : match.end() + 250].strip())
                break
    before = next((d.text for i, d in reversed(texts) if i < at), "")
    after = next((d.text for i, d in texts if i > at), "")
    room = _CONTEXT - sum(len(c) + 1 for c in chosen)
    for text, tail in ((before, True), (after, False)):
        share = min(room // 2 if tail and after else room, len(text))
        if share > 20 and not any(text in c or c in text for c in chosen):
            chosen.append(text[-share:] if tail else text[:share])
            room -= share + 1
    return "\n".join(chosen)[:_CONTEXT]
