"""The documents that `questions.py --third` asks about: a theatre, a fire brigade, a bakery, a cycling club, a railway
and a botanical garden that share one folder, in five languages and eleven formats, made anew for every run. Beside the
facts asked for stand programmes, diaries and mails that say other things in the same words.
"""

from __future__ import annotations

import json
import random
import sys
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import question_formats as formats

_SEED = 83
_PROGRAMMES = 60
_DIARIES = 60
_TALK = (
    ("Lost glove", "A glove was found in row K on {d}."), ("Kaffee", "Am {d} ist der Kaffee alle gewesen."),
    ("Parking", "Who left a van before the gate on {d}?"), ("Vestiaire", "La porte du vestiaire grince depuis le {d}."),
    ("Foto", "Las fotos de la salida del {d} ya se pueden ver."), ("会議", "{d}の会議は中止です。"),
)  # fmt: skip


def build(folder: Path) -> Path:
    """`folder`, with all documents below it; nothing is written where it is there already."""
    made = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    others = {**_programmes(), **_diaries()}
    return formats.build(folder, made, others, "limelight.example", small=_TALK, seed=_SEED + 2, first=date(2024, 1, 5))


def _programmes() -> dict[str, str]:
    """Programmes of old plays that are all alike."""
    choose = random.Random(_SEED)
    plays = ["Hamlet", "The Rivals", "Macbeth", "Charley's Aunt", "Rebecca", "Dracula", "Hay Fever", "Amadeus"]
    parts = ["the ghost", "a maid", "the doctor", "the captain", "a sailor", "the queen", "a footman"]
    made: dict[str, str] = {}
    for number in range(_PROGRAMMES):
        key = f"TP-{1900 + number * 2}"
        made[f"theatre/archive/{key}.md"] = (
            f"# {choose.choice(plays)}\n\nProgramme no. {key}, price {choose.randint(1, 9)} shillings. "
            f"{choose.randint(3, 40)} performances.\n\n## Cast\n\n{choose.randint(6, 24)} players; "
            f"{choose.choice(parts)} and {choose.choice(parts)} were played by the same actor.\n"
        )
    return made


def _diaries() -> dict[str, str]:
    """What is written down every week, in the languages of the folder."""
    choose = random.Random(_SEED + 1)
    said = [
        "{n} tickets were sold at the door.", "The lamps burnt {n} hours.", "{n} seeds were sown in the nursery.",
        "Der Trupp übte {n} Minuten mit Maske.", "{n} Schläuche wurden gewaschen.",
        "Am Fahrzeug wurde {n} Liter Öl nachgefüllt.",
        "{n} baguettes sont restées en vitrine.", "Le four a chauffé {n} minutes.",
        "{n} socios salieron a la ruta.", "Se cambiaron {n} cadenas en el taller.",
        "列車は{n}分遅れました。", "売店の弁当は{n}個でした。",
    ]  # fmt: skip
    made: dict[str, str] = {}
    for week in range(1, _DIARIES + 1):
        lines = [choose.choice(said).format(n=choose.randint(2, 80)) for _ in range(6)]
        made[f"diaries/week-{week:02d}.md"] = f"# Diary of week {week}\n\n" + "\n\n".join(lines) + "\n"
    return made
