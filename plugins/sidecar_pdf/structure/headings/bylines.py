"""Tells the lines of a document that name people, places and days and head nothing: authors and where they work between
the title and the text, the sender and the signature of a letter."""

from __future__ import annotations

import re
from itertools import pairwise

from sidecar_pdf.structure.numbering import WORDED, heading_text, is_named, is_numbered, is_roman, number_and_text
from sidecar_pdf.structure.regions import PageRegions, Region

_AFFILIATION = re.compile(
    r"\S@\S|[Uu]niversi[td]|UNIVERSI(?:T[YÄÉÀ]|DAD|DADE)\b"
    r"|\b(?:Institut|Department|Dept\.|Faculty|School of|College|Laborator|Academy"
    r"|Research (?:Cent|Group)|GmbH|Inc\.|Corporation|Observator|Hochschule"
    r"|Università|Университет|институт|جامعة|دانشگاه)|大学|大學|学院|研究所"
)
_MARK = re.compile(r"[∗*†‡§¶]|[a-z]\d(?:,\d)*(?:\s|$)|[^\W\d_]\s\d(?:,\s?\d)*$")
_AFFILIATED = re.compile(r"[a-z]")
"""A raised letter that stands for where an author works."""
_PARTICLES = re.compile(r"van|von|de[rnl]?|della|d[iao]|dos|l[ae]|du|ten|zu|bin|el")
_INITIAL = re.compile(r"[A-Z]\.(?:-[A-Z]\.)?")
_MONTH = (
    r"(?:jan|feb|fév|fev|mar|mär|apr|avr|abr|ma[iyg]|ju[nl]|jui|giu|lug|aug|août|ago|sep|set|o[ck]t|out|nov|de[czs]|déc|dic"
    r"|gen|ene)\w{0,7}\.?"
)
_DATE = re.compile(
    r"(?:(?:(?:effective|valid|dated|(?:last )?(?:updated|modified|revised)|issued|published|stand|gültig)[a-z ]*:?"
    r"|(?:[^\W\d_]+ )?[^\W\d_]+:) )?"
    r"(?:(?:\w+day,? )?(?:\d{1,2}(?:\.|st|nd|rd|th)? (?:of |de )?)?"
    rf"{_MONTH}(?: \d{{1,2}}(?:st|nd|rd|th)?)?,? ?(?:de )?\d{{4}}"
    r"|\d{1,4}[./-]\d{1,2}[./-]\d{1,4})|\d{4}\s?年\s?\d{1,2}\s?月(?:\s?\d{1,2}\s?日)?"
    r"|[一二三四五六七八九〇○零]{4}\s?年\s?[一二三四五六七八九十]{1,3}\s?月(?:\s?[一二三四五六七八九十]{1,3}\s?日)?",
    re.IGNORECASE,
)
"""A day or a month of a year, perhaps what it is the day of before it, and nothing else."""
_PERIOD = re.compile(
    rf"(?:(?:since|seit|depuis|desde|dal) )?(?:{_MONTH},? |\d{{1,2}}[./])?(?:19|20)\d\d(?: ?[-–—] ?"
    rf"(?:(?:{_MONTH},? |\d{{1,2}}[./])?(?:19|20)\d\d|present|now|today|current|heute|aujourd['’]hui|oggi"
    r"|actualidad))?",
    re.IGNORECASE,
)
"""The years or months from which to which something lasted, and nothing else."""
_NEXT_DATE = re.compile(r"(?<=\d{4})[.,;]? (?=[A-Za-zÀ-ÿ])")
"""Between two days of which each is said what it is the day of."""
_DAY = re.compile(r"\d{1,2} [^\W\d_a-zA-ZÀ-ÿ]{2,12} \d{4}")
"""A day in a script other than Latin, whose months are not known here."""
_YEARED = re.compile(r"(?=.*\b(?:19|20)\d\d\b).*(?<!\d)\d{1,2}(?!\d)")
"""Has a year and the number of a day, in whatever language."""
_DAY_OF_MONTH = re.compile(r"\b\d{1,2}[-. ](?:\d{1,2}|[^\W\d_]{3,9})[-., ]+\d{2,4}\b|\b\d{4}-\d\d-\d\d\b")
"""A day, among other words."""
_VERSION = re.compile(
    r"(?:version|versión|versão|versione|v|rev(?:ision)?|release|issue|draft|edition)\.? ?\d[\w.-]{0,12}", re.IGNORECASE
)
"""Which one of a document this is, and nothing else."""
_DATED = re.compile(r", | [—–-] ")
"""Stands between a version and its day."""
_POSTAL = re.compile(r"\b[A-Z]{2} {1,2}\d{5}(?:-\d{4})?$|\b(?:[A-Z]{1,2}-)?\d{4,5} [A-Z][^\W\d]+, [A-Z][\w ]+$")
"""Ends as an address does: with a state and its code, or the code, a town and the land."""
_ABSTRACT = re.compile(
    r"(?:abstract|summary|zusammenfassung|résumé|resumen|resumo|riassunto|摘\s?要|要旨)\s?[.:：—–-]", re.IGNORECASE
)
"""Opens a paragraph that is the abstract."""
_SALUTATION = re.compile(
    r"(?:dear|to whom it may|sehr geehrte|liebe[rs]?|guten tag|hallo|madame|monsieur|cher|chère|estimad[oa]s?"
    r"|egregi[oa]|querid[oa]s?|gentile|spettabile|prezad[oa]s?|geachte|beste|уважаем\w+)\b.{0,60}|.{0,30}様|拝啓.{0,20}",
    re.IGNORECASE,
)
"""Opens a letter."""
_CLOSING = re.compile(
    r"(?:yours|sincerely|(?:kind|best|warm)(?:est)? (?:regards|wishes)|respectfully|regards|viele grüße"
    r"|hochachtungsvoll|mit (?:freundlich|best|herzlich)\w* \w+|(?:bien )?cordialement|veuillez agréer|atentamente"
    r"|un cordial saludo|cordiali saluti|distinti saluti|atenciosamente|met vriendelijke|с уважением|敬具)\b.{0,60}",
    re.IGNORECASE,
)
"""Ends a letter, before the signature."""
_AUTHORED = re.compile(r"^(?:(?:[Ww]ritten |[Ee]dited )?[Bb]y|[Pp]ar|[Pp]or|[Vv]on|[Aa]uthors?:?) (?=[A-ZÀ-Þ])")
"""Opens the line that names who wrote a document."""
_ROLE = re.compile(r"\s*\((?:editors?|eds?\.?|maintainers?|translators?)\)$", re.IGNORECASE)
"""What somebody did for a document, behind the name."""
_TEAM = re.compile(r"\w(?<!\b[Tt]he) (?:[Tt]eam|[Cc]ontributors|[Dd]evelopers)$")
"""Ends the name of those who wrote a document together; "Meet the team" names nobody."""
_BY = re.compile(
    r"(?:(?:edited|written|compiled|translated|submitted) )?by|von|par|por|door|di"
    r"|autor[ei]?:?|(?:auth?ors?|autor(?:es|in)|auteurs?|verfasser(?:in)?):",
    re.IGNORECASE,
)
"""Stands over the name of somebody, and under the title."""
_CONNECTING = re.compile(r"(?:(?:in|of|at|to|on|for|from|the|and|an|der|des|zur|de|la|du|pour|degli|presso) ?){1,3}")
"""Connects the lines that an inscription of a title page is spread over."""
_ACADEMIC = re.compile(r"(?:Prof(?:essor(?:in)?)?|Dr|Ing|Dipl)\b[-\w.]*(?: |$)")
"""Opens the name of somebody with a degree."""
_INITIALED = re.compile(r"[^\W\d_a-z]\w+ (?:[^\W\d_a-z]\. ?){1,2}[^\W\d_a-z][\w-]+")
"""A name with initials in the middle, and nothing else."""
_NAME_END = re.compile(r"[,;·&]|\band\b|[∗*†‡§¶\d]+")
_INITIALED_LINES = 2  # under a title, that may be a name with an initial alone
_FRONT_PAGES, _PERSON_WORDS = 4, 6  # pages on which inscriptions stand; words of a name with its degrees
# Counts, characters and shares. Chosen on the corpus.
_SEVERAL_NAMES, _MOST_NAMES = 4, 0.6  # names with signs of places, which may follow in the same line; share of names
_DATE_WORDS = 4  # of a day
_BYLINE, _NAME_WORDS = 8, 16  # regions in which an address follows a title; words of a line of names
_NEXT_NAMES = 2  # regions from one address to the next of many authors
_INDENTED, _OFF_CENTRE = 0.2, 0.06  # shares of the page width: beside a centred line, and by which that differs
_OFF_TITLE = 0.02  # share of the page width, by which the middles of a title and of a line under it differ, twice
_PARAGRAPH_CHARS = 200  # of a paragraph, at least
_TITLE, _SIGNATURE = 1.5, 5  # times the size of running text: that of titles in letters; regions below a farewell


