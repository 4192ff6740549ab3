"""What the index records of an outcome, failures above all, and the error for somebody who asked for that one file."""

import os
from typing import Final

from sidecar.api import (
    DamagedError,
    DocumentState,
    EncryptedError,
    LimitError,
    SidecarError,
    UnavailableError,
    UnsupportedError,
    UsageError,
    WorkerCrash,
    WorkerTimeout,
)
from sidecar.ingest.indexing.status import Failure
from sidecar.ingest.reading.jobs import Outcome
from sidecar.ingest.watching.compare import Pending
from sidecar.ingest.watching.versions import STRIKES
from sidecar.store import FileStat, Indexed
from sidecar.store.documents.paths import shown

_ERRORS: Final[dict[DocumentState, type[SidecarError]]] = {
    "encrypted": EncryptedError, "damaged": DamagedError, "unsupported": UnsupportedError, "too_large": LimitError,
    "timed_out": WorkerTimeout, "crashed": WorkerCrash, "unreadable": UnavailableError, "placeholder": UnavailableError,
    "secret": UsageError,
}  # fmt: skip


def record(pending: Pending, outcome: Outcome, fingerprint: str, failures: dict[bytes, Failure]) -> Indexed | None:
    """The write for an outcome; None when the index says the same already. `fingerprint` see `Versions`; `failures`
    are kept of the files that could not be read last."""
    path = pending.job.path
    failures.pop(path, None)
    if outcome.kind == "failed":
        failures[path] = Failure(shown(path), outcome.state, outcome.reason)
    known = pending.known
    same_file = known is not None and known.stat == outcome.stat and not pending.forced
    if outcome.kind in ("same", "copy"):
        # What was read in part is a copy of what another file's reading has finished since.
        if known is not None and same_file and known.plugin_version == outcome.plugin_version:
            return None
        return Indexed(
            path=path, folder=pending.folder, stat=outcome.stat, sha256=outcome.sha256,
            plugin=outcome.plugin, plugin_version=outcome.plugin_version, unfinished=outcome.unfinished,
        )  # fmt: skip
    if outcome.prepared is not None:
        return Indexed(
            path=path, folder=pending.folder, stat=outcome.stat, prepared=outcome.prepared,
            unfinished=outcome.unfinished, members=_members(pending, outcome),
        )  # fmt: skip
    bounded = outcome.state in ("too_large", "timed_out")
    own = bool(outcome.plugin) and not bounded
    plugin, version = (outcome.plugin, outcome.plugin_version) if own else ("", fingerprint)
    if (
        known is not None
        and same_file
        and known.state == outcome.state
        and known.state not in ("crashed", "timed_out")
        and (known.plugin, known.plugin_version) == (plugin, version)
    ):
        return None
    return Indexed(
        path=path, folder=pending.folder, stat=outcome.stat, state=outcome.state,
        reason=_failure_reason(pending, outcome), sha256=outcome.sha256, plugin=plugin, plugin_version=version,
    )  # fmt: skip


def _members(pending: Pending, outcome: Outcome) -> tuple[Indexed, ...] | None:
    """The members of an archive, each as a file below it; None where they were not looked at."""
    if outcome.followed_by < 0:
        return None
    archive = pending.job.path
    return tuple(
        Indexed(
            path=os.path.join(archive, os.fsencode(member.name.replace("/", os.sep))), folder=pending.folder,  # noqa: PTH118 - bytes
            stat=FileStat(member.stat.size, outcome.stat.mtime_ns), archive=archive, state=member.state,
            reason=member.reason, prepared=member.prepared, sha256=member.sha256, plugin=member.plugin,
            plugin_version=member.plugin_version,
        )
        for member in outcome.members
    )  # fmt: skip


def error_for(state: DocumentState, reason: str) -> SidecarError:
    """The error that says why a file that was asked for is not indexed."""
    return _ERRORS.get(state, UnavailableError)(reason)


def _failure_reason(pending: Pending, outcome: Outcome) -> str:
    if outcome.state not in ("crashed", "timed_out"):
        return outcome.reason
    known = pending.known
    strikes = known.strikes + 1 if known is not None and known.stat == outcome.stat else 1
    if strikes >= STRIKES:
        return f"{outcome.reason} After {strikes} attempts it is left alone until the file changes."
    return outcome.reason
