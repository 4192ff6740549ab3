"""Arithmetic and comparisons that SQLite takes for something else without an error: `shipped - ordered` of dates is the
difference of their years there, `sum(worked)` of times h:mm that of their whole hours, `first + ' ' + last` is 0,
`year(x) = '2024'`, `paid = 'true'` and `x = NULL` are never true, `count(a) / count(b)` loses its fraction. Each is
rewritten as other dialects mean it."""

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Final

from sidecar.store.queries.dialects.moments import compared_as_held, with_two_digits
from sidecar.store.queries.statements import TOKEN
from sidecar.store.queries.tokens import closing_bracket, compared_with, next_token
from sidecar.toolkit.tables.cells import BOOLEANS
from sidecar.toolkit.tables.dates import CLOCK

_MAX_TOKENS: Final = 200
"""Tokens that one operand has at most."""
_ISO: Final = re.compile(r"'\d{4}-\d\d-\d\d'")
_PLAIN_NUMBER: Final = re.compile(r"'\s*[-+]?\d+(?:\.\d+)?\s*'")
_LITERAL: Final = r"'[^']*'|[-+]?\d[\d.]*"
_COMPARED: Final = compared_with(_LITERAL, r"(?![\w.])(?!\s*[-+*/|(])")
"""What a call is compared with, where that is one literal or several."""
_COMPARED_CHARS: Final = 1000
_DATES: Final = frozenset(("date", "to_date", "now", "getdate", "curdate", "today", "last_day", "eomonth"))
"""Functions that give dates."""
_OF_DATES: Final = frozenset(
    ("min", "max", "lag", "lead", "first_value", "last_value", "nth_value", "coalesce", "ifnull", "any_value")
)
"""Functions that give a date of dates."""
_NUMBERS: Final = frozenset(
    (
        "year", "month", "day", "quarter", "hour", "minute", "date_part", "datepart", "extract", "datediff",
        "date_diff", "timestampdiff", "count", "sum", "total", "avg", "median", "round", "abs", "length", "len",
    )
)  # fmt: skip
"""Functions that give numbers."""
_ADDING: Final = frozenset(("sum", "total", "avg", "median", "stddev", "variance"))
_FEW: Final = 10
"""Tokens before a count within which it would be an OFFSET, a whole number."""
_COUNTING: Final = frozenset(("count", "sum", "total", "countif", "count_if"))
_RANKS: Final = frozenset(("row_number", "rank", "dense_rank", "ntile"))
"""What is divided to part rows into as many groups, by whole numbers."""
_STRETCH: Final = re.compile(r"'\d{1,4}:[0-5]\d(?::[0-5]\d)?'")
_NUMBER_BEHIND: Final = re.compile(r"\s*(?:not\s+)?(?:==?|<>|!=|<=|>=|<|>|between\b)\s*\d+(?:\.\d+)?(?![\w.:])", re.I)
_TRUTHS: Final = {f"'{word}'": value for word, value in (*BOOLEANS.items(), ("yes", 1), ("no", 0), ("t", 1), ("f", 0))}
"""What truth values are compared with, and what they are."""
_CASES: Final = {"lower": str.lower, "lcase": str.lower, "upper": str.upper, "ucase": str.upper}
"""Functions whose results equal no text of the other case."""
_TEXTS: Final = frozenset(
    ("strftime", "substr", "substring", "left", "right", "to_char", "date_format", "split_part", "regexp_extract")
)
"""Functions that give texts, of digits often."""


def with_meant_arithmetic(sql: str, types: Mapping[str, str]) -> str:
    """The query with what is meant by differences and shifts of dates, by texts that are added, by numbers joined to
    texts, and by numbers compared with texts or with NULL. `types` are those of columns by their names."""
    tokens = [" " if match["comment"] else match[0] for match in TOKEN.finditer(sql)]
    known = _with_other_names(tokens, types)
    out: list[str] = []
    at = 0
    while at < len(tokens):
        after = _meant(tokens, at, out, known)
        if after is None:
            out.append(tokens[at])
        at = after or at + 1
    return "".join(out)


