"""Outlook messages (MS-OXMSG): properties and storages of an OLE compound file to a `Message`."""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

from sidecar.api import DamagedError
from sidecar.toolkit.ole.compound import Compound
from sidecar.toolkit.ole.objects import inner_storage
from sidecar.toolkit.ole.outlook_items import NAMED, Identity, Value, facts, sent_codec, strings_codec
from sidecar.toolkit.text import decode, without_surrogates
from sidecar.toolkit.word.outlook_rtf import rtf_text, unpack_rtf
from sidecar_mail.eml import read_message
from sidecar_mail.message import Attachment, Message, file_time_text, full_address
from sidecar_mail.signed import signed_content

_TEXT, _ANSI, _BYTES = "001F", "001E", "0102"
_VARIABLE = frozenset((0x1E, 0x1F, 0x102))
_SEVERAL = 0x1000
_MAX_VALUES = 1000
_NAMES = "__nameid_version1.0"
_FIRST_NAMED = 0x8000
_MAX_DEPTH = 10
_TO, _CC, _BCC = 1, 2, 3


def read_outlook(data: bytes, name: str) -> Message:
    """The message in a .msg file. Raises DamagedError."""
    try:
        return _Storage(Compound(data), ()).message()
    except struct.error as error:
        raise DamagedError(f"{name} is a damaged Outlook message: {error}.") from error


