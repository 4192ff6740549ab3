"""Writes and drops what versions hold: parts, segments, sections, elements, embedded, and the search rows.

Runs inside a transaction of `writing`. Search rows follow external-content FTS5's rule: the index is told of a row's
going with the very text it was told of at its coming, before the row itself goes."""

from __future__ import annotations

from collections import Counter, defaultdict
from hashlib import blake2b
from typing import Any

import msgspec

from sidecar.store.analysis import beside
from sidecar.store.database.session import Session
from sidecar.store.documents.records import Prepared, encode_table
from sidecar.toolkit.captions import chart_words, label_key

_ELEMENT_TEXT = 4000
"""Characters of an element's own text that are searched; the rest of a long table is found as passages."""

_encode = msgspec.msgpack.encode
_WRITES = {
    "versions": "INSERT INTO versions VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
    "attributions": "INSERT INTO attributions VALUES (?,?,?,?,?,?)",
    "parts": "INSERT INTO parts VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
    "sections": "INSERT INTO sections VALUES (?,?,?,?,?,?,?,?,?,?,?)",
    "elements": "INSERT INTO elements VALUES (?,?,?,?,?,?,?,?)",
    "embeds": "INSERT INTO embeds VALUES (?,?,?,?,?)",
    "segments": "INSERT INTO segments (version_id, part, first_block, last_block, first_row, last_row, data) "
    "VALUES (?,?,?,?,?,?,?)",
    "tables": "INSERT INTO tables VALUES (?,?,?,?,?,?,?,?)",
    "tables_fts": "INSERT INTO tables_fts (rowid, name, columns, words, cjk) VALUES (?,?,?,?,?)",
    "moved": "UPDATE passages SET version_id=?, part=?, first_block=?, last_block=?, section=?, page=?, "
    "first_row=?, last_row=? WHERE id=?",
    "passages": "INSERT INTO passages VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
    "passages_fts": "INSERT INTO passages_fts (rowid, heading, text, cjk) VALUES (?,?,?,?)",
    "element_texts": "INSERT INTO element_texts VALUES (?,?,?,?,?,?,?,?,?)",
    "element_fts": "INSERT INTO element_fts (rowid, label, caption, context, text, cjk) VALUES (?,?,?,?,?,?)",
}
"""What is written of each kind of row, in this order: all others refer to versions."""
_NUMBERED = ("passages", "element_texts", "tables")


def _text_digest(*texts: str) -> int:
    """A signed 64-bit digest of a text: what embeddings are kept under, and how unchanged passages are recognised."""
    return int.from_bytes(blake2b("\0".join(texts).encode(), digest_size=8).digest(), "big", signed=True)


