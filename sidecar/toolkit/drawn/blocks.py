"""Blocks of the document model as paragraphs and tables to be drawn, for pages and slides alike.

What readers of a document do not see is left out. Not responsible for where anything stands."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise

import msgspec

from sidecar.api.errors import FormatError, NotFoundError
from sidecar.api.formats import Limits, OpensEmbedded, Source
from sidecar.api.model import (
    Box,
    ChartData,
    Code,
    Embed,
    EmbedKind,
    Equation,
    Figure,
    Heading,
    ListItem,
    Note,
    Paragraph,
    ParsedDocument,
    Span,
    Table,
)
from sidecar.toolkit.drawn.model import (
    Align,
    ChartItem,
    PictureItem,
    Stroke,
    TableCell,
    TableItem,
    TextBody,
    TextParagraph,
    TextRun,
    solid,
)
from sidecar.toolkit.visible import moved

_LINK, _INSERTED, _DELETED = "#0563c1", "#006100", "#9c0006"
_INDENT = 18.0
_FRAME = Stroke(colour="#8c8c8c", width=0.5)
_HEAD_FILL = "#e9edf4"
_POINTS_A_PIXEL = 0.75
_CHART_SHAPE = 0.5625
_MAX_CELLS = 6000
_CELL_INSET = (4.0, 2.0, 4.0, 2.0)

Bytes = Callable[[EmbedKind, int], bytes]
"""The bytes of an embed by kind and id; b"" where they cannot be had."""


def bytes_of(plugin: OpensEmbedded, document: ParsedDocument, source: Source, limits: Limits) -> Bytes:
    """Reads the embeds of a document by the plugin that knows their `ref`."""
    refs = {(embed.kind, embed.id): embed.ref for embed in document.embedded}

    def data(kind: EmbedKind, number: int) -> bytes:
        ref = refs.get((kind, number), "")
        with suppress(FormatError, NotFoundError):
            return plugin.open_embedded(source, ref, limits).data if ref else b""
        return b""

    return data


@dataclass(frozen=True)
class RunStyle:
    """How the words of a kind of paragraph look, and the room around it, in points."""

    size: float = 11.0
    colour: str = "#000000"
    bold: bool = False
    italic: bool = False
    align: Align = "left"
    before: float = 0.0
    after: float = 6.0
    mono: bool = False


@dataclass(frozen=True)
class EmbedBytes:
    """What a document holds beside its text, and how its bytes are read."""

    all: Sequence[Embed]
    data: Bytes
    _found: dict[tuple[EmbedKind, int], Embed] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._found.update({(embed.kind, embed.id): embed for embed in self.all})

    def get(self, key: tuple[EmbedKind, int] | None) -> Embed | None:
        """The embed with that kind and id."""
        return self._found.get(key) if key is not None else None


def _runs_of(text: str, spans: Sequence[Span], style: RunStyle) -> tuple[TextRun, ...]:
    """A text as runs of one look each."""
    edges = sorted({0, len(text), *(min(max(at, 0), len(text)) for span in spans for at in (span.start, span.end))})
    found: list[TextRun] = []
    for start, end in pairwise(edges):
        kinds = {span.kind for span in spans if span.start <= start and span.end >= end}
        if "hidden" in kinds or start == end:
            continue
        colour = _DELETED if "del" in kinds else _INSERTED if "ins" in kinds else style.colour
        found.append(
            TextRun(
                text=text[start:end], size=style.size, colour=_LINK if "link" in kinds else colour,
                bold=style.bold or "bold" in kinds, italic=style.italic or "italic" in kinds,
                underline=bool(kinds & {"underline", "link", "ins"}), strike=bool(kinds & {"strike", "del"}),
                face="mono" if style.mono or "code" in kinds else "sans",
                raised="sup" if "sup" in kinds else "sub" if "sub" in kinds else "",
            )
        )  # fmt: skip
    return tuple(found)


def paragraph_of(block: Heading | Paragraph | ListItem | Code | Equation | Note, style: RunStyle) -> TextParagraph:
    """A block of text as a paragraph."""
    made = TextParagraph(
        runs=(), align=style.align, before=style.before, after=style.after, size=style.size, marker_colour=style.colour
    )
    changed: dict[str, object] = {"runs": _runs_of(block.text, getattr(block, "spans", ()), style)}
    if isinstance(block, Heading):
        number = f"{block.number} " if block.number else ""
        changed = {"runs": _runs_of(number + block.text, moved(block.spans, len(number)), style), "keep": True}
    elif isinstance(block, ListItem):
        indent = _INDENT * (min(block.level, 8) + 1)
        changed |= {"marker": block.marker or "•", "indent": indent, "first": -_INDENT}
    elif isinstance(block, Equation):
        changed = {"runs": _runs_of(block.text or block.latex, (), replace(style, italic=True)), "align": "center"}
    elif isinstance(block, Code):
        changed = {"runs": _runs_of(block.text, (), replace(style, mono=True, size=style.size * 0.85)), "indent": 8.0}
    return msgspec.structs.replace(made, **changed)


def table_of(table: Table, width: float, style: RunStyle, box: Box = (0.0, 0.0, 0.0, 0.0)) -> TableItem | None:
    """A table as wide as there is room, its columns by how long their words are; None for one without cells."""
    hidden_rows, hidden_columns = set(table.hidden_rows), set(table.hidden_cols)
    count = max((len(row) for row in table.rows), default=0)
    rows = [r for r in range(len(table.rows)) if r not in hidden_rows]
    columns = [c for c in range(count) if c not in hidden_columns]
    if not rows or not columns:
        return None
    rows = rows[: max(_MAX_CELLS // len(columns), 1)]
    spans = {(cell.row, cell.col): cell.spans for cell in table.cells}
    inner = replace(style, before=0.0, after=0.0)
    merged, covered = _merged(table, rows, columns)
    places = {column: at for at, column in enumerate(columns)}
    cells: list[TableCell] = []
    for at, r in enumerate(rows):
        for c in columns:
            if (r, c) in covered:
                continue
            text = table.rows[r][c] if c < len(table.rows[r]) else ""
            head = r < table.header_rows
            runs = _runs_of(text, spans.get((r, c), ()), replace(inner, bold=inner.bold or head))
            high, wide = merged.get((r, c), (1, 1))
            cells.append(
                TableCell(
                    row=at, col=places[c], rows=high, cols=wide, fill=solid(_HEAD_FILL) if head else None,
                    strokes=(_FRAME, _FRAME, _FRAME, _FRAME),
                    body=TextBody(paragraphs=(TextParagraph(runs=runs, size=inner.size),), inset=_CELL_INSET),
                )
            )  # fmt: skip
    heads = min(sum(1 for r in rows if r < table.header_rows), len(rows) - 1)
    return TableItem(
        box=box, columns=_widths(table, columns, width, style.size), heights=(0.0,) * len(rows), cells=tuple(cells),
        header_rows=heads if all(row.rows == 1 for row in cells if row.row < heads) else 0,
    )  # fmt: skip


def _merged(
    table: Table, rows: Sequence[int], columns: Sequence[int]
) -> tuple[Mapping[tuple[int, int], tuple[int, int]], set[tuple[int, int]]]:
    """How far merged cells reach over what is shown, and the cells they cover. One that reaches over hidden rows or
    columns is as good as none."""
    found: dict[tuple[int, int], tuple[int, int]] = {}
    covered: set[tuple[int, int]] = set()
    shown = {(r, c) for r in rows for c in columns}
    for merge in table.merges:
        if merge.rows * merge.cols > len(shown):
            continue
        inside = {(merge.row + down, merge.col + over) for down in range(merge.rows) for over in range(merge.cols)}
        if inside <= shown and not inside & (covered | found.keys()):
            found[merge.row, merge.col] = (merge.rows, merge.cols)
            covered |= inside - {(merge.row, merge.col)}
    return found, covered


def _widths(table: Table, columns: Sequence[int], width: float, size: float) -> tuple[float, ...]:
    """Widths of columns: what their longest line takes, and less where there is no room for all of it."""
    wanted = [
        min(max((len(line) for row in table.rows[:200] if c < len(row) for line in row[c].split("\n")), default=1), 60)
        for c in columns
    ]
    needed = [max(count, 3) * size * 0.52 + 10 for count in wanted]
    total = sum(needed)
    return tuple(need * width / total for need in needed) if total > width else tuple(needed)


def figure_of(block: Figure, embeds: EmbedBytes, room: tuple[float, float]) -> PictureItem | ChartItem | None:
    """A figure no larger than the room; None for one that has nothing to show."""
    embed = embeds.get(block.embed)
    if embed is None:
        return None
    wide, high = room
    chart: ChartData | None = embed.chart
    if embed.kind == "chart":
        if chart is None:
            return None
        width = min(wide, 460.0)
        return ChartItem(box=(0, 0, width, width * _CHART_SHAPE), chart=chart)
    if embed.kind != "image":
        return None
    width, height = embed.width * _POINTS_A_PIXEL or 200.0, embed.height * _POINTS_A_PIXEL or 120.0
    scale = min(1.0, wide / width, high / height)
    data = embeds.data("image", embed.id)
    return PictureItem(box=(0, 0, width * scale, height * scale), data=data, alt=block.alt or block.caption)


def lines_of(texts: Sequence[str], style: RunStyle) -> Iterator[TextParagraph]:
    """Plain lines as paragraphs."""
    for text in texts:
        yield TextParagraph(runs=_runs_of(text, (), style), align=style.align, after=style.after, size=style.size)
