"""Meaning: registers the sentence embedder all-MiniLM-L6-v2 (int8, in this package, offline) for hybrid search.

Holds the model and how to run it. When to embed, where vectors live and how ranks are fused is the core's.
"""

from sidecar_semantic.plugin import SemanticFeature

__all__ = ["SemanticFeature"]
