"""Front matter: the YAML (`---`) or TOML (`+++`) block at the head of a Markdown file, as flat text values.

YAML is read as the subset front matter is written in: mappings, block and flow lists, quoted and block strings,
comments. Anchors, tags and merges are taken as text; nothing is ever constructed.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field

__all__ = ["FrontMatter", "split_front_matter"]

_YAML = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TOML = re.compile(r"\A\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_PAIR = re.compile(r"([\w.\-/ ]+|\"[^\"]+\"|'[^']+')[ \t]*:(?:[ \t]+(.*))?$")
_QUOTED = re.compile(r"(\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*')\s*(?:#.*)?$")
_KEYS = {
    "authors": "author", "creator": "author", "date": "created", "published": "created", "created_at": "created",
    "lastmod": "modified", "updated": "modified", "last_modified": "modified", "tags": "keywords",
    "categories": "keywords", "category": "keywords", "lang": "language", "summary": "description",
    "abstract": "description", "excerpt": "description", "subtitle": "subject",
}  # fmt: skip


@dataclass(frozen=True)
class FrontMatter:
    """`metadata` holds every key in lower case, common ones under our names; lists are joined by ", "."""

    title: str = ""
    description: str = ""
    metadata: dict[str, str] = field(default_factory=dict[str, str])


def split_front_matter(text: str) -> tuple[FrontMatter, str]:
    """The front matter and the text after it. A block that is none (a rule, a broken table) stays in the text."""
    values: dict[str, str] = {}
    if text.startswith("---"):
        found = _YAML.match(text)
        if found:
            values = _yaml(found[1])
            if not values and found[1].strip(" \t\n#"):
                return FrontMatter(), text  # two rules around a paragraph
    elif text.startswith("+++"):
        found = _TOML.match(text)
        if found:
            try:
                values = {key: _flat(value) for key, value in tomllib.loads(found[1]).items()}
            except tomllib.TOMLDecodeError:
                return FrontMatter(), text
    else:
        found = None
    if found is None:
        return FrontMatter(), text
    metadata: dict[str, str] = {}
    for key, value in values.items():
        name = key.strip().lower()
        name = _KEYS.get(name, name)
        if value:
            joined = f"{metadata[name]}, {value}" if name == "keywords" and name in metadata else value
            metadata[name] = joined[:2000]
    title = metadata.pop("title", "")
    description = metadata.pop("description", "")
    return FrontMatter(title, description, metadata), text[found.end() :]


def _flat(value: object) -> str:
    if isinstance(value, dict):
        pairs = {str(key): _flat(inner) for key, inner in value.items()}  # pyright: ignore[reportUnknownVariableType]
        return pairs.get("name") or ", ".join(f"{key}: {inner}" for key, inner in pairs.items())
    if isinstance(value, list):
        return ", ".join(filter(None, (_flat(inner) for inner in value)))  # pyright: ignore[reportUnknownVariableType]
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _yaml(text: str) -> dict[str, str]:
    lines = text.split("\n")
    values: dict[str, str] = {}
    at = 0
    while at < len(lines):
        line = lines[at].rstrip()
        at += 1
        if not line or line.lstrip().startswith("#") or line[0] in " \t-":
            continue
        pair = _PAIR.match(line)
        if pair is None:
            continue
        below: list[str] = []
        while at < len(lines) and (not lines[at].strip() or lines[at][0] in " \t" or lines[at].startswith("- ")):
            below.append(lines[at].rstrip())
            at += 1
        key = pair[1].strip().strip("\"'")
        values[key] = _yaml_value((pair[2] or "").strip(), below)
    return values


def _yaml_value(first: str, below: list[str]) -> str:
    body = [line.strip() for line in below]
    if re.fullmatch(r"[|>][+-]?\d?", first):
        return ("\n" if first[0] == "|" else " ").join(body).strip()
    first = _uncommented(first)
    if first.startswith(("[", "{")):
        return _flow(" ".join([first, *map(_uncommented, body)]))
    if not first:
        return ", ".join(filter(None, map(_item, _items(map(_uncommented, body)))))
    return _scalar(" ".join([first, *body]).strip())


def _items(lines: Iterable[str]) -> list[list[str]]:
    """The lines below a key, grouped into the items they make up."""
    items: list[list[str]] = []
    for line in filter(None, lines):
        if line.startswith("-"):
            items.append([line[1:].strip()])
        elif items:
            items[-1].append(line)
        else:
            items.append([line])
    return items


def _item(lines: list[str]) -> str:
    """One item: of a mapping its name, where it has one."""
    for line in lines:
        pair = _PAIR.match(line)
        if pair and pair[1].strip().lower() == "name" and pair[2]:
            return _scalar(pair[2])
    return ", ".join(_flow(line) if line.startswith("[") else _scalar(line) for line in lines if line)


def _uncommented(value: str) -> str:
    quoted = _QUOTED.match(value)
    if quoted:
        return quoted[1]
    return re.split(r"(?:^|\s)#", value, maxsplit=1)[0].rstrip()


def _scalar(value: str) -> str:
    value = value.strip()
    if len(value) >= 2 and value[0] == value[-1] == "'":
        return value[1:-1].replace("''", "'")
    if len(value) >= 2 and value[0] == value[-1] == '"':
        try:
            text = json.loads(value)
        except ValueError:
            return value[1:-1]
        return text if isinstance(text, str) else value
    return "" if value in ("~", "null") else value


def _flow(value: str) -> str:
    inner = value.strip()[1:].rstrip().removesuffix("]").removesuffix("}")
    pieces = re.findall(r"\s*(\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'|[^,\[\]{}]+)", inner)
    return ", ".join(filter(None, (_scalar(piece) for piece in pieces)))
