"""How the documents of `pdf_order_latex.py` are set: a function a look, which writes the source of a document and keeps
the sentences of its flows. The table of all looks is at the end; those of scripts, fonts and turned pages are in
`…_scripts.py`."""
# ruff: noqa: E501, UP031  (LaTeX reads best unbroken, and is full of braces)

from __future__ import annotations

from collections.abc import Callable

from pdf_order_latex_document import Document, tex
from pdf_order_latex_scripts import SCRIPTS

__all__ = ["LOOKS", "Document"]
_DRAWN = r"\begin{tikzpicture}[scale=%s]\draw[->](0,0)--(6,0);\draw[->](0,0)--(0,3);\draw[thick](0,0.4)..controls(2,4)and(3,0)..(5.6,2);\end{tikzpicture}"


def figure(d: Document, kind: str = "figure", scale: float = 0.6) -> str:
    """A float with a caption of a sentence or two."""
    drawn = _DRAWN % scale
    caption = rf"\caption{{{d.say(d.rng.choice((1, 1, 2)), new=True)}}}"
    if d.rng.random() < 0.3:
        rows = r"\\ ".join(f"{n} & {d.rng.randint(3, 99)}.5 & {d.rng.randint(3, 99)}" for n in range(1, 5))
        body = rf"{caption}\begin{{tabular}}{{lrr}}\hline Year & Mean & Sum\\\hline {rows}\\\hline\end{{tabular}}"
        kind = kind.replace("figure", "table")
    else:
        body = drawn + caption
    return rf"\begin{{{kind}}}[{d.rng.choice(('t', 'tb', 'htbp', 'b'))}]\centering {body}\end{{{kind}}}" + "\n"


def body(d: Document, parts: int, *, floats: float = 0.3, notes: float = 0.3, wide: bool = False) -> str:
    """Sections of paragraphs, with floats and footnotes."""
    text = ""
    for _ in range(parts):
        text += rf"\section{{{d.title()}}}" + "\n"
        for _ in range(d.rng.randint(2, 4)):
            text += d.paragraph(4, 8, notes=notes) + "\n\n"
            if d.rng.random() < floats:
                text += figure(d, "figure*" if wide and d.rng.random() < 0.4 else "figure")
    return text


def two_columns(d: Document) -> str:
    """An article in two columns, its abstract over both."""
    head = d.head(f"{d.rng.choice(('9pt', '10pt', '11pt'))},twocolumn", d.rng.choice(("article", "extarticle")))
    title = rf"\title{{{d.title()}}}\author{{A. Author \and B. Other}}\date{{}}"
    abstract = d.say(4, new=True)
    kind = d.rng.choice(("abstract", "quote"))
    front = (
        rf"\begin{{document}}\twocolumn[\begin{{@twocolumnfalse}}\maketitle\begin{{{kind}}}{abstract}\end{{{kind}}}"
        r"\vspace{1em}\end{@twocolumnfalse}]"
    )
    d.free.append("Abstract A. Author B. Other and")
    return head + title + front + body(d, 6, wide=True) + d.references(9) + r"\end{document}"


def three_columns(d: Document) -> str:
    """A newsletter: articles in three columns, one under another."""
    text = (
        d.head("10pt")
        + r"\usepackage{multicol}\usepackage[margin=1.6cm]{geometry}\setlength\columnseprule{%s}\begin{document}"
        % d.rng.choice(("0pt", ".4pt"))
    )
    text += rf"\begin{{center}}\Huge\bfseries {d.title()}\end{{center}}"
    for _ in range(4):
        d.flow()
        text += (
            rf"\noindent{{\Large\bfseries {d.title()}}}\begin{{multicols}}{{{d.rng.choice((2, 3, 3))}}}\noindent "
            + d.paragraph(3, 5)
        )
        text += "".join("\n\n" + d.paragraph(3, 7) for _ in range(3)) + r"\end{multicols}" + "\n"
    return text + r"\end{document}"


