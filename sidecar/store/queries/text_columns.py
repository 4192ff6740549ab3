"""What is to be known of columns that a query takes for what they are not: of texts taken for truth values, for dates,
for numbers that are put in order, or for labels of every row though they stand in the first row of each group alone; of
numbers taken for dates or times; and of columns that have the title of one it reads."""

import re
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from sidecar.api.tables import TableColumn
from sidecar.store.queries.comparisons import QueriedTable
from sidecar.store.queries.functions import hours
from sidecar.store.queries.statements import in_quotes
from sidecar.store.queries.tokens import selected, tokens_of

_NAME: Final = r"(?:\w++\.)?+`?+(\w++)`?+"
_TRUTH: Final = re.compile(
    rf"(?<![\w.`]){_NAME}\s*+(?:is\s++(?:not\s++)?|==?|<>|!=)\s*+(?:true|false)\b"
    rf"|\b(?:where|and|or|not|when)\s++{_NAME}\s*+(?=\)|;|\Z|\b(?:and|or|then|group|order|limit|having)\b)",
    re.IGNORECASE,
)
"""A column taken for a truth value."""
_DATED: Final = re.compile(
    rf"\b(?:(?:year|month|day|quarter|date|julianday|monthname|dayname)\s*+\(|"
    rf"(?:strftime|date_part|date_trunc)\s*+\(\s*+'[^']*+'\s*+,)\s*+{_NAME}\s*+[,)]"
    rf"|(?<![\w.`]){_NAME}\s*+(?:<=|>=|<|>|\bbetween\b)\s*+'\d{{4}}-\d\d",
    re.IGNORECASE,
)
"""A column taken for a date: what a function of dates is handed, or what is compared with a day."""
_HOURS: Final = re.compile(rf"\bhours\s*+\(\s*+{_NAME}\s*+\)", re.IGNORECASE)
_DIFFERENCE: Final = re.compile(rf"\bhours\({_NAME}\)\s*+-\s*+hours\({_NAME}\)", re.IGNORECASE)
"""A difference of times h:mm, as it is rewritten."""
_ORDERED: Final = re.compile(
    rf"\b(?:max|min)\s*+\(\s*+{_NAME}\s*+\)"
    rf"|\border\s++by\s++{_NAME}\s++(?:(?:asc|desc)\s++)?+(?:nulls\s++\w++\s++)?+limit\b"
    rf"|(?<![\w.`]){_NAME}\s*+(?:<=|>=|<(?!>)|>)\s*+'[^'\d]++\d",
    re.IGNORECASE,
)
"""A column whose order matters."""
_BY_PATTERN: Final = re.compile(rf"(?<![\w.`]){_NAME}\s++(?:not\s++)?+like\s*+'[^'.]*+\.", re.IGNORECASE)
"""A column that a pattern with a point in it is looked for in."""
_IN_CASE: Final = re.compile(
    rf"\binstr\s*+\(\s*+{_NAME}\s*+,\s*+'([^']++)'\s*+\)|(?<![\w.`]){_NAME}\s++(?:not\s++)?+(glob|regexp)\s++'([^']++)'",
    re.IGNORECASE,
)
"""A text looked for in a column as it is written, in capitals or small letters."""
_DISTINCT: Final = re.compile(
    rf"\bcount\s*+\(\s*+distinct\s++{_NAME}\s*+\)|\bgroup\s++by\s++{_NAME}(?!\s*+[(.])", re.IGNORECASE
)
"""A column whose different texts matter."""
_PLACE: Final = re.compile(r"\bgroup\s++by\s++([1-9])\b", re.IGNORECASE)
_NAMES_IN_TIME: Final = tuple(
    frozenset(words.split())
    for words in (
        "january february march april may june july august september october november december",
        "jan feb mar apr may jun jul aug sep oct nov dec",
        "januar februar märz april mai juni juli august september oktober november dezember",
        "monday tuesday wednesday thursday friday saturday sunday",
        "mon tue wed thu fri sat sun",
        "montag dienstag mittwoch donnerstag freitag samstag sonntag",
    )
)
"""Names of months and days, which stand in time and not by their letters."""
_MAX_DIFFERENT: Final = 2_000
"""Different texts of a column whose order is looked at."""
_DIGITS: Final = re.compile(r"(\d+)")
_FIRST_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)?")
_PARTS_OF_HOUR: Final = {"min": 60, "minutes": 60, "mins": 60, "s": 3600, "sec": 3600, "h": 1, "hours": 1}
_NUMBERS: Final = ("number", "money", "percent")
_MAX_KINDS: Final = 10
"""Different texts of a column that may stand for yes and no."""
_YES: Final = frozenset(("yes", "y", "ja", "j", "oui", "o", "sí", "si", "s", "sim", "x", "✓", "✔", "true", "1"))
_SHOWN: Final = 3
_CHARS: Final = 30
_MIN_ROWS: Final = 4
_MAX_GROUPED: Final = 5_000
"""Rows of a table whose labels are looked at: counting different ones of 200,000 takes a tenth of a second."""


