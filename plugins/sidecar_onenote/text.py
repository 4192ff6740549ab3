"""The text of a paragraph with what its runs look like: styles, links (written as fields), headings by their style."""

import itertools
import re
import struct
from typing import Final

from sidecar.api.model import AnyBlock, Code, Heading, ListItem, Paragraph, Span, SpanKind
from sidecar.toolkit.text import without_surrogates
from sidecar_onenote.spaces import Object, Space

UNICODE, ASCII = 0x1C001C22, 0x1C003498
_STYLE, _STYLE_ID, _RUN_STARTS, _RUN_STYLES = 0x2000342C, 0x1C00345A, 0x1C001E12, 0x24001E13
_HIDDEN: Final = 0x08001E16
_LOOKS: Final[dict[int, SpanKind]] = {
    0x08001C04: "bold", 0x08001C05: "italic", 0x08001C06: "underline", 0x08001C07: "strike", 0x08001C08: "sup",
    0x08001C09: "sub",
}  # fmt: skip
_FIELD: Final = re.compile('\ufddfHYPERLINK "([^"]*)"')
_SIGNS: Final = re.compile("[\x00-\x08\x0e-\x1f\ufddf-\ufdef\ufffc]")
_HEADING: Final = re.compile(r"h([1-6])")


def words(value: object) -> str:
    """A property of UTF-16 as text."""
    return without_surrogates(value.decode("utf-16-le", "replace")).rstrip("\0") if isinstance(value, bytes) else ""


def paragraph(space: Space, one: Object, marker: str, level: int) -> AnyBlock | None:
    """A rich text as a block, None for an empty one; with a `marker` a list item."""
    text, spans = _runs(space, one)
    if not text.strip():
        return None
    style = next((words(it.properties.get(_STYLE_ID)) for it in space.below(one, _STYLE)), "")
    heading = _HEADING.fullmatch(style)
    if heading and not marker:
        return Heading(text=text, level=int(heading[1]), spans=spans)
    if marker:
        return ListItem(text=text, level=level, marker=marker, ordered=marker != "•", spans=spans)
    if style == "code":
        return Code(text=text)
    return Paragraph(text=text, style={"blockquote": "quote", "cite": "caption"}.get(style, ""), spans=spans)


def _plain(one: Object) -> str:
    """The characters of a rich text, fields and all; those of Latin letters alone are kept as bytes of cp1252."""
    whole = words(one.properties.get(UNICODE))
    raw = one.properties.get(ASCII)
    return whole or (raw.decode("cp1252", "replace").rstrip("\0") if isinstance(raw, bytes) else "")


def _runs(space: Space, one: Object) -> tuple[str, tuple[Span, ...]]:
    whole = _plain(one)
    starts = one.properties.get(_RUN_STARTS)
    offsets = (
        [at for (at,) in struct.iter_unpack("<I", starts[: len(starts) // 4 * 4])] if isinstance(starts, bytes) else []
    )
    bounds = [0, *(at for at in offsets if at < len(whole)), len(whole)]
    styles = space.below(one, _RUN_STYLES)
    text, spans, link = "", list[Span](), ""
    for number, (start, end) in enumerate(itertools.pairwise(bounds)):
        looks = styles[number].properties if number < len(styles) else {}
        run = whole[start:end]
        field = _FIELD.search(run)
        if field:
            link, run = field[1], _FIELD.sub("", run)
        run = _SIGNS.sub("", run.replace("\x0b", "\n").replace("\r", "\n"))
        if not run:
            continue
        begin, text = len(text), text + run
        spans += [Span(kind, begin, len(text)) for prid, kind in _LOOKS.items() if looks.get(prid)]
        if link:
            spans.append(Span("link", begin, len(text), link))
            link = ""
        elif looks.get(_HIDDEN):
            spans.append(Span("hidden", begin, len(text)))
    return text, tuple(spans)
