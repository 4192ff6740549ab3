"""The command line: one module a command. What a command does is done by `app` and `serving`."""
