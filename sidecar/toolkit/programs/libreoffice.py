"""LibreOffice as a converter and a painter of pages, for worker processes: `convert` and `draw_page`.

Headless, with a profile of its own that runs no macros and follows no links, time-limited, one conversion at a time
on the machine (per user). Some links it follows all the same (pictures in RTF, slides and SVG, backgrounds of
paragraphs), so documents lose those before it gets them (`outward_links`), and where the system has the means it can
read no file of the user but the one it is given. Not responsible for reading any format. Made PDFs are kept in a
bounded temporary cache."""

import hashlib
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from sidecar.api import DamagedError, LimitError, Limits, NotFoundError, Payload, Source, UnavailableError
from sidecar.toolkit.platform import system
from sidecar.toolkit.programs.outward_links import without_outward_links
from sidecar.toolkit.programs.process_tree import run_tree

Target = Literal["pdf", "docx", "xlsx"]

CACHE_BYTES = 256 * 2**20
CACHE_FILES = 64
_LOCK_POLL_SECONDS = 0.1
_AGAIN = 81
"""What LibreOffice ends with when it has made its profile and is to be started again (EXITHELPER_NORMAL_RESTART)."""

# Slides must be pages one to one, hidden ones too, and a sheet one page (both since LibreOffice 7.4, ignored before).
_IMPRESS_PDF = 'pdf:impress_pdf_Export:{"ExportHiddenSlides":{"type":"boolean","value":"true"}}'
_CALC_PDF = 'pdf:calc_pdf_Export:{"SinglePageSheets":{"type":"boolean","value":"true"}}'
_FILTERS: dict[Target, str] = {"pdf": "pdf", "docx": "docx:MS Word 2007 XML", "xlsx": "xlsx:Calc MS Excel 2007 XML"}
_SLIDES = frozenset({".ppt", ".pot", ".pps", ".pptx", ".pptm", ".potx", ".potm", ".ppsx", ".ppsm", ".odp"})
_SHEETS = frozenset({".xls", ".xlt", ".xlsx", ".xlsm", ".xltx", ".xltm", ".xlsb", ".ods", ".ots", ".fods", ".csv"})
_INSTALL = "install LibreOffice (libreoffice.org) or put its soffice program on PATH"

_SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>3</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Writer/Content/Update"><prop oor:name="Link" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Office.Calc/Content/Update"><prop oor:name="Link" oor:op="fuse"><value>1</value></prop></item>
<item oor:path="/org.openoffice.Setup/Office"><prop oor:name="ooSetupInstCompleted" oor:op="fuse"><value>true</value></prop></item>
{more}</oor:items>
"""  # noqa: E501  (one setting a line reads best)
_RECALCULATE = """\
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="ODFRecalcMode" oor:op="fuse"><value>0</value></prop></item>
"""  # noqa: E501
"""Every formula is calculated when a workbook is opened, and no stored result believed."""


def find_soffice() -> str | None:
    """The LibreOffice program: from PATH, else where its installers put it; None when it is not on the machine."""
    for name in ("soffice", "libreoffice"):
        found = shutil.which(name)
        if found:
            return found
    places = [
        Path("/Applications/LibreOffice.app/Contents/MacOS/soffice"),
        Path("/usr/lib/libreoffice/program/soffice"),
    ]
    places += sorted(Path("/opt").glob("libreoffice*/program/soffice"), reverse=True)
    for variable in ("ProgramFiles", "ProgramFiles(x86)"):
        if os.environ.get(variable):
            places.append(Path(os.environ[variable]) / "LibreOffice" / "program" / "soffice.com")
    return next((str(place) for place in places if place.is_file() and os.access(place, os.X_OK)), None)


def find_binary() -> Path | None:
    """What LibreOffice's launcher starts, on Linux: started itself, it makes its socket where `OSL_SOCKET_PATH` says if
    it may not write to /tmp, where the launcher gives up. None where it is not beside the launcher."""
    launcher = Path(find_soffice() or "soffice.exe").resolve()
    binary = launcher.with_name("soffice.bin")
    return binary if not launcher.suffix and binary.is_file() else None


def convert(source: Source, to: Target, limits: Limits, *, recalculate: bool = False) -> bytes:
    """The document in another format, as LibreOffice writes it; `recalculate` has all formulas calculated before.

    Raises:
        UnavailableError: no LibreOffice, or it was not done within `limits.max_seconds` (waiting included).
        DamagedError: LibreOffice cannot read the document.
        LimitError: source or result is larger than `limits` allow."""
    soffice = find_soffice()
    if soffice is None:
        done = "drawn" if to == "pdf" else "read"
        raise UnavailableError(f"{source.name} needs LibreOffice to be {done}: {_INSTALL}.")
    data = source.read(limits.max_file_bytes)
    deadline = time.monotonic() + limits.max_seconds
    home = _home()
    with _one_at_a_time(home, deadline, source.name), tempfile.TemporaryDirectory(dir=home, prefix="job-") as job:
        work = Path(job)
        given = work / f"document{source.suffix if source.suffix.isascii() else ''}"
        given.write_bytes(without_outward_links(data, limits))
        profile = home / ("profile-recalculating" if recalculate else "profile")
        _prepare_profile(profile, _RECALCULATE if recalculate else "")
        out = work / "out"
        command = [
            str(find_binary() or soffice),
            f"-env:UserInstallation={profile.as_uri()}",
            *("--headless", "--invisible", "--nologo", "--nodefault", "--nofirststartwizard", "--norestore"),
            *("--nolockcheck", "--convert-to", _filter(source.suffix, to), "--outdir", str(out), str(given)),
        ]
        readable = [str(profile), str(Path(command[0]).resolve().parent.parent), *system.font_folders()]
        env = {
            **os.environ,
            "SAL_USE_VCLPLUGIN": "svp",
            "OSL_SOCKET_PATH": ".",
            "TMPDIR": str(work),
            "HOME": str(work if system.follows_home else Path.home()),
        }
        if env.get("LC_ALL") in ("C", "POSIX"):  # it could not name a temporary directory beyond ASCII
            env["LC_ALL"] = "C.UTF-8"
        try:
            done = None
            for _ in range(2):
                seconds = max(1.0, deadline - time.monotonic())
                done = run_tree(command, seconds=seconds, cwd=work, env=env, readable=readable)
                if done is None or done.returncode != _AGAIN:
                    break
        except OSError as error:
            raise UnavailableError(f"LibreOffice does not start ({error}): {_INSTALL}.") from error
        made = out / f"document.{to}"
        if done is None:
            shutil.rmtree(profile, ignore_errors=True)  # a killed LibreOffice may leave it half written
            raise UnavailableError(
                f"LibreOffice did not finish {source.name} within {limits.max_seconds:.0f} s; raise limits.max_seconds."
            )
        if not made.is_file() or made.stat().st_size == 0:
            if done.returncode != 0:
                shutil.rmtree(profile, ignore_errors=True)
            raise DamagedError(f"LibreOffice cannot read {source.name}; open it there to see why.")
        if made.stat().st_size > limits.max_file_bytes:
            raise LimitError(f"{source.name} as {to} is larger than max_file_bytes ({limits.max_file_bytes:,}).")
        return made.read_bytes()


def as_pdf(source: Source, limits: Limits) -> bytes:
    """The document as PDF, kept in a bounded temporary cache by content: its pages are asked for one after another."""
    data = source.read(limits.max_file_bytes)
    name = f"{hashlib.sha256(data + source.suffix.encode()).hexdigest()}.pdf"
    made = recall(name)
    if not made:
        made = convert(source, "pdf", limits)
        put_in_cache(name, made)
    return made


def recall(name: str) -> bytes:
    """What `put_in_cache` has put under that file name in the temporary cache; b"" where it is not there any more."""
    place = _home() / "converted" / name
    try:
        made = place.read_bytes()
        os.utime(place)  # least recently used goes first
    except OSError:
        return b""
    return made


def put_in_cache(name: str, made: bytes) -> None:
    """Put bytes under a file name in a bounded temporary cache."""
    cache = _home() / "converted"
    try:
        cache.mkdir(mode=0o700, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=cache, suffix=".part", delete=False) as file:
            file.write(made)
        Path(file.name).replace(cache / name)
        _shrink(cache)
    except OSError:
        pass  # a full disk costs us the cache, not the answer


def draw_page(source: Source, n: int, dpi: int, limits: Limits) -> Payload:
    """Page `n` (1-based) of a document as PNG at `dpi`, smaller where `limits.max_pixels` demands.

    Raises:
        NotFoundError: there is no such page.
        UnavailableError, DamagedError, LimitError: as `convert` does."""
    return draw_pdf_page(as_pdf(source, limits), source.name, n, dpi, limits)


def draw_pdf_page(data: bytes, name: str, n: int, dpi: int, limits: Limits) -> Payload:
    """Page `n` (1-based) of a PDF made of the document `name`, as `draw_page`. Raises NotFoundError."""
    import io
    import math

    import pypdfium2  # pyright: ignore[reportMissingTypeStubs]

    pdf = pypdfium2.PdfDocument(data)
    try:
        count = len(pdf)
        if not 1 <= n <= count:
            pages = "1 page" if count == 1 else f"{count} pages"
            raise NotFoundError(f"{name} has {pages} when drawn; there is no page {n}.")
        page = pdf[n - 1]
        width, height = page.get_size()
        scale = min(dpi / 72, math.sqrt(limits.max_pixels / max(width * height, 1.0)))
        picture = page.render(scale=scale).to_pil()  # pyright: ignore[reportArgumentType]  # its stub says int
    finally:
        pdf.close()
    out = io.BytesIO()
    picture.save(out, "PNG")
    return Payload(out.getvalue(), "image/png", f"page-{n}.png", picture.width, picture.height)


def _filter(suffix: str, to: Target) -> str:
    if to == "pdf" and suffix in _SLIDES:
        return _IMPRESS_PDF
    if to == "pdf" and suffix in _SHEETS:
        return _CALC_PDF
    return _FILTERS[to]


def _home() -> Path:
    """Our own folder under the temporary one; never one somebody else made for us on a shared machine."""
    home = Path(tempfile.gettempdir()) / f"docsidecar-office-{system.user}"
    home.mkdir(mode=0o700, exist_ok=True)
    if system.has_modes:
        state = home.lstat()
        if not stat.S_ISDIR(state.st_mode) or not system.is_ours(state.st_uid) or state.st_mode & 0o077:
            raise UnavailableError(f"{home} belongs to somebody else or is open to others; remove it to go on.")
    return home


def _prepare_profile(profile: Path, more: str) -> None:
    settings = profile / "user" / "registrymodifications.xcu"
    if not settings.is_file():
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text(_SETTINGS.format(more=more), encoding="utf-8")


@contextmanager
def _one_at_a_time(home: Path, deadline: float, name: str) -> Generator[None]:
    """An OS lock on a file: it goes with its holder however that ends. Raises UnavailableError at the deadline."""
    with (home / "lock").open("a+b") as file:
        while not system.try_lock(file.fileno()):
            if time.monotonic() >= deadline:
                raise UnavailableError(
                    f"LibreOffice is busy with other documents; {name} can be asked for again later."
                )
            time.sleep(_LOCK_POLL_SECONDS)
        try:
            for stale in home.glob("job-*"):  # of a holder that was killed
                shutil.rmtree(stale, ignore_errors=True)
            yield
        finally:
            system.unlock(file.fileno())


def _shrink(cache: Path) -> None:
    kept = sorted(((file.stat().st_mtime, file.stat().st_size, file) for file in cache.iterdir()), reverse=True)
    total = 0
    for index, (_, size, file) in enumerate(kept):
        total += size
        if index and (index >= CACHE_FILES or total > CACHE_BYTES):
            file.unlink(missing_ok=True)
