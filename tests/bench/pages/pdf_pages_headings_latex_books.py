"""Looks of `pdf_pages_headings_latex.py`: reports, theses, books, journals of societies, slides, exams and letters."""
# ruff: noqa: E501, UP031  (LaTeX reads best unbroken, and is full of braces)

from __future__ import annotations

import random

from pdf_pages_headings_latex_contents import Paper
from pdf_pages_headings_latex_parts import FONTS, PACKAGES, Look, authors_marked, surnames_of


def institute(paper: Paper, rng: random.Random) -> Look:
    """A research report with its number at the foot and the authors beside the page number at the head."""
    number = f"RR n° {rng.randint(5000, 9000)}"
    surnames, title = surnames_of(paper), paper.title
    tex = surnames.replace("&", r"\&")
    head = r"\documentclass[11pt,a4paper,twoside]{article}" + PACKAGES + rng.choice(FONTS[:4])
    head += r"""\usepackage{fancyhdr}\pagestyle{fancy}\fancyhf{}\renewcommand\headrulewidth{.4pt}
\fancyhead[LE]{\thepage\hspace{1.5em}%s}\fancyhead[RO]{\thepage}\fancyhead[LO]{\itshape %s}
\fancyfoot[%s]{\sffamily %s}\fancyfoot[LE]{\sffamily Institut fictif}""" % (tex, title, "RO,RE", number)
    front = rf"""\begin{{document}}\thispagestyle{{empty}}\vspace*{{2cm}}{{\sffamily\Huge\bfseries «TITLE»\par}}\vspace{{1.5cm}}
{{\sffamily\large {" --- ".join(paper.authors)}\par}}\vspace{{1cm}}\noindent\begin{{tabular}}{{@{{}}l}}{number}\\ January 2011\\ Theme COM\end{{tabular}}
\vfill\noindent\textbf{{Abstract:}} «ABSTRACT»\par\medskip\noindent\textbf{{Key-words:}} replication, gauges, rivers\vspace{{2cm}}\clearpage"""
    look = Look("institute", head, front, alone=False, furniture=[surnames, "Institut fictif"])
    look.optional = ["Abstract", "Key-words", "January 2011", "Theme COM", number]
    return look


def thesis(paper: Paper, rng: random.Random) -> Look:
    german = paper.language == "de"
    kind = rng.choice(("scrreprt", "scrbook", "memoir", "report", "book", "scrreprt"))
    size = rng.choice(("11pt", "12pt"))
    option = ",openany" if kind in {"scrbook", "memoir", "book"} else ""
    head = rf"\documentclass[{size},a4paper{option}]{{{kind}}}" + PACKAGES + rng.choice(FONTS)
    if kind == "memoir":
        head += rf"\chapterstyle{{{rng.choice(('bianchi', 'ell', 'section', 'southall', 'thatcher', 'dash', 'default', 'companion'))}}}"
        head += r"\pagestyle{%s}" % rng.choice(("headings", "ruled", "plain"))
    elif kind.startswith("scr"):
        head += r"\usepackage[automark]{scrlayer-scrpage}\pagestyle{scrheadings}"
        head += r"\KOMAoptions{chapterprefix=true}" if rng.random() < 0.3 else ""
        head += r"\addtokomafont{disposition}{\rmfamily}" if rng.random() < 0.3 else ""
    else:
        head += rng.choice(
            (
                r"\pagestyle{headings}",
                r"\usepackage{fancyhdr}\pagestyle{fancy}",
                "",
                r"\usepackage[Lenny]{fncychap}",
                r"\usepackage[Bjornstrup]{fncychap}",
            )
        )
    front = rf"""\begin{{document}}\thispagestyle{{empty}}\begingroup\centering {{\large {paper.places[0][1]}\par}}\vspace{{3cm}}{{\Huge\bfseries «TITLE»\par}}\vspace{{2cm}}
{{\Large {paper.authors[0]}\par}}\vfill {"Abgabe: 3. März 2022" if german else "Submitted in March 2022"}\par\endgroup\clearpage
\tableofcontents\clearpage"""
    look = Look("thesis", head, front, chapters=True, alone=False, contents=True, marks=True)
    look.optional = [paper.places[0][1], "Submitted in", "Chapter", "Kapitel", "Abgabe"]
    return look


