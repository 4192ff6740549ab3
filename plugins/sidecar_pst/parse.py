"""Reads an Outlook data file: its folders and items ([MS-PST] 2.4), and an item written as an internet message (RFC
5322). Appointments, contacts and tasks are messages with their facts before the text."""

import base64
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from email.utils import encode_rfc2231, format_datetime
from itertools import pairwise

from sidecar.api import DamagedError, LimitError, Limits, NotFoundError, ParsedDocument, Payload, Source
from sidecar.toolkit.ole.outlook_items import NAMED, Identity, Value, sent_codec
from sidecar.toolkit.ole.outlook_items import facts as item_facts
from sidecar.toolkit.ole.properties import file_time
from sidecar.toolkit.word.outlook_rtf import rtf_text, unpack_rtf
from sidecar_pst import olm
from sidecar_pst.database import Database, Node
from sidecar_pst.listing import Contents, Item, listed, mail_address, one_line
from sidecar_pst.olm import is_olm
from sidecar_pst.properties import Properties, rows

_FOLDER, _MESSAGE, _ATTACHMENT = 0x02, 0x04, 0x05
"""The last five bits of a node's id."""
_STORE, _NAMES, _ROOT = 0x21, 0x61, 0x122
_RECIPIENTS = 0x692
_SUBJECT, _KIND, _NAME, _TOP = 0x0037, 0x001A, 0x3001, 0x35E0
_SENDER = (0x0C1A, 0x0042)
_SUBMITTED, _DELIVERED, _CREATED = 0x0039, 0x0E06, 0x3007
_SENT_IN = 0x3FDE
_LISTED = frozenset((_SUBJECT, _KIND, *_SENDER, _SUBMITTED, _DELIVERED, _CREATED, _NAME, 0x0E08, 0x3FFD, _SENT_IN))
_TO, _CC, _BCC = 1, 2, 3
_INNER_MESSAGE = 5
_FIRST_NAMED, _SEVERAL = 0x8000, 0x1000
_FIXED_SIZES = {0x02: 2, 0x03: 4, 0x05: 8, 0x0B: 1, 0x40: 8}
_MAX_FOLDER_DEPTH, _MAX_MESSAGE_DEPTH = 30, 10


def _contents(database: Database, most: int) -> Contents:
    """The folders' items. Raises DamagedError, LimitError."""
    folders: dict[int, Node] = {}
    found: list[Node] = []
    for node in database.nodes():
        kind = node.identity & 0x1F
        if kind == _FOLDER:
            folders[node.identity] = node
        elif kind == _MESSAGE and node.parent:
            found.append(node)
    if not folders:
        raise DamagedError(f"{database.name} is damaged: it has no folders.")
    title, top = _store(database)
    names: dict[int, tuple[str, ...]] = {_ROOT: (), top: ()}
    items: list[Item] = []
    broken = 0
    for node in found[-most:]:
        path = _path(database, folders, node.parent, names, 0)
        try:
            items.append(_item(database, node, path))
        except DamagedError:
            broken += 1
    return Contents(title, items, len(found), broken)


def _store(database: Database) -> tuple[str, int]:
    """The name of the store, and the folder that people take for its root."""
    node = database.node(_STORE)
    try:
        store = Properties.of(database, node) if node else Properties({}, {})
    except DamagedError:
        return "", 0
    return store.text(_NAME), int.from_bytes((store.raw(_TOP) or b"")[20:24], "little")


def _path(
    database: Database, folders: dict[int, Node], identity: int, names: dict[int, tuple[str, ...]], depth: int
) -> tuple[str, ...]:
    """A folder's name and of all above it; what leads in a circle ends there."""
    if identity in names:
        return names[identity]
    node = folders.get(identity)
    if node is None or depth > _MAX_FOLDER_DEPTH:
        return ()
    try:
        name = Properties.of(database, node, frozenset((_NAME, 0x3FFD))).text(_NAME)
    except DamagedError:
        name = ""
    above = _path(database, folders, node.parent, names, depth + 1)
    found = names[identity] = (*above, " ".join(name.split()) or f"Folder {identity:X}")
    return found


def _item(database: Database, node: Node, folder: tuple[str, ...]) -> Item:
    facts = Properties.of(database, node, _LISTED)
    return Item(
        f"{node.identity:x}", folder, _subject(facts) or facts.text(_NAME), facts.text(*_SENDER),
        _time(facts, _SUBMITTED, _DELIVERED, _CREATED), max(facts.number(0x0E08), 0),
    )  # fmt: skip


