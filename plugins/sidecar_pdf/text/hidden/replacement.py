"""Replacement text of marked content (ISO 32000-1, 14.9.4, /ActualText), which pdfium takes for what its glyphs say: it
stays where the glyphs say the same, or nothing tells what they say; elsewhere a reader sees other words, and those
count. Not responsible for descriptions (/Alt) and expansions (/E), which pdfium does not take for text."""

import ctypes
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from sidecar.api import Box
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.fonts import NO_STYLE
from sidecar_pdf.pdfium.geometry import PageFrame, bounding_box
from sidecar_pdf.text.segments import COVERED, Segment, Word

_KEY = b"ActualText"
_MAX_MARKS = 1_000
"""Of a text object that are looked at."""
_MAX_BYTES = 1 << 20
"""Of a replacement text that is looked at."""
LETTERS_OF_GLYPH = 4
"""The most that one glyph stands for: "ffi" is three, the Arabic ligature of God's name four."""
_MIN_EXTENT = 0.05
"""Points that a text object is wide and tall which draws anything: blanks have no height."""
_TOLD_OTHERWISE = 3
"""Texts that one sign stands for where it is the box of a missing glyph, whose ToUnicode is that of any."""
_BYTE_ORDERS = ((b"\xfe\xff", "utf-16-be"), (b"\xff\xfe", "utf-16-le"), (b"\xef\xbb\xbf", "utf-8"))
_UNSEEN = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufffd-\uffff]")
_HYPHENS = re.compile(r"[-\u00ad\u2010\u2011]")
_ACCENTS = re.compile(r"[\u0300-\u036f\u302a-\u302f]")
"""Those that fonts may have as letters of their own, which are written before or behind."""
_REORDERED = re.compile(r"[\u0590-\u109f\u1780-\u17ff\ua800-\uabff]")
"""Letters of scripts that run right to left, or whose signs are not drawn in the order of the letters."""
_RADICALS, _CHINESE = "\u2e80\u2ef3", "\u4e00\u9fff"
"""From the first to the last: of the radicals that are no compatibility characters, of the unified ideographs."""
_UNDECODED = frozenset(("Cc", "Cn", "Co", "Cs"))
"""General categories of what no glyph draws."""


@dataclass
class _Replacement:
    """The replacement text of a sequence of marked content, and the text objects it stands for."""

    mark: int
    actual: bytes
    holder: int
    """A text object within it."""
    handles: list[int] = field(default_factory=list[int])
    """Those whose innermost replacement text it is."""
    shown: str = ""
    font: int = 0
    undecoded: int = 0
    """Glyphs of which pdfium cannot tell what they say."""

    @property
    def text(self) -> str:
        return _decoded(self.actual)


def check_replacements(document: int, page: int, frame: PageFrame, handles: Sequence[int]) -> list[Segment]:
    """Takes replacement text that says other than the glyphs do off a page in memory, before its text is loaded, and
    gives it as hidden text. `handles` are the text objects of the page."""
    found = _replacements(handles)
    if not found:
        return []
    for one in found:
        raw.remove_mark_entry(one.holder, one.mark, _KEY)
    mixed = [one for one in found if (_UNSEEN.sub("", one.text) or _HYPHENS.search(one.text)) and _boxes(one.handles)]
    if mixed:
        _read_shown(page, mixed)
    alternatives: dict[str, set[str]] = {}
    letters: dict[int, list[bool]] = {}
    for one in mixed:
        alternatives.setdefault(one.shown, set()).add(one.text)
        one.font = raw.text_font(one.handles[0]) or 0
        letters.setdefault(one.font, []).extend(bool(_REORDERED.match(c)) for c in one.shown if c.isalpha())
    reordered = {font for font, found in letters.items() if 2 * sum(found) > len(found)}
    untrue: list[_Replacement] = []
    for one in mixed:
        missing = len(alternatives[one.shown]) >= _TOLD_OTHERWISE
        if _is_same(one.shown, one.text) or _is_only_source(one, reordered=one.font in reordered, missing=missing):
            raw.set_mark_bytes(document, one.holder, one.mark, _KEY, one.actual, len(one.actual))
        else:
            untrue.append(one)
    for one in untrue:  # it may be an entry of a property list that it shares with what is true
        raw.remove_mark_entry(one.holder, one.mark, _KEY)
    return [_hidden(one, frame, at) for at, one in enumerate(untrue) if any(map(str.isalnum, one.text))]


def _is_same(shown: str, text: str) -> bool:
    """Whether two texts are the same to a reader: but for case, which small capitals have not, for hyphens and blanks,
    ligatures and accents, and for the order of letters where a script draws them in another."""
    one, other = _folded(shown), _folded(text)
    if one == other or (len(one) == len(other) and all(map(_is_drawn_as, one, other))):
        return True
    return bool(_REORDERED.search(other)) and Counter(one) == Counter(other)


def _is_drawn_as(shown: str, text: str) -> bool:
    """Whether a sign is another, or the radical that fonts draw a Chinese character by."""
    return shown == text or (_RADICALS[0] <= shown <= _RADICALS[1] and _CHINESE[0] <= text <= _CHINESE[1])