def conference(d: Document) -> str:
    """IEEEtran with floats over one and two columns, and an algorithm."""
    text = r"\documentclass[%s]{IEEEtran}" % d.rng.choice(("conference", "journal")) + d.packages()
    text += rf"\usepackage{{algorithm,algpseudocode}}\title{{{d.title()}}}\author{{\IEEEauthorblockN{{A. Author}}\IEEEauthorblockA{{Institute\\ Town}}}}\begin{{document}}\maketitle"
    text += rf"\begin{{abstract}}{d.say(4, new=True)}\end{{abstract}}" + "\n"
    d.flow()
    text += body(d, 3, wide=True)
    lines = "".join(rf"\State $x\gets x+{n}$" for n in range(4))
    text += rf"\begin{{algorithm}}\caption{{{d.say(1, new=True)}}}\begin{{algorithmic}}[1]{lines}\For{{each $x$}}\State stop\EndFor\end{{algorithmic}}\end{{algorithm}}"
    text += body(d, 3, wide=True) + d.references(14) + r"\end{document}"
    d.free.append("Abstract A. Author Institute Town Algorithm for each stop end do Index Terms")
    return text


def physics(d: Document) -> str:
    """revtex in two columns with a title block of affiliations and displayed equations."""
    text = (
        r"\documentclass[%s,twocolumn,10pt,a4paper]{revtex4-2}" % d.rng.choice(("aps,prl", "aps,prb", "aip"))
        + d.packages()
    )
    text += (
        rf"\begin{{document}}\title{{{d.title()}}}\author{{A. Author}}\affiliation{{Institute, Town}}\date{{1 May 2020}}\begin{{abstract}}{d.say(3, new=True)}\end{{abstract}}\maketitle"
        + "\n"
    )
    d.flow()
    for _ in range(7):
        text += (
            d.paragraph(4, 8)
            + "\n"
            + r"\begin{equation} \partial_t h + %d u = \sum_j w_j x_j \end{equation}" % d.rng.randint(2, 9)
        )
        text += (
            "\n"
            + d.paragraph(3, 6)
            + "\n\n"
            + (figure(d, "figure*" if d.rng.random() < 0.3 else "figure") if d.rng.random() < 0.5 else "")
        )
    d.free.append("A. Author Institute Town Dated May FIG TABLE")
    return text + d.references(8) + r"\end{document}"


def margin(d: Document) -> str:
    """Notes in the margin beside the text."""
    side = d.rng.choice((r"\marginpar", r"\marginnote", r"\sidenote"))
    twoside = d.rng.random() < 0.5
    text = (
        d.head("11pt" + (",twoside" if twoside else ""))
        + r"\usepackage{marginnote,sidenotes}\usepackage[left=2.5cm,right=6.5cm,marginparwidth=4.6cm,marginparsep=.6cm]{geometry}\begin{document}"
    )
    command = rf"{side}{{\{d.rng.choice(('small', 'footnotesize'))}\raggedright %s}}"
    for _ in range(5):
        text += rf"\section{{{d.title()}}}" + "\n"
        for _ in range(2):
            text += d.paragraph(2, 3) + command % d.say(1, new=True) + " " + d.paragraph(3, 5) + "\n\n"
    return text + r"\end{document}"


def wrapped(d: Document) -> str:
    """Figures and boxes that the text runs around."""
    text = d.head("11pt") + r"\usepackage{wrapfig}\begin{document}"
    for _ in range(5):
        text += rf"\section{{{d.title()}}}" + "\n" + d.paragraph(3, 5) + "\n\n"
        place = d.rng.choice(("r", "l"))
        if d.rng.random() < 0.5:
            inside = _DRAWN % 0.8 + rf"\caption{{{d.say(1, new=True)}}}"
        else:
            inside = rf"\fbox{{\parbox{{.9\linewidth}}{{{d.say(2, new=True)}}}}}"
        text += (
            rf"\begin{{wrapfigure}}{{{place}}}{{0.42\textwidth}}\centering {inside}\end{{wrapfigure}}"
            + "\n"
            + d.paragraph(8, 11)
            + "\n\n"
            + d.paragraph(4, 6)
            + "\n\n"
        )
    return text + r"\end{document}"


