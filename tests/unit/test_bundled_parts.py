"""What is handed out with the program and is not its code: every part is named with its licence and has its text."""

from __future__ import annotations

import fnmatch
import importlib.util
import json
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PARTS: list[dict[str, Any]] = json.loads((ROOT / "packaging" / "parts.json").read_text())


def load_sbom() -> Any:
    spec = importlib.util.spec_from_file_location("sbom", ROOT / "packaging" / "sbom.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_file_that_is_not_code_belongs_to_one_part() -> None:
    plugins = ROOT / "plugins"
    for path in sorted(plugins.glob("sidecar_*/**/*")):
        if path.is_file() and path.suffix not in (".py", ".pyc"):
            name = path.relative_to(plugins).as_posix()
            owners = [part["name"] for part in PARTS if any(fnmatch.fnmatch(name, one) for one in part["files"])]
            assert len(owners) == 1, (name, owners)


def test_every_part_has_its_licence_and_text() -> None:
    for part in PARTS:
        assert part["license"] in ("Apache-2.0", "OFL-1.1"), part
        for text in part["texts"]:
            words = (ROOT / "plugins" / text).read_text()
            assert ("SIL OPEN FONT LICENSE" in words.upper()) or ("Apache License" in words), text
        assert part["texts"] or part["source"] == "part of this project"


def test_the_bill_of_materials_names_what_is_installed(tmp_path: Path) -> None:
    sbom = load_sbom()
    found = sbom.needed("docsidecar")
    assert {"mcp", "pypdfium2", "onnxruntime", "lxml", "pillow", "numpy", "anyio"} <= set(found)
    assert "pytest" not in found
    bill = sbom.bill(found, PARTS, [])
    components = {one["name"]: one for one in bill["components"]}
    assert components["mcp"]["version"] == distribution("mcp").version
    assert components["mcp"]["purl"] == f"pkg:pypi/mcp@{distribution('mcp').version}"
    assert not [name for name, one in components.items() if not one["licenses"]]
    pdfium = [one for one in components["pypdfium2"]["components"] if "pdfium" in one["name"]]
    assert pdfium
    assert pdfium[0]["version"].count(".") == 3
    assert pdfium[0]["licenses"]
    assert any("onnxruntime" in one["name"] for one in components["onnxruntime"]["components"])
    assert {"all-MiniLM-L6-v2", "Figtree", "CPython"} <= set(components)
    refs = {one["ref"] for one in bill["dependencies"]}
    assert all(set(one["dependsOn"]) <= refs for one in bill["dependencies"])
    assert sbom.copy_texts(found, PARTS, ROOT / "plugins", tmp_path) == []
    folders = {path.name for path in tmp_path.iterdir()}
    assert set(found) <= folders
    assert "Apache License" in (tmp_path / "all-minilm-l6-v2" / "LICENSE").read_text()
    assert all(any(path.iterdir()) for path in tmp_path.iterdir())
