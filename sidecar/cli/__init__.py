"""The command line: one module a command or a family of them. What a command does is done by `app` and `serving`."""
