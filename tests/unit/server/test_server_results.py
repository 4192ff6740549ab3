"""How results are put: cursors, client rules, the budget guard, tight schemas."""

from __future__ import annotations

import re
from typing import Annotated, Any

import mcp_types as types
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from sidecar.api import Client, Embedded, Image, Link, ResourceContent, Result, Text
from sidecar.server.client_rules import RULES, Rules, fitted, paid, rules_for
from sidecar.server.contents import cost_of, tool_result
from sidecar.server.resources import ListCursor, decode_cursor, encode_cursor
from sidecar.server.tools import input_schema
from sidecar.toolkit.answers.tokens import estimate_tokens

PNG = Image(b"\x89PNG", "image/png", "image://a/0")


@given(st.integers(0, 50), st.text(max_size=60))
def test_a_cursor_reads_back_and_is_opaque(stage: int, after: str) -> None:
    text = encode_cursor(ListCursor(stage, after))
    assert decode_cursor(text) == ListCursor(stage, after)
    assert text.isascii()
    assert not set(text) & set("+/= ")


@given(st.text(max_size=80))
def test_nothing_else_is_a_cursor(text: str) -> None:
    try:
        found = decode_cursor(text)
    except ValueError:
        return
    assert encode_cursor(found) == text.rstrip("=")


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("claude-code", RULES["claude-code"]),
        ("Visual Studio Code - Insiders", RULES["visual studio code"]),
        ("cursor-vscode", RULES["cursor"]),
        ("Roo Code", RULES["roo"]),
        ("Kiro", RULES["kiro"]),
        ("codex-mcp-client", RULES["codex"]),
        ("gemini-cli-mcp-client-docs", RULES["gemini-cli-mcp-client"]),
        ("@librechat/api-client", RULES["@librechat/api-client"]),
        ("github-copilot-developer", RULES["github-copilot-developer"]),
        ("goose-desktop", RULES["goose"]),
        ("something new", Rules()),
        ("", Rules()),
    ],
)
def test_clients_are_known_by_the_name_they_give(name: str, rules: Rules) -> None:
    assert rules_for(Client(name)) == rules


def test_every_rule_says_where_it_comes_from() -> None:
    thread, file = re.compile(r"[\w.-]+/[\w.-]+#\d+"), re.compile(r"[\w.-]+/[\w.-]+ \S+\.(md|ts|rs)\b")
    for name, rules in RULES.items():
        assert any(thread.fullmatch(source) or file.match(source) for source in rules.sources), name
        assert any(source.startswith(("name: ", "names: ")) for source in rules.sources), name


@pytest.mark.parametrize(
    ("client", "schema", "texts", "structured", "pays"),
    [
        ("goose", False, ["t"], True, "text"),
        ("goose", True, ["t"], True, "text"),
        ("codex-mcp-client", False, ["t"], False, "text"),
        ("codex-mcp-client", True, ["t"], True, "structured"),
        ("claude-code", False, ["t"], False, "text"),
        ("github-copilot-developer", False, ["t"], False, "text"),
        ("github-copilot-developer", True, ["The answer is in the structured content."], True, "structured"),
        ("something new", True, ["t"], True, "both"),
    ],
)
def test_no_client_pays_twice(client: str, schema: bool, texts: list[str], structured: bool, pays: str) -> None:
    rules = rules_for(Client(client))
    assert paid(rules, schema=schema) == pays
    result = Result((Text("t"),), {"a": 1})
    answer = tool_result(fitted(result, rules, schema=schema), rules, 8000, paid(rules, schema=schema))
    assert [block.text for block in answer.content if isinstance(block, types.TextContent)] == texts
    assert answer.structured_content == ({"a": 1} if structured else None)


def test_structured_content_does_not_keep_pictures_nor_contents_bytes_from_a_model() -> None:
    shown, raw = Result((Text("t"), PNG), {"a": 1}), Result((Text("t"),), {"blob": "AA=="}, whole=False)
    codex = rules_for(Client("codex-mcp-client"))
    assert tool_result(fitted(shown, codex, schema=False), codex, 8000).structured_content is None
    assert tool_result(fitted(raw, codex, schema=False), codex, 8000).structured_content == {"blob": "AA=="}
    assert tool_result(fitted(shown, Rules(), schema=False), Rules(), 8000).structured_content == {"a": 1}
    assert rules_for(Client("codex"), {"codex": {"gives": "text", "sources": "x"}}).sources == codex.sources


