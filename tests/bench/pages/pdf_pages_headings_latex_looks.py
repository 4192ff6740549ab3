"""How the documents of `pdf_pages_headings_latex.py` are typeset: classes of publishers and styles of conferences done
after their pictures, with what a seed varies in each, and the table of all looks."""
# ruff: noqa: E501, UP031  (LaTeX reads best unbroken, and is full of braces)

from __future__ import annotations

import random
from collections.abc import Callable

from pdf_pages_headings_latex_books import apa, astronomy, exam, institute, koma, learning, letter, slides, thesis
from pdf_pages_headings_latex_contents import Paper
from pdf_pages_headings_latex_parts import FONTS, PACKAGES, Look, authors_marked, authors_plain, surnames_of, with_stamp


def article(paper: Paper, rng: random.Random) -> Look:
    columns = rng.random() < 0.4
    options = f"{rng.choice(('10pt', '11pt', '12pt'))}{',twocolumn' if columns else ''},{rng.choice(('a4paper', 'letterpaper'))}"
    head = rf"\documentclass[{options}]{{article}}" + PACKAGES + rng.choice(FONTS)
    head += r"\usepackage[margin=%scm]{geometry}" % rng.choice(("2", "2.5", "3")) if rng.random() < 0.6 else ""
    head += r"\usepackage{lineno}\linenumbers" if rng.random() < 0.12 and not columns else ""
    marked = rng.random() < 0.4
    author = authors_marked(paper, rng) if marked else authors_plain(paper)
    thanks = r"\thanks{This work was supported by the harbour fund under grant 23/117.}" if rng.random() < 0.4 else ""
    date = rng.choice((r"\date{}", r"\date{March 2021}", ""))
    front = rf"\title{{«TITLE»{thanks}}}\author{{{author}}}{date}\begin{{document}}\maketitle" + "\n"
    front += r"\begin{abstract}«ABSTRACT»\end{abstract}" + "\n"
    if rng.random() < 0.4:
        front += "\n\\noindent\\textbf{Keywords:} gauges, replication, rivers\n\n"
    look = Look("article", head, front, optional=["Keywords", "March 2021"])
    if rng.random() < 0.25 and not columns:
        look.front += r"\tableofcontents" + "\n"
        look.contents = True
    return with_stamp(look, rng, 0.5)


