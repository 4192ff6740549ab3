"""The worker's entry: gathers blocks and rows of an export and hands them to the writer of its format."""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from sidecar.api import AnyBlock, Figure, Heading, Table, UsageError, decode_blocks, format_uri
from sidecar.toolkit.cell_references import CellRange, requested_range
from sidecar.toolkit.markup.markdown import markdown_parser, read_markdown
from sidecar.toolkit.markup.pictures import Pictures
from sidecar_render.markdown.front_matter import FrontMatterError, open_document
from sidecar_render.markdown.inlines import title_text
from sidecar_render.model import Diagnostic, Rendering
from sidecar_render.office.content import Content, Export, Section

_MAX_PICTURES = 300
_NOT_COMPUTED = "formula, not computed"


def write(export: Export) -> Rendering:
    """The file's bytes; several for a CSV of several tables. Raises UsageError."""
    content = _gather(export)
    if not content.blocks and not content.rows:
        raise UsageError("There is nothing to export in it.")
    pages = 1
    if export.form == "XLSX":
        from sidecar_render.office.sheets import write_xlsx

        data, pages = write_xlsx(content)
        items = (data,)
    elif export.form == "CSV":
        from sidecar_render.office.sheets import write_csv

        items = write_csv(content)
        pages = len(items)
    elif export.form == "DOCX":
        from sidecar_render.office.word import write_docx

        items = (write_docx(content),)
    else:
        from sidecar_render.office.slides import write_pptx

        data, pages = write_pptx(content)
        items = (data,)
    warnings = tuple(Diagnostic(remark, "warning") for remark in dict.fromkeys(content.remarks))
    return Rendering(items, pages, content.title, warnings)


def shown_pictures(export: Export) -> list[str]:
    """The library URIs of the pictures that an export shows, each once."""
    found = {block.source: None for block in _gather(export).blocks if isinstance(block, Figure) and block.source}
    return [uri for uri in found if "://" in uri and not uri.startswith(("http", "data:", "file:"))][:_MAX_PICTURES]


def _gather(export: Export) -> Content:
    """What is exported, read. Hidden blocks are left out, which is said."""
    title, author, blocks = export.title, "", list[AnyBlock]()
    if export.markdown:
        fields, blocks = _read(export.markdown)
        title = title or title_text(fields.get("title", ""))
        author = fields.get("author", "")
    content = Content(title, author, blocks, export.rows, export.sources, export.pictures, export.contents)
    content.remarks += export.remarks
    hidden = 0
    for section in export.sections:
        if section.title:
            content.blocks.append(Heading(text=section.title, level=1))
        for block in _section(section):
            if block.hidden:
                hidden += 1
            else:
                content.blocks.append(_with_uncalculated(block) if isinstance(block, Table) else block)
    if hidden:
        content.remarks.append(f"{hidden:,} hidden passage{' was' if hidden == 1 else 's were'} left out.")
    first = content.blocks[0] if content.blocks else None
    if isinstance(first, Heading) and first.level == 1 and not content.title:
        content.title = first.text
    return content


def _read(markdown: str) -> tuple[Mapping[str, str], list[AnyBlock]]:
    try:
        document = open_document(markdown)
        fields = {str(key).lower(): str(value) for key, value in document.fields.items() if isinstance(value, str)}
        body = document.body
    except FrontMatterError:
        fields, body = {}, markdown
    return fields, read_markdown(markdown_parser(), body, Pictures(_MAX_PICTURES))


def _section(section: Section) -> Iterator[AnyBlock]:
    if section.markdown:
        yield from _read(section.markdown)[1]
    area = requested_range(section.area) if section.area else None
    for data in section.segments:
        for block in decode_blocks(data):
            if isinstance(block, Table) and area is not None:
                cut = _cut(block, area)
                if cut is not None:
                    yield cut
            elif area is None:
                yield _addressed(block, section.doc)


def _addressed(block: AnyBlock, doc: str) -> AnyBlock:
    """A figure whose picture lies in a document, with the picture's URI."""
    if isinstance(block, Figure) and block.embed is not None and block.embed[0] in ("image", "chart"):
        return Figure(
            embed=block.embed, alt=block.alt, caption=block.caption, text=block.text, hidden=block.hidden,
            source=format_uri(block.embed[0], doc, block.embed[1]),
        )  # fmt: skip
    return block


def _with_uncalculated(table: Table) -> Table:
    """The table with words where a cell is empty only because nobody has calculated its formula."""
    silent = {(cell.row, cell.col) for cell in table.cells if cell.state == "not_computed"}
    if not silent:
        return table
    rows = tuple(
        tuple(text or (_NOT_COMPUTED if (r, c) in silent else "") for c, text in enumerate(row))
        for r, row in enumerate(table.rows)
    )
    return replace(table, rows=rows)


def _cut(table: Table, area: CellRange) -> Table | None:
    """The part of a window that lies in a range; None where they have nothing in common."""
    top, left = max(area.top - table.first_row, 0), max(area.left - table.first_col, 0)
    bottom, right = area.bottom - table.first_row + 1, area.right - table.first_col + 1
    rows = tuple(row[left:right] for row in table.rows[top:bottom]) if bottom > 0 and right > 0 else ()
    if not any(any(row) for row in rows):
        return None
    cells = tuple(
        replace(cell, row=cell.row - top, col=cell.col - left)
        for cell in table.cells
        if top <= cell.row < bottom and left <= cell.col < right
    )
    return Table(
        rows=rows, header_rows=max(table.header_rows - top, 0), first_row=table.first_row + top,
        first_col=table.first_col + left, cells=cells, caption=table.caption, name=table.name,
    )  # fmt: skip
