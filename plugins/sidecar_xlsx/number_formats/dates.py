"""Renders date, time and elapsed-time sections of number formats. Not responsible for choosing the section."""

from collections.abc import Callable

from sidecar.toolkit.times import CalendarNames, SerialFields, names, serial_fields
from sidecar_xlsx.number_formats.codes import Section
from sidecar_xlsx.number_formats.general import general


def date_renderer(section: Section, *, date1904: bool) -> Callable[[float], str]:
    """A function from serial to shown text. Serials outside the calendar show as plain numbers; Excel shows `####`
    there, which would hide the value."""
    tokens = section.tokens
    twelve = any(kind == "ampm" for kind, _ in tokens)
    elapsed = any(kind == "elapsed" for kind, _ in tokens)
    decimals = min(max((len(text) - 1 for kind, text in tokens if kind == "subsecond"), default=0), 6)
    if not decimals and not any(text[0] == "s" for kind, text in tokens if kind in ("date", "elapsed")):
        decimals = 3  # no seconds shown: nothing rounds up into the minute
    words = names(section.language)

    def render(serial: float) -> str:
        sign = ""
        if serial < 0 and elapsed:
            sign, serial = "-", -serial
        at = serial_fields(serial, date1904=date1904, decimals=decimals)
        if at is None:
            return sign + general(serial)
        return sign + "".join([_piece(kind, text, at, words, twelve) for kind, text in tokens])

    return render


def _piece(kind: str, text: str, at: SerialFields, words: CalendarNames, twelve: bool) -> str:
    if kind == "date":
        return _field(text, at, words, twelve)
    if kind == "elapsed":
        total = at.days * 24 + at.hour
        if text[0] != "h":
            total = total * 60 + at.minute
            if text[0] == "s":
                total = total * 60 + at.second
        return str(total).zfill(len(text))
    if kind == "ampm":
        if text.upper() == "A/P":
            return text[0] if at.hour < 12 else text[2]
        first, second = text.upper().split("/")  # Excel shows neither small
        return first if at.hour < 12 else second
    if kind == "subsecond":
        return f".{at.micro:06d}"[: len(text)]
    return text if kind in ("text", "comma", "percent", "exponent", "slash", "digit", "point") else ""


def _field(text: str, at: SerialFields, words: CalendarNames, twelve: bool) -> str:
    """A run of one letter of the date alphabet (§18.8.31); "" for "g", the name of an era, which we do not know."""
    size, kind = len(text), text[0]
    if kind == "m":
        return _named(at.month, size, words.short_months[at.month - 1], words.months[at.month - 1])
    if kind == "d":
        return _named(at.day, size, words.short_days[at.weekday], words.days[at.weekday])
    if kind == "a":
        return words.short_days[at.weekday] if size == 3 else words.days[at.weekday]
    if kind in "yb":
        year = at.year if kind == "y" else at.year + 543  # of the Buddhist era
        return f"{year % 100:02d}" if size <= 2 else f"{year:04d}"
    hour = (at.hour % 12 or 12) if twelve else at.hour
    number = {"h": hour, "n": at.minute, "s": at.second, "e": at.year}.get(kind)
    return "" if number is None else f"{number:02d}" if size > 1 and kind != "e" else str(number)


def _named(number: int, size: int, short: str, full: str) -> str:
    if size <= 2:
        return f"{number:02d}" if size == 2 else str(number)
    if size == 3:
        return short
    return full[:1] if size == 5 else full
