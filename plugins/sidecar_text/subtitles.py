"""Subtitles and transcripts of meetings: SubRip (.srt), WebVTT (W3C, .vtt), TTML (W3C, .ttml, .dfxp), SubStation Alpha
(.ass, .ssa), YouTube's .sbv and lyrics (.lrc). Cues become paragraphs of what one speaker says on end, each with the
time it begins at."""

import html
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sidecar.api import DamagedError, Paragraph, Span
from sidecar.toolkit.xml import XmlElement, local_name, parse_xml, words_of

_CLOCK: Final = r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?"
_TIMES: Final = re.compile(rf"[ \t]*{_CLOCK}[ \t]*(?:-->|,)[ \t]*{_CLOCK}(?:[ \t].*)?$")
_LYRIC: Final = re.compile(r"\[(\d{1,3}):(\d{1,2})(?:[.:](\d{1,3}))?\]")
_LYRIC_FACT: Final = re.compile(r"\[(ti|ar|al|by|au):([^\]\n]*)\]\s*$")
_VOICE: Final = re.compile(r"<v(?:\.[^\s<>]{0,100})?[ \t]{1,10}([^<>\n]{1,200})>")
_TAG: Final = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>|<\d[\d:.]{0,20}>|</?>|\{\\[^{}\n]{0,200}\}")
_NAMED: Final = re.compile(r"([^\W\d_][\w .,'’()-]{0,48}):[ \t]+(?=\S)")
_IS_TTML: Final = re.compile(r"\s*+(?>(?:<\?.*?\?>|<!--.*?-->)\s*+)*+<(?:\w+:)?tt\b", re.DOTALL)
_OFFSET: Final = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(h|m|s|ms|f|t)$")
_UNITS: Final = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_FRAMES: Final = re.compile(r":\d{1,3}(?:\.\d+)?$")
_WIDE: Final = re.compile(r"\\[Nn]")
_FACTS: Final = {"ti": "title", "ar": "artist", "al": "album", "by": "creator", "au": "author"}
_PAUSE: Final = 4.0
"""Seconds of silence after which a paragraph begins anew."""
_AT_ONCE: Final = 0.05
"""Seconds between captions that roll up."""
_FULL: Final = 300
"""Characters after which a paragraph ends with its sentence; at three times as many it ends anyhow."""
_OFTEN: Final = 2
"""Cues that a name begins before it is taken for a speaker's."""


@dataclass(frozen=True)
class _Cue:
    """What is said from `start` to `end`, in seconds, by `speaker` ("" where nobody is named)."""

    start: float
    end: float
    speaker: str
    text: str


def read_subtitles(text: str) -> tuple[list[Paragraph], dict[str, str]]:
    """A paragraph a stretch, and the metadata; [] where there are no cues."""
    facts: dict[str, str] = {}
    if _IS_TTML.match(text):
        cues = list(_timed_text(text, facts))
    elif re.search(r"^\[Events\]", text, re.MULTILINE):
        cues = list(_substation(text, facts))
    elif _LYRIC.match(text.lstrip()) or _LYRIC_FACT.match(text.lstrip().partition("\n")[0]):
        cues = list(_lyrics(text, facts))
    else:
        cues = list(_timed(text, facts))
    cues = [cue for cue in _with_speakers(_rolled(cues)) if cue.text]
    if cues:
        facts["duration"] = _clock(max(cue.end for cue in cues))
        speakers = list(dict.fromkeys(cue.speaker for cue in cues if cue.speaker))
        if speakers:
            facts["speakers"] = ", ".join(speakers[:50])
    return [_paragraph(stretch) for stretch in _joined_cues(cues)], facts


def _timed(text: str, facts: dict[str, str]) -> Iterator[_Cue]:
    """Cues of SubRip, WebVTT and .sbv: a line of two times, then lines of text up to a blank one. SubRip has no more
    rules than that, so that there what stands behind a blank line goes on."""
    lines = text.split("\n")
    is_web = lines[0].startswith("WEBVTT")
    if is_web and (title := lines[0][6:].strip(" \t-")):
        facts["title"] = title
    times: re.Match[str] | None = None
    spoken: list[str] = []
    for line in lines:
        found = _TIMES.match(line)
        if found is None:
            spoken.append(line)
            continue
        if times is not None:
            yield from _cues(times, _cue_lines(spoken, is_web=is_web, is_last=False))
        times, spoken = found, []
    if times is not None:
        yield from _cues(times, _cue_lines(spoken, is_web=is_web, is_last=True))


