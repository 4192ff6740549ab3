"""Reads the words of a PostScript file (.ps, .eps) without running it: strings that are shown, in their order, and
where one line ends and another begins.

A program abbreviates: what a name does is worked out from its definition (does it show, does it move, and in what
order). Where the strings of a word end is told by how far is moved between them, since no font is at hand to measure
them. dvips' abbreviations are known (tex.pro). After the PostScript Language Reference, third edition; what only a run
would tell (loops that write, text drawn as outlines or with the codes of a font of the file's own) is not read."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html.entities import name2codepoint
from typing import Final

from sidecar.api import AnyBlock, Limits, Notice, Paragraph, ParsedDocument, Source, UnsupportedError
from sidecar.toolkit.markup.chapters import split_chapters

_PREVIEW: Final = b"\xc5\xd0\xd3\xc6"
"""Before a preview for DOS it is told where the program lies."""
_SKIPPED: Final = re.compile(
    rb"%%Begin(?:Font|Data|Binary|Preview|Resource: (?:font|encoding|file)).*?"
    rb"(?:%%End(?:Font|Data|Binary|Preview|Resource)|\Z)"
    rb"|\beexec\b.*?(?:cleartomark|\Z)|<~[!-u\sz]*~>",
    re.DOTALL,
)
_TOKEN: Final = re.compile(rb"%%Page:[^\r\n]*|%[^\r\n]*|\(|<<|>>|<[0-9A-Fa-f\s]*>|/?[^\s\0()<>\[\]{}/%]+|[\[\]{}]|/")
_NUMBER: Final = re.compile(rb"[+-]?(?:\d{1,12}\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$")
_STRING_PART: Final = re.compile(rb"[^()\\]+|\\(?:[0-7]{1,3}|\r\n|.)|[()]", re.DOTALL)
_FACT: Final = re.compile(rb"^%%(Title|Creator|For|CreationDate):[ \t]*([^\r\n]{1,300})", re.MULTILINE)
_FACTS: Final = {b"Creator": "application", b"For": "author", b"CreationDate": "created"}
_RESOLUTION: Final = re.compile(rb"(?:dpi=|Resolution )(\d{2,5})")
_ESCAPES: Final = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}
_SHOWS: Final = frozenset(b"show ashow widthshow awidthshow kshow xshow yshow xyshow".split())
_MAX_ITEMS: Final = 6
"""Operands that a name may look at."""
_MAX_DEPTH: Final = 12
_MAX_BODY: Final = 400
"""Names of a definition that are kept."""
_MAX_HEX_DIGITS: Final = 600
"""Digits of a string; data of pictures and fonts is longer."""
_MAX_PROCEDURE: Final = 16
"""Steps of a procedure that are kept."""
_GAP_POINTS: Final = 1.2
"""How far is moved between words at least, in points: a quarter of a letter of 6 points."""
_GAP_DVIPS: Final = 1.8
"""The same in what dvips writes, whose kerns are wider."""
_LINE_POINTS: Final = 4.5
"""How far down another line is; what is nearer is raised or lowered."""
_STANDARD: Final = {
    0x60: "‘", 0x27: "’", 0xAE: "fi", 0xAF: "fl", 0xB1: "–", 0xB7: "•", 0xAA: "“", 0xBA: "”", 0xBC: "…", 0xD0: "—",
    0xFB: "ß", 0xE1: "Æ", 0xF1: "æ", 0xE9: "Ø", 0xF9: "ø", 0xB9: "„", 0xA7: "§", 0xA4: "⁄",
}  # fmt: skip
"""Of the Standard Encoding (appendix E.6) what Latin-1 has elsewhere."""
_TEX: Final = {
    0x0B: "ff", 0x0C: "fi", 0x0D: "fl", 0x0E: "ffi", 0x0F: "ffl", 0x1B: "ff", 0x1C: "fi", 0x1D: "fl", 0x1E: "ffi",
    0x1F: "ffl", 0x10: "“", 0x11: "”", 0x15: "–", 0x16: "—", 0x19: "ß", 0x5C: "“", 0x22: "”", 0x7B: "–", 0x7C: "—",
    0x60: "‘", 0x27: "’", 0x1A: "æ", 0xD7: "Œ", 0xF7: "œ", 0xFF: "ß",
}  # fmt: skip
"""Of TeX's encodings OT1 and T1 what letters they have where ASCII has none, or another."""
_GLYPHS: Final = {
    "ff": "ff", "fi": "fi", "fl": "fl", "ffi": "ffi", "ffl": "ffl", "quoteright": "’", "quoteleft": "‘",
    "quotedblleft": "“", "quotedblright": "”", "quotedblbase": "„", "endash": "–", "emdash": "—", "germandbls": "ß",
    "minus": "−", "hyphen": "-", "ellipsis": "…", "bullet": "•",
}  # fmt: skip
"""Names of glyphs that HTML calls otherwise."""
_ENCODING: Final = re.compile(rb"/[\w.-]+\s*\[\s*((?:/[\w.]+\s*){256})\]")
_ARRAY_GAP: Final = -180.0
"""Of strings in an array, as PDF has them (TJ), thousandths of the size that are moved on between words at least."""
_SMALL_MOVES: Final = dict(zip(b"lmnoqrst", (-4, -3, -2, -1, 1, 2, 3, 4), strict=True))
_CHANGES: Final = dict(zip(b"cdefghijk", range(-4, 5), strict=True))


