"""Formulas, footnotes and alerts of Markdown in Word and PowerPoint files, as clients ask for them, read back from what
the files hold."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

import docx
import pptx
import pytest
from docx.oxml.ns import qn
from mcp.client.client import Client
from plugins.drawn.test_export import exported
from support.clients.harness import ERAS, text_of
from support.clients.opened import Opened
from support.clients.rendering import opened, play

from sidecar.app import Application
from sidecar.toolkit.ooxml.namespaces import M
from sidecar.toolkit.ooxml.omml import latex
from sidecar.toolkit.xml import etree

REPORT = r"""# Report on $\alpha$

A line with $a^2+\frac{1}{2}$, **bold**[^1], the same note[^1] and another[^long]; $\unheardof{x}$ stays.

$$\begin{aligned} x &= 1 \\ y &= \int_0^1 f(t)\,dt \end{aligned}$$

> [!WARNING]
> Be **careful** now.

| Name | Value |
|---|---|
| $x_1$ | 2[^cell] |

[^1]: The *first* note with $z^2$ and [a link](https://example.org).

[^long]: One line.

    Another line.

[^cell]: Of a cell.

[^lost]: Nothing refers to it.
"""
_BLANK = re.compile(r"[\s\u2000-\u200b\u205f]+")
READ_BACK = {
    r"\sum_{i=1}^n x_i": r"\sum_{i=1}^{n} x_{i}",
    r"\int_0^\infty (a+b)\,dx": r"\int_{0}^{\infty} (a+b) dx",
    r"\iint f": r"\iint f",
    r"\lim_{x\to 0} \frac{\sin x}{x}": r"\lim_{x\rightarrow0}\frac{\sin x}{x}",
    r"\sin^2 x": r"\sin^{2}x",
    r"\sqrt[3]{x} + \sqrt y": r"\sqrt[3]{x}+\sqrt{y}",
    r"\binom{n}{k}": r"\binom{n}{k}",
    r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}": r"\left( \begin{matrix}a & b \\ c & d\end{matrix} \right)",
    r"f = \begin{cases} 1 & x > 0 \\ 0 & \text{else} \end{cases}":
        r"f=\left\{ \begin{matrix}1 & x>0 \\ 0 & \text{else}\end{matrix} \right.",
    r"\left( \frac{a}{b} \middle| c \right]": r"\left( \frac{a}{b} \middle| c \right]",
    r"\hat x + \overline{ab} + \underbrace{a+b}_{n}": r"\hat{x}+\overline{ab}+\underbrace{a+b}_{n}",
    r"\mathbb{R}\mathcal{L}\mathbf{A}": r"\mathbb{R}\mathcal{L}\mathbf{A}",
    r"{}_6^{14}C": r"{}_{6}^{14}C",
    r"A \xrightarrow[b]{a} B \neq C \not= D": r"A\underset{b}{\overset{a}{\longrightarrow}}B\neq C\neq D",
    r"\boxed{E=mc^2} \tag{3}": r"\boxed{E=mc^{2}} \text{(3)}",
    r"a \\ b": r"\begin{gathered}a \\ b\end{gathered}",
    r"\operatorname{rank} M": r"\operatorname{rank}M",
    "f''": "f^{''}",
}  # fmt: skip
"""Formulas, and how Office mathematics reads again."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Generator[Opened]:
    place = tmp_path_factory.mktemp("library")
    (place / "documents").mkdir()
    with opened(place) as library:
        yield library


def formulas(node: Any) -> list[str]:
    return [_BLANK.sub(" ", latex(one)) for one in node.iter(f"{M}oMath")]


def test_formulas_footnotes_and_alerts_are_words_own(library: Opened) -> None:
    async def scenario(client: Client, _: Application) -> None:
        (data,) = await exported(client, REPORT, "DOCX", "render_document")
        made: Any = docx.Document(io.BytesIO(data))
        body = made.element.body
        assert formulas(body) == [
            r"\alpha", r"a^{2}+\frac{1}{2}",
            r"\begin{aligned}x & =1 \\ y & =\int_{0}^{1} f(t) dt\end{aligned}", "x_{1}",
        ]  # fmt: skip
        assert len(list(body.iter(f"{M}oMathPara"))) == 1  # only what is displayed is a paragraph of its own
        assert any(r"\unheardof{x} stays" in paragraph.text for paragraph in made.paragraphs)
        (warning,) = [one for one in made.paragraphs if one.text == "Warning: Be careful now."]
        assert [run.text for run in warning.runs if run.bold] == ["Warning: ", "careful"]
        assert warning._p.pPr.find(f"{qn('w:pBdr')}/{qn('w:left')}").get(qn("w:color")) == "9A6700"
        # A footnote for each note that the text refers to, once; the second mark of a note is its number.
        assert [one.get(qn("w:id")) for one in body.iter(qn("w:footnoteReference"))] == ["1", "2", "3"]
        (line,) = [one.text for one in made.paragraphs if one.text.startswith("A line with")]
        assert "the same note1 and another" in line
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            notes = etree.fromstring(package.read("word/footnotes.xml"))
            linked = package.read("word/_rels/footnotes.xml.rels").decode()
        written = {note.get(qn("w:id")): note for note in notes if note.get(qn("w:type")) is None}
        texts = {
            number: ["".join(t.text or "" for t in line.iter(qn("w:t"))).strip() for line in note]
            for number, note in written.items()
        }
        assert texts == {
            "1": ["The first note with  and a link."], "2": ["One line.", "Another line."], "3": ["Of a cell."],
        }  # fmt: skip
        assert formulas(written["1"]) == ["z^{2}"]
        assert 'Target="https://example.org"' in linked
        assert [one.text for one in made.paragraphs][-2:] == ["Notes", "[lost] Nothing refers to it."]

    play(library, scenario, ERAS[1])


def test_what_word_was_given_is_read_back_as_it_was_written(library: Opened, tmp_path: Path) -> None:
    """A file that was exported is a document like any other: its formulas and notes are those of the Markdown."""

    async def scenario(client: Client, app: Application) -> None:
        (data,) = await exported(client, REPORT, "DOCX", "render_document")
        folder = tmp_path / "documents"
        folder.mkdir()
        (folder / "report.docx").write_bytes(data)

    play(library, scenario, ERAS[0])

    async def reading(client: Client, app: Application) -> None:
        text = _BLANK.sub(" ", text_of(await client.call_tool("read", {"uri": "document://report.md"})))
        assert r"$a^{2}+\frac{1}{2}$" in text
        assert r"\begin{aligned}x & =1" in text
        assert re.search(r"\[\^1\]: *The \*first\* note with \$z\^\{2\}\$", text)

    with opened(tmp_path) as again:
        play(again, reading, ERAS[0])


def test_formulas_as_they_are_written_are_formulas_of_office(library: Opened) -> None:
    async def scenario(client: Client, _: Application) -> None:
        markdown = "# Formulas\n\n" + "\n\n".join(f"$${formula}$$" for formula in READ_BACK)
        (data,) = await exported(client, markdown, "DOCX", "render_document")
        found = formulas(docx.Document(io.BytesIO(data)).element.body)
        assert found == list(READ_BACK.values())

    play(library, scenario, ERAS[0])


def test_slides_show_formulas_in_one_line_and_alerts_in_words(library: Opened) -> None:
    async def scenario(client: Client, _: Application) -> None:
        markdown = (
            "# Deck\n\n## Points of $\\alpha$\n\n- with $x_i^2$\n\n$$\\frac{a+b}{2}$$\n\n## Table\n\n| a |\n|---|\n"
            "| $\\beta_1$ |\n\n## Words\n\n> [!TIP]\n> Keep $\\pi$.\n"
        )
        (data,) = await exported(client, markdown, "PPTX", "render_document")
        slides = pptx.Presentation(io.BytesIO(data)).slides
        points, table, words = [list(slide.shapes) for slide in slides][1:]
        assert getattr(slides[1].shapes.title, "text", "") == "Points of α"
        shown: Any = points[1]
        assert [one.text for one in shown.text_frame.paragraphs] == ["with x_i^2", "(a+b)/2"]
        cells: Any = table[1]
        assert cells.table.cell(1, 0).text == "β_1"
        said: Any = words[1]
        assert said.text_frame.text == "Tip: Keep π."

    play(library, scenario, ERAS[0])
