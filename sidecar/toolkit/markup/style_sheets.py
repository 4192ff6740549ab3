"""Which elements a page's own style sheets hide (CSS 2.2, chapters 5 and 6): by type, class, id and attribute, one
below another, for screens of every size. Not responsible for inline styles, nor for what a declaration hides: that is
`hidden`'s."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from sidecar.toolkit.hidden import hides, hides_words, may_hide, unescaped
from sidecar.toolkit.xml import XmlElement, etree

_MAX_SHEET = 500_000
"""Characters of one sheet that are looked at."""
_MAX_TESTS = 100_000
"""Of an element against a selector, in one page."""
_MAX_STEPS, _MAX_ABOVE, _MAX_BLOCKS, _MAX_SIBLINGS = 3, 64, 3, 200
"""Compounds of a selector, elements above or before one, blocks in one another, and siblings counted."""
_PAINTED = etree.XPath("//@bgcolor | //@background | //@style[contains(., 'background') or contains(., 'position')]")
_LINKS = etree.XPath("//link[contains(@rel, 'stylesheet')]")
_NAMED_ONES = etree.XPath("descendant-or-self::*[@id]")
_IDS = etree.XPath("descendant-or-self::*/@id", smart_strings=False)
_CLASSES = etree.XPath("descendant-or-self::*/@class", smart_strings=False)
_CLASSED = etree.XPath("descendant-or-self::*[@class]")
_LOOKS = etree.XPath(".//*[@class or @id or @style or @color or self::font]")
"""What is in an element and may look otherwise."""
_NESTED = re.compile(r"(?<![^;{}])[^;{}]*+\{[^{}]*+\}")
_CSS_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_FOR_SCREENS = re.compile(r"@(?:layer|supports)\b|@media\s+(?:only\s+)?(?:screen|all)\s*$", re.IGNORECASE)
_MAY_PAINT = re.compile(r"background|position|@import", re.IGNORECASE)
_MAY_SHOW = re.compile(
    r"display|visib|opacity|font|indent|clip|transform|scale|color|width|height|left|top|position|fill|stroke|mask"
    r"|spacing|zoom|margin"
)
_COMPOUND = re.compile(
    r"([a-z][\w-]*)?((?:[.#][\w-]+|\[[\w-]+(?:=(?:\"[^\"]*\"|'[^']*'|[\w-]+))?\])*)((?::[a-z-]+(?:\([^()]*\))?)*)",
    re.IGNORECASE,
)
_PSEUDO = re.compile(r":((?:first|last|nth|nth-last)-(?:child|of-type)|not)(?:\(([^()]*)\))?", re.IGNORECASE)
_SAME_AS = re.compile(r":(?:where|is)\(([^(),\s]+)\)", re.IGNORECASE)
_EVERY = re.compile(r"([+-]?\d*)n\s*([+-]\s*\d+)?$|([+-]?\d+)$")
_CONDITION = re.compile(r"([.#])([\w-]+)|\[([\w-]+)(?:=(?:\"([^\"]*)\"|'([^']*)'|([\w-]+)))?\]")
_NAMED = re.compile(r"[\w-]+")
_VARIABLE = re.compile(r"(?<![\w-])(--[\w-]++)\s*+:\s*+([^;}]{0,500})")
_USED = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,[^()]*)?\)")


class _Compound(NamedTuple):
    """One part of a selector: the element it names, its classes, id and attributes (None: any value)."""

    tag: str
    classes: frozenset[str]
    attributes: tuple[tuple[str, str | None], ...]
    relation: str
    """To the compound before it: "" for anywhere above, or the combinator."""
    tests: tuple[tuple[str, str], ...] = ()
    """Pseudo-classes that say where among its siblings the element is, or what it is not, and what they are given."""

    def fits(self, node: XmlElement) -> bool:
        """Whether an element is one of those."""
        if self.tag and self.tag != node.tag:
            return False
        if self.classes and not self.classes.issubset((node.get("class") or "").split()):
            return False
        for name, value in self.attributes:
            given = node.get(name)
            if given is None or (value is not None and value != given):
                return False
        return not self.tests or all(_matches_pseudo_class(node, name, given) for name, given in self.tests)


class _Rule(NamedTuple):
    """A selector and what it declares; `weight` is its specificity and place (§6.4.1)."""

    steps: tuple[_Compound, ...]
    weight: tuple[int, int, int, int]
    declarations: str
    key: str
    """What elements are looked up by: a class, an id, an attribute, or the element."""

    def matches(self, node: XmlElement) -> bool:
        """Whether the selector matches; of elements above that may fit, the nearest one counts."""
        if not self.steps[-1].fits(node):
            return False
        below = self.steps[-1]
        for step in reversed(self.steps[:-1]):
            siblings = below.relation in ("+", "~")
            others = node.itersiblings("*", preceding=True) if siblings else node.iterancestors()
            above: Iterable[XmlElement] = islice(others, 1 if below.relation in (">", "+") else _MAX_ABOVE)
            found = next((one for one in above if step.fits(one)), None)
            if found is None:
                return False
            node, below = found, step
        return True


def mark_sheets(root: XmlElement, linked: Sequence[str]) -> None:
    """Give `hidden` to the elements that the page's own sheets, and those it links to, hide; in white on a page that
    paints nothing anywhere, too."""
    paints, declared = _read_sheets((*linked, *(sheet.text or "" for sheet in root.iter("style"))))
    white = not paints and not _PAINTED(root) and len(_LINKS(root)) <= len(linked)
    hiding = [
        rule for place, (selectors, body) in enumerate(declared)
        if may_hide(body) and (hides(body) or hides_words(body, white=white))
        for rule in _rules_of(selectors, body, place)
    ]  # fmt: skip
    if not hiding:
        return
    nodes, tests = _indexed(root, {rule.key for rule in hiding}), _MAX_TESTS
    met: dict[XmlElement, None] = {}
    for rule in hiding:
        for node in nodes.get(rule.key, ()):
            tests -= 1
            if tests < 0:
                break
            if node not in met and rule.matches(node):
                met[node] = None
    by_key = _by_key(declared, {key for node in met for key in _keys(node)})
    for node in met:
        concerned = [one for key in _keys(node) for one in by_key.get(key, ())]
        tests -= len(concerned)
        if tests < 0:
            return
        body = _cascaded([one for one in concerned if one.matches(node)], node)
        if hides(body) or (hides_words(body, white=white) and not _LOOKS(node)):
            node.set("hidden", "")


@lru_cache(maxsize=2)
def _read_sheets(written: tuple[str, ...]) -> tuple[bool, list[tuple[str, str]]]:
    """Whether sheets paint anything, and what they declare if anything is hidden. Kept for a book's next chapter."""
    sheets = list(map(_plain, written))
    if not any(map(may_hide, sheets)):
        return True, []
    return any(map(_MAY_PAINT.search, sheets)), _declared(sheets)


