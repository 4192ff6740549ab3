"""The plugin class for Outlook data files, those of Windows and exports of Outlook for Mac: recognised by their first
bytes. Imports nothing heavy."""

from sidecar.api import AttachedBounds, LazyFormat, Source
from sidecar_pst.encoding import begins_data_file


class PstFormat(LazyFormat):
    """Outlook data files. Their items are documents of their own, within `attached`; the latest are read first."""

    name = "pst"
    version = "12"
    media_types: tuple[str, ...] = ("application/vnd.ms-outlook-pst", "application/vnd.ms-outlook-olm")
    suffixes: tuple[str, ...] = (".pst", ".ost", ".olm")
    attached = AttachedBounds(
        count=20_000, bytes=512 * 2**20, chars=40_000_000, seconds=60.0, documents=True, by_member=True
    )

    def score(self, source: Source) -> int:
        """95 for a file that begins as Outlook's do, 10 for the name alone (the parse then says what is wrong)."""
        if begins_data_file(source.head) or (source.suffix == ".olm" and source.head.startswith(b"PK\x03\x04")):
            return 95
        return 10 if source.suffix in self.suffixes else 0
