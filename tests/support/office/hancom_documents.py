"""OWPML packages (.hwpx) written part by part, as Hancom Office and python-hwpx lay them out."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence

__all__ = ["HEAD", "hwpx", "paragraph", "run", "table"]

_NS = " ".join(
    f'xmlns:{prefix}="http://www.hancom.co.kr/hwpml/2011/{name}"'
    for prefix, name in (("hs", "section"), ("hp", "paragraph"), ("hh", "head"), ("hc", "core"))
)
HEAD = (
    '<hh:charProperties><hh:charPr id="0" height="1000"/><hh:charPr id="1" height="1000"><hh:bold/></hh:charPr>'
    '<hh:charPr id="2" height="100"/></hh:charProperties><hh:paraProperties>'
    '<hh:paraPr id="0"><hh:heading type="NONE" level="0"/></hh:paraPr>'
    '<hh:paraPr id="1"><hh:heading type="OUTLINE" level="0"/></hh:paraPr>'
    '<hh:paraPr id="2"><hh:heading type="OUTLINE" level="1"/></hh:paraPr>'
    '<hh:paraPr id="3"><hh:heading type="NUMBER" level="0"/></hh:paraPr>'
    '<hh:paraPr id="4"><hh:heading type="BULLET" level="1"/></hh:paraPr></hh:paraProperties>'
    '<hh:trackChange type="Insert" date="2024-03-01T10:00:00Z" authorID="1" id="7"/>'
    '<hh:trackChangeAuthor name="Kim" id="1"/>'
)


def run(inside: str, look: int = 0) -> str:
    """A run in a look of characters (1 bold, 2 tiny)."""
    return f'<hp:run charPrIDRef="{look}">{inside}</hp:run>'


def paragraph(*runs: str, look: int = 0) -> str:
    """A paragraph (1 and 2 outline levels, 3 numbered, 4 with a bullet); a plain text becomes its only run."""
    made = (one if one.startswith("<") else run(f"<hp:t>{one}</hp:t>") for one in runs)
    return f'<hp:p paraPrIDRef="{look}" styleIDRef="0">{"".join(made)}</hp:p>'


def table(rows: Sequence[Sequence[str]], *, heads: int = 0, wide: int = 1) -> str:
    """A table whose first cell spans `wide` columns and whose first rows are declared to be heads."""
    made = ""
    for r, row in enumerate(rows):
        made += "<hp:tr>"
        col = 0
        for text in row:
            span = wide if r == col == 0 else 1
            made += (
                f'<hp:tc header="{int(r < heads)}"><hp:subList>{paragraph(text)}</hp:subList>'
                f'<hp:cellAddr colAddr="{col}" rowAddr="{r}"/><hp:cellSpan colSpan="{span}" rowSpan="1"/></hp:tc>'
            )
            col += span
        made += "</hp:tr>"
    return run(f"<hp:tbl>{made}</hp:tbl>")


def hwpx(*sections: str, picture: bytes = b"", encrypted: bool = False, head: str = HEAD) -> bytes:
    """A package of sections; `picture` is the item `image1`."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        put = archive.writestr
        put("mimetype", "application/hwp+zip")
        put("META-INF/manifest.xml", "<manifest>" + "<encryption-data/>" * encrypted + "</manifest>")
        names = [f"Contents/section{number}.xml" for number in range(len(sections))]
        items = "".join(f'<opf:item id="s{number}" href="{name}"/>' for number, name in enumerate(names))
        items += '<opf:item id="image1" href="BinData/image1.png"/>' if picture else ""
        spine = "".join(f'<opf:itemref idref="s{number}"/>' for number in range(len(names)))
        put("Contents/content.hpf", '<opf:package xmlns:opf="http://www.idpf.org/2007/opf/"><opf:metadata>'
            "<opf:title>Plan</opf:title>"
            '<opf:meta name="creator" content="text">Kim</opf:meta></opf:metadata>'
            f"<opf:manifest>{items}</opf:manifest><opf:spine>{spine}</opf:spine></opf:package>")  # fmt: skip
        put("Contents/header.xml", f"<hh:head {_NS}>{head}</hh:head>")
        for name, section in zip(names, sections, strict=True):
            put(name, f"<hs:sec {_NS}>{section}</hs:sec>")
        if picture:
            put("BinData/image1.png", picture)
    return out.getvalue()
