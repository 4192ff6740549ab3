"""Writes a notebook's cells as blocks: Markdown read as such, code, and outputs as text, tables, formulas, pictures."""

import base64
import binascii
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from sidecar.api.errors import DamagedError, NotFoundError
from sidecar.api.formats import Limits, Payload, Source
from sidecar.api.model import AnyBlock, ChartData, Code, EmbedKind, Equation, Figure, Paragraph, ParsedDocument
from sidecar.toolkit.hidden import find_hidden, latex_hides
from sidecar.toolkit.markup.chapters import elements_of, place_embeds, split_chapters
from sidecar.toolkit.markup.code import code_blocks
from sidecar.toolkit.markup.markdown import markdown_parser, read_markdown, style_sheets
from sidecar.toolkit.markup.pictures import InnerFile, Pictures, open_data_url, payload
from sidecar.toolkit.ooxml.chart import chart_text
from sidecar.toolkit.pictures import HEAD_BYTES
from sidecar.toolkit.visible import comment_notes, comments_notice, hidden_notice, source_comments
from sidecar_notebook.model import Notebook, Output, read_notebook

_ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*+(?:\x07|\x1b\\)")
_PICTURES = ("image/png", "image/jpeg", "image/svg+xml", "image/gif", "image/webp")
_PAINT = re.compile(r"\x1b\[([\d;]*)m")
_PAPER = ("5", "231"), ("5", "15"), ("2", "255", "255", "255")
"""White of the larger palettes: a notebook's own white is a grey."""
_BRIGHT = 60
"""Between the numbers of a colour and its bright one."""


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The notebook as a document of chapters, cut at the headings of its Markdown cells. Raises FormatError."""
    return _parse(source, limits, "")[0]


def open_embedded(source: Source, ref: str, limits: Limits) -> Payload:
    """A picture: "out:cell:output:type", "att:cell:name" or a `data:` URL. Raises NotFoundError."""
    if ref.startswith("data:"):
        return open_data_url(_parse(source, limits, ref)[1], source.name, ref)
    files = _Files(read_notebook(source.read(limits.max_file_bytes), source.name))
    data = files.data(ref)
    if data:
        return payload(data, files.media_type(ref))
    raise NotFoundError(f"{source.name} holds no embedded file {ref!r}.")


@dataclass(frozen=True)
class _Files:
    """The pictures a notebook holds, by reference."""

    notebook: Notebook
    _cache: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])

    def _entries(self) -> dict[str, tuple[str, str]]:
        if not self._cache:
            for number, cell in enumerate(self.notebook.cells):
                for at, output in enumerate(cell.outputs):
                    for kind in _PICTURES:
                        if kind in output.data:
                            self._cache[f"out:{number}:{at}:{kind}"] = (kind, output.data[kind])
                for name, bundle in cell.attachments:
                    for kind, text in bundle.items():
                        self._cache.setdefault(f"att:{number}:{name}", (kind, text))
        return self._cache

    def data(self, ref: str) -> bytes:
        kind, text = self._entries().get(ref, ("", ""))
        if kind == "image/svg+xml" and text.lstrip().startswith("<"):
            return text.encode()
        try:
            return base64.b64decode(re.sub(r"\s+", "", text) + "==")
        except (binascii.Error, ValueError):
            return b""

    def media_type(self, ref: str) -> str:
        return self._entries().get(ref, ("application/octet-stream", ""))[0]

    def inner(self, ref: str) -> InnerFile | None:
        data = self.data(ref)
        if not data:
            return None
        name = ref.split(":", 2)[2] if ref.startswith("att:") else ""
        return InnerFile(ref, name, self.media_type(ref), len(data), data[:HEAD_BYTES])


def _parse(source: Source, limits: Limits, wanted: str) -> tuple[ParsedDocument, str]:
    notebook = read_notebook(source.read(limits.max_file_bytes), source.name)
    files = _Files(notebook)
    pictures = Pictures(limits.max_embedded, files.inner, wanted)
    parser = markdown_parser()
    # A sheet in any cell or output counts for the whole page.
    sheets = [sheet for cell in notebook.cells if cell.kind == "markdown" for sheet in style_sheets(cell.text)]
    blocks: list[AnyBlock] = []
    comments: list[str] = []
    for number, cell in enumerate(notebook.cells):
        if cell.kind == "markdown":
            text = "#" * cell.level + " " + cell.text if cell.level else cell.text
            for name, _ in cell.attachments:
                text = text.replace(f"attachment:{name}", f"att:{number}:{name}")
            found = source_comments(text, markdown=True)
            blocks += [*read_markdown(parser, text, pictures, sheets), *comment_notes(found)]
            comments += found
        elif cell.kind == "raw":
            blocks += [Paragraph(text=piece.strip()) for piece in re.split(r"\n\s*\n", cell.text) if piece.strip()]
        else:
            blocks += code_blocks(cell.text, notebook.language)
        for at, output in enumerate(cell.outputs):
            written = output.data.get("text/markdown", "")
            found = source_comments(written + output.data.get("text/html", ""), markdown=bool(written))
            blocks += [*_output(output, f"out:{number}:{at}", pictures, sheets), *comment_notes(found)]
            comments += found
    chapters = split_chapters(blocks, notebook.title, limits.max_parts)
    document = ParsedDocument(
        title=chapters.title, metadata={**notebook.metadata, "cells": str(len(notebook.cells))}, parts=chapters.parts,
        elements=elements_of(chapters.parts), embedded=place_embeds(chapters.parts, pictures.embedded),
        notices=(*hidden_notice(blocks), *comments_notice(comments), *pictures.notices()),
    )  # fmt: skip
    return document, pictures.found_url


def _output(output: Output, ref: str, pictures: Pictures, sheets: Sequence[str]) -> list[AnyBlock]:
    """The richest form of an output that a reader of text can use."""
    data = output.data
    written = data.get("text/plain", "").replace("\r\n", "\n")
    written, unseen = _seen_of(written) if "\x1b[" in written else (written, "")
    plain = _ANSI.sub("", written)
    if "\r" in plain:  # a progress bar redraws its line: what it showed last counts
        plain = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in plain.split("\n"))
    if output.kind != "data":
        return [*code_blocks(plain, ""), *([Code(text=unseen, hidden=True)] if unseen.strip() else ())]
    key = next(filter(None, (pictures.add(f"{ref}:{kind}") for kind in _PICTURES if kind in data)), None)
    if output.plot is not None:
        return [_plot(output.plot, key)]
    if key is not None:
        return [Figure(embed=key, alt="" if plain.startswith("<") else plain.strip()[:500])]
    if "text/markdown" in data:
        return read_markdown(markdown_parser(), data["text/markdown"], pictures, sheets)
    html = data.get("text/html", "")
    if html and ("<table" in html.lower() or not plain.strip() or plain.startswith("<")):
        from sidecar.toolkit.markup.html import parse_html, read_html

        try:
            root = parse_html(html, "An output", sheets)
            return read_html(root, pictures, hidden=find_hidden(root))
        except DamagedError:
            return list(code_blocks(plain, ""))
    latex = data.get("text/latex", "").strip()
    if latex:
        formula = latex.strip("$ ")
        return [Equation(text=plain.strip() or formula, latex=formula, hidden=latex_hides(latex))]
    return list(code_blocks(plain, ""))


def _plot(plot: ChartData, picture: tuple[EmbedKind, int] | None) -> Figure:
    """An interactive plot as a figure, with its words and values; `picture` shows it."""
    return Figure(embed=picture, alt=plot.title, text=chart_text(plot))


def _seen_of(text: str) -> tuple[str, str]:
    """The text that is seen of a terminal's output, and the rest, without the sequences that paint: characters may be
    concealed, or painted in the colour of their background (ECMA-48, 8.3.117 SGR)."""
    seen: list[str] = []
    unseen: list[str] = []
    ink, background, concealed = "", "", False
    pieces = _PAINT.split(text)
    for at, piece in enumerate(pieces):
        if at % 2 == 0:
            lost = concealed or (ink == background if background else ink == "paper")
            (unseen if lost else seen).append(piece)
            continue
        codes = piece.split(";")
        while codes:
            code = codes.pop(0)
            number = int(code[:3] or 0)
            if number == 0:
                ink, background, concealed = "", "", False
            elif number in (8, 28):
                concealed = number == 8
            elif number in (38, 48):
                size = 4 if codes[:1] == ["2"] else 2
                given, codes = tuple(codes[:size]), codes[size:]
                colour = "paper" if given in _PAPER else ";".join(given)
                ink, background = (colour, background) if number == 38 else (ink, colour)
            elif number % _BRIGHT in range(30, 40):
                ink = str(number - 30) if number != 39 else ""
            elif number % _BRIGHT in range(40, 50) or number in range(100, 108):
                background = str(number - 40) if number != 49 else ""
    return "".join(seen), "".join(unseen)
