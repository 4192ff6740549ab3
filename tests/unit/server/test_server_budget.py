"""How answers are fitted: what `fit`, `abridge` and `picture_side` promise, for any entries, records and budgets."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image as Raster

from sidecar.api import Image, Result, Text
from sidecar.api.contents import Paid
from sidecar.server.client_rules import Rules
from sidecar.server.contents import cost_of, tool_result
from sidecar.toolkit.answers.budget import (
    abridge,
    answer_tokens,
    fit,
    fit_texts,
    next_start,
    picture_side,
    shorten_around,
)
from sidecar.toolkit.pictures import picture_tokens

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=300)
ENTRIES = st.lists(st.fixed_dictionaries({"uri": st.just("chapter://a/1"), "title": TEXTS}), max_size=40)
FRAME: dict[str, Any] = {"total": 40, "remark": "And so on."}


@given(ENTRIES, st.integers(500, 8000))
def test_what_fits_is_within_the_budget_and_the_next_would_not_be(entries: list[dict[str, Any]], budget: int) -> None:
    count = fit(entries, budget, frame=FRAME | {"entries": [], "next_start": 40})
    answer = FRAME | {"entries": entries[:count]} | next_start(0, count, len(entries))
    text = Text(json.dumps(answer, ensure_ascii=False, separators=(",", ":")))
    assert count <= 1 or cost_of([text], answer) <= budget
    assert count == len(entries) or answer["next_start"] == count >= 1


@given(st.integers(3, 12), st.integers(0, 12), st.integers(0, 60))
def test_what_misses_the_budget_by_a_token_does_not_fit(kept: int, short: int, remark: int) -> None:
    hits = [
        {"uri": f"section://report-{at * 7}/glacier-{at * 13}", "title": f"Report {at}", "score": 9.1234 - at * 0.4111}
        for at in range(14)
    ]
    frame = {"mode": "lexical", "remark": "r" * remark}

    def cost(count: int) -> int:
        answer = {"results": hits[:count]} | frame | next_start(0, count, len(hits))
        return cost_of([Text(json.dumps(answer, ensure_ascii=False, separators=(",", ":")))], answer)

    budget = cost(kept) - short
    assert cost(fit(hits, budget, frame=frame | {"results": [], "next_start": 14})) <= budget


@given(ENTRIES, st.integers(500, 8000))
def test_texts_are_shortened_before_entries_go(entries: list[dict[str, Any]], budget: int) -> None:
    shown = fit_texts(entries, "title", budget, frame=FRAME)
    assert [one["uri"] for one in shown] == ["chapter://a/1"] * len(shown)
    if len(shown) < len(entries):
        assert all(len(one["title"]) <= 60 for one in shown)
    assert all(one["title"].rstrip("…") in entry["title"] for one, entry in zip(shown, entries, strict=False))


def test_of_results_the_best_is_shortened_last() -> None:
    hits = [{"uri": f"chapter://a/{at}", "snippet": "word " * 48} for at in range(3)]
    whole = fit_texts(hits, "snippet", 10_000, least=3)
    tight = fit_texts(hits, "snippet", 630, least=3)
    assert [len(one["snippet"]) for one in whole] == [240] * 3
    assert len(tight[0]["snippet"]) == 240 > len(tight[1]["snippet"]) == len(tight[2]["snippet"])


def test_for_a_third_result_the_best_is_not_cut_below_half() -> None:
    hits = [{"uri": f"chapter://a/{at}", "snippet": "word " * 48} for at in range(3)]
    three = fit_texts(hits, "snippet", 480, least=3)
    two = fit_texts(hits, "snippet", 480, least=3, sure=3)
    assert [len(one["snippet"]) for one in three] == [55, 55, 55]
    assert [len(one["snippet"]) for one in two] == [115, 55]


def test_results_that_are_unlikely_leave_the_best_its_text() -> None:
    hits = [{"uri": f"chapter://a/{at}", "snippet": "word " * 78} for at in range(3)]
    alike = fit_texts(hits, "snippet", 680, least=3, full=400, sure=3)
    best = fit_texts(hits, "snippet", 680, least=3, full=400, sure=1)
    assert len(alike) == len(best) == 3
    assert len(alike[0]["snippet"]) <= 240 < len(best[0]["snippet"])


def test_where_there_is_room_for_all_texts_are_longer() -> None:
    hits = [{"uri": f"chapter://a/{at}", "snippet": "word " * 78} for at in range(3)]
    assert [len(one["snippet"]) for one in fit_texts(hits, "snippet", 10_000, least=3, full=400)] == [390] * 3
    best = fit_texts(hits, "snippet", 750, least=3, full=400)
    assert len(best[0]["snippet"]) <= 240, "not where others would go for it"


@pytest.mark.parametrize(
    ("text", "chars", "expected"),
    [
        ("The **pump** stands in the cellar of the house.", 30, "The **pump** stands in the…"),
        (
            "Doors are locked at nine. Keys hang in the hall by the mirror. The **pump** is **switched** off by hand.",
            60,
            "… The **pump** is **switched** off by hand.",
        ),
        (
            "7. Whoever leaves last locks doors, windows, the cellar, and then the **pump** is stopped by hand.",
            50,
            "7. … cellar, and then the **pump** is stopped by…",
        ),
        (
            "Organization: Harbour Office Phone: 555 0142 Title: **Harbour** **master**",
            60,
            "… 555 0142 Title: **Harbour** **master**",
        ),
        ("None of it was asked for in so many words.", 20, "None of it was…"),
    ],
)
def test_a_marked_text_is_cut_around_its_matches(text: str, chars: int, expected: str) -> None:
    assert shorten_around(text, chars) == expected


@given(TEXTS, st.integers(20, 300))
def test_what_is_cut_around_matches_is_never_longer(text: str, chars: int) -> None:
    assert len(shorten_around(text.replace("a", "**b**"), chars)) <= chars


@given(TEXTS, st.lists(TEXTS, max_size=60), st.integers(500, 3000))
def test_a_record_is_cut_only_as_far_as_it_must(text: str, many: list[str], budget: int) -> None:
    record = {"uri": "document://a/" + "x" * 200, "text": text * 30, "many": many, "uris": {"first": "image://a/0"}}
    shown = abridge(record, budget, whole=("uris",), frame={"remark": "Cut."})
    assert shown["uri"] == record["uri"]
    assert shown["uris"] == record["uris"]
    assert answer_tokens(shown) <= budget
    assert ("remark" in shown) == (shown["text"] != record["text"] or shown["many"] != record["many"])


@pytest.mark.parametrize("shape", [(1.0, 1.0), (1.0, 0.1), (0.3, 1.0)])
@given(st.integers(260, 1599))
def test_a_picture_of_that_side_costs_no_more(shape: tuple[float, float], budget: int) -> None:
    side = picture_side(budget)
    out = io.BytesIO()
    Raster.new("1", (max(int(side * shape[0]), 1), max(int(side * shape[1]), 1))).save(out, "PNG")
    assert 64 <= side <= 1100
    assert picture_tokens(out.getvalue()) <= budget


def test_a_picture_costs_by_its_pixels_and_not_by_its_bytes() -> None:
    def made(width: int, height: int) -> bytes:
        out = io.BytesIO()
        Raster.new("L", (width, height)).save(out, "PNG")
        return out.getvalue()

    assert picture_tokens(made(100, 100)) == 255, "85 and one square of 512 pixels"
    assert picture_tokens(made(900, 900)) == 1080, "width x height / 750"
    assert picture_tokens(made(4000, 3000)) == picture_tokens(b"no picture") == 1600
    assert picture_side(1600) == 0


@given(st.integers(500, 4000), st.lists(st.integers(0, 9000), min_size=1, max_size=4), st.booleans())
def test_the_guard_lets_nothing_through_that_is_above(budget: int, sizes: list[int], pictured: bool) -> None:
    contents: list[Any] = [Text("word 語 " * size) for size in sizes]
    contents += [Image(b"no head", "image/png", "image://a/0")] if pictured else []
    answer = tool_result(Result(tuple(contents), {"n": 1}), Rules(), budget)
    sent = len(
        json.dumps([block.model_dump(exclude={"data"}) for block in answer.content], ensure_ascii=False).encode()
    )
    assert sent // 4 <= budget
    if pictured and budget < 1600:
        assert answer.is_error, "a picture cannot be cut"
    elif budget > 1800 or not pictured:
        assert not answer.is_error


@given(st.lists(st.text(max_size=60), min_size=1, max_size=4), st.sampled_from(["both", "text", "structured"]))
def test_a_shortened_text_costs_the_same_reckoned_alone(texts: list[str], paid: Paid) -> None:
    def line(entry: Mapping[str, Any]) -> str:
        return f"{entry['uri']} ({entry['n']})\n{entry['snippet']}"

    entries = [{"uri": f"page://{one[:5]}", "n": n, "snippet": one * 9} for n, one in enumerate(texts)]
    for budget in (120, 240, 400, 900):
        alone, whole = (
            fit_texts(entries, "snippet", budget, frame={}, paid=paid, line=line, least=2, full=400, as_it_is=verbatim)
            for verbatim in (True, False)
        )
        assert alone == whole
