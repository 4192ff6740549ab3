"""Natural questions over the whole mixed library of the corpus: does search put a document that answers first?

usage: questions.py [--keep DIR] [--show]     (documents: docs of the corpus in DOCSIDECAR_CORPUS)
The documents (Word, PDF, slides, sheets, mail, books, notebooks, HTML, Markdown, code, JSON) are indexed without OCR
and embedded by the application. questions.json holds each question in words a person would use, not the document's
own, and patterns of the files that answer it; a machine-readable copy of one (JSON) does not count. Prints success@1,
success@5 and the mean reciprocal rank by words and fused, for the even questions (constants were chosen on these) and
the odd ones (no constant was). `--keep` keeps the index; embedding it takes some minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from sidecar.app import Application, open_application
from sidecar.config import Config, Folder, Limits

DEPTH = 10


@dataclass(frozen=True)
class Question:
    ask: str
    places: tuple[str, ...]

    def answered_by(self, path: str) -> bool:
        return not path.endswith(".json") and any(fnmatch(path, place) for place in self.places)


def load() -> list[Question]:
    rows = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    return [Question(row["ask"], tuple(row["in"])) for row in rows]


async def places(application: Application, question: Question) -> list[str]:
    answer = await application.library.search(question.ask, DEPTH)
    return [hit.path for hit in answer.hits]


def show(name: str, ranks: list[int]) -> None:
    """`ranks` are the places, from 1, of the first document that answers; 0 where none of the hits does."""
    count = len(ranks)
    first = sum(rank == 1 for rank in ranks) / count
    five = sum(0 < rank <= 5 for rank in ranks) / count
    mean = sum(1 / rank for rank in ranks if rank) / count
    print(f"  {name:24} success@1 {first:.3f}  success@5 {five:.3f}  MRR@{DEPTH} {mean:.3f}  ({count} questions)")


async def measure(application: Application, questions: list[Question], way: str, *, details: bool) -> None:
    ranks: list[int] = []
    for question in questions:
        found = await places(application, question)
        rank = next((at for at, path in enumerate(found, 1) if question.answered_by(path)), 0)
        ranks.append(rank)
        if details and rank != 1:
            print(f"    {rank or '-'}  {question.ask}  {[Path(path).name for path in found[:5]]}")
    show(f"{way}, chosen on", ranks[::2])
    show(f"{way}, held out", ranks[1::2])


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    documents = Path(os.environ.get("DOCSIDECAR_CORPUS", "../shared/corpus")) / "docs"
    if not documents.is_dir():
        sys.exit(f"no documents in {documents}; set DOCSIDECAR_CORPUS")
    questions = load()
    with tempfile.TemporaryDirectory() as scratch:
        data = (arguments.keep or Path(scratch)).absolute()
        config = Config(folders=(Folder(documents.absolute()),), data_dir=data, limits=Limits(ocr=False))
        async with open_application(config) as application:
            await application.index_once()
            embedded = await application.embed_once()
            print(f"{embedded['done']} of {embedded['total']} texts embedded; {len(questions)} questions")
            meaning, application.searcher.semantic = application.searcher.semantic, None
            await measure(application, questions, "words", details=arguments.show)
            application.searcher.semantic = meaning
            await measure(application, questions, "fused", details=arguments.show)


if __name__ == "__main__":
    asyncio.run(main())
