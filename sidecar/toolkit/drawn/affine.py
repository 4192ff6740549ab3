"""Affine transformations of the plane as drawings write them: `(a, b, c, d, e, f)` takes a point `(x, y)` to
`(a x + c y + e, b x + d y + f)` (ISO 32000-1, 8.3.4; SVG 2 §8.5; ECMA-388 §14.4). No drawing is known here."""

from typing import Final

Affine = tuple[float, float, float, float, float, float]
IDENTITY: Final[Affine] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_Box = tuple[float, float, float, float]


def concatenated(inner: Affine, outer: Affine) -> Affine:
    """First `inner`, then `outer`."""
    if inner is IDENTITY:
        return outer
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def around(affine: Affine, box: _Box) -> _Box:
    """The smallest upright box around a box that was transformed; `box` and it are two corners, the lesser first."""
    a, b, c, d, e, f = affine
    xs = [a * x + c * y + e for x in box[::2] for y in box[1::2]]
    ys = [b * x + d * y + f for x in box[::2] for y in box[1::2]]
    return min(xs), min(ys), max(xs), max(ys)
