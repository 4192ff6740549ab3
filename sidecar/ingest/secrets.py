"""Which files hold secrets, told by their names before they are opened, and by their first bytes before they are read.

They are listed and not indexed, unless the folder's table of the configuration says `secrets = true`. What merely
mentions a password is not told from any other text."""

import base64
import binascii
import re
from typing import Final

from sidecar.api.formats import SNIFF_BYTES
from sidecar.toolkit.ole import OLE_MAGIC

HOW: Final = "`secrets = true` in the folder's table of the configuration allows it"
BY_NAME: Final = (
    f"Its name is that of a secret (a key, credentials, a store of passwords), so it was not opened; {HOW}."
)
_BY_CONTENT: Final = f"It begins as a private key or a store of keys does, so it was not indexed; {HOW}."
_BY_SUFFIX: Final = (
    f"A `.key` file that is no Keynote presentation is taken for a private key, so it was not indexed; {HOW}."
)
_BY_KEY: Final = f"A private key stands in it, so it was not indexed; {HOW}."
DIRECTORY: Final = f"It holds secrets (a browser's profile, keys, credentials) and is not looked into; {HOW}."

_SUFFIXES: Final = frozenset(
    (
        b"env", b"jks", b"kdb", b"kdbx", b"keychain", b"keychain-db", b"keystore", b"kubeconfig", b"ovpn", b"p12",
        b"pem", b"pfx", b"ppk", b"tfstate", b"tfvars",
    )
)  # fmt: skip
_COPIES: Final = frozenset((b"backup", b"bak", b"old", b"orig", b"save"))
"""What follows the name of a file in that of a copy of it: `terraform.tfstate.backup`."""
_NAMES: Final = frozenset(
    (
        b".boto", b".dockercfg", b".git-credentials", b".htpasswd", b".my.cnf", b".netrc", b".npmrc", b".pgpass",
        b".pypirc", b".s3cfg", b".terraformrc", b".vault_pass", b"_netrc", b"gshadow", b"gshadow-", b"htpasswd",
        b"key3.db", b"key4.db", b"kubeconfig", b"login data", b"login data for account", b"logins.json",
        b"master.passwd", b"shadow", b"shadow-", b"signons.sqlite", b"wallet.dat",
    )
)  # fmt: skip
_PATTERN: Final = re.compile(
    rb"\.env.*|id_[^.]+|credentials[^/]*\.json|service[-_]account[^/]*\.json|client_secret[^/]*\.json|secrets\.[^/]+|"
    rb"kubeconfig\.(?:ya?ml|json)",
    re.DOTALL,
)
_BEGINNINGS: Final = (b".env", b"id_", b"cred", b"serv", b"client_", b"secrets.", b"kube")
"""What a name begins with that `_PATTERN` may match: most names are told without it."""

FOLDERS: Final = frozenset(
    (b".aws", b".azure", b".docker", b".gnupg", b".kube", b".password-store", b".ssh", b"keychains")
)
PROFILE_MARKERS: Final = frozenset((b"Login Data", b"key3.db", b"key4.db", b"logins.json", b"cookies.sqlite"))
"""A directory holding one of these is the profile of a Chromium or Firefox browser."""

