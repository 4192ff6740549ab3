"""Argument models shared by the library's tools. Every client pays for descriptions in tokens: keep them short."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class Arguments(BaseModel):
    """Unknown arguments are errors, so that a misspelt one is not silently ignored."""

    model_config = ConfigDict(extra="forbid")


class Nothing(Arguments):
    """A tool without arguments."""


Limit = Annotated[int, Field(ge=1, le=50)]
Slug = Annotated[str, Field(min_length=1, description="slug or doc_id")]
PageNumber = Annotated[int, Field(ge=1, description="1-based")]
