"""Drives a built program as a real client would, in both protocol eras, and fails loudly when anything is missing.

    python packaging/smoke.py PROGRAM [ARGUMENT ...]

Needs the `mcp` client and the Office libraries beside this interpreter (the development environment has them). Checks:
every plugin loads; every format is read, in workers, with the tests' samples of it; workers embed, draw and render;
list, read, search, prompts, the skill; a new file is seen; EOF ends it; a plugin from the plugin directory loads;
the page is served.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx2
import psutil
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

DEADLINE = 120.0
TESTS = Path(__file__).resolve().parents[1] / "tests"
LEFT_OUT = {"cryptography", "cffi", "pyjwt", "pycparser"}
"""Distributions that the frozen program does without (`docsidecar.spec`)."""
NATIVE = re.compile(r"(\.so(\.[\d.]+)?|\.dylib|\.dll|\.pyd)$")


def make_documents(folder: Path) -> dict[str, str]:
    """One small file a format, each with a word of its own; gives file name → word."""
    from docx import Document
    from openpyxl import Workbook
    from pptx import Presentation

    words = {
        "letter.docx": "quokka",
        "numbers.xlsx": "axolotl",
        "talk.pptx": "pangolin",
        "notes.md": "capybara",
        "page.html": "ocelot",
        "list.csv": "narwhal",
        "plain.txt": "wombat",
        "paper.pdf": "okapi",
    }
    document = Document()
    document.add_heading("A letter", 1)
    document.add_paragraph("The quokka smiles.")
    document.save(str(folder / "letter.docx"))
    workbook = Workbook()
    sheet: Any = workbook.active
    sheet["A1"], sheet["B1"] = "animal", "count"
    sheet["A2"], sheet["B2"] = "axolotl", 3
    workbook.save(folder / "numbers.xlsx")
    slides: Any = Presentation()
    slide = slides.slides.add_slide(slides.slide_layouts[5])
    slide.shapes.title.text = "About the pangolin"
    slides.save(folder / "talk.pptx")
    (folder / "notes.md").write_text("# Notes\n\nThe capybara rests.\n")
    (folder / "page.html").write_text("<html><title>P</title><body><h1>P</h1><p>The ocelot runs.</p></body></html>")
    (folder / "list.csv").write_text("animal,count\nnarwhal,1\n")
    (folder / "plain.txt").write_text("The wombat digs.\n")
    (folder / "paper.pdf").write_bytes(make_pdf("The okapi hides."))
    return words


def make_samples(folder: Path) -> set[str]:
    """The samples that hold every format plugin to the contract, a folder each; gives the names of the plugins."""
    sys.path.insert(0, str(TESTS))
    samples: dict[str, Callable[[], dict[str, bytes]]] = import_module("contract.samples").SAMPLES
    for name, files in samples.items():
        for file, data in files().items():
            place = folder / "samples" / name / file
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
    return set(samples)


def make_pdf(text: str) -> bytes:
    """A one-page PDF 1.4 with one line of Helvetica (ISO 32000-1 §7.5)."""
    stream = f"BT /F1 18 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out = bytearray(b"%PDF-1.4\n")
    offsets: list[int] = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """A tool's structured answer; a failure of the tool is a failure of the smoke test."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, f"{tool}: {result.content}"
    return result.structured_content or {}


async def until_indexed(client: Client, count: int) -> None:
    """Wait until so many documents are indexed and nothing is pending."""
    deadline = time.monotonic() + DEADLINE
    while True:
        status = await call(client, "get_library_status")
        if status["state"] == "idle" and status["indexed"] >= count:
            return
        assert time.monotonic() < deadline, f"still not indexed: {json.dumps(status)}"
        await asyncio.sleep(0.2)


def count_files(folder: Path) -> int:
    """All files below a folder."""
    return sum(1 for path in folder.rglob("*") if path.is_file())


async def check_samples(client: Client, formats: set[str]) -> int:
    """Every format is read, without a failure, and each of its documents gives text; gives how many there are."""
    seen: set[str] = set()
    page = 1
    while True:
        listed = await call(client, "list_documents_paginated", page=page, page_size=50)
        for document in listed["documents"]:
            assert document["state"] == "indexed", document
            text = (await client.read_resource(f"document://{document['slug']}.md")).contents
            assert str(getattr(text[0], "text", "")).strip(), document
            seen.add(document["format"])
        if page >= listed["pages"]:
            break
        page += 1
    assert formats <= seen, formats - seen
    return listed["total"]


