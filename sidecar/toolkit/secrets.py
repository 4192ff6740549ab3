"""What is secret: settings by their names, and texts and settings freed of it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

CREDENTIAL_NAME = "(?i:token|secret|passw|key|auth|credential|cookie|dsn)"
"""A pattern of what the names of settings, options, variables and headers have in them whose values are credentials."""
_HIDDEN = re.compile(rf"{CREDENTIAL_NAME}|(?i:^env$|^headers$)")
_OPTION = re.compile(rf"--?[\w-]*{CREDENTIAL_NAME}[\w-]*")
_PAIR = re.compile(rf"([\w-]*{CREDENTIAL_NAME}[\w-]*=)[^&\s]+")
_SHORTEST, _SHORTEST_CREDENTIAL = 4, 8
"""Characters: a shorter one may be a word that a text has of its own."""


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

        return cls(chosen(values, _SHORTEST), chosen(credentials, _SHORTEST_CREDENTIAL))

    def hide(self, text: str) -> str:
        """A text of ours with every secret replaced by `***`."""
        return reduce(lambda said, value: said.replace(value, "***"), self.values, text)

    def mask(self, text: str) -> str:
        """A text of another's with every credential replaced by `***`."""
        return reduce(lambda said, value: said.replace(value, "***"), self.credentials, text)


def mask(value: Any) -> Any:
    """A copy without secrets: values under a key that names one, and what URLs and options give away."""
    if isinstance(value, Mapping):
        pairs: Mapping[str, Any] = value
        return {key: "***" if _HIDDEN.search(key) else mask(item) for key, item in pairs.items()}
    if isinstance(value, list | tuple):
        words: Sequence[Any] = value  # pyright: ignore[reportUnknownVariableType]
        before = ["", *words[:-1]]
        return [
            "***" if isinstance(last, str) and _OPTION.fullmatch(last) else mask(word)
            for last, word in zip(before, words, strict=False)
        ]
    if isinstance(value, str):
        value = re.sub(r"(?<=//)[^/@\s]+(?=@)", "***", value)
        return _PAIR.sub(r"\1***", value)
    return value
