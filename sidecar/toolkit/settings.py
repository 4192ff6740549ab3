"""A table of settings read into the dataclass that declares them, what is wrong in it told as one sentence, and where
in the file; what the arguments of tools have in common. And what is secret: settings by their names, what they take
from the environment, and texts and settings freed of it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, reduce
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from sidecar.api import ConfigError, shortened
from sidecar.toolkit.text import did_you_mean, map_texts

Settings = TypeVar("Settings")
Record = TypeVar("Record")

CREDENTIAL_NAME = "(?i:token|secret|passw|key|auth|credential|cookie|dsn)"
"""A pattern of what the names of settings, options, variables and headers have in them whose values are credentials."""
_HIDDEN = re.compile(rf"{CREDENTIAL_NAME}|(?i:^env$|^headers$)")
_OPTION = re.compile(rf"--?[\w-]*{CREDENTIAL_NAME}[\w-]*")
_PAIR = re.compile(rf"(?<![\w-])((?=[\w-]*+=)[\w-]*?{CREDENTIAL_NAME}[\w-]*+=)[^&\s]+")
_REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
_PLAIN_NAMES = frozenset({"HOME", "USER", "LOGNAME", "PATH", "PWD", "SHELL", "LANG", "TMPDIR", "TEMP", "USERPROFILE"})
"""Variables whose values are not secrets: hiding them would make every path unreadable."""
_MIN_CHARS, _MIN_CREDENTIAL_CHARS = 4, 8
"""Characters: a shorter one may be a word that a text has of its own."""
_UNKNOWN = frozenset({"unexpected_keyword_argument", "extra_forbidden"})
_TABLE, _LIST, _TRUTH, _WHOLE, _NUMBER = (
    "expected a table", "expected a list", "expected true or false", "expected a whole number", "expected a number"
)  # fmt: skip
_EXPECTED: Mapping[str, str] = {
    "dataclass_type": _TABLE, "dict_type": _TABLE, "model_type": _TABLE, "mapping_type": _TABLE, "tuple_type": _LIST,
    "list_type": _LIST, "frozen_set_type": _LIST, "path_type": "expected a path", "string_type": "expected a text",
    "bool_type": _TRUTH, "bool_parsing": _TRUTH, "int_type": _WHOLE, "int_parsing": _WHOLE, "int_from_float": _WHOLE,
    "float_type": _NUMBER, "float_parsing": _NUMBER, "greater_than_equal": "expected {ge} or more",
    "greater_than": "expected more than {gt}", "less_than_equal": "expected {le} or less",
    "less_than": "expected less than {lt}", "string_too_long": "expected at most {max_length} characters",
}  # fmt: skip
"""Of pydantic's errors (`type`, docs.pydantic.dev/latest/errors/validation_errors) those whose sentences speak Python,
in the words of TOML."""


class ToolArguments(BaseModel):
    """Arguments of a tool: unknown ones are errors, so that a misspelt one is not silently ignored."""

    model_config = ConfigDict(extra="forbid")


Start = Annotated[int, Field(ge=0, description="next_start")]
"""Where to go on in the same list, asked for with the same other arguments."""


def checked_settings(
    kind: type[Settings], table: Mapping[str, object], key: str, *, confidential: bool = False, **given: object
) -> Settings:
    """The table `key` of the configuration as that dataclass, whose fields but those `given` are the keys it may have;
    with `confidential` no message shows a value, since it may be a credential.

    Raises:
        ConfigError: for an unknown key or a value that is not as its field declares; carries the key."""
    if not table and not given:
        return kind()
    valid = [field.name for field in fields(kind) if field.name not in given]  # pyright: ignore[reportArgumentType]
    for unknown in sorted(table.keys() - valid):
        raise ConfigError(explain({"type": "extra_forbidden", "loc": (unknown,)}, valid), key=f"{key}.{unknown}")
    try:
        return _adapter(kind).validate_python({**table, **given})
    except ValidationError as error:
        first = first_error(error)
        place = [key, *(str(item) for item in first["loc"] if not isinstance(item, int))]
        message = explain(dict(first), valid, confidential=confidential)
        raise ConfigError(message, key=".".join(place)) from None


def explain(error: Mapping[str, Any], valid: Iterable[str], *, confidential: bool = False) -> str:
    """One of pydantic's errors as a sentence; for an unknown key it names the `valid` one that is like it."""
    if error["type"] in _UNKNOWN:
        return f"unknown key; {did_you_mean(str(error['loc'][-1]), valid, _all(valid), mark='`')}"
    if error["type"] == "missing":
        return "is required and missing."
    context: Mapping[str, Any] = error.get("ctx", {})
    bounds = {key: int(one) if isinstance(one, float) and one.is_integer() else one for key, one in context.items()}
    known = _EXPECTED.get(error["type"], "").format(**bounds)
    expected = known or str(error["msg"]).removeprefix("Value error, ").replace("Input should be", "expected")
    return f"{expected}." if confidential else f"{expected}, got {shortened(repr(error['input']))}."


