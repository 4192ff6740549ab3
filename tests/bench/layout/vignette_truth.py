"""Fetches R packages whose vignettes come as TeX source and PDF, and writes down the formulas of the sources with the
letters of the prose before and after each, macros expanded.

The packages are Debian's (12, main), fetched through apt; the first list was worked on in part, the fresh one is held.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

FIRST = (
    "actuar coin deoptim desolve expint flexmix gam kernlab lme4 matrix mcmc mcmcpack metafor mgcv mixtools mnp"
    " multcomp mvtnorm nleqslv party plm pscl quantreg sandwich spatstat.data strucchange survival systemfit"
    " truncnorm vgam"
)
FRESH = (
    "aer bayesm coda distr e1071 effects evd expm forecast gstat lmtest maxlik mclust mlmrev msm ordinal partykit"
    " rcpparmadillo rmpfr robustbase sp survey timeseries zoo"
)
SECONDS = 300
OF_DOCUMENT = 12, 8  # displayed and inline formulas, by their hash
_DISPLAYED = re.compile(
    r"\\begin\{(equation\*?|align\*?|eqnarray\*?|displaymath|multline\*?|gather\*?)\}(.*?)\\end\{\1\}"
    r"|(?<!\\)\\\[(.*?)\\\]|\$\$(.*?)\$\$",
    re.DOTALL,
)
_INLINE = re.compile(r"(?<![\\$])\$([^$]{2,60})\$")
_TIERED = re.compile(r"[\^_]|\\frac|\\hat|\\bar|\\sqrt|\\sum")
_MADE = re.compile(r"\\Sexpr|\x00|\\includegraphics|tabular|\\xymatrix|\\intertext")
_COMMAND = re.compile(r"\\[a-zA-Z]+")
_DEFINED = re.compile(
    r"\\(?:re|provide)?(?:newcommand|DeclareMathOperator)\*?\s*\{?\s*(\\[a-zA-Z]+)\s*\}?\s*(?:\[(\d)\])?(\[[^\]]*\])?"
    r"\s*(?=\{)|\\def\s*(\\[a-zA-Z]+)\s*(?=\{)"
)
_CODE = re.compile(
    r"<<.*?>>=.*?\n@|\\begin\{(verbatim|Verbatim|Sinput|Scode|CodeInput|CodeChunk|lstlisting)\}.*?\\end\{\1\}",
    re.DOTALL,
)
_STOP = r"\$|\x00|\\[a-zA-Z]+\*?(?:\[[^\]]*\])?|[{}]|\\[()\[\]]|~"
_DEPTH = 6  # macros within macros


@dataclass(frozen=True)
class Formula:
    """A formula of a source: its PDF, LaTeX, and the letters before and after it."""

    pdf: Path
    latex: str
    displayed: bool
    before: str
    after: str
    held: bool


def fetch(packages: str, folder: Path) -> None:
    """Unpacks packages below a folder, those that are there aside."""
    folder.mkdir(parents=True, exist_ok=True)
    for package in packages.split():
        name = f"r-cran-{package}"
        if not list(folder.glob(f"{name}_*.deb")):
            subprocess.run(["apt-get", "download", name], cwd=folder, check=True, capture_output=True, timeout=SECONDS)
        for archive in folder.glob(f"{name}_*.deb"):
            subprocess.run(["dpkg", "-x", archive.name, "."], cwd=folder, check=True, timeout=SECONDS)


def formulas(folder: Path) -> list[Formula]:
    """The formulas of all sources below a folder that have a PDF beside them, some of each."""
    found: list[Formula] = []
    for source in sorted(folder.rglob("*.Rnw")):
        if source.with_suffix(".pdf").exists():
            text = re.sub(r"(?<!\\)%.*", "", source.read_text(encoding="utf-8", errors="replace"))
            text, macros = _CODE.sub("\x00", text), _macros(text)
            found += _displayed(source.with_suffix(".pdf"), text, macros)
            found += _inline(source.with_suffix(".pdf"), text.split(r"\begin{document}")[-1], macros)
    return found


def _displayed(pdf: Path, text: str, macros: dict[str, tuple[int, str]]) -> list[Formula]:
    found: list[Formula] = []
    for match in _DISPLAYED.finditer(text):
        body = next(group for group in match.groups()[1:] if group is not None)
        latex = " ".join(_expanded(body, macros).split())
        before, after = _before(text[: match.start()])[-22:], _after(text[match.end() :])[:22]
        if not _MADE.search(body) and len(latex) >= len("a=b") + 1 and max(len(before), len(after)) >= len("sentence"):
            found.append(Formula(pdf, latex, True, before, after, held=_hash(latex) % 2 == 1))
    return sorted(found, key=lambda one: _hash(one.latex + "x"))[: OF_DOCUMENT[0]]


def _inline(pdf: Path, text: str, macros: dict[str, tuple[int, str]]) -> list[Formula]:
    found: dict[str, Formula] = {}
    text = _DISPLAYED.sub("\x00", text)
    for match in _INLINE.finditer(text):
        latex = " ".join(_expanded(match[1], macros).split())
        before, after = _before(text[: match.start()]), _after(text[match.end() :])[:10]
        told = len(before) >= len("sentence") and len(after) >= len("behind")
        if told and _TIERED.search(latex) and r"\Sexpr" not in latex:
            held = _hash(pdf.stem + before[-22:] + latex) % 2 == 1
            found.setdefault(latex, Formula(pdf, latex, False, before[-14:], after, held))
    return sorted(found.values(), key=lambda one: _hash(one.latex + "y"))[: OF_DOCUMENT[1]]


def _hash(text: str) -> int:
    return int(hashlib.md5(text.encode(), usedforsecurity=False).hexdigest(), 16)


def _before(text: str) -> str:
    return re.sub(r"[^A-Za-z]", "", re.split(_STOP, text[-400:])[-1]).lower()


def _after(text: str) -> str:
    return re.sub(r"[^A-Za-z]", "", re.split(_STOP, re.sub(r"^\s*\\noindent", "", text[:400]))[0]).lower()


def _argument(text: str, at: int) -> tuple[str, int]:
    """What a command takes at a place, and where that ends."""
    while at < len(text) and text[at].isspace():
        at += 1
    if at >= len(text):
        return "", at
    if text[at] != "{":
        match = re.compile(r"\\[a-zA-Z]+|.", re.DOTALL).match(text, at)
        return (match[0], match.end()) if match else ("", at)
    depth, end = 0, at
    while end < len(text):
        depth += (text[end] == "{") - (text[end] == "}")
        end += 2 if text[end] == "\\" else 1
        if depth == 0:
            return text[at + 1 : end - 1], end
    return text[at + 1 :], end


def _macros(text: str) -> dict[str, tuple[int, str]]:
    """The macros of a source, with how many arguments they have; those with one that may be left out are not known."""
    macros: dict[str, tuple[int, str]] = {}
    for match in _DEFINED.finditer(text):
        body, _ = _argument(text, match.end())
        body = rf"\operatorname{{{body}}}" if "DeclareMath" in match[0] else r"\UNKNOWN" if match[3] else body
        macros[match[1] or match[4]] = int(match[2] or 0), body
    return macros


def _expanded(text: str, macros: dict[str, tuple[int, str]]) -> str:
    for _ in range(_DEPTH):
        made, at, changed = "", 0, False
        while match := _COMMAND.search(text, at):
            made, at = made + text[at : match.start()], match.end()
            if match[0] not in macros:
                made += match[0]
                continue
            count, body = macros[match[0]]
            for number in range(1, count + 1):
                argument, at = _argument(text, at)
                body = body.replace(f"#{number}", argument)
            made, changed = made + (body if body.startswith(r"\begin") else f"{{{body}}}"), True
        text = made + text[at:]
        if not changed:
            break
    return text
