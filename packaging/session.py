"""Draws `.github/session.svg`, the README's picture: what a real client session says, as it said it.

    python packaging/session.py

The documents are made here; every line shown came over the wire in this very run.
"""

from __future__ import annotations

import asyncio
import base64
import sys
import tempfile
import time
from html import escape
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from smoke import call, until_indexed

TARGET = Path(__file__).resolve().parents[1] / ".github" / "session.svg"
WIDTH = 880
LINE = 19


class Picture:
    """Lines of text and at most one picture, top down."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.y = 44

    def ask(self, text: str) -> None:
        """What the assistant asks."""
        self.y += 6
        self._line(f"→ {text}", "#7ee787")

    def answer(self, text: str) -> None:
        """What the sidecar answers."""
        self._line(f"  {text}", "#e6edf3")

    def note(self, text: str) -> None:
        """What happens meanwhile."""
        self.y += 6
        self._line(text, "#d2a8ff")

    def image(self, data: bytes, width: int, height: int) -> None:
        """A picture that came back, at most 150 pixels high."""
        scale = min(150 / height, 420 / width, 1)
        shown = f'width="{width * scale:.0f}" height="{height * scale:.0f}"'
        encoded = base64.b64encode(data).decode()
        self.pieces.append(f'<image x="40" y="{self.y - 8}" {shown} href="data:image/png;base64,{encoded}"/>')
        self.y += int(height * scale) + 14

    def _line(self, text: str, colour: str) -> None:
        text = text if len(text) <= 104 else text[:103] + "…"
        self.pieces.append(f'<text x="20" y="{self.y}" fill="{colour}" xml:space="preserve">{escape(text)}</text>')
        self.y += LINE

    def svg(self) -> str:
        """The whole picture."""
        dots = "".join(
            f'<circle cx="{20 + 18 * i}" cy="16" r="5.5" fill="{colour}"/>'
            for i, colour in enumerate(("#ff5f57", "#febc2e", "#28c840"))
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{self.y}" viewBox="0 0 {WIDTH} {self.y}">'
            f'<rect width="100%" height="100%" rx="8" fill="#0d1117"/>{dots}'
            f'<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13">'
            f"{''.join(self.pieces)}</g></svg>\n"
        )


async def session(folder: Path, data_dir: Path, picture: Picture) -> None:
    """Search, look, read, show, and see a file change."""
    arguments = ["-m", "sidecar.cli.main", "serve", "--folder", str(folder), "--data-dir", str(data_dir)]
    heard: asyncio.Queue[str] = asyncio.Queue()

    async def on_message(message: Any) -> None:
        heard.put_nowait(str(getattr(message, "method", "")))

    server: Any = stdio_client(StdioServerParameters(command=sys.executable, args=arguments))
    async with Client(server, mode="legacy", message_handler=on_message) as client:
        await until_indexed(client, 2)
        picture.ask('search_documents("revenue by quarter")')
        for hit in (await call(client, "search_documents", query="revenue by quarter", limit=2))["results"]:
            picture.answer(f"{hit['uri']}   {hit['snippet'][:60]}")
        picture.ask('search_visual_elements("growth", element_type="chart")')
        found = (await call(client, "search_visual_elements", query="growth", element_type="chart"))["results"]
        chart = found[0]
        picture.answer(f"{chart['element_label']} of {chart['document_slug']}: {chart.get('caption', '')}")
        picture.ask(f'get_element_image("{chart["document_slug"]}", "{chart["element_label"]}")')
        shown: Any = await client.call_tool(
            "get_element_image", {"document_slug": chart["document_slug"], "element_label": chart["element_label"]}
        )
        image = next(block for block in shown.content if block.type == "image")
        data = base64.b64decode(image.data)
        width, height = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
        picture.image(data, width, height)
        picture.ask('read("sheet://budget/Plan?range=A1:C3")')
        for line in (await rows(client, "sheet://budget/Plan?range=A1:C3"))[:4]:
            picture.answer(line)
        sql = 'SELECT item, "2027" - "2026" AS more, _uri FROM budget'
        picture.ask(f"query_tables('{sql}')")
        asked: Any = await client.call_tool("query_tables", {"sql": sql})
        for line in [line for line in asked.content[0].text.splitlines() if line.startswith("|")][:4]:
            picture.answer(line)
        # Of the handshake era, which this session is in; 2026-07-28 has `listen` instead.
        await client.session.subscribe_resource("document://budget")  # pyright: ignore[reportDeprecated]
        while not heard.empty():
            heard.get_nowait()
        edit(folder / "budget.xlsx")
        started = time.perf_counter()
        picture.note("  … the user changes a cell in Excel and saves …")
        while "updated" not in await heard.get():
            pass
        milliseconds = (time.perf_counter() - started) * 1000
        picture.answer(f"notifications/resources/updated  document://budget   ({milliseconds:.0f} ms after the save)")
        picture.ask('read("sheet://budget/Plan?range=A2:C2")')
        picture.answer((await rows(client, "sheet://budget/Plan?range=A2:C2"))[-1])


async def rows(client: Client, uri: str) -> list[str]:
    """The rows of a table as a client's model reads them."""
    window: Any = await client.call_tool("read", {"uri": uri})
    return [line for line in window.content[0].text.splitlines() if line.startswith("|")]


def make_folder(folder: Path) -> None:
    """A presentation with a chart and a workbook, made here."""
    from openpyxl import Workbook
    from pptx import Presentation
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE
    from pptx.util import Inches

    slides: Any = Presentation()
    slide = slides.slides.add_slide(slides.slide_layouts[5])
    slide.shapes.title.text = "Revenue by quarter"
    data: Any = CategoryChartData()
    data.categories = ["Q1", "Q2", "Q3", "Q4"]
    data.add_series("2025", (4.2, 4.8, 5.1, 6.0))
    data.add_series("2026", (5.0, 5.9, 6.3, 7.4))
    place = (Inches(1), Inches(1.6), Inches(8), Inches(5))
    chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *place, data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Growth in million euros"
    slides.save(folder / "board-deck.pptx")
    workbook = Workbook()
    sheet: Any = workbook.active
    sheet.title = "Plan"
    for row in (("item", "2026", "2027"), ("revenue by quarter, total", 24600, 28100), ("costs", 19300, 20900)):
        sheet.append(row)
    for cell in ("B2", "C2", "B3", "C3"):
        sheet[cell].number_format = "#,##0"
    workbook.save(folder / "budget.xlsx")


def edit(file: Path) -> None:
    """One cell becomes another, saved as Excel does."""
    from openpyxl import load_workbook

    workbook: Any = load_workbook(file)
    workbook["Plan"]["C2"] = 31750
    new = file.with_name("saving.tmp")
    workbook.save(new)
    new.replace(file)


def main() -> int:
    """Run the session and write the picture."""
    picture = Picture()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "documents"
        folder.mkdir()
        make_folder(folder)
        asyncio.run(session(folder, Path(scratch) / "data", picture))
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(picture.svg(), "utf-8")
    print(TARGET)
    return 0


if __name__ == "__main__":
    sys.exit(main())
