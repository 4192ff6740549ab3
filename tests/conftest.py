"""What every test shares: on which loop async tests run, and what is skipped where the corpus or a program is missing.

Helpers that are imported by name are in `support/`.
"""

from __future__ import annotations

import compileall
import gc
import shutil
import sys

import pytest
from hypothesis import HealthCheck, settings
from support.formats.corpus import CORPUS
from support.programs import forks

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")
"""How long an example takes says how busy the machine is, not whether the code is right."""


def pytest_configure(config: pytest.Config) -> None:
    """Compile the sources once, where Python keeps no bytecode too: each program that is started compiles every module
    again, 0.8 s of processor time a start, and each process of pytest every test, 6 s."""
    gc.disable()  # nothing of what is imported and collected goes away: looking for it is a fifth of the time
    sys.dont_write_bytecode = False
    if not hasattr(config, "workerinput"):
        for folder in ("sidecar", "plugins"):
            compileall.compile_dir(config.rootpath / folder, quiet=1, workers=0)
    forks.fork(forks.template)


def pytest_collection_finish() -> None:
    """Leave the tests themselves, which stay, out of the hundreds of collections of garbage to come."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The sidecar runs on asyncio (the store does), so its tests do."""
    return "asyncio"


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip, saying why, what needs the corpus or a program that is not there."""
    if item.get_closest_marker("corpus") is not None and not CORPUS.is_dir():
        pytest.skip(f"the document corpus is not at {CORPUS}; set DOCSIDECAR_CORPUS")
    for marker in item.iter_markers("tool"):
        program = str(marker.args[0])
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
