"""RC4, the stream cipher that Office wrote with before 2007: workbooks under a password ([MS-OFFCRYPTO] 2.3.5, 2.3.6),
and the pages of Access databases."""


def rc4(key: bytes, data: bytes) -> bytes:
    """The data encrypted, or decrypted, which is the same."""
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
