"""The contract of format plugins, held by every one that is installed: class, cheap import, total score, and for any
bytes a valid document or a FormatError: never another exception, never a crash, never a hang."""

from __future__ import annotations

import importlib.metadata
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from contract.conformance import check_document, check_embedded, check_notes, check_plugin_class, check_score
from contract.mutations import bad_cases
from contract.samples import SAMPLES
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.api import FormatError, FormatPlugin, LimitError, Limits, Source

ENTRIES = sorted(importlib.metadata.entry_points(group="docsidecar.formats"), key=lambda entry: entry.name)
NAMES = [entry.name for entry in ENTRIES]
HEAVY = ("lxml", "numpy", "PIL", "pypdfium2", "openpyxl", "docx", "pptx", "markdown_it", "charset_normalizer",
         "onnxruntime")  # fmt: skip
CASE_SECONDS = 120
TESTS = Path(__file__).parent.parent


def load(name: str) -> FormatPlugin:
    return next(entry for entry in ENTRIES if entry.name == name).load()()


@cache
def sample_files(name: str) -> Mapping[str, bytes]:
    """The sound files of a plugin, made once. A third party's plugin without samples is still held to everything
    else."""
    return SAMPLES[name]() if name in SAMPLES else {}


def test_built_in_plugins_are_discovered_and_have_samples() -> None:
    built_in = {entry.name for entry in ENTRIES if entry.dist is not None and entry.dist.name == "docsidecar"}
    assert {"text", "csv", "markdown", "html", "docx", "xlsx", "pptx", "pdf"} <= built_in
    assert built_in <= SAMPLES.keys(), "a built-in plugin without sound samples is hardly tested at all"


