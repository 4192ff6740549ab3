"""What the elements of FictionBook 2, DocBook 4 and 5, JATS, Mallard and OPML are in HTML, by their local names."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec


@dataclass(frozen=True)
class TagVocabulary:
    """`tags` by what they are in HTML; `sections` have headings, `titles` are these; `body` is where the text is, in
    order, and `dropped` what is not shown. `facts` are paths of metadata from the root, by our names."""

    tags: Mapping[str, str]
    sections: frozenset[str] = frozenset()
    titles: frozenset[str] = frozenset()
    body: tuple[str, ...] = ()
    dropped: frozenset[str] = frozenset()
    facts: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    people: tuple[str, ...] = ()
    """Elements that are a person's, whose words are the name."""


def _vocabulary(written: dict[str, Any]) -> TagVocabulary:
    tags = {word: tag for tag, words in written.pop("tags", {}).items() for word in words.split()}
    return msgspec.convert({"tags": tags, **written}, TagVocabulary)


_WRITTEN: Final = tomllib.loads(Path(__file__).with_name("vocabularies.toml").read_text("utf-8"))
VOCABULARIES: Final[Mapping[str, TagVocabulary]] = {name: _vocabulary(one) for name, one in _WRITTEN.items()}
