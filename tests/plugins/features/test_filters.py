"""The filters of a search as a client types them, or gives them as arguments: whom from, where, of what kind, when."""

from __future__ import annotations

import io
import os
from collections.abc import Awaitable, Callable, Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from support.clients.harness import text_of
from support.clients.opened import Opened, opened, serve

from sidecar.ingest.reading.prepare import attributions, moment

Asking = Callable[..., Awaitable[Any]]
MESSAGES = 130


def mail(sender: str, to: str, subject: str, date: str, body: str) -> str:
    return (
        f"From: {sender}\nTo: {to}\nSubject: {subject}\nDate: {date}\nMessage-ID: <{subject}@x>\n"
        f"Content-Type: text/plain; charset=utf-8\n\n{body}\n"
    )


def mailbox() -> str:
    """Every other message is Anna's; the later ones of June 2024, a day each."""
    found: list[str] = []
    for n in range(MESSAGES):
        sender = "Anna Müller <anna@example.org>" if n % 2 else "Bob Stone <bob@example.org>"
        date = f"{1 + n % 28:02} {'May' if n < 70 else 'Jun'} 2024 10:00:00 +0000"
        body = f"The glacier invoice number {n} is attached."
        message = mail(sender, "Carol <carol@example.org>", f"Invoice {n}", date, body)
        found.append(f"From x Mon Jan  1 00:00:00 2024\n{message}\n")
    return "".join(found)


def word(author: str, modified: datetime, text: str) -> bytes:
    import docx

    document = docx.Document()
    document.add_paragraph(text)
    document.core_properties.author = author
    document.core_properties.modified = modified
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def fill(files: Path) -> None:
    (files / "Clients" / "Acme").mkdir(parents=True)
    (files / "Archive").mkdir()
    (files / "box.mbox").write_text(mailbox(), "utf-8")
    (files / "alone.eml").write_text(
        mail("Dora <dora@example.org>", "anna@example.org", "Ice", "Fri, 05 Apr 2019 10:00:00 +0200", "Old glacier.")
    )
    long_ago, lately = datetime(2015, 3, 4, tzinfo=UTC), datetime(2023, 7, 8, tzinfo=UTC)
    (files / "Clients" / "Acme" / "contract.docx").write_bytes(word("Schmidt, Anna", lately, "A glacier contract."))
    (files / "Archive" / "contract.docx").write_bytes(word("Eve", long_ago, "The former glacier contract."))
    (files / "Clients" / "plan.md").write_text("---\ndate: 2021-02-03\nauthor: Eve\n---\n\n# Plan\n\nGlacier plan.\n")
    (files / "plain.txt").write_text("A glacier without any date of its own.\n")
    os.utime(files / "plain.txt", (1_600_000_000, 1_600_000_000))  # September 2020
    (files / "code.py").write_text("# the glacier\nprint(1)\n")
    os.utime(files / "code.py", (1_000_000_000, 1_000_000_000))  # 2001
    (files / "minutes.html").write_text(
        "<html><head><title>Minutes of the walrus</title><meta name='author' content='Zed'></head><body>"
        f"<h1>Minutes of the walrus</h1><p>Present: {'somebody, ' * 60} and nobody else.</p></body></html>"
    )
    (files / "walrus.txt").write_text("A walrus.\n")
    for name in ("minutes.html", "walrus.txt"):
        os.utime(files / name, (1_700_000_000, 1_700_000_000))  # November 2023
    (files / "broken.docx").write_bytes(b"PK\x03\x04 no archive")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Generator[Opened]:
    made = tmp_path_factory.mktemp("filters")
    fill(made / "files")
    with opened(made) as home:
        yield home


def served(home: Path | Opened, body: Callable[[Asking, Client], Awaitable[None]], era: str = "legacy") -> None:
    async def asking(client: Client) -> None:
        async def ask(**given: Any) -> Any:
            answer = await client.call_tool("search_documents", given)
            assert not answer.is_error, text_of(answer)
            return answer.structured_content

        await body(ask, client)

    serve(home, asking, era)


def slugs(found: Any) -> set[str]:
    return {hit["document_slug"] for hit in found["results"]}


def test_all_mails_of_a_sender_are_found_page_by_page_the_latest_first(home: Opened) -> None:
    async def body(ask: Asking, client: Client) -> None:
        uris: list[str] = []
        start: int | None = 0
        while start is not None:
            found = await ask(query='from:"anna muller"', limit=20, start=start)
            assert found["total"] == MESSAGES // 2
            uris += [hit["uri"] for hit in found["results"]]
            start = found.get("next_start")
        assert len(uris) == len(set(uris)) == MESSAGES // 2
        assert all(int(uri.removeprefix("message://box/")) % 2 == 0 for uri in uris), "parts count from 1"
        first = (await ask(query="from:anna@example.org", limit=1))["results"][0]
        read = text_of(await client.call_tool("read", {"uri": first["uri"]}))
        assert "Anna Müller" in read
        assert "2024-06-28" in read
        beyond = await client.call_tool("search_documents", {"query": "from:anna", "start": MESSAGES})
        assert "beyond the end; there are 65 results" in text_of(beyond)

    served(home, body)


