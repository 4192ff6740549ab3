"""Headings, running heads, notes and paragraphs of documents LaTeX typeset: makes them, and counts ours against their
sources.

    python tests/bench/pages/pdf_pages_headings_latex.py FOLDER [--seed N] [--held] [--list] [--only NAME] [--make]

FOLDER gets `NAME.pdf` of each document, made where it is not there, and its truth beside it. Half of them, by a hash
of their names, are held back. Needs pdflatex with the classes of `pdf_pages_headings_latex_looks.py`. What is said is
drawn with the seed by `…_contents.py`; `…_count.py` says how it is counted.
"""
# ruff: noqa: E501  (markup and words read best unbroken)

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from pdf_pages_headings_latex_contents import THEOREMS, Paper, Piece, Sentence, paper
from pdf_pages_headings_latex_count import Score, count
from pdf_pages_headings_latex_looks import LOOKS
from pdf_pages_headings_latex_parts import Look

SECONDS = 120
_COMMANDS = ("chapter", "section", "subsection", "subsubsection", "paragraph")
_LANGUAGES = {"de": "ngerman", "fr": "french", "pl": "polish"}
_NAMES = {
    "fr": r"\def\abstractname{Résumé}\def\refname{Références}\def\bibname{Références}\def\contentsname{Table des matières}"
    r"\def\chaptername{Chapitre}\def\figurename{Figure}\def\tablename{Tableau}\def\appendixname{Annexe}\def\proofname{Démonstration}",
    "pl": r"\def\abstractname{Streszczenie}\def\refname{Literatura}\def\bibname{Literatura}\def\contentsname{Spis treści}"
    r"\def\chaptername{Rozdział}\def\figurename{Rysunek}\def\tablename{Tabela}\def\appendixname{Dodatek}\def\proofname{Dowód}",
}
_OF_LANGUAGE = {"article", "titled", "thesis", "koma"}
_ABSTRACTS = {"en": "Abstract", "de": "Zusammenfassung", "fr": "Résumé", "pl": "Streszczenie"}
_CONTENTS = {"en": "Contents", "de": "Inhaltsverzeichnis", "fr": "Table des matières", "pl": "Spis treści"}
_DATE_OUT = 4
"""One document out of so many has bookmarks."""


