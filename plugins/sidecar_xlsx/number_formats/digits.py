"""Renders number sections: digit placeholders, thousands, percent, scientific notation and fractions.
Takes numbers that are not negative; the sign belongs to the caller."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from sidecar_xlsx.number_formats.codes import Section, Token
from sidecar_xlsx.number_formats.general import fixed, general, scientific

Render = Callable[[float], str]


def number_renderer(section: Section) -> Render:
    """A function from a number (finite, not negative) to the text of this section."""
    tokens = section.tokens
    kinds = [kind for kind, _ in tokens]
    scale = 100.0 ** kinds.count("percent")
    if "digit" not in kinds:
        return _literal_renderer(tokens, scale)
    if "slash" in kinds:
        return _fraction_renderer(tokens)
    if "exponent" in kinds:
        return _scientific_renderer(tokens, kinds.index("exponent"), scale)
    return _decimal_renderer(tokens, kinds, scale)


def _literal_renderer(tokens: Sequence[Token], scale: float) -> Render:
    def render(value: float) -> str:
        return "".join([general(value * scale) if kind in ("general", "at") else text for kind, text in tokens])

    return render


def _decimal_renderer(tokens: Sequence[Token], kinds: Sequence[str], scale: float) -> Render:
    first = kinds.index("digit")
    last = len(kinds) - 1 - kinds[::-1].index("digit")
    point = kinds.index("point") if "point" in kinds else len(kinds)
    start = min(first, point)
    end = max(last, point if point < len(kinds) else last) + 1
    before = [i for i in range(start, min(point, end)) if kinds[i] == "digit"]
    grouped = bool(before) and any(kinds[i] == "comma" for i in range(before[0], before[-1]))
    anchor = before[-1] if before else point - 1
    thousands = 0
    for digit in {anchor, last}:  # commas right after the last digit before the point, or after the last of all
        edge = digit
        while edge + 1 < len(kinds) and kinds[edge + 1] == "comma":
            thousands += 1
            edge += 1
        end = max(end, edge + 1) if edge >= end - 1 else end
    scale /= 1000.0**thousands
    prefix = "".join(text for kind, text in tokens[:start] if kind != "comma")
    suffix = "".join(text for kind, text in tokens[end:] if kind != "comma")
    whole = [token for token in tokens[start : min(point, end)] if token[0] != "comma"]
    fraction = [token for token in tokens[point + 1 : end] if token[0] != "comma"]
    decimals = sum(kind == "digit" for kind, _ in fraction)
    plain = all(kind == "digit" for kind, _ in whole) and all(token == ("digit", "0") for token in fraction)
    least = _least_digits(whole)
    mark = "." if point < len(kinds) else ""

    if plain and least <= 1 and whole and whole[-1][1] != "?" and (least or not decimals):
        blank_zero = least == 0

        def simple(value: float) -> str:
            digits = fixed(value * scale, decimals)
            if grouped and len(digits) - (decimals + 1 if decimals else 0) > 3:
                integer, dot, rest = digits.partition(".")
                digits = f"{int(integer):,}{dot}{rest}"
            if blank_zero and digits == "0":
                digits = ""
            if mark and not decimals:
                digits += "."
            return f"{prefix}{digits}{suffix}"

        return simple

    def general_case(value: float) -> str:
        integer, _, rest = fixed(value * scale, decimals).partition(".")
        return f"{prefix}{_integer(integer, whole, grouped=grouped)}{mark}{_decimals(rest, fraction)}{suffix}"

    return general_case


def _least_digits(whole: Sequence[Token]) -> int:
    """Integer digits always shown: the placeholders from the first `0` on."""
    digits = [text for kind, text in whole if kind == "digit"]
    return len(digits) - digits.index("0") if "0" in digits else 0


def _integer(digits: str, tokens: Sequence[Token], *, grouped: bool) -> str:
    """Digits poured from the right into placeholders that may have literals between them ("000-00-0000")."""
    digits = digits.lstrip("0")
    places = sum(kind == "digit" for kind, _ in tokens)
    must = _least_digits(tokens)
    out: list[str] = []
    put = 0

    def add(digit: str) -> None:
        nonlocal put
        if grouped and put and put % 3 == 0 and digit != " ":
            out.append(",")
        out.append(digit)
        put += 1

    left = list(digits)
    for kind, text in reversed(tokens):
        if kind != "digit":
            out.append(text[::-1])
            continue
        places -= 1
        if left:
            add(left.pop())
        elif must > put:
            add("0")
        elif text == "?":
            add(" ")
        if places == 0:
            while left:
                add(left.pop())
    return "".join(out)[::-1]


def _decimals(digits: str, tokens: Sequence[Token]) -> str:
    out: list[str] = []
    significant = len(digits.rstrip("0"))
    place = 0
    for kind, text in tokens:
        if kind != "digit":
            out.append(text)
            continue
        if text == "0" or place < significant:
            out.append(digits[place])
        elif text == "?":
            out.append(" ")
        place += 1
    return "".join(out)


def _scientific_renderer(tokens: Sequence[Token], at: int, scale: float) -> Render:
    start = next((i for i, (kind, _) in enumerate(tokens[:at]) if kind in ("digit", "point")), at)
    mantissa = [token for token in tokens[start:at] if token[0] != "comma"]
    kinds = [kind for kind, _ in mantissa]
    point = kinds.index("point") if "point" in kinds else len(mantissa)
    whole, fraction = mantissa[:point], mantissa[point + 1 :]
    step = max(sum(kind == "digit" for kind, _ in whole), 1)
    decimals = sum(kind == "digit" for kind, _ in fraction)
    stop = at + 1
    while stop < len(tokens) and tokens[stop][0] == "digit":
        stop += 1
    width = stop - at - 1
    always = tokens[at][1][1] == "+"
    prefix = "".join(text for _, text in tokens[:start])
    suffix = "".join(text for _, text in tokens[stop:])
    mark = "." if point < len(mantissa) else ""

    def render(value: float) -> str:
        text, exponent = scientific(value * scale, decimals, step)
        integer, _, rest = text.partition(".")
        sign = "-" if exponent < 0 else "+" if always else ""
        shown = f"{_integer(integer, whole, grouped=False)}{mark}{_decimals(rest, fraction)}"
        return f"{prefix}{shown}E{sign}{str(abs(exponent)).zfill(width)}{suffix}"

    return render


def _fraction_renderer(tokens: Sequence[Token]) -> Render:
    slash = next(i for i, (kind, _) in enumerate(tokens) if kind == "slash")
    top = slash
    while top and tokens[top - 1][0] == "digit":
        top -= 1
    end = slash + 1
    while end < len(tokens) and (tokens[end][0] == "digit" or tokens[end][1].isdecimal()):
        end += 1
    below = "".join(text for _, text in tokens[slash + 1 : end])
    set_bottom = int(below.replace("#", "0").replace("?", "0")) if any(c in "123456789" for c in below) else 0
    largest = 10 ** min(max(end - slash - 1, 1), 7) - 1
    wholes = [i for i, (kind, _) in enumerate(tokens[:top]) if kind == "digit"]
    prefix = "".join(text for _, text in (tokens[: wholes[0]] if wholes else tokens[:top]))
    shows_zero = any(tokens[i][1] == "0" for i in wholes)
    suffix = "".join(text for _, text in tokens[end:])

    def render(value: float) -> str:
        exact = Fraction(f"{value:.15g}")
        near = Fraction(round(exact * set_bottom), set_bottom) if set_bottom else exact.limit_denominator(largest)
        whole, rest = divmod(near, 1) if wholes else (0, near)
        shown = str(whole) if whole or shows_zero or (wholes and not rest) else ""
        if rest or not wholes:
            bottom = set_bottom or rest.denominator
            shown += f"{' ' if shown else ''}{int(rest * bottom)}/{bottom}"
        return f"{prefix}{shown}{suffix}"

    return render
