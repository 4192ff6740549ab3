"""Texts made to be slow to match: each of these took seconds to hours, and ends at once."""

from __future__ import annotations

import tracemalloc

import pytest
from sidecar_html import HtmlFormat

from sidecar.api import Limits, Source
from sidecar.store.analysis import cjk_phrase
from sidecar.store.chinese import each_spelling
from sidecar.store.queries.functions import as_number
from sidecar.store.queries.statements import TOKEN
from sidecar.toolkit.ooxml.chartvalues import is_date_format
from sidecar.toolkit.ooxml.mathsymbols import latex_of
from sidecar.toolkit.tables.cells import heading_unit
from sidecar.toolkit.tables.numbers import read_number

LONG = 100_000


@pytest.mark.parametrize("gap", [" ", "\u00a0", " \u2009"])
def test_gaps_in_what_is_no_number(gap: str) -> None:
    """They could be shared out among four places."""
    assert read_number("(" + gap * LONG + "x") is None
    assert read_number("( " + gap + "- $ " + gap + "5 )") is not None


def test_gaps_in_a_heading() -> None:
    assert heading_unit("[" + " " * LONG + "x") == ""
    assert heading_unit("Weight" + " " * LONG + "(kg)" + " " * LONG) == "kg"


def test_brackets_that_nobody_closes_in_a_query() -> None:
    sql = "SELECT [a b], [" + "[" * LONG
    assert [match[0] for match in TOKEN.finditer(sql)][:3] == ["SELECT", " ", "[a b]"]
    assert "".join(match[0] for match in TOKEN.finditer(sql)) == sql


def test_brackets_that_nobody_closes_in_a_number_format() -> None:
    assert not is_date_format("[" * LONG)
    assert is_date_format("[$-409]d mmm")


def test_a_name_of_many_letters_in_a_formula() -> None:
    """What is before "function application" is a name."""
    assert latex_of("é" * 3 + "sin\u2061" + "a").count("sin") == 1
    assert "a" * 1000 in latex_of("a" * 20_000 + "é\u2061")


def test_signs_before_what_is_no_number() -> None:
    """They could be shared out between two places around the code of a currency."""
    assert as_number("$" * LONG + "x") is None
    assert as_number("€ EUR 1.5") == 1.5


def test_a_run_of_characters_that_is_no_sentence() -> None:
    """Each pair of it was spelt in several ways, on the loop."""
    assert each_spelling(cjk_phrase("漢" * 4000)) == cjk_phrase("漢" * 4000)
    assert "汉字" in each_spelling(cjk_phrase("漢字"))


def test_a_long_value_of_a_style_that_many_rules_use() -> None:
    """Each rule had a copy of it: 500 MB of a page of 750 KB."""
    used = "".join(f".c{number}{{color:var(--a)}}" for number in range(2000))
    page = f"<style>:root{{--a:{'x' * LONG}}}{used} .h{{display:var(--n)}} :root{{--n:none}}</style><p class=h>b<p>c"
    tracemalloc.start()
    document = HtmlFormat().parse(Source.of_bytes(page.encode(), "a.html"), Limits())
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 40 << 20
    assert [block.hidden for block in document.parts[0].blocks] == [True, False]
