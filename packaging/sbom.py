"""Tells what a frozen build holds: `licenses/` with the licence and notice texts of every part, and `sbom.cdx.json`, a
bill of materials (CycloneDX 1.6), both made from what is installed beside this interpreter.

    python sbom.py FOLDER PARTS_JSON

Parts are the distributions that docsidecar needs, the native libraries inside their wheels, fonts and model
(`parts.json`), Python itself and the program that froze it. Raises SystemExit where a part has no licence.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
import sysconfig
import uuid
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

NATIVE = re.compile(r"(\.so(\.[\d.]+)?|\.dylib|\.dll|\.pyd)$")
_TEXT = re.compile(
    r"(^|/)(licen[cs]e|copying|notice|thirdpartynotices|authors)[^/]*$|\.dist-info/licen[cs]es/", re.IGNORECASE
)
_REQUIREMENT = re.compile(r"^([A-Za-z0-9._-]+)[^;]*(?:;(.*))?$")
_CLASSIFIERS = {
    "Apache Software License": "Apache-2.0", "MIT License": "MIT", "BSD License": "BSD-3-Clause",
    "Python Software Foundation License": "PSF-2.0", "ISC License (ISCL)": "ISC",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}  # fmt: skip
"""Trove classifiers as SPDX names them."""
_LIBRARIES = {
    "libssl": "Apache-2.0", "libcrypto": "Apache-2.0", "libsqlite3": "blessing", "libz": "Zlib", "libffi": "MIT",
    "libbz2": "bzip2-1.0.6", "liblzma": "0BSD", "libexpat": "MIT", "libuuid": "BSD-3-Clause",
    "libmpdec": "BSD-2-Clause",
    "libncurses": "X11-distribute-modifications-variant", "libtinfo": "X11-distribute-modifications-variant",
    "libpython": "PSF-2.0", "libgcc_s": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libstdc": "GPL-3.0-or-later WITH GCC-exception-3.1", "libgfortran": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libquadmath": "LGPL-2.1-or-later", "libscipy_openblas": "BSD-3-Clause", "libpdfium": "BSD-3-Clause",
    "pdfium": "BSD-3-Clause", "libonnxruntime": "MIT", "onnxruntime": "MIT", "libjpeg": "IJG", "libpng": "libpng-2.0",
    "libtiff": "libtiff", "libwebp": "BSD-3-Clause", "libsharpyuv": "BSD-3-Clause", "libfreetype": "FTL",
    "libharfbuzz": "MIT", "libopenjp2": "BSD-2-Clause", "liblcms2": "MIT", "libavif": "BSD-2-Clause", "libxcb": "MIT",
    "libXau": "MIT", "libXdmcp": "MIT", "libbrotli": "MIT", "libzstd": "BSD-3-Clause",
}  # fmt: skip
"""How the names of native libraries begin, and their licences as SPDX names them."""

_LINKED = {
    "lxml": {
        "libxml2": ("MIT", rb"xmlParseDocument"), "libxslt": ("MIT", rb"xsltApplyStylesheet"),
        "libexslt": ("MIT", rb"http://exslt\.org/common"), "libiconv": ("LGPL-2.1-or-later", rb"libiconv"),
        "zlib": ("Zlib", rb"(?:in|de)flate \d\.\d[\d.]* Copyright"),
    },
    "pypdfium2": {
        "brotli": ("MIT", rb"BrotliDecoder"), "abseil": ("Apache-2.0", rb"absl"),
        "agg23": ("LicenseRef-AGG-2.3", rb"agg"),
        "dragonbox": ("Apache-2.0 WITH LLVM-exception", b""), "fast_float": ("MIT", rb"fast_float"),
        "freetype": ("FTL", rb"FreeType"), "harfbuzz": ("MIT", b""), "highway": ("Apache-2.0", b""),
        "icu": ("Unicode-3.0", rb"icudt\d\d"), "lcms": ("MIT", b""), "libjpeg_turbo": ("IJG AND BSD-3-Clause", b""),
        "libopenjpeg": ("BSD-2-Clause", rb"opj_|[Oo]pen[Jj][Pp]"), "libpng": ("libpng-2.0", b""),
        "libtiff": ("libtiff", b""), "simdutf": ("MIT", b""), "zlib": ("Zlib", b""),
    },
    "onnxruntime": {
        "abseil": ("Apache-2.0", rb"4absl"), "Eigen": ("MPL-2.0", rb"5Eigen"), "re2": ("BSD-3-Clause", rb"3re2"),
        "protobuf": ("BSD-3-Clause", rb"6google8protobuf"), "flatbuffers": ("Apache-2.0", rb"11flatbuffers"),
        "cpuinfo": ("BSD-2-Clause", rb"cpuinfo_"), "SQLite": ("blessing", rb"SQLite format 3"),
        "curl": ("curl", rb"libcurl"), "mbedTLS": ("Apache-2.0", rb"mbedTLS"),
    },
    "pillow": {
        "raqm": ("MIT", b""), "fribidi-shim": ("MIT", rb"fribidi"), "zlib-ng": ("Zlib", rb"zlib-ng"),
    },
    "tokenizers": {"oniguruma": ("BSD-2-Clause", rb"onig_")},
}  # fmt: skip
"""What is linked into the native files of a distribution and has no file of its own: its licence, and what of it can be
read in them, empty where stripping leaves nothing."""
_CRATE = re.compile(rb"/registry/src/[^/]{1,80}/([A-Za-z0-9_-]{1,60}?)-(\d+\.\d+\.\d+[A-Za-z0-9.+-]*)/")
"""Where a Rust program may panic, it holds the path of the crate's source."""
_OWN_BILL = re.compile(r"\.dist-info/sboms/[^/]+\.json$")
"""Where a wheel keeps its own bill of materials (PEP 770)."""

