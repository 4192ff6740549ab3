"""Splits text into words the way the index does, folds and stems them: for reading queries and marking matches; and
tells texts that are nearly the same words.

The index itself is SQLite's (unicode61 without diacritics, Porter); this only has to agree with it."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from functools import cached_property, lru_cache
from itertools import pairwise

from sidecar.store.analysis import cjk_apart, may_vary, stem
from sidecar.store.inflection import bare, unsigned
from sidecar.store.letters import regular

ALIKE = 0.8
"""Share of words in common (Jaccard) from which two passages are the same text in two places."""
_ALIKE_PAIRS = 0.7
"""Share of neighbouring words in common that they have besides: the same words say other things in another order, as in
the heads of two mails that answer one another."""
_OPENING = 400
"""Characters of a text that are compared."""
_MAX_LOOKED_UP = 6
"""Words of a text under which those that may be alike are looked up."""
_JOINED = r"[0-9]+(?:[.\-:/,][0-9]+)+"
_WORD = re.compile(rf"{_JOINED}|\w+")
_FIRST_MARK = "\u0300"
_NUMBER = re.compile(rf"(?<!\w){_JOINED}")
_STOP_WORDS = (
    "a about after all also an and any are as at be because been before being but by can could did do does doing for "
    "from had has have having he her here his how i if in into is it its just may me might more most must "
    "my no nor not of off on or our out over own shall she should so some such than that the their them "
    "then there these they this those to too under up us very was we were what when where which while who "
    "whom whose why will with would you your"
)
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""English words that say nothing about a subject."""
_OTHER_LANGUAGES = tuple(
    frozenset(text.split())
    for text in (
        # German
        "aber als am an auch auf aus bei bin bis da damit dann darf das dass dem den der des die dies diese "
        "dieser dieses dir doch du durch dürfen ein eine einem einen einer eines er es für gibt habe haben hat ich ihr "
        "im in ist ja kann können man mein meine mich mir mit muss müssen nach nicht noch nur ob oder ohne sein seine "
        "sich sie sind soll sollen über um und uns unser unsere unter viel viele vom von vor wann war warum was welche "
        "welcher welches wenn wer werden wie wieso wir wird wo wurde zu zum zur",
        # French
        "à ai ainsi après as au aussi aux avec avant avons avez ce cela ces cet cette chez comme comment d dans "
        "de des du elle elles en entre es est et être eu faut ici il ils j je l la le les leur lui là ma mais me "
        "mes moi mon n ne nos notre nous on ont ou où par pas peut plus pour pourquoi qu quand que quel quelle "
        "quelles quels qui quoi s sa sans se ses si son sont sous sur t ta te tu un une vers vos votre vous y",
        # Spanish
        "a al algo antes aquí así como con cómo cuál cuando cuándo cuánto cuántos de del desde donde dónde el "
        "ella en entre es esta este esto está están fue ha hay la las le lo los más me mi mis muy no nos o para "
        "pero por porque puede puedo que qué quien quién se ser si sin sobre son su sus también te tiene tu un "
        "una y ya yo",
        # Italian
        "a ai al alla che chi ci come con cosa cui da dal dalla dei del della delle di dopo dove e ed è fra gli "
        "ha ho i il in io la le lo ma mi mio nei nel nella non o per perché più può quale quali quando quanto "
        "quanti se si sono su sul sulla tra un una uno è",
        # Dutch
        "aan als bij dan dat de deze die dit door een en er het hoe hun ik in is kan maar mag met mijn naar niet "
        "nog of om ons onze ook op over te tot uit van veel voor waar waarom wanneer wat welke wie wij worden "
        "wordt zijn zo",
        # Portuguese
        "a ao aos as com como da de do dos e em entre essa esse esta este eu fazer há isso já mais mas meu minha "
        "na nas no nos não o os ou para pela pelo por porque posso quais qual quando quantas quantos que quem se sem "
        "ser seu sobre sua são também tem um uma você à é",
        # Polish
        "aby ale bez być co czy dla do gdy gdzie i ile jak jaka jaki jakie jest jestem już kiedy kto która które "
        "który ma mam mi może można mój na nie o od po pod przed przez przy się są tak to w we z za ze że",
        # Turkish
        "ama bana ben bir bu bunu da daha de diye en gibi hangi her için ile istiyorum kadar kim mi mu mü mı nasıl "
        "ne neden nerede o olan olarak olur sonra var ve veya ya yok çok şu",
        # Finnish
        "ei en että ja jos joka jotka kanssa kenen kuin kuinka kun kuka missä mikä minä minun miten mitä mistä mutta "
        "myös ne niin nyt olla on onko ovat se sen siis tai tämä voi voiko voin",
        # Vietnamese
        "bao bị bởi các có cho chúng của cái cách cần gì hay hoặc khi không là làm lại mà muốn mình một nào này như "
        "những nếu nhưng được ra rồi sao sẽ thế thì tại tôi từ và vào về với vì ở đang đâu đã đến để đó",
        # Russian
        "а без бы был была были было быть в вам вас во вот все всё где да для до его если есть ещё же за и из или их "
        "к как какая какие какой когда кто ли мне могу может можно мы на над надо нам нас не нет но ну о об он они "
        "от по под почему при про с со так там то тоже у уже чем что чтобы это этот я",
        # Ukrainian
        "або але без бути був було в ви від він вона вони все де для до є же з за зі й його її і із їх коли ли ми "
        "мені може можна мій на над нам не немає ні ну о про після по при та так там то у хто це цей чи чому що щоб "
        "я як яка які який",
        # Greek
        "αν αλλά από για δεν είναι εγώ ένα έναν ένας η θα και κάτι κι μας με μετά μη μην μια μου μπορώ να ο οι όταν "
        "ότι που ποια ποιο ποιος ποιοι πού πριν πώς πως προς σας σε στα στη στην στις στο στον στους τα τη την της "
        "τι τις το τον του τους των ως",
        # Arabic
        "أن أو أي أين إلى إن إذا الى ان او اي التي الذي الذين بعد بين ثم حتى على عن عند في فيه فيها قبل قد كان كانت "
        "كل كم كما كيف لا لم لماذا لن له لها ما ماذا مع من متى منذ نحن هذا هذه هل هناك هو هي و يا يمكن",
        # Hebrew
        "אבל או אחרי איזה איזו איך אין אם אני את אנחנו אשר בין גם הוא היא הם זה זו זאת יש כי כל כמה כן לא לי לנו "
        "לפני לפי מה מי מתי על עם עד רק של שלי שלנו איפה היכן למה מדוע כאשר כמו",
        # Persian
        "آن آنها های هایی آیا است از اگر اما ام این با باید برای بر به بود تا تو چرا چطور چگونه چه چند چی خود در "
        "دارد را شد شما شود که کجا کدام کنم کند کنید کی ما من می نمی نه نیست ها هر هم همه هست و ولی یا یک کردن شدن",
        # Hindi
        "और इस इसे उस उसे एक ऐसा कब कर करना करने करें करे कहाँ का कि किस किसी की के को कैसे कौन क्या क्यों गया जब जो "
        "तक तो था थी थे नहीं ने पर बाद भी मुझे में मेरा मेरी मेरे मैं यह या ये लिए वह वे सकता सकते से हम ही हूँ है "
        "हैं हो होता होती",
    )
)
"""Those that say nothing in languages of scripts with spaces; of Chinese, Japanese, Korean and Thai see `analysis`."""
_OTHER_SCRIPTS = "\u0370"
"""From here on letters are not Latin: one word of such a list tells the language well enough."""
_ENOUGH = 2
"""How many words of a language that say nothing, as many as of English ones and one of them none, tell that a query is
in it: an English abstract has "e.g." and "co-citation to"."""
_ARTICLES = frozenset(
    ("das", "der", "dem", "del", "des", "du", "el", "et", "het", "im", "la", "las", "le", "les", "los", "und", "une",
     "zum", "zur")
)  # fmt: skip
"""One of these alone tells it as well, in lower case: no English query has them."""
_UMLAUTS = frozenset("äöüß")
_COMPOUNDING = (0, 4, 8)
"""The languages of `_OTHER_LANGUAGES` that write words together: German, Dutch and Finnish."""


