"""Builds the frozen one-folder program: wheel → fresh virtual environment → PyInstaller → `packaging/dist/docsidecar/`,
with the licences of all it holds and a bill of materials (`sbom.py`).

    python packaging/build.py [--python PYTHON] [--installed]

From the wheel, never from the checkout, so that whatever the wheel forgets to carry is missing here too and the smoke
test says so. `--installed` freezes the running environment's installation instead of making a new one.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def run(*command: str | Path, cwd: Path = ROOT) -> None:
    """Run a step and stop at its failure. Code that it compiles keeps its lines, without columns: these only underline
    in tracebacks, and are a tenth of it."""
    subprocess.run([str(word) for word in command], check=True, cwd=cwd, env={**os.environ, "PYTHONNODEBUGRANGES": "1"})


def main() -> int:
    """Build; the program's folder is printed last."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default=sys.executable, help="interpreter to build with")
    parser.add_argument("--installed", action="store_true", help="freeze what is installed beside this interpreter")
    arguments = parser.parse_args()
    dist = HERE / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    with tempfile.TemporaryDirectory() as scratch:
        python = Path(arguments.python)
        if not arguments.installed:
            python = fresh_environment(Path(scratch), arguments.python)
        work = Path(scratch) / "work"
        # From a folder without the checkout in it: the checkout's packages must not shadow the installed ones.
        for name in ("entry.py", "docsidecar.spec", "without_unused.py", "blas/cblas.c"):
            shutil.copy(HERE / name, scratch)
        run(
            python, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN", "--distpath", dist, "--workpath", work,
            Path(scratch) / "docsidecar.spec", cwd=Path(scratch),
        )  # fmt: skip
        shutil.copy(HERE / "sbom.py", scratch)
        run(python, Path(scratch) / "sbom.py", dist / "docsidecar", HERE / "parts.json", cwd=Path(scratch))
    print(dist / "docsidecar")
    return 0


def fresh_environment(scratch: Path, python: str) -> Path:
    """A virtual environment with the wheel and PyInstaller in it; gives its interpreter."""
    wheels = scratch / "wheels"
    run(python, "-m", "pip", "wheel", "-q", "--no-deps", "-w", wheels, ROOT)
    environment = scratch / "environment"
    run(python, "-m", "venv", environment)
    interpreter = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    run(interpreter, "-m", "pip", "install", "-q", next(wheels.glob("docsidecar-*.whl")), "pyinstaller>=6.12")
    return interpreter


if __name__ == "__main__":
    sys.exit(main())
