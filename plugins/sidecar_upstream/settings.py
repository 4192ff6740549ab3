"""Checks the `[upstream.NAME]` tables and turns them into `Upstream`s; a mistake is told with the nearest valid key."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, cast
from urllib.parse import urlsplit

from pydantic import TypeAdapter, ValidationError

from sidecar.api import ConfigError
from sidecar_upstream.servers import Upstream

__all__ = ["read_settings"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_MOST_SERVERS = 64
_CHECK = TypeAdapter(Upstream)


def read_settings(settings: Mapping[str, Any]) -> tuple[Upstream, ...]:
    """The servers to connect to, by name; those that say `enabled = false` are left out.

    Raises:
        ConfigError: a table is wrong; carries the key.
    """
    for key in settings:
        if key != "servers":
            raise ConfigError(
                "unknown key; servers are configured as [upstream.NAME] tables.", key=f"plugins.upstream.{key}"
            )
    tables = cast(Mapping[str, Any], settings.get("servers") or {})
    servers: dict[str, Upstream] = {}
    for name, table in tables.items():
        key = f"upstream.{name}"
        if not _NAME.fullmatch(name):
            raise ConfigError(
                "a server's name is letters, digits, '-', '_' and '.', beginning with a letter or digit.", key=key
            )
        if any(name.casefold() == other.casefold() for other in servers):
            # Clients normalise the host of a URI to lower case.
            raise ConfigError("another server has this name but for upper and lower case.", key=key)
        servers[name] = _server(name, table, key)
    if len(servers) > _MOST_SERVERS:
        raise ConfigError(f"at most {_MOST_SERVERS} servers can be configured.", key="upstream")
    return tuple(servers[name] for name in sorted(servers) if servers[name].enabled)


def _server(name: str, table: Mapping[str, Any], key: str) -> Upstream:
    if "name" in table:
        raise ConfigError(_explain("unexpected_keyword_argument", "", ["name"]), key=f"{key}.name")
    try:
        server = _CHECK.validate_python({**table, "name": name})
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = [str(item) for item in first["loc"] if not isinstance(item, int)]
        raise ConfigError(_explain(first["type"], first["msg"], place), key=".".join([key, *place])) from None
    _consistent(server, key)
    return server


def _consistent(server: Upstream, key: str) -> None:
    if bool(server.command) == bool(server.url):
        raise ConfigError("give either command (a program to start) or url (a streamable HTTP server).", key=key)
    if server.url:
        wrong = [name for name in ("args", "env", "cwd") if getattr(server, name)]
        if wrong:
            raise ConfigError("only a server that is started by command has this.", key=f"{key}.{wrong[0]}")
        if "${" not in server.url and (
            urlsplit(server.url).scheme not in {"http", "https"} or not urlsplit(server.url).hostname
        ):
            raise ConfigError("expected an http:// or https:// address.", key=f"{key}.url")
    elif server.headers:
        raise ConfigError("only a server that is reached by url has this.", key=f"{key}.headers")
    for where, texts in {
        "command": [server.command],
        "args": server.args,
        "env": [*server.env, *server.env.values()],
        "headers": [*server.headers, *server.headers.values()],
    }.items():
        if any(re.search(r"[\0\r\n]", text) for text in texts):
            raise ConfigError("it holds a line break or a null character.", key=f"{key}.{where}")


def _explain(kind: str, message: str, place: list[str]) -> str:
    """Never shows the value: it may be a credential."""
    if kind == "unexpected_keyword_argument":
        valid = [one.name for one in fields(Upstream) if one.name != "name"]
        near = difflib.get_close_matches(place[-1], valid, n=1, cutoff=0.5)
        return f"unknown key; did you mean `{near[0]}`?" if near else f"unknown key; valid keys are {', '.join(valid)}."
    return f"{message.replace('Input should be', 'expected').replace('tuple', 'list')}."
