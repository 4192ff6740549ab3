"""Titles that say nothing give way; documents and folders are found by what they are called, exact names first."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from docx import Document
from mcp.client.client import Client
from pptx import Presentation
from support.clients.harness import in_process, text_of
from support.formats.pdf_builder import Pdf, lines, text
from support.formats.pdf_prose import PROSE_ON as PROSE

from sidecar.ingest.reading.titles import informative_title


@pytest.mark.parametrize(
    "title",
    [
        "(anonymous)", "10811.exe", "untitled", "Untitled-2", "Presentation", "PowerPoint Presentation", "Document1",
        "Microsoft Word - Annual report.doc", "Microsoft PowerPoint - Slide 1", "Präsentation 3", "無題", "Sans titre",
        "0af4d8a2-ac11-42f9-9390-9ed918ee6b9f", "20231104", "***", "file:///tmp/x.html", r"C:\Users\me\x", "", " \n",
        "report final (2).pdf", "Mappe 2", "Sin título 1", "No Slide Title", "notitle",
    ],
)  # fmt: skip
def test_a_title_that_says_nothing_gives_way(title: str) -> None:
    assert informative_title(title) == ""


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Microsoft Word - Annual report", "Annual report"),
        ("Annual Report 2023", "Annual Report 2023"),
        ("1984", "1984"),
        ("Node.js", "Node.js"),
        ("The Book", "The Book"),
        ("Presentation of results", "Presentation of results"),
        ("東京の  報告", "東京の 報告"),
        ("Untitled: a novel", "Untitled: a novel"),
        ("3/4", "3/4"),
    ],
)
def test_any_other_stays(title: str, shown: str) -> None:
    assert informative_title(title) == shown


def paper(*heads: tuple[str, int]) -> bytes:
    """A PDF without properties: for each head of that size in points a page of running text in 10 points under it."""
    pdf = Pdf()
    for head, size in heads:
        pdf.page(text(72, 720, head, size=size, font="F2") + lines(72, 680, PROSE * 3))
    return pdf.bytes()


def slides(*titles: str) -> bytes:
    deck = Presentation()
    for title in titles:
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        assert slide.shapes.title is not None
        slide.shapes.title.text = title
    deck.core_properties.title = ""
    return saved(deck)


def letter(*heads: tuple[str, int]) -> bytes:
    document = Document()
    for head, level in heads:
        document.add_heading(head, level)
        document.add_paragraph("We write to you about the berths and the tides.")
    document.core_properties.title = ""
    return saved(document)


def saved(document: Any) -> bytes:
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


async def test_a_document_without_a_title_is_called_by_the_heading_over_all_of_it(tmp_path: Path) -> None:
    files = {
        "2305.03393v1.pdf": (paper(("Tokens for tables", 18), ("Method", 14), ("Results", 14)), "Tokens for tables"),
        "chapters.pdf": (paper(("Of tides", 18), ("Of berths", 18)), "chapters"),
        "a book.pdf": (paper(("Contents", 18), ("Of berths", 14)), "a book"),
        "numbered.pdf": (paper(("1 Of tides", 18), ("2 Of berths", 14)), "numbered"),
        "small.pdf": (paper(("Of tides", 10), ("Of berths", 10)), "small"),
        "deck.pptx": (slides("Our plan for the harbour", "Costs"), "Our plan for the harbour"),
        "agenda.pptx": (slides("Agenda", "Costs"), "agenda"),
        "letter.docx": (letter(("To the harbour master", 1), ("Berths", 2)), "To the harbour master"),
        "terms.docx": (letter(("Terms", 1)), "terms"),
        "parts.docx": (letter(("Berths", 1), ("Tides", 1)), "parts"),
        "sections.docx": (letter(("Introduction", 1), ("Tides", 2)), "sections"),
    }
    folder = tmp_path / "papers"
    folder.mkdir()
    for name, (data, _) in files.items():
        (folder / name).write_bytes(data)
    async with in_process(folder, tmp_path / "data") as (_, server, _), Client(server, mode="auto") as client:
        listed = (await client.call_tool("list_documents", {})).structured_content or {}
        slugs = {document["title"]: document["slug"] for document in listed["documents"]}
        assert sorted(slugs) == sorted(title for _, title in files.values())
        for title, slug in slugs.items():
            found = (await client.call_tool("find_document", {"query": title})).structured_content or {}
            assert found["documents"][0]["slug"] == slug


def fill(folder: Path) -> None:
    for name, said in {
        "reports/2024/budget.md": "# Spending\n\nMoney.\n",
        "reports/2024/letter.md": "# Letter to the budget committee\n\nDear all.\n",
        "reports/2023/old.md": "# Untitled\n\nOld.\n",
        "reports/budget plan.md": "# Budget and budget and budget\n\nPlan.\n",
        "inbox.mbox": "From a@b Mon Jan  1 00:00:00 2024\nFrom: a@b\nSubject: Lunch\n\nToday?\n\n"
        "From c@d Mon Jan  1 00:00:00 2024\nFrom: c@d\nSubject: Rent\n\nDue.\n",
        "the harbour master's annual report on berths and tides.md": "# Yearly\n\nTides.\n",
        "minutes of the third meeting 2024 23-07.md": "# Third\n\nWe met.\n",
        "minutes of the fourth meeting 2024 24-07.md": "# Fourth\n\nWe met.\n",
        "broken.pdf": "%PDF-1.4 nothing of one",
        "empty.docx": "no zip",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(said)
    (folder / "program.bin").write_bytes(bytes(range(256)) * 20)


async def test_files_in_archives_are_found_by_their_names(tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "plan.md").write_text("# Plan\n\nA plan.\n")
    with zipfile.ZipFile(folder / "bundle.zip", "w") as packed:
        packed.writestr("hr/retention_plan.md", "# Retention\n\nKeep it.\n")
        packed.writestr("hr/50%.bin", bytes(range(256)))
    async with in_process(folder, tmp_path / "data") as (_, server, _), Client(server, mode="auto") as client:
        await client.call_tool("search_documents", {"query": "retention"})

        async def found(query: str) -> dict[str, Any]:
            return (await client.call_tool("find_document", {"query": query})).structured_content or {}

        async def attached(query: str) -> list[str]:
            return [one["uri"] for one in (await found(query)).get("attached", [])]

        [member, *_] = (await found("Retention_Plan.md"))["documents"]
        assert member["path"] == str(folder / "bundle.zip" / "hr" / "retention_plan.md")
        answer = await client.call_tool("read", {"uri": f"document://{member['slug']}.md"})
        assert "Keep it." in text_of(answer)
        assert await attached("Retention_Plan.md") == [], "a document of its own"
        assert await attached("50%") == ["embed://bundle/1"]
        assert await attached("h%0") == await attached("5_%") == [], "meant literally"
        assert await attached("plan") == [], "a document is called so"


async def test_names_are_found_exactly_before_nearly_and_folders_too(tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    fill(folder)

    async def main() -> None:
        async with in_process(folder, tmp_path / "data") as (_, server, _), Client(server, mode="auto") as client:

            async def ask(tool: str, **given: Any) -> dict[str, Any]:
                answer = await client.call_tool(tool, given)
                assert not answer.is_error, text_of(answer)
                return answer.structured_content or {}

            async def slugs(query: str) -> list[str]:
                return [one["slug"] for one in (await ask("find_document", query=query))["documents"]]

            assert (await slugs("budget"))[0] == "budget", "its name, though others say the word more often"
            assert (await slugs("BUDGET.md"))[0] == "budget"
            assert (await slugs("2024/budget.md"))[0] == "budget"
            assert (await slugs("spending"))[0] == "budget", "its title"
            assert (await slugs("buget"))[:1] in (["budget"], ["budget-plan"])
            assert (await slugs("bugdet plan"))[0] == "budget-plan", "one word of two is misspelt, the other in others"
            assert await slugs("harbor") == ["the-harbour-master-s-annual-report-on-berths-and-tides"]
            assert (await slugs("mintues 23 07"))[:1] == ["minutes-of-the-third-meeting-2024-23-07"]
            near = await ask("find_document", query="mintues 23 07")
            assert near["remark"] == "No name or title has mintues; these come near."
            assert "remark" not in await ask("find_document", query="BUDGET.md")
            assert await slugs("zzxcvb qqq") == []
            found = await ask("find_document", query="reports")
            assert found["folders"] == [{"path": str(folder / "reports").replace("\\", "/"), "documents": 4}]
            found = await ask("find_document", query="reports/2024")
            assert [one["documents"] for one in found["folders"]] == [2]
            narrowed = await ask("list_documents", folder=found["folders"][0]["path"])
            assert {one["slug"] for one in narrowed["documents"]} == {"budget", "letter"}
            titles = {one["slug"]: one["title"] for one in (await ask("list_documents"))["documents"]}
            assert (titles["old"], titles["inbox"]) == ("old", "inbox")

    await main()


async def test_the_status_names_what_could_not_be_read_and_counts_as_the_lists_do(tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    fill(folder)
    for number in range(60):
        (folder / f"bad {number:02}.pdf").write_text("%PDF-1.4 nothing of one")

    async def main() -> None:
        async with in_process(folder, tmp_path / "data") as (_, server, _), Client(server, mode="auto") as client:
            named: dict[str, str] = {}
            start, status = 0, dict[str, Any]()
            while start is not None:
                answer = await client.call_tool("get_library_status", {"start": start} if start else {})
                status = answer.structured_content or {}
                for one in status["unreadable"]:
                    assert one["path"] not in named
                    named[one["path"]] = one["state"]
                    assert one["reason"].endswith(".")
                start = status.get("next_start")
            assert len(named) == status["unreadable_total"] >= 62
            listed = (await client.call_tool("list_documents_paginated", {"page_size": 1})).structured_content or {}
            assert listed["total"] == status["total"] == sum(status["states"].values()) - status["not_documents"]
            for state, count in status["states"].items():
                found = await client.call_tool("list_documents_paginated", {"state": state, "page_size": 1})
                assert (found.structured_content or {})["total"] == count, state
                assert state == "indexed" or sum(one == state for one in named.values()) == count
            wrong = await client.call_tool("get_library_status", {"start": 1000})
            assert wrong.is_error

    await main()


async def test_a_heading_within_a_page_is_not_said_above_it(tmp_path: Path) -> None:
    """The title of a page with a label is its first heading; above the text before that, it would be wrong."""
    pdf = Pdf()
    pdf.catalog = "/PageLabels << /Nums [0 << /S /D /St 25 >>] >>"
    page = "".join(lines(72, 740 - 60 * n, PROSE) for n in range(5))
    pdf.page(text(72, 760, "2.4 Basics", size=14, font="F2") + page)
    pdf.page(page + text(72, 420, "2.5 Byte codes", size=14, font="F2") + lines(72, 390, PROSE))
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "manual.pdf").write_bytes(pdf.bytes())
    async with in_process(folder, tmp_path / "data") as (_, server, _), Client(server, mode="auto") as client:
        (read,) = (await client.read_resource("page://manual/2.md")).contents
        assert isinstance(read, types.TextResourceContents)
        shown = [line for line in read.text.split("\n") if line.startswith("#")]
        assert [line.lstrip("#") for line in shown] == [" 2.5 Byte codes"]
