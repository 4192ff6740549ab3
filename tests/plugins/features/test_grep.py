"""`grep` as a client calls it: it sees everything a reader sees, and answers in lines for the model."""

from __future__ import annotations

import io
import re
from collections.abc import Awaitable, Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from support.clients.harness import picture, pptx, read_text, text_of
from support.clients.opened import Opened, opened, serve
from support.trials.office_trials import shows, trials

ROWS = 600
_UNSEEN = ("hidden text", "cell of a very hidden sheet", "hidden shape", "shape off the slide")
Grep = Callable[..., Awaitable[tuple[str, dict[str, Any]]]]


def word() -> bytes:
    import docx

    document = docx.Document()
    document.add_heading("Retry policy", 1)
    paragraph = document.add_paragraph("Calls are tried three times.")
    document.add_comment(paragraph.runs, text="Is a fourth try wise?", author="Anna Schmidt", initials="A")
    document.add_picture(io.BytesIO(picture()))
    document.add_paragraph("Figure 7. The retry loop", style="Caption")
    table = document.add_table(2, 2)
    for cell, text in zip((cell for row in table.rows for cell in row.cells), ("Code", "Wait", "503", "20 s")):  # noqa: B905
        cell.text = text
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def workbook() -> bytes:
    import openpyxl
    from openpyxl.comments import Comment

    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet.title = "Costs"
    sheet.append(["Item", "Quantity", "Price", "Total"])
    for row in range(2, ROWS + 2):
        sheet.append([f"item {row}", row, 2, f"=B{row}*C{row}"])
    sheet[f"D{ROWS + 2}"] = f"=SUM(D2:D{ROWS + 1})"
    sheet["A2"].comment = Comment("Ask the supplier", "Bob")
    other: Any = book.create_sheet("Lookup")
    other["A1"] = '=VLOOKUP("item 5",Costs!A1:D601,4,FALSE)'
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Generator[Opened]:
    made = tmp_path_factory.mktemp("grep")
    files = made / "files"
    files.mkdir()
    (files / "policy.docx").write_bytes(word())
    (files / "costs.xlsx").write_bytes(workbook())
    (files / "talk.pptx").write_bytes(pptx())
    (files / "math.md").write_text("# Sums\n\n$$\\sum_{i} x_i$$\n\n## Deep down\n\nA line about the retry.\n")
    (files / "more.md").write_text("# More\n\nretry\n\nretry and retry\n")
    with opened(made) as home:
        yield home


def served(home: Path | Opened, body: Callable[[Grep, Client], Awaitable[None]], era: str = "legacy") -> None:
    async def asking(client: Client) -> None:
        async def grep(pattern: str, **given: Any) -> tuple[str, dict[str, Any]]:
            answer = await client.call_tool("grep", {"pattern": pattern, **given})
            assert not answer.is_error, text_of(answer)
            return text_of(answer), answer.structured_content or {}

        await body(grep, client)

    serve(home, asking, era)


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        ("Retry policy", "Retry policy"),
        ("^Deep down$", "Deep down"),
        ("retry loop", "Figure 7. The retry loop"),
        ("fourth try", "Anna Schmidt: Is a fourth try wise?"),
        ("Anna Schmidt", "Anna Schmidt: Is a fourth try wise?"),
        ("503", "503 | 20 s"),
        (r"\\sum", r"\sum"),
        ("about the Numbat", "Say something about the Numbat."),
        ("^Numbat$", "Numbat"),
        ("supplier", "Ask the supplier"),
        (r"=SUM\(", f"=SUM(D2:D{ROWS + 1})"),
        ("VLOOKUP", "VLOOKUP"),
        (r"B417\*", "item 417 | 417 | 2 |"),
        ("^Lookup$", "Lookup"),
    ],
)
def test_everything_a_reader_sees_is_found_and_leads_there(home: Opened, pattern: str, line: str) -> None:
    async def body(grep: Grep, client: Client) -> None:
        text, found = await grep(pattern)
        assert found["matches"] >= 1
        shown = next(one for one in text.split("\n") if "://" in one and line in one)
        read = await client.call_tool("read", {"uri": shown.split(": ", 1)[0]})
        assert not read.is_error, text_of(read)

    served(home, body)


