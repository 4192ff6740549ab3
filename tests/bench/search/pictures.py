"""Pictures in real documents, asked for by what one sees on them: are they among the first five?

usage: pictures.py PACKAGES [--keep DIR] [--show] [--half worked|held] [--kinds]
PACKAGES is a folder with Debian's `kicad-doc-en` (6.0.11), `debian-handbook` (11.20220922), `openshot-qt-doc` (2.6.1),
`gtkwave` (3.3.118), `pique-doc` (1.0), `gutenprint-doc` (5.3.4) and `whitedune-docs` (0.30.10), as `apt-get download`
fetches them; the corpus lies in DOCSIDECAR_CORPUS. `data/questions_pictures.json` holds 67 pictures (logos,
screenshots, charts, drawings, diagrams, photographs, covers, scans, a table) of documents of seven formats, taken by
the hash of their names, 28 of them of the packages, and two ways to ask for each, written down from looking at the
picture alone, before any answer was seen. They are asked for among all documents of the corpus and the packages that
show pictures, and picture files. Counted: the picture is among the first five of `search_visual_elements` (a result
that shows it, or stands on its page where the document is a PDF); its document is; its document is among the first five
of `search_documents`. A picture file beside an HTML page that shows it counts as its document. Halves go by the hash of
document and place. When first counted these were, fused, 32, 38 and 42 of 64 (worked), 43, 49 and 46 of 70 (held), and
by words alone 32, 38, 40 and 43, 49, 43; counted again 34, 40, 42 and 45, 48, 45, by words 37, 42, 40 and 44, 48, 41.
Recognising the words of some 600 pictures and embedding 12,000 texts takes eight minutes of processor time, before
which nothing is printed; with `--keep` a later run goes on from there.
"""

import argparse
import asyncio
import hashlib
import html
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from languages import both_ways, package_parser

from sidecar.api.records import ElementInfo
from sidecar.app import Application

QUESTIONS = Path(__file__).parent / "data" / "questions_pictures.json"
FIRST = 5
_PICTURES = re.compile(rb"<img|image/png|image/jpeg")
_FILES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".svg", ".tif", ".tiff")
_LEAST_BYTES = 20_000
"""Of a picture beside the pages of the packages that no question asks for: smaller ones are icons."""
_IMAGE = re.compile(r"<img[^>]*>")
_ALT = re.compile(r'alt="([^"]*)"')
_PACKED = re.compile(r"(?:media/|charts?/|diagrams/|Pictures/|images?/)", re.IGNORECASE)