def test_the_configuration_overrides_the_table() -> None:
    overrides: dict[str, dict[str, Any]] = {
        "kiro": {"links": True},
        "*": {"pictures": "text"},
        "zed": {"embedded": True},
    }
    assert rules_for(Client("Kiro"), overrides) == Rules(pictures="text", links=True)
    assert rules_for(Client("other"), overrides) == Rules(pictures="text")
    assert rules_for(Client("other"), {"*": {"pictures": "png", "links": 1, "picture": "text"}}) == Rules()


def test_contents_become_what_the_client_takes() -> None:
    note = Embedded(ResourceContent("chapter://a/1", "text/markdown", text="hello"))
    link = Link("document://a", "a.md", "text/markdown", title="A")
    result = Result((Text("t"), PNG, note, link))

    def kinds(rules: Rules) -> list[str]:
        return [block.type for block in tool_result(result, rules, 8000).content]

    assert kinds(Rules()) == ["text", "image", "resource", "resource_link"]
    assert kinds(Rules(embedded=False, links=False)) == ["text", "image", "text", "text"]
    assert kinds(Rules(pictures="embedded")) == ["text", "resource", "resource", "resource_link"]
    assert kinds(Rules(pictures="text")) == ["text", "text", "resource", "resource_link"]
    as_text = tool_result(result, Rules(embedded=False, links=False), 8000).content
    assert isinstance(as_text[2], types.TextContent)
    assert as_text[2].text == "chapter://a/1\nhello"
    assert isinstance(as_text[3], types.TextContent)
    assert "document://a" in as_text[3].text


def test_binaries_that_are_no_pictures_are_never_images() -> None:
    svg = tool_result(Result((Image(b"<svg/>", "image/svg+xml", "chart://a/0.svg"),)), Rules(), 8000).content[0]
    assert isinstance(svg, types.TextContent)
    assert "chart://a/0.svg" in svg.text


def test_structured_answers_are_shown_as_json() -> None:
    answer = tool_result(Result(structured={"a": "é"}), Rules(), 8000)
    assert answer.structured_content == {"a": "é"}
    assert isinstance(answer.content[0], types.TextContent)
    assert answer.content[0].text == '{"a":"é"}'


@given(st.integers(500, 4000), st.integers(0, 60_000))
def test_text_over_the_budget_is_cut_and_says_so(budget: int, size: int) -> None:
    text = "word " * (size // 5)
    answer = tool_result(Result((Text(text),), {"n": 1}), Rules(), budget)
    shown = answer.content[0]
    assert isinstance(shown, types.TextContent)
    assert estimate_tokens(shown.text) <= budget * 1.15
    assert (shown.text == text) or "Cut to fit the budget" in shown.text
    assert not answer.is_error


def test_data_over_the_budget_is_refused_rather_than_cut() -> None:
    answer = tool_result(Result(structured={"rows": ["x" * 40] * 5000}), Rules(), 2000)
    assert answer.is_error
    assert answer.structured_content is None
    assert isinstance(answer.content[0], types.TextContent)
    assert answer.content[0].text.startswith("Error: ")


def test_pictures_cost_what_they_cost_to_see() -> None:
    assert cost_of([PNG], None) == cost_of([Image(b"x" * 10**6, "image/png", PNG.uri)], None) < 2000
    blob = Embedded(ResourceContent("embed://a/0", "application/zip", data=b"x" * 3000))
    assert 2000 <= cost_of([blob], None) < 2100


class Sample(BaseModel):
    title: Annotated[str, Field(min_length=1, description="a name")]
    default: int | None = None
    kind: Annotated[int, Field(ge=1, le=50)] = 10


def test_schemas_carry_no_ballast_but_every_argument() -> None:
    assert input_schema(Sample) == {
        "type": "object",
        "properties": {
            "title": {"type": "string", "minLength": 1, "description": "a name"},
            "default": {"type": "integer"},
            "kind": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
        },
        "required": ["title"],
    }
