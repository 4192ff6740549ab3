"""What indexing a folder would come to, told from names and sizes before anything is read: files, bytes, about how
long, and what would not be read and why."""

import os
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Final

from sidecar.config import Config, Folder
from sidecar.ingest.reading.jobs import processor_seconds
from sidecar.ingest.watching.folders import folders_of
from sidecar.ingest.watching.scan import DirectoryWalk, Problem, ScanResult, Stopped
from sidecar.ingest.watching.versions import Versions
from sidecar.registry.formats import Formats
from sidecar.store.documents.paths import shown, stem_and_suffix

_WALK_SECONDS: Final = 8.0
"""How long a folder is looked through; a larger one is told in part."""
_START_SECONDS: Final = 1.0
"""Until the first worker reads."""
_KINDS: Final = 6
"""Kinds of files that are named."""
_EXAMPLES: Final = 3
_KEPT_OUT: Final = {
    "secret": "they look like secrets (`secrets = true` allows it)",
    "too_large": "they are too large (`[limits] max_file_bytes`)",
    "placeholder": "they are in the cloud only",
    "unreadable": "they cannot be read",
}
"""How it is said why files of a state are not read."""


@dataclass
class Preview:
    """`kinds` counts files by suffix, `sizes` their bytes, `other` files nobody reads. `problems` are files and folders
    that are not opened, with the reason. `whole` is False where the walk was broken off."""

    kinds: Counter[str] = field(default_factory=Counter[str])
    sizes: Counter[str] = field(default_factory=Counter[str])
    other: int = 0
    problems: list[Problem] = field(default_factory=list[Problem])
    whole: bool = True

    @property
    def seconds(self) -> float:
        """About how long reading takes on this machine."""
        work = sum(processor_seconds(f".{kind}", files, self.sizes[kind]) for kind, files in self.kinds.items())
        return _START_SECONDS + work / (os.cpu_count() or 1)


def preview(config: Config, folder: Folder, formats: Formats) -> Preview:
    """Look through a folder, by the rules it would be watched with; `formats` are those that would read it."""
    watched = folders_of(replace(config, folders=(folder,)), config.data_dir)
    found, until = ScanResult(), time.monotonic() + _WALK_SECONDS
    answer = Preview()
    for root in watched.roots:
        walk = DirectoryWalk(
            root.path, Versions.of((), config.limits), {}, found, follow_symlinks=config.index.follow_symlinks,
            stopped=lambda: time.monotonic() > until, secrets=folder.secrets, scope_of_target=watched.scope_of_target,
        )  # fmt: skip
        try:
            walk.run(root.path, root.scope(config.index))
        except Stopped:
            answer.whole = False
            found.fresh += walk.fresh
    answer.problems = list(found.problems)
    for path, stat in found.fresh:
        suffix = stem_and_suffix(path)[1]
        if suffix not in formats.suffixes:
            answer.other += 1
            continue
        limit, most = config.limits.of_file(by_member=suffix in formats.by_member)
        if stat.size > most:
            reason = f"It is larger than `{limit}` of `[limits]`, {most:,} bytes."
            answer.problems.append(Problem(path, "too_large", reason, stat))
        else:
            answer.kinds[suffix.removeprefix(".")] += 1
            answer.sizes[suffix.removeprefix(".")] += stat.size
    return answer


def described(preview: Preview) -> list[str]:
    """The preview in lines for a person."""
    least = "" if preview.whole else "at least "
    files, size = sum(preview.kinds.values()), sum(preview.sizes.values())
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in preview.kinds.most_common(_KINDS))
    more = len(preview.kinds) - _KINDS
    if files:
        shown_kinds = f"{kinds}{f' and {more} more kinds' if more > 0 else ''}"
        lines = [
            f"{least}{counted(files)}, {_size(size)}: {shown_kinds}.",
            f"Reading them takes about {least}{_duration(preview.seconds)}; scans longer, whose text has to be "
            "recognised. Words are found while it goes on, meaning a while later.",
        ]
    else:
        lines = ["There is no document in it yet; what is put there is read at once."]
    if preview.other:
        lines.append(
            f"{preview.other:,} file{'' if preview.other == 1 else 's'} of kinds that nobody reads: passed over."
        )
    for state, what in _KEPT_OUT.items():
        paths = [shown(problem.path) for problem in preview.problems if problem.state == state]
        if paths:
            rest = f" and {len(paths) - _EXAMPLES:,} more" if len(paths) > _EXAMPLES else ""
            lines.append(f"Not read, {what}: {', '.join(map(repr, paths[:_EXAMPLES]))}{rest}.")
    return lines


def counted(files: int) -> str:
    """The number of documents, in words."""
    return f"{files:,} document{'' if files == 1 else 's'}"


def _duration(seconds: float) -> str:
    """A time as people say it, rounded."""
    if seconds < 90:
        return f"{max(5, 5 * round(seconds / 5))} seconds"
    minutes = round(seconds / 60)
    return f"{minutes} minutes" if minutes < 90 else f"{minutes / 60:.1f} hours"


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB" if count < 1e9 else f"{count / 1e9:,.1f} GB"
