"""The plugin class for Outlook data files: recognised by their first bytes. Imports nothing heavy."""

from sidecar.api import AttachedBounds, LazyFormat, Source
from sidecar_pst.encoding import begins_data_file


class PstFormat(LazyFormat):
    """Outlook data files. Their items are documents of their own, within `attached`; the latest are read first."""

    name = "pst"
    version = "4"
    media_types: tuple[str, ...] = ("application/vnd.ms-outlook-pst",)
    suffixes: tuple[str, ...] = (".pst", ".ost")
    attached = AttachedBounds(
        count=20_000, bytes=512 * 2**20, chars=40_000_000, seconds=60.0, documents=True, by_member=True
    )

    def score(self, source: Source) -> int:
        """95 for a file that begins as Outlook's do, 10 for the name alone (the parse then says what is wrong)."""
        if begins_data_file(source.head):
            return 95
        return 10 if source.suffix in self.suffixes else 0
