"""A Markdown document taken apart before anything is rendered: which quill it names, its fields, its body.

Three ways to say so are read: a `~~~` root block with `$quill:` (quillmark 0.113), the older `---` front matter with
`QUILL:`, and plain front matter, which belongs to the default quill. For a user's quill the older forms are
translated line by line, so that the line numbers of diagnostics stay those of the document."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

import yaml

from sidecar.toolkit.markup.markdown.syntax import YAML_BLOCK
from sidecar_render.model import DEFAULT_QUILL, Diagnostic

_ROOT = re.compile(r"\A(~{3,})[^\n]*\n(.*?)^\1~*[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_KEY = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*[\w.$-]+(?:[ \t][\w.-]+)?[ \t]*:|\{")
_NEW_NAME = re.compile(r"^\$quill[ \t]*:[ \t]*([^\n#]*)", re.MULTILINE)
_OLD_NAME = re.compile(r"^QUILL[ \t]*:[ \t]*([^\n#]*)", re.MULTILINE)
_OLD_CARD = re.compile(r"^(?:CARD|SCOPE)[ \t]*:[ \t]*([^\n#]*)", re.MULTILINE)
_OLD_CARD_BLOCK = re.compile(r"^---[ \t]*\n((?:CARD|SCOPE)[ \t]*:.*?)^---[ \t]*(?=\n|\Z)", re.DOTALL | re.MULTILINE)
_TILDE_FENCE = re.compile(r"^(~{3,})([^\n]*)\n(.*?)(?:^\1~*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


class FrontMatterError(Exception):
    """The front matter is not YAML; carries the diagnostic."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


@dataclass(frozen=True)
class MarkdownSource:
    """`head` is the YAML at the start ("" when there is none), `body` the rest, which begins after `offset` lines.

    `quill` is the name as written, with its version selector. `form` tells how the head was fenced."""

    head: str
    body: str
    offset: int
    quill: str = ""
    form: str = "plain"
    fields: Mapping[str, object] = field(default_factory=dict[str, object])


def _head_of(text: str) -> tuple[re.Match[str] | None, str, str]:
    """What stands above the body, the fields in it, and the form: "new", "old" or "front"; None for plain Markdown."""
    found = _ROOT.match(text)
    if found is not None and _NEW_NAME.search(found[2]):  # else a code block at the head of plain Markdown
        return found, found[2], "new"
    found = YAML_BLOCK.match(text)
    if found is None or (not _KEY.match(found[1]) and found[1].strip()):  # two rules around a paragraph
        return None, "", "front"
    return found, found[1], "old" if _OLD_NAME.search(found[1]) else "front"


def open_document(text: str, quill: str = "") -> MarkdownSource:
    """Take the document apart; `quill`, when given, stands above the one the document names.

    Raises:
        FrontMatterError: only where the default quill needs the fields; a user's quill reads its own."""
    text = _clean(text)
    found, head, form = _head_of(text)
    if found is None:
        return MarkdownSource("", text, 0, quill or DEFAULT_QUILL)
    named = (_NEW_NAME if form == "new" else _OLD_NAME).search(head) if form != "front" else None
    own = named[1].strip().strip("\"'") if named else ""
    name = quill or own or DEFAULT_QUILL
    body, offset = text[found.end() :], text.count("\n", 0, found.end())
    if name.partition("@")[0] != DEFAULT_QUILL:
        return MarkdownSource(head, body, offset, name, form)
    try:
        # BaseLoader makes text of every scalar, so that a date or a version number stays as it was written.
        values = yaml.load(head, Loader=yaml.BaseLoader)  # noqa: S506 - it constructs nothing but str, list, dict
    except yaml.YAMLError as error:
        raise FrontMatterError(_yaml_fault(error)) from error
    except RecursionError as error:
        raise FrontMatterError(Diagnostic("the front matter is nested too deeply", line=1)) from error
    if not isinstance(values, dict):
        if head.strip() and form == "front":
            return MarkdownSource("", text, 0, name)  # two rules around a paragraph
        values = {}
    fields = {
        str(key): value
        for key, value in cast(dict[object, object], values).items()
        if str(key) not in ("QUILL", "$quill", "$kind", "$ext", "$seed")
    }
    return MarkdownSource(head, body, offset, name, form, fields)


def translated(document: MarkdownSource) -> tuple[str, int]:
    """The document as quillmark 0.113 wants it, and how many lines longer its head became."""
    reference = document.quill
    if document.form == "new":
        head = _NEW_NAME.sub(lambda _: f"$quill: {reference}", document.head, count=1)
        return f"~~~\n{head}~~~\n{document.body}", 0
    body = _OLD_CARD_BLOCK.sub(_card, _TILDE_FENCE.sub(_backticks, document.body))
    if document.form == "old":
        head = _OLD_NAME.sub(lambda _: f"$quill: {reference}", document.head, count=1)
        return f"~~~\n{head}~~~\n{body}", 0
    if document.form == "front":
        return f"~~~\n$quill: {reference}\n{document.head}~~~\n{body}", 1
    return f"~~~\n$quill: {reference}\n~~~\n\n{body}", 4


def _card(found: re.Match[str]) -> str:
    return "~~~\n" + _OLD_CARD.sub(lambda kind: f"$kind: {kind[1].strip()}", found[1], count=1) + "~~~"


def _backticks(found: re.Match[str]) -> str:
    """A tilde fence was code in the older form and opens a card now."""
    runs = re.findall(r"`+", found[3])
    fence = "`" * max(3, *(len(run) + 1 for run in runs)) if runs else "```"
    return f"{fence}{found[2]}\n{found[3]}{fence}"


def _clean(text: str) -> str:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub("�", text)


def _yaml_fault(error: yaml.YAMLError) -> Diagnostic:
    mark = getattr(error, "problem_mark", None)
    message = str(getattr(error, "problem", None) or "it is not YAML")
    line = mark.line + 2 if mark is not None else None  # marks count from 0, and the fence takes a line
    hint = "put text that holds a colon, a bracket or a quote in quotes"
    return Diagnostic(f"the front matter cannot be read: {message}", line=line, hint=hint, code="front_matter")
