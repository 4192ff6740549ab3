"""Turns chosen passages into hits: addressed, with title, snippet and the element they talk about."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, takewhile
from unicodedata import normalize

from msgspec.structs import replace

from sidecar.api import DocumentInfo, DocumentState, Element, SearchHit, format_uri
from sidecar.search.snippets import matched_marks, snippet
from sidecar.search.words import key, plain, words
from sidecar.store import Entry, Passage
from sidecar.store.analysis import inner_words
from sidecar.store.documents.catalogue import iso_time
from sidecar.store.documents.records import HEADINGS_APART
from sidecar.store.documents.views import PassageOrigin
from sidecar.toolkit.answers.budget import shorten
from sidecar.toolkit.answers.notices import lacking_text
from sidecar.toolkit.cell_references import cell_name
from sidecar.toolkit.text.ranges import format_range
from sidecar.views.embedded import passage_uri
from sidecar.views.searchable import placed_at
from sidecar.views.sources import unread_now

_TITLE_CHARS = 160
_STEP_CHARS = 70
_LEFT_OUT = "…"

_IN_PARAGRAPHS = ("chapter", "message")
"""Parts that are read paragraph by paragraph where they are long."""
_LONG = 1500
"""Tokens of a section or part above which a hit leads to the paragraphs that were found: the whole costs more than
twice what the passages of an answer hold together."""
_APART_ROWS = 0.8
"""What a sheet's passage keeps of its score whose rows have one of the query's words each."""
_UNSIGNED = 0.95
"""What a passage keeps of its score where it has a word of the query without its diacritics: BM25 cannot tell the two
apart, as the index has neither's."""
_ENVELOPE = re.compile(r"\A(?:(?:From|To|Cc|Bcc|Reply-To|Date|Subject|Author): .*\n)+", re.IGNORECASE)
"""The lines a message begins with."""
_MAIL_HEADER = re.compile(r"^(?:From|Date|Subject|Author): .*\n", re.MULTILINE | re.IGNORECASE)
"""Those of them that say what a hit tells by itself."""
_TYPED = str.maketrans("‘’‚“”„«»", '\'\'\'"""""')
_DASHES = re.compile(r"\s*[-‐‑–—]\s*")
_BEYOND = re.compile("\u27e8[^\u27e9]*\u27e9")
"""What ingest puts behind a row: words of its cells that the cells do not show."""


def _address(passage: Passage, window: tuple[int, int, int], *, tokens: int, beyond: bool, cells: str) -> str:
    """The URI that reads what was found: its section, or of one that has many `tokens` its own paragraphs. `window` is
    the sheet's row window (see `Details` of the store), of which a hit leads to the passage's rows; `beyond` says that
    it was found in what cells hold but do not show, formulas and raw values, `cells` over which cells it stands, as a
    comment does."""
    attached = passage_uri(passage)
    if attached:
        return attached
    kind = passage.part_kind if passage.first_block or passage.part > 1 else ""
    if kind in _IN_PARAGRAPHS and tokens > _LONG and passage.first_block:
        paragraphs = format_range(passage.first_block, passage.last_block)
        return format_uri("paragraph", passage.slug, passage.part, paragraphs)
    if kind == "chapter" and passage.section:
        return format_uri("section", passage.slug, passage.section)
    if kind == "sheet":
        first, last, cols = window
        if passage.first_row >= 0 and (first >= 0 or tokens > _LONG):
            first, last = passage.first_row, passage.last_row
        rows = f"A{first + 1}:{cell_name(last, cols - 1)}" if first >= 0 and cols > 0 else ""
        query = {"range": cells or rows} if cells or rows else {}
        query |= {"formulas": "1"} if beyond else {}
        return format_uri("sheet", passage.slug, passage.part_name or passage.part, query=query)
    if kind:
        return format_uri(kind, passage.slug, passage.part)
    return format_uri("document", passage.slug)


