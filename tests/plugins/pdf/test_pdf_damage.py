"""PDFs that are broken, hostile or huge: a valid document or one clear `FormatError`, and never a hang."""

from __future__ import annotations

import os
import random
import sys
import threading
import zlib
from pathlib import Path

import pytest
from sidecar_pdf import PdfFormat
from support.formats.corpus import DOCS
from support.formats.pdf_builder import Pdf, drawing, gray_image, grid, lines, text

from sidecar.api import DamagedError, EncryptedError, FormatError, LimitError, Limits, ParsedDocument, Source

QUICK = Limits(ocr=False, max_seconds=30)
SHARES = 6
"""The corpus is read in as many tests, which several processes of pytest share."""


def parse(data: bytes, limits: Limits = QUICK) -> ParsedDocument:
    return PdfFormat().parse(Source.of_bytes(data, "made.pdf"), limits)


def sample() -> bytes:
    pdf = Pdf()
    image = pdf.add(gray_image())
    for number in range(3):
        pdf.page(
            lines(72, 740, [f"Page {number} has a line of text on it", "and another one under it."])
            + grid([72, 150, 250], [600, 620, 640]) + text(80, 606, "cell") + text(160, 626, "other")
            + drawing(72, 400, 200, 100) + text(72, 380, "Figure 1. Drawn")
            + "q 50 0 0 50 400 400 cm /I1 Do Q",
            images={"I1": image},
        )  # fmt: skip
    return pdf.bytes()


def test_score_goes_by_content_first() -> None:
    plugin = PdfFormat()
    assert plugin.score(Source.of_bytes(b"\n\n%PDF-1.4\n", "x.bin")) == 100
    assert plugin.score(Source.of_bytes(b"\n\njunk %PDF-1.4\n", "x.pdf")) == 100
    assert plugin.score(Source.of_bytes(b"\0\1junk %PDF-1.4\n", "x.bin")) == 45, "less than a suffix, more than nothing"
    assert plugin.score(Source.of_bytes(b"\n\njunk %PDF-1.4\n", "x.bin")) == 0, "a text that mentions PDF is a text"
    assert plugin.score(Source.of_bytes(b"hello", "x.pdf")) == 50
    assert plugin.score(Source.of_bytes(b"hello", "x.txt")) == 0
    assert plugin.score(Source.of_bytes(b"", "x")) == 0


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7\n", b"hello world", b"%PDF-1.7\n" + bytes(range(256)) * 20])
def test_what_is_no_pdf_is_damaged(data: bytes) -> None:
    with pytest.raises(DamagedError, match=r"made\.pdf"):
        parse(data)


def test_every_truncation_and_flip_is_a_document_or_a_format_error() -> None:
    whole = sample()
    chance = random.Random(7)
    outcomes = {"read": 0, "refused": 0}
    for trial in range(120):
        data = bytearray(whole)
        if trial % 3 == 0:
            data = data[: chance.randrange(len(data))]
        else:
            for _ in range(chance.choice((1, 8, 60))):
                data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            document = parse(bytes(data))
        except FormatError:
            outcomes["refused"] += 1
        else:
            outcomes["read"] += 1
            assert document.parts
    assert min(outcomes.values()) > 0


def test_a_document_without_pages_is_damaged() -> None:
    with pytest.raises(DamagedError):
        parse(Pdf().bytes())


def test_a_page_tree_that_contains_itself_ends() -> None:
    pdf = Pdf()
    page = pdf.page(text(72, 700, "Only page"))
    data = pdf.bytes().replace(
        f"/Kids [{page} 0 R] /Count 1".encode(), f"/Kids [{page} 0 R 2 0 R] /Count 900000".encode()
    )
    try:
        document = parse(data)
    except FormatError:
        return
    assert len(document.parts) <= 64 + 16
    assert "Only page" in str(document.parts[0].blocks[0])


def selfish(times: int, *, packed: bool) -> Pdf:
    """A page with a form that draws itself."""
    pdf = Pdf()
    number = len(pdf.objects) + 1
    content = "q 1 0 0 1 5 5 cm /X1 Do Q 0 0 m 40 90 l S " * times
    pack = "/Filter /FlateDecode" if packed else ""
    body = zlib.compress(content.encode()) if packed else content
    pdf.stream(
        body,
        f"{pack} /Type /XObject /Subtype /Form /BBox [0 0 500 500] /Resources << /XObject << /X1 {number} 0 R >> >>",
    )
    pdf.page(text(72, 700, "Still here") + "/I1 Do", images={"I1": number})
    return pdf


