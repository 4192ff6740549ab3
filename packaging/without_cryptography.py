"""Run by the frozen program before anything else: stands for `cryptography`, 15 MB of which the MCP SDK imports four
names on the way to its high-level server, whose encrypted request state nothing here uses. Using one says so.
"""

import sys
from types import ModuleType


def _absent(name: str) -> type[Exception]:
    def refuse(self: object, *_: object, **__: object) -> None:
        raise NotImplementedError(f"{name} is not part of the frozen program; install docsidecar from its wheel.")

    return type(name, (Exception,), {"__init__": refuse})


for path, names in (
    ("cryptography", ()),
    ("cryptography.exceptions", ("InvalidTag",)),
    ("cryptography.hazmat", ()),
    ("cryptography.hazmat.primitives", ()),
    ("cryptography.hazmat.primitives.ciphers", ()),
    ("cryptography.hazmat.primitives.ciphers.aead", ("AESGCM",)),
    ("cryptography.hazmat.primitives.hashes", ("SHA256",)),
    ("cryptography.hazmat.primitives.kdf", ()),
    ("cryptography.hazmat.primitives.kdf.hkdf", ("HKDF",)),
):
    sys.modules[path] = module = ModuleType(path)
    module.__path__ = []
    for one in names:
        setattr(module, one, _absent(one))
