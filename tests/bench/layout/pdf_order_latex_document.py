"""A document of `pdf_order_latex.py` while its source is written: its prose, and the sentences of its flows."""
# ruff: noqa: E501  (LaTeX reads best unbroken)

from __future__ import annotations

import random
import re

from pdf_order_latex_contents import Prose

FONTS = (
    "", r"\usepackage{lmodern}", r"\usepackage{mathptmx}", r"\usepackage{mathpazo}", r"\usepackage{charter}", r"\usepackage{newcent}",
    r"\usepackage{helvet}\renewcommand\familydefault{\sfdefault}", r"\usepackage{bookman}",
)  # fmt: skip
BABEL = {"en": "", "de": "ngerman", "fr": "french", "pl": "polish"}
_LABELS = "Figure Table References Fig FIG TABLE Year Mean Sum Nr Abstract Contents"


class Document:
    """What the looks write with. `flows` are the sentences in the order each flow has."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.program = "pdflatex"
        self.after: list[list[str]] = []
        self.flows: list[list[str]] = [[]]
        self.free: list[str] = [_LABELS]
        self.language = "en"
        self.prose = Prose(rng, "en")
        self._body = 0
        """The flow that goes on through the document."""

    def speak(self, language: str) -> None:
        """From here on in another language."""
        self.language, self.prose = language, Prose(self.rng, language)

    def flow(self) -> None:
        """The body goes on as a flow of its own: what stands before may stand after."""
        self.flows.append([])
        self._body = len(self.flows) - 1

    def keep(self, text: str, *, flow: int = -1) -> str:
        """A sentence that is known to be there."""
        self.flows[self._body if flow < 0 else flow].append(text)
        return text

    def say(self, count: int, *, new: bool = False) -> str:
        """Sentences of the body, or of a flow of their own, as LaTeX."""
        if not new:
            return " ".join(tex(self.keep(self.prose.sentence())) for _ in range(count))
        self.flows.append([])
        place = len(self.flows) - 1
        return " ".join(tex(self.keep(self.prose.sentence(), flow=place)) for _ in range(count))

    def paragraph(self, least: int, most: int, *, notes: float = 0.0, long: bool = False) -> str:
        """Sentences of the body; a share of paragraphs has a footnote behind one of them."""
        said = [self.say(1) for _ in range(self.rng.randint(least, most))]
        if self.rng.random() < notes:
            at = self.rng.randrange(len(said))
            said[at] += (
                rf"\footnote{{{self.say(self.rng.choice((5, 9)) if long else self.rng.choice((1, 2)), new=True)}}}"
            )
        return " ".join(said)

    def title(self) -> str:
        """A heading, which is not judged, but whose words are known."""
        text = self.prose.short()
        self.free.append(text)
        return tex(text)

    def term(self) -> str:
        """A word to be explained."""
        self.free.append(word := self.rng.choice(("Gauge", "Mooring", "Ballast", "Sextant", "Windlass")))
        return word

    def references(self, count: int) -> str:
        """A bibliography of known entries."""
        self.flow()
        items = "".join(
            rf"\bibitem{{k{n}}} {tex(self.keep(self.prose.sentence()))} Journal {self.rng.randint(1, 40)}, {self.rng.randint(1950, 2020)}." + "\n"
            for n in range(count)
        )  # fmt: skip
        self.free.append("Journal")
        return rf"\begin{{thebibliography}}{{99}}{items}\end{{thebibliography}}" + "\n"

    def packages(self, *, encoding: str = "T1", font: str | None = None) -> str:
        """What every document loads."""
        babel = rf"\usepackage[{BABEL[self.language]}]{{babel}}" if BABEL[self.language] else ""
        chosen = self.rng.choice(FONTS) if font is None else font
        spread = r"\usepackage{microtype}" if self.rng.random() < 0.3 and encoding == "T1" and chosen else ""
        return (
            rf"\usepackage[utf8]{{inputenc}}\usepackage[{encoding}]{{fontenc}}\usepackage{{amsmath,tikz}}{chosen}{babel}{spread}"
            + "\n"
        )

    def head(self, options: str, kind: str = "article", *, encoding: str = "T1", font: str | None = None) -> str:
        """The class and the packages."""
        paper = "" if "a5paper" in options else ",a4paper"
        return rf"\documentclass[{options}{paper}]{{{kind}}}" + self.packages(encoding=encoding, font=font)


def tex(text: str) -> str:
    """Plain text as LaTeX."""
    text = re.sub(r"([%&#_$])", r"\\\1", text).replace("’", "'")
    text = text.replace("“ ", '"`{}').replace("—", "---").replace("–", "--")
    return text.replace("“", "``").replace("”", "''")
