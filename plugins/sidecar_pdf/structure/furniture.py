"""Tells drawings that belong to the design of the pages (logos, banners, printer's marks) from figures."""

from __future__ import annotations

from collections import Counter

from sidecar_pdf.structure.drafts import Draft, DraftPage

_HEAD = 0.18
"""The share of the page's height, from its head or foot, where furniture stands."""
_LOGO, _REPEATED = 0.05, 0.15
"""The share of the page a logo takes at most, and a drawing that comes back on three pages or more."""

_Slot = tuple[int, int, bool]


def mark_furniture(pages: list[DraftPage]) -> None:
    """Marks small drawings at the head or foot of the first page, or of several pages at one place."""
    places: Counter[_Slot] = Counter()
    for page in pages:
        places.update({slot for draft in page.drafts if draft.kind == "figure" for slot in _slots(draft)})
    for number, page in enumerate(pages, 1):
        for draft in page.drafts:
            if draft.kind == "figure":
                draft.furniture = _is_furniture(draft, page, number, max(places[slot] for slot in _slots(draft)))


def _slots(draft: Draft) -> tuple[_Slot, _Slot]:
    """Where a drawing begins, twice, so that a rounding border does not part equals."""
    x, y = draft.box[0], draft.box[1]
    return (int(x / 8), int(y / 8), False), (int(x / 8 + 0.5), int(y / 8 + 0.5), True)


def _is_furniture(draft: Draft, page: DraftPage, number: int, repeats: int) -> bool:
    x0, y0, x1, y1 = draft.box
    if number == 1 and y0 < 0.02 * page.height and y1 < 0.25 * page.height and x1 - x0 > 0.6 * page.width:
        return bool(draft.text)  # a banner with the name of the publication
    if y1 > _HEAD * page.height and y0 < (1 - _HEAD) * page.height:
        return False
    share = (x1 - x0) * (y1 - y0) / max(page.width * page.height, 1.0)
    return (share <= _LOGO and (number == 1 or repeats > 1)) or (share <= _REPEATED and repeats > 2)
