"""Opens a PDF and its pages and closes them again, in order; knows where a page's points lie on the shown page."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from sidecar.api import Box, DamagedError, EncryptedError, Limits, Source
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.cycles import draws_itself

_ERRORS = {
    2: "cannot be opened",
    3: "is not a PDF, or is cut short or malformed",
    6: "has no page that can be loaded",
}


@dataclass(frozen=True)
class Opened:
    """An open document: `handle` is pdfium's, `forms` its form environment (0 where the file has no form)."""

    handle: int
    forms: int
    pages: int
    deadline: float
    """`time.monotonic()` after which reading stops and says so."""
    data: bytes = b""
    """The file."""


@dataclass(frozen=True)
class PageFrame:
    """How page space (y up, unrotated) maps to what is shown (y down, rotated, cropped), all in points."""

    left: float
    bottom: float
    right: float
    top: float
    rotation: int
    width: float
    height: float

    def box(self, left: float, bottom: float, right: float, top: float) -> Box:
        """A rectangle of page space as shown."""
        if self.rotation == 0:
            return left - self.left, self.top - top, right - self.left, self.top - bottom
        if self.rotation == 1:
            return bottom - self.bottom, left - self.left, top - self.bottom, right - self.left
        if self.rotation == 2:
            return self.right - right, bottom - self.bottom, self.right - left, top - self.bottom
        return self.top - top, self.right - right, self.top - bottom, self.right - left

    def vector(self, x: float, y: float) -> tuple[float, float]:
        """A direction of page space as shown."""
        return ((x, -y), (y, x), (-x, y), (-y, -x))[self.rotation]

    def shown(self, box: Box) -> Box:
        """A box of this frame on the shown page: the same, but for a frame that is turned."""
        return box


@contextmanager
def opened(source: Source, limits: Limits, *, forms: bool = True) -> Generator[Opened]:
    """The document, for the length of a `with`.

    Raises:
        EncryptedError: it needs a password (an empty user password is tried by pdfium itself).
        DamagedError: pdfium cannot make sense of it.
        LimitError: it is larger than `limits.max_file_bytes`.
    """
    deadline = time.monotonic() + limits.max_seconds * 0.8
    data = source.read(limits.max_file_bytes)
    if draws_itself(data):
        raise DamagedError(f"{source.name} holds a drawing that draws itself without end, so it cannot be shown.")
    handle = raw.load_document(data, len(data), None)
    if not handle:
        code = raw.last_error()
        if code in {4, 5}:
            raise EncryptedError(
                f"{source.name} is protected by a password; remove the password in a PDF program to have it indexed."
            )
        raise DamagedError(f"{source.name} {_ERRORS.get(code, 'cannot be read as PDF')}.")
    environment = 0
    info = raw.FormFillInfo(version=2)  # must outlive the environment
    try:
        if forms and raw.form_type(handle):
            environment = raw.init_forms(handle, ctypes.addressof(info)) or 0
        yield Opened(handle, environment, raw.page_count(handle), deadline, data)
    finally:
        if environment:
            raw.exit_forms(environment)
        raw.close_document(handle)


@contextmanager
def loaded(document: Opened, index: int) -> Generator[int]:
    """The handle of one page (0-based), 0 where it cannot be loaded."""
    page = raw.load_page(document.handle, index) or 0
    try:
        yield page
    finally:
        if page:
            raw.close_page(page)


def frame(page: int) -> PageFrame:
    """The page's frame: the crop box inside the media box, and `/Rotate`."""
    rect = raw.Rect()
    rotation = raw.page_rotation(page) % 4
    width, height = float(raw.page_width(page)), float(raw.page_height(page))
    if raw.page_bounds(page, rect) and rect.right > rect.left and rect.top > rect.bottom:
        return PageFrame(rect.left, rect.bottom, rect.right, rect.top, rotation, width, height)
    across, up = (height, width) if rotation % 2 else (width, height)
    return PageFrame(0.0, 0.0, across, up, rotation, width, height)