class VersionRows:
    """Collects the rows of new versions and writes them table by table (`executemany` is what makes it fast)."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._version = session.one("SELECT coalesce(max(id), 0) FROM versions")
        # Ids of search rows are never given twice (see `postings`), hence not the highest id there is.
        last: dict[str, int] = dict(session.rows("SELECT name, seq FROM sqlite_sequence"))
        self._passage, self._element, self._table = (last.get(name, 0) for name in _NUMBERED)
        self._rows: defaultdict[str, list[tuple[Any, ...]]] = defaultdict(list)

    def add(self, prepared: Prepared, suffix: str, predecessor: int | None) -> int:
        """The new version's id. Unchanged passages of `predecessor` (a version nobody else shows) are moved over."""
        self._version += 1
        version = self._version
        counts = (
            Counter(element.type for element in prepared.elements),
            Counter(embed.kind for embed in prepared.embedded),
        )
        rows = self._rows
        rows["versions"].append((
            version, prepared.doc_id, prepared.sha256, suffix, prepared.plugin, prepared.plugin_version,
            prepared.title, prepared.description, prepared.format, prepared.media_type, prepared.size,
            _encode(prepared.metadata), prepared.part_kind, len(prepared.parts),
            prepared.tokens, _encode(prepared.notices), _encode(counts),
        ))  # fmt: skip
        rows["attributions"] += [(version, *msgspec.structs.astuple(one)) for one in prepared.attributions]
        for part in prepared.parts:
            rows["parts"].append((
                version, part.n, part.kind, part.title, part.name, part.hidden, part.width, part.height,
                part.tokens, part.chars, part.rows, part.cols, _encode(part.metadata),
            ))  # fmt: skip
            rows["segments"] += [(version, part.n, *msgspec.structs.astuple(segment)) for segment in part.segments]
        rows["sections"] += [
            (
                version, seq, section.id, section.n, section.level, section.title, section.part, section.block,
                section.end_part, section.end_block, section.tokens,
            )
            for seq, section in enumerate(prepared.sections)
        ]  # fmt: skip
        rows["embeds"] += [(version, embed.kind, embed.id, embed.name, _encode(embed)) for embed in prepared.embedded]
        self._add_elements(version, prepared)
        self._add_tables(version, prepared)
        self._add_passages(version, prepared, predecessor)
        return version

    def _add_tables(self, version: int, prepared: Prepared) -> None:
        for seq, table in enumerate(prepared.tables):
            self._table += 1
            inside = table.attached
            at = table.part, table.first_block, table.last_block
            if inside is not None:  # as its passages stand
                at = inside.part, -inside.embed - 1, -inside.embed - 1
            self._rows["tables"].append((self._table, version, seq, table.name, *at, encode_table(table)))
            part = prepared.parts[at[0] - 1] if at[0] <= len(prepared.parts) else None
            name = f"{table.name} {table.title} {part.title or part.name if part else ''}"
            name += f" {inside.file} {inside.name}" if inside is not None else ""
            columns = " ".join(column.title or column.name for column in table.columns)
            words = " ".join([prepared.title, *(text for column in table.columns for text in column.samples)])
            searched = (name, columns, words, beside("\n".join((name, columns, words))))
            self._rows["tables_fts"].append((self._table, *searched))

    def _add_elements(self, version: int, prepared: Prepared) -> None:
        charts = {(one.kind, one.id): chart_words(one.chart.type) for one in prepared.embedded if one.chart is not None}
        for seq, element in enumerate(prepared.elements):
            key = label_key(element.label)
            self._rows["elements"].append(
                (version, seq, element.type, element.label, key, element.part, element.block, _encode(element))
            )
            kind = charts.get(element.embed, "") if element.embed is not None else ""
            beside_it = prepared.element_words[seq] if prepared.element_words else ""
            own = element.text[:_ELEMENT_TEXT], element.latex[:_ELEMENT_TEXT]
            text = " ".join(filter(None, (*own, kind, beside_it)))
            self._element += 1
            texts = (element.label, element.caption, element.context, text)
            searched = (*texts, beside("\n".join(texts)))
            self._rows["element_texts"].append((self._element, version, seq, _text_digest(*texts), *searched))
            self._rows["element_fts"].append((self._element, *searched))

    def _add_passages(self, version: int, prepared: Prepared, predecessor: int | None) -> None:
        kept: defaultdict[int, list[int]] = defaultdict(list)
        if predecessor is not None:
            for passage_id, digest in self._session.execute(
                "SELECT id, digest FROM passages WHERE version_id = ? ORDER BY id DESC", (predecessor,)
            ):
                kept[digest].append(passage_id)
        for passage in prepared.passages:
            digest = _text_digest(passage.heading, passage.text)
            address = (passage.part, passage.first_block, passage.last_block, passage.section, passage.page)
            rows = (passage.first_row, passage.last_row)
            if kept and kept[digest]:
                self._rows["moved"].append((version, *address, *rows, kept[digest].pop()))
                continue
            self._passage += 1
            searched = (passage.heading, passage.text, beside(f"{passage.heading}\n{passage.text}"))
            self._rows["passages"].append((self._passage, version, digest, *address, *searched, *rows))
            self._rows["passages_fts"].append((self._passage, *searched))

    def write(self) -> None:
        """Write everything collected; the collection is empty afterwards."""
        for table, statement in _WRITES.items():
            if rows := self._rows.pop(table, None):
                self._session.executemany(statement, rows)


def retire(session: Session, version: int) -> None:
    """Take a version that no document shows any more out of search; its parts stay readable."""
    session.execute(
        "INSERT INTO passages_fts (passages_fts, rowid, heading, text, cjk) "
        "SELECT 'delete', id, heading, text, cjk FROM passages WHERE version_id = ?",
        (version,),
    )
    session.execute("DELETE FROM passages WHERE version_id = ?", (version,))
    session.execute(
        "INSERT INTO element_fts (element_fts, rowid, label, caption, context, text, cjk) "
        "SELECT 'delete', id, label, caption, context, text, cjk FROM element_texts WHERE version_id = ?",
        (version,),
    )
    session.execute("DELETE FROM element_texts WHERE version_id = ?", (version,))
    session.execute("DELETE FROM tables_fts WHERE rowid IN (SELECT id FROM tables WHERE version_id = ?)", (version,))


def drop_if_unused(session: Session, version: int) -> None:
    """Delete a version that neither a document nor the history holds (its parts go by cascade)."""
    used = session.one(
        "SELECT EXISTS (SELECT 1 FROM files WHERE version_id = ?1) "
        "OR EXISTS (SELECT 1 FROM history WHERE version_id = ?1)",
        (version,),
    )
    if not used:
        retire(session, version)
        session.execute("DELETE FROM versions WHERE id = ?", (version,))
