"""Words in the pictures of documents are recognised after everything else, and found, read and told as such."""

from __future__ import annotations

import asyncio
import io
import zipfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from docx import Document
from docx.shared import Inches
from mcp.client.client import Client
from openpyxl import Workbook
from openpyxl.drawing.image import Image as SheetImage
from PIL import Image, ImageDraw, ImageFont
from pptx import Presentation
from pptx.util import Inches as SlideInches
from support.clients.harness import in_process, text_of, until
from support.formats.pdf_builder import Pdf, lines, rgb_image

from sidecar.api import Limits

WORDS = "Torque curve of the quokka pump"


def drawn(words: str = WORDS, size: tuple[int, int] = (900, 120), *, camera: bool = False) -> io.BytesIO:
    """A PNG, or a JPEG with an exposure time, that shows the words."""
    image = Image.new("RGB", size, "white")
    ImageDraw.Draw(image).text((20, 30), words, fill="black", font=ImageFont.load_default(48))
    out = io.BytesIO()
    if camera:
        exif = Image.Exif()
        exif.get_ifd(0x8769)[0x829A] = 0.01
        image.save(out, "JPEG", exif=exif)
    else:
        image.save(out, "PNG")
    out.seek(0)
    return out


def manual(*pictures: io.BytesIO, text: str = "How the machine is set up.") -> bytes:
    document = Document()
    document.add_heading("Setting up", 1)
    document.add_paragraph(text)
    for picture in pictures:
        document.add_picture(picture, Inches(4))
    return saved(document)


def deck(picture: io.BytesIO, slides: int = 1) -> bytes:
    shown = Presentation()
    for _ in range(slides):
        shapes = shown.slides.add_slide(shown.slide_layouts[6]).shapes
        shapes.add_picture(picture, SlideInches(0), SlideInches(0), SlideInches(8))
    return saved(shown)


def sheet(picture: io.BytesIO) -> bytes:
    book = Workbook()
    page = book.worksheets[0]
    page["A1"] = "Pumps"
    page.add_image(SheetImage(picture), "C3")
    return saved(book)


def guide(picture: io.BytesIO) -> bytes:
    """A PDF whose second page shows the picture under a line of text."""
    pdf = Pdf()
    pdf.page(lines(72, 720, ["The pumps are set up as told overleaf."]))
    shown = pdf.add(rgb_image(Image.open(picture)))
    placed = "q 450 0 0 60 72 600 cm /Im0 Do Q\n"
    pdf.page(lines(72, 720, ["How the machine is set up."]) + placed, images={"Im0": shown})
    return pdf.bytes()


