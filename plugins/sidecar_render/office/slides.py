"""PPTX with python-pptx: an outline as slides, a heading each, lists and tables on them, longer text in their notes."""

import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pptx import Presentation
from pptx.enum.text import PP_ALIGN
from pptx.util import Emu, Inches, Pt

from sidecar.api import AnyBlock, Code, Equation, Figure, Heading, ListItem, Note, Paragraph, Span, Table
from sidecar_render.office.content import Content, Usable, as_table, clean, usable
from sidecar_render.office.runs import Run, formula_run, reads_right_to_left, runs_of, style_run, with_alerts

_WIDTH, _HEIGHT = Inches(13.333), Inches(7.5)
_TEMPLATE_WIDTH = Inches(10)
_LEFT, _TOP, _ROOM_WIDE, _ROOM_HIGH = Inches(0.7), Inches(1.75), Inches(11.9), Inches(5.0)
_LINES, _LINE_CHARS = 11, 84
"""What fits a slide at the sizes used here: this many lines of this many characters."""
_TABLE_ROWS, _TABLE_COLS, _TABLE_SLIDES = 11, 8, 5
_CELL_CHARS = 120
_SHORT = 320
"""Text up to this long stands on its slide, where there is no list; longer text is for who speaks."""
_SECTION = 2
"""The layout "Section Header" of python-pptx's template."""
_SIZES = (Pt(20), Pt(18), Pt(16))
_MAX_SLIDES = 500


@dataclass(frozen=True)
class _SlideLine:
    """A line of a slide's text; `level` -1 is text without a bullet."""

    text: str
    spans: Sequence[Span] = ()
    level: int = -1
    code: bool = False
    marker: str = ""

    @property
    def height(self) -> int:
        room = _LINE_CHARS - 6 * max(self.level, 0)
        return sum(max(math.ceil(len(piece) / room), 1) for piece in self.text.split("\n"))


@dataclass
class _Topic:
    """A heading and what stands under it."""

    title: str
    lines: list[_SlideLine] = field(default_factory=list[_SlideLine])
    texts: list[Paragraph] = field(default_factory=list[Paragraph])
    notes: list[str] = field(default_factory=list[str])
    tables: list[Table] = field(default_factory=list[Table])
    pictures: list[tuple[Usable, str]] = field(default_factory=list[tuple[Usable, str]])


def write_pptx(content: Content) -> tuple[bytes, int]:
    """The presentation, and how many slides it has."""
    deck: Any = Presentation()
    _widen(deck)
    deck.core_properties.title, deck.core_properties.author = content.title, content.author or "DocSidecar"
    topics = list(_topics(content))
    first = topics[0] if topics else None
    if content.title:
        opening = first if first is not None and first.title == content.title and not _fills(first) else None
        _title_slide(deck, content, opening)
        topics = topics[1:] if opening is not None else topics
    for topic in topics:
        _topic_slides(deck, topic, content)
    if content.sources:
        lines = [_SlideLine(f"[{n}] {one.title}{', ' + one.place if one.place else ''} – {one.uri}")
                 for n, one in enumerate(content.sources, 1)]  # fmt: skip
        _topic_slides(deck, _Topic("Sources", lines), content)
    out = io.BytesIO()
    deck.save(out)
    return out.getvalue(), len(deck.slides)


def _widen(deck: Any) -> None:
    """The template's 4:3 as 16:9: every placeholder of its layouts as much wider as the slide."""
    deck.slide_width, deck.slide_height = _WIDTH, _HEIGHT
    for holder in (deck.slide_master, *deck.slide_layouts):
        for shape in holder.shapes:
            transform = shape._element.spPr.find(".//{http://schemas.openxmlformats.org/drawingml/2006/main}xfrm")
            if transform is not None:
                shape.left = Emu(int(shape.left * _WIDTH / _TEMPLATE_WIDTH))
                shape.width = Emu(int(shape.width * _WIDTH / _TEMPLATE_WIDTH))


def _topics(content: Content) -> Iterator[_Topic]:
    """The content slide by slide: every heading begins one."""
    topic = _Topic("")
    for alert, block in with_alerts(content.blocks):
        if isinstance(block, Heading):
            if topic.title or _fills(topic) or topic.texts:
                yield topic
            text = "".join(run.text for run in runs_of(block.text, block.spans))
            topic = _Topic(clean(f"{block.number} {text}".strip()))
        else:
            _add_block(topic, block, content, alert=alert)
    if topic.title or _fills(topic) or topic.texts:
        yield topic
    for rows in content.rows:
        yield _Topic(rows.title, tables=[as_table(rows)])


