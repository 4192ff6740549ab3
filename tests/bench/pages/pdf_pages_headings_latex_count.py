"""Counts our reading of a document against what `pdf_pages_headings_latex.py` knows of it: headings and the order of
their levels, what stands at the edge of pages, notes, and sentences and paragraphs whole."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from pdf_pages import Tally, judge_levels
from sidecar_pdf import PdfFormat

from sidecar.api import Heading, Limits, ListItem, Note, Paragraph, ParsedDocument, Source

_LABELS = r"(?:chapter|kapitel|chapitre|rozdział|section|appendix|anhang|annexe|dodatek|question|exercise)?"
_NUMBER = re.compile(_LABELS + r"(?:[ivx]{1,5}|[a-z]?[\d]{0,6})")
"""What stands before a title as its number, as letters and digits."""
_FOLIO = re.compile(r"[\s\-–—]*(?:\d{1,4}|[ivxlc]{1,6})[\s\-–—]*")
_BESIDE = 20
"""Letters less than which may stand beside a running head: a date, a page number."""
_LEAST = 5
"""Letters of a title, from which on what follows it is not looked at."""


@dataclass
class Score:
    """What was found and what was not, over all documents."""

    headings: Tally = field(default_factory=Tally)
    furniture: int = 0
    places: int = 0
    """Pages on which furniture could have been left in the text."""
    folios: int = 0
    notes_right: int = 0
    notes_in_text: int = 0
    notes_cut: int = 0
    whole: int = 0
    cut: int = 0
    broken: int = 0
    exact: int = 0
    compared: int = 0
    """Sentences compared sign by sign."""
    parted: int = 0
    merged: int = 0
    paragraphs: int = 0
    documents: int = 0
    clean: int = 0
    """Documents all of whose headings are right."""

    @property
    def notes(self) -> list[str]:
        """What is wrong, one a line."""
        return self.headings.notes

    def summary(self) -> str:
        """The figures."""
        t = self.headings
        precision, recall = t.found / max(t.found + t.wrong, 1), t.found / max(t.found + t.missed, 1)
        return (
            f"{self.documents} documents, {self.clean} with all headings right\n"
            f"headings: {t.found} found, {t.missed} missed, {t.wrong} wrong; precision {precision:.3f} recall"
            f" {recall:.3f}; levels in order {t.right_steps}/{t.steps}\n"
            f"edge of pages in the text: {self.furniture} heads or feet, {self.folios} page numbers, of {self.places}"
            " pages\n"
            f"notes: {self.notes_right} right, {self.notes_in_text} in the text, {self.notes_cut} cut\n"
            f"sentences: {self.whole} whole, {self.cut} cut, {self.broken} broken; {self.exact} of {self.compared}"
            f" sign by sign\nparagraphs: {self.parted} parted, {self.merged} run together, of {self.paragraphs}"
        )


def letters(text: str) -> str:
    """What text is compared by."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


def count(file: Path, name: str, truth: dict[str, Any], score: Score) -> None:
    """Adds a document."""
    parsed = PdfFormat().parse(Source.of(file), Limits(ocr=False))
    score.documents += 1
    before = score.headings.missed + score.headings.wrong
    _count_headings(parsed, name, truth, score)
    score.clean += score.headings.missed + score.headings.wrong == before
    _count_edges(parsed, name, truth, score)
    _count_notes(parsed, name, truth, score)
    _count_sentences(parsed, name, truth, score)


def _count_headings(parsed: ParsedDocument, name: str, truth: dict[str, Any], score: Score) -> None:
    tally = score.headings
    ours = [(n, block) for n, part in enumerate(parsed.parts, 1) for block in part.blocks if isinstance(block, Heading)]
    left = list(ours)
    levels: list[tuple[int, int]] = []
    for level, title in truth["headings"]:
        match = next((one for one in left if _is_same(title, one[1])), None)
        if match is None:
            tally.missed += 1
            tally.notes.append(f"{name} heading missed: {title}")
            continue
        tally.found += 1
        levels.append((level, match[1].level))
        left.remove(match)
    free = [letters(text) for text in truth["optional"]]
    for number, block in left:
        text = letters(f"{block.number}{block.text}")
        if not any(text.startswith(other) or letters(block.text).startswith(other) for other in free):
            tally.wrong += 1
            tally.notes.append(f"{name}:{number} no heading: {block.number} {block.text[:80]}")
    judge_levels(levels, name, tally)


def _is_same(title: str, block: Heading) -> bool:
    """Whether a heading of ours is a title, its number in it, before it, or left out."""
    text = letters(f"{block.number}{block.text}")
    kind, is_theorem, called = title.partition(" #")
    if is_theorem:
        pattern = rf"{letters(kind)}[a-z]{{0,4}}\d{{1,4}}{letters(called)}"
        return re.fullmatch(pattern, text) is not None or (bool(called) and re.match(pattern, text) is not None)
    want = letters(title)
    if text.endswith(want) and _NUMBER.fullmatch(text[: -len(want)]):
        return True
    return len(want) > _LEAST and letters(block.text).startswith(want) and len(text) - len(want) < _LEAST


