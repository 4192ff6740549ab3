"""What a hit consists of, as a client gets it: enough to act on without reading on."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Awaitable, Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from PIL import Image, ImageDraw, ImageFont
from sidecar_library.searching import DEFAULT_TOKENS
from support.clients.harness import in_process, text_of
from support.clients.opened import Opened, opened, serve

from sidecar.api import Limits, Result, Text
from sidecar.toolkit.answers.budget import whole_answer_tokens

Asking = Callable[..., Awaitable[list[dict[str, Any]]]]
CLAUSE = (
    "Either party may terminate this agreement by written notice of ninety days to the other party, "
    "provided that all invoices due on the day of the notice have been paid in full and that the goods have been "
    "returned to the warehouse from which they were collected, in the packaging in which they were delivered. "
)
ROWS = 120


def contract() -> bytes:
    """A numbered clause, a tracked change, and the library's own properties."""
    import docx
    from docx.oxml import parse_xml

    document = docx.Document()
    document.add_heading("Terms", 1)
    for text in ("Definitions stand in the annex.", CLAUSE + "Surviving obligations stay in force."):
        document.add_paragraph(text, style="List Number")
    paragraph = document.add_paragraph("The deposit is kept for ")
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    change = 'w:author="Anna Schmidt" w:date="2024-03-05T10:00:00Z"'
    removed = f'<w:del {space} w:id="1" {change}><w:r><w:delText xml:space="preserve">thirty</w:delText></w:r></w:del>'
    added = f'<w:ins {space} w:id="2" {change}><w:r><w:t xml:space="preserve">forty</w:t></w:r></w:ins>'
    for markup in (removed, added):
        paragraph._p.append(parse_xml(markup))  # pyright: ignore[reportPrivateUsage]  # python-docx has no changes
    paragraph.add_run(" weeks.")
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def workbook() -> bytes:
    import openpyxl
    from openpyxl.worksheet.table import Table

    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet.title = "Costs"
    sheet.append(["Item", "Supplier", "Amount"])
    for row in range(2, ROWS + 2):
        sheet.append([f"article{row}", f"Supplier number {row} of the long list of them", row * 10])
    sheet[f"C{ROWS + 3}"] = f"=SUM(C2:C{ROWS + 1})"
    sheet[f"D{ROWS + 3}"] = '=VLOOKUP("x",A2:C9,3,FALSE)'
    sheet.add_table(Table(displayName="OutlayRegister", ref=f"A1:C{ROWS + 1}"))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def commented() -> bytes:
    """A long sheet with comments on cells, one of them below its last row."""
    import openpyxl
    from openpyxl.comments import Comment

    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet.title = "Berths"
    for row in range(1, 1201):
        sheet.append([f"berth{row}", row * 3, f"tenant {row % 23}"])
    for cell, text in (
        ("C12", "Ends with the kestrel clause"),
        ("B737", "Brockhurst doubts it"),
        ("J1900", "Wickfield"),
        ("A1300", "Ask again\nabout the hawser"),
    ):
        sheet[cell].comment = Comment(text, "Maren Oltmanns")
    sheet.oddHeader.center.text = "Quay of the two anvils"
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def slides() -> bytes:
    import pptx as library
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE
    from pptx.util import Inches

    deck = library.Presentation()
    slide: Any = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Turnover"
    data = CategoryChartData()
    data.categories = ["North", "South"]
    data.add_series("Quarter one", (73421.5, 12))
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(1), Inches(5), Inches(3), data)
    out = io.BytesIO()
    deck.save(out)
    return out.getvalue()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Generator[Opened]:
    import docx

    made = tmp_path_factory.mktemp("hits")
    files = made / "files"
    files.mkdir()
    (files / "contract.docx").write_bytes(contract())
    (files / "costs.xlsx").write_bytes(workbook())
    (files / "berths.xlsx").write_bytes(commented())
    (files / "turnover.pptx").write_bytes(slides())
    rows = "".join(f"| bolt{n} | {n * 3} mm | steel of the better kind, number {n} |\n" for n in range(90))
    lead = "The sizes below were measured at the plant in Graz."
    (files / "sizes.md").write_text(
        f"# Sizes\n\nMuch was measured. {lead}\n\n| Part | Width | Note |\n| --- | --- | --- |\n{rows}\n\n"
        "# Open points\n\n- [x] order the gaskets\n- [ ] call the foundry\n"
    )
    errors = "".join(f"| E-{n} | {('motor', 'valve')[n % 2]} | motor stopped by code {n} |\n" for n in range(90, 116))
    errors += "| E-117 | motor | The winding is too hot. |\n| E-118 | motor | The motor brake of the motor sticks. |\n"
    (files / "errors.md").write_text(f"# Faults\n\n| Code | Device | Meaning |\n| --- | --- | --- |\n{errors}\n")
    report = (
        "# Turbines\n\nThe flamingo turbine was looked at in the north hall by two engineers. "
        "They found neither cracks nor rust, and the bearings ran as quietly as on the first day.\n"
    )
    (files / "inspection.md").write_text(report)
    with zipfile.ZipFile(files / "flamingo turbine north hall.zip", "w") as packed:
        packed.writestr("inspection.md", report)
    for name, sender, to in (
        ("a", "Yuki <yuki@a.example>", "Ben"),
        ("b", "Ben <ben@a.example>", "Yuki <yuki@a.example>"),
    ):
        head = f"From: {sender}\nTo: {to}\nSubject: Crates {name}\nDate: Tue, 05 Mar 2024 10:00:00 +0000\n"
        (files / f"{name}.eml").write_text(f"{head}\nYuki, Yuki: the crates for Osaka left today.\n")
    Image.new("RGB", (300, 200), "white").save(files / "blank.png")
    (files / "Okapi manual.csv").write_text("step,action\n1,oil the hinges\n2,close the lid\n")
    (files / "hinges.csv").write_text("step,action\n1,oil the hinges\n2,paint the lid of the box\n")
    (files / "ratios.md").write_text("# Ratios\n\nIts share is $\\frac{quokka_n}{\\omega}$ of the whole.\n")
    menu = "<nav><a href=/quagga>Quagga atlas</a> <a href=/emu>Emu register</a></nav>"
    text = "<p>The quagga was last seen in the Karoo, by a farmer who wrote of it to the museum.</p>" * 5
    for name, body in (("menu", text.replace("quagga", "zebra")), ("seen", text)):
        main = f"<main><h1>On {name}</h1>{body}</main>"
        (files / f"{name}.html").write_text(f"<!DOCTYPE html><html><body>{menu}{main}</body></html>")
    towns = "".join(f"<tr><td>Narwhal<br>Bay {n}</td><td>{n * 7}</td></tr>" for n in range(40))
    heads = "<tr><th>Place<br>(on the coast)</th><th>Boats<br>(2023)</th></tr>"
    (files / "boats.html").write_text(f"<!DOCTYPE html><html><body><table>{heads}{towns}</table></body></html>")
    (files / "about.md").write_text("# Tools\n\nThe reports are generated by a script that calls python-docx.\n")
    document = docx.Document()
    document.add_heading("Walrus agreement", 0)
    document.add_heading("Duty", 1)
    document.add_paragraph("Each party feeds the walrus on its own days; the agreement names them.")
    document.save(str(files / "walrus.docx"))
    (files / "feed.csv").write_text("fish,price\nherring,3\nzander,9\n")
    with opened(made) as home:
        yield home


