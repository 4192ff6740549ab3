"""Search: query syntax, lexical ranking, fusion with an embedder, snippets."""
