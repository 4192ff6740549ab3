"""A part or block shown as Markdown, text, HTML, CSV or JSON; windows over what is too large."""
