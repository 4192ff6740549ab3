"""Sets tables of other people's TeX sources anew, in documents of four designs, and writes down what they say.

    python tests/bench/pages_printed/printed_latex.py SOURCES FOLDER [--skip TRUTH ...] [--most N]

SOURCES is a folder of `.tex`, `.ltx` and `.Rnw` files, whatever lies in it: documentation of packages, articles,
vignettes. FOLDER gets PDFs and `truth.json` for `pdf_pages.py FOLDER --truth FOLDER/truth.json`. Needs pdflatex and
booktabs. A table is taken where it uses no other commands than `SAID`, `KEPT` and `DROPPED`, so that what its cells say
is known, and where the letters of a page that holds it alone are those of the cells: `pdflatex` checks our reading of
the source, and none of our readers of PDFs has a part in it. Folders that a file of `--skip` has are left out. Around
each table stand two paragraphs of the sources. Tables and halves are drawn by hashes of their texts.

First counts of what it made of the documentation of 28 packages of TeX Live and the vignettes of R packages, without
the folders that truths of tables had, and of the sources of 18 Debian packages (adolc, calculix-ccx, coinor-ipopt,
getdp, glpk, gnuplot, hevea, hmmer, hmmer2, hypre, iqtree, metis, mrbayes, muscle, noweb, paml, phyml, scotch and
sundials): 44 tables in 26 documents, rows 65 of 134, of wrong tables 3 of 8 flagged, and held 99 of 142, 1 of 5. Two
tables of the former have a pair of columns twice, which we read as two tables, and five are calls of functions.
After the work on the former 80, 2 of 8, and held, counted once, 98, 2 of 6. A letter (µ) was set right since: it
makes 45 tables in 27 documents now.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pypdfium2

TABULAR = re.compile(r"\\begin\{(tabular\*?|tabularx|longtable)\}(.*?)\\end\{\1\}", re.DOTALL)
UNREAD = re.compile(r"\\begin\{(verbatim\*?|lstlisting|Verbatim|LTXexample|alltt)\}.*?\\end\{\1\}", re.DOTALL)
CHUNK = re.compile(r"^<<.*?>>=\n.*?\n@", re.DOTALL | re.MULTILINE)
COMMENT = re.compile(r"(?<!\\)%[^\n]*\n?[ \t]*")
SAID = {
    "%": "%", "&": "&", "_": "_", "#": "#", "$": "$", "{": "{", "}": "}", "LaTeX": "LATEX", "TeX": "TEX", "S": "§",
    "dots": "...", "ldots": "...", "textbackslash": "\\", "copyright": "©", "P": "¶", "pm": "±", "times": "×",
    "cdot": "·", "leq": "≤", "geq": "≥", "alpha": "α", "beta": "β", "gamma": "γ", "lambda": "λ", "mu": "µ",
    "sigma": "σ", "pi": "π", "quad": " ", "qquad": " ", " ": " ", ",": " ", ";": " ", "ss": "ß", "textbar": "|",
    "textless": "<", "textgreater": ">", "rightarrow": "→", "to": "→", "infty": "∞", "textasciitilde": "~",
}  # fmt: skip
"""What commands say; the micro sign is what fonts of TeX call their letter."""
KEPT = frozenset(
    [
        "textbf",
        "textit",
        "texttt",
        "textsf",
        "textsc",
        "textrm",
        "textsl",
        "emph",
        "text",
        "underline",
        "textnormal",
        "code",
        "textmd",
        "boldsymbol",
        "mathbf",
        "ensuremath",
        "mathrm",
        "mbox",
        "mathit",
    ]
)
"""Commands that change the look of their argument."""
DROPPED = frozenset(
    [
        "bfseries",
        "itshape",
        "ttfamily",
        "sffamily",
        "scshape",
        "bf",
        "it",
        "tt",
        "sf",
        "sl",
        "em",
        "rm",
        "small",
        "footnotesize",
        "scriptsize",
        "normalsize",
        "large",
        "Large",
        "tiny",
        "centering",
        "raggedright",
        "arraybackslash",
        "hline",
        "toprule",
        "midrule",
        "bottomrule",
        "addlinespace",
        "tabularnewline",
        "/",
        "relax",
        "strut",
        "bigstrut",
        "null",
        "protect",
        "displaystyle",
        "noindent",
        "hfil",
        "hfill",
        "@",
        "!",
        "-",
    ]
)
"""Commands that say nothing."""
ACCENTS = {"'": "\u0301", "`": "\u0300", '"': "\u0308", "^": "\u0302", "~": "\u0303"}
RULES = re.compile(r"\\(?:cline|cmidrule)\s*(?:\([a-z]*\))?\s*\{[\d-]+\}|\\\\\*?\s*\[[^\]]*\]|\\vspace\*?\{[^{}]*\}")
WIDE = re.compile(r"\\multicolumn\s*\{\s*(\d+)\s*\}\s*\{([^{}]|\{[^{}]*\})*\}\s*(?=\{)")
DESIGNS = (
    r"\documentclass[11pt]{article}",
    r"\documentclass[10pt,twocolumn]{article}",
    r"\documentclass[12pt,a4paper]{report}\usepackage[T1]{fontenc}\usepackage{times}",
    r"\documentclass[11pt]{scrartcl}\usepackage[T1]{fontenc}\usepackage{palatino}",
)  # fmt: skip
PACKAGES = r"\usepackage[utf8]{inputenc}\usepackage{amsmath,amssymb,array,booktabs,longtable,tabularx}"
LONGEST, MOST_ROWS, MOST_OF_FILE, MOST_OF_FOLDER = 200, 40, 7, 14
SECONDS = 20  # for a document


Rows = list[list[str]]


class NotTakenError(ValueError):
    """A source that says what is not known here."""


def text_of(source: str) -> str:
    """What a piece of TeX says; raises NotTakenError where it has other commands than those known here."""
    for accent, mark in ACCENTS.items():
        source = re.sub(rf"\\{re.escape(accent)}\s*(?:\{{\\?([a-zA-Z])\}}|\\?([a-zA-Z]))", rf"\1\2{mark}", source)
    source = re.sub(r"\^\{([-+\d]+)\}|\^(\d)", r"\\textsuperscript{}\1\2", source)
    if re.search(r"[_^]", re.sub(r"\\[_^]", "", source)):
        raise NotTakenError(source)

    def said(match: re.Match[str]) -> str:
        name = match[1]
        if name in SAID:
            return f"\0{ord(SAID[name])};" if SAID[name] in "{}$" else SAID[name]
        if name == "textsuperscript":
            return "^"
        if name in KEPT or name in DROPPED:
            return ""
        raise NotTakenError(name)

    text = re.sub(
        r"\\([a-zA-Z]+)\s*|\\([^a-zA-Z])", lambda m: said(re.match(r"\\(\w+|.)", m[0], re.DOTALL) or m), source
    )
    text = re.sub(r"[{}$]", "", text.replace("---", "—").replace("--", "–").replace("``", "“").replace("''", "”"))
    text = re.sub(r"\0(\d+);", lambda m: chr(int(m[1])), text.replace("~", " "))
    return unicodedata.normalize("NFC", re.sub(r"\s+", " ", text)).strip()


def split_at(body: str, sign: str) -> list[str]:
    """A body parted at signs outside of braces."""
    parts, depth, start, at = [""], 0, 0, 0
    while at < len(body):
        if depth == 0 and body.startswith(sign, at):
            parts[-1], start = body[start:at], at + len(sign)
            parts.append("")
            at = start
            continue
        depth += {"{": 1, "}": -1}.get(body[at], 0)
        at += 2 if body[at] == "\\" else 1
    parts[-1] = body[start:]
    return parts


def closed(text: str, at: int) -> int:
    """The place behind the brace that closes the one at a place."""
    depth = 0
    for match in re.compile(r"\\.|[{}]", re.DOTALL).finditer(text, at):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    raise NotTakenError("a brace is not closed")


def rows_of(name: str, inner: str) -> Rows:
    """The rows of a table's source, each with a cell for every column; a cell over several columns is in the first."""
    at, spec = 0, ""
    for _ in range(2 if name in ("tabular*", "tabularx") else 1):
        at = inner.index("{", at)
        spec, at = inner[at : closed(inner, at)], closed(inner, at)
    if re.search(r"[@!]\{[^}]*[^}\s\\{]", re.sub(r"\\[a-z]+\{[^{}]*\}|\\[a-z]+|[\d.]+(?:em|pt|cm|mm)", "", spec)):
        raise NotTakenError("the columns say something")
    body = re.sub(
        r"\\tabularnewline", r"\\\\", RULES.sub(lambda m: r"\\" if m[0].startswith(r"\\") else "", inner[at:])
    )
    rows: Rows = []
    for line in split_at(body, r"\\"):
        row: list[str] = []
        for cell in split_at(line, "&"):
            wide = WIDE.search(cell)
            end = closed(cell, wide.end()) if wide else 0
            said = cell[: wide.start()] + cell[wide.end() + 1 : end - 1] + cell[end:] if wide else cell
            row += [text_of(said), *[""] * (int(wide[1]) - 1 if wide else 0)]
        if any(row):
            rows.append(row)
    width = max(map(len, rows), default=0)
    rows = [row + [""] * (width - len(row)) for row in rows]
    kept = [at for at in range(width) if any(row[at] for row in rows)]
    return [[row[at] for at in kept] for row in rows]


