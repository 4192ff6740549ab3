"""Finds PDFs of a few bytes that make millions of draws, which pdfium carries out and cannot be stopped from within:
forms (ISO 32000-1, 8.10) that draw forms that draw forms, by way of themselves or not; one large form drawn thousands
of times; contents that say one thing millions of times; one page named thousands of times. Looked for in the bytes,
since by the time pdfium is asked it is too late. Stream dictionaries are never compressed, so they are found."""

import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping

_FORM = re.compile(rb"/Subtype\s*/Form\b")
_NAMED = re.compile(rb"/([^\s/<>\[\]()]{1,80})\s+(\d{1,9})\s+\d{1,5}\s+R\b")
_XOBJECTS = re.compile(rb"/XObject\s*<<((?:(?!/XObject).){0,20000}?)>>", re.DOTALL)
_INDIRECT = re.compile(rb"/(?:Resources|XObject)\s+(\d{1,9})\s+\d{1,5}\s+R\b")
_DRAW = re.compile(rb"/([^\s/<>\[\]()]{1,80})\s+Do\b")
_NO_CONTENT = re.compile(
    rb"/(?:Image|Length[123]|ObjStm|XRef|Metadata|EmbeddedFile|Params|FunctionType|ShadingType|Type1C|CIDFontType0C|"
    rb"OpenType|Alternate)\b|/N\s+\d"
)
"""What a stream's dictionary says that holds no operators (7.8.2): fonts, pictures, profiles and files."""
_OPERATOR = re.compile(rb"\s(?:q|Q|cm|re|m|l|c|h|n|W|f|S|B|gs|g|rg|w|Do|BT|ET|Tf|Td|Tm|Tj|TJ|BMC|BDC|EMC|EI|sh)(?=\s)")
_KIDS = re.compile(rb"/Kids\s*\[([^\[\]]*+)\]")
_OBJECT_NUMBER = re.compile(rb"(?<!\d)(\d{1,9})\s+\d{1,5}\s+$")  # before "obj"
_REFERENCE = re.compile(rb"(\d{1,9})\s+\d{1,5}\s+R\b")
_MAX_FORMS = 4_000
_MAX_CONTENT = 1 << 20
_LEVELS = 40
"""How deep pdfium follows forms."""
_MAX_DRAWS = 1_000_000
"""Draws that one form may come to; pdfium takes about a microsecond for the shortest."""
_MAX_EXPANDED, _MAX_RATIO = 4 << 20, 200
"""Bytes of contents and how many times their packed ones: the most of 2,000 contents looked at is 20."""
_DEFLATED = 1032
"""How many times its bytes something deflated can be at most."""
_MAX_DRAWN = 64 << 20
"""Bytes of contents that one form may add up to on a page; pdfium reads some 30 MB a second."""
_OPERATORS, _LOOKED_AT = 500, 1 << 16
_MAX_SAME = 200
"""Times that pages may be named again."""


def find_bomb(data: bytes) -> str:
    """What in the file is more than can be shown, for a sentence; "" for nothing."""
    if _multiplies(data):
        return "a drawing that draws itself, or drawings in it, more often than can be shown"
    if _repeats_pages(data):
        return "one page that is named as page after page, more often than can be shown"
    if _repeats_content(data):
        return "a page that repeats one drawing more often than can be shown"
    return ""


def _repeats_pages(data: bytes) -> bool:
    """Whether the tree of pages (7.7.3.2) names the same node again and again."""
    again = 0
    for match in _KIDS.finditer(data):
        named = _REFERENCE.findall(match[1])
        again += len(named) - len(set(named))
    return again > _MAX_SAME


def _repeats_content(data: bytes) -> bool:
    """Whether contents are packed as tightly as only one thing said over and over is, or draw one form that often."""
    largest: dict[int, int] = {}
    suspects: list[tuple[bytes, int]] = []
    for number, is_form, packed, content in _contents(data):
        if is_form:
            largest[number] = max(largest.get(number, 0), len(content))
        if len(content) > _MAX_EXPANDED and len(content) > _MAX_RATIO * packed:
            if len(_OPERATOR.findall(content[:_LOOKED_AT])) > _OPERATORS:
                return True
        elif content.count(b" Do") * _MAX_CONTENT > _MAX_DRAWN:
            suspects += Counter(_DRAW.findall(content)).most_common(1)
    most = max(largest.values(), default=0)
    suspects = [(name, times) for name, times in suspects if times * most > _MAX_DRAWN]
    return bool(suspects) and _draws_too_much(suspects, largest, data)


def _draws_too_much(suspects: list[tuple[bytes, int]], forms: Mapping[int, int], data: bytes) -> bool:
    """Whether one of the names, drawn so many times, is somewhere that of a form large enough. Dictionaries of
    resources may be packed, so that these are looked through, too."""
    texts = [data, *(content for content in _packed_objects(data))]
    for name, times in suspects:
        named = re.compile(rb"/" + re.escape(name) + rb"\s+(\d{1,9})\s+\d{1,5}\s+R\b")
        if any(times * forms.get(int(number), 0) > _MAX_DRAWN for text in texts for number in named.findall(text)):
            return True
    return False


