"""Texts: bytes made into them (`decoding`, `guessing`), and what is done with them (`strings`)."""

from sidecar.toolkit.text.decoding import Decoded, code_page, cut_notice, decode, looks_binary, read_text
from sidecar.toolkit.text.strings import (
    COPIED_PROPERTIES,
    UNSEEN,
    clean,
    did_you_mean,
    few,
    is_textual,
    leading_words,
    map_texts,
    media_kind,
    on_one_line,
    roman,
    trailing_words,
    with_filters,
    with_raised,
    without_steering,
    without_surrogates,
    without_turning,
)

__all__ = [
    "COPIED_PROPERTIES", "UNSEEN", "Decoded", "clean", "code_page", "cut_notice", "decode", "did_you_mean", "few",
    "is_textual", "leading_words", "looks_binary", "map_texts", "media_kind", "on_one_line", "read_text", "roman",
    "trailing_words", "with_filters", "with_raised", "without_steering", "without_surrogates", "without_turning",
]  # fmt: skip