def passage_hit(
    passage: Passage,
    score: float,
    marks: Sequence[str],
    elements: Sequence[Element],
    window: tuple[int, int, int],
    origin: PassageOrigin,
    *,
    table: str | None = None,
    weak: bool = False,
    copies: tuple[str, ...] = (),
) -> SearchHit:
    """A passage as a hit; `window` names the rows of a sheet it came from, `marks` the words to show, `copies` other
    documents with just its text."""
    steps = passage.heading.split(HEADINGS_APART) if passage.heading else []
    text = _body(passage, marks) or passage.heading
    if steps and steps[-1] != text and matched_marks((steps[-1],), marks) and not matched_marks((text,), marks):
        text = f"{steps[-1]}: {text}"  # found by its heading, so that is what the snippet has to show
    cells = _cells(passage, marks) if passage.part_kind == "sheet" else ""
    beyond = passage.part_kind == "sheet" and bool(
        matched_marks((text,), marks) - matched_marks((_BEYOND.sub(" ", text),), marks)
    )
    uri = _address(passage, window, tokens=origin.tokens, beyond=beyond, cells=cells)
    return SearchHit(
        document_slug=passage.slug, doc_id=passage.doc_id, uri=uri,
        title=shown_title(passage.title, steps) + _since_read(passage.state),
        snippet=snippet(text, marks), score=significant(score), page=_page(passage),
        element_label=_element_label(elements, marks), path=passage.path, date=iso_time(passage.dated),
        own_date=origin.own_date, sender=origin.sender, lacking=origin.lacking, table=table, weak=weak,
        copies=tuple(slug for slug in dict.fromkeys((*origin.files, *copies)) if slug != passage.slug),
    )  # fmt: skip


def _cells(passage: Passage, marks: Sequence[str]) -> str:
    """The cells over which that stands which holds most of the query's words; "" where that is the rows' own text."""
    pieces = placed_at(passage.text)
    return max(pieces if pieces[0][1].strip() else pieces[1:], key=lambda one: len(matched_marks((one[1],), marks)))[0]


def _body(passage: Passage, marks: Sequence[str]) -> str:
    """The passage's text; of a message what follows the lines that say whom it is from and to and when: the hit tells
    its sender, date and subject already. Whom it is to is shown where only that has the words asked for."""
    envelope = _ENVELOPE.match(passage.text) if passage.part_kind == "message" else None
    if envelope is None:
        return passage.text
    body = passage.text[envelope.end() :]
    if body and (matched_marks((body,), marks) or not matched_marks((_MAIL_HEADER.sub("", envelope[0]),), marks)):
        return body
    return _MAIL_HEADER.sub("", envelope[0]) + body if body else passage.text


def has_word(passage: Passage, marks: Sequence[str]) -> bool:
    """Whether the passage or a heading above it has one of the words."""
    return bool(marks) and bool(matched_marks((passage.heading, passage.text), marks))


def has_phrase(passage: Passage, phrases: Sequence[str]) -> bool:
    """Whether the passage has the plain `phrases` in just this form."""
    typed = f"{passage.heading}\n{passage.text}"
    if typed.isascii():  # which folding leaves as it is but for capitals
        typed = typed.lower()
        if not all(word in typed for wanted in phrases for word in wanted.split(" ")):
            return False
    text = f" {plain(passage.heading)} \n {plain(passage.text)} "
    bare = text.replace(" ", "")
    for wanted in phrases:
        # Words of scripts without spaces have none around them, so there the characters alone decide.
        if f" {wanted} " not in text and (wanted.isascii() or wanted.replace(" ", "") not in bare):
            return False
    return True


def as_signed(passage: Passage, signed: Mapping[str, str]) -> float:
    """1, less for each of the words with diacritics that the passage has without them only: "résumé" is no "resume"."""
    if not signed:
        return 1.0
    text = normalize("NFC", f"{passage.heading}\n{passage.text}").lower()
    return _UNSIGNED ** sum(
        bare in text and word not in text and re.search(rf"\b{bare}\b", text) is not None
        for word, bare in signed.items()
    )


def term_coverage(passage: Passage, marks: Sequence[str], enough: float = 1.0) -> float:
    """The share of the query's words, its `marks`, that the passage or a title above it holds; 1 of no words. No more
    are looked for once it is more than `enough`."""
    texts = chain((passage.text, passage.title, passage.heading), map(inner_words, (passage.text,)))
    return len(matched_marks(texts, marks, enough)) / len(marks) if marks else 1.0


