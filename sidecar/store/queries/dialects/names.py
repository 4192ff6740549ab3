"""What other dialects of SQL call otherwise than SQLite: functions that are rewritten by name, and what to write
instead of what is not rewritten. `rewriting` does the one, `sql_errors` tells the other."""

import re
from typing import Final

from sidecar.store.queries.dialects.forms import time_of
from sidecar.store.queries.statements import TOKEN

RENAMED: Final = {
    "nvl": "ifnull", "isnull": "ifnull", "if": "iif", "len": "length", "char_length": "length",
    "character_length": "length", "strpos": "instr", "lcase": "lower", "ucase": "upper", "mid": "substr",
    "greatest": "max", "least": "min", "stddev_samp": "stddev", "stdev": "stddev", "var_samp": "variance",
    "var": "variance", "stdevp": "stddev_pop", "any_value": "min", "arg_max": "max_by", "argmax": "max_by",
    "arg_min": "min_by", "argmin": "min_by", "regexp_matches": "regexp_like", "regexp_contains": "regexp_like",
    "rlike": "regexp_like", "regexp_substr": "regexp_extract", "quantile_cont": "quantile", "percentile": "quantile",
    "approx_quantile": "quantile", "trunc": "truncate", "right": "right_part", "datepart": "date_part",
    "timestamp_trunc": "date_trunc", "datetime_trunc": "date_trunc", "datefromparts": "make_date",
    "eomonth": "last_day", "iff": "iif", "to_number": "as_number", "try_to_number": "as_number", "chr": "char",
    "ascii": "unicode", "replicate": "repeat", "rand": "random", "bool_or": "max", "bool_and": "min", "every": "min",
    "approx_percentile": "quantile", "percentile_approx": "quantile",
    "date_from_parts": "make_date", "pg_typeof": "typeof", "to_timestamp": "datetime",
}  # fmt: skip
"""Functions that another dialect calls otherwise."""
WRITTEN: Final = {
    "div": "CAST(({0}) / ({1}) AS INTEGER)", "ratio_to_report": "1.0 * {0} / sum({0})",
    "zeroifnull": "ifnull({0}, 0)", "nvl2": "iif({0} IS NOT NULL, {1}, {2})",
    "isnumeric": "(as_number({0}) IS NOT NULL)",
    "add_months": "date_shift({0}, {1}, 'month')", "days_between": "datediff('day', {0}, {1})",
    "space": "repeat(' ', {0})", "locate": "instr({1}, {0})", "safe_divide": "({0} / nullif({1}, 0))",
    "try_divide": "({0} / nullif({1}, 0))", "square": "(({0}) * ({0}))",
    "approx_count_distinct": "count(DISTINCT {0})", "unix_timestamp": "unixepoch({0})",
    "contains": "(instr({0}, {1}) > 0)", "contains_substr": "(instr({0}, {1}) > 0)",
    "starts_with": "(substr({0}, 1, length({1})) = {1})", "startswith": "(substr({0}, 1, length({1})) = {1})",
    "ends_with": "(right_part({0}, length({1})) = {1})", "endswith": "(right_part({0}, length({1})) = {1})",
    **{unit: f"date_part('{unit}', {{0}})" for unit in ("hour", "minute", "second")},
    "dayofyear": "date_part('doy', {0})", "isodow": "date_part('isodow', {0})", "time": time_of("{0}"),
    **dict.fromkeys(("iso_week", "isoweek", "weekofyear", "week_iso"), "date_part('week', {0})"),
}  # fmt: skip
"""Functions that have none here, as what gives the same of as many arguments."""
NOW: Final = {"now": "datetime('now')", "getdate": "datetime('now')", "curdate": "date('now')", "today": "date('now')"}

