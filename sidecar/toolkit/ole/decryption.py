"""Packages under the password that Excel itself gives: it opens them without asking ([MS-OFFCRYPTO] 2.3.4.5 to
2.3.4.15, standard and agile encryption). Any other password stays unknown.

AES (FIPS 197) is decrypted here, all blocks of a package at once: no library aboard of every installation has it.
RC4, of older workbooks and of Access databases, is here too."""

import hashlib
import struct
from base64 import b64decode
from functools import cache, reduce
from operator import xor
from typing import TYPE_CHECKING, Final, NamedTuple

from sidecar.api import FormatError, Limits, Source
from sidecar.toolkit.ole.compound import Compound

if TYPE_CHECKING:
    from sidecar.toolkit.xml import XmlElement

PASSWORD: Final = "VelvetSweatshop".encode("utf-16-le")
"""What a workbook is encrypted with that is only to be opened for reading ([MS-XLS] 2.4.191)."""
_AGILE, _STANDARD = (4, 4), 2
_MAX_ROUNDS: Final = 1_000_000
"""Hashes that derive a key; programs ask for 50,000 and 100,000, a second's worth is enough."""
_SEGMENT: Final = 4096
_BLOCK: Final = 16
_MIXED: Final = (14, 11, 13, 9)
"""Factors by which columns are mixed backwards (FIPS 197, 5.3.3)."""
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
    found = hashlib.new(name, salt + PASSWORD, usedforsecurity=False).digest()
    number, fresh = struct.Struct("<I").pack, hashlib.new(name, usedforsecurity=False).copy
    for round_number in range(rounds):
        hashed = fresh()  # a new one is looked up among all that there are: a quarter of the time
        hashed.update(number(round_number) + found)
        found = hashed.digest()
    return found


def _vector(salt: bytes) -> bytes:
    return salt[:_BLOCK].ljust(_BLOCK, b"\x36")


def _aes(key: bytes, data: bytes, vectors: list[bytes] | None = None) -> bytes:
    """Blocks decrypted (FIPS 197, 5.3.5): each by itself, or in chains of a segment, each begun by its vector.

    Of all blocks the bytes at one place are taken together, as bytes to translate and as one number to add."""
    tables, count = _tables(), len(data) // _BLOCK
    keys = _round_keys(key)
    planes = [_sum(data[at::_BLOCK], bytes((byte,)) * count) for at, byte in enumerate(keys[-1])]
    for round_key in keys[-2:0:-1]:
        # Rows are shifted right: byte 4c + r comes from column c - r.
        columns = [[planes[4 * ((column - row) % 4) + row] for row in range(4)] for column in range(4)]
        mixed = [{by: [row.translate(table) for row in rows] for by, table in tables.mixed.items()} for rows in columns]
        planes = [
            _sum(*(mixed[column][_MIXED[(at - row) % 4]][at] for at in range(4)), bytes((byte,)) * count)
            for column in range(4)
            for row, byte in enumerate(_mixed(round_key[4 * column : 4 * column + 4]))
        ]
    out = bytearray(count * _BLOCK)
    for at, byte in enumerate(keys[0]):
        shifted = planes[4 * ((at // 4 - at % 4) % 4) + at % 4]
        out[at::_BLOCK] = _sum(shifted.translate(tables.inverse), bytes((byte,)) * count)
    if not vectors:
        return bytes(out)
    starts = range(0, len(data), _SEGMENT)
    before = (
        vector + data[at : min(at + _SEGMENT, len(data)) - _BLOCK] for at, vector in zip(starts, vectors, strict=True)
    )
    return _sum(bytes(out), b"".join(before))


def _sum(*terms: bytes) -> bytes:
    """In GF(2), of terms of one length."""
    total = 0
    for term in terms:
        total ^= int.from_bytes(term, "little")
    return total.to_bytes(len(terms[0]), "little")


def _round_keys(key: bytes) -> list[bytes]:
    """FIPS 197, 5.2."""
    forward = _tables().forward
    words, size, constant = [key[at : at + 4] for at in range(0, len(key), 4)], len(key) // 4, 1
    while len(words) < 4 * (size + 7):
        word = words[-1]
        if len(words) % size == 0:
            word = (word[1:] + word[:1]).translate(forward)
            word = bytes((word[0] ^ constant,)) + word[1:]
            constant = _doubled(constant)
        elif size > 6 and len(words) % size == 4:
            word = word.translate(forward)
        words.append(_sum(words[-size], word))
    return [b"".join(words[at : at + 4]) for at in range(0, len(words), 4)]


def _doubled(value: int) -> int:
    return value << 1 ^ (0x11B if value & 0x80 else 0)


class _Tables(NamedTuple):
    """Bytes substituted, the same backwards, products in GF(2^8) by factor, and these of bytes substituted backwards
    (FIPS 197, 4.2, 5.1.1, 5.3.2), to translate by."""

    forward: bytes
    inverse: bytes
    times: dict[int, bytes]
    mixed: dict[int, bytes]


def _mixed(word: bytes) -> bytes:
    """A word of a round key as it is added behind the mixing of columns instead of before (5.3.5)."""
    times = _tables().times
    return bytes(reduce(xor, (times[_MIXED[(at - row) % 4]][word[at]] for at in range(4))) for row in range(4))


@cache
def _tables() -> _Tables:
    powers = [1]
    while len(powers) < 255:
        powers.append(powers[-1] ^ _doubled(powers[-1]))
    logarithms = {value: at for at, value in enumerate(powers)}

    def product(one: int, other: int) -> int:
        return powers[(logarithms[one] + logarithms[other]) % 255] if one and other else 0

    forward = bytearray()
    for value in range(256):
        turned = powers[-logarithms[value] % 255] if value else 0
        turned *= 0x101  # so that bits shifted out come in again
        forward.append((turned ^ turned >> 4 ^ turned >> 5 ^ turned >> 6 ^ turned >> 7) & 0xFF ^ 0x63)
    inverse = bytes(map(forward.index, range(256)))
    times = {by: bytes(product(value, by) for value in range(256)) for by in _MIXED}
    return _Tables(bytes(forward), inverse, times, {by: inverse.translate(table) for by, table in times.items()})


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
