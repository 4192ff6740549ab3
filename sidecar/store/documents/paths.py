"""File names as bytes made fit for showing and for searching: a name need not be valid text, an answer has to be."""

from __future__ import annotations

import os
import unicodedata

_SEPARATORS = (b"/",) if os.sep == "/" else (b"/", b"\\")


def shown(path: bytes) -> str:
    r"""The path as text; bytes that are no text become `\xff`, so that nothing a client cannot encode gets out."""
    return path.decode("utf-8", "backslashreplace")


def base_name(path: bytes) -> bytes:
    return path[max(path.rfind(separator) for separator in _SEPARATORS) + 1 :]


def stem_and_suffix(path: bytes) -> tuple[str, str]:
    """("Annual Report", ".docx") of ".../Annual Report.docx"; the suffix in lower case, "" where there is none."""
    name = base_name(path)
    dot = name.rfind(b".")
    if dot <= 0:
        return shown(name), ""
    return shown(name[:dot]), shown(name[dot:]).lower()


def parent_name(path: bytes) -> str:
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
