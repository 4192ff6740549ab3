"""The MCP side: handlers, resources, tools, notifications, completions, in both protocol eras.

`serving.py` makes a `Readiness` and a `Notifier`, starts `stdio.serve_stdio` at once, opens the rooms, and then hands
over a `Serving`. What is exported here needs neither the MCP SDK nor the index: whoever only reads pays for no server,
and a greeting waits for no index.
"""

from sidecar.server.ports import Attaching, Offer, Reading, Serving

__all__ = ["Attaching", "Offer", "Reading", "Serving"]
