"""Reads a Visio drawing: a part a page, with what its shapes say and how they are connected ([MS-VSDX] 2.2).

Background pages come last, under their own names: they show through the pages that use them. The shapes of one page as
blocks: their texts from top to bottom, their data, links and pictures, and which shape is connected to which ([MS-VSDX]
2.2.5; what a shape does not say its master does)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sidecar.api.errors import DamagedError
from sidecar.api.formats import Limits, Source
from sidecar.api.model import AnyBlock, Figure, ListItem, Note, Notice, Paragraph, ParsedDocument, Part, Span
from sidecar.toolkit.markup.chapters import elements_of
from sidecar.toolkit.metafiles.figures import with_drawn_words
from sidecar.toolkit.ooxml.embeds import EmbedRegister
from sidecar.toolkit.ooxml.namespaces import R
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.ooxml.properties import read_properties
from sidecar.toolkit.visible import hidden_notice
from sidecar.toolkit.xml import XmlElement, outermost

V = "{http://schemas.microsoft.com/office/visio/2012/main}"
_MAX_DEPTH = 60
"""Groups in one another."""


def cell(node: XmlElement | None, name: str) -> str:
    """The value of a cell of a shape, a row or a sheet; "" where it has none."""
    for one in node.iterchildren(f"{V}Cell") if node is not None else ():
        if one.get("N") == name:
            return one.get("V", "")
    return ""


def number(node: XmlElement | None, name: str) -> float:
    """The same as a number, in inches where it is a length; 0 for none."""
    try:
        value = float(cell(node, name))
    except ValueError:
        return 0.0
    return value if abs(value) < 1e9 else 0.0


def _rows(shape: XmlElement, section: str) -> Iterator[XmlElement]:
    for one in shape.iterchildren(f"{V}Section"):
        if one.get("N") == section:
            yield from one.iterchildren(f"{V}Row")


class Masters:
    """The masters of the drawing, by id: each a name and its shapes."""

    def __init__(self, listed: Sequence[tuple[XmlElement, XmlElement | None, str]]) -> None:
        self._names = {entry.get("ID", ""): entry.get("Name") or entry.get("NameU") or "" for entry, *_ in listed}
        self._roots = {entry.get("ID", ""): root for entry, root, _ in listed if root is not None}
        self._shapes: dict[str, dict[str, XmlElement]] = {}

    def name(self, master: str) -> str:
        """The master's name, "" for none."""
        return self._names.get(master, "")

    def shape(self, master: str, number: str) -> XmlElement | None:
        """The shape of that id in a master; its first for "" ."""
        if master not in self._shapes:
            root = self._roots.get(master)
            found = list(root.iter(f"{V}Shape")) if root is not None else []
            self._shapes[master] = {"": found[0]} | {one.get("ID", ""): one for one in found} if found else {}
        return self._shapes[master].get(number)


