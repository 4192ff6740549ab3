"""The page a person looks at the library with: over HTTP on the loopback address (`docsidecar open`), and as an MCP App
inside a host that shows it. It asks through the tools and resources that assistants use, and knows no others."""
