"""Where the shared corpus of real documents is; tests that need it bear the mark `corpus`."""

from __future__ import annotations

import os
from pathlib import Path

CORPUS = Path(os.environ.get("DOCSIDECAR_CORPUS", Path(__file__).parents[4] / "shared" / "corpus"))
DOCS = CORPUS / "docs"