@dataclass
class _Typeset:
    """The body of a document as LaTeX, and the truth of it."""

    look: Look
    paper: Paper
    rng: random.Random
    text: list[str] = field(default_factory=list[str])
    headings: list[list[Any]] = field(default_factory=list[list[Any]])
    paragraphs: list[list[str]] = field(default_factory=list[list[str]])
    notes: list[str] = field(default_factory=list[str])
    floats: int = 0

    def say(self, sentences: tuple[Sentence, ...] | list[Sentence], *, judged: bool = True) -> str:
        """Sentences as LaTeX; those that are `judged` make a paragraph of the truth."""
        if judged:
            self.paragraphs.append([one.text for one in sentences])
        return " ".join(self._sentence(one) for one in sentences)

    def _sentence(self, one: Sentence) -> str:
        if not one.note or self.look.name in {"slides", "letter"}:
            return tex(one.text)
        self.notes.append(one.note)
        note = rf"\footnote{{{tex(one.note)}}}"
        if not one.note_at:
            return tex(one.text) + note
        words = one.text.split(" ")
        return f"{tex(' '.join(words[: one.note_at]))}{note} {tex(' '.join(words[one.note_at :]))}"

    def add(self, piece: Piece) -> None:
        """Sets a piece of the document."""
        getattr(self, f"_add_{piece.kind}")(piece)

    def _add_heading(self, piece: Piece) -> None:
        if self.look.name == "letter":
            return
        level = min(piece.level, self.look.deepest)
        deep = 0 if self.look.name == "slides" else level + (2 if self.look.chapters else 1)
        self.headings.append([deep, piece.text])
        if self.look.name == "slides":
            self.text.append("" if len(self.headings) < 3 else r"\end{frame}")
            self.text.append(rf"\begin{{frame}}\frametitle{{{tex(piece.text)}}}")
            return
        star = "" if piece.numbered and level < 4 else "*"
        title = tex(piece.text)
        self.text.append(rf"\{_COMMANDS[level]}{star}{{{title}}}" + "\n")

    def _add_runin(self, piece: Piece) -> None:
        if self.look.name in {"letter", "slides", "mathematics"}:  # the last sets them as text
            return
        self.headings.append([6 if self.look.chapters else 5, piece.text])
        dot = "" if piece.text[-1] in "?!" or self.look.name in {"ieee", "acm"} else "."
        self.text.append(rf"\paragraph{{{tex(piece.text)}{dot}}}")

    def _add_text(self, piece: Piece) -> None:
        self.text.append(self.say(piece.sentences if self.look.name != "slides" else piece.sentences[:2]) + "\n\n")

    def _add_theorem(self, piece: Piece) -> None:
        kind, _, name = piece.text.partition("|")
        if self.look.name in {"letter", "slides", "exam"}:
            return
        self.headings.append([0, f"{kind} # {name}".strip()])
        option = f"[{name}]" if name else ""
        said = self.say([Sentence(one.text) for one in piece.sentences])
        self.text.append(rf"\begin{{{kind.lower()}}}{option} {said}\end{{{kind.lower()}}}" + "\n\n")

    def _add_proof(self, piece: Piece) -> None:
        if self.look.name in {"letter", "slides", "exam"}:
            return
        self.text.append(
            rf"\begin{{proof}} {self.say([Sentence(s.text) for s in piece.sentences], judged=False)}\end{{proof}}"
        )

    def _add_table(self, piece: Piece) -> None:
        rows = r"\\ ".join(
            f"Gauge {n} & {self.rng.randint(3, 99)}.{self.rng.randint(0, 9)} & {self.rng.randint(1, 9)}"
            for n in range(4)
        )
        self._float(
            "table",
            rf"\caption{{{tex(piece.text)}}}\begin{{tabular}}{{lrr}}\toprule Station & Level & Days\\ \midrule {rows}\\ \bottomrule\end{{tabular}}",
        )

    def _add_figure(self, piece: Piece) -> None:
        drawn = r"\begin{tikzpicture}[scale=.6]\draw[->](0,0)--(6,0) node[right]{\small $t$};\draw[->](0,0)--(0,4) node[left]{\small $h$};\draw[thick](0,0.4)..controls(2,5)and(3,0)..(5.6,3);\end{tikzpicture}"
        self._float("figure", rf"\centering {drawn}\caption{{{tex(piece.text)}}}")

    def _add_algorithm(self, piece: Piece) -> None:
        if self.look.name in {"exam", "letter", "slides", "physics"}:
            return
        self._float(
            "algorithm",
            rf"\caption{{{tex(piece.text)}}}\begin{{algorithmic}}[1]\State $x\gets 0$\For{{each update $u$ received}}\State $x\gets x\sqcup u$\If{{$x>k$}}\State send $x$ to all\EndIf\EndFor\State\Return $x$\end{{algorithmic}}",
            starred=False,
        )

    def _float(self, kind: str, body: str, *, starred: bool = True) -> None:
        self.floats += 1
        if self.look.name in {"letter", "slides", "exam"}:
            return
        star = "*" if starred and "twocolumn" in self.look.head and self.rng.random() < 0.25 else ""
        self.text.append(
            rf"\begin{{{kind}{star}}}[{self.rng.choice(('t', 'tb', 'ht', 'tbp'))}]{body}\end{{{kind}{star}}}" + "\n"
        )

    def _add_list(self, piece: Piece) -> None:
        kind = self.rng.choice(("itemize", "enumerate"))
        items = "".join(rf"\item {self.say([Sentence(one.text)])}" + "\n" for one in piece.sentences)
        self.text.append(rf"\begin{{{kind}}}{items}\end{{{kind}}}" + "\n\n")

    def _add_equation(self, piece: Piece) -> None:
        self.text.append(
            rf"\begin{{equation}} h_i(t) = \sum_{{j=1}}^{{n}} w_{{ij}} x_j + {self.rng.randint(2, 9)}\end{{equation}}"
            + "\n"
        )
        self.text.append(self.say(piece.sentences) + "\n\n")

    def _add_display(self, piece: Piece) -> None:
        self.text.append(
            r"\begin{quote}" + self.say([Sentence(one.text) for one in piece.sentences]) + r"\end{quote}" + "\n\n"
        )

    def _add_code(self, piece: Piece) -> None:
        if self.look.name in {"slides", "letter"}:
            return
        self.text.append(
            "\\begin{lstlisting}[basicstyle=\\small\\ttfamily]\ndef merge(a, b):\n    # keep the larger of both\n    return max(a, b)\n\\end{lstlisting}\n"
        )


