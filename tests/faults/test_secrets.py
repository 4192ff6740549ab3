"""Secrets are listed, and neither opened nor served, unless their folder's configuration asks for them."""

from __future__ import annotations

import base64
import json
import os
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest
from support.indexes.indexer import rig, running

from sidecar.api import NotFoundError, UsageError
from sidecar.config import Folder
from sidecar.ingest.secrets import is_secret_name, secret_content, secret_head

KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END OPENSSH PRIVATE KEY-----\n"


@pytest.mark.parametrize(
    "name",
    ["id_rsa", "id_ed25519_work", "Server.PEM", "a.p12", "a.pfx", "Passwords.kdbx", ".env", ".env.local",
     "prod.env", "credentials.json", "credentials-prod.json", "service-account.json", "service_account_1.json",
     "secrets.yaml", "secrets.txt", "terraform.tfstate", ".netrc", "_netrc", ".npmrc", ".pypirc", "Login Data",
     "key4.db", "login.keychain-db", "shadow", "client_secret_1.json", ".git-credentials", "wallet.dat", "x.ppk",
     "kubeconfig", "Kubeconfig.yaml", "prod.kubeconfig", "office.ovpn", "terraform.tfstate.backup", "server.pem.bak",
     "id_rsa.old", "prod.env~", "shadow.bak", ".my.cnf"],
)  # fmt: skip
def test_names_of_secrets(name: str) -> None:
    assert is_secret_name(name.encode())


@pytest.mark.parametrize(
    "name",
    ["id_rsa.pub", "id_card.pdf", "report.docx", "keyboard.md", "credentials.docx", "secretary.md", "environment.txt",
     "shadow.md", "key", "pem", "service.json", "identity.txt", "secrets", "notes.environment", "login data.txt",
     "report.docx.bak", "notes.md~", "kubernetes.md", "kubeconfig.md", "backup", ".bak", "shadow.md.old"],
)  # fmt: skip
def test_names_of_others(name: str) -> None:
    assert not is_secret_name(name.encode())


def test_beginnings_of_secrets() -> None:
    for kind in ("", "RSA ", "EC ", "ENCRYPTED ", "OPENSSH "):
        assert secret_head(f"-----BEGIN {kind}PRIVATE KEY-----\n".encode())
    assert secret_head(b"\xef\xbb\xbf\n-----BEGIN PGP PRIVATE KEY BLOCK-----\n")
    assert secret_head(
        b"Bag Attributes\n    localKeyID: 01\nKey Attributes: <No Attributes>\n-----BEGIN PRIVATE KEY-----"
    )
    assert secret_head(b"PuTTY-User-Key-File-3: ssh-ed25519\n")
    assert secret_head(b"# created: 2026-01-01T00:00:00Z\n# public key: age1x\nAGE-SECRET-KEY-1QQQ\n")
    assert not secret_head(b"# Keys\n\nAGE-SECRET-KEY-1 is how one begins\n")
    assert not secret_head(b"-----BEGIN CERTIFICATE-----\n")
    assert secret_head(b"\x30\x82\x04\xa4", ".key")
    assert not secret_head(b"", ".key"), "nothing is in it"
    assert not secret_head(b"PK\x03\x04", ".key"), "a Keynote presentation"
    assert not secret_head(bytes(99) + b"\x9c\x07PK\x03\x04\x14\0Index/Slide.iwa", ".key"), (
        "one that lost its beginning"
    )
    assert not secret_head(b"\x89PNG\r\n\x1a\n", ".key"), "a picture named so"
    assert "begins as a private key" in secret_head(b"-----BEGIN PRIVATE KEY-----\n", ".key")
    assert "no Keynote presentation" in secret_head(b"\x8f\x02\xa7", ".key"), "what it is cannot be told"
    assert not secret_head(b"-----BEGIN PUBLIC KEY-----\n")
    assert not secret_head(b"# How a key file looks\n\n-----BEGIN PRIVATE KEY-----\n")


def _pem(label: str, key: bytes, head: str = "") -> str:
    body = "\n".join(textwrap.wrap(base64.b64encode(key).decode(), 64))
    return f"-----BEGIN {label}-----\n{head}{body}\n-----END {label}-----\n"


def _sequence(size: int) -> bytes:
    return b"\x30\x82" + size.to_bytes(2, "big") + bytes(at * 37 % 256 for at in range(size))


