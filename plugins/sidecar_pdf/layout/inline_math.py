"""Types what is set in tiers in the middle of a sentence, before lines are told from one another: fractions with their
bar (`a/b`), and a lower and an upper script over one another (`∑_(i=1)^n`)."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import islice
from statistics import fmean

from sidecar_pdf.layout.scripts import MARKS, SMALLER, in_parentheses, is_base, one_sign, typed_run, typed_scripts
from sidecar_pdf.pdfium.graphics import Rule
from sidecar_pdf.text.segments import Segment, Word

_PLAIN = re.compile(r"[A-Za-zÀ-ɏͰ-ӿ]{3,}[,;:.]?$")
_SCRIPT = re.compile(r"[\w()=+−,<>≤≥→∞]+")
_STOPS, _MACRON = ",.;: ", "\u0304"
# Ems of the sentence, and counts. Chosen on typeset formulas (tests/bench/layout/pdf_equations.py).
_PLAIN_WORDS = 2  # of a language, from which on a stretch is a sentence
_WIDEST = 12.0  # of a fraction
_REACH = 1.1  # from a bar to the middle of what stands over and under it
_ASIDE = 0.2  # by which that goes beyond the bar
_BESIDE = 0.95  # from a fraction to what stands beside it
_JOINED = 0.12  # within which it is joined to that
_SCRIPT_GAP, _SCRIPT_BACK = 0.35, 0.4  # from a base to its scripts, and into it
_OUTSIDE = 0.1  # by which the middle of a script lies over or under its base: more, and it is one of another line
_JOINT = 0.3  # from the end of a root's sign to its bar
_ROOT_WORDS = 24  # under one bar
_INLAID_WORDS, _MAX_NEAR = 6, 64  # words of a script that is drawn after its line; bases that it may have
_NEAR_WORDS, _WIDEST_PAIR = 200, 6.0  # words of a page right of a parenthesis; ems of two terms over one another in it
_MAX_TIERS = 300  # pairs of scripts of a page
_MAX_RULES = 200  # of a page: more are a drawing


def type_tiers(segments: list[Segment], rules: Sequence[Rule]) -> list[Segment]:
    """The segments of a page, with what stands in tiers beside a sentence as one word of it."""
    if not any(word.style.math for segment in segments for word in segment.words):
        return segments
    segments = _with_pairs(_with_inlaid(segments), rules)
    sentences = [s for s in segments if not s.vertical and _is_sentence(s)]
    roots = [word for segment in segments for word in segment.words if word.text.endswith("√")]
    for bar in rules if len(rules) <= _MAX_RULES else ():
        sign = next((sign for sign in roots if _begins(sign, bar)), None)  # whose bar may lie over the line
        line = _sentence_at(sentences, (bar[1], bar[2]), (sign.y0 + sign.y1) / 2 if sign else bar[0])
        if line is None or bar[2] - bar[1] > _WIDEST * line.style.size:
            continue
        rooted = _rooted(segments, bar)
        if rooted is not segments:
            segments, sentences = rooted, [s for s in rooted if not s.vertical and _is_sentence(s)]
            continue
        above, below = _over_and_under(segments, bar, line)
        if not above:
            segments = _overlined(segments, bar)
            sentences = [s for s in segments if not s.vertical and _is_sentence(s)]
        elif below:
            typed = f"{in_parentheses(_read(above))}/{in_parentheses(_read(below))}"
            word = above[0]._replace(
                text=typed, x0=bar[1], x1=bar[2], y0=line.y0, y1=line.y1, joined=False,
                style=above[0].style._replace(size=line.style.size),
            )  # fmt: skip
            segments = _placed(segments, [word], {id(one) for one in (*above, *below)}, line.style.size)
            sentences = [s for s in segments if not s.vertical and _is_sentence(s)]
    return _stacked_scripts(segments, sentences)


def _with_inlaid(segments: list[Segment]) -> list[Segment]:
    """The segments with each script that is drawn after its line in its place, where that leaves a gap for it or a mark
    over its base comes first: browsers draw raised boxes last."""
    level = [segment for segment in segments if not segment.vertical]
    bases = sorted((word.x1, at, place) for at, segment in enumerate(level)
                   for place, word in enumerate(segment.words) if word.style.math)  # fmt: skip
    taken: set[int] = set()
    inlaid: dict[int, dict[int, list[Word]]] = {}
    for script in [s for s in level if len(s.words) <= _INLAID_WORDS] if bases else ():
        first = next((word for word in script.words if word.text not in MARKS), script.words[0])
        size = first.style.size
        middle = (first.y0 + first.y1) / 2
        near = slice(*(bisect_left(bases, (first.x0 + by * size,)) for by in (-_JOINT, _JOINED)))
        for _, at, place in islice(bases[near], _MAX_NEAR):
            words = level[at].words
            base, after = words[place], words[place + 1] if place + 1 < len(words) else None
            smaller = size < SMALLER * base.style.size and base.y0 - size < middle < base.y1 + size
            if after is None:
                fits = first is not script.words[0] and first.x0 > base.x0
            else:
                fits = script.x1 < after.x0 + _JOINED * size
            free = level[at] is not script and id(level[at]) not in taken and id(script) not in inlaid
            if smaller and fits and free:
                inlaid.setdefault(id(level[at]), {}).setdefault(place, []).extend(script.words)
                taken.add(id(script))
                break
    return [
        _inlaid(segment, inlaid[id(segment)]) if id(segment) in inlaid else segment
        for segment in segments if id(segment) not in taken or id(segment) in inlaid
    ]  # fmt: skip


def _with_pairs(segments: list[Segment], rules: Sequence[Rule]) -> list[Segment]:
    """The segments with two small terms over one another in parentheses of a sentence, as binomial coefficients are, as
    one word; what `rules` part is a fraction."""
    words = sorted((w for s in segments if not s.vertical for w in s.words), key=_left)
    openings = [one for one in enumerate(words) if one[1].text.endswith("(")][:_MAX_TIERS]
    sentences = [s for s in segments if not s.vertical and _is_sentence(s)] if openings else []
    for at, opening in openings:
        em, middle = opening.style.size, (opening.y0 + opening.y1) / 2
        reach = _OUTSIDE * em
        near = words[at + 1 : at + _NEAR_WORDS]
        level = [w for w in near if opening.y0 - reach < (w.y0 + w.y1) / 2 < opening.y1 + reach]
        closing = next((w for w in level if w.text[0] == ")" and w.y0 < middle < w.y1), None)
        if closing is None or closing.x0 - opening.x1 > _WIDEST_PAIR * em:
            continue
        inside = [w for w in level if opening.x1 - _JOINED * em < w.x0 < closing.x0]
        pair = _pair(inside, middle, SMALLER * em)
        parted = any(opening.y0 < y < opening.y1 and opening.x0 < left < closing.x1 for y, left, _ in rules)
        if pair and not parted and _sentence_at(sentences, (opening.x0, closing.x1), middle) is not None:
            made = opening._replace(text=f"{opening.text}{pair}{closing.text}", x1=closing.x1)
            segments = _placed(segments, [made], {id(w) for w in (opening, *inside, closing)}, em)
    return segments


def _pair(inside: list[Word], middle: float, size: float) -> str:
    """Two terms with a semicolon between, all in type under a size, where one stands over the other; else ""."""
    high, low = ([w for w in inside if ((w.y0 + w.y1) / 2 < middle) is up] for up in (True, False))
    if not high or not low or any(word.style.size >= size for word in inside):
        return ""
    over = max(w.y1 for w in high) <= min(w.y1 for w in low) and high[0].x0 < low[-1].x1 and low[0].x0 < high[-1].x1
    return f"{_read(high)}; {_read(low)}" if over else ""


def _inlaid(line: Segment, scripts: dict[int, list[Word]]) -> Segment:
    """A line with scripts behind its words of those places."""
    words: list[Word] = []
    for place, word in enumerate(line.words):
        near = place - 1 in scripts and word.x0 - words[-1].x1 < _JOINED * word.style.size
        words.append(word._replace(joined=word.joined or near))
        words += [script._replace(joined=script.joined or not at) for at, script in enumerate(scripts.get(place, ()))]
    return _segment(words, line)


def _rooted(segments: list[Segment], bar: Rule) -> list[Segment]:
    """The segments with a root that a bar runs on from as one word with what stands under it."""
    y, x0, x1 = bar
    for segment in segments:
        sign = next((w for w in segment.words if w.text.endswith("√") and _begins(w, bar)), None)
        if sign is None or segment.vertical:
            continue
        foot = sign.y1 + _ASIDE * sign.style.size
        words = [w for s in segments if not s.vertical for w in s.words if w is not sign]
        body = [w for w in words if x0 <= (w.x0 + w.x1) / 2 <= x1 and y < (w.y0 + w.y1) / 2 < foot]
        if body and len(body) <= _ROOT_WORDS:
            read = _read(body)
            inside = _own_part(read)
            index = next(((w, made) for w in words if _is_over(sign, w) and (made := one_sign(sign, w))), None)
            taken = {id(w) for w in (sign, *body, *(index or ())[:1])}
            root = index[1] if index is not None else sign.text
            level = max(body, key=lambda w: w.style.size)  # the sign may be larger than its line, and raised
            typed = sign._replace(
                text=root + in_parentheses(inside) + read[len(inside) :], x1=max(w.x1 for w in body),
                y0=level.y0, y1=level.y1, style=level.style,
            )  # fmt: skip
            return _placed(segments, [typed], taken, segment.style.size)
    return segments


def _is_over(sign: Word, word: Word) -> bool:
    """Whether a word stands in the angle of a root, as its index does."""
    em = sign.style.size
    return sign.x0 - _JOINT * em < word.x0 and word.x1 < sign.x1 and sign.y0 - em < word.y0 and word.y1 < sign.y1


def _own_part(read: str) -> str:
    """What of the words that a bar is over is under it: neither the stops that end the last of them, nor a bracket
    that is closed behind it."""
    inside = read.rstrip(_STOPS)
    while inside.endswith(")") and inside.count(")") > inside.count("("):
        inside = inside[:-1].rstrip(_STOPS)
    return inside


def _overlined(segments: list[Segment], bar: Rule) -> list[Segment]:
    """The segments with the letter that a bar alone is close over as one with it."""
    y, x0, x1 = bar
    for segment in segments:
        if segment.vertical or not segment.y0 - segment.style.size < y < segment.y1:
            continue
        for at, word in enumerate(segment.words):
            em = word.style.size
            alone = word.style.math and len(word.text) == 1 and word.text.isalpha()
            over = word.y0 - _ASIDE * em < y < (word.y0 + word.y1) / 2
            if alone and over and abs(word.x0 - x0) < _JOINT * em and abs(word.x1 - x1) < _JOINT * em:
                barred = word._replace(text=unicodedata.normalize("NFC", word.text + _MACRON))
                words = [*segment.words[:at], barred, *segment.words[at + 1 :]]
                return [_segment(words, segment) if one is segment else one for one in segments]
    return segments


def _begins(sign: Word, bar: Rule) -> bool:
    """Whether a bar goes on a root from its upper end."""
    em = sign.style.size
    return abs(sign.x1 - bar[1]) < _JOINT * em and abs(sign.y0 - bar[0]) < _JOINT * em


def _is_sentence(segment: Segment) -> bool:
    return sum(not w.style.math and _PLAIN.match(w.text) is not None for w in segment.words) >= _PLAIN_WORDS


def _sentence_at(sentences: Iterable[Segment], across: tuple[float, float], y: float) -> Segment | None:
    """The nearest stretch of a sentence on the line at a height."""
    near = [
        (max(across[0] - s.x1, s.x0 - across[1]), s.order, s) for s in sentences
        if s.y0 < y < s.y1 and max(across[0] - s.x1, s.x0 - across[1]) < _WIDEST * s.style.size
    ]  # fmt: skip
    return min(near)[2] if near else None


def _over_and_under(segments: list[Segment], bar: Rule, line: Segment) -> tuple[list[Word], list[Word]]:
    """The words over a bar and under it, in small type or, as word processors set them, none of a language."""
    y, x0, x1 = bar
    em = line.style.size
    above, below = list[Word](), list[Word]()
    for segment in segments:
        if segment.vertical or segment.y1 < y - 2 * em or segment.y0 > y + 2 * em:
            continue
        for word in segment.words:
            if word.x1 <= x0 or word.x0 >= x1:
                continue
            apart = (word.y0 + word.y1) / 2 - y
            inside = word.x0 > x0 - _ASIDE * em and word.x1 < x1 + _ASIDE * em
            small = word.style.size < SMALLER * em or not (word.style.math or _PLAIN.match(word.text))
            if abs(apart) < _REACH * em and inside and small:
                (above if apart < 0 else below).append(word)
    return above, below


def _read(words: list[Word]) -> str:
    """The text of one tier, its own scripts typed."""
    run = typed_scripts([sorted(words, key=_left)])
    return "".join(word.text if word.joined or not at else f" {word.text}" for at, word in enumerate(run))


def _placed(segments: list[Segment], made: list[Word], taken: set[int], em: float) -> list[Segment]:
    """The segments without the words taken, and with those made in one of them, or their own."""
    x0, x1, middle = made[0].x0, made[-1].x1, (made[0].y0 + made[0].y1) / 2
    left, right, kept = None, None, list[Segment]()
    for segment in segments:
        if not any(id(word) in taken for word in segment.words):
            parts = [segment]
        else:
            words = [word for word in segment.words if id(word) not in taken]
            parts = [
                _segment(part, segment)
                for part in ([w for w in words if w.x0 < x0], [w for w in words if w.x0 >= x0])
                if part
            ]
        for part in parts:
            if part.vertical or not part.y0 < middle < part.y1:
                kept.append(part)
            elif abs(x0 - part.x1) < _BESIDE * em and part.x0 < x0:
                left = part
                kept.append(part)
            elif abs(part.x0 - x1) < _BESIDE * em:
                right = part
            else:
                kept.append(part)
    words = list(made)
    if left is not None:
        words = [*left.words, words[0]._replace(joined=words[0].joined or x0 - left.x1 < _JOINED * em), *words[1:]]
        kept = [part for part in kept if part is not left]
    if right is not None:
        first = right.words[0]
        words += [first._replace(joined=first.x0 - x1 < _JOINED * em), *right.words[1:]]
    kept.append(_segment(words, left or right or segments[0]))
    return kept


def _segment(words: list[Word], like: Segment) -> Segment:
    made = Segment(words[0], like.order)
    for word in words[1:]:
        made.add(word)
    made.hyphen, made.rtl, made.orientation, made.style = like.hyphen, like.rtl, like.orientation, like.style
    return made


def _stacked_scripts(segments: list[Segment], sentences: list[Segment]) -> list[Segment]:
    """The segments with pairs of scripts that stand over one another beside their base typed behind it."""
    words = [w for s in segments if not s.vertical for w in s.words]
    small = sorted((w for w in words if w.style.math or _SCRIPT.fullmatch(w.text)), key=_left)
    pairs = 0
    for base in [w for w in words if is_base(w)]:
        em = base.style.size
        first, last = (bisect_left(small, base.x1 + by * em, key=_left) for by in (-_SCRIPT_BACK, _SCRIPT_GAP))
        near = [
            w for w in small[first:last]
            if w.style.size < SMALLER * em and base.y0 - _OUTSIDE * em < (w.y0 + w.y1) / 2 < base.y1 + _OUTSIDE * em
        ]  # fmt: skip
        middle = (base.y0 + base.y1) / 2
        high, low = ([w for w in near if ((w.y0 + w.y1) / 2 < middle) is up] for up in (True, False))
        if not high or not low or pairs == _MAX_TIERS or _sentence_at(sentences, (base.x0, base.x1), middle) is None:
            continue
        pairs += 1
        high, low = (_run(tier, small, em) for tier in (high, low))
        end = max(w.x1 for w in (*high, *low))
        made = [
            typed_run(side, tier)._replace(y0=base.y0, y1=base.y1, x0=base.x1, x1=end, style=base.style)
            for side, tier in (("_", low), ("^", high))
        ]
        segments = _placed(segments, made, {id(w) for w in (*high, *low)}, em)
    return segments


def _left(word: Word) -> float:
    return word.x0


def _run(tier: list[Word], small: list[Word], em: float) -> list[Word]:
    """The words of a script from its first on."""
    run = tier[:1]
    middle = fmean((run[0].y0, run[0].y1))
    for word in small[bisect_left(small, run[0].x0, key=_left) :]:
        alike = abs(fmean((word.y0, word.y1)) - middle) < _ASIDE * em and word.style.size < SMALLER * em
        if alike and word is not run[0] and 0 <= word.x0 - run[-1].x1 + _JOINED * em < (_SCRIPT_GAP + _JOINED) * em:
            run.append(word)
    return run
