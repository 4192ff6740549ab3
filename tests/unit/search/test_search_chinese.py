"""Traditional and simplified Chinese find one another, and Japanese stays as it is written."""

from pathlib import Path

import pytest
from support.indexes.checks import with_store
from support.indexes.prepared import note

from sidecar.search import Searcher
from sidecar.store import Store

TEXTS = [
    ("jianti.txt", "公司购买了三台新机器，发票在财务部。头发和面条。"),
    ("fanti.txt", "公司去年製造了兩千臺電腦；軟體由臺北的工程師維護。"),
    ("riyu.txt", "教室の机上に資料がある。勉強机を買う。"),
    ("hikou.txt", "機上でのお食事は飛行機の中で出ます。"),
]


@pytest.mark.parametrize(
    ("query", "first", "marked"),
    [
        ("機器", "jianti", "**机器**"),
        ("發票在哪裡", "jianti", "**发票在**"),
        ('"三臺新機器"', "jianti", "**三台新机器**"),
        ("头髮", "jianti", "**头发**"),  # some of each
        ("制造电脑", "fanti", "**製造**"),
        ("两千台电脑", "fanti", "**兩千臺電腦**"),
        ("台北", "fanti", "**臺北**"),
        ("软体的工程师", "fanti", "**軟體**"),
        ("勉強机", "riyu", "**勉強机**"),
    ],
)
async def test_either_script_finds_texts_in_both(tmp_path: Path, query: str, first: str, marked: str) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([note(name, text) for name, text in TEXTS])
        answer = await Searcher(store.documents, store.search).search(query)
        assert answer.hits[0].document_slug == first
        assert marked in answer.hits[0].snippet
        assert not answer.hits[0].weak

    await with_store(tmp_path, body)


@pytest.mark.parametrize("query", ["机上の資料", "勉強机はどこ"])
async def test_a_query_with_kana_means_its_own_characters(tmp_path: Path, query: str) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([note(name, text) for name, text in TEXTS])
        answer = await Searcher(store.documents, store.search).search(query)
        assert [hit.document_slug for hit in answer.hits] == ["riyu"]

    await with_store(tmp_path, body)


async def test_a_file_is_found_by_its_name_in_the_other_script(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([note("會議紀錄.txt", "x"), note("预算.txt", "y")])
        searcher = Searcher(store.documents, store.search)
        for query, path in (("会议纪录", "會議紀錄.txt"), ("預算", "预算.txt")):
            assert [one.path.rsplit("/", 1)[-1] for one in await searcher.find(query)] == [path]
            assert [one.path.rsplit("/", 1)[-1] for one in (await searcher.search(query)).hits] == [path]

    await with_store(tmp_path, body)


MIXED = [
    ("juesuan.txt", "ABC株式会社の2023年度決算報告。担当:SUZUKI"),
    ("kuan.txt", "ＸＹＺ株式会社の２０２４年度決算。型番 ＸＲ－７００"),
    ("yingyong.txt", "本公司使用Python3编写的iPhone应用"),
    ("samsung.txt", "삼성전자는 AI반도체를 출시했다. KT와 협력한다."),
    *((f"plain{number}.txt", f"plain text number {number}") for number in range(9)),
]


@pytest.mark.parametrize(
    ("query", "first", "marked"),
    [
        ("ABC", "juesuan", "**ABC**株式"), ("ＡＢＣ", "juesuan", "**ABC**株式"),
        ("2023年度", "juesuan", "**2023年度**"), ('"ABC株式会社"', "juesuan", "**ABC株式会社**"),
        ("xyz", "kuan", "**ＸＹＺ**株式"), ("2024", "kuan", "**２０２４**"),
        ("XR-700", "kuan", "**ＸＲ**－**７００**"), ("iphone", "yingyong", "**iPhone**应用"),
        ("Python3", "yingyong", "**Python3**"), ("AI", "samsung", "**AI**"), ('"KT"', "samsung", "**KT**와"),
        ("ＳＵＺＵＫＩ", "juesuan", "**SUZUKI**"),
    ],
)  # fmt: skip
async def test_words_against_cjk_and_of_full_width_are_found(
    tmp_path: Path, query: str, first: str, marked: str
) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([note(name, text) for name, text in MIXED])
        answer = await Searcher(store.documents, store.search).search(query)
        assert [hit.document_slug for hit in answer.hits][:1] == [first]
        assert marked in answer.hits[0].snippet
        assert not answer.hits[0].weak
        assert answer.remark == ""

    await with_store(tmp_path, body)
