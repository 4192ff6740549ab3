"""Slugs: unique, readable, kept across edits and renames."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.indexes.checks import with_store
from support.indexes.prepared import file_path, note

from sidecar.api import NotFoundError, is_doc_id
from sidecar.store import FileStat, Store
from sidecar.store.documents.paths import candidates, free_slug


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (
            b"/docs/usgs_snyder.pdf",
            ["usgs_snyder", "usgs_snyder-pdf", "usgs_snyder-pdf-docs", "usgs_snyder-pdf-docs-2"],
        ),
        (b"/docs/Annual Report.docx", ["annual-report", "annual-report-docx", "annual-report-docx-docs"]),
        (b"/docs/README", ["readme", "readme-docs", "readme-docs-2"]),
        ("/docs/年度报告.docx".encode(), ["年度报告", "年度报告-docx"]),
        (b"/docs/.env", ["env", "env-docs"]),
        (b"/docs/0123456789ab.txt", ["0123456789ab-doc", "0123456789ab-doc-txt"]),
        (b"/docs/\xff\xfe.txt", ["xff-xfe", "xff-xfe-txt"]),
    ],
)
def test_candidates_go_from_short_to_long(path: bytes, expected: list[str]) -> None:
    assert list(islice(candidates(path), len(expected))) == expected


@given(st.lists(st.binary(min_size=1, max_size=40), max_size=30))
def test_any_names_get_slugs_of_their_own(names: list[bytes]) -> None:
    taken: set[str] = set()
    for name in names:
        slug = free_slug(b"/folder/" + name.replace(b"/", b"_"), taken.__contains__)
        assert slug
        assert slug not in taken
        assert not is_doc_id(slug)
        slug.encode("utf-8")
        taken.add(slug)


async def test_a_slug_survives_edits_renames_and_the_arrival_of_a_twin(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        (added,) = await store.files.commit([note("report.docx", "first words")])
        assert added.slug == "report"
        (twin,) = await store.files.commit([note("report.pdf", "other words")])
        assert twin.slug == "report-pdf"
        (updated,) = await store.files.commit([note("report.docx", "edited words")])
        assert updated.slug == "report"
        await store.files.rename([(file_path("report.docx"), file_path("summary.docx"), FileStat(1, 2))])
        (renamed,) = await store.changes.since(3)
        assert (renamed.kind, renamed.slug) == ("renamed", "report")
        assert (await store.documents.info("report")).name == "summary.docx"
        assert (await store.documents.info("Summary")).name == "summary.docx"
        assert (await store.documents.outline("Summary")).version.slug == "report", "asked for as document://Summary.md"
        for other in ("summar", "summ_ry", "su%", ""):
            with pytest.raises(NotFoundError):
                await store.documents.outline(other)
        (third,) = await store.files.commit([note("report.docx", "a new file under the old name")])
        assert third.slug == "report-docx"

    await with_store(tmp_path, body)


async def test_files_of_one_name_in_one_batch_get_different_slugs(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        batch = [note("a/same.txt", "one"), note("b/same.txt", "two"), note("b/c/b/same.txt", "three")]
        slugs = [change.slug for change in await store.files.commit(batch)]
        assert slugs == ["same", "same-txt", "same-txt-b"]
        (again,) = await store.files.commit([note("d/b/same.txt", "four")])
        assert again.slug == "same-txt-b-2"

    await with_store(tmp_path, body)
