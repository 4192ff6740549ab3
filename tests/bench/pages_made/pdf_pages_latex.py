"""Makes the papers of the fifteenth truth of `pdf_pages.py`, typeset by LaTeX, and writes down what their tables say.

    python tests/bench/pages_made/pdf_pages_latex.py FOLDER [--seed N] [--count N]

pdflatex, lualatex and xelatex of TeX Live 2022 set them, in the classes of journals and conferences. FOLDER gets the
PDFs and `truth.json`, as `pdf_pages.py` reads it: rows as they were set, each on the page that LaTeX wrote it on, and
pages that have no table. Half of the files, by a hash of their names, are held back.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pypdfium2
from pdf_pages_latex_contents import Content
from pdf_pages_latex_more import CONTENTS
from pdf_pages_latex_prose import DECOYS, abstract, bibliography, figure, paragraph, title
from pdf_pages_latex_tables import Look, long_tabular, look, tabular, tex

COMMON = r"""
\usepackage{booktabs,multirow,makecell,array,tabularx,longtable,graphicx,adjustbox,pifont,amsmath,siunitx,rotating,wrapfig,tikz,listings}
\usepackage{xcolor}
\newcommand\turned[1]{\rotatebox{ANGLE}{#1}}
\newwrite\wherefile\immediate\openout\wherefile=where.txt
\newcommand\where[1]{\write\wherefile{#1 \the\ReadonlyShipoutCounter}}
\lstset{basicstyle=\ttfamily\footnotesize}
"""
FONTS = {
    "cm": "", "t1": r"\usepackage[T1]{fontenc}\usepackage{lmodern}",
    "times": r"\usepackage[T1]{fontenc}\usepackage{mathptmx}",
    "palatino": r"\usepackage[T1]{fontenc}\usepackage{mathpazo}",
    "charter": r"\usepackage[T1]{fontenc}\usepackage{charter}",
    "sans": r"\usepackage[T1]{fontenc}\usepackage{helvet}\renewcommand\familydefault{\sfdefault}",
    "txfonts": r"\usepackage[T1]{fontenc}\usepackage{txfonts}",
    "dejavu": r"\usepackage{fontspec}\setmainfont{DejaVu Serif}",
    "liberation": r"\usepackage{fontspec}\setmainfont{Liberation Serif}",
}  # fmt: skip
NARROW = r"\usepackage[letterpaper,textwidth=6.875in,textheight=8.875in,columnsep=0.3125in]{geometry}"


@dataclass(frozen=True)
class Style:
    """A class of papers: its preamble, the columns of its pages, the fonts it is set in, and the program."""

    preamble: str
    columns: int
    fonts: tuple[str, ...]
    program: str = "pdflatex"
    chapters: bool = False
    dashes: bool = True


STYLES = {
    "article": Style(r"\documentclass{article}\usepackage[margin=1in]{geometry}", 1, ("cm", "t1", "times",
    "palatino", "charter")),
    "article11": Style(r"\documentclass[11pt,a4paper]{article}", 1, ("cm", "t1", "sans")),
    "twocolumn": Style(r"\documentclass[twocolumn,10pt]{article}\usepackage[margin=0.75in]{geometry}", 2, ("cm",
    "t1", "times", "txfonts")),
    "ieee": Style(r"\documentclass[conference]{IEEEtran}", 2, ("cm", "times")),
    "ieeejournal": Style(r"\documentclass[journal]{IEEEtran}", 2, ("times",)),
    "acm": Style(r"\documentclass[sigconf,nonacm]{acmart}", 2, ("own",)),
    "acmmanuscript": Style(r"\documentclass[manuscript,review,nonacm]{acmart}", 1, ("own",)),
    "elsevier": Style(r"\documentclass[review]{elsarticle}\usepackage{lineno}\linenumbers", 1, ("cm", "times")),
    "elsevier5p": Style(r"\documentclass[5p,times]{elsarticle}", 2, ("cm",)),
    "llncs": Style(r"\documentclass{llncs}", 1, ("cm", "t1")),
    "revtex": Style(r"\documentclass[aps,prl,twocolumn]{revtex4-2}", 2, ("cm", "t1"), dashes=False),
    "neurips": Style(
        r"\documentclass{article}\usepackage[letterpaper,textwidth=5.5in,textheight=9in]{geometry}", 1, ("times",)
    ),
    "cvpr": Style(r"\documentclass[10pt,twocolumn]{article}" + NARROW, 2, ("times",)),
    "acl": Style(
        r"\documentclass[11pt,twocolumn,a4paper]{article}\usepackage[margin=2.5cm,columnsep=0.6cm]{geometry}",
        2, ("times", "txfonts"),
    ),
    "ams": Style(r"\documentclass{amsart}", 1, ("cm", "t1")),
    "report": Style(r"\documentclass{report}", 1, ("cm", "palatino"), chapters=True),
    "koma": Style(r"\documentclass{scrartcl}", 1, ("t1", "sans")),
    "xetex": Style(r"\documentclass{article}\usepackage[margin=1in]{geometry}", 1, ("liberation", "dejavu"), "xelatex"),
    "luatex": Style(r"\documentclass[twocolumn]{article}\usepackage[margin=0.8in]{geometry}", 2, ("liberation",),
    "lualatex"),
}  # fmt: skip


@dataclass
class Paper:
    """The source of a paper, and its tables by name."""

    r: random.Random
    style: Style
    lines: list[str] = field(default_factory=list[str])
    tables: dict[str, Content] = field(default_factory=dict[str, Content])
    dashed: bool = False

    def _named(self, content: Content, used: Look) -> str:
        self.dashed |= used.rules == "dashed"
        self.tables[name := f"t{len(self.tables)}"] = content
        return name

    def _set(self, content: Content, used: Look, caption: str = r"\caption") -> str:
        body = tabular(content, used, self._named(content, used))
        said = f"{caption}{{{tex(content.caption)}}}"
        return f"{said}\n\n{body}" if used.above else f"{body}\n{said}"

    def table(self, content: Content, kind: str, rules: str = "") -> None:
        """Puts a table in, as a float, over both columns, in the text, or with text around it."""
        used = look(self.r, content, rules)
        if used.rules == "dashed" and not self.style.dashes:
            used = replace(used, rules="booktabs")
        if kind == "long":
            self.lines.append(long_tabular(content, used, self._named(content, used), tex(content.caption)))
        elif kind == "here":
            self.lines.append("\\begin{center}\n" + self._set(content, used, r"\captionof{table}") + "\n\\end{center}")
        elif kind == "bare":
            self.lines.append(
                "\\begin{center}\n" + tabular(content, used, self._named(content, used)) + "\n\\end{center}"
            )
        elif kind == "wrapped":
            made = self._set(content, used)
            self.lines.append(
                f"\\begin{{wraptable}}{{r}}{{0.5\\linewidth}}\n\\centering\n{made}\n\\end{{wraptable}}\n{paragraph(self.r)}\n\n{paragraph(self.r)}"
            )
        else:
            place = self.r.choice(("t", "t", "b", "ht", "h!")) if kind != "sidewaystable" else "p"
            made = self._set(content, used)
            self.lines.append(f"\\begin{{{kind}}}[{place}]\n\\centering\n{made}\n\\end{{{kind}}}")

    def pair(self, one: Content, other: Content) -> None:
        """Two tables side by side, each with its caption."""
        used = look(self.r, one, self.r.choice(("booktabs", "booktabs", "hline", "sparse")))
        made = [
            f"\\begin{{minipage}}[t]{{0.48\\linewidth}}\n\\centering\n{self._set(content, used)}\n\\end{{minipage}}"
            for content in (one, other)
        ]
        kind = "table*" if self.style.columns > 1 else "table"
        self.lines.append(f"\\begin{{{kind}}}[t]\n" + "\\hfill\n".join(made) + f"\n\\end{{{kind}}}")

    def source(self, fonts: str) -> str:
        head = (
            r"\PassOptionsToPackage{table}{xcolor}"
            + self.style.preamble
            + COMMON.replace("ANGLE", self.r.choice(("90", "90", "60", "45")))
            + FONTS.get(fonts, "")
        )
        head += r"\usepackage{caption}" if "acm" not in head and "revtex" not in head else ""
        head += r"\providecommand\captionof[2]{\par\small #2\par}"
        head += r"\usepackage{arydshln}" if self.dashed else ""
        return head + "\n\\begin{document}\n" + "\n\n".join(self.lines) + "\n\\end{document}\n"


def _kind(r: random.Random, style: Style, content: Content) -> str:
    wide = len(content.columns) > 6 or content.columns.count("w") > 1
    if style.columns > 1:
        return "table*" if wide or r.random() < 0.25 else "table"
    small = len(content.columns) <= 3 and "w" not in content.columns
    if small and r.random() < 0.4:
        return "wrapped"
    if content.long and r.random() < 0.6:
        return "long"
    return r.choice(("table", "table", "table", "here", "bare")) if r.random() < 0.95 else "sidewaystable"


def paper(name: str, number: int, r: random.Random) -> Paper:
    """A paper of a style, with about four tables, prose around them, and what looks like tables."""
    made = Paper(r, STYLES[name])
    part = r"\chapter" if made.style.chapters else r"\section"
    made.lines += _opening(name, r)
    chosen = [CONTENTS[(number * 5 + k) % len(CONTENTS)](r) for k in range(5)]
    narrow = [content for content in chosen if len(content.columns) < 5 and "w" not in content.columns]
    if len(narrow) > 1 and r.random() < 0.4:
        made.pair(*narrow[:2])
        chosen = [content for content in chosen if not any(content is other for other in narrow[:2])]
    for at, content in enumerate(chosen):
        made.lines.append(
            f"{part}{{{title(r)}}}" if at in (0, 2) or r.random() < 0.4 else rf"\subsection{{{title(r)}}}"
        )
        made.lines += [paragraph(r) for _ in range(r.randint(1, 3))]
        if r.random() < 0.6:
            made.lines.append(r.choice(DECOYS)(r))
        if r.random() < 0.3:
            made.lines.append(figure(r))
        made.table(content, _kind(r, made.style, content))
        made.lines += [paragraph(r) for _ in range(r.randint(1, 3))]
    made.lines.append(bibliography(r))
    if r.random() < 0.5:
        made.lines += [rf"\appendix{part}{{{title(r)}}}", paragraph(r)]
        made.table(CONTENTS[(number * 5 + 17) % len(CONTENTS)](r), "table")
        made.lines.append(paragraph(r))
    return made


def _opening(name: str, r: random.Random) -> list[str]:
    said, about = title(r), abstract(r)
    people = r.sample(("Mira Lindqvist", "Tomás Ferreira", "Aiko Ono", "Jonas Weber", "Ngozi Ade"), 2)
    if name.startswith("elsevier"):
        return [
            rf"\begin{{frontmatter}}\title{{{said}}}\author{{{people[0]}}}\author{{{people[1]}}}\begin{{abstract}}{about}\end{{abstract}}\end{{frontmatter}}"
        ]
    if name.startswith("acm"):
        authors = "".join(
            rf"\author{{{who}}}\affiliation{{\institution{{Institute of Records}}\country{{Norway}}}}" for who in people
        )
        return [rf"\title{{{said}}}{authors}\begin{{abstract}}{about}\end{{abstract}}\maketitle"]
    if name in ("revtex", "ams"):
        return [
            rf"\title{{{said}}}\author{{{people[0]}}}\author{{{people[1]}}}\begin{{abstract}}{about}\end{{abstract}}\maketitle"
        ]
    if name == "llncs":
        return [
            rf"\title{{{said}}}\author{{{people[0]} \and {people[1]}}}\institute{{Institute of Records}}"
            rf"\maketitle\begin{{abstract}}{about}\end{{abstract}}"
        ]
    contents = [r"\tableofcontents"] if name in ("report", "koma") or r.random() < 0.1 else []
    return [
        rf"\title{{{said}}}\author{{{people[0]} \and {people[1]}}}\maketitle\begin{{abstract}}{about}\end{{abstract}}",
        *contents,
    ]


def typeset(source: str, program: str, target: Path) -> dict[str, dict[int, int]]:
    """Runs LaTeX until its lists are right, unless that was done; of each table the page of each of its rows."""
    written = target.with_suffix(".pages")
    if not written.exists():
        with tempfile.TemporaryDirectory() as scratch:
            Path(scratch, "paper.tex").write_text(source, encoding="utf-8")
            for _ in range(2):
                command = [program, "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
                done = subprocess.run(command, cwd=scratch, capture_output=True, check=False, timeout=240)
                if done.returncode:
                    shutil.copy(Path(scratch, "paper.tex"), target.with_suffix(".tex"))
                    log = Path(scratch, "paper.log").read_text(encoding="utf-8", errors="replace")
                    raise RuntimeError(f"{target.name}: {log[log.find(chr(10) + '!') :][:400]}")
            shutil.copy(Path(scratch, "paper.pdf"), target)
            shutil.copy(Path(scratch, "where.txt"), written)
    pages: dict[str, dict[int, int]] = {}
    for line in written.read_text().splitlines():
        name, row, page = line.split()
        pages.setdefault(name, {})[int(row)] = int(page)
    return pages


def placed(target: Path, tables: dict[str, Content], pages: dict[str, dict[int, int]]) -> dict[str, Any]:
    """The tables of each page."""
    with pypdfium2.PdfDocument(target) as document:
        truth: dict[str, Any] = {str(n + 1): {"tables": []} for n in range(len(document))}
    for name, content in tables.items():
        if name not in pages:
            print(f"{target.name}: LaTeX dropped {name}")
            continue
        grid, head = content.grid(), content.head
        for number in sorted(set(pages[name].values())):
            rows = [at for at in range(head, len(grid)) if pages[name][at] == number]
            whole = len(rows) == len(grid) - head
            own = [grid[at] for at in rows]
            ways = content.grids() if whole else [grid[:head] + own]
            ways += [own] if number != pages[name][0] else []
            truth[str(number)]["tables"].append(ways[0] if len(ways) == 1 else {"either": [[way] for way in ways]})
    return {"pages": truth}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=15)
    parser.add_argument("--count", type=int, default=52, help="papers")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    truth: dict[str, Any] = {}
    for number in range(arguments.count):
        style = list(STYLES)[number % len(STYLES)]
        r = random.Random(f"{arguments.seed} {number}")
        fonts = r.choice(STYLES[style].fonts)
        file = f"{style}-{fonts}-{number}.pdf"
        made = paper(style, number, r)
        source = made.source(fonts)
        truth[file] = placed(
            arguments.folder / file, made.tables, typeset(source, STYLES[style].program, arguments.folder / file)
        )
        if hashlib.sha256(f"{arguments.seed} {file}".encode()).digest()[0] % 2:
            truth[file]["held"] = True
    (arguments.folder / "truth.json").write_text(json.dumps(truth, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
