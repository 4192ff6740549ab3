"""Text that people who open a page do not see, by the page's own word: the `hidden` attribute and inline styles
(CSS 2.2 and what mail programs add). It is flagged, never taken out: that is `visible`'s, and so are characters
without shape. Rules of the page's sheets are `style_sheets`'."""

import html
import re
from collections.abc import Callable, Mapping, Sequence
from colorsys import hls_to_rgb
from functools import cached_property, lru_cache
from typing import NamedTuple

from sidecar.toolkit.xml import XmlElement, etree

MIN_POINTS = 2.0
"""Type smaller than this is not meant to be read."""
_FAR = -500.0
"""Pixels to the left of or above the page from which a place is not a place on it."""
_SAME = 24
"""Difference of two colours, summed over red, green and blue (0 to 255 each), that an eye does not tell on a screen."""
FAINT = 0.05
"""Opacity below which nothing shows."""
_PIXELS = {"px": 1.0, "pt": 96 / 72, "pc": 16.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6, "": 1.0,
           "em": 16.0, "rem": 16.0, "%": 0.16, "ex": 8.0, "ch": 8.0, "vw": 12.0, "vh": 8.0}  # fmt: skip
"""A length in pixels, taken as of the usual 16-pixel type in a window of 1200 by 800."""
_LENGTH = re.compile(r"([-+]?(?:\d+(?:\.\d*)?|\.\d+))(px|pt|pc|in|cm|mm|q|em|rem|%|ex|ch|vw|vh)?$")
_SHORT_FONT = re.compile(r"(?:^|\s)([\d.]+[a-z%]*)(?:\s*+/\s*+\S++)?\s++\S")
"""The size in a `font`, which is before the name."""
_HEX = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$")
_RGB = re.compile(r"rgba?\(\s*([\d.]+%?)[\s,]+([\d.]+%?)[\s,]+([\d.]+%?)\s*(?:[,/]\s*([\d.]+%?)\s*)?\)$")
_HSL = re.compile(
    r"hsla?\(\s*([\d.]{1,9})(?:deg)?[\s,]+([\d.]{1,9})%[\s,]+([\d.]{1,9})%\s*(?:[,/]\s*([\d.]+%?)\s*)?\)$"
)
_LIGHT = re.compile(r"(?:(ok)?(?:lab|lch)\(\s*|hwb\(\s*[\d.]+(?:deg)?\s+)([\d.]+%?)\s")
"""Colours by their lightness, or their share of white: only black and white are told (CSS Color 4)."""
_WHITE = (255, 255, 255)
_NAMES = {"canvas": (255, 255, 255), "canvastext": (0, 0, 0),
          "white": (255, 255, 255), "black": (0, 0, 0), "snow": (255, 250, 250), "ivory": (255, 255, 240),
          "ghostwhite": (248, 248, 255), "whitesmoke": (245, 245, 245), "floralwhite": (255, 250, 240),
          "mintcream": (245, 255, 250), "azure": (240, 255, 255), "seashell": (255, 245, 238),
          "red": (255, 0, 0), "blue": (0, 0, 255), "green": (0, 128, 0), "yellow": (255, 255, 0),
          "gray": (128, 128, 128), "grey": (128, 128, 128), "silver": (192, 192, 192)}  # fmt: skip
