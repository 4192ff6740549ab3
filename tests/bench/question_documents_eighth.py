"""The documents that `questions.py --eighth` asks about: a harbour office on a lake with its ferry and a film festival
that share one folder, in five languages and twenty-one formats, made anew for every run, as those of the seventh.
Journals of the harbour and reports of screenings that are nearly equal stand around them, and mails that say little.
"""

from __future__ import annotations

import json
import random
import sys
from datetime import date, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import question_formats as formats

_SEED = 811
_JOURNALS = 60
_SCREENINGS = 60
_HOST = "lindrach.example"
_TALK = (
    ("Schlüssel", "Wer hat am {d} den Schlüssel der Werkstatt mitgenommen?"),
    ("Scarf found", "A striped scarf was left at the desk on {d}."),
    ("Café", "La machine à café est réparée depuis le {d}."),
    ("Choir", "Choir in the boathouse again from {d}."),
    ("Bicicleta", "Busco bicicleta usada antes del {d}."),
    ("お休み", "{d}はお休みします。"),
)


def build(folder: Path) -> Path:
    """`folder`, with all documents below it; nothing is written where it is there already."""
    made = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    others = {**_journals(), **_screenings()}
    return formats.build(folder, made, others, _HOST, small=_TALK, seed=_SEED + 2, first=date(2025, 12, 5))


def _journals() -> dict[str, str]:
    """Journals of the harbour that are all alike."""
    choose = random.Random(_SEED)
    seen = ["nichts", "Treibholz", "ein leeres Schlauchboot", "Öl auf dem Wasser", "Schwan auf dem Steg", "Nebelbank"]
    made: dict[str, str] = {}
    for number in range(_JOURNALS):
        day = date(2026, 5, 1) + timedelta(days=number * 2)
        made[f"hafen/journal/{day:%Y-%m-%d}.txt"] = (
            f"Hafenjournal {day:%d.%m.%Y}\n\nRundgang {choose.randint(6, 7)}:{choose.randint(10, 58)} "
            f"{choose.choice(['ja', 'vm', 'gh'])}. Steg {choose.choice('ABCD')}: {choose.choice(seen)}.\n"
            f"Wasser {choose.randint(9, 24)} Grad, Wind {choose.randint(2, 31)} Knoten, "
            f"{choose.randint(0, 38)} Gastboote.\n"
        )
    return made


def _screenings() -> dict[str, str]:
    """Reports of screenings that are all alike."""
    choose = random.Random(_SEED + 1)
    rooms = ["Lyric One", "Lyric Two", "Net Loft", "Customs House", "Barge"]
    films = ["Brine", "Kelp", "Cold Slipway", "Nets at Dusk", "The Tar Boiler", "Low Water"]
    made: dict[str, str] = {}
    for number in range(_SCREENINGS):
        key, day = f"SC-{2201 + number * 3}", date(2025, 9, 11) + timedelta(days=number * 6)
        made[f"festival/screenings/{key}.html"] = (
            f"<html><head><title>Screening {key}</title></head><body><h1>Screening {key}</h1>"
            f"<p>{choose.choice(rooms)}, {day:%d %B %Y}: {choose.choice(films)}.</p>"
            f"<h2>House</h2><p>{choose.randint(8, 400)} admissions, {choose.randint(0, 30)} on passes.</p>"
            f"<h2>Remarks</h2><p>The sound was {choose.choice(['low', 'harsh', 'fine', 'late'])}; "
            f"{choose.randint(1, 9)} people asked for their money back.</p></body></html>"
        )
    return made
