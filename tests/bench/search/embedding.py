"""How fast texts are embedded: texts a second, by the clock and by processor time, and how far vectors moved.

usage: embedding.py [--texts N] [--rounds N] [--before CHECKOUT]
The texts are abstracts of the retrieval collections of the corpus in DOCSIDECAR_CORPUS, as many of them cut to a
heading's length as short passages are in a folder of mixed documents (a third). With `--before`, the embedder of
another checkout runs in turn with this one's, each in a process of its own, so that the ratio holds on a busy machine.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

import numpy as np

BATCH = 64
"""Texts a call: what a serving process asks for at once is more."""
WORKER = f"""
import json, sys, time
from sidecar_semantic.worker import embed
texts = json.load(open(sys.argv[1], encoding="utf-8"))
embed(texts[:2])
begun, used = time.perf_counter(), time.process_time()
vectors = b"".join(embed(texts[at : at + {BATCH}]) for at in range(0, len(texts), {BATCH}))
print(json.dumps([time.perf_counter() - begun, time.process_time() - used]))
open(sys.argv[2], "wb").write(vectors)
"""


def load(corpus: Path, many: int) -> list[str]:
    texts: list[str] = []
    for folder in sorted((corpus / "ir").glob("*")):
        rows = map(json.loads, (folder / "corpus.jsonl").read_text("utf-8").splitlines())
        texts += [f"{row['title']}\n{row['text']}" for row in rows]
    if not texts:
        sys.exit(f"no collections in {corpus}/ir; set DOCSIDECAR_CORPUS")
    texts = texts[:: max(len(texts) // many, 1)][:many]
    return [text[:90] if number % 3 == 0 else text for number, text in enumerate(texts)]


def run(checkout: Path, texts: Path, vectors: Path) -> tuple[float, float]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (checkout / "plugins", checkout)))}
    command = [sys.executable, "-c", WORKER, str(texts), str(vectors)]
    output = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    wall, used = json.loads(output)
    return wall, used


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--texts", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--before", type=Path)
    arguments = parser.parse_args()
    texts = load(Path(os.environ.get("DOCSIDECAR_CORPUS", "../shared/corpus")), arguments.texts)
    checkouts = {"now": Path(__file__).resolve().parents[3]}
    if arguments.before is not None:
        checkouts = {"before": arguments.before.absolute(), **checkouts}
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in checkouts}
    with tempfile.TemporaryDirectory() as scratch:
        given = Path(scratch) / "texts.json"
        given.write_text(json.dumps(texts), "utf-8")
        for _ in range(arguments.rounds):
            for name, checkout in checkouts.items():
                taken[name].append(run(checkout, given, Path(scratch) / name))
        rates = {
            name: tuple(len(texts) / median(column) for column in zip(*rows, strict=True))
            for name, rows in taken.items()
        }
        for name, (wall, used) in rates.items():
            print(f"  {name:7} {wall:6.0f} texts/s by the clock  {used:6.0f} texts per processor second")
        if arguments.before is not None:
            ratios = [now / before for now, before in zip(rates["now"], rates["before"], strict=True)]
            print(f"  now / before: {ratios[0]:.2f} by the clock, {ratios[1]:.2f} by processor time")
            one, other = (np.frombuffer((Path(scratch) / name).read_bytes(), "<f4") for name in checkouts)
            cosines = (one.reshape(len(texts), -1) * other.reshape(len(texts), -1)).sum(axis=1)
            print(f"  cosine of a text's two vectors: mean {cosines.mean():.4f}, lowest {cosines.min():.4f}")


if __name__ == "__main__":
    main()
