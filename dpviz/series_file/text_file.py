"""A text file as UTF-8, in pieces that end where a record does."""

import codecs
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import BinaryIO

import numpy as np

from dpviz.series_file.errors import SeriesFileError
from dpviz.series_file.table import check_lines
from dpviz.series_file.unpack import stream_of

_PIECE = 4 * 2**20
_MANY_COLUMNS = 5_000
_LONGEST_PIECE = 64 * 2**20
# Tab, line feed and carriage return are the only control characters that tables contain.
_IS_CONTROL = np.zeros(256, dtype=np.bool_)
_IS_CONTROL[[*range(9), 11, 12, *range(14, 32), 127]] = True
_QUOTE, _BREAK = ord('"'), ord("\n")


@dataclass(frozen=True)
class TextFile:
    """A file that is text, from its first line on or from a later one.

    Args:
        chunks: starts reading its bytes.
        encoding: Python's name for it.
        notes: what to tell the user of that.
        has_other_breaks: whether a carriage return alone ends lines.
        first_line: where reading begins.
    """

    chunks: Callable[[], Iterator[bytes]]
    encoding: str
    notes: tuple[str, ...] = ()
    has_other_breaks: bool = False
    first_line: int = 1

    def opened(self) -> BinaryIO:
        """Return the text as a stream of UTF-8 without byte order mark."""
        stream = stream_of(self._recoded())
        for _ in range(self.first_line - 1):
            stream.readline()
        return stream

    def lines(self) -> io.TextIOWrapper:
        """Return the text, decoded piece by piece, line ends as they are."""
        return io.TextIOWrapper(self.opened(), encoding="utf-8", newline="")

    def _recoded(self) -> Iterator[bytes]:
        if self.encoding == "utf-8" and not self.has_other_breaks:
            yield from self.chunks()
            return
        plain = codecs.getincrementaldecoder(self.encoding)()
        decoder = io.IncrementalNewlineDecoder(plain, translate=self.has_other_breaks)
        for chunk in self.chunks():
            yield decoder.decode(chunk).encode()
        yield decoder.decode(b"", final=True).encode()


def text_file(chunks: Callable[[], Iterator[bytes]]) -> TextFile:
    """Return a file as text, after a look at all of it.

    UTF-8 (with or without byte order mark), UTF-16 (with one), else Latin-1, in which
    every byte is a letter, so that control characters are what tells a binary file.

    Raises:
        SeriesFileError: it is no text in any of these, is empty, or has too many lines.

    >>> text_file(lambda: iter(["Zähler,1".encode("utf-16")])).encoding
    'utf-16'
    """
    first = next(chunks(), b"")
    if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        file = TextFile(chunks, "utf-16")
        try:
            return _checked(file, partial(file.opened().read, _PIECE))
        except UnicodeDecodeError:
            raise SeriesFileError(
                "The file begins like UTF-16 text, but is damaged: save it as UTF-8."
            ) from None
    mark = first.startswith(codecs.BOM_UTF8)
    file = TextFile(chunks, "utf-8-sig" if mark else "utf-8")
    return _checked(file, partial(next, chunks(), b""))


