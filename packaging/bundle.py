"""Makes what people, registries and Claude Desktop take of a built program: the archive (`.tar.xz`, `.zip` for Windows)
with `SHA256SUMS`, the bundle `docsidecar-VERSION-SYSTEM.mcpb`
(manifest 0.3), by the official tool, and the registry's `server.json`.

    python packaging/bundle.py archive [PROGRAM_FOLDER]  the archive
    python packaging/bundle.py pack [PROGRAM_FOLDER]     the bundle of packaging/dist/docsidecar
    python packaging/bundle.py registry URL BUNDLE ...   server.json, with the digests of bundles that lie below URL
    python packaging/bundle.py manifest                  write the lists of tools and prompts into the manifest anew

The tool is npm's @anthropic-ai/mcpb; MCPB names another command that starts it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
MANIFEST = HERE / "mcpb" / "manifest.json"
SERVER = HERE / "server.json"
DIST = HERE / "dist"
TOOL = "npx --yes @anthropic-ai/mcpb@2.1.2"
_TIGHTEST = 12
"""libdeflate's highest level."""
_UTF8, _NEEDED = 0x800, 20
"""Names are in UTF-8; what an extractor must know: deflate."""
SYSTEMS = {"linux": "linux", "darwin": "macos", "win32": "windows"}
"""`sys.platform` → how downloads are called."""


def lists() -> dict[str, list[dict[str, Any]]]:
    """The manifest's lists of tools and prompts, as the installed plugins register them."""
    from sidecar.registry import load_features

    features = load_features()
    tools = [{"name": tool.name, "description": tool.description} for tool in features.tools.values()]
    prompts: list[dict[str, Any]] = []
    for name, prompt in sorted(features.prompts.items()):
        arguments = [one.name for one in prompt.arguments]
        # A manifest wants a text; the server's own takes its place when it is asked for the prompt.
        given = "".join(f" {one}: ${{arguments.{one}}}." for one in arguments)
        entry: dict[str, Any] = {"name": name, "description": prompt.description}
        prompts.append(entry | ({"arguments": arguments} if arguments else {}) | {"text": prompt.description + given})
    return {"tools": sorted(tools, key=lambda tool: tool["name"]), "prompts": prompts}


def manifest(system: str) -> dict[str, Any]:
    """The manifest for the bundle of one system (`sys.platform`): its version is the program's."""
    from sidecar import __version__

    made: dict[str, Any] = json.loads(MANIFEST.read_text("utf-8"))
    suffix = ".exe" if system == "win32" else ""
    made["version"] = __version__
    made["server"]["entry_point"] += suffix
    made["server"]["mcp_config"]["command"] += suffix
    made["compatibility"]["platforms"] = [system]
    return made


def file_name(system: str, machine: str, version: str, suffix: str) -> str:
    """What a download is called."""
    return f"docsidecar-{version}-{SYSTEMS[system]}-{machine.lower().replace('amd64', 'x86_64')}{suffix}"


def pack(program: Path) -> Path:
    """Validate and pack the bundle of a built program; gives its path."""
    tool = shlex.split(os.environ.get("MCPB", TOOL))
    if (found := shutil.which(tool[0])) is None:
        raise SystemExit(f"{tool[0]} is missing: install Node.js, or name the official tool in MCPB.")
    tool[0] = found
    with tempfile.TemporaryDirectory() as scratch:
        stage = Path(scratch) / "bundle"
        # Zip archives of the tool hold no links, and these lead to libraries that are found where they are.
        shutil.copytree(program, stage / "docsidecar", ignore=_links, symlinks=True)
        made = manifest(sys.platform)
        (stage / "manifest.json").write_text(json.dumps(made, indent=2, ensure_ascii=False) + "\n", "utf-8")
        shutil.copy(MANIFEST.parent / "icon.png", stage)
        target = DIST / file_name(sys.platform, platform.machine(), made["version"], ".mcpb")
        subprocess.run([*tool, "validate", str(stage / "manifest.json")], check=True)
        subprocess.run([*tool, "pack", str(stage), str(target)], check=True, stdout=subprocess.DEVNULL)
        pack_tighter(target)
    print(f"{target} {target.stat().st_size / 1e6:.1f} MB")
    return target


