"""Lists the elements of a page: what captions label, and figures, tables and equations without one. Drawings that
belong to the design of the pages are artifacts (ISO 32000-1, 14.8.2.2) and no elements."""

import re
from collections import Counter
from dataclasses import dataclass

from sidecar.api import Box, Element, ElementType
from sidecar.toolkit.text import leading_words, trailing_words
from sidecar_pdf.pdfium.geometry import contains_centre
from sidecar_pdf.structure.captions import Association
from sidecar_pdf.structure.regions import PageRegions, Region

# Sizes in points, chosen on the corpus (tests/bench/layout/pdf_elements.py).
_MIN_FIGURE = (64.0, 44.0)  # width and height of a figure without a caption
_MIN_PICTURE = (40.0, 36.0)  # the same of an image that is on one page only
_PADDING = 3.0  # around an element's box, so that strokes at its edge are not cut
_SLOT = 8.0  # side of the squares by which drawings at one place of several pages are known
# Shares of the page, or of its height or width where an edge is meant; chosen on the corpus.
_SCANNED_PAGE = 0.85  # of the page: an image this large on a page without text is the page itself
_BANNER_TOP, _BANNER_BOTTOM, _BANNER_WIDTH = 0.02, 0.25, 0.6  # a publication's banner over its first page
_EDGE = 0.18  # of the height, from head and foot, where artifacts are
_LOGO, _REPEATED_DRAWING = 0.05, 0.15  # of the page: largest logo, and largest drawing that comes back
# Counts.
_DESIGN_PAGES = 3  # an image on this many pages is part of the design
_REPEATS = 2  # a drawing at one place of more pages than this comes back
_TEXT_CHARS = 4_000  # of an element's own text
_CONTEXT_CHARS = 600  # of the text around an element
_MENTION_BEFORE, _MENTION_AFTER = 150, 250  # characters around the mention of a label
_CONTEXT_PARAGRAPH, _CONTEXT_SHARE = 30, 20  # characters that make a paragraph, and a piece of one, worth quoting

_Slot = tuple[int, int, bool]


def mark_artifacts(pages: list[PageRegions]) -> None:
    """Marks small drawings at the head or foot of the first page, or of several pages at one place."""
    places: Counter[_Slot] = Counter()
    for page in pages:
        places.update({slot for region in page.regions if region.kind == "figure" for slot in _slots(region)})
    shown: set[int | _Slot] = set()
    for number, page in enumerate(pages, 1):
        figures = [region for region in page.regions if region.kind == "figure"]
        for region in figures:
            region.artifact = _is_artifact(region, page, number, max(places[slot] for slot in _slots(region)))
        artifacts = [(region, region.images or _slots(region)) for region in figures if region.artifact]
        for region, own in artifacts:
            region.comes_back = not shown.isdisjoint(own)
        shown.update(*(own for _, own in artifacts))


def _slots(region: Region) -> tuple[_Slot, _Slot]:
    """Where a drawing begins, twice, so that a rounding border does not part equals."""
    x, y = region.box[0] / _SLOT, region.box[1] / _SLOT
    return (int(x), int(y), False), (int(x + 0.5), int(y + 0.5), True)


def _is_artifact(region: Region, page: PageRegions, number: int, repeats: int) -> bool:
    x0, y0, x1, y1 = region.box
    at_top = y0 < _BANNER_TOP * page.height and y1 < _BANNER_BOTTOM * page.height
    if number == 1 and at_top and x1 - x0 > _BANNER_WIDTH * page.width:
        return bool(region.text)  # a banner with the name of the publication
    if y1 > _EDGE * page.height and y0 < (1 - _EDGE) * page.height:
        return False
    share = (x1 - x0) * (y1 - y0) / max(page.width * page.height, 1.0)
    return (share <= _LOGO and (number == 1 or repeats > 1)) or (share <= _REPEATED_DRAWING and repeats > _REPEATS)


@dataclass(frozen=True)
class ElementPlaces:
    """What the elements of a page are made of. `blocks` gives the 1-based block of each region; `uses` counts the pages
    each embedded image is on."""

    page: PageRegions
    number: int
    associations: list[Association]
    blocks: list[int]
    uses: list[int]


def page_elements(places: ElementPlaces) -> list[Element]:
    """The elements of a page in the order of its blocks."""
    elements = [element for one in places.associations if (element := _captioned(one, places)) is not None]
    elements += _uncaptioned(places)
    elements.sort(key=lambda element: element.block)
    return elements


