"""Packages under the password that Excel itself gives: it opens them without asking ([MS-OFFCRYPTO] 2.3.4.5 to
2.3.4.15, standard and agile encryption). Any other password stays unknown.

AES (FIPS 197) is decrypted here, all blocks of a package at once: 5 MB/s, and no library aboard has it.
RC4, of older workbooks and of Access databases, is here too."""

import hashlib
import struct
from base64 import b64decode
from functools import cache, reduce
from operator import xor
from typing import TYPE_CHECKING, Final

from sidecar.api import FormatError, Limits, Source
from sidecar.toolkit.ole.compound import Compound

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sidecar.toolkit.xml import XmlElement

PASSWORD: Final = "VelvetSweatshop".encode("utf-16-le")
"""What a workbook is encrypted with that is only to be opened for reading ([MS-XLS] 2.4.191)."""
_AGILE, _STANDARD = (4, 4), 2
_MAX_ROUNDS: Final = 1_000_000
"""Hashes that derive a key; programs ask for 50,000 and 100,000, a second's worth is enough."""
_SEGMENT: Final = 4096
_BLOCK: Final = 16
_VERIFIER, _VERIFIER_HASH, _KEY = (
    bytes.fromhex(key) for key in ("fea7d2763b4b9e79", "d7aa0f6d3061344e", "146e0be7abacd0d6")
)
"""What the keys of the three encrypted values are derived with (2.3.4.13)."""
_HASHES: Final = {"SHA1": "sha1", "SHA256": "sha256", "SHA384": "sha384", "SHA512": "sha512"}


def decrypted(source: Source, limits: Limits) -> Source:
    """The package in a compound file that Excel's own password opens; the source itself where there is none, another
    password is needed, or what is encrypted is damaged. Raises LimitError for a file over its bound."""
    data = source.read(limits.max_file_bytes)
    try:
        compound = Compound(data)
        how, package = compound.stream("EncryptionInfo"), compound.stream("EncryptedPackage")
        clear = how and package and _clear(how, package)
    except (FormatError, struct.error, ValueError, LookupError, TypeError, AttributeError):
        return source
    return Source.of_bytes(clear, source.name, source.media_type) if clear else source


def _clear(how: bytes, package: bytes) -> bytes | None:
    size = struct.unpack_from("<Q", package)[0]
    packed = package[8 : len(package) - (len(package) - 8) % _BLOCK]
    version = struct.unpack_from("<HH", how)
    found = _agile(how[8:], packed) if version == _AGILE else None
    if version[1] == _STANDARD:
        found = _standard(how, packed)
    return found[:size] if found else None


