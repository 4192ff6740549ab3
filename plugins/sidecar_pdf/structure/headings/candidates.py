"""Tells of one region whether it looks like a heading: what it must not be, and size, weight, numbers and capitals that
set it apart from running text. `finding` weighs what the whole document says besides."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from sidecar_pdf.structure.continuation import STEP_MARK
from sidecar_pdf.structure.headings.bylines import is_date, is_person
from sidecar_pdf.structure.numbering import (
    ROMAN,
    WORDED,
    depth_of,
    heading_text,
    is_named,
    is_numbered,
    number_and_text,
)
from sidecar_pdf.structure.regions import PageRegions, Region
from sidecar_pdf.structure.styles import VERSION, is_set_off, is_template, words_in

LEADERS = re.compile(r"(?:\.\s?){4,}|…{2,}")
"""Dots that lead to the number of a page."""
_BOX = re.compile(r"[|+]--|--[|+]")
_CLOSED = re.compile(r"[.,;:!]$")
_SENTENCE = re.compile(r"[.。][\"'”’“»]*$")
_MEASURE = re.compile(r"\d+(?:[.,]\d+)?\s?(?:ft|in|mm|cm|m|km|kg|lb|kW|Hz|[MG]Hz|ml)\b")
"""A number with its unit, which opens no heading."""
_LISTING = re.compile(r"//|/\*|##|\[\[|.*[;{}]$")
"""Lines in a typewriter face: remarks and statements of listings."""
_ADDRESS = re.compile(r".*\b(?:https?://|www\.)\S+|\S+@\S+\.\S+|.*\b(?:ISSN|ISBN|DOI)[\s:]*[\dX-]+.*", re.IGNORECASE)
"""Where something is to be found, and nothing else."""
_TYPED_IN = re.compile(
    r"(?:[%$#»]|>{1,3}|R>|//) ?\w|[-−–‐]{1,2}\w\S*(?:\s|$)|\(%[io]\d{1,4}\)|(?:In|Out) ?\[\d{1,4}\] ?:"
)
"""Opens what is typed at a prompt and answered, the option of a command, or a remark in a program."""
_BOX_TO_TICK = re.compile(r"\[[ x]\](?:\s|$)|[☐☑☒]")
"""Opens with a box to tick, as the choices of a form do."""
_KEYS = re.compile(r"(?:[\w.]+ )?(?:ctrl|strg|alt|shift|cmd) ?\+", re.IGNORECASE)
"""Opens with keys that are pressed together, or with what they do before them."""
_NOTE_LABEL = re.compile(
    r"(?:note|tip|caution|warning|important|hint|attention|danger|hinweis|achtung|vorsicht|warnung|tipp|remarque"
    r"|avertissement|astuce|nota|advertencia|consejo|precaución|atención|avviso|attenzione|suggerimento|atenção|aviso"
    r"|примечание|внимание|предупреждение|осторожно|совет|σημείωση|προσοχή|προειδοποίηση|συμβουλή|注意|提示|警告|小技巧"
    r"|小贴士|備考|注記|ヒント|注|참고|주의|경고|팁|ملاحظة|تنبيه|تحذير|نصيحة|הערה|אזהרה|טיפ|नोट|चेतावनी)\s?[.:!：！]?",
    re.IGNORECASE,
)
"""What stands over a note, a tip or a warning, in the type of the text."""
_FIELD_LABEL = re.compile(
    r"(?:bill(?:ed)?|ship(?:ped)?|sold|deliver(?:ed)?) to|(?:invoice|order|customer|account) (?:no\.?|number|date|id)"
    r"|(?:due|delivery|order) date|rechnungs(?:nummer|datum|adresse|empfänger)|liefer(?:adresse|datum)|kundennummer"
    r"|fällig(?:keit| am)?|factur[ée]e? à|livrée? à|adresse de (?:livraison|facturation)|date d['’]échéance"
    r"|factur(?:ar|ado) a|enviar a|fecha de vencimiento|número de factura|intestatario|spedire a|data di scadenza",
    re.IGNORECASE,
)
"""Stands over what was entered in an invoice or an order, in the type of the text."""
_ABBREVIATED = re.compile(r"(?<!\b\w\.)(?:\b\w\.){2,}$")
"""Ends with an abbreviation, and not as a sentence does."""
_QUOTED = re.compile(r"[\"“”„«»].+[.!?…][\"“”«»]")
"""A sentence somebody said, set large among the text."""
_NOTE = re.compile(r"\[[^\[\]]+\]|\([^()]+\)")
"""A note in brackets, and nothing else."""
_MARKS = re.compile(r"(?:\[[a-z-][^\[\]]*\] ?)+")
"""What references of programs say of a value, "[nullable][transfer none]", and options: "[-scale number]"."""
CONTACT = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]++(?:\.[\w-]++)+")
"""Where somebody is to be written to."""
_POSTAL = re.compile(
    r"\b[A-Z]{2},? \d{5}(?:-\s?\d{4})?(?:$| \+?[(\d]| (?:phone|tel|fax)\b)|, \d{4,6},? [A-Z]{2}$"
    r"|\b(?:phone|tel(?:ephone|efon)?|fax|mobile)\b[.:]* *\+?[(\d]",
    re.IGNORECASE,
)
"""Has a state and its postal code, a code and a land, or the number of a telephone, as what is to be written on a
letter does."""
_STREET = re.compile(
    r"\d{1,5}[a-z]?,? (?:[A-Z][\w.'-]* ){1,4}(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Drive|Way|Court)\.?"
    r"(?:,.{2,60})?|[A-Z][\w.'-]*(?: [A-Z][\w.'-]*){0,3}, [A-Z]{2} \d{5}(?:-\d{4})?"
)
"""A street with the number of a house, or a town with its state and code, and nothing else."""
_PLACES = 3  # commas between capitalised words, from which on a line names places
FIELDS = re.compile(r"(?=\D)\w[\w ]{1,20}: ?\S.* [^\W\d_]{3,14}: ?\S")
"""Two fields of a form, each a key with its value."""
_RIGHTS = re.compile(r"(?:©|\(c\))(?: ?copyright)? ?(?:19|20)\d\d|\bcopyright,? (?:19|20)\d\d", re.IGNORECASE)
"""Says from which year on somebody has the rights."""
_TORN = re.compile(r"(?!(?:\w+ )?\w{1,4}\) )[^()]*(?<![:;])\)")
"""Closes a bracket that it did not open: the end of something. A letter or number may count before one."""
_KEYWORDS = re.compile(
    r"(?:key ?words?(?: and phrases)?|index terms|mots[- ]clés?|schlüsselwörter|schlagwörter|palabras clave"
    r"|parole chiave) ?[:.—–-] ?\S",
    re.IGNORECASE,
)
"""The words a paper is found by, behind what they are."""
_PAGE_NUMBER = re.compile(
    r"(?:page|seite|página|pagina|pág\.|pag\.|side|sida|strona|strana|стр\.) ?\d{1,4}"
    r"(?: ?(?:of|von|sur|de|di|av|z|из|/) ?\d{1,4})?|\d{1,4} ?(?:of|von|sur|de|di|av|z|из|/) ?\d{1,4}",
    re.IGNORECASE,
)
"""The number of a page, with what it is or how many there are."""
_VERSION_NOTE = re.compile(r"\bversion\b|\d{4}[/-]\d", re.IGNORECASE)
"""Says which version it is about, or of which day."""
_OPEN_END = re.compile(r"\b(?:by|par|por|durch)$|^(?:By|BY|Von|Par|Por)$")
"""Ends before the name of somebody."""
_FILLED_IN = re.compile(
    r"(?<!\d):\s*[\d./:-]{1,40}$|^N/?A$|\s\d[\d,.]*[.,]\d\d(?:\s?(?:[€$£]|[A-Z]{3}))?$|:\s*(?:\$?\{[^{}]+\}|\{\{[^{}]+\}\})$"
)
"""A field of a form with the date or number that was entered, or what a template has entered, or a sum of money."""
_RELEASE = re.compile(
    r"(?:version|versión|versão|versione|release|\bv\.?|\brev(?:ision)?\.?) ?\d[\d.]*$", re.IGNORECASE
)
"""Ends with the number of a version, which looks like a sum."""
_ONWARD = re.compile(
    r"(?:continued (?:on|over)|fortsetzung (?:auf|seite)|suite (?:page|au verso))\b.{0,40}|.*[→➔➜➡⇒]", re.IGNORECASE
)
"""Leads to the next page."""
_CHOICES = re.compile(r"[^|·•]+(?:[|·•][^|·•]+){3,}")
"""What leads elsewhere, beside one another: the languages of a text, the parts of a site."""
_RELEASED = re.compile(
    r"(?!(?i:total|sum|due|amount|balance|betrag|summe|montant|importe|totale)\b)[A-Z]\w+ \d{1,2}\.\d{1,2}"
)
"""The name of a program with the number of its release, and no sum."""
# Counts and characters. Chosen on the corpus (tests/bench/layout/pdf_elements.py).
MAX_LINES, MAX_CHARS, MAX_DEPTH = 4, 260, 6  # of a heading
_LEADING_WORDS = 12  # of what ends with a sign before something else, and heads it
_SENTENCE_WORDS, _PLAIN_SENTENCE_WORDS = 10, 5  # of a sentence that is not a heading, however large; in plain type
_LARGE_WORDS, _SHORT_WORDS, _CAPITAL_WORDS, _SHORT_LINES = 30, 16, 12, 2  # of a heading by size, weight, capitals
_MIN_CAPITALS, _PLAIN_CAPITALS = 5, 6  # letters of a heading in capitals, with a number and without
_CLAUSE_WORDS = 8  # of a numbered heading that ends with a full stop, as those of contracts do
_ALPHABET, _DISTINCT = 24, 0.85  # letters of a line that shows those of a font; share of them that differ
_NOTES, _SAME_NOTE = 3, 0.4  # words of one letter in a line, and share of its words, from which on it draws notes
_TARGETS = 3  # of the links of a bold line: fewer may be names in a title
_NAMED_WORDS = 6  # of a heading that ends with a colon: more are a question of a form
# Shares.
_SOLID = 0.7  # of a heading's characters that are letters, where nothing but capitals tells it
_LINKED = 0.8  # of the characters of a line of links
_LETTERS = 0.4  # of a heading's characters that are letters
_ASKEW = 2.5  # times its size, from which on the box of a line is none of a level line
# Multiples of the body size.
MUCH_LARGER = 1.5  # from which on no type is a second size of text
LARGE, _LARGER, _NOT_SMALLER, _SMALLEST = 1.165, 1.06, 0.95, 0.75  # a heading's by size alone, numbered, bold, centred
_CAPITALS_SIZE = 0.85  # of the body size: bold capitals look no smaller than it, numbers tell bold lines as small
_CENTRED = 2.0  # ems from the left edge of its column


def candidates(page: PageRegions) -> Iterator[Region]:
    """The regions of a page that may be headings: short text that is not a list of contents, address, prompt or
    step."""
    for region in page.regions:
        outside = not region.in_flow or region.caption or _is_askew(region)
        if outside or region.kind not in {"text", "list"} or region.lines > MAX_LINES:
            continue
        if (
            0 < len(region.text) <= MAX_CHARS
            and (any(map(str.isalpha, region.text)) or VERSION.fullmatch(region.text))
            and not is_drawn(region.text)
            and not LEADERS.search(region.text)
            and not STEP_MARK.match(region.text)
            and not (_TYPED_IN.match(region.text) and region.kind == "text")
            and not _ADDRESS.fullmatch(region.text)
            and not _MARKS.fullmatch(region.text)
            and not _KEYS.match(region.text)
            and not _BOX_TO_TICK.match(heading_text(region))
            and not (region.mono and _LISTING.match(region.text))
        ):
            yield region


def _is_askew(region: Region) -> bool:
    """Whether a line runs across the page from corner to corner, as stamps do: its box is far higher than its type."""
    numbered = is_numbered(heading_text(region))  # the number of a chapter may stand far over its title
    return region.lines == 1 and region.box[3] - region.box[1] > _ASKEW * region.size and not numbered


def is_drawn(text: str) -> bool:
    """Whether a line draws: with one letter, as the notes of a staff in a music font, among others of which it is most,
    all letters of a font once, or boxes of signs."""
    signs = Counter(word for word in text.split() if len(word) == 1 and word.isalpha())
    if max(signs.values(), default=0) >= max(_NOTES, _SAME_NOTE * len(text.split())):
        return True
    letters = list(filter(str.isalpha, set(text)))
    cased = sum(char.lower() != char.upper() for char in letters) if len(letters) >= _ALPHABET else 0
    if cased >= max(_ALPHABET, _DISTINCT * sum(map(str.isalpha, text))) and text.count(" ") < 2:
        return True  # the letters of a font, each once
    return (len(letters) == 1 and text.count(letters[0]) >= _MIN_CAPITALS) or _BOX.search(text) is not None


def is_no_heading(region: Region, body: float) -> bool:
    """Whether the words of a line tell that it is none, however it is set: values, dates, measures, addresses, quotes,
    notes, sentences, and what consists of signs; `body` is the size of running text in points."""
    text = heading_text(region)
    letters = sum(map(str.isalpha, text))
    if len(region.text) < 2 or _OPEN_END.search(text):
        return True
    least = max(2, _LETTERS * len(number_and_text(text)[1].replace(" ", "")))
    large = region.size >= (LARGE if region.bold else MUCH_LARGER) * body
    if large and VERSION.fullmatch(text):
        return is_date(text)
    if large and region.bold and depth_of(text) > 1:
        least = 1  # "2.3 C++"
    several = region.lines > 1 and not region.bold
    if (region.mono and region.size < (MUCH_LARGER if several else LARGE) * body) or letters < least:
        return True
    return bool(
        _is_filled_in(region, text, body)
        or (region.size < LARGE * body and (is_label(region) or leads_elsewhere(region)))
        or is_date(text)
        or _MEASURE.match(text)
        or _CHOICES.fullmatch(text)
        or _ONWARD.fullmatch(text)
        or is_told_of(text)
        or is_address(region)
        or _QUOTED.fullmatch(text)
        or _PAGE_NUMBER.fullmatch(text)
        or lists_words(region)
        or is_person(text)
        or (_NOTE.fullmatch(region.text) and (words_in(text) > _NAMED_WORDS or _VERSION_NOTE.search(text)))
        or (_SENTENCE.search(text) and (words_in(text) > _most_in_sentence(region, body) or text[-1] == "。"))
        or (text[-1] in ",;:" and words_in(text) > _LEADING_WORDS)
    )


def is_told_of(text: str) -> bool:
    """Whether a text tells something of a document and heads none of it: fields, where somebody is to be written to,
    who has the rights; or is the end of what was said."""
    return any((FIELDS.match(text), CONTACT.search(text), _RIGHTS.search(text), _TORN.match(text)))


def _most_in_sentence(region: Region, body: float) -> int:
    """Words of a heading that ends as a sentence does: fewer in plain type that is little larger than the text, many
    behind a number of several parts in larger type, as lists of questions have them."""
    if region.size >= LARGE * body and depth_of(heading_text(region)) > 1:
        return _LARGE_WORDS
    return _SENTENCE_WORDS if region.bold or region.size >= MUCH_LARGER * body else _PLAIN_SENTENCE_WORDS


def is_label(region: Region) -> bool:
    """Whether a text is to be filled in, or the label of a note or of a field, as one word with a colon is unless it
    names a part."""
    text = heading_text(region)
    label = _NOTE_LABEL.fullmatch(region.text) or _FIELD_LABEL.fullmatch(region.text.rstrip(" :."))
    word = text[-1:] in ":：" and words_in(text) <= 1 and not is_named(region)
    return label is not None or word or is_template(region.text)


def leads_elsewhere(region: Region) -> bool:
    """Whether a line consists of links, whose colour is not a style of headings; a bold one, of several."""
    links = {(span.start, span.end): span.value for span in region.spans if span.kind == "link"}
    linked = sum(len(region.text[start:end].replace(" ", "")) for start, end in links)
    plain = not region.bold or len(set(links.values())) >= _TARGETS
    return plain and linked >= _LINKED * len(region.text.replace(" ", ""))


def lists_words(region: Region) -> bool:
    """Whether a line is the words a paper is found by, or in italics a list of the places somebody works at."""
    listed = region.italic and not region.bold and region.text.count(", ") >= _PLACES
    return listed or _KEYWORDS.match(heading_text(region)) is not None


def looks_like_heading(region: Region, body: float, *, bold: bool) -> bool:
    """Whether size, weight, numbering or capitals set the region apart from running text of `body` points, which may
    be `bold` itself."""
    text = heading_text(region)
    if is_no_heading(region, body):
        return False
    letters = "".join(filter(str.isalpha, text))
    if region.size >= LARGE * body and words_in(text) <= _LARGE_WORDS:
        return not (region.kind == "list" and not region.marker[:1].isalnum())
    if is_named(region) and region.size >= _SMALLEST * body and (region.bold or region.capitals or text.isupper()):
        return True
    numbered = region.bold and region.size >= _LARGER * body and is_numbered(text)
    words, lines = (
        (_LARGE_WORDS, MAX_LINES) if numbered else (_SHORT_WORDS, _SHORT_LINES + (region.bold and text.isupper()))
    )
    if words_in(text) > words or region.lines > lines or not region.alone:
        return False
    most = _CAPITAL_WORDS if text.isupper() or depth_of(text) > 1 else _NAMED_WORDS
    named = region.bold and region.text.endswith(":") and 1 < len(text.split()) <= most and not region.marker
    closed = _CLOSED.search(region.text) and not (is_numbered(text) and _ends_with_stop(region, text))
    return (named or not closed) and _is_short_heading(region, body, text, letters, bold=bold)


def _ends_with_stop(region: Region, text: str) -> bool:
    """Whether a numbered line may be a heading though a full stop ends it: that of an abbreviation, or of a bold line
    or two of a contract."""
    clause = region.bold and region.lines == 1 and words_in(text) <= _CLAUSE_WORDS
    return _ABBREVIATED.search(text) is not None or (clause and text[-1] == ".")


def _is_filled_in(region: Region, text: str, body: float) -> bool:
    """Whether a line ends with what was entered in a form; a long title may, with the number of a grant, and a large
    name, with that of its release."""
    large = region.size >= MUCH_LARGER * body
    title = large and words_in(text) > _NAMED_WORDS and text.count(":") == 1
    return not title and not (large and _RELEASED.fullmatch(text)) and is_value(text)


def is_address(region: Region) -> bool:
    """Whether lines say where somebody is to be written to or called; one line does where it is nothing else."""
    return (region.lines > 1 and _POSTAL.search(region.text) is not None) or _STREET.fullmatch(region.text) is not None


def is_value(text: str) -> bool:
    """Whether a text ends with a date or a number that was entered, or a sum of money."""
    return _FILLED_IN.search(text) is not None and not _RELEASE.search(text)


def _is_short_heading(region: Region, body: float, text: str, letters: str, *, bold: bool) -> bool:
    """Of a short line set apart: whether it is centred in small capitals, numbered, bold or in capitals."""
    centred = region.box[0] - region.column_left > _CENTRED * region.size
    if centred and ROMAN.match(text) and region.lines == 1:
        return True  # small capitals, whose size is that of small letters in some fonts
    worded = WORDED.match(text) is not None
    named = (text.isupper() and (worded or is_numbered(text))) or (region.bold and worded)
    if centred and region.size >= _SMALLEST * body and named:
        return True
    listed = region.kind == "list" and not (region.marker[:1].isdigit() or region.marker[:1].isupper())
    all_capitals = len(letters) >= _MIN_CAPITALS and all(map(str.isupper, letters))
    numbered = is_numbered(text)
    marked = (region.bold and (all_capitals or numbered)) or (region.italic and numbered and centred)
    if region.size < (_CAPITALS_SIZE if marked else _NOT_SMALLER) * body or listed:
        return False
    if (numbered or worded) and region.italic and (region.lines == 1 or depth_of(text) > 1):
        return True
    if region.bold and not bold:
        return not text[:1].islower() or is_set_off(region)
    if region.lines > 1:
        return False
    solid = all_capitals and len(letters) > _SOLID * len(text.replace(" ", ""))
    spelled = solid and region.kind == "text" and len(letters) >= _PLAIN_CAPITALS
    return spelled or (region.size >= _LARGER * body and numbered)
