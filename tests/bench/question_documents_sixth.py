"""The documents that `questions.py --sixth` asks about: a water utility and a public library that share one folder, in
six languages and thirty formats, made anew for every run. Beside the facts asked for stand records of meters and
reminders that are nearly equal, some of which are asked for too, and mails that say little.
"""

from __future__ import annotations

import json
import random
import sys
from datetime import date, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import question_formats as formats

_SEED = 307
_METERS = 60
_REMINDERS = 60
_TALK = (
    ("Biscuits", "Biscuits from Harrow in the control room on {d}."),
    ("Parkausweis", "Wer hat am {d} meinen Parkausweis gesehen?"),
    ("Imprimante", "L'imprimante du sous-sol est en panne depuis le {d}."),
    ("Choir", "The choir sings in the foyer on {d}."),
    ("Bicicleta", "Vendo una bicicleta, preguntad antes del {d}."),
    ("健康診断", "{d}は健康診断です。"),
)


def build(folder: Path) -> Path:
    """`folder`, with all documents below it; nothing is written where it is there already."""
    made = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    others = {**_meters(), **_reminders()}
    return formats.build(folder, made, others, "vellmark.example", small=_TALK, seed=_SEED + 2, first=date(2024, 1, 6))


def _meters() -> dict[str, str]:
    """Records of meters taken out that are all alike."""
    choose = random.Random(_SEED)
    streets = ["Chapel Row", "Old Quarry Lane", "Tanner's Yard", "School Lane", "Mill Street"]
    reasons = ["end of calibration", "glass broken", "stopped", "frost", "customer doubts the reading"]
    made: dict[str, str] = {}
    for number in range(_METERS):
        key, day = f"WM-{20200 + number * 7}", date(2025, 1, 7) + timedelta(days=number * 3)
        made[f"water/meters/{key}.html"] = (
            f"<html><head><title>Meter {key}</title></head><body><h1>Meter {key}</h1>"
            f"<p>{choose.choice(streets)} {choose.randint(1, 90)}, taken out on {day:%d %B %Y}.</p>"
            f"<p>Last reading {choose.randint(200, 9900)} m3. Reason: {choose.choice(reasons)}.</p></body></html>"
        )
    return made


def _reminders() -> dict[str, str]:
    """Reminders of overdue books that are all alike."""
    choose = random.Random(_SEED + 1)
    books = ["Middlemarch", "The Wasp Factory", "Winter Recipes", "Birds of Skye", "Asterix in Britain", "Emil"]
    times = ["First", "Second", "Third"]
    made: dict[str, str] = {}
    for number in range(_REMINDERS):
        key = f"R-{8002 + number * 9}"
        made[f"library/reminders/{key}.txt"] = (
            f"{choose.choice(times)} reminder {key}\n\nReader {choose.randint(10000, 99999)}, {choose.choice(books)}, "
            f"overdue for {choose.randint(4, 60)} days.\n\nTo be paid: {choose.randint(20, 800) / 100:.2f} pounds.\n"
        )
    return made
