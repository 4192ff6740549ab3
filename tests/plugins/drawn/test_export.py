"""Exports as clients of both eras and the command line ask for them, opened again with the libraries of their formats,
and with LibreOffice where there is one."""

from __future__ import annotations

import base64
import csv
import io
import os
import subprocess
from collections.abc import Generator
from pathlib import Path
from typing import Any

import docx
import mcp_types as types
import openpyxl
import pptx
import pytest
from docx.oxml.ns import qn
from mcp.client.client import Client
from pptx.shapes.graphfrm import GraphicFrame
from support.clients.harness import ERAS, fill, picture, text_of
from support.clients.opened import Opened
from support.clients.rendering import opened, play
from support.programs import program

from sidecar.api import Limits, Source
from sidecar.app import Application
from sidecar.toolkit.programs.libreoffice import convert

OUTLINE = """---
title: Glaciers in 2024
author: A. Writer
---
# Glaciers in 2024

An **introduction** with [a link](https://example.org)[^1].

[^1]: The note's text.

## Findings

- First point
  - Nested point
- Second point

Notes: Say this aloud.

1. One
2. Two

Between.

5. Five

## Numbers

| Region | Value | Text |
|---|---:|---|
| North | 12.5 | =HYPERLINK("http://x") |
| South | 7 | @SUM(1) |

## Picture

![Weights](chart://figures/0)
"""


def documents(place: Path) -> None:
    """Documents of the main formats, and one that tries to plant formulas."""
    files = place / "documents"
    fill(files)
    (files / "sales.csv").write_text(
        "region,revenue,day,remark\n"
        "North,1200.50,2024-01-31,\"=cmd|' /C calc'!A0\"\n"
        'South,99.25,2024-02-01,"+1+1"\n'
        "West,0.25,2024-02-02,-5\n"
    )
    (files / "photo.md").write_text("# Photo\n\nThe quagga has gone.\n")
    (files / "photo.png").write_bytes(picture())


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Generator[Opened]:
    """The same documents and their index for all tests that change nothing of them."""
    place = tmp_path_factory.mktemp("library")
    documents(place)
    with opened(place) as library:
        yield library


async def exported(client: Client, source: str, form: str, tool: str = "export") -> list[bytes]:
    """The files that an export keeps under its URI."""
    arguments = {"source": source, "format": form} if tool == "export" else {"markdown": source, "output_format": form}
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, text_of(answer)
    (artifact,) = (answer.structured_content or {})["artifacts"]
    assert artifact["format"] == form
    listed = {str(entry.uri): entry for entry in (await client.list_resources()).resources}
    assert str(artifact["resource_uri"]) in listed or (await client.list_resources()).next_cursor
    contents = (await client.read_resource(artifact["resource_uri"])).contents
    return [
        base64.b64decode(item.blob) if isinstance(item, types.BlobResourceContents) else item.text.encode()
        for item in contents
    ]


def sheets(data: bytes) -> Any:
    return openpyxl.load_workbook(io.BytesIO(data))


def test_markdown_becomes_a_word_document_with_styles_contents_and_notes(library: Opened) -> None:

    async def scenario(client: Client, _: Application) -> None:
        for tool in ("export", "render_document"):
            (data,) = await exported(client, OUTLINE, "DOCX", tool)
            made: Any = docx.Document(io.BytesIO(data))
            styles = {paragraph.text: paragraph.style.name for paragraph in made.paragraphs}
            assert styles["Glaciers in 2024"] == "Title"
            assert styles["First point"] == "List Bullet"
            assert styles["Nested point"] == "List Bullet 2"
            assert styles["Five"] == "List Number"
            assert made.core_properties.author == "A. Writer"
            headings = [paragraph.text for paragraph in made.paragraphs if paragraph.style.name.startswith("Heading")]
            assert headings == ["Findings", "Numbers", "Picture"]
            contents = [paragraph.text for paragraph in made.paragraphs if paragraph.style.name.startswith("toc ")]
            assert contents == headings  # the table of contents is written out, and every entry leads to its heading
            body = made.element.xml
            assert ' TOC \\o "1-3"' in body
            assert all(f'w:anchor="_Toc{n}"' in body and f'w:name="_Toc{n}"' in body for n in (1, 2, 3))
            assert [[cell.text for cell in row.cells] for row in made.tables[0].rows][1][2] == '=HYPERLINK("http://x")'
            assert len(made.inline_shapes) == 1  # the chart of the library
            assert len(list(made.element.iter(qn("w:footnoteReference")))) == 1
            starts = {n.get(qn("w:val")) for n in made.part.numbering_part.element.iter(
                qn("w:startOverride"))}  # fmt: skip
            assert starts == {"1", "5"}  # each list counts from what its document says

    play(library, scenario, ERAS[1])


