"""A long text without headings: hits in it lead to the paragraphs found, several of them, and these can be read."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from support.clients.harness import read_text, text_of
from support.clients.opened import Opened, opened, serve

FILLING = "The water stood as high as on the day before, and the keeper wrote it down in the book of the station. " * 4
NOTES = [f"Day {number}. {FILLING}" for number in range(1, 121)]
NOTES[39] += " Wombats were seen at the weir."
NOTES[89] += " Again a wombat dug under the weir, and the wombat stayed."
CODE = "\n\n\n".join(
    f"def gauge_{number}(height):\n"
    + "".join(f"    height += {line}  # one more\n" for line in range(20))
    + "    return height"
    for number in range(40)
)


NAMES = ["Anna", "Bob", "Carol", "David", "Erika", "Frank"]
TOWNS = ["Hamburg", "Bremen", "Berlin", "Essen", "Jena", "Kiel", "Ulm"]
ODD = {400: "a broken zither", 2100: "a zither without strings, broken"}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Generator[Opened]:
    place = tmp_path_factory.mktemp("long")
    files = place / "files"
    files.mkdir()
    write(files)
    with opened(place) as library:
        yield library


def write(files: Path) -> None:
    (files / "notes.txt").write_text("\n\n".join(NOTES))
    (files / "gauges.py").write_text(CODE)
    (files / "short.txt").write_text(
        "\n\n".join(["A badger at the sluice.", *("Nothing was seen." for _ in range(30))])
    )

    rows = ["Order,Customer,Town,Remark"]
    rows += [f"{number},{NAMES[number % 6]},{TOWNS[number % 7]},{ODD.get(number, '')}" for number in range(2, 3001)]
    (files / "orders.csv").write_text("\n".join(rows))


async def found(client: Client, query: str, **more: Any) -> list[dict[str, Any]]:
    answer = await client.call_tool("search_documents", {"query": query, **more})
    assert answer.structured_content is not None, text_of(answer)
    return answer.structured_content["results"]


def test_hits_in_a_long_text_lead_to_their_paragraphs(library: Opened) -> None:
    async def body(client: Client) -> None:
        hits = await found(client, "wombat weir", limit=5)
        assert [hit["document_slug"] for hit in hits][:2] == ["notes", "notes"]
        assert len({hit["uri"] for hit in hits}) == len(hits)
        for hit, said in zip(hits, ("the wombat stayed", "Wombats were seen"), strict=False):
            text = await read_text(client, hit["uri"])
            assert said in text
            assert len(text) < 4000, "not the whole"
        (near,) = await found(client, "badger sluice")
        assert near["uri"] == "chapter://short/1", "what is short is read whole"

    serve(library, body)


def test_hits_in_one_place_are_one(library: Opened) -> None:
    async def body(client: Client) -> None:
        hits = await found(client, "keeper wrote book station", limit=50, document_slug="notes")
        begins = [int(hit["uri"].rpartition("/")[2].partition("-")[0]) for hit in hits]
        assert len(begins) > 2
        assert min(b - a for a, b in zip(sorted(begins), sorted(begins)[1:], strict=False)) > 8, "apart by pages"
        again = [
            await found(client, "keeper wrote book station", limit=2, start=at, document_slug="notes") for at in (0, 2)
        ]
        uris = [hit["uri"] for page in again for hit in page]
        assert len(set(uris)) == len(uris) == 4, "each page has what those before have not"

    serve(library, body)


def test_source_code_is_cited_by_its_lines(library: Opened) -> None:
    async def body(client: Client) -> None:
        hits = await found(client, "gauge_17")
        text = await read_text(client, hits[0]["uri"])
        line = CODE.split("\n").index("def gauge_17(height):") + 1
        told = text.partition(", lines ")[2].partition(";")[0].split(" to ")
        assert int(told[0]) <= line <= int(told[1])
        assert "def gauge_17(height):" in text

    serve(library, body)


def test_hits_in_a_long_sheet_lead_to_their_rows(library: Opened) -> None:
    def rows_of(hit: dict[str, Any]) -> range:
        first, last = hit["uri"].partition("?range=")[2].split(":")
        return range(int(first[1:]), int(last[1:]) + 1)

    async def body(client: Client) -> None:
        hits = await found(client, "broken zither")
        assert len(hits) == 2
        assert all(len(rows_of(hit)) < 100 for hit in hits)
        assert {number for number in ODD for hit in hits if number in rows_of(hit)} == set(ODD)
        text = await read_text(client, hits[0]["uri"])
        assert "zither" in text
        assert "*(Columns: A Order, B Customer, C Town, D Remark)*" in text, "which the rows do not say"
        address = hits[0]["uri"].partition("?")[0]
        assert "*(Columns: C Town)*" in await read_text(client, f"{address}?range=C1500")
        assert "Columns:" not in await read_text(client, f"{address}?range=A1:C3")
        assert "Columns:" not in await read_text(client, f"{address}.csv?range=A1500:C1503")
        (order,) = await found(client, "order 1234")
        assert 1234 in rows_of(order), "others have no more than the word of the heading row"
        (first, *_) = await found(client, "Erika Kiel")
        both = [n for n in rows_of(first) if (NAMES[n % 6], TOWNS[n % 7]) == ("Erika", "Kiel")]
        assert both, "in one row"
        (many, *_) = await found(client, "Frank Bremen Jena Ulm", limit=1)
        assert many["snippet"].count("(Order | Customer | Town | Remark)") == 1, "once for all rows"

    serve(library, body)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("3-5", "paragraphs 3-5 of chapter 1"), ("119-500", "paragraphs 119-120 of chapter 1"),
        ("7", "paragraph 7 of chapter 1"), ("7–7", "paragraph 7 of chapter 1"),
        ("200-300", "chapter 1 of notes has no paragraph 200; see chapter://notes/1."),
        ("5-3", "paragraphs '5-3' are not a range; write the lower number first, from 1 on."),
        ("0-3", "paragraphs '0-3' are not a range"), ("3-", "paragraph '3-' is not a number, nor a range such as 5-8"),
    ],
)  # fmt: skip
def test_paragraphs_are_read_from_one_to_another(library: Opened, asked: str, said: str) -> None:
    async def body(client: Client) -> None:
        answer = text_of(await client.call_tool("read", {"uri": f"paragraph://notes/1/{asked}"}))
        assert said in answer
        if "paragraphs 3-5" in said:
            days = [number for number in range(1, 121) if f"Day {number}." in answer]
            assert days == [3, 4, 5]

    serve(library, body)


def entries(told: str) -> list[tuple[int, str, int]]:
    """Depth, URI and tokens of the lines of an outline."""
    lines = [line for line in told.split("\n") if line.lstrip().startswith("- ")]
    words = [line.rsplit(" ", 2) for line in lines]
    return [
        ((len(line) - len(line.lstrip())) // 2, uri, int(tokens))
        for line, (_, uri, tokens) in zip(lines, words, strict=True)
    ]


def test_the_outline_leads_into_a_long_text_by_stretches(library: Opened) -> None:
    async def body(client: Client) -> None:
        told = text_of(await client.call_tool("get_outline", {"document_slug": "notes"}))
        whole, *stretches = entries(told)
        assert whole[:2] == (0, "chapter://notes/1")
        assert {depth for depth, _, _ in stretches} == {1}
        assert len(stretches) > 3
        ranges = [uri.removeprefix("paragraph://notes/1/").split("-") for _, uri, _ in stretches]
        assert [int(last) + 1 for _, last in ranges[:-1]] == [int(first) for first, _ in ranges[1:]], "none is left out"
        assert (ranges[0][0], ranges[-1][1]) == ("1", "120")
        assert abs(sum(tokens for _, _, tokens in stretches) - whole[2]) < 0.2 * whole[2]
        assert "1-" in told
        assert ": Day 1. The water stood" in told
        uri = stretches[1][1]
        first = await read_text(client, uri)
        assert f"Day {ranges[1][0]}." in first
        assert "chapter 1" in text_of(await client.call_tool("get_outline", {"document_slug": "chapter://notes/1"}))
        short = text_of(await client.call_tool("get_outline", {"document_slug": "short"}))
        assert len(entries(short)) == 1

    serve(library, body)


def test_a_long_section_is_told_below_its_heading(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    paragraphs = "\n\n".join(NOTES)
    (tmp_path / "files" / "book.md").write_text(f"# One\n\nShort.\n\n## Inner\n\n{paragraphs}\n\n# Two\n\nShort too.\n")

    async def body(client: Client) -> None:
        found = entries(text_of(await client.call_tool("get_outline", {"document_slug": "book"})))
        assert [uri for depth, uri, _ in found if depth < 2] == [
            "chapter://book/1", "section://book/inner", "chapter://book/2",
        ]  # fmt: skip
        assert len([uri for depth, uri, _ in found if depth == 2 and uri.startswith("paragraph://book/1/")]) > 3

    serve(tmp_path, body)
