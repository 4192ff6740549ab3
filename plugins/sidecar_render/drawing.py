"""A stretch of Markdown as one picture, its white margins off: how an element without a picture of its own is shown."""

from __future__ import annotations

import io
import tempfile

from sidecar.api import Payload, UnavailableError
from sidecar_render.model import DEFAULT_QUILL, Job, Plan, Refusal
from sidecar_render.quills import BUILTIN
from sidecar_render.worker import render

__all__ = ["DRAWN_NAME", "draw_markdown"]

DRAWN_NAME = "drawn-from-text.png"
_FOOT = 74 / 595
"""Where a page's number stands, as a share of the page's shorter side: the default quill's bottom margin on A4."""
_MARGIN = 12


def draw_markdown(markdown: str) -> Payload:
    """The first page on which anything stands, as PNG. Runs in a worker process.

    Raises:
        UnavailableError: the engine refuses the text, or nothing of it can be seen.
    """
    from PIL import Image, ImageChops

    plan = Plan(DEFAULT_QUILL, "1.0.0", str(BUILTIN), "")
    with tempfile.TemporaryDirectory(prefix="docsidecar-drawing-") as scratch:
        made = render(Job(markdown, "PNG", plan, scratch))
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
        return Payload(out.getvalue(), "image/png", DRAWN_NAME, page.width, page.height)
    raise UnavailableError("Nothing in the text can be seen.")