def test_a_form_that_draws_itself_ends() -> None:
    assert "Still here" in str(parse(selfish(1, packed=False).bytes()).parts[0].blocks)


@pytest.mark.parametrize("packed", [True, False])
def test_a_form_that_draws_itself_twice_is_refused_before_it_hangs(packed: bool) -> None:
    with pytest.raises(DamagedError, match="draws itself"):
        parse(selfish(2, packed=packed).bytes())


def nested(levels: int, times: int) -> Pdf:
    """A page with a form that draws a form, and so on, each drawing the next so many times."""
    pdf = Pdf()
    first = len(pdf.objects) + 1
    for level in range(1, levels + 1):
        below = f"/Resources << /XObject << /X {first + level} 0 R >> >>" if level < levels else "/Resources << >>"
        pdf.stream("/X Do " * times, f"/Type /XObject /Subtype /Form /BBox [0 0 500 500] {below}")
    pdf.page(text(72, 700, "Still here") + "/I1 Do", images={"I1": first})
    return pdf


@pytest.mark.parametrize(("levels", "times"), [(26, 2), (4, 200)])
def test_forms_that_draw_forms_millions_of_times_are_refused(levels: int, times: int) -> None:
    with pytest.raises(DamagedError, match="more often than can be shown"):
        parse(nested(levels, times).bytes())


@pytest.mark.parametrize(
    "content", [b"q " * 3_000_000, b"BT /F1 9 Tf (a) Tj ET " * 600_000, b"0 0 9 9 re W n " * 900_000]
)
def test_contents_that_say_one_thing_millions_of_times_are_refused(content: bytes) -> None:
    pdf = Pdf()
    pdf.page(text(72, 700, "Still here"))
    packed = pdf.stream(zlib.compress(content, 9), "/Filter /FlateDecode")
    pdf.objects[pdf.pages[0] - 1] = pdf.objects[pdf.pages[0] - 1].replace(
        b"/Contents", b"/Contents %d 0 R /Was" % packed
    )
    with pytest.raises(DamagedError, match="repeats one drawing"):
        parse(pdf.bytes())


