"""After any sequence of commits, renames, removals and failures the index equals a model of it, and is sound."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import dataclass
from pathlib import Path

import msgspec
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.indexes.checks import verify
from support.indexes.prepared import FOLDER, file_path, indexed, prepare

from sidecar.api import Element, NotFoundError
from sidecar.store import Change, FileStat, Indexed, Passage, Store

NAMES = ("a.txt", "b.txt", "b.md", "sub/a.txt", "日本.txt")
TEXTS = ("alpha", "beta gamma", "東京都 alpha", "delta\n" * 3)

Step = tuple[str, tuple[str, ...], tuple[int, ...]]
steps = st.lists(
    st.one_of(
        st.tuples(
            st.just("commit"),
            st.lists(st.sampled_from(NAMES), min_size=1, max_size=4).map(tuple),
            st.lists(st.integers(0, 9), min_size=4, max_size=4).map(tuple),
        ),
        st.tuples(st.just("rename"), st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), st.just(())),
        st.tuples(st.just("remove"), st.lists(st.sampled_from(NAMES), max_size=3).map(tuple), st.just(())),
        st.tuples(st.just("prune"), st.just(()), st.just(())),
    ),
    max_size=14,
)


@dataclass(frozen=True)
class Entry:
    """What the model knows of a file: the texts its document shows (None: never read), its state, its slug."""

    texts: tuple[str, ...] | None
    state: str
    slug: str = ""


def item(name: str, choice: int) -> Indexed:
    """0-6: content; 7: damaged; 8: unsupported by any plugin; 9: content with an element."""
    if choice in (7, 8):
        plugin = "text" if choice == 7 else ""
        file = Indexed(path=file_path(name), folder=FOLDER, stat=FileStat(1, choice), reason="No.", plugin=plugin)
        return msgspec.structs.replace(file, state="damaged" if choice == 7 else "unsupported")
    texts = [TEXTS[(choice + place) % len(TEXTS)] for place in range(choice % 3 + 1)]
    elements = [Element(type="figure", label=f"Figure {choice}", part=1, caption="東京 map")] if choice == 9 else []
    return indexed(name, prepare([("Head", texts)], elements=elements), mtime=choice)


def expect(model: dict[str, Entry], step: Step) -> None:
    kind, names, choices = step
    if kind == "commit":
        for name, choice in dict(zip(names, choices, strict=False)).items():
            file, old = item(name, choice), model.get(name)
            if file.prepared is not None:
                model[name] = Entry(tuple(one.text for one in file.prepared.passages), "indexed")
            elif choice == 7:
                model[name] = Entry(old.texts if old else None, "damaged")
            else:
                model[name] = Entry(None, "unsupported")
    elif kind == "rename":
        old, new = names
        if old in model:
            model[new] = model.pop(old)
    elif kind == "remove":
        for name in names:
            model.pop(name, None)


async def apply(store: Store, step: Step) -> list[Change]:
    last = await store.changes.last_seq()
    kind, names, choices = step
    if kind == "commit":
        await store.files.commit([item(name, choice) for name, choice in zip(names, choices, strict=False)])
    elif kind == "rename":
        await store.files.rename([(file_path(names[0]), file_path(names[1]), FileStat(1, 1))])
    elif kind == "remove":
        await store.files.remove([file_path(name) for name in names])
    else:
        await store.prune()
    return await store.changes.since(last)


async def compare(store: Store, model: dict[str, Entry], listed: dict[str, str]) -> None:
    known = await store.files.known()
    assert set(known) == {file_path(name) for name in model}
    slugs: dict[str, str] = {}
    for name, entry in model.items():
        assert known[file_path(name)].state == entry.state
        info = await store.documents.info_at(file_path(name))
        if entry.state == "unsupported":
            assert info is None
            continue
        assert info is not None
        slugs[info.slug] = info.doc_id
        if entry.texts is not None:
            assert (
                tuple(one.text for one in sorted(await store.documents.passages(doc=info.slug), key=_place))
                == entry.texts
            )
    assert len(slugs) == sum(entry.state != "unsupported" for entry in model.values())
    # the change feed, replayed, gives what resources/list shows
    assert {one.slug: one.doc_id for one in await store.documents.readable(limit=100)} == listed


def _place(passage: Passage) -> tuple[int, int]:
    return passage.part, passage.first_block


def replay(listed: dict[str, str], changes: list[Change]) -> None:
    for change in changes:
        if change.kind == "removed":
            assert listed.pop(change.slug) == change.doc_id
        else:
            assert (change.kind == "added") == (change.slug not in listed)
            listed[change.slug] = change.doc_id


@settings(max_examples=40)
@example(  # what the one file's history lets go of, the other's is to remember
    sequence=[
        ("commit", ("a.txt",), (0,)),
        ("commit", ("sub/a.txt",), (3,)),
        ("commit", ("sub/a.txt", "b.txt"), (0, 3)),
        ("remove", ("sub/a.txt", "b.txt"), ()),
    ],
    retention=1,
)
@given(sequence=steps, retention=st.integers(0, 2))
def test_the_index_equals_the_model(sequence: list[Step], retention: int) -> None:
    async def main(scratch: str) -> None:
        store = await Store.open(Path(scratch), retention=retention, readers=1)
        try:
            model: dict[str, Entry] = {}
            listed: dict[str, str] = {}
            slugs: dict[str, str] = {}
            for step in sequence:
                expect(model, step)
                changes = await apply(store, step)
                replay(listed, changes)
                await verify(store)
                await compare(store, model, listed)
                for name in slugs.keys() & model.keys() if step[0] == "commit" else ():
                    info = await store.documents.info_at(file_path(name))
                    assert info is None or info.slug == slugs[name]
                slugs = {}
                for name in model:
                    info = await store.documents.info_at(file_path(name))
                    if info is not None:
                        slugs[name] = info.slug
        finally:
            await store.close()

    with tempfile.TemporaryDirectory() as scratch:
        asyncio.run(main(scratch))


async def test_former_versions_are_the_last_ones_and_no_more(tmp_path: Path) -> None:
    store = await Store.open(tmp_path, retention=2)
    try:
        made = [prepare([("Head", [f"edit {number}"])]) for number in range(6)]
        for prepared in made:
            await store.files.commit([indexed("a.txt", prepared)])
        readable: list[int] = []
        for number, prepared in enumerate(made):
            try:
                await store.documents.resolve(prepared.doc_id)
            except NotFoundError:
                continue
            readable.append(number)
        assert readable == [3, 4, 5]
    finally:
        await store.close()
