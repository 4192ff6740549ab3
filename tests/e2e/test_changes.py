"""What changed: `document://{doc}?changes=SINCE` between two versions, and the documents changed or removed since."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import docx
import openpyxl
import pytest
import xlsxwriter
from mcp.client.client import Client
from support.clients.harness import in_process, read_text, text_of
from support.indexes.prepared import indexed, prepare

from sidecar.api import Limits, NotFoundError
from sidecar.app import Application
from sidecar.store import Store
from sidecar.store.database.session import Session
from sidecar.toolkit.times import period

pytestmark = pytest.mark.anyio

LONG_AGO = 1_500_000_000
DAY = 86_400.0


async def doc_id(application: Application, slug: str) -> str:
    return (await application.library.document(slug)).doc_id


def contract(path: Path, days: str, *more: str) -> None:
    document = docx.Document()
    document.core_properties.title = "Contract"
    document.add_heading("Term", 1)
    document.add_paragraph(f"Either side may end the contract with notice of {days} days, in writing and by post.")
    for one in more:
        document.add_paragraph(one)
    document.add_heading("Place", 1)
    document.add_paragraph("The courts of Bremen decide.")
    document.save(str(path))


def prices(path: Path, rows: list[tuple[str, int]]) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Prices"
    for row in [("Item", "Price"), *rows]:
        sheet.append(row)
    book.save(path)


async def test_words_that_went_and_came_are_marked_with_their_place(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    contract(folder / "contract.docx", "ninety", "Both sides keep silent about this.")
    prices(folder / "prices.xlsx", [("bolt", 3), ("nut", 2), ("washer", 1)])
    async with in_process(folder, tmp_path / "data") as (application, server, _), Client(server, mode="auto") as client:
        first = await doc_id(application, "contract")
        contract(folder / "contract.docx", "sixty", "A fee of 40 euros is due.")
        prices(folder / "prices.xlsx", [("screw", 7), ("bolt", 3), ("nut", 25)])
        await application.indexer.scan_once()
        for since in ("", "=yesterday", "=last", f"={first}", "=2024-01-31"):
            text = await read_text(client, f"document://contract?changes{since}")
            assert "notice of [-ninety-] [+sixty+] days, in writing" in text
            assert "- added: A fee of 40 euros is due. (paragraph://contract/1/3)" in text
            assert f"- removed: Both sides keep silent about this. (paragraph://{first}/1/3)" in text
            assert "1 line changed, 1 line added, 1 line removed." in text
            assert "Bremen" not in text
            assert f"Compared with document://{first}" in text
        told = await client.call_tool("read", {"uri": "document://prices?changes=yesterday"})
        assert "nut | [-2-] [+25+]" in text_of(told)
        assert "added: screw | 7" in text_of(told)
        assert "removed: washer | 1" in text_of(told)
        assert "sheet://prices/Prices?range=A2:B2" in text_of(told)
        assert "bolt" not in text_of(told)


async def test_what_is_not_different_or_not_known_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "notes.md").write_text("# Notes\n\nOne.\n")
    async with in_process(folder, tmp_path / "data") as (application, server, _), Client(server) as client:
        assert "No other version of it is known since yesterday; it was first indexed on" in await read_text(
            client, "document://notes?changes=yesterday"
        )
        first = await doc_id(application, "notes")
        assert "Nothing: it is the same as then" in await read_text(client, f"document://notes?changes={first}")
        (folder / "notes.md").write_text("# Notes\n\nOne.\n\n")  # other bytes, the same text
        await application.indexer.scan_once()
        assert "No line of the text is different." in await read_text(client, "document://notes?changes")
        refused = await client.call_tool("read", {"uri": "document://notes?changes=soon"})
        assert refused.is_error
        assert "'soon' is not a date; write 2024-01-31, yesterday or last week. There is no document 'soon'" in text_of(
            refused
        )


async def test_two_documents_are_compared_by_slug_or_path(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    contract(folder / "contract.docx", "ninety")
    contract(folder / "contract final.docx", "sixty")
    async with in_process(folder, tmp_path / "data") as (application, server, _), Client(server) as client:
        first = await doc_id(application, "contract")
        for other in ("contract", "contract.docx"):
            text = await read_text(client, f"document://contract-final?changes={other}")
            assert "notice of [-ninety-] [+sixty+] days" in text
            assert f"Compared with contract.docx, document://{first}." in text


async def test_numbers_and_dates_change_as_a_whole(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "old.md").write_text("Liability is limited to 50,000.00 EUR until 2024-01-31, from 9:30 on, see 4.1.\n")
    (folder / "new.md").write_text("Liability is limited to 75,000.00 EUR until 2024-02-29, from 9:45 on, see 4.1.\n")
    async with in_process(folder, tmp_path / "data") as (_, server, _), Client(server) as client:
        text = await read_text(client, "document://new?changes=old")
        assert "[-50,000.00-] [+75,000.00+] EUR until [-2024-01-31-] [+2024-02-29+], from [-9:30-] [+9:45+] on" in text


async def test_results_not_calculated_yet_do_not_count_as_gone(tmp_path: Path) -> None:
    """A library that saves a workbook leaves the results of its formulas out; they come with the second reading."""
    folder = tmp_path / "documents"
    folder.mkdir()
    with xlsxwriter.Workbook(str(folder / "sums.xlsx")) as book:
        sheet = book.add_worksheet("Sums")
        for row, name in enumerate(("rent", "travel", "cars")):
            sheet.write_row(row, 0, (name, 100, 200))
            # A function that no program knows, so that its result does not come.
            sheet.write_formula(row, 3, f"=NOSUCHFUNCTION(B{row + 1}:C{row + 1})", value=300)
    once = in_process(folder, tmp_path / "data", limits=Limits(ocr=False))  # no second reading
    async with once as (application, server, _), Client(server) as client:
        saved = openpyxl.load_workbook(folder / "sums.xlsx")
        saved["Sums"]["C2"] = 250
        saved.save(folder / "sums.xlsx")
        await application.indexer.scan_once()
        text = await read_text(client, "document://sums?changes")
        assert "1 line changed." in text
        assert "\nFormulas are compared without their results: not all are calculated (yet)." in text
        assert "travel | 100 | [-200-] [+250+]" in text
        assert "[-300-]" not in text
        assert "rent" not in text


async def test_many_changes_go_on_where_the_answer_says(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "long.md").write_text("# Long\n\nUnchanged.\n")
    async with in_process(folder, tmp_path / "data") as (application, server, _), Client(server) as client:
        lines = [f"Line number {number} of the new text is quite long, as lines go." for number in range(400)]
        (folder / "long.md").write_text("# Long\n\nUnchanged.\n\n" + "\n\n".join(lines) + "\n")
        await application.indexer.scan_once()
        seen, uri = "", "document://long?changes=last"
        while uri:
            text = await read_text(client, uri)
            assert len(text) < 26_000
            seen += text
            uri = text.rpartition("Go on with ")[2].removesuffix(")*") if "Go on with " in text else ""
        assert [seen.count(line) for line in lines] == [1] * 400


async def test_documents_changed_and_removed_since_are_listed(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    for name in ("old", "edited", "gone"):
        (folder / f"{name}.md").write_text(f"# {name}\n")
        os.utime(folder / f"{name}.md", (LONG_AGO, LONG_AGO))
    async with in_process(folder, tmp_path / "data") as (application, server, _), Client(server, mode="auto") as client:
        gone = await doc_id(application, "gone")
        (folder / "edited.md").write_text("# edited\n\nMore.\n")
        os.utime(
            folder / "edited.md", (LONG_AGO + 1, LONG_AGO + 1)
        )  # as a restored backup: replaced today all the same
        (folder / "gone.md").unlink()
        (folder / "new.md").write_text("# new\n")
        await application.indexer.scan_once()
        for tool in ("list_documents", "list_documents_paginated"):
            answer = await client.call_tool(tool, {"changed_since": "yesterday"})
            text = text_of(answer)
            assert "- edited: " in text
            assert "- new: " in text
            assert "- old: " not in text
            assert f"Removed: gone.md (document://{gone})" in text
            assert "document://SLUG?changes=yesterday" in text
        assert "# gone" in await read_text(client, f"document://{gone}.md")
        narrowed = await client.call_tool("list_documents", {"changed_since": "yesterday", "type": "pdf"})
        assert "gone.md" not in text_of(narrowed)
        refused = await client.call_tool("list_documents", {"changed_since": "whenever"})
        assert refused.is_error
        assert "'whenever' is not a date" in text_of(refused)
        found = await client.call_tool("search_documents", {"query": "modified:yesterday"})
        assert not found.is_error
        assert "is not a date" not in text_of(found)


async def test_the_versions_days_began_with_are_kept_however_often_the_document_is_saved(tmp_path: Path) -> None:
    versions = [prepare([("Start", [f"edit {number}"])]) for number in range(8)]

    def midnight() -> float:
        return datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0).timestamp()

    async def saved(data: Path, today: float) -> list[bool]:
        """Which versions are kept: the first was replaced yesterday at noon, all others just now."""
        store = await Store.open(data, retention=2)

        def age(session: Session) -> None:
            session.execute("UPDATE files SET added = ?", (today - 3 * DAY,))
            session.execute("UPDATE history SET ended = ?", (today - DAY / 2,))

        async def kept(doc_id: str) -> bool:
            try:
                return bool(await store.documents.resolve(doc_id))
            except NotFoundError:
                return False

        try:
            for number, prepared in enumerate(versions):
                await store.files.commit([indexed("a.txt", prepared)])
                if number == 1:
                    await store.database.write(age)
            since = await store.documents.compared("a", round((today - DAY) * 1e9))
            assert since.before is not None
            assert today != midnight() or since.before.doc_id == versions[0].doc_id
            return [await kept(prepared.doc_id) for prepared in versions]
        finally:
            await store.close()

    found, today = [], 0.0
    while today != midnight():  # a day that began meanwhile is another one
        today = midnight()
        found = await saved(tmp_path / str(today), today)
    assert found == [True, True, False, False, False, True, True, True]


def test_times_as_people_write_them() -> None:
    now = datetime(2026, 11, 22, 17, 30)  # noqa: DTZ001  # a Sunday, local time

    def begin(text: str) -> str:
        found = period(text, now)
        return datetime.fromtimestamp(found[0] / 1e9, UTC).astimezone().strftime("%Y-%m-%d %H") if found else ""

    days = {
        "2024": "2024-01-01", "2024-03": "2024-03-01", "31.01.2024": "2024-01-31", "yesterday": "2026-11-21",
        "Gestern": "2026-11-21", "昨日": "2026-11-21", "this week": "2026-11-16", "last week": "2026-11-09",
        "la semaine dernière": "2026-11-09", "last month": "2026-10-01", "sunday": "2026-11-15", "friday": "2026-11-20",
        "3 days ago": "2026-11-19", "a week ago": "2026-11-15", "last year": "2025-01-01",
    }  # fmt: skip
    assert {text: begin(text) for text in days} == {text: f"{day} 00" for text, day in days.items()}
    assert [begin(text) for text in ("24h", "last 2 days", "2024-01-31T14:20")] == [
        "2026-11-21 17", "2026-11-20 17", "2024-01-31 14",
    ]  # fmt: skip
    assert [begin(text) for text in ("soon", "", "2024-13", "99999 days", "9999 years", "31.02.2024")] == [""] * 6
