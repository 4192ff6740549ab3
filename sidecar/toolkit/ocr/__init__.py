"""Text in pictures: words with boxes, read by the networks aboard or by tesseract. Nothing heavy is imported before a
picture is read."""

from sidecar.toolkit.ocr.network import RowReading, knows, read_row
from sidecar.toolkit.ocr.reading import UNSURE_READING, PictureReader, ReadPicture, figure_reader, picture_reader
from sidecar.toolkit.ocr.words import Recognition, RecognizedWord

__all__ = [
    "UNSURE_READING", "PictureReader", "ReadPicture", "Recognition", "RecognizedWord", "RowReading", "figure_reader",
    "knows", "picture_reader", "read_row",
]  # fmt: skip