def _meant(tokens: Sequence[str], at: int, out: list[str], types: Mapping[str, str]) -> int | None:
    """Write what is meant at a place where something else would be understood: the place behind it, else None."""
    match tokens[at]:
        case "+" | "-":
            return _of_hours(tokens, at, out, types) or _of_dates(tokens, at, out, types) or _joined(tokens, at, out)
        case "|":
            return _of_numbers(tokens, at, out, types) if tokens[at + 1 : at + 2] == ["|"] else None
        case "(":
            return _of_times(tokens, at, out, types)
        case "*":
            return _of_hours(tokens, at, out, types)
        case "/":
            return _of_hours(tokens, at, out, types) or _of_counts(tokens, at, out)
        case "=" | ">":
            return _of_nothing(tokens, at, out) or _of_truth(tokens, at, out, types)
        case ")":
            return _like_kinds(tokens, at, out) or _of_moment(tokens, at, out, types)
        case _:
            return _of_moment(tokens, at, out, types) if tokens[at][0].isalpha() or tokens[at][0] in "_`" else None


def _with_other_names(tokens: Sequence[str], types: Mapping[str, str]) -> Mapping[str, str]:
    """The types, with those of dates that a query calls otherwise: `min(ordered) AS first`."""
    known = {**types}
    for at, token in enumerate(tokens):
        if token.lower() == "as" and (name := next_token(tokens, at + 1)) is not None:
            begin = _begin(tokens, at)
            if begin < at and (kind := _kind(tokens[begin:at], known)):
                known[_plain(tokens[name])] = kind
    return known


def _of_dates(tokens: Sequence[str], at: int, out: list[str], types: Mapping[str, str]) -> int | None:
    """`a - b` of dates as days, `a + 7` as the date a week later, at the sign between: the place behind it."""
    begin, end = _begin(out, len(out)), _end(tokens, at + 1)
    left, right = "".join(out[begin:]).strip(), "".join(tokens[at + 1 : end]).strip()
    first = _kind(out[begin:], types) if begin < len(out) and right else ""
    if not first:
        return None
    if right.isdecimal():
        out[begin:] = [f"date_shift({left}, {tokens[at]}{right}, 'day')"]
        return end
    second = _kind(tokens[at + 1 : end], types)
    if not second or tokens[at] == "+":
        return None
    exact = "datetime" in (first, second)
    days = f"(julianday({left}) - julianday({right}))" if exact else f"datediff('day', {right}, {left})"
    out[begin:] = [days]
    return end


def _of_hours(tokens: Sequence[str], at: int, out: list[str], types: Mapping[str, str]) -> int | None:
    """What a time h:mm is computed with, at the sign between, in hours: `went - came`, `worked * 50`, `worked - 8`."""
    begin, end = _begin(out, len(out)), _end(tokens, at + 1)
    left, right = "".join(out[begin:]).strip(), "".join(tokens[at + 1 : end]).strip()
    kinds = _kind(out[begin:], types) if begin < len(out) else "", _kind(tokens[at + 1 : end], types)
    goes_on = _STRETCH.fullmatch(right) and any(one.lstrip().startswith("hours(") for one in out[-2:])
    if not (CLOCK in kinds or goes_on) or not right or not {*kinds} <= {CLOCK, ""}:
        return None
    if kinds[0] == CLOCK:
        out[begin:] = [f"hours({left})"]
    out += [tokens[at], f" hours({right})" if kinds[1] == CLOCK or _STRETCH.fullmatch(right) else f" {right}"]
    return end


def _of_times(tokens: Sequence[str], at: int, out: list[str], types: Mapping[str, str]) -> int | None:
    """What adds up a column of times h:mm, at its opening bracket, as adding up their hours; what takes them apart."""
    if written := with_two_digits(tokens, at, out, lambda name: _moment(types, name)):
        out += ["(", *written]
        return closing_bracket(tokens[: at + _MAX_TOKENS], at)
    close = closing_bracket(tokens[: at + _MAX_TOKENS], at)
    words = [token for token in tokens[at + 1 : close] if token.strip()]
    adding = bool(out) and out[-1].lower() in _ADDING and close < len(tokens)
    if not adding or len(words) not in (1, 3) or words[1:2] not in ([], ["."]) or _moment(types, words[-1]) != CLOCK:
        return None
    out.append(f"(hours({''.join(words)}))")
    return close + 1


def _of_moment(tokens: Sequence[str], at: int, out: list[str], types: Mapping[str, str]) -> int | None:
    """What ends at `at`, a column or a call, where it is a day or a moment and compared with texts of such."""
    out.append(tokens[at])
    begin = _begin(out, len(out))
    operand = "".join(out[begin:])
    kind = _kind(out[begin:], types) if begin < len(out) else ""
    if kind == CLOCK and _NUMBER_BEHIND.match("".join(tokens[at + 1 : at + _MAX_TOKENS])):
        out[begin:] = [f"hours({operand})"]
        return at + 1
    found = compared_as_held(operand, tokens, at + 1, kind) if kind in ("date", "datetime") else None
    if found is None:
        out.pop()
        return None
    out[begin:] = [found[0], *found[1]]
    return at + 1 + len(found[1])


