"""Code blocks as nodes for the plate: the language to colour, the size of the type, and where over-long lines go on."""

import re
from typing import Any

from sidecar_render.markdown.text import width

_SIZE, _SMALLEST = 8.6, 7.6
_ADVANCE = 0.6
"""Width of a character of the code face, in its size."""
_INSET = 19.0
_BREAK = 0xE000
"""A private-use character at a place where a line goes on; the next ones say by how many characters it is indented."""
_MAX_INDENT = 24
_MAX_MARKS = 200
"""The engine replaces only this many in one block (500 were too many); beyond, the lines are parted for good."""
_PRIVATE = re.compile(f"[{chr(_BREAK)}-{chr(_BREAK + _MAX_INDENT)}]")
_AFTER = frozenset("/\\_.,;:=&?|)}]+")
_SHORT = 14
_LANGUAGES = {
    **dict.fromkeys(["testcode", "testsetup", "testcleanup", "doctest", "pycon", "ipython", "ipython3", "py3",
                     "python3"], "python"),
    **dict.fromkeys(["console", "shell-session", "shellsession", "sh-session", "zsh"], "bash"),
    **dict.fromkeys(["jsonc", "json5"], "json"),
    **dict.fromkeys(["text", "txt", "plain", "plaintext", "none", "testoutput", "output"], ""),
}  # fmt: skip
"""Names that manuals use and the engine's highlighter does not know."""


def language_name(name: str) -> str:
    """The highlighter's name of a language, "" for none."""
    language = re.split(r"[{,:]", name, maxsplit=1)[0].lower()
    return _LANGUAGES.get(language, language)


def listing(text: str, language: str, room: float) -> list[dict[str, Any]]:
    """The node of a code block in `room` points, none when it is empty. Lines a little too long make the type smaller;
    others go on in an indented line, which is marked for the plate and adds nothing to what is copied."""
    lines = _PRIVATE.sub("", text).expandtabs(4).strip("\n").split("\n")
    if not any(map(str.strip, lines)):
        return []
    space = max(room - _INSET, 60.0)
    columns = int(space / (_SIZE * _ADVANCE))
    longest = max(map(width, lines))
    size, wrapped = _SIZE, False
    if columns < longest <= int(space / (_SMALLEST * _ADVANCE)):
        size = max(int(space / (longest * _ADVANCE) * 20) / 20, _SMALLEST)
    elif longest > columns:
        lines, wrapped = [_folded(line, columns) for line in lines], True
    folded = "\n".join(lines)
    if wrapped and len(_PRIVATE.findall(folded)) > _MAX_MARKS:
        folded = _PRIVATE.sub(lambda mark: "\n" + " " * (ord(mark[0]) - _BREAK), folded)
        language, wrapped = "", False
    return [{"k": "pre", "t": folded, "lang": language, "size": size, "wrapped": wrapped, "keep": len(lines) <= _SHORT}]


def _folded(line: str, columns: int) -> str:
    """The line with marks where it goes on: behind a blank, else behind punctuation, else where it is full."""
    if width(line) <= columns:
        return line
    indent = min(len(line) - len(line.lstrip()) + 2, _MAX_INDENT, columns // 2)
    mark = chr(_BREAK + indent)
    pieces: list[str] = []
    space = columns
    while width(line) > space:
        fits = space if line.isascii() else _fitting(line, space)
        at = line.rfind(" ", fits // 2, fits + 1) + 1
        if not at or not line[:at].strip():
            at = next((at for at in range(fits, fits // 2, -1) if line[at - 1] in _AFTER), fits)
        pieces.append(line[:at])
        line = line[at:]
        space = columns - indent
    return mark.join([*pieces, line])


def _fitting(line: str, space: int) -> int:
    """How many characters of a line fit, where East Asian ones count twice; one at least."""
    used = 0
    for at, character in enumerate(line):
        used += width(character)
        if used > space:
            return max(at, 1)
    return len(line)