def minipages(d: Document) -> str:
    """Boxes of text side by side, with and without frames."""
    text = d.head("11pt") + r"\usepackage{tcolorbox}\begin{document}"
    for _ in range(5):
        text += rf"\section{{{d.title()}}}" + "\n" + d.paragraph(3, 5) + "\n\n\\noindent"
        kind = d.rng.randrange(3)
        for at, width in enumerate(d.rng.choice(((0.48, 0.48), (0.31, 0.31, 0.31), (0.6, 0.35)))):
            inner = rf"\textbf{{{d.title()}}}\par " * (kind == 1) + d.say(d.rng.randint(2, 4), new=True)
            box = rf"\begin{{minipage}}[t]{{{width}\textwidth}}%s\end{{minipage}}" % (
                rf"\begin{{tcolorbox}}{inner}\end{{tcolorbox}}"
                if kind == 2
                else r"\small\raggedright " * (width < 0.4) + inner
            )
            text += (r"\hfill " if at else "") + box
        text += "\n\n\\bigskip " + d.paragraph(3, 5) + "\n\n"
    return text + r"\end{document}"


def lists(d: Document) -> str:
    """Lists in two columns, nested, with terms, hanging."""
    text = d.head("10pt") + r"\usepackage{multicol}\begin{document}"
    for _ in range(4):
        text += rf"\section{{{d.title()}}}" + "\n" + d.paragraph(2, 4) + "\n"
        kind = d.rng.choice(("itemize", "enumerate", "description"))
        d.flow()
        for at in range(d.rng.randint(6, 10)):
            item = rf"\item[{d.term()}] " if kind == "description" else r"\item "
            said = item + d.say(d.rng.choice((1, 1, 2)))
            if d.rng.random() < 0.25:
                said += rf"\begin{{itemize}}\item {d.say(1)}\item {d.say(1)}\end{{itemize}}"
            text += (rf"\begin{{multicols}}{{2}}\begin{{{kind}}}" if at == 0 else "") + said + "\n"
        text += rf"\end{{{kind}}}\end{{multicols}}" + "\n"
        d.flow()
        text += d.paragraph(3, 5) + "\n"
    return text + r"\end{document}"


def quotes(d: Document) -> str:
    """Quotations, code, verse and talk between paragraphs."""
    text = d.head("11pt") + r"\begin{document}"
    for _ in range(5):
        text += rf"\section{{{d.title()}}}" + "\n" + d.paragraph(3, 5, notes=0.2)
        kind = d.rng.choice(("quote", "quotation"))
        text += rf"\begin{{{kind}}}{d.paragraph(2, 4)}\end{{{kind}}}"
        text += (
            d.paragraph(2, 4)
            + "\\begin{verbatim}\nfor x in range(10):\n    print(x)\n\\end{verbatim}\n"
            + d.paragraph(2, 3)
            + "\n\n"
        )
        for name in ("Anna", "Boris", "Anna"):
            text += rf"\hangindent=2em\hangafter=1\noindent\textsc{{{name}:}} {d.say(d.rng.randint(1, 3))}" + "\n\n"
    d.free.append("for x in range print Anna Boris")
    return text + r"\end{document}"


def verse(d: Document) -> str:
    """Poems whose lines stand alone, in one column and in two."""
    text = d.head("11pt") + r"\usepackage{multicol}\begin{document}"
    for at in range(5):
        d.flow()
        lines = [r"\\ ".join(tex(d.keep(d.prose.short())) for _ in range(4)) for _ in range(4)]
        poem = rf"\begin{{verse}}{(chr(10) * 2).join(lines)}\end{{verse}}"
        text += rf"\section*{{{d.title()}}}" + (rf"\begin{{multicols}}{{2}}{poem}\end{{multicols}}" if at % 2 else poem)
        d.flow()
        text += d.paragraph(2, 3) + "\n"
    return text + r"\end{document}"