def test_words_are_searched_among_the_messages_a_filter_lets_through(home: Opened) -> None:
    async def body(ask: Asking, _: Client) -> None:
        found = await ask(query="glacier from:anna after:2024-06-01", limit=50)
        numbers = {int(hit["uri"].rpartition("/")[2]) - 1 for hit in found["results"]}
        assert numbers
        assert all(number % 2 and number >= 70 for number in numbers)
        assert slugs(await ask(query="from:dora")) == {"alone"}
        assert slugs(await ask(query="to:anna glacier")) == {"alone"}
        assert "box" not in slugs(await ask(query="-from:anna -from:bob glacier", limit=50))
        subject = (await ask(query='subject:"invoice 12"', limit=50))["results"]
        numbers = [12, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129]
        assert {hit["uri"] for hit in subject} == {f"message://box/{number + 1}" for number in numbers}

    served(home, body)


@pytest.mark.parametrize(
    ("query", "path", "date"),
    [
        ("newest version of the glacier contract", "Clients/Acme/contract.docx", "2023-07-08"),
        ("die neueste Fassung von glacier contract", "Clients/Acme/contract.docx", "2023-07-08"),
        ("the current status of the glacier contract", "Clients/Acme/contract.docx", "2023-07-08"),
        ("letzter Stand zum glacier contract", "Clients/Acme/contract.docx", "2023-07-08"),
        ("glacier contract folder:Archive latest", "Archive/contract.docx", "2015-03-04"),
        ("last mail from Anna Müller about a glacier invoice", "box.mbox", "2024-06-28"),
    ],
)
def test_a_question_for_the_latest_shows_the_latest_of_what_answers(
    home: Opened, query: str, path: str, date: str
) -> None:
    async def body(ask: Asking, client: Client) -> None:
        found = await ask(query=query)
        first = found["results"][0]
        assert (first["path"].replace("\\", "/").endswith(path), first["date"]) == (True, date), found
        assert "remark" not in found, "what asks for the latest need not stand in it"

    served(home, body)


def test_the_newest_first_are_texts_before_properties_of_the_same_document(home: Opened) -> None:
    async def body(ask: Asking, client: Client) -> None:
        found = await ask(query="walrus sort:newest")
        uris = [hit["uri"] for hit in found["results"] if hit["document_slug"] == "minutes"]
        assert len(uris) > 1, found
        assert {hit["date"] for hit in found["results"]} == {"2023-11-14"}, "the file's where it tells none"
        assert uris.index("document://minutes") == len(uris) - 1, found

    served(home, body)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("author:anna -type:mail", {"acme"}),
        ('author:"anna schmidt"', {"acme"}),
        ("author:eve", {"archive", "plan"}),
        ("folder:clients", {"acme", "plan"}),
        ("folder:Clients/Acme", {"acme"}),
        ("folder:HOME/FILES/CLIENTS/acme", {"acme"}),
        ("-folder:clients type:word", {"archive"}),
        ("name:contract", {"acme", "archive"}),
        ("name:clients", set[str]()),
        ("type:word", {"acme", "archive"}),
        ("type:email", {"box", "alone"}),
        ("type:code", {"code"}),
        ("type:markdown,py", {"plan", "code"}),
        ("before:2016", {"archive", "code"}),
        ("after:2020-09-01 before:2022", {"plan", "plain"}),
        ("date:2023-07", {"acme"}),
        ("date:2015..2019-04", {"archive", "alone"}),
        ("modified:2001", {"code"}),
        ("state:damaged", {"broken"}),
        ("state:failed type:word", {"broken"}),
        ("glacier author:eve", {"archive", "plan"}),
    ],
)
def test_a_filter_lets_through_what_people_mean(home: Opened, query: str, expected: set[str]) -> None:
    names = {"acme": "Clients/Acme/contract.docx", "archive": "Archive/contract.docx"}

    async def body(ask: Asking, _: Client) -> None:
        place = str(home.home).upper()  # as a drive's letter is written either way
        found = await ask(query=query.replace("HOME", f'"{place}', 1) + ('"' if "HOME" in query else ""), limit=50)
        paths = {Path(hit["path"]).relative_to(home.home / "files").as_posix() for hit in found["results"]}
        wanted = {names.get(one, one) for one in expected}
        assert {path if path in names.values() else Path(path).stem for path in paths} == wanted
        if not expected:
            assert "No document fits these filters." in found["remark"]

    served(home, body)