@pytest.mark.parametrize("era", ERAS)
def test_an_outline_becomes_slides_with_notes(library: Opened, era: str) -> None:

    async def scenario(client: Client, _: Application) -> None:
        (data,) = await exported(client, OUTLINE, "PPTX", "render_document")
        deck: Any = pptx.Presentation(io.BytesIO(data))
        assert [slide.shapes.title.text for slide in deck.slides] == [
            "Glaciers in 2024", "Findings", "Numbers", "Picture",
        ]  # fmt: skip
        points = deck.slides[1].placeholders[1].text_frame.paragraphs
        assert [(line.text, line.level) for line in points][:3] == [
            ("First point", 0), ("Nested point", 1), ("Second point", 0),
        ]  # fmt: skip
        assert deck.slides[1].notes_slide.notes_text_frame.text == "Between.\nSay this aloud."
        table = next(shape for shape in deck.slides[2].shapes if shape.has_table).table
        assert table.cell(1, 1).text == "12.5"
        assert any(shape.shape_type == 13 for shape in deck.slides[3].shapes)
        long = "# Long\n\n## Much\n\n" + "".join(f"- point {n} " + "and more words " * 8 + "\n" for n in range(40))
        (data,) = await exported(client, long, "PPTX")
        again: Any = pptx.Presentation(io.BytesIO(data))
        titles = [slide.shapes.title.text for slide in again.slides]
        assert titles[:3] == ["Long", "Much", "Much (2)"]  # what does not fit a slide goes on with the next
        words = "".join(shape.text_frame.text for slide in again.slides
                        for shape in slide.shapes if shape.has_text_frame)  # fmt: skip
        assert all(f"point {n} " in words for n in range(40))

    play(library, scenario, era)


def test_a_query_becomes_a_workbook_with_types_totals_and_sources(library: Opened) -> None:

    async def scenario(client: Client, _: Application) -> None:
        query = "SELECT region, revenue, day, remark FROM sales ORDER BY revenue DESC"
        (data,) = await exported(client, query, "XLSX")
        book = sheets(data)
        sheet = book["Query"]
        assert [str(cell.value) for cell in sheet[2]][:3] == ["North", "1200.5", "2024-01-31 00:00:00"]
        planted = [sheet.cell(row, 4) for row in (2, 3)]
        assert [cell.data_type for cell in planted] == ["s", "s"]
        assert planted[0].value.startswith("=cmd|")
        assert [cell.value for cell in sheet[5]][:2] == ["Total", "=SUBTOTAL(109,B2:B4)"]
        shown: Any = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
        assert shown["Query"]["B5"].value == 1300  # who does not calculate sees the result all the same
        source = book["Sources"]
        assert source["E2"].hyperlink.target == (library.home / "documents" / "sales.csv").as_uri()
        assert source["D2"].value.startswith("sheet://sales")
        (text,) = await exported(client, query, "CSV")
        rows = list(csv.reader(io.StringIO(text.decode("utf-8-sig"))))
        assert [row[3] for row in rows] == ["remark", "'=cmd|' /C calc'!A0", "'+1+1", "-5"]
        assert rows[1][:3] == ["North", "1200.5", "2024-01-31"]
        (data,) = await exported(client, query, "DOCX")
        assert len(docx.Document(io.BytesIO(data)).tables[0].rows) == 4

    play(library, scenario, ERAS[1])