_STYLE_ATTRIBUTE = re.compile(r"""\b(style|color)\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_HIDDEN = re.compile(r"(?:^|\s)hidden(?=[\s=/>]|$)", re.IGNORECASE)
_STYLED = etree.XPath(".//@style/.. | .//@hidden/.. | .//@popover/.. | .//font | .//dialog")
_NO_CLIP = re.compile(r"rect\(\s*(?:[01](?:px)?[\s,]*){4}\)")
_NO_WINDOW = re.compile(r"inset\(\s*(?:50|100)%|circle\(\s*0")
_NO_SIZE = re.compile(r"scale[xy]?\(\s*+0?(?:\.0\d*)?\s*+[,)]|rotate[xy]\(\s*-?(?:90|270)deg")
_MOVES = re.compile(r"translate(?:x|y|3d)?\(([^()]*+)\)")
_NO_MASK = re.compile(r"gradient\((?:to [a-z ]+,)?(?:\s*transparent\s*,?)+\)")
_GRADIENT = re.compile(r"-gradient\((.*)\)\s*$")
_COLOURS = re.compile(r"[a-z]+\([^)]*\)|[^\s,]+")
_ESCAPE = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|(.))", re.IGNORECASE)
_UNSEEN_WORDS = re.compile(
    r"\\(?:[hv]?phantom|(?:text)?color\s*\{\s*(?:white|#[fF]{3}|#(?:[fF][0-9a-fA-F]){3})\s*\})\s*\{?"
    r"\s*\\(?:text|mbox|mathrm)\s*\{([^{}]*)\}"
)
_SENTENCE = 4
"""Words in a formula from which on they are not spacing."""
_NO_INK = re.compile(r"opacity\(\s*([\d.]+%?)\s*\)")
_MAY_HIDE = re.compile(r"none|hid|collapse|opacity|font|indent|clip|transform|zoom|mask|spacing|color|-\d{3}")
"""Asked first, of lower case (a fifth of the time): most declarations have nothing to do with it."""
_MAX_STYLE = 2_000
"""Characters of one style or colour that are looked at: what is longer is made to be slow."""
Colour = tuple[int, int, int]


class _InlineStyle(NamedTuple):
    """What an inline style says of being seen; None where it says nothing."""

    gone: bool
    """Nothing below can show, whatever its own style says."""
    unseen: bool
    """`visibility`, which what is inside may undo."""
    shown: bool
    points: float | None
    relative: bool
    """`points` counts where the type above has the usual size."""
    colour: Colour | None
    background: Colour | str | None
    """"picture" for what is not a plain colour."""


def hides(style: str) -> bool:
    """Whether a style hides all that stands under it."""
    found = _read(style)
    return found.gone or found.unseen


def may_hide(declarations: str) -> bool:
    """Whether declarations are worth being looked at: most say nothing of being seen."""
    return _MAY_HIDE.search(declarations.lower()) is not None


def hides_words(style: str, *, white: bool) -> bool:
    """Whether a style hides the words it is of, and not those below that look otherwise: by their size, or where
    nothing is behind them that is not `white`, by their colour."""
    found = _read(style)
    if found.points is not None and found.points < MIN_POINTS:
        return True
    return white and found.colour is not None and found.background is None and similar_colours(found.colour, _WHITE)


def latex_hides(formula: str) -> bool:
    """Whether a formula in LaTeX sets words without ink, or in white."""
    return "\\" in formula and any(len(words.split()) >= _SENTENCE for words in _UNSEEN_WORDS.findall(formula))


def tag_hides(attributes: str) -> bool:
    """Whether a tag, given as it is written, hides what is in it on a white page."""
    if _HIDDEN.search(attributes):
        return True
    given = {name.lower(): html.unescape(one or other) for name, one, other in _STYLE_ATTRIBUTE.findall(attributes)}
    style = _read(f"color:{given.get('color', '')};{given.get('style', '')}")
    own = given.get("style", "")
    if hides(own) or hides_words(own, white=False):
        return True
    behind = style.background or _WHITE
    return style.colour is not None and not isinstance(behind, str) and similar_colours(style.colour, behind)


def find_hidden(root: XmlElement) -> frozenset[XmlElement]:
    """The elements below `root` that a browser would not show: the outermost ones, each with all that is in it."""
    found: set[XmlElement] = set()
    styled = [(node, _style_of(node)) for node in _STYLED(root)]
    unseen = _HidingRule(styled, lambda style: style.shown)
    tiny = _HidingRule(
        styled, lambda style: style.points is not None and style.points >= MIN_POINTS and not style.relative
    )
    lost = _HidingRule(styled, lambda style: style.colour is not None or style.background is not None)
    for node, style in styled:
        get = node.get
        closed = get("popover") is not None or (node.tag == "dialog" and get("open") is None)
        if style.gone or closed or get("hidden") is not None:
            undoable = None
        elif style.unseen:
            undoable = unseen
        elif style.points is not None and style.points < MIN_POINTS:
            undoable = tiny
        elif style.colour is not None and _is_invisible(node, style.colour):
            undoable = lost
        else:
            continue
        if not found or not any(above in found for above in (node, *node.iterancestors())):
            found.update(undoable.within(node) if undoable else (node,))
    return frozenset(found)


def is_plain(node: XmlElement) -> bool:
    """Whether an element says nothing that could hide what is in it."""
    style = _style_of(node)
    look = style.gone or style.unseen or style.points is not None or style.colour is not None
    return not look and node.get("hidden") is None and node.get("popover") is None and node.tag != "dialog"


class _HidingRule:
    """A way of hiding that an element inside may undo for itself."""

    def __init__(
        self, styled: Sequence[tuple[XmlElement, _InlineStyle]], undoes: Callable[[_InlineStyle], bool]
    ) -> None:
        self._styled = styled
        self._undoes = undoes
        self._seen: set[XmlElement] = set()

    @cached_property
    def _holders(self) -> set[XmlElement]:
        """The elements in which some other undoes it."""
        holders: set[XmlElement] = set()
        for node, style in self._styled:
            if self._undoes(style):
                for above in node.iterancestors():
                    if above in holders:
                        break
                    holders.add(above)
        return holders

    def within(self, node: XmlElement) -> list[XmlElement]:
        """The node, or where something in it undoes its style, the elements in which nothing does."""
        pending: list[XmlElement] = [node]
        found: list[XmlElement] = []
        while pending:
            one = pending.pop()
            if one in self._seen:
                continue
            self._seen.add(one)
            if one in self._holders:
                pending += [child for child in one if not self._undoes(_style_of(child))]
            else:
                found.append(one)
        return found


def _style_of(node: XmlElement) -> _InlineStyle:
    style = node.get("style", "")
    if (colour := node.get("color")) and node.tag == "font":
        style = f"color:{colour};{style}"
    if colour := node.get("bgcolor"):
        style = f"background-color:{colour};{style}"
    return _read_short(style) if len(style) <= _MAX_STYLE else _read(style)


def _is_invisible(node: XmlElement, colour: Colour) -> bool:
    """Whether words in this colour cannot be told from what is behind them, as far as the page says it inline."""
    behind: XmlElement | None = node
    while behind is not None:
        background = _style_of(behind).background
        if isinstance(background, str):
            return False
        if background is not None:
            return similar_colours(colour, background)
        if behind.get("background") or behind.get("class") or behind.get("id"):
            return False  # a sheet may lay anything behind it
        behind = behind.getparent()
    return similar_colours(colour, _WHITE)


def similar_colours(one: Colour, other: Colour) -> bool:
    """Whether two colours look the same."""
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) <= _SAME


def _read(style: str) -> _InlineStyle:
    return _read_short(style[:_MAX_STYLE])


@lru_cache(maxsize=4096)
def _read_short(style: str) -> _InlineStyle:
    rule: dict[str, str] = {}
    for declaration in unescaped(style).lower().split(";"):
        name, _, value = declaration.partition(":")
        if value.strip():
            rule[name.strip()] = value.partition("!")[0].strip()
    short = _SHORT_FONT.search(rule.get("font", ""))
    given = rule.get("font-size") or (short[1] if short else "")
    size = _pixels(given)
    colour, background = colour_of(rule.get("-webkit-text-fill-color") or rule.get("color", "")), _background(rule)
    if rule.get("background-color", rule.get("background")) == "currentcolor":
        background = colour if isinstance(colour, tuple) else background
    if _OUTLINES.intersection(rule):
        colour = None  # letters are seen by what is drawn around them
    # Words may be cut out of a picture behind them: then they are seen without a colour of their own.
    clear = colour == "clear" and not isinstance(background, str)
    return _InlineStyle(
        gone=clear or any(hides_by(rule) for hides_by in _WAYS),
        unseen=rule.get("visibility") in ("hidden", "collapse"),
        shown=rule.get("visibility") == "visible",
        points=size * 72 / 96 if size is not None else None,
        relative=given.endswith(("em", "%")) and not given.endswith("rem"),
        colour=colour if isinstance(colour, tuple) else None,
        background=background,
    )


def _dropped(rule: Mapping[str, str]) -> bool:
    """Not drawn, or drawn without ink."""
    if rule.get("display") == "none" or rule.get("mso-hide") == "all" or rule.get("content-visibility") == "hidden":
        return True
    filtered = _NO_INK.search(rule.get("filter", ""))
    return any(map(_is_faint, (rule.get("opacity"), filtered and filtered[1])))


def _off_page(rule: Mapping[str, str]) -> bool:
    """Drawn beside the page."""
    sides = [rule.get(side, "") for side in ("text-indent", "margin-left", "margin-top")]
    for moved in _MOVES.findall(rule.get("transform", "")):
        sides += moved.replace(",", " ").split()
    if rule.get("position") in ("absolute", "fixed"):
        sides += [rule.get(side, "") for side in ("left", "top", "right", "bottom")]
    return any((_pixels(side) or 0) <= _FAR for side in sides)


def _cut_away(rule: Mapping[str, str]) -> bool:
    """Drawn in a window of no size."""
    if _NO_WINDOW.match(rule.get("clip-path", "")) or _NO_SIZE.match(rule.get("transform", "")):
        return True
    if rule.get("position") in ("absolute", "fixed") and _NO_CLIP.match(rule.get("clip", "")):
        return True
    if any(_NO_MASK.search(rule.get(mask, "")) for mask in ("mask", "mask-image", "-webkit-mask-image")):
        return True
    sides = [_pixels(rule.get(side, "")) for side in ("height", "max-height", "width", "max-width", "line-height")]
    return rule.get("overflow") in ("hidden", "clip") and any(side is not None and side <= 1 for side in sides)


def _is_squeezed(rule: Mapping[str, str]) -> bool:
    """Drawn with its letters on one spot, or too small for one to be seen."""
    spaced, size = rule.get("letter-spacing", ""), _pixels(rule.get("font-size", "")) or _PIXELS["em"]
    return (_pixels(spaced) or 0) <= -0.5 * size or _is_faint(rule.get("zoom"))


_WAYS = (_dropped, _off_page, _cut_away, _is_squeezed)
_OUTLINES = frozenset(("-webkit-text-stroke", "-webkit-text-stroke-width", "text-shadow"))


def _is_faint(opacity: str | None) -> bool:
    """Whether a share lets nothing be seen."""
    return share_of(opacity) < FAINT


def share_of(value: str | None) -> float:
    """A share, plain or in per cent; 1 for what is none."""
    if value is None or not re.fullmatch(r"[\d.]+%?", value):
        return 1.0
    return _number(value.removesuffix("%")) / (100 if value.endswith("%") else 1)


def unescaped(css: str) -> str:
    """CSS as it is understood, without escapes of characters (CSS Syntax 3, §4.3.7)."""
    if "\\" not in css:
        return css
    return _ESCAPE.sub(lambda found: chr(min(int(found[1], 16), 0x10FFFF)) if found[1] else found[2], css)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 1.0


def _pixels(length: str) -> float | None:
    found = _LENGTH.match(length)
    return float(found[1]) * _PIXELS[found[2] or ""] if found and len(found[1]) < 12 else None


def _background(rule: dict[str, str]) -> Colour | str | None:
    value = rule.get("background-color") or rule.get("background") or ""
    gradient = _GRADIENT.search(rule.get("background-image", value))
    stops = [colour_of(word) for word in _COLOURS.findall(gradient[1])] if gradient and "url(" not in value else []
    first = stops[0] if stops else None
    if isinstance(first, tuple) and all(isinstance(stop, tuple) and similar_colours(first, stop) for stop in stops):
        return first
    if rule.get("background-image", "none") != "none" or "url(" in value or "gradient" in value:
        return "picture"
    for word in _COLOURS.findall(value):
        colour = colour_of(word)
        if colour is not None:
            return colour if isinstance(colour, tuple) else None
    return "picture" if value and value not in ("none", "transparent", "inherit", "initial", "unset") else None


def colour_of(value: str) -> Colour | str | None:
    """Red, green and blue; "clear" for no colour at all; None for what is not understood."""
    if value in _NAMES:
        return _NAMES[value]
    if value in ("transparent", "none"):
        return "clear"
    if _HEX.match(value):
        digits = value[1:]
        if len(digits) < 6:
            digits = "".join(digit * 2 for digit in digits)
        if digits[6:] and int(digits[6:], 16) < FAINT * 255:
            return "clear"
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)
    if lightness := _LIGHT.match(value):
        share = _number(lightness[2].removesuffix("%")) / (
            1 if lightness[1] and not lightness[2].endswith("%") else 100
        )
        return _WHITE if share > 1 - FAINT / 2 else (0, 0, 0) if share < FAINT and "hwb" not in value else None
    found = _RGB.match(value) or _HSL.match(value)
    if found is None:
        return None
    if _is_faint(found[4]):
        return "clear"
    if found.re is _RGB:
        parts = (found[1], found[2], found[3])
        red, green, blue = (_number(one.rstrip("%")) * (2.55 if one.endswith("%") else 1) for one in parts)
        return min(round(red), 255), min(round(green), 255), min(round(blue), 255)
    hue, saturation, light = (_number(found[at]) for at in (1, 2, 3))
    red, green, blue = hls_to_rgb(hue / 360 % 1, min(light, 100) / 100, min(saturation, 100) / 100)
    return round(red * 255), round(green * 255), round(blue * 255)
