"""Reads one Markdown file: blocks, chapters, and YAML (`---`) or TOML (`+++`) front matter as flat text values.

YAML is PyYAML's, every scalar as the text it is; aliases and tags are refused, so nothing is constructed or multiplied.
What is not YAML (templates, unquoted colons) is read line by line as `key: value`."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

import yaml

from sidecar.api import Limits, ParsedDocument, Payload, Source
from sidecar.toolkit.markup.chapters import elements_of, place_embeds, split_chapters
from sidecar.toolkit.markup.markdown import markdown_parser, read_markdown
from sidecar.toolkit.markup.markdown.syntax import YAML_BLOCK
from sidecar.toolkit.markup.pictures import Pictures, open_data_url
from sidecar.toolkit.text import read_text
from sidecar.toolkit.visible import comment_notes, comments_notice, hidden_notice, source_comments

_TOML = re.compile(r"\A\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_PAIR = re.compile(
    r"^[ \t]*+([\w.\-/](?:[\w.\-/ ]{0,98}[\w.\-/])?|\"[^\"\n]+\"|'[^'\n]+')[ \t]*+:(?:[ \t]+(.*))?$", re.MULTILINE
)
_MODULE = re.compile(
    r"import[ \t]+(?:[{*\"']|[\w$]+[ \t]*(?:,|[ \t]from\b))"
    r"|export[ \t]+(?:default|const|let|var|function|async|class|[{*])"
)
_FENCE = re.compile(r"[ \t]*(```+|~~~+)")
_MAX_CHARS = 50_000
"""Of a block of YAML; PyYAML reads it in half a second, and front matter is a tenth of it."""
_MAX_VALUE_CHARS = 2000
_KEYS = {
    "authors": "author", "creator": "author", "date": "created", "published": "created", "created_at": "created",
    "lastmod": "modified", "updated": "modified", "last_modified": "modified", "tags": "keywords",
    "categories": "keywords", "category": "keywords", "lang": "language", "summary": "description",
    "abstract": "description", "excerpt": "description", "subtitle": "subject",
}  # fmt: skip


@dataclass(frozen=True)
class _FrontMatter:
    """`metadata` holds every key in lower case, common ones under our names; lists are joined by ", "."""

    title: str = ""
    description: str = ""
    metadata: dict[str, str] = field(default_factory=dict[str, str])


def _split_front_matter(text: str) -> tuple[_FrontMatter, str]:
    """The front matter and the text after it. A block that is none (a rule, a broken table) stays in the text."""
    found, values = None, {}
    if text.startswith("---"):
        found = YAML_BLOCK.match(text)
        values = _yaml(found[1]) if found else {}
        if found and not values and found[1].strip(" \t\n#"):
            found = None  # two rules around a paragraph
    elif text.startswith("+++"):
        found = _TOML.match(text)
        try:
            values = tomllib.loads(found[1]) if found else {}
        except (ValueError, RecursionError):  # a number may have too many digits, besides what TOML says
            found = None
    if found is None:
        return _FrontMatter(), text
    metadata: dict[str, str] = {}
    for key, value in values.items():
        name = str(key).strip().lower()
        name = _KEYS.get(name, name)
        shown = _flat(value).strip()
        if shown:
            joined = f"{metadata[name]}, {shown}" if name == "keywords" and name in metadata else shown
            metadata[name] = joined[:_MAX_VALUE_CHARS]
    title = metadata.pop("title", "")
    description = metadata.pop("description", "")
    return _FrontMatter(title, description, metadata), text[found.end() :]


def _modules_fenced(text: str) -> str:
    """MDX with its statements of modules, each a block up to a gap that begins with `import` or `export`
    (mdxjs.com/docs/what-is-mdx), as listings."""
    made: list[str] = []
    fence, before, inside = "", "", False
    for line in text.split("\n"):
        if inside and not line.strip():
            made.append("```")
            inside = False
        elif not (inside or fence or before.strip()) and _MODULE.match(line):
            made.append("```js")
            inside = True
        elif not inside and (mark := _FENCE.match(line)):
            fence = "" if fence and line.strip().startswith(fence) else fence or mark[1]
        made.append(line)
        before = line
    return "\n".join([*made, "```"] if inside else made)


class _TextLoader(yaml.BaseLoader):
    """Scalars as the text they are. An alias is an error: ten lines of them can stand for gigabytes."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("alias")
        return super().compose_node(parent, index)


def _yaml(text: str) -> Mapping[object, object]:
    """The mapping; empty when the text is none."""
    if len(text) <= _MAX_CHARS:
        try:
            values: object = yaml.load(text, _TextLoader)  # noqa: S506 (a BaseLoader: constructs text only)
        except (yaml.YAMLError, RecursionError):
            pass
        else:
            return cast("dict[object, object]", values) if isinstance(values, dict) else {}
    pairs: dict[object, object] = {}
    for pair in _PAIR.finditer(text):
        pairs.setdefault(pair[1].strip("\"' "), (pair[2] or "").strip("\"' "))
    return pairs


def _flat(value: object) -> str:
    if isinstance(value, dict):
        pairs = {str(key): _flat(inner) for key, inner in cast("dict[object, object]", value).items()}
        return pairs.get("name") or ", ".join(f"{key}: {inner}" for key, inner in pairs.items())
    if isinstance(value, list):
        return ", ".join(filter(None, map(_flat, cast("list[object]", value))))
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None or value in ("~", "null") else str(value)


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The file as a document of chapters. Raises FormatError."""
    return _parse(source, limits, "")[0]


def open_embedded(source: Source, ref: str, limits: Limits) -> Payload:
    """The picture whose `data:` URL is the n-th distinct one (`data:n`). Raises NotFoundError."""
    return open_data_url(_parse(source, limits, ref)[1] if ref.startswith("data:") else "", source.name, ref)


def _parse(source: Source, limits: Limits, wanted: str) -> tuple[ParsedDocument, str]:
    decoded, notices = read_text(source, limits)
    front, body = _split_front_matter(decoded.text)
    if source.suffix == ".mdx":
        body = _modules_fenced(body)
    pictures = Pictures(limits.max_embedded, wanted=wanted)
    blocks = read_markdown(markdown_parser(), body, pictures)
    comments = source_comments(body, markdown=True)
    chapters = split_chapters([*blocks, *comment_notes(comments)], front.title, limits.max_parts)
    document = ParsedDocument(
        title=chapters.title, description=front.description, metadata=front.metadata, parts=chapters.parts,
        elements=elements_of(chapters.parts), embedded=place_embeds(chapters.parts, pictures.embedded),
        notices=(*notices, *hidden_notice(blocks), *comments_notice(comments), *pictures.notices()),
    )  # fmt: skip
    return document, pictures.found_url
