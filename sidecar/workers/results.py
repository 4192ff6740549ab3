"""What a worker answers, as data: encoded there, decoded by the serving process without running anything of it.

Built-in values travel as they are. A dataclass or struct travels under its name and is made again only where the
serving process has imported that class itself, field by field as its annotations say (msgspec). Errors travel as the
name of a class of `sidecar.api.errors`, the sentence, and what it carries."""

import dataclasses
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import msgspec

from sidecar.api import errors
from sidecar.api.errors import SidecarError, WorkerError

_TUPLE, _OBJECT = 1, 2
"""Extension types of msgpack: a tuple, and (name of the class, its fields)."""
_OUT_OF_MEMORY: Final = "MemoryError"
_PLAIN = (str, int, float, bool, bytes, type(None))


class _Failure(msgspec.Struct, frozen=True, array_like=True):
    """`carries` are the attributes of the error."""

    name: str
    message: str
    carries: dict[str, Any] = {}


_Named = msgspec.msgpack.Decoder(tuple[str, msgspec.Raw])
_FAILURES = msgspec.msgpack.Decoder(_Failure)


def encode(value: Any) -> bytes:
    """The bytes of a result. Raises TypeError for what is not data."""
    return msgspec.msgpack.encode(_packed(value))


def decode(payload: bytes) -> Any:
    """The result. Raises WorkerError when it is not what a result looks like."""
    try:
        return msgspec.msgpack.decode(payload, ext_hook=_unpacked)
    except msgspec.MsgspecError as error:
        raise WorkerError(f"A worker's answer cannot be read: {error}.") from error


def encode_error(error: BaseException) -> bytes:
    """The bytes of an error: one of ours as it is (a third party's class as the nearest of ours), a MemoryError as
    that, any other as a WorkerError that names it."""
    if isinstance(error, MemoryError):
        return msgspec.msgpack.encode(_Failure(_OUT_OF_MEMORY, ""))
    if not isinstance(error, SidecarError):
        return msgspec.msgpack.encode(_Failure("WorkerError", _sendable(f"{type(error).__name__}: {error}")))
    own = next(base for base in type(error).__mro__ if base.__module__ == errors.__name__)
    message = error.args[0] if len(error.args) == 1 and isinstance(error.args[0], str) else str(error)
    carries = {name: value for name, value in vars(error).items() if _is_plain(value)}
    if isinstance(error, errors.FormatError):
        carries["state"] = str(error.state)
    return msgspec.msgpack.encode(_Failure(own.__name__, _sendable(message), carries))


def decode_error(payload: bytes) -> SidecarError | None:
    """The error; None for a lack of memory."""
    try:
        failure = _FAILURES.decode(payload)
    except msgspec.MsgspecError as error:
        return WorkerError(f"A worker's error cannot be read: {error}.")
    if failure.name == _OUT_OF_MEMORY:
        return None
    kind = getattr(errors, failure.name, WorkerError)
    if not (isinstance(kind, type) and issubclass(kind, SidecarError)):
        kind = WorkerError
    made = kind(failure.message)
    for name, value in failure.carries.items():
        setattr(made, name, tuple(cast("list[object]", value)) if isinstance(value, list) else value)
    return made


def _packed(value: object) -> object:
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, tuple):
        items = [_packed(item) for item in cast("tuple[object, ...]", value)]
        return msgspec.msgpack.Ext(_TUPLE, msgspec.msgpack.encode(items))
    if isinstance(value, list):
        return [_packed(item) for item in cast("list[object]", value)]
    if isinstance(value, Mapping):
        return {_packed(key): _packed(item) for key, item in cast("Mapping[object, object]", value).items()}
    kind = type(value)
    if dataclasses.is_dataclass(kind) or issubclass(kind, msgspec.Struct):
        named = f"{kind.__module__}:{kind.__qualname__}", value
        return msgspec.msgpack.Ext(_OBJECT, msgspec.msgpack.encode(named))
    raise TypeError(
        f"a {kind.__name__} is not data that can be sent; give built-in values, dataclasses or structs (no pickle)."
    )


def _unpacked(code: int, data: memoryview) -> object:
    if code == _TUPLE:
        return tuple(msgspec.msgpack.decode(data, ext_hook=_unpacked))
    if code != _OBJECT:
        raise msgspec.ValidationError(f"extension type {code} is unknown")
    name, fields = _Named.decode(data)
    return msgspec.msgpack.decode(fields, type=_class_of(name))


def _class_of(name: str) -> object:
    """A dataclass or struct this process has imported. Raises ValidationError: nothing is imported for an answer."""
    module, _, qualname = name.partition(":")
    found: object = sys.modules.get(module)
    for step in qualname.split("."):
        found = getattr(found, step, None)
    if not isinstance(found, type) or not (dataclasses.is_dataclass(found) or issubclass(found, msgspec.Struct)):
        raise msgspec.ValidationError(f"{name} is not a data class known here")
    return found


def _is_plain(value: object) -> bool:
    if isinstance(value, (list, tuple)):
        return all(map(_is_plain, cast("Sequence[object]", value)))
    return isinstance(value, _PLAIN)


def _sendable(text: str) -> str:
    """The text without lone surrogates, which UTF-8 knows not."""
    return text.encode("utf-8", "replace").decode()
