"""What an RTF file says of itself (RTF 1.9.1, "Information Group"), and what is read of it in all."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sidecar.api.model import OWN_METADATA, AnyBlock, Note, Notice
from sidecar.toolkit.text import COPIED_PROPERTIES
from sidecar.toolkit.visible import changes_notice
from sidecar.toolkit.word.embeds import StoryEmbeds

INFO: Mapping[str, str] = {
    "title": "title", "subject": "subject", "author": "author", "operator": "modified_by", "keywords": "keywords",
    "doccomm": "description", "category": "category", "manager": "manager", "company": "company",
    "hlinkbase": "hyperlink_base",
}  # fmt: skip
"""Destinations of texts in `info`, by our word for them."""
TIMES: Mapping[str, str] = {"creatim": "created", "revtim": "modified", "printim": "printed"}
"""Destinations of moments in `info`, which words of numbers tell."""
_MAX_CHARS = 2_000
_FIRST_YEAR = 1980
"""Word writes years of zero, programs the first of their calendar where they know none."""
_BOOLEAN = 11


@dataclass(frozen=True)
class RtfDocument:
    """What a file holds. `notes` are the headers and footers, each once; `embeds` the pictures and attached files."""

    blocks: list[AnyBlock]
    notes: list[Note]
    metadata: dict[str, str]
    embeds: StoryEmbeds
    notices: tuple[Notice, ...]


class Info:
    """The facts of one file, as `metadata`."""

    def __init__(self) -> None:
        self.metadata: dict[str, str] = {}
        self.property = ""
        """The name that the value which follows belongs to: of a property of the user's own, or of a shape."""
        self._kind = 0
        self._moment: dict[str, int] = {}

    def add(self, name: str, value: str) -> None:
        """A fact; said twice the first holds."""
        value = " ".join(value.split())
        if value:
            self.metadata.setdefault(name, value[:_MAX_CHARS])

    def number(self, destination: str, word: str, number: int) -> None:
        """A word with a number in a moment or beside the user's own properties."""
        if destination in TIMES:
            self._moment[word] = number
        elif word == "proptype":
            self._kind = number

    def own(self, value: str) -> None:
        """The value of the user's own property."""
        if self._kind == _BOOLEAN and value in ("0", "1"):
            value = "true" if value == "1" else "false"
        if self.property.lower() not in COPIED_PROPERTIES:
            self.add(f"{OWN_METADATA}{self.property.lower()}", value)

    def moment(self, destination: str) -> None:
        """A moment is told."""
        time, self._moment = self._moment, {}
        year, month, day, hour, minute, second = (time.get(word, 0) for word in ("yr", "mo", "dy", "hr", "min", "sec"))
        try:
            when = datetime(year, month, day, hour, minute, second)  # noqa: DTZ001 - local to whoever wrote it; the file does not say where that was
        except ValueError:
            return
        if when.year >= _FIRST_YEAR:
            self.add(TIMES[destination], when.isoformat(timespec="seconds"))


def file_notices(*, unended: bool, changes: int) -> list[Notice]:
    """What is to be said of a file whose last groups are not ended, or that has stretches of tracked changes."""
    notices: list[Notice] = []
    if unended:
        notices.append(Notice("damaged_part", "The file ends in the middle; what there is of it was read."))
    return [*notices, *changes_notice(changes)]
