"""Documents through a user's quill: quillmark 0.113 leaves pictures, footnotes and formulas out of its Markdown, each
becomes a marker in the text, and a rule put before the quill's plate draws in its place what it stands for (`inserts`).

A marker is a number between two private-use characters, which no document needs (they are dropped from it). The quill
itself stays untouched: it is copied, and the copy is rendered."""

import json
import re
import shutil
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from sidecar_render.markdown.document import read_body
from sidecar_render.markdown.front_matter import MarkdownSource, translated
from sidecar_render.markdown.images import Asset
from sidecar_render.markdown.inlines import Node
from sidecar_render.model import Diagnostic, Rendering, RenderJob
from sidecar_render.typeset.engine import EngineError, draw, load
from sidecar_render.typeset.fonts import add_fonts
from sidecar_render.typeset.pictures import Assets
from sidecar_render.typeset.quills import plate_of

_OPEN, _CLOSE = "\ue000", "\ue001"
_PACKAGE = Path(__file__).parents[1] / "inserts_package"
_RULE = '#import "@local/docsidecar-inserts:0.1.0": inserted;#show regex("\\u{E000}[0-9]+\\u{E001}"): inserted;'
_TEXT = '#set text(font: "Figtree");'
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_NOTE = re.compile(r"^\[\^([^\]\s]{1,80})\]:[ \t]*")
_IMAGE = (
    r"!\[(?:[^\[\]\\\n]|\\.|\[[^\[\]\n]*\])*\]"
    r"\((?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)(?:[ \t]+\"[^\"\n]*\")?[ \t]*\)"
)
_PIECE = re.compile(
    r"(?P<code>(`+)(?!`).*?(?<!`)\2(?!`))|(?P<escape>\\[\\`*_$\[\]!^])"
    rf"|(?P<image>{_IMAGE}|<[Ii][Mm][Gg]\b[^<>\n]*>)|(?P<named>!\[(?:[^\[\]\\\n]|\\.)*\](?:\[[^\[\]\n]*\])?)|(?P<ref>\[\^[^\]\s]{{1,80}}\])|(?P<note>\^\[[^\[\]\n]+\])"
    r"|(?P<math>\$\$(?=\S).+?\$\$|\$(?=[^\s$])[^$\n]*?(?<=[^\s\\])\$(?!\d)|\\\(.+?\\\))"
)


@dataclass
class Inserts:
    """The document with markers, as many lines long as before, and the node behind each number."""

    markdown: str
    nodes: list[Node] = field(default_factory=list[Node])
    warnings: list[Diagnostic] = field(default_factory=list[Diagnostic])


def _collect(markdown: str, shift: int, pictures: Callable[[str], Asset | str], *, formulas: bool) -> Inserts:
    """Replace what quillmark leaves out. `shift` is by how many lines the text is longer than the document."""
    work = _Collector(markdown.replace(_OPEN, "").replace(_CLOSE, ""), shift, pictures, formulas)
    return work.run()


_TARGET = re.compile(
    r"^ {0,3}\[(?!\^)([^\[\]\n]{1,200})\]:[ \t]*(<[^<>\n]*>|\S+)"
    r"(?:[ \t]+(?:\"([^\"\n]*)\"|'([^'\n]*)'|\(([^()\n]*)\)))?[ \t]*$"
)
_AROUND = re.compile(r"</?(?:p|div|center|figure|figcaption|picture|source|a|span|h[1-6])\b[^<>\n]*>", re.IGNORECASE)
_HTML_BLOCK = re.compile(r"^ {0,3}</?(?:p|div|center|figure|picture|a|img|h[1-6])\b", re.IGNORECASE)


