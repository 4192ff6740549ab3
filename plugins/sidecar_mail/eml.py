"""Internet messages (RFC 5322, MIME) and mailboxes to `Message`s. Headers lie and bodies are broken; nothing is lost
for it: what cannot be decoded by the book is decoded as well as it can be."""

import binascii
import email
import email.header
import email.policy
import email.utils
import mimetypes
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from email.message import Message as Parsed
from itertools import islice

from sidecar.api import DamagedError
from sidecar.toolkit.text import decode, without_surrogates
from sidecar_mail.message import Attachment, Message, is_tnef
from sidecar_mail.signed import signed_content
from sidecar_mail.tnef import read_tnef

_FROM_LINE = re.compile(rb"^From .*\r?\n", re.MULTILINE)
_MAX_DEPTH = 20
_TOLD = ("subject", "from", "sender", "to", "cc", "bcc", "date", "message-id", "reply-to")
_HTML = ("text/html", "application/xhtml+xml")
_ENRICHED = ("text/enriched", "text/richtext")
_PLAIN = ("text/plain", *_ENRICHED)
_TAGS = re.compile(r"<param>(?:(?!<param>).)*?</param>|</?[a-z][a-z-]*>", re.IGNORECASE | re.DOTALL)
"""Of enriched text (RFC 1896)."""
_SMIME = ("application/pkcs7-mime", "application/x-pkcs7-mime")
_REPORTS = ("message/delivery-status", "message/disposition-notification")
_BEGIN = re.compile(r"^begin [0-7]{3,4} ", re.MULTILINE)
_MAX_ENCODED = 50
"""Files in one body: each that has no end is looked for to the end of the body."""
_ENCODED = re.compile(r"^begin [0-7]{3,4} ([^\n]{1,200})\n((?:[!-M][^\n]{0,90}\n)+?)[` ]?\n?end[ \t]*$", re.MULTILINE)
_LINE = {chr(32 + count): 1 + -(-count // 3) * 4 for count in range(1, 46)}
"""By its first character, how many characters of a line of uuencode count: mail programs put blanks behind."""


def read_mailbox(data: bytes) -> Iterator[Message]:
    """Every message of an mbox file (RFC 4155): each begins behind a line "From …" that stands after a blank one."""
    starts = [
        found for found in _FROM_LINE.finditer(data)
        if found.start() == 0 or data[: found.start()].endswith((b"\n\n", b"\r\n\r\n"))
    ]  # fmt: skip
    for number, start in enumerate(starts):
        end = starts[number + 1].start() if number + 1 < len(starts) else len(data)
        yield read_message(re.sub(rb"^>(>*From )", rb"\1", data[start.end() : end], flags=re.MULTILINE), f"{number}.")


def read_message(data: bytes, prefix: str = "") -> Message:
    """One message. `prefix` begins the reference of every attachment. Raises DamagedError when nesting has no end."""
    try:
        return _MessageReader(prefix).message(email.message_from_bytes(data, policy=email.policy.compat32), 0)
    except RecursionError:
        raise DamagedError("The parts of the message are nested too deeply.") from None


@dataclass(frozen=True)
class _Body:
    """A text body: whether it is one of several of which readers see another, and how many of HTML stand before it."""

    text: str
    is_choice: bool
    htmls: int


class _MessageReader:
    """Collects bodies and attachments of one file; attachments are numbered in the order they stand in it."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._count = 0

    def message(self, parsed: Parsed, depth: int) -> Message:
        texts: list[_Body] = []
        htmls: list[str] = []
        attachments: list[Attachment] = []
        inner: list[Message] = []
        broken: list[str] = []
        encrypted, wrapped = False, 0
        pending: list[tuple[Parsed, bool]] = [(parsed, False)]
        while pending:
            part, is_choice = pending.pop(0)
            kind = part.get_content_type()
            if kind in _SMIME and (content := signed_content(_payload(part))) and wrapped < _MAX_DEPTH:
                wrapped += 1
                pending.insert(0, (email.message_from_bytes(content, policy=email.policy.compat32), is_choice))
                continue
            encrypted = encrypted or kind in ("multipart/encrypted", *_SMIME)
            if kind == "message/rfc822" and part.is_multipart() and depth < _MAX_DEPTH:
                inner += [self.message(child, depth + 1) for child in _enclosed(part)]
            elif kind in _REPORTS:
                texts += [_Body(report, is_choice=False, htmls=len(htmls)) for report in _report_fields(part)]
            elif part.is_multipart():
                is_choice = is_choice or kind == "multipart/alternative"
                pending[:0] = [(child, is_choice) for child in _children(part)]
            elif (kind in (*_PLAIN, *_HTML) and not _is_attached(part)) or kind.startswith("multipart/"):
                try:
                    body = _text(part)
                except DamagedError:
                    broken.append(f"a {kind} body holds binary data")
                    continue
                if kind in _HTML:
                    htmls.append(body)
                    continue
                body, found = self._without_encoded(_plain_text(body) if kind in _ENRICHED else body)
                texts.append(_Body(body, is_choice, len(htmls)))
                attachments += found
            else:
                attached = self._attachment(part)
                envelope = self._envelope(attached, broken)
                attachments += envelope.attachments if envelope else (attached,)
                if envelope:
                    texts += [_Body(envelope.text, is_choice=True, htmls=len(htmls))] if not texts else []
                    htmls += [envelope.html] if not htmls else []
                    inner += envelope.inner
        headers = _headers(parsed)
        chosen = [one.text for one in texts if one.is_choice or not htmls]
        beside = [one for one in texts if htmls and not one.is_choice]
        return Message(
            subject=headers["subject"], sender=headers["from"] or headers["sender"], to=headers["to"], cc=headers["cc"],
            bcc=headers["bcc"], reply_to=headers["reply-to"], date=_date(headers["date"]), date_written=headers["date"],
            identity=headers["message-id"], text=_joined(chosen),
            before=_joined(one.text for one in beside if not one.htmls),
            behind=_joined(one.text for one in beside if one.htmls),
            html="\n<hr>\n".join(filter(str.strip, htmls)), attachments=tuple(attachments), inner=tuple(inner),
            encrypted=encrypted, broken=tuple(broken),
        )  # fmt: skip

    def _without_encoded(self, body: str) -> tuple[str, list[Attachment]]:
        """A body without the files that were written into it as text (uuencode), and those files."""
        found: list[Attachment] = []
        pieces: list[str] = []
        end = 0
        for begin in islice(_BEGIN.finditer(body), _MAX_ENCODED) if "begin " in body else ():
            encoded = _ENCODED.match(body, begin.start())
            if encoded is None or encoded.start() < end:
                continue
            data = bytearray()
            try:
                for line in encoded[2].split("\n")[:-1]:
                    data += binascii.a2b_uu(line[: _LINE[line[0]]])
            except (binascii.Error, ValueError):
                continue
            name = encoded[1].strip().replace("\\", "/").rpartition("/")[2]
            ref = f"{self._prefix}{self._count}"
            self._count += 1
            kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
            found.append(Attachment(ref, name or f"file{self._count - 1}", kind, bytes(data)))
            pieces.append(body[end : encoded.start()])
            end = encoded.end()
        return "".join((*pieces, body[end:])), found

    def _envelope(self, attached: Attachment, broken: list[str]) -> Message | None:
        """What Outlook put into winmail.dat; None where that is no such file, or cannot be read."""
        if not is_tnef(attached.data):
            return None
        try:
            return read_tnef(attached.data, attached.name, f"{attached.ref}.")
        except DamagedError as error:
            broken.append(f"an attached envelope cannot be read ({error})")
            return None

    def _attachment(self, part: Parsed) -> Attachment:
        ref = f"{self._prefix}{self._count}"
        self._count += 1
        kind = part.get_content_type()
        name = _decoded(_file_name(part)).replace("\\", "/").rpartition("/")[2].strip()
        if not name:
            # By its suffix it is known to a reader: invitations come without a name.
            name = f"{kind.partition('/')[0]}{self._count - 1}{mimetypes.guess_extension(kind) or ''}"
        return Attachment(ref, name, kind, _payload(part), str(part.get("Content-ID") or "").strip().strip("<>"))


def _joined(texts: Iterable[str]) -> str:
    return "\n\n".join(filter(None, map(str.strip, texts)))


def _plain_text(enriched: str) -> str:
    """Enriched text (RFC 1896) without its commands; a "<" in it stands twice."""
    return _TAGS.sub("", enriched.replace("<<", "\0")).replace("\0", "<")


def _enclosed(part: Parsed) -> list[Parsed]:
    """The message that is attached; some are encoded, though RFC 2046 (5.2.1) forbids it."""
    children = _children(part)
    encoding = str(part.get("Content-Transfer-Encoding") or "").strip().lower()
    if encoding != "base64" or len(children) != 1 or children[0].items():
        return children
    try:
        data = binascii.a2b_base64(str(children[0].get_payload()))
    except (binascii.Error, ValueError):
        return children
    return [email.message_from_bytes(data, policy=email.policy.compat32)]


def _report_fields(part: Parsed) -> list[str]:
    """What a report says (RFC 3464, RFC 8098): groups of headers."""
    groups = _children(part) or [email.message_from_bytes(_payload(part), policy=email.policy.compat32)]
    reports = ["\n".join(f"{key}: {_decoded(str(value))}" for key, value in one.raw_items()) for one in groups]
    return list(filter(None, reports))


def _children(part: Parsed) -> list[Parsed]:
    payload = part.get_payload()
    return [child for child in payload if isinstance(child, Parsed)] if isinstance(payload, list) else []


def _is_attached(part: Parsed) -> bool:
    disposition = str(part.get("Content-Disposition") or "").partition(";")[0].strip().lower()
    return disposition == "attachment" or (disposition != "inline" and bool(part.get_filename()))


def _file_name(part: Parsed) -> str:
    """The name of an attached file, from undeclared bytes too: `get` would turn these into question marks."""
    plain = Parsed()
    for key, value in part.raw_items():
        if key.lower() in ("content-disposition", "content-type"):
            plain[key] = _raw(str(value))
    return plain.get_filename() or ""


def _payload(part: Parsed) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _text(part: Parsed) -> str:
    """A text body. The declared charset is only a hint: senders mislabel."""
    data = _payload(part)
    try:
        declared = str(part.get_content_charset() or "")
    except (LookupError, ValueError, UnicodeError):
        declared = ""
    return without_surrogates(decode(data, "The body", declared).text).replace("\r\n", "\n").replace("\r", "\n")


def _headers(parsed: Parsed) -> dict[str, str]:
    """The headers a message is told by."""
    found: dict[str, list[str]] = {name: [] for name in _TOLD}
    # Raw, since `get` turns undeclared bytes into question marks.
    for key, value in parsed.raw_items():
        name = key.lower()
        if name in found:
            found[name].append(_decoded(str(value)))
    return {name: ", ".join(filter(None, values)) for name, values in found.items()}


def _decoded(value: str) -> str:
    """A header value with its encoded words (RFC 2047) decoded, unfolded; raw eight-bit bytes are guessed."""
    pieces: list[str] = []
    try:
        fields = email.header.decode_header(value)
    except (ValueError, LookupError):
        fields = [(value, None)]
    for piece, charset in fields:
        if isinstance(piece, str):
            pieces.append(_raw(piece))
            continue
        try:
            pieces.append(decode(piece, "A header", charset or "").text)
        except DamagedError:
            pieces.append(piece.decode("latin-1"))
    return " ".join(without_surrogates("".join(pieces)).replace("\0", "").split())


def _raw(value: str) -> str:
    """The email package keeps undeclared bytes as surrogates."""
    try:
        data = value.encode("ascii", "surrogateescape")
    except UnicodeEncodeError:
        return value
    try:
        return decode(data, "A header").text
    except DamagedError:
        return data.decode("latin-1")


def _date(value: str) -> str:
    if not value:
        return ""
    try:
        return email.utils.parsedate_to_datetime(value).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        pass
    try:
        return datetime.fromisoformat(value).isoformat()
    except ValueError:
        return value
