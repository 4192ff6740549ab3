"""Reads one text file: decodes it and hands it to the reader of its kind (prose, code, reStructuredText, Org, AsciiDoc,
LaTeX, light markups, subtitles, drawings in DXF, lists of references).

Lists of references as programs that manage them exchange them: BibTeX, RIS, PubMed's (.nbib) and EndNote's (.enw).

Each entry becomes a heading with its title, a line with who, when and where, and its abstract."""

import re
import unicodedata
from collections.abc import Iterator, Mapping

from sidecar.api import AnyBlock, DamagedError, Heading, Limits, Paragraph, ParsedDocument, Source, UnsupportedError
from sidecar.toolkit.markup.chapters import elements_of, split_chapters
from sidecar.toolkit.markup.code import code_blocks
from sidecar.toolkit.text import read_text
from sidecar.toolkit.visible import hidden_notice
from sidecar_text.dxf import is_dxf, read_dxf
from sidecar_text.languages import PROPERTY_LIST, language_by_content, language_of
from sidecar_text.light.blocks import LIGHT, read_light
from sidecar_text.prose import prose_blocks
from sidecar_text.subtitles import read_subtitles

_BIBTEX = "bibtex"
_REFERENCES = (_BIBTEX, "references")
_ENTRY = re.compile(r"@(\w+)\s*[{(]\s*")
_FIELD = re.compile(r"[\s,]*([\w:.+/-]+)\s*=\s*")
_BARE = re.compile(r"[^\s,{}#\"()]+")
_NO_ENTRIES = frozenset(("comment", "preamble"))
_LINE = re.compile(r"(?:([A-Z][A-Z0-9]{1,3}) {0,2}- ?|%(\S)[ \t])(.*)$")
_CLOSED = re.compile(r"^ER {0,2}-", re.MULTILINE)
_JOINED = re.compile(r"\s*#\s*")
_MAX_STRING_CHARS = 1_000
"""Characters of a string that entries name; one of longer text stays its name, since each may double the one before."""
_NAMES: Mapping[str, str] = {
    "TI": "title", "T1": "title", "BT": "title", "T": "title", "AU": "author", "A1": "author", "A": "author",
    "FAU": "full author", "ED": "editor", "A2": "editor", "E": "editor", "PY": "year", "Y1": "year", "DP": "year",
    "DA": "year", "D": "year", "JO": "journal", "JF": "journal", "T2": "journal", "JT": "journal", "TA": "journal",
    "J": "journal", "B": "booktitle", "VL": "volume", "VI": "volume", "V": "volume", "IS": "number", "IP": "number",
    "N": "number", "SP": "pages", "EP": "pages", "PG": "pages", "P": "pages", "DO": "doi", "LID": "doi", "R": "doi",
    "UR": "url", "U": "url", "AB": "abstract", "N2": "abstract", "X": "abstract", "KW": "keywords", "MH": "keywords",
    "OT": "keywords", "K": "keywords", "PB": "publisher", "I": "publisher", "CY": "address", "C": "address",
    "SN": "isbn", "N1": "note", "Z": "note", "ID": "key", "PMID": "pmid",
}  # fmt: skip
"""Tags of RIS, PubMed and EndNote → names of BibTeX; of others nothing is shown."""
_SINGLE_VALUED = frozenset(("title", "journal", "year", "abstract", "volume", "number"))
"""Of what these say twice, the first is enough."""
_FIRST = ("author", "editor", "year", "booktitle", "journal", "volume", "number", "pages", "publisher", "address",
          "doi", "isbn", "url", "keywords", "note")  # fmt: skip
_APART = frozenset(("title", "abstract", "key", "full author", "file", "owner", "timestamp"))
_ACCENTS = {"`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304", ".": "\u0307",
            "c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328", "r": "\u030a"}  # fmt: skip
