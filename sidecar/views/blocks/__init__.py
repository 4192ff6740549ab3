"""Blocks written as Markdown, plain text and HTML: inline text, tables, charts. Knows no parts and no documents."""
