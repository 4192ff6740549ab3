"""MCP over the process's own standard streams, and when to end. What is said over it is the handlers'."""
