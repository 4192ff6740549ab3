"""Small facts about the index as a whole, kept in it so that they are true of it: a text by name."""

from __future__ import annotations

from sidecar.store.database.connection import Session


def get(session: Session, name: str) -> str:
    """The text of that name, "" when there is none."""
    return session.one("SELECT value FROM facts WHERE name = ?", (name,)) or ""


def put(session: Session, name: str, value: str) -> None:
    """Keep the text under that name."""
    session.execute("INSERT INTO facts VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = ?2", (name, value))
