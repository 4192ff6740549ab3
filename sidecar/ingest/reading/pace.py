"""About how long reading takes, told from names and sizes."""

from collections.abc import Mapping
from typing import Final

_TEXT: Final = (0.003, 0.2)
_PICTURE: Final = (0.25, 0.5)
_COSTS: Final[Mapping[str, tuple[float, float]]] = {
    ".pdf": (0.1, 1.4), ".docx": (0.02, 0.3), ".xlsx": (0.03, 1.0), ".pptx": (0.02, 0.1), ".html": (0.005, 0.15),
    **dict.fromkeys((".png", ".jpg", ".jpeg", ".tif", ".tiff", ".gif", ".webp", ".bmp"), _PICTURE),
}  # fmt: skip
"""Processor seconds a file and a megabyte, on average (`tests/bench/pace/reading_cost.py`)."""


def processor_seconds(suffix: str, files: int, size: int) -> float:
    """What reading so many files of a suffix takes, `size` bytes together, by what each kind cost on average; scans,
    whose text has to be recognised, take longer."""
    each, megabyte = _COSTS.get(suffix, _TEXT)
    return files * each + size / 1e6 * megabyte
