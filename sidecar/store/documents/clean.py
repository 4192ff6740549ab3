"""Text that no encoder takes made harmless: lone surrogates, which broken documents hold, become U+FFFD."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

Record = TypeVar("Record")


def clean(record: Record) -> Record:
    """A copy of a record (structs, tuples, lists, dicts, text) without lone surrogates."""
    return _clean(record)


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, msgspec.Struct):
        return type(value)(**{name: _clean(getattr(value, name)) for name in value.__struct_fields__})
    if isinstance(value, tuple | list):
        return type(value)(_clean(item) for item in value)
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    return value