def titled(paper: Paper, rng: random.Random) -> Look:
    """Articles and reports whose titles titlesec sets."""
    chapters = rng.random() < 0.35
    shape = rng.choice((
        r"\titleformat{\section}{\centering\scshape\large}{\thesection.}{.6em}{}\titleformat{\subsection}{\itshape}{\thesubsection.}{.6em}{}",
        r"\titleformat{\section}{\sffamily\bfseries\Large\color{blue!50!black}}{\thesection}{1em}{}\titleformat{\subsection}{\sffamily\bfseries\color{blue!50!black}}{\thesubsection}{1em}{}",
        r"\titleformat{\section}{\normalfont\bfseries\large}{\thesection}{1em}{}[{\titlerule[.6pt]}]",
        r"\titleformat{\section}[hang]{\normalfont\bfseries\large}{\llap{\thesection\quad}}{0pt}{}\titleformat{\subsection}[hang]{\normalfont\bfseries}{\llap{\thesubsection\quad}}{0pt}{}",
        r"\titleformat{\section}{\normalfont\normalsize\bfseries}{\thesection.}{.5em}{\MakeUppercase}\titleformat{\subsection}[runin]{\normalfont\normalsize\bfseries}{\thesubsection.}{.5em}{}[.]",
        r"\titleformat{\section}{\normalfont\scshape}{\S\,\thesection}{.6em}{}\titleformat{\subsection}[runin]{\normalfont\itshape}{\thesubsection}{.5em}{}[.\enspace]",
        r"\titleformat{\section}[block]{\filcenter\normalfont\sffamily\large}{\Roman{section}.}{.5em}{}\titleformat{\subsection}{\normalfont\sffamily\itshape}{\Alph{subsection}.}{.5em}{}",
        r"\titleformat{\section}[display]{\normalfont\sffamily}{\footnotesize\MakeUppercase{Section} \thesection}{1pt}{\Large\bfseries}",
    ))  # fmt: skip
    size = rng.choice(("10pt", "11pt", "12pt"))
    kind = "report" if chapters else "article"
    head = (
        rf"\documentclass[{size},a4paper]{{{kind}}}" + PACKAGES + rng.choice(FONTS) + r"\usepackage{titlesec}" + shape
    )
    name, surnames = paper.title[:48].rsplit(" ", 1)[0], surnames_of(paper)
    heads = rng.choice((
        r"\usepackage{fancyhdr}\pagestyle{fancy}\fancyhf{}\fancyhead[L]{\leftmark}\fancyhead[R]{\thepage}",
        r"\usepackage{fancyhdr}\pagestyle{fancy}\fancyhf{}\fancyhead[L]{\small\scshape %s}\fancyfoot[C]{-- \thepage\ --}" % name,
        r"\usepackage{fancyhdr}\pagestyle{fancy}\fancyhf{}\fancyhead[L]{\thepage}\fancyhead[R]{\itshape %s}\renewcommand\headrulewidth{0pt}" % surnames.replace("&", r"\&"),
        r"\pagestyle{headings}", "",
    ))  # fmt: skip
    furniture = [fixed for fixed in (name, surnames) if fixed.replace("&", r"\&") in heads]
    front = r"\title{«TITLE»}\author{%s}\begin{document}\maketitle" % authors_plain(paper)
    front += r"\begin{abstract}«ABSTRACT»\end{abstract}" + "\n"
    look = Look(
        "titled",
        head + heads,
        front,
        chapters=chapters,
        furniture=furniture,
        marks="mark" in heads or "headings" in heads,
    )
    look.optional = ["Section", r"Chapter"]
    if chapters:
        look.front += r"\tableofcontents" + "\n"
        look.contents = True
    return look


def ieee(paper: Paper, rng: random.Random) -> Look:
    journal = rng.random() < 0.4
    head = rf"\documentclass[{'journal' if journal else 'conference'}]{{IEEEtran}}" + PACKAGES.replace(
        r"\usepackage[T1]{fontenc}", r"\usepackage[T1]{fontenc}"
    )
    abstract = (
        r"\begin{abstract}«ABSTRACT»\end{abstract}\begin{IEEEkeywords}gauges, replication, rivers\end{IEEEkeywords}"
        + "\n"
    )
    if journal:
        surnames = paper.authors[0].rsplit(" ", 1)[-1].upper()
        mark = rf"\markboth{{Journal of Tidal Computing, vol.~12, no.~3, March 2019}}{{{surnames} et al.: {paper.title[:40]}}}"
        author = ", ".join(rf"{n},~\IEEEmembership{{Member,~IEEE}}" for n in paper.authors)
        thanks = (
            r"\thanks{Manuscript received March 3, 2018; revised October 9, 2018. The authors are with the %s, %s.}"
            % paper.places[0][:2]
        )
        front = rf"\title{{«TITLE»}}\author{{{author}{thanks}}}{mark}\begin{{document}}\maketitle{abstract}"
        furniture = ["Journal of Tidal Computing, vol. 12, no. 3, March 2019", f"{surnames} et al.: {paper.title[:40]}"]
    else:
        blocks = [rf"\IEEEauthorblockN{{{n}}}\IEEEauthorblockA{{\textit{{{p[0]}}}\\ \textit{{{p[1]}}}\\ {p[2]}\\ {n.split()[0].encode('ascii', 'ignore').decode().lower()}@{p[3]}}}"
                  for n, p in zip(paper.authors, paper.places * 5, strict=False)]  # fmt: skip
        joined = r" \and ".join(blocks)
        front = rf"\title{{«TITLE»}}\author{{{joined}}}\begin{{document}}\maketitle{abstract}"
        furniture = []
    look = Look("ieee", head, front, alone=False, furniture=furniture, optional=["Abstract", "Index Terms", "Keywords"])
    look.cite_title = "References"
    if journal and rng.random() < 0.5:
        look.tail = r"\begin{IEEEbiographynophoto}{%s}%s\end{IEEEbiographynophoto}" % (
            paper.authors[0],
            "received a degree in hydrology from the University of Northern Lakes in 2009.",
        )
    return with_stamp(look, rng, 0.4)