_LEFT_OUT = frozenset({"cryptography", "cffi", "pycparser", "pyjwt"})
"""What the SDK requires and `docsidecar.spec` leaves out."""

Component = dict[str, Any]


def needed(name: str) -> dict[str, Distribution]:
    """The distribution and all it needs and the build holds, by normalised name. What is not installed is needed
    elsewhere."""
    found: dict[str, Distribution] = {}
    waiting = [name]
    while waiting:
        one = normal(waiting.pop())
        if one in found or one in _LEFT_OUT:
            continue
        try:
            found[one] = distribution(one)
        except PackageNotFoundError:
            continue
        for requirement in found[one].requires or ():
            match = _REQUIREMENT.match(requirement)
            if match and "extra" not in (match[2] or ""):
                waiting.append(match[1])
    return found


def normal(name: str) -> str:
    """A distribution's name as an index compares it (PEP 503)."""
    return re.sub(r"[-_. ]+", "-", name).lower()


def licences(one: Distribution) -> list[dict[str, Any]]:
    """The licence a distribution declares, as CycloneDX has it; empty where it declares none."""
    declared = one.metadata.json.get("license_expression")
    if declared:
        return [{"expression": declared}]
    classifiers = [line.rpartition(" :: ")[2] for line in one.metadata.get_all("Classifier") or () if "License" in line]
    named = [{"license": {"id": _CLASSIFIERS[name]}} for name in classifiers if name in _CLASSIFIERS]
    said = str(one.metadata.json.get("license", "")).strip().split("\n")[0][:100]
    return named or ([{"license": {"name": said}}] if said else [])


def texts(one: Distribution) -> Iterator[Path]:
    """The licence and notice files of a distribution."""
    for file in one.files or ():
        place = Path(str(file.locate()))
        if _TEXT.search(file.as_posix()) and place.suffix not in (".py", ".pyc") and place.is_file():
            yield place


def library_licence(name: str) -> str:
    """The licence of a native library by the name of its file; "" where it is not known."""
    return next((_LIBRARIES[stem] for stem in reversed(_LIBRARIES) if name.startswith(stem)), "")


def native(path: Path, name: str) -> Component:
    """A native library as a component."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    made: Component = {"type": "library", "name": name, "hashes": [{"alg": "SHA-256", "content": digest}]}
    found = library_licence(path.name)
    return made | ({"licenses": _licence(found)} if found else {})


def linked(one: Distribution, data: bytes) -> list[Component]:
    """What is linked into a distribution's native files, whose bytes together are `data`: libraries, and Rust crates as
    the wheel's own bill tells them, with those besides whose traces can be read."""
    libraries: list[Component] = [
        {"type": "library", "name": library, "licenses": _licence(licence)}
        for library, (licence, _) in _LINKED.get(normal(one.metadata["Name"]), {}).items()
    ]
    told = crates(one) if data else []
    known = {(crate["name"], crate["version"]) for crate in told}
    read = {(crate.decode(), version.decode()) for crate, version in _CRATE.findall(data)}
    return [
        *libraries, *told,
        *(
            {"type": "library", "name": crate, "version": version, "purl": f"pkg:cargo/{crate}@{version}"}
            for crate, version in sorted(read - known)
        ),
    ]  # fmt: skip


