"""The .recipe format: a few `name: value` lines, then sections in square brackets.

title: Pancakes
servings: 4

[ingredients]
250 g flour
2 eggs

[steps]
Mix everything.

[photo]
iVBORw0KGgo... (a PNG or JPEG file in base64)
"""

from __future__ import annotations

import base64
import re

from sidecar.api import (
    AnyBlock,
    DamagedError,
    Embed,
    Figure,
    Heading,
    Limits,
    ListItem,
    NotFoundError,
    Notice,
    ParsedDocument,
    Part,
    Payload,
    Source,
    Table,
)
from sidecar.toolkit.markup.chapters import elements_of
from sidecar.toolkit.pictures import sniff_image
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
        facts, sections, notices = _read(source, limits)
        if not sections:
            raise DamagedError(f"{source.name} is not a recipe: it has no [section].")
        parts: list[Part] = []
        embedded: list[Embed] = []
        for number, (name, lines) in enumerate(sections[: limits.max_parts], 1):
            photo = _photo(lines) if name == "photo" else None
            if photo is not None:
                figure = Figure(embed=("image", len(embedded)), caption=facts.get("title", ""))
                parts.append(Part(kind="chapter", title="Photo", blocks=(figure,)))
                embedded.append(
                    Embed(
                        kind="image", id=len(embedded), name=f"photo-{number}", media_type=photo.media_type,
                        size=len(photo.data), ref=str(number), part=number, block=1,
                    )
                )  # fmt: skip
                continue
            if name == "photo":
                notices += (Notice("damaged_part", "The photo is not a picture in base64.", part=number),)
            parts.append(_part(name, lines))
        return ParsedDocument(
            title=facts.pop("title", ""),
            metadata=facts,
            parts=tuple(parts),
            elements=elements_of(parts, embedded),
            embedded=tuple(embedded),
            notices=notices,
        )

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """The photo in the section of that number. Raises NotFoundError where there is none."""
        sections = _read(source, limits)[1]
        number = int(ref) if ref.isdecimal() else 0
        photo = _photo(sections[number - 1][1]) if 0 < number <= len(sections) else None
        if photo is None:
            raise NotFoundError(f"{source.name} has no photo {ref}.")
        return photo


def _read(source: Source, limits: Limits) -> tuple[dict[str, str], list[tuple[str, list[str]]], tuple[Notice, ...]]:
    """The facts, the sections with their lines, and what is to be known of how the text was read."""
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
    return facts, sections, notices


def _photo(lines: list[str]) -> Payload | None:
    """A photo and its media type; None where the lines are not base64, or no picture."""
    try:
        data = base64.b64decode("".join(lines), validate=True)
    except ValueError:
        return None
    image = sniff_image(data)
    return Payload(data, image.media_type) if image else None


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
