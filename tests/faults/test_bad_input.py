"""Bad input through the real server: each piece of it costs one clear sentence, and nothing else is lost."""

from __future__ import annotations

import io
import json
import os
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from contract.containers import compound_file, make_pdf
from support.clients.harness import docx, fill, picture, pptx, xlsx
from support.programs.server import Server, log_of, one_sentence

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="names and links as POSIX has them")

GOOD = {"notes", "list", "report", "figures", "talk"}
NAMES = {
    "名前の書類.md": "japanese",
    "Übung über Ärger.md": "german",
    "документ.md": "russian",
    "مستند.md": "arabic",
    "emoji 📄.md": "emoji",
    "new\nline.md": "newline",
    "tab\tbell\x07.md": "bell",
    "percent%2F..%00?#[x].md": "percent",
    "a'b\"c;--<b>&.md": "quotes",
    "n" * 252 + ".md": "long",
    "-rf.md": "dash",
    "caf\udce9.md": "latin",
    "\udcff\udcfe.md": "binary",
}


def zipped(data: bytes) -> bytes:
    """An Office package whose directory is right and whose content is noise."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(out, "w") as after:
        for name in before.namelist():
            after.writestr(name, bytes(reversed(before.read(name))))
    return out.getvalue()


BROKEN: dict[str, tuple[bytes, set[str]]] = {
    "empty.docx": (b"", {"damaged"}),
    "empty.pdf": (b"", {"damaged"}),
    "truncated.docx": (docx()[:600], {"damaged"}),
    "truncated.xlsx": (xlsx()[:3000], {"damaged"}),
    "truncated.pptx": (pptx()[:9000], {"damaged"}),
    "noise.docx": (zipped(docx()), {"damaged"}),
    "locked.docx": (compound_file({"EncryptionInfo": b"\4\0\4\0", "EncryptedPackage": b"y" * 5000}), {"encrypted"}),
    "locked.xlsx": (compound_file({"EncryptionInfo": b"\4\0\4\0", "EncryptedPackage": b"y" * 5000}), {"encrypted"}),
    "huge.txt": (b"far too much\n" * 200_000, {"too_large"}),
}
MISLABELLED: dict[str, tuple[bytes, str]] = {
    "really a document.txt": (docx(), "docx"),
    "really a workbook.pdf": (xlsx(), "xlsx"),
    "really a deck.md": (pptx(), "pptx"),
    "really pages.docx": (make_pdf(["The tapir wades."]), "pdf"),
    "really a picture.csv": (picture(), "image"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("bad")
    folder = place / "documents"
    fill(folder)
    for name, word in NAMES.items():
        (folder / name).write_text(f"# About {word}\n\nThe {word}word is here.\n")
    for name, (data, _) in (BROKEN | MISLABELLED).items():
        (folder / name).write_bytes(data)
    (folder / "cut.docx").write_bytes(docx()[:9000])
    for below in ("one", "two"):
        (folder / below).mkdir()
        (folder / below / "same.md").write_text(f"# Same\n\nOf {below}.\n")
    (folder / "same.txt").write_text("Of the top.")
    (place / "outside.md").write_text("# Secret\n\nThe secretword must not be found.\n")
    (folder / "out.md").symlink_to(place / "outside.md")
    (folder / "away").symlink_to(place)
    (folder / "one" / "up").symlink_to(folder)
    (folder / "round.md").symlink_to(folder / "round.md")
    os.mkfifo(folder / "pipe.md")
    return folder


INDEXED = len(GOOD) + len(NAMES) + len(MISLABELLED) + 3 + 1


@pytest.fixture(scope="module")
def server(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data = tmp_path_factory.mktemp("data")
    config = folder.parent / "config.toml"
    config.write_text(
        f"[[folders]]\npath = '{folder}'\n[[folders]]\npath = '{folder / 'one'}'\n"
        "[limits]\nmax_file_bytes = 1_000_000\n[plugins]\ndisabled = ['semantic']\n"
    )
    with Server("--config", str(config), "--data-dir", str(data)) as server:
        server.until_indexed(INDEXED)
        yield server


@pytest.fixture(scope="module")
def modern(server: Server, folder: Path) -> Iterator[Server]:
    """Another window on the same, asked in the era of 2026-07-28."""
    data, config = str(server.status()["data_dir"]), str(folder.parent / "config.toml")
    with Server("--config", config, "--data-dir", data, modern=True) as window:
        window.until_indexed(INDEXED)
        yield window


@pytest.fixture(params=["server", "modern"])
def either(request: pytest.FixtureRequest) -> Server:
    """The one and the other."""
    return request.getfixturevalue(request.param)


def documents(server: Server) -> dict[str, dict[str, Any]]:
    """Path → entry of every document listed."""
    found: dict[str, dict[str, Any]] = {}
    page = 1
    while True:
        answer = server.tool("list_documents_paginated", page=page, page_size=20)
        found |= {entry["path"]: entry for entry in answer["documents"]}
        if page >= answer["pages"]:
            return found
        page += 1


def test_broken_files_have_an_honest_state_and_a_sentence(server: Server, folder: Path) -> None:
    listed = documents(server)
    for name, (_, states) in BROKEN.items():
        entry = listed[str(folder / name)]
        assert entry["state"] in states, (name, entry)
        info = server.tool("get_document_info", document_slug=entry["slug"])
        assert one_sentence(info["reason"]), (name, info["reason"])
        answer = server.request("resources/read", {"uri": f"document://{entry['slug']}"})
        assert entry["state"] in answer["error"]["message"]
        refused = server.tool("index_document", file_path=str(folder / name))
        assert refused["error"].startswith("Error: "), refused
        assert one_sentence(refused["error"])


def test_what_is_there_of_a_package_whose_end_is_missing_is_read_and_told(server: Server, folder: Path) -> None:
    entry = documents(server)[str(folder / "cut.docx")]
    assert entry["state"] == "indexed"
    assert "The wombat digs burrows." in server.text(f"document://{entry['slug']}.md")
    info = server.tool("get_document_info", document_slug=entry["slug"])
    assert "cut short" in json.dumps(info["notices"])


def test_mislabelled_files_are_read_for_what_they_are(server: Server, folder: Path) -> None:
    listed = documents(server)
    for name, (_, plugin) in MISLABELLED.items():
        entry = listed[str(folder / name)]
        assert (entry["state"], entry["format"]) == ("indexed", plugin)


def test_two_files_with_one_name_keep_slugs_apart(server: Server, folder: Path) -> None:
    listed = documents(server)
    paths = [folder / "one" / "same.md", folder / "two" / "same.md", folder / "same.txt"]
    slugs = [listed[str(path)]["slug"] for path in paths]
    assert len(set(slugs)) == 3
    texts = [server.text(f"document://{slug}.txt") for slug in slugs]
    assert ["one" in texts[0], "two" in texts[1], "top" in texts[2]] == [True] * 3
    assert len({entry["slug"] for entry in listed.values()}) == len(listed)


def test_a_folder_inside_another_owns_its_files_once(server: Server, folder: Path) -> None:
    owned = [entry for path, entry in documents(server).items() if path.endswith("one/same.md")]
    assert len(owned) == 1
    info = server.tool("get_document_info", document_slug=owned[0]["slug"])
    assert info["folder"] == str(folder / "one")


def test_names_of_every_kind_are_resources_that_can_be_read(server: Server) -> None:
    entries: list[dict[str, Any]] = []
    cursor: dict[str, str] = {}
    while True:
        page = server.request("resources/list", cursor)["result"]
        entries += page["resources"]
        if "nextCursor" not in page:
            break
        cursor = {"cursor": page["nextCursor"]}
    uris = [entry["uri"] for entry in entries if entry["uri"].startswith("document://")]
    assert len(uris) == len(set(uris)) == INDEXED
    for entry in entries:
        json.dumps(entry, ensure_ascii=False).encode("utf-8")  # no half of a surrogate pair anywhere
        assert entry["uri"].isprintable()
        assert " " not in entry["uri"]
        answer = server.request("resources/read", {"uri": entry["uri"]})
        assert answer["result"]["contents"][0]["uri"] == entry["uri"]
    for word in NAMES.values():
        hits = server.tool("search_documents", query=f"{word}word")["results"]
        assert len(hits) == 1, word
        assert f"{word}word" in server.text(hits[0]["uri"])


def test_links_out_and_round_and_what_is_no_file(server: Server, folder: Path) -> None:
    assert server.tool("search_documents", query="secretword")["results"] == []
    listed = documents(server)
    for name, words in (("out.md", "leaves the watched folder"), ("round.md", "circle")):
        entry = listed[str(folder / name)]
        assert entry["state"] == "unreadable"
        assert words in entry["reason"]
    assert not any("/up/" in path or "/away/" in path or path.endswith("pipe.md") for path in listed)
    refused = server.tool("index_document", file_path=str(folder / "pipe.md"))
    assert refused["error"] == f"Error: {folder / 'pipe.md'} is not a file."


@pytest.mark.parametrize(
    ("uri", "words"),
    [
        ("document://nots", "did you mean notes"),
        ("chapter://notes/99", "it has chapters 1-2"),
        ("chapter://notes/x", "no chapter"),
        ("sheet://figures/Dato", "Data"),
        ("sheet://figures/1?range=nowhere", "range"),
        ("image://report/7", "image"),
        ("nosuch://thing", "scheme"),
        ("document://", "document"),
        ("not a uri", ""),
        ("chapter://notes/" + "9" * 400, ""),
        ("document://" + "a" * 5000, ""),
        ("document://%ff%fe", ""),
        ("document://notes.exe", ""),
        ("pages://report/5-1", ""),
        ("chapters://notes/1-999999999", ""),
    ],
)
def test_unknown_uris_are_refused_with_what_comes_near(either: Server, uri: str, words: str) -> None:
    error = either.request("resources/read", {"uri": uri})["error"]
    assert error["code"] in (-32002, -32602)
    assert one_sentence(error["message"]), error
    assert words in error["message"]
    assert error["data"]["uri"] == uri
    refused = either.tool("read", uri=uri)["error"]
    assert refused.startswith("Error: ")
    assert one_sentence(refused)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("search_documents", {}),
        ("search_documents", {"query": 5}),
        ("search_documents", {"query": ["a"]}),
        ("search_documents", {"query": ""}),
        ("search_documents", {"query": "x", "limit": "many"}),
        ("search_documents", {"query": "x", "limit": -1}),
        ("search_documents", {"query": "x", "limit": 1e300}),
        ("search_documents", {"query": "x", "nonsense": 1}),
        ("read", {"uri": None}),
        ("read", {"uri": "document://notes", "start_offset": -1}),
        ("read", {"uri": "document://notes", "start_offset": "a"}),
        ("read", {"uri": "document://notes", "max_bytes": 0}),
        ("list_documents_paginated", {"page": 0}),
        ("list_documents_paginated", {"page": 10**30}),
        ("list_documents_paginated", {"page": 99}),
        ("list_documents_paginated", {"sort_by": "colour"}),
        ("get_document_info", {"document_slug": ""}),
        ("get_document_info", {"document_slug": "nots"}),
        ("index_document", {"file_path": "/nowhere/x.md"}),
        ("index_document", {"file_path": "a\0b"}),
        ("index_document", {"file_path": "\ud800"}),
        ("index_document", {"file_path": "x" * 100_000}),
        ("no_such_tool", {}),
    ],
)
def test_wrong_arguments_and_unknown_tools_are_refused(either: Server, name: str, arguments: dict[str, Any]) -> None:
    answer = either.request("tools/call", {"name": name, "arguments": arguments})
    if "error" in answer:
        assert answer["error"]["code"] in (-32602, -32600)
        assert one_sentence(answer["error"]["message"]), answer
    else:
        assert answer["result"]["isError"]
        text = answer["result"]["content"][0]["text"]
        assert text.startswith("Error:")
        assert "Traceback" not in text


@pytest.mark.parametrize("cursor", ["", "garbage", "\u00ff", "AAAA" * 1000, 5])
def test_a_cursor_nobody_gave_is_refused(either: Server, cursor: object) -> None:
    answer = either.request("resources/list", {"cursor": cursor})
    assert answer["error"]["code"] == -32602
    assert "\n" not in answer["error"]["message"]


def test_reading_beyond_the_end_says_where_the_end_is(either: Server) -> None:
    whole = either.text("document://notes.md")
    beyond = either.tool("read", uri="document://notes.md", start_offset=10**9)
    size = len(whole.encode())
    assert beyond["error"].startswith("Error: ")
    assert f"{size:,}" in beyond["error"], (size, beyond)
    assert either.text("document://notes.md", start_offset=size - 1).strip() in whole


@pytest.mark.parametrize(
    "line",
    [
        "{", "[]", "null", '{"jsonrpc": "2.0"}', b"\xff\xfe\x00", '"' + "x" * 100_000, "[" * 100_000,
        *(f'{{"jsonrpc": "2.0", "id": {given}, "method": "ping"}}' for given in ("null", "1.5", "true", "[1]", "{}")),
    ],
)  # fmt: skip
def test_what_is_no_message_does_not_end_the_session(either: Server, line: str | bytes) -> None:
    either.send(line)
    assert either.answer()["error"]["code"] in (-32700, -32600)
    assert either.status()["indexed"] == INDEXED


@pytest.mark.parametrize("given", [{"requestId": {}}, {"requestId": [1]}, {"requestId": None}, {}])
def test_taking_back_what_is_no_request_does_not_end_the_session(either: Server, given: dict[str, Any]) -> None:
    either.send(json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": given}))
    assert either.status()["indexed"] == INDEXED


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("index_document", {"file_path": "(" * 3_000}),
        ("read", {"uri": "document://notes.md", "server": "x" * 3_000}),
        ("describe_table", {"table": "x" * 3_000}),
    ],
)
def test_an_error_does_not_repeat_an_endless_argument(either: Server, name: str, arguments: dict[str, Any]) -> None:
    error = either.tool(name, **arguments)["error"]
    assert len(error) < 800, error


def test_nothing_of_it_was_a_fault_of_ours(server: Server, modern: Server) -> None:
    """Runs last in this module: no request above has left a traceback or a warning of the runtime behind."""
    errors = server.errors() + modern.errors()
    assert "Traceback" not in errors, errors
    assert "Unknown child process" not in errors, errors
    log = log_of(Path(server.status()["data_dir"]))
    assert "Traceback" not in log, log