def _add_block(topic: _Topic, block: AnyBlock, content: Content, *, alert: str) -> None:
    match block:
        case ListItem():
            marker = block.marker if block.ordered or block.marker in ("☐", "☑") else ""
            topic.lines.append(_SlideLine(block.text, block.spans, min(block.level, 2), marker=marker))
        case Paragraph(text=text) if text.strip():
            if not alert and text.lower().startswith(("notes:", "note:", "speaker notes:")):
                topic.notes.append(text.partition(":")[2].strip())
            else:
                topic.texts.append(block)
        case Code(text=text):
            topic.lines += [_SlideLine(line, code=True) for line in text.split("\n")]
        case Equation():
            topic.lines.append(_SlideLine(formula_run(block.latex, block.text or block.latex).text))
        case Table() if block.rows:
            topic.tables.append(block)
        case Note(text=text, kind=kind) if text.strip() and kind not in ("header", "footer"):
            topic.notes.append(text)
        case Figure():
            _take_picture(topic, block, content)
        case _:
            pass


def _take_picture(topic: _Topic, block: Figure, content: Content) -> None:
    picture = usable(content.pictures.get(block.source))
    if picture is not None:
        topic.pictures.append((picture, block.alt or block.caption))
    elif block.alt or block.caption:
        topic.notes.append(f"[{block.caption or block.alt}]")


def _fills(topic: _Topic) -> bool:
    return bool(topic.lines or topic.tables or topic.pictures)


def _title_slide(deck: Any, content: Content, topic: _Topic | None) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[0])
    slide.shapes.title.text = clean(content.title)
    texts = [text.text for text in topic.texts] if topic is not None else []
    under = content.author or (texts.pop(0) if texts and len(texts[0]) <= _SHORT else "")
    if under:
        slide.placeholders[1].text = clean(under)
    else:
        slide.placeholders[1]._element.getparent().remove(slide.placeholders[1]._element)
    _add_notes(slide, [*texts, *(topic.notes if topic is not None else [])])


def _topic_slides(deck: Any, topic: _Topic, content: Content) -> None:
    """The slides of a topic: its lines in as many as they need, then its tables and pictures."""
    lines, notes = list(topic.lines), list(topic.notes)
    if not _fills(topic):
        while topic.texts and len(topic.texts[0].text) <= _SHORT and sum(line.height for line in lines) < _LINES - 3:
            text = topic.texts.pop(0)
            lines.append(_SlideLine(text.text, text.spans))
    notes[:0] = [text.text for text in topic.texts]
    pages = _paged(lines)
    slides = [_text_slide(deck, topic.title, page, number) for number, page in enumerate(pages)]
    for table in topic.tables:
        slides += _table_slides(deck, topic.title, table, content, len(slides))
    for picture, caption in topic.pictures:
        slides.append(_picture_slide(deck, topic.title, picture, caption, len(slides)))
    if not slides:
        slides = [_section_slide(deck, topic.title)]
    _add_notes(slides[0], notes)
    if len(deck.slides) > _MAX_SLIDES:
        content.remarks.append(f"A presentation of {len(deck.slides):,} slides is more than anybody shows.")


def _paged(lines: Sequence[_SlideLine]) -> list[list[_SlideLine]]:
    pages: list[list[_SlideLine]] = []
    room = 0
    for line in lines:
        if not pages or line.height > room:
            pages.append([])
            room = _LINES
        pages[-1].append(line)
        room -= line.height
    return pages


def _new_slide(deck: Any, layout: int, title: str, number: int) -> Any:
    slide = deck.slides.add_slide(deck.slide_layouts[layout])
    text = f"{title} ({number + 1})" if number and title else title
    slide.shapes.title.text = text
    for paragraph in slide.shapes.title.text_frame.paragraphs:
        paragraph.font.size = Pt(32 if len(text) <= 45 else 24 if len(text) <= 100 else 18)
    return slide


def _section_slide(deck: Any, title: str) -> Any:
    """A heading that stands over others only."""
    slide = _new_slide(deck, _SECTION, title, 0)
    for holder in [one for one in slide.placeholders if one.placeholder_format.idx]:
        holder._element.getparent().remove(holder._element)
    for run in [run for line in slide.shapes.title.text_frame.paragraphs for run in line.runs]:
        run._r.get_or_add_rPr().set("cap", "none")  # the layout has capitals, which no name of a file is
    return slide