_ITEMS: Final = (
    "WITH RECURSIVE p(item, rest) AS (SELECT '', x || ';' FROM t UNION ALL SELECT substr(rest, 1, instr(rest, ';') - "
    "1), substr(rest, instr(rest, ';') + 1) FROM p WHERE rest <> '') SELECT item, count(*) FROM p WHERE item <> '' "
    "GROUP BY 1 for each item of texts such as 'a;b', split_part(x, ';', 1) for the first, x LIKE '%a%' for those that "
    "hold one"
)
"""What stands for the lists of other dialects, as one whole query."""
_HINTS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), hint)
    for pattern, hint in (
        (r"\btop\s+\d+\s+percent\b", "write LIMIT (SELECT CAST(count(*) / 10 AS INTEGER) FROM t) for TOP 10 PERCENT"),
        (r"\btop\s*\(?\s*\d", "write LIMIT 5 at the end for TOP 5"),
        (r"\bwith\s+ties\b", "write WHERE with rank() OVER (ORDER BY x) <= 3 of a SELECT inside for WITH TIES"),
        (r"\bfetch\s+(?:first|next)\b", "write LIMIT 5 for FETCH FIRST 5 ROWS ONLY"),
        (r"::\s*\w", "write CAST(x AS INTEGER) for x::int"),
        (r"\bwithin\s+group\b", "write median(x) or quantile(x, 0.9) for percentiles"),
        (r"\bextract\s*\(", "write year(x), month(x) or strftime('%Y-%m', x) for EXTRACT"),
        (r"\b(?:left|right)\s*\(", "write substr(x, 1, 3) for LEFT and substr(x, -3) for RIGHT"),
        (r"\btime_bucket\b|\bdate_bin\b", "write date_trunc('week', x), or (julianday(x) / 7)"),
        (
            r"\brange\s+between\b",
            "write ORDER BY julianday(x) RANGE BETWEEN 30 PRECEDING AND CURRENT ROW for an INTERVAL of 30 days",
        ),
        (r"\binterval\s+['\d]", "write date(x, '-30 days') for intervals"),
        (r"\bqualify\b", "put the query in brackets and filter the outer one by WHERE for QUALIFY"),
        (r"\bgroup\s+by\s+all\b", "name the columns for GROUP BY ALL"),
        (r"\bdistinct\s+on\b", "write GROUP BY, or row_number() OVER (PARTITION BY …) = 1 outside, for DISTINCT ON"),
        (r"\*\s*(?:exclude|except|replace)\s*\(", "name the columns that are wanted"),
        (r"\brollup\b|\bcube\s*\(|\bgrouping\s+sets\b", "write UNION ALL with a SELECT of the totals for ROLLUP"),
        (r"\btablesample\b|\busing\s+sample\b", "write ORDER BY random() LIMIT 100 for a sample"),
        (r",\s*select\b", "leave out the comma before SELECT"),
        (r",\s*from\b", "leave out the comma before FROM"),
        (r"\bsimilar\s+to\b", "write x REGEXP '^(a|b)$' for SIMILAR TO"),
        (
            r"\b(?:un)?pivot\b",
            "write PIVOT t ON a IN ('x', 'y') USING sum(b) GROUP BY c, or UNPIVOT t ON a, b INTO NAME n VALUE v",
        ),
        (r"\bkeep\s*\(", "write max_by(x, y) or min_by(x, y), x of the row with the most or least y, for KEEP"),
        (r"\bignore\s+nulls\b", "write WHERE x IS NOT NULL in a SELECT inside for IGNORE NULLS"),
        (
            r"\b(?:anti|semi)\s+join\b",
            "write WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.x = a.x) for ANTI JOIN, WHERE EXISTS for SEMI JOIN",
        ),
        (r"\basof\b", "join by a subquery with max(date) up to the other's for ASOF JOIN"),
        (
            r"\b(?:cross|outer)\s+apply\b|\blateral\b",
            "write a JOIN with a grouped SELECT for LATERAL and APPLY, or for the first 3 of each WHERE n <= 3 around "
            "row_number() OVER (PARTITION BY a ORDER BY b) AS n",
        ),
        (r"\bfilter\s*\(\s*(?!where)", "write FILTER (WHERE …)"),
        (r"\border\s+by\b(?:(?!\bselect\b|\border\b|[()]).)*\bgroup\s+by\b", "write GROUP BY before ORDER BY"),
        (r"\border\s+by\s+all\b", "name the columns for ORDER BY ALL"),
        (r"\bunnest\s*\(|\bjson_each\s*\(", f"write {_ITEMS}"),
        (r"\^|\*\*", "write power(x, 2)"),
        (r"//", "write floor(x / y) for x // y"),
        (r"\bsymmetric\b", "write BETWEEN with the lower one first"),
        (r"\bby\s+name\b", "write the columns of both SELECTs in the same order for BY NAME"),
        (r"=\s*any\s*\(", "write x IN ('a', 'b') for = ANY"),
        (r"\{|\bstruct_pack\b|:=", "select the columns alone; there are no structs"),
        (
            r"\b(?:first|last)\s*\([^()]*\border\s+by\b",
            "write min_by(x, y) for the first by y, max_by(x, y) for the last",
        ),
        (r"\bbetween\s+\S+\s+to\b", "write BETWEEN 5 AND 10"),
        (r"\bgroupby\b|\borderby\b", "write GROUP BY and ORDER BY as two words"),
        (r"\b(?:limit|offset)\s*\(", "write CAST(x AS INTEGER) for a LIMIT that is computed"),
        (r"\bcount\s*\(\s*distinct\b[^)]*,", "write count(DISTINCT a || '|' || b) for several columns"),
    )
)
"""What other dialects write, and what SQLite is to be told instead."""
_OTHER_NAMES: Final = {
    "week": "strftime('%W', x) or date_part('week', x), which is ISO's",
    **dict.fromkeys(("dayofweek", "weekday"), "strftime('%w', x), 0 is Sunday"),
    "rownum": "LIMIT 5 at the end", "date_bin": "date_trunc('week', x)", "time_bucket": "date_trunc('week', x)",
    "to_days": "julianday(x)", "first": "min_by(x, _row)", "last": "max_by(x, _row)",
    **dict.fromkeys(
        ("string_split", "str_split", "string_to_array", "split", "regexp_split_to_array", "unnest", "json_each"),
        _ITEMS,
    ),
    **dict.fromkeys(("list_contains", "array_contains", "list_has"), "';' || x || ';' LIKE '%;a;%'"),
    **dict.fromkeys(("array_length", "cardinality", "list_count"), "length(x) - length(replace(x, ';', '')) + 1"),
    "regexp_count": "(length(x) - length(replace(x, 'a', ''))) for a letter", "ratio_to_report": "x / sum(x) OVER ()",
    "substring_index": "split_part(x, '-', 1)",
    "months_between": "datediff('month', a, b)", "json_agg": "group_concat(x)", "json_object": "the columns alone",
    "choose": "CASE x WHEN 1 THEN 'a' WHEN 2 THEN 'b' END", "levenshtein": "x LIKE '%abc%', or x REGEXP",
    "approx_quantiles": "quantile(x, 0.25) and so on",
    "any": "x IN ('a', 'b')", "columns": "the names of the columns", "histogram": "x, count(*) with GROUP BY x",
    "format_number": "printf('%,.2f', x)", "cumsum": "sum(x) OVER (ORDER BY y)",
    "to_number": "CAST(x AS REAL)", "format": "printf('%.2f', x)",
    "width_bucket": "CAST((x - 10) / 5 AS INTEGER) for steps of 5 from 10", "decode": "CASE x WHEN 1 THEN 'a' END",
    "rollup": "UNION ALL with a SELECT of the total", "grouping": "UNION ALL",
    "generate_series": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12) SELECT i FROM n",
    "translate": "replace(x, 'a', 'b')",
    "date_trunc": "date_trunc('month', x)", "datediff": "datediff('day', a, b)", "dateadd": "date(x, '+30 days')",
}  # fmt: skip
"""Functions of other dialects, and what stands for them here."""


def dialect_hint(sql: str) -> str:
    """What to write instead of what another dialect writes, "" where sql has nothing of the kind."""
    tokens = (match for match in TOKEN.finditer(sql) if not (match["comment"] or match["quoted"]))
    plain = "".join("''" if match["string"] else match[0] for match in tokens)
    return next((hint for pattern, hint in _HINTS if pattern.search(plain)), "")


def other_name(function: str) -> str:
    """What stands for a function of another dialect, "" where none is known."""
    return _OTHER_NAMES.get(function.lower(), "")
