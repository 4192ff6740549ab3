"""Clients' files as bytes: read as text, replaced in one step where they really lie, and kept as they were before."""

import codecs
import contextlib
import hashlib
import os
import shutil
import stat
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import platformdirs

from sidecar.api import SidecarError
from sidecar.cli.clients.syntax import SyntaxFault, fault_at
from sidecar.config import APP
from sidecar.toolkit.platform.private import DIRECTORY_MODE

_WIDE = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_KEPT_BACKUPS = 10  # of one file; settings are some kilobytes


class ClientFileError(SidecarError):
    """A client's file cannot be read, understood or written; it is as it was."""


@dataclass(frozen=True)
class FileText:
    """A file's content as text; `mark` is its byte order mark, b"" without one. `None` bytes are not a file."""

    text: str
    mark: bytes = b""

    def encoded(self) -> bytes:
        """The bytes of the file."""
        return self.mark + self.text.encode("utf-8")


def read_bytes(file: Path) -> bytes | None:
    """The file's bytes, None where there is none. Raises ClientFileError."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ClientFileError(f"{file} cannot be read: {error.strerror}.") from error


def decode(content: bytes) -> FileText:
    """The text of those bytes, which are UTF-8. Raises SyntaxFault."""
    if content.startswith(_WIDE):
        raise SyntaxFault("it is UTF-16 or UTF-32, which the client does not read; save it as UTF-8", 1, 1)
    mark = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
    try:
        return FileText(content[len(mark) :].decode("utf-8"), mark)
    except UnicodeDecodeError as error:
        before = content[len(mark) : len(mark) + error.start].decode("utf-8")
        raise fault_at(before, len(before), f"the byte 0x{error.object[error.start]:02x} is not UTF-8") from error


def replace(file: Path, before: bytes | None, after: bytes | None) -> None:
    """Put `after` in the place of `before` in one step; None is not a file. A link stays one: the file it leads to is
    replaced, with its permissions and its owner.

    Raises:
        ClientFileError: it cannot be written, or another program changed it meanwhile."""
    real = Path(os.path.realpath(file))
    try:
        if after is None:
            _expect(real, before)
            real.unlink()
            return
        real.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name}.", suffix=".new")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(after)
                stream.flush()
                os.fsync(stream.fileno())
            _take_over_permissions(Path(name), real)
            _expect(real, before)
            Path(name).replace(real)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise ClientFileError(f"{file} cannot be written: {error.strerror}; it is as it was.") from error


def _expect(file: Path, content: bytes | None) -> None:
    if read_bytes(file) != content:
        raise ClientFileError(f"{file} was changed by another program meanwhile; try again.")


def _take_over_permissions(new: Path, old: Path) -> None:
    """The new file gets mode and owner of the old; where there was none, its user alone may read it."""
    try:
        status = old.stat()
    except FileNotFoundError:
        return
    new.chmod(stat.S_IMODE(status.st_mode))
    if (status.st_uid, status.st_gid) != (new.stat().st_uid, new.stat().st_gid):  # on Windows both are 0
        with contextlib.suppress(PermissionError):  # only root may give a file away
            shutil.chown(new, status.st_uid, status.st_gid)


class Backups:
    """What clients' files were before we edited them. They may hold tokens of other servers, so they lie in our own
    private directory, not beside the files, where a project's would be committed."""

    def __init__(self, directory: Path | None = None) -> None:
        root = Path(platformdirs.user_data_dir(APP, appauthor=False))
        self.directory = directory or root / "client-backups"

    def save(self, file: Path, content: bytes) -> Path:
        """Keep that content of the file; gives where. Raises ClientFileError."""
        moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%f")
        kept = self.directory / f"{self._stem(file)}-{moment}{file.suffix}"
        try:
            self.directory.mkdir(mode=DIRECTORY_MODE, parents=True, exist_ok=True)
            handle = os.open(kept, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
            for old in self._of(file)[_KEPT_BACKUPS:]:
                old.unlink(missing_ok=True)
        except OSError as error:
            raise ClientFileError(f"no backup of {file} can be kept in {kept.parent}: {error.strerror}.") from error
        return kept

    def of(self, file: Path) -> list[bytes]:
        """What is kept of that file, the newest first."""
        return [content for kept in self._of(file) if (content := read_bytes(kept)) is not None]

    def _of(self, file: Path) -> list[Path]:
        return sorted(self.directory.glob(f"{self._stem(file)}-*"), reverse=True)

    def _stem(self, file: Path) -> str:
        place = hashlib.sha256(os.fsencode(os.path.realpath(file))).hexdigest()[:12]
        return f"{file.name.lstrip('.').split('.')[0]}-{place}"
