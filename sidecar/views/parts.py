"""A part, a section, a paragraph or a run of parts as Markdown, text or HTML, each with its source line and bounded.

Sheets go through `sheets`; this module puts pages around blocks and knows when to stop."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import is_

from sidecar.api import (
    AnyBlock,
    Embed,
    EmbedKind,
    Equation,
    Figure,
    Heading,
    ListItem,
    Note,
    Paragraph,
    Table,
    format_uri,
)
from sidecar.store.documents.records import PartRecord
from sidecar.toolkit.cell_references import EVERYWHERE
from sidecar.toolkit.visible import NOTHING, HiddenCount, is_empty, left_out, visible
from sidecar.views.blocks.html import Markup, blocks_html, element, join, page
from sidecar.views.blocks.markdown import Embeds, blocks_markdown
from sidecar.views.blocks.plain import blocks_text
from sidecar.views.blocks.tables import json_text
from sidecar.views.grid import dense, grid
from sidecar.views.inline import flat
from sidecar.views.sheets import SheetView, onward_uri, sheet_csv, sheet_html, sheet_json, sheet_markdown, sheet_text
from sidecar.views.sources import Origin, left_out_line, part_facts, part_title

_SHEET_CHARS = 400_000
"""Of a sheet inside a larger view no more is shown."""
_LEADING_BLOCKS = 4
"""A heading among this many first blocks stands for the part's title."""


@dataclass(frozen=True)
class BlockRange:
    """Consecutive blocks of one part. `first_block` numbers the first of them (from 1). `fitting_blocks` tells of them
    what it found out: `shown`, the blocks without hidden text, and about how many `chars` those are."""

    part: PartRecord
    blocks: Sequence[AnyBlock]
    first_block: int = 1
    shown: Sequence[AnyBlock] | None = None
    chars: int | None = None


@dataclass(frozen=True)
class TextView:
    """What to render: block ranges in order, where they came from, and the URI to go on with, "" where all is shown."""

    origin: Origin
    ranges: Sequence[BlockRange]
    onward: str = ""
    titled: bool = True
    """Put the part's title above blocks that do not begin with a heading."""
    embeds: Embeds = field(default_factory=dict[tuple[EmbedKind, int], Embed])
    formulas: bool = False
    notices: Sequence[str] = ()
    """Remarks that stand above everything: an attached document has no outline that says them."""
    hidden: bool = False
    """Show text that is hidden from readers, flagged."""
    uri: str = ""
    """Where the same view is read with its hidden text."""


def render(view: TextView, suffix: str) -> str:
    """The text for a suffix: "md", "txt" or "html" (a whole page)."""
    if suffix == "html":
        return _html(view)
    plain = suffix == "txt"
    bullet = "" if plain else "- "
    texts = [view.origin.line() if plain else view.origin.markdown()]
    ranges, count = _visible_ranges(view)
    ranges = _edges_last(ranges)
    texts.append(left_out_line(count, view.uri, plain=plain))
    texts.append("\n".join(f"{bullet}Notice: {flat(text)}" for text in view.notices))
    for one in ranges:
        part = one.part
        if part.kind == "sheet":
            whole, _ = render_sheet(_whole_sheet(view, one), suffix)
            texts.append(whole.partition("\n\n")[2])  # the source line is the view's already
            continue
        if not plain and len(ranges) > 1 and part.kind in {"slide", "page"} and one.first_block == 1:
            texts.append(f"<!-- {part.kind} {part.n} -->")
        if view.titled:
            texts += opening(one, plain=plain)
        blocks = unrepeated(one) if view.titled else one.blocks
        if plain:
            texts.append(blocks_text(blocks, view.embeds, formulas=view.formulas, paged=part.kind == "page"))
        else:
            paged = part.kind == "page"
            texts.append(blocks_markdown(blocks, view.origin.doc, view.embeds, formulas=view.formulas, paged=paged))
    if view.onward:
        texts.append(f"Go on with {view.onward}" if plain else f"*(Go on with {view.onward})*")
    return "\n\n".join(text for text in texts if text)