def test_percent_and_money_of_a_query_are_shown_as_such(tmp_path: Path) -> None:
    documents(tmp_path)
    (tmp_path / "documents" / "margins.csv").write_text(
        "shop,revenue,margin\nEast,$1200.50,21%\nWest,$99.25,12.5%\n", "utf-8"
    )
    (tmp_path / "documents" / "wide.csv").write_text("shop,net\nEast,$9000000\nWest,$9000000\n", "utf-8")

    async def scenario(client: Client, _: Application) -> None:
        (data,) = await exported(client, "SELECT shop, revenue, margin FROM margins ORDER BY shop", "XLSX")
        sheet = sheets(data)["Query"]
        assert [(cell.value, cell.number_format) for cell in sheet[2]] == [
            ("East", "General"), (1200.5, "#,##0.00"), (0.21, "0.0%"),
        ]  # fmt: skip
        assert (sheet["B4"].value, sheet["B4"].number_format) == ("=SUBTOTAL(109,B2:B3)", "#,##0.00")
        assert sheet.column_dimensions["B"].width > len("1,299.75")
        (data,) = await exported(client, "SELECT * FROM margins ORDER BY shop", "DOCX")
        assert [[cell.text for cell in row.cells] for row in docx.Document(io.BytesIO(data)).tables[0].rows] == [
            ["shop", "revenue", "margin"], ["East", "1,200.50", "21.0%"], ["West", "99.25", "12.5%"],
        ]  # fmt: skip
        query = """SELECT count(*) AS shops, round(sum(m.revenue), 1) AS taken, max(margin) AS best, margin,
                   avg("margin"), 2 * revenue AS twice FROM margins m"""
        (data,) = await exported(client, query, "XLSX")
        assert [cell.number_format for cell in sheets(data)["Query"][2]] == [
            "General", "#,##0.00", "0.0%", "0.0%", "0.0%", "General",
        ]  # fmt: skip
        table = "| shop | revenue |\n|---|---|\n| East | $1,250.00 |\n| West | $99.25 |\n"
        (data,) = await exported(client, table, "XLSX", tool="render_document")
        cell = sheets(data).worksheets[0]["B2"]
        assert (cell.value, cell.number_format) == (1250, "#,##0.00 [$USD]")
        (data,) = await exported(client, "SELECT net FROM wide", "XLSX")
        assert sheets(data)["Query"].column_dimensions["A"].width > len("18,000,000.00")

    play(tmp_path, scenario)


def test_amounts_of_several_currencies_have_a_total_each_and_numbers_of_things_none(tmp_path: Path) -> None:
    documents(tmp_path)
    (tmp_path / "documents" / "bills.csv").write_text(
        "orderno,amount,currency\n1001,1200.50,EUR\n1002,800,USD\n1003,99.50,EUR\n", "utf-8"
    )

    async def scenario(client: Client, _: Application) -> None:
        (data,) = await exported(client, "SELECT orderno, amount, currency FROM bills", "XLSX")
        sheet = sheets(data)["Query"]
        assert [[cell.value for cell in row] for row in sheet.iter_rows(min_row=5)] == [
            ["Total EUR", '=SUMIF(C2:C4,"EUR",B2:B4)', "EUR"], ["Total USD", '=SUMIF(C2:C4,"USD",B2:B4)', "USD"],
        ]  # fmt: skip
        shown: Any = openpyxl.load_workbook(io.BytesIO(data), data_only=True)["Query"]
        assert [shown["B5"].value, shown["B6"].value] == [1300, 800]

    play(tmp_path, scenario, ERAS[0])


def test_binary_fractions_of_a_query_are_shown_without_their_noise_in_a_report(library: Opened) -> None:
    async def scenario(client: Client, _: Application) -> None:
        query = "SELECT region AS a_rather_long_name, 0.1 + 0.2 AS x, revenue / 7 AS y FROM sales ORDER BY 1"
        for form in ("DOCX", "PPTX"):
            (data,) = await exported(client, query, form)
            if form == "DOCX":
                table = docx.Document(io.BytesIO(data)).tables[0]
                wide, narrow = (column.width or 0 for column in list(table.columns)[:2])
                assert wide > narrow
                rows = [[cell.text for cell in row.cells] for row in table.rows]
            else:
                shapes = [shape for slide in pptx.Presentation(io.BytesIO(data)).slides for shape in slide.shapes]
                (table,) = [shape.table for shape in shapes if isinstance(shape, GraphicFrame) and shape.has_table]
                rows = [[cell.text for cell in row.cells] for row in table.rows]
            assert rows[1:3] == [["North", "0.3", "171.5"], ["South", "0.3", "14.1786"]]

    play(library, scenario, ERAS[0])


