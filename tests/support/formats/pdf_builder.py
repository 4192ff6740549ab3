"""Writes small PDFs in plain syntax for tests: what stands where is said in the test itself, in points from the bottom
left, as PDF has it."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field

from PIL import Image

FONTS = {"F1": "Helvetica", "F2": "Helvetica-Bold", "F3": "Courier", "F4": "Times-Italic"}


def text(x: float, y: float, string: str, *, size: float = 10, font: str = "F1", more: str = "") -> str:
    """One line of text with its left end at (x, y). `more` goes before it, such as "3 Tr" or "1 g"."""
    escaped = string.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"q BT {more} /{font} {size} Tf 1 0 0 1 {x} {y} Tm ({escaped}) Tj ET Q\n"


def lines(x: float, y: float, strings: list[str], *, size: float = 10, lead: float = 12, font: str = "F1") -> str:
    """Lines of text downwards from (x, y)."""
    return "".join(text(x, y - at * lead, string, size=size, font=font) for at, string in enumerate(strings))


def rule(x0: float, y0: float, x1: float, y1: float) -> str:
    return f"0.7 w {x0} {y0} m {x1} {y1} l S\n"


def grid(xs: list[float], ys: list[float]) -> str:
    """Ruling lines of a table."""
    return "".join(rule(xs[0], y, xs[-1], y) for y in ys) + "".join(rule(x, ys[0], x, ys[-1]) for x in xs)


def drawing(x: float, y: float, width: float, height: float) -> str:
    """A vector drawing: a box of curves and slanted lines, which no table could be."""
    out = "1 0 0 RG\n"
    for at in range(6):
        left = x + at * width / 6
        out += f"{left} {y} m {left + width / 6} {y + height} l S\n"
        out += f"{left} {y} m {left} {y + height} {left + width / 6} {y} {left + width / 6} {y + height} c S\n"
    return out


def gray_image(side: int = 40) -> bytes:
    """A stream object body: a gray picture of side × side pixels, deflated."""
    data = zlib.compress(bytes((x * y) % 256 for y in range(side) for x in range(side)))
    head = (
        f"<< /Type /XObject /Subtype /Image /Width {side} /Height {side} /ColorSpace /DeviceGray"
        f" /BitsPerComponent 8 /Filter /FlateDecode /Length {len(data)} >>\nstream\n"
    )
    return head.encode() + data + b"\nendstream"


def rgb_image(picture: Image.Image) -> bytes:
    """A stream object body: a picture in colours, deflated."""
    data = zlib.compress(picture.convert("RGB").tobytes())
    head = (
        f"<< /Type /XObject /Subtype /Image /Width {picture.width} /Height {picture.height} /ColorSpace /DeviceRGB"
        f" /BitsPerComponent 8 /Filter /FlateDecode /Length {len(data)} >>\nstream\n"
    )
    return head.encode() + data + b"\nendstream"


def sfnt(characters: dict[int, str], endless: int = 0) -> bytes:
    """A TrueType font of blank glyphs whose character map (format 12) says `{glyph: character}`, and so many times more
    that it holds a whole plane."""
    glyphs = max(characters) + 1
    groups = b"".join(struct.pack(">III", ord(c), ord(c), g) for g, c in sorted(characters.items(), key=lambda p: p[1]))
    groups += struct.pack(">III", 0x20000, 0x2FFFF, 1) * endless
    subtable = struct.pack(">HHIII", 12, 0, 16 + len(groups), 0, len(characters) + endless) + groups
    tables = {
        b"cmap": struct.pack(">HHHHI", 0, 1, 3, 10, 12) + subtable,
        b"glyf": bytes(4),
        b"head": struct.pack(">4IHH2Q4h2H3h", 1 << 16, 0, 0, 0x5F0F3CF5, 0, 1000, *[0] * 4, 500, 700, 0, 8, 2, 0, 0),
        b"hhea": struct.pack(">IhhhHhhhhhhhhhhhH", 1 << 16, 900, -200, 0, 500, 0, 0, 500, 1, *[0] * 7, glyphs),
        b"hmtx": struct.pack(">Hh", 500, 0) * glyphs,
        b"loca": bytes(2 * (glyphs + 1)),
        b"maxp": struct.pack(">IH13H", 1 << 16, glyphs, *[0] * 13),
    }  # fmt: skip
    head = struct.pack(">IHHHH", 1 << 16, len(tables), 64, 2, 48)
    at = len(head) + 16 * len(tables)
    entries, body = b"", b""
    for tag, data in tables.items():
        entries += struct.pack(">4sIII", tag, 0, at + len(body), len(data))
        body += data + bytes(-len(data) % 4)
    return head + entries + body


def compact_font(names: dict[int, str], *, ranges: bool = False) -> bytes:
    """A compact font (Adobe Technical Note 5176) of boxes whose own encoding says `{code: name}`: code by code, or by
    `ranges`, the last code in a supplement then."""

    def index(*entries: bytes) -> bytes:
        ends = [1 + sum(map(len, entries[:at])) for at in range(len(entries) + 1)]
        return struct.pack(">HB", len(entries), 2) + struct.pack(f">{len(ends)}H", *ends) + b"".join(entries)

    strings = [*names.values(), "000.001"]
    box = bytes((139, 139, 21, 239, 139, 139, 239, 39, 139, 5, 14))  # rmoveto, rlineto, endchar
    glyphs = index(*[box] * (len(names) + 1))
    charset = b"\2" + struct.pack(">HH", 391, len(names) - 1) if ranges else b"\0" + b"".join(
        struct.pack(">H", 391 + at) for at in range(len(names))
    )  # fmt: skip
    codes = list(names)
    encoding = bytes((0, len(codes), *codes))
    if ranges:
        encoding = bytes((0x81, len(codes) - 1, *(part for code in codes[:-1] for part in (code, 0)), 1, codes[-1]))
        encoding += struct.pack(">H", 391 + len(codes) - 1)
    head, name, shared = b"\1\0\4\2", index(b"ABCDEF+Made"), index(*(string.encode() for string in strings))
    start = len(head) + len(name) + len(index(bytes(24))) + len(shared) + 2
    places = {15: start, 16: start + len(charset), 17: start + len(charset) + len(encoding)}
    top = b"".join(b"\x1d" + struct.pack(">iB", place, operator) for operator, place in places.items())
    top = b"\x1d" + struct.pack(">iB", 391 + len(names), 0) + top  # its version, a string
    return head + name + index(top) + shared + b"\0\0" + charset + encoding + glyphs


@dataclass
class Pdf:
    """A document being built. Object 1 is the catalogue, 2 the page tree, 3 the information dictionary."""

    info: str = ""
    catalog: str = ""
    objects: list[bytes] = field(default_factory=lambda: [b"", b"", b""])
    pages: list[int] = field(default_factory=list[int])

    def add(self, body: str | bytes) -> int:
        """An indirect object; its number."""
        self.objects.append(body.encode("latin-1") if isinstance(body, str) else body)
        return len(self.objects)

    def stream(self, content: str | bytes, entries: str = "") -> int:
        data = content.encode("latin-1") if isinstance(content, str) else content
        return self.add(f"<< /Length {len(data)} {entries} >>\nstream\n".encode() + data + b"\nendstream")

    def page(
        self,
        content: str,
        *,
        box: str = "0 0 612 792",
        images: dict[str, int] | None = None,
        fonts: dict[str, int] | None = None,
        more: str = "",
    ) -> int:
        """A page; its object number. `images` and `fonts` name objects of the document, `more` holds further entries,
        such as "/Rotate 90" or "/Annots [5 0 R]"."""
        named = [f"/{key} << /Type /Font /Subtype /Type1 /BaseFont /{name} >>" for key, name in FONTS.items()]
        named += [f"/{key} {number} 0 R" for key, number in (fonts or {}).items()]
        xobjects = " ".join(f"/{key} {number} 0 R" for key, number in (images or {}).items())
        resources = f"<< /Font << {' '.join(named)} >> /XObject << {xobjects} >> >>"
        body = self.stream(content)
        number = self.add(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [{box}] /Resources {resources} /Contents {body} 0 R {more} >>"
        )
        self.pages.append(number)
        return number

    def bytes(self) -> bytes:
        kids = " ".join(f"{number} 0 R" for number in self.pages)
        self.objects[0] = f"<< /Type /Catalog /Pages 2 0 R {self.catalog} >>".encode("latin-1")
        self.objects[1] = f"<< /Type /Pages /Kids [{kids}] /Count {len(self.pages)} >>".encode()
        self.objects[2] = f"<< {self.info} >>".encode("latin-1")
        out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
        offsets: list[int] = []
        for number, body in enumerate(self.objects, 1):
            offsets.append(len(out))
            out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
        start = len(out)
        out += f"xref\n0 {len(offsets) + 1}\n0000000000 65535 f \n".encode()
        for offset in offsets:
            out += f"{offset:010} 00000 n \n".encode()
        out += f"trailer << /Size {len(offsets) + 1} /Root 1 0 R /Info 3 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
        return bytes(out)
