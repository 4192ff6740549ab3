"""A block's text with its spans woven in: links, emphasis, mathematics, tracked changes, notes and comments.

`weave` nests the spans properly; a `Style` says how each is written. Markdown and plain text are here, HTML is in
`html`. Knows nothing of blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol

from sidecar.api import Span
from sidecar.toolkit.provenance import escape_script_links, is_script_link

__all__ = ["Style", "flat", "label", "marked", "plain", "target", "weave"]

_TRIMMED = frozenset({"bold", "italic", "underline", "strike", "link", "sub", "sup"})
_POINTS = frozenset({"note", "comment", "math"})
# Where several spans start at one place, the one that encloses opens first; ties go by this order.
_ORDER = {
    kind: place
    for place, kind in enumerate(
        ("hidden", "comment", "ins", "del", "field", "link", "underline", "bold", "italic", "strike", "sub", "sup",
         "note", "math", "code")
    )
}  # fmt: skip


class Style(Protocol):
    """How text and spans are written. `opening` and `closing` of one span enclose its text."""

    def text(self, text: str) -> str:
        """Text between spans, escaped as the format asks."""
        ...

    def opening(self, span: Span) -> str:
        """What stands before the text of a span."""
        ...

    def closing(self, span: Span) -> str:
        """What stands after it."""
        ...

    def replaces(self, span: Span) -> bool:
        """Whether the opening and closing stand for the text under the span (a formula's LaTeX)."""
        ...


def marked(text: str, spans: Sequence[Span]) -> str:
    """As Markdown; text outside spans is left exactly as it is.

    Tracked changes and comments are written in CriticMarkup (`{++added++}`, `{--removed--}`,
    `{==marked==}{>>comment id<<}`), hidden text as `[hidden: …]`.
    """
    return weave(text, spans, _MARKDOWN) if spans else escape_script_links(text)


def plain(text: str, spans: Sequence[Span]) -> str:
    """As plain text: only what would otherwise be lost is written, tracked changes, link targets, note numbers."""
    return weave(text, spans, _PLAIN) if spans else text


def flat(text: str) -> str:
    """The text on one line."""
    return " ".join(text.split())


def label(text: str) -> str:
    """Text for between the brackets of a Markdown link."""
    return flat(text).replace("[", "(").replace("]", ")")


def target(url: str) -> str:
    """A Markdown link target that cannot end its own parentheses; "" where following it would run a script."""
    if is_script_link(url):
        return ""
    if any(mark in url for mark in " ()<>\n"):
        return f"<{url.replace(chr(10), '').replace('<', '%3C').replace('>', '%3E')}>"
    return url


def weave(text: str, spans: Sequence[Span], style: Style) -> str:
    """`text` in that style. Spans may overlap in any way: one that must end inside another is closed and reopened."""
    usable = [span for span in (_fitted(text, span) for span in spans) if span is not None]
    if not usable:
        return style.text(text)
    usable.sort(key=lambda span: (span.start, -span.end, _ORDER[span.kind]))
    cuts = sorted({0, len(text), *(span.start for span in usable), *(span.end for span in usable)})
    pieces: list[str] = []
    open_spans: list[Span] = []
    waiting = 0
    for at, following in zip(cuts, [*cuts[1:], len(text)], strict=True):
        _close(pieces, open_spans, at, style)
        while waiting < len(usable) and usable[waiting].start <= at:
            span = usable[waiting]
            waiting += 1
            pieces.append(style.opening(span))
            if span.start == span.end:  # a mark without text: a footnote reference, a comment at a point
                pieces.append(style.closing(span))
            else:
                open_spans.append(span)
        if following > at and not any(style.replaces(span) for span in open_spans):
            pieces.append(style.text(text[at:following]))
    return "".join(pieces)


def _close(pieces: list[str], open_spans: list[Span], at: int, style: Style) -> None:
    first = next((index for index, span in enumerate(open_spans) if span.end <= at), None)
    if first is None:
        return
    inner = open_spans[first:]
    del open_spans[first:]
    pieces.extend(style.closing(span) for span in reversed(inner))
    for span in inner:
        if span.end > at:
            pieces.append(style.opening(span))
            open_spans.append(span)


def _fitted(text: str, span: Span) -> Span | None:
    """The span inside the text; emphasis pulled in from white space, or it would not be emphasis in Markdown."""
    start, end = max(span.start, 0), min(span.end, len(text))
    if start >= end:
        return span if start == end and span.start == span.end and span.kind in _POINTS else None
    if span.kind in _TRIMMED:
        inner = text[start:end]
        start += len(inner) - len(inner.lstrip())
        end -= len(inner) - len(inner.rstrip())
        if start >= end:
            return None
    if start == span.start and end == span.end:
        return span
    return Span(span.kind, start, end, span.value, span.date)


def _is_mark(span: Span) -> bool:
    """Whether the text under a note span is only the reference mark the note's id stands for."""
    return span.kind == "note" and span.end - span.start <= 4 and bool(span.value)


class _Markdown:
    _PAIRS: ClassVar[dict[str, tuple[str, str]]] = {
        "bold": ("**", "**"), "italic": ("*", "*"), "strike": ("~~", "~~"), "code": ("`", "`"),
        "sub": ("<sub>", "</sub>"), "sup": ("<sup>", "</sup>"), "ins": ("{++", "++}"), "del": ("{--", "--}"),
        "hidden": ("[hidden: ", "]"),
    }  # fmt: skip

    def text(self, text: str) -> str:
        return escape_script_links(text)

    def opening(self, span: Span) -> str:
        match span.kind:
            case "link":
                return "[" if target(span.value) else ""
            case "comment":
                return "{==" if span.start < span.end else ""
            case "math":
                return f"${span.value}" if span.value else "$"
            case _:
                return self._PAIRS.get(span.kind, ("", ""))[0]

    def closing(self, span: Span) -> str:
        match span.kind:
            case "link":
                link = target(span.value)
                return f"]({link})" if link else ""
            case "comment":
                return ("==}" if span.start < span.end else "") + f"{{>>{span.value}<<}}"
            case "math":
                return "$"
            case "note":
                return f"[^{span.value}]" if span.value else ""
            case _:
                return self._PAIRS.get(span.kind, ("", ""))[1]

    def replaces(self, span: Span) -> bool:
        return (span.kind == "math" and bool(span.value)) or _is_mark(span)


class _Plain:
    _PAIRS: ClassVar[dict[str, tuple[str, str]]] = {
        "ins": ("[+", "+]"),
        "del": ("[-", "-]"),
        "hidden": ("[hidden: ", "]"),
    }

    def text(self, text: str) -> str:
        return text

    def opening(self, span: Span) -> str:
        return self._PAIRS.get(span.kind, ("", ""))[0]

    def closing(self, span: Span) -> str:
        match span.kind:
            case "link":
                shown = span.value and not span.value.startswith("#") and not is_script_link(span.value)
                return f" ({span.value})" if shown else ""
            case "note" | "comment":
                return f"[{span.value}]" if span.value else ""
            case _:
                return self._PAIRS.get(span.kind, ("", ""))[1]

    def replaces(self, span: Span) -> bool:
        return _is_mark(span)


_MARKDOWN = _Markdown()
_PLAIN = _Plain()
