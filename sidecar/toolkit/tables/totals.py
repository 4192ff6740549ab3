"""Labels of totals, as people write them: of a whole table, of a group, and those that only may be one."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final, Literal

TotalLabel = Literal["", "total", "of a group", "perhaps"]
"""What a label says: nothing of a total, that its row is one, of the group it names, or that it may be one."""

_TOTAL_WORDS = (
    r"grand total|sub-?\s?totals?|totals?|sum|overall total|summe|zwischensumme|gesamt|gesamtsumme|endsumme|insgesamt|"
    r"gesamtergebnis|total général|total general|sous-total|somme|ensemble|σ|∑|average|mean|durchschnitt|mittelwert|"
    r"moyenne|ø|mittel|totale|totale complessivo|somma|suma|suma total|totaal|eindtotaal|total geral|soma|razem|"
    r"suma końcowa|celkem|celkový součet|summa|totalt|totalsumma|i alt|yhteensä|összesen|végösszeg|toplam|genel toplam|"
    r"итого|всего|общий итог|сумма|σύνολο|γενικό σύνολο|合计|总计|小计|总和|合計|総計|小計|總計|합계|총계|소계"
)
_ALL_WORDS = (
    r"all|overall|altogether|combined|aggregate|alles?|zusammen|insg\.|ges\.|tous|toutes|tout|todos|todas|tutti|tutte"
)
_TOTAL = re.compile(rf"(?:{_TOTAL_WORDS})\s*:?", re.IGNORECASE)
_MAYBE_TOTAL = re.compile(
    rf"(?:{_TOTAL_WORDS}|{_ALL_WORDS})(?!\w).*|.*\b(?:totals?|overall|gesamt|summe|ergebnis|insgesamt)\s*:?",
    re.IGNORECASE,
)
_SUM_WORDS = (
    r"(?:sub|grand )?-?\s?totals?|sum|(?:zwischen|gesamt|teil)?summe|gesamt|ergebnis|insgesamt|sous-total|somme|"
    r"totale|suma|totaal|soma|razem|celkem|summa|toplam|итог|итого|всего|сумма|σύνολο"
)
_OF_GROUP = re.compile(
    rf"(?:{_SUM_WORDS})(?:\s+(?:of|for|von|für|de|du|des|di|van))?[\s:]+(?P<after>.+?)\s*:?|"
    rf"(?P<before>.+?)[\s:,-]+(?:{_SUM_WORDS})\s*:?",
    re.IGNORECASE,
)
"""The label of a subtotal that names its group: "Fleet total", "Summe Fuhrpark"."""
_LIKE_TOTAL = re.compile(
    r"tota|sum|som[am]|gesamt|mittel|average|mean|durchschnitt|moyenne|ergebnis|ensemble|[øσ∑]|razem|celk|i alt|"
    r"yhteens|össze|toplam|итог|всего|сумма|σύνολο|[合总總小総][计計]|总和|[합총소]계|"
    r"\ball|overall|altog|combin|aggreg|zusammen|\bges\.|insg|\btou[st]|\btod[oa]s|\btutt[ie]"
)
"""What every label of a total has somewhere, in lower case: quick to look for."""
LABEL_CHARS: Final = 60
"""Longer texts are no labels of rows."""


def total_label(label: str, groups: Collection[str] = ()) -> TotalLabel:
    """What a row's label says. `groups` are the labels above it in lower case, one of which it may name."""
    if len(label) > LABEL_CHARS or not _LIKE_TOTAL.search(label.lower()):
        return ""
    if _TOTAL.fullmatch(label):
        return "total"
    match = _OF_GROUP.fullmatch(label)
    if match is not None and (match["before"] or match["after"]).lower() in groups:
        return "of a group"
    return "perhaps" if _MAYBE_TOTAL.fullmatch(label) else ""
