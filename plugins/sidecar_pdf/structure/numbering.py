"""The numbers of headings: which a text opens with, of what kind, and how deep they say it stands; the names of parts
that need none; and the marks of the items of lists."""

import re

from sidecar.toolkit.times import names
from sidecar_pdf.layout.lines import Line
from sidecar_pdf.structure.regions import Region

_DEEP = r"(?:\d{1,3}|[A-Z])(?:\.\d{1,3})+[.:]?"
"""A number of several parts."""
_NUMBERED = re.compile(
    rf"((?:{_DEEP}|\d{{1,2}}\.?|[A-Z]\.|[IVX]{{1,5}}\.|\d{{1,2}}(?:[.-]\d{{1,2}})*-(?=\s+[\u0590-\u08ff]))"
    r"(?=\s+[“‘„«’\"'\\#]?\.?[^\W\d_])"
    rf"|{_DEEP}(?=\s+(?:[(\[][^\W\d_]|\d[\w/+-]{{0,12}}\s[^\W\d_]{{2}}))"
    r"|\d{1,2}(?:(?:\.|(?:\.\d{1,2})+)(?=[^\W\d_a-z][^\W\d_A-Z]{2})"
    r"|(?:\.\d{1,2})+\.(?=[^\W\d_a-z]\s?[^\W\d_])))\s*"
    r"|(第[一二三四五六七八九十百\d]+[章节節条條编編部]|제\s?\d+[장절조]|(?:[一二三四五六七八九十]{1,3}|\d{1,2})、)\s*(?=\S)"
)
ROMAN = re.compile(r"[IVX]{1,5}\.\s")
"""A heading numbered "IV."."""
_ROMAN_WORD = re.compile(r"(?=[IVX])X{0,3}(?:IX|IV|V?I{0,3})\.?")
WORDED = re.compile(
    r"(part|chapter|article|section|title|appendix|annex|schedule|teil|kapitel|artikel|abschnitt|anhang|partie|chapitre"
    r"|titre|annexe|capítulo|artículo|sección|título|anexo|artigo|seção|capitolo|articolo|hoofdstuk|глава|статья|раздел"
    r"|§)(?:\s?\d{1,4}|\s(?-i:[IVXLC]{1,6}|[A-Z]))\b",
    re.IGNORECASE,
)
"""A heading that says what it is: "Chapter 3", "Article IV", "§ 12"."""
_NAMED = re.compile(
    r"abstract|summary|(?:table of )?contents|references|bibliography|acknowledge?ments?|zusammenfassung|danksagung"
    r"|inhalt(?:sverzeichnis)?|literatur(?:verzeichnis)?|résumé|sommaire|table des matières|références|bibliographie"
    r"|remerciements|resumen|referencias|bibliografía|agradecimientos|resumo|sumário|referências|riassunto|[ií]ndice"
    r"|streszczenie|spis treści|podziękowania|samenvatting|inhoudsopgave|sammanfattning|innehåll|obsah|özet|içindekiler"
    r"|bibliografia|аннотация|содержание|литература|摘要|目录|目錄|参考文献|參考文獻|要旨|目次"
    r"|الفهرس|المراجع|فهرست مطالب|مراجع",
    re.IGNORECASE,
)
"""What documents of many kinds call the parts that have no number."""
_KINDS = (
    ("roman", ROMAN),
    ("letter", re.compile(r"[A-HJ-U]\.\s")),
    ("digit", re.compile(r"\d{1,2}\.?\s+(?=[^\W\d_])")),
    ("digit in brackets", re.compile(r"\(?\d{1,2}\)\s")),
    ("letter in brackets", re.compile(r"\(?[a-z]\)\s")),
    ("cjk", re.compile(r"[一二三四五六七八九十]{1,3}、")),
    ("cjk in brackets", re.compile(r"[(（][一二三四五六七八九十]{1,3}[)）]")),
)
"""Kinds of numbers; a letter I, V or X before a full stop is a Roman number."""
_BULLET = re.compile(
    r"([•◦▪‣·●○■□▶►➢➤✓✔❖◆◇☐☑☒⚫⚪⬤◾◽◼◻▸▹★☆✦✧➔➜❑❒❏❍♦⁃∙◉–—\-*\x80-\x9f\uf020-\uf0ff]|o(?=\s+[A-Z]))"
    r"(?:\s+(?=\S)|(?<=[•▪‣])(?=\w))"
)
"""A list mark; control characters and private ones are those of symbol fonts without a table of characters."""
_RING = re.compile(r"(o)\s+")
_SURE_BULLET = re.compile(rf"(?![-–—*·]){_BULLET.pattern}")
_NUMBER = re.compile(r"(\(?(?:\d{1,3}|[a-zA-Z]|[ivxlIVXL]{1,5})[.)]|\[\d{1,3}\])\s+(?=\S)")

_CLAUSE = re.compile(r"(\d{1,2}(?:\.\d{1,2}){1,4}\.?)\s+\S")
"""The number of a clause, of two parts or more."""