_ACCENT = re.compile(r"\\(?:([`'^~\"=.])\s*|([cvuHkr])(?:\s+|(?=\{)))\{?\\?([A-Za-z])\}?")
_LETTERS = {"ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "aa": "å", "AA": "Å"}
_LETTER = re.compile(r"\\(ss|ae|AE|oe|aa|AA|[oOlL])(?![A-Za-z])\s?")
_ESCAPED = re.compile(r"\\([&%$#_{}])")
_COMMAND = re.compile(r"\\[A-Za-z]+\s*")


def _read_references(text: str, kind: str) -> list[AnyBlock]:
    """A heading and paragraphs an entry; [] where there is none."""
    blocks: list[AnyBlock] = []
    for entry in _bibtex(text) if kind == _BIBTEX else _tagged(text):
        title = entry.get("title") or entry.get("booktitle") or entry.get("key") or "Untitled"
        blocks.append(Heading(text=title, level=2, anchor=entry.get("key", "")))
        names = [*_FIRST, *(name for name in entry if name not in _FIRST and name not in _APART)]
        facts = [f"{name.capitalize()}: {entry[name]}" for name in names if entry.get(name)]
        if key := entry.get("key"):
            facts.append(f"Key: {key}")
        if facts:
            blocks.append(Paragraph(text="\n".join(facts)))
        if abstract := entry.get("abstract"):
            blocks.append(Paragraph(text=abstract))
    return blocks


def _tagged(text: str) -> Iterator[dict[str, str]]:
    """Entries of lines that begin with a tag; what follows without one goes on."""
    entry, last = dict[str, list[str]](), ""
    closed = _CLOSED.search(text) is not None
    for line in [*text.split("\n"), ""]:
        found = _LINE.match(line)
        tag = (found[1] or found[2]) if found else ""
        # RIS closes entries; the others end at a blank line. A new one begins with its type or number in any case.
        if entry and (tag in ("ER", "TY", "PMID", "0") or not (closed or line.strip())):
            yield _joined(entry)
            entry, last = {}, ""
        if found:
            last = _NAMES.get(tag, "")
            if last and found[3].strip():
                entry.setdefault(last, []).append(found[3].strip())
        elif last and entry.get(last) and line.strip():
            entry[last][-1] += f" {line.strip()}"
    if entry:
        yield _joined(entry)


def _joined(entry: dict[str, list[str]]) -> dict[str, str]:
    if "full author" in entry:  # PubMed gives each name twice, in full and short
        entry["author"] = entry.pop("full author")
    return {
        name: values[0] if name in _SINGLE_VALUED else ("–" if name == "pages" else "; ").join(dict.fromkeys(values))
        for name, values in entry.items()
    }


def _bibtex(text: str) -> Iterator[dict[str, str]]:
    macros: dict[str, str] = {}
    at = 0
    while found := _ENTRY.search(text, at):
        kind, at = found[1].lower(), found.end()
        if kind in _NO_ENTRIES:
            continue
        entry: dict[str, str] = {}
        if kind != "string":
            comma = text.find(",", at)
            if comma < 0:
                return
            entry = {"key": " ".join(text[at:comma].split()), "type": kind}
            at = comma
        while field := _FIELD.match(text, at):
            value, at = _value(text, field.end(), macros)
            entry[field[1].lower()] = value
        if kind == "string":
            macros |= {name: value for name, value in entry.items() if len(value) <= _MAX_STRING_CHARS}
        else:
            yield {name: _plain(value) for name, value in entry.items() if value}


def _value(text: str, at: int, macros: Mapping[str, str]) -> tuple[str, int]:
    """A field's value and where it ends: pieces in braces or quotes, numbers and names of strings, joined by "#"."""
    pieces: list[str] = []
    while at < len(text):
        if text[at] in '{"':
            end = _end(text, at)
            pieces.append(text[at + 1 : end])
            at = end + 1
        elif bare := _BARE.match(text, at):
            pieces.append(macros.get(bare[0].lower(), bare[0]))
            at = bare.end()
        rest = _JOINED.match(text, at)
        if rest is None:
            break
        at = rest.end()
    return "".join(pieces), at


def _end(text: str, at: int) -> int:
    """Where what begins there with a brace or a quote ends; the end of the text where it does not."""
    depth, quoted = 0, text[at] == '"'
    for place in range(at + quoted, len(text)):
        char = text[place]
        if char in "{}" and (place == 0 or text[place - 1] != "\\"):
            depth += 1 if char == "{" else -1
            if depth <= 0 and not quoted:
                return place
        elif char == '"' and quoted and not depth:
            return place
    return len(text)


def _plain(value: str) -> str:
    """TeX's accents and letters as such, without braces and commands."""
    value = _ACCENT.sub(lambda found: unicodedata.normalize("NFC", found[3] + _ACCENTS[found[1] or found[2]]), value)
    value = _LETTER.sub(lambda found: _LETTERS[found[1]], value)
    value = _COMMAND.sub("", _ESCAPED.sub(r"\1", value))
    return " ".join(value.replace("{", "").replace("}", "").replace("~", " ").replace("--", "–").split())


_LATEX = (".tex", ".ltx", ".latex")
"""Styles, classes and bibliographies are code."""


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The file as a document of chapters; source code is one chapter. Raises FormatError."""
    if source.head.startswith(PROPERTY_LIST):
        from sidecar_text.property_lists import read_property_list

        parts = split_chapters(read_property_list(source, limits), "", limits.max_parts).parts
        return ParsedDocument(metadata={"language": "json"}, parts=parts)
    try:
        decoded, notices = read_text(source, limits)
    except DamagedError as error:
        raise UnsupportedError(str(error)) from error  # no text at all: nothing is broken about it
    text = decoded.text
    language = language_of(source.name, source.head) or language_by_content(text)
    title = ""
    metadata: dict[str, str] = {}
    blocks: list[AnyBlock]
    read = _read_markup(text, language)
    if read is not None:
        blocks, metadata = read
        title = metadata.pop("title", "")
    elif language in LIGHT:
        blocks = read_light(text, language)
    elif language == "dxf" and is_dxf(text):
        blocks, metadata = read_dxf(text)
    elif language == "latex" and source.suffix in _LATEX:
        from sidecar_text.latex import read_latex

        blocks, metadata = read_latex(text)
        title = metadata.pop("title", "")
        metadata["language"] = language
    elif language == "subtitles":
        cues, metadata = read_subtitles(text)
        blocks = [*cues] or prose_blocks(text)
        title = metadata.pop("title", "")
    elif language in _REFERENCES and (entries := _read_references(text, language)):
        blocks = entries
        metadata = {"entries": str(sum(isinstance(block, Heading) for block in entries))}
    elif language:
        blocks = list(code_blocks(text, language, first=1))
        metadata = {"language": language}
    else:
        blocks = prose_blocks(text)
    chapters = split_chapters(blocks, title, limits.max_parts)
    return ParsedDocument(
        title=chapters.title, metadata=metadata, parts=chapters.parts, elements=elements_of(chapters.parts),
        notices=(*notices, *hidden_notice(blocks)),
    )  # fmt: skip


def _read_markup(text: str, language: str | None) -> tuple[list[AnyBlock], dict[str, str]] | None:
    """The blocks and the metadata of a document in a markup with a reader of its own; None of any other text."""
    if language == "rst":
        from sidecar_text.rst.blocks import read_rst

        read = read_rst(text)
        return read.blocks, read.metadata
    if language == "org":
        from sidecar_text.org import read_org

        return read_org(text)
    if language == "asciidoc":
        from sidecar_text.asciidoc.blocks import read_asciidoc

        return read_asciidoc(text)
    if language == "lyx":
        from sidecar_text.typeset.lyx import read_lyx

        return read_lyx(text)
    if language == "roff":
        from sidecar_text.typeset.roff import read_roff

        return read_roff(text)
    if language in ("pod", "texinfo"):
        from sidecar_text.typeset.manuals import read_manual

        return read_manual(text, language)
    return None
