"""Recognises sidecars that are one another's upstream servers, in a circle.

A sidecar knows itself by its machine and its data directory. Started over stdio, it learns from the environment whose
upstream it is; over any transport, a sidecar that gathers answers `upstream://.instance` with its own identity and
with those it reaches through its upstreams."""

import hashlib
import json
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CHAIN = "DOCSIDECAR_UPSTREAM_CHAIN"
INSTANCE_URI = "upstream://.instance"
"""Not listed. No server's name begins with a dot."""
_DEEPEST = 5
_MOST = 256


@dataclass(frozen=True)
class Lineage:
    """Who we are, and by whom we were started as an upstream, the first of them first."""

    instance: str
    chain: tuple[str, ...]

    @classmethod
    def of(cls, data_dir: Path, environment: Mapping[str, str]) -> "Lineage":
        """As the data directory and the environment tell."""
        return cls(instance_of(data_dir), tuple(filter(None, environment.get(CHAIN, "").split(","))))

    def refusal(self, reaches: tuple[str, ...] = ()) -> str:
        """Why nothing may be gathered at all, or nothing through a server that reaches these sidecars, itself first;
        "" when all is well."""
        if self.instance in self.chain:
            return "This sidecar was started as an upstream of itself, so it gathers from no server."
        if len(self.chain) >= _DEEPEST:
            return f"This sidecar is the upstream of {_DEEPEST} others in a row, so it gathers from no server."
        if self.instance in reaches[:1]:
            return "It is this sidecar itself; remove it from the configuration."
        if self.instance in reaches:
            return "It gathers from this sidecar in turn; remove it here, or this one there."
        return ""

    def for_children(self) -> str:
        """The value of `DOCSIDECAR_UPSTREAM_CHAIN` for servers we start."""
        return ",".join([*self.chain, self.instance])


def instance_of(data_dir: Path) -> str:
    """The identity of a sidecar: stable across restarts, different on every machine."""
    return hashlib.sha256(f"{platform.node()}\0{data_dir.absolute()}".encode()).hexdigest()[:16]


def tell_instance(instance: str, reaches: Iterable[str]) -> str:
    """What `upstream://.instance` gives."""
    return json.dumps({"instance": instance, "reaches": sorted(set(reaches))[:_MOST]})


def parse_instance(text: str) -> tuple[str, ...]:
    """The sidecars an upstream sidecar named, itself first; () for anything else."""
    try:
        found: Any = json.loads(text)
    except ValueError:
        return ()
    match found:
        case {"instance": str(instance), "reaches": list(reaches)}:
            named: list[Any] = reaches
            return (instance, *(name for name in named[:_MOST] if isinstance(name, str)))
        case _:
            return ()