_MARKS_SAID = re.compile(r"\*[^*]*[;,]\s*\*\*")
"""What marks of figures in a table stand for, under it: "* p<0.1; ** p<0.05"."""
_DOTTED_MONTHS = "|".join(month for language in ("de", "da", "no", "fi") for month in names(language).months)
_DATE = re.compile(rf"\d{{1,2}}\. (?:(?:{_DOTTED_MONTHS})(?:ta)?\.?|\d{{1,2}}\.) ?(?:19|20)\d\d\b", re.IGNORECASE)
"""A day in German, a Scandinavian language or Finnish, which put a full stop behind it; or in numbers."""
_AUTHORS = re.compile(
    r"(?:[A-Z]\.[ -]?){1,4}[A-Z][^\W\d_]\S{0,40}"
    r"(?:,? (?:and|und|et|e|y|&) |[\d*†‡§∗ ]{0,8},[\d,*†‡§∗ ]{0,8}(?:[a-z]\) )?(?<= ))"
    r"(?:[A-Z]\.[ -]?){1,4}[A-Z][^\W\d_]"
)
"""Two names, or more, each behind its initials: "A. Meyer, B. C. Osei"."""


def heading_text(region: Region) -> str:
    """The text with its number or marker before it."""
    return f"{region.marker} {region.text}" if region.marker else region.text


def number_and_text(text: str) -> tuple[str, str]:
    """`("2.3", "Method")` of "2.3 Method"; the number is "" where the heading has none, or one of a script that writes
    it without a space."""
    match = _NUMBERED.match(text)
    return (match[1].rstrip(".:-"), text[match.end() :]) if match and match[1] else ("", text)


def is_roman(word: str) -> bool:
    """Whether a word is a Roman number in capitals, with or without a full stop."""
    return _ROMAN_WORD.fullmatch(word) is not None


def is_numbered(text: str) -> bool:
    """Whether a text opens with the number of a heading."""
    return _NUMBERED.match(text) is not None


def depth_of(text: str) -> int:
    """How many numbers a heading's number consists of, 0 where it has none or one of another script."""
    match = _NUMBERED.match(text)
    return match[1].rstrip(".:-").replace("-", ".").count(".") + 1 if match and match[1] else 0


def is_named(region: Region) -> bool:
    """Whether a line is the name of a part that most documents of a kind have, and no more."""
    return region.lines == 1 and region.alone and _NAMED.fullmatch(region.text.strip(" .:")) is not None


def kind_of_number(text: str) -> str:
    """The kind of number a heading opens with: "roman", "letter", "chapter", …; "" where it has none, or one that tells
    its depth by itself ("2.3")."""
    worded = WORDED.match(text)
    if worded:
        return worded[1].casefold()
    match = _NUMBERED.match(text)
    if match and match[2]:
        return match[2].strip("0123456789 一二三四五六七八九十百第제") or "cjk"
    return next((kind for kind, pattern in _KINDS if pattern.match(text)), "")


_ABOVE = {
    **dict.fromkeys("章", "编編部"), **dict.fromkeys("节節", "编編部章"), **dict.fromkeys("条條", "编編部章节節"),
    "절": "장", "조": "장절",
}  # fmt: skip
"""What parts of statutes stand under, by their names: articles under sections, sections under chapters."""


def nested_kinds(kinds: list[str]) -> dict[str, int]:
    """How deep each kind of number stands among headings of one style, given in their order: a kind stands under one
    that came before it and comes again after it, as "A." does between "I." and "II."; appendices do not. Names of parts
    in East Asian scripts tell it by themselves."""
    last = {kind: at for at, kind in enumerate(kinds) if kind}
    depths: dict[str, int] = {}
    for at, kind in enumerate(kinds):
        if kind and kind not in depths:
            above = _ABOVE.get(kind, "")
            under = (depths[other] + 1 for other in depths if last[other] > at or (above and other in above))
            depths[kind] = max(under, default=0)
    return depths


def is_sure_bullet(line: Line) -> bool:
    """Whether a line opens with a sign that stands for nothing but the mark of an item."""
    return _SURE_BULLET.match(line.text) is not None or _opens_with_ring(line)


def _opens_with_ring(line: Line) -> bool:
    """Whether a line opens with the letter that word processors take from a typewriter face for a ring."""
    words = line.words
    return words[0].text == "o" and len(words) > 1 and words[0].style.mono and not words[1].style.mono


def counts_on(opening: str, text: str) -> bool:
    """Whether a text opens with the number of a clause after the one that another opens with, or of its first part:
    "1.2" after "1.1", "1.1.1" or "1.1.2" after "1.1.1", "1.2" or "2.1" after "1.1.3"."""
    one, other = _CLAUSE.match(opening), _CLAUSE.match(text)
    if one is None or other is None:
        return False
    before, after = (number.rstrip(".").split(".") for number in (one[1], other[1]))
    if len(after) > len(before):
        return after == [*before, "1"]
    at = next((at for at, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), len(after))
    return at < len(after) and int(after[at]) == int(before[at]) + 1 and all(n == "1" for n in after[at + 1 :])


def is_next_number(one: str, other: str) -> bool:
    """Whether a text is a number, and another the next."""
    return one.isdecimal() and other.isdecimal() and int(other[:9]) == int(one[:9]) + 1


def marker_of(line: Line) -> str:
    """The list marker a line opens with ("•", "3.", "(a)"), or ""."""
    match = marker_match(line.text, line)
    return match[1] if match else ""


def marker_match(text: str, opening: Line) -> re.Match[str] | None:
    """The list marker a text opens with, and the blanks behind it; none where dashes stand on both sides of it, and
    where the number is the day of a date or the star explained with others. `opening` is its first line."""
    match = _BULLET.match(text) or _NUMBER.match(text)
    if match is None:
        return _RING.match(text) if _opens_with_ring(opening) else None
    if any(pattern.match(text) for pattern in (_DATE, _MARKS_SAID, _AUTHORS)):
        return None
    return None if match[1] in "-–—" and text.endswith(f" {match[1]}") else match
