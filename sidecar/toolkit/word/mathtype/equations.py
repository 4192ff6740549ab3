"""An equation object's text and LaTeX: its tree (`records`) as Office mathematics (`templates`), which knows how both
are written. Total: what is not an equation, or a damaged one, is none."""

import struct
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from sidecar.api import DamagedError, FormatError, Payload
from sidecar.toolkit.ole import OLE_MAGIC
from sidecar.toolkit.ole.compound import Compound
from sidecar.toolkit.ooxml.omml import latex, plain
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.word.mathtype.records import BrokenEquationError, read_equation
from sidecar.toolkit.word.mathtype.templates import written

_EQUATION_TYPE = "application/x-mathtype"
"""The media type under which `ole.objects` tells such an object."""
_STREAM = "Equation Native"
_OBJECT_SUFFIX = ".bin"
_HEAD_BYTES = 28
"""Of the stream: the head's own length, version, clipboard format, length of the equation, four reserved numbers."""
_MAX_OBJECT = 2**19
"""An object larger than this is not looked into; real ones take some kilobytes."""


class EquationText(NamedTuple):
    """An equation in one line of plain text, and in LaTeX."""

    text: str
    latex: str


def equation_in(file: Payload | None) -> EquationText | None:
    """The equation that an attached object is; None where it is another thing, empty or damaged."""
    return _in_object(file.data) if file is not None and file.media_type == _EQUATION_TYPE else None


class PartEquations:
    """The equations that parts of an Office package are, each read once however often it is shown."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._known: dict[str, EquationText | None] = {}

    def of(self, ref: str) -> EquationText | None:
        """The equation in a part; None where it is none or damaged. What is large or no binary object is not read."""
        if ref not in self._known:
            package, self._known[ref] = self._package, None
            if ref in package and ref.lower().endswith(_OBJECT_SUFFIX) and package.size(ref) <= _MAX_OBJECT:
                with suppress(FormatError):
                    self._known[ref] = _in_object(package.read(ref))
        return self._known[ref]


def _in_object(data: bytes) -> EquationText | None:
    """The equation in a compound file."""
    if len(data) > _MAX_OBJECT or not data.startswith(OLE_MAGIC) or _STREAM.encode("utf-16-le") not in data:
        return None
    try:
        stream = Compound(data).stream(_STREAM)
    except (DamagedError, struct.error):
        return None
    return _equation_text(stream or b"")


@lru_cache(maxsize=64)  # one object may be shown as often as a hostile file likes
def _equation_text(stream: bytes) -> EquationText | None:
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
