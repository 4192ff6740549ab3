"""The wire between the serving process and a worker: frames of a kind and a payload over a pair of pipes.

Only the layout; who sends what when is `process` and `main`. Imported by workers at start, so it imports little."""

import struct
from typing import Final

HEADER: Final = struct.Struct("<BQ")
"""Kind, then the payload's length in bytes."""

# From the serving process.
SETUP: Final = 0
"""How the worker is to be, pickled, as is what a call gives to the function: the serving process is trusted."""
CALL: Final = 1
# From the worker.
READY: Final = 10
"""The worker is up; the payload says what it has given up (see `toolkit.platform`), UTF-8."""
ITEM: Final = 11
"""One item a generator yielded (see `results`)."""
RAW: Final = 12
"""One item that was bytes already, as it is: results of a parse are encoded once only."""
DONE: Final = 13
"""The result (see `results`)."""
FAILED: Final = 14
"""The exception (see `results`)."""
LAST: Final = 0x40
"""Added to DONE or FAILED by a worker that has grown too large to keep; it then ends by itself."""

EXIT_MEMORY: Final = 86
"""Exit code of a worker that ended because it outgrew its memory, on systems whose kernel does not refuse memory."""
EXIT_ORPHANED: Final = 87


def frame(kind: int, payload: bytes) -> bytes:
    """The bytes of one frame."""
    return HEADER.pack(kind, len(payload)) + payload