def is_taken(rows: Rows) -> bool:
    """Whether a reader would call rows a table."""
    cells = [cell for row in rows for cell in row if cell]
    several = sum(sum(map(bool, row)) > 1 for row in rows)
    short = sum(len(cell) < 2 for cell in cells)
    few = len(rows) < 3 or len(rows) > MOST_ROWS or len(rows[0]) < 2
    return not few and several >= 0.7 * len(rows) and short <= 0.5 * len(cells) and max(map(len, cells)) <= LONGEST


def folded(text: str) -> str:
    """The letters of a text, as they are compared."""
    text = unicodedata.normalize("NFKC", text).translate(str.maketrans("’‘“”µ∗", "''\"\"μ*")).replace('"', "''")
    return re.sub(r"[\s^‐‑–—−\-\ufffe\u00ad·]+", "", text)


def is_set_so(source: str, rows: Rows, scratch: Path) -> bool:
    """Whether a page with the table alone has the letters of the rows and no others."""
    head = rf"\documentclass{{article}}\usepackage[T1]{{fontenc}}\usepackage{{times}}{PACKAGES}\pagestyle{{empty}}"
    whole = rf"{head}\begin{{document}}\noindent {source}\end{{document}}"
    pages = pages_of(whole, scratch / "alone")
    said = "".join(cell for row in rows for cell in row)
    return len(pages) == 1 and Counter(folded(pages[0]).upper()) == Counter(folded(said).upper())


