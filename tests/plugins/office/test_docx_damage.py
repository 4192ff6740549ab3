"""Hostile and damaged Word files: each gives a valid document or a FormatError, and keeps what can be kept."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Mapping

import msgspec
import pytest
from sidecar_docx import DocxFormat
from support.formats.processor import processor_limit
from support.office.docx_files import (
    NS,
    cell,
    compound,
    math,
    ole_package,
    package,
    para,
    part,
    row,
    run,
    styled,
    table,
)
from support.trials.docx_trial import token, trial

from sidecar.api import DamagedError, FormatError, LimitError, Limits, Note, Paragraph, ParsedDocument, Source, Table
from sidecar.toolkit.ole.objects import inner_file

FORMAT = DocxFormat()


def parsed(data: bytes, limits: Limits | None = None) -> ParsedDocument:
    return FORMAT.parse(Source.of_bytes(data, "a.docx"), limits or Limits())


def replaced(data: bytes, changes: Mapping[str, bytes | None]) -> bytes:
    """The package with some parts' bytes replaced, or (None) taken out."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as given, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name in given.namelist():
            content = changes.get(name, given.read(name))
            if content is not None:
                made.writestr(name, content)
    return out.getvalue()


def text_of(document: ParsedDocument) -> str:
    return msgspec.json.encode(document).decode()


def nested_tables(levels: int) -> str:
    body = para(token("deep"))
    for _ in range(levels):
        body = table(row(cell(body + para("")), cell("side")))
    return body


@pytest.mark.parametrize("levels", [30, 150, 1000])
def test_tables_nested_without_end_keep_their_innermost_text(levels: int) -> None:
    document = parsed(package(nested_tables(levels) + para("after")))
    if levels <= 600:  # deeper, libxml2 itself cuts the tree (2048 elements)
        assert token("deep") in text_of(document)


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("<w:ins>", "</w:ins>"),
        ("<w:sdt><w:sdtContent>", "</w:sdtContent></w:sdt>"),
        ("<w:hyperlink w:anchor='a'>", "</w:hyperlink>"),
        ("<m:oMath><m:sSup><m:e>", "</m:e></m:sSup></m:oMath>"),
        ("<w:r><mc:AlternateContent><mc:Choice>", "</mc:Choice></mc:AlternateContent></w:r>"),
    ],
)
def test_containers_nested_without_end_do_not_exhaust_the_stack(opening: str, closing: str) -> None:
    parsed(package(para(opening * 400 + run("x") + closing * 400) + para("after")))


def test_text_boxes_in_text_boxes() -> None:
    body = para(token("deep"))
    for _ in range(120):
        body = para(
            f"<w:r><w:pict><v:shape><v:textbox><w:txbxContent>{body}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>"
        )
    assert token("deep") in text_of(parsed(package(body)))


@pytest.mark.parametrize(
    "name",
    [
        "word/styles.xml", "word/numbering.xml", "word/settings.xml", "word/footnotes.xml", "word/comments.xml",
        "word/commentsExtended.xml", "word/header1.xml", "word/charts/chart1.xml", "word/diagrams/data1.xml",
        "word/fontTable.xml", "word/chunk.html", "word/embeddings/oleObject1.bin", "word/media/image1.png",
        "docProps/core.xml", "word/_rels/document.xml.rels", "[Content_Types].xml", "_rels/.rels",
    ],
)  # fmt: skip
@pytest.mark.parametrize("content", [b"", b"\0\xff not xml <<<", b"<a/>", None])
def test_damaged_optional_parts_cost_only_themselves(name: str, content: bytes | None) -> None:
    document = parsed(replaced(trial(), {name: content}))
    assert token("paragraph") in text_of(document)


def test_a_damaged_part_is_noticed() -> None:
    for name in ("word/styles.xml", "word/comments.xml", "word/header1.xml", "word/charts/chart1.xml"):
        codes = [notice.code for notice in parsed(replaced(trial(), {name: b"junk"})).notices]
        assert "damaged_part" in codes, name


