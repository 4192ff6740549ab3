"""DOCX with python-docx: headings, lists, tables, pictures and notes in Word's own styles, a table of contents, page
numbers, and the sources at the end."""

import io
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from docx import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Emu, Mm, Pt, RGBColor

from sidecar.api import Code, Equation, Figure, Heading, ListItem, Note, Paragraph, Table
from sidecar_render.office.content import Content, ValueTable, as_table, clean, usable
from sidecar_render.office.footnotes import KINDS, FootnotesPart, Notes
from sidecar_render.office.formulas import displayed
from sidecar_render.office.runs import CODE_FONT, Run, formula_run, reads_right_to_left, runs_of, style_run, with_alerts

_MAX_ROWS = 1000
"""A longer table is none to read in a text; its rest is told of."""
_WIDE = 40
"""Characters beyond which a column of a table breaks its lines."""
_MAX_COLS = 63
"""What Word allows."""
_MAX_DEPTH = 3
_ALERT_COLOURS = {"note": "0969DA", "tip": "1A7F37", "important": "8250DF", "warning": "9A6700", "caution": "CF222E"}
"""GitHub's, of the bar beside an alert."""
_NUMBER = re.compile(r"[-+]?[\d.,\s%€$£]+")


def write_docx(content: Content) -> bytes:
    """The document."""
    return _WordWriter(content).write()


