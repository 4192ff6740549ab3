"""The documents that `questions.py --second` asks about: a museum, a clinic, a vineyard, a music school, an inn and a
tide station that share one folder, in five languages and eleven formats, made anew for every run. Beside the facts
asked for stand cards, logs and mails that say other things in the same words.
"""

from __future__ import annotations

import json
import random
import sys
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import question_formats as formats

_SEED = 47
_CARDS = 60
_LOGS = 52
_TALK = (
    ("Cake", "There is cake in the kitchen on {d}."), ("Fahrrad", "Wessen Fahrrad steht am {d} vor der Tür?"),
    ("Clés", "J'ai oublié mes clés le {d}."), ("Llaves", "He perdido las llaves el {d}."),
    ("Printer", "The printer has no toner since {d}."), ("Urlaub", "Ich bin am {d} nicht da."),

)  # fmt: skip


def build(folder: Path) -> Path:
    """`folder`, with all documents below it; nothing is written where it is there already."""
    made = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    others = {**_cards(), **_logs()}
    return formats.build(folder, made, others, "quay.example", small=_TALK, seed=_SEED + 2, first=date(2024, 1, 3))


def _cards() -> dict[str, str]:
    """Cards of objects that are all alike."""
    choose = random.Random(_SEED)
    things = ["compass", "oilskin", "net needle", "ship model", "tide table", "sail plan", "oar", "pilot's cap"]
    states = ["sound", "worm-eaten", "repaired", "faded", "on loan", "in the store"]
    cards: dict[str, str] = {}
    for number in range(_CARDS):
        key = f"HM-{4000 + number * 17}"
        thing, year = choose.choice(things), choose.randint(1790, 1950)
        cards[f"museum/cards/{key}.md"] = (
            f"# {thing.capitalize()}\n\nInventory no. {key}, about {year}. Value {choose.randint(20, 900)} pounds.\n\n"
            f"## Condition\n\nThe {thing} is {choose.choice(states)}. Room {choose.randint(1, 29)}.\n"
        )
    return cards


def _logs() -> dict[str, str]:
    """What is written down every week, in the languages of the folder."""
    choose = random.Random(_SEED + 1)
    said = [
        "{n} visitors asked for the lightship.", "The boat lift made {n} lifts.", "Gauge: {n} gaps were filled.",
        "{n} Hunde und {m} Katzen wurden behandelt.", "Der Techniker kam {n} Minuten zu spät.",
        "{n} bouteilles ont été vendues au caveau.", "On a taillé {n} rangs.",
        "{n} alumnos faltaron a clase.", "Se afinaron {n} instrumentos.", "お客様は{n}名、食事は{m}食でした。",
        "The volunteers worked {n} hours.", "Der Käfig {n} wurde gereinigt.",
    ]  # fmt: skip
    logs: dict[str, str] = {}
    for week in range(1, _LOGS + 1):
        lines = [choose.choice(said).format(n=choose.randint(2, 80), m=choose.randint(2, 80)) for _ in range(6)]
        logs[f"logs/2024-W{week:02d}.md"] = f"# Log of week {week}\n\n" + "\n\n".join(lines) + "\n"
    return logs
