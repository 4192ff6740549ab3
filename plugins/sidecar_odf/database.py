"""Reads a database of LibreOffice Base (ODF 1.3 part 3 §12): the tables that lie in it as sheets, then its queries, and
the words of its forms and reports. What lies in other files or on servers is named."""

import re

from sidecar.api import FormatError, Limits, Notice, ParsedDocument
from sidecar.toolkit.markup.chapters import elements_of
from sidecar.toolkit.markup.grid import DatabaseSheets
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.xml import XmlElement
from sidecar_odf.hsqldb import read_tables, with_text_rows
from sidecar_odf.names import FORM, OFFICE, TEXT

OFFICE_2004 = "{http://openoffice.org/2004/office}"
"""The namespace of OpenOffice.org 2.0, whose names of databases' parts are today's; they go by these here."""
_RPT = "{http://openoffice.org/2005/report}"
_SESSION = re.compile(r"^/\*C\d+\*/", re.MULTILINE)
"""What the log says before a statement: the connection it came by."""
_FIELD = re.compile(r"field:\[([^\]]*)\]")
_MAX_CELLS = 1_000_000
_LABELS = (f"{FORM}label", f"{FORM}title", f"{FORM}value", f"{FORM}current-value")


def parse_database(package: Package, content: XmlElement, limits: Limits, metadata: dict[str, str]) -> ParsedDocument:
    """The database as a document of sheets; `content` is its `office:database`."""
    sheets = DatabaseSheets(_MAX_CELLS, limits.max_text_chars)
    count = _tables(package, sheets, limits)
    queries = [(_attribute(node, "name"), _attribute(node, "command")) for node in content.iter("{*}query")]
    _listed(sheets, "Queries", ("Query", "SQL"), queries)
    for tag, name in (("forms", "Forms"), ("reports", "Reports")):
        found = [
            (_attribute(node, "name"), _words(package, _attribute(node, "href").lstrip("./"), sheets))
            for group in content.iterchildren("{*}" + tag)
            for node in group.iter("{*}component")
        ]
        _listed(sheets, name, (name[:-1], "Text"), found)
    facts = {"tables": str(count), **_source(content)}
    if queries:
        facts["queries"] = ", ".join(name for name, _ in queries)
    if "database/firebird.fbk" in package or "database/firebird.fdb" in package:
        message = "Its tables are in a Firebird database, which is not read; queries, forms and reports are."
        sheets.notices.append(Notice("unsupported_content", message))
    elif "source" in facts:
        message = f"Its tables lie elsewhere ({facts['source']}) and were not read."
        sheets.notices.append(Notice("external_content", message))
    if any("basic/" in name.lower() for name in package.names()):
        sheets.notices.append(Notice("macros", "The database holds macros; they are not run."))
    parts = tuple(sheets.parts)
    return ParsedDocument(
        metadata=metadata | facts, parts=parts, elements=elements_of(parts), notices=tuple(sheets.notices)
    )


def _attribute(node: XmlElement, name: str) -> str:
    """The attribute of that name, whatever its namespace; "" where there is none."""
    return next((value for key, value in node.items() if key.rpartition("}")[2] == name), "")


def _tables(package: Package, sheets: DatabaseSheets, limits: Limits) -> int:
    """Add the tables of the embedded database; how many it has."""
    if "database/script" not in package:
        return 0
    script = package.read("database/script").decode("utf-8", "replace")
    if "database/log" in package:  # what was changed after the script was written
        log = package.read("database/log").decode("utf-8", "replace")
        script += "\n" + _SESSION.sub("", log)
        if re.search(r"^(?:/\*C\d+\*/)?(?:DELETE|ALTER|DROP)\b", log, re.MULTILINE):
            message = "The database was not closed: rows deleted since may still be shown."
            sheets.notices.append(Notice("damaged_part", message))
    data = package.read("database/data") if "database/data" in package else b""
    settings = package.read("database/properties").decode("latin-1") if "database/properties" in package else ""
    scale = re.search(r"^hsqldb\.cache_file_scale=(\d{1,3})\s*$", settings, re.MULTILINE)
    tables = read_tables(script, data, int(scale[1]) if scale else 1)
    for table, rows in with_text_rows(tables[: limits.max_parts]):
        if not sheets.add(table.name, rows):
            break
        if table.is_cut:
            message = f"Not all rows of {table.name} could be read."
            sheets.notices.append(Notice("damaged_part", message, len(sheets.parts)))
    return len(tables)


def _listed(sheets: DatabaseSheets, name: str, head: tuple[str, str], rows: list[tuple[str, str]]) -> None:
    """A sheet of names, and what is to be said of each."""
    if rows:
        sheets.add(name, ((row, 0) for row in (head, *rows)))


def _words(package: Package, folder: str, sheets: DatabaseSheets) -> str:
    """The words of a form or report, and the names of the fields it shows, a line each."""
    part = f"{folder}/content.xml"
    if not folder or part not in package:
        return ""
    try:
        root = package.xml(part)
    except FormatError as error:
        sheets.notices.append(Notice("damaged_part", str(error)))
        return ""
    found: list[str] = []
    for body in root.iter(f"{OFFICE}body", f"{OFFICE_2004}body"):
        for node in body.iter():
            if not isinstance(node.tag, str):
                continue
            if node.tag in (f"{TEXT}p", f"{TEXT}h"):
                found.append("".join(node.itertext()))
            found += [node.get(label) or "" for label in _LABELS]
            field = _FIELD.fullmatch(node.get(f"{_RPT}formula") or "")
            found.append(f"[{field[1]}]" if field else f"[{bound}]" if (bound := node.get(f"{FORM}data-field")) else "")
    return "\n".join(dict.fromkeys(filter(None, (" ".join(words.split()) for words in found))))


def _source(content: XmlElement) -> dict[str, str]:
    """Where the tables lie, unless it is in the file."""
    for node in content.iter(
        "{*}connection-resource", "{*}file-based-database", "{*}server-database", "{*}data-source"
    ):
        address = _attribute(node, "href") or _attribute(node, "hostname") or _attribute(node, "connection-resource")
        if address and "embedded:" not in address:
            return {"source": address}
    return {}