@dataclass
class PageReader:
    """Reads one page. `sheet` describes its layers, `targets` are its relationships' parts by id."""

    masters: Masters
    sheet: XmlElement | None
    targets: Mapping[str, str]
    embeds: EmbedRegister | None
    _blocks: list[AnyBlock] = field(default_factory=list[AnyBlock])
    _names: dict[str, str] = field(default_factory=dict[str, str])
    """What a shape is called by its id: what it says, or by its name."""

    def read(self, contents: XmlElement) -> list[AnyBlock]:
        """The blocks of a page's or master's contents."""
        self._unseen = self._hidden_layers()
        ends = _ends(contents)
        labels: dict[str, str] = {}
        self._level(contents, "", ends, labels, 0)
        for connector, (begin, end) in ends.items():
            if begin in self._names and end in self._names:
                label = f": {labels[connector]}" if labels.get(connector) else ""
                self._blocks.append(ListItem(text=f"{self._names[begin]} → {self._names[end]}{label}", marker="•"))
            elif labels.get(connector):
                self._blocks.append(Paragraph(text=labels[connector]))
        return self._blocks

    def _hidden_layers(self) -> frozenset[str]:
        rows = _rows(self.sheet, "Layer") if self.sheet is not None else ()
        return frozenset(row.get("IX", "") for row in rows if cell(row, "Visible") == "0")

    def _level(
        self, above: XmlElement, master: str, ends: Mapping[str, object], labels: dict[str, str], depth: int
    ) -> str:
        """The shapes right below a page or group, from top to bottom and from left to right; gives the first words."""
        shapes = [one for group in above.iterchildren(f"{V}Shapes") for one in group.iterchildren(f"{V}Shape")]
        if depth == 0:
            shapes.sort(key=lambda one: (-number(one, "PinY"), number(one, "PinX")))
        first = ""
        if depth >= _MAX_DEPTH:  # all below it one after the other
            shapes = list(above.iter(f"{V}Shape"))[1:]
        for one in shapes:
            own = one.get("Master") or master
            model = self.masters.shape(own, one.get("MasterShape", "")) if own else None
            text, key = _text(one, model), one.get("ID", "")
            if key in ends:  # shown where it leads from and to
                labels[key] = text
                continue
            self._shape(one, model, text)
            below = self._level(one, own, ends, labels, depth + 1) if depth < _MAX_DEPTH else ""
            shown = " ".join(text.split()) or below
            first = first or shown
            named = one.get("Name") or one.get("NameU") or self.masters.name(own)
            self._names[key] = shown or named.partition(".")[0]
        return first

    def _shape(self, one: XmlElement, model: XmlElement | None, text: str) -> None:
        member = (cell(one, "LayerMember") or cell(model, "LayerMember")).replace(" ", "")
        layers = set(filter(None, member.split(";")))
        hidden = cell(one, "HideText") == "1" or (bool(layers) and layers <= self._unseen)
        links = [target for row in _rows(one, "Hyperlink") if (target := _link(row))]
        if not text and links:
            text = cell(next(_rows(one, "Hyperlink")), "Description") or links[0]
        if text:
            spans = (Span("link", 0, len(text), links[0]),) if links else ()
            self._blocks.append(Paragraph(text=text, spans=spans, hidden=hidden))
        for row in _rows(one, "Property"):
            value = cell(row, "Value")
            if value and cell(row, "Invisible") != "1":
                label = cell(row, "Label") or _label(model, row.get("N", "")) or row.get("N", "")
                self._blocks.append(ListItem(text=f"{label}: {value}", marker="•", hidden=hidden))
        self._picture(one, hidden)

    def _picture(self, one: XmlElement, hidden: bool) -> None:
        for pointer in one.iterfind(f"{V}ForeignData/{V}Rel"):
            target = self.targets.get(pointer.get(f"{R}id", ""), "")
            entry = self.embeds.file(target) if target and self.embeds is not None else None
            if entry is not None:
                self._blocks.append(Figure(embed=entry.key, alt=one.get("AlternativeText", ""), hidden=hidden))


def _text(one: XmlElement, model: XmlElement | None) -> str:
    """What a shape says; its master's words where it has none of its own (an empty text is one)."""
    node = one.find(f"{V}Text")
    if node is None and model is not None:
        node = model.find(f"{V}Text")
    lines = "".join(node.itertext()).replace("\u2028", "\n").splitlines() if node is not None else []
    return "\n".join(line for line in map(str.strip, lines) if line)


def _label(model: XmlElement | None, name: str) -> str:
    rows = _rows(model, "Property") if model is not None else ()
    return next((cell(row, "Label") for row in rows if row.get("N") == name), "")


def _link(row: XmlElement) -> str:
    """Where a hyperlink leads, a page of the drawing as `#name`."""
    address, place = cell(row, "Address"), cell(row, "SubAddress")
    return f"{address}#{place}" if place else address


def _ends(contents: XmlElement) -> dict[str, tuple[str, str]]:
    """The connectors that join two shapes: by their id the shape each begins at and the one it ends at."""
    glued: dict[str, dict[str, str]] = {}
    for one in contents.iterfind(f"{V}Connects/{V}Connect"):
        glued.setdefault(one.get("FromSheet", ""), {})[one.get("FromCell", "")] = one.get("ToSheet", "")
    return {key: (ends["BeginX"], ends["EndX"]) for key, ends in glued.items() if "BeginX" in ends and "EndX" in ends}