def koma(paper: Paper, rng: random.Random) -> Look:
    head = (
        rf"\documentclass[{rng.choice(('10pt', '11pt'))},a4paper{rng.choice(('', ',twocolumn'))}]{{scrartcl}}"
        + PACKAGES
        + rng.choice(FONTS)
    )
    head += rng.choice(("", r"\usepackage[automark]{scrlayer-scrpage}\pagestyle{scrheadings}"))
    front = (
        rf"\title{{«TITLE»}}\author{{{authors_marked(paper, rng)}}}\date{{}}\begin{{document}}\maketitle\begin{{abstract}}«ABSTRACT»\end{{abstract}}"
        + "\n"
    )
    return Look(
        "koma", head, front, alone=False, optional=["Abstract", "Zusammenfassung", "Résumé"], marks="scrlayer" in head
    )


def apa(paper: Paper, rng: random.Random) -> Look:
    mode = rng.choice(("jou", "doc"))
    head = rf"\documentclass[{mode},a4paper]{{apa7}}" + PACKAGES
    short = paper.title.split(":")[0][:30]
    front = (
        rf"\title{{«TITLE»}}\shorttitle{{{short}}}\authorsnames{{{', '.join(f'{{{n}}}' for n in paper.authors)}}}\authorsaffiliations{{{{{paper.places[0][1]}}}}}\leftheader{{Sandoval}}\abstract{{«ABSTRACT»}}\keywords{{gauges, rivers}}\begin{{document}}\maketitle"
        + "\n"
    )
    return Look(
        "apa",
        head,
        front,
        alone=False,
        furniture=[short],
        optional=["Keywords", "Abstract", "Author Note"],
        cite_title="-",
    )


def astronomy(paper: Paper, rng: random.Random) -> Look:
    head = r"\documentclass[fleqn,usenatbib]{mnras}\usepackage[T1]{fontenc}\usepackage{amsmath,booktabs,graphicx,xcolor,tikz,algorithm,algpseudocode,listings}"
    names = r", ".join(rf"{n}$^{{{at % len(paper.places) + 1}}}$" for at, n in enumerate(paper.authors))
    places = r"\\ ".join(rf"$^{{{at}}}${p[0]}, {p[1]}, {p[2]}" for at, p in enumerate(paper.places, 1))
    surname = paper.authors[0].rsplit(" ", 1)[-1]
    front = (
        rf"\title[{paper.title[:36]}]{{«TITLE»}}\author[{surname} et al.]{{{names}\\ {places}}}\begin{{document}}\maketitle\begin{{abstract}}«ABSTRACT»\end{{abstract}}\begin{{keywords}}gauges -- rivers -- replication\end{{keywords}}"
        + "\n"
    )
    return Look(
        "astronomy",
        head,
        front,
        furniture=[f"{surname} et al.", paper.title[:36]],
        cite_title="References",
        optional=["Key words", "Accepted"],
    )


