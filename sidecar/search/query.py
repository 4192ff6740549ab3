"""The query syntax: words, "phrases", -word, begin*, and filters (type:pdf, from:anna, after:2024-01-31 …).

Anything may be typed: what is not syntax is words, and what is not a word is nothing. Gives expressions for the index
and the words to mark; knows no database."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise, takewhile

from sidecar.api import UsageError
from sidecar.api.records import Narrowing
from sidecar.search.dates import Period, belongs_to_day, dates, days_of_any_year, periods
from sidecar.search.filters import FilterReader, FilterTerm, Sort, example, filter_name, no_filter, unknown_filter
from sidecar.search.words import STOP_WORDS, compounding, language, plain, stop_words, words
from sidecar.store import Filter
from sidecar.store.analysis import cjk_phrase, cjk_runs, cjk_words, month_in_names, without_cjk
from sidecar.store.chinese import each_spelling
from sidecar.store.index.spelling import is_misspelt
from sidecar.store.index.variants import folded
from sidecar.store.letters import regular, with_full_figures
from sidecar.toolkit.times import since

_MAX_CHARS = 4000
_MAX_WORDS = 200
_BEGINNING = 3
_IN_WORDS = 4
"""How many words, one of them a stop word, make a sentence."""
LONG = 20
"""In a sentence of this many words that say something, a pasted paragraph, quotation marks are the text's own: what
stands in them counts like a word, but need not be in what is found."""

_PIECE = re.compile(
    r"""(?P<minus>(?<!\S)-(?!-))?(?:
        (?P<field>[A-Za-z_]{2,14}):(?:"(?P<quoted>[^"]*)"?|(?P<value>(?!//)[^\s"]+))
        |["“”„«»](?P<phrase>[^"“”„«»]*)["“”„«»]?
        |(?P<word>[^\s"“”„«»]+)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_IDENTIFIER = re.compile(r"(?=(?:\D*\d){3})(?=.*[^\W\d_])[^\W_]+(?:(?:[-_/#:]|\.(?=[^\W_]*\d))[^\W_]+)+")
"""A number somebody gave a thing ("INV-2024-0317"): letters and three digits or more, in pieces. A query that is
nothing else means just this one."""
_CODED = re.compile(r"[^\W_]+_\w+|_+[^\W_]\w+|[a-z]+[A-Z]\w*|[^\W\d_]+\d\w{2,}")
_LETTERS_AND_DIGITS = re.compile(r'"(?:([^\W\d_]+)(\d+)|(\d+)([^\W\d_]+))"')
"""A term of letters and digits without anything between."""
_NUMBERED = re.compile(r"\d+(?:[-/]\d+)+")
"""A number in pieces without letters ("decision 26-14"), unless it is a day."""
_LETTERS_APART = re.compile(r"[/&-]")
_IN_GROUPS = re.compile(r"(?<!\S)[+(]?[A-Z0-9][A-Z0-9()/.-]{0,20}(?: [A-Z0-9()/.-]{1,20}){1,10}(?!\S)")
_MIN_GROUPED_DIGITS, _MAX_GROUPED = 8, 3
"""Digits of a number that is looked for in other groups, and numbers of a query: each is looked up in many ways."""
_AROUND = ".,;:!?()[]'"
_ABBREVIATED = frozenset(("e.g", "i.e", "z.b", "d.h", "p.ex", "c.-à-d", "etc"))
"""What says nothing and is read as letters: "e.g." as an e and a g."""
_POSSESSIVE = re.compile(r"(?<=[^\W\d_]{2})['’]s(?=\W*$)")
"""The end of "canton's": by itself it is found in every "l/s"."""
_LATEST = re.compile(
    r"(?<!\S)(?:(?:the |der |die |das |la |el )?(?:newest|latest|most recent|neueste[nrs]?|aktuellste[nrs]?)"
    r"(?: (?:versions?|editions?|fassung) (?:of|von))?|la derni[eè]re version (?:de|du)|la última versión (?:de|del)"
    r"|(?:(?:the |der |den |le |el )?(?:current|latest|last|letzte[rn]|neueste[rn]|aktuelle[rn]?|dernier|último)"
    r" (?:stat(?:e|us)|stand|état|estado)(?: (?:of|on|zu|zum|zur|von|vom|der|des|de|du|sur|sobre))?)"
    r"|最新版?の?|(?:last|letzte[nrs]?|derniers?|último)(?= (?:e-?mail|mail|message|nachricht|correo|courriel)s?\b))"
    r"(?=\s|$|(?<=[最新版の]))",
    re.IGNORECASE,
)
"""What asks for the latest of several that answer: it says when they are of, not what they say."""
_VERSION = re.compile(r"versi|edition|fassung|版", re.IGNORECASE)
_MONTH = frozenset(("may",))
"""The month that is also a word which says nothing."""
_SHOWN = 40
_MAIL = frozenset(
    ("mail", "mails", "email", "emails", "e-mail", "message", "messages", "correo", "courriel", "nachricht")
)
"""What a message is called."""
_REPLIES = frozenset(("reply", "answer", "response"))
_WROTE = frozenset(("write", "answer", "reply", "respond", "send", "say", "ask"))
"""What somebody did who wrote a message: "what did Anna write about …"."""
_SENT_BY_JAPANESE = re.compile("([\u30a0-\u30ff\u3400-\u9fff]{2,}?)(?:さん|様|氏|君)?から")
_SENT_BY = frozenset(("from", "by", "von", "de", "di", "da", "van"))


@dataclass(frozen=True)
class Query:
    """A query taken apart. `terms`, `required` and `excluded` are FTS5 expressions.

    `text` is what is asked without its syntax; `phrases` the quoted texts; `marks` the words and CJK runs to mark in
    snippets, with a star those that are beginnings; an `identifier` is nothing but a number of a
    thing. `in_words` says that it is a question or a sentence. `remark` tells what was left out, "" for nothing."""

    text: str = ""
    terms: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    in_words: bool = False
    where: Filter = Filter()  # noqa: RUF009  # frozen
    sort: Sort = "relevance"
    latest: bool = False
    """Whether it asks in its words for the latest of those that answer ("the newest version of …")."""
    edition: bool = False
    """Whether that is the latest version of a document."""
    sender: str = ""
    """Whom a plain question says that a message is from ("the mail from Yuki about …"), folded."""
    numbers: tuple[str, ...] = ()
    """The numbers somebody gave a thing that stand among its words ("fault E-4471"), and names like "PDF/A", as `plain`
    has them."""
    days: bool = False
    """Whether it names a day, which texts may write in another way than the `marks`."""
    periods: tuple[Period, ...] = ()
    """The months and years it names."""
    compounds: bool = False
    """Whether its language writes several words together as one."""
    joined: tuple[str, ...] = ()
    """Words of the index that two of its words make, written together."""
    identifier: bool = False
    language: frozenset[str] = frozenset()
    """Words that tell a text in the query's language, none where that is English or not known."""
    remark: str = ""

    @property
    def without_meaning(self) -> bool:
        """Whether it says nothing but whom a message is from and of which day something is: names and numbers."""
        words = [plain(term) for term in self.terms if not term.startswith("(")]  # that opens a day
        name = self.sender.split()
        return bool(name or self.days) and all(word in name or (self.days and belongs_to_day(word)) for word in words)

    @property
    def lifting(self) -> bool:
        """Whether it has what lifts a passage that is ranked low."""
        return bool(self.sender or self.numbers or self.coded)

    @cached_property
    def exact(self) -> tuple[str, ...]:
        """Its expressions of what a text has or has not, and nothing is near to: days, numbers and names of things."""
        named = {f'"{one}"' for one in (*self.numbers, *self.coded)}
        return tuple(term for term in self.terms if term.startswith("(") or term in named)

    @cached_property
    def grouped(self) -> tuple[str, ...]:
        """The long numbers typed in groups ("GB29 NWBK 6016 1331 9268 19"), each as one word."""
        joined = ("".join(filter(str.isalnum, one[0])).lower() for one in _IN_GROUPS.finditer(self.text))
        long = (one for one in joined if sum(map(str.isdecimal, one)) >= _MIN_GROUPED_DIGITS)
        return tuple(dict.fromkeys(long))[:_MAX_GROUPED]

    @cached_property
    def coded(self) -> tuple[str, ...]:
        """The words that programs and standards are named by, which mean just this: "putFirmware", "max_bytes"."""
        return tuple(mark for mark in self.marks if _CODED.fullmatch(mark))

    @cached_property
    def signed(self) -> Mapping[str, str]:
        """Its words with diacritics, in small letters, and how they are written without, as the index has them."""
        marks = (mark for mark in self.marks if not mark.isascii() and not cjk_runs(mark) and mark not in self.guessed)
        return {mark.lower(): folded(mark) for mark in marks if folded(mark) != mark.lower()}

    guessed: tuple[str, ...] = ()
    """Of the `marks`, the words that stand nowhere and those they were taken for."""

    @cached_property
    def uncertain_guesses(self) -> frozenset[str]:
        """The `guessed` but for long words with one letter wrong."""
        some = self.guessed
        sure = (one for one in some if any(one != other and is_misspelt(other, one) for other in some))
        return frozenset(some).difference(sure)

    @property
    def is_cjk(self) -> bool:
        """Whether it is in Chinese, Japanese or Korean, most of it: what a model of another script says of its meaning
        is as good as chance."""
        return 2 * sum(map(len, cjk_runs(self.text))) > len(self.text)

    def corrected(self, words: Mapping[str, Sequence[str]], *, text: bool) -> "Query":
        """The query with other words for some; in the `text`, which is judged by meaning, only where asked for."""
        shown = self.text
        for word, meant in words.items() if text else ():
            shown = shown.replace(word, " ".join(meant))
        instead = {f'"{word}"': tuple(f'"{one}"' for one in meant) for word, meant in words.items()}
        terms = tuple(one for term in self.terms for one in instead.get(term, (term,)))
        spelt = [one for meant in words.values() for several in meant for one in several.split()]
        marks = (*self.marks, *(one for one in spelt if one not in self.marks))
        if self.identifier:
            return replace(self, terms=sum(instead.values(), ()), required=(), phrases=(), marks=tuple(spelt))
        return replace(self, terms=terms, marks=marks, text=shown, guessed=(*words, *spelt))


def parse_query(text: str) -> Query:
    """Never raises, whatever the text."""
    remarks: list[str] = []
    if len(text) > _MAX_CHARS:
        text = text[:_MAX_CHARS]
        remarks.append(f"Only the first {_MAX_CHARS:,} characters of the query were used.")
    # A joiner may part a Persian word from its ending; the texts may have them as one word or as two.
    text = regular(unicodedata.normalize("NFC", text.replace("\0", " ").replace("\u200c", " ")))
    text = with_full_figures(text)
    pieces = _taken_apart(text, remarks)
    typed, phrases, unwanted = pieces.typed, pieces.phrases, pieces.unwanted
    spoken = " ".join(typed)
    rest = _LATEST.sub("", spoken).split()
    typed, latest = (rest, True) if rest and rest != typed else (typed, False)
    edition = latest and any(_VERSION.search(one[0]) for one in _LATEST.finditer(spoken))
    typed = [word for word in typed if word.lower().strip(_AROUND) not in _ABBREVIATED] or typed
    identifier = len(typed) == 1 and not phrases and _IDENTIFIER.fullmatch(typed[0]) is not None
    typed, phrases = ([], typed) if identifier else (typed, phrases)
    reader = FilterReader(remarks)
    where = reader.read(pieces.filters)
    asked, typed = typed, [_POSSESSIVE.sub("", word) for word in typed]
    numbers = [plain(word) for word in typed if _is_number(word.strip(_AROUND))]
    wanted = _unique([expression for word in typed for expression in expressions(word)])
    wanted = _unique([*wanted, *(f'"{number}"' for number in numbers)])
    days = dates(" ".join(typed))
    saying_nothing = stop_words(term.strip('"') for term in wanted) - (_MONTH if days else frozenset())
    kept = [term for term in wanted if term.strip('"').lower() not in saying_nothing]
    sender = _sender(asked)
    if sender or days or latest:  # "the mail from Yuki": that is what it is, not what it says
        unsaid = _MAIL | _REPLIES | _WROTE if sender else _MAIL
        kept = [term for term in kept if term.strip('"').lower() not in unsaid] or kept
    required = _unique([expression for one in phrases for expression in expressions(one, whole=True)])
    if wanted and not kept and not required:
        kept = wanted
        remarks.append("The query holds only very common words, so the ranking says little.")
    in_words = len(typed) >= _IN_WORDS and len(kept) < len(wanted)
    quoted, everything = phrases, len(kept) == len(wanted)
    if in_words and len(kept) >= LONG:
        kept, required, phrases = _unique([*kept, *required]), [], []
    if unwanted and not kept and not required and not pieces.filters:
        remarks.append("The query only says what to leave out; add a word to search for.")
    if len(kept) > _MAX_WORDS:
        kept = kept[:_MAX_WORDS]
        remarks.append(f"Only the first {_MAX_WORDS} words of the query were used.")
    return Query(
        text=" ".join((*asked, *quoted)), terms=(*kept, *days, *days_of_any_year(" ".join(typed))),
        days=bool(days), periods=tuple(periods(" ".join(typed))),
        required=tuple(required),
        excluded=tuple(_unique([expression for one in unwanted for expression in expressions(one, whole=True)])),
        phrases=tuple(one for one in phrases if any(True for _ in words(one))), in_words=in_words,
        marks=tuple(_marks(typed, quoted, frozenset() if everything else saying_nothing)), where=where,
        sort=reader.sort, latest=latest, edition=edition, sender=sender, numbers=tuple(numbers), identifier=identifier,
        compounds=compounding(typed := [term.strip('"') for term in wanted]), language=language(typed),
        remark=" ".join(remarks),
    )  # fmt: skip


def _is_number(word: str) -> bool:
    """Whether a word is the number somebody gave a thing, or a name with a letter apart that alone says nothing, as in
    "PDF/A" and "R&D"."""
    if _IDENTIFIER.fullmatch(word) is not None or (_NUMBERED.fullmatch(word) is not None and not dates(word)):
        return True
    pieces = _LETTERS_APART.split(word) if "/" in word or "&" in word else []
    alone = any(len(piece) == 1 and piece.isupper() for piece in pieces)
    return alone and all(map(str.isalnum, pieces)) and sum(map(str.isupper, word)) > 1


@dataclass
class _Pieces:
    """What stands in a query: words, quoted texts, what must not be there, and filters."""

    typed: list[str] = field(default_factory=list[str])
    phrases: list[str] = field(default_factory=list[str])
    unwanted: list[str] = field(default_factory=list[str])
    filters: list[FilterTerm] = field(default_factory=list[FilterTerm])


def _taken_apart(text: str, remarks: list[str]) -> _Pieces:
    found = _Pieces()
    for piece in _PIECE.finditer(text):
        minus = piece["minus"] is not None
        name = piece["field"] or ""
        value = piece["quoted"] or piece["value"] or ""
        unknown = "" if not name or filter_name(name) else unknown_filter(name, value)
        if unknown:
            remarks.append(unknown)
        elif filter_name(name):
            found.filters.append(FilterTerm(name.lower(), minus, value))
        elif piece["phrase"] is not None:
            (found.unwanted if minus else found.phrases).append(piece["phrase"])
        elif minus:
            found.unwanted.append(piece[0][1:])
        elif piece["quoted"] is not None:
            found.typed.append(f"{name}:")
            found.phrases.append(piece["quoted"])
        else:
            found.typed.append(piece[0])
            behind = text[piece.end() :]
            remarks += filter(None, (no_filter(name, piece["value"]),)) if name else _empty_filter(piece[0], behind)
    return found


def _empty_filter(word: str, behind: str) -> list[str]:
    """A remark on a filter's name with nothing behind its colon but a space, and what is `behind` that."""
    if not word.endswith(":") or not filter_name(word[:-1]):
        return []
    shown = f"{word}{behind.split(maxsplit=1)[0][:_SHOWN]}" if behind.strip() else example(word[:-1])
    return [f"Nothing follows {word} so it is taken for a word; write {shown} without a space."]


def document_filter(narrowing: Narrowing) -> Filter:
    """What `folder:`, `type:` and `state:` of a query filter by, for a list, and what was changed since a time. Raises
    UsageError where one of them names nothing."""
    reader = FilterReader([])
    given = {"folder": narrowing.folder, "type": narrowing.kind, "state": narrowing.state}
    where = reader.read(
        [FilterTerm(name, negated=False, value=value) for name, value in given.items() if value is not None]
    )
    if reader.remarks:
        raise UsageError(" ".join(reader.remarks).replace(" and was left out", ""))
    if narrowing.changed_since is None:
        return where
    return replace(where, changed_since=since(narrowing.changed_since))


def expressions(text: str, *, whole: bool = False) -> list[str]:
    """FTS5 expressions of a text: one a word, one a CJK run, and one a pair of the words in a run as long as a
    sentence; with `whole` none of pairs, and the words outside CJK are one phrase.

    Only letters, digits, marks and `_` of the text get into them, always inside quotation marks; a star after the last
    word stands for any ending."""
    runs = cjk_runs(text)
    found = [cjk_phrase(run) for run in runs]
    rest = without_cjk(text)
    named = [rest[start:end] for start, end in words(rest)]
    if whole:
        return found + ([f'"{" ".join(named)}"'] if named else [])
    pairs = (word[at : at + 2] for run in runs for word in cjk_words(run) for at in range(max(len(word) - 1, 1)))
    found += map(cjk_phrase, pairs)
    ending = " *" if _is_beginning(rest, named) else ""
    return found + [f'"{name}"{ending if at == len(named) else ""}' for at, name in enumerate(named, 1)]


def in_names(terms: Sequence[str]) -> list[str]:
    """The expressions to look for in names, one for each of the terms: letters and digits stand there together or apart
    ("berth 7", "berth7"), and months in numbers."""
    forms: list[list[str]] = [[each_spelling(term), *filter(None, (month_in_names(term),))] for term in terms]
    for own, term in zip(forms, terms, strict=True):
        if apart := _LETTERS_AND_DIGITS.fullmatch(term):
            own.append(f'"{" ".join(filter(None, apart.groups()))}"')
    bare = [term.strip('"') for term in terms]
    for at, (one, other) in enumerate(pairwise(bare)):
        if (one.isalpha() and other.isdecimal()) or (one.isdecimal() and other.isalpha()):
            forms[at].append(f'"{one}{other}"')
            forms[at + 1].append(f'"{one}{other}"')
    return [f"({' OR '.join(own)})" for own in forms]


def table_terms(text: str) -> tuple[str, ...]:
    """The FTS5 expressions by which a question finds tables: any of its words that say something."""
    asked = parse_query(text)
    return tuple(map(each_spelling, (*asked.required, *asked.terms)))


def _sender(words: list[str]) -> str:
    """The words behind "from" or "sent by", where they are a name: with capital letters, two at most; the name in
    "Anna's reply" and in "what did Anna write"."""
    for word, following, third in zip(words, words[1:], [*words[2:], ""], strict=False):
        name = _POSSESSIVE.sub("", word)
        if name != word and name[0].isupper() and following.lower() in _MAIL | _REPLIES:
            return plain(name)
        if word.lower() == "did" and following[:1].isupper() and third.lower().strip(_AROUND) in _WROTE:
            return plain(following)
    for at, (word, following) in enumerate(pairwise(words), 1):
        if word.lower() in _SENT_BY and following[:1].isupper():
            name = takewhile(lambda one: one[:1].isupper(), words[at : at + 2])
            return plain(" ".join(one.removesuffix("'s").removesuffix("’s") for one in name))
    found = _SENT_BY_JAPANESE.match(" ".join(words))
    return found[1] if found else ""


def _is_beginning(text: str, named: list[str]) -> bool:
    """Whether the text ends in a word with a star. A letter or two begin too many words to say anything, and "NOT*" is
    somebody's operator."""
    last = named[-1] if named else ""
    return len(last) >= _BEGINNING and text.endswith(f"{last}*") and last.lower() not in STOP_WORDS


def _marks(spoken: list[str], phrases: list[str], saying_nothing: AbstractSet[str]) -> list[str]:
    texts = [*spoken, *phrases]
    found = [run for text in texts for run in cjk_runs(text)]
    found += [word for text in spoken for run in cjk_runs(text) for word in cjk_words(run)]
    for text in texts:
        rest = without_cjk(text)
        named = [rest[start:end] for start, end in words(rest)]
        if _is_beginning(rest, named):
            found.append(f"{named.pop()}*")
        found += [name for name in named if name.lower() not in saying_nothing]
    return _unique(found)


def _unique(texts: list[str]) -> list[str]:
    return list(dict.fromkeys(texts))


def nowhere(absent: Sequence[str]) -> list[str]:
    """The words and phrases that stand nowhere, but for days that are found as they are written in another way."""
    named = [one.strip('"') for one in absent if one.startswith('"')]
    within = {word for one in named if " " in one for word in one.split()}
    return [one for one in named if one.lower() not in within and set(dates(one)) <= set(absent)]