def _by_key(declared: Sequence[tuple[str, str]], keys: set[str]) -> dict[str, list[_Rule]]:
    """The rules that may concern elements of these keys; the other selectors of a sheet, nearly all, stay unread."""
    names = {key.lstrip(".[#") for key in keys}
    found: defaultdict[str, list[_Rule]] = defaultdict(list)
    for place, (selectors, body) in enumerate(declared) if names else ():
        if not _MAY_SHOW.search(body.lower()):
            continue
        for selector in selectors.split(","):
            last = selector.strip().rpartition(" ")[2]
            if last[:1] == ":" or not names.isdisjoint(_NAMED.findall(last)):
                for rule in _rules_of(selector, body, place):
                    found[rule.key].append(rule)
    return found


def cascade(root: XmlElement) -> Callable[[XmlElement], str]:
    """What the sheets below `root` and an element's own style declare for it, what counts most last."""
    declared = _declared([_plain(sheet.text or "") for sheet in root.iter("style")])
    rules = [rule for place, (selectors, body) in enumerate(declared) for rule in _rules_of(selectors, body, place)]
    if not rules:
        return lambda node: node.get("style") or ""
    return lambda node: _cascaded([one for one in rules if one.matches(node)], node)


def _plain(sheet: str) -> str:
    """A sheet as far as it is looked at, without comments and escapes."""
    return unescaped(_CSS_COMMENT.sub("", sheet[:_MAX_SHEET]))


def _cascaded(rules: list[_Rule], node: XmlElement) -> str:
    """All declarations for an element, what counts most last (§6.4)."""
    rules.sort(key=lambda rule: rule.weight)
    important = [one for rule in rules for one in rule.declarations.split(";") if "!" in one]
    return ";".join((*(rule.declarations for rule in rules), node.get("style") or "", *important))


def _indexed(root: XmlElement, keys: set[str]) -> dict[str, list[XmlElement]]:
    """The elements by those of their keys that are wanted; lxml looks, as most of a page's elements have none."""
    found: defaultdict[str, list[XmlElement]] = defaultdict(list)
    for key in keys:
        if key[0] == "[":
            plain = key.isascii() and key[1].isalpha()
            found[key] = root.xpath(f"descendant-or-self::*/@{key[1:]}/..") if plain else []
        elif key[0] not in ".#":
            found[key] = list(root.iter(key))
    for mark, name, words, having in (("#", "id", _IDS, _NAMED_ONES), (".", "class", _CLASSES, _CLASSED)):
        if not any(key[0] == mark for key in keys):
            continue
        wanted = {value: also for value in set(words(root)) if (also := _among(mark, value, keys))}
        for node in having(root) if wanted else ():
            for key in wanted.get(node.get(name, ""), ()):
                found[key].append(node)
    return found


def _among(mark: str, value: str, keys: set[str]) -> list[str]:
    """Those of the keys that an attribute's value gives: its words, each once, or the whole of an id."""
    return [key for word in ([value] if mark == "#" else dict.fromkeys(value.split())) if (key := mark + word) in keys]


