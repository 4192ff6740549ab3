"""The plugin class for data sets of Stata, SPSS and SAS, and files of R. Imports nothing heavy."""

from sidecar.api import EncryptedError, Limits, ParsedDocument, Source

_SPSS = (b"$FL2@(#)", b"$FL3@(#)")
_ENCRYPTED = b"ENCRYPTEDSAV"
_STATA = b"<stata_dta>"
_SAS = bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011")
_TRANSPORT = b"HEADER RECORD*******LIB"
_PORTABLE, _PORTABLE_WITHIN = b"SPSSPORT", 536
"""The mark of SPSS's portable files stands in their sixth line, whose place the ends of lines shift."""
_R = (".rds", ".rda", ".rdata")
_R_MARKS = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"RDX", b"RDB", b"RDA", b"X\n\0", b"B\n", b"A\n")
"""How files of R begin, packed or not."""
_OLD_RELEASES = range(104, 116)
"""First byte of Stata's files before release 117, which began to name themselves."""


class StatisticsFormat:
    """Data sets of Stata (releases 104 to 119), SPSS and SAS, compressed or not; portable files of SPSS, transport
    files of SAS; data frames, matrices, vectors and lists of R."""

    name = "statistics"
    version = "12"
    media_types: tuple[str, ...] = (
        "application/x-stata-dta", "application/x-spss-sav", "application/x-spss-por", "application/x-sas-data",
        "application/x-sas-xport", "application/x-r-data",
    )  # fmt: skip
    suffixes: tuple[str, ...] = (".dta", ".sav", ".zsav", ".por", ".sas7bdat", ".xpt", *_R)

    def score(self, source: Source) -> int:
        """95 for first bytes that name the program, 85 for an old header of Stata under its suffix; other programs
        have `.sav` files, too."""
        head = source.head
        if (
            head.startswith((_STATA, _SAS, _TRANSPORT, *_SPSS))
            or head[8:20] == _ENCRYPTED
            or (source.suffix == ".por" and _PORTABLE in head[:_PORTABLE_WITHIN])
        ):
            return 95
        if source.suffix in _R:
            return 95 if head.startswith(_R_MARKS) else 10
        old = len(head) > 3 and head[0] in _OLD_RELEASES and head[1] in (1, 2) and head[2] == 1
        return 0 if source.suffix != ".dta" else 85 if old else 10

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The data set as a sheet of its cases, and one of its variables. Raises FormatError."""
        if source.head[8:20] == _ENCRYPTED:
            raise EncryptedError(f"{source.name} is encrypted: it opens only in SPSS, with its password.")
        if source.suffix in _R:
            from sidecar_statistics.r_data import parse
        else:
            from sidecar_statistics.parse import parse

        return parse(source, limits)