class _WordWriter:
    def __init__(self, content: Content) -> None:
        self._content = content
        self._document: Any = Document()
        self._footnotes = FootnotesPart(self._document)
        self._notes = Notes(())
        self._at = 0
        """The block that is being written, by its place among all."""
        self._bookmarks = 0
        self._last: ListItem | None = None
        self._number_of: dict[int, int] = {}
        """Level of a list → the numbering that its items go on with."""

    def write(self) -> bytes:
        self._prepare()
        content, document = self._content, self._document
        blocks = list(content.blocks)
        if content.title:
            first = blocks[0] if blocks else None
            runs = [Run(clean(content.title))]
            if isinstance(first, Heading | Paragraph) and first.text.strip() == content.title.strip():
                runs = _title_runs(Heading(text=first.text, spans=first.spans))
                del blocks[0]
            self._fill(document.add_paragraph(style="Title"), runs)
        if content.author:
            document.add_paragraph(clean(content.author), style="Subtitle")
        alerts = [*with_alerts(blocks)]
        blocks = [block for _, block in alerts]
        headings = [block for block in blocks if isinstance(block, Heading)]
        headings += [Heading(text=rows.title) for rows in content.rows if rows.title != content.title]
        self._notes = Notes(blocks)
        headings += [Heading(text="Notes")] if self._notes.unreferred() else []
        headings += [Heading(text="Sources")] if content.sources else []
        if content.contents and len(headings) > 2:
            self._contents(headings)
        for self._at, (alert, block) in enumerate(alerts):
            self._add(block, alert)
            self._last = block if isinstance(block, ListItem) else None
        for rows in content.rows:
            self._rows(rows)
        self._closing()
        out = io.BytesIO()
        document.save(out)
        return out.getvalue()

    def _prepare(self) -> None:
        """Styles the template lacks, properties, and page numbers."""
        document, content = self._document, self._content
        properties = document.core_properties
        properties.title, properties.author, properties.comments = content.title, content.author or "DocSidecar", ""
        code = document.styles.add_style("Code", WD_STYLE_TYPE.PARAGRAPH)
        code.font.name, code.font.size = CODE_FONT, Pt(9)
        code.paragraph_format.space_after = Pt(0)
        link = document.styles.add_style("Hyperlink", WD_STYLE_TYPE.CHARACTER)
        link.font.color.rgb, link.font.underline = RGBColor(0x05, 0x63, 0xC1), True
        for level in range(1, _MAX_DEPTH + 1):
            style = document.styles.add_style(f"toc {level}", WD_STYLE_TYPE.PARAGRAPH)
            style.paragraph_format.left_indent = Pt(14 * (level - 1))
            style.paragraph_format.space_after = Pt(3)
        page = document.sections[0]
        page.page_width, page.page_height = Mm(210), Mm(297)
        page.left_margin = page.right_margin = Mm(25)
        footer = page.footer.paragraphs[0]
        footer.alignment = WD_ALIGN_PARAGRAPH.CENTER
        _page_number(footer)

    def _contents(self, headings: Sequence[Heading]) -> None:
        """A field that Word can bring up to date, with its entries written out as links (without page numbers, which
        only a program that lays out pages knows: switch \\n)."""
        self._document.add_paragraph("Contents", style="TOC Heading")
        listed = [(n, one) for n, one in enumerate(headings, 1) if one.level <= _MAX_DEPTH]
        highest = min((one.level for _, one in listed), default=1)
        paragraph: Any = None
        for place, (number, heading) in enumerate(listed):
            paragraph = self._document.add_paragraph(style=f"toc {heading.level - highest + 1}")
            if not place:
                _mark(paragraph, "begin")
                _instruction(paragraph, ' TOC \\o "1-3" \\n \\h \\z \\u ')
                _mark(paragraph, "separate")
            text = "".join(run.text for run in _title_runs(heading) if not run.note)
            self._link(paragraph, Run(text or " "), anchor=f"_Toc{number}")
        if paragraph is not None:
            _mark(paragraph, "end")
            paragraph.paragraph_format.space_after = Pt(18)

    def _add(self, block: Any, alert: str) -> None:
        match block:
            case Heading():
                self._heading(_title_runs(block), block.level)
            case Paragraph(text=text, style=style) if text.strip():
                name = {"quote": "Quote", "caption": "Caption", "title": "Title", "subtitle": "Subtitle"}.get(style, "")
                paragraph = self._paragraph(block, name or "Normal")
                if alert:
                    _mark_alert(paragraph, alert)
            case ListItem():
                self._item(block)
            case Code(text=text):
                for line in clean(text).split("\n"):
                    self._document.add_paragraph(line, style="Code")
                self._document.add_paragraph()
            case Equation():
                self._equation(block)
            case Figure():
                self._figure(block)
            case Table() if block.rows:
                self._table(block)
            case Note():
                self._note(block)
            case _:
                pass

    def _equation(self, equation: Equation) -> None:
        paragraph = self._document.add_paragraph(style="Normal")
        run = formula_run(equation.latex, equation.text or equation.latex)
        if run.formula is not None:
            paragraph._p.append(displayed(run.formula))
        else:
            self._fill(paragraph, [run])
            paragraph.alignment = WD_ALIGN_PARAGRAPH.CENTER
        if equation.label:
            paragraph.add_run(f"\t{clean(equation.label)}")

    def _heading(self, runs: Sequence[Run], level: int) -> None:
        paragraph = self._document.add_heading("", min(max(level, 1), 9))
        self._fill(paragraph, runs)
        self._bookmarks += 1
        for kind in ("Start", "End"):
            mark = OxmlElement(f"w:bookmark{kind}")
            mark.set(qn("w:id"), str(self._bookmarks))
            if kind == "Start":
                mark.set(qn("w:name"), f"_Toc{self._bookmarks}")
            paragraph._p.append(mark)

    def _paragraph(self, block: Any, style: str) -> Any:
        paragraph = self._document.add_paragraph(style=style)
        self._fill(paragraph, runs_of(block.text, block.spans))
        return paragraph

    def _fill(self, paragraph: Any, runs: Sequence[Run]) -> None:
        rtl = reads_right_to_left("".join(run.text for run in runs))
        if rtl:
            paragraph._p.get_or_add_pPr().append(OxmlElement("w:bidi"))
        for run in runs:
            if run.formula is not None:
                paragraph._p.append(run.formula)
                continue
            note = self._notes.find(run.note, self._at) if run.note else None
            if note is not None:
                self._reference(paragraph, note)
                continue
            if run.link:
                self._link(paragraph, run)
                continue
            made = paragraph.add_run(run.text)
            style_run(made, run.formatting)
            made.font.rtl = rtl or None
            made.font.strike = "strike" in run.formatting or None
            made.font.superscript = bool(run.formatting & {"sup", "note"}) or None
            made.font.subscript = "sub" in run.formatting or None

    def _reference(self, paragraph: Any, note: Note) -> None:
        """The mark of a footnote; where the text refers to it again, its number."""
        number = self._footnotes.number(note)
        if number is not None:
            paragraph.add_run(str(number), style="footnote reference")
            return
        lines = self._footnotes.paragraphs(note)
        number = self._footnotes.number(note)
        mark = OxmlElement("w:footnoteReference")
        mark.set(qn("w:id"), str(number))
        paragraph.add_run(style="footnote reference")._r.append(mark)
        for line, runs in zip(lines, _parted(runs_of(note.text, note.spans)), strict=False):
            self._fill(line, [replace(run, note="") for run in runs])

    def _link(self, paragraph: Any, run: Run, anchor: str = "") -> None:
        node = OxmlElement("w:hyperlink")
        if anchor:
            node.set(qn("w:anchor"), anchor)
        else:
            node.set(qn("r:id"), paragraph.part.relate_to(run.link, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
        made = paragraph.add_run(run.text, style=None if anchor else "Hyperlink")
        style_run(made, run.formatting)
        node.append(made._r)
        paragraph._p.append(node)

    def _item(self, item: ListItem) -> None:
        level = min(item.level, _MAX_DEPTH - 1)
        kind = "List Number" if item.ordered else "List Bullet"
        paragraph = self._paragraph(item, f"{kind} {level + 1}" if level else kind)
        if item.marker in ("☐", "☑"):
            paragraph.runs[0].text = f"{item.marker} {paragraph.runs[0].text}"
        if not item.ordered:
            return
        last = self._last
        if last is None or last.level < item.level or (last.level == item.level and not last.ordered):
            self._number_of.pop(level, None)
        if level not in self._number_of:
            start = re.match(r"\d{1,5}", item.marker)
            self._number_of[level] = self._restarted(paragraph.style, int(start[0]) if start else 1)
        numbering = paragraph._p.get_or_add_pPr().get_or_add_numPr()
        numbering.get_or_add_ilvl().val = 0
        numbering.get_or_add_numId().val = self._number_of[level]

    def _restarted(self, style: Any, start: int) -> int:
        """A numbering of its own for a list, as the style's, beginning with `start`."""
        numbering = self._document.part.numbering_part.element
        known = style.element.pPr.numPr.numId.val
        abstract = next(num.abstractNumId.val for num in numbering.num_lst if num.numId == known)
        made = numbering.add_num(abstract)
        made.add_lvlOverride(ilvl=0).add_startOverride(start)
        return int(made.numId)

    def _figure(self, figure: Figure) -> None:
        picture = usable(self._content.pictures.get(figure.source))
        caption = figure.caption or figure.alt
        if picture is None:
            if caption or figure.text:
                self._document.add_paragraph(clean(f"[{caption or figure.text}]"), style="Normal")
            return
        section = self._document.sections[0]
        room = section.page_width - section.left_margin - section.right_margin
        height = section.page_height * 6 // 10
        scale = min(room / picture.width, height / picture.height, 9525.0)  # 9,525 EMU are a pixel at 96 an inch
        paragraph = self._document.add_paragraph()
        paragraph.alignment = WD_ALIGN_PARAGRAPH.CENTER
        paragraph.paragraph_format.keep_with_next = bool(caption)
        shown = paragraph.add_run().add_picture(io.BytesIO(picture.data), Emu(int(picture.width * scale)))
        shown._inline.docPr.set("descr", clean(figure.alt or caption))
        if caption:
            self._document.add_paragraph(clean(caption), style="Caption").alignment = WD_ALIGN_PARAGRAPH.CENTER

    def _rows(self, rows: ValueTable) -> None:
        if rows.title != self._content.title:
            self._heading([Run(clean(rows.title))], 1)
        self._table(as_table(rows))

    def _table(self, table: Table) -> None:
        if table.caption:
            self._document.add_paragraph(clean(table.caption), style="Caption")
        width = min(max(map(len, table.rows)), _MAX_COLS)
        spans = {(cell.row, cell.col): cell.spans for cell in table.cells if cell.spans}
        kept = table.rows[:_MAX_ROWS]
        made = self._document.add_table(rows=len(kept), cols=width, style="Table Grid")
        for r, (row, line) in enumerate(zip(kept, made._tbl.tr_lst, strict=True)):
            head = r < table.header_rows
            if head:
                line.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
            for c, cell in enumerate(line.tc_lst):
                text = row[c] if c < len(row) else ""
                self._cell(cell, runs_of(text, spans.get((r, c), ())), head=head)
        self._widths(made, kept, width)
        if len(table.rows) > len(kept):
            rest = f"{len(table.rows) - len(kept):,} more rows are not shown; export the table as XLSX or CSV."
            self._content.remarks.append(rest)
            self._document.add_paragraph(rest, style="Caption")
        self._document.add_paragraph()

    def _widths(self, made: Any, rows: Sequence[Sequence[str]], width: int) -> None:
        """Columns as wide as their texts ask for, none narrower than its longest word as far as there is room."""
        section = self._document.sections[0]
        room = section.page_width - section.left_margin - section.right_margin
        texts = [[row[col] for row in rows if col < len(row)] for col in range(width)]
        words = [max((len(word) for text in own for word in text.split()), default=1) + 2 for own in texts]
        wanted = [min(max(map(len, own), default=1) + 2, _WIDE) for own in texts]
        asked = [max(word, want) for word, want in zip(words, wanted, strict=True)]
        for column, chars in zip(made.columns, asked, strict=True):
            column.width = Emu(int(room * chars / sum(asked)))

    def _cell(self, cell: Any, runs: Sequence[Run], *, head: bool) -> None:
        from docx.text.paragraph import Paragraph as Line

        line: Any = Line(cell.p_lst[0], self._document._body)
        line.paragraph_format.space_after = Pt(0)
        if head:
            shade = OxmlElement("w:shd")
            for name, value in (("val", "clear"), ("color", "auto"), ("fill", "DDE6F0")):
                shade.set(qn(f"w:{name}"), value)
            cell.get_or_add_tcPr().append(shade)
            runs = [Run(run.text, run.formatting | {"bold"}, run.link) for run in runs]
        elif _NUMBER.fullmatch("".join(run.text for run in runs)):
            line.alignment = WD_ALIGN_PARAGRAPH.RIGHT
        self._fill(line, runs)

    def _note(self, note: Note) -> None:
        if note.kind not in (*KINDS, "header", "footer") and note.text.strip():
            who = f"{note.author}: " if note.author else ""
            self._document.add_paragraph(clean(f"[{who}{note.text}]"), style="Quote")

    def _closing(self) -> None:
        """Notes and sources, as the text refers to them."""
        notes = self._notes.unreferred()
        if notes:
            self._heading([Run("Notes")], 1)
            for note in notes:
                self._document.add_paragraph(clean(f"[{note.id}] {note.text}"))
        if self._content.sources:
            self._heading([Run("Sources")], 1)
            for number, source in enumerate(self._content.sources, 1):
                line = self._document.add_paragraph()
                place = f", {source.place}" if source.place else ""
                line.add_run(clean(f"[{number}] {source.title}{place}. {source.uri} "))
                if source.link:
                    self._link(line, Run("Open the file", link=source.link))


def _mark_alert(paragraph: Any, kind: str) -> None:
    """A bar of its colour beside one of GitHub's alerts."""
    border = OxmlElement("w:left")
    for name, value in (("val", "single"), ("sz", "24"), ("space", "8"), ("color", _ALERT_COLOURS[kind])):
        border.set(qn(f"w:{name}"), value)
    borders = OxmlElement("w:pBdr")
    borders.append(border)
    paragraph._p.get_or_add_pPr().insert_element_before(
        borders, "w:shd", "w:tabs", "w:suppressAutoHyphens", "w:bidi", "w:spacing", "w:ind", "w:jc", "w:rPr"
    )


def _title_runs(heading: Heading) -> list[Run]:
    """A heading behind its number, without the looks of its words, which its style has."""
    number = [Run(f"{clean(heading.number)} ")] if heading.number else []
    return number + [
        replace(run, formatting=run.formatting & {"note"}, link="") for run in runs_of(heading.text, heading.spans)
    ]


def _parted(runs: Sequence[Run]) -> list[list[Run]]:
    """The runs of each line of a text."""
    lines: list[list[Run]] = [[]]
    for run in runs:
        first, *more = run.text.split("\n")
        lines[-1].append(replace(run, text=first))
        lines += [[replace(run, text=line)] for line in more]
    return lines


def _page_number(paragraph: Any) -> None:
    _mark(paragraph, "begin")
    _instruction(paragraph, " PAGE ")
    _mark(paragraph, "separate")
    paragraph.add_run("1")
    _mark(paragraph, "end")


def _mark(paragraph: Any, kind: str) -> None:
    mark = OxmlElement("w:fldChar")
    mark.set(qn("w:fldCharType"), kind)
    paragraph.add_run()._r.append(mark)


def _instruction(paragraph: Any, text: str) -> None:
    node = OxmlElement("w:instrText")
    node.set(qn("xml:space"), "preserve")
    node.text = text
    paragraph.add_run()._r.append(node)
