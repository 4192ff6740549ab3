"""Source code as consecutive `Code` blocks small enough to be addressed and quoted: about a screenful each."""

from collections.abc import Iterator

from sidecar.api.model import Code

_MAX_LINES = 100
MAX_CHARS = 16_000
_SOFT = 60
"""Lines after which a blank line followed by an unindented one ends a block: functions stay whole where they fit."""


def code_blocks(text: str, language: str, *, first: int = 0) -> Iterator[Code]:
    """The text in blocks of at most 100 lines and 16,000 characters, cut between top-level units where possible.

    Where `first` says which line of its file the text begins with, `anchor` is the first line of each block ("L101").
    Blank lines at a block's edges are dropped."""
    lines = text.split("\n")
    start = 0
    count = len(lines)
    while start < count:
        if not lines[start].strip():
            start += 1
            continue
        end, size = start, 0
        cut = 0
        if count - start <= _MAX_LINES and len(text) < MAX_CHARS:
            end = count  # as nearly all, it fits
        while end < count and end - start < _MAX_LINES and size + len(lines[end]) < MAX_CHARS:
            if end - start >= _SOFT and lines[end][:1].strip() and not lines[end - 1].strip():
                cut = end  # the latest such place; a block may as well be full
            size += len(lines[end]) + 1
            end += 1
        if end == start:  # one line longer than a whole block
            line = lines[start]
            pieces = (line[at : at + MAX_CHARS] for at in range(0, len(line), MAX_CHARS))
            for piece in filter(str.strip, pieces):
                yield Code(text=piece, language=language, anchor=f"L{first + start}" if first else "")
            start += 1
            continue
        if end < count and cut > start:
            end = cut
        yield Code(
            text="\n".join(lines[start:end]).rstrip(), language=language, anchor=f"L{first + start}" if first else ""
        )
        start = end
