"""`read`, `read_embedded`, `grep` and `get_outline` as clients of both eras call them."""

from __future__ import annotations

import base64
import io
from collections.abc import Generator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import docx
import mcp_types as types
import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp.client.client import Client
from PIL import Image
from pptx import Presentation
from sidecar_reading.windowing import cut_window
from support.clients.harness import ERAS, fill, in_process, text_of, window_texts
from support.clients.opened import Opened, opened, serve
from support.formats.pdf_builder import Pdf, lines, text

from sidecar.api import ResourceContent
from sidecar.toolkit.answers.tokens import estimate_tokens
from sidecar.toolkit.provenance import PROVENANCE

UNICODE = "# Straße\n\nÄpfel, 東京都, 🦫🦫 and naïve words.\n\n" + "\n\n".join(
    f"Paragraph {n}: über die Brücke, 橋を渡る, 🦫." for n in range(60)
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Generator[Opened]:
    """The same documents for all tests that change nothing of them."""
    place = tmp_path_factory.mktemp("library")
    documents(place / "files")
    with opened(place) as library:
        yield library


@pytest.fixture(scope="module")
def frugal(tmp_path_factory: pytest.TempPathFactory) -> Generator[Opened]:
    """The same, where answers are small."""
    place = tmp_path_factory.mktemp("frugal")
    documents(place / "files")
    with opened(place, budget_tokens=3000) as library:
        yield library


def documents(files: Path) -> None:
    fill(files)
    (files / "unicode.md").write_text(UNICODE, "utf-8")
    (files / "evil.txt").write_text("a" * 5000 + "!\n\nplain words\n")
    rows = [[f"name{c}" for c in range(40)], *([f"r{r}c{c}" for c in range(40)] for r in range(1, 3000))]
    (files / "wide.csv").write_text("\n".join(map(",".join, rows)))
    (files / "deep.md").write_text("".join(f"# Part {n}\n\n## Detail {n}\n\nText {n}.\n\n" for n in range(400)))


async def ask(client: Client, tool: str, **arguments: Any) -> tuple[Any, types.CallToolResult]:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, text_of(answer)
    return answer.structured_content, answer


@pytest.mark.parametrize("max_bytes", [7, 64, 1000])
def test_windows_put_together_are_the_whole(library: Opened, max_bytes: int) -> None:
    async def body(client: Client) -> None:
        uri = "document://unicode.md"
        content = (await client.read_resource(uri)).contents[0]
        assert isinstance(content, types.TextResourceContents)
        whole, offset, pieces = content.text, 0, list[str]()
        while offset is not None:
            found, answer = await ask(client, "read", uri=uri, start_offset=offset, max_bytes=max_bytes)
            (part,) = found["parts"]
            assert (part["kind"], part["mime"]) == ("text", "text/markdown")
            assert part["total_bytes"] == len(whole.encode())
            (text,) = window_texts(answer)
            assert 0 < part["bytes_returned"] == len(text.encode()) <= max_bytes
            assert found["window"] == {"start_offset": offset, "max_bytes": max_bytes}
            pieces.append(text)
            offset = found.get("next_offset")
            if max_bytes == 7 and len(pieces) == 40:
                assert whole.startswith("".join(pieces))
                return
        assert "".join(pieces) == whole
        assert max_bytes < 1000 or all(piece.endswith("\n") for piece in pieces[:-1]), "cut between blocks"

    serve(library, body)


def test_an_offset_inside_a_character_begins_at_the_character(library: Opened) -> None:
    async def body(client: Client) -> None:
        content = (await client.read_resource("document://unicode.md")).contents[0]
        assert isinstance(content, types.TextResourceContents)
        at = content.text.encode().index("🦫".encode())
        for inside in (at, at + 1, at + 3):
            found, answer = await ask(client, "read", uri="document://unicode.md", start_offset=inside, max_bytes=1)
            assert window_texts(answer) == ["🦫"], "one byte is too few for it, half of it would be worse"
            assert (found["window"]["start_offset"], found["next_offset"]) == (at, at + 4)
            said = f"Byte {inside:,} lies inside a character; this begins at {at:,}."
            assert found.get("remark") == (said if inside > at else None)
            assert (said in text_of(answer)) == (inside > at)

    serve(library, body)


@settings(max_examples=200)
@given(st.lists(st.text(max_size=40), min_size=1, max_size=4), st.integers(1, 60))
def test_any_texts_are_read_whole_in_any_windows(texts: list[str], max_bytes: int) -> None:
    ours = {PROVENANCE: {"origin": "document"}}
    contents = [ResourceContent(f"x://{n}", "text/plain", text=text, metadata=ours) for n, text in enumerate(texts)]
    offset: int | None = 0
    got: dict[str, str] = {}
    while offset is not None:
        answer = cut_window(contents, offset, max_bytes, 8000, raw=False)
        assert answer.next_offset is None or answer.next_offset > offset, "it goes on"
        for part, piece in zip(answer.parts, answer.texts, strict=True):
            uri = str(part["uri"])
            got[uri] = got.get(uri, "") + piece
        offset = answer.next_offset
    assert [got.get(item.uri, "") for item in contents] == texts


def test_binaries_are_whole_or_told_of_and_pictures_are_seen(library: Opened) -> None:
    async def body(client: Client) -> None:
        found, answer = await ask(client, "read", uri="image://report/0")
        (part,) = found["parts"]
        assert (part["kind"], part["mime"], part["bytes_returned"]) == ("blob", "image/png", 0)
        assert "blob" not in part
        (image,) = [block for block in answer.content if isinstance(block, types.ImageContent)]
        assert len(base64.b64decode(image.data)) == part["total_bytes"]
        _, whole = await ask(client, "read_embedded", uri="image://report/0")
        (block,) = whole.content
        assert isinstance(block, types.EmbeddedResource)
        assert isinstance(block.resource, types.BlobResourceContents)
        assert (block.resource.uri, block.resource.mime_type) == ("image://report/0", "image/png")

    serve(library, body)


@pytest.mark.parametrize("era", ERAS)
def test_read_embedded_gives_a_block_a_part_or_the_outline(frugal: Opened, era: str) -> None:
    async def body(client: Client) -> None:
        _, several = await ask(client, "read_embedded", uri="slides://talk/1-2")
        uris = [block.resource.uri for block in several.content if isinstance(block, types.EmbeddedResource)]
        assert uris == ["slide://talk/1", "slide://talk/2"]
        found, answer = await ask(client, "read_embedded", uri="document://deep.md")
        assert "would cost about" in text_of(answer)
        assert found["tokens"] > found["budget"]
        part = await client.call_tool("read_embedded", {"uri": found["outline"][0]["uri"]})
        assert isinstance(part.content[0], types.EmbeddedResource)

    serve(frugal, body, era)


def test_a_huge_sheet_is_read_in_windows_to_its_end(library: Opened) -> None:
    async def body(client: Client) -> None:
        offset: int | None = 0
        text, windows = "", 0
        while offset is not None and windows < 100:
            found, answer = await ask(client, "read", uri="sheet://wide/1.csv", start_offset=offset)
            text += window_texts(answer)[0]
            offset = found.get("next_offset")
            windows += 1
        assert windows > 3
        assert "name0" in text
        assert text.count("\n") >= 2999 or "r2999c39" not in text, "either all rows, or it says what is left out"

    serve(library, body)


@pytest.mark.parametrize("era", ERAS)
def test_grep_gives_lines_whose_places_hold_the_match(library: Opened, era: str) -> None:
    async def body(client: Client) -> None:
        found, answer = await ask(client, "grep", pattern=r"Br.cke, \d", ignore_case=True, limit=3)
        assert (found["matches"], found["complete"]) == (0, True)
        found, answer = await ask(client, "grep", pattern=r"BRÜCKE", ignore_case=True, limit=3, context=1)
        assert (found["matches"], found["complete"]) == (3, False)
        assert "limit" in found["remark"]
        assert found["next_start"] == 3
        following, _ = await ask(client, "grep", pattern=r"BRÜCKE", ignore_case=True, limit=3, start=3)
        assert (following["matches"], following["next_start"]) == (3, 6)
        last, _ = await ask(client, "grep", pattern=r"BRÜCKE", ignore_case=True, limit=500, start=58)
        assert (last["matches"], last["complete"]) == (2, True)
        beyond = await client.call_tool("grep", {"pattern": "BRÜCKE", "ignore_case": True, "start": 60})
        assert "there are 60 matches" in text_of(beyond)
        assert [block.type for block in answer.content] == ["text"]
        lines = text_of(answer).split("\n")
        assert lines[1] == f"{library.home / 'files' / 'unicode.md'} (unicode)"
        places = [line.split(": ", 1) for line in lines if line.startswith("paragraph://unicode/")]
        assert len(places) == 3
        for uri, line in places:
            assert "Brücke" in line
            _, read = await ask(client, "read", uri=uri)
            assert line in text_of(read)
        inside, answer = await ask(client, "grep", pattern=r"^r7c\d\b", document_slug="wide")
        assert inside["matches"] == 1
        _, _, header, row = text_of(answer).split("\n")
        assert header.startswith("    header: name0 | name1 | ")
        assert row.startswith("sheet://wide/1?range=A8: r7c0 | r7c1 | ")
        narrowed, _ = await ask(client, "grep", pattern="capybara", path="list")
        assert narrowed["matches"] == 1

    serve(library, body, era)


def test_a_book_is_told_by_its_headings_the_longest_opened_first(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files/book.pdf").write_bytes(book())

    async def body(client: Client) -> None:
        found, answer = await ask(client, "get_outline", document_slug="book")
        entries = found["entries"]
        assert [(one["level"], one["title"]) for one in entries if one["level"] == 0] == [
            (0, "pages 1-2"), (0, "1 Short (p. 3)"), (0, "2 Long (pp. 4-15)")
        ]  # fmt: skip
        assert entries[0]["uri"] == "page://book/1-2"
        assert found["pages"] == "page://book/1-15"
        assert f"Pages: {found['pages']}." in text_of(answer)
        titles = [one["title"] for one in entries]
        assert "2.12 Topic (p. 15)" in titles
        assert "next_start" not in found
        left = 51 - len(titles)
        assert left > 0, "there is no room for all of the third level"
        assert found["remark"].startswith(f"{left} deeper entries are left out; depth=2 lists them all")
        whole, _ = await ask(client, "get_outline", document_slug="book", depth=2)
        assert whole["total"] == 51
        chapter, _ = await ask(client, "get_outline", document_slug="section://book/topic-7")
        assert [one["title"] for one in chapter["entries"]] == [
            "2.7 Topic (p. 10)", *(f"2.7.{n} Detail (p. 10)" for n in (1, 2, 3))
        ]  # fmt: skip
        page, _ = await ask(client, "get_outline", document_slug="page://book/10")
        assert page["entries"][0]["uri"] == "page://book/10"
        assert len(page["entries"]) == 5
        _, answer = await ask(client, "read", uri="document://book")
        assert "- [2 Long (pp. 4-15)](section://book/long)" in text_of(answer)

    with opened(tmp_path, budget_tokens=3000) as library:
        serve(library, body)


def book() -> bytes:
    """Two pages without a heading, a chapter of one page, and one of twelve topics with three details each."""
    words = ["Plain words that are read as any text is, to the end of the line and no further", "than here."]
    pdf = Pdf()
    for _ in range(2):
        pdf.page(lines(72, 700, words * 4))
    pdf.page(text(72, 720, "1 Short", size=20, font="F2") + lines(72, 690, words * 3))
    for n in range(1, 13):
        page = text(72, 760, "2 Long", size=20, font="F2") if n == 1 else ""
        page += text(72, 720, f"2.{n} Topic", size=15, font="F2") + lines(72, 690, words * 3)
        for at in (1, 2, 3):
            page += text(72, 700 - 150 * at, f"2.{n}.{at} Detail", size=12, font="F2")
            page += lines(72, 680 - 150 * at, words * 3)
        pdf.page(page)
    return pdf.bytes()


def test_outlines_go_on_where_they_stop(frugal: Opened) -> None:
    async def body(client: Client) -> None:
        start: int | None = 0
        titles: list[str] = []
        while start is not None:
            found, _ = await ask(client, "get_outline", document_slug="deep", depth=9, start=start)
            assert all(entry["tokens"] >= 0 for entry in found["entries"])
            titles += [entry["title"] for entry in found["entries"]]
            start = found.get("next_start")
        assert sum(title.startswith("Part ") for title in titles) >= 400
        assert sum(title.startswith("Detail ") for title in titles) == 400
        flat, _ = await ask(client, "get_outline", document_slug="DEEP", depth=0)
        assert flat["entries"][0]["uri"] == "chapter://deep/1", "the slug as it is, not as it was typed"
        by_version, _ = await ask(client, "get_outline", document_slug=flat["doc_id"], depth=0)
        assert by_version["entries"][0]["uri"] == f"chapter://{flat['doc_id']}/1"

    serve(frugal, body)


def test_what_makes_no_sense_is_answered_in_a_sentence(library: Opened) -> None:
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("read", {"uri": "document://unicode.md", "start_offset": 10**7}, "is beyond the end; this resource has"),
        (
            "read",
            {"uri": "document://unicode.md", "start_offset": -1},
            "start_offset (byte to start at) should be greater than",
        ),
        ("read", {"uri": "document://unicode.md", "max_bytes": 0}, "max_bytes should be greater than"),
        ("read", {"uri": "nonsense"}, "nonsense is not a resource URI"),
        ("read", {"uri": "document://nots"}, "did you mean notes"),
        ("read", {"uri": "slide://talk/3"}, "talk has no slide 3; it has slides 1-2"),
        ("read", {"uri": "slide://talk/0"}, "talk has no slide 0"),
        ("read", {"uri": "sheet://figures/Dota"}, "Data"),
        ("read", {"uri": "document://notes", "server": "a/b"}, "is not a server's name"),
        ("read_embedded", {"uri": "slide://talk/99"}, "talk has no slide 99"),
        ("grep", {"pattern": "("}, "not a regular expression: missing )"),
        ("grep", {"pattern": ""}, "pattern (regular expression) should"),
        ("grep", {"pattern": "x" * 1001}, "1,001 characters"),
        ("grep", {"pattern": "x", "document_slug": "nots"}, "did you mean notes"),
        ("grep", {"pattern": "x", "limit": 0}, "limit should be greater than"),
        ("get_outline", {"document_slug": "nots"}, "did you mean notes"),
        ("get_outline", {"document_slug": "notes", "depth": -1}, "depth should be greater than"),
    ]

    async def body(client: Client) -> None:
        for tool, arguments, sentence in cases:
            answer = await client.call_tool(tool, arguments)
            said = text_of(answer)
            assert answer.is_error, (tool, arguments, said)
            assert sentence in said, (tool, arguments, said)
            assert len(said) < 500
            assert "\n" not in said

    serve(library, body)


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "(a*)*b", r"(\w+\s?)+$", "(?:a?){60}a{60}b"])
def test_catastrophic_patterns_end(library: Opened, pattern: str) -> None:
    async def body(client: Client) -> None:
        found, answer = await ask(client, "grep", pattern=pattern, document_slug="evil")
        assert found["matches"] or text_of(answer).startswith("No match.")

    serve(library, body)