def crates(one: Distribution) -> list[Component]:
    """The Rust crates that a wheel says it is made of, each with its licence and who wrote it."""
    found: dict[tuple[str, str], Component] = {}
    for file in one.files or ():
        if not _OWN_BILL.search(file.as_posix()):
            continue
        for part in json.loads(file.read_text("utf-8")).get("components", ()):
            if not str(part.get("purl", "")).startswith("pkg:cargo/"):
                continue
            name, version = part["name"], part["version"]
            crate: Component = {
                "type": "library", "name": name, "version": version, "purl": f"pkg:cargo/{name}@{version}",
            }  # fmt: skip
            said = part.get("licenses", ())
            crate |= {"author": part["author"]} if part.get("author") else {}
            crate |= {"licenses": [_one_spaced(entry) for entry in said]} if said else {}
            found[name, version] = crate
    return [found[key] for key in sorted(found)]


def _one_spaced(entry: dict[str, Any]) -> dict[str, Any]:
    return {"expression": " ".join(entry["expression"].split())} if "expression" in entry else entry


def _licence(said: str) -> list[dict[str, Any]]:
    if re.search(r" (AND|OR|WITH) ", said):
        return [{"expression": said}]
    return [{"license": {"name": said} if said.startswith("LicenseRef") else {"id": said}}]


def component(one: Distribution, carried: frozenset[str] | None = None) -> Component:
    """A distribution with the native libraries in it, those named in `carried` (None: all)."""
    name = normal(one.metadata["Name"])
    purl = f"pkg:pypi/{name}@{one.version}"
    made: Component = {
        "type": "library", "bom-ref": purl, "name": name, "version": one.version, "purl": purl,
        "licenses": licences(one),
    }  # fmt: skip
    files = {path: place for path, place in native_files(one).items() if carried is None or place.name in carried}
    # Files of the distribution's own are under its licence.
    inside = [{"licenses": made["licenses"]} | native(place, path) for path, place in files.items()]
    pdfium = next((file for file in one.files or () if file.as_posix() == "pypdfium2_raw/version.json"), None)
    if pdfium is not None:
        built = json.loads(pdfium.read_text())
        for library in inside:
            library["version"] = ".".join(str(built[key]) for key in ("major", "minor", "build", "patch"))
    inside += linked(one, b"".join(place.read_bytes() for place in files.values()))
    return made | ({"components": inside} if inside else {})


def native_files(one: Distribution) -> dict[str, Path]:
    """The native files of a distribution, by the names it gives them."""
    places = {file.as_posix(): Path(str(file.locate())) for file in one.files or () if NATIVE.search(file.name)}
    return {name: place for name, place in places.items() if place.is_file()}


