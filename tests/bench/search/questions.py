"""Questions a person would ask of a folder of mixed documents: does search put a document that answers first?

usage: questions.py [--corpus | --second | … | --tenth] [--keep DIR] [--show] [--shares PERCENT …]
A set of documents is a JSON file of that name, which `question_formats` writes in the formats it says.
120 questions over documents of the bench's own making (`question_documents`): in words that are not the document's,
misspelt, in German, French and Japanese, for identifiers, senders, dates, cells and comments, and some that nothing
answers: there an answer is right that shows nothing or says that what it shows is weak. All are asked through the tool
`search_documents`, with everything embedded. `--corpus` asks 40 others over docs of the corpus in DOCSIDECAR_CORPUS
(read without OCR; embedding takes minutes), where a machine-readable copy of a document (JSON) does not count.
Prints success@1, success@3 and the mean reciprocal rank by words and fused, tokens an answer, for the even questions of
each kind (constants were chosen on these) and the odd ones (held out: written before any was asked). `--keep` keeps the
index, for `partial.py`. All but `--corpus` are also asked with a part of the texts embedded, in the product's order.
`--second` asks 86 others over documents of other subjects (`question_documents_second`), written down with what the
right passage says before any of them was asked. It prints what share finds the document, and what share the passage:
whether the hit itself says the answer. When they were first asked, success@1 and @3 were 0.767, 0.837 by words (the
passage 0.686, 0.756), 0.767, 0.826 at 10 % (0.674, 0.744),
0.779, 0.837 at 50 % (0.628, 0.709), and 0.791, 0.872 with all embedded (0.721, 0.814).
`--third` asks 115 others, made in the same way over a third set (`question_documents_third`). When they
were first asked: 0.739, 0.852 by words (the passage 0.687, 0.791), 0.748, 0.861 at 1 and at 10 % (0.687, 0.791), 0.783,
0.878 at 50 % (0.696, 0.809), and 0.843, 0.913 with all embedded (0.791, 0.870).
`--fourth` asks 104, half of them as a developer asks of a repository's documentation and half as people of an office do
(`question_documents_fourth`). When they were first asked: 0.894, 0.933 by words (the passage 0.769, 0.788), the same at
1 and at 10 % (0.712, 0.731), and 0.885, 0.942 at 50 % (0.702, 0.740) and with all embedded (0.740, 0.769).
`--fifth` asks 141 over the quality office of a hospital and a maker of robot arms (`question_documents_fifth`), 20 of
them without an answer. When they were first asked: 0.901, 0.950 by words (the passage 0.787, 0.823), 0.908, 0.957 at 1
and at 10 % (0.794, 0.830), 0.915, 0.965 at 50 % (0.801, 0.837), 0.908, 0.943 at 75 % (0.794, 0.823), and 0.950, 0.965
with all embedded (0.837, 0.865).
`--sixth` asks 150 over a water utility and a public library (`question_documents_sixth`), 24 of them without an answer.
When they were first asked: 0.853, 0.947 by words (the passage 0.793, 0.873), the same at 10 % (0.793, 0.867), 0.867,
0.953 at 50 % (0.800, 0.873), and 0.927, 0.973 with all embedded (0.853, 0.907).
`--seventh` asks 176 over a cable car company and a chamber orchestra (`question_documents_seventh`), 24 of them without
an answer and some twenty in another language than what answers. When they were first asked: 0.784, 0.824 by words (the
passage 0.739, 0.767), the same at 10 % (0.722, 0.750), 0.784, 0.830 at 50 % (0.727, 0.767), and 0.778, 0.852 with all
embedded (0.722, 0.784).
`--eighth` asks 200 over a harbour office and a film festival (`question_documents_eighth`), 22 of them without an
answer. When they were first asked: 0.800, 0.860 by words (the passage 0.780, 0.845), 0.800, 0.865 at 10 % (0.785,
0.855), 0.810, 0.865 at 25 % (0.795, 0.855), 0.805, 0.865 at 50 % (0.795, 0.860), 0.805, 0.860 at 75 % (0.795, 0.855),
and 0.790, 0.865 with all embedded (0.780, 0.850).
`--ninth` asks 222 over a housing cooperative and a zoo (`question_documents_ninth`), 24 of them without an answer.
When they were first asked: 0.793, 0.851 by words (the passage 0.698, 0.784), the same at 10 % (0.698, 0.779), 0.797,
0.865 at 25 % (0.698, 0.797), 0.806, 0.860 at 50 % (0.712, 0.788), 0.802, 0.860 at 75 % (0.712, 0.788), and 0.815, 0.878
with all embedded (0.748, 0.797).
`--tenth` asks 96 as people write them to an assistant, over 377 files of a maker of cargo bikes of which many are alike
but for a year, a version, a kind or a sender (`question_documents_tenth`), 6 of them without an answer. When they were
first asked: 0.833, 0.917 by words (the passage 0.802, 0.875), and 0.833, 0.927 with all embedded (0.802, 0.885).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from pathlib import Path
from statistics import mean
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(1, str(Path(__file__).parents[2]))

import question_documents
import question_formats as formats
from bench.shared.libraries import paths_of
from mcp.client.client import Client

from sidecar.app import Application, open_application
from sidecar.config import Config, Folder, Limits
from sidecar.search.semantic import SemanticSearch
from sidecar.server.handlers import Readiness, build_server
from sidecar.server.notifications import Notifier
from sidecar.store import Store
from sidecar.store.database.session import Session

DEPTH = 10
SHARES = (1, 5, 10, 25, 50, 75, 90)
"""Per cent of the texts embedded, besides none and all."""
_SETS = ("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


@dataclass(frozen=True)
class Question:
    ask: str
    places: tuple[str, ...]
    kind: str = ""
    says: str = ""
    """Words of the passage that answers; "" where the document is enough."""

    def answered_by(self, path: str) -> bool:
        return not path.endswith("groundtruth.json") and any(fnmatch(path, f"*{place}") for place in self.places)

    def rank(self, paths: Sequence[str], remark: str) -> int:
        """The place, from 1, of the first document that answers; 0 where none does. What has no answer is right in the
        first place when nothing is shown, or with a word of warning."""
        if not self.places:
            return int(not paths or "Nowhere" in remark or "weak" in remark.lower())
        return next((at for at, path in enumerate(paths, 1) if self.answered_by(path)), 0)


@dataclass(frozen=True)
class Asked:
    question: Question
    rank: int
    said: int
    """As `rank`, of the first hit in such a document that says the answer."""
    tokens: int
    hits: int
    weak: bool
    """Whether every hit is called weak, or there is none."""


def load(which: str = "") -> list[Question]:
    """The questions over the bench's own documents, or of "_corpus", "_second" and so on."""
    rows = json.loads((Path(__file__).parent / "data" / f"questions{which}.json").read_text("utf-8"))
    return [Question(row["ask"], tuple(row["in"]), row.get("kind", "words"), row.get("says", "")) for row in rows]