@pytest.mark.parametrize("name", NAMES)
def test_the_class_keeps_the_protocol(name: str) -> None:
    check_plugin_class(load(name), name)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "piece", [b"<!-- a -->\n", b"<?a?>", b"<!DOCTYPE a [ ]>", b" ", b"\n", b"<a ", b"{", b"[", b"#"]
)
def test_what_is_repeated_at_the_head_of_a_file_is_no_bait_for_patterns(name: str, piece: bytes) -> None:
    """A pattern that may take the same bytes in several ways would try them all: 2 to the power of their number."""
    plugin = load(name)
    for suffix in (*plugin.suffixes[:1], ".other"):
        source = Source.of_bytes(piece * (60_000 // len(piece)) + b"x", f"a{suffix}")
        assert 0 <= plugin.score(source) <= 100


def test_no_two_plugins_share_a_name() -> None:
    assert len(NAMES) == len(set(NAMES))


@pytest.fixture(scope="module")
def brought_in() -> dict[str, str]:
    """By plugin, what of `HEAVY` is there once its class has been imported and those before it, in one process."""
    code = "\n".join(
        [
            "import importlib, sys",
            f"for name, module, attr in {[(entry.name, entry.module, entry.attr) for entry in ENTRIES]!r}:",
            "    getattr(importlib.import_module(module), attr)()",
            f"    print(name, *[x for x in {HEAVY!r} if x in sys.modules])",
        ]
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return {name: heavy for name, _, heavy in (line.partition(" ") for line in done.stdout.splitlines())}


@pytest.mark.parametrize("name", NAMES)
def test_importing_the_class_is_cheap(name: str, brought_in: dict[str, str]) -> None:
    assert brought_in[name] == "", f"importing the class, or one before it, brings in {brought_in[name]}"


def test_readers_that_may_start_programs_load_no_event_loop() -> None:
    """It would be a fifth of what the first workbook or page of each worker costs."""
    code = (
        "import sys, sidecar_xlsx.results, sidecar_pdf.reading.document; from sidecar.ingest.reading import files; "
        "print(*[x for x in ('asyncio', 'anyio') if x in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "", f"reading brings in {done.stdout.strip()}"


@pytest.mark.parametrize("name", NAMES)
def test_sound_files_are_claimed_and_read(name: str, tmp_path: Path) -> None:
    plugin = load(name)
    for file_name, data in sample_files(name).items():
        path = tmp_path / file_name
        path.write_bytes(data)
        source = Source.of(path)
        assert check_score(plugin, source) >= 50, f"{file_name} is declined"
        document = plugin.parse(source, Limits(ocr=False))
        assert document.parts, f"{file_name} has no parts"
        check_document(document)
        check_notes(document)
        check_embedded(plugin, source, document)
        again = plugin.parse(Source.of_bytes(data, file_name), Limits(ocr=False))
        assert again == document, f"{file_name} reads differently the second time"


@pytest.mark.parametrize("name", NAMES)
def test_the_right_plugin_wins_each_sample(name: str) -> None:
    plugins = {other: load(other) for other in NAMES}
    for file_name, data in sample_files(name).items():
        source = Source.of_bytes(data, file_name)
        scores = {other: plugin.score(source) for other, plugin in plugins.items()}
        best = max(scores.values())
        assert [other for other, score in scores.items() if score == best] == [name], f"{file_name}: {scores}"


@pytest.mark.parametrize("name", NAMES)
def test_a_file_over_the_size_limit_is_refused(name: str) -> None:
    plugin = load(name)
    for file_name, data in sample_files(name).items():
        with pytest.raises(LimitError, match=r"max_(file|expanded)_bytes"):
            limits = Limits(max_file_bytes=5, max_expanded_bytes=5, ocr=False)
            plugin.parse(Source.of_bytes(data, file_name), limits)


@pytest.mark.parametrize("name", NAMES)
def test_few_parts_and_embeds_are_kept_under_tight_limits(name: str) -> None:
    plugin = load(name)
    limits = Limits(max_parts=1, max_embedded=1, max_text_chars=200, ocr=False)
    for file_name, data in sample_files(name).items():
        try:
            document = plugin.parse(Source.of_bytes(data, file_name), limits)
        except FormatError:
            continue
        check_document(document, limits)


@pytest.mark.parametrize("name", NAMES)
def test_bad_files_give_a_document_or_a_format_error(name: str, tmp_path: Path) -> None:
    plugin = load(name)
    foreign: dict[str, bytes] = {}
    for other in NAMES:
        if other != name:
            foreign.update(list(sample_files(other).items())[:1])
    cases = [(case.label, case.name, case.data) for case in bad_cases(sample_files(name), plugin.suffixes, foreign)]
    assert len(cases) > 10
    file = tmp_path / "cases"
    file.write_bytes(pickle.dumps(cases))
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}
    done = subprocess.run(
        [sys.executable, str(TESTS / "contract" / "run_cases.py"), name, str(CASE_SECONDS), str(file)],
        capture_output=True, text=True, timeout=1800, check=False, env=environment, errors="replace",
    )  # fmt: skip
    assert done.returncode == 0, f"the process died (hang, crash) in: {done.stderr[-3000:]}"
    *broken, last = [json.loads(line) for line in done.stdout.splitlines()]
    print(name, last)
    if sample_files(name):  # else all that it is given here may be nothing to it
        # A plugin that refused everything would pass too, and so would one that never looked.
        assert last["outcomes"].get("ParsedDocument", 0) > 0
        assert len(last["outcomes"]) > 1, f"every case gives {last['outcomes']}"
    assert not broken, f"{len(broken)} of {len(cases)} cases: {json.dumps(broken[:12], indent=1)}"


SUFFIXES = sorted({suffix for name in NAMES for suffix in load(name).suffixes} | {"", ".unknown"})


@settings(max_examples=60)
@given(data=st.binary(max_size=300), suffix=st.sampled_from(SUFFIXES))
def test_scores_are_total_over_any_bytes(data: bytes, suffix: str) -> None:
    for name in NAMES:
        check_score(load(name), Source.of_bytes(data, f"file{suffix}"))


SNIPPETS = [
    "\n", "\n\n", "    ", "# ", "===\n", "---\n", "* ", "1. ", "| a | b |\n|--|--|\n", "```\n", "> ", "[x](",
    "]", "`", "**", "$$", "[^1]", "[^1]: ", ".. note::\n\n   ", "::\n\n", "+--+--+\n", "== ==\n",
    "<table><tr><td>", "</td>", "<b>", "<li>", "<ul>", "</ul>", "<math><mi>x</mi>", "&#0;", "<!--", "-->",
    ",", ";", "\"", "\t", "\r\n", "\f", ":::\n", "!!! x\n", "<pre>", "|-\n", "<td rowspan=0 colspan=9>",
    "data:image/png;base64,iVBO", "![](", "#+begin_src\n", "__", "From: a\n", "\n--b\n",
]  # fmt: skip
MARKUP = st.lists(st.one_of(st.text(max_size=12), st.sampled_from(SNIPPETS)), max_size=40)


@pytest.mark.parametrize("suffix", [".txt", ".rst", ".org", ".py", ".csv", ".md", ".html", ".eml"])
@settings(max_examples=60)
@given(pieces=MARKUP)
def test_any_text_gives_a_valid_document(suffix: str, pieces: list[str]) -> None:
    data = "".join(pieces).encode("utf-8", "replace")
    source = Source.of_bytes(data, f"file{suffix}")
    plugin = max((load(name) for name in NAMES), key=lambda plugin: plugin.score(source))
    try:
        document = plugin.parse(source, Limits())
    except FormatError:
        return
    check_document(document)
    check_embedded(plugin, source, document, sound=False)
