"""Search over a real index: stemming, accents, CJK, phrases, filters, names, elements, and any text at all."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.indexes.checks import with_store
from support.indexes.prepared import file_path, indexed, note, prepare

from sidecar.api import ChartData, Element, Embed, NotFoundError, WorkerCrash
from sidecar.search import Nearest, Searcher
from sidecar.store import FileStat, Indexed, Segment, Store
from sidecar.store.documents.records import Attribution, PassageRecord

LIBRARY = [
    ("mercator.txt", "The Mercator projections of a sphere keep angles; rhumb lines are straight."),
    ("cafe.txt", "Le café était fermé; naïve visitors waited."),
    ("tokyo.txt", "私は東京都に住んでいます。データベースの設計。"),
    ("seoul.txt", "서울특별시의 데이터베이스 설계"),
    ("heat.txt", "The boundary layer transfers heat. A layer at the boundary of ice."),
    ("ice.txt", "A boundary of ice, then a layer of snow. Boundary layers differ."),
    ("russian.txt", "Проекции карты и картография"),
]


async def library(store: Store) -> Searcher:
    await store.files.commit([note(name, text) for name, text in LIBRARY])
    return Searcher(store.documents, store.search)


def slugs(found: Sequence[object]) -> list[str]:
    return [getattr(hit, "document_slug", getattr(hit, "slug", "")) for hit in found]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("pie chart of sales", "Chart p1-1"), ("sales as a bar chart", "Chart p2-1"),
        ("column graph of sales", "Chart p2-1"), ("Kreisdiagramm sales", "Chart p1-1"),
        ("Tabelle sales", "Table p3-1"), ("Abbildungen sales", "Figure p5-1"),
    ],
)  # fmt: skip
async def test_charts_are_found_by_what_people_call_their_type(tmp_path: Path, query: str, first: str) -> None:
    charts = [
        Embed(
            kind="chart", id=number, name=f"Chart {number}", media_type="application/json", chart=ChartData(type=shape)
        )
        for number, shape in enumerate(("pie", "column"))
    ]
    elements = [
        Element(type="figure", label="Figure p4-1", part=1, page=4, text="foo bar, foo bar, foo bar pie; sales"),
        Element(type="table", label="Table p3-1", part=1, page=3, text="sales"),
        Element(type="figure", label="Figure p5-1", part=1, page=5, text="sales"),
        Element(type="chart", label="Chart p1-1", part=1, page=1, text="Sales", embed=("chart", 0)),
        Element(type="chart", label="Chart p2-1", part=1, page=2, text="Sales", embed=("chart", 1)),
    ]

    async def body(store: Store) -> None:
        made = prepare([("A", ["x"])], elements=elements, embedded=charts)
        await store.files.commit([indexed("deck.pptx", made)])
        searcher = Searcher(store.documents, store.search)
        assert (await searcher.search_elements(query)).elements[0].label == first

    await with_store(tmp_path, body)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("Wie lange gilt die Probezeit und wie ist die Frist?", "vertrag"),  # not what has "wie", "die" and "und"
        ("Où est rangée la clé de la cave ?", "cave"),
        ("東京の桜の開花時期", "sakura"),
        ("合同的终止通知期是多久", "hetong"),
    ],
)
async def test_a_question_in_another_language_is_about_its_nouns(tmp_path: Path, query: str, first: str) -> None:
    async def body(store: Store) -> None:
        others = [
            ("vertrag.txt", "Sechs Monate sind Probezeit; kürzer ist danach keine Frist."),
            ("gedicht.txt", "Wie die Wolke und die Welle, wie die See und wie der Wind."),
            ("cave.txt", "Clé dans le tiroir; cave fermée le soir."),
            ("poeme.txt", "Où est la mer, où est la lune, la nuit est douce."),
            ("sakura.txt", "桜は東京で三月末に咲く。時期は年による。"),
            ("hetong.txt", "本合同可提前终止，须书面通知，期限九十天。"),
            ("fangzu.txt", "房租每月五号支付。"),
            *((f"english{number}.txt", f"Report {number} on the office.") for number in range(20)),
        ]
        await store.files.commit([note(name, text) for name, text in others])
        answer = await Searcher(store.documents, store.search).search(query)
        assert slugs(answer.hits)[0] == first

    await with_store(tmp_path, body)


RIGHT_WORDS = [
    ("notce period", "notice"),
    ("what is the notce period of the contract", "notice"),  # it stands with "period"
    ("why is there a cheat in the notice", ""),  # "cheap" stands elsewhere
    ("chaep", "cheap"),
    ("cheat", ""),
    ("poverty", ""),  # "poetry" is no other spelling of it
    ("treaty", ""),
    ("organised", "organized"),
    ("analysing", "analyzing"),
    ("dentistry", "dentist"),
    ("how long may the notice lie in the qaper", ""),  # people get the first letter right
    ("qaper notice", "paper"),
]


async def test_a_month_that_stands_nowhere_is_found_by_its_other_names(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        texts = ("Close of Jun 2025: ten.", "Close of Jul 2025: eleven.", "Abschluss Dezember 2025: zwölf.")
        await store.files.commit([note(f"{number}.txt", text) for number, text in enumerate(texts)])
        for query, instead, slug in (("July close", "jul", "1"), ("décembre", "dezember", "2"), ("june", "jun", "0")):
            answer = await Searcher(store.documents, store.search).search(query)
            assert f"searched for {instead} instead" in answer.remark, answer.remark
            assert slugs(answer.hits)[0] == slug, query

    await with_store(tmp_path, body)


async def test_a_right_word_in_a_sentence_is_not_taken_for_a_misspelt_one(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        texts = [
            "The notice period of the contract is a month.", "Cheap paper for printers.", "Poetry for a treat.",
            "A dentist organized it, analyzing all.",
        ]  # fmt: skip
        await store.files.commit([note(f"{number}.txt", text) for number, text in enumerate(texts)])
        for query, instead in RIGHT_WORDS:
            remark = (await Searcher(store.documents, store.search).search(query)).remark
            assert remark.startswith("Nowhere in the texts: "), query
            assert f"searched for {instead} instead" in remark if instead else "instead" not in remark, query

    await with_store(tmp_path, body)


async def test_a_weak_passage_is_not_the_first_where_one_that_says_more_is_there(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        texts = {
            "tool.txt": "gripper: force",
            "paper.txt": "The force that the friction of a film of water asks for follows from an old equation. " * 3,
            **{f"{number}.txt": f"Report {number} on friction and on water." for number in range(9)},
        }
        await store.files.commit([note(name, text) for name, text in texts.items()])
        asked = "the gripper force equation with friction film"
        hits = (await Searcher(store.documents, store.search).search(asked)).hits
        assert hits[0].document_slug == "paper"
        assert not hits[0].weak

    await with_store(tmp_path, body)


async def test_the_same_words_in_another_order_are_another_text(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        one = "author: Ines Marchetti of the workshop to: Tomas Berg of the office"
        other = "author: Tomas Berg of the office to: Ines Marchetti of the workshop"
        texts = {"one": one, "copy": one, "other": other, "third": "Ines Marchetti, Berg Street", "x": "Berg"}
        await store.files.commit([note(f"{name}.txt", text) for name, text in texts.items()])
        found = slugs((await Searcher(store.documents, store.search).search("Marchetti Berg workshop", 3)).hits)
        assert "other" in found
        assert ("one" in found) != ("copy" in found), "what says the same is shown once while there is more"

    await with_store(tmp_path, body)


async def test_what_a_document_says_about_itself_comes_after_its_text(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        said = prepare([("Start", ["The gearbox was designed in Lund, with help of many."])])
        about = PassageRecord(1, 0, 0, "", "Start", "keywords: gearbox, Lund, 1987", 0)
        described = msgspec.structs.replace(said, passages=(about, *said.passages))
        await store.files.commit([indexed("a.txt", described), note("b.txt", "Nothing of the kind.")])
        hits = (await Searcher(store.documents, store.search).search("gearbox of Lund")).hits
        assert [hit.uri for hit in hits] == ["section://a/s1", "document://a"]

    await with_store(tmp_path, body)


@pytest.fixture(scope="module")
def searching(tmp_path_factory: pytest.TempPathFactory) -> Generator[tuple[asyncio.Runner, Searcher]]:
    """The library, open for all that only asks, and the loop that it is on."""
    with asyncio.Runner() as runner:
        store = runner.run(Store.open(tmp_path_factory.mktemp("searching"), readers=1))
        try:
            yield runner, runner.run(library(store))
        finally:
            runner.run(store.close())


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("mercator", ["mercator"]),
        ("PROJECTION", ["mercator"]),
        ("projecting spheres", ["mercator"]),
        ("cafe ETAIT", ["cafe"]),
        ("Café", ["cafe"]),
        ("東京", ["tokyo"]),
        ("東京都", ["tokyo"]),
        ("データベース", ["tokyo"]),
        ("京都に住む", []),
        ("都", ["tokyo"]),
        ("데이터베이스", ["seoul"]),
        ("картография", ["russian"]),
        ('"boundary layer"', ["heat"]),
        ("mercat", ["mercator"]),
        ("boundary -heat", ["ice"]),
        ("zebra", []),
        ("path:library mercator", ["mercator"]),
        ("path:elsewhere mercator", []),
        ("type:pdf mercator", []),
        ("type:txt mercator", ["mercator"]),
        ("-type:txt mercator", []),
        ("before:1971 mercator", ["mercator"]),
        ("after:1971 mercator", []),
    ],
)
def test_queries_find(searching: tuple[asyncio.Runner, Searcher], query: str, expected: list[str]) -> None:
    runner, searcher = searching
    answer = runner.run(searcher.search(query))
    assert slugs(answer.hits) == expected
    assert answer.mode == "lexical"
    assert bool(answer.remark) == (not expected)


async def test_a_hit_says_where_it_is_and_why_it_was_found(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        figure = Element(type="figure", label="Figure 8-1", part=2, block=2, caption="The Mercator projection")
        await store.files.commit(
            [indexed("maps.txt", prepare([("Globes", ["Round things."]), ("Maps", ["Mercator drew maps."])],
                                         title="On maps", elements=[figure]))]
        )  # fmt: skip
        (hit,) = (await Searcher(store.documents, store.search).search("Mercator projection")).hits
        assert hit.uri == "section://maps/s2"
        assert (hit.document_slug, hit.title, hit.element_label) == ("maps", "On maps › Maps", "Figure 8-1")
        assert hit.snippet == "**Mercator** drew maps."
        assert hit.score > 0
        assert hit.path == "/library/maps.txt"
        (heading,) = (await Searcher(store.documents, store.search).search("globe")).hits
        assert heading.snippet == "**Globes**: Round things."

    await with_store(tmp_path, body)


@pytest.mark.parametrize(
    ("kind", "uri"),
    [("page", "page://book/1"), ("slide", "slide://book/1"), ("message", "message://book/1"),
     ("sheet", "sheet://book/Q1%202024?range=A257:D512")],
)  # fmt: skip
async def test_parts_that_are_no_chapters_are_addressed_as_what_they_are(tmp_path: Path, kind: str, uri: str) -> None:
    async def body(store: Store) -> None:
        prepared = prepare([("Start", ["needle"])])
        segments = tuple(
            Segment(n + 1, n + 1, n * 256, n * 256 + 255, prepared.parts[0].segments[0].data) for n in range(3)
        )
        part = msgspec.structs.replace(
            prepared.parts[0], kind=kind, name="Q1 2024" if kind == "sheet" else "", rows=768, cols=4, segments=segments
        )  # fmt: skip
        prepared = msgspec.structs.replace(prepared, part_kind=kind, parts=(part,))
        await store.files.commit([indexed("book.xyz", prepared)])
        (hit,) = (await Searcher(store.documents, store.search).search("needle")).hits
        assert hit.uri == uri
        assert hit.page == (1 if kind in ("page", "slide") else None)

    await with_store(tmp_path, body)


async def test_one_hit_a_section_and_the_limit(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        chapters = [(f"Part {n}", [f"needle number {n} {m}" for m in range(3)]) for n in range(6)]
        await store.files.commit([indexed("a.txt", prepare(chapters))])
        searcher = Searcher(store.documents, store.search)
        hits = (await searcher.search("needle", limit=50)).hits
        assert len({hit.uri for hit in hits}) == len(hits) == 6
        assert len((await searcher.search("needle", limit=4)).hits) == 4

    await with_store(tmp_path, body)


@pytest.mark.parametrize("moment", ["passages", "details"])
@pytest.mark.parametrize("removed", [1, 3])
async def test_what_is_removed_while_it_is_searched_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str, removed: int
) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([note(f"{name}.txt", f"a needle in {name}") for name in ("hay", "straw", "grass")])
        searcher = Searcher(store.documents, store.search)
        before = slugs((await searcher.search("needle")).hits)
        original = getattr(store.search, moment)

        async def removing(*arguments: object) -> object:
            await store.files.forget([file_path(f"{slug}.txt") for slug in before[:removed]])
            return await original(*arguments)

        monkeypatch.setattr(store.search, moment, removing)
        answer = await searcher.search("needle")
        assert slugs(answer.hits) == before[removed:]
        assert answer.total == len(before) - removed
        assert ("Nothing was found" in answer.remark) == (removed == len(before))

    await with_store(tmp_path, body)


async def test_quotes_are_literal_where_the_words_occur_and_say_so_where_they_do_not(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        searcher = Searcher(store.documents, store.search)
        await store.files.commit([note("one.txt", "a running shoe"), note("two.txt", "the run shoes")])
        assert slugs((await searcher.search('"running shoe"')).hits) == ["one"]
        answer = await searcher.search('"runs shoe"')
        assert set(slugs(answer.hits)) == {"one", "two"}
        assert "other forms" in answer.remark

    await with_store(tmp_path, body)


async def test_edits_renames_and_removals_show_at_once(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        searcher = await library(store)
        await searcher.search("mercator")  # so that what was remembered of the word has to be brought up to date
        await store.files.commit([note("mercator.txt", "Lambert instead"), note("new.txt", "Mercator again")])
        assert slugs((await searcher.search("mercator")).hits) == ["mercator", "new"]
        await store.files.rename([(file_path("new.txt"), file_path("mercator-notes.txt"), FileStat(1, 1))])
        await store.files.remove([file_path("mercator.txt")])
        (hit,) = (await searcher.search("mercator")).hits
        assert (hit.document_slug, hit.path) == ("new", "/library/mercator-notes.txt")
        assert (await searcher.search("lambert")).hits == ()

    await with_store(tmp_path, body)


async def test_a_question_about_a_file_by_its_name_shows_the_file(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        texts = {
            "kundur_full.txt": "uid idx u vmax vmin 1.1 0.9",
            "generators.txt": "Which system the generators are used in.",
        }
        await store.files.commit([note(name, text) for name, text in texts.items()])
        searcher = Searcher(store.documents, store.search)
        answer = await searcher.search("which generators are used in the Kundur system")
        assert slugs(answer.hits) == ["generators", "kundur_full"]
        within = await searcher.search("which generators are used in the Kundur system", doc="generators")
        assert slugs(within.hits) == ["generators"], "in a document that is named others have no say"

    await with_store(tmp_path, body)


async def test_a_document_named_as_asked_is_found_even_if_its_text_says_something_else(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        searcher = await library(store)
        await store.files.commit([note("usgs_snyder.pdf", "Map projections: a working manual.")])
        (hit,) = (await searcher.search("usgs snyder")).hits
        assert (hit.uri, hit.document_slug) == ("document://usgs_snyder", "usgs_snyder")
        assert "**usgs**" in hit.snippet

    await with_store(tmp_path, body)


async def test_a_file_that_is_named_whole_comes_first_and_one_that_is_most_of_the_question_is_there(
    tmp_path: Path,
) -> None:
    async def body(store: Store) -> None:
        searcher = await library(store)
        talk = "The annual report of the year, an annual report as any: report, report. Cisco wrote this annual report."
        notes = [note(f"talk{number}.txt", f"{talk} {number}") for number in range(5)]
        await store.files.commit([*notes, note("annual_report.pdf", "Sales of Cisco rose."), note("sales.txt", talk)])

        async def found(query: str) -> list[str]:
            return slugs((await searcher.search(query)).hits)

        assert (await found("annual_report.pdf"))[0] == "annual_report"
        assert (await found("Annual Report"))[0] == "annual_report"
        assert "annual_report" in (await found("annual report year Cisco"))[:2]
        assert (await found("sales"))[0] == "sales"
        assert "annual_report" not in await found("which year did they write this as any report")

    await with_store(tmp_path, body)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("berth 7", "berth7"), ("berth7", "berth7"), ("Berth 8", "berth-8"), ("berth8", "berth-8"),
        ("3d print", "3d-print"), ("3 d print", "3d-print"), ("plan of berth8", "berth-8"), ("excel 4", "excel4"),
    ],
)  # fmt: skip
async def test_letters_and_digits_of_a_name_stand_together_or_apart(tmp_path: Path, query: str, first: str) -> None:
    async def body(store: Store) -> None:
        searcher = await library(store)
        names = ("berth7.txt", "berth 8.txt", "3D print.txt", "excel4.txt")
        others = [
            note(f"list{number}.txt", f"Of berth 7, berth 8, excel 4 and print 3 {number}.") for number in range(4)
        ]
        await store.files.commit([*others, *(note(name, f"What the harbour says: {name[0]}.") for name in names)])
        assert slugs((await searcher.search(query)).hits)[0] == first

    await with_store(tmp_path, body)


@pytest.mark.parametrize(
    ("query", "instead"),
    [
        ("letter to Fatina", "fatima"), ("letter to Prita", ""), ("Prita", ""), ("letter to prita", "prima"),
        ("Prita ballerina text", "prima"),  # where a question begins a capital letter says nothing
    ],
)  # fmt: skip
async def test_a_name_is_not_taken_for_a_word_misspelt(tmp_path: Path, query: str, instead: str) -> None:
    async def body(store: Store) -> None:
        texts = ("The letter was written to Fatima.", "That was the prima ballerina.", "Some other text.")
        await store.files.commit([note(f"text{number}.txt", text) for number, text in enumerate(texts)])
        remark = (await Searcher(store.documents, store.search).search(query)).remark
        assert (f"searched for {instead} instead" in remark) if instead else ("instead" not in remark)

    await with_store(tmp_path, body)


async def test_the_names_of_folders_tell_which_file_is_meant(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        talk = "The budget of a chess club is a matter of the club."
        budgets = [note(f"{folder}/budget.csv", "item,amount") for folder in ("Rowing", "Chess club", "Choir")]
        await store.files.commit([*(note(f"talk{number}.txt", f"{talk} {number}") for number in range(4)), *budgets])
        searcher = Searcher(store.documents, store.search)
        for query in ("budget of the chess club", "budget of the chess club last week"):
            paths = [hit.path for hit in (await searcher.search(query)).hits]
            assert "/library/Chess club/budget.csv" in paths[:2]
            assert not any("Choir" in path or "Rowing" in path for path in paths)
        assert not any("csv" in hit.path for hit in (await searcher.search("a matter of the chess club")).hits)

    await with_store(tmp_path, body)


async def test_a_passage_in_a_folder_that_the_question_names_comes_before_its_like_elsewhere(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        rule = "Who comes late to a rehearsal waits at the door until the piece ends."
        others = "Late tickets are sold at the door."
        names = ("Theatre", "City choir", "Brass band")
        files = [note(f"{folder}/rules.txt", f"{rule} {at}") for at, folder in enumerate(names)]
        await store.files.commit([*files, *(note(f"{folder}/prices.txt", others) for folder in names)])
        searcher = Searcher(store.documents, store.search)
        for question, folder in (
            ("late for rehearsal in the choir", "City choir"),
            ("rehearsal late band", "Brass band"),
        ):
            hit = (await searcher.search(question)).hits[0]
            assert hit.path == f"/library/{folder}/rules.txt"

    await with_store(tmp_path, body)


async def test_a_name_is_no_word_with_another_ending_nor_the_end_of_one(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        texts = ["A catamaran at sea", "Canonical pays", "Each female bird", "Anderson wrote it"]
        await store.files.commit([note(f"{number}.txt", text) for number, text in enumerate(texts)])
        searcher = Searcher(store.documents, store.search)
        for name in ("Tamara", "Danone", "Cemal"):
            assert "instead" not in (await searcher.search(name)).remark
        assert "searched for anderson instead" in (await searcher.search("Andersson")).remark

    await with_store(tmp_path, body)


async def test_a_misspelt_word_is_taken_for_one_without_a_rare_accent(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        texts = ["Das Argüment ist neu.", "An argument of the function", "Der müde Müller", "Müde, müde", "Mude ist er"]
        await store.files.commit([note(f"{number}.txt", text) for number, text in enumerate(texts)])
        searcher = Searcher(store.documents, store.search)
        assert "searched for argument instead" in (await searcher.search("argumnt")).remark
        assert "searched for müller instead" in (await searcher.search("mullr")).remark

    await with_store(tmp_path, body)


async def test_a_question_that_begins_with_a_kind_of_file_prefers_those(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        deck = "A presentation has the budget for heating and repairs."
        await store.files.commit(
            [note("notes.txt", "A presentation has the budget."), note("yearly.pptx", deck), note("b.txt", "Boats")]
        )
        searcher = Searcher(store.documents, store.search)
        assert slugs((await searcher.search("the presentation with the budget")).hits)[0] == "yearly"
        assert slugs((await searcher.search("presentation budget")).hits)[0] == "notes"

    await with_store(tmp_path, body)


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("screenshot of the budget for heating", "screen"),
        ("the scanned page titled budget for heating", "screen"),
        ("Word table whose rows lack the budget", "plan"),
        ("a web page showing the budget", "site"),
        ("budget for heating of a page", "notes"),
    ],
)
async def test_pictures_scans_and_pages_are_kinds_of_files_too(tmp_path: Path, asked: str, first: str) -> None:
    text = "The rows of this page lack the budget for heating, a table has it."
    other = "The budget for heating lacks rows; a table on a page has it, and more is said of what it costs."

    async def body(store: Store) -> None:
        files = [note("notes.txt", text), *(note(name, other) for name in ("screen.png", "plan.docx", "site.html"))]
        await store.files.commit(files)
        assert slugs((await Searcher(store.documents, store.search).search(asked)).hits)[0] == first

    await with_store(tmp_path, body)


async def test_a_search_within_a_document_stays_in_it(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        searcher = await library(store)
        assert slugs((await searcher.search("boundary", doc="ice")).hits) == ["ice"]
        assert (await searcher.search("mercator", doc="ice")).hits == ()
        with pytest.raises(NotFoundError, match="did you mean mercator"):
            await searcher.search("x", doc="mercater")
        old = (await store.documents.resolve("ice")).doc_id
        await store.files.commit([note("ice.txt", "thawed")])
        with pytest.raises(NotFoundError, match="former version"):
            await searcher.search("boundary", doc=old)

    await with_store(tmp_path, body)


async def test_filters_alone_list_documents_and_nothing_says_so(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        searcher = await library(store)
        assert len((await searcher.search("type:txt", limit=50)).hits) == len(LIBRARY)
        assert "No document fits" in (await searcher.search("type:pdf")).remark
        assert "no word" in (await searcher.search("?!")).remark
        common = await searcher.search("the of")
        assert common.hits
        assert "very common" in common.remark

    await with_store(tmp_path, body)


async def test_elements_are_found_by_caption_context_and_kind(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        elements = [
            Element(type="figure", label="Figure 8-1", part=1, page=58, caption="The Mercator projection diagram"),
            Element(type="table", label="Table 5", part=1, page=60, context="constants of the Mercator projection"),
            Element(type="equation", label="Eq. 7", part=1, text="x = R", latex=r"x = R\lambda"),
        ]
        await store.files.commit([indexed("maps.pdf", prepare([("A", ["x"])], elements=elements))])
        searcher = Searcher(store.documents, store.search)
        found = (await searcher.search_elements("the Mercator projection diagram")).elements
        assert [one.label for one in found] == ["Figure 8-1", "Table 5"]
        assert (found[0].document_slug, found[0].page, found[0].uri) == ("maps", 58, "element://maps/Figure%208-1")
        assert found[0].score > found[1].score
        assert [one.label for one in (await searcher.search_elements("mercator", "table")).elements] == ["Table 5"]
        assert [one.label for one in (await searcher.search_elements("lambda")).elements] == ["Eq. 7"]
        assert (await searcher.search_elements("?")).elements == ()

    await with_store(tmp_path, body)


async def test_the_kind_that_is_asked_for_is_no_word_of_the_caption(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        elements = [
            Element(type="diagram", label="Diagram p8-1", part=1, page=8, generated=True),
            Element(type="table", label="Table p9-1", part=1, page=9, text="Sibley tents and their weights"),
            Element(type="figure", label="Figure p2-1", part=1, page=2, context="the Sibley tent of the officers"),
            Element(type="table", label="Table 12", part=1, page=12, caption="Rations"),
        ]
        await store.files.commit([indexed("siege.pdf", prepare([("A", ["x"])], elements=elements))])
        searcher = Searcher(store.documents, store.search)

        async def labels(query: str) -> list[str]:
            found = (await searcher.search_elements(query)).elements
            assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
            return [one.label for one in found]

        assert await labels("a diagram of the Sibley tent") == ["Figure p2-1", "Table p9-1"]
        assert await labels("Sibley tent table") == ["Table p9-1", "Figure p2-1"]
        assert await labels("table 12") == ["Table 12", "Table p9-1"], "part of a label"
        assert await labels("diagrams") == ["Diagram p8-1"], "all that was said"
        assert (await labels('"diagram" p8'))[:1] == ["Diagram p8-1"]

    await with_store(tmp_path, body)


@pytest.mark.parametrize(
    ("query", "first"),
    [("usgs snyder", "usgs_snyder"), ("snyd", "usgs_snyder"), ("usgs_snyder.pdf", "usgs_snyder"),
     ("anual reprot", "annual-report"), ("Annual Report", "annual-report"), ("報告", "報告書"),
     ("lons", "loans")],
)  # fmt: skip
async def test_documents_are_found_by_what_people_call_them(tmp_path: Path, query: str, first: str) -> None:
    async def body(store: Store) -> None:
        broken = Indexed(
            path=file_path("報告書.docx"), folder=b"/library", stat=FileStat(1, 1), state="damaged", plugin="docx"
        )
        await store.files.commit([note("usgs_snyder.pdf", "x"), note("Annual Report.docx", "y"), broken])
        await store.files.commit([note("loans.xlsx", "z"), note("auditions.html", "z")])
        searcher = Searcher(store.documents, store.search)
        assert (await searcher.find(query))[0].slug == first
        for odd in ("", "*", '"', "-", "(" * 600, "\0", "\ud800"):
            await searcher.find(odd)

    await with_store(tmp_path, body)


@pytest.mark.parametrize(
    ("query", "remark"),
    [
        (
            "termnation notice perod",
            "Nowhere in the texts: termnation, perod; searched for termination, period instead.",
        ),
        ("Terminaton notice", "Nowhere in the texts: Terminaton; searched for termination instead."),
        ("accomodaton of employes", "Nowhere in the texts: accomodaton; searched for accommodation instead."),
        ("compny notice", "Nowhere in the texts: compny; searched for company instead."),
        ("Etrmination ntice", "Nowhere in the texts: Etrmination, ntice; searched for termination, notice instead."),
        ("notcie zzxcv", "Nowhere in the texts: notcie, zzxcv; searched for notice instead."),
        ("zzxcv", "Nowhere in the texts: zzxcv."),
        ("notice 48213", "Nowhere in the texts: 48213."),
    ],
)
async def test_a_letter_or_two_mistyped_finds_what_was_meant_and_says_so(
    tmp_path: Path, query: str, remark: str
) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([
            note("weather.txt", "Notes on the notice board about rain and terms."),
            note("contract.txt", "Termination: the notice period is 90 days. Employees, company, accommodation."),
            note("board.txt", "A notice about the kitchen, the bikes and the notices."),
        ])  # fmt: skip
        answer = await Searcher(store.documents, store.search).search(query)
        assert answer.remark == remark
        if "instead" in remark:
            assert answer.hits[0].document_slug == ("board" if "zzxcv" in query else "contract")
            assert "**" in answer.hits[0].snippet, "the word that was found is marked"

    await with_store(tmp_path, body)


async def test_a_misspelt_word_is_taken_for_one_that_came_a_moment_ago_and_not_for_one_that_went(
    tmp_path: Path,
) -> None:
    async def body(store: Store) -> None:
        searcher = Searcher(store.documents, store.search)
        await store.files.commit([note("lease.txt", "The tenant pays a deposit.")])
        assert "searched for deposit instead" in (await searcher.search("depozit")).remark
        assert (await searcher.search("Hallenschluesel")).remark == "Nowhere in the texts: Hallenschluesel."
        await store.files.commit([note("halle.txt", "Der Hallenschlüssel liegt beim Hausmeister und dem Pförtner.")])
        assert "searched for hallenschlüssel instead" in (await searcher.search("Hallenschluesel")).remark
        await store.files.remove([file_path("lease.txt")])
        assert (await searcher.search("depozit")).remark == "Nowhere in the texts: depozit."
        assert [one.slug for one in await searcher.find("hale")] == ["halle"]

    await with_store(tmp_path, body)


@pytest.mark.parametrize(
    ("query", "first", "remark"),
    [
        ("partees loan", "loan", "Nowhere in the texts: partees; searched for partes instead."),
        ("partees", "acuerdo", "Nowhere in the texts: partees; searched for partes instead."),
        ("parties", "", "Nowhere in the texts: parties."),  # an English word
        ("glazng", "house", "Nowhere in the texts: glazng; searched for glazing instead."),
        ("cofing", "words", "Nowhere in the texts: cofing; searched for coding instead."),  # its stem is "code"
        ("bateaux", "port", "Nowhere in the texts: bateaux; searched for bateau instead."),
        ("parsley", "", "Nowhere in the texts: parsley."),
        ("perod", "lease", "Nowhere in the texts: perod; searched for period instead."),  # "pered" would be of "pere"
    ],
)
async def test_a_guessed_word_is_one_of_the_texts_and_outranks_none_that_was_typed(
    tmp_path: Path, query: str, first: str, remark: str
) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([
            note("acuerdo.txt", "Las partes: partes, partes. Ambas partes."), note("loan.txt", "About a loan."),
            note("wages.txt", "What we pay on Friday."), note("house.txt", "The glazing."),
            note("port.txt", "Un bateau entre au port."), note("baton.txt", "Un bâton."),
            note("lease.txt", "The period is a year."), note("goriot.txt", "Le pere Goriot."),
            note("words.txt", "The coding of words."),
            *(note(f"bank{number}.txt", f"The bank number {number} gives a loan.") for number in range(5)),
        ])  # fmt: skip
        answer = await Searcher(store.documents, store.search).search(query)
        assert (answer.remark.removesuffix(" Nothing was found; try fewer or other words."), first) == (
            remark, answer.hits[0].document_slug if answer.hits else "",
        )  # fmt: skip

    await with_store(tmp_path, body)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("fault E-4471", "device"),
        ("pupils in May 2023", "may"),
        ("who opens on 2025-05-14", "whales"),
        ("what PDF/A is for", "archive"),
        ("costs of R&D", "research"),
        ("costs and/or fees of a PDF", "pdf"),
    ],
)
async def test_numbers_and_days_among_words_count(tmp_path: Path, query: str, first: str) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([
            note("device.txt", "On Monday it showed E-4471 and nothing else at all."),
            note("faults.txt", "A fault of the device is a fault."),
            note("whales.txt", "The hall opens on 14 May 2025."), note("hours.txt", "The shop opens. Who opens it?"),
            note("may.txt", "Pupils of May 2023: 1311."), note("june.txt", "Pupils, pupils of June 2023."),
            note("archive.txt", "Archives keep what is there for long, and ask for PDF/A with all fonts aboard."),
            note("pdf.txt", "PDF files. A PDF costs fees."), note("costs.txt", "Costs, costs: D and R."),
            note("research.txt", "What is spent for R&D is no part of what the sum of all costs says."),
        ])  # fmt: skip
        answer = await Searcher(store.documents, store.search).search(query)
        assert answer.hits[0].document_slug == first
        assert "2025-05-14" not in answer.remark

    await with_store(tmp_path, body)


@pytest.mark.parametrize("query", ["the canton's flat", "the canton’s flat?"])
async def test_the_end_of_a_possessive_is_no_word(tmp_path: Path, query: str) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([
            note("flow.txt", "Flow in l/s: 4 l/s, 7 l/s, 8 l/s."), note("flats.txt", "A flat of the canton."),
        ])  # fmt: skip
        answer = await Searcher(store.documents, store.search).search(query)
        assert [hit.document_slug for hit in answer.hits] == ["flats"]
        assert not answer.remark

    await with_store(tmp_path, body)


@pytest.mark.parametrize("query", ["mail notice", "subjet notice", "rein notice", "boad notice"])
async def test_a_right_word_is_not_taken_for_another(tmp_path: Path, query: str) -> None:
    """The word of a filter, of a file's name, and four letters that stand near one word only."""

    async def body(store: Store) -> None:
        await store.files.commit([
            note("may.txt", "Im Mai: the notice, the subject and the rain."), note("mai.txt", "Mai: a notice."),
            note("Subjet.txt", "A board."),
        ])  # fmt: skip
        answer = await Searcher(store.documents, store.search).search(query)
        assert answer.remark.startswith(f"Nowhere in the texts: {query.partition(' ')[0]}.")

    await with_store(tmp_path, body)


