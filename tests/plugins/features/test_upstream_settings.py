"""The `[upstream.NAME]` tables: what is accepted, what is said about mistakes, and that credentials stay hidden."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sidecar_upstream.resources import address, clean_entry, clean_items, split_address
from sidecar_upstream.servers import (
    CHAIN,
    Lineage,
    Upstream,
    fill_in,
    fingerprint,
    instance_of,
    instance_record,
    parse_instance,
    read_settings,
)

from sidecar.api import ConfigError, UnavailableError
from sidecar.toolkit.tasks import Backoff, Bucket
from sidecar.toolkit.text import clean


def servers(**tables: dict[str, Any]) -> tuple[Upstream, ...]:
    return read_settings({"tables": tables})


def test_both_kinds_of_server() -> None:
    local, remote = servers(
        local={"command": "npx", "args": ["-y", "x"], "env": {"A": "b"}, "cwd": "~/x", "timeout": 5.0},
        remote={"url": "https://example.com/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}},
    )
    assert (local.command, local.args, local.timeout) == ("npx", ("-y", "x"), 5.0)
    assert remote.url == "https://example.com/mcp"
    assert servers(off={"command": "x", "enabled": False}) == ()


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ({"a": {"comand": "x"}}, "upstream.a.comand: unknown key; did you mean `command`"),
        ({"a": {"command": "x", "headrs": {}}}, "did you mean `headers`"),
        ({"a": {}}, "upstream.a: give either command .* or url"),
        ({"a": {"command": "x", "url": "http://y"}}, "give either"),
        ({"a": {"url": "ftp://y"}}, "upstream.a.url: expected an http:// or https:// address"),
        ({"a": {"url": "http://y", "args": ["x"]}}, "upstream.a.args: only a server that is started by command"),
        ({"a": {"command": "x", "headers": {"a": "b"}}}, "upstream.a.headers: only a server that is reached by url"),
        ({"a": {"command": "x", "timeout": -1.0}}, "upstream.a.timeout: expected more than 0\\."),
        ({"a": {"command": "x", "args": "y"}}, "upstream.a.args: expected a list"),
        ({"a/b": {"command": "x"}}, "a server's name is letters"),
        ({".instance": {"command": "x"}}, "a server's name is letters"),
        ({"a": {"command": "x"}, "A": {"command": "x"}}, "but for upper and lower case"),
        ({"a": {"url": "http://y", "headers": {"X": "a\r\nInjected: b"}}}, "line break"),
    ],
)
def test_mistakes_are_told(tables: dict[str, dict[str, Any]], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        read_settings({"tables": tables})


def test_a_mistake_never_shows_the_value() -> None:
    with pytest.raises(ConfigError) as caught:
        servers(a={"command": "x", "env": {"TOKEN": ["s3cr3t"]}})
    assert "s3cr3t" not in str(caught.value)
    with pytest.raises(ConfigError, match="servers are configured as"):
        read_settings({"server": {}, "tables": {}})


def test_credentials_come_from_the_environment_and_are_hidden() -> None:
    server = Upstream(
        "gh", url="https://user:hunter2@example.com/mcp?key=q-key-1", headers={"Authorization": "Bearer ${TOKEN}"}
    )
    filled, secrets = fill_in(server, {"TOKEN": "tok-123456"})
    assert filled.headers == {"Authorization": "Bearer tok-123456"}
    text = "Bearer tok-123456 tok-123456 https://user:hunter2@example.com/mcp?key=q-key-1"
    hidden = secrets.hide(text)
    assert not any(value in hidden for value in ("tok-123456", "hunter2", "q-key-1"))
    local, local_secrets = fill_in(
        Upstream(
            "l", command="x", args=("--key=${KEY}", "${HOME}/docs"), env={"API_TOKEN": "plain-one", "LEVEL": "debug"}
        ),
        {"KEY": "k-98765", "HOME": "/home/me"},
    )
    assert local.args == ("--key=k-98765", "/home/me/docs")
    assert local_secrets.hide("k-98765 plain-one debug /home/me") == "*** *** debug /home/me"
    assert fill_in(Upstream("d", command="x", args=("${NONE:-fallback}",)), {})[0].args == ("fallback",)
    with pytest.raises(ConfigError, match="TOKEN is not set"):
        fill_in(server, {})


def test_a_fingerprint_tells_servers_apart_but_no_credentials() -> None:
    one = Upstream("a", command="x", env={"TOKEN": "1"})
    assert fingerprint(one) == fingerprint(Upstream("b", command="x", env={"TOKEN": "2"}, timeout=1.0))
    assert fingerprint(one) != fingerprint(Upstream("a", command="x", args=("y",)))


@given(st.text(min_size=1, max_size=200))
def test_our_uris_are_ascii_and_keep_the_server_apart(uri: str) -> None:
    ours = address("a.b-c", uri)
    assert ours.isascii()
    assert not any(character <= " " for character in ours)
    assert split_address(ours)[0] == "a.b-c"


@given(st.text(max_size=300), st.integers(1, 100))
def test_cleaned_text_is_one_short_harmless_line(text: str, most: int) -> None:
    found = clean(text, most)
    assert len(found) <= most
    found.encode("utf-8")
    assert not any(ord(character) < 32 or 0x7F <= ord(character) < 0xA0 for character in found)
    assert not set(found) & set("\u202e\u2066\u200f")


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(max_size=20) | st.integers(),
       lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(
           ["uri", "name", "title", "description", "mimeType", "size", "annotations", "lastModified", "text", "blob"]
       ), inner, max_size=6)))  # fmt: skip
def test_no_entry_and_no_content_breaks_the_cleaning(raw: object) -> None:
    clean_entry(raw)
    try:
        clean_items([raw], "x://y", 1000)
    except UnavailableError as error:
        assert str(error)


def test_what_a_content_is_is_decided_by_its_bytes() -> None:
    def one(**fields: str) -> tuple[str, object]:
        (item,) = clean_items([{"uri": "x://y", **fields}], "x://y", 10_000)
        return item.media_type, item.text if item.text is not None else item.data

    assert one(mimeType="text/plain", blob="aGVsbG8=") == ("text/plain", "hello")
    assert one(mimeType="text/plain", blob="//79") == ("application/octet-stream", b"\xff\xfe\xfd")
    assert one(mimeType="image/png", blob="R0lGODlh") == ("image/gif", b"GIF89a")
    assert one(mimeType="image/png", blob="PGh0bWw+") == ("application/octet-stream", b"<html>")
    assert one(mimeType="image/png", text="hello") == ("text/plain", "hello")
    assert one(mimeType="application/json", text="{no") == ("text/plain", "{no")
    assert one(mimeType="application/json", text='{"a": 1}') == ("application/json", '{"a": 1}')
    assert one(mimeType="no type", text="x") == ("text/plain", "x")
    with pytest.raises(UnavailableError, match="not base64"):
        one(blob="***")
    with pytest.raises(UnavailableError, match="larger than 10,000 bytes"):
        one(text="x" * 10_001)


def test_a_sidecar_recognises_itself(tmp_path: Any) -> None:
    mine = instance_of(tmp_path)
    assert Lineage(tmp_path, {}).refusal() == ""
    assert "upstream of itself" in Lineage(tmp_path, {CHAIN: f"other,{mine}"}).refusal()
    assert "5 others" in Lineage(tmp_path, {CHAIN: "a,b,c,d,e"}).refusal()
    assert Lineage(tmp_path, {CHAIN: "a"}).for_children() == f"a,{mine}"
    assert parse_instance(instance_record(mine, {"b", "a"})) == (mine, "a", "b")
    assert parse_instance("{}") == parse_instance("nothing") == ()


def test_pauses_grow_with_jitter_and_begin_anew() -> None:
    backoff = Backoff(1.0, 8.0, chance=lambda: 0.5)
    assert [backoff.pause() for _ in range(5)] == [0.75, 1.5, 3.0, 6.0, 6.0]
    backoff.reset()
    assert backoff.pause() == 0.75


def test_a_bucket_lets_a_burst_through_and_then_a_rate() -> None:
    now = 0.0
    bucket = Bucket(10.0, 3.0, lambda: now)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now = 0.25
    assert [bucket.take() for _ in range(3)] == [True, True, False]
