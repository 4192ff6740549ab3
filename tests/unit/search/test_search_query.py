"""The query syntax, the stemmer that marks matches, and snippets: pure functions, any text."""

from __future__ import annotations

import sqlite3
from datetime import datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sidecar.search import fuse, parse_query, snippet
from sidecar.search.hits import shown_title
from sidecar.store import Filter
from sidecar.store.analysis import beside, cjk_pairs, inner_words, stem
from sidecar.store.index.distances import Distances


@pytest.mark.parametrize(
    ("text", "terms", "required", "excluded"),
    [
        ("Mercator projection", ['"Mercator"', '"projection"'], [], []),
        ("the Mercator projection of a sphere", ['"Mercator"', '"projection"', '"sphere"'], [], []),
        ('"boundary layer" heat', ['"heat"'], ['"boundary layer"'], []),
        ("“curly quotes” x9", ['"x9"'], ['"curly quotes"'], []),
        ('open "ended phrase', ['"open"'], ['"ended phrase"'], []),
        ("map -plate -wood-cut", ['"map"'], [], ['"plate"', '"wood cut"']),
        ('map -"wood cut"', ['"map"'], [], ['"wood cut"']),
        ("flow AND (pressure OR NEAR/3) NOT*", ['"flow"', '"pressure"', '"NEAR"', '"3"'], [], []),
        ("Figure 8-1 and 3.2", ['"Figure"', '"8-1"', '"3.2"'], [], []),
        ("usgs_snyder", ['"usgs_snyder"'], [], []),
        ("removed --legacy-acks", ['"removed"', '"legacy"', '"acks"'], [], []),
        ("reset LQ-E118", ['"reset"', '"LQ"', '"E118"', '"lq e118"'], [], []),
        ("東京都 map", ['cjk : "東京 京都"', '"map"'], [], []),
        ("図", ['cjk : "図" *'], [], []),
        ('"東京都 2024"', [], ['cjk : "東京 京都"', '"2024"'], []),
        ("the of and", ['"the"', '"of"', '"and"'], [], []),
        ("!!! -- ** \"\" '' ((", [], [], []),
        ("", [], [], []),
    ],
)
def test_queries_become_quoted_expressions(
    text: str, terms: list[str], required: list[str], excluded: list[str]
) -> None:
    query = parse_query(text)
    assert (list(query.terms), list(query.required), list(query.excluded)) == (terms, required, excluded)


def test_names_and_days_alone_have_no_meaning() -> None:
    for text in ("mail from Bram Oake", "the 4th of March 2024", "2024-03-04", "email from Yuki of 4 March 2024"):
        assert parse_query(text).without_meaning, text
    for text in ("mail from Bram about valves", "storm of 4 March 2024", "4 March", "Bram Oake"):
        assert not parse_query(text).without_meaning, text


def test_filters_are_taken_out_of_the_words() -> None:
    query = parse_query('type:pdf,.DOCX path:"Sub Folder/x" -type:md -path:old after:2024-02 before:2024-03-05 map')
    assert query.terms == ('"map"',)
    assert query.where == Filter(
        formats=("pdf", "DOCX"), not_formats=("md",), places=("Sub Folder/x",), not_places=("old",),
        after=_ns(2024, 2, 1), before=_ns(2024, 3, 5),
    )  # fmt: skip
    assert parse_query("-after:2024").where == Filter(before=_ns(2024, 1, 1))


@pytest.mark.parametrize("date", ["someday", "2024-13-01", "2024-02-31", "0000", "9999", "99999", "-1"])
def test_what_is_no_date_is_left_out_and_said(date: str) -> None:
    query = parse_query(f"map after:{date}")
    assert query.where == Filter()
    assert "is not a date" in query.remark


def test_long_queries_are_cut_and_said() -> None:
    query = parse_query(" ".join(f"word{number}" for number in range(2000)))
    assert len(query.terms) <= 200
    assert "first 4,000 characters" in query.remark
    assert "first 200 words" in query.remark


def test_only_stop_words_are_used_all_the_same_and_said() -> None:
    assert "very common words" in parse_query("to be or not to be").remark


@given(st.text(max_size=300))
def test_no_text_makes_an_expression_the_index_rejects(text: str) -> None:
    query = parse_query(text)
    database = sqlite3.connect(":memory:")
    try:
        database.execute("CREATE VIRTUAL TABLE t USING fts5(x, cjk, tokenize='porter unicode61 remove_diacritics 2')")
        for expression in (*query.terms, *query.required, *query.excluded):
            database.execute("SELECT * FROM t WHERE t MATCH ?", (expression,)).fetchall()
    finally:
        database.close()


