"""What `docsidecar doctor` looks at, one module a subject. Not imported when serving."""
