"""What of a terminal's output is seen: characters may be concealed, or painted in the colour of their background, by
control sequences (ECMA-48, 8.3.117 SGR)."""

from __future__ import annotations

import re

_PAINT = re.compile(r"\x1b\[([\d;]*)m")
_PAPER = ("5", "231"), ("5", "15"), ("2", "255", "255", "255")
"""White of the larger palettes: a notebook's own white is a grey."""
_BRIGHT = 60
"""Between the numbers of a colour and its bright one."""


def seen_of(text: str) -> tuple[str, str]:
    """The text that is seen, and the rest, without the sequences that paint."""
    seen: list[str] = []
    unseen: list[str] = []
    ink, ground, concealed = "", "", False
    pieces = _PAINT.split(text)
    for at, piece in enumerate(pieces):
        if at % 2 == 0:
            lost = concealed or (ink == ground if ground else ink == "paper")
            (unseen if lost else seen).append(piece)
            continue
        codes = piece.split(";")
        while codes:
            code = codes.pop(0)
            number = int(code[:3] or 0)
            if number == 0:
                ink, ground, concealed = "", "", False
            elif number in (8, 28):
                concealed = number == 8
            elif number in (38, 48):
                size = 4 if codes[:1] == ["2"] else 2
                given, codes = tuple(codes[:size]), codes[size:]
                colour = "paper" if given in _PAPER else ";".join(given)
                ink, ground = (colour, ground) if number == 38 else (ink, colour)
            elif number % _BRIGHT in range(30, 40):
                ink = str(number - 30) if number != 39 else ""
            elif number % _BRIGHT in range(40, 50) or number in range(100, 108):
                ground = str(number - 40) if number != 49 else ""
    return "".join(seen), "".join(unseen)
