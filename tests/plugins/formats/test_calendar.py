"""Calendars and contacts: every entry a chapter with its day, what it says in fields, and what is written into it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from contract.conformance import check_embedded
from contract.markup_samples import calendar_files
from hypothesis import given
from hypothesis import strategies as st
from mcp.client.client import Client
from sidecar_calendar import CalendarFormat
from support.clients.harness import in_process
from support.formats.plugin_reading import read

from sidecar.api import DamagedError, Figure, Limits, ParsedDocument, Part, Source

CALENDAR = CalendarFormat()


def lines(part: Part) -> list[str]:
    return [getattr(block, "text", "") for block in part.blocks]


def events(*said: str) -> ParsedDocument:
    text = "\r\n".join(("BEGIN:VCALENDAR", "BEGIN:VEVENT", *said, "END:VEVENT", "END:VCALENDAR", ""))
    return read(CALENDAR, text, "a.ics")


def test_a_calendar_is_its_entries() -> None:
    document = read(CALENDAR, calendar_files()["team.ics"], "team.ics")
    review, task, fair = document.parts
    assert document.title == "Team"
    assert lines(review)[:-1] == [
        "Review of the bridge, second part",
        "When: Tuesday 2024-03-05 10:00 to 11:30 (Europe/Berlin)",
        "Repeats: every 2 weeks on Tuesday, 5 times",
        "Except: Tuesday 2024-03-19 10:00 (Europe/Berlin)",
        "Where: Room 4",
        "Organizer: Ann Lee <ann@example.org>",
        "Attendees: Bo: the second <bo@example.org> (accepted)",
        "Bring the plans.\nAnd the figures.",
        "Lunch follows.",
    ]
    assert review.metadata == {"author": "Ann Lee <ann@example.org>", "created": "2024-03-05T10:00:00+01:00"}
    assert isinstance(review.blocks[-1], Figure)
    assert lines(task) == ["Order gaskets", "Due: Monday 2024-04-01", "Status: NEEDS-ACTION"]
    assert lines(fair) == ["Fair", "When: Friday 2024-05-10 to Sunday 2024-05-12"]


def test_a_description_that_is_html_alone_is_read_as_such() -> None:
    [event] = events(
        "SUMMARY:Fair", r"X-ALT-DESC;FMTTYPE=text/html:<p>Bring <b>plans</b>.</p><p hidden>Not this.</p>"
    ).parts
    assert lines(event) == ["Fair", "Bring plans."]
    [event] = events("SUMMARY:Fair", "DESCRIPTION:In words", "X-ALT-DESC;FMTTYPE=text/html:<p>In HTML</p>").parts
    assert lines(event) == ["Fair", "In words"]


def test_contacts_are_read_in_both_ways_of_writing() -> None:
    ana, joerg = read(CALENDAR, calendar_files()["people.vcf"], "people.vcf").parts
    assert lines(ana)[:-1] == [
        "Dr. Ana María Ríos",
        "Organization: Puentes SA, Diseño",
        "Email (work): ana@example.org",
        "Phone (cell): +34 600 000 001",
        "Phone (Assistant): +34 600 000 002",
        "Postal address (home): Calle Mayor 3, Soria, 42001, Spain",
        "Birthday: Friday 1980-02-29",
        "Met at the fair; likes arches.",
    ]
    assert isinstance(ana.blocks[-1], Figure)
    assert lines(joerg) == ["Jörg Müller", "Phone (work): +49 30 1"]


@pytest.mark.parametrize("name", ["team.ics", "people.vcf"])
def test_what_is_written_into_an_entry_opens(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(calendar_files()[name])
    source = Source.of(tmp_path / name)
    document = CALENDAR.parse(source, Limits())
    assert [one.media_type for one in document.embedded] == ["image/png"]
    check_embedded(CALENDAR, source, document)


@pytest.mark.parametrize(
    ("said", "line"),
    [
        (("DTSTART:20240305T230000Z", "DURATION:PT2H"), "Tuesday 2024-03-05 23:00 to Wednesday 2024-03-06 01:00 (UTC)"),
        (("DTSTART;VALUE=DATE:20240305",), "Tuesday 2024-03-05, all day"),
        (("DTSTART;TZID=Eastern Standard Time:20240305T090000",), "Tuesday 2024-03-05 09:00 (Eastern Standard Time)"),
        (("DTSTART:20241399T000000",), "20241399T000000"),
    ],
)  # fmt: skip
def test_when_something_is(said: tuple[str, ...], line: str) -> None:
    assert lines(events("SUMMARY:x", *said).parts[0])[1] == f"When: {line}"


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("FREQ=DAILY", "every day"),
        ("FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20241231", "every month on last Friday, until Tuesday 2024-12-31"),
        ("FREQ=MONTHLY;BYMONTHDAY=1,15", "every month on day 1, 15 of the month"),
        ("FREQ=YEARLY;BYMONTH=3;BYDAY=2SU", "FREQ=YEARLY;BYMONTH=3;BYDAY=2SU"),
        ("FREQ=NEVER", "FREQ=NEVER"),
    ],
)
def test_how_often_something_is(rule: str, line: str) -> None:
    assert f"Repeats: {line}" in lines(events("SUMMARY:x", f"RRULE:{rule}").parts[0])


def test_a_calendar_cut_short_is_read_and_says_so() -> None:
    document = read(CALENDAR, calendar_files()["team.ics"][:700], "team.ics")
    assert document.parts[0].title == "Review of the bridge, second part"
    assert [notice.code for notice in document.notices] == ["damaged_part"]


@given(st.binary(max_size=400) | st.text(max_size=400).map(str.encode))
def test_nothing_written_between_begin_and_end_breaks_the_reader(data: bytes) -> None:
    for kind in (b"VCALENDAR\nBEGIN:VEVENT", b"VCARD"):
        try:
            read(CALENDAR, b"BEGIN:" + kind + b"\n" + data, "a.ics")
        except DamagedError:
            continue


async def test_events_are_found_by_what_they_say_and_by_their_day(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    for name, data in calendar_files().items():
        (tmp_path / "files" / name).write_bytes(data)
    invitation = (
        b"From: ann@example.org\r\nTo: bo@example.org\r\nSubject: Invitation\r\nMIME-Version: 1.0\r\n"
        b'Content-Type: multipart/alternative; boundary="b"\r\n\r\n'
        b"--b\r\nContent-Type: text/plain\r\n\r\nPlease come.\r\n"
        b"--b\r\nContent-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n"
        b"SUMMARY:Ostrich parade\r\nDTSTART:20240601T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n--b--\r\n"
    )
    (tmp_path / "files" / "invitation.eml").write_bytes(invitation)

    async def main() -> None:
        async with (
            in_process(tmp_path / "files", tmp_path / "data") as (_, server, _),
            Client(server, mode="auto") as client,
        ):

            async def found(query: str) -> list[tuple[str, str]]:
                answer = await client.call_tool("search_documents", {"query": query})
                results: list[dict[str, Any]] = (answer.structured_content or {})["results"]
                return [(hit["document_slug"], hit["uri"]) for hit in results]

            assert (await found("bring the plans"))[0][0] == "team"
            assert [slug for slug, _ in await found("fair after:2024-05-01 before:2024-06-01")] == ["team"]
            assert [slug for slug, _ in await found("bridge author:ann")] == ["team"]
            assert [slug for slug, _ in await found("arches type:contact")] == ["people"]
            assert (await found("ostrich parade"))[0] == ("invitation", "embed://invitation/0.md?part=1")

    await main()


def test_a_name_behind_a_nickname_is_told() -> None:
    cards = ("FN:Annie\nN:Smith;Anna;;;", "FN:Bob Lee\nN:Lee;Bob;;;")
    card = "".join(f"BEGIN:VCARD\nVERSION:3.0\n{one}\nEND:VCARD\n" for one in cards)
    annie, bob = read(CALENDAR, card, "people.vcf").parts
    assert any("Name: Smith Anna" in line for line in lines(annie))
    assert not any("Name:" in line for line in lines(bob))


def test_events_inside_events_are_read_as_where_an_end_is_missing() -> None:
    first, second = "BEGIN:VEVENT\nSUMMARY:Fair\n", "BEGIN:VEVENT\nSUMMARY:Dance\nEND:VEVENT\n"
    document = read(CALENDAR, f"BEGIN:VCALENDAR\n{first}{second}END:VEVENT\nEND:VCALENDAR\n", "a.ics")
    assert [part.title for part in document.parts] == ["Fair", "Dance"]
