"""Questions in other languages than English: does search put the page that answers first?

usage: languages.py PACKAGES [--keep DIR] [--show] [--half worked|held]
PACKAGES is a folder with Debian's `debian-faq-{de,fr,it,ja,ko,nl,ru,zh-cn}` (11.1) and `gnome-user-docs` (43.0), as
`apt-get download` fetches them; both are translations made by people, under the GPL and CC BY-SA.
`data/questions_languages.json` holds 64 questions over the FAQ in eight languages (right is the file with the section's
number in the hit), and 80 over GNOME's help in ten (a page is a topic; right is the file), the latter written from the
names of the topics before any page in another language or any answer was seen. Halves go by the hash of the question's
place; the FAQ's have been counted since before they were parted into halves. Prints success@1 and @3, fused and by
words alone, of each half and language; fused it was first 0.756, 0.854 (FAQ worked), 0.783, 1.000 (held), 0.698, 0.860
(help worked) and 0.622, 0.784 (held), by words alone 0.707, 0.829, 0.696, 0.957, 0.698, 0.907, 0.622 and 0.784, the
help still read as plain text. Read as Mallard, 104 of the 144 are first by words (98), 122 among three (124).
Where meaning judged scripts that its model only spells, it was 0.651, 0.791 and 0.514, 0.703 of the help. `--show`
tells what came first instead, of the worked half only.
"""

import argparse
import asyncio
import hashlib
import json
import re
import shutil
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Awaitable, Callable
from pathlib import Path

from sidecar.app import Application, open_application
from sidecar.config import Config, Folder

QUESTIONS = Path(__file__).parent / "data" / "questions_languages.json"
_TOPICS = re.compile(r"(?:printing|net-wireless|power|user|files|mouse|clock|display|keyboard|bluetooth)\b")
"""Which of the help's pages are read: those of the questions and their neighbours, some 110 a language."""


def package_parser(description: str | None) -> argparse.ArgumentParser:
    """The arguments of a bench whose documents come from packages: their folder, where to keep what is made of them,
    whether each question is shown, and which half is counted."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", type=Path)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--half", choices=("worked", "held"))
    return parser


async def both_ways(folder: Path, data: Path, count: Callable[[str, Application], Awaitable[None]]) -> None:
    """Index and embed the folder, and have it counted with what meaning adds ("fused"), then by words alone."""
    async with open_application(Config(data_dir=data, folders=(Folder(folder),))) as app:
        await app.index_once()
        await app.embed_once()
        for name, semantic in (("fused", app.searcher.semantic), ("words", None)):
            app.searcher.semantic = semantic
            await count(name, app)


def main() -> None:
    """Index, ask, print."""
    given = package_parser(__doc__).parse_args()
    with tempfile.TemporaryDirectory() as made:
        asyncio.run(ask(given, given.keep or Path(made)))


async def ask(given: argparse.Namespace, work: Path) -> None:
    """All questions, with what meaning adds and without."""
    asked = json.loads(QUESTIONS.read_text("utf-8"))
    folder = work / "documents"
    if not folder.exists():
        unpack(given.packages, folder, asked)
    await both_ways(folder, work / "index", lambda name, app: count(app, name, asked, given))


def unpack(packages: Path, folder: Path, asked: dict[str, dict[str, dict[str, str]]]) -> None:
    """The pages of the packages that questions are asked of, as LANGUAGE-PAGE."""
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as made:
        for package in packages.glob("*.deb"):
            if package.name.startswith(("debian-faq-", "gnome-user-docs")):
                subprocess.run(("dpkg-deb", "-x", package, made), check=True)
        docs, helps = Path(made, "usr/share/doc/debian/FAQ"), Path(made, "usr/share/help")
        for page in docs.rglob("*.html"):
            stem, _, language = page.stem.partition(".")
            if stem != "index":
                shutil.copy(page, folder / f"{language.lower()}-{stem}.html")
        for language in asked["help"]:
            for page in (helps / language / "gnome-help").glob("*.page"):
                if _TOPICS.match(page.stem):
                    shutil.copy(page, folder / f"{language}-{page.stem}.xml")


async def count(
    app: Application, name: str, asked: dict[str, dict[str, dict[str, str]]], given: argparse.Namespace
) -> None:
    """Ask everything and print what came first."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for kind, languages in asked.items():
        for language, questions in languages.items():
            for place, question in questions.items():
                half = "held" if int(hashlib.sha256(f"{language}{place}".encode()).hexdigest(), 16) % 2 else "worked"
                if given.half not in (None, half):
                    continue
                hits = (await app.library.search(question, 10)).hits
                topic, _, number = place.partition(" ")
                stem = f"{language}-{topic}"
                right = [Path(one.path).stem == stem and number in one.title + one.snippet for one in hits]
                at = right.index(True) + 1 if True in right else 0
                for key in (f"{kind} {half}", f"{kind} {language}"):
                    counts[key] = [old + new for old, new in zip(counts[key], (1, at == 1, 1 <= at <= 3), strict=True)]
                if given.show and half == "worked" and at != 1:
                    print("  ", name, language, place, repr(question), at, [Path(one.path).stem for one in hits[:3]])
    for key, (all_of, first, third) in counts.items():
        print(f"{name} {key:16} success@1 {first / all_of:.3f}  success@3 {third / all_of:.3f}  ({all_of})")


if __name__ == "__main__":
    main()