def _text_slide(deck: Any, title: str, lines: Sequence[_SlideLine], number: int) -> Any:
    bulleted = any(line.level >= 0 for line in lines)
    slide = _new_slide(deck, 1 if bulleted else 5, title, number)
    if bulleted:
        body = slide.placeholders[1]
    elif lines:
        body = slide.shapes.add_textbox(_LEFT, _TOP, _ROOM_WIDE, _ROOM_HIGH)
    else:
        return slide
    frame = body.text_frame
    frame.word_wrap = True
    for index, line in enumerate(lines):
        paragraph = frame.paragraphs[0] if index == 0 else frame.add_paragraph()
        paragraph.level = max(line.level, 0)
        paragraph.space_after = Pt(0 if line.code else 6)
        if bulleted and (line.level < 0 or line.marker):
            _no_bullet(paragraph)
        runs = runs_of(line.text, line.spans)
        if line.marker:
            runs.insert(0, Run(f"{line.marker} "))
        _fill(paragraph, runs, Pt(14) if line.code else _SIZES[max(line.level, 0)], code=line.code)
    return slide


def _fill(paragraph: Any, runs: Sequence[Run], size: Any, *, code: bool) -> None:
    if reads_right_to_left("".join(run.text for run in runs)):
        paragraph._p.get_or_add_pPr().set("rtl", "1")
        paragraph.alignment = PP_ALIGN.RIGHT
    for run in runs:
        made = paragraph.add_run()
        made.text = run.text.replace("\n", "\v")
        made.font.size = size
        style_run(made, run.formatting | ({"code"} if code else frozenset()))
        if run.link:
            made.hyperlink.address = run.link


def _no_bullet(paragraph: Any) -> None:
    properties = paragraph._p.get_or_add_pPr()
    properties.set("marL", str(Inches(0.3) * (paragraph.level + 1)))
    properties.set("indent", "0")
    properties.insert(0, properties.makeelement("{http://schemas.openxmlformats.org/drawingml/2006/main}buNone", {}))


def _table_slides(deck: Any, title: str, table: Table, content: Content, number: int) -> list[Any]:
    heads, rows = table.rows[: table.header_rows], table.rows[table.header_rows :]
    width = min(max(map(len, table.rows)), _TABLE_COLS)
    room = max(_TABLE_ROWS - len(heads), 1)
    spans = {(cell.row, cell.col): cell.spans for cell in table.cells if cell.spans}
    slides: list[Any] = []
    for start in range(0, max(len(rows), 1), room):
        if len(slides) == _TABLE_SLIDES:
            content.remarks.append(f"{title or 'A table'}: {len(rows) - start:,} more rows are on no slide.")
            break
        slide = _new_slide(deck, 5, title, number + len(slides))
        slides.append(slide)
        shown = [*heads, *rows[start : start + room]]
        made = slide.shapes.add_table(len(shown), width, _LEFT, _TOP, _ROOM_WIDE, Inches(0.4) * len(shown)).table
        made.first_row = bool(heads)
        for r, row in enumerate(shown):
            for c in range(width):
                place = (r if r < len(heads) else r + start, c)
                text = "".join(run.text for run in runs_of(row[c] if c < len(row) else "", spans.get(place, ())))
                cell = made.cell(r, c)
                cell.text = clean(text if len(text) <= _CELL_CHARS else text[: _CELL_CHARS - 1] + "…")
                for paragraph in cell.text_frame.paragraphs:
                    paragraph.font.size = Pt(12)
    if max(map(len, table.rows)) > width:
        content.remarks.append(f"{title or 'A table'}: only the first {width} columns are on its slides.")
    return slides


def _picture_slide(deck: Any, title: str, picture: Usable, caption: str, number: int) -> Any:
    slide = _new_slide(deck, 5, title, number)
    scale = min(_ROOM_WIDE / picture.width, _ROOM_HIGH / picture.height)
    width, height = int(picture.width * scale), int(picture.height * scale)
    left = _LEFT + (_ROOM_WIDE - width) // 2
    shape = slide.shapes.add_picture(io.BytesIO(picture.data), left, _TOP, width, height)
    shape._element._nvXxPr.cNvPr.set("descr", clean(caption))
    return slide


def _add_notes(slide: Any, notes: Sequence[str]) -> None:
    if notes:
        slide.notes_slide.notes_text_frame.text = clean("\n".join(notes))
