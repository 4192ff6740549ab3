"""The tool `scale_recipe`: the ingredients of an indexed recipe for another number of servings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, Field

from sidecar.api import Call, ConfigError, Registrar, Result, Text, Tool, UsageError

__all__ = ["RecipesFeature"]


class Scale(BaseModel):
    """Arguments of `scale_recipe`."""

    document_slug: str
    servings: Annotated[int, Field(ge=1, le=1000)]


class RecipesFeature:
    """Settings: `default_servings`, what a recipe without a `servings:` line is for (4)."""

    name = "recipes"
    version = "1"

    def register(self, registrar: Registrar, settings: Mapping[str, Any]) -> None:
        default = settings.get("default_servings", 4)
        if not isinstance(default, int) or default < 1:
            raise ConfigError(
                "default_servings must be a whole number above 0.", key="plugins.recipes.default_servings"
            )

        async def scale(call: Call, arguments: Scale) -> Result:
            return await _scale(call, arguments, default)

        registrar.tool(
            Tool(
                name="scale_recipe",
                title="Scale a recipe",
                description="The ingredients of a recipe for that many servings.",
                arguments=Scale,
                handler=scale,
            )
        )


async def _scale(call: Call, arguments: Scale, default: int) -> Result:
    library = call.services.library
    document = await library.document(arguments.document_slug)
    if document.format != "recipe":
        raise UsageError(f"{document.slug} is not a recipe; name a document of the format recipe.")
    written = document.metadata.get("servings", "")
    factor = arguments.servings / (int(written) if written.isdecimal() and int(written) else default)
    scaled: list[dict[str, Any]] = []
    for number in range(1, document.parts + 1):
        for content in await library.read(f"chapter://{document.slug}/{number}"):
            scaled += _rows(content.text or "", factor)
    lines = [f"{row['amount']:g} {row['unit']} {row['ingredient']}".replace("  ", " ") for row in scaled]
    return Result(
        contents=(Text("\n".join([f"{document.title} for {arguments.servings}:", *lines])),),
        structured={"servings": arguments.servings, "ingredients": scaled},
    )


def _rows(markdown: str, factor: float) -> list[dict[str, Any]]:
    """The ingredient rows of a chapter's Markdown table."""
    rows: list[dict[str, Any]] = []
    for line in markdown.split("\n"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.strip().startswith("|") and len(cells) == 3 and cells[0].replace(".", "", 1).isdecimal():
            rows.append({"amount": float(cells[0]) * factor, "unit": cells[1], "ingredient": cells[2]})
    return rows
