"""What people ask an assistant for: one of several files that are much alike, by its year, version, kind or sender."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from support.indexes.checks import with_store
from support.indexes.prepared import file_path, indexed, note, prepare

from sidecar.search import Searcher
from sidecar.search.query import parse_query
from sidecar.store import PassageRecord, Store

BUDGET = "Cost centre, owner, planned: production, engineering, sales."
TERMS = "Warranty of frames and batteries; returns of what was bought online."
FILES = [
    ("Budget 2024 final.xlsx", BUDGET),
    ("Budget 2025 v1.xlsx", BUDGET),
    ("Budget 2025 v2.xlsx", f"{BUDGET} The board will not have two more engineers."),
    ("Budget 2025 v3 after board.xlsx", BUDGET),
    ("Budget 2025 final.xlsx", BUDGET),
    ("Budget 2026 draft.xlsx", BUDGET),
    ("minutes.docx", "The board cut the budget of 2025 by 110,000 after the second version of it."),
    ("Terms of sale 2023.docx", TERMS),
    ("Terms of sale 2025.docx", TERMS),
    ("old contract.docx", "The old terms of a sale of 2023 were terms of hire; sale on terms."),
    ("2025-09-08.md", "Weekly meeting 08 September 2025: production of 31 bikes"),
    ("2025-09-15.md", "Weekly meeting 15 September 2025: production of 8 bikes"),
    ("2025-09-22.md", "Weekly meeting 22 September 2025: production of 8 bikes in 8 hours"),
    ("pitch.pptx", "Raising money for a second works, says the investor of the first round, a bank in London."),
    ("founders.txt", "Who the first investor was"),
]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("latest version of the budget", "Budget 2026 draft.xlsx"),
        ("budget 2025 as changed after the board", "Budget 2025 v3 after board.xlsx"),
        ("the old terms of sale from 2023", "Terms of sale 2023.docx"),
        ("weekly meeting notes of 8 September 2025", "2025-09-08.md"),
        ("investor deck", "pitch.pptx"),
    ],
)
async def test_one_of_several_that_are_alike(tmp_path: Path, question: str, first: str) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([note(name, text) for name, text in FILES])
        answer = await Searcher(store.documents, store.search).search(question)
        assert answer.hits[0].path.endswith(first)

    await with_store(tmp_path, body)


async def test_the_newest_version_is_told_by_years_versions_and_times(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        searcher = Searcher(store.documents, store.search)
        for name, modified in (
            ("Plan 2024 final.txt", 9), ("Plan 2025 v2.txt", 1), ("Plan 2025 v10.txt", 1),
            ("Plan 2025 final.txt", 1), ("b/Plan 2025 final.txt", 2),
        ):  # fmt: skip
            await store.files.commit([note(name, f"Steps of {name}", mtime=modified * 10**18)])
            assert (
                (await searcher.search("the newest version of the plan"))
                .hits[0]
                .path.endswith(name if modified < 9 else "Plan 2024 final.txt")
            )

    await with_store(tmp_path, body)


@pytest.mark.parametrize(
    ("question", "sender"),
    [
        ("Iain's reply about the works in Portugal", "iain"),
        ("find Lena’s mail about the party", "lena"),
        ("what did Saskia answer about Cologne", "saskia"),
        ("what did Elsie write?", "elsie"),
        ("Iain's works in Portugal", ""),
        ("what did the board say about Portugal", ""),
    ],
)
def test_whose_message_is_asked_for(question: str, sender: str) -> None:
    asked = parse_query(question)
    assert asked.sender == sender
    assert not {'"reply"', '"answer"', '"write"', '"mail"'} & set(asked.terms)


async def test_a_text_with_most_words_of_a_short_question_comes_before_one_that_repeats_one(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        repeats = "A valve is a valve. " * 8
        memo = f"Spare parts for the boiler: the foreman has a valve, {'as does the one of the next works, ' * 2}"
        await store.files.commit(
            [
                note("list.txt", repeats),
                note("memo.txt", memo),
                *(note(f"{number}.txt", f"Entry {number} on boilers, spares, foremen") for number in range(4)),
                *(note(f"more {number}.txt", f"Entry {number} on something else") for number in range(60)),
            ]
        )
        answer = await Searcher(store.documents, store.search).search("valve for a spare boiler")
        assert [hit.path.rpartition("/")[2] for hit in answer.hits][:1] == ["memo.txt"]

    await with_store(tmp_path, body)


async def test_a_document_whose_title_is_asked_for_comes_first_with_its_own_text(tmp_path: Path) -> None:
    """Not a text that has another word of the question often, nor what the properties say."""
    title = "Framework for iron pipes"
    contract = prepare([("Term", ["The framework runs from 1 April 2023 to 31 March 2024."])], title=title)
    properties = PassageRecord(1, 0, 0, "", title, "author: Snyder", 0)
    contract = replace(contract, passages=(properties, *contract.passages))

    async def body(store: Store) -> None:
        signs = "The dollar sign, the hash sign, the brace sign and the pipe. "
        await store.files.commit(
            [
                indexed("2023-04.docx", contract),
                note("manual.txt", signs * 3),
                *(note(f"{number}.txt", f"Entry {number} on something else") for number in range(60)),
            ]
        )
        answer = await Searcher(store.documents, store.search).search("who signs the framework for iron pipes")
        assert answer.hits[0].path.endswith("2023-04.docx")
        assert "runs from" in answer.hits[0].snippet

    await with_store(tmp_path, body)


async def test_words_that_stand_side_by_side_say_more_than_apart(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        texts = {
            "radar.txt": "A chart: insert a chart for radar, a line and again a line; PowerPoint.",
            "line.txt": "The line chart of this kind is a fundamental plot type that one has with markers or none.",
            **{f"n{n}.txt": f"Bars of number {n} are no plots of PowerPoint." for n in range(9)},
        }
        await store.files.commit([note(name, text) for name, text in texts.items()])
        searcher = Searcher(store.documents, store.search)
        assert (await searcher.search("line charts")).hits[0].document_slug == "line"
        assert (await searcher.search("chart lines")).hits[0].document_slug == "radar"

    await with_store(tmp_path, body)


async def test_words_side_by_side_in_what_is_gone_are_left_out(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([note(f"n{n}.txt", f"The line chart {n}.") for n in range(1600)])
        searcher = Searcher(store.documents, store.search)
        assert len((await searcher.search("line chart")).hits) == 10
        await store.files.remove([file_path(f"n{n}.txt") for n in range(20)])
        found = [hit.document_slug for hit in (await searcher.search("line chart")).hits]
        assert len(found) == 10
        assert not {f"n{n}" for n in range(20)}.intersection(found)

    await with_store(tmp_path, body)


@pytest.mark.parametrize(
    ("query", "written", "other"),
    [
        ("GB29 NWBK 6016 1331 9268 19", "GB29NWBK60161331926819", "GB29NWBK60161331926891"),
        ("089 1234567", "089/1234-567", "089/1234-576"),
        ("call +49 30 77 34 218", "+49 30 7734-218", "+49 30 7734-281"),
        ("4111 1111 1111 1234", "4111-1111-1111-1234", "4111-1111-1111-1243"),
    ],
)
async def test_a_number_typed_in_groups_is_found_in_others(
    tmp_path: Path, query: str, written: str, other: str
) -> None:
    async def body(store: Store) -> None:
        texts = [other, "0049 40 1234567", "+49 30 1234-218", written, *["nobody"] * 20]
        await store.files.commit([note(f"n{at}.txt", f"We call {text}, if at all.") for at, text in enumerate(texts)])
        assert (await Searcher(store.documents, store.search).search(query)).hits[0].document_slug == "n3"

    await with_store(tmp_path, body)


async def test_a_file_leads_that_alone_has_a_word_of_the_question_in_its_name(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([
            note("audio.txt", "A transcript is made: the transcript has a transcript, p1 of a txt."),
            note("scotus-transcript-p1.txt", "No. 07-1315, petitioner and respondent."),
        ])  # fmt: skip
        searcher = Searcher(store.documents, store.search)
        answer = await searcher.search("scotus transcript")
        assert answer.hits[0].document_slug == "scotus-transcript-p1"
        assert "scotus" in answer.remark
        answer = await searcher.search("transcript p1 txt")
        assert answer.hits[0].document_slug == "scotus-transcript-p1"
        answer = await searcher.search("transcript made")
        assert answer.hits[0].document_slug == "audio"

    await with_store(tmp_path, body)
