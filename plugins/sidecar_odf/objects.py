"""Objects inside an OpenDocument package: formulas and charts are documents of their own, in folders of their own."""

import posixpath
from dataclasses import dataclass, field

from sidecar.api import DamagedError
from sidecar.toolkit.markup.html.mathml import read_math
from sidecar.toolkit.markup.pictures import InnerFile
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.pictures import HEAD_BYTES
from sidecar.toolkit.xml import XmlElement


@dataclass(frozen=True)
class PackageObjects:
    """Finds what a reference (`xlink:href`) in the content names inside the package."""

    package: Package
    types: dict[str, str]
    """Media types from the manifest, by path in lower case."""
    controls: dict[str, XmlElement] = field(default_factory=dict[str, XmlElement])
    """Those of forms, by their ids."""

    def path(self, href: str) -> str:
        """The path in the package an address leads to."""
        if "://" in href or not href:
            return ""
        return posixpath.normpath(href.removeprefix("./")).lstrip("/")

    def inner(self, href: str) -> InnerFile | None:
        """The picture or attached file a reference names; None when it lies outside or is absent."""
        path = self.path(href)
        if not path or path not in self.package:
            return None
        try:
            head = self.package.read(path, HEAD_BYTES)
        except DamagedError:
            return None
        kind = self.types.get(path.lower(), "")
        kind = kind if kind.count("/") == 1 else ""
        return InnerFile(path, posixpath.basename(path), kind, self.package.size(path), head)

    def content(self, href: str) -> XmlElement | None:
        """The content of an object stored as a document in a folder."""
        path = posixpath.join(self.path(href), "content.xml")
        if path in ("content.xml", "./content.xml") or path not in self.package:
            return None
        try:
            return self.package.xml(path)
        except DamagedError:
            return None

    def formula(self, root: XmlElement) -> tuple[str, str] | None:
        """`(text, LaTeX)` when the object is a formula."""
        for node in (root, *root.iter("{http://www.w3.org/1998/Math/MathML}math")):
            if node.tag == "{http://www.w3.org/1998/Math/MathML}math":
                text, latex = read_math(node)
                return (text, latex) if text else None
        return None
