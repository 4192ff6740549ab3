"""Word 2003 XML (WordprocessingML of 2003, `w:wordDocument`) written as the package it stands for. Most elements are
the same under another namespace; what differs (lists, links, notes, annotations, pictures, heads) is rewritten here."""

import base64
import binascii
from collections.abc import Iterable
from html import escape

from sidecar.api import DamagedError, Limits, Source
from sidecar.toolkit.markup.flat_opc import Part, package_of
from sidecar.toolkit.xml import XmlElement, etree, parse_xml

_OLD = b"http://schemas.microsoft.com/office/word/2003/wordml"
_MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_W = f"{{{_MAIN}}}"
_RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_R = f"{{{_RELATED}}}"
_RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
_AML = "{http://schemas.microsoft.com/aml/2001/core}"
_WX = "{http://schemas.microsoft.com/office/word/2003/auxHint}"
_O = "{urn:schemas-microsoft-com:office:office}"
_V = "{urn:schemas-microsoft-com:vml}"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.{}+xml"
_RENAMED = {"listPr": "numPr", "ilfo": "numId", "vmerge": "vMerge", "listDef": "abstractNum", "nfc": "numFmt",
            "list": "num", "ilst": "abstractNumId", "hmerge": "hMerge"}  # fmt: skip
_NUMBERS = {"0": "decimal", "1": "upperRoman", "2": "lowerRoman", "3": "upperLetter", "4": "lowerLetter",
            "5": "ordinal", "22": "decimalZero", "23": "bullet", "255": "none"}  # fmt: skip
_ATTRIBUTES = {"listDefId": "abstractNumId", "ilfo": "numId"}
_CHANGES = {"Word.Insertion": "ins", "Word.Deletion": "del"}
_FACTS = {"Title": "dc:title", "Subject": "dc:subject", "Author": "dc:creator", "Description": "dc:description",
          "Keywords": "cp:keywords", "Category": "cp:category", "LastAuthor": "cp:lastModifiedBy",
          "Created": "dcterms:created", "LastSaved": "dcterms:modified"}  # fmt: skip
_CORE = (
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">{}</cp:coreProperties>'
)


def packed_2003(source: Source, limits: Limits) -> Source:
    """The package that the file stands for. Raises DamagedError, LimitError."""
    data = source.read(limits.max_file_bytes).replace(_OLD, _MAIN.encode())
    root = parse_xml(data, source.name)
    body = root.find(f"{_W}body")
    if body is None:
        raise DamagedError(f"{source.name} has no document body.")
    return package_of(_PackageWriter(root).parts(body), source)


