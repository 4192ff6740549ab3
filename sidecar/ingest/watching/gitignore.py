"""Patterns as gitignore(5) and git's wildmatch define them, all of one file compiled into one expression.

pathspec would do for a list of paths, but its expressions also match whatever lies below a named directory, so that
`*`, `!*/`, `!*.txt` decided for one name at a time come out otherwise than in git; and they are tried one by one.

An ignore file may come from anybody, so a match takes no longer than the pattern's length times the path's: what
follows a star is found at its first place and not sought again (an atomic group), which loses no match, because the
next star reaches from there whatever it would reach from a later place."""

import logging
import re
from collections.abc import Iterable
from typing import Final

logger = logging.getLogger(__name__)

_MAX_RULES: Final = 1000
"""Of one file. The largest collections of templates have some 1,500 lines, remarks included."""
_MAX_RULE_CHARS: Final = 256
_MAX_STARS: Final = 16
"""Of one rule."""
_MAX_STAR_CHARS: Final = 8192
"""Of all rules of a file that have stars, together: 5 ms for the worst such file and name, 60 ms for the worst path."""
_DEEP_WEIGHT: Final = 8
"""How much more a character of a rule counts that has `**/`: it is sought in every directory of the path."""
_CHEAP_STAR_CHARS: Final = 1024
"""Up to this many, the worst match is a matter of half a millisecond."""

_POSIX: Final = {
    "alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "blank": r" \t", "cntrl": r"\x00-\x1f\x7f", "digit": "0-9",
    "graph": r"\x21-\x7e", "lower": "a-z", "print": r"\x20-\x7e", "punct": r"!-/:-@\[-`{-~", "space": r"\s",
    "upper": "A-Z", "xdigit": "0-9a-fA-F",
}  # fmt: skip
_NAME_ONLY: Final = "(?>.*/(?=[^/]))?"
"""Directories in front of the last name: what a pattern without a slash does not look at."""

_STEP: Final = r"/(?!\Z)"
"""A slash within a pattern: not the one that ends a directory's path, or `a/*` would match `a` itself."""


class GitignorePatterns:
    """One set of patterns, the last of which that matches decides."""

    def __init__(self, lines: Iterable[str], source: str = "") -> None:
        """`lines` as in the file; what git could never match, and what is beyond the bounds above, is left out; that
        is logged, with `source` for where they come from."""
        rules: list[tuple[str, bool]] = []
        self._star_chars = 0
        beyond = 0
        for line in lines:
            rule = _rule(line)
            if rule is None:
                continue
            stars = len(re.findall(r"\*+", line))
            cost = len(line) * (_DEEP_WEIGHT if "**/" in line[1:] else 1) if stars else 0
            if (
                len(rules) >= _MAX_RULES
                or len(line) > _MAX_RULE_CHARS
                or stars > _MAX_STARS
                or self._star_chars + cost > _MAX_STAR_CHARS
            ):
                beyond += 1
                continue
            self._star_chars += cost
            rules.append(rule)
        if beyond:
            logger.warning(
                "%s: %d rules are not applied: at most %d rules of %d characters and %d stars are, %d characters of "
                "rules with stars in all",
                source or "patterns", beyond, _MAX_RULES, _MAX_RULE_CHARS, _MAX_STARS, _MAX_STAR_CHARS,
            )  # fmt: skip
        rules.reverse()  # an alternation takes the first that matches
        self._ignores = [ignores for _, ignores in rules]
        self._any = re.compile("|".join(f"({expression})" for expression, _ in rules), re.DOTALL) if rules else None

    def __bool__(self) -> bool:
        return self._any is not None

    @property
    def cheap(self) -> bool:
        """Whether no path can make a match take long enough to be noticed on an event loop."""
        return self._star_chars <= _CHEAP_STAR_CHARS

    def decide(self, path: str) -> bool | None:
        """True: ignored. False: taken back. None: no pattern says anything.

        `path` is relative to where the patterns stand, with `/`; a directory's ends in `/`. Whether a directory above
        it is ignored has been decided there."""
        match = self._any.fullmatch(path) if self._any is not None else None
        if match is None or match.lastindex is None:
            return None
        return self._ignores[match.lastindex - 1]


