"""The MCP side: handlers, resources, tools, notifications, completions, in both protocol eras.

`serving.py` makes a `Readiness` and a `Notifier`, starts `stdio.serve_stdio` at once, opens the index, and then hands
over a `Backend`. What is exported here needs neither the MCP SDK nor the index: whoever only reads pays for no server,
and a greeting waits for no index."""

from sidecar.server.ports import AttachedReader, Backend, ReadingPorts, Registrations

__all__ = ["AttachedReader", "Backend", "ReadingPorts", "Registrations"]