def learning(paper: Paper, rng: random.Random) -> Look:
    head = r"\documentclass[twoside,11pt]{article}" + PACKAGES + r"""\usepackage{titlesec,fancyhdr}\usepackage[margin=1.1in]{geometry}\titleformat{\section}{\large\bfseries}{\thesection.}{.5em}{}\titleformat{\subsection}{\normalsize\bfseries}{\thesubsection}{.5em}{}
\pagestyle{fancy}\fancyhf{}\renewcommand\headrulewidth{0pt}\fancyfoot[C]{\thepage}\fancyhead[CE]{\small\scshape %s}\fancyhead[CO]{\small\scshape %s}
\fancypagestyle{first}{\fancyhf{}\fancyhead[L]{\footnotesize Journal of Tidal Learning 22 (2021) 1--30}\fancyhead[R]{\footnotesize Submitted 1/20; Published 3/21}\fancyfoot[L]{\footnotesize \copyright 2021 %s.}}""" % (
        surnames_of(paper).replace("&", r"\&"), paper.title[:44].rsplit(" ", 1)[0], surnames_of(paper).replace("&", r"\&"))  # fmt: skip
    people = r"\\[6pt] ".join(
        rf"\textbf{{{n}}} \hfill {{\scshape\small info@{p[3]}}}\\ {{\itshape {p[0]}, {p[1]}}}"
        for n, p in zip(paper.authors, paper.places * 5, strict=False)
    )
    front = (
        rf"\begin{{document}}\thispagestyle{{first}}\vspace*{{.3in}}\begin{{center}}{{\Large\bfseries «TITLE»\par}}\end{{center}}\bigskip\noindent {people}\par\medskip\noindent\textbf{{Editor:}} Hanna Lindqvist\par\bigskip\begin{{abstract}}«ABSTRACT»\end{{abstract}}\noindent\textbf{{Keywords:}} gauges, rivers, joins\par"
        + "\n"
    )
    look = Look(
        "learning",
        head,
        front,
        furniture=[surnames_of(paper), paper.title[:44].rsplit(" ", 1)[0], "Journal of Tidal Learning 22 (2021) 1-30"],
    )
    look.optional = ["Keywords", "Editor"]
    return look


def slides(paper: Paper, rng: random.Random) -> Look:
    head = (
        r"\documentclass[handout]{beamer}"
        + rf"\usetheme{{{rng.choice(('Madrid', 'default', 'Boadilla', 'Frankfurt', 'CambridgeUS'))}}}\usepackage{{tikz,booktabs,algorithm,algpseudocode,listings}}\usepackage[utf8]{{inputenc}}\usepackage[T1]{{fontenc}}"
    )
    front = (
        rf"\title[{paper.title[:20]}]{{«TITLE»}}\author{{{paper.authors[0]}}}\institute{{{paper.places[0][1]}}}\begin{{document}}\begin{{frame}}\titlepage\end{{frame}}"
        + "\n"
    )
    return Look("slides", head, front, optional=[paper.authors[0], paper.places[0][1]], alone=False, marks=True)


def exam(paper: Paper, rng: random.Random) -> Look:
    head = (
        r"\documentclass[11pt,a4paper]{exam}"
        + PACKAGES
        + rng.choice(FONTS[:4])
        + r"\pagestyle{headandfoot}\firstpageheader{Hydrology 201}{}{Spring 2022}\runningheader{Hydrology 201}{}{Final examination}\firstpagefooter{}{Page \thepage\ of \numpages}{}\runningfooter{}{Page \thepage\ of \numpages}{}"
    )
    front = (
        r"\begin{document}\begin{center}{\Large\bfseries «TITLE»\par}\end{center}\noindent Name: \hrulefill\par\medskip\noindent «ABSTRACT»"
        + "\n"
    )
    return Look("exam", head, front, alone=False, furniture=["Hydrology 201"], optional=["Name"])


def letter(paper: Paper, rng: random.Random) -> Look:
    head = r"\documentclass[11pt,a4paper]{letter}" + PACKAGES + rng.choice(FONTS[:4])
    front = (
        rf"\address{{{paper.places[0][0]}\\ {paper.places[0][1]}\\ {paper.places[0][2]}}}\signature{{{paper.authors[0]}}}\begin{{document}}\begin{{letter}}{{The Harbour Office\\ 12 Quay Street\\ Portsmouth}}\opening{{Dear Sir or Madam,}} «ABSTRACT»"
        + "\n"
    )
    return Look(
        "letter",
        head,
        front,
        alone=False,
        furniture=["The Harbour Office"],
        tail=r"\closing{Yours faithfully,}\end{letter}",
    )
