"""The tables of HTML that records of XML are made into: those of plans and of translations."""

from collections.abc import Sequence
from itertools import chain

from sidecar.toolkit.text.strings import NO_XML
from sidecar.toolkit.xml import XmlElement, etree


def add_table(body: XmlElement, title: str, head: Sequence[str], rows: Sequence[Sequence[str | None]]) -> None:
    """A heading, where there is a title, and a table of the columns that say something; nothing without rows."""
    if not rows:
        return
    if title:
        etree.SubElement(body, "h2").text = title
    table = etree.SubElement(body, "table")
    shown = [at for at in range(len(head)) if any(row[at] for row in rows)]
    for tag, cells in chain([("th", head)], (("td", row) for row in rows)):
        line = etree.SubElement(table, "tr")
        for at in shown:
            # An export in lines of text may hold what XML has not.
            etree.SubElement(line, tag).text = NO_XML.sub("", cells[at] or "")