def stop_words(query: Iterable[str]) -> frozenset[str]:
    """The words of a query's language that say nothing, and the English ones. In an index that is mostly in one
    language, such words of another are rare, so that BM25 takes them for what the query is about."""
    return STOP_WORDS.union(*(_OTHER_LANGUAGES[one] for one in _languages(query)))


def language(query: Iterable[str]) -> frozenset[str]:
    """The words that say nothing in the query's language and are none of English; none where that is not known."""
    return frozenset[str]().union(*(_OTHER_LANGUAGES[one] for one in _languages(query))) - STOP_WORDS


def compounding(query: Iterable[str]) -> bool:
    """Whether the query's words are of a language that writes several together as one ("Hallenschlüssel")."""
    words = list(query)
    return any(one in _COMPOUNDING for one in _languages(words)) or not _UMLAUTS.isdisjoint("".join(words).lower())


def _languages(query: Iterable[str]) -> list[int]:
    typed = set(query)
    words, articles = {word.lower() for word in typed}, typed & _ARTICLES
    enough = max(_ENOUGH, len(words & STOP_WORDS))
    return [
        number
        for number, one in enumerate(_OTHER_LANGUAGES)
        if (len(words & one) >= enough and words & one - STOP_WORDS)
        or articles & one
        or any(word >= _OTHER_SCRIPTS for word in words & one)
    ]


