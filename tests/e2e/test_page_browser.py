"""The page as a person uses it, in a real browser: on its own over HTTP, and as an MCP App inside a host."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import docx
import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.client.extension import advertise
from support.clients import harness
from support.programs.browser import Browser, browser
from support.programs.page_server import Page

pytestmark = pytest.mark.tool("chromium")

ATTACKS = (
    "<script>window.attacked = 1</script>",
    '<img src="x" onerror="window.attacked = 2">',
    "[a link](javascript:window.attacked=3)",
    '<svg onload="window.attacked = 4"></svg>',
    "![a picture](http://attacker.example/seen.png)",
    "<style>main { display: none }</style>",
    '"><iframe srcdoc="<script>parent.attacked = 5</script>"></iframe>',
)
"""What a hostile document may say, in its title, text, tables and name."""
ELSEWHERE = "https://example.org/thylacine?a=1"
APP_EXTENSION, APP_MEDIA_TYPE = "io.modelcontextprotocol/ui", "text/html;profile=mcp-app"
STRICTEST = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "media-src 'self' data:; connect-src 'none'"
)
"""The policy a host puts on an app that asks for nothing (SEP-1865, UI Resource Format)."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documents of the harness, a hostile one, one that cannot be read."""
    found = tmp_path_factory.mktemp("browser") / "docs"
    harness.fill(found)
    hostile = docx.Document()
    hostile.core_properties.title = f"Hostile {ATTACKS[1]}"
    hostile.add_heading(f"Hostile {ATTACKS[0]}", 1)
    hostile.add_paragraph("The basilisk looks.")
    table = hostile.add_table(len(ATTACKS), 2)
    for attack, row in zip(ATTACKS, table.rows, strict=True):
        hostile.add_paragraph(attack)
        row.cells[0].text = attack
    hostile.save(str(found / "hostile <b onclick=x>.docx"))
    (found / "broken.xlsx").write_bytes(b"PK\x03\x04 no workbook")
    with (found / "notes.md").open("a") as notes:
        notes.write(f"\nThe ***striped*** thylacine stands on [a page of the web]({ELSEWHERE}).\n")
    return found


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Generator[Browser]:
    """One browser for all tests here."""
    with browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="module")
def page(folder: Path, chromium: Browser) -> Generator[Page]:
    """The page, open in the browser; everything is indexed."""
    with Page(folder, folder.parent / "data") as opened:
        opened.admit()
        opened.indexed(6)
        chromium.open(opened.url)
        chromium.wait("document.querySelectorAll('a.document').length === 7")
        yield opened


@pytest.fixture
def tab(page: Page, chromium: Browser) -> Generator[Browser]:
    """The browser at the library, light, at its usual size; at the end it has complained of nothing, and has asked no
    other machine."""
    chromium.size(1280, 860)
    chromium.dark(on=False)
    chromium.said.clear()
    chromium.asked.clear()
    at(chromium, "#/", "document.querySelectorAll('a.document').length === 7")
    yield chromium
    assert chromium.said == []
    assert [url for url in chromium.asked if not url.startswith(f"http://{page.host}/{page.room}/")] == []
    assert chromium.js("window.attacked") is None


def at(tab: Browser, place: str, condition: str) -> None:
    """Go to a place of the page, and wait for what is there."""
    tab.js(f"location.hash = {json.dumps(place)}")
    tab.wait(condition)


def test_the_token_is_gone_from_the_address(tab: Browser, page: Page) -> None:
    assert tab.js("location.href") == f"http://{page.host}/{page.room}/#/"
    assert tab.js("document.cookie") == ""  # no script reads it


