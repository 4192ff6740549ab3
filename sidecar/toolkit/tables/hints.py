"""How a document writes numbers and dates, where a column alone cannot tell: by its delimiter, by the language it names
or is written in. What columns tell one another is `finding`'s."""

import re
from typing import Final, NamedTuple

from sidecar.api.model import Heading, ListItem, Paragraph, ParsedDocument, Part

_POINT = frozenset(("the", "of", "and", "is", "are", "was", "for", "with", "this", "that", "from", "by"))
_COMMA = frozenset(
    """
    der die das und ist mit nicht für von den le la les des et est une dans pour el los las por para del il che della
    di sono een het van niet voor não uma dos com och det som är og ikke nie jest się
    """.split()  # noqa: SIM905  # read as words
)
"""The commonest words of English, and of languages of the decimal comma, none of them shared."""
_WORD = re.compile(r"[^\W\d_]+")
_WORDS: Final = 3000
"""Words looked at."""
_TOLD: Final = 3
"""So many of the commonest words tell the language, and so many times as many as the others have."""


class Hints(NamedTuple):
    """How the part writes numbers ("." or ",") and dates ("dmy" or "mdy"), where a column cannot tell; "" unknown."""

    decimal: str = ""
    order: str = ""


_SPOKEN = {"en": Hints("."), "de": Hints(",", "dmy"), "fr": Hints(",", "dmy")}


def document_hints(document: ParsedDocument) -> Hints:
    """What the language of a text document tells: the one it names, or the one its sentences are in."""
    named = _SPOKEN.get(document.metadata.get("language", "")[:2].lower())
    if named is not None:
        return named
    words = _words(document)
    point, comma = (sum(map(known.__contains__, words)) for known in (_POINT, _COMMA))
    if point >= _TOLD and point >= _TOLD * comma:
        return Hints(".")
    return Hints(",", "dmy") if comma >= _TOLD and comma >= _TOLD * point else Hints()


def _words(document: ParsedDocument) -> list[str]:
    """The first of its sentences, in lower case."""
    words: list[str] = []
    for part in document.parts:
        for block in part.blocks:
            if isinstance(block, (Paragraph, Heading, ListItem)):
                words += _WORD.findall(block.text)
                if len(words) >= _WORDS:
                    return [word.lower() for word in words[:_WORDS]]
    return [word.lower() for word in words]


def part_hints(document: ParsedDocument, part: Part, *, delimited: bool) -> Hints | None:
    """What the part's kind tells before any cell is looked at, None where its document's language has to: cells of a
    workbook hold numbers with a decimal point; a list delimited by `;` is written where the comma is the decimal sign,
    one by `,` where it cannot be."""
    if delimited:
        return Hints({";": ",", ",": "."}.get(part.metadata.get("delimiter") or document.metadata["delimiter"], ""))
    return Hints(".") if part.kind == "sheet" else None