def acm(paper: Paper, rng: random.Random) -> Look:
    kind = rng.choice(("sigconf", "acmsmall", "manuscript,review", "sigplan", "acmsmall,screen"))
    head = rf"\documentclass[{kind}]{{acmart}}\usepackage{{tikz,algorithm,algpseudocode,listings}}" + "\n"
    head += (
        r"\setcopyright{acmlicensed}\acmYear{2021}\acmDOI{10.1145/1122445.1122456}\acmISBN{978-1-4503-XXXX-X/18/06}"
        + "\n"
    )
    if "sig" in kind:
        head += r"\acmConference[Tides '21]{Tides '21: Symposium on Gauges}{June 3--5, 2021}{Brest, France}" + "\n"
    else:
        head += r"\acmJournal{TODS}\acmVolume{37}\acmNumber{4}\acmArticle{111}\acmMonth{8}" + "\n"
    authors = "".join(
        rf"\author{{{n}}}\affiliation{{\institution{{{p[1]}}}\city{{{p[2].split(',')[0]}}}\country{{{p[2].split(', ')[1]}}}}}\email{{author@{p[3]}}}"
        + "\n"
        for n, p in zip(paper.authors, paper.places * 5, strict=False)
    )
    ccs = r"\ccsdesc[500]{Computer systems organization~Redundancy}\ccsdesc[300]{Networks~Network reliability}"
    front = (
        rf"\begin{{document}}\title{{«TITLE»}}{authors}\begin{{abstract}}«ABSTRACT»\end{{abstract}}{ccs}\keywords{{gauges, replication}}\maketitle"
        + "\n"
    )
    look = Look("acm", head, front, alone="sig" in kind, own_theorems=True, cite_title="References", marks=False)
    look.optional = ["CCS Concepts", "Keywords", "ACM Reference Format", "Additional Key Words", "Author"]
    surname = paper.authors[0].rsplit(" ", 1)[-1]
    look.furniture = (
        ["Tides '21, June 3-5, 2021, Brest, France"]
        if "sig" in kind
        else ["ACM Trans. Datab. Syst., Vol. 37, No. 4, Article 111. Publication date: August 2021."]
    )
    if len(paper.authors) > 2:
        look.furniture.append(f"{surname} et al.")
    return look


def elsevier(paper: Paper, rng: random.Random) -> Look:
    kind = rng.choice(("preprint,12pt", "final,3p,times", "final,5p,times,twocolumn", "preprint,review,12pt"))
    head = rf"\documentclass[{kind}]{{elsarticle}}" + PACKAGES + r"\journal{Journal of Tidal Computing}"
    head += r"\usepackage{lineno}\linenumbers" if "review" in kind else ""
    author = "".join(rf"\author[{at % len(paper.places) + 1}]{{{n}}}" for at, n in enumerate(paper.authors))
    author += "".join(rf"\address[{at}]{{{p[0]}, {p[1]}, {p[2]}}}" for at, p in enumerate(paper.places, 1))
    front = (
        rf"\begin{{document}}\begin{{frontmatter}}\title{{«TITLE»}}{author}\begin{{abstract}}«ABSTRACT»\end{{abstract}}\begin{{keyword}}gauges \sep rivers \sep replication\end{{keyword}}\end{{frontmatter}}"
        + "\n"
    )
    return Look(
        "elsevier",
        head,
        front,
        furniture=["Preprint submitted to Journal of Tidal Computing"],
        optional=["Keywords"],
        cite_title="References",
    )


