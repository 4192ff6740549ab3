"""MCP over standard streams: the process's own, when to end, and a session with ourselves. No handler is here."""
