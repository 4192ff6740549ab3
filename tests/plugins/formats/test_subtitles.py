"""Subtitles and transcripts: who says what, and when."""

from __future__ import annotations

import pytest
from sidecar_text import TextFormat
from support.formats.plugin_reading import of, read
from support.formats.processor import processor_limit

from sidecar.api import Paragraph, ParsedDocument

TEXT = TextFormat()


def _said(text: str, name: str) -> list[str]:
    return [one.text for one in of(read(TEXT, text, name), Paragraph)]


def test_cues_of_subrip_are_joined_to_what_is_said_without_numbers_and_tags() -> None:
    text = (
        "1\n00:00:01,000 --> 00:00:02,500 X1:40 X2:600\n<i>Good</i> <font color=\"red\">morning</font>,\n\n"
        "2\n00:00:03,000 --> 00:00:04,000\n{\\an8}everybody.\n\n\n"
        "3\n00:01:10,000 --> 00:01:12,000\n5 < 6\n\nand behind a blank line.\n\n"
    )  # fmt: skip
    assert _said(text, "talk.srt") == [
        "[00:00:01] Good morning,\neverybody.",
        "[00:01:10] 5 < 6\nand behind a blank line.",
    ]


def test_a_transcript_says_who_speaks_and_leaves_out_what_is_no_cue() -> None:
    text = (
        "WEBVTT - Weekly meeting\n\nSTYLE\n::cue { color: red }\n\nNOTE not said\n\n"
        "guid/1-0\n00:01.000 --> 00:02.000 align:start\n<v Ada Byron>The budget &amp; the plan</v>\n\n"
        "guid/2-0\n00:02.000 --> 00:03.000\n<v Ada Byron>are done.</v>\n\nNOTE nor this\n\n"
        "01:00:04.000 --> 01:00:05.000\n<v.loud Bob>Fine</v>\n<v Ada Byron>Thanks</v>\n"
    )
    document = read(TEXT, text, "meeting.vtt")
    assert [one.text for one in of(document, Paragraph)] == [
        "[00:00:01] Ada Byron: The budget & the plan\nare done.",
        "[01:00:04] Bob: Fine",
        "[01:00:04] Ada Byron: Thanks",
    ]
    assert document.title == "Weekly meeting"
    assert document.metadata == {"duration": "01:00:05", "speakers": "Ada Byron, Bob"}


def test_names_written_before_what_is_said_are_speakers_where_they_come_again() -> None:
    text = "WEBVTT\n\n" + "".join(
        f"{n}\n00:00:0{n}.000 --> 00:00:0{n}.900\n{line}\n\n"
        for n, line in enumerate(("Ada Byron: One.", "Ada Byron: Two.", "Note: three.", "Bob: Four.", "Bob: Five."), 1)
    )
    assert _said(text, "zoom.vtt") == [
        "[00:00:01] Ada Byron: One.\nTwo.",
        "[00:00:03] Note: three.",
        "[00:00:04] Bob: Four.\nFive.",
    ]


def test_lines_that_roll_up_are_said_once() -> None:
    text = (
        "WEBVTT\nKind: captions\n\n00:00.000 --> 00:02.000 align:start\n \nso <00:00:00.500><c>this</c>\n\n"
        "00:02.000 --> 00:02.010\nso this\n\n00:02.010 --> 00:04.000\nso this\nis it\n"
    )
    assert _said(text, "auto.vtt") == ["[00:00:00] so this\nis it"]


