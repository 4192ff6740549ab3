"""A table of settings read into the dataclass that declares them; what is wrong in one is told as one sentence."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from sidecar.api import ConfigError
from sidecar.toolkit.text import did_you_mean

Settings = TypeVar("Settings")

_UNKNOWN = frozenset({"unexpected_keyword_argument", "extra_forbidden"})


def checked_settings(
    kind: type[Settings], table: Mapping[str, Any], key: str, *, confidential: bool = False, **given: Any
) -> Settings:
    """The table `key` of the configuration as that dataclass, whose fields but those `given` are the keys it may have;
    with `confidential` no message shows a value, since it may be a credential.

    Raises:
        ConfigError: for an unknown key or a value that is not as its field declares; carries the key.
    """
    if not table and not given:
        return kind()
    valid = [field.name for field in fields(kind) if field.name not in given]  # pyright: ignore[reportArgumentType]
    for unknown in sorted(table.keys() - valid):
        raise ConfigError(explain({"type": "extra_forbidden", "loc": (unknown,)}, valid), key=f"{key}.{unknown}")
    try:
        return _adapter(kind).validate_python({**table, **given})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = [key, *(str(item) for item in first["loc"] if not isinstance(item, int))]
        message = explain(dict(first), valid, confidential=confidential)
        raise ConfigError(message, key=".".join(place)) from None


def explain(error: Mapping[str, Any], valid: Iterable[str], *, confidential: bool = False) -> str:
    """One of pydantic's errors as a sentence; for an unknown key it names the `valid` one that is like it."""
    if error["type"] in _UNKNOWN:
        return f"unknown key; {did_you_mean(str(error['loc'][-1]), valid, _all(valid), mark='`')}"
    if error["type"] == "missing":
        return "is required and missing."
    expected = str(error["msg"]).removeprefix("Value error, ").replace("Input should be", "expected")
    expected = expected.replace("tuple", "list")
    return f"{expected}." if confidential else f"{expected}, got {error['input']!r}."


def _all(valid: Iterable[str]) -> str:
    return f"valid keys are {', '.join(valid)}."


@cache
def _adapter(kind: type[Settings]) -> TypeAdapter[Settings]:
    """Made when there is a table: it takes as long as many an import."""
    return TypeAdapter(kind)
