"""Words are found however they are typed: with or without signs of vowels, stretching, joiners, accents, prefixes, and
with the digits of any script."""

from pathlib import Path

import pytest
from support.indexes.checks import with_store
from support.indexes.prepared import note

from sidecar.search import Searcher
from sidecar.store import Store

TEXTS = [
    ("vowels-ar.txt", "الْحَمْدُ لِلَّهِ رَبِّ الْعَالَمِينَ وَالصَّلَاةُ"),
    ("stretched.txt", "مرســـوم رئاســي بتعيين السفراء"),
    ("hamza.txt", "تقرير المسؤول عن الإدارة وزيارة المستشفى"),
    ("prefix-ar.txt", "خطة للتسويق الرقمي وبالتنسيق"),
    ("digits-ar.txt", "رقم القضية ٤٤٧١ لسنة ٢٠١٩"),
    ("digits-th.txt", "พระราชบัญญัติมาตรา๑๓๘แห่งกฎหมาย"),
    ("joiner.txt", "او می‌نویسد و کتاب‌ها را می‌خواند"),
    ("apart.txt", "آنها گزارشها را می بینند"),
    ("arabic-letters.txt", "كتابخانه ملي ايران"),
    ("points.txt", "בְּרֵאשִׁית בָּרָא אֱלֹהִים"),
    ("prefix-he.txt", "תוכנית תקציב המשרד והמסמכים"),
    ("vowels-he.txt", "החופש והבטוי האישי"),
    ("abbreviated.txt", "דו״ח מבקר המדינה על צה״ל"),
    ("nukta.txt", "क़ानून और नक़्शा"),
    ("nasal.txt", "हिन्दी सम्बन्ध परम्परा"),
    ("polytonic.txt", "ἄδεια λειτουργίας τοῦ καταστήματος"),
    ("apostrophe.txt", "компʼютерна мережа та ґрунт"),
    ("dotless.txt", "Yeni Işık Sokağı"),
    ("area.txt", "A plot of 25 m², of which nothing grows"),
    ("molecule.txt", "Storing CO₂ under ground"),
    ("power.txt", "About 10⁶ samples of it"),
    ("noted.txt", "It was founded in 2004¹² by others"),
    ("typed-power.txt", "About 10^7 samples"),
    ("travel-ar.txt", "وثيقة أخرى عن السفر"),
    ("travel-he.txt", "מכתב אחר על טיולים"),
    ("travel-hi.txt", "यात्रा और भोजन"),
    ("travel-uk.txt", "інший лист про подорожі"),
]


TYPED = [
    ("الحمد", "vowels-ar", "**الْحَمْدُ**"),
    ("صلاه", "vowels-ar", "**وَالصَّلَاةُ**"),
    ("مرسوم", "stretched", "**مرســـوم**"),
    ("الســـفراءُ", "stretched", "**السفراء**"),
    ("المسئول", "hamza", "**المسؤول**"),
    ("مستشفي اداره", "hamza", "**المستشفى**"),
    ("لتسويق", "prefix-ar", "**للتسويق**"),
    ("تنسيق", "prefix-ar", "**وبالتنسيق**"),
    ("4471", "digits-ar", "**٤٤٧١**"),
    ("۴۴۷۱", "digits-ar", "**٤٤٧١**"),
    ("مینویسد", "joiner", "**می‌نویسد**"),
    ("مي‌نويسد", "joiner", "**نویسد**"),
    ("کتابها", "joiner", "**کتاب‌ها**"),
    ("می‌بینند", "apart", "**بینند**"),
    ("گزارش‌ها", "apart", "**گزارشها**"),
    ("کتابخانه ملی", "arabic-letters", "**كتابخانه**"),
    ("בראשית", "points", "**בְּרֵאשִׁית**"),
    ("שהתקציב", "prefix-he", "**תקציב**"),
    ("מסמך", "prefix-he", "**והמסמכים**"),
    ("הביטוי", "vowels-he", "**והבטוי**"),
    ("צהל", "abbreviated", "**צה״ל**"),
    ('דו"ח', "abbreviated", "**דו״ח**"),
    ("कानून नक्शा", "nukta", "**नक़्शा**"),
    ("हिंदी", "nasal", "**हिन्दी**"),
    ("αδεια", "polytonic", "**ἄδεια**"),
    ("комп'ютерна", "apostrophe", "**ютерна**"),
    ("комп’ютер", "apostrophe", "**комп"),
    ("грунт", "apostrophe", "**ґрунт**"),
    ("ışık", "dotless", "**Işık**"),
    ("IŞIK", "dotless", "**Işık**"),
    ("m2", "area", "**m²**"),
    ("m²", "area", "**m²**"),
    ("co2", "molecule", "**CO₂**"),
    ("CO₂", "molecule", "**CO₂**"),
    ("samples 10⁶", "power", "10⁶ **samples**"),
    ("founded 2004", "noted", "**founded** in"),
    ("samples 10⁷", "typed-power", "**10**^**7** **samples**"),
]