def test_a_main_part_cut_short_gives_what_came_before() -> None:
    body = part("document", f"<w:body>{para('first')}{para('second')}</w:body>")
    cut = body[: body.index(b"second") + 3]
    document = parsed(replaced(package(para("x")), {"word/document.xml": cut}))
    assert "first" in text_of(document)


@pytest.mark.parametrize(
    "data",
    [
        b"", b"PK\x03\x04", b"hello", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, b"PK\3\4" + bytes(60),
        replaced(package(para("x")), {"word/document.xml": b"<a/>"}),
        replaced(package(para("x")), {"word/document.xml": None}),
        compound({"Workbook": b"x"}),
    ],
)  # fmt: skip
def test_what_is_no_document_is_damaged(data: bytes) -> None:
    with pytest.raises(DamagedError, match=r"a\.docx"):
        parsed(data)


@pytest.mark.parametrize(
    ("packing", "streamed"), [(zipfile.ZIP_DEFLATED, False), (zipfile.ZIP_DEFLATED, True), (zipfile.ZIP_STORED, False)]
)
def test_of_a_package_without_its_end_what_is_there_is_read(packing: int, streamed: bool) -> None:
    out = _Unseekable() if streamed else io.BytesIO()  # whoever cannot go back writes sizes behind each member
    with (
        zipfile.ZipFile(io.BytesIO(package(para("first") + para("second")))) as given,
        zipfile.ZipFile(out, "w", packing) as made,
    ):
        for name in given.namelist():
            made.writestr(name, given.read(name))
        made.writestr("word/media/image1.bin", random.Random(1).randbytes(5000))
    document = parsed(out.getvalue()[:-3000])
    blocks = [block for part in document.parts for block in part.blocks]
    assert [block.text for block in blocks if isinstance(block, Paragraph)] == ["first", "second"]


class _Unseekable(io.BytesIO):
    def seekable(self) -> bool:
        return False

    def tell(self) -> int:
        raise OSError

    def seek(self, offset: int, whence: int = 0) -> int:
        raise OSError


def test_headers_of_members_without_end_are_read_in_time() -> None:
    header = b"PK\3\4" + b"\x14\0\x08\0\x08\0" + bytes(16) + b"\1\0\0\0a"
    with processor_limit(10):  # a second; minutes where each looks through what follows
        with pytest.raises(DamagedError):
            parsed((header + b"\3\0") * 60_000)
        with pytest.raises(DamagedError):
            parsed(b"PK\3\4" * 1_000_000)


def test_a_bomb_is_stopped() -> None:
    bomb = replaced(package(para("x")), {"word/document.xml": b"<a>" + b" " * 40_000_000 + b"</a>"})
    with pytest.raises(LimitError, match="max_ratio"):
        parsed(bomb, Limits(max_ratio=100))
    with pytest.raises(LimitError, match="max_expanded_bytes"):
        parsed(bomb, Limits(max_expanded_bytes=10_000_000))
    with pytest.raises(LimitError, match="max_memory_bytes"):
        parsed(bomb, Limits(max_memory_bytes=100_000_000))


def test_entities_are_not_expanded() -> None:
    evil = (
        b'<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
        b"<w:document " + NS.encode() + b"><w:body><w:p><w:r><w:t>x&b;&f;y</w:t></w:r></w:p></w:body></w:document>"
    )  # fmt: skip
    text = text_of(parsed(replaced(package(para("x")), {"word/document.xml": evil})))
    assert "root:" not in text
    assert "aaaa" not in text


def test_text_beyond_the_limit_is_cut_with_a_notice() -> None:
    document = parsed(package("".join(para("word " * 20) for _ in range(100))), Limits(max_text_chars=1000))
    assert "truncated_at" in [notice.code for notice in document.notices]
    blocks = document.parts[0].blocks
    assert sum(len(block.text) for block in blocks if isinstance(block, Paragraph)) <= 1000
    assert blocks


