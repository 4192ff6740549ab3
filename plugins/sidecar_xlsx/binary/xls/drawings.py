"""What is drawn on a sheet of an .xls, as a drawing part: pictures, charts, texts ([MS-XLS] 2.4.170, 2.4.181, 2.4.329;
[MS-ODRAW]). Gives the texts of comments, too, for they stand in boxes."""

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from sidecar.toolkit.ole.officeart import ArtShape, shapes
from sidecar_xlsx.binary.markup import attribute, text
from sidecar_xlsx.binary.xls.records import Record, RecordReader

_CHART, _NOTE = 0x05, 0x19
_WITHIN = -1
"""For a kind: a picture or text in a chart, where no comments and no charts are."""
_ANCHOR: Final = 0xF010
_DRAWING: Final = "http://schemas.openxmlformats.org/drawingml/2006"
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


@dataclass
class _Object:
    """A thing on a sheet: kind and number ([MS-XLS] 2.5.143 FtCmo), its shape, its text, the number of its chart, and
    where it lies: a shape, None for the whole sheet. What lies in a chart is there where the chart is."""

    kind: int
    number: int
    shape: ArtShape
    text: str = ""
    chart: int = -1
    place: ArtShape | None = None


@dataclass
class DrawingRecords:
    """Takes the records of what is drawn; charts are counted as `charts` finds them."""

    objects: list[_Object] = field(default_factory=list[_Object])
    _shape: ArtShape = field(default_factory=ArtShape)

    def take(self, record: Record) -> None:
        """One of `DRAWING_RECORDS`."""
        DRAWING_RECORDS[record.kind](self, record)

    def add_shapes(self, record: Record) -> None:
        """A record MSODRAWING: the shapes up to the object that follows; the last one is that object's."""
        found = list(shapes(record.whole))
        if found:
            self._shape = found[-1]

    def add_object(self, record: Record) -> None:
        """A record OBJ."""
        if len(record.data) >= 8:
            kind, number = struct.unpack_from("<HH", record.data, 4)
            self.objects.append(_Object(kind, number, self._shape, place=self._shape))
            self._shape = ArtShape()

    def add_text(self, record: Record) -> None:
        """A record TXO: the text of the object told of last, in the records that go on with it."""
        if not self.objects or len(record.data) < 14 or not record.more:
            return
        count = struct.unpack_from("<H", record.data, 10)[0]
        wide = bool(record.more[0][:1] and record.more[0][0] & 1)
        self.objects[-1].text = RecordReader(record.more, "", 0, 1).characters(count, wide=wide)

    def chart(self, number: int, within: "DrawingRecords") -> None:
        """The object told of last is the chart of that number, in the order of the file; `within` is drawn in it."""
        if self.objects:
            self.objects[-1].chart = number
            self._add_within(within, self.objects[-1].place)

    def sheet_chart(self, number: int, within: "DrawingRecords") -> None:
        """The sheet is the chart of that number."""
        self.objects.append(_Object(_CHART, 0, ArtShape(), chart=number))
        self._add_within(within, None)

    def _add_within(self, within: "DrawingRecords", place: ArtShape | None) -> None:
        self.objects += [replace(one, kind=_WITHIN, place=place) for one in within.objects]

    def comment_texts(self) -> dict[int, str]:
        """The texts of comments by the numbers of their boxes."""
        return {one.number: one.text for one in self.objects if one.kind == _NOTE}

    def part(self, pictures: dict[int, str]) -> tuple[bytes, list[tuple[str, str, str]]]:
        """The drawing and its relationships (id, type, target); b"" where there is nothing. `pictures` are the names of
        the picture parts by their numbers in the store."""
        pieces: list[str] = []
        relations: list[tuple[str, str, str]] = []
        for one in self.objects:
            if one.kind == _NOTE:
                continue
            key = f"d{len(relations) + 1}"
            if one.kind == _CHART and one.chart >= 0:
                relations.append((key, "chart", f"../charts/chart{one.chart + 1}.xml"))
                pieces.append(_anchored(one.place, _frame(one.shape, key)))
            elif one.shape.picture in pictures:
                relations.append((key, "image", f"../media/{pictures[one.shape.picture]}"))
                pieces.append(_anchored(one.place, _picture(one.shape, key)))
            elif one.text.strip():
                pieces.append(_anchored(one.place, _box(one)))
        return _drawing_part(pieces) if pieces else b"", relations


DRAWING_RECORDS: Final[Mapping[int, Callable[[DrawingRecords, Record], None]]] = {
    0xEC: DrawingRecords.add_shapes, 0x5D: DrawingRecords.add_object, 0x1B6: DrawingRecords.add_text,
}  # fmt: skip
"""Records of a sheet that `DrawingRecords` takes: MSODRAWING, OBJ and TXO."""


def _drawing_part(anchors: list[str]) -> bytes:
    """A drawing of these anchors."""
    opening = f'<xdr:wsDr xmlns:xdr="{_DRAWING}/spreadsheetDrawing" xmlns:a="{_DRAWING}/main" xmlns:r="{_OFFICE}">'
    return f"{opening}{''.join(anchors)}</xdr:wsDr>".encode()


def _anchored(shape: ArtShape | None, inside: str) -> str:
    """What is drawn, over the cells its shape covers ([MS-XLS] 2.5.193 OfficeArtClientAnchorSheet)."""
    if shape is None:
        return f"<xdr:absoluteAnchor>{inside}<xdr:clientData/></xdr:absoluteAnchor>"
    places = next((record.content for record in shape.records if record.kind == _ANCHOR), b"")
    corners = ""
    if len(places) >= 18:
        left, _, top, _, right, _, bottom = struct.unpack_from("<7H", places, 2)
        corners = "".join(
            f"<xdr:{name}><xdr:col>{col}</xdr:col><xdr:row>{row}</xdr:row></xdr:{name}>"
            for name, col, row in (("from", left, top), ("to", right, bottom))
        )
    return f"<xdr:twoCellAnchor>{corners}{inside}<xdr:clientData/></xdr:twoCellAnchor>"


def _named(shape: ArtShape) -> str:
    hidden = ' hidden="1"' if shape.hidden else ""
    name, description = attribute(shape.name), attribute(shape.description)
    return f'<xdr:cNvPr id="{shape.number}" name="{name}" descr="{description}"{hidden}/>'


def _frame(shape: ArtShape, key: str) -> str:
    return (
        f"<xdr:graphicFrame><xdr:nvGraphicFramePr>{_named(shape)}</xdr:nvGraphicFramePr><a:graphic>"
        f'<a:graphicData uri="{_DRAWING}/chart"><c:chart xmlns:c="{_DRAWING}/chart" r:id="{key}"/></a:graphicData>'
        "</a:graphic></xdr:graphicFrame>"
    )


def _picture(shape: ArtShape, key: str) -> str:
    return (
        f"<xdr:pic><xdr:nvPicPr>{_named(shape)}</xdr:nvPicPr><xdr:blipFill>"
        f'<a:blip r:embed="{key}"/></xdr:blipFill></xdr:pic>'
    )


def _box(one: _Object) -> str:
    lines = "".join(f"<a:p><a:r><a:t>{text(line)}</a:t></a:r></a:p>" for line in one.text.splitlines())
    return f"<xdr:sp><xdr:nvSpPr>{_named(one.shape)}</xdr:nvSpPr><xdr:txBody>{lines}</xdr:txBody></xdr:sp>"
