"""Names of members, whatever code page a program wrote them in, as ways down from the archive."""

import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Sequence

_UTF_8_FLAG = 0x800
_UNICODE_PATH = 0x7075
"""The extra field in which Info-ZIP keeps a name as UTF-8 (APPNOTE.TXT 4.6.9)."""
_CYRILLIC, _KANA, _HANGUL = ("CYRILLIC",), ("HIRAGANA", "KATAKANA", "HALFWIDTH KATAKANA", "FULLWIDTH"), ("HANGUL",)
_IDEOGRAPHS = ("CJK UNIFIED",)
_FITTING: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("cp437", lambda text: _all_of(text, ("LATIN",))),
    ("cp866", lambda text: _all_of(text, _CYRILLIC)),
    ("cp1251", lambda text: _all_of(text, _CYRILLIC)),
    ("cp932", lambda text: _has_kana(text) and _all_of(text, (*_KANA, *_IDEOGRAPHS, "CJK", "IDEOGRAPHIC"))),
    ("cp949", lambda text: _all_of(text, _HANGUL)),
    ("gb18030", lambda text: _all_of(text, (*_IDEOGRAPHS, "FULLWIDTH", "CJK", "IDEOGRAPHIC")) and _is_common(text)),
    ("cp950", lambda text: _all_of(text, (*_IDEOGRAPHS, "FULLWIDTH", "CJK", "IDEOGRAPHIC"))),
    ("cp932", lambda text: _all_of(text, (*_IDEOGRAPHS, "FULLWIDTH", "CJK", "IDEOGRAPHIC"))),
    ("cp1252", lambda text: _all_of(text, ("LATIN",))),
)
"""Code pages in the order in which they are tried, and whether names read by one look like names: programs write names
in the code page of their user's country and do not say which that is."""


def zip_names(infos: Sequence[zipfile.ZipInfo]) -> list[str]:
    """The members' names. One that is not marked as UTF-8 need not be in the code page 437 that the standard says."""
    raw: list[bytes] = []
    names = [info.filename for info in infos]
    unsure: list[int] = []
    for at, info in enumerate(infos):
        if info.flag_bits & _UTF_8_FLAG or info.orig_filename.isascii():
            continue
        try:
            own = info.orig_filename.partition("\0")[0].encode("cp437")
        except UnicodeEncodeError:
            continue
        if unicode_name := _unicode_path(info.extra, own):
            names[at] = unicode_name
        else:
            unsure.append(at)
            raw.append(own)
    for at, name in zip(unsure, _decoded(raw, "cp437"), strict=True):
        names[at] = name
    return names


def tar_names(names: Sequence[str]) -> list[str]:
    """The names of a tar archive, which has bytes; those that are not UTF-8 come with surrogates."""
    found = list(names)
    unsure = [at for at, name in enumerate(found) if any("\udc80" <= char <= "\udcff" for char in name)]
    raw = [found[at].encode("utf-8", "surrogateescape") for at in unsure]
    for at, name in zip(unsure, _decoded(raw, "cp1252"), strict=True):
        found[at] = name
    return found


def _decoded(names: Sequence[bytes], fallback: str) -> list[str]:
    """Names of one archive, all by the same code page: the first that fits them all, else `fallback`."""
    together = b"\n".join(names)
    try:
        return [name.decode("utf-8") for name in names]
    except UnicodeDecodeError:
        pass
    for codec, fits in _FITTING:
        try:
            text = together.decode(codec)
        except UnicodeDecodeError:
            continue
        if fits(text):
            return [name.decode(codec, "replace") for name in names]
    return [name.decode(fallback, "replace") for name in names]


def inside(name: str) -> str:
    """A member's name as a way down from the archive: no root, no drive, no way up, no control characters."""
    plain = "".join(char if char.isprintable() else "_" for char in name.replace("\\", "/"))
    steps = [step for step in plain.split("/") if step not in ("", ".", "..")]
    if steps and steps[0].endswith(":"):
        del steps[0]
    return "/".join(steps) or "file"


def _unicode_path(extra: bytes, own: bytes) -> str:
    """The name in the extra field, "" where there is none or it is that of another name."""
    at = 0
    while at + 4 <= len(extra):
        kind, size = struct.unpack_from("<HH", extra, at)
        field = extra[at + 4 : at + 4 + size]
        at += 4 + size
        if kind == _UNICODE_PATH and len(field) > 5 and int.from_bytes(field[1:5], "little") == zlib.crc32(own):
            return field[5:].decode("utf-8", "replace")
    return ""


def _all_of(text: str, scripts: tuple[str, ...]) -> bool:
    """Whether all characters beyond ASCII are of these scripts, by the first words of their names in Unicode."""
    return all(unicodedata.name(char, "").startswith(scripts) for char in text if not char.isascii())


def _has_kana(text: str) -> bool:
    return any(unicodedata.name(char, "").startswith(_KANA) for char in text if not char.isascii())


def _is_common(text: str) -> bool:
    """Whether most ideographs are among the 3,755 that GB 2312 lists first, as common ones: bytes of Big5 read as GB
    give rare ones."""
    signs = [char for char in text if not char.isascii() and unicodedata.name(char, "").startswith(_IDEOGRAPHS)]
    common = sum(b"\xb0" <= char.encode("gb18030")[:1] <= b"\xd7" for char in signs)
    return common * 10 >= len(signs) * 9
