"""Documents of other formats that a document holds as they are (ECMA-376 part 1 §17.17.2.1)."""

from sidecar.api import AnyBlock, FormatError, Notice, Paragraph
from sidecar.toolkit.markup.pictures import Pictures
from sidecar.toolkit.ooxml.embeds import EmbedRegister
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.text import decode


def read_alt_chunk(
    package: Package, part: str, embeds: EmbedRegister, notices: list[Notice], out: list[AnyBlock]
) -> None:
    """Append what a document holds that was put in as it is (§17.17.2.1): plain text is read as paragraphs, HTML by the
    reader of web pages; other formats become an attachment and a notice."""
    try:
        declared = package.content_type(part)
        if declared == "text/plain" or part.lower().endswith(".txt"):
            text = package.read(part).decode("utf-8-sig", "replace")
            out += [Paragraph(text=line.strip()) for line in text.splitlines() if line.strip()]
        elif "html" in declared or part.lower().endswith((".html", ".htm", ".xhtml")):
            out += _html(package.read(part), part)
        elif declared == "message/rfc822" or part.lower().endswith((".mht", ".mhtml")):
            out += _mht(package.read(part), part)
        else:
            embeds.attachment(part)
            notices.append(
                Notice("unsupported_content", f"The inserted document {part} is kept as an attachment, not read.")
            )
    except (FormatError, LookupError, ValueError) as error:
        notices.append(Notice("damaged_part", f"The inserted document {part} cannot be read: {error}."))


def _mht(data: bytes, name: str) -> list[AnyBlock]:
    import email.policy  # few documents hold such a part, and every worker would import it

    body = email.message_from_bytes(data, policy=email.policy.default).get_body(("html", "plain"))
    return _html(str(body.get_content()).encode(), name, "utf-8") if body is not None else []


def _html(data: bytes, name: str, encoding: str = "") -> list[AnyBlock]:
    from sidecar.toolkit.markup.html import declared_encoding, parse_html, read_html  # as rarely needed

    text = decode(data, name, encoding or declared_encoding(data)).text
    # What pictures there are lies outside the package, or in the page itself; Word keeps those it shows as its own.
    return read_html(parse_html(text, name), Pictures(0)) if text.strip() else []