class _PackageWriter:
    """Collects the parts of the package while the body is rewritten."""

    def __init__(self, root: XmlElement) -> None:
        self._root = root
        self._links: list[str] = []
        self._parts: list[Part] = []
        self._media: dict[str, str] = {}

    def parts(self, body: XmlElement) -> Iterable[Part]:
        for node in list(self._root.iter(f"{_WX}sect", f"{_WX}sub-section", f"{_WX}pBdrGroup")):
            _unwrap(node)
        for node in list(self._root.iter(f"{_W}r")):
            if (above := node.getparent()) is not None and above.tag == f"{_W}r":
                _unwrap(node)
        self._annotations()
        self._rename()
        for node in list(self._root.iter(f"{_W}pict")):
            self._picture(node)
        for node in list(self._root.iter(f"{_W}hlink")):
            self._link(node)
        self._notes("footnote")
        self._notes("endnote")
        for node in list(self._root.iter(f"{_W}hdr", f"{_W}ftr")):
            self._head(node)
        for name, kind in (("styles", "styles"), ("lists", "numbering")):
            if (part := self._root.find(f"{_W}{name}")) is not None:
                part.tag = f"{_W}{kind}"
                self._add(kind, part)
        # Put below another element, thousands of namespaces declared in the body would be compared with one another.
        document = b'<w:document xmlns:w="%s">%s</w:document>' % (_MAIN.encode(), _bytes(body))
        self._parts.append(("word/document.xml", _TYPE.format("document.main"), document))
        self._parts.append(("docProps/core.xml", "", self._facts()))
        self._parts.append(("word/_rels/document.xml.rels", "", _relationships(self._links)))
        core = f"{_RELATIONSHIPS}/metadata/core-properties"
        top = [_relationship("rId1", f"{_RELATED}/officeDocument", "word/document.xml"),
               _relationship("rId2", core, "docProps/core.xml")]  # fmt: skip
        self._parts.append(("_rels/.rels", "", _relationships(top)))
        return self._parts

    def _add_relationship(self, kind: str, target: str, *, outside: bool = False) -> str:
        key = f"rId{len(self._links) + 1}"
        self._links.append(_relationship(key, f"{_RELATED}/{kind}", target, outside=outside))
        return key

    def _add(self, kind: str, root: XmlElement, name: str = "") -> str:
        name = name or f"{kind}.xml"
        self._parts.append((f"word/{name}", _TYPE.format(kind), _bytes(root)))
        return self._add_relationship(kind, name)

    def _rename(self) -> None:
        for node in self._root.iter(f"{_W}*"):
            name = str(node.tag)[len(_W) :]
            node.tag = f"{_W}{_RENAMED.get(name, name)}"
            if name == "name":  # LibreOffice writes its own names of styles, with blanks as "_20_"
                node.set(f"{_W}val", node.get(f"{_W}val", "").replace("_20_", " "))
            elif name == "nfc":
                node.set(f"{_W}val", _NUMBERS.get(node.get(f"{_W}val", ""), "decimal"))
            elif name in ("listDef", "list"):
                for old, new in _ATTRIBUTES.items():
                    if (value := node.get(f"{_W}{old}")) is not None:
                        node.set(f"{_W}{new}", value)

    def _annotations(self) -> None:
        """Tracked changes and comments."""
        comments = etree.Element(f"{_W}comments", nsmap={"w": _MAIN})
        for node in list(self._root.iter(f"{_AML}annotation")):
            kind = node.get(f"{_W}type", "")
            facts = {f"{_W}author": node.get(f"{_AML}author", ""), f"{_W}date": node.get(f"{_AML}createdate", ""),
                     f"{_W}id": node.get(f"{_AML}id", "")}  # fmt: skip
            content = node.find(f"{_AML}content")
            if kind in ("Word.Comment.Start", "Word.Comment.End"):
                node.tag = f"{_W}commentRange{kind[13:]}"
                node.set(f"{_W}id", facts[f"{_W}id"])
            elif content is not None and kind == "Word.Comment":
                comment = etree.SubElement(comments, f"{_W}comment", facts)
                comment.extend(list(content))
                node.clear()
                node.tag = f"{_W}commentReference"
                node.set(f"{_W}id", facts[f"{_W}id"])
            elif content is not None:
                node.attrib.clear()
                node.attrib.update(facts)
                node.tag = f"{_W}{_CHANGES[kind]}" if kind in _CHANGES else f"{_W}smartTag"
                _unwrap(content)
        if len(comments):
            self._add("comments", comments)

    def _link(self, node: XmlElement) -> None:
        node.tag = f"{_W}hyperlink"
        if target := node.get(f"{_W}dest", ""):
            node.set(f"{_R}id", self._add_relationship("hyperlink", target, outside=True))
        if anchor := node.get(f"{_W}bookmark", ""):
            node.set(f"{_W}anchor", anchor)

    def _picture(self, node: XmlElement) -> None:
        for data in list(node.iterchildren(f"{_W}binData")):
            name = data.get(f"{_W}name", "")
            try:
                content = base64.b64decode("".join(data.itertext()))
            except (binascii.Error, ValueError):
                continue
            suffix = "".join(filter(str.isalnum, name.rpartition(".")[2][:8])) or "bin"
            file = f"media/image{len(self._parts) + 1}.{suffix}"
            self._media[name] = self._add_relationship("image", file)
            self._parts.append((f"word/{file}", "", content))
            node.remove(data)
        for image in node.iter(f"{_V}imagedata"):
            if key := self._media.get(image.get("src", "")):
                image.set(f"{_R}id", key)

    def _notes(self, kind: str) -> None:
        notes = etree.Element(f"{_W}{kind}s", nsmap={"w": _MAIN, "r": _RELATED})
        count = 0  # lxml counts children one by one
        for node in list(self._root.iter(f"{_W}{kind}")):
            above = node.getparent()
            if above is None or above.tag != f"{_W}r":
                continue  # separators stand elsewhere
            count += 1
            key = {f"{_W}id": str(count)}
            above.replace(node, etree.Element(f"{_W}{kind}Reference", key))
            node.attrib.update(key)
            notes.append(node)
        if count:
            self._add(f"{kind}s", notes)

    def _head(self, node: XmlElement) -> None:
        """A head or foot of pages."""
        above, kind = node.getparent(), "header" if node.tag == f"{_W}hdr" else "footer"
        if above is None:
            return
        where = node.get(f"{_W}type", "")
        shown = where if where in ("first", "even") else "default"
        reference = etree.Element(f"{_W}{kind}Reference", {f"{_W}type": shown})
        above.replace(node, reference)
        reference.set(f"{_R}id", self._add(kind, node, f"{kind}{len(self._parts) + 1}.xml"))

    def _facts(self) -> bytes:
        properties = self._root.find(f"{_O}DocumentProperties")
        facts = "".join(
            f"<{_FACTS[name]}>{escape(node.text, quote=False)}</{_FACTS[name]}>"
            for node in (properties if properties is not None else ())
            if isinstance(node.tag, str) and (name := node.tag.rpartition("}")[2]) in _FACTS and node.text
        )
        return _CORE.format(facts).encode()


def _unwrap(node: XmlElement) -> None:
    """Puts what is in an element into its place; a run's own look goes."""
    above = node.getparent()
    if above is None:
        return
    for child in list(node):
        if child.tag != f"{_W}rPr":
            node.addprevious(child)
    above.remove(node)


def _bytes(root: XmlElement) -> bytes:
    return bytes(etree.tostring(root, encoding="utf-8"))


def _relationship(key: str, kind: str, target: str, *, outside: bool = False) -> str:
    mode = ' TargetMode="External"' if outside else ""
    shown = escape(target)
    return f'<Relationship Id="{key}" Type="{kind}" Target="{shown}"{mode}/>'


def _relationships(links: Iterable[str]) -> bytes:
    return f'<Relationships xmlns="{_RELATIONSHIPS}">{"".join(links)}</Relationships>'.encode()