def test_the_library_shows_documents_states_and_folders(tab: Browser, folder: Path) -> None:
    shown = tab.js("document.querySelector('main').innerText")
    assert {"report.docx", "figures.xlsx", "talk.pptx"} <= {line.rpartition(" ")[2] for line in shown.splitlines()}
    assert str(folder) in shown
    tab.wait("document.getElementById('state-text').textContent === '1 not read'")
    tab.js("[...document.querySelectorAll('.chip')].find((chip) => chip.innerText.startsWith('Damaged')).click()")
    tab.wait("document.querySelectorAll('a.document').length === 1")
    assert "broken.xlsx" in tab.js("document.querySelector('.documents').innerText")


def test_a_search_is_typed_and_its_hit_is_shown_where_it_stands(tab: Browser) -> None:
    tab.press("/", "Slash")
    tab.type("wombat burrow")
    tab.press("Enter")
    tab.wait("document.querySelector('.hit mark')?.textContent.toLowerCase() === 'wombat'")
    assert "figures" in tab.js("document.querySelector('main').innerText").lower()
    tab.press("ArrowDown")
    assert tab.js("document.activeElement.closest('.hit') !== null")
    tab.press("Enter")
    tab.wait("CSS.highlights.get('found')?.size >= 1 && document.querySelector('.prose')")
    assert "digs burrows" in tab.js("document.querySelector('.prose').innerText")
    tab.wait("document.querySelector('.prose img')?.naturalWidth === 600")


def test_a_weak_hit_says_so(tab: Browser) -> None:
    marked = "[...document.querySelectorAll('.hit')].map((hit) => hit.querySelector('.weak')?.textContent ?? '')"
    at(tab, "#/search?q=platypus+eggs", "document.querySelector('.asked q')?.textContent === 'platypus eggs'")
    assert tab.js(marked)[0] == ""
    far = "eggs mortgage surcharge invoice overdue"
    at(tab, f"#/search?q={far.replace(' ', '+')}", f"document.querySelector('.asked q')?.textContent === '{far}'")
    assert set(tab.js(marked)) == {"weak match"}


def test_parts_are_gone_through_by_outline_and_arrow_keys(tab: Browser) -> None:
    at(tab, "#/document/report", "document.querySelector('.prose')?.innerText.includes('wombat')")
    tab.press("ArrowRight")
    tab.wait("document.querySelector('.prose').innerText.includes('quokka')")
    tab.wait("document.querySelector('.outline [aria-current]')?.textContent === 'Quokkas'")
    tab.js("document.querySelector('.outline a').click()")
    tab.wait("document.querySelector('.prose').innerText.includes('wombat')")


def test_sheets_are_tables_and_charts_are_pictures(tab: Browser) -> None:
    at(tab, "#/document/figures", "document.querySelector('.prose table')")
    cells = tab.js("[...document.querySelectorAll('.prose td')].map((cell) => cell.textContent)")
    assert {"wombat", "26.5", "29.7"} <= set(cells)
    at(tab, "#/document/figures?tab=elements", "[...document.images].some((image) => image.naturalWidth > 100)")
    tab.js("document.querySelector('.card img').click()")
    tab.wait("document.querySelector('dialog[open] img')?.naturalWidth > 100")
    tab.press("Escape")
    tab.wait("!document.querySelector('dialog[open]')")


def test_a_document_that_cannot_be_read_says_why(tab: Browser) -> None:
    at(tab, "#/problems", "document.querySelector('h1').textContent === '1 file could not be read'")
    tab.js("document.querySelector('a.document').click()")
    tab.wait("document.querySelector('.failure')?.innerText.includes('broken.xlsx')")


def test_what_a_document_says_never_becomes_markup(tab: Browser) -> None:
    at(tab, "#/search?q=basilisk", "document.querySelector('.hit a')")
    tab.js("document.querySelector('.hit a').click()")
    tab.wait("document.querySelector('.prose')?.innerText.includes('basilisk')")
    text = tab.js("document.querySelector('main').innerText")
    for attack in (ATTACKS[0], ATTACKS[1], ATTACKS[3], ATTACKS[5], ATTACKS[6]):
        assert attack in text
    found = "document.querySelectorAll('main script, main style, main iframe, main svg, [onerror], [onload]').length"
    assert tab.js(found) == 0
    assert tab.js("[...document.links].filter((link) => !/^http:/.test(link.href)).length") == 0
    at(tab, "#/", "document.querySelector('a.document')")
    assert "onclick=x" in tab.js("document.querySelector('main').innerText")