def test_what_is_inside_a_file_is_read_as_what_it_is(tmp_path: Path) -> None:
    """Attached text as text in whatever encoding, a picture models cannot see as one they can, the rest as bytes."""
    tiff = io.BytesIO()
    Image.new("RGB", (300, 200), "red").save(tiff, "TIFF")
    message = EmailMessage()
    message["Subject"] = "Wombats"
    message.set_content("See what is attached.")
    message.add_attachment("Füße und Äpfel".encode("utf-16"), maintype="text", subtype="plain", filename="note.txt")
    message.add_attachment(b'{"wombats": 3}', maintype="application", subtype="json", filename="count.json")
    message.add_attachment(tiff.getvalue(), maintype="image", subtype="tiff", filename="scan.tiff")
    message.add_attachment(b"\x00\x01\x02" * 40, maintype="application", subtype="zip", filename="all.zip")
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "mail.eml").write_bytes(message.as_bytes())

    async def body(client: Client) -> None:
        found, _ = await ask(client, "list_embedded_resources", file_path="mail")
        uris = {one["name"]: one["uri"] for one in found["resources"]}
        for name, said in (("note.txt", "Füße und Äpfel"), ("count.json", '{"wombats": 3}')):
            _, answer = await ask(client, "read", uri=uris[name])
            assert text_of(answer) == said
            _, whole = await ask(client, "read_embedded", uri=uris[name])
            (block,) = whole.content
            assert isinstance(block, types.EmbeddedResource)
            assert isinstance(block.resource, types.TextResourceContents)
            assert block.resource.text == said
        _, answer = await ask(client, "read", uri=uris["scan.tiff"])
        (picture,) = [block for block in answer.content if isinstance(block, types.ImageContent)]
        shown = Image.open(io.BytesIO(base64.b64decode(picture.data)))
        assert (shown.format, shown.size, shown.convert("RGB").getpixel((9, 9))) == ("PNG", (300, 200), (255, 0, 0))
        read, _ = await ask(client, "read", uri=uris["all.zip"])
        assert base64.b64decode(read["parts"][0]["blob"]) == b"\x00\x01\x02" * 40

    serve(tmp_path, body)


