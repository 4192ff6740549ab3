"""Turns ranked passages into hits: one for each section, addressed, with snippet and the element they talk about."""

from __future__ import annotations

from collections.abc import Sequence

from sidecar.api import DocumentInfo, Element, SearchHit, format_uri
from sidecar.search.snippets import matches, snippet
from sidecar.search.words import key, words
from sidecar.store import Passage


def one_a_section(passages: Sequence[Passage], limit: int) -> list[Passage]:
    """The first passage of every section (or part, where there are no sections), in order."""
    seen: set[tuple[str, str | int]] = set()
    kept: list[Passage] = []
    for passage in passages:
        place = (passage.slug, passage.section if passage.part_kind == "chapter" and passage.section else passage.part)
        if place not in seen:
            seen.add(place)
            kept.append(passage)
            if len(kept) == limit:
                break
    return kept


def address(passage: Passage, window: tuple[int, int, int] = (-1, -1, 0)) -> str:
    """The URI that reads what was found. `window` is the sheet's row window (see `row_windows` of the store)."""
    kind = passage.part_kind
    if kind == "chapter" and passage.section:
        return format_uri("section", passage.slug, passage.section)
    if kind == "sheet":
        first, last, cols = window
        query = {"range": f"A{first + 1}:{_column(cols)}{last + 1}"} if first >= 0 and cols > 0 else None
        return format_uri("sheet", passage.slug, passage.part_name or passage.part, query=query)
    if kind:
        return format_uri(kind, passage.slug, passage.part)
    return format_uri("document", passage.slug)


def passage_hit(
    passage: Passage, score: float, marks: Sequence[str], elements: Sequence[Element], window: tuple[int, int, int]
) -> SearchHit:
    heading = passage.heading
    title = passage.title if not heading or heading == passage.title else f"{passage.title} › {heading}"
    text = passage.text or heading
    if heading and not matches(text, marks) and matches(heading, marks):
        text = f"{heading}: {text}"  # found by its heading, so that is what the snippet has to show
    return SearchHit(
        document_slug=passage.slug, doc_id=passage.doc_id, uri=address(passage, window), title=title,
        snippet=snippet(text, marks), score=significant(score), page=_page(passage),
        element_label=_element_label(elements, marks), path=passage.path,
    )  # fmt: skip


def document_hit(document: DocumentInfo, score: float, marks: Sequence[str]) -> SearchHit:
    """A document found by its title or file name."""
    text = " — ".join(filter(None, (document.title, document.name, document.description)))
    return SearchHit(
        document_slug=document.slug, doc_id=document.doc_id, uri=format_uri("document", document.slug),
        title=document.title, snippet=snippet(text, marks), score=significant(score), path=document.path,
    )  # fmt: skip


def significant(score: float) -> float:
    """Six digits: a score is for comparing, and BM25 gets very small where a word stands in most texts."""
    return float(f"{score:.6g}")


def _page(passage: Passage) -> int | None:
    if passage.part_kind in ("page", "slide"):
        return passage.part
    return passage.page or None


def _element_label(elements: Sequence[Element], marks: Sequence[str]) -> str | None:
    """The label of the element at the passage whose label and caption hold most of the query's words, half at least."""
    wanted = {key(mark) for mark in marks}
    best, label = 0, None
    for element in elements:
        text = f"{element.label} {element.caption}"
        shared = len(wanted & {key(text[start:end]) for start, end in words(text)})
        if shared > best and 2 * shared >= len(wanted):
            best, label = shared, element.label
    return label


def _column(number: int) -> str:
    """The letters of a column counted from 1: 1 is A, 27 is AA."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