def byline_of(pages: list[PageRegions]) -> set[int]:
    """The regions that name authors and where they work: between the title of the first page and its first paragraph.
    In a document of one page, a poster, it is only what says where they work, and lists of names."""
    texts = (r for r in pages[0].regions if r.kind in {"text", "list"} and not r.running)
    first = [region for region in texts if not WORDED.match(region.text)]
    end = next((at for at, region in enumerate(first) if len(region.text) >= _PARAGRAPH_CHARS), len(first))
    ends = list[int]()
    for at, region in enumerate(first[:end]):
        if _follows_names(region) and (at < _BYLINE or (ends and at - ends[-1] <= _NEXT_NAMES)):
            ends.append(at)
    if len(first) > 2 and number_and_text(heading_text(first[2]))[0] == "1":
        ends.append(2)
    address = max(ends, default=0)
    named = next((at for at, region in enumerate(first[: end + 1]) if _closes(region)), 0)
    if not end:
        return set()
    largest = max(first[:end], key=lambda region: region.size)
    title = largest.size
    initialed = {id(r) for r in first[1:end][:_INITIALED_LINES] if r.size < title and _is_initialed(r, first)}
    if len(pages) < 2:
        under = first[1:end][:_BYLINE]
        named = [r for r in under if _AFFILIATION.search(r.text) or _names_people(r.text)]
        dated = [one for one, other in pairwise(under) if is_date(other.text) and _is_capitalised(one.text)]
        return initialed | {id(region) for region in (*named, *dated) if region.size < title and not _is_part(region)}
    return initialed | _versions(first[:end]) | {
        id(region) for region in first[1:end] if region.size < title and _POSTAL.search(region.text)
    } | {
        id(region) for region in first[1:end]
        if region.size < title and not _is_part(region)
        and (tells_author(region.text) or _names_people(region.text) or _is_signed(region.text))
    } | {
        id(region) for region in first[1 : min(named, _BYLINE)]
        if region.size < title and not region.bold and _is_centred(region, pages[0], largest)
    } | {
        id(region) for region in first[1:end][:_BYLINE]
        if region.size < title and not region.bold and _is_centred(region, pages[0], largest) and _is_dated(region.text)
    } | {id(region) for region in first[1:address] if region.size < title and _is_capitalised(region.text)}  # fmt: skip


