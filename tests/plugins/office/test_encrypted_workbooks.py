"""Workbooks of Office Open XML under Excel's own password, which it opens without asking, and under others."""

from __future__ import annotations

import base64
import hashlib
import struct
from functools import partial

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from sidecar_xlsx import XlsxFormat
from support.office.docx_files import packed
from support.office_old.word_binary import compound_file
from support.trials.xlsx_trial import trial_parts

from sidecar.api import EncryptedError, Limits, Source

XLSX = XlsxFormat()
LIMITS = Limits(ocr=False)
SALT = bytes(range(16))
sha1 = partial(hashlib.sha1, usedforsecurity=False)
EXCELS = "VelvetSweatshop"


def aes(key: bytes, data: bytes, vector: bytes = b"") -> bytes:
    made = Cipher(algorithms.AES(key), modes.CBC(vector) if vector else modes.ECB()).encryptor()  # noqa: S305 - as the format has it
    return made.update(data + bytes(-len(data) % 16))


def spun(name: str, password: str, rounds: int) -> bytes:
    found = hashlib.new(name, SALT + password.encode("utf-16-le")).digest()
    for number in range(rounds):
        found = hashlib.new(name, struct.pack("<I", number) + found).digest()
    return found


def file(how: bytes, package: bytes, size: int) -> bytes:
    return compound_file({"EncryptionInfo": how, "EncryptedPackage": struct.pack("<Q", size) + package})


def standard(password: str) -> bytes:
    """[MS-OFFCRYPTO] 2.3.4.5, as Excel 2007 does it."""
    last = sha1(spun("sha1", password, 50_000) + bytes(4)).digest().ljust(64, b"\0")
    key = sha1(bytes(byte ^ 0x36 for byte in last)).digest()[:16]
    header = struct.pack("<8I", 0x24, 0, 0x660E, 0x8004, 128, 24, 0, 0) + "AES\0".encode("utf-16-le")
    verifier = b"sixteen bytes ok"
    proof = aes(key, sha1(verifier).digest().ljust(32, b"\0"))
    how = struct.pack("<HHII", 3, 2, 0x24, len(header)) + header
    how += struct.pack("<I", 16) + SALT + aes(key, verifier) + struct.pack("<I", 20) + proof
    return file(how, aes(key, PACKAGE), len(PACKAGE))


def agile(password: str, name: str, bits: int) -> bytes:
    """[MS-OFFCRYPTO] 2.3.4.10, as later ones do it."""
    first = spun(name, password, 500)

    def hidden(value: bytes, block: str) -> str:
        key = hashlib.new(name, first + bytes.fromhex(block)).digest()[: bits // 8].ljust(bits // 8, b"\x36")
        return base64.b64encode(aes(key, value, SALT)).decode()

    verifier, key = b"sixteen bytes ok", bytes(range(100, 100 + bits // 8))
    said = (
        f'saltSize="16" blockSize="16" keyBits="{bits}" hashSize="{hashlib.new(name).digest_size}" '
        f'cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="{name.upper()}" '
        f'saltValue="{base64.b64encode(SALT).decode()}"'
    )
    how = (
        '<encryption xmlns="http://schemas.microsoft.com/office/2006/encryption" '
        f'xmlns:p="http://schemas.microsoft.com/office/2006/keyEncryptor/password"><keyData {said}/>'
        f'<keyEncryptors><keyEncryptor><p:encryptedKey spinCount="500" {said} '
        f'encryptedVerifierHashInput="{hidden(verifier, "fea7d2763b4b9e79")}" '
        f'encryptedVerifierHashValue="{hidden(hashlib.new(name, verifier).digest(), "d7aa0f6d3061344e")}" '
        f'encryptedKeyValue="{hidden(key, "146e0be7abacd0d6")}"/></keyEncryptor></keyEncryptors></encryption>'
    )
    pieces = [
        aes(key, PACKAGE[at : at + 4096], hashlib.new(name, SALT + struct.pack("<I", at // 4096)).digest()[:16])
        for at in range(0, len(PACKAGE), 4096)
    ]
    return file(struct.pack("<HHI", 4, 4, 0x40) + how.encode(), b"".join(pieces), len(PACKAGE))


PACKAGE = packed(trial_parts())


@pytest.mark.parametrize(
    "locked",
    [
        standard(EXCELS), agile(EXCELS, "sha512", 256), agile(EXCELS, "sha1", 128),
        agile(EXCELS, "sha1", 256), agile(EXCELS, "sha384", 192),
    ],
    ids=["standard", "agile", "agile of Office 2010", "key longer than its hash", "192 bits"],
)  # fmt: skip
def test_what_excel_opens_without_asking_is_read(locked: bytes) -> None:
    """Its pictures and its layout too."""
    plain, source = Source.of_bytes(PACKAGE, "a.xlsx"), Source.of_bytes(locked, "a.xlsx")
    document = XLSX.parse(source, LIMITS)
    assert document.parts == XLSX.parse(plain, LIMITS).parts
    inside = next(one for one in document.embedded if one.ref)
    assert XLSX.open_embedded(source, inside.ref, LIMITS) == XLSX.open_embedded(plain, inside.ref, LIMITS)
    assert XLSX.layout(source, 1, LIMITS) == XLSX.layout(plain, 1, LIMITS)


@pytest.mark.parametrize(
    "locked",
    [
        standard("another"),
        agile("another", "sha512", 256),
        agile(EXCELS, "sha512", 256).replace(b'spinCount="500"', b'spinCount="9000000"'),
        agile(EXCELS, "sha512", 256).replace(b'saltSize="16"', b'saltSize="xx"'),
        agile(EXCELS, "sha512", 256).replace(b'hashAlgorithm="SHA512"', b'hashAlgorithm="SHA513"'),
        compound_file({"EncryptionInfo": b"\3\0\2\0", "EncryptedPackage": b"short"}),
    ],
    ids=["standard", "agile", "rounds for hours", "no number", "no such hash", "cut"],
)
def test_what_another_password_locks_or_is_damaged_stays_closed(locked: bytes) -> None:
    with pytest.raises(EncryptedError, match=r"a\.xlsx is protected by a password"):
        XLSX.parse(Source.of_bytes(locked, "a.xlsx"), LIMITS)