@pytest.mark.parametrize(
    ("query", "remark"),
    [
        ("prix", "Nowhere in the texts: prix."),
        ("miel", "Nowhere in the texts: miel; searched for mile instead."),
        ("chir", "Nowhere in the texts: chir; searched for chair instead."),
    ],
)
async def test_four_letters_are_no_other_four(tmp_path: Path, query: str, remark: str) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([note(f"n{n}.txt", f"Prim and chair, a mile of text {n}.") for n in range(9)])
        answer = await Searcher(store.documents, store.search).search(query)
        assert answer.remark.startswith(remark)

    await with_store(tmp_path, body)


DAYS = [
    ("session of 14 March 2024", "german"),
    ("session of 2024-03-14", "german"),
    ("session of March 14th, 2024", "german"),
    ("session of 3 May 2023", "iso"),
    ("sesión del 3 de mayo de 2023", "iso"),
    ("session in June 2022", "month"),
    ("session of 1 July 2013", "century"),
    ("session of 12 August 2009", "centuries"),
    ("session in October 2019", "within"),
    ("sesión en octubre 2019", "within"),
    ("session of 3.6.2022", "dotted"),
    ("session of 14 March", "short"),
    ("session in December 2020", "shortened"),
    ("session of 12/2020", "shortened"),
    ("session of 25 April 2021", "american"),
    ("session of 25/04/2021", "american"),
]