def served(home: Path | Opened, body: Callable[[Asking, Client], Awaitable[None]]) -> None:
    async def asking(client: Client) -> None:
        async def ask(query: str, **given: Any) -> list[dict[str, Any]]:
            answer = await client.call_tool("search_documents", {"query": query, "limit": 10, **given})
            assert not answer.is_error, text_of(answer)
            return (answer.structured_content or {})["results"]

        await body(ask, client)

    serve(home, asking, "auto")


def test_a_clause_is_cited_by_its_own_number(home: Opened) -> None:
    async def body(ask: Asking, _: Client) -> None:
        near = (await ask("terminate written notice"))[0]
        assert near["snippet"].replace("**", "").startswith("… 2. Either party may terminate this agreement by")
        far = (await ask("surviving obligations force"))[0]
        assert far["snippet"].startswith("… 2. Either party"), "where all hits have room, the whole clause is shown"
        assert "**Surviving** **obligations** stay in **force**" in far["snippet"]
        assert far["path"] == str(home.home / "files" / "contract.docx")
        assert far["title"].endswith("contract › Terms")

    served(home, body)


def test_tracked_changes_are_shown_as_changes(home: Opened) -> None:
    async def body(ask: Asking, client: Client) -> None:
        hit = (await ask("deposit kept weeks"))[0]
        shown = hit["snippet"].replace("**", "")
        assert "kept for [-thirty-] [+forty+] weeks. (changed by Anna Schmidt)" in shown
        assert (await ask("forty weeks deposit"))[0]["document_slug"] == "contract"
        found = text_of(await client.call_tool("grep", {"pattern": "kept for forty weeks"}))
        assert "[-thirty-] [+forty+]" in found

    served(home, body)


