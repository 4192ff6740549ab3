"""Draws a `PageDrawing` as PDF by the Typst engine, in the worker pool "render": the plate is fixed, everything else is
data beside it. Not responsible for what a page holds, nor for making pixels of the PDF."""

import io
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from sidecar.api import ChartData, Payload, UnavailableError
from sidecar.toolkit.drawn.model import (
    ChartItem,
    FlowItem,
    PageDrawing,
    Paint,
    PictureItem,
    PlacedItem,
    ShapeItem,
    Stroke,
    TableItem,
    TextBody,
    TextParagraph,
    TextRun,
)
from sidecar.toolkit.fonts.files import copy_font
from sidecar_render.markdown.front_matter import MarkdownSource
from sidecar_render.typeset.engine import EngineError, draw, load
from sidecar_render.typeset.fonts import typefaces_for
from sidecar_render.typeset.quills import QuillFault

_HOME = Path(__file__).parent
_DOCUMENT = "~~~\n$quill: page\n~~~\n"
_PIXELS_A_POINT = 2.5
"""How finely a picture is kept: that of a page at 180 dpi."""
_MIN_SIDE, _MAX_SIDE = 64, 2400
_CHART_PIXELS = 2.0
_CHART_SMALLEST, _CHART_LARGEST = 120, 4000
"""What drawers of charts take at least and at most, in pixels."""
_KEPT_MODES = frozenset({"1", "L", "LA", "P", "RGB", "RGBA"})

ChartDrawer = Callable[[ChartData, str, int, int], Payload]


def draw_pages(drawing: PageDrawing, draw_chart: ChartDrawer | None) -> tuple[bytes, str]:
    """The drawing as PDF, and what is to be said of it: what is not drawn, and which scripts no font here has.

    Raises:
        UnavailableError: the engine cannot draw it."""
    with tempfile.TemporaryDirectory(prefix="docsidecar-page-") as folder:
        work = _Work(Path(folder), draw_chart)
        drawing = msgspec.structs.replace(
            drawing,
            items=tuple(work.placed(item) for item in drawing.items),
            flow=tuple(work.placed(item) for item in drawing.flow),
        )
        faces = typefaces_for(MarkdownSource("", "".join(_texts(drawing)), 0), "", "", formulas=False)
        work.write(drawing, faces.families, faces.files)
        try:
            pages, _ = draw(load(work.home), _DOCUMENT, "PDF")
        except (EngineError, QuillFault) as error:
            raise UnavailableError(f"The page cannot be drawn ({error}); read its text instead.") from error
    omitted = [*drawing.omitted, *(f"{count} {what}{'s' * (count > 1)}" for what, count in work.lost.items())]
    remarks = [drawing.remark, f"Not drawn: {', '.join(omitted)}." if omitted else ""]
    remarks += [f"{item.message.partition(';')[0]}." for item in faces.warnings]
    return pages[0], " ".join(filter(None, remarks))


