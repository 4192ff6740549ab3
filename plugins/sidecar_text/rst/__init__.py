"""reStructuredText to blocks, by the docutils specification. Directives are read for what they show, none is run."""
