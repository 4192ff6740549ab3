"""Reads Arrow's files and streams (Feather, version 2)."""

MAGIC = b"ARROW1"
"""The first bytes of a file."""
OLD_FEATHER = b"FEA1"
"""The first bytes of Feather's first version, which is another format."""
EXTENDED = b"\xff\xff\xff\xff"
"""Before each message since release 0.15, and so the first bytes of a stream."""
