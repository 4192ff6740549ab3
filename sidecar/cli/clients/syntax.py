"""What the two syntaxes of clients' files have in common: reading, putting and removing one value, and telling where a
text is wrong."""

from collections.abc import Mapping, Sequence
from typing import Protocol


class SyntaxFault(Exception):
    """A text is not what its syntax wants, or cannot be edited. `line` and `column` count from 1, in characters."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


def fault_at(text: str, place: int, message: str) -> SyntaxFault:
    """The fault at an offset into the text."""
    return SyntaxFault(message, text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place))


class Syntax(Protocol):
    """A module that edits texts of one syntax; see `jsonc` and `toml`. Every function raises SyntaxFault."""

    def read(self, text: str) -> dict[str, object]:
        """The data of the text."""
        ...

    def put(self, text: str, path: Sequence[str], value: object) -> str:
        """The text with that value at that path, all other characters kept."""
        ...

    def remove(self, text: str, path: Sequence[str], *, prune: bool) -> str:
        """The text without what stands at that path; `prune` removes an object that is empty then."""
        ...


def value_at(data: Mapping[str, object], path: Sequence[str]) -> object:
    """What stands at the path; None where nothing does."""
    found: object = data
    for key in path:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found