async def test_a_day_is_found_however_it_is_written(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([
            note("german.txt", "Protokoll vom 14. März 2024."), note("iso.txt", "Noted at 2023-05-03T10:00:00."),
            note("month.txt", "Juni 2022: nothing new."), note("dotted.txt", "Am 3.6.2022 war Ruhe."),
            note("short.txt", "On Mar 14 nothing happened."), note("shortened.txt", "Sitzung im Dez. 2020."),
            note("american.txt", "Seen on 04/25/2021."), note("march.txt", "Closed on March 15."),
            note("within.txt", "Monday, October 6, 2019, at the town hall, as always on a Monday in the evening."),
            note("apart.txt", "October was quiet, as was 2019."), note("century.txt", "Am 1.7.13 war es laut."),
            note("centuries.txt", "Loud on 08/12/09."), note("counted.txt", "Of 1 and 12: 1, 12."),
            *(note(f"day{n}.txt", f"Page 14 of {n}, printed 2024, 2023 and 2022, 03 05.") for n in range(4)),
        ])  # fmt: skip
        for query, first in DAYS:
            hits = (await Searcher(store.documents, store.search).search(query)).hits
            assert hits[0].document_slug == first, query

    await with_store(tmp_path, body)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("résumé", "cv"),
        ("the RÉSUMÉ of Ann", "cv"),
        ("resume", "work"),
        ("schöne Gäste", "garden"),
        ("schone Gaste", ""),
    ],
)
async def test_what_has_the_very_diacritics_comes_first(tmp_path: Path, query: str, first: str) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([
            note("work.txt", "Resume the work after the break."), note("cv.txt", "Résumé of the last ten years."),
            note("plain.txt", "Schone Gaste, sagt der Dichter."), note("garden.txt", "Schöne Gäste, sagt der Dichter."),
        ])  # fmt: skip
        found = slugs((await Searcher(store.documents, store.search).search(query)).hits)
        assert len(found) == 2
        assert not first or found[0] == first

    await with_store(tmp_path, body)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("AB12990X", "valve"), ("price of ab12990x", "valve"), ("DE89370400440532013000", "account"),
        ("0301234567", "account"), ("AB12991X", ""), ("990123", ""),
    ],
)  # fmt: skip
async def test_a_number_in_one_piece_is_found_where_it_stands_in_several(
    tmp_path: Path, query: str, first: str
) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([
            note("valve.txt", "The valve AB-12-990-X costs more."),
            note("other.txt", "12 of 990 and 123, 991, AB and X."),
            note("account.txt", "DE89 3704 0044 0532 0130 00, call 030/1234567."),
            note("price.txt", "A price: 5."),
        ])  # fmt: skip
        answer = await Searcher(store.documents, store.search).search(query)
        assert slugs(answer.hits)[:1] == ([first] if first else [])
        assert ("instead" in answer.remark) == bool(first)
        assert not first or "**" in answer.hits[0].snippet

    await with_store(tmp_path, body)


