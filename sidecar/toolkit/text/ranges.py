"""Ranges of numbers as people write them, of pages and of other parts: "1-3,5"."""

import re
from bisect import bisect_left
from collections.abc import Sequence

from sidecar.api.errors import UsageError, shortened


def parse_ranges(text: str, count: int) -> list[int]:
    """`"1-3,5"` as `[1, 2, 3, 5]`, in the order written, without repeats, open ends allowed (`"4-"`).

    Raises:
        UsageError: not a range, or a number outside 1…count."""
    ranges: list[tuple[int, int]] = []
    covered: list[tuple[int, int]] = []
    for piece in text.replace(" ", "").replace("–", "-").split(","):
        match = re.fullmatch(r"(\d{1,9})?(-)?(\d{1,9})?", piece)
        if not piece or match is None or piece == "-":
            raise UsageError(f"{shortened(text)!r} is not a range; write 1-5 or 1,3,5.")
        first = int(match[1]) if match[1] else 1
        last = int(match[3]) if match[3] else (count if match[2] else first)
        if first < 1 or last > count or first > last:
            raise UsageError(f"range {shortened(text)!r} is outside 1-{count}.")
        ranges += _cover(covered, first, last)
    return [number for first, last in ranges for number in range(first, last + 1)]


def format_ranges(numbers: Sequence[int]) -> str:
    """`[1, 2, 3, 5]` as `"1-3,5"`: the inverse of `parse_ranges`."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ",".join(format_range(first, last) for first, last in ranges)


def format_range(first: int, last: int) -> str:
    """`1` to `3` as `"1-3"`, and `2` to `2` as `"2"`."""
    return str(first) if first == last else f"{first}-{last}"


def _cover(covered: list[tuple[int, int]], first: int, last: int) -> list[tuple[int, int]]:
    """What of `first`…`last` lies in none of the ranges, which are sorted and do not overlap, and now hold it too:
    nothing is expanded twice, and no range is compared with all the others."""
    begin = stop = bisect_left(covered, first, key=lambda known: known[1])
    left: list[tuple[int, int]] = []
    low, high = first, last
    while stop < len(covered) and covered[stop][0] <= last:
        known_low, known_high = covered[stop]
        if first < known_low:
            left.append((first, known_low - 1))
        first = known_high + 1
        low, high = min(low, known_low), max(high, known_high)
        stop += 1
    covered[begin:stop] = [(low, high)]
    return [*left, (first, last)] if first <= last else left
