"""Which encoding a text file is in, and that it is text at all."""

import codecs
import io
import re
from dataclasses import dataclass

from dpviz.series_file.errors import SeriesFileError

_CHUNK = 2**20
# Tab, line feed and carriage return are the only control characters that tables contain.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


@dataclass(frozen=True)
class TextEncoding:
    """An encoding by Python's name for it, and what to tell the user about it."""

    name: str
    notes: tuple[str, ...] = ()


def text_encoding(content: bytes) -> TextEncoding:
    """Return the encoding in which ``content`` is text.

    UTF-8 (with or without byte order mark), UTF-16 (with one), else Latin-1, in which
    every byte is a letter, so that control characters are what tells a binary file.

    Raises:
        SeriesFileError: the content is no text in any of these.

    >>> text_encoding("Zähler,1".encode("utf-16")).name
    'utf-16'
    """
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            _check_text(content, "utf-16")
        except UnicodeDecodeError:
            raise SeriesFileError(
                "The file begins like UTF-16 text, but is damaged: save it as UTF-8."
            ) from None
        return TextEncoding("utf-16")
    try:
        _check_text(content, "utf-8-sig")
    except UnicodeDecodeError:
        _check_text(content, "latin-1")
        return TextEncoding(
            "latin-1",
            ("The file is not UTF-8 and was read as Latin-1: some letters in names may differ.",),
        )
    return TextEncoding("utf-8-sig")


def open_text(content: bytes, encoding: str) -> io.TextIOWrapper:
    """Return a stream of the text, decoded piece by piece, line ends as they are."""
    return io.TextIOWrapper(io.BytesIO(content), encoding=encoding, newline="")


def _check_text(content: bytes, encoding: str) -> None:
    stream = open_text(content, encoding)
    line_breaks = 0
    while chunk := stream.read(_CHUNK):
        control = _CONTROL.search(chunk)
        if control is not None:
            line = line_breaks + chunk.count("\n", 0, control.start()) + 1
            raise SeriesFileError(
                f"The file is not a text table: line {line} holds the control character "
                f"{ord(control[0]):#04x} (a binary file, or UTF-16 without byte order mark?); "
                "save it as CSV in UTF-8."
            )
        line_breaks += chunk.count("\n")