def _keys(node: XmlElement) -> Iterator[str]:
    """What selectors may look an element up by."""
    yield from ("*", node.tag)
    for name, value in node.attrib.items():
        if name == "class":
            yield from (f".{one}" for one in dict.fromkeys(value.split()))
        elif name == "id":
            yield f"#{value}"
        yield f"[{name}"


def _declared(sheets: Sequence[str]) -> list[tuple[str, str]]:
    """Selectors and declarations of the rules."""
    rules = [rule for sheet in sheets for rule in _rules(sheet, _MAX_BLOCKS)]
    if not any("var(" in sheet for sheet in sheets):
        return rules
    values = dict(match for sheet in sheets if "--" in sheet for match in _VARIABLE.findall(sheet))
    return [(selectors, _USED.sub(lambda found: values.get(found[1], ""), body)) for selectors, body in rules]


def _rules_of(selectors: str, declarations: str, place: int) -> Iterator[_Rule]:
    """A rule for each selector that is understood; `place` is that of the declarations among all."""
    for steps in filter(None, map(_steps, selectors.split(","))):
        named = [name for step in steps for name, _ in step.attributes]
        ids, classes = named.count("id"), sum(len(step.classes) for step in steps)
        types = sum(bool(step.tag) for step in steps)
        yield _Rule(steps, (ids, classes + len(named) - ids, types, place), declarations, _key(steps[-1]))


def _key(step: _Compound) -> str:
    """What the elements are looked up by that a compound may fit."""
    if step.classes:
        return f".{min(step.classes)}"
    if not step.attributes:
        return step.tag or "*"
    name, value = step.attributes[0]
    return f"#{value}" if name == "id" and value else f"[{name}"


@lru_cache(maxsize=1024)
def _steps(selector: str) -> tuple[_Compound, ...]:
    """The compounds of a selector, () for one that is not understood."""
    if len(selector) > _MAX_SELECTOR_CHARS:
        return ()
    steps: list[_Compound] = []
    relation = ""
    for word in _COMBINATOR.sub(r" \1 ", _SAME_AS.sub(r"\1", selector)).split():
        if word in _RELATIONS:
            relation = word
            continue
        found = _COMPOUND.fullmatch(word)
        tests = _PSEUDO.findall(found[3]) if found else []
        if found is None or len(steps) == _MAX_STEPS or found[3].count(":") != len(tests):
            return ()
        parts = _CONDITION.findall(found[2])
        ids = [("id", name) for mark, name, *_ in parts if mark == "#"]
        others = [(name, value) for *_, name, value in ((*part[:2], part[2], _value(part)) for part in parts) if name]
        classes = frozenset(name for mark, name, *_ in parts if mark == ".")
        steps.append(_Compound((found[1] or "").lower(), classes, (*ids, *others), relation, tuple(tests)))
        relation = ""
    return tuple(steps)


_RELATIONS = (">", "+", "~")
_MAX_SELECTOR_CHARS = 2_000
_COMBINATOR = re.compile(r"(?<!\s)\s*+([>+~])\s*+(?![^(]*\))")


def _matches_pseudo_class(node: XmlElement, name: str, given: str) -> bool:
    """Whether an element is where a pseudo-class wants it (Selectors 4, §13.4), or is not what `:not` names."""
    name = name.lower()
    if name == "not":
        steps = _steps(given)
        return len(steps) == 1 and not steps[0].tests and not steps[0].fits(node)
    number = given if name.startswith("nth") else "1"
    same = node.tag if name.endswith("type") else "*"
    others = node.itersiblings(same, preceding="last" not in name)
    found = _EVERY.match({"odd": "2n+1", "even": "2n"}.get(number.strip().lower(), number.strip().lower()))
    place = 1 + sum(1 for _ in islice(others, _MAX_SIBLINGS))
    if found is None or place > _MAX_SIBLINGS:
        return False
    if found[3]:
        return place == int(found[3])
    step, first = (
        int(found[1] + "1" if found[1] in ("", "+", "-") else found[1]),
        int((found[2] or "0").replace(" ", "")),
    )
    return (place - first) % step == 0 and (place - first) // step >= 0 if step else place == first


def _value(part: tuple[str, ...]) -> str | None:
    """The value an attribute is to have; None where it need only be there."""
    return "".join(part[3:]) or None


def _rules(text: str, most: int) -> Iterator[tuple[str, str]]:
    """Selectors and declarations of the rules for every screen."""
    depth = 0
    begun: list[str] = []
    for piece in text.split("}")[:-1]:
        begun.append(piece)
        depth += piece.count("{")
        if depth:
            depth -= 1
        else:
            continue  # an end without a beginning
        if depth:
            continue
        selectors, _, body = "}".join(begun).partition("{")
        begun.clear()
        selectors = selectors.rpartition(";")[2].strip()
        if selectors[:1] == "@" and most and _FOR_SCREENS.match(selectors):
            yield from _rules(body, most - 1)
        elif selectors and "@" not in selectors:
            yield selectors, _NESTED.sub("", body) if "{" in body else body
            if "{" in body and most:
                for inner, declared in _rules(body, most - 1):
                    yield inner.replace("&", selectors) if "&" in inner else f"{selectors} {inner}", declared