def tex(text: str) -> str:
    """Plain text as LaTeX."""
    return re.sub(r"([%&#_$])", r"\\\1", text).replace("“", "``").replace("”", "''").replace("’", "'")


def _theorems(look: Look) -> str:
    if look.own_theorems or look.name in {"slides", "letter", "exam"}:
        return ""
    within = "[section]" if hash_of(look.head) % 2 else ""
    lines = "".join(
        (r"\theoremstyle{definition}" if name in {"Definition", "Example"} else r"\theoremstyle{plain}")
        + (rf"\newtheorem{{{name.lower()}}}{{{name}}}{within}" if not at else rf"\newtheorem{{{name.lower()}}}[theorem]{{{name}}}")
        for at, name in enumerate(THEOREMS)
    )  # fmt: skip
    own = "" if look.name == "mathematics" else r"\let\proof\relax\let\endproof\relax\usepackage{amsthm}"
    return own + lines


def hash_of(text: str) -> int:
    """A number that a text always has."""
    return int(hashlib.sha256(text.encode()).hexdigest()[:12], 16)


def _references(look: Look, made: Paper, rng: random.Random) -> tuple[str, list[list[Any]]]:
    if look.name in {"letter", "slides", "exam"}:
        return "", []
    label = "[Preiss(2001)]" if look.name == "astronomy" else ""
    items = "\n".join(rf"\bibitem{label}{{k{at}}} {tex(text)}" for at, text in enumerate(made.refs))
    name = {
        "en": "Bibliography" if look.chapters else "References",
        "de": "Literaturverzeichnis" if look.chapters else "Literatur",
    }.get(made.language, {"fr": "Références", "pl": "Literatura"}.get(made.language, ""))
    text = rf"\begin{{thebibliography}}{{99}}{items}\end{{thebibliography}}" + "\n"
    told = [] if look.cite_title == "-" else [[2, look.cite_title or name]]
    return text, told


def source(name: str, seed: int) -> tuple[str, dict[str, Any]]:
    """The LaTeX source of a document, and what is true of it."""
    rng = random.Random(f"{name} {seed}")
    kind = name.rsplit("-", 1)[0]
    language = rng.choice(("en", "en", "de", "fr", "pl")) if kind in _OF_LANGUAGE else "en"
    state = rng.getstate()
    plan = LOOKS[kind][0](paper(rng, language, chapters=False, length=3, theory=False), rng)
    rng.setstate(state)
    made = paper(
        rng, language, chapters=plan.chapters, length=rng.randint(4, 7), theory=rng.random() < 0.5 and language == "en"
    )
    look = LOOKS[kind][0](made, rng)
    if look.chapters != plan.chapters:
        made.pieces = [
            p if p.level or p.kind != "heading" else Piece(p.kind, p.text, 0 if look.chapters else 1, (), p.numbered)
            for p in made.pieces
        ]
    body = _Typeset(look, made, rng)
    abstract = body.say(made.abstract) if "«ABSTRACT»" in look.front else ""
    front = look.front.replace("«TITLE»", tex(made.title)).replace("«ABSTRACT»", abstract)
    if kind != "letter":
        body.headings.append([1, made.title])
    if look.alone and "«ABSTRACT»" in look.front:
        body.headings.append([2, _ABSTRACTS[language]])
    if look.contents:
        body.headings.append([2, _CONTENTS[language]])
    for piece in made.pieces:
        body.add(piece)
    refs, told = _references(look, made, rng)
    appendix = list(_appendix(body)) if rng.random() < 0.4 and kind not in {"letter", "slides", "exam"} else []
    body.headings += told
    text = "".join(body.text) + (r"\end{frame}" if kind == "slides" else "")
    whole = _head(look, language) + front + text + "".join(appendix) + refs + look.tail + r"\end{document}"
    outline = hash_of(name) % _DATE_OUT == 0 and kind not in {"acm", "slides"}
    if outline:
        whole = whole.replace(r"\begin{document}", r"\usepackage[hidelinks]{hyperref}\begin{document}", 1)
    optional = ["Proof", "Dowód", "Démonstration", "Beweis", "Algorithm", *look.optional]
    if not look.alone:
        optional.append(_ABSTRACTS[language])
    return whole, {
        "headings": body.headings, "optional": optional, "paragraphs": body.paragraphs, "notes": body.notes,
        "furniture": look.furniture, "marks": look.marks, "contents": look.contents,
    }  # fmt: skip


