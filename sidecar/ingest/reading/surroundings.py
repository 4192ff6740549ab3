"""What elements are searched by besides their own texts: the document's title, the headings above them, what their
pictures' files are called and what those look like. Most pictures have no caption, and words of a query stand in these.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

from sidecar.api.model import Element, Embed, Figure, Part
from sidecar.store.documents.records import HEADINGS_APART, PassageRecord
from sidecar.views.searchable import Embeds

_WORD: Final = re.compile(r"[^\W\d_]+")
_CASE_CHANGE: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SAYING_NOTHING: Final = frozenset(
    ("image", "images", "img", "picture", "pic", "bild", "photo", "figure", "fig",
     "graphic", "media", "unnamed", "file")
)  # fmt: skip
"""What programs call pictures."""
_MIN_LETTERS, _MAX_LETTERS = 3, 24
"""Letters of a word that says something; longer ones are checksums."""


def element_words(
    elements: Sequence[Element],
    parts: Sequence[Part],
    embedded: Sequence[Embed],
    passages: Sequence[PassageRecord],
    title: str,
) -> tuple[str, ...]:
    """Of each element, in lines. `passages` are the text's, in order: they know the headings above each place."""
    if not elements:
        return ()
    embeds: Embeds = {(one.kind, one.id): one for one in embedded}
    placed: dict[int, list[PassageRecord]] = {}
    for passage in passages:
        placed.setdefault(passage.part, []).append(passage)
    return tuple([_words(one, parts, embeds, placed.get(one.part, ()), title) for one in elements])


def _words(
    element: Element, parts: Sequence[Part], embeds: Embeds, passages: Sequence[PassageRecord], title: str
) -> str:
    texts = [title, *_headings(element, passages)]
    embed = embeds.get(element.embed) if element.embed is not None else None
    if embed is not None and embed.kind == "image":
        texts += [_file_words(embed.name), embed.looks]
    elif (source := _source(element, parts)) is not None:
        texts.append(_file_words(source))
    known = f"{element.caption}\n{element.context}"
    return "\n".join(one for one in dict.fromkeys(texts) if one and one not in known)


def _headings(element: Element, passages: Sequence[PassageRecord]) -> list[str]:
    """Those above the element: above the last passage that begins before it."""
    at = bisect_right(passages, element.block, key=lambda one: one.first_block) - 1
    return passages[max(at, 0)].heading.split(HEADINGS_APART) if passages else []


def _source(element: Element, parts: Sequence[Part]) -> str | None:
    """The address of the picture that the element shows from outside the document."""
    if element.part > len(parts) or not 0 < element.block <= len(parts[element.part - 1].blocks):
        return None
    block = parts[element.part - 1].blocks[element.block - 1]
    return block.source if isinstance(block, Figure) else None


def _file_words(name: str) -> str:
    """The words of a picture's file name that a person gave it: "mail server" of "images/mail-server_2.png"."""
    stem = PurePosixPath(name.replace("\\", "/").split("?")[0]).stem
    words = [word for word in _WORD.findall(_CASE_CHANGE.sub(" ", stem)) if _MIN_LETTERS <= len(word) <= _MAX_LETTERS]
    return " ".join(word for word in words if word.lower() not in _SAYING_NOTHING)
