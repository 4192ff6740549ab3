"""The documents that `questions.py --seventh` asks about: a cable car company and a touring chamber orchestra that
share one folder, in five languages and twenty-six formats, made anew for every run. Beside what the other sets hold
there are remarks on cells, mails with files attached, archives, and series of minutes of which the newest counts.
Checks of the line and reports of concerts that are nearly equal stand around them, and mails that say little.
"""

from __future__ import annotations

import json
import random
import sys
from datetime import date, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import question_formats as formats

_SEED = 401
_CHECKS = 60
_CONCERTS = 60
_HOST = "larkhorn.example"
_TALK = (
    ("Kuchen", "Am {d} steht Kuchen von Frau Egger in der Garage."),
    ("Lost glove", "A left glove was found in the coach on {d}."),
    ("Clé", "Qui a pris la clé du local le {d} ?"),
    ("Yoga", "Yoga in the vestry again from {d}."),
    ("Bici", "Vendo mi bici de montaña hasta el {d}."),
    ("欠席", "{d}の練習は欠席します。"),
)


def build(folder: Path) -> Path:
    """`folder`, with all documents below it; nothing is written where it is there already."""
    if folder.exists():
        return folder
    made = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    others = {**_checks(), **_concerts()}
    return formats.build(folder, made, others, _HOST, small=_TALK, seed=_SEED + 2, first=date(2025, 12, 2))


def _checks() -> dict[str, str]:
    """Checks of the line before it opens that are all alike."""
    choose = random.Random(_SEED)
    seen = ["nichts", "Reif auf den Rollen", "ein Ast unter der Linie", "Klappern", "Schnee auf dem Einstieg", "Dohle"]
    made: dict[str, str] = {}
    for number in range(_CHECKS):
        day = date(2025, 12, 6) + timedelta(days=number * 2)
        made[f"bahn/journal/{day:%Y-%m-%d}.txt"] = (
            f"Tagesjournal {day:%d.%m.%Y}\n\nProbefahrt {choose.randint(6, 7)}:{choose.randint(10, 58)} "
            f"{choose.choice(['gt', 'mr', 'bf'])}. Stütze {choose.randint(1, 13)}: {choose.choice(seen)}.\n"
            f"Temperatur {choose.randint(-19, 4)} Grad, Wind {choose.randint(2, 57)} km/h.\n"
        )
    return made


def _concerts() -> dict[str, str]:
    """Reports of concerts that are all alike."""
    choose = random.Random(_SEED + 1)
    towns = ["Stroud", "Ledbury", "Frome", "Wells", "Tewkesbury", "Malvern", "Bruton"]
    works = ["Holst", "Purcell", "Mozart 29", "Martin", "Sallinen", "Britten"]
    made: dict[str, str] = {}
    for number in range(_CONCERTS):
        key, day = f"KC-{1180 + number * 3}", date(2024, 9, 14) + timedelta(days=number * 12)
        made[f"kestrel/concerts/{key}.html"] = (
            f"<html><head><title>Concert {key}</title></head><body><h1>Concert {key}</h1>"
            f"<p>{choose.choice(towns)}, {day:%d %B %Y}, with {' and '.join(choose.sample(works, 2))}.</p>"
            f"<h2>House</h2><p>{choose.randint(60, 410)} seats sold, {choose.randint(0, 40)} given away.</p>"
            f"<h2>Remarks</h2><p>The heating was {choose.choice(['off', 'loud', 'fine', 'broken'])}; "
            f"{choose.randint(1, 9)} people left at the interval.</p></body></html>"
        )
    return made