def twin_remarks(relation: QueriedTable, read: Collection[str]) -> Iterator[str]:
    """Of columns that are `read` while others with the same title are not, a sentence each."""
    twins: dict[str, list[str]] = {}
    for column in relation.columns.values():
        if title := " ".join(column.title.split()).lower():
            twins.setdefault(title, []).append(column.name)
    for names in twins.values():
        one = [name for name in names if name.lower() in read]
        others = [name for name in names if name.lower() not in read]
        if one and others:
            shown = ", ".join(others[:_SHOWN])
            yield f"{one[0]} of {relation.name} is one of {len(names)} columns of its title, beside {shown}."


def text_remarks(
    relation: QueriedTable, sql: str, read: Collection[str], connection: sqlite3.Connection
) -> Iterator[str]:
    """Of the columns of one table, a sentence each; of labels of groups where they are `read`."""
    numbers = {name: one for name, one in relation.columns.items() if one.type in _NUMBERS}
    for column in _named(_HOURS, sql, numbers):
        by = _PARTS_OF_HOUR.get(column.unit, 0)
        unit = f" in {column.unit}" * bool(column.unit)
        yield (
            f"{column.name} of {relation.name} holds numbers{unit}, of which hours() knows nothing"
            f"{f'; write {column.name} / {by}.0' if by else ''}."
        )
    for column in _named(_DATED, sql, numbers) if "unixepoch" not in sql.lower() else ():
        example = f" ({column.samples[0][:_CHARS]})" if column.samples else ""
        yield f"{column.name} of {relation.name} holds numbers{example}, no dates that can be compared or taken apart."
    for column in _named(_BY_PATTERN, sql, numbers):
        yield from _of_whole_numbers(relation, column, connection)
    yield from _over_midnight(relation, sql, connection)
    texts = {name: one for name, one in relation.columns.items() if one.type == "text" and not one.order}
    for column in _named(_TRUTH, sql, texts):
        yield from _of_truth(relation, column, connection)
    for column in _named(_DATED, sql, texts):
        yield from _of_dates(relation, column, connection)
    for column in _named(_ORDERED, sql, texts):
        yield from _of_order(relation, column, connection)
    yield from _of_capitals(relation, sql, texts, connection)
    for column in _named(_DISTINCT, _with_key_named(sql), texts) if relation.rows <= _MAX_GROUPED else ():
        yield from _of_case(relation, column, connection)
    for column in texts.values():
        if column.name.lower() in read:
            yield from _of_groups(relation, column, connection)


def _of_whole_numbers(relation: QueriedTable, column: TableColumn, connection: sqlite3.Connection) -> Iterator[str]:
    """Of numbers some of which are whole ones, where a pattern has a point: LIKE sees one in each of them."""
    name = in_quotes(column.name)
    whole = f"SELECT min({name}) FROM {in_quotes(relation.table)} WHERE {name} = CAST({name} AS INTEGER)"  # noqa: S608
    least = connection.execute(whole).fetchone()[0]
    if least is not None:
        yield (
            f"{column.name} of {relation.name} holds numbers, which LIKE sees with a point each ({least:g} as "
            f"'{float(least)}'); write {column.name} > … AND {column.name} < … for a range of them."
        )


def _over_midnight(relation: QueriedTable, sql: str, connection: sqlite3.Connection) -> Iterator[str]:
    """Of times from which later ones are subtracted: of shifts over midnight the difference is below 0."""
    for last, first in dict.fromkeys(_DIFFERENCE.findall(sql)) if "24" not in sql else ():
        if not {last.lower(), first.lower()} <= relation.columns.keys() or last.lower() == first.lower():
            continue
        rows = connection.execute(
            f"SELECT count(*) FROM {in_quotes(relation.table)} WHERE {in_quotes(last)} < {in_quotes(first)}"  # noqa: S608
        ).fetchone()[0]
        if rows:
            yield (
                f"{rows:,} row(s) of {relation.name} have {last} before {first}, so that the difference is below 0; if "
                f"these went over midnight, write iif({last} < {first}, 24, 0) + {last} - {first}."
            )


