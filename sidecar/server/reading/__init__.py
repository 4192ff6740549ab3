"""What a URI gives: text through one query and the views, bytes and pictures through workers. Knows no MCP."""
