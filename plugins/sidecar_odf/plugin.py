"""The OpenDocument format plugin. Imports nothing heavy."""

from sidecar.api import Source
from sidecar.toolkit.drawn.pages import OfficePages
from sidecar.toolkit.markup.flat_odf import flat_kind
from sidecar.toolkit.markup.openoffice_1 import older_kind

_BASE = "application/vnd.oasis.opendocument."
_KINDS = ("text", "presentation", "graphics", "base", "database")


class OdfFormat(OfficePages):
    """OpenDocument texts, presentations, drawings and databases; spreadsheets are another plugin's."""

    name = "odf"
    version = "40"
    media_types: tuple[str, ...] = (
        f"{_BASE}text", f"{_BASE}text-template", f"{_BASE}presentation", f"{_BASE}presentation-template",
        f"{_BASE}graphics", f"{_BASE}base", f"{_BASE}database",
    )  # fmt: skip
    suffixes: tuple[str, ...] = (
        ".odt", ".ott", ".odp", ".otp", ".odg", ".odb", ".fodt", ".fodp", ".fodg",
        ".sxw", ".stw", ".sxi", ".sti", ".sxd", ".std",
    )  # fmt: skip

    def score(self, source: Source) -> int:
        """100 where the package says so in its first bytes, 95 for a document in one XML file, 60 for a zip file of one
        of the suffixes, 10 for the suffix alone (the parse then says what is wrong)."""
        head = source.head
        if flat_kind(head).startswith(_KINDS):
            return 95
        if not head.startswith(b"PK"):
            return 10 if source.suffix in self.suffixes else 0
        if older := older_kind(source):
            return 100 if older != "spreadsheet" else 0
        at = head.find(b"mimetype" + _BASE.encode(), 0, 100)
        if at >= 0:
            kind = head[at + 8 + len(_BASE) : at + 8 + len(_BASE) + 20]
            return 100 if kind.startswith(tuple(map(str.encode, _KINDS))) else 0
        return 60 if source.suffix in self.suffixes else 0