def _with_key_named(sql: str) -> str:
    """The query with what it groups by, where it is a place of what is selected, as that."""
    items = selected(tokens_of(sql)) if _PLACE.search(sql) else []
    return _PLACE.sub(lambda one: f"GROUP BY {items[at]}" if (at := int(one[1]) - 1) < len(items) else one[0], sql)


def _named(pattern: re.Pattern[str], sql: str, columns: dict[str, TableColumn]) -> list[TableColumn]:
    found = pattern.finditer(sql) if columns else ()
    names = [next(filter(None, match.groups())).lower() for match in found]
    return [columns[name] for name in dict.fromkeys(names) if name in columns]


def _of_truth(relation: QueriedTable, column: TableColumn, connection: sqlite3.Connection) -> Iterator[str]:
    """Of texts such as "Yes" and "No", each of which SQLite takes for false."""
    name = in_quotes(column.name)
    rows = connection.execute(
        f"SELECT {name} FROM {in_quotes(relation.table)} WHERE {name} IS NOT NULL "  # noqa: S608  # names of ours
        f"GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT {_MAX_KINDS + 1}"
    ).fetchall()
    if 0 < len(rows) <= _MAX_KINDS:
        shown = ", ".join(f"'{str(value)[:_CHARS]}'" for (value,) in rows[:_SHOWN])
        true = next((value for (value,) in rows if str(value).strip().lower() in _YES), rows[0][0])
        first = str(true)[:_CHARS].replace("'", "''")
        yield (
            f"{column.name} of {relation.name} is text ({shown}) and no truth value, so that no row is true; write "
            f"{column.name} = '{first}' and the like."
        )


def _of_dates(relation: QueriedTable, column: TableColumn, connection: sqlite3.Connection) -> Iterator[str]:
    """Of texts that are not dates of ISO 8601, which functions of dates know nothing of."""
    name, table = in_quotes(column.name), in_quotes(relation.table)
    others, value = connection.execute(
        f"SELECT count(*), max({name}) FROM {table} WHERE {name} NOT GLOB '[12][0-9][0-9][0-9]-*'"  # noqa: S608
    ).fetchone()
    if others:
        why = f": {column.remark}" if column.remark else ""
        yield (
            f"{column.name} of {relation.name} is text ('{str(value)[:_CHARS]}'), no date that is compared or taken "
            f"apart{why}; take its parts by split_part({column.name}, '/', 1) or substr."
        )


def _of_order(relation: QueriedTable, column: TableColumn, connection: sqlite3.Connection) -> Iterator[str]:
    """Of texts that numbers tell apart ("KW 6", "KW 12"), that are numbers but for a few ("~50"), or lengths of time
    ("2 d 3 h", "45 min"), where sign by sign another one comes last or first than by these."""
    name = in_quotes(column.name)
    rows = connection.execute(
        f"SELECT DISTINCT {name} FROM {in_quotes(relation.table)} WHERE {name} IS NOT NULL LIMIT {_MAX_DIFFERENT}"  # noqa: S608
    ).fetchall()
    written = {str(value).strip().lower() for (value,) in rows}
    if len(written) > 2 and any(written <= names for names in _NAMES_IN_TIME):
        yield (
            f"{column.name} of {relation.name} is text and ordered by letters, from '{min(written)}' to "
            f"'{max(written)}'; for the order of the table write ORDER BY _row."
        )
        return
    lengths = {str(value): hours(value) for (value,) in rows}
    if len(lengths) > 1 and (known := {text: one for text, one in lengths.items() if one is not None}) == lengths:
        longest = max(known, key=known.__getitem__)
        if longest != max(known) or min(known, key=known.__getitem__) != min(known):
            yield (
                f"{column.name} of {relation.name} is text and ordered sign by sign, up to '{max(known)[:_CHARS]}'; by "
                f"hours({column.name}) '{longest[:_CHARS]}' is last."
            )
        return
    texts = [text for (value,) in rows if _DIGITS.search(text := str(value))]
    plain = sum(_FIRST_NUMBER.fullmatch(text) is not None for text in texts)
    if len(texts) < 2:
        return
    if len({_DIGITS.sub("0", text) for text in texts}) == 1 and not plain and len(texts) == len(rows):
        ordered = sorted(texts, key=lambda text: [int(one) for one in _DIGITS.findall(text)])
    elif 2 * plain > len(rows) and len({len(text) for text in texts if text.isdecimal()}) == 1:
        ordered = sorted(texts, key=lambda text: float(_FIRST_NUMBER.findall(text)[0].replace(",", ".")))
    else:
        return
    first, last = min(texts), max(texts)
    if (first, last) != (ordered[0], ordered[-1]):
        yield (
            f"{column.name} of {relation.name} is text and ordered sign by sign, from '{first[:_CHARS]}' to "
            f"'{last[:_CHARS]}'; by its numbers, as_number(regexp_extract({column.name}, '[0-9]+')), "
            f"'{ordered[-1][:_CHARS]}' is last."
        )


