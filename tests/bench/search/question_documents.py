"""The documents that `questions.py` asks about: the folder of a small made-up firm, in the formats and languages of a
real one, made anew for every run. Every fact asked for stands in one document; others of its kind stand beside it.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import docx
import openpyxl
import pptx

Chapters = Sequence[tuple[str, str]]
Rows = Sequence[Sequence[object]]

_WEEKS = 40
_INVOICES = 30
_SEED = 20


def build(folder: Path) -> Path:
    """`folder`, with all documents below it; nothing is written where it is there already."""
    if folder.exists():
        return folder
    made = json.loads((Path(__file__).parent / "data" / "question_documents.json").read_text("utf-8"))
    for name, text in {**made["texts"], **_invoices(), **_weekly()}.items():
        place(folder, name).write_text(text, "utf-8")
    for name, document in made["word"].items():
        _docx(place(folder, name), **document)
    for name, sheets in made["sheets"].items():
        make_workbook(place(folder, name), sheets)
    for name, slides in made["decks"].items():
        _pptx(place(folder, name), slides)
    people = sorted({mail[0] for mail in made["mails"]})
    for number, mail in enumerate([*made["mails"], *_small_talk(people)], 1):
        place(folder, f"mail/{number:03d}.eml").write_bytes(make_mail(*mail))
    for number, path in enumerate(sorted(folder.rglob("*.*"))):
        moment = 1_700_000_000 + 977 * (number * 7919 % 1000)  # changed in no order of their names
        os.utime(path, (moment, moment))
    return folder


def place(folder: Path, name: str) -> Path:
    """Where a document goes; its folder is made."""
    place = folder / name
    place.parent.mkdir(parents=True, exist_ok=True)
    return place


def _docx(path: Path, title: str, chapters: Chapters, comments: Sequence[tuple[str, str, str]]) -> None:
    document = docx.Document()
    document.core_properties.title = title
    document.add_heading(title, 0)
    for heading, text in chapters:
        document.add_heading(heading, 1)
        for paragraph in text.split("\n"):
            added = document.add_paragraph(paragraph)
            for part, author, comment in comments:
                if part in paragraph:
                    document.add_comment(added.runs, comment, author, "".join(word[0] for word in author.split()))
    document.save(str(path))


def make_workbook(path: Path, sheets: dict[str, Rows]) -> None:
    """A workbook of these sheets."""
    book = openpyxl.Workbook()
    del book["Sheet"]
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    book.save(path)


def _pptx(path: Path, slides: Sequence[tuple[str, str, str]]) -> None:
    deck = pptx.Presentation()
    for title, body, notes in slides:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        assert slide.shapes.title is not None
        slide.shapes.title.text = title
        slide.placeholders[1].text = body  # pyright: ignore[reportAttributeAccessIssue]
        if notes:
            slide.notes_slide.notes_text_frame.text = notes  # pyright: ignore[reportOptionalMemberAccess]
    deck.save(str(path))


def make_mail(sender: str, to: str, date: str, subject: str, body: str, *, host: str = "halden.example") -> bytes:
    """A mail of the day `date` (ISO 8601) between two people of one firm."""
    message = EmailMessage()
    message["From"] = f"{sender} <{sender.split(maxsplit=1)[0].lower()}@{host}>"
    message["To"] = f"{to} <{to.split(maxsplit=1)[0].lower()}@{host}>"
    message["Date"] = datetime.fromisoformat(date).replace(tzinfo=UTC)
    message["Subject"] = subject
    message.set_content(body)
    return bytes(message)


def _weekly() -> dict[str, str]:
    """Reports that say a little of everything: what a real folder is full of."""
    choose = random.Random(_SEED)
    topics = [
        "The rotor line ran {n} hours without a stop.", "{n} customers asked for spare parts.",
        "The supplier of bearings promised delivery within {n} days.", "Travel was booked for {n} colleagues.",
        "The security team closed {n} tickets.", "Two invoices over {n} euros are still open.",
        "Training on the new centrifuge took {n} hours.", "The budget of the quarter is used to {n} percent.",
        "The audit asked for {n} documents.", "{n} applicants were interviewed for the firmware team.",
        "The warehouse counted {n} pallets.", "Maintenance of the test bench was moved by {n} days.",
    ]  # fmt: skip
    reports: dict[str, str] = {}
    for week in range(1, _WEEKS + 1):
        lines = [choose.choice(topics).format(n=choose.randint(2, 90)) for _ in range(9)]
        reports[f"reports/week-{week:02d}.md"] = (
            f"# Weekly report {week}\n\n## Production\n\n{' '.join(lines[:3])}\n\n"
            f"## Office\n\n{' '.join(lines[3:6])}\n\n## Outlook\n\n{' '.join(lines[6:])}\n"
        )
    return reports


def _invoices() -> dict[str, str]:
    choose = random.Random(_SEED + 1)
    goods = ["rotor bearings", "printed forms", "cleaning of the halls", "calibration weights", "cable harnesses",
             "catering", "translation of manuals", "steel sheets", "packaging foam", "license renewal"]  # fmt: skip
    firms = ["Altmann GmbH", "Corvid Ltd", "Sato Seiki", "Delacroix SARL", "Pine & Daughters", "Orbital Print"]
    made: dict[str, str] = {}
    for number in range(301, 301 + _INVOICES):
        date = datetime(2024, 3, 1, tzinfo=UTC) + timedelta(days=5 * (number - 301))
        name = f"INV-2024-{number:04d}"
        made[f"finance/invoices/{name}.html"] = (
            f"<html><head><title>Invoice {name}</title></head><body><h1>Invoice {name}</h1>"
            f"<p>From {firms[number % len(firms)]}, {date:%d %B %Y}. Purchase order PO-{7000 + number * 3}.</p>"
            f"<table><tr><th>Item</th><th>Amount</th></tr><tr><td>{goods[number * 7 % len(goods)]}</td>"
            f"<td>{choose.randint(200, 9000)} EUR</td></tr></table><p>Payable within 30 days.</p></body></html>"
        )
    return made


def _small_talk(people: Sequence[str]) -> Iterator[Sequence[str]]:
    """Mails that every firm is full of, one a week."""
    choose = random.Random(_SEED + 2)
    small = [
        ("Lunch", "Shall we have lunch at noon on {d}?"), ("Parking", "The car park is closed on {d}."),
        ("Badge", "My badge does not open the side entrance since {d}."), ("Plants", "Who waters the plants on {d}?"),
        ("Room", "The large room is taken on {d}, please take the small one."),
    ]  # fmt: skip
    for number in range(45):
        subject, body = choose.choice(small)
        day = (datetime(2024, 1, 8, tzinfo=UTC) + timedelta(days=number * 7)).date()
        one, other = choose.sample(people, 2)
        yield one, other, day.isoformat(), subject, body.format(d=f"{day:%d %B}")
