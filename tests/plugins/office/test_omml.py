"""OMML to LaTeX: one case a structure of ECMA-376 part 1 §22.1, and what broken input gives."""

from __future__ import annotations

import pytest

from sidecar.toolkit.ooxml.namespaces import M
from sidecar.toolkit.ooxml.omml import latex, plain
from sidecar.toolkit.xml import XmlElement, parse_xml


def math(body: str, outer: str = "oMath") -> XmlElement:
    return parse_xml(f'<m:{outer} xmlns:m="{M[1:-1]}">{body}</m:{outer}>'.encode(), "test")


def r(text: str, properties: str = "") -> str:
    return f"<m:r>{f'<m:rPr>{properties}</m:rPr>' if properties else ''}<m:t>{text}</m:t></m:r>"


def e(text: str) -> str:
    return f"<m:e>{r(text)}</m:e>"


UPRIGHT = '<m:sty m:val="p"/>'
CASES = {
    "fraction": (f"<m:f><m:num>{r('a')}</m:num><m:den>{r('b+1')}</m:den></m:f>", r"\frac{a}{b+1}", "a/(b+1)"),
    "linear fraction": (
        f'<m:f><m:fPr><m:type m:val="lin"/></m:fPr><m:num>{r("a")}</m:num><m:den>{r("b")}</m:den></m:f>', "a/b", "a/b",
    ),
    "superscript": (f"<m:sSup>{e('x')}<m:sup>{r('2')}</m:sup></m:sSup>", "x^{2}", "x^2"),
    "script on a word": (f"<m:sSup>{e('ab')}<m:sup>{r('2')}</m:sup></m:sSup>", "{ab}^{2}", "ab^2"),
    "both scripts": (
        f"<m:sSubSup>{e('x')}<m:sub>{r('i')}</m:sub><m:sup>{r('2')}</m:sup></m:sSubSup>", "x_{i}^{2}", "x_i^2",
    ),
    "scripts before": (
        f"<m:sPre><m:sub>{r('1')}</m:sub><m:sup>{r('2')}</m:sup>{e('H')}</m:sPre>", "{}_{1}^{2}H", "12H",
    ),
    "root": (
        f'<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>{e("x")}</m:rad>', r"\sqrt{x}", "√(x)",
    ),
    "cube root": (f"<m:rad><m:deg>{r('3')}</m:deg>{e('x')}</m:rad>", r"\sqrt[3]{x}", "3√(x)"),
    "sum": (
        f'<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>{r("i=1")}</m:sub>'
        f"<m:sup>{r('n')}</m:sup>{e('i')}</m:nary>",
        r"\sum_{i=1}^{n} i", "∑_(i=1)^n i",
    ),
    "integral by default": (f"<m:nary><m:sub/><m:sup/>{e('x')}</m:nary>", r"\int x", "∫ x"),
    "brackets": (
        f'<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="}}"/></m:dPr>{e("a")}{e("b")}</m:d>',
        r"\left[ a \middle| b \right\}", "[a, b}",
    ),
    "no bracket at the right": (
        f'<m:d><m:dPr><m:begChr m:val="{{"/><m:endChr m:val=""/></m:dPr>{e("a")}</m:d>', r"\left\{ a \right.", "{a",
    ),
    "binomial": (
        '<m:d><m:e><m:f><m:fPr><m:type m:val="noBar"/></m:fPr>'
        f"<m:num>{r('n')}</m:num><m:den>{r('k')}</m:den></m:f></m:e></m:d>",
        r"\binom{n}{k}", "(n/k)",
    ),
    "function": (f"<m:func><m:fName>{r('sin', UPRIGHT)}</m:fName>{e('x')}</m:func>", r"\sin x", "sin x"),
    "function of our own": (
        f"<m:func><m:fName>{r('rank')}</m:fName>{e('A')}</m:func>", r"\operatorname{rank}A", "rank A",
    ),
    "limit": (
        f"<m:func><m:fName><m:limLow>{e('lim')}<m:lim>{r('x→0')}</m:lim></m:limLow></m:fName>{e('f')}</m:func>",
        r"\lim_{x\rightarrow0}f", "limx→0 f",
    ),
    "accent": (f'<m:acc><m:accPr><m:chr m:val="⃗"/></m:accPr>{e("v")}</m:acc>', r"\vec{v}", "v"),
    "bar": (f'<m:bar><m:barPr><m:pos m:val="top"/></m:barPr>{e("v")}</m:bar>', r"\overline{v}", "v"),
    "brace": (f"<m:groupChr>{e('v')}</m:groupChr>", r"\underbrace{v}", "v"),
    "matrix": (
        f"<m:m><m:mr>{e('a')}{e('b')}</m:mr><m:mr>{e('c')}{e('d')}</m:mr></m:m>",
        r"\begin{matrix}a & b \\ c & d\end{matrix}", "a b c d",
    ),
    "equation array": (
        f"<m:eqArr>{e('a&amp;=b')}{e('c&amp;=d')}</m:eqArr>", r"\begin{aligned}a&=b \\ c&=d\end{aligned}", "a&=b c&=d",
    ),
    "text": (r("if 5% &gt; x", "<m:nor/>"), r"\text{if 5\% > x}", "if 5% > x"),
    "bold": (r("v", '<m:sty m:val="b"/>'), r"\mathbf{v}", "v"),
    "double struck": (r("R", '<m:scr m:val="double-struck"/>'), r"\mathbb{R}", "R"),
    "mathematical alphanumerics": (r("𝑥∈ℝ"), r"x\in\mathbb{R}", "𝑥∈ℝ"),
    "Greek before Latin": (r("αx≤β"), r"\alpha x\leq\beta", "αx≤β"),
    "function application": (r("sin\u2061θ"), r"\sin \theta", "sinθ"),
    "function application alone": (r("\u2061"), "", ""),
    "box": (f"<m:borderBox>{e('x')}</m:borderBox>", r"\boxed{x}", "x"),
    "unknown structure keeps its content": (f"<m:novel>{e('x')}</m:novel>", "x", "x"),
    "structure without its pieces": ("<m:f/><m:sSup/><m:d/><m:nary/>", r"\frac{}{}{}^{}\left(  \right)\int", "/^()∫"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_structures(name: str) -> None:
    body, expected, line = CASES[name]
    assert latex(math(body)) == expected
    assert plain(math(body)) == line


def test_a_paragraph_of_two_equations_is_gathered() -> None:
    body = f"<m:oMath>{r('a=b')}</m:oMath><m:oMath>{r('c=d')}</m:oMath>"
    assert latex(math(body, "oMathPara")) == r"\begin{gathered}a=b \\ c=d\end{gathered}"


def test_deep_nesting_keeps_every_character() -> None:
    body = r("x")
    for _ in range(300):
        body = f"<m:sSup><m:e>{body}</m:e><m:sup>{r('y')}</m:sup></m:sSup>"
    made = latex(math(body))
    assert made.count("y") == 300
    assert plain(math(body)).count("y") == 300
