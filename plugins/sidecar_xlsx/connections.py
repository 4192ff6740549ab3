"""Where the data of a workbook come from: its connections to databases and files (ECMA-376 part 1 §18.13), and the
queries of Power Query, in their language M ([MS-QDEFF] 2.2). Nothing of it is opened or run."""

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final

from sidecar.api import AnyBlock, DamagedError, FormatError, Heading, Limits, Paragraph, Part, Source
from sidecar.toolkit.markup.code import code_blocks
from sidecar.toolkit.ooxml.package import Package, Relationship
from sidecar.toolkit.xml import XmlElement, parse_xml

_CONNECTIONS: Final = "connections"
_MASHUP: Final = b"<DataMashup"
_HEAD_BYTES: Final = 1_000
_FORMULAS: Final = "Formulas/Section1.m"
_SHARED: Final = re.compile(
    r"^shared[ \t]+(?:#\"((?:[^\"\n]|\"\"){1,300}+)\"|([\w.]{1,300}+))[ \t]*=[ \t]*", re.MULTILINE
)
_SECRET: Final = re.compile(r"\b(password|pwd)[ \t]*=[ \t]*(?:\"[^\"]*+\"?|[^;]*+)", re.IGNORECASE)
_OWN: Final = ("Microsoft.Mashup.OleDb", "Data Model Connection")
"""What connections say that lead to queries or the data model of the workbook itself."""
_MAX_CONNECTIONS: Final = 1_000


def connections_part(package: Package, relationships: Mapping[str, Relationship], limits: Limits) -> Part | None:
    """A part that names them, with their commands and queries; None where there are none. Raises DamagedError."""
    blocks = [*_queries(package, limits)]
    for relationship in relationships.values():
        if (
            relationship.type == "connections"
            and relationship.target.endswith(".xml")
            and relationship.target in package
        ):
            for node in [*package.xml(relationship.target).iterchildren("{*}connection")][:_MAX_CONNECTIONS]:
                blocks += _connection(node)
    if not blocks:
        return None
    name = "Queries and connections"
    return Part(kind="sheet", name=name, title=name, metadata={"kind": _CONNECTIONS}, blocks=tuple(blocks))


def _connection(node: XmlElement) -> list[AnyBlock]:
    """Its name, where it leads and what it asks for there; nothing of one that leads into the workbook."""
    way = next(node.iterchildren("{*}dbPr", "{*}webPr", "{*}textPr"), None)
    if way is None:
        return []
    leads = way.get("connection") or way.get("url") or way.get("sourceFile") or node.get("sourceFile") or ""
    if any(own in leads for own in _OWN):
        return []
    command = way.get("command", "")
    facts = [node.get("description", ""), _SECRET.sub(r"\1=…", leads)]
    return [
        Heading(text=node.get("name") or "Connection", level=2),
        *(Paragraph(text=one) for one in facts if one),
        *code_blocks(command, "sql"),
    ]


def _queries(package: Package, limits: Limits) -> Iterator[AnyBlock]:
    """A heading and the text of each query."""
    for name in package.names("customxml/item"):
        data = package.read(name)
        if _MASHUP not in data[:_HEAD_BYTES].replace(b"\0", b""):
            continue
        text = _formulas("".join(parse_xml(data, name).itertext()), limits)
        starts = [*_SHARED.finditer(text)]
        for number, found in enumerate(starts):
            end = starts[number + 1].start() if number + 1 < len(starts) else len(text)
            yield Heading(text=(found[1] or found[2]).replace('""', '"'), level=2)
            yield from code_blocks(text[found.end() : end].strip().removesuffix(";"), "powerquery")


def _formulas(written: str, limits: Limits) -> str:
    """The document of the queries in the packed parts of a mashup ([MS-QDEFF] 2.2: a version, then the length of a zip
    package). Raises DamagedError."""
    try:
        data = base64.b64decode("".join(written.split()))
    except (binascii.Error, ValueError) as error:
        raise DamagedError("The queries of the workbook are damaged.") from error
    inner = data[8 : 8 + int.from_bytes(data[4:8], "little")]
    with suppress(FormatError), Package(Source.of_bytes(inner, "queries.zip"), limits) as mashup:
        return mashup.read(_FORMULAS).decode("utf-8-sig", "replace").replace("\r\n", "\n")
    raise DamagedError("The queries of the workbook are damaged.")
