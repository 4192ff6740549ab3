"""Light markups of which headings, listings and tables are read: Textile, Typst and MediaWiki's, which other wikis
share. What stands between is read as prose, the marks of its letters and links as they are written."""

import re
from typing import Final, NamedTuple

from sidecar.api import AnyBlock, Heading
from sidecar.toolkit.markup.code import code_blocks
from sidecar_text.light.tables import LightTables
from sidecar_text.prose import prose_blocks


class _Markup(NamedTuple):
    """How a markup writes headings (a group `level` of as many signs, or a digit, and a group `text`), where listings
    begin and end, and what marks letters and links: of the latter a group `shown` is what a reader sees."""

    heading: re.Pattern[str]
    opening: re.Pattern[str]
    closing: re.Pattern[str]
    comment: re.Pattern[str]
    marks: re.Pattern[str]


_NEVER: Final = re.compile(r"(?!)")
_MARKUPS: Final = {
    "textile": _Markup(
        re.compile(r"h(?P<level>[1-6])(?:[({\[][^)}\]\n]*[)}\]]|[<>=])*\.[ \t]+(?P<text>\S.*)$"),
        re.compile(r"(?:<pre\b[^>]*>|bc\.\.?[ \t]+)(?P<first>.*)$"), re.compile(r"(?P<last>.*)</pre>|^[ \t]*$"),
        re.compile(r"###\.[ \t]"), re.compile(r"\"(?P<shown>[^\"\n]+)\":\S+"),
    ),
    "typst": _Markup(
        re.compile(r"[ \t]*(?P<level>={1,6})[ \t]+(?P<text>\S.*?)(?:[ \t]*<[\w:.-]+>)?[ \t]*$"),
        re.compile(r"[ \t]*```(?P<language>\w*)(?P<first>)[ \t]*$"), re.compile(r"(?P<last>)[ \t]*```[ \t]*$"),
        re.compile(r"[ \t]*//"), re.compile(r"(?<![\w*_])([*_])(?P<shown>[^*_\n]+)\1(?![\w*_])"),
    ),
    "mediawiki": _Markup(
        re.compile(r"(?P<level>={1,6})[ \t]*(?P<text>[^=\s].*?)(?<![ \t])[ \t]*(?P=level)[ \t]*$"),
        re.compile(
            r"<(?:syntaxhighlight|source|pre|code)\b(?:[^>]*?\blang=[\"']?(?P<language>\w+))?[^>]*>(?P<first>.*)$"
        ),
        re.compile(r"(?P<last>.*)</(?:syntaxhighlight|source|pre|code)>"), _NEVER,
        re.compile(r"'{2,5}|\[\[(?:[^|\[\]\n]*\|)?(?P<shown>[^|\[\]\n]*)\]\]"),
    ),
}  # fmt: skip
_MAX_LINE_CHARS: Final = 1_000
"""Characters of a line that may be a heading or begin a listing."""
LIGHT: Final = frozenset(_MARKUPS)
"""The languages that are read here."""


def read_light(text: str, language: str) -> list[AnyBlock]:
    """The blocks of a text in one of the `LIGHT` languages."""
    markup = _MARKUPS[language]

    def shown(text: str) -> str:
        return markup.marks.sub(lambda mark: mark.groupdict()["shown"] or "", text)

    tables = LightTables(language, shown)
    lines = text.split("\n")
    blocks: list[AnyBlock] = []
    prose: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if len(line) > _MAX_LINE_CHARS:
            prose.append(line)
            continue
        heading, opening = markup.heading.match(line), markup.opening.match(line)
        if heading is None and opening is None:
            if found := tables.at(lines, at - 1):
                blocks += prose_blocks("\n".join(prose))
                prose.clear()
                blocks += found[0]
                at = found[1]
            elif not markup.comment.match(line):
                prose.append(line)
            continue
        blocks += prose_blocks("\n".join(prose))
        prose.clear()
        if heading is not None:
            level = heading["level"]
            blocks.append(Heading(text=shown(heading["text"]), level=int(level) if level.isdigit() else len(level)))
        elif opening is not None:
            at = _listing(lines, at, opening, markup, blocks)
    return blocks + prose_blocks("\n".join(prose))


def _listing(lines: list[str], at: int, opening: re.Match[str], markup: _Markup, blocks: list[AnyBlock]) -> int:
    """Add the listing that begins in the line before `at`; the line behind it."""
    groups = opening.groupdict()
    body = [groups["first"]] if groups["first"] else []
    if body and (ended := markup.closing.match(body[0])):
        body = [ended.groupdict().get("last") or ""]
    else:
        while at < len(lines):
            ended = markup.closing.match(lines[at])
            at += 1
            if ended:
                body.append(ended.groupdict().get("last") or "")
                break
            body.append(lines[at - 1])
    code = "\n".join(body).strip("\n")
    blocks += code_blocks(code, groups.get("language") or "") if code.strip() else []
    return at