@dataclass
class _ShownPage:
    """What is shown so far: lines of pieces, each with where it stands (None as long as nothing moved there)."""

    gap: float
    line_step: float
    codes: Mapping[int, str]
    lines: list[tuple[float | None, list[str]]] = field(default_factory=list[tuple[float | None, list[str]]])
    height: float | None = None
    apart: bool = True
    moved: float = 0.0

    def show(self, text: bytes) -> None:
        """Add a string where the page stands."""
        shown = "".join(self.codes.get(code, chr(code)) for code in text if code >= 32 or code in self.codes)
        if not shown:
            return
        last = self.lines[-1][0] if self.lines else None
        known = self.height is not None and last is not None
        moved = self.height != last and (not known or abs((self.height or 0.0) - (last or 0.0)) > self.line_step)
        if not self.lines or moved:
            self.lines.append((self.height, []))
        elif self.apart or self.moved >= self.gap:  # to the left it is a kern
            self.lines[-1][1].append(" ")
        self.lines[-1][1].append(shown)
        self.apart, self.moved = False, 0.0

    def move(self, height: float | None) -> None:
        """Go elsewhere; None is on another line, nobody knows where."""
        self.height, self.apart, self.moved = height, True, 0.0

    def shift(self, by: float) -> None:
        """Go on a little."""
        self.moved += by

    def ends(self) -> Iterator[str]:
        """The lines as paragraphs: those that stand as close as most belong together."""
        steps = [
            abs(one[0] - other[0])
            for one, other in zip(self.lines, self.lines[1:], strict=False)
            if one[0] is not None and other[0] is not None
        ]
        usual = sorted(steps)[(len(steps) - 1) // 4] * 1.3 if steps else 0.0
        paragraph: list[str] = []
        before: float | None = None
        for height, pieces in self.lines:
            near = before is not None and height is not None and abs(height - before) <= usual
            if paragraph and not near:
                yield _joined(paragraph)
                paragraph = []
            paragraph.append(" ".join("".join(pieces).split()))
            before = height
        if paragraph:
            yield _joined(paragraph)


def _joined(lines: Sequence[str]) -> str:
    """Lines as a text; a word that is broken at an end is made whole."""
    text = ""
    for line in lines:
        is_broken = text.endswith("-") and text[-2:-1].isalpha() and line[:1].islower()
        text = text[:-1] + line if is_broken else f"{text} {line}" if text else line
    return text.strip()


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The words of the file. Raises FormatError."""
    blocks, metadata = _read_postscript(source.read(limits.max_file_bytes))
    if not blocks:
        raise UnsupportedError(
            f"{source.name} draws its letters or encodes them in its own way; convert it to PDF to have them read."
        )
    parts = split_chapters(blocks, "", limits.max_parts).parts
    notice = Notice("unsupported_content", "Only the words of PostScript are read, without tables and pictures.")
    return ParsedDocument(title=metadata.pop("title", ""), metadata=metadata, parts=parts, notices=(notice,))


def _read_postscript(data: bytes) -> tuple[list[AnyBlock], dict[str, str]]:
    """A paragraph for lines that stand together, page after page, and what the file says of itself."""
    if data.startswith(_PREVIEW) and len(data) >= 12:
        start, size = (int.from_bytes(data[at : at + 4], "little") for at in (4, 8))
        data = data[start : start + size]
    facts = {_FACTS.get(name, "title"): _decoded(value) for name, value in _FACT.findall(data[:4096])}
    is_dvips = b"dvips" in data[:2048] or b"TeXDict" in data[:65536]
    program = _SKIPPED.sub(b" ", data)
    found = _RESOLUTION.search(data)
    unit = int(found[1]) / 72 if is_dvips and found else 1.0
    codes = _TEX if is_dvips else {} if b"ISOLatin1Encoding" in program else _STANDARD | _own_codes(program)
    reader = _PostScriptReader(
        is_dvips, _ShownPage((_GAP_DVIPS if is_dvips else _GAP_POINTS) * unit, _LINE_POINTS * unit, codes)
    )
    reader.read(program)
    blocks: list[AnyBlock] = [Paragraph(text=text) for page in reader.pages for text in page.ends() if text]
    return blocks, {name: value for name, value in facts.items() if value}


def _own_codes(program: bytes) -> dict[int, str]:
    """What the file's first encoding says of codes, where its names of glyphs are known."""
    found = _ENCODING.search(program)
    names = [name.decode("latin-1") for name in found[1].replace(b"/", b" ").split()] if found else []
    made = {code: _GLYPHS.get(name) or chr(name2codepoint.get(name, 0)) for code, name in enumerate(names)}
    return {code: text for code, text in made.items() if text != "\0"}


def _decoded(value: bytes) -> str:
    text = value.strip()
    text = text[1:-1] if text[:1] == b"(" and text[-1:] == b")" else text
    return " ".join(text.decode("latin-1").split())


class _PostScriptReader:
    def __init__(self, is_dvips: bool, page: _ShownPage) -> None:
        self.pages = [page]
        self._is_dvips = is_dvips
        self._bodies: dict[bytes, list[bytes]] = {}
        self._steps: dict[bytes, str] = {}
        self._items: list[bytes | float] = []
        self._literals: list[bytes] = []
        self._owner, self._body = b"", list[bytes]()
        self._delta = 0.0

    def read(self, program: bytes) -> None:
        """Go through the program once; what a name means has to be told before it is used."""
        depth = 0
        for token, string in _tokens(program):
            if token == b"{":
                depth += 1
                if depth == 1:
                    self._owner, self._body = (self._literals[-1] if self._literals else b""), []
            elif token == b"}":
                depth = max(depth - 1, 0)
                if not depth:
                    if self._owner:
                        self._define(self._owner, self._body)
                    self._literals = []
            elif not depth:
                self._outside(token, string)
            elif string is None and len(self._body) < _MAX_BODY:
                self._body.append(token)

    def _outside(self, token: bytes, string: bytes | None) -> None:
        """A token that is in no procedure."""
        if string is not None:
            self._items.append(string)
        elif token.startswith(b"%%Page:"):
            before = self.pages[-1]
            self.pages.append(_ShownPage(before.gap, before.line_step, before.codes))
        elif token.startswith(b"/"):
            self._literals = [*self._literals[-1:], token[1:]]
        elif _NUMBER.match(token):
            self._items.append(float(token))
        elif token not in (b"[", b"]", b"<<", b">>"):
            if token in (b"load", b"ld", b"ldf") and len(self._literals) == 2:
                self._define(self._literals[0], [self._literals[1]])
            self._literals = []
            self._run(token)

    def _define(self, name: bytes, body: list[bytes]) -> None:
        self._bodies.setdefault(name, body)
        self._steps.pop(name, None)

    def _run(self, name: bytes) -> None:
        """Do what a name does with the numbers and strings before it."""
        page, items = self.pages[-1], self._items
        self._items = []
        numbers = [one for one in items[-_MAX_ITEMS:] if isinstance(one, float)]
        if self._is_dvips and len(name) == 1 and self._run_dvips(name[0], numbers, items, page):
            return
        if name in (b"TJ", b"TJm"):
            self._show_array(items, page)
            return
        if name in (b"Td", b"TD", b"Tm", b"T*") and (len(numbers) > 1 or name == b"T*"):
            is_near = name in (b"Td", b"TD")
            page.move((page.height or 0.0) + numbers[-1] if is_near else numbers[-1] if numbers else None)
            return
        for step in self._of(name, 0):
            if step == "M" and len(numbers) > 1:
                page.move(numbers[-1])
            elif step in "RD" and numbers:
                page.shift(numbers[-1] if step == "R" or len(numbers) == 1 else numbers[-2])
            elif step in "SA" and items:
                self._show(items, page, is_spaced=step == "A")
                items = []

    def _show(self, items: Sequence[bytes | float], page: _ShownPage, *, is_spaced: bool) -> None:
        """Show the strings; those whose letters are set apart by a number before them as such."""
        before = 0.0
        for one in items:
            if not isinstance(one, bytes):
                before = one
            elif is_spaced and before >= page.gap:
                for letter in one:
                    page.show(bytes([letter]))
                    page.shift(before)
            else:
                page.show(one)

    def _show_array(self, items: Sequence[bytes | float], page: _ShownPage) -> None:
        for one in items:
            if isinstance(one, bytes):
                page.show(one)
            elif one <= _ARRAY_GAP:
                page.apart = True

    def _of(self, name: bytes, depth: int) -> str:
        """What a name does: S shows, A with letters apart, M moves to a place, R moves along, D anyhow."""
        if name in _SHOWS:
            return "A" if name in (b"ashow", b"awidthshow") else "S"
        if name in (b"moveto", b"rmoveto"):
            return "M" if name == b"moveto" else "D"
        known = self._steps.get(name)
        if known is None:
            known = ""
            self._steps[name] = ""  # a name that leads to itself does nothing more
            if depth < _MAX_DEPTH:
                before = b""
                for one in self._bodies.get(name, ()):
                    step = self._of(one, depth + 1)
                    if one == b"rmoveto" and before in (b"0", b"exch"):
                        step = "R" if before == b"0" else ""  # "0 rmoveto" goes along, "0 exch rmoveto" up or down
                    known += step
                    before = one
                    if len(known) > _MAX_PROCEDURE:
                        break
            self._steps[name] = known = known[:_MAX_PROCEDURE]
        return known

    def _run_dvips(self, name: int, numbers: list[float], items: list[bytes | float], page: _ShownPage) -> bool:
        """One of the commands of a letter (dvips' tex.pro); False for a name that is none of them."""
        text = b"".join(one for one in items if isinstance(one, bytes))
        letter = chr(name)
        if letter in "pbcdefghijklmnoqrsty" and text:
            page.show(text)
        if letter in "ay" and len(numbers) > 1:
            page.move(numbers[-1])
        elif letter == "b" and numbers:
            self._delta = numbers[-1]
            page.shift(self._delta)
        elif name in _CHANGES:
            self._delta += _CHANGES[name]
            page.shift(self._delta)
        elif letter == "w" and numbers:
            page.shift(numbers[-1])
        elif letter not in "px" and name not in _SMALL_MOVES:
            return False
        return True


def _tokens(program: bytes) -> Iterator[tuple[bytes, bytes | None]]:
    """`(token, its bytes where it is a string)`; comments but a page's are left out."""
    at = 0
    while found := _TOKEN.search(program, at):
        token, at = found[0], found.end()
        if token == b"(":
            string, at = _string(program, at)
            yield token, string
        elif token[:1] == b"%":
            if token.startswith(b"%%Page:"):
                yield token, None
        elif token[:1] == b"<" and token not in (b"<<", b"<"):
            digits = b"".join(token[1:-1].split())
            if len(digits) <= _MAX_HEX_DIGITS:
                yield token, bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode())
        else:
            yield token, None


def _string(program: bytes, at: int) -> tuple[bytes, int]:
    """A string's bytes and where it ends (§3.2.2): brackets within it are balanced."""
    pieces: list[bytes] = []
    depth = 1
    while found := _STRING_PART.match(program, at):
        part, at = found[0], found.end()
        if part == b"(":
            depth += 1
        elif part == b")":
            depth -= 1
            if not depth:
                break
        elif part[:1] == b"\\":
            rest = part[1:]
            is_octal = rest[:1].isdigit() and rest[:1] < b"8"
            part = bytes([int(rest, 8) & 255]) if is_octal else _ESCAPES.get(rest, b"" if rest in b"\r\n" else rest)
        pieces.append(part)
    return b"".join(pieces), at
