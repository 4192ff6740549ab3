"""Blocks as Markdown that a model reads well. Notes stand apart, after the body, under headings of their own; boxes of
text that are about nothing else stand where they are anchored, marked as such.

Knows no store and no MCP: it gets blocks and the embedded things they show, and gives text."""

import re
from collections.abc import Iterable, Mapping, Sequence, Set

import msgspec

from sidecar.api import AnyBlock, Code, Embed, EmbedKind, Equation, Figure, Heading, ListItem, Note, Paragraph, Table
from sidecar.api.uris import format_uri
from sidecar.toolkit.provenance import escape_frame_lines
from sidecar.toolkit.visible import spans_cover
from sidecar.views.blocks.charts import chart_facts, chart_table
from sidecar.views.blocks.repeats import chart_of, without_repeats
from sidecar.views.blocks.tables import table_markdown, uncertainty
from sidecar.views.embedded import reading_uri
from sidecar.views.inline import flat, label, marked, marker_text, target
from sidecar.views.searchable import is_page_number

Embeds = Mapping[tuple[EmbedKind, int], Embed]

_TASKS: Mapping[str, str] = {"☐": "[ ]", "☑": "[x]", "☒": "[x]"}
"""Boxes of a list of tasks as Markdown writes them (GitHub Flavored Markdown, 5.3)."""

NOTE_TITLES: Mapping[str, str] = {
    "speaker": "Speaker notes", "textbox": "Text boxes", "smartart": "SmartArt", "form": "Form fields",
    "annotation": "Annotations", "footnote": "Footnotes", "endnote": "Endnotes", "comment": "Comments",
    "header": "Headers", "footer": "Footers",
}  # fmt: skip
"""Note kind → the heading it stands under, in the order they follow the body."""

BOX_MARK = "[Text box]"
_MAX_LEVEL = 12
"""Of items of lists; deeper ones are written as deep."""
_INDENT = 2
_NUMBER = re.compile(r"\d{1,9}[.)]")
"""Numbers that begin an item in Markdown; other markers are words there (CommonMark 0.31, 5.2)."""
_OPENS_BLOCK = re.compile(
    r"(?=[#>+\-*=`~|\d])(#{1,6}(?=\s|$)|>|[+\-*](?=\s|$)|`{3}|~{3}|\||=+\s*$|-{3,}\s*$|\d{1,9}(?=[.)]\s))"
)


def blocks_markdown(
    blocks: Iterable[AnyBlock], doc: str, embeds: Embeds | None = None, *, formulas: bool = False, paged: bool = False
) -> str:
    """The blocks as Markdown, blank lines between; `doc` (slug or doc_id) goes into the URIs of figures.

    Notes stand below the part they belong to, under a heading; footnotes of a page (`paged`) without one, which would
    cut a text of many pages at each of them."""
    body: list[str] = []
    notes: dict[str, list[Note]] = {}
    columns: list[int] = []
    boxes: list[str] = []
    blocks = without_repeats(tuple(blocks))
    for block in blocks:
        if isinstance(block, Note):
            if is_box_in_text(block):  # one anchored in a list follows it, since it would cut the list in two
                (boxes if columns else body).append("> " + f"{BOX_MARK} {_note_block(block)}".replace("\n", "\n> "))
            elif not is_page_number(block):
                notes.setdefault(block.kind, []).append(block)
            continue
        listing = len(columns) > 0
        is_item = isinstance(block, ListItem)
        text = _item(block, columns) if is_item else _block(block, doc, embeds or {}, formulas)
        if not text:
            continue
        if block.hidden:
            text = f"[hidden] {text}"
        if is_item and listing:
            body[-1] += f"\n{text}" if block.marker else f"\n\n{_continued(block, text, columns)}"
            continue
        if not is_item:
            columns.clear()
            body += boxes
            boxes.clear()
        body.append(text)
    body += boxes
    marks = _marks(blocks) if "comment" in notes else frozenset[str]()
    body.extend(
        (f"## {title}\n\n" if not paged or kind != "footnote" else "") + _notes_markdown(kind, notes[kind], marks)
        for kind, title in NOTE_TITLES.items()
        if kind in notes
    )
    return escape_frame_lines("\n\n".join(body))


def note_head(note: Note) -> str:
    """Its number, whose it is and of when, and whether it is settled, on a line outside of Markdown."""
    told = (f"[{note.id}]" if note.id else "", note.author, note.date[:10], "(resolved)" if note.resolved else "")
    return " ".join(part for part in told if part)


def is_box_in_text(block: AnyBlock) -> bool:
    """Whether a block is a box of text that stands where it is anchored, not one of a sheet's cell or of all slides."""
    return isinstance(block, Note) and block.kind == "textbox" and not block.target


