"""What an upstream server is to us: its `[upstream.NAME]` table, checked; its credentials, filled in; and texts freed
of them. Nothing here connects.

Also tells sidecars that are one another's servers, in a circle. A sidecar knows itself by its machine and its data
directory. Started over stdio, it learns from the environment whose upstream it is; over any transport, a sidecar that
gathers answers `upstream://.instance` with its own identity and with those it reaches through its upstreams."""

import hashlib
import json
import platform
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, cast
from urllib.parse import urlsplit

import msgspec
from pydantic import AfterValidator, ConfigDict, Field

from sidecar.api import ConfigError
from sidecar.toolkit.settings import CREDENTIAL_NAME, Secrets, checked_settings, confidential_references, filled

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_MAX_SERVERS = 64
_FILLED = ("args", "env", "cwd", "url", "headers")
_DIGEST_DIGITS = 8
"""Enough to tell a few windows' environments apart, and too few to try a credential against."""

CHAIN = "DOCSIDECAR_UPSTREAM_CHAIN"
INSTANCE_URI = "upstream://.instance"
"""Not listed. No server's name begins with a dot."""
_MAX_DEPTH = 5
_MAX_INSTANCES = 256


def _on_one_line(text: str) -> str:
    if re.search(r"[\0\r\n]", text):
        raise ValueError("it holds a line break or a null character")
    return text


_Line = Annotated[str, AfterValidator(_on_one_line)]


@dataclass(frozen=True)
class Upstream:
    """One `[upstream.NAME]`: either `command` (stdio) or `url` (streamable HTTP). Times in seconds.

    `timeout` is for one answer, `start_timeout` for coming up, `retry_seconds` is the first pause of the back-off;
    after `idle_seconds` in which it was neither listed nor read the connection is closed."""

    __pydantic_config__ = ConfigDict(extra="forbid")
    name: str
    command: _Line = ""
    args: tuple[_Line, ...] = ()
    env: Mapping[_Line, _Line] = field(default_factory=dict[_Line, _Line])
    cwd: _Line = ""
    url: _Line = ""
    headers: Mapping[_Line, _Line] = field(default_factory=dict[_Line, _Line])
    timeout: Annotated[float, Field(gt=0, le=600)] = 30.0
    start_timeout: Annotated[float, Field(gt=0, le=600)] = 60.0
    max_bytes: Annotated[int, Field(ge=1024, le=64 * 2**20)] = 8 * 2**20
    max_resources: Annotated[int, Field(ge=1, le=100_000)] = 10_000
    retry_seconds: Annotated[float, Field(ge=0.01, le=300)] = 1.0
    idle_seconds: Annotated[float, Field(ge=0.1, le=86400)] = 900.0
    enabled: bool = True


def read_settings(settings: Mapping[str, object]) -> tuple[Upstream, ...]:
    """The servers to connect to, by name; those that say `enabled = false` are left out. Raises ConfigError with the
    key of what is wrong."""
    for key in sorted(settings.keys() - {"tables"}):
        raise ConfigError(
            "unknown key; servers are configured as [upstream.NAME] tables.", key=f"plugins.upstream.{key}"
        )
    tables = cast(Mapping[str, Mapping[str, object]], settings.get("tables") or {})
    if len(tables) > _MAX_SERVERS:
        raise ConfigError(f"at most {_MAX_SERVERS} servers can be configured.", key="upstream")
    servers: dict[str, Upstream] = {}
    for name, table in tables.items():
        key = f"upstream.{name}"
        if not _NAME.fullmatch(name):
            raise ConfigError(
                "a server's name is letters, digits, '-', '_' and '.', beginning with a letter or digit.", key=key
            )
        if name.casefold() in servers:  # clients normalise the host of a URI to lower case
            raise ConfigError("another server has this name but for upper and lower case.", key=key)
        servers[name.casefold()] = _server(name, table, key)
    return tuple(sorted((one for one in servers.values() if one.enabled), key=lambda one: one.name))


def _server(name: str, table: Mapping[str, object], key: str) -> Upstream:
    server = checked_settings(Upstream, table, key, confidential=True, name=name)
    if bool(server.command) == bool(server.url):
        raise ConfigError("give either command (a program to start) or url (a streamable HTTP server).", key=key)
    others, how = (("args", "env", "cwd"), "started by command") if server.url else (("headers",), "reached by url")
    if wrong := [name for name in others if getattr(server, name)]:
        raise ConfigError(f"only a server that is {how} has this.", key=f"{key}.{wrong[0]}")
    parts = urlsplit(server.url)
    if server.url and "${" not in server.url and (parts.scheme not in {"http", "https"} or not parts.hostname):
        raise ConfigError("expected an http:// or https:// address.", key=f"{key}.url")
    return server