def main() -> None:
    """Gather, index, ask, print."""
    parser = package_parser(__doc__)
    parser.add_argument("--kinds", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        asyncio.run(ask(given, given.keep or Path(made)))


async def ask(given: argparse.Namespace, work: Path) -> None:
    """All questions, with what meaning adds and without."""
    asked = json.loads(QUESTIONS.read_text("utf-8"))
    folder = work / "documents"
    if not folder.exists():
        gather(given.packages, folder, asked)
    await both_ways(folder, work / "index", lambda name, app: count(app, name, asked, given))


def gather(packages: Path, folder: Path, asked: list[dict[str, Any]]) -> None:
    """What is asked for, and what else shows pictures; as one folder, which lies as the corpus and the packages do."""
    corpus = Path(os.environ.get("DOCSIDECAR_CORPUS", "../shared/corpus")) / "docs"
    wanted = {one["document"] for one in asked}
    for path in sorted(corpus.rglob("*")):
        name = str(path.relative_to(corpus))
        if path.is_file() and (name in wanted or shows_pictures(path)):
            _copy(path, folder / "corpus" / name)
    with tempfile.TemporaryDirectory() as made:
        for package in packages.glob("*.deb"):
            subprocess.run(("dpkg-deb", "-x", package, made), check=True)
        shown = {Path(one["document"]).parent / one["inner"] for one in asked if "fresh" in one}
        for path in sorted(Path(made).rglob("*")):
            inner = path.relative_to(made)
            if path.is_file() and (str(inner) in wanted or inner in shown or _beside(inner, path, wanted)):
                _copy(path, folder / "packages" / str(inner).replace("usr/share/doc/", ""))


def shows_pictures(path: Path) -> bool:
    """Whether it is a document with pictures, or a picture."""
    kind = path.suffix.lower()
    if kind in _FILES or kind == ".pdf":
        return True
    if kind in (".docx", ".pptx", ".odt", ".odp", ".epub", ".xlsx"):
        try:
            return any(_PACKED.search(name) for name in ZipFile(path).namelist())
        except (BadZipFile, OSError):
            return False
    return kind == ".html" and bool(_PICTURES.search(path.read_bytes()))


def _beside(inner: Path, path: Path, wanted: set[str]) -> bool:
    """Whether it is a page of a manual that is asked for, or a picture of one."""
    manual = any(str(inner.parent) == str(Path(one).parent) for one in wanted)
    below = any(str(inner.parent.parent) == str(Path(one).parent) for one in wanted)
    if path.suffix == ".html":
        return manual
    return (manual or below) and path.suffix in _FILES and path.stat().st_size >= _LEAST_BYTES


def _copy(path: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(path, to)


async def count(app: Application, name: str, asked: list[dict[str, Any]], given: argparse.Namespace) -> None:
    """Ask everything and print what of it is found."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one in asked:
        half = (
            "held" if int(hashlib.sha256(f"{one['document']}{one['place']}".encode()).hexdigest(), 16) % 2 else "worked"
        )
        if given.half and half != given.half:
            continue
        for words in one["words"]:
            right = await answers(app, words, one)
            for key in (half, f"{half} {one['kind']}") if given.kinds else (half,):
                found[key].update({"asked": 1} | {what: int(is_right) for what, is_right in right.items()})
            if given.show and half == "worked" and not right["picture"]:
                print(f"  {name}: {words!r} of {one['document']} {one['place']} {right}")
    for key, counted in sorted(found.items()):
        shares = ", ".join(f"{what} {counted[what]}/{counted['asked']}" for what in ("picture", "document", "passages"))
        print(f"{name:6} {key:20} {shares}", flush=True)


async def answers(app: Application, words: str, one: dict[str, Any]) -> dict[str, bool]:
    """What of a picture is among the first five."""
    paths = {f"corpus/{one['document']}", f"packages/{one['document'].replace('usr/share/doc/', '')}"}
    paths |= {f"{'packages' if 'fresh' in one else 'corpus'}/{other}" for other in one.get("also", ())}
    answer = await app.searcher.search_elements(words, limit=FIRST)
    pictures: list[bool] = []
    documents: list[bool] = []
    for element in answer.elements:
        info = await app.library.document(element.document_slug)
        beside = "inner" in one and str(Path(f"packages/{one['document']}").parent / one["inner"]).replace(
            "usr/share/doc/", ""
        )
        is_file = info.path.endswith(beside) if beside else False
        is_document = is_file or any(info.path.endswith(path) for path in paths)
        documents.append(is_document)
        pictures.append(is_file or (is_document and await shows(app, element, one)))
    hits = (await app.searcher.search(words, limit=FIRST)).hits
    passages = [any(hit.path.endswith(path) for path in paths) for hit in hits]
    return {"picture": any(pictures), "document": any(documents), "passages": any(passages)}


async def shows(app: Application, element: ElementInfo, one: dict[str, Any]) -> bool:
    """Whether an element of the document shows the picture: on its page; the very file; the only chart, diagram or
    other kind of thing; the picture that the page of a manual refers to."""
    if "page" in one:
        return element.page == one["page"]
    if one["place"] == "chart" or one["place"] == "diagram":
        return element.type == one["place"]
    if one["document"].endswith(".html") and "fresh" in one:
        # Its alternative text is what an element has of a picture that lies beside the page.
        path = (await app.library.document(element.document_slug)).path
        page = await asyncio.to_thread(Path(path).read_text, "utf-8", "replace")
        images = [image for image in _IMAGE.findall(page) if f'{one["place"]}"' in image]
        told = {" ".join(html.unescape(alt).split()) for image in images for alt in _ALT.findall(image)}
        return any(alt and alt in (element.text, element.caption) for alt in told)
    if element.embed is None:
        return False
    embedded = await app.library.embedded(element.document_slug, (element.embed[0],))
    named = [other.embed.name for other in embedded.embeds if other.embed.id == element.embed[1]]
    return element.embed[0] == "image" and (one["place"].split(".")[0] in ("logo", "data0") or one["place"] in named)


if __name__ == "__main__":
    main()