def test_a_row_of_a_table_comes_with_what_its_columns_are_called(home: Opened) -> None:
    async def body(ask: Asking, _: Client) -> None:
        hit = (await ask("article97"))[0]
        assert "Item: **article97** | Supplier: Supplier number 97 of" in hit["snippet"]
        assert "Amount: 970" in hit["snippet"]
        part = (await ask("bolt83 sizes measured plant Graz"))[0]
        assert part["document_slug"] == "sizes", "the sentence before the table is searched with all of its rows"
        assert "Part: **bolt83** | Width: 249 mm" in part["snippet"]
        bay = (await ask("narwhal 31"))[0]  # lines of a cell are one text
        assert "Place (on the coast): **Narwhal** Bay **31** | Boats (2023): 217" in bay["snippet"]

    served(home, body)


@pytest.mark.parametrize(
    ("query", "cell", "comment"),
    [
        ("kestrel clause", "C12", "Ends with the kestrel clause"),
        ("Brockhurst", "B737", "Brockhurst doubts it"),
        ("wickfield", "J1900", "Wickfield"),
    ],
)
def test_a_comment_on_a_cell_says_the_cell_and_leads_there(home: Opened, query: str, cell: str, comment: str) -> None:
    async def body(ask: Asking, client: Client) -> None:
        hit = (await ask(query))[0]
        assert f"[{cell}] Maren Oltmanns: {comment}" in hit["snippet"].replace("**", "")
        assert hit["uri"] == f"sheet://berths/Berths?range={cell}"
        assert comment in text_of(await client.call_tool("read", {"uri": hit["uri"]}))
        found = text_of(await client.call_tool("grep", {"pattern": comment}))
        assert found.count(comment) == 1, "the line of the passage is not told beside that of the comment"
        assert f"{hit['uri']}: Maren Oltmanns: {comment}" in found

    served(home, body)


@pytest.mark.parametrize(("query", "place"), [("hawser", "?range=A1300"), ("anvils", "")])
def test_a_further_line_of_a_comment_leads_to_its_cell_and_what_follows_it_to_the_sheet(
    home: Opened, query: str, place: str
) -> None:
    async def body(ask: Asking, client: Client) -> None:
        hit = (await ask(query))[0]
        assert hit["uri"] == f"sheet://berths/Berths{place}"
        if place:
            assert query in text_of(await client.call_tool("read", {"uri": hit["uri"]}))

    served(home, body)


def test_what_stands_around_a_page_is_found_after_what_pages_say(home: Opened) -> None:
    async def body(ask: Asking, client: Client) -> None:
        hits = await ask("quagga")
        assert hits[0]["uri"] == "section://seen/on-seen"
        assert {hits[1]["document_slug"], hits[1]["also_in"]} == {"seen", "menu"}, (
            "the menu alone of the other names it"
        )
        found = await ask("emu")
        assert {found[0]["document_slug"], found[0]["also_in"]} == {"seen", "menu"}
        assert found[0]["uri"] == f"section://{found[0]['document_slug']}/navigation"
        around = text_of(await client.call_tool("read", {"uri": found[0]["uri"]}))
        assert "[Emu register](/emu)" in around

    served(home, body)


def test_of_a_table_the_row_is_shown_that_holds_most_of_the_query(home: Opened) -> None:
    async def body(ask: Asking, _: Client) -> None:
        hit = (await ask("E-117 motor"))[0]
        shown = hit["snippet"].replace("**", "")
        assert "Code: E-117 | Device: motor | Meaning: The winding is too hot." in shown

    served(home, body)


