"""Run by the frozen program before anything else: stands for modules that are imported on the way and never used, so
that their native code need not be carried. Using one says so.

`cryptography`, 15 MB: the MCP SDK imports four names of it for the encrypted request state of its high-level server.
`numpy.linalg`'s LAPACK on Linux, with OpenBLAS 27 MB: numpy imports it for functions that nothing here calls.
"""

import sys
from types import ModuleType
from typing import NoReturn


def _refuse(name: str) -> NoReturn:
    raise NotImplementedError(f"{name} is not part of the frozen program; install docsidecar from its wheel.")


def _absent_class(name: str) -> type[Exception]:
    return type(name, (Exception,), {"__init__": lambda self, *_, **__: _refuse(name)})  # pyright: ignore[reportUnknownLambdaType]


class _AbsentFunctions(ModuleType):
    """A module any function of which may be named, and none be called."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_, **__: _refuse(f"{self.__name__}.{name}")  # pyright: ignore[reportUnknownLambdaType]


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
        setattr(module, one, _absent_class(one))
if sys.platform == "linux":
    for path in ("numpy.linalg._umath_linalg", "numpy.linalg.lapack_lite"):
        sys.modules[path] = _AbsentFunctions(path)
