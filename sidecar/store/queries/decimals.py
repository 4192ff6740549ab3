"""Sums and averages of decimal fractions as people add them up, and results without the noise of binary fractions.

A binary fraction is near the decimal one that a document writes, never it: ten times 0.1 added up one by one is
0.9999999999999999, and 1000.1 - 1000 is 0.10000000000002274."""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from sidecar.api.model import Scalar
from sidecar.store.queries.statements import TOKEN
from sidecar.store.queries.tokens import selected

_SCALES: Final = tuple(10**places for places in (0, 2, 4, 6))
"""What makes decimal fractions whole numbers; those of more than six places are measured, and added up as they are."""
_WHOLE: Final = 2.0**53
"""Whole numbers up to here are exact as binary fractions."""
_MAX_INTEGER: Final = 2**63
"""SQLite's whole numbers are smaller."""
_MEASURED: Final = 16
"""After this many values of many digits, those that come are no longer looked at for being decimal fractions."""
_MAX_PLACES: Final = 6
_MAX_OF_PRODUCTS: Final = 10
_POWERS: Final = tuple(10**places for places in range(_MAX_PLACES + 1))
_WORTH: Final = 12
"""A number of as many digits may end in noise."""
_FEW: Final = 5
"""Digits of a difference, divided, behind which there is nothing but noise; by chance two quotients in ten million are
so near to a number of five."""
_NEAR: Final = 1e-12
_NOISE: Final = 1e-9
"""What rounding to the places of the columns may change a result by, beside it or beside one: what it changes more has
digits that were not foreseen, and keeps them."""
_NUMERIC: Final = re.compile(r"\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)")
_EXACT: Final = frozenset(
    """
    sum total min max round abs coalesce ifnull nullif iif lag lead first_value last_value nth_value count over filter
    in and or not on when then else as from where having by select join union all exists partition cast row_number rank
    dense_rank substr lower upper trim length instr replace group_concat strftime date year month day quarter date_trunc
    """.split()  # noqa: SIM905  # read as words
)
"""What may stand before a bracket where all numbers are made by adding, taking away and multiplying."""
_KEYWORDS: Final = frozenset(
    """
    case when then else end and or not is null in between like as distinct filter where over partition order by asc desc
    rows range unbounded preceding following current row real integer text numeric
    """.split()  # noqa: SIM905  # read as words
)
_TIMES: Final = "*"
_ROUGH: Final = ("/", "%")
"""What gives numbers of any number of digits."""
_OF_NONE: Final = -1
_SETS: Final = frozenset(("union", "except", "intersect"))
_NO_FACTOR: Final = frozenset(("", "(", ",", ".", "select", "distinct", "all"))
"""What a `*` stands behind that means all columns."""


