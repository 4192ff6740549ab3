"""How an Outlook data file begins ([MS-PST] 2.2.2.6), and how its data blocks are encoded (5.1 and 5.2): no secret, the
file says which way."""

NONE, PERMUTE, CYCLIC = 0, 1, 2
_CLIENTS = (b"SM", b"SO")
"""Personal stores, and offline ones of the same layout."""

# The published tables mpbbR and mpbbS; mpbbI undoes the first.
_FIRST = bytes.fromhex(
    "41361362a8216ebbf416cc047f64e85d1ef2cb2a74c55e35d295479e962d9a884c7d843fdbac31b6485ff6c4d8398be7233b"
    "388ec8c1df25b120a546604e9cfbaad35651457c550007c92b9d859b09a08fadb30f63ab894bd7a7155a716642bf264a6b98"
    "faea7753b270052cfd593a867ece06eb827857c78d43afb41cd45bcde2e9274fc3087280cfb0eff5286dbe304d3492d50e3c"
    "2232e5e4f99fc2d10a8112e1ee918376e397e6618a1779a4b7dc907a5c8c02a6ca69de501a1193b9528758fced1d37491b6a"
    "e0293399bd6cd994f340546ff0c673b8d63e6518441fdd6710f10c19ecae03a1147ba90bfff8a3c0a201f72ebc2468750dfe"
    "ba2fb5d0da3d"
)
_SECOND = bytes.fromhex(
    "14530f56b3c87a9ceb65481716159f02cc547c83000d0c0ba262a876dbd9edc7c5a4dcac8574d6d0a79bae9a967166c36399"
    "b8dd73928e847da55ed15d93b1575150808952944f4e0a6bbc8d7f6e47464140440111cb033ff7f4e1a98f3c3af9fbf01930"
    "82092ec99da08649ee6f4d6dc42d813425871b88aafc06a11238fd4c4272641337246a757743ffe6b44b365ce4d8353d45b9"
    "2cecb7312b290768a30e697b189e2139be281a5b78f523ca2ab0af3efe048ce7e5983295d3f64ae8a6eae9f3d52f7020f21f"
    "0567ad5510cecde3273bdabad7c226d4911dd21c2233f8faf15aefcf90b68bb5bdc0bf08971e6ce261e0c6c159abbb58de5f"
    "df60797eb28a"
)
_INVERSE = bytes.maketrans(_FIRST, bytes(range(256)))


def begins_data_file(head: bytes) -> bool:
    """Whether a file that begins so is an Outlook data file."""
    return head.startswith(b"!BDN") and head[8:10] in _CLIENTS


def decoded(data: bytes, method: int, identity: int) -> bytes:
    """A block's bytes as they are meant; `identity` is the block's id."""
    if method == PERMUTE:
        return data.translate(_INVERSE)
    if method != CYCLIC:
        return data
    key = (identity ^ identity >> 16) & 0xFFFF
    out = bytearray()
    at = 0
    # The key grows by one a byte: while its upper half stays the same the three tables are one.
    while at < len(data):
        low, high = key & 255, key >> 8
        step = min(256 - low, len(data) - at)
        table = bytes(_INVERSE[(_SECOND[(_FIRST[value] + high) & 255] - high) & 255] for value in range(256))
        out += bytes((table[(value + add) & 255] - add) & 255 for add, value in enumerate(data[at : at + step], low))
        at += step
        key = (key + step) & 0xFFFF
    return bytes(out)