def _checked(file: TextFile, read: Callable[[], bytes]) -> TextFile:
    """Look at all of a file; ``read`` returns its next bytes."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    is_utf8, is_empty = True, True
    line_breaks = returns = pairs = 0
    last = b""
    while chunk := read():
        control = _IS_CONTROL[np.frombuffer(chunk, dtype=np.uint8)]
        if control.any():
            place = int(np.argmax(control))
            line = line_breaks + chunk.count(b"\n", 0, place) + 1
            raise SeriesFileError(
                f"The file is not a text table: line {line} holds the control character "
                f"{chunk[place]:#04x} (a binary file, or UTF-16 without byte order mark?); "
                "save it as CSV in UTF-8."
            )
        line_breaks += chunk.count(b"\n")
        if b"\r" in chunk or last == b"\r":
            returns += chunk.count(b"\r")
            pairs += chunk.count(b"\r\n") + (last + chunk[:1] == b"\r\n")
        check_lines(max(line_breaks, returns))
        last = chunk[-1:]
        is_empty = is_empty and chunk.isspace()
        is_utf8 = is_utf8 and _is_valid(decoder, chunk)
    if is_empty:
        raise SeriesFileError("The file is empty.")
    is_utf8 = is_utf8 and _is_valid(decoder, b"", final=True)
    file = replace(file, has_other_breaks=returns > pairs)
    if is_utf8:
        return file
    note = "The file is not UTF-8 and was read as Latin-1: some letters in names may differ."
    return replace(file, encoding="latin-1", notes=(note,))


def _is_valid(decoder: codecs.IncrementalDecoder, chunk: bytes, *, final: bool = False) -> bool:
    try:
        decoder.decode(chunk, final=final)
    except UnicodeDecodeError:
        return False
    return True


@dataclass(frozen=True)
class Piece:
    """Lines of a text file.

    Args:
        lines: starts reading them.
        first_line: where the first of them stands.
        content: their bytes as UTF-8 where each of them is one record: no cell holds a line break,
            each quotation mark belongs to the begin or end of a cell; else ``None``.
    """

    lines: Callable[[], io.TextIOWrapper]
    first_line: int
    content: bytes | None = None


def pieces(file: TextFile, separator: str, width: int) -> Iterator[Piece]:
    """Yield all lines of a file, some megabytes at a time, cut between records.

    From where its quotation marks do not tell cells, the rest of the file is one piece.

    Raises:
        SeriesFileError: a line is far too long.
    """
    stream = file.opened()
    line, rest, is_last = file.first_line, b"", False
    # Of thousands of columns each costs its time anew.
    size = _PIECE if width < _MANY_COLUMNS else 2 * _PIECE
    while not is_last:
        chunk = stream.read(size)
        is_last = len(chunk) < size
        block = rest + chunk
        if is_last and block and not block.endswith(b"\n"):
            block += b"\n"
        cut, is_sound, is_plain = _cut(block, separator)
        if not is_sound or (is_last and cut < len(block)):
            yield Piece(replace(file, first_line=line).lines, line)
            return
        if not cut and len(block) > _LONGEST_PIECE:
            raise SeriesFileError(
                f"Line {line} cannot be read: it, or a cell of it, is longer than "
                f"{_LONGEST_PIECE // 2**20} MB."
            )
        whole, rest = block[:cut], block[cut:]
        if whole:
            yield Piece(partial(_lines_of, whole), line, whole if is_plain else None)
            line += whole.count(b"\n")


def _lines_of(content: bytes) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", newline="")


def _cut(block: bytes, separator: str) -> tuple[int, bool, bool]:
    """Return where the last record ends, whether quotation marks fit, and whether lines do."""
    if b'"' not in block:
        return block.rfind(b"\n") + 1, True, True
    content = np.frombuffer(block, dtype=np.uint8)
    quotes, breaks = np.flatnonzero(content == _QUOTE), np.flatnonzero(content == _BREAK)
    inside = np.searchsorted(quotes, breaks) % 2 == 1
    ends = breaks[~inside]
    if not len(ends):
        return 0, len(block) < 4 * _PIECE, False
    cut = int(ends[-1]) + 1
    quotes = quotes[quotes < cut]
    borders = np.zeros(256, dtype=np.bool_)
    borders[[_BREAK, ord("\r"), ord(separator), _QUOTE]] = True
    before = content[quotes[0::2] - 1]
    if len(quotes) and quotes[0] == 0:
        before = before[1:]
    is_sound = bool(borders[before].all() and borders[content[quotes[1::2] + 1]].all())
    return cut, is_sound, not bool(inside[breaks < cut].any())