def _is_initialed(region: Region, first: list[Region]) -> bool:
    """Whether what looks like the item of a list is a name with its initial, "A. Writer": no other item set like it
    follows it. A bold one is where the parts of the document count from 1."""
    initial = region.marker if region.kind == "list" and _INITIAL.fullmatch(region.marker) else ""
    name = region.text.title() if region.text.isupper() else region.text
    if not initial or is_roman(initial) or not _is_capitalised(f"Dr. {name}"):
        return False
    counted = not region.bold or any(number_and_text(heading_text(r))[0] == "1" for r in first)
    after = f"{chr(ord(initial[0]) + 1)}."
    return counted and all(r.marker != after or r.size != region.size for r in first)


def _is_part(region: Region) -> bool:
    """Whether a bold line has the number of a part."""
    return region.bold and is_numbered(heading_text(region))


def _versions(first: list[Region]) -> set[int]:
    """The lines under an address or a day that say which version of the document this is."""
    return {
        id(region) for above, region in pairwise(first)
        if _VERSION.fullmatch(region.text) and (_AFFILIATION.search(above.text) or is_date(above.text))
    }  # fmt: skip


def tells_author(text: str) -> bool:
    """Whether a line says itself that it names an author, or where one works."""
    named = _INITIALED.fullmatch(text) is not None or is_person(text)
    return named or any(form.search(text) for form in (_AFFILIATION, _AUTHORED, _ROLE, _TEAM))


def is_person(text: str) -> bool:
    """Whether a text is the name of somebody with a degree, and nothing else."""
    opens = _ACADEMIC.match(text)
    return opens is not None and len(text.split()) <= _PERSON_WORDS and _is_capitalised(f"Dr. {text[opens.end() :]}")


def inscribed(pages: list[PageRegions]) -> set[int]:
    """The lines of the first pages that are parts of an inscription: names under "by", and what stands under or over a
    line that only connects ("in", "of the"), in no typewriter face; not the largest of a page, its title."""
    found: set[int] = set()
    for page in pages[:_FRONT_PAGES]:
        shown = [region for region in page.texts() if not region.mono]
        largest = max((region.size for region in shown), default=0.0)
        for above, below in pairwise(shown):
            if _BY.fullmatch(above.text) or _CONNECTING.fullmatch(above.text):
                found.update(id(region) for region in (above, below) if region.size < largest)
            elif _CONNECTING.fullmatch(below.text) and above.size < largest:
                found.add(id(above))
    return found


