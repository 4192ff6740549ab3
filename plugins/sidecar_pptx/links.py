"""Where a hyperlink of a slide leads: a URL, or `#slide-N` inside the presentation.

ECMA-376 part 1 §21.1.2.3.5 and the `ppaction` URLs of [MS-ODRAWXML]. Not responsible for finding links."""

from collections.abc import Callable

from sidecar.toolkit.ooxml.namespaces import A, R
from sidecar.toolkit.ooxml.package import Relationship
from sidecar.toolkit.xml import XmlElement, child_of

_CLICKS = (f"{A}hlinkClick", f"{A}hlinkHover")
_ID = f"{R}id"


class Links:
    """Called with an `a:hlinkClick`, answers its target; "" for one that leads nowhere."""

    def __init__(
        self, relationships: Callable[[], dict[str, Relationship]], numbers: dict[str, int], number: int
    ) -> None:
        self._relationships = relationships  # asked for when a link is met: most notes have none
        self._numbers = numbers
        self._number = number

    def __call__(self, node: XmlElement) -> str:
        """Where an `a:hlinkClick` leads to: an address or `#slide-N`; "" for nowhere."""
        action: str = node.get("action", "")
        if action.startswith("ppaction://hlinkshowjump"):
            last = max(self._numbers.values(), default=1)
            jump = action.rpartition("jump=")[2]
            target = {
                "firstslide": 1,
                "lastslide": last,
                "nextslide": min(self._number + 1, last),
                "previousslide": max(self._number - 1, 1),
            }.get(jump)
            return f"#slide-{target}" if target else ""
        relationship = self._relationships().get(node.get(_ID, ""))
        if relationship is None:
            return ""
        if relationship.external:
            return relationship.target
        number = self._numbers.get(relationship.target.lower())
        return f"#slide-{number}" if number else ""

    def of(self, properties: XmlElement | None) -> str:
        """The link of a whole shape (on its `p:cNvPr`)."""
        if properties is None or not len(properties):
            return ""
        for name in _CLICKS:
            node = child_of(properties, name)
            target = self(node) if node is not None else ""
            if target:
                return target
        return ""
