"""The documents that `questions.py --fourth` asks about: the repository of a message broker and the office of a
consultancy that share one folder, in five languages and twenty formats, made anew for every run. Beside the facts asked
for stand tickets, invoices and mails that say other things in the same words.
"""

from __future__ import annotations

import json
import random
import sys
import zipfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from question_documents import place
from question_documents_second import write

_SEED = 131
_TICKETS = 60
_INVOICES = 60
_MAILS = 60
_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
_TALK = (
    ("Build", "The build of {d} is red again."), ("Kaffeemaschine", "Seit dem {d} tropft die Kaffeemaschine."),
    ("Clé du local", "J'ai rendu la clé du local le {d}."), ("Standup", "No standup on {d}, I am at the dentist."),
    ("Aparcamiento", "El {d} no se puede aparcar en el patio."), ("歓迎会", "{d}に歓迎会があります。"),
)  # fmt: skip


def build(folder: Path) -> Path:
    """`folder`, with all documents below it; nothing is written where it is there already."""
    if folder.exists():
        return folder
    made = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    people = sorted({mail[0] for mail in made["mails"]})
    write(folder, made, {**_tickets(), **_invoices()}, _talk(people), "orrin.example")
    for name, rows in made["ods"].items():
        make_spreadsheet(place(folder, name), rows)
    for name, book in made["epubs"].items():
        make_book(place(folder, name), **book)
    return folder


def make_spreadsheet(path: Path, rows: Sequence[Sequence[str]]) -> None:
    """An OpenDocument spreadsheet of texts."""
    cells = "".join(
        "<table:table-row>"
        + "".join(
            f'<table:table-cell office:value-type="string"><text:p>{one}</text:p></table:table-cell>' for one in row
        )
        + "</table:table-row>"
        for row in rows
    )
    names = " ".join(f'xmlns:{one}="{_OASIS}{one}:1.0"' for one in ("office", "table", "text"))
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        package.writestr(
            "content.xml",
            f"<office:document-content {names}><office:body><office:spreadsheet>"
            f'<table:table table:name="List">{cells}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
        )


def make_book(path: Path, title: str, chapters: Sequence[tuple[str, str]]) -> None:
    """An EPUB of chapters, each a heading and a text."""
    items: list[str] = []
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("mimetype", "application/epub+zip")
        package.writestr(
            "META-INF/container.xml",
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>'
            '<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
        )
        for number, (head, text) in enumerate(chapters, 1):
            items.append(f"c{number}")
            page = f"<head><title>{head}</title></head><body><h1>{head}</h1><p>{text}</p></body>"
            package.writestr(f"c{number}.xhtml", f'<html xmlns="http://www.w3.org/1999/xhtml">{page}</html>')
        manifest = "".join(f'<item id="{one}" href="{one}.xhtml" media-type="application/xhtml+xml"/>' for one in items)
        spine = "".join(f'<itemref idref="{one}"/>' for one in items)
        package.writestr(
            "book.opf",
            '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata '
            f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title></metadata>'
            f"<manifest>{manifest}</manifest><spine>{spine}</spine></package>",
        )


def _tickets() -> dict[str, str]:
    """Tickets that are all alike."""
    choose = random.Random(_SEED)
    parts = ["broker", "gateway", "janitor", "console", "client", "operator", "snapshot job"]
    faults = ["restarts after {n} minutes", "logs {n} warnings", "needs {n} seconds to answer", "loses {n} messages"]
    states = ["open", "closed as duplicate", "waiting for the reporter", "fixed"]
    made: dict[str, str] = {}
    for number in range(_TICKETS):
        key, part = f"LQ-{1200 + number * 13}", choose.choice(parts)
        fault = choose.choice(faults).format(n=choose.randint(2, 90))
        made[f"larkmq/tickets/{key}.md"] = (
            f"# {key}: {part} {fault}\n\nSeen on lark-node-{choose.randint(10, 40)} with version "
            f"3.{choose.randint(0, 9)}.{choose.randint(0, 9)}.\n\n## State\n\n{choose.choice(states).capitalize()}.\n"
        )
    return made


def _invoices() -> dict[str, str]:
    """Invoices of other years that are all alike."""
    choose = random.Random(_SEED + 1)
    clients = ["Halvorsen Shipping AS", "Polarbyte", "Stadtwerke Murnau", "Teatro Olmo", "Norden Re"]
    works = ["workshop", "travel", "study of the market", "interviews", "coaching"]
    made: dict[str, str] = {}
    for number in range(_INVOICES):
        key = f"OV-{choose.randint(19, 23)}-{100 + number * 7:04d}"
        made[f"office/invoices/old/{key}.txt"] = (
            f"Invoice {key}\n\n{choose.choice(clients)}\n\n{choose.choice(works).capitalize()}, "
            f"{choose.randint(1, 20)} days, {choose.randint(8, 200) * 100} euros net.\n\nPayable within thirty days.\n"
        )
    return made


def _talk(people: Sequence[str]) -> Iterator[Sequence[Any]]:
    choose = random.Random(_SEED + 2)
    for number in range(_MAILS):
        subject, body = choose.choice(_TALK)
        day = (datetime(2024, 1, 4, tzinfo=UTC) + timedelta(days=number * 6)).date()
        one, other = choose.sample(people, 2)
        yield one, other, day.isoformat(), subject, body.format(d=f"{day:%d.%m.}")