def springer(paper: Paper, rng: random.Random) -> Look:
    head = r"\documentclass[runningheads]{llncs}" + PACKAGES
    initials = [f"{n[0]}. {n.rsplit(' ', 1)[-1]}" for n in paper.authors]
    author = r" \and ".join(rf"{n}\inst{{{at % len(paper.places) + 1}}}" for at, n in enumerate(paper.authors))
    inst = r" \and ".join(rf"{p[0]}, {p[1]}, {p[2]}\\ \email{{info@{p[3]}}}" for p in paper.places)
    short = initials[0] if len(initials) == 1 else f"{initials[0]} et al."
    front = (
        rf"\begin{{document}}\title{{«TITLE»}}\titlerunning{{{paper.title[:40]}}}\author{{{author}}}\authorrunning{{{short}}}\institute{{{inst}}}\maketitle\begin{{abstract}}«ABSTRACT»\keywords{{Gauges \and Rivers \and Replication.}}\end{{abstract}}"
        + "\n"
    )
    look = Look(
        "springer",
        head,
        front,
        alone=False,
        own_theorems=True,
        furniture=[paper.title[:40], short],
        optional=["Abstract", "Keywords"],
        cite_title="References",
        deepest=4,
    )
    return with_stamp(look, rng, 0.4)


def physics(paper: Paper, rng: random.Random) -> Look:
    options = rng.choice(
        ("aps,prl,twocolumn", "aps,prd,twocolumn,superscriptaddress", "aps,preprint", "aip,jcp,reprint")
    )
    head = rf"\documentclass[{options}]{{revtex4-2}}" + PACKAGES
    author = "".join(
        rf"\author{{{n}}}\affiliation{{{p[0]}, {p[1]}, {p[2]}}}"
        for n, p in zip(paper.authors, paper.places * 5, strict=False)
    )
    front = (
        rf"\begin{{document}}\title{{«TITLE»}}{author}\date{{\today}}\begin{{abstract}}«ABSTRACT»\end{{abstract}}\maketitle"
        + "\n"
    )
    look = Look("physics", head, front, alone=False, cite_title="-", optional=["Dated", "Abstract"])
    return with_stamp(look, rng, 0.6)


def mathematics(paper: Paper, rng: random.Random) -> Look:
    head = r"\documentclass[%s]{amsart}" % rng.choice(("10pt", "11pt", "12pt")) + PACKAGES + rng.choice(FONTS[:4])
    author = "".join(
        rf"\author{{{n}}}\address{{{p[0]}, {p[1]}, {p[2]}}}\email{{info@{p[3]}}}"
        for n, p in zip(paper.authors, paper.places * 5, strict=False)
    )
    front = (
        rf"\title[{paper.title[:36]}]{{«TITLE»}}{author}\subjclass{{Primary 68M14}}\keywords{{gauges, joins}}\begin{{document}}\begin{{abstract}}«ABSTRACT»\end{{abstract}}\maketitle"
        + "\n"
    )
    look = Look(
        "mathematics",
        head,
        front,
        alone=False,
        furniture=[paper.title[:36]],
        cite_title="References",
        optional=["Abstract", "Key words"],
    )
    if len(paper.authors) < 3:
        look.furniture.append(" and ".join(paper.authors))
    return with_stamp(look, rng, 0.5)


def neurips(paper: Paper, rng: random.Random) -> Look:
    notice = (
        "Preprint. Under review."
        if rng.random() < 0.5
        else "36th Conference on Tidal Information Processing Systems (TidIPS 2022)."
    )
    head = (
        r"\documentclass[10pt,letterpaper]{article}"
        + PACKAGES
        + r"""\usepackage{mathptmx}\usepackage[textheight=9in,textwidth=5.5in,top=1in]{geometry}\usepackage{titlesec}
\titleformat{\section}{\large\bfseries\raggedright}{\thesection}{1em}{}\titleformat{\subsection}{\normalsize\bfseries\raggedright}{\thesubsection}{1em}{}
\setlength\parindent{0pt}\setlength\parskip{5.5pt}
\renewenvironment{abstract}{\begin{center}\large\bfseries Abstract\end{center}\begin{quote}}{\end{quote}}"""
    )
    lines = rng.random() < 0.3
    head += r"\usepackage{lineno}\linenumbers" if lines else ""
    author = (
        "Anonymous Author(s)\\\\ Affiliation\\\\ Address\\\\ \\texttt{email}"
        if lines
        else authors_plain(paper, r"\quad\and")
    )
    front = (
        rf"""\begin{{document}}\thispagestyle{{empty}}\begin{{center}}\rule{{\linewidth}}{{4pt}}\\[.2in]{{\LARGE\bfseries «TITLE»\par}}\vskip.2in\rule{{\linewidth}}{{1pt}}\\[.1in]
\begin{{tabular}}[t]{{c}}\bfseries {author.replace(chr(92) + "quad" + chr(92) + "and", chr(92) + "end{tabular}" + chr(92) + "hspace{2em}" + chr(92) + "begin{tabular}[t]{c}" + chr(92) + "bfseries")}\end{{tabular}}\end{{center}}
{{\renewcommand\thefootnote{{}}\footnotetext{{{notice}}}}}\begin{{abstract}}«ABSTRACT»\end{{abstract}}"""
        + "\n"
    )
    look = Look("neurips", head, front, optional=[notice])
    return with_stamp(look, rng, 0.4)