_HEADER: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:Bag Attributes\b.*?)?-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----", re.DOTALL
)
"""RFC 7468 and what OpenSSL writes in front of it; RFC 4880, section 6.2."""
_AGE_KEY: Final = re.compile(rb"(?:#[^\n]{0,200}\r?\n){0,5}AGE-SECRET-KEY-")
"""age-keygen(1): after its remarks."""
_MAGIC: Final = (
    b"PuTTY-User-Key-File-", b"openssh-key-v1\0", b"---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----",
    b"\x03\xd9\xa2\x9a",  # KeePass
    b"\xfe\xed\xfe\xed", b"\xce\xce\xce\xce",  # Java key stores (JKS, JCEKS)
)  # fmt: skip
_ZIP_MEMBER: Final = b"PK\x03\x04"
_DOCUMENTS: Final = (b"%PDF-", OLE_MAGIC, b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF8", b"{\\rtf")
"""What documents of other kinds begin with."""

_KEY_WINDOW: Final = 64 * 2**10
"""Bytes of a file that are looked through for a private key."""
_PLAIN: Final = frozenset(
    (
        "", ".bat", ".cfg", ".cnf", ".conf", ".config", ".csv", ".ini", ".json", ".list", ".log", ".properties", ".ps1",
        ".sh", ".text", ".toml", ".txt", ".xml", ".yaml", ".yml",
    )
)  # fmt: skip
"""Suffixes of notes and configurations. Sources and markup show keys as samples."""
_MAX_BLOCKS: Final = 16
_NO_KEY: Final = re.compile(rb"^[^\n]*:[^\n]*$|^\s*=[^\n]*$|\\[nr]|[^A-Za-z0-9+/=]", re.MULTILINE)
"""What stands between the lines of a key: headers, the check sum of OpenPGP, line ends of JSON, quotation marks."""
_MIN_ENCRYPTED: Final = 64
"""Bytes of a key whose encoding cannot be looked into."""


SUSPECT_SUFFIXES: Final = _SUFFIXES | _COPIES | {name.rpartition(b".")[2] for name in _NAMES}
SUSPECT_BEGINNINGS: Final = _BEGINNINGS
"""A name, in lower case, that neither ends nor begins so, nor ends in "~", is no secret's."""


def is_secret_name(name: bytes) -> bool:
    """Whether a file of that name (without directories) holds a secret."""
    lower = name.lower()
    stem, dot, suffix = lower.rpartition(b".")
    if (suffix in _COPIES and is_secret_name(stem)) or (lower[-1:] == b"~" and is_secret_name(lower[:-1])):
        return True
    if (dot and suffix in _SUFFIXES) or lower in _NAMES:
        return True
    return lower.startswith(_BEGINNINGS) and _PATTERN.fullmatch(lower) is not None


def secret_head(head: bytes, suffix: str = "") -> str:
    """Why a file that begins so, with that suffix in lower case, is a private key or a store of keys; "" of most.

    Any `.key` is taken for one that holds something and no member of a zip package in these bytes, as a Keynote
    presentation does, a damaged one too, nor begins as a file of some other kind that was named so."""
    if head.startswith(_MAGIC) or any(one.match(head) for one in (_HEADER, _AGE_KEY)):
        return _BY_CONTENT
    if suffix != ".key" or not head.strip(b"\0") or _ZIP_MEMBER in head or head.startswith(_DOCUMENTS):
        return ""
    return _BY_SUFFIX


def secret_content(data: bytes, suffix: str) -> str:
    """Why what begins with this `data`, a file with that suffix in lower case, is not to be read; "" of most."""
    return secret_head(data[:SNIFF_BYTES], suffix) or (_BY_KEY if _holds_key(data, suffix) else "")


def _holds_key(text: bytes, suffix: str) -> bool:
    """Whether notes or a configuration of that suffix, in lower case, hold a private key below other text: a whole one,
    whose encoding says how long it is, and not a sample that is cut short."""
    if suffix not in _PLAIN:
        return False
    for block in text[:_KEY_WINDOW].split(b"-----BEGIN ")[1 : _MAX_BLOCKS + 1]:
        label, _, rest = block.partition(b"-----")
        body, end, _ = rest.partition(b"-----END ")
        if end and label.endswith((b"PRIVATE KEY", b"PRIVATE KEY BLOCK")) and _is_whole(label, body):
            return True
    return False


def _is_whole(label: bytes, body: bytes) -> bool:
    try:
        key = base64.b64decode(_NO_KEY.sub(b"", body), validate=True)
    except binascii.Error:
        return False
    if label.endswith(b"BLOCK") or b"ENCRYPTED" in body:  # OpenPGP; RFC 1421, section 4.6
        return len(key) >= _MIN_ENCRYPTED
    return (key.startswith(b"openssh-key-v1\0") and len(key) >= _MIN_ENCRYPTED) or _is_sequence(key)


def _is_sequence(key: bytes) -> bool:
    """Whether it is one SEQUENCE of the distinguished encoding rules, as long as it says (X.690, 8.1.3 and 10.1)."""
    if len(key) < 2 or key[0] != 0x30:
        return False
    octets = key[1] & 0x7F if key[1] & 0x80 else 0
    length = int.from_bytes(key[2 : 2 + octets], "big") if octets else key[1]
    return len(key) == 2 + octets + length