def _of_case(relation: QueriedTable, column: TableColumn, connection: sqlite3.Connection) -> Iterator[str]:
    """Of different texts that are counted or grouped by, some of which differ in case and blanks alone."""
    name = in_quotes(column.name)
    folded = f"lower(trim({name}))"
    counts = f"SELECT count(DISTINCT {name}), count(DISTINCT {folded}) FROM {in_quotes(relation.table)}"  # noqa: S608
    written, different = connection.execute(counts).fetchone()
    if different < written:
        yield (
            f"{column.name} of {relation.name} has {written:,} texts, {different:,} but for case and blanks; if these "
            f"are the same, write lower(trim({column.name})) for {column.name}."
        )


def _of_capitals(
    relation: QueriedTable, sql: str, texts: Mapping[str, TableColumn], connection: sqlite3.Connection
) -> Iterator[str]:
    """Of rows that have what instr, GLOB or REGEXP looks for, but in another case, which LIKE would overlook."""
    for inside, searched, name, operator, pattern in _IN_CASE.findall(sql) if texts else ():
        column = texts.get((inside or name).lower())
        if column is None or "[" in pattern or "\\" in pattern:  # a class of characters, which has its case on purpose
            continue
        shown, own = searched or pattern, in_quotes(column.name)
        how = "instr({}, ?)" if searched else f"{{}} {operator} ?"
        folded, as_written = how.format(f"lower({own})"), how.format(own)
        count = f"SELECT count(*) FROM {in_quotes(relation.table)} WHERE {folded} AND NOT {as_written}"  # noqa: S608
        try:
            rows = connection.execute(count, (shown.lower(), shown)).fetchone()[0]
        except sqlite3.Error:  # no pattern: what the query says of it is enough
            continue
        if rows:
            yield (
                f"{rows:,} more row(s) of {relation.name} have '{shown[:_CHARS]}' in {column.name} in another case; "
                f"write lower({column.name}) and '{shown[:_CHARS].lower()}'."
            )


def _of_groups(relation: QueriedTable, column: TableColumn, connection: sqlite3.Connection) -> Iterator[str]:
    """Of labels that are all different and leave at least as many rows below them empty, left of a column that every
    row fills: so lists and pivot tables name a group once."""
    if relation.rows > _MAX_GROUPED:
        return
    name, table = in_quotes(column.name), in_quotes(relation.table)
    rows, labels, different = connection.execute(
        f"SELECT count(*), count({name}), count(DISTINCT {name}) FROM {table}"  # noqa: S608
    ).fetchone()
    if rows < _MIN_ROWS or labels < 2 or labels != different or rows < 2 * labels:
        return
    first = connection.execute(f"SELECT {name} FROM {table} ORDER BY _row LIMIT 1").fetchone()  # noqa: S608
    others = [in_quotes(one.name) for one in relation.columns.values() if one.col > column.col and one.type == "text"]
    counts = ", ".join(f"count({one})" for one in others)
    if first[0] is None or not others or max(connection.execute(f"SELECT {counts} FROM {table}").fetchone()) < rows:  # noqa: S608
        return
    above = f"FROM {relation.name} b WHERE b._row <= a._row AND b.{column.name} IS NOT NULL"
    yield (
        f"{column.name} of {relation.name} stands in {labels:,} of {rows:,} rows, as if once for the rows below it; if "
        f"so, (SELECT b.{column.name} {above} ORDER BY b._row DESC LIMIT 1) is that of a row of {relation.name} a."
    )
