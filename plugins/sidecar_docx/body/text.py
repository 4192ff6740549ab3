"""Blocks made one text, for places that hold text only: table cells, notes, text boxes; spans cut to a stretch;
a formula with its number."""

import re
from collections.abc import Sequence

from sidecar.api.model import AnyBlock, Code, Equation, Figure, Heading, ListItem, Note, Paragraph, Span, Table
from sidecar.toolkit.visible import moved
from sidecar.toolkit.word.conventions import number_beside
from sidecar.toolkit.xml import XmlElement
from sidecar_docx.qualified_names import P, T

_BROKEN_LINES = re.compile(r"[ \t\r]*\n[ \t\r\n]*")


def cut(text: str, spans: Sequence[Span], start: int, end: int) -> tuple[str, tuple[Span, ...]]:
    """The stretch `text[start:end]` without white space around it, with the spans that fall into it, clipped.

    Spans without width (note marks) survive where they touch the stretch."""
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    piece = piece.strip()
    length = len(piece)
    kept: list[Span] = []
    for span in spans:
        left, right = max(span.start - start, 0), min(span.end - start, length)
        if left < right:
            kept.append(Span(span.kind, left, right, span.value, span.date))
        elif span.start == span.end and start <= span.start <= end:
            kept.append(Span(span.kind, min(left, length), min(left, length), span.value, span.date))
    return piece, tuple(kept)


def flattened(blocks: Sequence[AnyBlock], tables: bool = True) -> tuple[str, tuple[Span, ...], list[AnyBlock]]:
    """One text with its spans, a line a block, and the blocks that cannot be text (figures, notes).

    With `tables` a table's rows become lines with cells set apart by tabs; without, tables are left over too."""
    if len(blocks) == 1 and isinstance(blocks[0], Paragraph):
        return blocks[0].text, blocks[0].spans, []
    lines: list[str] = []
    spans: list[Span] = []
    rest: list[AnyBlock] = []
    at = 0
    for block in blocks:
        if isinstance(block, (Figure, Note)) or (isinstance(block, Table) and not tables):
            rest.append(block)
            continue
        if isinstance(block, Table):
            text = _table_text(block)
        elif isinstance(block, ListItem):
            head = f"{block.marker} " if block.marker else ""
            text = head + block.text
            spans += moved(block.spans, at + len(head))
        elif isinstance(block, Heading):
            head = f"{block.number} " if block.number else ""
            text = head + block.text
            spans += moved(block.spans, at + len(head))
        elif isinstance(block, Equation):
            text = block.text + (f" {block.label}" if block.label else "")
            spans.append(Span("math", at, at + len(block.text), block.latex))
        else:
            text = block.text
            if isinstance(block, Code):
                spans.append(Span("code", at, at + len(text)))
            else:
                spans += moved(block.spans, at)
        lines.append(text)
        at += len(text) + 1
    return "\n".join(lines), tuple(spans), rest


def _table_text(table: Table) -> str:
    """A table's rows as lines, cells set apart by tabs; what is nested in a cell follows its row."""
    lines: list[str] = []
    nested = [(cell.row, cell.table) for cell in table.cells if cell.table is not None]
    for index, row in enumerate(table.rows):
        lines.append("\t".join(row).strip())
        lines += [_table_text(inner) for at, inner in nested if at == index]
    return "\n".join(line for line in lines if line)


def text_of(block: AnyBlock) -> str:
    """The words of a block, for contexts and titles."""
    if isinstance(block, Table):
        return " ".join(cell for row in block.rows[:20] for cell in row if cell)
    if isinstance(block, Figure):
        return block.caption or block.alt or block.text
    return block.text


def after_initial(
    out: list[AnyBlock], initial: str, text: str, spans: list[Span], anchor: str
) -> tuple[str, list[Span], str]:
    """The text, spans and anchor of a paragraph whose first letter is the paragraph before it, which is taken back."""
    last = out[-1] if out else None
    if not isinstance(last, Paragraph) or last.text != initial or last.hidden:
        return text, spans, anchor
    out.pop()
    return initial + text, [*moved(spans, len(initial))], better_anchor(last.anchor, anchor)


def better_anchor(now: str, name: str) -> str:
    """Of two bookmarks at one place, the one a person named (Word's own begin with an underscore)."""
    if not name or name == "_GoBack":
        return now
    return name if not now or (now.startswith("_") and not name.startswith("_")) else now


def normalized(text: str, *, preserved: bool) -> str:
    """Line ends inside `w:t` are white space, not breaks; soft hyphens show only where a line ends."""
    text = text.replace("\xad", "")
    if "\n" in text:
        text = text.replace("\n", " ") if preserved else _BROKEN_LINES.sub(" ", text)
    return text


def equation(text: str, source: str, label: str, anchor: str, *, hidden: bool) -> Equation:
    """An equation; a number typed after `#` belongs to the label (Word's own equation numbering)."""
    if not label and "#" in source:
        head, _, tail = source.rpartition("#")
        bare = tail.replace("\\left", "").replace("\\right", "").replace(" ", "")
        if number_beside(bare):
            text, source, label = text.rpartition("#")[0].strip(), head.removesuffix("\\").strip(), bare
    return Equation(text=text, latex=source, label=label, anchor=anchor, hidden=hidden)


def unstructured(node: XmlElement) -> list[AnyBlock]:
    """The text of a container nested too deep to be read properly, a paragraph each, without recursion."""
    lines: list[list[str]] = [[]]
    for element in node.iter(P, T):
        if element.tag == P:
            lines.append([])
        else:
            lines[-1].append(element.text or "")
    texts = ("".join(line).strip() for line in lines)
    return [Paragraph(text=text) for text in texts if text]
