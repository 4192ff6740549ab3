"""Builds Word packages by hand, part by part: paragraphs, tables, drawings, OLE objects, whole files."""

# ruff: noqa: E501  (markup reads best unbroken)
from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping

NS = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:wpg="http://schemas.microsoft.com/office/word/2010/wordprocessingGroup" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
    'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" '
    'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" '
    'xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"'
)
REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
FONT_KEY = "{3F2504E0-4F89-11D3-9A0C-0305E82C3301}"


def run(text: str, properties: str = "") -> str:
    look = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{look}<w:t xml:space="preserve">{text}</w:t></w:r>'


def para(content: str, style: str = "", extra: str = "") -> str:
    """A paragraph; `content` is plain text or runs."""
    inner = content if content.startswith("<") or not content else run(content)
    head = (f'<w:pStyle w:val="{style}"/>' if style else "") + extra
    return f"<w:p>{f'<w:pPr>{head}</w:pPr>' if head else ''}{inner}</w:p>"


def numbered(text: str, num: int, level: int = 0) -> str:
    return para(text, extra=f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{num}"/></w:numPr>')


def cell(content: str, properties: str = "") -> str:
    inner = content if content.startswith("<") else para(content)
    return f"<w:tc>{f'<w:tcPr>{properties}</w:tcPr>' if properties else ''}{inner}</w:tc>"


def row(*cells: str, properties: str = "") -> str:
    return f"<w:tr>{f'<w:trPr>{properties}</w:trPr>' if properties else ''}{''.join(cells)}</w:tr>"


def table(*rows: str, properties: str = "") -> str:
    return f"<w:tbl><w:tblPr>{properties}</w:tblPr>{''.join(rows)}</w:tbl>"


def field(code: str, result: str) -> str:
    """A complex field, its code cut in two runs as Word does."""
    half = len(code) // 2
    instr = "".join(
        f'<w:r><w:instrText xml:space="preserve">{c}</w:instrText></w:r>' for c in (code[:half], code[half:])
    )
    char = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    return char.format("begin") + instr + char.format("separate") + result + char.format("end")


def drawing(graphic: str, alt: str = "", uri: str = "x") -> str:
    return (
        f'<w:r><w:drawing><wp:inline><wp:docPr id="1" name="Object 1" descr="{alt}"/>'
        f'<a:graphic><a:graphicData uri="{uri}">{graphic}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>'
    )


def picture(relation: str, alt: str = "", link: bool = False) -> str:
    kind = "link" if link else "embed"
    return drawing(
        f'<pic:pic><pic:nvPicPr><pic:cNvPr id="0" name="p"/></pic:nvPicPr><pic:blipFill><a:blip r:{kind}="{relation}"/></pic:blipFill></pic:pic>',
        alt,
    )


def shape(text: str) -> str:
    return (
        f"<wps:wsp><wps:cNvSpPr/><wps:spPr/><wps:txbx><w:txbxContent>{para(text)}</w:txbxContent></wps:txbx></wps:wsp>"
    )


def alternate(choice: str, fallback: str) -> str:
    return f'<mc:AlternateContent><mc:Choice Requires="wps">{choice}</mc:Choice><mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent>'


def math(text: str) -> str:
    return f"<m:oMath><m:sSup><m:e><m:r><m:t>{text}</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>"


def part(root: str, content: str) -> bytes:
    return f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:{root} {NS}>{content}</w:{root}>'.encode()


def packed(parts: Mapping[str, str | bytes]) -> bytes:
    """The parts as a zip package."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, body in parts.items():
            file.writestr(name, body)
    return out.getvalue()


def png(width: int = 7, height: int = 5) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"\x80" * width for _ in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def compound(streams: Mapping[str, bytes]) -> bytes:
    """An OLE compound file (version 3) with these streams, all of them in full sectors."""
    sectors: list[bytes] = []
    fat: list[int] = []

    def place(data: bytes) -> int:
        start = len(sectors)
        count = max(1, -(-len(data) // 512))
        for index in range(count):
            sectors.append(data[index * 512 : index * 512 + 512].ljust(512, b"\0"))
            fat.append(0xFFFFFFFE if index == count - 1 else start + index + 1)
        return start

    def entry(name: str, kind: int, start: int, size: int, child: int) -> bytes:
        raw = name.encode("utf-16-le") + b"\0\0"
        right = 0xFFFFFFFF
        return (
            raw.ljust(64, b"\0") + struct.pack("<HBB3I", len(raw), kind, 1, 0xFFFFFFFF, right, child)
            + b"\0" * 36 + struct.pack("<IQ", start, size)
        )  # fmt: skip

    directory = entry("Root Entry", 5, 0xFFFFFFFE, 0, 1)
    for name, data in streams.items():
        padded = data.ljust(4096, b"\0")  # below 4096 bytes a stream would have to live in the mini stream
        directory += entry(name, 2, place(padded), max(len(data), 4096), 0xFFFFFFFF)
    first = place(directory)
    table_at = len(sectors)
    fat.append(0xFFFFFFFD)
    sectors.append(struct.pack("<128I", *(fat + [0xFFFFFFFF] * (128 - len(fat)))))
    header = (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 16 + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + b"\0" * 6
        + struct.pack("<9I", 0, 1, first, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0)
        + struct.pack("<109I", table_at, *[0xFFFFFFFF] * 108)
    )  # fmt: skip
    return header + b"".join(sectors)


def ole_package(name: str, content: bytes) -> bytes:
    """What Windows' packager writes for a file dropped into a document."""
    raw, path = name.encode(), b"C:\\temp\\" + name.encode()
    body = (
        struct.pack("<H", 2) + raw + b"\0" + path + b"\0" + struct.pack("<HHI", 0, 3, len(path) + 1) + path + b"\0"
        + struct.pack("<I", len(content)) + content + b"\0\0"
    )  # fmt: skip
    return compound({"\x01Ole10Native": struct.pack("<I", len(body)) + body})


def obfuscated(font: bytes) -> bytes:
    guid = bytes.fromhex("".join(character for character in FONT_KEY if character.isalnum()))[::-1]
    return bytes(byte ^ guid[index % 16] for index, byte in enumerate(font[:32])) + font[32:]


STYLES = part(
    "styles",
    "".join(
        f'<w:style w:type="paragraph" w:styleId="{name}"{" w:default=" + chr(34) + "1" + chr(34) if name == "Normal" else ""}><w:name w:val="{shown}"/>{rest}</w:style>'
        for name, shown, rest in (
            ("Normal", "Normal", ""),
            ("Titel", "Title", ""),
            ("berschrift1", "heading 1", '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>'),
            ("berschrift2", "heading 2", '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>'),
            ("Firmenkapitel", "Firma Kapitel", '<w:basedOn w:val="berschrift1"/>'),
            ("Ueb3", "Überschrift 3", ""),
            ("Verz", "toc 1", ""),
            ("Zitat", "Quote", ""),
            ("Code", "HTML Preformatted", ""),
            ("Beschriftung", "caption", ""),
            ("Kreis", "Circle", '<w:basedOn w:val="Kreis"/>'),
        )
    )
    + '<w:style w:type="character" w:styleId="Geheim"><w:name w:val="Secret"/><w:rPr><w:vanish/></w:rPr></w:style>',
)
NUMBERING = part(
    "numbering",
    '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="&#xF0B7;"/><w:rPr><w:rFonts w:ascii="Symbol"/></w:rPr></w:lvl></w:abstractNum>'
    '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
    '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%2)"/></w:lvl>'
    '<w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="lowerRoman"/><w:lvlText w:val="(%3)"/></w:lvl></w:abstractNum>'
    '<w:abstractNum w:abstractNumId="2"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="%1"/></w:lvl>'
    '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:isLgl/><w:lvlText w:val="%1.%2"/></w:lvl>'
    '<w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlRestart w:val="0"/><w:lvlText w:val="%1.%2.%3"/></w:lvl></w:abstractNum>'
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>'
    '<w:num w:numId="3"><w:abstractNumId w:val="2"/></w:num>'
    '<w:num w:numId="4"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>',
)


def package(
    body: str,
    parts: Mapping[str, bytes] | None = None,
    relations: Mapping[str, tuple[str, str]] | None = None,
    types: Mapping[str, str] | None = None,
    main_type: str = MAIN,
) -> bytes:
    """A .docx. `parts` are further parts by name; `relations` of the document by id: (type, target), where a target
    with "://" is external; `types` content types by part name."""
    external = ' TargetMode="External"'
    rels = "".join(
        f'<Relationship Id="{name}" Type="{REL}/{kind}" Target="{target}"{external if "://" in target else ""}/>'
        for name, (kind, target) in (relations or {}).items()
    )
    overrides = "".join(f'<Override PartName="/{name}" ContentType="{kind}"/>' for name, kind in (types or {}).items())
    heads = "http://schemas.openxmlformats.org/package/2006"
    files: dict[str, bytes] = {
        "[Content_Types].xml": (
            f'<Types xmlns="{heads}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>'
            f'<Default Extension="bin" ContentType="application/vnd.openxmlformats-officedocument.oleObject"/>'
            f'<Override PartName="/word/document.xml" ContentType="{main_type}"/>{overrides}</Types>'
        ).encode(),
        "_rels/.rels": (
            f'<Relationships xmlns="{heads}/relationships"><Relationship Id="a" Type="{REL}/officeDocument" Target="word/document.xml"/>'
            f'<Relationship Id="b" Type="{heads}/relationships/metadata/core-properties" Target="docProps/core.xml"/>'
            f'<Relationship Id="c" Type="{REL}/extended-properties" Target="docProps/app.xml"/>'
            f'<Relationship Id="d" Type="{REL}/custom-properties" Target="docProps/custom.xml"/></Relationships>'
        ).encode(),
        "word/document.xml": part("document", f"<w:body>{body}</w:body>"),
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{heads}/relationships">{rels}</Relationships>'.encode(),
        **(parts or {}),
    }  # fmt: skip
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def styled(body: str, **more: bytes) -> bytes:
    """A .docx with the trial's styles and numbering."""
    return package(
        body,
        {"word/styles.xml": STYLES, "word/numbering.xml": NUMBERING, **more},
        {"rS": ("styles", "styles.xml"), "rN": ("numbering", "numbering.xml")},
    )
