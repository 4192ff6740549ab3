"""From a request to an artifact, in the serving process: plan, fetch pictures, and render once, however often asked.

The engine itself runs in the worker pool "render" and is never imported here."""

import asyncio
import hashlib
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PureWindowsPath
from typing import Any, cast
from urllib.parse import unquote

from sidecar.api import LimitError, Services, SidecarError, UsageError, WorkerCrash, WorkerTimeout, parse_uri
from sidecar.toolkit.pictures import WEB_PICTURES
from sidecar_render.artifacts import Artifact, Artifacts
from sidecar_render.model import (
    Diagnostic,
    LoadedPicture,
    OutputFormat,
    Plan,
    QuillInfo,
    Refusal,
    Rendering,
    RenderJob,
    RenderLimits,
)
from sidecar_render.settings import RenderSettings

_WORKER = "sidecar_render.worker"
POOL = "render"
_MAX_PICTURES = 300
_PICTURE_BYTES = 96 << 20
_TOO_MANY = f"a document may show {_MAX_PICTURES} pictures of {_PICTURE_BYTES >> 20} MB together"
_DRAWN = WEB_PICTURES | {"image/svg+xml"}
_LARGE_BYTES, _LARGE_SIDE = 4 << 20, 2400
_OUTLINE_VERSION = "4"
"""Part of every artifact's id: raised when the same input is drawn differently."""


class RenderError(SidecarError):
    """The document cannot be rendered; `diagnostics` say where and what to do. `details` is the structured answer."""

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)

    @property
    def details(self) -> dict[str, Any]:
        """`{success: false, diagnostics}` for clients that read structured content of errors too."""
        return {"success": False, "diagnostics": [item.record() for item in self.diagnostics]}


class Renderer:
    """Renders with the settings given. `jobs` under way are shared by all who ask for the same."""

    def __init__(self, settings: RenderSettings, artifacts: Artifacts) -> None:
        self._settings = settings
        self._artifacts = artifacts
        self._jobs: dict[tuple[int, str], asyncio.Task[Artifact]] = {}

    @property
    def bounds(self) -> RenderLimits:
        """What one rendering may cost."""
        held = self._settings
        return RenderLimits(held.max_memory_bytes, held.max_pages, min(held.max_bytes, RenderLimits.max_output_bytes))

    async def quills(self, services: Services) -> list[QuillInfo]:
        """All quills; broken ones say why."""
        folders = self._settings.folders(services.config_dir, services.data_dir)
        return cast(list[QuillInfo], await self.run(services, "list_quills", folders, self.bounds))

    def check_size(self, markdown: str) -> None:
        """Raises UsageError for Markdown that is too long."""
        size = len(markdown.encode("utf-8", "replace"))
        if size > self._settings.max_input_bytes:
            raise UsageError(
                f"markdown has {size:,} bytes; at most {self._settings.max_input_bytes:,} are rendered at a time"
                " (plugins.render.max_input_bytes)."
            )

    async def render(
        self, services: Services, markdown: str, form: OutputFormat, quill: str = "", beside: Path | None = None
    ) -> Artifact:
        """The artifact of this document, made now or found in the cache. Pictures that it names by paths are taken from
        the folder `beside` and those below it; without one they are missing, as in text that came from no file.

        Raises:
            UsageError: the text is too long.
            RenderError: it cannot be rendered, or not within the limits."""
        self.check_size(markdown)
        folders = self._settings.folders(services.config_dir, services.data_dir)
        plan = await self.run(services, "plan", markdown, quill, folders, self.bounds, beside is not None)
        if isinstance(plan, Refusal):
            raise refused(plan)
        plan = cast(Plan, plan)
        pictures = await fetch_pictures(services, plan.pictures, beside, plan.files)
        identity = _identity(markdown, form, plan, pictures)
        known = await self._artifacts.get(services, identity)
        if known is not None:
            return known[0]
        # Whoever asks first starts it; it goes on when that one is cancelled, because others may be waiting.
        key = (id(services), identity)
        task = self._jobs.get(key)
        if task is None:
            task = asyncio.create_task(
                self._make(services, identity, RenderJob(markdown, form, plan, "", pictures, self.bounds))
            )
            self._jobs[key] = task
            task.add_done_callback(lambda done: self._forget(key, done))
        return await asyncio.shield(task)

    def _forget(self, key: tuple[int, str], task: asyncio.Task[Artifact]) -> None:
        self._jobs.pop(key, None)
        if not task.cancelled():
            task.exception()  # looked at, so that an error nobody waits for any more is not reported as lost

    async def _make(self, services: Services, identity: str, job: RenderJob) -> Artifact:
        scratch = await asyncio.to_thread(tempfile.mkdtemp, prefix="docsidecar-render-")
        try:
            made = await self.run(services, "render", replace(job, scratch=scratch))
        finally:
            await asyncio.to_thread(shutil.rmtree, scratch, ignore_errors=True)
        if isinstance(made, Refusal):
            raise refused(made)
        quill = f"{job.plan.quill}@{job.plan.version}"
        return await self._artifacts.put(services, identity, job.form, quill, cast(Rendering, made))

    async def run(self, services: Services, task: str, *arguments: object) -> Any:
        """A task of the worker. Raises RenderError when it takes too long, or too much memory."""
        seconds = self._settings.timeout
        try:
            return await services.workers.run(f"{_WORKER}:{task}", *arguments, timeout=seconds, pool=POOL)
        except WorkerTimeout as error:
            message = f"rendering took longer than {seconds:g} seconds and was stopped"
            hint = "shorten the document, or look for an endless loop in the quill"
            raise _failed(message, hint) from error
        except (WorkerCrash, LimitError) as error:
            most = f"{self._settings.max_memory_bytes / 2**20:,.0f} MB"
            message = f"rendering needed more than {most} of memory, or more depth than the engine has, and was stopped"
            raise _failed(message, "shorten the document, or simplify the quill") from error


