"""Queries no one should type, and scripts many people write, asked through the real tool over MCP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mcp.client.client import Client

from sidecar.app import open_application
from sidecar.config import Config, Folder
from sidecar.server.handlers import Readiness, build_server
from sidecar.server.notifications import Notifier

TEXTS = {
    "en": "The quick brown fox, to be or not to be. C++ and AT&T",
    "thai": "ฉันอาศัยอยู่ในกรุงเทพมหานคร และชอบกินน้ำผึ้ง",
    "khmer": "ខ្ញុំរស់នៅភ្នំពេញ",
    "lao": "ຂ້ອຍຢູ່ວຽງຈັນ",
    "burmese": "ကျွန်တော်ရန်ကုန်မှာနေတယ်",
    "arabic": "هذا تقرير عن الطقس في القاهرة",
    "hebrew": "שלום עולם",
    "hindi": "यह किताब हिन्दी में है",
    "japanese": "東京都の天気",
    "chinese": "我住在北京市海淀区",
    "greek": "Η Αθήνα είναι πρωτεύουσα",
    "turkish": "İstanbul güzel bir şehir",
    "numbered": "Grüße ☐ zu Rechnung INV-2024-0317 nach § 8.3.",
    "emoji": "Release notes 🎉 party 🚀 launch",
}
LONG = "Only the first 4,000 characters of the query were used."
NOTHING = "The query holds no word to search for"


async def ask(folder: Path, calls: list[dict[str, Any]]) -> list[Any]:
    """The tool's answers: structured content, or the text of an error."""

    async def main() -> list[Any]:
        files = folder / "files"
        files.mkdir()
        for name, text in TEXTS.items():
            (files / f"{name}.txt").write_text(text, "utf-8")
        config = Config(folders=(Folder(files),), data_dir=folder / "data", plugins_disabled=frozenset({"semantic"}))
        async with open_application(config) as application:
            await application.index_once()
            readiness = Readiness()
            readiness.ready(application.backend())
            async with Client(build_server(readiness, Notifier())) as client:
                answers = [await client.call_tool("search_documents", call) for call in calls]
                return [
                    getattr(one.content[0], "text", "") if one.is_error else one.structured_content for one in answers
                ]

    return await main()


async def test_every_script_is_found_by_a_part_of_its_text_and_marked(tmp_path: Path) -> None:
    asked = {
        "กรุงเทพ": "thai", "น้ำผึ้ง": "thai", "น้ำ": "thai", "ភ្នំពេញ": "khmer", "ວຽງຈັນ": "lao", "ရန်ကုန်": "burmese",
        "القاهرة": "arabic", "שלום": "hebrew", "हिन्दी": "hindi", "東京": "japanese", "天気": "japanese",
        "海淀": "chinese", "αθήνα": "greek", "ISTANBUL": "turkish", "🚀 launch": "emoji", "C++": "en", "the or": "en",
        "“quick   brown”": "en", "fox'); DROP TABLE passages;--": "en", "- fox": "en", "fox " * 2500: "en",
    }  # fmt: skip
    answers = await ask(tmp_path, [{"query": query} for query in asked])
    for (query, slug), answer in zip(asked.items(), answers, strict=True):
        assert [hit["document_slug"] for hit in answer["results"]] == [slug], query
        assert "**" in answer["results"][0]["snippet"], query


async def test_a_number_of_parts_is_found_literally_beside_letters_of_any_script(tmp_path: Path) -> None:
    calls = [{"query": "INV-2024-0317"}, {"query": '"§ 8.3" Grüße'}, {"query": '"2024-0317"'}]
    for answer in await ask(tmp_path, calls):
        assert [hit["document_slug"] for hit in answer["results"]] == ["numbered"]
        assert "remark" not in answer


async def test_what_cannot_be_searched_for_is_said_in_a_sentence(tmp_path: Path) -> None:
    asked = {
        '"': NOTHING, '""': NOTHING, "-": NOTHING, "*": NOTHING, "()": NOTHING, "🎉": NOTHING, "\0": NOTHING,
        "\u200b": NOTHING, "-fox": "only says what to leave out", '-"brown fox" -be': "only says what to leave out",
        "type:": "write type:pdf", 'type:""': "type: names nothing", "path: fox": "write path:fox",
        "after:": "write after:2024-01-31", "after:soon": "is not a date",
        "type:pdf": "No document fits these filters.",
        "to be or not": "only very common words", "x" * 10_000: LONG, "NEAR(": "Nowhere in the texts: NEAR.",
        '"unbalanced phrase': "Nowhere in the texts: unbalanced phrase.",
    }  # fmt: skip
    for (query, sentence), answer in zip(
        asked.items(), await ask(tmp_path, [{"query": one} for one in asked]), strict=True
    ):
        assert sentence in answer["remark"], query
        assert len(answer["remark"]) < 300, query


async def test_wrong_arguments_are_named(tmp_path: Path) -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"query": " \n"}, "query is empty"),
        ({"query": "fox", "limit": 0}, "limit should be greater than or equal to 1; 0 was given"),
        ({"query": "fox", "limit": 51}, "limit should be less than or equal to 50; 51 was given"),
        ({"query": "fox", "limit": -1}, "limit should be greater than or equal to 1; -1 was given"),
        ({"query": "fox", "limit": 1.5}, "limit should be a whole number"),
        ({"query": "fox", "document_slug": "fix"}, "no document 'fix'"),
        ({"query": ["fox"]}, "query should be a text"),
        ({}, "needs the argument query"),
    ]
    answers = await ask(tmp_path, [arguments for arguments, _ in wrong])
    for (arguments, sentence), answer in zip(wrong, answers, strict=True):
        assert sentence in answer, arguments


async def test_a_star_stands_for_any_ending_and_marks_what_it_found(tmp_path: Path) -> None:
    found, phrase, short = await ask(tmp_path, [{"query": "capital launc*"}, {"query": "aut*"}, {"query": "o*"}])
    assert [hit["document_slug"] for hit in found["results"]] == ["emoji"]
    assert "**launch**" in found["results"][0]["snippet"]
    assert phrase["results"] == []  # no word begins so
    assert "**" not in str(short["results"]), "one letter is no beginning"
