"""Formulas that a program which calculates does not know, taken out of a workbook before it does: an error function
would hide that (`IFERROR(XLOOKUP(…), "")`), and one of them would have all others refused. Calculates nothing itself.
"""

import codecs
import io
import re
import zipfile
import zlib
from collections.abc import Collection, Generator
from contextlib import contextmanager
from html import unescape

from sidecar.api import DamagedError
from sidecar_xlsx.cells.reading import as_typed

_TEXT = re.compile(r'"(?:[^"]|"")*"|\'(?:[^\']|\'\')*\'')
_FUNCTION = re.compile(r"(?<![\w.$\\])(?:_xl\w+\.)*([^\W\d][\w.]*)\(")
_EXTERNAL = re.compile(r"\[\d+\]")
_FORMULA = re.compile(rb"(<(?:\w+:)?f\b[^>]*(?<!/)>)([^<]*)(?=</)")
_DIMENSION = re.compile(rb"<(?:\w+:)?dimension\b[^<>]*/>")
_NO_FUNCTION = b"NOT.KNOWN.HERE()"
"""Gives #NAME? in every program, and so do the formulas that use its cell."""


def functions(formula: str) -> set[str]:
    """The functions a formula calls, spelled as it does and without the prefixes of newer ones."""
    return set(_FUNCTION.findall(_TEXT.sub("", formula)))


def external(formula: str) -> bool:
    """Whether a formula refers to another workbook, as files write it: `[1]Sheet1!A1`."""
    return _EXTERNAL.search(_TEXT.sub(lambda text: text[0] if text[0][0] == "'" else "", formula)) is not None


def formulas_in(package: bytes) -> set[str]:
    """The formulas of a workbook (an .xlsx package) as its sheets write them, without prefixes of newer functions.
    Raises DamagedError where they cannot be unpacked."""
    found: set[str] = set()
    with _opened(package) as given:
        for name in given.namelist():
            if "/worksheets/" in name:
                found.update(map(_read, _FORMULA.finditer(given.read(name))))
    return found


def without(package: bytes, refused: Collection[str]) -> bytes:
    """The workbook with a function that no program has in place of each of the formulas `refused`, its sheets without
    the byte order mark and the dimension that some programs write, and write wrongly. Raises DamagedError where it
    cannot be unpacked."""
    out = io.BytesIO()
    with _opened(package) as given, zipfile.ZipFile(out, "w") as made:
        for name in given.namelist():
            data = given.read(name)
            if "/worksheets/" in name:
                data = _DIMENSION.sub(b"", data.removeprefix(codecs.BOM_UTF8), count=1)
                data = _FORMULA.sub(lambda one: one[1] + _NO_FUNCTION if _read(one) in refused else one[0], data)
            made.writestr(name, data)
    return out.getvalue()


@contextmanager
def _opened(package: bytes) -> Generator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(io.BytesIO(package)) as given:
            yield given
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError) as error:
        raise DamagedError(f"The workbook cannot be unpacked: {error}.") from error


def _read(match: re.Match[bytes]) -> str:
    return as_typed(unescape(match[2].decode("utf-8", "replace")))
