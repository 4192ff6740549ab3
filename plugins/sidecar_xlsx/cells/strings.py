"""Shared strings and rich text: `sst`, `si`, `is` and comment text (ECMA-376 part 1 §18.4) to text and spans."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from sidecar.api import Span, SpanKind
from sidecar.toolkit.ooxml.hidden_text import HiddenText, with_invisible
from sidecar.toolkit.xml import XmlElement, parse_xml
from sidecar_xlsx.cells.scanning import settle
from sidecar_xlsx.cells.styles import Colours, is_tiny

_RUN_KINDS: dict[str, SpanKind] = {"b": "bold", "i": "italic", "u": "underline", "strike": "strike"}
_USUAL = Colours()
Inks = tuple[tuple[Span, int], ...]
"""Stretches of a text, as hidden spans, and their colours."""


@dataclass(frozen=True)
class SharedStrings:
    """The texts by index, and the spans of those that have formatting of their own."""

    texts: list[str] = field(default_factory=list[str])
    spans: dict[int, tuple[Span, ...]] = field(default_factory=dict[int, tuple[Span, ...]])
    inks: dict[int, Inks] = field(default_factory=dict[int, "Inks"])
    """The stretches with a colour of their own: hidden on a cell of that colour."""
    hidden: HiddenText = field(default_factory=HiddenText)
    """What is hidden in texts whatever cell shows them."""

    def is_partly_hidden(self, index: int) -> bool:
        """Whether some of a text is hidden, or may be by the colour of its cell."""
        return index in self.inks or any(span.kind == "hidden" for span in self.spans.get(index, ()))


def read_shared_strings(data: bytes, what: str) -> SharedStrings:
    """The shared string table. Raises DamagedError when it is not XML at all."""
    shared = SharedStrings()
    for item in parse_xml(data, what).iterchildren("{*}si"):
        if len(item) == 1 and isinstance(item[0].tag, str) and item[0].tag.endswith("}t"):
            text = settle(item[0].text or "")
            if text.isascii():
                shared.texts.append(text)
            else:
                _add(shared, text, ())
        else:
            _add_rich(shared, item)
    return shared


def _add_rich(shared: SharedStrings, item: XmlElement) -> None:
    text, spans, inks = seen_text(item, shared.hidden)
    if inks:
        shared.inks[len(shared.texts)] = inks
    _add(shared, text, spans)


def seen_text(item: XmlElement, found: HiddenText) -> tuple[str, tuple[Span, ...], Inks]:
    """`rich_text` with what is too small to be read flagged and counted, and the inks of runs."""
    text, spans = rich_text(item)
    runs = [(span, node) for span, node in _runs(item) if text[span.start : span.end].strip()]
    tiny = [span for span, node in runs if is_tiny(node.find("{*}sz"))]
    for _ in tiny:
        found.add("size")
    inks = [(span, _USUAL.of(node.find("{*}color"))) for span, node in runs]
    return text, (*spans, *tiny), tuple((span, ink) for span, ink in inks if ink is not None)


def _add(shared: SharedStrings, text: str, spans: tuple[Span, ...]) -> None:
    spans = with_invisible(text, spans, shared.hidden)
    if spans:
        shared.spans[len(shared.texts)] = spans
    shared.texts.append(text)


def rich_text(item: XmlElement) -> tuple[str, tuple[Span, ...]]:
    """Text and spans of an element that holds `t` and `r` children (`si`, `is`, a comment's `text`)."""
    pieces: list[str] = []
    spans: list[Span] = []
    size = 0
    for node in item:
        if not isinstance(node.tag, str):
            continue
        name = node.tag.rpartition("}")[2]
        if name not in ("t", "r"):
            continue
        texts = [node] if name == "t" else [n for n in node if isinstance(n.tag, str) and _name(n) == "t"]
        text = settle("".join(child.text or "" for child in texts))
        if name == "r" and text:
            spans.extend(Span(kind, size, size + len(text)) for kind in _kinds(node))
        pieces.append(text)
        size += len(text)
    return "".join(pieces), tuple(_joined(spans))


def _runs(item: XmlElement) -> Iterator[tuple[Span, XmlElement]]:
    """Hidden spans of the runs that have properties, and those."""
    size = 0
    for node in item:
        name = _name(node) if isinstance(node.tag, str) else ""
        if name not in ("t", "r"):
            continue
        texts = [node] if name == "t" else node.findall("{*}t")
        length = len(settle("".join(child.text or "" for child in texts)))
        properties = node.find("{*}rPr") if name == "r" else None
        if length and properties is not None:
            yield Span("hidden", size, size + length), properties
        size += length


def _name(node: XmlElement) -> str:
    return node.tag.rpartition("}")[2]


def _kinds(run: XmlElement) -> list[SpanKind]:
    kinds: list[SpanKind] = []
    for properties in run:
        if not isinstance(properties.tag, str) or _name(properties) != "rPr":
            continue
        for node in properties:
            if not isinstance(node.tag, str) or node.get("val") in ("0", "false", "none"):
                continue
            name = _name(node)
            if name in _RUN_KINDS:
                kinds.append(_RUN_KINDS[name])
            elif name == "vertAlign" and node.get("val") in ("superscript", "subscript"):
                kinds.append("sup" if node.get("val") == "superscript" else "sub")
    return kinds


def _joined(spans: list[Span]) -> list[Span]:
    """Spans of one kind that touch are one span; writers split runs for reasons of their own."""
    places: dict[SpanKind, int] = {}
    result: list[Span] = []
    for span in spans:
        place = places.get(span.kind)
        if place is not None and result[place].end == span.start:
            result[place] = Span(span.kind, result[place].start, span.end)
        else:
            places[span.kind] = len(result)
            result.append(span)
    return result
