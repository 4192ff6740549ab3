"""Search: query syntax, lexical ranking, fusion with an embedder, snippets."""

from sidecar.search.fusion import Nearest, SemanticIndex, fuse
from sidecar.search.query import Query, parse_query
from sidecar.search.searcher import Searcher
from sidecar.search.snippets import snippet

__all__ = ["Nearest", "Query", "Searcher", "SemanticIndex", "fuse", "parse_query", "snippet"]
