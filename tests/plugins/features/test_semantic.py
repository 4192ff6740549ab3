"""The embedder plugin with its real model: through the application, through a serving process, and as vectors."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from mcp.client.client import Client
from onnx import TensorProto, helper, save
from sidecar_semantic import SemanticFeature, own_model
from sidecar_semantic.worker import embed, known
from support.clients.harness import Raw, children, fill, in_process
from support.clients.waiting import wait_for
from support.formats.corpus import CORPUS

from sidecar.api import ConfigError, Registrar, UnavailableError
from sidecar.app import open_application
from sidecar.config import Config, Folder
from sidecar.search import semantic, vectors
from sidecar.search.vectors import VectorIndex, pack
from sidecar.store.index.embeddings import VectorReader

MEANT = "a rodent lounging beside the water"
"""The capybara rests by the river: not one word in common."""


async def test_meaning_finds_what_words_do_not(tmp_path: Path) -> None:
    fill(tmp_path / "files")
    async with in_process(tmp_path / "files", tmp_path / "data") as (application, server, _), Client(server) as client:
        query = {"query": "gathering of rodents lounging beside streams"}
        before = (await client.call_tool("search_documents", query)).structured_content
        assert (before["mode"], before["results"]) == ("lexical", [])
        embedded: dict[str, Any] = await application.embed_once()
        assert embedded["done"] == embedded["total"] > 5
        after = (await client.call_tool("search_documents", query)).structured_content
        assert after["mode"] == "semantic"
        assert after["results"][0]["uri"] == "section://notes/capybaras"
        status = (await client.call_tool("get_library_status", {})).structured_content
        assert status["embedded"] == embedded


async def test_a_document_that_a_client_reads_is_embedded_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(semantic, "BATCH_TEXTS", 1)
    fill(tmp_path / "files")
    async with in_process(tmp_path / "files", tmp_path / "data") as (application, server, _), Client(server) as client:
        assert application.semantic is not None
        for slug in ("notes", "report", "list"):
            await client.read_resource(f"document://{slug}.md")
            before = (await application.semantic.status())["done"]
            once = iter((True, False))
            assert not await application.semantic.embed_missing(lambda once=once: next(once))
            assert (await application.semantic.status())["done"] == before + 1
            vectors = VectorReader(str(application.store.path))
            rows, _data = vectors.load(application.semantic.model, "passage")
            vectors.close()
            assert slug in {passage.slug for passage in await application.store.search.passages(rows)}


@pytest.mark.parametrize(
    "settings", [{"plugins_disabled": frozenset({"semantic"})}, {"plugin_settings": {"semantic": {"enabled": False}}}]
)
async def test_without_the_embedder_search_is_by_words(tmp_path: Path, settings: dict[str, Any]) -> None:
    fill(tmp_path / "files")
    config = Config(folders=(Folder(tmp_path / "files"),), data_dir=tmp_path / "data", **settings)
    async with open_application(config) as application:
        await application.indexer.scan_once()
        assert (await application.embed_once())["state"] == "disabled"
        answer = await application.library.search("capybara")
        assert answer.hits
        assert (answer.mode, answer.remark) == ("lexical", "")
        assert "embedded" not in await application.library.status()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [({"modell": "x"}, "unknown key `modell`"), ({"enabled": "yes"}, "expected true or false")],
)
def test_settings_are_checked(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        SemanticFeature().register(cast(Registrar, None), settings)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_serving_process_embeds_in_the_background_and_stays_light(tmp_path: Path) -> None:
    fill(tmp_path / "files")
    with Raw(tmp_path / "files", tmp_path / "data") as raw:
        raw.initialize()
        number = iter(range(10**6))

        def ask(tool: str, arguments: dict[str, Any]) -> Any:
            return raw.call(tool, arguments, next(number))["result"]["structuredContent"]

        def embedded() -> bool:
            found = ask("get_library_status", {})["embedded"]
            return found["done"] >= max(found["total"], 5)

        wait_for(embedded, "all is embedded")
        answer = ask("search_documents", {"query": MEANT})
        assert (answer["mode"], answer["results"][0]["document_slug"]) == ("semantic", "notes")
        assert not re.search("numpy|onnxruntime|tokenizers", mapped(raw.process.pid))
        workers = children(raw.process.pid)
        # Where tesseract is not installed, a reader of pictures holds onnxruntime as well, but no tokenizers.
        holding = [pid for pid in workers if "tokenizers" in mapped(pid)]
        assert len(holding) == 2, "one embeds, one answers"
        for pid in holding:
            os.kill(pid, 9)
        assert ask("search_documents", {"query": MEANT})["results"][0]["document_slug"] == "notes"


def mapped(pid: int) -> str:
    """The memory map of a process (proc(5)), "" of one that has ended meanwhile."""
    try:
        return Path(f"/proc/{pid}/maps").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def test_the_runtime_of_the_model_tells_nobody(tmp_path: Path) -> None:
    """ONNX Runtime's telemetry, on by itself since 1.31, keeps a device id and a queue in the user's cache."""
    code = (
        "import psutil; from sidecar_semantic.worker import embed; assert embed(['a beaver']);"
        "me = psutil.Process(); print([file.path for file in me.open_files() if 'onnx' in file.path.lower()]);"
        "print(me.net_connections())"
    )
    home = {name: str(tmp_path) for name in ("HOME", "USERPROFILE", "XDG_CACHE_HOME", "LOCALAPPDATA", "TMPDIR")}
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **home}, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["[]", "[]"]
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_vectors_have_unit_length_and_do_not_depend_on_their_batch() -> None:
    texts = ["A short one.", "word " * 500, "", "東京都の地図", "A short one."]
    matrix = np.frombuffer(embed(texts), "<f4").reshape(len(texts), 384)
    assert np.linalg.norm(matrix, axis=1) == pytest.approx(1.0, abs=1e-3)
    alone = np.frombuffer(embed(texts[:1]), "<f4")
    assert alone == pytest.approx(matrix[0])
    assert matrix[0] == pytest.approx(matrix[4])


@pytest.mark.parametrize(
    ("question", "knows"),
    [
        ("where do beavers live", True), ("wo wohnen die Biber", True), ("dove vivono i castori", True),
        ("hol élnek a hódok", True), ("hải ly sống ở đâu", True), ("invoice INV-5270", True), ("42 %", True),
        ("", True),
        ("где живут бобры", False), ("πού ζουν οι κάστορες", False), ("بیدسترها کجا زندگی می کنند", False),
        ("ऊदबिलाव कहाँ रहते हैं", False), ("ビーバーはどこに住んでいますか", False), ("비버는 어디에 사나요", False),
        ("настройка printer", False), ("E-120", False), ("x" * 4000, False),
    ],
)  # fmt: skip
def test_a_question_in_a_script_that_the_model_only_spells_is_not_judged_by_meaning(question: str, knows: bool) -> None:
    assert known([question, "where do beavers live"]) == [knows, True]


async def test_a_question_the_model_knows_nothing_of_is_answered_by_words_alone(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    for name, text in (("a", "چاپگر را روشن کنید"), ("b", "گیاهان را آب دهید"), ("c", "Beavers live in streams.")):
        (files / f"{name}.md").write_text(f"# {name}\n\n{text}\n", "utf-8")
    async with in_process(files, tmp_path / "data") as (application, server, _), Client(server) as client:
        await application.embed_once()

        async def asked(query: str) -> tuple[str, list[str]]:
            found = (await client.call_tool("search_documents", {"query": query})).structured_content
            return found["mode"], [one["document_slug"] for one in found["results"]]

        assert await asked("چاپگر") == ("lexical", ["a"])
        assert (await asked("خاموش بماند"))[0] == "semantic", "where words find nothing, what looks alike is a guess"
        assert (await asked("where do beavers live"))[0] == "hybrid"


@pytest.mark.corpus
def test_candidates_by_sign_bits_hold_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    """The two-step search against the exact one, on real embeddings."""
    source = CORPUS / "ir/cisi/corpus.jsonl"
    texts = [" ".join(json.loads(line)["text"].split()[:12]) for line in source.read_text("utf-8").splitlines()][:1200]
    matrix = np.frombuffer(embed(texts), "<f4").reshape(len(texts), 384)
    packed = np.frombuffer(b"".join(pack(matrix)), np.uint8).reshape(len(texts), 388)
    index = VectorIndex(cast(VectorReader, None), "", 384, "passage")
    index.fill(list(range(len(texts))), packed.tobytes())
    monkeypatch.setattr(vectors, "MIN_CANDIDATES", 0)
    monkeypatch.setattr(vectors, "EXACT_ROWS", 10)
    recalls: list[float] = []
    for row in range(0, len(texts), 24):
        exact = set(np.argsort(-(matrix @ matrix[row]))[:25].tolist())
        recalls.append(len(exact & set(index.nearest(matrix[row], 25)[0])) / 25)
    assert np.mean(recalls) >= 0.95


_WORDS = {"[UNK]": 0, "capybara": 1, "rodent": 1, "otter": 2, "weasel": 2}


def own(folder: Path, *, asks: str = "input_ids", facts: dict[str, Any] | None = None, turned: bool = False) -> Path:
    """A model that knows four animals of two kinds: a vector a token, from a table."""
    folder.mkdir()
    ids = helper.make_tensor_value_info(asks, TensorProto.INT64, ["batch", "length"])
    found = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "length", 4])
    rows = np.eye(4, dtype=np.float32)[::-1] if turned else np.eye(4, dtype=np.float32)
    table = helper.make_tensor("table", TensorProto.FLOAT, [4, 4], rows.ravel().tolist())
    node = helper.make_node("Gather", ["table", asks], ["last_hidden_state"])
    graph = helper.make_graph([node], "own", [ids], [found], [table])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), folder / "model.onnx")
    tokenizer = {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"}, "post_processor": None, "decoder": None,
        "model": {"type": "WordLevel", "vocab": _WORDS, "unk_token": "[UNK]"},
    }  # fmt: skip
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    (folder / "config.json").write_text(json.dumps({"hidden_size": 4} if facts is None else facts))
    return folder


async def test_a_model_of_the_users_own_embeds_and_another_one_embeds_anew(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    (files / "a.txt").write_text("capybara")
    (files / "b.txt").write_text("otter")
    seen: list[str] = []
    for name in ("first", "second"):
        settings = {"semantic": {"model": str(own(tmp_path / name, turned=name == "second"))}}
        config = Config(folders=(Folder(files),), data_dir=tmp_path / "data", plugin_settings=settings)
        async with open_application(config) as application:
            await application.index_once()
            assert application.semantic is not None
            embedded: dict[str, Any] = await application.embed_once()
            assert (embedded["done"], embedded["model"], embedded["state"]) == (embedded["total"], name, "idle")
            assert embedded["total"] >= 2
            for query, slug in (("weasel", "b"), ("rodent", "a")):
                answer = await application.library.search(query)
                assert (answer.mode, answer.hits[0].document_slug) == ("semantic", slug)
            seen.append(application.semantic.model)
    assert seen[0] != seen[1]


def test_a_model_that_does_not_fit_is_told_in_a_sentence(tmp_path: Path) -> None:
    other = own(tmp_path / "pixels", asks="pixel_values")
    small = own(tmp_path / "small", facts={"hidden_size": 8})
    (broken := own(tmp_path / "broken")).joinpath("model.onnx").write_bytes(b"no model")
    for folder, says in ((other, "wants pixel_values"), (small, "gives vectors of 4 numbers, not 8"), (broken, "read")):
        described = json.dumps(own_model.describe(str(folder), {}))
        with pytest.raises(UnavailableError, match=says):
            own_model.embed(["capybara"], described)
    (tmp_path / "empty").mkdir()
    (bare := own(tmp_path / "bare", facts={})).joinpath("config.json").unlink()
    (plain := own(tmp_path / "plain")).joinpath("tokenizer.json").unlink()
    for place, says in (
        ("model", "is not a folder"), (str(tmp_path / "empty"), "has no model.onnx"),
        (str(plain), "has no tokenizer.json"), (str(bare), "set `dimensions`"),
    ):  # fmt: skip
        with pytest.raises(ConfigError, match=says):
            own_model.describe(place, {})
    assert own_model.describe(str(bare), {"dimensions": 4}).dimensions == 4


def test_prefixes_stand_before_texts_and_questions(tmp_path: Path) -> None:
    settings = {"passage_prefix": "otter ", "query_prefix": "capybara "}
    described = json.dumps(own_model.describe(str(own(tmp_path / "model")), settings))
    passage, query = (
        np.frombuffer(run(["rodent"], described), "<f4") for run in (own_model.embed, own_model.embed_query)
    )
    assert passage.tolist() == pytest.approx([0, 0.5**0.5, 0.5**0.5, 0])
    assert query.tolist() == [0, 1, 0, 0]
