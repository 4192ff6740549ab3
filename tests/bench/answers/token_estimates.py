"""How near the token estimates of lists and outlines come to what reading gives.

usage: token_estimates.py [--data-dir DIR] [--step N] [--show N] [FOLDER]
                                                       (default: docs of the corpus in DOCSIDECAR_CORPUS, OCR off)
Of every `--step`-th document each entry of the outline (the document, its parts and sections) is read as Markdown, and
the tokens of that are set beside the estimate. Prints for each kind of entry and format the share within 20 % (entries
of fewer than 50 tokens: within 10 tokens), the share of all tokens that entries within hold, the middle and the
outermost tenths of the ratio; `--show` the worst.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from statistics import quantiles
from typing import NamedTuple

from sidecar.api import Limits, SidecarError, format_uri
from sidecar.app import Application, open_application
from sidecar.config import Config, Folder
from sidecar.toolkit.answers.tokens import document_tokens, estimate_tokens
from sidecar.toolkit.provenance import CONTINUES

WITHIN = 0.2
SHORT = 50
SHORT_WITHIN = 10
_MAX_WINDOWS = 50
_MAX_ENTRIES = 60
"""Entries of one document that are read, spread over it."""


class Compared(NamedTuple):
    """An entry's estimate and what its text costs."""

    kind: str
    format: str
    uri: str
    said: int
    read: int

    @property
    def right(self) -> bool:
        if self.read < SHORT:
            return abs(self.said - self.read) <= SHORT_WITHIN
        return abs(self.said - self.read) <= WITHIN * self.read


async def compared(application: Application, step: int) -> AsyncIterator[Compared]:
    library = application.library
    number = page = 0
    while (listed := await library.documents(page := page + 1, 100)).documents:
        for info in listed.documents:
            number += 1
            if number % step or not info.doc_id:
                continue
            text = await read(application, format_uri("document", info.slug, suffix="md"))
            if text is not None:
                yield Compared("document", info.format, info.slug, document_tokens(info, info.slug), text)
            entries = (await library.outline(info.doc_id)).entries
            for entry in entries[:: len(entries) // _MAX_ENTRIES + 1]:
                text = await read(application, entry.uri) if entry.tokens else None  # 0: nothing has read it yet
                if text is not None:
                    kind = entry.uri.partition(":")[0]
                    yield Compared(kind, info.format, entry.uri, entry.tokens, text)


async def read(application: Application, uri: str) -> int | None:
    """Tokens of the whole text of `uri`, windows followed to their end; None where it is not text or too long."""
    tokens = 0
    for _ in range(_MAX_WINDOWS):
        try:
            contents = await application.library.read(uri)
        except SidecarError:
            return None
        tokens += sum(estimate_tokens(one.text) for one in contents if one.text is not None)
        if not (uri := str(contents[-1].metadata.get(CONTINUES, ""))):
            return tokens
    return None


def shown(name: str, rows: list[Compared]) -> None:
    ratios = [row.said / row.read for row in rows if row.read >= SHORT] or [1.0]
    tenths = quantiles(ratios, n=10) if len(ratios) > 1 else ratios * 9
    right = sum(row.right for row in rows) / len(rows)
    weighed = sum(row.read for row in rows if row.right) / max(1, sum(row.read for row in rows))
    print(
        f"{name:22} {len(rows):6,}  within {right:.3f}  of all tokens {weighed:.3f}  "
        f"ratio {tenths[0]:.2f} … {tenths[4]:.2f} … {tenths[8]:.2f}"
    )


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("folder", nargs="?", type=Path)
    arguments = parser.parse_args()
    corpus = Path(os.environ.get("DOCSIDECAR_CORPUS", "../shared/corpus"))
    with tempfile.TemporaryDirectory() as scratch:
        config = Config(
            folders=(Folder((arguments.folder or corpus / "docs").absolute()),),
            data_dir=(arguments.data_dir or Path(scratch)).absolute(), limits=Limits(ocr=False),
        )  # fmt: skip
        async with open_application(config) as application:
            await application.index_once()
            rows = [row async for row in compared(application, arguments.step)]
    for kind in sorted({row.kind for row in rows}):
        shown(kind, [row for row in rows if row.kind == kind])
    for form in sorted({row.format for row in rows}):
        shown(f"  {form}", [row for row in rows if row.format == form])
    wrong = sorted((row for row in rows if not row.right), key=lambda row: -abs(row.said - row.read))
    for row in wrong[: arguments.show]:
        print(f"  {row.said:8,} said {row.read:8,} read  {row.uri}")


if __name__ == "__main__":
    asyncio.run(main())
