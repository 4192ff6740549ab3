"""Patterns as gitignore(5) and git's wildmatch define them, all of one file compiled into one expression.

pathspec would do for a list of paths, but its expressions also match whatever lies below a named directory, so that
`*`, `!*/`, `!*.txt` decided for one name at a time come out otherwise than in git; and they are tried one by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_POSIX: Final = {
    "alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "blank": r" \t", "cntrl": r"\x00-\x1f\x7f", "digit": "0-9",
    "graph": r"\x21-\x7e", "lower": "a-z", "print": r"\x20-\x7e", "punct": r"!-/:-@\[-`{-~", "space": r"\s",
    "upper": "A-Z", "xdigit": "0-9a-fA-F",
}  # fmt: skip


class Patterns:
    """One set of patterns, the last of which that matches decides."""

    def __init__(self, lines: Iterable[str]) -> None:
        """`lines` as in the file; what git could never match is left out."""
        rules = [rule for rule in map(_rule, lines) if rule is not None]
        rules.reverse()  # an alternation takes the first that matches
        self._ignores = [ignores for _, ignores in rules]
        self._any = re.compile("|".join(f"({expression})" for expression, _ in rules), re.DOTALL) if rules else None

    def __bool__(self) -> bool:
        return self._any is not None

    def decide(self, path: str) -> bool | None:
        """True: ignored. False: taken back. None: no pattern says anything.

        `path` is relative to where the patterns stand, with `/`; a directory's ends in `/`. Whether a directory above
        it is ignored has been decided there.
        """
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
    anchored = "/" in line
    line = line.removeprefix("/")
    if not line:
        return None
    body = _translate(line)
    if body is None:
        return None
    return ("" if anchored else "(?:.*/)?") + body + ("/" if directory else "/?"), ignores


def _translate(pattern: str) -> str | None:
    """git's wildmatch with WM_PATHNAME as an expression; None for an open bracket or a lone backslash at the end."""
    pieces: list[str] = []
    at = 0
    while at < len(pattern):
        character = pattern[at]
        if character == "*":
            end = at
            while end < len(pattern) and pattern[end] == "*":
                end += 1
            alone = (at == 0 or pattern[at - 1] == "/") and end - at >= 2
            if alone and end == len(pattern):
                pieces.append(".+")
            elif alone and pattern[end] == "/":
                pieces.append("(?:.*/)?")
                end += 1
            else:
                pieces.append("[^/]*")
            at = end
        elif character == "?":
            pieces.append("[^/]")
            at += 1
        elif character == "[":
            found = _bracket(pattern, at)
            if found is None:
                return None
            piece, at = found
            pieces.append(piece)
        else:
            if character == "\\":
                at += 1
                if at == len(pattern):
                    return None
            pieces.append(re.escape(pattern[at]))
            at += 1
    return "".join(pieces)


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