def letter_lines(pages: list[PageRegions], body: float) -> set[int]:
    """The regions of letters that head nothing: above the salutation the sender, the address and what is referred to,
    but for the line right above it; below the farewell the signature. `body` is the size of running text in points."""
    found: set[int] = set()
    for page in pages:
        shown = [r for r in page.regions if r.kind in {"text", "list"} and not r.running and r.size < _TITLE * body]
        opens = next((at for at, region in enumerate(shown) if _SALUTATION.fullmatch(region.text)), 0)
        ends = next((at for at in range(opens, len(shown)) if _CLOSING.fullmatch(shown[at].text)), 0)
        if opens and (ends or len(pages) > 1):
            found.update(id(region) for region in shown[: opens - 1])
        if ends:
            found.update(id(region) for region in shown[ends : ends + _SIGNATURE])
    return found


def is_date(text: str) -> bool:
    """Whether a text is a day, a month of a year, or a time from one year to another, and nothing else."""
    return (
        _PERIOD.fullmatch(text) is not None
        or all(map(_DATE.fullmatch, _NEXT_DATE.split(text)))
        or _DAY.fullmatch(text) is not None
        or _is_dated_version(text)
    )


def names_version(text: str) -> bool:
    """Whether a text says which version of a document this is, and nothing else."""
    return _VERSION.fullmatch(text) is not None


def _is_dated_version(text: str) -> bool:
    """Whether a text says which version something is, and of which day: "Version 1.0, as of 15.09.2003"."""
    version, *day = _DATED.split(text, maxsplit=1)
    return _VERSION.fullmatch(version) is not None and any(map(_DATE.fullmatch, day))


def _closes(region: Region) -> bool:
    """Whether what stands between the title and this can be but authors: an abstract, a known part, a date."""
    return is_named(region) or _ABSTRACT.match(region.text) is not None or is_date(region.text)


def _follows_names(region: Region) -> bool:
    """Whether names stand above this: where they work, a day, or an abstract."""
    abstract = is_named(region) and _ABSTRACT.match(f"{region.text}:")
    return bool(_AFFILIATION.search(region.text) or is_date(region.text) or abstract)


def _is_centred(region: Region, page: PageRegions, title: Region) -> bool:
    """Whether a line stands in the middle of the page, or under the title's, as authors do and headings seldom."""
    left, right = region.box[0], page.width - region.box[2]
    aside = region.box[0] + region.box[2] - title.box[0] - title.box[2]
    middle = abs(left - right) < _OFF_CENTRE * page.width or abs(aside) < _OFF_TITLE * page.width
    return min(left, right) > _INDENTED * page.width and middle


def _is_dated(text: str) -> bool:
    """Whether a line is but a day, or a day or a month stands behind its names."""
    words = text.split()
    if len(words) <= _DATE_WORDS and _YEARED.match(text):
        return True
    return any(is_date(" ".join(words[-count:])) for count in range(1, min(len(words), _DATE_WORDS + 1)))


def _is_signed(text: str) -> bool:
    """Whether a line is a name and a day, and perhaps what was done then: "Ann Lee, revised 3-May-2005"."""
    name, comma, rest = text.partition(",")
    return bool(comma) and _is_capitalised(name) and _DAY_OF_MONTH.search(rest) is not None


def _is_capitalised(text: str) -> bool:
    """Whether a line consists of some capitalised words, as names above an address do."""
    words = [word for word in text.split() if not _PARTICLES.fullmatch(word) and not _INITIAL.fullmatch(word)]
    return 2 <= len(words) <= _NAME_WORDS and all(word[:1].isupper() and not word.isupper() for word in words)


def _names_people(text: str) -> bool:
    """Whether a line is a list of names, each of two to four words, most of which are capitalised. A last "¶" is what
    web pages lead to a title by."""
    text = text.removesuffix("¶")
    names = [[word for word in name.split() if not _AFFILIATED.fullmatch(word)] for name in _NAME_END.split(text)]
    names = [name for name in names if name]
    if len(names) < 2 and not _MARK.search(text):
        return False
    people = sum(2 <= len(name) <= 4 and name[0][:1].isupper() and name[-1][:1].isupper() for name in names)
    marked = len(names) >= _SEVERAL_NAMES and _MARK.search(text) is not None
    return people >= (_MOST_NAMES if marked else 1.0) * len(names)
