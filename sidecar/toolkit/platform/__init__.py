"""What systems do each in their own way, in one module a system: `linux`, `darwin`, `windows`, and `posix` for what the
first two share and other systems have. Whoever needs it asks `system`, and nobody else asks which system it is.

Imported by every worker at its start, so it imports little: heavy and rare things are imported where they are needed.
"""

import sys

from sidecar.toolkit.platform.protocol import System

__all__ = ["System", "system"]

if sys.platform == "win32":
    from sidecar.toolkit.platform.windows import Windows as _System
elif sys.platform == "linux":
    from sidecar.toolkit.platform.linux import Linux as _System
elif sys.platform == "darwin":
    from sidecar.toolkit.platform.darwin import Darwin as _System
else:
    from sidecar.toolkit.platform.posix import Posix as _System

system: System = _System()
"""The system this runs on."""
