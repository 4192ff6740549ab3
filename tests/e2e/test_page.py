"""`docsidecar open` over real HTTP: who is let in, what is answered, and what is never handed out."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path

import mcp_types as types
import psutil
import pytest
from mcp.client.client import Client
from mcp.client.extension import advertise
from support.clients import harness
from support.programs.page_server import Page


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documents of the harness, and one that cannot be read."""
    found = tmp_path_factory.mktemp("page") / "docs"
    harness.fill(found)
    (found / "broken.xlsx").write_bytes(b"PK\x03\x04 no workbook")
    return found


@pytest.fixture(scope="module")
def page(folder: Path) -> Generator[Page]:
    """One page for all tests that only ask it; it has indexed everything."""
    with Page(folder, folder.parent / "data") as opened:
        opened.admit()
        opened.indexed(5)
        yield opened


def test_the_first_address_gives_a_strict_cookie_and_goes_on_without_the_token(page: Page) -> None:
    answer = page.admit()
    name, *attributes = answer.headers["set-cookie"].split("; ")
    assert page.token not in name
    assert {"HttpOnly", "SameSite=strict", f"Path=/{page.room}/"} <= set(attributes)
    assert not any(one.startswith(("Domain", "Max-Age", "expires")) for one in attributes)
    assert 'content="0;url=./"' in answer.text
    assert "<main" in page.get("").text


def test_every_response_is_closed_to_other_origins(page: Page) -> None:
    for answer in (page.get(""), page.get("page.js"), page.get("nothing"), page.send("GET", "/"), page.post(b"{}")):
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert "require-trusted-types-for 'script'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-store"
        assert "server" not in answer.headers
        assert not any(name.startswith("access-control") for name in answer.headers)


@pytest.mark.parametrize("path", ["", "page.js", "picture?uri=image%3A%2F%2Freport%2F0", "?token=", "?token=wrong"])
def test_nothing_is_given_without_the_cookie(page: Page, path: str) -> None:
    for headers in ({}, {"Cookie": "docsidecar=wrong"}, {"Cookie": f"docsidecar={page.token}"}):
        answer = page.send("GET", f"/{page.room}/{path}", headers)
        assert answer.status == 403
        assert "set-cookie" not in answer.headers
        assert "docsidecar open" in answer.text
    request = page.send("POST", f"/{page.room}/request", {"Content-Type": "application/json"}, b"{}")
    assert request.status == 403


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "[::1]:{port}", ""]
)
def test_another_host_name_is_refused_with_the_cookie_too(page: Page, host: str) -> None:
    given = {"Host": host.format(port=page.port), "Cookie": page.cookie}
    assert page.send("GET", f"/{page.room}/", given).status == 421
    assert page.send("GET", f"/{page.room}/?token={page.token}", given).status == 421


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "https://127.0.0.1:{port}"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_another_origin_is_refused_with_the_cookie_too(page: Page, headers: dict[str, str]) -> None:
    given = {name: value.format(port=page.port) for name, value in headers.items()}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_library_status"}})
    sent = {"Cookie": page.cookie, "Content-Type": "application/json", **given}
    assert page.send("POST", f"/{page.room}/request", sent, body.encode()).status == 403
    assert page.send("GET", f"/{page.room}/", {"Cookie": page.cookie, **given}).status == 403
    preflight = {**given, "Access-Control-Request-Method": "POST"}
    assert page.send("OPTIONS", f"/{page.room}/request", preflight).status == 403


def test_its_own_origin_and_localhost_are_answered(page: Page) -> None:
    for host in (page.host, f"localhost:{page.port}"):
        given = {"Host": host, "Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin", "Cookie": page.cookie}
        assert page.send("GET", f"/{page.room}/page.css", given).status == 200


@pytest.mark.parametrize(
    "path",
    [
        "../page.js", "%2e%2e/%2e%2e/etc/passwd", "..%2f..%2fapps.py", "static/page.js", "page.js/", "page.js%00",
        "//etc/passwd", "__init__.py", "%2fetc%2fpasswd", "..\\apps.py", "page.css/../../apps.py",
    ],
)  # fmt: skip
def test_only_its_own_files_are_handed_out(page: Page, path: str) -> None:
    answer = page.get(path)
    assert answer.status in (403, 404, 307)
    assert b"root:" not in answer.body
    assert b"import" not in answer.body


@pytest.mark.parametrize(
    "uri",
    ["file:///etc/passwd", "/etc/passwd", "upstream://x/y", "render://abc", "tour://library", "ui://library", "", "a:b",
     "document://../../etc/passwd", "document:///etc/passwd"],
)  # fmt: skip
def test_only_documents_are_read(page: Page, uri: str) -> None:
    assert "error" in page.ask("resources/read", uri=uri)
    assert page.picture(uri).status in (400, 404)


@pytest.mark.parametrize("tool", ["index_document", "clear_render_cache", "render_document", "read", "no_such_tool"])
def test_only_tools_that_read_this_library_are_called(page: Page, tool: str) -> None:
    answer = page.ask("tools/call", name=tool, arguments={})
    assert "There is no tool" in answer["error"]["message"]


def test_what_is_no_request_is_refused(page: Page) -> None:
    assert page.post(b"{}", "text/plain").status == 415
    assert page.post(b"{}", "application/x-www-form-urlencoded").status == 415
    assert page.post(b"{nonsense").status == 400
    assert page.post(b"[" * 30_000).status == 400
    assert page.post(b" " * 70_000).status == 413
    for body in (b"[]", b'"x"', b"null", b'{"method": "tools/call", "params": []}', b'{"method": "x", "params": {}}'):
        assert "error" in json.loads(page.post(body).body)
    assert page.get("request").status == 404