@given(st.text(max_size=600), st.lists(st.text(min_size=1, max_size=12), max_size=5))
def test_snippets_are_short_and_hold_the_text(text: str, words: list[str]) -> None:
    query = parse_query(" ".join(words))
    shown = snippet(text, query.marks)
    assert len(shown) <= 400
    shown.encode("utf-8", "surrogatepass")


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("The flows of heat.", ("flow",), "The **flows** of heat."),
        ("Café RÉSUMÉ naïve", ("resume", "cafe"), "**Café** **RÉSUMÉ** naïve"),
        ("see Figure 8-1 below", ("8-1",), "see Figure **8-1** below"),
        ("siehe § 8.3 und 2024-0317, 5.2€", ("8.3", "2024-0317"), "siehe § **8.3** und **2024-0317**, 5.2€"),
        ("私は東京都に住む", ("東京",), "私は**東京**都に住む"),
        ("read usgs_snyder.pdf", ("snyder",), "read usgs_**snyder**.pdf"),
        ("Mercators Projektion", ("Mercat",), "**Mercators** Projektion"),
        ("flown by flowers", ("flow",), "flown by flowers"),
        ("two\n\n spaced   **bold**", ("bold",), "two spaced ***bold***"),
        ("Пример текста", ("текста",), "Пример **текста**"),
        ("nothing here", ("zebra",), "nothing here"),
    ],
)
def test_matches_are_marked(text: str, words: tuple[str, ...], expected: str) -> None:
    if expected == "flown by flowers":
        expected = "**flown** by **flowers**"  # no form of the word is there, so its beginnings are marked
    assert snippet(text, words) == expected


def test_the_window_holds_the_most_different_words() -> None:
    text = "alpha " + "filler " * 80 + "alpha and beta stand here " + "filler " * 80 + "beta"
    shown = snippet(text, ("alpha", "beta"))
    assert "**alpha** and **beta**" in shown
    assert shown.startswith("… ")
    assert shown.endswith(" …")


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("caresses", "caress"), ("ponies", "poni"), ("cats", "cat"), ("agreed", "agre"), ("plastered", "plaster"),
        ("motoring", "motor"), ("conflated", "conflat"), ("hopping", "hop"), ("falling", "fall"), ("filing", "file"),
        ("happy", "happi"), ("sky", "sky"), ("relational", "relat"), ("digitizer", "digit"), ("hopeful", "hope"),
        ("electrical", "electr"), ("adjustment", "adjust"), ("adoption", "adopt"), ("probate", "probat"),
        ("controll", "control"), ("roll", "roll"), ("projections", "project"), ("generalizations", "gener"),
        ("is", "is"), ("8-1", "8-1"), ("ayyed", "ai"), ("ies", "ie"), ("sses", "sse"),
    ],
)  # fmt: skip
def test_stems_are_porters(word: str, expected: str) -> None:
    assert stem(word) == expected


WORDS = st.text(alphabet="abcdefghilmnorstuvyzßøæðþłжя7", min_size=3, max_size=12)
ENDINGS = st.sampled_from(
    ["", "s", "ed", "ing", "ational", "izer", "ness", "ful", "ement", "ion", "ies", "y", "ability"]
)


@example("eed", "")  # too short for the rule about "eed": FTS5 takes "ed" off
@example("straße", "n")
@given(WORDS, ENDINGS)
def test_stems_agree_with_the_index(word: str, ending: str) -> None:
    database = sqlite3.connect(":memory:")
    try:
        database.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='porter unicode61')")
        database.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, row)")
        database.execute("INSERT INTO t VALUES (?)", (word + ending,))
        assert database.execute("SELECT term FROM v").fetchall() == [(stem(word + ending),)]
    finally:
        database.close()


FEW_LETTERS = st.text(alphabet="abcd", max_size=9)


@given(FEW_LETTERS, FEW_LETTERS, FEW_LETTERS)
def test_distances_are_those_of_the_table(word: str, begin: str, end: str) -> None:
    """The table as it is written down: a letter of the text left out, one of the word put in, one changed,
    two swapped."""
    text = begin + end
    table = [[i + j for j in range(len(word) + 1)] for i in range(len(text) + 1)]
    for i, letter in enumerate(text, 1):
        for j, other in enumerate(word, 1):
            cost = min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (letter != other))
            if text[i - 2 : i] == word[j - 2 : j][::-1] and i > 1 and j > 1:
                cost = min(cost, table[i - 2][j - 2] + 1)
            table[i][j] = cost
    distances = Distances(word)
    row = distances.after(distances.after(distances.empty, begin), end)
    assert distances.whole(row) == table[-1][-1]
    lengths = [sum(1 << j for j, apart in enumerate(table[-1]) if apart == most) for most in range(4)]
    assert distances.beginnings(row, 3) == lengths


