"""The tokens of a query: where brackets close, what stands before and behind a place, lengths of time, what a query
selects. Rewrites nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from sidecar.store.queries.statements import TOKEN

_UNITS: Final = frozenset(
    f"{unit}{s}" for unit in ("year", "quarter", "month", "week", "day", "hour", "minute", "second") for s in ("", "s")
)
PARTS: Final = _UNITS | {"dow", "isodow", "doy", "isoyear", "epoch"}
_ENDS: Final = frozenset(("from", "where", "limit", "union", "except", "intersect"))
"""What ends a list of what is selected."""
_TOP: Final = re.compile(r"top\s*(?:\(\s*\d+\s*\)|\d+)\s*", re.IGNORECASE)
_TEXT = re.compile(r"'[^']*'")
_OF_ONE = re.compile(
    r"\b(?:sum|total|avg|median|min|max|round|abs)\s*\(\s*(?:distinct\s+)?(?:\w+\.)?`?(\w+)`?\s*(?:,\s*\d+\s*)?\)",
    re.IGNORECASE,
)
_ALIAS = re.compile(
    r"(?:\bselect(?:\s+distinct)?\s|,)\s*(?:\w+\.)?`?(\w+)`?\s+as\s+`?(\w+)`?(?=\s*(?:,|$|from\b))", re.IGNORECASE
)
"""A column under another name, in a list of what is selected."""
CLOSING: Final = {"(": 1, ")": -1}


def tokens_of(sql: str) -> list[str]:
    """What a query is made of, spaces and comments among it."""
    return [match[0] for match in TOKEN.finditer(sql)]


def compared_with(value: str, alone: str = "") -> re.Pattern[str]:
    """What stands behind an operand that is compared with one value, with one of several or with two, by the pattern of
    a value; `alone` is that of what may follow a single one."""
    one = f"(?:{value})"
    return re.compile(
        rf"\s*(?:not\s+)?(?:(?:==?|<>|!=|<=|>=|<|>)\s*{one}{alone}|in\s*\(\s*{one}(?:\s*,\s*{one})*\s*\)"
        rf"|between\s+{one}\s+and\s+{one})",
        re.IGNORECASE,
    )


def length_of_time(tokens: Sequence[str], at: int) -> tuple[str, str, int] | None:
    """The count and the unit of an interval, and the place behind it."""
    first = next_token(tokens, at)
    if first is None:
        return None
    plain = re.fullmatch(r"'\s*([+-]?\d+)\s*(\w*)\s*'", tokens[first])
    count, unit = plain.groups() if plain else (tokens[first], "")
    if not plain and not count.isdecimal():
        return None
    if unit:
        return (count, unit.lower(), first + 1) if unit.lower() in _UNITS else None
    second = next_token(tokens, first + 1)
    if second is None or tokens[second].lower() not in _UNITS:
        return None
    return count, tokens[second].lower(), second + 1


def take_operand(out: list[str]) -> str:
    """Take the last operand off what is written: a literal, a name with its table, a call, what stands in brackets."""
    taken: list[str] = []
    while out and not out[-1].strip():
        out.pop()
    if out and re.match(r"[\w`\"'\[(]", out[-1]):
        bracket = out[-1].startswith("(")
        taken.append(out.pop())
        if bracket and out and re.fullmatch(r"[^\W\d]\w*", out[-1]):
            taken.append(out.pop())
        while len(out) > 1 and out[-1] == ".":
            taken += [out.pop(), out.pop()]
    return "".join(reversed(taken))


def next_token(tokens: Sequence[str], at: int) -> int | None:
    """The place of the next token that is not a space."""
    return next((index for index in range(at, len(tokens)) if tokens[index].strip()), None)


def place_behind(tokens: Sequence[str], at: int, text: str) -> int:
    """The place behind the tokens from `at` on that make up `text`."""
    left = len(text)
    while left > 0:
        left -= len(tokens[at])
        at += 1
    return at


def closing_bracket(tokens: Sequence[str], opening: int) -> int:
    """The place of the bracket that closes another, behind the end where none does."""
    depth = 0
    for index in range(opening, len(tokens)):
        depth += CLOSING.get(tokens[index], 0)
        if not depth:
            return index
    return len(tokens)


def split_at(tokens: Sequence[str], *words: str) -> list[list[str]]:
    """Tokens parted at words outside brackets: the words' pieces in their order, an empty list for one not there."""
    pieces: list[list[str]] = [[] for _ in range(len(words) + 1)]
    depth, into = 0, 0
    for token in tokens:
        depth += CLOSING.get(token, 0)
        if not depth and token.lower() in words:
            into = words.index(token.lower()) + 1
        else:
            pieces[into].append(token)
    return pieces


def split_at_commas(tokens: Sequence[str]) -> list[list[str]]:
    """What commas outside brackets part, one list of tokens at least."""
    found: list[list[str]] = [[]]
    depth = 0
    for one in tokens:
        depth += CLOSING.get(one, 0)
        if one == "," and not depth:
            found.append([])
        else:
            found[-1].append(one)
    return found


def order_key(key: str) -> tuple[str, bool]:
    """The expression of an ORDER BY without its direction, and whether that is descending."""
    plain = re.sub(r"\s+(asc|desc)\s*$", "", key.strip(), flags=re.IGNORECASE)
    return plain, key.strip().lower().endswith(" desc")


def selected(tokens: Sequence[str]) -> list[str]:
    """What the outermost SELECT selects, item by item, as it is written; [] where there is none."""
    depth = 0
    items: list[list[str]] | None = None
    for one in tokens:
        depth += CLOSING.get(one, 0)
        word = one.lower()
        if items is None:
            items = [[]] if word == "select" and not depth else None
        elif not depth and word in _ENDS:
            break
        elif not depth and one == ",":
            items.append([])
        elif not (word in ("distinct", "all") and items == [[]]) and (one.strip() or items[-1]):
            items[-1].append(one)
    texts = ["".join(item).strip() for item in items or ()]
    return [_TOP.sub("", text) for text in texts[:1]] + texts[1:]


def names_as_written(names: Sequence[str], sql: str, run: str) -> tuple[str, ...]:
    """The names of an answer's columns: what SQLite calls by an expression of the query it was handed (`run`) is called
    as the query at hand (`sql`) writes that expression."""
    before, after = (selected(tokens_of(text)) for text in (sql, run))
    if not len(before) == len(after) == len(names):
        return tuple(names)
    return tuple(
        old if name == new and name != old and not _is_called(old, name) else name
        for name, old, new in zip(names, before, after, strict=True)
    )


def _is_called(item: str, name: str) -> bool:
    """Whether an item of what is selected has that name behind it, or is the column of a table called so."""
    return item.endswith((f" {name}", f".{name}", f"`{name}`"))


def types_of(names: Sequence[str], sql: str, columns: Mapping[str, str]) -> tuple[str, ...]:
    """The types of an answer's columns: of one column of a table, by its own name or another, or of what an aggregate
    gives in its unit; "" for others."""
    aliases = {alias.lower(): column.lower() for column, alias in _ALIAS.findall(_of_one(_TEXT.sub("", sql)))}
    found: list[str] = []
    for name in names:
        kind = columns.get(aliases.get(name.lower()) or _of_one(name).lower(), "")
        found.append(kind if kind != "bool" or name in columns else "")  # truth values are counted by sums
    return tuple(found)


def _of_one(expression: str) -> str:
    """SQL with aggregates of one column as that column: `round(sum(a), 2)` as `a`."""
    while (plain := _OF_ONE.sub(r"\1", expression)) != expression:
        expression = plain
    return expression