def fingerprint(server: Upstream) -> str:
    """Tells whether a cache was filled by the server that bears the name now; says nothing of its credentials."""
    what = [server.command, list(server.args), sorted(server.env), server.cwd, server.url, sorted(server.headers)]
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()[:16]


def cache_name(server: Upstream, environment: Mapping[str, str]) -> str:
    """The name under which this process keeps what the server gives: windows share the index, and what one is shown by
    the credentials of its environment is not another's. The end is a digest of the variables the table refers to."""
    texts = json.dumps([getattr(server, name) for name in _FILLED])
    names = confidential_references(texts)
    if not names:
        return server.name
    values = json.dumps([(name, environment.get(name)) for name in names])
    return f"{server.name} {hashlib.sha256(values.encode()).hexdigest()[:_DIGEST_DIGITS]}"


def fill_in(server: Upstream, environment: Mapping[str, str]) -> tuple[Upstream, Secrets]:
    """`${NAME}` and `${NAME:-default}` in args, env, cwd, url and headers replaced from the environment.

    What came from the environment is secret, and so are all headers, credentials in the URL, and variables of `env`
    whose names suggest it. Raises ConfigError where a variable without default is not set."""
    texts, found = filled({name: getattr(server, name) for name in _FILLED}, environment, f"upstream.{server.name}")
    secret = set(found.values())
    credentials = {text for name, text in found.items() if re.search(CREDENTIAL_NAME, name)}
    whole = replace(server, **texts)
    credentials.update(text for key, text in whole.env.items() if re.search(CREDENTIAL_NAME, key))
    for key, text in whole.headers.items():
        words = {text, *text.split()[1:]}  # "Bearer x": the x alone must not be seen either
        (credentials if re.search(CREDENTIAL_NAME, key) else secret).update(words)
    parts = urlsplit(whole.url)
    credentials.update(filter(None, (parts.username, parts.password)))
    secret.update(filter(None, (parts.query, *(pair.partition("=")[2] for pair in parts.query.split("&")))))
    return whole, Secrets.of(secret | credentials, credentials)


class Lineage:
    """Who we are, and by whom we were started as an upstream, the first of them first."""

    def __init__(self, data_dir: Path, environment: Mapping[str, str]) -> None:
        self.instance = instance_of(data_dir)
        self.chain = tuple(filter(None, environment.get(CHAIN, "").split(",")))

    def refusal(self, reaches: tuple[str, ...] = ()) -> str:
        """Why nothing may be gathered at all, or nothing through a server that reaches these sidecars, itself first;
        "" when all is well."""
        if self.instance in self.chain:
            return "This sidecar was started as an upstream of itself, so it gathers from no server."
        if len(self.chain) >= _MAX_DEPTH:
            return f"This sidecar is the upstream of {_MAX_DEPTH} others in a row, so it gathers from no server."
        if self.instance in reaches[:1]:
            return "It is this sidecar itself; remove it from the configuration."
        if self.instance in reaches:
            return "It gathers from this sidecar in turn; remove it here, or this one there."
        return ""

    def for_children(self) -> str:
        """The value of `DOCSIDECAR_UPSTREAM_CHAIN` for servers we start."""
        return ",".join([*self.chain, self.instance])


class _Instance(msgspec.Struct):
    instance: str
    reaches: tuple[str, ...]


def instance_of(data_dir: Path) -> str:
    """The identity of a sidecar: stable across restarts, different on every machine."""
    return hashlib.sha256(f"{platform.node()}\0{data_dir.absolute()}".encode()).hexdigest()[:16]


def instance_record(instance: str, reaches: Iterable[str]) -> str:
    """What `upstream://.instance` gives."""
    return msgspec.json.encode(_Instance(instance, tuple(sorted(set(reaches))[:_MAX_INSTANCES]))).decode()


def parse_instance(text: str) -> tuple[str, ...]:
    """The sidecars an upstream sidecar named, itself first; () for anything else."""
    try:
        found = msgspec.json.decode(text, type=_Instance)
    except (msgspec.MsgspecError, RecursionError):
        return ()
    return (found.instance, *found.reaches[:_MAX_INSTANCES])
