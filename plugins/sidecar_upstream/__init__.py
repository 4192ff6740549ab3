"""Resources of other MCP servers, listed among ours and read through us."""
