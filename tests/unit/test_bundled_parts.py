"""What is handed out with the program and is not its code: every part is named with its licence and has its text."""

from __future__ import annotations

import fnmatch
import importlib.util
import json
import re
import shutil
import sys
from functools import cache
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PARTS: list[dict[str, Any]] = json.loads((ROOT / "packaging" / "parts.json").read_text())

LICENCES = {
    "Apache-2.0": "Apache License", "OFL-1.1": "SIL Open Font License",
    "LicenseRef-SCOWL": "Permission to use, copy, modify, distribute and sell these word",
}  # fmt: skip
"""Of the parts that are not code: words of their texts."""


def in_checkout(name: str) -> Path:
    """A file of a package: packages lie beside one another in a build, in two folders here."""
    return next(path for path in (ROOT / "plugins" / name, ROOT / name) if path.is_file())


@cache
def load_sbom() -> Any:
    spec = importlib.util.spec_from_file_location("sbom", ROOT / "packaging" / "sbom.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def components() -> dict[str, Any]:
    """What each package that is needed is made of, by its name; to read all of them takes seconds."""
    sbom = load_sbom()
    return {name: sbom.component(one) for name, one in sbom.needed("docsidecar").items()}


def test_every_file_that_is_not_code_belongs_to_one_part() -> None:
    plugins = ROOT / "plugins"
    found = [(path, plugins) for path in sorted(plugins.glob("sidecar_*/**/*"))]
    found += [(path, ROOT) for room in ("toolkit", "store") for path in sorted(ROOT.glob(f"sidecar/{room}/**/*"))]
    for path, base in found:
        if path.is_file() and path.suffix not in (".py", ".pyc"):
            name = path.relative_to(base).as_posix()
            owners = [part["name"] for part in PARTS if any(fnmatch.fnmatch(name, one) for one in part["files"])]
            assert len(owners) == 1, (name, owners)


def test_every_part_has_its_licence_and_text() -> None:
    for part in PARTS:
        for text in part["texts"]:
            assert LICENCES[part["license"]].lower() in in_checkout(text).read_text().lower(), text
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
    code, target = tmp_path / "code", tmp_path / "licences"
    for text in (text for part in PARTS for text in part["texts"]):
        (code / text).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(in_checkout(text), code / text)
    assert sbom.copy_texts(found, PARTS, code, target) == []
    folders = {path.name for path in target.iterdir()}
    assert {*found, "pp-ocrv6-tiny"} <= folders
    assert "Apache License" in (target / "all-minilm-l6-v2" / "LICENSE").read_text()
    assert all(any(path.iterdir()) for path in target.iterdir())
    crates = (target / "quillmark" / "CRATES.txt").read_text("utf-8")
    assert re.search(r"^typst [\d.]+ \| Apache-2.0", crates, re.MULTILINE)
    listed, *copied = crates.split("-" * 72)
    for alone in ("MIT", "BSD-3-Clause", "Unicode-3.0"):
        assert re.search(rf" \| {alone}( \||$)", listed, re.MULTILINE)
        assert any(part.startswith(f"\n{alone} ") and "AS IS" in part for part in copied), alone
    assert "../docsidecar/LICENSE" in copied[-1]


CARRIED = {
    "libxml2": b"xmlParseDocument", "libxslt": b"xsltApplyStylesheet", "libiconv": b"libiconv",
    "zlib": b"Jean-loup Gailly", "freetype": b"FREETYPE_PROPERTIES",
    "icu": b"icudt", "openjp": b"opj_", "oniguruma": b"onig_new", "abseil": b"4absl", "Eigen": b"5Eigen",
    "re2": b"3re28", "protobuf": b"6google8protobuf", "flatbuffers": b"11flatbuffers", "cpuinfo": b"cpuinfo_init",
    "libtiff": b"LIBTIFF, Version", "libpng": b"libpng version", "harfbuzz": b"hb_shape_full",
    "zstd": b"ZSTD_compress", "brotli": b"BrotliDecoder", "curl": b"libcurl",
    "mbedtls": b"mbedTLS", "openblas": b"OpenBLAS", "sqlite": b"SQLite format 3", "openssl": b"OpenSSL 3.",
}  # fmt: skip
"""What libraries in widespread use leave in a binary they are in."""


def test_every_native_library_of_a_wheel_is_told_with_its_licence() -> None:
    """What the wheels that are installed really carry: files by name, and what is linked in by what can be read."""
    sbom = load_sbom()
    wrong: list[str] = []
    for name, one in sbom.needed("docsidecar").items():
        files = sbom.native_files(one)
        told = {library["name"].lower() for library in components()[name].get("components", ())}
        for file, place in files.items():
            if re.match(r"lib[^/]*\.so|[^/]*\.(dll|dylib)$", place.name) and "_" + name not in file:
                wrong += [] if sbom.library_licence(place.name) else [f"{name} carries {file}: what is its licence?"]
            data = place.read_bytes()
            wrong += [
                f"{library} is linked into {name}'s {file} and not in sbom.py"
                for library, sign in CARRIED.items()
                if sign in data and not any(library.lower() in known for known in told)
            ]
    assert wrong == []


@pytest.mark.skipif(sys.platform != "linux", reason="what can be read differs from wheel to wheel")
def test_what_is_told_to_be_linked_in_is() -> None:
    sbom = load_sbom()
    for name, libraries in sbom._LINKED.items():
        data = b"".join(place.read_bytes() for place in sbom.native_files(distribution(name)).values())
        assert not [library for library, (_, sign) in libraries.items() if not re.search(sign, data)], name
    built = [path.stem for path in sbom.texts(distribution("pypdfium2")) if path.parent.name == "BUILD_LICENSES"]
    own = {name.partition("-")[0] for name in built} - {"pdfium"}
    assert own == set(sbom._LINKED["pypdfium2"]) - {"brotli"}, "as the wheel's own texts name them, which forget one"
    crates = {one["name"] for one in sbom.component(distribution("quillmark"))["components"] if "purl" in one}
    assert {"typst", "base64"} & crates
    assert len(crates) > 100


def test_everything_in_a_wheel_has_a_licence_and_its_text_lies_beside() -> None:
    """Libraries linked in, the wheels' own native files, and every Rust crate."""
    without = [
        f"{name}: {part['name']}"
        for name, one in components().items()
        for part in one.get("components", ())
        if not part.get("licenses")
    ]
    assert without == []