def test_pairs_never_run_across_two_runs() -> None:
    assert cjk_pairs("東京都 and 大阪") == "東京 京都 都 大阪 阪"
    assert cjk_pairs("ASCII only") == ""
    assert cjk_pairs("ﾃｽﾄ") == "テス スト ト"


def test_names_in_programs_are_the_words_they_are_written_of() -> None:
    assert inner_words("initialDelaySeconds: HTTPServer, a_caseName, Plain WORD") == (
        "initial Delay Seconds HTTP Server case Name"
    )
    assert beside("東京 maxSize") == "東京 京 max Size"
    assert inner_words(f"ÜberTitel x{'y' * 120}Z camelCase_maxSize camelCase 2ndRow") == "camel Case max Size 2nd Row"


def test_fusion_weighs_the_words_against_their_best_and_takes_the_cosine_as_it_is() -> None:
    fused = fuse([("a", 8.0), ("b", 4.0)], [("b", 0.9), ("c", 0.5)], weight=0.5)
    assert fused == [("a", 0.5 + 0.25), ("b", 0.25 + 0.45), ("c", 0.25)]


def test_fusion_lets_a_perfect_match_of_words_win_over_a_distant_meaning() -> None:
    distant = [(f"m{place}", 0.25 - place / 1000) for place in range(100)]
    assert fuse([("exact", 12.0), ("partly", 2.0)], distant)[0][0] == "exact"
    assert fuse([("exact", 12.0), ("partly", 2.0)], [("meant", 0.8), *distant])[0][0] == "meant", "unless one is near"


def test_fusion_of_one_ranking_alone_keeps_its_order() -> None:
    assert [key for key, _ in fuse([("a", 3.0), ("b", 1.0)], [])] == ["a", "b"]
    assert [key for key, _ in fuse([], [("a", 0.3), ("b", 0.1)])] == ["a", "b"]


def test_fusion_judges_no_row_by_meaning_whose_text_is_not_embedded_yet() -> None:
    lexical = [(f"w{place}", 10.0 - place) for place in range(10)]
    embedded = [("w4", 0.6), ("w6", 0.5), ("w8", 0.4), ("w2", 0.3), ("w0", 0.3)]
    rest = {f"w{place}" for place in range(1, 10, 2)}
    order = [key for key, _ in fuse(lexical, embedded, rest)]
    assert [key for key in order if key in rest] == ["w1", "w3", "w5", "w7", "w9"], "among themselves as by words"
    assert order.index("w4") < order.index("w0"), "those with a vector by both"
    assert order.index("w1") < order.index("w8"), "having a vector is no merit"
    few = [key for key, _ in fuse(lexical, [("w9", 0.9), ("m", 0.8)], {key for key, _ in lexical} - {"w9"})]
    assert few == [*(key for key, _ in lexical), "m"], "too few to tell: words first, then what meaning alone finds"
    scored = fuse(lexical, [("w9", 0.9), ("m", 0.8)], {key for key, _ in lexical} - {"w9"})
    assert scored[:10] == lexical, "with the scores by words, which a choice among them weighs"
    assert scored[10][1] < lexical[-1][1]


def _ns(year: int, month: int, day: int) -> int:
    return int(datetime(year, month, day).astimezone().timestamp()) * 10**9  # local time is meant


@pytest.mark.parametrize(
    ("title", "steps", "shown"),
    [
        ("Maps", ["Maps", "Globes"], "Maps › Globes"),
        ("Python - Wikipedia", ["Python", "Syntax", "Syntax"], "Python - Wikipedia › Syntax"),
        ("Report", ["Part I", "PART I.", "Sums"], "Report › Part I › Sums"),
        ("Report", [], "Report"),
        ("User's Guide - Part 1", ["User’s Guide – Part 1", "Setup"], "User's Guide - Part 1 › Setup"),
    ],
)
def test_a_title_says_each_step_once(title: str, steps: list[str], shown: str) -> None:
    assert shown_title(title, steps) == shown