async def check_guidance(client: Client) -> None:
    """The prompts and the skill are in the build."""
    prompts = {prompt.name for prompt in (await client.list_prompts()).prompts}
    assert prompts == {"summarise-document", "find-and-cite", "what-can-you-see"}, prompts
    (skill,) = (await client.read_resource("skill://docsidecar/SKILL.md")).contents
    assert "name: docsidecar" in str(skill), skill


async def check_workers(client: Client) -> None:
    """The native libraries work where they run: the embedder, the renderer, the PDF drawer."""
    rendered = await call(client, "render_document", markdown="# Smoke\n\nIt works.\n")
    assert rendered["success"], rendered
    page = await client.call_tool("get_page_image", {"document_slug": "paper", "page_number": 1})
    assert any(block.type == "image" for block in page.content), page.content
    deadline = time.monotonic() + DEADLINE
    while True:
        embedded = (await call(client, "get_library_status"))["embedded"]
        if embedded["total"] and embedded["done"] == embedded["total"]:
            return
        assert time.monotonic() < deadline, f"still not embedded: {embedded}"
        await asyncio.sleep(0.2)


async def session(
    command: list[str], folder: Path, data_dir: Path, mode: str, words: dict[str, str], formats: set[str]
) -> None:
    """One client session from start to EOF."""
    files = count_files(folder)
    arguments = [*command[1:], "serve", "--folder", str(folder), "--data-dir", str(data_dir)]
    changed = asyncio.Event()

    async def on_message(message: Any) -> None:
        if "list_changed" in str(getattr(message, "method", "")):
            changed.set()

    parameters = StdioServerParameters(command=command[0], args=arguments)
    async with Client(stdio_client(parameters), mode=mode, message_handler=on_message) as client:  # pyright: ignore[reportArgumentType]
        await until_indexed(client, files)
        await check_samples(client, formats)
        await check_guidance(client)
        listed = await client.list_resources()
        uris = {str(resource.uri) for resource in listed.resources}
        assert {"document://letter", "document://paper"} <= uris, uris
        for name, word in words.items():
            found = (await call(client, "search_documents", query=word))["results"]
            assert found, f"{name}: {word} was not found"
            hits = [hit for hit in found if Path(hit["path"]).name == name]
            assert hits, f"{name} is not among {found}"
            read = await client.read_resource(hits[0]["uri"])
            assert word in str(read.contents), f"{name}: {word} is not in what {hits[0]['uri']} gives"
        await check_workers(client)
        (folder / f"new-{mode}.md").write_text(f"# New\n\nA zebra in {mode}.\n")
        if mode == "legacy":
            await asyncio.wait_for(changed.wait(), DEADLINE)
        await until_indexed(client, files + 1)
        (folder / f"new-{mode}.md").unlink()
    print(f"  {mode}: listed, read, searched {files} files of {len(formats)} formats, change seen")


async def drive(command: list[str], formats: set[str]) -> None:
    """A session in each era on one data directory, then: nothing may be left running. `formats` are to be read."""
    before = {process.pid for process in psutil.process_iter()}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "documents"
        folder.mkdir()
        words = make_documents(folder)
        assert make_samples(folder) == formats, formats
        for mode in ("legacy", "auto"):
            await session(command, folder, Path(scratch) / "data", mode, words, formats)
        deadline = time.monotonic() + 10
        while left := started_since(before, command[0]):
            assert time.monotonic() < deadline, f"processes left behind: {left}"
            await asyncio.sleep(0.1)