def test_limits_on_parts_and_embedded() -> None:
    many = styled("".join(para(f"h{n}", "berschrift1") for n in range(50)))
    assert len(parsed(many, Limits(max_parts=10)).parts) == 10
    assert "h49" in text_of(parsed(many, Limits(max_parts=10)))
    assert len(parsed(trial(), Limits(max_embedded=2)).embedded) == 2


def test_styles_and_lists_that_go_round_in_circles() -> None:
    parsed(styled(para("x", "Kreis")))
    wide = table(
        row(cell("a", '<w:gridSpan w:val="999999999"/>'), cell("b")), row(cell("c", '<w:gridSpan w:val="-4"/>'))
    )
    (grid,) = parsed(package(wide)).parts[0].blocks
    assert isinstance(grid, Table)
    assert max(len(r) for r in grid.rows) <= 4096


def test_notes_that_call_one_another() -> None:
    loop = '<w:footnote w:id="2"><w:p><w:r><w:t>n</w:t><w:footnoteReference w:id="2"/></w:r></w:p></w:footnote>'
    document = parsed(
        package(
            para(run("x") + '<w:r><w:footnoteReference w:id="2"/></w:r>'),
            {"word/footnotes.xml": part("footnotes", loop)},
            {"r": ("footnotes", "footnotes.xml")},
        )
    )
    assert [b.text for b in document.parts[0].blocks if isinstance(b, Note)] == ["n"]


@pytest.mark.parametrize("seed", range(60))
def test_random_damage_gives_a_document_or_a_format_error(seed: int) -> None:
    chance = random.Random(seed)
    data = trial()
    with zipfile.ZipFile(io.BytesIO(data)) as given:
        name = chance.choice([n for n in given.namelist() if n.endswith((".xml", ".bin", ".rels", ".png"))])
        content = bytearray(given.read(name))
    for _ in range(chance.randint(1, 30)):
        at = chance.randrange(len(content))
        match chance.randrange(4):
            case 0:
                content[at] = chance.randrange(256)
            case 1:
                del content[at : at + chance.randint(1, 40)]
            case 2:
                content[at:at] = content[at : at + 60]
            case _:
                content[at:at] = chance.choice((b"<w:p>", b"</w:tc>", b"<w:tbl>", b'"', b"<w:r>", b"-1", b"999999999"))
        if not content:
            content = bytearray(b"x")
    try:
        document = parsed(replaced(data, {name: bytes(content)}))
        msgspec.msgpack.encode(document)
    except FormatError as error:
        assert str(error).endswith(".")


@pytest.mark.parametrize("seed", range(40))
def test_random_damage_to_the_zip_itself(seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(trial())
    for _ in range(chance.randint(1, 8)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    try:
        parsed(bytes(data[: chance.randint(len(data) // 2, len(data))] if seed % 2 else data))
    except FormatError:
        return


@pytest.mark.parametrize("seed", range(60))
def test_damaged_compound_files_give_something(seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(ole_package("note.txt", b"words"))
    assert inner_file(bytes(data)).name == "note.txt"
    for _ in range(chance.randint(1, 40)):
        data[chance.randrange(8, len(data))] = chance.choice((0, 255, chance.randrange(256)))
    assert inner_file(bytes(data)).media_type


def test_deep_mathematics_in_a_document() -> None:
    deep = math("x").replace("<m:r>", "<m:e>" * 300 + "<m:r>", 1).replace("</m:r>", "</m:r>" + "</m:e>" * 300, 1)
    assert "x" in text_of(parsed(package(para(run("so ") + deep))))


def test_a_part_whose_packed_bytes_are_broken_is_said_in_words_of_a_person() -> None:
    whole = package(para(run("Words " * 500)))
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        member = archive.getinfo("word/document.xml")
    at = member.header_offset + 30 + len(member.filename) + 4
    broken = whole[:at] + b"\xff" * 8 + whole[at + 8 :]
    with pytest.raises(DamagedError, match=r"word/document\.xml is damaged and cannot be unpacked\.$"):
        parsed(broken)