def first_error(error: ValidationError) -> dict[str, Any]:
    """Of pydantic's errors an unknown key, where there is one, for what is missing is most likely this misspelt; else
    the first."""
    found = [dict(one) for one in error.errors(include_url=False)]
    return next((one for one in found if one["type"] in _UNKNOWN), found[0])


def find_line(text: str, location: Sequence[int | str]) -> int | None:
    """The 1-based line where a key of a TOML text stands (or its table's header), None when it cannot be told."""
    table: list[str] = []
    counts: dict[str, int] = {}
    names = [str(item) for item in location if not isinstance(item, int)]
    index = next((item for item in location if isinstance(item, int)), None)
    best: int | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if match := re.match(r"\s*\[(\[)?\s*([^\]]+?)\s*\]", line):
            table = [piece.strip().strip("\"'") for piece in match[2].split(".")]
            if match[1]:
                counts[match[2]] = counts.get(match[2], -1) + 1
            if table == names[: len(table)] and (index is None or counts.get(match[2], index) == index):
                best = number
                if table == names:
                    return number
        elif match := re.match(r"""\s*([\w\-."']+)\s*=""", line):
            keys = [*table, *(piece.strip().strip("\"'") for piece in match[1].split("."))]
            inside = index is None or counts.get(".".join(table), index) == index
            if inside and keys == names[: len(keys)]:
                return number
    return best


def _all(valid: Iterable[str]) -> str:
    return f"valid keys are {', '.join(valid)}."


@cache
def _adapter(kind: type[Settings]) -> TypeAdapter[Settings]:
    """Made when there is a table: it takes as long as many an import."""
    return TypeAdapter(kind)


@dataclass(frozen=True)
class Secrets:
    """Values that may appear in no log, status or error; those of them that are credentials by their names, in nothing
    that is kept either."""

    values: tuple[str, ...] = ()
    credentials: tuple[str, ...] = ()

    @classmethod
    def of(cls, values: Iterable[str], credentials: Iterable[str]) -> "Secrets":
        """Longest first, so that a secret which holds another one disappears whole."""

        def chosen(found: Iterable[str], shortest: int) -> tuple[str, ...]:
            return tuple(sorted({one for one in found if len(one) >= shortest}, key=len, reverse=True))

        return cls(chosen(values, _MIN_CHARS), chosen(credentials, _MIN_CREDENTIAL_CHARS))

    def hide(self, text: str) -> str:
        """A text of ours with every secret replaced by `***`."""
        return reduce(lambda shown, value: shown.replace(value, "***"), self.values, text)

    def mask(self, text: str) -> str:
        """A text of another's with every credential replaced by `***`."""
        return reduce(lambda shown, value: shown.replace(value, "***"), self.credentials, text)


def confidential_references(text: str) -> list[str]:
    """The variables that a text refers to and whose values may be secrets, in order."""
    return sorted({match[1] for match in _REFERENCE.finditer(text)} - _PLAIN_NAMES)


def filled(settings: Record, environment: Mapping[str, str], key: str) -> tuple[Record, dict[str, str]]:
    """`${NAME}` and `${NAME:-default}` in all texts of the table `key` replaced from the environment; and what came
    from there and may be secret, by the variables' names. Raises ConfigError where a variable without default is not
    set."""
    secret: dict[str, str] = {}

    def value(match: re.Match[str]) -> str:
        name: str = match[1]
        default: str | None = match[2]
        found = environment.get(name, default)
        if found is None:
            raise ConfigError(
                f"The environment variable {name} is not set; set it where DocSidecar is started, and restart it.",
                key=key,
            )
        if name in environment and name not in _PLAIN_NAMES:
            secret[name] = found
        return found

    return map_texts(settings, lambda text: _REFERENCE.sub(value, text)), secret


def mask(value: object) -> Any:
    """A copy without secrets: values under a key that names one, and what URLs and options give away."""
    if isinstance(value, Mapping):
        pairs: Mapping[str, object] = value
        return {key: "***" if _HIDDEN.search(key) else mask(item) for key, item in pairs.items()}
    if isinstance(value, list | tuple):
        words: Sequence[object] = value  # pyright: ignore[reportUnknownVariableType]
        before = ["", *words[:-1]]
        return [
            "***" if isinstance(last, str) and _OPTION.fullmatch(last) else mask(word)
            for last, word in zip(before, words, strict=False)
        ]
    if isinstance(value, str):
        value = re.sub(r"(?<=//)[^/@\s]+(?=@)", "***", value)
        return _PAIR.sub(r"\1***", value)
    return value