_POINTS = 72.0
"""An inch: Visio's own unit."""


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The drawing as a document of pages. Raises FormatError."""
    with Package(source, limits) as package:
        return _read(package, source, limits)


def page_part(page: XmlElement, sheet: XmlElement | None, blocks: list[AnyBlock]) -> Part:
    """A page of these blocks, by its entry in the list of pages and its sheet."""
    return Part(
        kind="page", title=page.get("Name") or page.get("NameU") or "", blocks=tuple(blocks),
        width=number(sheet, "PageWidth") * _POINTS, height=number(sheet, "PageHeight") * _POINTS,
        metadata={"kind": "background"} if page.get("Background") == "1" else {},
    )  # fmt: skip


def cut_notice(pages: int, limits: Limits) -> list[Notice]:
    """What is said of a drawing of more pages than are read."""
    if pages <= limits.max_parts:
        return []
    return [Notice("truncated_at", f"Only the first {limits.max_parts:,} of {pages:,} pages are read.")]


def _read(package: Package, source: Source, limits: Limits) -> ParsedDocument:
    outer = package.relationships("")
    main = next((one.target for one in outer.values() if one.type == "document" and not one.external), "")
    main = main if main in package else "visio/document.xml"
    if main not in package:
        raise DamagedError(f"{source.name} is a zip file but holds no Visio drawing.")
    masters = Masters(_listed(package, main, "masters", "Master"))
    comments = _comments(package, main)
    embeds = EmbedRegister(package, limits)
    notices: list[Notice] = []
    parts: list[Part] = []
    listed = _listed(package, main, "pages", "Page")
    listed.sort(key=lambda entry: entry[0].get("Background") == "1")
    for page, contents, name in listed[: limits.max_parts]:
        if contents is None:
            notices.append(Notice("damaged_part", f"The page {page.get('Name')} cannot be read.", len(parts) + 1))
        sheet = page.find(f"{V}PageSheet")
        relationships = package.relationships(name) if name else {}
        reader = PageReader(masters, sheet, {key: one.target for key, one in relationships.items()}, embeds)
        blocks: list[AnyBlock] = reader.read(contents) if contents is not None else []
        blocks += comments.get(page.get("ID", ""), ())
        notices += hidden_notice(blocks, len(parts) + 1)
        parts.append(page_part(page, sheet, blocks))
    notices += cut_notice(len(listed), limits)
    metadata = read_properties(package, outer)
    document = ParsedDocument(
        title=metadata.pop("title", ""), description=metadata.pop("description", ""), metadata=metadata,
        parts=tuple(parts), elements=elements_of(parts), embedded=embeds.done(), notices=tuple(notices),
    )  # fmt: skip
    return with_drawn_words(document, package.read)


def _listed(package: Package, main: str, kind: str, tag: str) -> list[tuple[XmlElement, XmlElement | None, str]]:
    """The entries of the part that lists pages or masters, each with its own part, None where that cannot be read."""
    found: list[tuple[XmlElement, XmlElement | None, str]] = []
    for listing in package.related(main, kind):
        if listing.target not in package:
            continue
        relationships = package.relationships(listing.target)
        for entry in package.xml(listing.target).iter(f"{V}{tag}"):
            pointer = entry.find(f"{V}Rel")
            target = relationships.get(pointer.get(f"{R}id", "")) if pointer is not None else None
            name = target.target if target is not None and target.target in package else ""
            try:
                found.append((entry, package.xml(name) if name else None, name))
            except DamagedError:
                found.append((entry, None, ""))
    return found


def _comments(package: Package, main: str) -> Mapping[str, Iterable[Note]]:
    """The comments by the id of the page they stand on ([MS-VSDX] 2.2.3.2)."""
    found: dict[str, list[Note]] = {}
    for listing in package.related(main, "comments"):
        if listing.target not in package:
            continue
        try:
            root = package.xml(listing.target)
        except DamagedError:
            continue
        authors = {entry.get("ID"): entry.get("Name", "") for entry in root.iter(f"{V}AuthorEntry")}
        for at, entry in enumerate(outermost(root, f"{V}CommentEntry")):
            text = "".join(entry.itertext()).strip()
            note = Note(
                kind="comment", id=str(at), text=text, author=authors.get(entry.get("AuthorID"), ""),
                date=entry.get("Date", ""),
            )  # fmt: skip
            found.setdefault(entry.get("PageID", ""), []).append(note)
    return found
