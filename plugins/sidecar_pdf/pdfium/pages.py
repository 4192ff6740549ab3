"""Opens a PDF and its pages and closes them again, in order."""

import ctypes
import os
import re
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from sidecar.api import DamagedError, EncryptedError, Limits, Source
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.bombs import find_bomb

READING_SHARE = 0.8
"""Of `Limits.max_seconds`, what reading may take: the rest is for what the pages are made into."""
_REGENERATED = re.compile(rb"/NeedAppearances\s+true")
"""ISO 32000-1, table 218."""
_ERRORS = {2: "cannot be opened", 3: "is not a PDF, or is cut short or malformed", 6: "has no page that can be loaded"}


@dataclass(frozen=True)
class Opened:
    """An open document: `handle` is pdfium's, `forms` its form environment (0 where the file has no form)."""

    handle: int
    forms: int
    pages: int
    deadline: float
    """`work_seconds()` after which reading stops and says so."""
    data: bytes = b""
    """The file."""
    regenerated: bool = False
    """Whether viewers are to draw the values of fields anew, whatever their appearances show."""


def work_seconds() -> float:
    """Processor time of this process and of what it ran to its end, which is what its own limit counts: on a busy
    machine a long document is not cut short for the time it waits. Windows does not tell what others took."""
    spent = os.times()
    return time.process_time() + spent.children_user + spent.children_system


@contextmanager
def opened(source: Source, limits: Limits, *, forms: bool = True) -> Generator[Opened]:
    """The document, for the length of a `with`.

    Raises:
        EncryptedError: it needs a password (an empty user password is tried by pdfium itself).
        DamagedError: pdfium cannot make sense of it.
        LimitError: it is larger than `limits.max_file_bytes`."""
    deadline = work_seconds() + limits.max_seconds * READING_SHARE
    data = source.read(limits.max_file_bytes)
    if bomb := find_bomb(data):
        raise DamagedError(f"{source.name} holds {bomb}.")
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
        regenerated = bool(environment) and _REGENERATED.search(data) is not None
        yield Opened(handle, environment, raw.page_count(handle), deadline, data, regenerated)
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


@contextmanager
def annotation_at(page: int, index: int) -> Generator[int]:
    """The handle of one annotation (0-based) of a loaded page, 0 where there is none."""
    annotation = (raw.get_annotation(page, index) or 0) if page else 0
    try:
        yield annotation
    finally:
        if annotation:
            raw.close_annotation(annotation)
