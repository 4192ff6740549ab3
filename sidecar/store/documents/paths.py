"""File names as bytes made fit for showing and searching (a name need not be valid text, an answer has to be), and the
slugs that documents get from them: unique in the index, and kept once given."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Collection, Iterator

from sidecar.api import slugify
from sidecar.toolkit.text import without_steering

_SEPARATORS = (b"/",) if os.sep == "/" else (b"/", b"\\")


def shown(path: bytes) -> str:
    r"""The path as text; bytes that are not text become `\xff`, so that nothing a client cannot encode gets out.
    A name must not pass for a line of ours, nor for another name (`without_steering`)."""
    return without_steering(path.decode("utf-8", "backslashreplace"))


def base_name(path: bytes) -> bytes:
    """The last component."""
    return path[max(path.rfind(separator) for separator in _SEPARATORS) + 1 :]


def stem_and_suffix(path: bytes) -> tuple[str, str]:
    """("Annual Report", ".docx") of ".../Annual Report.docx"; the suffix in lower case, "" where there is none."""
    name = base_name(path)
    dot = name.rfind(b".")
    if dot <= 0:
        return shown(name), ""
    return shown(name[:dot]), shown(name[dot:]).lower()


def _parent_name(path: bytes) -> str:
    """The name of the folder the file is in, as text."""
    cut = len(path) - len(base_name(path))
    return shown(base_name(path[:cut].rstrip(b"/\\")))


def place(path: bytes, folder: bytes) -> str:
    """What `path:` in a query is looked up in: the folder's own name and the path below it, folded, with `/`."""
    inside = path[len(folder) :] if path.startswith(folder) else path
    text = shown(base_name(folder.rstrip(b"/\\")) + b"/" + inside.lstrip(b"/\\"))
    return fold(text if os.sep == "/" else text.replace("\\", "/"))


def fold(text: str) -> str:
    """Case and Unicode spelling folded away, for comparing names."""
    return unicodedata.normalize("NFC", text).casefold()


def under(path: bytes, folder: bytes) -> bool:
    """Whether the path is the folder or lies in it."""
    inside = path[len(folder) : len(folder) + 1]
    return path.startswith(folder) and (inside in (*_SEPARATORS, b"") or folder[-1:] in _SEPARATORS)


def forgets(folder: bytes | None, kept: Collection[bytes]) -> Callable[[bytes], bool]:
    """Tells of a path whether it goes with a folder (None: with all), and is below none of the folders `kept`."""
    inner = [one for one in kept if folder is None or under(one, folder)]
    return lambda path: (folder is None or under(path, folder)) and not any(under(path, one) for one in inner)


def candidates(path: bytes) -> Iterator[str]:
    """The slugs a file may get, in order of preference: stem, with extension, with folder, then numbered."""
    stem, suffix = stem_and_suffix(path)
    base = slugify(stem)
    yield base
    if suffix:
        base = _joined(base, suffix[1:])
        yield base
    folder = _parent_name(path)
    if folder:
        base = _joined(base, folder)
        yield base
    number = 2
    while True:
        yield _joined(base, str(number))
        number += 1


def free_slug(path: bytes, taken: Callable[[str], bool]) -> str:
    """The first candidate that is not taken."""
    for slug in candidates(path):
        if not taken(slug):
            return slug
    raise AssertionError("candidates never end")


def _joined(base: str, word: str) -> str:
    return f"{base}-{slugify(word)}"
