"""Meaning: the sentence embedder all-MiniLM-L6-v2 (int8, in this package, offline) for hybrid search."""

from sidecar_semantic.plugin import SemanticFeature as SemanticFeature