def _captioned(association: Association, places: ElementPlaces) -> Element | None:
    regions = places.page.regions
    region = regions[association.caption]
    caption = region.caption
    if caption is None:
        return None
    target = regions[association.target] if association.target is not None else None
    block = association.caption if association.target is None else association.target
    return Element(
        type=caption.type, label=caption.label, part=places.number, page=places.number, block=places.blocks[block],
        box=_padded(association.box, places.page), caption=region.text,
        context=_context(regions, association.caption, caption.label), text=_own_text(target),
        embed=("image", target.images[0]) if target and len(target.images) == 1 else None,
        confidence=target.confidence if target else 1.0, latex=target.latex if target else "",
        flaw=target.flaw if target else "",
    )  # fmt: skip


def _uncaptioned(places: ElementPlaces) -> list[Element]:
    """Elements no caption names, numbered by kind within the page."""
    page, number = places.page, places.number
    captioned = {association.target for association in places.associations}
    boxes = [association.box for association in places.associations]
    ordinals: Counter[str] = Counter()
    elements: list[Element] = []
    for at, region in enumerate(page.regions):
        if region.kind not in {"figure", "table", "equation"} or at in captioned:
            continue
        kind: ElementType = "equation" if region.kind == "equation" else "table" if region.kind == "table" else "figure"
        if kind != "equation" and (
            region.artifact or not _is_element(region, page, places.uses)
            or any(contains_centre(box, region.box) for box in boxes)
        ):  # fmt: skip
            continue
        ordinals[kind] += not region.label
        own = region.label if kind == "equation" else ""
        elements.append(
            Element(
                type=kind, label=f"{kind.capitalize()} {own or f'p{number}-{ordinals[kind]}'}", part=number,
                page=number, block=places.blocks[at], box=_padded(region.box, page), generated=not own,
                context=_context(page.regions, at, ""), text=_own_text(region),
                embed=("image", region.images[0]) if len(region.images) == 1 else None,
                confidence=region.confidence, latex=region.latex, flaw=region.flaw,
            )
        )  # fmt: skip
    return elements


def _is_element(region: Region, page: PageRegions, uses: list[int]) -> bool:
    """Whether a figure or table without a caption is worth a name: large enough, no design, not the scanned page."""
    if region.kind == "table":
        return len(region.rows) >= 2 and not region.first_row
    width, height = region.box[2] - region.box[0], region.box[3] - region.box[1]
    images = region.images
    least = _MIN_PICTURE if images and all(uses[image] == 1 for image in images) else _MIN_FIGURE
    if width < least[0] or height < least[1]:
        return False
    if images and all(uses[image] >= _DESIGN_PAGES for image in images) and region.drawn <= 2 * len(images):
        return False
    only_images = bool(images) and region.drawn <= len(images) + 1
    return page.has_text or not only_images or width * height < _SCANNED_PAGE * page.width * page.height


def _padded(box: Box, page: PageRegions) -> Box:
    x0, y0, x1, y1 = box
    return page.shown(
        (
            max(x0 - _PADDING, 0.0), max(y0 - _PADDING, 0.0),
            min(x1 + _PADDING, page.width), min(y1 + _PADDING, page.height),
        )
    )  # fmt: skip


def _own_text(region: Region | None) -> str:
    if region is None:
        return ""
    if region.table_lines:
        return "\n".join(region.table_lines)[:_TEXT_CHARS]
    if region.kind == "table":
        return "\n".join("\t".join(row) for row in region.rows)[:_TEXT_CHARS]
    return region.text[:_TEXT_CHARS]


def _context(regions: list[Region], at: int, label: str) -> str:
    """The paragraph that mentions the label, then the text right before and after, shortened."""
    texts = [
        (i, r.text) for i, r in enumerate(regions)
        if i != at and r.kind in {"text", "list"} and not (r.running or r.hidden or r.caption)
        and len(r.text) > _CONTEXT_PARAGRAPH
    ]  # fmt: skip
    quoted: list[str] = []
    if label:
        number = re.escape(label.rsplit(" ", 1)[-1])
        mention = re.compile(rf"\b{re.escape(label[:3])}\w*\.?\s*\(?{number}\b", re.IGNORECASE)
        for _, text in texts:
            match = mention.search(text)
            if match:
                leading = trailing_words(text[: match.start()], _MENTION_BEFORE)
                quoted.append((leading + leading_words(text[match.start() :], len(match[0]) + _MENTION_AFTER)).strip())
                break
    before = next((text for i, text in reversed(texts) if i < at), "")
    after = next((text for i, text in texts if i > at), "")
    left = _CONTEXT_CHARS - sum(len(text) + 1 for text in quoted)
    for text, tail in ((before, True), (after, False)):
        share = min(left // 2 if tail and after else left, len(text))
        if share > _CONTEXT_SHARE and not any(text in other or other in text for other in quoted):
            quoted.append(trailing_words(text, share) if tail else leading_words(text, share))
            left -= share + 1
    return leading_words("\n".join(quoted), _CONTEXT_CHARS)
