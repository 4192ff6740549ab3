"""Writes messages as parts: the headers as a note, the body, the attached files; messages inside messages follow."""

import mimetypes
import re
from collections.abc import Iterator, Sequence
from html import unescape

from msgspec.structs import replace

from sidecar.api.errors import DamagedError, EncryptedError, NotFoundError
from sidecar.api.formats import Limits, Payload, Source
from sidecar.api.model import AnyBlock, Embed, Figure, Heading, Note, Notice, Paragraph, ParsedDocument, Part
from sidecar.toolkit.hidden import find_hidden
from sidecar.toolkit.markup.chapters import elements_of, place_embeds
from sidecar.toolkit.markup.pictures import InnerFile, Pictures, open_data_url, payload
from sidecar.toolkit.pictures import HEAD_BYTES
from sidecar.toolkit.text import decode
from sidecar.toolkit.visible import comment_notes, comments_notice, hidden_notice, invisible_spans, source_comments
from sidecar_mail.eml import read_mailbox, read_message
from sidecar_mail.message import Attachment, Message, is_outlook, is_tnef
from sidecar_mail.outlook import read_outlook
from sidecar_mail.signed import is_enveloped, is_signed, signed_content
from sidecar_mail.tnef import read_tnef

_LONG = 4000
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_NO_TEXT = re.compile(r"<(style|script|title)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL | re.IGNORECASE)
_ADDRESS = re.compile(
    r"(?<!\w)\w++://\S+|HYPERLINK\s+\"[^\"]*\"|\[(?:image|cid): ?[^\[\]]*+\]|(?<![^\s@])[^\s@]++@\S+", re.IGNORECASE
)
"""What stands in a text body for a link, a picture or an address, which HTML keeps in attributes."""
_IN_ADDRESSES = ("@", "://", "[", '"')
_TAG = re.compile(r"<[^<>]*>")
_WORD = re.compile(r"[^\W\d_]{4,}")
_MORE = 4
"""One word in so many that the HTML body shows, and one besides, may be missing in a text body shown in its stead."""
_MIN_WORDS, _UNSEEN = 3, 0.25
"""How many words a paragraph must have to be judged, and the share of them that makes it another text."""
_TIFF = (b"II*\0", b"MM\0*")
_QUOTE = re.compile(r"^(?:> ?)+", re.MULTILINE)


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The file as a document of messages. Raises FormatError."""
    found = list(_messages(source, limits))
    messages = list(_flat(iter(found)))
    if not messages:
        raise DamagedError(f"{source.name} holds no message.")
    notices: list[Notice] = []
    if len(messages) > limits.max_parts:
        notices.append(Notice("truncated_at", f"Only {limits.max_parts:,} of {len(messages):,} messages were read."))
        messages = messages[: limits.max_parts]
    files: dict[str, Attachment] = {}
    for message in messages:
        files.update({f"cid:{one.content_id}": one for one in message.attachments if one.content_id})
        files.update({f"file:{one.ref}": one for one in message.attachments})
    pictures = Pictures(limits.max_embedded, lambda src: _inner(files.get(src)))
    parts: list[Part] = []
    for number, message in enumerate(messages, 1):
        comments = source_comments(message.html)
        parts.append(_part(message, comments, pictures, limits))
        notices += (*hidden_notice(parts[-1].blocks, number), *comments_notice(comments, number))
        if message.encrypted:
            notices.append(Notice("encrypted", "The message is encrypted; only its headers are readable.", number))
        notices += [Notice("damaged_part", f"In this message, {what}.", number) for what in message.broken]
    first = messages[0]
    embedded: list[Embed] = list(pictures.embedded)
    return ParsedDocument(
        title=first.subject if len(found) == 1 else "",  # a mailbox is called what its file is
        media_type=_file_type(source),
        metadata=_metadata(first) | ({"messages": str(len(messages))} if len(messages) > 1 else {}),
        parts=tuple(parts),
        elements=elements_of(parts),
        embedded=place_embeds(parts, embedded),
        notices=(*notices, *pictures.notices()),
    )


def open_embedded(source: Source, ref: str, limits: Limits) -> Payload:
    """An attached file, by the reference its embed has. Raises NotFoundError."""
    if ref.startswith("data:"):
        messages = list(_flat(_messages(source, limits)))
        pictures = Pictures(limits.max_embedded, wanted=ref)
        for message in messages:
            _part(message, (), pictures, limits)
        if pictures.found_url:
            return open_data_url(pictures.found_url, source.name, ref)
    for message in _flat(_messages(source, limits)):
        for attachment in message.attachments:
            if attachment.ref == ref:
                return payload(attachment.data, _media_type(attachment), attachment.name)
    raise NotFoundError(f"{source.name} holds no attached file {ref!r}.")


def _messages(source: Source, limits: Limits) -> Iterator[Message]:
    data = source.read(limits.max_file_bytes)
    if is_outlook(source) or is_tnef(data):
        yield (read_outlook if is_outlook(source) else read_tnef)(data, source.name)
        return
    if is_enveloped(data):
        raise EncryptedError(f"{source.name} is encrypted; save the message itself to index it.")
    if is_signed(data):
        content = signed_content(data)
        if not content:
            raise DamagedError(f"{source.name} holds a signature, but not what was signed.")
        yield read_message(content)
        return
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:64]:
        data = decode(data, source.name).text.encode()  # saved as UTF-16, which no mail program does but editors do
    data = data.removeprefix(b"\xef\xbb\xbf")
    if source.suffix == ".emlx":
        data = data.partition(b"\n")[2]  # Apple Mail puts the length on a line of its own
    if not data.strip():
        raise DamagedError(f"{source.name} is empty.")
    if data.startswith(b"From ") or source.suffix == ".mbox":
        yield from read_mailbox(data)
        return
    yield _single(data, source.name)


def _single(data: bytes, name: str) -> Message:
    message = read_message(data)
    if not (message.sender or message.to or message.subject or message.date or message.identity):
        if b":" not in data[:2000] or not (message.text or message.html or message.attachments):
            raise DamagedError(f"{name} has no mail headers.")
        decode(data, name)  # raises for binary data
    return message


def _file_type(source: Source) -> str:
    if is_outlook(source):
        return "application/vnd.ms-outlook"
    return "application/ms-tnef" if is_tnef(source.head) else "message/rfc822"


def _flat(messages: Iterator[Message]) -> Iterator[Message]:
    for message in messages:
        yield message
        yield from _flat(iter(message.inner))


def _metadata(message: Message) -> dict[str, str]:
    facts = {"author": message.sender, "to": message.to, "cc": message.cc, "bcc": message.bcc, "created": message.date,
             "subject": message.subject, "message_id": message.identity}  # fmt: skip
    return {key: value[:2000] for key, value in facts.items() if value}


def _part(message: Message, comments: Sequence[str], pictures: Pictures, limits: Limits) -> Part:
    blocks: list[AnyBlock] = []
    if message.subject.strip():
        blocks.append(Heading(text=" ".join(message.subject.split()), level=1))
    facts = (
        ("From", message.sender), ("To", message.to), ("Cc", message.cc), ("Bcc", message.bcc),
        ("Reply-To", "" if message.reply_to == message.sender else message.reply_to), ("Date", _date_text(message)),
    )  # fmt: skip
    headers = "\n".join(f"{name}: {value}" for name, value in facts if value)
    if headers:
        blocks.append(Note(kind="header", text=headers))
    if message.facts:
        blocks.append(Paragraph(text="\n".join(f"{name}: {value}" for name, value in message.facts)))
    blocks += _body(message, pictures, limits)
    shown = {block.embed for block in blocks if isinstance(block, Figure)}
    for attachment in message.attachments:
        key = pictures.add(f"file:{attachment.ref}", attachment.name)
        cid = pictures.add(f"cid:{attachment.content_id}") if attachment.content_id else None
        if key and key not in shown and (cid is None or cid not in shown):
            blocks.append(Figure(embed=key, alt=attachment.name))
    blocks += comment_notes(comments)
    return Part(
        kind="message", title=" ".join(message.subject.split()), blocks=tuple(blocks), metadata=_metadata(message)
    )


def _date_text(message: Message) -> str:
    """The date as the message writes it, which readers quote, with the day in figures, which everybody sorts by."""
    day = message.date.partition("T")[0]
    if not message.date_written or message.date_written == message.date:
        return message.date
    return f"{message.date_written} ({day})" if day not in message.date_written else message.date_written


def _body(message: Message, pictures: Pictures, limits: Limits) -> Sequence[AnyBlock]:
    """The bodies, in order."""
    return [
        *_text_only_paragraphs(message.before, message.html, limits), *_chosen(message, pictures, limits),
        *_text_only_paragraphs(message.behind, message.html, limits),
    ]  # fmt: skip


def _text_only_paragraphs(text: str, html: str, limits: Limits) -> list[Paragraph]:
    """Paragraphs that stand beside the HTML body, but for those that it says as well."""
    source = unescape(_COMMENT.sub("", html)).lower() if text else ""
    blocks = _plain(text[: limits.max_text_chars])
    return [block for block in blocks if not (words := _words(block.text)) or any(word not in source for word in words)]


def _chosen(message: Message, pictures: Pictures, limits: Limits) -> Sequence[AnyBlock]:
    """The HTML body, which mail programs show; the text body, which is tidier, where that says nearly all of it. What
    only the text says is hidden from readers."""
    text = message.text.strip()
    html = message.html[: limits.max_text_chars]
    plain = _plain(text[: limits.max_text_chars])
    if not html.strip():
        return plain
    unseen = _only_in_text(plain, html)
    shown = _words(unescape(_TAG.sub(" ", _NO_TEXT.sub(" ", html))))
    plainly = _words(text)
    more = len(shown - plainly)
    if plain and (more - 1) * _MORE <= len(shown) and more <= len(plainly - shown) and len(unseen) * 2 <= len(plain):
        return [replace(block, hidden=True) if block in unseen else block for block in plain]
    from sidecar.toolkit.markup.html import parse_html, read_html

    try:
        root = parse_html(html, "The body")
    except DamagedError:
        return plain
    blocks = read_html(root, pictures, hidden=find_hidden(root))
    return [*blocks, *(replace(block, hidden=True) for block in unseen)] if blocks else plain


def _words(text: str) -> set[str]:
    if any(mark in text for mark in _IN_ADDRESSES):
        text = _ADDRESS.sub(" ", text)
    return set(_WORD.findall(text.lower()))


def _only_in_text(blocks: Sequence[Paragraph], html: str) -> list[Paragraph]:
    """Paragraphs of the text body that the HTML body, which mail programs show, does not have: a good part of their
    words stand nowhere in its source."""
    source = unescape(_COMMENT.sub("", html)).lower()
    there = set(_WORD.findall(source))
    unseen: list[Paragraph] = []
    for block in blocks:
        words = _words(block.text)
        missing = sum(word not in source for word in words - there)
        if len(words) >= _MIN_WORDS and missing >= _UNSEEN * len(words):
            unseen.append(block)
    return unseen


def _plain(text: str) -> list[Paragraph]:
    blocks: list[Paragraph] = []
    for chunk in re.split(r"\n[ \t]*\n", text):
        body = chunk.strip("\n").rstrip()
        if not body.strip():
            continue
        lines = body.split("\n")
        quoted = all(line.startswith(">") for line in lines)
        style = "quote" if quoted else ""
        shown = _QUOTE.sub("", body) if quoted else "\n".join(map(str.strip, lines))
        for at in range(0, len(shown), _LONG):
            piece = shown[at : at + _LONG].strip()
            if piece:
                blocks.append(Paragraph(text=piece, spans=tuple(invisible_spans(piece)), style=style))
    return blocks


def _media_type(attachment: Attachment) -> str:
    kind = attachment.media_type
    if kind in ("application/octet-stream", "") or kind.count("/") != 1:
        kind = mimetypes.guess_type(attachment.name)[0] or "application/octet-stream"
    return kind


def _inner(attachment: Attachment | None) -> InnerFile | None:
    if attachment is None:
        return None
    kind = _media_type(attachment)
    head = attachment.data[:HEAD_BYTES]
    pages = head.startswith(_TIFF) and not attachment.content_id
    return InnerFile(attachment.ref, attachment.name, kind, len(attachment.data), head, apart=pages)