def test_a_row_comes_whole_with_the_heading_row_of_its_sheet(home: Opened) -> None:
    async def body(grep: Grep, client: Client) -> None:
        text, _ = await grep("^item 555 ", document_slug="costs")
        head, file, header, row = text.split("\n")
        assert head == "1 match."
        assert file == f"{home.home / 'files' / 'costs.xlsx'} (costs)"
        assert header == "    header: Item | Quantity | Price | Total"
        assert row.startswith("sheet://costs/Costs?range=A555: item 555 | 555 | 2 |")
        text, _ = await grep(r"item 55\d ", document_slug="costs")
        assert text.count("header:") == 1, "said once for all rows of the table"
        text, _ = await grep(r"B417\*C417", document_slug="costs")
        assert text.split("\n")[-1].startswith("sheet://costs/Costs?range=D417&formulas=1: "), "its cell"

    served(home, body)


def test_what_is_said_of_a_cell_leads_to_it(home: Opened) -> None:
    async def body(grep: Grep, client: Client) -> None:
        text, _ = await grep("Ask the supplier")
        assert text.split("\n")[-1] == "sheet://costs/Costs?range=A2: Bob: Ask the supplier"

    served(home, body)


def test_every_place_of_an_office_file_is_found_and_what_it_leads_to_shows_it(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    for trial in trials():
        (tmp_path / "files" / trial.name).write_bytes(trial.data)

    async def body(grep: Grep, client: Client) -> None:
        for trial in trials():
            for token, place in trial.places.items():
                text, _ = await grep(re.escape(token), document_slug=trial.slug)
                if place in _UNSEEN:
                    assert text == "No match.", place
                    continue
                uris = [line.split(": ", 1)[0] for line in text.split("\n") if "://" in line and token in line]
                seen = [shows(await read_text(client, uri), token) for uri in uris]
                assert any(seen), f"{place}: {text}"

    served(tmp_path, body)


def test_files_only_and_count(home: Opened) -> None:
    async def body(grep: Grep, client: Client) -> None:
        text, found = await grep("retry", files_only=True)
        assert re.findall(r"\((\S+)\)", text) == ["math", "more", "policy"]
        assert (found["files"], found["complete"]) == (3, True)
        assert all(str(home.home / "files" / name) in text for name in ("math.md", "more.md", "policy.docx"))
        text, _ = await grep("retry", count=True)
        counts = dict(re.findall(r"\((\S+)\): (\d+)", text))
        assert counts == {"math": "1", "more": "3", "policy": "1"}
        text, found = await grep("retry", count=True, limit=2)
        assert (found["files"], found["next_start"], found["complete"]) == (2, 2, False)
        text, found = await grep("retry", count=True, limit=2, start=2)
        assert (found["files"], found["complete"]) == (1, True)
        assert "policy" in text
        text, found = await grep("zebra", files_only=True)
        assert text == "No match."
        beyond = await client.call_tool("grep", {"pattern": "retry", "files_only": True, "start": 3})
        assert "beyond the end; there are 3 files" in text_of(beyond)

    served(home, body)


def test_a_long_paragraph_is_told_once_though_it_is_indexed_in_pieces(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    words = " ".join(f"word{n} glacier." for n in range(600))
    (tmp_path / "files" / "long.md").write_text(f"# Long\n\n{words}\n")

    async def body(grep: Grep, client: Client) -> None:
        text, found = await grep(r"word5\d\d ", limit=500)
        assert found["matches"] == 100
        uris = {line.split(": ", 1)[0] for line in text.split("\n")[2:]}
        assert uris == {"paragraph://long/1/2"}

    served(tmp_path, body)
