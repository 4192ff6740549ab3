"""Methods of ports made of functions on a `Session`, each one transaction. Knows no table of the index."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from sidecar.store.database.pool import Pool
from sidecar.store.database.session import Session

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class Reads(Protocol):
    """What runs reads: the connections of the serving process (`Pool`), or the one of a worker (`OneReader`)."""

    @property
    def path(self) -> Path:
        """The index file."""
        ...

    async def read(self, work: Callable[[Session], Result]) -> Result:
        """Run `work` in a read transaction. Raises StoreError."""
        ...

    async def read_long(self, work: Callable[[Session], Result]) -> Result:
        """The same for what may take long."""
        ...

    def suspect(self) -> None:
        """Damage has shown."""
        ...


class _OnIndex(Protocol):
    @property
    def database(self) -> Reads: ...


class Port:
    """Calls on one index. Reads run on read-only connections, writes in turn on the only writer."""

    def __init__(self, database: Pool) -> None:
        self.database = database


Work = Callable[Concatenate[Session, Arguments], Result]
Method = Callable[Concatenate[_OnIndex, Arguments], Coroutine[Any, Any, Result]]
WriteMethod = Callable[Concatenate[Port, Arguments], Coroutine[Any, Any, Result]]


def read(work: Work[Arguments, Result]) -> Method[Arguments, Result]:
    """The method that runs `work` in a read transaction."""

    @wraps(work)
    async def method(port: _OnIndex, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        return await port.database.read(lambda session: work(session, *args, **kwargs))

    return method


def read_long(work: Work[Arguments, Result]) -> Method[Arguments, Result]:
    """The same for what goes through a whole document or library."""

    @wraps(work)
    async def method(port: _OnIndex, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        return await port.database.read_long(lambda session: work(session, *args, **kwargs))

    return method


def write(work: Work[Arguments, Result]) -> WriteMethod[Arguments, Result]:
    """The method that runs `work` in a write transaction, to its end even when the caller is cancelled."""

    @wraps(work)
    async def method(port: Port, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        return await port.database.write(lambda session: work(session, *args, **kwargs))

    return method
