"""What answers say of a document's notices: in fewer words, and whether its text is all there.

Which notices a document has is its format plugin's matter."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from sidecar.api.model import Notice

_MAX_LISTED: Final = 12
"""How many parts are named that a notice is about, and the others counted."""

_MAX_OF_EACH: Final = 4
"""How many notices of one code about single parts are told each in its own words."""


def summed_notices(notices: Iterable[Notice]) -> list[Notice]:
    """The same in fewer words: those of the whole, and of what was not read, first; then one for all parts of which
    the same is said: "Page 3 holds … The same of 14 more: 5, 9, …". Where that leaves many of one code, the first few
    and which parts the others are about."""
    alike: dict[tuple[str, str], list[Notice]] = {}
    for notice in notices:
        message = notice.message
        alike_message = message if notice.part is None else re.sub(rf"\b{notice.part}\b", "", message, count=1)
        alike.setdefault((notice.code, alike_message), []).append(notice)
    summed: list[Notice] = []
    for first, *more in alike.values():
        parts = [str(notice.part) for notice in more if notice.part is not None]
        sentence = f"{first.message} The same of {_listed(parts)}." if parts else first.message
        summed.append(Notice(first.code, sentence, first.part))
    for code in dict.fromkeys(notice.code for notice in summed):
        rest = [notice for notice in summed if notice.code == code and notice.part is not None][_MAX_OF_EACH:]
        if len(rest) > 1:  # sheets that are named, each with hidden rows of its own
            more = f"The like is said of {_listed([str(notice.part) for notice in rest])}."
            summed[summed.index(rest[0])] = Notice(rest[0].code, more, rest[0].part)
            summed = [notice for notice in summed if notice not in rest]
    return sorted(summed, key=lambda notice: notice.part is not None and notice.code != "truncated_at")


def _listed(parts: Sequence[str]) -> str:
    return f"{len(parts)} more: {', '.join(parts[:_MAX_LISTED])}{', …' if len(parts) > _MAX_LISTED else ''}"


def has_only_words(notices: Iterable[Notice]) -> bool:
    """Whether a document has not been laid out yet: its words are read, its headings, tables and figures are not."""
    return any(notice.code == "words_only" for notice in notices)


def is_read_in_part(notices: Iterable[Notice]) -> bool:
    """Whether a bound or the file's own end cut a document short."""
    return any(notice.code == "truncated_at" for notice in notices)


def lacking_text(notices: Iterable[Notice], parts: int, tokens: int) -> str:
    """In a few words what a list and a hit say of a document whose text is not all there, or was read from pictures; ""
    of any other. `tokens` are those of its text."""
    notices = tuple(notices)
    recognised = {notice.part for notice in notices if notice.code == "ocr"}
    blank = {notice.part for notice in notices if notice.code == "no_text_layer"} - recognised
    reasons: list[str] = []
    if not tokens:
        reasons.append("scan without text" if blank else "no text")
    elif blank:
        pages = len(blank - {None})
        reasons.append(f"{pages} of {parts} pages without text" if pages else "some pages without text")
    if recognised:
        reasons.append("text by OCR")
    if has_only_words(notices):
        reasons.append("only its words so far")
    if is_read_in_part(notices):
        reasons.append("read in part")
    return ", ".join(reasons)
