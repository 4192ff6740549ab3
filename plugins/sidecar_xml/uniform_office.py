"""Makes a text, workbook or presentation of the Uniform Office Format HTML: .uot, .uos, .uop as one file of XML, as
LibreOffice and WPS save it (GB/T 20916-2007), or as a package (UOF 2.0), whose elements have the same names with a
number behind (`段落_416B`)."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from sidecar.api import DamagedError
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.xml import XmlElement, etree, unsigned, words_of

_FACTS: Final = {"标题": "title", "创建者": "author", "作者": "author", "主题": "subject", "摘要": "description",
                 "创建日期": "created"}  # fmt: skip
_HEADING: Final = re.compile(r"Heading(?:_20_| )?(\d)|(Title)")
_SIGNS: Final = {"空格符": " ", "制表符": "\t", "换行符": " "}
_MAX_COLUMNS: Final = 16_384
_NEAR: Final = 32
"""Empty columns before a cell up to which each has a cell of its own. More are one cell over all of them: a row of
forty bytes may put its only cell into the last column of a sheet."""
_NOTES: Final = ("脚注", "尾注")
_NUMBER: Final = re.compile(r"_[0-9A-F]{4}$")
_CONTENT, _STYLES = "content.xml", "styles.xml"


def uniform_as_html(root: XmlElement) -> XmlElement:
    """The paragraphs and tables of a text, then its footnotes and the edges of its pages; a heading and what is on it
    for each sheet and slide."""
    body = etree.Element("body")
    shapes = {one.get("标识符", ""): one for one in root.iterfind("对象集/图形")}
    for main in root.iterfind("*/主体"):
        edges = {words_of(one): one for one in main.iterfind("分节/节属性//段落")}
        _add_flow(body, main, shapes)
        for note in main.iter(*_NOTES):
            _add_flow(body, note, shapes)
        for edge in edges.values():
            _add_paragraph(body, edge, shapes)
        for part in main.iter("工作表", "幻灯片"):
            _add_part(body, part, shapes)
    return body


def unpacked_uniform(package: Package, name: str) -> XmlElement:
    """The parts of a package as the one file that the earlier format is. Raises DamagedError."""
    if _CONTENT not in package:
        raise DamagedError(f"{name} is not a document of the Uniform Office Format: it has no {_CONTENT}.")
    parts = {one: _plainly_named(package.xml(one)) for one in (_CONTENT, "graphics.xml", "_meta/meta.xml", _STYLES)
             if one in package}  # fmt: skip
    root = etree.Element("UOF")
    facts = next(parts["_meta/meta.xml"].iter("元数据"), None) if "_meta/meta.xml" in parts else None
    if facts is not None:
        root.append(facts)
    etree.SubElement(root, "对象集").extend(parts.get("graphics.xml", ()))
    levels = {one.get("标识符", ""): level for one in parts.get(_STYLES, root).iter("段落式样")
              if (level := one.findtext("大纲级别") or one.findtext("段落属性/大纲级别"))}  # fmt: skip
    content = parts[_CONTENT]
    for looks in content.iter("段落属性"):
        if looks.find("大纲级别") is None and (level := levels.get(looks.get("式样引用", ""))):
            etree.SubElement(looks, "大纲级别").text = level
    for place in content.iter("占位符"):
        place.getparent().set("占位符", place.get("类型", ""))
    content.tag = "主体"
    etree.SubElement(root, "文档").append(content)
    return root


def _plainly_named(root: XmlElement) -> XmlElement:
    """The tree with the names of the earlier format, which are not numbered and say of a flag no "whether" (是否)."""
    for node in root.iter(etree.Element):
        node.tag = _NUMBER.sub("", node.tag.rpartition("}")[2])
        for key, value in [*node.attrib.items()]:
            node.attrib.pop(key)
            node.set(_NUMBER.sub("", key.rpartition("}")[2]).removeprefix("是否"), value)
    return root


def uniform_facts(root: XmlElement) -> dict[str, str]:
    """What the document says of itself."""
    return {_FACTS[one.tag]: words_of(one) for one in root.iterfind("元数据/*") if one.tag in _FACTS and words_of(one)}


def _add_part(body: XmlElement, part: XmlElement, shapes: Mapping[str, XmlElement]) -> None:
    """A sheet or slide; those not shown are hidden, and so are the words in them."""
    held = etree.SubElement(body, "div")
    if part.get("隐藏") == "true" or part.get("显示") == "false":
        held.set("style", "display:none")
    anchors = part.findall("锚点")
    title = next((one for one in anchors if one.get("占位符") in ("title", "centertitle") and _text(one, shapes)), None)
    etree.SubElement(held, "h1").text = part.get("名称", "") if title is None else _text(title, shapes)
    _add_flow(held, part, shapes, without=title)
    for rows in part.iterfind("工作表内容"):
        _add_table(held, rows, shapes)
    for notes in part.iterfind("幻灯片备注"):
        _add_flow(held, notes, shapes)


def _add_flow(held: XmlElement, node: XmlElement, shapes: Mapping[str, XmlElement],
              without: XmlElement | None = None) -> None:  # fmt: skip
    """The paragraphs, tables and shapes right below an element."""
    for child in node:
        if child.tag == "段落":
            _add_paragraph(held, child, shapes)
        elif child.tag == "文字表":
            _add_table(held, child, shapes)
        elif child.tag == "锚点" and child is not without:
            for line in _shape(child, shapes).iter("段落"):
                _add_paragraph(held, line, {})


def _add_paragraph(held: XmlElement, node: XmlElement, shapes: Mapping[str, XmlElement]) -> None:
    looks = node.find("段落属性")
    level = _HEADING.match(looks.get("式样引用", "")) if looks is not None else None
    listed = looks is not None and looks.find("自动编号信息") is not None
    depth = unsigned(node.findtext("段落属性/大纲级别") or "") or (unsigned(level[1] or "1") if level else 0)
    text = "".join(_words(node))
    if text.strip():
        etree.SubElement(held, f"h{min(depth, 6)}" if depth else "li" if listed else "p").text = text
    for anchor in node.iterfind(".//锚点"):
        for line in _shape(anchor, shapes).iter("段落"):
            _add_paragraph(held, line, {})


def _words(node: XmlElement) -> Iterator[str]:
    """The words of a paragraph without its notes, which have paragraphs of their own."""
    for child in node:
        if child.tag == "文本串":
            yield child.text or ""
        elif child.tag in _SIGNS:
            yield _SIGNS[child.tag] * min(max(unsigned(child.get("个数", "1")), 1), 100)
        elif child.tag not in (*_NOTES, "段落属性", "句属性", "锚点"):
            yield from _words(child)


def _add_table(held: XmlElement, node: XmlElement, shapes: Mapping[str, XmlElement]) -> None:
    """Rows and cells; a cell may say which column it is in, and that it goes over others."""
    table = etree.SubElement(held, "table")
    rows = node.findall("行")
    while rows and not words_of(rows[-1]):
        rows.pop()
    for row in rows:
        cells = row.findall("单元格")
        while cells and not words_of(cells[-1]):
            cells.pop()
        line, at = etree.SubElement(table, "tr"), 0
        for cell in cells:
            gap = min(unsigned(cell.get("列号", "0")), _MAX_COLUMNS) - 1 - at
            if gap > _NEAR:
                etree.SubElement(line, "td", colspan=str(gap))
            else:
                line.extend(etree.Element("td") for _ in range(gap))
            at += max(gap, 0) + 1
            made = etree.SubElement(line, "td")
            if cell.find("数据") is not None:
                made.text = "".join(_words(cell))
            _add_flow(made, cell, shapes)


def _text(anchor: XmlElement, shapes: Mapping[str, XmlElement]) -> str:
    return " ".join("".join("".join(_words(one)) for one in _shape(anchor, shapes).iter("段落")).split())


def _shape(anchor: XmlElement, shapes: Mapping[str, XmlElement]) -> XmlElement:
    shape = shapes.get(anchor.get("图形引用", ""))
    return etree.Element("none") if shape is None else shape
