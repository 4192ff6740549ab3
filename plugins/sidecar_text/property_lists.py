"""Property lists of macOS in their binary form (bplist00), shown as the JSON that says the same; a bookmark (.webloc)
as its link. Those in XML are text and read as such."""

import json
import plistlib
import struct
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, cast

from sidecar.api import AnyBlock, DamagedError, LimitError, Limits, Paragraph, Source, Span
from sidecar.toolkit.markup.code import code_blocks

_TRAILER: Final = struct.Struct(">6xBBQQQ")
"""Sizes of offsets and references, how many objects there are, the top one, where the offsets are."""
_MAX_VALUES: Final = 200_000
"""Values that are shown: an object may stand in many places, and so be many times the file."""
_MAX_DEPTH: Final = 100


def read_property_list(source: Source, limits: Limits) -> list[AnyBlock]:
    """The list as code, a bookmark as a paragraph. Raises DamagedError, LimitError."""
    data = source.read(limits.max_file_bytes)
    value: object = None
    try:
        objects = _TRAILER.unpack(data[-_TRAILER.size :])[2]
        # plistlib makes room for all that are told before it looks for any
        value = plistlib.loads(data if objects <= len(data) else b"", fmt=plistlib.FMT_BINARY)
    except (plistlib.InvalidFileException, ValueError, LookupError, struct.error, OverflowError, TypeError) as error:
        raise DamagedError(f"{source.name} is damaged: it is no property list that can be read.") from error
    except RecursionError as error:
        raise DamagedError(f"{source.name} is nested too deeply to be read.") from error
    if isinstance(value, dict):
        facts = cast("dict[str, object]", value)
        if list(facts) == ["URL"] and isinstance(facts["URL"], str):
            return [Paragraph(text=facts["URL"], spans=(Span("link", 0, len(facts["URL"]), facts["URL"]),))]
    shown = json.dumps(_Shown(source.name).value(value, 0), ensure_ascii=False, indent=1)
    return list(code_blocks(shown.encode("utf-8", "replace").decode(), "json", first=1))


class _Shown:
    """Makes what JSON can say of values, so many at most."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._left = _MAX_VALUES

    def value(self, value: object, depth: int) -> object:
        """Raises LimitError."""
        self._left -= 1
        if self._left < 0 or depth > _MAX_DEPTH:
            raise LimitError(f"{self._name} says more, or lies deeper, than is shown of a property list.")
        if isinstance(value, dict):
            held = cast("Mapping[object, object]", value)
            return {str(key): self.value(one, depth + 1) for key, one in held.items()}
        if isinstance(value, list | tuple):
            return [self.value(one, depth + 1) for one in cast("Sequence[object]", value)]
        if isinstance(value, bytes):
            return f"({len(value):,} bytes)"
        if isinstance(value, datetime):
            return value.isoformat(" ")
        return value if isinstance(value, str | int | float | bool | None) else str(value)