def _standard(how: bytes, packed: bytes) -> bytes | None:
    """2.3.4.5 to 2.3.4.9: AES in blocks by themselves, keys by SHA-1."""
    header = struct.unpack_from("<I", how, 8)[0]
    bits = struct.unpack_from("<I", how, 12 + 16)[0]
    salt, verifier, hashed = struct.unpack_from("<4x16s16s4x32s", how, 12 + header)
    last = hashlib.sha1(_spun("sha1", salt, 50_000) + bytes(4), usedforsecurity=False).digest()
    key = b"".join(
        hashlib.sha1(bytes(byte ^ pad for byte in last.ljust(64, b"\0")), usedforsecurity=False).digest()
        for pad in (0x36, 0x5C)
    )[: bits // 8]
    expected = hashlib.sha1(_aes(key, verifier), usedforsecurity=False).digest()
    return _aes(key, packed) if _aes(key, hashed)[: len(expected)] == expected else None


def _agile(markup: bytes, packed: bytes) -> bytes | None:
    """2.3.4.10 to 2.3.4.15: what is done is said in XML; AES in chains, one a segment."""
    from sidecar.toolkit.xml import parse_xml

    root = parse_xml(markup, "EncryptionInfo")
    data, keys = root.find("{*}keyData"), root.find(".//{*}keyEncryptors/{*}keyEncryptor/{*}encryptedKey")
    if data is None or keys is None or not _is_aes(data) or not _is_aes(keys):
        return None
    name, salt = _HASHES[keys.get("hashAlgorithm", "")], b64decode(keys.get("saltValue", ""))
    rounds, size = int(keys.get("spinCount", "")), int(keys.get("keyBits", "")) // 8
    if rounds > _MAX_ROUNDS:
        return None
    spun = _spun(name, salt, rounds)

    def value(attribute: str, block: bytes) -> bytes:
        key = hashlib.new(name, spun + block, usedforsecurity=False).digest()[:size]
        return _aes(key.ljust(size, b"\x36"), b64decode(keys.get(attribute, "")), [_vector(salt)])

    verifier = value("encryptedVerifierHashInput", _VERIFIER)[: int(keys.get("saltSize", ""))]
    expected = hashlib.new(name, verifier, usedforsecurity=False).digest()
    if value("encryptedVerifierHashValue", _VERIFIER_HASH)[: len(expected)] != expected:
        return None
    key = value("encryptedKeyValue", _KEY)[: int(data.get("keyBits", "")) // 8]
    name, salt = _HASHES[data.get("hashAlgorithm", "")], b64decode(data.get("saltValue", ""))
    vectors = [
        _vector(hashlib.new(name, salt + struct.pack("<I", number), usedforsecurity=False).digest())
        for number in range(-(-len(packed) // _SEGMENT))
    ]
    return _aes(key, packed, vectors)


def _is_aes(node: "XmlElement") -> bool:
    return (node.get("cipherAlgorithm"), node.get("cipherChaining")) == ("AES", "ChainingModeCBC")


def _spun(name: str, salt: bytes, rounds: int) -> bytes:
    """The password hashed over and over (2.3.4.7, 2.3.4.11)."""
    new, found = getattr(hashlib, name), getattr(hashlib, name)(salt + PASSWORD, usedforsecurity=False).digest()
    for number in range(rounds):
        found = new(struct.pack("<I", number) + found, usedforsecurity=False).digest()
    return found


def _vector(salt: bytes) -> bytes:
    return salt[:_BLOCK].ljust(_BLOCK, b"\x36")


def _aes(key: bytes, data: bytes, vectors: list[bytes] | None = None) -> bytes:
    """Blocks decrypted (FIPS 197, 5.3): each by itself, or in chains of a segment, each begun by its vector."""
    import numpy as np

    _, inverse, times = _tables()
    blocks = np.frombuffer(data, np.uint8).reshape(-1, _BLOCK)
    keys = _round_keys(key)
    # Rows are shifted right: byte 4c + r comes from column c - r.
    order = np.array([4 * ((at // 4 - at % 4) % 4) + at % 4 for at in range(_BLOCK)])
    state = blocks ^ keys[-1]
    for round_key in reversed(keys[:-1]):
        state = inverse[state[:, order]] ^ round_key
        if round_key is not keys[0]:
            columns = state.reshape(-1, 4, 4)
            mixed = [times[factor][columns] for factor in (14, 11, 13, 9)]
            rows = [reduce(xor, (mixed[(at - row) % 4][:, :, at] for at in range(4))) for row in range(4)]
            state = np.stack(rows, axis=2).reshape(-1, _BLOCK)
    if vectors:
        before = np.empty_like(blocks)
        before[1:] = blocks[:-1]
        before[:: _SEGMENT // _BLOCK] = np.frombuffer(b"".join(vectors), np.uint8).reshape(-1, _BLOCK)
        state ^= before
    return state.tobytes()


def _round_keys(key: bytes) -> "list[NDArray[np.uint8]]":
    """FIPS 197, 5.2."""
    import numpy as np

    forward, _, _ = _tables()
    words, size, constant = [list(key[at : at + 4]) for at in range(0, len(key), 4)], len(key) // 4, 1
    while len(words) < 4 * (size + 7):
        word = words[-1]
        if len(words) % size == 0:
            word = [forward[byte] for byte in word[1:] + word[:1]]
            word[0] ^= constant
            constant = _doubled(constant)
        elif size > 6 and len(words) % size == 4:
            word = [forward[byte] for byte in word]
        words.append([one ^ other for one, other in zip(words[-size], word, strict=True)])
    return list(np.array(words, np.uint8).reshape(-1, _BLOCK))


def _doubled(value: int) -> int:
    return value << 1 ^ (0x11B if value & 0x80 else 0)


@cache
def _tables() -> "tuple[list[int], NDArray[np.uint8], dict[int, NDArray[np.uint8]]]":
    """Bytes substituted, the same backwards, and products in GF(2^8) by factor (FIPS 197, 4.2, 5.1.1, 5.3.2)."""
    import numpy as np

    powers = [1]
    while len(powers) < 255:
        powers.append(powers[-1] ^ _doubled(powers[-1]))
    logarithms = {value: at for at, value in enumerate(powers)}

    def product(one: int, other: int) -> int:
        return powers[(logarithms[one] + logarithms[other]) % 255] if one and other else 0

    forward: list[int] = []
    for value in range(256):
        turned = powers[-logarithms[value] % 255] if value else 0
        turned *= 0x101  # so that bits shifted out come in again
        forward.append((turned ^ turned >> 4 ^ turned >> 5 ^ turned >> 6 ^ turned >> 7) & 0xFF ^ 0x63)
    inverse = np.zeros(256, np.uint8)
    inverse[forward] = np.arange(256, dtype=np.uint8)
    times = {by: np.array([product(value, by) for value in range(256)], np.uint8) for by in (9, 11, 13, 14)}
    return forward, inverse, times


def rc4(key: bytes, data: bytes) -> bytes:
    """The data encrypted, or decrypted, which is the same, by the stream cipher that Office wrote with before 2007
    ([MS-OFFCRYPTO] 2.3.5, 2.3.6)."""
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) & 0xFF
        state[i], state[j] = state[j], state[i]
    out = bytearray(len(data))
    i = j = 0
    for at, byte in enumerate(data):
        i = (i + 1) & 0xFF
        j = (j + state[i]) & 0xFF
        state[i], state[j] = state[j], state[i]
        out[at] = byte ^ state[(state[i] + state[j]) & 0xFF]
    return bytes(out)
