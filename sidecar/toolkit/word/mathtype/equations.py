"""An equation object's text and LaTeX: its tree (`records`) as Office mathematics (`templates`), which knows how both
are written. Total: what is no equation, or a damaged one, is none."""

import struct
from typing import NamedTuple

from sidecar.api.errors import DamagedError
from sidecar.api.formats import Payload
from sidecar.toolkit.ole.compound import OLE_MAGIC, Compound
from sidecar.toolkit.ooxml.omml import latex, plain
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.word.mathtype.records import BrokenEquationError, read_equation
from sidecar.toolkit.word.mathtype.templates import written

EQUATION_TYPE = "application/x-mathtype"
"""The media type under which `ole.objects` tells such an object."""
_STREAM = "Equation Native"
_OBJECT_SUFFIX = ".bin"
_HEAD_BYTES = 28
"""Of the stream: the head's own length, version, clipboard format, length of the equation, four reserved numbers."""
_MOST_OBJECT = 4 * 2**20
"""An object larger than this is not looked into; real ones take some kilobytes."""


class EquationText(NamedTuple):
    """An equation in one line of plain text, and in LaTeX."""

    text: str
    latex: str


def equation_in(file: Payload | None) -> EquationText | None:
    """The equation that an attached object is; None where it is another thing, empty or damaged."""
    return _in_object(file.data) if file is not None and file.media_type == EQUATION_TYPE else None


def equation_in_part(package: Package, ref: str) -> EquationText | None:
    """The same of a part of an Office package; one that is large or no binary object is not even read.

    Raises FormatError where the part is damaged."""
    if ref not in package or not ref.lower().endswith(_OBJECT_SUFFIX) or package.size(ref) > _MOST_OBJECT:
        return None
    return _in_object(package.read(ref))


def _in_object(data: bytes) -> EquationText | None:
    """The equation in a compound file."""
    if len(data) > _MOST_OBJECT or not data.startswith(OLE_MAGIC) or _STREAM.encode("utf-16-le") not in data:
        return None
    try:
        stream = Compound(data).stream(_STREAM)
    except (DamagedError, struct.error):
        return None
    return equation_text(stream or b"")


def equation_text(stream: bytes) -> EquationText | None:
    """The equation in an `Equation Native` stream; None where it is empty or damaged."""
    head = int.from_bytes(stream[:2], "little")
    if head != _HEAD_BYTES:
        return None
    size = int.from_bytes(stream[8:12], "little")
    try:
        version, nodes = read_equation(stream[head : head + size] if size else stream[head:])
    except BrokenEquationError:
        return None
    root = written(version, nodes)
    shown = " ".join(plain(root).split())
    return EquationText(shown, latex(root)) if shown else None
