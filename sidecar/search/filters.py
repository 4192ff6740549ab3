"""The filters of the query language: their names, the words people use for kinds of files, dates, and what was meant by
a filter there is none of.

Taken apart is the query elsewhere (`query`); here each `name:value` becomes a piece of the `Filter`, or a sentence."""

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, cast, get_args

from sidecar.api import DocumentState
from sidecar.store import Filter, TextMatch
from sidecar.store.index.filters import WITHOUT_TEXT_STATE, TextField
from sidecar.toolkit.times import period

Sort = Literal["relevance", "newest"]


class FilterTerm(NamedTuple):
    """A filter as it was typed: its name in lower case, whether a minus stands before it, and its value."""

    name: str
    negated: bool
    value: str


_NAMES: Mapping[str, str] = {
    **dict.fromkeys(("type", "ext", "format", "filetype", "kind"), "type"), **dict.fromkeys(("path", "in"), "path"),
    **dict.fromkeys(("folder", "dir", "directory"), "folder"), **dict.fromkeys(("name", "file", "filename"), "name"),
    **dict.fromkeys(("from", "sender"), "from"), **dict.fromkeys(("to", "cc", "bcc", "recipient"), "to"),
    **dict.fromkeys(("author", "by", "creator"), "author"), "subject": "subject",
    **dict.fromkeys(("state", "status"), "state"), **dict.fromkeys(("after", "since"), "after"),
    **dict.fromkeys(("before", "until"), "before"), **dict.fromkeys(("date", "dated"), "date"),
    **dict.fromkeys(("modified", "changed"), "modified"), "sort": "sort",
}  # fmt: skip
"""Name, as it may be typed → filter."""
_FILTERS = tuple(dict.fromkeys(_NAMES.values()))
_EXAMPLES = {
    "type": "type:pdf", "path": "path:folder", "folder": "folder:reports", "name": "name:budget", "from": "from:anna",
    "to": "to:anna", "author": "author:anna", "subject": "subject:invoice", "state": "state:encrypted",
    "after": "after:2024-01-31", "before": "before:2024-01-31", "date": "date:2024-03", "modified": "modified:2024-03",
    "sort": "sort:newest",
}  # fmt: skip
_OF_OTHER_PROGRAMS = frozenset(
    (
        "has", "is", "label", "tag", "tags", "size", "larger", "smaller", "older", "newer", "lang", "language", "owner",
        "shared", "category", "title", "keyword", "keywords", "created", "year", "month", "sent", "received", "subj",
        "attachment", "attachments", "intitle", "inurl", "site", "limit", "order", "orderby",
    )
)  # fmt: skip
"""Filters of other programs, which people try here: they are not words of a text."""
_INSTEAD = {
    "title": "name", "intitle": "name", "created": "date", "year": "date", "month": "date", "sent": "date",
    "received": "date", "older": "before", "newer": "after", "owner": "author", "subj": "subject", "site": "folder",
    "attachment": "type", "order": "sort", "orderby": "sort",
}  # fmt: skip
_ALIKE = 0.74
"""Ratio of Ratcliff and Obershelp from which a name is another one, mistyped: "autor", "tpye", "form"."""
_SHORTEST = 3
_SCHEMES = frozenset(
    ("http", "https", "ftp", "file", "mailto", "tel", "urn", "doi", "isbn", "issn", "data", "about", "localhost")
)
_NAME = re.compile(r"[a-z_]{2,14}")

