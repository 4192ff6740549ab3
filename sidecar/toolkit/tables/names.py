"""Names for SQL made of what documents write: safe without quotes, unique in their table or document; and what stands
above a table of a text, by which it is told from others."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

from sidecar.api.model import Heading, Paragraph, Part
from sidecar.toolkit.tables.cells import is_note
from sidecar.toolkit.text import on_one_line

_FEW_WORDS: Final = 60
"""Characters of what is said right before a table that is its title rather than a paragraph."""
_MAX_NAME = 60
"""Characters of a name at most: titles may be whole sentences."""
_SIGNS = {
    "%": " pct ", "‰": " permille ", "€": " eur ", "$": " usd ", "£": " gbp ", "¥": " jpy ", "#": " nr ",
    "&": " and ", "+": " plus ", "°": " deg ", "Δ": " delta ",
    "Ø": " avg ", "Σ": " sum ", "²": "2", "³": "3", "@": " at ",
}  # fmt: skip
_SPELT = str.maketrans(_SIGNS)
_APART = re.compile(r"[^\w]+|_+")
_YEAR = re.compile(r"\d{4}(?!\d)")
_RESERVED = frozenset(
    """
    add all alter and as autoincrement between case cast check collate commit constraint create current_date
    current_time current_timestamp default deferrable delete distinct drop else escape except exists foreign from
    group having if in index insert intersect into is isnull join limit not nothing notnull null on or order primary
    raise references returning select set table then to transaction union unique update using values when where
    """.split()  # noqa: SIM905  # read as words
)
"""Keywords that SQLite does not take for a name without quotes; of the others it does (lang_keywords.html)."""


def safe_name(text: str, default: str) -> str:
    """A lower-case identifier: letters of any script, digits and `_`; never a keyword, never beginning with a digit."""
    written = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).translate(_SPELT))
    name = _APART.sub("_", written.lower()).strip("_")[:_MAX_NAME].strip("_")
    if not name:
        return default
    if not (name[0].isalpha()):
        name = f"y{name}" if _YEAR.match(name) else f"c_{name}"
    return f"{name}_" if name in _RESERVED else name


def safe_part(text: str) -> str:
    """A piece of a name as `safe_name` spells it, what joins it to other pieces kept."""
    spelt = unicodedata.normalize("NFC", text).translate(_SPELT).lower()
    return re.sub(r"(?<!_)_(?!_)|[^\w]+", "_", spelt)


def unique_names(names: Iterable[str]) -> list[str]:
    """The names, those that stood before followed by a number: a, b, a_2."""
    seen: set[str] = set()
    found: list[str] = []
    free: dict[str, int] = {}  # the number to try next
    for name in names:
        chosen, number = name, free.get(name, 2)
        while chosen in seen:
            chosen, number = f"{name}_{number}", number + 1
        seen.add(chosen)
        free[name] = number
        found.append(chosen)
    return found


def query_name(slug: str, table: str, siblings: int) -> str:
    """What SQL calls a table of a document: `slug__table`, or the slug alone where the document has no other table."""
    document = safe_name(slug, "document")
    return document if siblings == 1 else f"{document}__{table}"


def headings_before(part: Part) -> list[str]:
    """The last heading before each block, by its place from 0; "" before the first."""
    found: list[str] = []
    heading = ""
    for block in part.blocks:
        found.append(heading)
        heading = block.text if isinstance(block, Heading) else heading
    return found


def said_above(part: Part, block: int, headings: Sequence[str]) -> str:
    """The words right before a block, counted from 1, where they are few and no sentence, and their heading."""
    before = part.blocks[block - 2] if block > 1 else None
    words = before.text if isinstance(before, Paragraph) else ""
    own = words if len(words) <= _FEW_WORDS and not words.endswith(".") and not is_note(words) else ""
    return on_one_line(" · ".join(filter(None, (own.removesuffix(":"), headings[block - 1]))))
