"""Parquet files: their footer, the pages of their columns and the tables they make."""

from typing import Final

MAGIC: Final = b"PAR1"
ENCRYPTED: Final = b"PARE"
"""What a file begins with."""