def test_the_browser_itself_refuses_markup_made_of_text(page: Page, chromium: Browser) -> None:
    refused = "try { document.createElement('p').innerHTML = '<b>x</b>'; 'made' } catch (error) { error.name }"
    assert chromium.js(refused) == "TypeError"


def test_every_control_has_a_name_and_every_view_one_heading(tab: Browser) -> None:
    unnamed = """[...document.querySelectorAll('a, button, input, select')].filter((one) => one.checkVisibility()
      && !(one.innerText?.trim() || one.getAttribute('aria-label') || one.labels?.length || one.title
      || one.querySelector('img[alt]:not([alt=""])'))).map((one) => one.outerHTML)"""
    for place, there in (
        ("#/", "a.document"),
        ("#/search?q=wombat", ".hit"),
        ("#/document/report", ".prose"),
        ("#/document/report?tab=about", "dl"),
        ("#/problems", "h2"),
    ):
        at(tab, place, f"document.querySelector({json.dumps(there)})")
        assert tab.js(unnamed) == []
        assert tab.js("document.querySelectorAll('h1').length") == 1


def test_it_is_dark_where_that_is_wanted_and_fits_a_narrow_window(tab: Browser) -> None:
    at(tab, "#/", "document.querySelector('a.document')")
    light = tab.js("getComputedStyle(document.body).backgroundColor")
    tab.dark()
    assert tab.js("getComputedStyle(document.body).backgroundColor") != light
    tab.dark(on=False)
    tab.js("document.getElementById('theme').click()")  # light
    tab.js("document.getElementById('theme').click()")  # dark
    assert tab.js("getComputedStyle(document.body).backgroundColor") != light
    tab.js("document.getElementById('theme').click()")  # as the system has it
    tab.js("Object.defineProperty(window, 'localStorage', {get() { throw new Error('nothing is kept here') }}) && 0")
    tab.js("document.getElementById('theme').click()")
    tab.js("document.getElementById('theme').click()")
    assert tab.js("getComputedStyle(document.body).backgroundColor") != light
    tab.js("document.getElementById('theme').click()")
    tab.size(380, 700)
    for place, there in (("#/", "a.document"), ("#/search?q=wombat", ".hit"), ("#/document/figures", ".prose table")):
        at(tab, place, f"document.querySelector({json.dumps(there)})")
        assert tab.js("document.documentElement.scrollWidth - innerWidth") <= 0


def test_what_is_saved_appears_by_itself(tab: Browser, folder: Path) -> None:
    new = folder / "dugong.md"
    new.write_text("# Dugongs\n\nThe dugong grazes.\n")
    tab.wait("document.querySelector('.documents').innerText.includes('dugong')")
    at(tab, "#/document/dugong", "document.querySelector('.prose')?.innerText.includes('grazes')")
    new.write_text("# Dugongs\n\nThe dugong sleeps.\n")
    tab.wait("document.querySelector('.prose')?.innerText.includes('sleeps')")
    at(tab, "#/document/dugong?tab=changes", "document.querySelector('.prose del')?.innerText === 'grazes'")
    assert tab.js("document.querySelector('.prose ins').innerText") == "sleeps"
    tab.js("[...document.querySelectorAll('.prose a')].find((one) => one.innerText === 'the version before').click()")
    tab.wait("document.querySelector('.prose')?.innerText.includes('grazes')")
    at(tab, "#/", "document.querySelector('.documents')?.innerText.includes('dugong')")
    new.unlink()
    tab.wait("!document.querySelector('.documents').innerText.includes('dugong')")