def zipped(**members: bytes) -> bytes:
    """An archive of these members, called by what stands for a dot."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("__", "."), data)
    return out.getvalue()


def saved(document: Any) -> bytes:
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


@asynccontextmanager
async def running(folder: Path, data: Path, **limits: Any) -> AsyncGenerator[Client]:
    """A client of an index of the folder that has come to rest."""
    async with in_process(folder, data, limits=Limits(**limits)) as (application, server, _):
        indexing = asyncio.create_task(application.indexer.run())
        try:
            async with Client(server, mode="auto") as client:

                async def settled() -> bool:
                    return (await told(client, "get_library_status"))["state"] == "idle"

                await until(settled)
                yield client
        finally:
            indexing.cancel()
            await asyncio.gather(indexing, return_exceptions=True)


async def told(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, text_of(answer)
    return answer.structured_content or {}


async def test_words_in_a_picture_are_found_where_the_picture_stands(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    makers = {"manual.docx": manual, "deck.pptx": deck, "book.xlsx": sheet, "guide.pdf": guide}
    for name, make in makers.items():
        (folder / name).write_bytes(make(drawn()))
    parts = {
        "manual": "section://manual/setting-up", "deck": "slide://deck/1", "book": "sheet://book/",
        "guide": "page://guide/2",
    }  # fmt: skip
    async with running(folder, tmp_path / "data") as client:
        for slug, part in parts.items():
            of_slug = {"query": "quokka pump torque", "document_slug": slug}
            (hit, *_) = (await told(client, "search_documents", **of_slug))["results"]
            assert hit["uri"].startswith(part)
            assert "Torque" in text_of(await client.call_tool("read", {"uri": f"document://{slug}.md"}))
            details = await told(client, "get_document_info", document_slug=slug)
            (notice,) = [one for one in details["notices"] if "OCR" in one["message"]]
            assert notice["message"] == "The words of 1 picture were read by OCR and may hold mistakes."
            (element, *_) = (await told(client, "search_visual_elements", **of_slug))["results"]
            label = element["element_label"]
            element = await told(client, "get_element_details", document_slug=slug, element_label=label)
            assert "quokka pump" in element["text"]


async def test_words_in_pictures_of_members_of_archives_are_found(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    members = {
        "manual__docx": manual(drawn()),
        "guide__pdf": guide(drawn()),
        "shown__png": drawn().getvalue(),
        "inner__zip": zipped(within__docx=manual(drawn())),
    }
    (folder / "papers.zip").write_bytes(zipped(notes__txt=b"Nothing is told of pumps here.", **members))
    async with running(folder, tmp_path / "data") as client:
        for slug in ("manual", "guide", "shown", "within"):
            assert (await told(client, "search_documents", query="quokka pump torque", document_slug=slug))["results"]
        assert (await told(client, "search_documents", query="nothing told of pumps"))["results"]
    async with running(folder, tmp_path / "without", ocr=False) as client:
        assert not (await told(client, "search_documents", query="quokka torque"))["results"]


async def test_a_list_tells_only_of_documents_whose_whole_text_is_recognised(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "manual.docx").write_bytes(manual(drawn()))
    (folder / "deck.pptx").write_bytes(deck(drawn()))
    async with running(folder, tmp_path / "data") as client:
        lines = text_of(await client.call_tool("list_documents", {})).splitlines()
        assert [("manual:" in line, "text by OCR" in line) for line in lines if ": " in line[:12]] in (
            [(True, False), (False, True)], [(False, True), (True, False)],
        )  # fmt: skip


async def test_logos_icons_photographs_and_noise_are_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "logo.pptx").write_bytes(deck(drawn(), slides=4))
    (folder / "icon.docx").write_bytes(manual(drawn("quokka", (80, 38))))
    (folder / "photo.docx").write_bytes(manual(drawn(camera=True)))
    (folder / "noise.docx").write_bytes(manual(drawn("I . | ' I . I", (900, 120))))
    async with running(folder, tmp_path / "data") as client:
        assert not (await told(client, "search_documents", query="quokka torque"))["results"]
        for slug in ("logo", "icon", "photo", "noise"):
            assert "notices" not in await told(client, "get_document_info", document_slug=slug)
            assert "\n> " not in text_of(await client.call_tool("read", {"uri": f"document://{slug}.md"}))


async def test_without_ocr_and_with_broken_pictures_the_rest_is_there(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "manual.docx").write_bytes(manual(drawn(), drawn("Setting of the valve")))
    whole = (folder / "manual.docx").read_bytes()
    async with running(folder, tmp_path / "data", ocr=False) as client:
        assert (await told(client, "search_documents", query="machine"))["results"]
        assert not (await told(client, "search_documents", query="quokka"))["results"]
    cut = drawn().getvalue()[:200]
    (folder / "manual.docx").write_bytes(whole.replace(drawn().getvalue()[:200], cut[:100] + bytes(100)))
    async with running(folder, tmp_path / "data2") as client:
        assert (await told(client, "search_documents", query="machine set up"))["results"]
        assert "valve" in text_of(await client.call_tool("read", {"uri": "document://manual.md"}))


def painted(kind: str) -> Image.Image:
    """A picture of that kind, without words."""
    if kind == "photo":  # no two pixels beside one another are alike
        image = Image.radial_gradient("L").resize((320, 240))
        return Image.merge("RGB", (image, image.rotate(90).resize(image.size), Image.effect_noise(image.size, 90)))
    image = Image.new("RGB", (300, 120), "white")
    draw = ImageDraw.Draw(image)
    draw.ellipse((20, 10, 120, 110), fill="#d02020")
    draw.rectangle((140, 40, 280, 80), fill="#2030c0")
    return image


async def test_a_picture_is_found_by_what_it_looks_like(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    for name in ("photo", "logo"):
        out = io.BytesIO()
        painted(name).save(out, "PNG")
        out.seek(0)
        (folder / f"a{name}.docx").write_bytes(manual(out))
    async with running(folder, tmp_path / "data") as client:
        for query, kind in {"photograph": "photo", "red logo": "logo", "blue icon": "logo"}.items():
            (found, *_) = (await told(client, "search_visual_elements", query=query))["results"]
            assert found["document_slug"] == f"a{kind}", query


async def test_a_picture_is_found_by_headings_title_and_the_name_of_its_file(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    (folder / "pictures").mkdir(parents=True)
    shown = '<img src="pictures/{}_2.png" alt="shown">'
    (folder / "guide.html").write_text(
        "<title>The wombat guide</title><h1>Calibration</h1>"
        "<p>How it is set up.</p><p>Three steps.</p><p>The third is last.</p><p>Go on.</p>"
        + shown.format("harbourCrane")
    )
    (folder / "other.html").write_text(f"<title>Notes</title><h1>Storage</h1>{shown.format('image17')}")
    async with running(folder, tmp_path / "data") as client:
        for query in ("calibration wombat", "figure of the wombat guide", "harbour crane"):
            found = (await told(client, "search_visual_elements", query=query))["results"]
            assert [one["document_slug"] for one in found] == ["guide"], query
