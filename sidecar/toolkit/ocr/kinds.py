"""What a picture looks like, in words that people ask for pictures by: of what kind it is, and its colours.

Told from simple statistics of its pixels, so it is a guess; no network looks at it, and it does not say what is shown:
"photo; blue, green", never "a boat on a lake". Searched, not shown."""

from __future__ import annotations

from collections import Counter
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PIL.Image import Image

_SIDE: Final = 96
"""Pixels of the longer side that is looked at."""
_PHOTO_COLOURS: Final = 0.12
"""Different colours (of 32 steps a channel) a pixel from which a picture may be a photograph."""
_PHOTO_FLAT, _DRAWN_FLAT = 0.25, 0.45
"""Share of pixels that are just as those beside them: photographs have fewer than the first, what is drawn by a program
more than the second."""
_SHOWN: Final = 0.15
"""Share of its pixels that what is cut out has at least."""
_SCREEN: Final = (260, 180)
"""Pixels of width and height from which a picture is a screenshot; smaller ones are logos."""
_SCREEN_WORDS, _LOGO_WORDS = 6, 5
"""Words read in a screenshot at least, and in a logo at most."""
_LOGO_INKS: Final = 4
"""Colours that make up nearly all of a logo."""
_NEARLY_ALL: Final = 0.85
_COLOUR: Final = 0.12
"""Share of the pixels beside black, white and grey from which a colour is told."""
_COLOURED: Final = 0.02
"""Share of pixels with a colour from which any is told."""
_KINDS: Final = {
    "photo": "photo photograph",
    "screenshot": "screenshot window",
    "logo": "logo icon",
    "drawing": "drawing graphic diagram chart",
}
_HUES: Final = ((18, "red"), (42, "orange"), (70, "yellow"), (165, "green"), (200, "turquoise"), (262, "blue"),
                (300, "purple"), (345, "pink"), (361, "red"))  # fmt: skip
"""Degrees up to which a hue is called so."""


def kind_and_colours(image: Image, words: int) -> str:
    """The kind and the colours of a picture in which `words` were read; "" of one too small to tell."""
    if min(image.size) < 2:
        return ""
    small = _small(image)
    kind = _kind(small, image.size, words)
    return "; ".join(filter(None, (_KINDS.get(kind, ""), " ".join(_colours(small)))))


def _small(image: Image) -> Image:
    """A few of its pixels as they are, on white: mixed ones would be colours that it does not have."""
    from PIL import Image as Pillow

    scale = max(1, max(image.size) // _SIDE)
    small = image.resize((max(image.width // scale, 1), max(image.height // scale, 1)), Pillow.Resampling.NEAREST)
    if small.mode in ("RGBA", "LA", "P", "PA"):
        small = small.convert("RGBA")
        background = Pillow.new("RGBA", small.size, "white")
        background.alpha_composite(small)
        small = background
    return small.convert("RGB")


def _kind(small: Image, size: tuple[int, int], words: int) -> str:
    width, height = small.size
    bands = small.point([value >> 3 for value in range(256)] * 3).tobytes()
    pixels = [bands[at : at + 3] for at in range(0, len(bands), 3)]
    coarse = [pixels[at : at + width] for at in range(0, len(pixels), width)]
    counted = Counter(chain.from_iterable(coarse))
    background, every = counted.most_common(1)[0][0], width * height
    # What is cut out on a ground of one colour is judged without that.
    shown = max(every - counted[background], 1)
    flat = sum(one == other != background for row in coarse for one, other in pairwise(row))
    if flat / shown < _PHOTO_FLAT and len(counted) / shown > _PHOTO_COLOURS and shown > _SHOWN * every:
        return "photo"
    flatness = sum(one == other for row in coarse for one, other in pairwise(row)) / every
    if flatness < _DRAWN_FLAT:
        return ""
    inks = sum(many for _, many in counted.most_common(_LOGO_INKS)) / every
    if size[0] >= _SCREEN[0] and size[1] >= _SCREEN[1] and words >= _SCREEN_WORDS:
        return "screenshot" if inks < _NEARLY_ALL or words > 4 * _SCREEN_WORDS else "drawing"
    return "logo" if words <= _LOGO_WORDS else "drawing"


def _colours(small: Image) -> list[str]:
    """The colours that much of it has which is not black, white or grey, the commonest first."""
    found: dict[str, int] = {}
    bands = small.convert("HSV").tobytes()
    for at in range(0, len(bands), 3):
        hue, saturation, value = bands[at] * 360 // 255, bands[at + 1], bands[at + 2]
        if saturation > 70 and value > 60:
            name = next(name for most, name in _HUES if hue < most)
            found[name] = found.get(name, 0) + 1
    coloured = sum(found.values())
    if coloured < _COLOURED * len(bands) / 3:
        return ["black white"]
    common = sorted(found, key=found.__getitem__, reverse=True)
    return [one for one in common if found[one] >= _COLOUR * coloured][:3]