class _Sum:
    """A sum, exact where all values are decimal fractions of six places or fewer; whole numbers give a whole number, as
    SQLite's own does. Of what else there is, the errors of rounding are added up too (A. Neumaier, 1974)."""

    def __init__(self) -> None:
        self.count = self.floats = 0
        """Values, and those of them that are no whole numbers of SQLite's."""
        self.level, self.scale, self.whole = 0, 1, 0
        self.rests, self.rest, self.error = 0, 0.0, 0.0

    def step(self, value: Any) -> None:
        """Add a value."""
        self._add(value, 1)

    def inverse(self, value: Any) -> None:
        """Take a value away that a window leaves behind."""
        self._add(value, -1)

    def _add(self, value: Any, sign: int) -> None:
        if type(value) is not float:
            if value is None:
                return
            if type(value) is int:
                self.count += sign
                self.whole += sign * value * self.scale
                return
            value = _as_sqlite_adds(value)
        self.count += sign
        self.floats += sign
        if -_WHOLE < (scaled := value * self.scale) < _WHOLE:
            whole = round(scaled)
            if whole / self.scale == value:
                self.whole += sign * whole
                return
        if self.rests > _MEASURED or not self._add_finer(value, sign):
            self._add_rest(sign * value)
            self.rests += sign

    def _add_finer(self, value: float, sign: int) -> bool:
        """Add what has more decimal places than all before, or noise behind its fifteenth digit."""
        for one in (value, float(f"{value:.15g}")):
            for level in range(self.level, len(_SCALES)):
                scale = _SCALES[level]
                if abs(one) * scale < _WHOLE and (whole := round(one * scale)) / scale == one:
                    self.whole = self.whole * (scale // self.scale) + sign * whole
                    self.level, self.scale = level, scale
                    return True
        return False

    def _add_rest(self, value: float) -> None:
        added = self.rest + value
        if math.isfinite(added):
            large, small = (self.rest, value) if abs(self.rest) >= abs(value) else (value, self.rest)
            self.error += (large - added) + small
        self.rest = added

    def exact(self) -> Fraction | float:
        """What all values make."""
        if not math.isfinite(self.rest):
            return self.rest
        return Fraction(self.whole, self.scale) + Fraction(self.rest) + Fraction(self.error)

    def value(self) -> int | float | None:
        """The sum up to here."""
        if not self.count:
            return None
        if not self.floats and abs(self.whole) < _MAX_INTEGER:
            return self.whole // self.scale
        return float(self.exact())

    def finalize(self) -> int | float | None:
        """The sum of all."""
        return self.value()


class _Average(_Sum):
    def value(self) -> float | None:
        return float(self.exact() / self.count) if self.count else None


SUMS: Final[Mapping[str, type[_Sum]]] = {"sum": _Sum, "avg": _Average}
"""Aggregates, of windows as well, that stand for SQLite's own of these names; `total` gives a number of no rows, which
Python's aggregates cannot."""


def _as_sqlite_adds(value: str | bytes) -> float:
    """What SQLite takes a text for where it is added: the number it begins with, 0 where it begins with none."""
    match = _NUMERIC.match(value if isinstance(value, str) else value.decode("utf-8", "replace"))
    return float(match[1]) if match else 0.0


def places_of(values: Iterable[float]) -> int | None:
    """The most decimal places that numbers have, None where it is more than six."""
    most = 0
    for value in values:
        while round(value * _POWERS[most]) / _POWERS[most] != value:
            most += 1
            if most > _MAX_PLACES:
                return None
    return most


def without_noise(
    rows: tuple[tuple[Scalar, ...], ...], names: Sequence[str], sql: str, places: Callable[[str], int | None]
) -> tuple[tuple[Scalar, ...], ...]:
    """The rows of an answer whose columns have these names, what was computed in them without the noise of binary
    fractions. `places` says how many decimal places a column of a table has at most, -1 where none is called so, None
    where it is more than six."""
    noisy = sorted({at for row in rows for at, value in enumerate(row) if _may_end_in_noise(value)})
    if not noisy:
        return rows
    items = _items(sql, len(rows[0]))
    if not items:  # what each column is cannot be told: of `*` they are those of the tables
        noisy = [at for at in noisy if places(names[at].lower()) == _OF_NONE]
        items = [sql] * len(rows[0])
    columns = [list(column) for column in zip(*rows, strict=True)]
    for at in noisy:
        tokens = _tokens(items[at])
        if len(tokens) == 1 or all(token in (".", "AS", "as") or _is_name(token) for token in tokens):
            continue  # a column as it is, of a table named and under another name or not
        most = _places(tokens, places)
        if most == _OF_NONE:  # it names what another SELECT of the query made
            tokens = _tokens(sql)
            most = _places(tokens, places, whole=True)
        columns[at] = [_cleaned(value, most, "-" in tokens) for value in columns[at]]
    return tuple(zip(*columns, strict=True))


def _may_end_in_noise(value: Scalar) -> bool:
    if not isinstance(value, float) or not math.isfinite(value):
        return False
    digits = f"{value:.16e}"
    return len(digits.partition("e")[0].lstrip("-").rstrip("0")) > _WORTH


def _cleaned(value: Scalar, places: int | None, taken_away: bool) -> Scalar:
    if not isinstance(value, float) or not math.isfinite(value):
        return value
    if places is not None:
        near = round(value, places) if abs(value) * 10.0**places < _WHOLE else value
        clean = near if abs(near - value) <= _NOISE * max(abs(value), 1.0) else value
    else:
        near = float(f"{value:.{_FEW}g}")
        clean = near if taken_away and abs(near - value) <= _NEAR * abs(value) else value
    return int(clean) if clean.is_integer() and abs(clean) < _WHOLE else clean


def _items(sql: str, count: int) -> Sequence[str]:
    """What each column of an answer is, nothing where it cannot be told."""
    tokens = [match[0] for match in TOKEN.finditer(sql)]
    items = selected(tokens)
    unknown = len(items) != count or any(token.lower() in _SETS for token in tokens) or "*" in map(str.strip, items)
    return [] if unknown else items


def _tokens(sql: str) -> list[str]:
    """What a query or a piece of one says, but texts, comments and spaces."""
    return [match[0] for match in TOKEN.finditer(sql) if not (match["string"] or match["comment"]) and match[0].strip()]


def _is_name(token: str) -> bool:
    return token[0] in '`"[' or (token.isidentifier() and token.lower() not in _KEYWORDS)


def _places(tokens: Sequence[str], places: Callable[[str], int | None], *, whole: bool = False) -> int | None:
    """How many decimal places a result can have; None where any number, -1 where a name is of no column. In a `whole`
    query there are names of other things."""
    each: list[int] = []
    factors = False
    for before, one, behind in zip(["", *tokens], tokens, [*tokens[1:], ""], strict=False):
        word = one.lower()
        if one in _ROUGH or (behind == "(" and one.isidentifier() and word not in _EXACT):
            return None
        factors = factors or (one == _TIMES and before.lower() not in _NO_FACTOR)
        if one[0].isdecimal():
            if not one.replace(".", "").isdecimal():
                return None
            each.append(len(one) if before == "." else len(one.partition(".")[2]))
        elif _is_name(one) and behind not in ("(", ".") and before.lower() != "as":
            own = places(one.strip('`"[]').lower())
            if own is None or (own == _OF_NONE and not whole):
                return own
            each.append(max(own, 0))
    most = sum(each) if factors else max(each, default=0)
    return most if most <= _MAX_OF_PRODUCTS else None
