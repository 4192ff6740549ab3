"""`upstream://{server}/{+uri}`: between our URIs and a server's own. Pure; a server's URI is never resolved by us.

The server's URI follows as it is (RFC 6570 reserved expansion): only characters that a URI may not hold are
percent-encoded. So `upstream://files/file:///a%20b.txt` is the resource `file:///a b.txt` or `file:///a%20b.txt` of
the server `files`, whichever it listed.
"""

from __future__ import annotations

from urllib.parse import quote, unquote

from sidecar.api import UsageError

__all__ = ["LONGEST", "SCHEME", "address", "prefix", "split_address"]

SCHEME = "upstream"
LONGEST = 4096
"""Characters of a server's URI that we list; a longer one is a mistake or an attack."""
_KEPT = "%:/?#[]@!$&'()*+,;=-._~"


def prefix(server: str) -> str:
    """What our URIs of that server begin with."""
    return f"{SCHEME}://{server}/"


def address(server: str, uri: str) -> str:
    """Our URI (ASCII) of the server's resource."""
    return prefix(server) + quote(uri, safe=_KEPT, errors="replace")


def template_address(server: str, template: str) -> str:
    """Our URI template of the server's: braces stay."""
    return prefix(server) + quote(template, safe=_KEPT + "{}", errors="replace")


def split_address(uri: str) -> tuple[str, str]:
    """The server's name and what follows it.

    Raises:
        UsageError: it is not of that form.
    """
    scheme, _, rest = uri.strip().partition("://")
    server, slash, path = rest.partition("/")
    if scheme.lower() != SCHEME or not server or not slash or not path:
        raise UsageError(f"{uri[:80]} is incomplete; the form is upstream://{{server}}/{{uri of that server}}.")
    return unquote(server), path
