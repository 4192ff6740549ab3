"""What runs in the worker process "render": planning, rendering, listing quills, drawing a stretch of Markdown as one
picture, its white margins off. The engine is loaded nowhere else."""

import io
import tempfile
from collections.abc import Sequence
from pathlib import Path

from sidecar.api import Payload, UnavailableError
from sidecar.toolkit.platform import system
from sidecar_render.markdown.front_matter import FrontMatterError, open_document
from sidecar_render.model import (
    DEFAULT_QUILL,
    Diagnostic,
    Plan,
    QuillInfo,
    Refusal,
    Rendering,
    RenderJob,
    RenderLimits,
    TooLong,
)
from sidecar_render.office.content import Export
from sidecar_render.typeset.default_quill import draw_plain, file_pictures, library_pictures
from sidecar_render.typeset.engine import EngineError, describe, load
from sidecar_render.typeset.fonts import machine_fonts
from sidecar_render.typeset.quills import BUILTIN, QuillFault, digest_of, find_quills, resolve_quill
from sidecar_render.typeset.user_quill import draw_with_quill

_EXAMPLE_CHARS = 1500
_DRAWN_NAME = "drawn-from-text.png"
_FOOT = 74 / 595
"""Where a page's number stands, as a share of the page's shorter side: the default quill's bottom margin on A4."""
_MARGIN = 12


def plan(
    markdown: str, quill: str, folders: Sequence[str], bounds: RenderLimits, files: bool = False
) -> Plan | Refusal:
    """Which quill the document takes, and the library pictures it shows; with `files` also those beside it."""
    system.limit_memory(bounds.memory_bytes)
    try:
        document = open_document(markdown, quill)
        found = resolve_quill(find_quills(folders), document.quill)
        digest = digest_of(found.path, bounds.max_quill_bytes)
    except FrontMatterError as error:
        return Refusal((error.diagnostic,))
    except QuillFault as error:
        return Refusal((Diagnostic(str(error), code="quill"),))
    pictures, beside = library_pictures(document), file_pictures(document) if files else ()
    if found.name == DEFAULT_QUILL:
        digest = "/".join((digest, *machine_fonts(document)))
    return Plan(found.name, found.version, str(found.path), digest, pictures, beside)


def render(job: RenderJob) -> Rendering | Refusal:
    """Render the document."""
    system.limit_memory(job.bounds.memory_bytes)
    try:
        document = open_document(job.markdown, job.plan.quill)
        draw = draw_plain if job.plan.quill == DEFAULT_QUILL else draw_with_quill
        rendering = draw(document, job)
    except EngineError as error:
        return Refusal(error.diagnostics)
    except FrontMatterError as error:
        return Refusal((error.diagnostic,))
    except QuillFault as error:
        return Refusal((Diagnostic(str(error), code="quill"),))
    except TooLong as error:
        return error.refusal()
    return _bounded(rendering, job)


def draw_markdown(markdown: str) -> Payload:
    """The first page on which anything stands, as PNG. Runs in a worker process.

    Raises:
        UnavailableError: the engine refuses the text, or nothing of it can be seen."""
    from PIL import Image, ImageChops

    plan = Plan(DEFAULT_QUILL, "1.0.0", str(BUILTIN), "")
    with tempfile.TemporaryDirectory(prefix="docsidecar-drawing-") as scratch:
        made = render(RenderJob(markdown, "PNG", plan, scratch))
    if isinstance(made, Refusal):
        raise UnavailableError("; ".join(item.sentence() for item in made.diagnostics[:2]))
    for data in made.data:
        page = Image.open(io.BytesIO(data)).convert("RGB")
        page = page.crop((0, 0, page.width, page.height - round(_FOOT * min(page.size))))
        frame = ImageChops.invert(page).getbbox()
        if frame is None:
            continue
        left, top, right, bottom = frame
        page = page.crop((
            max(left - _MARGIN, 0), max(top - _MARGIN, 0),
            min(right + _MARGIN, page.width), min(bottom + _MARGIN, page.height),
        ))  # fmt: skip
        out = io.BytesIO()
        page.save(out, "PNG")
        return Payload(out.getvalue(), "image/png", _DRAWN_NAME, page.width, page.height)
    raise UnavailableError("Nothing in the text is visible.")


def export(job: Export, bounds: RenderLimits) -> Rendering | Refusal:
    """Write an Office file. Raises UsageError where there is nothing to write."""
    from sidecar_render.office.writing import write

    system.limit_memory(bounds.memory_bytes)
    made = write(job)
    size = sum(map(len, made.data))
    return _too_large(job.form, size, bounds) if size > bounds.max_output_bytes else made


def export_pictures(job: Export) -> list[str]:
    """The library URIs of the pictures that an export shows."""
    from sidecar_render.office.writing import shown_pictures

    return shown_pictures(job)


def list_quills(folders: Sequence[str], bounds: RenderLimits) -> list[QuillInfo]:
    """All quills, broken ones with their error."""
    system.limit_memory(bounds.memory_bytes)
    infos: list[QuillInfo] = []
    for found in find_quills(folders):
        error = found.error
        described = None
        if not error:
            try:
                digest_of(found.path, bounds.max_quill_bytes)
                described = describe(load(found.path))
            except QuillFault as fault:
                error = str(fault)
        if described is None:
            infos.append(QuillInfo(found.name, found.version, str(found.path), error=error))
            continue
        description, fields, cards, blueprint = described
        path = "built in" if found.path == BUILTIN else str(found.path)
        infos.append(
            QuillInfo(found.name, found.version, path, description, fields, cards, _example(found.path, blueprint))
        )
    return infos


def _example(path: Path, blueprint: str) -> str:
    file = path / "example.md"
    if file.is_file():
        text = file.read_text("utf-8", "replace")
        if len(text) <= _EXAMPLE_CHARS:
            return text
    return blueprint[:_EXAMPLE_CHARS]


def _bounded(rendering: Rendering, job: RenderJob) -> Rendering | Refusal:
    bounds = job.bounds
    pages = _pdf_pages(rendering.data[0]) if job.form == "PDF" and rendering.data else rendering.pages
    size = sum(map(len, rendering.data))
    if pages > bounds.max_pages:
        return TooLong(pages, bounds.max_pages, counted=True).refusal()
    if size > bounds.max_output_bytes:
        return _too_large(job.form, size, bounds)
    return Rendering(rendering.data, pages, rendering.title, rendering.warnings)


def _too_large(form: str, size: int, bounds: RenderLimits) -> Refusal:
    """What to answer when the result is larger than what is kept."""
    most = f"{bounds.max_output_bytes / 2**20:,.0f} MB"
    message = f"as {form} the document takes {size / 2**20:,.0f} MB; at most {most} are kept"
    return Refusal((Diagnostic(message, hint="render it as PDF, or in parts"),))


def _pdf_pages(data: bytes) -> int:
    import pypdfium2

    document = pypdfium2.PdfDocument(data)
    try:
        return len(document)
    finally:
        document.close()
