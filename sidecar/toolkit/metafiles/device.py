"""The device context that records of a metafile change and draw in, as far as text needs it: where a point falls, the
font, how text is aligned, what it is coloured and stands on ([MS-EMF] 3.1.1.2, [MS-WMF] 3.1.1.1)."""

import math
from dataclasses import dataclass, field

import msgspec

from sidecar.toolkit.drawn.affine import IDENTITY, Affine, concatenated
from sidecar.toolkit.hidden import Colour, similar_colours
from sidecar.toolkit.metafiles.text_lines import MetafileText, turned, width_of
from sidecar.toolkit.text import without_surrogates
from sidecar.toolkit.word.symbols import CHARSETS, symbol

_WHITE: Colour = (255, 255, 255)
_BLACK: Colour = (0, 0, 0)
_ANISOTROPIC = 7
"""From this mode of mapping on ([MS-WMF] 2.1.1.16) the extents of window and viewport count."""
_MODE_TEXT = 1
_AT_POSITION, _CENTRE, _RIGHT, _BASELINE, _BOTTOM = 1, 6, 2, 24, 8
"""How text is aligned ([MS-WMF] 2.1.2.3)."""
_ASCENT, _DESCENT = 0.8, 0.2
"""Of the size of type, in an average font."""
_USUAL_HEIGHT = 12.0
_SYMBOLS = 2
"""The character set of fonts whose characters are signs."""
_MAX_DEPTH = 256
_MAX_CHARS = 200_000
"""Of one metafile: a page of small type holds 10,000."""


@dataclass(frozen=True)
class Font:
    """A logical font: `height` in logical units, `angle` in degrees anticlockwise."""

    height: float = _USUAL_HEIGHT
    angle: float = 0.0
    charset: int = 0
    name: str = ""

    def decode(self, data: bytes) -> str:
        """Text of one byte a character, or two in some character sets."""
        if self.charset == _SYMBOLS:
            return data.decode("latin-1")
        return data.decode(CHARSETS.get(self.charset, "cp1252"), "replace")

    def to_unicode(self, text: str) -> str:
        """Text as it looks in this font: letters of a symbol font are signs."""
        signs = self.charset == _SYMBOLS or self.name.casefold() == "symbol"
        return "".join(
            symbol(ord(one), self.name) if signs or "\uf020" <= one <= "\uf0ff" else one
            for one in text
            if one.isprintable() or one.isspace() or "\uf020" <= one <= "\uf0ff"
        )


class DeviceState(msgspec.Struct, frozen=True):
    """What SaveDC saves."""

    world: Affine = IDENTITY
    mode: int = _MODE_TEXT
    window: tuple[float, float] = (0.0, 0.0)
    window_size: tuple[float, float] = (1.0, 1.0)
    view: tuple[float, float] = (0.0, 0.0)
    view_size: tuple[float, float] = (1.0, 1.0)
    font: Font = Font()
    align: int = 0
    colour: Colour = _BLACK
    brush: Colour | None = _WHITE
    opaque: bool = True
    """Whether `background` is painted behind each text."""
    background: Colour = _WHITE
    at: tuple[float, float] = (0.0, 0.0)

    def mapped(self) -> Affine:
        """From logical units to those of the device."""
        if self.mode >= _ANISOTROPIC:
            across = self.view_size[0] / (self.window_size[0] or 1.0)
            down = self.view_size[1] / (self.window_size[1] or 1.0)
        else:
            across, down = 1.0, 1.0 if self.mode == _MODE_TEXT else -1.0
        left, top = self.view[0] - self.window[0] * across, self.view[1] - self.window[1] * down
        return concatenated(self.world, (across, 0.0, 0.0, down, left, top))


@dataclass
class Device:
    """Takes records' effects in their order and gathers the pieces of text that can be seen."""

    state: DeviceState = field(default_factory=DeviceState)
    pieces: list[MetafileText] = field(default_factory=list[MetafileText])
    painted: bool = False
    """Whether anything but white was painted, so that white text may stand on it."""
    _saved: list[DeviceState] = field(default_factory=list[DeviceState])
    _chars: int = 0

    @property
    def full(self) -> bool:
        """Whether there is more text than is read of one metafile."""
        return self._chars >= _MAX_CHARS

    def change(self, **changes: object) -> None:
        """Change fields of the state."""
        self.state = msgspec.structs.replace(self.state, **changes)

    def save(self) -> None:
        """SaveDC."""
        if len(self._saved) < _MAX_DEPTH:
            self._saved.append(self.state)

    def restore(self, which: int) -> None:
        """RestoreDC: to the nth last for a number below 0, else to the nth saved."""
        at = len(self._saved) + which if which < 0 else which - 1
        if 0 <= at < len(self._saved):
            self.state = self._saved[at]
            del self._saved[at:]

    def multiply(self, by: Affine, mode: int) -> None:
        """Change the world by a matrix ([MS-EMF] 2.1.24): none for 1, before for 2, after for 3, in its place for 4."""
        world = self.state.world
        if mode == 1:
            self.change(world=IDENTITY)
        elif mode in (2, 3):
            self.change(world=concatenated(by, world) if mode == 2 else concatenated(world, by))
        elif mode == 4:
            self.change(world=by)

    def paint(self) -> None:
        """Fill a shape with the brush."""
        brush = self.state.brush
        self.painted = self.painted or (brush is not None and not similar_colours(brush, _WHITE))

    def text(self, text: str, x: float, y: float, width: float | None) -> None:
        """Draw a text at a point; `width` in logical units where the record says it."""
        state = self.state
        size = abs(state.font.height) or _USUAL_HEIGHT
        wide = width if width is not None else size * width_of(text)
        if state.align & _AT_POSITION:
            x, y = state.at
            self.change(at=(x + wide, y))
        shown = without_surrogates(state.font.to_unicode(text))
        behind = state.background if state.opaque else _WHITE
        unseen = similar_colours(state.colour, behind) and (state.opaque or not self.painted)
        if not shown.strip() or unseen or self.full:
            return
        a, b, c, d, e, f = state.mapped()
        angle = state.font.angle - math.degrees(math.atan2(state.world[1], state.world[0]))
        across, em = wide * math.hypot(a, b), size * math.hypot(c, d)
        left, base = turned(a * x + c * y + e, b * x + d * y + f, angle)
        side = state.align & _CENTRE
        left -= across / 2 if side == _CENTRE else across if side == _RIGHT else 0.0
        stands = state.align & _BASELINE
        base += 0.0 if stands == _BASELINE else -_DESCENT * em if stands == _BOTTOM else _ASCENT * em
        if all(map(math.isfinite, (left, across, base, em, angle))):
            self._chars += len(shown)
            self.pieces.append(MetafileText(shown, left, left + across, base, em, angle))


def colour_ref(value: int) -> Colour:
    """A COLORREF ([MS-WMF] 2.2.1.7)."""
    return value & 0xFF, value >> 8 & 0xFF, value >> 16 & 0xFF
