"""Runs the model; imported only in a worker process, which keeps the session until it retires."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sidecar.api import SidecarError
from sidecar.toolkit.onnx_session import open_session
from sidecar.toolkit.platform import system

_MAX_TOKENS = 128
"""Longer texts are cut: measured on both retrieval collections, 256 tokens cost twice the time and gain nothing, and 96
lose 0.005 to 0.008 of nDCG@10."""
_KNOWN = 0.6
"""Share of a question's letters that must stand in pieces of two or more. Of some 2,100 questions nearly all in Latin
letters have 0.7 or more, whatever their language, those in other scripts, which the model spells or does not know, 0 to
0.5. There meaning ranks by how texts are spelt: of 137 questions in eleven languages words alone have 95 right first
and 118 among the first three, with meaning it were 91 and 112 (tests/bench/search/languages.py)."""
_UNKNOWN = "[UNK]"
_CHARS_OF_TOKENS = 6
"""Characters of a token, at most, in nearly every text: tokenizing what is cut off anyway costs as much again."""


@cache
def _model() -> tuple[Any, Any]:
    """The tokenizer and the ONNX session, loaded at the first call (0.2 s)."""
    from tokenizers import Tokenizer

    folder = files("sidecar_semantic") / "model"
    try:
        vocabulary, weights = (folder / "tokenizer.json").read_text("utf-8"), (folder / "model.onnx").read_bytes()
    except OSError as error:
        raise SidecarError(f"its model cannot be read ({error}).") from error
    tokenizer: Any = Tokenizer.from_str(vocabulary)
    tokenizer.enable_truncation(_MAX_TOKENS)
    tokenizer.no_padding()
    # A thread each for whole texts: none waits for another within one.
    return tokenizer, open_session(weights)


@cache
def _threads() -> ThreadPoolExecutor:
    """One for each core this process may use, up to two, and for half of more."""
    cores = system.cores()
    return ThreadPoolExecutor(max(min(cores, 2), cores // 2), "embed")


def embed(texts: list[str]) -> bytes:
    """Embeddings of the texts: float32, little endian, shape `(len(texts), 384)`, rows of unit length.

    Every text is run by itself: what the layers hand on then stays in the core's own cache (a fifth faster than sixteen
    at once), nothing is padded, and a vector does not depend on what it was made with. What starts with the same tokens
    has one vector."""
    _, session = _model()
    tokens = _tokens(texts)
    distinct = list(dict.fromkeys(tokens))

    def run(one: tuple[int, ...]) -> NDArray[np.float32]:
        return session.run(None, {"input_ids": np.array([one], np.int32)})[0][0]

    vectors = map(run, distinct) if len(distinct) == 1 else _threads().map(run, distinct)
    found = dict(zip(distinct, vectors, strict=True))
    return np.array([found[one] for one in tokens], "<f4").tobytes()


def known(texts: list[str]) -> list[bool]:
    """Of each question whether the model knows more of it than its letters (`_KNOWN`)."""
    return [_known(text) >= _KNOWN for text in texts]


def _known(text: str) -> float:
    """The share of the letters that stand in pieces of two or more in the model's vocabulary; 1 where there is none."""
    tokenizer, _ = _model()
    encoded = tokenizer.encode(text, add_special_tokens=False)
    letters = known = 0
    for piece, (start, end) in zip(encoded.tokens, encoded.offsets, strict=True):
        many = sum(map(str.isalpha, text[start:end]))
        letters += many
        known += many if many > 1 and piece != _UNKNOWN else 0
    return known / letters if letters else 1.0


def _tokens(texts: list[str]) -> list[tuple[int, ...]]:
    """The first tokens of each text; what has more text than that is first tried by its beginning."""
    tokenizer, _ = _model()
    chars = _MAX_TOKENS * _CHARS_OF_TOKENS
    tokens = [tuple(item.ids) for item in tokenizer.encode_batch([text[:chars] for text in texts])]
    again = [at for at, one in enumerate(tokens) if len(one) < _MAX_TOKENS and len(texts[at]) > chars]
    # Words of many characters, or whole lines of spaces.
    for at, item in zip(again, tokenizer.encode_batch([texts[at][: 2 * chars] for at in again]), strict=True):
        tokens[at] = tuple(item.ids)
    return tokens
