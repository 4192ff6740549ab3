"""Quills of the user's: both forms of naming one, versions, listing, diagnostics with line and hint."""

from __future__ import annotations

from pathlib import Path

import pytest
from mcp.client.client import Client
from support.clients.harness import text_of
from support.clients.rendering import failure, pdf_text, play, render, write_quill

from sidecar.app import Application

PLATE = '= #data.title\nBy #data.author. #data.at("$body", default: "")\n#for card in data.at("$cards", default: ()) [ / #card.author said: #card.at("$body", default: "") ]'  # noqa: E501
FIELDS = "{title: {type: string}, author: {type: string, default: nobody}, issued: {type: date}}"


@pytest.mark.parametrize(
    "markdown",
    [
        "~~~\n$quill: letter@1.0.0\ntitle: Ink\nauthor: Ann\n~~~\n\nDear **reader**.\n\n"
        "~~~\n$kind: quote\nauthor: Bob\n~~~\n\nSaid.\n",
        "---\nQUILL: letter\ntitle: Ink\nauthor: Ann\n---\n\nDear **reader**.\n\n"
        "---\nCARD: quote\nauthor: Bob\n---\n\nSaid.\n",
        '---\nQUILL: "letter"\ntitle: Ink\nauthor: Ann\n---\nDear reader.\n\n~~~\nplain code, Said. Bob\n~~~\n',
    ],
)
def test_documents_name_their_quill_in_the_new_and_the_older_form(tmp_path: Path, markdown: str) -> None:
    write_quill(tmp_path / "data" / "quills", "letter", PLATE, FIELDS)

    async def scenario(client: Client, application: Application) -> None:
        answer = await render(client, markdown)
        text = "\n".join(await pdf_text(client, answer))
        for words in ("Ink", "Ann", "reader", "Said", "Bob"):
            assert words in text
        listed = {entry.uri: entry for entry in (await client.list_resources()).resources}
        entry = listed[answer["artifacts"][0]["resource_uri"]]
        assert entry.meta is not None
        assert entry.meta["quill"] == "letter@1.0.0"

    play(tmp_path, scenario)


def test_a_quill_can_be_asked_for_and_its_change_is_another_rendering(tmp_path: Path) -> None:
    home = write_quill(tmp_path / "mine", "letter", PLATE, FIELDS)
    plain = "---\ntitle: Ink\n---\n\nDear reader.\n"

    async def scenario(client: Client, application: Application) -> None:
        first = await render(client, plain, quill="letter")
        assert "By nobody" in (await pdf_text(client, first))[0]
        assert (await render(client, plain, quill="letter@1"))["artifacts"] == first["artifacts"]
        (home / "plate.typ").write_text("Another plate.")
        second = await render(client, plain, quill="letter")
        assert "Another plate." in (await pdf_text(client, second))[0]
        text, _ = await failure(client, plain, quill="letter@3")
        assert "no version 3" in text
        text, _ = await failure(client, plain, quill="lettre")
        assert "did you mean letter?" in text
        assert "there are default, letter" in text

    play(tmp_path, scenario, quills=str(tmp_path / "mine"))


def test_list_quills_tells_what_each_takes_and_which_are_broken(tmp_path: Path) -> None:
    quills = tmp_path / "data" / "quills"
    write_quill(quills, "letter", PLATE, FIELDS)
    write_quill(quills / "memo", "v1", "x").rename(quills / "memo" / "1")
    (quills / "memo" / "1" / "Quill.yaml").write_text(
        (quills / "memo" / "1" / "Quill.yaml").read_text().replace("name: v1", "name: memo")
    )
    (quills / "torn").mkdir()
    (quills / "torn" / "Quill.yaml").write_text("quill: [unclosed")
    write_quill(quills, "odd", "x", "{Bad: {type: nonsense}}")
    write_quill(quills, "linked", "x")
    (quills / "linked" / "secret.txt").symlink_to("/etc/hosts")
    (quills / "default").mkdir()
    (quills / "default" / "Quill.yaml").write_text('quill: {name: default, version: "9.0", backend: typst}')

    async def scenario(client: Client, application: Application) -> None:
        answer = await client.call_tool("list_quills", {})
        found = {entry["name"]: entry for entry in answer.structured_content["quills"]}
        assert {"default", "letter", "memo", "torn", "odd", "linked"} <= set(found)
        builtin, shadow = (one for one in answer.structured_content["quills"] if one["name"] == "default")
        assert builtin["version"] == "1.0.0"
        assert "error" not in builtin
        assert "built-in" in shadow["error"]
        assert set(builtin["fields"]) >= {"title", "author", "date", "lang", "toc"}
        assert found["letter"]["fields"]["author"] == "string, default nobody"
        assert "title:" in found["letter"]["example"]
        assert "line" in found["torn"]["error"]
        assert found["odd"]["error"]
        assert "link" in found["linked"]["error"]
        for name in ("torn", "linked"):
            text, _ = await failure(client, "x", quill=name)
            assert found[name]["error"].rstrip(".") in text

    play(tmp_path, scenario)


