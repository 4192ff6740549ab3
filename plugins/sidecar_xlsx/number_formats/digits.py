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
        return _scientific_renderer(tokens, kinds.index("exponent"))
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


def _scientific_renderer(tokens: Sequence[Token], at: int) -> Render:
    """Percent signs are words here, commas part thousands, and words may stand before the exponent's digits: as Excel
    shows them."""
    start = next((i for i, (kind, _) in enumerate(tokens[:at]) if kind in ("digit", "point")), at)
    mantissa = [token for token in tokens[start:at] if token[0] != "comma"]
    kinds = [kind for kind, _ in mantissa]
    point = kinds.index("point") if "point" in kinds else len(mantissa)
    whole, fraction = _filled(mantissa[:point]), mantissa[point + 1 :]
    step = max(sum(kind == "digit" for kind, _ in whole), 1)
    decimals = sum(kind == "digit" for kind, _ in fraction)
    first = next((i for i in range(at, len(tokens)) if tokens[i][0] == "digit"), at + 1)
    stop = _end_of_digits(tokens, first)
    letter, plus = tokens[at][1]
    prefix, between, suffix = _words(tokens[:start]), _words(tokens[at + 1 : first]), _words(tokens[stop:])
    grouped = _is_grouped(tokens[start:at])
    powers = _filled(tokens[first:stop])
    mark = "." if point < len(mantissa) else ""

    def render(value: float) -> str:
        text, exponent = scientific(value, decimals, step)
        integer, _, rest = text.partition(".")
        sign = "-" if exponent < 0 else "+" if plus == "+" else ""
        shown = f"{_integer(integer, whole, grouped=grouped)}{mark}{_decimals(rest, fraction)}"
        power = _integer(str(abs(exponent)), powers, grouped=False) if powers else str(abs(exponent))
        return f"{prefix}{shown}{letter}{between}{sign}{power}{suffix}"

    return render


def _fraction_renderer(tokens: Sequence[Token]) -> Render:
    """Words may stand before and behind the whole number, the stroke and each number beside it."""
    slash = next(i for i, (kind, _) in enumerate(tokens) if kind == "slash")
    stop = next((i for i in range(slash, 0, -1) if tokens[i - 1][0] == "digit"), slash)
    top = stop
    while top and tokens[top - 1][0] == "digit":
        top -= 1
    begin = next((i for i in range(slash + 1, len(tokens)) if _is_digit(tokens[i])), slash + 1)
    end = _end_of_digits(tokens, begin)
    below = "".join(text for _, text in tokens[begin:end])
    set_bottom = int(below.replace("#", "0").replace("?", "0")) if any(c in "123456789" for c in below) else 0
    largest = 10 ** min(max(end - begin, 1), 7) - 1
    places = [i for i, (kind, _) in enumerate(tokens[:top]) if kind == "digit"]
    first, last = (places[0], places[-1] + 1) if places else (top, top)
    wholes = [token for token in tokens[first:last] if token[0] != "comma"]
    grouped = _is_grouped(tokens[first:last])
    # Blanks that only line numbers up are left out.
    above: list[Token] = [(kind, text.replace("?", "#")) for kind, text in tokens[top:stop]]
    prefix, parting, suffix = _words(tokens[:first]), _words(tokens[last:top]), _words(tokens[end:])
    stroke = f"{_words(tokens[stop:slash])}/{_words(tokens[slash + 1 : begin])}"

    def render(value: float) -> str:
        exact = Fraction(f"{value:.15g}")
        near = Fraction(round(exact * set_bottom), set_bottom) if set_bottom else exact.limit_denominator(largest)
        whole, rest = divmod(near, 1) if places else (0, near)
        shown = rest or not places or ("digit", "0") in above
        hidden = not whole and shown and ("digit", "0") not in wholes
        shown_whole = _integer(str(whole), wholes if hidden else _filled(wholes), grouped=grouped)
        text = f"{prefix}{shown_whole}"
        if shown:
            bottom = set_bottom or rest.denominator
            number = _integer(str(int(rest * bottom)), _filled(above), grouped=False)
            text += (
                f"{'' if hidden else parting}{number}{stroke}{str(bottom).zfill(below.count('0') * (not set_bottom))}"
            )
        return f"{text}{suffix}"

    return render


def _filled(tokens: Sequence[Token]) -> list[Token]:
    """The tokens with a nought in the last place where there is no digit."""
    last = max((i for i, (kind, _) in enumerate(tokens) if kind == "digit"), default=-1)
    return [("digit", "0") if i == last else token for i, token in enumerate(tokens)]


def _words(tokens: Sequence[Token]) -> str:
    return "".join(text for kind, text in tokens if kind != "comma")


def _is_digit(token: Token) -> bool:
    return token[0] == "digit" or token[1].isdecimal()


def _end_of_digits(tokens: Sequence[Token], start: int) -> int:
    return next((i for i in range(start, len(tokens)) if not _is_digit(tokens[i])), max(start, len(tokens)))


def _is_grouped(tokens: Sequence[Token]) -> bool:
    """Whether a comma stands between places for digits."""
    places = [i for i, (kind, _) in enumerate(tokens) if kind == "digit"]
    return bool(places) and any(kind == "comma" for kind, _ in tokens[places[0] : places[-1]])
