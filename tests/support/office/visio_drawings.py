"""Visio drawings written part by part, as Visio 2013 names and joins them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import quoteattr

__all__ = ["connection", "shape", "visio"]

_MAIN = "http://schemas.microsoft.com/office/visio/2012/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_KIND = "http://schemas.microsoft.com/visio/2010/relationships/"


def shape(number: int, text: str | None = None, inside: str = "", *, x: float = 1, y: float = 1, **facts: str) -> str:
    """A shape's markup; `facts` are its attributes, `inside` more of its content."""
    attributes = "".join(f" {name}={quoteattr(value)}" for name, value in facts.items())
    said = "" if text is None else f"<Text>{text}\n</Text>"
    place = f"<Cell N='PinX' V='{x}'/><Cell N='PinY' V='{y}'/>"
    return f"<Shape ID='{number}' Type='Shape'{attributes}>{place}{inside}{said}</Shape>"


def connection(connector: int, begin: int, end: int) -> str:
    """What glues a connector to two shapes."""
    return (
        f"<Connect FromSheet='{connector}' FromCell='BeginX' ToSheet='{begin}' ToCell='PinX'/>"
        f"<Connect FromSheet='{connector}' FromCell='EndX' ToSheet='{end}' ToCell='PinX'/>"
    )


def visio(
    pages: Sequence[tuple[str, str, str]],
    *,
    masters: Mapping[str, str] | None = None,
    sheet: str = "",
    comments: str = "",
    picture: bytes = b"",
    background: Sequence[str] = (),
) -> bytes:
    """A drawing of pages (name, shapes, connections). `masters` are shapes by name, numbered from 1; `sheet` is what
    every page's sheet says; `picture` is part `rId9` of every page."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        put = archive.writestr
        put("[Content_Types].xml", '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            "</Types>")  # fmt: skip
        put("_rels/.rels", _relations([("rId1", "document", "visio/document.xml")]))
        put("visio/document.xml", f"<VisioDocument xmlns='{_MAIN}'/>")
        known = [("rId1", "pages", "pages/pages.xml"), ("rId2", "masters", "masters/masters.xml")]
        put("visio/_rels/document.xml.rels", _relations([*known, ("rId3", "comments", "comments.xml")]))
        put("visio/comments.xml", f"<Comments xmlns='{_MAIN}'>{comments}</Comments>")
        _write(archive, "pages", "Page", [(name, f"<Shapes>{shapes}</Shapes><Connects>{connects}</Connects>")
               for name, shapes, connects in pages], sheet, background)  # fmt: skip
        _write(
            archive, "masters", "Master", [(name, f"<Shapes>{one}</Shapes>") for name, one in (masters or {}).items()]
        )
        if picture:
            put("visio/media/image1.png", picture)
            for number in range(1, len(pages) + 1):
                put(f"visio/pages/_rels/page{number}.xml.rels", _relations([("rId9", "image", "../media/image1.png")]))
    return out.getvalue()


def _write(
    archive: zipfile.ZipFile, folder: str, tag: str, entries: Sequence[tuple[str, str]], sheet: str = "",
    background: Sequence[str] = (),
) -> None:  # fmt: skip
    single = folder.removesuffix("s")
    listed = "".join(
        f"<{tag} ID='{number}' Name={quoteattr(name)}{' Background=' + repr('1') if name in background else ''}>"
        f"<PageSheet>{sheet}</PageSheet><Rel r:id='rId{number}'/></{tag}>"
        for number, (name, _) in enumerate(entries, 1)
    )
    archive.writestr(f"visio/{folder}/{folder}.xml", f"<{tag}s xmlns='{_MAIN}' xmlns:r='{_R}'>{listed}</{tag}s>")
    targets = [(f"rId{number}", single, f"{single}{number}.xml") for number in range(1, len(entries) + 1)]
    archive.writestr(f"visio/{folder}/_rels/{folder}.xml.rels", _relations(targets))
    for number, (_, contents) in enumerate(entries, 1):
        root = f"{tag}Contents"
        made = f"<{root} xmlns='{_MAIN}' xmlns:r='{_R}' xml:space='preserve'>{contents}</{root}>"
        archive.writestr(f"visio/{folder}/{single}{number}.xml", made)


def _relations(entries: Sequence[tuple[str, str, str]]) -> str:
    made = "".join(f"<Relationship Id='{key}' Type='{_KIND}{kind}' Target='{to}'/>" for key, kind, to in entries)
    return f"<Relationships xmlns='{_RELATIONS}'>{made}</Relationships>"