def pack_tighter(bundle: Path) -> None:
    """Compress every file of a bundle anew by libdeflate, where that is installed: 5 % less, of the same format, with
    the same names, permissions and contents (APPNOTE.TXT 4.3)."""
    if find_spec("deflate") is None:
        return
    compress = import_module("deflate").deflate_compress
    made = bundle.with_suffix(".tmp")
    directory = b""
    with zipfile.ZipFile(bundle) as packed, made.open("wb") as out:
        entries = packed.infolist()
        for info in entries:
            data, name = packed.read(info), info.filename.encode()
            tight = bytes(compress(data, _TIGHTEST))
            method, body = (zipfile.ZIP_DEFLATED, tight) if len(tight) < len(data) else (zipfile.ZIP_STORED, data)
            year, month, day, hour, minute, second = info.date_time
            when = hour << 11 | minute << 5 | second // 2, (year - 1980) << 9 | month << 5 | day
            about = _UTF8, method, *when, info.CRC, len(body), len(data), len(name), 0
            versions = info.create_version | info.create_system << 8, _NEEDED
            directory += struct.pack(
                "<4s6H3I5H2I", b"PK\1\2", *versions, *about, 0, 0, 0, info.external_attr, out.tell()
            ) + name  # fmt: skip
            out.write(struct.pack("<4s5H3I2H", b"PK\3\4", _NEEDED, *about) + name + body)
        at, count = out.tell(), len(entries)
        out.write(directory + struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, count, count, len(directory), at, 0))
    with zipfile.ZipFile(made) as packed:
        if packed.testzip() is not None or packed.namelist() != [info.filename for info in entries]:
            raise SystemExit(f"{made} is not what {bundle} is")
    made.replace(bundle)


def archive(program: Path) -> Path:
    """Archive a built program, its folder inside; gives the archive's path."""
    from sidecar import __version__

    windows = sys.platform == "win32"
    named = file_name(sys.platform, platform.machine(), __version__, "")
    target = Path(shutil.make_archive(str(DIST / named), "zip" if windows else "xztar", program.parent, program.name))
    print(f"{target} {target.stat().st_size / 1e6:.1f} MB")
    return target


def checksums() -> None:
    """Write `SHA256SUMS` of all archives and bundles, as `sha256sum --check` reads it."""
    made = sorted(path for path in DIST.glob("docsidecar-*") if path.is_file())
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in made]
    (DIST / "SHA256SUMS").write_bytes("".join(lines).encode())


def _links(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if (Path(folder) / name).is_symlink()]


def registry(url: str, bundles: list[Path]) -> dict[str, Any]:
    """`server.json` with an entry for each bundle, which is to be downloaded from below `url`."""
    from sidecar import __version__

    made: dict[str, Any] = json.loads(SERVER.read_text("utf-8"))
    made["version"] = __version__
    for package in made["packages"]:
        package["version"] = __version__
    made["packages"] += [
        {
            "registryType": "mcpb",
            "identifier": f"{url.rstrip('/')}/{bundle.name}",
            "version": __version__,
            "fileSha256": hashlib.sha256(bundle.read_bytes()).hexdigest(),
            "transport": {"type": "stdio"},
        }
        for bundle in sorted(bundles)
    ]
    return made


def main() -> int:
    """Run one of the four."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("archive", "pack"):
        making = commands.add_parser(name)
        making.add_argument("program", type=Path, nargs="?", default=DIST / "docsidecar")
    registering = commands.add_parser("registry")
    registering.add_argument("url")
    registering.add_argument("bundles", type=Path, nargs="+")
    commands.add_parser("manifest")
    arguments = parser.parse_args()
    if arguments.command in {"archive", "pack"}:
        make = archive if arguments.command == "archive" else pack
        make(arguments.program)
        checksums()
    elif arguments.command == "registry":
        print(json.dumps(registry(arguments.url, arguments.bundles), indent=2))
    else:
        made = json.loads(MANIFEST.read_text("utf-8")) | lists()
        MANIFEST.write_text(json.dumps(made, indent=2, ensure_ascii=False) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