def test_a_slug_is_taken_for_a_uri_and_a_path_is_told_apart(library: Opened) -> None:
    async def body(client: Client) -> None:
        by_slug, _ = await ask(client, "read", uri="notes")
        by_uri, _ = await ask(client, "read", uri="document://notes")
        assert by_slug == by_uri
        answer = await client.call_tool("read", {"uri": "/home/me/notes.md"})
        assert answer.is_error
        assert "is a file's path, not a URI; find_document or index_document gives" in text_of(answer)

    serve(library, body)


def test_estimates_are_within_a_fifth_of_what_reading_gives(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet.title = "Prices"
    for row in range(40):
        sheet.append([f"item {row}", row * 1.5, "" if row % 3 else "on sale", row])
    book.create_sheet("Empty")
    book.save(files / "prices.xlsx")
    deck: Any = Presentation()
    for title in ("Opening", "", "Numbers"):
        slide = deck.slides.add_slide(deck.slide_layouts[5 if title else 6])
        if title:
            slide.shapes.title.text = title
            slide.notes_slide.notes_text_frame.text = f"Say {title} slowly, and wait for questions."
        if title == "Numbers":
            table = slide.shapes.add_table(6, 5, 0, 0, 9_000_000, 3_000_000).table
            table.cell(1, 1).text = "one"
    deck.save(str(files / "deck.pptx"))
    rows = "".join(f"| {n} | [link {n}](https://example.org/{n}) |\n" for n in range(30))
    (files / "links.md").write_text(
        f"# Notes\n\nBefore the table.\n\n## Links\n\n| n | where |\n| --- | --- |\n{rows}\n## After\n\nThe end.\n",
        "utf-8",
    )
    (files / "mail.eml").write_text(
        "From: Ann <ann@example.org>\nTo: Bo <bo@example.org>\nSubject: Lunch\nDate: Tue, 1 Oct 2024 10:00:00 +0000\n\n"
        "At noon?\n",
        "utf-8",
    )

    docx.Document().save(str(files / "no words at all.docx"))
    blank: Any = Presentation()
    for _ in range(4):
        blank.slides.add_slide(blank.slide_layouts[6])
    blank.save(str(files / "no slides with words.pptx"))
    Image.new("RGB", (40, 30), "navy").save(files / "no words seen.png")
    empty = openpyxl.Workbook()
    empty.create_sheet("Second")
    empty.save(files / "no cells.xlsx")

    async def body(client: Client) -> None:
        for slug in ("no-words-at-all", "no-slides-with-words", "no-words-seen", "no-cells"):
            said, _ = await ask(client, "get_document_info", document_slug=slug)
            (content,) = (await client.read_resource(f"document://{slug}.md")).contents
            assert isinstance(content, types.TextResourceContents)
            cost = estimate_tokens(content.text)
            assert abs(said["tokens"] - cost) <= max(0.2 * cost, 5), f"{slug}: {said['tokens']} said, {cost} read"
        checked = 0
        for slug in ("prices", "deck", "links", "mail"):
            found, _ = await ask(client, "get_outline", document_slug=slug, depth=3)
            for uri, said in [(f"document://{slug}.md", found["tokens"])] + [
                (entry["uri"], entry["tokens"]) for entry in found["entries"]
            ]:
                contents = (await client.read_resource(uri)).contents
                text = "".join(one.text for one in contents if isinstance(one, types.TextResourceContents))
                cost = estimate_tokens(text)
                assert abs(said - cost) <= max(0.2 * cost, 10), f"{uri}: {said} said, {cost} read"
                checked += 1
        assert checked >= 12
        found, _ = await ask(client, "get_outline", document_slug="mail", depth=3)
        assert [entry["uri"] for entry in found["entries"]] == ["message://mail/1"], "its subject is no section of it"
        _, answer = await ask(client, "read", uri="message://mail/1")
        assert text_of(answer).count("Ann <ann@example.org>") == 1, "whom it is from is said once"

    documents(tmp_path / "files")
    serve(tmp_path, body)


@pytest.mark.parametrize("suffix", [".md", ".html", ".txt"])
async def test_a_window_is_full_though_pieces_of_a_text_cost_differently(tmp_path: Path, suffix: str) -> None:
    """Words before figures: the length of a window cannot be told from what all of the text costs."""
    words = "The heron waits beside the quiet water until the evening comes. " * 12
    figures = "; ".join(f"{n * 7919 % 100_003}:{n % 97}-{n % 13}" for n in range(9000))
    files = tmp_path / "files"
    files.mkdir()
    (files / "log.md").write_text(f"# Log\n\n{f'{words}{chr(10)}{chr(10)}' * 18}{figures}\n")

    async def main() -> None:
        async with in_process(files, tmp_path / "data") as (_, server, _), Client(server) as client:
            _, answer = await ask(client, "read", uri=f"document://log{suffix}")
        assert 7000 <= estimate_tokens(text_of(answer)) <= 8000
        assert "heron" in text_of(answer)

    await main()
