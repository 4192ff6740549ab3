"""A block's text with its spans woven in: links, emphasis, mathematics, tracked changes, notes and comments.

`apply_spans` nests the spans properly; an `InlineSyntax` says how each is written. Markdown and plain text are here,
HTML is in `html`. Knows nothing of blocks."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar, Protocol

from sidecar.api import ListItem, Span
from sidecar.toolkit.provenance import escape_script_links, is_script_link, is_unsafe_link
from sidecar.toolkit.text import with_raised

_BOXES = frozenset("☐☑☒✓✗")
_TRIMMED = frozenset({"bold", "italic", "underline", "strike", "link", "sub", "sup"})
_EMPHASIS = frozenset({"bold", "italic", "underline", "strike"})
_CHANGES = frozenset({"ins", "del"})
_REPEATED = _EMPHASIS | {"note"}
"""What `_once` looks for."""
_SET_IN_CODE = _TRIMMED | {"code"}
_POINTS = frozenset({"note", "comment", "math"})
_ENDS_TARGET = re.compile(r"[ ()<>\n]")
# Where several spans start at one place, the one that encloses opens first; ties go by this order.
_ORDER = {
    kind: place
    for place, kind in enumerate(
        ("hidden", "comment", "ins", "del", "field", "link", "underline", "bold", "italic", "strike", "sub", "sup",
         "note", "math", "code")
    )
}  # fmt: skip


def marker_text(item: ListItem) -> str:
    """The marker that says something: the number a reader cites the item by, or the box it ticks; "" for a bullet."""
    return item.marker if item.ordered or item.marker in _BOXES else ""


class InlineSyntax(Protocol):
    """How text and spans are written."""

    def text(self, text: str) -> str:
        """Text between spans, escaped as the format asks."""
        ...

    def around(self, span: Span) -> tuple[str, str]:
        """What stands before the text of a span, and what after it."""
        ...

    def replaces(self, span: Span) -> bool:
        """Whether the opening and closing stand for the text under the span (a formula's LaTeX)."""
        ...


def marked(text: str, spans: Sequence[Span]) -> str:
    """As Markdown; text outside spans is left exactly as it is.

    Tracked changes and comments are written in CriticMarkup (`{++added++}`, `{--removed--}{>>by author, date<<}`,
    `{==marked==}{>>comment id<<}`), hidden text as `[hidden: …]`. Who made changes, and when, stands behind the last of
    those that one author made on one day."""
    if not spans:
        return escape_script_links(text)
    if len(spans) > 1:
        kinds = {span.kind for span in spans}
        if not kinds.isdisjoint(_REPEATED):
            spans = _once(text, spans)
        if not kinds.isdisjoint(_CHANGES):
            spans = _signed_once(spans)
        if "code" in kinds:
            spans = _around_code(spans)
    return apply_spans(text, spans, _MARKDOWN)


def _once(text: str, spans: Sequence[Span]) -> Sequence[Span]:
    """The spans without emphasis in emphasis of its own kind, since a bold word of a bold term is no bolder, and
    without what raises the mark of a note, which Markdown raises by itself. Emphasis that goes on in another span (a
    writer begins a run at each change of look), over a space too, is one: `*50**<sup>th</sup>*` is none to a reader."""
    marks = {(span.start, span.end) for span in spans if is_mark(span)}
    if marks:
        spans = [span for span in spans if span.kind != "sup" or (span.start, span.end) not in marks]
    kinds = [span.kind for span in spans if span.kind in _EMPHASIS]
    if len(set(kinds)) == len(kinds):
        return spans
    kept: list[Span] = []
    last: dict[str, int] = {}  # kind → place of its last span in `kept`
    for span in sorted(spans, key=_nesting):
        if span.kind in _EMPHASIS:
            before = kept[last[span.kind]] if span.kind in last else None
            if before is not None and (span.start <= before.end or text[before.end : span.start] == " "):
                if span.end > before.end:
                    kept[last[span.kind]] = Span(span.kind, before.start, span.end)
                continue
            last[span.kind] = len(kept)
        kept.append(span)
    return kept


def _signed_once(spans: Sequence[Span]) -> Sequence[Span]:
    """The spans, of tracked changes by one author on one day only the last with its author: the others need none."""
    changes = sorted((span for span in spans if span.kind in _CHANGES), key=_nesting)
    unsigned = {id(one) for one, following in pairwise(changes) if _signature(one) == _signature(following)}
    return [Span(span.kind, span.start, span.end) if id(span) in unsigned else span for span in spans]


def _signature(span: Span) -> str:
    return ", ".join(part for part in (flat(span.value.replace("<<}", "")), span.date[:10]) if part)


def _around_code(spans: Sequence[Span]) -> Sequence[Span]:
    """The spans so that none opens within code, where Markdown shows marks as they are: emphasis goes, and code is cut
    at the links in it."""
    codes = sorted(
        {(span.start, span.end) for span in spans if span.kind == "code"}, key=lambda code: (code[0], -code[1])
    )
    if not codes:
        return spans
    outer: list[tuple[int, int]] = []  # those in no other: as their beginnings rise, their ends do
    for code in codes:
        if not outer or code[1] > outer[-1][1]:
            outer.append(code)
    starts = [start for start, _ in outer]
    inside = [
        span.kind in _SET_IN_CODE
        and (before := bisect_right(starts, span.start)) > 0
        and span.end <= outer[before - 1][1]
        for span in spans
    ]
    if sum(inside) == sum(span.kind == "code" for span in spans):  # each code lies in itself
        return spans
    cuts = sorted(
        {edge for span, within in zip(spans, inside, strict=True) if within and span.kind == "link"
         for edge in (span.start, span.end)}
    )  # fmt: skip
    edges = [(start, *cuts[bisect_right(cuts, start) : bisect_left(cuts, end)], end) for start, end in outer]
    kept = [span for span, within in zip(spans, inside, strict=True) if not within or span.kind == "link"]
    return [*kept, *(Span("code", start, end) for places in edges for start, end in pairwise(places))]


def plain(text: str, spans: Sequence[Span]) -> str:
    """As plain text: only what would otherwise be lost is written, tracked changes, link targets, note numbers, and
    that words are struck through or figures raised."""
    if not spans:
        return text
    return apply_spans(with_raised(text, [(one.start, one.end) for one in spans if one.kind == "sup"]), spans, _PLAIN)


def flat(text: str) -> str:
    """The text on one line."""
    return " ".join(text.split())


def label(text: str) -> str:
    """Text for between the brackets of a Markdown link."""
    return flat(text).replace("[", "(").replace("]", ")")


def target(url: str) -> str:
    """A Markdown link target that cannot end its own parentheses; "" for what is not a link (`SAFE_SCHEMES`)."""
    if is_unsafe_link(url):
        return ""
    if _ENDS_TARGET.search(url):
        return f"<{url.replace(chr(10), '').replace('<', '%3C').replace('>', '%3E')}>"
    return url


def unlinked(url: str) -> str:
    """What stands behind the text of a link that is none, so that one reads where it leads; nothing for scripts."""
    return f" ({escape_script_links(flat(url))})" if is_unsafe_link(url) and not is_script_link(url) else ""


_MAX_OPEN = 100
"""Spans over one another at a place: where one ends, all opened in it are written again, so that n that cross would be
written n² times. Of what begins inside this many only comments and notes are told, where they begin."""


def apply_spans(text: str, spans: Sequence[Span], style: InlineSyntax) -> str:
    """`text` in that style. Spans may overlap in any way: one that must end inside another is closed and reopened."""
    usable = _usable(text, spans)
    if not usable:
        return style.text(text)
    if len(usable) == 1:  # as mostly
        return _around_one(text, usable[0], style)
    usable.sort(key=_nesting)
    pieces: list[str] = []
    open_spans: list[_Open] = []
    at = 0
    for span, following in zip(usable, [*usable[1:], None], strict=True):
        start, end = span.start, span.end
        if open_spans:
            _write_until(pieces, open_spans, text, at, start, style)
        elif at < start:
            pieces.append(style.text(text[at:start]))
        at = start
        if len(open_spans) >= _MAX_OPEN:
            if span.kind not in _POINTS:
                continue
            end = start
        opening, closing = style.around(span)
        pieces.append(opening)
        if start == end:  # a mark without text: a footnote reference, a comment at a point
            pieces.append(closing)
        elif not open_spans and (following is None or following.start >= end):  # as most: nothing else in it
            if not style.replaces(span):
                pieces.append(style.text(text[start:end]))
            pieces.append(closing)
            at = end
        else:
            open_spans.append((span, closing, style.replaces(span)))
    _write_until(pieces, open_spans, text, at, len(text), style)
    return "".join(pieces)


def _around_one(text: str, span: Span, style: InlineSyntax) -> str:
    """`apply_spans` with one span, which fits the text."""
    start, end = span.start, span.end
    opening, closing = style.around(span)
    before, after = text[:start], text[end:]
    within = "" if start == end or style.replaces(span) else style.text(text[start:end])
    return "".join((style.text(before) if before else "", opening, within, closing, style.text(after) if after else ""))


_Open = tuple[Span, str, bool]
"""A span that is open, what closes it, and whether its opening and closing stand for the text under it."""


def _nesting(span: Span) -> tuple[int, int, int]:
    return span.start, -span.end, _ORDER[span.kind]


def _write_until(
    pieces: list[str], open_spans: list[_Open], text: str, at: int, stop: int, style: InlineSyntax
) -> None:
    """Write the text from `at` to `stop`, and close the spans that end there or on the way."""
    while open_spans:
        end = min([span.end for span, _, _ in open_spans])
        if end > stop:
            break
        _write(pieces, open_spans, text[at:end], style)
        _close(pieces, open_spans, end, style)
        at = end
    _write(pieces, open_spans, text[at:stop], style)


def _write(pieces: list[str], open_spans: Sequence[_Open], text: str, style: InlineSyntax) -> None:
    if text and True not in [replaced for _, _, replaced in open_spans]:
        pieces.append(style.text(text))


def _close(pieces: list[str], open_spans: list[_Open], at: int, style: InlineSyntax) -> None:
    """Close the spans that end here, and those opened in them, which go on behind."""
    first = [span.end <= at for span, _, _ in open_spans].index(True)
    inner = open_spans[first:]
    del open_spans[first:]
    pieces.extend([closing for _, closing, _ in reversed(inner)])
    for one in inner:
        if one[0].end > at:
            pieces.append(style.around(one[0])[0])
            open_spans.append(one)


def _usable(text: str, spans: Sequence[Span]) -> list[Span]:
    """What `_fitted` gives of each; most are inside the text and touch no white space, which is told here."""
    size = len(text)
    found: list[Span] = []
    for span in spans:
        start, end = span.start, span.end
        if 0 <= start < end <= size and not text[start].isspace() and not text[end - 1].isspace():
            found.append(span)
        elif (fitted := _fitted(text, span)) is not None:
            found.append(fitted)
    return found


def _fitted(text: str, span: Span) -> Span | None:
    """The span inside the text; emphasis pulled in from white space, or it would not be emphasis in Markdown."""
    start, end = max(span.start, 0), min(span.end, len(text))
    if start >= end:
        return span if start == end and span.start == span.end and span.kind in _POINTS else None
    if span.kind in _TRIMMED and (text[start].isspace() or text[end - 1].isspace()):
        inner = text[start:end]
        start += len(inner) - len(inner.lstrip())
        end -= len(inner) - len(inner.rstrip())
        if start >= end:
            return None
    if start == span.start and end == span.end:
        return span
    return Span(span.kind, start, end, span.value, span.date)


def is_mark(span: Span) -> bool:
    """Whether the text under a note span is only the reference mark the note's id stands for."""
    return span.kind == "note" and span.end - span.start <= 4 and bool(span.value)


class _Markdown:
    PAIRS: ClassVar[dict[str, tuple[str, str]]] = {
        "bold": ("**", "**"), "italic": ("*", "*"), "strike": ("~~", "~~"), "code": ("`", "`"),
        "sub": ("<sub>", "</sub>"), "sup": ("<sup>", "</sup>"), "ins": ("{++", "++}"), "del": ("{--", "--}"),
        "hidden": ("[hidden: ", "]"),
    }  # fmt: skip

    def text(self, text: str) -> str:
        return escape_script_links(text)

    def around(self, span: Span) -> tuple[str, str]:
        match span.kind:
            case "link":
                link = target(span.value)
                return ("[", f"]({link})") if link else ("", unlinked(span.value))
            case "comment":
                opening, closing = ("{==", "==}") if span.start < span.end else ("", "")
                return opening, f"{closing}{{>>{span.value}<<}}"
            case "math":
                return f"${span.value}", "$"
            case "note":
                return "", f"[^{span.value}]" if span.value else ""
            case "ins" | "del":
                opening, closing = self.PAIRS[span.kind]
                return opening, f"{closing}{{>>by {_signature(span)}<<}}" if span.value else closing
            case _:
                return self.PAIRS.get(span.kind, ("", ""))

    def replaces(self, span: Span) -> bool:
        return (span.kind == "math" and bool(span.value)) or is_mark(span)


class _Plain:
    _PAIRS: ClassVar[dict[str, tuple[str, str]]] = {
        "ins": ("[+", "+]"),
        "del": ("[-", "-]"),
        "strike": ("~~", "~~"),
        "hidden": ("[hidden: ", "]"),
    }

    def text(self, text: str) -> str:
        return text

    def around(self, span: Span) -> tuple[str, str]:
        match span.kind:
            case "link":
                shown = span.value and not span.value.startswith("#") and not is_script_link(span.value)
                return "", f" ({span.value})" if shown else ""
            case "note" | "comment":
                return "", f"[{span.value}]" if span.value else ""
            case _:
                return self._PAIRS.get(span.kind, ("", ""))

    def replaces(self, span: Span) -> bool:
        return is_mark(span)


_MARKDOWN = _Markdown()
_PLAIN = _Plain()