def stamped(times: int, shapes: int, *, packed: bool = True) -> bytes:
    """A page that draws a form of so many shapes so many times."""
    pdf = Pdf()
    form = b"".join(b"%d %d 3 3 re f\n" % (at % 600, at // 600) for at in range(shapes))
    body, pack = (zlib.compress(form, 9), "/Filter /FlateDecode") if packed else (form, "")
    number = pdf.stream(body, f"{pack} /Type /XObject /Subtype /Form /BBox [0 0 500 500] /Resources << >>")
    pdf.page(text(72, 700, "Still here") + "/I1 Do " * times, images={"I1": number})
    return pdf.bytes()


@pytest.mark.parametrize("packed", [True, False])
def test_a_large_form_drawn_thousands_of_times_is_refused(packed: bool) -> None:
    with pytest.raises(DamagedError, match="repeats one drawing"):
        parse(stamped(100_000, 2_000, packed=packed))


def test_a_symbol_drawn_often_is_read() -> None:
    assert "Still here" in str(parse(stamped(2_000, 10)).parts[0].blocks)


def test_a_page_named_thousands_of_times_is_refused() -> None:
    pdf = Pdf()
    pdf.page(text(72, 700, "Still here"))
    pdf.pages *= 3_000
    with pytest.raises(DamagedError, match="one page that is named"):
        parse(pdf.bytes())


def test_text_that_is_a_page_number_alone_is_shown() -> None:
    pdf = Pdf()
    for number in range(1, 4):
        pdf.page(text(300, 30, f"{number}"))
    assert [str(part.blocks[0].text) for part in parse(pdf.bytes()).parts] == ["1", "2", "3"]  # pyright: ignore


def test_forms_in_forms_that_a_page_can_show_are_read() -> None:
    assert "Still here" in str(parse(nested(6, 5).bytes()).parts[0].blocks)


def test_many_pages_stop_at_max_parts_and_say_so() -> None:
    pdf = Pdf()
    for number in range(40):
        pdf.page(text(72, 700, f"page {number}"))
    document = parse(pdf.bytes(), Limits(ocr=False, max_parts=10))
    assert len(document.parts) == 10
    notice = next(notice for notice in document.notices if notice.code == "truncated_at")
    assert "page 10 of 40" in notice.message


def test_reading_stops_when_its_time_is_up() -> None:
    pdf = Pdf()
    for number in range(40):
        pdf.page(text(72, 700, f"page {number}"))
    document = parse(pdf.bytes(), Limits(ocr=False, max_seconds=0.0))
    assert 1 <= len(document.parts) < 40
    assert [notice.code for notice in document.notices] == ["truncated_at"]


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes of POSIX stand for a drive that is slow")
def test_waiting_is_no_reading_time(tmp_path: Path) -> None:
    """A drive that is slow, or a machine that others keep busy, does not cut a document short."""
    pdf, seconds = Pdf(), 0.5
    for number in range(3):
        pdf.page(text(72, 700, f"page {number}"))
    slow = tmp_path / "slow.pdf"
    os.mkfifo(slow)

    def give() -> None:
        with slow.open("wb") as pipe:
            threading.Event().wait(seconds)  # as long as the reader may work in all
            pipe.write(pdf.bytes())

    giving = threading.Thread(target=give)
    giving.start()
    document = PdfFormat().parse(Source(slow, len(pdf.bytes())), Limits(ocr=False, max_seconds=seconds))
    giving.join()
    assert [page.title for page in document.parts] == ["", "", ""]
    assert not document.notices


def test_images_beyond_the_limit_are_left_out_and_counted() -> None:
    pdf = Pdf()
    images = {f"I{at}": pdf.add(gray_image(10 + at)) for at in range(6)}
    pdf.page("".join(f"q 60 0 0 60 {72 + 70 * at} 500 cm /I{at} Do Q\n" for at in range(6)), images=images)
    document = parse(pdf.bytes(), Limits(ocr=False, max_embedded=2))
    assert len(document.embedded) == 2
    assert any("4 images" in notice.message for notice in document.notices)


def test_an_oversize_file_is_a_limit_error() -> None:
    with pytest.raises(LimitError, match="max_file_bytes"):
        parse(sample(), Limits(max_file_bytes=100))


@pytest.mark.parametrize("box", ["0 0 0 0", "0 0 1e9 1e9", "-5000 -5000 5000 5000", "612 792 0 0", "0 0 0.01 0.01"])
def test_any_media_box_can_be_read_and_drawn(box: str) -> None:
    pdf = Pdf()
    pdf.page(text(72, 700, "Somewhere"), box=box)
    assert "Somewhere" in str(parse(pdf.bytes()).parts[0].blocks)
    payload = PdfFormat().picture(Source.of_bytes(pdf.bytes(), "made.pdf"), 1, 144, Limits(max_pixels=500_000))
    assert 1 <= payload.width * payload.height <= 505_000


def test_deep_and_looping_outlines_end() -> None:
    pdf = Pdf()
    page = pdf.page(text(72, 700, "Loop"))
    root = len(pdf.objects) + 1
    pdf.add(f"<< /Type /Outlines /First {root + 1} 0 R /Last {root + 1} 0 R >>")
    pdf.add(f"<< /Title (Loop) /Parent {root} 0 R /Dest [{page} 0 R /Fit] /First {root} 0 R /Next {root + 1} 0 R >>")
    pdf.catalog = f"/Outlines {root} 0 R"
    assert len(parse(pdf.bytes()).parts) == 1


@pytest.mark.corpus
def test_corpus_files_that_need_a_password_are_encrypted() -> None:
    folder = DOCS / "py-pdf__pypdf" / "resources" / "encryption"
    plugin = PdfFormat()
    needs = [path for path in sorted(folder.glob("*.pdf")) if "user" in path.name or "both" in path.name]
    opens = [path for path in sorted(folder.glob("*.pdf")) if "empty" in path.name or path.name == "unencrypted.pdf"]
    assert needs
    assert opens
    for path in needs:
        with pytest.raises(EncryptedError, match="password"):
            plugin.parse(Source.of(path), QUICK)
    for path in opens:
        assert plugin.parse(Source.of(path), QUICK).parts


@pytest.mark.corpus
@pytest.mark.parametrize("share", range(SHARES))
def test_every_corpus_file_is_read_or_refused(share: int) -> None:
    read = 0
    for path in sorted(DOCS.rglob("*.pdf"))[share::SHARES]:
        try:
            document = PdfFormat().parse(Source.of(path), QUICK)
        except FormatError:
            continue
        read += 1
        assert not [notice for notice in document.notices if "layout" in notice.message], path
        for part_number, part in enumerate(document.parts, 1):
            assert part.kind == "page"
            assert all(block.page == part_number for block in part.blocks)
        for element in document.elements:
            part = document.parts[element.part - 1]
            assert 1 <= element.block <= len(part.blocks)
            if element.box is not None:
                assert 0 <= element.box[0] <= element.box[2] <= part.width + 0.1
                assert 0 <= element.box[1] <= element.box[3] <= part.height + 0.1
    assert read > 200 // SHARES
