"""Rendering against quillmark called directly, in one run: ratios of the median times. Not a test.

Run: python tests/bench/pace/render.py [FILE.md]. Without a file, a document of some thirty pages is made up. "direct"
is quillmark's own Markdown through a bare plate in this process: it draws neither pictures, notes nor formulas.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from sidecar.api import Call
from sidecar.app import open_application
from sidecar.config import Config

ROUNDS = 9
PARAGRAPH = "The quick brown fox jumps over the lazy dog, **again** and *again*, as `code` would have it. " * 6
CHAPTER = (
    f"# Chapter {{0}}\n\n{PARAGRAPH}\n\n- one\n- two\n- three\n\n"
    "| Name | Count |\n| --- | ---: |\n" + "| fox | 12 |\n" * 12
    + f"\n```python\ndef f(x):\n    return x\n```\n\n{PARAGRAPH}\n\n"
)  # fmt: skip
QUILL = (
    'quill: {name: bare, version: "1.0.0", backend: typst, description: bare}\n'
    "main: {fields: {}}\ntypst: {plate_file: plate.typ}\n"
)
PLATE = '#import "@local/quillmark-helper:0.1.0": data\n#set page(numbering: "1")\n#data.at("$body", default: "")\n'


def direct(home: Path, markdown: str, form: str) -> None:
    """quillmark alone, with the quill loaded anew as a caller would."""
    from quillmark import OutputFormat, Quill, Quillmark

    quill = Quill.from_path(home)
    document = quill.parse(f"~~~\n$quill: bare\n~~~\n\n{markdown}")
    Quillmark().render(quill, document, getattr(OutputFormat, form))


async def timed(work: Callable[[int], Awaitable[Any]]) -> float:
    """The median of several rounds, in seconds, after one that warms up."""
    await work(-1)
    times: list[float] = []
    for number in range(ROUNDS):
        start = time.perf_counter()
        await work(number)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


async def main(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "bare"
        home.mkdir()
        (home / "Quill.yaml").write_text(QUILL, "utf-8")
        (home / "plate.typ").write_text(PLATE, "utf-8")
        async with open_application(Config(data_dir=Path(folder) / "data")) as application:
            tool = application.features.tools["render_document"]
            call = Call(application.services)
            for name, markdown in (("one page", CHAPTER.format(1)), ("the document", text)):
                for form in ("PDF", "PNG", "SVG"):

                    async def alone(number: int, markdown: str = markdown, form: str = form) -> None:
                        direct(home, f"{markdown}\n\nRound {number}.", form)

                    async def ours(number: int, markdown: str = markdown, form: str = form) -> Any:
                        given = {"markdown": f"{markdown}\n\nRound {number}.", "output_format": form}
                        return await tool.handler(call, tool.arguments(**given))

                    async def again(number: int, markdown: str = markdown, form: str = form) -> Any:
                        return await ours(0, markdown, form)

                    answer = (await ours(-2)).structured
                    pages = answer["artifacts"][0]["pages"]
                    base, made, kept = await timed(alone), await timed(ours), await timed(again)
                    sys.stdout.write(
                        f"{name:13}{form}  {pages:4} pages   direct {base * 1000:8.1f} ms   render_document"
                        f" {made * 1000:8.1f} ms = {made / base:5.2f} x   asked again {kept * 1000:6.1f} ms ="
                        f" {kept / base:5.2f} x\n"
                    )


if __name__ == "__main__":
    asyncio.run(
        main(Path(sys.argv[1]).read_text("utf-8") if len(sys.argv) > 1 else "".join(map(CHAPTER.format, range(40))))
    )
