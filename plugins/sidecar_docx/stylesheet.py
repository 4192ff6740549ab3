"""The definitions of `styles.xml`, found one by one: a document uses a handful of the hundred or more it has, so the
part is only searched, and what is asked for is parsed. A part written in an unusual way is parsed whole.
"""

from __future__ import annotations

from typing import Protocol

from sidecar.toolkit.ooxml.markup import root_of, scannable, transitional
from sidecar.toolkit.xml import XmlElement, parse_xml
from sidecar_docx.names import W

_MAIN = W.strip("{}")
_OPENING, _CLOSING = "<w:style ", "</w:style>"
_ON = frozenset({"1", "true", "on"})


class StyleSheet(Protocol):
    """Style definitions by id. `default` is the id of the default paragraph style, "" without one."""

    default: str

    def find(self, name: str) -> XmlElement | None: ...


def read_sheet(data: bytes, what: str, _: str = "") -> StyleSheet:
    """The definitions in a styles part. Raises DamagedError when it is not XML; `what` names it then."""
    text = scannable(data)
    if text is not None:
        root = root_of(text)
        if root is not None and root.name == "w:styles" and root.attributes.get("xmlns:w") == _MAIN:
            sheet = _Text(text, text[: root.end])
            if sheet.regular:
                return sheet
    return _Tree(parse_xml(transitional(data), what))


class NoSheet:
    """A document without style definitions."""

    default = ""

    def find(self, name: str) -> XmlElement | None:
        return None


class _Tree:
    def __init__(self, root: XmlElement) -> None:
        self._nodes: dict[str, XmlElement] = {}
        self.default = ""
        for node in root.iterchildren(f"{W}style"):
            name = node.get(f"{W}styleId", "")
            self._nodes.setdefault(name, node)
            if node.get(f"{W}default") in _ON and node.get(f"{W}type") == "paragraph":
                self.default = name

    def find(self, name: str) -> XmlElement | None:
        return self._nodes.get(name)


class _Text:
    """Definitions still to be parsed; `head` is the root's start tag, for its namespaces."""

    def __init__(self, text: str, head: str) -> None:
        self._text = text
        self._head = head
        self.default = ""
        self.regular = self._is_regular()
        if self.regular:
            self._find_default()

    def _is_regular(self) -> bool:
        """Whether every definition is one start tag with double quotes and one end tag, none inside another, in the
        root's own namespaces."""
        text = self._text
        return (
            text.endswith(("</w:styles>", "</w:styles>\n"))
            and text.count("<w:style>") == 0
            and text.count(_OPENING) == text.count(_CLOSING) == text.count("w:styleId=")
            and text.count('w:styleId="') == text.count("w:styleId=")
            and "'" not in text
            and ":AlternateContent" not in text
            and "xmlns:w=" not in text[len(self._head) :]
        )

    def _find_default(self) -> None:
        at = self._text.find("w:default=")
        while at >= 0:
            node = self._definition(self._text.rfind(_OPENING, 0, at), at)
            if node is not None and node.get(f"{W}default") in _ON and node.get(f"{W}type") == "paragraph":
                self.default = node.get(f"{W}styleId", "")
            at = self._text.find("w:default=", at + 1)

    def find(self, name: str) -> XmlElement | None:
        if "&" in name or '"' in name or "<" in name:  # written with references
            return next((node for node in self._all() if node.get(f"{W}styleId") == name), None)
        at = self._text.find(f'w:styleId="{name}"')
        return self._definition(self._text.rfind(_OPENING, 0, at), at) if at >= 0 else None

    def _all(self) -> list[XmlElement]:
        return list(parse_xml(self._text.encode(), "styles").iterchildren(f"{W}style"))

    def _definition(self, start: int, inside: int) -> XmlElement | None:
        """The definition that begins at `start`, when `inside` lies in its start tag."""
        if start < 0 or self._text.find(">", start) < inside:
            return None
        end = self._text.find(_CLOSING, start) + len(_CLOSING)
        whole = f"{self._head}{self._text[start:end]}</w:styles>"
        return parse_xml(whole.encode(), "styles")[0]
