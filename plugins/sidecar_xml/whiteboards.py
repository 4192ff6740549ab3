"""Reads whiteboards kept as JSON: drawings of Excalidraw, and canvases of Obsidian (JSON Canvas 1.0, jsoncanvas.org).

Frames and groups are headings, what lies in them stands below, in the order of reading; lines that lead from one thing
to another are paragraphs of their own, as in the diagrams of draw.io."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from sidecar.api import AnyBlock, DamagedError, Figure, Heading, Limits, Paragraph, Source, Span
from sidecar.toolkit.markup.markdown import markdown_parser, read_markdown
from sidecar.toolkit.markup.pictures import Pictures
from sidecar.toolkit.text import read_text

_ROW: Final = 40
"""Units of the board (pixels) within which things stand beside one another."""
_MAX_NAME_CHARS: Final = 60
"""Characters of the words by which a line says what it leads to."""
_MAX_GROUPS: Final = 500
"""Each thing is looked for in each."""
_LINES: Final = ("arrow", "line")


class _Shape(msgspec.Struct):
    """What lies on either kind of board; what is not told is empty."""

    id: str = ""
    type: str = ""
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0
    text: str = ""
    label: str | None = None
    name: str | None = None
    url: str = ""
    file: str = ""
    subpath: str | None = None
    link: str | None = None
    isDeleted: bool = False  # noqa: N815 - these are as the files name them
    containerId: str | None = None  # noqa: N815
    frameId: str | None = None  # noqa: N815
    fileId: str | None = None  # noqa: N815
    originalText: str | None = None  # noqa: N815
    startBinding: dict[str, Any] | None = None  # noqa: N815
    endBinding: dict[str, Any] | None = None  # noqa: N815


class _Edge(msgspec.Struct):
    fromNode: str = ""  # noqa: N815
    toNode: str = ""  # noqa: N815
    label: str = ""


class _DataFile(msgspec.Struct):
    dataURL: str = ""  # noqa: N815


class _Board(msgspec.Struct):
    elements: list[_Shape] = []
    files: dict[str, _DataFile] = {}
    nodes: list[_Shape] = []
    edges: list[_Edge] = []


def read_board(source: Source, limits: Limits, pictures: Pictures) -> list[AnyBlock]:
    """The board's blocks. Raises FormatError."""
    decoded, _ = read_text(source, limits)
    try:
        board = msgspec.json.decode(decoded.text, type=_Board)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
        raise DamagedError(f"{source.name} is damaged: it is not a whiteboard in JSON.") from error
    if board.nodes:
        return list(_canvas(board, pictures))
    return list(_drawing(board, pictures))


def _in_order(things: Sequence[_Shape]) -> list[_Shape]:
    """Row by row, from left to right."""
    return sorted(things, key=lambda one: (one.y // _ROW, one.x))


def _drawing(board: _Board, pictures: Pictures) -> Iterator[AnyBlock]:
    """Excalidraw's: texts may be bound to a shape or a line (`containerId`)."""
    shown = [one for one in board.elements if not one.isDeleted]
    shapes = {one.id: one for one in shown}
    held = [one for one in shown if one.type == "text" and one.containerId in shapes]
    texts = {one.containerId or "": one for one in held}
    frames = [one for one in shown if one.type in ("frame", "magicframe")]
    named = {one.id for one in frames if one.id}
    framed: defaultdict[str, list[_Shape]] = defaultdict(list)
    for one in shown:
        if one.id not in named:
            framed[one.frameId if one.frameId in named else ""].append(one)
    yield from _elements(framed.pop("", []), shapes, texts, board.files, pictures)
    for frame in _in_order(frames):
        if frame.name:
            yield Heading(text=" ".join(frame.name.split()), level=1)
        yield from _elements(framed[frame.id], shapes, texts, board.files, pictures)
    for line in shown:
        if line.type in _LINES:
            ends = [_bound(binding, shapes, texts) for binding in (line.startBinding, line.endBinding)]
            yield from _connector_texts(ends, _words(texts[line.id]) if line.id in texts else "")


def _elements(
    things: Sequence[_Shape], shapes: Mapping[str, _Shape], texts: Mapping[str, _Shape],
    files: Mapping[str, _DataFile], pictures: Pictures,
) -> Iterator[AnyBlock]:  # fmt: skip
    for one in _in_order(things):
        if one.type == "text" and shapes.get(one.containerId or "", one).type not in _LINES:
            yield from _paragraph(_words(one), shapes.get(one.containerId or "", one).link)
        elif one.type == "image":
            file = files.get(one.fileId or "")
            yield Figure(embed=pictures.add(file.dataURL) if file is not None else None)
        elif one.link and one.id not in texts:  # an embedded page, or a shape that leads somewhere
            yield from _paragraph(one.link, one.link)


def _words(one: _Shape) -> str:
    """A text as it was written, before the board broke its lines to fit."""
    return (one.originalText or one.text).strip()


def _bound(binding: Mapping[str, Any] | None, shapes: Mapping[str, _Shape], texts: Mapping[str, _Shape]) -> str:
    """The words of what a line begins or ends at."""
    name = binding.get("elementId") if binding else None
    one = shapes.get(name) if isinstance(name, str) else None
    if one is None:
        return ""
    return _words(texts[one.id]) if one.id in texts else _words(one) or one.name or ""


def _canvas(board: _Board, pictures: Pictures) -> Iterator[AnyBlock]:
    """Obsidian's: cards of Markdown, files, links, and groups, in which lies what lies within their sides."""
    groups = _in_order([one for one in board.nodes if one.type == "group"])[:_MAX_GROUPS]
    within: dict[int, list[_Shape]] = {at: [] for at in range(-1, len(groups))}
    for one in board.nodes:
        if one.type != "group":
            held = [at for at, group in enumerate(groups) if _is_within(one, group)]
            smallest = min(held, key=lambda at: groups[at].width * groups[at].height, default=-1)
            within[smallest].append(one)
    parser = markdown_parser()
    for at, things in within.items():
        if at >= 0 and (label := (groups[at].label or "").strip()):
            yield Heading(text=" ".join(label.split()), level=1)
        for one in _in_order(things):
            if one.type == "text":
                yield from read_markdown(parser, one.text, pictures)
            elif target := one.url or one.file + (one.subpath or ""):
                yield from _paragraph(target, one.url or one.file)
    names = {one.id: one.label or one.text or one.file or one.url for one in board.nodes}
    for edge in board.edges:
        yield from _connector_texts([names.get(edge.fromNode, ""), names.get(edge.toNode, "")], edge.label)


def _is_within(one: _Shape, group: _Shape) -> bool:
    across, down = one.x + one.width / 2, one.y + one.height / 2
    return group.x <= across <= group.x + group.width and group.y <= down <= group.y + group.height


def _paragraph(text: str, link: str | None) -> Iterator[Paragraph]:
    if text:
        yield Paragraph(text=text, spans=(Span("link", 0, len(text), link),) if link else ())


def _connector_texts(ends: Sequence[str], label: str) -> Iterator[Paragraph]:
    """What a line leads from and to, and what stands on it."""
    names = [_short(end) for end in ends]
    led = f"{names[0]} → {names[1]}" if all(names) else ""
    if text := ": ".join(filter(None, (led, " ".join(label.split())))):
        yield Paragraph(text=text)


def _short(text: str) -> str:
    """The first line of a text, without what marks it as a heading."""
    line = next((line for line in text.splitlines() if line.strip()), "").strip(" #*_-")
    return line if len(line) <= _MAX_NAME_CHARS else line[: _MAX_NAME_CHARS - 1] + "…"
