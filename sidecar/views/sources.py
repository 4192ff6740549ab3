"""Where a view came from, said in one line: title, file, part, URI and doc_id."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sidecar.api import PAGE_FURNITURE, AnyBlock, Code, DocumentState, format_uri
from sidecar.store.documents.records import PartRecord
from sidecar.store.documents.views import Version
from sidecar.toolkit.visible import HiddenCount

_LIKE_A_SOURCE = re.compile(r"://|\bdoc_id\b")
"""In a title it would name another source than the true one, which stands behind it in the same line."""
_LINE = re.compile(r"L([0-9]{1,9})")
"""The `anchor` of a block of source code (`toolkit.markup.code`)."""


@dataclass(frozen=True)
class Origin:
    """The source of a view. `place` is the part in words ("chapter 3 of 9: Methods"), "" for the whole document."""

    title: str
    file: str
    doc: str
    doc_id: str
    uri: str
    place: str = ""
    old: bool = False
    state: DocumentState = "indexed"
    """That of the file now."""

    def line(self) -> str:
        """One sentence without markup: `Source: Annual Report (report.docx), chapter 3 of 9: Methods, …`."""
        named = "" if self.title == self.file or _LIKE_A_SOURCE.search(self.title) else self.title
        head = f"{named} ({self.file})" if named else self.file
        place = f", {self.place}" if self.place else ""
        old = ", an older version" if self.old else ""
        since = f", as last read; {now}" if (now := unread_now(self.state)) else ""
        return " ".join(f"Source: {head}{place}; {self.uri}, doc_id {self.doc_id}{old}{since}.".split())

    def markdown(self) -> str:
        """The line in italics; marks inside that would end them are left out, and names make no links."""
        line = self.line().replace("*", "").replace("](", "]\\(")
        return f"*{line}*"

    def record(self) -> dict[str, str]:
        """The same for JSON views."""
        return {
            "title": self.title, "file": self.file, "document": self.doc, "doc_id": self.doc_id,
            "part": self.place, "uri": self.uri,
        }  # fmt: skip


def unread_now(state: DocumentState) -> str:
    """Why what could be read last is not what the file holds now, in a few words; "" where it is."""
    if state == "away":
        return "its folder is not there now"
    return "" if state == "indexed" else f"its file cannot be read now: {state.replace('_', ' ')}"


def origin(version: Version, doc: str, uri: str, part: PartRecord | None = None, place: str = "") -> Origin:
    """The origin of a part of that version, or of the whole of it. `doc` is how the document was asked for."""
    if part is not None and not place:
        place = f"{part.kind} {part.n} of {version.parts}"
        title = part_title(part)
        if title and not _LIKE_A_SOURCE.search(title):
            place += f": {title}"
        if part.hidden:
            place += " (hidden)"
    return Origin(
        version.title, version.name, doc, version.doc_id, uri, place, old=not version.current, state=version.state
    )


def lines_of_code(blocks: Sequence[AnyBlock]) -> str:
    """ ", lines 101 to 180" of blocks of source code that say in which line they begin; "" of any others."""
    numbered = [
        (int(found[1]), block)
        for block in blocks
        if isinstance(block, Code) and (found := _LINE.fullmatch(block.anchor)) is not None
    ]
    if not numbered or len(numbered) < len(blocks):
        return ""
    last, block = numbered[-1]
    return f", lines {numbered[0][0]} to {last + block.text.count(chr(10))}"


def left_out_line(count: HiddenCount, uri: str, *, plain: bool = False) -> str:
    """The sentence that counts what a view leaves out and says where it is shown; "" for nothing."""
    if not count.places:
        return ""
    line = f"Left out: text hidden from readers in {count}; {uri} shows it."
    return line if plain else f"*({line})*"


def left_out_record(count: HiddenCount, uri: str) -> dict[str, object]:
    """The same for JSON views, under `left_out`; empty for nothing."""
    return {"left_out": {"hidden_text": str(count), "uri": uri}} if count.places else {}


def part_title(part: PartRecord) -> str:
    """The title of a part, else its own name (a sheet's name, a page's label), on one line, at most 120 characters."""
    title = " ".join((part.title or part.name).split())
    return title if len(title) <= 120 else title[:117] + "..."


def part_facts(part: PartRecord) -> list[str]:
    """What the document says about a part beside its text: "section: Results", one line each. The range of a sheet is
    in its addresses, whether it is hidden is said with its name, and a chapter with an author and a day of its own (an
    event) says them itself."""
    known = {"range": part.metadata.get("range", ""), "state": "hidden"}
    left_out = PAGE_FURNITURE | {"author", "created"} if part.kind == "chapter" else PAGE_FURNITURE
    return [
        f"{key}: {' '.join(value.split())}"
        for key, value in part.metadata.items()
        if value.strip() and known.get(key) != value and key not in left_out
    ]


def part_uri(part: PartRecord, doc: str, suffix: str = "", query: Mapping[str, str] | None = None) -> str:
    """The canonical URI of a part: sheets by their name, everything else by number."""
    by_name = part.kind == "sheet" and part.name and not part.name.isdigit()
    return format_uri(part.kind, doc, part.name if by_name else part.n, suffix=suffix, query=query)
