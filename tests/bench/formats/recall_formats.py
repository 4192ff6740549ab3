"""Words of real documents by format: what we show of them beside kreuzberg and markitdown.

    python tests/bench/formats/recall_formats.py --peers PYTHON [--formats docx,msg] [--most N] [--keep DIR] [--worst N]

PYTHON is an interpreter with kreuzberg, markitdown[all], pypdf, pdfminer.six, docutils, markdown-it-py, trafilatura and
lxml_html_clean. Files come from DOCSIDECAR_CORPUS, at most N of a format, spread over the corpus. Expected is what a
project itself expects of its file (docling's `groundtruth/*.md`, unstructured's JSON elements); of PDFs what two of
pdftotext, pypdf and pdfminer.six say; elsewhere the words that an independent reader and at least one peer say that
often, and where there is none, what both peers say. The members of an archive are read as files of their kinds are.
Independent are LibreOffice (its flat OpenDocument, which has notes, text boxes and edges of pages), pdftotext,
docutils, the standard library with BeautifulSoup, and for the content of a page trafilatura. What markitdown hands on
as it is, with its markup, it does not read: there it is not counted. In sheets true and false are 1 and 0, since
programs store them so, and errors no words; instructions of fields are none either. In mail a word counts once: most
bodies stand there twice. What stands around a page's content several times we give once, which some projects expect
as often, as words of a file read in the wrong code page.
What a word is says `recall_words`. Recall is the share of the expected words (with
multiplicity) in all we show: every part as Markdown with its properties (the heads and feet of a page), a chart's data
as its own resource shows it, and, of what holds other files, every one of them that we read. A file nobody can read
counts for nobody. `--keep` keeps what others said.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from recall_flat import flat_text
from recall_words import agreed, counted, parted, sequence

from sidecar.api import Embed, EmbedKind, FormatError, FormatPlugin, HoldsDocuments, Limits, SidecarError, Source
from sidecar.views.blocks.charts import chart_table
from sidecar.views.blocks.markdown import blocks_markdown

CORPUS = Path(os.environ.get("DOCSIDECAR_CORPUS", Path(__file__).parents[3] / ".." / "shared" / "corpus")) / "docs"
PEERS = ("kreuzberg", "markitdown")
OFFICE = {
    kind: made
    for made, kinds in {
        "fodt": "doc dot docx docm dotx odt ott fodt rtf",
        "fods": "xls xlt xlsx xlsm xltx xlsb ods ots fods",
        "fodp": "ppt pps pot pptx pptm ppsx potx odp otp fodp",
    }.items()
    for kind in kinds.split()
}
"""What LibreOffice makes of each format."""
FORMATS = (*OFFICE, "html", "eml", "msg", "epub", "ipynb", "csv", "md", "rst", "zip", "pages", "pdf")
THREE = {"pdf": ("pypdf", "pdfminer.six")}
"""Readers besides the independent one that are neither a peer nor what we read with: two of three agree."""
SECONDS = 900
"""For one call of LibreOffice."""
FILE_SECONDS = 120
MEMORY = ("prlimit", f"--as={6 << 30}")
"""Nobody, we neither, reads without these bounds: a sheet of a million filled rows takes all there is."""
_MARKUP = re.compile(
    r"<!--.*?-->|<(?![^\s<>]+@)/?[A-Za-z][^<>]*>|&[a-z]+;|[|\\]|\$+|\bUnnamed: \d+|\bSheet \d+:"
    r"|\bFORM(?:TEXT|CHECKBOX|DROPDOWN)\b|(?:\b(?:DATE|TIME|SAVEDATE|CREATEDATE)\s+)?\\@\s*\"[^\"\n]*\"",
    re.DOTALL,
)
"""What others write around the words: pandas names columns without a name, and LibreOffice counts sheets, too."""
_CELLS = re.compile(r"#ERR: \w+|\bErr:5\d\d\b|#[A-Z/0]+[!?]|#N/A|\bNaN\b")
"""What stands in cells of no value, in each reader's own words. True and false are numbers to some."""
_TRUTHS = re.compile(r"\b(?:(true)|false)\b", re.IGNORECASE)
_JOINED = re.compile(
    r"\{==|==\}|\{--|--\}|\{\+\+|\+\+\}|\{>>[^<\n]*<<\}|</?(?:sub|sup|u|ins|del|mark)>"
    r"|(?<=\d)\*{1,3}(?=[^\W\d_])"
)
"""Our marks of what changed, what a comment is about and how letters look, which may stand within a word (`0.1*g*`)."""
_SHOWN = re.compile(r"\]\((?:image|chart|media|embed)://[^)\n]*\)|<br>")
_LEAST_AGREED = 0.1
"""Of what LibreOffice says; where a peer agrees on less, the file is bytes that someone took for a text."""
_MAX_DEPTH = 5
_POINTS = 100_000
"""Of a chart, as many as its own resource shows."""
_MAIL = ("eml", "msg")
_UNREAD = ("eml", "md", "rst", "csv", "fodt", "fods", "fodp", "rtf")
"""What markitdown hands on as it is."""
_READ = """
import json, logging, signal, sys, warnings
warnings.simplefilter("ignore"); logging.disable()
name, seconds, files = sys.argv[1], int(sys.argv[2]), json.loads(sys.stdin.read())
# Subject, sender, those it goes to, body, HTML body, display names and addresses, names of attached files.
_SHOWN = {"0037", "0C1A", "0C1F", "5D01", "0E02", "0E03", "0E04", "1000", "1013", "3001", "39FE", "3707", "3704"}
# Roles of Sphinx that documents in reStructuredText use without saying so.
_SPHINX = ("any ref doc numref term attr class meth func mod obj data exc const envvar option command file samp type"
           " macro member struct enum").split()
if name == "markitdown":
    from markitdown import MarkItDown
    convert = MarkItDown(enable_plugins=False).convert
    read = lambda file: convert(file).markdown
elif name == "kreuzberg":
    import kreuzberg
    config = kreuzberg.ExtractionConfig(use_cache=False)
    read = lambda file: kreuzberg.extract_file_sync(file, config=config).content
else:
    import email, email.policy, zipfile
    from bs4 import BeautifulSoup
    def plain(markup):
        soup = BeautifulSoup(markup, "html.parser")
        for one in soup(["script", "style", "template"]):
            one.decompose()
        return soup.get_text("\\n")
    def mail(file):
        message = email.message_from_bytes(open(file, "rb").read(), policy=email.policy.default)
        said = [str(message[key] or "") for key in ("subject", "from", "to", "cc", "date")]
        shown = message.get_body(("html", "plain"))
        for part in message.walk():
            said.append(part.get_filename() or "")
            # Of a body in two forms mail programs show the later one (RFC 2046, 5.1.4).
            other = shown is not part and part.get_filename() is None and shown is not None
            if part.get_content_maintype() == "text" and not (other and part.get_content_subtype() == "plain"):
                text = part.get_content()
                said.append(plain(text) if part.get_content_subtype() == "html" else text)
        return "\\n".join(said)
    def outlook(file):
        import olefile
        said = []
        with olefile.OleFileIO(file) as opened:
            for way in opened.listdir():
                name = way[-1].upper()
                if not name.startswith("__SUBSTG1.0_") or name[12:16] not in _SHOWN:
                    continue
                data = opened.openstream(way).read()
                coding = "utf-16-le" if name.endswith("001F") else "cp1252"
                text = data.decode(coding, "replace")
                said.append(plain(text) if name[12:16] == "1013" else text)
        return "\\n".join(said)
    def book(file):
        with zipfile.ZipFile(file) as packed:
            names = [one for one in packed.namelist() if one.endswith(("html", "htm"))]
            return "\\n".join(plain(packed.read(one)) for one in names)
    def notebook(file):
        cells = json.load(open(file, encoding="utf-8"))["cells"]
        said = [("".join(cell["source"]), cell["cell_type"]) for cell in cells]
        return "\\n".join(markdown(text) if kind == "markdown" else text for text, kind in said)
    def markdown(text):
        import markdown_it
        return plain(markdown_it.MarkdownIt("gfm-like").render(text))
    def read(file):
        kind = file.rpartition(".")[2].lower()
        if kind == "pdf" and name == "pypdf":
            import pypdf
            return "\\n".join(page.extract_text() for page in pypdf.PdfReader(file).pages)
        if kind == "pdf":
            from pdfminer.high_level import extract_text
            return extract_text(file)
        if kind in ("html", "htm"):
            import trafilatura
            return trafilatura.extract(open(file, "rb").read(), favor_recall=True)
        if kind in ("eml", "epub", "ipynb", "msg"):
            return {"eml": mail, "msg": outlook, "epub": book, "ipynb": notebook}[kind](file)
        text = open(file, encoding="utf-8-sig").read()
        if kind == "csv":
            return text
        if kind == "md":
            return markdown(text)
        if kind == "rst":
            import docutils.core, docutils.nodes, re
            from docutils.parsers.rst import roles
            def sphinx(name, raw, text, line, inliner, options=None, content=()):
                # A title where one is given, else of ~a.b.c the last name.
                titled = re.fullmatch(r"(.+?)\\s*<[^<>]+>", text, re.DOTALL)
                text = titled[1] if titled else text.rpartition(".")[2] if text[0] == "~" else text.lstrip("!.")
                return [docutils.nodes.literal(raw, text)], []
            for domain in ("", "std:", "py:", "c:", "cpp:", "js:"):
                for role in _SPHINX:
                    roles.register_local_role(domain + role, sphinx)
            quiet = {"report_level": 5, "halt_level": 5, "file_insertion_enabled": False}
            tree = docutils.core.publish_doctree(text, settings_overrides=quiet)
            for message in list(tree.findall(docutils.nodes.system_message)):
                message.parent.remove(message)  # what docutils says of the file
            return tree.astext()
        raise ValueError
for file in files:
    # Unhandled it ends the process, in the midst of native code too.
    signal.alarm(seconds)
    try:
        said = read(file)
    except BaseException:
        said = None
    print("\\x1e" + json.dumps([file, said]), flush=True)
"""