def test_it_searches_lists_and_reads_as_assistants_do(page: Page) -> None:
    hits = page.call("search_documents", query="wombat burrows")["results"]
    assert hits[0]["document_slug"] == "report"
    assert "**wombat**" in hits[0]["snippet"]
    assert page.call("list_documents_paginated")["total"] == 6
    unread = page.call("get_library_status")["unreadable"]
    assert [Path(one["path"]).name for one in unread] == ["broken.xlsx"]
    assert unread[0]["reason"]
    record = json.loads(page.ask("resources/read", uri="document://figures.json")["result"]["contents"][0]["text"])
    assert [part["name"] for part in record["parts"]] == ["Data", "Second sheet"]
    assert record["elements"]


def test_pictures_are_pictures_and_nothing_else(page: Page) -> None:
    drawn = page.picture("image://report/0")
    assert (drawn.status, drawn.headers["content-type"], drawn.body[:4]) == (200, "image/png", b"\x89PNG")
    chart = page.picture("chart://figures/0.png")
    assert (chart.status, chart.headers["content-type"]) == (200, "image/png")
    assert page.picture("chart://figures/0.svg").status == 415  # an SVG may hold scripts
    assert page.picture("document://notes").status == 400
    assert page.picture("image://report/99").status == 404


def test_it_listens_on_the_loopback_address_alone(page: Page) -> None:
    process = psutil.Process(page.process.pid)
    family = [process, *process.children(recursive=True)]
    listening = [one.laddr for each in family for one in each.net_connections("inet") if one.status == "LISTEN"]
    assert [(one.ip, one.port) for one in listening] == [("127.0.0.1", page.port)]


async def test_it_is_one_more_window_on_an_index_that_another_keeps(tmp_path: Path) -> None:
    folder, data = tmp_path / "docs", tmp_path / "data"
    harness.fill(folder)
    async with harness.subprocess_client(folder, data, "auto") as client:
        await harness.indexed(client, 5)
        with Page(folder, data) as opened:
            opened.admit()
            found = opened.indexed(5)
            assert found["lease"]["held"] is False
            (folder / "more.md").write_text("# Dugongs\n\nThe dugong grazes on sea grass.\n")
            await harness.indexed(client, 6)
            opened.indexed(6)
            assert opened.call("search_documents", query="dugong")["results"][0]["document_slug"] == "more"


def test_a_browser_is_started_with_an_address_that_opens_the_page_once(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    told = tmp_path / "told"
    browser = tmp_path / "browser"
    browser.write_text('#!/bin/sh\ncd "$(dirname "$0")" && printf %s "$1" > told.part && mv told.part told\n')
    browser.chmod(0o755)
    environment = {"BROWSER": f"{shlex.quote(str(browser))} %s", "DISPLAY": ":0"}
    with Page(tmp_path / "docs", tmp_path / "data", environment, browser=True) as opened:
        until = time.monotonic() + harness.DEADLINE
        while not told.exists():
            assert time.monotonic() < until
            time.sleep(0.02)
        path = told.read_text().removeprefix(f"http://{opened.host}")
        assert path.startswith(f"/{opened.room}/?token=")
        assert path != f"/{opened.room}/?token={opened.token}"
        assert [opened.send("GET", path).status for _ in range(2)] == [200, 403]
        assert [opened.admit().status for _ in range(2)] == [200, 200]  # the person's address goes on opening it


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_without_an_error(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "docs").mkdir()
    with Page(tmp_path / "docs", tmp_path / "data") as opened:
        opened.admit()
        opened.process.send_signal(number)
        assert opened.process.wait(harness.DEADLINE) == 0


def test_a_port_that_is_taken_is_said(page: Page, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sidecar.cli.main", "open", "--no-browser", "--port", str(page.port)]
    command += ["--folder", str(page.folder), "--data-dir", str(tmp_path / "data")]
    ran = subprocess.run(
        command, capture_output=True, text=True, env=harness.environment(tmp_path / "data"), check=False
    )
    assert ran.returncode == 2
    assert f"port {page.port} cannot be had" in ran.stderr


@pytest.mark.parametrize("era", harness.ERAS)
@pytest.mark.parametrize(
    ("shown", "named"),
    [
        (["text/html;profile=mcp-app"], {"search_documents", "get_element_image"}),
        (["text/uri-list"], set()),
        ([], set()),
    ],
)
async def test_only_hosts_that_show_apps_are_told_of_the_app(
    tmp_path: Path, era: str, shown: list[str], named: set[str]
) -> None:
    (tmp_path / "docs").mkdir()
    extensions = [advertise("io.modelcontextprotocol/ui", {"mimeTypes": shown})] if shown else []
    async with (
        harness.in_process(tmp_path / "docs", tmp_path / "data") as (_, server, _),
        Client(server, mode=era, extensions=extensions) as client,
    ):
        tools = {tool.name: (tool.meta or {}).get("ui") for tool in (await client.list_tools()).tools}
        assert {name: ui for name, ui in tools.items() if ui} == {
            name: {"resourceUri": "ui://library"} for name in named
        }
        assert not any(one.uri.startswith("ui:") for one in (await client.list_resources()).resources)
        app = (await client.read_resource("ui://library")).contents[0]
        assert isinstance(app, types.TextResourceContents)
        assert app.mime_type == "text/html;profile=mcp-app"
        assert app.meta is not None
        assert app.meta["ui"]["csp"] == {"connectDomains": [], "resourceDomains": []}
        assert app.text.startswith("<!doctype html>")
        assert not re.search(r"""(src|href)=["'](?!#)""", app.text)  # one file: it fetches nothing