class _Collector:
    def __init__(self, markdown: str, shift: int, pictures: Callable[[str], Asset | str], formulas: bool) -> None:
        self.lines = markdown.split("\n")
        self.shift = shift
        self.pictures = pictures
        self.formulas = formulas
        self.made = Inserts("")
        self.notes: dict[str, str] = {}
        self.used: set[str] = set()
        self.targets: dict[str, str] = {}

    def run(self) -> Inserts:
        prose = list(self._prose())
        prose = self._take_notes(prose)
        self._find_targets(prose)
        self._bare_pictures(prose)
        at = 0
        while at < len(prose):
            number = prose[at]
            line = self.lines[number]
            if line.strip().startswith("$$") or line.strip().startswith(r"\["):
                taken = self._display(prose, at)
                if taken:
                    at += taken
                    continue
            self.lines[number] = _PIECE.sub(
                lambda found, line=line, number=number: self._piece(found, line, number), line
            )
            at += 1
        self.made.markdown = "\n".join(self.lines)
        return self.made

    def _prose(self) -> Iterator[int]:
        """The numbers of the lines that are neither YAML of a card nor code."""
        fence = ""
        for number, line in enumerate(self.lines):
            opening = _FENCE.match(line)
            if fence:
                if opening and opening[1].startswith(fence) and not line.strip().strip(fence[0]):
                    fence = ""
            elif opening:
                fence = opening[1]
            else:
                yield number

    def _find_targets(self, prose: list[int]) -> None:
        """What names of pictures stand for; the lines stay, for the links that name them too."""
        for number in prose:
            found = _TARGET.match(self.lines[number])
            if found:
                title = found[3] or found[4] or found[5] or ""
                address = found[2].strip("<>")
                self.targets.setdefault(_name(found[1]), f"<{address}>" + (f' "{title}"' if title else ""))

    def _bare_pictures(self, prose: list[int]) -> None:
        """Take away the HTML around pictures, as quillmark drops HTML blocks with all that is in them."""
        at = 0
        while at < len(prose):
            end = at
            while end < len(prose) and prose[end] - prose[at] == end - at and self.lines[prose[end]].strip():
                end += 1
            block = prose[at:end]
            shows = any("<img" in self.lines[number].lower() for number in block)
            if shows and _HTML_BLOCK.match(self.lines[block[0]]):
                for number in block:
                    self.lines[number] = _AROUND.sub("", self.lines[number]).strip()
            at = max(end, at + 1)

    def _take_notes(self, prose: list[int]) -> list[int]:
        """Footnotes' texts out of the document, whose lines stay as blank ones."""
        rest: list[int] = []
        at = 0
        while at < len(prose):
            opening = _NOTE.match(self.lines[prose[at]])
            if opening is None:
                rest.append(prose[at])
                at += 1
                continue
            label = opening[1]
            text = [self.lines[prose[at]][opening.end() :]]
            self.lines[prose[at]] = ""
            at += 1
            while at < len(prose) and self._belongs(prose, at, text):
                text.append(self.lines[prose[at]])
                self.lines[prose[at]] = ""
                at += 1
            more = textwrap.dedent("\n".join(text[1:]).expandtabs(4))
            self.notes.setdefault(label, f"{text[0]}\n{more}".strip())
        return rest

    def _belongs(self, prose: list[int], at: int, text: list[str]) -> bool:
        line = self.lines[prose[at]]
        if not line.strip():
            after = next((self.lines[number] for number in prose[at + 1 : at + 3] if self.lines[number].strip()), "")
            return after.startswith(("    ", "\t"))
        return line.startswith(("  ", "\t")) or (
            bool(text[-1].strip()) and not _NOTE.match(line) and line[0] not in "#>|"
        )

    def _display(self, prose: list[int], at: int) -> int:
        """A displayed formula that begins at this line; gives how many lines it takes, 0 when it is none."""
        first = self.lines[prose[at]].strip()
        opening, closing = ("$$", "$$") if first.startswith("$$") else (r"\[", r"\]")
        text = first[2:]
        count = 1
        while closing not in text:
            if at + count >= len(prose) or not self.lines[prose[at + count]].strip():
                return 0
            text += "\n" + self.lines[prose[at + count]]
            count += 1
        body, _, rest = text.partition(closing)
        if rest.strip() or not body.strip() or (opening == r"\[" and not re.search(r"[\\^_=<>+*/|]", body)):
            return 0
        node = self._read(f"$$\n{body.strip()}\n$$", prose[at])
        self.lines[prose[at]] = self._mark(node)
        for number in prose[at + 1 : at + count]:
            self.lines[number] = ""
        return count

    def _piece(self, found: re.Match[str], line: str, number: int) -> str:
        text = found[0]
        match found.lastgroup:
            case "image":
                alone = line.strip() == text
                return self._mark(self._read(text if alone else f"x {text}", number))
            case "named":
                return self._named(text, line, number)
            case "math":
                return self._mark(self._read(f"x {text}", number))
            case "note":
                return self._mark({"k": "note", "id": str(len(self.made.nodes)), "c": self._blocks(text[2:-1], number)})
            case "ref" if text[2:-1] in self.notes:
                label = text[2:-1]
                name = f"n-{sorted(self.notes).index(label)}"
                if label in self.used:
                    return self._mark({"k": "note", "id": name})
                self.used.add(label)
                return self._mark({"k": "note", "id": name, "c": self._blocks(self.notes[label], number)})
            case _:
                return text

    def _named(self, text: str, line: str, number: int) -> str:
        """A picture by the name of its address: `![alt][name]`, `![name][]`, `![name]`."""
        alt, _, name = text[2:-1].partition("][")
        target = self.targets.get(_name(name or alt.removesuffix("]")))
        if target is None:
            return text
        picture = f"![{alt.removesuffix(']')}]({target})"
        return self._mark(self._read(picture if line.strip() == text else f"x {picture}", number))

    def _mark(self, node: Node | None) -> str:
        if node is None:
            return ""
        self.made.nodes.append(node)
        return f"{_OPEN}{len(self.made.nodes) - 1}{_CLOSE}"

    def _read(self, markdown: str, number: int) -> Node | None:
        """The one node that a piece of Markdown is; a piece of a line comes after an "x"."""
        blocks = self._blocks(markdown, number)
        return next((node for node in reversed(blocks) if isinstance(node, dict)), blocks[-1] if blocks else None)

    def _blocks(self, markdown: str, number: int) -> list[Node]:
        body = read_body(markdown, number - self.shift, self.pictures, formulas=self.formulas, title=".")
        self.made.warnings += body.warnings
        blocks = body.blocks
        if blocks and isinstance(blocks[0], dict) and blocks[0]["k"] == "p":
            blocks[:1] = blocks[0]["c"]
        return blocks