async def test_a_word_is_found_and_marked_however_it_is_typed(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([note(name, text) for name, text in TEXTS])
        for query, first, marked in TYPED:
            answer = await Searcher(store.documents, store.search).search(query)
            assert [hit.document_slug for hit in answer.hits][:1] == [first], query
            assert marked in answer.hits[0].snippet, query
            assert not answer.hits[0].weak, query

    await with_store(tmp_path, body)


async def test_digits_within_a_script_without_spaces_are_a_number(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([note(name, text) for name, text in TEXTS])
        for query in ("138", "๑๓๘"):
            answer = await Searcher(store.documents, store.search).search(query)
            assert [hit.document_slug for hit in answer.hits] == ["digits-th"]

    await with_store(tmp_path, body)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("كيف يمكن أن أجد السفر", "travel-ar"),
        ("איך אני יכול למצוא טיולים", "travel-he"),
        ("यात्रा के बारे में क्या है", "travel-hi"),
        ("як це про подорожі", "travel-uk"),
    ],
)
async def test_words_that_say_nothing_do_not_decide_among_texts_of_another_language(
    tmp_path: Path, query: str, first: str
) -> None:
    """In an index that is mostly in English they are rare."""
    saying_nothing = [
        ("rest-ar", "كيف يمكن أن"),
        ("rest-he", "איך אני"),
        ("rest-hi", "के में क्या है"),
        ("rest-uk", "як це про"),
    ]
    english = [(f"english{number}.txt", f"plain text number {number}") for number in range(40)]

    async def body(store: Store) -> None:
        texts = [*TEXTS, *((f"{name}.txt", text) for name, text in saying_nothing), *english]
        await store.files.commit([note(name, text) for name, text in texts])
        answer = await Searcher(store.documents, store.search).search(query)
        assert answer.hits[0].document_slug == first

    await with_store(tmp_path, body)


async def test_a_long_text_of_such_letters_takes_time_that_grows_with_it(tmp_path: Path) -> None:
    """Each pattern on a hundred thousand of the letters it is about."""

    async def body(store: Store) -> None:
        texts = ["א'" * 50_000, "न्" * 50_000, "ـ" * 100_000, "ʼ" * 100_000, 'א"' * 50_000 + "ב"]
        await store.files.commit([note(f"long{number}.txt", text) for number, text in enumerate(texts)])
        for text in texts:
            await Searcher(store.documents, store.search).search(text)

    await with_store(tmp_path, body)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("randomized trial", {"american", "british"}), ("randomised trial", {"american", "british"}),
        ("colour of the moulded centre", {"american", "british"}), ("fourth road", {"road"}), ("forth", {"bridge"}),
        ('"randomised trial"', {"british"}),
    ],
)  # fmt: skip
async def test_british_and_american_spellings_find_one_another_where_both_stand(
    tmp_path: Path, query: str, found: set[str]
) -> None:
    async def body(store: Store) -> None:
        texts = {
            "american": "A randomized trial of paint: the color of the molded center.",
            "british": "A randomised trial of paint: the colour of the moulded centre.",
            "road": "The fourth road.", "bridge": "The bridge over the Forth.", "other": "Random things.",
        }  # fmt: skip
        await store.files.commit([note(f"{name}.txt", text) for name, text in texts.items()])
        answer = await Searcher(store.documents, store.search).search(query)
        first = [one for one in answer.hits if one.document_slug in found]
        assert {one.document_slug for one in answer.hits[: len(found)]} == found
        assert not any(one.weak for one in first)
        assert all("**" in one.snippet for one in first), [one.snippet for one in first]
        assert not answer.remark

    await with_store(tmp_path, body)
