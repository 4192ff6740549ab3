"""The MCP side: handlers, resources, tools, notifications, completions, in both protocol eras.

`app.py` makes a `Readiness` and a `Notifier`, starts `stdio.serve_stdio` at once, opens the rooms, and then hands over
a `Serving`. What is exported here needs no MCP SDK, so that commands which only read do not pay for it.
"""

from sidecar.server.library import IndexLibrary
from sidecar.server.ports import Offer, Reading, Serving

__all__ = ["IndexLibrary", "Offer", "Reading", "Serving"]
