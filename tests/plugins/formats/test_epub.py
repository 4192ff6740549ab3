"""E-books: reading order, contents, pictures, protection, broken packages."""

from __future__ import annotations

import io
import zipfile

import pytest
from contract.conformance import check_embedded
from contract.containers import make_zip
from contract.package_samples import epub_files
from contract.pictures import PNG
from sidecar_epub import EpubFormat
from support.formats.plugin_reading import of, read

from sidecar.api import DamagedError, EncryptedError, Figure, Heading, Limits, Paragraph, Source

EPUB = EpubFormat()
BOOK = epub_files()["book.epub"]


def changed(**members: bytes | None) -> bytes:
    """The sample book with members replaced (None: removed); `__` stands for a slash."""
    with zipfile.ZipFile(io.BytesIO(BOOK)) as package:
        content = {info.filename: package.read(info) for info in package.infolist()}
    for name, data in members.items():
        path = next(
            (path for path in content if path.replace("/", "__").replace(".", "_") == name), name.replace("__", "/")
        )
        if data is None:
            del content[path]
        else:
            content[path] = data
    return make_zip(content, stored=("mimetype",))


def test_a_book() -> None:
    document = read(EPUB, BOOK, "book.epub")
    assert document.title == "The book"
    assert document.metadata == {"author": "Ann", "language": "en"}
    assert [part.title for part in document.parts] == ["One", "Two"]
    # What stands before the anchor that the contents name belongs to the chapter before.
    assert [block.text for block in document.parts[0].blocks if isinstance(block, Paragraph)] == ["Text.", "before"]
    assert of(document, Figure)[0].embed == ("image", 0)
    source = Source.of_bytes(BOOK, "book.epub")
    assert check_embedded(EPUB, source, document) == 1
    assert EPUB.open_embedded(source, document.embedded[0].ref, Limits()).data == PNG


def test_a_book_without_contents_is_cut_at_its_headings() -> None:
    document = read(EPUB, changed(OEBPS__nav_xhtml=None), "book.epub")
    assert [part.title for part in document.parts] == ["One"]
    one_file = changed(
        OEBPS__text__b_xhtml=None, OEBPS__nav_xhtml=None, OEBPS__text__a_xhtml=b"<h1>A</h1><p>a</p><h1>B</h1><p>b</p>"
    )
    assert [part.title for part in read(EPUB, one_file, "book.epub").parts] == ["A", "B"]


def test_the_ncx_of_older_books() -> None:
    ncx = (
        '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel><text>First</text></navLabel>'
        '<content src="text/a.xhtml"/></navPoint></navMap></ncx>'
    )
    opf = zipfile.ZipFile(io.BytesIO(BOOK)).read("OEBPS/book.opf").decode()
    opf = opf.replace("<spine>", '<spine toc="n">').replace(' properties="nav"', "").replace(
        "</manifest>", '<item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest>'
    )  # fmt: skip
    document = read(EPUB, changed(OEBPS__book_opf=opf.encode(), **{"OEBPS__toc.ncx": ncx.encode()}), "book.epub")
    assert document.parts[0].title == "First"


def test_a_missing_chapter_is_said() -> None:
    document = read(EPUB, changed(OEBPS__text__b_xhtml=None), "book.epub")
    assert "damaged_part" in [notice.code for notice in document.notices]
    assert [heading.text for heading in of(document, Heading)] == ["One"]


def test_rights_management_is_recognised_and_obfuscated_fonts_are_not_that() -> None:
    def protected(algorithm: str) -> bytes:
        xml = (
            '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><EncryptedData '
            'xmlns="http://www.w3.org/2001/04/xmlenc#">'
            f'<EncryptionMethod Algorithm="{algorithm}"/></EncryptedData></encryption>'
        )
        return changed(**{"META-INF__encryption.xml": xml.encode()})

    with pytest.raises(EncryptedError, match="rights management"):
        EPUB.parse(Source.of_bytes(protected("http://www.w3.org/2001/04/xmlenc#aes128-cbc"), "b.epub"), Limits())
    assert read(EPUB, protected("http://www.idpf.org/2008/embedding"), "b.epub").title == "The book"


def test_a_book_without_its_package_document_is_read_as_it_is_packed() -> None:
    pages = {f"text/{name}.xhtml": f"<html><body><p>{name}</p></body></html>".encode() for name in ("two", "one")}
    document = read(EPUB, make_zip({"mimetype": b"application/epub+zip", **pages}, stored=("mimetype",)), "b.epub")
    assert [block.text for block in of(document, Paragraph)] == ["two", "one"]
    assert [notice.code for notice in document.notices] == ["damaged_part"]


def test_a_zip_that_is_no_book() -> None:
    with pytest.raises(DamagedError, match="no package document"):
        EPUB.parse(Source.of_bytes(make_zip({"a.txt": b"x"}), "b.epub"), Limits())
    assert EPUB.score(Source.of_bytes(make_zip({"a.txt": b"x"}), "b.zip")) == 0
    assert EPUB.score(Source.of_bytes(bytes(100), "b.epub")) == 10
    with pytest.raises(DamagedError, match="damaged from its beginning on"):
        EPUB.parse(Source.of_bytes(bytes(100), "b.epub"), Limits())