def _cue_lines(lines: list[str], *, is_web: bool, is_last: bool) -> str:
    """Of the lines between two times what the first of them is about: the last line may be the name of the next cue,
    and what stands apart are remarks and styles."""
    if not is_last and lines:
        is_number, is_apart = lines[-1].strip().isdecimal(), lines[-2:-1] == [""]
        lines = lines[:-1] if is_number or (is_web and is_apart) else lines
    if is_web and "" in lines:
        lines = lines[: lines.index("")]
    return "\n".join(lines)


def _cues(times: re.Match[str], spoken: str) -> Iterator[_Cue]:
    """One for each voice in it."""
    numbers = times.groups()
    start, end = _seconds(*numbers[:4]), _seconds(*numbers[4:8])
    before, *voices = _VOICE.split(spoken)
    if not voices or before.strip():
        yield _Cue(start, end, "", _plain(before))
    for name, text in zip(voices[::2], voices[1::2], strict=True):
        yield _Cue(start, end, html.unescape(name).strip(), _plain(text))


def _substation(text: str, facts: dict[str, str]) -> Iterator[_Cue]:
    """The dialogue of a script of SubStation Alpha; what a comment says is not shown and left out."""
    names: list[str] = []
    cues: list[_Cue] = []
    for line in text.split("\n"):
        kind, _, rest = line.partition(":")
        if kind == "Title" and "title" not in facts and rest.strip():
            facts["title"] = rest.strip()
        elif kind == "Format":  # that of the events is the last
            names = [name.strip().lower() for name in rest.split(",")]
        elif kind == "Dialogue" and names:
            row = dict(zip(names, rest.split(",", len(names) - 1), strict=False))
            begun, ended = (re.search(_CLOCK, row.get(name, "")) for name in ("start", "end"))
            if begun and ended and "\\p1" not in row.get("text", ""):  # \p1: the text is a drawing
                spoken = _plain(_WIDE.sub("\n", row.get("text", "")).replace("\\h", " "))
                name = row.get("name", row.get("actor", "")).strip()
                cues.append(_Cue(_seconds(*begun.groups()), _seconds(*ended.groups()), name, spoken))
    yield from sorted(cues, key=lambda cue: cue.start)  # written in any order, by style or by layer


def _timed_text(text: str, facts: dict[str, str]) -> Iterator[_Cue]:
    """The paragraphs of TTML (W3C, Timed Text Markup Language 2); what an element around them begins at counts for
    them, too. Those without a time are read as well."""
    try:
        root = parse_xml(text.encode("utf-8", "replace"), "The file")
    except DamagedError:
        return
    rates = {_attribute(name): value for name, value in root.attrib.items()}
    units = {
        **_UNITS, "f": 1 / max(_number(rates.get("frameRate", "")), 1.0),
        "t": 1 / max(_number(rates.get("tickRate", "")), 1.0),
    }  # fmt: skip
    agents: dict[str, str] = {}
    cues: list[_Cue] = []
    open_nodes = [(root, 0.0)]
    while open_nodes:
        node, around = open_nodes.pop()
        kind = local_name(node)
        own = {_attribute(name): value for name, value in node.attrib.items()}
        start = around + _time(own.get("begin", ""), units)
        if kind == "title":
            facts["title"] = facts.get("title") or _words(node)
        elif kind == "agent":
            agents[own.get("id", "")] = _words(node)
        elif kind == "p":
            end = around + _time(own["end"], units) if "end" in own else start + _time(own.get("dur", ""), units)
            cues.append(_Cue(start, end, agents.get(own.get("agent", ""), ""), _lines(node)))
        else:  # what is in those three is theirs; read again, paragraphs in one another would take the square
            open_nodes += [(child, start) for child in node.iterchildren("*")][::-1]
    yield from sorted(cues, key=lambda cue: cue.start)


def _words(node: XmlElement) -> str:
    return words_of(node)


def _attribute(name: str) -> str:
    """An attribute's name without its namespace."""
    return name.rpartition("}")[2]


