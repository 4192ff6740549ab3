"""Run properties as a bit mask of what matters to a reader (ECMA-376 part 1 §17.3.2), and masks as spans."""

from __future__ import annotations

from sidecar.api.model import Span, SpanKind
from sidecar.toolkit.xml import XmlElement
from sidecar_docx.qualified_names import VAL, W, is_on

BOLD, ITALIC, UNDERLINE, STRIKE, SUB, SUP, HIDDEN = 1, 2, 4, 8, 16, 32, 64

BITS = {
    f"{W}b": BOLD,
    f"{W}i": ITALIC,
    f"{W}strike": STRIKE,
    f"{W}dstrike": STRIKE,
    f"{W}vanish": HIDDEN,
    f"{W}u": UNDERLINE,
    f"{W}vertAlign": SUB | SUP,
}
_SUB_SUP = SUB | SUP
_KINDS: tuple[tuple[int, SpanKind], ...] = (
    (BOLD, "bold"), (ITALIC, "italic"), (UNDERLINE, "underline"), (STRIKE, "strike"), (SUB, "sub"), (SUP, "sup"),
    (HIDDEN, "hidden"),
)  # fmt: skip


def mask_change(elements: list[tuple[str, str | None]]) -> tuple[int, int]:
    """The same as `mask_of` for `(name as written, w:val)` of run properties: `(kept, set)`, so that the mask is
    `inherited & kept | set`."""
    kept, on = ~0, 0
    for name, value in elements:
        bit = BITS.get(f"{W}{name[2:]}") if name.startswith("w:") else None
        if bit is None:
            continue
        kept, on = kept & ~bit, on & ~bit
        if bit == _SUB_SUP:
            on |= SUP if value == "superscript" else SUB if value == "subscript" else 0
        elif is_on(value):
            on |= bit
    return kept, on


def mask_of(properties: XmlElement, inherited: int = 0) -> int:
    """The mask of an `w:rPr` over what is inherited."""
    mask = inherited
    for child in properties:
        bit = BITS.get(child.tag)
        if bit is None:
            continue
        value = child.get(VAL)
        if bit == _SUB_SUP:
            mask = mask & ~_SUB_SUP | (SUP if value == "superscript" else SUB if value == "subscript" else 0)
        elif is_on(value):
            mask |= bit
        else:
            mask &= ~bit
    return mask


def mask_spans(runs: list[tuple[int, int, int]]) -> list[Span]:
    """Spans of `(start, end, mask)` runs in order; neighbours with the same properties become one."""
    spans: list[Span] = []
    seen = 0
    for _, _, mask in runs:
        seen |= mask
    for bit, kind in _KINDS:
        if not seen & bit:
            continue
        begin = last = -1
        for start, end, mask in runs:
            if not mask & bit:
                continue
            if start != last:
                if begin >= 0:
                    spans.append(Span(kind, begin, last))
                begin = start
            last = end
        spans.append(Span(kind, begin, last))
    return spans
