"""The URI grammar: what `format_uri` writes, `parse_uri` reads back, whatever the names look like."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.api import Address, UsageError, format_uri, is_doc_id, parse_uri, slugify
from sidecar.api.uris import EMBED_KINDS, OFFICE_TYPES, SUFFIXES
from sidecar.toolkit.text.ranges import parse_ranges

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
PATHS = {"document": 0, "paragraph": 2}


@given(st.sampled_from(sorted(SUFFIXES)), NAMES, st.tuples(NAMES, NAMES), st.data())
def test_what_is_formatted_parses_back(scheme: str, doc: str, names: tuple[str, str], data: st.DataObject) -> None:
    path = names[: PATHS.get(scheme, 1)]
    suffix = data.draw(st.sampled_from(("", *SUFFIXES[scheme])))
    slug = slugify(doc)
    uri = format_uri(scheme, slug, *path, suffix=suffix)
    assert uri.isascii()
    assert parse_uri(uri) == Address(scheme, slug, path, suffix)


INNER = st.tuples(st.sampled_from(sorted(EMBED_KINDS)), NAMES)


@given(NAMES, st.lists(INNER, max_size=4), st.sampled_from(("", *SUFFIXES["embed"])))
def test_what_is_inside_an_attachment_is_addressed(name: str, inner: list[tuple[str, str]], suffix: str) -> None:
    path = (name, *(segment for step in inner for segment in step))
    assert parse_uri(format_uri("embed", "mail", *path, suffix=suffix)) == Address("embed", "mail", path, suffix)


@given(NAMES, st.dictionaries(NAMES, st.text(st.characters(exclude_categories=["Cs"]), max_size=20), max_size=4))
def test_queries_survive(name: str, query: dict[str, str]) -> None:
    address = parse_uri(format_uri("sheet", "book", name, query=query))
    assert (address.path, dict(address.query)) == ((name,), query)


@given(st.text(max_size=60))
def test_no_text_breaks_the_parser(text: str) -> None:
    try:
        address = parse_uri(text)
    except UsageError as error:
        assert len(str(error)) < 400
    else:
        assert address.scheme in SUFFIXES
        assert address.doc


@given(st.text(max_size=200))
def test_a_slug_is_a_slug_already(name: str) -> None:
    slug = slugify(name)
    assert slug
    assert not is_doc_id(slug)
    assert len(slug) <= 84
    assert slugify(slug) == slug


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20))
def test_a_document_uri_names_its_slug(name: str) -> None:
    slug = slugify(name)
    assert parse_uri(format_uri("document", slug)).doc == slug


@pytest.mark.parametrize(
    ("uri", "address"),
    [
        ("document://usgs_snyder.md", Address("document", "usgs_snyder", (), "md")),
        ("Document://usgs_snyder", Address("document", "usgs_snyder")),
        ("sheet://book/Q1 2024", Address("sheet", "book", ("Q1 2024",))),
        ("sheet://book/a/b.csv", Address("sheet", "book", ("a/b",), "csv")),
        ("sheet://book/data%2Ecsv", Address("sheet", "book", ("data.csv",))),
        ("sheet://book/1?range=A1:F40", Address("sheet", "book", ("1",), "", {"range": "A1:F40"})),
        ("slide://deck/3.png", Address("slide", "deck", ("3",), "png")),
        ("element://usgs/Figure 8-1", Address("element", "usgs", ("Figure 8-1",))),
        ("element://usgs/Eq. (3.2).png", Address("element", "usgs", ("Eq. (3.2)",), "png")),
        ("office://deck/images/0", Address("image", "deck", ("0",))),
        ("office://deck/slide/3.png", Address("slide", "deck", ("3",), "png")),
        ("paragraph://a/1/2", Address("paragraph", "a", ("1", "2"))),
        ("embed://mail/0.md", Address("embed", "mail", ("0",), "md")),
        ("embed://mail/notes%2Emd", Address("embed", "mail", ("notes.md",))),
        ("embed://mail/a folder/b.csv", Address("embed", "mail", ("a folder/b.csv",))),
        ("embed://mail/0/embed/1.txt", Address("embed", "mail", ("0", "embed", "1"), "txt")),
        ("embed://mail/0/embed/1/image/x.png", Address("embed", "mail", ("0", "embed", "1", "image", "x.png"))),
        ("office://mail/embed/0/chart/2", Address("embed", "mail", ("0", "chart", "2"))),
        ("sheet://book/Data!B2:C4", Address("sheet", "book", ("Data",), "", {"range": "B2:C4"})),
        ("sheet://book/'My%20Data'!$B$2.csv", Address("sheet", "book", ("My Data",), "csv", {"range": "$B$2"})),
        ("sheet://book/Data%21B2", Address("sheet", "book", ("Data!B2",))),
        ("sheet://book/Hey!", Address("sheet", "book", ("Hey!",))),
    ],
)
def test_spellings(uri: str, address: Address) -> None:
    assert parse_uri(uri) == address


@pytest.mark.parametrize(
    ("uri", "says"),
    [
        ("hello", "document://annual-report"),
        ("chapter://a", "chapter://{doc}/{n}"),
        ("paragraph://a/1", "paragraph://{doc}/{chapter}/{paragraph}"),
        ("nope://a/1", "no such scheme"),
        ("document://", "document://{doc}"),
        ("office://a/spoon/1", "type such as image"),
        ("chapter://a//", "chapter://{doc}/{n}"),
    ],
)
def test_what_is_no_uri_is_told_the_form(uri: str, says: str) -> None:
    with pytest.raises(UsageError, match=r".") as caught:
        parse_uri(uri)
    assert says in str(caught.value)


@pytest.mark.parametrize("kind", sorted(OFFICE_TYPES))
def test_every_office_type_stands_for_a_scheme(kind: str) -> None:
    tail = "1/2" if OFFICE_TYPES[kind] == "paragraph" else "1"
    assert parse_uri(f"office://doc/{kind}/{tail}").scheme == OFFICE_TYPES[kind]


@given(st.lists(st.tuples(st.integers(1, 60), st.integers(1, 60)).map(sorted), min_size=1, max_size=30))
def test_ranges_give_every_number_once_in_order(pairs: list[list[int]]) -> None:
    text = ",".join(f"{low}-{high}" for low, high in pairs)
    expected = list(dict.fromkeys(n for low, high in pairs for n in range(low, high + 1)))
    assert parse_ranges(text, 60) == expected


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("1-3,5", [1, 2, 3, 5]), ("4-", [4, 5, 6]), ("-2", [1, 2]), (" 2 ", [2]), ("3–4", [3, 4]), ("2,2", [2])],
)
def test_ways_to_write_a_range(text: str, numbers: list[int]) -> None:
    assert parse_ranges(text, 6) == numbers


@pytest.mark.parametrize("text", ["", "0", "7", "3-2", "1,,2", "a", "-", "1-7", "999999999999"])
def test_wrong_ranges_are_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_ranges(text, 6)
