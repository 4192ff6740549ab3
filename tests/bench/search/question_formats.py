"""What the documents of `questions.py` from the second set on are written with: one way a format."""

from __future__ import annotations

import json
import random
import re
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from mimetypes import guess_type
from pathlib import Path
from typing import Any, cast

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[2]))

import docx
import openpyxl
import pptx
from docx.document import Document
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.text.paragraph import Paragraph
from openpyxl.comments import Comment
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.shapes.graphfrm import GraphicFrame
from pptx.slide import Slide
from pptx.util import Inches
from question_documents import make_mail, make_workbook, place
from support.formats.pdf_builder import Pdf, text

Small = Sequence[tuple[str, str]]
"""Subjects and texts of mails, with {d} for a day."""
_MAILS = 60
_CHANGE = re.compile(r"\[-(.*?)-\]\[\+(.*?)\+\]")
_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"


def build_set(which: str, folder: Path) -> Path:
    """The documents of `question_documents{which}.json`: by format what is asked for and what stands beside it. Texts
    that are all alike, of which nothing is asked, are its `others`, or made of its `series`."""
    made = json.loads((Path(__file__).parent / "data" / f"question_documents{which}.json").read_text("utf-8"))
    choose = random.Random(made["seed"])
    others: dict[str, str] = made.get("others", {})
    others |= (one for series in made.get("series", ()) for one in _series(choose, series))
    first = date.fromisoformat(made["first"])
    return build(folder, made, others, made["host"], small=made["talk"], seed=made["seed"] + 1, first=first)


