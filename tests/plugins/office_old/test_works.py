"""Publisher and Works: text, pictures, what is locked, older or no such file."""

from __future__ import annotations

import pytest
from contract.conformance import check_embedded
from contract.containers import compound_file
from contract.pictures import PNG
from sidecar_works import WorksFormat
from support.formats.plugin_reading import of, read
from support.office_old.word_binary import blip
from support.office_old.works_binary import publication, quill, works_4

from sidecar.api import DamagedError, Figure, Limits, Paragraph, Source, UnsupportedError

WORKS = WorksFormat()


def test_a_publication_has_its_text_and_pictures() -> None:
    data = publication("Spring sale\r\nAll k\u00e4kapo \x03must go\x0cPage two\r", escher=blip(PNG))
    found = read(WORKS, data, "a.pub")
    assert [block.text for block in of(found, Paragraph)] == ["Spring sale", "All k\u00e4kapo must go", "Page two"]
    assert [block.embed for block in of(found, Figure)] == [("image", 0)]
    check_embedded(WORKS, Source.of_bytes(data, "a.pub"), found)


@pytest.mark.parametrize(("data", "shown"), [
    (compound_file({"CONTENTS": quill([("TEXT", "Ann\rBob".encode("utf-16-le"))], b"CHNKWKS ")}), ["Ann", "Bob"]),
    (works_4("Zoë\r\nBob".encode("cp1252")), ["Zoë", "Bob"]),
    (b"\x01\xfe\x01".ljust(0x26, b"\0") + b"\3\1".ljust(0xDA, b"\0") + "Zoë".encode("cp850"), ["Zoë"]),
])  # fmt: skip
def test_texts_of_works(data: bytes, shown: list[str]) -> None:
    assert [block.text for block in of(read(WORKS, data, "a.wps"), Paragraph)] == shown
    assert WORKS.score(Source.of_bytes(data, "a.wps")) > 90


@pytest.mark.parametrize(("data", "error"), [
    (b"ssh-rsa AAAA", DamagedError), (compound_file({"Contents": b"", "\x03Internal": b"x"}), UnsupportedError),
    (compound_file({"Contents": b""}), DamagedError), (compound_file({"MN0": b""})[:600], DamagedError),
])  # fmt: skip
def test_what_cannot_be_read_says_why(data: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        WORKS.parse(Source.of_bytes(data, "a.pub"), Limits())


def test_keys_and_other_files_are_left_to_others() -> None:
    assert WORKS.score(Source.of_bytes(b"ssh-rsa AAAA", "id.pub")) == 5
    assert WORKS.score(Source.of_bytes(compound_file({"MN0": b""}), "a.doc")) == 0


def test_long_text_is_cut_and_said() -> None:
    found = read(WORKS, publication("word " * 100), "a.pub", Limits(max_text_chars=50))
    assert [notice.code for notice in found.notices] == ["truncated_at"]


def test_tables_in_a_circle_end() -> None:
    stream = bytearray(quill([("TEXT", b"a\0"), ("TEXT", b"b\0")], in_table=1))
    stream[0x1C:0x20] = (0x18).to_bytes(4, "little")
    found = read(WORKS, compound_file({"CONTENTS": bytes(stream)}), "a.wps")
    assert [block.text for block in of(found, Paragraph)] == ["a"]