def _rule(line: str) -> tuple[str, bool] | None:
    """The expression of one line and whether it ignores; None for blank lines, remarks and what cannot match."""
    line = line.removesuffix("\n").removesuffix("\r")
    if line.startswith("#"):
        return None
    while line.endswith(" ") and not line.endswith("\\ "):
        line = line[:-1]
    ignores = not line.startswith("!")
    if not ignores:
        line = line[1:]
    directory = line.endswith("/")
    if directory:
        line = line[:-1]
    if line.startswith("**/") and "/" not in line[3:]:
        line = line[3:]  # says the same
    anchored = "/" in line
    line = line.removeprefix("/")
    if not line:
        return None
    body = _translate(line)
    if body is None:
        return None
    return ("" if anchored else _NAME_ONLY) + body + ("/" if directory else "/?"), ignores


def _translate(pattern: str) -> str | None:
    """git's wildmatch with WM_PATHNAME as an expression; None for an open bracket or a lone backslash at the end."""
    stretches: list[str] = []  # what stands between `**/`, each with its atomic groups
    runs: list[str] = [""]  # what stands between the stars of the present stretch
    at = 0
    while at < len(pattern):
        character = pattern[at]
        if character == "*":
            end = at + len(pattern[at:]) - len(pattern[at:].lstrip("*"))
            alone = (at == 0 or pattern[at - 1] == "/") and end - at >= 2
            if alone and end == len(pattern):
                runs[-1] += ".+"
            elif alone and pattern[end] == "/":
                stretches.append(_between_stars(runs))
                runs = [""]
                end += 1
            else:
                runs.append("")
            at = end
        elif character == "?":
            runs[-1] += "[^/]"
            at += 1
        elif character == "[":
            found = _bracket(pattern, at)
            if found is None:
                return None
            piece, at = found
            runs[-1] += piece
        else:
            if character == "\\":
                at += 1
                if at == len(pattern):
                    return None
            runs[-1] += _STEP if pattern[at] == "/" else re.escape(pattern[at])
            at += 1
    first, *rest = [*stretches, _between_stars(runs)]
    # The last stretch must reach the end of the path, so it is sought at every place; those before at the first.
    return first + "".join(
        f"(?>(?:[^/]*/)*?{one})" if number < len(rest) else f"(?:.*/)?{one}" for number, one in enumerate(rest, 1)
    )


def _between_stars(runs: list[str]) -> str:
    """The expression of what stands between stars: each run at its first place, the last one where it may be."""
    first, *rest = runs
    return first + "".join(
        f"(?>[^/]*?{run})" if number < len(rest) else f"[^/]*{run}" for number, run in enumerate(rest, 1)
    )


def _bracket(pattern: str, at: int) -> tuple[str, int] | None:
    """The bracket expression that begins at `at` and where it ends; None when it does not end."""
    at += 1
    negated = at < len(pattern) and pattern[at] in "!^"
    at += negated
    first = at
    members: list[str] = []
    while at < len(pattern) and (pattern[at] != "]" or at == first):
        if pattern.startswith("[:", at) and (end := pattern.find(":]", at)) >= 0:
            name = pattern[at + 2 : end]
            if name not in _POSIX:
                return None
            members.append(_POSIX[name])
            at = end + 2
            continue
        low, at = _member(pattern, at)
        if low is None:
            return None
        if pattern.startswith("-", at) and at + 1 < len(pattern) and pattern[at + 1] != "]":
            high, at = _member(pattern, at + 1)
            if high is None:
                return None
            if low <= high:
                members.append(f"{re.escape(low)}-{re.escape(high)}")
        else:
            members.append(re.escape(low))
    if at >= len(pattern):
        return None
    inside = "".join(members)
    if negated:
        return f"[^/{inside}]", at + 1
    return (f"(?!/)[{inside}]" if inside else "(?!)"), at + 1


def _member(pattern: str, at: int) -> tuple[str | None, int]:
    """One character of a bracket expression, escaped or not, and where the next one stands."""
    if pattern[at] == "\\":
        at += 1
    return (pattern[at], at + 1) if at < len(pattern) else (None, at)