async def fetch_pictures(
    services: Services, uris: Sequence[str], folder: Path | None = None, paths: Sequence[str] = ()
) -> dict[str, LoadedPicture]:
    """The bytes behind library URIs, and of pictures by paths from a folder, none of which leads out of it; what cannot
    be had is a reason, and costs only its picture."""
    found: dict[str, LoadedPicture] = {}
    total = 0
    for count, source in enumerate((*uris, *(paths if folder else ()))):
        if count >= _MAX_PICTURES or total > _PICTURE_BYTES:
            found[source] = LoadedPicture(reason=_TOO_MANY)
        elif count < len(uris) or folder is None:
            found[source] = await _library_picture(services, source)
        else:
            found[source] = await asyncio.to_thread(_picture_file, folder, source)
        total += len(found[source].data)
    return found


async def _library_picture(services: Services, uri: str) -> LoadedPicture:
    try:
        return LoadedPicture(await _picture(services, uri))
    except SidecarError as error:
        return LoadedPicture(reason=str(error))


def _picture_file(folder: Path, path: str) -> LoadedPicture:
    home = Path(os.path.realpath(folder))
    path = unquote(path.partition("?")[0])
    outside = f"it lies outside of {home}, the folder of the document"
    if path[:1] in "/\\" or PureWindowsPath(path).drive:  # looked at, Windows would greet the hosts of some
        return LoadedPicture(reason=outside)
    try:
        file = Path(os.path.realpath(home / path))
        if not file.is_relative_to(home):
            return LoadedPicture(reason=outside)
        if not file.is_file():
            return LoadedPicture(reason=f"there is no file {file}")
        if file.stat().st_size > _PICTURE_BYTES:
            return LoadedPicture(reason=f"{file} is larger than {_PICTURE_BYTES >> 20} MB")
        return LoadedPicture(file.read_bytes(), reason="the file is empty")
    except (OSError, ValueError) as error:
        return LoadedPicture(reason=f"the file cannot be read: {getattr(error, 'strerror', None) or error}")


async def _picture(services: Services, uri: str) -> bytes:
    library = services.library
    if uri.lower().startswith("render://"):
        item = (await library.read(uri))[0]
        return item.data if item.data is not None else (item.text or "").encode()
    address = parse_uri(uri)
    payload = await library.picture(str(address))
    if address.scheme == "image" and not address.query:
        # What the engine cannot draw is converted, and what is needlessly large made smaller, by who owns the picture.
        if payload.media_type not in _DRAWN:
            payload = await library.picture(f"{address}?format=png")
        elif len(payload.data) > _LARGE_BYTES and payload.media_type != "image/svg+xml":
            payload = await library.picture(f"{address}?size={_LARGE_SIDE}")
    return payload.data


def _identity(markdown: str, form: OutputFormat, plan: Plan, pictures: Mapping[str, LoadedPicture]) -> str:
    """The first 16 hex digits of a SHA-256 over everything the result depends on."""
    total = hashlib.sha256()
    for piece in (_OUTLINE_VERSION, form, plan.quill, plan.version, plan.digest, markdown):
        data = piece.encode("utf-8", "replace")
        total.update(len(data).to_bytes(8, "big") + data)
    for uri, picture in sorted(pictures.items()):
        total.update(uri.encode() + hashlib.sha256(picture.data or picture.reason.encode()).digest())
    return total.hexdigest()[:16]


def _failed(message: str, hint: str) -> RenderError:
    return refused(Refusal((Diagnostic(message, hint=hint, code="limit"),)))


def refused(refusal: Refusal) -> RenderError:
    """The error that says why."""
    diagnostics = refusal.diagnostics or (Diagnostic("the renderer gave no reason"),)
    why = "; ".join(item.sentence().rstrip(".") for item in diagnostics[:6])
    more = len(diagnostics) - 6
    return RenderError(f"The document was not rendered: {why}{f'; and {more} more' if more > 0 else ''}.", diagnostics)