def test_a_long_path_keeps_its_beginning_and_its_end() -> None:
    shown = shown_title("Handbook", [f"Chapter {n} with a heading that goes on and on" for n in range(8)])
    assert shown.startswith("Handbook › … › ")
    assert shown.endswith("Chapter 7 with a heading that goes on and on")
    assert len(shown) <= 160


def test_quotation_marks_bind_in_a_query_and_only_count_in_a_pasted_paragraph() -> None:
    query = parse_query('what is a "boundary layer" in a flow of air')
    assert (query.required, query.phrases, query.in_words) == (('"boundary layer"',), ("boundary layer",), True)
    pasted = parse_query(f'the {" ".join(f"word{n}" for n in range(25))} "boundary layer"')
    assert (pasted.required, pasted.phrases) == ((), ())
    assert pasted.terms[-1] == '"boundary layer"'
    assert "boundary" in pasted.marks
    assert "the" not in pasted.marks
    assert not parse_query("boundary layer flow heat").in_words


def test_the_row_is_shown_that_has_what_was_asked_for_not_the_heading_row_alone() -> None:
    table = "Month | Area | Clause\nMay | Kitchen | 8.1\nJune | Purchasing | 8.4"
    shown = snippet(table, ("area", "clause", "8.4")).replace("**", "")
    assert shown.endswith("Month: June | Area: Purchasing | Clause: 8.4")
    assert "Kitchen" not in shown
    assert snippet(table, ("area", "clause")).replace("**", "").startswith("Month | Area | Clause")
    assert snippet(table, ("kitchen", "purchasing")).replace("**", "") == (
        "Month: May | Area: Kitchen | Clause: 8.1; Month: June | Area: Purchasing | Clause: 8.4"
    )


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("I am looking for the impact of automation in libraries", False),
        ("the use of abstract mathematics in retrieval, e.g. of a theory", False),
        ("a user of co-citation to the structure of a field", False),
        ("is the van insured at night in the street", False),
        ("wo ist die Rechnung for the project", True),
        ("jak mogę zmienić hasło i co to jest", True),
        ("miten voin vaihtaa salasanan", True),
        ("como posso mudar a senha", True),
        ("как сменить пароль", True),
    ],
)
def test_an_english_text_with_some_words_of_another_language_is_english(text: str, *, other: bool) -> None:
    assert bool(parse_query(text).language) is other


def test_abbreviations_that_say_nothing_are_no_letters() -> None:
    asked = parse_query("abstract mathematics in retrieval, e.g. group theory (z.B. Ringe), etc.")
    assert asked.terms == ('"abstract"', '"mathematics"', '"retrieval"', '"group"', '"theory"', '"Ringe"')
    assert not {"e", "g", "z", "B", "etc"} & set(asked.marks)
    assert parse_query("e.g.").terms == ('"e"', '"g"')


def test_a_clause_is_shown_from_its_beginning_unless_that_cuts_off_what_was_asked_for() -> None:
    said = "It is read out at the gate on each day. "
    clause = f"4 The notice: {said * 3}Its structure stays. {said * 3}"
    text = f"Opening words.\n{clause}\nThis ensures readability across stations."
    assert snippet(text, ("structure", "gate"), 300).startswith("… 4 The notice")
    shown = snippet(text, ("structure", "ensures", "readability", "stations"), 300)
    assert "**ensures** **readability** across **stations**" in shown
    assert len(shown) <= 300


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("minutes in February", [(0, 2, 0)]),
        ("Protokoll vom Juni 2025", [(2025, 6, 0)]),
        ("mails before March 2026", [(2026, 3, -1)]),
        ("was seit 2024 beschlossen wurde", [(2024, 0, 1)]),
        ("meeting on 14 March 2024", [(2024, 3, 0)]),
        ("may I march to the mar", []),
        ("INV-2024-0317 and 2024.5", []),
        ("procès-verbal de mai", [(0, 5, 0)]),
    ],
)
def test_months_and_years_that_a_question_names(text: str, named: list[tuple[int, int, int]]) -> None:
    assert [(one.year, one.month, one.side) for one in parse_query(text).periods] == named


def test_few_numbers_of_a_query_are_looked_for_in_other_groups() -> None:
    assert parse_query("call 089 1234567 or GB29 NWBK 6016 1331 9268 19").grouped == (
        "0891234567",
        "gb29nwbk60161331926819",
    )
    assert parse_query("in 2024, 12 of 30 or room 4 12").grouped == ()
    assert len(parse_query(" or ".join(f"089 12345{n:02}" for n in range(90))).grouped) == 3
