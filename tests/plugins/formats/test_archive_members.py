"""Members of archives as documents of their own: listed, found and read; changed, moved, copied and removed with the
archive; never out of it, and no secrets of it."""

from __future__ import annotations

import io
import os
import shutil
import zipfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import mcp_types as types
import msgspec
from contract.containers import make_pdf, make_zip
from mcp.client.client import Client
from sidecar_archive import ArchiveFormat
from support.clients.harness import docx, in_process, text_of
from support.formats.processor import processor_limit
from support.office_old.outlook_data import Attached, Mail, pst

from sidecar.api import Limits, Source
from sidecar.config import Config, Folder
from sidecar.ingest.indexing.indexer import Indexer
from sidecar.ingest.reading.detect import detector_of
from sidecar.ingest.reading.files import read_file
from sidecar.ingest.reading.jobs import Job, Loader
from sidecar.registry import load_formats
from sidecar.store import Filter, Store
from sidecar.workers.pool import WorkerPool


async def answers(home: Path, *calls: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """What tools say of the folder's documents."""
    async with (
        in_process(home / "files", home / "data") as (_, server, _),
        Client(server, mode="auto", cache=None) as client,
    ):
        return [(await client.call_tool(name, arguments)).structured_content or {} for name, arguments in calls]


def put(home: Path, members: dict[str, bytes], name: str = "backup.zip") -> Path:
    (home / "files").mkdir(exist_ok=True)
    path = home / "files" / name
    path.write_bytes(make_zip(members))
    return path


def below(found: dict[str, Any]) -> list[str]:
    """The paths of listed documents from the folder on."""
    return sorted(Path(one["path"]).as_posix().partition("/files/")[2] for one in found["documents"])


MEMBERS = {
    "2024/report.docx": docx(), "letters/paper.pdf": make_pdf(["Okapis are shy."]),
    "more.zip": make_zip({"deep.md": b"# Quokkas\n\nFar below."}), "t.csv": b"species,weight\nnumbat,5\nwombat,26\n",
}  # fmt: skip


async def test_members_are_listed_found_and_asked_as_any_document(tmp_path: Path) -> None:
    put(tmp_path, MEMBERS)
    listed, inside, hit, deep, info, named, tables, outline = await answers(
        tmp_path,
        ("list_documents", {}), ("list_documents", {"folder": "backup.zip"}),
        ("search_documents", {"query": "okapis in:backup.zip"}), ("search_documents", {"query": "quokkas"}),
        ("get_document_info", {"document_slug": "backup.zip/2024/report.docx"}),
        ("find_document", {"query": "paper.pdf"}), ("find_tables", {"query": "numbat"}),
        ("get_outline", {"document_slug": "report"}),
    )  # fmt: skip
    members = [
        f"backup.zip/{name}"
        for name in ("2024/report.docx", "letters/paper.pdf", "more.zip", "more.zip/deep.md", "t.csv")
    ]
    assert below(listed) == ["backup.zip", *members]
    assert below(inside) == members
    [found] = hit["results"]
    assert (found["document_slug"], found["uri"], found["page"]) == ("paper", "page://paper/1", 1)
    assert Path(found["path"]).as_posix().endswith("files/backup.zip/letters/paper.pdf")
    assert Path(deep["results"][0]["path"]).name == "deep.md"
    assert (info["slug"], info["format"], info["state"]) == ("report", "docx", "indexed")
    assert below(named) == ["backup.zip/letters/paper.pdf"]
    assert [one["name"] for one in tables["tables"]] == ["t"]
    assert {"Wombats", "Quokkas"} <= {entry["title"] for entry in outline["entries"]}


async def test_a_path_names_a_document_where_only_one_has_it(tmp_path: Path) -> None:
    put(tmp_path, {"a/notes.md": b"# One", "b/notes.md": b"# Two", "b/other.md": b"# Three"})
    asked = (
        "notes.md",
        "a/notes.md",
        "Backup.zip/B/Notes.md",
        str(tmp_path / "files" / "backup.zip" / "b" / "other.md"),
    )
    found = await answers(tmp_path, *(("get_document_info", {"document_slug": path}) for path in asked))
    assert [one.get("title") for one in found] == [None, "One", "Two", "Three"]


async def test_who_wants_a_member_indexed_is_told_the_archive(tmp_path: Path) -> None:
    archive = put(tmp_path, {"a/notes.md": b"# One"})

    async def main() -> None:
        async with (
            in_process(tmp_path / "files", tmp_path / "data") as (_, server, _),
            Client(server, mode="auto", cache=None) as client,
        ):
            member = str(archive / "a" / "notes.md")
            answer = await client.call_tool("index_document", {"file_path": member})
            assert answer.is_error
            assert text_of(answer) == f"Error: {member} lies inside {archive}; name that file."

    await main()


async def test_bytes_and_pictures_come_out_of_the_archive(tmp_path: Path) -> None:
    put(tmp_path, {"inner.zip": make_zip({"report.docx": docx()})}, "outer.zip")

    async def main() -> None:
        async with (
            in_process(tmp_path / "files", tmp_path / "data") as (_, server, _),
            Client(server, mode="auto", cache=None) as client,
        ):
            (content,) = (await client.read_resource("image://report/0")).contents
            assert isinstance(content, types.BlobResourceContents)
            assert content.mime_type == "image/png"

    await main()


async def test_names_stay_in_the_archive_and_secrets_are_not_read(tmp_path: Path) -> None:
    key = b"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n"
    put(tmp_path, {"../../up.md": b"# Up", "id_rsa": key, ".ssh/notes.txt": b"words", "key.txt": key, "x.md": b"# X"})
    listed, found = await answers(
        tmp_path, ("list_documents", {"folder": "backup.zip"}), ("search_documents", {"query": "MIIE"})
    )
    states = {Path(one["path"]).as_posix().partition("/files/")[2]: one["state"] for one in listed["documents"]}
    assert states == {
        "backup.zip/.ssh/notes.txt": "secret", "backup.zip/id_rsa": "secret", "backup.zip/key.txt": "secret",
        "backup.zip/up.md": "indexed", "backup.zip/x.md": "indexed",
    }  # fmt: skip
    assert not found["results"]


async def test_archives_too_deep_in_one_another_are_named(tmp_path: Path) -> None:
    inner = make_zip({"leaf.md": b"# Leaf"})
    for number in (4, 3, 2):
        inner = make_zip({f"in{number}.zip": inner})
    put(tmp_path, {"in1.zip": inner})
    listed, info = await answers(
        tmp_path, ("list_documents", {}), ("get_document_info", {"document_slug": "backup.zip"}),
    )  # fmt: skip
    assert below(listed)[-1] == "backup.zip/in1.zip/in2.zip/in3.zip"
    assert "in1.zip/in2.zip/in3.zip/in4.zip" in str(info["notices"])


async def test_an_archive_that_holds_a_package_uncompressed_is_no_package(tmp_path: Path) -> None:
    # The names of the inner package's parts stand in the archive's first bytes as if they were its own.
    outer = tmp_path / "files" / "outer.zip"
    outer.parent.mkdir()
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("report.docx", docx())
        archive.writestr("notes.md", "# Quokkas")
    outer.write_bytes(make_zip({"inner.zip": inner.getvalue()}))
    (listed,) = await answers(tmp_path, ("list_documents", {}))
    assert below(listed) == [
        "outer.zip",
        "outer.zip/inner.zip",
        "outer.zip/inner.zip/notes.md",
        "outer.zip/inner.zip/report.docx",
    ]
    assert {one["state"] for one in listed["documents"] if "state" in one} <= {"indexed"}


async def test_a_member_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    put(tmp_path, {"cut.docx": docx()[:60], "half.docx": docx()[:-40], "good.md": b"# Good"})
    (listed,) = await answers(tmp_path, ("list_documents", {"folder": "backup.zip"}))
    states = {one["slug"]: one["state"] for one in listed["documents"]}
    assert states == {"cut": "damaged", "half": "indexed", "good": "indexed"}


class Scans:
    """Scans of a folder by the formats that ship."""

    def __init__(self, store: Store, indexer: Indexer) -> None:
        self._store = store
        self._indexer = indexer
        self._last = 0

    async def __call__(self) -> list[tuple[str, str]]:
        """What a scan changed, as (kind, slug)."""
        await self._indexer.scan_once()
        changes = await self._store.changes.since(self._last)
        self._last = await self._store.changes.last_seq()
        return sorted((change.kind, change.slug) for change in changes)

    async def paths(self, folder: Path) -> Sequence[str]:
        page = await self._store.search.documents_listed(1, 100, "title", Filter())
        return sorted(Path(one.path).relative_to(folder).as_posix() for one in page.documents)


@asynccontextmanager
async def scans(home: Path) -> AsyncGenerator[Scans]:
    config = Config(folders=(Folder(home / "files"),), data_dir=home / "data")
    store = await Store.open(config.data_dir)
    workers = WorkerPool(1, config.limits)
    try:
        yield Scans(store, Indexer(store, load_formats(frozenset(), {}).entries, lambda: config, workers))
    finally:
        await workers.aclose()
        await store.close()


async def test_only_what_changed_in_an_archive_changes(tmp_path: Path) -> None:
    files = {"a.md": b"# Alpha", "b.md": b"# Beta", "c.md": b"# Gamma"}
    path = put(tmp_path, files)
    async with scans(tmp_path) as scan:
        assert [one for one in await scan() if one[1] != "backup"] == [("added", slug) for slug in "abc"]
        assert await scan() == []
        put(tmp_path, {"a.md": b"# Alpha", "b.md": b"# Beta and more", "d.md": b"# Delta"})
        assert [one for one in await scan() if one[1] != "backup"] == [
            ("added", "d"), ("removed", "c"), ("updated", "b"),
        ]  # fmt: skip
        path.rename(path.with_name("moved.zip"))
        assert await scan() == [("renamed", "a"), ("renamed", "b"), ("renamed", "backup"), ("renamed", "d")]
        assert await scan.paths(path.parent) == ["moved.zip", "moved.zip/a.md", "moved.zip/b.md", "moved.zip/d.md"]
        shutil.copy(path.with_name("moved.zip"), path)
        assert [kind for kind, _ in await scan()] == ["added"] * 4
        assert len(await scan.paths(path.parent)) == 8
        path.unlink()
        assert [kind for kind, _ in await scan()] == ["removed"] * 4
        put(tmp_path, {"readme.bin": bytes(range(256))}, "moved.zip")
        await scan()
        assert await scan.paths(path.parent) == ["moved.zip"]


async def test_a_file_takes_the_place_of_an_archive_s_directory(tmp_path: Path) -> None:
    path = put(tmp_path, {"a.md": b"# Packed"})
    async with scans(tmp_path) as scan:
        await scan()
        path.unlink()
        path.mkdir()
        (path / "a.md").write_text("# Unpacked")
        await scan()
        assert await scan.paths(path.parent) == ["backup.zip/a.md"]
        os.truncate(path / "a.md", 0)
        await scan()
        assert await scan.paths(path.parent) == ["backup.zip/a.md"]


async def test_items_of_an_outlook_file_are_documents_with_what_is_attached_to_them(tmp_path: Path) -> None:
    mail = Mail("Okapis", "They are shy.", attached=[Attached("habits.md", b"# Habits\n\nNumbats eat termites.")])
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "mail.pst").write_bytes(pst({"Inbox": [mail], "Inbox/Old": [Mail("Quokkas", "Small.")]}))
    listed, hit, attached = await answers(
        tmp_path, ("list_documents", {}), ("search_documents", {"query": "shy"}),
        ("search_documents", {"query": "numbats termites"}),
    )  # fmt: skip
    assert below(listed) == ["mail.pst", "mail.pst/Inbox/Okapis.eml", "mail.pst/Inbox/Old/Quokkas.eml"]
    assert hit["results"][0]["document_slug"] == attached["results"][0]["document_slug"] == "okapis"


