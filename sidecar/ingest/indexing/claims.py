"""Which plugin claims which suffix: a plugin that is new to an index may read files better than what read them before.

Who reads a file is decided by looking into it, so files of the suffixes a newcomer claims are looked into again once.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from sidecar.ingest.reading.detect import Format
from sidecar.store.documents.records import KnownFile, SettledRow

FACT = "claims"
"""The fact of the store under which the claims stand that the index was made with."""


def claims_of(formats: Iterable[Format]) -> str:
    """Every claim as text: a plugin, its version (a newer one may score higher), and its suffixes."""
    return msgspec.json.encode(sorted((f.name, f.version, sorted(f.suffixes)) for f in formats)).decode()


def new_suffixes(before: str, now: str) -> frozenset[bytes]:
    """Suffixes that a plugin claims now which did not claim them when the index was made."""
    try:
        known = {(name, version, suffix) for name, version, suffixes in _decode(before) for suffix in suffixes}
    except msgspec.DecodeError:  # none are kept yet
        known = set[tuple[str, str, str]]()
    return frozenset(
        suffix.encode()
        for name, version, suffixes in _decode(now)
        for suffix in suffixes
        if (name, version, suffix) not in known
    )


def doubt(compared: dict[bytes, SettledRow | KnownFile], suffixes: frozenset[bytes]) -> None:
    """Make files of these suffixes look as if they had changed."""
    endings = tuple(suffixes)
    for path in [path for path in compared if path.lower().endswith(endings)]:
        compared[path] = (path, -1, -1, 0)


def _decode(text: str) -> list[tuple[str, str, list[str]]]:
    return msgspec.json.decode(text, type=list[tuple[str, str, list[str]]])