def _edges_last(ranges: Sequence[BlockRange]) -> Sequence[BlockRange]:
    """The ranges of several chapters with their headers and footers behind the last: they stand on every page, and
    between two chapters they would read as part of the text."""
    if len(ranges) < 2 or ranges[0].part.kind != "chapter":
        return ranges
    edges = [block for one in ranges for block in one.blocks if _is_edge(block)]
    if not edges:
        return ranges
    texts = [replace(one, blocks=[block for block in one.blocks if not _is_edge(block)]) for one in ranges]
    return [*texts[:-1], replace(texts[-1], blocks=[*texts[-1].blocks, *edges])]


def _is_edge(block: AnyBlock) -> bool:
    return isinstance(block, Note) and block.kind in {"header", "footer"}


def opening(one: BlockRange, *, plain: bool = False) -> list[str]:
    """What stands above the blocks of a part where it begins: its title, and what the document says of it."""
    title = _title(one)
    lines = [f"{'' if plain else '# '}{title}{' (hidden)' if one.part.hidden else ''}"] if title else []
    facts = "\n".join(f"{'' if plain else '- '}{fact}" for fact in _facts(one))
    return [*lines, facts] if facts else lines


def unrepeated(one: BlockRange) -> Sequence[AnyBlock]:
    """The blocks without the lines of a message that say whom it is from and to: its `opening` says that."""
    if one.part.kind != "message" or one.first_block > 1:
        return one.blocks
    return [block for block in one.blocks if not _repeats_facts(block, one.part.metadata)]


def _repeats_facts(block: AnyBlock, facts: Mapping[str, str]) -> bool:
    """Whether a message's lines say only what its facts do, its date in another form."""
    lines = block.text.split("\n") if isinstance(block, Note) and block.kind == "header" else ()
    pairs = [line.partition(": ")[::2] for line in lines]
    return bool(pairs) and all(
        value in facts.values() or (name == "Date" and "created" in facts) for name, value in pairs
    )


def _whole_sheet(view: TextView, one: BlockRange) -> SheetView:
    """A sheet inside a larger view."""
    found = grid(one.blocks, EVERYWHERE, _SHEET_CHARS, whole=True, hidden=view.hidden)
    return SheetView(found, one.part, view.origin, view.embeds, view.formulas)


def render_sheet(view: SheetView, suffix: str) -> tuple[str, str]:
    """A sheet by itself for a suffix: "md", "txt", "html", "csv" or "json"; and where it goes on, "" for nowhere."""
    if suffix in {"txt", "csv", "json"}:
        view = replace(view, found=dense(view.found))
    match suffix:
        case "csv":
            text = sheet_csv(view.found)
        case "json":
            text = json_text(sheet_json(view))
        case "txt":
            text = sheet_text(view)
        case "html":
            text = page(part_title(view.part), sheet_html(view))
        case _:
            text = sheet_markdown(view)
    return text, onward_uri(view.found, view.part, view.origin.doc, "" if suffix == "md" else suffix)


def visible_range(one: BlockRange) -> tuple[BlockRange, HiddenCount]:
    """The range without hidden text, the same object where there is none, and how much that was."""
    blocks = [visible(block) for block in one.blocks] if one.shown is None else one.shown
    if blocks is one.blocks or all(map(is_, blocks, one.blocks)):
        return one, NOTHING
    count = NOTHING
    for block, shown in zip(one.blocks, blocks, strict=True):
        if shown is not block:
            count = count.plus(left_out(block, shown))
    return replace(one, blocks=blocks, shown=blocks), count


def _visible_ranges(view: TextView) -> tuple[Sequence[BlockRange], HiddenCount]:
    """The ranges as the view shows them, and what it leaves out."""
    if view.hidden:
        return view.ranges, NOTHING
    ranges: list[BlockRange] = []
    total = NOTHING
    for one in view.ranges:
        shown, count = visible_range(one)
        if shown is not one:
            shown = replace(shown, blocks=[block for block in shown.blocks if not is_empty(block)])
            total = total.plus(count)
        ranges.append(shown)
    return ranges, total


