"""Number format codes split into sections and tokens (ECMA-376 part 1 §18.8.31). Renders nothing itself."""

import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from sidecar.toolkit.times import language_of

_TokenKind: TypeAlias = Literal[
    "text", "digit", "point", "comma", "percent", "exponent", "slash", "general", "at", "date", "elapsed", "ampm",
    "subsecond",
]  # fmt: skip
Token: TypeAlias = tuple[_TokenKind, str]

_TOKEN = re.compile(
    r"""(?P<quoted>"[^"]*"?) | \\(?P<escaped>.) | _(?P<space>.) | \*(?P<fill>.)
      | \[(?P<bracket>[^\]]*)\]? | (?P<general>General) | (?P<exponent>E[+-])
      | (?P<ampm>AM/PM|A/P|上午/下午) | (?P<subsecond>\.0+(?=[^0\#?]|$))
      | (?P<date>y+|m+|d+|h+|s+|e+|b+|g+|a{3,}) | (?P<digit>[0\#?]) | (?P<point>\.) | (?P<comma>,)
      | (?P<percent>%) | (?P<slash>/) | (?P<at>@) | (?P<other>.)""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?(?:E[+-]?\d+)?)$", re.IGNORECASE)
_ELAPSED = re.compile(r"(h+|m+|s+)$", re.IGNORECASE)
_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq, "<>": operator.ne,
}  # fmt: skip


@dataclass(frozen=True)
class Condition:
    """`[>=100]`: applies to `value <sign> limit`."""

    sign: str
    limit: float

    def holds(self, value: float) -> bool:
        """Whether the section it guards shows `value`."""
        return _OPERATORS[self.sign](value, self.limit)

    def only_negative(self) -> bool:
        """Whether nothing but negative numbers can meet it, so that their sign is not shown."""
        return (self.sign == "<" and self.limit <= 0) or (self.sign in ("<=", "=") and self.limit < 0)

    def leaves_negative(self) -> bool:
        """Whether all that does not meet it is negative."""
        return (self.sign == ">=" and self.limit <= 0) or (self.sign == ">" and self.limit < 0)


@dataclass(frozen=True)
class Section:
    """One section of a code: its tokens, condition, and the language of `[$€-407]` ("de"; "" when none)."""

    tokens: tuple[Token, ...]
    condition: Condition | None = None
    language: str = ""

    @property
    def is_date(self) -> bool:
        """Whether it shows numbers as dates or times."""
        return any(kind in ("date", "elapsed", "ampm") for kind, _ in self.tokens)

    @property
    def is_text(self) -> bool:
        """Whether it shows strings (`@`)."""
        return any(kind == "at" for kind, _ in self.tokens)


def split_sections(code: str) -> list[Section]:
    """The sections of a code, at most four; quoted, escaped and bracketed semicolons do not separate."""
    sections: list[Section] = []
    tokens: list[Token] = []
    condition: Condition | None = None
    language = ""
    for match in _TOKEN.finditer(code):
        kind = match.lastgroup or "other"
        text = match.group(kind)
        if kind == "other" and text == ";":
            sections.append(Section(_settled(tokens), condition, language))
            tokens, condition, language = [], None, ""
        elif kind == "bracket":
            if text.startswith("$"):
                symbol, _, tag = text[1:].partition("-")
                language = language_of(tag) or language
                if symbol:
                    tokens.append(("text", symbol))
            elif found := _CONDITION.match(text):
                condition = Condition(found[1], float(found[2]))
            elif _ELAPSED.match(text):
                tokens.append(("elapsed", text.lower()))
            # anything else is a colour: [Red], [Color 12]
        else:
            tokens.extend(_token(kind, text))
    sections.append(Section(_settled(tokens), condition, language))
    return sections[:4]


def _token(kind: str, text: str) -> Iterator[Token]:
    match kind:
        case "quoted":
            yield "text", text[1:].removesuffix('"')
        case "escaped" | "other":
            yield "text", text
        case "space":
            yield "text", " "
        case "fill":
            pass  # repeats to the width of the column, which we do not know
        case "date":
            yield "date", text.lower()
        case "general" | "exponent" | "ampm" | "subsecond" | "digit" | "point" | "comma" | "percent" | "slash" | "at":
            yield kind, text
        case _:
            yield "text", text


def _settled(tokens: list[Token]) -> tuple[Token, ...]:
    """Tokens with the ambiguous ones decided: `.000` is a fraction of seconds only in a date section, and letters
    of the date alphabet are dates only where no number is (Excel refuses such codes; some writers make them)."""
    dated = any(kind in ("date", "elapsed", "ampm") for kind, _ in tokens)
    settled: list[Token] = []
    for kind, text in tokens:
        if kind == "subsecond" and not dated:
            settled.append(("point", "."))
            settled.extend(("digit", "0") for _ in text[1:])
        elif (dated and kind in ("digit", "point", "comma", "percent", "slash")) or (
            not dated and kind == "slash" and not any(other == "digit" for other, _ in tokens)
        ):
            settled.append(("text", text))
        else:
            settled.append((kind, text))
    return _minutes(settled)


def _minutes(tokens: list[Token]) -> tuple[Token, ...]:
    """`m` and `mm` mean minutes after hours or before seconds (§18.8.31), in Excel also behind them; they are spelled
    `n` and `nn` here."""
    result = list(tokens)
    marks = [i for i, (kind, text) in enumerate(tokens) if kind in ("date", "elapsed") and text[0] in "ymdhse"]
    for place, index in enumerate(marks):
        kind, text = tokens[index]
        if kind != "date" or text not in ("m", "mm"):
            continue
        before = tokens[marks[place - 1]][1] if place else ""
        after = tokens[marks[place + 1]][1] if place + 1 < len(marks) else ""
        if before.startswith(("h", "s")) or after.startswith("s"):
            result[index] = ("date", "n" * len(text))
    return tuple(result)