def _replacements(handles: Sequence[int]) -> list[_Replacement]:
    """What the marked content of a page says in place of its glyphs. Of nested ones pdfium takes the innermost."""
    found: dict[int, _Replacement | None] = {}
    count_marks, get_mark = raw.count_marks, raw.get_mark
    for handle in handles:
        count = count_marks(handle)
        if not count:
            continue
        innermost = True
        for index in range(min(count, _MAX_MARKS) - 1, -1, -1):
            mark = get_mark(handle, index) or 0
            if mark not in found:
                text = _actual(mark) if mark else None
                found[mark] = None if text is None else _Replacement(mark, text, handle)
            replacement = found[mark]
            if replacement is not None and innermost:
                replacement.handles.append(handle)
                innermost = False
    return [one for one in found.values() if one is not None]


def _actual(mark: int) -> bytes | None:
    """The replacement text of a mark; None where it has none, nothing of one that is overlong."""
    size = ctypes.c_ulong()
    if not raw.mark_bytes(mark, _KEY, None, 0, size):
        return None
    return raw.octets_written(raw.mark_bytes, mark, _KEY, _MAX_BYTES)


def _read_shown(page: int, replacements: Sequence[_Replacement]) -> None:
    """What the glyphs of marked content say, once no replacement text is in the way."""
    owners = {handle: one for one in replacements for handle in one.handles}
    text_page = raw.load_text(page)
    if not text_page:
        return
    try:
        shown: dict[int, list[str]] = {}
        for index in range(raw.count_chars(text_page)):
            owner = owners.get(raw.text_object(text_page, index) or 0)
            if owner is None or raw.is_generated(text_page, index) == 1:
                continue
            code = raw.char_code(text_page, index)
            char = chr(code) if code < 0x110000 else "\ufffd"
            if raw.map_error(text_page, index) == 1 or char == "\ufffd" or unicodedata.category(char) in _UNDECODED:
                owner.undecoded += 1
            else:
                shown.setdefault(owner.mark, []).append(char)
    finally:
        raw.close_text(text_page)
    for one in replacements:
        one.shown = "".join(shown.get(one.mark, ()))


def _is_only_source(one: _Replacement, *, reordered: bool, missing: bool) -> bool:
    """Whether only the replacement text tells what glyphs say: pdfium cannot, as far as they are not among what is
    told; they are of a script, or a font of such a script (`reordered`), for whose joined glyphs it gives their
    numbers; or it gives one character for many (`missing`)."""
    shown, text = _folded(one.shown), _folded(one.text)
    glyphs = len(one.shown) + one.undecoded
    drawn = any(box[3] - box[1] > _MIN_EXTENT for box in _boxes(one.handles))
    if not glyphs or len(text) > LETTERS_OF_GLYPH * glyphs or not drawn:
        return False
    if not any(map(str.isalnum, text + shown)):
        return True
    letters = Counter(char for char in shown if char.isalnum())
    left_out = (letters - Counter(text)).total()
    if any(char.isascii() and char.isalnum() for char in text):
        left = iter(text)
        most = len(shown) + LETTERS_OF_GLYPH * one.undecoded
        return one.undecoded > 0 and len(text) <= most and all(char in left for char in shown)
    if one.undecoded and not left_out:
        return True
    if _REORDERED.search(text):
        return reordered or 2 * left_out <= letters.total()
    return missing and len(one.shown) == 1 and shown.isalpha() and not shown.isascii()


def _boxes(handles: Sequence[int]) -> list[Box]:
    """Where text objects stand in page space, but for those of no width, which pdfium leaves out."""
    bounds = raw.floats(4)
    boxes = [
        tuple[float, float, float, float](bounds.values) for one in handles if raw.object_bounds(one, *bounds.addresses)
    ]
    return [box for box in boxes if box[2] - box[0] > _MIN_EXTENT]


def _hidden(one: _Replacement, frame: PageFrame, order: int) -> Segment:
    """Replacement text that no glyph says, as hidden text where they stand."""
    box = frame.box(*bounding_box(_boxes(one.handles)))
    style = NO_STYLE._replace(mode=COVERED, size=max(box[3] - box[1], 1.0))
    segment = Segment(Word(" ".join(_UNSEEN.sub(" ", one.text).split()), *box, style, joined=False), order)
    segment.hidden = True
    return segment


def _folded(text: str) -> str:
    """A text without what the eye does not tell apart, or fonts draw otherwise."""
    text = _UNSEEN.sub("", unicodedata.normalize("NFKD", text).casefold())
    return _HYPHENS.sub("", _ACCENTS.sub("", text))


def _decoded(text: bytes) -> str:
    """A text string (ISO 32000-2, 7.9.2.2)."""
    for mark, encoding in _BYTE_ORDERS:
        if text.startswith(mark):
            return text[len(mark) :].decode(encoding, "replace")
    return text.decode("latin-1")
