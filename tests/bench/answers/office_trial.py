"""The trial documents' tokens side by side: found by `read`, by `search_documents` (and by which URI), by peers' text.

    python tests/bench/answers/office_trial.py [--peers PYTHON] [--all]

`--peers` is a Python that has markitdown and kreuzberg installed (kreuzberg with every option on that shows more).
Prints the tokens somebody lost, or with `--all` every token; and the totals.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from mcp.client.client import Client
from support.clients.harness import in_process
from support.office.docx_files import packed
from support.trials import pptx_trial, xlsx_trial
from support.trials.office_trials import Finding, find_all, shows, trials

PEERS = ("markitdown", "kreuzberg")
_PEER = """
import json, logging, sys, warnings
warnings.simplefilter("ignore")
logging.disable()
name, files = sys.argv[1], json.loads(sys.stdin.read())
if name == "markitdown":
    from markitdown import MarkItDown
    convert = MarkItDown(enable_plugins=False).convert
    read = lambda file: convert(file).markdown
else:
    import kreuzberg
    config = kreuzberg.ExtractionConfig(use_cache=False, include_document_structure=True)
    def read(file):
        result = kreuzberg.extract_file_sync(file, config=config)
        return "\\n".join(str(x) for x in (result.content, result.metadata, result.tables, getattr(result, "document", "")))
answer = []
for file in files:
    try:
        answer.append(read(file))
    except Exception as error:
        print(f"{name} refuses {file}: {error}", file=sys.stderr)
        answer.append("")
print(json.dumps(answer))
"""  # noqa: E501  (runs as it stands)


async def ours(folder: Path) -> list[list[Finding]]:
    async with (
        in_process(folder, folder.parent / "data") as (_, server, _),
        Client(server, mode="auto", cache=None) as client,
    ):
        return [await find_all(client, trial) for trial in trials()]


def theirs(python: str, name: str, folder: Path) -> list[str]:
    """The peer's text of each trial."""
    files = [str(folder / trial.name.replace(".xlsm", ".xlsx")) for trial in trials()]
    done = subprocess.run(
        [python, "-c", _PEER, name], input=json.dumps(files), stdout=subprocess.PIPE, text=True, check=True,
        encoding="utf-8",
    )  # fmt: skip
    return json.loads(done.stdout.strip().splitlines()[-1])


def for_peers(folder: Path) -> Path:
    """The same files as peers can take them: the workbook without macros, since markitdown reads no .xlsm, and no
    linked picture in the presentation, since kreuzberg refuses all of it for that."""
    folder.mkdir()
    word, _, _ = trials()
    (folder / word.name).write_bytes(word.data)
    book = xlsx_trial.trial_parts()
    book["[Content_Types].xml"] = str(book["[Content_Types].xml"]).replace(
        "application/vnd.ms-excel.sheet.macroEnabled.main+xml", f"{xlsx_trial.OFFICE}.spreadsheetml.sheet.main+xml"
    )
    del book["xl/vbaProject.bin"]
    (folder / "excel.xlsx").write_bytes(packed(book))
    content = pptx_trial.parts()
    slide = str(content["ppt/slides/slide2.xml"])
    content["ppt/slides/slide2.xml"] = slide.replace("<a:blip r:link='rLinked'/>", "<a:blip r:embed='rImage'/>")
    (folder / "slides.pptx").write_bytes(packed(content))
    return folder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", help="a Python with markitdown and kreuzberg")
    parser.add_argument("--all", action="store_true", help="print every token, not only those somebody lost")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        documents = Path(made) / "documents"
        documents.mkdir()
        for trial in trials():
            (documents / trial.name).write_bytes(trial.data)
        found = asyncio.run(ours(documents))
        names = PEERS if options.peers else ()
        plain = for_peers(Path(made) / "plain") if names else documents
        texts = {name: theirs(options.peers, name, plain) for name in names}
    for number, (trial, findings) in enumerate(zip(trials(), found, strict=True)):
        print(f"\n{trial.name}")
        kept = {name: [shows(texts[name][number], one.token) for one in findings] for name in names}
        for row, one in enumerate(findings):
            others = "  ".join(f"{name} {'yes' if kept[name][row] else 'no '}" for name in names)
            if options.all or not (one.read and one.hit):
                print(f"  {one.place:38} {others}  read {one.read or 'NOT FOUND'}  search {one.hit or 'NOT FOUND'}")
        print(
            f"  of {len(findings)}: read {sum(bool(one.read) for one in findings)}, "
            f"search {sum(bool(one.hit) for one in findings)}"
            + "".join(f", {name} {sum(kept[name])}" for name in names)
        )


if __name__ == "__main__":
    main()
