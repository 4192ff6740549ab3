"""What an upstream server is to us: its configuration as data, its credentials filled in, and texts freed of them.

Nothing here connects or validates (`settings` does).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import ConfigDict, Field

from sidecar.api import ConfigError

__all__ = ["Secrets", "Upstream", "fill_in", "fingerprint"]

_REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
_SECRET_NAME = re.compile(r"(?i)token|secret|passw|key|auth|credential|cookie|dsn")
_PLAIN_NAMES = frozenset({"HOME", "USER", "LOGNAME", "PATH", "PWD", "SHELL", "LANG", "TMPDIR", "TEMP", "USERPROFILE"})
"""Variables whose values are no secrets: hiding them would make every path unreadable."""
_SHORTEST = 4


@dataclass(frozen=True)
class Upstream:
    """One `[upstream.NAME]`: either `command` (stdio) or `url` (streamable HTTP). Times in seconds.

    `timeout` is for one answer, `start_timeout` for coming up, `retry_seconds` is the first pause of the back-off;
    after `idle_seconds` in which it was neither listed nor read the connection is closed.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")
    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    cwd: str = ""
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    timeout: Annotated[float, Field(gt=0, le=600)] = 30.0
    start_timeout: Annotated[float, Field(gt=0, le=600)] = 60.0
    max_bytes: Annotated[int, Field(ge=1024, le=64 * 2**20)] = 8 * 2**20
    max_resources: Annotated[int, Field(ge=1, le=100_000)] = 10_000
    retry_seconds: Annotated[float, Field(ge=0.01, le=300)] = 1.0
    idle_seconds: Annotated[float, Field(ge=0.1, le=86400)] = 900.0
    enabled: bool = True


def fingerprint(server: Upstream) -> str:
    """Tells whether a cache was filled by the server that bears the name now; says nothing of its credentials."""
    what = [server.command, list(server.args), sorted(server.env), server.cwd, server.url, sorted(server.headers)]
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Secrets:
    """Values that may appear in no log, status or error."""

    values: tuple[str, ...] = ()

    @classmethod
    def of(cls, values: Iterable[str]) -> Secrets:
        """Longest first, so that a secret which holds another one disappears whole."""
        return cls(tuple(sorted({value for value in values if len(value) >= _SHORTEST}, key=lambda v: (-len(v), v))))

    def hide(self, text: str) -> str:
        """The text with every secret replaced by `***`."""
        for value in self.values:
            text = text.replace(value, "***")
        return text


def fill_in(server: Upstream, environment: Mapping[str, str]) -> tuple[Upstream, Secrets]:
    """`${NAME}` and `${NAME:-default}` in args, env, cwd, url and headers replaced from the environment.

    What came from the environment is secret, and so are all headers, credentials in the URL, and variables of `env`
    whose names suggest it.

    Raises:
        ConfigError: a variable without default is not set.
    """
    secret: set[str] = set()

    def expand(text: str) -> str:
        def value(match: re.Match[str]) -> str:
            name, default = match[1], match[2]
            found = environment.get(name)
            if found is None and default is None:
                raise ConfigError(
                    f"The environment variable {name} is not set; set it where DocSidecar is started, and restart it.",
                    key=f"upstream.{server.name}",
                )
            if found and name not in _PLAIN_NAMES:
                secret.add(found)
            return found if found is not None else default

        return _REFERENCE.sub(value, text)

    filled = replace(
        server,
        args=tuple(expand(text) for text in server.args),
        env={key: expand(text) for key, text in server.env.items()},
        cwd=expand(server.cwd),
        url=expand(server.url),
        headers={key: expand(text) for key, text in server.headers.items()},
    )
    secret.update(text for key, text in filled.env.items() if _SECRET_NAME.search(key))
    for text in filled.headers.values():
        secret.update({text, *text.split()[1:]})  # "Bearer x": the x alone must not be seen either
    parts = urlsplit(filled.url)
    secret.update(filter(None, (parts.username, parts.password, parts.query)))
    secret.update(pair.partition("=")[2] for pair in parts.query.split("&"))
    return filled, Secrets.of(secret)
