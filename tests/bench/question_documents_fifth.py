"""The documents that `questions.py --fifth` asks about: the quality office of a hospital and the repository and office
of a maker of robot arms that share one folder, in five languages and thirty-three formats, made anew for every run.
Beside the facts asked for stand reports of incidents, self-tests and mails that say other things in the same words.
"""

from __future__ import annotations

import json
import random
import sys
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import question_formats as formats

_SEED = 211
_INCIDENTS = 60
_SELFTESTS = 60
_TALK = (
    ("Cake in the office", "Cake beside the printer on {d}."), ("Fortbildung", "Am {d} bin ich auf Fortbildung."),
    ("Salle", "La salle Semmelweis est prise le {d}."), ("Bike rack", "The bike rack is moved on {d}."),
    ("Vacaciones", "Estoy de vacaciones desde el {d}."), ("当直", "{d}の当直を代わってください。"),
)  # fmt: skip


def build(folder: Path) -> Path:
    """`folder`, with all documents below it; nothing is written where it is there already."""
    made = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    others = {**_incidents(), **_selftests()}
    return formats.build(
        folder, made, others, "ternbrigid.example", small=_TALK, seed=_SEED + 2, first=date(2024, 5, 2)
    )


def _incidents() -> dict[str, str]:
    """Reports of incidents that are all alike."""
    choose = random.Random(_SEED)
    wards = ["Surgery 3", "Geriatrics A", "Geriatrics B", "Intensive care", "Dialysis", "Ward 7"]
    what = {
        "Fall": "The patient slipped {n} minutes after the round; the bed alarm was {w}.",
        "Medication": "A dose was given {n} minutes late; the second check was {w}.",
        "Device": "The pump gave an alarm after {n} minutes; the label was {w}.",
        "Transfusion": "The bag arrived {n} minutes after it had been ordered; the form was {w}.",
        "Hygiene": "The dispenser was empty for {n} hours; the sheet of checks was {w}.",
    }
    states = ["off", "missing", "signed", "not read", "in place"]
    made: dict[str, str] = {}
    for number in range(_INCIDENTS):
        key, kind = f"CIRS-{2025000 + number * 7}", choose.choice(sorted(what))
        said = what[kind].format(n=choose.randint(2, 90), w=choose.choice(states))
        made[f"quality/incidents/{key}.html"] = (
            f"<html><head><title>{key}: {kind.lower()}</title></head><body><h1>{key}: {kind.lower()}</h1>"
            f"<p>{choose.choice(wards)}, shift {choose.randint(1, 3)}.</p><h2>What happened</h2><p>{said}</p>"
            f"<h2>Harm</h2><p>Level {choose.randint(0, 3)} of 5.</p></body></html>"
        )
    return made


def _selftests() -> dict[str, str]:
    """Self-tests of arms that are all alike."""
    choose = random.Random(_SEED + 1)
    made: dict[str, str] = {}
    for number in range(_SELFTESTS):
        key = f"T{choose.choice('67')}-{400 + number * 3:04d}"
        axes = [
            {
                "axis": axis,
                "following_error_deg": choose.randint(2, 24) / 10,
                "torque_nm": choose.randint(20, 540) / 10,
                "temperature_celsius": choose.randint(21, 58),
            }
            for axis in range(1, 7)
        ]
        report = {"serial": key, "firmware": f"2.{choose.randint(4, 8)}.{choose.randint(0, 3)}", "axes": axes}
        made[f"tern/selftests/{key}.json"] = json.dumps(report, indent=1)
    return made