def test_a_document_comes_before_its_copy_in_an_archive(home: Opened) -> None:
    async def body(ask: Asking, _: Client) -> None:
        slugs = [hit["document_slug"] for hit in await ask("flamingo turbine neither cracks nor rust")]
        assert slugs[0] == "inspection"
        assert "inspection-md" not in slugs, "the same content is found once"
        packed = await ask('flamingo turbine neither cracks nor rust in:"flamingo turbine north hall.zip"')
        assert packed[0]["document_slug"] == "inspection-md", "and in the archive where that is asked for"

    served(home, body)


def test_a_hit_says_of_when_and_from_whom_it_is_where_that_is_told(home: Opened) -> None:
    async def body(ask: Asking, client: Client) -> None:
        hits = await ask("mail from Yuki about the crates to Osaka")
        assert [hit["document_slug"] for hit in hits][:2] == ["a", "b"], "a sender counts more than a recipient"
        assert (hits[0]["date"], hits[0]["from"]) == ("2024-03-05", "Yuki <yuki@a.example>")
        assert hits[0]["snippet"].startswith("**Yuki**, **Yuki**: the"), "whom it is from and to is told above"
        (to,) = [hit for hit in await ask("to:ben Ben") if hit["document_slug"] == "a"]
        assert "**Ben**" in to["snippet"], "found there, it is shown"
        listed = await client.call_tool("list_documents", {"type": "mail"})
        assert [one["date"] for one in (listed.structured_content or {})["documents"]] == ["2024-03-05"] * 2
        assert text_of(listed).count(", 2024-03-05") == 2, "the day a message was sent, not when its file was written"
        said = text_of(await client.call_tool("search_documents", {"query": "crates Osaka"}))
        assert "a.eml, 2024-03-05, Yuki <yuki@a.example>)" in said
        clause = (await ask("terminate written notice"))[0]
        assert "from" not in clause
        assert "date" not in clause, "the template's date is not the document's"
        assert "2013" not in text_of(await client.call_tool("get_document_info", {"document_slug": "contract"}))

    served(home, body)


def test_the_title_of_a_document_counts_for_all_that_stands_in_it(home: Opened) -> None:
    async def body(ask: Asking, _: Client) -> None:
        assert (await ask("okapi hinges oil"))[0]["document_slug"] == "okapi-manual"

    served(home, body)


def test_what_has_no_text_says_so_in_lists_and_in_hits(home: Opened) -> None:
    async def body(ask: Asking, client: Client) -> None:
        said = text_of(await client.call_tool("list_documents", {}))
        assert "(no text)" in next(line for line in said.splitlines() if line.startswith("- blank:"))
        assert said.count("(no text)") == 1
        (hit,) = await ask("blank.png")
        assert hit["lacking"] == "no text"

    served(home, body)


async def test_a_scan_says_that_its_text_is_not_there(tmp_path: Path) -> None:
    """A page of text as a picture, with nothing that recognises it, beside one that has a text layer."""
    files = tmp_path / "files"
    files.mkdir()
    scans: list[Image.Image] = []
    for line in ("LEASE AGREEMENT: the tenant pays 940 euros.", "Either party gives three months notice."):
        page = Image.new("L", (850, 1100), 255)
        ImageDraw.Draw(page).text((90, 120), line, fill=0, font=ImageFont.load_default(28))
        scans.append(page)
    scans[0].save(files / "lease scan.pdf", save_all=True, append_images=scans[1:], resolution=100)
    (files / "letter.md").write_text("# Letter\n\nThe tenant was told of the lease.\n")

    async def main() -> None:
        async with (
            in_process(files, tmp_path / "data", limits=Limits(ocr=False)) as (_, server, _),
            Client(server, mode="auto") as client,
        ):
            listed = text_of(await client.call_tool("list_documents", {}))
            assert "2 parts" in (line := next(one for one in listed.splitlines() if "lease-scan" in one))
            assert line.endswith("(scan without text)")
            found = await client.call_tool("search_documents", {"query": "lease tenant"})
            hits = {one["document_slug"]: one for one in (found.structured_content or {})["results"]}
            assert "lacking" not in hits["letter"]
            (scan,) = ((await client.call_tool("search_documents", {"query": "lease scan"})).structured_content or {})[
                "results"
            ][:1]
            assert (scan["document_slug"], scan["lacking"]) == ("lease-scan", "scan without text")
            info = (await client.call_tool("get_document_info", {"document_slug": "lease-scan"})).structured_content
            assert "no_text_layer" in {notice["code"] for notice in (info or {})["notices"]}
            page = await client.call_tool("read", {"uri": "page://lease-scan/1"})
            assert "image://lease-scan/0" in text_of(page), "the picture is where the words are"
            shown = await client.call_tool("get_page_image", {"document_slug": "lease-scan", "page_number": 2})
            assert [block.type for block in shown.content] == ["text", "image"]

    await main()


