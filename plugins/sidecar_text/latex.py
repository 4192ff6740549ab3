"""LaTeX files as their author reads them: the title and author they declare, sections as headings, displayed formulas,
tables, and all between as source, which keeps its line numbers."""

import re
from collections.abc import Iterable, Iterator

from sidecar.api import AnyBlock, Equation, Heading
from sidecar.toolkit.markup.code import code_blocks
from sidecar.toolkit.markup.grid import table_windows
from sidecar_text import latex_tables

_LEVELS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph")
_BRACED = r"\{((?:[^{}\\]|\\.|\{[^{}]{0,300}\}){1,400})\}"
_MAX_AUTHORS = 1000
"""Characters of their names."""
_MAX_TABLE_CHARS = 20_000
"""Characters; what is longer is shown as source."""
_UNIT = re.compile(
    r"\\begin\{(verbatim|lstlisting|minted|comment)\}.{0,5000}?\\end\{\1\}"
    r"|\\begin\{((?:equation|align|gather|multline|eqnarray|displaymath)\*?)\}(.{0,5000}?)\\end\{\2\}"
    rf"|\\({'|'.join(_LEVELS)})\*?[ \t]*(?:\[[^\]\n]{{0,300}}\][ \t]*)?{_BRACED}"
    rf"|\\begin\{{({latex_tables.KINDS})\}}(.{{0,{_MAX_TABLE_CHARS}}}?)\\end\{{\6\}}",
    re.DOTALL,
)
_FACT = re.compile(rf"^[^%\n]*?\\(title|author|keywords)(?:\[[^\]\n]{{0,300}}\])?{_BRACED}", re.MULTILINE)
_LABEL = re.compile(r"\\(?:label|nonumber|tag)(?:\{[^{}]*\})?")
_COMMENT = re.compile(r"(?<!\\)%")
_STYLED = re.compile(r"(?:\\(?:emph|text\w{2}|mbox)\{|\{\\[a-z]+ )([^{}]*)\}")
_THANKS = re.compile(r"\\thanks\{(?:[^{}]|\{[^{}]*\})*\}")
"""A footnote to a title or an author."""
_SPACE = re.compile(r"\\\\|\\and\b|\\[ ,;]|~|\s+")
_DOTS = re.compile(r"\\l?dots\b(?:\{\})?")
_ESCAPED = re.compile(r"\\([&%$#_{}])")


def read_latex(text: str) -> tuple[list[AnyBlock], dict[str, str]]:
    """The blocks of a LaTeX file, and its metadata (`title` among it)."""
    metadata: dict[str, str] = {}
    for fact in _FACT.finditer(text):
        said, known = _plain(_THANKS.sub("", fact[2])), metadata.get(fact[1], "")
        # Classes of societies tell an author a command.
        metadata[fact[1]] = f"{known}, {said}" if known and fact[1] == "author" and len(known) < _MAX_AUTHORS else said
    units = list(_uncommented(text, (one for one in _UNIT.finditer(text) if one[2] or one[4] or one[6])))
    highest = min((_LEVELS.index(one[4]) for one in units if one[4]), default=0)
    blocks: list[AnyBlock] = []
    at, line = 0, 1
    for unit in units:
        table = latex_tables.table(unit[6], unit[7], _plain) if unit[6] else None
        if unit[6] and table is None:
            continue
        blocks += code_blocks(text[at : unit.start()], "latex", first=line)
        line += text.count("\n", at, unit.end())
        at = unit.end()
        if table:
            caption = _plain(latex_tables.caption(text, *unit.span(), unit[7]))
            blocks += table_windows(table.rows, header_rows=table.header_rows, merges=table.merges, caption=caption)
        elif unit[4]:
            blocks.append(Heading(text=_plain(unit[5]), level=_LEVELS.index(unit[4]) - highest + 1))
        elif formula := _LABEL.sub("", unit[3]).strip():
            blocks.append(Equation(text=formula, latex=formula))
    blocks += code_blocks(text[at:], "latex", first=line)
    return blocks, {name: value for name, value in metadata.items() if value}


def _uncommented(text: str, units: Iterable[re.Match[str]]) -> Iterator[re.Match[str]]:
    """Those, of units in their order, before which no comment begins in their line."""
    at, commented = 0, False
    for unit in units:
        line = text.rfind("\n", at, unit.start()) + 1
        if line:
            at, commented = line, False
        commented = commented or _COMMENT.search(text, at, unit.start()) is not None
        at = unit.start()
        if not commented:
            yield unit


def _plain(text: str) -> str:
    return _ESCAPED.sub(r"\1", _SPACE.sub(" ", _DOTS.sub("…", _STYLED.sub(r"\1", text)))).strip()
