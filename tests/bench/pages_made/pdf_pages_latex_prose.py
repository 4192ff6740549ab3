"""The prose of the fifteenth truth of `pdf_pages.py`, and what in papers looks like a table and is none."""

from __future__ import annotations

import random
from collections.abc import Callable

SUBJECTS = (
    "The survey",
    "Our method",
    "This effect",
    "The older estimate",
    "A second annotator",
    "The archive",
    "Each sample",
    "The operator",
)
VERBS = (
    "depends on",
    "was compared with",
    "does not account for",
    "improves on",
    "follows from",
    "was recorded together with",
    "explains part of",
)
OBJECTS = (
    "the distance between the two stations", "a model with fewer parameters", "the text of the first edition",
    "the rate at which errors appear",
    "measurements taken before the repair", "the order in which pages are read", "the noise of the detector",
    "what practitioners report",
)  # fmt: skip
ENDS = (
    "although the difference is small", "as we show in Section 3", "and the same holds for the held-out part",
    "which had been assumed since 1987",
    "except where fewer than 20 cases were left", "with an average of 4.7 per document",
    "so that no further tuning was needed",
    "because the instrument drifts by about 0.3 units a day", "in agreement with earlier work [12, 15]",
)  # fmt: skip
OPENERS = (
    "However,",
    "In practice,",
    "On the other hand,",
    "To our surprise,",
    "For this reason,",
    "In addition,",
    "As a control,",
)
WORDS = (
    "Estimates",
    "Structure",
    "Retrieval",
    "Layouts",
    "Sampling",
    "Uncertainty",
    "Archives",
    "Transfer",
    "Calibration",
    "Drift",
)


def sentence(r: random.Random) -> str:
    said = f"{r.choice(SUBJECTS)} {r.choice(VERBS)} {r.choice(OBJECTS)}, {r.choice(ENDS)}."
    return f"{r.choice(OPENERS)} {said[0].lower()}{said[1:]}" if r.random() < 0.35 else said


def paragraph(r: random.Random) -> str:
    return " ".join(sentence(r) for _ in range(r.randint(4, 9)))


def abstract(r: random.Random) -> str:
    return " ".join(sentence(r) for _ in range(5))


def title(r: random.Random) -> str:
    return r.choice(
        (
            f"{r.choice(WORDS)} and {r.choice(WORDS)}",
            f"On the {r.choice(WORDS)} of {r.choice(WORDS)}",
            f"{r.choice(WORDS)} without Supervision",
            f"{r.choice(WORDS)}",
        )
    )


def algorithm(r: random.Random) -> str:
    steps = ["Initialise $w \\gets 0$ and $k \\gets 1$", "\\textbf{while} $k < K$ \\textbf{do}",
    "\\quad draw a batch $B$ of 64", "\\quad $g \\gets \\nabla L(w; B)$",
             "\\quad $w \\gets w - \\eta g$ \\hfill $\\triangleright$ step", "\\quad $k \\gets k + 1$",
             "\\textbf{end while}", "\\textbf{return} $w$"]  # fmt: skip
    body = "".join(f"\\makebox[1.2em][r]{{\\scriptsize {n + 1}:}} {step}\\\\\n" for n, step in enumerate(steps))
    return (
        f"\\par\\noindent\\rule{{\\linewidth}}{{0.8pt}}\\\\ \\textbf{{Algorithm {r.randint(1, 4)}}} Descent\\\\[-1ex]"
        f"\\rule{{\\linewidth}}{{0.4pt}}\\\\\n{body}\\rule{{\\linewidth}}{{0.4pt}}\\par"
    )


def equations(r: random.Random) -> str:
    return (
        "\\begin{align}\nL(w) &= \\frac{1}{N} \\sum_{i=1}^{N} \\ell(f(x_i), y_i) + \\lambda \\|w\\|^2, \\\\\n"
        f"\\sigma^2 &= {r.randint(2, 9)}\\,\\alpha + \\beta, & \\mu &= \\frac{{a+b}}{{2}}, \\\\\n"
        " p(x) &\\propto \\exp(-x^2/2). \\end{align}"
    )


def bullets(r: random.Random) -> str:
    return "\\begin{itemize}\n" + "".join(f"\\item {sentence(r)}\n" for _ in range(r.randint(3, 5))) + "\\end{itemize}"


def terms(r: random.Random) -> str:
    return (
        "\\begin{description}\n"
        + "".join(f"\\item[{word}] {sentence(r)}\n" for word in r.sample(WORDS, 3))
        + "\\end{description}"
    )


def steps(r: random.Random) -> str:
    return (
        "\\begin{enumerate}\n"
        + "".join(f"\\item {r.choice(OBJECTS).capitalize()}\n" for _ in range(4))
        + "\\end{enumerate}"
    )


def listing(r: random.Random) -> str:
    return (
        "\\begin{lstlisting}\nfor page in pages:\n    words = page.words()   # in order\n"
        "    total += len(words)    # counted\nprint(total, " + str(r.randint(2, 90)) + ")\n\\end{lstlisting}"
    )


def matrix(r: random.Random) -> str:
    return (
        f"\\[ A = \\begin{{pmatrix}} 1 & 0 & {r.randint(2, 9)} \\\\ 0 & 1 & 4 \\\\ 2 & 5 & 1 \\end{{pmatrix}}, "
        "\\qquad f(x) = \\begin{cases} x & x > 0 \\\\ 0 & \\text{otherwise} \\end{cases} \\]"
    )


DECOYS: tuple[Callable[[random.Random], str], ...] = (algorithm, equations, bullets, terms, steps, listing, matrix)


def figure(r: random.Random) -> str:
    """A plot with its axes."""
    points = " -- ".join(f"({k * 0.6:.1f},{r.uniform(0.2, 2.4):.2f})" for k in range(8))
    ticks = "".join(f"\\node[below,font=\\tiny] at ({k * 0.6:.1f},0) {{{k * 10}}};" for k in range(8))
    ticks += "".join(f"\\node[left,font=\\tiny] at (0,{k * 0.6:.1f}) {{0.{k * 2}}};" for k in range(4))
    bars = "".join(
        f"\\fill[blue!40] ({k * 0.6 + 0.1:.1f},0) rectangle ({k * 0.6 + 0.4:.1f},{r.uniform(0.2, 2):.2f});"
        for k in range(7)
    )
    drawn = f"\\draw[->] (0,0) -- (5,0);\\draw[->] (0,0) -- (0,2.6);{ticks}"
    drawn += f"{bars if r.random() < 0.5 else ''}\\draw[red] {points};"
    drawn = f"\\begin{{tikzpicture}}{drawn}\\end{{tikzpicture}}"
    return f"\\begin{{figure}}[t]\n\\centering{drawn}\n\\caption{{{sentence(r)}}}\n\\end{{figure}}"


def bibliography(r: random.Random) -> str:
    items = "".join(
        f"\\bibitem{{b{k}}} {r.choice('ABKMT')}. {r.choice(('Lind', 'Okoye', 'Sato'))} and {r.choice('CDHJ')}. "
        f"{r.choice(('Ruiz', 'Marsh', 'Yilmaz'))}. "
        f"{title(r)}. \\emph{{Journal of {r.choice(WORDS)}}}, "
        f"{r.randint(2, 60)}({r.randint(1, 6)}):"
        f"{r.randint(100, 200)}--{r.randint(201, 400)}, {r.randint(1975, 2024)}.\n"
        for k in range(r.randint(8, 18))
    )
    return f"\\begin{{thebibliography}}{{99}}\n{items}\\end{{thebibliography}}"