def test_formulas_within_a_text_are_found_by_their_latex(home: Opened) -> None:
    async def body(ask: Asking, client: Client) -> None:
        for query in ("frac omega", "quokka_n", "\\frac{quokka_n}"):
            assert (await ask(query))[0]["document_slug"] == "ratios", query
        assert "ratios" in text_of(await client.call_tool("grep", {"pattern": "frac.quokka"}))

    served(home, body)


def test_boxes_formulas_table_names_and_numbers_of_charts_are_found(home: Opened) -> None:
    async def body(ask: Asking, _: Client) -> None:
        points = (await ask("gaskets foundry"))[0]["snippet"].replace("**", "")
        assert "☑ order the gaskets ☐ call the foundry" in points
        for query in ("=SUM", "VLOOKUP", "OutlayRegister"):
            hit = (await ask(query))[0]
            assert hit["document_slug"] == "costs", query
        formula = (await ask("VLOOKUP"))[0]
        assert "⟨=**VLOOKUP**" in formula["snippet"]
        assert "formulas=1" in formula["uri"]
        chart = (await ask("73421.5"))[0]
        assert (chart["document_slug"], chart["uri"]) == ("turnover", "slide://turnover/1")

    served(home, body)


def test_a_hit_says_more_than_the_title(home: Opened) -> None:
    """A Word file's title stands in a paragraph of its own, above its first heading."""

    async def body(ask: Asking, client: Client) -> None:
        hit = (await ask("walrus agreement"))[0]
        assert (hit["uri"], "feeds the" in hit["snippet"]) == ("section://walrus/duty", True)
        (listed,) = await ask("name:walrus")
        assert "python-docx" not in listed["snippet"], "which program made it is no description"
        said = text_of(await client.call_tool("search_documents", {"query": "zander"}))
        assert "[table feed]" in said, "what SQL calls it"

    served(home, body)


def test_what_properties_say_never_comes_before_a_text(home: Opened) -> None:
    async def body(ask: Asking, _: Client) -> None:
        hits = await ask("generated by python-docx")
        assert hits[0]["document_slug"] == "about"
        assert "contract" in {hit["document_slug"] for hit in hits}, "and is found all the same"
        scores = [hit["score"] for hit in hits]
        assert scores == sorted(scores, reverse=True)

    served(home, body)


async def test_that_little_is_embedded_shortens_no_text_and_no_room_is_left_unused(tmp_path: Path) -> None:
    """An answer while texts are embedded says as much as one by words, and the best text is whole where that fits."""
    folder = tmp_path / "docs".ljust(119 - len(str(tmp_path)), "s")  # paths cost tokens: alike wherever it runs
    folder.mkdir()
    said = "The walrus colony of bay {} rests on the northern skerry, and the wardens count it each week in {} hours "
    for bay in range(1, 5):
        text = (
            said.format(bay, bay + 20)
            + "from the western ridge, with two telescopes. They write it down, and go home with the first ice."
        )
        (folder / f"walrus-{bay}.txt").write_text(text)
    async with in_process(folder, tmp_path / "data") as (application, server, _), Client(server) as client:
        query = {"query": "walrus colony wardens"}
        while_embedding = (await client.call_tool("search_documents", query)).structured_content
        application.searcher.semantic = None
        answer = await client.call_tool("search_documents", query)
        by_words = answer.structured_content
    assert while_embedding["ranked"] == "by words; 0 % embedded"
    both = zip(while_embedding["results"], by_words["results"], strict=True)
    lost = [len(alone["snippet"]) - len(hit["snippet"]) for hit, alone in both]
    assert max(lost) < 24, "no more than the word or two that the rounding of tokens costs"
    assert by_words["results"][0]["snippet"].endswith("with the first ice.")
    left = DEFAULT_TOKENS - whole_answer_tokens(Result((Text(text_of(answer)),), by_words), "both")
    assert 0 <= left < 24, "the texts that had to be shortened take what there is"
    assert by_words["results"][-1]["snippet"].endswith("…")
