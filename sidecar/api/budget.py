"""Fitting an answer into its token budget: how many entries of a list may go out, and how long their texts may be.

An answer's cost is that of its text and its structured content together, because clients differ in which they feed
to the model, and some feed both.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sidecar.api.tokens import estimate_tokens

FRAME_TOKENS = 120
"""What stands around the list: counts, remarks, the continuation."""


def json_tokens(value: Any) -> int:
    """What a JSON value costs in tokens, written compactly."""
    return estimate_tokens(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str))


def fit(entries: Sequence[Mapping[str, Any]], budget: int, *, copies: int = 2) -> int:
    """How many of the entries, from the first, fit into `budget` tokens when they go out `copies` times.

    At least one always fits: an empty answer would say that nothing was found.
    """
    left = budget - FRAME_TOKENS * copies
    for count, entry in enumerate(entries):
        left -= json_tokens(entry) * copies
        if left < 0:
            return max(count, 1)
    return len(entries)


def shorten(text: str, chars: int) -> str:
    """At most `chars` characters, cut at a word's end, with an ellipsis when something was cut."""
    if len(text) <= chars:
        return text
    cut = text[: max(chars - 1, 1)]
    head, space, _ = cut.rpartition(" ")
    return (head if space and len(head) > chars // 2 else cut).rstrip() + "…"


def fit_texts(
    entries: Sequence[Mapping[str, Any]], key: str, budget: int, lengths: Sequence[int] = (240, 160, 100, 60)
) -> list[dict[str, Any]]:
    """All entries, the text under `key` shortened as far as it takes to fit; the last ones go when nothing helps."""
    shortened: list[dict[str, Any]] = []
    for chars in lengths:
        shortened = [{**entry, key: shorten(str(entry.get(key, "")), chars)} for entry in entries]
        if fit(shortened, budget) == len(shortened):
            return shortened
    return shortened[: fit(shortened, budget)]
