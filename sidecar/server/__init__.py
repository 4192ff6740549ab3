"""The MCP side: handlers, resources, tools, notifications, completions, in both protocol eras."""
