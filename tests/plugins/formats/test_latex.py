"""LaTeX files: title, sections, formulas and tables, and what stays source."""

from __future__ import annotations

import pytest
from sidecar_text import TextFormat
from support.formats.plugin_reading import of, read

from sidecar.api import Code, Equation, Heading, Table

TEXT = TextFormat()


def test_latex() -> None:
    document = read(TEXT, (
        "\\documentclass{article}\n\\title{On \\emph{chairs} \\& ropes}\n\\author{Urs~Camenzind}\n"
        "%\\section{Unseen}\n\\section[Short]{A {\\bf model}}\\label{sec:m}\nA chair of mass $m$.\n"
        "\\begin{align*}\n a &= b \\label{eq:a}\n\\end{align*}\nSo it \\% swings.\n"
        "\\begin{verbatim}\n\\section{Code}\n\\end{verbatim}\n\\subsection*{Icing}\nIce.\n"
    ), "n.tex")  # fmt: skip
    assert document.title == "On chairs & ropes"
    assert document.metadata == {"author": "Urs Camenzind", "language": "latex"}
    assert [(one.text, one.level) for one in of(document, Heading)] == [("A model", 1), ("Icing", 2)]
    assert [one.latex for one in of(document, Equation)] == ["a &= b"]
    codes = of(document, Code)
    assert [one.anchor for one in codes] == ["L1", "L5", "L10", "L15"]
    assert "\\section{Code}" in codes[2].text
    assert of(read(TEXT, "\\section{X}\n", "n.sty"), Heading) == []
    assert [one.text for one in of(read(TEXT, "\\section{X}\n", "n.latex"), Heading)] == ["X"]


def test_short_titles_thanks_several_authors_and_subparagraphs_of_latex() -> None:
    text = (
        "\\title[Chairs]{On chairs\\thanks{Of a Fund}}\n\\author[Lee]{Bo Lee\\thanks{Ems}}\n\\author{Al}\n"
        "\\paragraph{Seats}\nA\n\\subparagraph{Legs}\nB\n"
    )
    document = read(TEXT, text, "n.tex")
    assert (document.title, document.metadata["author"]) == ("On chairs", "Bo Lee, Al")
    assert [(one.text, one.level) for one in of(document, Heading)] == [("Seats", 1), ("Legs", 2)]


def test_tables_of_latex_are_rows_of_cells_with_the_caption_of_their_float() -> None:
    document = read(TEXT, r"""\begin{document}
\begin{table}[ht] \caption{Birds \emph{seen}}\label{t}
\begin{tabular}{@{}l|rr@{}} \toprule
Bird & \multicolumn{2}{c}{Count \& more} \\ & 2019 & {\bfseries 2020} \\ \midrule % said & twice \\
\multirow{2}{*}{Kiwi} & $\alpha_{1}$ & 5\% \\[2pt]
 & 7 & \cite{lee}\\ \cmidrule(lr){1-2}
Kea \dots & \textbf{2} & {a & b} \\ \bottomrule
\end{tabular}
\end{table}
\begin{longtable}[c]{ll} \caption{Long} \\ \hline A & B\\ \hline \endfirsthead \hline A & again\\ \endhead
\hline \endfoot 1 & 2 \tabularnewline 3 & 4\\ \end{longtable}
\begin{tabularx}{\textwidth}{lX} x & y \\ z & w \end{tabularx}
""", "n.tex")  # fmt: skip
    birds, long, wide = of(document, Table)
    assert birds.rows == (
        ("Bird", "Count & more", ""), ("", "2019", "2020"), ("Kiwi", "$\\alpha_{1}$", "5%"), ("", "7", "\\cite{lee}"),
        ("Kea …", "2", "a & b"),
    )  # fmt: skip
    assert (birds.caption, birds.header_rows) == ("Birds seen", 2)
    assert [(one.row, one.col, one.rows, one.cols) for one in birds.merges] == [(0, 1, 1, 2), (2, 0, 2, 1)]
    assert (long.rows, long.caption, long.header_rows) == ((("A", "B"), ("1", "2"), ("3", "4")), "Long", 1)
    assert (wide.rows, wide.caption) == ((("x", "y"), ("z", "w")), "")
    assert "\\begin{table}" in of(document, Code)[0].text


@pytest.mark.parametrize(
    "body", [r"{l} one \\ two", r"{ll} a & b", r"{ll} a & #1 \\ c & d", r"{ll} a & \begin{tabular}{l} x \\ y \\ c & d"]
)
def test_what_only_a_run_of_tex_makes_a_table_of_stays_source(body: str) -> None:
    document = read(TEXT, rf"\begin{{tabular}}{body} \end{{tabular}}", "n.tex")
    assert of(document, Table) == []
    assert body in of(document, Code)[0].text