def check_licences(folder: Path) -> None:
    """The bill of materials names every native file of the build, and every part has its licence and its text."""
    bill = json.loads((folder / "sbom.cdx.json").read_text())
    assert bill["bomFormat"] == "CycloneDX", bill
    components = {one["name"]: one for one in bill["components"]}
    must = {
        "pypdfium2",
        "onnxruntime",
        "quillmark",
        "lxml",
        "pillow",
        "numpy",
        "all-MiniLM-L6-v2",
        "Figtree",
        "CPython",
    }
    assert must <= set(components), must - set(components)
    assert not LEFT_OUT & set(components), LEFT_OUT & set(components)
    assert not [name for name, one in components.items() if not one["licenses"]]
    listed = {Path(inner["name"]).name for one in components.values() for inner in one.get("components", ())}
    natives = {path.name for path in folder.rglob("*") if path.is_file() and NATIVE.search(path.name)}
    assert natives <= listed, natives - listed
    for name in components:
        place = folder / "licenses" / re.sub(r"[-_. ]+", "-", "python" if name == "CPython" else name).lower()
        if not name.startswith("DocSidecar"):
            assert place.is_dir(), place
            assert any(place.iterdir()), place
    print(f"  licences: {len(components)} components, {len(natives)} native files")


def check_size(folder: Path) -> None:
    """Say how much the build takes, unpacked."""
    sizes = [path.lstat().st_size for path in folder.rglob("*") if not path.is_dir()]
    print(f"  size: {sum(sizes) / 1e6:.1f} MB in {len(sizes)} files")


def check_plugin_directory(command: list[str]) -> None:
    """A pure-Python plugin in the plugin directory is off until it is allowed by name, and then loads."""
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch) / "plugins" / "recipes"
        place.mkdir(parents=True)
        shutil.copytree(TESTS / "sample_plugin" / "docsidecar_recipes", place / "docsidecar_recipes")
        described = place / "docsidecar_recipes-1.0.dist-info"
        described.mkdir()
        (described / "METADATA").write_text("Metadata-Version: 2.1\nName: docsidecar-recipes\nVersion: 1.0\n")
        (described / "entry_points.txt").write_text("[docsidecar.formats]\nrecipe = docsidecar_recipes:RecipeFormat\n")
        config = Path(scratch) / "config.toml"
        for allowed in ([], ["recipes"]):
            config.write_text(f"[plugins]\nallowed = {json.dumps(allowed)}\n")
            told = subprocess.run([*command, "--config", config, "plugins", "--json"], capture_output=True, check=True)
            listed = json.loads(told.stdout)
            assert ("recipe" in {entry["name"] for entry in listed["formats"]}) == bool(allowed), listed
            assert listed["not_allowed"] == ([] if allowed else ["recipes"]), listed
    print("  plugin directory: off until allowed, then loaded")


def check_page(command: list[str]) -> None:
    """`open` serves the page with its files to whoever has the address."""
    with tempfile.TemporaryDirectory() as scratch:
        place = ["--folder", scratch, "--data-dir", str(Path(scratch) / "data"), "--no-browser"]
        with subprocess.Popen([*command, "open", *place], stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                found = re.search(r"(http://127\.0\.0\.1:\d+/[\w-]+/)(\S+)", process.stdout.readline())
                assert found is not None
                with httpx2.Client(timeout=DEADLINE) as client:
                    for name in (found[2], "", "page.css", "page.js", "icon.svg"):
                        assert client.get(found[1] + name).raise_for_status().content
            finally:
                process.terminate()
    print("  page: served on the loopback address")


def started_since(before: set[int], program: str) -> list[psutil.Process]:
    """Processes of the program that did not run before; another installation's may come and go beside."""
    return [
        process
        for process in psutil.process_iter(["exe", "cmdline"])
        if process.pid not in before and program in (process.info["exe"], *(process.info["cmdline"] or ()))
    ]


def main() -> int:
    """Run every check."""
    command = sys.argv[1:]
    if not command:
        print(__doc__)
        return 2
    if Path(command[0]).exists():
        command[0] = str(Path(command[0]).resolve())
    version = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    plugins = json.loads(subprocess.run([*command, "plugins", "--json"], capture_output=True, check=True).stdout)
    assert not plugins["failures"], plugins["failures"]
    names = [entry["name"] for entry in (*plugins["formats"], *plugins["features"])]
    print(f"{version}: {len(names)} plugins: {' '.join(names)}")
    if (Path(command[0]).parent / "_internal").is_dir():  # a frozen build, not an installed program
        check_licences(Path(command[0]).parent)
        check_size(Path(command[0]).parent)
    check_plugin_directory(command)
    check_page(command)
    asyncio.run(drive(command, {entry["name"] for entry in plugins["formats"]}))
    print("smoke test passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
