"""The store through its public calls: commits, versions, states, copies, reads, near misses. Every test ends with the
checks of `support/indexes/checks.py`."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from support.indexes.checks import verify, with_store
from support.indexes.prepared import FOLDER, file_path, indexed, note, prepare

from sidecar.api import AmbiguousError, DamagedIndexError, Element, Embed, NotFoundError, Paragraph
from sidecar.api.model import decode_blocks, encode_blocks
from sidecar.api.tables import TableColumn, TableRecord
from sidecar.store import FileStat, Filter, Indexed, Segment, Store


def failed(name: str, state: str, *, mtime: int = 1, plugin: str = "docx", reason: str = "It is broken.") -> Indexed:
    return msgspec.structs.replace(
        Indexed(path=file_path(name), folder=FOLDER, stat=FileStat(10, mtime), reason=reason, plugin=plugin),
        state=state,
    )


async def test_what_is_committed_is_read_back(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        prepared = prepare([("One", ["alpha", "beta"]), ("Two", ["gamma"])], title="Greek letters")
        (change,) = await store.files.commit([indexed("greek.txt", prepared)])
        assert (change.kind, change.slug, change.doc_id) == ("added", "greek", prepared.doc_id)
        info = await store.documents.info("greek")
        assert (info.title, info.name, info.parts, info.state) == ("Greek letters", "greek.txt", 2, "indexed")
        assert info.metadata == {"author": "Snyder"}
        view = await store.documents.part("greek", "two")
        assert view.part.n == 2
        blocks = decode_blocks(view.part.segments[0].data)
        assert [block.text for block in blocks if isinstance(block, Paragraph)] == ["gamma"]
        outline = await store.documents.outline(prepared.doc_id)
        assert [part.title for part in outline.parts] == ["One", "Two"]
        assert [section.id for section in outline.sections] == ["s1", "s2"]
        version, section = found = await store.documents.section("greek", "2")
        assert found == await store.documents.section("greek", "s2") == await store.documents.section("greek", 2)
        parts = (await store.documents.parts_of_section(version, section)).parts
        assert (section.title, parts[0].n) == ("Two", 2)
        assert [part.n for part in (await store.documents.parts("greek", [2, 1])).parts] == [2, 1]
        assert [passage.text for passage in await store.documents.passages(doc="greek")] == ["alpha", "beta", "gamma"]

    await with_store(tmp_path, body)


async def test_records_of_tables_are_read_packed_as_they_were_first_packed_and_plain(tmp_path: Path) -> None:
    column = TableColumn("a", "A", 0, "number", samples=("1",))
    record = TableRecord(
        name="t", title="T", part=1, first_block=1, last_block=1, first_row=1, last_row=2, header_rows=1, rows=2,
        columns=(column,),
    )  # fmt: skip
    packed = "78bb4945cb9cbbc7c005d6bf101a180b43a81c9913215e5b088dc8858e889844f3d2c4858600c9d83cd3"

    async def body(store: Store) -> None:
        prepared = msgspec.structs.replace(prepare([("One", ["alpha"])]), tables=(record,))
        await store.files.commit([indexed("t.txt", prepared)])
        (kept,) = await store.tables.of_document("t")
        assert kept.record == record
        for data in (bytes.fromhex(packed), msgspec.msgpack.encode(record)):
            await store.database.write(
                lambda session, data=data: session.execute("UPDATE tables SET data = ?", (data,))
            )
            (kept,) = await store.tables.of_document("t")
            assert kept.record == record
        broken = bytes.fromhex(packed)[:-9] + b"\0" * 9
        await store.database.write(lambda session: session.execute("UPDATE tables SET data = ?", (broken,)))
        with pytest.raises(DamagedIndexError):
            await store.tables.of_document("t")

    await with_store(tmp_path, body)


async def test_the_same_content_again_changes_nothing_but_the_file_row(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([note("a.txt", "words", mtime=1)])
        assert await store.files.commit([note("a.txt", "words", mtime=2)]) == []
        assert (await store.files.known())[file_path("a.txt")].stat.mtime_ns == 2
        same = note("a.txt", "words")
        await store.files.commit([msgspec.structs.replace(same, prepared=None, stat=FileStat(5, 3))])
        assert (await store.files.known(FOLDER))[file_path("a.txt")].stat == FileStat(5, 3)
        assert await store.files.known(b"/elsewhere") == {}
        assert await store.changes.last_seq() == 1

    await with_store(tmp_path, body)


async def test_old_versions_are_read_by_doc_id_through_the_retention_and_then_are_gone(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        versions = [prepare([("Start", [f"edit {number}"])]) for number in range(5)]
        for prepared in versions:
            await store.files.commit([indexed("a.txt", prepared)])
            await verify(store)
        assert (await store.documents.resolve("a")).doc_id == versions[4].doc_id
        for prepared in versions[2:4]:
            old = await store.documents.resolve(prepared.doc_id)
            assert (old.current, old.slug, old.path) == (False, "a", b"")
            assert (await store.documents.part(prepared.doc_id, 1)).part.segments
            assert (await store.documents.info(prepared.doc_id)).slug == "a"
        for prepared in versions[:2]:
            with pytest.raises(NotFoundError, match="no longer in the index"):
                await store.documents.resolve(prepared.doc_id)
        await store.files.remove([file_path("a.txt")])
        assert (await store.documents.resolve(versions[4].doc_id)).slug == "a"
        with pytest.raises(NotFoundError):
            await store.documents.resolve("a")

    await with_store(tmp_path, body, retention=2)


async def test_an_undone_edit_comes_back_searchable(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        first, second = prepare([("Start", ["before"])]), prepare([("Start", ["after"])])
        for prepared in (first, second, first, second, first):
            await store.files.commit([indexed("a.txt", prepared)])
            await verify(store)
        assert [passage.text for passage in await store.documents.passages()] == ["before"]
        assert (await store.documents.resolve(second.doc_id)).current is False

    await with_store(tmp_path, body)


async def test_a_newer_plugin_replaces_what_an_older_one_made_of_the_same_bytes(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        old = prepare([("Start", ["read badly"])])
        new = msgspec.structs.replace(prepare([("Start", ["read well"])], plugin_version="2"), sha256=old.sha256)
        await store.files.commit([indexed("a.txt", old)])
        (change,) = await store.files.commit([indexed("a.txt", new)])
        assert (change.kind, change.doc_id) == ("updated", old.doc_id)
        assert [passage.text for passage in await store.documents.passages(doc=old.doc_id)] == ["read well"]

    await with_store(tmp_path, body)


async def test_an_edit_keeps_the_rows_of_unchanged_passages(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([indexed("a.txt", prepare([("One", ["stays", "goes"]), ("Two", ["stays too"])]))])
        before = {passage.text: passage.id for passage in await store.documents.passages()}
        await store.files.commit([indexed("a.txt", prepare([("One", ["new", "stays"]), ("Two", ["stays too"])]))])
        after = {passage.text: passage for passage in await store.documents.passages()}
        assert set(after) == {"new", "stays", "stays too"}
        assert after["stays"].id == before["stays"]
        assert after["stays"].first_block == 3
        assert after["new"].id not in before.values()

    await with_store(tmp_path, body)


async def test_copies_share_a_version_and_outlive_one_another(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        prepared = prepare([("Start", ["shared"])])
        changes = await store.files.commit([indexed("a.txt", prepared), indexed("b.txt", prepared)])
        assert [change.slug for change in changes] == ["a", "b"]
        assert (await store.documents.totals()).passages == 1
        assert await store.files.has_content(prepared.sha256, "text", "1", ".txt")
        assert not await store.files.has_content(prepared.sha256, "text", "2", ".txt")
        assert not await store.files.has_content(prepared.sha256, "text", "1", ".md")
        linked = msgspec.structs.replace(indexed("c.txt", prepared), prepared=None)
        (third,) = await store.files.commit([linked])
        assert (third.kind, third.doc_id) == ("added", prepared.doc_id)
        # one copy is edited while another arrives in the same batch
        await store.files.commit([note("a.txt", "edited"), indexed("d.txt", prepared)])
        await store.files.remove([file_path("b.txt"), file_path("c.txt")])
        await verify(store)
        assert [passage.slug for passage in await store.documents.passages()] == ["a", "d"]
        assert (await store.documents.resolve(prepared.doc_id)).slug == "d"

    await with_store(tmp_path, body)


async def test_a_link_to_content_that_has_gone_leaves_the_file_unknown(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        linked = msgspec.structs.replace(note("a.txt", "never seen"), prepared=None)
        assert await store.files.commit([linked]) == []
        assert await store.files.known() == {}

    await with_store(tmp_path, body)


async def test_a_file_that_breaks_keeps_its_last_good_version(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([note("a.docx", "good")])
        assert await store.files.commit([failed("a.docx", "damaged", mtime=2)]) == []
        info = await store.documents.info("a")
        assert (info.state, info.reason, info.parts) == ("damaged", "It is broken.", 1)
        assert (await store.documents.resolve("a")).current
        assert len(await store.documents.readable()) == 1

    await with_store(tmp_path, body)


async def test_a_file_that_never_could_be_read_is_listed_with_its_reason_only(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        assert await store.files.commit([failed("secret.docx", "encrypted")]) == []
        assert await store.documents.readable() == []
        page = await store.search.documents_listed(1, 20, "title", Filter())
        assert [(one.slug, one.state, one.doc_id) for one in page.documents] == [("secret", "encrypted", "")]
        with pytest.raises(NotFoundError, match=r"secret\.docx could not be read \(encrypted\): It is broken\."):
            await store.documents.part("secret", 1)
        (added,) = await store.files.commit([note("secret.docx", "opened")])
        assert (added.kind, added.slug) == ("added", "secret")
        assert (await store.documents.totals()).states == {"indexed": 1}

    await with_store(tmp_path, body)


async def test_files_no_plugin_takes_are_known_and_are_no_documents(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        await store.files.commit(
            [failed("x.bin", "unsupported", plugin=""), failed("old.doc", "unsupported", plugin="doc")]
        )
        assert set(await store.files.known()) == {file_path("x.bin"), file_path("old.doc")}
        assert [one.slug for one in (await store.search.documents_listed(1, 20, "title", Filter())).documents] == [
            "old"
        ]
        assert (await store.documents.info_at(file_path("x.bin"))) is None
        await store.files.commit([note("x.bin", "now read")])
        assert (await store.documents.info("x")).state == "indexed"
        (removed,) = await store.files.commit([failed("x.bin", "unsupported", plugin="")])
        assert (removed.kind, removed.slug) == ("removed", "x")

    await with_store(tmp_path, body)


async def test_strikes_count_until_the_file_changes(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        async def strikes() -> int:
            return (await store.files.known())[file_path("a.pdf")].strikes

        seen: list[int] = []
        for state, mtime in (("crashed", 1), ("timed_out", 1), ("crashed", 1), ("crashed", 2), ("damaged", 2)):
            await store.files.commit([failed("a.pdf", state, mtime=mtime)])
            seen.append(await strikes())
        assert seen == [1, 2, 3, 1, 0]

    await with_store(tmp_path, body)


async def test_rename_over_another_document_and_between_folders(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        other = b"/other"
        await store.files.commit(
            [note("a.txt", "kept"), note("b.txt", "overwritten"), note("o.txt", "there", folder=other)]
        )
        await store.files.rename([(file_path("a.txt"), file_path("b.txt"), FileStat(4, 4))])
        changes = await store.changes.since(3)
        assert [(change.kind, change.slug) for change in changes] == [("removed", "b"), ("renamed", "a")]
        await store.files.rename([(file_path("b.txt"), file_path("sub/c.txt", other), FileStat(4, 4))])
        info = await store.documents.info("a")
        assert (info.folder, info.name, info.title) == ("/other", "c.txt", "c")
        last = await store.changes.last_seq()
        await store.files.rename([(b"/no/such", b"/no/other", FileStat(1, 1))])
        assert await store.changes.last_seq() == last
        await store.files.forget_folder(other)
        assert {change.slug for change in await store.changes.since(last)} == {"a", "o"}
        assert await store.files.known() == {}

    await with_store(tmp_path, body)


async def test_elements_are_found_by_any_spelling_of_their_label(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        elements = [
            Element(type="figure", label="Figure 8-1", part=1, page=3, caption="Mercator"),
            Element(type="table", label="Table 5", part=1, page=4),
            Element(type="table", label="Table 5", part=2, page=9),
            Element(type="chart", label="Chart 1", part=2, caption="Before the supplement"),
            Element(type="chart", label="Chart 1", part=2, caption="The supplement"),
        ]
        await store.files.commit([indexed("maps.pdf", prepare([("A", ["x"]), ("B", ["y"])], elements=elements))])
        _, element = await store.documents.element("maps", "fig. 8–1")
        assert element.caption == "Mercator"
        with pytest.raises(AmbiguousError, match="page_number") as caught:
            await store.documents.element("maps", "table 5")
        assert len(caught.value.choices) == 2
        assert (await store.documents.element("maps", "Table 5", 9))[1].part == 2
        _, first = await store.documents.element("maps", "Chart 1")
        assert first.caption == "Before the supplement", "no page would part them"
        with pytest.raises(NotFoundError, match="not on page 7"):
            await store.documents.element("maps", "Table 5", 7)
        with pytest.raises(NotFoundError, match="Figure 8-1"):
            await store.documents.element("maps", "Figure 8-2")
        assert len((await store.documents.elements("maps", "table")).elements) == 2
        assert (await store.documents.info("maps")).elements == {"chart": 2, "figure": 1, "table": 2}

    await with_store(tmp_path, body)


async def test_embedded_bytes_are_found_by_number_then_by_name(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        embeds = [
            Embed(kind="image", id=0, name="logo.png", media_type="image/png"),
            Embed(kind="image", id=1, name="0", media_type="image/gif"),
            Embed(kind="font", id=0, name="Inter", media_type="font/ttf"),
        ]
        await store.files.commit([indexed("a.docx", prepare([("A", ["x"])], embedded=embeds))])
        assert (await store.documents.embed("a", "image", "0"))[1].name == "logo.png"
        assert (await store.documents.embed("a", "image", "logo.png"))[1].id == 0
        assert [one.kind for one in (await store.documents.embeds("a")).embeds] == ["font", "image", "image"]
        assert len((await store.documents.embeds("a", ["image"])).embeds) == 2
        with pytest.raises(NotFoundError, match="ids run from 0 to 1"):
            await store.documents.embed("a", "image", 7)
        with pytest.raises(NotFoundError, match="holds no chart"):
            await store.documents.embed("a", "chart", 0)

    await with_store(tmp_path, body)


async def test_only_the_segments_asked_for_are_read(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        prepared = prepare([("Sheet", ["x"])])
        segments = tuple(
            Segment(first, first + 9, (first - 1) * 100, (first + 9) * 100 - 1, encode_blocks([]))
            for first in (1, 11, 21)
        )
        part = msgspec.structs.replace(prepared.parts[0], segments=segments, rows=3000)
        await store.files.commit([indexed("big.xlsx", msgspec.structs.replace(prepared, parts=(part,)))])
        assert len((await store.documents.part("big", 1)).part.segments) == 3
        view = await store.documents.part("big", 1, blocks=(10, 11))
        assert [segment.first_block for segment in view.part.segments] == [1, 11]
        view = await store.documents.part("big", 1, rows=(2500, 2500))
        assert [segment.first_block for segment in view.part.segments] == [21]

    await with_store(tmp_path, body)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (("part", "reprot", 1), "did you mean report?"),
        (("part", "rep", 1), "did you mean report?"),
        (("part", "zzzz", 1), "list_documents"),
        (("part", "report", 9), "chapters 1-2"),
        (("part", "report", 0), "chapters 1-2"),
        (("part", "report", -1), "chapters 1-2"),
        (("part", "report", "1" * 30), "has no chapter"),
        (("part", "report", "Intrduction"), "did you mean Introduction?"),
        (("part", "untitled", "z.png"), "it has 1."),
        (("section", "report", "s9"), "it has s1, s2."),
        (("resolve", "0123456789ab"), "no longer in the index"),
    ],
)
async def test_what_is_not_there_is_answered_with_what_is(tmp_path: Path, call: tuple[str, ...], message: str) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([indexed("report.txt", prepare([("Introduction", ["x"]), ("Results", ["y"])]))])
        await store.files.commit([indexed("untitled.txt", prepare([("", ["z"])]))])
        with pytest.raises(NotFoundError) as caught:
            await getattr(store.documents, call[0])(*call[1:])
        assert message in str(caught.value)

    await with_store(tmp_path, body)


async def test_a_document_is_found_by_its_file_name_as_well(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([note("Annual Report.docx", "words")])
        assert (await store.documents.resolve("Annual Report")).slug == "annual-report"

    await with_store(tmp_path, body)


async def test_lists_page_by_keyset_and_by_sort(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        names = [f"n{number:02}.txt" for number in range(7)]
        await store.files.commit([note(name, name, mtime=1000 - place) for place, name in enumerate(names)])
        seen: list[str] = []
        after: str | None = None
        while page := await store.documents.readable(after, 3):
            seen += [one.slug for one in page]
            after = page[-1].slug
        assert seen == sorted(seen)
        assert len(seen) == 7
        first = await store.search.documents_listed(1, 3, "modified", Filter())
        assert ([one.slug for one in first.documents], first.total, first.pages) == (["n00", "n01", "n02"], 7, 3)
        assert (await store.search.documents_listed(9, 3, "title", Filter())).documents == ()
        for key in ("title", "name", "date_added", "page_count"):
            assert len((await store.search.documents_listed(1, 10, key, Filter())).documents) == 7
        assert await store.documents.slugs("n0", 2) == ["n00", "n01"]
        assert await store.documents.slugs("06") == ["n06"]

    await with_store(tmp_path, body)


async def test_the_change_feed_tells_everything_once_and_in_order(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([note("a.txt", "1")])
        await store.files.commit([note("a.txt", "2")])
        await store.files.rename([(file_path("a.txt"), file_path("b.txt"), FileStat(1, 1))])
        await store.files.remove([file_path("b.txt"), file_path("never.txt")])
        changes = await store.changes.since(0)
        assert [change.kind for change in changes] == ["added", "updated", "renamed", "removed"]
        assert await store.changes.since(changes[1].seq) == changes[2:]
        assert await store.changes.last_seq() == changes[-1].seq

    await with_store(tmp_path, body)


async def test_passages_page_in_document_order_and_narrow_by_path(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        await store.files.commit([note("sub/A/x.txt", "one"), note("y.txt", "two"), note("z.txt", "three")])
        first = await store.documents.passages(limit=2)
        rest = await store.documents.passages(after=(first[-1].slug, first[-1].id), limit=2)
        assert [passage.slug for passage in (*first, *rest)] == ["x", "y", "z"]
        assert [passage.slug for passage in await store.documents.passages(path="library/SUB/a")] == ["x"]

    await with_store(tmp_path, body)


async def test_names_that_are_no_text_and_text_that_is_no_unicode(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        broken = prepare([("Start", ["whole"])])
        passage = msgspec.structs.replace(broken.passages[0], text="half a pair \ud800 here")
        broken = msgspec.structs.replace(broken, passages=(passage,), title="\udfff title")
        path = FOLDER + b"/b\xe9\n" + b"x" * 240 + b".txt"
        await store.files.commit([msgspec.structs.replace(indexed("x", broken), path=path), note("fine.txt", "fine")])
        info = await store.documents.info_at(path)
        assert info is not None
        assert "b\\xe9\ufffdxx" in info.path
        assert info.title == "\ufffd title"
        assert "half a pair \ufffd here" in [passage.text for passage in await store.documents.passages()]

    await with_store(tmp_path, body)


async def test_prune_keeps_what_is_shown_and_frees_what_is_not(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        for number in range(30):
            await store.files.commit([note("a.txt", f"text {number} " * 2000)])
        await store.prune()
        assert len(await store.documents.passages()) == 1
        assert (await store.documents.resolve("a")).current
        wal = store.path.with_name(store.path.name + "-wal")
        assert wal.stat().st_size == 0

    await with_store(tmp_path, body)


async def test_the_passages_of_a_document_are_its_own_and_only_present_ones(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        await store.files.commit(
            [note("a.txt", "the same words"), note("b.txt", "the same words"), note("c.txt", "other")]
        )
        for doc in ("a", "b"):
            assert [(passage.slug, passage.text) for passage in await store.documents.passages(doc=doc)] == [
                (doc, "the same words")
            ]
        assert [passage.slug for passage in await store.documents.passages()] == ["a", "b", "c"]
        former = await store.documents.resolve("c")
        await store.files.commit([note("c.txt", "edited", mtime=2)])
        assert [passage.text for passage in await store.documents.passages(doc="c")] == ["edited"]
        with pytest.raises(NotFoundError, match="former version of c"):
            await store.documents.passages(doc=former.doc_id)

    await with_store(tmp_path, body)