def _name(label: str) -> str:
    """Names of addresses are alike without regard to case and blanks (CommonMark 0.31, 4.7)."""
    return " ".join(label.split()).casefold()


def _copy_quill(quill: Path, home: Path, nodes: list[Node], *, fonts: bool) -> None:
    """Make `home`, in whose package the pictures lie, a copy of the quill, with the nodes and the rule that draws them,
    and with `fonts` the engine's own font as its first. Raises OSError when the quill has no plate that
    can be read, QuillFault when it names one outside itself."""
    shutil.copytree(quill, home, dirs_exist_ok=True)
    package = home / "packages" / "docsidecar-inserts"
    shutil.copytree(_PACKAGE, package, dirs_exist_ok=True)
    data = {str(number): node for number, node in enumerate(nodes)}
    (package / "nodes.json").write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    plate = home / plate_of(quill)
    text = plate.read_text("utf-8")
    # On the first line, so that the lines of the engine's diagnostics stay those of the quill.
    begin = _RULE if nodes else ""
    plate.write_text((_TEXT if fonts else "") + begin + text, encoding="utf-8")


def draw_with_quill(document: MarkdownSource, job: RenderJob) -> Rendering:
    """Render. Formulas that the engine refuses are shown as their source; what it refuses beside is left out with a
    warning.

    Raises:
        EngineError, QuillFault: the document or the quill is wrong."""
    markdown, shift = translated(document)
    path = Path(job.plan.path)
    reason = ""
    for formulas in (True, False):
        home = Path(job.scratch) / path.name
        assets = Assets(home / "packages" / "docsidecar-inserts", job.pictures)
        inserts = _collect(markdown, shift, assets.get, formulas=formulas)
        try:
            added = add_fonts(path, home, document, formulas='"code": "' in json.dumps(inserts.nodes))
            _copy_quill(path, home, inserts.nodes, fonts=added.text)
            pages, warnings = draw(load(home), inserts.markdown, job.form, shift)
        except (EngineError, OSError) as error:
            reason = str(error)
            if not inserts.nodes:
                break
        else:
            all_warnings = tuple(dict.fromkeys((*added.warnings, *inserts.warnings, *warnings)))
            return Rendering(pages, len(pages), _title(markdown), all_warnings)
        finally:
            shutil.rmtree(home, ignore_errors=True)
    pages, warnings = draw(load(path), markdown, job.form, shift)
    message = f"pictures, footnotes and formulas are not drawn: this quill does not take them ({reason[:200]})"
    warning = Diagnostic(message, "warning", hint="the default quill draws them")
    return Rendering(pages, len(pages), _title(markdown), (warning, *warnings))


def _title(markdown: str) -> str:
    """The title a document gives in its root block, for naming the artifact."""
    for line in markdown.split("\n", 200)[1:200]:
        if line.startswith("~~~"):
            break
        if line.lower().startswith(("title:", "subject:")):
            return line.partition(":")[2].strip().strip("\"'")[:200]
    return ""
