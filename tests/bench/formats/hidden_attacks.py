"""Texts planted where readers do not see them, through a client: flagged, left out of views, left out of search.

usage: hidden_attacks.py [--corpus DIR] [--kind TEXT]
Plants every technique × wording × format (`tests/support/trials/hidden_attacks.py`), indexes the files once and asks
every view and every search for them. Prints a table by kind, what was not held, and with `--corpus` (a folder of real
documents) each of them that is flagged, with the text, to be judged by eye.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from mcp.client.client import Client
from support.clients.harness import in_process
from support.trials.hidden_attacks import attacks
from support.trials.hidden_trial import Outcome, outcome

from sidecar.api import FormatError, Limits, Source
from sidecar.ingest.reading.detect import Detector
from sidecar.registry.formats import load_formats
from sidecar.toolkit.visible import left_out, visible

_SHOWN_CHARS = 160
"""Of a flagged text of the corpus that is printed."""


async def run(kind: str) -> list[Outcome]:
    """The outcome of every attack whose kind holds that text."""
    chosen = [attack for attack in attacks() if kind in attack.name]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "documents"
        folder.mkdir()
        for attack in chosen:
            (folder / attack.name).write_bytes(attack.data)
        async with in_process(folder, Path(scratch) / "data") as (_, server, _), Client(server) as client:
            return [await outcome(client, attack) for attack in chosen]


def table(outcomes: list[Outcome]) -> None:
    """By format and technique: planted, flagged, left out of views and of search; then every fault."""
    kinds: defaultdict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for one in outcomes:
        kinds[one.attack.name.rpartition(".")[2], one.attack.technique].append(one)
    print(f"{'kind':34}{'planted':>8}{'flagged':>8}{'not in views':>14}{'not in search':>14}")
    rows = [(f"{form} {technique}", found) for (form, technique), found in kinds.items()]
    for name, found in [
        *rows,
        ("all but what is to be named", [one for one in outcomes if not one.attack.named]),
        ("all", outcomes),
    ]:
        counts = (
            sum(one.flagged for one in found),
            sum(not one.shown_by for one in found),
            sum(not one.found_by for one in found),
        )
        named = " (named)" if found and all(one.attack.named for one in found) else ""
        print(f"{name + named:34}{len(found):8}{counts[0]:8}{counts[1]:14}{counts[2]:14}")
    for one in outcomes:
        if one.faults:
            print(f"{one.attack.name}: {'; '.join(one.faults)}")


def survey(corpus: Path) -> None:
    """Every document of the corpus in which text is flagged as hidden, and how many were read."""
    detector = Detector(load_formats().entries)
    read = flagged = 0
    kinds: Counter[str] = Counter()
    comments: set[Path] = set()
    for path in sorted(path for path in corpus.rglob("*") if path.is_file()):
        source = Source.of(path)
        entry = detector.detect(source)
        if entry is None:
            continue
        try:
            parsed = entry.plugin.parse(source, Limits(ocr=False))
        except FormatError:
            continue
        read += 1
        texts: list[str] = []
        for part in parsed.parts:
            for block in part.blocks:
                shown = visible(block)
                if getattr(block, "target", "") == "comment in the source":
                    comments.add(path)
                elif shown is not block and left_out(block, shown).places:
                    texts.append(f"{part.kind}: {getattr(block, 'text', '') or str(getattr(block, 'rows', ''))}")
        if texts:
            flagged += 1
            kinds[entry.name] += 1
            print(f"{path.relative_to(corpus)}: {len(texts)} × {' '.join(texts[0].split())[:_SHOWN_CHARS]}")
    print(f"{flagged} of {read} documents of the corpus flagged ({flagged / max(read, 1):.2%}): {dict(kinds)}")
    print(f"{len(comments)} have comments in their source")


def main() -> None:
    """Print the table, and the corpus's list where one is given."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--kind", default="", help="only attacks whose file name holds this, such as docx")
    options = parser.parse_args()
    table(asyncio.run(run(options.kind)))
    if options.corpus:
        survey(options.corpus)


if __name__ == "__main__":
    main()
