"""How the parts of a package hang together: relationships and content types (ECMA-376 part 2 §6.5, §7.3).

Not responsible for where their bytes come from.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import unquote

from sidecar.toolkit.ooxml.markup import empty_children, transitional
from sidecar.toolkit.xml import parse_xml


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
    for name, given in _children(data, what):
        kind = given.get("ContentType", "")
        if name == "Default":
            defaults[given.get("Extension", "").lower()] = kind
        else:
            overrides[given.get("PartName", "").lstrip("/").lower()] = kind
    return defaults, overrides


def read_relationships(data: bytes, what: str, folder: str) -> dict[str, Relationship]:
    """The relationships of a part that lies in `folder` (§6.5), by id."""
    found: dict[str, Relationship] = {}
    for name, given in _children(data, what):
        if name == "Relationship":
            get = given.get
            key, target, external = get("Id", ""), get("Target", ""), get("TargetMode") == "External"
            found[key] = Relationship(
                key, get("Type", "").rpartition("/")[2], target if external else _resolved(folder, target), external
            )
    return found


def _children(data: bytes, what: str) -> Sequence[tuple[str, Mapping[str, str]]]:
    """Local names and attributes of a root's children."""
    scanned = empty_children(data)
    if scanned is not None:
        return scanned
    root = parse_xml(transitional(data), what)
    return [(node.tag.rpartition("}")[2], node.attrib) for node in root if isinstance(node.tag, str)]


def _resolved(folder: str, target: str) -> str:
    """A relationship target as an absolute part name without leading slash (§6.2.4). Nearly all are plain or go one
    folder up, and a small presentation has so many that going through `posixpath` for those shows."""
    if "%" not in target and "\\" not in target and "//" not in target:
        if "./" not in target and not target.endswith("."):
            return target[1:] if target.startswith("/") else f"{folder}/{target}" if folder else target
        if target.startswith("../") and target.count("./") == 1 and "/" in folder:
            return f"{folder.rpartition('/')[0]}/{target[3:]}"
    whole = posixpath.join("/" + folder, unquote(target.replace("\\", "/")))
    return posixpath.normpath(whole).lstrip("/")