def bill(
    found: Mapping[str, Distribution], parts: list[dict[str, Any]], others: list[Component],
    carried: frozenset[str] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """The whole bill of materials. `others` are files that belong to no distribution; of the distributions' native
    files those named in `carried` are listed (None: all)."""
    own = found["docsidecar"]
    bundled: list[Component] = [
        {
            "type": part["type"], "bom-ref": f"part:{part['name']}", "name": part["name"],
            **({"version": part["version"]} if part["version"] else {}),
            "licenses": _licence(part["license"]),
            "externalReferences": [{"type": "distribution", "url": part["source"]}] if "://" in part["source"] else [],
        }
        for part in parts
    ]  # fmt: skip
    python: Component = {
        "type": "platform", "bom-ref": "python", "name": "CPython", "version": sys.version.split()[0],
        "licenses": [{"license": {"id": "PSF-2.0"}}], **({"components": others} if others else {}),
    }  # fmt: skip
    libraries = [component(one, carried) for name, one in sorted(found.items()) if name != "docsidecar"]
    root = component(own) | {"type": "application"}
    refs = {name: f"pkg:pypi/{name}@{one.version}" for name, one in found.items()}
    return {
        "bomFormat": "CycloneDX", "specVersion": "1.6", "serialNumber": f"urn:uuid:{uuid.uuid4()}", "version": 1,
        "metadata": {"timestamp": datetime.now(UTC).isoformat(timespec="seconds"), "component": root},
        "components": [*libraries, *bundled, python],
        "dependencies": [
            {"ref": refs[name], "dependsOn": sorted(refs[other] for other in _needs(one) if other in refs)}
            for name, one in sorted(found.items())
        ],
    }  # fmt: skip


def _needs(one: Distribution) -> set[str]:
    matches = [_REQUIREMENT.match(line) for line in one.requires or ()]
    return {normal(match[1]) for match in matches if match and "extra" not in (match[2] or "")}


_TEXTS = Path(__file__).parent / "texts"
"""The texts of licences as SPDX gives them, without a copyright line, by the licence's identifier."""


def copy_texts(found: Mapping[str, Distribution], parts: list[dict[str, Any]], code: Path, target: Path) -> list[str]:
    """Put every part's texts below `target`, a folder each; gives the names of those without. `code` holds the
    packages that `parts` are in."""
    without: list[str] = []
    apache = next(iter(texts(found["docsidecar"])), None)
    for name, one in found.items():
        place = target / name
        place.mkdir(parents=True, exist_ok=True)
        for number, text in enumerate(dict.fromkeys(texts(one))):
            named = place / text.name
            shutil.copy(text, named if not named.exists() else place / f"{number}-{text.name}")
        if not any(place.iterdir()):
            if "Apache-2.0" in str(licences(one)) and apache is not None:  # the text is the same for everybody
                shutil.copy(apache, place / "LICENSE")
            else:
                said = json.dumps(licences(one))
                (place / "LICENSE").write_text(f"{name} {one.version} comes without a text; it declares {said}.\n")
                without += [name] if not licences(one) else []
        if told := crates(one):
            (place / "CRATES.txt").write_text(_crates_notice(name, one.version, told), "utf-8")
    for part in parts:
        for text in part["texts"]:
            place = target / normal(part["name"])
            place.mkdir(parents=True, exist_ok=True)
            shutil.copy(code / text, place)
    python = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    if python.is_file():
        (target / "python").mkdir(exist_ok=True)
        shutil.copy(python, target / "python")
    return without


def _crates_notice(name: str, version: str, told: Sequence[Component]) -> str:
    """The crates of a distribution with the licences and authors they declare, and the text of each licence once: the
    wheels name their crates and carry no file of theirs."""
    lines = [
        f"{name} {version} is made of these Rust crates, under the licences and by the authors they declare. Where one "
        "names several licences to choose from, it is used under one whose text is below or in docsidecar/.",
        "",
        *map(_crate_line, told),
    ]
    said = " ".join(_declared(crate) for crate in told)
    named = sorted(set(re.findall(r"[A-Za-z0-9][\w.+-]*", said)) - {"AND", "OR", "WITH"})
    for licence in named:
        text = _TEXTS / f"{licence}.txt"
        if text.is_file():
            lines += [
                "",
                "-" * 72,
                f"{licence} (copyright by the authors named above)",
                "",
                text.read_text("utf-8").rstrip(),
            ]
    elsewhere = [licence for licence in named if not (_TEXTS / f"{licence}.txt").is_file()]
    if elsewhere:
        lines += ["", "-" * 72, "Apache-2.0: ../docsidecar/LICENSE. The texts of others:"]
        lines += [f"https://spdx.org/licenses/{licence}.html" for licence in elsewhere if licence != "Apache-2.0"]
    return "\n".join(lines) + "\n"


def _crate_line(crate: Component) -> str:
    return " | ".join(filter(None, (f"{crate['name']} {crate['version']}", _declared(crate), crate.get("author", ""))))


def _declared(crate: Component) -> str:
    return " AND ".join(
        entry.get("expression") or entry["license"].get("id") or entry["license"].get("name", "")
        for entry in crate.get("licenses", ())
    )


def natives(folder: Path) -> list[Path]:
    """The native files of the build."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and NATIVE.search(path.name))


def is_ours(path: Path) -> bool:
    """Whether it is `blas/cblas.c`, compiled, which has the name of the OpenBLAS (20 MB and more) it stands for."""
    return path.name.startswith("libscipy_openblas64_") and path.stat().st_size < 2**20


def strangers(folder: Path, found: Mapping[str, Distribution]) -> list[Component]:
    """Native files of the build that come from no distribution: Python's own, the system's, and ours."""
    known = {file.name for one in found.values() for file in one.files or ()}
    return [
        native(path, path.relative_to(folder).as_posix())
        | ({"licenses": [{"license": {"id": "Apache-2.0"}}]} if is_ours(path) else {})
        for path in natives(folder)
        if path.name not in known or is_ours(path)
    ]


def main() -> int:
    """Write both into a build's folder."""
    folder, parts = Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text())
    found = needed("docsidecar") | needed("pyinstaller")
    without = copy_texts(found, parts, folder / "_internal", folder / "licenses")
    if without:
        raise SystemExit(f"no licence is known of {', '.join(without)}")
    carried = frozenset(path.name for path in natives(folder) if not is_ours(path))
    made = bill(found, parts, strangers(folder, found), carried)
    (folder / "sbom.cdx.json").write_text(json.dumps(made, indent=1) + "\n")
    print(f"{len(made['components'])} components, {sum(1 for _ in (folder / 'licenses').rglob('*'))} licence files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