def _count_edges(parsed: ParsedDocument, name: str, truth: dict[str, Any], score: Score) -> None:
    """Running heads and page numbers among the text; titles at the head of pages are there as often as they are parts,
    and once more in a list of contents."""
    fixed = [letters(text) for text in truth["furniture"] if len(letters(text)) > _LEAST]
    titles = Counter(letters(title) for _, title in truth["headings"])
    seen: Counter[str] = Counter()
    for number, part in enumerate(parsed.parts, 1):
        score.places += 1
        for block in part.blocks:
            if not isinstance(block, Paragraph | Heading | ListItem):
                continue
            whole = f"{block.number} {block.text}" if isinstance(block, Heading) else block.text
            text = letters(whole)
            if isinstance(block, Paragraph) and _FOLIO.fullmatch(block.text):
                score.folios += 1
                score.notes.append(f"{name}:{number} page number in the text: {block.text}")
            if any(other in text and len(text) < len(other) + _BESIDE for other in fixed) and text not in titles:
                score.furniture += 1
                score.notes.append(f"{name}:{number} edge in the text: {whole[:90]}")
            if not isinstance(block, Heading):
                mark = next(
                    (t for t in titles if text == t or (text.endswith(t) and _NUMBER.fullmatch(text[: -len(t)]))), ""
                )
                seen[mark] += bool(mark)
                if truth["marks"] and mark and seen[mark] > truth["contents"]:
                    score.furniture += 1
                    score.notes.append(f"{name}:{number} mark in the text: {whole[:90]}")


def _count_notes(parsed: ParsedDocument, name: str, truth: dict[str, Any], score: Score) -> None:
    notes = [letters(b.text) for part in parsed.parts for b in part.blocks if isinstance(b, Note)]
    others = [
        letters(b.text) for part in parsed.parts for b in part.blocks if isinstance(b, Paragraph | ListItem | Heading)
    ]
    for text in truth["notes"]:
        want = letters(text)
        if any(want in one for one in notes):
            score.notes_right += 1
        elif any(want in one for one in others):
            score.notes_in_text += 1
            score.notes.append(f"{name} note in the text: {text[:60]}")
        else:
            score.notes_cut += 1
            score.notes.append(f"{name} note cut: {text[:60]}")


def _count_sentences(parsed: ParsedDocument, name: str, truth: dict[str, Any], score: Score) -> None:
    blocks = [
        (n, b) for n, part in enumerate(parsed.parts, 1) for b in part.blocks if isinstance(b, Paragraph | ListItem)
    ]
    texts = [letters(block.text) for _, block in blocks]
    solid = [_solid(block.text) for _, block in blocks]
    whole = "".join(texts)
    owner: dict[int, int] = {}
    last = 0
    for at, paragraph in enumerate(truth["paragraphs"]):
        score.paragraphs += 1
        places: list[int] = []
        for sentence in paragraph:
            want = _pattern(sentence)
            found = [n for n, text in enumerate(texts) if want.search(text)]
            if found:  # what another sentence begins with is found elsewhere too
                place = next((n for n in found if n >= last), found[0])
                last = place
                score.whole += 1
                places.append(place)
                score.compared += 1
                right = _solid(sentence) in solid[place]
                score.exact += right
                if not right:
                    score.notes.append(f"{name}:{blocks[place][0]} not sign by sign: {sentence}")
            elif want.search(whole):
                score.cut += 1
                score.notes.append(f"{name} sentence cut: {sentence}")
            else:
                score.broken += 1
                score.notes.append(f"{name} sentence broken: {sentence}")
        parted = any(a != b and blocks[a][0] == blocks[b][0] for a, b in pairwise(places))
        score.parted += parted
        if parted:
            score.notes.append(f"{name} paragraph parted: {paragraph[0][:60]}")
        for place in set(places):
            if owner.setdefault(place, at) != at:
                score.merged += 1
                score.notes.append(f"{name}:{blocks[place][0]} run together with the one before: {paragraph[0][:60]}")


def _pattern(sentence: str) -> re.Pattern[str]:
    """A sentence by its letters; a footnote's number may stand at any word's end."""
    words = [letters(word) for word in sentence.split()]
    return re.compile(r"\d{0,2}".join(re.escape(word) for word in words if word))


def _solid(text: str) -> str:
    """Text with one kind of blanks, quotes and dashes, and without raised numbers."""
    text = unicodedata.normalize("NFKC", text).replace("’", "'").replace("‐", "-").replace("–", "-")
    return re.sub(r"(?<=[^\W\d_]|[.,)\]])\d{1,2}(?=\s|$)", "", re.sub(r"\s+", " ", text))
