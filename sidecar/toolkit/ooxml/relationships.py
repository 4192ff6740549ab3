"""How the parts of a package hang together: relationships and content types (ECMA-376 part 2 §6.5, §7.3).

Not responsible for where their bytes come from.
"""

import posixpath
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from sidecar.toolkit.ooxml.namespaces import parse_part
from sidecar.toolkit.xml import XmlElement


class Relationship(NamedTuple):
    """One relationship; `type` is the last path segment of its type URI ("image", "chart", "hyperlink", …).

    `target` is an absolute part name without leading slash ("word/media/image1.png") or, when `external`, the URL.
    """

    id: str
    type: str
    target: str
    external: bool


def read_types(data: bytes, what: str, _: str) -> tuple[dict[str, str], dict[str, str]]:
    """Content types by extension and by part name (§7.3)."""
    defaults: dict[str, str] = {}
    overrides: dict[str, str] = {}
    for node, name in _children(data, what):
        kind = node.get("ContentType", "")
        if name == "Default":
            defaults[node.get("Extension", "").lower()] = kind
        else:
            overrides[node.get("PartName", "").lstrip("/").lower()] = kind
    return defaults, overrides


def read_relationships(data: bytes, what: str, folder: str) -> dict[str, Relationship]:
    """The relationships of a part that lies in `folder` (§6.5), by id."""
    found: dict[str, Relationship] = {}
    for node, name in _children(data, what):
        if name == "Relationship":
            key, target, external = node.get("Id", ""), node.get("Target", ""), node.get("TargetMode") == "External"
            kind = node.get("Type", "").rpartition("/")[2]
            found[key] = Relationship(key, kind, target if external else _absolute(folder, target), external)
    return found


def _children(data: bytes, what: str) -> Iterator[tuple[XmlElement, str]]:
    """A root's child elements and their local names."""
    return ((node, node.tag.rpartition("}")[2]) for node in parse_part(data, what) if isinstance(node.tag, str))


@lru_cache(maxsize=4096)
def _absolute(folder: str, target: str) -> str:
    """A relationship target as an absolute part name without leading slash (§6.2.4): the same names in file after
    file."""
    return posixpath.normpath(posixpath.join("/" + folder, unquote(target.replace("\\", "/")))).lstrip("/")