_WORD = "doc docx docm dot dotx dotm rtf odt ott sxw stw hwpx hwp"
_EXCEL = "xls xlsx xlsm xlsb xlt xltx xltm xla xlam ods sxc stc"
_SLIDES = "ppt pptx pptm pps ppsx pot potx odp sxi sti"
_MAIL = "mail eml msg oft p7m mbox emlx pst"
_PICTURES = "png jpg jpeg gif webp tif tiff bmp svg heic jp2 pnm pbm pgm ppm psd"
_TEXT = "txt text md markdown rst adoc asciidoc org log"
_CODE = (
    "py pyi js mjs cjs jsx ts tsx c h cpp cc cxx hpp cs java kt kts scala groovy go rs swift m mm dart rb php pl pm "
    "lua r jl hs ml fs ex exs erl clj lisp scm sh bash zsh ps1 bat sql proto css scss vue svelte cmake tf nix vb pas "
    "f90 asm v vhdl zig nim sol"
)
_TYPES: Mapping[str, tuple[str, ...]] = {
    word: tuple(suffixes.split())
    for words, suffixes in (
        ("word documents document", _WORD), ("excel workbook workbooks", _EXCEL),
        ("spreadsheet spreadsheets sheet sheets table tables", f"{_EXCEL} csv tsv dbf"),
        ("powerpoint deck decks slides slide slideshow presentation presentations keynote", _SLIDES),
        ("mail mails email emails e-mail message messages outlook", _MAIL), ("notebook notebooks jupyter", "ipynb"),
        ("calendar calendars appointment appointments", "ics ical ifb vcs"),
        ("contact contacts addressbook vcard", "vcf vcard"), ("code source script scripts program", _CODE),
        ("picture pictures image images photo photos screenshot screenshots", _PICTURES),
        ("visio drawing drawings", "vsdx vsdm vstx vstm vssx vssm vsd vst vss"),
        ("web webpage page html", "html htm xhtml mht mhtml"), ("markdown", "md markdown"),
        ("text note notes plaintext", _TEXT), ("book books ebook ebooks", "epub fb2"),
        ("office", f"{_WORD} {_EXCEL} {_SLIDES}"), ("python", "py pyi ipynb"), ("javascript", "js mjs cjs jsx"),
        ("typescript", "ts tsx"), ("acrobat", "pdf"), ("data", "json jsonl csv tsv yaml yml xml parquet"),
        ("rust", "rs"), ("scan scans scanned", f"pdf {_PICTURES}"),
    )
    for word in words.split()
}  # fmt: skip
"""Kind of file, as people say it → suffixes (and names of formats) it stands for."""
_ASKED_KIND = re.compile(
    r"\W*(?:(?:find|show|open|where is|which|what|the|a|an|my|our|that|me) )*"
    r"(?P<kind>word|excel|workbook|spreadsheet|powerpoint|deck|slides|slideshow|presentation|e?mails?|notebook|pdf|"
    r"screenshot|photo|scan|scanned|web)"
    r"(?: (?:file|document|deck|slides|presentation|sheet|workbook|notebook|table|page))?"
    r" (?:about|on|with|for|of|by|from|that|where|whose|which|called|named|titled|showing|has|says|in which) ",
    re.IGNORECASE,
)
"""How a question begins that asks for a kind of file: "the spreadsheet with …"."""
_ENDS_IN_KIND = re.compile(
    r"\w\W+(?P<kind>deck|slides|slideshow|powerpoint|spreadsheet|workbook|excel|pdf)\W*$", re.IGNORECASE
)
"""How one ends that does: "the investor deck"."""
_KNOWN_TYPES = frozenset(suffix for suffixes in _TYPES.values() for suffix in suffixes) | {"pdf", "json", "yaml", "xml"}
QUERY_WORDS = frozenset((*_NAMES, *_TYPES))
"""Words that filters are made of: right as they are, whether a text has them or not."""
_STATES: tuple[str, ...] = get_args(DocumentState)
STATES: Mapping[str, tuple[str, ...]] = {
    **{state: (state,) for state in _STATES},
    **dict.fromkeys(("ok", "readable"), ("indexed",)),
    **dict.fromkeys(("password", "protected", "locked"), ("encrypted",)),
    **dict.fromkeys(("broken", "corrupt"), ("damaged",)),
    **dict.fromkeys(("failed", "error", "unread"), tuple(state for state in _STATES if state != "indexed")),
    **dict.fromkeys(("without_text", "no_text", "empty", "blank", "scan", "scans"), (WITHOUT_TEXT_STATE,)),
    **dict.fromkeys(("offline", "missing"), ("away", "placeholder")),
}
"""State of a document, as people say it → states of the index."""

_WAITING = ("waiting", "pending", "queued", "indexing")
_SHOWN = 40


def kind_of_file(question: str) -> tuple[str, ...]:
    """The suffixes of the kind of file that a question begins with or ends in, none where it names none."""
    asked = _ASKED_KIND.match(question) or _ENDS_IN_KIND.search(question[-_SHOWN:])
    return _TYPES.get(asked["kind"].lower(), ("pdf",)) if asked else ()


def filter_name(name: str) -> str:
    """The filter that a word before a colon names, "" where it names none."""
    return _NAMES.get(name.lower(), "")


def example(name: str) -> str:
    """How the filter is written, by any of its names."""
    return _EXAMPLES[_NAMES[name.lower()]]


def unknown_filter(name: str, value: str) -> str:
    """A sentence on `name:value` that looks like a filter and is none; "" where it looks like any text with a colon."""
    if not _NAME.fullmatch(name):
        return ""
    near = [_INSTEAD[name]] if name in _INSTEAD else []
    if not near and name not in _OF_OTHER_PROGRAMS and len(name) >= _SHORTEST:
        named = [one for one in _NAMES if one[0] == name[0] and len(one) >= _SHORTEST]
        swapped = [one for one in named if sorted(one) == sorted(name)]
        near = [_NAMES[one] for one in swapped or difflib.get_close_matches(name, named, 1, _ALIKE)]
    if near:
        shown = f'{near[0]}:"{value[:_SHOWN]}"' if " " in value else f"{near[0]}:{value[:_SHOWN]}"
        return f"There is no filter {name}: so it was left out; did you mean {shown if value else _EXAMPLES[near[0]]}?"
    if name in _OF_OTHER_PROGRAMS:
        return f"There is no filter {name}: so it was left out; there are {', '.join(f'{one}:' for one in _FILTERS)}."
    return ""


