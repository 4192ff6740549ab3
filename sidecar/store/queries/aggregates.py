"""Aggregates that people expect in SQL and SQLite has not."""

from __future__ import annotations

import math
import statistics
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

TEXT_BYTES: Final = 8 * 2**20
"""Bytes of one text: what `replace`, `printf`, `repeat` and `group_concat` may make."""

Value = str | bytes | int | float | None


class _Values(ABC):
    """An aggregate that needs all values at once, of windows as well."""

    def __init__(self) -> None:
        self.values: list[float] = []
        self._known: tuple[float | None] | None = None

    @abstractmethod
    def finalize(self) -> float | None:
        """The value of the aggregate, None where there are too few values."""

    def value(self) -> float | None:
        """The value for the rows so far; those of one window are asked for row by row."""
        if self._known is None:
            self._known = (self.finalize(),)
        return self._known[0]

    def step(self, value: float | str | None, *_: float) -> None:
        if isinstance(value, int | float):
            self.values.append(value)
            self._known = None

    def inverse(self, value: float | str | None, *_: float) -> None:
        """Take the first value away, which a window leaves behind."""
        if isinstance(value, int | float):
            self.values.remove(value)
            self._known = None


class _Median(_Values):
    def finalize(self) -> float | None:
        return statistics.median(self.values) if self.values else None


class _Variance(_Values):
    def finalize(self) -> float | None:
        return statistics.variance(self.values) if len(self.values) > 1 else None


class _Deviation(_Values):
    def finalize(self) -> float | None:
        return statistics.stdev(self.values) if len(self.values) > 1 else None


class _VarianceOfAll(_Values):
    def finalize(self) -> float | None:
        return statistics.pvariance(self.values) if self.values else None


class _DeviationOfAll(_Values):
    def finalize(self) -> float | None:
        return statistics.pstdev(self.values) if self.values else None


class _Quantile(_Values):
    """`quantile(x, 0.9)`, linear between the two nearest values."""

    share = 0.5

    def step(self, value: float | str | None, *share: float) -> None:
        super().step(value)
        self.share = share[0] / 100 if 1 < share[0] <= 100 else share[0]  # 90 is the 90th of a hundred

    def finalize(self) -> float | None:
        if not self.values or not 0 <= self.share <= 1:
            return None
        values = sorted(self.values)
        at = (len(values) - 1) * self.share
        low = math.floor(at)
        high = min(low + 1, len(values) - 1)
        return values[low] + (values[high] - values[low]) * (at - low)


class _DiscreteQuantile(_Quantile):
    """`quantile_disc(x, 0.5)`, the first value that so many are up to."""

    def finalize(self) -> float | None:
        if not self.values or not 0 <= self.share <= 1:
            return None
        return sorted(self.values)[max(math.ceil(len(self.values) * self.share), 1) - 1]


class _Correlation:
    """`corr(x, y)`, Pearson's, of the rows that have both."""

    def __init__(self) -> None:
        self.pairs: list[tuple[float, float]] = []

    def step(self, first: Value, second: Value) -> None:
        if isinstance(first, int | float) and isinstance(second, int | float):
            self.pairs.append((first, second))

    def finalize(self) -> float | None:
        try:
            return self.of_pairs(*zip(*self.pairs, strict=True)) if len(self.pairs) > 1 else None
        except statistics.StatisticsError:  # all values of one side are the same
            return None

    def of_pairs(self, first: Sequence[float], second: Sequence[float]) -> float:
        """The value for the pairs, two at least. Raises StatisticsError."""
        return statistics.correlation(first, second)


class _Covariance(_Correlation):
    def of_pairs(self, first: Sequence[float], second: Sequence[float]) -> float:
        return statistics.covariance(first, second)


class _CovarianceOfAll(_Covariance):
    def of_pairs(self, first: Sequence[float], second: Sequence[float]) -> float:
        return statistics.covariance(first, second) * (len(first) - 1) / len(first)


class _Slope(_Correlation):
    """`regr_slope(y, x)`, of the line by least squares."""

    def of_pairs(self, first: Sequence[float], second: Sequence[float]) -> float:
        return statistics.linear_regression(second, first).slope


class _Intercept(_Correlation):
    def of_pairs(self, first: Sequence[float], second: Sequence[float]) -> float:
        return statistics.linear_regression(second, first).intercept


class _Mode:
    """The most frequent value, the first of several."""

    def __init__(self) -> None:
        self.counts: Counter[Value] = Counter()

    def step(self, value: Value) -> None:
        if value is not None:
            self.counts[value] += 1

    def finalize(self) -> Value:
        return max(self.counts, key=lambda value: self.counts[value], default=None)


class _OfGreatest:
    """`max_by(x, y)`: x of the row with the greatest y."""

    least = False

    def __init__(self) -> None:
        self.best: tuple[Any, Value] | None = None

    def step(self, value: Value, key: Value) -> None:
        if key is None:
            return
        order = _order(key)
        if self.best is None or (order < self.best[0] if self.least else order > self.best[0]):
            self.best = order, value

    def finalize(self) -> Value:
        return self.best[1] if self.best else None


class _OfLeast(_OfGreatest):
    least = True


class _Joined:
    """`joined_texts(x, separator, distinct, key, descending)`: what `string_agg` gives with all its clauses."""

    def __init__(self) -> None:
        self.texts: list[tuple[Any, str]] = []
        self.separator, self.distinct, self.descending, self.length = ",", False, False, 0

    def step(self, value: Value, separator: Value, distinct: Value, key: Value, descending: Value) -> None:
        if value is None:
            return
        text = as_text(value)
        self.separator, self.distinct, self.descending = as_text(separator), bool(distinct), bool(descending)
        self.length += len(text) + len(self.separator)
        if self.length > TEXT_BYTES:
            raise ValueError("a text that is too long")
        self.texts.append((_order(key), text))

    def finalize(self) -> str | None:
        ordered = [text for _, text in sorted(self.texts, key=lambda one: one[0], reverse=self.descending)]
        return self.separator.join(dict.fromkeys(ordered) if self.distinct else ordered) if ordered else None


def _order(value: Value) -> tuple[int, Any]:
    """A key that puts values in SQLite's order: nothing, numbers, texts."""
    if value is None:
        return 0, 0
    return (1, value) if isinstance(value, int | float) else (2, as_text(value))


def as_text(value: Value) -> str:
    """A value as a text: whole numbers without a fraction, nothing as an empty one."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return value.hex() if isinstance(value, bytes) else "" if value is None else str(value)


AGGREGATES: Final[dict[str, tuple[int, type]]] = {
    "median": (1, _Median), "variance": (1, _Variance), "stddev": (1, _Deviation), "quantile": (2, _Quantile),
    "var_pop": (1, _VarianceOfAll), "stddev_pop": (1, _DeviationOfAll), "corr": (2, _Correlation), "mode": (1, _Mode),
    "covar_samp": (2, _Covariance), "covar_pop": (2, _CovarianceOfAll), "regr_slope": (2, _Slope),
    "regr_intercept": (2, _Intercept), "quantile_disc": (2, _DiscreteQuantile),
    "max_by": (2, _OfGreatest), "min_by": (2, _OfLeast), "joined_texts": (5, _Joined),
}  # fmt: skip
"""Aggregates by their names, with how many arguments they take."""