def build_documents(which: str, folder: Path) -> Path:
    """The documents those questions are about, below `folder`."""
    return formats.build_set(which, folder) if which else question_documents.build(folder)


def halves(questions: Sequence[Question]) -> tuple[list[int], list[int]]:
    """Numbers of the questions that constants may be chosen on, and of those held out: even and odd of each kind."""
    seen: dict[str, int] = {}
    both: tuple[list[int], list[int]] = [], []
    for number, question in enumerate(questions):
        both[seen.setdefault(question.kind, 0) % 2].append(number)
        seen[question.kind] += 1
    return both


def successes(ranks: Sequence[int]) -> str:
    first = mean(rank == 1 for rank in ranks)
    return f"success@1 {first:.3f}  success@3 {mean(0 < rank <= 3 for rank in ranks):.3f}"


async def ask(client: Client, question: Question, places: dict[str, str]) -> Asked:
    answer: Any = await client.call_tool("search_documents", {"query": question.ask})
    content: str = "\n".join(block.text for block in answer.content if block.type == "text")
    structured = answer.structured_content or {}
    hits = structured.get("results", ())
    paths = [places[hit["document_slug"]] for hit in hits]
    saying = [
        path if question.says.lower() in _bare(hit["snippet"]) else "" for path, hit in zip(paths, hits, strict=True)
    ]
    rank = question.rank(paths, content)
    weak = all(hit.get("weak") for hit in hits)
    return Asked(question, rank, question.rank(saying, content), len(content.encode()) // 4, len(paths), weak)


def _bare(snippet: str) -> str:
    """A snippet in lower case without its marks, on one line."""
    return " ".join(snippet.replace("**", "").lower().split())


async def measure(application: Application, questions: list[Question], way: str, *, details: bool) -> None:
    readiness = Readiness()
    readiness.ready(application.backend())
    async with Client(build_server(readiness, Notifier())) as client:
        places = await paths_of(application)
        asked = [await ask(client, question, places) for question in questions]
    if details:
        for one in asked:
            if one.rank != 1 or one.said != 1:
                print(f"    {one.rank or '-'} {one.said or '-'}  {one.question.kind:12} {one.question.ask}")
    chosen, held = halves(questions)
    whole = any(question.says for question in questions)
    for name, numbers in (("all", [*chosen, *held]),) if whole else (("chosen on", chosen), ("held out", held)):
        ranks = [asked[number].rank for number in numbers]
        reciprocal = mean(1 / rank if rank else 0.0 for rank in ranks)
        tokens = mean(asked[number].tokens for number in numbers)
        said = f"  the passage: {successes([asked[number].said for number in numbers])}" if whole else ""
        print(
            f"  {way:6} {name:10} {successes(ranks)}  MRR@{DEPTH} {reciprocal:.3f}  {tokens:5.0f} tokens an answer"
            f"  ({len(ranks)} questions){said}"
        )
    for kind in dict.fromkeys(question.kind for question in questions):
        ranks = [one.rank for one in asked if one.question.kind == kind]
        print(f"    {kind:13} {successes(ranks)}  ({len(ranks)})")
    without = [one for one in asked if not one.question.places]
    told = [one for one in asked if one.question.places and one.rank]
    if without:
        hits, weak = mean(one.hits for one in without), mean(one.weak for one in without)
        print(f"    without an answer: {hits:.1f} hits, all weak or none in {weak:.2f}")
    print(f"    with one found: all weak in {mean(one.weak for one in told):.2f}")


async def keep_first(store: Store, model: str, share: int) -> None:
    """Drop the vectors of all texts but the first `share` per cent, in the order the application embeds them."""

    def take(session: Session) -> dict[int, bytes]:
        vectors = dict(session.rows("SELECT digest, vector FROM embeddings WHERE model = ?", (model,)))
        session.execute("DELETE FROM embeddings")
        return vectors

    vectors = await store.database.write(take)
    order = [digest for digest, _ in await store.embeddings.missing(model, 10**9)]
    first = order[: round(share * len(order) / 100)]
    await store.embeddings.put(model, [(digest, vectors[digest]) for digest in first if digest in vectors])


async def answer_in_part(config: Config, questions: list[Question], share: int, *, details: bool) -> None:
    """Ask a copy of the index with so many per cent of its texts embedded."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(shutil.copytree(config.data_dir, Path(scratch) / "data"))
        async with open_application(replace(config, data_dir=copy)) as application:
            assert isinstance(application.searcher.semantic, SemanticSearch)
            await keep_first(application.store, application.searcher.semantic.model, share)
            await measure(application, questions, f"{share} %", details=details)


async def answer(
    documents: Path, data: Path, questions: list[Question], *, details: bool, shares: Sequence[int] = ()
) -> None:
    config = Config(folders=(Folder(documents),), data_dir=data, limits=Limits(ocr=False))
    async with open_application(config) as application:
        await application.index_once()
        embedded = await application.embed_once()
        print(f"{embedded['done']} of {embedded['total']} texts embedded; {len(questions)} questions")
        meaning, application.searcher.semantic = application.searcher.semantic, None
        await measure(application, questions, "words", details=details)
        application.searcher.semantic = meaning
        await measure(application, questions, "fused", details=details)
    for share in shares:
        await answer_in_part(config, questions, share, details=details)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--corpus", action="store_true")
    for name in _SETS:
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--shares", type=int, nargs="*", default=SHARES)
    arguments = parser.parse_args()
    which = ""
    with tempfile.TemporaryDirectory() as scratch:
        kept: Path = (arguments.keep or Path(scratch)).absolute()
        if arguments.corpus:
            documents = Path(os.environ.get("DOCSIDECAR_CORPUS", "../shared/corpus")).absolute() / "docs"
            if not documents.is_dir():
                sys.exit(f"no documents in {documents}; set DOCSIDECAR_CORPUS")
        else:
            which = next((f"_{one}" for one in _SETS if getattr(arguments, one)), "")
            documents = build_documents(which, kept / "files")
        asked = load("_corpus" if arguments.corpus else which)
        shares = () if arguments.corpus else arguments.shares
        asyncio.run(answer(documents, kept / "data", asked, details=arguments.show, shares=shares))


if __name__ == "__main__":
    main()
