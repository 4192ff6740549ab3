"""What the sidecars of one data directory share beside documents: requests to the holder of the lease with their
replies, settings, texts kept by name about the index as a whole, and the term of the lease.

The term is a fencing token (Kleppmann, "How to do distributed locking", 2016): each holder begins a new one, and every
write of a holder checks in its own transaction that the term is still its own. So a holder that hung while another took
over writes nothing when it goes on."""

from __future__ import annotations

import time

import msgspec

from sidecar.store.database.lease import DisplacedError
from sidecar.store.database.session import Session

_TERM = "term"
"""The setting that holds the number of the present term."""


class Request(msgspec.Struct, frozen=True, gc=False):
    """What a sidecar without the lease asks of the one that holds it (kind "index": index this file now)."""

    id: int
    kind: str
    path: bytes


class Reply(msgspec.Struct, frozen=True, gc=False):
    """The answer to a `Request`: `error` is "" when it was done, else the sentence to show."""

    error: str = ""
    slug: str = ""


def ask(session: Session, kind: str, path: bytes) -> int:
    """Leave a request; gives its number."""
    return session.insert(
        "INSERT INTO requests (kind, path, asked, done, error, slug) VALUES (?,?,?,0,'','')", (kind, path, time.time())
    )


def open_requests(session: Session) -> list[Request]:
    """Requests nobody has answered, oldest first."""
    return [Request(*row) for row in session.rows("SELECT id, kind, path FROM requests WHERE done = 0 ORDER BY id")]


def answer(session: Session, request: Request, reply: Reply) -> None:
    """Leave the reply for the one who asked."""
    session.execute(
        "UPDATE requests SET done = 1, error = ?, slug = ? WHERE id = ?", (reply.error, reply.slug, request.id)
    )


def reply_to(session: Session, request: int) -> Reply | None:
    """The reply to a request, None while there is none."""
    row = session.execute("SELECT error, slug FROM requests WHERE id = ? AND done = 1", (request,)).fetchone()
    return None if row is None else Reply(*row)


def withdraw(session: Session, request: int) -> None:
    """Whoever asked is served or has gone."""
    session.execute("DELETE FROM requests WHERE id = ?", (request,))


def get_setting(session: Session, name: str) -> str:
    """The text of that name, "" when there is none."""
    return session.one("SELECT value FROM facts WHERE name = ?", (name,)) or ""


def put_setting(session: Session, name: str, value: str) -> None:
    """Keep the text under that name."""
    session.execute("INSERT INTO facts VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = ?2", (name, value))


def begin_term(session: Session) -> int:
    """Begin a new term, whose number is returned: holders of former ones can write no more."""
    term = int(get_setting(session, _TERM) or 0) + 1
    put_setting(session, _TERM, str(term))
    return term


def check_term(session: Session, term: int) -> None:
    """Raises DisplacedError where another term has begun."""
    if get_setting(session, _TERM) != str(term):
        raise DisplacedError("Another docsidecar has taken over the indexing.")