@dataclass(frozen=True)
class Score:
    """A file: expected words, how many of them we, kreuzberg and markitdown say, and what we miss."""

    path: Path
    words: int
    found: tuple[int, ...]
    missing: Counter[str]


class Ours:
    """All that a reader is shown of a file, by our plugins."""

    def __init__(self) -> None:
        found = importlib.metadata.entry_points(group="docsidecar.formats")
        self.plugins: list[FormatPlugin] = [entry.load()() for entry in found]

    def text(self, source: Source, depth: int = 0) -> str:
        """Raises FormatError."""
        score, plugin = max(((one.score(source), one) for one in self.plugins), key=lambda pair: pair[0])
        if not score:
            return ""
        document = plugin.parse(source, Limits(ocr=False))
        embeds: dict[tuple[EmbedKind, int], Embed] = {(embed.kind, embed.id): embed for embed in document.embedded}
        said = [document.title]
        for part in document.parts:
            said += [part.title, *part.metadata.values(), blocks_markdown(part.blocks, "d", embeds)]
        said += [chart_table(embed.chart, _POINTS) for embed in document.embedded if embed.chart is not None]
        if isinstance(plugin, HoldsDocuments) and depth < _MAX_DEPTH:
            said += self._inside(source, plugin, document.embedded, depth)
        return _SHOWN.sub(" ", _JOINED.sub("", "\n".join(said)))

    def _inside(self, source: Source, plugin: HoldsDocuments, embedded: Sequence[Embed], depth: int) -> Iterator[str]:
        for embed in embedded:
            yield embed.name
            if embed.kind != "attachment" or not embed.ref:
                continue
            try:
                payload = plugin.open_embedded(source, embed.ref, Limits())
                name = payload.name.rpartition("/")[2]
                yield self.text(Source.of_bytes(payload.data, name, payload.media_type), depth + 1)
            except SidecarError as error:
                print(f"    {source.name}: {embed.name}: {error}", file=sys.stderr)