class _Work:
    """The folder in which one drawing is made."""

    def __init__(self, home: Path, draw_chart: ChartDrawer | None) -> None:
        self.home = home
        self.lost: Counter[str] = Counter()
        self._draw_chart = draw_chart
        self._count = 0
        (home / "assets" / "fonts").mkdir(parents=True)

    def placed(self, item: object) -> Any:
        """The item as the plate takes it: pictures and charts are files beside it."""
        if isinstance(item, ChartItem):
            return self._chart(item)
        if isinstance(item, PictureItem):
            return self._picture(item)
        return item

    def write(self, drawing: PageDrawing, families: tuple[str, ...], fonts: tuple[Path, ...]) -> None:
        """Put data, plate and fonts where the engine looks for them."""
        for name in ("Quill.yaml", "plate.typ"):
            shutil.copyfile(_HOME / name, self.home / name)
        for font in fonts:
            copy_font(font, self.home / "assets" / "fonts")
        data = msgspec.to_builtins(drawing) | {"families": ["Source Sans 3", *families]}
        (self.home / "assets" / "drawing.json").write_bytes(msgspec.json.encode(data))

    def _chart(self, item: ChartItem) -> PlacedItem:
        left, top, right, bottom = item.box
        width, height = max(right - left, 1.0), max(bottom - top, 1.0)
        scale = max(_CHART_PIXELS, _CHART_SMALLEST / min(width, height))
        scale = min(scale, _CHART_LARGEST / max(width, height))
        pixels = [min(max(round(side * scale), _CHART_SMALLEST), _CHART_LARGEST) for side in (width, height)]
        try:
            if self._draw_chart is None:
                return self._gap(item, "chart")
            made = self._draw_chart(item.chart, "png", *pixels)
        except UnavailableError:
            return self._gap(item, "chart")
        return PictureItem(box=item.box, file=self._save_asset(made.data, "png"), alt=item.chart.title)

    def _picture(self, item: PictureItem) -> PlacedItem:
        from PIL import Image

        side = max(item.box[2] - item.box[0], item.box[3] - item.box[1])
        shown = max(1 - max(item.crop[0] + item.crop[2], item.crop[1] + item.crop[3]), 0.05)
        most = round(min(max(side / shown * _PIXELS_A_POINT, _MIN_SIDE), _MAX_SIDE))
        try:
            with Image.open(io.BytesIO(item.data)) as image:
                kind = "jpg" if image.format == "JPEG" else "png"
                image.thumbnail((most, most))
                if kind == "jpg" and image.mode not in ("L", "RGB"):
                    image = image.convert("RGB")  # noqa: PLW2901  the file is closed by the one opened
                elif image.mode not in _KEPT_MODES:
                    image = image.convert("RGBA" if "A" in image.getbands() else "RGB")  # noqa: PLW2901
                out = io.BytesIO()
                image.save(out, "JPEG" if kind == "jpg" else "PNG")
        except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
            return self._gap(item, f"{_kind_of(item.data)}picture")
        return msgspec.structs.replace(item, data=b"", file=self._save_asset(out.getvalue(), kind))

    def _save_asset(self, data: bytes, suffix: str) -> str:
        self._count += 1
        name = f"assets/{self._count}.{suffix}"
        (self.home / name).write_bytes(data)
        return name

    def _gap(self, item: ChartItem | PictureItem, what: str) -> PlacedItem:
        """An outline with a word in it where something is that cannot be drawn."""
        self.lost[what] += 1
        words = f"{what}: {item.alt}" if isinstance(item, PictureItem) and item.alt else what
        body = TextBody(
            paragraphs=(TextParagraph(runs=(TextRun(text=words, size=10, colour="#666666"),), align="center"),),
            anchor="middle",
        )
        return ShapeItem(
            box=item.box, fill=Paint(stops=(("#f2f2f2", 0.0),)), stroke=Stroke(colour="#bbbbbb"), body=body
        )


def _kind_of(data: bytes) -> str:
    if data[40:44] == b" EMF":
        return "EMF "
    return "WMF " if data.startswith((b"\xd7\xcd\xc6\x9a", b"\x01\x00\x09\x00")) else ""


def _texts(drawing: PageDrawing) -> Iterator[str]:
    """Every word that is set, to know which fonts it takes."""
    bodies: list[TextBody] = []
    paragraphs: list[TextParagraph] = [*drawing.header, *drawing.footer]
    every: tuple[PlacedItem | FlowItem, ...] = (*drawing.items, *drawing.flow)
    for item in every:
        if isinstance(item, TextParagraph):
            paragraphs.append(item)
        elif isinstance(item, ShapeItem) and item.body is not None:
            bodies.append(item.body)
        elif isinstance(item, TableItem):
            bodies += [cell.body for cell in item.cells]
    for body in bodies:
        paragraphs += body.paragraphs
    for paragraph in paragraphs:
        yield paragraph.marker
        for run in paragraph.runs:
            yield run.text
