"""SPSS's portable files, written record by record."""

from __future__ import annotations

import pytest
from contract.conformance import outcome
from sidecar_statistics import StatisticsFormat
from support.databases.record_files import portable
from support.databases.record_files import portable_number as number
from support.databases.record_files import portable_string as string
from support.databases.record_files import portable_variable as variable
from support.formats.plugin_reading import of, read

from sidecar.api import DamagedError, Limits, Source, Table

PORTABLE = StatisticsFormat()
# 2024-03-01 is so many seconds after 1582-10-14.
DAY = 13_928_630_400
DICTIONARY = (
    "1" + string("A program") + "4" + number(4) + "5" + number(9) + variable("SEX", 0, 5, "Sex of the animal")
    + "8" + number(9) + variable("NAME", 12, 1) + "B" + string("A") + string("B") + variable("DAY", 0, 20)
    + variable("SHARE", 0, 5) + "D" + number(1) + string("SEX") + number(2) + number(1) + string("male") + number(2)
    + string("female") + "E" + number(2) + string("Zebras of 2024,") + string("counted twice.")
)  # fmt: skip
CASES = (
    number(1) + string("Zebra") + number(DAY) + ".F/" + number(2) + string("") + "*." + " -1.7F-1/"
    + number(7) + string("Okapi/x") + number(DAY) + "1+2/"
)  # fmt: skip
WHOLE = portable(DICTIONARY + "F" + CASES)


@pytest.mark.parametrize("ending", ["\r\n", "\n"])
def test_cases_are_rows_with_the_texts_that_stand_for_values(ending: str) -> None:
    data = portable(DICTIONARY + "F" + CASES, ending)
    assert PORTABLE.score(Source.of_bytes(data, "zebras.por")) == 95
    found = read(PORTABLE, data, "zebras.por")
    cases, variables = of(found, Table)
    assert cases.rows == (
        ("SEX", "NAME", "DAY", "SHARE"),
        ("male", "Zebra", "2024-03-01", "0.5"),
        ("female", "", "", f"{-(1 + 7 / 30 + 15 / 900) / 30:.15g}"),
        ("7", "Okapi/x", "2024-03-01", "900"),
    )
    assert variables.rows[1] == ("SEX", "Sex of the animal", "1 = male; 2 = female")
    assert found.metadata["rows"] == "3"
    assert found.metadata["description"] == "Zebras of 2024,\ncounted twice."


def test_damage_ends_in_the_cases_before_it_or_a_sentence() -> None:
    cut = read(PORTABLE, portable(DICTIONARY + "F" + CASES + number(1) + "5/Ze", "\n").replace(b"Z\n", b""), "a.por")
    assert [notice.code for notice in cut.notices] == ["damaged_part"]
    for records in ("F", DICTIONARY + "?", variable("A", 0, 5) + "D" + "T" * 60, "7" + "1+TT/"):
        with pytest.raises(DamagedError):
            read(PORTABLE, portable(records), "a.por")
    for at in range(450, len(WHOLE), 3):
        for spoiled in (WHOLE[:at], WHOLE[:at] + b"T" + WHOLE[at + 1 :], WHOLE[:at] + b"/" + WHOLE[at + 1 :]):
            outcome(PORTABLE, Source.of_bytes(spoiled, "a.por"), Limits())
