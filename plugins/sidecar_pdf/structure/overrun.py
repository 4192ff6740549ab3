"""Puts a word that a page end cuts in two back together, on the page where it begins: neither half can be searched."""

from __future__ import annotations

from itertools import pairwise

from sidecar.api import Span
from sidecar_pdf.layout.joining import line_glue
from sidecar_pdf.structure.drafts import Draft, DraftPage

_REACH = 4
"""Footnotes and captions that may stand between the text and the page's end, or before the text of the next."""


def join_cut_words(pages: list[DraftPage], body: float, vocabulary: set[str]) -> None:
    """Changes the drafts in place. `body` is the size of running text in points; `vocabulary` holds words seen
    unbroken, which tell a hyphen of the word's own from one of the line."""
    for page, following in pairwise(pages):
        last = _text(page.drafts[::-1], body)
        first = _text(following.drafts, body)
        if last is None or first is None or first.marker or not first.text[:1].islower():
            continue
        if last.text[-1:] not in "-\u2010" or not last.text[-2:-1].isalpha() or abs(last.size - first.size) > 0.5:
            continue
        rest, _, text = first.text.partition(" ")
        glue, drop = line_glue(last.text.rsplit(" ", 1)[-1], rest, vocabulary)
        last.text = (last.text[:-1] if drop else last.text) + glue + rest
        cut = len(first.text) - len(text)
        first.text = text
        first.spans = tuple(
            Span(s.kind, max(s.start - cut, 0), s.end - cut, s.value) for s in first.spans if s.end > cut
        )  # fmt: skip
        if not text:
            following.drafts.remove(first)


def _text(drafts: list[Draft], body: float) -> Draft | None:
    """The first running text among the drafts, past what may stand outside it."""
    passed = 0
    for draft in drafts:
        if (
            draft.margin
            or draft.hidden
            or draft.caption
            or draft.kind in {"table", "figure"}
            or draft.size < 0.93 * body
        ):
            passed += not draft.margin
            if passed > _REACH:
                return None
            continue
        return draft if draft.kind in {"text", "list"} and not draft.mono else None
    return None
