"""XPS documents of pages whose markup is given."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence

__all__ = ["glyphs", "xps"]

_NS = "http://schemas.microsoft.com/xps/2005/06"
_RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="fpage" ContentType="application/vnd.ms-package.xps-fixedpage+xml"/></Types>'
)


def glyphs(text: str, x: float, y: float, *, size: float = 12, advance: float = 50, more: str = "") -> str:
    """A run of glyphs."""
    indices = ";".join([f",{advance}"] * len(text))
    return (
        f'<Glyphs OriginX="{x}" OriginY="{y}" FontRenderingEmSize="{size}" UnicodeString="{text}" Indices="{indices}" '
        f"{more}/>"
    )


def xps(pages: Sequence[str], parts: Mapping[str, bytes] | None = None) -> bytes:
    """A document of these pages, each the markup in its page."""
    out = io.BytesIO()
    kind = "http://schemas.microsoft.com/xps/2005/06/fixedrepresentation"
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("[Content_Types].xml", _TYPES)
        packed.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{_RELATIONSHIPS}"><Relationship Id="r" Type="{kind}" Target="Seq.fdseq"/>'
            "</Relationships>",
        )
        packed.writestr(
            "Seq.fdseq", f'<FixedDocumentSequence xmlns="{_NS}"><DocumentReference Source="Documents/1/Doc.fdoc"/>'
            "</FixedDocumentSequence>",
        )  # fmt: skip
        listed = "".join(f'<PageContent Source="Pages/{number}.fpage"/>' for number, _ in enumerate(pages, 1))
        packed.writestr("Documents/1/Doc.fdoc", f'<FixedDocument xmlns="{_NS}">{listed}</FixedDocument>')
        for number, page in enumerate(pages, 1):
            packed.writestr(
                f"Documents/1/Pages/{number}.fpage",
                f'<FixedPage xmlns="{_NS}" Width="816" Height="1056">{page}</FixedPage>'.encode("utf-16"),
            )
        for name, data in (parts or {}).items():
            packed.writestr(name, data)
    return out.getvalue()
