"""Whether a file that somebody names may be indexed, and under which path a walk would meet it."""

from __future__ import annotations

import os
from pathlib import Path

from sidecar.api import UsageError
from sidecar.ingest.watching.tree import Tree
from sidecar.store.documents.paths import shown


def admit(tree: Tree, path: bytes) -> bytes:
    """The absolute path as a walk would meet it. Raises UsageError when no walk would."""
    name = shown(path)
    if b"\0" in path:
        raise UsageError("A path cannot hold a NUL character.")
    for candidate in (path, os.path.realpath(path)):
        owner = tree.owner(candidate)
        if owner is None:
            continue
        directory, _, last = candidate.rpartition(os.sep.encode())
        scope = tree.scope_of(directory)
        if scope is None or scope.skips_file(last):
            raise UsageError(f"{name} is ignored by the rules of the folder {shown(owner.path)}.")
        if not os.path.lexists(candidate):
            raise UsageError(f"{name} does not exist.")
        if not Path(os.fsdecode(candidate)).is_file():
            raise UsageError(f"{name} is not a file.")
        if not Path(os.fsdecode(candidate)).is_symlink():
            return candidate
    folders = ", ".join(shown(root.path) for root in tree.roots) or "none yet"
    raise UsageError(f"{name} lies in no watched folder ({folders}); add its folder first.")