def icml(paper: Paper, rng: random.Random) -> Look:
    short = paper.title[:44].rsplit(" ", 1)[0]
    head = (
        r"\documentclass[10pt,twocolumn,letterpaper]{article}"
        + PACKAGES
        + r"""\usepackage{mathptmx}\usepackage[textheight=9in,textwidth=6.75in,top=1in,columnsep=.25in]{geometry}\usepackage{titlesec,fancyhdr}
\titleformat{\section}{\large\bfseries}{\thesection.}{.6em}{}\titleformat{\subsection}{\normalsize\bfseries}{\thesubsection.}{.6em}{}\titleformat{\subsubsection}{\normalsize\scshape}{\thesubsubsection.}{.6em}{}
\titleformat{\paragraph}[runin]{\normalfont\normalsize\bfseries}{}{0pt}{}\pagestyle{fancy}\fancyhf{}\fancyhead[C]{\small\bfseries %s}\fancyfoot[C]{\small\thepage}\renewcommand\headrulewidth{1pt}
\setlength\parindent{0pt}\setlength\parskip{5pt}"""
        % short
    )
    names = r" \quad ".join(rf"\textbf{{{n}}}$^{{{at % len(paper.places) + 1}}}$" for at, n in enumerate(paper.authors))
    places = " ".join(rf"$^{{{at}}}${p[0]}, {p[1]}, {p[2]}." for at, p in enumerate(paper.places, 1))
    front = (
        rf"""\begin{{document}}\twocolumn[\begin{{center}}\rule{{\linewidth}}{{1pt}}\vskip.1in{{\Large\bfseries «TITLE»\par}}\vskip.05in\rule{{\linewidth}}{{1pt}}\vskip.2in {names}\end{{center}}\vskip.3in]
\thispagestyle{{plain}}\begin{{center}}\large\bfseries Abstract\end{{center}}\begin{{quote}}«ABSTRACT»\end{{quote}}
{{\renewcommand\thefootnote{{}}\footnotetext{{{places} Correspondence to: {paper.authors[0]} <info@gauge.example>.\par\textit{{Proceedings of the 38th Conference on Tidal Learning}}, PMLR 139, 2021.}}}}"""
        + "\n"
    )
    return with_stamp(Look("icml", head, front, furniture=[short]), rng, 0.5)


def acl(paper: Paper, rng: random.Random) -> Look:
    head = (
        r"\documentclass[11pt,twocolumn,a4paper]{article}"
        + PACKAGES
        + r"""\usepackage{mathptmx}\usepackage[margin=2.5cm,columnsep=.6cm]{geometry}\usepackage{titlesec}
\titleformat{\section}{\large\bfseries\raggedright}{\thesection}{1em}{}\titleformat{\subsection}{\normalsize\bfseries\raggedright}{\thesubsection}{1em}{}
\renewenvironment{abstract}{\centerline{\large\bfseries Abstract}\vspace{.5ex}\begin{quote}\small}{\end{quote}}"""
    )
    footer = ""
    if rng.random() < 0.5:
        footer = "Proceedings of the 57th Meeting of the Society for Tidal Linguistics, pages 311-320"
        head += (
            r"\usepackage{fancyhdr}\fancypagestyle{plain}{\fancyhf{}\renewcommand\headrulewidth{0pt}\fancyfoot[C]{\thepage\\ \footnotesize %s\\ Brest, France, July 2019. }}\pagestyle{plain}\setcounter{page}{311}"
            % footer.replace("-", "--")
        )
    else:
        head += r"\pagestyle{empty}\makeatletter\let\ps@plain\ps@empty\makeatother"
    front = (
        rf"\title{{\bfseries «TITLE»}}\author{{{authors_plain(paper)}}}\date{{}}\begin{{document}}\maketitle\begin{{abstract}}«ABSTRACT»\end{{abstract}}"
        + "\n"
    )
    return with_stamp(Look("acl", head, front, furniture=[footer] if footer else []), rng, 0.3)