def test_a_table_of_markdown_becomes_numbers_and_days_as_its_columns_are_written(library: Opened) -> None:
    async def scenario(client: Client, _: Application) -> None:
        table = "| Region | Umsatz (EUR) | Anteil | Tag |\n|---|---|---|---|\n"
        rows = "| Nord | 1.234,50 | 12,5 % | 31.12.2024 |\n| Süd | 987,00 | 7,25 % | 01.02.2024 |\n"
        (data,) = await exported(client, f"# Zahlen\n\n{table}{rows}", "XLSX")
        sheet = sheets(data).worksheets[0]
        assert [(str(cell.value), cell.number_format) for cell in sheet[2]] == [
            ("Nord", "General"), ("1234.5", "#,##0.00"), ("0.125", "0.0%"), ("2024-12-31 00:00:00", "yyyy-mm-dd"),
        ]  # fmt: skip
        assert (sheet["B3"].value, sheet["B3"].number_format) == (987, "#,##0.00")

    play(library, scenario, ERAS[0])


def test_a_heading_over_others_alone_is_a_slide_between_sections(library: Opened) -> None:
    async def scenario(client: Client, _: Application) -> None:
        (data,) = await exported(client, "# Talk\n\n# Part\n\n## Point\n\n- one\n", "PPTX", "render_document")
        slides = pptx.Presentation(io.BytesIO(data)).slides
        assert [(one.slide_layout.name, one.shapes.title and one.shapes.title.text) for one in slides] == [
            ("Title Slide", "Talk"), ("Section Header", "Part"), ("Title and Content", "Point"),
        ]  # fmt: skip

    play(library, scenario, ERAS[0])


def test_tables_are_exported_by_name_a_sheet_each(tmp_path: Path) -> None:
    documents(tmp_path)
    (tmp_path / "documents" / "stock.csv").write_text("item,pieces\nhat,3\ncap,5\n", "utf-8")

    async def scenario(client: Client, _: Application) -> None:
        (data,) = await exported(client, "sales, stock", "XLSX")
        book = sheets(data)
        assert book.sheetnames == ["sales", "stock", "Sources"]
        assert [[cell.value for cell in row] for row in book["stock"].iter_rows(max_row=3)] == [
            ["item", "pieces"], ["hat", 3], ["cap", 5],
        ]  # fmt: skip
        assert [book["Sources"].cell(row, 2).value for row in (2, 3)] == ["sales", "stock"]
        (data,) = await exported(client, "sales, capybara", "XLSX")  # words, since one of them names no table
        assert book.sheetnames != sheets(data).sheetnames

    play(tmp_path, scenario, ERAS[0])


def test_documents_and_search_results_are_exported_with_their_sources(library: Opened) -> None:

    async def scenario(client: Client, _: Application) -> None:
        (data,) = await exported(client, "document://report sheet://figures/Data", "DOCX")
        made: Any = docx.Document(io.BytesIO(data))
        words = [paragraph.text for paragraph in made.paragraphs]
        assert "The wombat digs burrows." in words
        assert made.tables[0].cell(1, 0).text == "wombat"
        assert len(made.inline_shapes) >= 1  # the picture of the report comes along
        assert sum(word.startswith("[") and "://" in word for word in words) == 2
        (data,) = await exported(client, "sheet://figures/Data?range=A2:B3", "XLSX")
        book = sheets(data)
        assert [[cell.value for cell in row] for row in book.worksheets[0]] == [["wombat", 26.5], ["quokka", 3.2]]
        by_uri, by_path = [
            docx.Document(io.BytesIO((await exported(client, source, "DOCX"))[0])).paragraphs[0].text
            for source in ("document://report", "report.docx")
        ]
        assert by_path == by_uri
        (data,) = await exported(client, "capybara", "DOCX")
        made = docx.Document(io.BytesIO(data))
        assert made.paragraphs[0].text == "Search: capybara"
        cited = next(paragraph for paragraph in made.paragraphs if "capybara rests" in paragraph.text.lower())
        assert any(run.bold and run.text.lower() == "capybara" for run in cited.runs)
        assert cited.text.rstrip().endswith("]")
        assert any("document://" in p.text or "section://" in p.text for p in made.paragraphs if p.text.startswith("["))
        (data,) = await exported(client, "capybara", "XLSX")
        assert sheets(data)["Results"]["B1"].value == "Document"
        tables = await exported(client, OUTLINE + "\n\n| A |\n|---|\n| 1 |\n", "CSV")
        assert len(tables) == 2

    play(library, scenario, ERAS[1])


