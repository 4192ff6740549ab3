"""Logging: a rotating file in the data directory for everything, stderr for warnings; never stdout, which is the wire.

Several sidecars may share one data directory and so one log file; who finds that another has rotated it reopens it."""

import contextlib
import logging
import logging.handlers
import os
import sys
from io import TextIOWrapper
from pathlib import Path

from sidecar.config import Config
from sidecar.toolkit.platform.private import make_private_directory, make_private_file

_FORMAT = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"


class SharedRotatingFile(logging.handlers.RotatingFileHandler):
    """A rotating log file that several processes write to."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record, into the file that bears the name now; nowhere while there can be none."""
        stream: TextIOWrapper | None = self.stream
        if stream is None:
            try:
                self.stream = self._open()
            except OSError:
                return
        elif self._moved(stream.fileno()):
            with contextlib.suppress(OSError):  # the data directory is gone: go on into the file that was
                self.stream = self._open()
                stream.close()
        super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name logging gives it
        """A disk that is full is said by those who need it; a traceback a record would only bury it."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handleError(record)

    def _open(self) -> TextIOWrapper:
        make_private_file(Path(self.baseFilename))
        return super()._open()

    def rotate(self, source: str, dest: str) -> None:
        """Rename; where another process holds the file open (Windows) it simply grows until that one is gone."""
        with contextlib.suppress(OSError):
            super().rotate(source, dest)

    def _moved(self, handle: int) -> bool:
        try:
            return not os.path.samestat(os.stat(self.baseFilename), os.fstat(handle))  # noqa: PTH116
        except OSError:
            return True


def log_file(config: Config) -> Path:
    """Where the log is, or would be."""
    return Path(config.log.file).expanduser() if config.log.file else config.data_dir / "docsidecar.log"


def set_up_logging(config: Config) -> Path | None:
    """Send the root logger to the log file and stderr; gives the file, None while it cannot be written."""
    root = logging.getLogger()
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    root.setLevel(config.log.level.upper())
    console = logging.StreamHandler(sys.stderr)
    console.setLevel(logging.WARNING)
    console.setFormatter(logging.Formatter("docsidecar: %(levelname)s: %(message)s"))
    root.addHandler(console)
    for name in ("mcp", "watchdog", "asyncio"):  # chatty at info, and rarely about us
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
    path: Path | None = log_file(config)
    file: SharedRotatingFile | None = None
    try:
        if config.log.file:
            path.parent.mkdir(parents=True, exist_ok=True)
        else:
            make_private_directory(path.parent)
        file = SharedRotatingFile(
            path, maxBytes=config.log.max_bytes, backupCount=config.log.keep, encoding="utf-8",
            errors="backslashreplace",  # a file name need not be text
            delay=True,
        )  # fmt: skip
        file.setFormatter(logging.Formatter(_FORMAT))
        make_private_file(path)
    except OSError as error:
        root.warning("the log file %s cannot be written (%s); logging to stderr only.", path, error.strerror)
        path = None
    if file is not None:
        root.addHandler(file)
    return path