def fitting_blocks(
    part: PartRecord, blocks: Iterable[AnyBlock], first_block: int, max_chars: int, *, hidden: bool = False
) -> tuple[BlockRange, int | None, int]:
    """As many blocks of the part as fit, at least one; the number of the first left out (None: all fit); the characters
    taken. No more blocks are asked for than that. Hidden text is counted where it is to be shown."""
    used = 0
    taken: list[AnyBlock] = []
    shown: list[AnyBlock] = []
    following: int | None = None
    for block in blocks:
        seen = block if hidden else visible(block)
        size = _size(seen)
        if used + size > max_chars and taken:
            following = first_block + len(taken)
            break
        used += size
        taken.append(block)
        shown.append(seen)
    return BlockRange(part, taken, first_block, None if hidden else shown, used), following, used


def text_size(blocks: BlockRange) -> int:
    """About how many characters the blocks are when shown."""
    return sum(map(_size, blocks.blocks)) if blocks.chars is None else blocks.chars


def _size(block: AnyBlock) -> int:
    """About how many characters the block is when shown."""
    if isinstance(block, (Paragraph, ListItem, Heading, Note)):  # most are, and most of them have no spans
        marks = sum([len(span.value) + 4 for span in block.spans]) if block.spans else 0
        return len(block.text) + marks + 4
    if isinstance(block, Table) and block.lines:
        return sum(map(len, block.lines)) + len(block.caption) + 120
    if isinstance(block, Table):
        return sum(len(text) + 3 for row in block.rows for text in row) + len(block.caption) + 8
    if isinstance(block, Figure):
        return len(block.alt) + len(block.caption) + len(block.text) + 40
    if isinstance(block, Equation):
        return len(block.latex or block.text) + len(block.label) + 4
    return len(block.text) + 8


def needed_embeds(blocks: Sequence[AnyBlock]) -> bool:
    """Whether showing the blocks needs the records of embedded things: a chart's data, an attachment's name."""
    return any(isinstance(block, Figure) and block.embed is not None and block.embed[0] != "image" for block in blocks)


def _title(one: BlockRange) -> str:
    title = part_title(one.part)
    if not title or one.first_block > 1:
        return ""
    if one.part.kind == "page" and title == one.part.name:
        return ""  # a page's label is in the source line
    if any(isinstance(block, Heading) for block in one.blocks[:_LEADING_BLOCKS]):
        return ""
    if (not one.part.name or one.part.kind == "page") and any(_opens_with(block, title) for block in one.blocks):
        # The title was taken from the text; said above it, it would stand there twice.
        return f"Message {one.part.n}" if one.part.kind == "message" else ""
    return title


def _opens_with(block: AnyBlock, title: str) -> bool:
    text = "" if isinstance(block, (Figure, Table)) else " ".join(block.text[: len(title) + 200].split())
    return text.startswith(title.removesuffix("...").rstrip("… "))


def _facts(one: BlockRange) -> list[str]:
    return part_facts(one.part) if one.first_block == 1 else []


def _html(view: TextView) -> str:
    ranges, count = _visible_ranges(view)
    body: list[Markup] = [element("p", view.origin.line(), class_="source")]
    if count.places:
        body.append(element("p", left_out_line(count, view.uri, plain=True), class_="source"))
    body += [element("p", f"Notice: {flat(text)}", class_="source") for text in view.notices]
    for one in ranges:
        if one.part.kind == "sheet":
            body.append(sheet_html(_whole_sheet(view, one), sourced=False))
            continue
        title = _title(one) if view.titled else ""
        shown = unrepeated(one) if view.titled else one.blocks
        blocks = blocks_html(shown, view.origin.doc, view.embeds, formulas=view.formulas)
        kind_id = f"{one.part.kind}-{one.part.n}"
        flag = " (hidden)" if one.part.hidden else ""
        facts = [element("p", fact, class_="source") for fact in _facts(one)] if view.titled else []
        body.append(element("section", *([element("h1", title + flag)] if title else []), *facts, blocks, id=kind_id))
    if view.onward:
        body.append(element("p", f"Go on with {view.onward}"))
    return page(view.origin.title or view.origin.file, join(*body, between="\n"))


def from_block(doc: str, part: PartRecord, block: int, suffix: str, query: Mapping[str, str] | None) -> str:
    """The URI that goes on with that block of a part, and with the rest of the query."""
    return format_uri(part.kind, doc, part.n, suffix=suffix, query={"from": str(block), **(query or {})})