def test_one_quill_alone_is_abridged_where_it_is_above_the_budget(tmp_path: Path) -> None:
    write_quill(tmp_path / "data" / "quills", "letter", PLATE, FIELDS)

    async def scenario(client: Client, application: Application) -> None:
        answer = await client.call_tool("list_quills", {})
        assert not answer.is_error
        assert answer.structured_content["quills"][0]["name"] == "default"
        assert "ask for less" not in text_of(answer)

    play(tmp_path, scenario, budget_tokens=420)


@pytest.mark.parametrize("place", ["absolute", "../../outside.typ", "parts/../../../outside.typ"])
def test_a_quill_names_no_file_outside_itself(tmp_path: Path, place: str) -> None:
    quills, outside = tmp_path / "data" / "quills", tmp_path / "data" / "outside.typ"
    home = write_quill(quills, "letter", PLATE, FIELDS)
    outside.write_text("Another's text.")
    named = str(outside) if place == "absolute" else place
    config = (home / "Quill.yaml").read_text()
    (home / "Quill.yaml").write_text(config.replace("plate_file: plate.typ", f"plate_file: {named}"))

    async def scenario(client: Client, application: Application) -> None:
        text, _ = await failure(client, "~~~\n$quill: letter\ntitle: A\n~~~\n\nText with $x^2$.[^1]\n\n[^1]: Note.\n")
        assert f"names a file outside the quill, typst.plate_file: {named[:80]}" in text
        answer = await client.call_tool("list_quills", {})
        (entry,) = [one for one in answer.structured_content["quills"] if one["name"] == "letter"]
        assert "outside the quill" in entry["error"]

    play(tmp_path, scenario)
    assert outside.read_text() == "Another's text."


def test_a_plate_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    quills, outside = tmp_path / "data" / "quills", tmp_path / "data" / "outside.typ"
    home = write_quill(quills, "letter", PLATE, FIELDS)
    outside.write_text("Another's text.")
    (home / "plate.typ").unlink()
    (home / "plate.typ").symlink_to(outside)

    async def scenario(client: Client, application: Application) -> None:
        text, _ = await failure(client, "~~~\n$quill: letter\ntitle: A\n~~~\n\nText with $x^2$.[^1]\n\n[^1]: Note.\n")
        assert "link" in text

    play(tmp_path, scenario)
    assert outside.read_text() == "Another's text."


def test_diagnostics_name_line_and_hint(tmp_path: Path) -> None:
    write_quill(tmp_path / "data" / "quills", "letter", PLATE, FIELDS)
    write_quill(tmp_path / "data" / "quills", "torn", 'Fine.\n\n#let x = 3 + "a"')

    async def scenario(client: Client, application: Application) -> None:
        text, details = await failure(client, "---\ntitle: A\nauthor: [one\n---\n\nText.")
        assert details["success"] is False
        assert details["diagnostics"][0]["line"] in (3, 4)
        assert details["diagnostics"][0]["hint"]
        assert f"line {details['diagnostics'][0]['line']}" in text
        for head in ("~~~\n$quill: letter\n", "---\nQUILL: letter\n"):
            fence = head[:3]
            text, details = await failure(client, f"{head}title: [1\n{fence}\n\nText.")
            assert details["diagnostics"][0]["line"] == 3
            text, details = await failure(client, f"{head}title: A\nissued: tomorrow\n{fence}\n\nText.")
            (diagnostic,) = details["diagnostics"]
            assert diagnostic["line"] == 4
            assert diagnostic["hint"]
            assert "issued" in text
            text, details = await failure(client, f"{head}title: A\nmy-key: x\n{fence}\n\nText.")
            assert details["diagnostics"][0]["line"] == 4
        text, details = await failure(client, "---\ntitle: A\nissued: never\n---\nText.", quill="letter")
        assert details["diagnostics"][0]["line"] == 3
        text, details = await failure(client, "Text.", quill="torn")
        assert details["diagnostics"][0] == {
            "severity": "error", "message": "cannot add integer and string", "line": 4, "file": "plate.typ",
            "code": "typst::type_error",
        }  # fmt: skip
        assert "plate.typ of the quill, line 4" in text
        warned = await render(client, "~~~\n$quill: letter\ntitle: A\n~~~\n\n![x](image://a/0)\n")
        assert warned["warnings"]

    play(tmp_path, scenario)