def office(files: Sequence[Path], filter_: str) -> dict[str, str | None]:
    """What LibreOffice says, in calls of many files; None of what it cannot open, alone neither: a file that ends the
    program takes those of its call with it."""
    said: dict[str, str | None] = {}
    for at in range(0, len(files), 25):
        said |= _converted(files[at : at + 25], filter_)
    for path in files:
        if said[str(path)] is None:
            said |= _converted([path], filter_)
    return said


def _converted(files: Sequence[Path], filter_: str) -> dict[str, str | None]:
    with tempfile.TemporaryDirectory() as made:
        links = {Path(made) / f"{number}{path.suffix}": path for number, path in enumerate(files)}
        for link, path in links.items():
            link.symlink_to(path)
        command = ["soffice", f"-env:UserInstallation=file://{made}/profile", "--headless", "--convert-to", filter_]
        _bounded([*command, "--outdir", made, *map(str, links)])
        out = {path: link.with_suffix("." + filter_.partition(":")[0]) for link, path in links.items()}
        return {str(path): _office_text(file) if file.exists() else None for path, file in out.items()}


def _bounded(command: Sequence[str]) -> None:
    """Runs LibreOffice with its children for SECONDS at most; its launcher leaves the program behind when it is ended
    alone."""
    with subprocess.Popen(
        [*MEMORY, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as running:
        try:
            running.wait(SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)


def _office_text(path: Path) -> str:
    if path.suffix != ".pdf":
        return flat_text(path)
    done = subprocess.run(["pdftotext", "-q", str(path), "-"], capture_output=True, timeout=SECONDS, check=False)
    return done.stdout.decode("utf-8", "replace")


def peer(python: str, name: str, files: Sequence[Path]) -> dict[str, str | None]:
    """What a reader in its own interpreter says; a crash or an end by its bounds costs it the file it stood at."""
    read = ["-c", _READ, name] if name != "ours" else [__file__, "--worker", "--peers"]
    said: dict[str, str | None] = {}
    left = [str(path) for path in files]
    while left:
        done = subprocess.run(
            [*MEMORY, python, *read, str(FILE_SECONDS)], input=json.dumps(left), capture_output=True, text=True,
            encoding="utf-8", timeout=FILE_SECONDS * (len(left) + 1), check=False,
        )  # fmt: skip
        for line in done.stdout.split("\x1e")[1:]:
            file, text = json.loads(line.partition("\n")[0])
            said[file] = text
        if name == "ours" and done.stderr:
            print(done.stderr[-2000:])
        if len(said) < len(files):
            said[next(file for file in left if file not in said)] = None
        left = [file for file in left if file not in said]
    return said


def independent(python: str, kind: str, files: Sequence[Path]) -> dict[str, str | None]:
    if kind in OFFICE:
        return office(files, OFFICE[kind])
    if kind == "pdf":
        return {str(path): _office_text(path) for path in files}
    if kind == "zip":
        return {str(path): _members(python, path) for path in files}
    return peer(python, "independent", files)


def _members(python: str, archive: Path) -> str | None:
    """What is said of an archive's members, each read as others of its kind."""
    said: list[str] = []
    with tempfile.TemporaryDirectory() as made:
        try:
            with zipfile.ZipFile(archive) as packed:
                packed.extractall(made)
        except (zipfile.BadZipFile, RuntimeError):  # RuntimeError: needs a password
            return None
        files = [path for path in sorted(Path(made).rglob("*")) if path.is_file()]
        for kind in sorted({path.suffix.lower()[1:] for path in files} & {*FORMATS}):
            those = [path for path in files if path.suffix.lower()[1:] == kind]
            said += filter(None, independent(python, kind, those).values())
    return "\n".join(said)


def kept(keep: Path | None, name: str, make: Callable[[], dict[str, str | None]]) -> dict[str, str | None]:
    file = keep / f"{name}.json" if keep else None
    if file and file.exists():
        return dict(json.loads(file.read_text(encoding="utf-8")))
    said = make()
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(said), encoding="utf-8")
    return said


def expectations() -> Iterator[tuple[Path, str]]:
    """`(file, what its project expects)`."""
    data = CORPUS / "docling-project__docling" / "tests" / "data"
    for path in data.glob("*/groundtruth/*.md"):
        source = path.parents[1] / "sources" / path.stem
        if source.is_file():
            yield source, _MARKUP.sub(" ", path.read_text(encoding="utf-8"))
    unstructured = CORPUS / "Unstructured-IO__unstructured"
    for path in unstructured.rglob("*.json"):
        source = next(iter((unstructured / "example-docs").rglob(path.name.removesuffix(".json"))), None)
        if source is not None and source.suffix:
            elements = json.loads(path.read_text(encoding="utf-8"))
            yield source, "\n".join(str(element.get("text", "")) for element in elements)


def said_words(kind: str, text: str | None, *, markup: re.Pattern[str] = _MARKUP) -> list[str]:
    """The words of what a reader says of a file, its markup left out."""
    text = markup.sub(" ", text or "")
    if OFFICE.get(kind) == "fods":
        text = _TRUTHS.sub(lambda match: "1" if match[1] else "0", _CELLS.sub(" ", text))
    return sequence(text)


def scores(python: str, kind: str, files: Sequence[Path], expected: dict[Path, str], keep: Path | None) -> list[Score]:
    said = [kept(keep, f"{name}-{kind}", lambda name=name: peer(python, name, files)) for name in PEERS]
    third = kept(keep, f"independent-{kind}", lambda: independent(python, kind, files))
    others = [kept(keep, f"{name}-{kind}", lambda name=name: peer(python, name, files)) for name in THREE.get(kind, ())]
    ours = peer(sys.executable, "ours", files)
    made: list[Score] = []
    for path in files:
        lists = [said_words(kind, one.get(str(path))) for one in said]
        if kind in _UNREAD:
            lists[1] = []
        heard = [Counter(one) for one in lists]
        known = Counter(said_words(kind, third.get(str(path))))
        if path in expected:
            want = counted(expected[path])
        elif kind in THREE:
            want = agreed([counted(one.get(str(path)) or "") for one in (third, *others)])
        else:
            want = known & (heard[0] | heard[1]) if known else heard[0] & heard[1]
        if kind in _MAIL:
            want = Counter(set(want))
        if not want or want.total() < _LEAST_AGREED * known.total() or not (known or any(heard)):
            continue
        lists.insert(0, said_words(kind, ours.get(str(path)), markup=_SHOWN))
        found = [(want & Counter(one)) + parted(want, one) for one in lists]
        made.append(Score(path, want.total(), tuple(one.total() for one in found), want - found[0]))
    return made


def read_ours(seconds: int) -> None:
    """The worker that reads by our plugins: prints what the others print."""
    ours = Ours()
    for file in json.load(sys.stdin):
        signal.alarm(seconds)
        said = None
        try:
            said = ours.text(Source.of(Path(file)))
        except (FormatError, MemoryError) as error:
            print(f"    {Path(file).name}: {error}", file=sys.stderr)
        print("\x1e" + json.dumps([file, said]), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", required=True, help="a Python with kreuzberg and markitdown[all]")
    parser.add_argument("--formats", default=",".join(FORMATS))
    parser.add_argument("--most", type=int, default=60)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--worst", type=int, default=0, help="the files we miss most words of, and which")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        read_ours(int(options.peers))
        return
    expected = dict(expectations())
    rows: list[str] = []
    for kind in options.formats.split(","):
        found = sorted(path for path in CORPUS.rglob(f"*.{kind}") if path.is_file() and "groundtruth" not in path.parts)
        files = found[:: -(-len(found) // options.most)] if found else []
        made = scores(options.peers, kind, files, expected, options.keep)
        total = sum(one.words for one in made)
        if not total:
            continue
        # Each file weighs the same: one large table would else be the row.
        shares = [sum(one.found[at] / one.words for one in made) / len(made) for at in range(3)]
        words = [sum(one.found[at] for one in made) / total for at in range(3)]
        behind = "  BEHIND" if shares[0] < max(shares[1:]) and len(made) >= 5 else ""
        rows.append(
            f"{kind:6} {len(made):4} files {sum(one.path in expected for one in made):3} expected {total:8} words   "
            + "  ".join(f"{share:.4f} ({word:.4f})" for share, word in zip(shares, words, strict=True))
            + behind
        )
        print(rows[-1], flush=True)
        for one in sorted(made, key=lambda one: one.found[0] / one.words - max(one.found[1:]) / one.words):
            if options.worst and one.found[0] < max(one.found[1:]):
                some = " ".join(f"{word}×{count}" for word, count in one.missing.most_common(options.worst))
                print(f"    {one.found} of {one.words}  {one.path.relative_to(CORPUS)}: {some}")
    print("\nrecall a file (a word): docsidecar, kreuzberg, markitdown")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
