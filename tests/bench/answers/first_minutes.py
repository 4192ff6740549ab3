"""The first minutes of a new folder: what answers are worth, and how long they take, while files are read and embedded.

usage: first_minutes.py [FILES] [--minutes MINUTES]     (default: 1,500 files of the corpus in DOCSIDECAR_CORPUS)
Copies so many of the docs, those that answer the questions of `assistant.py` and others by the hash of their paths,
none of them pictures, into a folder, starts the program on it, and asks six of the questions every five seconds through
`search_documents` until all is embedded, or for so many minutes. Each is asked of plain FTS5 (OR of its words, bm25) in
the same index at that moment. Prints a line a round: the state, success@1 and @3 of the answers and of plain FTS5 so
far, and what the answer says of files that wait; in the end the time to the first answer that has a hit, and the
latencies. On a machine with eight others at work: 0.918, 0.964 against 0.822, 0.898 after 1,631 answers, above plain
FTS5 after every round; the first hit after 9 seconds.
"""

import argparse
import contextlib
import os
import re
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from statistics import mean, quantiles

sys.path.insert(0, str(Path(__file__).parents[2]))

from assistant import Question, load
from bench.shared.rawclient import RawClient

EVERY_SECONDS = 5.0
ASKED = 6
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".heic", ".webp", ".svg", ".wav", ".mp3")
_PLAIN = (
    "SELECT DISTINCT f.path FROM (SELECT rowid, bm25(passages_fts) AS score FROM passages_fts "
    "WHERE passages_fts MATCH ? ORDER BY score LIMIT 30) m JOIN passages p ON p.id = m.rowid "
    "JOIN files f ON f.version_id = p.version_id ORDER BY m.score"
)


def copied(docs: Path, folder: Path, many: int, questions: Sequence[Question]) -> None:
    """Lay `many` of the docs into the folder, below their own paths."""
    paths = [path for path in docs.rglob("*") if path.is_file() and path.suffix.lower() not in _PICTURES]
    paths.sort(key=lambda path: sha256(str(path.relative_to(docs)).encode()).digest())
    paths.sort(key=lambda path: not any(one.rank([str(path)]) for one in questions))
    for path in paths[:many]:
        place = folder / path.relative_to(docs)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)


def plainly(index: Path, question: Question) -> int:
    """The rank that plain FTS5 gives."""
    words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question.ask))
    with contextlib.closing(sqlite3.connect(f"file:{index}?mode=ro", uri=True)) as connection:
        return question.rank([os.fsdecode(path) for (path,) in connection.execute(_PLAIN, (words,))][:10])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("files", type=int, nargs="?", default=1500)
    parser.add_argument("--minutes", type=float, default=30)
    arguments = parser.parse_args()
    docs = Path(os.environ.get("DOCSIDECAR_CORPUS", "../shared/corpus")).absolute() / "docs"
    if not docs.is_dir():
        sys.exit(f"no documents in {docs}; set DOCSIDECAR_CORPUS")
    questions = [one for pair in zip(load("worked"), load("held"), strict=False) for one in pair]
    ours: list[int] = []
    plain: list[int] = []
    seconds: list[float] = []
    with tempfile.TemporaryDirectory() as scratch:
        folder, data = Path(scratch) / "files", Path(scratch) / "data"
        copied(docs, folder, arguments.files, questions)
        program = str(Path(sys.executable).with_name("docsidecar"))
        client = RawClient([program, "--folder", str(folder), "--data-dir", str(data), "serve"])
        begun, first, at = time.perf_counter(), 0.0, 0
        while (passed := time.perf_counter() - begun) < 60 * arguments.minutes:
            status = client.call("get_library_status", {})
            remark = ""
            for question in (questions[(at + number) % len(questions)] for number in range(ASKED)):
                asked = time.perf_counter()
                answer = client.call("search_documents", {"query": question.ask})
                seconds.append(time.perf_counter() - asked)
                found = plainly(data / "index.db", question)
                rank = question.rank([hit["path"] for hit in answer["results"]])
                if answer["results"] and not first:
                    first = time.perf_counter() - begun
                if found or rank:
                    ours.append(rank)
                    plain.append(found)
                remark = answer.get("remark", "") + (f" ({answer['ranked']})" if "ranked" in answer else "")
            at += ASKED
            embedded = status.get("embedded", {})
            print(
                f"{passed:5.0f} s  {status['state']} {status['indexed']} read, {status['pending']} wait, "
                f"{embedded.get('done', 0)} of {embedded.get('total', 0)} embedded  ours {_shares(ours)}  plain "
                f"{_shares(plain)}  {remark[-120:]}", flush=True,
            )  # fmt: skip
            if status["state"] == "idle" and embedded.get("done") == embedded.get("total"):
                break
            time.sleep(max(0.0, EVERY_SECONDS - (time.perf_counter() - begun - passed)))
        client.close()
    cut = quantiles(seconds, n=100)
    print(
        f"greeted in {client.greeting:.2f} s, first hit after {first:.1f} s; of {len(seconds)} answers p50 "
        f"{1e3 * cut[49]:.0f} ms, p95 {1e3 * cut[94]:.0f} ms, p99 {1e3 * cut[98]:.0f} ms"
    )


def _shares(ranks: Sequence[int]) -> str:
    if not ranks:
        return "-"
    return f"{mean(rank == 1 for rank in ranks):.3f} {mean(0 < rank <= 3 for rank in ranks):.3f} ({len(ranks)})"


if __name__ == "__main__":
    main()