@asynccontextmanager
async def app_client(folder: Path, data: Path) -> AsyncGenerator[Client]:
    """A client of a host that shows MCP Apps."""
    extension = advertise(APP_EXTENSION, {"mimeTypes": [APP_MEDIA_TYPE]})
    async with Client(harness.parameters(folder, data), mode="auto", extensions=[extension]) as client:
        await harness.indexed(client, 6)
        yield client


HOST = """(() => {
  window.heard = [];
  const frame = document.createElement("iframe");
  frame.sandbox = "allow-scripts";
  frame.style.cssText = "width: 700px; height: 900px; border: 0";
  frame.srcdoc = %s;
  addEventListener("message", (event) => { if (event.source === frame.contentWindow) window.heard.push(event.data); });
  window.tell = (record) => frame.contentWindow.postMessage(record, "*");
  document.body.replaceChildren(frame);
})()"""


async def answer_next(tab: Browser, client: Client, method: str) -> dict[str, Any]:
    """Wait for the app's next request of that method, pass it on to the sidecar as a host does; gives its
    parameters."""
    find = f"heard.findIndex((one) => one.method === {json.dumps(method)} && !one.answered)"
    tab.wait(f"{find} >= 0")
    record = tab.js(f"(() => {{ const one = heard[{find}]; one.answered = true; return one; }})()")
    params = record.get("params", {})
    if method == "tools/call":
        result: Any = await client.call_tool(params["name"], params["arguments"])
    elif method == "resources/read":
        result = await client.read_resource(params["uri"])
    else:
        answers = {"ui/initialize": CONTEXT, "ui/request-display-mode": {"mode": "fullscreen"}}
        tell(tab, id=record["id"], result=answers.get(method, {}))
        return params
    tell(tab, id=record["id"], result=result.model_dump(mode="json", by_alias=True, exclude_none=True))
    return params


CONTEXT = {
    "protocolVersion": "2026-01-26",
    "hostInfo": {"name": "test", "version": "1"},
    "hostCapabilities": {"serverTools": {}, "serverResources": {}, "openLinks": {}},
    "hostContext": {"theme": "dark", "displayMode": "inline", "availableDisplayModes": ["inline", "fullscreen"]},
}


def tell(tab: Browser, **record: Any) -> None:
    """A message of the host's to the app."""
    tab.js(f"tell({json.dumps({'jsonrpc': '2.0', **record})})")


def inside(tab: Browser, expression: str) -> Any:
    """The value of an expression in the app's frame, which is closed to the host's scripts."""
    tree = tab.call("Page.getFrameTree")["frameTree"]
    frame = tree["childFrames"][0]["frame"]["id"]
    world = tab.call("Page.createIsolatedWorld", frameId=frame)["executionContextId"]
    answer = tab.call("Runtime.evaluate", expression=expression, contextId=world, returnByValue=True)
    return answer["result"].get("value")


