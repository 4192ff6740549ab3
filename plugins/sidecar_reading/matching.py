"""The tool `grep`: regular expressions over what a reader sees of the documents, as lines of text with their places."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

from msgspec.structs import replace
from pydantic import Field

from sidecar.api import Call, GrepAnswer, GrepHit, GrepQuery, GrepShow, Result, Text, Tool, UsageError
from sidecar.toolkit.answers.budget import ENVELOPE_TOKENS, FRAME_TOKENS, shorten, text_tokens
from sidecar.toolkit.answers.windows import cut
from sidecar.toolkit.provenance import escape_frame_lines
from sidecar.toolkit.settings import Start, ToolArguments

_LINE_CHARS = 400
"""A match is shown within this much of its line; a sheet's row or an unbroken paragraph may be far longer."""
_HEADER_CHARS = 200
_AROUND = "    "
"""What stands before a line that only surrounds a match."""


class Grep(ToolArguments):
    """Arguments of `grep`."""

    pattern: Annotated[str, Field(min_length=1, description="regular expression")]
    document_slug: str | None = None
    path: Annotated[str | None, Field(description="part of the file path")] = None
    ignore_case: bool = False
    context: Annotated[int, Field(ge=0, le=10, description="lines around")] = 0
    files_only: bool = False
    count: bool = False
    limit: Annotated[int, Field(ge=1, le=500)] = 50
    start: Start = 0

    @property
    def show(self) -> GrepShow:
        """What is wanted of the matches; how many there are says which files have some too."""
        return "count" if self.count else "files" if self.files_only else "lines"


async def grep(call: Call, arguments: Grep) -> Result:
    """Every match as a line with its place, under its file; or the files, with how many matches. Raises UsageError."""
    query = GrepQuery(
        pattern=arguments.pattern, doc=arguments.document_slug, path=arguments.path, ignore_case=arguments.ignore_case,
        context=arguments.context, limit=arguments.limit, start=arguments.start, show=arguments.show,
    )  # fmt: skip
    answer = await call.services.library.grep(query)
    start, what = arguments.start, "matches" if arguments.show == "lines" else "files"
    if start and not answer.hits and not answer.files and answer.complete:
        raise UsageError(f"start={start} is beyond the end; there are {answer.found} {what} (start counts from 0).")
    left = call.budget - ENVELOPE_TOKENS - FRAME_TOKENS * 2 - text_tokens(answer.remark) * 2
    lines: list[str] = []
    given = 0
    for entry, count in _files(answer, arguments.show) if answer.files else _matches(answer.hits, call.budget):
        left -= text_tokens(entry)
        if left < 0 and given:
            break
        lines.append(entry)
        given += count
    there = len(answer.files or answer.hits)
    remark = answer.remark
    structured: dict[str, object] = {what: given, "complete": answer.complete and given == there}
    if given < there:
        structured["next_start"] = start + given
        remark = f"{there - given} more {what} did not fit; the same call with start={start + given} gives them."
    elif answer.more:
        structured["next_start"] = start + given
        remark = f"{answer.remark} The same call with start={start + given} gives the next."
    if remark:
        structured["remark"] = remark
    head = f"{_counted(given, what)}. {remark}".strip()
    return Result((Text(escape_frame_lines("\n".join((head, *lines)))),), structured)


def _counted(count: int, what: str) -> str:
    if not count:
        return "No match"
    return f"{count} {what if count > 1 else what.removesuffix('es') if what == 'matches' else 'file'}"


def _files(answer: GrepAnswer, show: GrepShow) -> Iterator[tuple[str, int]]:
    """A line a file, and what it counts for."""
    for file in answer.files:
        count = f": {file.matches}" if show == "count" else ""
        yield f"{file.path} ({file.document_slug}){count}", 1


def _matches(hits: Sequence[GrepHit], budget: int) -> Iterator[tuple[str, int]]:
    """A line for each line with matches, and how many it has: before the first of a file its path, of a sheet's table
    the heading row, and no line around a match twice."""
    path = header = ""
    for hit, count in _without_overlap(_together(hits)):
        entry: list[str] = []
        if hit.path != path:
            path, header = hit.path, ""
            entry.append(f"{path} ({hit.document_slug})")
        if hit.header and hit.header != header:
            header = hit.header
            entry.append(f"{_AROUND}header: {shorten(header, _HEADER_CHARS)}")
        line = _within(hit)
        entry += [_AROUND + shorten(text, _LINE_CHARS) for text in hit.before]
        entry.append(f"{hit.uri}: {line}")
        entry += [_AROUND + shorten(text, _LINE_CHARS) for text in hit.after]
        yield _bounded("\n".join(entry), f"{hit.uri}: {line}", budget // 2), count


def _together(hits: Sequence[GrepHit]) -> Iterator[tuple[GrepHit, int]]:
    """Matches that one shown line holds go together: saying it once for each match in it only costs tokens."""
    first: GrepHit | None = None
    count = 0
    for hit in hits:
        if first is not None and (hit.uri, hit.line) == (first.uri, first.line) and hit.end <= _window(first)[1]:
            count += 1
            continue
        if first is not None:
            yield first, count
        first, count = hit, 1
    if first is not None:
        yield first, count


def _without_overlap(groups: Iterable[tuple[GrepHit, int]]) -> Iterator[tuple[GrepHit, int]]:
    """The same matches without the lines around them that the one before or after shows anyway."""
    last: tuple[GrepHit, int] | None = None
    for hit, count in groups:
        first = hit
        if last is not None and last[0].document_slug == hit.document_slug:
            between = _between(last[0], hit)
            if between is not None:
                last = replace(last[0], after=last[0].after[:between]), last[1]
                first = replace(hit, before=())
            else:
                first = replace(hit, before=hit.before[_overlap(last[0].after, hit.before) :])
        if last is not None:
            yield last
        last = first, count
    if last is not None:
        yield last


def _between(last: GrepHit, first: GrepHit) -> int | None:
    """How many lines stand between two matches of one text, None where the first does not show the second."""
    for count, line in enumerate(last.after):
        behind = (last.line, *last.after[:count])[-len(first.before) :] if first.before else ()
        if line == first.line and behind and first.before[-len(behind) :] == behind:
            return count
    return None


def _overlap(after: Sequence[str], before: Sequence[str]) -> int:
    most = min(len(after), len(before))
    return next((count for count in range(most, 0, -1) if after[-count:] == before[:count]), 0)


def _window(hit: GrepHit) -> tuple[int, int]:
    """From where to where its line is shown: a long one is cut to the surroundings of the match."""
    if len(hit.line) <= _LINE_CHARS:
        return 0, len(hit.line)
    begin = max(hit.start - _LINE_CHARS // 2, 0)
    return begin, begin + _LINE_CHARS


def _within(hit: GrepHit) -> str:
    begin, end = _window(hit)
    text = ("…" if begin else "") + hit.line[begin:end] + ("…" if end < len(hit.line) else "")
    return " ".join(text.split("\n"))


def _bounded(entry: str, line: str, budget: int) -> str:
    """The entry, without what surrounds the line where it is too much, and no more than the budget."""
    if text_tokens(entry) <= budget:
        return entry
    return line if text_tokens(line) <= budget else cut(line, budget)[0]


GREP = Tool(
    "grep", "Search by pattern",
    "Regular expression over the indexed text, formulas and notes too; each match a line with its place.", Grep, grep,
)  # fmt: skip
