"""What sidecars of one data directory leave one another: requests to the holder of the lease, and their answers."""

from __future__ import annotations

import time

from sidecar.store.database.connection import Session
from sidecar.store.documents.answers import Reply, Request


def ask(session: Session, kind: str, path: bytes) -> int:
    session.execute(
        "INSERT INTO requests (kind, path, asked, done, error, slug) VALUES (?,?,?,0,'','')", (kind, path, time.time())
    )
    return session.one("SELECT last_insert_rowid()")


def open_requests(session: Session) -> list[Request]:
    """Requests nobody has answered, oldest first."""
    return [Request(*row) for row in session.rows("SELECT id, kind, path FROM requests WHERE done = 0 ORDER BY id")]


def answer(session: Session, request: Request, reply: Reply) -> None:
    """Leave the reply for the one who asked."""
    session.execute(
        "UPDATE requests SET done = 1, error = ?, slug = ? WHERE id = ?", (reply.error, reply.slug, request.id)
    )


def reply_to(session: Session, request: int) -> Reply | None:
    row = session.execute("SELECT error, slug FROM requests WHERE id = ? AND done = 1", (request,)).fetchone()
    return None if row is None else Reply(*row)


def withdraw(session: Session, request: int) -> None:
    """Whoever asked is served or has gone."""
    session.execute("DELETE FROM requests WHERE id = ?", (request,))