def _series(choose: random.Random, series: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Names and texts, a day each: whatever is `with` them is one of a list, or a number from the first to the second
    of two."""
    start, step = series.get("number", (1, 1))
    for at in range(series["count"]):
        said: dict[str, Any] = {
            key: choose.randint(*some) if isinstance(some[0], int) else choose.choice(some)
            for key, some in series["with"].items()
        }
        said["day"] = date.fromisoformat(series["first"]) + timedelta(days=at * series["every"])
        said["number"] = start + at * step
        yield series["name"].format(**said), series["text"].format(**said)


def build(
    folder: Path, made: Mapping[str, Any], others: Mapping[str, str], host: str, *, small: Small, seed: int, first: date
) -> Path:
    """`folder` with what is `made` by format, `others` beside it as texts by name, and mails of the `host`: those made,
    then the `small` talk of the same people, every sixth day from the `first` on. Nothing is written where it is there
    already."""
    if folder.exists():
        return folder
    for name, content in {**made["texts"], **others}.items():
        place(folder, name).write_text(content, "utf-8")
    for name, document in made["word"].items():
        _word(place(folder, name), **document)
    for name, sheets in made["sheets"].items():
        make_workbook(place(folder, name), sheets)
    for name, slides in made["decks"].items():
        _deck(place(folder, name), slides)
    for name, pages in made["pdfs"].items():
        place(folder, name).write_bytes(_pdf(pages))
    for name, paragraphs in made["odts"].items():
        _odt(place(folder, name), paragraphs)
    for name, rows in made.get("ods", {}).items():
        _spreadsheet(place(folder, name), rows)
    for name, book in made.get("epubs", {}).items():
        _book(place(folder, name), **book)
    for name, cells in made["notebooks"].items():
        place(folder, name).write_text(json.dumps(_notebook(cells)), "utf-8")
    people = sorted({mail[0] for mail in made["mails"]})
    for number, mail in enumerate([*made["mails"], *_talk(small, people, seed, first)], 1):
        place(folder, f"post/{number:03d}.eml").write_bytes(make_mail(*mail, host=host))
    _carried(folder, made, host)
    return folder


def _carried(folder: Path, made: Mapping[str, Any], host: str) -> None:
    """What other files carry: remarks on cells, members of archives, files attached to mails."""
    for name, remarks in made.get("notes", {}).items():
        _remark(folder / name, remarks)
    for name, members in made.get("zips", {}).items():
        with zipfile.ZipFile(place(folder, name), "w") as archive:
            for member, content in members.items():
                archive.writestr(member, content)
    for name, (*mail, files) in made.get("letters", {}).items():
        place(folder, name).write_bytes(_letter(mail, files, host))


def _remark(path: Path, remarks: Sequence[tuple[str, str, str, str]]) -> None:
    """Remarks on cells of a workbook that is there: sheet, cell, author, text."""
    book = openpyxl.load_workbook(path)
    for sheet, cell, author, said in remarks:
        book[sheet][cell].comment = Comment(said, author)
    book.save(path)


def _letter(mail: Sequence[str], files: Mapping[str, str], host: str) -> bytes:
    """A mail that carries files."""
    message: Any = message_from_bytes(make_mail(*mail, host=host), EmailMessage, policy=default)
    for name, content in files.items():
        kind, _, subtype = (guess_type(name)[0] or "text/plain").partition("/")
        message.add_attachment(content.encode(), maintype=kind, subtype=subtype, filename=name)
    return bytes(message)


def _word(path: Path, title: str, paragraphs: Sequence[Sequence[Any]], editor: str, comments: Sequence[Any]) -> None:
    """`[-old-][+new+]` in a paragraph is a tracked change of the editor; "h": heading, "c": caption, "t": table."""
    document = docx.Document()
    document.core_properties.title = title
    for style, content in paragraphs:
        if style == "h":
            document.add_heading(content, 1)
            continue
        if style == "t":
            _table(document, content)
            continue
        change = _CHANGE.search(content)
        added = document.add_paragraph(
            content[: change.start()] if change else content, style="Caption" if style == "c" else None
        )
        if change:
            _revise(added, change[1], change[2], editor)
            added.add_run(content[change.end() :])
        for part, author, remark in comments:
            if part in content:
                document.add_comment(added.runs, remark, author)
    document.save(str(path))


def _table(document: Document, rows: Sequence[Sequence[str]]) -> None:
    table = document.add_table(len(rows), len(rows[0]))
    for row, said in zip(table.rows, rows, strict=True):
        for cell, one in zip(row.cells, said, strict=True):
            cell.text = one


def _revise(paragraph: Paragraph, old: str, new: str, editor: str) -> None:
    for tag, holder, said in (("w:del", "w:delText", old), ("w:ins", "w:t", new)):
        change = OxmlElement(tag)
        for name, value in (("w:id", "7"), ("w:author", editor), ("w:date", "2024-05-02T09:00:00Z")):
            change.set(qn(name), value)
        run, words = OxmlElement("w:r"), OxmlElement(holder)
        words.text = said
        run.append(words)
        change.append(run)
        # python-docx has no other way to a revision
        paragraph._p.append(change)  # pyright: ignore[reportPrivateUsage]


def _deck(path: Path, slides: Sequence[tuple[str, str, str]]) -> None:
    """A body `#chart title|categories|name:numbers` is a column chart."""
    deck = pptx.Presentation()
    for title, body, notes in slides:
        slide = deck.slides.add_slide(deck.slide_layouts[5 if body.startswith("#chart") else 1])
        assert slide.shapes.title is not None
        slide.shapes.title.text = title
        if body.startswith("#chart"):
            _chart(slide, *body.removeprefix("#chart ").split("|"))
        else:
            slide.placeholders[1].text = body  # pyright: ignore[reportAttributeAccessIssue]
        if notes:
            slide.notes_slide.notes_text_frame.text = notes  # pyright: ignore[reportOptionalMemberAccess]
    deck.save(str(path))


def _chart(slide: Slide, title: str, categories: str, series: str) -> None:
    data = CategoryChartData()
    data.categories = categories.split(",")
    name, numbers = series.split(":")
    data.add_series(name, [float(number) for number in numbers.split(",")])
    kind, place = XL_CHART_TYPE.COLUMN_CLUSTERED, (Inches(1), Inches(2), Inches(7), Inches(4))
    chart = cast("GraphicFrame", slide.shapes.add_chart(kind, *place, data)).chart  # pyright: ignore[reportArgumentType]
    chart.has_title = True
    chart.chart_title.text_frame.text = title


def _pdf(pages: Sequence[Sequence[str]]) -> bytes:
    """Pages of lines; a line of at most two words stands as a heading over its paragraph, the first as the title."""
    file = Pdf()
    for lines in pages:
        y, content = 720.0, ""
        for number, line in enumerate(lines):
            heading = len(line.split()) < 3 or (number == 0 and file.pages == [])
            content += text(72, y, line, size=15 if heading else 11, font="F2" if heading else "F1")
            y -= 24 if heading else 14
        file.page(content)
    return file.bytes()


def _odt(path: Path, paragraphs: Sequence[str]) -> None:
    head, *rest = paragraphs
    body = f'<text:h text:outline-level="1">{head}</text:h>' + "".join(f"<text:p>{one}</text:p>" for one in rest)
    names = " ".join(f'xmlns:{one}="{_OASIS}{one}:1.0"' for one in ("office", "text"))
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        package.writestr(
            "content.xml",
            f"<office:document-content {names}><office:body><office:text>{body}</office:text></office:body>"
            "</office:document-content>",
        )


def _notebook(cells: Sequence[tuple[str, str]]) -> Mapping[str, Any]:
    code = {"outputs": [], "execution_count": None}
    made = [
        {"cell_type": kind, "metadata": {}, "source": source} | (code if kind == "code" else {})
        for kind, source in cells
    ]
    return {"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": made}


def _spreadsheet(path: Path, rows: Sequence[Sequence[str]]) -> None:
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


def _book(path: Path, title: str, chapters: Sequence[tuple[str, str]]) -> None:
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


def _talk(small: Small, people: Sequence[str], seed: int, first: date) -> Iterator[Sequence[str]]:
    choose = random.Random(seed)
    for number in range(_MAILS):
        subject, body = choose.choice(small)
        day = first + timedelta(days=number * 6)
        one, other = choose.sample(people, 2)
        yield one, other, day.isoformat(), subject, body.format(d=f"{day:%d.%m.}")