def pages_of(document: str, path: Path) -> list[str]:
    """The letters of each page of a document; none where it cannot be set, or does not fit its lines."""
    path.with_suffix(".tex").write_text(document, "utf-8")
    path.with_suffix(".pdf").unlink(missing_ok=True)
    command = ["pdflatex", "-interaction=batchmode", "-halt-on-error", "-no-shell-escape", path.stem]
    try:
        done = subprocess.run(command, cwd=path.parent, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return []
    if done.returncode or not path.with_suffix(".pdf").exists():
        return []
    if any(
        float(by) > 8
        for by in re.findall(r"Overfull \\hbox \(([\d.]+)pt", path.with_suffix(".log").read_text("latin-1"))
    ):
        return []
    pdf = pypdfium2.PdfDocument(path.with_suffix(".pdf"))
    return [page.get_textpage().get_text_range() for page in pdf]


def number(text: str) -> int:
    """A number drawn from a text."""
    return int(hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest(), 16)


def sources_in(folder: Path, skipped: set[str]) -> Iterator[tuple[str, str]]:
    """The place and the text of each source, without listings, programs and comments."""
    walked = ((Path(at), names) for at, _, names in os.walk(folder, followlinks=True))
    places = [at / name for at, names in walked for name in names if name.endswith((".tex", ".ltx", ".Rnw"))]
    for path in sorted(places, key=lambda path: number(str(path.relative_to(folder)))):
        place = str(path.relative_to(folder))
        if place.rsplit("/", 1)[0] not in skipped:
            data = path.read_bytes()
            text = data.decode("utf-8") if is_utf8(data) else data.decode("latin-1")
            yield place, COMMENT.sub("", CHUNK.sub("", UNREAD.sub("", text)))


def is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def prose_in(text: str) -> Iterator[str]:
    """Paragraphs of a source that say only what is known here, as TeX."""
    for paragraph in re.split(r"\n\s*\n", text):
        if 250 < len(paragraph) < 900 and not re.search(r"[&#$_^~\\]|(?<![A-Za-z])\[", paragraph):
            yield paragraph.strip()


def document_of(tables: list[str], prose: list[str], seed: int) -> str:
    """A document with tables between paragraphs, some as floats with a caption."""
    design = DESIGNS[seed % len(DESIGNS)]
    parts = [f"{design}{PACKAGES}\\begin{{document}}\\section{{{' '.join(prose[0].split()[:4]).strip('.,;:')}}}"]
    for at, table in enumerate(tables):
        floats = "longtable" not in table[:20] and (seed >> 4 + at) % 2
        star = "*" if floats and "twocolumn" in design and (seed >> 8 + at) % 2 else ""
        caption = " ".join(prose[at + 1].split()[:9]).strip(".,;:")
        parts += [
            prose[at],
            rf"\begin{{table{star}}}[tbp]\centering\caption{{{caption}.}}" + "\n" + table + rf"\end{{table{star}}}"
            if floats
            else rf"\begin{{center}}{table}\end{{center}}",
        ]
    return "\n\n".join([*parts, prose[len(tables)], r"\end{document}"])


def tables_in(text: str, seen: set[str], most: int) -> list[tuple[str, Rows]]:
    """The tables of a source, each with its rows, that none said before and pdflatex sets as they say."""
    taken: list[tuple[str, Rows]] = []
    with tempfile.TemporaryDirectory() as scratch:
        for match in TABULAR.finditer(text):
            try:
                rows = rows_of(match[1], match[2])
            except (NotTakenError, ValueError):
                continue
            full = len(taken) >= min(most, MOST_OF_FILE)
            if full or not rows or not is_taken(rows) or json.dumps(rows) in seen:
                continue
            if is_set_so(match[0], rows, Path(scratch)):
                seen.add(json.dumps(rows))
                taken.append((match[0], rows))
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--skip", type=Path, nargs="*", default=[])
    parser.add_argument("--most", type=int, default=90, metavar="N", help="tables")
    arguments = parser.parse_args()
    skipped = {place.rsplit("/", 1)[0] for file in arguments.skip for place in json.loads(file.read_text("utf-8"))}
    arguments.folder.mkdir(parents=True, exist_ok=True)
    sources = list(sources_in(arguments.sources, skipped))
    prose = sorted({p for _, text in sources for p in prose_in(text)}, key=number)
    of_folder: Counter[str] = Counter()
    truth: dict[str, object] = {}
    seen: set[str] = set()
    count = 0
    for place, text in sources:
        taken = tables_in(text, seen, MOST_OF_FOLDER - of_folder[place.rsplit("/", 1)[0]])
        seed = number(place)
        name, start = f"{seed % 16**8:08x}.pdf", seed % max(len(prose) - MOST_OF_FILE, 1)
        around = prose[start : start + MOST_OF_FILE + 1]
        whole = document_of([source for source, _ in taken], around, seed) if taken else ""
        said = [folded(page) for page in pages_of(whole, arguments.folder / name)] if taken else []
        pages: dict[int, list[Rows]] = {}
        for _, rows in taken:
            cells = [folded(cell)[:12] for row in rows for cell in row if cell]
            on = [at for at, page in enumerate(said, 1) if all(cell in page for cell in cells)]
            pages.setdefault(on[0] if on else 0, []).append(rows)
        pages.pop(0, None)
        if pages:
            shown = {str(at): {"partial": True, "tables": tables} for at, tables in pages.items()}
            truth[name] = {"held": f"{seed:040x}"[0] in "01234567", "from": place, "pages": shown}
            of_folder[place.rsplit("/", 1)[0]] += len(taken)
            count += sum(map(len, pages.values()))
        if count >= arguments.most:
            break
    for path in arguments.folder.iterdir():
        if path.suffix != ".json" and path.name not in truth:
            path.unlink()
    (arguments.folder / "truth.json").write_text(json.dumps(truth, ensure_ascii=False), "utf-8")
    print(f"{count} tables in {len(truth)} documents")


if __name__ == "__main__":
    main()
