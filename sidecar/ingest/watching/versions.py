"""Which plugin of which version reads what now, and so whether a file that looks the same must be read again.

Who reads a file is decided by looking into it, so files of the suffixes a plugin newly reads are read again once: it
may read them better than what read them before. All files are, once, where other folders may have secrets indexed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from sidecar.api import Limits
from sidecar.ingest.reading.detect import versions_hash
from sidecar.registry.formats import FormatEntry
from sidecar.store.documents.records import KnownFile, SettledRow

STRIKES: Final = 3
"""A file that crashed or hung its reader this often is left alone until it changes."""
_SECRETS: Final = "<secrets>"
FACT: Final = "plugin_suffixes"
"""The store's fact that holds the `suffixes` the index was made with."""


@dataclass(frozen=True)
class Versions:
    """What reads files now: plugin name → version; a fingerprint of them and the limits, kept in place of a plugin's
    version with files that none has read or that were too much for it; every suffix each of them reads, as JSON, and
    last, under a name no plugin has, the folders whose secrets are read."""

    plugins: Mapping[str, str]
    fingerprint: str
    suffixes: str = "[]"
    archives: frozenset[str] = frozenset()
    """The plugins whose files hold documents of their own."""

    @classmethod
    def of(cls, formats: Iterable[FormatEntry], limits: Limits, secrets: Iterable[str] = ()) -> "Versions":
        """Those of the usable format plugins under these limits; `secrets` are the folders whose secrets are read."""
        formats = tuple(formats)
        plugins = {entry.name: entry.version for entry in formats}
        suffixes = [(f.name, f.version, sorted(f.suffixes)) for f in formats]
        suffixes.append((_SECRETS, "\0".join(sorted(secrets)), [""]))  # each name ends in the empty suffix
        archives = frozenset(entry.name for entry in formats if entry.holds_members)
        return cls(plugins, versions_hash(formats, limits), msgspec.json.encode(sorted(suffixes)).decode(), archives)

    def settled(self, known: KnownFile) -> bool:
        """Whether a file that looks the same need not be read again."""
        if known.plugin:
            if self.plugins.get(known.plugin) != known.plugin_version:
                return False
        elif known.plugin_version != self.fingerprint:
            return False
        if known.state in ("crashed", "timed_out"):
            return known.strikes >= STRIKES
        return known.state not in ("unreadable", "placeholder")  # those may have changed without the file changing


def new_suffixes(before: str, now: str) -> frozenset[bytes]:
    """Suffixes that a plugin reads now which did not read them when the index was made (see `Versions.suffixes`)."""
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


def invalidate(compared: dict[bytes, SettledRow | KnownFile], suffixes: frozenset[bytes]) -> None:
    """Make files of these suffixes look as if they had changed."""
    endings = tuple(suffixes)
    for path in [path for path in compared if path.lower().endswith(endings)]:
        compared[path] = (path, -1, -1, 0)


def _decode(text: str) -> list[tuple[str, str, list[str]]]:
    return msgspec.json.decode(text, type=list[tuple[str, str, list[str]]])
