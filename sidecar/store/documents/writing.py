"""Every write to documents as one function of one transaction: commit what was read, rename, remove, forget.

Nothing here awaits. Keeps slugs, versions, the history and the change feed true together; `contents` keeps the rows."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from sidecar.store.analysis import beside
from sidecar.store.database.session import Session
from sidecar.store.documents.contents import VersionRows, drop_if_unused, retire
from sidecar.store.documents.old_versions import expire
from sidecar.store.documents.paths import base_name, forgets, free_slug, place, shown, stem_and_suffix, under
from sidecar.store.documents.records import Change, FileStat, Indexed

_STRIKES = ("crashed", "timed_out")
_DAMAGED = "damaged-"
"""How the version of a plugin begins that no plugin has: what claims to be read by it is read again."""


class _IndexedFile(NamedTuple):
    """What a write needs to know of a file already in the index."""

    id: int
    path: bytes
    folder: bytes
    size: int
    mtime_ns: int
    strikes: int
    slug: str | None
    name: str
    version_id: int | None
    doc_id: str


class _Known(NamedTuple):
    """A version in the index, and whether a document shows it."""

    id: int
    shown: bool


class _Left(NamedTuple):
    """A version that a document shows no longer; `remembered` ones go into the history."""

    slug: str
    name: str
    path: bytes
    version: int
    remembered: bool


class Writing:
    """One transaction's work. `retention` is how many former versions of a document stay readable by doc_id."""

    def __init__(self, session: Session, retention: int) -> None:
        self._session = session
        self._retention = retention
        self._changes: list[Change] = []
        self._left: list[_Left] = []
        self._names: dict[int, tuple[int, str, str, str]] = {}
        """What `names_fts` is to hold besides, by file."""
        self._forgotten: set[str] = set()  # slugs whose former versions go as well, whatever the retention

    # commit

    def commit(self, batch: Sequence[Indexed]) -> list[Change]:
        """Write what was read of these files; of a path named twice the last word holds."""
        items = list({item.path: item for item in self._with_members(batch)}.values())
        files = {item.path: self._file(item.path) for item in items}
        keys = [_key(item) for item in items]
        known = [self._known_version(item, key) for item, key in zip(items, keys, strict=True)]
        linked = {version.id for version in known if version is not None and version.shown}
        rows = VersionRows(self._session)
        new: dict[tuple[str, ...], int] = {}
        shows: list[int | None] = []
        for item, key, target in zip(items, keys, known, strict=True):
            version = target.id if target is not None and target.shown else None
            if version is None and item.prepared is not None:
                version = new.get(key)
                if version is None:
                    if target is not None:  # an undone edit comes back: the retired row makes way for the new one
                        self._session.execute("DELETE FROM versions WHERE id = ?", (target.id,))
                    version = new[key] = rows.add(item.prepared, key[-1], self._predecessor(files[item.path], linked))
            shows.append(version)
        rows.write()
        for item, version in zip(items, shows, strict=True):
            if version is None and item.state == "indexed":
                continue  # linked to content that has gone since: the file stays unknown and the next scan reads it
            self._put(item, files[item.path], version)
            if item.members is not None:
                self._keep_members(item.path, {member.path for member in item.members})
        self._finish()
        return self._changes

    def _with_members(self, batch: Sequence[Indexed]) -> Iterator[Indexed]:
        """The batch, behind each archive its members; those of one that is a copy are the other one's."""
        for item in batch:
            copied = self._copied_members(item) if item.members is None else ()
            yield replace(item, members=copied) if copied else item
            yield from copied or item.members or ()

    def _copied_members(self, item: Indexed) -> tuple[Indexed, ...]:
        version = self._known_version(item, _key(item)) if item.prepared is None and not item.unfinished else None
        if version is None or not version.shown:
            return ()
        other = self._session.one(
            "SELECT path FROM files f WHERE version_id = ? AND path != ? AND EXISTS "
            "(SELECT 1 FROM files WHERE archive = f.path) ORDER BY path",
            (version.id, item.path),
        )
        rows = self._session.rows(
            "SELECT path, size, state, reason, sha256, plugin, plugin_version FROM files WHERE archive = ?", (other,)
        )
        return tuple(
            Indexed(
                path=item.path + path[len(other) :], folder=item.folder, stat=FileStat(size, item.stat.mtime_ns),
                archive=item.path, state=state, reason=reason, sha256=sha256, plugin=plugin, plugin_version=version_,
            )
            for path, size, state, reason, sha256, plugin, version_ in rows
        )  # fmt: skip

    def _keep_members(self, archive: bytes, kept: Collection[bytes] = (), *, forgotten: bool = False) -> None:
        """Remove the members of an archive but those `kept`."""
        for (path,) in self._session.rows("SELECT path FROM files WHERE archive = ?", (archive,)):
            if path not in kept:
                self._remove(self._file(path), forgotten=forgotten)

    def _known_version(self, item: Indexed, key: tuple[str, ...]) -> _Known | None:
        """The version in the index that already is this content read by this plugin."""
        if item.state != "indexed":
            return None
        row = self._session.execute(
            "SELECT v.id, EXISTS (SELECT 1 FROM files WHERE version_id = v.id) FROM versions v "
            "WHERE v.doc_id = ? AND v.sha256 = ? AND v.plugin = ? AND v.plugin_version = ? AND v.suffix = ?",
            (key[0][:12], *key),
        ).fetchone()
        return None if row is None else _Known(*row)

    def _predecessor(self, file: _IndexedFile | None, linked: set[int]) -> int | None:
        """The version the file showed until now, where nothing else shows it, now or after this batch."""
        if file is None or file.version_id is None or file.version_id in linked:
            return None
        shown_by = self._session.one("SELECT count(*) FROM files WHERE version_id = ?", (file.version_id,))
        return file.version_id if shown_by == 1 else None

    def _put(self, item: Indexed, file: _IndexedFile | None, version: int | None) -> None:
        document = version is not None or bool(item.plugin) or item.state != "unsupported"
        kept = file.version_id if file is not None and document and item.state != "secret" else None
        slug = self._slug(item.path, file) if document else None
        same = file is not None and (file.size, file.mtime_ns) == (item.stat.size, item.stat.mtime_ns)
        strikes = file.strikes if file is not None and same and (item.unfinished or item.state in _STRIKES) else 0
        strikes += item.state in _STRIKES
        title = self._title(item, version if version is not None else kept)
        sha256 = item.prepared.sha256 if item.prepared is not None else item.sha256
        plugin = item.prepared.plugin if item.prepared is not None else item.plugin
        plugin_version = item.prepared.plugin_version if item.prepared is not None else item.plugin_version
        name = shown(base_name(item.path))
        values = (
            item.folder, item.stat.size, item.stat.mtime_ns, item.stat.inode, item.stat.device, sha256, item.state,
            item.reason, plugin, plugin_version, strikes, slug, name, shown(item.path),
            place(item.path, item.folder), title, version if version is not None else kept, item.archive or None,
        )  # fmt: skip
        if file is None:
            file_id = self._session.insert(
                "INSERT INTO files (folder, size, mtime_ns, inode, device, sha256, state, reason, plugin, "
                "plugin_version, strikes, slug, name, shown, place, title, version_id, archive, path, added) "
                "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                (*values, item.path, time.time()),
            )
        else:
            file_id = file.id
            self._session.execute(
                "UPDATE files SET folder=?, size=?, mtime_ns=?, inode=?, device=?, sha256=?, state=?, reason=?, "
                "plugin=?, plugin_version=?, strikes=?, slug=?, name=?, shown=?, place=?, title=?, "
                "version_id=?, archive=? WHERE id=?",
                (*values, file_id),
            )
            self._session.execute("DELETE FROM names_fts WHERE rowid = ?", (file_id,))
        self._name(file_id, slug, title, name)
        self._note(item, file, slug, version)

    def _note(self, item: Indexed, file: _IndexedFile | None, slug: str | None, version: int | None) -> None:
        """The change row, and the old version's way into the history."""
        old = file.version_id if file is not None else None
        if slug is None or item.state == "secret":
            self._keep_members(item.path, forgotten=item.state == "secret")
        if slug is None:
            if file is not None and file.slug is not None and old is not None:
                self._left.append(_Left(file.slug, file.name, file.path, old, remembered=True))
                self._change("removed", file.slug, file.doc_id)
        elif item.state == "secret":
            self._forgotten.add(slug)
            if file is not None and old is not None:
                self._left.append(_Left(slug, file.name, file.path, old, remembered=False))
                self._change("removed", slug, file.doc_id)
        elif version is not None and version != old:
            doc_id = item.prepared.doc_id if item.prepared is not None else item.sha256[:12]
            if old is None or file is None:
                self._change("added", slug, doc_id)
            else:
                self._left.append(_Left(slug, file.name, file.path, old, remembered=file.doc_id != doc_id))
                self._change("updated", slug, doc_id)

    def _slug(self, path: bytes, file: _IndexedFile | None) -> str:
        if file is not None and file.slug is not None:
            return file.slug
        return free_slug(path, lambda slug: bool(self._session.one("SELECT 1 FROM files WHERE slug = ?", (slug,))))

    def _title(self, item: Indexed, version: int | None) -> str:
        if item.prepared is not None:
            title = item.prepared.title
        else:
            title = self._session.one("SELECT title FROM versions WHERE id = ?", (version,))
        return title or stem_and_suffix(item.path)[0]

    def _name(self, file_id: int, slug: str | None, title: str, name: str) -> None:
        """Have a file, which `names_fts` knows not or no more, found by its title and name."""
        if slug is not None:
            self._names[file_id] = (file_id, title, name, beside(f"{title}\n{name}"))

    # files that moved or went

    def rename(self, moves: Iterable[tuple[bytes, bytes, FileStat]]) -> None:
        """Files that moved, as (old path, new path, stat); what was at the new path goes."""
        for old, new, stat in moves:
            file = self._file(old)
            if file is None:
                continue
            if old != new:
                self._remove(self._file(new))
            self._move(file, new, stat)
            for (path,) in self._session.rows("SELECT path FROM files WHERE archive = ?", (old,)):
                member = self._file(path)
                if member is not None:
                    inside = FileStat(member.size, stat.mtime_ns)
                    self._move(member, new + path[len(old) :], inside, archive=new)
        self._finish()

    def _move(self, file: _IndexedFile, new: bytes, stat: FileStat, archive: bytes | None = None) -> None:
        """Its row under the new path; `archive` where it is a member of one."""
        folder = self._folder(new, file.folder)
        name = shown(base_name(new))
        title = self._session.one("SELECT title FROM versions WHERE id = ?", (file.version_id,))
        title = title or stem_and_suffix(new)[0]
        self._session.execute(
            "UPDATE files SET path=?, folder=?, size=?, mtime_ns=?, inode=?, device=?, name=?, shown=?, place=?, "
            "title=?, archive=? WHERE id=?",
            (new, folder, stat.size, stat.mtime_ns, stat.inode, stat.device, name, shown(new),
             place(new, folder), title, archive, file.id),
        )  # fmt: skip
        self._session.execute("DELETE FROM names_fts WHERE rowid = ?", (file.id,))
        self._name(file.id, file.slug, title, name)
        if file.slug is not None and file.version_id is not None:
            self._change("renamed", file.slug, file.doc_id)

    def _folder(self, path: bytes, current: bytes) -> bytes:
        """The watched folder a path lies in, as far as the index knows the folders; the innermost one."""
        if under(path, current):
            return current
        known = [folder for (folder,) in self._session.execute("SELECT DISTINCT folder FROM files")]
        return max((folder for folder in known if under(path, folder)), key=len, default=current)

    def remove(self, paths: Iterable[bytes]) -> None:
        """Files that are gone; their versions stay for the retention."""
        for path in paths:
            self._remove(self._file(path))
        self._finish()

    def forget(self, paths: Iterable[bytes]) -> None:
        """Files that are not to be readable any more, former versions included."""
        for path in paths:
            self._remove(self._file(path), forgotten=True)
        self._finish()

    def forget_folder(self, folder: bytes | None, kept: Collection[bytes] = ()) -> None:
        """Every file that is or was below a folder, of whatever folder where it is None, but those below the folders
        `kept`. Of files that are gone, those whose place is not known are forgotten too."""
        goes = forgets(folder, kept)
        self.forget([path for (path,) in self._session.rows("SELECT path FROM files") if goes(path)])
        former = self._session.rows("SELECT id, path, version_id, slug IN (SELECT slug FROM files) FROM history")
        for row, path, version, there in former:
            if goes(path) if path else not there:
                self._session.execute("DELETE FROM history WHERE id = ?", (row,))
                drop_if_unused(self._session, version)

    def _remove(self, file: _IndexedFile | None, *, forgotten: bool = False) -> None:
        if file is None:
            return
        if forgotten and file.slug is not None:
            self._forgotten.add(file.slug)
        self._session.execute("DELETE FROM files WHERE id = ?", (file.id,))
        self._session.execute("DELETE FROM names_fts WHERE rowid = ?", (file.id,))
        self._names.pop(file.id, None)
        self._keep_members(file.path, forgotten=forgotten)
        if file.slug is not None and file.version_id is not None:
            left = _Left(file.slug, file.name, file.path, file.version_id, remembered=not forgotten)
            self._left.append(left)
            self._change("removed", file.slug, file.doc_id)

    # what every write ends with

    def _finish(self) -> None:
        session = self._session
        session.executemany("INSERT INTO names_fts (rowid, title, name, cjk) VALUES (?,?,?,?)", self._names.values())
        self._names.clear()
        # All of the history first: what one file's history lets go of, another's may just be about to remember.
        if remembered := [one for one in self._left if one.remembered and self._retention]:
            session.executemany(
                "INSERT INTO history (slug, name, path, ended, version_id) VALUES (?,?,?,?,?)",
                [(one.slug, one.name, one.path, time.time(), one.version) for one in remembered],
            )
        for left in self._left:
            if not session.one("SELECT 1 FROM files WHERE version_id = ?", (left.version,)):
                retire(session, left.version)
            expire(session, left.slug, self._retention)
            drop_if_unused(session, left.version)
        for slug in self._forgotten:
            expire(session, slug, 0)

    def _change(self, kind: Any, slug: str, doc_id: str) -> None:
        seq = self._session.insert(
            "INSERT INTO changes (kind, slug, doc_id, old_doc_id) VALUES (?,?,?,'')", (kind, slug, doc_id)
        )
        self._changes.append(Change(seq, kind, slug, doc_id))

    def _file(self, path: bytes) -> _IndexedFile | None:
        row = self._session.execute(
            "SELECT f.id, f.path, f.folder, f.size, f.mtime_ns, f.strikes, f.slug, f.name, f.version_id, "
            "coalesce(v.doc_id, '') FROM files f LEFT JOIN versions v ON v.id = f.version_id WHERE f.path = ?",
            (path,),
        ).fetchone()
        return None if row is None else _IndexedFile(*row)