def _notes_markdown(kind: str, notes: Sequence[Note], marks: Set[str]) -> str:
    """The notes of one kind: footnotes as `[^1]: …`, comments as a list with replies below what they reply to.

    `marks` are the ids of comments that stand in the text; the others need not be told."""
    if kind in {"footnote", "endnote"}:
        return "\n".join(f"[^{note.id or number}]: {_flat(note)}" for number, note in enumerate(notes, 1))
    if kind == "comment":
        replies: dict[str, list[Note]] = {}
        known = {note.id for note in notes if note.id}
        for note in notes:
            replies.setdefault(note.parent if note.parent in known else "", []).append(note)
        lines: list[str] = []
        _thread(lines, replies, marks, "", 0)
        return "\n".join(lines)
    if kind in {"header", "footer"}:
        return "\n".join(_running(notes))
    texts = [_note_block(note) for note in notes]
    if len(texts) > 1 and kind in {"form", "annotation"} and not any("\n" in text for text in texts):
        return "\n".join(f"- {text}" for text in texts)
    return "\n\n".join(texts)


def _note_line(note: Note, *, with_id: bool) -> str:
    """A comment or annotation on one line: id, who, when, about what, and what it says."""
    who = ", ".join(part for part in (note.author, note.date[:10], "resolved" if note.resolved else "") if part)
    about = f' on "{_short(note.target)}"' if note.target else ""
    head = " ".join(part for part in (f"**{note.id}**" if note.id and with_id else "", who) if part) + about
    return f"{head.strip()}: {_flat(note)}" if head.strip() else _flat(note)


def _thread(lines: list[str], replies: Mapping[str, list[Note]], marks: Set[str], parent: str, depth: int) -> None:
    for note in replies.get(parent, ()):
        shown = msgspec.structs.replace(note, target="") if depth else note  # a reply is about what it answers
        lines.append("  " * depth + "- " + ("reply " if depth else "") + _note_line(shown, with_id=note.id in marks))
        if note.id and note.id != parent and depth < 8:
            _thread(lines, replies, marks, note.id, depth + 1)


def _marks(blocks: Iterable[AnyBlock]) -> frozenset[str]:
    """The ids of comments the text refers to."""
    span_lists = [block.spans for block in blocks if not isinstance(block, (Code, Equation, Figure, Table))]
    span_lists += [cell.spans for block in blocks if isinstance(block, Table) for cell in block.cells]
    return frozenset(span.value for spans in span_lists for span in spans if span.kind == "comment")


def _running(notes: Sequence[Note]) -> list[str]:
    """Headers or footers, each text once; where they stand is told when they differ in it."""
    places: dict[str, list[str]] = {}
    for note in notes:
        if text := _flat(note):
            places.setdefault(text, []).append(note.target)
    several = len({tuple(targets) for targets in places.values()}) > 1
    lines: list[str] = []
    for text, targets in places.items():
        where = ", ".join(dict.fromkeys(filter(None, targets))) if several and len(targets) <= 3 else ""
        lines.append(f"- {text} ({where})" if where else f"- {text}")
    return lines


def _note_block(note: Note) -> str:
    """A text box, form field, annotation …, led by what it belongs to."""
    text = _hidden(note, marked(note.text, note.spans))
    about = _short(note.target)
    plain = flat(note.text).replace("$", "")  # a defined name says its range itself
    return f"**{about}**: {text}" if about and about not in plain else text


def _block(block: AnyBlock, doc: str, embeds: Embeds, formulas: bool) -> str:
    if isinstance(block, Paragraph):
        return _paragraph(block)
    if isinstance(block, Heading):
        number = f"{block.number} " if block.number else ""
        text = " ".join(_heading_text(block).split("\n"))
        return f"{'#' * min(max(block.level, 1), 6)} {number}{text}" if text.strip() else ""
    if isinstance(block, Table):
        return _table(block, formulas)
    if isinstance(block, Figure):
        return _figure(block, doc, embeds)
    if isinstance(block, Equation):
        label = f" {block.label}" if block.label else ""
        shown = f"$${block.latex}$${label}" if block.latex else f"{block.text}{label}"
        return f"{shown}\n\n*{flaw_remark(block.flaw, picture_uri(block, doc))}*" if block.flaw else shown
    if isinstance(block, Code):
        return _fenced(block.text, block.language)
    return ""


