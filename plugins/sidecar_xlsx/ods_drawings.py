"""What lies on a sheet of OpenDocument: pictures, charts, objects, words in shapes."""

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from sidecar.api import DamagedError, Element, Figure, Note
from sidecar.toolkit.cell_references import CellRange, cell_name
from sidecar.toolkit.markup.odf_charts import read_odf_chart, words_of
from sidecar.toolkit.markup.odf_forms import control_note
from sidecar.toolkit.ooxml.chart import chart_text
from sidecar.toolkit.ooxml.embeds import EmbedEntry, EmbedRegister
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.xml import XmlElement, outermost
from sidecar_xlsx.sheet.lookup import SeenTables, words_around

_NS = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
_OFFICE, _TEXT, _DRAW, _SVG = (_NS % name for name in ("office", "text", "drawing", "svg-compatible"))
_HREF = "{http://www.w3.org/1999/xlink}href"


@dataclass(frozen=True)
class OdsDrawings:
    """Reads what lies on the sheets of one package into its `register` and `elements`."""

    package: Package
    register: EmbedRegister
    elements: list[Element]
    controls: Mapping[str, XmlElement]
    """Those of forms, by their ids."""

    def read(
        self, node: XmlElement, area: CellRange | None, tables: SeenTables, number: int, block: int
    ) -> Iterator[Figure | Note]:
        """The blocks of a shape on the sheet of that number; `block` is the number of the first."""
        where = cell_name(area.top, area.left) if area else ""
        alt = next(("".join(d.itertext()) for d in node.iter(f"{_SVG}desc", f"{_SVG}title")), "")
        context = words_around(tables, area, 200)
        # An object brings a picture of itself; the object is what counts.
        for inner in node.iter(f"{_DRAW}object", f"{_DRAW}object-ole"):
            ref = inner.get(_HREF, "").removeprefix("./")
            entry, is_chart = self._chart(inner, ref, number, block, context)
            if is_chart:
                yield Figure(embed=entry.key if entry else None, alt=alt, anchor=where)
                return
            if ref in self.package:
                entry = self.register.attachment(ref)
                if entry is not None:
                    entry.place(number, block, alt=alt, context=context)
                yield Figure(embed=entry.key if entry else None, alt=alt, anchor=where)
        for image in node.iter(f"{_DRAW}image"):
            ref = image.get(_HREF, "").removeprefix("./")
            if ref not in self.package or ref.startswith("ObjectReplacements/"):
                continue
            entry = self.register.file(ref)
            if entry is not None:
                entry.place(number, block, alt=alt, context=context)
            key = entry.key if entry else None
            self.elements.append(
                Element(
                    type="figure", label=self._label("Figure", number), part=number, block=block, caption=alt,
                    context=context, embed=key, generated=True,
                )
            )  # fmt: skip
            yield Figure(embed=key, alt=alt, anchor=where)
        words = "\n".join(filter(None, (words_of(p) for p in outermost(node, f"{_TEXT}p"))))
        if words:
            yield Note(kind="textbox", text=words, target=where)
        for shape in node.iter(f"{_DRAW}control"):
            control = control_note(shape, self.controls, None)
            if control is not None:
                yield replace(control, target=", ".join(filter(None, (where, control.target))))
        if alt and next(node.iter(f"{_DRAW}object", f"{_DRAW}object-ole", f"{_DRAW}image"), None) is None:
            yield Note(kind="annotation", text=alt, target=where)

    def _chart(
        self, node: XmlElement, ref: str, number: int, block: int, context: str
    ) -> tuple[EmbedEntry | None, bool]:
        """The embed of a chart, and whether the object is one: its content is a file of the package, or in `node`."""
        root = node.find(f"{_OFFICE}document")
        path = posixpath.join(ref, "content.xml") if ref else ""
        try:
            root = self.package.xml(path) if root is None and path in self.package else root
        except DamagedError:
            return None, False
        chart = read_odf_chart(root) if root is not None else None
        if chart is None:
            return None, False
        label = self._label("Chart", number)
        entry = self.register.add(
            "chart", path or f"{number}/{label}", name=ref or label, media_type="application/json"
        )
        if entry is not None:
            entry.chart, entry.ref = chart, ""
            entry.place(number, block, alt="", context=context)
        self.elements.append(
            Element(
                type="chart", label=label, part=number, block=block, caption=chart.title, context=context,
                text=chart_text(chart, values=False), embed=entry.key if entry else None, generated=True,
            )
        )  # fmt: skip
        return entry, True

    def _label(self, word: str, number: int) -> str:
        kind = word.lower()
        return f"{word} s{number}-{sum(one.part == number and one.type == kind for one in self.elements) + 1}"
