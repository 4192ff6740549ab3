"""Notebooks: cells, outputs in their richest readable form, attachments, old versions, broken files."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from contract.conformance import check_embedded
from contract.markup_samples import notebook_files
from contract.pictures import PNG
from sidecar_notebook import NotebookFormat
from support.formats.plugin_reading import of, read

from sidecar.api import (
    Code,
    DamagedError,
    Equation,
    Figure,
    Heading,
    Limits,
    Note,
    Paragraph,
    ParsedDocument,
    Source,
    Table,
)

NOTEBOOK = NotebookFormat()


def cells(*given: dict[str, Any]) -> ParsedDocument:
    return read(NOTEBOOK, json.dumps({"cells": given, "metadata": {}, "nbformat": 4}), "a.ipynb")


def output(**data: Any) -> dict[str, Any]:
    kinds = {key.replace("__", "/"): value for key, value in data.items()}
    return {"cell_type": "code", "source": "", "outputs": [{"output_type": "display_data", "data": kinds}]}


def test_a_notebook() -> None:
    data = notebook_files()["work.ipynb"]
    document = read(NOTEBOOK, data, "work.ipynb")
    assert [part.title for part in document.parts] == ["Title", "Second"]
    assert document.metadata == {"language": "python", "cells": "3"}
    assert [(code.text, code.language) for code in of(document, Code)] == [
        ("print(1)", "python"),
        ("1", ""),
        ("E: v", ""),
    ]
    assert of(document, Table)[0].rows == (("a",), ("1",))
    attached, drawn = of(document, Figure)
    assert (attached.embed, drawn.embed) == (("image", 0), ("image", 1))
    source = Source.of_bytes(data, "work.ipynb")
    assert check_embedded(NOTEBOOK, source, document) == 2
    assert NOTEBOOK.open_embedded(source, document.embedded[0].ref, Limits()).data == PNG
    assert (document.embedded[1].width, document.embedded[1].height) == (9, 9)


def test_an_old_notebook() -> None:
    document = read(NOTEBOOK, notebook_files()["old.ipynb"], "old.ipynb")
    assert (of(document, Heading)[0].text, of(document, Code)[0].text) == ("Old", "x")


def test_outputs() -> None:
    assert of(cells(output(text__latex="$x^2$", text__plain="x**2")), Equation)[0].latex == "x^2"
    assert of(cells(output(text__markdown="**b**")), Paragraph)[0].text == "b"
    assert of(cells(output(text__html="<p>seen</p>", text__plain="<HTML object>")), Paragraph)[0].text == "seen"
    assert of(cells(output(text__html="<b>x</b>", text__plain="plain form")), Code)[0].text == "plain form"
    svg = cells(
        output(
            image__svg_xml="x", **{"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg' width='5' height='6'/>"}
        )
    )
    assert (svg.embedded[0].media_type, svg.embedded[0].width) == ("image/svg+xml", 5)


def test_a_progress_bar_shows_what_it_showed_last() -> None:
    stream = {"output_type": "stream", "text": ["10%\r50%\r100%\ndone\n"]}
    document = cells({"cell_type": "code", "source": "run()", "outputs": [stream]})
    assert of(document, Code)[1].text == "100%\ndone"


def test_escapes_that_json_allows_and_text_does_not() -> None:
    document = read(NOTEBOOK, '{"cells": [{"cell_type": "raw", "source": "a\\ud800b"}], "x": NaN}', "a.ipynb")
    assert of(document, Paragraph)[0].text == "a\ufffdb"


def test_malformed_cells_are_left_out() -> None:
    odd: list[Any] = [
        1,
        None,
        {"cell_type": 5, "source": {"a": 1}},
        {"cell_type": "code", "source": "ok", "outputs": "x"},
    ]
    odd.append({"cell_type": "markdown", "source": ["# H", 3], "attachments": [1]})
    document = read(NOTEBOOK, json.dumps({"cells": odd}), "a.ipynb")
    assert (of(document, Code)[0].text, of(document, Heading)[0].text) == ("ok", "H")


@pytest.mark.parametrize("data", ["", "[]", "{}", '{"cells": [', "{" * 100_000, '{"a":' * 60_000])
def test_what_is_no_notebook(data: str) -> None:
    with pytest.raises(DamagedError):
        NOTEBOOK.parse(Source.of_bytes(data.encode(), "a.ipynb"), Limits())


def test_broken_pictures_are_no_figures() -> None:
    assert of(cells(output(image__png="!!!")), Figure) == []
    assert len(of(cells(output(image__png=base64.b64encode(PNG).decode().rstrip("="))), Figure)) == 1


def test_comments_of_all_cells_are_counted_in_one_notice() -> None:
    """Those of HTML and those Markdown has for want of its own; what one cell leaves open ends with the cell."""
    found = cells(
        {"cell_type": "markdown", "source": "Seen.\n\n[//]: # (first words nobody sees here)"},
        {"cell_type": "markdown", "source": "Also seen.\n\n<!-- second words nobody sees here"},
        {"cell_type": "markdown", "source": "The end of what is seen here."},
    )
    hidden = [block.text for part in found.parts for block in part.blocks if isinstance(block, Note) and block.hidden]
    assert hidden == ["first words nobody sees here", "second words nobody sees here"]
    assert [notice.message.split(" (")[0] for notice in found.notices] == ["2 comments in the source"]


PLOTLY = {
    "data": [
        {"type": "bar", "name": "Ships", "x": ["May", "June"], "y": [3, 4.5]},
        {"type": "bar", "name": "Boats", "x": ["May", "June"], "y": [None, 7]},
    ],
    "layout": {"title": {"text": "<b>Berths</b> in use"}, "xaxis": {"title": {"text": "Month"}},
               "yaxis": {"title": "Count"}},
}  # fmt: skip


def test_interactive_plots_are_figures_with_their_words_and_values() -> None:
    document = cells(
        output(**{"application__vnd.plotly.v1+json": PLOTLY, "text__html": "<div><script>1</script></div>"})
    )
    (figure,) = of(document, Figure)
    assert figure.alt == "Berths in use"
    assert figure.text.split("\n") == [
        "Berths in use", "Month", "Count", "Ships, Boats", "May: Ships 3", "June: Ships 4.5; Boats 7",
    ]  # fmt: skip
    vega = {
        "title": "Tides", "mark": {"type": "line"},
        "encoding": {"x": {"field": "day"}, "y": {"field": "h", "title": "Height"}, "color": {"field": "port"}},
    }  # fmt: skip
    (figure,) = of(cells(output(**{"application__vnd.vegalite.v5+json": vega, "text__plain": "Chart()"})), Figure)
    assert figure.text.split("\n") == ["Tides", "day", "Height", "port"]


def test_the_picture_of_a_plot_has_its_words() -> None:
    picture = base64.b64encode(PNG).decode()
    document = cells(output(**{"application__vnd.plotly.v1+json": PLOTLY, "image__png": picture}))
    (figure,) = of(document, Figure)
    assert figure.embed == ("image", 0)
    assert "Ships, Boats" in figure.text


@pytest.mark.parametrize("plot", [{}, {"data": 5, "layout": []}, {"data": [{"y": {"bdata": "AA"}}]}, [], "x"])
def test_plots_that_say_nothing_leave_the_other_forms(plot: object) -> None:
    document = cells(output(**{"application__vnd.plotly.v1+json": plot, "text__plain": "Figure()"}))
    assert [one.text for one in of(document, Code)] == ["Figure()"]
    assert of(document, Figure) == []
