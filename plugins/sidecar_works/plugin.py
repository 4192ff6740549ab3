"""The plugin class for Publisher and Works: recognised by their streams or first bytes. Imports nothing heavy."""

from sidecar.api import LazyFormat, Source
from sidecar.toolkit.ole import OLE_MAGIC
from sidecar.toolkit.ole.compound import directory_head

_STREAMS = tuple(f"{name}\0".encode("utf-16-le") for name in ("Quill", "MN0", "MatOST", "CONTENTS"))
_WORKS_2 = b"\x01\xfe\x01\0"


class WorksFormat(LazyFormat):
    """Publications of Publisher 98 and newer, texts of Works 2 to 9."""

    name = "works"
    version = "11"
    media_types: tuple[str, ...] = ("application/x-mspublisher", "application/vnd.ms-works")
    suffixes: tuple[str, ...] = (".pub", ".wps")

    def score(self, source: Source) -> int:
        """92 for a compound file with one of our streams, 20 for another one, both under our suffixes; 91 for the first
        bytes of Works 2, 5 for the suffix alone: texts, keys among them, go by these names too."""
        ours = source.suffix in self.suffixes
        if source.head.startswith(OLE_MAGIC):
            streams = directory_head(source)
            return 92 if ours and any(name in streams for name in _STREAMS) else 20 if ours else 0
        if ours and source.head.startswith(_WORKS_2):
            return 91
        return 5 if ours else 0
