"""Drawn diagrams: shapes joined by glued connectors (`a:stCxn`, `a:endCxn`, ECMA-376 part 1 §20.1.2.2). Not
responsible for SmartArt, which has a part of its own.
"""

from __future__ import annotations

from sidecar.toolkit.ooxml.drawing import A
from sidecar_pptx.shapes import Shape, flat

_ENDS = (f"{A}stCxn", f"{A}endCxn")
_FEWEST = 3


def connected(shapes: list[Shape]) -> list[list[Shape]]:
    """Groups of at least three shapes that connectors join, each in drawing order."""
    every = [shape for shape in flat(shapes) if shape.id]
    above: dict[str, str] = {}

    def root(key: str) -> str:
        while above.setdefault(key, key) != key:
            key = above[key]
        return key

    for shape in every:
        if shape.kind != "connector":
            continue
        ends = [node.get("id", "") for name in _ENDS for node in shape.node.iter(name)]
        if len(ends) == 2 and all(ends):
            above[root(ends[0])] = root(ends[1])
    groups: dict[str, list[Shape]] = {}
    for shape in every:
        if shape.id in above and shape.kind != "connector":
            groups.setdefault(root(shape.id), []).append(shape)
    return [group for group in groups.values() if len(group) >= _FEWEST]