def _of_counts(tokens: Sequence[str], at: int, out: list[str]) -> int | None:
    """`count(a) / count(b)`, shares like it, and `count(a) / 12`, at the sign between, with a fraction."""
    words = [one.lower() for one in tokens[at + 1 : at + _MAX_TOKENS] if one.strip() and one != "("][:2]
    counted = {"nullif": words[1:2], "select": words[1:2]}.get(words[0] if words else "", words[:1])
    left = set(
        takewhile(lambda word: word not in ("select", ","), (one.lower() for one in reversed(out[-_MAX_TOKENS:])))
    )
    begin = _begin(out, len(out))
    alone = begin < len(out) and out[begin] != "(" and "offset" not in map(str.lower, out[-_FEW:])
    if not words or (words[0].isdecimal() and not alone) or _COUNTING.isdisjoint(left) or not _RANKS.isdisjoint(left):
        return None
    if not words[0].isdecimal() and not _COUNTING.issuperset(counted):
        return None
    out.append("* 1.0 /")
    return at + 1


def _joined(tokens: Sequence[str], at: int, out: list[str]) -> int | None:
    """A plus beside a text that is not a number, as what joins texts."""
    behind = next_token(tokens, at + 1)
    before = [token for token in out[-4:] if token.strip()][-2:]
    of_time = bool(before) and before[0].lower() in ("interval", "date", "timestamp")
    texts = [*before[-1:] * (not of_time), *([] if behind is None else [tokens[behind]])]
    if tokens[at] != "+" or not any(map(_is_text, texts)):
        return None
    out.append("||")
    return at + 1


def _of_numbers(tokens: Sequence[str], at: int, out: list[str], types: Mapping[str, str]) -> int | None:
    """`'Q' || quarter`, at the first line: numbers as they are shown, 1 and not 1.0."""
    begin, end = _begin(out, len(out)), _end(tokens, at + 2)
    if begin < len(out) and _is_number(out[begin:], types):
        out[begin:] = [f"as_text({''.join(out[begin:]).strip()})"]
    out.append("||")
    if end == at + 2 or not _is_number(tokens[at + 2 : end], types):
        return at + 2
    out += [" ", f"as_text({''.join(tokens[at + 2 : end]).strip()})"]
    return end


def _is_number(operand: Sequence[str], types: Mapping[str, str]) -> bool:
    """Whether an operand is a column of numbers, or a call that gives one."""
    words = [token.lower() for token in operand if token.strip()]
    if len(words) in (1, 3) and words[1:2] in ([], ["."]):
        return types.get(_plain(words[-1]), "") in ("number", "money", "percent")
    return words[1:2] == ["("] and words[0] in _NUMBERS


def _is_text(token: str) -> bool:
    return token.startswith("'") and not _PLAIN_NUMBER.fullmatch(token) and not _ISO.fullmatch(token)


def _of_nothing(tokens: Sequence[str], at: int, out: list[str]) -> int | None:
    """`= NULL` and `<> NULL`, at the sign's last character, as what they mean."""
    behind = next_token(tokens, at + 1)
    if behind is None or tokens[behind].lower() != "null":
        return None
    before = out[-1] if out and out[-1] in "<>!=" else ""
    meant = {"=": " IS NULL", "==": " IS NULL", "!=": " IS NOT NULL", "<>": " IS NOT NULL"}.get(before + tokens[at])
    if meant is None:
        return None
    out[len(out) - len(before) :] = [meant]
    return behind + 1


def _of_truth(tokens: Sequence[str], at: int, out: list[str], types: Mapping[str, str]) -> int | None:
    """`paid = 'true'` of truth values, at the sign's last character, as the number that they are."""
    behind, before = next_token(tokens, at + 1), [one for one in out[-4:] if one.strip() and one not in "<>!="]
    word = "" if behind is None else tokens[behind].lower()
    unequal = tokens[at] == "=" or out[-1:] == ["<"]
    if not before or not unequal or word not in _TRUTHS or types.get(_plain(before[-1]), "") != "bool":
        return None
    out.append(f"{tokens[at]} {_TRUTHS[word]}")
    return None if behind is None else behind + 1


