"""Ten questions as an assistant goes after them, every token counted, beside what reading the files whole would cost.

usage: walk.py [--data-dir DIR] [--client NAME] [--show] [FOLDER]
                                                       (default: docs of the corpus in DOCSIDECAR_CORPUS, OCR off)
Each question is a walk of calls over real documents, as a model chooses them: a search, and where its passages do not
answer the URI of a hit is read, a table asked by SQL, an element looked at. A walk ends with the first answer that says
what was asked. Counted is what the model of that client (`sidecar/server/client_rules.py`) is given: instructions and
tools once, then each call's name and arguments and its answer. Beside it stands what the text of the file costs that
answered. Exits with 1 where a walk does not come to its answer.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.shared.rawclient import HELLO, RawClient

from sidecar.api import Client
from sidecar.server.client_rules import rules_for
from sidecar.toolkit.answers.tokens import estimate_tokens

HIT = "{uri}"
"""Stands for the URI of the first hit whose document is the one that answers."""
Call = tuple[str, dict[str, Any]]
LAYOFFS = "warn_report_for_7_1_2015_to_03_25_2016__table_p1_1"
CHECKS = "nics_background_checks_2015_11"


class Walk(NamedTuple):
    """A question, the slug of the document that answers, what an answer says, and the calls."""

    ask: str
    slug: str
    says: str
    calls: tuple[Call, ...]


def searched(ask: str, slug: str, says: str) -> Walk:
    """A search, and the place found read where the passages do not say it."""
    return Walk(ask, slug, says, (("search_documents", {"query": ask}), ("read", {"uri": HIT})))


WALKS = (
    searched("How does a standing trustee keep the office and employees safe?", "handbook-872p", "fire alarm"),
    searched("In which year did Microsoft have its first quarterly loss?", "test_wikipedia", "quarterly loss ever"),
    searched("What must be changed on the Boeing 737 MAX before it may fly again?", "federal-register-2020-17221",
             "FCC OPS software"),
    searched("Which Jeep was repaired after the collision and what had its odometer counted?",
             "repair-2022-inv-001_multipage-pdf", "9,800"),
    searched("Where can shareholders of the large Indian company watch the annual meeting online?", "reliance",
             "jiomeet"),
    Walk("How do I protect a PDF with a password?", "encryption-decryption", "writer.encrypt(", (
        ("search_documents", {"query": "How do I protect a PDF with a password?"}),
        ("read", {"uri": "section://encryption-decryption/encrypt"}),
    )),
    Walk("How many employees did the layoffs in California hit from July 2015 to March 2016?",
         "warn-report-for-7-1-2015-to-03-25-2016", "53515", (
             ("find_tables", {"query": "layoffs employees California", "limit": 3}),
             ("query_tables", {"sql": f"SELECT count(*) notices, sum(no_of) employees FROM {LAYOFFS}"}),
         )),
    Walk("Which states had most background checks for handguns in November 2015?", "nics-background-checks-2015-11",
         "Texas", (
             ("find_tables", {"query": "background checks handgun state", "limit": 3}),
             ("query_tables", {"sql": f"SELECT state_territory, handgun FROM {CHECKS} "
                                      "WHERE state_territory NOT LIKE 'Total%' ORDER BY handgun DESC LIMIT 3"}),
         )),
    Walk("Which layout detection models does the LayoutParser paper list?", "layout-parser-paper-with-table",
         "PubLayNet", (
             ("search_visual_elements", {"query": "layout detection models in the LayoutParser model zoo", "limit": 3}),
             ("get_element_details", {"document_slug": "layout-parser-paper-with-table", "element_label": "Table 1"}),
         )),
    Walk("Which chapters has the handbook for chapter 13 trustees?", "handbook-872p", "CHAPTER 5", (
        ("find_document", {"query": "handbook 872p"}),
        ("get_outline", {"document_slug": "handbook-872p", "depth": 1}),
    )),
)  # fmt: skip


class Assistant:
    """A client that counts what its model is given."""

    def __init__(self, client: RawClient, name: str, show: bool) -> None:
        self._client, self._show = client, show
        self._gives = rules_for(Client(name), {}).gives

    def asks(self, tool: str, arguments: dict[str, Any]) -> tuple[str, int, dict[str, Any]]:
        """What the model is given, its tokens with those of the call, and the structured content."""
        result = self._client.request("tools/call", {"name": tool, "arguments": arguments})
        structured = result.get("structuredContent") or {}
        text = "\n".join(block.get("text", "") for block in result["content"])
        written = json.dumps(structured, ensure_ascii=False, separators=(",", ":")) if structured else ""
        said = {"text": text, "structured": written or text}.get(self._gives, f"{text}\n{written}".strip())
        call = json.dumps({"name": tool, "arguments": arguments}, ensure_ascii=False, separators=(",", ":"))
        if self._show:
            print(f"> {call}\n{said}\n")
        return said, estimate_tokens(call) + estimate_tokens(said), structured

    def goes(self, walk: Walk) -> tuple[list[str], int, bool]:
        """The calls made, their tokens, and whether the last one said it."""
        made: list[str] = []
        tokens = 0
        uri = ""
        for tool, arguments in walk.calls:
            given = {key: uri if value == HIT else value for key, value in arguments.items()}
            said, cost, _ = self.asks(tool, given)
            made.append(tool)
            tokens += cost
            if walk.says.casefold() in said.casefold():
                return made, tokens, True
            uri = next((word for word in said.replace('"', " ").split() if f"://{walk.slug}/" in word), uri)
        return made, tokens, False


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--client", default="claude-code")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    folder = options.folder or Path(os.environ.get("DOCSIDECAR_CORPUS", "../shared/corpus")) / "docs"
    HELLO["clientInfo"] = {"name": options.client, "version": "1"}
    with tempfile.TemporaryDirectory() as scratch:
        settings = Path(scratch) / "config.toml"
        settings.write_text("[limits]\nocr = false\n", "utf-8")
        data = options.data_dir or Path(scratch) / "data"
        command = [sys.executable, "-m", "sidecar.cli.main", "--config", str(settings)]
        command += ["--data-dir", str(data.resolve()), "--folder", str(folder.resolve()), "serve"]
        client = RawClient(command)
        try:
            sys.exit(report(client, options.client, options.show))
        finally:
            client.close()


def report(client: RawClient, name: str, show: bool) -> int:
    """Prints the table; 1 where a walk does not come to its answer."""
    assistant = Assistant(client, name, show=False)
    while assistant.asks("get_library_status", {})[2].get("state") != "idle":
        pass
    assistant = Assistant(client, name, show)
    tools = client.request("tools/list", {})["tools"]
    # Schemas are names and brackets that tokenizers join: bytes over 4, as the limit of 4,000 is counted.
    listed = len(json.dumps(tools, ensure_ascii=False, separators=(",", ":")).encode()) // 4
    first = estimate_tokens(client.instructions) + listed
    print(f"instructions {first - listed:,} tokens, tools/list {listed:,}, once a session; client {name}\n")
    print(f"{'tokens':>7} {'whole':>8} {'share':>6}  answered  calls, question")
    spent = whole = failed = 0
    for walk in WALKS:
        made, tokens, found = assistant.goes(walk)
        info = client.request("tools/call", {"name": "get_document_info", "arguments": {"document_slug": walk.slug}})
        costs = int(info["structuredContent"]["tokens"])
        print(
            f"{tokens:7,} {costs:8,} {tokens / costs:6.0%}  {'yes' if found else 'NO':8}  {', '.join(made)}: {walk.ask}"
        )
        spent, whole, failed = spent + tokens, whole + costs, failed + (not found)
    print(f"{spent:7,} {whole:8,} {spent / whole:6.0%}  all ten; {spent + first:,} with instructions and tools")
    return 1 if failed else 0


if __name__ == "__main__":
    main()