def lipics(paper: Paper, rng: random.Random) -> Look:
    article_number = rng.randint(2, 60)
    surnames = ", ".join(f"{n[0]}. {n.rsplit(' ', 1)[-1]}" for n in paper.authors)
    tex = paper.title
    head = (
        r"\documentclass[10pt,a4paper,twoside]{article}"
        + PACKAGES
        + r"""\usepackage{lmodern}\usepackage[text={14cm,21.6cm},top=3cm]{geometry}\usepackage{titlesec,fancyhdr}\definecolor{lip}{rgb}{.99,.78,.07}
\titleformat{\section}{\sffamily\bfseries\Large}{\llap{\colorbox{lip}{\thesection}\hskip1em}}{0pt}{}\titleformat{\subsection}{\sffamily\bfseries\large}{\thesubsection}{1em}{}\titleformat{\paragraph}[runin]{\sffamily\bfseries}{}{0pt}{}
\pagestyle{fancy}\fancyhf{}\renewcommand\headrulewidth{0pt}\fancyhead[LE]{\sffamily\bfseries %d:\thepage\hskip2em\normalfont\sffamily\bfseries %s}\fancyhead[RO]{\sffamily\bfseries %d:\thepage}\fancyhead[LO]{\sffamily\bfseries %s}
\makeatletter\renewcommand\theequation{\arabic{equation}}\makeatother"""
        % (article_number, tex, article_number, surnames)
    )
    head += r"\usepackage{lineno}\linenumbers" if rng.random() < 0.5 else ""
    people = r"\\[3pt]".join(
        rf"{{\sffamily\bfseries {n}}}\\ {{\small {p[0]}, {p[1]}, {p[2]}}}"
        for n, p in zip(paper.authors, paper.places * 5, strict=False)
    )
    front = (
        rf"""\begin{{document}}\thispagestyle{{plain}}\noindent{{\sffamily\bfseries\LARGE «TITLE»\par}}\bigskip\noindent {people}\par\bigskip
\noindent{{\sffamily\bfseries Abstract}}\hrulefill\par\noindent «ABSTRACT»\par\medskip\noindent{{\sffamily\bfseries 2012 ACM Subject Classification}} Theory of computation\par\noindent{{\sffamily\bfseries Keywords and phrases}} gauges, joins, rivers\par\noindent{{\sffamily\bfseries Digital Object Identifier}} 10.4230/LIPIcs.TIDES.2021.{article_number}\par\bigskip"""
        + "\n"
    )
    look = Look("lipics", head, front, furniture=[surnames])
    look.optional = ["2012 ACM Subject Classification", "Keywords and phrases", "Digital Object Identifier"]
    return look


LOOKS: dict[str, tuple[Callable[[Paper, random.Random], Look], int]] = {
    "article": (article, 8), "titled": (titled, 10), "institute": (institute, 3), "ieee": (ieee, 6), "acm": (acm, 6),
    "elsevier": (elsevier, 4), "springer": (springer, 4), "physics": (physics, 4), "mathematics": (mathematics, 4),
    "neurips": (neurips, 4), "icml": (icml, 4), "acl": (acl, 4), "lipics": (lipics, 4), "thesis": (thesis, 10),
    "koma": (koma, 4), "astronomy": (astronomy, 2), "apa": (apa, 2), "learning": (learning, 3), "slides": (slides, 2),
    "exam": (exam, 2), "letter": (letter, 2),
}  # fmt: skip
"""Each look, and how many documents are set in it."""
