"""Displayed formulas of PDFs that may say something else than is printed: it is told, with their picture beside."""

from __future__ import annotations

from pathlib import Path

import pytest
from mcp.client.client import Client
from sidecar_pdf.structure.equations.formulas import LOOSE_PIECES, UNKNOWN_SIGNS, UNSURE_PLACES
from support.clients.harness import in_process, read_text
from support.formats.pdf_builder import Pdf, lines, text
from support.formats.pdf_prose import PROSE, coded, read_pdf, symbol_font
from support.formats.plugin_reading import of

from sidecar.api import Equation

HALVES = text(200, 641, "u + v", font="F4") + text(160, 632, "x =", font="F4") + text(200, 624, "w - z", font="F4")
WHOLE = text(200, 632, "x = u + v", font="F4")
CUT = text(200, 632, "x = (u + v", font="F4")
PRIVATE = text(200, 632, "x = u +", font="F4") + coded(240, 632, "41", font="S1") + text(255, 632, "+ v", font="F4")
KINDS = {"pieces": (HALVES, LOOSE_PIECES), "private use": (PRIVATE, UNKNOWN_SIGNS), "open": (CUT, UNSURE_PLACES),
         "whole": (WHOLE, "")}  # fmt: skip


def made(*shown: str) -> Pdf:
    """Pages with a formula of their number between paragraphs."""
    pdf = Pdf()
    font = symbol_font(pdf, "ABCDEF+Any", "\ue123=")
    for number, formula in enumerate(shown, 1):
        prose = lines(72, 740, PROSE) + lines(72, 560, PROSE)
        pdf.page(prose + formula + text(480, 632, f"({number})"), fonts={"S1": font})
    return pdf


@pytest.mark.parametrize("kind", KINDS)
def test_a_formula_that_cannot_be_read_for_sure_is_told(kind: str) -> None:
    shown, flaw = KINDS[kind]
    document = read_pdf(made(shown))
    (equation,) = of(document, Equation)
    assert (equation.flaw, equation.element) == (flaw, "Equation 1" if flaw else "")
    assert {"x", "=", "u", "+"} <= set(equation.text.replace("(", " ").split())
    assert [element.flaw for element in document.elements] == [flaw]
    assert [flaw in notice.message for notice in document.notices] == ([True] if flaw else [])


@pytest.mark.anyio
async def test_clients_are_told_and_led_to_the_picture(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "made.pdf").write_bytes(made(*(shown for shown, _ in KINDS.values())).bytes())
    async with in_process(folder, tmp_path / "data") as (_, server, _), Client(server) as client:
        for number, (_, flaw) in enumerate(KINDS.values(), 1):
            picture = f"element://made/Equation%20{number}.png?page={number}"
            for uri, beside in (
                (f"page://made/{number}", picture), (f"page://made/{number}.html", picture),
                (f"page://made/{number}.txt", f"the picture of Equation {number}"),
                (f"element://made/Equation%20{number}", "its picture"),
            ):  # fmt: skip
                told = f"This equation may say something else ({flaw}); see {beside}." in await read_text(client, uri)
                assert told is bool(flaw)
            which = {"document_slug": "made", "element_label": f"Equation {number}"}
            details = (await client.call_tool("get_element_details", which)).structured_content
            assert details is not None
            assert (details.get("flaw", ""), details["picture"]) == (flaw, picture)
            assert flaw or details["latex"] == "x = u + v"
