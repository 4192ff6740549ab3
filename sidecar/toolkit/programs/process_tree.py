"""Run one external program so that it, and everything it starts, is gone when its time is up or when we die.

Not responsible for which program, nor for one running at a time; by what means is the system's (`platform`). Imported
by readers of formats, hence apart from `piped`: asyncio takes a worker a fifth of its start."""

import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from sidecar.toolkit.platform import system


def run_tree(
    command: Sequence[str],
    *,
    seconds: float,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    readable: Sequence[str] = (),
) -> subprocess.CompletedProcess[bytes] | None:
    """Run to the end and give its return code and output (standard error joined in, the last 64 KiB); None when it
    took more than `seconds` (see `platform.time_limit`) and was killed with all its children. With `readable` it reads
    files in these directories only, `cwd`, and where programs lie, if the system has the means. Raises OSError when it
    cannot start."""
    log = cwd / "output.log"
    with log.open("wb") as output:
        places = [str(cwd), *readable] if readable else []
        code = system.run(command, seconds, str(cwd), env, output.fileno(), places)
    if code is None:
        return None
    return subprocess.CompletedProcess(list(command), code, log.read_bytes()[-65536:])


def exit_name(code: int) -> str:
    """How a process ended, by its return code: its exit code, or the signal that ended it."""
    try:
        return f"exit code {code}" if code >= 0 else signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