def shown(tab: Browser, selector: str) -> str:
    """The text of the first such element in the app, once it is there."""
    until = time.monotonic() + harness.DEADLINE
    while not (text := inside(tab, f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")):
        assert time.monotonic() < until, inside(tab, "document.body.innerText")
        time.sleep(0.05)
    return text


async def shown_after(tab: Browser, client: Client, selector: str) -> str:
    """The same, with whatever the app asks for on the way answered."""
    until = time.monotonic() + harness.DEADLINE
    while not (text := inside(tab, f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")):
        assert time.monotonic() < until, inside(tab, "document.body.innerText")
        if method := tab.js("heard.find((one) => one.id && one.method && !one.answered)?.method ?? ''"):
            await answer_next(tab, client, method)
        else:
            await anyio.sleep(0.05)
    return text


async def test_as_an_app_it_shows_the_answer_and_reads_on_through_the_host(
    folder: Path, tmp_path: Path, chromium: Browser
) -> None:
    async with app_client(folder, tmp_path / "data") as client:
        content = (await client.read_resource("ui://library")).contents[0]
        assert isinstance(content, types.TextResourceContents)
        assert content.mime_type == APP_MEDIA_TYPE
        chromium.size(1280, 960)
        chromium.open("about:blank")
        chromium.wait("location.href === 'about:blank'")
        chromium.said.clear()
        chromium.asked.clear()
        policy = f'<meta http-equiv="Content-Security-Policy" content="{STRICTEST}">'
        chromium.js(HOST % json.dumps(content.text.replace("<head>", f"<head>{policy}", 1)))
        asked = await answer_next(chromium, client, "ui/initialize")
        assert asked["protocolVersion"] == "2026-01-26"
        chromium.wait("heard.some((one) => one.method === 'ui/notifications/initialized')")
        given = {"query": "wombat burrows"}
        found = await client.call_tool("search_documents", given)
        tell(chromium, method="ui/notifications/tool-input", params={"arguments": given})
        result = found.model_dump(mode="json", by_alias=True, exclude_none=True)
        tell(chromium, method="ui/notifications/tool-result", params=result)
        assert "digs burrows" in shown(chromium, ".hit")
        assert inside(chromium, "document.documentElement.dataset.theme") == "dark"
        chromium.wait("heard.some((one) => one.method === 'ui/notifications/size-changed' && one.params.height > 100)")

        inside(chromium, "document.querySelector('.hit a').click()")
        for method in ("tools/call", "tools/call", "resources/read", "resources/read", "resources/read"):
            await answer_next(chromium, client, method)  # status, document; its record, the part, the part's picture
        assert "digs burrows" in shown(chromium, ".prose")
        inside(chromium, "document.querySelector('.back').click()")
        await answer_next(chromium, client, "tools/call")
        await answer_next(chromium, client, "tools/call")
        assert "digs burrows" in shown(chromium, ".hit")

        given = {"query": "thylacine"}
        found = await client.call_tool("search_documents", given)
        tell(chromium, method="ui/notifications/tool-input", params={"arguments": given})
        result = found.model_dump(mode="json", by_alias=True, exclude_none=True)
        tell(chromium, method="ui/notifications/tool-result", params=result)
        assert "thylacine" in shown(chromium, ".hit mark").lower()
        inside(chromium, "document.querySelector('.hit a').click()")
        assert await shown_after(chromium, client, ".prose a[target]") == "a page of the web"
        assert shown(chromium, ".prose strong em") == "striped"
        inside(chromium, "document.querySelector('.prose a[target]').click()")
        assert await answer_next(chromium, client, "ui/open-link") == {"url": ELSEWHERE}

        inside(chromium, "document.getElementById('larger').click()")
        asked = await answer_next(chromium, client, "ui/request-display-mode")
        assert asked == {"mode": "fullscreen"}
        insets = {"top": 44, "right": 0, "bottom": 20, "left": 0}
        tell(chromium, method="ui/notifications/host-context-changed", params={"safeAreaInsets": insets})

        given = {"document_slug": "report", "element_label": "Figure 1"}
        element = await client.call_tool("get_element_image", given)
        tell(chromium, method="ui/notifications/tool-input", params={"arguments": given})
        result = element.model_dump(mode="json", by_alias=True, exclude_none=True)
        tell(chromium, method="ui/notifications/tool-result", params=result)
        assert "A wombat burrow" in shown(chromium, "figcaption")
        assert inside(chromium, "document.querySelector('.answer img').naturalWidth") == 600
        assert inside(chromium, "document.getElementById('larger').hidden")
        assert inside(chromium, "getComputedStyle(document.body).padding") == "44px 0px 20px"
        tell(chromium, id=77, method="ui/resource-teardown", params={"reason": "test"})
        chromium.wait("heard.some((one) => one.id === 77 && one.result)")
        assert chromium.said == []
        assert [url for url in chromium.asked if not url.startswith(("about:", "data:"))] == []
