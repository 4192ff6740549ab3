"""Which files hold secrets, told by their names before they are opened, and by their first bytes before they are read.

They are listed and not indexed, unless the folder's table of the configuration says `secrets = true`. What merely
mentions a password is not told from any other text.
"""

from __future__ import annotations

import re
from typing import Final

HOW: Final = "`secrets = true` in the folder's table of the configuration allows it"
BY_NAME: Final = (
    f"Its name is that of a secret (a key, credentials, a store of passwords), so it was not opened; {HOW}."
)
BY_CONTENT: Final = f"It begins as a private key or a store of keys does, so it was not indexed; {HOW}."
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
    (
        b".aws", b".azure", b".docker", b".gnupg", b".kube", b".password-store", b".ssh", b"keychains",
    )
)  # fmt: skip
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


def is_secret_name(name: bytes) -> bool:
    """Whether a file of that name (without directories) holds a secret."""
    lower = name.lower()
    stem, dot, suffix = lower.rpartition(b".")
    if (suffix in _COPIES and is_secret_name(stem)) or (lower[-1:] == b"~" and is_secret_name(lower[:-1])):
        return True
    if (dot and suffix in _SUFFIXES) or lower in _NAMES:
        return True
    return lower.startswith(_BEGINNINGS) and _PATTERN.fullmatch(lower) is not None


def is_secret_head(head: bytes, suffix: str = "") -> bool:
    """Whether a file that begins so, with that suffix in lower case, is a private key or a store of keys: any `.key`
    that is not a Keynote presentation, which is a zip package, is."""
    if suffix == ".key" and not head.startswith(b"PK\x03\x04"):
        return True
    return head.startswith(_MAGIC) or any(one.match(head) for one in (_HEADER, _AGE_KEY))
