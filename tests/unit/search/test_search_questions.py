"""What people ask an assistant for: one of several files that are much alike, by its year, version, kind or sender."""

from pathlib import Path

import pytest
from support.indexes.checks import with_store
from support.indexes.prepared import note

from sidecar.search import Searcher
from sidecar.search.query import parse_query
from sidecar.store import Store

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
