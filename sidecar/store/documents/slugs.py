"""Gives documents their slugs: unique in the index, and kept once given."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sidecar.api import slugify
from sidecar.store.documents.paths import parent_name, stem_and_suffix


def candidates(path: bytes) -> Iterator[str]:
    """The slugs a file may get, in order of preference: stem, with extension, with folder, then numbered."""
    stem, suffix = stem_and_suffix(path)
    base = slugify(stem)
    yield base
    if suffix:
        base = _join(base, suffix[1:])
        yield base
    folder = parent_name(path)
    if folder:
        base = _join(base, folder)
        yield base
    number = 2
    while True:
        yield _join(base, str(number))
        number += 1


def free_slug(path: bytes, taken: Callable[[str], bool]) -> str:
    """The first candidate that is not taken."""
    for slug in candidates(path):
        if not taken(slug):
            return slug
    raise AssertionError("candidates never end")


def _join(base: str, word: str) -> str:
    return f"{base}-{slugify(word)}"
