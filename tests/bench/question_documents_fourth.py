"""The documents that `questions.py --fourth` asks about: the repository of a message broker and the office of a
consultancy that share one folder, in five languages and twenty formats, made anew for every run. Beside the facts asked
for stand tickets, invoices and mails that say other things in the same words.
"""

from __future__ import annotations

import json
import random
import sys
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import question_formats as formats

_SEED = 131
_TICKETS = 60
_INVOICES = 60
_TALK = (
    ("Build", "The build of {d} is red again."), ("Kaffeemaschine", "Seit dem {d} tropft die Kaffeemaschine."),
    ("Clé du local", "J'ai rendu la clé du local le {d}."), ("Standup", "No standup on {d}, I am at the dentist."),
    ("Aparcamiento", "El {d} no se puede aparcar en el patio."), ("歓迎会", "{d}に歓迎会があります。"),
)  # fmt: skip


def build(folder: Path) -> Path:
    """`folder`, with all documents below it; nothing is written where it is there already."""
    made = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    others = {**_tickets(), **_invoices()}
    return formats.build(folder, made, others, "orrin.example", small=_TALK, seed=_SEED + 2, first=date(2024, 1, 4))


def _tickets() -> dict[str, str]:
    """Tickets that are all alike."""
    choose = random.Random(_SEED)
    parts = ["broker", "gateway", "janitor", "console", "client", "operator", "snapshot job"]
    faults = ["restarts after {n} minutes", "logs {n} warnings", "needs {n} seconds to answer", "loses {n} messages"]
    states = ["open", "closed as duplicate", "waiting for the reporter", "fixed"]
    made: dict[str, str] = {}
    for number in range(_TICKETS):
        key, part = f"LQ-{1200 + number * 13}", choose.choice(parts)
        fault = choose.choice(faults).format(n=choose.randint(2, 90))
        made[f"larkmq/tickets/{key}.md"] = (
            f"# {key}: {part} {fault}\n\nSeen on lark-node-{choose.randint(10, 40)} with version "
            f"3.{choose.randint(0, 9)}.{choose.randint(0, 9)}.\n\n## State\n\n{choose.choice(states).capitalize()}.\n"
        )
    return made


def _invoices() -> dict[str, str]:
    """Invoices of other years that are all alike."""
    choose = random.Random(_SEED + 1)
    clients = ["Halvorsen Shipping AS", "Polarbyte", "Stadtwerke Murnau", "Teatro Olmo", "Norden Re"]
    works = ["workshop", "travel", "study of the market", "interviews", "coaching"]
    made: dict[str, str] = {}
    for number in range(_INVOICES):
        key = f"OV-{choose.randint(19, 23)}-{100 + number * 7:04d}"
        made[f"office/invoices/old/{key}.txt"] = (
            f"Invoice {key}\n\n{choose.choice(clients)}\n\n{choose.choice(works).capitalize()}, "
            f"{choose.randint(1, 20)} days, {choose.randint(8, 200) * 100} euros net.\n\nPayable within thirty days.\n"
        )
    return made
