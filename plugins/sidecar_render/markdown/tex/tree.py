"""The tree of a formula: what LaTeX mathematics is read into, and Typst's and Office's are written from."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Row:
    """Formulas side by side; `Align` and `Break` among them part it into lines."""

    items: "tuple[Math, ...]"


@dataclass(frozen=True)
class Character:
    """A letter, a number, or a sign."""

    text: str


@dataclass(frozen=True)
class Space:
    """A blank: "thin", "med", "thick", "space", "quad", "wide", or "back" for a negative thin one."""

    width: str


@dataclass(frozen=True)
class Words:
    """Upright text; blanks in it count."""

    text: str


@dataclass(frozen=True)
class Function:
    """A named function or operator ("sin"); `limits` tells whether scripts stand under and over it."""

    name: str
    limits: bool


@dataclass(frozen=True)
class Scripts:
    """Sub- and superscript; None where there is none."""

    base: "Math"
    below: "Math | None"
    above: "Math | None"


@dataclass(frozen=True)
class Fraction:
    """Numerator over denominator; a binomial coefficient with `binomial`."""

    above: "Math"
    below: "Math"
    binomial: bool = False


@dataclass(frozen=True)
class Root:
    """A root; a square one without `degree`."""

    body: "Math"
    degree: "Math | None" = None


@dataclass(frozen=True)
class Accent:
    """What a command does that sets something over, under or around its argument ("hat", "overbrace", "boxed")."""

    command: str
    body: "Math"


@dataclass(frozen=True)
class Style:
    """The alphabet that a command ("mathbf") chooses."""

    command: str
    body: "Math"


@dataclass(frozen=True)
class Fenced:
    """Brackets as tall as what they hold; "" for an unseen one."""

    opening: str
    body: "Math"
    closing: str


@dataclass(frozen=True)
class Middle:
    r"""A bracket between (`\middle`), as tall as the others."""

    bracket: str


@dataclass(frozen=True)
class Stacked:
    """A mark over or under a base."""

    base: "Math"
    mark: "Math"
    below: bool


@dataclass(frozen=True)
class Arrow:
    """An arrow as long as what stands over and under it."""

    arrow: str
    above: "Math"
    below: "Math | None"


@dataclass(frozen=True)
class Matrix:
    """Rows of cells, all of the same length, in brackets ("" for none)."""

    opening: str
    closing: str
    rows: "tuple[tuple[Math, ...], ...]"


@dataclass(frozen=True)
class Cases:
    """Rows of values and conditions behind one brace."""

    rows: "tuple[tuple[Math, ...], ...]"


@dataclass(frozen=True)
class Align:
    """Where lines of a row stand under one another."""


@dataclass(frozen=True)
class Break:
    """The end of a line."""


Math: TypeAlias = (
    Row | Character | Space | Words | Function | Scripts | Fraction | Root | Accent | Style | Fenced | Middle | Stacked
    | Arrow | Matrix | Cases | Align | Break
)  # fmt: skip
"""A formula or a piece of one."""


def is_empty(node: Math) -> bool:
    """Whether nothing of it is seen."""
    return isinstance(node, Row) and all(map(is_empty, node.items))
