"""What registries and Claude Desktop are given says what the code does: the bundle's manifest and `server.json`."""

from __future__ import annotations

import hashlib
import importlib.machinery
import importlib.util
import json
import subprocess
import sys
import types
import zipfile
import zlib
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from PIL import Image

from sidecar import __version__
from sidecar.cli.main import build_parser

ROOT = Path(__file__).parents[2]
MANIFEST: dict[str, Any] = json.loads((ROOT / "packaging" / "mcpb" / "manifest.json").read_text("utf-8"))
SCHEMA: dict[str, Any] = json.loads((Path(__file__).parent / "server.schema.json").read_text("utf-8"))


def bundle_module() -> Any:
    spec = importlib.util.spec_from_file_location("bundle", ROOT / "packaging" / "bundle.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_manifest_lists_the_tools_and_prompts_of_the_code() -> None:
    listed = bundle_module().lists()
    assert len(listed["tools"]) > 20
    assert len(listed["prompts"]) == 3
    hint = "run `python packaging/bundle.py manifest`"
    assert {name: MANIFEST[name] for name in listed} == listed, hint


def test_the_manifest_starts_the_program_with_the_folders_that_were_picked() -> None:
    picked = MANIFEST["user_config"]["folders"]
    assert (picked["type"], picked["multiple"], picked["required"]) == ("directory", True, True)
    arguments = MANIFEST["server"]["mcp_config"]["args"]
    assert arguments == ["serve", "${user_config.folders}"]
    parsed = build_parser().parse_args(["serve", "/a", "/b c"])
    assert [str(folder) for folder in parsed.folders] == [str(Path("/a")), str(Path("/b c"))]
    with Image.open(ROOT / "packaging" / "mcpb" / MANIFEST["icon"]) as icon:
        assert (icon.format, icon.size) == ("PNG", (512, 512))


@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
def test_the_manifest_of_a_system_names_its_program(system: str) -> None:
    made = bundle_module().manifest(system)
    assert (made["manifest_version"], made["version"]) == ("0.3", __version__)
    assert made["compatibility"]["platforms"] == [system]
    suffix = ".exe" if system == "win32" else ""
    assert made["server"]["mcp_config"]["command"] == f"${{__dirname}}/docsidecar/docsidecar{suffix}"
    assert made["server"]["entry_point"] == f"docsidecar/docsidecar{suffix}"


def test_the_registrys_file_is_valid_and_names_each_bundle_by_its_digest(tmp_path: Path) -> None:
    bundles = [tmp_path / "docsidecar-linux.mcpb", tmp_path / "docsidecar-windows.mcpb"]
    for bundle in bundles:
        bundle.write_bytes(bundle.name.encode())
    done = subprocess.run(
        [sys.executable, ROOT / "packaging" / "bundle.py", "registry", "https://example.com/v1/", *bundles],
        capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    made = json.loads(done.stdout)
    checker = jsonschema.Draft7Validator(SCHEMA)
    checker.validate(made)
    assert made["$schema"].endswith("/2025-12-11/server.schema.json")
    pypi, *others = made["packages"]
    assert (pypi["registryType"], pypi["identifier"], pypi["version"]) == ("pypi", "docsidecar", __version__)
    assert [one["identifier"] for one in others] == [f"https://example.com/v1/{bundle.name}" for bundle in bundles]
    digests = [hashlib.sha256(bundle.read_bytes()).hexdigest() for bundle in bundles]
    assert [one["fileSha256"] for one in others] == digests
    for spoiled in (
        {"description": "x" * 101},
        {"name": "docsidecar"},
        {"packages": [others[0] | {"fileSha256": "x"}]},
    ):
        assert not checker.is_valid(made | spoiled)


def test_the_readme_proves_who_owns_the_package() -> None:
    server = json.loads((ROOT / "packaging" / "server.json").read_text("utf-8"))
    assert f"<!-- mcp-name: {server['name']} -->" in (ROOT / "README.md").read_text("utf-8")
    assert server["version"] == __version__


def test_a_bundle_packed_tighter_holds_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever makes the deflate streams: libdeflate is in none of the environments the tests must pass in."""

    def compress(data: bytes, level: int) -> bytes:
        made = zlib.compressobj(min(level, 9), zlib.DEFLATED, -15)
        return made.compress(data) + made.flush()

    if importlib.util.find_spec("deflate") is None:
        stand_in = types.ModuleType("deflate")
        stand_in.__spec__ = importlib.machinery.ModuleSpec("deflate", None)
        stand_in.__dict__["deflate_compress"] = compress
        monkeypatch.setitem(sys.modules, "deflate", stand_in)
    place = tmp_path / "docsidecar.mcpb"
    program = zipfile.ZipInfo("docsidecar/programme", (2026, 3, 1, 12, 30, 2))
    program.external_attr, program.compress_type = 0o100755 << 16, zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(place, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(program, b"\x7fELF" + b"words " * 9000)
        archive.writestr("docsidecar/naïve.txt", "x")
        archive.writestr("empty", b"")
    with zipfile.ZipFile(place) as archive:
        before = {
            info.filename: (info.external_attr, info.date_time, archive.read(info)) for info in archive.infolist()
        }
    bundle_module().pack_tighter(place)
    with zipfile.ZipFile(place) as archive:
        after = {info.filename: (info.external_attr, info.date_time, archive.read(info)) for info in archive.infolist()}
        assert archive.getinfo("docsidecar/programme").compress_size < 500
    assert after == before
    assert [path.name for path in tmp_path.iterdir()] == ["docsidecar.mcpb"]