def words(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of every word. Numbers with dots, dashes or colons inside ("8-1", "3.2") are one word; combining
    marks belong to the word they stand in, which Python's \\w does not know."""
    if text.isascii() or not _has_marks(text):
        yield from (found.span() for found in _WORD.finditer(text))
        return
    at = 0
    for number in _NUMBER.finditer(text):
        yield from _between(text, at, number.start())
        yield number.span()
        at = number.end()
    yield from _between(text, at, len(text))


def _has_marks(text: str) -> bool:
    """Whether a text has combining marks, of which Python's \\w knows nothing."""
    return any(one >= _FIRST_MARK and unicodedata.category(one)[0] == "M" for one in set(text))


def _between(text: str, first: int, end: int) -> Iterator[tuple[int, int]]:
    start = -1
    for at, character in enumerate(text[first:end], first):
        inside = character.isalnum() or character == "_" or (start >= 0 and unicodedata.category(character)[0] == "M")
        if inside and start < 0:
            start = at
        elif not inside and start >= 0:
            yield start, at
            start = -1
    if start >= 0:
        yield start, end


@lru_cache(maxsize=8192)
def key(word: str) -> str:
    """What two forms of a word share in the index: case and accents folded, English endings off."""
    if word.isascii():
        return stem(word.lower())
    if shared := bare(word.lower()):
        return shared
    plain = unsigned(word.casefold())
    return stem(plain) if plain.isascii() else plain


def plain(text: str) -> str:
    """Words folded but not stemmed, one space between and around CJK: for comparing literally."""
    if text.isascii():
        return " ".join(_WORD.findall(text.lower()))
    bare = unicodedata.normalize("NFKD", cjk_apart(regular(text) if may_vary(text) else text)).casefold()
    if apart := [one for one in set(bare) if one >= _FIRST_MARK and unicodedata.combining(one)]:
        bare = re.sub(f"[{''.join(apart)}]+", "", bare)
    if not _has_marks(bare):
        return " ".join(_WORD.findall(bare))
    return " ".join(bare[start:end] for start, end in words(bare))


class _Text:
    """How a text opens: its words, and in which order."""

    def __init__(self, text: str) -> None:
        self._words = text[:_OPENING].lower().split()
        self.words = frozenset(self._words)

    def longest(self) -> list[str]:
        """Its `_MAX_LOOKED_UP` longest words."""
        sizes = sorted(map(len, self.words), reverse=True)[:_MAX_LOOKED_UP]
        shortest = sizes[-1] if sizes else 0
        chosen = [one for one in self.words if len(one) >= shortest]
        return sorted(sorted(chosen), key=len, reverse=True)[:_MAX_LOOKED_UP]

    @cached_property
    def pairs(self) -> AbstractSet[tuple[str, str]]:
        """Its words with those that follow them."""
        return set(pairwise(self._words))


class Texts:
    """Texts seen so far, by number. Only those that share one of their longest words are compared."""

    def __init__(self) -> None:
        self._by_word: dict[str, list[tuple[_Text, int]]] = {}

    def seen(self, text: str, number: int) -> int | None:
        """The number of the one that it nearly is; None where there is none: it is one from now on, of `number`."""
        opening = _Text(text)
        longest = opening.longest()
        met: set[int] = set()
        for word in longest:
            for other, known in self._by_word.get(word, ()):
                if known not in met and _alike(opening, other):
                    return known
                met.add(known)
        for word in longest:
            self._by_word.setdefault(word, []).append((opening, number))
        return None


def _alike(one: _Text, other: _Text) -> bool:
    if _shared(one.words, other.words, ALIKE) < ALIKE:
        return False
    return not (one.pairs and other.pairs) or _shared(one.pairs, other.pairs, _ALIKE_PAIRS) >= _ALIKE_PAIRS


def _shared(one: AbstractSet[object], other: AbstractSet[object], least: float) -> float:
    """What is in both, of what is in either (Jaccard); 0 where their sizes alone say that it is below `least`."""
    first, second = len(one), len(other)
    if min(first, second) < least * max(first, second):
        return 0.0
    both = len(one & other)
    return both / (first + second - both)