def _subject(facts: Properties) -> str:
    subject = facts.text(_SUBJECT)
    # Two characters before it say how long "RE: " and the like are (2.5.3.1.1.1).
    return " ".join((subject[2:] if subject.startswith("\1") else subject).split())


def _time(facts: Properties, *identities: int) -> datetime | None:
    for identity in identities:
        if time := file_time(facts.raw(identity) or b""):
            return time
    return None


def _message(database: Database, node: Node, most: int) -> bytes:
    """The item as an internet message of at most `most` bytes. Raises DamagedError, LimitError."""
    return _MessageWriter(database, most).message(node, 0)


@dataclass
class _MessageWriter:
    """Writes an item and those in it."""

    database: Database
    left: int
    parts: int = 0
    _named: dict[Identity, int] | None = None

    def message(self, node: Node, depth: int) -> bytes:
        facts = Properties.of(self.database, node)
        kind = facts.text(_KIND)
        head = [f"{name}: {value}" for name, value in self._heads(node, facts) if value]
        body = self._body(facts, kind)
        attached = [
            part for one in facts.below.values() if one.identity & 0x1F == _ATTACHMENT
            for part in self._attachment(one, depth, kind)
        ]  # fmt: skip
        whole = self._several("mixed", [body, *attached]) if attached else body
        return "\r\n".join([*head, "MIME-Version: 1.0", ""]).encode("utf-8", "replace") + whole

    def _heads(self, node: Node, facts: Properties) -> Iterator[tuple[str, str]]:
        sender = facts.text(0x5D01, 0x5D02, 0x0C1F, 0x0065)
        yield "From", mail_address(facts.text(*_SENDER), sender)
        people: dict[int, list[str]] = {_TO: [], _CC: [], _BCC: []}
        table = facts.below.get(_RECIPIENTS)
        try:
            for row in rows(self.database, table, facts.codec) if table else ():
                kind = row.number(0x0C15)
                name = mail_address(row.text(0x3001), row.text(0x39FE, 0x3003))
                people[kind if kind in people else _TO].append(name)
        except DamagedError:
            people = {kind: [] for kind in people}
        for name, kind, shown in (("To", _TO, 0x0E04), ("Cc", _CC, 0x0E03), ("Bcc", _BCC, 0x0E02)):
            yield name, ", ".join(filter(None, people[kind])) or one_line(facts.text(shown))
        yield "Subject", _subject(facts) or one_line(facts.text(_NAME))
        date = _time(facts, _SUBMITTED, _DELIVERED, _CREATED)
        yield "Date", format_datetime(date) if date else ""
        yield "Message-ID", one_line(facts.text(0x1035)) or f"<{node.identity:x}@pst.invalid>"

    def _body(self, facts: Properties, kind: str) -> bytes:
        text = facts.text(0x1000)
        html = facts.raw(0x1013) or b""
        if facts.kind(0x1013) == 0x1F:
            html = facts.text(0x1013).encode("utf-8", "replace")
        packed = facts.raw(0x1009)
        if not text.strip() and not html.strip(b"\0 \r\n") and packed:
            text = rtf_text(unpack_rtf(packed))
        pairs = item_facts(kind, lambda identity: self._value(facts, identity), facts.codec)
        summary = "\n".join(f"{name}: {value}" for name, value in pairs)
        text = "\n\n".join(filter(None, (summary, text.replace("\r\n", "\n").strip())))
        plain = self._part("text/plain; charset=utf-8", text.encode("utf-8", "replace"))
        if not html.strip(b"\0 \r\n") or summary:
            return plain
        charset = "utf-8" if facts.kind(0x1013) == 0x1F else sent_codec(facts.number(_SENT_IN)) or facts.codec
        rich = self._part(f"text/html; charset={charset}", html)
        return self._several("alternative", [plain, rich]) if text else rich

    def _value(self, facts: Properties, identity: Identity) -> Value:
        """A property of any type, by its id or by what names it."""
        if isinstance(identity, str) or identity >= NAMED:
            identity = self._names().get(identity, 0)
        kind, data = facts.kind(identity), facts.raw(identity) or b""
        if not kind & _SEVERAL:
            return Value(kind, (data,) if kind else ())
        base = kind & ~_SEVERAL
        if size := _FIXED_SIZES.get(base, 0):
            return Value(base, [data[at : at + size] for at in range(0, len(data), size)])
        count = min(int.from_bytes(data[:4], "little"), len(data) // 4)
        starts = [int.from_bytes(data[at : at + 4], "little") for at in range(4, 4 + 4 * count, 4)]
        # Each begins where the one before ends: else a few bytes would say all of them, over and over.
        places = pairwise((*starts, len(data))) if starts == sorted(starts) else ()
        return Value(base, [data[start:end] for start, end in places])

    def _names(self) -> dict[Identity, int]:
        """What names a property → its id in this file (2.4.7)."""
        if self._named is None:
            node = self.database.node(_NAMES)
            try:
                names = Properties.of(self.database, node) if node else Properties({}, {})
            except DamagedError:
                names = Properties({}, {})
            entries, strings = names.raw(0x0003) or b"", names.raw(0x0004) or b""
            self._named = {}
            for at in range(0, len(entries) - 7, 8):
                name, kind, index = struct.unpack_from("<IHH", entries, at)
                if not kind & 1:
                    self._named.setdefault(NAMED + name, _FIRST_NAMED + index)
                    continue
                size = int.from_bytes(strings[name : name + 4], "little") // 2 * 2
                text = strings[name + 4 : name + 4 + size].decode("utf-16-le", "replace")
                self._named.setdefault(text, _FIRST_NAMED + index)
        return self._named

    def _attachment(self, node: Node, depth: int, kind: str) -> Iterator[bytes]:
        """A file, or a message in the message; nothing where it cannot be read."""
        try:
            facts = Properties.of(self.database, node)
            inner = facts.inner(0x3701)
            if inner is not None and facts.number(0x3705) == _INNER_MESSAGE:
                if depth < _MAX_MESSAGE_DEPTH:
                    yield self._taken(b"Content-Type: message/rfc822\r\n\r\n" + self.message(inner, depth + 1))
                return
            data = b"".join(self.database.blocks(inner.data)) if inner else facts.raw(0x3701) or b""
        except DamagedError:
            return
        name = one_line(facts.text(0x3707, 0x3704, _NAME)).replace('"', "'") or "attachment"
        media_type = one_line(facts.text(0x370E)).lower()
        if ".SMIME" in kind.upper() and "multipart" not in media_type:
            media_type = "application/pkcs7-mime"
        plain = media_type.count("/") == 1 and not media_type.startswith(("multipart/", "message/"))
        parameter = f'filename="{name}"' if name.isascii() else f"filename*={encode_rfc2231(name, 'utf-8')}"
        more = f"Content-Disposition: attachment; {parameter}"
        if cid := one_line(facts.text(0x3712)):
            more += f"\r\nContent-ID: <{cid.strip('<>')}>"
        yield self._part(media_type if plain else "application/octet-stream", data, more)

    def _part(self, kind: str, data: bytes, more: str = "") -> bytes:
        head = f"Content-Type: {kind}\r\nContent-Transfer-Encoding: base64\r\n" + (f"{more}\r\n" if more else "")
        return self._taken(head.encode("utf-8", "replace") + b"\r\n" + base64.encodebytes(data))

    def _several(self, kind: str, parts: list[bytes]) -> bytes:
        self.parts += 1
        mark = f"=_part_{self.parts}"
        between = f"\r\n--{mark}\r\n".encode()
        head = f'Content-Type: multipart/{kind}; boundary="{mark}"\r\n\r\n'.encode()
        return head + between[2:] + between.join(parts) + f"\r\n--{mark}--\r\n".encode()

    def _taken(self, part: bytes) -> bytes:
        self.left -= len(part)
        if self.left < 0:
            raise LimitError("A message is larger than max_file_bytes.")
        return part


_SOME = 64 * 2**20


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The folders and what is in them. Raises FormatError."""
    source.check_size(limits, by_member=True)
    if is_olm(source):
        return listed(olm.contents(source, limits), "olm", source, limits)
    with source.open() as file:
        # Lists of items read a part of the file, unless its tables lead to the same blocks over and over.
        found = _contents(Database(file, source.size, source.name, source.size + _SOME), limits.max_embedded)
    return listed(found, "pst", source, limits)


def open_embedded(source: Source, ref: str, limits: Limits) -> Payload:
    """An item as an internet message. Raises NotFoundError, FormatError."""
    source.check_size(limits, by_member=True)
    if is_olm(source):
        return Payload(olm.message(source, ref, limits), "message/rfc822", "message.eml")
    try:
        identity = int(ref, 16)
    except ValueError:
        identity = 0
    with source.open() as file:
        database = Database(file, source.size, source.name, 2 * limits.max_file_bytes)
        node = database.node(identity) if identity & 0x1F == 4 else None
        if node is None:
            raise NotFoundError(f"{source.name} holds no item {ref!r}.")
        return Payload(_message(database, node, limits.max_file_bytes), "message/rfc822", "message.eml")