def no_filter(name: str, value: str) -> str:
    """A sentence on `name:value` that names no filter, nor any near one, and is searched as words; "" where it is a
    text with a colon: an address, a name of C++, a time, a port, a ratio."""
    if not _NAME.fullmatch(name) or name in _SCHEMES or not value[:1].isalnum() or value.isdigit():
        return ""
    return f"{name}: is not a filter, so {name}:{value[:_SHOWN]} was searched as words."


@dataclass
class FilterReader:
    """Gathers the filters of one query. `remarks` are sentences on those that say nothing."""

    remarks: list[str]
    sort: Sort = "relevance"
    _formats: dict[bool, list[str]] = field(default_factory=lambda: {False: [], True: []})
    _places: dict[bool, list[str]] = field(default_factory=lambda: {False: [], True: []})
    _states: dict[bool, list[str]] = field(default_factory=lambda: {False: [], True: []})
    _text_matches: list[TextMatch] = field(default_factory=list[TextMatch])
    _times: dict[str, int] = field(default_factory=dict[str, int])

    def read(self, typed: Sequence[FilterTerm]) -> Filter:
        """The filter that all of them together make."""
        for one in typed:
            if not one.value.strip(" ."):
                self.remarks.append(f"{one.name}: names nothing and was left out; write {example(one.name)}.")
            else:
                self._read(filter_name(one.name), one)
        return Filter(
            formats=tuple(self._formats[False]), not_formats=tuple(self._formats[True]),
            places=tuple(self._places[False]), not_places=tuple(self._places[True]),
            text_matches=tuple(self._text_matches),
            states=tuple(self._states[False]), not_states=tuple(self._states[True]),
            after=self._times.get("after"), before=self._times.get("before"),
            changed_after=self._times.get("changed_after"), changed_before=self._times.get("changed_before"),
        )  # fmt: skip

    def _read(self, name: str, one: FilterTerm) -> None:
        match name:
            case "type":
                for value in filter(None, (value.strip().lstrip(".") for value in one.value.split(","))):
                    self._type(value, one)
            case "path":
                self._places[one.negated].append(one.value.replace("\\", "/"))
            case "state":
                self._state(one)
            case "sort":
                self._sort(one)
            case "after" | "before" | "date" | "modified":
                self._time(name, one)
            case _:
                text = one.value.strip().removesuffix("*")
                self._text_matches.append(TextMatch(cast(TextField, name), text, one.negated))

    def _type(self, value: str, one: FilterTerm) -> None:
        word = value.lower()
        if word in _TYPES:
            self._formats[one.negated] += _TYPES[word]
            return
        near = [] if word in _KNOWN_TYPES or len(word) < 4 else difflib.get_close_matches(word, _TYPES, 1, _ALIKE)
        if near:
            self._none(one, value, f"type:{near[0]}")
        else:
            self._formats[one.negated].append(value)

    def _state(self, one: FilterTerm) -> None:
        word = one.value.strip().lower().replace("-", "_").replace(" ", "_")
        if word in STATES:
            self._states[one.negated] += STATES[word]
            return
        if word in _WAITING:
            self.remarks.append(f"{one.name}:{one.value} is in no list and was left out; get_library_status counts it.")
            return
        near = difflib.get_close_matches(word, STATES, 1, 0.6)
        self._none(one, one.value, f"state:{near[0]}" if near else "state:failed, for all that could not be read")

    def _sort(self, one: FilterTerm) -> None:
        word = one.value.strip().lower()
        if word in ("newest", "new", "date", "latest", "recent"):
            self.sort = "newest"
        elif word not in ("relevance", "best", "score"):
            self._none(one, one.value, "sort:newest")

    def _none(self, one: FilterTerm, value: str, meant: str) -> None:
        """Remark that `value` means nothing to the filter, and what it would be."""
        self.remarks.append(f"{one.name}:{value[:_SHOWN]} is unknown and was left out; did you mean {meant}?")

    def _time(self, name: str, one: FilterTerm) -> None:
        """`date:` and `modified:` are of a day, month or year, or from … to …: `2024-01..2024-03`."""
        first, dots, last = one.value.partition("..")
        spans = [period(text) if text else None for text in (first, last if dots else first)]
        if name in ("after", "before"):
            spans[1] = None if dots else spans[0]
        if not any(spans) or (first and spans[0] is None) or (dots and last and spans[1] is None):
            shown = f"{one.name}:{one.value[:_SHOWN]}"
            self.remarks.append(f"{shown} is not a date and was left out; write {one.name}:2024-01-31.")
            return
        if name in ("after", "before"):
            side = name if not one.negated else {"after": "before", "before": "after"}[name]
            self._times[side] = cast(tuple[int, int], spans[0])[0]
            return
        if one.negated:
            self.remarks.append(f"-{one.name}: cannot be left out; use after: and before:.")
            return
        prefix = "changed_" if name == "modified" else ""
        if spans[0] is not None:
            self._times[f"{prefix}after"] = spans[0][0]
        if spans[1] is not None:
            self._times[f"{prefix}before"] = spans[1][1]
