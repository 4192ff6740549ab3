"""Whether the machine asks programs to save power. Best effort: where nothing tells, it does not."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path

_PROFILE = Path("/sys/firmware/acpi/platform_profile")


def saving_power() -> bool:
    """True on battery saver (Windows), in low power mode (macOS) or in the low-power profile (Linux)."""
    if sys.platform == "win32":
        status = (ctypes.c_ubyte * 12)()  # SYSTEM_POWER_STATUS; its fourth byte is SystemStatusFlag
        return bool(ctypes.windll.kernel32.GetSystemPowerStatus(ctypes.byref(status))) and status[3] == 1
    try:
        if sys.platform == "darwin":
            shown = subprocess.run(["pmset", "-g"], capture_output=True, text=True, timeout=5, check=False).stdout
            return any(line.split() == ["lowpowermode", "1"] for line in shown.splitlines())
        return _PROFILE.read_text().strip() == "low-power"
    except (OSError, subprocess.SubprocessError):
        return False