@dataclass(frozen=True)
class _Storage:
    """A storage with properties: the message itself, a recipient, an attachment, a message inside an attachment."""

    compound: Compound
    path: tuple[str, ...]
    prefix: str = ""
    depth: int = 0
    outer: str = "cp1252"
    """The codec of what the storage stands in."""

    @cached_property
    def codec(self) -> str:
        """That of its strings which are not Unicode."""
        return strings_codec(self.number("3FFD", 0), self.number("3FDE", 0)) or self.outer

    def message(self) -> Message:
        children = self.compound.storage(self.path)
        if not any(child.lower().startswith(("__substg1.0_", "__properties_version1.0")) for child in children):
            raise DamagedError("The compound file holds no Outlook message.")
        recipients: dict[int, list[str]] = {_TO: [], _CC: [], _BCC: []}
        attachments: list[Attachment] = []
        inner: list[Message] = []
        count = 0
        for child in sorted(child for child, is_storage in children.items() if is_storage):
            below = _Storage(self.compound, (*self.path, child), self.prefix, self.depth, self.codec)
            if child.lower().startswith("__recip_version1.0_"):
                address = full_address(below.text("3001"), below.text("39FE") or below.text("3003"))
                recipients.setdefault(below.number("0C15", _TO), []).append(address)
            elif child.lower().startswith("__attach_version1.0_"):
                nested = (*below.path, "__substg1.0_3701000D")
                is_message = any(name.startswith("__") for name in self.compound.storage(nested))
                if is_message and self.depth < _MAX_DEPTH:
                    prefix = f"{self.prefix}{count}."
                    inner.append(_Storage(self.compound, nested, prefix, self.depth + 1, self.codec).message())
                else:
                    attachments.append(below.attachment(f"{self.prefix}{count}"))
                count += 1
        kind = self.text("001A").lower()
        signed = next(filter(None, (signed_content(one.data) for one in attachments if ".smime" in kind)), b"")
        if signed:
            attachments = []
            inner.append(read_message(signed, f"{self.prefix}{count}."))
        html = self.html()
        text = self.text("1000").strip()
        if not text and not html.strip():
            packed = self.stream("1009", _BYTES)
            text = rtf_text(unpack_rtf(packed)) if packed else ""
        subject = self.text("0037")
        if not (kind or text or html or inner or attachments or subject or self.time("0039")):
            raise DamagedError("The compound file holds no Outlook message that can be read.")
        item_properties = tuple(facts(kind, self._values(), self.codec))
        return Message(
            subject=subject or ("" if kind.startswith("ipm.note") else self.text("3001")),
            sender=full_address(self.text("0C1A") or self.text("0042"), self._sender_address()),
            to=", ".join(filter(None, recipients[_TO])) or self.text("0E04"),
            cc=", ".join(filter(None, recipients[_CC])) or self.text("0E03"),
            bcc=", ".join(filter(None, recipients[_BCC])) or self.text("0E02"),
            reply_to=self.text("0050"),
            date=self.time("0039") or self.time("0E06"),
            identity=self.text("1035"),
            text=text.replace("\r\n", "\n").replace("\r", "\n"),
            html=html,
            facts=item_properties,
            attachments=tuple(attachments),
            inner=tuple(inner),
            encrypted=(".smime" in kind and "multipartsigned" not in kind and not signed)
            or any(one.media_type == "application/pgp-encrypted" for one in attachments),
        )

    def _sender_address(self) -> str:
        """The address of the internet where there is one, else that within the organisation (X.500): the only one there
        is, as with those a message goes to."""
        addresses = [self.text(tag) for tag in ("5D01", "5D02", "0C1F", "0065")]
        return next((address for address in addresses if "@" in address), addresses[2] or addresses[3])

    def attachment(self, ref: str) -> Attachment:
        name = self.text("3707") or self.text("3704") or self.text("3001") or f"attachment{ref}"
        data = self.stream("3701", _BYTES) or b""
        kind = self.text("370E").strip()
        held = inner_storage(self.compound, (*self.path, "__substg1.0_3701000D"))  # an object out of another program
        if held is not None:
            data, kind = held.data, held.media_type
            name = name if PurePath(name).suffix else f"{name}{PurePath(held.name).suffix}"
        return Attachment(
            ref, name.replace("\\", "/").rpartition("/")[2] or f"attachment{ref}",
            kind if kind.count("/") == 1 else "application/octet-stream", data, self.text("3712"),
        )  # fmt: skip

    def html(self) -> str:
        raw = self.stream("1013", _BYTES)
        if raw is None:
            return self.text("1013")
        try:
            return without_surrogates(decode(raw, "The body", self._sent_in()).text)
        except DamagedError:
            return raw.decode("utf-8", "ignore").replace("\0", "")

    def stream(self, tag: str, kind: str) -> bytes | None:
        return self.compound.stream_in(self.path, f"__substg1.0_{tag}{kind}")

    def text(self, tag: str) -> str:
        """A string property, "" where the storage has none."""
        raw = self.stream(tag, _TEXT)
        if raw is not None:
            value = raw[: len(raw) // 2 * 2].decode("utf-16-le", "replace")
        else:
            raw = self.stream(tag, _ANSI)
            if raw is None:
                return ""
            value = raw.decode(self.codec, "replace")
        return without_surrogates(value.rstrip("\0").replace("\0", " "))

    def _values(self) -> Callable[[Identity], Value]:
        """What gives a property of any type, by its id or by what names it."""
        properties, named = self._properties, self._named()

        def value(identity: Identity) -> Value:
            own = named.get(identity, 0) if isinstance(identity, str) or identity >= NAMED else identity
            tag = f"{own:04X}"
            return self._value(tag, *properties.get(tag, (0, b"")))

        return value

    def _value(self, tag: str, kind: int, fixed: bytes) -> Value:
        base = kind & ~_SEVERAL
        if kind == base and base not in _VARIABLE:
            return Value(base, (fixed,) if kind else ())
        if kind == base:
            one = self.stream(tag, f"{kind:04X}")
            return Value(base, () if one is None else (one,))
        several: list[bytes] = []
        for number in range(_MAX_VALUES):
            part = self.stream(tag, f"{kind:04X}-{number:08X}")
            if part is None:
                break
            several.append(part)
        return Value(base, several)

    def _named(self) -> dict[Identity, int]:
        """What names a property → its id in this file (MS-OXMSG 2.2.3)."""
        entries = self.compound.stream_in((_NAMES,), "__substg1.0_00030102") or b""
        strings = self.compound.stream_in((_NAMES,), "__substg1.0_00040102") or b""
        found: dict[Identity, int] = {}
        for at in range(0, len(entries) - 7, 8):
            name, kind, index = struct.unpack_from("<IHH", entries, at)
            if not kind & 1:
                found.setdefault(NAMED + name, _FIRST_NAMED + index)
            elif name + 4 <= len(strings):
                size = int.from_bytes(strings[name : name + 4], "little")
                text = strings[name + 4 : name + 4 + size // 2 * 2].decode("utf-16-le", "replace")
                found.setdefault(text, _FIRST_NAMED + index)
        return found

    @cached_property
    def _properties(self) -> dict[str, tuple[int, bytes]]:
        """Types and fixed-length values, eight bytes each, by property id (MS-OXMSG 2.4)."""
        raw = self.compound.stream_in(self.path, "__properties_version1.0") or b""
        kind = self.path[-1].lower() if self.path else ""
        header = 32 if not kind else 24 if kind.endswith("000d") else 8
        found: dict[str, tuple[int, bytes]] = {}
        for at in range(header, len(raw) - 15, 16):
            type_, identity = struct.unpack_from("<HH", raw, at)
            found[f"{identity:04X}"] = type_, raw[at + 8 : at + 16]
        return found

    def number(self, tag: str, default: int) -> int:
        value = self._properties.get(tag)
        return struct.unpack_from("<i", value[1])[0] if value else default

    def time(self, tag: str) -> str:
        """A time property, ISO 8601, "" where the storage has none."""
        return file_time_text(self._properties.get(tag, (0, b""))[1])

    def _sent_in(self) -> str:
        """The codec of the code page that the message was sent in, "" where it is not told."""
        number = self.number("3FDE", 0)
        if not number and self.path:
            number = _Storage(self.compound, ()).number("3FDE", 0)
        return sent_codec(number)