def _time(text: str, units: Mapping[str, float]) -> float:
    """A time of TTML in seconds: of a clock, whose last part may count frames, or an offset with its unit."""
    if offset := _OFFSET.match(text.strip()):
        return float(offset[1]) * units[offset[2]]
    clock = re.match(_CLOCK, text if text.count(":") < 3 else _FRAMES.sub("", text))
    return _seconds(*clock.groups()) if clock else 0.0


def _number(text: str) -> float:
    return float(text[:9]) if text.isascii() and text.isdecimal() else 30.0


def _lines(node: XmlElement) -> str:
    """The words of a paragraph, its breaks as such."""
    for line_break in node.iter("{*}br"):
        line_break.text = "\u2028"
    words = "".join(node.itertext())
    return "\n".join(filter(None, (" ".join(line.split()) for line in words.split("\u2028"))))


def _lyrics(text: str, facts: dict[str, str]) -> Iterator[_Cue]:
    """Lines of lyrics; one that is sung again has several times."""
    cues: list[_Cue] = []
    for line in text.split("\n"):
        fact = _LYRIC_FACT.match(line.strip())
        if fact:
            facts[_FACTS[fact[1]]] = fact[2].strip()
            continue
        spoken = _plain(_LYRIC.sub("", line))
        for found in _LYRIC.finditer(line):
            start = _seconds(None, *found.groups())
            cues.append(_Cue(start, start, "", spoken))
    yield from sorted(cues, key=lambda cue: cue.start)


def _rolled(cues: Sequence[_Cue]) -> Iterator[_Cue]:
    """Without the lines that captions made while somebody speaks show again with the next one."""
    shown, ended = list[str](), 0.0
    for cue in cues:
        lines = cue.text.split("\n")
        follows = cue.start - ended <= _AT_ONCE and cue.end > cue.start
        again = follows and next((n for n in range(min(len(shown), len(lines)), 0, -1) if shown[-n:] == lines[:n]), 0)
        shown, ended = lines, cue.end
        yield _Cue(cue.start, cue.end, cue.speaker, "\n".join(lines[again:])) if again else cue


def _with_speakers(cues: Iterator[_Cue]) -> Iterator[_Cue]:
    """Names written before what is said ("Ada Byron: Good morning") told apart from it, where they come again."""
    kept = list(cues)
    named = [None if cue.speaker else _NAMED.match(cue.text) for cue in kept]
    often = Counter(found[1] for found in named if found)
    for cue, found in zip(kept, named, strict=True):
        if found is not None and often[found[1]] >= _OFTEN:
            yield _Cue(cue.start, cue.end, found[1], cue.text[found.end() :])
        else:
            yield cue


def _joined_cues(cues: Sequence[_Cue]) -> Iterator[list[_Cue]]:
    """Cues that belong together: of one speaker, without a pause, up to the end of a sentence."""
    stretch: list[_Cue] = []
    size = 0
    for cue in cues:
        if stretch:
            last = stretch[-1]
            ends = last.text.rstrip("\"'”’)").endswith((".", "?", "!", "…", "。", "？", "！"))
            full = size >= 3 * _FULL or (ends and size >= _FULL)
            if full or cue.speaker != last.speaker or cue.start - last.end > _PAUSE:
                yield stretch
                stretch, size = [], 0
        stretch.append(cue)
        size += len(cue.text)
    if stretch:
        yield stretch


def _paragraph(stretch: Sequence[_Cue]) -> Paragraph:
    first = stretch[0]
    start = _clock(first.start)
    head = f"[{start}] {first.speaker}: " if first.speaker else f"[{start}] "
    spans = (Span("bold", len(start) + 3, len(head) - 2),) if first.speaker else ()
    return Paragraph(text=head + "\n".join(cue.text for cue in stretch), spans=spans, anchor=start)


def _plain(text: str) -> str:
    """The text without tags and codes of its looks."""
    lines = html.unescape(_TAG.sub("", text)).replace("\u200e", "").split("\n")
    return "\n".join(line for line in (" ".join(line.split()) for line in lines) if line)


def _seconds(hours: str | None, minutes: str | None, seconds: str | None, part: str | None) -> float:
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + int(seconds or 0) + float(f"0.{part or 0}")


def _clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}"
