"""Time of finding documents and folders by name among 20,000 files, as `find_document` asks for them.

usage: find_names.py [FILES]
Names of six of sixteen words and a number lie in 200 folders; queries are exact names, words of them, folders,
misspelt names and nonsense. Prints for each kind p50 and the longest in ms of wall and of processor time.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from support.indexes.prepared import note

from sidecar.search.searcher import Searcher
from sidecar.store.store import Store

WORDS = tuple(
    f"{kind} {what}"
    for kind in ("annual", "quarterly", "draft", "final", "customer", "supplier", "legal")
    for what in (
        "report",
        "budget",
        "letter",
        "contract",
        "invoice",
        "minutes",
        "forecast",
        "policy",
        "audit",
        "design",
    )
)
TIMES = 5
QUERIES = {
    "exact": ("annual-report-budget-17.txt", "letter-contract-invoice-900", "audit-legal-design-5000"),
    "words": ("annual report budget", "travel policy", "press release 2"),
    "folder": ("folder 17", "folder 17/below", "folder 3"),
    "one misspelt": ("annual reprot budget", "travle policy", "pres release 2"),
    "misspelt": ("anual reprot bugdet", "tranning safty", "custmer suplier"),
    "nonsense": ("zzxcvb qqq", "wombats of the moon", "ﬀﬁ 東京"),
}


async def measure(files: int) -> None:
    chance = random.Random(7)
    with tempfile.TemporaryDirectory() as scratch:
        store = await Store.open(Path(scratch) / "index.db")
        try:
            named = [
                note(
                    f"folder {n % 200}/{'below/' if n % 3 else ''}{'-'.join(chance.choices(WORDS, k=3))}-{n}.txt",
                    f"Text {n}.",
                )
                for n in range(files)
            ]
            for at in range(0, files, 500):
                await store.files.commit(named[at : at + 500])
            searcher = Searcher(store.documents, store.search)
            await searcher.find("warm")
            for kind, queries in QUERIES.items():
                wall: list[float] = []
                busy: list[float] = []
                for query in queries * TIMES:
                    begun, used = time.perf_counter(), time.process_time()
                    await asyncio.gather(searcher.find(query), searcher.folders(query))
                    wall.append((time.perf_counter() - begun) * 1000)
                    busy.append((time.process_time() - used) * 1000)
                print(
                    f"{kind:10} wall p50 {statistics.median(wall):6.1f} ms, longest {max(wall):6.1f}; "
                    f"processor p50 {statistics.median(busy):6.1f} ms, longest {max(busy):6.1f}"
                )
        finally:
            await store.close()


if __name__ == "__main__":
    asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000))
