"""Colours, fills and lines of DrawingML by a theme (ECMA-376 part 1 §20.1.2.3, §20.1.8, §20.1.4), as viewers see them.

Not responsible for pictures in fills, nor for whose fill a shape inherits."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from sidecar.toolkit.drawn.model import Paint, Stroke, solid
from sidecar.toolkit.ooxml.colours import FILLS, THOUSANDTHS, changed, number_of, plain_colour, rgb_of
from sidecar.toolkit.ooxml.namespaces import A
from sidecar.toolkit.xml import XmlElement

_EMU = 12700
_USUAL = {"dk1": "000000", "lt1": "ffffff", "dk2": "1f497d", "lt2": "eeece1", "accent1": "4472c4", "accent2": "ed7d31",
          "accent3": "a5a5a5", "accent4": "ffc000", "accent5": "5b9bd5", "accent6": "70ad47", "hlink": "0563c1",
          "folHlink": "954f72"}  # fmt: skip
"""Office's own theme, for files without one."""
_MAPPED = {"bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2"}
_DASHES = {"dash": "dashed", "lgDash": "dashed", "sysDash": "dashed", "dot": "dotted", "sysDot": "dotted",
           "dashDot": "dashed", "lgDashDot": "dashed", "sysDashDot": "dashed"}  # fmt: skip
_INKED = 0.35
"""How much of a pattern is its ink, about."""
_MAX_LINE_WIDTH = 1584.0
"""The widest line there is, in points (ST_LineWidth)."""


def _empty() -> list[XmlElement]:
    return []