def _like_kinds(tokens: Sequence[str], at: int, out: list[str]) -> int | None:
    """A call that is compared with literals of another kind, at its closing bracket: numbers of texts as numbers."""
    out.append(")")
    begin = _begin(out, len(out))
    out.pop()
    name = out[begin].lower() if begin < len(out) else ""
    if name not in _NUMBERS and name not in _TEXTS and name not in _CASES:
        return None
    found = _COMPARED.match("".join(tokens[at + 1 : at + _MAX_TOKENS])[:_COMPARED_CHARS])
    literals = re.findall(_LITERAL, found[0]) if found else []
    if not found or not literals:
        return None
    if name in _NUMBERS and all(map(_PLAIN_NUMBER.fullmatch, literals)):
        out += [")", re.sub(r"'\s*([-+]?[\d.]+)\s*'", r"\1", found[0])]
    elif name in _CASES and all(one.startswith("'") for one in literals):
        out += [")", re.sub(_LITERAL, lambda one: _CASES[name](one[0]), found[0])]
    elif name in _TEXTS and not any(one.startswith("'") for one in literals):
        out[begin:] = [f"as_number({''.join(out[begin:])}))", found[0]]
    else:
        return None
    length, after = len(found[0]), at + 1
    while length > 0:
        length -= len(tokens[after])
        after += 1
    return after


def _begin(tokens: Sequence[str], end: int) -> int:
    """Where the operand begins that ends before `end`: a name with its table, a call, a literal, `x::date`."""
    at = end - 1
    while at >= 0 and not tokens[at].strip():
        at -= 1
    if at < 0:
        return end
    if at > 2 and tokens[at].lower() == "date" and tokens[at - 2 : at] == [":", ":"]:
        return _begin(tokens, at - 2)
    if tokens[at] == ")":
        depth = 0
        for place in range(at, max(at - _MAX_TOKENS, -1), -1):
            depth += {")": 1, "(": -1}.get(tokens[place], 0)
            if not depth:
                called = place > 0 and re.fullmatch(r"[^\W\d]\w*", tokens[place - 1])
                return place - 1 if called else place
        return end
    if tokens[at].startswith("'"):
        return at - 2 if at > 1 and tokens[at - 2].lower() == "date" else at
    if not re.match(r"[\w`\"]", tokens[at]):
        return end
    return at - 2 if at > 1 and tokens[at - 1] == "." else at


def _end(tokens: Sequence[str], begin: int) -> int:
    """The place behind the operand that begins at `begin` or behind spaces there; `begin` where none does."""
    at = next_token(tokens, begin)
    if at is None or not re.match(r"[\w'`\"]", tokens[at]):
        return begin
    after = at + 1
    if tokens[at].lower() == "date" and (text := next_token(tokens, after)) is not None and tokens[text][0] == "'":
        return text + 1
    if tokens[after : after + 1] == ["."]:
        after += 2
    if tokens[after : after + 1] == ["("]:
        after = closing_bracket(tokens[: after + _MAX_TOKENS], after) + 1
        over = next_token(tokens, after)
        if over is not None and tokens[over].lower() == "over":
            opening = next_token(tokens, over + 1)
            if opening is not None and tokens[opening] == "(":
                after = closing_bracket(tokens[: opening + _MAX_TOKENS], opening) + 1
    if [one.lower() for one in tokens[after : after + 3]] == [":", ":", "date"]:
        after += 3
    return min(after, len(tokens))


def _kind(operand: Sequence[str], types: Mapping[str, str]) -> str:
    """ "date", "datetime" or CLOCK of an operand that is one, else ""."""
    words = [token.lower() for token in operand if token.strip()]
    if len(words) == 1 and (_ISO.fullmatch(words[0]) or words[0] == "current_date"):
        return "date"
    if words[-3:] == [":", ":", "date"] or (words[:1] == ["date"] and len(words) == 2):
        return "date"
    if len(words) in (1, 3) and words[1:2] in ([], ["."]):
        return _moment(types, words[-1])
    if words[1:2] != ["("]:
        return ""
    if words[0] == "datetime":
        return "datetime"
    if words[0] in _DATES or (words[0] in ("cast", "try_cast") and words[-3:] == ["as", "date", ")"]):
        return "date"
    named = words[4] if words[3:4] == ["."] and len(words) > 4 else words[2]
    return _moment(types, named) if words[0] in _OF_DATES else ""


def _moment(types: Mapping[str, str], name: str) -> str:
    kind = types.get(_plain(name), "")
    return kind if kind in ("date", "datetime", CLOCK) else ""


def _plain(name: str) -> str:
    return name.strip('`"').lower()
