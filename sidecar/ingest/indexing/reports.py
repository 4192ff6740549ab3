"""The report of a run: what the folders hold now, by state and by format, and why what is missing is missing."""

from __future__ import annotations

from collections import Counter

from sidecar.ingest.indexing.progress import Failure, ScanReport
from sidecar.ingest.indexing.run import Run
from sidecar.store import Store
from sidecar.store.documents.paths import shown


async def report(run: Run, store: Store, seconds: float) -> ScanReport:
    """What a finished `run.once()` came to, `seconds` long. Counts documents; files nothing reads are "unsupported"."""
    known = await store.known_files()
    failures = dict(run.intake.failures)
    for path, one in known.items():
        recognised = one.state != "unsupported" or one.plugin
        if one.state != "indexed" and recognised and path not in failures:
            info = await store.document_at(path)
            failures[path] = Failure(shown(path), one.state, info.reason if info is not None else "")
    return ScanReport(
        files=run.seen,
        states=dict(sorted(Counter(one.state for one in known.values()).items())),
        failures=tuple(failures[path] for path in sorted(failures)),
        seconds=round(seconds, 3),
        formats=dict(sorted(Counter(one.plugin for one in known.values() if one.state == "indexed").items())),
        read=run.intake.read,
        bytes=run.bytes,
    )
