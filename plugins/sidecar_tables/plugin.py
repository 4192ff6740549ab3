"""The plugin class: registers the tools and commands that ask tables. What they ask is `Library.query_tables`. The
commands `docsidecar tables` and `docsidecar sql`: what the tools give, for people and scripts."""

import argparse
import csv
import io
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from sidecar.api import Command, Registrar, Scalar, Services
from sidecar_tables.describing import DESCRIBE_TABLE, described
from sidecar_tables.finding import FIND_TABLES, FindTables, table_entry, tables_by_meaning
from sidecar_tables.querying import QUERY_TABLES, markdown, rounded, source_lines

_DEFAULT_LIMIT: Final = 10_000
_BATCH: Final = 5000


async def _tables(arguments: argparse.Namespace, services: Services) -> int:
    library = services.library
    if arguments.describe:
        frame, columns = described(*await library.describe_table(arguments.describe))
        _write(_json(frame | {"columns": columns}))
        return 0
    query = " ".join(arguments.query)
    found = await library.find_tables(query, arguments.limit, arguments.document, arguments.folder_part)
    asked = FindTables(
        query=query, document_slug=arguments.document, folder=arguments.folder_part, limit=min(arguments.limit, 50)
    )
    tables = (*found.tables, *await tables_by_meaning(library, asked, found.tables))
    if arguments.json:
        records = [
            {"name": table.name, "uri": table.uri, "document_slug": table.document_slug, "place": table.place}
            | {"rows": table.record.rows, "title": table.record.title}
            | {"columns": msgspec.to_builtins(table.record.columns)}
            for table in tables
        ]
        _write(_json({"tables": records, "total": found.total}))
    elif arguments.csv:
        rows = [(table.name, table.uri, table.record.rows, table.record.title) for table in tables]
        _write(_csv(("name", "uri", "rows", "title"), rows))
    else:
        for table in tables:
            entry = table_entry(table)
            _write(f"{table.name}  ({table.record.rows:,} rows)\n  {table.uri}\n  {entry['columns']}\n\n")
    if progress := await library.progress():
        sys.stderr.write(f"docsidecar: {progress}\n")
    if not tables:
        sys.stderr.write("docsidecar: no table found; try other words, or none for all tables.\n")
    elif found.total > len(found.tables):
        sys.stderr.write(f"docsidecar: {found.total - len(found.tables):,} more; raise --limit.\n")
    return 0 if tables else 1


async def _sql(arguments: argparse.Namespace, services: Services) -> int:
    sql = " ".join(arguments.sql)
    rows: list[tuple[Scalar, ...]] = []
    while True:
        answer = await services.library.query_tables(
            sql, arguments.table or (), start=len(rows), limit=min(_BATCH, arguments.limit - len(rows))
        )
        rows += [tuple(rounded(value) for value in row) for row in answer.rows]
        if not answer.rows or len(rows) >= min(answer.total, arguments.limit):
            break
    if arguments.json:
        sources = msgspec.to_builtins(answer.sources)
        record = {"columns": answer.columns, "rows": rows, "total": answer.total, "sources": sources}
        record |= {"notices": answer.notices} if answer.notices else {}
        _write(_json(record))
    elif arguments.csv:
        _write(_csv(answer.columns, rows))
    else:
        _write(markdown(answer.columns, rows) + "\n")
    if not arguments.json:
        for line in (*(f"Note: {notice}" for notice in answer.notices), *source_lines(answer.sources)):
            sys.stderr.write(f"{line}\n")
    if len(rows) < answer.total:
        sys.stderr.write(f"docsidecar: {answer.total - len(rows):,} more rows; raise --limit.\n")
    return 0


def _write(text: str) -> None:
    sys.stdout.write(text)


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _csv(header: Sequence[str], rows: Sequence[Sequence[Scalar]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([header, *rows])
    return out.getvalue()


def _forms(parser: argparse.ArgumentParser) -> None:
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--csv", action="store_true", help="print CSV")
    forms.add_argument("--json", action="store_true", help="print JSON")


def _tables_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="*", metavar="QUERY", help="words of names, columns, values; none for all")
    parser.add_argument("--document", metavar="SLUG", help="of this document only")
    parser.add_argument("--in", dest="folder_part", metavar="PATH", help="of documents with this in their path")
    parser.add_argument("--limit", type=int, default=50, help="most tables to show (default 50)")
    parser.add_argument("--describe", metavar="TABLE", help="the columns of one table")
    _forms(parser)


def _sql_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sql", nargs="+", metavar="SELECT", help="one SELECT in SQLite's dialect")
    parser.add_argument("--table", action="append", metavar="NAME", help="a slug whose tables go by short names")
    parser.add_argument(
        "--limit", type=int, default=_DEFAULT_LIMIT, help=f"most rows to print (default {_DEFAULT_LIMIT:,})"
    )
    _forms(parser)


TABLES = Command("tables", "list the tables of the documents, or describe one", _tables, _tables_arguments)
SQL = Command("sql", "ask the tables of the documents by SQL", _sql, _sql_arguments)


class TablesFeature:
    """Registers `find_tables`, `describe_table`, `query_tables`, and the commands `tables` and `sql`. No settings."""

    name = "tables"
    version = "1"

    def register(self, registrar: Registrar, settings: Mapping[str, object]) -> None:
        """Add everything."""
        for tool in (FIND_TABLES, DESCRIBE_TABLE, QUERY_TABLES):
            registrar.tool(tool)
        for command in (TABLES, SQL):
            registrar.command(command)