def _item(item: ListItem, columns: list[int]) -> str:
    """An item of a list. `columns` are those in which the words of the items above it begin, outermost first, and
    afterwards its own: what stands below an item stands there (CommonMark 0.31, 5.2)."""
    text = marked(item.text, item.spans)
    level = min(item.level, _MAX_LEVEL)
    if not item.marker:  # nothing stands before it: another paragraph of an item, or text set like one
        columns += range(_INDENT, _INDENT * (level + 2), _INDENT) if text and not columns else ()
        return text
    del columns[level:]
    while len(columns) < level:
        columns.append((columns[-1] if columns else 0) + _INDENT)
    begin = columns[-1] if columns else 0
    own = marker_text(item)
    marker = own if item.ordered and own else f"- {_TASKS.get(own, own)}".rstrip()
    columns.append(begin + (len(marker) + 1 if _NUMBER.fullmatch(marker) else _INDENT))
    return f"{' ' * begin}{marker} {text}".replace("\n", f"\n{' ' * columns[-1]}")


def _continued(item: ListItem, text: str, columns: Sequence[int]) -> str:
    """A further paragraph of the item above it, as deep as that one's words."""
    indent = " " * columns[min(item.level, len(columns) - 1)]
    return indent + text.replace("\n", f"\n{indent}")


def _as_lines(block: Table) -> str:
    return _fenced("\n".join(block.lines))


def _fenced(text: str, language: str = "") -> str:
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
    return f"{fence}{language}\n{text}\n{fence}"


def _heading_text(block: Heading | Paragraph) -> str:
    """With its marks; bold only where some of its words are, for a heading is so by itself."""
    whole = spans_cover(block.spans, block.text, "bold")
    return marked(block.text, [span for span in block.spans if span.kind != "bold"] if whole else block.spans)


def _paragraph(block: Paragraph) -> str:
    if block.style == "title":
        return f"# {' '.join(_heading_text(block).split())}"
    text = marked(block.text, block.spans)
    if block.style == "quote":
        return "> " + text.replace("\n", "\n> ")
    if block.style in {"subtitle", "caption"}:
        return f"*{text}*" if text.strip() and "*" not in text and "\n" not in text else text
    if block.spans and text[:2] == "**":
        return text
    opens = _OPENS_BLOCK.match(text)
    if opens is not None:  # it would read as a heading, a list or a quotation
        at = opens.end() if text[0].isdigit() else 0
        return f"{text[:at]}\\{text[at:]}"
    return text


def _table(block: Table, formulas: bool) -> str:
    named = f" ({block.name})" if block.caption and block.name and block.name not in block.caption else ""
    name = f"{flat(block.caption)}{named}" or block.name
    remark = uncertainty(block.confidence, block.flaws) if block.lines else ""
    text = f"*{remark}*\n\n{_as_lines(block)}" if remark else table_markdown(block, formulas=formulas)
    return f"**{name}**\n\n{text}" if name and text else text


def _figure(block: Figure, doc: str, embeds: Embeds) -> str:
    lines: list[str] = []
    alt = label(block.alt)
    if block.embed is None:
        shown = f"[Figure: {alt}]" if alt else "[Figure]"
        lines.append(f"{shown}({target(block.source)})" if target(block.source) else shown)
    else:
        kind, number = block.embed
        embed = embeds.get(block.embed)
        uri = reading_uri(doc, kind, number, embed)
        if kind == "image":
            lines.append(f"![{alt}]({uri})")
        elif kind == "chart":
            chart = chart_of(block, embeds)
            lines.append(f"[Chart: {label(chart.title if chart is not None else '') or alt or number}]({uri})")
            if chart is not None:
                table = chart_table(chart)
                texts = "; ".join(flat(text) for text in chart.texts)
                lines[0] += f" {chart_facts(chart)}"
                lines += ["", table] if table else []
                lines += ["", f"Texts: {texts}"] if texts else []
                lines += ["", alt] if alt and alt != label(chart.title) else []
        else:
            name = label(embed.name) if embed is not None else ""
            named = name or alt or str(number)
            lines.append(f"[{'Attachment' if kind == 'attachment' else 'Media'}: {named}]({uri})")
            if alt and alt != named:
                lines[0] += f" {alt}"
    if block.caption:
        lines += ["", f"*{flat(block.caption)}*"]
    if block.text:
        lines += ["", "> " + block.text.strip().replace("\n", "\n> ")]
    return "\n".join(lines)


def _flat(note: Note) -> str:
    return _hidden(note, flat(marked(note.text, note.spans)))


def _hidden(note: Note, text: str) -> str:
    return f"[hidden] {text}" if note.hidden else text


def _short(text: str) -> str:
    text = flat(text)
    return text if len(text) <= 80 else text[:77] + "..."


def flaw_remark(flaw: str, picture: str) -> str:
    """The sentence for an equation with a `flaw`, "" of any other; `picture` says where it is seen."""
    return f"This equation may say something else ({flaw}); see {picture}." if flaw else ""


def picture_uri(equation: Equation, doc: str) -> str:
    """The URI of its picture in a document (slug or doc_id); the page settles a label that occurs more than once."""
    query = {"page": str(equation.page)} if equation.page else None
    return format_uri("element", doc, equation.element, suffix="png", query=query)