def index(d: Document) -> str:
    """A paper with a long bibliography and an index in two columns."""
    text = d.head("11pt") + r"\begin{document}" + body(d, 2) + d.references(22)
    d.flow()
    entries = "".join(
        rf"\item {tex(d.keep(d.prose.short()))}, {d.rng.randint(1, 90)}, {d.rng.randint(91, 200)}" + "\n"
        for _ in range(70)
    )
    d.free.append("Index")
    return text + rf"\begin{{theindex}}{entries}\end{{theindex}}\end{{document}}"


def parallel(d: Document) -> str:
    """A text and its translation side by side, over several pages."""
    text = (
        d.head("10pt")
        + r"\usepackage{paracol}\begin{document}"
        + rf"\section{{{d.title()}}}"
        + d.paragraph(3, 4)
        + "\n\n"
        + r"\begin{paracol}{2}"
    )
    d.flow()
    left = "\n\n".join(d.paragraph(3, 6) for _ in range(9))
    d.flow()
    right = "\n\n".join(d.paragraph(3, 6) for _ in range(9))
    return text + left + r"\switchcolumn " + right + r"\end{paracol}\end{document}"


def initials(d: Document) -> str:
    """Paragraphs that begin with a large letter, small capitals after it."""
    text = d.head("11pt" + d.rng.choice(("", ",twocolumn"))) + r"\usepackage{lettrine}\begin{document}"
    for _ in range(5):
        text += rf"\section{{{d.title()}}}" + "\n"
        said = d.say(6)
        word, _, rest = said.partition(" ")
        text += (
            rf"\lettrine[lines={d.rng.choice((2, 3))}]{{{word[0]}}}{{{word[1:]}}} {rest}"
            + "\n\n"
            + d.paragraph(4, 6)
            + "\n\n"
        )
    return text + r"\end{document}"


def numbered(d: Document) -> str:
    """A manuscript whose lines are numbered, each or every fifth."""
    columns = d.rng.random() < 0.4
    text = d.head(
        "11pt" + (",twocolumn" if columns else "")
    ) + r"\usepackage[%s]{lineno}%s\begin{document}\linenumbers " % (
        "switch" if columns else d.rng.choice(("left", "right", "left,modulo")),
        d.rng.choice((r"\linespread{1.6}", "")),
    )
    return text + body(d, 4, floats=0.15) + r"\end{document}"


def long_notes(d: Document) -> str:
    """Footnotes that go on overleaf, and notes at the end."""
    text = d.head("12pt,a5paper") + r"\begin{document}"
    for _ in range(4):
        text += rf"\section{{{d.title()}}}" + "\n"
        for _ in range(3):
            text += d.paragraph(3, 5, notes=0.5, long=True) + "\n\n"
    return text + r"\end{document}"


def tabled(d: Document) -> str:
    """Text between tables, one of which goes on overleaf."""
    text = d.head("10pt") + r"\usepackage{longtable}\begin{document}"
    for _ in range(3):
        rows = "".join(rf"{n} & {d.rng.randint(10, 99)} & {d.rng.randint(100, 999)}\\" for n in range(1, 38))
        text += (
            rf"\section{{{d.title()}}}"
            + d.paragraph(4, 6)
            + "\n\n"
            + rf"\begin{{longtable}}{{lrr}}\caption{{{d.say(1, new=True)}}}\\ Nr & Mean & Sum\\\hline\endhead {rows}\end{{longtable}}"
            + d.paragraph(4, 6)
            + "\n\n"
        )
    return text + r"\end{document}"


LOOKS: dict[str, Callable[[Document], str]] = {
    "twocolumn": two_columns, "newsletter": three_columns, "ieee": conference, "physics": physics, "margin": margin,
    "wrapped": wrapped, "minipages": minipages, "lists": lists, "quotes": quotes, "verse": verse, "index": index,
    "parallel": parallel, "initials": initials, "numbered": numbered, "longnotes": long_notes, "tabled": tabled,
    **SCRIPTS,
}  # fmt: skip
