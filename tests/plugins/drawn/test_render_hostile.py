"""What must never happen: hostile quills and documents are stopped with one sentence, and serving goes on."""

from __future__ import annotations

import base64
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from support.clients.harness import picture
from support.clients.opened import Opened
from support.clients.rendering import failure, opened, pdf_text, play, render, write_quill

from sidecar.app import Application


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Generator[Opened]:
    """One server for all hostile documents, and a user's quill for them."""
    home = tmp_path_factory.mktemp("served")
    write_quill(home / "data" / "quills", "letter", '#data.at("$body", default: "")')
    with opened(home, timeout=25) as served:
        yield served


@pytest.mark.parametrize(
    ("plate", "says"),
    [
        ("#let n = 0\n#while true { n += 1 }", "always true"),
        ("#let n = 0\n#while n >= 0 { n += 1 }", "infinite"),
        ("#for i in range(1000000) { for j in range(1000000) { let sum = i + j } }", "stopped"),
        ("#let f(n) = f(n + 1)\n#f(0)", "depth"),
        ("#for i in range(100000000) [#pagebreak() x]", "stopped"),
        ('#("a" * 3000000000)', "stopped"),
        ("#set page(width: 90000pt, height: 90000pt)\nx", ""),
        ('#read("/etc/passwd")', "not found"),
        ('#read("../../../../etc/passwd")', "escape"),
        ('#image("/etc/hosts")', "not found"),
        ('#import "@preview/cetz:0.3.0": canvas', "not found"),
    ],
)
def test_hostile_quills_are_stopped_with_a_sentence(tmp_path: Path, plate: str, says: str) -> None:
    write_quill(tmp_path / "data" / "quills", "evil", plate)

    async def scenario(client: Client, application: Application) -> None:
        text, details = await failure(client, "x", quill="evil", output_format="PNG")
        assert "\n" not in text
        assert says in text
        assert details["success"] is False
        assert "root:" not in text
        answer = await render(client, "Still here.")
        assert "Still here." in (await pdf_text(client, answer))[0]

    play(tmp_path, scenario, timeout=6, max_memory_bytes=512 << 20)


def _laughs() -> str:
    """Front matter of a kilobyte whose title would take 9^29 words."""
    lines = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30))]
    return "---\n" + "\n".join(lines) + "\ntitle: *a29\n---\ntext"


def _bomb() -> str:
    """A PNG that claims 30,000 × 30,000 pixels and has next to none."""
    import struct
    import zlib

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    data = (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(bytes(100_000), 9))
        + chunk(b"IEND", b"")
    )
    return base64.b64encode(data).decode()


@pytest.mark.parametrize(
    "markdown",
    [
        "> " * 400 + "deep",
        "\n".join("  " * level + "- x" for level in range(120)),
        "*" * 5000 + "x" + "*" * 5000,
        "[" * 20_000,
        "$" + "{" * 2000 + "x" + "}" * 2000 + "$",
        "$$" + "\\frac{" * 500 + "$$",
        "#" * 3 + " " + "word" * 5000,
        "| " + " | ".join(["a"] * 200) + " |\n|" + "---|" * 200 + "\n| " + " | ".join(["word"] * 200) + " |",
        "<div>" * 3000 + "x",
        "![x](data:image/png;base64," + _bomb() + ")",
        "![x](data:image/png;base64," + base64.b64encode(picture()[:80]).decode() + ")\n\nWords survive.",
        "![x](data:image/svg+xml;base64,"
        + base64.b64encode(
            b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><image href='file:///etc/passwd'/></svg>"
        ).decode()
        + ")",
        '#read("/etc/passwd") #panic() ```typst\n#panic()\n``` $#read("/etc/passwd")$ \\#x',
        "\x00\x01 \ud7ff \ufffe nul",
        _laughs(),
        "[^1]\n\n[^1]: [^1] [^2]\n\n[^2]: [^1]\n",
    ],
)
def test_hostile_documents_end_well(served: Opened, markdown: str) -> None:
    async def scenario(client: Client, application: Application) -> None:
        answer = await render(client, markdown + "\n\nThe end.\n")
        text = "\n".join(await pdf_text(client, answer))
        assert "root:x:" not in text

    play(served, scenario)


HOSTILE_BODIES = (
    "^[" * 20_000, "\\(" * 20_000, "![" * 20_000, "$a " * 8_000, "` `` " * 5_000, "[^a]: " * 5_000,
    "x\n: y\n\n" * 300,
    "[^1]\n\n[^1]: ![a](file:///etc/passwd) $#read(\"/etc/passwd\")$ [^1] ^[again ^[and again]]",
    "\ue0000\ue001 \ue0007\ue001 ![x](http://localhost/x.png)",
)  # fmt: skip


@pytest.mark.parametrize("quill", ["default", "letter"])
@pytest.mark.parametrize("body", HOSTILE_BODIES, ids=range(len(HOSTILE_BODIES)))
def test_notations_of_ours_cannot_be_abused(served: Opened, body: str, quill: str) -> None:
    async def scenario(client: Client, application: Application) -> None:
        answer = await render(client, body, quill=quill)
        text = "\n".join(await pdf_text(client, answer))
        assert "root:" not in text
        assert "\ue000" not in text

    play(served, scenario)


def test_formats_are_read_in_any_case_and_others_named(served: Opened) -> None:
    async def scenario(client: Client, application: Application) -> None:
        assert (await render(client, "Hello.", "pdf"))["artifacts"][0]["format"] == "PDF"
        text, _ = await failure(client, "Hello.", output_format="odt")
        assert "'PDF', 'SVG', 'PNG'" in text

    play(served, scenario)


def test_too_much_text_is_refused(tmp_path: Path) -> None:
    async def scenario(client: Client, application: Application) -> None:
        text, _ = await failure(client, "word " * 2_100_000)
        assert "max_input_bytes" in text
        text, _ = await failure(client, "word\n\n\\newpage\n\n" * 30)
        assert "30 pages" in text
        assert "max_pages" in text

    play(tmp_path, scenario, max_pages=20)


@pytest.mark.parametrize("setting", [{"max_entries": "many"}, {"timeout": 0}, {"colour": "red"}, {"max_bytes": True}])
def test_wrong_settings_leave_the_plugin_out_and_say_why(tmp_path: Path, setting: dict[str, Any]) -> None:
    async def scenario(client: Client, application: Application) -> None:
        (reason,) = [item.reason for item in application.features.failures if item.name == "render"]
        assert f"plugins.render.{next(iter(setting))}" in reason
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert "render_document" not in names

    play(tmp_path, scenario, **setting)
