"""What the looks of `pdf_pages_headings_latex.py` share: packages, fonts, authors, and the stamp along the margin."""
# ruff: noqa: E501  (LaTeX reads best unbroken, and is full of braces)

from __future__ import annotations

import random
from dataclasses import dataclass, field

from pdf_pages_headings_latex_contents import Paper


@dataclass
class Look:
    """One way to typeset a document; `«TITLE»`, `«SHORT»`, `«ABSTRACT»` and `«REFS»` in its texts are filled in."""

    name: str
    head: str
    """From the class to the end of the preamble."""
    front: str
    chapters: bool = False
    alone: bool = True
    """The abstract's name stands on a line of its own."""
    furniture: list[str] = field(default_factory=list[str])
    """What stands at the edge of pages and is not text."""
    optional: list[str] = field(default_factory=list[str])
    """Lines that readers may count as headings or not."""
    contents: bool = False
    own_theorems: bool = False
    cite_title: str = ""
    """What the class calls its references, where that is not what the document says."""
    tail: str = ""
    program: str = "pdflatex"
    deepest: int = 4
    marks: bool = False
    """Titles of parts stand at the head of pages."""


PACKAGES = r"""\usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}\usepackage{amsmath,amssymb,booktabs,graphicx,xcolor,tikz}
\usepackage{algorithm,algpseudocode,listings}
"""
FONTS = (
    r"\usepackage{lmodern}", r"\usepackage{mathptmx}", r"\usepackage{mathpazo}", r"\usepackage{charter}",
    r"\usepackage{mathptmx}\usepackage[scaled=.9]{helvet}", r"\usepackage{lmodern}\renewcommand\familydefault{\sfdefault}", r"\usepackage{bookman}",
    r"\usepackage{newcent}", "",
)  # fmt: skip
_STAMP = r"""\usepackage{eso-pic}
\AddToShipoutPictureBG*{\AtPageLowerLeft{\put(24,230){\rotatebox{90}{\textcolor{gray}{\fontsize{20}{20}\selectfont\rmfamily %s}}}}}
"""


def authors_plain(paper: Paper, end: str = r"\and") -> str:
    """Each author over a place."""
    shown: list[str] = []
    for at, name in enumerate(paper.authors):
        place = paper.places[at % len(paper.places)]
        mail = name.split()[0].lower().encode("ascii", "ignore").decode()
        shown.append(rf"{name}\\ {place[0]}\\ {place[1]}\\ \texttt{{{mail}@{place[3]}}}")
    return f" {end} ".join(shown)


def authors_marked(paper: Paper, rng: random.Random) -> str:
    """All authors in a line with raised signs, their places under it."""
    signs = rng.choice(("12345", "abcde"))
    names = [rf"{n}\textsuperscript{{{signs[at % len(paper.places)]}}}" for at, n in enumerate(paper.authors)]
    places = [rf"\textsuperscript{{{signs[at]}}}{p[0]}, {p[1]}, {p[2]}" for at, p in enumerate(paper.places)]
    return ", ".join(names) + r"\\[4pt] \small " + r"\\ \small ".join(places)


def surnames_of(paper: Paper) -> str:
    names = [name.rsplit(" ", 1)[-1] for name in paper.authors]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} & {names[-1]}"


def _stamp(rng: random.Random) -> str:
    subject = rng.choice(("cs.DB", "cs.DC", "cs.CL", "physics.geo-ph", "stat.ML", "math.CO"))
    month = rng.choice(("Jan", "Mar", "Jun", "Sep", "Dec"))
    number = f"{rng.randint(10, 23)}{rng.randint(1, 12):02}.{rng.randint(10000, 19999)}"
    return f"arXiv:{number}v{rng.randint(1, 4)} [{subject}] {rng.randint(1, 28)} {month} 20{rng.randint(10, 23)}"


def with_stamp(look: Look, rng: random.Random, share: float) -> Look:
    if rng.random() < share:
        stamp = _stamp(rng)
        look.head += (r"\usepackage{graphicx,xcolor}" + _STAMP) % stamp
        look.furniture.append(stamp)
    return look