def invalidate(session: Session, versions: Sequence[int]) -> list[bytes]:
    """Have the files of these versions, whose paths are given, read again, as if another plugin had read them; the
    versions no file shows go."""
    paths: list[bytes] = []
    for version in versions:
        shown_by = [path for (path,) in session.rows(
            "SELECT coalesce(archive, path) FROM files WHERE version_id = ?", (version,)
        )]  # fmt: skip
        outdate(session, shown_by)
        paths += shown_by
        session.execute("DELETE FROM history WHERE version_id = ?", (version,))
        if shown_by:
            for table, column in (("versions", "id"), ("files", "version_id")):
                session.execute(
                    f"UPDATE {table} SET plugin_version = ? WHERE {column} = ?",  # noqa: S608  # names written here
                    (f"{_DAMAGED}{version}", version),
                )
        drop_if_unused(session, version)
    return paths


def outdate(session: Session, paths: Sequence[bytes]) -> None:
    """Have these files read again, as if another plugin had read them."""
    session.executemany(
        "UPDATE files SET plugin_version = ? WHERE path = ?", [(_DAMAGED.rstrip("-"), path) for path in paths]
    )


def _key(item: Indexed) -> tuple[str, str, str, str]:
    """What makes a version the same: the bytes, who read them, and the suffix that told the plugin how."""
    suffix = stem_and_suffix(item.path)[1]
    if item.prepared is not None:
        return item.prepared.sha256, item.prepared.plugin, item.prepared.plugin_version, suffix
    return item.sha256, item.plugin, item.plugin_version, suffix
