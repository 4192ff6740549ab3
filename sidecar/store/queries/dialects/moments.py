"""Days and times as queries write them, as columns hold them: SQLite compares texts sign by sign, so that no row has
`at = '2024-06-01 05:00'` where columns hold seconds too, nor `day <= '2024-06'` on a day of June, and its functions
know no time "9:15"."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from sidecar.store.queries.tokens import closing_bracket, compared_with, tokens_of
from sidecar.toolkit.tables.dates import CLOCK

_MOMENT: Final = re.compile(r"'(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?:[T ](\d{1,2}):(\d\d)(?::(\d\d)(?:\.0{1,9})?)?Z?)?'")
_SPAN: Final = re.compile(r"'(\d{4}(?:-\d\d)?)'")
"""A year or a month."""
_TEXT: Final = r"(?:(?:date|datetime|timestamp)\s+)?'[^']*'"
_COMPARED: Final = compared_with(_TEXT)
_MAX_TOKENS: Final = 200
"""Tokens that an operand, or what it is compared with, has at most."""
_MAX_CHARS: Final = 1000
_NAME_OR_TEXT: Final = re.compile(r"((?:\w+\.)?[\w`]+|'[^']*')")
_OF_TIMES: Final = frozenset(("strftime", "julianday", "datetime", "unixepoch"))
"""Functions of SQLite that take a time only with two digits of its hour."""


def compared_as_held(operand: str, tokens: Sequence[str], at: int, kind: str) -> tuple[str, list[str]] | None:
    """An operand of that kind ("date", "datetime") and the tokens from `at` on with which it is compared, as many as
    there were, their days and times written as columns of that kind hold them; of years and months the operand's own
    ones are compared. None where it is compared with no text."""
    found = _COMPARED.match("".join(tokens[at : at + _MAX_TOKENS])[:_MAX_CHARS])
    if not found:
        return None
    behind = tokens_of(found[0])
    spans = [_SPAN.fullmatch(token) for token in behind if token.startswith("'")]
    lengths = {len(span[1]) if span else 0 for span in spans}
    own = f"substr({operand}, 1, {max(lengths)})" if len(lengths) == 1 and all(spans) else operand
    return own, [_as_held(token, kind) for token in behind]


def _as_held(text: str, kind: str) -> str:
    """A literal of a day or a moment as columns of a kind hold it; others as they are. Midnight is not part of a
    day."""
    found = _MOMENT.fullmatch(text)
    if not found:
        return text
    year, _, month, day, hour, minute, second = found.groups()
    shown = f"{year}-{month:0>2}-{day:0>2}"
    clock = f"{hour:0>2}:{minute}:{second or '00'}" if hour else ""
    return f"'{shown}'" if not clock or (kind == "date" and clock == "00:00:00") else f"'{shown} {clock}'"


def with_two_digits(tokens: Sequence[str], at: int, out: Sequence[str], kind: Callable[[str], str]) -> list[str]:
    """What stands in the brackets that begin at `at` of a call of one of SQLite's functions of times, with columns of
    times h:mm written hh:mm; [] where it is no such call. `kind` tells that of a name."""
    inner = tokens[at + 1 : closing_bracket(tokens[: at + _MAX_TOKENS], at)]
    if not out or out[-1].lower() not in _OF_TIMES or "(" in inner:
        return []
    parts = _NAME_OR_TEXT.split("".join(inner))
    return [two_digits(one) if kind(one.rpartition(".")[2]) == CLOCK else one for one in parts]


def two_digits(value: str) -> str:
    """A time h:mm with two digits of its hour, as SQLite's functions take it."""
    return f"iif(instr({value}, ':') = 2, '0' || {value}, {value})"