def test_arguments_are_the_same_filters(home: Opened) -> None:
    async def body(ask: Asking, client: Client) -> None:
        assert slugs(await ask(query="glacier", folder="Clients", type="word")) == slugs(
            await ask(query="glacier folder:Clients type:word")
        )
        assert slugs(await ask(query="glacier", after="2020-09-01", before="2022")) == {"plan", "plain"}
        found = await ask(query="glacier", folder=str(home.home / "files" / "Clients"))
        assert len(slugs(found)) == 2
        newest = await ask(query="glacier contract", type="word", sort="newest")
        assert [Path(hit["path"]).parent.name for hit in newest["results"]] == ["Acme", "Archive"]
        assert len((await ask(query="", type="word"))["results"]) == 2, "a filter alone is enough"
        wrong = await client.call_tool("search_documents", {"query": "x", "sort": "oldest"})
        assert "relevance" in text_of(wrong)

    served(home, body)


def test_a_mail_shows_what_it_says_and_a_file_that_could_not_be_read_why(home: Opened) -> None:
    async def body(ask: Asking, _: Client) -> None:
        for query in ("mail from Dora", "Dora 5 April 2019", "alone ice"):
            hit = (await ask(query=query))["results"][0]
            assert hit["from"] == "Dora <dora@example.org>"
            assert "Old glacier." in hit["snippet"]
            assert "From:" not in hit["snippet"]
        to = (await ask(query="anna@example.org from:dora"))["results"][0]
        assert "To: **anna**@" in to["snippet"], "whom it is to is told nowhere else"
        mails = (await ask(query="type:mail"))["results"]
        assert [(hit["document_slug"], hit["date"]) for hit in mails] == [
            ("box", "2024-06-28"),
            ("alone", "2019-04-05"),
        ]
        assert mails[1]["snippet"] == "Old glacier.", "its name and title stand beside it"
        (broken,) = (await ask(query="state:damaged"))["results"]
        assert broken["lacking"] == "damaged"

    served(home, body)


def test_a_filter_of_no_name_is_searched_as_words_and_said_so(home: Opened) -> None:
    async def body(ask: Asking, _: Client) -> None:
        found = await ask(query="zebra:anna glacier")
        assert "zebra: is not a filter, so zebra:anna was searched as words." in found["remark"]
        assert found["results"]
        for words in (
            "glacier std::vector",
            "glacier 12:30",
            "glacier https://a.example/x:y",
            "glacier localhost:8080",
        ):
            assert "no filter" not in (await ask(query=words)).get("remark", ""), words
        assert "no filter" not in (await ask(query='"zebra:anna" glacier')).get("remark", "")

    served(home, body)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("glacier autor:anna", "no filter autor: so it was left out; did you mean author:anna?"),
        ("glacier form:anna", "did you mean from:anna?"),
        ("glacier created:2024", "did you mean date:2024?"),
        ("glacier tag:ice", "no filter tag: so it was left out; there are type:, path:, folder:"),
        ("glacier type:wrod", "type:wrod is unknown and was left out; did you mean type:word?"),
        ("glacier state:encrpted", "did you mean state:encrypted?"),
        ("glacier after:soon", "after:soon is not a date and was left out; write after:2024-01-31."),
        ("glacier modified:2024-02-31", "is not a date"),
        ("glacier sort:oddly", "did you mean sort:newest?"),
    ],
)
def test_an_unknown_filter_is_a_sentence_and_no_word_to_search(home: Opened, query: str, said: str) -> None:
    async def body(ask: Asking, _: Client) -> None:
        found = await ask(query=query)
        assert said in found["remark"]
        assert "Nowhere" not in found["remark"]
        assert found["results"]

    served(home, body)


def test_other_words_with_a_colon_are_words(home: Opened) -> None:
    async def body(ask: Asking, _: Client) -> None:
        for word in ("https://example.org/x", "std::vector", "doi:10.1000/182", "10:30"):
            found = await ask(query=f"glacier {word}")
            assert "filter" not in found["remark"]

    served(home, body)


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("2024-03-05", 2024),
        ("2024-03-05T10:00:00Z", 2024),
        ("2024/3/5", 2024),
        ("Fri, 05 Apr 2019 10:00:00 +0200", 2019),
        ("5 March 2017", 2017),
        ("March 5, 2017", 2017),
        ("2011", 2011),
        ("soon", None),
        ("", None),
        ("2024-13-45", None),
        ("0001-01-01T00:00:00Z", None),
        ("99999", None),
    ],
)
def test_dates_are_read_in_the_forms_documents_have_them(text: str, year: int | None) -> None:
    found = moment(text)
    assert (None if found is None else datetime.fromtimestamp(found / 1e9).astimezone().year) == year


def test_a_mailbox_has_attributions_of_each_message_and_a_document_one() -> None:
    (one,) = attributions({"author": "Ánna", "created": "2020-01-01", "modified": "2021-06-01"}, [{}, {"x": "y"}])
    assert (one.part, one.author, one.dated) == (0, "anna", moment("2021-06-01"))
    several = attributions({"author": "a"}, [{"author": "Ann", "to": "B", "cc": "C"}, {}])
    assert [(each.part, each.author, each.recipients) for each in several] == [(1, "ann", "b c"), (2, "", "")]