def test_what_is_hidden_is_left_out_of_an_export_which_says_so(tmp_path: Path) -> None:
    files = tmp_path / "documents"
    files.mkdir()
    (files / "page.html").write_text(
        "<h1>Quay</h1><p>Seen words.</p><p style='display:none'>Secret words.</p><h2>Depths</h2><p>Deep water.</p>"
    )
    book = openpyxl.Workbook()
    book.worksheets[0]["A1"] = "seen"
    back = book.create_sheet("Back")
    back["A1"], back.sheet_state = "unseen", "hidden"
    book.save(files / "book.xlsx")

    async def scenario(client: Client, _: Application) -> None:
        arguments = {"source": "document://page document://book", "format": "DOCX"}
        answer = await client.call_tool("export", arguments)
        assert "Back is hidden in book.xlsx and left out." in text_of(answer)
        assert "1 hidden passage was left out." in text_of(answer)
        (data,) = await exported(client, arguments["source"], "DOCX")
        made: Any = docx.Document(io.BytesIO(data))
        words = "\n".join(node.text or "" for node in made.element.iter(qn("w:t")))
        assert "Seen words." in words
        assert "Secret words." not in words
        assert "unseen" not in words
        (data,) = await exported(client, "section://page/depths", "DOCX")
        words = "\n".join(paragraph.text for paragraph in docx.Document(io.BytesIO(data)).paragraphs)
        assert "Deep water." in words
        assert "Seen words." not in words

    play(tmp_path, scenario, ERAS[0])


def test_what_cannot_be_exported_is_said(library: Opened) -> None:

    async def scenario(client: Client, _: Application) -> None:
        async def refused(source: str, form: str = "DOCX") -> str:
            answer = await client.call_tool("export", {"source": source, "format": form})
            assert answer.is_error, text_of(answer)
            return text_of(answer)

        assert "Nothing was found" in await refused("zyzzyva")
        assert "hardly answers" in await refused("submarine zeppelin wombat glacier quantum")
        assert "nowhere" in await refused("document://nowhere")
        assert "PDF" in await refused("# A\n", "PDF")  # the formats there are
        assert "revenu" in await refused("SELECT revenu FROM sales", "CSV")
        quill = await client.call_tool(
            "render_document", {"markdown": "# A", "output_format": "DOCX", "quill": "default"}
        )
        assert "A quill draws PDF, SVG and PNG" in text_of(quill)

    play(library, scenario, ERAS[1])


def test_the_command_line_exports_to_a_file(tmp_path: Path) -> None:
    documents(tmp_path)
    folder, data = tmp_path / "documents", tmp_path / "data"
    environment = {**os.environ, "DOCSIDECAR_DATA_DIR": str(data)}
    assert program.run("--folder", str(folder), "index", "--once", environment=environment).returncode == 0
    (tmp_path / "outline.md").write_text(OUTLINE)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return program.run("--folder", str(folder), "export", *arguments, environment=environment)

    target = tmp_path / "out.xlsx"
    done = run("SELECT region, revenue FROM sales", "-o", str(target))
    assert (done.returncode, done.stdout) == (0, f"{target}\n"), done.stderr
    assert openpyxl.load_workbook(target).sheetnames == ["Query", "Sources"]
    done = run(f"@{tmp_path / 'outline.md'}", "-o", str(tmp_path / "out.pptx"))
    assert done.returncode == 0, done.stderr
    assert len(pptx.Presentation(str(tmp_path / "out.pptx")).slides) == 4
    done = run("capybara", "-o", str(tmp_path / "out.odt"))
    assert done.returncode == 2
    assert "does not show the format" in done.stderr


@pytest.mark.tool("soffice")
def test_libreoffice_opens_every_format(library: Opened) -> None:

    async def scenario(client: Client, _: Application) -> None:
        for form in ("DOCX", "PPTX", "XLSX"):
            (data,) = await exported(client, OUTLINE, form)
            source = Source.of_bytes(data, f"export.{form.lower()}")
            made = convert(source, "pdf", Limits())
            assert made.startswith(b"%PDF")

    play(library, scenario)
