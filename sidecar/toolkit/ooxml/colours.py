"""Colours of DrawingML (ECMA-376 part 1 §20.1.2.3): what an element gives, and what the changes in it make of that.
Not responsible for themes, nor for what is painted."""

import colorsys
import re
from collections.abc import Callable, Mapping

from sidecar.toolkit.ooxml.namespaces import A
from sidecar.toolkit.xml import XmlElement

RGB = tuple[float, float, float]
"""Red, green and blue, 0 to 1 each."""
FILLS = frozenset(f"{A}{name}" for name in ("noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill"))
"""What may fill a shape (§20.1.8)."""
THOUSANDTHS = 100_000
"""Of a per cent, in the whole."""
_USUAL: Mapping[str, RGB] = {"black": (0.0, 0.0, 0.0), "white": (1.0, 1.0, 1.0)}
_SHORT = (("dk", "dark"), ("lt", "light"), ("med", "medium"))
_DISTINCT = re.compile(r"(?<=[a-z])(?=[A-Z])")


def number_of(node: XmlElement | None, name: str, default: float = 0.0) -> float:
    """A number of an attribute; the default where there is none that makes sense."""
    value = node.get(name) if node is not None else None
    if value is None or len(value) > 20:
        return default
    try:
        found = float(value.removesuffix("%")) * (1000 if value.endswith("%") else 1)
    except ValueError:
        return default
    return found if abs(found) < 1e12 else default


def plain_colour(node: XmlElement, scheme: Callable[[str], str]) -> RGB | None:
    """The colour of an element before it is changed; None for one that is not known. `scheme` gives the theme's, as
    "RRGGBB", by name."""
    name, value = node.tag.rpartition("}")[2], node.get("val", "")
    if name == "schemeClr":
        return rgb_of(scheme(value))
    if name == "sysClr":
        return rgb_of(node.get("lastClr") or ("ffffff" if value == "window" else "000000"))
    if name == "prstClr":
        return _named(value)
    if name == "scrgbClr":
        parts = [_to_display(number_of(node, part) / THOUSANDTHS) for part in "rgb"]
        return parts[0], parts[1], parts[2]
    if name == "hslClr":
        hue, level = number_of(node, "hue") / 21_600_000, number_of(node, "lum") / THOUSANDTHS
        return colorsys.hls_to_rgb(hue, level, number_of(node, "sat") / THOUSANDTHS)
    return rgb_of(value) if name == "srgbClr" else None


def changed(node: XmlElement, rgb: RGB) -> RGB:
    """The colour with the changes that stand in its element, but for its opacity."""
    for change in node:
        make = _CHANGES.get(change.tag.rpartition("}")[2]) if isinstance(change.tag, str) else None
        if make is not None:
            rgb = make(rgb, number_of(change, "val", THOUSANDTHS) / THOUSANDTHS)
    red, green, blue = (min(max(part, 0.0), 1.0) for part in rgb)
    return red, green, blue


def rgb_of(value: str) -> RGB | None:
    """The colour of "RRGGBB"; None for anything else."""
    if not re.fullmatch(r"[0-9A-Fa-f]{6}", value):
        return None
    return int(value[:2], 16) / 255, int(value[2:4], 16) / 255, int(value[4:], 16) / 255


def _named(name: str) -> RGB | None:
    """A preset colour (§20.1.10.47): the names of CSS, some shortened."""
    if name in _USUAL:
        return _USUAL[name]
    from PIL import ImageColor  # a hundredth of a second

    words = [dict(_SHORT).get(word, word) for word in _DISTINCT.split(name)]
    try:
        red, green, blue = ImageColor.getrgb("".join(words).lower())[:3]
    except ValueError:
        return None
    return red / 255, green / 255, blue / 255


def _to_display(part: float) -> float:
    """A linear share of light as sRGB (IEC 61966-2-1)."""
    part = min(max(part, 0.0), 1.0)
    return part * 12.92 if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055


def _to_linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _levels(rgb: RGB, change: Callable[[float, float, float], tuple[float, float, float]]) -> RGB:
    hue, level, saturation = change(*colorsys.rgb_to_hls(*(min(max(part, 0.0), 1.0) for part in rgb)))
    return colorsys.hls_to_rgb(hue % 1.0, min(max(level, 0.0), 1.0), min(max(saturation, 0.0), 1.0))


def _light(rgb: RGB, share: float, white: float) -> RGB:
    red, green, blue = (_to_display(_to_linear(part) * share + white) for part in rgb)
    return red, green, blue


_CHANGES: Mapping[str, Callable[[RGB, float], RGB]] = {
    "lumMod": lambda rgb, share: _levels(rgb, lambda h, light, s: (h, light * share, s)),
    "lumOff": lambda rgb, share: _levels(rgb, lambda h, light, s: (h, light + share, s)),
    "satMod": lambda rgb, share: _levels(rgb, lambda h, light, s: (h, light, s * share)),
    "satOff": lambda rgb, share: _levels(rgb, lambda h, light, s: (h, light, s + share)),
    "shade": lambda rgb, share: _light(rgb, share, 0.0),
    "tint": lambda rgb, share: _light(rgb, share, 1.0 - share),
    "gray": lambda rgb, _: _levels(rgb, lambda h, light, _: (h, light, 0.0)),
    "inv": lambda rgb, _: (1 - rgb[0], 1 - rgb[1], 1 - rgb[2]),
}
