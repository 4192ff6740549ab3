"""Assistants on this machine: where each keeps its MCP servers, and our one entry there. Not imported when serving."""
