"""What stands beside the cells of an OpenDocument sheet, as `Note` blocks: the head and foot of its printed pages, and
what its cells may hold (ODF 1.3 part 3 §16.5, §9.4.5). Comments are read with their cells."""

from collections.abc import Iterator, Mapping
from typing import Final, Literal

from sidecar.api import Note
from sidecar.toolkit.markup.odf_charts import words_of
from sidecar.toolkit.xml import XmlElement
from sidecar_xlsx.ods_styles import Appearances

_NS: Final = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
_STYLE, _TABLE, _TEXT = (_NS % name for name in ("style", "table", "text"))
_MAX_PLACES: Final = 20
"""Cells that are named of those with one rule."""
_FIELDS: Final = tuple(f"{_TEXT}{name}" for name in ("sheet-name", "page-number", "page-count", "date", "time"))


class SheetNotes:
    """The notes of a workbook's sheets: `content` is `content.xml`, `common` `styles.xml` where there is one."""

    def __init__(self, content: XmlElement, common: XmlElement | None) -> None:
        self._masters: dict[str, list[Note]] = {}
        self._styles: dict[str, str] = {}
        self._rules = {node.get(f"{_TABLE}name", ""): node for node in content.iter(f"{_TABLE}content-validation")}
        for root in (content, common):
            for style in root.iter(f"{_STYLE}style") if root is not None else ():
                if style.get(f"{_STYLE}family") == "table":
                    self._styles[style.get(f"{_STYLE}name", "")] = style.get(f"{_STYLE}master-page-name", "")
        appearances = Appearances([common] if common is not None else [])
        for master in common.iter(f"{_STYLE}master-page") if common is not None else ():
            self._masters.setdefault(master.get(f"{_STYLE}name", ""), list(_edges(master, appearances)))

    def of_pages(self, table: XmlElement) -> list[Note]:
        """Heads and feet of the pages that a sheet is printed on."""
        name = self._styles.get(table.get(f"{_TABLE}style-name", ""), "") or "Default"
        return self._masters.get(name) or (list(*self._masters.values()) if len(self._masters) == 1 else [])

    def of_rules(self, cells: Mapping[str, list[str]]) -> Iterator[Note]:
        """What the cells may hold that have the rules of these names, and what is said about it."""
        for name, places in cells.items():
            text = self._rule(name)
            if text:
                more = " …" if len(places) > _MAX_PLACES else ""
                yield Note(kind="form", text=text, target=" ".join(places[:_MAX_PLACES]) + more)

    def _rule(self, name: str) -> str:
        node = self._rules.get(name)
        if node is None:
            return ""
        condition = node.get(f"{_TABLE}condition", "").partition(":")[2]
        lines = [f"Allowed: {condition}"] if condition else []
        for message in node.iterchildren(f"{_TABLE}help-message", f"{_TABLE}error-message"):
            text = " ".join(filter(None, map(words_of, message.iter(f"{_TEXT}p"))))
            lines.append(": ".join(filter(None, (message.get(f"{_TABLE}title", ""), text))))
        return "; ".join(filter(None, lines))


def _edges(master: XmlElement, appearances: Appearances) -> Iterator[Note]:
    for name in ("header", "header-left", "header-first", "footer", "footer-left", "footer-first"):
        for edge in master.iterchildren(f"{_STYLE}{name}"):
            if edge.get(f"{_STYLE}display") == "false":
                continue
            kind: Literal["header", "footer"] = "header" if name.startswith("header") else "footer"
            seen, unseen = _seen(edge, appearances)
            fields = sum(len((field.text or "").split()) for field in edge.iter(*_FIELDS))
            if unseen:
                yield Note(kind=kind, text=unseen, hidden=True)
            # The name of the sheet, or a page number with a word for it: what every sheet of the program's has.
            if len(seen.split()) - fields > bool(fields):
                yield Note(kind=kind, text=seen)


def _seen(edge: XmlElement, appearances: Appearances) -> tuple[str, str]:
    """What readers see of the head or foot of a page, and what not."""
    seen: list[str] = []
    unseen: list[str] = []
    for line in edge.iter(f"{_TEXT}p"):
        words, at = words_of(line), 0
        for start, end, _ in appearances.hidden_runs(line):
            seen.append(words[at:start])
            unseen.append(words[start:end])
            at = end
        seen += [words[at:], " "]
    return " ".join("".join(seen).split()), " ".join(" ".join(unseen).split())