@dataclass(frozen=True)
class Palette:
    """A theme as a master maps it: `colours` by name ("accent1", "tx1"), and the fills, lines and backgrounds that
    styles refer to by number."""

    colours: Mapping[str, str] = field(default_factory=lambda: {**_USUAL, **{k: _USUAL[v] for k, v in _MAPPED.items()}})
    fills: list[XmlElement] = field(default_factory=_empty)
    lines: list[XmlElement] = field(default_factory=_empty)
    backgrounds: list[XmlElement] = field(default_factory=_empty)

    @classmethod
    def of(cls, theme: XmlElement | None, mapping: Mapping[str, str]) -> "Palette":
        """From the root of a theme part and the attributes of a `p:clrMap`."""
        found = dict(_USUAL)
        elements = theme.find(f"{A}themeElements") if theme is not None else None
        scheme = elements.find(f"{A}clrScheme") if elements is not None else None
        for node in scheme if scheme is not None else ():
            if isinstance(node.tag, str) and len(node):
                value = node[0].get("lastClr") or node[0].get("val", "")
                if re.fullmatch(r"[0-9A-Fa-f]{6}", value):
                    found[node.tag.rpartition("}")[2]] = value.lower()
        for name, target in {**_MAPPED, **mapping}.items():
            found[name] = found.get(target, "000000")

        def listed(name: str) -> list[XmlElement]:
            holder = elements.find(f"{A}fmtScheme/{A}{name}") if elements is not None else None
            return [child for child in holder if isinstance(child.tag, str)] if holder is not None else []

        return cls(found, listed("fillStyleLst"), listed("lnStyleLst"), listed("bgFillStyleLst"))

    def colour(self, holder: XmlElement | None, base: str = "") -> str:
        """The colour in an element (`a:solidFill`, `a:fontRef` …) as "#rrggbb" or "#rrggbbaa", "" where there is none;
        `base` is what `phClr` stands for."""
        node = next((child for child in holder if isinstance(child.tag, str)), None) if holder is not None else None
        if node is None:
            return ""
        rgb = plain_colour(node, lambda name: base[1:7] if name == "phClr" else self.colours.get(name, ""))
        if rgb is None:
            return ""
        alphas = [number_of(one, "val", THOUSANDTHS) / THOUSANDTHS for one in node.iterfind(f"{A}alpha")]
        alpha = min(max(alphas[-1], 0.0), 1.0) if alphas else 1.0
        rgb = changed(node, rgb)
        written = "#" + "".join(f"{round(part * 255):02x}" for part in rgb)
        return written if alpha >= 1 else f"{written}{round(alpha * 255):02x}"

    def fill(self, node: XmlElement, base: str = "") -> Paint | None:
        """What a fill element paints; None for nothing, and for pictures."""
        name = node.tag.rpartition("}")[2]
        if name == "solidFill":
            colour = self.colour(node, base)
            return solid(colour) if colour else None
        if name == "pattFill":
            return _mixed(self.colour(node.find(f"{A}bgClr"), base), self.colour(node.find(f"{A}fgClr"), base))
        if name != "gradFill":
            return None
        stops = sorted(
            (min(max(number_of(stop, "pos") / 1000, 0.0), 100.0), self.colour(stop, base))
            for stop in node.iterfind(f"{A}gsLst/{A}gs")
        )
        known = [(colour, at) for at, colour in stops if colour]
        if len(known) < 2:
            return solid(known[0][0]) if known else None
        known[0], known[-1] = (known[0][0], 0.0), (known[-1][0], 100.0)
        angle = number_of(node.find(f"{A}lin"), "ang", 5_400_000) / 60000
        return Paint(stops=tuple(known), angle=angle)

    def styled_fill(self, reference: XmlElement | None) -> Paint | None:
        """What a `a:fillRef` or `p:bgRef` paints (§20.1.4.2.10, §19.3.1.3)."""
        number = int(number_of(reference, "idx"))
        if reference is None or number in (0, 1000):
            return None
        base = self.colour(reference)
        listed, at = (self.backgrounds, number - 1001) if number > 1000 else (self.fills, number - 1)
        made = self.fill(listed[at], base) if 0 <= at < len(listed) else None
        return made or (solid(base) if base else None)

    def stroke(self, node: XmlElement | None, reference: XmlElement | None = None) -> Stroke | None:
        """The line that an `a:ln` gives, or the style that a `a:lnRef` names where it says nothing; None for none."""
        at = int(number_of(reference, "idx")) - 1
        styled = self.lines[at] if 0 <= at < len(self.lines) else None
        base = self.colour(reference) if reference is not None else ""
        colour = ""
        for line in (node, styled):
            fill = _line_fill(line)
            if fill is not None:
                if fill.tag == f"{A}noFill":
                    return None
                paint = self.fill(fill, base)
                colour = paint.stops[0][0] if paint else ""
                break
        colour = colour or (base if at >= 0 else "")
        if not colour:
            return None
        width = next(
            (number_of(line, "w") / _EMU for line in (node, styled) if line is not None and line.get("w")), 0.75
        )
        dash = node.find(f"{A}prstDash") if node is not None else None
        kind = _DASHES.get(dash.get("val", ""), "solid") if dash is not None else "solid"
        return Stroke(
            colour=colour,
            width=min(max(width, 0.25), _MAX_LINE_WIDTH),
            dash="dashed" if kind == "dashed" else "dotted" if kind == "dotted" else "solid",
        )


def _mixed(back: str, ink: str) -> Paint | None:
    """The even tone a pattern of two colours has from afar."""
    one, other = rgb_of(back[1:7]), rgb_of(ink[1:7])
    if one is None or other is None:
        return solid(back or ink) if back or ink else None
    parts = (round((a * (1 - _INKED) + b * _INKED) * 255) for a, b in zip(one, other, strict=True))
    return solid("#" + "".join(f"{part:02x}" for part in parts))


def _line_fill(line: XmlElement | None) -> XmlElement | None:
    if line is None:
        return None
    names = (f"{A}noFill", f"{A}solidFill", f"{A}gradFill", f"{A}pattFill")
    return next((child for child in line if child.tag in names), None)


def fill_in(properties: XmlElement | None) -> XmlElement | None:
    """The fill that properties name, none of their children's."""
    return next((child for child in properties if child.tag in FILLS), None) if properties is not None else None
