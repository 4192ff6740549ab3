"""Argument models shared by the library's tools. Every client pays for descriptions in tokens: keep them short."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from sidecar.api import UsageError

REMARK_CHARS = 400
"""A remark repeats words of the question, and those may be thousands."""


class Arguments(BaseModel):
    """Unknown arguments are errors, so that a misspelt one is not silently ignored."""

    model_config = ConfigDict(extra="forbid")


Limit = Annotated[int, Field(ge=1, le=50)]
Slug = Annotated[str, Field(min_length=1, description="slug or doc_id")]
PageNumber = Annotated[int, Field(ge=1, description="1-based")]
Start = Annotated[int, Field(ge=0, description="next_start")]
"""Where to go on in the same list, asked for with the same other arguments."""


def check_start(start: int, there: int, what: str) -> None:
    """Raises UsageError when `start` lies beyond the last of `there` things; 0 is always right."""
    if start and start >= there:
        raise UsageError(f"start={start} is beyond the end; there are {there:,} {what} (start counts from 0).")