@pytest.mark.parametrize(
    ("name", "text", "title", "said"),
    [
        (
            "film.ass",
            "[Script Info]\nTitle: Lunar\n\n[V4+ Styles]\nFormat: Name, Fontname\nStyle: Main,Arial\n\n[Events]\n"
            "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
            "Dialogue: 0,0:00:09.00,0:00:10.00,Main,,0,0,0,,Later\n"
            "Comment: 0,0:00:01.00,0:00:02.00,Main,,0,0,0,,not shown\n"
            "Dialogue: 1,0:00:01.00,0:00:02.00,Main,,0,0,0,,{\\p1}m 0 0 l 1 1{\\p0}\n"
            "Dialogue: 0,0:00:01.00,0:00:02.00,Main,Ada,0,0,0,,{\\i1}One, two{\\i0},\\Nthree\\hfour\n",
            "Lunar", ["[00:00:01] Ada: One, two,\nthree four", "[00:00:09] Later"],
        ),
        (
            "song.lrc", "[ti:Evening song]\n[ar:Nobody]\n[00:12.00][00:02.5]Moon\n[01:00.00]Star\n",
            "Evening song", ["[00:00:02] Moon", "[00:00:12] Moon", "[00:01:00] Star"],
        ),
        ("clip.sbv", "0:00:01.000,0:00:02.000\nHello\n\n0:00:02.500,0:00:03.000\nthere\n", "",
         ["[00:00:01] Hello\nthere"]),
        ("plain.srt", "No cues\n\nare here.\n", "", ["No cues", "are here."]),
    ],
)  # fmt: skip
def test_other_subtitles(name: str, text: str, title: str, said: list[str]) -> None:
    document: ParsedDocument = read(TEXT, text, name)
    assert [one.text for one in of(document, Paragraph)] == said
    assert document.title == title


def test_what_one_says_for_long_is_parted_at_the_ends_of_sentences() -> None:
    text = "WEBVTT\n\n" + "".join(
        f"00:{n:02}.000 --> 00:{n:02}.900\nThis is sentence number {n} of the speech.\n\n" for n in range(40)
    )
    said = _said(text, "speech.vtt")
    assert 3 < len(said) < 8
    assert all(one.endswith("speech.") for one in said)


@pytest.mark.parametrize("name", ["a.vtt", "a.srt", "a.ass", "a.lrc", "a.sbv"])
@pytest.mark.parametrize("mark", ["<v ", "<v.", "<1", "{\\", "[00:01]", "00:01.000 --> ", "A: ", "Format: a,\n", "a,"])
def test_marks_that_never_end_are_read_in_time(name: str, mark: str) -> None:
    """A second for what takes minutes where each mark looks for its end."""
    heads = {"a.vtt": "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n", "a.srt": "1\n00:00:01,000 --> 00:00:02,000\n"}
    text = heads.get(name, "[Events]\nFormat: Start, End, Text\nDialogue: " if name == "a.ass" else "") + mark * 60_000
    with processor_limit(10):  # some tenths of a second; minutes where it is not linear
        read(TEXT, text, name)


TTML = """<?xml version="1.0"?><!-- made --><tt xmlns="http://www.w3.org/ns/ttml"
 xmlns:ttm="http://www.w3.org/ns/ttml#metadata" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ttp:frameRate="25">
<head><metadata><ttm:title>The talk</ttm:title><ttm:agent xml:id="a">
<ttm:name>Ada</ttm:name></ttm:agent></metadata></head>
<body><div begin="1h"><p begin="90s" end="92.5s" ttm:agent="a">Good <span>morning</span>,<br/>all.</p>
<p begin="00:01:40:12" dur="50f">How is it?</p></div><div><p begin="1500ms" end="2s">Before</p></div></body></tt>"""


def test_timed_text_of_w3c() -> None:
    document: ParsedDocument = read(TEXT, TTML, "talk.ttml")
    said = ["[00:00:01] Before", "[01:01:30] Ada: Good morning,\nall.", "[01:01:40] How is it?"]
    assert [one.text for one in of(document, Paragraph)] == said
    assert (document.title, document.metadata["duration"]) == ("The talk", "01:01:42")


def test_paragraphs_of_timed_text_in_one_another_are_one() -> None:
    inner = '<p begin="1s" end="2s">so <br/>' * 200 + "</p>" * 200
    document = read(TEXT, f'<tt xmlns="http://www.w3.org/ns/ttml"><body><div>{inner}</div></body></tt>', "talk.ttml")
    (one,) = of(document, Paragraph)
    assert one.text.split() == ["[00:00:01]", *["so"] * 200]


def test_timed_text_that_is_broken_is_read_as_text() -> None:
    assert of(read(TEXT, "<tt><body><p>Only", "talk.ttml"), Paragraph)[0].text.endswith("Only")
    with processor_limit(10):  # some tenths of a second; for ever where comments may be parted anyhow
        read(TEXT, "<!-- - -->" * 20_000 + "<tt", "talk.ttml")
