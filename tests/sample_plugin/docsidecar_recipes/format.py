"""The .recipe format: a few `name: value` lines, then sections in square brackets.

title: Pancakes
servings: 4

[ingredients]
250 g flour
2 eggs

[steps]
Mix everything.
"""

from __future__ import annotations

import re

from sidecar.api import AnyBlock, DamagedError, Heading, Limits, ListItem, ParsedDocument, Part, Source, Table
from sidecar.toolkit.text import looks_binary, read_text

__all__ = ["RecipeFormat", "split_amount"]

_FACT = re.compile(r"([a-z]+):[ \t]*(.+)")
_SECTION = re.compile(r"\[([^\]]+)\]\s*$")
_AMOUNT = re.compile(r"(\d+(?:\.\d+)?)[ \t]*(kg|g|ml|l|tsp|tbsp|cups?)?[ \t]+(.+)")


class RecipeFormat:
    name = "recipe"
    version = "1"
    media_types: tuple[str, ...] = ("text/x-recipe",)
    suffixes: tuple[str, ...] = (".recipe",)

    def score(self, source: Source) -> int:
        if source.suffix != ".recipe" or looks_binary(source.head):
            return 0
        return 80

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """A chapter for each section; ingredients become a table. Raises DamagedError without any section."""
        decoded, notices = read_text(source, limits)
        facts: dict[str, str] = {}
        sections: list[tuple[str, list[str]]] = []
        for line in map(str.strip, decoded.text.split("\n")):
            section, fact = _SECTION.match(line), _FACT.match(line)
            if section:
                sections.append((section[1].strip(), []))
            elif not line:
                continue
            elif sections:
                sections[-1][1].append(line)
            elif fact:
                facts[fact[1]] = fact[2].strip()
        if not sections:
            raise DamagedError(f"{source.name} is not a recipe: it has no [section].")
        return ParsedDocument(
            title=facts.pop("title", ""),
            metadata=facts,
            parts=tuple(_part(name, lines) for name, lines in sections[: limits.max_parts]),
            notices=notices,
        )


def split_amount(line: str) -> tuple[float | None, str, str]:
    """`(amount, unit, what)` of an ingredient; amount None where the line gives none."""
    found = _AMOUNT.match(line)
    return (float(found[1]), found[2] or "", found[3]) if found else (None, "", line)


def _part(name: str, lines: list[str]) -> Part:
    title = name.capitalize() or "Section"
    blocks: list[AnyBlock] = [Heading(text=title, level=1)]
    if name == "ingredients" and lines:
        rows: list[tuple[str, ...]] = [("Amount", "Unit", "Ingredient")]
        for line in lines[:255]:
            amount, unit, what = split_amount(line)
            rows.append((f"{amount:g}" if amount is not None else "", unit, what))
        blocks.append(Table(rows=tuple(rows), header_rows=1))
    else:
        blocks += [ListItem(text=line, marker=f"{number}.", ordered=True) for number, line in enumerate(lines, 1)]
    return Part(kind="chapter", title=title, blocks=tuple(blocks))