def test_members_that_the_index_has_are_not_read_again(tmp_path: Path) -> None:
    inner = make_zip({"deep.md": b"# Deep"})
    path = put(tmp_path, {"a.md": b"# Alpha", "b.md": b"# Beta", "more.zip": inner})
    detector, limits = detector_of(Loader()), Limits()
    job = Job(os.fsencode(path), slow=True)
    first = read_file(job, detector, limits)
    assert [(one.name, one.kind) for one in first.members] == [
        ("a.md", "read"), ("b.md", "read"), ("more.zip", "read"), ("more.zip/deep.md", "read"),
    ]  # fmt: skip
    known = tuple((one.sha256, one.plugin, one.plugin_version, Path(one.name).suffix) for one in first.members)
    put(tmp_path, {"a.md": b"# Alpha", "b.md": b"# Beta and more", "more.zip": inner})
    again = read_file(msgspec.structs.replace(job, copies=known), detector, limits)
    assert [(one.name, one.kind) for one in again.members] == [
        ("a.md", "same"), ("b.md", "read"), ("more.zip", "read"), ("more.zip/deep.md", "same"),
    ]  # fmt: skip


async def test_a_member_of_the_same_content_is_found_after_the_archive_changed(tmp_path: Path) -> None:
    files = {f"{name}.md": f"# {name}".encode() for name in ("alpha", "beta")}
    put(tmp_path, files)
    async with scans(tmp_path) as scan:
        await scan()
        put(tmp_path, files | {"twin.md": files["alpha.md"], "gamma.md": b"# Gamma"})
        assert [one for one in await scan() if one[1] != "backup"] == [("added", "gamma"), ("added", "twin")]
        put(tmp_path, {"twin.md": files["alpha.md"]})
        assert [one for one in await scan() if one[1] != "backup"] == [
            ("removed", "alpha"), ("removed", "beta"), ("removed", "gamma"),
        ]  # fmt: skip
        assert await scan.paths(tmp_path / "files") == ["backup.zip", "backup.zip/twin.md"]


def test_the_directory_of_an_archive_is_read_once_for_all_its_members() -> None:
    """To open a member had it read again: a minute of the processor for 500 of 20,000."""
    data = make_zip({f"{number}.txt": b"zebra" for number in range(20_000)})
    plugin, source = ArchiveFormat(), Source.of_bytes(data, "many.zip")
    with processor_limit(6.0):
        document = plugin.parse(source, Limits())
        assert {plugin.open_embedded(source, embed.ref, Limits()).data for embed in document.embedded[:300]} == {
            b"zebra"
        }
    other = Source.of_bytes(make_zip({"0.txt": b"gnu"}), "other.zip")
    for given, told in ((other, b"gnu"), (source, b"zebra"), (other, b"gnu")):
        assert plugin.open_embedded(given, "0", Limits()).data == told
