"""The General number format, and decimal rounding as Excel does it. Not responsible for format codes."""

from decimal import ROUND_HALF_UP, Context, Decimal
from math import floor, isfinite, log10

_EXACT_DIGITS = 15  # Excel keeps and shows 15 significant decimal digits
_WIDE = Context(prec=700)  # the largest double has 309 integer digits, a format code at most 255 characters
_MAX_CHARS = 11  # characters General may take, the sign aside


def fixed(value: float, decimals: int) -> str:
    """`value` (finite, not negative) with that many decimals, ties away from zero as Excel rounds: on the 15-digit
    decimal form of the number, not on its binary one (1.005 at two decimals is 1.01)."""
    text = f"{value:.{_EXACT_DIGITS}g}"
    if "e" not in text:
        whole, _, fraction = text.partition(".")
        beyond = len(fraction) - decimals
        if beyond <= 0:
            return f"{whole}.{fraction}{'0' * -beyond}" if decimals else text
        unit = 10**beyond  # whole numbers do in half the time what Decimal does
        digits = str((int(whole + fraction) + unit // 2) // unit)
        if not decimals:
            return digits
        digits = digits.zfill(decimals + 1)
        return f"{digits[:-decimals]}.{digits[-decimals:]}"
    return format(Decimal(text).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP, _WIDE), "f")


def scientific(value: float, decimals: int, step: int = 1) -> tuple[str, int]:
    """Mantissa text with that many decimals, and the decimal exponent, of a number not negative.

    `step` is the number of integer digits of the mantissa: exponents are its multiples ("##0.0E+0" has 3)."""
    digits = Decimal(f"{value:.{_EXACT_DIGITS}g}")
    if not digits:
        return fixed(0.0, decimals), 0
    exponent = digits.adjusted() // step * step
    unit = Decimal(1).scaleb(-decimals)
    mantissa = digits.scaleb(-exponent).quantize(unit, ROUND_HALF_UP, _WIDE)
    if mantissa >= 10**step:
        exponent += step
        mantissa = mantissa.scaleb(-step).quantize(unit, ROUND_HALF_UP, _WIDE)
    return format(mantissa, "f"), exponent


def general(value: float) -> str:
    """A number as a wide enough cell with the General format shows it (ECMA-376 part 1 §18.8.30, id 0).

    At most 11 characters besides the sign: 11 integer digits, or 10 digits and a point; what does not fit is scientific
    with at most six significant digits and an exponent of at least two digits."""
    if not isfinite(value):
        return "#NUM!"
    sign, size = ("-", -value) if value < 0 else ("", value)
    if size < 1e11:
        whole = int(size)
        if whole == size:
            return f"{sign}{whole}" if whole else "0"
        decimals = max(9 - max(floor(log10(size)), 0), 0) if size >= 1e-4 else 12
        text = fixed(size, decimals)
        if "." in text:
            text = text.rstrip("0").rstrip(".")
        if len(text) <= _MAX_CHARS and text != "0":
            return sign + text
    mantissa, exponent = scientific(size, 5)
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{sign}{mantissa}E{'-' if exponent < 0 else '+'}{abs(exponent):02d}"
