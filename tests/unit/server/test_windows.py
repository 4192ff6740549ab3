"""Windows over text: every byte is reachable, no character is cut, and the edges are good ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.api import UsageError
from sidecar.toolkit.answers.tokens import estimate_tokens, first_words
from sidecar.toolkit.answers.windows import cut, window

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=400)


@given(TEXTS, st.integers(1, 80))
def test_windows_one_after_the_other_give_the_whole_text(text: str, size: int) -> None:
    pieces: list[str] = []
    at: int | None = 0
    while at is not None:
        found = window(text, at, size)
        assert found.start == at
        assert found.end - found.start == len(found.text.encode())
        assert len(found.text.encode()) <= max(size, 4)
        assert found.total == len(text.encode())
        pieces.append(found.text)
        at = found.next
    assert "".join(pieces) == text


@given(TEXTS.filter(bool), st.data(), st.integers(1, 50))
def test_any_start_gives_whole_characters(text: str, data: st.DataObject, size: int) -> None:
    start = data.draw(st.integers(0, len(text.encode()) - 1))
    found = window(text, start, size)
    assert start - 3 <= found.start <= start
    assert found.text
    assert found.text in text


def test_the_end_prefers_a_blank_line_then_a_line_then_a_space() -> None:
    assert window("one two three four five\n\nsix", 0, 26).text == "one two three four five\n\n"
    assert window("one two three\nfour five", 0, 16).text == "one two three\n"
    assert window("one two three", 0, 10).text == "one two "
    assert window("abcdefghij", 0, 4).text == "abcd"


@pytest.mark.parametrize(("start", "size"), [(-1, 10), (5, 10), (99, 10), (0, 0), (0, -3)])
def test_what_lies_outside_is_refused(start: int, size: int) -> None:
    with pytest.raises(UsageError):
        window("hello", start, size)


def test_the_empty_text_has_one_empty_window() -> None:
    found = window("", 0, 10)
    assert (found.text, found.total, found.next) == ("", 0, None)


@given(TEXTS, st.integers(1, 100))
def test_cut_says_whether_anything_was_left_out(text: str, size: int) -> None:
    head, more = cut(text, size)
    assert text.startswith(head)
    assert more == (len(head) < len(text))
    assert len(head) <= max(size, len(text) if not more else size)


@given(TEXTS, TEXTS)
def test_tokens_grow_with_the_text(one: str, other: str) -> None:
    assert estimate_tokens(one + other) >= estimate_tokens(one) - 1
    assert (estimate_tokens(one) == 0) == (one == "")


@pytest.mark.parametrize(
    ("text", "chars_per_token"),
    [
        ("The projection is conformal and was chosen because it keeps angles. " * 20, (3.8, 5.6)),
        ("这个投影是等角的，因为它保持角度，所以被选中。" * 20, (0.9, 1.8)),
        ("Проекция равноугольная и была выбрана, потому что сохраняет углы. " * 20, (2.4, 4.2)),
        ("12345.67,89012.34\n" * 40, (1.2, 2.8)),
        ("def f(x): return {k: v for k, v in x.items()}\n" * 20, (2.0, 4.2)),
    ],
)
def test_scripts_cost_what_tokenizers_charge(text: str, chars_per_token: tuple[float, float]) -> None:
    low, high = chars_per_token
    assert low <= len(text) / estimate_tokens(text) <= high


def test_first_words_are_the_first_hundred_characters() -> None:
    text = "word " * 100
    assert first_words(text) == ("word " * 20).rstrip() + "..."
    assert first_words("a\n\n  b") == "a b"
    assert first_words("x" * 100) == "x" * 100
    assert first_words("x" * 101) == "x" * 100 + "..."
    assert first_words(" \n ") == ""
    assert len(first_words("x" * 1000)) == 103


@pytest.mark.parametrize("line", ["x" * 3900 + "\n", "a,b\n\n" + "0.25 | " * 500 + "\n"])
def test_a_window_gives_up_no_more_than_a_sixteenth_for_a_good_end(line: str) -> None:
    text = line * 20
    at: int | None = 0
    while at is not None:
        found = window(text, at, 16_000)
        assert found.next is None or found.end - found.start >= 15_000
        at = found.next
