"""The plugin class for OneNote sections: recognised by their first bytes. Imports nothing heavy."""

from typing import ClassVar

from sidecar.api import AttachedBounds, LazyFormat, Source

_SECTION = bytes.fromhex("e4525c7b8cd8a74daeb15378d02996d3")
"""The first bytes of a section ([MS-ONESTORE] 2.3.1, guidFileType)."""


class OnenoteFormat(LazyFormat):
    """Sections of OneNote 2007 and newer, and those that OneNote on the web hands out."""

    name = "onenote"
    version = "8"
    media_types: tuple[str, ...] = ("application/onenote",)
    suffixes: tuple[str, ...] = (".one",)
    attached: ClassVar[AttachedBounds] = AttachedBounds()

    def score(self, source: Source) -> int:
        """95 for a section, 10 for the suffix alone (the parse then says what is wrong)."""
        if source.head.startswith(_SECTION):
            return 95
        return 10 if source.suffix in self.suffixes else 0