def _packed_objects(data: bytes) -> Iterator[bytes]:
    for match in re.finditer(rb"/ObjStm\b", data):
        at = data.find(b"stream", match.end())
        if at > 0:
            yield _content(b"FlateDecode", data, at)


def _contents(data: bytes) -> Iterator[tuple[int, bool, int, bytes]]:
    """Each plain or deflated stream that may hold operators: its object's number, whether it is a form's, packed bytes,
    content as far as it is looked at."""
    least = 0 if _FORM.search(data) else _MAX_EXPANDED // _DEFLATED
    at = 0
    while (at := data.find(b"stream", at + 1)) > 0:
        if data[at - 3 : at] == b"end":
            continue
        start = data.rfind(b"obj", max(at - 8_000, 0), at)
        dictionary = data[start:at]
        if (
            start < 0
            or (b"FlateDecode" not in dictionary and b"/Filter" in dictionary)
            or _NO_CONTENT.search(dictionary)
        ):
            continue
        end = data.find(b"endstream", at)
        content = packed = data[at + len(b"stream") : end if end > 0 else len(data)].lstrip(b"\r\n")
        if b"/Filter" in dictionary:
            if len(packed) < least:
                continue
            try:
                most = min(max(_MAX_EXPANDED, _MAX_RATIO * len(packed)) + 1, _MAX_DRAWN)
                content = zlib.decompressobj().decompress(packed, most)
            except zlib.error:
                continue
        number = _OBJECT_NUMBER.search(data[max(start - 24, 0) : start])
        yield int(number[1]) if number else 0, bool(_FORM.search(dictionary)), len(packed), content


def _multiplies(data: bytes) -> bool:
    """Whether some form, followed through the forms it draws, comes to more draws than any page needs."""
    forms: dict[int, tuple[bytes, int]] = {}
    for match in _FORM.finditer(data):
        start = data.rfind(b"obj", max(match.start() - 8_000, 0), match.start())
        end = data.find(b"stream", match.end(), match.end() + 40_000)
        number = _OBJECT_NUMBER.search(data[max(start - 24, 0) : start])
        if start < 0 or end < 0 or number is None:
            continue
        dictionary = data[start:end]
        if b"/Resources" in dictionary:
            forms[int(number[1])] = (dictionary, end)
        if len(forms) > _MAX_FORMS:
            return False
    named = {number: _names(dictionary, data) for number, (dictionary, _) in forms.items()}
    parents = {number for number, names in named.items() if not forms.keys().isdisjoint(names.values())}
    called_by_parents = {called for number in parents for called in named[number].values()}
    draws: dict[int, Counter[int]] = {}
    for number in parents:
        if number in called_by_parents or not parents.isdisjoint(named[number].values()):
            dictionary, at = forms[number]
            content = _DRAW.findall(_content(dictionary, data, at))
            draws[number] = Counter(named[number][name] for name in content if name in named[number])
    total = dict.fromkeys(draws, 1)
    for _ in range(_LEVELS if draws else 0):
        total = {
            number: 1 + sum(times * total.get(called, 1) for called, times in counted.items())
            for number, counted in draws.items()
        }
        if max(total.values()) > _MAX_DRAWS:
            return True
    return False


def _names(dictionary: bytes, data: bytes) -> dict[bytes, int]:
    """What the form's resources call the objects it may draw; indirect resources are looked up two levels deep."""
    names: dict[bytes, int] = {}
    level = [dictionary]
    for _ in range(3):
        following: list[bytes] = []
        for text in level:
            for section in _XOBJECTS.findall(text) or ([text] if text is not dictionary else []):
                names.update({name: int(number) for name, number in _NAMED.findall(section)})
            following += [_object(int(number), data) for number in _INDIRECT.findall(text)[:4]]
        level = following
    return names


def _object(number: int, data: bytes) -> bytes:
    """The text of an uncompressed object; plain searches, since a file has megabytes and a form may name several."""
    head = b"%d 0 obj" % number
    at = data.find(head)
    while at > 0 and data[at - 1 : at].isdigit():
        at = data.find(head, at + 1)
    if at < 0:
        return b""
    end = data.find(b"endobj", at, at + 40_000)
    return data[at + len(head) : end] if end > 0 else b""


def _content(dictionary: bytes, data: bytes, at: int) -> bytes:
    """The form's content where it is plain or deflated; empty where it is packed otherwise."""
    start = at + len(b"stream")
    start += 2 if data[start : start + 2] == b"\r\n" else 1
    end = data.find(b"endstream", start)
    body = data[start : end if end > 0 else start + _MAX_CONTENT]
    if b"/Filter" not in dictionary:
        return body[:_MAX_CONTENT]
    if b"FlateDecode" not in dictionary:
        return b""
    try:
        return zlib.decompressobj().decompress(body, _MAX_CONTENT)
    except zlib.error:
        return b""