@pytest.mark.parametrize(
    "key",
    [
        _pem("RSA PRIVATE KEY", _sequence(1190)), _pem("PRIVATE KEY", b"\x30\x2e" + bytes(46)),
        _pem("OPENSSH PRIVATE KEY", b"openssh-key-v1\0" + bytes(300)),
        _pem("RSA PRIVATE KEY", bytes(range(200)), "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\n"),
        _pem("PGP PRIVATE KEY BLOCK", bytes(range(200)), "Version: 1\n\n").replace("\n-----END", "\n=AbCd\n-----END"),
    ],
)  # fmt: skip
def test_a_whole_key_below_other_text_is_a_secret_in_notes_and_configurations(key: str) -> None:
    notes = "My server, so that I do not forget:\n\n"
    assert secret_content((notes + key).encode(), ".txt")
    assert secret_content((notes + key.replace("\n", "\r\n")).encode(), "")
    assert secret_content(("tls:\n  key: |\n" + textwrap.indent(key, "    ")).encode(), ".yaml")
    assert not secret_content((notes + key).encode(), ".md"), "a sample in documentation"
    assert not secret_content((notes + key).encode(), ".py"), "a sample in a test"
    assert not secret_content((notes + key[: len(key) // 2]).encode(), ".txt"), "cut short"


def test_a_key_in_json_is_a_secret_and_a_certificate_is_none() -> None:
    assert secret_content(json.dumps({"private_key": _pem("PRIVATE KEY", _sequence(600))}).encode(), ".json")
    assert not secret_content(("a\n" + _pem("PRIVATE KEY", _sequence(600)[:-90])).encode(), ".txt"), "cut short"
    assert not secret_content(("a\n" + _pem("CERTIFICATE", _sequence(600))).encode(), ".txt")
    assert not secret_content(("a\n" + _pem("PUBLIC KEY", _sequence(290))).encode(), ".txt")


async def test_secrets_are_listed_and_not_read(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    (docs / ".ssh").mkdir(parents=True)
    (docs / "profile").mkdir()
    (docs / "profile" / "Login Data").write_text("a data base")
    (docs / "profile" / "bookmarks.txt").write_text("in a browser's profile")
    (docs / ".ssh" / "config.txt").write_text("Host example")
    (docs / "id_rsa").write_text(KEY)
    (docs / "prod.env").write_text("TOKEN=1")
    (docs / "tls.key").write_bytes(b"\x30\x82\x04\xa4 a key in DER")
    (docs / "mail.txt").write_text(KEY)
    (docs / "notes.txt").write_text("My server:\n" + _pem("PRIVATE KEY", _sequence(600)))
    (docs / "guide.txt").write_text(f"How a key looks:\n{KEY}")

    async with rig(tmp_path / "data", docs, hidden=True) as r:
        report = await r.indexer.scan_once()
        secret = dict.fromkeys(("id_rsa", "prod.env", "mail.txt", "tls.key", "notes.txt"), "secret")
        assert await r.names() == {**secret, "guide.txt": "indexed"}
        reasons = {Path(failure.path).name: failure.reason for failure in report.failures}
        assert set(reasons) == {*secret, ".ssh", "profile"}
        assert all("secrets = true" in reason for reason in reasons.values())
        assert "not opened" in reasons["id_rsa"]
        assert await r.store.documents.in_state("secret") == sorted(str(docs / name) for name in secret)
        assert (await r.indexer.scan_once()).read == 0
        r.config = replace(r.config, folders=(Folder(docs, secrets=True),))
        report = await r.indexer.scan_once()
        assert report.states == {"indexed": 5, "unsupported": 4}
        assert KEY.splitlines()[1] in await r.text(docs / "mail.txt")
        assert await r.text(docs / ".ssh" / "config.txt") == "Host example"
        assert (await r.indexer.scan_once()).read == 0


async def test_what_was_indexed_and_is_a_secret_now_is_not_readable_any_more(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for name in ("by_content.txt", "secrets.txt"):
        (docs / name).write_text(KEY)

    async with rig(tmp_path / "data", Folder(docs, secrets=True)) as r, running(r):
        ids = [info.doc_id for info in await r.store.documents.readable()]
        (docs / "secrets.txt").write_text(KEY + "edited")
        await r.until_text(docs / "secrets.txt", "edited")
        ids += [info.doc_id for info in await r.store.documents.readable()]
        r.config = replace(r.config, folders=(Folder(docs),))
        await r.indexer.apply(r.config)

        async def closed() -> bool:
            return set((await r.names()).values()) == {"secret"}

        await r.until(closed, "neither is indexed")
        assert len(set(ids)) == 2
        for doc in (*ids, "by_content", "secrets"):
            with pytest.raises(NotFoundError):
                await r.store.documents.outline(doc)
        assert await r.store.documents.readable() == []
        assert await r.store.documents.passages() == []
        r.config = replace(r.config, folders=(Folder(docs, secrets=True),))
        await r.indexer.apply(r.config)
        await r.until_text(docs / "by_content.txt", "b3BlbnNzaC1r")


async def test_a_secret_saved_while_it_runs_or_asked_for_by_name(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()

    async with rig(tmp_path / "data", docs) as r, running(r):
        (docs / "a.txt").write_text("harmless")
        await r.until_text(docs / "a.txt", "harmless")
        (docs / "a.txt").write_text(KEY)
        (docs / "secrets.txt").write_text("the password")

        async def listed() -> bool:
            return await r.names() == {"a.txt": "secret", "secrets.txt": "secret"}

        await r.until(listed, "both are listed")
        assert await r.store.documents.readable() == []
        for name in ("a.txt", "secrets.txt"):
            with pytest.raises(UsageError, match="secrets = true"):
                await r.indexer.index_now(docs / name)
        (docs / "a.txt").write_text("harmless again")
        await r.until_text(docs / "a.txt", "harmless again")
        assert os.fsencode(docs / "secrets.txt") in await r.known()