def titled(passages: Sequence[Passage], marks: Sequence[str]) -> Iterator[float]:
    """Of each passage the share of the query's words that stand in the document's title or file name, or the name of a
    folder that not all of these documents lie in, and not in the passage."""
    named: dict[tuple[str, str], AbstractSet[str]] = {}
    places = {one.path: one.path.replace("\\", "/") for one in passages}
    shared = _shared_folders(places.values())
    for one in passages:
        found = named.get((one.title, one.path))
        if found is None:
            name = places[one.path][shared:].replace("_", " ")
            found = named[one.title, one.path] = matched_marks((one.title, name), marks)
        yield len(found - matched_marks((one.heading, one.text), marks)) / len(marks) if found else 0.0


def _shared_folders(paths: Collection[str]) -> int:
    """How many characters the folders have that all of the paths begin with."""
    first, last = min(paths, default=""), max(paths, default="")
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False)))
    return first.rfind("/", 0, alike) + 1


def in_one_row(passage: Passage, marks: Sequence[str]) -> float:
    """1 where one row of a sheet has all those of the query's words that its passage has just so, down to `_APART_ROWS`
    where each stands in another row: what is asked for is a record. 1 of every other passage."""
    if passage.part_kind != "sheet" or len(marks) < 2:
        return 1.0
    text = passage.text.casefold()
    searched = [word for mark in marks if (word := mark.casefold().removesuffix("*")) in text]
    if len(searched) < 2:
        return 1.0
    most = max(sum(word in row for word in searched) for row in text.split("\n"))
    return _APART_ROWS + (1 - _APART_ROWS) * (most - 1) / (len(searched) - 1)


def shown_title(title: str, steps: Sequence[str]) -> str:
    """The document's title and the headings down to the place, none twice; of a long path its beginning and end."""
    shown = [shorten(title, _STEP_CHARS)]
    known = {_plain(title)}
    for step in steps:
        plain = _plain(step)
        if plain and plain not in known and not _plain(title).startswith(plain):
            known.add(plain)
            shown.append(shorten(step, _STEP_CHARS))
    while len(shown) > 2 and len(HEADINGS_APART.join(shown)) > _TITLE_CHARS:
        shown = [shown[0], _LEFT_OUT, *shown[3 if shown[1] == _LEFT_OUT else 2 :]]
        if len(shown) == 3:
            break
    return HEADINGS_APART.join(shown)


def _plain(text: str) -> str:
    """The same for a title as metadata have it and as it is set: typeset quotes and dashes make no other of it."""
    return " ".join(_DASHES.sub("-", text.lower().translate(_TYPED)).split()).rstrip(".…:")


def entry_hit(entry: Entry) -> SearchHit:
    """What a filter alone found: a document, or a message of a mailbox with its opening words."""
    document = entry.document
    text = _ENVELOPE.sub("", entry.text) or entry.text if document.part_kind == "message" else entry.text
    if not entry.part or not document.part_kind or document.parts <= 1:
        hit = document_hit(document, 0.0, ())
        hit = replace(hit, snippet=snippet(text, ())) if text else hit
    else:
        hit = SearchHit(
            document_slug=document.slug, doc_id=document.doc_id,
            uri=format_uri(document.part_kind, document.slug, entry.part),
            title=shown_title(document.title, [entry.title]), snippet=snippet(text, ()), score=0.0,
            page=None, path=document.path,
        )  # fmt: skip
    return replace(hit, date=iso_time(entry.dated), own_date=True, sender=entry.sender)


def document_hit(document: DocumentInfo, score: float, marks: Sequence[str]) -> SearchHit:
    """A document found by its title or file name."""
    about = document.description.removeprefix(document.title).strip()
    named = (document.title, document.name) if marks or not about else ()  # the hit tells both beside the snippet
    text = " — ".join(filter(None, (*named, about)))
    since = _since_read(document.state) if document.doc_id else ""
    return SearchHit(
        document_slug=document.slug, doc_id=document.doc_id, uri=format_uri("document", document.slug),
        title=document.title + since, snippet=snippet(text, marks), score=significant(score), path=document.path,
        date=document.modified, lacking=_lacking(document),
    )  # fmt: skip


def _since_read(state: DocumentState) -> str:
    now = unread_now(state)
    return f" ({now})" if now else ""


def _lacking(document: DocumentInfo) -> str:
    """What the document's text lacks: of one that could not be read, why, in one word ("encrypted")."""
    if not document.doc_id:
        return document.state.replace("_", " ")
    return lacking_text(document.notices, document.parts, document.tokens)


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