@pytest.mark.parametrize(
    ("query", "first", "shown"),
    [
        ("удаление старых ядер", "kernel", "**старое** ядро"),
        ("красную книгу", "book", "**Красная** **книга**"),
        ("картами", "maps", "**карты**"),
        ("мире", "peace", "**мире**"),
        ("удалением", "kernel", "**Удаление**"),
        ('"карту"', "", ""),
    ],
)
async def test_russian_words_are_found_in_their_other_forms(tmp_path: Path, query: str, first: str, shown: str) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([
            note("kernel.txt", "Как снять старое ядро: Удаление пакета."), note("maps.txt", "Проекции карты мира."),
            note("book.txt", "Красная книга лежит на столе."),
            note("peace.txt", "О войне и мире, о кораблях и картине."),
        ])  # fmt: skip
        answer = await Searcher(store.documents, store.search).search(query)
        assert slugs(answer.hits)[:1] == ([first] if first else [])
        assert not first or (shown in answer.hits[0].snippet and not answer.hits[0].weak)

    await with_store(tmp_path, body)


async def test_a_name_of_code_counts_more_than_a_title(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([
            note("Operation.txt", "The operation of the operating system."),
            note("api.txt", "paths, components, schemas, responses, summary, tags; the operation is putFirmware."),
        ])  # fmt: skip
        first = (await (await everything_is_near(store)).search("operation putFirmware")).hits[0]
        assert (first.document_slug, first.weak) == ("api", False)

    await with_store(tmp_path, body)


async def test_an_identifier_alone_is_meant_literally(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([
            note("paid.txt", "Paid: INV-2024-0317 on Monday."),
            note("other.txt", "Open: INV-2024-0371, and 0317 items."),
            note("INV-2023-0001.txt", "An old one."),
        ])  # fmt: skip
        searcher = await everything_is_near(store)
        answer = await searcher.search("INV-2024-0317")
        assert (slugs(answer.hits), answer.mode) == (["paid"], "lexical")
        missing = await searcher.search("INV-2024-9999")
        assert (missing.hits, missing.remark) == ((), "Nowhere in the texts: INV-2024-9999.")
        assert slugs((await searcher.search("inv-2023-0001")).hits) == ["inv-2023-0001"]
        assert len((await searcher.search("INV-2024-0317 items")).hits) == 3, "among words it is one of them"

    await with_store(tmp_path, body)


async def everything_is_near(store: Store) -> Searcher:
    ids = [passage.id for passage in await store.documents.passages()]
    return Searcher(store.documents, store.search, Meaning([(row, 0.9) for row in ids]))


@pytest.mark.parametrize(
    ("query", "weak"), [("新幹線の歴史", True), ("台風の取消料", False), ("express trains", False)]
)
async def test_what_a_model_says_of_another_script_counts_for_little(tmp_path: Path, query: str, *, weak: bool) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([note("a.txt", "台風で列車が止まった場合、取消料はかかりません。")])
        answer = await (await everything_is_near(store)).search(query)
        assert [hit.weak for hit in answer.hits] == [weak]
        assert ("Weak: nothing found" in answer.remark) == weak

    await with_store(tmp_path, body)


class Meaning:
    """A semantic index that knows one answer."""

    unrelated = 0.25
    weak = 0.3

    def __init__(
        self, rows: Sequence[tuple[int, float]] = (), error: Exception | None = None, *, embedded: int = 10**6
    ) -> None:
        self.rows = rows
        self.error = error
        self.count = embedded

    async def nearest(self, query: str, limit: int, kind: Literal["passage", "element"] = "passage") -> Nearest:
        if self.error is not None:
            raise self.error
        return Nearest(self.rows[:limit], self.count)

    async def embedded(self, rows: Sequence[int], kind: Literal["passage", "element"] = "passage") -> set[int]:
        return {row for row, _ in self.rows}.intersection(rows)


async def test_ranking_by_meaning_joins_under_the_same_filters(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        searcher = await library(store)
        ids = {passage.slug: passage.id for passage in await store.documents.passages()}
        searcher.semantic = Meaning([(ids["cafe"], 0.9), (ids["mercator"], 0.8), (10**6, 0.7)])
        answer = await searcher.search("mercator")
        assert (slugs(answer.hits), answer.mode) == (["mercator", "cafe"], "hybrid")
        assert slugs((await searcher.search("restaurant")).hits) == ["cafe", "mercator"]
        assert (await searcher.search("restaurant")).mode == "semantic"
        searcher.semantic = Meaning([(ids["cafe"], 0.2)])
        nothing = await searcher.search("zzxcv")
        assert (nothing.hits, nothing.remark) == ((), "Nowhere in the texts: zzxcv."), "what is far is not shown"
        searcher.semantic = Meaning([(ids["cafe"], 0.9), (ids["mercator"], 0.8), (10**6, 0.7)])
        assert slugs((await searcher.search("mercator -visitors")).hits) == ["mercator"]
        assert slugs((await searcher.search("mercator", doc="mercator")).hits) == ["mercator"]
        assert slugs((await searcher.search('"mercator"')).hits) == ["mercator"]
        searcher.semantic = Meaning(error=WorkerCrash("gone"))
        answer = await searcher.search("mercator")
        assert (slugs(answer.hits), answer.mode) == (["mercator"], "lexical")
        assert "not available" in answer.remark

    await with_store(tmp_path, body)


async def test_meaning_does_not_put_another_number_first(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([
            note("may.txt", "Decision 26-14: the order goes to the carpenter."),
            note("october.txt", "Decision 26-27: the old lift is given away."),
        ])  # fmt: skip
        searcher = Searcher(store.documents, store.search)
        ids = {passage.slug: passage.id for passage in await store.documents.passages()}
        searcher.semantic = Meaning([(ids["october"], 0.9), (ids["may"], 0.5)])
        assert slugs((await searcher.search("Decision 26-14")).hits) == ["may", "october"]
        assert slugs((await searcher.search("decision about the carpenter's lift")).hits)[0] == "october"

    await with_store(tmp_path, body)


async def test_what_is_near_in_meaning_does_not_displace_what_holds_the_words(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([
            note("lease.txt", "The lease of the pavilion has a notice period of eight months."),
            note("music.txt", "How long music may be played by the lake."),
            note("boats.txt", "For boats the notice is shorter."),
            *(note(f"other{number}.txt", f"Report {number} on the jetty.") for number in range(9)),
        ])  # fmt: skip
        searcher = Searcher(store.documents, store.search)
        ids = {passage.slug: passage.id for passage in await store.documents.passages()}
        others = dict.fromkeys(ids, 0.05) | {"music": 0.9, "lease": 0.1}

        def near(**cosines: float) -> Meaning:
            ranked = sorted((others | cosines).items(), key=lambda one: -one[1])
            return Meaning([(ids[slug], cosine) for slug, cosine in ranked])

        searcher.semantic = near()
        assert slugs((await searcher.search("notice period pavilion")).hits)[:2] == ["lease", "music"]
        assert slugs((await searcher.search("notice of tenants of kiosks in parks")).hits)[0] == "music"
        searcher.semantic = near(music=0.4)
        assert slugs((await searcher.search("notice of tenants of kiosks in parks")).hits)[0] in {"lease", "boats"}
        searcher.semantic = near(**{f"other{number}": 0.85 for number in range(9)})
        found = slugs((await searcher.search("notice of tenants of kiosks in parks")).hits)
        assert found[0] == "music"
        assert {"lease", "boats"} & {*found[:3]}, "what is first by words is in every answer"

    await with_store(tmp_path, body)


async def test_meaning_does_not_put_another_day_first(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([
            note("dive.txt", "2026-12-14 09:00. Divers look at the chains of the harbour."),
            note("fair.txt", "What happens at the harbour in December: a fair, a band and fireworks."),
            *(note(f"{number}.txt", f"Report {number} on the harbour.") for number in range(9)),
        ])  # fmt: skip
        ids = {passage.slug: passage.id for passage in await store.documents.passages()}
        searcher = Searcher(store.documents, store.search, Meaning([(ids["fair"], 0.9), (ids["dive"], 0.1)]))
        assert slugs((await searcher.search("what happens at the harbour on 14 December 2026")).hits)[0] == "dive"
        assert slugs((await searcher.search("what happens at the harbour before 14 December 2026")).hits)[0] == "fair"

    await with_store(tmp_path, body)


async def test_what_is_embedded_first_does_not_lose_to_what_is_not(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        texts = {"plan": "Brine: 88 minutes. Brine is shown on Monday.", "tin": "Tin is soft."}
        texts |= {f"n{number}": f"Report {number} of a screening, on the barge, of Brine." for number in range(8)}
        await store.files.commit([note(f"{name}.txt", text) for name, text in texts.items()])
        ids = {passage.slug: passage.id for passage in await store.documents.passages()}
        searcher = Searcher(store.documents, store.search)
        asked = "how long is Brine"
        assert slugs((await searcher.search(asked)).hits)[0] == "plan"
        searcher.semantic = Meaning([(ids["tin"], 0.5), (ids["plan"], 0.2)], embedded=2)
        assert slugs((await searcher.search(asked)).hits)[0] == "plan"

    await with_store(tmp_path, body)


async def test_a_month_that_is_named_is_that_of_the_document(tmp_path: Path) -> None:
    def minutes(name: str, day: datetime) -> Indexed:
        made = note(name, f"Minutes of the board, {name}: the kettle is broken.")
        dated = (Attribution(0, "", "", "", int(day.timestamp() * 1e9)),)
        assert made.prepared is not None
        return msgspec.structs.replace(made, prepared=msgspec.structs.replace(made.prepared, attributions=dated))

    async def body(store: Store) -> None:
        await store.files.commit([
            minutes("a.txt", datetime(2025, 6, 30, tzinfo=UTC)),
            minutes("b.txt", datetime(2026, 2, 3, tzinfo=UTC)),
            minutes("c.txt", datetime(2026, 6, 12, tzinfo=UTC)),
            note("d.txt", "Minutes of the board, for once without a day: nothing was decided."),
        ])  # fmt: skip
        searcher = Searcher(store.documents, store.search)
        for query, first in (
            ("minutes of the board in February", "b"),
            ("board minutes June 2026", "c"),
            ("minutes board before January 2026", "a"),
            ("minutes board 2025", "a"),
        ):
            assert slugs((await searcher.search(query)).hits)[0] == first, query

    await with_store(tmp_path, body)


async def test_large_results_are_ranked_like_small_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def body(store: Store) -> None:
        texts = [f"common words {'rare ' * (n % 70 == 1)}{'odd ' * (n % 30 == 1)}x{n:03}" for n in range(400)]
        await store.files.commit([note(f"n{n}.txt", text) for n, text in enumerate(texts)])
        searcher = Searcher(store.documents, store.search)
        whole = slugs((await searcher.search("common rare odd", limit=5)).hits)
        monkeypatch.setattr("sidecar.store.index.ranking.SCORED_ROWS", 20)
        monkeypatch.setattr("sidecar.store.index.ranking.WANTED", 10)
        monkeypatch.setattr("sidecar.store.index.ranking.SCORED_POSTINGS", 30)
        narrowed = slugs((await searcher.search("common rare odd", limit=5)).hits)
        assert narrowed == whole
        assert set(whole[:2]) == {"n1", "n211"}
        assert len((await searcher.search("common", limit=5)).hits) == 5

    await with_store(tmp_path, body)


ODD = "\"*()-:^{}+.,;!?@#$%&|<>[]~`'\\/ANDORNEARNOT東京 \u0301\u200d\ud800"
SYNTAX = ['"', "-", "type:", "path:", "after:2024", 'type:"', "NEAR(", "AND", "OR", "*", "^a", "b:c", "東京"]
QUERIES = st.one_of(
    st.text(max_size=200),
    st.text(alphabet=ODD, max_size=80),
    st.lists(st.sampled_from(SYNTAX), max_size=12).map(" ".join),
)


@settings(max_examples=150)
@given(queries=st.lists(QUERIES, min_size=1, max_size=8))
@example(queries=["ness"])  # nothing but an ending, over elements of which there are none
def test_no_query_ever_raises(searching: tuple[asyncio.Runner, Searcher], queries: list[str]) -> None:
    runner, searcher = searching

    async def main() -> None:
        for query in queries:
            answer = await searcher.search(query, limit=3)
            assert answer.hits or answer.remark
            assert all(len(hit.snippet) <= 400 for hit in answer.hits)
            await searcher.search_elements(query)
            await searcher.find(query)

    runner.run(main())


@pytest.mark.parametrize("piece", ["x", "a ", '"', "(", "東", "-", "abcde fgh ", "NEAR", "é"])
def test_ten_thousand_characters_are_answered(searching: tuple[asyncio.Runner, Searcher], piece: str) -> None:
    runner, searcher = searching
    assert "4,000" in runner.run(searcher.search(piece * (10_000 // len(piece)))).remark


async def test_common_words_kept_in_the_index_answer_as_the_index_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def body(store: Store) -> None:
        texts = [f"university experiments {'rare' * (n % 7 == 1)} x{n:03}" for n in range(120)]
        await store.files.commit([note(f"n{n}.txt", text) for n, text in enumerate(texts)])
        searcher = Searcher(store.documents, store.search)
        queries = ["rare university", "Experimental rare", "universities -rare", "start", '"university experiments"']
        asked = [(await searcher.search(query, limit=20)).hits for query in queries]
        monkeypatch.setattr("sidecar.store.index.common_words.MIN_ROWS", 50)
        await store.prune()
        assert await store.database.read(lambda session: session.one("SELECT count(*) FROM postings")) > 0
        store.search.forget()
        assert [(await searcher.search(query, limit=20)).hits for query in queries] == asked
        # what has come, and gone, since they were written
        await store.files.commit([note("n1.txt", "thawed"), note("new.txt", "a rare university of rare experiments")])
        store.search.forget()
        found = slugs((await searcher.search("rare university", limit=50)).hits)
        assert "new" in found[:2]
        assert "n1" not in found
        await store.files.remove([file_path(f"n{n}.txt") for n in range(100)])
        await store.prune()
        assert await store.database.read(lambda session: session.one("SELECT count(*) FROM postings")) == 0
        store.search.forget()
        assert "new" in slugs((await searcher.search("rare university", limit=50)).hits)[:2]

    await with_store(tmp_path, body)


async def test_asked_in_words_prose_comes_before_data_that_repeats_its_words(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        prose = "A mallard eats seeds, snails and plants; a wood duck eats acorns. " * 3
        data = '{"text": "mallard", "orig": "mallard eats", "label": "duck eats duck", "ref": ["#1", "#2"]}, ' * 3
        await store.files.commit([note("ducks.md", prose), note("dump.json", data)])
        searcher = Searcher(store.documents, store.search)
        assert slugs((await searcher.search("what does a mallard duck eat?")).hits) == ["ducks", "dump"]
        assert slugs((await searcher.search("mallard duck label")).hits)[0] == "dump", "keywords rank as they do"

    await with_store(tmp_path, body)


async def test_hits_that_neither_mean_nor_say_what_is_asked_are_few_and_marked_weak(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([note(f"n{n}.txt", f"The glacier number {n} melts slowly.") for n in range(8)])
        await store.files.commit([note("metals.txt", "Tungsten boils very late.")])
        ids = {passage.slug: passage.id for passage in await store.documents.passages()}
        far = [(row, 0.1) for row in ids.values()]
        searcher = Searcher(store.documents, store.search, Meaning(far))
        question = "which glacier tour guide costs least money"
        answer = await searcher.search(question)
        assert [hit.weak for hit in answer.hits] == [True] * 3
        assert "Weak" in answer.remark
        assert not answer.more
        near = dict(far) | {ids["metals"]: 0.6, ids["n7"]: 0.5}
        searcher.semantic = Meaning(sorted(near.items(), key=lambda pair: -pair[1]))
        answer = await searcher.search(question)
        assert {hit.document_slug for hit in answer.hits if not hit.weak} == {"metals", "n7"}
        assert len(answer.hits) == 3
        assert "Weak" not in answer.remark
        searcher.semantic = Meaning(far)
        assert not any(hit.weak for hit in (await searcher.search("glacier melts")).hits), "it says what is asked"
        assert not any(hit.weak for hit in (await searcher.search('"glacier number" price today')).hits)
        searcher.semantic = None
        answer = await searcher.search(question)
        assert [hit.weak for hit in answer.hits] == [True] * 3, "one word of six says next to nothing"
        assert not any(hit.weak for hit in (await searcher.search("which glacier melts slowly or is costly")).hits)
        assert len((await searcher.search("how much does a glacier cost")).hits) == 8, "one word of two may be enough"

    await with_store(tmp_path, body)


@pytest.mark.parametrize(
    ("query", "cosine", "weak"),
    [
        ("zzxcv blorf", 0.39, True),
        ("restaurant", 0.45, False),
        ("Rezept für Apfelkuchen", 0.5, True),  # the model takes all German for alike
        ("recette de la bouillabaisse", 0.52, True),
        ("Wie schnell schmilzt ein glacier?", 0.4, False),
        ("how many guides has the glacier hired", 0.33, True),
        ("how many guides has the glacier hired", 0.45, False),
    ],
)
async def test_where_words_are_missing_meaning_has_to_come_nearer(
    tmp_path: Path, query: str, cosine: float, *, weak: bool
) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([note("ice.txt", "The glacier melts slowly, a metre in a decade or two.")])
        (passage,) = await store.documents.passages()
        answer = await Searcher(store.documents, store.search, Meaning([(passage.id, cosine)])).search(query)
        assert [hit.weak for hit in answer.hits] == [weak]
        assert ("Weak: nothing found" in answer.remark) == weak

    await with_store(tmp_path, body)


@pytest.mark.parametrize("embedded", [0, 4, 8])
async def test_a_single_word_that_stands_nowhere_brings_no_noise(tmp_path: Path, embedded: int) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([note(f"n{n}.txt", f"The glacier number {n} melts slowly.") for n in range(8)])
        rows = [passage.id for passage in await store.documents.passages()][:embedded]
        searcher = Searcher(store.documents, store.search, Meaning([(row, 0.35) for row in rows]))
        answer = await searcher.search("zzxcv")
        assert (answer.hits, answer.remark) == ((), "Nowhere in the texts: zzxcv.")
        searcher.semantic = Meaning([(row, 0.45) for row in rows])
        assert len((await searcher.search("icefield")).hits) == embedded, "what is near is shown"

    await with_store(tmp_path, body)


async def test_what_a_word_was_taken_for_is_no_second_word(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        texts = ("Die Straße am Südtor wird gesperrt.", "Die Straße bleibt offen.", "Schlüsselübergabe ist im Büro.")
        await store.files.commit([note(f"n{n}.txt", text) for n, text in enumerate(texts)])
        rows = [passage.id for passage in await store.documents.passages()]
        searcher = Searcher(store.documents, store.search, Meaning([(row, 0.1) for row in rows]))
        answer = await searcher.search("Strasse")
        assert answer.remark == "Nowhere in the texts: Strasse; searched for straße instead."
        assert {(hit.document_slug, hit.weak) for hit in answer.hits} == {("n0", False), ("n1", False)}
        answer = await searcher.search("Schluessel")
        assert answer.remark == "Nowhere in the texts: Schluessel; searched for schlüssel instead."
        assert [(hit.document_slug, hit.weak) for hit in answer.hits] == [("n2", False)]
        answer = await searcher.search("tor")
        assert not answer.hits, "three letters end too many words"
        answer = await searcher.search("Gabe")
        assert [hit.document_slug for hit in answer.hits] == ["n2"], "what a word of the texts ends with"
        answer = await searcher.search("Wo ist die Uebergabe der Schluessel?")
        assert (answer.hits[0].document_slug, answer.hits[0].weak) == ("n2", False)

    await with_store(tmp_path, body)


async def test_what_is_not_embedded_is_judged_by_its_words(tmp_path: Path) -> None:
    """While little is embedded an answer has no more noise than one by words."""

    async def body(store: Store) -> None:
        await store.files.commit([note(f"n{n}.txt", f"The glacier number {n} melts slowly.") for n in range(8)])
        await store.files.commit([note("metals.txt", "Tungsten boils very late."), note("tin.txt", "Tin is soft.")])
        ids = {passage.slug: passage.id for passage in await store.documents.passages()}
        searcher = Searcher(store.documents, store.search, Meaning([(ids["metals"], 0.1), (ids["tin"], 0.6)]))
        answer = await searcher.search("glacier number 3")
        assert {hit.document_slug for hit in answer.hits} == {*(f"n{n}" for n in range(8)), "tin"}, "tin is near"
        answer = await searcher.search("which glacier tour guide costs least money")
        assert [hit.document_slug for hit in answer.hits if not hit.weak] == ["tin"]
        assert len(answer.hits) == 3
        answer = await searcher.search("cheapest mountain tour guide")
        assert all(hit.weak for hit in answer.hits), "none of the words stands anywhere"

    await with_store(tmp_path, body)


_DRILL = note("wache.txt", "Der Schlüssel der Halle hängt am Haken.")
_LANGUAGES = (
    _DRILL,
    note("masken.txt", "Wer einen Bart trägt, setzt keine Maske auf."),
    note("strasse.txt", "Die Ausfahrt zur Straße bleibt frei."),
    note("eki.txt", "車内の忘れ物は三日間保管する。"),
    note("kaze.txt", "風速が二十五を超えると列車は止まる。"),
    note("maillot.txt", "El nuevo maillot es verde."),
    note("autorisation.txt", "The autorisation takes two months."),
    note("farine.txt", "La farine de seigle est au sous-sol."),
    note("du.txt", "Le prix du moulin du village est du domaine du maire."),
)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Wer hat den Hallenschlüssel?", "wache"),
        ("Dürfen Bartträger eine Maske benutzen?", "masken"),
        ("Ausfahrt Strasse", "strasse"),
        ("Strasse", "strasse"),
        ("忘れ物はどうなりますか", "eki"),
        ("風が強いとき電車は止まりますか", "kaze"),
        ("farine du seigle", "farine"),
    ],
)
async def test_words_are_found_as_their_language_writes_them(tmp_path: Path, query: str, expected: str) -> None:
    """Compounds, umlauts and ß, Japanese sentences, and articles that are rare words of another language's library."""

    async def body(store: Store) -> None:
        await store.files.commit(list(_LANGUAGES))
        answer = await Searcher(store.documents, store.search).search(query)
        assert slugs(answer.hits)[0] == expected

    await with_store(tmp_path, body)


@pytest.mark.parametrize(
    ("query", "remark"),
    [
        ("wie lange ist die Kündigunsgfrist", "Kündigunsgfrist; searched for kündigungsfrist instead."),
        ("Kuendigungsfristen", "Kuendigungsfristen; searched for kündigungsfrist instead."),
        ("boeuf", "boeuf; searched for bœuf instead."),
        ("du rasemblement", "rasemblement; searched for rassemblement instead."),
        ("zur Erstattung", "Erstattung."),
    ],
)
async def test_misspelt_german_and_french_is_searched_for_as_it_is_written(
    tmp_path: Path, query: str, remark: str
) -> None:
    async def body(store: Store) -> None:
        german = "Die Kündigungsfrist ist für beide sechs Monate, und das zum Ende eines Jahres."
        french = "Le rassemblement est dans la cour. On sert du bœuf à la cantine et des pâtes."
        other = "Wer lange sitzt, der steht erst einmal auf, und die Pause ist für alle da."
        await store.files.commit([note("vertrag.txt", german), note("cour.txt", french), note("pause.txt", other)])
        answer = await Searcher(store.documents, store.search).search(query)
        said = {"E": "", "K": "vertrag"}.get(remark[:1], "cour")
        assert slugs(answer.hits)[:1] == ([said] if said else [])
        assert answer.remark.removeprefix("Nowhere in the texts: ").startswith(remark)

    await with_store(tmp_path, body)


@pytest.mark.parametrize(
    ("query", "expected", "remark"),
    [
        ("Schlüssel der Halle", "haken", ""),
        ("der Hof der Schule", "hof", ""),
        ("die Versicherung für das Auto", "auto", ""),
        ("zur Versicherung", "auto", "Nowhere in the texts: Versicherung; searched for autoversicherung instead."),
        ("zur Halde", "", "Nowhere in the texts: Halde."),
        ("zur Wolle", "", "Nowhere in the texts: Wolle."),
    ],
)
async def test_words_are_found_in_their_compounds(tmp_path: Path, query: str, expected: str, remark: str) -> None:
    """Apart in the query, together in the text; and no word is taken for one that only texts in English have."""

    async def body(store: Store) -> None:
        english = "Hale and hearty men were seen in the hills, and the rest of it stayed where it had been."
        texts = {"haken": "Den Hallenschlüssel hat der Wirt.", "hof": "Am Schulhof stehen Bäume.", "hale": english}
        texts |= {"auto": "Die Frist der Autoversicherung endet im November.", "wolf": "A wolf."}
        await store.files.commit([note(f"{name}.txt", text) for name, text in texts.items()])
        answer = await Searcher(store.documents, store.search).search(query)
        assert slugs(answer.hits)[:1] == ([expected] if expected else [])
        assert answer.remark.startswith(remark)

    await with_store(tmp_path, body)


@pytest.mark.parametrize(
    ("query", "expected"),
    [("initial delay", "values"), ("what does LQ-E118 mean", "errors"), ("which release removed --keep", "upgrade")],
)
async def test_names_and_numbers_of_programs_are_found(tmp_path: Path, query: str, expected: str) -> None:
    """By the words within them, as one thing in a sentence, and with the dashes of an option."""

    async def body(store: Store) -> None:
        texts = {
            "values": "initialDelaySeconds: 25",
            "upgrade": "The release drops --keep.",
            "log": "A release, closed.",
        }
        texts |= {"errors": f"LQ-E118 {'and many other words ' * 20}", "mean": "What does LQ mean? It is no line."}
        await store.files.commit([note(f"{name}.txt", text) for name, text in texts.items()])
        assert slugs((await Searcher(store.documents, store.search).search(query)).hits)[0] == expected

    await with_store(tmp_path, body)


async def test_a_misspelt_word_is_not_the_beginning_of_what_its_stem_begins(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([
            note("gene.txt", "Spatialtranscriptomics of cells."), note("map.txt", "SpatiaLite, for maps."),
            note("law.txt", "A theorist of law."), note("lock.txt", "Une serrurerie."),
        ])  # fmt: skip
        searcher = Searcher(store.documents, store.search)
        for query, expected, remark in (
            ("spatialte", ["map"], "Nowhere in the texts: spatialte; searched for spatialite instead."),
            ("theorising", ["law"], ""), ("serrures", ["lock"], ""), ("spatialtran", ["gene"], ""),
        ):  # fmt: skip
            answer = await searcher.search(query)
            assert (slugs(answer.hits), answer.remark) == (expected, remark)

    await with_store(tmp_path, body)


@pytest.mark.parametrize("query", ["mail", "Auto"])
async def test_a_short_word_is_the_beginning_of_none_that_goes_on_otherwise(tmp_path: Path, query: str) -> None:
    async def body(store: Store) -> None:
        await store.files.commit(list(_LANGUAGES))
        assert slugs((await Searcher(store.documents, store.search).search(query)).hits) == []
        await store.files.commit([note("batterie.txt", "Eine Autobatterie und eine Mailbox brennen: Batterie, Box.")])
        searcher = Searcher(store.documents, store.search)
        expected = ["batterie"] if query == "Auto" else []
        assert slugs((await searcher.search(query)).hits) == expected, "a compound goes on with a word"

    await with_store(tmp_path, body)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Отчёт о закупке составлен бухгалтером в мае.", "отчеты"),
        ("Осёл стоит у берёзы.", "береза"),
        ("Річні звіти подано до установ.", "установа"),
        ("Η εταιρεία υπέβαλε την ετήσια έκθεση στην ΟΔΟ ΑΘΗΝΩΝ.", "εκθεσεις"),
        ("Οι υπάλληλοι κατεβάζουν τη φόρμα.", "υπάλληλος"),
        ("قدمت الشركة التقرير السنوي إلى مجلس الإدارة.", "شركة"),
        ("يمكن تحميل استمارة المصاريف من المكتبة.", "مكتبه"),
        ("החברה הגישה את הדוח השנתי.", "דוח"),
        ("IŞIK faturası ödendi.", "ışık"),
        ("Kitapları kütüphanede.", "kitap"),
        ("Łódź i Gdańsk.", "lodz"),
        ("Les chevaux sont dans les écuries.", "cheval"),
        ("Los jueces aprobaron las peticiones.", "juez"),
        ("Las casas fueron reparadas.", "reparar"),
        ("Der Haushaltsplan der Gemeinde wurde beschlossen.", "Gemeindehaushalt"),
        ("Die Krankenversicherungskarte liegt hier.", "Versicherung"),
        ("员工可以在网站下载报销表格。", "员工报销"),
        ("พนักงานสามารถดาวน์โหลดแบบฟอร์ม", "พนักงานดาวน์โหลด"),
        ("직원들은 정산서를 제출했습니다.", "정산서가"),
    ],
)
async def test_other_forms_of_a_word_are_found_in_languages_that_the_index_does_not_stem(
    tmp_path: Path, text: str, query: str
) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([note("a.txt", text), note("b.txt", "Nothing of the kind.")])
        hits = (await Searcher(store.documents, store.search).search(query)).hits
        assert slugs(hits) == ["a"]

    await with_store(tmp_path, body)


@pytest.mark.parametrize(
    ("text", "query"),
    [("Иод не нужен.", "йод"), ("Края леса.", "краи"), ("京都市に住む", "東京都"), ("工人报告", "员工报销")],
)
async def test_another_word_of_like_letters_is_not_found(tmp_path: Path, text: str, query: str) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([note("a.txt", text), note("b.txt", "Nothing of the kind.")])
        assert not (await Searcher(store.documents, store.search).search(query)).hits

    await with_store(tmp_path, body)


async def test_of_versions_that_say_the_same_the_newest_is_shown_unless_an_older_one_answers_better(
    tmp_path: Path,
) -> None:
    async def body(store: Store) -> None:
        said = "The lease of the boat house ends with the season, and the keys go back to the harbour office at Lund."
        older, newer = f"{said} Notice is {{}} days.".format("thirty"), f"{said} Notice is {{}} days.".format("sixty")
        await store.files.commit([note("v1.txt", older, mtime=1), note("v2.txt", newer, mtime=10**12)])
        await store.files.commit([note(f"other{at}.txt", f"Notice {at} of the lease.") for at in range(20)])
        searcher = Searcher(store.documents, store.search)
        for query, first in (("keys of the boat house", "v2"), ("thirty days notice", "v1")):
            assert slugs((await searcher.search(query)).hits)[0] == first

    await with_store(tmp_path, body)


@pytest.mark.parametrize("query", ["AB12990X", "INV20240042", "1234.50"])
async def test_a_code_in_other_pieces_is_found(tmp_path: Path, query: str) -> None:
    async def body(store: Store) -> None:
        text = "Invoice INV-2024-0042: seal AB-12.990-X of drawing D 4711/2, 1.234,50 EUR."
        await store.files.commit(
            [note("a.txt", text), note("b.txt", "Invoice 2024-0043, seal AC-12.990, drawing 4712/2.")]
        )
        assert slugs((await Searcher(store.documents, store.search).search(query)).hits)[:1] == ["a"]

    await with_store(tmp_path, body)


async def test_documents_with_the_same_text_are_one_hit_that_tells_of_the_others(tmp_path: Path) -> None:
    text = "Wombats dig burrows of twenty metres under the northern paddock."

    async def body(store: Store) -> None:
        notes = [
            indexed(f"{name}.txt", prepare([("Burrows", [said])]))
            for name, said in (("first", text), ("second", text.upper()), ("third", f"{text} So do other animals."))
        ]
        await store.files.commit([*notes, indexed("copy.txt", prepare([("Burrows", [text])]))])
        hits = (await Searcher(store.documents, store.search).search("wombats northern paddock")).hits
        told = {hit.document_slug: set(hit.copies) for hit in hits}
        assert len(told) == len(hits) == 2, "what says more is a hit of its own"
        (slug,) = [one for one in told if one != "third"]
        assert {slug, *told[slug]} == {"first", "second", "copy"}
        assert told["third"] == set()

    await with_store(tmp_path, body)


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        ("release 2.10.3", "v2.10.3"), ("release v3.0.1", "3.0.1"), ("DIN EN 1090-2", "EN1090-2"),
        ("Az. 4 K 118/22", "4K118/22"), ("a bill of £3,090", "3090"), ("order PO-2024-00871", "PO 2024 871"),
        ("parcel 512", "parcel 000512"), ("file 20150912", "12 September 2015"), ("on 12.09.2015", "20150912"),
    ],
)  # fmt: skip
async def test_numbers_and_versions_are_found_as_people_type_them(tmp_path: Path, written: str, typed: str) -> None:
    async def body(store: Store) -> None:
        others = [
            note(f"o{at}.txt", text) for at, text in enumerate(("Nothing of 77.", "Room 2.10, from 9 on.", "871b"))
        ]
        await store.files.commit([note("right.txt", f"It is {written}, we think."), *others])
        hits = (await Searcher(store.documents, store.search).search(typed)).hits
        assert [hit.document_slug for hit in hits[:1]] == ["right"]

    await with_store(tmp_path, body)


async def test_a_month_finds_the_file_that_has_it_in_numbers_in_its_name(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        names = [f"{kind}_2025-{month:02}.txt" for kind in ("statement", "minutes") for month in range(1, 13)]
        later = ["statement_04_2024.txt", "statement 202405.txt", "Umsatz Mrz 2025.txt", "memo 2025-06-03.txt"]
        texts = [f"{'Statement and minutes. ' * 3} {name * 9} seen in March, April and May." for name in "abcdefghijkl"]
        made = [note(name, f"{number} {texts[number % 12]}") for number, name in enumerate([*names, *later])]
        await store.files.commit(made)
        searcher = Searcher(store.documents, store.search)
        for query, first in (
            ("March statement", {"statement_2025-03"}), ("statement for März 2025", {"statement_2025-03"}),
            ("April statement", {"statement_2025-04", "statement_04_2024"}),
            ("december minutes", {"minutes_2025-12"}), ("bank statement of February", {"statement_2025-02"}),
            ("minutes fevrier 2025", {"minutes_2025-02"}), ("June memo", {"memo-2025-06-03"}),
        ):  # fmt: skip
            assert first <= {one.document_slug for one in (await searcher.search(query)).hits[: 1 + len(first)]}, query
        assert {one.slug for one in (await searcher.find("statement march"))[:1]} == {"statement_2025-03"}
        assert {one.slug for one in (await searcher.find("statement may 2024"))[:1]} == {"statement-202405"}

    await with_store(tmp_path, body)


async def test_a_text_of_the_month_that_is_asked_for_comes_first_where_only_names_tell_it(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        chairs, items = (
            ("Abney", "Birtwhistle", "Crake"),
            ("dogs", "bus lanes", "rents", "the roof", "tolls", "a ferry"),
        )
        texts = [f"Council meeting. Chair: {chairs[at % 3]}. {item} were discussed." for at, item in enumerate(items)]
        made = [note(f"minutes 2025-{month:02}.md", text) for month, text in enumerate(texts, 1)]
        await store.files.commit([*made, note("list.csv", "Received in Feb 2025: 3")])
        searcher = Searcher(store.documents, store.search)
        for query, slug in (("chair of the meeting in February", "02"), ("chair of the meeting in May 2025", "05")):
            assert (await searcher.search(query)).hits[0].document_slug == f"minutes-2025-{slug}"

    await with_store(tmp_path, body)
