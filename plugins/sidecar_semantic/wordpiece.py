"""Text into the numbers of the model's vocabulary: BERT's tokenizer for models without case, and nothing else.

As `google-research/bert` tokenization.py has it (BasicTokenizer, WordpieceTokenizer), and as the model was trained.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

_UNKNOWN, _BEGIN, _END = "[UNK]", "[CLS]", "[SEP]"
_CONTINUED = "##"
_LONGEST_WORD = 100
"""Characters; a longer word is unknown as a whole."""
_WORDS_KEPT = 50_000
_IDEOGRAPHS = "\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0002a6df\U0002a700-\U0002ceaf\uf900-\ufaff\U0002f800-\U0002fa1f"
_PIECES = re.compile(rf"[{_IDEOGRAPHS}]|[^\s{_IDEOGRAPHS}]+")
_ASCII_WORDS = re.compile(r"[a-z0-9]+|[!-/:-@[-`{-~]")


class WordPiece:
    """A tokenizer of one vocabulary: piece → number."""

    def __init__(self, vocabulary: Mapping[str, int], most: int) -> None:
        """`most` is how many numbers a text becomes at most, begin and end included."""
        self._vocabulary = vocabulary
        self._most = most
        self._unknown, self._begin, self._end = (vocabulary[name] for name in (_UNKNOWN, _BEGIN, _END))
        self._numbers = lru_cache(_WORDS_KEPT)(self._split)

    def encode(self, text: str) -> tuple[int, ...]:
        """The numbers of the text's beginning."""
        found = [self._begin]
        for word in _words(text):
            found += self._numbers(word)
            if len(found) >= self._most:
                break
        return (*found[: self._most - 1], self._end)

    def _split(self, word: str) -> tuple[int, ...]:
        """The longest pieces of the vocabulary from the left; unknown as a whole where one place has none."""
        if len(word) > _LONGEST_WORD:
            return (self._unknown,)
        numbers: list[int] = []
        start = 0
        while start < len(word):
            prefix = _CONTINUED if start else ""
            for end in range(len(word), start, -1):
                number = self._vocabulary.get(prefix + word[start:end])
                if number is not None:
                    numbers.append(number)
                    start = end
                    break
            else:
                return (self._unknown,)
        return tuple(numbers)


def read_vocabulary(stored: str) -> dict[str, int]:
    """The vocabulary of a `tokenizer.json`."""
    return json.loads(stored)["model"]["vocab"]


def _words(text: str) -> list[str]:
    if text.isascii():
        return _ASCII_WORDS.findall((text if text.isprintable() else "".join(filter(_shown, text))).lower())
    decomposed = unicodedata.normalize("NFD", "".join(filter(_shown, text)))
    bare = "".join(char for char in decomposed if unicodedata.category(char) != "Mn")
    # One by one: as a string, a sigma at the end of a word would become another letter.
    words: list[str] = []
    for run in _PIECES.findall("".join(map(str.lower, bare))):
        begun = 0
        for at, char in enumerate(run):
            if _parts(char):
                words += [run[begun:at], char] if at > begun else [char]
                begun = at + 1
        if begun < len(run):
            words.append(run[begun:])
    return words


def _shown(char: str) -> bool:
    """Whether a character is not control, format, private, or the sign of one that could not be decoded."""
    return char in "\t\n\r" or (char != "\ufffd" and unicodedata.category(char) not in ("Cc", "Cf", "Co", "Cs"))


def _parts(char: str) -> bool:
    """Whether a character is a word of its own."""
    return ("!" <= char <= "~" and not char.isalnum()) or unicodedata.category(char)[0] == "P"