def _appendix(body: _Typeset) -> Iterator[str]:
    kept, body.text = body.text, []
    words = body.paper.pieces
    body.text.append(r"\appendix" + "\n")
    top = 0 if body.look.chapters else 1
    title = {"en": "Additional Material", "de": "Ergänzungen", "fr": "Compléments", "pl": "Uzupełnienia"}[
        body.paper.language
    ]
    body.add(Piece("heading", title, top))
    if "conference" in body.look.head:
        body.headings[-1][1] = "Appendix"  # the class shows no title there
    extra = next((p for p in words if p.kind == "text"), None)
    if extra is not None:
        prose = random.Random(str(body.paper.title))
        said = tuple(Sentence(f"Compare {prose.randint(11, 99)}: {s.text}") for s in extra.sentences)
        body.add(Piece("text", sentences=said))
    yield from body.text
    body.text = kept


def _head(look: Look, language: str) -> str:
    head = look.head
    if language == "de":
        head += r"\usepackage[ngerman]{babel}"
    names = _NAMES.get(language, "")
    names = rf"\AtBeginDocument{{{names}}}" if names else ""
    return head + _theorems(look) + names + "\n"


def make(name: str, folder: Path, seed: int) -> dict[str, Any] | None:
    """The truth of a document, which is typeset where it is not there."""
    target, told = folder / f"{name}.pdf", folder / f"{name}.json"
    if not told.exists():
        text, truth = source(name, seed)
        with tempfile.TemporaryDirectory() as scratch:
            Path(scratch, "made.tex").write_text(text, encoding="utf-8")
            for _ in range(3):
                command = ["pdflatex", "-interaction=nonstopmode", "made.tex"]
                subprocess.run(command, cwd=scratch, capture_output=True, timeout=SECONDS, check=False)
            made = Path(scratch, "made.pdf")
            log = Path(scratch, "made.log").read_text(encoding="latin-1")
            faults = re.findall(r"(?m)^! .*\n?.*", log)
            if faults or not made.exists():
                print(name, "is not set:", *faults[:3], sep="\n  ")
                (folder / f"{name}.tex").write_text(text, encoding="utf-8")
                return None
            target.write_bytes(made.read_bytes())
            (folder / f"{name}.tex").write_text(text, encoding="utf-8")
        told.write_text(json.dumps(truth, ensure_ascii=False), encoding="utf-8")
    return json.loads(told.read_text(encoding="utf-8"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--held", action="store_true", help="those held back instead of those to work with")
    parser.add_argument("--list", action="store_true", help="what is wrong, one a line")
    parser.add_argument("--only", default="", help="documents whose names begin so")
    parser.add_argument("--make", action="store_true", help="only make the documents")
    arguments = parser.parse_args()
    folder: Path = arguments.folder / str(arguments.seed)
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"{kind}-{at}" for kind, (_, several) in LOOKS.items() for at in range(several)]
    names = [name for name in names if name.startswith(arguments.only)]
    names = [n for n in names if arguments.make or hash_of(f"{n} {arguments.seed}") % 2 == arguments.held]
    with ThreadPoolExecutor(2) as pool:
        truths = dict(zip(names, pool.map(partial(make, folder=folder, seed=arguments.seed), names), strict=True))
    if arguments.make:
        return
    score = Score()
    for name, truth in truths.items():
        if truth:
            count(folder / f"{name}.pdf", name, truth, score)
    if arguments.list:
        print(*score.notes, sep="\n")
    print(score.summary())


if __name__ == "__main__":
    main()
